import Reactor

/// The way back to whoever sent a request. Answer once, now or later, in any order with others.
///
/// When the last copy is released without an answer, the caller gets ``Refusal/internal``, so that nobody waits for
/// ever.
public struct Responder: Sendable {
    private let pending: PendingReply

    @ReactorActor
    init(_ server: RequestServer, peer: [UInt8], id: UInt64) {
        pending = PendingReply(server, peer: peer, id: id)
    }

    /// Answers with an encoded reply message.
    @ReactorActor
    public func reply(_ body: [UInt8]) {
        guard body.count <= WireLimits.messageBytesMax else { return refuse(.internal) }
        pending.answer(nil, body)
    }

    /// Answers that the request did not take effect, and why.
    @ReactorActor
    public func refuse(_ refusal: Refusal) {
        pending.answer(refusal, [])
    }
}

@ReactorActor
private final class PendingReply {
    private let server: RequestServer
    private let peer: [UInt8]
    private let id: UInt64
    private var isAnswered = false

    init(_ server: RequestServer, peer: [UInt8], id: UInt64) {
        self.server = server
        self.peer = peer
        self.id = id
    }

    isolated deinit {
        if !isAnswered { server.answerForgotten(id, to: peer) }
    }

    func answer(_ refusal: Refusal?, _ body: [UInt8]) {
        guard !isAnswered else { return server.noteSecondAnswer() }
        isAnswered = true
        server.answer(id, to: peer, refusal, body)
    }
}
