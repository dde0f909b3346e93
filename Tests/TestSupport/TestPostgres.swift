import Cluster
import Foundation
import Glibc
import Logging
import Postgres
import Reactor

/// A PostgreSQL server for tests, in a folder of its own; `parley up`'s own (``PrivatePostgres``), which ends with the
/// process.
@ReactorActor
public final class TestPostgres {
    /// The one that the tests of this process share: don't stop it. Made with the first use.
    public static var shared: TestPostgres {
        get async throws { try await first.value }
    }

    private nonisolated static let first = Task { try await TestPostgres() }

    /// The folder of the data, gone once the server ended.
    public nonisolated let folder: String
    private let files: TestFolder
    private let server: PrivatePostgres
    private var lastDatabase = 0
    private var making: Task<Void, any Error>?

    /// Makes and starts a server, in about 1.5 s.
    public init(settings: [String: String] = [:]) async throws {
        files = try TestFolder()
        folder = files.path
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = PrivatePostgres(
            folder: "\(files.path)/pg", settings: ["max_connections": "300"].merging(settings) { $1 },
            logFile: "\(files.path)/postgres.log", log: quiet)
        self.server = server
        AtExit.add { [files] in
            await server.stop()
            files.remove()
        }
        try RuntimeFolders.note(of: try await server.start(), in: files)
    }

    /// Stops the server and removes its folder; done by itself when the process ends.
    public func end() async {
        await server.stop()
        files.remove()
    }

    /// The URL of a database, as superuser.
    public func url(database: String = PrivatePostgres.databaseName) -> String {
        (server.url ?? "").replacingOccurrences(of: "/\(PrivatePostgres.databaseName)?", with: "/\(database)?")
    }

    /// Makes a fresh, empty database.
    /// - Returns: its URL, as superuser.
    public func makeDatabase() async throws -> String {
        lastDatabase += 1
        let name = "test\(lastDatabase)"
        // One after the other: dozens at once leave the server no time to answer anybody.
        let task = Task { @ReactorActor [making] in
            _ = await making?.result
            let configuration = DatabaseConfiguration(test: url())
            let connection = try await Connection.open(configuration)
            defer { connection.close() }
            try await connection.execute(Statement("CREATE DATABASE \(name)"))
        }
        making = task
        try await task.value
        return url(database: name)
    }

    public func start() async throws { try await server.start() }

    /// Stops it until ``start()``.
    public func stop(_ mode: StopMode = .fast) async {
        // It is started again when it dies, but not before this loop has heard of it: by then it is to be stopped.
        if mode == .immediate { server.kill(SIGQUIT) }
        await server.stop()
    }

    public enum StopMode: Sendable {
        /// Rolls back what runs and disconnects everybody.
        case fast
        /// As if the machine had lost power.
        case immediate
    }
}

extension DatabaseConfiguration {
    /// Of a test's own connection: nothing that it asks is ended for taking long on a busy machine.
    public init(test url: String) {
        self.init(url: url, applicationName: "tests", statementTimeout: .seconds(120), lockTimeout: .seconds(60))
    }
}
