import Command
import ParleyClient
import Postgres
import Reactor

/// Reminders of some people, imported into the database of a bench, which become due together.
@ReactorActor
final class DueReminders {
    private let connection: Connection
    private var accounts: [Int64] = []
    /// How many there are, and how many changes entities had published before they were due.
    private var (count, published): (Int64, Int64) = (0, 0)

    init(_ cluster: BenchCluster, users: [String]) async throws {
        connection = try await Connection.open(
            DatabaseConfiguration(
                url: cluster.endpoints.database, applicationName: "parley-bench", connections: 1,
                statementTimeout: .seconds(300)))
        accounts = try await connection.query(BenchPeople.accountNumbers, .texts(users))
    }

    /// Imports reminders that are far from due.
    func write(_ count: Int) async throws {
        self.count = Int64(count)
        _ = try await imported(dueAt: 4_102_444_800_000_000)
        try await connection.execute(BenchPeople.settle)
    }

    /// Makes all of them due in three seconds, in one transaction.
    /// - Returns: that moment, by the clock of the database.
    func begin() async throws -> Int64 {
        published = try await publishedNow()
        let due = try await imported(dueAt: nil)
        // From the commit on, if that took longer.
        return max(due, Times.now())
    }

    /// Whether as many have fired, while so many others were created.
    func haveFired(_ count: Int, beside created: Int) async throws -> Bool {
        try await publishedNow() >= published + Int64(count + created)
    }

    /// Whether all have fired.
    func areDone() async throws -> Bool {
        try await connection.first(Self.changes, .int64s(accounts)) ?? 0 >= count
    }

    func lastFired() async throws -> Int64 { try await connection.first(Self.lastChange, .int64s(accounts)) ?? 0 }

    func close() { connection.close() }

    private func publishedNow() async throws -> Int64 { try await connection.first(Self.published) ?? 0 }

    private func imported(dueAt due: Int64?) async throws -> Int64 {
        let due = try await connection.first(Self.importAll, .int64s(accounts), .int64(count), .optional(due))
        guard let due else { throw Failure(.failed, "The reminders could not be imported.") }
        return due
    }

    /// $1 people, $2 how many reminders they have together, $3 when they are due; null: in three seconds. Importing
    /// them again moves them. Returns when they are due. A version of the rules behind all others: they are not
    /// looked up in the zone first.
    private static let importAll = Statement(
        """
        WITH moment AS MATERIALIZED (
            SELECT COALESCE($3::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + 3000000) AS at
        )
        SELECT m.at, entities.import_reminders(
            array_agg($1[1 + n % cardinality($1)]), array_agg(md5('bench ' || n)::uuid),
            array_agg('bench'::text), array_agg(m.at), array_agg('UTC'::text), array_agg(1::bigint),
            array_agg(m.at), array_agg('9999z'::text))::text
        FROM moment AS m
        CROSS JOIN generate_series(0, $2::bigint - 1) AS n
        GROUP BY m.at
        """
    ) { row in try row.int64(0) }

    /// How many changes entities have published.
    private static let published = Statement("SELECT sum(number)::bigint FROM entities.lanes") { row in
        try row.int64(0)
    }

    /// How many changes of these people were published; an import publishes none. $1 people.
    private static let changes = Statement(
        "SELECT count(*) FROM entities.journal CROSS JOIN unnest(subjects) AS s (subject) WHERE s.subject = ANY ($1)"
    ) { row in try row.int64(0) }

    /// When the last change of one of these people was published. $1 people.
    private static let lastChange = Statement("SELECT max(at) FROM entities.journal WHERE subjects && $1") { row in
        try row.int64(0)
    }
}
