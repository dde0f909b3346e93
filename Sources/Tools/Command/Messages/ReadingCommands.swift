import ArgumentParser
import ParleyClient

struct ReadCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Mark a conversation as read.",
        discussion: """
            The other members see how far you have read.

            Examples:
              parley read alice
              parley read "Weekend Trip" --up-to 42
            """)

    @Argument(
        help: ArgumentHelp("A username, a group's name, or a conversation's id.", valueName: "person or conversation"))
    var conversation: String
    @Option(help: ArgumentHelp("Mark only up to this message. Default: the newest.", valueName: "seq")) var upTo: Int64?
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        if let upTo, upTo < 1 { throw ValidationError("--up-to must be at least 1.") }
    }

    func run(as me: Person) async throws {
        let id = try await me.conversation(named: conversation, starting: false)
        // The server limits the mark to the newest message.
        guard var state = try await me.client.markRead(id, upTo: upTo ?? .max) else {
            throw Failure(.notMember, "You have no conversation with \(conversation) yet.")
        }
        if state.markedUnread { state = try await me.client.updateInboxState(id, markedUnread: false) }
        await StateLine.print(state, for: me) { "Read up to message \(state.readSeq)." }
    }
}

struct UnreadCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "unread",
        abstract: "Mark a conversation as unread, for you alone.",
        discussion: """
            Example:
              parley unread alice
            """)

    @Argument(
        help: ArgumentHelp("A username, a group's name, or a conversation's id.", valueName: "person or conversation"))
    var conversation: String
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let id = try await me.conversation(named: conversation, starting: false)
        let state = try await me.client.updateInboxState(id, markedUnread: true)
        await StateLine.print(state, for: me) { "Marked as unread." }
    }
}

struct ReceiptsCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipts",
        abstract: "Show how far the other members have read.",
        discussion: """
            Example:
              parley receipts "Weekend Trip"
            """)

    @Argument(
        help: ArgumentHelp("A username, a group's name, or a conversation's id.", valueName: "person or conversation"))
    var conversation: String
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let id = try await me.conversation(named: conversation, starting: false)
        var page = Parley_V1_ListReceiptsReply()
        var count = 0
        repeat {
            page = try await me.client.receipts(of: id, cursor: page.cursor, limit: 200)
            let names = await me.names.usernames(of: page.receipts.map(\.user))
            for receipt in page.receipts { StateLine.print(receipt, names[receipt.user] ?? receipt.user, for: me) }
            count += page.receipts.count
        } while page.more
        if count == 0, !me.isJSON { Output.note("Nobody has read anything yet.") }
    }
}

struct ReadersCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "readers",
        abstract: "Show who has read a message, and when.",
        discussion: """
            Example:
              parley readers "Weekend Trip" 17
            """)

    @OptionGroup var message: MessageArguments
    @OptionGroup var connection: ConnectionOptions

    struct ReaderJSON: Encodable {
        var seq: Int64
        var user: String
        var username: String
        var delivered: Bool
        var readAt: String?
    }

    func run(as me: Person) async throws {
        let id = try await me.conversation(named: message.conversation, starting: false)
        var page = Parley_V1_ListReadersReply()
        repeat {
            page = try await me.client.readers(of: message.seq, in: id, cursor: page.cursor, limit: 200)
            let names = await me.names.usernames(of: page.readers.map(\.user))
            for reader in page.readers { show(reader, names[reader.user] ?? reader.user, as: me) }
        } while page.more
        if !me.isJSON { Output.note("Read by \(page.read), delivered to \(page.delivered).") }
    }

    private func show(_ reader: Parley_V1_Reader, _ name: String, as me: Person) {
        let isRead = reader.readAtUs != 0
        if me.isJSON {
            return Output.json(
                ReaderJSON(
                    seq: message.seq, user: reader.user, username: name, delivered: reader.delivered,
                    readAt: isRead ? Times.iso(reader.readAtUs) : nil))
        }
        let status =
            isRead ? "read \(Times.short(reader.readAtUs))" : reader.delivered ? "delivered" : "not delivered yet"
        Output.line("\(PlainText.padded(name, 20))  \(status)")
    }
}

struct InboxCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox",
        abstract: "List the conversations in your inbox, pinned ones first, then the latest.",
        discussion: """
            Examples:
              parley inbox
              parley inbox --archived
            """)

    @Flag(help: "List the archived conversations instead.") var archived = false
    @Option(help: ArgumentHelp("Show at most this many conversations.", valueName: "count")) var limit = 50
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit must be 1 to 100000.") }
    }

    func run(as me: Person) async throws {
        var page = Parley_V1_GetInboxReply()
        var left = limit
        repeat {
            page = try await me.client.inbox(
                archived: archived, cursor: page.cursor, limit: UInt32(min(left, 200)))
            for entry in page.entries.prefix(left) { await show(entry, as: me) }
            left -= page.entries.count
        } while page.more && left > 0
        guard left == limit, !me.isJSON else { return }
        Output.note(archived ? "Nothing is archived." : "Your inbox is empty.")
    }

    private func show(_ entry: Parley_V1_InboxEntry, as me: Person) async {
        let title = await me.names.title(entry.conversation)
        let preview = entry.hasLastMessage ? await me.preview(of: entry.lastMessage) : ""
        if me.isJSON {
            return Output.json(StateJSON(entry.state, title: title, lastSeq: entry.lastSeq, lastText: preview))
        }
        let style = Style()
        var line = style.bold(PlainText.padded(PlainText.shown(title), 20))
        line += "  " + style.dim(Times.short(entry.lastMessage.sentAtUs))
        let words = StateLine.words(entry.state, now: Times.now())
        if !words.isEmpty { line += "  " + style.yellow(words) }
        Output.line(line + "  " + preview)
    }
}

struct BadgeCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "badge",
        abstract: "Show how much is unread.",
        discussion: """
            Counts the inbox without muted and archived conversations.

            Example:
              parley badge
            """)

    @OptionGroup var connection: ConnectionOptions

    struct BadgeJSON: Encodable {
        var badge: Int64
        var conversations: Int64
        var mentions: Int64
    }

    func run(as me: Person) async throws {
        let badge = try await me.client.badge()
        if me.isJSON {
            return Output.json(
                BadgeJSON(badge: badge.badge, conversations: badge.conversations, mentions: badge.mentions))
        }
        let conversations = badge.conversations == 1 ? "1 conversation" : "\(badge.conversations) conversations"
        let mentions = badge.mentions == 1 ? "1 mentions you" : "\(badge.mentions) mention you"
        Output.line("\(badge.badge) unread in \(conversations), \(mentions).")
    }
}

struct UsageCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "usage",
        abstract: "Show how much of the server you use, and how much you may use.",
        discussion: """
            Deleting messages with files frees their bytes. Messages are counted anew each day (UTC).

            Example:
              parley usage
            """)

    @OptionGroup var connection: ConnectionOptions

    struct UsageJSON: Encodable {
        var fileBytes: Int64
        var fileBytesMax: Int64
        var messages: Int64
        var messagesMax: Int64
        var dayEndsAt: String
    }

    func run(as me: Person) async throws {
        let usage = try await me.client.usage()
        if me.isJSON {
            return Output.json(
                UsageJSON(
                    fileBytes: usage.fileBytes, fileBytesMax: usage.fileBytesMax, messages: usage.messages,
                    messagesMax: usage.messagesMax, dayEndsAt: Times.iso(usage.dayEndsUs)))
        }
        Output.line("Files: \(Self.size(usage.fileBytes)) of \(Self.size(usage.fileBytesMax))")
        Output.line("Messages today: \(usage.messages) of \(usage.messagesMax)")
    }

    private static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1024: "\(bytes) bytes"
        case ..<(1 << 20): "\(bytes >> 10) KiB"
        default: "\(bytes >> 20) MiB"
        }
    }
}
