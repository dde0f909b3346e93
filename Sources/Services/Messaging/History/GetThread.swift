import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Returns a page of a thread's messages, within the caller's window of history (M9). Reads one index range.
    ///
    /// Members who joined after its first message read only the later replies.
    /// - Throws: ``Refusal`` `not_member`, `message_not_found`.
    func getThread(_ request: GetThreadRequest, _ call: RequestContext) async throws -> GetHistoryReply {
        let (conversation, window) = try await window(request.conversation, of: call.caller)
        let limit = Page.limit(request.limit)
        let threadSeq = Seq(request.threadSeq)
        let first = try await firstMessage(threadSeq, of: conversation.number, in: window)
        let after = max(Seq(request.afterSeq), threadSeq, window.lowest - 1)
        let rows =
            after < window.highest
            ? try await context.database.query(
                ActionsStore.replies, .number(conversation.number), .number(threadSeq), .number(after + 1),
                .number(window.highest), .int64(Int64(limit + 1)), .number(window.account)) : []
        let isFromFirst = request.afterSeq < request.threadSeq
        let all = (isFromFirst ? first.map { [$0] } ?? [] : []) + rows
        // Refuse if nothing can be read, unless this is a later page, which may be empty.
        guard first != nil || !rows.isEmpty || threadSeq > 0 && Seq(request.afterSeq) >= window.lowest else {
            throw Refusal.messageNotFound("thread_seq")
        }
        var page = Self.withinPage(Array(all.prefix(limit)))
        show(&page, of: conversation.id)
        try await showAsLeft(&page, in: window)
        return GetHistoryReply(
            messages: page, moreBefore: !isFromFirst, moreAfter: all.count > page.count,
            lastSeq: max(0, window.highest).rawValue)
    }

    /// Returns the first message of the thread, or nil if it is before the caller's window.
    /// - Throws: ``Refusal`` `message_not_found` if it does not exist, is after the window or is a system message.
    private func firstMessage(
        _ seq: Seq, of conversation: ConversationNumber, in window: Window
    ) async throws -> Message? {
        guard seq >= window.lowest || seq <= 0 else { return nil }
        let found = try await context.database.first(
            MessagingStore.oldest, .number(conversation), .number(seq), .number(min(seq, window.highest)), .int64(1),
            .number(window.account),
            .bool(window.hasMessageStates))
        guard let found, found.kind != .system else { throw Refusal.messageNotFound("thread_seq") }
        return found
    }
}
