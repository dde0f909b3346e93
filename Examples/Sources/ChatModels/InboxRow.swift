import Foundation
import ParleyKit

extension InboxModel {
    /// A line of the list.
    public struct Row: Identifiable, Hashable, Sendable {
        public let id: ConversationID
        public let title: String
        public let preview: String
        /// When the last message was sent; empty: there is none.
        public let time: String
        public let unread: Int
        /// Whether one of them mentions me.
        public let isMentioned: Bool
        /// Whether to show it as unread, also if I marked it myself.
        public let isUnread: Bool
        public let isPinned: Bool
        public let isMuted: Bool
        public let isArchived: Bool
        public let isOnline: Bool
        /// A picture; nil: show the initials.
        public let photo: URL?
        public let initials: String
        /// All of it, for VoiceOver.
        public let label: String
    }
}

extension InboxModel.Row {
    @MainActor
    init(_ chat: Conversation, in parley: Parley, _ words: Words) {
        id = chat.id
        title = chat.title.isEmpty ? "…" : chat.title
        preview = Self.preview(chat, in: parley, words)
        time = chat.lastMessage.map { words.short($0.sentAt) } ?? ""
        (unread, isMentioned, isUnread) = (chat.unread.messages, chat.unread.mentions > 0, chat.unread.isUnread)
        (isPinned, isMuted, isArchived) = (chat.isPinned, chat.isMuted, chat.isArchived)
        isOnline = chat.other.map { parley.presence[$0.id]?.status == .online } ?? false
        photo = chat.kind == .group ? chat.photo : chat.other?.photo
        initials = Self.initials(of: title)
        let states = [
            unread > 0 ? "\(unread) unread" : isUnread ? "unread" : "", isMentioned ? "mentions you" : "",
            isPinned ? "pinned" : "", isMuted ? "muted" : "", isOnline ? "online" : "",
        ]
        label = ([title, preview, time] + states).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    @MainActor
    private static func preview(_ chat: Conversation, in parley: Parley, _ words: Words) -> String {
        let typing = chat.typing.compactMap { chat.user($0)?.displayName }
        if !typing.isEmpty { return words.typing(typing) }
        if !chat.draft.isEmpty { return "Draft: \(chat.draft)" }
        guard let message = chat.lastMessage else {
            if chat.kind == .group, chat.section == .requests { return "Invites you into this group" }
            return chat.section == .requests ? "Wants to write to you" : "No messages yet"
        }
        let text = text(of: message, in: chat, parley)
        if message.kind == .system { return text }
        if message.sender == parley.user { return "You: \(text)" }
        guard chat.kind == .group, let author = message.sender.flatMap(chat.user) else { return text }
        return "\(author.displayName): \(text)"
    }

    /// What a message says, in a line.
    @MainActor
    static func text(of message: Message, in chat: Conversation, _ parley: Parley) -> String {
        if message.isDeleted { return "Deleted" }
        if let note = message.note {
            return Notes(me: parley.user) { chat.user($0)?.displayName ?? "Somebody" }.text(of: note)
        }
        if !message.text.isEmpty { return message.text }
        return message.attachment?.name ?? ""
    }

    /// The first letters of the first two words.
    static func initials(of title: String) -> String {
        title.split(separator: " ").prefix(2).compactMap(\.first).map { $0.uppercased() }.joined()
    }
}
