import Foundation
import TestSupport
import Testing

@Suite("Commands of presence", .timeLimit(.minutes(6)))
struct StatusCommandTests {
    @Test("P1 P5 parley status says what others see, live in parley presence --watch; hiding ends it; refusals say why")
    func status() async throws {
        let cluster = try await TestCluster.shared
        let dana = try await cluster.person("dana")
        let erin = try await cluster.person("erin", gateway: 1)
        _ = try await dana.client.startDirect(with: erin.user)
        try await eventually("each is online to the other") {
            try await dana.client.getPresence([erin.user]).map(\.status) == [.online]
        }
        let (his, hers) = (try Program(), try Program())
        defer { for program in [his, hers] { program.remove() } }
        let environment = ["PARLEY_PASSWORD": Device.password]
        let url = cluster.url()
        for (program, person) in [(his, dana), (hers, erin)] {
            #expect(
                try await program.run(["login", person.username, "--url", url], environment: environment).status == 0)
        }
        func status(_ arguments: String...) async throws -> Ended {
            try await hers.run(["status"] + arguments + ["--url", url])
        }
        #expect(try await status().output == "Status: online while connected, away when idle\n")
        let watch = try his.start(
            ["presence", erin.username, "--watch", "--url", url], environment: environment)
        try await eventually("he watches: \(watch.output)") { watch.output.contains("● online") }
        #expect(try await status("At lunch", "--until", "+1h", "--dnd").output.contains("Text: At lunch (until "))
        try await eventually("he sees it: \(watch.output)") { watch.output.contains("● do not disturb  At lunch") }
        let shown = try #require(try await status("--json").objects.first)
        #expect(shown["status"] == "do not disturb" && shown["text"] == "At lunch" && shown["hides_from"] == "nobody")
        #expect(try await status("--hide", "all").output.hasSuffix("Hidden from all, who are hidden from you.\n"))
        try await eventually("he sees her go: \(watch.output)") { watch.output.contains("○ offline, seen ") }
        let cleared = try await status("--clear", "--hide", "nobody")
        #expect(cleared.output == "Status: online while connected, away when idle\n", "\(cleared.errors)")
        try await eventually("he sees her again: \(watch.output)") { watch.output.hasSuffix("● online\n") }
        watch.signal(SIGINT)
        _ = try await watch.end()
        for (arguments, code, says) in [
            (["a\u{202E}b"], 1, "status.text"), ([String(repeating: "x", count: 129)], 1, "status.text"),
            (["over", "--until", "2020-01-01 10:00"], 1, "future"), (["--until", "+1h"], 64, "--until"),
            (["--away", "--dnd"], 64, "exclude"), (["--hide", "some"], 64, "hide"),
        ] as [([String], Int32, String)] {
            let outcome = try await hers.run(["status"] + arguments + ["--url", url])
            #expect(outcome.status == code && outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
            #expect(outcome.output.isEmpty)
        }
    }
}
