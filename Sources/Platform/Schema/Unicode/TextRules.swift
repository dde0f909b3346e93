/// Why a text is not fit for what it is meant for.
package struct UnfitText: Error, Hashable {
    package let why: String
    /// Whether it is longer than what may be sent, rather than wrong.
    package let isTooLarge: Bool

    init(_ why: String, isTooLarge: Bool = false) { (self.why, self.isTooLarge) = (why, isTooLarge) }

    package static let notOneEmoji = UnfitText("must be a single emoji")
    package static let noLink = UnfitText("must be an https URL of printable ASCII")
}

/// Which texts that people see are fit, for services and for the SDK. Pure.
package enum TextRules {
    /// The most combining marks on one character. Accents and vowels of all scripts take fewer; towers of them cover
    /// the lines above and below.
    package static let marksMax = 6

    /// Returns `text` as a name fit for lists: in NFC, trimmed, and without what nobody sees, such as a soft hyphen or
    /// marks of direction that were copied along. It must not contain control or text-direction characters.
    /// - Throws: ``UnfitText``.
    package static func name(_ text: String, bytes: Int) throws(UnfitText) -> String {
        try name(text, isShort: { $0.utf8.count <= bytes }, "must be at most \(bytes) bytes")
    }

    /// Returns a name by the same rules that may have as many letters (code points) in every script.
    /// - Throws: ``UnfitText``.
    package static func name(_ text: String, letters: Int) throws(UnfitText) -> String {
        try name(
            text, isShort: { $0.unicodeScalars.count <= letters }, "must be at most \(letters) letters")
    }

    /// Returns a name by the same rules from a text that may have several lines, which it joins.
    /// - Throws: ``UnfitText``.
    package static func line(_ text: String, bytes: Int) throws(UnfitText) -> String {
        let lines = text.split(whereSeparator: \.isNewline).map { Blanks.trimmed(String($0)) }.filter { !$0.isEmpty }
        var line = ""
        for next in lines {
            // After punctuation a space is enough: "Buy: milk".
            if let last = line.last { line += ",;:.!?-–—".contains(last) ? " " : ", " }
            line += next
        }
        return try name(line, bytes: bytes)
    }

    private static func name(
        _ text: String, isShort: (String) -> Bool, _ limit: String
    ) throws(UnfitText) -> String {
        let typed = Direction.unwrapped(visible(text))
        let name = NormalForm.nfc(typed)
        guard !Blanks.isBlank(name) else { throw UnfitText("must not be empty") }
        guard isShort(name) else { throw UnfitText(limit) }
        guard name.unicodeScalars.allSatisfy({ isPlain($0) }) else {
            throw UnfitText("must not contain control or text-direction characters")
        }
        // Also what composes: a tower of marks stays one.
        try checkScalars(typed)
        return name
    }

    /// Checks the text of a message. It must not be blank, or contain control characters other than tab and line
    /// breaks, overrides of the text's direction that do not end, tags, or towers of combining marks.
    package static func message(_ text: String, bytes: Int) throws(UnfitText) -> String {
        guard text.utf8.count <= bytes else {
            throw UnfitText(
                "The text is longer than \(bytes) bytes. Send it in parts or as a file.", isTooLarge: true)
        }
        var (isBlank, isASCII) = (true, true)
        for byte in text.utf8 {  // In UTF-8, bytes below 0x80 are always ASCII.
            switch byte {
            case 0x09, 0x0A, 0x0D: continue
            case 0..<0x20, 0x7F: throw UnfitText("must not contain control characters")
            case 0x20: continue
            case 0x80...: isASCII = false
            default: isBlank = false
            }
        }
        if isBlank, isASCII || Blanks.isBlank(text) { throw UnfitText("must not be empty") }
        if !isASCII { try checkScalars(text) }
        return text
    }

    /// Checks an https URL of printable ASCII.
    package static func link(_ text: String) throws(UnfitText) -> String {
        guard text.hasPrefix("https://"), text.utf8.count > 8, text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
            throw .noLink
        }
        return text
    }

    /// Refuses what no ASCII text has. Marks of direction that end with the text may stay, as keyboards and templates
    /// insert them; what would change the text around it may not.
    private static func checkScalars(_ text: String) throws(UnfitText) {
        var (marks, tags) = (0, 0)
        for scalar in text.unicodeScalars {
            // Tags are only for the flags of regions, such as Scotland's: a black flag, up to 6 tags, the end.
            let isTag = (0xE0000...0xE007F).contains(scalar.value)
            guard !isTag || (1...7).contains(tags) else {
                throw UnfitText("must not contain invisible tag characters")
            }
            tags = scalar.value == 0x1F3F4 ? 1 : isTag && scalar.value != 0xE007F ? tags + 1 : 0
            switch scalar.value {
            case ..<0x80: marks = 0
            case 0x80..<0xA0: throw UnfitText("must not contain control characters")
            case 0xA0..<0x300: marks = 0
            default:
                marks = isMark(scalar) ? marks + 1 : 0
                guard marks <= marksMax else {
                    throw UnfitText("must not have more than \(marksMax) combining marks on a character")
                }
            }
        }
        guard Direction.isClosed(text) else { throw UnfitText("must not override the direction of text") }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    /// The text without characters that nothing shows.
    private static func visible(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !Blanks.isLeftOut(scalar) { shown.append(scalar) }
        return String(shown)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: false
        default: !Direction.isControl(scalar)
        }
    }
}
