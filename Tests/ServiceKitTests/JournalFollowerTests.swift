import Logging
import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import ServiceKit

@Suite("Following another service's journal", .serialized, .timeLimit(.minutes(8)))
@ReactorActor
struct JournalFollowerTests {
    @Test(
        "entries take effect once, in the order of their lane, also those from before the start, at most 200 at a time")
    func follows() async throws {
        let scene = try await FollowScene(lanes: 2)
        for _ in 0..<30 { try await scene.note(Int.random(in: 1...40)) }
        let sizes = Sizes()
        try await scene.follow { entries, _ in
            sizes.all.append(entries.count)
            #expect(entries == entries.sorted { $0.number < $1.number } && Set(entries.map(\.lane)).count == 1)
            #expect(entries.allSatisfy { $0.kind == 3 && $0.subject == 1 && $0.audience == [6] && $0.at > 0 })
        }
        try await scene.note(700)
        let total = try await scene.source.number("SELECT sum(number) FROM conversations.lanes")
        try await eventually { try await scene.isDone(total) }
        try await scene.checkOnce()
        #expect(sizes.all.allSatisfy { 1...200 ~= $0 } && sizes.all.contains(200))
        #expect(scene.book.texts(.critical).isEmpty)
    }

    @ReactorActor
    private final class Sizes {
        var all: [Int] = []
        var remaining = 0
    }

    @Test("the effects are committed, numbered and published on the follower's own lane")
    func publishes() async throws {
        let scene = try await FollowScene()
        let committed = Sizes()
        try await scene.follow { entries, change in
            let lane = change.lane
            for _ in entries {
                change.publish(
                    PendingUpdate(
                        Reminder(), as: Kind.one, subject: ConversationNumber(1), owner: "x", position: 1,
                        audience: [1]))
            }
            change.afterCommit { committed.all.append(lane) }
        }
        try await scene.note(3)
        try await eventually {
            scene.source.received.filter { $0.stream == "entities/u/x" }.map(\.number) == [1, 2, 3]
        }
        // One at a time, if they came before its first look.
        #expect(committed.all == [1] || committed.all == [1, 1, 1])
        #expect(try await scene.source.number("SELECT number FROM messaging.lanes WHERE lane = 1") == 3)
    }

    @Test("two replicas share the work: each entry takes effect once, and one takes over when the other stops")
    func twoReplicas() async throws {
        let scene = try await FollowScene(lanes: 2)
        let first = try await scene.follow()
        try await scene.follow()
        var expected: Int64 = 0
        for round in 0..<60 {
            try await scene.note(5)
            expected += 5
            if round == 30 { await first.stop() }
        }
        try await eventually { try await scene.isDone(expected) }
        try await scene.checkOnce()
    }

    @Test("two followers of one source, each with its name, each apply every entry once, also after a restart")
    func named() async throws {
        let scene = try await FollowScene(lanes: 2)
        let names = FollowerNames()
        let followers = [
            try await scene.follow(in: names), try await scene.follow(name: "push", in: names),
            try await scene.follow(name: "hooks", in: names),
        ]
        for _ in 0..<20 { try await scene.note(10) }
        try await eventually("each has all") { try await scene.isDone(3 * 200) }
        await followers[1].stop()
        for _ in 0..<10 { try await scene.note(10) }
        try await eventually("the others go on") { try await scene.isDone(3 * 200 + 2 * 100) }
        try await scene.follow(name: "push", in: names)
        try await eventually("it goes on where it was") { try await scene.isDone(3 * 300) }
        #expect(
            try await scene.source.number(
                """
                SELECT count(*) FROM (
                    SELECT FROM messaging.effects GROUP BY lane, number HAVING count(*) <> 3
                ) AS wrong
                """) == 0, "once by each follower")
        #expect(try await scene.source.number("SELECT count(*) FROM messaging.effects") == 3 * 300)
    }

    @Test("a second follower of one source and name does not start, and says why; another replica's does")
    func sameName() async throws {
        let scene = try await FollowScene()
        for name in ["", "push"] {
            let names = FollowerNames()
            let first = try await scene.follow(name: name, in: names)
            let refused = try await #require(throws: StartRefused.self) {
                try await scene.follow(name: name, in: names)
            }
            #expect(refused.description.contains("journal of conversations have the name \"\(name)\""))
            try await scene.follow(name: name)
            await first.stop()
            try await scene.follow(name: name, in: names)
        }
    }

    @Test("a start that was ended by the loss of the database is repeated with the same name")
    func startedAgain() async throws {
        let scene = try await FollowScene()
        let follower = try await scene.follow(name: "push", in: FollowerNames())
        try await follower.start()
        try await scene.note(5)
        try await eventually { try await scene.isDone(5) }
        try await scene.checkOnce()
    }

    @Test("a connection that ends between effect and commit leaves no effect, and the entries are applied again")
    func killedInTransaction() async throws {
        let scene = try await FollowScene()
        let kills = Sizes()
        kills.remaining = 5
        let killer = scene.source.superuser
        try await scene.follow { _, change in
            guard kills.remaining > 0 else { return }
            kills.remaining -= 1
            let own = try await change.first(Statement("SELECT pg_backend_pid()") { try $0.int32(0) })
            try await killer.execute(Statement("SELECT pg_terminate_backend($1)"), .int32(own ?? 0))
        }
        try await scene.note(20)
        try await eventually { try await scene.isDone(20) }
        #expect(kills.remaining == 0)
        try await scene.checkOnce()
    }

    @Test("a connection that ends during commit leaves each effect once")
    func killedAtCommit() async throws {
        let scene = try await FollowScene()
        // The backend ends itself in the checks that COMMIT makes.
        try await scene.source.execute("CREATE SEQUENCE messaging.kills")
        try await scene.source.execute("GRANT ALL ON SEQUENCE messaging.kills TO parley_messaging")
        try await scene.source.execute(
            """
            CREATE FUNCTION messaging.end_itself() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
            BEGIN
                IF nextval('messaging.kills') <= 5 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
                RETURN NULL;
            END $$
            """)
        try await scene.source.execute(
            """
            CREATE CONSTRAINT TRIGGER end_itself AFTER INSERT ON messaging.effects
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION messaging.end_itself()
            """)
        try await scene.follow()
        try await scene.note(20)
        try await eventually { try await scene.isDone(20) }
        #expect(try await scene.source.number("SELECT last_value FROM messaging.kills") > 5)
        try await scene.checkOnce()
    }

    @Test("connections of two replicas that end at random times, a hundred times over, leave each effect once")
    func killedAtRandom() async throws {
        let scene = try await FollowScene(lanes: 2)
        try await scene.follow()
        try await scene.follow()
        var expected: Int64 = 0
        for _ in 0..<100 {
            try await scene.note(10)
            expected += 10
            try await Reactor.shared.sleep(for: .milliseconds(.random(in: 0...15)))
            try await scene.endConnections()
        }
        try await eventually { try await scene.isDone(expected) }
        try await scene.checkOnce()
    }

    @Test("a failing entry holds up only its lane: those before it are done, the log reports it, and it is retried")
    func poisoned() async throws {
        let scene = try await FollowScene(lanes: 2)
        let poison = Sizes()
        poison.remaining = .max
        try await scene.follow { entries, _ in
            if poison.remaining > 0, entries.contains(where: { $0.lane == 1 && $0.number == 50 }) {
                poison.remaining -= 1
                throw Refusal("invalid", "cannot be done")
            }
        }
        for _ in 0..<10 { try await scene.note(20) }
        try await eventually {
            try await scene.source.number("SELECT COALESCE(sum(number), 0) FROM messaging.followed") == 49 + 100
        }
        try await eventually { !scene.book.texts(.critical).isEmpty }
        #expect(scene.book.texts(.critical)[0].contains("lane=1 more=0 number=50 source=conversations"))
        #expect(scene.book.texts(.critical)[0].contains("failures=10"))
        #expect(try await scene.effects().count == 149)
        poison.remaining = 0
        try await eventually { try await scene.isDone(200) }
        try await scene.checkOnce()
    }

    @Test("what waits at the start is tried alone and written down; an entry of which three processes died is left out")
    func deaths() async throws {
        for (deaths, isLeftOut) in [(2, false), (3, true)] {
            let scene = try await FollowScene()
            try await scene.note(40)
            // As processes leave it that die of the 21st entry.
            try await scene.source.execute(
                "INSERT INTO messaging.followed (source, lane, number, tried_after, tries) "
                    + "VALUES ('conversations', 1, 20, 20, \(deaths))")
            let sizes = Sizes()
            try await scene.follow { entries, _ in sizes.all.append(entries.count) }
            try await eventually { try await scene.isDone(40) }
            // Those that come before it noticed that nothing else waits are tried alone, too.
            var noted: Int64 = 40
            repeat {
                try await scene.note(30)
                noted += 30
                try await eventually { try await scene.isDone(noted) }
            } while sizes.all.allSatisfy { $0 == 1 } && noted < 1000
            #expect(try await scene.effects() == Array((isLeftOut ? 22 : 21)...noted))
            #expect(sizes.all.prefix(isLeftOut ? 19 : 20).allSatisfy { $0 == 1 })
            #expect(sizes.all.contains { $0 > 1 }, "later entries come together")
            #expect(scene.book.texts(.critical).map { $0.contains("number=21") } == (isLeftOut ? [true] : []))
        }
    }

    @Test("an entry that fails while the process lives is never left out")
    func survivors() async throws {
        let scene = try await FollowScene()
        try await scene.note(3)
        let failures = Sizes()
        failures.remaining = 8
        try await scene.follow { entries, _ in
            guard entries.contains(where: { $0.number == 2 }), failures.remaining > 0 else { return }
            failures.remaining -= 1
            throw Refusal("invalid", "cannot be done")
        }
        try await eventually { try await scene.isDone(3) }
        try await scene.checkOnce()
        #expect(failures.remaining == 0 && scene.book.texts(.critical).isEmpty)
    }

    @Test("entries dropped before they were followed are logged with their count, and following continues after them")
    func asleep() async throws {
        let scene = try await FollowScene()
        let first = try await scene.follow()
        for _ in 0..<10 { try await scene.note(10) }
        try await eventually { try await scene.isDone(100) }
        await first.stop()
        for _ in 0..<60 { try await scene.note(10) }
        try await scene.source.execute("DELETE FROM conversations.journal WHERE number <= 650")
        try await scene.follow()
        try await eventually { try await scene.isDone(700) }
        #expect(try await scene.effects() == Array(1...100) + Array(651...700))
        let lost = scene.book.texts(.critical)
        #expect(lost.count == 1 && lost[0].contains("missing=550"), "\(lost)")
    }

    @Test("a follower that starts after the journal dropped old entries misses nothing")
    func begins() async throws {
        let scene = try await FollowScene()
        for _ in 0..<60 { try await scene.note(10) }
        try await scene.source.execute("DELETE FROM conversations.journal WHERE number <= 550")
        try await scene.follow()
        try await eventually { try await scene.isDone(600) }
        #expect(try await scene.effects() == Array(551...600))
        #expect(scene.book.texts(.critical).isEmpty)
    }

    @Test("a follower of some kinds gets all of those, in order, at most 200 at a time, and skips the others")
    func someKinds() async throws {
        let scene = try await FollowScene()
        var expected: [Int64] = []
        var last: Int64 = 0
        let note = { @ReactorActor (kinds: [Int16]) in
            try await scene.note(kinds: kinds)
            expected += kinds.indices.filter { [9, 11].contains(kinds[$0]) }.map { last + Int64($0) + 1 }
            last += Int64(kinds.count)
        }
        let random: () -> [Int16] = { (0..<Int.random(in: 1...40)).map { _ in [3, 4, 5, 9, 11].randomElement() ?? 3 } }
        for _ in 0..<40 { try await note(random()) }
        try await note(Array(repeating: 9, count: 450))
        // More than one page covers.
        for _ in 0..<12 { try await note(Array(repeating: 3, count: 1_000)) }
        for _ in 0..<10 { try await note(random()) }
        let sizes = Sizes()
        try await scene.follow(kinds: [9, 11]) { entries, _ in
            sizes.all.append(entries.count)
            #expect(entries.allSatisfy { [9, 11].contains($0.kind) && $0.subject == 1 && $0.audience == [6] })
        }
        try await eventually { try await scene.isDone(last) }
        try await note([3, 9, 3])
        try await note([3])
        try await eventually { try await scene.isDone(last) }
        #expect(try await scene.effects() == expected)
        #expect(sizes.all.allSatisfy { 1...200 ~= $0 } && sizes.all.contains(200))
        #expect(scene.book.texts(.critical).isEmpty && scene.book.texts(.notice).isEmpty)
    }

    @Test("a follower of some kinds also logs long gaps, and also isolates an entry that fails")
    func someKindsAndFaults() async throws {
        let scene = try await FollowScene()
        let poison = Sizes()
        poison.remaining = .max
        let first = try await scene.follow(kinds: [9])
        for _ in 0..<5 { try await scene.note(kinds: [3, 9]) }
        try await eventually { try await scene.isDone(10) }
        await first.stop()
        for _ in 0..<15 { try await scene.note(1_000) }
        for _ in 0..<20 { try await scene.note(kinds: [3, 9, 9, 3]) }
        try await scene.source.execute("DELETE FROM conversations.journal WHERE number BETWEEN 11 AND 15010")
        try await scene.source.execute("DELETE FROM conversations.journal WHERE number BETWEEN 15015 AND 15022")
        try await scene.follow(kinds: [9]) { entries, _ in
            guard poison.remaining > 0, entries.contains(where: { $0.number == 15_048 }) else { return }
            poison.remaining -= 1
            throw Refusal("invalid", "cannot be done")
        }
        try await eventually { scene.book.texts(.critical).contains { $0.contains("failures=10") } }
        let lost = scene.book.texts(.critical).filter { $0.contains("missing=") }
        #expect(lost.count == 2 && lost[0].contains("missing=15000") && lost[1].contains("missing=8"), "\(lost)")
        let before: [Int64] = [2, 4, 6, 8, 10]
        var after: [Int64] = []
        for first in stride(from: Int64(15_011), to: 15_091, by: 4) where !(15_015...15_022).contains(first) {
            after += [first + 1, first + 2]
        }
        #expect(try await scene.effects() == before + after.filter { $0 < 15_048 })
        poison.remaining = 0
        try await eventually { try await scene.isDone(15_090) }
        #expect(try await scene.effects() == before + after)
    }

    @Test("the follower waits for views that do not exist yet, or may not be read yet")
    func waitsForViews() async throws {
        let scene = try await FollowScene()
        try await scene.note(3)
        try await scene.source.execute("REVOKE SELECT ON conversations.lanes FROM parley_messaging")
        try await scene.follow()
        try await eventually { !scene.book.texts(.notice).isEmpty }
        #expect(scene.book.texts(.notice)[0].hasPrefix("waiting for the journal of another service more=0 source=conv"))
        try await scene.source.execute("ALTER TABLE conversations.lanes RENAME TO away")
        try await scene.source.execute("GRANT SELECT ON conversations.away TO parley_messaging")
        try await scene.source.execute("ALTER TABLE conversations.away RENAME TO lanes")
        try await eventually { try await scene.isDone(3) }
        #expect(try await scene.effects() == [1, 2, 3])
        #expect(scene.book.texts(.warning).isEmpty && scene.book.texts(.critical).isEmpty)
        #expect(scene.book.texts(.notice).count == 1, "the log line is throttled")
    }

    @Test("stopping finishes the work under way, and nothing begins after it")
    func stops() async throws {
        let scene = try await FollowScene()
        let sizes = Sizes()
        let follower = try await scene.follow { entries, change in
            sizes.all.append(entries.count)
            try await change.execute(Statement("SELECT pg_sleep(0.2)"))
        }
        try await scene.note(3)
        try await eventually { !sizes.all.isEmpty }
        try await scene.note(2)
        await follower.stop()
        // Those that it found at its start come one at a time.
        #expect(sizes.all.count == 1 && [1, 3].contains(sizes.all[0]))
        #expect(try await scene.effects() == Array(1...Int64(sizes.all[0])))
    }
}
