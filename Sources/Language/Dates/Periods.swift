extension Grammar {
    /// "next week", "this quarter", "the year", "Q4 2018", "2014", "week 3 of 2027", "the 90s".
    func period(at index: Int) -> DayFound? {
        var next = isWord(index, "the") ? index + 1 : index
        if isWord(next, "of") { return nil }
        if !isChat, let found = special(at: next) { return found.from(index) }
        // "rest of the week": from today on.
        if !isChat, isWord(next, "rest", "remainder"), isWord(next + 1, "of"),
            let whole = period(at: isWord(next + 2, "my", "our") ? next + 3 : next + 2),
            case .period(let first, let end) = whole.value
        {
            return DayFound(.period(max(first, today), end), index..<whole.tokens.upperBound)
        }
        var offset: Int?
        switch word(next) {
        case "this", "current", "present": offset = 0
        case "next", "coming", "following", "upcoming": offset = 1
        case "last", "previous", "past": offset = -1
        default: break
        }
        if offset != nil { next += 1 }
        if isWord(next, "calendar", "fiscal", "business", "working") { next += 1 }
        guard let token = self[next], token.lexeme.unit != .none,
            offset != nil || next > index || isWord(index, "week", "year"),
            !isWord(next, "days", "hours", "minutes")
        else { return isChat ? nil : quarterName(at: index) }
        // "the year before last"
        if offset == nil, let end = after(next + 1, "before", "last"),
            let (first, last) = span(of: token.lexeme.unit, false, -2)
        {
            return DayFound(.period(first, last), index..<end, isPast: true)
        }
        // "the last quarter of 2020"
        if token.lexeme.unit == .quarter, offset == -1, let year = yearSuffix(at: next + 1) {
            return partFound((10, 3), year.value, index..<year.next)
        }
        if offset == nil, let end = after(next + 1, "after", "next"),
            let (first, last) = span(of: token.lexeme.unit, false, 2)
        {
            return DayFound(.period(first, last), index..<end)
        }
        if isWord(next, "week"), let found = weekNumber(at: next) { return found.from(index) }
        if isWord(next, "year"), offset == nil {
            if let end = after(next + 1, "to", "date") {
                return DayFound(.days(Day(year: today.year, month: 1), today), index..<end)
            }
            if let year = year(at: next + 1) { return yearFound(year.value, index..<year.next) }
        }
        if offset == nil, isChat || next == index { return nil }
        if isChat, token.lexeme.unit == .day || token.lexeme.unit == .workday { return nil }
        guard let (first, end) = span(of: token.lexeme.unit, isWord(next, "workweek"), offset ?? 0) else { return nil }
        var found = DayFound(first == end - 1 ? .day(first) : .period(first, end), index..<next + 1)
        found.isPast = end <= today
        return found
    }

    /// "week of October 6th", "month of April", "the nineties", "month to date", "the ides of March", "closest Monday
    /// to Oct 5th".
    private func special(at index: Int) -> DayFound? {
        if let end = after(index, "ides", "of"), let month = self[end], month.has(.month) {
            return DayFound(.day(coming(month: Int(month.lexeme.month), day: 15)), index..<end + 1)
        }
        let counted = ordinal(at: index)
        let near = counted?.next ?? index
        // "the second closest Christmas to today"
        if isWord(near, "closest", "nearest"), let feast = holiday(at: near + 1), isWord(feast.tokens.upperBound, "to"),
            let base = day(at: feast.tokens.upperBound + 1), case .day(let day) = base.value,
            case .day(let own) = feast.value
        {
            let days = (-4...4).map { own.adding(months: $0 * 12) }.sorted {
                ($0.number - day.number).magnitude < ($1.number - day.number).magnitude
            }
            return DayFound(.day(days[min(8, (counted?.value ?? 1) - 1)]), index..<base.tokens.upperBound)
        }
        if isWord(near, "closest", "nearest"), let weekday = self[near + 1], weekday.has(.weekday),
            isWord(near + 2, "to"),
            let base = day(at: near + 3), case .day(let day) = base.value
        {
            let before = day - (day.weekday - Int(weekday.lexeme.weekday)).modulo(7)
            let days = (-6...6).map { before + $0 * 7 }.sorted {
                ($0.number - day.number).magnitude < ($1.number - day.number).magnitude
            }
            return DayFound(.day(days[min(12, (counted?.value ?? 1) - 1)]), index..<base.tokens.upperBound)
        }
        if isWord(index, "ytd") { return DayFound(.days(Day(year: today.year, month: 1), today), index..<index + 1) }
        if let token = self[index], token.kind == .number, token.digits == 2, token.value % 10 == 0,
            isWord(index + 1, "s") && !isWord(index + 2, "ago") || isMark(index + 1, "'") && isWord(index + 2, "s")
        {
            let first = token.value + (token.value > 20 ? 1900 : 2000)
            return DayFound(
                .period(Day(year: first, month: 1), Day(year: first + 10, month: 1)),
                index..<index + (isWord(index + 1, "s") ? 2 : 3))
        }
        let decades: [Word] = [
            "twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties",
        ]
        if let decade = decades.firstIndex(of: word(index)) {
            let first = 1920 + decade * 10
            return DayFound(.period(Day(year: first, month: 1), Day(year: first + 10, month: 1)), index..<index + 1)
        }
        guard let unit = self[index]?.lexeme.unit, unit == .week || unit == .month || unit == .quarter else {
            return nil
        }
        if let end = after(index + 1, "to", "date"), let (first, _) = span(of: unit, false, 0) {
            return DayFound(.days(first, today), index..<end)
        }
        guard isWord(index + 1, "of") else { return nil }
        if unit == .month, let month = self[index + 2], month.has(.month) {
            return self.month(at: index + 2)?.from(index)
        }
        let base = isWord(index + 2, "the") ? index + 3 : index + 2
        guard unit == .week, let found = day(at: base), case .day(let day) = found.value else { return nil }
        return DayFound(.period(day.monday, day.monday + 7), index..<found.tokens.upperBound)
    }

    /// The first day of a period around today, and the first one after it.
    private func span(of unit: Unit, _ isOfWork: Bool, _ offset: Int) -> (Day, Day)? {
        let (year, month, _) = today.parts
        switch unit {
        case .day, .workday: return (today + offset, today + offset + 1)
        case .week:
            let monday = today.monday + offset * 7
            return (monday, monday + (isOfWork ? 5 : 7))
        case .fortnight: return (today.monday + offset * 14, today.monday + (offset * 14 + 14))
        case .month: return (Day(year: year, month: month + offset), Day(year: year, month: month + offset + 1))
        case .quarter:
            let first = (month - 1) / 3 * 3 + 1 + offset * 3
            return (Day(year: year, month: first), Day(year: year, month: first + 3))
        case .half:
            let first = (month - 1) / 6 * 6 + 1 + offset * 6
            return (Day(year: year, month: first), Day(year: year, month: first + 6))
        case .year: return (Day(year: year + offset, month: 1), Day(year: year + offset + 1, month: 1))
        case .decade:
            let first = (year / 10 + offset) * 10
            return (Day(year: first, month: 1), Day(year: first + 10, month: 1))
        case .none, .second, .minute, .hour: return nil
        }
    }

    private func yearFound(_ year: Int, _ tokens: Range<Int>) -> DayFound {
        var found = DayFound(.period(Day(year: year, month: 1), Day(year: year + 1, month: 1)), tokens)
        found.isPast = year < today.year
        return found
    }

    /// "week 3 of 2027", "week 12".
    private func weekNumber(at index: Int) -> DayFound? {
        guard let number = cardinal(at: index + 1), 1...53 ~= number.value, self[index + 1]?.kind == .number else {
            return nil
        }
        let year = yearSuffix(at: number.next)
        guard !isChat || year != nil else { return nil }
        // The first week of a year has its first Thursday.
        let first = (Day(year: year?.value ?? today.year, month: 1) + 3).monday
        let monday = first + (number.value - 1) * 7
        return DayFound(.period(monday, monday + 7), index..<(year?.next ?? number.next))
    }

    /// "Q4 2018", "2019 H2", "18q4", "2019".
    private func quarterName(at index: Int) -> DayFound? {
        if let year = year(at: index), self[index]?.kind == .number || year.next > index + 1 {
            if let part = partOfYear(at: year.next) { return partFound(part.value, year.value, index..<part.next) }
            if isMark(year.next, "s") || isWord(year.next, "s") {
                return DayFound(
                    .period(Day(year: year.value, month: 1), Day(year: year.value + 10, month: 1)),
                    index..<year.next + 1)
            }
            // "2022 October"
            if let month = self[year.next], month.has(.month), dayNumber(at: year.next + 1) == nil {
                let first = Day(year: year.value, month: Int(month.lexeme.month))
                return DayFound(.period(first, first.adding(months: 1)), index..<year.next + 1)
            }
            return yearFound(year.value, index..<year.next)
        }
        if let token = self[index], token.digits == 2, let part = partOfYear(at: index + 1), isJoined(index + 1) {
            return partFound(part.value, 2000 + token.value, index..<part.next)
        }
        guard let part = partOfYear(at: index) else { return nil }
        let year = yearSuffix(at: part.next)
        return partFound(part.value, year?.value ?? today.year, index..<(year?.next ?? part.next))
    }

    /// Months from a first one on.
    private func partOfYear(at index: Int) -> Found<(Int, Int)>? {
        let (quarters, halves): ([Word], [Word]) = (["q1", "q2", "q3", "q4"], ["h1", "h2"])
        if let quarter = quarters.firstIndex(of: word(index)) { return Found((quarter * 3 + 1, 3), index + 1) }
        if let half = halves.firstIndex(of: word(index)) { return Found((half * 6 + 1, 6), index + 1) }
        // "quarter 2 of 2020"
        if isWord(index, "quarter", "qtr"), let number = cardinal(at: index + 1), 1...4 ~= number.value,
            !isMark(number.next, ":")
        {
            return Found((number.value * 3 - 2, 3), number.next)
        }
        guard let number = ordinal(at: index), let unit = self[number.next]?.lexeme.unit else { return nil }
        if unit == .quarter, 1...4 ~= number.value { return Found((number.value * 3 - 2, 3), number.next + 1) }
        if isWord(number.next, "half"), 1...2 ~= number.value {
            return Found((number.value * 6 - 5, 6), number.next + 1)
        }
        return nil
    }

    private func partFound(_ part: (Int, Int), _ year: Int, _ tokens: Range<Int>) -> DayFound {
        DayFound(.period(Day(year: year, month: part.0), Day(year: year, month: part.0 + part.1)), tokens)
    }

    /// What an ordinal begins: "third tuesday of September", "4th qtr 2018", "2nd last week of October".
    func numbered(at index: Int) -> DayFound? {
        if let found = weekdayOf(at: index, from: index) { return found }
        if !isChat {
            return special(at: index) ?? daysOfPeriod(at: index) ?? weekOfPeriod(at: index) ?? quarterName(at: index)
                ?? countedWeekday(at: index)
        }
        return countedWeekday(at: index)
    }

    /// "first ten days of last year", "the last two weeks of July".
    func daysOfPeriod(at index: Int) -> DayFound? {
        if let number = ordinal(at: index), isWord(number.next, "weekend"), isWord(number.next + 1, "of", "in"),
            let whole = periodOrMonth(at: number.next + 2), case .period(let first, _) = whole.value
        {
            let saturday = first + (5 - first.weekday).modulo(7) + (number.value - 1) * 7
            return DayFound(.period(saturday, saturday + 2), index..<whole.tokens.upperBound)
        }
        guard isWord(index, "first", "last") else { return nil }
        guard let count = cardinal(at: index + 1), let unit = self[count.next]?.lexeme.unit,
            unit == .day || unit == .week,
            isWord(count.next + 1, "of", "in"), let whole = periodOrMonth(at: count.next + 2),
            case .period(let first, let end) = whole.value
        else { return nil }
        let days = count.value * (unit == .week ? 7 : 1)
        let isFirst = isWord(index, "first")
        return DayFound(
            .period(isFirst ? first : end - days, isFirst ? first + days : end), index..<whole.tokens.upperBound)
    }

    private func periodOrMonth(at index: Int) -> DayFound? {
        if let month = monthName(at: index) {
            return DayFound(.period(month.value.first, month.value.first.adding(months: 1)), index..<month.next)
        }
        return period(at: index)
    }

    /// "the last week of July", "third last week of 2018", "first week of March".
    func weekOfPeriod(at index: Int) -> DayFound? {
        var count = 1
        var next = index
        if let number = ordinal(at: index) { (count, next) = (number.value, number.next) }
        let isLast = isWord(next, "last")
        if isLast { next += 1 }
        guard isLast || next > index, self[next]?.lexeme.unit == .week, isWord(next + 1, "of", "in"),
            let whole = periodOrMonth(at: next + 2), case .period(let first, let end) = whole.value
        else { return nil }
        // A week belongs to the period that has its Thursday.
        let monday = isLast ? (end - 4).monday - (count - 1) * 7 : (first + 3).monday + (count - 1) * 7
        return DayFound(.period(monday, monday + 7), index..<whole.tokens.upperBound)
    }

    /// "2 thursdays ago", "four tuesdays from now".
    func countedWeekday(at index: Int) -> DayFound? {
        let number = cardinal(at: index)
        guard let count = number ?? ordinal(at: index), 1...60 ~= count.value, let token = self[count.next],
            token.has(.weekdays) || (count.value == 1 || number == nil) && token.has(.weekday)
        else { return nil }
        let weekday = Int(token.lexeme.weekday)
        let next = count.next + 1
        if isWord(next, "ago") || isWord(next, "back") && !isChat {
            let latest = today - ((today.weekday - weekday + 6).modulo(7) + 1)
            return DayFound(.day(latest - (count.value - 1) * 7), index..<next + 1, isPast: true)
        }
        guard let end = after(next, "from", "now") ?? after(next, "from", "today") ?? after(next, "hence") else {
            return nil
        }
        return DayFound(.day(coming(weekday: weekday) + (count.value - 1) * 7), index..<end)
    }

    /// "end of the month", "EOW", "month end", "end of June": the last day; of a week its Friday.
    func endOfPeriod(at index: Int) -> DayFound? {
        switch word(index) {
        case "eow": return DayFound(.day(today.monday + 4), index..<index + 1)
        case "eom": return DayFound(.day(today.firstOfMonth.adding(months: 1) - 1), index..<index + 1)
        case "eoy": return DayFound(.day(Day(year: today.year + 1, month: 1) - 1), index..<index + 1)
        case "month" where isWord(index + 1, "end") || isMark(index + 1, "-") && isWord(index + 2, "end"):
            return DayFound(
                .day(today.firstOfMonth.adding(months: 1) - 1),
                index..<(isWord(index + 1, "end") ? index + 2 : index + 3))
        case "end": break
        default: return nil
        }
        guard isWord(index + 1, "of") || self[index + 1]?.has(.month) ?? false else { return nil }
        var next = isWord(index + 1, "of") ? index + 2 : index + 1
        if isWord(next, "the", "this") { next += 1 }
        var offset = 0
        if isWord(next, "next", "the", "following") { (offset, next) = (1, next + 1) }
        if isWord(next, "working", "business", "calendar") { next += 1 }
        guard let token = self[next] else { return nil }
        if token.has(.month), let month = monthName(at: next) {
            return DayFound(.day(month.value.first.adding(months: 1) - 1), index..<month.next)
        }
        if let year = year(at: next), !isChat {
            return DayFound(.day(Day(year: year.value + 1, month: 1) - 1), index..<year.next)
        }
        switch token.lexeme.unit {
        case .week: return DayFound(.day(today.monday + (offset * 7 + 4)), index..<next + 1)
        case .month, .quarter, .year:
            guard let (_, end) = span(of: token.lexeme.unit, false, offset) else { return nil }
            return DayFound(.day(end - 1), index..<next + 1)
        default: return nil
        }
    }
}
