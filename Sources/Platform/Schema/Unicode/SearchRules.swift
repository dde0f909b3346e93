/// A searchable word and its position in the text.
package struct SearchToken: Equatable {
    /// The folded word.
    package var word: String
    /// The byte range in the text.
    package var begin: Int
    package var end: Int
    /// Where its first letter ends. A match may cover only one of the two letters of a pair.
    package var firstEnd: Int
    /// The index of its run of letters without spaces; nil for a word between spaces.
    package var run: Int?
}

/// Splits texts and queries into words, by the same rules. Pure.
///
/// A sequence of letters and digits is a word, folded (``Folding``). In scripts without spaces, such as Chinese,
/// Japanese, Korean or Thai, each pair of neighbouring letters is a word, and so is the last letter. An emoji is a
/// word.
package enum SearchRules {
    /// The maximum letters of a word; longer words are cut.
    package static let lettersMax = 40
    /// The maximum words of one text; later ones are not found.
    package static let wordsMax = 2000

    /// Returns the words of a text, or of what is searched for.
    package static func tokens(of text: String) -> [SearchToken] {
        var reader = SearchReader()
        Folding.forEachLetter(of: text) { reader.read($0) }
        reader.end(at: text.utf8.count)
        return reader.tokens
    }

    /// Returns the distinct words of a text.
    package static func words(of text: String) -> [String] {
        var known: Set<String> = []
        var words: [String] = []
        for token in tokens(of: text) where words.count < wordsMax {
            if known.insert(token.word).inserted { words.append(token.word) }
        }
        return words
    }

    package enum Kind { case letter, dense, emoji, within, other }

    /// Returns the kind of a letter in NFKC.
    package static func kind(of scalar: Unicode.Scalar) -> Kind {
        let value = scalar.value
        if value < 0x80 {
            switch value {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return .letter
            default: return .other
            }
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            return isDense(value) ? .dense : .letter
        case .nonspacingMark, .spacingMark, .enclosingMark:
            return isDense(value) ? .dense : .within
        case .format: return .within
        case .otherSymbol:
            return value >= 0x2190 && (scalar.properties.isEmoji || scalar.properties.isEmojiPresentation)
                ? .emoji : .other
        default: return .other
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

/// Collects the tokens of a text, letter by letter.
private struct SearchReader {
    private(set) var tokens: [SearchToken] = []
    private var word = String.UnicodeScalarView()
    private var letters = 0
    private var begin = 0
    /// The last letter read of a run.
    private var last: (scalar: Unicode.Scalar, begin: Int, end: Int)?
    private var run = 0

    mutating func read(_ letter: Folding.Letter) {
        let (scalar, offset) = (letter.scalar, letter.begin)
        switch SearchRules.kind(of: scalar) {
        case .letter:
            endRun()
            add(scalar, at: offset)
        case .within:
            // It neither ends nor begins a word.
            if letters > 0, scalar.properties.generalCategory != .format { add(scalar, at: offset) }
        case .dense:
            endWord(at: offset)
            if let last { append([last.scalar, scalar], last.begin, letter.end, firstEnd: last.end, run: run) }
            last = (scalar, offset, letter.end)
        case .emoji:
            end(at: offset)
            append([scalar], offset, letter.end, firstEnd: letter.end, run: nil)
        case .other: end(at: offset)
        }
    }

    mutating func end(at offset: Int) {
        endWord(at: offset)
        endRun()
    }

    private mutating func add(_ scalar: Unicode.Scalar, at offset: Int) {
        if letters == 0 { begin = offset }
        letters += 1
        guard letters <= SearchRules.lettersMax else { return }
        Folding.fold(scalar, into: &word)
    }

    private mutating func endWord(at offset: Int) {
        guard letters > 0 else { return }
        if !word.isEmpty {
            tokens.append(SearchToken(word: String(word), begin: begin, end: offset, firstEnd: offset, run: nil))
        }
        word.removeAll(keepingCapacity: true)
        letters = 0
    }

    private mutating func endRun() {
        guard let last else { return }
        append([last.scalar], last.begin, last.end, firstEnd: last.end, run: run)
        self.last = nil
        run += 1
    }

    private mutating func append(_ scalars: [Unicode.Scalar], _ begin: Int, _ end: Int, firstEnd: Int, run: Int?) {
        var word = String.UnicodeScalarView()
        word.append(contentsOf: scalars)
        tokens.append(SearchToken(word: String(word), begin: begin, end: end, firstEnd: firstEnd, run: run))
    }
}
