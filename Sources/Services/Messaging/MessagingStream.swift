import ServiceKit

/// The names of messaging's streams.
enum MessagingStream {
    /// What was said in a conversation: the same bytes for all who may see it.
    static func conversation(_ id: ConversationID) -> String { conversation(named: id.rawValue) }

    static func conversation(named id: String) -> String { "messaging/c/" + id }
}
