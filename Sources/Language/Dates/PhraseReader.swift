/// What a phrase means, as a date, a time or a range.
public struct DateReading: Equatable, Sendable {
    public enum Value: Equatable, Sendable {
        case date(Day)
        case dateTime(WallTime)
        case time(TimeOfDay)
        case dates(Day, Day)
        case dateTimes(WallTime, WallTime)
        case times(TimeOfDay, TimeOfDay)
    }

    public var value: Value
    /// The words that it was read from.
    public var words: String
}

/// Reads a text that is a date as a whole, or has one.
public struct DateReader: Sendable {
    private let moment: Moment
    private let style: DateStyle

    public init(at moment: Moment, _ style: DateStyle) { (self.moment, self.style) = (moment, style) }

    /// Returns the day and time that a text says in the chat's conventions; nil unless the whole text is a date with a
    /// clock time.
    public func time(_ text: String) -> WallTime? {
        let analysis = Analysis(text, at: moment)
        guard !analysis.pieces.contains(where: \.isPast) else { return nil }
        let covered = analysis.pieces.reduce(into: Set<Int>()) { $0.formUnion($1.tokens) }
        let rest = analysis.tokens.indices.filter { !covered.contains($0) }
        guard
            rest.allSatisfy({ analysis.tokens[$0].kind == .mark || analysis.tokens[$0].has([.preposition, .article]) })
        else { return nil }
        let when = Appointment(analysis.pieces, zone: analysis.zone).when(at: moment, analysis.hint())
        guard let date = when.date, let time = when.time else { return nil }
        return WallTime(day: date, time: time)
    }

    /// Returns nil for a text without a date.
    public func read(_ text: String) -> DateReading? {
        let bytes = Array(text.utf8.prefix(4096))
        let tokens = Tokenizer.tokens(bytes)
        var grammar = Grammar(tokens, at: moment, style)
        var pieces = grammar.pieces()
        let zone = pieces.compactMap { piece in
            switch piece.value {
            case .clock(let clock): clock.zone
            case .clocks(let first, _): first.zone
            default: nil
            }
        }.first.flatMap { ForeignZone($0, moment) }
        if let zone {
            grammar = Grammar(tokens, at: moment, style, today: zone.today)
            pieces = grammar.pieces()
        }
        guard let first = pieces.first, let last = pieces.last, !pieces.contains(where: \.isNoDay) else { return nil }
        var composer = Composer(grammar: grammar, moment: moment, style: style, zone: zone)
        guard let value = composer.value(of: pieces) else { return nil }
        let (start, end) = (tokens[first.tokens.lowerBound].start, tokens[last.tokens.upperBound - 1].end)
        return DateReading(value: value, words: String(decoding: bytes[start..<end], as: UTF8.self))
    }
}

/// A zone that a text names, beside the sender's.
struct ForeignZone {
    let zone: any Zone
    let own: any Zone
    /// The day that it is there.
    let today: Day

    init?(_ name: ZoneName, _ moment: Moment) {
        switch name {
        case .own: return nil
        case .fixed(let seconds): zone = FixedZone(seconds: seconds)
        case .named(let name):
            guard let found = moment.zones(name) else { return nil }
            zone = found
        }
        own = moment.zone
        today = zone.wall(at: moment.instant).day
    }

    /// The same instant on the sender's wall.
    func converted(_ wall: WallTime) -> WallTime { own.wall(at: zone.instant(of: wall)) }
}

/// Puts the pieces of a phrase together.
struct Composer {
    let grammar: Grammar
    let moment: Moment
    let style: DateStyle
    let zone: ForeignZone?

    /// The parts of one end of a range.
    private struct End {
        var day: Day?
        var lastDay: Day?
        var period: (Day, Day)?
        var clock: Clock?
        var clocks: (Clock, Clock)?
        var instant: WallTime?
        var instants: (WallTime, WallTime)?
        var amount: Amount?
        var part: DayPart?
    }

    mutating func value(of pieces: [Piece]) -> DateReading.Value? {
        var ends: [[Piece]] = [[]]
        for piece in pieces {
            if let last = ends.last?.last, ends.count < 2, isRange(last, piece) { ends.append([]) }
            ends[ends.count - 1].append(piece)
        }
        let first = end(ends[0])
        guard ends.count == 2, var from = start(of: first, isFirst: true) else { return value(of: first) }
        let last = end(ends[1])
        // "from January to March 2019": the year of the end.
        let hasYear = ends[0].contains { $0.tokens.contains { grammar.tokens[$0].digits == 4 } }
        if case .day(let day) = from, !hasYear, case .day(let to)? = start(of: last, isFirst: false), to > day,
            to.number - day.number > 366, first.period != nil
        {
            from = .day(day.adding(months: (to.number - day.number) / 365 * 12))
        }
        return range(first, from, last)
    }

    /// Whether a sign of a range is between two pieces.
    private func isRange(_ one: Piece, _ other: Piece) -> Bool {
        let gap = one.tokens.upperBound..<max(one.tokens.upperBound, other.tokens.lowerBound)
        if case .amount = other.value { return false }
        for index in gap {
            let token = grammar.tokens[index]
            if ["to", "until", "through"].contains(token.text) || token.isMark("-") { return !isWithin(other, one) }
            if token.text == "and" { return true }
        }
        return false
    }

    /// "previous week - monday" is no range.
    private func isWithin(_ day: Piece, _ period: Piece) -> Bool {
        guard case .period(let first, let end) = period.value, end.number - first.number == 7 else { return false }
        return grammar.tokens[day.tokens.lowerBound].has(.weekday)
    }

    private func end(_ pieces: [Piece]) -> End {
        var end = End()
        for piece in pieces {
            switch piece.value {
            case .day(let day): if end.day == nil || end.period != nil { end.day = day }
            case .days(let first, let last): (end.day, end.lastDay) = (first, last)
            case .period(let first, let last): if end.period == nil { end.period = (first, last) }
            case .clock(let clock): if end.clock == nil { end.clock = clock }
            case .clocks(let first, let last): end.clocks = (first, last)
            case .instant(let wall): end.instant = wall
            case .instants(let first, let last): end.instants = (first, last)
            case .amount(let amount): end.amount = amount
            case .part(let part): end.part = part
            case .sameDay, .noDay: break
            }
        }
        return end
    }

    private func half(_ end: End) -> Clock.Half? {
        switch end.part {
        case .morning: .am
        case .afternoon, .evening, .night: .pm
        case .noon, .endOfDay, nil: isNight(end) ? .pm : nil
        }
    }

    private func isNight(_ end: End) -> Bool {
        grammar.tokens.contains { $0.text == "tonight" || $0.text == "night" || $0.text == "evening" }
    }

    private func time(_ clock: Clock, _ end: End) -> TimeOfDay {
        if clock.isOpen, half(end) == nil, style == .phrase, clock.minute != 0, clock.hour < 8 {
            return clock.time(.pm)
        }
        return clock.time(clock.isOpen ? half(end) : nil)
    }

    private func wall(_ day: Day, _ time: TimeOfDay) -> WallTime {
        let wall = WallTime(day: day, time: time)
        return zone?.converted(wall) ?? wall
    }

    /// The next time that the clock shows this.
    private func next(_ time: TimeOfDay, after: WallTime) -> WallTime {
        let here = zone.map { WallTime(day: $0.today, time: time) } ?? WallTime(day: after.day, time: time)
        let converted = zone?.converted(here) ?? here
        return converted <= after ? WallTime(day: converted.day + 1, time: converted.time) : converted
    }

    private func value(of end: End) -> DateReading.Value? {
        if let (first, last) = end.clocks { return times(first, last, end) }
        if let clock = end.clock {
            let time = time(clock, end)
            if let amount = end.amount, amount.isOfDay {
                let from = end.day.map { wall($0, time) } ?? next(time, after: moment.wall)
                return .dateTimes(from, WallTime(seconds: from.seconds + amount.seconds))
            }
            if let day = end.day ?? end.instant?.day {
                return .dateTime(wall(clock.isMidnight && (end.part != nil || isNight(end)) ? day + 1 : day, time))
            }
            if isToday(end) { return .dateTime(wall(grammar.today, time)) }
            if style == .plainPhrase { return .time(time) }
            return .dateTime(next(time, after: moment.wall))
        }
        if let (first, last) = end.instants { return .dateTimes(first, last) }
        if let instant = end.instant { return .dateTime(instant) }
        if let first = end.day, let last = end.lastDay { return .dates(first, last) }
        if let day = end.day {
            if let amount = end.amount, !amount.isOfDay { return .dates(day, amount.added(to: day)) }
            if end.part == .endOfDay { return .dateTime(endOfDay(day)) }
            return .date(day)
        }
        if end.part == .endOfDay { return .dateTime(endOfDay(grammar.today)) }
        return end.period.map { .dates($0.0, $0.1) }
    }

    private func isToday(_ end: End) -> Bool {
        end.part == .morning && grammar.tokens.contains { $0.text == "this" }
    }

    private func endOfDay(_ day: Day) -> WallTime {
        WallTime(day: day, time: style == .chat ? TimeOfDay(hour: 17) : TimeOfDay(hour: 23, minute: 59, second: 59))
    }

    private func times(_ first: Clock, _ last: Clock, _ end: End) -> DateReading.Value {
        var from = time(first, end)
        var to = time(last, end)
        if last.isOpen, to <= from { to = last.time(.pm) }
        if first.isOpen, half(end) == nil, to.seconds >= 43_200, !last.isExact, first.time(.pm) <= to,
            style == .phrase, from.seconds < 8 * 3600
        {
            from = first.time(.pm)
        }
        if let day = end.day {
            let walls = (wall(day, from), wall(day, to))
            return .dateTimes(walls.0, walls.1 < walls.0 ? WallTime(day: walls.1.day + 1, time: walls.1.time) : walls.1)
        }
        if style == .plainPhrase { return .times(from, to) }
        let start = next(from, after: moment.wall)
        let length = (to.seconds - from.seconds).modulo(86_400)
        return .dateTimes(start, WallTime(seconds: start.seconds + length))
    }

    // MARK: Ranges whose ends differ

    private enum Edge {
        case day(Day)
        case wall(WallTime)
        case time(TimeOfDay)
    }

    private func start(of end: End, isFirst: Bool) -> Edge? {
        if let clock = end.clock {
            if let day = end.day { return .wall(wall(day, time(clock, end))) }
            return .time(time(clock, end))
        }
        if let instant = end.instant { return .wall(instant) }
        if let day = end.day { return .day(day) }
        return end.period.map { .day($0.0) }
    }

    private func range(_ first: End, _ from: Edge, _ last: End) -> DateReading.Value? {
        guard let to = start(of: last, isFirst: false) else { return value(of: first) }
        switch (from, to) {
        case (.day(var from), .day(let to)):
            if from > to { from = from.adding(months: -12 * ((from.number - to.number) / 366 + 1)) }
            return .dates(from, to)
        case (.wall(let from), .wall(let to)): return .dateTimes(from, to)
        case (.wall(let from), .time(let time)):
            var to = WallTime(day: from.day, time: time)
            if to <= from, last.clock?.isOpen ?? false { to = WallTime(seconds: to.seconds + 43_200) }
            if to <= from { to = WallTime(day: to.day + 1, time: to.time) }
            return .dateTimes(from, to)
        case (.time(let time), .wall(let to)):
            return .dateTimes(WallTime(day: min(moment.today, to.day), time: time), to)
        case (.time(let from), .time(let to)): return .times(from, to)
        case (.day(let from), .wall(let to)): return .dateTimes(WallTime(day: from, time: TimeOfDay(seconds: 0)), to)
        case (.wall(let from), .day(let to)): return .dateTimes(from, WallTime(day: to, time: TimeOfDay(seconds: 0)))
        case (.day(let from), .time(let to)):
            return .dateTimes(WallTime(day: from, time: TimeOfDay(seconds: 0)), WallTime(day: from, time: to))
        case (.time(let from), .day(let to)):
            return .dateTimes(WallTime(day: moment.today, time: from), WallTime(day: to, time: TimeOfDay(seconds: 0)))
        }
    }
}
