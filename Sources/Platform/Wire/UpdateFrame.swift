/// A frame of an update link: the bucket (16 bits, big-endian), the header's length (32 bits, big-endian), the header,
/// and the body as the rest. The greeting is the two bytes of its bucket alone.
public enum UpdateFrame {
    /// The bytes are not a valid frame.
    public enum Malformed: String, Error, CustomStringConvertible {
        case cutOff = "a length beyond the frame's end"
        case headerTooLarge = "a header longer than allowed"

        public var description: String { rawValue }
    }

    /// The content of a frame, as parts of its bytes.
    public enum Content {
        case greeting
        case update(header: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer)
    }

    private static let bucketBytes = 2
    private static let lengthBytes = 4

    /// Splits a frame. The parts point into `frame` and are valid as long as it is.
    public static func split(_ frame: UnsafeRawBufferPointer) throws(Malformed) -> Content {
        if frame.count == bucketBytes, frame.elementsEqual(Bucket.prefix(Bucket.greeting)) { return .greeting }
        let start = bucketBytes + lengthBytes
        guard frame.count >= start else { throw .cutOff }
        let length = Int(UInt32(bigEndian: frame.loadUnaligned(fromByteOffset: bucketBytes, as: UInt32.self)))
        guard length <= WireLimits.headerBytesMax else { throw .headerTooLarge }
        guard length <= frame.count - start else { throw .cutOff }
        return .update(
            header: UnsafeRawBufferPointer(rebasing: frame[start..<start + length]),
            body: UnsafeRawBufferPointer(rebasing: frame[(start + length)...]))
    }

    static func encode(bucket: UInt16, header: [UInt8], body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(bucketBytes + lengthBytes + header.count + body.count)
        bytes += Bucket.prefix(bucket)
        RecordFrame.append(length: header.count, to: &bytes)
        bytes += header
        bytes += body
        return bytes
    }
}
