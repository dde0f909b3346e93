import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Message requests (R1 to R8). Applies ``RequestRules`` under the lock of the conversation. The id of a group means an
/// invitation into it (C17).
extension ConversationsService {
    /// Lists the requests to the caller and their invitations, latest first.
    func listRequests(_ request: ListRequestsRequest, _ call: RequestContext) async throws -> ListRequestsReply {
        let limit = Page.limit(request.limit)
        let cursor = try TimeCursor(request.cursor)
        guard let head = try await context.database.first(ViewsStore.streamHead, .number(call.caller.account)) else {
            throw DatabaseError.unexpected("no epoch")
        }
        let rows = try await context.database.query(
            RequestsStore.requests, .number(call.caller.account), .number(cursor.at), .int64(cursor.number),
            .int64(Int64(limit + 1)))
        var bytes = 0
        let page = try await withMembers(Array(rows.prefix(limit)), in: context.database).prefix { conversation in
            bytes += conversation.encode().count
            // At least one, whatever its size.
            return bytes <= Page.bytesMax || conversation.id == rows[0].conversation.id
        }
        let last = page.last.map {
            TimeCursor(at: Timestamp($0.requestedAtUs), number: rows[page.count - 1].number.rawValue).text
        }
        return ListRequestsReply(
            requests: Array(page), count: head.requests, cursor: last ?? request.cursor, more: rows.count > page.count)
    }

    /// Accepts a request to the caller. From then on both may write (R4). Retry-safe.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `user_blocked`.
    func acceptRequest(_ request: AcceptRequestRequest, _ call: RequestContext) async throws -> ConversationReply {
        let (caller, rules, now) = (call.caller, requestRules, context.clock.now)
        if let group = ConversationID(request.conversation), group.isGroup {
            return try await acceptInvitation(group, by: caller)
        }
        return try await decide(request.conversation, by: caller) { pair, side throws(Refusal) in
            try rules.accept(pair, by: side, at: now)
        } reply: { id, change in
            ConversationReply(conversation: try await self.known(id, to: caller, in: change), created: false)
        }
    }

    /// Declines a request to the caller. The requester is not notified (R5). Retry-safe.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `not_pending`.
    func declineRequest(_ request: DeclineRequestRequest, _ call: RequestContext) async throws -> Done {
        let (rules, now) = (requestRules, context.clock.now)
        if let group = ConversationID(request.conversation), group.isGroup {
            return try await declineInvitation(group, by: call.caller)
        }
        return try await decide(request.conversation, by: call.caller) { pair, side throws(Refusal) in
            try rules.decline(pair, by: side, at: now)
        } reply: { _, _ in
            Done()
        }
    }

    /// Withdraws a request of the caller's. Retry-safe.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `not_pending`.
    func withdrawRequest(_ request: WithdrawRequestRequest, _ call: RequestContext) async throws -> Done {
        let (rules, now) = (requestRules, context.clock.now)
        return try await decide(request.conversation, by: call.caller) { pair, side throws(Refusal) in
            try rules.withdraw(pair, by: side, at: now)
        } reply: { _, _ in
            Done()
        }
    }

    /// Marks requests to the caller and their invitations as read (R3). Ignores other conversations.
    func markRequestsRead(_ request: MarkRequestsReadRequest, _ call: RequestContext) async throws -> RequestCount {
        let (account, rules, now) = (call.caller.account, requestRules, context.clock.now)
        let named = Set(request.conversations.compactMap { ConversationID($0) })
        let ids = named.map(\.rawValue).sorted()
        let groups = named.filter(\.isGroup).map(\.rawValue).sorted()
        return try await context.journal.change { change in
            let locked = try await change.query(RequestsStore.lockMine, .number(account), .texts(ids))
            let read = try await self.pairs(locked, in: change).map { before in
                (before, before.side(of: account).map { rules.markRead(before.pair, by: $0, at: now) } ?? before.pair)
            }
            try await self.settle(read, in: change)
            if !groups.isEmpty { try await self.markInvitationsRead(groups, of: account, in: change) }
            guard let head = try await change.first(ViewsStore.streamHead, .number(account)) else {
                throw DatabaseError.unexpected("no epoch")
            }
            return head.requests
        }
    }

    /// Applies a rule to a direct conversation of the caller's. The steps and the refusal are the same whether it does
    /// not exist, is not the caller's, or is not shown to them.
    private func decide<Reply: Sendable>(
        _ conversation: String, by caller: Caller, _ rule: @escaping @Sendable (Pair, Side) throws(Refusal) -> Pair,
        reply: @escaping @ReactorActor (ConversationID, Change) async throws -> Reply
    ) async throws -> Reply {
        guard let id = ConversationID(conversation) else { throw Refusal.notFound }
        return try await context.journal.change(inOrderOf: id.rawValue) { change in
            let locked = try await change.query(
                RequestsStore.lockMine, .number(caller.account), .texts([id.rawValue]))
            guard let pair = try await self.pairs(locked, in: change).first, let side = pair.side(of: caller.account)
            else { throw Refusal.notFound }
            try await self.settle([(pair, rule(pair.pair, side))], in: change)
            return try await reply(id, change)
        }
    }
}

/// Where a page of a list by time, latest first, ended.
struct TimeCursor: Cursor {
    var at: Timestamp
    /// The number of a conversation or account, which orders entries of the same time.
    var number: Int64

    init(at: Timestamp, number: Int64) { (self.at, self.number) = (at, number) }

    static let start = TimeCursor(at: .max, number: .max)

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        self.init(at: try parts.number(), number: try parts.number())
    }

    var text: String { "\(at).\(number)" }
}
