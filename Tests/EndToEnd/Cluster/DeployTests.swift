import Foundation
import TestSupport
import Testing

@Suite("Files of deploy/") struct DeployTests {
    /// Variables that compose substitutes itself or that only its files read.
    private static let ofCompose: Set = [
        "PARLEY_BIND", "PARLEY_PORT", "PARLEY_PROXY_PORT", "PARLEY_SECRETS", "PARLEY_TLS_PORT", "PARLEY_VERSION",
    ]

    @Test("D2 every setting in the files of deploy/ exists in a program")
    func settings() async throws {
        var known: Set<String> = []
        for name in ["gateway", "conversations", "messaging", "presence", "entities", "notifications"] {
            let program = try Program("parley-\(name)")
            let help = try await program.run(["--help"]).output
            program.remove()
            known.formUnion(Self.names(in: help))
        }
        try #require(known.count > 40, "--help lists too few settings: \(known)")

        let deploy = MigratedDatabase.root.appending(path: "deploy")
        var files = 0
        for case let file as URL in try #require(
            FileManager.default.enumerator(at: deploy, includingPropertiesForKeys: nil))
        {
            guard ["yaml", "env", "service"].contains(file.pathExtension) else { continue }
            let given = Self.names(in: try String(contentsOf: file, encoding: .utf8))
            files += given.isEmpty ? 0 : 1
            #expect(given.subtracting(known).subtracting(Self.ofCompose) == [], "\(file.lastPathComponent)")
        }
        #expect(files >= 5, "too few files contain settings")
    }

    @Test("O1 the page of limits is what the programs declare")
    func limits() async throws {
        let page = try String(contentsOf: MigratedDatabase.root.appending(path: "deploy/LIMITS.md"), encoding: .utf8)
        let script = MigratedDatabase.root.appending(path: "deploy/limits").path
        let made = try await runToEnd([script, TestCluster.binaries()]).output
        #expect(made.matches(of: /(?m)^\| `limits\./).count > 50)
        #expect(page == made, "run deploy/limits >deploy/LIMITS.md")
        let help = try await Program("parley-conversations").run(["--help"]).output
        #expect(
            help.contains("reports in a minute, for each account; beyond it: rate_limited, with the wait (default 5)"))
    }

    private static func names(in text: String) -> Set<String> {
        Set(text.matches(of: /PARLEY_[A-Z0-9_]*[A-Z0-9]/).map { String($0.output) })
    }
}
