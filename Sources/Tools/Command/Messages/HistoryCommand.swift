import ArgumentParser
import ParleyClient

struct HistoryCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show earlier messages of a conversation.",
        discussion: """
            Lists messages oldest first. Each message has a number within its conversation. Use --before to see older \
            ones.

            Example:
              parley history alice --limit 100
              parley history "Weekend Trip" --before 42
              parley history alice --numbers
            """)

    @Argument(
        help: ArgumentHelp("A username, a group's name, or a conversation's id.", valueName: "person or conversation"))
    var conversation: String
    @Option(help: ArgumentHelp("Show at most this many messages.", valueName: "count")) var limit = 50
    @Option(help: ArgumentHelp("Show only messages before this number.", valueName: "seq")) var before: Int64?
    @Flag(help: "Begin each line with the message's number.") var numbers = false
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit must be 1 to 100000.") }
        if let before, before < 1 { throw ValidationError("--before must be at least 1.") }
    }

    func run(as me: Person) async throws {
        let id = try await me.conversation(named: conversation, starting: false)
        var pages: [[Parley_V1_Message]] = []
        var left = limit
        var page = before.map { ParleyClient.HistoryPage.before($0) } ?? .newest
        var isMore = true
        while left > 0, isMore {
            let reply = try await read(page, of: id, limit: min(left, 200), as: me)
            pages.append(reply.messages)
            left -= reply.messages.count
            guard let first = reply.messages.first, reply.moreBefore else {
                isMore = false
                break
            }
            page = .before(first.seq)
        }
        let messages = pages.reversed().flatMap(\.self)
        let style = Style()
        for message in messages {
            await MessageLine.print(message, for: me, showsTitle: false, isNumbered: numbers, style: style)
        }
        guard !me.isJSON else { return }
        if messages.isEmpty { Output.note("No messages.") }
        if isMore, let first = messages.first { Output.note(style.dim("For earlier messages: --before \(first.seq)")) }
    }

    private func read(
        _ page: ParleyClient.HistoryPage, of id: String, limit: Int, as me: Person
    ) async throws -> Parley_V1_GetHistoryReply {
        do throws(ParleyError) {
            return try await me.client.history(of: id, page, limit: UInt32(limit))
        } catch {
            guard error.hasCode(.notMember, .notFound) else { throw error }
            throw Failure(.notMember, "You have no conversation with \(conversation) yet.")
        }
    }
}
