import Foundation
import ParleyClient
import SwiftProtobuf

/// Something that a person does and that is sent sooner or later: a request of the contract, with all that the outbox
/// must know of its kind. Each kind stands once in `Outbox/Actions/` and in ``Actions/all``, a list in `Kinds.swift`.
protocol Action: SwiftProtobuf.Message, Hashable, Limited {
    associatedtype Reply: SwiftProtobuf.Message

    /// What it is called in the contract, and how it is treated.
    static var registration: ActionRegistration<Self, Reply> { get }
    /// What it is about: a conversation's id, "me", or the id of a reminder, decision, event or suggestion. Of each
    /// lane, one thing is sent after another.
    func lane(as me: UserID) -> String
    /// Other lanes: what they create must be at the server before this is sent.
    var needs: [String] { get }
    /// What gateways take as the key of the request.
    func key(as me: UserID) -> String
    /// What it changes on the screen until the server's answer is stored.
    var optimisticState: OptimisticState { get }
    /// The texts in it that people wrote.
    var texts: [ActionText] { get }
    /// What ``Parley/unsent`` says of it.
    var unsentKind: Unsent.Kind { get }
    /// Returns what the server's reply says of it.
    func answer(_ reply: Reply, as me: UserID) -> ActionAnswer
}

/// What is the same of all actions of one kind.
struct ActionRegistration<Request: Action, Reply: SwiftProtobuf.Message>: Sendable {
    let method: Method<Request, Reply>
    /// Whether all that comes later in its lane is about what it creates.
    let creates: Bool
    /// Whether a refusal of it is dropped: nothing of what the person did is lost with it, as with a read mark.
    let dropsRefusals: Bool

    init(_ method: Method<Request, Reply>, creates: Bool = false, dropsRefusals: Bool = false) {
        (self.method, self.creates, self.dropsRefusals) = (method, creates, dropsRefusals)
    }
}

extension Action {
    var needs: [String] { [] }
    static var method: String { registration.method.name }
    static var creates: Bool { registration.creates }
    static var dropsRefusals: Bool { registration.dropsRefusals }
}

extension SwiftProtobuf.Message {
    /// Decodes what was stored; nil: it cannot be read, as what another version wrote.
    static func stored(_ bytes: Data) -> Self? {
        do {
            return try Self(serializedBytes: bytes)
        } catch {
            return nil
        }
    }
}

// MARK: Sending

/// What carries requests to the server: a ``ParleyClient``.
protocol ActionLink: Sendable {
    /// Sends a request with these bytes as its body.
    func perform<Request: SwiftProtobuf.Message, Reply: SwiftProtobuf.Message>(
        _ method: Method<Request, Reply>, key: String, _ request: Request, encoded body: Data
    ) async throws(ParleyError) -> Reply
}

extension ParleyClient: ActionLink {}

/// What the server said.
struct ActionAnswer: Hashable, Sendable {
    var confirmation: Confirmation
    /// The number of the message that was sent.
    var seq: Int64?
    /// How it changed the version of what it is about, if nobody else did meanwhile.
    var version: VersionStep?
}

/// A change of a version.
struct VersionStep: Hashable, Sendable {
    var from: Int64
    var to: Int64
}

/// What the server has of what I did, and what those that wait behind it learn.
struct SentItem: Hashable, Sendable {
    var id: Data
    var lane: String
    /// The message that it sent, and its number.
    var message: Data?
    var seq: Int64?
    /// How it changed the version of what the lane is about.
    var version: VersionStep?
}

/// What shows that the server's answer is stored. Until then the optimistic state stays.
enum Confirmation: Hashable, Sendable {
    /// It shows already.
    case now
    /// In a stream, at a position.
    case at(String, Int64)
    /// In my stream of the cell of a conversation.
    case own(of: String, Int64)
    /// In what the next Sync returns.
    case nextSync
    /// In a conversation, once nothing of it is known to be missing.
    case level(String)
}

extension Action {
    /// Tells the server. It may be done again and again.
    /// - Parameter body: the request, as it is stored.
    func send(_ body: Data, over link: any ActionLink, as me: UserID) async throws(ParleyError) -> ActionAnswer {
        let reply = try await link.perform(Self.registration.method, key: key(as: me), self, encoded: body)
        return answer(reply, as: me)
    }
}
