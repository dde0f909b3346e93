import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import MessagingService
@testable import ServiceKit

@Suite("M18: emptying disappeared messages", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct RetentionSweepTests {
    @Test("M18 a locked conversation delays no other and is emptied once it is unlocked")
    func held() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        for number in 1...30 { _ = try await lane.send(message(number, in: ConversationNumber(1 + number % 3))) }
        try await scene.execute("UPDATE messaging.messages SET expires_at = sent_at")
        let database = Database(
            scene.database.configuration(of: "messaging", settings: plannerSettings), log: quiet)
        database.start()
        let sweep = RetentionSweep(
            database: database, journal: try await scene.journal(), clock: .system, log: quiet)
        let gone = "SELECT count(*) FROM messaging.messages WHERE text = '' AND deleted_at = expires_at"
        let other = try await Standstill(
            scene.database.configuration(of: "messaging"),
            "SELECT FROM messaging.heads WHERE conversation = 2 FOR UPDATE")
        #expect(try await sweep.emptyExpired() == 20)
        #expect(try await scene.number(gone + " AND conversation <> 2") == 20)
        // A conversation unlocked while the sweep waits for it is emptied in the same round.
        let waiting = Database(
            scene.database.configuration(of: "messaging", lockTimeout: .seconds(120), settings: plannerSettings),
            log: quiet)
        waiting.start()
        let later = RetentionSweep(
            database: waiting, journal: try await scene.journal(), clock: .system, log: quiet)
        let next = Task.immediate { @ReactorActor in try await later.emptyExpired() }
        try await eventually {
            try await scene.number(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%empty_expired%'")
                > 0
        }
        try await other.end()
        #expect(try await next.value == 10)
        #expect(try await scene.number(gone) == 30)
    }

    @Test("M14 former members who may read a deleted message are told once, however few a transaction tells")
    func renewals() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        _ = try await lane.send(message(1, in: 1))
        try await scene.join(4, 1, version: 2)
        _ = try await lane.send(message(2, in: 1))
        for (account, version) in [(2, 3), (3, 4), (4, 5)] as [(AccountNumber, Int64)] {
            try await scene.leave(account, 1, version: version)
        }
        _ = try await lane.send(message(3, in: 1))
        let database = Database(
            scene.database.configuration(of: "messaging", settings: plannerSettings), log: quiet)
        database.start()
        let sweep = RetentionSweep(
            database: database, journal: try await scene.journal(), clock: .system, log: quiet, peopleAtOnce: 1)
        let told = "SELECT count(*) FROM messaging.inbox WHERE renewed_position = position AND conversation = 1"
        for (seq, expected) in [(1, 2), (2, 3)] as [(Int, Int64)] {
            try await scene.execute("SELECT messaging.add_renewal(1, \(seq), \(seq))")
            try await sweep.doRenewals()
            #expect(try await scene.number(told) == expected, "the fourth reads from the second message on")
            #expect(try await scene.number("SELECT count(*) FROM messaging.renewal_jobs") == 0)
        }
        let positions = "SELECT sum(position) FROM messaging.person_heads WHERE account IN (2, 3, 4)"
        #expect(try await scene.number(positions) == 5)
    }
}
