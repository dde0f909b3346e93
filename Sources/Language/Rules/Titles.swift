extension Reading {
    /// The words of a range without the dates among them and the prepositions before those.
    private func words(of range: Range<Int>, without pieces: [Piece], in analysis: Analysis) -> String {
        var kept: [Int] = []
        for index in range.prefix(60) where pieces.isEmpty || analysis.piece(at: index) == nil { kept.append(index) }
        func isLoose(_ index: Int) -> Bool {
            let token = analysis.tokens[index]
            return token.kind == .mark || token.has([.preposition, .conjunction]) && token.text != "with"
                || [
                    "then", "the", "please", "later", "than", "no", "due", "is", "are", "'s", "be", "will", "on",
                    "latest",
                ].contains(token.text)
        }
        // A preposition before a date goes with it.
        kept = kept.enumerated().filter { offset, index in
            let token = analysis.tokens[index]
            guard token.has(.preposition) || token.kind == .mark && ["@", "~", "-", "("].contains(token.text) else {
                return true
            }
            return !pieces.contains {
                $0.tokens.lowerBound == index + 1
                    || $0.tokens.lowerBound == index + 2 && !analysis.tokens[index + 1].has(.gathering)
                        && analysis.tokens[index + 1].has([.preposition, .article])
            }
        }.map(\.element)
        while let last = kept.last, isLoose(last) { kept.removeLast() }
        while let first = kept.first,
            analysis.tokens[first].kind == .mark || analysis.tokens[first].has([.conjunction])
                || ["to", "that", "the", "a", "an", "our", "is"].contains(analysis.tokens[first].text)
        {
            kept.removeFirst()
        }
        var text = ""
        var previous: Int?
        for index in kept {
            let token = analysis.tokens[index]
            if let previous, analysis.tokens[previous].start == token.start, analysis.tokens[previous].end == token.end
            {
                continue
            }
            if !text.isEmpty, token.isSpaced || previous.map({ $0 + 1 != index }) ?? false { text += " " }
            text += analysis.text(index..<index + 1)
            previous = index
        }
        return shortened(text)
    }

    /// In a title's form: a capital at the begin, not too long.
    private func shortened(_ text: String) -> String {
        var text = text[...]
        while let last = text.last, " ,.!?;:-".contains(last) { text = text.dropLast() }
        while let first = text.first, " ,.!?;:-".contains(first) { text = text.dropFirst() }
        if text.count > 80 {
            text = text.prefix(80)
            if let space = text.lastIndex(of: " ") { text = text[..<space] }
        }
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    func title(ofTask clause: Clause, after start: Int) -> String {
        var start = start
        let skipped: Traits = [.me, .us, .you, .auxiliary, .adverb, .group]
        while start < clause.tokens.upperBound,
            tokens[start].has(skipped) && !tokens[start].has(.task) || tokens[start].kind == .mark
                || [
                    "to", "n't", "not", "forget", "remember", "make", "sure", "please", "going", "need", "have",
                    "about", "got", "note", "self", "that",
                ].contains(tokens[start].text) && start + 1 < clause.tokens.upperBound
        {
            start += 1
        }
        let title = words(of: start..<clause.tokens.upperBound, without: clause.pieces, in: analysis)
        if title.count > 2 { return title }
        return words(of: clause.begin..<clause.tokens.upperBound, without: clause.pieces, in: analysis)
    }

    func title(ofEvent clause: Clause) -> String {
        Self.eventTitle(clause, in: analysis) { range, pieces in words(of: range, without: pieces, in: analysis) }
            ?? talkTitle ?? "Meet"
    }

    /// The gathering with the nouns before it, and with whom.
    private static func eventTitle(_ clause: Clause, in analysis: Analysis, _ words: (Range<Int>, [Piece]) -> String)
        -> String?
    {
        let tokens = analysis.tokens
        func isOfTitle(_ index: Int) -> Bool {
            let token = tokens[index]
            return token.kind == .word
                && token.traits.isDisjoint(with: [
                    .auxiliary, .preposition, .conjunction, .opener, .adverb, .me, .us, .you, .article, .doing, .past,
                    .question,
                ])
                && !clause.pieces.contains { $0.tokens.contains(index) } || token.text == "'s"
        }
        func isGathering(_ index: Int) -> Bool {
            tokens[index].has(.gathering) && !clause.pieces.contains { $0.tokens.contains(index) }
        }
        guard
            let main: Int = clause.tokens.first(where: isGathering)
                ?? clause.tokens.first(where: { tokens[$0].has(.looseGathering) })
        else { return nil }
        var (first, last) = (main, main + 1)
        while first > clause.tokens.lowerBound, main - first < 4, isOfTitle(first - 1) { first -= 1 }
        while last < clause.tokens.upperBound, last - main < 3,
            tokens[last].has([.gathering, .looseGathering])
                || isOfTitle(last) && tokens[last - 1].has([.gathering, .looseGathering]) && tokens[last].kind == .word
                    && !tokens[last].isCapital
        { last += 1 }
        if last + 1 < clause.tokens.upperBound, tokens[last].text == "with" {
            last += 2
            while last < clause.tokens.upperBound, tokens[last].kind == .word, tokens[last].isCapital,
                !clause.pieces.contains(where: { $0.tokens.contains(last) })
            { last += 1 }
        }
        return words(first..<last, clause.pieces)
    }

    private var talkTitle: String? {
        for other in talk.messages.reversed() {
            for clause in other.clauses where other.hasTrait([.gathering, .looseGathering], in: clause.tokens) {
                if let title = Self.eventTitle(
                    clause, in: other, { range, pieces in words(of: range, without: pieces, in: other) })
                {
                    return title
                }
            }
        }
        return nil
    }

    var titleFromTalk: String {
        if let talkTitle { return talkTitle }
        guard let asked = talk.messages.last(where: { $0.isQuestion }) ?? talk.messages.last else { return "Meet" }
        return words(of: asked.tokens.indices, without: asked.pieces, in: asked)
    }

    func title(ofDecision index: Int, _ cue: Range<Int>) -> String {
        let clause = clauses[index]
        let after = words(of: cue.upperBound..<clause.tokens.upperBound, without: [], in: analysis)
        if after.count > 3 { return after }
        let whole = words(of: clause.begin..<clause.tokens.upperBound, without: [], in: analysis)
        if clauses.indices.contains(index + 1), whole.count < 12 {
            return whole + ": " + words(of: clauses[index + 1].tokens, without: [], in: analysis)
        }
        return whole
    }

    // MARK: Places

    var location: String? { analysis.place }
    var locationFromTalk: String? { talk.messages.reversed().lazy.compactMap(\.place).first }
}
