import FoundationEssentials  // JSON only; swift-configuration links it anyway.
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
    /// `acc`, `dev` and `ius` are Parley's own: account number, sealed so that only gateways read it; device; time of
    /// issue in microseconds, which tell whether a token was issued before or after a sign-out in the same second.
    private struct Claims: Codable {
        var sub: String
        var acc: String
        var dev: String
        var iat: Int64
        var exp: Int64
        var ius: Int64
    }

    private static let bytesMax = 2048

    /// What makes tokens.
    public struct Key: Sendable {
        public let id: String
        public let signing: Sodium.SigningKey
        /// Seals the account number; 32 bytes.
        public let seal: [UInt8]

        public init(id: String, signing: Sodium.SigningKey, seal: [UInt8]) {
            (self.id, self.signing, self.seal) = (id, signing, seal)
        }
    }

    public func signed(with key: Key) -> String {
        let header = Header(alg: "EdDSA", kid: key.id, typ: "JWT")
        let number = withUnsafeBytes(of: account.rawValue.bigEndian, Array.init)
        let claims = Claims(
            sub: user, acc: Base64URL.encode(Sodium.seal(number, for: Array(user.utf8), key: key.seal)), dev: device,
            iat: issuedAt.seconds, exp: expiresAt.seconds, ius: issuedAt.rawValue)
        let encoder = JSONEncoder()
        // Both are plain structs of text and numbers: encoding them cannot fail.
        guard let head = try? encoder.encode(header), let body = try? encoder.encode(claims) else { return "" }
        let text = Base64URL.encode(head) + "." + Base64URL.encode(body)
        return text + "." + Base64URL.encode(Sodium.sign(Array(text.utf8), with: key.signing))
    }

    /// What checks tokens.
    public struct CheckingKey: Sendable {
        public let publicKey: [UInt8]
        /// Opens the account number; 32 bytes.
        public let seal: [UInt8]

        public init(publicKey: [UInt8], seal: [UInt8]) { (self.publicKey, self.seal) = (publicKey, seal) }
    }

    /// Checks a token's signature and expiry.
    /// - Parameters:
    ///   - keys: by key id.
    ///   - now: the current time.
    public static func verify(
        _ token: String, keys: [String: CheckingKey], now: Timestamp
    ) throws(Flaw) -> AccessToken {
        let parts = token.utf8.count <= bytesMax ? token.split(separator: ".", omittingEmptySubsequences: false) : []
        guard parts.count == 3,
            let head = Base64URL.decode(parts[0]), let body = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]),
            let header = try? JSONDecoder().decode(Header.self, from: Data(head)), header.alg == "EdDSA"
        else { throw .malformed }
        guard let key = keys[header.kid] else { throw .unknownKey(header.kid) }
        let signedText = Array(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        guard Sodium.isSignature(signature, of: signedText, by: key.publicKey) else { throw .badSignature }
        guard let claims = try? JSONDecoder().decode(Claims.self, from: Data(body)) else { throw .malformed }
        guard claims.exp > now.seconds else { throw .expired }
        let (expiresAt, isBeyondTime) = claims.exp.multipliedReportingOverflow(by: 1_000_000)
        guard !isBeyondTime, key.seal.count == 32, let sealed = Base64URL.decode(claims.acc),
            let number = Sodium.open(sealed, for: Array(claims.sub.utf8), key: key.seal), number.count == 8
        else { throw .malformed }
        return AccessToken(
            user: claims.sub, account: AccountNumber(number.reduce(0) { $0 << 8 | Int64($1) }), device: claims.dev,
            issuedAt: Timestamp(claims.ius), expiresAt: Timestamp(expiresAt))
    }
}
