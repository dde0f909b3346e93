import Schema
import Wire

/// Decides who is invited into a group instead of added to it, and what becomes of invitations (C17). Pure.
struct InvitationRules: Hashable, Sendable {
    /// Whether people who do not know whoever adds them are invited.
    var isRequired = true
    /// How long after a decline an invitation into the group by the same person is not shown, and how long nobody
    /// invites somebody again whom they invited.
    var silentAfterDecline: Duration = .seconds(30 * 86_400)

    /// A person whom somebody adds to a group.
    struct Person: Hashable, Sendable {
        var isMember = false
        var wasMember = false
        /// When they were invited, if an invitation is open, as the admins see it; nil: none is.
        var invitedAt: Timestamp?
        /// Whether it is by whoever adds them now.
        var isInvitedByAdder = false
        /// Whether they see it.
        var isShown = false
        /// When they last declined an invitation into the group by anyone, and by whoever adds them now.
        var hasDeclined = false
        var declinedAdderAt: Timestamp?
        /// Whether they have an accepted direct conversation, or a group, with whoever adds them.
        var knowsAdder = false
        var blocksAdder = false
        var isBlockedByAdder = false
    }

    /// What adding a person does.
    enum Outcome: Hashable, Sendable {
        /// They are a member or invited already.
        case nothing
        case join
        /// - Parameter isShown: whether the person sees it. Everyone else sees the same either way.
        case invite(isShown: Bool)
    }

    /// Somebody who is known to block the adder or who declined answers like a person who has not decided yet. So an
    /// invitation by somebody else takes the place of an open one, whether or not that was declined.
    /// - Throws: ``Refusal`` `user_blocked`.
    func add(_ person: Person, at now: Timestamp) throws(Refusal) -> Outcome {
        if person.isMember { return .nothing }
        if person.isBlockedByAdder { throw .userBlocked }
        let mustConsent = person.wasMember || person.hasDeclined || person.blocksAdder
        if !mustConsent, person.knowsAdder || !isRequired { return .join }
        func isRecent(_ time: Timestamp?) -> Bool { time.map { now - $0 < silentAfterDecline } ?? false }
        if person.isInvitedByAdder, isRecent(person.invitedAt) { return .nothing }
        return .invite(isShown: !person.blocksAdder && !isRecent(person.declinedAdderAt))
    }

    /// What a person sees of a group of which somebody says that they are invited into it.
    struct Invitee: Hashable, Sendable {
        var isMember = false
        /// Whether they see an invitation.
        var isShown = false
        var hasDeclined = false
    }

    enum Verdict: Hashable, Sendable {
        case change
        /// The requested state is already in place.
        case nothing
    }

    /// - Throws: ``Refusal`` `not_found`.
    static func accept(_ me: Invitee) throws(Refusal) -> Verdict {
        if me.isMember { return .nothing }
        guard me.isShown else { throw .notFound }
        return .change
    }

    /// - Throws: ``Refusal`` `not_found`, `not_pending`.
    static func decline(_ me: Invitee) throws(Refusal) -> Verdict {
        if me.isMember { throw notPending }
        if me.isShown { return .change }
        guard me.hasDeclined else { throw .notFound }
        return .nothing
    }

    /// Decides whether the actor may withdraw the invitation of a person; nil for somebody without a row.
    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `not_pending`.
    static func withdraw(
        _ person: RosterEntry?, by actor: RosterEntry?
    ) throws(Refusal) -> Verdict {
        guard let actor, !actor.isFormer else { throw .notFound }
        if actor.role == .member, person?.invitedBy != actor.account {
            throw .forbidden("Only the inviter, admins and the owner can withdraw an invitation.")
        }
        guard let person else { throw Refusal(.notFound, "This person is not invited.", field: "user") }
        guard person.isFormer else { throw notPending }
        return person.invitedBy == nil ? .nothing : .change
    }

    /// Decides whether a member may see who is invited.
    /// - Throws: ``Refusal`` `forbidden`.
    static func mayList(_ role: MemberRole) throws(Refusal) {
        guard role == .owner || role == .admin else {
            throw .forbidden("Only the owner and admins can see who is invited.")
        }
    }

    private static let notPending = Refusal(.notPending, "The invitation was already accepted.")
}
