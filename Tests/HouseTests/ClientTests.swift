import Testing

/// The client libraries are for iOS 17, macOS 14 and Linux. Apple's SDKs were not at hand when these tests were
/// written. They look for what is known to be newer; a compiler for Apple's systems has the last word.
@Suite("The client libraries")
struct ClientTests {
    private static let clients = SourceFile.all.filter { $0.path.hasPrefix("Clients/") }

    /// What iOS 17 and macOS 14 have, and the packages that have it too. CryptoKit opens pushes, in code that is
    /// compiled on Apple's systems alone.
    private static let modules: Set<String> = [
        "Foundation", "FoundationEssentials", "Observation", "Darwin", "Glibc", "Musl", "Security", "CryptoKit",
        "NIOCore", "NIOPosix", "NIOHTTP1",
        "NIOWebSocket", "NIOTLS", "NIOSSL", "NIOConcurrencyHelpers", "SwiftProtobuf", "GRDB", "ParleyClient",
    ]

    /// Names of the standard library and of Foundation that are newer than iOS 17 and macOS 14, and what is for other
    /// systems or other times: Combine has been replaced by Observation.
    private static let newer = [
        "Mutex", "Atomic", "AtomicLazyReference", "WordPair", "InlineArray", "Span", "MutableSpan", "RawSpan",
        "MutableRawSpan", "OutputSpan", "OutputRawSpan", "UTF8Span", "Int128", "UInt128", "Observations",
        "withTaskExecutorPreference", "executorPreference", "TaskExecutor", "immediate", "withTaskCancellationShield",
        "isIsolatingCurrentContext", "SerialExecutorJob", "trailingZeroBits128", "PassthroughSubject",
        "ObservableObject", "AnyCancellable", "Predicate", "SwiftData",
    ]

    @Test("import what iOS 17 and macOS 14 have")
    func imports() {
        #expect(Self.clients.count > 60)
        for file in Self.clients {
            for (module, _) in file.imports {
                #expect(Self.modules.contains(module), "\(file.path) imports \(module)")
            }
        }
    }

    @Test("use no name that is newer than iOS 17 and macOS 14")
    func names() {
        for file in Self.clients where !file.isGenerated {
            for (index, line) in file.code.enumerated() {
                let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
                for word in words where Self.newer.contains(String(word)) {
                    Issue.record("\(file.path):\(index + 1) uses \(word)")
                }
                #expect(!line.contains("isolated deinit"), "\(file.path):\(index + 1)")
            }
        }
    }

    /// The declarations of a file that an app can use, each on one line.
    private static func publicDeclarations(of file: SourceFile) -> [(line: Int, text: String)] {
        var found: [(line: Int, text: String)] = []
        var open: (line: Int, text: String)?
        var publicEnum: Int?
        let withCases = #/\bpublic (indirect )?(enum|protocol) /#
        for (index, line) in file.code.enumerated() {
            let indent = line.prefix { $0 == " " }.count
            if let start = publicEnum, line.contains("}"), indent <= start { publicEnum = nil }
            if line.contains("public ") || (publicEnum != nil && line.trimmingPrefix { $0 == " " }.hasPrefix("case ")) {
                open = (index + 1, "")
            }
            if line.contains(withCases) { publicEnum = indent }
            guard open != nil else { continue }
            open?.text += line
            let text = open?.text ?? ""
            // A declaration ends with its body, or with its line once its brackets are closed.
            let isOpen = text.filter { $0 == "(" }.count > text.filter { $0 == ")" }.count
            let isContinued = text.hasSuffix("->") || text.hasSuffix("where") || text.hasSuffix(",")
            if text.contains("{") || !(isOpen || isContinued), let declaration = open {
                found.append(declaration)
                open = nil
            }
        }
        return found
    }

    @Test("ParleyKit shows no generated type, no type of the database and none of SwiftNIO in what an app can use")
    func values() {
        let kit = SourceFile.written.filter { $0.room == "Clients/ParleyKit" }
        let all = kit.flatMap { file in Self.publicDeclarations(of: file).map { (file, $0) } }
        #expect(all.count > 200, "the test no longer finds the declarations")
        for (file, declaration) in all {
            let signature = declaration.text.prefix { $0 != "{" }
            for name in ["Parley_V1_", "NIO", "EventLoop", "ByteBuffer", "Database", "SwiftProtobuf", "ParleyError"] {
                #expect(!signature.contains(name), "\(file.path):\(declaration.line): \(signature)")
            }
        }
    }

    @Test("ParleyKit swallows no failure of the storage")
    func failures() {
        // A sleep only fails when the task is cancelled; what a closed file did not take over is in its log. A later
        // start removes the files that were not removed; a lost sign of typing is no loss.
        let harmless = [
            "Task.sleep", ".checkpoint(", "pool.close()", "FileManager.default.removeItem(", "client.setTyping(",
        ]
        for file in SourceFile.written where file.room == "Clients/ParleyKit" {
            for (index, line) in file.code.enumerated() where line.contains("try? ") {
                #expect(harmless.contains { line.contains($0) }, "\(file.path):\(index + 1): \(line)")
            }
        }
    }

    @Test("everything that an app can use of ParleyKit says what it is")
    func documented() {
        let declaration = #/^\s*public (static |final |indirect )*(class|struct|enum|func|protocol) /#
        let attribute = /^\s*@\w+/
        for file in SourceFile.written where file.room == "Clients/ParleyKit" {
            for (index, line) in file.code.enumerated() {
                guard line.contains(declaration), !line.contains("static func ==") && !line.contains("func hash(")
                else { continue }
                // Above it, apart from attributes.
                var above = index - 1
                while above >= 0, file.lines[above].contains(attribute) { above -= 1 }
                // What a protocol of another module requires is described there.
                let isRequired = line.contains("async throws") && !line.contains("throws(")
                if isRequired { continue }
                #expect(
                    above >= 0 && file.lines[above].contains("///"), "\(file.path):\(index + 1): \(line)")
            }
        }
    }
}
