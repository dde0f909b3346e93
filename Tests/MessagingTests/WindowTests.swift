import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import MessagingService
@testable import ServiceKit

@Suite("M14: exact windows of history under interleaving", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct WindowTests {
    // MARK: Joining

    @Test("a new member reads from the next message on, however soon it arrives, and gets its Update")
    func joinThenSend() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        _ = try await lane.send(message(1, in: 1))
        try await scene.join(4, 1, version: 2)
        #expect(try await scene.range(4, 1) == "2...1", "no message yet")
        #expect(try await lane.send(message(2, in: 1)).seq == 2)
        #expect(try await scene.range(4, 1) == "2...2")
        #expect(try await scene.readable(4, 1) == [2])
        #expect(try await scene.audience(of: 2, in: 1) == [1, 2, 3, 4])
        #expect(try await lane.send(message(3, in: 1, from: 4)).seq == 3)
        #expect(try await scene.range(4, 1) == "2...3")
        #expect(try await scene.range(1, 1) == "1...3", "an earlier member reads everything")
        try await scene.checkInvariants()
    }

    @Test("a person joining a group without messages or head reads from the first message")
    func joinEmpty() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        try await scene.join(4, 1, version: 2)
        #expect(try await scene.range(4, 1) == "1...0")
        #expect(try await lane.send(message(1, in: 1, from: 4)).seq == 1)
        #expect(try await scene.readable(4, 1) == [1])
        #expect(try await scene.number("SELECT members_version FROM messaging.heads WHERE conversation = 1") == 2)
        try await scene.checkInvariants()
    }

    @Test("in the first batch after a removal, members, the removed member and strangers each get a reply")
    func firstBatch() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        try await scene.leave(2, 1, version: 2)
        let sendings = [
            Sending(lane, message(1, in: 1, from: 1)), Sending(lane, message(2, in: 1, from: 2)),
            Sending(lane, message(3, in: 1, from: 77)), Sending(lane, message(4, in: 2, from: 1)),
        ]
        #expect(try await sendings[0].reply().seq == 1)
        for refused in sendings[1...2] { await #expect(throws: Refusal.notMember) { try await refused.reply() } }
        #expect(try await sendings[3].reply().seq == 1)
        #expect(try await scene.readable(1, 1) == [1])
        try await scene.checkInvariants()
    }

    @Test("messages of a batch begun before a join commits are before the window, those of the next batch within it")
    func joinDuringBatch() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        _ = try await lane.send(message(1, in: 1))
        // A batch of another replica that has stored its message and pauses before its commit.
        let batch = try await scene.batchInFlight(message(2, in: 1))
        try await scene.join(4, 1, version: 2)
        let next = Sending(lane, message(3, in: 1))
        #expect(try await scene.range(4, 1) == "2...1")
        try await batch.end()
        #expect(try await next.reply().seq == 3)
        #expect(try await scene.audience(of: 2, in: 1) == [1, 2, 3], "not published to them")
        #expect(try await scene.readable(4, 1) == [3], "so they may not read it")
        #expect(try await scene.audience(of: 3, in: 1) == [1, 2, 3, 4])
        try await scene.checkInvariants()
    }

    @Test("until a later message, a batch that did not see a join moves the start of the window")
    func joinBeforeCommit() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        _ = try await lane.send(message(1, in: 1))
        let batch = try await scene.batchInFlight(message(2, in: 1))
        try await scene.join(4, 1, version: 2)
        #expect(try await scene.range(4, 1) == "2...1")
        try await batch.end()
        #expect(try await scene.range(4, 1) == "3...2")
        #expect(try await scene.readable(4, 1) == [])
    }

    // MARK: Leaving

    @Test("a removed member can no longer send, gets no Updates, and reads messages up to the removal")
    func removeThenSend() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        for number in 1...2 { _ = try await lane.send(message(number, in: 1)) }
        try await scene.leave(3, 1, version: 2)
        #expect(await Sending(lane, message(3, in: 1, from: 3)).outcome() == "not_member")
        #expect(try await scene.range(3, 1) == "1...2")
        _ = try await lane.send(message(4, in: 1))
        #expect(try await scene.range(3, 1) == "1...2")
        #expect(try await scene.readable(3, 1) == [1, 2])
        #expect(try await scene.audience(of: 3, in: 1) == [1, 2])
        let window = try #require(try await scene.window(3, 1))
        #expect(window.lastSeq == 2 && window.lastPosition == 2 && window.isFormer, "nothing after the removal")
        try await scene.checkInvariants()
    }

    @Test("a batch that published a message to a member before it saw their removal leaves it in their window")
    func removeDuringBatch() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        _ = try await lane.send(message(1, in: 1))
        let batch = try await scene.batchInFlight(message(2, in: 1))
        try await scene.leave(3, 1, version: 2)
        #expect(try await scene.range(3, 1) == "1...1", "the messages committed so far")
        let next = Sending(lane, message(3, in: 1))
        try await batch.end()
        _ = try await next.reply()
        #expect(try await scene.audience(of: 2, in: 1) == [1, 2, 3])
        #expect(try await scene.audience(of: 3, in: 1) == [1, 2])
        #expect(try await scene.readable(3, 1) == [1, 2])
        try await scene.checkInvariants()
    }

    @Test("a removed member's sync and changes end at the removal, before and after the window is stored")
    func formerSync() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        for number in 1...3 { _ = try await lane.send(message(number, in: 1)) }
        try await scene.leave(3, 1, version: 2)
        for round in 0..<2 {
            let entry = try #require(try await scene.inbox(3).first)
            #expect(entry.lastSeq == 3 && entry.position == 3 && entry.lastMessage?.seq == 3, "round \(round)")
            _ = try await lane.send(message(10 + round, in: 1))
        }
        #expect(try await scene.inbox(1).first?.lastSeq == 5)
    }

    @Test("a person who joins and leaves without a message in between reads nothing from that time")
    func joinAndLeave() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        _ = try await lane.send(message(1, in: 1))
        try await scene.join(4, 1, version: 2)
        try await scene.leave(4, 1, version: 3)
        #expect(try await scene.range(4, 1) == "2...1")
        _ = try await lane.send(message(2, in: 1))
        #expect(try await scene.range(4, 1) == "2...1")
        #expect(try await scene.readable(4, 1) == [])
    }

    @Test("a rejoin begins a new window", arguments: [true, false])
    func rejoin(sendsBetween: Bool) async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        for number in 1...2 { _ = try await lane.send(message(number, in: 1)) }
        try await scene.leave(3, 1, version: 2)
        if sendsBetween { _ = try await lane.send(message(3, in: 1)) }
        try await scene.join(3, 1, version: 3)
        let head = try await scene.number("SELECT seq FROM messaging.heads WHERE conversation = 1")
        #expect(try await scene.range(3, 1) == "\(head + 1)...\(head)")
        _ = try await lane.send(message(4, in: 1))
        #expect(try await scene.readable(3, 1) == [Seq(head + 1)])
        try await scene.leave(3, 1, version: 4)
        _ = try await lane.send(message(5, in: 1))
        #expect(try await scene.range(3, 1) == "\(head + 1)...\(head + 1)")
        try await scene.checkInvariants()
    }

    @Test("member changes between a batch's snapshots neither lose nor duplicate its messages")
    func changesUnderLoad() async throws {
        let scene = try await Scene()
        let lanes = [try await scene.lane(), try await scene.lane()]
        var sendings: [Sending] = []
        for round in 0..<60 {
            for item in 0..<8 {
                let conversation = ConversationNumber(1 + item % 3)
                sendings.append(Sending(lanes[item % 2], message(round * 100 + item, in: conversation)))
            }
            let conversation = ConversationNumber(1 + round % 3)
            let version = Int64(2 + round / 3)
            if round / 3 % 2 == 0 {
                try await scene.join(4, conversation, version: version)
            } else {
                try await scene.leave(4, conversation, version: version)
            }
        }
        for sending in sendings { #expect(await sending.outcome() == "accepted") }
        for conversation in (1...3).map({ ConversationNumber($0) }) {
            _ = try await lanes[0].send(message(99_990, in: conversation))
        }
        try await scene.checkInvariants()
        // Count the messages in the last window that were not published to the member.
        #expect(
            try await scene.number(
                """
                SELECT count(*) FROM messaging.inbox AS i
                JOIN messaging.messages AS m USING (conversation)
                WHERE i.account = 4 AND m.seq BETWEEN i.visible_from AND i.visible_to AND NOT EXISTS (
                    SELECT FROM (
                        SELECT j.lane, s.subject, s.object, s.count, j.audience,
                            sum(greatest(s.count, 0)) OVER (PARTITION BY j.lane, j.number ORDER BY s.n) AS ends, s.n,
                            j.number
                        FROM messaging.journal AS j, unnest(subjects, objects, audience_counts)
                            WITH ORDINALITY AS s (subject, object, count, n)
                    ) AS t
                    WHERE t.subject = m.conversation AND t.object = m.seq
                        AND (t.count < 0 OR 4 = ANY (t.audience[t.ends - t.count + 1:t.ends])))
                """) == 0)
        #expect(try await scene.number("SELECT min(members_version) FROM messaging.heads") == 21)
    }

    @Test("E8 a message keeps the zone of its sender until it is deleted, and entities reads it")
    func timeZones() async throws {
        let scene = try await Scene()
        try await scene.execute("INSERT INTO messaging.lanes VALUES (60, 0)")
        var (zoned, other) = (message(1, in: 1), message(2, in: 1))
        zoned.draft.timeZone = "Europe/Zurich"
        _ = try await scene.messaging.query(
            MessagingStore.sendBatch, MessagingStore.parameters(lane: 60, now: 5, [zoned, other]))
        (other.draft.id, other.draft.timeZone) = (message(3, in: 1).draft.id, "")
        _ = try await scene.messaging.query(
            MessagingStore.sendBatch, MessagingStore.parameters(lane: 60, now: 5, [other]))
        let entities = try await Connection.open(
            scene.database.configuration(of: "entities", settings: plannerSettings))
        defer { entities.close() }
        let zones = try await entities.query(
            Statement(
                """
                SELECT time_zone
                FROM messaging.readable
                WHERE conversation = 1 AND account BETWEEN 2 AND 2
                ORDER BY seq
                """
            ) { try $0.optionalText(0) })
        #expect(zones == ["Europe/Zurich", nil, nil])
        _ = try await scene.messaging.query(
            ActionsStore.delete, .int64(1), .int64s([1, 2, 3]), .int64(1), .int64(9), .int64(4), .null)
        #expect(try await scene.number("SELECT count(time_zone) FROM messaging.messages") == 0)
    }

    @Test("the database's clock sets touched_at, whatever the service's clock says")
    func databaseClock() async throws {
        let scene = try await Scene()
        try await scene.execute("INSERT INTO messaging.lanes VALUES (60, 0)")
        let before = try await scene.number("SELECT extract(epoch FROM clock_timestamp()) * 1000000")
        _ = try await scene.messaging.query(
            MessagingStore.sendBatch, MessagingStore.parameters(lane: 60, now: 5, [message(1, in: 1)]))
        let after = try await scene.number("SELECT extract(epoch FROM clock_timestamp()) * 1000000")
        let touched = try await scene.number("SELECT min(touched_at) FROM messaging.inbox")
        #expect(before <= touched && touched <= after)
        let now = try #require(try await scene.messaging.first(OwnStateStore.now, .int64(1)))
        #expect(now.now.rawValue >= touched && now.now.rawValue <= touched + 60_000_000)
    }
}

@Suite("System messages", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct SystemNoteTests {
    private func entry(
        _ number: Int64, kind: Int16 = 3, in conversation: ConversationNumber = 1, _ object: Int64,
        by actor: AccountNumber = 1
    ) -> JournalEntry {
        JournalEntry(
            lane: 2, number: number, at: 1, kind: kind, subject: conversation.rawValue, object: object,
            audience: [actor])
    }

    @Test("members added together share one note, and nothing else does")
    func grouping() {
        let notes = MemberNote.notes(of: [
            entry(1, kind: 1, 7), entry(2, 4), entry(3, 5), entry(4, kind: 1, 7), entry(5, 6), entry(6, in: 2, 6),
            entry(7, in: 2, 8, by: 2), entry(8, kind: 4, in: 2, 2, by: 2), entry(9, kind: 5, in: 2, 3, by: 2),
            entry(10, kind: 2, 1),
        ])
        #expect(notes.map(\.accounts) == [[4, 5], [6], [6], [8], [2], [3]])
        #expect(
            notes.map(\.kind) == [
                .membersJoined, .membersJoined, .membersJoined, .membersJoined, .memberLeft, .memberRemoved,
            ])
        #expect(Set(notes.map(\.id)).count == notes.count)
        #expect(MemberNote.notes(of: (1...70).map { entry($0, $0) }).map(\.accounts.count) == [64, 6])
    }

    @Test("C9 each change of name, photo, owner or role is a separate note")
    func groupNotes() {
        let notes = MemberNote.notes(of: [
            entry(1, kind: 9, 0), entry(2, kind: 9, 0), entry(3, kind: 10, 0), entry(4, kind: 11, 2),
            entry(5, kind: 12, 1), entry(6, kind: 12, 3), entry(7, kind: 13, 3), entry(8, kind: 6, 1),
            entry(9, kind: 8, 1),
        ])
        #expect(
            notes.map(\.kind) == [
                .groupRenamed, .groupRenamed, .groupPhotoChanged, .ownerChanged, .adminAdded, .adminAdded,
                .adminRemoved,
            ])
        #expect(notes.map(\.accounts) == [[], [], [], [2], [1], [3], [3]])
        let users: [AccountNumber: String] = [1: "u1", 3: "u3"]
        #expect(notes[0].note(users, name: "Hikers") == SystemNote(kind: .groupRenamed, actor: "u1", name: "Hikers"))
        #expect(notes[5].note(users, name: "Hikers") == SystemNote(kind: .adminAdded, actor: "u1", users: ["u3"]))
    }

    @Test("C9 each change of a group is announced in it once, with its current name")
    func groupNotesAreWritten() async throws {
        let scene = try await Scene()
        try await scene.execute("UPDATE conversations.conversations SET name = 'Hikers' WHERE conversation = 2")
        let entries = [entry(1, kind: 9, in: 2, 0), entry(2, kind: 11, in: 2, 3), entry(3, kind: 13, in: 2, 2)]
        let journal = try await scene.journal()
        let writer = NoteWriter(publisher: scene.publisher, clock: .system)
        for _ in 0..<2 { try await journal.change { try await writer.write(entries, in: $0) } }
        let seen = try await scene.messaging.query(
            MessagingStore.oldest, .int64(2), .int64(1), .int64(10), .int64(10), .int64(1), .bool(true))
        #expect(
            seen.map(\.system) == [
                SystemNote(kind: .groupRenamed, actor: "u1", name: "Hikers"),
                SystemNote(kind: .ownerChanged, actor: "u1", users: ["u3"]),
                SystemNote(kind: .adminRemoved, actor: "u1", users: ["u2"]),
            ])
        try await scene.checkInvariants()
    }

    @Test("a note's id is the same each time and has version 8, so it differs from every client's")
    func ids() {
        let id = MemberNote.notes(of: [entry(0x0102_0304_0506_0708, 4)])[0].id
        #expect(id == [1, 2, 3, 4, 5, 6, 0x81, 2, 0x80, 0, 7, 8, 0, 0, 0, 0])
        #expect(id.count == 16 && id[6] >> 4 == 8 && id[8] >> 6 == 2)
        #expect(throws: Refusal.self) { try UUIDv7(id) }
    }

    @Test("a note is one system message, published to all members, and writing it again changes nothing")
    func writes() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        _ = try await lane.send(message(1, in: 1))
        try await scene.join(4, 1, version: 2)
        try await scene.join(5, 1, version: 2)
        let entries = [entry(1, 4), entry(2, 5), entry(3, kind: 4, in: 9, 2, by: 2)]
        let journal = try await scene.journal()
        let writer = NoteWriter(publisher: scene.publisher, clock: .system)
        for _ in 0..<2 { try await journal.change { try await writer.write(entries, in: $0) } }
        let window = try #require(try await scene.window(4, 1))
        let seen = try await scene.messaging.query(
            MessagingStore.oldest, .int64(1), .number(window.lowest), .number(window.highest), .int64(10), .int64(1),
            .bool(true))
        #expect(seen.map(\.seq) == [2])
        #expect(seen[0].kind == .system && seen[0].sender == "" && seen[0].text == "")
        #expect(seen[0].system == SystemNote(kind: .membersJoined, actor: "u1", users: ["u4", "u5"]))
        #expect(try await scene.audience(of: 2, in: 1) == [1, 2, 3, 4, 5])
        #expect(try await scene.number("SELECT count(*) FROM messaging.messages WHERE kind = 6") == 2)
        #expect(try await scene.number("SELECT seq FROM messaging.heads WHERE conversation = 9") == 1)
        try await scene.checkInvariants()
        // Nobody can send as the system, not even a sender without an account.
        #expect(await Sending(lane, message(5, in: 1, from: 0)).outcome() == "not_member")
    }

    @Test("a note waits while another session locks the conversation")
    func heldHead() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        _ = try await lane.send(message(1, in: 1))
        let holder = try await Standstill(
            scene.database.configuration(of: "messaging"),
            "SELECT FROM messaging.heads WHERE conversation = 1 FOR UPDATE")
        let journal = try await scene.journal()
        let writer = NoteWriter(publisher: scene.publisher, clock: .system)
        let entries = [entry(1, kind: 4, 2, by: 2)]
        let writing = Task { @ReactorActor in try await journal.change { try await writer.write(entries, in: $0) } }
        try await eventually {
            try await scene.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") > 0
        }
        try await holder.end()
        try await writing.value
        #expect(try await scene.number("SELECT max(seq) FROM messaging.messages WHERE kind = 6") == 2)
        try await scene.checkInvariants()
    }
}
