import Foundation
import Logging
import Reactor
import TestSupport
import Testing

@testable import Postgres

/// Makes missing dumps. `Tests/Migrations/make` runs it.
@Suite("Dumps of the schemas", .enabled(if: ProcessInfo.processInfo.environment["PARLEY_MAKE_DUMPS"] != nil))
@ReactorActor
struct MakeDumps {
    @Test("the missing dumps are made")
    func make() async throws {
        var dumps = SchemaDump.all
        while true {
            let missing = Dictionary(grouping: try SchemaDump.missing(dumps), by: \.service)
            if missing.isEmpty { break }
            let dump = try await next(after: dumps.last, missing: missing.mapValues { $0[0].version })
            let path = SchemaDump.folder.appending(path: "dumps/\(String(format: "%04d", dump.number)).sql")
            try Data(dump.text.utf8).write(to: path)
            print("\(path.path): \(dump)")
            dumps.append(dump)
        }
    }

    /// Makes the next dump: services with a missing version at that version, others one migration further.
    private func next(after last: SchemaDump?, missing: [String: Int]) async throws -> SchemaDump {
        let number = (last?.number ?? 0) + 1
        let url = try await TestPostgres.shared.makeDatabase()
        _ = try await MigratedDatabase()  // Makes the roles.
        if let last { try await DumpScene.run(last.sql, at: url) }
        // Also after a dump, which may be older than a service.
        try await DumpScene.run(try DumpScene.bootstrap, at: url)
        var versions: [String: Int] = [:]
        for service in MigratedDatabase.services {
            var sql = try MigratedDatabase.sql(of: service)
            let version = missing[service] ?? min((last?.versions[service] ?? 0) + 1, sql.migrations.count)
            versions[service] = version
            let connection = try await DumpScene.connect(
                url.replacing(/\/\/[^@]*@/, with: "//parley_\(service):test@", maxReplacements: 1))
            defer { connection.close() }
            // An older version keeps the definitions that the dump before it has: today's may need newer tables.
            if version < sql.migrations.count { (sql.definitions, sql.definitionsVersion) = ([], 0) }
            sql.migrations = Array(sql.migrations.prefix(version))
            try await Migrations.apply(
                sql, on: connection, log: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() })
        }
        if let data = try? text("Tests/Migrations/data/\(String(format: "%04d", number)).sql") {
            try await DumpScene.run(data, at: url)
        }
        try await DumpScene.run(settled, at: url)
        for (table, rows) in try await DumpScene.rows(of: url, columns: try await DumpScene.columns(of: url)) {
            #expect(!rows.isEmpty, "\(table) is empty: add rows in Tests/Migrations/data")
        }
        let sql = try await DumpScene.dump(url, ["--inserts", "--rows-per-insert=100"])
        // The beginning of pg_dump's output: bodies of functions name things that are created later.
        let head = "SET check_function_bodies = false;\nSELECT pg_catalog.set_config('search_path', '', false);\n"
        return SchemaDump(number: number, versions: versions, sql: head + sql)
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: MigratedDatabase.root.appending(path: path), encoding: .utf8)
    }

    /// Replaces random and time-dependent values of migrations, so that the same sources give the same dump.
    private let settled = """
        DO $$
        DECLARE
            service text;
        BEGIN
            FOREACH service IN ARRAY ARRAY['conversations', 'messaging', 'presence', 'entities', 'notifications'] LOOP
                EXECUTE format(
                    'UPDATE %I.migrations SET applied_at = to_timestamp(1741000000 + number)', service);
                EXECUTE format('UPDATE %I.definitions SET applied_at = to_timestamp(1741000000)', service);
                IF to_regclass(service || '.epoch') IS NOT NULL THEN
                    EXECUTE format('UPDATE %I.epoch SET id = md5(%L)', service, service);
                END IF;
            END LOOP;
            IF to_regclass('conversations.retiring_key') IS NOT NULL THEN
                UPDATE conversations.retiring_key SET key = sha256('of dumps');
            END IF;
        END
        $$
        """
}
