import ServiceKit

/// What kinds of change the journal of messaging names.
enum JournalKind {
    static let message: Int16 = 1
    /// A message of a pending request: who is asked is shown the request by it.
    static let requestMessage: Int16 = 2
    /// How a conversation stands for one person.
    static let inboxState: Int16 = 3
    /// Reactions of a message.
    static let reactions: Int16 = 5
    /// A change of a message that is before somebody's window of history: they count its position.
    static let notShown: Int16 = 6
    /// What one person did with one message.
    static let messageState: Int16 = 4
}

/// The names of messaging's streams.
enum MessagingStream {
    /// What was said in a conversation: the same bytes for all who may see it.
    static func conversation(_ id: ConversationID) -> String { conversation(named: id.rawValue) }

    static func conversation(named id: String) -> String { "messaging/c/" + id }

    /// What is one person's alone.
    static func person(_ user: String) -> String { "messaging/u/" + user }
}
