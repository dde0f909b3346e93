import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import ServiceKit

@Suite("Heartbeats", .serialized, .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct HeartbeatTests {
    @Test("every replica publishes the epoch and how far all lanes are committed, the other replicas' too")
    func allLanes() async throws {
        let scene = try await JournalScene(lanes: 2)
        let other = try await JournalScene(lanes: 1, in: scene)
        scene.heartbeats.start()
        try await eventually { !scene.beats.isEmpty }
        #expect(scene.announced == [:], "a lane without commits is not listed")
        for _ in 0..<4 { try await scene.publish(1...3) }
        try await other.publish(1...5)
        try await eventually { scene.announced == [1: 6, 2: 6, 3: 5] }
        let epoch = try await scene.superuser.first(Statement("SELECT entities.epoch()") { try $0.text(0) })
        #expect(scene.beats.last?.epoch == epoch)
        #expect(scene.received.allSatisfy { $0.stream != "control" })
    }

    @Test("a claimed lane is announced immediately, and not only by the next regular heartbeat")
    func immediately() async throws {
        let scene = try await JournalScene()
        // The next regular one is far away.
        scene.heartbeats.start(every: .seconds(600))
        try await eventually { scene.beats.count == 1 }
        scene.heartbeats.beat()
        try await eventually { scene.beats.count == 2 }
    }

    @Test("while the database does not answer, no heartbeats are published and one query waits; then they continue")
    func silence() async throws {
        let scene = try await JournalScene()
        scene.heartbeats.start()
        try await eventually { !scene.beats.isEmpty }
        let blocker = try await Connection.open(scene.migrated.superuser)
        try await blocker.transaction { transaction in
            try await transaction.execute(Statement("LOCK TABLE entities.lanes IN ACCESS EXCLUSIVE MODE"))
            let waiting =
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
                + "AND datname = current_database()"
            try await eventually { try await scene.number(waiting) == 1 }
            let count = scene.beats.count
            for _ in 0..<20 { scene.heartbeats.beat() }
            try await Reactor.shared.sleep(for: .milliseconds(1200))
            #expect(try await scene.number(waiting) == 1)
            #expect(scene.database.outstandingCount == 1)
            #expect(scene.beats.count == count)
        }
        let count = scene.beats.count
        try await eventually { scene.beats.count >= count + 3 }
    }

    @Test("after a stop no heartbeats are published")
    func stopped() async throws {
        let scene = try await JournalScene()
        scene.heartbeats.start()
        try await eventually { !scene.beats.isEmpty }
        scene.heartbeats.stop()
        scene.heartbeats.beat()
        // A later Update on the same link has arrived, so no heartbeat is on its way.
        try await scene.publish(1...1)
        try await eventually { !scene.received.isEmpty }
        let count = scene.beats.count
        try await Reactor.shared.sleep(for: .milliseconds(700))
        #expect(scene.beats.count == count)
    }

    @Test("a note takes a number and contains nothing for clients")
    func note() async throws {
        let scene = try await JournalScene()
        try await scene.journal.change { change in
            #expect(change.lane == 1)
            change.publish(PendingUpdate(note: Kind(rawValue: 3), subject: 7, object: 8, actor: 9))
        }
        try await eventually { !scene.received.isEmpty }
        let header = scene.received[0]
        #expect(header.stream == "note" && header.lane == 1 && header.number == 1)
        #expect(header.kind.isEmpty && header.control == nil && header.audience.isEmpty && header.position == 0)
        let page = try await JournalReader(schema: "entities").page(of: 1, from: 1, to: 9, limit: 9, in: scene.database)
        #expect(page.entries.map(\.audience) == [[9]] && page.entries.map(\.kind) == [3])
    }

    @Test("work for after the commit runs once, after publishing, and not if nothing was committed")
    func afterCommit() async throws {
        let scene = try await JournalScene()
        let done = Notebook()
        await #expect(throws: Refusal.self) {
            try await scene.journal.change { change in
                change.afterCommit { done.lines.append("never") }
                throw Refusal("undone", "")
            }
        }
        try await scene.journal.change { change in
            change.afterCommit { done.lines.append("first") }
            change.afterCommit { done.lines.append("second") }
            try await change.execute(Statement("SELECT 1"))
            #expect(done.lines.isEmpty)
        }
        #expect(done.lines == ["first", "second"])
    }

    @ReactorActor
    private final class Notebook {
        var lines: [String] = []
    }
}
