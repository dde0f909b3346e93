import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Returns a copy of another message's content, with its original author (M13).
    /// - Parameter conversation: where the copy goes.
    /// - Throws: ``Refusal`` `message_not_found`, the same for a message that does not exist and one the caller may not
    ///   read; `quota_reached` by its file.
    func forwarded(
        _ forward: Forward, as draft: MessageDraft, by caller: Caller, in conversation: ConversationNumber
    ) async throws -> MessageContent {
        let (number, original, author) = try await original(forward, by: caller)
        var more = MessageContent.More()
        more.author = (account: author, user: original.forwardedFrom.isEmpty ? original.sender : original.forwardedFrom)
        guard var media = original.media else {
            return MessageContent(kind: original.kind, text: original.text, more: more)
        }
        if !media.attachment.isEmpty {
            // A copy takes no bytes, but keeps them.
            try await files.requireQuota(of: caller.account, besides: media.sizeBytes, in: context.database)
            let copied = try await context.database.first(
                ActionsStore.copyAttachment, .number(number), .uuid(media.attachment), .int64(original.seq),
                .number(conversation), .uuid(draft.id.bytes), .number(draft.sender), .number(context.clock.now))
            // Without a copy, `send_batch` refuses the message: by the write rule if it applies, otherwise as
            // `attachment_not_found`.
            more.attachment = copied == nil ? Self.noAttachment : draft.id.bytes
            media.attachment = draft.id.bytes
        }
        more.media = media
        return MessageContent(kind: original.kind, text: original.text, more: more)
    }

    /// An id that no attachment has.
    static let noAttachment = [UInt8](repeating: 0, count: 16)

    private func original(
        _ forward: Forward, by caller: Caller
    ) async throws -> (conversation: ConversationNumber, message: Message, author: AccountNumber) {
        let notFound = Refusal.messageNotFound("forward")
        do {
            let (conversation, window) = try await window(forward.conversation, of: caller)
            let wanted = Seq(forward.seq)
            let seq: Seq = window.lowest <= wanted && wanted <= window.highest ? wanted : 0
            let found = try await context.database.first(
                ActionsStore.original, .number(conversation.number), .number(seq), .number(caller.account))
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
