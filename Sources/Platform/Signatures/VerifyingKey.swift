import CCrypto

/// How a JSON Web Token may be signed (RFC 7518 §3.1, RFC 8037), of those ways that show who signed.
public enum SignatureAlgorithm: String, CaseIterable, Sendable {
    /// RSA, PKCS #1 v1.5, with SHA-256.
    case rs256 = "RS256"
    /// ECDSA over P-256, with SHA-256.
    case es256 = "ES256"
    /// Ed25519.
    case edDSA = "EdDSA"
}

/// A public key that checks signatures of one algorithm. A signature of another one is never right, whatever a token
/// says of itself.
public final class VerifyingKey: Sendable {
    public let algorithm: SignatureAlgorithm
    private nonisolated(unsafe) let key: OpaquePointer  // Checking a signature does not change it.

    /// Bytes of an RSA modulus: keys of fewer than 2,048 bits can be broken, those of more than 4,096 cost too much.
    private static let modulusBytes = 256...512

    private init?(_ algorithm: SignatureAlgorithm, _ key: OpaquePointer?) {
        guard let key else { return nil }
        (self.algorithm, self.key) = (algorithm, key)
    }

    deinit { EVP_PKEY_free(key) }

    /// A key of RSA, from 2,048 to 4,096 bits; nil for any other.
    /// - Parameters:
    ///   - modulus: big-endian, as `n` of a JWK.
    ///   - exponent: big-endian, as `e` of a JWK; odd, at least 3, and of at most 4 bytes.
    public convenience init?(rsaModulus modulus: [UInt8], exponent: [UInt8]) {
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        guard Self.modulusBytes.contains(modulus.count), (1...4).contains(exponent.count),
            let last = exponent.last, last & 1 == 1, exponent != [1]
        else { return nil }
        self.init(.rs256, parley_rsa_key(modulus, modulus.count, exponent, exponent.count))
    }

    /// A key of ECDSA over P-256; nil unless both coordinates have 32 bytes and the point is on the curve.
    public convenience init?(p256X x: [UInt8], y: [UInt8]) {
        guard x.count == 32, y.count == 32 else { return nil }
        self.init(.es256, parley_p256_key([4] + x + y))
    }

    /// A key of Ed25519; nil unless it has 32 bytes.
    public convenience init?(ed25519 bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.init(.edDSA, parley_ed25519_key(bytes))
    }

    /// Whether the holder of the private key signed this message. Takes about 0.05 ms, with a large RSA key 0.15 ms.
    /// - Parameter signature: as in a JWT: of ES256 the 64 bytes of r and s.
    public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch algorithm {
        case .rs256: isSignature(signature, message, "SHA256")
        case .edDSA: signature.count == 64 && isSignature(signature, message, nil)
        case .es256: signature.count == 64 && isSignature(Self.inASN1(signature), message, "SHA256")
        }
    }

    private func isSignature(_ signature: [UInt8], _ message: [UInt8], _ hash: String?) -> Bool {
        parley_is_signature(key, hash, signature, signature.count, message, message.count) == 1
    }

    private static func inASN1(_ raw: [UInt8]) -> [UInt8] {
        Array(unsafeUninitializedCapacity: 80) { buffer, count in
            count = parley_ecdsa_in_asn1(raw, buffer.baseAddress)
        }
    }
}
