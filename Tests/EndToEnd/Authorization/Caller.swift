import enum Schema.Access

/// A kind of caller, by their relation to the thing that the request names.
enum Caller: String, CaseIterable, Sendable {
    // Callers without a valid sign-in. The last three cannot even start a session.
    case notSignedIn, badToken, signedOut, erased

    // Relations to a group. Reminders and devices belong to the caller or to another person.
    case stranger, former, member, admin, owner
    /// Sees an invitation into it.
    case invited
    /// Created the group, of which they are now a plain member, and the reminder.
    case creator
    /// Another device of the creator. It has the same rights, since they belong to the person.
    case otherDevice

    // Relations to one other person.
    /// Both may write.
    case partner
    case blocked, blocker
    /// Sent a request that the recipient sees. `declined`: it was declined, which looks like silence.
    case requester, declined
    /// Sent a request and withdrew it.
    case withdrawer
    /// Sees a pending request.
    case recipient
    /// Does not see the pending request, which has no message yet.
    case hiddenRecipient
    /// Declined a request.
    case decliner

    /// Callers whose session the gateway closes before it answers a request.
    static let withoutSession: [Caller] = [.badToken, .signedOut, .erased]
    static let withSession = allCases.filter { !withoutSession.contains($0) }
    static let ofPairs: Set<Caller> = [
        .partner, .blocked, .blocker, .requester, .declined, .withdrawer, .recipient, .hiddenRecipient, .decliner,
    ]

    /// Whether the conversation exists for the caller: they see it now, or saw it until they left. Whoever is invited
    /// into a group sees nothing but the invitation.
    var sees: Bool { ![.stranger, .invited, .withdrawer, .hiddenRecipient, .decliner].contains(self) }
}

/// The result of a request.
enum Verdict: Hashable, Sendable, CustomStringConvertible {
    case allowed
    case refused(String)

    static let unauthenticated = Verdict.refused("unauthenticated")
    static let unknownMethod = Verdict.refused("unknown_method")
    static let notFound = Verdict.refused("not_found")
    static let forbidden = Verdict.refused("forbidden")

    var description: String {
        switch self {
        case .allowed: "allowed"
        case .refused(let code): code
        }
    }
}

extension Row {
    /// Returns how this request answers a caller. It follows from `access`, except where the row lists an exception.
    func verdict(for caller: Caller) -> Verdict {
        if [.gateway, .follower].contains(access) { return .unknownMethod }
        if caller == .notSignedIn, access != .anyone { return .unauthenticated }
        if let exception = exceptions[caller] { return exception }
        switch access {
        case .anyone, .gateway, .follower, .own: return .allowed
        case .signedIn: return absent.map { member($0, caller) } ?? .allowed
        case .creator: return [.creator, .otherDevice].contains(caller) ? .allowed : .notFound
        case .member: return absent.map { member($0, caller) } ?? .allowed
        case .ownerOrAdmin: return group(caller, may: [.owner, .admin])
        case .owner: return group(caller, may: [.owner])
        case .requester: return request(caller, may: [.requester, .declined, .withdrawer], others: [.recipient])
        case .recipient:
            return request(caller, may: [.recipient, .invited], others: [.requester, .declined, .withdrawer])
        }
    }

    private func member(_ absent: String, _ caller: Caller) -> Verdict {
        guard caller.sees, caller != .former || formersToo else { return .refused(absent) }
        return ofGroupsOnly && Caller.ofPairs.contains(caller) ? .refused("invalid") : .allowed
    }

    /// Direct conversations have neither owner nor admin. Anyone who sees one gets `invalid`.
    private func group(_ caller: Caller, may: Set<Caller>) -> Verdict {
        if may.contains(caller) { return .allowed }
        guard caller.sees, caller != .former else { return .notFound }
        return Caller.ofPairs.contains(caller) ? .refused("invalid") : .forbidden
    }

    /// Groups have no message requests, but invitations.
    private func request(_ caller: Caller, may: Set<Caller>, others: Set<Caller>) -> Verdict {
        if may.contains(caller) { return .allowed }
        if others.contains(caller) { return .forbidden }
        return [.partner, .blocked, .blocker].contains(caller) ? .refused("not_pending") : .notFound
    }
}
