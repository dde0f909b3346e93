import Reactor
import TestSupport
import Testing

@testable import Postgres

@Suite("The pool", .timeLimit(.minutes(8)))
@ReactorActor
struct DatabaseTests {
    private static let one = Statement("SELECT 1") { try $0.int32(0) }
    private static let backend = Statement("SELECT pg_backend_pid()") { try $0.int32(0) }
    private static let pause = Statement("SELECT pg_sleep($1)")

    private func started(_ configuration: DatabaseConfiguration) async throws -> Database {
        let database = Database(configuration, log: log)
        database.start()
        try await database.waitUntilReady()
        return database
    }

    @Test("requests are spread over the connections")
    func spread() async throws {
        let database = try await started(try await freshConfiguration(connections: 3))
        async let slow: Void = concurrently(2) { _ in try await database.execute(Self.pause, .double(0.3)) }
        try await eventually { try await database.first(Self.one) == 1 }
        try await slow
        await database.close()
    }

    @Test("a transaction has its connection to itself, and others continue beside it")
    func exclusive() async throws {
        let database = try await started(try await freshConfiguration(connections: 2))
        let latch = Latch()
        let holder = Task { @ReactorActor in
            try await database.transaction { transaction in
                let first = try await transaction.first(Self.backend)
                try await latch.wait()
                #expect(try await transaction.first(Self.backend) == first)
                return first
            }
        }
        for _ in 0..<20 { #expect(try await database.first(Self.one) == 1) }
        latch.open()
        #expect(try await holder.value != nil)
        await database.close()
    }

    @Test("when every connection is busy, further requests wait, up to the limit")
    func bounded() async throws {
        var configuration = try await freshConfiguration(connections: 1)
        configuration.waitingMax = 2
        let database = try await started(configuration)
        let latch = Latch()
        let begun = Latch()
        let holder = Task { @ReactorActor in
            try await database.transaction { _ in
                begun.open()
                try await latch.wait()
            }
        }
        try await begun.wait()
        async let first = database.first(Self.one)
        async let second = database.transaction { try await $0.first(Self.one) }
        try await eventually { database.waitingCount == 2 }
        #expect(await databaseError { try await database.first(Self.one) } == .busy)
        latch.open()
        #expect(try await first == 1)
        #expect(try await second == 1)
        try await holder.value
        await database.close()
    }

    @Test("a deadlock is resolved by running one of the two transactions again")
    func deadlock() async throws {
        var configuration = try await freshConfiguration(connections: 2)
        configuration.settings = ["deadlock_timeout": "20ms"]
        let database = try await started(configuration)
        try await database.execute(Statement("CREATE TABLE counters (id int PRIMARY KEY, n int NOT NULL)"))
        try await database.execute(Statement("INSERT INTO counters VALUES (1, 0), (2, 0)"))
        let increase = Statement("UPDATE counters SET n = n + 1 WHERE id = $1")
        let bothHold = [Latch(), Latch()]
        var attempts = 0
        try await concurrently(2) { me in
            try await database.transaction { transaction in
                attempts += 1
                try await transaction.execute(increase, .int32(Int32(me + 1)))
                bothHold[me].open()
                try await bothHold[1 - me].wait()
                try await transaction.execute(increase, .int32(Int32(2 - me)))
            }
        }
        // One of the two runs again. It may lock its row before the other wakes, which repeats the deadlock.
        #expect(attempts >= 3)
        let sum = Statement("SELECT array_agg(n) FROM counters") { try $0.int32s(0) }
        #expect(try await database.first(sum) == [2, 2])
        await database.close()
    }

    @Test("when a server is killed and restarted, requests fail correctly and then succeed again automatically")
    func restart() async throws {
        let server = try await TestPostgres()
        var configuration = DatabaseConfiguration(url: server.url(), applicationName: "tests", connections: 2)
        configuration.waitTimeout = .milliseconds(200)
        let database = try await started(configuration)
        var changes: [Bool] = []
        database.onReadyChange = { changes.append($0) }

        async let running = databaseError { try await database.execute(Self.pause, .double(30)) }
        try await eventually { database.outstandingCount == 1 }
        await server.stop(.immediate)
        #expect(await running?.isUnavailable == true)
        try await eventually { !database.isReady }
        #expect(database.reason != nil)
        let begin = ContinuousClock.now
        #expect(await databaseError { try await database.first(Self.one) }?.isUnavailable == true)
        #expect(ContinuousClock.now - begin >= .milliseconds(200))
        #expect(database.waitingCount == 0)

        try await server.start()
        try await database.waitUntilReady()
        #expect(try await database.first(Self.one) == 1)
        #expect(try await database.transaction { try await $0.first(Self.one) } == 1)
        #expect(database.reason == nil)
        #expect(changes.first == false)
        #expect(changes.last == true)
        await database.close()
        await server.end()
    }

    @Test("a request that waits while the server starts is answered once it has started")
    func waitsForServer() async throws {
        let server = try await TestPostgres()
        await server.stop()
        var configuration = DatabaseConfiguration(url: server.url(), applicationName: "tests", connections: 1)
        configuration.waitTimeout = .seconds(60)
        let database = Database(configuration, log: log)
        database.start()
        async let answer = database.first(Self.one)
        try await eventually { database.waitingCount == 1 }
        try await server.start()
        #expect(try await answer == 1)
        await database.close()
        await server.end()
    }

    @Test("a connection to a silent server counts as lost after the limit")
    func silent() async throws {
        let server = try await TestPostgres()
        let configuration = DatabaseConfiguration(url: server.url(), applicationName: "tests")
        let connection = try await Connection.open(configuration)
        connection.patience = .limit(.milliseconds(200))
        let error = await databaseError { try await connection.execute(Self.pause, .double(9)) }
        #expect(error?.isUnavailable == true)
        #expect(!connection.isOpen)
        await server.end()
    }

    @Test("connections that are terminated repeatedly are replaced, and none is left behind")
    func terminated() async throws {
        let configuration = try await freshConfiguration(connections: 3)
        let database = try await started(configuration)
        let other = try await Connection.open(configuration)
        let terminateAll = Statement(
            """
            SELECT pg_terminate_backend(pid)
            FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
        for _ in 0..<5 {
            try await other.execute(terminateAll)
            try await concurrently(50) { _ in
                guard let error = await databaseError({ try await database.first(Self.one) }) else { return }
                #expect(error.isUnavailable)
            }
            try await database.waitUntilReady()
        }
        try await eventually { try await database.first(Self.one) == 1 }
        let sessions = Statement("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()") {
            try $0.int64(0)
        }
        try await eventually { try await other.first(sessions) == 4 }
        await database.close()
        try await eventually { try await other.first(sessions) == 1 }
    }

    @Test("closing waits for outstanding requests and refuses new ones")
    func close() async throws {
        var configuration = try await freshConfiguration(connections: 1)
        configuration.lockTimeout = .zero
        let database = try await started(configuration)
        let other = try await Connection.open(configuration)
        let lock = Statement("SELECT pg_advisory_lock(1)")
        try await other.execute(lock)
        async let running: Int = database.execute(lock)
        try await eventually { database.outstandingCount == 1 }
        let closing = Task.immediate { @ReactorActor in await database.close() }
        #expect(await databaseError { try await database.first(Self.one) }?.isUnavailable == true)
        other.close()
        _ = try await running
        await closing.value
        #expect(!database.isReady)
    }
}
