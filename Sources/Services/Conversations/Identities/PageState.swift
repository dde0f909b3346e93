import Schema
import ServiceKit

/// What a sign-in on an issuer's page has to know when the person comes back. It travels sealed in the URL, so that no
/// replica keeps anything. Pure but for its randomness.
struct PageState: Equatable {
    /// How long somebody may take on the page of the issuer.
    static let lifetime = Duration.seconds(600)
    private static let version: UInt8 = 1
    private static let headBytes = 1 + 8 + 32 + 16 + 32

    let begunAt: Timestamp
    /// The secret of PKCE between this server and the issuer (RFC 7636).
    let verifier: [UInt8]
    /// What the issuer's token must have in it.
    let nonce: [UInt8]
    /// The hash of the secret that the device keeps which began.
    let challenge: [UInt8]
    let returnAddress: String

    init(at now: Timestamp, challenge: [UInt8], returnAddress: String) {
        (begunAt, self.challenge, self.returnAddress) = (now, challenge, returnAddress)
        (verifier, nonce) = (Sodium.randomBytes(32), Sodium.randomBytes(16))
    }

    /// - Returns: nil if the bytes are no state of this version.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > Self.headBytes, bytes[0] == Self.version else { return nil }
        begunAt = Timestamp(bytes[1..<9].reduce(0) { $0 << 8 | Int64($1) })
        (verifier, nonce, challenge) = (Array(bytes[9..<41]), Array(bytes[41..<57]), Array(bytes[57..<89]))
        returnAddress = String(decoding: bytes[89...], as: UTF8.self)
    }

    var bytes: [UInt8] {
        [Self.version] + withUnsafeBytes(of: begunAt.rawValue.bigEndian, Array.init) + verifier + nonce + challenge
            + Array(returnAddress.utf8)
    }

    var endsAt: Timestamp { begunAt + Self.lifetime }
    var verifierText: String { Base64URL.encode(verifier) }
    var nonceText: String { Base64URL.encode(nonce) }
    var hash: [UInt8] { Sodium.hash(Array("page state".utf8) + bytes) }

    /// What the state of this issuer is sealed for.
    static func purpose(_ issuer: String) -> String { "page of \(issuer)" }

    /// What a device shows of a secret before it shows the secret (S256 of RFC 7636).
    static func challenge(of verifier: String) -> [UInt8] { Sodium.sha256(of: Array(verifier.utf8)) }
}

/// What a device gets for a sign-in on a page, and what is stored of it. Pure but for its randomness.
enum PageCode {
    static let lifetime = Duration.seconds(60)
    /// How long a device may repeat its request, because the reply was lost.
    static let grace = Duration.seconds(60)

    static func make() -> String { Base64URL.encode(Sodium.randomBytes(32)) }

    static func hash(_ code: String) -> [UInt8] { Sodium.hash(Array("page code \(code)".utf8)) }

    private static func key(_ code: String) -> [UInt8] { Sodium.hash(Array("page token \(code)".utf8)) }

    private static let purpose = Array("page token".utf8)

    /// Hides a token from whoever does not have the code, also from whoever reads the database.
    static func sealed(_ token: String, nonce: String, by code: String) -> [UInt8] {
        Sodium.seal(Array("\(nonce) \(token)".utf8), for: purpose, key: key(code))
    }

    static func opened(_ sealed: [UInt8], by code: String) -> (token: String, nonce: String)? {
        guard let bytes = Sodium.open(sealed, for: purpose, key: key(code)) else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 1)
        return parts.count == 2 ? (String(parts[1]), String(parts[0])) : nil
    }
}
