import Wire

/// Checks text that people see.
public enum Text {
    /// The most combining marks on one character. Accents and vowels of all scripts take fewer; towers of them cover
    /// the lines above and below.
    public static let marksMax = 6

    /// Returns `text` as a name fit for lists: trimmed, and without what nobody sees, such as a soft hyphen that was
    /// copied along. It must not contain control or text-direction characters.
    /// - Throws: ``Refusal`` `invalid` naming `field`.
    public static func name(_ text: String, field: String, bytes: Int) throws(Refusal) -> String {
        let name = visible(text).trimmed
        guard !name.isEmpty else { throw .invalid(field, "must not be empty") }
        guard name.utf8.count <= bytes else { throw .invalid(field, "must be at most \(bytes) bytes") }
        guard name.unicodeScalars.allSatisfy({ isPlain($0) }) else {
            throw .invalid(field, "must not contain control or text-direction characters")
        }
        try checkScalars(name, field: field)
        return name
    }

    /// Checks the text of a message. It must not be blank, or contain control characters other than tab and line
    /// breaks, overrides of the text's direction, tags, or towers of combining marks.
    public static func message(_ text: String, field: String, bytes: Int) throws(Refusal) -> String {
        guard text.utf8.count <= bytes else {
            throw Refusal(
                "too_large", "The text is longer than \(bytes) bytes. Send it in parts or as a file.", field: field)
        }
        var (isBlank, isASCII) = (true, true)
        for byte in text.utf8 {  // In UTF-8, bytes below 0x80 are always ASCII.
            switch byte {
            case 0x09, 0x0A, 0x0D: continue
            case 0..<0x20, 0x7F: throw .invalid(field, "must not contain control characters")
            case 0x20: continue
            case 0x80...:
                isBlank = false
                isASCII = false
            default: isBlank = false
            }
        }
        if isBlank { throw .invalid(field, "must not be empty") }
        if !isASCII { try checkScalars(text, field: field) }
        return text
    }

    /// Refuses what no ASCII text has. Marks of direction that end with the text may stay, as keyboards and templates
    /// insert them; what would change the text around it may not.
    private static func checkScalars(_ text: String, field: String) throws(Refusal) {
        var (marks, isolates, tags) = (0, 0, 0)
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
            case 0x202A...0x202E: throw .invalid(field, "must not override the direction of text")
            case 0x2066...0x2068: isolates += 1
            case 0x2069: isolates = max(0, isolates - 1)
            case 0xA0..<0x300: marks = 0
            default:
                marks = isMark(scalar) ? marks + 1 : 0
                guard marks <= marksMax else {
                    throw .invalid(field, "must not have more than \(marksMax) combining marks on a character")
                }
            }
        }
        guard isolates == 0 else { throw .invalid(field, "must not override the direction of text") }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    /// The text without characters that nothing shows, by which two names could look alike or a name like none.
    private static func visible(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !isInvisible(scalar) { shown.append(scalar) }
        return String(shown)
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Soft hyphen, zero-width space and the like. Joiners stay: scripts and emoji need them.
        case 0xAD, 0x180E, 0x200B, 0x2060...0x2064, 0x206A...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        // Fillers of Hangul, which are blank.
        case 0x115F, 0x1160, 0x3164, 0xFFA0: true
        default: false
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: false
        // Marks and overrides that change the order in which text is read.
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: false
        case 0x2028, 0x2029: false
        default: true
        }
    }
}
