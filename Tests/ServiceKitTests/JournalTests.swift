import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import ServiceKit

@Suite("The journal", .serialized, .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct JournalTests {
    private static let folder = Folder()
    private static var last = 0

    /// A service's journal over a real database, and everything it publishes.
    @ReactorActor
    private final class Scene {
        let database: MigratedDatabase
        let superuser: Connection
        let journal: Journal
        let publisher: UpdatePublisher
        let subscriber: UpdateSubscriber
        private(set) var received: [(lane: UInt32, number: Int64, position: Int64)] = []
        /// How often lanes were claimed.
        let claims = Claims()

        @ReactorActor
        final class Claims {
            var count = 0
        }

        init(lanes: Int) async throws {
            JournalTests.last += 1
            let endpoint = "ipc://\(JournalTests.folder.path)/\(JournalTests.last)"
            database = try await MigratedDatabase()
            superuser = try await Connection.open(database.superuser)
            publisher = UpdatePublisher(endpoint: endpoint, log: quiet)
            try publisher.start()
            subscriber = UpdateSubscriber(endpoints: [endpoint], log: quiet)
            let claims = claims
            journal = Journal(
                schema: "entities", database: database.configuration(of: "entities", settings: plannerSettings),
                laneCount: lanes, publisher: publisher, log: quiet, claimed: { claims.count += 1 })
            try await journal.start()
            try subscriber.start { [unowned self] header, _ in
                received.append((header.lane, header.number, header.position))
            }
            try await eventually { subscriber.isConnected }
        }

        isolated deinit {
            subscriber.close()
            publisher.close()
            journal.close()
        }

        private static let advance = Statement(
            """
            INSERT INTO entities.heads AS h (account, position) VALUES ($1, 1)
            ON CONFLICT (account) DO UPDATE SET position = h.position + 1
            RETURNING position
            """
        ) { try $0.position(0) }

        /// One transaction that publishes `count` Updates of an account's stream.
        func change(account: AccountNumber, count: Int, thenThrow: Bool = false) async throws {
            try await journal.change { change in
                for _ in 0..<count {
                    guard let position = try await change.first(Self.advance, .number(account)) else { continue }
                    change.publish(
                        PendingUpdate(
                            Reminder(), as: Kind.one, subject: account, owner: "u\(account)",
                            position: position,
                            audience: [account]))
                }
                if thenThrow { throw Refusal("undone", "") }
            }
        }

        func number(_ sql: String) async throws -> Int64 {
            try await superuser.first(Statement("SELECT (\(sql))::bigint") { try $0.int64(0) }) ?? -1
        }

        func checkDense() async throws {
            #expect(
                try await number(
                    """
                    SELECT count(*) FROM (
                        SELECT lane, number, cardinality(positions) AS c, lag(xmin::text::bigint) OVER w AS earlier,
                            xmin::text::bigint AS x, lead(number) OVER w AS next
                        FROM entities.journal_default WINDOW w AS (PARTITION BY lane ORDER BY number)
                    ) AS j JOIN entities.lanes AS l USING (lane)
                    WHERE coalesce(next, l.number + 1) <> j.number + c OR earlier >= x
                    """) == 0, "dense, in the order of the transactions")
            for (_, numbers) in Dictionary(grouping: received, by: \.lane).mapValues({ $0.map(\.number) }) {
                #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count, "published in order, once")
            }
        }
    }

    @Test("numbers and publishing are dense and in order of commit, with 4 writers and random rollbacks")
    func concurrentWriters() async throws {
        let scene = try await Scene(lanes: 4)
        var expected = 0
        var tasks: [Task<Void, Never>] = []
        var random = SystemRandomNumberGenerator()
        for _ in 0..<400 {
            let (account, count) = (Int64.random(in: 1...6, using: &random), Int.random(in: 0...3, using: &random))
            let isUndone = Int.random(in: 0..<4, using: &random) == 0
            if !isUndone { expected += count }
            tasks.append(
                Task { @ReactorActor in
                    do {
                        try await scene.change(account: AccountNumber(account), count: count, thenThrow: isUndone)
                        #expect(!isUndone)
                    } catch {
                        #expect((error as? Refusal)?.code == "undone")
                    }
                })
        }
        for task in tasks { await task.value }
        try await eventually { scene.received.count >= expected }
        #expect(scene.received.count == expected, "nothing that was rolled back")
        #expect(try await scene.number("SELECT sum(number) FROM entities.lanes") == Int64(expected))
        #expect(try await scene.number("SELECT sum(position) FROM entities.heads") == Int64(expected))
        #expect(Set(scene.received.map(\.lane)).count == 4)
        for (_, numbers) in Dictionary(grouping: scene.received, by: \.lane).mapValues({ $0.map(\.number) }) {
            #expect(numbers == Array(1...Int64(numbers.count)))
        }
        try await scene.checkDense()
    }

    @Test("a lost lane fails the work under way, is claimed again, and continues where it ended")
    func lostLane() async throws {
        let scene = try await Scene(lanes: 1)
        for _ in 0..<3 { try await scene.change(account: 1, count: 2) }
        let lane = try scene.journal.lanes[0].current
        let lock = try await Connection.open(scene.database.superuser)
        try await lock.transaction { transaction in
            try await transaction.execute(Statement("LOCK TABLE entities.heads IN ACCESS EXCLUSIVE MODE"))
            let failed = Task { @ReactorActor in
                do {
                    try await scene.change(account: 1, count: 1)
                    return "done"
                } catch let error as DatabaseError {
                    return error.refusal?.code.rawValue ?? "\(error)"
                } catch {
                    return "\(error)"
                }
            }
            try await eventually {
                try await scene.number(
                    "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'entities.heads'::regclass") > 0
            }
            try await scene.superuser.execute(Statement("SELECT pg_terminate_backend(\(lane.connection.backend))"))
            #expect(await failed.value == "unavailable")
        }
        try await eventually { scene.journal.lanes[0].isUsable }
        // The old session may end a moment after its connection. Then another number is the lowest free one.
        let isSameLane = try scene.journal.lanes[0].current.number == 1
        try await scene.change(account: 1, count: 1)
        try await eventually { scene.received.count >= 7 }
        #expect(scene.received.map(\.number) == Array(1...6) + [isSameLane ? 7 : 1])
        #expect(scene.received.map(\.position) == Array(1...7))
        #expect(scene.claims.count == 2, "each claim calls for a heartbeat")
        try await scene.checkDense()
    }

    @Test("a change that deadlocks with another runs again, and is published once")
    func deadlock() async throws {
        let scene = try await Scene(lanes: 2)
        let journal = scene.journal
        let counter = Counter()
        @Sendable @ReactorActor
        func change(_ first: Int64, _ second: Int64) async throws {
            try await journal.change { change in
                counter.runs += 1
                for account in [first, second] {
                    try await change.execute(
                        Statement(
                            """
                            INSERT INTO entities.heads AS h (account, position) VALUES ($1, 1)
                            ON CONFLICT (account) DO UPDATE SET position = h.position + 1
                            """), .int64(account))
                    if account == first { counter.firsts += 1 }
                    // Waits until the other has its first row, too.
                    try await eventually { counter.firsts >= 2 }
                }
                change.publish(
                    PendingUpdate(
                        Reminder(), as: Kind.one, subject: AccountNumber(1), owner: "u1", position: 1,
                        audience: [1]))
            }
        }
        let tasks = [(1, 2), (2, 1)].map { pair in Task { @ReactorActor in try await change(pair.0, pair.1) } }
        for task in tasks { try await task.value }
        #expect(counter.runs >= 3)
        try await eventually { scene.received.count >= 2 }
        #expect(scene.received.count == 2)
        #expect(try await scene.number("SELECT sum(position) FROM entities.heads") == 4)
        try await scene.checkDense()
    }

    @ReactorActor
    private final class Counter {
        var runs = 0
        var firsts = 0
    }

    @Test("two journals of one service never share a lane")
    func twoProcesses() async throws {
        let scene = try await Scene(lanes: 2)
        let other = Journal(
            schema: "entities", database: scene.database.configuration(of: "entities"), laneCount: 2,
            publisher: scene.publisher, log: quiet)
        try await other.start()
        defer { other.close() }
        let numbers = try (scene.journal.lanes + other.lanes).map { try $0.current.number }
        #expect(numbers.sorted() == [1, 2, 3, 4])
    }
}

@Suite("Migrations of the real services", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct ServiceMigrationTests {
    private func emptyDatabase() async throws -> DatabaseConfiguration {
        _ = try await MigratedDatabase()  // Makes the roles.
        return DatabaseConfiguration(test: try await TestPostgres.shared.makeDatabase())
    }

    @Test("two instances that start at the same time apply each migration once")
    func together() async throws {
        let configuration = try await emptyDatabase()
        let sql = try MigratedDatabase.sql(of: "presence")
        let tasks = (0..<2).map { _ in
            Task { @ReactorActor in
                let connection = try await Connection.open(configuration)
                defer { connection.close() }
                return try await Migrations.apply(sql, on: connection, log: quiet)
            }
        }
        for task in tasks { #expect(try await task.value == sql.migrations.count) }
    }

    @Test("D4 an older binary refuses a newer schema with a line that names the program to run")
    func older() async throws {
        let connection = try await Connection.open(try await emptyDatabase())
        let sql = try MigratedDatabase.sql(of: "presence")
        let known = sql.migrations.count
        var newer = sql
        newer.migrations.append(Migration(number: known + 1, name: "next", sql: "SELECT 1"))
        try await Migrations.apply(newer, on: connection, log: quiet)
        do {
            try await Migrations.apply(sql, on: connection, log: quiet)
            Issue.record("it was not refused")
        } catch {
            #expect(
                "\(error)"
                    == "schema presence: this binary knows migrations up to \(known), but the database is at \(known + 1); "
                    + "run a newer parley-presence"
            )
        }
    }
}
