import FoundationEssentials  // JSON and base64 only; swift-configuration links it anyway.
import Schema

/// The identity of a session as a JWT (RFC 7519) signed with Ed25519 (RFC 8037). The conversations service issues it;
/// the gateways verify it.
public struct AccessToken: Equatable, Sendable {
    public var user: String
    public var account: AccountNumber
    public var device: String
    public var issuedAt: Timestamp
    /// Whole seconds.
    public var expiresAt: Timestamp

    public init(
        user: String, account: AccountNumber, device: String, issuedAt: Timestamp, expiresAt: Timestamp
    ) {
        self.user = user
        self.account = account
        self.device = device
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    /// Why a token is invalid. In every case the client needs a new one.
    public enum Flaw: Error, Equatable, Sendable {
        case malformed
        case unknownKey(String)
        case badSignature, expired
    }

    private struct Header: Codable {
        var alg: String
        var kid: String
        var typ: String?
    }
    /// `acc`, `dev` and `ius` are Parley's own: account number, device, and time of issue in microseconds. The
    /// microseconds tell whether a token was issued before or after a sign-out in the same second.
    private struct Claims: Codable {
        var sub: String
        var acc: Int64
        var dev: String
        var iat: Int64
        var exp: Int64
        var ius: Int64
    }

    private static let bytesMax = 2048

    public func signed(with key: Sodium.SigningKey, keyID: String) -> String {
        let header = Header(alg: "EdDSA", kid: keyID, typ: "JWT")
        let claims = Claims(
            sub: user, acc: account.rawValue, dev: device, iat: issuedAt.seconds, exp: expiresAt.seconds,
            ius: issuedAt.rawValue)
        let encoder = JSONEncoder()
        // Both are plain structs of text and numbers: encoding them cannot fail.
        guard let head = try? encoder.encode(header), let body = try? encoder.encode(claims) else { return "" }
        let text = Base64URL.encode(head) + "." + Base64URL.encode(body)
        return text + "." + Base64URL.encode(Data(Sodium.sign(Array(text.utf8), with: key)))
    }

    /// Checks a token's signature and expiry.
    /// - Parameters:
    ///   - publicKeys: the public keys by key id.
    ///   - now: the current time.
    public static func verify(
        _ token: String, publicKeys: [String: [UInt8]], now: Timestamp
    ) throws(Flaw) -> AccessToken {
        let parts = token.utf8.count <= bytesMax ? token.split(separator: ".", omittingEmptySubsequences: false) : []
        guard parts.count == 3,
            let head = Base64URL.decode(parts[0]), let body = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]),
            let header = try? JSONDecoder().decode(Header.self, from: head), header.alg == "EdDSA"
        else { throw .malformed }
        guard let key = publicKeys[header.kid] else { throw .unknownKey(header.kid) }
        let signedText = Array(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        guard Sodium.isSignature(Array(signature), of: signedText, by: key) else { throw .badSignature }
        guard let claims = try? JSONDecoder().decode(Claims.self, from: body) else { throw .malformed }
        guard claims.exp > now.seconds else { throw .expired }
        let (expiresAt, isBeyondTime) = claims.exp.multipliedReportingOverflow(by: 1_000_000)
        guard !isBeyondTime else { throw .malformed }
        return AccessToken(
            user: claims.sub, account: AccountNumber(claims.acc), device: claims.dev,
            issuedAt: Timestamp(claims.ius), expiresAt: Timestamp(expiresAt))
    }
}

enum Base64URL {
    static func encode(_ data: Data) -> String {
        String(
            data.base64EncodedString().compactMap { character -> Character? in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }

    static func decode(_ text: Substring) -> Data? {
        var standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        guard !text.contains(where: { $0 == "+" || $0 == "/" || $0 == "=" }) else { return nil }
        standard += String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        return Data(base64Encoded: standard)
    }
}
