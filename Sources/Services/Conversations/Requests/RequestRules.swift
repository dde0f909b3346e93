import Schema
import Wire

/// One of the two people of a direct conversation.
enum Side: Hashable, Sendable, CaseIterable {
    case first
    case second

    var other: Side { self == .first ? .second : .first }
}

/// The state of two people's direct conversation. A person alone in one is its first side.
struct Pair: Hashable, Sendable {
    enum Status: Hashable, Sendable, CaseIterable {
        /// The conversation does not exist yet.
        case none
        case pending
        case accepted
    }

    struct SideState: Hashable, Sendable {
        /// Whether this person blocks the other.
        var blocks = false
        var isErased = false
        /// Whether the conversation was ever shown to this person, so that a device may hold it.
        var wasShown = false
    }

    var status = Status.none
    /// Who sent the last request, also after it is accepted; nil if none was needed.
    var requester: Side?
    /// How many requests were sent. Each allows the same number of further messages.
    var requestsSent = 0
    var requestedAt: Timestamp?
    /// Whether a message was sent since the last request. Until then the recipient does not see the request.
    var isRevealed = true
    var declinedAt: Timestamp?
    var withdrawnAt: Timestamp?
    /// When the recipient saw the request; nil if not yet.
    var readAt: Timestamp?
    var first = SideState()
    var second = SideState()

    subscript(side: Side) -> SideState {
        get { side == .first ? first : second }
        set { if side == .first { first = newValue } else { second = newValue } }
    }

    var isBlocked: Bool { first.blocks || second.blocks }

    /// Returns the section of the conversation for one of them.
    func section(_ side: Side) -> ConversationSection {
        if self[side].isErased { return self[side].wasShown ? .gone : .unspecified }
        switch status {
        case .none: return .unspecified
        case .accepted: return self[side].blocks ? .blockedPeople : .inbox
        case .pending where side == requester:
            if self[side].blocks { return .blockedPeople }
            return withdrawnAt == nil ? .inbox : .gone
        case .pending:
            if self[side].blocks, self[side].wasShown { return .blockedPeople }
            if isRevealed, isOpen(to: side) { return .requests }
            // Devices that hold it must drop it, however late they sync.
            return self[side].wasShown ? .gone : .unspecified
        }
    }

    /// Whether the recipient has the request, or will have it with its first message.
    private func isOpen(to recipient: Side) -> Bool {
        declinedAt == nil && withdrawnAt == nil && !self[recipient.other].isErased
    }

    func mayRead(_ side: Side) -> Bool {
        switch section(side) {
        case .inbox, .requests, .blockedPeople: true
        // So that the first message reaches the recipient's devices.
        default: status == .pending && side != requester && isOpen(to: side) && !self[side].isErased
        }
    }

    func writeRefusal(_ side: Side) -> WriteRefusal {
        let section = self.section(side)
        // For a person who was never shown it, it looks as if it did not exist.
        if section == .unspecified || self[side].isErased { return .notMember }
        if isBlocked || self[side.other].isErased { return .userBlocked }
        return switch section {
        case .requests: .acceptFirst
        case .gone: .notMember
        default: .none
        }
    }

    /// Whether it counts among the person's requests.
    func isRequest(_ side: Side) -> Bool { section(side) == .requests }
    func isUnread(_ side: Side) -> Bool { isRequest(side) && readAt == nil }
}

/// Decides who may request, accept, decline, withdraw and block, and what results from it (R1 to R8, C6, C12). Each
/// rule takes a locked pair and returns its new state; an equal state means that nothing changes. Pure.
struct RequestRules: Hashable, Sendable {
    /// Whether a person who was not accepted needs a request to write.
    var isRequired = true
    /// After how long a repeated request counts as a new one.
    var newRequestAfter: Duration = .seconds(30 * 86_400)

    static let notPending = Refusal(.notPending, "The request was already accepted.")

    /// - Parameter isAlone: whether the conversation is one person's notes.
    /// - Throws: ``Refusal`` `user_blocked`.
    func start(_ pair: Pair, by side: Side, isAlone: Bool = false, at now: Timestamp) throws(Refusal) -> Pair {
        if pair.isBlocked { throw .userBlocked }
        var after = pair
        switch pair.status {
        case .accepted: return pair
        case .none:
            guard isRequired, !isAlone else {
                after.status = .accepted
                return after.seen
            }
            return newRequest(pair, by: side, at: now)
        case .pending where side == pair.requester: return repeatedRequest(pair, at: now)
        // A withdrawn request can no longer be accepted.
        case .pending: return pair.withdrawnAt == nil ? accepted(pair, at: now) : newRequest(pair, by: side, at: now)
        }
    }

    /// Whether a start asks the other person: with a new request, or again after the request was withdrawn.
    static func isAsking(_ started: Pair, after before: Pair) -> Bool {
        started.requestsSent > before.requestsSent || started.withdrawnAt != before.withdrawnAt
    }

    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `user_blocked`.
    func accept(_ pair: Pair, by side: Side, at now: Timestamp) throws(Refusal) -> Pair {
        switch pair.status {
        case .none: throw .notFound
        case .accepted: return pair
        case .pending where side == pair.requester: throw .forbidden("Only the recipient can accept a request.")
        case .pending:
            // If the other blocks them, they learn only that the request is gone.
            if pair.section(side) == .blockedPeople { throw .userBlocked }
            guard pair.isRequest(side) else { throw .notFound }
            return accepted(pair, at: now)
        }
    }

    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `not_pending`.
    func decline(_ pair: Pair, by side: Side, at now: Timestamp) throws(Refusal) -> Pair {
        switch pair.status {
        case .none: throw .notFound
        case .accepted: throw Self.notPending
        case .pending where side == pair.requester: throw .forbidden("Only the recipient can decline a request.")
        case .pending:
            guard pair[side].wasShown else { throw .notFound }
            if pair.declinedAt != nil { return pair }
            guard pair.isRequest(side) else { throw .notFound }
            var after = pair
            after.declinedAt = now
            return after.seen
        }
    }

    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `not_pending`.
    func withdraw(_ pair: Pair, by side: Side, at now: Timestamp) throws(Refusal) -> Pair {
        switch pair.status {
        case .none: throw .notFound
        case .accepted: throw Self.notPending
        case .pending where side != pair.requester:
            let isShown = [.requests, .blockedPeople].contains(pair.section(side))
            throw isShown ? .forbidden("Only the requester can withdraw a request.") : .notFound
        case .pending:
            var after = pair
            after.withdrawnAt = pair.withdrawnAt ?? now
            return after.seen
        }
    }

    /// Changes nothing unless the person has an unread request.
    func markRead(_ pair: Pair, by side: Side, at now: Timestamp) -> Pair {
        guard pair.isUnread(side) else { return pair }
        var after = pair
        after.readAt = now
        return after
    }

    /// Blocks the other person. Ends a request, whichever of the two sent it.
    func block(_ pair: Pair, by side: Side, at now: Timestamp) -> Pair {
        guard !pair[side].blocks else { return pair }
        var after = pair
        after[side].blocks = true
        if pair.status == .pending {
            if side == pair.requester {
                after.withdrawnAt = pair.withdrawnAt ?? now
            } else {
                after.declinedAt = pair.declinedAt ?? now
            }
        }
        return after.seen
    }

    func unblock(_ pair: Pair, by side: Side) -> Pair {
        var after = pair
        after[side].blocks = false
        return after.seen
    }

    /// Shows a request to its recipient, now that it has a message. If it has ended since, their devices drop the
    /// message that reached them.
    /// - Parameter reached: those whom the message reached.
    func reveal(_ pair: Pair, reached: Set<Side> = []) -> Pair {
        guard pair.status == .pending, !pair.isRevealed, let recipient = pair.requester?.other else { return pair }
        var after = pair
        if pair.declinedAt == nil, pair.withdrawnAt == nil, !pair.isBlocked {
            after.isRevealed = true
        } else if reached.contains(recipient) {
            after[recipient].wasShown = true
        }
        return after.seen
    }

    // MARK: Steps

    private func newRequest(_ pair: Pair, by side: Side, at now: Timestamp) -> Pair {
        var after = pair
        (after.status, after.requester, after.requestsSent, after.requestedAt) = (
            .pending, side, pair.requestsSent + 1, now
        )
        (after.isRevealed, after.declinedAt, after.withdrawnAt, after.readAt) = (false, nil, nil, nil)
        return after.seen
    }

    /// Repeats a request. The requester sees the same whether or not the recipient declined: the same times and the
    /// same number of messages allowed.
    private func repeatedRequest(_ pair: Pair, at now: Timestamp) -> Pair {
        let isDue = now - (pair.requestedAt ?? now) >= newRequestAfter
        guard isDue || pair.withdrawnAt != nil else { return pair }
        var after = pair
        after.withdrawnAt = nil
        // Before the days end it is the same request: it allows no more messages, does not restart the days, does not
        // become unread again, and stays declined.
        guard isDue else { return after.seen }
        after.requestsSent += 1
        after.requestedAt = now
        after.readAt = nil
        after.declinedAt = nil
        // A request that the recipient still has stays there, as a new one.
        if pair.withdrawnAt != nil || pair.declinedAt != nil { after.isRevealed = false }
        return after.seen
    }

    private func accepted(_ pair: Pair, at now: Timestamp) -> Pair {
        var after = pair
        (after.status, after.isRevealed, after.declinedAt) = (.accepted, true, nil)
        after.readAt = pair.readAt ?? now
        return after.seen
    }
}

/// What one of two people sees of their state.
struct PairView: Hashable, Sendable {
    var section: ConversationSection
    var status = Pair.Status.none
    var requester: Side?
    var requestedAt: Timestamp?
    var isRead = false
}

extension Pair {
    /// Returns what one of them sees in a section; nil for nothing. Of a gone conversation they see only that it is
    /// gone.
    func view(_ side: Side, in section: ConversationSection) -> PairView? {
        switch section {
        case .unspecified: nil
        case .gone: PairView(section: .gone)
        default:
            PairView(
                section: section, status: status, requester: requester, requestedAt: requestedAt,
                isRead: side != requester && readAt != nil)
        }
    }

    /// The pair with `wasShown` set for everyone who is now shown it.
    var seen: Pair {
        var pair = self
        for side in Side.allCases where pair.section(side) != .unspecified { pair[side].wasShown = true }
        return pair
    }
}
