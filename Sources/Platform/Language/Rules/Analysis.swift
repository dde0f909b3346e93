/// The cues of a clause.
struct CueSet: Sendable {
    private var bits: UInt64 = 0

    mutating func insert(_ cue: Cue) { bits |= 1 << UInt64(cue.rawValue) }
    func has(_ cues: Cue...) -> Bool { cues.contains { bits & 1 << UInt64($0.rawValue) != 0 } }
}

/// A part of a message with one verb, or none.
struct Clause: Sendable {
    var tokens: Range<Int>
    /// Where it begins after words such as "ok" and "so".
    var begin: Int
    var sentence: Int
    var isQuestion = false
    /// Whether an "if" stands in the same sentence.
    var isConditional = false
    var cues = CueSet()
    var matches: [CueMatch] = []
    var pieces: [Piece] = []

    func first(_ cues: Cue...) -> CueMatch? { matches.first { cues.contains($0.cue) } }
}

/// A text, cut into clauses, with what each word, date and phrase of it can mean.
struct Analysis: Sendable {
    let bytes: [UInt8]
    let tokens: [Token]
    let pieces: [Piece]
    private(set) var clauses: [Clause] = []
    /// For each token the number of the piece that it is in; -1 for none.
    private let pieceOfToken: [Int32]
    /// Whether the words are of another language.
    let isForeign: Bool
    let isQuestion: Bool
    /// The zone that the times are in, if it is not the sender's.
    let zone: ForeignZone?

    /// What is read of a text: bytes beyond are ignored.
    static let bytesMax = 4096

    init(_ text: String, at moment: Moment) {
        let bytes = Array(text.utf8.prefix(Self.bytesMax))
        let tokens = Tokenizer.tokens(bytes)
        (self.bytes, self.tokens) = (bytes, tokens)
        isForeign = Self.isForeign(tokens)
        let own = isForeign ? [] : Grammar(tokens, at: moment, .chat).pieces()
        let foreign = own.lazy.compactMap(Self.zone).first.flatMap { ForeignZone($0, moment) }
        zone = foreign
        pieces = foreign.map { Grammar(tokens, at: moment, .chat, today: $0.today).pieces() } ?? own
        var pieceOfToken = [Int32](repeating: -1, count: tokens.count)
        for (number, piece) in pieces.enumerated() { for index in piece.tokens { pieceOfToken[index] = Int32(number) } }
        self.pieceOfToken = pieceOfToken
        isQuestion = tokens.contains { $0.isMark("?") }
        if !isForeign { split() }
    }

    private static func zone(_ piece: Piece) -> ZoneName? {
        switch piece.value {
        case .clock(let clock): clock.zone
        case .clocks(let first, _): first.zone
        default: nil
        }
    }

    /// Whether more words belong to other languages than to English.
    private static func isForeign(_ tokens: [Token]) -> Bool {
        var (foreign, english, unknown, words) = (0, 0, 0, 0)
        for token in tokens {
            if token.text == "字" { unknown += 1 }
            guard token.kind == .word else { continue }
            words += 1
            if token.has(.english) { english += 1 } else if token.has(.foreign) { foreign += 1 }
        }
        return foreign > english && (foreign > 1 || words <= 4) || unknown > words
    }

    func text(_ range: Range<Int>) -> String {
        guard let first = tokens[safe: range.lowerBound], let last = tokens[safe: range.upperBound - 1],
            first.start < last.end
        else {
            return ""
        }
        return String(decoding: bytes[first.start..<last.end], as: UTF8.self)
    }

    func hasTrait(_ traits: Traits, in range: Range<Int>? = nil) -> Bool {
        tokens[range ?? tokens.indices].contains { $0.has(traits) }
    }

    func contains(_ words: String..., in range: Range<Int>? = nil) -> Bool {
        tokens[range ?? tokens.indices].contains { words.contains($0.text) }
    }

    // MARK: Pieces

    /// The date that a token is a part of.
    func piece(at index: Int) -> Piece? {
        guard let number = pieceOfToken[safe: index], number >= 0 else { return nil }
        return pieces[Int(number)]
    }

    /// The date that begins with a token.
    private func piece(from index: Int) -> Piece? {
        piece(at: index).flatMap { $0.tokens.lowerBound == index ? $0 : nil }
    }

    /// Whether a date begins in a range that says a day, a clock time, or either.
    private func says(_ what: Said..., in range: Range<Int>) -> Bool {
        range.contains { index in
            switch piece(from: index)?.value {
            case .day, .days, .sameDay: what.contains(.day)
            case .clock, .clocks: what.contains(.clock)
            case .instant: what.contains(.clock)
            default: false
            }
        }
    }

    private enum Said { case day, clock }

    // MARK: Clauses

    private mutating func split() {
        var start = 0
        var sentence = 0
        for index in tokens.indices {
            let isInPiece = piece(at: index).map { $0.tokens.lowerBound < index } ?? false
            guard index >= start, !isInPiece else { continue }
            if isSentenceEnd(index) {
                add(start..<index + 1, sentence)
                (start, sentence) = (index + 1, sentence + 1)
            } else if index > start, let next = clauseStart(at: index) {
                add(start..<next, sentence)
                start = next
            }
        }
        add(start..<tokens.count, sentence)
        markSentences()
    }

    private mutating func add(_ range: Range<Int>, _ sentence: Int) {
        guard !range.isEmpty else { return }
        if !tokens[range].contains(where: { $0.kind != .mark }) {
            // A second "?" or "!" belongs to the sentence before.
            if let last = clauses.indices.last {
                clauses[last].tokens = clauses[last].tokens.lowerBound..<range.upperBound
                if tokens[range].contains(where: { $0.isMark("?") }) { clauses[last].isQuestion = true }
            }
            return
        }
        var clause = Clause(tokens: range, begin: Cues.begin(of: range, tokens), sentence: sentence)
        if clause.begin == range.upperBound { clause.begin = range.lowerBound }
        Cues.matches(tokens, in: range, into: &clause.matches)
        clause.matches.removeAll { !isMeant($0) }
        for match in clause.matches { clause.cues.insert(match.cue) }
        clause.pieces = range.compactMap { piece(from: $0) }
        clause.isQuestion =
            tokens[range].last.map { $0.isMark("?") } ?? false && !isAssumed(clause) || isInverted(clause)
        clauses.append(clause)
    }

    private func isSentenceEnd(_ index: Int) -> Bool {
        let token = tokens[index]
        guard token.kind == .mark else { return false }
        switch token.text {
        case "!", "?", "\n", "…", ";", "·": return true
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
    private func clauseStart(at index: Int) -> Int? {
        let token = tokens[index]
        let isComma = token.isMark(",") || token.isMark("(")
        let isIf = (token.text == "if" || token.text == "unless") && !isWhether(index)
        if isIf { return index }
        if isSubordinate(index) { return index }
        // "if you're not coming tell Sue": the order after a condition.
        if token.has(.task), let first = tokens[safe: clauses.last?.tokens.upperBound ?? 0], first.text == "if",
            let before = tokens[safe: index - 1], let next = tokens[safe: index + 1], next.kind == .word,
            ["coming", "going", "interested", "attending", "joining", "in", "free", "able", "can"].contains(before.text)
        {
            return index
        }
        guard isComma || token.has(.conjunction), token.text != "if" else { return nil }
        var next = index + 1
        while let word = tokens[safe: next],
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
        return beginsClause(next, isComma || token.text != "or") ? (isComma ? index + 1 : index) : nil
    }

    /// "when the build's done", "once you're home": what it says is no part of the main clause.
    private func isSubordinate(_ index: Int) -> Bool {
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

    private func beginsClause(_ index: Int, _ allowsVerb: Bool) -> Bool {
        let token = tokens[index]
        let next = tokens[safe: index + 1]
        switch token.text {
        case "i", "we", "he", "she", "they": return true
        // "brunch sunday 11am, you in?"
        case "you" where ["in", "keen", "game", "coming", "joining"].contains(next?.text ?? ""): return true
        case "you", "it", "that", "there", "this", "who", "someone", "everyone", "everybody", "y'all":
            return next.map { $0.has([.auxiliary, .adverb, .past, .task]) || $0.has(.taskThird) } ?? false
        // "quick call at 4, joining?"
        case "see" where tokens[safe: index - 1]?.isMark(",") ?? false && next?.has(.you) ?? false: return true
        case "joining", "coming", "keen", "interested",
            "game" where next?.isMark("?") ?? false:
            return true
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
        case "will",
            "can" where next?.text == "n't":
            return true
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
    private func hasOwnGathering(_ index: Int) -> Bool {
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
        // "Ana wants us to meet her parents, dinner on Saturday at 8".
        if tokens[gathering].has(.gathering), gathering <= index + 1, tokens[index - 1].isMark(","), left.count > 4,
            !says(.day, .clock, in: left),
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

    /// "you're bringing the salad on Saturday yeah?": told, and only to be confirmed.
    private func isAssumed(_ clause: Clause) -> Bool {
        guard let first = tokens[safe: clause.begin], let second = tokens[safe: clause.begin + 1],
            first.has([.you, .us]), ["'re", "are"].contains(second.text), !clause.pieces.isEmpty,
            let last = tokens[clause.tokens].last(where: { $0.kind == .word })
        else { return false }
        return ["yes", "right", "okay"].contains(last.text)
    }

    /// "are we meeting", "when is it due": a question without its mark.
    private func isInverted(_ clause: Clause) -> Bool {
        guard let first = tokens[safe: clause.begin], let second = tokens[safe: clause.begin + 1],
            clause.begin + 1 < clause.tokens.upperBound
        else { return false }
        if first.has(.question) {
            // "what time's kickoff"
            let isOfTime =
                tokens[safe: clause.begin + 2]?.has(.auxiliary) ?? false
                && ["time", "day", "date", "place"].contains(second.text)
            let isAsked =
                isOfTime || second.has(.auxiliary) || second.text == "else" || first.text == "which"
                || first.text == "how"
            // "who schedules a dentist at 8?"
            if first.text == "who", second.has([.taskThird, .past]) || ["wants", "needs"].contains(second.text) {
                return true
            }
            return isAsked && !(first.text == "what" && second.text == "a")
        }
        guard first.has(.auxiliary), first.kind == .word, !first.text.hasPrefix("'") else { return false }
        switch first.text {
        case "have", "has", "had":
            return second.has([.us, .you, .others]) && second.text != "it" && second.text != "them"
        case "do": return second.has([.us, .you, .others, .me]) && second.text != "it" && second.text != "them"
        default: return second.has([.me, .us, .you, .others, .group, .article, .possessive]) || second.text == "there"
        }
    }

    /// A sentence with "?" is a question, except for a statement before its last clause.
    private mutating func markSentences() {
        var others = 0..<0
        for index in clauses.indices {
            if !others.contains(index) {
                let end = clauses[index...].firstIndex { $0.sentence != clauses[index].sentence } ?? clauses.count
                others = index..<end
            }
            // "if it rains, we'll meet inside", "I'll come if I can": the clause beside it is conditional too.
            clauses[index].isConditional = (index - 1...index + 1).contains {
                others.contains($0) && clauses[$0].cues.has(.conditional) && !isPolite(clauses[$0])
                    && !isReported(clauses[$0]) && !isOfItsOwn(clauses[max($0, index)], index == $0)
            }
            guard let last = others.last, index != last, clauses[last].isQuestion else { continue }
            let first = tokens[clauses[index].begin]
            let isStatement =
                (first.has([.me, .us]) || first.text == "let") && !clauses[index].cues.has(.tentative)
                && isTag(clauses[last]) || isRequestTag(clauses[last])
            // "absolutely, where?"
            let isAnswer =
                clauses[index].pieces.isEmpty
                && (tokens[clauses[index].tokens].allSatisfy { $0.kind != .word || $0.has([.opener, .adverb]) }
                    || clauses[index].cues.has(.accepts) && isInverted(clauses[last]) && !isInverted(clauses[index]))
            if !isStatement, !isAnswer, !isAnnounced(index, before: last) { clauses[index].isQuestion = true }
        }
        for index in clauses.indices.dropFirst()
        where clauses[index].isQuestion && (isTag(clauses[index]) || isRequestTag(clauses[index])) {
            clauses[index].isQuestion = false
        }
    }

    /// "yoga tomorrow at 7, who's in?": a gathering with its time, then a whole question.
    private func isAnnounced(_ index: Int, before last: Int) -> Bool {
        let clause = clauses[index]
        return (isInverted(clauses[last]) || isCall(clauses[last])) && !isInverted(clause)
            && !clause.cues.has(.tentative)
            && hasTrait([.gathering, .looseGathering], in: clause.tokens)
            && clause.pieces.contains { piece in
                switch piece.value {
                case .day, .days, .clock, .clocks, .instant: true
                default: false
                }
            }
    }

    /// "want to come?", "anyone joining?"
    private func isCall(_ clause: Clause) -> Bool {
        guard let first = tokens[safe: clause.begin] else { return false }
        // "you in?", "you guys coming?"
        let words = tokens[clause.tokens].filter { $0.kind == .word }
        if first.has(.you), words.count <= 4,
            ["in", "coming", "keen", "free", "game", "up", "joining"].contains(words.last?.text ?? "")
        {
            return true
        }
        return ["want", "fancy", "coming", "anyone", "interested", "joining", "care", "keen", "game"].contains(
            first.text)
            && clause.pieces.isEmpty
    }

    /// "… but I've booked it": a clause that the condition before it does not touch.
    private func isOfItsOwn(_ clause: Clause, _ isSame: Bool) -> Bool {
        !isSame && ["but", "and", "so", "plus"].contains(tokens[clause.tokens.lowerBound].text)
    }

    /// "I said I'd bring it", "I'd better call": no condition.
    private func isReported(_ clause: Clause) -> Bool {
        contains("said", "told", "promised", "agreed", "better", in: clause.tokens)
            && contains("'d", "would", in: clause.tokens)
            && !contains("if", "have", in: clause.tokens)
    }

    /// "if you fancy it", "if anyone's keen": an invitation.
    private func isPolite(_ clause: Clause) -> Bool {
        if clause.cues.has(.request), contains("could", "can", "would", in: clause.tokens) { return true }
        if contains("grateful", "appreciate", "obliged", in: clause.tokens) { return true }
        if contains(
            "great", "helpful", "nice", "lovely", "amazing", "appreciated", "awesome", "fantastic", "good", "brilliant",
            in: clause.tokens),
            contains("would", "'d", in: clause.tokens),
            contains("that", "it", "this", "which", in: clause.tokens) || tokens[clause.begin].text == "would"
        {
            return true
        }
        // "if you haven't yet, please vote"
        if contains("yet", "already", in: clause.tokens), contains("n't", "not", in: clause.tokens),
            hasTrait(.you, in: clause.tokens)
        {
            return true
        }
        // "come if you can".
        if contains("possible", in: clause.tokens), clause.tokens.count <= 4 { return true }
        if contains("can", "free", "able", in: clause.tokens), hasTrait([.you, .group], in: clause.tokens),
            clause.tokens.count <= 6, clause.pieces.isEmpty
        {
            return true
        }
        return contains(
            "fancy", "want", "wants", "like", "wish", "care", "interested", "keen", "fancies", "around", "coming",
            "attending", "joining",
            in: clause.tokens)
            && hasTrait([.you, .group], in: clause.tokens)
    }

    /// "grab some milk, would you?"
    private func isRequestTag(_ clause: Clause) -> Bool {
        let words = tokens[clause.tokens].filter { $0.kind == .word }
        return words.count == 2 && ["can", "could", "will", "would"].contains(words[0].text) && words[1].text == "you"
    }

    /// "ok?", "right?", "yeah?", "is that ok?".
    func isTag(_ clause: Clause) -> Bool {
        let words = tokens[clause.tokens].filter { $0.kind == .word }
        if words.allSatisfy({ $0.has(.opener) || ["right", "deal", "understood", "capiche"].contains($0.text) }) {
            return true
        }
        return words.count <= 4
            && words.contains { ["okay", "alright", "fine", "cool", "work", "works"].contains($0.text) }
            && clause.pieces.isEmpty
    }
}
