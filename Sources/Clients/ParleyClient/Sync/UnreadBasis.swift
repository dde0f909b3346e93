/// The number of unread messages of a conversation, and of those that mention me. 1,000 means 1,000 or more.
public struct UnreadCount: Sendable, Hashable {
    public var unread: Int64
    public var mentions: Int64

    public init(unread: Int64 = 0, mentions: Int64 = 0) { (self.unread, self.mentions) = (unread, mentions) }

    /// The server counts up to this number.
    public static let countedMax: Int64 = 1000
}

/// What the count of a conversation's unread messages starts from (proto/REFERENCE.md, "Unread"). The messages are with
/// whoever holds them: a store, or ``ConversationUnread``.
///
///     let unread = store.messages(of: id, above: basis.countsAbove)
///     let count = basis.count(unread, for: me, blocking: store.blocks, at: now)
///
/// Taking a state or a message costs the same however many messages the conversation has.
public struct UnreadBasis: Sendable, Equatable {
    /// The newest state from the server; without one, nothing is read and nothing was counted.
    public private(set) var state = Parley_V1_InboxState()
    /// The first of the newest messages that are held without a gap; nil: none are held.
    public private(set) var heldFrom: Int64?
    /// The newest message held; 0: none is known.
    public private(set) var heldTo: Int64 = 0
    /// Of the other people's messages known to be edited or deleted, the lowest seq and the highest position.
    public private(set) var changedSeq = Int64.max
    public private(set) var changedPosition: Int64 = 0
    /// Whether the conversation's messages disappear, as far as is known.
    public private(set) var disappears = false
    /// Whether what counts changed, since I left or came back, or blocked or unblocked somebody.
    public private(set) var hasNewWindow = false

    /// How long a count without the messages may be shown in a conversation whose messages disappear: as long as the
    /// shortest time after which one may disappear.
    static let countedForUs: Int64 = 60_000_000

    /// Creates the basis of a conversation of which nothing is known.
    public init() {}

    /// Creates a basis from what was stored of one.
    public init(
        state: Parley_V1_InboxState, heldFrom: Int64?, heldTo: Int64, changedSeq: Int64, changedPosition: Int64,
        disappears: Bool, hasNewWindow: Bool
    ) {
        (self.state, self.heldFrom, self.heldTo) = (state, heldFrom, heldTo)
        (self.changedSeq, self.changedPosition) = (changedSeq, changedPosition)
        (self.disappears, self.hasNewWindow) = (disappears, hasNewWindow)
    }

    // MARK: Counting

    /// Messages up to this seq are read, deleted for me, or not mine to read.
    public var readUpTo: Int64 { max(state.readSeq, state.clearedSeq, state.firstSeq - 1) }

    /// Whether all messages that may be unread are held, so that they can be counted.
    private var holdsAll: Bool { heldFrom.map { $0 <= readUpTo + 1 } ?? false && heldTo >= state.countedSeq }

    /// The messages above this seq are counted; those up to it are in the number of the state.
    public var countsAbove: Int64 { holdsAll ? readUpTo : max(readUpTo, state.countedSeq) }

    /// Returns the count.
    /// - Parameters:
    ///   - messages: those held above ``countsAbove``, in order of seq.
    ///   - isBlocked: whether I block a person, whose mentions do not count.
    ///   - now: the server's time in microseconds UTC.
    public func count(
        _ messages: some Sequence<Parley_V1_Message>, for me: String, blocking isBlocked: (String) -> Bool,
        at now: Int64
    ) -> UnreadCount {
        var count = holdsAll ? UnreadCount() : UnreadCount(unread: state.unread, mentions: state.mentions)
        for message in messages where message.isUnread(for: me, at: now) {
            guard count.unread < UnreadCount.countedMax else { break }
            count.unread += 1
            if message.mentions.contains(me), !isBlocked(message.sender) { count.mentions += 1 }
        }
        return count
    }

    /// Whether the count may be wrong, so that the state must be requested again.
    /// - Parameter now: the server's time in microseconds UTC.
    public func mustAsk(at now: Int64) -> Bool {
        if hasNewWindow { return true }
        if holdsAll { return false }
        return heldFrom.map { $0 > state.countedSeq + 1 && $0 > readUpTo + 1 } ?? false
            || (changedPosition > state.countedPosition && changedSeq <= state.countedSeq)
            || (disappears && state.unread > 0 && now >= state.countedAtUs + Self.countedForUs)
    }

    // MARK: What arrives

    /// Takes a state of an Update or a reply. An older one than the held changes nothing.
    public mutating func take(_ newer: Parley_V1_InboxState) {
        // Of two states with the same own position, the one counted further is newer.
        guard (newer.ownPosition, newer.countedPosition) >= (state.ownPosition, state.countedPosition) else { return }
        // A state without a change of my own was requested.
        if newer.ownPosition == state.ownPosition { hasNewWindow = false }
        state = newer
        if changedPosition <= newer.countedPosition { (changedSeq, changedPosition) = (.max, 0) }
    }

    /// Takes a message that is new, has changed or was read from the history: what it says about the state's numbers.
    public mutating func note(_ message: Parley_V1_Message, by me: String) {
        if message.expiresAtUs != 0 { disappears = true }
        guard message.editedAtUs != 0 || message.deletedAtUs != 0, message.sender != me, message.seq > readUpTo else {
            return
        }
        changedSeq = min(changedSeq, message.seq)
        changedPosition = max(changedPosition, message.position)
    }

    /// Notes how long after sending new messages disappear; zero: never.
    public mutating func note(retentionSeconds: Int64) {
        if retentionSeconds != 0 { disappears = true }
    }

    /// Notes that each message that I may read from one seq to another is held.
    public mutating func hold(from first: Int64, to last: Int64) {
        heldFrom = min(heldFrom ?? first, first)
        heldTo = max(heldTo, last)
    }

    /// Notes that the messages before a seq are no longer held.
    public mutating func dropMessages(before seq: Int64) { heldFrom = heldFrom.map { max($0, seq) } }

    /// Notes that no message is held.
    public mutating func dropMessages() { (heldFrom, heldTo) = (nil, 0) }

    /// Notes that I left a group or came back, or blocked or unblocked somebody.
    public mutating func changeWindow() { hasNewWindow = true }

    /// Notes that the state was requested, and that the server has none.
    public mutating func noteAsked() { hasNewWindow = false }

    /// Forgets the state, which the server gives again.
    public mutating func forgetState() {
        (state, changedSeq, changedPosition) = (Parley_V1_InboxState(), .max, 0)
    }
}

extension Parley_V1_Message {
    /// Whether the message counts as unread above my read mark.
    /// - Parameter now: the server's time in microseconds UTC.
    func isUnread(for me: String, at now: Int64) -> Bool { sender != me && kind != .system && !isGone(at: now) }
}
