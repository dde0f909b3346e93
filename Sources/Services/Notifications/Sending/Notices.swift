import Schema
import ServiceKit

/// What a push says. Pure.
struct NoticeText: Sendable, Equatable {
    /// A word by which the app decides.
    var kind: String
    var title: String
    var body: String
    var conversation: String?
    var seq: Int64?
    var sender: String?
    var entity: String?
    /// Where a browser goes: the chat's address of the conversation.
    var link = "/"

    /// What is shown where nothing may be said.
    static let fallback = "New message"
    /// The longest text of a message that a push has, in characters. Senders cut it further to their limits.
    static let textMax = 500

    /// What changes the number on the icon, or takes something back, without showing anything.
    static func silent(
        _ kind: String, _ conversation: String?, _ seq: Seq, saying content: PushContent
    ) -> NoticeText {
        guard content != .noContent else { return NoticeText(kind: kind, title: "", body: "") }
        return NoticeText(kind: kind, title: "", body: "", conversation: conversation, seq: seq.rawValue)
    }

    /// Of a message.
    static func of(_ message: MessageFacts, saying content: PushContent) -> NoticeText {
        let isDirected = message.mentionsPerson || message.answersPerson
        guard content != .noContent else {
            return NoticeText(kind: "message", title: "", body: fallback)
        }
        let sender = message.shared?.name ?? message.senderName
        let isGroup = !message.groupName.isEmpty
        var said = fallback
        if content == .fullText { said = text(of: message) }
        return NoticeText(
            kind: message.shared != nil ? "event" : isDirected ? "mention" : "message",
            title: isGroup ? message.groupName : sender,
            body: isGroup && !sender.isEmpty ? "\(sender): \(said)" : said,
            conversation: message.conversationID, seq: message.key.seq.rawValue,
            sender: message.senderID.isEmpty ? nil : message.senderID,
            entity: message.shared.map { Hex.text($0.id) }, link: "/#/\(message.conversationID)")
    }

    private static func text(of message: MessageFacts) -> String {
        if let shared = message.shared {
            return shared.title.isEmpty ? "Invites you to an event" : "Invites you to “\(shared.title)”"
        }
        if !message.text.isEmpty { return String(message.text.prefix(textMax)) }
        return switch message.kind {
        case .image: "Photo"
        case .video: "Video"
        case .voice: "Voice message"
        case .file: "File"
        default: fallback
        }
    }

    /// Of a message request or an invitation.
    static func of(_ asked: AskedPerson, saying content: PushContent) -> NoticeText {
        let general = asked.isGroup ? "Invitation into a group" : "New message request"
        guard content != .noContent else { return NoticeText(kind: "request", title: "", body: general) }
        return NoticeText(
            kind: asked.isGroup ? "invitation" : "request",
            title: asked.isGroup ? asked.groupName : asked.askerName,
            body: asked.isGroup ? "\(asked.askerName) invites you" : "Wants to write to you",
            conversation: asked.conversationID, link: "/#/\(asked.conversationID)")
    }

    /// Of a reaction.
    static func of(reaction emoji: String, by name: String, to message: MessageFacts, saying content: PushContent)
        -> NoticeText
    {
        guard content != .noContent else { return NoticeText(kind: "reaction", title: "", body: "New reaction") }
        let said = content == .fullText ? "\(emoji) \(text(of: message))" : "Reacted to your message"
        return NoticeText(
            kind: "reaction", title: message.groupName.isEmpty ? name : message.groupName,
            body: message.groupName.isEmpty ? said : "\(name): \(said)", conversation: message.conversationID,
            seq: message.key.seq.rawValue, link: "/#/\(message.conversationID)")
    }

    /// Of a reminder or an event.
    static func of(_ entity: EntityFacts, _ kind: NoticeKind, saying content: PushContent) -> NoticeText {
        let (word, general) = kind == .reminder ? ("reminder", "Reminder") : ("event", "Event")
        let said: String
        switch kind {
        case .eventDate: said = "Begins soon"
        case .reminder: said = ""
        default:
            said = entity.isCancelled ? "Called off" : entity.isAskedToHost ? "You are asked to host it" : "Changed"
        }
        guard content == .fullText else {
            return NoticeText(
                kind: word, title: general, body: said.isEmpty ? "It is time" : said, entity: Hex.text(entity.id))
        }
        return NoticeText(
            kind: word, title: said.isEmpty ? general : entity.title, body: said.isEmpty ? entity.title : said,
            entity: Hex.text(entity.id))
    }
}
