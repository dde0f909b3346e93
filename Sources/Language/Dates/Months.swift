extension Grammar {
    /// The next time that a month has a day, after today.
    func coming(month: Int, day: Int) -> Day {
        for year in today.year...today.year + 8 {
            if let found = Day(year: year, month: month, day: day), found > today { return found }
        }
        return today
    }

    /// The next day of this number, after today.
    func nextDay(_ number: Int) -> Day {
        var month = today.firstOfMonth
        for _ in 0..<3 {
            if let day = Day(year: month.year, month: month.month, day: number), day > today { return day }
            month = month.adding(months: 1)
        }
        return month
    }

    /// A year after a day and month: "2027", ", 2027", "of 2027", "in 2019", "'27".
    func yearSuffix(at index: Int) -> Found<Int>? {
        var next = index
        if isMark(next, ",") || isMark(next, "-") || isMark(next, "/") || isMark(next, ".") { next += 1 }
        if isWord(next, "of", "in") { next += 1 }
        if let year = year(at: next),
            self[next]?.kind == .number || next == index || isWord(next - 1, "of", "in") || isMark(next - 1, ",")
        {
            return year
        }
        if !isChat, let token = self[next], token.digits == 2, next > index, self[index]?.text == self[index - 2]?.text,
            isMark(index, "-") || isMark(index, "/"), next + 1 == tokens.count
        {
            return Found(token.value + (token.value > 60 ? 1900 : 2000), next + 1)
        }
        // "14th April 15"
        if !isChat, next == index, let token = self[next], token.digits == 2, next + 1 == tokens.count,
            self[index - 2]?.isOrdinal ?? false, self[index - 1]?.has(.month) ?? false
        {
            return Found(2000 + token.value, next + 1)
        }
        if isMark(next, "'"), let token = self[next + 1], token.digits == 2, !token.isSpaced {
            return Found(2000 + token.value, next + 2)
        }
        if isWord(next, "the") { next += 1 }
        if isWord(next, "this", "next", "last", "current", "previous", "following"),
            self[next + 1]?.lexeme.unit == .year
        {
            return Found(
                today.year + (isWord(next, "next", "following") ? 1 : isWord(next, "last", "previous") ? -1 : 0),
                next + 2)
        }
        return nil
    }

    private func dated(_ month: Int, _ number: Int, at index: Int, _ next: Int) -> DayFound? {
        if let year = yearSuffix(at: next) {
            guard let day = Day(year: year.value, month: month, day: number) else {
                return DayFound(.noDay, index..<year.next)
            }
            var found = DayFound(.day(day), index..<year.next, isPast: day < today)
            found.hasYear = true
            return found
        }
        guard 1...Day.count(in: month, of: 2000) ~= number else { return DayFound(.noDay, index..<next) }
        var found = DayFound(.day(coming(month: month, day: number)), index..<next)
        found.isLoose = true
        return found
    }

    /// "March 14", "March the 14th", "Oct/2", "april twenty-seventh 2027".
    func monthDay(at index: Int) -> DayFound? {
        let month = Int(tokens[index].lexeme.month)
        var next = index + 1
        if isMark(next, ".") || isMark(next, ",") || isMark(next, "/") || isMark(next, "-") && isJoined(next) {
            next += 1
        }
        if isWord(next, "the") { next += 1 }
        guard let number = dayNumber(at: next) ?? tooLarge(at: next),
            !isMark(number.next, "/") || self[index + 1]?.kind == .mark
        else {
            return nil
        }
        // "march 8 people": the verb, or a count.
        if isChat, let after = self[number.next],
            after.lexeme.unit != .none || isWord(number.next, "people", "of") && !tokens[next].isOrdinal
        {
            return nil
        }
        return dated(month, number.value, at: index, number.next)
    }

    /// "2027 march 14".
    func yearMonthDay(at index: Int) -> DayFound? {
        guard tokens[index].digits == 4, let year = year(at: index), self[year.next]?.has(.month) ?? false,
            let number = dayNumber(at: year.next + 1),
            let day = Day(year: year.value, month: Int(tokens[year.next].lexeme.month), day: number.value)
        else { return nil }
        var found = DayFound(.day(day), index..<number.next, isPast: day < today)
        found.hasYear = true
        return found
    }

    /// "20270314".
    func compact(at index: Int) -> DayFound? {
        let token = tokens[index]
        guard token.digits == 8, 1900...2199 ~= token.value / 10_000,
            let day = Day(year: token.value / 10_000, month: token.value / 100 % 100, day: token.value % 100)
        else { return nil }
        var found = DayFound(.day(day), index..<index + 1, isPast: day < today)
        found.hasYear = true
        return found
    }

    /// "14 March", "14th of March", "the third of march", "23-2020-september".
    func dayMonth(at index: Int) -> DayFound? {
        guard let number = dayNumber(at: index) ?? tooLarge(at: index) else { return nil }
        var next = number.next
        if !isChat, isWord(next, "day"), isWord(next + 1, "of") { next += 1 }
        if isWord(next, "of") || isMark(next, ".") || isMark(next, "/") || isMark(next, "-") && isJoined(next) {
            next += 1
        }
        if let year = self[next], year.digits == 4, isMark(next + 1, "-"), let month = self[next + 2],
            month.has(.month),
            let day = Day(year: year.value, month: Int(month.lexeme.month), day: number.value)
        {
            return DayFound(.day(day), index..<next + 3)
        }
        if let month = self[next], month.has(.month) {
            // "at 5 may I": no month.
            if isWord(next, "may"), !month.isCapital, isChat, self[next + 1]?.has([.me, .us, .you, .others]) ?? false {
                return nil
            }
            return dated(Int(month.lexeme.month), number.value, at: index, next + 1)
        }
        guard isWord(next - 1, "of") || isWord(next, "this", "next") || isWord(next, "in"),
            let month = monthName(at: isWord(next, "in") ? next + 1 : next),
            !(self[next]?.has(.month) ?? false)
        else { return nil }
        guard let day = Day(year: month.value.first.year, month: month.value.first.month, day: number.value) else {
            return nil
        }
        if !month.value.isFixed, day <= today { return DayFound(.day(nextDay(number.value)), index..<month.next) }
        return DayFound(.day(day), index..<month.next)
    }

    /// "32 April", "April 45th": the number of no day. Words that are also no months need a sign that they are one.
    private func tooLarge(at index: Int) -> Found<Int>? {
        guard let token = self[index], token.kind == .number, token.digits == 2, token.value > 31 else { return nil }
        let month = [index - 1, index + 1, index + 2].first { self[$0]?.has(.month) ?? false }
        guard let month, token.isOrdinal || !isWord(month, "may", "march", "mar", "sun", "sat"),
            token.isOrdinal || month > index && isWord(index - 1, "on", "the", "by", "until", "from")
        else { return nil }
        return Found(token.value, index + 1)
    }

    /// "the 14th", "1st".
    func dayOfMonth(at index: Int) -> DayFound? {
        let hasArticle = isWord(index - 1, "the")
        let isAccepted =
            tokens[index].isOrdinal
            || hasArticle && isWord(index - 2, "on", "by", "before", "until", "from", "to", "for")
            || !isChat && hasArticle
        guard isAccepted, let number = tokens[index].isOrdinal || isChat ? ordinal(at: index) : dayNumber(at: index),
            number.value > 0, !isNoun(number.next)
        else { return nil }
        guard number.value <= 31 else {
            // "the 50th" may be of many things, "on the 32nd" is of a month.
            let isOn = hasArticle && isWord(index - 2, "on", "by", "until")
            return isOn && number.value < 40 ? DayFound(.noDay, index..<number.next) : nil
        }
        var found = DayFound(.day(nextDay(number.value)), index..<number.next)
        found.isLoose = true
        return found
    }

    /// Whether a word goes with the ordinal before it: "the 3rd time".
    private func isNoun(_ index: Int) -> Bool {
        guard let token = self[index], token.kind == .word, token.isSpaced else {
            return isMark(index, "-") && isJoined(index)
        }
        return token.traits.isDisjoint(with: [
            .english, .preposition, .conjunction, .adverb, .auxiliary, .opener, .weekday, .month, .me, .us, .you,
            .others, .question,
            .evening,
        ]) || isWord(index, "one", "time", "day")
            || token.has([.ordinal, .unit, .gathering, .looseGathering]) && !token.has(.english)
    }

    /// 9/18, 9/18/2026, 30.06.2027, 2026-03-04, 2019/aug/01, 2014/10.
    func numeric(at index: Int) -> DayFound? {
        guard let token = self[index], token.kind == .number, !token.isOrdinal, token.digits <= 4,
            self[index + 1]?.kind == .mark,
            isJoined(index + 1), isJoined(index + 2), let separator = self[index + 1]?.text,
            ["/", "-", "."].contains(separator),
            !(separator == "." && isWord(index + 3, "am", "pm", "a", "p", "h")),
            let second = self[index + 2]
        else { return nil }
        let month = second.has(.month) ? Int(second.lexeme.month) : second.kind == .number ? second.value : 0
        guard month > 0, !second.isOrdinal else { return nil }
        let hasThird =
            isMark(index + 3, separator) && isJoined(index + 3) && isJoined(index + 4)
            && self[index + 4]?.kind == .number
        if token.digits == 4 {
            guard 1900...2199 ~= token.value else { return nil }
            if hasThird, let day = Day(year: token.value, month: month, day: tokens[index + 4].value) {
                // "2026-03-04T18:00"
                let isJoint = isWord(index + 5, "t") && isJoined(index + 5) && isJoined(index + 6)
                return given(day, index..<index + (isJoint ? 6 : 5))
            }
            if hasThird, tokens[index + 4].digits == 2, second.digits == 2 {
                return DayFound(.noDay, index..<index + 5)
            }
            guard separator != ".", 1...12 ~= month, !isChat, second.digits == 2 || second.has(.month) else {
                return nil
            }
            let first = Day(year: token.value, month: month)
            return DayFound(.period(first, first.adding(months: 1)), index..<index + 3)
        }
        if !isChat, second.digits == 4, 1900...2199 ~= second.value, 1...12 ~= token.value, !hasThird {
            let first = Day(year: second.value, month: token.value)
            return DayFound(.period(first, first.adding(months: 1)), index..<index + 3)
        }
        guard token.digits <= 2, second.digits <= 2 else { return nil }
        if hasThird { return dayMonthYear(token.value, month, second.has(.month), tokens[index + 4], at: index) }
        guard !second.has(.month),
            separator == "/" || separator == "." && !isChat
                || separator == "-" && !isChat && max(token.value, second.value) > 24
                || separator == "-" && !isChat && isMark(index + 3, "/"),
            !isFraction(index)
        else { return nil }
        let order = !isChat || moment.isMonthFirst ? (token.value, month) : (month, token.value)
        for (month, number) in [order, (order.1, order.0)]
        where 1...12 ~= month && 1...Day.count(in: month, of: 2000) ~= number {
            var found = DayFound(.day(coming(month: month, day: number)), index..<index + 3)
            if isWord(index - 1, "this"), let own = Day(year: today.year, month: month, day: number) {
                found.value = .day(own)
            }
            found.isLoose = true
            return found
        }
        return nil
    }

    private func given(_ day: Day, _ range: Range<Int>) -> DayFound {
        var found = DayFound(.day(day), range, isPast: day < today)
        found.hasYear = true
        return found
    }

    private func dayMonthYear(_ first: Int, _ second: Int, _ isNamed: Bool, _ third: Token, at index: Int) -> DayFound?
    {
        guard third.digits == 4 || third.digits == 2 else { return nil }
        let year = third.digits == 4 ? third.value : third.value + (third.value > 60 ? 1900 : 2000)
        let isMonthFirst = !isNamed && (!isChat || moment.isMonthFirst)
        let orders = isMonthFirst ? [(first, second), (second, first)] : [(second, first), (first, second)]
        for (month, number) in orders {
            if let day = Day(year: year, month: month, day: number) { return given(day, index..<index + 5) }
        }
        // "31/04/2026"; with two digits it may be a version.
        return third.digits == 4 && 1900...2199 ~= year ? DayFound(.noDay, index..<index + 5) : nil
    }

    /// "24/7", "50/50", "1/2 hour", "9/10".
    private func isFraction(_ index: Int) -> Bool {
        let (above, below) = (tokens[index].value, tokens[index + 2].value)
        if above == 24 && below == 7 || above == below && above > 12 { return true }
        if self[index + 3]?.lexeme.unit != Unit.none, self[index + 3] != nil { return true }
        if isMark(index - 1, "$") || isMark(index + 3, "%") { return true }
        return isChat
            && (isWord(index + 3, "of", "cup", "full", "split", "price", "way")
                || below == 10 && above <= 10 && !isDated(index))
    }

    private func isDated(_ index: Int) -> Bool { isWord(index - 1, "on", "by", "until", "before", "from", "due") }

    struct MonthName {
        var first: Day
        /// Whether the words say which year's month it is.
        var isFixed = false
        /// After how many months the next one is that the words could mean.
        var step = 12
    }

    /// "March", "March 2027", "this month", "the month", "next month", "every month".
    func monthName(at index: Int) -> Found<MonthName>? {
        if let token = self[index], token.has(.month) {
            let number = Int(token.lexeme.month)
            if let year = yearSuffix(at: index + 1) {
                return Found(MonthName(first: Day(year: year.value, month: number), isFixed: true), year.next)
            }
            let own = Day(year: today.year, month: number)
            let isOver = own.adding(months: 1) <= today
            return Found(MonthName(first: isOver ? own.adding(months: 12) : own), index + 1)
        }
        let next = isWord(index, "the") ? index + 1 : index
        let first = today.firstOfMonth
        if isWord(next, "month") { return Found(MonthName(first: first, isFixed: !isChat, step: 1), next + 1) }
        guard self[next + 1]?.lexeme.unit == .month else { return nil }
        switch word(next) {
        case "this", "current": return Found(MonthName(first: first, isFixed: true), next + 2)
        case "next", "following", "coming":
            return Found(MonthName(first: first.adding(months: 1), isFixed: true), next + 2)
        case "last", "previous": return Found(MonthName(first: first.adding(months: -1), isFixed: true), next + 2)
        case "every", "each": return Found(MonthName(first: first, step: 1), next + 2)
        default: return nil
        }
    }

    /// A month without a day: a period.
    func month(at index: Int) -> DayFound? {
        if isWord(index, "may", "march", "mar", "sun"), isChat { return nil }
        if let next = after(index + 1, "after", "next"), let month = monthName(at: index) {
            let first = month.value.first <= today ? month.value.first.adding(months: 12) : month.value.first
            let later = first.adding(months: 12)
            return DayFound(.period(later, later.adding(months: 1)), index..<next)
        }
        guard let month = monthName(at: index) else { return nil }
        var found = DayFound(.period(month.value.first, month.value.first.adding(months: 1)), index..<month.next)
        found.isLoose = !month.value.isFixed
        return found
    }
}

extension Token {
    var traits: Traits { lexeme.traits }
}
