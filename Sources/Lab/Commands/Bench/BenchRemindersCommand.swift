import ArgumentParser
import Command
import NIOCore
import NIOPosix
import ParleyClient
import Postgres
import Reactor

struct BenchRemindersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reminders",
        abstract: "Measure how long it takes until many reminders that are due at once have fired.",
        discussion: """
            The reminders of 100 people are written directly into the database, all due at the same moment. One person \
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
        let store = try await Self.Store(cluster, users: people.dropLast().map(\.user))
        let client = ParleyClient(url: url, group: group)
        _ = try await client.connect(token: people[Self.people].token)
        bench.progress("writing \(count) reminders")
        try await store.write(count)
        bench.progress("creating reminders for \(seconds) s")
        let end = ContinuousClock.now + .seconds(seconds)
        let calm = try await Self.create(by: client) { ContinuousClock.now >= end }
        bench.progress("creating decisions, listing and syncing")
        let reading = try await EntityFigures(of: client)
        bench.progress("waiting for them to fire")
        let due = try await store.begin()
        let meanwhile = try await Self.create(by: client) { try await store.isOver() }
        let took = Double(try await store.lastFired() - due) / 1_000_000
        await client.close()
        await store.close()
        return Figures(
            reminders: count, firedAfterSeconds: took, firedPerSecond: Double(count) / max(took, 0.001),
            createCalmMs: Milliseconds(calm), createMeanwhileMs: Milliseconds(meanwhile), calm: reading)
    }

    /// Creates reminders one after the other until something is over.
    private static func create(
        by client: ParleyClient, until isOver: () async throws -> Bool
    ) async throws -> [Duration] {
        var durations: [Duration] = []
        while true {
            if durations.count % 20 == 0, try await isOver() { return durations }
            try Task.checkCancellation()
            let began = ContinuousClock.now
            _ = try await client.createReminder(
                .with { ($0.title, $0.dueAtUs) = ("another one", 4_102_444_800_000_000) })
            durations.append(ContinuousClock.now - began)
        }
    }

    /// The reminders in the database.
    @ReactorActor
    private final class Store {
        private let connection: Connection
        private let users: [String]

        init(_ cluster: BenchCluster, users: [String]) async throws {
            self.users = users
            connection = try await Connection.open(
                DatabaseConfiguration(
                    url: cluster.endpoints.database, applicationName: "parley-bench", connections: 1,
                    statementTimeout: .seconds(300)))
        }

        /// Writes reminders that are far from due.
        func write(_ count: Int) async throws {
            try await connection.execute(
                Statement<Void>(
                    """
                    WITH people AS (
                        SELECT account, row_number() OVER (ORDER BY account) - 1 AS nth
                        FROM conversations.accounts
                        WHERE user_id = ANY ($1)
                    ),
                    made AS (
                        INSERT INTO entities.reminders
                            (account, id, title, due_at, time_zone, created_at, position, due_civil, utc_offset,
                            zone_rules)
                        SELECT p.account, gen_random_uuid(), 'bench', 4102444800000000, 'UTC', 1,
                            n / cardinality($1::text[]) + 1, 4102444800000000, 0, '9999z'
                        FROM generate_series(0, $2::bigint - 1) AS n
                        JOIN people AS p ON p.nth = n % cardinality($1::text[])
                    )
                    INSERT INTO entities.heads (account, position)
                    SELECT account, $2
                    FROM people
                    """), .texts(users), .int64(Int64(count)))
            try await connection.execute(Statement<Void>("ANALYZE entities.reminders"))
        }

        /// Makes all of them due now, in one transaction.
        /// - Returns: that moment, by the clock of the database.
        func begin() async throws -> Int64 {
            let due = try await connection.first(
                Statement(
                    """
                    WITH moment AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + 3000000 AS at),
                    moved AS (
                        UPDATE entities.reminders AS r
                        SET due_at = m.at
                        FROM moment AS m
                        WHERE r.title = 'bench'
                    )
                    SELECT at, pg_notify('entities_due', '')::text
                    FROM moment
                    """
                ) { row in try row.int64(0) })
            guard let due else { throw Failure("failed", "The reminders could not be made due.") }
            // From the commit on, if that took longer.
            return max(due, Times.now())
        }

        func isOver() async throws -> Bool {
            try await connection.first(
                Statement(
                    """
                    SELECT EXISTS (
                        SELECT
                        FROM entities.reminders
                        WHERE fired_at IS NULL AND completed_at IS NULL AND deleted_at IS NULL
                            AND due_at < 4102444800000000
                    )
                    """
                ) { row in try row.bool(0) }) == false
        }

        func lastFired() async throws -> Int64 {
            try await connection.first(
                Statement("SELECT max(fired_at) FROM entities.reminders WHERE title = 'bench'") { row in
                    try row.int64(0)
                }) ?? 0
        }

        func close() { connection.close() }
    }
}
