import FoundationEssentials  // JSON only; ServiceKit links it anyway.
import Reactor
import Schema
import ServiceKit
import Signatures

/// The public keys of an issuer (JWK Set, RFC 7517), of those kinds that sign tokens here. Others are left out: keys
/// for encryption, secret ones, those of other curves.
struct IssuerKeys: Sendable {
    /// Issuers have two to five.
    private static let keysMax = 64

    struct Entry: Sendable {
        var id: String?
        var key: VerifyingKey
    }

    var entries: [Entry]

    /// - Returns: nil if the text is no set of keys.
    init?(_ text: [UInt8]) {
        guard let set = try? JSONDecoder().decode(Set.self, from: Data(text)) else { return nil }
        entries = set.keys.prefix(Self.keysMax).compactMap { key in
            key.verifying.map { Entry(id: key.values["kid"], key: $0) }
        }
    }

    /// Those that may have signed a token.
    /// - Parameter id: which one the token names; nil: none.
    func candidates(_ id: String?, _ algorithm: SignatureAlgorithm) -> [VerifyingKey] {
        entries.filter { $0.key.algorithm == algorithm && (id == nil || $0.id == id) }.map(\.key)
    }

    private struct Set: Decodable {
        var keys: [Key]
    }

    private struct Key: Decodable {
        /// The members whose values are text.
        var values: [String: String] = [:]

        private enum Member: String, CodingKey, CaseIterable { case kty, use, alg, kid, crv, n, e, x, y }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Member.self)
            for member in Member.allCases {
                values[member.rawValue] = try? fields.decode(String.self, forKey: member)
            }
        }

        private func bytes(_ name: String) -> [UInt8]? { values[name].flatMap { Base64URL.decode($0) } }

        var verifying: VerifyingKey? {
            guard values["use"] ?? "sig" == "sig", let made else { return nil }
            return values["alg"] ?? made.algorithm.rawValue == made.algorithm.rawValue ? made : nil
        }

        private var made: VerifyingKey? {
            switch (values["kty"], values["crv"]) {
            case ("RSA", _):
                guard let n = bytes("n"), let e = bytes("e") else { return nil }
                return VerifyingKey(rsaModulus: n, exponent: e)
            case ("EC", "P-256"):
                guard let x = bytes("x"), let y = bytes("y") else { return nil }
                return VerifyingKey(p256X: x, y: y)
            case ("OKP", "Ed25519"):
                return bytes("x").flatMap { VerifyingKey(ed25519: $0) }
            default: return nil
            }
        }
    }
}

/// Which keys of an issuer are at hand, and when to read them again. Pure.
///
/// They are fresh as long as the issuer says. A token that names a key which is not there makes them be read earlier,
/// but not more often than every 30 s. While the issuer does not answer, the old ones count for a day, and it is asked
/// less and less often.
struct KeyCache: Sendable {
    static let pause: Duration = .seconds(30)
    static let pauseMax: Duration = .seconds(600)
    static let firstPause: Duration = .seconds(1)
    /// Keys count so long after they ceased to be fresh.
    static let graceMax: Duration = .seconds(86_400)
    static let freshMin: Duration = .seconds(60)
    static let freshMax: Duration = .seconds(86_400)
    static let freshByDefault: Duration = .seconds(3600)

    enum Verdict {
        case use([VerifyingKey])
        /// Read the keys, then ask again.
        case read
        /// The issuer has no such key.
        case none
        /// Nobody can tell before this time has passed.
        case wait(Duration)
    }

    private var keys: IssuerKeys?
    private var freshUntil: ContinuousClock.Instant?
    private var mayReadAt: ContinuousClock.Instant?
    /// By the clock that dates tokens.
    private var readAt: Timestamp?
    private var failures = 0

    /// Whether the issuer answered when its keys were last read.
    var hasSucceeded: Bool { keys != nil && failures == 0 }

    /// - Parameter issuedAt: when the token says that it was made. One that is older than the keys at hand names a key
    ///   of theirs, or none.
    func verdict(
        on id: String?, _ algorithm: SignatureAlgorithm, issuedAt: Timestamp, at now: ContinuousClock.Instant
    ) -> Verdict {
        let mayRead = mayReadAt.map { now >= $0 } ?? true
        guard let keys, let freshUntil, now < freshUntil + Self.graceMax else {
            return mayRead ? .read : .wait(mayReadAt.map { $0 - now } ?? Self.firstPause)
        }
        if now >= freshUntil, mayRead { return .read }
        let found = keys.candidates(id, algorithm)
        if !found.isEmpty { return .use(found) }
        if mayRead { return .read }
        guard let readAt, issuedAt > readAt - TokenRules.skew, let mayReadAt else { return .none }
        return .wait(mayReadAt - now)
    }

    mutating func read(
        _ keys: IssuerKeys, freshFor: Duration?, at now: ContinuousClock.Instant, wall: Timestamp
    ) {
        self.keys = keys
        freshUntil = now + min(max(freshFor ?? Self.freshByDefault, Self.freshMin), Self.freshMax)
        (failures, readAt, mayReadAt) = (0, wall, now + Self.pause)
    }

    mutating func failed(at now: ContinuousClock.Instant) {
        failures = min(failures + 1, 10)
        let first = keys == nil ? Self.firstPause : Self.pause
        mayReadAt = now + min(first * (1 << (failures - 1)), keys == nil ? Self.pause : Self.pauseMax)
    }
}

/// What a header `Cache-Control` says about how long a reply is fresh. Pure.
enum CacheControl {
    /// - Returns: nil if it does not say.
    static func freshness(_ headers: [String: String]) -> Duration? {
        guard let text = headers["cache-control"]?.lowercased() else { return nil }
        let parts = text.split(separator: ",").map { Blanks.trimmed(String($0)) }
        if parts.contains("no-store") || parts.contains("no-cache") { return .zero }
        guard let age = parts.first(where: { $0.hasPrefix("max-age=") }).flatMap({ Int32($0.dropFirst(8)) }), age >= 0
        else { return nil }
        let past = headers["age"].flatMap { Int32($0) } ?? 0
        return .seconds(max(0, Int(age) - Int(max(0, past))))
    }
}
