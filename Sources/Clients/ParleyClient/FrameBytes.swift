import NIOCore
import SwiftProtobuf

/// Lets SwiftProtobuf read from and write into a `ByteBuffer` without a copy, leaving room in front for a WebSocket
/// header.
struct FrameBytes: SwiftProtobufContiguousBytes {
    /// The longest header of a masked WebSocket frame: 2 + 8 (length) + 4 (mask).
    static let headroom = 14

    var buffer: ByteBuffer

    init(_ buffer: ByteBuffer) {
        self.buffer = buffer
    }

    init(repeating byte: UInt8, count: Int) {
        buffer = ByteBuffer(frameOf: count)
        buffer.writeRepeatingByte(byte, count: count)
    }

    init<Bytes: Sequence>(_ sequence: Bytes) where Bytes.Element == UInt8 {
        buffer = ByteBuffer(frameOf: sequence.underestimatedCount)
        buffer.writeBytes(sequence)
    }

    var count: Int { buffer.readableBytes }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try buffer.withUnsafeReadableBytes(body)
    }

    mutating func withUnsafeMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try buffer.withUnsafeMutableReadableBytes(body)
    }
}

extension ByteBuffer {
    /// Creates an empty buffer for a frame of `size` bytes, with room in front for the WebSocket header.
    init(frameOf size: Int) {
        self = ByteBufferAllocator().buffer(capacity: FrameBytes.headroom + size)
        moveWriterIndex(to: FrameBytes.headroom)
        moveReaderIndex(to: FrameBytes.headroom)
    }
}

extension SwiftProtobuf.Message {
    /// Decodes a message from the payload of a frame.
    public init(frame: ByteBuffer) throws {
        try self.init(serializedBytes: FrameBytes(frame))
    }

    /// Encodes the message for ``Link/send(_:)-(ByteBuffer)``.
    public func frame() throws -> ByteBuffer {
        let bytes: FrameBytes = try serializedBytes()
        return bytes.buffer
    }
}
