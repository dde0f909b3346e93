/// What happened in a conversation, for code that shows nothing: notifications, badges, logs. The object of the
/// conversation has changed already when it arrives.
public enum ConversationChange: Sendable, Hashable {
    /// A message is new.
    case appended(Message)
    /// A message was edited, deleted, starred, or got reactions.
    case changed(Message)
    /// A message of mine has come further.
    case status(DeliveryStatus, of: MessageID, in: ConversationID)
    /// Messages are no longer shown: they were cleared, have disappeared, or were dropped.
    case removed([MessageID], in: ConversationID)
    /// Something else about a conversation changed: its name, its members, what I have read of it.
    case updated(ConversationID)
    /// A conversation continues under another id.
    case migrated(from: ConversationID, to: ConversationID)
    /// A conversation is gone.
    case gone(ConversationID)
}
