/// A frame of a link: one or more records of a header and a body, each preceded by its length (32 bits,
/// big-endian). `proto/LINKS.md` has the layout.
///
/// Everything sent to a peer in one turn of the loop goes out as one frame, so the cost of ZeroMQ and of encryption is
/// paid once.
public enum RecordFrame {
    /// One record, as parts of the frame's bytes.
    public struct Record {
        public let header: UnsafeRawBufferPointer
        public let body: UnsafeRawBufferPointer
    }

    /// The bytes are not a valid frame. All of them are dropped, since nothing after a wrong length can be trusted.
    public enum Malformed: String, Error, CustomStringConvertible {
        case empty = "a frame without records"
        case cutOff = "a length beyond the frame's end"
        case headerTooLarge = "a header longer than allowed"
        case bodyTooLarge = "a body longer than allowed"
        case tooManyRecords = "more records than allowed"

        public var description: String { rawValue }
    }

    private static let lengthBytes = 4

    /// Splits a frame. The records point into `frame` and are valid as long as it is.
    public static func split(_ frame: UnsafeRawBufferPointer) throws(Malformed) -> [Record] {
        guard !frame.isEmpty else { throw .empty }
        var records: [Record] = []
        var offset = 0
        while offset < frame.count {
            guard records.count < WireLimits.recordsPerFrameMax else { throw .tooManyRecords }
            let header = try piece(of: frame, at: &offset, max: WireLimits.headerBytesMax, or: .headerTooLarge)
            let body = try piece(of: frame, at: &offset, max: WireLimits.messageBytesMax, or: .bodyTooLarge)
            records.append(Record(header: header, body: body))
        }
        return records
    }

    /// Splits a frame into copies.
    public static func decode(_ frame: [UInt8]) throws(Malformed) -> [(header: [UInt8], body: [UInt8])] {
        try frame.withUnsafeBufferPointer { (bytes) throws(Malformed) in
            let records = try split(UnsafeRawBufferPointer(bytes))
            return records.map { ([UInt8]($0.header), [UInt8]($0.body)) }
        }
    }

    private static func piece(
        of frame: UnsafeRawBufferPointer, at offset: inout Int, max: Int, or tooLarge: Malformed
    ) throws(Malformed) -> UnsafeRawBufferPointer {
        guard frame.count - offset >= lengthBytes else { throw .cutOff }
        let length = Int(UInt32(bigEndian: frame.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        offset += lengthBytes
        guard length <= max else { throw tooLarge }
        guard length <= frame.count - offset else { throw .cutOff }
        defer { offset += length }
        return UnsafeRawBufferPointer(rebasing: frame[offset..<offset + length])
    }

    /// Returns the beginning of a frame of one record, up to the last `rest` bytes of its body.
    static func beginning(header: [UInt8], body: [UInt8], rest: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * lengthBytes + header.count + body.count)
        append(length: header.count, to: &bytes)
        bytes += header
        append(length: body.count + rest, to: &bytes)
        bytes += body
        return bytes
    }

    /// Appends `length` in the format of a frame.
    static func append(length: Int, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: UInt32(length).bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Builds a frame.
    struct Builder {
        /// A frame is sent when the next record would make it larger than this.
        var bytesUsual = WireLimits.frameBytesUsual
        private(set) var bytes: [UInt8] = []
        private(set) var count = 0

        var isEmpty: Bool { count == 0 }

        /// Whether the next record fits; if not, send the frame first. A record larger than a usual frame goes alone.
        func hasRoom(header: Int, body: Int) -> Bool {
            isEmpty
                || count < WireLimits.recordsPerFrameMax
                    && bytes.count + 2 * RecordFrame.lengthBytes + header + body <= bytesUsual
        }

        mutating func append(header: [UInt8], body: [UInt8]) {
            RecordFrame.append(length: header.count, to: &bytes)
            bytes.append(contentsOf: header)
            RecordFrame.append(length: body.count, to: &bytes)
            bytes.append(contentsOf: body)
            count += 1
        }

        /// Empties the frame, and keeps its memory for the next one unless that is over 64 KiB.
        mutating func clear() {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 64 * 1024)
            count = 0
        }
    }
}
