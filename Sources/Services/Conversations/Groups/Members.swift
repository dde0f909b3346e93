import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Adds and removes members of groups (C9). The lock of a conversation's row serializes its changes. Each change
/// increments `members_version`, from which messaging knows what each member may read (M14).
extension ConversationsService {
    /// Adds people who know the caller to a group and invites the others. Existing members and invitations by the
    /// caller stay, so repeating the request changes nothing.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `user_not_found`, `user_blocked`, `group_full`, `invalid`,
    ///   `rate_limited`.
    func addMembers(_ request: AddMembersRequest, _ call: RequestContext) async throws -> ConversationReply {
        let caller = call.caller
        let users = Set(request.users)
        guard !users.isEmpty else { throw Refusal.invalid("users", "must name at least one user") }
        guard users.allSatisfy({ UserID($0) != nil }) else { throw Refusal.userNotFound }
        try await guests.require(.groups, of: caller.account, in: context.database)
        return try await changeGroup(request.conversation, naming: users, by: caller) { group, change in
            try MemberRules.mayAdd(group.standing(of: caller.user))
            let isMember = Set(group.members.map(\.account))
            let people = Set(try await change.query(GroupsStore.people, .texts(users.sorted())))
            guard people.count == users.count else { throw Refusal.userNotFound }
            try await self.lockHeads(of: people.union(isMember), in: change)
            let added = try await self.added(people.subtracting(isMember), to: group.number, by: caller, in: change)
            let taken = isMember.union(group.invited.map(\.account)).subtracting(added.joining)
                .subtracting(added.replaced)
            try MemberRules.checkRoom(for: added.count, beside: taken.count, max: self.groupMembersMax)
            try self.allowInvitations(added.invited.count, by: caller)
            if !added.joining.isEmpty {
                try await self.join(added.joining, to: group, by: caller.account, in: change)
                // Their requests have one less.
                try await self.publishRequestCounts(of: added.joining.intersection(added.sawEarlier), in: change)
            }
            try await self.invite(added, to: group.id, group.number, by: caller, in: change)
            return try await self.reply(
                adding: users, to: group.id, group.number, by: caller, created: false, in: change)
        }
    }

    /// Removes another person from a group. After the reply, the server accepts no message that they begin to send.
    /// Repeating the request changes nothing.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `invalid`.
    func removeMember(_ request: RemoveMemberRequest, _ call: RequestContext) async throws -> Done {
        let caller = call.caller
        return try await changeGroup(request.conversation, naming: [request.user], by: caller) { group, change in
            let actor = group.standing(of: caller.user)
            if request.user == caller.user, try MemberRules.mayLeave(actor) == .change {
                throw Refusal.invalid("user", "must be another person; to remove yourself, leave the group")
            }
            let verdict = try MemberRules.mayRemove(group.standing(of: request.user), by: actor)
            if verdict == .change, let person = group.person(request.user) {
                try await self.end(person, in: group, by: caller.account, in: change)
            }
            return Done()
        }
    }

    /// Leaves a group, as often as people like: nobody can be kept in one. When the owner leaves, the longest-serving
    /// admin, else member, becomes the owner. Repeating the request changes nothing.
    /// - Throws: ``Refusal`` `not_found`, `invalid`.
    func leaveGroup(_ request: LeaveGroupRequest, _ call: RequestContext) async throws -> Done {
        let caller = call.caller
        return try await changeGroup(request.conversation, by: caller, isLimited: false) { group, change in
            let verdict = try MemberRules.mayLeave(group.standing(of: caller.user))
            if verdict == .change, let me = group.person(caller.user) {
                try await self.end(me, in: group, by: caller.account, in: change)
            }
            return Done()
        }
    }

    // MARK: Shared steps

    /// Runs a change of a group under the lock of its row.
    /// - Parameter isLimited: whether it counts among the caller's changes of groups.
    /// - Throws: ``Refusal`` `not_found`; `invalid` for a direct conversation of the caller's; any error of `body`.
    func changeGroup<Reply: Sendable>(
        _ conversation: String, naming users: Set<String> = [], by caller: Caller, isLimited: Bool = true,
        _ body: @escaping @ReactorActor (LockedGroup, Change) async throws -> Reply
    ) async throws -> Reply {
        guard let id = ConversationID(conversation) else { throw Refusal.notFound }
        // A change may concern 1,000 people.
        if isLimited { try allow(.changeGroup, by: caller) }
        return try await context.journal.change(inOrderOf: id.rawValue) { change in
            // One statement for missing groups and for those of other people, which it does not lock.
            let locked = try await change.first(MembersStore.lockMine, .number(caller.account), .text(id.rawValue))
            guard let locked else { throw Refusal.notFound }
            let group = try await self.lockedGroup(
                id, locked.number, naming: users.union([caller.user]), in: change)
            guard locked.kind == .group else {
                throw Refusal.invalid("conversation", "must be a group; members of a direct conversation cannot change")
            }
            return try await body(group, change)
        }
    }

    /// Reads a group whose row is locked, in a new snapshot, which sees the changes that the lock waited for.
    func lockedGroup(
        _ id: ConversationID, _ number: ConversationNumber, naming users: Set<String>, in change: Change
    ) async throws -> LockedGroup {
        LockedGroup(
            id: id, number: number,
            roster: try await change.query(MembersStore.roster, .number(number), .texts(users.sorted())))
    }

    /// Adds accounts that are not members, and publishes the group to all members.
    func join(_ accounts: Set<AccountNumber>, to group: LockedGroup, by actor: AccountNumber, in change: Change)
        async throws
    {
        let now = context.clock.now
        let version = try await nextVersion(of: group, joined: Array(accounts), in: change)
        let heads = try await advanceHeads(of: accounts.union(group.members.map(\.account)), in: change)
        let joining = heads.filter { accounts.contains($0.account) }
        try await change.execute(
            MembersStore.joinMembers, .number(group.number), .numbers(joining.map(\.account)),
            .numbers(joining.map(\.position)), .number(now), .int64(version))
        try await move(group, to: heads.filter { !accounts.contains($0.account) }, in: change)
        try await publishViews(of: group.id, in: change)
        note(ConversationsKind.joined, joining.map(\.account), group, by: actor, in: change)
    }

    /// Ends a person's membership, and their invitations into the group, so that each inviter is a member. Publishes
    /// the group to all members and, for the last time, to that person.
    func end(_ person: RosterEntry, in group: LockedGroup, by actor: AccountNumber, in change: Change) async throws {
        let now = context.clock.now
        let theirs = group.invited.filter { $0.invitedBy == person.account }.map(\.account)
        if !theirs.isEmpty {
            try await lockHeads(of: Set(group.members.map(\.account) + theirs), in: change)
            try await endInvitations(of: Set(theirs), in: group, change)
        }
        let version = try await nextVersion(of: group, left: [person.account], in: change)
        let heads = try await advanceHeads(of: Set(group.members.map(\.account)), in: change)
        try await change.execute(
            MembersStore.endMembership, .number(group.number), .number(person.account), .number(now),
            .int64(version))
        let others = group.members.filter { $0.account != person.account }
        if person.role == .owner, let heir = MemberRules.heir(among: others) {
            try await change.execute(MembersStore.makeOwner, .number(group.number), .number(heir.account))
        }
        try await move(group, to: heads, in: change)
        try await publishViews(of: group.id, to: Set(group.members.map(\.account)), in: change)
        let kind = person.account == actor ? ConversationsKind.left : ConversationsKind.removed
        note(kind, [person.account], group, by: actor, in: change)
    }

    /// Stores the group's position in each member's stream.
    func move(
        _ group: LockedGroup, to heads: [(account: AccountNumber, position: Position)], in change: Change
    ) async throws {
        try await change.execute(
            MembersStore.movePositions, .number(group.number), .numbers(heads.map(\.account)),
            .numbers(heads.map(\.position)))
    }

    private func nextVersion(
        of group: LockedGroup, joined: [AccountNumber] = [], left: [AccountNumber] = [], in change: Change
    ) async throws -> Int64 {
        let version = try await change.first(
            MembersStore.advanceMembersVersion, .number(group.number), .int32(Int32(joined.count - left.count)),
            .numbers(joined + left))
        guard let version else { throw DatabaseError.unexpected("no row of \(group.id.rawValue)") }
        return version
    }

    /// Notes a change for each account. Services that follow the journal act on it: messaging posts a system message.
    func note(
        _ kind: ConversationsKind, _ accounts: [AccountNumber], _ group: LockedGroup, by actor: AccountNumber,
        in change: Change
    ) {
        for account in accounts {
            change.publish(PendingUpdate(note: kind, subject: group.number, object: account, actor: actor))
        }
    }

    /// Notes a change of the group itself, as above.
    func note(_ kind: ConversationsKind, _ group: LockedGroup, by actor: AccountNumber, in change: Change) {
        change.publish(PendingUpdate(note: kind, subject: group.number, actor: actor))
    }
}

/// A group whose row is locked.
struct LockedGroup: Sendable {
    var id: ConversationID
    var number: ConversationNumber
    /// The members, the invited people, and former members among the caller and the users named by the request.
    var roster: [RosterEntry]

    var members: [RosterEntry] { roster.filter { !$0.isFormer } }
    var invited: [RosterEntry] { roster.filter { $0.invitedBy != nil } }

    func person(_ user: String) -> RosterEntry? { roster.first { $0.user == user } }
    func standing(of user: String) -> MemberRules.Standing { MemberRules.Standing(person(user)) }
}
