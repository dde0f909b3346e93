import Signatures

/// Encryption to a device by the scheme of Web Push (RFC 8291, in the coding `aes128gcm` of RFC 8188). Browsers read
/// it by themselves; apps read it with the key that they registered.
enum ContentSealing {
    /// By how much it is longer: salt, size of a record, the key with its length, then the text's end and the tag.
    static let overhead = 16 + 4 + 1 + 65 + 1 + 16
    /// The text is filled up to a multiple of it, so that its length says little.
    static let step = 256

    /// - Parameters:
    ///   - point: the device's public key.
    ///   - secret: the 16 bytes that belong to it.
    ///   - bytesMax: of the result. The text must fit.
    ///   - own, salt: used once. A test has those of the RFC.
    /// - Returns: nil if the device's key is not on the curve.
    static func seal(
        _ text: [UInt8], to point: [UInt8], secret: [UInt8], bytesMax: Int, own: SigningKey = .makeP256(),
        salt: [UInt8] = Crypto.randomBytes(16)
    ) -> [UInt8]? {
        guard secret.count == 16, let agreed = own.agree(with: point) else { return nil }
        let sender = own.point
        let shared = Crypto.hmacSHA256(agreed, key: secret)
        let info = Array("WebPush: info\0".utf8) + point + sender + [1]
        let extracted = Crypto.hmacSHA256(Crypto.hmacSHA256(info, key: shared), key: salt)
        func expanded(_ name: String, _ count: Int) -> [UInt8] {
            Array(Crypto.hmacSHA256(Array("Content-Encoding: \(name)\0".utf8) + [1], key: extracted).prefix(count))
        }
        let room = max(0, bytesMax - overhead - text.count)
        let filling = min(room, (step - text.count % step) % step)
        let padded = text + [2] + [UInt8](repeating: 0, count: filling)
        let sealed = Crypto.seal(padded, key: expanded("aes128gcm", 16), nonce: expanded("nonce", 12))
        // The one record may be as long as the size that is said.
        return salt + [0, 0, 0x10, 0] + [UInt8(sender.count)] + sender + sealed
    }
}
