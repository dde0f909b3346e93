import Cluster
import Foundation
import Logging
import Postgres
import Reactor

/// A database with the real roles, schemas and migrations of all services, read from the source tree.
///
/// The first use in a process makes a template; each test gets a copy of it, in about 0.1 s.
public struct MigratedDatabase: Sendable {
    public static let services = ClusterConfiguration.services

    /// The URL for a superuser, who owns none of the tables.
    public let superuserURL: String

    /// The root folder of the repository.
    public static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @ReactorActor
    public init() async throws {
        try await Self.template.value
        Self.lastNumber += 1
        let name = "parley\(Self.lastNumber)"
        let server = try await TestPostgres.shared
        let connection = try await Connection.open(
            DatabaseConfiguration(test: server.url()))
        defer { connection.close() }
        try await connection.execute(Statement("CREATE DATABASE \(name) TEMPLATE parley_template"))
        superuserURL = server.url(database: name)
    }

    /// A database of another server that has one of this name, made by ``init(madeIn:of:)``.
    @ReactorActor
    public init(in name: String, of server: TestPostgres) { superuserURL = server.url(database: name) }

    /// Makes a database of this name on a server that has none yet.
    @ReactorActor
    public init(madeIn name: String, of server: TestPostgres) async throws {
        try await Self.make(name, on: server)
        self.init(in: name, of: server)
    }

    /// Returns the URL for a service's own role.
    public func url(of service: String) -> String {
        superuserURL.replacing(/\/\/[^@]*@/, with: "//parley_\(service):test@", maxReplacements: 1)
    }

    /// Returns the configuration with which a service connects, including its planner settings. A transaction that a
    /// test leaves open holds its locks until the test ends it, even on a busy machine.
    public func configuration(
        of service: String, lockTimeout: Duration = .seconds(2), idleInTransaction: Duration = .seconds(120),
        settings: [String: String] = [:]
    ) -> DatabaseConfiguration {
        var configuration = DatabaseConfiguration(
            url: url(of: service), applicationName: "tests", connections: 2, statementTimeout: .seconds(120),
            lockTimeout: lockTimeout, idleInTransactionTimeout: idleInTransaction, settings: settings)
        // A busy machine answers late.
        configuration.connectTimeout = .seconds(60)
        return configuration
    }

    public var superuser: DatabaseConfiguration {
        DatabaseConfiguration(
            url: superuserURL, applicationName: "tests", statementTimeout: .seconds(120), lockTimeout: .seconds(120),
            idleInTransactionTimeout: .seconds(120))
    }

    // MARK: The template

    @ReactorActor private static var lastNumber = 0
    private static let template = Task { @ReactorActor in
        try await make("parley_template", on: try await TestPostgres.shared)
    }

    /// All texts that decide what a new database contains.
    public static var sources: [String] {
        get throws {
            let files = try shared + services.flatMap { try texts(of: $0) }
            return [try bootstrap] + files.map { "\($0.path)\n\($0.text)" }
        }
    }

    private static var bootstrap: String {
        get throws {
            try String(contentsOf: root.appending(path: "Sources/Tools/Cluster/Bootstrap.sql"), encoding: .utf8)
        }
    }

    @ReactorActor
    private static func make(_ name: String, on server: TestPostgres) async throws {
        let log = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
        let main = try await Connection.open(DatabaseConfiguration(test: server.url()))
        try await main.execute(Statement("CREATE DATABASE \(name)"))
        main.close()
        let url = server.url(database: name)
        let superuser = try await Connection.open(DatabaseConfiguration(test: url))
        // The migration runs in a transaction already, so the script's own is removed.
        let bootstrap = try bootstrap.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { $0 != "BEGIN;" && $0 != "COMMIT;" }
        let passwords = services.map { "ALTER ROLE parley_\($0) PASSWORD 'test';" }
        let migration = Migration(
            number: 1, name: "bootstrap", sql: (bootstrap + passwords.map { $0[...] }).joined(separator: "\n"))
        try await Migrations.apply(SchemaSQL(schema: "bootstrap", migrations: [migration]), on: superuser, log: log)
        superuser.close()
        for service in services {
            let own = url.replacing(/\/\/[^@]*@/, with: "//parley_\(service):test@", maxReplacements: 1)
            let connection = try await Connection.open(DatabaseConfiguration(test: own))
            try await Migrations.apply(try sql(of: service), on: connection, log: log)
            connection.close()
        }
        // Only a database without sessions can be copied.
        let observer = try await Connection.open(DatabaseConfiguration(test: server.url()))
        defer { observer.close() }
        let sessions = Statement("SELECT count(*) FROM pg_stat_activity WHERE datname = '\(name)'") {
            try $0.int64(0)
        }
        try await eventually("nobody uses the template") { try await observer.first(sessions) == 0 }
    }

    /// Returns the SQL that the service's binary embeds.
    public static func sql(of service: String) throws -> SchemaSQL {
        try SchemaSQL(
            schema: service, files: try texts(of: service), shared: try shared)
    }

    private static var shared: [(path: String, text: String)] {
        get throws { try files(in: "Sources/Platform/ServiceKit/SQL") }
    }

    private static func texts(of service: String) throws -> [(path: String, text: String)] {
        try files(in: "Sources/Services/\(service.capitalized)/SQL")
    }

    private static func files(in path: String) throws -> [(path: String, text: String)] {
        let folder = root.appending(path: path)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".sql") }.sorted()
            .map {
                (path: $0, text: try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
            }
    }
}
