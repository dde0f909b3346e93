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

    /// Returns a member, or the author of a message, also in a group whose ``members`` are not all here, and of
    /// somebody who has left. It costs the same however many there are. Nil: they are not known yet; a view that reads
    /// it changes once they are.
    public func user(_ id: UserID) -> User? { member(id)?.user ?? reader?.person(id) }
    /// The list in which I see it; nil if it is not known yet.
    public var section: Section? { facts.section }
    /// Where the message request stands that it began with.
    public var request: RequestState { facts.request }
    /// Whether I have seen the request: ``Parley/markRequestsRead(_:)``.
    public var isRequestRead: Bool { facts.isRequestRead }
    public var createdAt: Date { facts.createdAt }
    /// Whether I left it or was removed.
    public var hasLeft: Bool { facts.hasLeft }

    // MARK: What only I see

    /// How many messages I have not read.
    public var unread: Unread { own.unread }
    /// The number of the newest message that I have read; 0: none.
    public var readUpTo: Int64 { own.readUpTo }
    public var isPinned: Bool { own.pinnedAt != nil }
    /// Whether it makes no noise now.
    public var isMuted: Bool { own.mutedUntil.map { $0 > .now } ?? false }
    /// Until when it makes no noise, `Date.distantFuture` without end; nil: it is not muted.
    public var mutedUntil: Date? { own.mutedUntil }
    public var isArchived: Bool { own.isArchived }
    /// How long after sending messages disappear; nil: they stay.
    public var retention: Duration? { own.retention }

    // MARK: Messages

    /// The newest message.
    public var lastMessage: Message? { messages.last { !$0.isHidden } ?? newestStored }

    /// Whether there are older messages than those that are loaded. Those of a conversation that is not ``isLoaded``
    /// yet count as older.
    public var hasOlder: Bool { loaded.first.map { $0 > own.firstSeq } ?? true }

    /// Where messages are missing between those that are loaded.
    public var gaps: [Gap] { loaded.gaps.map { Gap(first: $0.lowerBound, last: $0.upperBound) } }

    /// Returns a loaded message. It costs the same however many there are.
    public func message(_ id: MessageID) -> Message? { held.index(of: id).map { messages[$0] } }

    /// Returns the loaded message with a number, such as the one that ``Message/replyTo`` names. It costs the same
    /// however many there are. ``load(around:_:)`` loads one that is older.
    public func message(numbered seq: Int64) -> Message? {
        let place = held.index(ofSeq: seq)
        return place.isHere ? messages[place.at] : nil
    }
}
