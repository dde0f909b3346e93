import Foundation
import TestSupport
import Testing

@Suite("Tools and the services' tables")
struct ToolTests {
    /// Files that name a table, with the reason.
    private static let exceptions = [
        "Sources/Tools/Cluster/DatabaseBackup.swift": "an earlier version's backup has no function that does it"
    ]

    @Test("Tools and the lab name no table of a service in SQL: they call its functions and read what it publishes")
    func tables() throws {
        let rule = try TableRule()
        #expect(rule.hidden.count > 60)
        var excepted: Set<String> = []
        for (path, text) in Tree.swift + Tree.sql
        where path.hasPrefix("Sources/Tools/") || path.hasPrefix("Sources/Lab/") {
            for found in rule.found(in: text, isSwift: path.hasSuffix(".swift")) {
                excepted.insert(path)
                if Self.exceptions[path] == nil { Issue.record("\(path):\(found.line) names \(found.name)") }
            }
        }
        #expect(excepted.isSuperset(of: Self.exceptions.keys), "an exception that nothing needs")
    }

    private static let cases: [(swift: String, found: [String])] = [
        (#"Statement("SELECT seq FROM messaging.heads")"#, ["1 messaging.heads"]),
        (#"Statement("INSERT INTO messaging.search (seq) VALUES (1)")"#, ["1 messaging.search"]),
        ("let sql = \"\"\"\n    UPDATE conversations.reports\n    SET x = 1\n    \"\"\"", ["2 conversations.reports"]),
        (
            "run(\n\"VACUUM ANALYZE entities.reminders\",\n\"ANALYZE messaging.inbox\")",
            ["2 entities.reminders", "3 messaging.inbox"]
        ),
        (#"Statement("SELECT FROM messaging.windows")"#, ["1 messaging.windows"]),
        (#"Statement("UPDATE \(schema).epoch SET id = 1")"#, ["1 ….epoch"]),
        (#"Statement("SELECT messaging.heads.seq, \(names.count)")"#, ["1 messaging.heads"]),
        // Functions, published views, other schemas, and what is not SQL.
        (#"Statement("SELECT messaging.import_messages($1)")"#, []),
        (#"Statement("SELECT user_id FROM conversations.account_ids JOIN entities.lanes")"#, []),
        (#"Statement("CREATE TABLE bench.rows (seq bigint)")"#, []),
        (#"Statement("VACUUM ANALYZE")"#, []),
        ("for reminder in entities.reminders { use(reminder) }", []),
        (#"print("\(entities.reminders.count) of \(reply.conversations.members)")"#, []),
        ("// reads messaging.heads\nlet x = 1  // \"messaging.heads\"", []),
        (#"let quoted = "a \" b"; use(entities.events)"#, []),
    ]

    @Test("only a name of a table or of a hidden view, and only in a text, counts", arguments: cases)
    func rule(swift: String, found: [String]) throws {
        let rule = try TableRule()
        #expect(rule.found(in: swift, isSwift: true).map { "\($0.line) \($0.name)" } == found)
    }

    @Test("in a file of SQL everything but comments counts")
    func sql() throws {
        let found = try TableRule().found(in: "-- messaging.heads\nSELECT FROM messaging.heads;", isSwift: false)
        #expect(found.map { "\($0.line) \($0.name)" } == ["2 messaging.heads"])
    }
}

/// Finds names of the services' tables, and of views that they do not publish.
struct TableRule {
    /// With their schemas.
    let hidden: Set<String>

    init() throws {
        var made: Set<String> = []
        for service in MigratedDatabase.services {
            let sql = try MigratedDatabase.sql(of: service)
            let texts = sql.migrations.map(\.sql) + sql.definitions.map(\.sql)
            for text in texts {
                for match in text.matches(of: /(?m)^CREATE (?:TABLE|OR REPLACE VIEW)(?: IF NOT EXISTS)? (\w+\.\w+)/) {
                    made.insert(String(match.1))
                }
            }
        }
        let published = try DatabaseTests.published().compactMap { $0.split(separator: " ").first.map(String.init) }
        hidden = made.subtracting(published)
    }

    /// Returns the names with the numbers of their lines. A schema that is put in while the program runs counts as any.
    func found(in text: String, isSwift: Bool) -> [(line: Int, name: String)] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let texts = isSwift ? Self.literals(lines) : lines.map { String($0.prefix(upTo: $0.comment)) }
        return texts.enumerated().flatMap { index, text -> [(line: Int, name: String)] in
            // Few lines have a name, and searching for the pattern takes long.
            guard MigratedDatabase.services.contains(where: { text.contains("\($0).") }) || text.contains("….") else {
                return []
            }
            return text.matches(of: /(\w+|…)\.(\w+)/).compactMap { match in
                let isHidden =
                    match.1 == "…"
                    ? hidden.contains { $0.hasSuffix(".\(match.2)") } : hidden.contains("\(match.1).\(match.2)")
                return isHidden ? (index + 1, "\(match.1).\(match.2)") : nil
            }
        }
    }

    /// Returns what stands in each line's string literals, with … for each value put in.
    private static func literals(_ lines: [Substring]) -> [String] {
        var isInText = false
        return lines.map { line in
            if !line.utf8.contains(UInt8(ascii: "\"")), !line.utf8.contains(UInt8(ascii: "\\")) {
                return isInText ? String(line) : ""
            }
            var (found, rest, isInString) = ("", line, false)
            while let character = rest.first {
                if rest.hasPrefix("\"\"\"") {
                    isInText.toggle()
                    rest = rest.dropFirst(3)
                } else if isInText || isInString, rest.hasPrefix("\\(") {
                    rest = rest.dropFirst(2).afterParenthesis
                    found += "…"
                } else if isInText || isInString {
                    if character == "\\" { rest = rest.dropFirst() }
                    if character == "\"", isInString { isInString = false }
                    found.append(character)
                    rest = rest.dropFirst()
                } else if rest.hasPrefix("//") {
                    break
                } else {
                    isInString = character == "\""
                    rest = rest.dropFirst()
                }
            }
            return found
        }
    }
}

extension Substring {
    /// What follows the parenthesis that closes one opened before.
    fileprivate var afterParenthesis: Substring {
        var depth = 1
        for index in indices {
            if self[index] == "(" { depth += 1 }
            if self[index] == ")" { depth -= 1 }
            if depth == 0 { return self[self.index(after: index)...] }
        }
        return ""
    }

    /// Where a comment of SQL begins; otherwise the end.
    fileprivate var comment: Index { firstRange(of: "--")?.lowerBound ?? endIndex }
}
