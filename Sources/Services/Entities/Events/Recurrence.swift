import Schema
import ServiceKit
import Wire

/// A rule by which an event takes place again: RFC 5545, section 3.3.10, of which it knows FREQ, INTERVAL, BYDAY,
/// COUNT, UNTIL and WKST. It gives days of the calendar, so changes of clocks do not matter. Pure.
struct Recurrence: Equatable, Sendable {
    enum Frequency: String, Sendable { case daily = "DAILY", weekly = "WEEKLY", monthly = "MONTHLY", yearly = "YEARLY" }

    struct Weekday: Equatable, Sendable {
        /// The first, second … or, if negative, the last, the last but one … of the month or year; zero: every one.
        var ordinal: Int
        /// 0 is Sunday.
        var day: Int
    }

    enum End: Equatable, Sendable {
        case never
        /// So many dates. ``counted(from:)`` finds the last day.
        case count(Int, last: Int?)
        /// The last day.
        case day(Int)
        /// The last time, for an event with a time of day.
        case time(Timestamp)
    }

    static let countMax = 1000
    private static let intervalMax = 1000
    /// After so many periods without a date there are no more. Rules whose first date is one have fewer in a row: the
    /// fifth Monday of February comes within 40 years.
    private static let emptyPeriodsMax = 400
    /// The last day of the year 9999.
    static let lastDay = 2_932_896

    var frequency: Frequency
    var interval: Int
    var weekdays: [Weekday]
    var end: End
    /// 0 is Sunday.
    var weekStart: Int

    // MARK: Days

    /// Returns its days in order, from the first day of the event or a later one, up to the end of the year 9999. The
    /// caller stops at ``End/time(_:)``.
    /// - Parameter day: days before are left out. Reaching it costs little, unless the last day of COUNT is not known.
    func days(of first: Int, from day: Int) -> some Sequence<Int> {
        sequence(state: DaysState(rule: self, first: first, from: day)) { $0.next() }
    }

    private struct DaysState {
        let rule: Recurrence
        let first: Int
        let from: Int
        let last: Int
        var period: Int
        var emptyPeriods = 0
        var found: ArraySlice<Int> = []
        var left: Int

        init(rule: Recurrence, first: Int, from: Int) {
            (self.rule, self.first, self.from) = (rule, first, from)
            (last, left) =
                switch rule.end {
                case .never, .time: (Recurrence.lastDay, .max)
                case .day(let day): (min(day, Recurrence.lastDay), .max)
                case .count(let count, let day): (day ?? Recurrence.lastDay, day == nil ? count : .max)
                }
            period = left == .max ? rule.lastPeriod(of: first, before: from) : 0
        }

        mutating func next() -> Int? {
            while true {
                guard let day = found.popFirst() else {
                    guard emptyPeriods < Recurrence.emptyPeriodsMax,
                        let days = rule.days(ofPeriod: period, of: first)
                    else { return nil }
                    period += 1
                    found = days.filter { $0 >= first }[...]
                    emptyPeriods = found.isEmpty ? emptyPeriods + 1 : 0
                    continue
                }
                guard left > 0, day <= last else { return nil }
                left -= 1
                if day >= from { return day }
            }
        }
    }

    /// Returns the rule with the last day that COUNT gives an event, so that no date is counted again.
    /// - Parameter first: the first day of the event.
    func counted(from first: Int) -> Recurrence {
        guard case .count(let count, _) = end else { return self }
        var rule = self
        rule.end = .count(count, last: nil)
        rule.end = .count(count, last: rule.days(of: first, from: first).reduce(first) { $1 })
        return rule
    }

    /// A period none of whose predecessors reaches a day.
    private func lastPeriod(of first: Int, before day: Int) -> Int {
        guard day > first else { return 0 }
        let (start, end) = (CivilDay.parts(of: first), CivilDay.parts(of: min(day, Self.lastDay)))
        let units =
            switch frequency {
            case .daily: min(day, Self.lastDay) - first
            case .weekly: (min(day, Self.lastDay) - first) / 7
            case .monthly: (end.year - start.year) * 12 + end.month - start.month
            case .yearly: end.year - start.year
            }
        return max(0, units / interval - 1)
    }

    /// The days of the period with this number, in order; nil: it is after the year 9999.
    private func days(ofPeriod number: Int, of first: Int) -> [Int]? {
        switch frequency {
        case .daily:
            let day = first + number * interval
            guard day <= Self.lastDay else { return nil }
            let isOne = weekdays.isEmpty || weekdays.contains { $0.day == CivilDay.weekday(of: day) }
            return isOne ? [day] : []
        case .weekly:
            let sinceStart = (CivilDay.weekday(of: first) - weekStart + 7) % 7
            let start = first - sinceStart + number * interval * 7
            guard start <= Self.lastDay else { return nil }
            guard !weekdays.isEmpty else { return [start + sinceStart] }
            return weekdays.map { start + ($0.day - weekStart + 7) % 7 }.sorted()
        case .monthly:
            let (year, month, day) = CivilDay.parts(of: first)
            let months = year * 12 + month - 1 + number * interval
            let (newYear, newMonth) = (months / 12, months % 12 + 1)
            guard newYear <= 9999 else { return nil }
            let start = CivilDay.number(year: newYear, month: newMonth, day: 1)
            let count = CivilDay.count(in: newMonth, of: newYear)
            guard !weekdays.isEmpty else { return day <= count ? [start + day - 1] : [] }
            return matching(start..<start + count)
        case .yearly:
            let (year, month, day) = CivilDay.parts(of: first)
            let newYear = year + number * interval
            guard newYear <= 9999 else { return nil }
            guard weekdays.isEmpty else {
                let start = CivilDay.number(year: newYear, month: 1, day: 1)
                return matching(start..<CivilDay.number(year: newYear + 1, month: 1, day: 1))
            }
            let exists = day <= CivilDay.count(in: month, of: newYear)
            return exists ? [CivilDay.number(year: newYear, month: month, day: day)] : []
        }
    }

    /// The days of a month or year that BYDAY names.
    private func matching(_ days: Range<Int>) -> [Int] {
        var found: Set<Int> = []
        for weekday in weekdays {
            let first = days.lowerBound + (weekday.day - CivilDay.weekday(of: days.lowerBound) + 7) % 7
            let last = first + (days.upperBound - 1 - first) / 7 * 7
            switch weekday.ordinal {
            case 0: found.formUnion(stride(from: first, through: last, by: 7))
            case 1...: found.insert(first + (weekday.ordinal - 1) * 7)
            default: found.insert(last + (weekday.ordinal + 1) * 7)
            }
        }
        return found.filter(days.contains).sorted()
    }
}

// MARK: Text

extension Recurrence {
    private static let weekdayNames = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

    /// Reads a rule such as `FREQ=MONTHLY;BYDAY=-1FR;COUNT=12`, in letters of any case.
    /// - Throws: ``Refusal`` `invalid`, which says what a rule may have.
    init(_ text: String, field: String = "recurrence") throws(Refusal) {
        let invalid = { (why: String) in Refusal.invalid(field, why) }
        var parts: [String: String] = [:]
        for part in text.uppercased().split(separator: ";", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, parts.updateValue(String(pair[1]), forKey: String(pair[0])) == nil else {
                throw invalid("must be parts such as \"FREQ=WEEKLY;BYDAY=MO\", each once")
            }
        }
        guard let frequency = parts.removeValue(forKey: "FREQ").flatMap(Frequency.init) else {
            throw invalid("must have FREQ with DAILY, WEEKLY, MONTHLY or YEARLY")
        }
        let interval = Self.number(parts.removeValue(forKey: "INTERVAL") ?? "1")
        guard let interval, 1...Self.intervalMax ~= interval else {
            throw invalid("must have an INTERVAL from 1 to \(Self.intervalMax)")
        }
        self.init(frequency: frequency, interval: interval, weekdays: [], end: .never, weekStart: 1)
        if let days = parts.removeValue(forKey: "BYDAY") {
            let ordinals = frequency == .monthly ? -5...5 : frequency == .yearly ? -53...53 : 0...0
            for day in days.split(separator: ",", omittingEmptySubsequences: false) {
                guard let weekday = Weekday(day), ordinals.contains(weekday.ordinal) else {
                    throw invalid("must have BYDAY with days such as MO, and 2MO or -1MO only if MONTHLY or YEARLY")
                }
                if !weekdays.contains(weekday) { weekdays.append(weekday) }
            }
        }
        if let day = parts.removeValue(forKey: "WKST") {
            guard let start = Self.weekdayNames.firstIndex(of: day) else {
                throw invalid("must have WKST with a day such as MO")
            }
            weekStart = start
        }
        let (count, until) = (parts.removeValue(forKey: "COUNT"), parts.removeValue(forKey: "UNTIL"))
        guard count == nil || until == nil else { throw invalid("must not have both COUNT and UNTIL") }
        if let count {
            guard let count = Self.number(count), 1...Self.countMax ~= count else {
                throw invalid("must have a COUNT from 1 to \(Self.countMax)")
            }
            end = .count(count, last: nil)
        }
        if let until {
            guard let time = Self.until(until) else {
                throw invalid("must have UNTIL with a day such as 20271231, or a time in UTC such as 20271231T180000Z")
            }
            end = time
        }
        if let other = parts.keys.min() {
            throw invalid("may have FREQ, INTERVAL, BYDAY, COUNT, UNTIL and WKST, but not \(other.prefix(16))")
        }
    }

    private static func number(_ text: String) -> Int? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(text) : nil
    }

    private static func until(_ text: String) -> End? {
        let letters = Array(text)
        guard letters.count == 8 || letters.count == 16 && letters[15] == "Z" else { return nil }
        func part(_ range: Range<Int>) -> String { String(letters[range]) }
        let date = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
        guard letters.count == 16 else { return CivilDay.number(date).map { .day($0) } }
        guard letters[8] == "T" else { return nil }
        let time = CivilTime("\(date)T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))")
        return time.map { .time(Timestamp($0.rawValue)) }
    }

    /// The rule in a fixed order of parts.
    var text: String {
        var text = "FREQ=\(frequency.rawValue)"
        if interval != 1 { text += ";INTERVAL=\(interval)" }
        if !weekdays.isEmpty {
            let days = weekdays.map { ($0.ordinal == 0 ? "" : "\($0.ordinal)") + Self.weekdayNames[$0.day] }
            text += ";BYDAY=" + days.joined(separator: ",")
        }
        switch end {
        case .never: break
        case .count(let count, _): text += ";COUNT=\(count)"
        case .day(let day): text += ";UNTIL=\(Self.compact(CivilDay.text(day)))"
        case .time(let time): text += ";UNTIL=\(Self.compact(CivilTime(time.rawValue).text))Z"
        }
        return weekStart == 1 ? text : text + ";WKST=\(Self.weekdayNames[weekStart])"
    }

    /// The rule as it is stored: with the last day of COUNT, in a part of its own.
    var storedText: String {
        guard case .count(_, let last?) = end else { return text }
        return text + ";LAST=\(Self.compact(CivilDay.text(last)))"
    }

    /// Reads a rule as it is stored.
    /// - Throws: ``Refusal`` `invalid` if it is none.
    init(stored: String) throws(Refusal) {
        let parts = stored.split(separator: ";LAST=", maxSplits: 1).map(String.init)
        try self.init(parts.first ?? "")
        guard parts.count == 2, case .count(let count, _) = end, case .day(let last) = Self.until(parts[1]) else {
            return
        }
        end = .count(count, last: last)
    }

    /// `20261201T193000` of `2026-12-01T19:30:00`.
    static func compact(_ text: String) -> String { text.filter { $0 != "-" && $0 != ":" } }
}

extension Recurrence.Weekday {
    /// Reads `MO`, `2MO` or `-1MO`.
    init?(_ text: Substring) {
        guard let day = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"].firstIndex(of: String(text.suffix(2))) else {
            return nil
        }
        let number = text.dropLast(2)
        guard number.isEmpty || Int(number).map({ $0 != 0 }) == true else { return nil }
        self.init(ordinal: Int(number) ?? 0, day: day)
    }
}
