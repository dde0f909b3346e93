import Postgres
import Reactor
import TestSupport
import Testing

@testable import ServiceKit

@Suite("Keeping the journal's partitions", .serialized, .timeLimit(.minutes(8)))
@ReactorActor
struct KeepJournalTests {
    /// A migrated database, as one service sees it.
    @ReactorActor
    private final class Scene {
        static let day: Int64 = 86_400_000_000

        let service: String
        let migrated: MigratedDatabase
        let connection: Connection
        let now: Int64

        init(_ service: String = "entities") async throws {
            self.service = service
            migrated = try await MigratedDatabase()
            connection = try await Connection.open(migrated.configuration(of: service, settings: plannerSettings))
            now =
                try await connection.first(
                    Statement("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint") { try $0.int64(0) })
                ?? 0
        }

        func keep(at: Int64? = nil, on other: Connection? = nil) async throws -> Int32? {
            try await (other ?? connection).first(
                Statement("SELECT \(service).keep_journal($1)") { try $0.int32(0) }, .int64(at ?? now))
        }

        /// Adds a partition with one row, as keep_journal made it `days` ago.
        func addPartition(daysAgo days: Int64) async throws {
            let start = now - now % Self.day - days * Self.day
            let name = "\(service).journal_\(try await name(daysAgo: days))"
            try await connection.execute(Statement("CREATE TABLE \(name) (LIKE \(service).journal INCLUDING ALL)"))
            try await connection.execute(
                Statement(
                    """
                    ALTER TABLE \(service).journal
                    ATTACH PARTITION \(name) FOR VALUES FROM (\(start)) TO (\(start + Self.day))
                    """))
            try await write(number: 1000 - days, at: start + 1)
        }

        func write(number: Int64, at: Int64) async throws {
            try await connection.execute(
                Statement(
                    """
                    INSERT INTO \(service).journal
                    VALUES (1, $1, $2, '{1}', '{1}', '{1}', '{1}', '{1}', '{1}')
                    """), .int64(number), .int64(at))
        }

        func name(daysAgo days: Int64) async throws -> String {
            try await connection.first(
                Statement("SELECT to_char(to_timestamp($1 / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD')") {
                    try $0.text(0)
                }, .int64(now - days * Self.day)) ?? ""
        }

        func partitions() async throws -> Set<String> {
            Set(
                try await connection.query(
                    Statement(
                        """
                        SELECT c.relname::text FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
                        WHERE i.inhparent = '\(service).journal'::regclass
                        """
                    ) { try $0.text(0) }))
        }

        func expected(_ days: ClosedRange<Int64>) async throws -> Set<String> {
            var names: Set = ["journal_default"]
            for day in days { names.insert("journal_\(try await name(daysAgo: day))") }
            return names
        }

        func rows(of table: String = "journal") async throws -> [Int64] {
            try await connection.query(
                Statement("SELECT number FROM \(service).\(table) ORDER BY number") { try $0.int64(0) })
        }
    }

    @Test(
        "partitions for today and the next three days are created, and rows written before are moved into them",
        arguments: ["conversations", "messaging", "entities"])
    func ahead(service: String) async throws {
        let scene = try await Scene(service)
        try await scene.write(number: 1, at: scene.now)
        try await scene.write(number: 2, at: scene.now + Scene.day)
        try await scene.write(number: 3, at: scene.now + 9 * Scene.day)
        #expect(try await scene.keep() == 4)
        #expect(try await scene.partitions() == scene.expected(-3...0))
        #expect(try await scene.rows() == [1, 2, 3])
        #expect(try await scene.rows(of: "journal_default") == [3])
        #expect(try await scene.rows(of: "journal_\(try await scene.name(daysAgo: 0))") == [1])
        #expect(try await scene.keep() == 0, "a second call changes nothing")
        try await scene.write(number: 4, at: scene.now + 2 * Scene.day)
        #expect(try await scene.rows(of: "journal_default") == [3])
    }

    @Test("partitions older than seven days are dropped, younger ones are kept")
    func drops() async throws {
        let scene = try await Scene()
        for day: Int64 in 1...10 { try await scene.addPartition(daysAgo: day) }
        try await scene.write(number: 5, at: scene.now - 30 * Scene.day)
        #expect(try await scene.keep() == 3 + 4)
        #expect(try await scene.partitions() == scene.expected(-3...7))
        #expect(try await scene.rows() == Array(993...999))
    }

    @Test(
        "a service with a wrong clock drops no young partition, loses no row, and creates the partitions needed",
        arguments: [-3600, 3600, -10 * 86400, 10 * 86400, 400 * 86400] as [Int64])
    func wrongClock(seconds: Int64) async throws {
        let scene = try await Scene()
        for day: Int64 in 1...8 { try await scene.addPartition(daysAgo: day) }
        try await scene.write(number: 2000, at: scene.now)
        _ = try await scene.keep(at: scene.now + seconds * 1_000_000)
        #expect(try await scene.partitions().isSuperset(of: scene.expected(-3...7)))
        #expect(try await Set(scene.rows()).isSuperset(of: Array(993...999) + [2000]))
        _ = try await scene.keep()
        #expect(try await scene.partitions() == scene.expected(-3...7))
        #expect(try await scene.rows() == Array(993...999) + [2000])
    }

    @Test("journal rows are dated by the database, whatever the service's own clock says")
    func dated() async throws {
        let scene = try await JournalScene()
        try await scene.publish(1...1)
        let wrong =
            "SELECT count(*) FROM entities.journal "
            + "WHERE abs(at - extract(epoch FROM clock_timestamp()) * 1000000) > 60000000"
        #expect(try await scene.number(wrong) == 0)
    }

    @Test("a long reader delays the work, others are not held up for long, and the next call completes it")
    func held() async throws {
        let scene = try await Scene()
        for day: Int64 in 7...9 { try await scene.addPartition(daysAgo: day) }
        let reader = try await Connection.open(scene.migrated.superuser)
        let writer = try await Connection.open(scene.migrated.configuration(of: "entities"))
        try await reader.transaction { transaction in
            _ = try await transaction.query(
                Statement("SELECT count(*) FROM entities.journal") { try $0.int64(0) })
            let keeping = Task { @ReactorActor in try await scene.keep() }
            try await Reactor.shared.sleep(for: .milliseconds(20))
            try await writer.execute(
                Statement("INSERT INTO entities.journal SELECT 2, 1, 1, '{1}', '{1}', '{1}', '{1}', '{1}', '{1}'"))
            #expect(try await keeping.value == -1, "both end while the reader still reads")
            #expect(try await scene.partitions() == scene.expected(7...9), "nothing is half done")
        }
        #expect(try await scene.keep() == 2 + 4)
        #expect(try await scene.partitions() == scene.expected(-3...0).union(scene.expected(7...7)))
    }

    @Test("partitions are maintained while others write and read without pause, and nothing of theirs is lost or fails")
    func busy() async throws {
        let scene = try await Scene()
        for day: Int64 in 1...9 { try await scene.addPartition(daysAgo: day) }
        let running = Running()
        var tasks: [Task<Int, any Error>] = []
        for lane in 11...14 {
            let connection = try await Connection.open(scene.migrated.configuration(of: "entities"))
            tasks.append(
                Task { @ReactorActor in
                    var count = 0
                    while running.isRunning {
                        count += 1
                        try await connection.execute(
                            Statement(
                                """
                                INSERT INTO entities.journal
                                VALUES ($1, $2, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
                                    '{1}', '{1}', '{1}', '{1}', '{1}', '{1}')
                                """), .int32(Int32(lane)), .int64(Int64(count)))
                        let seen = try await connection.first(
                            Statement("SELECT count(*) FROM entities.journal WHERE lane = $1") { try $0.int64(0) },
                            .int32(Int32(lane)))
                        #expect(seen == Int64(count))
                    }
                    return count
                })
        }
        try await eventually {
            _ = try await scene.keep()
            return try await scene.partitions() == scene.expected(-3...7)
        }
        running.isRunning = false
        var written = 0
        for task in tasks { written += try await task.value }
        #expect(try await scene.rows().count == written + 7)
    }

    @ReactorActor
    private final class Running {
        var isRunning = true
    }

    @Test("two replicas that call at the same time do not fail, and the work is done once")
    func together() async throws {
        let scene = try await Scene()
        for day: Int64 in 8...9 { try await scene.addPartition(daysAgo: day) }
        let other = try await Connection.open(scene.migrated.configuration(of: "entities"))
        for _ in 0..<5 {
            async let first = scene.keep()
            async let second = scene.keep(on: other)
            let results = try await [first, second]
            #expect(results.allSatisfy { $0 ?? -2 >= 0 }, "\(results)")
        }
        #expect(try await scene.partitions() == scene.expected(-3...0))
    }
}
