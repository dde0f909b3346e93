import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Whom somebody blocks (C6, C12).
extension ConversationsService {
    /// Blocks somebody: once it is answered, neither can write to the other alone, nor start to; the other is told
    /// nothing. Ends a request between them. Retry-safe.
    /// - Throws: ``Refusal`` `user_not_found`, `invalid`.
    func blockUser(_ request: BlockUserRequest, _ call: RequestContext) async throws -> Done {
        let caller = call.caller
        guard let me = UserID(caller.user), let other = UserID(request.user) else { throw Refusal.userNotFound }
        guard me != other else { throw Refusal.invalid("user", "must be somebody else") }
        let (now, rules) = (context.clock.now, requestRules)
        return try await changeBlock(between: me, and: other) { change in
            let peer = try await change.first(
                ConversationsStore.peers, .int64(caller.account), .texts([other.rawValue]))
            guard let peer else { throw Refusal.userNotFound }
            let pair = try await self.pair(me, other, of: caller, in: change)
            let added = try await change.first(
                RequestsStore.addBlock, .int64(caller.account), .int64(peer.account), .int64(now))
            guard added != nil else { return }
            try await self.settle(
                pair.map { [($0.locked, rules.block($0.locked.pair, by: $0.side, at: now))] } ?? [],
                in: change)
            try await self.tellBlock(of: peer.account, by: caller, in: change)
        }
    }

    /// Ends a block of the caller's. Retry-safe.
    func unblockUser(_ request: UnblockUserRequest, _ call: RequestContext) async throws -> Done {
        let caller = call.caller
        guard let me = UserID(caller.user), let other = UserID(request.user), me != other else { return Done() }
        let rules = requestRules
        return try await changeBlock(between: me, and: other) { change in
            // Also of somebody who was erased meanwhile.
            let account = try await change.first(RequestsStore.account, .text(other.rawValue))
            guard let account else { return }
            let pair = try await self.pair(me, other, of: caller, in: change)
            let removed = try await change.first(
                RequestsStore.removeBlock, .int64(caller.account), .int64(account))
            guard removed != nil else { return }
            try await self.settle(
                pair.map { [($0.locked, rules.unblock($0.locked.pair, by: $0.side))] } ?? [],
                in: change)
            try await self.tellBlock(of: account, by: caller, in: change)
        }
    }

    /// Whom the caller blocks, the latest first.
    func listBlocked(_ request: ListBlockedRequest, _ call: RequestContext) async throws -> ListBlockedReply {
        let limit = Page.limit(request.limit)
        guard let cursor = TimeCursor(request.cursor) else { throw Refusal.invalid("cursor", "must be one of ours") }
        let rows = try await context.database.query(
            RequestsStore.blocked, .int64(call.caller.account), .int64(cursor.at), .int64(cursor.number),
            .int64(Int64(limit + 1)))
        let page = rows.prefix(limit)
        let last = page.last.map { TimeCursor(at: $0.block.atUs, number: $0.account).text }
        return ListBlockedReply(
            blocks: page.map(\.block), cursor: last ?? request.cursor, more: rows.count > page.count)
    }

    // MARK: Steps

    /// Under the lock of the two, as there may be no conversation of theirs whose row could be locked.
    private func changeBlock(
        between me: UserID, and other: UserID, _ body: @escaping @ReactorActor (Change) async throws -> Void
    ) async throws -> Done {
        let id = ConversationID(me, other).rawValue
        return try await context.journal.change(inOrderOf: id) { change in
            try await change.execute(RequestsStore.lockPair, .text(id))
            try await body(change)
            return Done()
        }
    }

    /// The direct conversation of two people, locked; nil: there is none.
    private func pair(
        _ me: UserID, _ other: UserID, of caller: Caller, in change: Change
    ) async throws -> (locked: LockedPair, side: Side)? {
        let locked = try await change.query(
            RequestsStore.lockMine, .int64(caller.account), .texts([ConversationID(me, other).rawValue]))
        guard let pair = try await pairs(locked, in: change).first, let side = pair.side(of: caller.account) else {
            return nil
        }
        return (pair, side)
    }

    /// Tells who blocked, on all devices.
    private func tellBlock(of account: Int64, by caller: Caller, in change: Change) async throws {
        let position = try await change.first(RequestsStore.advanceBlocks, .int64(caller.account))
        let found = try await change.first(ReplayStore.blocks, .int64s([caller.account]), .int64s([account]))
        guard let position, var block = found?.block else { throw DatabaseError.unexpected("no head") }
        block.position = position
        change.publish(
            PendingUpdate(
                block, kindNumber: JournalKind.blockChanged, subject: caller.account, object: account,
                stream: Self.stream(of: caller.user), position: position, audience: [caller.account]))
    }
}
