/// How a message that a client holds takes what it is told later. Whatever order it comes in, the result is the same.
extension Parley_V1_Message {
    /// Takes another state of this message: the later one holds, and the later standing of its thread.
    /// - Parameter other: with `own` as a reply gave it, be it empty; without: from an Update, which does not say what
    ///   is mine alone.
    public mutating func take(_ other: Parley_V1_Message) {
        let standing = thread.position > other.thread.position ? thread : other.thread
        if other.position >= position {
            let mine = hasOwn && !other.hasOwn ? own : nil
            self = other
            if let mine { own = mine }
            emptyIfGone()
        }
        if standing.position > 0 { thread = standing }
    }

    /// Takes how the thread stands that it begins or belongs to, as any message of the thread tells.
    public mutating func take(_ standing: Parley_V1_Thread) {
        if standing.position > thread.position { thread = standing }
    }

    /// Takes a change of its reactions.
    /// - Parameter me: my user id: what I did on another device is among the changes.
    public mutating func take(_ reactions: Parley_V1_Reactions, by me: String) {
        guard reactions.position > position else { return }
        (position, self.reactions) = (reactions.position, reactions.counts)
        for change in reactions.changes where change.user == me {
            var mine = own.reactions.filter { $0 != change.emoji }
            if !change.removed { mine.append(change.emoji) }
            own.reactions = mine.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
        emptyIfGone()
    }

    /// Takes what I did with it.
    public mutating func take(_ state: Parley_V1_MessageState) {
        (own.starred, own.hidden) = (state.starred, state.hidden)
        emptyIfGone()
    }

    /// Whether it says nothing any more: deleted for everyone or for me, or disappeared.
    /// - Parameter now: microseconds by the server's clock (``ParleyClient/serverTimeUs``).
    public func isGone(at now: Int64) -> Bool {
        deletedAtUs != 0 || own.hidden || (expiresAtUs != 0 && expiresAtUs <= now)
    }

    /// What a reply would show: of a message that is gone its place, sender and times, and its thread.
    private mutating func emptyIfGone() {
        guard deletedAtUs != 0 || own.hidden else { return }
        (text, mentions, reactions, forwardedFrom, editedAtUs) = ("", [], [], "", 0)
        clearMedia()
        if own.hidden { own = .with { $0.hidden = true } } else { clearOwn() }
    }
}
