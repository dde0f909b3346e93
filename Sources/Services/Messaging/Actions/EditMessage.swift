import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Edits the text and mentions of the caller's message (M8). Repeating an edit changes nothing.
    /// - Throws: ``Refusal`` `not_member`, `user_blocked`, `accept_first`, `message_not_found`, `message_deleted`,
    ///   `not_author`, `edit_window_closed`, `invalid`, `too_large`, `rate_limited`.
    func editMessage(_ request: EditMessageRequest, _ call: RequestContext) async throws -> MessageReply {
        // A file may have no caption.
        let text =
            request.text.isEmpty ? "" : try Text.message(request.text, field: "text", bytes: textBytesMax)
        try limits.requireDelivery(for: call.caller.account)
        let mentioned = try await mentioned(request.mentions, by: call.caller)
        let (window, clock, limits) = (editWindow, context.clock, limits)
        let message = try await act(in: request.conversation, on: Seq(request.seq), by: call.caller) {
            change, conversation, current in
            let readers = Set(current.readers)
            let mentions = mentioned.filter { readers.contains($0.account) }
            let now = clock.now
            let edited = try ActionRules.edited(
                current, text: text, mentions: mentions.map(\.user), at: now, window: window)
            guard var message = edited else { return try ActionRules.message(current).shown(at: now) }
            if text.isEmpty, message.kind == .text { throw Refusal.invalid("text", "must not be empty") }
            message.text = text
            message.mentions = mentions.map(\.user)
            message.editedAtUs = now.rawValue
            let position = try await Self.nextPosition(
                of: conversation.number, for: current.membersVersion, in: change)
            message.position = position.rawValue
            try await change.execute(
                ActionsStore.edit, .number(conversation.number),
                .int64s(current.readers.rawValues + current.others.rawValues), .int64(message.seq), .text(text),
                mentions.isEmpty ? .null : .numbers(mentions.map(\.account)), .number(now), .number(position))
            Self.publish(message, of: conversation, current, in: change)
            let bytes = (text.utf8.count + 128) * current.readers.count
            change.afterCommit { limits.edited(by: current.account, bytes: bytes) }
            return message.shown(at: now)
        }
        return MessageReply(message: message)
    }

    /// Lists the earlier texts of an edited message, oldest first (M8). An edit of the mentions alone repeats the text.
    /// - Throws: ``Refusal`` `not_member`, `message_not_found`.
    func listRevisions(_ request: ListRevisionsRequest, _ call: RequestContext) async throws -> ListRevisionsReply {
        let (conversation, window) = try await window(request.conversation, of: call.caller)
        let message = try await readable(Seq(request.seq), of: conversation.number, in: window)
        guard message.deletedAtUs == 0, message.own?.hidden != true, !window.isFormer else {
            return ListRevisionsReply()
        }
        let rows = try await context.database.query(
            ActionsStore.revisions, .number(conversation.number), .int64(request.seq),
            .int64(Int64(ActionsStore.revisionsMax)))
        var bytes = 0
        let fitting = rows.prefix { revision in
            bytes += revision.text.utf8.count + 32
            return bytes <= Page.bytesMax
        }
        return ListRevisionsReply(revisions: fitting.reversed())
    }

    /// Returns a message in the reader's window, as shown to them.
    /// - Throws: ``Refusal`` `message_not_found`.
    func readable(_ seq: Seq, of conversation: ConversationNumber, in window: Window) async throws -> Message {
        let isWithin = window.lowest <= seq && seq <= window.highest
        // Outside the window the same query runs and finds nothing.
        let wanted: Seq = isWithin ? seq : 0
        let found = try await context.database.first(
            MessagingStore.oldest, .number(conversation), .number(wanted), .number(wanted), .int64(1),
            .number(window.account), .bool(window.hasMessageStates))
        guard let found, found.kind != .system else { throw Refusal.messageNotFound() }
        return found.shown(at: context.clock.now)
    }
}
