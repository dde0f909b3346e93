/// Who is typing, as far as this session was told. A message of theirs, and silence, end it without an Update. Pure.
struct SyncTyping: Sendable {
    /// How long after the last Update typing ends. The server repeats it every 5 s.
    static let lifetime = Duration.seconds(10)

    /// When it ends, by conversation and user id.
    private(set) var ends: [String: [String: ContinuousClock.Instant]] = [:]

    /// When the next of them ends; nil: nobody is typing.
    var nextEnd: ContinuousClock.Instant? { ends.values.lazy.compactMap { $0.values.min() }.min() }

    /// Returns the people who are typing in a conversation, in order of their user ids.
    func people(in conversation: String) -> [String] { (ends[conversation] ?? [:]).keys.sorted() }

    /// Takes an Update.
    /// - Returns: whether somebody began or stopped.
    mutating func take(_ state: Parley_V1_Typing, at now: ContinuousClock.Instant) -> Bool {
        guard state.typing else { return end(state.user, in: state.conversation) }
        return ends[state.conversation, default: [:]].updateValue(now + Self.lifetime, forKey: state.user) == nil
    }

    /// Ends a person's typing.
    /// - Returns: whether they were typing.
    mutating func end(_ user: String, in conversation: String) -> Bool {
        guard ends[conversation]?.removeValue(forKey: user) != nil else { return false }
        if ends[conversation]?.isEmpty ?? false { ends[conversation] = nil }
        return true
    }

    /// Ends what the server has not repeated.
    /// - Returns: the conversations in which somebody stopped.
    mutating func expire(at now: ContinuousClock.Instant) -> [String] {
        ends.keys.sorted().filter { conversation in
            let over = (ends[conversation] ?? [:]).filter { $0.value <= now }.keys
            for user in over { _ = end(user, in: conversation) }
            return !over.isEmpty
        }
    }

    /// Ends everybody's.
    /// - Returns: the conversations in which somebody was typing.
    mutating func endAll() -> [String] {
        defer { ends = [:] }
        return ends.keys.sorted()
    }
}

extension SyncMachine {
    /// Who is typing: user ids by conversation.
    public var typing: [String: [String]] { typists.ends.mapValues { $0.keys.sorted() } }

    /// [typing]
    mutating func take(_ state: Parley_V1_Typing, at now: ContinuousClock.Instant) {
        if typists.take(state, at: now) { tellTyping(in: [state.conversation]) }
    }

    /// [typing-sent]: ends the typing of whoever sent a message that is new.
    mutating func endTyping(by message: Parley_V1_Message) {
        guard message.seq > records[message.conversation]?.unread.heldTo ?? 0 else { return }
        if typists.end(message.sender, in: message.conversation) { tellTyping(in: [message.conversation]) }
    }

    /// [typing-lost]: ends what was not repeated.
    mutating func endTyping(at now: ContinuousClock.Instant) {
        guard let end = typists.nextEnd, end <= now else { return }
        tellTyping(in: typists.expire(at: now))
    }

    /// [typing-lost]: ends everything with the session.
    mutating func endAllTyping() { tellTyping(in: typists.endAll()) }

    private mutating func tellTyping(in conversations: [String]) {
        for conversation in conversations {
            actions.append(.tell(.typing(conversation: conversation, users: typists.people(in: conversation))))
        }
    }
}
