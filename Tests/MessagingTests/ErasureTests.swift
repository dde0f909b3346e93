import Postgres
import Reactor
import Schema
import TestSupport
import Testing

@testable import EntitiesService
@testable import MessagingService
@testable import PresenceService
@testable import ServiceKit

@Suite("The data of an erased person is deleted", .serialized, .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct ErasureTests {
    /// - Parameter checksGroups: whether people who are still in groups are not done, as outside tests.
    private func sweep<S: ParleyService>(
        _ service: S.Type, checksGroups: Bool = false, over scene: Scene
    ) async throws -> (ErasureSweep, Database) {
        let (states, database) = try await states(of: service, over: scene.database)
        let sweep = ErasureSweep(
            schema: S.name, database: database, log: quiet, interval: .milliseconds(20), steps: states.erasure,
            unless: checksGroups ? states.mayGrow : nil)
        return (sweep, database)
    }

    private func sweep(_ service: String, over scene: Scene) async throws -> (ErasureSweep, Database) {
        switch service {
        case "messaging": try await sweep(MessagingService.self, over: scene)
        case "presence": try await sweep(PresenceService.self, over: scene)
        default: try await sweep(EntitiesService.self, over: scene)
        }
    }

    private func erase(_ account: Int64, secondsAgo: Int64, in scene: Scene) async throws {
        try await scene.execute(
            """
            UPDATE conversations.accounts
            SET erased_at = (extract(epoch FROM clock_timestamp()) * 1000000)::bigint - \(secondsAgo * 1_000_000)
            WHERE account = \(account)
            """)
    }

    private func fill(_ scene: Scene) async throws {
        for sql in [
            "INSERT INTO messaging.inbox (account, conversation, touched_at) "
                + "SELECT a, c, 1 FROM generate_series(1, 3) AS a, generate_series(1, 1300) AS c",
            "INSERT INTO messaging.person_heads SELECT a, 1 FROM generate_series(1, 3) AS a",
            "INSERT INTO messaging.message_states (account, conversation, seq, position) "
                + "SELECT a, 1, s, s FROM generate_series(1, 3) AS a, generate_series(1, 1300) AS s",
            "INSERT INTO messaging.mentions "
                + "SELECT a, 1, s, s FROM generate_series(1, 3) AS a, generate_series(1, 1300) AS s",
            "INSERT INTO messaging.receipts "
                + "SELECT c, a, 1, 1, 1, 1 FROM generate_series(1, 3) AS a, generate_series(1, 20) AS c",
            "INSERT INTO messaging.reads "
                + "SELECT c, a, s, 1 FROM generate_series(1, 3) AS a, generate_series(1, 20) AS c, generate_series(1, 65) AS s",
            "INSERT INTO messaging.reactions SELECT 1, 1, a, '+', 1 FROM generate_series(1, 3) AS a",
            "INSERT INTO presence.last_seen SELECT a, 1 FROM generate_series(1, 3) AS a",
            "INSERT INTO entities.heads SELECT a, 1 FROM generate_series(1, 3) AS a",
            "INSERT INTO entities.reminders (account, id, title, due_at, time_zone, created_at, position) "
                + "SELECT a, gen_random_uuid(), 'x', 1, 'UTC', 1, r "
                + "FROM generate_series(1, 3) AS a, generate_series(1, 1300) AS r",
        ] { try await scene.execute(sql) }
    }

    private static let tables = [
        "messaging": ["inbox", "message_states", "mentions", "receipts", "reads", "person_heads"],
        "presence": ["last_seen"],
        "entities": ["reminders", "heads"],
    ]

    @Test(
        "A5 each service deletes the rows of an erased person in chunks, and nobody else's",
        arguments: ["messaging", "presence", "entities"])
    func deletes(service: String) async throws {
        let scene = try await Scene()
        try await fill(scene)
        try await erase(2, secondsAgo: 120, in: scene)
        try await erase(3, secondsAgo: 2, in: scene)
        let (sweep, database) = try await sweep(service, over: scene)
        let (twin, twinDatabase) = try await self.sweep(service, over: scene)
        sweep.start()
        twin.start()
        for table in Self.tables[service]! {
            try await eventually {
                try await scene.number("SELECT count(*) FROM \(service).\(table) WHERE account <> 1") == 0
            }
            let kept: Int64 =
                switch table {
                case "inbox", "message_states", "mentions", "reads", "reminders": 1_300
                case "receipts": 20
                default: 1
                }
            #expect(try await scene.number("SELECT count(*) FROM \(service).\(table)") == kept)
        }
        try await eventually { try await scene.number("SELECT count(*) FROM \(service).erased") == 1 }
        #expect(try await scene.number("SELECT account FROM \(service).erased") == 2, "a minute after the erase")
        if service == "messaging" {
            #expect(try await scene.number("SELECT count(*) FROM messaging.reactions") == 3, "they belong to messages")
        }
        // A write that was in progress during the erase arrives late.
        if service == "presence" {
            try await scene.execute("INSERT INTO presence.last_seen VALUES (3, 5)")
            try await eventually { try await scene.number("SELECT count(*) FROM presence.last_seen") == 1 }
        }
        await sweep.stop()
        await twin.stop()
        await database.close()
        await twinDatabase.close()
    }

    @Test("A5 an erased person is recorded as done only after leaving all groups that could still write rows for them")
    func inGroups() async throws {
        let scene = try await Scene()
        try await erase(3, secondsAgo: 120, in: scene)
        let lane = try await scene.lane()
        let (sweep, database) = try await sweep(MessagingService.self, checksGroups: true, over: scene)
        try await sweep.sweep()
        _ = try await lane.send(message(1, in: 1))
        #expect(try await scene.number("SELECT count(*) FROM messaging.inbox WHERE account = 3") == 1)
        try await sweep.sweep()
        try await sweep.sweep()
        #expect(try await scene.number("SELECT count(*) FROM messaging.inbox WHERE account = 3") == 0)
        #expect(try await scene.number("SELECT count(*) FROM messaging.erased") == 0)
        for conversation in (1...20).map({ ConversationNumber($0) }) {
            try await scene.leave(3, conversation, version: 2)
        }
        try await sweep.sweep()
        #expect(try await scene.number("SELECT count(*) FROM messaging.erased") == 0, "one clean sweep is not enough")
        try await sweep.sweep()
        #expect(try await scene.number("SELECT account FROM messaging.erased") == 3)
        for conversation in (1...3).map({ ConversationNumber($0) }) {
            _ = try await lane.send(message(2, in: conversation))
        }
        #expect(try await scene.number("SELECT count(*) FROM messaging.inbox WHERE account = 3") == 0, "for good")
        #expect(try await scene.number("SELECT count(*) FROM messaging.inbox WHERE account = 2") == 3)
        await sweep.stop()
        await database.close()
    }

    @Test("A5 the sweep neither waits for nor delays a batch that holds a row of an erased person")
    func heldRow() async throws {
        let scene = try await Scene()
        try await fill(scene)
        try await erase(2, secondsAgo: 120, in: scene)
        let holder = try await Standstill(
            scene.database.configuration(of: "messaging"),
            "SELECT FROM messaging.inbox WHERE account = 2 AND conversation = 7 FOR UPDATE")
        let (sweep, database) = try await sweep("messaging", over: scene)
        try await sweep.sweep()
        #expect(try await scene.number("SELECT count(*) FROM messaging.inbox WHERE account = 2") == 1)
        #expect(try await scene.number("SELECT count(*) FROM messaging.erased") == 0)
        try await holder.end()
        for _ in 1...3 { try await sweep.sweep() }
        #expect(try await scene.number("SELECT count(*) FROM messaging.inbox WHERE account = 2") == 0)
        #expect(try await scene.number("SELECT count(*) FROM messaging.erased") == 1)
        await sweep.stop()
        await database.close()
    }

    @Test("A5 the last-seen time of an erased person is no longer written")
    func lastSeen() async throws {
        let scene = try await Scene()
        try await erase(2, secondsAgo: 0, in: scene)
        let presence = try await Connection.open(
            scene.database.configuration(of: "presence", settings: plannerSettings))
        defer { presence.close() }
        try await presence.execute(
            PresenceStore.writeLastSeen, .int64s([1, 2, 3]), .int64s([7, 8, 9]), .bools([true, false, false]),
            .int64s([2]), .int64s([1]), .int64s([6]))
        #expect(try await scene.number("SELECT sum(account) FROM presence.last_seen") == 4)
    }
}
