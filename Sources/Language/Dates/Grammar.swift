/// Reads dates and times. Each rule looks at a bounded number of tokens from a position and returns what it found, so
/// that the work grows with the tokens.
struct Grammar {
    let tokens: [Token]
    let moment: Moment
    let style: DateStyle
    /// The day in the zone whose days the text means.
    let today: Day
    var isChat: Bool { style == .chat }

    init(_ tokens: [Token], at moment: Moment, _ style: DateStyle, today: Day? = nil) {
        (self.tokens, self.moment, self.style, self.today) = (tokens, moment, style, today ?? moment.today)
    }

    /// All pieces of the text, in order.
    func pieces(in range: Range<Int>? = nil) -> [Piece] {
        let range = range ?? tokens.indices
        var found: [Piece] = []
        var index = range.lowerBound
        while index < range.upperBound {
            if canBegin(index), var piece = piece(at: index, after: found.last),
                piece.tokens.upperBound <= range.upperBound
            {
                qualify(&piece)
                moveBeforeWeekend(&piece)
                found.append(piece)
                index = piece.tokens.upperBound
            } else {
                index += 1
            }
        }
        return isChat ? possible(found) : found
    }

    /// Without what a sentence says beside a day that no calendar has: its time is not one of another day.
    private func possible(_ pieces: [Piece]) -> [Piece] {
        let wrong = pieces.filter(\.isNoDay)
        guard !wrong.isEmpty else { return pieces }
        return pieces.filter { piece in
            !wrong.contains { other in
                let (first, last) = (
                    min(piece.tokens.lowerBound, other.tokens.lowerBound),
                    max(piece.tokens.lowerBound, other.tokens.lowerBound)
                )
                return !(first..<last).contains {
                    tokens[$0].kind == .mark && ["!", "?", "\n"].contains(tokens[$0].text) || isSentenceEnd($0)
                }
            }
        }
    }

    private func isSentenceEnd(_ index: Int) -> Bool {
        isMark(index, ".") && (self[index + 1]?.isSpaced ?? true) && (self[index + 1]?.isCapital ?? true)
    }

    /// Most words begin no date.
    private func canBegin(_ index: Int) -> Bool {
        let token = tokens[index]
        return token.kind == .number || token.has([.cardinal, .ordinal, .month, .weekday, .timeStart])
    }

    private func piece(at index: Int, after previous: Piece?) -> Piece? {
        if let found = dayRange(at: index) { return found }
        // "06-11-2024" is no range of hours.
        if tokens[index].kind == .number, let found = numeric(at: index), found.hasYear { return found.piece }
        if let found = clockRange(at: index, after: previous) { return Piece(found.value, index..<found.next) }
        if let found = relative(at: index) { return found }
        if let found = day(at: index) { return found.piece }
        if let found = part(at: index) { return found }
        if let found = clock(at: index, allowsBare: expectsClock(before: index, after: previous)) {
            return Piece(.clock(found.value), index..<found.next)
        }
        return nil
    }

    // MARK: Tokens

    subscript(index: Int) -> Token? { tokens.indices.contains(index) ? tokens[index] : nil }

    func word(_ index: Int) -> Word {
        guard tokens.indices.contains(index), tokens[index].kind == .word else { return .empty }
        return tokens[index].text
    }

    func isWord(_ index: Int, _ words: Word...) -> Bool {
        let word = word(index)
        return !word.isEmpty && words.contains(word)
    }

    func isMark(_ index: Int, _ mark: Word) -> Bool {
        tokens.indices.contains(index) && tokens[index].kind == .mark && tokens[index].text == mark
    }

    /// The position after these words, if they are here.
    func after(_ index: Int, _ words: Word...) -> Int? {
        var position = index
        for expected in words {
            guard tokens.indices.contains(position), tokens[position].text == expected else { return nil }
            position += 1
        }
        return position
    }

    /// Whether a token follows the one before without white space.
    func isJoined(_ index: Int) -> Bool { tokens.indices.contains(index) && !tokens[index].isSpaced }

    // MARK: Numbers

    /// A number in digits or words, below 100 in words.
    func cardinal(at index: Int) -> Found<Int>? {
        guard let token = self[index] else { return nil }
        if token.kind == .number { return token.isOrdinal || token.value < 0 ? nil : Found(token.value, index + 1) }
        guard token.has(.cardinal) else { return nil }
        let tens = Int(token.lexeme.number)
        guard tens >= 20 else { return Found(tens, index + 1) }
        let unit = isMark(index + 1, "-") ? index + 2 : index + 1
        if let next = self[unit], next.has(.cardinal), 1...9 ~= next.lexeme.number {
            return Found(tens + Int(next.lexeme.number), unit + 1)
        }
        return Found(tens, index + 1)
    }

    /// "14th", "fourteenth", "twenty-first".
    func ordinal(at index: Int) -> Found<Int>? {
        guard let token = self[index] else { return nil }
        if token.kind == .number { return token.isOrdinal ? Found(token.value, index + 1) : nil }
        if token.has(.ordinal) { return Found(Int(token.lexeme.number), index + 1) }
        guard token.has(.cardinal), token.lexeme.number >= 20 else { return nil }
        let unit = isMark(index + 1, "-") ? index + 2 : index + 1
        guard let next = self[unit], next.has(.ordinal), next.lexeme.number < 10 else { return nil }
        return Found(Int(token.lexeme.number + next.lexeme.number), unit + 1)
    }

    /// The number of a day in a month.
    func dayNumber(at index: Int) -> Found<Int>? {
        if let found = ordinal(at: index), 1...31 ~= found.value { return found }
        guard let found = cardinal(at: index), 1...31 ~= found.value, self[index].map({ $0.digits <= 2 }) ?? false,
            !isClockAhead(index)
        else { return nil }
        return found
    }

    /// Whether the number here is that of a clock time: "7pm", "7:30".
    private func isClockAhead(_ index: Int) -> Bool {
        if isJoined(index + 1), isMark(index + 1, ":") { return true }
        if isWord(index + 1, "am", "pm", "o'clock") || isWord(index + 1, "h") && isJoined(index + 1) { return true }
        return isJoined(index + 1) && isWord(index + 1, "a", "p", "ish")
    }

    /// A year: "2027", "nineteen hundred ninety three", "twenty twenty six".
    func year(at index: Int) -> Found<Int>? {
        guard let token = self[index] else { return nil }
        if token.kind == .number {
            return token.digits == 4 && 1900...2199 ~= token.value && !isMark(index + 1, ":")
                && !isWord(index + 1, "hours", "hrs") && !(isWord(index + 1, "h") && isJoined(index + 1))
                ? Found(token.value, index + 1) : nil
        }
        guard token.has(.cardinal), let first = cardinal(at: index) else { return nil }
        if let thousand = after(first.next, "thousand"), first.value == 2 {
            let rest = isWord(thousand, "and") ? thousand + 1 : thousand
            let more = cardinal(at: rest)
            return Found(2000 + (more?.value ?? 0), more?.next ?? thousand)
        }
        guard 19...20 ~= first.value else { return nil }
        let next = after(first.next, "hundred") ?? first.next
        let rest = isWord(next, "and") ? next + 1 : next
        guard let more = cardinal(at: rest), 10...99 ~= more.value, self[rest]?.kind == .word else {
            return next > first.next ? Found(first.value * 100, next) : nil
        }
        return Found(first.value * 100 + more.value, more.next)
    }

    /// The position after a dash or one of the words between the ends of a range.
    func rangeSign(at index: Int) -> Int? {
        if isMark(index, "-") { return index + 1 }
        guard isWord(index, "to", "until", "through") else { return nil }
        return isWord(index, "until") && isWord(index + 1, "the") ? index + 2 : index + 1
    }
}
