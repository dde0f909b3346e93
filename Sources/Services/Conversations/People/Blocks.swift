import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Blocks and unblocks people (C6, C12).
extension ConversationsService {
    /// Blocks a person. After the reply neither can write to the other directly or start a conversation. The other is
    /// not notified. Ends requests and invitations between them. Retry-safe.
    /// - Throws: ``Refusal`` `user_not_found`, `invalid`.
    func blockUser(_ request: BlockUserRequest, _ call: RequestContext) async throws -> BlockUserReply {
        let caller = call.caller
        guard let me = UserID(caller.user), let other = UserID(request.user) else { throw Refusal.userNotFound }
        guard me != other else { throw Refusal.invalid("user", "must be another person") }
        let (now, rules) = (context.clock.now, requestRules)
        return try await changeBlock(between: me, and: other) { change in
            let peer = try await change.first(
                ConversationsStore.peers, .number(caller.account), .texts([other.rawValue]))
            guard let peer else { throw Refusal.userNotFound }
            let pair = try await self.pair(me, other, of: caller, in: change)
            let added = try await change.first(
                RequestsStore.addBlock, .number(caller.account), .number(peer.account), .number(now))
            if added != nil {
                try await self.lockHeads(of: [caller.account, peer.account], in: change)
                try await self.settle(
                    pair.map { [($0.locked, rules.block($0.locked.pair, by: $0.side, at: now))] } ?? [],
                    in: change)
                try await self.publishBlock(of: peer.account, by: caller, in: change)
                try await self.endInvitations(between: caller.account, and: peer.account, in: change)
            }
            let groups = try await change.query(
                InvitationsStore.groupsOwnedBy, .number(caller.account), .number(peer.account),
                .int64(Self.ownedGroupsMax))
            return BlockUserReply(groups: groups)
        }
    }

    /// Removes a block of the caller's. Retry-safe.
    func unblockUser(_ request: UnblockUserRequest, _ call: RequestContext) async throws -> Done {
        let caller = call.caller
        guard let me = UserID(caller.user), let other = UserID(request.user), me != other else { return Done() }
        let rules = requestRules
        return try await changeBlock(between: me, and: other) { change in
            // Erased accounts can be unblocked, too.
            let account = try await change.first(RequestsStore.account, .text(other.rawValue))
            guard let account else { return Done() }
            let pair = try await self.pair(me, other, of: caller, in: change)
            let removed = try await change.first(
                RequestsStore.removeBlock, .number(caller.account), .number(account))
            guard removed != nil else { return Done() }
            try await self.settle(
                pair.map { [($0.locked, rules.unblock($0.locked.pair, by: $0.side))] } ?? [],
                in: change)
            try await self.publishBlock(of: account, by: caller, in: change)
            return Done()
        }
    }

    /// The most groups that the reply to a block names.
    private nonisolated static let ownedGroupsMax: Int64 = 200

    /// Lists the people whom the caller blocks, latest first.
    func listBlocked(_ request: ListBlockedRequest, _ call: RequestContext) async throws -> ListBlockedReply {
        let limit = Page.limit(request.limit)
        let cursor = try TimeCursor(request.cursor)
        let rows = try await context.database.query(
            RequestsStore.blocked, .number(call.caller.account), .number(cursor.at), .int64(cursor.number),
            .int64(Int64(limit + 1)))
        let page = rows.prefix(limit)
        let last = page.last.map { TimeCursor(at: Timestamp($0.block.atUs), number: $0.account.rawValue).text }
        return ListBlockedReply(
            blocks: page.map(\.block), cursor: last ?? request.cursor, more: rows.count > page.count)
    }

    // MARK: Steps

    /// Runs `body` under a lock of the pair, since the two may have no conversation whose row could be locked.
    private func changeBlock<Reply: Sendable>(
        between me: UserID, and other: UserID, _ body: @escaping @ReactorActor (Change) async throws -> Reply
    ) async throws -> Reply {
        let id = ConversationID(me, other).rawValue
        return try await context.journal.change(inOrderOf: id) { change in
            try await change.execute(RequestsStore.lockPair, .text(id))
            return try await body(change)
        }
    }

    /// Returns the direct conversation of two people, locked; nil if there is none.
    private func pair(
        _ me: UserID, _ other: UserID, of caller: Caller, in change: Change
    ) async throws -> (locked: LockedPair, side: Side)? {
        let locked = try await change.query(
            RequestsStore.lockMine, .number(caller.account), .texts([ConversationID(me, other).rawValue]))
        guard let pair = try await pairs(locked, in: change).first, let side = pair.side(of: caller.account) else {
            return nil
        }
        return (pair, side)
    }

    /// Publishes a block or unblock to all devices of the caller.
    private func publishBlock(of account: AccountNumber, by caller: Caller, in change: Change) async throws {
        let position = try await change.first(RequestsStore.advanceBlocks, .number(caller.account))
        let found = try await change.first(ReplayStore.blocks, .numbers([caller.account]), .numbers([account]))
        guard let position, var block = found?.block else { throw DatabaseError.unexpected("no head") }
        block.position = position.rawValue
        change.publish(
            PendingUpdate(
                block, as: ConversationsKind.block, subject: caller.account, object: account,
                owner: caller.user, position: position, audience: [caller.account]))
    }
}
