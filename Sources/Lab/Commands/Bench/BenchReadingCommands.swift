import ArgumentParser
import Command
import ParleyClient

struct BenchHistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Measure pages of a conversation's history as it grows.",
        discussion:
            "Reads pages of 50 through the gateway, one after the other. Half of all messages are in one conversation.")

    @Option(help: ArgumentHelp("The sizes of the account, separated by commas.", valueName: "messages"))
    var messages = MessageCounts([10_000, 1_000_000])
    @Option(help: "The number of requests of each kind.") var times = 300
    @OptionGroup var bench: BenchOptions

    private static let names = ["newest page", "page before any", "page around any"]

    func run() async throws {
        let rows = try await BenchMessages.measure(messages, bench) { [times] account in
            func page(_ from: @escaping @Sendable (Int64) -> ParleyClient.HistoryPage) async throws -> Milliseconds {
                try await account.measureEach(times) { _ in
                    let seq = Int64.random(in: min(200, account.lastSeq)...account.lastSeq)
                    let reply = try await account.client.history(of: account.largest, from(seq))
                    guard reply.messages.count == 50 else {
                        throw Failure(.failed, "A page at \(seq) has \(reply.messages.count) messages.")
                    }
                }
            }
            return BenchMessagesRow(
                messages: account.count, conversations: account.conversations,
                ms: [
                    Self.names[0]: try await page { _ in .newest }, Self.names[1]: try await page { .before($0) },
                    Self.names[2]: try await page { .around($0 - 50) },
                ])
        }
        if bench.json { Output.json(rows) } else { BenchMessagesRow.show("History", rows, Self.names) }
    }
}

struct BenchInboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox", abstract: "Measure pages of the inbox and the badge as the account grows.",
        discussion: """
            Reads pages of 50 through the gateway, one after the other. The first measurement has nothing read yet, \
            which costs the most. The second has 100 unread messages in as many conversations.
            """)

    @Option(help: ArgumentHelp("The sizes of the account, separated by commas.", valueName: "messages"))
    var messages = MessageCounts([10_000, 1_000_000])
    @Option(help: "The number of requests of each kind.") var times = 100
    @OptionGroup var bench: BenchOptions

    private static let requests = ["first page", "second page", "badge"]
    private static let states = ["nothing read", "100 unread"]
    private static let names = states.flatMap { state in requests.map { "\($0), \(state)" } }

    func run() async throws {
        let rows = try await BenchMessages.measure(messages, bench) { [times] account in
            var row = BenchMessagesRow(messages: account.count, conversations: account.conversations, ms: [:])
            for (state, unread) in zip(Self.states, [nil, 100]) {
                if let unread { try await Self.read(account, leaving: unread) }
                for (name, time) in zip(Self.requests, try await Self.measure(account, times)) {
                    row.ms["\(name), \(state)"] = time
                }
            }
            return row
        }
        if bench.json { Output.json(rows) } else { BenchMessagesRow.show("Inbox", rows, Self.names) }
    }

    private static func measure(_ account: BenchMessages, _ times: Int) async throws -> [Milliseconds] {
        let first = try await account.client.inbox()
        func page(_ cursor: String) async throws -> Milliseconds {
            try await account.measureEach(times) { _ in
                let reply = try await account.client.inbox(cursor: cursor)
                guard !reply.entries.isEmpty else { throw Failure(.failed, "The inbox is empty.") }
            }
        }
        return [
            try await page(""), try await page(first.cursor),
            try await account.measureEach(times) { _ in _ = try await account.client.badge() },
        ]
    }

    /// Marks everything as read except the last message of `unread` conversations.
    private static func read(_ account: BenchMessages, leaving unread: Int) async throws {
        var (cursor, left) = ("", unread)
        repeat {
            let page = try await account.client.inbox(cursor: cursor)
            let marks = page.entries.map { entry in
                left -= 1
                return Parley_V1_Watermark.with {
                    ($0.conversation, $0.readSeq) = (entry.conversation, entry.lastSeq - (left >= 0 ? 1 : 0))
                }
            }
            _ = try await account.client.mark(marks)
            cursor = page.cursor
        } while !cursor.isEmpty
    }
}

struct BenchSearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Measure searches of a person's messages as they grow.",
        discussion: "Reads first pages of 50 through the gateway, one after the other. Each message has eight words.")

    @Option(help: ArgumentHelp("The sizes of the account, separated by commas.", valueName: "messages"))
    var messages = MessageCounts([10_000, 1_000_000])
    @Option(help: "The number of requests of each kind.") var times = 100
    @OptionGroup var bench: BenchOptions

    private static let searches: [(name: String, isLargest: Bool, text: @Sendable (Int) -> String)] = [
        ("a frequent word", false, { _ in "word0" }),
        ("a rare word", false, { "word\(40_000 + $0 * 7 % 9_999)" }),
        ("two frequent words", false, { "word0 word\(1 + $0 % 5)" }),
        ("the beginning of words", false, { _ in "word1" }),
        ("no such word", false, { "nothing\($0)" }),
        ("a frequent word, in one conversation", true, { _ in "word0" }),
        ("a rare word, in one conversation", true, { "word\(40_000 + $0 * 7 % 9_999)" }),
    ]

    func run() async throws {
        let rows = try await BenchMessages.measure(messages, bench) { [times] account in
            var row = BenchMessagesRow(messages: account.count, conversations: account.conversations, ms: [:])
            for (name, isLargest, text) in Self.searches {
                row.ms[name] = try await account.measureEach(times) { time in
                    var request = Parley_V1_SearchMessagesRequest()
                    request.text = text(time)
                    if isLargest { request.conversation = account.largest }
                    _ = try await account.client.search(request)
                }
            }
            return row
        }
        if bench.json { Output.json(rows) } else { BenchMessagesRow.show("Search", rows, Self.searches.map(\.name)) }
    }
}
