import Logging
import Reactor

/// Brings a schema up to date.
@ReactorActor
public enum Migrations {
    private struct Applied: Sendable {
        var number: Int
        var name: String
        var checksum: String
    }

    /// Applies the missing migrations in order, each in its own transaction. Then applies the definitions, all in one
    /// transaction, if the database has an older version of them.
    ///
    /// Processes that start at the same time take turns with an advisory lock for each schema, however long that takes.
    /// Creates the schema and its table `migrations` if they are missing. No statement timeout applies. A migration may
    /// take any time, as long as the server answers other connections. Use a connection that does nothing else.
    /// - Parameter application: the program that the error about a newer database names; default `parley-<schema>`.
    /// - Returns: the number of the last migration.
    /// - Throws: ``MigrationError``, or ``DatabaseError`` when the database is unavailable.
    @discardableResult
    public static func apply(
        _ sql: SchemaSQL, on connection: Connection, log: Logger, application: String? = nil
    ) async throws -> Int {
        let (migrations, schema) = (sql.migrations, sql.schema)
        let application = application ?? "parley-\(schema)"
        for (index, migration) in migrations.enumerated() where migration.number != index + 1 {
            throw MigrationError.misnumbered(schema: schema, name: migration.name)
        }
        let patience = connection.patience
        connection.patience = .whileServerAnswers
        defer { connection.patience = patience }
        try await connection.execute(beginSession)
        let key: [Parameter] = [
            .int32(AdvisoryLock.migrations.rawValue), .int32(AdvisoryLock.migrationsKey(schema: schema)),
        ]
        let outcome: Result<Void, any Error>
        var isMyTurn = false
        do {
            try await takeTurn(key, schema, connection, log)
            isMyTurn = true
            try await applyLocked(sql, connection, log, application)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        if connection.isOpen {
            if isMyTurn { try await connection.execute(unlock, key) }
            try await connection.execute(resetStatementTimeout)
            try await connection.execute(resetLockTimeout)
        }
        try outcome.get()
        return migrations.count
    }

    /// Waits while another process migrates this schema. A migration may take hours, and PostgreSQL continues it after
    /// the process that started it has ended.
    private static func takeTurn(
        _ key: [Parameter], _ schema: String, _ connection: Connection, _ log: Logger
    ) async throws {
        var isWaiting = false
        while try await connection.first(tryLock, key) != true {
            if !isWaiting { log.info("schema \(schema): waiting for another process that is migrating it") }
            isWaiting = true
            // Waiting for the lock in PostgreSQL would hold back its cleaning.
            try await Reactor.shared.sleep(for: .milliseconds(200))
        }
    }

    private static func applyLocked(
        _ sql: SchemaSQL, _ connection: Connection, _ log: Logger, _ application: String
    ) async throws {
        let (migrations, schema) = (sql.migrations, sql.schema)
        try await makeTables(schema, connection)
        let applied = try await connection.query(
            Statement(
                """
                SELECT number, name, checksum
                FROM \(schema.quotedIdentifier).migrations
                ORDER BY number
                """
            ) { row in
                Applied(number: Int(try row.int32(0)), name: try row.text(1), checksum: try row.text(2))
            })
        if let last = applied.last, last.number > migrations.count {
            throw MigrationError.databaseIsNewer(
                schema: schema, known: migrations.count, database: last.number, application: application)
        }
        let checksums = try await connection.query(checksum, .texts(migrations.map(\.sql)))
        for (index, earlier) in applied.enumerated() {
            guard earlier.number == index + 1, earlier.checksum == checksums[index] else {
                throw MigrationError.changed(schema: schema, name: migrations[index].name)
            }
        }
        for (migration, checksum) in zip(migrations, checksums).dropFirst(applied.count) {
            try await apply(migration, checksum, schema, connection)
            log.info("schema \(schema): migration \(migration.name) applied")
        }
        try await applyDefinitions(of: sql, connection, log, application)
    }

    private static func applyDefinitions(
        of sql: SchemaSQL, _ connection: Connection, _ log: Logger, _ application: String
    ) async throws {
        let table = "\(sql.schema.quotedIdentifier).definitions"
        let stored = try await connection.first(
            Statement("SELECT version, digest FROM \(table)") {
                (version: Int(try $0.int32(0)), digest: try $0.text(1))
            })
        // A schema may have none; one that does gets them by a later version.
        if sql.definitions.isEmpty, stored != nil { return }
        if let stored, stored.version >= sql.definitionsVersion {
            if stored.version > sql.definitionsVersion {
                throw MigrationError.definitionsAreNewer(
                    schema: sql.schema, known: sql.definitionsVersion, database: stored.version,
                    application: application)
            }
            guard stored.digest == sql.definitionsDigest else {
                throw MigrationError.definitionsDiffer(schema: sql.schema, version: stored.version)
            }
            return
        }
        // Functions may name views that come after them.
        let script = """
            SET LOCAL check_function_bodies = off;
            \(sql.script)
            INSERT INTO \(table) (version, digest, applied_at)
            VALUES (\(sql.definitionsVersion), \(sql.definitionsDigest.quotedLiteral), now())
            ON CONFLICT (only_row) DO UPDATE
            SET version = excluded.version, digest = excluded.digest, applied_at = excluded.applied_at
            """
        if let failure = try await connection.run(script: script) {
            if failure.error.code == .unavailable { throw failure.error }
            throw MigrationError.failed(
                schema: sql.schema, name: "definitions of version \(sql.definitionsVersion)", line: failure.line,
                failure.error)
        }
        if sql.definitionsVersion > 0 {
            log.info("schema \(sql.schema): functions and views of version \(sql.definitionsVersion) applied")
        }
    }

    /// Runs the script and inserts its row in `migrations`. Sent as one query, both run as one transaction.
    private static func apply(
        _ migration: Migration, _ checksum: String, _ schema: String, _ connection: Connection
    ) async throws {
        let script = """
            \(migration.sql)
            ;INSERT INTO \(schema.quotedIdentifier).migrations (number, name, checksum, applied_at)
            VALUES (\(migration.number), \(migration.name.quotedLiteral), \(checksum.quotedLiteral), now())
            """
        guard let failure = try await connection.run(script: script) else { return }
        if failure.error.code == .unavailable { throw failure.error }
        throw MigrationError.failed(
            schema: schema, name: migration.name, line: failure.line, failure.error)
    }

    private static func makeTables(_ schema: String, _ connection: Connection) async throws {
        // IF NOT EXISTS alone would need the right to create schemas even when the schema exists.
        if try await connection.first(hasSchema, .text(schema)) != true {
            try await connection.execute(Statement("CREATE SCHEMA \(schema.quotedIdentifier)"))
        }
        if try await connection.first(hasTable, .text(schema), .text("definitions")) == true { return }
        if try await connection.first(hasTable, .text(schema), .text("migrations")) == true {
            throw MigrationError.beforeBaseline(schema: schema)
        }
        let table = "\(schema.quotedIdentifier).migrations"
        let definitions = "\(schema.quotedIdentifier).definitions"
        let script = """
            CREATE TABLE \(table) (
                number int PRIMARY KEY,
                name text NOT NULL,
                checksum text NOT NULL,
                applied_at timestamptz NOT NULL
            );
            COMMENT ON TABLE \(table) IS 'What was done to this schema, one row for each migration.';
            COMMENT ON COLUMN \(table).number IS 'From 1, without gaps.';
            COMMENT ON COLUMN \(table).name IS 'The name of its file, without .sql.';
            COMMENT ON COLUMN \(table).checksum IS 'SHA-256 of its text, hexadecimal: a migration is never edited.';
            COMMENT ON COLUMN \(table).applied_at IS 'By the clock of the database.';
            CREATE TABLE \(definitions) (
                only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
                version int NOT NULL,
                digest text NOT NULL,
                applied_at timestamptz NOT NULL
            );
            COMMENT ON TABLE \(definitions) IS 'One row: which set of functions and views this schema has.';
            COMMENT ON COLUMN \(definitions).only_row IS 'Always true: there is one row.';
            COMMENT ON COLUMN \(definitions).version IS 'Only grows: an older binary leaves a newer set alone.';
            COMMENT ON COLUMN \(definitions).digest IS 'FNV-1a of their text, hexadecimal.';
            COMMENT ON COLUMN \(definitions).applied_at IS 'By the clock of the database.';
            """
        if let failure = try await connection.run(script: script) { throw failure.error }
    }

    // MARK: SQL

    /// Lifts the statement timeout but limits the wait for locks, because others queue behind a waiting migration.
    private static let beginSession = Statement(
        """
        SELECT set_config('statement_timeout', '0', false), set_config('lock_timeout', '60s', false)
        """)

    private static let resetStatementTimeout = Statement("RESET statement_timeout")
    private static let resetLockTimeout = Statement("RESET lock_timeout")
    private static let tryLock = Statement("SELECT pg_try_advisory_lock($1, $2)") { try $0.bool(0) }
    private static let unlock = Statement("SELECT pg_advisory_unlock($1, $2)")

    private static let hasSchema = Statement("SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)") {
        try $0.bool(0)
    }

    private static let hasTable = Statement(
        """
        SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = $2)
        """
    ) { try $0.bool(0) }

    /// Computed by the database, which provides SHA-256.
    private static let checksum = Statement(
        """
        SELECT encode(sha256(convert_to(sql, 'UTF8')), 'hex')
        FROM unnest($1) WITH ORDINALITY AS migration (sql, number)
        ORDER BY number
        """
    ) { try $0.text(0) }
}
