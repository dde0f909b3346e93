/// What a person's inbox says of a conversation. Pure.
struct StateRules {
    let places: Places

    func state(_ fragment: Fragment, in conversation: String) -> ImportedState {
        var state = ImportedState(person: fragment.keys["user"] ?? "")
        if let id = fragment.text("message", places) { state.readMessages = [DerivedID.message(id, in: conversation)] }
        state.readAt = fragment.time("read", places)
        state.unread = fragment.field("unread", places)?.integer.map { max(0, $0) }
        state.isPinned = fragment.field("pinned", places)?.isTrue ?? false
        state.isMuted = fragment.field("muted", places)?.isTrue ?? false
        state.isArchived = fragment.field("archived", places)?.isTrue ?? false
        if fragment.field("cleared", places)?.isTrue ?? false { state.firstMessage = [] }
        return state
    }

    /// Joins what several places say of one person: of marks the largest counts, of counts the smallest.
    func joined(_ a: ImportedState, _ b: ImportedState) -> ImportedState {
        ImportedState(
            person: a.person, readMessages: a.readMessages + b.readMessages,
            readAt: [a.readAt, b.readAt].compactMap { $0 }.max(),
            unread: [a.unread, b.unread].compactMap { $0 }.min(),
            deliveredMessage: a.deliveredMessage ?? b.deliveredMessage, isPinned: a.isPinned || b.isPinned,
            isMuted: a.isMuted || b.isMuted, isArchived: a.isArchived || b.isArchived,
            firstMessage: a.firstMessage?.isEmpty ?? true ? b.firstMessage ?? a.firstMessage : a.firstMessage)
    }
}
