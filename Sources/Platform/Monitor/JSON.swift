/// The parts of JSON (RFC 8259) that our HTTP responses need.
public enum JSON {
    /// Returns `text` as a JSON string (§7).
    public static func quote(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Returns `texts` as a JSON array of strings (§5).
    public static func quote(_ texts: [String]) -> String { "[" + texts.map(quote).joined(separator: ",") + "]" }
}
