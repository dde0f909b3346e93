import ArgumentParser
import Command
import Foundation
import NIOCore
import NIOPosix
import ParleyClient
import Postgres
import Reactor

struct BenchStormCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storm",
        abstract: "Measure everyone reconnecting at once.",
        discussion: """
            People who each missed some messages connect at the same moment. Each sends hello with a token and the syncs \
            of conversations, messaging and entities, of which that of messaging brings the missed messages. The time is \
            from the first connection attempt until the last person has every message. Before that, all connect for the \
            first time; --clients 1 measures the first screen of one.
            """)

    @Option(help: "The number of people.") var clients = 1000
    @Option(help: "The number of messages that each person missed.") var missed = 5
    @Option(help: "The number of rounds.") var rounds = 3
    @OptionGroup var bench: BenchOptions

    struct Result: Encodable, Sendable {
        var clients: Int
        var missed: Int
        /// The time of each new device that connects first, all at once, until it can show its first screen: one round
        /// trip to each service.
        var firstScreenMs: Milliseconds
        /// The time of each round until the last client was done.
        var secondsEachRound: [Double]
        /// The time of each client in the best round.
        var clientMs: Milliseconds
        /// The CPU of Parley's processes in the best round.
        var serverCpuMsPerClient: Double
        var postgresCpuMsPerClient: Double
        /// The mean of all rounds, by process.
        var cpuMsPerClient: [String: Double]
    }

    func validate() throws {
        guard (1...10_000).contains(clients) else {
            throw ValidationError("--clients must be 1 to 10000, not \(clients).")
        }
        guard (1...50).contains(missed) else { throw ValidationError("--missed must be 1 to 50, not \(missed).") }
        guard (1...100).contains(rounds) else { throw ValidationError("--rounds must be 1 to 100, not \(rounds).") }
    }

    func run() async throws {
        let result = try await BenchCluster.with(bench, connections: clients) { try await measure($0) }
        if bench.json { Output.json(result) } else { show(result) }
    }

    private func measure(_ cluster: BenchCluster) async throws -> Result {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { group.shutdownGracefully { _ in } }
        let url = cluster.endpoints.url
        bench.progress("registering \(clients + 1) people")
        let people = try await BenchPeople.register(clients + 1, at: url, on: group)
        let ids = try await makeTalks(people, cluster)
        let writer = ParleyClient(url: url, group: group)
        _ = try await writer.connect(token: people[0].token)
        let storm = Storm(
            eventLoop: group.next(), address: try LinkAddress(url), tokens: people.dropFirst().map(\.token),
            missed: missed)
        // Everyone's first sync sets the positions from before they went away.
        let first = try await storm.run(isFirst: true)

        var rounds: [(outcome: Storm.Outcome, cpu: [String: Double])] = []
        for round in 1...self.rounds {
            bench.progress("round \(round): \(missed) messages to each of \(clients) people")
            for _ in 0..<missed { try await write(to: ids, as: writer) }
            let services = await cluster.services()
            let postgres = await cluster.postgres()
            func usage() -> [String: Double] {
                var usage = services.mapValues(ProcessUsage.cpu)
                usage["postgres"] = postgres.map(ProcessUsage.cpuOfTree) ?? 0
                return usage
            }
            try await Task.sleep(for: .milliseconds(500))
            let before = usage()
            let outcome = try await storm.run(isFirst: false)
            let after = usage()
            rounds.append((outcome, after.merging(before) { ($0 - $1) * 1000 / Double(clients) }))
        }
        await writer.close()
        guard let best = rounds.min(by: { $0.outcome.took < $1.outcome.took }) else {
            throw Failure(.failed, "No round was measured.")
        }
        return Result(
            clients: clients, missed: missed, firstScreenMs: Milliseconds(first.each),
            secondsEachRound: rounds.map { ($0.outcome.took / .milliseconds(1)).rounded() / 1000 },
            clientMs: Milliseconds(best.outcome.each),
            serverCpuMsPerClient: best.cpu.reduce(0) { $1.key == "postgres" ? $0 : $0 + $1.value },
            postgresCpuMsPerClient: best.cpu["postgres"] ?? 0,
            cpuMsPerClient: rounds.reduce(into: [:]) { sum, round in
                for (name, cpu) in round.cpu { sum[name, default: 0] += cpu / Double(rounds.count) }
            })
    }

    @ReactorActor
    private func makeTalks(_ people: [BenchPerson], _ cluster: BenchCluster) async throws -> [String] {
        let connection = try await Connection.open(
            DatabaseConfiguration(
                url: cluster.endpoints.database, applicationName: "parley-bench", connections: 1,
                statementTimeout: .seconds(300)))
        defer { connection.close() }
        return try await BenchTalks.make(of: people[0], with: Array(people.dropFirst()), in: connection)
    }

    private func write(to conversations: [String], as writer: ParleyClient) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for (number, id) in conversations.enumerated() {
                if number >= 256 { try await tasks.next() }
                tasks.addTask { _ = try await writer.send(String(repeating: "x", count: 100), to: id) }
            }
            try await tasks.waitForAll()
        }
    }

    private func show(_ result: Result) {
        Output.line(
            Style().bold("Storm: \(result.clients) people reconnect at once, \(result.missed) missed messages each"))
        printTable([
            (
                "first screen of a new device, ms",
                "p50 \(rounded(result.firstScreenMs.p50))   max \(rounded(result.firstScreenMs.max))"
            ),
            ("until the last one is done, s", result.secondsEachRound.map { rounded($0) }.joined(separator: "   ")),
            (
                "each, ms (best round)",
                "p50 \(rounded(result.clientMs.p50))   p99 \(rounded(result.clientMs.p99))   "
                    + "max \(rounded(result.clientMs.max))"
            ),
            (
                "CPU per person, ms",
                "services \(rounded(result.serverCpuMsPerClient))   PostgreSQL "
                    + rounded(result.postgresCpuMsPerClient)
            ),
        ])
    }
}
