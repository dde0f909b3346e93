import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Invitations into groups (C17). Applies ``InvitationRules`` under the lock of the group's row and of the invited
/// people's heads.
extension ConversationsService {
    /// Accepts an invitation of the caller's, which makes them a member. Retry-safe.
    /// - Throws: ``Refusal`` `not_found`.
    func acceptInvitation(_ id: ConversationID, by caller: Caller) async throws -> ConversationReply {
        try await decideInvitation(id, by: caller) { group, me, change in
            if try InvitationRules.accept(me) == .change {
                try await self.join([caller.account], to: group, by: caller.account, in: change)
                try await self.publishRequestCounts(of: [caller.account], in: change)
            }
            return ConversationReply(conversation: try await self.known(id, to: caller, in: change), created: false)
        }
    }

    /// Declines an invitation of the caller's. Nobody is notified. Retry-safe.
    /// - Throws: ``Refusal`` `not_found`, `not_pending`.
    func declineInvitation(_ id: ConversationID, by caller: Caller) async throws -> Done {
        let now = context.clock.now
        return try await decideInvitation(id, by: caller) { group, me, change in
            if try InvitationRules.decline(me) == .change {
                try await change.execute(
                    InvitationsStore.addDecline, .number(group.number), .number(caller.account), .number(now))
                let mine = EndingInvitation(
                    conversation: group.number, id: id.rawValue, account: caller.account, isShown: true,
                    staysOpen: true)
                try await self.end([mine], in: change)
            }
            return Done()
        }
    }

    /// Withdraws a person's invitation into a group. Retry-safe.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `not_pending`.
    func withdrawInvitation(_ request: WithdrawInvitationRequest, _ call: RequestContext) async throws -> Done {
        let caller = call.caller
        return try await changeGroup(request.conversation, naming: [request.user], by: caller) { group, change in
            let person = group.person(request.user)
            if try InvitationRules.withdraw(person, by: group.person(caller.user)) == .change, let person {
                try await self.endInvitations(of: [person.account], in: group, change)
                self.note(ConversationsKind.invitations, group, by: caller.account, in: change)
            }
            return Done()
        }
    }

    /// Lists the open invitations into a group of the caller's, by when they were made.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `invalid`.
    func listInvitations(_ request: ListInvitationsRequest, _ call: RequestContext) async throws
        -> ListInvitationsReply
    {
        let limit = Page.limit(request.limit)
        let cursor = try InvitationCursor(request.cursor)
        guard let id = ConversationID(request.conversation),
            let group = try await context.database.first(
                InvitationsStore.ownRole, .number(call.caller.account), .text(id.rawValue))
        else { throw Refusal.notFound }
        guard group.kind == .group else {
            throw Refusal.invalid("conversation", "must be a group; nobody is invited into a direct conversation")
        }
        try InvitationRules.mayList(group.role)
        let found = try await context.database.query(
            InvitationsStore.invitationsBehind, .number(group.number), .number(cursor.at), .number(cursor.account),
            .int64(Int64(limit + 1)))
        let page = found.prefix(limit)
        let last = page.last.map { InvitationCursor(at: Timestamp($0.invitation.invitedAtUs), account: $0.account) }
        return ListInvitationsReply(
            invitations: page.map(\.invitation), cursor: (last ?? cursor).text, more: found.count > page.count)
    }

    /// Marks invitations of the caller's as read.
    func markInvitationsRead(_ ids: [String], of account: AccountNumber, in change: Change) async throws {
        guard try await !change.query(InvitationsStore.unread, .number(account), .texts(ids)).isEmpty else { return }
        try await lockHeads(of: [account], in: change)
        let unread = try await change.query(InvitationsStore.unread, .number(account), .texts(ids))
        let positions = try await nextPositions(of: unread.map { _ in account }, in: change)
        try await change.execute(
            InvitationsStore.markRead, .number(account), .number(context.clock.now), .numbers(unread.map(\.number)),
            .numbers(positions))
        for id in unread.compactMap({ ConversationID($0.id) }) {
            try await publishViews(of: id, to: [account], in: change)
        }
        try await publishRequestCounts(of: [account], in: change)
    }

    // MARK: Ending

    /// Ends the open invitations of people into a group: it is gone for those who see them.
    func endInvitations(of accounts: Set<AccountNumber>, in group: LockedGroup, _ change: Change) async throws {
        try await lockHeads(of: accounts, in: change)
        let ending = try await change.query(
            InvitationsStore.ofGroup, .number(group.number), .numbers(accounts.sorted()))
        try await end(ending, in: change)
    }

    /// Ends the open invitations between two people, one of whom blocks the other. Their heads must be locked.
    func endInvitations(
        between blocker: AccountNumber, and blocked: AccountNumber, in change: Change
    ) async throws {
        try await end(
            try await change.query(InvitationsStore.between, .number(blocker), .number(blocked)), in: change)
    }

    /// Ends the invitations of people, whose heads are locked, that give way to newer ones.
    func endCrowdedOut(of accounts: [AccountNumber], in change: Change) async throws {
        try await end(
            try await change.query(
                InvitationsStore.crowdedOut, .numbers(accounts),
                .int64(Int64(context.settings.integer("limits.invitations-open")))), in: change)
    }

    /// Ends invitations whose people's heads are locked. The statements are the same whether they are shown or not.
    func end(_ ending: [EndingInvitation], in change: Change) async throws {
        guard !ending.isEmpty else { return }
        let shown = ending.filter(\.isShown).map(\.account)
        var positions = try await nextPositions(of: shown, in: change)[...]
        try await change.execute(
            InvitationsStore.end, .numbers(ending.map(\.conversation)), .numbers(ending.map(\.account)),
            .bools(ending.map(\.staysOpen)), .optionalNumbers(ending.map { $0.isShown ? positions.popFirst() : nil }))
        for (id, ending) in Dictionary(grouping: ending, by: \.id).sorted(by: { $0.key < $1.key }) {
            guard let id = ConversationID(id) else { continue }
            try await publishViews(of: id, to: Set(ending.filter(\.isShown).map(\.account)), in: change)
        }
        try await publishRequestCounts(of: Set(shown), in: change)
    }

    // MARK: Steps

    /// Runs a decision of the caller's about an invitation of theirs. The steps and the refusal are the same whether
    /// the group does not exist or was never shown to the caller.
    private func decideInvitation<Reply: Sendable>(
        _ id: ConversationID, by caller: Caller,
        _ body: @escaping @ReactorActor (LockedGroup, InvitationRules.Invitee, Change) async throws -> Reply
    ) async throws -> Reply {
        try await context.journal.change(inOrderOf: id.rawValue) { change in
            let locked = try await change.first(
                InvitationsStore.lockMine, .number(caller.account), .text(id.rawValue))
            guard let number = locked else { throw Refusal.notFound }
            let group = try await self.lockedGroup(id, number, naming: [caller.user], in: change)
            try await self.lockHeads(of: Set(group.members.map(\.account)).union([caller.account]), in: change)
            let me = try await change.first(InvitationsStore.invitee, .number(number), .number(caller.account))
            guard let me else { throw Refusal.notFound }
            return try await body(group, me, change)
        }
    }
}

/// Where a page of invitations ended.
struct InvitationCursor: Cursor {
    var at: Timestamp
    var account: AccountNumber

    static let start = InvitationCursor(at: 0, account: 0)

    init(at: Timestamp, account: AccountNumber) { (self.at, self.account) = (at, account) }

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        self.init(at: try parts.number(), account: try parts.number())
    }

    var text: String { "\(at).\(account)" }
}
