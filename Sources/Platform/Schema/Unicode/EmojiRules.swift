/// Decides which text is a valid reaction. Pure.
package enum EmojiRules {
    /// Longer than any emoji that keyboards produce (35 bytes), and short enough for a cursor of a list.
    package static let bytesMax = 40

    /// Returns a text's emoji in the fully qualified form that keyboards produce (UTS #51), so that variants of one
    /// emoji are counted together. Nil if the text is not exactly one emoji.
    package static func emoji(_ text: String) -> String? {
        let scalars = Array(text.unicodeScalars.prefix(bytesMax + 1))
        guard !scalars.isEmpty, text.utf8.count <= bytesMax else { return nil }
        guard let emoji = flag(scalars) ?? keycap(scalars) ?? joined(scalars) else { return nil }
        return emoji.utf8.count <= bytesMax ? emoji : nil
    }

    private static let joiner: Unicode.Scalar = "\u{200D}"
    private static let asEmoji: Unicode.Scalar = "\u{FE0F}"
    private static let enclosing: Unicode.Scalar = "\u{20E3}"
    private static let blackFlag: Unicode.Scalar = "\u{1F3F4}"
    private static let lastTag: Unicode.Scalar = "\u{E007F}"

    /// A flag, made of two regional indicators.
    private static func flag(_ scalars: [Unicode.Scalar]) -> String? {
        guard scalars.count == 2, scalars.allSatisfy(isRegional) else { return nil }
        return text(scalars)
    }

    private static func keycap(_ scalars: [Unicode.Scalar]) -> String? {
        guard isKey(scalars[0]), scalars.last == enclosing else { return nil }
        guard scalars.count == 2 || scalars.count == 3 && scalars[1] == asEmoji else { return nil }
        return text([scalars[0], asEmoji, enclosing])
    }

    /// One emoji, or several joined into one.
    private static func joined(_ scalars: [Unicode.Scalar]) -> String? {
        var qualified: [Unicode.Scalar] = []
        for part in scalars.split(separator: joiner, omittingEmptySubsequences: false) {
            guard let element = element(part) else { return nil }
            if !qualified.isEmpty { qualified.append(joiner) }
            qualified += element
        }
        return text(qualified)
    }

    /// A base with its modifier, presentation or tags.
    private static func element(_ scalars: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar]? {
        guard let base = scalars.first, isBase(base) else { return nil }
        var rest = scalars.dropFirst()
        if let modifier = rest.first, modifier.properties.isEmojiModifier {
            return base.properties.isEmojiModifierBase && rest.count == 1 ? [base, modifier] : nil
        }
        if rest.first == asEmoji { rest = rest.dropFirst() }
        let shown = base.properties.isEmojiPresentation ? [base] : [base, asEmoji]
        if rest.isEmpty { return shown }
        // England, Scotland, Wales: a black flag with the region's letters as tags.
        guard base == blackFlag, rest.last == lastTag, 3...6 ~= rest.count - 1, rest.dropLast().allSatisfy(isTag)
        else { return nil }
        return shown + rest
    }

    private static func isBase(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.isEmoji && !properties.isEmojiModifier && !isKey(scalar) && !isRegional(scalar)
    }

    private static func isKey(_ scalar: Unicode.Scalar) -> Bool {
        "0"..."9" ~= scalar || scalar == "#" || scalar == "*"
    }

    private static func isRegional(_ scalar: Unicode.Scalar) -> Bool { 0x1F1E6...0x1F1FF ~= scalar.value }

    /// Whether it is a tag for a letter or digit.
    private static func isTag(_ scalar: Unicode.Scalar) -> Bool {
        0xE0030...0xE0039 ~= scalar.value || 0xE0061...0xE007A ~= scalar.value
    }

    private static func text(_ scalars: [Unicode.Scalar]) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }
}
