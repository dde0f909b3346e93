import Reactor
import TestSupport
import Testing

@testable import PushSenders

@Suite("Notices by Google's service", .serialized, .timeLimit(.minutes(5)))
@ReactorActor
struct FCMTests {
    private static let started = Task { try await PushServers() }

    private func scene(_ change: (inout PushOptions) throws -> Void = { _ in }) async throws -> Scene {
        let servers = try await Self.started.value
        try await servers.ask(["do": "clock"])
        try await servers.ask(["do": "forbid", "provider": "google", "yes": false])
        try await servers.script(.fcm)
        _ = try await servers.seen(.fcm)
        for (token, state) in [("t:ok-1", "ok"), ("fid_1", "ok"), ("t:gone", "gone"), ("t:other", "other")] {
            try await servers.ask(["do": "device", "provider": "google", "token": .text(token), "state": .text(state)])
        }
        return try Scene(servers, change)
    }

    private func message(_ token: String = "t:ok-1", _ change: (inout PushNotice) -> Void = { _ in }) -> PushNotice {
        .message(.fcm, to: token, change)
    }

    @Test("a notice has the blocks for Android, Apple's devices and browsers, and one token serves many")
    func plain() async throws {
        let scene = try await scene()
        let notice = message()
        let id = try CheckedNotice(notice).id
        let result = await scene.send(notice)
        guard case .accepted(let given?) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(given.hasPrefix("projects/parley-test/messages/"))
        #expect(await scene.send((0..<20).map { _ in message() }).allSatisfy(\.isAccepted))
        let seen = try await scene.servers.seen(.fcm)
        #expect(seen.faults == [] && seen.requests.filter { $0.path == "/token" }.count == 1)
        let payload = try #require(seen.requests.first { $0.path != "/token" }).payload
        #expect(
            payload.token == "t:ok-1" && payload.notification == ["title": "Alice", "body": .text(notice.payload.body)])
        #expect(
            payload.data == [
                "id": .text(id), "kind": "message", "conversation": "c_9fK2", "seq": "9007199254740993",
                "sender": "Alice",
            ])
        #expect(payload.android["priority"] == "HIGH")
        #expect(3300...3599 ~= Int(payload.android.ttl.text.dropLast()) ?? 0)
        #expect(payload.android.collapse_key == "c_9fK2/4711" && payload.android.notification.tag == "c_9fK2/4711")
        #expect(
            payload.apns.payload.aps == ["badge": 7, "sound": "default", "thread-id": "c_9fK2", "mutable-content": 1])
        #expect(payload.apns.headers["apns-collapse-id"] == "c_9fK2/4711")
        #expect(payload.webpush.headers.Urgency == "high" && payload.webpush.headers.Topic.text.count == 32)
    }

    @Test("an installation is addressed by its id; a silent notice shows nothing anywhere")
    func kinds() async throws {
        let scene = try await scene()
        #expect(await scene.send(message("fid_1") { $0.transport = .fcmInstallation }).isAccepted)
        #expect(await scene.send(message { ($0.silent, $0.badge) = (true, 2) }).isAccepted)
        let sent = try await scene.servers.seen(.fcm)
        #expect(sent.faults == [])
        let payloads = sent.requests.filter { $0.path != "/token" }.map(\.payload)
        #expect(payloads[0].fid == "fid_1" && payloads[0].token == .null)
        #expect(payloads[1].notification == .null && payloads[1].android.notification == .null)
        #expect(payloads[1].android["priority"] == "NORMAL" && payloads[1].webpush.notification == .null)
        #expect(payloads[1].apns.payload.aps == ["badge": 2, "content-available": 1])
    }

    @Test("encrypted content is opened by the device, and nothing of it is shown to Google; sizes stay under 4 KB")
    func encrypted() async throws {
        let scene = try await scene()
        let key = try await scene.servers.ask(["do": "device_key", "provider": "google", "token": "t:ok-1"])
        let long = String(repeating: "“ä”👍🏽", count: 3000)
        let notices = [message(), message { $0.payload.body = long }].map { $0.encrypted(key) }
        for notice in notices + [message { $0.payload.body = long }] { #expect(await scene.send(notice).isAccepted) }
        let seen = try await scene.servers.seen(.fcm)
        let sent = seen.requests.filter { $0.path != "/token" }
        #expect(seen.faults == [] && sent.count == 3)
        #expect(sent[0].opened.body == .text(notices[0].payload.body) && sent[0].opened.title == "Alice")
        #expect(sent[1].opened.body.text.hasSuffix("…") && long.hasPrefix(sent[1].opened.body.text.dropLast()))
        #expect(sent[1].opened.body.text.utf8.count > 1500 && sent[2].payload.notification.body.text.utf8.count > 2500)
        for request in sent { #expect(try #require(request.size.number) <= 4000 + "t:ok-1".count) }
        for request in sent.prefix(2) {
            #expect(!"\(request.payload)".contains("Alice") && !"\(request.payload)".contains("c_9fK2"))
            #expect(request.payload.apns.payload.aps["alert"] == ["body": "New message"])
        }
    }

    @Test("what Google refuses has a code and says what to do, and a dead token is gone")
    func refused() async throws {
        let scene = try await scene()
        #expect(await scene.send(message("t:gone")) == .gone)
        #expect(await scene.send(message("t:unknown")).code == "wrong_token")
        #expect(await scene.send(message("t:other")).code == "wrong_app")
        #expect(await scene.send(message { $0.app = "another-project" }).code == "wrong_app")
        #expect(await scene.send(message { $0.app = "a/../b" }).code == "invalid")
        #expect(await scene.send(message(String(repeating: "t", count: 4096))).code == "wrong_token")
        #expect(await scene.send(message(String(repeating: "t", count: 4097))).code == "invalid")
        #expect(await scene.send(message()).isAccepted && scene.problems == [])
        #expect(try await scene.servers.seen(.fcm).faults == [])
    }

    @Test("a token that Google has forgotten is replaced once; an account without rights is reported once")
    func tokens() async throws {
        let scene = try await scene()
        #expect(await scene.send(message()).isAccepted)
        try await scene.servers.ask(["do": "revoke", "provider": "google"])
        #expect(await scene.send((0..<10).map { _ in message() }).allSatisfy(\.isAccepted))
        #expect(try await scene.servers.seen(.fcm).requests.filter { $0.path == "/token" }.count == 2)
        scene.clock.wait(seconds: 46 * 60)
        #expect(await scene.send(message()).isAccepted)
        #expect(try await scene.servers.seen(.fcm).requests.filter { $0.path == "/token" }.count == 1)

        try await scene.servers.ask(["do": "forbid", "provider": "google", "yes": true])
        for _ in 0..<20 { #expect(await scene.send(message()).isLater) }
        #expect(try await scene.servers.seen(.fcm).requests.count == 1)
        #expect(scene.problems.map(\.code) == [.wrongKey])
    }

    @Test("a clock that is wrong is mended by Google's, or reported; nothing loops", arguments: [-600, 600])
    func clocks(seconds: Int64) async throws {
        let scene = try await scene()
        scene.clock.set(aheadSeconds: seconds)
        #expect(await scene.send((0..<5).map { _ in message() }).allSatisfy(\.isAccepted))
        #expect(try await scene.servers.seen(.fcm).requests.filter { $0.path == "/token" }.count == 2)
        #expect(scene.problems.map(\.code) == [.wrongClock])

        try await scene.servers.ask(["do": "clock", "date": false])
        let blind = try Scene(scene.servers)
        blind.clock.set(aheadSeconds: seconds)
        for _ in 0..<10 { #expect(await blind.send(message()).isLater) }
        #expect(try await blind.servers.seen(.fcm).requests.count == 1)
        #expect(blind.problems.map(\.code) == [.wrongClock])
    }

    @Test(
        "busy, broken and strange answers are for later",
        arguments: [
            "retry 503 20", "retry 429 20", "answer 500", "answer 200 text/html <html>", "answer 401 text/html <html>",
            "close",
        ])
    func busy(step: String) async throws {
        let scene = try await scene()
        #expect(await scene.send(message()).isAccepted)
        try await scene.servers.script(.fcm, [step])
        let result = await scene.send(message())
        #expect(result.isLater && (!step.hasPrefix("retry") || result.seconds == 20), "\(step): \(result)")
        scene.clock.wait(seconds: 21)
        #expect(await scene.send(message()).isAccepted)
    }
}
