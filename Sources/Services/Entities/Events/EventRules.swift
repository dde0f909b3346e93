import Reactor
import Schema
import ServiceKit
import Wire

/// The part of an event that hosts change, with the rules of its changes. Pure.
struct StoredEvent: Equatable, Sendable {
    static let titleBytesMax = 512
    static let locationBytesMax = 512
    static let linkBytesMax = 2048
    static let notesBytesMax = 4096

    var title: String
    var location: String
    var link: String
    var notes: String
    var schedule: EventSchedule
    var cancelledAt: Timestamp?

    /// The parts that are not the same in another state.
    func parts(otherThan other: StoredEvent) -> [EventPart] {
        EventPart.allCases.filter { part in
            switch part {
            case .title: title != other.title
            case .time:
                (schedule.day, schedule.seconds, schedule.zone) != (
                    other.schedule.day, other.schedule.seconds, other.schedule.zone
                ) || schedule.minutes != other.schedule.minutes
            case .recurrence: schedule.recurrence != other.schedule.recurrence
            case .dates: schedule.changes != other.schedule.changes
            case .location: location != other.location
            case .link: link != other.link
            case .notes: notes != other.notes
            case .cancellation: cancelledAt != other.cancelledAt
            }
        }
    }
}

/// A part of an event. The raw value is its place in `part_versions`.
enum EventPart: Int, CaseIterable, Sendable {
    case title, time, recurrence, dates, location, link, notes, cancellation

    /// Whether it says when people are reminded.
    var isOfTime: Bool {
        switch self {
        case .time, .recurrence, .dates, .cancellation: true
        case .title, .location, .link, .notes: false
        }
    }

    /// The part in a sentence.
    var name: String {
        switch self {
        case .title: "the title"
        case .time: "the time"
        case .recurrence: "the recurrence"
        case .dates: "single dates"
        case .location: "the location"
        case .link: "the link"
        case .notes: "the notes"
        case .cancellation: "whether it takes place"
        }
    }
}

/// An event as a transaction has locked it. Pure.
struct LockedEvent: Sendable {
    var creator: AccountNumber
    var event: StoredEvent
    var version: Int64
    var partVersions: [Int64]
    var isDeleted: Bool
    /// The version of the rules of time zones that its reminders are by.
    var rules: String
    var attendees: Int
    /// Whether everyone is about to be told how many people come (``CountsDue``).
    var areCountsDue: Bool
    /// Whether everyone was told a moment ago.
    var wereCountsTold: Bool
    /// Of the caller.
    var isHost: Bool
    /// The caller's attendance, if they have one.
    var own: StoredAttendance?

    /// The refusal of a change by somebody who does not know what others changed.
    func changed(since known: Int64) -> Refusal {
        let parts = EventPart.allCases.filter { part in
            partVersions.indices.contains(part.rawValue) && partVersions[part.rawValue] > known
        }
        let names = parts.isEmpty ? "it" : parts.map(\.name).joined(separator: ", ")
        return Refusal(
            .eventChanged,
            "Others have changed \(names): look at version \(version) of the event before you change it.",
            field: "version")
    }

    /// The versions of the parts after a change at the next version.
    func partVersions(changing parts: [EventPart]) -> [Int64] {
        var versions = partVersions
        while versions.count < EventPart.allCases.count { versions.append(1) }
        for part in parts { versions[part.rawValue] = version + 1 }
        return versions
    }
}

/// What a person answered. Pure.
struct StoredAttendance: Equatable, Sendable {
    static let guestsMax: UInt32 = 100

    var status: AttendanceStatus
    var guests: Int32
    var conversation: ConversationNumber?
    /// Negative: not at all.
    var remindMinutes: Int32
    var hosting = Hosting.guest

    /// Whether they are reminded of the event's dates.
    var isReminded: Bool { status == .accepted || status == .tentative }
    /// Whether they get changes of the event.
    var follows: Bool {
        switch status {
        case .accepted, .tentative: true
        case .declined: hosting == .host
        case .pending, .unspecified, .unrecognized: hosting != .declined
        }
    }
}

/// Whether a person hosts an event.
enum Hosting: Sendable {
    case guest
    /// Asked to host, which they have not answered: a guest as far as rights go.
    case asked
    /// The creator, or a co-host who accepted.
    case host
    /// Declined to host, and has not said since that they come. Nobody asks them again.
    case declined
}

/// A person of an event. Pure.
struct EventPerson: Sendable {
    var account: AccountNumber
    var status: AttendanceStatus
    var isHost: Bool
    var isAskedToHost: Bool
    /// Negative: not at all.
    var remindMinutes: Int32

    /// Whether they are reminded of the event's dates.
    var isReminded: Bool { status == .accepted || status == .tentative }
}

// MARK: Times

extension EventSchedule {
    /// Reads a time as requests give it.
    /// - Throws: ``Refusal`` `invalid`.
    @ReactorActor
    init(_ time: EventTime, recurrence: Recurrence?, _ zones: TimeZones) throws(Refusal) {
        guard let day = CivilDay.number(time.date) else {
            throw .invalid("when.date", "must be a date such as \"2026-12-01\"")
        }
        guard time.durationMinutes <= Self.minutesMax else {
            throw .invalid("when.duration_minutes", "must be at most \(Self.minutesMax), which is 366 days")
        }
        var minutes = Int(time.durationMinutes)
        let recurrence = recurrence?.counted(from: day)
        if time.time.isEmpty {
            guard time.timeZone.isEmpty else { throw .invalid("when.time_zone", "must be empty without a time") }
            guard minutes % 1440 == 0 else {
                throw .invalid("when.duration_minutes", "must be whole days of 1,440 minutes without a time")
            }
            minutes = max(1440, minutes)
            self.init(day: day, seconds: nil, zone: "", minutes: minutes, recurrence: recurrence)
        } else {
            let zone = time.timeZone.isEmpty ? "UTC" : time.timeZone
            _ = try zones.rules(of: zone)
            self.init(
                day: day, seconds: try Self.seconds(time.time, field: "when.time"), zone: zone, minutes: minutes,
                recurrence: recurrence)
        }
    }

    private static func seconds(_ text: String, field: String) throws(Refusal) -> Int {
        guard text.utf8.count == 5, let time = CivilTime("1970-01-01T\(text)") else {
            throw .invalid(field, "must be a time of day such as \"19:30\"")
        }
        return Int(time.rawValue / 1_000_000)
    }

    /// Checks that the recurrence has the first date.
    /// - Throws: ``Refusal`` `invalid`.
    func checkFirstDate(_ rules: ZoneRules) throws(Refusal) {
        guard let recurrence else { return }
        if isWholeDays, case .time = recurrence.end {
            throw .invalid("recurrence", "must have UNTIL with a day, not a time, since the event has no time of day")
        }
        guard takesPlace(on: day), !isOver(day, rules) else {
            throw .invalid("recurrence", "must have the event's first date among its dates")
        }
    }

    /// Changes dates as a request says.
    /// - Throws: ``Refusal`` `invalid`.
    mutating func change(_ dates: [ChangedDate], restoring restored: [String]) throws(Refusal) {
        for text in restored {
            guard let day = CivilDay.number(text) else {
                throw .invalid("restored_dates", "must be dates such as \"2026-12-01\"")
            }
            changes[day] = nil
        }
        for date in dates {
            guard recurrence != nil, let day = CivilDay.number(date.date), takesPlace(on: day) else {
                throw .invalid("changed_dates.date", "must be a date that the event's recurrence has")
            }
            if date.cancelled {
                changes[day] = .cancelled
                continue
            }
            guard let newDay = CivilDay.number(date.newDate) else {
                throw .invalid(
                    "changed_dates.new_date", "must be a date such as \"2026-12-01\", unless it is cancelled")
            }
            guard date.newTime.isEmpty == isWholeDays else {
                throw .invalid(
                    "changed_dates.new_time", isWholeDays ? "must be empty for whole days" : "must be a time of day")
            }
            let seconds = isWholeDays ? nil : try Self.seconds(date.newTime, field: "changed_dates.new_time")
            changes[day] = .moved(day: newDay, seconds: seconds)
        }
        guard changes.count <= Self.changesMax else {
            throw .invalid(
                "changed_dates", "may be at most \(Self.changesMax) in all. Restore some, or make a new event.")
        }
    }

    /// Forgets changes of days that the recurrence no longer has, or that no longer fit.
    mutating func forgetOthers() {
        changes = changes.filter { day, change in
            guard recurrence != nil, takesPlace(on: day) else { return false }
            if case .moved(_, let seconds) = change { return (seconds == nil) == isWholeDays }
            return true
        }
    }

    // MARK: In the contract's form

    var when: EventTime {
        EventTime(
            date: CivilDay.text(day), time: seconds.map(Self.timeText) ?? "", timeZone: zone,
            durationMinutes: UInt32(minutes))
    }

    var changedDates: [ChangedDate] {
        changes.sorted { $0.key < $1.key }.map { day, change in
            switch change {
            case .cancelled: ChangedDate(date: CivilDay.text(day), cancelled: true)
            case .moved(let newDay, let seconds):
                ChangedDate(
                    date: CivilDay.text(day), newDate: CivilDay.text(newDay),
                    newTime: seconds.map(Self.timeText) ?? "")
            }
        }
    }

    /// `19:30`.
    private static func timeText(_ seconds: Int) -> String {
        String(CivilTime(day: 0, seconds: seconds).text.dropFirst(11).prefix(5))
    }
}

// MARK: Requests

/// The changes that a request names, checked. Pure.
struct EventChanges: Sendable {
    var title: String?
    var location: String?
    var link: String?
    var notes: String?
    var when: EventTime?
    /// Nil within: it takes place once.
    var recurrence: Recurrence??
    var dates: [ChangedDate]
    var restored: [String]

    /// - Throws: ``Refusal`` `invalid`.
    init(_ request: UpdateEventRequest) throws(Refusal) {
        if case .title(let text) = request.changeTitle { title = try EventTexts.title(text) }
        if case .location(let text) = request.changeLocation { location = try EventTexts.location(text) }
        if case .link(let text) = request.changeLink { link = try EventTexts.link(text) }
        if case .notes(let text) = request.changeNotes { notes = try EventTexts.notes(text) }
        if case .recurrence(let text) = request.changeRecurrence {
            recurrence = .some(text.isEmpty ? nil : try Recurrence(text))
        }
        (when, dates, restored) = (request.when, request.changedDates, request.restoredDates)
    }

    @ReactorActor
    func apply(to event: inout StoredEvent, _ zones: TimeZones) throws(Refusal) {
        if let title { event.title = title }
        if let location { event.location = location }
        if let link { event.link = link }
        if let notes { event.notes = notes }
        if when != nil || recurrence != nil {
            let rule = recurrence ?? event.schedule.recurrence
            var schedule = try EventSchedule(when ?? event.schedule.when, recurrence: rule, zones)
            schedule.changes = event.schedule.changes
            schedule.forgetOthers()
            try schedule.checkFirstDate(try zones.rules(of: schedule))
            event.schedule = schedule
        }
        try event.schedule.change(dates, restoring: restored)
    }
}

extension TimeZones {
    /// The rules by which an event's times become instants; for whole days those of UTC.
    /// - Throws: ``Refusal`` `invalid` for a zone that no longer exists.
    func rules(of schedule: EventSchedule) throws(Refusal) -> ZoneRules {
        try rules(of: schedule.isWholeDays ? "UTC" : schedule.zone)
    }
}

/// Checks the texts of events. Pure.
enum EventTexts {
    static func title(_ text: String) throws(Refusal) -> String {
        try Text.line(text, field: "title", bytes: StoredEvent.titleBytesMax)
    }

    static func location(_ text: String) throws(Refusal) -> String {
        text.isEmpty ? "" : try Text.line(text, field: "location", bytes: StoredEvent.locationBytesMax)
    }

    static func notes(_ text: String) throws(Refusal) -> String {
        text.isEmpty ? "" : try Text.message(text, field: "notes", bytes: StoredEvent.notesBytesMax)
    }

    static func link(_ text: String) throws(Refusal) -> String {
        text.isEmpty ? "" : try Text.link(text, field: "link", bytes: StoredEvent.linkBytesMax)
    }
}
