/// What is searched for. A message must contain all the words; of the last one the beginning is enough, as it may be
/// unfinished. The rules are those of the server, so that both find the same.
struct SearchQuery: Sendable, Hashable {
    struct Term: Sendable, Hashable {
        var word: String
        /// Whether it also matches longer words that begin with it.
        var isBeginning: Bool
    }

    let terms: [Term]
    private static let termsMax = 16

    /// Returns nil when the text has nothing that can be searched for.
    init?(_ text: String) {
        let words = SearchWord.all(of: text)
        var terms: [Term] = []
        for (index, word) in words.enumerated() {
            // The last letter of a run of pairs is in the last pair already.
            if word.isEnd, index > 0, words[index - 1].range.upperBound == word.range.upperBound { continue }
            let term = Term(word: word.text, isBeginning: index == words.count - 1 || word.isEnd)
            if !terms.contains(term), terms.count < Self.termsMax { terms.append(term) }
        }
        if terms.isEmpty { return nil }
        self.terms = terms
    }

    /// Returns where a text matches, in order and apart from each other; nil when it lacks a word.
    func matches(in text: String) -> [Range<String.Index>]? {
        let words = SearchWord.all(of: text)
        var found: [Range<String.Index>] = []
        for term in terms {
            let ranges = words.lazy.filter { word in
                term.isBeginning ? word.text.hasPrefix(term.word) : word.text == term.word
            }.map(\.range)
            if ranges.isEmpty { return nil }
            found += ranges
        }
        found.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        return found.reduce(into: []) { apart, range in
            if let last = apart.last, range.lowerBound < last.upperBound {
                apart[apart.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                apart.append(range)
            }
        }
    }
}

/// A word of a text, by the rules that the server has, too.
struct SearchWord {
    var text: String
    var range: Range<String.Index>
    /// Whether it is the last letter of a run of letters without spaces.
    var isEnd = false

    /// Returns the words of a text, as an index keeps them.
    static func line(of text: String) -> String { all(of: text).map(\.text).joined(separator: " ") }

    static func all(of text: String) -> [SearchWord] {
        var text = text
        text.makeContiguousUTF8()
        return SearchRules.tokens(of: text).prefix(SearchRules.wordsMax).map { token in
            let begin = text.utf8.index(text.startIndex, offsetBy: token.begin)
            let end = text.utf8.index(begin, offsetBy: token.end - token.begin)
            // Letters that were composed have the same bytes, also as a pair.
            let isAlone = token.end == token.firstEnd && token.word.unicodeScalars.count == 1
            return SearchWord(text: token.word, range: begin..<end, isEnd: token.run != nil && isAlone)
        }
    }
}
