/// A rule that holds for every later year, as POSIX writes it in the variable TZ: `CET-1CEST,M3.5.0,M10.5.0/3`. Pure.
struct PosixRule: Equatable, Sendable {
    /// A day of every year with a time on the wall.
    struct Change: Equatable, Sendable {
        enum Day: Equatable, Sendable {
            /// From 1; 29 February is never counted.
            case julian(Int)
            /// From 0; 29 February is counted.
            case zeroBased(Int)
            /// Weekday 0 is Sunday; week 5 is the last one.
            case weekday(month: Int, week: Int, day: Int)
        }

        var day: Day
        /// Seconds after midnight, perhaps negative or of a later day.
        var time: Int64

        /// Seconds since 1970 on the wall.
        func wall(in year: Int) -> Int64 { Int64(number(in: year)) * 86_400 + time }

        private func number(in year: Int) -> Int {
            let newYear = CivilDay.number(year: year, month: 1, day: 1)
            switch day {
            case .julian(let day): return newYear + day - 1 + (CivilDay.isLeap(year) && day >= 60 ? 1 : 0)
            case .zeroBased(let day): return newYear + day
            case .weekday(let month, let week, let day):
                let first = CivilDay.number(year: year, month: month, day: 1)
                let ahead = (day - CivilDay.weekday(of: first) + 7) % 7
                let inMonth = ahead + (week - 1) * 7
                return first + (inMonth < CivilDay.count(in: month, of: year) ? inMonth : inMonth - 7)
            }
        }
    }

    struct Summer: Equatable, Sendable {
        var offset: Int64
        var begins: Change
        var ends: Change
    }

    /// Seconds to add to UTC.
    var standard: Int64
    var summer: Summer?

    var offsets: Set<Int64> { summer.map { [standard, $0.offset] } ?? [standard] }

    /// When the offset changes in a year, in seconds since 1970, UTC.
    func changes(in year: Int) -> [Int64] {
        summer.map { [$0.begins.wall(in: year) - standard, $0.ends.wall(in: year) - $0.offset] } ?? []
    }

    func offset(at time: Int64) -> Int64 {
        guard let summer else { return standard }
        let year = CivilDay.year(of: Int((time + standard).floorDivided(by: 86_400)))
        var latest: (at: Int64, offset: Int64)?
        for year in year - 1...year + 1 {
            // Where the end of one summer is the beginning of the next, the beginning counts.
            for (at, offset) in [
                (summer.ends.wall(in: year) - summer.offset, standard),
                (summer.begins.wall(in: year) - standard, summer.offset),
            ] where at <= time {
                if let known = latest, known.at > at || known.at == at && offset == standard { continue }
                latest = (at, offset)
            }
        }
        return latest?.offset ?? standard
    }
}

extension PosixRule {
    /// Returns nil for a text that is not such a rule.
    init?(_ text: String) {
        var reader = PosixReader(text)
        guard reader.name(), let standard = reader.offset() else { return nil }
        guard !reader.isAtEnd else {
            self.init(standard: -standard, summer: nil)
            return
        }
        guard reader.name() else { return nil }
        let isPlain = reader.next == UInt8(ascii: ",")
        guard let offset = isPlain ? standard - 3600 : reader.offset() else { return nil }
        guard reader.take(","), let begins = reader.change(), reader.take(","), let ends = reader.change(),
            reader.isAtEnd
        else { return nil }
        self.init(standard: -standard, summer: Summer(offset: -offset, begins: begins, ends: ends))
    }
}

/// Reads the parts of a rule. Each function returns nil, or false, for a part that is not there.
private struct PosixReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    var isAtEnd: Bool { rest.isEmpty }
    var next: UInt8? { rest.first }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// `CET`, or `<+03>`.
    mutating func name() -> Bool {
        if take("<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[(end + 1)...]
            return true
        }
        let letters = rest.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & 0xdf) }
        rest = rest.dropFirst(letters.count)
        return letters.count >= 3
    }

    private mutating func number(max: Int) -> Int? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard 1...3 ~= digits.count else { return nil }
        rest = rest.dropFirst(digits.count)
        let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return number <= max ? number : nil
    }

    /// `-1`, or `+3:30:00`, in seconds as written.
    mutating func offset() -> Int64? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let hours = number(max: 167) else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] {
            guard take(":") else { break }
            guard let part = number(max: 59) else { return nil }
            seconds += part * unit
        }
        return Int64(isNegative ? -seconds : seconds)
    }

    mutating func change() -> PosixRule.Change? {
        guard let day = day() else { return nil }
        guard take("/") else { return PosixRule.Change(day: day, time: 7200) }
        return offset().map { PosixRule.Change(day: day, time: $0) }
    }

    private mutating func day() -> PosixRule.Change.Day? {
        if take("J") { return number(max: 365).flatMap { $0 > 0 ? .julian($0) : nil } }
        guard take("M") else { return number(max: 365).map { .zeroBased($0) } }
        guard let month = number(max: 12), month > 0, take("."), let week = number(max: 5), week > 0, take("."),
            let day = number(max: 6)
        else { return nil }
        return .weekday(month: month, week: week, day: day)
    }
}
