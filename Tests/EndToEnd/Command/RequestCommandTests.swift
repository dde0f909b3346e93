import ParleyClient
import TestSupport
import Testing

@Suite("Commands of requests and blocks", .timeLimit(.minutes(8)))
struct RequestCommandTests {
    private static func run(
        _ program: Program, _ cluster: TestCluster, _ arguments: [String]
    ) async throws -> Program.Outcome {
        try await program.run(
            arguments + ["--url", cluster.url()], environment: ["PARLEY_PASSWORD": Device.password])
    }

    @Test("R1 R4 R5 C12 asking, accepting, declining, taking back, blocking: the commands say what came of it")
    func commands() async throws {
        let cluster = try await TestCluster.asking
        let (dana, erin) = (try Program(), try Program())
        defer {
            dana.remove()
            erin.remove()
        }
        let suffix = String(UInt64.random(in: 0...(.max)), radix: 36)
        let (asker, asked) = ("dana\(suffix)", "erin\(suffix)")
        #expect(try await Self.run(dana, cluster, ["register", asker]).status == 0)
        #expect(try await Self.run(erin, cluster, ["register", asked]).status == 0)
        #expect(try await Self.run(erin, cluster, ["requests"]).errors.contains("Nobody asks."))
        #expect(try await Self.run(dana, cluster, ["send", asked, "hello there"]).status == 0)
        try await eventually("it is shown") {
            try await Self.run(erin, cluster, ["requests"]).output.contains("hello there")
        }
        let listed = try await Self.run(erin, cluster, ["requests", "--json"]).objects
        #expect(listed.map { $0["username"] } == [asker] && listed.map { $0["last_text"] } == ["hello there"])
        #expect(listed.map { $0["read"] } == ["1"], "the listing before marked it as seen")

        let steps: [(who: Program, arguments: [String], status: Int32, says: String)] = [
            (dana, ["accept", asked], 1, "decides about it"),
            (erin, ["withdraw", asker], 1, "asks you"),
            (erin, ["decline", asker], 0, "is told nothing"),
            (erin, ["accept", asker], 1, "no request of"),
            (dana, ["withdraw", asked], 0, "taken back"),
            (erin, ["send", asker, "from my side"], 0, ""),
            (dana, ["requests"], 0, "from my side"),
            (dana, ["accept", asked], 0, "can write to each other"),
            (dana, ["withdraw", asked], 1, "accepted already"),
            (dana, ["block", asked], 0, "Blocked \(asked)"),
            (dana, ["blocked"], 0, asked),
            (erin, ["send", asker, "x"], 1, "cannot message"),
            (dana, ["unblock", asked], 0, "not blocked any more"),
            (dana, ["blocked"], 0, "You block nobody."),
            (erin, ["send", asker, "x"], 0, ""),
            (dana, ["block", "nobody-\(suffix)"], 1, "nobody with the username"),
        ]
        for step in steps {
            var outcome = try await Self.run(step.who, cluster, step.arguments)
            // A request is shown a moment after its message.
            if step.arguments == ["requests"] {
                try await eventually("\(step.arguments)") {
                    try await Self.run(step.who, cluster, step.arguments).output.contains(step.says)
                }
                outcome = try await Self.run(step.who, cluster, step.arguments)
            }
            #expect(outcome.status == step.status, "\(step.arguments): \(outcome.output)\(outcome.errors)")
            let said = outcome.output + outcome.errors
            #expect(step.says.isEmpty || said.contains(step.says), "\(step.arguments): \(said)")
        }
        let blocked = try await Self.run(dana, cluster, ["block", asked, "--json"]).objects
        #expect(blocked.map { $0["username"] } == [asked] && blocked.map { $0["blocked"] } == ["1"])
        #expect(try await Self.run(dana, cluster, ["blocked", "--json"]).objects.map { $0["username"] } == [asked])
    }
}
