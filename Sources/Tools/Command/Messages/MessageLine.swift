import ParleyClient

/// A message as JSON, for programs.
struct MessageJSON: Encodable {
    var type = "message"
    var conversation: String
    var title: String
    var seq: Int64
    var id: String
    var sender: String
    var senderUsername: String
    var text: String
    var sentAt: String
    var sentAtUs: Int64
    /// Set only for system messages.
    var note: NoteJSON?
    // Each is left out if it has no value.
    var editedAt: String?
    var deletedAt: String?
    var expiresAt: String?
    var replyToSeq: Int64?
    var threadSeq: Int64?
    var threadReplies: Int64?
    var mentions: [String]?
    var forwardedFrom: String?
    var reactions: [ReactionJSON]?
    var media: MediaJSON?
    var starred: Bool?
    var hidden: Bool?
    var myReactions: [String]?

    struct NoteJSON: Encodable {
        var kind: String
        var actor: String
        var users: [String]
        var seconds: Int64?
        /// The id and the text of the decision that the message shows.
        var decision: String?
        var text: String?
    }

    struct ReactionJSON: Encodable {
        var emoji: String
        var count: Int64

        init(_ count: Parley_V1_ReactionCount) { (emoji, self.count) = (count.emoji, count.count) }
    }

    struct MediaJSON: Encodable {
        var kind: String
        var name: String
        var mimeType: String
        var sizeBytes: Int64
        var url: String?
    }

    init(_ message: Parley_V1_Message, title: String, sender: String, decision: String? = nil) {
        (conversation, self.title, seq) = (message.conversation, title, message.seq)
        id = UUIDv7(bytes: message.id)?.description ?? ""
        (self.sender, senderUsername, text) = (message.sender, sender, message.text)
        (sentAt, sentAtUs) = (Times.iso(message.sentAtUs), message.sentAtUs)
        addMore(of: message)
        guard message.hasSystem else { return }
        let seconds = message.system.kind == .retentionChanged ? message.system.seconds : nil
        note = NoteJSON(
            kind: "\(message.system.kind)", actor: message.system.actor, users: message.system.users, seconds: seconds,
            decision: message.system.entity.isEmpty ? nil : message.system.entity.hexDigits, text: decision)
    }

    private mutating func addMore(of message: Parley_V1_Message) {
        let time = { (microseconds: Int64) in microseconds == 0 ? nil : Times.iso(microseconds) }
        (editedAt, deletedAt) = (time(message.editedAtUs), time(message.deletedAtUs))
        expiresAt = time(message.expiresAtUs)
        if message.replyToSeq != 0 { replyToSeq = message.replyToSeq }
        if message.threadSeq != 0 { threadSeq = message.threadSeq }
        if message.hasThread { threadReplies = message.thread.replies }
        if !message.mentions.isEmpty { mentions = message.mentions }
        if !message.forwardedFrom.isEmpty { forwardedFrom = message.forwardedFrom }
        if !message.reactions.isEmpty { reactions = message.reactions.map(ReactionJSON.init) }
        if message.hasMedia {
            media = MediaJSON(
                kind: "\(message.kind)", name: message.media.name, mimeType: message.media.mimeType,
                sizeBytes: message.media.sizeBytes, url: message.media.url.isEmpty ? nil : message.media.url)
        }
        if message.own.starred { starred = true }
        if message.own.hidden { hidden = true }
        if !message.own.reactions.isEmpty { myReactions = message.own.reactions }
    }
}

/// A message as a line for people: time, conversation, sender, content.
enum MessageLine {
    /// - Parameters:
    ///   - title: the conversation's title; nil if all lines belong to one conversation.
    ///   - author: the original author of a forwarded message.
    ///   - isNumbered: whether the line begins with the message's number.
    static func text(
        _ message: Parley_V1_Message, title: String?, sender: String, author: String? = nil, isNumbered: Bool = false,
        style: Style, now: Int64 = Times.now()
    ) -> String {
        var parts = isNumbered ? [style.dim("#\(message.seq)")] : []
        parts.append(style.dim(Times.short(message.sentAtUs, now: now)))
        if let title, title != sender { parts.append(style.dim("[\(PlainText.shown(title))]")) }
        parts.append(style.person(sender, shown: sender.isEmpty ? "*" : "\(sender):"))
        if message.isGone(at: now) {
            parts.append(style.dim(message.own.hidden ? "(deleted for you)" : "(deleted)"))
            return parts.joined(separator: " ")
        }
        if message.replyToSeq != 0 { parts.append(style.dim("↩ #\(message.replyToSeq)")) }
        if let author { parts.append(style.dim("(forwarded from \(PlainText.shown(author)))")) }
        if message.hasMedia { parts.append(style.cyan(file(message))) }
        if !message.text.isEmpty { parts.append(PlainText.shown(message.text)) }
        return (parts + marks(of: message, style)).joined(separator: " ")
    }

    /// "[image holiday.jpg, 1.2 MB]"
    private static func file(_ message: Parley_V1_Message) -> String {
        let name = PlainText.shown(message.media.name.isEmpty ? message.media.url : message.media.name)
        let size = message.media.sizeBytes
        return "[\(message.kind) \(name)\(size > 0 ? ", \(bytes(size))" : "")]"
    }

    /// "512 bytes", "1.2 MB"
    static func bytes(_ count: Int64) -> String {
        let tenths = { (unit: Int64) in "\(count / unit).\(count % unit * 10 / unit)" }
        return switch count {
        case ..<1000: "\(count) bytes"
        case ..<1_000_000: "\(tenths(1000)) kB"
        case ..<1_000_000_000: "\(tenths(1_000_000)) MB"
        default: "\(tenths(1_000_000_000)) GB"
        }
    }

    /// Returns the marks after a message's text: edited, replies in its thread, reactions, star.
    private static func marks(of message: Parley_V1_Message, _ style: Style) -> [String] {
        var marks: [String] = []
        if message.editedAtUs != 0 { marks.append(style.dim("(edited)")) }
        if message.hasThread, message.threadSeq == 0, message.thread.replies > 0 {
            marks.append(style.dim(message.thread.replies == 1 ? "(1 reply)" : "(\(message.thread.replies) replies)"))
        }
        marks += message.reactions.map { reaction in
            let text = "\(PlainText.shown(reaction.emoji)) \(reaction.count)"
            return message.own.reactions.contains(reaction.emoji) ? style.bold(text) : text
        }
        if message.own.starred { marks.append(style.yellow("★")) }
        return marks
    }

    /// Returns a system message in words: "alice added dana, erin".
    /// - Parameter decision: the text of the decision that it shows; nil: it is not known.
    static func words(_ note: Parley_V1_SystemNote, names: [String: String], decision: String? = nil) -> String {
        let name = { (user: String) in PlainText.shown(names[user] ?? user) }
        let users = note.users.map(name).joined(separator: ", ")
        return switch note.kind {
        case .membersJoined: "\(name(note.actor)) added \(users)"
        case .memberLeft: "\(users) left"
        case .memberRemoved: "\(name(note.actor)) removed \(users)"
        case .groupRenamed: "\(name(note.actor)) named the group \(PlainText.shown(note.name))"
        case .groupPhotoChanged: "\(name(note.actor)) changed the group's photo"
        case .ownerChanged: "\(name(note.actor)) transferred the group to \(users)"
        case .adminAdded: "\(name(note.actor)) made \(users) an admin"
        case .adminRemoved: "\(name(note.actor)) made \(users) a member again"
        case .retentionChanged:
            note.seconds == 0
                ? "\(name(note.actor)) turned off disappearing messages"
                : "\(name(note.actor)) set new messages to disappear after \(Times.duration(note.seconds))"
        case .decisionShared:
            "\(name(note.actor)) shared \(note.supersedes.isEmpty ? "a decision" : "a decision that replaces an earlier one")"
                + (decision.map { ": \(PlainText.shown($0))" } ?? "")
        case .eventShared: "\(name(note.actor)) invited everyone here to an event"
        case .unspecified, .UNRECOGNIZED: "something that this version does not know"
        }
    }

    /// Returns a system message as a line for people: time, conversation, "— alice added dana —".
    static func text(
        _ message: Parley_V1_Message, title: String?, names: [String: String], decision: String? = nil,
        isNumbered: Bool = false, style: Style, now: Int64 = Times.now()
    ) -> String {
        var parts = isNumbered ? ["#\(message.seq)"] : []
        parts.append(Times.short(message.sentAtUs, now: now))
        if let title { parts.append("[\(PlainText.shown(title))]") }
        let words = words(message.system, names: names, decision: decision)
        return style.dim((parts + ["— \(words) —"]).joined(separator: " "))
    }

    /// Prints a message as text or JSON.
    static func print(
        _ message: Parley_V1_Message, for me: Person, showsTitle: Bool, isNumbered: Bool = false, style: Style
    ) async {
        let sender = await me.names.sender(of: message)
        let title = await me.names.title(message.conversation)
        let decision = await me.decision(of: message)
        if me.isJSON {
            Output.json(MessageJSON(message, title: title, sender: sender, decision: decision))
        } else if message.hasSystem {
            let names = await me.names.usernames(of: message)
            Output.line(
                text(
                    message, title: showsTitle ? title : nil, names: names, decision: decision, isNumbered: isNumbered,
                    style: style))
        } else {
            let from = message.forwardedFrom
            let author = from.isEmpty ? nil : await me.names.usernames(of: [from])[from]
            Output.line(
                text(
                    message, title: showsTitle ? title : nil, sender: sender, author: author, isNumbered: isNumbered,
                    style: style))
        }
    }
}
