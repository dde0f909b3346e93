import Postgres
import Reactor

/// Counts the statements that a cluster's database executes, by `pg_stat_statements`.
///
/// The services also run statements without requests, such as heartbeats and reads of journals. These are left out, and
/// so are those that begin and end transactions, which have the same text in both cases; the one that stores every few
/// seconds how many messages people sent; the one that answers gateways to which a heartbeat came late; and the one by
/// which presence reads ten times a second who changed what they say of themselves, while anybody watches or types.
/// Counting several times separates the rare ones.
@ReactorActor
public final class StatementCounter {
    /// The PostgreSQL settings that the cluster must be started with.
    public nonisolated static let postgresSettings = [
        "shared_preload_libraries": "pg_stat_statements", "pg_stat_statements.max": "5000",
    ]

    private let connection: Connection
    private let role: String
    private let later: [String]
    private var withoutRequests: Set<String> = []

    /// Watches an idle cluster to learn the statements that run without requests.
    /// - Parameters:
    ///   - service: whose statements are counted; nil: those of all.
    ///   - later: how statements begin that follow a request at a time of their own, and are not counted.
    public init(
        _ cluster: TestCluster, of service: String? = nil, watching: Duration = .seconds(2),
        exceptLater later: [String] = []
    ) async throws {
        self.later = later
        role = "parley_\(service ?? "%")"
        connection = try await Connection.open(
            DatabaseConfiguration(url: cluster.endpoints.database, applicationName: "statement counter"))
        try await connection.execute(Statement("CREATE EXTENSION IF NOT EXISTS pg_stat_statements"))
        let before = try await calls()
        // Heartbeats run twice per second, reads of journals five times per second.
        try await Reactor.shared.sleep(for: watching)
        withoutRequests = Set(Self.difference(before, try await calls()).keys)
    }

    public func close() { connection.close() }

    /// Returns how often `body` executes each statement, by its text: the lowest count of `rounds` runs.
    public func count(
        rounds: Int = 3, _ body: @Sendable () async throws -> Void
    ) async throws -> [String: Int] {
        var least: [String: Int]?
        for _ in 0..<rounds {
            let before = try await calls()
            try await body()
            let executed = Self.difference(before, try await calls()).filter { !withoutRequests.contains($0.key) }
            // A statement that one run did not execute has the count 0.
            least =
                least.map { least in
                    least.merging(executed) { min($0, $1) }.filter { executed[$0.key] != nil && least[$0.key] != nil }
                } ?? executed
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
                WHERE r.rolname LIKE $1
                    AND s.query NOT IN ('BEGIN', 'COMMIT', 'ROLLBACK')
                    AND s.query NOT LIKE 'INSERT INTO messaging.usage %'
                    AND s.query !~ '^SELECT last.number, p.account\\s+FROM presence.last_change '
                    AND s.query !~ '^SELECT lane, number\\s+FROM \\w+\\.lanes\\s+ORDER BY lane$'
                GROUP BY s.query
                """
            ) { row in (try row.text(0), Int(try row.int64(1))) }, .text(role))
        let counted = rows.filter { row in !later.contains { row.0.hasPrefix($0) } }
        return Dictionary(counted) { $0 + $1 }
    }
}
