import ArgumentParser
import Command
import NIOCore
import NIOPosix
import ParleyClient
import Postgres
import Reactor

struct BenchReceiptsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipts",
        abstract: "Measure how fast people can mark messages as read.",
        discussion: """
            Clients form pairs with a direct conversation each. Each client marks one seq after the other as read, \
            with a window of outstanding marks. Each mark is a durable commit, and the other client of the pair \
            receives it. The conversations have seqs without messages, so counting unread messages finds nothing.
            """)

    @Option(help: "The number of clients; must be even.") var clients = 64
    @Option(help: "The number of outstanding marks of each client.") var window = 1
    @Option(help: "Seconds to measure.") var seconds = 10
    @OptionGroup var bench: BenchOptions

    func validate() throws {
        guard clients >= 2, clients % 2 == 0, clients <= 10_000 else {
            throw ValidationError("--clients must be an even number from 2 to 10000, not \(clients).")
        }
        guard (1...1000).contains(window) else { throw ValidationError("--window must be 1 to 1000, not \(window).") }
        guard (1...3600).contains(seconds) else {
            throw ValidationError("--seconds must be 1 to 3600, not \(seconds).")
        }
    }

    func run() async throws {
        let figures = try await BenchCluster.with(bench, connections: clients) { try await measure($0) }
        if bench.json { return Output.json(figures) }
        Output.line(Style().bold("Reading: \(clients) clients, \(window) marks outstanding each"))
        figures.show(done: "marks /s", delivered: "receipts delivered /s")
    }

    private func measure(_ cluster: BenchCluster) async throws -> LoadFigures {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { group.shutdownGracefully { _ in } }
        let url = cluster.endpoints.url
        bench.progress("registering \(clients) people")
        let people = try await BenchPeople.register(clients, at: url, on: group)
        let conversations = try await BenchPeople.startDirects(people, at: url, on: group)
        for (pair, ids) in conversations.enumerated() {
            let writer = ParleyClient(url: url, group: group)
            _ = try await writer.connect(token: people[2 * pair].token)
            _ = try await writer.send("first", to: ids[0])
            await writer.close()
        }
        try await makeRoom(in: conversations.flatMap(\.self), cluster)
        let load = ReadingLoad(eventLoop: group.next()) { client, nth, _ in
            let mark = Parley_V1_Watermark.with {
                ($0.conversation, $0.readSeq) = (conversations[client / 2][0], Int64(nth + 1))
            }
            return .mark(.with { $0.marks = [mark] }, user: people[client].user)
        }
        try await load.connect(people, to: try LinkAddress(url))
        bench.progress("marking for \(seconds) s")
        try await load.begin(requesters: clients, window: window)
        let figures = try await LoadFigures.measure(load, seconds: seconds, on: cluster)
        // Receipts that wait for the same client are merged, so only a window of 1 delivers each of them.
        try await load.drain(deliveriesEach: window == 1 ? 1 : nil)
        return figures
    }

    @ReactorActor
    private func makeRoom(in conversations: [String], _ cluster: BenchCluster) async throws {
        let connection = try await Connection.open(
            DatabaseConfiguration(url: cluster.endpoints.database, applicationName: "parley-bench", connections: 1))
        defer { connection.close() }
        let numbers = try await connection.query(BenchTalks.conversationNumbers, .texts(conversations))
        try await connection.execute(
            Statement("SELECT messaging.skip_seqs($1, $2)"), .int64s(numbers), .int64(1_000_000_000))
    }
}
