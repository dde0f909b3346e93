/// What somebody searches for: all of it must be in a message. Pure.
struct SearchQuery: Equatable {
    enum Term: Equatable {
        /// A word, and whether longer ones that begin with it are meant, too.
        case word(String, beginning: Bool)
        /// Neighbours in a script without spaces.
        case run([String])
    }

    var terms: [Term]
    /// As many are looked at.
    static let termsMax = 16

    /// nil when there is nothing in it that can be found.
    init?(_ text: String) {
        let tokens = SearchRules.tokens(of: text)
        var terms: [Term] = []
        var run: Int?
        for (index, token) in tokens.enumerated() {
            guard let number = token.run else {
                // Who still types the last word means all that begin with it.
                terms.append(.word(token.word, beginning: index == tokens.count - 1 && token.isOfLetters))
                continue
            }
            let isEnd = token.end == token.firstEnd
            switch terms.last {
            case .run(let words) where run == number:
                // What ends a run is in its last two.
                if !isEnd { terms[terms.count - 1] = .run(words + [token.word]) }
            default: terms.append(isEnd ? .word(token.word, beginning: true) : .run([token.word]))
            }
            run = number
        }
        self.terms = []
        for term in terms where !self.terms.contains(term) && self.terms.count < Self.termsMax {
            self.terms.append(term)
        }
        if self.terms.isEmpty { return nil }
    }

    /// Whether the last word may be the beginning of a longer one, which is found after what holds it as it is.
    var isOpen: Bool {
        if case .word(let word, true) = terms.last { !SearchRules.isDense(word) } else { false }
    }

    /// As PostgreSQL's tsquery, for words behind a prefix. Words are letters, digits and emoji, so nothing has to be
    /// quoted in them.
    /// - Parameter isLonger: what holds the last word only as the beginning of others.
    func tsquery(behind prefix: String, isLonger: Bool) -> String {
        var parts: [String] = []
        for (index, term) in terms.enumerated() {
            switch term {
            case .word(let word, let beginning):
                let isLast = index == terms.count - 1 && isOpen
                if isLast, isLonger { parts.append("'\(prefix)\(word)':* & !'\(prefix)\(word)'") }
                if isLast, !isLonger { parts.append("'\(prefix)\(word)'") }
                if !isLast { parts.append("'\(prefix)\(word)'" + (beginning ? ":*" : "")) }
            case .run(let words): parts += words.map { "'\(prefix)\($0)'" }
            }
        }
        return parts.joined(separator: " & ")
    }

    /// Where a text holds what is searched for, in bytes, in order and apart; nil when it does not hold all of it.
    func highlights(in text: String) -> [Range<Int>]? {
        let tokens = SearchRules.tokens(of: text)
        var found: [Range<Int>] = []
        for term in terms {
            let ranges = Self.ranges(of: term, in: tokens)
            if ranges.isEmpty { return nil }
            found += ranges
        }
        found.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        return found.reduce(into: []) { apart, range in
            if let last = apart.last, range.lowerBound <= last.upperBound {
                apart[apart.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                apart.append(range)
            }
        }
    }

    private static func ranges(of term: Term, in tokens: [SearchToken]) -> [Range<Int>] {
        switch term {
        case .word(let word, let beginning):
            return tokens.compactMap { token in
                if token.word == word { return token.begin..<token.end }
                guard beginning, token.word.unicodeScalars.starts(with: word.unicodeScalars) else { return nil }
                return token.begin..<(token.run == nil ? token.end : token.firstEnd)
            }
        case .run(let words):
            guard let first = words.first, tokens.count >= words.count else { return [] }
            return (0...(tokens.count - words.count)).compactMap { index in
                let last = tokens[index + words.count - 1]
                guard tokens[index].word == first, tokens[index].run != nil, tokens[index].run == last.run,
                    tokens[index..<(index + words.count)].elementsEqual(words, by: { $0.word == $1 })
                else { return nil }
                return tokens[index].begin..<last.end
            }
        }
    }
}

extension SearchToken {
    /// A word that somebody may not have typed to its end.
    fileprivate var isOfLetters: Bool {
        word.unicodeScalars.first.map { SearchRules.kind(of: $0) == .letter } ?? false
    }
}

extension SearchRules {
    fileprivate static func isDense(_ word: String) -> Bool {
        word.unicodeScalars.first.map { kind(of: $0) == .dense } ?? false
    }
}

/// The part of a text that is shown of something found, and what to mark in it. Pure.
struct SearchSnippet: Equatable {
    var text: String
    /// Begin and end of each, in bytes of `text`.
    var highlights: [UInt32]

    /// A line or two.
    static let bytesMax = 320
    /// Before what was found.
    private static let bytesBefore = 60
    private static let highlightsMax = 32

    init(of text: String, _ ranges: [Range<Int>]) {
        let first = ranges.first?.lowerBound ?? 0
        var begin = text.startIndex
        var offset = 0
        if text.utf8.count > Self.bytesMax, first > Self.bytesBefore {
            (begin, offset) = Self.begin(in: text, near: first - Self.bytesBefore, before: first)
        }
        var end = begin
        var bytes = 0
        while end < text.endIndex {
            let next = text.index(after: end)
            let width = text[end..<next].utf8.count
            guard bytes + width <= Self.bytesMax else { break }
            (end, bytes) = (next, bytes + width)
        }
        self.text = String(text[begin..<end])
        highlights = ranges.lazy.filter { $0.lowerBound >= offset && $0.upperBound <= offset + bytes }
            .prefix(Self.highlightsMax)
            .flatMap { [UInt32($0.lowerBound - offset), UInt32($0.upperBound - offset)] }
    }

    /// The first character after a space behind `near`, or else the first character behind it; at most `before`.
    private static func begin(in text: String, near: Int, before: Int) -> (String.Index, Int) {
        var firstBehind: (String.Index, Int)?
        var offset = 0
        var isAfterSpace = false
        for index in text.indices {
            if offset > before { break }
            if offset >= near {
                if firstBehind == nil { firstBehind = (index, offset) }
                if isAfterSpace, offset <= before { return (index, offset) }
            }
            isAfterSpace = text[index].isWhitespace
            offset += text[index].utf8.count
        }
        return firstBehind ?? (text.startIndex, 0)
    }
}
