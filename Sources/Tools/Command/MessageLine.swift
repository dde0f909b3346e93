import ParleyClient

/// A message as programs read it.
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
    /// With system messages.
    var note: NoteJSON?

    struct NoteJSON: Encodable {
        var kind: String
        var actor: String
        var users: [String]
    }

    init(_ message: Parley_V1_Message, title: String, sender: String) {
        (conversation, self.title, seq) = (message.conversation, title, message.seq)
        id = UUIDv7(bytes: message.id)?.description ?? ""
        (self.sender, senderUsername, text) = (message.sender, sender, message.text)
        (sentAt, sentAtUs) = (Times.iso(message.sentAtUs), message.sentAtUs)
        guard message.hasSystem else { return }
        note = NoteJSON(kind: "\(message.system.kind)", actor: message.system.actor, users: message.system.users)
    }
}

/// A message as people read it: time, where, who, what.
enum MessageLine {
    /// - Parameter title: nil when all lines are of one conversation.
    static func text(
        _ message: Parley_V1_Message, title: String?, sender: String, style: Style, now: Int64 = Times.now()
    ) -> String {
        var parts = [style.dim(Times.short(message.sentAtUs, now: now))]
        if let title, title != sender { parts.append(style.dim("[\(PlainText.shown(title))]")) }
        parts.append(style.person(sender, shown: sender.isEmpty ? "*" : "\(sender):"))
        parts.append(PlainText.shown(message.text))
        return parts.joined(separator: " ")
    }

    /// A system message in words: "alice added dana, erin".
    static func words(_ note: Parley_V1_SystemNote, names: [String: String]) -> String {
        let name = { (user: String) in PlainText.shown(names[user] ?? user) }
        let users = note.users.map(name).joined(separator: ", ")
        return switch note.kind {
        case .membersJoined: "\(name(note.actor)) added \(users)"
        case .memberLeft: "\(users) left"
        case .memberRemoved: "\(name(note.actor)) removed \(users)"
        case .groupRenamed: "\(name(note.actor)) named the group \(PlainText.shown(note.name))"
        case .groupPhotoChanged: "\(name(note.actor)) changed the group's photo"
        case .ownerChanged: "\(name(note.actor)) handed the group over to \(users)"
        case .adminAdded: "\(name(note.actor)) made \(users) an admin"
        case .adminRemoved: "\(name(note.actor)) made \(users) a member again"
        case .unspecified, .UNRECOGNIZED: "something happened that this version does not know"
        }
    }

    /// A system message as people read it: time, where, "— alice added dana —".
    static func text(
        _ message: Parley_V1_Message, title: String?, names: [String: String], style: Style, now: Int64 = Times.now()
    ) -> String {
        var parts = [Times.short(message.sentAtUs, now: now)]
        if let title { parts.append("[\(PlainText.shown(title))]") }
        return style.dim((parts + ["— \(words(message.system, names: names)) —"]).joined(separator: " "))
    }

    /// Prints it the way the command was asked to.
    static func print(_ message: Parley_V1_Message, for me: Person, showsTitle: Bool, style: Style) async {
        let sender = await me.names.sender(of: message)
        let title = await me.names.title(message.conversation)
        if me.isJSON {
            Output.json(MessageJSON(message, title: title, sender: sender))
        } else if message.hasSystem {
            let names = await me.names.usernames(of: message)
            Output.line(text(message, title: showsTitle ? title : nil, names: names, style: style))
        } else {
            Output.line(text(message, title: showsTitle ? title : nil, sender: sender, style: style))
        }
    }
}
