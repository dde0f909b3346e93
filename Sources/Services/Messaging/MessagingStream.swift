import ServiceKit

/// What kinds of change the journal of messaging names.
enum JournalKind {
    static let message: Int16 = 1
    /// A message of a pending request: who is asked is shown the request by it.
    static let requestMessage: Int16 = 2
}

/// The names of messaging's streams.
enum MessagingStream {
    /// What was said in a conversation: the same bytes for all who may see it.
    static func conversation(_ id: ConversationID) -> String { conversation(named: id.rawValue) }

    static func conversation(named id: String) -> String { "messaging/c/" + id }
}
