import Reactor
import TestSupport
import Testing

@testable import Postgres

@Suite("Migrations", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct MigrationTests {
    private static let first = Migration(
        number: 1, name: "0001_start", sql: "CREATE TABLE things.one (id int); CREATE TABLE things.two (id int)")
    private static let second = Migration(
        number: 2, name: "0002_it's more", sql: "INSERT INTO things.one VALUES (1); -- a comment at the end")
    private static let applied = Statement("SELECT name FROM things.migrations ORDER BY number") { try $0.text(0) }

    @Test("missing migrations are applied once, in order, and a second run applies nothing")
    func apply() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        #expect(try await Migrations.apply([Self.first], schema: "things", on: connection, log: log) == 1)
        for _ in 0..<2 {
            let number = try await Migrations.apply(
                [Self.first, Self.second], schema: "things", on: connection, log: log)
            #expect(number == 2)
        }
        #expect(try await connection.query(Self.applied) == ["0001_start", "0002_it's more"])
        #expect(try await connection.first(Statement("SELECT count(*) FROM things.one") { try $0.int64(0) }) == 1)
        let timeout = Statement("SELECT current_setting('statement_timeout')") { try $0.text(0) }
        #expect(try await connection.first(timeout) == "10s")
    }

    @Test("a failed migration leaves nothing behind, names its line, and can be repaired")
    func failure() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        let broken = Migration(number: 2, name: "0002_broken", sql: "CREATE TABLE things.three (id int);\nSELECT nope;")
        let error = await #expect(throws: MigrationError.self) {
            try await Migrations.apply([Self.first, broken], schema: "things", on: connection, log: log)
        }
        #expect("\(try #require(error))".contains("0002_broken, line 2"))
        #expect(try await connection.query(Self.applied) == ["0001_start"])
        let exists = Statement("SELECT to_regclass('things.three') IS NOT NULL") { try $0.bool(0) }
        #expect(try await connection.first(exists) == false)
        try await Migrations.apply([Self.first, Self.second], schema: "things", on: connection, log: log)
        #expect(try await connection.query(Self.applied).count == 2)
    }

    @Test("a newer database, a changed migration and a gap in the numbers are refused")
    func refused() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        try await Migrations.apply([Self.first, Self.second], schema: "things", on: connection, log: log)
        let changed = Migration(number: 1, name: "0001_start", sql: "SELECT 1")
        let gap = Migration(number: 3, name: "0003_gap", sql: "SELECT 1")
        for (migrations, expected) in [
            (
                [Self.first],
                MigrationError.databaseIsNewer(
                    schema: "things", known: 1, database: 2, application: "parley-things")
            ),
            ([changed, Self.second], .changed(schema: "things", name: "0001_start")),
            ([Self.first, gap], .misnumbered(schema: "things", name: "0003_gap")),
        ] {
            await #expect(throws: expected) {
                try await Migrations.apply(migrations, schema: "things", on: connection, log: log)
            }
        }
        let newer = MigrationError.databaseIsNewer(
            schema: "messaging", known: 3, database: 5, application: "parley-messaging")
        #expect(
            "\(newer)".hasSuffix(
                "this binary knows migrations up to 3, but the database is at 5; run a newer parley-messaging"))
    }

    @Test("processes that start at the same time apply each migration once")
    func together() async throws {
        let configuration = try await freshConfiguration()
        try await concurrently(4) { _ in
            let connection = try await Connection.open(configuration)
            try await Migrations.apply([Self.first, Self.second], schema: "things", on: connection, log: log)
        }
        let connection = try await Connection.open(configuration)
        #expect(try await connection.first(Statement("SELECT count(*) FROM things.one") { try $0.int64(0) }) == 1)
    }

    @Test("a process waits while another one migrates, and its wait can be cancelled")
    func waits() async throws {
        let configuration = try await freshConfiguration()
        let (other, connection) = (
            try await Connection.open(configuration), try await Connection.open(configuration)
        )
        let key: [Parameter] = [
            .int32(AdvisoryLock.migrations), .int32(AdvisoryLock.migrationsKey(schema: "things")),
        ]
        try await other.execute(Statement("SELECT pg_advisory_lock($1, $2)"), key)
        let cancelled = Task { @ReactorActor in
            try await Migrations.apply([Self.first], schema: "things", on: connection, log: log)
        }
        // Longer than the pause between two attempts.
        try await Task.sleep(for: .seconds(3))
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let waiting = Task { @ReactorActor in
            try await Migrations.apply([Self.first], schema: "things", on: connection, log: log)
        }
        try await Task.sleep(for: .seconds(3))
        try await other.execute(Statement("SELECT pg_advisory_unlock($1, $2)"), key)
        #expect(try await waiting.value == 1)
    }

    @Test("a role without the right to create schemas can migrate the one it owns")
    func ownRole() async throws {
        let configuration = try await freshConfiguration()
        let superuser = try await Connection.open(configuration)
        let role = "limited_\(superuser.backend)"
        _ = try await superuser.run(
            script: """
                CREATE ROLE \(role);
                CREATE SCHEMA things AUTHORIZATION \(role);
                SET ROLE \(role);
                """)
        try await Migrations.apply([Self.first], schema: "things", on: superuser, log: log)
        #expect(try await superuser.query(Self.applied) == ["0001_start"])
    }

    @Test(
        "the number of a resource is the one that its name begins with",
        arguments: [
            ("0001_start", 1), ("12_x", 12), ("start", nil), ("", nil),
        ] as [(String, Int?)])
    func names(name: String, number: Int?) {
        #expect(Migration(name: name, sql: Array("SELECT 1".utf8))?.number == number)
    }
}
