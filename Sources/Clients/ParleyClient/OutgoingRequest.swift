import NIOCore
import SwiftProtobuf

/// Encodes a `ClientFrame` with a request by hand, with one allocation whatever the size of its body.
public enum OutgoingRequest {
    /// Returns the frame of a request whose body is already encoded.
    /// - Parameter deadlineMs: milliseconds; zero: the server's default of 10,000.
    public static func frame(
        id: UInt64, method: String, key: String, deadlineMs: UInt32, body: ByteBuffer
    ) -> ByteBuffer {
        let method = method.utf8
        let key = key.utf8
        var size = 1 + varintSize(id)
        size += fieldSize(method.count) + fieldSize(key.count) + fieldSize(body.readableBytes)
        if deadlineMs > 0 { size += 1 + varintSize(UInt64(deadlineMs)) }

        var frame = ByteBuffer(frameOf: 1 + varintSize(UInt64(size)) + size)
        frame.writeField(3, length: size)
        frame.writeInteger(UInt8(1 << 3))
        frame.writeVarint(id)
        if !method.isEmpty {
            frame.writeField(2, length: method.count)
            frame.writeBytes(method)
        }
        if !key.isEmpty {
            frame.writeField(3, length: key.count)
            frame.writeBytes(key)
        }
        if deadlineMs > 0 {
            frame.writeInteger(UInt8(4 << 3))
            frame.writeVarint(UInt64(deadlineMs))
        }
        if body.readableBytes > 0 {
            frame.writeField(5, length: body.readableBytes)
            frame.writeImmutableBuffer(body)
        }
        return frame
    }

    /// Returns the frame of a request of a known method.
    /// - Parameter deadlineMs: milliseconds; zero: the server's default of 10,000.
    public static func frame<Request, Reply>(
        id: UInt64, _ method: Method<Request, Reply>, key: String, deadlineMs: UInt32 = 0, _ request: Request
    ) throws -> ByteBuffer {
        frame(id: id, method: method.name, key: key, deadlineMs: deadlineMs, body: try request.frame())
    }

    /// Returns a request of a known method for ``Parley_V1_Hello/requests``.
    public static func inHello<Request, Reply>(
        id: UInt64, _ method: Method<Request, Reply>, key: String = "", _ request: Request
    ) throws -> Parley_V1_Request {
        let body = try request.serializedData()
        return .with { ($0.id, $0.method, $0.key, $0.body) = (id, method.name, key, body) }
    }

    private static func fieldSize(_ length: Int) -> Int {
        length == 0 ? 0 : 1 + varintSize(UInt64(length)) + length
    }

    private static func varintSize(_ value: UInt64) -> Int {
        max(1, (64 - value.leadingZeroBitCount + 6) / 7)
    }
}

extension ByteBuffer {
    fileprivate mutating func writeField(_ number: UInt8, length: Int) {
        writeInteger(number << 3 | 2)
        writeVarint(UInt64(length))
    }

    fileprivate mutating func writeVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            writeInteger(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        writeInteger(UInt8(rest))
    }
}
