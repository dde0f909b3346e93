import Testing

@Suite("The style of the sources")
struct LintTests {
    @Test("code that the compiler does not check for data races gives a reason")
    func unchecked() {
        for file in SourceFile.written {
            for (index, line) in file.code.enumerated()
            where line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)") {
                #expect(file.hasReason(at: index), "\(file.path):\(index + 1) has no comment with a reason")
            }
        }
    }

    @Test("no code is forced without a comment beside it that explains why it cannot fail")
    func forced() {
        let force = /[\w)\]}]!(?!=)/
        for file in SourceFile.written {
            for (index, line) in file.code.enumerated() {
                guard line.utf8.contains(UInt8(ascii: "!")) || line.contains("fatalError(") else { continue }
                let isForced = line.contains(force) || line.contains("try!") || line.contains("as!")
                guard isForced || line.contains("fatalError(") else { continue }
                #expect(file.hasReason(at: index), "\(file.path):\(index + 1): \(file.lines[index])")
            }
        }
    }

    @Test("tasks of the platform and the services stay on the loop (Task.onLoop), or give a reason")
    func tasks() {
        let task = /\bTask(\.immediate|\.detached|\.immediateDetached)?( \{|\()/
        for file in SourceFile.written where file.isServed {
            for (index, line) in file.code.enumerated() where line.contains(task) {
                let hasReason = file.hasReason(at: index)
                #expect(hasReason, "\(file.path):\(index + 1)")
            }
        }
    }

    @Test("a loop that sleeps gives a reason: what it waits for cannot wake it (see Condition and Worker)")
    func sleeping() {
        func indent(_ line: String) -> Int { line.prefix { $0 == " " }.count }
        let (sleep, loop) = (/sleep\((?:for:|\d)/, /^ *(?:while|for|repeat)\b/)
        var found = 0
        for file in SourceFile.written where file.isServed {
            for (index, line) in file.code.enumerated() where line.contains(sleep) {
                // The lines that the sleep is inside of, from within.
                var inner = indent(line) + 1
                let isLoop = file.code[...index].reversed().contains { outer in
                    guard !outer.isEmpty, indent(outer) < inner else { return false }
                    inner = indent(outer)
                    return outer.contains(loop)
                }
                guard isLoop else { continue }
                found += 1
                #expect(file.hasReason(at: index), "\(file.path):\(index + 1)")
            }
        }
        #expect(found >= 8, "the test no longer finds them")
    }

    @Test("a number's absolute value is its .magnitude, since abs() traps on the least number")
    func absoluteValues() {
        let absolute = /\babs\(/
        for file in SourceFile.written where file.isServed {
            for (index, line) in file.code.enumerated() {
                #expect(!line.contains(absolute), "\(file.path):\(index + 1)")
            }
        }
    }

    @Test("no test passes although what it tells of is broken")
    func knownIssues() throws {
        let word = "withKnown" + "Issue"
        #expect(Tree.swift.filter { $0.text.contains(word) }.map(\.path) == [], "mend what the test finds instead")
    }

    @Test("no file is longer than 500 lines")
    func length() {
        for file in SourceFile.written { #expect(file.lines.count <= 501, "\(file.path): \(file.lines.count)") }
    }

    @Test("no function that reads language is longer than 80 lines")
    func functions() {
        for file in SourceFile.written where file.room == "Language" {
            for (index, line) in file.code.enumerated() where line.last != "}" {
                guard let start = line.firstMatch(of: /^( *)[a-z ]*\b(?:func|init)\b/) else { continue }
                let lines = file.lines[index...].prefix { $0 != start.1 + "}" }
                #expect(lines.count < 80, "\(file.path):\(index + 1): \(lines.count + 1)")
            }
        }
    }

    @Test("no line ends in white space or contains a tab")
    func lines() {
        for file in SourceFile.written {
            for (index, line) in file.lines.enumerated() {
                #expect(line.last != " " && !line.contains("\t"), "\(file.path):\(index + 1)")
            }
        }
    }

    @Test("SQL, comments and pages are at most 120 characters wide, except for tables and commands")
    func width() {
        for (path, text) in Tree.swift {
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            where line.utf8.count > 120 && line.drop(while: { $0 == " " }).hasPrefix("//") {
                #expect(line.count <= 120, "\(path):\(index + 1)")
            }
        }
        for (path, text) in Tree.sql {
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                #expect(line.count <= 120, "\(path):\(index + 1)")
            }
        }
        for page in Tree.pages {
            for line in page.prose where line.text.utf8.count > 120 && !line.text.hasPrefix("|") {
                #expect(line.text.count <= 120, "\(page.path):\(line.number)")
            }
        }
    }

    @Test("no type has a meaningless name")
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

    @Test("names of limits end in Max")
    func limits() {
        for file in SourceFile.written {
            for (index, line) in file.code.enumerated() where line.contains("Most") {
                let name = line.firstMatch(of: /\b(?!atMost\b)[a-z][A-Za-z0-9]*Most\b/)?.0
                #expect(name == nil, "\(file.path):\(index + 1): \(name ?? "")")
            }
        }
    }

    @Test("a service's SQL is only in its stores")
    func stores() {
        let (statement, store) = (
            /^\s*"*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM) [a-z]/, /(?:enum|extension) \w+Store\b/
        )
        for file in SourceFile.written where file.path.hasPrefix("Services/") {
            for (index, line) in file.lines.enumerated() where line.first == " " && line.contains(statement) {
                let holdsStore = file.lines.contains { $0.contains(store) }
                #expect(holdsStore, "\(file.path):\(index + 1)")
            }
        }
    }
}

@Suite("Routes and the contract")
struct RouteTests {
    @Test("every method of the contract has a declared access and is answered by one service")
    func once() {
        let owners = /^public enum (\w+Methods)/
        let method = /static let (\w+) = Method<.*>\(name: "([\w.]+)", access: \.\w+(, isExpensive: true)?\)/
        let answered = /routes\.on\((\w+Methods\.\w+)(?!\w)/
        var methods: [String: String] = [:]
        var expensive: Set<String> = []
        for file in SourceFile.all where file.path.hasPrefix("Platform/Schema/Generated/") {
            var owner = ""
            for line in file.lines {
                if let match = line.firstMatch(of: owners) { owner = String(match.1) }
                if let match = line.firstMatch(of: method) {
                    methods["\(owner).\(match.1)"] = String(match.2)
                    if match.3 != nil { expensive.insert("\(owner).\(match.1)") }
                }
            }
        }
        #expect(methods.count >= 20)
        var routes: [String: [String]] = [:]
        for file in SourceFile.written {
            for line in file.lines {
                guard line.contains("routes.on("),
                    let match = line.firstMatch(of: answered)
                else { continue }
                routes[String(match.1), default: []].append(file.room)
                #expect(
                    !(line.contains("answering:") && expensive.contains(String(match.1))),
                    "\(match.1) passes by the limits of expensive requests")
            }
        }
        #expect(Set(routes.keys) == Set(methods.keys))
        for (method, rooms) in routes {
            #expect(rooms.count == 1, "\(method) is answered by \(rooms)")
            let prefix = methods[method]?.prefix { $0 != "." } ?? ""
            let expected =
                switch prefix {
                case "health", "http", "journal": "Platform/ServiceKit"
                case "authority": "Services/Conversations"
                case "sessions", "foreground": "Services/Presence"
                default: "Services/" + prefix.capitalized
                }
            #expect(rooms == [expected], "\(method)")
        }
    }
}

@Suite("No unused code")
struct LeftoverTests {
    /// Names that a protocol or the system requires, by the module that requires them.
    private static let required: Set<String> = [
        // Swift: executors, mirrors, descriptions.
        "isIsolatingCurrentContext", "enqueue", "sharedUnownedExecutor", "customMirror", "debugDescription",
        // SwiftNIO's handlers, swift-metrics' factory and handlers, swift-distributed-tracing's spans, ArgumentParser,
        // SwiftPM's plugins.
        "OutboundIn", "InboundOut", "channelReadComplete", "userInboundEventTriggered", "decrement",
        "makeFloatingPointCounter", "makeMeter",
        "destroyCounter",
        "destroyFloatingPointCounter", "destroyMeter", "destroyRecorder", "destroyTimer", "forceFlush", "recordError",
        "addEvent", "addLink", "nameOverride", "defaultValueDescription", "createBuildCommands", "errorDescription",
        // Names that generated code will use when a field needs them.
        "readByteStrings",
    ]

    @Test("every declaration in Sources is named a second time somewhere")
    func dead() {
        var counts: [Substring: Int] = [:]
        for file in SourceFile.all { for word in Self.words(of: file.lines) { counts[word, default: 0] += 1 } }
        for (path, text) in Tree.swift where path.hasPrefix("Tests/") {
            for word in Self.words(of: [text]) { counts[word, default: 0] += 1 }
        }
        let declaration = /\b(?:func|var|let|struct|enum|class|actor|protocol|typealias)\s+`?([A-Za-z_]\w*)/
        for file in SourceFile.written {
            for (index, line) in file.code.enumerated() {
                for match in line.matches(of: declaration) where match.1 != "_" && counts[match.1] == 1 {
                    #expect(Self.required.contains(String(match.1)), "\(file.path):\(index + 1): \(match.1) is unused")
                }
            }
        }
    }

    /// Returns all words, including those of strings and comments, since a name inside a string is used.
    private static func words(of texts: [String]) -> [Substring] {
        texts.flatMap { text in
            text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        }
    }

    @Test("a suite of end-to-end tests uses one cluster; Tests/Cluster/run lists those that need required requests")
    func clusters() throws {
        var ordinary: Set<String> = []
        var asking: Set<String> = []
        let (suites, asks) = (/^(?:struct|extension|enum) (\w+Tests)\b/, /TestCluster\.asking\b/)
        for (path, text) in Tree.swift where path.hasPrefix("Tests/EndToEnd/") {
            var suite = ""
            for line in text.split(separator: "\n") {
                if let type = line.firstMatch(of: suites) { suite = String(type.1) }
                if line.contains("TestCluster.shared") { ordinary.insert(suite) }
                if line.contains(asks) { asking.insert(suite) }
            }
        }
        #expect(ordinary.isDisjoint(with: asking), "both in \(ordinary.intersection(asking).sorted())")
        let listed = try text(of: "Tests/Cluster/run").firstMatch(of: /\nASKING = "([\w|]+)"/)
        #expect(listed?.1 ?? "" == asking.sorted().joined(separator: "|"))
    }
}
