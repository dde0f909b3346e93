/// What happened in a conversation, for code that shows nothing: notifications, badges, logs. The object of the
/// conversation has changed already when it arrives.
///
///     for await change in parley.changes {
///         guard case .appended(let message) = change, message.sender != parley.user else { continue }
///         show("\(parley.conversation(change.conversation).title): \(message.text)")
///     }
public enum ConversationChange: Sendable, Hashable, Codable {
    /// A message is new.
    case appended(Message)
    /// Anything else about a message changed: it was edited, deleted, starred, sent, or got reactions, or its file was
    /// transferred a little further.
    case changed(Message)
    /// Others have received a message of mine, or read it.
    case status(DeliveryStatus, of: MessageID, in: ConversationID)
    /// Messages are no longer shown: they were cleared, have disappeared, or were dropped.
    case removed([MessageID], in: ConversationID)
    /// Something else about a conversation changed: its name, its members, what I have read of it.
    case updated(ConversationID)
    /// A conversation continues under another id.
    case migrated(from: ConversationID, to: ConversationID)
    /// A conversation is gone.
    case gone(ConversationID)

    /// The conversation in which it happened; after ``migrated(from:to:)`` the new one.
    public var conversation: ConversationID {
        switch self {
        case .appended(let message), .changed(let message): message.conversation
        case .status(_, _, let id), .removed(_, let id), .updated(let id), .migrated(_, let id), .gone(let id): id
        }
    }
}
