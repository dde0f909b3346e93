import Postgres
import Reactor

/// Counts the statements that a cluster's database was asked, by `pg_stat_statements`.
///
/// The services also ask by themselves: heartbeats, journals followed. What is asked without anybody's request is left
/// out, and so is what begins and ends transactions, which has the same text in both. What comes seldom is told apart
/// by counting several times.
@ReactorActor
public final class StatementCounter {
    /// What the cluster must be started with.
    public nonisolated static let postgresSettings = [
        "shared_preload_libraries": "pg_stat_statements", "pg_stat_statements.max": "5000",
    ]

    private let connection: Connection
    private var ofNobody: Set<String> = []

    /// Watches an idle cluster until it has seen what is asked without requests.
    public init(_ cluster: TestCluster, watching: Duration = .seconds(2)) async throws {
        connection = try await Connection.open(
            DatabaseConfiguration(url: cluster.endpoints.database, applicationName: "statement counter"))
        try await connection.execute(Statement("CREATE EXTENSION IF NOT EXISTS pg_stat_statements"))
        let before = try await calls()
        // Heartbeats come twice, looks into journals five times a second.
        try await Reactor.shared.sleep(for: watching)
        ofNobody = Set(Self.difference(before, try await calls()).keys)
    }

    public func close() { connection.close() }

    /// The statements that `body` takes, by their text: of `rounds` runs the fewest of each.
    public func count(
        rounds: Int = 3, _ body: @Sendable () async throws -> Void
    ) async throws -> [String: Int] {
        var least: [String: Int]?
        for _ in 0..<rounds {
            let before = try await calls()
            try await body()
            let asked = Self.difference(before, try await calls()).filter { !ofNobody.contains($0.key) }
            least =
                least.map { least in
                    least.merging(asked) { min($0, $1) }.filter { asked[$0.key] != nil }
                } ?? asked
        }
        return least ?? [:]
    }

    private static func difference(_ before: [String: Int], _ after: [String: Int]) -> [String: Int] {
        after.compactMapValues { $0 }.merging(before) { $0 - $1 }.filter { $0.value > 0 }
    }

    private func calls() async throws -> [String: Int] {
        let rows = try await connection.query(
            Statement(
                """
                SELECT s.query, sum(s.calls)::bigint
                FROM pg_stat_statements AS s
                JOIN pg_roles AS r ON r.oid = s.userid
                WHERE r.rolname LIKE 'parley\\_%'
                    AND s.query NOT IN ('BEGIN', 'COMMIT', 'ROLLBACK')
                GROUP BY s.query
                """
            ) { row in (try row.text(0), Int(try row.int64(1))) })
        return Dictionary(rows) { $0 + $1 }
    }
}
