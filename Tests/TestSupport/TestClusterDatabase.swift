import Postgres
import Reactor

extension TestCluster {
    /// Runs one statement in its database, as a superuser: for what no request can do, such as letting time pass.
    public func execute(_ sql: String) async throws {
        let connection = try await Connection.open(DatabaseConfiguration(test: endpoints.database))
        defer { connection.close() }
        try await connection.execute(Statement<Void>(sql))
    }

    /// Returns the number that a query reads in its database, as a superuser; -1 if there is no row.
    public func number(_ sql: String) async throws -> Int64 {
        let connection = try await Connection.open(DatabaseConfiguration(test: endpoints.database))
        defer { connection.close() }
        return try await connection.first(Statement(sql) { try $0.int64(0) }) ?? -1
    }
}
