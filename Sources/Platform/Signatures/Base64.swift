import CCrypto

/// Base 64 (RFC 4648), with the padding that it should have.
enum Base64 {
    /// - Returns: nil if the text is none, or of more bytes.
    static func bytes(_ text: Substring, atMost most: Int) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let input = Array(text.utf8)
        guard input.count % 4 == 0, input.count / 4 <= most / 3 + 1 else { return nil }
        var room = [UInt8](repeating: 0, count: input.count / 4 * 3)
        guard EVP_DecodeBlock(&room, input, CInt(input.count)) == room.count else { return nil }
        let bytes = Array(room.dropLast(input.suffix(2).filter { $0 == UInt8(ascii: "=") }.count))
        return bytes.count <= most ? bytes : nil
    }

    static func text(_ bytes: [UInt8]) -> String {
        // EVP_EncodeBlock ends what it writes with a zero.
        var room = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        let count = EVP_EncodeBlock(&room, bytes, CInt(bytes.count))
        return String(decoding: room.prefix(Int(count)), as: UTF8.self)
    }
}
