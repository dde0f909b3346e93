import Reactor
import TestSupport
import Testing

@testable import Postgres

@Suite("Lanes", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct LaneTests {
    private func prepared() async throws -> (DatabaseConfiguration, Connection) {
        let configuration = try await freshConfiguration()
        let connection = try await Connection.open(configuration)
        for schema in ["messaging", "entities"] {
            try await connection.execute(Statement("CREATE SCHEMA \(schema)"))
            try await connection.execute(
                Statement("CREATE TABLE \(schema).lanes (lane int PRIMARY KEY, number bigint NOT NULL)"))
        }
        return (configuration, connection)
    }

    @Test("each claim takes the lowest free number of its schema and continues where that lane ended")
    func numbers() async throws {
        let (configuration, connection) = try await prepared()
        let first = try await Lane.claim(schema: "messaging", configuration, log: log)
        let second = try await Lane.claim(schema: "messaging", configuration, log: log)
        let elsewhere = try await Lane.claim(schema: "entities", configuration, log: log)
        #expect([first.number, second.number, elsewhere.number] == [1, 2, 1])
        #expect(first.lastNumber == 0)
        try await connection.execute(Statement("UPDATE messaging.lanes SET number = 42 WHERE lane = 1"))
        first.close()
        let sessions = Statement(
            """
            SELECT count(*)
            FROM pg_locks AS l
            JOIN pg_database AS d ON d.oid = l.database
            WHERE l.locktype = 'advisory'
                AND l.classid = 7302
                AND d.datname = current_database()
            """
        ) { try $0.int64(0) }
        try await eventually { try await connection.first(sessions) == 2 }
        let again = try await Lane.claim(schema: "messaging", configuration, log: log)
        #expect(again.number == 1)
        #expect(again.lastNumber == 42)
    }

    @Test("a lane whose connection is lost is free for others, and its owner is notified once")
    func lost() async throws {
        let (configuration, connection) = try await prepared()
        let lane = try await Lane.claim(schema: "messaging", configuration, log: log)
        var reasons: [String] = []
        lane.onLost = { reasons.append($0) }
        try await connection.execute(Statement("SELECT pg_terminate_backend($1)"), .int32(lane.connection.backend))
        try await eventually { !lane.isOpen }
        #expect(reasons.count == 1)
        let next = try await Lane.claim(schema: "messaging", configuration, log: log)
        #expect(next.number == 1)
    }

    @Test("many that claim at once get the lowest free numbers, each once, however many are taken")
    func crowd() async throws {
        let (configuration, connection) = try await prepared()
        try await take(1...600, on: connection)
        let claims = (0..<12).map { _ in
            Task { @ReactorActor in try await Lane.claim(schema: "messaging", configuration, log: log) }
        }
        var lanes: [Lane] = []
        for claim in claims { lanes.append(try await claim.value) }
        #expect(lanes.map(\.number).sorted() == Array(601...612))
        for lane in lanes { lane.close() }
    }

    private func take(_ numbers: ClosedRange<Int>, on connection: Connection) async throws {
        let keys = numbers.map { AdvisoryLock.laneKey(schema: "messaging", lane: $0) }
        try await connection.execute(
            Statement("SELECT pg_advisory_lock($1, key) FROM unnest($2::integer[]) AS key"),
            .int32(AdvisoryLock.lane.rawValue), .int32s(keys))
    }

    @Test("when all numbers are taken, the claim fails and its connection is closed")
    func allTaken() async throws {
        let (configuration, connection) = try await prepared()
        try await take(1...Lane.numberMax, on: connection)
        let error = await databaseError { try await Lane.claim(schema: "messaging", configuration, log: log) }
        #expect(error?.isUnavailable == true)
    }
}
