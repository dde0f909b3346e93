import Foundation
import ParleyClient
import SwiftProtobuf
import TestSupport
import Testing

@Suite("Bad input at the edge", .serialized)
struct BadInputTests {
    /// Runs `body` and checks that afterwards the same processes run and serve.
    private func unharmed(_ body: (TestCluster, Device) async throws -> Void) async throws {
        let cluster = try await TestCluster.shared
        let before = await cluster.pids
        let alice = try await cluster.person("alice")
        try await body(cluster, alice)
        #expect(await cluster.pids == before)
        let notes = try await alice.client.startDirect(with: alice.user).conversation.id
        #expect(try await alice.client.send("still here", to: notes).seq >= 1)
        #expect(try await alice.client.listReminders().reminders.isEmpty)
        try await eventually("alice is online") {
            try await alice.client.getPresence([alice.user]).first?.status == .online
        }
    }

    @Test("C9 A3 a name that becomes too long in NFC is refused, and nothing becomes unreadable")
    func growingNames() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let group = try await alice.client.createGroup(name: "g", users: [bob.user]).conversation.id
        // 100 letters, which become 200 in NFC.
        let name = String(repeating: "\u{0958}", count: 100)
        let renamed = try await refusal { () async throws(ParleyError) in
            try await alice.client.updateGroup(group, name: name)
        }
        #expect(renamed.code == "invalid" && renamed.field == "name")
        let made = try await refusal { () async throws(ParleyError) in
            try await alice.client.createGroup(name: name, users: [])
        }
        #expect(made.code == "invalid" && made.field == "name")
        let called = try await refusal { () async throws(ParleyError) in
            try await alice.client.updateProfile(displayName: name)
        }
        #expect(called.code == "invalid" && called.field == "display_name")
        try await alice.client.updateGroup(group, name: "h")
        try await eventually("the group shows the last name") {
            try await bob.client.history(of: group).messages.map(\.system.name) == ["h"]
        }
    }

    @Test("truncated, oversized, text, unmasked or unexpected frames close the session with the reason")
    func frames() async throws {
        try await unharmed { cluster, alice in
            let token = try #require(await alice.client.credentials?.accessToken)
            let hello: [UInt8] = try Parley_V1_ClientFrame.with {
                $0.hello = .with { ($0.version, $0.token) = (1, token) }
            }
            .serializedBytes()
            let protocolError = RawSocket.Closing(goodbye: "protocol_error", code: 4005)
            let tooLarge = RawSocket.Closing(goodbye: "too_large", code: 4006)
            let table: [(String, [UInt8], RawSocket.Closing)] = [
                ("half of a message", RawSocket.frame(2, [0x1a, 0x20, 1, 2]), protocolError),
                ("an endless varint", RawSocket.frame(2, [UInt8](repeating: 0xff, count: 20)), protocolError),
                ("an unknown message", RawSocket.frame(2, []), protocolError),
                ("text", RawSocket.frame(1, Array("hello".utf8)), protocolError),
                ("unmasked", RawSocket.frame(2, [0x22, 0], masked: false), protocolError),
                ("an extension", RawSocket.frame(2, [0x22, 0], bits: 0xc0), protocolError),
                ("a continuation of nothing", RawSocket.frame(0, [1]), protocolError),
                ("too large", RawSocket.frame(2, [UInt8](repeating: 0, count: 200_000)), tooLarge),
                (
                    "too large in pieces",
                    RawSocket.frame(2, [UInt8](repeating: 0, count: 100_000), bits: 0)
                        + RawSocket.frame(0, [UInt8](repeating: 0, count: 100_000)), tooLarge
                ),
                ("an endless length", [0x82, 0xff] + [UInt8](repeating: 0x7f, count: 8), tooLarge),
                ("hello twice", RawSocket.frame(2, hello), protocolError),
            ]
            for (what, bytes, expected) in table {
                let closing = try await onThread {
                    let socket = try RawSocket(cluster.url())
                    try socket.hello(token)
                    socket.send(bytes)
                    return socket.readClosing()
                }
                #expect(closing == expected, "\(what)")
            }
        }
    }

    @Test("hello must come first and in time, with a supported version and a valid token")
    func hello() async throws {
        try await unharmed { cluster, alice in
            let token = try #require(await alice.client.credentials?.accessToken)
            func answer(_ frame: Parley_V1_ClientFrame?) async throws -> RawSocket.Closing {
                try await onThread {
                    let socket = try RawSocket(cluster.url(1))
                    if let frame { socket.send(frame) }
                    return socket.readClosing()
                }
            }
            func hello(_ token: String, version: UInt32 = 1) -> Parley_V1_ClientFrame {
                .with { $0.hello = .with { ($0.version, $0.token) = (version, token) } }
            }
            async let late = answer(nil)
            #expect(try await answer(.with { $0.ping.id = 1 }) == .init(goodbye: "hello_expected", code: 4001))
            let request = Parley_V1_ClientFrame.with {
                $0.request = .with { ($0.id, $0.method) = (1, "conversations.Sync") }
            }
            #expect(try await answer(request) == .init(goodbye: "hello_expected", code: 4001))
            for version: UInt32 in [0, 2, .max] {
                #expect(
                    try await answer(hello(token, version: version))
                        == .init(goodbye: "version_unsupported", code: 4007))
            }
            let parts = token.split(separator: ".").map(String.init)
            #expect(parts.count == 3)
            let tokens: [(String, String)] = [
                ("no token", "nonsense"), ("empty parts", ".."), ("cut short", String(token.dropLast(4))),
                ("no signature", "\(parts[0]).\(parts[1])."),
                ("changed claims", "\(parts[0]).\(parts[1].reversed().map(String.init).joined()).\(parts[2])"),
                ("algorithm none", "eyJhbGciOiJub25lIn0.\(parts[1])."),
                ("control characters", "a\u{1}b"),
            ]
            for (what, token) in tokens {
                let closing = try await answer(hello(token))
                #expect(closing.code == 4002, "\(what): \(closing)")
                #expect(closing.goodbye == "unauthenticated", "\(what)")
            }
            let tooLong = try await answer(hello(String(repeating: "x", count: 2049)))
            #expect(tooLong.code == 4005)
            #expect(try await late == .init(goodbye: "silent", code: 1001))
        }
    }

    @Test("clients cannot call unknown or internal methods, signed in or not")
    func methods() async throws {
        try await unharmed { cluster, alice in
            let stranger = try await cluster.stranger()
            let names = [
                "authority.Keys", "sessions.Report", "health.Check", "Authority.Keys", "conversations.Keys",
                "conversations.authority.Keys", "presence.Report", "messaging.Check", "messaging.Nothing", "messaging.",
                "messaging",
                "", ".", "gateway.Stop", "messaging.SendMessage ", "messaging.send", String(repeating: "m", count: 64),
                "entities.Sessions.Report", "presence.sessions.Report",
            ]
            for client in [alice.client, stranger] {
                for name in names {
                    let refused = try await refusal { () async throws(ParleyError) in
                        try await client.call(Method<Parley_V1_Done, Parley_V1_Done>(name), .init())
                    }
                    #expect(refused.code == "unknown_method", "\(name)")
                }
            }
            await stranger.close()
        }
    }

    @Test("thousands of random messages, before and after hello and as bodies of every method, do no harm")
    func random() async throws {
        try await unharmed { cluster, alice in
            let token = try #require(await alice.client.credentials?.accessToken)
            try await onThread {
                var random = Seeded(state: 20_261_121)
                for round in 0..<400 {
                    let socket = try RawSocket(cluster.url(round % 2))
                    if round % 4 != 0 { try socket.hello(round % 4 == 1 ? "" : token) }
                    for _ in 0..<5 { socket.sendMessage(random.bytes(upTo: round % 10 == 0 ? 4096 : 64)) }
                    if round % 7 == 0 { socket.send(random.bytes(upTo: 64)) }
                    socket.close()
                }
            }
            let methods = [
                "conversations.Register", "conversations.SignIn", "conversations.RefreshTokens",
                "conversations.ListDevices",
                "conversations.RevokeDevice", "conversations.FindUser", "conversations.StartDirect",
                "conversations.CreateGroup", "conversations.GetConversation", "conversations.Sync",
                "messaging.SendMessage",
                "messaging.GetHistory", "messaging.GetChanges", "messaging.Sync", "presence.GetPresence",
                "presence.WatchPresence",
                "entities.CreateReminder", "entities.ListReminders", "entities.Sync",
            ]
            let codes = try await onThread {
                var random = Seeded(state: 4711)
                let socket = try RawSocket(cluster.url())
                try socket.hello(token)
                var codes: Set<String> = []
                for number in 0..<2000 {
                    let method = methods[number % methods.count]
                    let reply = try socket.call(UInt64(number + 1), method, random.bytes(upTo: 40), key: "k")
                    codes.insert(reply.hasError ? reply.error.code : "ok")
                }
                return codes
            }
            // Some bytes are a valid request by chance, but none may cause a failure.
            let expected: Set<String> = [
                "ok", "invalid", "not_found", "not_member", "user_not_found", "wrong_credentials", "refresh_refused",
            ]
            #expect(codes.isSubset(of: expected), "\(codes.subtracting(expected))")
        }
    }

    @Test("unknown or invalid HTTP requests are refused and do no harm")
    func http() async throws {
        try await unharmed { cluster, _ in
            let table: [(String, String)] = [
                ("GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 404"),
                ("GET /v1/socket HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 4"),
                ("GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 200"),
            ]
            for (request, expected) in table {
                let answer = try await onThread {
                    let socket = try RawSocket(cluster.url(), upgrades: false)
                    socket.send(Array(request.utf8))
                    return String(decoding: try socket.readToEnd(), as: UTF8.self)
                }
                #expect(answer.hasPrefix(expected), "\(request): \(answer.prefix(100))")
            }
            for bytes in [Array("\r\n\r\n\u{16}\u{3}\u{1}".utf8), [UInt8](repeating: 0x41, count: 100_000)] {
                try await onThread {
                    let socket = try RawSocket(cluster.url(), upgrades: false)
                    socket.send(bytes)
                    _ = try socket.readToEnd()
                }
            }
        }
    }

    @Test("a slow reader is closed with resync and loses nothing, and others are not delayed")
    func slowReader() async throws {
        try await unharmed { cluster, alice in
            let bob = try await cluster.person("bob", gateway: 1)
            let conversation = try await alice.client.startDirect(with: bob.user).conversation.id
            let token = try #require(await bob.client.credentials?.accessToken)
            let slow = try await onThread {
                let socket = try RawSocket(cluster.url(1), receiveBuffer: 4096)
                try socket.hello(token)
                return socket
            }
            let text = String(repeating: "x", count: 16_000)
            // More than the session's queue and both kernels' buffers hold.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask { for _ in 0..<75 { _ = try await alice.client.send(text, to: conversation) } }
                }
                try await group.waitForAll()
            }
            try await eventually("bob's other session receives everything") {
                await bob.updates.messages(of: conversation).count >= 600
            }
            #expect(await bob.updates.messages(of: conversation).map(\.seq) == Array(1...600))
            let closing = await slow.closing()
            // A client that does not even read the goodbye in time is cut off.
            #expect(closing == .init(goodbye: nil, code: nil) || closing == .init(goodbye: "resync", code: 4004))
            #expect(slow.messagesRead < 600)
            #expect(try await bob.client.wholeHistory(of: conversation).count == 600)
        }
    }
}

/// Random bytes that are the same in every run.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {  // SplitMix64
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(upTo limit: Int) -> [UInt8] {
        (0..<Int.random(in: 0...limit, using: &self)).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}
