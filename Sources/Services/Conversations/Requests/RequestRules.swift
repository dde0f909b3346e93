import Schema
import Wire

/// One of the two people of a direct conversation.
enum Side: Hashable, Sendable, CaseIterable {
    case first
    case second

    var other: Side { self == .first ? .second : .first }
}

/// What two people are to each other in their direct conversation. Who is alone in one is its first side.
struct Pair: Hashable, Sendable {
    enum Status: Hashable, Sendable, CaseIterable {
        /// There is no conversation yet.
        case none
        case pending
        case accepted
    }

    struct SideState: Hashable, Sendable {
        /// Whether this one blocks the other.
        var blocks = false
        var isErased = false
        /// Whether the conversation was ever shown to this one, so that a device may hold it.
        var wasShown = false
    }

    var status = Status.none
    /// Who asked last, also once it is accepted; nil: nobody had to.
    var requester: Side?
    /// How often was asked; each allows so many messages more.
    var asks = 0
    var askedAt: Int64?
    /// Whether it holds a message since it was asked. Until then who is asked sees nothing of it.
    var isRevealed = true
    var declinedAt: Int64?
    var withdrawnAt: Int64?
    /// When who is asked saw the request; nil: not yet.
    var readAt: Int64?
    var first = SideState()
    var second = SideState()

    subscript(side: Side) -> SideState {
        get { side == .first ? first : second }
        set { if side == .first { first = newValue } else { second = newValue } }
    }

    var isBlocked: Bool { first.blocks || second.blocks }

    /// Where the conversation belongs for one of them.
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
            // Devices that hold it must drop it, however late they ask.
            return self[side].wasShown ? .gone : .unspecified
        }
    }

    /// Whether the request is there for who is asked, or will be with its first message.
    private func isOpen(to asked: Side) -> Bool {
        declinedAt == nil && withdrawnAt == nil && !self[asked.other].isErased
    }

    func mayRead(_ side: Side) -> Bool {
        switch section(side) {
        case .inbox, .requests, .blockedPeople: true
        // So that the first message reaches the devices of who is asked.
        default: status == .pending && side != requester && isOpen(to: side) && !self[side].isErased
        }
    }

    func writeRefusal(_ side: Side) -> WriteRefusal {
        let section = self.section(side)
        // Who was never shown it cannot tell it from one that is not there.
        if section == .unspecified || self[side].isErased { return .notMember }
        if isBlocked || self[side.other].isErased { return .userBlocked }
        return switch section {
        case .requests: .acceptFirst
        case .gone: .notMember
        default: .none
        }
    }

    /// Whether it is one of the requests that somebody is told the number of.
    func isRequest(_ side: Side) -> Bool { section(side) == .requests }
    func isUnread(_ side: Side) -> Bool { isRequest(side) && readAt == nil }
}

/// Why a member may not write, as in conversations.members.
enum WriteRefusal: Int16, Hashable, Sendable {
    case none = 0
    case acceptFirst = 1
    case userBlocked = 2
    case notMember = 3
}

/// Who may ask, accept, decline, take back and block, and what comes of it (R1 to R8, C6, C12). Pure: each rule takes
/// the pair as it is, locked, and gives it as it then is; the same means that nothing changes.
struct RequestRules: Hashable, Sendable {
    /// Whether somebody who was not accepted has to ask.
    var isRequired = true
    /// After this asking again is another request, in microseconds.
    var asksAgainAfter: Int64 = 30 * 86_400_000_000

    static let notPending = Refusal("not_pending", "The request was accepted already.")

    /// - Parameter isAlone: it is one person's notes.
    /// - Throws: ``Refusal`` `user_blocked`.
    func start(_ pair: Pair, by side: Side, isAlone: Bool = false, at now: Int64) throws(Refusal) -> Pair {
        if pair.isBlocked { throw .userBlocked }
        var after = pair
        switch pair.status {
        case .accepted: return pair
        case .none:
            guard isRequired, !isAlone else {
                after.status = .accepted
                return after.seen
            }
            return ask(pair, by: side, at: now)
        case .pending where side == pair.requester: return askAgain(pair, at: now)
        // What was taken back cannot be accepted any more.
        case .pending: return pair.withdrawnAt == nil ? accepted(pair, at: now) : ask(pair, by: side, at: now)
        }
    }

    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `user_blocked`.
    func accept(_ pair: Pair, by side: Side, at now: Int64) throws(Refusal) -> Pair {
        switch pair.status {
        case .none: throw .notFound
        case .accepted: return pair
        case .pending where side == pair.requester: throw .forbidden("Only who is asked accepts a request.")
        case .pending:
            // Of a block by the other they learn nothing but that the request is gone.
            if pair.section(side) == .blockedPeople { throw .userBlocked }
            guard pair.isRequest(side) else { throw .notFound }
            return accepted(pair, at: now)
        }
    }

    /// - Throws: ``Refusal`` `not_found`, `forbidden`, `not_pending`.
    func decline(_ pair: Pair, by side: Side, at now: Int64) throws(Refusal) -> Pair {
        switch pair.status {
        case .none: throw .notFound
        case .accepted: throw Self.notPending
        case .pending where side == pair.requester: throw .forbidden("Only who is asked declines a request.")
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
    func withdraw(_ pair: Pair, by side: Side, at now: Int64) throws(Refusal) -> Pair {
        switch pair.status {
        case .none: throw .notFound
        case .accepted: throw Self.notPending
        case .pending where side != pair.requester:
            let isShown = [.requests, .blockedPeople].contains(pair.section(side))
            throw isShown ? .forbidden("Only who asked takes a request back.") : .notFound
        case .pending:
            var after = pair
            after.withdrawnAt = pair.withdrawnAt ?? now
            return after.seen
        }
    }

    /// Who is not asked, or not shown it, has nothing to read.
    func markRead(_ pair: Pair, by side: Side, at now: Int64) -> Pair {
        guard pair.isUnread(side) else { return pair }
        var after = pair
        after.readAt = now
        return after
    }

    /// Ends a request, whoever of the two made it.
    func block(_ pair: Pair, by side: Side, at now: Int64) -> Pair {
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

    /// It holds a message, so that who is asked is shown it.
    func reveal(_ pair: Pair) -> Pair {
        guard pair.status == .pending, !pair.isRevealed, pair.declinedAt == nil, pair.withdrawnAt == nil,
            !pair.isBlocked
        else { return pair }
        var after = pair
        after.isRevealed = true
        return after.seen
    }

    // MARK: Steps

    private func ask(_ pair: Pair, by side: Side, at now: Int64) -> Pair {
        var after = pair
        (after.status, after.requester, after.asks, after.askedAt) = (.pending, side, pair.asks + 1, now)
        (after.isRevealed, after.declinedAt, after.withdrawnAt, after.readAt) = (false, nil, nil, nil)
        return after.seen
    }

    /// Whether who is asked declined changes nothing of what the requester sees of this: the same times, the same
    /// messages allowed.
    private func askAgain(_ pair: Pair, at now: Int64) -> Pair {
        let isDue = now - (pair.askedAt ?? now) >= asksAgainAfter
        guard isDue || pair.withdrawnAt != nil else { return pair }
        var after = pair
        after.withdrawnAt = nil
        // Before the days are over it is the same request again: no more messages, no later end of the days, not unread
        // once more, and no way around a decline.
        guard isDue else { return after.seen }
        after.asks += 1
        after.askedAt = now
        after.readAt = nil
        after.declinedAt = nil
        // One that still stands among their requests stays there, as a new one.
        if pair.withdrawnAt != nil || pair.declinedAt != nil { after.isRevealed = false }
        return after.seen
    }

    private func accepted(_ pair: Pair, at now: Int64) -> Pair {
        var after = pair
        (after.status, after.isRevealed, after.declinedAt) = (.accepted, true, nil)
        after.readAt = pair.readAt ?? now
        return after.seen
    }
}

/// What somebody is shown of what two people are to each other.
struct PairView: Hashable, Sendable {
    var section: ConversationSection
    var status = Pair.Status.none
    var requester: Side?
    var askedAt: Int64?
    var isRead = false
}

extension Pair {
    /// What one of them is shown, in some place; nil: nothing. Of what is gone they are shown just that.
    func view(_ side: Side, in section: ConversationSection) -> PairView? {
        switch section {
        case .unspecified: nil
        case .gone: PairView(section: .gone)
        default:
            PairView(
                section: section, status: status, requester: requester, askedAt: askedAt,
                isRead: side != requester && readAt != nil)
        }
    }

    /// With what is now shown noted as shown.
    var seen: Pair {
        var pair = self
        for side in Side.allCases where pair.section(side) != .unspecified { pair[side].wasShown = true }
        return pair
    }
}
