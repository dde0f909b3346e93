import Postgres
import Reactor

extension TestCluster {
    /// Runs one statement in its database, as a superuser: for what no request can do, such as letting time pass.
    public func execute(_ sql: String) async throws {
        let connection = try await Connection.open(DatabaseConfiguration(test: endpoints.database))
        defer { connection.close() }
        try await connection.execute(Statement<Void>(sql))
    }
}
