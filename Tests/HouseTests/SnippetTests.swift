import Foundation
import Testing

/// The code that ParleyKit's pages and comments show is compiled, and runs in tests: it stands in one of these files,
/// between `// snippet` and `// end`.
@Suite("The code that ParleyKit's pages and comments show")
struct SnippetTests {
    private static let files = Tree.swift.filter {
        $0.path.hasPrefix("Examples/") || $0.path.hasPrefix("Tests/ParleyKitTests/")
            || $0.path.hasPrefix("Tests/EndToEnd/Kit/")
    }

    private struct Snippet {
        var place: String
        var code: String
    }

    private static let snippets: [Snippet] = files.flatMap { path, text in
        var found: [Snippet] = []
        var open: (line: Int, lines: [Substring])?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            switch line.trimmingPrefix(while: \.isWhitespace) {
            case "// snippet": open = (index + 1, [])
            case "// end":
                if let (line, lines) = open { found.append(Snippet(place: "\(path):\(line)", code: dedented(lines))) }
                open = nil
            default: open?.lines.append(line)
            }
        }
        return found
    }

    /// Removes the indentation that all lines share.
    private static func dedented(_ lines: [Substring]) -> String {
        let indents = lines.filter { !$0.isEmpty }.map { line in line.prefix { $0 == " " }.count }
        let shared = indents.min() ?? 0
        return lines.map { $0.dropFirst(shared) }.joined(separator: "\n")
    }

    private static let pages = Tree.pages.filter { $0.path.contains(".docc/") }

    /// The Swift code of the pages.
    private static let ofPages: [Snippet] = pages.flatMap { page in
        var found: [Snippet] = []
        var open: (line: Int, lines: [Substring])?
        for (index, line) in page.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line == "```swift" {
                open = (index + 1, [])
            } else if line == "```" {
                if let (line, lines) = open {
                    found.append(Snippet(place: "\(page.path):\(line)", code: lines.joined(separator: "\n")))
                }
                open = nil
            } else {
                open?.lines.append(line)
            }
        }
        return found
    }

    /// The code of the comments: what is indented by four spaces more.
    private static let ofComments: [Snippet] = SourceFile.written.filter { $0.room == "Clients/ParleyKit" }.flatMap {
        file in
        var found: [Snippet] = []
        for (index, line) in file.lines.enumerated() {
            let comment = line.trimmingPrefix(while: \.isWhitespace)
            guard comment.hasPrefix("///     ") else { continue }
            let text = String(comment.dropFirst(8))
            let above = index > 0 ? file.lines[index - 1].trimmingPrefix(while: \.isWhitespace) : ""
            if above.hasPrefix("///     "), !found.isEmpty {
                found[found.count - 1].code += "\n" + text
            } else {
                found.append(Snippet(place: "\(file.path):\(index + 1)", code: text))
            }
        }
        return found
    }

    @Test("is compiled as it stands there")
    func compiled() {
        let known = Set(Self.snippets.map(\.code))
        #expect(Self.ofPages.count > 25 && Self.ofComments.count > 40, "the test no longer finds the code")
        for snippet in Self.ofPages + Self.ofComments {
            #expect(known.contains(snippet.code), "\(snippet.place) is not between // snippet and // end in a test")
        }
    }

    @Test("and what is marked as shown is shown")
    func shown() {
        let shown = Set((Self.ofPages + Self.ofComments).map(\.code))
        for snippet in Self.snippets { #expect(shown.contains(snippet.code), "\(snippet.place) is on no page") }
    }

    @Test("each type that an app can use has an example")
    func examples() {
        let declaration = #/^\s*public (final |indirect )*(class|struct|enum|actor|protocol) /#
        let (attribute, comment) = (/^\s*@\w+/, /^\s*\/\/\//)
        var found = 0
        for file in SourceFile.written where file.room == "Clients/ParleyKit" {
            for (index, line) in file.code.enumerated() {
                guard line.contains(declaration) else { continue }
                found += 1
                var above = index - 1
                while above >= 0, file.lines[above].contains(attribute) { above -= 1 }
                var hasExample = false
                while above >= 0, file.lines[above].contains(comment) {
                    hasExample = hasExample || file.lines[above].contains("///     ")
                    above -= 1
                }
                #expect(hasExample, "\(file.path):\(index + 1): \(line)")
            }
        }
        #expect(found > 40, "the test no longer finds the types")
    }

    @Test("links between pages lead somewhere, and each page has its place on the first one")
    func links() throws {
        let names = Set(Self.pages.map { $0.path.split(separator: "/").last.map { $0.dropLast(3) } ?? "" })
        let first = try #require(Self.pages.first { $0.path.hasSuffix("/ParleyKit.md") })
        for page in Self.pages {
            let prose = page.prose.map(\.text).joined(separator: "\n")
            for match in prose.matches(of: /<doc:([^>]+)>/) {
                #expect(names.contains(match.1), "\(page.path): \(match.0)")
            }
            for match in prose.matches(of: /``([^`]+)``/) {
                for name in match.1.split(separator: "/") {
                    let word = name.prefix { $0.isLetter || $0.isNumber }
                    #expect(Tree.words.contains(String(word)), "\(page.path): \(match.0)")
                }
            }
        }
        for name in names where name != "ParleyKit" {
            #expect(first.text.contains("<doc:\(name)>"), "\(first.path) does not name \(name)")
        }
    }
}
