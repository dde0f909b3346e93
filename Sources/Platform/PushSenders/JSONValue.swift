/// JSON to send (RFC 8259), with its members in the order given.
indirect enum JSONValue {
    case text(String)
    case number(Int64)
    case flag(Bool)
    /// Members without a value are left out.
    case object([(String, JSONValue?)])

    static func text(_ text: String?) -> JSONValue? { text.map { .text($0) } }
    static func number(_ number: Int?) -> JSONValue? { number.map { .number(Int64($0)) } }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .text(let text): Self.append(text, to: &bytes)
        case .number(let number): bytes += String(number).utf8
        case .flag(let flag): bytes += (flag ? "true" : "false").utf8
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            var isFirst = true
            for case (let name, let value?) in members {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                Self.append(name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case ..<0x20: bytes += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// How many bytes a character takes in a string.
    static func length(of character: Character) -> Int {
        character.utf8.reduce(0) { sum, byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n"): sum + 2
            case ..<0x20: sum + 6
            default: sum + 1
            }
        }
    }
}

extension String {
    /// The text, or as many of its first characters with "…" after them as take at most `max` bytes in JSON.
    func cut(to max: Int) -> String {
        var (used, end, fits) = (0, startIndex, true)
        for index in indices {
            used += JSONValue.length(of: self[index])
            guard used <= max else {
                fits = false
                break
            }
            if used <= max - 3 { end = self.index(after: index) }
        }
        guard !fits else { return self }
        return max < 3 ? "" : String(self[..<end]) + "…"
    }
}
