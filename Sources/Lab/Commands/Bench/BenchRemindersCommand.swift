import ArgumentParser
import Command
import NIOCore
import NIOPosix
import ParleyClient

struct BenchRemindersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reminders",
        abstract: "Measure how long it takes until many reminders that are due at once have fired.",
        discussion: """
            The reminders of 100 people are imported, all due at the same moment. One person \
            creates reminders one after the other, before that moment and while the others fire. Before that, the same \
            person creates decisions, lists reminders and decisions, and syncs after ten changes.
            """)

    private static let people = 100

    @Option(help: "The number of reminders.") var count = 100_000
    @Option(help: "Seconds of requests before the reminders are due.") var seconds = 10
    @OptionGroup var bench: BenchOptions

    private struct Figures: Encodable {
        var reminders: Int
        /// From the moment at which they are due until the last one has fired.
        var firedAfterSeconds: Double
        var firedPerSecond: Double
        var createCalmMs: Milliseconds
        var createMeanwhileMs: Milliseconds
        var calm: EntityFigures
    }

    func validate() throws {
        guard (Self.people...10_000_000).contains(count) else {
            throw ValidationError("--count must be \(Self.people) to 10000000, not \(count).")
        }
        guard (1...600).contains(seconds) else { throw ValidationError("--seconds must be 1 to 600, not \(seconds).") }
    }

    func run() async throws {
        let figures = try await BenchCluster.with(bench, connections: 10) { try await measure($0) }
        if bench.json { return Output.json(figures) }
        Output.line(Style().bold("\(figures.reminders) reminders due at once"))
        printTable(
            [
                ("all have fired after, s", rounded(figures.firedAfterSeconds)),
                ("fired /s", rounded(figures.firedPerSecond)),
                (
                    "CreateReminder before, ms",
                    "p50 \(rounded(figures.createCalmMs.p50))   p99 \(rounded(figures.createCalmMs.p99))"
                ),
                (
                    "CreateReminder meanwhile, ms",
                    "p50 \(rounded(figures.createMeanwhileMs.p50))   p99 \(rounded(figures.createMeanwhileMs.p99))"
                ),
            ] + figures.calm.rows)
    }

    private func measure(_ cluster: BenchCluster) async throws -> Figures {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { group.shutdownGracefully { _ in } }
        let url = cluster.endpoints.url
        let people = try await BenchPeople.register(Self.people + 1, at: url, on: group)
        let store = try await DueReminders(cluster, users: people.dropLast().map(\.user))
        let client = ParleyClient(url: url, group: group)
        _ = try await client.connect(token: people[Self.people].token)
        bench.progress("writing \(count) reminders")
        try await store.write(count)
        bench.progress("creating reminders for \(seconds) s")
        let end = ContinuousClock.now + .seconds(seconds)
        let calm = try await Self.create(by: client) { _ in ContinuousClock.now >= end }
        bench.progress("creating decisions, listing and syncing")
        let reading = try await EntityFigures(of: client)
        bench.progress("waiting for them to fire")
        let due = try await store.begin()
        let meanwhile = try await Self.create(by: client) { try await store.haveFired(count, beside: $0) }
        let took = Double(try await store.lastFired() - due) / 1_000_000
        await client.close()
        await store.close()
        return Figures(
            reminders: count, firedAfterSeconds: took, firedPerSecond: Double(count) / max(took, 0.001),
            createCalmMs: Milliseconds(calm), createMeanwhileMs: Milliseconds(meanwhile), calm: reading)
    }

    /// Creates reminders one after the other until something is over, which is told how many there are.
    private static func create(
        by client: ParleyClient, until isOver: (Int) async throws -> Bool
    ) async throws -> [Duration] {
        var durations: [Duration] = []
        while true {
            if durations.count % 20 == 0, try await isOver(durations.count) { return durations }
            try Task.checkCancellation()
            let began = ContinuousClock.now
            _ = try await client.createReminder(
                .with { ($0.title, $0.dueAtUs) = ("another one", 4_102_444_800_000_000) })
            durations.append(ContinuousClock.now - began)
        }
    }
}
