import Foundation
import TestSupport
import Testing

/// Checks the names in pages and comments against the tree.
@Suite("Names in pages and comments exist")
struct PageTests {
    @Test("the targets of links in pages exist, including headings")
    func links() throws {
        let link = /\]\(([^)\s]+)\)/
        for page in Tree.pages {
            for line in page.prose {
                for match in line.text.matches(of: link) where !match.1.hasPrefix("http") {
                    let parts = match.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                    let path = parts[0].isEmpty ? page.path : Tree.resolve(String(parts[0]), beside: page.path)
                    #expect(Tree.exists(path), "\(page.path):\(line.number): \(match.1)")
                    guard parts.count == 2 else { continue }
                    let headings = Tree.pages.first { $0.path == path }?.headings ?? []
                    #expect(headings.contains(String(parts[1])), "\(page.path):\(line.number): no heading \(match.1)")
                }
            }
        }
    }

    @Test("files and types in backticks exist")
    func backticks() {
        let (name, type) = (/`([^`]+)`/, /[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*/)
        let place = /((?:Sources|Tests|proto|deploy|docs|\.ci)\/[\w.\/-]+?)\/?/
        let file = /[\w-]+\.(?:swift|proto|sql|md|yaml|py)/
        for page in Tree.pages {
            let words =
                ["Tests/", "deploy/README.md", "CONTRIBUTING.md", "SECURITY.md"].contains(where: page.path.hasPrefix)
                ? Tree.wordsOfAll : Tree.words
            for line in page.prose {
                for match in line.text.matches(of: name) {
                    let text = String(match.1)
                    let location = "\(page.path):\(line.number): `\(text)`"
                    if text.wholeMatch(of: type) != nil {
                        // X stands for any name.
                        #expect(words.contains(text) || text.hasPrefix("X"), "\(location)")
                    } else if let path = text.wholeMatch(of: place)?.1 {
                        #expect(Tree.exists(String(path)) || Tree.isIgnored(String(path)), "\(location)")
                    } else if text.wholeMatch(of: file) != nil {
                        #expect(Tree.names.contains(text) || text.hasPrefix("X"), "\(location)")
                    }
                }
            }
        }
    }

    @Test("the targets of links in comments exist")
    func comments() {
        let symbol = /``([^`]+)``/
        let file = /\b(?:Sources|Tests|proto|deploy)\/[\w.\/-]+\.(?:md|swift|proto|sql)\b/
        for (path, text) in Tree.swift {
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                guard let comment = line.firstRange(of: "//").map({ line[$0.lowerBound...] }) else { continue }
                for match in comment.matches(of: symbol) {
                    let last = match.1.split(separator: "/").last.map { $0.prefix { $0.isLetter || $0.isNumber } }
                    #expect(
                        last.map { Tree.wordsOfAll.contains(String($0)) } ?? false, "\(path):\(index + 1): \(match.1)")
                }
                for match in comment.matches(of: file) {
                    #expect(Tree.exists(String(match.0)), "\(path):\(index + 1): \(match.0)")
                }
            }
        }
    }

    @Test("no file cites the removed design page")
    func citations() {
        for (path, text) in Tree.swift + Tree.pages.map({ ($0.path, $0.text) })
        where path != "Tests/HouseTests/PageTests.swift" {
            #expect(!text.contains("DESIGN"), "\(path)")
        }
    }

    @Test("the version appears once in the sources, and the changelog begins with it")
    func version() throws {
        let declared = Tree.swift.filter { $0.path.hasPrefix("Sources/") && $0.text.contains(/"\d+\.\d+\.\d+"/) }
        #expect(declared.map(\.path) == ["Sources/Platform/Schema/Version.swift"])
        let version = try #require(declared.first?.text.firstMatch(of: /"(\d+\.\d+\.\d+)"/)?.1)
        #expect(try text(of: "CHANGELOG.md").firstMatch(of: /(?m)^## (\S+)/)?.1 == version)
    }
}

@Suite("The promises of docs/FEATURES.md")
struct PromiseTests {
    /// Returns the ids in a cell: `C1–C5, C7` gives C1, C2 … C7, and `D1 (logs)` gives D1.
    static func ids(in cell: some StringProtocol) -> [String] {
        String(cell).matches(of: /([A-Z])(\d{1,2})(?:–[A-Z](\d{1,2}))?/).flatMap { match -> [String] in
            let first = Int(match.2) ?? 0
            let last = match.3.flatMap { Int($0) } ?? first
            return (first...max(first, last)).map { "\(match.1)\($0)" }
        }
    }

    @Test("the README has at most 900 words")
    func length() throws {
        let words = try text(of: "README.md").split(whereSeparator: \.isWhitespace)
        #expect(words.count <= 900)
    }

    @Test("ranges and lists of ids are read completely")
    func reading() {
        #expect(Self.ids(in: "C1–C5, C7") == ["C1", "C2", "C3", "C4", "C5", "C7"])
        #expect(Self.ids(in: "D1 (logs)") == ["D1"] && Self.ids(in: "A3, C10") == ["A3", "C10"])
        #expect(Self.ids(in: "id").isEmpty)
    }

    @Test("a test names every row of the table of features")
    func rows() throws {
        let page = try text(of: "docs/FEATURES.md")
        let table = try #require(page.firstRange(of: "\n| id | what |").map { page[$0.upperBound...] })
        let rows = table.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).prefix {
            $0.hasPrefix("|")
        }
        #expect(rows.count >= 30)
        var named: Set<String> = []
        for (path, text) in Tree.swift where path.hasPrefix("Tests/") {
            for line in text.split(separator: "\n")
            where line.contains("@Test(") || line.contains("@Suite(") || line.drop(while: { $0 == " " }).first == "\"" {
                named.formUnion(line.matches(of: /\b[A-Z][0-9]{1,2}\b/).map { String($0.0) })
            }
        }
        for row in rows {
            let ids = Self.ids(in: row.dropFirst().prefix { $0 != "|" })
            #expect(!ids.isEmpty, "\(row)")
            for id in ids { #expect(named.contains(id), "no test names \(id)") }
        }
    }
}
