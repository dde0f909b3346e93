import Schema
import Wire

/// Decides who may change a group and its members. Pure.
enum MemberRules {
    /// The most accounts that an Update can have as its audience, which it lists one by one.
    static let membersMax = 1000

    /// What a person is in a conversation.
    enum Standing: Hashable, Sendable, CaseIterable {
        case owner
        case admin
        case member
        /// Left or was removed.
        case former
        /// Was never a member.
        case stranger
    }

    /// What an allowed request does.
    enum Verdict: Hashable, Sendable {
        case change
        /// The requested state is already in place.
        case nothing
    }

    /// - Throws: ``Refusal`` `not_found`, `forbidden`.
    static func mayAdd(_ actor: Standing) throws(Refusal) {
        switch actor {
        case .owner, .admin: break
        case .member: throw .forbidden("Only the owner and admins can add members.")
        case .former, .stranger: throw .notFound
        }
    }

    /// Decides whether the actor may remove another person.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`.
    static func mayRemove(_ person: Standing, by actor: Standing) throws(Refusal) -> Verdict {
        switch (actor, person) {
        case (.former, _), (.stranger, _): throw .notFound
        case (.member, _): throw .forbidden("Only the owner and admins can remove members.")
        case (_, .stranger): throw notMember
        case (_, .former): return .nothing
        case (.owner, _), (.admin, .member): return .change
        case (.admin, _): throw .forbidden("Admins cannot remove the owner or another admin.")
        }
    }

    /// - Throws: ``Refusal`` `not_found`.
    static func mayLeave(_ actor: Standing) throws(Refusal) -> Verdict {
        switch actor {
        case .owner, .admin, .member: return .change
        case .former: return .nothing
        case .stranger: throw .notFound
        }
    }

    /// Decides whether the actor may change the group's name and photo.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`.
    static func mayUpdate(_ actor: Standing) throws(Refusal) {
        switch actor {
        case .owner, .admin: break
        case .member: throw .forbidden("Only the owner and admins can change the group.")
        case .former, .stranger: throw .notFound
        }
    }

    /// Decides whether the actor may set another person's role.
    /// - Parameter role: `.admin` or `.member`.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `invalid`.
    static func maySetRole(
        of person: Standing, to role: MemberRole, by actor: Standing
    ) throws(Refusal) -> Verdict {
        switch (actor, person) {
        case (.former, _), (.stranger, _): throw .notFound
        case (.admin, _), (.member, _): throw .forbidden("Only the owner can change roles.")
        case (.owner, .owner):
            throw .invalid("user", "must be another person; to give up the role of owner, transfer ownership")
        case (.owner, .former), (.owner, .stranger): throw notMember
        case (.owner, .admin): return role == .admin ? .nothing : .change
        case (.owner, .member): return role == .member ? .nothing : .change
        }
    }

    /// Decides whether the actor may transfer ownership to another person.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `invalid`.
    static func mayTransfer(to person: Standing, by actor: Standing) throws(Refusal) -> Verdict {
        switch (actor, person) {
        case (.former, _), (.stranger, _): throw .notFound
        // A retry: the former owner is an admin now.
        case (.admin, .owner): return .nothing
        case (.admin, _), (.member, _): throw .forbidden("Only the owner can transfer ownership.")
        case (.owner, .owner): throw .invalid("user", "must be another person")
        case (.owner, .former), (.owner, .stranger): throw notMember
        case (.owner, .admin), (.owner, .member): return .change
        }
    }

    private static let notMember = Refusal(.notFound, "This person is not a member.", field: "user")

    /// - Throws: ``Refusal`` `group_full`.
    static func checkRoom(for added: Int, beside members: Int, max: Int) throws(Refusal) {
        guard members + added <= max else {
            throw Refusal(.groupFull, "A group can have at most \(max) members.", field: "users")
        }
    }

    /// Returns the next owner after the owner left: the longest-serving admin, else the longest-serving member. Of
    /// several who joined at the same time it is the one with the lowest account number. nil if nobody is left.
    static func heir(among members: [RosterEntry]) -> RosterEntry? {
        members.filter { !$0.isFormer }.min {
            ($0.role == .admin ? 0 : 1, $0.joinedVersion, $0.account) < (
                $1.role == .admin ? 0 : 1, $1.joinedVersion, $1.account
            )
        }
    }
}

extension MemberRules.Standing {
    /// - Parameter entry: nil for a person who was never a member.
    init(_ entry: RosterEntry?) {
        self =
            switch (entry, entry?.role) {
            case (nil, _): .stranger
            case (let entry?, _) where entry.isFormer: entry.wasMember ? .former : .stranger
            case (_, .owner): .owner
            case (_, .admin): .admin
            default: .member
            }
    }
}
