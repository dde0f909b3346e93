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
    private static func things(
        _ migrations: [Migration], _ definitions: [SchemaSQL.Definition] = [], version: Int = 0
    ) -> SchemaSQL {
        SchemaSQL(schema: "things", migrations: migrations, definitions: definitions, definitionsVersion: version)
    }

    private static let applied = Statement("SELECT name FROM things.migrations ORDER BY number") { try $0.text(0) }

    @Test("missing migrations are applied once, in order, and a second run applies nothing")
    func apply() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        #expect(try await Migrations.apply(Self.things([Self.first]), on: connection, log: log) == 1)
        for _ in 0..<2 {
            let number = try await Migrations.apply(Self.things([Self.first, Self.second]), on: connection, log: log)
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
            try await Migrations.apply(Self.things([Self.first, broken]), on: connection, log: log)
        }
        #expect("\(try #require(error))".contains("0002_broken, line 2"))
        #expect(try await connection.query(Self.applied) == ["0001_start"])
        let exists = Statement("SELECT to_regclass('things.three') IS NOT NULL") { try $0.bool(0) }
        #expect(try await connection.first(exists) == false)
        try await Migrations.apply(Self.things([Self.first, Self.second]), on: connection, log: log)
        #expect(try await connection.query(Self.applied).count == 2)
    }

    @Test("a newer database, a changed migration and a gap in the numbers are refused")
    func refused() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        try await Migrations.apply(Self.things([Self.first, Self.second]), on: connection, log: log)
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
                try await Migrations.apply(Self.things(migrations), on: connection, log: log)
            }
        }
        let newer = MigrationError.databaseIsNewer(
            schema: "messaging", known: 3, database: 5, application: "parley-messaging")
        #expect(
            "\(newer)".hasSuffix(
                "this binary knows migrations up to 3, but the database is at 5; run a newer parley-messaging"))
    }

    private static func answer(_ number: Int) -> SchemaSQL.Definition {
        let sql = "CREATE OR REPLACE FUNCTION things.answer() RETURNS int LANGUAGE sql AS 'SELECT \(number)'"
        return SchemaSQL.Definition(name: "answer", sql: sql)
    }

    private static let answers = Statement("SELECT things.answer()") { try $0.int32(0) }

    @Test("D4 definitions are applied with their version: a newer binary replaces them, an older one leaves them alone")
    func definitions() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        let view = SchemaSQL.Definition(
            name: "all", sql: "CREATE OR REPLACE VIEW things.all AS SELECT * FROM things.one")
        for version in [1, 1, 2] {
            let sql = Self.things([Self.first], [Self.answer(version), view], version: version)
            try await Migrations.apply(sql, on: connection, log: log)
            #expect(try await connection.first(Self.answers) == Int32(version))
        }
        let older = Self.things([Self.first], [Self.answer(1), view], version: 1)
        await #expect(
            throws: MigrationError.definitionsAreNewer(
                schema: "things", known: 1, database: 2, application: "parley-things")
        ) { try await Migrations.apply(older, on: connection, log: log) }
        let other = Self.things([Self.first], [Self.answer(7), view], version: 2)
        await #expect(throws: MigrationError.definitionsDiffer(schema: "things", version: 2)) {
            try await Migrations.apply(other, on: connection, log: log)
        }
        #expect(try await connection.first(Self.answers) == 2)
    }

    @Test("a definition that PostgreSQL refuses leaves all of the set before it, and the error names the line")
    func brokenDefinition() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        try await Migrations.apply(Self.things([Self.first], [Self.answer(1)], version: 1), on: connection, log: log)
        let broken = SchemaSQL.Definition(name: "broken", sql: "CREATE OR REPLACE VIEW things.b AS SELECT nope")
        let error = await #expect(throws: MigrationError.self) {
            let sql = Self.things([Self.first], [Self.answer(2), broken], version: 2)
            try await Migrations.apply(sql, on: connection, log: log)
        }
        #expect("\(error as Any)".contains("definitions of version 2, line"))
        #expect(try await connection.first(Self.answers) == 1)
        try await Migrations.apply(Self.things([Self.first], [Self.answer(2)], version: 2), on: connection, log: log)
        #expect(try await connection.first(Self.answers) == 2)
    }

    @Test("D4 a schema from before 0.1.0 is refused and left as it is")
    func beforeBaseline() async throws {
        let connection = try await Connection.open(try await freshConfiguration())
        _ = try await connection.run(
            script: """
                CREATE SCHEMA things;
                CREATE TABLE things.migrations (
                    number int PRIMARY KEY, name text, checksum text, applied_at timestamptz);
                INSERT INTO things.migrations VALUES (1, '0001_start', 'x', now()), (2, '0002_next', 'y', now());
                """)
        let error = await #expect(throws: MigrationError.beforeBaseline(schema: "things")) {
            try await Migrations.apply(
                Self.things([Self.first], [Self.answer(1)], version: 1), on: connection, log: log)
        }
        #expect("\(try #require(error))".contains("Start with a new database"))
        let tables = Statement("SELECT count(*) FROM pg_class WHERE relnamespace = 'things'::regnamespace") {
            try $0.int64(0)
        }
        #expect(try await connection.first(tables) == 2, "the table and its key")
        #expect(try await connection.query(Self.applied).count == 2)
    }

    @Test("processes that start at the same time apply each migration once")
    func together() async throws {
        let configuration = try await freshConfiguration()
        try await concurrently(4) { _ in
            let connection = try await Connection.open(configuration)
            try await Migrations.apply(Self.things([Self.first, Self.second]), on: connection, log: log)
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
            .int32(AdvisoryLock.migrations.rawValue), .int32(AdvisoryLock.migrationsKey(schema: "things")),
        ]
        try await other.execute(Statement("SELECT pg_advisory_lock($1, $2)"), key)
        let cancelled = Task { @ReactorActor in
            try await Migrations.apply(Self.things([Self.first]), on: connection, log: log)
        }
        try await waitForAttempts(by: connection, seenBy: other)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let waiting = Task { @ReactorActor in
            try await Migrations.apply(Self.things([Self.first]), on: connection, log: log)
        }
        try await waitForAttempts(by: connection, seenBy: other)
        try await other.execute(Statement("SELECT pg_advisory_unlock($1, $2)"), key)
        #expect(try await waiting.value == 1)
    }

    /// Waits until a connection has asked three times for its turn to migrate.
    private func waitForAttempts(by connection: Connection, seenBy other: Connection) async throws {
        let attempt = Statement(
            """
            SELECT query_start::text
            FROM pg_stat_activity
            WHERE pid = $1
                AND query LIKE '%pg_try_advisory_lock%'
            """
        ) { try $0.text(0) }
        var seen: Set<String> = []
        try await eventually {
            seen.formUnion(try await other.query(attempt, .int32(connection.backend)))
            return seen.count >= 3
        }
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
        try await Migrations.apply(Self.things([Self.first]), on: superuser, log: log)
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

    private static let files = [
        (path: "names.sql", text: "-- Kind\n--   1 one  the first\n--   2 two\n"),
        (path: "0001_start.sql", text: "CREATE TABLE {schema}.t (a int[] DEFAULT '{}', k int DEFAULT {Kind.two});"),
        (path: "u.sql", text: "CREATE OR REPLACE VIEW {schema}.u AS SELECT * FROM {schema}.v"),
        (path: "v.sql", text: "CREATE OR REPLACE VIEW {schema}.v AS SELECT {schema}.f()"),
        (path: "z.sql", text: "\\include Kit/f.sql"),
    ]
    private static let shared = [
        (path: "Kit/f.sql", text: "CREATE OR REPLACE FUNCTION {schema}.f() … {AdvisoryLock.head}")
    ]

    @Test(
        "a folder's files become migrations and definitions: names, includes and the schema filled in, readers of a view after it"
    )
    func folder() throws {
        let refused = #expect(throws: SchemaSQLError.self) {
            try SchemaSQL(schema: "s", files: Self.files, shared: Self.shared)
        }
        let reason = "\(try #require(refused))"
        let line = try #require(reason.firstMatch(of: /"(-- version 1 [0-9a-f]+)"/)).1
        let files = Self.files + [(path: "definitions.sql", text: String(line))]
        let sql = try SchemaSQL(schema: "s", files: files, shared: Self.shared)
        #expect(sql.migrations.map(\.sql) == ["CREATE TABLE s.t (a int[] DEFAULT '{}', k int DEFAULT 2);"])
        #expect(sql.definitions.map(\.name) == ["z", "v", "u"] && sql.definitionsVersion == 1)
        #expect(sql.definitions[0].sql == "CREATE OR REPLACE FUNCTION s.f() … 7303")
        for (path, text) in [("x.sql", "{Kind.three}"), ("x.sql", "\\include Kit/nothing.sql"), ("x.sql", "changed")] {
            #expect(throws: SchemaSQLError.self, "\(text)") {
                try SchemaSQL(schema: "s", files: files + [(path: path, text: text)], shared: Self.shared)
            }
        }
    }
}
