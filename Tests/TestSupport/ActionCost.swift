import Postgres
import Reactor

/// What one action costs the database: counts that are the same on every machine.
public struct ActionCost: Sendable, Equatable, CustomStringConvertible {
    public var statements: Int
    /// Records of the write-ahead log: about one for each row and index entry written, and one for a commit.
    public var records: Int
    /// Bytes of the write-ahead log, without images of whole pages.
    public var bytes: Int
    /// Pages that were looked at.
    public var pages: Int

    public init(statements: Int, records: Int, bytes: Int, pages: Int) {
        (self.statements, self.records, self.bytes, self.pages) = (statements, records, bytes, pages)
    }

    public var description: String {
        "statements: \(statements), records: \(records), bytes: \(bytes), pages: \(pages)"
    }
}

/// Measures what actions cost a cluster's database, by `pg_stat_statements`.
///
/// What services do of their own accord is left out: each action is repeated, and only statements count that run
/// equally often for each of them, in every round. On a machine that is busy with other things this is not enough.
@ReactorActor
public final class ActionMeter {
    private let connection: Connection

    private struct Row {
        var calls: Int
        var records: Int
        var bytes: Int
        var pages: Int

        func since(_ other: Row) -> Row {
            Row(
                calls: calls - other.calls, records: records - other.records, bytes: bytes - other.bytes,
                pages: pages - other.pages)
        }

        func least(_ other: Row) -> Row {
            Row(
                calls: calls, records: min(records, other.records), bytes: min(bytes, other.bytes),
                pages: min(pages, other.pages))
        }
    }

    /// The cluster must be started with ``StatementCounter/postgresSettings``.
    public init(_ cluster: TestCluster) async throws {
        connection = try await Connection.open(
            DatabaseConfiguration(url: cluster.endpoints.database, applicationName: "action meter"))
        try await connection.execute(Statement<Void>("CREATE EXTENSION IF NOT EXISTS pg_stat_statements"))
    }

    public func close() { connection.close() }

    /// Returns the cost of one action, of the cheapest round.
    /// - Parameter act: does the action; its argument counts from zero, over all rounds.
    public func cost(
        rounds: Int = 5, actions: Int = 10, of act: @Sendable (Int) async throws -> Void
    ) async throws -> ActionCost {
        var least: [String: Row]?
        for round in 0..<rounds {
            let before = try await rows()
            for number in 0..<actions { try await act(round * actions + number) }
            let executed = try await rows().merging(before) { $0.since($1) }
                .filter { $0.value.calls > 0 && $0.value.calls % actions == 0 }
            guard let known = least else {
                least = executed
                continue
            }
            var both: [String: Row] = [:]
            for (text, row) in known {
                if let other = executed[text], other.calls == row.calls { both[text] = row.least(other) }
            }
            least = both
        }
        let all = (least ?? [:]).values
        return ActionCost(
            statements: all.reduce(0) { $0 + $1.calls / actions }, records: all.reduce(0) { $0 + $1.records / actions },
            bytes: all.reduce(0) { $0 + $1.bytes / actions }, pages: all.reduce(0) { $0 + $1.pages / actions })
    }

    private func rows() async throws -> [String: Row] {
        let rows = try await connection.query(
            Statement(
                """
                SELECT s.query, sum(s.calls)::bigint, sum(s.wal_records)::bigint,
                    sum(s.wal_bytes - s.wal_fpi * 8192)::bigint, sum(s.shared_blks_hit + s.shared_blks_read)::bigint
                FROM pg_stat_statements AS s
                JOIN pg_roles AS r ON r.oid = s.userid
                WHERE r.rolname LIKE 'parley\\_%'
                GROUP BY s.query
                """
            ) { row in
                (
                    try row.text(0),
                    Row(
                        calls: Int(try row.int64(1)), records: Int(try row.int64(2)), bytes: Int(try row.int64(3)),
                        pages: Int(try row.int64(4)))
                )
            })
        return Dictionary(rows) { $1 }
    }
}
