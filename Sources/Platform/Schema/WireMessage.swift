/// A message of the contract (`proto/parley/v1`) as a Swift value.
///
/// Decoding goes through protobuf-c into memory that is dropped at the end; a value holds no C pointer.
public protocol WireMessage: Sendable, Equatable {
    init()

    /// The name of the message type without its package: "SendMessageRequest". It is an Update's `kind`.
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

/// Who may call a request. The contract says it of each, as the first sentence of its comment; what has none is refused
/// by the generator. What can be told from the envelope is enforced where requests come in, the rest by the service's
/// rules, and one test walks all requests with all kinds of caller.
public enum Access: String, Sendable, CaseIterable {
    /// No sign-in needed.
    case anyone
    /// Anyone signed in, about what every signed-in person may see or do.
    case signedIn
    /// Anyone signed in, about what is their own; nothing in the request can name what is another's.
    case own
    /// Members of the conversation that the request names; where it says so former ones, too.
    case member
    /// Of a group.
    case ownerOrAdmin
    case owner
    /// Who asked to be written to, of a message request.
    case requester
    /// Who is asked.
    case recipient
    /// Who made what the request names.
    case creator
    /// Parley's own gateways.
    case gateway
}

/// A request of the contract, with the types of what is sent and what comes back.
public struct Method<Request: WireMessage, Reply: WireMessage>: Sendable, Hashable {
    /// As it stands in frames: "messaging.SendMessage".
    public let name: String
    /// Who may call it.
    public let access: Access

    public init(name: String, access: Access) {
        self.name = name
        self.access = access
    }
}
