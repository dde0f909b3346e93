import Foundation
import Reactor
import TestSupport
import Testing

@testable import Postgres

/// Runs the real programs on a real PostgreSQL, from every earlier version.
@Suite("Migrations of the real programs", .serialized, .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct MigrationTests {
    @Test(
        "D4 from every earlier version `parley migrate` makes the same schema as from nothing, and keeps every row",
        arguments: SchemaDump.all)
    func everyVersion(dump: SchemaDump) async throws {
        let scene = try await DumpScene.shared
        let url = try await scene.restore(dump)
        let columns = try await DumpScene.columns(of: url)
        let before = try await DumpScene.rows(of: url, columns: columns)
        for service in MigratedDatabase.services {
            let versions = try await DumpScene.versions(of: service, at: url)
            #expect(versions.count == dump.versions[service] ?? 0, "\(service): the dump's first line")
            #expect(versions == versions.indices.map { $0 + 1 }, "\(service)")
        }
        for (table, rows) in before { #expect(!rows.isEmpty, "\(table) has no rows to keep") }
        let outcome = try await scene.migrate(url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        for service in MigratedDatabase.services {
            let newest = try MigratedDatabase.sql(of: service).migrations.count
            #expect(try await DumpScene.versions(of: service, at: url) == Array(1...newest), "\(service)")
        }
        let schema = try await DumpScene.schema(of: url)
        expectSame(schema, scene.fresh)
        let after = try await DumpScene.rows(of: url, columns: columns)
        // The version of the functions and views grows. Rows are compared as multisets.
        for (table, rows) in before where !table.hasSuffix(".definitions") {
            let left = Dictionary(after[table, default: []].map { ($0, 1) }, uniquingKeysWith: +)
            for (row, count) in Dictionary(rows.map { ($0, 1) }, uniquingKeysWith: +) {
                #expect(left[row, default: 0] >= count, "\(table) lost \(row)")
            }
        }
    }

    @Test("D4 two simultaneous runs of `parley migrate` both succeed")
    func together() async throws {
        let scene = try await DumpScene.shared
        let oldest = try #require(SchemaDump.all.first)
        let url = try await scene.restore(oldest)
        // The lock stops both before the first service looks for new migrations.
        let holder = try await DumpScene.connect(url)
        try await holder.execute(
            Statement("SELECT pg_advisory_lock($1, $2)"), .int32(AdvisoryLock.migrations.rawValue),
            .int32(AdvisoryLock.migrationsKey(schema: "conversations")))
        async let first = scene.migrate(url)
        async let second = scene.migrate(url)
        do {
            try await DumpScene.eventually("both wait for their turn") {
                try await holder.first(Self.waitingForTurn, .text("parley-conversations-migrations")) == 2
            }
        } catch {
            Issue.record(error)
        }
        holder.close()
        for outcome in try await [first, second] { #expect(outcome.status == 0, "\(outcome.errors)") }
        expectSame(try await DumpScene.schema(of: url), scene.fresh)
    }

    @Test("D4 two replicas of every service start together on an empty database, apply everything once and serve")
    func replicas() async throws {
        let scene = try await DumpScene.shared
        let (another, folder) = (try await scene.empty(), try TestFolder())
        var running: [(name: String, process: Program.Running)] = []
        for service in MigratedDatabase.services {
            for number in 1...2 {
                let name = "\(service)-\(number)"
                let environment = scene.environment(of: service, at: another, folder.path, number: number)
                running.append((name, try scene.program("parley-\(service)").start([], environment: environment)))
            }
        }
        for (name, process) in running {
            try await DumpScene.eventually(within: .seconds(40), "\(name) serves") {
                process.output.contains(" ready ")
            }
        }
        for service in MigratedDatabase.services {
            let newest = try MigratedDatabase.sql(of: service).migrations.count
            #expect(try await DumpScene.versions(of: service, at: another) == Array(1...newest), "\(service)")
            let said = running.filter { $0.name.hasPrefix(service) }.map { $0.process.output }.joined()
            let applied = said.matches(of: /: migration (\S+) applied/).map { String($0.1) }
            #expect(applied.count == newest, "\(service): \(applied)")
            #expect(Set(applied).count == applied.count, "\(service): each applied once")
            let definitions = said.matches(of: /functions and views of version \d+ applied/).count
            #expect(definitions == 1, "\(service)")
        }
        for (_, process) in running { process.signal(SIGTERM) }
        for (name, process) in running { #expect(try await process.end() == 0, "\(name): \(process.output)") }
        expectSame(try await DumpScene.schema(of: another), scene.fresh)
        folder.remove()
    }

    @Test(
        "D4 interrupted while it applies functions, a program leaves nothing behind, and the next applies all of them")
    func killed() async throws {
        let scene = try await DumpScene.shared
        let (url, folder) = (try await scene.restore(try #require(SchemaDump.all.first)), try TestFolder())
        let before = try await scene.program("parley-conversations").run(
            ["--migrate-only"], environment: scene.environment(of: "conversations", at: url, folder.path))
        #expect(before.status == 0, "\(before.errors)")
        // As an older version left it: an older set, in which one function is missing. Messaging applies the new set
        // and has made the function when it waits for the view, which a reader locks.
        try await DumpScene.run(
            """
            UPDATE messaging.definitions SET version = 0;
            DROP FUNCTION messaging.unread(bigint, bigint, bigint, bigint, bigint)
            """,
            at: url)
        let reader = try await DumpScene.connect(url)
        try await reader.execute(Statement("BEGIN"))
        try await reader.execute(Statement("LOCK TABLE messaging.readable IN ACCESS SHARE MODE"))
        let observer = try await DumpScene.connect(url)
        func halfWay(not earlier: Int32 = 0) async throws -> Int32 {
            var backend: Int32?
            try await DumpScene.eventually("it is half-way") {
                backend = try await observer.first(Self.waitsForTable)
                return backend.map { $0 != earlier } ?? false
            }
            #expect(try await observer.first(Self.hasFunction) == false, "none of it is visible")
            return try #require(backend)
        }
        let messaging = try scene.program("parley-messaging").start(
            ["--migrate-only"], environment: scene.environment(of: "messaging", at: url, folder.path))

        // Its connection is cut off, and it starts again.
        let first = try await halfWay()
        try await observer.execute(Statement("SELECT pg_terminate_backend($1)"), .int32(first))
        _ = try await halfWay(not: first)

        // It is killed. PostgreSQL still runs its last statement to the end, and the next program waits for that.
        messaging.signal(SIGKILL)
        #expect(try await messaging.end() == SIGKILL)
        async let next = scene.migrate(url)
        do {
            try await DumpScene.eventually("the next waits for its turn") {
                try await observer.first(Self.waitingForTurn, .text("parley-messaging-migrations")) == 1
            }
        } catch {
            Issue.record(error)
        }
        #expect(try await observer.first(Self.hasFunction) == false)
        try await reader.execute(Statement("COMMIT"))
        let outcome = try await next
        #expect(outcome.status == 0, "\(outcome.errors)")
        expectSame(try await DumpScene.schema(of: url), scene.fresh)
        reader.close()
        observer.close()
        folder.remove()
    }

    private static let waitsForTable = Statement(
        """
        SELECT pid
        FROM pg_stat_activity
        WHERE application_name = 'parley-messaging-migrations' AND wait_event_type = 'Lock' AND wait_event = 'relation'
        """
    ) { try $0.int32(0) }

    private static let hasFunction = Statement("SELECT to_regproc('messaging.unread') IS NOT NULL") { try $0.bool(0) }

    /// Counts the sessions that have tried to get the lock and do not hold it.
    private static let waitingForTurn = Statement(
        """
        SELECT count(*)
        FROM pg_stat_activity AS a
        WHERE a.datname = current_database() AND a.application_name = $1
            AND a.state = 'idle' AND a.query LIKE '%pg_try_advisory_lock%'
            AND NOT EXISTS (SELECT FROM pg_locks AS l WHERE l.pid = a.pid AND l.locktype = 'advisory')
        """
    ) { try $0.int64(0) }

    @Test("D4 an older program on a newer schema reports that and ends with 1 before it serves or changes anything")
    func newer() async throws {
        let scene = try await DumpScene.shared
        let (url, folder) = (try await scene.restore(try #require(SchemaDump.all.last)), try TestFolder())
        #expect(try await scene.migrate(url).status == 0)
        for service in MigratedDatabase.services {
            let known = try MigratedDatabase.sql(of: service).migrations.count
            try await DumpScene.run(
                """
                INSERT INTO \(service).migrations (number, name, checksum, applied_at)
                VALUES (\(known + 1), '\(known + 1)_of_tomorrow', 'unknown here', now())
                """, at: url)
            let line =
                "schema \(service): this binary knows migrations up to \(known), but the database is at \(known + 1); "
                + "run a newer parley-\(service)"
            let environment = scene.environment(of: service, at: url, folder.path)
            let program = try scene.program("parley-\(service)")
            for arguments in [["--migrate-only"], []] {
                let outcome = try await program.run(arguments, environment: environment)
                #expect(outcome.status == 1 && outcome.errors.contains("parley-\(service): \(line)\n"), "\(outcome)")
            }
            let outcome = try await scene.migrate(url)
            #expect(outcome.status == 1 && outcome.errors.contains(line), "\(outcome)")
            #expect(outcome.errors.contains("(migration_failed)"), "\(outcome)")
            try await DumpScene.run("DELETE FROM \(service).migrations WHERE number > \(known)", at: url)
        }
        expectSame(try await DumpScene.schema(of: url), scene.fresh)
        folder.remove()
    }

    @Test("D4 an older program leaves newer functions alone, and a database from before 0.1.0 as it is")
    func olderDefinitions() async throws {
        let scene = try await DumpScene.shared
        let (url, folder) = (try await scene.empty(), try TestFolder())
        #expect(try await scene.migrate(url).status == 0)
        let environment = scene.environment(of: "messaging", at: url, folder.path)
        let program = try scene.program("parley-messaging")
        func expectRefused(_ text: String) async throws {
            let before = try await DumpScene.schema(of: url)
            for arguments in [["--migrate-only"], []] {
                let outcome = try await program.run(arguments, environment: environment)
                #expect(outcome.status == 1 && outcome.errors.contains(text), "\(outcome)")
            }
            let outcome = try await scene.migrate(url)
            #expect(outcome.status == 1 && outcome.errors.contains(text), "\(outcome)")
            expectSame(try await DumpScene.schema(of: url), before)
        }
        try await DumpScene.run("UPDATE messaging.definitions SET version = version + 1", at: url)
        try await expectRefused("run a newer parley-messaging")
        try await DumpScene.run("DROP TABLE messaging.definitions", at: url)
        try await expectRefused("schema messaging was made before 0.1.0 and cannot be migrated; nothing was changed.")
        folder.remove()
    }

    private func expectSame(_ schema: String, _ expected: String) {
        guard schema != expected else { return }
        let (here, there) = (schema.split(separator: "\n"), expected.split(separator: "\n"))
        let difference = there.difference(from: here).prefix(20).map { change in
            switch change {
            case .insert(_, let line, _): "missing: \(line)"
            case .remove(_, let line, _): "unexpected: \(line)"
            }
        }
        Issue.record("the schema differs:\n\(difference.joined(separator: "\n"))")
    }
}
