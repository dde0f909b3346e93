import Foundation
import NIOCore
import SwiftProtobuf

// Requests of which the session that makes them gets no Update: what they change is in the reply alone.
extension ParleyClient {
    /// Sends a request that changes something, and passes on what its reply says of it.
    func perform<Request: SwiftProtobuf.Message, Reply: SwiftProtobuf.Message>(
        _ method: Method<Request, Reply>, key: String, _ request: Request, deadline: Duration? = nil
    ) async throws(ParleyError) -> Reply {
        try await call(method, key: key, request, deadline: deadline) { self.learn(from: $0, to: request) }
    }

    /// Sends a request whose body is encoded already, as ``perform(_:key:_:deadline:)`` does. Fields that this version
    /// does not know stay in it.
    package func perform<Request: SwiftProtobuf.Message, Reply: SwiftProtobuf.Message>(
        _ method: Method<Request, Reply>, key: String, _ request: Request, encoded body: Data
    ) async throws(ParleyError) -> Reply {
        try await call(method, key: key, encoded: ByteBuffer(bytes: body), deadline: nil) {
            self.learn(from: $0, to: request)
        }
    }

    private func learn(
        from outcome: Result<some SwiftProtobuf.Message, ParleyError>, to request: some SwiftProtobuf.Message
    ) {
        switch outcome {
        case .success(let reply): learn(from: reply, to: request)
        case .failure(let problem) where problem.isUncertain: doubt(request)
        case .failure: break
        }
    }

    private func learn(from reply: some SwiftProtobuf.Message, to request: some SwiftProtobuf.Message) {
        switch reply {
        case let reply as Parley_V1_SendMessageReply:
            if let sent = request as? Parley_V1_SendMessageRequest { learn(sent, reply) }
        case let reply as Parley_V1_MessageReply: notifyObservers { $0.learned(reply.message) }
        case let reply as Parley_V1_ConversationReply: notifyObservers { $0.learned(reply.conversation) }
        case let reply as Parley_V1_InboxStateReply: notifyObservers { $0.learned(reply.state) }
        case let reply as Parley_V1_UpdateMarksReply:
            for state in reply.states { notifyObservers { $0.learned(state) } }
        case let reply as Parley_V1_UpdateMessageStateReply:
            for state in reply.states { notifyObservers { $0.learned(state) } }
        // Of all others the session gets Updates.
        default: break
        }
    }

    /// The server does not send the Update of a message to the session that sent it.
    private func learn(_ request: Parley_V1_SendMessageRequest, _ reply: Parley_V1_SendMessageReply) {
        // The reply to a duplicate does not contain later changes of the message.
        guard !reply.duplicate else { return notifyObservers { $0.unsure(of: request.conversation) } }
        var message = reply.message
        if !reply.hasMessage {
            (message.conversation, message.id, message.sender) = (request.conversation, request.id, user)
            (message.kind, message.text) = (request.kind, request.text)
            (message.seq, message.position, message.sentAtUs) = (reply.seq, reply.position, reply.sentAtUs)
        }
        let sent = message
        notifyObservers { $0.learned(sent) }
    }

    /// Passes on that a request may have changed something: there was no reply.
    private func doubt(_ request: some SwiftProtobuf.Message) {
        switch request {
        case let request as Parley_V1_SendMessageRequest: notifyObservers { $0.unsure(of: request.conversation) }
        case let request as Parley_V1_EditMessageRequest: notifyObservers { $0.unsure(of: request.conversation) }
        case let request as Parley_V1_DeleteMessageRequest: notifyObservers { $0.unsure(of: request.conversation) }
        case is Parley_V1_UpdateMarksRequest, is Parley_V1_UpdateInboxStateRequest,
            is Parley_V1_ClearConversationRequest, is Parley_V1_UpdateMessageStateRequest:
            notifyObservers { $0.unsureOfOwnState() }
        // Of all others the session gets Updates.
        default: break
        }
    }
}
