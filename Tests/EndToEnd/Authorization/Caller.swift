import enum Schema.Access

/// Everybody who may come with a request, by what they are to the thing it names.
enum Caller: String, CaseIterable, Sendable {
    // Nobody that the server knows. The last three cannot even begin a session.
    case notSignedIn, badToken, signedOut, erased

    // To a group; what is to be known of people and reminders is another's, or the caller's own.
    case stranger, former, member, admin, owner
    /// Made the group, and is a plain member of it now; made the reminder.
    case creator
    /// Another device of the creator's: rights are a person's.
    case otherDevice

    // To one other person.
    /// Both may write.
    case partner
    case blocked, blocker
    /// Asked, and was shown; the same when it was declined, which looks like silence.
    case requester, declined
    /// Asked, and took it back.
    case withdrawer
    /// Is asked, and sees it.
    case recipient
    /// Is asked, and does not see it: it holds no message yet.
    case hiddenRecipient
    /// Was asked and declined.
    case decliner

    /// Those whose sessions are closed rather than their requests answered.
    static let withoutSession: [Caller] = [.badToken, .signedOut, .erased]
    static let withSession = allCases.filter { !withoutSession.contains($0) }
    static let ofPairs: Set<Caller> = [
        .partner, .blocked, .blocker, .requester, .declined, .withdrawer, .recipient, .hiddenRecipient, .decliner,
    ]

    /// To whom the conversation is there: who sees it now, and who saw it until they left.
    var sees: Bool { ![.stranger, .withdrawer, .hiddenRecipient, .decliner].contains(self) }
}

/// What comes of a request.
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
    /// What this request answers a caller. It follows from who may call it; what does not stands in the row.
    func verdict(for caller: Caller) -> Verdict {
        if access == .gateway { return .unknownMethod }
        if access == .anyone { return .allowed }
        if caller == .notSignedIn { return .unauthenticated }
        if let exception = exceptions[caller] { return exception }
        switch access {
        case .anyone, .gateway, .own: return .allowed
        case .signedIn: return absent.map { member($0, caller) } ?? .allowed
        case .creator: return [.creator, .otherDevice].contains(caller) ? .allowed : .notFound
        case .member: return absent.map { member($0, caller) } ?? .allowed
        case .ownerOrAdmin: return group(caller, may: [.owner, .admin])
        case .owner: return group(caller, may: [.owner])
        case .requester: return request(caller, may: [.requester, .declined, .withdrawer], others: [.recipient])
        case .recipient:
            return request(caller, may: [.recipient], others: [.requester, .declined, .withdrawer])
        }
    }

    private func member(_ absent: String, _ caller: Caller) -> Verdict {
        guard caller.sees, caller != .former || formersToo else { return .refused(absent) }
        return ofGroupsOnly && Caller.ofPairs.contains(caller) ? .refused("invalid") : .allowed
    }

    /// Direct conversations have neither owner nor admin: to who sees one it is said that it is no group.
    private func group(_ caller: Caller, may: Set<Caller>) -> Verdict {
        if may.contains(caller) { return .allowed }
        guard caller.sees, caller != .former else { return .notFound }
        return Caller.ofPairs.contains(caller) ? .refused("invalid") : .forbidden
    }

    /// Groups know no requests.
    private func request(_ caller: Caller, may: Set<Caller>, others: Set<Caller>) -> Verdict {
        if may.contains(caller) { return .allowed }
        if others.contains(caller) { return .forbidden }
        return [.partner, .blocked, .blocker].contains(caller) ? .refused("not_pending") : .notFound
    }
}
