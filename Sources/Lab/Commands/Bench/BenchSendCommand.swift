import ArgumentParser
import Command
import Foundation
import NIOCore
import NIOPosix
import ParleyClient
import Postgres
import Reactor

struct BenchSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Measure acknowledged sends, their latency, and what limits them.",
        discussion: """
            Clients are WebSocket sessions through the gateway, in pairs that write to each other. First, each keeps a \
            window of messages outstanding. An acknowledgement is a durable commit, and every message must arrive \
            exactly once at the other client. Then the clients send 1,000 messages per second on a schedule, and \
            latency counts from when a message was due. Last, PostgreSQL runs alone, over one connection: bare rows in \
            statements of 256, and Parley's own statement.

            With --spread, the pairs' conversations are created directly in the database of the temporary cluster. \
            With --url, only the clients' side is measured, under that server's limits.

            Examples:
              parley-lab bench send --json
              parley-lab bench send --window 1
              parley-lab bench send --spread 100000
            """)

    @Option(help: "The number of clients; must be even.") var clients = 64
    @Option(help: "The number of outstanding messages of each client.") var window = 8
    @Option(help: "Seconds of each measurement.") var seconds = 10
    @Option(help: ArgumentHelp("Send each message to another of this many conversations.", valueName: "conversations"))
    var spread: Int?
    @Option(help: "The size of a message's text in bytes.") var bodyBytes = 100
    @Option(help: ArgumentHelp("Measure this server instead of a temporary cluster.", valueName: "wss://…"))
    var url: String?
    @OptionGroup var trust: TrustOptions
    @OptionGroup var bench: BenchOptions

    /// Messages per second while latency is measured.
    private static let latencyRate = 1000

    struct Result: Encodable, Sendable {
        var ackedPerS: Double = 0
        var deliveredPerS: Double = 0
        var limitPerS: Double?
        var ratio: Double?
        var limitSameStatementPerS: Double?
        var p50Ms: Double = 0
        var p99Ms: Double = 0
        var p999Ms: Double = 0
        var serverCpuMsPerMessage: Double?
        var postgresCpuMsPerMessage: Double?
        var loadgenCpuMsPerMessage: Double = 0
        /// The services' part of `serverCpuMsPerMessage`, by process.
        var cpuMsPerMessage: [String: Double]?
        var clients: Int
        var window: Int
        var seconds: Int
        var spread: Int?
    }

    func validate() throws {
        guard clients >= 2, clients % 2 == 0, clients <= 10_000 else {
            throw ValidationError("--clients must be an even number from 2 to 10000, not \(clients).")
        }
        guard (1...1000).contains(window) else { throw ValidationError("--window must be 1 to 1000, not \(window).") }
        guard (1...3600).contains(seconds) else {
            throw ValidationError("--seconds must be 1 to 3600, not \(seconds).")
        }
        guard (1...16_384).contains(bodyBytes) else {
            throw ValidationError("--body-bytes must be 1 to 16384, not \(bodyBytes).")
        }
        guard let spread else { return }
        guard url == nil else { throw ValidationError("--spread cannot be combined with --url.") }
        guard (clients / 2...10_000_000).contains(spread) else {
            throw ValidationError("--spread must be \(clients / 2) to 10000000, not \(spread).")
        }
    }

    func run() async throws {
        let result: Result
        if let url {
            result = try await measure(url, nil)
        } else {
            result = try await BenchCluster.with(bench, connections: clients) { cluster in
                try await measure(cluster.endpoints.url, cluster)
            }
        }
        if bench.json { Output.json(result) } else { show(result) }
    }

    private func measure(_ url: String, _ cluster: BenchCluster?) async throws -> Result {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { group.shutdownGracefully { _ in } }
        bench.progress("registering \(clients) people")
        let people = try await BenchPeople.register(clients, at: url, trust.link, on: group)
        let connection = try await open(cluster)
        let conversations = try await makeConversations(people, url, group, connection)
        let load = SendLoad(eventLoop: group.next())
        try await load.connect(people, to: try LinkAddress(url), trust.link, conversations, bodyBytes: bodyBytes)

        var result = Result(clients: clients, window: window, seconds: seconds, spread: spread)
        try await measureThroughput(of: load, cluster, into: &result)
        bench.progress("measuring latency at \(Self.latencyRate) messages per second for \(seconds) s")
        let latencies = try await load.measureLatency(count: Self.latencyRate * seconds, perSecond: Self.latencyRate)
            .sorted()
        result.p50Ms = Self.milliseconds(latencies, at: 0.5)
        result.p99Ms = Self.milliseconds(latencies, at: 0.99)
        result.p999Ms = Self.milliseconds(latencies, at: 0.999)
        try await load.close()
        if let cluster, let connection { try await measureLimit(connection, cluster, conversations, into: &result) }
        return result
    }

    private func open(_ cluster: BenchCluster?) async throws -> Connection? {
        guard let cluster else { return nil }
        return try await Connection.open(Self.database(of: cluster))
    }

    private static func database(of cluster: BenchCluster) -> DatabaseConfiguration {
        DatabaseConfiguration(
            url: cluster.endpoints.database, applicationName: "parley-bench", connections: 1,
            statementTimeout: .seconds(300))
    }

    private func makeConversations(
        _ people: [BenchPerson], _ url: String, _ group: any EventLoopGroup, _ connection: Connection?
    ) async throws -> [[String]] {
        guard let spread, let connection else {
            bench.progress("starting \(clients / 2) conversations")
            return try await BenchPeople.startDirects(people, at: url, trust.link, on: group)
        }
        bench.progress("creating \(spread) conversations")
        return try await BenchPeople.makeGroups(spread, of: people, in: connection)
    }

    private func measureThroughput(of load: SendLoad, _ cluster: BenchCluster?, into result: inout Result) async throws
    {
        bench.progress("sending, \(clients) clients with \(window) messages outstanding each, for \(seconds) s")
        let services = await cluster?.services() ?? [:]
        let postgres = await cluster?.postgres()
        try await load.begin(window: window)
        try await Task.sleep(for: .seconds(1))
        let before = (
            services.mapValues(ProcessUsage.cpu), postgres.map(ProcessUsage.cpuOfTree), ProcessUsage.cpuOfThis
        )
        let first = try await load.progress()
        try await Task.sleep(for: .seconds(seconds))
        let last = try await load.progress()
        let after = (services.mapValues(ProcessUsage.cpu), postgres.map(ProcessUsage.cpuOfTree), ProcessUsage.cpuOfThis)
        try await load.drain()

        let elapsed = Double((last.at - first.at).nanoseconds) / 1e9
        let messages = Double(last.acked - first.acked)
        guard messages > 0 else {
            throw Failure(.nothingAcknowledged, "No message was acknowledged in \(seconds) s.")
        }
        result.ackedPerS = messages / elapsed
        result.deliveredPerS = Double(last.delivered - first.delivered) / elapsed
        result.loadgenCpuMsPerMessage = (after.2 - before.2) * 1000 / messages
        guard cluster != nil else { return }
        let each = after.0.merging(before.0) { ($0 - $1) * 1000 / messages }
        result.cpuMsPerMessage = each
        result.serverCpuMsPerMessage = each.values.reduce(0, +)
        if let end = after.1, let start = before.1 { result.postgresCpuMsPerMessage = (end - start) * 1000 / messages }
    }

    private func measureLimit(
        _ connection: Connection, _ cluster: BenchCluster, _ conversations: [[String]], into result: inout Result
    ) async throws {
        let seconds = max(2, min(seconds, 5))
        let limit = await DatabaseLimit(connection, seconds: seconds, bodyBytes: bodyBytes)
        bench.progress("measuring PostgreSQL alone for \(seconds) s")
        let rows = try await limit.bareRows(spread: spread ?? clients / 2)
        bench.progress("measuring Parley's statement alone for \(seconds) s")
        result.limitSameStatementPerS = try await limit.sameStatement(
            Array(conversations.joined()), Self.database(of: cluster))
        result.limitPerS = rows
        result.ratio = result.ackedPerS / rows
        await connection.close()
    }

    private static func milliseconds(_ sorted: [Int64], at part: Double) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let index = min(sorted.count - 1, Int((Double(sorted.count) * part).rounded(.up)) - 1)
        return (Double(sorted[max(0, index)]) / 1e4).rounded() / 100
    }

    private func show(_ result: Result) {
        let style = Style()
        let conversations = spread.map { ", \($0) conversations" } ?? ""
        Output.line(style.bold("Sends: \(clients) clients, \(window) outstanding each\(conversations), \(seconds) s"))
        printTable([
            ("acknowledged /s", "\(rounded(result.ackedPerS))   delivered \(rounded(result.deliveredPerS))"),
            ("PostgreSQL alone, rows/s", "\(rounded(result.limitPerS))   ratio \(rounded(result.ratio))"),
            ("Parley's statement alone /s", rounded(result.limitSameStatementPerS)),
            (
                "latency at 1,000/s, ms",
                "p50 \(rounded(result.p50Ms))   p99 \(rounded(result.p99Ms))   p99.9 \(rounded(result.p999Ms))"
            ),
            (
                "CPU per message, ms",
                "services \(rounded(result.serverCpuMsPerMessage))   PostgreSQL "
                    + "\(rounded(result.postgresCpuMsPerMessage))   load generator "
                    + rounded(result.loadgenCpuMsPerMessage)
            ),
        ])
        for (name, cpu) in (result.cpuMsPerMessage ?? [:]).sorted(by: { $0.value > $1.value }) where cpu >= 0.0001 {
            printTable([("  of which \(name)", rounded(cpu))])
        }
    }
}
