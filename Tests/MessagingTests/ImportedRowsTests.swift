import Postgres
import Reactor
import TestSupport
import Testing

@testable import MessagingService
@testable import ServiceKit

@Suite("T3 imported rows", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct ImportedRowsTests {
    private func texts(_ sql: String, in scene: Scene) async throws -> [String] {
        try await scene.superuser.query(Statement(sql) { try $0.text(0) })
    }

    private func id(_ number: Int) -> String { Hex.text(messageID(number)) }

    @Test("an import makes the rows that sends make: seqs, positions, replies, threads, mentions, windows, heads")
    func same() async throws {
        let scene = try await Scene()
        _ = try await scene.lane()
        let said: [(sender: Int, text: String, reply: Int?, mention: Int?)] = [
            (1, "one", nil, nil), (2, "two", 1, 1), (1, "three", 2, nil), (3, "four", nil, 2), (2, "five", 4, 1),
            (3, "six", 3, nil),
        ]
        let lane = try await scene.number("SELECT min(lane) FROM messaging.lanes")
        for (index, one) in said.enumerated() {
            try await scene.execute(
                """
                SELECT messaging.send_batch(\(lane), \(100 + index), '{1}', '{\(one.sender)}',
                    '{\(id(10 + index))}', '{1}', '{\(one.text)}', '{}', ARRAY[\(one.reply.map(String.init) ?? "NULL")]::bigint[],
                    ARRAY[\(one.mention.map { "'{\($0)}'" } ?? "NULL")]::text[])
                """)
        }
        let replies = said.map { $0.reply.map { "'\(id(9 + $0))'" } ?? "NULL" }.joined(separator: ",")
        let mentions = said.map { $0.mention.map { "'{\($0)}'" } ?? "NULL" }.joined(separator: ",")
        for _ in 1...2 {
            try await scene.execute(
                """
                SELECT messaging.import_messages(1000, '{2,2,2,2,2,2}',
                    '{\(said.indices.map { id(10 + $0) }.joined(separator: ","))}',
                    '{\(said.map { "\($0.sender)" }.joined(separator: ","))}', '{1,1,1,1,1,1}',
                    '{\(said.map(\.text).joined(separator: ","))}', '{100,101,102,103,104,105}', '{}', '{}',
                    '{a,b,c,d,e,f}', ARRAY[\(replies)]::uuid[], ARRAY[\(mentions)]::text[])
                """)
        }
        for table in ["messages", "threads", "mentions", "heads", "inbox"] {
            func rows(_ conversation: Int) async throws -> [String] {
                try await texts(
                    """
                    SELECT (to_jsonb(t) - '{conversation,legacy_id,touched_at,news_at}'::text[])::text
                    FROM messaging.\(table) AS t WHERE conversation = \(conversation) ORDER BY 1
                    """, in: scene)
            }
            let (sent, imported) = (try await rows(1), try await rows(2))
            #expect(sent == imported && !sent.isEmpty, "\(table)")
        }
    }

    @Test("edits, deletions, reactions, stars and marks take the next positions, and change nothing when repeated")
    func changes() async throws {
        let scene = try await Scene()
        try await scene.execute(
            """
            SELECT messaging.import_messages(7, '{1,1,1}', '{\(id(1)),\(id(2)),\(id(3))}', '{1,2,1}', '{1,1,1}', '{a,b,c}',
                '{10,20,30}', '{}', '{}', '{a,b,c}')
            """)
        let calls = [
            """
            messaging.import_changes(8, '{1,1}', '{\(id(1)),\(id(2))}', '{new,""}', '{15,NULL}', '{NULL,25}', '{"[\\"old\\"]","[]"}')
            """,
            "messaging.import_reactions(8, '{1,1,1}', '{\(id(1)),\(id(2)),\(id(1))}', '{2,1,1}', '{x,x,y}', '{11,21,12}')",
            "messaging.import_message_states(8, '{2,2}', '{1,1}', '{\(id(1)),\(id(3))}', '{t,f}')",
            """
            messaging.import_inbox(8, '{1,2,3}', '{1,1,1}', '{"{}","{\(id(1))}","{}"}', '{NULL,NULL,20}', '{0,1,NULL}',
                '{NULL,\(id(3)),NULL}', '{t,f,f}', '{f,t,f}', '{f,f,t}')
            """,
        ]
        var counts: [[Int64]] = []
        for _ in 1...2 {
            var round: [Int64] = []
            for call in calls { round.append(try await scene.number("SELECT \(call)")) }
            counts.append(round)
        }
        #expect(counts == [[2, 1, 2, 3], [0, 0, 0, 0]])
        #expect(
            try await texts(
                """
                SELECT concat_ws(' ', seq, text, edited_at, deleted_at, reactions, reaction_counts, position)
                FROM messaging.messages ORDER BY seq
                """, in: scene) == ["1 new 15 {x,y} {1,1} 6", "2  25 5", "3 c 3"])
        #expect(
            try await texts("SELECT text FROM messaging.revisions ORDER BY revision", in: scene) == ["old", "a"])
        #expect(
            try await texts(
                "SELECT concat_ws(' ', account, read_seq, delivered_seq) FROM messaging.inbox ORDER BY account",
                in: scene) == ["1 3 3", "2 1 3", "3 2 2"])
        #expect(try await scene.number("SELECT position FROM messaging.person_heads WHERE account = 2") == 3)
        #expect(try await scene.number("SELECT count(*) FROM messaging.journal") == 0)
    }

    @Test("files have the ids of their messages, go to texts that are there and take the next positions, once")
    func files() async throws {
        let scene = try await Scene()
        let gs = "gs://b/x"
        try await scene.execute(
            """
            SELECT messaging.import_messages(7, '{1,1,1,1}', '{\(id(1)),\(id(2)),\(id(3)),\(id(4))}', '{1,2,0,1}',
                '{1,1,1,1}', ARRAY['\(gs)', E'look\n\(gs)', 'by nobody', 'deleted'], '{10,20,30,40}')
            """)
        try await scene.execute(
            "SELECT messaging.import_changes(8, '{1}', '{\(id(4))}', '{\"\"}', '{NULL}', '{45}', '{[]}')")
        let all = "'{1,1,1,1,1}', '{\(id(1)),\(id(2)),\(id(3)),\(id(4)),\(id(5))}'"
        func made(_ type: String = "image/*", size: Int = 3) async throws -> [String] {
            let types = "array_fill('\(type)'::text, '{5}')"
            return try await texts(
                """
                SELECT concat_ws(' ', o.object, f.types[o.at], f.are_complete[o.at])
                FROM messaging.import_files(9, \(all), '{a,b,c,d,e}', \(types), array_fill(\(size)::bigint, '{5}')) AS f
                CROSS JOIN unnest(f.objects) WITH ORDINALITY AS o (object, at) ORDER BY o.at
                """, in: scene)
        }
        let first = try await made()
        #expect(first.map { $0.hasPrefix(" ") } == [false, false, true, true, true], "\(first)")
        #expect(try await made() == first, "the same files")
        let other = try await made(size: 4)
        #expect(other[0] != first[0] && other[1] != first[1], "another file has another object")
        func attach() async throws -> Int64 {
            try await scene.number(
                """
                SELECT messaging.import_media(9, \(all), '{2,2,2,2,2}', array_fill('x'::bytea, '{5}'),
                    array_fill('\(gs)'::text, '{5}'))
                """)
        }
        #expect(try await attach() == 0, "nothing is complete")
        try await scene.execute("UPDATE messaging.attachments SET completed_at = 9, mime_type = 'image/png'")
        #expect(try await attach() == 2)
        #expect(try await attach() == 0)
        #expect(
            try await texts(
                """
                SELECT concat_ws(' ', m.seq, m.kind, quote_literal(m.text), m.position, f.seq)
                FROM messaging.messages AS m LEFT JOIN messaging.attachments AS f USING (conversation, id) ORDER BY m.seq
                """, in: scene) == ["1 2 '' 6 1", "2 2 'look' 7 2", "3 1 'by nobody' 3", "4 1 '' 5"])
        #expect(try await made()[0...1].allSatisfy { $0.hasPrefix(" ") }, "they have their files")
    }
}
