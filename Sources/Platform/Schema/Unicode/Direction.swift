/// The characters of a text that say in which direction it is read (annex 9 of Unicode). Pure.
package enum Direction {
    /// Whether the scalar is a mark, an embedding, an override, an isolate or the end of one.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        isMark(scalar) || begins(scalar) || ends(scalar)
    }

    /// Whether all embeddings, overrides and isolates of a text end in it, so that it changes nothing around it.
    package static func isClosed(_ text: some StringProtocol) -> Bool {
        var open: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars where scalar.value >= 0x202A {
            if begins(scalar) {
                open.append(scalar)
            } else if scalar == embeddingEnd, let last = open.last, !isIsolate(last) {
                open.removeLast()
            } else if scalar == isolateEnd, let isolate = open.lastIndex(where: isIsolate) {
                // The end of an isolate ends what began in it, too.
                open.removeSubrange(isolate...)
            }
        }
        return open.isEmpty
    }

    /// Returns a name without what is around it: marks of direction and white space at its ends, and an embedding or
    /// isolate of all of it.
    package static func unwrapped(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, let last = scalars.last {
            if isMark(first) || first.properties.isWhitespace {
                scalars.removeFirst()
            } else if isMark(last) || last.properties.isWhitespace {
                scalars.removeLast()
            } else if isWrapped(scalars) {
                scalars = scalars.dropFirst().dropLast()
            } else {
                break
            }
        }
        return String(scalars)
    }

    /// Whether the first scalar begins what the last one ends.
    private static func isWrapped(_ scalars: Substring.UnicodeScalarView) -> Bool {
        guard let first = scalars.first, let last = scalars.last, begins(first),
            last == (isIsolate(first) ? isolateEnd : embeddingEnd)
        else { return false }
        return isClosed(String(scalars.dropFirst().dropLast()))
    }

    private static let embeddingEnd: Unicode.Scalar = "\u{202C}"
    private static let isolateEnd: Unicode.Scalar = "\u{2069}"

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0x200E || scalar.value == 0x200F || scalar.value == 0x61C
    }

    private static func begins(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A, 0x202B, 0x202D, 0x202E: true
        default: isIsolate(scalar)
        }
    }

    private static func isIsolate(_ scalar: Unicode.Scalar) -> Bool { (0x2066...0x2068).contains(scalar.value) }

    private static func ends(_ scalar: Unicode.Scalar) -> Bool { scalar == embeddingEnd || scalar == isolateEnd }
}
