/// What nobody sees of a text. Pure.
package enum Blanks {
    /// Whether nothing is drawn for the scalar: spaces, controls, what only shapes its neighbours, and letters and
    /// symbols that are empty.
    package static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        if value < 0x80 { return value <= 0x20 || value == 0x7F }
        switch value {
        // The empty pattern of Braille, a note without head, and the marks of an annotation or of an object.
        case 0x2800, 0x1D159, 0xFFF9...0xFFFC: return true
        default: break
        }
        let properties = scalar.properties
        return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
            || properties.generalCategory == .control
    }

    /// Whether nothing of the text is drawn.
    package static func isBlank(_ text: some StringProtocol) -> Bool { text.unicodeScalars.allSatisfy(isBlank) }

    /// Whether a name is stored without the scalar, by which two names could look alike. Joiners stay: scripts and
    /// emoji need them.
    package static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Soft hyphen, zero-width space and the like.
        case 0xAD, 0x180E, 0x200B, 0x2060...0x2064, 0x206A...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        // Fillers of Hangul, which are blank.
        case 0x115F, 0x1160, 0x3164, 0xFFA0: true
        default: false
        }
    }

    /// Returns the text without white space at its ends.
    package static func trimmed(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars)
    }
}
