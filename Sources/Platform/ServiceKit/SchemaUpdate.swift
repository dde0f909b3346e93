import Logging
import Postgres
import Reactor

/// Brings a service's schema up to date before it serves.
@ReactorActor
enum SchemaUpdate<S: ParleyService> {
    /// Waits for the database, then applies the migrations that are missing.
    /// - Parameter limit: how long to wait for the database; nil waits without a limit.
    /// - Throws: ``StartRefused`` when the limit is reached or a migration fails; `MigrationError` when this binary
    ///   cannot work with the schema.
    static func run(_ process: ProcessContext, for limit: Duration?) async throws {
        let began = ContinuousClock.now
        var loggedAt: ContinuousClock.Instant?
        let configuration = DatabaseConfiguration(
            url: process.settings.text("database.url"), applicationName: "parley-\(S.name)-migrations",
            statementTimeout: .seconds(3600), lockTimeout: .seconds(3600))
        while let reason = try await tryOnce(configuration, log: process.log) {
            if let limit, ContinuousClock.now - began > limit {
                throw StartRefused("the database cannot be reached: \(reason)")
            }
            if loggedAt.map({ ContinuousClock.now - $0 > .seconds(10) }) ?? true {
                loggedAt = .now
                process.log.warning("waiting for the database", metadata: ["reason": "\(reason)"])
            }
            process.notify.status("waiting for the database: \(reason)")
            // Retries; nothing else tells that the database is there.
            try await Reactor.shared.sleep(for: .milliseconds(250))
        }
    }

    /// - Returns: the reason why the database cannot be reached, or nil when all migrations are applied.
    private static func tryOnce(_ configuration: DatabaseConfiguration, log: Logger) async throws -> String? {
        do {
            let connection = try await Connection.open(configuration)
            defer { connection.close() }
            try await Migrations.apply(S.sql, on: connection, log: log)
            return nil
        } catch let error as DatabaseError where error.code == .unavailable || error.isAboutServer {
            return error.message
        } catch let error as DatabaseError {
            throw StartRefused("the schema \"\(S.name)\" cannot be brought up to date: \(error)", code: 1)
        }
    }
}
