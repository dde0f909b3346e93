import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Sends a message (M1, M2). Answered once it is committed; the same id again returns the first result.
    /// - Throws: ``Refusal`` `not_member`, `user_blocked`, `accept_first`, `id_in_use`, `id_too_old`, `id_from_future`,
    ///   `too_large`, `invalid`.
    func send(_ request: SendRequest, _ call: RequestContext) async throws -> SendReply {
        let id = try UUIDv7(request.id)
        guard request.kind == .text else { throw Refusal.invalid("kind", "must be TEXT") }
        let text = try Text.message(request.text, field: "text", bytes: context.settings.integer("limits.text-bytes"))
        let conversation = try await number(of: request.conversation)
        do throws(Refusal) {
            try id.checkWindow(now: context.clock.now)
        } catch {
            // Too old to be taken as new, but it may be one we took when it was young.
            let before = try await context.database.first(
                MessagingStore.sentBefore, .int64(conversation.number), .uuid(id.bytes), .int64(call.caller.account))
            guard let before else { throw error }
            return before
        }
        return try await lane(for: conversation.number).send(
            PendingMessage(
                conversation: conversation.number, conversationID: conversation.id, sender: call.caller.account,
                senderID: call.caller.user, id: id.bytes, kind: .text, text: text, session: call.caller.session,
                deadline: call.deadline))
    }
}
