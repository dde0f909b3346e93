import Wire

/// Checks text that people see.
public enum Text {
    /// Returns `text` as a name fit for lists: trimmed, without control or text-direction characters.
    /// - Throws: ``Refusal`` `invalid` naming `field`.
    public static func name(_ text: String, field: String, bytes: Int) throws(Refusal) -> String {
        let name = text.trimmed
        guard !name.isEmpty else { throw .invalid(field, "must not be empty") }
        guard name.utf8.count <= bytes else { throw .invalid(field, "must be at most \(bytes) bytes") }
        guard name.unicodeScalars.allSatisfy({ isPlain($0) }) else {
            throw .invalid(field, "must not contain control or text-direction characters")
        }
        return name
    }

    /// Checks the text of a message. It must not be blank, or contain control characters other than tab and line
    /// breaks.
    public static func message(_ text: String, field: String, bytes: Int) throws(Refusal) -> String {
        guard text.utf8.count <= bytes else {
            throw Refusal(
                "too_large", "The text is longer than \(bytes) bytes. Send it in parts or as a file.", field: field)
        }
        var isBlank = true
        for byte in text.utf8 {  // In UTF-8, bytes below 0x80 are always ASCII.
            switch byte {
            case 0x09, 0x0A, 0x0D: continue
            case 0..<0x20, 0x7F: throw .invalid(field, "must not contain control characters")
            case 0x20: continue
            default: isBlank = false
            }
        }
        if isBlank { throw .invalid(field, "must not be empty") }
        return text
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: false
        // Marks and overrides that change the order in which text is read.
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: false
        case 0x2028, 0x2029, 0xFEFF: false
        default: true
        }
    }
}
