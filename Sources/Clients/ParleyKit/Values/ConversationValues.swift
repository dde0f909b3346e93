import Foundation
import ParleyClient

extension Conversation {
    /// What kind of conversation it is.
    public enum Kind: Hashable, Sendable {
        /// Between two people, or my notes to myself.
        case direct
        case group
    }

    /// The list in which I see it.
    public enum Section: Hashable, Sendable {
        case inbox
        /// A message request to me, or an invitation into a group.
        case requests
        /// With a person whom I block.
        case blocked
        /// A group that I left or was removed from. I may read it up to that point.
        case left
    }

    /// Where a message request stands.
    public enum RequestState: Hashable, Sendable {
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
    public struct Unread: Hashable, Sendable {
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
    public struct Gap: Hashable, Sendable {
        /// The first number that is missing.
        public let first: Int64
        /// The last number that is missing. The message after it is loaded.
        public let last: Int64
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

        init() {}

        init(_ conversation: Parley_V1_Conversation, me: UserID) {
            kind = conversation.kind == .group ? .group : .direct
            (name, photo) = (conversation.name, URL(string: conversation.photoURL))
            members = conversation.members.map(Member.init)
            memberCount = max(Int(conversation.memberCount), members.count)
            section = Section(conversation.section)
            createdAt = Date(microseconds: conversation.createdAtUs)
            hasLeft = conversation.leftAtUs != 0
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
