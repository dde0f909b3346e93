import Reactor
import TestSupport
import Testing

@testable import PushSenders

@Suite("Providers that misbehave", .serialized, .timeLimit(.minutes(5)))
@ReactorActor
struct MisbehaviourTests {
    private static let started = Task { try await PushServers() }

    private func scene(_ change: (inout PushOptions) throws -> Void = { _ in }) async throws -> Scene {
        let servers = try await Self.started.value
        try await servers.script(.apns)
        _ = try await servers.seen(.apns)
        try await servers.ask([
            "do": "device", "provider": "apple", "service": "apns", "token": "a1", "topic": "example.app",
        ])
        return try Scene(servers) { options in
            options.timeout = .seconds(5)
            try change(&options)
        }
    }

    private func message() -> PushNotice { .message(.apns, to: "a1", app: "example.app") }

    @Test(
        "after one failure of any kind the same notice is sent again and arrives",
        arguments: [
            "rst INTERNAL_ERROR", "rst CANCEL", "close", "half", "answer 500",
            "answer 503 application/json {\"reason\":1}",
            "answer 502 text/html <html>Bad gateway</html>", "answer 200 text/html <html>Sign in to the Wi-Fi</html>",
            "answer 404 text/html <html>", "answer 302", "answer 403 text/plain no",
        ])
    func once(step: String) async throws {
        let scene = try await scene()
        try await scene.servers.script(.apns, [step])
        let notice = message()
        let first = await scene.send(notice)
        #expect(first.isLater, "\(step): \(first)")
        #expect(await scene.send(notice).isAccepted)
        let seen = try await scene.servers.seen(.apns)
        #expect(seen.requests.last?.headers["apns-id"].text == (try CheckedNotice(notice).id) && seen.faults == [])
        #expect(scene.problems == [], "one failure is none to report")
    }

    @Test(
        "a request that the server had not begun goes over another connection at once",
        arguments: ["goaway", "rst REFUSED_STREAM"])
    func refusedStream(step: String) async throws {
        let scene = try await scene()
        #expect(await scene.send(message()).isAccepted)
        try await scene.servers.script(.apns, [step])
        let results = [await scene.send(message()), await scene.send(message())]
        #expect(results.last?.isAccepted == true, "\(results)")
    }

    @Test("a long refusal is a refusal of this notice")
    func tooLarge() async throws {
        let scene = try await scene()
        try await scene.servers.script(.apns, ["answer 413 application/json {\"reason\":\"PayloadTooLarge\"}"])
        #expect(await scene.send(message()).code == "too_large")
        #expect(await scene.send(message()).isAccepted)
    }

    @Test("what a provider asks for in Retry-After is kept, for all or for the one device")
    func retryAfter() async throws {
        let scene = try await scene()
        try await scene.servers.script(.apns, ["retry 503 30"])
        let first = await scene.send(message())
        #expect(first == .later(afterMicroseconds: 30_000_000))
        scene.clock.wait(seconds: 20)
        let second = await scene.send(message())
        #expect(second.isLater && second.seconds! < 10.1, "not asked before")
        #expect(try await scene.servers.seen(.apns).requests.count == 1)
        #expect(scene.problems.map(\.code) == [.busy])
        scene.clock.wait(seconds: 11)
        #expect(await scene.send(message()).isAccepted)

        try await scene.servers.script(.apns, ["retry 429 40"])
        #expect(await scene.send(message()) == .later(afterMicroseconds: 40_000_000))
        #expect(await scene.send(message()).isAccepted, "the other devices go on")
        try await scene.servers.script(.apns, ["retry 503 99999999999"])
        #expect(await scene.send(message()) == .later(afterMicroseconds: Circuit.retryAfterMax))
    }

    @Test("silence for an hour costs few requests, is reported, and ends by itself on a new connection")
    func silence() async throws {
        let scene = try await scene { $0.timeout = .milliseconds(200) }
        #expect(await scene.send(message()).isAccepted)
        let before = try await scene.servers.seen(.apns).connections
        try await scene.servers.script(.apns, always: "silent")
        var waits: [Double] = []
        for _ in 0..<600 {  // An hour, every six seconds.
            let result = await scene.send(message())
            #expect(result.isLater)
            waits.append(result.seconds ?? 0)
            scene.clock.wait(seconds: 6)
        }
        let seen = try await scene.servers.seen(.apns)
        #expect(5...30 ~= seen.requests.count, "\(seen.requests.count) requests")
        #expect(seen.connections > before, "the silent connection is not used for ever")
        #expect(waits.max()! <= 300 && !scene.problems.isEmpty && scene.problems.allSatisfy { $0.code == .unreachable })
        try await scene.servers.script(.apns)
        scene.clock.wait(seconds: 301)
        let count = scene.problems.count
        #expect(await scene.send(message()).isAccepted)
        #expect(await scene.send((0..<50).map { _ in message() }).allSatisfy(\.isAccepted))
        #expect(scene.problems.count == count)
    }

    @Test("many notices share few connections, also while the server restarts again and again")
    func multiplexed() async throws {
        let scene = try await scene { $0.timeout = .seconds(30) }
        #expect(await scene.send(message()).isAccepted)
        let before = try await scene.servers.seen(.apns).connections
        var notices = (0..<1000).map { _ in message() }
        #expect(await scene.send(notices).allSatisfy(\.isAccepted))
        let seen = try await scene.servers.seen(.apns)
        #expect(seen.connections - before <= 4 && seen.together > 20 && seen.requests.count == 1000)
        #expect(Set(seen.requests.map(\.headers["apns-id"].text)).count == 1000 && seen.faults == [])

        // Every 50th request ends its connection, in one way or another.
        let steps = ["last", "goaway", "close", "rst INTERNAL_ERROR", "half"]
        try await scene.servers.script(
            .apns, (0..<500).map { $0 % 50 == 49 ? steps[$0 / 50 % steps.count] : "ok" })
        notices = (0..<500).map { _ in message() }
        var delivered: Set<String> = []
        for _ in 0..<40 where !notices.isEmpty {
            let results = await scene.send(notices)
            #expect(results.allSatisfy { $0.isAccepted || $0.isLater })
            notices = zip(notices, results).filter { $1.isLater }.map(\.0)
            scene.clock.wait(seconds: 310)
        }
        #expect(notices.isEmpty)
        delivered = Set(try await scene.servers.seen(.apns).requests.map(\.headers["apns-id"].text))
        #expect(delivered.count == 500, "each under its one id")
    }

    @Test("a provider gets at most as many requests at a time as it may; the others come later")
    func bounded() async throws {
        let scene = try await scene { $0.requestsMax = 10 }
        #expect(await scene.send(message()).isAccepted)
        try await scene.servers.script(.apns, always: "slow 0.2")
        let results = await scene.send((0..<50).map { _ in message() })
        #expect(results.filter(\.isAccepted).count == 10 && results.filter(\.isLater).count == 40)
        #expect(try await scene.servers.seen(.apns).together <= 10)
    }
}
