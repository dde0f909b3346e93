/// The query of a URL: what stands after its "?". Pure.
enum URLQuery {
    private static let hex = Array("0123456789ABCDEF".utf8)

    /// Reads the parameters of a path with a query.
    /// - Returns: nil if one stands there twice, or something is not encoded as it must be.
    static func parameters(of path: String) -> [String: String]? {
        guard let mark = path.firstIndex(of: "?") else { return [:] }
        var found: [String: String] = [:]
        for part in path[path.index(after: mark)...].split(separator: "&") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(sides[0]), let value = sides.count > 1 ? decoded(sides[1]) : "",
                found.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return found
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16)
                else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        // Line breaks may stand there: issuers write them into descriptions of errors, which nobody reads here.
        return String(validating: bytes, as: UTF8.self)
    }

    /// Writes parameters as a form or a query has them.
    static func text(_ parameters: [(String, String)]) -> String {
        parameters.map { "\(encoded($0))=\(encoded($1))" }.joined(separator: "&")
    }

    /// Returns a URL without fragment with these parameters after its own.
    static func adding(_ parameters: [(String, String)], to url: String) -> String {
        url + (url.contains("?") ? "&" : "?") + text(parameters)
    }

    static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
