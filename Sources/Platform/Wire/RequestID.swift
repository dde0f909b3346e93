/// Reads the id of an envelope that cannot be decoded.
enum RequestID {
    /// Returns the id of the Envelope in `bytes` if it comes first, where every encoder puts it; never zero.
    static func peek(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
        let tag: UInt8 = 1 << 3  // Field 1, a varint.
        guard bytes.first == tag else { return nil }
        var id: UInt64 = 0
        for (index, byte) in bytes.dropFirst().prefix(10).enumerated() {
            if index == 9, byte > 1 { return nil }  // More than 64 bits.
            id |= UInt64(byte & 0x7f) << (7 * index)
            if byte & 0x80 == 0 { return id == 0 ? nil : id }
        }
        return nil
    }

    static func peek(_ bytes: [UInt8]) -> UInt64? { bytes.withUnsafeBytes { peek($0) } }
}
