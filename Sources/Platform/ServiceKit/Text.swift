import Schema
import Wire

/// Checks text that people see.
public enum Text {
    /// The most combining marks on one character. Accents and vowels of all scripts take fewer; towers of them cover
    /// the lines above and below.
    public static let marksMax = 6

    /// Returns `text` as a name fit for lists: in NFC, trimmed, and without what nobody sees, such as a soft hyphen or
    /// marks of direction that were copied along. It must not contain control or text-direction characters.
    /// - Throws: ``Refusal`` `invalid` naming `field`.
    public static func name(_ text: String, field: String, bytes: Int) throws(Refusal) -> String {
        try name(text, field: field, isShort: { $0.utf8.count <= bytes }, "must be at most \(bytes) bytes")
    }

    /// Returns a name by the same rules that may have as many letters (code points) in every script.
    /// - Throws: ``Refusal`` `invalid` naming `field`.
    public static func name(_ text: String, field: String, letters: Int) throws(Refusal) -> String {
        try name(
            text, field: field, isShort: { $0.unicodeScalars.count <= letters }, "must be at most \(letters) letters")
    }

    /// Returns a name by the same rules from a text that may have several lines, which it joins.
    /// - Throws: ``Refusal`` `invalid` naming `field`.
    public static func line(_ text: String, field: String, bytes: Int) throws(Refusal) -> String {
        let lines = text.split(whereSeparator: \.isNewline).map { Blanks.trimmed(String($0)) }.filter { !$0.isEmpty }
        var line = ""
        for next in lines {
            // After punctuation a space is enough: "Buy: milk".
            if let last = line.last { line += ",;:.!?-–—".contains(last) ? " " : ", " }
            line += next
        }
        return try name(line, field: field, bytes: bytes)
    }

    private static func name(
        _ text: String, field: String, isShort: (String) -> Bool, _ limit: String
    ) throws(Refusal) -> String {
        let typed = Direction.unwrapped(visible(text))
        let name = NormalForm.nfc(typed)
        guard !Blanks.isBlank(name) else { throw .invalid(field, "must not be empty") }
        guard isShort(name) else { throw .invalid(field, limit) }
        guard name.unicodeScalars.allSatisfy({ isPlain($0) }) else {
            throw .invalid(field, "must not contain control or text-direction characters")
        }
        // Also what composes: a tower of marks stays one.
        try checkScalars(typed, field: field)
        return name
    }

    /// Checks the text of a message. It must not be blank, or contain control characters other than tab and line
    /// breaks, overrides of the text's direction that do not end, tags, or towers of combining marks.
    public static func message(_ text: String, field: String, bytes: Int) throws(Refusal) -> String {
        guard text.utf8.count <= bytes else {
            throw Refusal(
                .tooLarge, "The text is longer than \(bytes) bytes. Send it in parts or as a file.", field: field)
        }
        var (isBlank, isASCII) = (true, true)
        for byte in text.utf8 {  // In UTF-8, bytes below 0x80 are always ASCII.
            switch byte {
            case 0x09, 0x0A, 0x0D: continue
            case 0..<0x20, 0x7F: throw .invalid(field, "must not contain control characters")
            case 0x20: continue
            case 0x80...: isASCII = false
            default: isBlank = false
            }
        }
        if isBlank, isASCII || Blanks.isBlank(text) { throw .invalid(field, "must not be empty") }
        if !isASCII { try checkScalars(text, field: field) }
        return text
    }

    /// Refuses what no ASCII text has. Marks of direction that end with the text may stay, as keyboards and templates
    /// insert them; what would change the text around it may not.
    private static func checkScalars(_ text: String, field: String) throws(Refusal) {
        var (marks, tags) = (0, 0)
        for scalar in text.unicodeScalars {
            // Tags are only for the flags of regions, such as Scotland's: a black flag, up to 6 tags, the end.
            let isTag = (0xE0000...0xE007F).contains(scalar.value)
            guard !isTag || (1...7).contains(tags) else {
                throw .invalid(field, "must not contain invisible tag characters")
            }
            tags = scalar.value == 0x1F3F4 ? 1 : isTag && scalar.value != 0xE007F ? tags + 1 : 0
            switch scalar.value {
            case ..<0x80: marks = 0
            case 0x80..<0xA0: throw .invalid(field, "must not contain control characters")
            case 0xA0..<0x300: marks = 0
            default:
                marks = isMark(scalar) ? marks + 1 : 0
                guard marks <= marksMax else {
                    throw .invalid(field, "must not have more than \(marksMax) combining marks on a character")
                }
            }
        }
        guard Direction.isClosed(text) else { throw .invalid(field, "must not override the direction of text") }
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
