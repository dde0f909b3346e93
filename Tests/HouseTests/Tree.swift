import Foundation
import TestSupport

/// The files of the repository.
enum Tree {
    struct Page {
        var path: String
        var text: String

        struct Line {
            var number: Int
            var text: Substring
        }

        /// The lines outside code blocks.
        var prose: [Line] {
            var isFenced = false
            return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
                index, line in
                if line.hasPrefix("```") { isFenced.toggle() }
                return isFenced || line.hasPrefix("    ") || line.hasPrefix("```")
                    ? nil : Line(number: index + 1, text: line)
            }
        }

        /// The headings in the form that links use.
        var headings: Set<String> {
            Set(
                prose.filter { $0.text.hasPrefix("#") }.map { line in
                    line.text.drop { $0 == "#" || $0 == " " }.lowercased()
                        .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
                        .replacingOccurrences(of: " ", with: "-")
                })
        }
    }

    private static let root = MigratedDatabase.root.resolvingSymlinksInPath().path
    /// All files and folders except those that builds and runs create.
    static let paths: [String] = {
        var found = [
            "Makefile", "Package.swift", "LICENSE", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md",
        ]
        // At the top level only our folders, since developers may keep other files there.
        var folders = ["Sources", "Tests", "Examples", "proto", "deploy", "docs", ".ci"]
        while let folder = folders.popLast() {
            found.append(folder)
            for name in (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? [] {
                guard !name.hasPrefix("."), name != "__pycache__" else { continue }
                let path = "\(folder)/\(name)"
                let attributes = try? FileManager.default.attributesOfItem(atPath: "\(root)/\(path)")
                if attributes?[.type] as? FileAttributeType == .typeDirectory {
                    folders.append(path)
                } else {
                    found.append(path)
                }
            }
        }
        return found.sorted()
    }()
    private static let known = Set(paths)
    static let names = Set(paths.map { $0.split(separator: "/").last.map(String.init) ?? "" })

    private static func content(of path: String) -> String? {
        try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
    }

    static let pages = paths.filter { $0.hasSuffix(".md") }.compactMap { path in
        content(of: path).map { Page(path: path, text: $0) }
    }
    static let swift: [(path: String, text: String)] = paths.filter {
        $0.hasSuffix(".swift") && !$0.contains("/Generated/")
    }.compactMap { path in content(of: path).map { (path, $0) } }.filter { !$0.1.hasPrefix("// Generated") }

    static let sql: [(path: String, text: String)] = paths.filter { $0.hasSuffix(".sql") && $0.hasPrefix("Sources/") }
        .compactMap { path in content(of: path).map { (path, $0) } }.filter { !$0.1.hasPrefix("-- Generated") }

    /// Every word of the product; `wordsOfAll` includes the tests.
    static let words = words { !$0.hasPrefix("Tests/") }
    static let wordsOfAll = words { _ in true }

    private static func words(of isMeant: (String) -> Bool) -> Set<String> {
        var words: Set<String> = []
        for path in paths
        where isMeant(path) && !path.hasSuffix(".md") && !path.contains("/corpus/") && !path.contains("/cases/") {
            guard let text = content(of: path) else { continue }
            for word in text.utf8.split(whereSeparator: { !isOfWord($0) }) {
                words.insert(String(decoding: word, as: UTF8.self))
            }
        }
        return words
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    static func exists(_ path: String) -> Bool { known.contains(path.hasSuffix("/") ? String(path.dropLast()) : path) }

    /// Whether a command creates the path when it runs.
    static func isIgnored(_ path: String) -> Bool { path.contains("/secrets") || path == "deploy/.env" }

    static func resolve(_ path: String, beside page: String) -> String {
        var parts = page.split(separator: "/").dropLast().map(String.init)
        for part in path.split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }
}
