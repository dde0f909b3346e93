import CZlib

/// Counts the bytes to which deflated data (RFC 1951) unpack, and keeps none: an archive's directory may say anything.
enum DeflatedLength {
    /// The data are not deflated.
    struct Malformed: Error {}

    private static let pieceBytes = 256 * 1024

    /// - Parameters:
    ///   - start: where the data begin; they have `size` bytes.
    ///   - limit: counting ends when it is exceeded.
    /// - Throws: ``Malformed``; what `read` throws.
    static func count(from start: Int64, size: Int64, limit: Int64, reading read: FileKind.Reader) throws -> Int64 {
        var stream = z_stream()
        // zlib wants it at one address.
        return try withUnsafeMutablePointer(to: &stream) { stream in
            // Negative: without the headers of zlib and gzip.
            let size32 = CInt(MemoryLayout<z_stream>.size)
            guard inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, size32) == Z_OK else { throw Malformed() }
            defer { inflateEnd(stream) }
            return try count(stream, from: start, to: start + size, limit, read)
        }
    }

    private static func count(
        _ stream: UnsafeMutablePointer<z_stream>, from start: Int64, to end: Int64, _ limit: Int64,
        _ read: FileKind.Reader
    ) throws -> Int64 {
        var unpacked = [UInt8](repeating: 0, count: pieceBytes)
        var (at, count, status) = (start, Int64(0), Z_OK)
        while status != Z_STREAM_END, count <= limit {
            var packed = at < end ? try read(at, Int(min(end - at, Int64(pieceBytes)))) : []
            guard !packed.isEmpty else { throw Malformed() }
            at += Int64(packed.count)
            packed.withUnsafeMutableBufferPointer { packed in
                (stream.pointee.next_in, stream.pointee.avail_in) = (packed.baseAddress, UInt32(packed.count))
                repeat {
                    unpacked.withUnsafeMutableBufferPointer {
                        (stream.pointee.next_out, stream.pointee.avail_out) = ($0.baseAddress, UInt32($0.count))
                        status = inflate(stream, Z_NO_FLUSH)
                        count += Int64($0.count) - Int64(stream.pointee.avail_out)
                    }
                } while status == Z_OK && stream.pointee.avail_out == 0 && count <= limit
            }
            // Z_BUF_ERROR: it needs more of the data.
            guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status) else { throw Malformed() }
        }
        return count
    }
}
