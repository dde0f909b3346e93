#if canImport(CryptoKit)
    import CryptoKit
    import Foundation

    /// The key to which the server encrypts what pushes to this device say, so that no push service can read it. Make
    /// one, keep it in the keychain where the notification service extension finds it, too, and register it with the
    /// device's token. On Apple's systems only.
    ///
    ///     let key = NotificationKey()
    ///     try await parley.registerForPush(token: token, key: key)
    public struct NotificationKey: Hashable, Sendable {
        /// What to keep, in 48 bytes. Whoever has it can read the pushes.
        public let stored: Data

        /// Makes a new key.
        public init() {
            let secret = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
            stored = P256.KeyAgreement.PrivateKey().rawRepresentation + secret
        }

        /// A key that was kept; nil if it is none.
        public init?(stored: Data) {
            self.stored = Data(stored)
            guard stored.count == 48, key != nil else { return nil }
        }

        /// What the server gets of it.
        var registered: (contentKey: [UInt8], authSecret: [UInt8])? {
            guard let key else { return nil }
            return (Array(key.publicKey.x963Representation), Array(secret))
        }

        /// Nil: `stored` is none, of which no value of this type is made.
        private var key: P256.KeyAgreement.PrivateKey? {
            do {
                return try P256.KeyAgreement.PrivateKey(rawRepresentation: stored.prefix(32))
            } catch {
                return nil
            }
        }
        private var secret: Data { Data(stored.suffix(16)) }

        /// Decrypts what was sealed by the scheme of RFC 8291 in one record; nil: it was not sealed to this key.
        func open(_ sealed: Data) -> Data? {
            let bytes = Array(sealed)
            guard let key, bytes.count >= 16 + 4 + 1 + 65 + 17, bytes[20] == 65 else { return nil }
            let (salt, point, record) = (Data(bytes[..<16]), Data(bytes[21..<86]), Data(bytes[86...]))
            do {
                let sender = try P256.KeyAgreement.PublicKey(x963Representation: point)
                let agreed = try key.sharedSecretFromKeyAgreement(with: sender).withUnsafeBytes { Data($0) }
                let shared = Self.derived(
                    from: agreed, salt: secret, "WebPush: info\0", key.publicKey.x963Representation + point, 32)
                let contentKey = Self.derived(from: shared, salt: salt, "Content-Encoding: aes128gcm\0", Data(), 16)
                let nonce = Self.derived(from: shared, salt: salt, "Content-Encoding: nonce\0", Data(), 12)
                let box = try AES.GCM.SealedBox(
                    nonce: AES.GCM.Nonce(data: nonce), ciphertext: record.dropLast(16), tag: record.suffix(16))
                let text = try AES.GCM.open(box, using: SymmetricKey(data: contentKey))
                // After the text come a 2 and zeros.
                guard let end = text.lastIndex(where: { $0 != 0 }), text[end] == 2 else { return nil }
                return Data(text[..<end])
            } catch {
                return nil
            }
        }

        private static func derived(
            from key: Data, salt: Data, _ info: String, _ more: Data, _ count: Int
        ) -> Data {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: key), salt: salt, info: Data(info.utf8) + more,
                outputByteCount: count
            ).withUnsafeBytes { Data($0) }
        }
    }

    extension NotificationContent {
        /// Reads a push, and decrypts it if it is encrypted. It needs neither a network nor a file.
        /// - Parameters:
        ///   - userInfo: of the notification's content.
        ///   - key: the one that this device registered.
        /// - Throws: ``NotificationFailure``.
        public static func open(
            _ userInfo: [AnyHashable: Any], with key: NotificationKey?
        ) throws(NotificationFailure) -> NotificationContent {
            try open(userInfo, decrypt: key?.open)
        }
    }

    extension Parley {
        /// Registers this device for pushes that only it can read.
        /// - Parameters:
        ///   - key: kept where the notification service extension finds it, too.
        ///   - language: BCP 47 tag of the language of pushes; nil: the device's.
        public func registerForPush(
            token: PushToken, key: NotificationKey, language: String? = nil
        ) async throws(Refusal) {
            try await register(token, key.registered, language)
        }
    }
#endif
