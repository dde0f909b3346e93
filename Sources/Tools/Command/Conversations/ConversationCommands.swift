import ArgumentParser
import ParleyClient

struct ConversationJSON: Encodable {
    struct MemberJSON: Encodable {
        var id: String
        var username: String
        var role: String
    }

    var id: String
    var kind: String
    var title: String
    var status: String
    /// All members if the command requested them; otherwise only the first ones of a large group.
    var members: [MemberJSON]
    var memberCount: Int
    /// Set only for a group.
    var photoURL: String?
    var createdAt: String
    var lastSeq: Int64?
    var lastText: String?
    var created: Bool?
    /// Set only for a conversation that I have left.
    var leftAt: String?
    /// User ids of those who were to be added and are invited instead.
    var invited: [String]?

    init(
        _ conversation: Parley_V1_Conversation, title: String, members: [Parley_V1_Member]? = nil,
        entry: Parley_V1_InboxEntry? = nil, created: Bool? = nil, invited: [String]? = nil
    ) {
        self.invited = invited
        (id, self.title) = (conversation.id, title)
        kind = conversation.kind == .direct ? "direct" : "group"
        status =
            switch conversation.conversationStatus {
            case .pending: "pending"
            case .accepted: "accepted"
            case .blocked: "blocked"
            default: ""
            }
        self.members = (members ?? conversation.members).map {
            MemberJSON(id: $0.user.id, username: $0.user.username, role: "\($0.role)")
        }
        memberCount = Int(conversation.memberCount)
        photoURL = conversation.photoURL.isEmpty ? nil : conversation.photoURL
        createdAt = Times.iso(conversation.createdAtUs)
        leftAt = conversation.leftAtUs == 0 ? nil : Times.iso(conversation.leftAtUs)
        (lastSeq, self.created) = (entry?.lastSeq, created)
        lastText = entry.flatMap { $0.hasLastMessage ? $0.lastMessage.text : nil }
    }
}

struct ConversationsCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "conversations",
        abstract: "List your conversations, latest first.",
        discussion: """
            Example:
              parley conversations
            """)

    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        // Requests and blocked people have their own lists (R8).
        let conversations = try await me.names.all().filter { $0.section != .requests && $0.section != .blockedPeople }
        var entries: [String: Parley_V1_InboxEntry] = [:]
        var page = Parley_V1_MessagingSyncReply()
        repeat {
            page = try await me.client.syncMessaging(epoch: page.epoch, cursor: page.cursor, limit: 200)
            for entry in page.entries { entries[entry.conversation] = entry }
        } while page.more
        let time = { (conversation: Parley_V1_Conversation) in
            max(conversation.createdAtUs, entries[conversation.id]?.lastMessage.sentAtUs ?? 0)
        }
        let style = Style()
        for conversation in conversations.sorted(by: { time($0) > time($1) }) {
            let title = await me.names.title(conversation.id)
            let entry = entries[conversation.id]
            if me.isJSON {
                Output.json(ConversationJSON(conversation, title: title, entry: entry))
                continue
            }
            var line =
                style.bold(PlainText.padded(PlainText.shown(title), 20)) + "  "
                + style.dim(Times.short(time(conversation)))
            if let entry, entry.hasLastMessage {
                line += "  " + (await me.preview(of: entry.lastMessage))
            }
            Output.line(line + "  " + style.dim(conversation.id))
        }
        if conversations.isEmpty, !me.isJSON {
            Output.note("No conversations yet. Start one: \(ParleyCommand.invocation) send USERNAME TEXT")
        }
    }
}

struct GroupCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "Create a group.",
        discussion: """
            People with whom you have an accepted conversation or a group become members. The others are invited, and \
            become members once they accept.

            Example:
              parley group "Weekend Trip" alice bob
              parley send "Weekend Trip" "Where to?"
            """)

    @Argument(help: "The group's name.") var name: String
    @Argument(help: ArgumentHelp("The other people's usernames.", valueName: "user")) var users: [String]
    @Option(help: ArgumentHelp("The https address of the group's photo.", valueName: "url")) var photo: String?
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        var ids: [String] = []
        for user in users { ids.append(try await me.user(named: user).id) }
        let reply = try await me.client.createGroup(name: name, users: ids, photoURL: photo ?? "")
        if me.isJSON {
            return Output.json(
                ConversationJSON(
                    reply.conversation, title: reply.conversation.name, created: reply.created,
                    invited: reply.invited))
        }
        let count = reply.conversation.memberCount
        Output.line(
            "Created the group \(PlainText.shown(reply.conversation.name)) "
                + "with \(count) \(count == 1 ? "member" : "members"), id \(reply.conversation.id)"
        )
        if !reply.invited.isEmpty {
            let waiting = reply.invited.count == 1 ? "1 person has" : "\(reply.invited.count) people have"
            Output.note("\(waiting) to accept your invitation first.")
        }
    }
}
