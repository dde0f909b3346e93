/// When something is, as the chat's conventions read it.
struct When: Equatable, Sendable {
    var date: Day?
    var time: TimeOfDay?
    var end: WallTime?
    var lastDay: Day?
    var isDeadline = false
    /// The pieces that it was read from.
    var tokens: [Range<Int>] = []
}

/// The day and the clock of a statement, before they are put together.
struct Appointment: Sendable {
    var day: Day?
    var lastDay: Day?
    var clock: Clock?
    var endClock: Clock?
    var instant: WallTime?
    var part: DayPart?
    var isDeadline = false
    var isToday = false
    var tokens: [Range<Int>] = []
    var zone: ForeignZone?

    var isEmpty: Bool { day == nil && clock == nil && instant == nil && part == nil }
    var hasDay: Bool { day != nil || instant != nil }
    /// Whether it says a day, or a clock time, which is one of today or tomorrow.
    var isDated: Bool { day != nil || clock != nil || instant != nil || part == .endOfDay }

    init() {}

    /// - Parameter isMoved: whether the last day counts, as in "from Thursday to Friday".
    init(_ pieces: [Piece], zone: ForeignZone?, isMoved: Bool = false, earlier: Day? = nil) {
        self.zone = zone
        var denied: Appointment?
        for piece in isMoved ? pieces.reversed() : pieces {
            guard !piece.isPast, !piece.isDenied else {
                if piece.isDenied, denied == nil { denied = Appointment() }
                continue
            }
            add(piece, isMoved, earlier)
        }
    }

    private mutating func add(_ piece: Piece, _ isMoved: Bool, _ earlier: Day?) {
        var isUsed = true
        switch piece.value {
        case .day(let value) where day == nil: day = value
        case .days(let first, let last) where day == nil: (day, lastDay) = isMoved ? (last, nil) : (first, last)
        case .sameDay where day == nil: day = earlier
        case .clock(let value) where clock == nil: clock = value
        case .clocks(let first, let last) where clock == nil: (clock, endClock) = isMoved ? (last, nil) : (first, last)
        case .instant(let wall) where instant == nil: instant = wall
        case .part(let value):
            if part == nil || value == .endOfDay { part = value }
        default: isUsed = false
        }
        guard isUsed else { return }
        tokens.append(piece.tokens)
        if piece.isDeadline || part == .endOfDay { isDeadline = true }
    }

    /// Takes what this one lacks from another.
    func filled(from other: Appointment) -> Appointment {
        var filled = self
        if filled.day == nil, filled.instant == nil {
            (filled.day, filled.lastDay) = (other.day, other.lastDay)
            if filled.clock == nil { filled.instant = other.instant }
        }
        if filled.clock == nil, filled.instant == nil {
            (filled.clock, filled.endClock) = (other.clock, other.endClock)
        }
        if filled.zone == nil { filled.zone = other.zone }
        if filled.part == nil { filled.part = other.part }
        filled.tokens += other.tokens
        return filled
    }

    /// "kickoff 15:00, meet 14:15": the earlier one of two starts.
    func begun(by other: Appointment, at moment: Moment, _ hint: Hint, when isStart: Bool) -> Appointment {
        guard isStart, let clock, let start = other.clock, start != clock, other.day == nil || other.day == day else {
            return self
        }
        var earlier = self
        earlier.clock = start
        guard let one = earlier.when(at: moment, hint).time, let two = self.when(at: moment, hint).time, one < two
        else { return self }
        earlier.tokens += other.tokens
        return earlier
    }

    /// The half of the day that words outside the date say.
    enum Hint { case morning, evening, none }

    func when(at moment: Moment, _ hint: Hint) -> When {
        var when = When(isDeadline: isDeadline, tokens: tokens)
        if let instant, clock == nil {
            (when.date, when.time) = (instant.day, instant.time)
            return when
        }
        (when.date, when.lastDay) = (day ?? instant?.day, lastDay)
        guard let clock else {
            if part == .endOfDay { when.time = TimeOfDay(hour: 17) }
            if when.date == nil, part != nil { when.date = dayOfPart(at: moment) }
            return when
        }
        let now = zone.map { WallTime(seconds: moment.instant + $0.zone.offset(at: moment.instant)) } ?? moment.wall
        let (day, time) = placed(clock, now, hint)
        let wall = WallTime(day: day, time: time)
        let own = zone?.converted(wall) ?? wall
        (when.date, when.time) = (own.day, own.time)
        if let endClock {
            var end = endClock.time(endClock.isOpen ? (time.seconds >= 43_200 ? .pm : .am) : nil)
            if end <= time, endClock.isOpen { end = endClock.time(.pm) }
            let last = WallTime(day: end < time ? day + 1 : day, time: end)
            when.end = zone?.converted(last) ?? last
        }
        return when
    }

    /// "in the morning" is that of tomorrow once today's has begun; other parts are today's.
    private func dayOfPart(at moment: Moment) -> Day {
        part == .morning && moment.wall.time >= TimeOfDay(hour: 9) ? moment.today + 1 : moment.today
    }

    private func placed(_ clock: Clock, _ now: WallTime, _ hint: Hint) -> (Day, TimeOfDay) {
        if clock.isMidnight { return (day ?? (now.day + 1), TimeOfDay(seconds: 0)) }
        let (half, isFixed) = half(of: clock, hint)
        var time = clock.time(half)
        let isOpen = clock.isOpen && !isFixed
        if let day {
            if day == now.day, time <= now.time, isOpen, half == .am { time = clock.time(.pm) }
            return (day, time)
        }
        if time > now.time { return (now.day, time) }
        if isOpen {
            let other = clock.time(half == .am ? .pm : .am)
            if other > now.time { return (now.day, other) }
        }
        return (now.day + 1, time)
    }

    /// The half of the day that is meant, and whether words say so.
    private func half(of clock: Clock, _ hint: Hint) -> (Clock.Half?, Bool) {
        guard clock.isOpen else { return (clock.half, true) }
        switch part {
        case .morning: return (.am, true)
        case .afternoon, .evening, .night: return (.pm, true)
        case .noon, .endOfDay, nil: break
        }
        switch hint {
        case .morning: return (.am, true)
        case .evening: return (.pm, true)
        case .none: return (1...7 ~= clock.hour ? .pm : .am, false)
        }
    }
}

extension Analysis {
    /// What the words of clauses say of the half of the day.
    func hint(in range: Range<Int>? = nil) -> Appointment.Hint {
        let range = range ?? tokens.indices
        if hasTrait(.evening, in: range) { return .evening }
        if hasTrait(.morning, in: range) { return .morning }
        for index in range where tokens[index].text == "before" && tokens[safe: index + 1]?.text == "work" {
            return .morning
        }
        return .none
    }

    /// "Father's Day lunch": a holiday right before what it is about.
    private func isNameOfGathering(_ piece: Piece) -> Bool {
        let first = piece.tokens.first { !tokens[$0].has([.article, .possessive]) } ?? piece.tokens.lowerBound
        guard Holiday.byFirstWord[tokens[first].text] != nil else { return false }
        // "New Year countdown party", "Easter egg hunt party": words may be between.
        for index in piece.tokens.upperBound..<piece.tokens.upperBound + 3 {
            guard let token = tokens[safe: index], token.kind == .word, self.piece(at: index) == nil else {
                return false
            }
            if token.has([.gathering, .looseGathering]) { return true }
        }
        return false
    }

    /// "Zoe's 6th, Saturday 2pm": a birthday.
    private func isAge(_ piece: Piece) -> Bool {
        let first = piece.tokens.lowerBound
        return piece.tokens.count == 1 && tokens[first].isOrdinal && tokens[safe: first - 1]?.text == "'s"
    }

    /// "lunch at TGI Fridays tomorrow": a weekday after "at" and a capital, in the name of a place.
    private func isNameOfPlace(_ piece: Piece) -> Bool {
        let first = piece.tokens.lowerBound
        guard piece.tokens.count == 1, tokens[first].has(.weekday), tokens[first].isCapital else { return false }
        var before = first - 1
        while let token = tokens[safe: before], token.kind == .word, token.isCapital { before -= 1 }
        return before < first - 1 && ["at", "to", "from", "near"].contains(tokens[safe: before]?.text ?? "")
    }

    /// The day and clock that clauses say.
    func appointment(_ clauses: [Clause], isMoved: Bool = false) -> Appointment {
        var pieces = clauses.flatMap(\.pieces)
        // "the Halloween party on Saturday": the name of the party, not its day.
        let days = pieces.filter { if case .day = $0.value { true } else { false } }
        if days.count > 1 { pieces.removeAll { isNameOfGathering($0) || isNameOfPlace($0) || isAge($0) } }
        let first = pieces.first?.tokens.lowerBound ?? 0
        var earlier: Day?
        for piece in self.pieces
        where piece.tokens.lowerBound < first || piece.tokens.lowerBound < (pieces.last?.tokens.lowerBound ?? 0) {
            if case .day(let day) = piece.value { earlier = day }
        }
        return Appointment(pieces, zone: zone, isMoved: isMoved, earlier: earlier)
    }
}
