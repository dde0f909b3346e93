import Reactor

/// Answers the sender of a request. Answer once, now or later; requests may be answered in any order.
///
/// When the last copy is released without an answer, the caller gets ``Refusal/internal``, so that it does not wait for
/// ever.
public struct Responder: Sendable {
    private let pending: PendingReply

    @ReactorActor
    init(_ server: RequestServer, _ ticket: RequestServer.Ticket) {
        pending = PendingReply(server, ticket)
    }

    /// Answers with an encoded reply message.
    @ReactorActor
    public func reply(_ body: [UInt8]) {
        guard body.count <= WireLimits.messageBytesMax else { return refuse(.internal) }
        pending.answer(nil, body)
    }

    /// Answers with a refusal.
    @ReactorActor
    public func refuse(_ refusal: Refusal) {
        pending.answer(refusal, [])
    }
}

@ReactorActor
private final class PendingReply {
    private let server: RequestServer
    private let ticket: RequestServer.Ticket
    private var isAnswered = false

    init(_ server: RequestServer, _ ticket: RequestServer.Ticket) {
        self.server = server
        self.ticket = ticket
    }

    isolated deinit {
        if !isAnswered { server.answerForgotten(ticket) }
    }

    func answer(_ refusal: Refusal?, _ body: [UInt8]) {
        guard !isAnswered else { return server.noteSecondAnswer() }
        isAnswered = true
        server.answer(ticket, refusal, body)
    }
}
