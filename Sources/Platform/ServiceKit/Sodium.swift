import CSodium

/// The parts of libsodium that Parley uses: passwords, signatures, randomness, hashes.
public enum Sodium {
    private static let isReady: Bool = sodium_init() >= 0

    private static func prepare() {
        precondition(isReady, "libsodium cannot start: no source of randomness")
    }

    /// Returns `count` bytes that cannot be guessed.
    public static func randomBytes(_ count: Int) -> [UInt8] {
        prepare()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    /// Returns `length` letters and digits that cannot be guessed; 5.95 bits per character.
    public static func randomText(_ length: Int) -> String {
        prepare()
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        return String(decoding: (0..<length).map { _ in alphabet[Int(randombytes_uniform(62))] }, as: UTF8.self)
    }

    /// BLAKE2b-256, for secrets that are themselves random. Passwords go through ``hashPassword(_:)``.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        prepare()
        var out = [UInt8](repeating: 0, count: 32)
        crypto_generichash(&out, out.count, bytes, UInt64(bytes.count), nil, 0)
        return out
    }

    // MARK: Keyed hashes and SHA-256

    /// HMAC-SHA-512-256 with a key of 32 bytes.
    public static func authenticator(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        prepare()
        precondition(key.count == Int(crypto_auth_KEYBYTES), "the key must have \(crypto_auth_KEYBYTES) bytes")
        var out = [UInt8](repeating: 0, count: Int(crypto_auth_BYTES))
        crypto_auth(&out, message, UInt64(message.count), key)
        return out
    }

    /// HMAC-SHA-256 with a key of any length.
    public static func hmacSHA256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        prepare()
        var state = crypto_auth_hmacsha256_state()
        var out = [UInt8](repeating: 0, count: 32)
        crypto_auth_hmacsha256_init(&state, key, key.count)
        crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
        crypto_auth_hmacsha256_final(&state, &out)
        return out
    }

    /// SHA-256 of the pieces that `next` returns, until one is empty.
    public static func sha256(_ next: () throws -> [UInt8]) rethrows -> [UInt8] {
        prepare()
        var state = crypto_hash_sha256_state()
        var out = [UInt8](repeating: 0, count: 32)
        crypto_hash_sha256_init(&state)
        while true {
            let piece = try next()
            if piece.isEmpty { break }
            crypto_hash_sha256_update(&state, piece, UInt64(piece.count))
        }
        crypto_hash_sha256_final(&state, &out)
        return out
    }

    /// SHA-256 of all bytes.
    public static func sha256(of bytes: [UInt8]) -> [UInt8] {
        var rest = bytes
        return sha256 {
            defer { rest = [] }
            return rest
        }
    }

    // MARK: Sealing (XChaCha20-Poly1305)

    /// Encrypts and authenticates `bytes` with a key of 32 bytes. Only ``open(_:for:key:)`` with the same `purpose`
    /// reads them. The nonce is a keyed hash of both, so the same bytes are always sealed alike. The result is 40 bytes
    /// longer.
    public static func seal(_ bytes: [UInt8], for purpose: [UInt8], key: [UInt8]) -> [UInt8] {
        prepare()
        precondition(key.count == Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES), "the key must have 32 bytes")
        var nonce = [UInt8](repeating: 0, count: Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES))
        // The hash's key is not the cipher's.
        let hashKey = authenticator(of: Array("nonce".utf8), key: key)
        let message = hash(purpose) + bytes
        crypto_generichash(&nonce, nonce.count, message, UInt64(message.count), hashKey, hashKey.count)
        var sealed = [UInt8](repeating: 0, count: bytes.count + Int(crypto_aead_xchacha20poly1305_ietf_ABYTES))
        crypto_aead_xchacha20poly1305_ietf_encrypt(
            &sealed, nil, bytes, UInt64(bytes.count), purpose, UInt64(purpose.count), nil, nonce, key)
        return nonce + sealed
    }

    /// Returns what ``seal(_:for:key:)`` sealed for this purpose, or nil if it did not.
    public static func open(_ sealed: [UInt8], for purpose: [UInt8], key: [UInt8]) -> [UInt8]? {
        prepare()
        precondition(key.count == Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES), "the key must have 32 bytes")
        let nonceBytes = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
        let length = sealed.count - nonceBytes - Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
        guard length >= 0 else { return nil }
        let (nonce, text) = (Array(sealed[..<nonceBytes]), Array(sealed[nonceBytes...]))
        var bytes = [UInt8](repeating: 0, count: length)
        let code = crypto_aead_xchacha20poly1305_ietf_decrypt(
            &bytes, nil, nil, text, UInt64(text.count), purpose, UInt64(purpose.count), nonce, key)
        return code == 0 ? bytes : nil
    }

    // MARK: Passwords

    /// OWASP's recommendation for argon2id: 19 MiB, two passes. Takes about 20 ms of one core, so call it on a
    /// WorkPool.
    private static let passwordMemory = 19 * 1024 * 1024
    private static let passwordPasses: UInt64 = 2

    /// Returns the argon2id hash of a password in its standard text form, or nil if memory is short.
    public static func hashPassword(_ password: String) -> String? {
        prepare()
        var out = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let text = Array(password.utf8CString)
        guard crypto_pwhash_str(&out, text, UInt64(text.count - 1), passwordPasses, passwordMemory) == 0 else {
            return nil
        }
        return String(decoding: out.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether `password` is the one that was hashed. Takes as long as hashing.
    public static func verifyPassword(_ password: String, against hash: String) -> Bool {
        prepare()
        let text = Array(password.utf8CString)
        return crypto_pwhash_str_verify(hash, text, UInt64(text.count - 1)) == 0
    }

    // MARK: Signatures (Ed25519)

    public struct SigningKey: Sendable {
        public let publicKey: [UInt8]
        public let secretKey: [UInt8]

        public init(publicKey: [UInt8], secretKey: [UInt8]) {
            self.publicKey = publicKey
            self.secretKey = secretKey
        }

        public static func make() -> SigningKey {
            Sodium.prepare()
            var publicKey = [UInt8](repeating: 0, count: Int(crypto_sign_PUBLICKEYBYTES))
            var secretKey = [UInt8](repeating: 0, count: Int(crypto_sign_SECRETKEYBYTES))
            crypto_sign_keypair(&publicKey, &secretKey)
            return SigningKey(publicKey: publicKey, secretKey: secretKey)
        }
    }

    public static func sign(_ message: [UInt8], with key: SigningKey) -> [UInt8] {
        prepare()
        var signature = [UInt8](repeating: 0, count: Int(crypto_sign_BYTES))
        crypto_sign_detached(&signature, nil, message, UInt64(message.count), key.secretKey)
        return signature
    }

    public static func isSignature(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
        prepare()
        guard signature.count == Int(crypto_sign_BYTES), publicKey.count == Int(crypto_sign_PUBLICKEYBYTES) else {
            return false
        }
        return crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    }
}
