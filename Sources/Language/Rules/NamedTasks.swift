// Tasks without a verb: a thing, and when it is due or goes out.

extension Reading {
    /// "passport renewal by friday", "bins out tonight", "form signed by monday": what is named with a day or a limit
    /// is to be done.
    func namedTask(in clause: Clause) -> Range<Int>? {
        guard !clause.isQuestion, let date = clause.pieces.first(where: isOfTask),
            !clause.cues.has(.cancelled, .conditional, .opinion, .habit, .advice, .until, .schedule, .moved)
        else { return nil }
        // "note to everyone, keys back by 9"
        let comma = (clause.begin..<max(clause.begin, date.tokens.lowerBound)).last { tokens[$0].isMark(",") }
        var begin = comma.map { $0 + 1 } ?? clause.begin
        // "everyone's bits by Sunday"
        if tokens[safe: begin]?.text == "'s" { begin += 1 }
        guard begin < date.tokens.lowerBound else { return nil }
        let words = (begin..<date.tokens.lowerBound).filter {
            tokens[$0].kind != .mark && analysis.piece(at: $0) == nil
        }
        guard 1...8 ~= words.count, isNamed(words) else { return nil }
        let hasThing = words.contains { tokens[$0].has(.thing) }
        let isReturned = words.indices.contains {
            tokens[words[$0]].text == "back" && $0 > 0 && words.indices.contains($0 + 1)
                && tokens[words[$0 + 1]].text == "to"
        }
        guard
            hasThing || isReturned && date.isDeadline
                || !clause.cues.has(.news, .elsewhere, .history, .meeting, .invitation)
        else { return nil }
        let rest = tokens[date.tokens.upperBound..<max(date.tokens.upperBound, clause.tokens.upperBound)]
            .prefix { !$0.has(.conjunction) && $0.kind != .mark }
        guard !rest.contains(where: { $0.has([.auxiliary, .past, .me, .us, .others]) }) else { return nil }
        // "Enter by 1 May": one word is a thing if it is a known one, or several of them.
        if words.filter({ tokens[$0].text != "by" && tokens[$0].text != "before" }).count == 1, !hasThing,
            !tokens[words[0]].text.hasSuffix("s")
        {
            return nil
        }
        if date.isDeadline { return words[0]..<words[words.count - 1] + 1 }
        return hasThing && isPutAway(words) ? words[0]..<words[words.count - 1] + 1 : nil
    }

    private func isOfTask(_ piece: Piece) -> Bool {
        guard !piece.isPast, !piece.isRecurring, !piece.isDenied,
            tokens[safe: piece.tokens.lowerBound - 1]?.text != "until"
        else { return false }
        switch piece.value {
        case .day, .clock, .instant: return true
        case .part(let part): return part == .endOfDay
        default: return false
        }
    }

    /// Nouns, with small words between them; a participle only after a thing: "form signed".
    private func isNamed(_ words: [Int]) -> Bool {
        var hasThing = false
        for (offset, index) in words.enumerated() {
            let token = tokens[index]
            if token.has(.thing) {
                hasThing = true
                continue
            }
            let isSmall = token.has([.article, .preposition]) || token.kind == .number
            if token.has(.past), !hasThing || Self.told.contains(token.text) { return false }
            if token.has([.auxiliary, .me, .us, .you, .others, .question, .conjunction]), !isLinked(words, offset) {
                return false
            }
            if token.has([.taskThird, .tasking, .choosing, .doing]), !hasThing, offset > 0 { return false }
            if token.has([.staying, .body]) && !(token.text == "back" && tokens[index + 1].text == "to")
                || token.has(.kin) && !isOwner(index), !hasThing, !isSmall
            {
                return false
            }
            // "Tom's essay": of somebody who may not be here.
            if offset == 0, token.isCapital, token.lexeme.id == 0, tokens[safe: index + 1]?.text == "'s" {
                return false
            }
        }
        // "by friday": nothing but small words; "home by 6": a place.
        return words.contains {
            tokens[$0].kind == .word
                && !tokens[$0].has([.article, .preposition, .opener, .adverb, .possessive, .staying, .choosing])
                && !["bed", "asleep", "ready", "sober", "dead", "fine", "over", "everything"].contains(tokens[$0].text)
        }
    }

    /// What tells of the past, and is no participle.
    static let told: Set<Word> = [
        "went", "came", "arrived", "was", "were", "died", "ran", "broke", "got", "fell", "began",
    ]

    /// "Mum's form", "Milo's tablets".
    private func isOwner(_ index: Int) -> Bool { tokens[safe: index + 1]?.text == "'s" }

    /// "forms and money", "mum 's birthday card".
    private func isLinked(_ words: [Int], _ offset: Int) -> Bool {
        let text = tokens[words[offset]].text
        return offset > 0 && ["and", "'s", "or", "&"].contains(text)
    }

    /// "bins out", "books back", "rent", "PE kit": the thing, and at most where it goes.
    private func isPutAway(_ words: [Int]) -> Bool {
        guard let thing = words.lastIndex(where: { tokens[$0].has(.thing) }), words.count <= 6 else { return false }
        let after = words[(thing + 1)...].map { tokens[$0].text }
        // "2 quid for the cake sale"
        if after.first == "for" { return true }
        return after.allSatisfy {
            ["out", "in", "back", "off", "over", "away", "up", "down", "on", "for", "at", "to", "me", "be", "the"]
                .contains($0)
        }
    }
}
