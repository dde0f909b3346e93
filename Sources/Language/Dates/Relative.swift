extension Grammar {
    /// "in two hours", "3 days ago", "a fortnight today", "two weeks from Friday", "within the next hour".
    func relative(at index: Int) -> Piece? {
        guard let token = self[index] else { return nil }
        if let found = now(at: index) { return found }
        let isIn = isWord(index, "in", "within", "after", "give", "another")
        guard
            isIn || token.kind == .number || token.has([.cardinal])
                || isWord(index, "a", "an", "few", "half", "the", "next", "couple", "fortnight")
                || !isChat
                    && isWord(
                        index, "last", "past", "previous", "over", "during", "for", "upcoming", "coming", "following")
        else { return nil }
        if let found = theNext(at: index) ?? theLast(at: index) { return found }
        var start = index
        if isWord(index, "give") {
            guard isWord(index + 1, "me", "us", "it") else { return nil }
            start = index + 2
        } else if isIn {
            start = index + 1
        }
        while isWord(start, "about", "around", "roughly", "another", "only", "just", "like", "maybe") { start += 1 }
        guard let amount = amount(at: start) else { return nil }
        if let found = shifted(amount.value, at: amount.next, from: index) { return found }
        guard isIn, !isWord(index, "after"), !isWord(amount.next, "of", "long") else {
            return isIn || isChat ? nil : length(amount, index)
        }
        let end =
            after(amount.next, "'s", "time") ?? after(amount.next, "'", "time") ?? after(amount.next, "time")
            ?? amount.next
        // "in the last hour" is not ahead; neither is what took some time: "done in two hours".
        return ahead(amount.value, index..<end)
    }

    private func length(_ amount: Found<Amount>, _ index: Int) -> Piece? {
        Piece(.amount(amount.value), index..<amount.next)
    }

    private func ahead(_ amount: Amount, _ tokens: Range<Int>) -> Piece {
        guard amount.isOfDay else { return Piece(.day(amount.added(to: today)), tokens) }
        let later = moment.zone.wall(at: moment.instant + amount.seconds)
        let second = isChat ? later.time.seconds / 60 * 60 : later.time.seconds
        return Piece(.instant(WallTime(day: later.day, time: TimeOfDay(seconds: second))), tokens)
    }

    /// What follows an amount: "ago", "from now", "from Friday", "before Christmas", "today".
    private func shifted(_ amount: Amount, at index: Int, from start: Int) -> Piece? {
        if isWord(index, "ago") || !isChat && isWord(index, "back", "earlier", "previously") {
            var piece: Piece
            if amount.isOfDay {
                let then = moment.zone.wall(at: moment.instant - amount.seconds)
                piece = Piece(.instant(then), start..<index + 1)
            } else {
                piece = Piece(.day(amount.added(to: today, times: -1)), start..<index + 1)
            }
            piece.isPast = true
            return piece
        }
        if let end = after(index, "from", "now") ?? after(index, "hence") ?? after(index, "later")
            ?? after(index, "from", "today")
        {
            // "two months from today on tuesday": the first one after.
            if !isChat, isWord(end, "on"), let day = self[end + 1], day.has(.weekday), !amount.isOfDay {
                let base = amount.added(to: today)
                return Piece(.day(base + (Int(day.lexeme.weekday) - base.weekday).modulo(7)), start..<end + 2)
            }
            return ahead(amount, start..<end)
        }
        guard !amount.isOfDay else { return besideClock(amount, at: index, from: start) }
        if isWord(index, "today", "tomorrow"), amount.days % 7 == 0 {
            return Piece(.day(amount.added(to: today + (isWord(index, "tomorrow") ? 1 : 0))), start..<index + 1)
        }
        let sign = isWord(index, "before") ? -1 : 1
        guard isWord(index, "from", "after", "before") || isWord(index, "on"),
            amount.days % 7 == 0 || !isWord(index, "on"),
            let base = day(at: index + 1), case .day(let day) = base.value
        else {
            if self[index]?.has(.weekday) ?? false, amount.days == 7, isWord(start, "a"),
                case .day(let day)? = day(at: index)?.value
            {
                return Piece(.day(day + 7), start..<index + 1)
            }
            return nil
        }
        return Piece(.day(amount.added(to: day, times: sign)), start..<base.tokens.upperBound)
    }

    /// "5 minutes before midnight", "half an hour after noon".
    private func besideClock(_ amount: Amount, at index: Int, from start: Int) -> Piece? {
        guard isWord(index, "before", "after"), amount.seconds % 60 == 0,
            isWord(index + 1, "noon", "midday", "midnight")
        else { return nil }
        let minutes =
            (isWord(index + 1, "midnight") ? 1440 : 720) + amount.seconds / 60 * (isWord(index, "before") ? -1 : 1)
        guard minutes > 0 else { return nil }
        let clock = Clock(hour: minutes / 60 % 24, minute: minutes % 60, isExact: true)
        return Piece(.clock(clock), start..<index + 2)
    }

    /// "within the next hour", "the next two days", "next hour".
    private func theNext(at index: Int) -> Piece? {
        var start = isWord(index, "in", "within", "over", "for") ? index + 1 : index
        if isWord(start, "the") { start += 1 }
        guard isWord(start, "next") || !isChat && isWord(start, "upcoming", "coming", "following") else { return nil }
        guard start > index || !isChat else { return nil }
        let count = count(at: start + 1)
        guard count != nil || isWord(start, "next") else { return nil }
        var next = count?.next ?? start + 1
        if isWord(next, "business", "working") { next += 1 }
        guard let unit = self[next]?.lexeme.unit, unit == .hour || unit == .minute || count != nil,
            let one = Self.amounts[unit]
        else { return nil }
        let amount = one * (count?.value ?? 1)
        if isChat { return amount.isOfDay ? ahead(amount, index..<next + 1) : nil }
        guard amount.isOfDay else {
            // After this week, month or year.
            let first = hasWholePeriods && unit != .day && unit != .workday ? one.added(to: begin(of: unit)) : today + 1
            return Piece(.period(first, amount.added(to: first)), index..<next + 1)
        }
        let now = moment.wall
        return Piece(.instants(now, WallTime(seconds: now.seconds + amount.seconds)), index..<next + 1)
    }

    /// Whether "the last two weeks" are whole ones.
    private var hasWholePeriods: Bool { style == .phrase }

    /// The day on which the week, the month or the year began that is not counted any more.
    private func begin(of unit: Unit) -> Day {
        guard hasWholePeriods else { return today }
        switch unit {
        case .week: return today.monday
        case .month: return today.firstOfMonth
        case .year: return Day(year: today.year, month: 1)
        default: return today
        }
    }

    /// "3", "two"; outside a chat "few" and "couple of", too.
    private func count(at index: Int) -> Found<Int>? {
        if isChat { return cardinal(at: index) }
        if isWord(index, "few") { return Found(3, index + 1) }
        if isWord(index, "couple") { return Found(2, isWord(index + 1, "of") ? index + 2 : index + 1) }
        return cardinal(at: index)
    }

    /// "the last two weeks", "past 3 hours": up to now.
    private func theLast(at index: Int) -> Piece? {
        guard !isChat else { return nil }
        var start = isWord(index, "in", "within", "over", "during", "for") ? index + 1 : index
        if isWord(start, "the") { start += 1 }
        guard isWord(start, "last", "past", "previous") else { return nil }
        let number = count(at: start + 1)
        let isShort = self[start + 1].map { [.hour, .minute, .second].contains($0.lexeme.unit) } ?? false
        guard var count = number ?? (isShort ? Found(1, start + 1) : nil) else { return nil }
        if isWord(count.next, "business", "working") { count.next += 1 }
        guard let unit = self[count.next]?.lexeme.unit, let one = Self.amounts[unit],
            !isWord(count.next + 1, "of", "in")
        else { return nil }
        let (amount, end) = (one * count.value, count.next + 1)
        var piece: Piece
        if amount.isOfDay {
            let now = moment.wall
            piece = Piece(.instants(WallTime(seconds: now.seconds - amount.seconds), now), index..<end)
        } else {
            let last = begin(of: unit)
            piece = Piece(.period(amount.added(to: last, times: -1), last), index..<end)
        }
        piece.isPast = true
        return piece
    }

    /// "now", "right now", "at the moment", "asap" is none.
    private func now(at index: Int) -> Piece? {
        guard !isChat else { return nil }
        let end =
            after(index, "right", "now") ?? after(index, "now") ?? after(index, "at", "the", "moment") ?? after(
                index, "at", "the", "minute")
            ?? after(index, "at", "this", "moment") ?? after(index, "just", "now") ?? after(index, "at", "present")
            ?? after(index, "immediately") ?? after(index, "as", "soon", "as", "possible") ?? after(index, "asap")
        if let end { return Piece(.instant(moment.wall), index..<end) }
        let date = isWord(index, "the") ? index + 1 : index
        let day = after(date, "current", "date") ?? (isWord(index, "date") && isWord(index - 1, "to") ? index + 1 : nil)
        return day.map { Piece(.day(today), index..<$0) }
    }

    static let amounts: [Unit: Amount] = [
        .second: Amount(seconds: 1), .minute: Amount(seconds: 60), .hour: Amount(seconds: 3600), .day: Amount(days: 1),
        .workday: Amount(days: 1), .week: Amount(days: 7), .fortnight: Amount(days: 14), .month: Amount(months: 1),
        .quarter: Amount(months: 3), .half: Amount(months: 6), .year: Amount(months: 12), .decade: Amount(months: 120),
    ]

    /// How many of a unit an amount may have.
    private static let counts = 0...10_000

    /// "two hours", "half an hour", "an hour and a half", "2 years 1 month 21 days", "15'", "2.5 hours", "1/2 hour".
    func amount(at index: Int) -> Found<Amount>? {
        guard var total = oneAmount(at: index) else { return nil }
        for _ in 0..<4 {
            var next = isWord(total.next, "and") || isMark(total.next, ",") ? total.next + 1 : total.next
            if isMark(total.next, ","), isWord(next, "and") { next += 1 }
            guard let more = oneAmount(at: next), self[next]?.kind == .number || next > total.next else { break }
            total = Found(total.value + more.value, more.next)
        }
        return total
    }

    private func oneAmount(at index: Int) -> Found<Amount>? {
        if let part = fraction(at: index) { return part }
        var (count, next) = (1, index)
        if isWord(index, "a", "an", "one") {
            next = index + 1
            if isWord(next, "couple", "pair") {
                (count, next) = (2, isWord(next + 1, "of") ? next + 2 : next + 1)
            } else if isWord(next, "few"), !isChat {
                (count, next) = (3, next + 1)
            }
        } else if isWord(index, "couple") {
            (count, next) = (2, isWord(index + 1, "of") ? index + 2 : index + 1)
        } else if !isChat, isWord(index, "few") {
            (count, next) = (3, index + 1)
        } else if let number = cardinal(at: index) {
            (count, next) = (number.value, number.next)
        } else if !isWord(index, "fortnight") {
            return nil
        }
        guard Self.counts.contains(count) else { return nil }
        if isMark(next, "'"), isJoined(next), self[index]?.kind == .number, !isChat {
            return Found(Amount(seconds: count * 60), next + 1)
        }
        if isWord(next, "full", "whole", "more", "business", "working", "calendar") { next += 1 }
        if isMark(next, "-") { next += 1 }
        guard let token = self[next] else { return nil }
        if isWord(next, "m"), isJoined(next), self[index]?.kind == .number {
            return Found(Amount(seconds: count * 60), next + 1)
        }
        if !isChat, isWord(next, "s"), isJoined(next), isWord(next + 1, "ago") {
            return Found(Amount(seconds: count), next + 1)
        }
        guard token.lexeme.unit != .none, let one = Self.amounts[token.lexeme.unit], !token.has(.ordinal) else {
            return nil
        }
        // "a quarter past noon" and "20 minutes past eight" are clock times.
        if isWord(next + 1, "past", "to", "after"), token.lexeme.unit == .quarter || token.lexeme.unit == .minute,
            self[next + 2].map({ $0.kind == .number || $0.has(.cardinal) || $0.text == "noon" || $0.text == "midnight" }
            ) ?? false
        {
            return nil
        }
        // "1900 hours" is a clock time.
        if isWord(next, "hours", "hrs"), let number = self[index], number.digits == 4, count / 100 < 24,
            count % 100 < 60
        {
            return nil
        }
        // "3 h" reads as hours only after "in"; "19h" is a clock time.
        let isClock =
            count > 9 || isWord(index - 1, "at")
            || self[next + 1].map { $0.kind == .number && !$0.isSpaced && $0.digits == 2 } ?? false
                && !isWord(index - 1, "in", "for", "within", "after", "of", "than")
                && !isWord(next + 2, "ago", "later", "from", "long", "before", "after")
        if isWord(next, "h"), isJoined(next), self[index]?.kind == .number, isClock { return nil }
        var amount = Found(one * count, next + 1)
        // "1h30"
        if isWord(next, "h"), let minute = self[next + 1], minute.kind == .number, !minute.isSpaced, minute.digits == 2
        {
            return Found(amount.value + Amount(seconds: minute.value * 60), next + 2)
        }
        if let half = after(amount.next, "and", "a", "half") ?? after(amount.next, "and", "an", "half") {
            amount = Found(amount.value + halfOf(token.lexeme.unit), half)
        }
        if isWord(index, "a", "an"), isWord(amount.next, "or") && isWord(amount.next + 1, "so") { amount.next += 2 }
        return amount
    }

    private func halfOf(_ unit: Unit) -> Amount {
        switch unit {
        case .hour: Amount(seconds: 1800)
        case .minute: Amount(seconds: 30)
        case .day: Amount(seconds: 43_200)
        case .week: Amount(days: 3)
        case .year: Amount(months: 6)
        default: Amount()
        }
    }

    /// "half an hour", "a half hour", "a quarter of an hour", "2.5 hours", "3/4h", "one and a half hours".
    private func fraction(at index: Int) -> Found<Amount>? {
        if isWord(index, "half"), isWord(index + 1, "a", "an"), let unit = self[index + 2]?.lexeme.unit,
            unit == .hour || unit == .day || unit == .year
        {
            return Found(halfOf(unit), index + 3)
        }
        if isWord(index, "a"), isWord(index + 1, "half"), self[index + 2]?.lexeme.unit == .hour {
            return Found(Amount(seconds: 1800), index + 3)
        }
        if let next = after(index, "half", "hour") { return Found(Amount(seconds: 1800), next) }
        if let next = after(index, "three", "quarters", "of", "an", "hour") {
            return Found(Amount(seconds: 2700), next)
        }
        if let next = after(index, "a", "quarter", "of", "an", "hour") ?? after(index, "quarter", "of", "an", "hour") {
            return Found(Amount(seconds: 900), next)
        }
        if let count = cardinal(at: index), Self.counts.contains(count.value),
            let next = after(count.next, "and", "a", "half") ?? after(count.next, "and", "an", "half"),
            let unit = self[next]?.lexeme.unit, let one = Self.amounts[unit]
        {
            return Found(one * count.value + halfOf(unit), next + 1)
        }
        // "2 1/2 hours"
        if let whole = self[index], whole.kind == .number, let over = self[index + 1], over.kind == .number,
            isMark(index + 2, "/"), let part = fraction(at: index + 1), let unit = self[part.next - 1]?.lexeme.unit,
            let one = Self.amounts[unit], 0...1000 ~= whole.value
        {
            return Found(one * whole.value + part.value, part.next)
        }
        guard let token = self[index], token.kind == .number, let below = self[index + 2], below.kind == .number,
            isJoined(index + 1),
            isJoined(index + 2), let unit = self[index + 3]?.lexeme.unit, unit == .hour || unit == .minute,
            let one = Self.amounts[unit],
            0...1000 ~= token.value, 0...1000 ~= below.value
        else { return nil }
        if isMark(index + 1, "."), below.digits == 1 {
            return Found(Amount(seconds: one.seconds * (token.value * 10 + below.value) / 10), index + 4)
        }
        guard isMark(index + 1, "/"), below.value > 0 else { return nil }
        return Found(Amount(seconds: one.seconds * token.value / below.value), index + 4)
    }

    /// "this morning", "in the evening", "last night", "EOD", "close of business", "after work", "first thing".
    func part(at index: Int) -> Piece? {
        var next = index
        if isWord(next, "in", "at", "during", "by", "on"), isWord(next + 1, "the") { next += 2 }
        if isWord(next, "the"), isWord(next + 1, "eod", "end", "midday", "morning", "evening") { next += 1 }
        switch word(next) {
        case "this", "later":
            let part = isWord(next, "later") ? next + 2 : next + 1
            guard isWord(next, "this") || isWord(next + 1, "this"), dayPart(at: part) != nil, !isWord(part, "noon")
            else { return nil }
            if !isChat, dayPart(at: part) == .morning { return Piece(.part(.morning), index..<part + 1) }
            return Piece(.day(today), index..<part)
        case "last":
            guard let part = dayPart(at: next + 1), part != .noon else { return nil }
            var piece = Piece(.day(today - 1), index..<next + 1)
            piece.isPast = true
            return piece
        case "later" where isWord(next + 1, "today"), "earlier" where isWord(next + 1, "today"):
            return Piece(.day(today), index..<next + 2)
        case "eod", "cob", "cop", "eob": return Piece(.part(.endOfDay), index..<next + 1)
        case "end", "close":
            guard isWord(next + 1, "of") else { return nil }
            if isWord(next, "end"), isWord(next + 2, "today", "tomorrow") || isWord(next + 2, "day", "play", "business")
            {
                return Piece(.part(.endOfDay), index..<(isWord(next + 2, "today", "tomorrow") ? next + 2 : next + 3))
            }
            if isWord(next + 2, "the"), isWord(next + 3, "day"), isWord(next, "end") {
                return Piece(.part(.endOfDay), index..<next + 4)
            }
            return isWord(next, "close") && isWord(next + 2, "business", "play", "day")
                ? Piece(.part(.endOfDay), index..<next + 3) : nil
        case "same" where isWord(next + 1, "day", "night", "evening", "afternoon", "morning"):
            return Piece(.sameDay, index..<next + 2)
        case "that":
            if isWord(next + 1, "day", "night", "evening", "afternoon", "morning") {
                return Piece(.sameDay, index..<next + 2)
            }
            return isWord(next - 1, "before", "by", "until")
                && (next + 1 == tokens.count || self[next + 1]?.kind == .mark)
                ? Piece(.sameDay, index..<next + 1) : nil
        case "then" where isWord(next - 1, "by", "before", "until"): return Piece(.sameDay, index..<next + 1)
        case "the"
        where isWord(next + 1, "same") && isWord(next + 2, "day", "night", "evening", "afternoon", "morning"):
            return Piece(.sameDay, index..<next + 3)
        default:
            guard let part = dayPart(at: next) else { return nil }
            return Piece(.part(part), index..<next + 1)
        }
    }

    private func dayPart(at index: Int) -> DayPart? {
        switch word(index) {
        case "morning": .morning
        case "am" where !isChat: .morning
        case "afternoon": .afternoon
        case "pm" where !isChat: .afternoon
        case "evening": .evening
        case "night", "tonight": .night
        case "lunchtime": .noon
        default: nil
        }
    }

    /// "before the weekend" is that of its Friday.
    func moveBeforeWeekend(_ piece: inout Piece) {
        guard piece.isDeadline, case .day(let day) = piece.value, tokens[piece.tokens.upperBound - 1].text == "weekend",
            day.weekday == 5
        else { return }
        piece.value = .day(day - 1)
    }

    /// What the words before a piece say of it: a deadline, or a day that no longer holds.
    func qualify(_ piece: inout Piece) {
        var index = piece.tokens.lowerBound - 1
        var steps = 0
        while steps < 4, index >= 0, let token = self[index] {
            switch token.text {
            case "by", "before", "until", "due", "deadline", "latest":
                piece.isDeadline = true
                return
            case "than": piece.isDeadline = isWord(index - 1, "later"); return
            case "not", "n't": piece.isDenied = steps == 0; return
            case "of" where isWord(index - 1, "instead"): piece.isDenied = true; return
            case "at", "on", "the", "around", "about", "like", "@", ",": break
            default: return
            }
            index -= 1
            steps += 1
        }
    }
}
