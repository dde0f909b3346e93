import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import MessagingService
@testable import ServiceKit

@Suite("Storing messages, below a send and an import", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct StoreMessagesTests {
    /// Makes the heads of groups 1 … 20.
    private func scene() async throws -> Scene {
        let scene = try await Scene()
        try await scene.execute(
            "SELECT messaging.lock_heads(array_agg(c), array_agg(0::bigint)) FROM generate_series(1, 20) AS c")
        return scene
    }

    /// Stores texts with ids 900, 901 … in these conversations, and returns the seqs; nil: left out.
    private func store(
        _ conversations: String, from id: Int = 900, more: String = "", in scene: Scene
    ) async throws -> [Int64?] {
        try await scene.messaging.query(
            Statement(
                """
                SELECT unnest(seqs)
                FROM messaging.store_messages('\(conversations)', \(ids(conversations, from: id)),
                    \(filled("1", conversations))::bigint[], \(filled("1", conversations))::smallint[],
                    \(filled("text", conversations)), \(filled("5", conversations))::bigint[]\(more))
                """
            ) { try $0.optionalInt64(0) })
    }

    private func count(_ array: String) -> Int { array == "{}" ? 0 : array.split(separator: ",").count }
    private func filled(_ value: String, _ array: String) -> String {
        "array_fill('\(value)'::text, ARRAY[\(count(array))])"
    }
    private func ids(_ array: String, from id: Int) -> String {
        "ARRAY[" + (0..<count(array)).map { "'\(Hex.text(messageID(id + $0)))'" }.joined(separator: ",") + "]::uuid[]"
    }

    @Test("each conversation's messages get the next seqs and positions in their order, beside sends")
    func dense() async throws {
        let scene = try await scene()
        let lane = try await scene.lane()
        #expect(try await lane.send(message(1, in: 1)).seq == 1)
        #expect(try await store("{2,1,2,3,1}", in: scene) == [1, 2, 2, 1, 3])
        #expect(try await lane.send(message(2, in: 1)).seq == 4)
        #expect(try await store("{1,2}", from: 950, in: scene) == [5, 3])
        #expect(try await lane.send(message(3, in: 2)).seq == 4)
        #expect(
            try await scene.number(
                """
                SELECT count(*) FROM (
                    SELECT count(*) AS n, max(m.seq) AS s, max(m.position) AS p, min(h.seq) AS hs, min(h.position) AS hp
                    FROM messaging.messages AS m JOIN messaging.heads AS h USING (conversation) GROUP BY conversation
                ) AS x WHERE n = s AND s = hs AND p = hp AND s = p
                """) == 3)
        #expect(try await scene.number("SELECT count(*) FROM messaging.journal AS j, unnest(j.objects)") == 3, "sends")
    }

    @Test("a message whose flag is false is left out, and takes no number")
    func leftOut() async throws {
        let scene = try await scene()
        let flags = ", are_stored => '{true,false,NULL,false,true}'"
        #expect(try await store("{1,1,1,2,1}", more: flags, in: scene) == [1, nil, 2, nil, 3])
        #expect(try await scene.number("SELECT seq FROM messaging.heads WHERE conversation = 2") == 0)
        #expect(try await scene.number("SELECT count(*) FROM messaging.messages") == 3)
        #expect(try await store("{1,2}", from: 950, more: ", are_stored => '{false,false}'", in: scene) == [nil, nil])
        #expect(try await scene.number("SELECT seq FROM messaging.heads WHERE conversation = 1") == 3)
        #expect(try await store("{}", in: scene) == [], "no messages")
    }

    @Test("times, senders, replies, mentions and attachments are stored as given")
    func columns() async throws {
        let scene = try await scene()
        try await scene.execute(
            """
            INSERT INTO messaging.attachments (conversation, id, owner, object, name, mime_type, size_bytes, created_at)
            VALUES (1, '\(Hex.text(messageID(70)))', 1, 'o', 'n', 'm', 1, 1)
            """)
        let attachment = Hex.text(messageID(70))
        let rows = try await scene.messaging.query(
            Statement(
                """
                SELECT unnest(seqs), unnest(thread_replies), unnest(thread_last_seqs), unnest(thread_positions)
                FROM messaging.store_messages('{1,1,1,1}', \(ids("1,1,1,1", from: 900)), '{0,2,3,2}', '{6,1,1,2}',
                    '{note,question,answer,file}', '{30,20,10,40}', '{NULL,NULL,NULL,"\\\\x0102"}', '{NULL,NULL,2,2}',
                    '{NULL,NULL,2,2}', '{NULL,NULL,NULL,3}', '{NULL,NULL,"{1,2}",NULL}',
                    '{NULL,NULL,NULL,\(attachment)}', '{NULL,NULL,99,NULL}', '{NULL,Europe/Berlin,"",NULL}')
                """
            ) { (try $0.int64(0), try $0.optionalInt64(1), try $0.optionalInt64(2), try $0.optionalInt64(3)) })
        #expect(rows.map(\.0) == [1, 2, 3, 4])
        #expect(rows.map(\.1) == [nil, nil, 2, 2] && rows.map(\.2) == [nil, nil, 4, 4])
        #expect(rows.map(\.3) == [nil, nil, 4, 4])
        #expect(
            try await scene.superuser.query(
                Statement(
                    """
                    SELECT concat_ws(' ', coalesce(sender, 0), kind, text, sent_at, has_replies, reply_to_seq,
                        thread_seq, forwarded_from, mentions::text, expires_at, time_zone, extra::text)
                    FROM messaging.messages
                    ORDER BY seq
                    """
                ) { try $0.text(0) }) == [
                    "0 6 note 30 f", "2 1 question 20 t Europe/Berlin", "3 1 answer 10 f 2 2 {1,2} 99",
                    "2 2 file 40 f 2 2 3 \\x0102",
                ])
        #expect(try await scene.number("SELECT count(*) FROM messaging.mentions WHERE seq = 3 AND sent_at = 10") == 2)
        #expect(try await scene.number("SELECT seq FROM messaging.attachments") == 4)
        #expect(try await scene.number("SELECT replies FROM messaging.threads WHERE seq = 2 AND last_seq = 4") == 2)
        #expect(try await store("{1}", from: 990, more: ", new_roots => '{2}'", in: scene) == [5])
        #expect(try await scene.number("SELECT replies FROM messaging.threads WHERE seq = 2 AND last_seq = 5") == 3)
    }

    @Test("a known id, a conversation without a head and a missing value are errors, and nothing is stored")
    func refused() async throws {
        let scene = try await scene()
        #expect(try await store("{1}", in: scene) == [1])
        let calls = [
            // 23505: unique_violation, 23502: not_null_violation.
            ("{1,1}", "", "23505"), ("{1,999}", ", are_stored => '{false,true}'", "23502"),
            ("{1,NULL}", ", are_stored => '{false,true}'", "23502"),
        ]
        for (conversations, more, state) in calls {
            let found = await sqlstate { try await store(conversations, more: more, in: scene) }
            #expect(found == state, "\(conversations)\(more)")
        }
        #expect(try await scene.number("SELECT sum(seq) FROM messaging.heads") == 1)
        #expect(try await scene.number("SELECT count(*) FROM messaging.messages") == 1)
    }

    @Test("ten thousand messages in one call are as many rows")
    func many() async throws {
        let scene = try await scene()
        let seqs = try await scene.messaging.first(
            Statement(
                """
                SELECT seqs
                FROM (
                    SELECT array_agg(1 + n % 20) AS conversations, array_agg(gen_random_uuid()) AS ids,
                        array_agg(1::bigint) AS ones, array_agg(1::smallint) AS kinds, array_agg(n::text) AS texts
                    FROM generate_series(0::bigint, 9999) AS n
                ) AS i
                CROSS JOIN LATERAL messaging.store_messages(conversations, ids, ones, kinds, texts, ones)
                """
            ) { try $0.int64s(0) })
        #expect(seqs == (0..<10_000).map { Int64($0 / 20 + 1) })
        #expect(
            try await scene.number(
                "SELECT count(*) FROM messaging.messages WHERE text = ((seq - 1) * 20 + conversation - 1)::text")
                == 10_000)
    }

    @Test("no other service may call it")
    func grants() async throws {
        let scene = try await scene()
        let entities = try await Connection.open(scene.database.configuration(of: "entities"))
        defer { entities.close() }
        let state = await sqlstate {
            try await entities.execute(
                Statement("SELECT messaging.store_messages('{}', '{}', '{}', '{}', '{}', '{}')"))
        }
        #expect(state == "42501")
    }
}

/// Returns the code with which the database refuses what `body` asks for; nil: it does not.
@ReactorActor
func sqlstate(_ body: @ReactorActor () async throws -> some Any) async -> String? {
    do {
        _ = try await body()
        return nil
    } catch let error as DatabaseError {
        return error.code.description
    } catch {
        return "\(error)"
    }
}
