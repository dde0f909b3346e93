/// Merges later states into a message that a client holds. The result does not depend on the order of arrival.
extension Parley_V1_Message {
    /// Merges another state of this message. Keeps the later of the two states, and separately the later state of the
    /// thread.
    /// - Parameter other: a message from a reply must have `own` set, even if empty; one from an Update must not.
    public mutating func take(_ other: Parley_V1_Message) {
        let latest = thread.position > other.thread.position ? thread : other.thread
        if other.position >= position {
            let mine = hasOwn && !other.hasOwn ? own : nil
            self = other
            if let mine { own = mine }
            emptyIfGone()
        } else if other.hasOwn, !hasOwn {
            // So far it came in Updates only, which do not have it. What changed since comes in Updates of its own.
            own = other.own
            emptyIfGone()
        }
        if latest.position > 0 { thread = latest }
    }

    /// Merges a state of the thread that this message begins or belongs to, from any message of the thread.
    public mutating func take(_ other: Parley_V1_Thread) {
        if other.position > thread.position { thread = other }
    }

    /// Merges a change of this message's reactions. Merge the changes of a message in order of position.
    ///
    /// My own reactions are merged even if the message has this position or a later one: a message that was published
    /// again has its newest state, but not my part in it.
    /// - Parameter me: my user id, to find my own reactions from any device among the changes.
    public mutating func take(_ reactions: Parley_V1_Reactions, by me: String) {
        if reactions.position > position { (position, self.reactions) = (reactions.position, reactions.counts) }
        for change in reactions.changes where change.user == me {
            var mine = own.reactions.filter { $0 != change.emoji }
            if !change.removed { mine.append(change.emoji) }
            own.reactions = mine.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
        emptyIfGone()
    }

    /// Merges my message state (starred, hidden).
    public mutating func take(_ state: Parley_V1_MessageState) {
        (own.starred, own.hidden) = (state.starred, state.hidden)
        emptyIfGone()
    }

    /// Whether the message is gone: deleted for everyone or for me, or disappeared.
    /// - Parameter now: the server's time in microseconds UTC (``ParleyClient/serverTimeUs``).
    public func isGone(at now: Int64) -> Bool {
        deletedAtUs != 0 || own.hidden || (expiresAtUs != 0 && expiresAtUs <= now)
    }

    /// Empties a deleted or hidden message, as replies do. It keeps its conversation, seq, id, sender, times and
    /// thread.
    private mutating func emptyIfGone() {
        guard deletedAtUs != 0 || own.hidden else { return }
        (text, mentions, reactions, forwardedFrom, editedAtUs) = ("", [], [], "", 0)
        clearMedia()
        if own.hidden { own = .with { $0.hidden = true } } else { clearOwn() }
    }
}
