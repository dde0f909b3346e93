import Postgres
import Reactor

/// A session that holds locks in a transaction until it is released.
@ReactorActor
final class Holder {
    private let connection: Connection

    init(_ url: String, _ sql: String) async throws {
        connection = try await Connection.open(
            DatabaseConfiguration(url: url, applicationName: "tests", idleInTransactionTimeout: .zero))
        try await connection.execute(Statement("BEGIN"))
        try await connection.execute(Statement(sql))
    }

    /// Returns the SQL for a conversation's number.
    nonisolated static func number(of conversation: String) -> String {
        "(SELECT conversation FROM conversations.conversations WHERE conversation_id = '\(conversation)')"
    }

    /// How many sessions wait for this one, or for one that does.
    func waiting() async throws -> Int64 {
        let waiting = try await connection.query(
            Statement(
                """
                WITH RECURSIVE waiting (pid) AS (
                    SELECT pg_backend_pid()
                    UNION
                    SELECT a.pid
                    FROM waiting AS w
                    JOIN pg_stat_activity AS a ON w.pid = ANY (pg_blocking_pids(a.pid))
                )
                SELECT count(*) - 1
                FROM waiting
                """
            ) { try $0.int64(0) })
        return waiting[0]
    }

    func release() { connection.close() }
}
