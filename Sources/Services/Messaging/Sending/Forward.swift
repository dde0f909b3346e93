import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Fills in a forwarded copy of another message, with its original author (M13).
    /// - Parameter conversation: the target conversation.
    /// - Throws: ``Refusal`` `message_not_found`, the same for a message that does not exist and one the caller may not
    ///   read.
    func forward(
        _ forward: Forward, into message: inout PendingMessage, _ more: inout PendingMessage.More, by caller: Caller,
        conversation: Int64
    ) async throws {
        let (number, original, author) = try await original(forward, by: caller)
        message.kind = original.kind
        message.text = original.text
        more.author = (account: author, user: original.forwardedFrom.isEmpty ? original.sender : original.forwardedFrom)
        guard var media = original.media else { return }
        if !media.attachment.isEmpty {
            let copied = try await context.database.first(
                ActionsStore.copyAttachment, .int64(number), .uuid(media.attachment), .int64(original.seq),
                .int64(conversation), .uuid(message.id.bytes), .int64(message.sender), .int64(context.clock.now))
            // Without a copy, `send_batch` refuses the message: by the write rule if it applies, otherwise as
            // `attachment_not_found`.
            more.attachment = message.id.bytes
            if copied == nil { more.attachment = Self.noAttachment }
            media.attachment = message.id.bytes
        }
        more.media = media
    }

    /// An id that no attachment has.
    static let noAttachment = [UInt8](repeating: 0, count: 16)

    private func original(
        _ forward: Forward, by caller: Caller
    ) async throws -> (conversation: Int64, message: Message, author: Int64) {
        let notFound = Refusal.messageNotFound("forward")
        do {
            let (conversation, window) = try await window(forward.conversation, of: caller)
            let seq = window.lowest <= forward.seq && forward.seq <= window.highest ? forward.seq : 0
            let found = try await context.database.first(
                ActionsStore.original, .int64(conversation.number), .int64(seq), .int64(caller.account))
            guard let (author, found) = found, let author, found.kind != .system, found.own?.hidden != true,
                !ActionRules.isGone(found, at: context.clock.now)
            else { throw notFound }
            var messages = [found]
            show(&messages, of: conversation.id)
            try await showAsLeft(&messages, in: window)
            return (conversation.number, messages[0], author)
        } catch let refusal as Refusal where refusal == .notMember {
            throw notFound
        }
    }
}
