import Postgres
import Reactor
import TestSupport
import Testing
import Schema

@testable import ConversationsService
@testable import ServiceKit

/// 20,000 people with the ends of their names, and a session whose plans were made while the tables were empty.
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
        // Do as the trigger does, but for all rows together.
        for sql in [
            "ALTER TABLE conversations.accounts DISABLE TRIGGER keep_names",
            """
            INSERT INTO conversations.accounts (user_id, username, display_name, created_at)
            SELECT 'u' || g, first || '.' || last || g, initcap(first) || ' ' || initcap(last), 1
            FROM (
                SELECT g, (ARRAY['anna', 'maria', 'john', 'li', 'olga', 'mohammed', 'sofia'])[1 + g % 7] AS first,
                    (ARRAY['smith', 'rossi', 'wang', 'kim', 'garcia'])[1 + g % 5] AS last
                FROM generate_series(1, 20000) AS g
            ) AS named
            """,
            "DROP INDEX conversations.name_suffixes_letters",
            """
            INSERT INTO conversations.name_suffixes (part, letters, account, longer_than)
            SELECT e.part, e.letters, a.account, e.longer_than
            FROM conversations.accounts AS a, conversations.name_suffixes(a.display_name, a.username) AS e
            """,
            """
            CREATE INDEX name_suffixes_letters ON conversations.name_suffixes (part, letters, account)
            INCLUDE (longer_than)
            """,
            "ALTER TABLE conversations.accounts ENABLE TRIGGER keep_names",
            """
            INSERT INTO conversations.accounts (user_id, username, display_name, created_at)
            VALUES ('rare', 'xq-zebrafinch', 'Qwyjibo Zebrafinch', 1)
            """,
            "ANALYZE",
        ] { try await superuser.execute(Statement(sql)) }
    }

    func find(_ text: String, part: Int16, limit: Int64 = 51) async throws -> [AccountNumber] {
        let most = max(limit, PeopleCursor.endsMax)
        let ends = try await early.query(
            PeopleStore.peopleByName,
            [
                .int64(1), .text("u1"), .bool(true), .bool(true), .int16(part), .text(text), .text(text), .int64(0),
                .int64(limit), .int64(most),
            ])
        return ends.filter { $0.user != nil }.map(\.account)
    }

    /// Returns the plan as executed by a session that prepared it while the tables were empty.
    func plan(_ text: String, part: Int16) async throws -> String {
        let name = "people\(part)\(text.hashValue.magnitude)"
        try await early.execute(Statement("PREPARE \(name) AS \(PeopleStore.peopleByName.text.sql)"))
        let explain = Statement(
            "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) EXECUTE \(name)(1, 'u1', true, true, \(part)::smallint, "
                + "'\(text)', '\(text)', 0, 51, 500)"
        ) { try $0.text(0) }
        return try await early.query(explain).joined(separator: "\n")
    }
}

@Suite("A4: finding people in the database", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct SearchUsersTests {
    @Test(
        "A4 among 20,000 people a page takes one short index range, for any length of text, common or rare",
        arguments: ["a", "an", "ann", "anna", "smith", "zebrafinch", "9", "nobody at all", "%", "_", "\\"])
    func ranges(text: String) async throws {
        let crowd = try await Crowd.shared.value
        for part in Int16(0)...2 {
            let plan = try await crowd.plan(text, part: part)
            #expect(!plan.contains("Seq Scan") && !plan.contains("Bitmap") && !plan.contains("Sort"), "\(plan)")
            #expect(plan.contains("name_suffixes_letters"))
            // The rows read: those found and the few skipped.
            let line = plan.split(separator: "\n").first { $0.contains("name_suffixes_letters") } ?? ""
            let read = line.firstMatch(of: /rows=(\d+)/).flatMap { Int($0.1) } ?? .max
            #expect(read <= 110, "\(plan)")
        }
    }

    @Test("A4 all pages together list everyone whose names contain the text, each once")
    func complete() async throws {
        let crowd = try await Crowd.shared.value
        for text in ["a12", "i99", "zebra", "0."] {
            let expected = try await crowd.superuser.query(
                Statement(
                    """
                    SELECT account
                    FROM conversations.accounts
                    WHERE (strpos(lower(display_name), $1) > 0 OR strpos(conversations.folded(username), $1) > 0) AND account <> 1
                    ORDER BY account
                    LIMIT 20000
                    """
                ) { try $0.account(0) }, .text(text))
            var found: [AccountNumber] = []
            for part in Int16(0)...2 {
                found += try await crowd.find(text, part: part, limit: 1_000_000)
            }
            #expect(Set(found).count == found.count, "\(text): a person is listed twice")
            #expect(found.sorted() == expected, "\(text)")
        }
    }

    @Test("A4 names designed to be expensive cost a page no more than others, and are still found once")
    func hostile() async throws {
        let database = try await MigratedDatabase()
        let own = try await Connection.open(database.configuration(of: "conversations", settings: plannerSettings))
        defer { own.close() }
        var shapes = [String(repeating: "a", count: 128)]
        shapes.append((10..<40).map { "ab\($0)" }.joined())
        shapes.append((10..<40).map { "a\($0)" }.joined(separator: " "))
        shapes.append(String(repeating: "ab", count: 64))
        for number in 0..<60 {
            try await own.execute(
                Statement(
                    """
                    INSERT INTO conversations.accounts (user_id, username, display_name, created_at)
                    VALUES ($1, $1, $2, 1)
                    """), .text("u\(number)"), .text(shapes[number % shapes.count]))
        }
        let most: Int64 = 50
        for text in [
            "a", "ab", "aaa", "b1", "ab1", "ba", "2ab", "a10 a", "a4", "u1", String(repeating: "a", count: 96),
        ] {
            var (found, rounds): ([AccountNumber], Int) = ([], 0)
            for part in Int16(0)...2 {
                var (letters, account) = (text, AccountNumber(0))
                while true {
                    rounds += 1
                    let ends = try await own.query(
                        PeopleStore.peopleByName,
                        [
                            .int64(1), .text("u1"), .bool(false), .bool(false), .int16(part), .text(text),
                            .text(letters), .number(account), .int64(1000), .int64(most),
                        ])
                    #expect(ends.count <= most)
                    #expect(ends.dropLast().allSatisfy { $0.user != nil && !$0.isLast })
                    found += ends.filter { $0.user != nil }.map(\.account)
                    guard let last = ends.last, last.isLast, rounds < 1000 else { break }
                    (letters, account) = (last.letters, last.account)
                }
            }
            let expected = try await own.query(
                Statement(
                    """
                    SELECT account
                    FROM conversations.accounts
                    WHERE strpos(conversations.folded(display_name), $1) > 0 OR strpos(username, $1) > 0
                    ORDER BY account
                    """
                ) { try $0.account(0) }, .text(text))
            #expect(found.sorted() == expected, "\(text): \(found.count) rather than \(expected.count)")
        }
    }

    @Test("A4 an end of a name is found by exactly those texts of which it is the first match")
    func firstEnds() async throws {
        let crowd = try await Crowd.shared.value
        let ends = Statement(
            "SELECT part, letters, longer_than FROM conversations.name_suffixes($1, $2) ORDER BY part, letters"
        ) { (part: try $0.int16(0), letters: try $0.text(1), longer: Int(try $0.int16(2))) }
        for (name, username) in [
            ("Anna Ananda", "anna.a"), ("aaaa", "aaaa"), ("aba bab", "abab"), ("", "x"), ("Ü é", "ue-eu_e"),
            ("banana an", "nab"), ("x y z x y", "xyzxy"),
        ] {
            let stored = try await crowd.early.query(ends, .text(name), .text(username))
            let folded = try await crowd.early.first(PeopleStore.folded, .text(name)) ?? ""
            var all: [(part: Int16, letters: String)] = []
            let foldedUsername = try await crowd.early.first(PeopleStore.folded, .text(username)) ?? ""
            for whole in [folded, foldedUsername].map(Array.init) {
                for start in whole.indices where whole[start] != " " {
                    let isWord = start > 0 && " .-_".contains(whole[start - 1])
                    all.append((start == 0 ? 0 : isWord ? 1 : 2, String(whole[start...])))
                }
            }
            let texts = Set(all.flatMap { end in (1...end.letters.count).map { String(end.letters.prefix($0)) } })
            for text in texts {
                let best = all.filter { $0.letters.hasPrefix(text) }.min { one, other in
                    one.part != other.part
                        ? one.part < other.part : one.letters.utf8.lexicographicallyPrecedes(other.letters.utf8)
                }
                let found = stored.filter { $0.letters.hasPrefix(text) && $0.longer < text.unicodeScalars.count }
                #expect(found.count == 1 && found.first?.letters == best?.letters, "\(text) in \(name), \(username)")
                #expect(found.first?.part == best?.part)
            }
        }
    }

    @Test(
        "A4 case and accents do not matter in any database locale",
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

    @Test("A5 no old name of an erased or renamed person can be found, and no retired username is assigned again")
    func leavesNothing() async throws {
        let database = try await MigratedDatabase()
        let own = try await Connection.open(database.configuration(of: "conversations", settings: plannerSettings))
        defer { own.close() }
        let ends = Statement("SELECT count(*) FROM conversations.name_suffixes") { try $0.int64(0) }
        let add = "INSERT INTO conversations.accounts (user_id, username, display_name, created_at) VALUES "
        try await own.execute(Statement(add + "('u1', 'ishik', 'Işık Straße \u{FDFA}', 1)"))
        #expect(try await own.first(ends) ?? 0 > 10)
        try await own.execute(Statement("UPDATE conversations.accounts SET display_name = 'Z', username = 'zz'"))
        #expect(try await own.first(ends) == 2)
        try await own.execute(JobsStore.eraseAccount, .int64(1), .int64(1))
        #expect(try await own.first(ends) == 0)
        await #expect(throws: DatabaseError.self) { try await own.execute(Statement(add + "('u2', 'zz', 'Z', 1)")) }
        try await own.execute(Statement(add + "('u2', 'ishik', 'Z', 1)"))
    }
}
