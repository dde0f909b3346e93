import Postgres
import Reactor
import TestSupport
import Testing

@testable import ConversationsService
@testable import ServiceKit

/// 40,000 people with a million ends of names, and a session whose plans were made when there was nobody.
@ReactorActor
private final class Crowd {
    static let shared = Task { @ReactorActor in try await Crowd() }

    let early: Connection
    let superuser: Connection

    private init() async throws {
        let database = try await MigratedDatabase()
        early = try await Connection.open(database.configuration(of: "conversations", settings: plannerSettings))
        superuser = try await Connection.open(database.superuser)
        _ = try await find("nobody", part: 0)
        // As the trigger would, for plain names, and as a whole: row by row it takes ten times as long.
        for sql in [
            "ALTER TABLE conversations.accounts DISABLE TRIGGER keep_names",
            """
            INSERT INTO conversations.accounts (user_id, username, display_name, created_at)
            SELECT 'u' || g, first || '.' || last || g, initcap(first) || ' ' || initcap(last), 1
            FROM (
                SELECT g, (ARRAY['anna', 'maria', 'john', 'li', 'olga', 'mohammed', 'sofia'])[1 + g % 7] AS first,
                    (ARRAY['smith', 'rossi', 'wang', 'kim', 'garcia'])[1 + g % 5] AS last
                FROM generate_series(1, 40000) AS g
            ) AS named
            """,
            "DROP INDEX conversations.ends_of_names_letters",
            """
            INSERT INTO conversations.ends_of_names
            SELECT
                CASE
                    WHEN start = 1 THEN 0
                    WHEN substr(name, start - 1, 1) IN (' ', '.', '-') THEN 1
                    ELSE 2
                END, substr(name, start), account
            FROM (
                SELECT account, lower(display_name) AS name FROM conversations.accounts
                UNION ALL
                SELECT account, username FROM conversations.accounts
            ) AS n, generate_series(1, length(name)) AS start
            WHERE substr(name, start, 1) <> ' '
            """,
            "CREATE INDEX ends_of_names_letters ON conversations.ends_of_names (part, letters, account)",
            "ALTER TABLE conversations.accounts ENABLE TRIGGER keep_names",
            """
            INSERT INTO conversations.accounts (user_id, username, display_name, created_at)
            VALUES ('rare', 'xq-zebrafinch', 'Qwyjibo Zebrafinch', 1)
            """,
            "ANALYZE",
        ] { try await superuser.execute(Statement(sql)) }
    }

    func find(_ text: String, part: Int16, limit: Int64 = 51) async throws -> [FoundPerson] {
        try await early.query(PeopleStore.peopleByName, Self.parameters(text, part, limit))
    }

    static func parameters(_ text: String, _ part: Int16, _ limit: Int64) -> [Parameter] {
        [
            .int64(1), .text("u1"), .bool(true), .bool(true), .int16(part), .text(text), .text(text), .int64(0),
            .int64(limit),
        ]
    }

    /// The plan as carried out by a session that had it made before there was anybody.
    func plan(_ text: String, part: Int16) async throws -> String {
        let name = "people\(part)\(text.hashValue.magnitude)"
        try await early.execute(Statement("PREPARE \(name) AS \(PeopleStore.peopleByName.text.sql)"))
        let explain = Statement(
            "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) EXECUTE \(name)(1, 'u1', true, true, \(part)::smallint, "
                + "'\(text)', '\(text)', 0, 51)"
        ) { try $0.text(0) }
        return try await early.query(explain).joined(separator: "\n")
    }
}

@Suite("A4: finding people in the database", .timeLimit(.minutes(patience)))
@ReactorActor
struct FindPeopleTests {
    @Test(
        "A4 of 40,000 people a page is found in one short range of an index, for one letter or many, common or rare",
        arguments: ["a", "an", "ann", "anna", "smith", "zebrafinch", "9", "nobody at all", "%", "_", "\\"])
    func ranges(text: String) async throws {
        let crowd = try await Crowd.shared.value
        for part in Int16(0)...2 {
            let plan = try await crowd.plan(text, part: part)
            #expect(!plan.contains("Seq Scan") && !plan.contains("Bitmap") && !plan.contains("Sort"), "\(plan)")
            #expect(plan.contains("ends_of_names_letters"))
            // Rows that were read of it: those found, and the few that were passed over.
            let line = plan.split(separator: "\n").first { $0.contains("ends_of_names_letters") } ?? ""
            let read = line.firstMatch(of: /rows=(\d+)/).flatMap { Int($0.1) } ?? .max
            #expect(read <= 110, "\(plan)")
        }
    }

    @Test("A4 all pages together are everyone whose names hold the text, each once")
    func complete() async throws {
        let crowd = try await Crowd.shared.value
        for text in ["a12", "i99", "zebra", "0."] {
            let expected = try await crowd.superuser.query(
                Statement(
                    """
                    SELECT account
                    FROM conversations.accounts
                    WHERE (strpos(lower(display_name), $1) > 0 OR strpos(username, $1) > 0) AND account <> 1
                    ORDER BY account
                    LIMIT 20000
                    """
                ) { try $0.int64(0) }, .text(text))
            var found: [Int64] = []
            for part in Int16(0)...2 {
                found += try await crowd.find(text, part: part, limit: 1_000_000).map(\.account)
            }
            #expect(Set(found).count == found.count, "\(text): somebody twice")
            #expect(found.sorted() == expected, "\(text)")
        }
    }

    @Test(
        "A4 case and accents do not matter, whatever the locale of the database",
        arguments: [
            ("É", "e"), ("e\u{301}", "é"), ("İSTANBUL", "istanbul"), ("IŞIK", "ışık"), ("Straße", "STRASSE"),
            ("Müller", "MULLER"), ("Ёлка", "елка"), ("МАРИЯ", "мария"), ("ΟΔΟΣ", "οδός"), ("Łódź", "lodz"),
            ("Ørsted", "orsted"), ("Æther", "aether"), ("ｱﾝﾅ", "アンナ"), ("山田", "山田"), ("Nguyễn", "nguyen"),
            ("a \u{A0} b", "A B"), ("Ａｎｎａ", "anna"), ("ﬁn", "fin"),
        ])
    func folds(one: String, other: String) async throws {
        let crowd = try await Crowd.shared.value
        let folded = try await crowd.early.first(PeopleStore.folded, .text(one))
        #expect(folded == (try await crowd.early.first(PeopleStore.folded, .text(other))))
        #expect(folded?.isEmpty == false)
    }

    @Test("A4 different letters stay different")
    func keeps() async throws {
        let crowd = try await Crowd.shared.value
        for (one, other) in [("a", "b"), ("山", "田"), ("か", "き"), ("м", "н"), ("ab", "a b"), ("कि", "का")] {
            let folded = try await crowd.early.first(PeopleStore.folded, .text(one))
            #expect(folded != (try await crowd.early.first(PeopleStore.folded, .text(other))), "\(one) \(other)")
        }
    }

    @Test("A5 of an erased or renamed person no old name is left to be found by, and no retired username is given out")
    func leavesNothing() async throws {
        let database = try await MigratedDatabase()
        let own = try await Connection.open(database.configuration(of: "conversations", settings: plannerSettings))
        defer { own.close() }
        let ends = Statement("SELECT count(*) FROM conversations.ends_of_names") { try $0.int64(0) }
        let add = "INSERT INTO conversations.accounts (user_id, username, display_name, created_at) VALUES "
        try await own.execute(Statement(add + "('u1', 'ishik', 'Işık Straße \u{FDFA}', 1)"))
        #expect(try await own.first(ends) ?? 0 > 10)
        try await own.execute(Statement("UPDATE conversations.accounts SET display_name = 'Z', username = 'zz'"))
        #expect(try await own.first(ends) == 2)
        try await own.execute(JobsStore.retireUsername, .text("zz"), .int64(1))
        try await own.execute(JobsStore.eraseAccount, .int64(1), .int64(1))
        #expect(try await own.first(ends) == 0)
        await #expect(throws: DatabaseError.self) { try await own.execute(Statement(add + "('u2', 'zz', 'Z', 1)")) }
        try await own.execute(Statement(add + "('u2', 'ishik', 'Z', 1)"))
    }
}
