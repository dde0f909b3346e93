import Foundation
import Logging
import Reactor
import TestSupport
import Testing

@testable import Postgres

@Suite("A server that is stalled, starting or full", .timeLimit(.minutes(8)), .serialized)
@ReactorActor
struct SilenceTimingTests {
    private static let one = Statement("SELECT 1") { try $0.int32(0) }
    private static let pause = Statement("SELECT pg_sleep($1)")

    private func postmaster(of server: TestPostgres) throws -> pid_t {
        let text = try String(contentsOfFile: "\(server.folder)/pg/data/postmaster.pid", encoding: .utf8)
        return try #require(text.split(separator: "\n").first.flatMap { pid_t($0) })
    }

    @Test("a script or migration may take any time, but fails when the server is stalled")
    func script() async throws {
        let server = try await TestPostgres()
        var configuration = DatabaseConfiguration(
            url: server.url(), applicationName: "tests", statementTimeout: .zero)
        configuration.connectTimeout = .milliseconds(400)
        let connection = try await Connection.open(configuration)
        #expect(try await connection.run(script: "SELECT pg_sleep(0.9); SELECT pg_sleep(0.9)") == nil)
        // The same without a statement timeout, by the extended protocol.
        try await connection.execute(Self.pause, .double(1.5))

        let pid = try postmaster(of: server)
        ProcessTree.freeze(pid)
        defer { ProcessTree.thaw(pid) }
        let failing = try await measured {
            let failure = try await connection.run(script: "SELECT pg_sleep(0.1)")
            #expect(failure?.error.isUnavailable == true)
        }
        #expect(failing.isWithin(.seconds(20)), "\(failing)")
        #expect(!connection.isOpen)
        ProcessTree.thaw(pid)
        await server.end()
    }

    @Test("a server full of other connections does not count as silent, and a running script continues")
    func fullIsAlive() async throws {
        let server = try await TestPostgres(settings: ["max_connections": "4", "superuser_reserved_connections": "0"])
        var configuration = DatabaseConfiguration(
            url: server.url(), applicationName: "tests", statementTimeout: .zero)
        let others = try await fill(configuration)
        configuration.connectTimeout = .milliseconds(300)
        others.removeFirst().close()
        var opened: Connection?
        try await eventually {
            opened = try? await Connection.open(configuration)
            return opened != nil
        }
        let connection = try #require(opened)
        #expect(try await connection.run(script: "SELECT pg_sleep(1.5)") == nil)
        await server.end()
    }

    @Test(
        "while the server is stopped, waiting requests are bounded and fail in time; the pool recovers automatically")
    func stopped() async throws {
        let server = try await TestPostgres()
        var configuration = DatabaseConfiguration(
            url: server.url(), applicationName: "tests", connections: 2, statementTimeout: .milliseconds(500))
        configuration.silenceMargin = .milliseconds(300)
        configuration.waitTimeout = .milliseconds(300)
        configuration.connectTimeout = .seconds(1)
        configuration.waitingMax = 100
        let database = Database(configuration, log: log)
        database.start()
        try await eventually { database.outstandingCount == 0 && database.isReady }
        let pid = try postmaster(of: server)
        ProcessTree.freeze(pid)
        let failing = try await measured {
            try await concurrently(2000) { [depth = configuration.pipelineDepthMax] number in
                if number == 1999 {
                    #expect(database.outstandingCount <= 2 * depth)
                    #expect(database.waitingCount <= 100)
                }
                let error = await databaseError { try await database.first(Self.one) }
                #expect(error?.isUnavailable == true || error == .busy)
            }
        }
        #expect(failing.isWithin(.seconds(10)), "\(failing)")
        #expect(await databaseError { try await database.first(Self.one) }?.isUnavailable == true)
        try await Reactor.shared.sleep(for: .seconds(3))
        ProcessTree.thaw(pid)
        let recovering = try await measured {
            try await eventually { (try? await database.first(Self.one)) == 1 }
        }
        #expect(recovering.isWithin(.seconds(5)), "\(recovering)")
        await database.close()
        await server.end()
    }

    @Test("without any connection only one slot of the pool keeps trying, and the log has a warning every 10 s at most")
    func storm() async throws {
        let server = try await TestPostgres(settings: ["max_connections": "4", "superuser_reserved_connections": "0"])
        var configuration = DatabaseConfiguration(url: server.url(), applicationName: "tests")
        let others = try await fill(configuration)
        configuration.connections = 40
        let lines = KeptLog()
        let database = Database(configuration, log: Logger(label: "tests") { _ in lines })
        let started = ContinuousClock.now
        database.start()
        try await eventually { lines.texts(.debug).count >= 43 }
        // First each slot tries once. Then there is one attempt at a time, up to a second apart.
        let begin = ContinuousClock.now
        try await eventually { lines.texts(.debug).count >= 48 }
        #expect(ContinuousClock.now - begin > .seconds(1))
        let most = 1 + Int((ContinuousClock.now - started) / .seconds(10))
        #expect((1...most).contains(lines.texts(.warning).count), "another one after ten seconds at the earliest")
        #expect(database.reason?.contains("too many clients") == true)
        for connection in others.list { connection.close() }
        try await eventually { (try? await database.first(Self.one)) == 1 }
        await database.close()
        await server.end()
    }

    /// Takes every connection the server has.
    private func fill(_ configuration: DatabaseConfiguration) async throws -> Held {
        let held = Held()
        while let connection = try? await Connection.open(configuration) { held.list.append(connection) }
        #expect(!held.list.isEmpty)
        return held
    }

    @ReactorActor
    private final class Held {
        var list: [Connection] = []
        func removeFirst() -> Connection { list.removeFirst() }
    }
}
