/// What looks like a link in a text that a model wrote. Such words are shown only if they stand in the message. Pure.
///
/// It takes too much for a link rather than too little: apps make links of addresses, hosts and telephone numbers in
/// their own ways, and people read look-alikes of a dot as one.
enum LinkLikeText {
    /// A telephone number has no fewer digits.
    private static let digitsMin = 7

    /// Whether all words of `text` that look like links, and all long numbers, are words of the message, letter for
    /// letter.
    static func isHeld(_ text: String, by message: String) -> Bool {
        let links = words(of: text).filter { isLink(plain($0)) }
        guard !links.isEmpty || !numbers(of: text).isEmpty else { return true }
        let known = Set(words(of: message).map(exact))
        return links.allSatisfy { known.contains(exact($0)) } && numbers(of: text).isSubset(of: numbers(of: message))
    }

    private static func words(of text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map { word in
            let isAround = { (character: Character) in "()<>\"'“”‘’«»,;!?….".contains(character) }
            return String(word.drop(while: isAround).reversed().drop(while: isAround).reversed())
        }
    }

    /// Compares by characters of Unicode as they are, where two strings are equal if they only look the same.
    private static func exact(_ word: String) -> [Unicode.Scalar] { Array(word.unicodeScalars) }

    /// Whether a word may lead somewhere: "http://x", "tel:1", "mail@x", "pay24.example/x", "203.0.113.9".
    private static func isLink(_ word: String) -> Bool {
        if word.contains(where: { "@\\[".contains($0) }) || word.contains("//") { return true }
        if let colon = word.firstIndex(of: ":"), word[..<colon].contains(where: \.isLetter), !word.hasSuffix(":") {
            return true
        }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return false }
        if word.contains("/") { return true }
        let numbers = parts.count { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
        return numbers >= 4
            || zip(parts, parts.dropFirst()).contains { before, after in
                !before.isEmpty && after.prefix { $0.isLetter || $0 == "-" }.count > 1
            }
    }

    /// The numbers with so many digits that they may be of a telephone, without what separates the digits.
    private static func numbers(of text: String) -> Set<String> {
        var (found, digits): (Set<String>, String) = ([], "")
        for character in text + "\n" {
            if let digit = character.wholeNumberValue, digit < 10 {
                digits += "\(digit)"
            } else if !" \u{A0}-.()/+".contains(character) {
                if digits.count >= digitsMin { found.insert(digits) }
                digits = ""
            }
        }
        return found
    }

    /// The word with plain letters in the place of what looks like them in a link.
    private static func plain(_ word: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in word.unicodeScalars { plain.append(plainScalar(scalar)) }
        return String(plain)
    }

    private static func plainScalar(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        // Dots: leaders, middle and raised dots, bullets, full stops of other scripts, the zero of Arabic.
        case 0xB7, 0x2D9, 0x387, 0x5C5, 0x660, 0x6D4, 0x6F0, 0x701, 0x702, 0x16EB, 0x2022, 0x2024, 0x2027, 0x2219,
            0x22C5,
            0x2CF9, 0x2E31, 0x2E33, 0x2E3C, 0x3002, 0x30FB, 0xA4F8, 0xA60E, 0xA6F3, 0xFE12, 0xFE52, 0xFF0E, 0xFF61,
            0xFF65,
            0x10101, 0x10A50, 0x1D16D, 0x1F784:
            "."
        // Slashes and colons.
        case 0x2044, 0x2215, 0x2571, 0x27CB, 0x29F8, 0x2F03, 0x3033, 0x31D3, 0x4E3F: "/"
        case 0x2D0, 0x2F8, 0x589, 0x5C3, 0x703, 0x704, 0x1803, 0x205A, 0x2236, 0xA789, 0xFE13, 0xFE30, 0xFE55: ":"
        case 0xFE6B: "@"
        case 0x2216, 0x27CD, 0x29F5, 0x29F9, 0xFE68: "\\"
        // Letters of full width.
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        default: scalar
        }
    }
}
