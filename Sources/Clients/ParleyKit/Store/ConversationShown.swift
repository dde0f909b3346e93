import Foundation

/// What an app shows of a conversation.
extension Conversation {
    // MARK: What everyone sees

    public var kind: Kind { facts.kind }
    /// The name of a group; empty for a direct conversation.
    public var name: String { facts.name }
    public var photo: URL? { facts.photo }
    /// The members: all of them up to 64, the first 16 of a larger group.
    public var members: [Member] { facts.members }
    public var memberCount: Int { facts.memberCount }
    /// The list in which I see it; nil if it is not known yet.
    public var section: Section? { facts.section }
    /// Where the message request stands that it began with.
    public var request: RequestState { facts.request }
    public var createdAt: Date { facts.createdAt }
    /// Whether I left it or was removed.
    public var hasLeft: Bool { facts.hasLeft }

    // MARK: What only I see

    /// How many messages I have not read.
    public var unread: Unread { own.unread }
    /// The number of the newest message that I have read; 0: none.
    public var readUpTo: Int64 { own.readUpTo }
    public var isPinned: Bool { own.pinnedAt != nil }
    /// Until when it makes no noise; nil: it is not muted.
    public var mutedUntil: Date? { own.mutedUntil }
    public var isArchived: Bool { own.isArchived }
    /// How long after sending messages disappear; nil: they stay.
    public var retention: Duration? { own.retention }

    // MARK: Messages

    /// The newest message.
    public var lastMessage: Message? { messages.last { !$0.isHidden } ?? newestStored }

    /// Whether there are older messages than those that are loaded.
    public var hasOlder: Bool { loaded.first.map { $0 > own.firstSeq } ?? true }

    /// Where messages are missing between those that are loaded.
    public var gaps: [Gap] { loaded.gaps.map { Gap(first: $0.lowerBound, last: $0.upperBound) } }

    /// Returns a loaded message. It costs the same however many there are.
    public func message(_ id: MessageID) -> Message? { held.index(of: id).map { messages[$0] } }
}
