import CCrypto

/// A password as Firebase stores it: its variant of scrypt, which encrypts a key of the project's.
///
/// In the database it is `$firebase-scrypt$ln=14,r=8$SEPARATOR$SIGNER$SALT$HASH`, the last four in base 64.
package struct FirebasePassword: Equatable, Sendable {
    private static let prefix = "$firebase-scrypt$"

    /// Beyond these a hash would take more memory or time than a sign-in may.
    private static let memoryMax = 14
    private static let roundsMax = 8
    private static let bytesMax = 256

    private let memory: UInt32
    private let rounds: UInt32
    private let separator: [UInt8]
    private let signer: [UInt8]
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// - Returns: nil if the text is none.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, let match = parts[0].wholeMatch(of: /ln=(\d{1,2}),r=(\d)/),
            let memory = UInt32(match.1), let rounds = UInt32(match.2), (1...Self.memoryMax).contains(Int(memory)),
            (1...Self.roundsMax).contains(Int(rounds))
        else { return nil }
        let bytes = parts.dropFirst().compactMap { Base64.bytes($0, atMost: Self.bytesMax) }
        guard bytes.count == 4, !bytes[1].isEmpty, bytes[3].count == bytes[1].count else { return nil }
        (self.memory, self.rounds) = (memory, rounds)
        (separator, signer, salt, hash) = (bytes[0], bytes[1], bytes[2], bytes[3])
    }

    /// Whether this password was hashed. Takes some 50 ms of a core and 16 MiB, so call it on a WorkPool.
    package func verifies(_ password: String) -> Bool {
        var room = [UInt8](repeating: 0, count: signer.count)
        let text = Array(password.utf8CString)
        let salted = salt + separator
        let done = parley_crypto_firebase(
            text, text.count - 1, salted, salted.count, memory, rounds, signer, CInt(signer.count), &room)
        return done == 1 && CRYPTO_memcmp(room, hash, hash.count) == 0
    }
}
