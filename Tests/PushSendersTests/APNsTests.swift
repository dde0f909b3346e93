import Reactor
import TestSupport
import Testing

@testable import PushSenders

@Suite("Notices by Apple's service", .serialized, .timeLimit(.minutes(5)))
@ReactorActor
struct APNsTests {
    private static let app = "example.parley.app"
    private static let started = Task { try await PushServers() }

    /// A scene with devices that Apple knows: "a1" to "a9" of the app, "dd" whose app was deleted, "bb" of another app,
    /// "cc" of the other environment.
    private func scene(_ change: (inout PushOptions) throws -> Void = { _ in }) async throws -> Scene {
        let servers = try await Self.started.value
        try await servers.ask(["do": "clock"])
        for service in [PushServers.Service.apns, .apnsSandbox] {
            try await servers.script(service)
            _ = try await servers.seen(service)
        }
        try await servers.ask(["do": "tokens", "provider": "apple"])
        for token in (1...9).map({ "a\($0)" }) { try await register(servers, token, Self.app) }
        try await register(servers, "dd", nil)
        try await register(servers, "bb", "example.other.app")
        try await register(servers, "cc", Self.app, "apns-sandbox")
        return try Scene(servers, change)
    }

    private func register(
        _ servers: PushServers, _ token: String, _ topic: String?, _ service: PushServers.JSON = "apns"
    ) async throws {
        let named: PushServers.JSON = if let topic { .text(topic) } else { .null }
        try await servers.ask([
            "do": "device", "provider": "apple", "service": service, "token": .text(token), "topic": named,
        ])
    }

    private func message(_ token: String = "a1", _ change: (inout PushNotice) -> Void = { _ in }) -> PushNotice {
        .message(.apns, to: token, app: Self.app, change)
    }

    @Test("a notice is what Apple documents, to the byte, and its id is Apple's")
    func plain() async throws {
        let scene = try await scene()
        let notice = message()
        let id = try CheckedNotice(notice).id
        #expect(await scene.send(notice) == .accepted(providerID: id))
        let seen = try await scene.servers.seen(.apns)
        let request = try #require(seen.requests.first)
        #expect(seen.requests.count == 1 && seen.faults == [])
        #expect(request.path == "/3/device/a1" && request.headers["apns-id"] == .text(id))
        #expect(request.headers["apns-topic"] == .text(Self.app) && request.headers["apns-push-type"] == "alert")
        #expect(request.headers["apns-priority"] == "10" && request.headers["apns-collapse-id"] == "c_9fK2/4711")
        #expect(request.headers["apns-expiration"] == .text("\(notice.expires / 1_000_000)"))
        let alert: PushServers.JSON = ["title": "Alice", "body": .text(notice.payload.body)]
        #expect(
            request.payload == [
                "aps": ["alert": alert, "badge": 7, "sound": "default", "thread-id": "c_9fK2", "mutable-content": 1],
                "parley": [
                    "id": .text(id), "kind": "message", "conversation": "c_9fK2", "seq": 9_007_199_254_740_993,
                    "sender": "Alice",
                ],
            ])
    }

    @Test("a silent notice wakes the app without showing anything, with or without a badge")
    func silent() async throws {
        let scene = try await scene()
        for badge in [nil, 0, 3] {
            #expect(await scene.send(message { ($0.silent, $0.badge, $0.urgent) = (true, badge, false) }).isAccepted)
        }
        let seen = try await scene.servers.seen(.apns)
        #expect(seen.faults == [] && seen.requests.map(\.headers["apns-priority"].text) == ["5", "5", "5"])
        #expect(seen.requests.map(\.headers["apns-push-type"].text) == ["background", "alert", "alert"])
        #expect(seen.requests.map { $0.payload.aps["badge"].number } == [nil, 0, 3])
        #expect(seen.requests.allSatisfy { $0.payload.aps["content-available"] == 1 })
        #expect(seen.requests.allSatisfy { $0.payload.aps["alert"] == .null })
    }

    @Test("encrypted content is opened by the device, and tells Apple neither words, names nor conversation")
    func encrypted() async throws {
        let scene = try await scene()
        let key = try await scene.servers.ask(["do": "device_key", "provider": "apple", "token": "a1"])
        let other = try await scene.servers.ask(["do": "device_key", "provider": "apple", "token": "a2"])
        let notices = [
            message("a1"), message("a1") { $0.payload.body = "No" }, message("a2"),
        ].enumerated().map { $1.encrypted($0 == 2 ? other : key) }
        for notice in notices { #expect(await scene.send(notice).isAccepted) }
        let seen = try await scene.servers.seen(.apns)
        #expect(seen.faults == [] && seen.requests.count == 3)
        let opened = seen.requests.map(\.opened)
        #expect(opened.map(\.title.text) == ["Alice", "Alice", "Alice"] && opened[1].body == "No")
        #expect(opened[0].body == .text(notices[0].payload.body) && opened[0].thread == "c_9fK2")
        #expect(opened[0].seq == 9_007_199_254_740_993 && opened[0].conversation == "c_9fK2")
        for request in seen.requests {
            #expect(
                request.payload.aps["alert"] == ["body": "New message"] && request.payload.names == ["aps", "parley"])
            let shown = "\(request.payload.aps) \(request.headers)"
            #expect(!shown.contains("c_9fK2") && !shown.contains("Alice"))
        }
        let collapse = seen.requests.map(\.headers["apns-collapse-id"].text)
        #expect(collapse[0] == collapse[1] && collapse[0] != collapse[2] && !collapse[0].isEmpty)
        let lengths = seen.requests.map(\.payload["parley"].sealed.text.count)
        #expect(lengths[0] == lengths[1], "the length says little")
    }

    @Test("a device without a key learns that there is something, and Apple no more than that")
    func keyless() async throws {
        let scene = try await scene()
        #expect(await scene.send(message { $0.payload.encrypted = true }).isAccepted)
        let request = try #require(try await scene.servers.seen(.apns).requests.first)
        #expect(request.payload.aps["alert"] == ["body": "New message"])
        #expect(request.payload["parley"].names == ["id"] && request.headers["apns-collapse-id"].text.count == 43)
    }

    @Test("payloads stay under 4 KB, cut at the end of a character, whatever is said")
    func sizes() async throws {
        let scene = try await scene()
        let key = try await scene.servers.ask(["do": "device_key", "provider": "apple", "token": "a1"])
        let family = "👩‍👩‍👧‍👦"
        let bodies = [
            String(repeating: "x", count: 100_000), String(repeating: family, count: 2000),
            String(repeating: "\"\\\n\u{1}", count: 3000), "a" + String(repeating: "\u{301}", count: 9000),
            String(repeating: "é", count: 2000), "",
        ]
        for body in bodies {
            let notice = message { notice in
                notice.payload.body = body
                (notice.payload.title, notice.payload.sender) = (body + "t", String(repeating: "s", count: 5000))
                notice.collapse = String(repeating: "k", count: 3000)
            }
            #expect(await scene.send(notice).isAccepted)
            #expect(await scene.send(notice.encrypted(key)).isAccepted)
        }
        let seen = try await scene.servers.seen(.apns)
        #expect(seen.faults == [] && seen.requests.count == 12)
        for (index, request) in seen.requests.enumerated() {
            let body = bodies[index / 2]
            #expect(try #require(request.size.number) <= 4000)
            let text = index % 2 == 0 ? request.payload.aps.alert.body.text : request.opened.body.text
            guard text != body else { continue }
            #expect(text.hasSuffix("…") && body.hasPrefix(text.dropLast()) && body.utf8.count > text.utf8.count)
            if body.hasPrefix(family) {
                #expect(text.dropLast().allSatisfy { String($0) == family } && text.count > 50)
            }
            if body.hasPrefix("x") { #expect(text.utf8.count > (index % 2 == 0 ? 2900 : 1800)) }
        }
    }

    @Test("what Apple refuses has a code and says what to do, and a dead token is gone")
    func refused() async throws {
        let scene = try await scene()
        #expect(await scene.send(message("dd")) == .gone)
        #expect(await scene.send(message("cc")).code == "wrong_token")
        #expect(await scene.send(message("cc") { $0.transport = .apnsSandbox }).isAccepted)
        #expect(await scene.send(message("bb")).code == "wrong_app")
        #expect(await scene.send(message("ee")).code == "wrong_token")
        #expect(await scene.send(message()).isAccepted, "the others still get theirs")
        #expect(scene.problems == [])
        let count = try await scene.servers.seen(.apns).requests.count
        let bad: [(inout PushNotice) -> Void] = [
            { $0.token = "xyz" }, { $0.token = "abc" }, { $0.token = "" },
            { $0.token = String(repeating: "a", count: 4098) },
            { $0.token = "a1/../b" }, { $0.app = "" }, { $0.app = "a b" }, { $0.app = "a\r\nb: c" }, { $0.id = [1] },
            { $0.payload.kind = String(repeating: "k", count: 161) },
            { $0.thread = String(repeating: "t", count: 161) },
            { ($0.payload.encrypted, $0.contentKey, $0.authSecret) = (true, [4] + Array(repeating: 7, count: 64), []) },
        ]
        for change in bad { #expect(await scene.send(message { change(&$0) }).code == "invalid") }
        #expect(try await scene.servers.seen(.apns).requests.isEmpty && count == 5)
    }

    @Test("a key that Apple does not accept is reported once, and asked about once a minute")
    func wrongKey() async throws {
        let pem = try await Self.started.value.file("another.p8")
        let scene = try await scene { options in
            options.apns = try APNsKey(pem: pem, file: "another.p8", keyID: "ABC123DEFG", teamID: "TEAM456789")
        }
        for _ in 0..<20 { #expect(await scene.send(message()).isLater) }
        #expect(try await scene.servers.seen(.apns).requests.count == 1)
        #expect(scene.problems.map(\.code) == [.wrongKey] && scene.problems.first?.provider == "apns")
        scene.clock.wait(seconds: 61)
        for _ in 0..<20 { #expect(await scene.send(message()).isLater) }
        #expect(try await scene.servers.seen(.apns).requests.count == 1)
    }

    @Test("one signed token serves many notices, and is renewed before it is 45 minutes old")
    func renewed() async throws {
        let scene = try await scene()
        let start = scene.clock.wall
        let ahead = (APNsClaim.step - start % APNsClaim.step) / 1_000_000 + 1
        scene.clock.pass(seconds: ahead)
        var passed = ahead
        for wait: Int64 in [0, 20 * 60, 24 * 60, 2 * 60, 43 * 60, 2 * 60] {
            scene.clock.pass(seconds: wait)
            passed += wait
            try await scene.servers.ask(["do": "clock", "seconds": .number(Int(passed))])
            #expect(await scene.send((0..<10).map { _ in message() }).allSatisfy(\.isAccepted))
        }
        let tokens = try await scene.servers.ask(["do": "tokens", "provider": "apple"]).tokens.list
        #expect(tokens.count == 3)
        #expect(try await scene.servers.seen(.apns).faults == [] && scene.problems == [])
    }

    @Test(
        "a clock that is wrong is mended by Apple's, or reported; nothing loops", arguments: [-600, 600, -5000, 5000])
    func clocks(seconds: Int64) async throws {
        let scene = try await scene()
        scene.clock.set(aheadSeconds: seconds)
        for _ in 0..<3 { #expect(await scene.send(message()).isAccepted) }
        #expect(try await scene.servers.seen(.apns).requests.count <= 4)
        #expect(scene.problems.allSatisfy { $0.code == .wrongClock } && scene.problems.count <= 1)

        // Where Apple does not say its time, the operator must.
        guard abs(seconds) == 5000 else { return }
        try await scene.servers.ask(["do": "clock", "date": false])
        let blind = try Scene(scene.servers)
        blind.clock.set(aheadSeconds: seconds)
        for _ in 0..<10 { #expect(await blind.send(message()).isLater) }
        #expect(try await blind.servers.seen(.apns).requests.count == 1)
        #expect(blind.problems.map(\.code) == [.wrongClock])
    }
}
