import Cluster
import Foundation
import Glibc
import Logging
import Postgres
import Reactor

/// A PostgreSQL server for tests in its own folder. It is the one of `parley up` (``PrivatePostgres``) and ends with
/// the process.
@ReactorActor
public final class TestPostgres {
    /// The server that the tests of this process share; do not stop it. It starts with the first use.
    public static var shared: TestPostgres {
        get async throws { try await first.value }
    }

    private nonisolated static let first = Task { try await TestPostgres() }

    /// The folder of the data, removed when the server ends.
    public nonisolated let folder: String
    /// The folder of the server's files: its data, and the password of the superuser.
    nonisolated var files: String { "\(folder)/pg" }
    private let root: TestFolder
    private let server: PrivatePostgres
    private var lastDatabase = 0
    private var making: Task<Void, any Error>?

    /// Creates and starts a server, in about 1.5 s.
    /// - Parameter original: the files of a stopped server, of which this one gets a copy; nil for an empty server.
    public init(settings: [String: String] = [:], copyOf original: String? = nil) async throws {
        let root = try TestFolder()
        (self.root, folder) = (root, root.path)
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = PrivatePostgres(
            folder: "\(root.path)/pg", settings: ["max_connections": "300"].merging(settings) { $1 },
            logFile: "\(root.path)/postgres.log", log: quiet)
        self.server = server
        AtExit.add {
            await server.stop()
            root.remove()
        }
        if let original { try await copyFolder(original, to: files) }
        try RuntimeFolders.note(of: try await server.start(), in: root)
    }

    /// Stops the server and removes its folder. This happens automatically when the process ends.
    public func end() async {
        await server.stop()
        root.remove()
    }

    /// Returns the URL of a database for a superuser.
    public func url(database: String = PrivatePostgres.databaseName) -> String {
        (server.url ?? "").replacingOccurrences(of: "/\(PrivatePostgres.databaseName)?", with: "/\(database)?")
    }

    /// Creates an empty database.
    /// - Returns: its URL for a superuser.
    public func makeDatabase() async throws -> String {
        lastDatabase += 1
        let name = "test\(lastDatabase)"
        // One after the other, because dozens together keep the server from answering anything else.
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

    /// Copies a database without sessions.
    public func copyDatabase(_ name: String, as copy: String) async throws {
        let connection = try await Connection.open(DatabaseConfiguration(test: url()))
        defer { connection.close() }
        try await connection.execute(Statement("CREATE DATABASE \(copy) TEMPLATE \(name)"))
    }

    public func start() async throws { try await server.start() }

    /// Stops the server until ``start()``.
    public func stop(_ mode: StopMode = .fast) async {
        // A killed server is restarted only after this loop has noticed, and by then it is being stopped.
        if mode == .immediate { server.kill(SIGQUIT) }
        await server.stop()
    }

    public enum StopMode: Sendable {
        /// Rolls back all transactions and closes all connections.
        case fast
        /// Stops as if the machine had lost power.
        case immediate
    }
}

extension DatabaseConfiguration {
    /// Creates the configuration of a test's own connection, with timeouts that are long enough for a busy machine.
    public init(test url: String) {
        self.init(
            url: url, applicationName: "tests", statementTimeout: .seconds(120), lockTimeout: .seconds(60),
            idleInTransactionTimeout: .seconds(120))
        connectTimeout = .seconds(60)
    }
}
