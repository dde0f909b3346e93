import Postgres
import Reactor
import Schema
import TestSupport
import Testing

@testable import MessagingService
@testable import ServiceKit

/// Person 1 in conversation 1 with 100,000 messages. All contain "common" and every hundredth contains "rare".
/// Conversation 2 has 300,000 such messages of other people.
@ReactorActor
private final class LargeHistory {
    static let shared = Task { @ReactorActor in try await LargeHistory() }
    static let count: Int64 = 100_000

    let scene: Scene
    /// A session whose plans were made while the tables were empty.
    private let early: Connection

    private init() async throws {
        scene = try await Scene()
        early = scene.messaging
        _ = try await find("common", in: [LargeHistory.unit(0)], on: early)
        _ = try await early.query(SearchStore.conversations, .int64(1), .int64(.max), .int64(.max), .int64(50))
        for (conversation, count) in [(1, Self.count), (2, 3 * Self.count)] {
            try await scene.execute(
                "INSERT INTO messaging.heads (conversation, seq, position) VALUES (\(conversation), \(count), \(count))"
            )
            try await scene.execute(
                "INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position) "
                    + "SELECT \(conversation), s, gen_random_uuid(), 2, 1, 'common' || CASE WHEN s % 100 = 0 "
                    + "THEN ' rare' ELSE '' END, s * 1000000::bigint, s FROM generate_series(1, \(count)) AS s")
            try await scene.execute(
                "INSERT INTO messaging.search (conversation, seq, document) SELECT m.conversation, m.seq, "
                    + "array_to_tsvector(ARRAY(SELECT to_hex(m.conversation) || '.' || to_hex(m.seq >> 12) || '.' || w "
                    + "FROM unnest(string_to_array(m.text, ' ')) AS w)) FROM messaging.messages AS m "
                    + "WHERE m.conversation = \(conversation)")
        }
        try await scene.execute(
            // The one with the older news was read last.
            "INSERT INTO messaging.inbox (account, conversation, touched_at, news_at) "
                + "VALUES (1, 1, 5, \(Self.count)), (1, 3, \(Self.count), 5)")
        try await scene.execute("ANALYZE")
    }

    static func unit(_ block: Int64) -> SearchUnit {
        SearchUnit(
            conversation: 1, low: Seq(max(1, block << 12)), high: Seq(min(count, ((block + 1) << 12) - 1)),
            newestAt: .max,
            oldestAt: 0)
    }

    func find(_ words: String, in units: [SearchUnit], on connection: Connection? = nil) async throws -> [SearchHit] {
        let query = try #require(SearchQuery(words))
        return try await (connection ?? early).query(
            SearchStore.found,
            [
                .int64(1), .int64(1), .numbers(units.map(\.conversation)), .numbers(units.map(\.low)),
                .numbers(units.map(\.high)), .texts(units.map { query.tsquery(behind: $0.prefix, isLonger: false) }),
                .int64(0), .int16(0), .int64(0), .int64(.max), .int64(.max), .int64(.max), .int32(51),
            ])
    }

    /// Returns how many database pages one such search touches.
    func pages(_ words: String, _ unit: SearchUnit, on connection: Connection) async throws -> Int {
        let query = try #require(SearchQuery(words)).tsquery(behind: unit.prefix, isLonger: false)
            .replacing("'", with: "''")
        let explain = Statement(
            "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) SELECT * FROM messaging.find_words(1, 1, '{1}', "
                + "'{\(unit.low)}', '{\(unit.high)}', ARRAY['\(query)'], 0, 0::smallint, 0, \(Int64.max), 0, 0, 51)"
        ) { try $0.text(0) }
        // The first run reads the catalogue, and so does any that plans anew since somebody analysed the tables.
        var least = Int.max
        for _ in 0..<4 {
            let plan = try await connection.query(explain).joined(separator: "\n")
            let buffers = try #require(
                plan.firstMatch(of: /Buffers: shared(?: hit=([0-9]+))?(?: read=([0-9]+))?/), "\(plan)")
            least = min(least, (buffers.1.flatMap { Int($0) } ?? 0) + (buffers.2.flatMap { Int($0) } ?? 0))
        }
        return least
    }

    var connections: [Connection] {
        get async throws { [early, try await Connection.open(scene.database.configuration(of: "messaging"))] }
    }
}

@Suite("M15: search in the database", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct SearchTests {
    @Test(
        "M15 the cost of searching a range follows its own messages, whatever the planner knew and others wrote"
    )
    func costs() async throws {
        let much = try await LargeHistory.shared.value
        for connection in try await much.connections {
            for block in [Int64(3), 24] {
                let unit = LargeHistory.unit(block)
                #expect(try await much.pages("nothing", unit, on: connection) <= 8)
                #expect(try await much.pages("rare", unit, on: connection) <= 300)
                // 4,096 adjacent rows and a page of messages.
                #expect(try await much.pages("common", unit, on: connection) <= 500)
            }
        }
    }

    @Test("M15 a search returns the newest hits of each range, and all of them if they fit")
    func finds() async throws {
        let much = try await LargeHistory.shared.value
        let newest = try await much.find("common", in: [LargeHistory.unit(24)])
        #expect(newest.map(\.seq.rawValue) == Array(((LargeHistory.count - 50)...LargeHistory.count).reversed()))
        let units = (Int64(0)...24).map(LargeHistory.unit)
        let rare = try await much.find("rare", in: units)
        #expect(
            rare.count == 1000 && Set(rare.map(\.seq)).count == 1000 && rare.allSatisfy { $0.seq.rawValue % 100 == 0 })
        #expect(try await much.find("rar", in: units).isEmpty, "that is a different word")
        let ends = try await much.scene.messaging.first(
            SearchStore.blockEnds, .int64(1), .int64(1), .int64(LargeHistory.count))
        #expect(ends == (Int64(1)...24).reversed().map { Timestamp((($0 << 12) - 1) * 1_000_000) })
        let talks = try await much.scene.messaging.query(
            SearchStore.conversations, .int64(1), .int64(.max), .int64(.max), .int64(50))
        #expect(talks.map(\.conversation) == [1, 3] && talks[0].units.count == 25 && talks[1].units.isEmpty)
    }

    @Test("M15 the index holds a message's current words and none of a deleted message")
    func indexing() async throws {
        let scene = try await Scene()
        try await scene.execute("INSERT INTO messaging.heads (conversation, seq, position) VALUES (1, 2, 2)")
        try await scene.execute(
            "INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position) "
                + "SELECT 1, s, gen_random_uuid(), 1, 1, 'Grüße an alle', 1, s FROM generate_series(1, 2) AS s")
        let keys: [Parameter] = [.int64s([1, 1]), .int64s([1, 2])]
        func index() async throws -> [SearchedText] {
            _ = try await scene.messaging.query(SearchStore.lock, .int64s([1, 1]))
            let texts = try await scene.messaging.query(SearchStore.texts, keys)
            let found = texts.filter { !$0.words.isEmpty }
            try await scene.messaging.execute(
                SearchStore.index, .numbers(found.map(\.conversation)), .numbers(found.map(\.seq)),
                .texts(found.map(\.words)))
            return texts
        }
        #expect(try await index().map(\.words) == ["1.0.grusse 1.0.an 1.0.alle", "1.0.grusse 1.0.an 1.0.alle"])
        try await scene.execute("UPDATE messaging.messages SET text = 'anders' WHERE seq = 1")
        try await scene.execute("UPDATE messaging.messages SET deleted_at = 5, text = '' WHERE seq = 2")
        #expect(try await index().map(\.words) == ["1.0.anders", ""])
        try await scene.messaging.execute(SearchStore.remove, .int64s([1]), .int64s([2]))
        #expect(try await scene.number("SELECT count(*) FROM messaging.search") == 1)
        #expect(
            try await scene.number(
                "SELECT count(*) FROM messaging.search WHERE seq = 1 AND document = '''1.0.anders'''::tsvector") == 1)
    }
}
