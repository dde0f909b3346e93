import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import MessagingService
@testable import ServiceKit

@Suite("Importing conversations, messages and reminders", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct ImportTests {
    private func texts(_ sql: String, in scene: Scene) async throws -> [String] {
        try await scene.superuser.query(Statement(sql) { try $0.text(0) })
    }

    /// Imports texts by account 1 into these conversations, and returns the seqs; nil: left out.
    private func messages(
        _ conversations: [Int?], ids: [Int], times: [Int], at: Int = 7, words: [String]? = nil, in scene: Scene,
        on connection: Connection? = nil
    ) async throws -> [Int64?] {
        let ones = conversations.map { _ in Int64(1) }
        return try await (connection ?? scene.superuser).query(
            Statement(
                """
                SELECT unnest(messaging.import_messages($1, $2, $3, $4, $5, $6, $7, '{}', $8))
                """
            ) { try $0.optionalInt64(0) },
            .int64(Int64(at)), .optionalInt64s(conversations.map { $0.map(Int64.init) }), .uuids(ids.map(messageID)),
            .int64s(ones), .int16s(ones.map(Int16.init)), .texts(ids.map { "text \($0)" }),
            .int64s(times.map(Int64.init)), .texts(words ?? []))
    }

    // MARK: Messages

    @Test("messages come behind those that a conversation has, in the order of the call, whatever their times")
    func order() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        #expect(try await lane.send(message(1, in: 1)).seq == 1)
        #expect(try await messages([1, 2, 1], ids: [10, 11, 12], times: [30, 20, 10], in: scene) == [2, 1, 3])
        #expect(try await lane.send(message(2, in: 1)).seq == 4)
        #expect(
            try await texts("SELECT sent_at::text FROM messaging.messages WHERE seq IN (2, 3) ORDER BY seq", in: scene)
                == ["30", "10"])
    }

    @Test("a message whose id is known is left out, so that an import can be repeated")
    func repeated() async throws {
        let scene = try await Scene()
        let seqs = try await messages([1, 1, 2, 1], ids: [10, 10, 10, 11], times: [1, 2, 3, 4], in: scene)
        #expect(seqs == [1, nil, 1, 2])
        #expect(try await messages([1, 1, 2], ids: [11, 12, 10], times: [1, 2, 3], in: scene) == [nil, 3, nil])
        #expect(try await scene.number("SELECT sum(seq) FROM messaging.heads") == 4)
    }

    @Test("readers find the conversation by its newest message, as touched at the given time; nobody hears of it")
    func inbox() async throws {
        let scene = try await Scene()
        try await scene.leave(3, 1, version: 2)
        try await scene.execute("UPDATE conversations.conversations SET members_version = 2 WHERE conversation = 1")
        #expect(try await messages([1, 1], ids: [10, 11], times: [30, 20], at: 7, in: scene) == [1, 2])
        let rows =
            "SELECT concat_ws(' ', account, touched_at, news_at) FROM messaging.inbox WHERE account < 3 ORDER BY 1"
        #expect(try await texts(rows, in: scene) == ["1 7 30", "2 7 30"])
        _ = try await messages([1], ids: [12], times: [5], at: 9, in: scene)
        #expect(try await texts(rows, in: scene) == ["1 9 30", "2 9 30"])
        #expect(try await scene.number("SELECT count(*) FROM messaging.journal") == 0)
        #expect(try await scene.readable(1, 1) == [1, 2, 3])
        #expect(try await scene.readable(3, 1) == [], "who left before reads nothing of it")
    }

    @Test("who joined before an import reads it from its first message on, and not what was there")
    func joined() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        _ = try await lane.send(message(1, in: 1))
        try await scene.join(4, 1, version: 2)
        try await scene.execute("UPDATE conversations.conversations SET members_version = 2 WHERE conversation = 1")
        #expect(try await messages([1], ids: [10], times: [1], in: scene) == [2])
        #expect(try await scene.readable(4, 1) == [2])
        #expect(try await lane.send(message(2, in: 1)).seq == 3)
        #expect(try await scene.readable(4, 1) == [2, 3])
    }

    @Test("where messages disappear, an imported one does so as long after it was sent")
    func retention() async throws {
        let scene = try await Scene()
        _ = try await messages([1], ids: [10], times: [5], in: scene)
        try await scene.execute("UPDATE messaging.heads SET retention_us = 100")
        _ = try await messages([1], ids: [11], times: [6], in: scene)
        #expect(
            try await texts("SELECT coalesce(expires_at, 0)::text FROM messaging.messages ORDER BY seq", in: scene)
                == ["0", "106"])
    }

    @Test("without words the service indexes the messages later; with words they are found at once")
    func words() async throws {
        let scene = try await Scene()
        _ = try await messages([1, 1, 2], ids: [10, 11, 12], times: [1, 2, 3], in: scene)
        let backlog = "SELECT concat_ws(' ', conversation, seq) FROM messaging.search_backlog ORDER BY 1"
        #expect(try await texts(backlog, in: scene) == ["1 2", "2 1"])
        let words = ["one two two", "", "three"]
        _ = try await messages([3, 3, 3], ids: [13, 14, 15], times: [1, 2, 3], words: words, in: scene)
        #expect(try await texts(backlog, in: scene) == ["1 2", "2 1"])
        #expect(
            try await texts("SELECT document::text FROM messaging.search ORDER BY seq", in: scene)
                == ["'3.0.one' '3.0.two'", "'3.0.three'"])
    }

    @Test("a conversation that does not exist, and a missing value, refuse the whole import")
    func refused() async throws {
        let scene = try await Scene()
        // 23503: foreign_key_violation, 23502: not_null_violation.
        let states = [
            await sqlstate { try await messages([1, 999], ids: [10, 11], times: [1, 2], in: scene) },
            await sqlstate { try await messages([1, nil], ids: [10, 11], times: [1, 2], in: scene) },
            await sqlstate { try await messages([1, 1], ids: [10, 11], times: [1], in: scene) },
        ]
        #expect(states == ["23503", "23503", "23502"])
        #expect(try await scene.number("SELECT count(*) FROM messaging.heads") == 0)
        #expect(try await messages([], ids: [], times: [], in: scene) == [])
    }

    @Test("an import and sends to the same conversation wait for each other, and the numbers stay dense")
    func interleaved() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        let paused = try await Standstill(
            scene.database.superuser,
            """
            SELECT messaging.import_messages(1, '{1,1}', '{\(Hex.text(messageID(10))),\(Hex.text(messageID(11)))}',
                '{1,1}', '{1,1}', '{a,b}', '{1,2}')
            """)
        let waiting = Sending(lane, message(1, in: 1))
        let other = Sending(lane, message(2, in: 2))
        #expect(try await other.reply().seq == 1)
        #expect(waiting.result == nil, "the other conversation did not wait for it")
        try await paused.end()
        #expect(try await waiting.reply().seq == 3)
        let sent = try await scene.batchInFlight(message(3, in: 1))
        let second = try await Connection.open(scene.database.superuser)
        defer { second.close() }
        async let seqs = messages([1], ids: [12], times: [1], in: scene, on: second)
        try await eventually {
            try await scene.number("SELECT count(*) FROM pg_locks WHERE NOT granted") > 0
        }
        try await sent.end()
        #expect(try await seqs == [5])
    }

    @Test("twenty thousand messages in one call are as many rows")
    func many() async throws {
        let scene = try await Scene()
        let numbers = Array(0..<20_000)
        let seqs = try await messages(
            numbers.map { 1 + $0 % 20 }, ids: numbers, times: numbers, words: numbers.map { "word\($0)" }, in: scene)
        #expect(seqs == numbers.map { Int64($0 / 20 + 1) })
        #expect(try await scene.number("SELECT count(*) FROM messaging.search") == 20_000)
    }

    // MARK: Conversations

    /// Imports groups by account 1 with these members, and returns the numbers.
    private func groups(_ ids: [String], members: [(of: Int, account: Int)], in scene: Scene) async throws -> [Int64] {
        try await scene.superuser.first(
            Statement(
                """
                SELECT conversations.import_conversations($1, array_fill(2::smallint, n), array_fill('Name'::text, n),
                    array_fill(1::bigint, n), array_fill(5::bigint, n), $2, $3)
                FROM (SELECT ARRAY[cardinality($1)] AS n) AS sizes
                """
            ) { try $0.int64s(0) },
            .texts(ids), .int32s(members.map { Int32($0.of) }), .int64s(members.map { Int64($0.account) })) ?? []
    }

    @Test("imported conversations have their members, who find them at the next positions of their streams")
    func conversations() async throws {
        let scene = try await Scene()
        try await scene.execute("INSERT INTO conversations.heads (account, position) VALUES (1, 20)")
        let members = [(of: 1, account: 1), (1, 2), (2, 2), (2, 1), (2, 5)]
        let made = try await groups(["aa", "bb"], members: members, in: scene)
        #expect(made == [21, 22])
        #expect(
            try await texts(
                """
                SELECT concat_ws(' ', conversation, account, role, joined_at, position)
                FROM conversations.members
                WHERE conversation > 20
                ORDER BY conversation, account
                """, in: scene) == ["21 1 3 5 21", "21 2 1 5 1", "22 1 3 5 22", "22 2 1 5 2", "22 5 1 5 1"])
        #expect(
            try await texts("SELECT concat_ws(' ', account, position) FROM conversations.heads ORDER BY 1", in: scene)
                == ["1 22", "2 2", "5 1"])
        #expect(
            try await scene.number(
                """
                SELECT count(*) FROM conversations.conversations AS c
                JOIN (
                    SELECT conversation, count(*) AS members, bit_xor(hashint8extended(account, 0)) AS key
                    FROM conversations.members GROUP BY conversation
                ) AS m USING (conversation)
                WHERE conversation > 20 AND member_count = members AND members_key = key AND name = 'Name'
                """) == 2)
        #expect(try await messages([21], ids: [10], times: [1], in: scene) == [1])
        #expect(try await scene.readable(2, 21) == [1])
    }

    @Test("a conversation whose id is known stays as it is; an unknown or erased account refuses the whole import")
    func conversationsAgain() async throws {
        let scene = try await Scene()
        #expect(try await groups(["aa"], members: [(1, 1), (1, 2)], in: scene) == [21])
        #expect(try await groups(["bb", "aa", "bb"], members: [(1, 1), (2, 3), (3, 4)], in: scene).first == 22)
        #expect(try await scene.number("SELECT count(*) FROM conversations.members WHERE conversation > 20") == 3)
        try await scene.execute("UPDATE conversations.accounts SET erased_at = 1 WHERE account = 2")
        for account in [2, 999] {
            let state = await sqlstate { try await groups(["cc"], members: [(1, 1), (1, account)], in: scene) }
            #expect(state == "23503")
        }
        #expect(try await scene.number("SELECT count(*) FROM conversations.conversations") == 22)
    }

    // MARK: Reminders

    @Test("imported reminders take the next positions; one that is imported again has the new title and time")
    func reminders() async throws {
        let scene = try await Scene()
        func add(_ accounts: String, ids: [Int], due: String, more: String = "") async throws {
            let ids = ids.map { "'\(Hex.text(messageID($0)))'" }.joined(separator: ",")
            try await scene.execute(
                """
                SELECT entities.import_reminders('\(accounts)', ARRAY[\(ids)]::uuid[], '{a,b,c}', '\(due)',
                    '{UTC,UTC,Europe/Berlin}', '{1,1,1}'\(more))
                """)
        }
        let rows = """
            SELECT concat_ws(' ', account, title, due_at, position, due_civil, utc_offset, zone_rules)
            FROM entities.reminders ORDER BY account, position
            """
        try await add("{1,2,1}", ids: [10, 11, 12], due: "{5000000,6000000,7000000}")
        #expect(try await texts(rows, in: scene) == ["1 a 5000000 1 ", "1 c 7000000 2 ", "2 b 6000000 1 "])
        try await add(
            "{1,2,1}", ids: [12, 11, 13], due: "{8000000,6000000,9000000}",
            more: ", '{8000000,6000000,3609000000}', '{r,r,r}'")
        #expect(
            try await texts(rows, in: scene) == [
                "1 a 5000000 1 ", "1 a 8000000 3 8000000 0 r", "1 c 9000000 4 3609000000 3600 r",
                "2 b 6000000 2 6000000 0 r",
            ])
        #expect(try await scene.number("SELECT position FROM entities.heads WHERE account = 1") == 4)
    }
}
