import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Makes a message one that says again what another says, with its author named (M13).
    /// - Parameter conversation: where it goes.
    /// - Throws: ``Refusal`` `message_not_found`: the same for what is not there and what the caller may not read.
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
            let isThere = try await context.database.first(
                ActionsStore.copyAttachment, .int64(number), .uuid(media.attachment), .int64(original.seq),
                .int64(conversation), .uuid(message.id.bytes), .int64(message.sender), .int64(context.clock.now))
            // Who may not write there is refused by that; for all others the id must be theirs.
            more.attachment = message.id.bytes
            if isThere == nil { more.attachment = Self.noAttachment }
            media.attachment = message.id.bytes
        }
        more.media = media
    }

    /// The id that no attachment has.
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
