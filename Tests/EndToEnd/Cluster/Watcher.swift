import Postgres
import Reactor

/// Looks into a cluster's database as its superuser.
@ReactorActor
final class Watcher {
    private let connection: Connection

    init(_ url: String) async throws {
        connection = try await Connection.open(
            DatabaseConfiguration(url: url, applicationName: "watcher", statementTimeout: .seconds(30)))
    }

    deinit {
        Task { @ReactorActor [connection] in connection.close() }
    }

    func number(_ sql: String) async throws -> Int64 {
        try await connection.first(Statement(sql) { try $0.int64(0) }) ?? 0
    }

    func texts(_ sql: String) async throws -> [String] {
        try await connection.query(Statement(sql) { try $0.text(0) })
    }
}
