import Foundation
import TestSupport

/// A Swift file of `Sources/`, prepared for the lints.
struct SourceFile {
    /// The path below `Sources/`, such as "Platform/Wire/Hash.swift".
    let path: String
    let lines: [String]
    /// The imported modules, each with the rest of its line.
    let imports: [(module: String, rest: String)]
    /// The lines without comments and without the contents of string literals.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        imports = Self.imports(lines)
        code = path.contains("/Generated/") ? [] : Self.code(lines)
    }

    /// The room, such as "Platform/Wire"; Language is a room by itself.
    var room: String {
        path.hasPrefix("Language/") ? "Language" : path.split(separator: "/").prefix(2).joined(separator: "/")
    }
    /// Whether it is part of a service, directly or as what services are built on.
    var isServed: Bool { ["Platform/", "Services/", "Language/"].contains { path.hasPrefix($0) } }
    var isGenerated: Bool { lines.first?.hasPrefix("// Generated") ?? false || path.contains("/Generated/") }

    private static func imports(_ lines: [String]) -> [(module: String, rest: String)] {
        lines.compactMap { line in
            guard line.utf8.count < 200, line.contains("import "),
                let match = line.wholeMatch(
                    of:
                        /\s*(?:@\w+\s+|public\s+|internal\s+)*import\s+(?:(?:struct|class|enum|func|protocol)\s+)?(\w+)(.*)/
                )
            else { return nil }
            return (String(match.1), String(match.2))
        }
    }

    private static func code(_ lines: [String]) -> [String] {
        var isInText = false
        return lines.map { line in
            if !line.utf8.contains(UInt8(ascii: "\"")), !line.utf8.contains(UInt8(ascii: "/")) {
                return isInText ? "" : line
            }
            var code = ""
            var rest = line[...]
            var isInString = false
            while let character = rest.first {
                if rest.hasPrefix("\"\"\"") {
                    isInText.toggle()
                    rest = rest.dropFirst(3)
                    continue
                }
                if isInText {
                    rest = rest.dropFirst()
                } else if isInString {
                    if character == "\\" { rest = rest.dropFirst() }
                    if character == "\"" { isInString = false }
                    rest = rest.dropFirst()
                } else if character == "\"" {
                    isInString = true
                    code += "\"\""
                    rest = rest.dropFirst()
                } else if rest.hasPrefix("//") {
                    break
                } else {
                    code.append(character)
                    rest = rest.dropFirst()
                }
            }
            return code
        }
    }

    /// Whether this line, the one before or the one after has a comment.
    func hasReason(at index: Int) -> Bool {
        [index - 1, index, index + 1].contains { lines.indices.contains($0) && lines[$0].contains("//") }
    }

    static let all: [SourceFile] = {
        let sources = MigratedDatabase.root.appending(path: "Sources").resolvingSymlinksInPath()
        let walker = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var files: [SourceFile] = []
        while let url = walker?.nextObject() as? URL {
            guard url.pathExtension == "swift", let text = try? String(contentsOf: url, encoding: .utf8) else {
                continue
            }
            files.append(SourceFile(path: String(url.path.dropFirst(sources.path.count + 1)), text: text))
        }
        return files.sorted { $0.path < $1.path }
    }()

    static var written: [SourceFile] { all.filter { !$0.isGenerated } }
}

func text(of path: String) throws -> String {
    try String(contentsOf: MigratedDatabase.root.appending(path: path), encoding: .utf8)
}
