import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Changes names, photos and roles of groups (C9). The lock of a group's row serializes its changes.
extension ConversationsService {
    /// Changes a group's name, its photo, or both. Repeating the request changes nothing.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `invalid`.
    func updateGroup(_ request: UpdateGroupRequest, _ call: RequestContext) async throws -> ConversationReply {
        let caller = call.caller
        var name: String?
        var photo: String?
        if case .name(let text) = request.changeName {
            name = try Text.name(text, field: "name", letters: AccountRules.displayNameLettersMax)
        }
        if case .photoUrl(let text) = request.changePhoto { photo = try PhotoURL.checked(text) }
        return try await changeGroup(request.conversation, by: caller) { [name, photo] group, change in
            try MemberRules.mayUpdate(group.standing(of: caller.user))
            let changed = try await change.first(
                GroupsStore.update, .number(group.number), .optional(name), .optional(photo))
            if let changed {
                try await self.publishToAll(group, in: change)
                if changed.isRenamed { self.note(ConversationsKind.renamed, group, by: caller.account, in: change) }
                if changed.isPhotoChanged {
                    self.note(ConversationsKind.photoChanged, group, by: caller.account, in: change)
                }
            }
            return ConversationReply(
                conversation: try await self.known(group.id, to: caller, in: change), created: false)
        }
    }

    /// Makes a member an admin, or an admin a member. Repeating the request changes nothing.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `invalid`.
    func setMemberRole(_ request: SetMemberRoleRequest, _ call: RequestContext) async throws -> Done {
        let caller = call.caller
        guard request.role == .member || request.role == .admin else {
            throw Refusal.invalid("role", "must be MEMBER or ADMIN; to change the owner, transfer ownership")
        }
        return try await changeGroup(request.conversation, naming: [request.user], by: caller) { group, change in
            let verdict = try MemberRules.maySetRole(
                of: group.standing(of: request.user), to: request.role, by: group.standing(of: caller.user))
            if verdict == .change, let person = group.person(request.user) {
                try await self.setMemberRole(request.role, of: person, in: group, change)
                try await self.publishToAll(group, in: change)
                let kind = request.role == .admin ? ConversationsKind.madeAdmin : ConversationsKind.madeMember
                self.note(kind, [person.account], group, by: caller.account, in: change)
            }
            return Done()
        }
    }

    /// Makes another member the owner. The caller becomes an admin. Repeating the request changes nothing.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `invalid`.
    func transferOwnership(_ request: TransferOwnershipRequest, _ call: RequestContext) async throws -> Done {
        let caller = call.caller
        return try await changeGroup(request.conversation, naming: [request.user], by: caller) { group, change in
            let verdict = try MemberRules.mayTransfer(
                to: group.standing(of: request.user), by: group.standing(of: caller.user))
            if verdict == .change, let me = group.person(caller.user), let person = group.person(request.user) {
                try await self.setMemberRole(.admin, of: me, in: group, change)
                try await self.setMemberRole(.owner, of: person, in: group, change)
                try await self.publishToAll(group, in: change)
                self.note(
                    ConversationsKind.ownershipTransferred, [person.account], group, by: caller.account, in: change)
            }
            return Done()
        }
    }

    private func setMemberRole(
        _ role: MemberRole, of person: RosterEntry, in group: LockedGroup, _ change: Change
    ) async throws {
        try await change.execute(
            GroupsStore.setRole, .number(group.number), .number(person.account), .int16(Int16(role.rawValue)))
    }

    /// Advances every member's stream and publishes the group to them.
    func publishToAll(_ group: LockedGroup, in change: Change) async throws {
        let heads = try await advanceHeads(of: Set(group.members.map(\.account)), in: change)
        try await move(group, to: heads, in: change)
        try await publishViews(of: group.id, in: change)
    }
}
