import Schema

/// A date and time on the wall, without a zone: microseconds from 1970-01-01T00:00:00 on the same wall. Pure.
///
/// Arithmetic on it cannot fail: what is beyond the calendar's end becomes that end, so its order stays right.
public struct CivilTime: TypedNumber {
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Reads `2026-12-01T10:00` or `2026-12-01T10:00:30`, from 1970 to 9999. Returns nil for anything else, such as a
    /// day that the calendar does not have.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 16 || bytes.count == 19 else { return nil }
        for (index, byte) in bytes.enumerated() {
            let expected: UInt8? =
                switch index {
                case 4, 7: UInt8(ascii: "-")
                case 10: UInt8(ascii: "T")
                case 13, 16: UInt8(ascii: ":")
                default: nil
                }
            guard expected.map({ $0 == byte }) ?? (UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte) else { return nil }
        }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), bytes.count == 19 ? number(17..<19) : 0)
        guard year >= 1970, 1...12 ~= month, 1...CivilDay.count(in: month, of: year) ~= day, hour < 24, minute < 60,
            second < 60
        else { return nil }
        let days = CivilDay.number(year: year, month: month, day: day)
        self.init(rawValue: Int64(days * 86_400 + hour * 3600 + minute * 60 + second) * 1_000_000)
    }

    /// - Parameters:
    ///   - day: one outside of ``CivilDay/calendar`` counts as its first or last one.
    ///   - seconds: after midnight, less than a day.
    public init(day: Int, seconds: Int) {
        let (day, seconds) = (CivilDay.calendar.clamping(day), (0...86_399).clamping(seconds))
        self.init(rawValue: Int64(day * 86_400 + seconds) * 1_000_000)
    }

    /// The day that it is on.
    public var day: Int { Int(seconds.floorDivided(by: 86_400)) }

    /// `2026-12-01T10:00:30`, without fractions of a second.
    public var text: String { UTC.toTheSecond(seconds) }

    /// Whole seconds, rounded down.
    var seconds: Int64 { rawValue.floorDivided(by: 1_000_000) }
}

/// Days of the Gregorian calendar, numbered from 1970-01-01. Pure.
public enum CivilDay {
    /// The years 1 to 19999, in which all arithmetic on days is done. Requests name days of 1970 to 9999.
    public static let calendar = number(year: 1, month: 1, day: 1)...number(year: 19_999, month: 12, day: 31)

    /// Algorithm "days_from_civil" by Howard Hinnant.
    public static func number(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year.floorDivided(by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The year that a day is in.
    static func year(of number: Int) -> Int { parts(of: number).year }

    /// The year, month and day of the month of a day.
    public static func parts(of number: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // The years of this count begin in March.
        let monthOfYear = (5 * dayOfYear + 2) / 153
        return (
            yearOfEra + era * 400 + (monthOfYear >= 10 ? 1 : 0), monthOfYear < 10 ? monthOfYear + 3 : monthOfYear - 9,
            dayOfYear - (153 * monthOfYear + 2) / 5 + 1
        )
    }

    /// Reads `2026-12-01`, from 1970 to 9999. Returns nil for anything else.
    public static func number(_ text: String) -> Int? {
        guard text.utf8.count == 10, let time = CivilTime(text + "T00:00") else { return nil }
        return time.day
    }

    /// `2026-12-01`.
    public static func text(_ number: Int) -> String { String(CivilTime(day: number, seconds: 0).text.prefix(10)) }

    static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    public static func count(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The day of the week; 0 is Sunday.
    public static func weekday(of number: Int) -> Int { (number + 4) - (number + 4).floorDivided(by: 7) * 7 }
}

extension ClosedRange {
    /// The value of the range that is nearest to this one.
    func clamping(_ value: Bound) -> Bound { Swift.min(Swift.max(value, lowerBound), upperBound) }
}

extension BinaryInteger {
    /// The quotient, rounded towards minus infinity.
    func floorDivided(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
