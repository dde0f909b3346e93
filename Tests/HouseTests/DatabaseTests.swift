import Postgres
import Reactor
import TestSupport
import Testing

@Suite("The migrated database", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct DatabaseTests {
    private func texts(_ sql: String) async throws -> [String] {
        let connection = try await Connection.open(try await MigratedDatabase().superuser)
        defer { connection.close() }
        return try await connection.query(Statement(sql) { try $0.text(0) })
    }

    private static let schemas = "('conversations', 'messaging', 'presence', 'entities', 'notifications')"

    /// Returns the pairs "view reader" from the table in Sources/README.md.
    nonisolated static func published() throws -> Set<String> {
        let readme = try text(of: "Sources/README.md")
        let section = readme.components(after: "## Published views")
        var pairs: Set<String> = []
        for match in section.matches(of: /(?m)^\| `(\w+\.\w+)` \| ([a-z, ]+) \|/) {
            for reader in match.2.split(separator: ",") { pairs.insert("\(match.1) \(reader.filter { $0 != " " })") }
        }
        return pairs
    }

    @Test("services may read only the views of others that Sources/README.md lists, and write none")
    func grants() async throws {
        let published = try Self.published()
        #expect(published.count > 10)
        let granted = try await texts(
            """
            SELECT table_schema || '.' || table_name || ' ' || replace(grantee, 'parley_', '')
                || CASE privilege_type WHEN 'SELECT' THEN '' ELSE ' ' || privilege_type END
            FROM information_schema.role_table_grants
            WHERE table_schema IN \(Self.schemas) AND grantee <> 'parley_' || table_schema
            """)
        #expect(Set(granted) == published)
        let columns = try await texts(
            """
            SELECT c.oid::regclass::text FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
            WHERE a.attacl IS NOT NULL AND c.relnamespace::regnamespace::text IN \(Self.schemas)
            """)
        #expect(columns.isEmpty, "grants of columns")
        let functions = try await texts(
            """
            SELECT p.oid::regprocedure || ' ' || r.rolname
            FROM pg_proc AS p CROSS JOIN pg_roles AS r
            WHERE p.pronamespace::regnamespace::text IN \(Self.schemas) AND r.rolname LIKE 'parley\\_%'
                AND r.rolname <> 'parley_' || p.pronamespace::regnamespace::text
                AND has_function_privilege(r.oid, p.oid, 'EXECUTE')
            """)
        // The one that Sources/README.md names.
        #expect(functions == ["messaging.badge_of(bigint,bigint) parley_notifications"])
    }

    @Test("a service cannot read or write another's tables", arguments: MigratedDatabase.services)
    func refused(service: String) async throws {
        let database = try await MigratedDatabase()
        let published = try Self.published()
        let superuser = try await Connection.open(database.superuser)
        defer { superuser.close() }
        let relations = try await superuser.query(
            Statement(
                """
                SELECT c.relnamespace::regnamespace::text || '.' || c.relname FROM pg_class AS c
                WHERE c.relkind IN ('r', 'p', 'v') AND c.relnamespace::regnamespace::text IN \(Self.schemas)
                """
            ) { try $0.text(0) })
        #expect(relations.count > 30)
        let own = try await Connection.open(database.configuration(of: service))
        defer { own.close() }
        for relation in relations {
            let isOwn = relation.hasPrefix(service + ".")
            let read = await sqlstate { try await own.execute(Statement("SELECT FROM \(relation) LIMIT 1")) }
            let mayRead = isOwn || published.contains("\(relation) \(service)")
            #expect(read == (mayRead ? nil : "42501"), "\(service) reads \(relation)")
            if isOwn { continue }
            let write = await sqlstate { try await own.execute(Statement("DELETE FROM \(relation)")) }
            // 55000: a view of several tables cannot be changed by anyone.
            #expect(write == "42501" || write == "55000", "\(service) writes \(relation)")
        }
        for sql in [
            "CREATE TABLE public.x (y int)", "CREATE ROLE x", "CREATE SCHEMA x", "SELECT lo_create(0)",
            "SELECT lo_creat(0)", "SELECT lo_from_bytea(0, 'x')",
        ] {
            #expect(await sqlstate { try await own.execute(Statement(sql)) } == "42501", "\(sql)")
        }
    }

    @Test("a service's role takes at most half the connections, and cannot connect to databases that each server has")
    func limited() async throws {
        let wrong = try await texts(
            """
            SELECT r.rolname || ' ' || r.rolconnlimit
            FROM pg_roles AS r
            WHERE r.rolname LIKE 'parley\\_%'
                AND (
                    r.rolconnlimit NOT BETWEEN 20 AND greatest(20, current_setting('max_connections')::int / 2)
                    OR has_database_privilege(r.oid, 'postgres', 'CONNECT')
                    OR has_database_privilege(r.oid, 'template1', 'CONNECT')
                )
            """)
        #expect(wrong.isEmpty)
    }

    private func sqlstate(_ body: @ReactorActor () async throws -> Int) async -> String? {
        do {
            _ = try await body()
            return nil
        } catch let error as DatabaseError where error.code != .unavailable {
            return error.code.description
        } catch {
            return "\(error)"
        }
    }

    @Test("D4 a dump of every version that a migration starts from is kept")
    func dumps() throws {
        let missing = try SchemaDump.missing().map { "\($0.service) at \($0.version)" }
        #expect(missing.isEmpty, "run Tests/Migrations/make and commit the dumps that it makes")
        #expect(SchemaDump.all.map(\.number) == Array(1...SchemaDump.all.count))
    }

    @Test("each function and view of the database is in a file of its name, and each file is in the database")
    func definitions() async throws {
        // An index needs `lowered`, so a migration makes it.
        let inDatabase = try await texts(
            """
            SELECT p.pronamespace::regnamespace || '.' || p.proname FROM pg_proc AS p
            WHERE p.pronamespace::regnamespace::text IN \(Self.schemas) AND p.proname <> 'lowered'
            UNION ALL
            SELECT c.oid::regclass::text FROM pg_class AS c
            WHERE c.relkind = 'v' AND c.relnamespace::regnamespace::text IN \(Self.schemas)
            """)
        var inFiles: [String] = []
        for service in MigratedDatabase.services {
            for file in try MigratedDatabase.sql(of: service).definitions {
                let made = file.sql.matches(of: /(?m)^CREATE OR REPLACE (FUNCTION|VIEW) ([a-z_.]+)/).map {
                    String($0.2)
                }
                #expect(made == ["\(service).\(file.name)"] || file.name == "journal", "\(service): \(file.name).sql")
                inFiles += made
            }
        }
        #expect(inDatabase.sorted() == inFiles.sorted())
    }

    @Test("every table, view, function and column has a comment")
    func comments() async throws {
        // The Postgres room comments its own table of migrations. A partition has the columns of its parent.
        let uncommented = try await texts(
            """
            SELECT c.oid::regclass::text FROM pg_class AS c
            WHERE c.relkind IN ('r', 'p', 'v') AND c.relname NOT IN ('migrations', 'definitions')
                AND c.relnamespace::regnamespace::text IN \(Self.schemas) AND obj_description(c.oid, 'pg_class') IS NULL
            UNION ALL
            SELECT c.oid::regclass || '.' || a.attname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
            WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT IN ('migrations', 'definitions') AND a.attnum > 0
                AND NOT a.attisdropped AND c.relnamespace::regnamespace::text IN \(Self.schemas)
                AND col_description(c.oid, a.attnum) IS NULL
            UNION ALL
            SELECT p.oid::regprocedure::text FROM pg_proc AS p
            WHERE p.pronamespace::regnamespace::text IN \(Self.schemas) AND obj_description(p.oid, 'pg_proc') IS NULL
            """)
        #expect(uncommented.isEmpty)
    }

    /// Tables whose key begins with neither account nor conversation, with the reason.
    private static let otherKeys = [
        "conversations.retired_usernames": "looked up by name before there is an account",
        "conversations.signing_keys": "a handful of rows for the whole service",
        "conversations.sign_in_attempts": "counted by name or address, before the account is known",
        "conversations.registration_codes": "looked up by code, before there is an account",
        "conversations.audit": "listed by when it was done",
        "conversations.mails": "sent in the order in which they are due, some of them to nobody",
        "conversations.mailed_codes": "looked up by address, some of which are nobody's",
        "conversations.page_sign_ins": "looked up by state and code, before the account is known",
        "conversations.device_links": "looked up by code, before the account is known",
        "conversations.name_suffixes": "found by typed text, before the account is known",
        "conversations.retiring_key": "one row",
        "epoch": "one row", "lanes": "one row per writing connection", "journal": "read by lane",
        "journal_default": "read by lane", "followed": "one row per followed lane",
        "sealing_keys": "a handful of rows", "migrations": "one row per migration",
        "definitions": "one row", "presence.gateways": "one row per gateway",
        "presence.last_change": "one row",
        "entities.model_days": "kept for two days",
    ]

    @Test("every key begins with an account or a conversation, so that tables can be spread by them")
    func keys() async throws {
        let firstColumns = try await texts(
            """
            SELECT c.relnamespace::regnamespace::text || '.' || c.relname || ' ' || coalesce(a.attname, 'no key')
            FROM pg_class AS c
            LEFT JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary
            LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
            WHERE c.relkind IN ('r', 'p') AND c.relnamespace::regnamespace::text IN \(Self.schemas)
            """)
        #expect(firstColumns.count > 20)
        for entry in firstColumns {
            let parts = entry.split(separator: " ", maxSplits: 1).map(String.init)
            if ["account", "conversation"].contains(parts[1]) { continue }
            let name = String(parts[0].drop { $0 != "." }.dropFirst())
            #expect(Self.otherKeys[parts[0]] != nil || Self.otherKeys[name] != nil, "\(entry)")
        }
    }

    @Test("no foreign key crosses a schema, and none leaves an account's or a conversation's rows")
    func foreignKeys() async throws {
        let crossing = try await texts(
            """
            SELECT conname::text FROM pg_constraint AS k
            JOIN pg_class AS a ON a.oid = k.conrelid JOIN pg_class AS b ON b.oid = k.confrelid
            WHERE k.contype = 'f' AND (
                a.relnamespace <> b.relnamespace
                OR (SELECT attname FROM pg_attribute WHERE attrelid = k.conrelid AND attnum = k.conkey[1])
                    NOT IN ('account', 'conversation')
                OR (SELECT attname FROM pg_attribute WHERE attrelid = k.conrelid AND attnum = k.conkey[1])
                    <> (SELECT attname FROM pg_attribute WHERE attrelid = k.confrelid AND attnum = k.confkey[1]))
            """)
        #expect(crossing.isEmpty)
    }

    @Test("text ids sort by bytes, regardless of the database's locale")
    func collations() async throws {
        let wrong = try await texts(
            """
            SELECT c.oid::regclass || '.' || a.attname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
            JOIN pg_index AS i ON i.indrelid = c.oid AND a.attnum = ANY (i.indkey)
            WHERE a.atttypid = 'text'::regtype AND a.attcollation <> '"C"'::regcollation
                AND c.relnamespace::regnamespace::text IN \(Self.schemas)
            """)
        #expect(wrong.isEmpty)
    }
}

extension String {
    /// Returns the text from the first line equal to `heading` to the next `##` heading.
    fileprivate func components(after heading: String) -> String {
        let lines = split(separator: "\n", omittingEmptySubsequences: false)
        let section = lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("## ") }
        return section.joined(separator: "\n")
    }
}

@Suite("Numbers in SQL have names")
struct NumberTests {
    /// Columns with the numbers of an enum of the contract or of a service.
    private static var compared: Regex<Substring> {
        // The usual boundaries do not divide `c.kind`.
        /\b(?:kind|section|role|status|state|write_refusal)\b (?:NOT )?(?:=|<>|<|>|<=|>=|IN \() ?\d/.wordBoundaryKind(
            .simple)
    }

    @Test("no statement compares a kind, section, role, status, state or refusal with a bare number")
    func names() {
        let compared = Self.compared
        for (path, text) in Tree.sql where path.split(separator: "/").last?.first?.isNumber == false {
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                #expect(!line.contains(compared), "\(path):\(index + 1): write {Name.case}")
            }
        }
        for file in SourceFile.written where file.path.hasPrefix("Services/") {
            for (index, line) in file.lines.enumerated() where line.contains(compared) {
                // Of HTTP's statuses, Swift compares one.
                #expect(line.contains("=="), "\(file.path):\(index + 1): write \\(Name.case.rawValue)")
            }
        }
        #expect("AND c.kind = 2".contains(compared) && "status NOT IN (2, 4)".contains(compared))
    }
}
