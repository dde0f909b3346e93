import Language
import Reactor
import Schema
import ServiceKit
import Wire

/// What a suggestion says. Pure.
struct SuggestedContent: Equatable, Sendable {
    static let titleBytesMax = 512
    static let locationBytesMax = 512
    /// How long a suggestion without a date stays open.
    static let undatedLifetime: Duration = .seconds(7 * 86_400)
    /// What is more than ten years from its message is a slip or a joke, whoever read it.
    static let daysMax = 3653

    var kind: SuggestionKind
    var title: String
    var location = ""
    /// When an event takes place.
    var schedule: EventSchedule?
    /// When a reminder is due.
    var due: ZonedTime?
    /// The IANA name of the zone in which the message was understood.
    var zone: String
    var expiresAt: Timestamp

    /// Returns nil for what cannot be suggested: something that is over, an event without a day, or a time of day by a
    /// sender whose zone is not known.
    init?(_ found: Extraction, in message: ReadMessage) {
        guard let title = Self.name(found.title, Self.titleBytesMax) else { return nil }
        if !message.isZoned {
            if found.time != nil { return nil }
            if case .time = found.end { return nil }
        }
        let sent = message.rules.time(at: message.sentAt).civil
        guard found.days.allSatisfy({ (sent.day - Self.daysMax...sent.day + Self.daysMax).contains($0.number) }) else {
            return nil
        }
        (self.title, zone) = (title, message.zone)
        location = found.location.flatMap { Self.name($0, Self.locationBytesMax) } ?? ""
        switch found.kind {
        case .event:
            guard let day = found.date else { return nil }
            let schedule = Self.schedule(of: found, on: day, zone)
            let ends = Self.end(of: schedule, message.rules)
            guard ends > message.sentAt else { return nil }
            (kind, self.schedule, expiresAt) = (.event, schedule, ends)
        case .reminder:
            let due = message.rules.time(Self.due(found, sent: sent))
            guard due.instant > message.sentAt else { return nil }
            (kind, self.due, expiresAt) = (.reminder, due, due.instant)
        case .decision:
            (kind, expiresAt) = (.decision, message.sentAt + Self.undatedLifetime)
        }
        if let disappears = message.expiresAt { expiresAt = min(expiresAt, disappears) }
        guard expiresAt > message.sentAt else { return nil }
    }

    init(
        kind: SuggestionKind, title: String, location: String, schedule: EventSchedule?, due: ZonedTime?, zone: String,
        expiresAt: Timestamp
    ) {
        (self.kind, self.title, self.location) = (kind, title, location)
        (self.schedule, self.due, self.zone, self.expiresAt) = (schedule, due, zone, expiresAt)
    }

    /// A text as names are stored, without what they may not have; nil if nothing is left.
    private static func name(_ text: String, _ bytes: Int) -> String? {
        var short = text[...]
        while short.utf8.count > bytes { short.removeLast() }
        return try? Text.line(String(short), field: "title", bytes: bytes)
    }

    private static func schedule(of found: Extraction, on day: Day, _ zone: String) -> EventSchedule {
        guard let time = found.time else {
            var days = 1
            if case .day(let last) = found.end { days = max(1, last.number - day.number + 1) }
            return EventSchedule(
                day: day.number, seconds: nil, zone: "", minutes: min(days * 1440, EventSchedule.minutesMax))
        }
        let start = WallTime(day: day, time: TimeOfDay(seconds: time.seconds / 60 * 60))
        var minutes = 0
        if case .time(let end) = found.end { minutes = max(0, (end.seconds - start.seconds) / 60) }
        return EventSchedule(
            day: day.number, seconds: start.time.seconds, zone: zone, minutes: min(minutes, EventSchedule.minutesMax))
    }

    /// When an event is over, which without a said end is an hour after it begins. Whole days are those of the sender.
    private static func end(of schedule: EventSchedule, _ rules: ZoneRules) -> Timestamp {
        let span = schedule.span(rules)
        return schedule.isWholeDays || schedule.minutes > 0 ? span.ends : span.starts + .seconds(3600)
    }

    /// The times of day at which one is reminded of something without one.
    private static let usualTimes = [9, 18, 21]

    /// When a task is due on the sender's wall: at the usual time of its day, or of the day after the message.
    private static func due(_ found: Extraction, sent: CivilTime) -> CivilTime {
        let day = found.date?.number ?? (found.time == nil ? sent.day + 1 : sent.day)
        if let time = found.time { return CivilTime(day: day, seconds: time.seconds) }
        let usual = usualTimes.lazy.map { CivilTime(day: day, seconds: $0 * 3600) }.first { $0 > sent }
        return usual ?? CivilTime(sent.rawValue + 3_600_000_000)
    }
}

/// A message as entities reads it. Pure.
struct ReadMessage: Sendable {
    var key: MessageKey
    var id: [UInt8]
    /// Of its last change.
    var position: Position
    var sender: AccountNumber
    var text: String
    var sentAt: Timestamp
    /// When its text was edited last; zero: never.
    var editedAt: Timestamp
    /// When it disappears; nil: it stays.
    var expiresAt: Timestamp?
    var mentions: [AccountNumber]
    /// Who wrote the message that it answers.
    var answered: AccountNumber?
    /// The IANA name of the zone in which it is understood.
    var zone = "UTC"
    /// Whether the sender named that zone.
    var isZoned = false
    var rules: ZoneRules
}

/// A message, by its conversation and its number there.
struct MessageKey: Hashable, Sendable {
    var conversation: ConversationNumber
    var seq: Seq
}

/// Somebody who may read a message, and what they may read of the messages before it.
struct MessageReader: Sendable {
    var account: AccountNumber
    var seqs: [Seq]
}

/// Who gets a suggestion. Pure.
enum SuggestionRules {
    /// The most suggestions of one message for a person.
    static let ofMessageMax = 3

    /// Whether a person gets what was found in a message.
    static func isFor(_ account: AccountNumber, _ found: Extraction, of message: ReadMessage, among readers: Int)
        -> Bool
    {
        guard found.kind == .reminder else { return true }
        let isSender = account == message.sender
        switch found.doers {
        case .sender: return isSender
        case .everyone: return true
        case .others: return !isSender
        case .addressee:
            // A note to oneself.
            if readers == 1 { return isSender }
            guard !isSender else { return false }
            if !message.mentions.isEmpty { return message.mentions.contains(account) }
            return readers == 2 || message.answered == account
        }
    }

    /// What a message suggests to a person, of which each has its place by its kind. A message makes one event.
    static func contents(
        _ found: [Extraction], of message: ReadMessage, for account: AccountNumber, among readers: Int
    ) -> [SuggestedPlace: SuggestedContent] {
        var contents: [SuggestedPlace: SuggestedContent] = [:]
        for extraction in found where isFor(account, extraction, of: message, among: readers) {
            guard contents.count < ofMessageMax, let content = SuggestedContent(extraction, in: message) else {
                continue
            }
            let ordinal = contents.keys.count { $0.kind == content.kind }
            if content.kind == .event, ordinal > 0 { continue }
            contents[SuggestedPlace(kind: content.kind, ordinal: Int16(ordinal))] = content
        }
        return contents
    }
}

/// Which suggestion of a message it is.
struct SuggestedPlace: Hashable, Sendable {
    var kind: SuggestionKind
    var ordinal: Int16

    var order: Int32 { kind.rawValue << 16 | Int32(ordinal) }
}

/// The rules of a zone, as the room of language reads them.
struct SenderZone: Zone {
    let rules: ZoneRules

    func offset(at instant: Int) -> Int { Int(rules.offset(at: Int64(instant))) }
}
