import NIOCore
import NIOWebSocket
import Schema

/// Encodes messages as WebSocket frames (RFC 6455 §5.2), which are binary, unfragmented and, from a server, unmasked.
enum SocketFrame {
    static func encode(_ frame: ServerFrame.Frame, _ allocator: ByteBufferAllocator) -> ByteBuffer {
        let payload = ServerFrame(frame: frame).encode()
        var buffer = allocator.buffer(capacity: payload.count + 10)
        write(payload, opcode: 0x2, to: &buffer)
        return buffer
    }

    /// Encodes the last two frames of a session, Goodbye and the WebSocket close frame.
    static func encode(_ closing: Closing, _ allocator: ByteBufferAllocator) -> ByteBuffer {
        var buffer = encode(.goodbye(closing.goodbye), allocator)
        write(closePayload(closing.code, closing.problem.code), opcode: 0x8, to: &buffer)
        return buffer
    }

    static func encodeClose(_ code: UInt16, _ allocator: ByteBufferAllocator) -> ByteBuffer {
        encodeControl(closePayload(code, ""), opcode: 0x8, allocator)
    }

    static func encodePong(_ payload: [UInt8], _ allocator: ByteBufferAllocator) -> ByteBuffer {
        encodeControl(payload, opcode: 0xA, allocator)
    }

    private static func encodeControl(
        _ payload: [UInt8], opcode: UInt8, _ allocator: ByteBufferAllocator
    ) -> ByteBuffer {
        var buffer = allocator.buffer(capacity: payload.count + 2)
        write(payload, opcode: opcode, to: &buffer)
        return buffer
    }

    private static func closePayload(_ code: UInt16, _ reason: String) -> [UInt8] {
        [UInt8(code >> 8), UInt8(code & 0xFF)] + reason.utf8.prefix(123)
    }

    private static func write(_ payload: [UInt8], opcode: UInt8, to buffer: inout ByteBuffer) {
        buffer.writeInteger(0x80 | opcode)
        switch payload.count {
        case ...125: buffer.writeInteger(UInt8(payload.count))
        case ...0xFFFF: buffer.writeMultipleIntegers(126 as UInt8, UInt16(payload.count))
        default: buffer.writeMultipleIntegers(127 as UInt8, UInt64(payload.count))
        }
        buffer.writeBytes(payload)
    }

    /// Calls `body` with the unmasked bytes of `data`, which are valid only during the call.
    static func withUnmasked<Result>(
        _ data: ByteBuffer, _ key: WebSocketMaskingKey, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let count = data.readableBytes
        return try withUnsafeTemporaryAllocation(byteCount: max(count, 8), alignment: 8) { clear in
            data.withUnsafeReadableBytes { masked in
                var word: UInt64 = 0
                for index in 0..<8 { word |= UInt64(key[index % 4]) << UInt64(8 * index) }
                word = UInt64(littleEndian: word)
                var offset = 0
                while offset + 8 <= count {
                    let bytes = masked.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    clear.storeBytes(of: bytes ^ word, toByteOffset: offset, as: UInt64.self)
                    offset += 8
                }
                while offset < count {
                    clear[offset] = masked[offset] ^ key[offset % 4]
                    offset += 1
                }
            }
            return try body(UnsafeRawBufferPointer(rebasing: clear[..<count]))
        }
    }
}
