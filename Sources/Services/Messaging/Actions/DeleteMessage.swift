import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Empties a message for everyone (M8). Safe to repeat.
    /// - Throws: ``Refusal`` `not_member`, `message_not_found`, `not_author`.
    func deleteMessage(_ request: DeleteMessageRequest, _ call: RequestContext) async throws -> MessageReply {
        let clock = context.clock
        let message = try await act(in: request.conversation, on: Seq(request.seq), by: call.caller) {
            change, conversation, current in
            let now = clock.now
            guard var message = try ActionRules.deleted(current, at: now) else {
                return try ActionRules.message(current).shown(at: now)
            }
            let attachment = message.media.map(\.attachment) ?? []
            let position = try await Self.nextPosition(
                of: conversation.number, for: current.membersVersion, in: change)
            message.position = position.rawValue
            let thread = try await change.first(
                ActionsStore.delete, .number(conversation.number),
                .int64s(current.readers.rawValues + current.others.rawValues), .int64(message.seq), .number(now),
                .number(position), attachment.count == 16 ? .uuid(attachment) : .null)
            if case .some(.some(let thread)) = thread { message.thread = thread }
            message.deletedAtUs = now.rawValue
            Self.publish(message.shown(at: now), of: conversation, current, in: change)
            return message.shown(at: now)
        }
        return MessageReply(message: message)
    }
}
