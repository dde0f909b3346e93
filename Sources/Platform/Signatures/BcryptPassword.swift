import CCrypto

/// A password that was hashed by bcrypt, as crypt(5) writes it: `$2b$12$SALTHASH`.
package struct BcryptPassword: Equatable, Sendable {
    /// The most rounds, as a power of two, so that a sign-in takes some seconds of a slow core at most.
    package static let costMax = 14
    private static let costMin = 4

    package let text: String

    /// - Returns: nil if the text is none, or the rounds are too many.
    package init?(_ text: String) {
        guard let match = text.wholeMatch(of: /\$2[aby]\$(\d\d)\$[.\/A-Za-z0-9]{53}/), let cost = Int(match.1),
            (Self.costMin...Self.costMax).contains(cost)
        else { return nil }
        self.text = text
    }

    /// Whether this password was hashed; of a long one the first 72 bytes count, as everywhere with bcrypt. Takes up to
    /// some seconds of a core, so call it on a WorkPool.
    package func verifies(_ password: String) -> Bool {
        // It ends a password at a zero.
        guard !password.utf8.contains(0) else { return false }
        let stored = Array(text.utf8CString)
        var room = [CChar](repeating: 0, count: stored.count)
        guard parley_crypto_bcrypt(password, stored, &room, room.count) == 1 else { return false }
        return CRYPTO_memcmp(room, stored, stored.count) == 0
    }
}
