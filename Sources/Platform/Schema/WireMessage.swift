/// A message of the contract (`proto/parley/v1`) as a Swift value.
///
/// Decoding goes through protobuf-c into temporary memory. A value holds no C pointer.
public protocol WireMessage: Sendable, Equatable {
    init()

    /// The name of the message type without its package, such as "SendMessageRequest". It is an Update's `kind`.
    static var messageName: String { get }

    /// Decodes one message. Unknown fields are ignored, and unknown enum values are kept.
    /// - Throws: ``DecodeFailure`` when the bytes are not such a message or exceed a limit of the contract.
    static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self

    /// The same; the message may keep `bytes`.
    static func decode(_ bytes: [UInt8]) throws(DecodeFailure) -> Self

    /// Encodes the message. The receiver checks the limits, not the encoder. A string ends at its first NUL, which no
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

/// A message that is sent as an Update: the state of an object, in the stream that the contract names.
public protocol StreamState: WireMessage {
    /// The name of the stream up to the id of its owner: "messaging/c/", "entities/u/" …
    static var streamPrefix: String { get }
    /// Whether an owner has a stream in each cell.
    static var isPerCell: Bool { get }
}

extension StreamState {
    public static var isPerCell: Bool { false }

    /// Returns the name of the stream of a user or a conversation.
    public static func stream(of owner: String) -> String { streamPrefix + owner + (isPerCell ? "/" + Cell.only : "") }
}

/// The cells: databases that share out the conversations' messages. One serves all conversations today; clients follow
/// a stream in each, so that they need no change once there are more.
public enum Cell {
    public static let only = "0"
    /// All of them, as welcome lists them.
    public static let all = [only]
}

/// The callers that a request admits. The contract states them in the first sentence of each request's comment, and the
/// generator refuses a request without them. The receiving process checks what the envelope shows, and the service's
/// rules check the rest. One test tries all requests with all kinds of callers.
public enum Access: String, Sendable, CaseIterable {
    /// Anyone, without sign-in.
    case anyone
    /// Any signed-in user, for data and actions that are open to all of them.
    case signedIn
    /// Any signed-in user, for their own data. Nothing in the request can name another user's data.
    case own
    /// Members of the conversation that the request names, and former members if the contract says so.
    case member
    /// The owner or an admin of a group.
    case ownerOrAdmin
    /// The owner of a group.
    case owner
    /// The user who made a message request.
    case requester
    /// The user who received a message request.
    case recipient
    /// The creator of the object that the request names.
    case creator
    /// Parley's own gateways.
    case gateway
    /// Services that follow who uses the app.
    case follower
}

/// A request for a page, or its reply: the cursor is where the page begins or the next one does.
public protocol Paged: WireMessage {
    var cursor: String { get set }
}

/// A method of the contract, with the types of its request and reply.
public struct Method<Request: WireMessage, Reply: WireMessage>: Sendable, Hashable {
    /// The name in frames, such as "messaging.SendMessage".
    public let name: String
    /// The callers that it admits.
    public let access: Access
    /// Whether it may read much, as the contract says by "Expensive." in its comment.
    public let isExpensive: Bool

    public init(name: String, access: Access, isExpensive: Bool = false) {
        self.name = name
        self.access = access
        self.isExpensive = isExpensive
    }
}
