import Reactor
import TestSupport
import Testing

@testable import PushSenders

@Suite("Notices by browsers' services", .serialized, .timeLimit(.minutes(5)))
@ReactorActor
struct WebPushTests {
    private static let started = Task { try await PushServers() }

    private func scene(_ change: (inout PushOptions) throws -> Void = { _ in }) async throws -> Scene {
        let servers = try await Self.started.value
        try await servers.ask(["do": "clock"])
        for service in [PushServers.Service.web, .web2] {
            try await servers.script(service)
            _ = try await servers.seen(service)
        }
        try await servers.ask(["do": "tokens", "provider": "browsers"])
        return try Scene(servers, change)
    }

    private func subscription(_ scene: Scene, _ service: PushServers.Service = .web) async throws -> PushServers.JSON {
        let key = try VAPIDKey(pem: Scene.vapidPEM, file: "", contact: "mailto:a@b.example").publicKey
        return try await scene.servers.ask([
            "do": "subscribe", "provider": "browsers", "sender": .text(key),
            "service_port": .number(scene.servers.port(service)),
        ])
    }

    private func message(
        _ subscription: PushServers.JSON, _ change: (inout PushNotice) -> Void = { _ in }
    ) -> PushNotice {
        PushNotice.message(.web, to: "", change).subscribed(subscription)
    }

    @Test("a notice is what the RFCs say, in the declarative form, and only the browser can read it")
    func plain() async throws {
        let scene = try await scene()
        let subscription = try await subscription(scene)
        let notice = message(subscription)
        let result = await scene.send(notice)
        guard case .accepted(let location?) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(location.hasPrefix(scene.servers.url(.web) + "/message/"))
        let seen = try await scene.servers.seen(.web)
        let request = try #require(seen.requests.first)
        #expect(seen.faults == [] && request.path == subscription.path)
        #expect(3300...3599 ~= Int(request.headers.ttl.text) ?? 0 && request.headers.urgency == "high")
        #expect(request.headers.topic.text.count == 32 && request.headers["content-encoding"] == "aes128gcm")
        let about: PushServers.JSON = [
            "id": .text(try CheckedNotice(notice).id), "kind": "message", "conversation": "c_9fK2",
            "seq": 9_007_199_254_740_993, "sender": "Alice",
        ]
        #expect(
            request.opened == [
                "web_push": 8030, "app_badge": 7, "mutable": true,
                "notification": [
                    "title": "Alice", "body": .text(notice.payload.body), "navigate": "/#/c/c_9fK2",
                    "tag": "c_9fK2/4711", "data": about,
                ],
            ])
    }

    @Test("a silent notice shows nothing, and Apple's browsers get none, for which they would end the subscription")
    func silent() async throws {
        let scene = try await scene()
        let subscription = try await subscription(scene)
        #expect(await scene.send(message(subscription) { ($0.silent, $0.badge) = (true, 0) }).isAccepted)
        let request = try #require(try await scene.servers.seen(.web).requests.first)
        #expect(request.opened.names == ["data", "app_badge"] && request.opened.app_badge == 0)
        #expect(request.faults == [] && request.headers.urgency == "low")
        var apple = message(subscription) { $0.silent = true }
        apple.token = "https://web.push.apple.com/abc"
        #expect(await scene.send(apple) == .accepted(providerID: nil))
    }

    @Test("one signed token serves a host, another host gets another, and half a day later there are new ones")
    func tokens() async throws {
        let scene = try await scene()
        let (one, other) = (try await subscription(scene), try await subscription(scene, .web2))
        for _ in 0..<5 {
            #expect(await scene.send([message(one), message(other)]).allSatisfy(\.isAccepted))
        }
        func count() async throws -> Int {
            try await scene.servers.ask(["do": "tokens", "provider": "browsers"]).tokens.list.count
        }
        #expect(try await count() == 2)
        for _ in 0..<2 {
            scene.clock.pass(seconds: 5 * 3600)
            #expect(await scene.send([message(one), message(other)]).allSatisfy(\.isAccepted))
        }
        #expect(try await count() == 4, "the old ones of both, and new ones")
        #expect(try await scene.servers.seen(.web2).faults == [])
    }

    @Test("a subscription that has ended is gone; one for another key is refused; clocks may be 10 minutes wrong")
    func refused() async throws {
        let scene = try await scene()
        let ended = try await subscription(scene)
        try await scene.servers.ask(["do": "unsubscribe", "provider": "browsers", "path": ended.path])
        #expect(await scene.send(message(ended)) == .gone)
        var unknown = message(ended)
        unknown.token = scene.servers.url(.web) + "/push/unknown"
        #expect(await scene.send(unknown) == .gone)
        let others = try await scene.servers.ask([
            "do": "subscribe", "provider": "browsers", "sender": .text(VAPIDKey.make().publicKey),
            "service_port": .number(scene.servers.port(.web)),
        ])
        #expect(await scene.send(message(others)).code == "wrong_key")
        let subscription = try await subscription(scene)
        for seconds: Int64 in [-600, 600, -100_000, 100_000] {
            let wrong = try Scene(scene.servers)
            wrong.clock.set(aheadSeconds: seconds)
            #expect(await wrong.send(message(subscription)).isAccepted)
            #expect(wrong.problems.count == (abs(seconds) > 600 ? 1 : 0))
        }
        #expect(scene.problems == [])
    }

    @Test("bodies stay under 4 KB whatever is said, and keys that are none are refused")
    func sizes() async throws {
        let scene = try await scene()
        let subscription = try await subscription(scene)
        for body in ["", String(repeating: "x", count: 50_000), String(repeating: "👩‍👩‍👧‍👦", count: 999)] {
            #expect(
                await scene.send(message(subscription) { ($0.payload.body, $0.payload.title) = (body, body) })
                    .isAccepted)
        }
        let seen = try await scene.servers.seen(.web)
        #expect(seen.faults == [] && seen.requests.allSatisfy { 103...4000 ~= $0.size.number ?? 0 })
        #expect(seen.requests[0].opened.notification.title == "New message")
        #expect(seen.requests[1].opened.notification.body.text.count > 3000)
        let bad: [(inout PushNotice) -> Void] = [
            { $0.contentKey = nil }, { $0.authSecret = nil }, { $0.authSecret = [1] }, { $0.contentKey = [4] },
            { $0.contentKey = [4] + Array(repeating: 1, count: 64) }, { $0.contentKey?[0] = 2 },
        ]
        for change in bad {
            var notice = message(subscription)
            change(&notice)
            #expect(await scene.send(notice).code == "invalid")
        }
    }

    @Test("endpoints are https and outside; redirects are not followed")
    func endpoints() async throws {
        let scene = try await scene()
        let subscription = try await subscription(scene)
        try await scene.servers.script(.web, ["answer 307"])
        #expect(await scene.send(message(subscription)).code == "strange")
        let careful = try Scene(scene.servers) { $0.mayReachInside = false }
        let port = scene.servers.port(.web)
        for host in ["localhost:\(port)", "127.0.0.1:\(port)", "[::1]:\(port)", "10.0.0.1", "2130706433", "0.0.0.0"] {
            var notice = message(subscription)
            notice.token = "https://\(host)/push/x"
            #expect(await careful.send(notice).code == "inside", "\(host)")
        }
        for url in [
            "http://localhost:\(port)/x", "file:///etc/passwd", "https://", "https://a@b/", "https://a\\@b/",
            "https://a/\r\nx", "https://a b/", "//a/", "", "https://ü.example/", "https://a/#b",
            "https://a/" + String(repeating: "x", count: 2048),
        ] {
            var notice = message(subscription)
            notice.token = url
            #expect(["invalid", "inside"].contains(await careful.send(notice).code), "\(url)")
        }
        #expect(try await scene.servers.seen(.web).requests.count == 1)
    }

    @Test("a host that is silent holds up no other one")
    func hosts() async throws {
        let scene = try await scene { $0.timeout = .milliseconds(300) }
        let (one, other) = (try await subscription(scene), try await subscription(scene, .web2))
        try await scene.servers.script(.web, always: "silent")
        for _ in 0..<8 {
            let results = await scene.send([message(one), message(other)])
            #expect(results[0].isLater && results[1].isAccepted)
        }
        let count = try await scene.servers.seen(.web).requests.count
        #expect(Circuit.failuresMax...Circuit.failuresMax + 1 ~= count, "at most one tries again, after a second")
        #expect(scene.problems.map(\.code) == [.unreachable] && scene.problems[0].host.hasPrefix("localhost:"))
    }

    @Test("endpoints that are made up and silent do not take the connections of real ones")
    func strangers() async throws {
        let scene = try await scene { $0.timeout = .seconds(4) }
        let subscription = try await subscription(scene)
        #expect(await scene.send(message(subscription)).isAccepted)
        let silent = (0..<40).map { _ in RawServer { connection in _ = connection.request() } }
        func count() -> Int { silent.reduce(0) { $0 + $1.connections } }
        let notices = silent.map { server in
            var notice = message(subscription)
            notice.token = "https://127.0.0.1:\(server.port)/x"
            return notice
        }
        let stuck = notices.map { notice in Task.onLoop { await scene.send(notice) } }
        try await eventually("some are waited for") { count() == WebPushSender.strangersMax }
        for _ in 0..<10 {
            #expect(await scene.send((0..<20).map { _ in message(subscription) }).allSatisfy(\.isAccepted))
        }
        #expect(count() == WebPushSender.strangersMax)
        for task in stuck { #expect(await task.value.isLater) }
    }
}
