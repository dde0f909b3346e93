/// What a ``SyncMachine`` tells its shell to do, in this order.
public enum SyncAction: Sendable {
    /// Change what is stored. All changes of one input belong into one transaction.
    case store(SyncChange)
    /// Make a request. It may be made before the changes are stored, but answered only afterwards.
    case ask(SyncQuestion)
    /// Tell the app something that is not stored.
    case tell(SyncNews)
    /// Call ``SyncMachine/woke(at:)`` at this time. It replaces the time set before; waking early does no harm.
    case wake(at: ContinuousClock.Instant)
}

/// A change of what a client stores, in memory or in a database: `MergedRows` has the rules for both. Each concerns one
/// row, except those that drop many.
public enum SyncChange: Sendable {
    /// A state takes the place of the one with the same key. It is of a kind without a rule of its own.
    case put(Update.Content)
    /// A message, new or changed: `Parley_V1_Message.take(_:)` merges it into the one stored.
    case message(Parley_V1_Message, from: SyncSource)
    /// Reactions to a stored message; `Parley_V1_Message.take(_:by:)` merges them.
    case reactions(Parley_V1_Reactions)
    /// My state of a message, which may arrive before the message: keep it until then.
    case messageState(Parley_V1_MessageState)
    /// My state of a conversation, which is newer than the stored one.
    case inboxState(Parley_V1_InboxState)
    /// How far someone has read; `Parley_V1_Receipt.take(_:)` merges it into the one stored.
    case receipt(Parley_V1_Receipt)
    /// How many have read a message of mine.
    case readCount(Parley_V1_ReadCount)
    /// What the inbox says of a conversation, apart from its state: the newest seq, retention.
    case inboxEntry(Parley_V1_InboxEntry)
    /// All people whom I block.
    case blocks([Parley_V1_Block])
    /// Drops my messages of a conversation up to a seq, which I cleared.
    case clear(conversation: String, upTo: Int64)
    /// Drops all messages of a conversation. They are read again, if I may read them.
    case dropMessages(conversation: String)
    /// Drops a conversation that is gone, with its messages and my state of it.
    case dropConversation(String)
    /// Drops the states of a stream's kinds, which are read again; of one of messaging's, those of the conversations in
    /// its cell (``ConversationRecord/cell``) or in one not known.
    case startOver(stream: String)
    /// What the machine must remember of a stream.
    case stream(StoredStream)
    /// A stream is no longer followed.
    case forgetStream(String)
    /// What the machine must remember of a conversation.
    case record(ConversationRecord)
}

/// Where a state of a message comes from.
public enum SyncSource: Sendable, Hashable {
    /// An Update, which does not say what my own state of the message is.
    case update
    /// A reply, which does: without `own` there is none.
    case reply
}

/// News for an app that is not stored.
public enum SyncNews: Sendable {
    /// The messages of a conversation were dropped, because the server was restored or no longer has the changes.
    case startedOver(conversation: String)
    /// A conversation is gone: declined, withdrawn, or not mine any longer.
    case gone(Parley_V1_Conversation)
    /// The server was restored and no longer has this conversation.
    case lost(conversation: String)
    /// Of the messages that I may read, all are stored from the seq of the request up to this one.
    case read(conversation: String, through: Int64)
    /// Someone's presence.
    case presence(Parley_V1_PresenceState)
    /// Who is typing in a conversation now: everyone's user id.
    case typing(conversation: String, users: [String])
    /// What I say of myself on all devices.
    case ownPresence(Parley_V1_OwnPresence)
    /// Of what I am told by pushes.
    case pushSettings(Parley_V1_PushSettings)
    /// All Updates missed between sessions are stored.
    case synced
}

/// What a machine remembers of a stream between starts.
public struct StoredStream: Sendable, Hashable {
    /// "messaging/c/CONVERSATION", "conversations/u/ME" …
    public let name: String
    /// All changes up to it are stored.
    public var position: Int64 = 0
    /// The epoch of the position; empty: not known, so the stream is read from its beginning.
    public var epoch = ""
    /// Of a stream of messaging's own states, where its next `Sync` begins.
    public var cursor = ""
    /// Whether later changes are known to be missing.
    public var isBehind = false
    /// The kinds of its Updates that were known when it was read, with spaces between them; nil: those known now.
    public var kinds: String?

    public init(_ name: String) { self.name = name }

    /// How the name begins: the service, and whose or of what it is.
    var prefix: String {
        guard let first = name.firstIndex(of: "/"),
            let second = name[name.index(after: first)...].firstIndex(of: "/")
        else { return name }
        return String(name[...second])
    }

    /// The conversation of a stream of messages; nil for all others.
    public var conversation: String? {
        name.hasPrefix(Self.messages) ? String(name.dropFirst(Self.messages.count)) : nil
    }

    /// The first part of the name.
    public var service: Substring { name.prefix { $0 != "/" } }

    /// Of a stream of messaging's own states, the cell.
    public var cell: Substring {
        name.hasPrefix("messaging/u/") ? name.split(separator: "/").last ?? "" : ""
    }

    private static let messages = "messaging/c/"

    /// Returns the name of the stream of a conversation's messages.
    public static func messages(of conversation: String) -> String { messages + conversation }
}

/// What a machine remembers of a conversation between starts.
public struct ConversationRecord: Sendable, Equatable {
    public let id: String
    /// The position of its newest `Conversation`; 0: none is known.
    public var position: Int64 = 0
    public var section = Parley_V1_ConversationSection.unspecified
    /// Whether I have left it.
    public var hasLeft = false
    /// Whether I had left it before, or it was gone.
    public var wasLost = false
    /// The cell of messaging that it is in; empty: not known.
    public var cell = ""
    /// What the count of unread messages starts from.
    public var unread = UnreadBasis()
    /// The newest message that is known.
    public var newest = Newest()

    public init(_ id: String) { self.id = id }

    /// Whether the conversation is in a cell, or may be.
    func isIn(_ cell: Substring) -> Bool { self.cell.isEmpty || self.cell == cell }

    /// Whether the conversation is mine now.
    var isMine: Bool { position != 0 && section != .gone && !hasLeft }
}
