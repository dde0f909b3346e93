// Where a message is cut into clauses.

extension Analysis {
    func isSentenceEnd(_ index: Int) -> Bool {
        let token = tokens[index]
        guard token.kind == .mark else { return false }
        switch token.text {
        case "!", "?", "\n", "…", ";": return true
        // "£12" is one word.
        case "·": return !(tokens[safe: index + 1].map { $0.kind == .number && !$0.isSpaced } ?? false)
        case ".":
            guard let next = tokens[safe: index + 1] else { return true }
            if !next.isSpaced { return next.kind == .mark }
            let before = tokens[safe: index - 1]
            return
                !(before.map { ["dr", "mr", "mrs", "ms", "st", "prof", "vs", "no"].contains($0.text) && $0.isCapital }
                ?? false)
        case "-": return token.isSpaced && (tokens[safe: index + 1]?.isSpaced ?? true)
        default: return false
        }
    }

    /// Where the next clause begins, if this token divides two.
    func clauseStart(at index: Int) -> Int? {
        let token = tokens[index]
        let isComma = token.isMark(",") || token.isMark("(")
        let isIf = (token.text == "if" || token.text == "unless") && !isWhether(index)
        if isIf { return index }
        if isSubordinate(index) { return index }
        if isOrderAfter(index) { return index }
        guard isComma || token.has(.conjunction), token.text != "if" else { return nil }
        var next = index + 1
        while next - index < 16, let word = tokens[safe: next],
            word.has([.conjunction]) || word.has(.opener) && word.kind == .word && word.text != "all",
            word.text != "please", word.text != "if"
        {
            next += 1
        }
        guard let first = tokens[safe: next], first.kind == .word else { return nil }
        if token.text == "when" || token.text == "after" || token.text == "before" || token.text == "as"
            || token.text == "since"
        {
            return nil
        }
        // "mum and I have settled" has one subject.
        let left = (clauses.last?.tokens.upperBound ?? 0)..<index
        if token.text == "and", left.count <= 3, !hasTrait([.auxiliary, .task, .past], in: left),
            !says(.day, .clock, in: left)
        {
            return nil
        }
        // "a colour and cut on Friday": two nouns.
        if token.text == "and", tokens[safe: index - 2]?.has([.article, .possessive]) ?? false,
            tokens[safe: next + 1]?.has(.preposition) ?? true, piece(at: next + 2) != nil
        {
            return nil
        }
        return beginsClause(next, isComma || token.text != "or") ? (isComma ? index + 1 : index) : nil
    }

    /// "if you're not coming tell Sue", "if you need a lift let me know", "dinner's friday at 7 bring a dish": an order
    /// after a condition, a time or a price, with no mark between.
    private func isOrderAfter(_ index: Int) -> Bool {
        let start = clauses.last?.tokens.upperBound ?? 0
        guard tokens[index].has(.task), index > start + 1, let next = tokens[safe: index + 1], next.kind == .word else {
            return false
        }
        let before = tokens[index - 1]
        if tokens[start].text == "if" {
            return next.has([.me, .us]) && !before.has([.you, .auxiliary, .adverb]) && before.text != "to"
                || ["coming", "going", "interested", "attending", "joining", "in", "free", "able", "can"].contains(
                    before.text)
        }
        let left = start..<index
        return next.has([.article, .possessive, .me, .us]) && !tokens[index].has([.gathering, .looseGathering])
            && (before.text == "each" || piece(at: index - 1) != nil) && left.count <= 30
            && !hasTrait([.me, .us, .you, .others, .task], in: left) && says(.day, .clock, in: left)
            && hasTrait([.gathering, .looseGathering], in: left)
    }

    /// "when the build's done", "once you're home": what it says is no part of the main clause.
    func isSubordinate(_ index: Int) -> Bool {
        guard
            ["when", "once", "whether", "because", "since", "while", "after", "before", "until", "although", "whereas"]
                .contains(tokens[index].text),
            let next = tokens[safe: index + 1],
            piece(at: index) == nil, piece(from: index + 1) == nil
        else { return false }
        if next.has([.me, .us, .others]) || next.text == "you" { return true }
        guard next.has([.article, .possessive]) || next.isCapital else { return false }
        return tokens[index + 1..<min(tokens.count, index + 6)].contains { $0.has(.auxiliary) || $0.has(.taskThird) }
    }

    func isWhether(_ index: Int) -> Bool {
        // "let me know by Thursday if you can": a date may stand between.
        var position = index - 1
        while let piece = piece(at: position) {
            position = piece.tokens.lowerBound - 1
            if let word = tokens[safe: position], ["by", "before", "on", "until"].contains(word.text) { position -= 1 }
        }
        guard let before = tokens[safe: position] else { return false }
        return ["know", "see", "check", "ask", "asked", "wonder", "sure", "tell", "as", "even", "what"].contains(
            before.text)
    }

    /// "quick call at 4, joining?": before the mark.
    private static let calls: Set<Word> = ["joining", "join", "coming", "keen", "interested", "game"]

    func beginsClause(_ index: Int, _ allowsVerb: Bool) -> Bool {
        let token = tokens[index]
        let next = tokens[safe: index + 1]
        switch token.text {
        case "i", "we", "he", "she", "they": return true
        // "brunch sunday 11am, you in?"
        case "you" where ["in", "keen", "game", "coming", "joining"].contains(next?.text ?? ""): return true
        case "you", "it", "that", "there", "this", "who", "someone", "everyone", "everybody", "y'all":
            return next.map { $0.has([.auxiliary, .adverb, .past, .task]) || $0.has(.taskThird) } ?? false
        // "I'll book the lane, see you there"
        case "see" where tokens[safe: index - 1]?.isMark(",") ?? false && next?.has(.you) ?? false: return true
        case "meet"
        where allowsVerb && tokens[index - 1].kind == .word && next?.has([.preposition, .me, .us, .you]) ?? false
            || tokens[index - 1].isMark(",") && (next?.kind == .number || next?.has(.preposition) ?? false):
            return true
        // "tea at Betty's at 3, want to join?"
        case "want" where tokens[safe: index - 1]?.isMark(",") ?? false && next?.text == "to": return true
        case "join" where allowsVerb && next?.has([.me, .us]) ?? false: return true
        case _ where next?.isMark("?") ?? false && Self.calls.contains(token.text): return true
        case "let", "please", "remind", "make", "if", "kindly", "maybe", "ping", "poke", "nudge": return true
        // "raid starts at 9, be online before"
        case "be": return tokens[safe: index - 1]?.isMark(",") ?? false
        case "need", "must", "got", "going":
            return next?.has(.task) ?? false || next?.text == "to" && tokens[safe: index + 2]?.has(.task) ?? false
        case "do": return next?.text == "n't" || next?.has(.you) ?? false
        case "will" where next?.has(.task) ?? false: return true
        // "appointment at 2, might be late", "test tomorrow so no breakfast".
        case "might", "may":
            if next.map({ $0.has(.task) || ["be", "have", "need", "not", "n't"].contains($0.text) }) ?? false {
                return true
            }
        case "will" where next?.text == "n't": return true
        case "can" where next?.text == "n't": return true
        // "not yet, doing it tonight"
        case "doing": return next.map { ["it", "that", "this"].contains($0.text) } ?? false
        case "no": return tokens[safe: index - 1].map { ["so", "then", "hence"].contains($0.text) } ?? false
        case "can", "could", "will", "would", "shall", "is", "are", "should":
            return next?.has([.me, .us, .you, .others, .article, .group]) ?? false
        case "what", "when", "where", "how", "which": return next.map { $0.has(.auxiliary) || $0.isMark("?") } ?? false
        default: break
        }
        let isNoun =
            token.has([.gathering, .looseGathering])
            && !(next.map { $0.has([.article, .possessive, .kin, .you]) || $0.isCapital } ?? false)
        if allowsVerb, token.has(.task), !isNoun, next.map({ !$0.has(.auxiliary) && $0.kind == .word }) ?? false {
            return true
        }
        // "prom is 3 july, tickets by the 20th": a thing and its limit, after a day.
        if tokens[index - 1].isMark(","), token.has(.thing),
            let limit = (index + 1..<index + 5).first(where: { piece(at: $0) != nil }),
            piece(at: limit)?.isDeadline ?? false, says(.day, in: (clauses.last?.tokens.upperBound ?? 0)..<index)
        {
            return true
        }
        // "the deck for Anders is due", "my brother needs": a subject, then its verb; "parents evening Thursday at 6".
        let end = min(tokens.count, index + 7)
        if token.has([.article, .possessive, .kin]) || token.isCapital {
            for position in index + 1..<max(index + 1, end) {
                if tokens[position].kind == .mark { break }
                if tokens[position].has([.auxiliary, .taskThird]),
                    tokens[position].text != "'s" || tokens[safe: position + 1]?.text == "due"
                {
                    return true
                }
            }
        }
        return hasOwnGathering(index)
    }

    /// Whether a gathering with a time of its own follows, and another one is before.
    func hasOwnGathering(_ index: Int) -> Bool {
        let end = min(tokens.count, index + 8)
        var gathering: Int?
        for position in index..<end {
            if tokens[position].isMark(",") || tokens[position].isMark(".") { break }
            if tokens[position].has([.gathering, .looseGathering]), position < index + 4 {
                gathering = gathering ?? position
            }
        }
        let start = max(clauses.last?.tokens.upperBound ?? 0, index - 40)
        let (left, right) = (start..<index, index..<end)
        if says(.day, in: left), says(.clock, in: left), says(.day, in: right), says(.clock, in: right),
            !says(.day, .clock, in: index..<min(index + 2, end))
        {
            return true
        }
        guard let gathering else { return false }
        // "Ana wants us to meet her parents, dinner on Saturday at 8", "she lands at 5 so dinner's at 8".
        if tokens[gathering].has(.gathering), gathering <= index + 1,
            tokens[index - 1].text == "so"
                || tokens[index - 1].isMark(",") && left.count > 4 && !says(.day, .clock, in: left),
            says(.day, .clock, in: gathering..<min(tokens.count, gathering + 4)),
            !hasTrait([.gathering, .looseGathering], in: left)
        {
            return true
        }
        // "bring your swimsuit, pool party saturday at noon".
        let begin = Cues.begin(of: left, tokens)
        if begin < index, tokens[begin].has(.task), !tokens[begin].has([.gathering, .looseGathering]),
            tokens[gathering].has(.gathering), !hasTrait([.gathering, .looseGathering], in: left),
            says(.day, .clock, in: gathering..<min(tokens.count, gathering + 4)), !says(.day, .clock, in: left)
        {
            return true
        }
        guard hasTrait([.gathering, .looseGathering], in: max(0, index - 14)..<index) else { return false }
        return says(.day, .clock, in: gathering..<min(tokens.count, gathering + 7))
            && says(.day, .clock, in: max(0, index - 10)..<index)
    }
}
