import CSodium

/// Base64 for URLs and tokens (RFC 4648 §5), without padding.
public enum Base64URL {
    private static let variant = Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING)

    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        // With a final zero.
        var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
        sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
        return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns nil unless the text is what ``encode(_:)`` makes of some bytes, to the letter.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let text = String(text)
        var bytes = [UInt8](repeating: 0, count: text.utf8.count / 4 * 3 + 2)
        var count = 0
        let status = sodium_base642bin(&bytes, bytes.count, text, text.utf8.count, nil, &count, nil, variant)
        return status == 0 ? Array(bytes.prefix(count)) : nil
    }
}
