/// The normal forms of Unicode (annex 15), which the standard library does not have. Pure.
///
/// Two texts that look alike may hold different scalars: "é" is one or two. Their NFC is the same. In NFKC, letters
/// that differ only in width or shape are the same, too.
package enum NormalForm {
    /// Returns the canonical composition.
    package static func nfc(_ text: String) -> String {
        // Nothing below U+0300 composes with what is before it.
        if text.unicodeScalars.allSatisfy({ $0.value < 0x300 }) { return text }
        return string(composed(decomposed(text.unicodeScalars, isCompatible: false)))
    }

    /// Returns the compatibility composition.
    package static func nfkc(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        return string(nfkc(text.unicodeScalars))
    }

    static func nfkc(_ scalars: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
        composed(decomposed(scalars, isCompatible: true))
    }

    /// Returns the canonical decomposition, or that of compatibility.
    static func decomposed(_ scalars: some Sequence<Unicode.Scalar>, isCompatible: Bool) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        for scalar in scalars { append(scalar, isCompatible, to: &result) }
        sortMarks(&result)
        return result
    }

    /// Composes a canonical decomposition.
    static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        var starter: Int?
        var classBefore: UInt8 = 0
        for scalar in scalars {
            let own = combiningClass(scalar)
            if let starter, starter == result.count - 1 || (classBefore != 0 && classBefore < own),
                let pair = composition(result[starter], scalar)
            {
                result[starter] = pair
                continue
            }
            if own == 0 { starter = result.count }
            classBefore = own
            result.append(scalar)
        }
        return result
    }

    /// Whether what comes before the scalar has the same normal form whatever the scalar is.
    static func isBoundary(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x300 { return true }
        let first = table.parts(of: scalar.value)?.scalars.first ?? scalar
        return combiningClass(first) == 0 && !table.seconds.contains(first.value) && !Hangul.isSecond(first.value)
    }

    static func combiningClass(_ scalar: Unicode.Scalar) -> UInt8 {
        scalar.value < 0x300 ? 0 : scalar.properties.canonicalCombiningClass.rawValue
    }

    private static let table = DecompositionTable(Decompositions.table)

    private static func string(_ scalars: [Unicode.Scalar]) -> String {
        String(String.UnicodeScalarView(scalars))
    }

    private static func append(_ scalar: Unicode.Scalar, _ isCompatible: Bool, to result: inout [Unicode.Scalar]) {
        if scalar.value < 0xA0 {
            result.append(scalar)
        } else if let parts = Hangul.parts(of: scalar.value) {
            result += parts
        } else if let parts = table.parts(of: scalar.value), isCompatible || !parts.isCompatible {
            for part in parts.scalars { append(part, isCompatible, to: &result) }
        } else {
            result.append(scalar)
        }
    }

    /// Brings each run of combining marks into the order of their classes. Marks of one class keep their order.
    private static func sortMarks(_ scalars: inout [Unicode.Scalar]) {
        var begin = 0
        while begin < scalars.count {
            guard combiningClass(scalars[begin]) != 0 else {
                begin += 1
                continue
            }
            var end = begin + 1
            while end < scalars.count, combiningClass(scalars[end]) != 0 { end += 1 }
            if end - begin > 1 {
                let marks = scalars[begin..<end].enumerated().sorted {
                    (combiningClass($0.element), $0.offset) < (combiningClass($1.element), $1.offset)
                }
                scalars.replaceSubrange(begin..<end, with: marks.map(\.element))
            }
            begin = end
        }
    }

    private static func composition(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        if let syllable = Hangul.composition(first.value, second.value) { return syllable }
        guard table.seconds.contains(second.value) else { return nil }
        return table.compositions[DecompositionTable.key(first, second)]
    }
}

/// The syllables of Hangul, which Unicode composes by a calculation.
private enum Hangul {
    static func parts(of value: UInt32) -> [Unicode.Scalar]? {
        guard (0xAC00...0xD7A3).contains(value) else { return nil }
        let index = value - 0xAC00
        let parts = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28]
        return (index % 28 == 0 ? parts[..<2] : parts[...]).compactMap(Unicode.Scalar.init)
    }

    static func composition(_ first: UInt32, _ second: UInt32) -> Unicode.Scalar? {
        switch (first, second) {
        case (0x1100...0x1112, 0x1161...0x1175):
            Unicode.Scalar(0xAC00 + (first - 0x1100) * 588 + (second - 0x1161) * 28)
        case (0xAC00...0xD7A3, 0x11A8...0x11C2):
            (first - 0xAC00) % 28 == 0 ? Unicode.Scalar(first + second - 0x11A7) : nil
        default: nil
        }
    }

    static func isSecond(_ value: UInt32) -> Bool { (0x1161...0x11FF).contains(value) }
}

/// The decompositions of single scalars, as `make-unicode-tables` writes them.
private struct DecompositionTable: Sendable {
    /// In order.
    private(set) var sources: [UInt32] = []
    private var entries: [(begin: Int, count: Int, isCompatible: Bool)] = []
    private var targets: [Unicode.Scalar] = []
    /// Pairs that compose.
    private(set) var compositions: [UInt64: Unicode.Scalar] = [:]
    /// Scalars that compose with one before them.
    private(set) var seconds: Set<UInt32> = []

    init(_ table: StaticString) {
        var digits = DigitReader(table)
        var source: UInt32 = 0
        while !digits.isAtEnd {
            source += digits.next()
            let (count, kind) = digits.next().quotientAndRemainder(dividingBy: 8)
            let begin = targets.count
            for _ in 0..<count { if let scalar = Unicode.Scalar(digits.next()) { targets.append(scalar) } }
            sources.append(source)
            entries.append((begin, targets.count - begin, kind == 0))
            if kind == 1, let scalar = Unicode.Scalar(source) {
                compositions[Self.key(targets[begin], targets[begin + 1])] = scalar
                seconds.insert(targets[begin + 1].value)
            }
        }
    }

    static func key(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> UInt64 {
        UInt64(first.value) << 32 | UInt64(second.value)
    }

    func parts(of value: UInt32) -> (scalars: ArraySlice<Unicode.Scalar>, isCompatible: Bool)? {
        var (low, high) = (0, sources.count)
        while low < high {
            let middle = (low + high) / 2
            if sources[middle] < value { low = middle + 1 } else { high = middle }
        }
        guard low < sources.count, sources[low] == value else { return nil }
        let entry = entries[low]
        return (targets[entry.begin..<(entry.begin + entry.count)], entry.isCompatible)
    }
}

/// Reads the numbers of a table.
private struct DigitReader {
    private var bytes: [UInt8]
    private var at = 0

    init(_ table: StaticString) {
        bytes = table.withUTF8Buffer { Array($0) }
    }

    var isAtEnd: Bool { at >= bytes.count }

    mutating func next() -> UInt32 {
        var value: UInt32 = 0
        while at < bytes.count {
            // The backslash is no digit.
            let digit = UInt32(bytes[at]) - 0x30 - (bytes[at] > UInt8(ascii: "\\") ? 1 : 0)
            at += 1
            value = value << 5 | digit & 31
            if digit < 32 { break }
        }
        return value
    }
}
