import Reactor
import TestSupport
import Testing

@testable import Postgres

@Suite("Transactions", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct TransactionTests {
    private struct Refused: Error {}

    private static let insert = Statement("INSERT INTO items (id) VALUES ($1)")
    private static let divideByZero = Statement("SELECT 1 / 0")
    private static let count = Statement("SELECT count(*) FROM items") { try $0.int64(0) }

    private func open() async throws -> Connection {
        let connection = try await Connection.open(try await freshConfiguration())
        try await connection.execute(Statement("CREATE TABLE items (id bigint UNIQUE DEFERRABLE INITIALLY DEFERRED)"))
        return connection
    }

    @Test("a transaction whose closure returns is committed")
    func commit() async throws {
        let connection = try await open()
        let value = try await connection.transaction { transaction in
            try await transaction.execute(Self.insert, .int64(1))
            try await transaction.execute(Self.insert, .int64(2))
            return "done"
        }
        #expect(value == "done")
        #expect(try await connection.first(Self.count) == 2)
    }

    @Test("a transaction whose closure throws is rolled back, and the error is thrown")
    func rollBack() async throws {
        let connection = try await open()
        await #expect(throws: Refused.self) {
            try await connection.transaction { transaction in
                try await transaction.execute(Self.insert, .int64(1))
                throw Refused()
            }
        }
        #expect(try await connection.first(Self.count) == 0)
    }

    @Test("a cancelled task's transaction is rolled back")
    func cancelled() async throws {
        let connection = try await open()
        let task = Task { @ReactorActor in
            try await connection.transaction { transaction in
                try await transaction.execute(Self.insert, .int64(1))
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await connection.first(Self.count) == 0)
    }

    @Test("a COMMIT that fails is an error, and nothing is kept")
    func failedCommit() async throws {
        let connection = try await open()
        let error = await databaseError {
            try await connection.transaction { transaction in
                try await transaction.execute(Self.insert, .int64(1))
                try await transaction.execute(Self.insert, .int64(1))
            }
        }
        #expect(error?.code == .uniqueViolation)
        #expect(try await connection.first(Self.count) == 0)
    }

    @Test("a failure that the closure ignores still prevents the commit")
    func swallowed() async throws {
        let connection = try await open()
        let error = await databaseError {
            try await connection.transaction { transaction in
                try await transaction.execute(Self.insert, .int64(1))
                _ = try? await transaction.execute(Statement("SELECT 1 / 0"))
            }
        }
        #expect(error?.code == .inFailedSQLTransaction)
        #expect(try await connection.first(Self.count) == 0)
    }

    @Test("statements sent together with a failed one and after it are not run")
    func failedTogether() async throws {
        let connection = try await open()
        let error = await databaseError {
            try await connection.transaction { transaction in
                let first = Task.immediate { @ReactorActor in try await transaction.execute(Self.insert, .int64(1)) }
                let second = Task.immediate { @ReactorActor in try await transaction.execute(Self.divideByZero) }
                let third = Task.immediate { @ReactorActor in try await transaction.execute(Self.insert, .int64(3)) }
                #expect(try await first.value == 1)
                #expect(await databaseError { try await third.value }?.code == .inFailedSQLTransaction)
                _ = try await second.value
            }
        }
        #expect(error?.code == DatabaseError.Code("22012"))
        #expect(try await connection.first(Self.count) == 0)
    }

    @Test("other requests and transactions wait in order until the transaction has ended")
    func serial() async throws {
        let connection = try await open()
        let latch = Latch()
        let order = Record()
        async let first: Void = connection.transaction { transaction in
            try await transaction.execute(Self.insert, .int64(1))
            try await latch.wait()
            order.add("first")
        }
        try await eventually { !connection.isFree }
        async let seen = connection.first(Self.count)
        try await eventually { connection.load == 1 }
        async let second: Void = connection.transaction { transaction in
            order.add("second")
            try await transaction.execute(Self.insert, .int64(2))
        }
        try await eventually { connection.load == 2 }
        latch.open()
        #expect(try await seen == 1)
        try await first
        try await second
        #expect(order.lines == ["first", "second"])
        #expect(try await connection.first(Self.count) == 2)
    }

    @Test("when the connection is lost, the running and the next transaction fail with .unavailable")
    func lost() async throws {
        let configuration = try await freshConfiguration()
        let connection = try await Connection.open(configuration)
        let other = try await Connection.open(configuration)
        try await connection.execute(Statement("CREATE TABLE items (id bigint)"))
        let error = await databaseError {
            try await connection.transaction { transaction in
                try await transaction.execute(Self.insert, .int64(1))
                try await other.execute(Statement("SELECT pg_terminate_backend($1)"), .int32(connection.backend))
                try await eventually { !connection.isOpen }
            }
        }
        #expect(error?.isUnavailable == true)
        #expect(await databaseError { try await connection.transaction { _ in } }?.isUnavailable == true)
        #expect(try await other.first(Self.count) == 0)
    }

    @Test("a transaction that is idle too long loses its connection")
    func idle() async throws {
        var configuration = try await freshConfiguration()
        configuration.idleInTransactionTimeout = .milliseconds(50)
        let connection = try await Connection.open(configuration)
        let error = await databaseError {
            try await connection.transaction { transaction in
                try await transaction.execute(Statement("SELECT 1"))
                try await eventually { !connection.isOpen }
            }
        }
        #expect(error?.isUnavailable == true)
    }

    @Test("a transaction without statements costs nothing and succeeds")
    func empty() async throws {
        let connection = try await open()
        #expect(try await connection.transaction { _ in 5 } == 5)
        #expect(connection.load == 0)
    }
}
