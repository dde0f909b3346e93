/// Folds letters so that a query finds text that is written otherwise: with capitals, accents, another normal form,
/// another width, or the letters of another keyboard. Pure.
///
/// Texts and queries are both folded, so the result only has to be the same for both.
package enum Folding {
    /// A scalar in NFKC, and the bytes of the text that it stands for.
    package struct Letter: Sendable {
        package var scalar: Unicode.Scalar
        package var begin: Int
        package var end: Int
    }

    /// Returns a text without capitals and accents.
    package static func folded(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in NormalForm.nfkc(text).unicodeScalars { fold(scalar, into: &folded) }
        return NormalForm.nfc(String(folded))
    }

    /// Hands over the letters of a text in NFKC. Letters that compose stand for the same bytes.
    package static func forEachLetter(of text: String, _ body: (Letter) -> Void) {
        var together: [Unicode.Scalar] = []
        var (begin, offset) = (0, 0)
        func flush() {
            if together.count == 1, let scalar = together.first, scalar.value < 0xA0 {
                body(Letter(scalar: scalar, begin: begin, end: offset))
            } else {
                for scalar in NormalForm.nfkc(together) { body(Letter(scalar: scalar, begin: begin, end: offset)) }
            }
            together.removeAll(keepingCapacity: true)
            begin = offset
        }
        for scalar in text.unicodeScalars {
            if !together.isEmpty, NormalForm.isBoundary(scalar) { flush() }
            together.append(scalar)
            offset += UTF8.width(scalar)
        }
        if !together.isEmpty { flush() }
    }

    /// Appends the folded form of a scalar in NFKC; nothing for a combining accent.
    package static func fold(_ scalar: Unicode.Scalar, into word: inout String.UnicodeScalarView) {
        let value = scalar.value
        if value < 0x80 {
            let isCapital = value >= 0x41 && value <= 0x5A
            word.append(isCapital ? Unicode.Scalar(UInt8(value + 0x20)) : scalar)
        } else if !isComposed(value) {
            for part in NormalForm.decomposed([scalar], isCompatible: true) where !isAccent(part) {
                plain(part, &word)
            }
        } else {
            word.append(scalar)
        }
    }

    private static func plain(_ scalar: Unicode.Scalar, _ word: inout String.UnicodeScalarView) {
        let properties = scalar.properties
        if properties.generalCategory == .decimalNumber, let digit = properties.numericValue, (0...9).contains(digit) {
            word.append(Unicode.Scalar(UInt8(0x30 + Int(digit))))
        } else if properties.changesWhenLowercased {
            for lower in properties.lowercaseMapping.unicodeScalars where !isAccent(lower) {
                word.append(contentsOf: bases[lower] ?? [lower])
            }
        } else {
            word.append(contentsOf: bases[scalar] ?? [scalar])
        }
    }

    /// Whether the parts of the letter are no accents: syllables of Hangul, and letters of Japanese with a voice mark.
    private static func isComposed(_ value: UInt32) -> Bool {
        (0xAC00...0xD7A3).contains(value) || (0x3040...0x30FF).contains(value)
    }

    /// Whether the scalar is a mark over or under a letter that writers may leave out, including the vowels of Arabic
    /// and Hebrew, or says only how a letter is drawn. Excludes the vowels of Indian and south-east Asian scripts,
    /// without which a word is a different one.
    package static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x300: false
        case 0x300...0x36F, 0x483...0x487, 0x591...0x5BD, 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7: true
        case 0x610...0x61A, 0x640, 0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x6DF...0x6E4, 0x6E7, 0x6E8, 0x6EA...0x6ED: true
        case 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F: true
        default: false
        }
    }

    private static let bases: [Unicode.Scalar: [Unicode.Scalar]] = {
        var bases: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        for (base, letters) in table {
            for letter in letters.unicodeScalars { bases[letter] = Array(base.unicodeScalars) }
        }
        return bases
    }()

    /// Letters that no decomposition makes equal: those with a stroke, those that people write as two, and those for
    /// which keyboards of related languages have different ones.
    static let table: [(String, String)] = [
        ("ae", "æ"), ("d", "ðđ"), ("h", "ħ"), ("i", "ı"), ("k", "ĸ"), ("l", "ł"), ("o", "ø"), ("oe", "œ"), ("ss", "ß"),
        ("t", "ŧ"), ("th", "þ"), ("σ", "ς"), ("г", "ґ"),
        ("ه", "ةەہھۀۃ"), ("ي", "ىیے"), ("ك", "کڪ"),
    ]
}
