import ArgumentParser
import Foundation
import ParleyClient

struct TailCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Show messages as they arrive.",
        discussion: """
            Shows messages of all your conversations, or of those you name, and edits, deletions and reactions. \
            Without names it also shows reminders that fire. It reconnects automatically and shows what it missed \
            meanwhile. Ctrl-C ends it.

            Examples:
              parley tail
              parley tail alice "Weekend Trip" --last 20
              parley tail --json | jq -r .text
            """)

    @Argument(
        help: ArgumentHelp(
            "Usernames, group names or conversation ids. Default: all.", valueName: "person or conversation"))
    var conversations: [String] = []
    @Option(help: ArgumentHelp("Begin with this many earlier messages.", valueName: "count")) var last = 10
    @Flag(help: "Show read and delivery receipts, too.") var receipts = false
    @Flag(help: "Show who begins typing, too. Default: on a terminal.") var typing = false
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard (0...200).contains(last) else { throw ValidationError("--last must be 0 to 200.") }
    }

    func run(as me: Person) async throws {
        var wanted: Set<String> = []
        for name in conversations { wanted.insert(try await me.conversation(named: name, starting: false)) }
        let style = Style()
        let feed = ConversationFeed(of: me.client, from: .now)
        await feed.start()
        await feed.quiet()
        // The feed begins at the newest messages. Earlier ones are read only now, so the two overlap without a gap.
        var printed = try await printEarlier(of: wanted, as: me, style)
        let fired = wanted.isEmpty ? await TailReminders.begin(for: me, style) : nil
        if !me.isJSON { Output.note(style.dim("Waiting for messages. Press Ctrl-C to end.")) }
        let reports = Task { await Self.reportConnection(of: me.client, Style(2)) }
        let reminders = Task { await fired?.show() }
        defer {
            reports.cancel()
            reminders.cancel()
        }
        var changes = TailChanges(
            showsReceipts: receipts, showsTyping: typing || !me.isJSON && isatty(STDOUT_FILENO) == 1,
            isTitled: wanted.count != 1, style: style)
        for await item in feed.items {
            if let source = changes.conversation(of: item), !wanted.isEmpty, !wanted.contains(source) { continue }
            switch item {
            case .message(let message):
                guard message.seq > printed[message.conversation] ?? 0 else { continue }
                printed[message.conversation] = message.seq
                await MessageLine.print(message, for: me, showsTitle: wanted.count != 1, style: style)
            case .conversation(let conversation): await me.names.learn(conversation)
            case .startedOver(let conversation): printed[conversation] = nil
            default: await changes.show(item, for: me)
            }
        }
        if let problem = await feed.problem, !problem.hasCode(.closed) { throw problem }
    }

    /// Prints the newest existing messages.
    /// - Returns: the newest printed seq of each conversation.
    private func printEarlier(of wanted: Set<String>, as me: Person, _ style: Style) async throws -> [String: Int64] {
        guard last > 0 else { return [:] }
        var entries: [Parley_V1_InboxEntry] = []
        var page = Parley_V1_MessagingSyncReply()
        repeat {
            page = try await me.client.syncMessaging(epoch: page.epoch, cursor: page.cursor, limit: 200)
            entries += page.entries
        } while page.more
        _ = try await me.names.all()
        // The newest `last` messages of all are among the newest of the `last` newest conversations.
        let newest = entries.filter { $0.hasLastMessage && (wanted.isEmpty || wanted.contains($0.conversation)) }
            .sorted { $0.lastMessage.sentAtUs > $1.lastMessage.sentAtUs }.prefix(last)
        var printed: [String: Int64] = [:]
        var messages: [Parley_V1_Message] = []
        for entry in newest {
            let reply = try await me.client.history(of: entry.conversation, limit: UInt32(last))
            messages += reply.messages
            printed[entry.conversation] = reply.messages.last?.seq
        }
        for message in messages.sorted(by: { ($0.sentAtUs, $0.seq) < ($1.sentAtUs, $1.seq) }).suffix(last) {
            await MessageLine.print(message, for: me, showsTitle: wanted.count != 1, style: style)
        }
        return printed
    }

    /// Reports on standard error when the connection is lost and when it is back.
    private static func reportConnection(of client: ParleyClient, _ style: Style) async {
        var isLost = false
        for await state in await client.states {
            switch state {
            case .connecting where !isLost:
                isLost = true
                Output.note(style.yellow("\(Times.short(Times.now())) Connection lost. Reconnecting …"))
            case .ready where isLost:
                isLost = false
                Output.note(style.green("\(Times.short(Times.now())) Connected again."))
            default: continue
            }
        }
    }
}
