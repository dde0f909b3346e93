import ServiceKit

/// The kinds of change in the journal of messaging.
enum JournalKind {
    static let message: Int16 = 1
    /// A message in a pending request. It makes the request visible to the recipient.
    static let requestMessage: Int16 = 2
    /// One person's inbox state of a conversation.
    static let inboxState: Int16 = 3
    /// The reactions to a message.
    static let reactions: Int16 = 5
    /// A change of a message from before some members' window of history. They only count its position.
    static let notShown: Int16 = 6
    /// One person's state of a message.
    static let messageState: Int16 = 4
}

/// The names of messaging's streams.
enum MessagingStream {
    /// A conversation's messages and their changes. Everyone who may see an Update gets the same bytes.
    static func conversation(_ id: ConversationID) -> String { conversation(named: id.rawValue) }

    static func conversation(named id: String) -> String { "messaging/c/" + id }

    /// One person's private state.
    static func person(_ user: String) -> String { "messaging/u/" + user }
}
