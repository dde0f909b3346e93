import Schema

/// A search query. A message must contain all of its terms. Pure.
struct SearchQuery: Equatable {
    enum Term: Equatable {
        /// A word, and whether it also matches longer words that begin with it.
        case word(String, beginning: Bool)
        /// Pairs of neighbouring letters in a script without spaces.
        case run([String])
    }

    var terms: [Term]
    /// The maximum terms; the rest are ignored.
    static let termsMax = 16

    /// Returns nil if the text contains nothing searchable.
    init?(_ text: String) {
        let tokens = SearchRules.tokens(of: text)
        var terms: [Term] = []
        var run: Int?
        for (index, token) in tokens.enumerated() {
            guard let number = token.run else {
                // The last word may be unfinished, so it matches all words that begin with it.
                terms.append(.word(token.word, beginning: index == tokens.count - 1 && token.isOfLetters))
                continue
            }
            // Letters that were composed have the same bytes, also as a pair.
            let isEnd = token.end == token.firstEnd && token.word.unicodeScalars.count == 1
            switch terms.last {
            case .run(let words) where run == number:
                // The last pair already contains the last letter.
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

    /// Whether the last word may begin a longer one. Such matches come after exact ones.
    var isOpen: Bool {
        if case .word(let word, true) = terms.last { !SearchRules.isDense(word) } else { false }
    }

    /// Returns the query as a PostgreSQL tsquery for words behind a prefix. Words consist of letters, digits and emoji,
    /// so nothing needs escaping.
    /// - Parameter isLonger: selects messages that contain the last word only as the beginning of longer words.
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

    /// Returns the byte ranges of the matches in `text`, in order and not overlapping; nil if a term is missing.
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
    /// Whether the word consists of letters, so that it may be unfinished.
    fileprivate var isOfLetters: Bool {
        word.unicodeScalars.first.map { SearchRules.kind(of: $0) == .letter } ?? false
    }
}

extension SearchRules {
    fileprivate static func isDense(_ word: String) -> Bool {
        word.unicodeScalars.first.map { kind(of: $0) == .dense } ?? false
    }
}

/// The part of a text shown for a hit, and the matches to highlight in it. Pure.
struct SearchSnippet: Equatable {
    var text: String
    /// The begin and end of each match, in bytes of `text`.
    var highlights: [UInt32]

    /// The maximum size, about two lines.
    static let bytesMax = 320
    /// The bytes shown before the first match.
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

    /// Returns the first character after a space at or after `near`, otherwise the first character at or after `near`.
    /// Goes no further than `before`.
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
