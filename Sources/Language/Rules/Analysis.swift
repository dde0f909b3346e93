/// The cues of a clause.
struct CueSet: Sendable {
    private var bits: UInt64 = 0

    mutating func insert(_ cue: Cue) { bits |= 1 << UInt64(cue.rawValue) }
    mutating func formUnion(_ other: CueSet) { bits |= other.bits }
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
    /// The cues of all clauses.
    private(set) var cues = CueSet()
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

    func contains(_ words: Word..., in range: Range<Int>? = nil) -> Bool {
        tokens[range ?? tokens.indices].contains { words.contains($0.text) }
    }

    // MARK: Pieces

    /// The date that a token is a part of.
    func piece(at index: Int) -> Piece? {
        guard let number = pieceOfToken[safe: index], number >= 0 else { return nil }
        return pieces[Int(number)]
    }

    /// The date that begins with a token.
    func piece(from index: Int) -> Piece? {
        piece(at: index).flatMap { $0.tokens.lowerBound == index ? $0 : nil }
    }

    /// Whether a date begins in a range that says a day, a clock time, or either.
    func says(_ what: Said..., in range: Range<Int>) -> Bool {
        range.contains { index in
            switch piece(from: index)?.value {
            case .day, .days, .sameDay: what.contains(.day)
            case .clock, .clocks: what.contains(.clock)
            case .instant: what.contains(.clock)
            default: false
            }
        }
    }

    enum Said { case day, clock }

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
        cues.formUnion(clause.cues)
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
            if first.text == "who",
                second.has([.taskThird, .past]) || second.text.hasSuffix("s") && second.lexeme.id <= 0
                    || ["wants", "needs"].contains(second.text)
            {
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
                    || clauses[index].cues.has(.accepts) && !isInverted(clauses[index])
                        && (isInverted(clauses[last]) || isEitherOr(clauses[last])))
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

    /// "zoom or in person?"
    private func isEitherOr(_ clause: Clause) -> Bool {
        contains("or", in: clause.tokens) && clause.pieces.isEmpty && clause.tokens.count <= 8
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
        return [
            "want", "fancy", "coming", "anyone", "interested", "join", "joining", "care", "keen", "game", "who",
        ].contains(first.text)
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
        // "if grandma wants to come"
        if contains("want", "wants", "likes", "fancies", in: clause.tokens), contains("come", "join", in: clause.tokens)
        {
            return true
        }
        return contains(
            "fancy", "want", "wants", "like", "wish", "care", "interested", "keen", "fancies", "around", "coming",
            "attending", "joining", "need", "needs", in: clause.tokens)
            && (hasTrait([.you, .group], in: clause.tokens) || clause.tokens.count <= 3)
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
