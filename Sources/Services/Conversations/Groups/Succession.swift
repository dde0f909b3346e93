import Postgres
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Gives a group another owner: instead of an account that is suspended without end (`handOver`), or the account
    /// that an operator named (`takeOver`). The owner before becomes a member.
    func nameOwner(
        _ kind: JobKind, _ account: AccountNumber, of groups: [JobConversation], in change: Change
    ) async throws {
        guard let next = groups.first, next.kind == .group, let id = ConversationID(next.id),
            let user = try await change.first(JobsStore.userID, .number(account)),
            let locked = try await change.first(MembersStore.lockConversation, .text(next.id))
        else { return }
        let group = try await lockedGroup(id, locked.number, naming: [user], in: change)
        let suspended = try await change.query(
            JobsStore.suspendedWithoutEnd, .numbers(group.members.map(\.account)))
        let (owner, heir) = MemberRules.succession(
            kind, of: account, among: group.members, suspended: Set(suspended))
        guard let heir else { return }
        if let owner {
            try await change.execute(
                GroupsStore.setRole, .number(group.number), .number(owner.account),
                .int16(Int16(MemberRole.member.rawValue)))
        }
        try await change.execute(MembersStore.makeOwner, .number(group.number), .number(heir.account))
        try await publishToAll(group, in: change)
        note(
            ConversationsKind.ownershipTransferred, [heir.account], group, by: owner?.account ?? heir.account,
            in: change)
    }
}

extension MemberRules {
    /// Returns the owner that a group has and the one that it gets; nil for the latter if nothing is to change.
    static func succession(
        _ kind: JobKind, of account: AccountNumber, among members: [RosterEntry], suspended: Set<AccountNumber>
    ) -> (owner: RosterEntry?, heir: RosterEntry?) {
        let owner = members.first { $0.role == .owner && !$0.isFormer }
        let heir: RosterEntry?
        switch kind {
        case .takeOver: heir = members.first { $0.account == account && !$0.isFormer && $0.role != .owner }
        case .handOver:
            // The person may have been restored, or have left, meanwhile.
            let isDue = owner?.account == account && suspended.contains(account)
            heir = isDue ? self.heir(among: members.filter { !suspended.contains($0.account) }) : nil
        case .publishProfile, .erase: heir = nil
        }
        return (owner, heir)
    }
}
