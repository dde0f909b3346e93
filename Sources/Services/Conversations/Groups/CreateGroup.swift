import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Creates a group with the caller as its owner (C9). Retry-safe: a repeated id returns the first result.
    /// - Throws: ``Refusal`` `user_not_found`, `user_blocked`, `id_in_use`, `group_full`, `invalid`, `rate_limited`,
    ///   `guest_may_not`.
    func createGroup(_ request: CreateGroupRequest, _ call: RequestContext) async throws -> ConversationReply {
        let id = try UUIDv7(request.id)
        let caller = call.caller
        let name = try Text.name(request.name, field: "name", letters: AccountRules.displayNameLettersMax)
        let photo = try PhotoURL.checked(request.photoUrl)
        let users = Set(request.users).subtracting([caller.user])
        guard users.allSatisfy({ UserID($0) != nil }) else { throw Refusal.userNotFound }
        try allow(.changeGroup, by: caller)
        try await guests.require(.groups, of: caller.account, in: context.database)
        let now = context.clock.now
        let conversation = ConversationID(group: id)
        return try await context.journal.change(inOrderOf: conversation.rawValue) { change in
            if let existing = try await self.existingGroup(conversation, of: users, by: caller, in: change) {
                return existing
            }
            try id.checkWindow(now: now)
            try MemberRules.checkRoom(for: users.count, beside: 1, max: self.groupMembersMax)
            let people = try await self.people(users.union([caller.user]), for: caller, in: change)
            let number = try await change.first(
                GroupsStore.addGroup, .text(conversation.rawValue), .text(name), .text(photo), .number(caller.account),
                .number(now))
            guard let number else {
                // A concurrent request with the same id has committed meanwhile.
                let existing = try await self.existingGroup(conversation, of: users, by: caller, in: change)
                guard let existing else {
                    throw DatabaseError.unexpected("\(conversation.rawValue) was not created and does not exist")
                }
                return existing
            }
            try await self.lockHeads(of: people, in: change)
            let added = try await self.added(people.subtracting([caller.account]), to: nil, by: caller, in: change)
            try self.allowInvitations(added.invited.count, by: caller)
            let heads = try await self.advanceHeads(of: added.joining.union([caller.account]), in: change)
            let roles = heads.map { Int16(($0.account == caller.account ? MemberRole.owner : .member).rawValue) }
            try await change.execute(
                ConversationsStore.addMembers, .number(number), .numbers(heads.map(\.account)), .int16s(roles),
                .number(now), .numbers(heads.map(\.position)))
            try await self.publishViews(of: conversation, in: change)
            try await self.invite(added, to: conversation, number, by: caller, in: change)
            return try await self.reply(
                adding: users, to: conversation, number, by: caller, created: true, in: change)
        }
    }

    /// Returns the group that this id created before; nil if there is none.
    /// - Throws: ``Refusal`` `id_in_use` if another user created it.
    private func existingGroup(
        _ conversation: ConversationID, of users: Set<String>, by caller: Caller, in change: Change
    ) async throws -> ConversationReply? {
        guard let made = try await change.first(ConversationsStore.creator, .text(conversation.rawValue)) else {
            return nil
        }
        guard made.creator == caller.account else {
            throw Refusal(.idInUse, "Another user's conversation has this id. Use a new one.", field: "id")
        }
        return try await reply(
            adding: users, to: conversation, made.number, by: caller, created: false, in: change)
    }

    /// The most members a group can have.
    var groupMembersMax: Int { context.settings.integer("limits.group-members") }

    /// Returns the accounts of future members and invited people, and keeps them from being erased until the change
    /// ends.
    /// - Throws: ``Refusal`` `user_not_found`; `unauthenticated` if the caller was erased.
    private func people(
        _ users: Set<String>, for caller: Caller, in change: Change
    ) async throws -> Set<AccountNumber> {
        let people = Set(try await change.query(GroupsStore.people, .texts(users.sorted())))
        guard people.contains(caller.account) else { throw Refusal.unauthenticated }
        guard people.count == users.count else { throw Refusal.userNotFound }
        return people
    }
}
