import ArgumentParser
import Command
import Foundation
import NIOCore
import NIOPosix
import ParleyClient
import Postgres
import Reactor

struct BenchSyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Measure a sync after changes and opening the inbox as the account grows.",
        discussion: """
            For each size, a person gets that many conversations, created directly in the database. The person syncs \
            once, ten conversations get a message, and the person syncs again from the last position. Neither that nor \
            opening the first page of the inbox may take longer with more conversations. Each time is that of a \
            request and its reply through the gateway, one after the other.
            """)

    @Option(help: ArgumentHelp("The sizes of the account, separated by commas.", valueName: "conversations"))
    var conversations = "100,1000,10000"
    @Option(help: "The number of requests of each kind.") var times = 300
    @OptionGroup var bench: BenchOptions

    private static let changes = 10

    struct Row: Encodable, Sendable {
        var conversations: Int
        /// messaging.Sync after ten conversations got a message.
        var messagingMs: Milliseconds
        /// conversations.Sync when nothing changed.
        var conversationsMs: Milliseconds
        /// messaging.GetInbox, the first page of 50.
        var inboxMs: Milliseconds
        /// Both syncs from the start, all pages.
        var firstSyncMs: Double
    }

    private var sizes: [Int] { conversations.split(separator: ",").compactMap { Int($0) } }

    func validate() throws {
        guard sizes.count == conversations.split(separator: ",").count, !sizes.isEmpty,
            sizes.allSatisfy({ (Self.changes...1_000_000).contains($0) })
        else {
            throw ValidationError("--conversations must be \(Self.changes) to 1000000 each, not \(conversations).")
        }
        guard (1...1_000_000).contains(times) else {
            throw ValidationError("--times must be 1 to 1000000, not \(times).")
        }
    }

    func run() async throws {
        let rows = try await BenchCluster.with(bench) { cluster in
            var rows: [Row] = []
            for size in sizes { rows.append(try await measure(size, cluster)) }
            return rows
        }
        if bench.json { Output.json(rows) } else { show(rows) }
    }

    private func measure(_ size: Int, _ cluster: BenchCluster) async throws -> Row {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { group.shutdownGracefully { _ in } }
        let url = cluster.endpoints.url
        bench.progress("creating \(size) conversations")
        let people = try await BenchPeople.register(2, at: url, on: group)
        let ids = try await makeTalks(size, people, cluster)
        let person = ParleyClient(url: url, group: group)
        let other = ParleyClient(url: url, group: group)
        _ = try await person.connect(token: people[0].token)
        _ = try await other.connect(token: people[1].token)
        defer {
            Task {
                await person.close()
                await other.close()
            }
        }

        let began = ContinuousClock.now
        let position = try await SyncPosition(of: person, expecting: size)
        let firstSync = ContinuousClock.now - began
        for id in ids.shuffled().prefix(Self.changes) { _ = try await other.send("news", to: id) }
        bench.progress("syncing \(times) times with \(size) conversations")
        return Row(
            conversations: size,
            messagingMs: try await measureEach(times) { try await position.checkMessaging(person) },
            conversationsMs: try await measureEach(times) { try await position.checkConversations(person) },
            inboxMs: try await measureEach(times) { try await Self.checkInbox(person, of: size) },
            firstSyncMs: (firstSync / .microseconds(100)).rounded() / 10)
    }

    @ReactorActor
    private func makeTalks(_ size: Int, _ people: [BenchPerson], _ cluster: BenchCluster) async throws -> [String] {
        let connection = try await Connection.open(
            DatabaseConfiguration(
                url: cluster.endpoints.database, applicationName: "parley-bench", connections: 1,
                statementTimeout: .seconds(300)))
        defer { connection.close() }
        return try await BenchTalks.make(
            of: people[0], with: Array(repeating: people[1], count: size), in: connection)
    }

    private func measureEach(_ times: Int, _ once: () async throws -> Void) async throws -> Milliseconds {
        var durations: [Duration] = []
        for _ in 0..<times {
            try Task.checkCancellation()
            let began = ContinuousClock.now
            try await once()
            durations.append(ContinuousClock.now - began)
        }
        return Milliseconds(durations)
    }

    private static func checkInbox(_ person: ParleyClient, of size: Int) async throws {
        let reply = try await person.inbox()
        guard reply.entries.count == min(size, 50), reply.more == (size > 50),
            reply.entries.prefix(changes).allSatisfy({ $0.lastMessage.text == "news" })
        else {
            throw Failure(.failed, "The first page of \(size) conversations has \(reply.entries.count) entries.")
        }
    }

    /// The position of a person's last sync.
    private struct SyncPosition {
        private var epoch = ""
        private var cursor = ""
        private var conversationsEpoch = ""
        private var position: Int64 = 0

        /// Syncs from the start.
        init(of person: ParleyClient, expecting size: Int) async throws {
            var entries = 0
            while true {
                let page = try await person.syncMessaging(epoch: epoch, cursor: cursor, limit: 200)
                (epoch, cursor) = (page.epoch, page.cursor)
                entries += page.entries.count
                guard page.more else { break }
            }
            var conversations = 0
            while true {
                let page = try await person.syncConversations(
                    epoch: conversationsEpoch, since: position, limit: 200)
                (conversationsEpoch, position) = (page.epoch, page.position)
                conversations += page.conversations.count
                guard page.more else { break }
            }
            guard entries == size, conversations == size else {
                throw Failure(
                    .failed,
                    "\(size) conversations were created, but the syncs returned \(entries) and \(conversations).")
            }
        }

        func checkMessaging(_ person: ParleyClient) async throws {
            let reply = try await person.syncMessaging(epoch: epoch, cursor: cursor, limit: 200)
            guard reply.entries.count == BenchSyncCommand.changes, !reply.more, !reply.startOver else {
                throw Failure(
                    .failed,
                    "\(BenchSyncCommand.changes) conversations changed, but the sync returned \(reply.entries.count).")
            }
        }

        func checkConversations(_ person: ParleyClient) async throws {
            let reply = try await person.syncConversations(epoch: conversationsEpoch, since: position, limit: 200)
            guard reply.conversations.isEmpty, !reply.startOver else {
                throw Failure(.failed, "Nothing changed, but the sync returned \(reply.conversations.count).")
            }
        }
    }

    private func show(_ rows: [Row]) {
        Output.line(Style().bold("Sync after \(Self.changes) changes, and the inbox, ms"))
        for row in rows {
            printTable([
                ("\(row.conversations) conversations", ""),
                (
                    "  messaging.Sync, \(Self.changes) entries",
                    "p50 \(rounded(row.messagingMs.p50))   p99 \(rounded(row.messagingMs.p99))"
                ),
                (
                    "  conversations.Sync, nothing new",
                    "p50 \(rounded(row.conversationsMs.p50))   p99 \(rounded(row.conversationsMs.p99))"
                ),
                (
                    "  messaging.GetInbox, first page",
                    "p50 \(rounded(row.inboxMs.p50))   p99 \(rounded(row.inboxMs.p99))"
                ),
                ("  both syncs from the start, all pages", rounded(row.firstSyncMs)),
            ])
        }
    }
}
