import Schema
import Wire

/// Who may change the members of a group. Pure.
enum MemberRules {
    /// More are for later: Updates name their audience one by one (DESIGN §3).
    static let membersMost = 64

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
        case (_, .stranger): throw Refusal(.notFound, "This person is not a member.", field: "user")
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

    /// - Throws: ``Refusal`` `group_full`.
    static func checkRoom(for added: Int, beside members: Int) throws(Refusal) {
        guard members + added <= membersMost else {
            throw Refusal("group_full", "A group has at most \(membersMost) members.", field: "users")
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
