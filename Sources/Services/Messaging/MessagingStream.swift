import ServiceKit

/// The names of messaging's streams.
enum MessagingStream {
    /// What was said in a conversation: the same bytes for all who may see it.
    static func conversation(_ id: ConversationID) -> String { "messaging/c/" + id.rawValue }
}
