import Schema
import Wire

/// Who may change a group and its members. Pure.
enum MemberRules {
    /// As many as an Update can name as its audience: they are named one by one.
    static let membersMax = 1000

    /// What somebody is in a conversation.
    enum Standing: Hashable, Sendable, CaseIterable {
        case owner
        case admin
        case member
        /// Left or was removed.
        case former
        /// Never was a member.
        case stranger
    }

    /// What is to come of a request that nothing speaks against.
    enum Verdict: Hashable, Sendable {
        case change
        /// It is so already.
        case nothing
    }

    /// - Throws: ``Refusal`` `not_found`, `forbidden`.
    static func mayAdd(_ actor: Standing) throws(Refusal) {
        switch actor {
        case .owner, .admin: break
        case .member: throw .forbidden("Only the owner and admins add members.")
        case .former, .stranger: throw .notFound
        }
    }

    /// Of another person.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`.
    static func mayRemove(_ person: Standing, by actor: Standing) throws(Refusal) -> Verdict {
        switch (actor, person) {
        case (.former, _), (.stranger, _): throw .notFound
        case (.member, _): throw .forbidden("Only the owner and admins remove members.")
        case (_, .stranger): throw notMember
        case (_, .former): return .nothing
        case (.owner, _), (.admin, .member): return .change
        case (.admin, _): throw .forbidden("Only the owner removes admins.")
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

    /// Its name and photo.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`.
    static func mayUpdate(_ actor: Standing) throws(Refusal) {
        switch actor {
        case .owner, .admin: break
        case .member: throw .forbidden("Only the owner and admins change the group.")
        case .former, .stranger: throw .notFound
        }
    }

    /// Of another person.
    /// - Parameter role: `.admin` or `.member`.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `invalid`.
    static func maySetRole(
        of person: Standing, to role: MemberRole, by actor: Standing
    ) throws(Refusal) -> Verdict {
        switch (actor, person) {
        case (.former, _), (.stranger, _): throw .notFound
        case (.admin, _), (.member, _): throw .forbidden("Only the owner makes admins.")
        case (.owner, .owner): throw .invalid("user", "must be somebody else; to be no owner, hand the group over")
        case (.owner, .former), (.owner, .stranger): throw notMember
        case (.owner, .admin): return role == .admin ? .nothing : .change
        case (.owner, .member): return role == .member ? .nothing : .change
        }
    }

    /// To another person.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `invalid`.
    static func mayTransfer(to person: Standing, by actor: Standing) throws(Refusal) -> Verdict {
        switch (actor, person) {
        case (.former, _), (.stranger, _): throw .notFound
        // Who handed it over is an admin now, and asks whether it was done.
        case (.admin, .owner): return .nothing
        case (.admin, _), (.member, _): throw .forbidden("Only the owner hands the group over.")
        case (.owner, .owner): throw .invalid("user", "must be somebody else")
        case (.owner, .former), (.owner, .stranger): throw notMember
        case (.owner, .admin), (.owner, .member): return .change
        }
    }

    private static let notMember = Refusal(.notFound, "This person is not a member.", field: "user")

    /// - Throws: ``Refusal`` `group_full`.
    static func checkRoom(for added: Int, beside members: Int, most: Int) throws(Refusal) {
        guard members + added <= most else {
            throw Refusal("group_full", "A group has at most \(most) members.", field: "users")
        }
    }

    /// Who owns the group after its owner left: the longest-serving admin, else member; of several who joined at the
    /// same time the one with the lowest account number. nil: nobody is left.
    static func heir(among members: [RosterEntry]) -> RosterEntry? {
        members.filter { !$0.isFormer }.min {
            ($0.role == .admin ? 0 : 1, $0.joinedVersion, $0.account) < (
                $1.role == .admin ? 0 : 1, $1.joinedVersion, $1.account
            )
        }
    }
}

extension MemberRules.Standing {
    /// - Parameter entry: nil for who never was a member.
    init(_ entry: RosterEntry?) {
        self =
            switch (entry, entry?.role) {
            case (nil, _): .stranger
            case (let entry?, _) where entry.isFormer: .former
            case (_, .owner): .owner
            case (_, .admin): .admin
            default: .member
            }
    }
}
