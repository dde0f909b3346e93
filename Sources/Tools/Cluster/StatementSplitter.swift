/// Splits an SQL script into statements.
enum StatementSplitter {
    /// Returns the statements in order, without semicolons. Supports `--` comments, quotes and dollar quotes, but not
    /// `E'\''`.
    static func statements(of script: String) -> [String] {
        var statements: [String] = []
        var current: [UInt8] = []
        var rest = Array(script.utf8)[...]
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "-") where rest.starts(with: "--".utf8):
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                take(upToAndWith: [byte], from: &rest, into: &current, opening: 1)
            case UInt8(ascii: "$"):
                let tag = dollarTag(at: rest) ?? [byte]
                if tag.count > 1 {
                    take(upToAndWith: tag, from: &rest, into: &current, opening: tag.count)
                } else {
                    current.append(rest.removeFirst())
                }
            case UInt8(ascii: ";"):
                rest.removeFirst()
                finish(&current, into: &statements)
            default:
                current.append(rest.removeFirst())
            }
        }
        finish(&current, into: &statements)
        return statements
    }

    private static func finish(_ current: inout [UInt8], into statements: inout [String]) {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0d).contains($0) }
        let text = current.drop(while: isSpace)
        if !text.isEmpty { statements.append(String(decoding: text, as: UTF8.self)) }
        current = []
    }

    /// Moves a quoted part from `rest` to `current`. Its opening quote has `opening` bytes.
    private static func take(
        upToAndWith end: [UInt8], from rest: inout ArraySlice<UInt8>, into current: inout [UInt8], opening: Int
    ) {
        current += rest.prefix(opening)
        rest = rest.dropFirst(opening)
        while !rest.isEmpty, !rest.starts(with: end) { current.append(rest.removeFirst()) }
        current += rest.prefix(end.count)
        rest = rest.dropFirst(end.count)
    }

    /// Returns `$tag$` if `rest` begins with one.
    private static func dollarTag(at rest: ArraySlice<UInt8>) -> [UInt8]? {
        let name = rest.dropFirst().prefix {
            $0 == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
        }
        let after = rest.dropFirst(1 + name.count)
        return after.first == UInt8(ascii: "$") ? Array(rest.prefix(name.count + 2)) : nil
    }
}
