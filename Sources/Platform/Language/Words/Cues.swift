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
/// A pattern is a line of elements: `a|b` is one of these words, `{a|b}` one of these
/// words or a word with that trait, `_` any word; `?` after
/// an element makes it optional, `^` before the pattern binds it to the begin of a clause, `$` after it to the end.
struct Cues: Sendable {
    private struct Element: Sendable {
        var ids: [Int32] = []
        var traits: Traits = []
        var isOptional = false
        var isAny = false

        func matches(_ token: Token) -> Bool {
            if isAny { return token.kind != .mark }
            if !traits.isEmpty, token.has(traits) { return true }
            return token.lexeme.id != 0 && ids.contains(token.lexeme.id)
        }
    }

    private struct Pattern: Sendable {
        var cue: Cue
        var elements: [Element]
        var isAtBegin: Bool
        var isAtEnd: Bool
    }

    private static let shared = Cues()

    private var patterns: [Pattern] = []
    private var byFirstWord: [Int32: [Int]] = [:]
    private var byTrait: [(Traits, [Int])] = []

    /// All words that patterns name.
    static let words: [Substring] = CuePatterns.lists.flatMap { list in
        list.1.split(whereSeparator: { " \n|?^${}".contains($0) }).filter { $0 != "_" }
    }

    private init() {
        var traits: [UInt64: [Int]] = [:]
        for (cue, list) in CuePatterns.lists {
            for line in list.split(separator: "\n") {
                let pattern = Self.pattern(cue, line)
                let index = patterns.count
                patterns.append(pattern)
                // A pattern begins with its first element, or with one after it while they are optional.
                for element in pattern.elements {
                    for id in element.ids { byFirstWord[id, default: []].append(index) }
                    if !element.traits.isEmpty { traits[element.traits.rawValue, default: []].append(index) }
                    if !element.isOptional { break }
                }
            }
        }
        byTrait = traits.map { (Traits(rawValue: $0.key), $0.value) }.sorted { $0.0.rawValue < $1.0.rawValue }
    }

    private static func pattern(_ cue: Cue, _ line: Substring) -> Pattern {
        var text = line
        let isAtBegin = text.first == "^"
        if isAtBegin { text = text.dropFirst() }
        let isAtEnd = text.last == "$"
        if isAtEnd { text = text.dropLast() }
        let elements = text.split(separator: " ").map { part -> Element in
            var element = Element()
            var part = part
            if part.last == "?" { (element.isOptional, part) = (true, part.dropLast()) }
            let isBraced = part.first == "{"
            for choice in part.split(whereSeparator: { "|{}".contains($0) }) {
                if choice == "_" {
                    element.isAny = true
                } else if isBraced, let traits = CuePatterns.traits[String(choice)] {
                    element.traits.formUnion(traits)
                } else {
                    element.ids.append(Lexicon.lexeme(String(choice)).id)
                }
            }
            return element
        }
        return Pattern(cue: cue, elements: elements, isAtBegin: isAtBegin, isAtEnd: isAtEnd)
    }

    /// All cues in a clause.
    static func matches(_ tokens: [Token], in clause: Range<Int>, into found: inout [CueMatch]) {
        let begin = Self.begin(of: clause, tokens)
        let plain = Self.begin(of: clause, tokens, skipsLabel: false)
        for index in clause where tokens[index].lexeme.id != 0 {
            let token = tokens[index]
            if let patterns = shared.byFirstWord[token.lexeme.id] {
                for number in patterns { shared.match(number, tokens, index, clause, (begin, plain), &found) }
            }
            for (traits, patterns) in shared.byTrait where token.has(traits) {
                for number in patterns { shared.match(number, tokens, index, clause, (begin, plain), &found) }
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
    private static let laughter: Set<String> = ["haha", "lol", "omg"]

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
        guard let end = Self.end(of: pattern.elements[...], tokens, index, clause.upperBound), end > index else {
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

    private static func end(of elements: ArraySlice<Element>, _ tokens: [Token], _ index: Int, _ limit: Int) -> Int? {
        guard let element = elements.first else { return index }
        if index < limit, element.matches(tokens[index]),
            let end = end(of: elements.dropFirst(), tokens, index + 1, limit)
        {
            return end
        }
        return element.isOptional ? end(of: elements.dropFirst(), tokens, index, limit) : nil
    }
}
