import NIOCore

/// The parts of a server frame that the load generator needs, read in place.
enum FrameScan {
    /// The request with this id succeeded.
    case done(UInt64)
    /// The request with this id was refused.
    case refused(UInt64)
    /// An Update of kind Message, with the last eight bytes of the message's id.
    case message(UInt64)
    case other

    init(_ frame: ByteBuffer) {
        self = frame.withUnsafeReadableBytes { bytes in
            var fields = Fields(bytes)
            guard let (number, content) = fields.next() else { return .other }
            switch number {
            case 3: return Self.reply(content)
            case 4: return Self.update(content)
            default: return .other
            }
        }
    }

    private static func reply(_ bytes: UnsafeRawBufferPointer) -> FrameScan {
        var fields = Fields(bytes)
        var id: UInt64 = 0
        var isRefused = false
        while let (number, content) = fields.next() {
            if number == 1 { id = fields.value }
            if number == 2, content.count > 0 { isRefused = true }
        }
        return isRefused ? .refused(id) : .done(id)
    }

    private static func update(_ bytes: UnsafeRawBufferPointer) -> FrameScan {
        var fields = Fields(bytes)
        var isMessage = false
        while let (number, content) = fields.next() {
            if number == 3 { isMessage = content.elementsEqual("Message".utf8) }
            guard number == 5, isMessage else { continue }
            var message = Fields(content)
            while let (number, content) = message.next() {
                guard number == 3, content.count == 16 else { continue }
                return .message(UInt64(bigEndian: content.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
            }
        }
        return .other
    }
}

/// Reads the fields of a protobuf message without a copy.
private struct Fields {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    /// The value of the last field that was a number.
    private(set) var value: UInt64 = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Returns the next field's number and its bytes, which are empty for a varint; nil at the end or if it is invalid.
    mutating func next() -> (Int, UnsafeRawBufferPointer)? {
        guard let tag = varint() else { return nil }
        var count = 0
        switch tag & 7 {
        case 0:
            guard let number = varint() else { return nil }
            value = number
        case 1: count = 8
        case 2:
            guard let length = varint() else { return nil }
            count = Int(truncatingIfNeeded: length)
        case 5: count = 4
        default: return nil
        }
        guard count >= 0, count <= bytes.count - offset else { return nil }
        defer { offset += count }
        return (Int(truncatingIfNeeded: tag >> 3), UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)]))
    }

    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < bytes.count, shift < 64 {
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }
}
