/// Which one of those that come again and again.
enum Which {
    case this, next, last, coming
}

extension Grammar {
    /// Ranges of days: "12-14 June", "June 12 to 14", "from the 3rd to the 5th", "Thursday to Saturday".
    func dayRange(at index: Int) -> Piece? {
        guard let token = self[index] else { return nil }
        let isOpened = isWord(index, "from", "between")
        guard
            isOpened || token.kind == .number || token.has([.month, .weekday, .ordinal, .cardinal])
                || isWord(index, "the")
        else { return nil }
        let start = isOpened ? index + 1 : index
        if let found = daysOfMonth(at: start, isBetween: isWord(index, "between")) {
            return Piece(found.value, index..<found.next)
        }
        guard let first = day(at: start), case .day(let from) = first.value else { return nil }
        let sign =
            isWord(index, "between") ? after(first.tokens.upperBound, "and") : rangeSign(at: first.tokens.upperBound)
        guard let sign else { return nil }
        // "July 13-15", "april ninth through seventeenth": the same month.
        let isMonthFirst = tokens[start].has(.month) || first.tokens.contains { tokens[$0].has(.month) } && !isChat
        if isMonthFirst, let last = dayNumber(at: isWord(sign, "the") ? sign + 1 : sign), last.value > from.parts.day,
            self[last.next].map({ !$0.has(.month) && !isWord(last.next, "of") && !isMark(last.next, "/") }) ?? true
        {
            let year = yearSuffix(at: last.next)
            let (own, month, number) = from.parts
            guard let day = Day(year: year?.value ?? own, month: month, day: last.value),
                let begin = Day(year: year?.value ?? own, month: month, day: number)
            else { return nil }
            return Piece(.days(begin, day), index..<(year?.next ?? last.next))
        }
        let rest = Grammar(tokens, at: moment, style, today: max(from, today))
        guard let second = rest.day(at: sign), case .day(let to) = second.value else { return nil }
        if first.isLoose, second.hasYear {
            let (_, month, number) = from.parts
            for year in [to.year, to.year - 1] {
                guard let from = Day(year: year, month: month, day: number), from <= to else { continue }
                return Piece(.days(from, to), index..<second.tokens.upperBound)
            }
        }
        guard to >= from else { return nil }
        return Piece(.days(from, to), index..<second.tokens.upperBound)
    }

    /// "12-14 June", "the 13th to the 15th of July 2027".
    private func daysOfMonth(at index: Int, isBetween: Bool) -> Found<Piece.Value>? {
        let start = isWord(index, "the") ? index + 1 : index
        guard let first = dayNumber(at: start) else { return nil }
        guard var sign = isBetween ? after(first.next, "and") : rangeSign(at: first.next) else { return nil }
        if isWord(sign, "the") { sign += 1 }
        guard let last = dayNumber(at: sign), last.value > first.value else { return nil }
        var month = last.next
        if isWord(month, "of") { month += 1 }
        guard let token = self[month], token.has(.month) else { return nil }
        let year = yearSuffix(at: month + 1)
        let number = Int(token.lexeme.month)
        let wanted = year?.value ?? coming(month: number, day: first.value).year
        guard let from = Day(year: wanted, month: number, day: first.value),
            let to = Day(year: wanted, month: number, day: last.value)
        else { return nil }
        return Found(.days(from, to), year?.next ?? month + 1)
    }

    /// A day or a period.
    func day(at index: Int) -> DayFound? {
        guard let token = self[index] else { return nil }
        if !isChat, isWord(index, "first", "second", "third", "closest", "nearest"), let found = numbered(at: index) {
            return found
        }
        if token.kind == .number || token.has([.ordinal, .cardinal]) {
            if let found = compact(at: index) ?? numeric(at: index) ?? dayMonth(at: index) ?? yearMonthDay(at: index) {
                return found
            }
            if token.has(.ordinal) || token.isOrdinal || !isChat, let found = numbered(at: index) { return found }
            return dayOfMonth(at: index)
        }
        guard token.kind == .word else { return nil }
        if let found = named(at: index) { return found }
        if token.has(.weekday) { return weekday(at: index, .coming, from: index) }
        if token.has(.month) { return monthDay(at: index) ?? month(at: index) }
        return holiday(at: index) ?? period(at: index)
    }

    /// "today", "the day after tomorrow", "this Friday", "next weekend", "the 14th", "end of the month".
    private func named(at index: Int) -> DayFound? {
        switch tokens[index].text {
        case "today":
            return dayThen(today, index + 1)
        case "tonight": return DayFound(.day(today), index..<index + 1)
        case "tomorrow":
            if tokens[safe: index + 1]?.lexeme.unit == .week { return DayFound(.day(today + 8), index..<index + 2) }
            return dayThen(today + 1, index + 1)
        case "yesterday": return DayFound(.day(today - 1), index..<index + 1, isPast: true)
        case "day", "the":
            if let found = dayAfter(at: index) { return found }
            return isWord(index, "the") ? definite(at: index) : nil
        case "this", "next", "last", "coming", "upcoming", "following", "previous", "past", "current":
            return chosen(at: index, from: index)
        case "every", "each":
            return recurring(at: index)
        case "weekend" where after(index + 1, "after", "next") != nil:
            let saturday = today.monday + 19
            return DayFound(isChat ? .day(saturday) : .period(saturday, saturday + 2), index..<index + 3)
        case "weekend" where !isChat: return DayFound(.period(today.monday + 5, today.monday + 7), index..<index + 1)
        case "weekend": return DayFound(.day(today.monday + (today.weekday >= 5 ? 12 : 5)), index..<index + 1)
        case "end", "eow", "eom", "eoy", "month", "beginning", "start":
            return endOfPeriod(at: index)
        default: return nil
        }
    }

    private func dayThen(_ day: Day, _ next: Int) -> DayFound { DayFound(.day(day), next - 1..<next) }

    /// "the day after tomorrow", "day before yesterday".
    private func dayAfter(at index: Int) -> DayFound? {
        let start = isWord(index, "the") ? index + 1 : index
        if let next = after(start, "day", "after", "tomorrow") { return DayFound(.day(today + 2), index..<next) }
        if let next = after(start, "day", "before", "yesterday") {
            return DayFound(.day(today - 2), index..<next, isPast: true)
        }
        // "the day after Christmas"
        if let base = after(start, "day", "after") ?? after(start, "day", "before"), let found = holiday(at: base),
            case .day(let day) = found.value
        {
            return DayFound(.day(day + (isWord(base - 1, "after") ? 1 : -1)), index..<found.tokens.upperBound)
        }
        if let next = after(start, "next", "day"), !isChat { return DayFound(.day(today + 1), index..<next) }
        return nil
    }

    /// What "the" begins.
    private func definite(at index: Int) -> DayFound? {
        let next = index + 1
        guard let token = self[next] else { return nil }
        if token.kind == .number || token.has([.ordinal, .cardinal]) {
            return (numeric(at: next) ?? dayMonth(at: next) ?? numbered(at: next) ?? dayOfMonth(at: next))?.from(index)
        }
        if isWord(next, "this", "next", "last", "coming", "upcoming", "following", "previous", "past", "current") {
            return chosen(at: next, from: index)
        }
        if isWord(next, "end", "beginning", "start") { return endOfPeriod(at: next)?.from(index) }
        if isWord(next, "weekend") { return named(at: next)?.from(index) }
        if isWord(next, "weekend") || token.has(.weekday) && (dayNumber(at: next + 1) == nil || isChat) {
            return isWord(next + 1, "after", "before") && isChat && holiday(at: next + 2) == nil
                ? nil : weekday(at: next, .coming, from: index)
        }
        if token.has(.weekday) { return weekday(at: next, .coming, from: index) }
        if token.has(.month) { return day(at: next)?.from(index) }
        return holiday(at: next)?.from(index) ?? (isChat ? nil : period(at: index))
    }

    // MARK: Weekdays

    func coming(weekday: Int) -> Day { today + ((weekday - today.weekday + 6).modulo(7) + 1) }

    /// A weekday, with what may follow it: "week", "next week", "the 14th", "12 June".
    func weekday(at index: Int, _ which: Which, from start: Int) -> DayFound? {
        let token = tokens[index]
        guard !isChat || !isOtherWord(index) else { return nil }
        let weekday = Int(token.lexeme.weekday)
        let base: Day =
            switch which {
            case .coming: coming(weekday: weekday)
            case .this: today.monday + weekday
            case .next: today.monday + (7 + weekday)
            case .last: today.monday + (weekday - 7)
            }
        var next = index + 1
        if isMark(next, "."), token.text.count <= 5, !token.has(.weekdays), self[next + 1] != nil,
            !(self[next + 1]?.isCapital ?? false)
        {
            next += 1
        }
        var found = DayFound(.day(base), start..<next)
        found.isRecurring = token.has(.weekdays)
        found.isPast = which == .last
        found.isWeekday = true
        if let dated = datedWeekday(weekday, at: next) { return dated.from(start) }
        if which == .coming, let week = weekOf(at: next) {
            found.value = .day(week.value + weekday)
            found.isPast = week.value + 6 < today
            return found.to(week.next)
        }
        if self[next]?.lexeme.unit == .week, isWord(next, "week"), !isWord(next + 1, "of"), which != .last {
            found.value = .day(coming(weekday: weekday) + 7)
            return found.to(next + 1)
        }
        // "the Friday after Thanksgiving"
        if which == .coming, isWord(next, "after", "before"), let base = holiday(at: next + 1),
            case .day(let day) = base.value
        {
            let isAfter = isWord(next, "after")
            let away = (isAfter ? weekday - day.weekday + 6 : day.weekday - weekday + 6).modulo(7) + 1
            found.value = .day(isAfter ? day + away : day - away)
            return found.to(base.tokens.upperBound)
        }
        if let end = after(next, "after", "next") {
            found.value = .day(coming(weekday: weekday) + 7)
            return found.to(end)
        }
        if let end = after(next, "before", "last") {
            found.value = .day(today - ((today.weekday - weekday + 6).modulo(7) + 8))
            found.isPast = true
            return found.to(end)
        }
        if let end = after(next, "gone") ?? after(next, "just", "gone") {
            found.isPast = true
            return found.to(end)
        }
        return found
    }

    /// "sat" and "sun" are words of their own.
    private func isOtherWord(_ index: Int) -> Bool {
        let before = self[index - 1]
        switch tokens[index].text {
        case "sat":
            return (before?.has([.me, .us, .you, .others, .kin]) ?? false) && !isWord(index - 2, "see", "catch", "meet")
                || isWord(index + 1, "down", "in", "there", "through", "with", "around", "nav", "next")
        case "sun": return isWord(index - 1, "the") || isWord(index + 1, "cream", "is", "screen", "shines")
        case "wed": return before?.has([.me, .us, .others]) ?? false
        case "mon": return isWord(index - 1, "c'est")
        default: return false
        }
    }

    /// "of next week", "next week", "of the following week": that week's Monday.
    private func weekOf(at index: Int) -> Found<Day>? {
        var next = isWord(index, "of", "in", "from") ? index + 1 : index
        if isMark(next, ",") { next += 1 }
        if isWord(next, "the") { next += 1 }
        if let end = after(next, "week", "after", "next") { return Found(today.monday + 14, end) }
        guard let end = self[next + 1]?.lexeme.unit == .week ? next + 2 : nil else { return nil }
        switch word(next) {
        case "this", "current": return Found(today.monday, end)
        case "next", "following", "coming": return Found(today.monday + 7, end)
        case "last", "previous", "past": return Found(today.monday - 7, end)
        default: return nil
        }
    }

    /// The day of the month that follows a weekday: "Tuesday the 19th", "Fri, Jul 18", "friday 5/12".
    private func datedWeekday(_ weekday: Int, at index: Int) -> DayFound? {
        var next = isMark(index, ",") ? index + 1 : index
        let hasArticle = isWord(next, "the")
        if hasArticle { next += 1 }
        guard let token = self[next] else { return nil }
        if token.has(.month), let found = monthDay(at: next), case .day(let day) = found.value {
            return found.withDay(
                found.hasYear ? day : sameWeekday(day, weekday) { Day(year: $0, month: day.month, day: day.parts.day) })
        }
        guard token.kind == .number || token.has([.ordinal, .cardinal]) else { return nil }
        if let found = numeric(at: next) ?? dayMonth(at: next), case .day(let day) = found.value {
            let isSlashed = isMark(next + 1, "/")
            return found.withDay(
                found.hasYear || isSlashed
                    ? day : sameWeekday(day, weekday) { Day(year: $0, month: day.month, day: day.parts.day) })
        }
        guard
            let number = ordinal(at: next) ?? (isChat && !hasArticle ? nil : dayNumber(at: next)) ?? largeDay(at: next),
            1...31 ~= number.value, !isWord(number.next, "am", "pm"), !isHourOfRange(number.next)
        else { return nil }
        let first = nextDay(number.value)
        var month = first.firstOfMonth
        for _ in 0..<15 {
            if let day = Day(year: month.year, month: month.month, day: number.value), day.weekday == weekday,
                day > today
            {
                return DayFound(.day(day), next..<number.next)
            }
            month = month.adding(months: 1)
        }
        return DayFound(.day(first), next..<number.next)
    }

    /// "Friday, 8 to 10pm": the number is an hour.
    private func isHourOfRange(_ next: Int) -> Bool {
        guard isWord(next, "to", "until") || isMark(next, "-") || isMark(next, "–"), let last = cardinal(at: next + 1)
        else { return false }
        return isWord(last.next, "am", "pm", "a.m", "p.m")
    }

    /// "friday 31" is no time.
    private func largeDay(at index: Int) -> Found<Int>? {
        guard let number = dayNumber(at: index), number.value > 24, !isMark(number.next, ":"), !isMark(number.next, ".")
        else { return nil }
        return number
    }

    /// The first year from now on in which a day has a weekday.
    private func sameWeekday(_ day: Day, _ weekday: Int, _ inYear: (Int) -> Day?) -> Day {
        for year in today.year...today.year + 7 {
            if let found = inYear(year), found.weekday == weekday, found > today { return found }
        }
        return day
    }

    /// "this Friday", "next weekend", "last Sunday of March", "next month".
    private func chosen(at index: Int, from start: Int) -> DayFound? {
        var which: Which =
            switch tokens[index].text {
            case "this", "current": .this
            case "next": .next
            case "last", "previous", "past": .last
            default: .coming
            }
        var next = index + 1
        if which == .this || which == .next, isWord(next, "coming", "upcoming", "following", "next") {
            (which, next) = (.coming, next + 1)
        }
        guard let token = self[next] else { return nil }
        if token.has(.weekday) {
            if let found = weekdayOf(at: index, from: start) { return found }
            return weekday(at: next, which, from: start)
        }
        // "last weekend of June"
        if which == .last, isWord(next, "weekend"), isWord(next + 1, "of", "in"), let month = monthName(at: next + 2) {
            let last = month.value.first.adding(months: 1) - 1
            let saturday = last - (last.weekday - 5).modulo(7)
            let first = saturday + 1 > last ? saturday - 7 : saturday
            return DayFound(isChat ? .day(first) : .period(first, first + 2), start..<month.next)
        }
        if isWord(next, "weekend") {
            let saturday = today.monday + 5
            if !isChat {
                let first = which == .next ? saturday + 7 : which == .last ? saturday - 7 : saturday
                return DayFound(.period(first, first + 2), start..<next + 1)
            }
            let day: Day =
                switch which {
                case .this, .coming: saturday
                case .next: saturday + 7
                case .last: saturday - 7
                }
            return DayFound(.day(day), start..<next + 1, isPast: which == .last)
        }
        if let found = weekdayOf(at: index, from: start) { return found }
        // "last May 5th"
        if which == .last, token.has(.month), let found = monthDay(at: next), case .day(let day) = found.value,
            !found.hasYear
        {
            let own = day < today ? day : day.adding(months: -12)
            return DayFound(.day(own), start..<found.tokens.upperBound, isPast: true)
        }
        // "last November" is the latest one that is over.
        if which == .last, token.has(.month), dayNumber(at: next + 1) == nil, yearSuffix(at: next + 1) == nil {
            let first = Day(year: today.year, month: Int(token.lexeme.month))
            let own = first.adding(months: 1) <= today ? first : first.adding(months: -12)
            return DayFound(.period(own, own.adding(months: 1)), start..<next + 1, isPast: true)
        }
        if !isChat, let found = daysOfPeriod(at: index) { return found.from(start) }
        if !isChat, token.lexeme.unit == .day, which != .this {
            return DayFound(.day(which == .last ? today - 1 : today + 1), start..<next + 1, isPast: which == .last)
        }
        if token.lexeme.unit == .week, isWord(next + 1, "on", "'s"), let day = self[next + 2], day.has(.weekday) {
            let monday = today.monday + (which == .this ? 0 : which == .last ? -7 : 7)
            return DayFound(.day(monday + Int(day.lexeme.weekday)), start..<next + 3, isPast: which == .last)
        }
        if token.lexeme.unit == .week, (self[next + 1]?.has(.weekday) ?? false) || isMark(next + 1, "-") {
            let weekday = isMark(next + 1, "-") ? next + 2 : next + 1
            if let day = self[weekday], day.has(.weekday) {
                let monday = today.monday + (which == .this ? 0 : which == .last ? -7 : 7)
                return DayFound(.day(monday + Int(day.lexeme.weekday)), start..<weekday + 1, isPast: which == .last)
            }
        }
        if !isChat, isWord(next, "evening", "morning", "afternoon", "night"), which == .next {
            return DayFound(.day(today + 1), start..<next + 1)
        }
        if let found = holiday(at: next, which) { return found.from(start) }
        if !isChat, let found = weekOfPeriod(at: index) { return found.from(start) }
        if let found = weekdayOf(at: index, from: start) { return found }
        return period(at: index)?.from(start)
    }

    /// "first Monday of March", "last Friday of this month", "third tuesday in september 2014".
    func weekdayOf(at index: Int, from start: Int) -> DayFound? {
        var number = isWord(index, "last") ? Found(-1, index + 1) : ordinal(at: index)
        // "second last day", "second to last Friday"
        if let count = number, count.value > 0 {
            let last = isWord(count.next, "to") || isMark(count.next, "-") ? count.next + 1 : count.next
            if isWord(last, "last"), let token = self[last + 1], token.lexeme.unit == .day || token.has(.weekday) {
                number = Found(-count.value, last + 1)
            }
        }
        guard let number, number.value <= 31, let token = self[number.next],
            token.has(.weekday) || token.lexeme.unit == .day
        else { return nil }
        var next = number.next + 1
        if isWord(next, "after", "before"), token.has(.weekday), 1...5 ~= number.value, let base = day(at: next + 1),
            case .day(let day) = base.value
        {
            let weekday = Int(token.lexeme.weekday)
            let first =
                isWord(next, "after")
                ? day + ((weekday - day.weekday + 6).modulo(7) + 1) : day - ((day.weekday - weekday + 6).modulo(7) + 1)
            return DayFound(
                .day(first + (number.value - 1) * (isWord(next, "after") ? 7 : -7)), start..<base.tokens.upperBound)
        }
        // "first friday next month"
        let isDirect = !isChat && isWord(next, "this", "next", "last") && self[next + 1]?.lexeme.unit == .month
        guard isDirect || isWord(next, "of", "in"), token.lexeme.unit == .day || number.value <= 5 else { return nil }
        if !isDirect { next += 1 }
        guard let month = monthName(at: next) else {
            // "last day of the year", "first day of next week"
            guard !isChat, token.lexeme.unit == .day, let whole = period(at: next),
                case .period(let first, let end) = whole.value
            else { return nil }
            let day = number.value > 0 ? first + (number.value - 1) : end + number.value
            return DayFound(.day(day), start..<whole.tokens.upperBound)
        }
        func inMonth(_ first: Day) -> Day? {
            let count = Day.count(in: first.month, of: first.year)
            if token.lexeme.unit == .day {
                return number.value > 0 ? first + (number.value - 1) : first + (count + number.value)
            }
            let weekday = Int(token.lexeme.weekday)
            if number.value < 0 {
                let last = first + (count - 1)
                return last - ((last.weekday - weekday).modulo(7) - (number.value + 1) * 7)
            }
            let day = first + (weekday - first.weekday).modulo(7) + (number.value - 1) * 7
            return day.month == first.month ? day : nil
        }
        guard var day = inMonth(month.value.first) else { return nil }
        if !month.value.isFixed, day <= today, let later = inMonth(month.value.first.adding(months: month.value.step)) {
            day = later
        }
        return DayFound(.day(day), start..<month.next)
    }

    /// "every Tuesday", "each Thursday", "every other Friday", "every day".
    private func recurring(at index: Int) -> DayFound? {
        let next = isWord(index + 1, "other", "second", "single") ? index + 2 : index + 1
        guard let token = self[next] else { return nil }
        if let found = monthly(at: index + 1, from: index) { return found }
        if token.has(.weekday), var found = weekday(at: next, .coming, from: index) {
            found.isRecurring = true
            return found
        }
        return nil
    }
}

/// A day or a period that was found, with what the words say of it.
struct DayFound {
    var value: Piece.Value
    var tokens: Range<Int>
    var isPast = false
    var isRecurring = false
    var isWeekday = false
    var hasYear = false
    /// Whether another year or month could be meant.
    var isLoose = false

    init(_ value: Piece.Value, _ tokens: Range<Int>, isPast: Bool = false) {
        (self.value, self.tokens, self.isPast) = (value, tokens, isPast)
    }

    func from(_ start: Int) -> DayFound {
        var found = self
        found.tokens = start..<tokens.upperBound
        return found
    }

    func to(_ end: Int) -> DayFound {
        var found = self
        found.tokens = tokens.lowerBound..<end
        return found
    }

    func withDay(_ day: Day) -> DayFound {
        var found = self
        found.value = .day(day)
        return found
    }

    var piece: Piece {
        var piece = Piece(value, tokens)
        (piece.isPast, piece.isRecurring) = (isPast, isRecurring)
        return piece
    }
}

extension Array {
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
