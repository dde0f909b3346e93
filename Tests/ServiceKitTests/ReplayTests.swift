import Postgres
import Reactor
import Schema
import Testing
import Wire

@testable import ServiceKit

@Suite("Replay", .serialized, .timeLimit(.minutes(8)))
@ReactorActor
struct ReplayTests {
    /// Makes partitions of the last 7 days, with one lane's rows spread over them. Row R has number R and account R %
    /// accounts.
    private func filled(rows: Int, accounts: Int = 50) async throws -> JournalScene {
        let scene = try await JournalScene()
        try await scene.execute(
            """
            DO $$
            DECLARE today bigint := (extract(epoch FROM clock_timestamp())::bigint / 86400) * 86400000000;
            BEGIN
                FOR day IN 0..7 LOOP
                    EXECUTE format('CREATE TABLE entities.day%s PARTITION OF entities.journal FOR VALUES FROM (%s) TO (%s)',
                        day, today - day * 86400000000, today - (day - 1) * 86400000000);
                    EXECUTE format('ALTER TABLE entities.day%s OWNER TO parley_entities', day);
                END LOOP;
                INSERT INTO entities.journal
                SELECT 1, r, today - 7 * 86400000000 + r * (7 * 86400000000 / \(rows)), '{1}', ARRAY[r % \(accounts)],
                    ARRAY[r], ARRAY[r], '{1}', ARRAY[r % \(accounts)]
                FROM generate_series(1::bigint, \(rows)) AS r;
                UPDATE entities.lanes SET number = \(rows) WHERE lane = 1;
            END
            $$
            """)
        return scene
    }

    private func all(
        _ replay: Replay, from: Int64, to: Int64, accountsOnly: Bool = false
    ) async throws -> [ReplayReply] {
        var pages: [ReplayReply] = []
        var next = from
        while next <= to {
            let reply = try await replay.answer(
                ReplayRequest(lane: 1, from: next, to: to, accountsOnly: accountsOnly))
            guard reply.through >= next else { break }
            pages.append(reply)
            next = reply.through + 1
        }
        return pages
    }

    @Test("numbers come in pages of 500, in order, and not beyond the last committed one")
    func pages() async throws {
        let replay = try await filled(rows: 1200).replay()
        let pages = try await all(replay, from: 1, to: .max)
        #expect(pages.map(\.through) == [500, 1000, 1200])
        #expect(pages.flatMap(\.updates).compactMap(\.header?.number) == Array(1...1200))
        #expect(pages.allSatisfy { !$0.incomplete && $0.accounts.isEmpty })
        let header = try #require(pages[0].updates[9].header)
        #expect(header.lane == 1 && header.position == 10 && header.audience == [10] && header.class == .durable)
        #expect(header.kind == "Superseded" && header.originSession.isEmpty)
    }

    @Test("a page ends before 512 KiB, and all pages together have each number once")
    func bytes() async throws {
        let replay = try await filled(rows: 300).replay(bodyBytes: 60_000)
        let pages = try await all(replay, from: 1, to: 300)
        #expect(pages.allSatisfy { $0.encode().count <= Replay.bytesMax })
        #expect(pages.flatMap(\.updates).compactMap(\.header?.number) == Array(1...300))
        #expect(pages.count < 60)
    }

    @Test("a number in the middle of a transaction's row is found, with its audience")
    func middleOfRow() async throws {
        let scene = try await JournalScene()
        try await scene.publish(1...1)
        try await scene.publish(2...1000, audience: [4, 5])
        try await scene.publish(1001...1003)
        let reply = try await scene.replay().answer(ReplayRequest(lane: 1, from: 990, to: 1002))
        #expect(reply.updates.compactMap(\.header?.position) == Array(990...1002))
        #expect(reply.updates.compactMap(\.header?.audience) == [[Int64]](repeating: [4, 5], count: 11) + [[1], [1]])
        #expect(reply.through == 1002 && !reply.incomplete)
    }

    @Test("numbers gone from the journal make a reply incomplete, and it continues after them")
    func holes() async throws {
        let scene = try await filled(rows: 4000)
        try await scene.execute("DELETE FROM entities.journal WHERE number <= 1700 OR number IN (1800, 2600)")
        let pages = try await all(scene.replay(), from: 1, to: 2700)
        #expect(pages.map(\.through) == [1700, 2200, 2700])
        #expect(pages.map(\.incomplete) == [true, true, true])
        #expect(pages.flatMap(\.updates).count == 998)
        let whole = try await scene.replay().answer(ReplayRequest(lane: 1, from: 1801, to: 1900))
        #expect(!whole.incomplete && whole.updates.count == 100)
        try await scene.execute("DELETE FROM entities.journal")
        let none = try await scene.replay().answer(ReplayRequest(lane: 1, from: 5, to: .max))
        #expect(none.incomplete && none.through == 4000)
    }

    @Test("a lane that does not exist, or has not come so far, gives an empty reply")
    func beyond() async throws {
        let scene = try await filled(rows: 10)
        for (lane, from): (UInt32, Int64) in [(1, 11), (9, 1), (63, 500)] {
            for accountsOnly in [false, true] {
                let reply = try await scene.replay().answer(
                    ReplayRequest(lane: lane, from: from, to: from + 9, accountsOnly: accountsOnly))
                #expect(reply.through == from - 1 && reply.updates.isEmpty && !reply.incomplete)
            }
        }
    }

    @Test(
        "invalid ranges are refused",
        arguments: [
            ReplayRequest(lane: 0, from: 1, to: 1), ReplayRequest(lane: 1024, from: 1, to: 1),
            ReplayRequest(lane: .max, from: 1, to: 1), ReplayRequest(lane: 1, from: 0, to: 1),
            ReplayRequest(lane: 1, from: -5, to: 1), ReplayRequest(lane: 1, from: 2, to: 1),
        ])
    func invalid(request: ReplayRequest) async throws {
        let replay = try await JournalScene().replay()
        let error = await #expect(throws: Refusal.self) { try await replay.answer(request) }
        #expect(error?.code == .invalid)
    }

    @Test("a gateway that is too far behind gets the accounts concerned, each once")
    func accounts() async throws {
        let scene = try await filled(rows: 3000, accounts: 70)
        let reply = try await scene.replay().answer(ReplayRequest(lane: 1, from: 1, to: .max, accountsOnly: true))
        #expect(reply.accounts.sorted() == Array(0..<70))
        #expect(reply.through == 3000 && !reply.incomplete && reply.updates.isEmpty)
        let some = try await scene.replay().answer(ReplayRequest(lane: 1, from: 71, to: 73, accountsOnly: true))
        #expect(Set(some.accounts).isSuperset(of: [1, 2, 3]) && some.accounts.count <= 4)
        try await scene.execute("DELETE FROM entities.journal WHERE number < 100")
        let holed = try await scene.replay().answer(ReplayRequest(lane: 1, from: 1, to: 50, accountsOnly: true))
        #expect(holed.incomplete && holed.through == 50)
        let gone = try await scene.replay().answer(ReplayRequest(lane: 1, from: 1, to: .max, accountsOnly: true))
        #expect(gone.incomplete && gone.through == 3000 && gone.accounts.count == 70)
    }

    @Test("more than 100,000 numbers are covered in pages, and more than 100,000 accounts are not listed")
    func manyAccounts() async throws {
        let scene = try await filled(rows: 120_000, accounts: 60_000)
        let pages = try await all(scene.replay(), from: 1, to: .max, accountsOnly: true)
        #expect(pages.map(\.through) == [100_000, 120_000])
        #expect(Set(pages.flatMap(\.accounts)).count == 60_000 && pages.allSatisfy { !$0.incomplete })
        try await scene.execute("UPDATE entities.journal SET audience = ARRAY[number]")
        let most = try await scene.replay().answer(ReplayRequest(lane: 1, from: 1, to: 100_000, accountsOnly: true))
        #expect(!most.incomplete && most.accounts.count == 100_000)
        try await scene.execute(
            "UPDATE entities.journal SET audience = ARRAY[number, number + 1000000], audience_counts = '{2}'")
        let beyond = try await scene.replay().answer(ReplayRequest(lane: 1, from: 1, to: 60_000, accountsOnly: true))
        #expect(beyond.incomplete && beyond.accounts.isEmpty && beyond.through == 60_000)
    }

    @Test("a number may have no Update or several, and they stay together in order of number")
    func several() async throws {
        let scene = try await filled(rows: 40)
        let replay = Replay(schema: "entities", database: scene.database, log: quiet) { entries in
            // Not in order, since SQL guarantees none.
            entries.reversed().flatMap { entry in
                (0..<(entry.number % 3)).map { _ in entry.superseded(stream: "s") }
            }
        }
        let reply = try await replay.answer(ReplayRequest(lane: 1, from: 1, to: 40))
        #expect(
            reply.updates.compactMap(\.header?.number)
                == (1...40).flatMap { [Int64](repeating: $0, count: Int($0 % 3)) })
    }

    @Test("an Update too large for a link makes the reply incomplete, and the others are included")
    func tooLarge() async throws {
        let scene = try await filled(rows: 3)
        let replay = Replay(schema: "entities", database: scene.database, log: quiet) { entries in
            entries.map { entry in
                var update = entry.superseded(stream: "s")
                if entry.number == 2 { update.body = [UInt8](repeating: 0, count: Replay.bodyBytesMax + 1) }
                return update
            }
        }
        let reply = try await replay.answer(ReplayRequest(lane: 1, from: 1, to: 3))
        #expect(reply.incomplete && reply.updates.compactMap(\.header?.number) == [1, 3] && reply.through == 3)
        _ = try ReplayReply.decode(reply.encode())
    }

    @Test("a page costs one range of each partition's index, whatever the journal contains", arguments: [false, true])
    func cost(afterAnalyze: Bool) async throws {
        let plan = try await plan(
            of: "page (int, bigint, bigint) AS \(JournalReader(schema: "entities").pageSQL)", "(1, 40001, 40500)",
            afterAnalyze: afterAnalyze)
        #expect(plan.matches(of: /Index Scan/).count >= 2 * 9, "\(plan)")
        Self.check(plan, rows: 501, pages: 200)
    }

    @Test("entries that are named cost one look-up in each partition, whatever the journal contains")
    func costOfNamed() async throws {
        for afterAnalyze in [false, true] {
            let plan = try await plan(
                of: "named (int, bigint[]) AS \(JournalReader(schema: "entities").namedSQL)", "(1, '{7,40001,79000}')",
                afterAnalyze: afterAnalyze)
            Self.check(plan, rows: 3, pages: 120)
        }
    }

    /// Executes a statement in a journal of many rows, and returns its plan.
    private func plan(of statement: String, _ arguments: String, afterAnalyze: Bool) async throws -> String {
        let scene = try await filled(rows: 80_000)
        if afterAnalyze { try await scene.execute("ANALYZE entities.journal") }
        let session = try await Connection.open(
            scene.migrated.configuration(of: "entities", settings: plannerSettings))
        defer { session.close() }
        try await session.execute(Statement("PREPARE \(statement)"))
        let name = statement.prefix { $0 != " " }
        return try await session.query(
            Statement("EXPLAIN (ANALYZE, BUFFERS) EXECUTE \(name) \(arguments)") { try $0.text(0) }
        ).joined(separator: "\n")
    }

    private static func check(_ plan: String, rows: Int, pages: Int) {
        #expect(!plan.contains("Seq Scan"), "\(plan)")
        // A merge of ordered index scans also has a "Sort Key", but it is not a sort.
        #expect(!plan.contains(#/-> +(Incremental )?Sort /#), "\(plan)")
        for match in plan.matches(of: /(?:actual [^)]*rows=|Rows Removed by [A-Za-z ]*: )([0-9]+)/) {
            #expect((Int(match.1) ?? .max) <= rows, "\(plan)")
        }
        let buffers = plan.firstMatch(of: /Buffers: shared(?: hit=([0-9]+))?(?: read=([0-9]+))?/)
        let touched = buffers.map { ($0.1.flatMap { Int($0) } ?? 0) + ($0.2.flatMap { Int($0) } ?? 0) }
        #expect((touched ?? .max) <= pages, "\(plan)")
    }
}
