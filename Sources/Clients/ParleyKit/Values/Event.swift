import Foundation
import ParleyClient

/// An event that I created or host, am asked to host, or answered otherwise than by declining.
///
///     let event = try await parley.addEvent("Dinner", on: "2026-12-01", at: "19:30", minutes: 120, inviting: [id])
///     try await parley.answer(event.id, .accepted, guests: 1)
public struct Event: Identifiable, Hashable, Sendable, Codable {
    /// What a person answered to an invitation.
    ///
    ///     switch event.answer {
    ///     case .accepted: show("You come, \(event.guests) with you.")
    ///     case .tentative: show("You may come.")
    ///     case .declined: show("You do not come.")
    ///     case .pending: show("Do you come?")
    ///     }
    public enum Answer: String, Hashable, Sendable, Codable { case pending, accepted, declined, tentative }

    /// A date of a series that does not take place as its rule says.
    ///
    ///     for date in event.changedDates {
    ///         switch date.change {
    ///         case .calledOff: show("Not on \(date.date).")
    ///         case .moved(let day, _): show("On \(day), not on \(date.date).")
    ///         }
    ///     }
    public struct ChangedDate: Hashable, Sendable, Codable {
        /// What became of a date.
        ///
        ///     if date.change == .calledOff { show("Not on \(date.date).") }
        public enum Change: Hashable, Sendable, Codable {
            case calledOff
            /// - Parameter at: "19:30"; nil: whole days.
            case moved(to: String, at: String?)
        }

        /// The day that the rule gives, "2026-12-08".
        public var date: String
        public var change: Change

        /// Creates a changed date, for previews and tests.
        public init(date: String, change: Change) { (self.date, self.change) = (date, change) }

        init(_ date: Parley_V1_ChangedDate) {
            let time = date.newTime.isEmpty ? nil : date.newTime
            self.init(date: date.date, change: date.cancelled ? .calledOff : .moved(to: date.newDate, at: time))
        }
    }

    /// How long before each date of an event I am reminded of it.
    ///
    ///     try await parley.answer(event.id, .accepted, remind: .minutesBefore(60))
    public enum Notice: Hashable, Sendable, Codable {
        case never
        /// At most ``noticeMax``.
        case minutesBefore(Int)
    }

    /// The longest time before a date at which I am reminded of it, in minutes: four weeks.
    public static let noticeMax = 40_320

    public let id: EventID
    public var creator: UserID
    public var title: String
    /// The day on which it begins, "2026-12-01"; of a series its first date.
    public var date: String
    /// "19:30"; nil: whole days.
    public var time: String?
    /// The zone in which its time is meant: "Europe/Zurich".
    public var timeZone: String
    /// How long it takes; zero: it has no end, or is one whole day.
    public var minutes: Int
    /// When it begins; of whole days midnight UTC.
    public var startsAt: Date
    public var location: String
    public var link: URL?
    public var notes: String
    /// The rule by RFC 5545 by which it recurs; nil: it takes place once.
    public var recurrence: String?
    /// The dates of a series that are called off or moved, in order of their days.
    public var changedDates: [ChangedDate]
    public var isCancelled: Bool
    /// How many people accepted, may come, and declined.
    public var accepted: Int
    public var tentative: Int
    public var declined: Int
    /// How many come, with those whom they bring.
    public var coming: Int
    /// My answer, and how many I bring.
    public var answer: Answer
    public var guests: Int
    /// How long before each date I am reminded; nil: the server has not said.
    public var notice: Notice?
    /// When I was last reminded; nil: not yet. Notify the person when it grows.
    public var remindedAt: Date?
    /// When the date begins of which I was last reminded.
    public var remindedOf: Date?
    /// Whether I host it: I created it, or accepted to.
    public var isHost: Bool
    /// Whether I am asked to host it, and have not answered.
    public var isAskedToHost: Bool
    /// The co-hosts.
    public var hosts: [UserID]
    /// The conversations that are invited, if I am a host.
    public var conversations: [ConversationID]
    /// The message that it came from, if I created it.
    public var message: MessageID?
    public var createdAt: Date
    public var syncStatus: SyncStatus
    /// What a change of it is made to. Others' changes make it grow.
    var version: Int64 = 0

    /// Creates an event, for previews and tests.
    /// - Parameters:
    ///   - date: "2026-12-01".
    ///   - time: "19:30"; nil: whole days.
    public init(
        id: EventID = .init(), creator: UserID, title: String, on date: String, at time: String? = nil,
        in zone: TimeZone = .current, minutes: Int = 0, location: String = "", answer: Answer = .pending
    ) {
        self.init(
            .with {
                ($0.id, $0.creator, $0.title, $0.location) = (id.data, creator.rawValue, title, location)
                ($0.when.date, $0.when.time) = (date, time ?? "")
                $0.when.timeZone = time == nil ? "" : zone.identifier
                $0.when.durationMinutes = UInt32(clamping: minutes)
                $0.startsAtUs = Self.start(of: $0.when)?.microseconds ?? 0
                ($0.own.status, $0.hosts, $0.createdAtUs) = (answer.status, [creator.rawValue], Date.now.microseconds)
            })
    }

    init(_ event: Parley_V1_Event) {
        (id, creator, title) = (EventID(event.id), UserID(rawValue: event.creator), event.title)
        (date, time) = (event.when.date, event.when.time.isEmpty ? nil : event.when.time)
        (timeZone, minutes) = (event.when.timeZone, Int(event.when.durationMinutes))
        startsAt = Date(microseconds: event.startsAtUs)
        (location, link, notes) = (event.location, URL(string: event.link), event.notes)
        recurrence = event.recurrence.isEmpty ? nil : event.recurrence
        changedDates = event.changedDates.map(ChangedDate.init)
        isCancelled = event.cancelledAtUs != 0
        (accepted, tentative) = (Int(event.accepted), Int(event.tentative))
        (declined, coming) = (Int(event.declined), Int(event.coming))
        (answer, guests) = (Answer(event.own.status), Int(event.own.guests))
        notice = event.remindMinutes < 0 ? .never : .minutesBefore(Int(event.remindMinutes))
        (remindedAt, remindedOf) = (Date(set: event.remindedAtUs), Date(set: event.remindedOfUs))
        (isHost, isAskedToHost) = (event.own.host, event.own.askedToHost)
        hosts = event.hosts.map(UserID.init(rawValue:))
        conversations = event.conversations.map(ConversationID.init(rawValue:))
        message = event.sourceMessage.isEmpty ? nil : MessageID(event.sourceMessage)
        (createdAt, syncStatus, version) = (Date(microseconds: event.createdAtUs), .synced, event.version)
    }

    /// Creates an event that the server does not have yet.
    init(_ request: Parley_V1_CreateEventRequest, by me: UserID, at time: Date, _ status: SyncStatus) {
        self.init(
            .with {
                ($0.id, $0.creator, $0.title, $0.when) = (request.id, me.rawValue, request.title, request.when)
                ($0.location, $0.link, $0.notes) = (request.location, request.link, request.notes)
                ($0.recurrence, $0.conversations) = (request.recurrence, request.conversations)
                ($0.accepted, $0.coming, $0.own.status, $0.own.host) = (1, 1, .accepted, true)
                $0.startsAtUs = Self.start(of: request.when)?.microseconds ?? 0
                $0.sourceMessage = request.sourceMessage
            })
        (createdAt, syncStatus, notice) = (time, status, nil)
    }

    /// Takes another time, until the server says when its dates are.
    mutating func take(_ when: Parley_V1_EventTime) {
        (date, time) = (when.date, when.time.isEmpty ? nil : when.time)
        (timeZone, minutes) = (when.timeZone, Int(when.durationMinutes))
        startsAt = Self.start(of: when) ?? startsAt
    }

    /// Takes changes of single dates of the series.
    mutating func take(_ changes: [Parley_V1_ChangedDate], restored: [String]) {
        let named = Set(changes.map(\.date) + restored)
        changedDates.removeAll { named.contains($0.date) }
        changedDates += changes.map(ChangedDate.init)
        changedDates.sort { $0.date < $1.date }
    }

    static func start(of when: Parley_V1_EventTime) -> Date? {
        var calendar = Calendar(identifier: .gregorian)
        guard let zone = TimeZone(identifier: when.time.isEmpty ? "UTC" : when.timeZone) else { return nil }
        calendar.timeZone = zone
        let numbers = (when.date.split(separator: "-") + when.time.split(separator: ":")).map { Int($0) }
        guard numbers.count >= 3, !numbers.contains(nil) else { return nil }
        return calendar.date(
            from: DateComponents(
                year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers.count > 3 ? numbers[3] : 0,
                minute: numbers.count > 4 ? numbers[4] : 0))
    }
}

extension Event.Answer {
    init(_ status: Parley_V1_AttendanceStatus) {
        switch status {
        case .accepted: self = .accepted
        case .declined: self = .declined
        case .tentative: self = .tentative
        case .pending, .unspecified, .UNRECOGNIZED: self = .pending
        }
    }

    var status: Parley_V1_AttendanceStatus {
        switch self {
        case .pending: .pending
        case .accepted: .accepted
        case .declined: .declined
        case .tentative: .tentative
        }
    }
}

extension Event: ListedThing {
    var idData: Data { id.data }
    static var list: ReferenceWritableKeyPath<Parley, [Event]> { \.events }

    func precedes(_ other: Event) -> Bool { startsAt == other.startsAt ? id < other.id : startsAt < other.startsAt }

    static func listChanged(from before: [Event], in parley: Parley) {
        parley.cards.events.listChanged(from: before, in: parley)
    }
}
