/// The conventions by which a text is read.
public enum DateStyle: Sendable {
    /// How people in a chat mean it: a period has no day, a clock time needs a sign that it is one.
    case chat
    /// The whole text is a date: periods are ranges, and a clock time without a day is the next one.
    case phrase
    /// As `phrase`, but a clock time without a day has none.
    case plainPhrase
}

/// A clock time as it was said.
struct Clock: Equatable, Sendable {
    enum Half: Sendable { case am, pm }

    var hour: Int
    var minute = 0
    var second = 0
    /// What the words say of the half of the day.
    var half: Half?
    /// Whether the time is one of 24 hours, so that no half is missing.
    var isExact = false
    var isMidnight = false
    /// Whether it is an hour and nothing else.
    var isBare = false
    var zone: ZoneName?

    /// The seconds after midnight, with the half that the words say, or the one given.
    func time(_ assumed: Half?) -> TimeOfDay {
        var hour = hour
        if !isExact {
            switch half ?? assumed {
            case .pm where hour < 12: hour += 12
            case .am where hour == 12: hour = 0
            default: break
            }
        }
        return TimeOfDay(hour: hour, minute: minute, second: second)
    }

    var isOpen: Bool { !isExact && half == nil && hour != 12 }
}

/// A zone as it was said.
enum ZoneName: Equatable, Sendable {
    case named(String)
    case fixed(Int)
    /// "your time", "local time".
    case own
}

/// A part of the day, which says a half but no time.
enum DayPart: Sendable {
    case morning, noon, afternoon, evening, night, endOfDay
}

/// A length of time.
struct Amount: Equatable, Sendable {
    var seconds = 0
    var days = 0
    var months = 0

    var isOfDay: Bool { days == 0 && months == 0 }
    static func + (one: Amount, other: Amount) -> Amount {
        Amount(seconds: one.seconds + other.seconds, days: one.days + other.days, months: one.months + other.months)
    }
    static func * (amount: Amount, count: Int) -> Amount {
        Amount(seconds: amount.seconds * count, days: amount.days * count, months: amount.months * count)
    }

    /// The day that is this much after another one; before it with -1.
    func added(to day: Day, times sign: Int = 1) -> Day {
        (months == 0 ? day : day.adding(months: months * sign)) + days * sign
    }
}

/// A part of a text that says when: one constituent, such as a day or a clock time.
struct Piece: Sendable {
    enum Value: Sendable {
        case day(Day)
        /// Both days included.
        case days(Day, Day)
        /// The first day, and the first one after it.
        case period(Day, Day)
        case clock(Clock)
        case clocks(Clock, Clock)
        case instant(WallTime)
        case instants(WallTime, WallTime)
        case amount(Amount)
        case part(DayPart)
        /// "the same day", "that day", "before that".
        case sameDay
        /// A day that no calendar has: "31 April".
        case noDay
    }

    var value: Value
    var tokens: Range<Int>
    var isDeadline = false
    var isPast = false
    var isRecurring = false
    /// After "not", "instead of": the day that no longer holds.
    var isDenied = false

    var isNoDay: Bool { if case .noDay = value { true } else { false } }

    init(_ value: Value, _ tokens: Range<Int>) { (self.value, self.tokens) = (value, tokens) }
}

/// What a rule of the grammar found, and the token after it.
struct Found<Value> {
    var value: Value
    var next: Int

    init(_ value: Value, _ next: Int) { (self.value, self.next) = (value, next) }
}
