/// A day of the Gregorian calendar. Pure.
public struct Day: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    public var number: Int

    public init(number: Int) { self.number = number }

    /// Returns nil for a day that the calendar does not have.
    public init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, 1...Self.count(in: month, of: year) ~= day else { return nil }
        self.init(number: Self.number(year, month, day))
    }

    /// The first day of a month, which may lie before or after the year's twelve.
    init(year: Int, month: Int) {
        let index = year * 12 + month - 1
        self.init(number: Self.number(index.floored(by: 12), index.modulo(12) + 1, 1))
    }

    /// Algorithm "days_from_civil" by Howard Hinnant.
    private static func number(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year.floored(by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    public var parts: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = shifted.floored(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }

    /// Reads `2026-03-08`; nil for anything else.
    public init?(text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2], let numbers = Self.numbers(parts) else {
            return nil
        }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    /// Numbers without signs; nil if one is none.
    fileprivate static func numbers(_ parts: [some StringProtocol]) -> [Int]? {
        let numbers = parts.compactMap { part in part.utf8.allSatisfy { 48...57 ~= $0 } ? Int(part) : nil }
        return numbers.count == parts.count ? numbers : nil
    }

    var year: Int { parts.year }
    var month: Int { parts.month }
    /// 0 is Monday.
    var weekday: Int { (number + 3).modulo(7) }
    /// The Monday of the day's week.
    var monday: Day { self - weekday }
    var firstOfMonth: Day { self - (parts.day - 1) }

    /// The same day of another month, or that month's last day.
    func adding(months: Int) -> Day {
        let (year, month, day) = parts
        let first = Day(year: year, month: month + months)
        return first + (min(day, Self.count(in: first.month, of: first.year)) - 1)
    }

    static func count(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    static func + (day: Day, count: Int) -> Day { Day(number: day.number + count) }
    static func - (day: Day, count: Int) -> Day { Day(number: day.number - count) }
    public static func < (one: Day, other: Day) -> Bool { one.number < other.number }

    /// `2026-03-08`.
    public var text: String {
        let (year, month, day) = parts
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
    }
}

/// A time of the day. Pure.
public struct TimeOfDay: Hashable, Comparable, Sendable {
    /// Seconds after midnight, 0 to 86,399.
    public var seconds: Int

    public init(seconds: Int) { self.seconds = seconds }

    init(hour: Int, minute: Int = 0, second: Int = 0) { self.init(seconds: hour * 3600 + minute * 60 + second) }

    /// Reads `19:00`; nil for anything else.
    public init?(text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [2, 2], let numbers = Day.numbers(parts), numbers[0] < 24, numbers[1] < 60
        else { return nil }
        self.init(hour: numbers[0], minute: numbers[1])
    }

    public static func < (one: TimeOfDay, other: TimeOfDay) -> Bool { one.seconds < other.seconds }

    /// `19:00`, with seconds only where they are not zero.
    public var text: String {
        let minutes = padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2)
        return seconds % 60 == 0 ? minutes : minutes + ":" + padded(seconds % 60, 2)
    }
}

/// A day and a time on the wall. Pure.
public struct WallTime: Hashable, Comparable, Sendable {
    public var day: Day
    public var time: TimeOfDay

    public init(day: Day, time: TimeOfDay) { (self.day, self.time) = (day, time) }

    /// - Parameter seconds: since 1970 on the same wall.
    public init(seconds: Int) {
        self.init(
            day: Day(number: seconds.floored(by: 86_400)), time: TimeOfDay(seconds: seconds.modulo(86_400)))
    }

    /// Reads `2026-03-08T19:00`; nil for anything else.
    public init?(text: some StringProtocol) {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, let day = Day(text: parts[0]), let time = TimeOfDay(text: parts[1]) else { return nil }
        self.init(day: day, time: time)
    }

    public var seconds: Int { day.number * 86_400 + time.seconds }
    public static func < (one: WallTime, other: WallTime) -> Bool { one.seconds < other.seconds }
    /// `2026-03-08T19:00`.
    public var text: String { day.text + "T" + time.text }
}

/// The rules of a time zone, which the caller has: this module reads no files.
public protocol Zone: Sendable {
    /// The seconds to add to UTC at an instant in seconds since 1970.
    func offset(at instant: Int) -> Int
}

extension Zone {
    func wall(at instant: Int) -> WallTime { WallTime(seconds: instant + offset(at: instant)) }

    /// The instant of a time on the wall. A time that the clocks skip is read with the offset before the gap; of a time
    /// that comes twice, the first counts.
    public func instant(of wall: WallTime) -> Int {
        let seconds = wall.seconds
        let before = offset(at: seconds - 86_400)
        let after = offset(at: seconds + 86_400)
        let first = seconds - max(before, after)
        if offset(at: first) == max(before, after) { return first }
        let second = seconds - min(before, after)
        return offset(at: second) == min(before, after) ? second : seconds - before
    }
}

/// A zone that never changes its clocks.
public struct FixedZone: Zone {
    var seconds: Int

    /// - Parameter seconds: to add to UTC.
    public init(seconds: Int) { self.seconds = seconds }

    public func offset(at instant: Int) -> Int { seconds }
}

/// When a message was sent, and where its sender is.
public struct Moment: Sendable {
    /// Seconds since 1970, UTC.
    public var instant: Int
    public var zone: any Zone
    /// The same on the sender's wall.
    public let wall: WallTime
    /// Whether 9/18 is 18 September, as in America.
    public var isMonthFirst: Bool
    /// The zones that a text may name ("9am Pacific").
    var zones: @Sendable (String) -> (any Zone)?

    /// - Parameters:
    ///   - zoneName: the zone's IANA name. In America's zones numeric dates begin with the month.
    ///   - zones: returns the rules of a zone by its IANA name.
    public init(
        instant: Int, zone: any Zone, zoneName: String, zones: @escaping @Sendable (String) -> (any Zone)?
    ) {
        (self.instant, self.zone, self.zones) = (instant, zone, zones)
        wall = zone.wall(at: instant)
        isMonthFirst = zoneName.hasPrefix("America/") || zoneName.hasPrefix("US/") || zoneName == "Pacific/Honolulu"
    }

    public var today: Day { wall.day }
}

/// The number with leading zeros.
func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

extension Int {
    /// The quotient, rounded towards minus infinity.
    func floored(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    func modulo(_ divisor: Int) -> Int { self - floored(by: divisor) * divisor }
}
