extension Grammar {
    /// "every 3rd friday", "each last Monday": the next of those that months have. "every second Tuesday" is every
    /// other one.
    func monthly(at index: Int, from start: Int) -> DayFound? {
        let number = isWord(index, "last") ? Found(-1, index + 1) : isWord(index, "second") ? nil : ordinal(at: index)
        guard let number, number.value <= 5, number.value != 0, let token = self[number.next], token.has(.weekday),
            !isWord(number.next + 1, "of", "in")
        else { return nil }
        let weekday = Int(token.lexeme.weekday)
        for month in 0..<12 {
            let first = today.firstOfMonth.adding(months: month)
            let last = first + (Day.count(in: first.month, of: first.year) - 1)
            let day =
                number.value < 0
                ? last - (last.weekday - weekday).modulo(7)
                : first + ((weekday - first.weekday).modulo(7) + (number.value - 1) * 7)
            guard day > today, day <= last else { continue }
            var found = DayFound(.day(day), start..<number.next + 1)
            found.isRecurring = true
            return found
        }
        return nil
    }
}
