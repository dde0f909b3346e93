import Postgres
import Reactor
import Schema
import Synchronization
import TestSupport
import Testing
import Wire

@testable import MessagingService
@testable import ServiceKit

typealias MarkLane = BatchLane<PendingMark, InboxState?>

extension Scene {
    /// Creates a mark lane with its own replica.
    func markLane(clock: WallClock = .system) async throws -> MarkLane {
        let holder = LaneHolder(
            schema: "messaging", database: database.configuration(of: "messaging", settings: plannerSettings),
            log: quiet, unclaimed: FailureLine("no lane", quiet))
        try await holder.start()
        let reading = Database(database.configuration(of: "messaging", settings: plannerSettings), log: quiet)
        return MarkLane(
            "mark", holder: holder, index: 0, log: quiet,
            unfit: .invalid("marks", "must have conversations and seqs that the server can store"),
            commit: MarkBatch(
                publisher: publisher, clock: clock,
                readCounts: ReadCounts(database: reading, publisher: publisher, log: quiet)
            ).commit)
    }

    /// Returns the inbox row as "read/delivered at own position".
    func read(_ account: AccountNumber, _ conversation: ConversationNumber) async throws -> String {
        try await row(
            "SELECT read_seq || '/' || delivered_seq || ' at ' || position FROM messaging.inbox "
                + "WHERE account = \(account) AND conversation = \(conversation)")
    }

    func delivered(_ account: AccountNumber, _ conversation: ConversationNumber) async throws -> Int64 {
        try await number(
            "SELECT delivered_seq FROM messaging.inbox WHERE account = \(account) AND conversation = \(conversation)")
    }

    /// Returns the receipt that others may see as "read/delivered".
    func receipt(_ account: AccountNumber, _ conversation: ConversationNumber) async throws -> String {
        try await row(
            "SELECT read_seq || '/' || delivered_seq FROM messaging.receipts "
                + "WHERE account = \(account) AND conversation = \(conversation)")
    }

    private func row(_ sql: String) async throws -> String {
        try await superuser.first(Statement(sql) { try $0.text(0) }) ?? "none"
    }
}

private func mark(
    _ account: AccountNumber, _ conversation: ConversationNumber, read: Seq = 0, delivered: Seq = 0,
    within: Duration = .seconds(30)
) -> PendingMark {
    let digits = "\(conversation)"
    let id = String(repeating: "0", count: 32 - digits.count) + digits
    return PendingMark(
        account: account, user: "u\(account)", conversation: conversation, conversationID: ConversationID(id)!,
        read: read, delivered: delivered, deadline: .now + within)
}

@Suite("M6 M7: marking messages read and delivered", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct MarkTests {
    private func scene(messages: Int) async throws -> Scene {
        let scene = try await Scene()
        let lane = try await scene.lane()
        for number in 0..<messages { _ = try await lane.send(message(number + 1, in: 1)) }
        return scene
    }

    @Test("M6 a mark moves forwards only, at most to the newest message; an unchanged mark takes no position")
    func forwards() async throws {
        let scene = try await scene(messages: 3)
        let lane = try await scene.markLane()
        let rows: [(read: Seq, delivered: Seq, stored: String, position: Int64, unread: Int64)] = [
            (0, 0, "0/0", 0, 3), (0, 1, "0/1", 0, 3), (2, 0, "2/2", 1, 1), (1, 1, "2/2", 1, 1), (2, 2, "2/2", 1, 1),
            (.min, .min, "2/2", 1, 1), (0, .max, "2/3", 1, 1), (.max, 0, "3/3", 2, 0), (.max, .max, "3/3", 2, 0),
        ]
        for row in rows {
            let state = try #require(try await lane.send(mark(2, 1, read: row.read, delivered: row.delivered)))
            #expect(row.stored.hasPrefix("\(state.readSeq)/"), "\(row)")
            #expect(state.ownPosition == row.position && state.unread == row.unread, "\(row)")
            #expect(state.countedSeq == 3 && state.countedPosition == 3 && state.firstSeq == 1)
            #expect(try await scene.read(2, 1) == "\(row.stored) at \(row.position)")
            #expect(try await scene.receipt(2, 1) == (row.stored == "0/0" ? "none" : row.stored))
        }
        #expect(
            try await scene.number(
                """
                SELECT count(*) FROM messaging.journal, unnest(kinds, subjects, objects, positions) AS e (k, s, o, p)
                WHERE k = 3 AND s = 2 AND o = 1 AND p IN (1, 2) AND audience = ARRAY[2::bigint]
                """) == 2, "each move once, published to the person alone")
        #expect(try await scene.number("SELECT position FROM messaging.person_heads WHERE account = 2") == 2)
        #expect(try await scene.number("SELECT count(*) FROM messaging.reads WHERE account = 2") == 2)
    }

    @Test("M6 in a large group read times are stored about once a minute, so they are at most a minute late")
    func readsOfLargeGroup() async throws {
        let scene = try await scene(messages: 12)
        try await scene.execute(
            "INSERT INTO conversations.accounts (user_id, username, created_at) SELECT 'v' || g, 'v' || g, 1 "
                + "FROM generate_series(1, 62) AS g")
        try await scene.execute(
            "INSERT INTO conversations.members (conversation, account, joined_at, position) "
                + "SELECT 1, account, 1, 1 FROM conversations.accounts WHERE user_id LIKE 'v%'")
        let time = Mutex<Timestamp>(0)
        let lane = try await scene.markLane(clock: WallClock { time.withLock { $0 } })
        func read(_ account: AccountNumber, _ steps: [(second: Int64, seq: Seq)]) async throws -> String {
            for (second, seq) in steps {
                time.withLock { $0 = Timestamp(0) + .seconds(second + 5) }
                _ = try await lane.send(mark(account, 1, read: seq))
            }
            return try await scene.superuser.first(
                Statement(
                    "SELECT string_agg(seq || '@' || (at / 1000000 - 5), ' ' ORDER BY seq) FROM messaging.reads "
                        + "WHERE account = \(account)"
                ) { try $0.text(0) }) ?? ""
        }
        let steps: [(second: Int64, seq: Seq)] = [
            (0, 1), (10, 2), (40, 3), (59, 4), (60, 5), (90, 6), (118, 7), (200, 8), (10_000, 9), (10_001, 10),
        ]
        // Each of 65 members has 64 others, which makes the group large.
        #expect(try await read(2, steps) == "1@0 4@59 7@118 8@200 9@10000 10@10001")
        #expect(
            try await scene.number(
                "SELECT read_at / 1000000 - 5 FROM messaging.receipts WHERE account = 2 AND read_seq = 10") == 10_001)
        // With one member fewer it is not.
        try await scene.leave(
            AccountNumber(try await scene.number("SELECT max(account) FROM conversations.accounts")), 1, version: 2)
        #expect(
            try await read(3, steps) == "1@0 2@10 3@40 4@59 5@60 6@90 7@118 8@200 9@10000 10@10001")
    }

    @Test("M7 own messages are not unread, and marking clears marked-unread only when it moves")
    func counts() async throws {
        let scene = try await scene(messages: 2)
        let lane = try await scene.markLane()
        #expect(try await lane.send(mark(1, 1))?.unread == 0, "their own messages")
        #expect(try await lane.send(mark(2, 1, read: 1))?.unread == 1)
        try await scene.execute("UPDATE messaging.inbox SET marked_unread = true WHERE account = 2")
        #expect(try await lane.send(mark(2, 1, read: 1))?.markedUnread == true)
        #expect(try await lane.send(mark(2, 1, delivered: 2))?.markedUnread == true)
        #expect(try await lane.send(mark(2, 1, read: 2))?.markedUnread == false)
        #expect(try await scene.number("SELECT count(*) FROM messaging.inbox WHERE marked_unread") == 0)
    }

    @Test("marks sent together by several devices become one change with their maximum, and each is answered")
    func coalesced() async throws {
        let scene = try await scene(messages: 9)
        let lane = try await scene.markLane()
        let tasks = (1...9).map { seq in
            Task.immediate { @ReactorActor in try await lane.send(mark(2, 1, read: Seq(seq))) }
        }
        let others = (1...9).map { seq in
            Task.immediate { @ReactorActor in try await lane.send(mark(3, 1, delivered: Seq(10 - seq))) }
        }
        for task in tasks {
            let state = try #require(try await task.value)
            #expect(state.readSeq == 9 && state.ownPosition == 1)
        }
        for task in others { #expect(try await task.value?.readSeq == 0) }
        #expect(try await scene.read(2, 1) == "9/9 at 1")
        #expect(try await scene.read(3, 1) == "0/9 at 0")

        let merged = MarkBatch.Merged([
            mark(2, 1, read: 1), mark(2, 2, read: 5), mark(2, 1, delivered: 4), mark(3, 1, read: 2),
            mark(3, 1, read: 1),
        ])
        #expect(merged.indexes == [0, 1, 0, 2, 2])
        #expect(merged.marks.map(\.read) == [1, 5, 2] && merged.marks.map(\.delivered) == [4, 0, 0])
    }

    @Test("M6 conversations that are unknown, empty or not the person's are left out; the rest of the batch is stored")
    func leftOut() async throws {
        let scene = try await scene(messages: 1)
        let lane = try await scene.markLane()
        let requested = [mark(9, 1, read: 1), mark(1, 2, read: 1), mark(77, 0, read: 1), mark(2, 1, read: 1)]
        let tasks = requested.map { one in Task.immediate { @ReactorActor in try await lane.send(one) } }
        for task in tasks.dropLast() { #expect(try await task.value == nil) }
        #expect(try await tasks[3].value?.readSeq == 1)
        #expect(try await scene.number("SELECT count(*) FROM messaging.receipts") == 1)
    }

    @Test("a locked row delays nobody else and is marked once it is unlocked")
    func held() async throws {
        for sql in [
            "UPDATE messaging.inbox SET touched_at = touched_at WHERE account = 2 AND conversation = 1",
            "UPDATE messaging.person_heads SET position = position WHERE account = 2",
        ] {
            let scene = try await scene(messages: 2)
            let lane = try await scene.markLane()
            _ = try await lane.send(mark(2, 1, read: 1))
            let other = try await Standstill(scene.database.configuration(of: "messaging"), sql)
            let late = Task.immediate { @ReactorActor in
                do {
                    _ = try await lane.send(mark(2, 1, read: 2, within: .milliseconds(150)))
                    return "marked"
                } catch let refusal as Refusal {
                    return refusal.code.rawValue
                }
            }
            #expect(try await lane.send(mark(3, 1, read: 2))?.readSeq == 2, "not locked")
            #expect(try await late.value == "deadline")
            let waiting = Task.immediate { @ReactorActor in try await lane.send(mark(2, 1, read: 2)) }
            try await other.end()
            #expect(try await waiting.value?.readSeq == 2)
        }
    }

    @Test("M6 with concurrent marks and sends, marks never move back and each position is used once")
    func racing() async throws {
        let scene = try await Scene()
        let sends = try await scene.lane()
        let replicas = [try await scene.markLane(), try await scene.markLane()]
        _ = try await sends.send(message(1, in: 1))
        let sending = Task { @ReactorActor in
            for number in 2...60 { _ = try await sends.send(message(number, in: 1)) }
        }
        let marking = replicas.enumerated().flatMap { index, lane in
            (0..<4).map { device in
                Task { @ReactorActor in
                    var last = (read: Int64(0), delivered: Int64(0), position: Int64(0))
                    for step in 0..<30 {
                        let read = Int64((step * 7 + device * 13 + index * 5) % 64)
                        let state = try await lane.send(
                            mark(AccountNumber(2 + device % 2), 1, read: Seq(read), delivered: Seq(read + 3)))
                        let now = try #require(state)
                        #expect(now.readSeq >= min(read, last.read) && now.readSeq >= last.read)
                        let delivered = try await scene.delivered(AccountNumber(2 + device % 2), 1)
                        #expect(delivered >= max(last.delivered, now.readSeq) && now.ownPosition >= last.position)
                        #expect(now.unread == now.countedSeq - now.readSeq, "all from the same snapshot")
                        last = (now.readSeq, delivered, now.ownPosition)
                    }
                }
            }
        }
        try await sending.value
        for one in marking { try await one.value }
        for account in [AccountNumber(2), 3] {
            _ = try await replicas[0].send(mark(account, 1, read: 60))
            #expect(try await scene.receipt(account, 1) == "60/60")
            #expect(
                try await scene.number(
                    """
                    SELECT count(*) - count(DISTINCT p) + abs(count(*) - max(p))
                        + abs(max(p) - (SELECT position FROM messaging.person_heads WHERE account = \(account)))
                    FROM messaging.journal, unnest(kinds, subjects, positions) AS e (k, s, p)
                    WHERE k = 3 AND s = \(account)
                    """) == 0, "positions are dense")
            #expect(
                try await scene.number(
                    """
                    SELECT count(*) FROM (
                        SELECT at, lag(at) OVER (ORDER BY seq) AS earlier FROM messaging.reads WHERE account = \(account)
                    ) AS r WHERE at < earlier
                    """) == 0, "higher seqs were read later")
        }
        #expect(
            try await scene.number(
                """
                SELECT count(*) FROM (
                    SELECT lane, number, cardinality(positions) AS c,
                        lead(number) OVER (PARTITION BY lane ORDER BY number) AS next
                    FROM messaging.journal
                ) AS j JOIN messaging.lanes AS l USING (lane) WHERE coalesce(next, l.number + 1) <> j.number + c
                """) == 0, "the journal's numbers are dense")
    }

    @Test("M6 M14 a former member marks within their window without receipts; a later member reads from joining")
    func windows() async throws {
        let scene = try await scene(messages: 2)
        let (sends, lane) = (try await scene.lane(), try await scene.markLane())
        _ = try await lane.send(mark(2, 1, read: 1))
        try await scene.leave(2, 1, version: 2)
        try await scene.join(4, 1, version: 3)
        _ = try await sends.send(message(3, in: 1))
        let former = try #require(try await lane.send(mark(2, 1, read: .max)))
        #expect(former.readSeq == 2 && former.unread == 0 && former.countedSeq == 2)
        #expect(try await scene.read(2, 1) == "2/2 at 2")
        #expect(try await scene.receipt(2, 1) == "1/1", "as it was when they left")
        let late = try #require(try await lane.send(mark(4, 1)))
        #expect(late.unread == 1 && late.firstSeq == 3 && late.countedSeq == 3)
        _ = try await lane.send(mark(4, 1, read: 3))
        _ = try await lane.send(mark(3, 1, read: 3))
        let readers = try await scene.messaging.query(
            ReceiptsStore.readers, .int64(1), .int64(2), .int64(1), .int64(0), .int64(50))
        #expect(readers.map(\.reader.user) == ["u3"], "a member then and now, and not the sender")
        #expect(try await scene.messaging.first(ReceiptsStore.readerCount, .int64(1), .int64(2), .int64(1))?.read == 1)
    }

    @Test(
        "M6 R5 C6 no receipt is published while a request is pending or a member is blocked; the next mark catches up"
    )
    func silence() async throws {
        for silent in ["write_refusal = 1", "write_refusal = 2", "write_until_seq = 3"] {
            let scene = try await scene(messages: 2)
            let lane = try await scene.markLane()
            _ = try await lane.send(mark(2, 1, delivered: 1))
            try await scene.execute("UPDATE conversations.members SET \(silent) WHERE conversation = 1")
            #expect(try await lane.send(mark(2, 1, read: 2))?.readSeq == 2, "their own state moves")
            #expect(try await lane.send(mark(3, 1, read: 2))?.readSeq == 2)
            #expect(try await scene.receipt(2, 1) == "0/1")
            #expect(try await scene.receipt(3, 1) == "none")
            #expect(try await scene.number("SELECT count(*) FROM messaging.reads") == 0)
            try await scene.execute(
                "UPDATE conversations.members SET write_refusal = 0, write_until_seq = NULL WHERE conversation = 1")
            #expect(try await lane.send(mark(2, 1, read: 2))?.ownPosition == 1, "their own state does not move")
            #expect(try await scene.receipt(2, 1) == "2/2")
            #expect(try await scene.receipt(3, 1) == "none")
        }
    }

    @Test("M6 in a large group authors get read counts, taken among the members present at that time")
    func largeGroup() async throws {
        let scene = try await Scene()
        for sql in [
            "INSERT INTO conversations.accounts (user_id, username, created_at) "
                + "SELECT 'm' || g, 'm' || g, 1 FROM generate_series(1, 100) AS g",
            "INSERT INTO conversations.members (conversation, account, joined_at, position) "
                + "SELECT 1, account, 1, 1 FROM conversations.accounts WHERE user_id LIKE 'm%'",
        ] { try await scene.execute(sql) }
        let (sends, lane) = (try await scene.lane(), try await scene.markLane())
        for number in 1...30 { _ = try await sends.send(message(number, in: 1, from: AccountNumber(1 + number % 2))) }
        try await scene.join(4, 1, version: 2)
        _ = try await sends.send(message(31, in: 1))
        let members = try await scene.messaging.query(
            Statement("SELECT account FROM conversations.access WHERE conversation = 1 ORDER BY account") {
                try $0.account(0)
            })
        #expect(members.count == 104)
        let tasks = members.map { account in
            Task.immediate { @ReactorActor in
                try await lane.send(mark(account, 1, read: account.rawValue % 2 == 0 ? 31 : 0, delivered: 31))
            }
        }
        for task in tasks { #expect(try await task.value?.countedSeq == 31) }
        let counts = try await scene.messaging.query(ReceiptsStore.readCounts, .int64(1), .int64(0), .int64(31))
        #expect(counts.map(\.count.seq) == Array(12...31), "the newest")
        for (author, count) in counts {
            let others = members.filter { $0 != author && ($0 != 4 || count.seq == 31) }
            #expect(author == (count.seq == 31 ? 1 : AccountNumber(1 + count.seq % 2)))
            #expect(count.delivered == others.count && count.read == others.count { $0.rawValue % 2 == 0 }, "\(count)")
        }
        #expect(
            try await scene.messaging.query(ReceiptsStore.readCounts, .int64(1), .int64(29), .int64(30)).map(
                \.count.seq)
                == [30], "only the messages concerned")
    }
}

@Suite("M6: requested marks")
struct MarkRuleTests {
    @Test("each conversation is marked once with its maximum; invalid conversation ids are left out")
    func merged() {
        let (one, two) = (String(repeating: "a", count: 32), "u1_u2")
        let marks = MarkRules.merged([
            Watermark(conversation: one, readSeq: 3, deliveredSeq: 1), Watermark(conversation: two, readSeq: 1),
            Watermark(conversation: "no such thing"), Watermark(conversation: one, readSeq: 2, deliveredSeq: 7),
        ])
        #expect(marks.map(\.id.rawValue) == [one, two])
        #expect(marks.map(\.read) == [3, 1] && marks.map(\.delivered) == [7, 0])
        #expect(MarkRules.merged([]).isEmpty)
    }

    @Test("a member cursor is a positive account number")
    func cursor() throws {
        #expect(try MemberCursor("") == .start && MemberCursor("12").account == 12)
        #expect(try MemberCursor(MemberCursor(account: 7).text).account == 7)
        for text in ["0", "-1", "x", "1.2", " 1", "99999999999999999999"] {
            #expect(throws: Refusal.self, "\(text)") { try MemberCursor(text) }
        }
    }
}
