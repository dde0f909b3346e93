import Signatures

/// A signed JWT (RFC 7519), as the three providers want it.
enum WebToken {
    /// - Parameter key: on P-256 for ES256, otherwise RSA for RS256.
    static func make(_ claims: JSONValue, header: [(String, JSONValue?)] = [], key: SigningKey) -> String {
        let algorithm = key.kind == .p256 ? "ES256" : "RS256"
        let head = JSONValue.object([("alg", .text(algorithm)), ("typ", .text("JWT"))] + header)
        let signed = head.bytes.base64URL + "." + claims.bytes.base64URL
        return signed + "." + key.sign(Array(signed.utf8)).base64URL
    }
}

extension Array<UInt8> {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Base64 for URLs, without padding (RFC 4648, section 5).
    var base64URL: String {
        var text: [UInt8] = []
        text.reserveCapacity(count * 4 / 3 + 3)
        for start in stride(from: 0, to: count, by: 3) {
            let piece = self[start..<Swift.min(start + 3, count)]
            let bits = piece.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - piece.count))
            for place in 0...piece.count { text.append(Self.digits[bits >> (18 - 6 * place) & 63]) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
