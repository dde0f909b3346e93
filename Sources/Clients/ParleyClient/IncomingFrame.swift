import NIOCore
import SwiftProtobuf

/// A frame from the server. Replies and Updates, the most frequent ones, are decoded without copying their bodies.
public enum IncomingFrame: Sendable {
    case welcome(Parley_V1_Welcome)
    case authenticated(Parley_V1_Authenticated)
    case reply(IncomingReply)
    case update(Update)
    case pong(Parley_V1_Pong)
    case goodbye(Parley_V1_Goodbye)
    /// A frame of a newer server: ignore it.
    case unknown

    /// Decodes a binary WebSocket message.
    /// - Throws: ``ParleyError`` with code `invalid_frame`.
    public init(_ bytes: ByteBuffer) throws(ParleyError) {
        var reader = FieldReader(bytes)
        var frame = IncomingFrame.unknown
        do {
            while let field = try reader.next() {
                switch field {
                case .bytes(1, let body): frame = .welcome(try .init(frame: body))
                case .bytes(2, let body): frame = .authenticated(try .init(frame: body))
                case .bytes(3, let body): frame = .reply(try IncomingReply(body))
                case .bytes(4, let body): frame = .update(try Update(body))
                case .bytes(5, let body): frame = .pong(try .init(frame: body))
                case .bytes(6, let body): frame = .goodbye(try .init(frame: body))
                default: continue
                }
            }
        } catch let error as ParleyError {
            throw error
        } catch {
            throw .invalidFrame("\(error)")
        }
        self = frame
    }
}

/// The reply to one request.
public struct IncomingReply: Sendable {
    /// The id of the request.
    public var id: UInt64 = 0
    /// Why the request was refused or failed; nil after a success.
    public var error: ParleyError?
    /// The method's reply message, encoded.
    public var body = ByteBuffer()

    init(_ bytes: ByteBuffer) throws {
        var reader = FieldReader(bytes)
        while let field = try reader.next() {
            switch field {
            case .number(1, let value): id = value
            case .bytes(2, let value): error = ParleyError(try Parley_V1_Problem(frame: value))
            case .bytes(3, let value): body = value
            default: continue
            }
        }
    }
}

/// A committed change, pushed by the server.
public struct Update: Sendable {
    /// "messaging/c/CONVERSATION", "conversations/u/USER" …
    public var stream = ""
    /// Dense within the stream; zero for streams without positions.
    public var position: Int64 = 0
    /// Name of the message type in ``body``: "Message", "Conversation" …
    public var kind = ""
    /// How the server treats it when a session falls behind.
    public var updateClass = Parley_V1_UpdateClass.unspecified
    /// The state after the change, encoded.
    public var body = ByteBuffer()

    /// Creates an Update like one from the server.
    public init(
        stream: String, position: Int64, kind: String, updateClass: Parley_V1_UpdateClass = .durable,
        body: ByteBuffer = ByteBuffer()
    ) {
        (self.stream, self.position, self.kind) = (stream, position, kind)
        (self.updateClass, self.body) = (updateClass, body)
    }

    init(_ bytes: ByteBuffer) throws {
        var reader = FieldReader(bytes)
        while let field = try reader.next() {
            switch field {
            case .bytes(1, let value): stream = try value.text()
            case .number(2, let value): position = Int64(bitPattern: value)
            case .bytes(3, let value): kind = try value.text()
            case .number(4, let value):
                updateClass = .init(rawValue: Int(truncatingIfNeeded: value)) ?? .unspecified
            case .bytes(5, let value): body = value
            default: continue
            }
        }
    }
}

/// Reads the fields of one encoded protobuf message in order.
struct FieldReader {
    enum Field {
        case number(Int, UInt64)
        case bytes(Int, ByteBuffer)
        case skipped
    }

    private var buffer: ByteBuffer

    init(_ buffer: ByteBuffer) {
        self.buffer = buffer
    }

    mutating func next() throws(ParleyError) -> Field? {
        guard buffer.readableBytes > 0 else { return nil }
        let tag = try varint()
        guard let number = Int(exactly: tag >> 3), number > 0 else { throw .invalidFrame("it has field number 0") }
        switch tag & 7 {
        case 0: return .number(number, try varint())
        case 1:
            guard buffer.readSlice(length: 8) != nil else { throw .invalidFrame("it is cut short") }
        case 2:
            guard let length = Int(exactly: try varint()), let slice = buffer.readSlice(length: length) else {
                throw .invalidFrame("it is cut short")
            }
            return .bytes(number, slice)
        case 5:
            guard buffer.readSlice(length: 4) != nil else { throw .invalidFrame("it is cut short") }
        default: throw .invalidFrame("it has a field of wire type \(tag & 7)")
        }
        return .skipped
    }

    private mutating func varint() throws(ParleyError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let byte: UInt8 = buffer.readInteger() {
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
            if shift > 63 { throw .invalidFrame("a number is too long") }
        }
        throw .invalidFrame("it is cut short")
    }
}

extension ByteBuffer {
    fileprivate func text() throws(ParleyError) -> String {
        let text = withUnsafeReadableBytes { String(validating: $0, as: UTF8.self) }
        guard let text else { throw .invalidFrame("a text is not UTF-8") }
        return text
    }
}
