import Foundation
import ParleyKit

/// Reads all that an app shows.
@MainActor
enum KitScreen {
    /// - Throws: the refusal with which the server answered a question for older messages.
    static func read(_ parley: Parley) async throws(Refusal) -> Screen {
        let lists = [parley.inbox, parley.requests, parley.archived]
        for list in lists {
            while list.hasMore {
                let before = list.conversations.count
                await list.loadMore()
                if list.conversations.count == before { break }
            }
        }
        let conversations = lists.flatMap(\.conversations)
        for chat in conversations { try await load(chat, parley) }
        // From here on nothing waits: it is what is shown at one moment.
        var screen = Screen()
        screen.user = parley.user?.rawValue ?? ""
        screen.profile = parley.profile.map { "\($0.user.displayName) \($0.syncStatus)" } ?? "unknown"
        screen.inbox = parley.inbox.conversations.map(\.id.rawValue)
        screen.requests = parley.requests.conversations.map(\.id.rawValue)
        screen.archived = parley.archived.conversations.map(\.id.rawValue)
        (screen.requestCount, screen.unreadRequestCount) = (parley.requestCount.total, parley.requestCount.unread)
        screen.chats = lists.flatMap(\.conversations).map(chat)
        screen.entities = entities(parley)
        screen.presence = Dictionary(
            parley.presence.map { ($0.key.rawValue, "\($0.value.status)") }, uniquingKeysWith: { $1 })
        return screen
    }

    /// Looks at a conversation from its first message on.
    private static func load(_ chat: Conversation, _ parley: Parley) async throws(Refusal) {
        let same = parley.conversation(chat.id)
        if !same.isLoaded { await same.load() }
        while same.hasOlder, parley.connection == .online {
            let before = same.messages.count
            try await same.loadOlder(200)
            if same.messages.count == before { break }
        }
        for gap in same.gaps where parley.connection == .online { try await same.fill(gap, 200) }
    }

    private static func chat(_ chat: Conversation) -> Screen.Chat {
        Screen.Chat(
            id: chat.id.rawValue, title: chat.title, section: chat.section.map { "\($0)" } ?? "unknown",
            request: "\(chat.request)", isGroup: chat.kind == .group, name: chat.name,
            members: chat.members.map { "\($0.id) \($0.user.displayName) \($0.role)" }.sorted(),
            isPinned: chat.isPinned, isMuted: chat.mutedUntil != nil, isArchived: chat.isArchived,
            readUpTo: chat.readUpTo, unread: chat.unread.messages, mentions: chat.unread.mentions,
            isMarkedUnread: chat.unread.isMarked, lastText: chat.lastMessage?.text,
            receipts: Dictionary(
                chat.receipts.map { ($0.key.rawValue, receipt($0.value)) }, uniquingKeysWith: { $1 }),
            messages: chat.messages.map(message), gaps: chat.gaps.map { "\($0.first)–\($0.last)" },
            sync: "\(chat.syncStatus)")
    }

    private static func receipt(_ receipt: Receipt) -> Screen.Receipt {
        Screen.Receipt(readUpTo: receipt.readUpTo, deliveredUpTo: receipt.deliveredUpTo)
    }

    private static func message(_ message: Message) -> Screen.Message {
        Screen.Message(
            id: message.id.description, seq: message.seq, sender: message.sender?.rawValue, text: message.text,
            isDeleted: message.isDeleted, isEdited: message.editedAt != nil, isStarred: message.isStarred,
            isHidden: message.isHidden, replyTo: message.replyTo,
            reactions: message.reactions.map { "\($0.emoji) \($0.count)\($0.isMine ? " mine" : "")" },
            status: "\(message.status)", sync: "\(message.syncStatus)")
    }

    private static func entities(_ parley: Parley) -> [Screen.Entity] {
        let reminders = parley.reminders.map {
            Screen.Entity(
                kind: "reminder", id: "\($0.id)", text: $0.title, own: "\($0.isCompleted)", facts: "\($0.dueAt)",
                sync: "\($0.syncStatus)")
        }
        let decisions = parley.decisions.map {
            Screen.Entity(
                kind: "decision", id: "\($0.id)", text: $0.text, own: "", facts: "\($0.author) \($0.isShared)",
                sync: "\($0.syncStatus)")
        }
        let events = parley.events.map {
            Screen.Entity(
                kind: "event", id: "\($0.id)", text: $0.title, own: "\($0.answer)",
                facts: "\($0.date) guests \($0.guests), \($0.accepted) \($0.tentative) \($0.declined) \($0.coming), "
                    + "\($0.isCancelled) \($0.hosts) \($0.conversations)", sync: "\($0.syncStatus)")
        }
        return reminders + decisions + events
    }
}
