import Foundation
import ParleyClient

extension Conversation {
    /// What to show as its title: the name of a group or, where it has none, its members; the other person of a direct
    /// conversation, or me if it is my notes to myself. Empty while the conversation is not known, as ``section`` says.
    public var title: String {
        facts.title
    }
    /// The other person of a direct conversation; nil for a group and for my notes to myself.
    public var other: User? { kind == .direct ? facts.others.first?.user : nil }

    /// What kind of conversation it is.
    ///
    ///     let isGroup = chat.kind == .group
    ///     show(isGroup ? "\(chat.title), \(chat.memberCount) people" : chat.title)
    public enum Kind: String, Hashable, Sendable, Codable {
        /// Between two people, or my notes to myself.
        case direct
        case group
    }

    /// The list in which I see it.
    ///
    ///     switch chat.section {
    ///     case .inbox, nil: show("")
    ///     case .requests: show("wants to write to you")
    ///     case .blocked: show("you block this person")
    ///     case .left: show("you left this group")
    ///     }
    public enum Section: String, Hashable, Sendable, Codable {
        case inbox
        /// A message request to me, or an invitation into a group.
        case requests
        /// With a person whom I block.
        case blocked
        /// A group that I left or was removed from. I may read it up to that point.
        case left
    }

    /// Where a message request stands.
    ///
    ///     switch chat.request {
    ///     case .accepted: show("")
    ///     case .sent: show("Waits for \(chat.title) to accept.")
    ///     case .received: show("\(chat.title) wants to write to you.")
    ///     case .blocked: show("You block this person.")
    ///     }
    public enum RequestState: Hashable, Sendable, Codable {
        /// No request was needed, or it was accepted.
        case accepted
        /// I asked the other person, who has not accepted.
        case sent
        /// Somebody asks me, or invites me: accept or decline.
        case received(from: UserID)
        /// I block the other person.
        case blocked
    }

    /// How many messages I have not read.
    ///
    ///     if chat.unread.isUnread { show("\(chat.unread.messages) unread, \(chat.unread.mentions) mention me") }
    public struct Unread: Hashable, Sendable, Codable {
        /// 1,000 means 1,000 or more.
        public var messages: Int
        /// How many of them mention me.
        public var mentions: Int
        /// Whether I marked the conversation as unread myself.
        public var isMarked: Bool

        /// Creates counts.
        public init(messages: Int = 0, mentions: Int = 0, isMarked: Bool = false) {
            (self.messages, self.mentions, self.isMarked) = (messages, mentions, isMarked)
        }

        /// Whether to show the conversation as unread.
        public var isUnread: Bool { messages > 0 || isMarked }
    }

    /// Messages that exist between those that are loaded.
    ///
    ///     for gap in chat.gaps {
    ///         show("\(gap.last - gap.first + 1) messages are not loaded")
    ///         try await chat.fill(gap)
    ///     }
    public struct Gap: Hashable, Sendable, Codable {
        /// The first number that is missing.
        public let first: Int64
        /// The last number that is missing. The message after it is loaded.
        public let last: Int64

        /// Creates a gap, for previews and tests.
        public init(first: Int64, last: Int64) { (self.first, self.last) = (first, last) }
    }

    /// What all members see of a conversation.
    struct Facts: Hashable, Sendable {
        var kind = Kind.direct
        var name = ""
        var photo: URL?
        var members: [Member] = []
        var memberCount = 0
        var section: Section?
        var request = RequestState.accepted
        var createdAt = Date.distantPast
        var hasLeft = false
        var isRequestRead = false
        private var me: UserID?

        /// The members apart from me.
        var others: [Member] { members.filter { $0.id != me } }

        var title: String {
            if kind == .group, !name.isEmpty { return name }
            let others = others
            return (others.isEmpty ? Array(members.prefix(1)) : others).map(\.user.displayName).joined(separator: ", ")
        }

        init() {}

        init(_ conversation: Parley_V1_Conversation, me: UserID) {
            kind = conversation.kind == .group ? .group : .direct
            (name, photo, self.me) = (conversation.name, URL(string: conversation.photoURL), me)
            members = conversation.members.map(Member.init)
            memberCount = max(Int(conversation.memberCount), members.count)
            section = Section(conversation.section)
            createdAt = Date(microseconds: conversation.createdAtUs)
            hasLeft = conversation.leftAtUs != 0
            isRequestRead = conversation.requestReadBy.contains(me.rawValue)
            let requester = UserID(rawValue: conversation.requesterID)
            request =
                switch (conversation.section, conversation.conversationStatus) {
                case (.blockedPeople, _), (_, .blocked): .blocked
                case (.requests, _): .received(from: requester)
                case (_, .pending): requester == me ? .sent : .received(from: requester)
                default: .accepted
                }
        }
    }

    /// What only I see of a conversation.
    struct OwnState: Hashable, Sendable {
        var pinnedAt: Date?
        var mutedUntil: Date?
        var isArchived = false
        var readUpTo: Int64 = 0
        /// The first message that I may read and have not cleared.
        var firstSeq: Int64 = 1
        /// How long after sending messages disappear; nil: never.
        var retention: Duration?
        var unread = Unread()
    }
}

extension Conversation.Section {
    init?(_ section: Parley_V1_ConversationSection) {
        switch section {
        case .inbox: self = .inbox
        case .requests: self = .requests
        case .blockedPeople: self = .blocked
        case .left: self = .left
        default: return nil
        }
    }

    var stored: Parley_V1_ConversationSection {
        switch self {
        case .inbox: .inbox
        case .requests: .requests
        case .blocked: .blockedPeople
        case .left: .left
        }
    }
}
