import Cluster
import Foundation
import Reactor
import TestSupport

@testable import Postgres

/// A PostgreSQL server with Parley's roles, in which dumps are restored.
@ReactorActor
final class DumpScene {
    /// The scene that all tests of migrations share. They run one after another.
    static var shared: DumpScene {
        get async throws { try await first.value }
    }

    private nonisolated static let first = Task { try await DumpScene() }

    let server: TestPostgres
    /// The passwords of the roles, the same for every database.
    let secrets: String
    /// The schema that `parley migrate` makes in an empty database.
    let fresh: String
    private var programs: [String: Program] = [:]
    private let folder: TestFolder

    init() async throws {
        server = try await TestPostgres()
        folder = try TestFolder()
        secrets = "\(folder.path)/secrets"
        let passwords = MigratedDatabase.services.map { "\($0)=secret-of-\($0)\n" }.joined()
        try Data(passwords.utf8).write(to: URL(fileURLWithPath: secrets))
        let url = try await server.makeDatabase()
        let parley = try Program()
        let outcome = try await parley.run(["migrate", "--database-url", url, "--secrets", secrets])
        programs["parley"] = parley
        guard outcome.status == 0 else { throw NeverHappened(description: "migrate: \(outcome.errors)") }
        fresh = try await Self.schema(of: url)
    }

    /// Makes a database with roles and schemas, and nothing in them.
    /// - Returns: its URL for a superuser.
    func empty() async throws -> String {
        let url = try await server.makeDatabase()
        try await Self.run(try Self.bootstrap, at: url)
        return url
    }

    /// Roles and schemas, to be run in a transaction.
    static var bootstrap: String {
        get throws {
            try String(
                contentsOf: MigratedDatabase.root.appending(path: "Sources/Tools/Cluster/Bootstrap.sql"),
                encoding: .utf8
            ).split(separator: "\n").filter { $0 != "BEGIN;" && $0 != "COMMIT;" }.joined(separator: "\n")
        }
    }

    /// Restores a dump into a new database.
    /// - Returns: its URL for a superuser.
    func restore(_ dump: SchemaDump) async throws -> String {
        let url = try await server.makeDatabase()
        try await Self.run(dump.sql, at: url)
        return url
    }

    func migrate(_ url: String) async throws -> Ended {
        try await program("parley").run(["migrate", "--database-url", url, "--secrets", secrets])
    }

    /// Returns a program, which all tests share.
    func program(_ name: String) throws -> Program {
        if let known = programs[name] { return known }
        let program = try Program(name)
        programs[name] = program
        return program
    }

    /// Returns the environment in which a service's program starts.
    func environment(
        of service: String, at url: String, _ folder: String, number: Int = 1
    ) -> [String: String] {
        let name = "\(service)-\(number)"
        return [
            "PARLEY_DATABASE_URL": url.replacing(
                /\/\/[^@]*@/, with: "//parley_\(service):secret-of-\(service)@", maxReplacements: 1),
            "PARLEY_LISTEN_REQUESTS": "ipc://\(folder)/\(name).requests",
            "PARLEY_LISTEN_UPDATES": "ipc://\(folder)/\(name).updates", "PARLEY_LINK_SECURITY": "plain",
            "PARLEY_INSTANCE": name,
        ].merging(service == "messaging" ? ["PARLEY_FILES_FOLDER": "\(folder)/files"] : [:]) { $1 }
    }

    // MARK: Queries

    /// Like the global `eventually`, for conditions that run on this actor.
    static func eventually(
        within limit: Duration = .seconds(20), _ what: String, _ condition: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit * patience
        while try await !condition() {
            guard ContinuousClock.now < end else { throw NeverHappened(description: "\(what): not within \(limit)") }
            try await Reactor.shared.sleep(for: .milliseconds(5))
        }
    }

    static func connect(_ url: String) async throws -> Connection {
        try await Connection.open(
            DatabaseConfiguration(test: url))
    }

    static func run(_ script: String, at url: String) async throws {
        let connection = try await connect(url)
        defer { connection.close() }
        if let failure = try await connection.run(script: script) {
            throw NeverHappened(description: "line \(failure.line ?? 0): \(failure.error)")
        }
    }

    static func texts(_ sql: String, at url: String) async throws -> [String] {
        let connection = try await connect(url)
        defer { connection.close() }
        return try await connection.query(Statement(sql) { try $0.text(0) })
    }

    /// Returns the numbers of a service's applied migrations.
    static func versions(of service: String, at url: String) async throws -> [Int] {
        // A dump may be older than the service.
        let table = try await texts("SELECT coalesce(to_regclass('\(service).migrations')::text, '')", at: url)
        guard table != [""] else { return [] }
        return try await texts("SELECT number::text FROM \(service).migrations ORDER BY number", at: url).compactMap {
            Int($0)
        }
    }

    /// Returns pg_dump's output without rows: tables, functions, views, indexes, owners, grants and comments.
    /// The daily partitions of journals are left out, since they come and go.
    static func schema(of url: String) async throws -> String {
        try await dump(url, ["--schema-only", "--exclude-table=*.journal_2*"])
    }

    /// Returns pg_dump's output for the four schemas, without what it says about itself.
    static func dump(_ url: String, _ options: [String]) async throws -> String {
        let folders = PostgresBinaries.installed().map(\.folder) + ["/usr/bin", "/usr/local/bin"]
        guard let program = folders.map({ "\($0)/pg_dump" }).first(where: FileManager.default.isExecutableFile) else {
            throw NeverHappened(description: "pg_dump is not installed: run deploy/install-packages")
        }
        let dump = try await runToEnd(
            [program] + options + MigratedDatabase.services.map { "--schema=\($0)" } + ["--dbname=\(url)"],
            environment: ["PGTZ": "UTC", "PGCLIENTENCODING": "UTF8", "LC_ALL": "C"])
        guard dump.status == 0 else { throw NeverHappened(description: "pg_dump: \(dump.errors)") }
        return plain(dump.output)
    }

    /// Removes headings, and session settings, which differ between versions of PostgreSQL.
    private static func plain(_ dump: String) -> String {
        let lines = dump.split(separator: "\n", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        for (index, line) in lines.enumerated() {
            let isRule = line == "--" && (isHeading(lines, index - 1) || isHeading(lines, index + 1))
            let isOfSession = line.hasPrefix("SET ") && line.hasSuffix(";") && !line.hasPrefix("SET search_path")
            let isOfClient = line.hasPrefix("\\") || line.hasPrefix("SELECT pg_catalog.set_config(")
            if isRule || isHeading(lines, index) || isOfSession || isOfClient { continue }
            if line.isEmpty && kept.last?.isEmpty ?? true { continue }
            kept.append(line)
        }
        return kept.joined(separator: "\n")
    }

    private static func isHeading(_ lines: [Substring], _ index: Int) -> Bool {
        guard lines.indices.contains(index) else { return false }
        return ["-- Name: ", "-- Data for Name: ", "-- PostgreSQL database dump", "-- Dumped "].contains {
            lines[index].hasPrefix($0)
        }
    }

    /// Returns all rows of the given tables, each as JSON with the given columns.
    /// - Parameter columns: the columns by table.
    static func rows(of url: String, columns: [String: [String]]) async throws -> [String: [String]] {
        let connection = try await connect(url)
        defer { connection.close() }
        var rows: [String: [String]] = [:]
        for (table, columns) in columns {
            let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
            rows[table] = try await connection.query(
                Statement("SELECT to_jsonb(t)::text FROM (SELECT \(list) FROM \(table)) AS t ORDER BY 1") {
                    try $0.text(0)
                })
        }
        return rows
    }

    /// Returns the columns of all tables. A journal includes its daily partitions.
    static func columns(of url: String) async throws -> [String: [String]] {
        let pairs = try await texts(
            """
            SELECT c.oid::regclass || ' ' || a.attname
            FROM pg_class AS c
            JOIN pg_attribute AS a ON a.attrelid = c.oid
            WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
                AND c.relnamespace::regnamespace::text IN ('conversations', 'messaging', 'presence', 'entities')
            ORDER BY c.oid, a.attnum
            """, at: url)
        var columns: [String: [String]] = [:]
        for pair in pairs {
            let words = pair.split(separator: " ").map(String.init)
            columns[words[0], default: []].append(words[1])
        }
        return columns
    }
}
