import ParleyClient
import TestSupport
import Testing

@Suite("Commands for requests and blocks", .timeLimit(.minutes(8)))
struct RequestCommandTests {
    private static func run(
        _ program: Program, _ cluster: TestCluster, _ arguments: [String]
    ) async throws -> Ended {
        try await program.run(
            arguments + ["--url", cluster.url()], environment: ["PARLEY_PASSWORD": Device.password])
    }

    @Test("R1 R4 R5 C12 C17 the commands for requests, invitations and blocks report the result")
    func commands() async throws {
        let cluster = try await TestCluster.asking
        let (dana, erin) = (try Program(), try Program())
        defer {
            dana.remove()
            erin.remove()
        }
        let suffix = String(UInt64.random(in: 0...(.max)), radix: 36)
        let (requester, recipient) = ("dana\(suffix)", "erin\(suffix)")
        #expect(try await Self.run(dana, cluster, ["register", requester]).status == 0)
        #expect(try await Self.run(erin, cluster, ["register", recipient]).status == 0)
        #expect(try await Self.run(erin, cluster, ["requests"]).errors.contains("No requests."))
        #expect(try await Self.run(dana, cluster, ["send", recipient, "hello there"]).status == 0)
        try await eventually("the request is shown") {
            try await Self.run(erin, cluster, ["requests"]).output.contains("hello there")
        }
        let listed = try await Self.run(erin, cluster, ["requests", "--json"]).objects
        #expect(listed.map { $0["username"] } == [requester] && listed.map { $0["last_text"] } == ["hello there"])
        #expect(listed.map { $0["read"] } == ["1"], "the previous listing marked it as read")

        let steps: [(who: Program, arguments: [String], status: Int32, says: String)] = [
            (dana, ["accept", recipient], 1, "can accept or decline it"),
            (erin, ["withdraw", requester], 1, "not withdraw it"),
            (erin, ["decline", requester], 0, "is not notified"),
            (erin, ["accept", requester], 1, "has not sent you a request"),
            (dana, ["withdraw", recipient], 0, "is withdrawn"),
            (erin, ["send", requester, "from my side"], 0, ""),
            (dana, ["requests"], 0, "from my side"),
            (dana, ["accept", recipient], 0, "can write to each other"),
            (dana, ["withdraw", recipient], 1, "already accepted"),
            (dana, ["block", recipient], 0, "Blocked \(recipient)"),
            (dana, ["blocked"], 0, recipient),
            (erin, ["send", requester, "x"], 1, "cannot message"),
            (dana, ["unblock", recipient], 0, "is no longer blocked"),
            (dana, ["blocked"], 0, "You have blocked nobody."),
            (erin, ["send", requester, "x"], 0, ""),
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
        try await invitations(dana, erin, recipient, cluster)
        let blocked = try await Self.run(dana, cluster, ["block", recipient, "--json"]).objects
        #expect(blocked.map { $0["username"] } == [recipient] && blocked.map { $0["blocked"] } == ["1"])
        #expect(try await Self.run(dana, cluster, ["blocked", "--json"]).objects.map { $0["username"] } == [recipient])
    }

    /// Invites a person back into a group that they left.
    private func invitations(_ dana: Program, _ erin: Program, _ name: String, _ cluster: TestCluster) async throws {
        let group = "Book Club"
        let steps: [(who: Program, arguments: [String], says: String)] = [
            (dana, ["group", group, name], "with 2 members"),
            (erin, ["leave", group], "You left"),
            (dana, ["members", "add", group, name], "Invited: 1."),
            (dana, ["members", group], "(invited)"),
            (erin, ["requests"], "invites you to \(group) (1 member)"),
            (erin, ["members", group], "You are invited into this group."),
            (erin, ["accept", group], "You are a member of \(group)."),
            (erin, ["leave", group], "You left"),
            (dana, ["members", "add", group, name], "Invited: 1."),
            (erin, ["decline", group], "is not notified"),
            (erin, ["requests"], "No requests."),
            (dana, ["withdraw", name, "--group", group], "is withdrawn"),
        ]
        for step in steps {
            let outcome = try await Self.run(step.who, cluster, step.arguments)
            let said = outcome.output + outcome.errors
            #expect(outcome.status == 0 && said.contains(step.says), "\(step.arguments): \(said)")
        }
    }
}
