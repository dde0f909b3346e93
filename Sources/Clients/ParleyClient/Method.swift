import SwiftProtobuf

/// The name of a request with the types of its request and reply.
public struct Method<Request: SwiftProtobuf.Message, Reply: SwiftProtobuf.Message>: Sendable {
    /// The name in frames, such as "messaging.SendMessage".
    public let name: String

    /// Creates a method that this library does not list.
    public init(_ name: String) {
        self.name = name
    }
}
