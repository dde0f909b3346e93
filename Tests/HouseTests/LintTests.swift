import Foundation
import TestSupport
import Testing

@Suite("How the sources are written")
struct LintTests {
    @Test("what the compiler does not check for data races says why it need not")
    func unchecked() {
        for file in SourceFile.written {
            for (index, line) in file.code.enumerated()
            where line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)") {
                #expect(file.hasReason(at: index), "\(file.path):\(index + 1) gives no reason")
            }
        }
    }

    @Test("nothing is forced, unless a comment beside it says why it cannot fail")
    func forced() {
        for file in SourceFile.written {
            for (index, line) in file.code.enumerated() {
                guard line.utf8.contains(UInt8(ascii: "!")) || line.contains("fatalError(") else { continue }
                let isForced = line.contains(/[\w)\]}]!(?!=)/) || line.contains("try!") || line.contains("as!")
                guard isForced || line.contains("fatalError(") else { continue }
                #expect(file.hasReason(at: index), "\(file.path):\(index + 1): \(file.lines[index])")
            }
        }
    }

    @Test("no file is longer than 500 lines")
    func length() {
        for file in SourceFile.written { #expect(file.lines.count <= 501, "\(file.path): \(file.lines.count)") }
    }

    @Test("nothing ends in white space, no tabs")
    func lines() {
        for file in SourceFile.written {
            for (index, line) in file.lines.enumerated() {
                #expect(line.last != " " && !line.contains("\t"), "\(file.path):\(index + 1)")
            }
        }
    }

    @Test("no names that say nothing")
    func names() {
        for file in SourceFile.written {
            for (index, line) in file.code.enumerated()
            where ["Manager", "Helper", "Utils", "Impl"].contains(where: { line.contains($0) }) {
                #expect(
                    !line.contains(/\b(?:class|struct|enum|actor|protocol)\s+\w*(?:Manager|Helper|Utils|Impl)\b/),
                    "\(file.path):\(index + 1)")
            }
        }
    }

    @Test("a service's SQL stands in its store, and nobody sleeps in a loop outside of Platform")
    func stores() {
        for file in SourceFile.written where file.path.hasPrefix("Services/") {
            for (index, line) in file.lines.enumerated()
            where line.first == " " && line.contains(/^\s*"*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM) [a-z]/) {
                let holdsStore = file.lines.contains { $0.contains(/(?:enum|extension) \w+Store\b/) }
                #expect(holdsStore, "\(file.path):\(index + 1)")
            }
        }
    }

    @Test("every feature that the README tells of is named by a test")
    func features() throws {
        guard let readme = try? text(of: "README.md") else { return }
        let ids = Set(
            readme.matches(of: /(?m)^\|\s*([A-Z][0-9]{1,2}(?:\s*,\s*[A-Z][0-9]{1,2})*)\s*\|/).flatMap { match in
                match.1.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            })
        let tests = MigratedDatabase.root.appending(path: "Tests").resolvingSymlinksInPath()
        let walker = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
        var named: Set<String> = []
        while let url = walker?.nextObject() as? URL {
            guard url.pathExtension == "swift", let text = try? String(contentsOf: url, encoding: .utf8) else {
                continue
            }
            for line in text.split(separator: "\n")
            where line.contains("@Test(") || line.contains("@Suite(") || line.drop(while: { $0 == " " }).first == "\"" {
                named.formUnion(line.matches(of: /\b[A-Z][0-9]{1,2}\b/).map { String($0.0) })
            }
        }
        for id in ids.sorted() { #expect(named.contains(id), "no test names \(id)") }
    }
}

@Suite("Routes and the contract")
struct RouteTests {
    @Test("every method of the contract is answered by one service, and says who may call it")
    func once() {
        var methods: [String: String] = [:]
        for file in SourceFile.all where file.path.hasPrefix("Platform/Schema/Generated/") {
            var owner = ""
            for line in file.lines {
                if let match = line.firstMatch(of: /^public enum (\w+Methods)/) { owner = String(match.1) }
                if let match = line.firstMatch(of: /static let (\w+) = Method<.*>\(name: "([\w.]+)", access: \.\w+\)/) {
                    methods["\(owner).\(match.1)"] = String(match.2)
                }
            }
        }
        #expect(methods.count >= 20)
        var routes: [String: [String]] = [:]
        for file in SourceFile.written {
            for line in file.lines {
                guard line.contains("routes.on("),
                    let match = line.firstMatch(of: /routes\.on\((\w+Methods\.\w+)\b/)
                else { continue }
                routes[String(match.1), default: []].append(file.room)
            }
        }
        #expect(Set(routes.keys) == Set(methods.keys))
        for (method, rooms) in routes {
            #expect(rooms.count == 1, "\(method) is answered by \(rooms)")
            let prefix = methods[method]?.prefix { $0 != "." } ?? ""
            let expected =
                switch prefix {
                case "health", "journal": "Platform/ServiceKit"
                case "authority": "Services/Conversations"
                case "sessions": "Services/Presence"
                case "http": "Services/Messaging"
                default: "Services/" + prefix.capitalized
                }
            #expect(rooms == [expected], "\(method)")
        }
    }
}
