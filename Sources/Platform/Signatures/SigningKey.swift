import CCrypto

/// A private key of OpenSSL's.
package final class SigningKey: @unchecked Sendable {
    // Sendable: nothing changes it, and OpenSSL lets several threads sign with one key.
    package enum Kind: Equatable {
        /// For ES256 and for encryption.
        case p256
        /// For RS256.
        case rsa(bits: Int)
        case other
    }

    private let handle: OpaquePointer
    package let kind: Kind

    private init(_ handle: OpaquePointer) {
        self.handle = handle
        kind =
            switch UInt8(truncatingIfNeeded: parley_crypto_kind(handle)) {
            case UInt8(ascii: "E"): .p256
            case UInt8(ascii: "R"): .rsa(bits: Int(parley_crypto_bits(handle)))
            default: .other
            }
    }

    /// Reads a private key in PEM without a password; nil if it is none.
    package convenience init?(pem: [UInt8]) {
        guard let handle = parley_crypto_read_private(pem, CInt(clamping: pem.count)) else { return nil }
        self.init(handle)
    }

    /// A key on P-256 from its number of 32 bytes and its point of 65; nil if the point is not on the curve.
    package convenience init?(scalar: [UInt8], point: [UInt8]) {
        guard scalar.count == 32, point.count == 65, point[0] == 4, let handle = parley_crypto_p256(point, scalar)
        else { return nil }
        self.init(handle)
    }

    deinit { EVP_PKEY_free(handle) }

    /// Makes a new key on P-256.
    package static func makeP256() -> SigningKey {
        // It returns null only without memory or without a source of randomness.
        guard let handle = parley_crypto_make_p256() else { fatalError("OpenSSL cannot make a key") }
        return SigningKey(handle)
    }

    /// The public key of one on P-256, uncompressed in 65 bytes.
    package var point: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65)
        guard parley_crypto_point(handle, &bytes) == 1 else { preconditionFailure("not a key on P-256") }
        return bytes
    }

    /// PKCS #8.
    package var pem: String {
        var text = [CChar](repeating: 0, count: 4096)
        let count = parley_crypto_write_private(handle, &text, CInt(text.count))
        return String(decoding: text.prefix(Int(count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Signs as a JWT's ES256 or RS256 does, with SHA-256.
    package func sign(_ text: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 1024)  // An RSA key of 8,192 bits signs in so many.
        let count = parley_crypto_sign(handle, text, text.count, &signature, signature.count)
        // Both fail only without memory, since the key is one that signs.
        guard count > 0 else { fatalError("OpenSSL cannot sign") }
        guard kind == .p256 else { return Array(signature.prefix(count)) }
        var raw = [UInt8](repeating: 0, count: 64)
        // As above.
        guard parley_crypto_raw_signature(signature, count, &raw) == 1 else { fatalError("OpenSSL cannot sign") }
        return raw
    }

    /// The secret that this key and another one have in common (ECDH on P-256); nil if the other is not on the curve.
    package func agree(with point: [UInt8]) -> [UInt8]? {
        guard point.count == 65, point[0] == 4, let other = parley_crypto_p256(point, nil) else { return nil }
        defer { EVP_PKEY_free(other) }
        var secret = [UInt8](repeating: 0, count: 32)
        return parley_crypto_agree(handle, other, &secret) == 1 ? secret : nil
    }
}

/// The other parts of OpenSSL that senders of pushes use.
package enum Crypto {
    package static func randomBytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // Without randomness nothing may be encrypted.
        guard RAND_bytes(&bytes, CInt(count)) == 1 else { fatalError("OpenSSL has no source of randomness") }
        return bytes
    }

    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 32)
        SHA256(bytes, bytes.count, &out)
        return out
    }

    package static func hmacSHA256(_ text: [UInt8], key: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 32)
        guard parley_crypto_hmac(key, CInt(key.count), text, text.count, &out) == 1 else {
            // It fails only without memory.
            fatalError("OpenSSL cannot hash")
        }
        return out
    }

    /// AES-128-GCM. The result is 16 bytes longer.
    package static func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] {
        precondition(key.count == 16 && nonce.count == 12)
        var out = [UInt8](repeating: 0, count: text.count + 16)
        guard parley_crypto_seal(key, nonce, text, CInt(text.count), &out) == 1 else {
            // It fails only without memory.
            fatalError("OpenSSL cannot encrypt")
        }
        return out
    }
}
