import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// A page of a thread's messages, within the caller's window of history (M9). One index range.
    ///
    /// Who joined later reads the replies since then without the first message.
    /// - Throws: ``Refusal`` `not_member`, `message_not_found`.
    func getThread(_ request: GetThreadRequest, _ call: RequestContext) async throws -> GetHistoryReply {
        let (conversation, window) = try await window(request.conversation, of: call.caller)
        let limit = Page.limit(request.limit)
        let first = try await firstMessage(request, of: conversation.number, in: window)
        let after = max(request.afterSeq, request.threadSeq, window.lowest - 1)
        let rows =
            after < window.highest
            ? try await context.database.query(
                ActionsStore.replies, .int64(conversation.number), .int64(request.threadSeq), .int64(after + 1),
                .int64(window.highest), .int64(Int64(limit + 1)), .int64(window.account)) : []
        let isFromFirst = request.afterSeq < request.threadSeq
        let all = (isFromFirst ? first.map { [$0] } ?? [] : []) + rows
        // A seq without a thread is told from a message of which only replies can be read.
        guard first != nil || !rows.isEmpty || request.threadSeq > 0 && request.afterSeq >= window.lowest else {
            throw Refusal.messageNotFound("thread_seq")
        }
        var page = Self.withinPage(Array(all.prefix(limit)))
        show(&page, of: conversation.id)
        try await showAsLeft(&page, in: window)
        return GetHistoryReply(
            messages: page, moreBefore: !isFromFirst, moreAfter: all.count > page.count,
            lastSeq: max(0, window.highest))
    }

    /// The message that begins the thread; nil when it is outside the caller's window.
    /// - Throws: ``Refusal`` `message_not_found` when it is inside, and there is none or a system message.
    private func firstMessage(
        _ request: GetThreadRequest, of conversation: Int64, in window: Window
    ) async throws -> Message? {
        guard request.threadSeq >= window.lowest || request.threadSeq <= 0 else { return nil }
        let found = try await context.database.first(
            MessagingStore.oldest, .int64(conversation), .int64(request.threadSeq),
            .int64(min(request.threadSeq, window.highest)), .int64(1), .int64(window.account),
            .bool(window.hasMessageStates))
        guard let found, found.kind != .system else { throw Refusal.messageNotFound("thread_seq") }
        return found
    }
}
