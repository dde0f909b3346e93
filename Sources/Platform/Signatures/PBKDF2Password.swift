import CCrypto

/// A password that was hashed by PBKDF2 (RFC 8018) with HMAC.
///
/// In the database it is `$pbkdf2-sha256$i=1000$SALT$HASH`, the last two in base 64.
package struct PBKDF2Password: Equatable, Sendable {
    package enum Digest: String, CaseIterable, Sendable {
        case sha1
        case sha256

        var bytes: Int { self == .sha1 ? 20 : 32 }
    }

    /// The most rounds, over all blocks of a hash, so that a sign-in takes some seconds of a slow core at most.
    package static let roundsMax = 2_000_000
    /// A shorter hash is found by trying, a longer one is no hash of a password.
    private static let hashBytes = 16...128
    private static let saltBytes = 1...256

    private let digest: Digest
    private let rounds: Int
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// - Returns: nil if hash or salt are too short or too long, or the rounds too many.
    package init?(_ digest: Digest, rounds: Int, salt: [UInt8], hash: [UInt8]) {
        guard Self.hashBytes.contains(hash.count), Self.saltBytes.contains(salt.count), rounds >= 1,
            rounds <= Self.roundsMax / ((hash.count + digest.bytes - 1) / digest.bytes)
        else { return nil }
        (self.digest, self.rounds, self.salt, self.hash) = (digest, rounds, salt, hash)
    }

    /// - Returns: nil if the text is none.
    package init?(_ text: String) {
        guard let match = text.wholeMatch(of: /\$pbkdf2-(sha1|sha256)\$i=(\d{1,9})\$([^$]+)\$([^$]+)/),
            let digest = Digest(rawValue: String(match.1)), let rounds = Int(match.2),
            let salt = Base64.bytes(match.3, atMost: Self.saltBytes.upperBound),
            let hash = Base64.bytes(match.4, atMost: Self.hashBytes.upperBound)
        else { return nil }
        self.init(digest, rounds: rounds, salt: salt, hash: hash)
    }

    /// As it is stored.
    package var text: String { "$pbkdf2-\(digest.rawValue)$i=\(rounds)$\(Base64.text(salt))$\(Base64.text(hash))" }

    /// Whether this password was hashed. Takes up to some seconds of a core, so call it on a WorkPool.
    package func verifies(_ password: String) -> Bool {
        var room = [UInt8](repeating: 0, count: hash.count)
        let text = Array(password.utf8CString)
        let done = parley_crypto_pbkdf2(
            digest == .sha256 ? 1 : 0, text, CInt(text.count - 1), salt, CInt(salt.count), CInt(rounds), &room,
            CInt(room.count))
        return done == 1 && CRYPTO_memcmp(room, hash, hash.count) == 0
    }
}
