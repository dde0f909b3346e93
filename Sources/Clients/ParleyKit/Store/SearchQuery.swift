import Foundation

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

/// A word of a text. A sequence of letters and digits is a word, without case and accents. In scripts without spaces
/// each pair of neighbouring letters is a word, and so is the last letter. An emoji is a word.
struct SearchWord {
    var text: String
    var range: Range<String.Index>
    /// Whether it is the last letter of a run of letters without spaces.
    var isEnd = false

    private static let wordsMax = 2000
    private static let lettersMax = 40

    /// Returns the words of a text, as an index keeps them.
    static func line(of text: String) -> String { all(of: text).map(\.text).joined(separator: " ") }

    static func all(of text: String) -> [SearchWord] {
        var words: [SearchWord] = []
        var begin: String.Index?
        var last: Range<String.Index>?
        let scalars = text.unicodeScalars
        func add(_ range: Range<String.Index>, isEnd: Bool = false) {
            let folded = folded(text[range])
            if !folded.isEmpty { words.append(SearchWord(text: folded, range: range, isEnd: isEnd)) }
        }
        func endWord(at index: String.Index) {
            if let first = begin { add(first..<index) }
            begin = nil
        }
        func endRun() {
            if let letter = last { add(letter, isEnd: true) }
            last = nil
        }
        for index in scalars.indices {
            if words.count >= wordsMax { break }
            let next = scalars.index(after: index)
            switch Kind(scalars[index]) {
            case .letter:
                endRun()
                if begin == nil { begin = index }
            case .within: break
            case .dense:
                endWord(at: index)
                if let letter = last { add(letter.lowerBound..<next) }
                last = index..<next
            case .emoji:
                endWord(at: index)
                endRun()
                add(index..<next)
            case .other:
                endWord(at: index)
                endRun()
            }
        }
        endWord(at: text.endIndex)
        endRun()
        return words
    }

    private static func folded(_ word: Substring) -> String {
        let cut = String(word.prefix(lettersMax))
        if cut.utf8.allSatisfy({ $0 < 0x80 }) { return cut.lowercased() }
        return cut.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    private enum Kind {
        case letter, dense, emoji, within, other

        init(_ scalar: Unicode.Scalar) {
            let value = scalar.value
            if value < 0x80 {
                switch value {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: self = .letter
                default: self = .other
                }
                return
            }
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
                .letterNumber, .otherNumber:
                self = Self.isDense(value) ? .dense : .letter
            case .nonspacingMark, .spacingMark, .enclosingMark: self = Self.isDense(value) ? .dense : .within
            case .format: self = .within
            case .otherSymbol: self = value >= 0x2190 && scalar.properties.isEmoji ? .emoji : .other
            default: self = .other
            }
        }

        /// Whether the letter belongs to a script without spaces between words, or to Hangul, where words take endings.
        private static func isDense(_ value: UInt32) -> Bool {
            switch value {
            case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0x2FDF, 0x3005...0x3007, 0x3040...0x312F,
                0x31A0...0x31BF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF,
                0xFF66...0xFF9F, 0x20000...0x323AF:
                true
            default: false
            }
        }
    }
}
