import Foundation
import Glibc
import TestSupport
import Testing

@Suite("T1, T2: the parley command")
struct CommandTests {
    @Test("T1 up runs all of Parley and restarts dead processes; doctor names a broken service; Ctrl-C stops all")
    func upAndDoctor() async throws {
        let parley = try Program()
        defer { parley.remove() }
        let up = try parley.start(["up", "--folder", parley.clusterFolder, "--listen", "127.0.0.1:0", "--json"])
        let url = try await ready(up)
        let doctor = ["doctor", "--folder", parley.clusterFolder, "--url", url, "--json"]

        let healthy = try await parley.run(doctor)
        #expect(healthy.status == 0, "\(healthy.output)")
        #expect(healthy.objects.allSatisfy { $0["verdict"] != "broken" })

        // Stopped: the process exists but does not answer.
        let messaging = try pid(of: "messaging-1", in: up)
        kill(messaging, SIGSTOP)
        let ill = try await parley.run(doctor)
        kill(messaging, SIGCONT)
        #expect(ill.status == 1)
        #expect(ill.objects.contains { $0["verdict"] == "broken" && $0["subject"] == "messaging" }, "\(ill.output)")

        kill(messaging, SIGKILL)
        try await eventually("messaging is restarted") {
            let states = up.objects.filter { $0["name"] == "messaging-1" }
            return states.last?["state"] == "ready" && states.last?["restarts"] != "0"
        }
        // The gateway finds it again within its backoff.
        try await eventually("doctor finds nothing wrong") { try await parley.run(doctor).status == 0 }

        let second = try await parley.run(["up", "--folder", parley.clusterFolder, "--listen", "127.0.0.1:0"])
        #expect(second.status == 75)
        #expect(second.errors.contains("already_running"), "\(second.errors)")

        let taken = try await parley.run(
            ["up", "--folder", parley.clusterFolder + "2", "--listen", url.replacingOccurrences(of: "ws://", with: "")])
        #expect(taken.status == 75)
        #expect(taken.errors.contains("port_in_use") && taken.errors.contains("--listen"), "\(taken.errors)")

        up.signal(SIGINT)
        #expect(try await up.end() == 0)
        #expect(kill(try pid(of: "gateway-1", in: up), 0) != 0)
        let gone = try await parley.run(doctor)
        #expect(gone.status == 1)
    }

    @Test("T1 after kill -9 of parley up, the next one works and the messages are still there")
    func killedUp() async throws {
        let parley = try Program()
        defer { parley.remove() }
        let first = try parley.start(["up", "--folder", parley.clusterFolder, "--listen", "127.0.0.1:0", "--json"])
        let url = try await ready(first)
        let password = ["PARLEY_PASSWORD": "correct horse battery"]
        for name in ["dana", "emil"] {
            let made = try await parley.run(["register", name, "--profile", name, "--url", url], environment: password)
            #expect(made.status == 0, "\(made.errors)")
        }
        let sent = try await parley.run(["send", "emil", "still here?", "--profile", "dana", "--url", url])
        #expect(sent.status == 0, "\(sent.errors)")
        first.signal(SIGKILL)
        _ = try await first.end()

        let address = url.replacingOccurrences(of: "ws://", with: "")
        let again = try parley.start(["up", "--folder", parley.clusterFolder, "--listen", address, "--json"])
        _ = try await ready(again)
        let history = try await parley.run(["history", "dana", "--profile", "emil", "--url", url, "--json"])
        #expect(history.status == 0, "\(history.errors)")
        #expect(history.objects.contains { $0["text"] == "still here?" }, "\(history.output)")
        again.signal(SIGTERM)
        #expect(try await again.end() == 0)
    }

    @Test("T2 C17 seed makes three people, their chats, a group and an invitation; run again, it changes nothing")
    func seed() async throws {
        let parley = try Program()
        defer { parley.remove() }
        let url = try await TestCluster.shared.url()
        let password = ["PARLEY_PASSWORD": "sample people"]
        let seed = ["seed", "--folder", parley.clusterFolder, "--url", url, "--json"]
        let first = try await parley.run(seed, environment: password)
        #expect(first.status == 0, "\(first.errors)")
        let login = try await parley.run(["login", "alice", "--url", url], environment: password)
        #expect(login.status == 0, "\(login.errors)")
        let listing = try await parley.run(["conversations", "--url", url, "--json"])
        let made = listing.objects
        #expect(made.filter { $0["kind"] == "direct" }.count == 2)
        #expect(made.filter { $0["kind"] == "group" }.count == 1)
        let group = try #require(made.first { $0["kind"] == "group" }?["id"])
        let said = try await parley.run(["history", group, "--url", url, "--json"])
        #expect(said.objects.contains { $0["text"]?.contains("@") ?? false }, "\(said.output)")

        let second = try await parley.run(seed, environment: password)
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.objects.last?["new_messages"] == "0", "\(second.output)")
        #expect(try await parley.run(["conversations", "--url", url, "--json"]).output == listing.output)
    }

    @Test("T1 wrong flags and values are refused with a hint and a meaningful exit code")
    func refusals() async throws {
        let parley = try Program()
        defer { parley.remove() }
        let table: [(arguments: [String], status: Int32, says: String)] = [
            (["up", "--listen", "nowhere"], 64, "HOST:PORT"),
            (["up", "--folder", "/proc/nope"], 1, "another folder"),
            (["up", "--nonsense"], 64, "--nonsense"),
            (["whoami"], 77, "parley login"),
            (["send", "alice", "hi", "--url", "ws://127.0.0.1:9"], 77, "parley login"),
            (["register", "dana", "--url", "ws://127.0.0.1:9"], 69, "Nothing listens"),
            (["register", "dana", "--url", "http://x"], 64, "ws://"),
            (["history", "dana", "--limit", "0"], 64, "limit"),
        ]
        for row in table {
            let outcome = try await parley.run(row.arguments, environment: ["PARLEY_PASSWORD": "correct horse"])
            #expect(outcome.status == row.status, "\(row.arguments): \(outcome.errors)")
            #expect((outcome.errors + outcome.output).contains(row.says), "\(row.arguments): \(outcome.errors)")
        }
    }

    /// - Returns: the URL at which it listens.
    private func ready(_ up: Program.Running) async throws -> String {
        try await eventually(within: .seconds(60), "parley up is ready: \(up.output)") {
            up.objects.contains { $0["type"] == "ready" } || !up.isRunning
        }
        return try #require(up.objects.first { $0["type"] == "ready" }?["url"], "\(up.output)")
    }

    private func pid(of process: String, in up: Program.Running) throws -> pid_t {
        let last = up.objects.last { $0["name"] == process && $0["pid"] != nil }
        return try #require(last?["pid"].flatMap { pid_t($0) })
    }
}
