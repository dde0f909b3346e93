/// What a phrase says about the clause it is in.
enum Cue: UInt8, Sendable {
    // Gatherings.
    case compound, meeting, invitation, schedule, moved, standing
    // Tasks.
    case remind, request, commitment, duty, due, until, delivered
    // Conclusions.
    case concluded, picked, inclined, ruled, voted, settles
    // Answers.
    case accepts, refuses, defers
    // What speaks against each of them.
    case tentative, conditional, cancelled, history, habit, elsewhere, news, noNeed, advice, opinion, undecided,
        personal,
        forgets, closed
}

/// Where a cue is.
struct CueMatch: Sendable {
    var cue: Cue
    var tokens: Range<Int>
}

/// The patterns of all cues, over words and traits.
///
/// A pattern is a line of elements, or a part of one up to `;`: `a|b` is one of these words, `{a|b}` one of these words
/// or a word with that trait, `_` any word; `?` after an element makes it optional, `^` before the pattern binds it to
/// the begin of a clause, `$` after it to the end.
struct Cues: Sendable {
    /// A word or some words at one place. Flat, since most tokens of a message are compared with some.
    private struct Element: Sendable {
        /// The words, as a range of ``Cues/ids``.
        var ids: Range<Int32>
        var traits: Traits = []
        var isOptional = false
        var isAny = false
    }

    private struct Pattern: Sendable {
        var cue: Cue
        /// A range of ``Cues/elements``.
        var elements: Range<Int>
        var isAtBegin: Bool
        var isAtEnd: Bool
    }

    private static let shared = Cues()

    private var patterns: [Pattern] = []
    private var elements: [Element] = []
    private var ids: [Int32] = []
    /// The numbers of the patterns that may begin with a listed word, as ranges by the word's id.
    private var starts: [Int] = []
    private var rangesByWord: [Range<Int>] = []
    private var byTrait: [(Traits, [Int])] = []

    /// All words that patterns name.
    static let words: [Substring] = CuePatterns.lists.flatMap { list in
        list.1.split(whereSeparator: { " \n;|?^${}".contains($0) }).filter { $0 != "_" }
    }

    private init() {
        var byFirstWord: [Int32: [Int]] = [:]
        var traits: [UInt64: [Int]] = [:]
        for (cue, list) in CuePatterns.lists {
            for pattern in list.split(whereSeparator: { "\n;".contains($0) }) {
                let index = patterns.count
                add(cue, pattern.drop { $0 == " " })
                // A pattern begins with its first element, or with one after it while they are optional.
                for element in elements[patterns[index].elements] {
                    for id in ids[range(element.ids)] { byFirstWord[id, default: []].append(index) }
                    if !element.traits.isEmpty { traits[element.traits.rawValue, default: []].append(index) }
                    if !element.isOptional { break }
                }
            }
        }
        byTrait = traits.map { (Traits(rawValue: $0.key), $0.value) }.sorted { $0.0.rawValue < $1.0.rawValue }
        let lexemes = Lexicon.lexemes.sorted { $0.id < $1.id }
        rangesByWord = [0..<0]
        for lexeme in lexemes {
            let first = starts.count
            starts += byFirstWord[lexeme.id] ?? []
            for (traits, patterns) in byTrait where !lexeme.traits.isDisjoint(with: traits) { starts += patterns }
            rangesByWord.append(first..<starts.count)
        }
    }

    private func range(_ ids: Range<Int32>) -> Range<Int> { Int(ids.lowerBound)..<Int(ids.upperBound) }

    private mutating func add(_ cue: Cue, _ line: Substring) {
        var text = line
        let isAtBegin = text.first == "^"
        if isAtBegin { text = text.dropFirst() }
        let isAtEnd = text.last == "$"
        if isAtEnd { text = text.dropLast() }
        let first = elements.count
        for part in text.split(separator: " ") {
            let firstID = Int32(ids.count)
            var element = Element(ids: firstID..<firstID)
            var part = part
            if part.last == "?" { (element.isOptional, part) = (true, part.dropLast()) }
            let isBraced = part.first == "{"
            for choice in part.split(whereSeparator: { "|{}".contains($0) }) {
                if choice == "_" {
                    element.isAny = true
                } else if isBraced, let traits = CuePatterns.traits[String(choice)] {
                    element.traits.formUnion(traits)
                } else {
                    ids.append(Lexicon.lexeme(Word(choice)).id)
                }
            }
            element.ids = firstID..<Int32(ids.count)
            elements.append(element)
        }
        patterns.append(
            Pattern(cue: cue, elements: first..<elements.count, isAtBegin: isAtBegin, isAtEnd: isAtEnd))
    }

    /// All cues in a clause.
    static func matches(_ tokens: [Token], in clause: Range<Int>, into found: inout [CueMatch]) {
        shared.match(tokens, clause, &found)
    }

    private func match(_ tokens: [Token], _ clause: Range<Int>, _ found: inout [CueMatch]) {
        let begin = Self.begin(of: clause, tokens)
        let plain = Self.begin(of: clause, tokens, skipsLabel: false)
        for index in clause {
            let lexeme = tokens[index].lexeme
            if lexeme.id > 0 {
                for place in rangesByWord[Int(lexeme.id)] {
                    match(starts[place], tokens, index, clause, (begin, plain), &found)
                }
            } else if lexeme.id < 0 {
                for (traits, patterns) in byTrait where !lexeme.traits.isDisjoint(with: traits) {
                    for number in patterns { match(number, tokens, index, clause, (begin, plain), &found) }
                }
            }
        }
    }

    /// Where a clause begins, after words such as "ok", "so" and "please", and names that are spoken to.
    static func begin(of clause: Range<Int>, _ tokens: [Token], skipsLabel: Bool = true) -> Int {
        var index = clause.lowerBound
        // "Quick favour: call the caterer" begins after the colon.
        for position in clause.prefix(5)
        where skipsLabel && tokens[position].isMark(":") && position > index && position + 1 < clause.upperBound {
            if tokens[position].isSpaced || tokens[position + 1].isSpaced { index = position + 1 }
        }
        while index < clause.upperBound, index < clause.lowerBound + 32 {
            let token = tokens[index]
            let isName =
                token.kind == .word && index + 1 < clause.upperBound && tokens[index + 1].isMark(",")
                && index == clause.lowerBound
            // "update the docs": a verb with its object.
            let isVerb =
                token.has(.task) && index + 1 < clause.upperBound && tokens[index + 1].has([.article, .possessive])
            guard token.kind == .mark || token.has(.opener) && !isVerb || isName else { break }
            index += 1
        }
        return index
    }

    /// "haha nice" accepts nothing.
    private static let laughter: Set<Word> = ["haha", "lol", "omg"]

    private func match(
        _ number: Int, _ tokens: [Token], _ index: Int, _ clause: Range<Int>, _ begin: (Int, Int),
        _ found: inout [CueMatch]
    ) {
        let pattern = patterns[number]
        // Before the plain begin are only words such as "ooh" and "ok".
        if pattern.isAtBegin, index != begin.0, index != begin.1, index != clause.lowerBound,
            index > begin.1 || tokens[clause.lowerBound..<index].contains(where: { Self.laughter.contains($0.text) })
        {
            return
        }
        guard let end = end(of: pattern.elements, tokens, index, clause.upperBound), end > index else {
            return
        }
        if pattern.isAtEnd,
            clause.upperBound - end > 12
                || tokens[end..<clause.upperBound].contains(where: { $0.kind != .mark && !$0.has(.opener) })
        {
            return
        }
        found.append(CueMatch(cue: pattern.cue, tokens: index..<end))
    }

    private func end(of elements: Range<Int>, _ tokens: [Token], _ index: Int, _ limit: Int) -> Int? {
        var index = index
        for number in elements {
            let isHere = index < limit && isElement(number, tokens[index].kind, tokens[index].lexeme)
            if self.elements[number].isOptional {
                let rest = number + 1..<elements.upperBound
                if isHere, let end = end(of: rest, tokens, index + 1, limit) { return end }
                return end(of: rest, tokens, index, limit)
            }
            guard isHere else { return nil }
            index += 1
        }
        return index
    }

    private func isElement(_ number: Int, _ kind: Token.Kind, _ lexeme: Lexeme) -> Bool {
        if elements[number].isAny { return kind != .mark }
        if !lexeme.traits.isDisjoint(with: elements[number].traits) { return true }
        guard lexeme.id != 0 else { return false }
        for place in elements[number].ids where ids[Int(place)] == lexeme.id { return true }
        return false
    }
}
