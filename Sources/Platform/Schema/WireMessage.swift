/// A message of the contract (`proto/parley/v1`) as a Swift value.
///
/// Decoding goes through protobuf-c into memory that is dropped at the end; a value holds no C pointer.
public protocol WireMessage: Sendable, Equatable {
    init()

    /// The name of the message type without its package: "SendRequest". It is an Update's `kind`.
    static var messageName: String { get }

    /// Reads one message. Unknown fields are ignored, unknown enum values kept.
    /// - Throws: ``DecodeFailure`` when the bytes are no such message or pass a limit of the contract.
    static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self

    /// The message on the wire. Limits are not checked: the receiver does. A string ends at its first NUL, which no
    /// decoded string contains.
    func encode() -> [UInt8]
}

extension WireMessage {
    public static func decode(_ bytes: [UInt8]) throws(DecodeFailure) -> Self {
        try bytes.withUnsafeBufferPointer { (bytes) throws(DecodeFailure) in try decode(UnsafeRawBufferPointer(bytes)) }
    }

    public static func decode(_ bytes: ArraySlice<UInt8>) throws(DecodeFailure) -> Self {
        try bytes.withUnsafeBufferPointer { (bytes) throws(DecodeFailure) in try decode(UnsafeRawBufferPointer(bytes)) }
    }
}

/// A request of the contract, with the types of what is sent and what comes back.
public struct Method<Request: WireMessage, Reply: WireMessage>: Sendable, Hashable {
    /// As it stands in frames: "messaging.Send".
    public let name: String

    public init(name: String) {
        self.name = name
    }
}
