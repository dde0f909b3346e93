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
        var patient = scene.database.configuration(of: "messaging", settings: plannerSettings)
        patient.lockTimeout = .seconds(30)
        let waiting = Database(patient, log: quiet)
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
}
