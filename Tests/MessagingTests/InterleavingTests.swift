import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import MessagingService
@testable import ServiceKit

@Suite("Interleaved sends", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct InterleavingTests {
    // MARK: The same message on two lanes

    @Test(
        "a message sent again before its first send commits waits for it and is its duplicate",
        arguments: [true, false])
    func racingDuplicate(headExists: Bool) async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        if headExists { _ = try await lane.send(message(1, in: 1)) }
        let id = Hex.text(messageID(100))
        try await scene.execute("INSERT INTO messaging.lanes VALUES (60, 0)")
        let first = try await Standstill(
            scene.database.configuration(of: "messaging"),
            """
            SELECT messaging.send_batch(60, 1, ARRAY[1]::bigint[], ARRAY[1]::bigint[], ARRAY['\(id)']::uuid[],
                ARRAY[1]::smallint[], ARRAY['first']::text[])
            """)
        let again = Sending(lane, message(100, in: 1, text: "first"))
        let other = Sending(lane, message(101, in: 2))
        #expect(try await other.reply().seq == 1)
        #expect(again.result == nil, "the other conversation did not wait for it")
        try await first.end()
        let reply = try await again.reply()
        #expect(reply.duplicate)
        #expect(reply.seq == (headExists ? 2 : 1))
        #expect(try await lane.send(message(102, in: 1)).seq == reply.seq + 1, "no gap")
        try await scene.checkInvariants()
    }

    @Test("the same messages sent at the same time through two lanes are stored once each, and no batch aborts")
    func manyRacingDuplicates() async throws {
        let scene = try await Scene()
        let lanes = [try await scene.lane(), try await scene.lane()]
        for round in 0..<20 {
            let pairs = (0..<40).map { item -> [Sending] in
                let message = message(round * 100 + item, in: ConversationNumber(1 + item % 3))
                return lanes.map { Sending($0, message) }
            }
            for pair in pairs {
                let outcomes = [await pair[0].outcome(), await pair[1].outcome()].sorted()
                #expect(outcomes == ["accepted", "duplicate"])
                #expect(try await pair[0].reply().seq == pair[1].reply().seq)
            }
        }
        #expect(try await scene.number("SELECT count(*) FROM messaging.messages") == 800)
        try await scene.checkInvariants()
    }

    // MARK: Blocks

    @Test("a send begun after an acknowledged block is refused, and so is one in progress when the block commits")
    func block() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        _ = try await lane.send(message(1, in: 4, from: 2))
        // The batch pauses before its first step while the block commits, so it must decide in a later snapshot.
        let pause = try await Standstill(
            scene.database.superuser, "LOCK TABLE messaging.heads IN ACCESS EXCLUSIVE MODE")
        let during = Sending(lane, message(2, in: 4, from: 2))
        try await eventually {
            try await scene.number(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'messaging.heads'::regclass")
                > 0
        }
        try await scene.execute("UPDATE conversations.members SET write_refusal = 2 WHERE conversation = 4")
        try await pause.end()
        #expect(await during.outcome() == "user_blocked")
        #expect(await Sending(lane, message(3, in: 4, from: 2)).outcome() == "user_blocked")
        #expect(await Sending(lane, message(1, in: 4, from: 2)).outcome() == "duplicate", "the first result")
        #expect(try await scene.number("SELECT seq FROM messaging.heads WHERE conversation = 4") == 1)
    }

    @Test("under load no send begun after the block's acknowledgement is accepted; earlier ones may go either way")
    func blockUnderLoad() async throws {
        let scene = try await Scene()
        let lanes = [try await scene.lane(), try await scene.lane()]
        for round in 0..<10 {
            let conversation = ConversationNumber(5 + round)
            func send(_ numbers: Range<Int>) -> [Sending] {
                numbers.map { Sending(lanes[$0 % 2], message(round * 1000 + $0, in: conversation)) }
            }
            let before = send(0..<50)
            try await scene.execute(
                "UPDATE conversations.members SET write_refusal = 2 WHERE conversation = \(conversation)")
            let after = send(50..<100)
            for sending in before { #expect(["accepted", "user_blocked"].contains(await sending.outcome())) }
            for sending in after { #expect(await sending.outcome() == "user_blocked") }
        }
        try await scene.checkInvariants()
    }

    // MARK: Locked heads

    @Test("lanes that lock the same heads in opposite order neither deadlock nor lose anything")
    func crossingOrder() async throws {
        let scene = try await Scene()
        let lanes = [try await scene.lane(), try await scene.lane()]
        for round in 0..<20 {
            let there = (0..<20).map { Sending(lanes[0], message(round * 100 + $0, in: ConversationNumber(1 + $0))) }
            let back = (0..<20).map {
                Sending(lanes[1], message(round * 100 + 50 + $0, in: ConversationNumber(20 - $0)))
            }
            for sending in there + back { #expect(await sending.outcome() == "accepted") }
        }
        #expect(try await scene.number("SELECT count(*) FROM messaging.messages") == 800)
        #expect(
            try await scene.number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()") == 0)
        try await scene.checkInvariants()
    }

    @Test("messages of a locked conversation go to a later batch, in order, and the rest are stored immediately")
    func heldHead() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        for conversation in 1...2 {
            _ = try await lane.send(message(conversation, in: ConversationNumber(conversation)))
        }
        let holder = try await Standstill(
            scene.database.configuration(of: "messaging"),
            "SELECT FROM messaging.heads WHERE conversation = 1 FOR UPDATE")
        let held = (0..<30).map { Sending(lane, message(100 + $0, in: 1)) }
        let free = (0..<30).map { Sending(lane, message(200 + $0, in: 2)) }
        for (index, sending) in free.enumerated() { #expect(try await sending.reply().seq == Int64(index + 2)) }
        let later = Sending(lane, message(130, in: 1))
        #expect(held.allSatisfy { $0.result == nil })
        #expect(lane.count == 31)
        try await holder.end()
        for (index, sending) in (held + [later]).enumerated() {
            #expect(try await sending.reply().seq == Int64(index + 2))
        }
        #expect(lane.count == 0)
        try await scene.checkInvariants()
    }

    @Test("a message whose deadline passes while its head is locked is refused, and later ones are stored")
    func deadlineWhileHeld() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        _ = try await lane.send(message(1, in: 1))
        let holder = try await Standstill(
            scene.database.configuration(of: "messaging"),
            "SELECT FROM messaging.heads WHERE conversation = 1 FOR UPDATE")
        let hurried = Sending(lane, message(2, in: 1, within: .milliseconds(150)))
        let patient = Sending(lane, message(3, in: 1))
        #expect(await hurried.outcome() == "deadline")
        try await holder.end()
        #expect(try await patient.reply().seq == 2)
    }

    @Test("a session stopped in its transaction delays only its own conversation, and only until the timeout")
    func stoppedSession() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        for conversation in 1...2 {
            _ = try await lane.send(message(conversation, in: ConversationNumber(conversation)))
        }
        // Idle in its transaction, like a stopped process; the test never resumes it.
        let stopped = try await Standstill(
            scene.database.configuration(of: "messaging", idleInTransaction: .milliseconds(1500)),
            "SELECT FROM messaging.heads WHERE conversation = 1 FOR UPDATE")
        let delayed = Sending(lane, message(10, in: 1))
        for number in 20..<40 {
            let other = Sending(lane, message(number, in: 2))
            #expect(await other.outcome() == "accepted")
            // Replied before the message that the stopped session delays, so not delayed with it.
            if number == 20 { #expect(delayed.result == nil) }
        }
        #expect(try await delayed.reply().seq == 2)
        #expect(delayed.seconds > 0.5)
        // Its own transaction is over: the server ended it after the timeout.
        await #expect(throws: DatabaseError.self) { try await stopped.end() }
        try await scene.checkInvariants()
    }

    // MARK: Poison

    @Test(
        "of a batch of 256 with one invalid message, 255 are stored without a gap", arguments: [0, 100, 255])
    func poisonedBatch(poisoned: Int) async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        try await scene.execute("ALTER TABLE messaging.messages ADD CHECK (text <> 'poison')")
        let sendings = (0..<256).map {
            Sending(lane, message($0, in: ConversationNumber(1 + $0 % 4), text: $0 == poisoned ? "poison" : nil))
        }
        for (index, sending) in sendings.enumerated() {
            #expect(await sending.outcome() == (index == poisoned ? "invalid" : "accepted"))
        }
        #expect(try await scene.number("SELECT count(*) FROM messaging.messages") == 255)
        #expect(try await scene.number("SELECT max(number) FROM messaging.lanes") == 255)
        // They are in the order sent, whether or not the batch was halved.
        #expect(
            try await scene.number(
                """
                SELECT count(*) FROM (
                    SELECT id, lag(id) OVER (PARTITION BY conversation ORDER BY seq) AS before FROM messaging.messages
                ) AS m WHERE before > id
                """) == 0)
        try await scene.checkInvariants()
        #expect(await Sending(lane, message(999, in: 1)).outcome() == "accepted")
    }

    @Test("a halved batch keeps the order of messages whose conversation is locked")
    func poisonWhileHeld() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        for conversation in 1...2 {
            _ = try await lane.send(message(conversation, in: ConversationNumber(conversation)))
        }
        let holder = try await Standstill(
            scene.database.configuration(of: "messaging"),
            "SELECT FROM messaging.heads WHERE conversation = 1 FOR UPDATE")
        let sendings = (10..<74).map { number in
            Sending(lane, message(number, in: number % 2 == 0 ? 1 : 2, text: number % 32 == 1 ? "a\0b" : nil))
        }
        for (index, sending) in sendings.enumerated() where index % 2 == 1 { _ = await sending.outcome() }
        try await holder.end()
        var last: Int64 = 1
        for (index, sending) in sendings.enumerated() where index % 2 == 0 {
            let reply = try await sending.reply()
            #expect(reply.seq == last + 1)
            last = reply.seq
        }
        try await scene.checkInvariants()
    }

    @Test("only the message with text that PostgreSQL cannot store is refused")
    func textWithNul() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        let sendings = (0..<8).map { Sending(lane, message($0, in: 1, text: $0 == 3 ? "a\0b" : nil)) }
        for (index, sending) in sendings.enumerated() {
            #expect(await sending.outcome() == (index == 3 ? "invalid" : "accepted"))
        }
        try await scene.checkInvariants()
    }

    @Test("an aborted batch changes nothing")
    func abortedBatch() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        _ = try await lane.send(message(1, in: 1))
        try await scene.execute("ALTER TABLE messaging.messages ADD CHECK (text <> 'poison')")
        let state =
            """
            SELECT hashtext(string_agg(x, ',' ORDER BY x)) FROM (
                SELECT m::text FROM messaging.messages AS m UNION ALL SELECT h::text FROM messaging.heads AS h
                UNION ALL SELECT l::text FROM messaging.lanes AS l UNION ALL SELECT i::text FROM messaging.inbox AS i
                UNION ALL SELECT j::text FROM messaging.journal AS j
            ) AS all_rows (x)
            """
        let before = try await scene.number(state)
        let batch = [message(2, in: 1), message(3, in: 9), message(4, in: 2, text: "poison")]
        await #expect(throws: DatabaseError.self) {
            try await scene.messaging.query(
                MessagingStore.sendBatch, MessagingStore.parameters(lane: 1, now: 5, batch))
        }
        #expect(try await scene.number(state) == before)
        #expect(try await lane.send(message(2, in: 1)).seq == 2)
        #expect(try await lane.send(message(3, in: 9)).seq == 1)
    }

    @Test("a lane that loses its connection fails the messages in flight, and sending them again stores each once")
    func lostLane() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        let pause = try await Standstill(
            scene.database.superuser, "LOCK TABLE messaging.heads IN ACCESS EXCLUSIVE MODE")
        let sendings = (0..<10).map { Sending(lane, message($0, in: 1)) }
        try await eventually {
            try await scene.number(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'messaging.heads'::regclass")
                > 0
        }
        let backend = try scene.holders[0].current.connection.backend
        try await scene.execute("SELECT pg_terminate_backend(\(backend))")
        for sending in sendings { #expect(await sending.outcome().hasPrefix("failed: ")) }
        try await pause.end()
        try await eventually { scene.holders[0].isUsable }
        for number in 0..<10 { #expect(try await lane.send(message(number, in: 1)).seq == Int64(number + 1)) }
        try await scene.checkInvariants()
    }

    @Test("strangers and unknown conversations get the same refusal and create no head")
    func strangers() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        #expect(await Sending(lane, message(1, in: 99)).outcome() == "not_member")
        #expect(await Sending(lane, message(2, in: 1, from: 9)).outcome() == "not_member")
        #expect(try await scene.number("SELECT count(*) FROM messaging.heads") == 0)
        _ = try await lane.send(message(3, in: 1))
        #expect(await Sending(lane, message(3, in: 1, from: 2)).outcome() == "id_in_use")
    }

    @Test("four lanes with the same 600 messages in any order: each is stored once and all heads agree")
    func chaos() async throws {
        let scene = try await Scene()
        var lanes: [SendLane] = []
        for _ in 0..<4 { lanes.append(try await scene.lane()) }
        let messages = (0..<600).map {
            message($0, in: ConversationNumber(10 + $0 % 6), from: AccountNumber(1 + $0 % 3))
        }
        var random = SeededRandom(seed: 7)
        let sendings = lanes.flatMap { lane in messages.shuffled(using: &random).map { Sending(lane, $0) } }
        var outcomes: [String: Int] = [:]
        for sending in sendings { outcomes[await sending.outcome(), default: 0] += 1 }
        #expect(outcomes == ["accepted": 600, "duplicate": 1800])
        try await scene.checkInvariants()
    }
}
