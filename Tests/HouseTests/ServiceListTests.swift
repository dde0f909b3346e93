import Foundation
import Schema
import TestSupport
import Testing

@Suite("The list of services")
struct ServiceListTests {
    /// Returns the services that a text names, as words or as parts of names such as PARLEY_ENTITIES_URL.
    private func named(in text: String) -> Set<String> {
        let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
        return words.intersection(ServiceList.names)
    }

    /// Whether a file lists services for machines. Pages, and SQL with its grants, may name some of them.
    private func isList(_ path: String) -> Bool {
        if path.hasSuffix(".md") || path.hasSuffix(".sql") || path.hasSuffix(".swift") {
            return path == "Package.swift"
        }
        return path.hasPrefix("deploy/") || path.hasPrefix("Tests/Cluster/") || path == "Tests/tier"
            || path == "Tests/Upgrade/run" || path == "Makefile"
    }

    @Test("Package.swift, and every file of deploy/ and line of a script, that names three services names all")
    func complete() throws {
        var found = 0
        for path in Tree.paths where isList(path) {
            guard let text = try? text(of: path) else { continue }
            func check(_ part: String, at place: String) {
                let names = named(in: part)
                guard names.count >= 3 else { return }
                found += 1
                let missing = Set(ServiceList.names).subtracting(names)
                #expect(missing.isEmpty, "\(place) does not name \(missing.sorted())")
            }
            if path.hasPrefix("deploy/") || path == "Package.swift" { check(text, at: path) }
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                check(String(line), at: "\(path):\(number + 1)")
            }
        }
        #expect(found > 12, "the test no longer finds the lists")
    }

    @Test("every service has a folder, a program, an image and its files for Kubernetes")
    func parts() {
        for service in ServiceList.all {
            #expect(Tree.exists("Sources/Services/\(service.name.capitalized)"), "\(service.name)")
            #expect(Tree.exists("Sources/Executables/parley-\(service.name)"), "\(service.name)")
            #expect(Tree.exists("deploy/kubernetes/base/\(service.name).yaml"), "\(service.name)")
        }
    }

    @Test("the stage that builds the programs gets all that the build reads: Dockerfile and Dockerfile.dockerignore")
    func buildContext() throws {
        let plugin = try text(of: "Sources/Plugins/EmbedFiles/EmbedFiles.swift")
        let embedded = plugin.matches(of: /root\.appending\(path: "([^"]+)"\)/).map { String($0.1) }
            .filter { !$0.hasPrefix("Sources/") }
        #expect(!embedded.isEmpty, "the test no longer finds the folders that are embedded")
        let dockerfile = try text(of: "deploy/Dockerfile").split(separator: "\n").map(String.init)
        let sent = try text(of: "deploy/Dockerfile.dockerignore").split(separator: "\n").map(String.init)
        for path in ["Sources", "Tests"] + embedded {
            #expect(dockerfile.contains("COPY \(path) \(path)"), "deploy/Dockerfile does not copy \(path)")
            #expect(sent.contains("!\(path)"), "deploy/Dockerfile.dockerignore leaves out \(path)")
        }
    }

    @Test("Bootstrap.sql makes every role and schema, and lets each service reach the schemas that it reads")
    func bootstrap() throws {
        let sql = try text(of: "Sources/Tools/Cluster/Bootstrap.sql")
        func names(_ list: Substring) -> Set<String> {
            Set(list.split { !$0.isLetter && $0 != "_" }.map { String($0.replacing("parley_", with: "")) })
        }
        let all = Set(ServiceList.names)
        #expect(names(try #require(sql.firstMatch(of: /IN ARRAY ARRAY\[([^\]]+)\]/)).1) == all)
        #expect(names(try #require(sql.firstMatch(of: /GRANT CONNECT ON DATABASE %I TO ([^']+)'/)).1) == all)
        var readers: [String: Set<String>] = [:]
        for match in sql.matches(of: /GRANT USAGE ON SCHEMA (\w+) TO ([^;]+);/) {
            readers[String(match.1)] = names(match.2)
        }
        for service in ServiceList.all {
            let expected = Set(ServiceList.all.filter { $0.reads.contains(service.name) }.map(\.name))
            #expect(readers[service.name] ?? [] == expected, "schema \(service.name)")
            #expect(sql.contains("COMMENT ON SCHEMA \(service.name) IS"), "schema \(service.name)")
        }
    }
}
