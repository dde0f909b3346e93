/// The order in which a ``ConversationFeed`` delivers the messages of one conversation: by seq, each once.
struct FeedOrder: Sendable {
    /// The seq to deliver next; nil until the beginning is read.
    private(set) var next: Int64?
    /// Messages from `next` on that wait for earlier ones, by seq.
    private var waiting: [Int64: Parley_V1_Message] = [:]
    /// The reactions to messages from `next` on, by seq, in order: each has only its own changes.
    private var reactions: [Int64: [Parley_V1_Reactions]] = [:]
    /// My last states of messages from `next` on, by seq.
    private var messageStates: [Int64: Parley_V1_MessageState] = [:]

    /// - Parameter next: the seq to deliver first; nil: that of the first message that exists.
    init(next: Int64? = nil) { self.next = next }

    /// Whether messages wait for earlier ones.
    var isWaiting: Bool { !waiting.isEmpty }

    /// Takes a message, new or changed.
    mutating func take(_ message: Parley_V1_Message, from source: SyncSource, me: String) -> [ConversationFeed.Item] {
        var message = message
        // In a reply the absence of `own` means that there is none.
        if source == .reply, !message.hasOwn { message.own = Parley_V1_OwnMessageState() }
        if let next, message.seq < next { return [.changed(message)] }
        if source == .reply { reactions[message.seq]?.removeAll { $0.position <= message.position } }
        if var held = waiting[message.seq] {
            held.take(message)
            message = held
        }
        waiting[message.seq] = message
        return drain(me)
    }

    mutating func take(_ change: Parley_V1_Reactions) -> [ConversationFeed.Item] {
        if let next, change.seq < next { return [.reactions(change)] }
        reactions[change.seq, default: []].append(change)
        return []
    }

    mutating func take(_ state: Parley_V1_MessageState) -> [ConversationFeed.Item] {
        if let next, state.seq < next { return [.messageState(state)] }
        if messageStates[state.seq].map({ $0.ownPosition <= state.ownPosition }) ?? true {
            messageStates[state.seq] = state
        }
        return []
    }

    /// Begins with a seq, if nothing was delivered yet.
    mutating func begin(at seq: Int64, me: String) -> [ConversationFeed.Item] {
        guard next == nil else { return [] }
        next = seq
        waiting = waiting.filter { $0.key >= seq }
        return drain(me)
    }

    /// Takes that all messages up to a seq have come that I may read: the others are not waited for.
    mutating func skip(through seq: Int64, me: String) -> [ConversationFeed.Item] {
        var items: [ConversationFeed.Item] = []
        while let missing = next, missing <= seq {
            next = min(waiting.keys.min() ?? seq + 1, seq + 1)
            items += drain(me)
        }
        guard let next else { return items }
        reactions = reactions.filter { $0.key >= next }
        messageStates = messageStates.filter { $0.key >= next }
        return items
    }

    /// Delivers the waiting messages that follow without a gap.
    private mutating func drain(_ me: String) -> [ConversationFeed.Item] {
        var items: [ConversationFeed.Item] = []
        while let next, var message = waiting.removeValue(forKey: next) {
            for change in reactions.removeValue(forKey: next) ?? [] { message.take(change, by: me) }
            if let mine = messageStates.removeValue(forKey: next) { message.take(mine) }
            if message.own == Parley_V1_OwnMessageState() { message.clearOwn() }
            items.append(.message(message))
            self.next = next + 1
        }
        return items
    }
}
