import Schema
import Testing

@testable import GatewayService

/// The edge over real sockets, with handmade bytes.
@Suite(.serialized) struct EdgeTests {
    private func with(
        _ change: @escaping @Sendable (inout GatewayConfiguration) -> Void = { _ in },
        _ body: (Peers, String) async throws -> Void
    ) async throws {
        let peers = try await Peers.start { change(&$0) }
        do { try await body(peers, await peers.address) } catch {
            await peers.stop()
            throw error
        }
        await peers.stop()
    }

    // MARK: HTTP

    @Test("a request that is not a valid handshake is answered with the problem, and the connection ends")
    func handshakes() async throws {
        try await with { _, address in
            let good = RawClient.handshake
            for (request, status, word) in [
                (good.replacing("Sec-WebSocket-Protocol: parley.v1\r\n", with: ""), 400, "parley.v1"),
                (good.replacing("parley.v1", with: "chat"), 400, "parley.v1"),
                (good.replacing("Upgrade: websocket\r\n", with: ""), 426, "WebSocket"),
                (good.replacing("Version: 13", with: "Version: 8"), 400, "version 13"),
                (good.replacing("HTTP/1.1", with: "HTTP/1.0"), 400, "HTTP/1.1"),
                (
                    good.replacing("Upgrade: w", with: "Origin: https://evil.example\r\nUpgrade: w"), 403,
                    "origin_not_allowed"
                ),
                (good.replacing("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", with: ""), 400, "version 13"),
                (good.replacing("/v1/socket", with: "/v2/socket"), 404, "not_found"),
                (good.replacing("GET", with: "POST"), 405, "Allow: GET"),
                ("GET /nothing HTTP/1.1\r\nHost: parley\r\nConnection: close\r\n\r\n", 404, "not_found"),
                (
                    "GET /v1/socket HTTP/1.1\r\nHost: parley\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n",
                    431, "headers"
                ),
                ("\u{16}\u{3}\u{1} this is no HTTP\r\n\r\n", 400, "HTTP"),
            ] {
                let client = try RawClient(address)
                client.send(request)
                let answer = client.readAll()
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
                #expect(answer.contains(word), "\(answer)")
            }
        }
    }

    @Test("the handshake is answered as RFC 6455 requires, and bytes sent along with it are not lost")
    func upgrade() async throws {
        try await with { peers, address in
            let client = try RawClient(address)
            let hello = RawClient.frame(2, ClientFrame(frame: .hello(Hello(version: 1))).encode())
            let handshake = RawClient.handshake.replacing("Upgrade: w", with: "Origin: https://parley\r\nUpgrade: w")
            client.send(Array(handshake.utf8) + hello)
            let head = try client.readHead()
            #expect(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))  // RFC 6455 §1.3
            #expect(head.contains("Sec-WebSocket-Protocol: parley.v1"))
            guard case .welcome(let welcome) = try client.read() else { return #expect(Bool(false), "no welcome") }
            #expect(welcome.session.count == 15)
            #expect(welcome.limits?.textBytes == peers.textBytes, "messaging owns this limit")
        }
    }

    @Test("a client that sends half a request, or nothing, is cut off after the handshake timeout")
    func slowHandshake() async throws {
        try await with({ $0.limits.handshakeTimeout = .milliseconds(200) }) { _, address in
            for bytes in ["", "GET /v1/socket HT", String(RawClient.handshake.dropLast(4))] {
                let client = try RawClient(address)
                client.send(bytes)
                #expect(client.readAll().hasPrefix("HTTP/1.1 408 "))
            }
        }
    }

    @Test("connections beyond the limit get 503, and a connection that ends makes room for another")
    func connectionLimit() async throws {
        try await with({ $0.limits.connections = 2 }) { _, address in
            let first = try RawClient(address)
            try first.upgrade()
            let second = try RawClient(address)
            try second.upgrade()
            let third = try RawClient(address)
            third.send(RawClient.handshake)
            #expect(third.readAll().hasPrefix("HTTP/1.1 503 "))
            third.close()
            second.close()
            var isIn = false
            for _ in 0..<200 where !isIn { isIn = (try? RawClient(address).upgrade()) != nil }
            #expect(isIn)
        }
    }

    @Test("health lists every service, with 200 if all are ready and 503 with the reasons otherwise")
    func health() async throws {
        try await with { peers, address in
            let request = "GET /health HTTP/1.1\r\nHost: parley\r\nConnection: close\r\n\r\n"
            let good = try RawClient(address)
            good.send(request)
            let answer = good.readAll()
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
            #expect(
                answer.contains(
                    #""messaging":{"live":true,"ready":true,"reasons":[],"replicas":["#
                        + #"{"instance":"1","live":true,"ready":true,"reasons":[]}]}"#), "\(answer)")
            await peers.change { $0.isReady = false }
            let bad = try RawClient(address)
            bad.send(request)
            let other = bad.readAll()
            #expect(other.hasPrefix("HTTP/1.1 503 "))
            #expect(
                other.contains(#""entities":{"live":true,"ready":false,"reasons":["no \"database\""],"replicas":["#))
        }
    }

    // MARK: Frames

    @Test("an invalid frame ends the session with a goodbye and the matching close code")
    func badFrames() async throws {
        try await with { _, address in
            let hello = ClientFrame(frame: .hello(Hello(version: 1))).encode()
            let large = [UInt8](repeating: 0, count: 128 * 1024 + 1)
            let half = [UInt8](repeating: 0, count: 70_000)
            for (name, bytes, code) in [
                ("text", RawClient.frame(1, Array("hello".utf8)), 4005),
                ("garbage", RawClient.frame(2, [0xFF, 0xFF, 0xFF, 0xFF]), 4005),
                ("empty", RawClient.frame(2, []), 4005),
                ("unmasked", RawClient.frame(2, hello, masked: false), 4005),
                ("reserved bit", RawClient.frame(2, hello, first: 0xC0), 4005),
                ("reserved opcode", RawClient.frame(3, hello), 4005),
                ("continuation without a beginning", RawClient.frame(0, hello), 4005),
                ("second beginning", RawClient.frame(2, hello, first: 0) + RawClient.frame(2, hello), 4005),
                ("fragmented ping", RawClient.frame(9, [], first: 0), 4005),
                ("long ping", RawClient.frame(9, [UInt8](repeating: 0, count: 126)), 4005),
                ("too large", RawClient.frame(2, large), 4006),
                ("too large in parts", RawClient.frame(2, half, first: 0) + RawClient.frame(0, half), 4006),
                ("other version", RawClient.frame(2, ClientFrame(frame: .hello(Hello(version: 9))).encode()), 4007),
                ("request first", RawClient.frame(2, ClientFrame(frame: .request(Request(id: 1))).encode()), 4001),
            ] {
                let client = try RawClient(address)
                try client.upgrade()
                client.send(bytes)
                let (goodbye, close) = client.readClose()
                #expect(close == UInt16(code), "\(name)")
                #expect(goodbye == Int32(code), "\(name)")
                #expect(client.isEnded(), "\(name)")
            }
        }
    }

    @Test("several frames form one message, and pings between them are answered")
    func fragments() async throws {
        try await with { _, address in
            let client = try RawClient(address)
            try client.upgrade()
            let hello = ClientFrame(frame: .hello(Hello(version: 1, client: "in parts"))).encode()
            client.send(RawClient.frame(2, Array(hello[..<3]), first: 0))
            client.send(RawClient.frame(9, [7, 8]))
            client.send(RawClient.frame(0, [], first: 0))
            client.send(RawClient.frame(0, Array(hello[3...])))
            #expect(try client.readFrame() == RawClient.Frame(opcode: 10, payload: [7, 8]))
            guard case .welcome = try client.read() else { return #expect(Bool(false), "no welcome") }
        }
    }

    @Test("requests in hello are answered after welcome, within the session's limits; a refused token ends them")
    func requestsInHello() async throws {
        try await with({ $0.limits.requestsBurst = 3 }) { peers, address in
            for token in ["", Peers.token(1)] {
                let client = try RawClient(address)
                try client.upgrade()
                let requests = (1...4).map { Request(id: $0, method: "messaging.Echo", body: [UInt8($0)]) }
                client.send(.hello(Hello(version: 1, token: token, client: "early", requests: requests)))
                guard case .welcome = try client.read() else { return #expect(Bool(false), "no welcome") }
                var replies: [UInt64: Reply] = [:]
                while replies.count < 4 {
                    guard case .reply(let reply) = try client.read() else { continue }
                    replies[reply.id] = reply
                }
                for id in UInt64(1)...3 where !token.isEmpty { #expect(replies[id]?.body == [UInt8(id)]) }
                #expect(replies[4]?.error?.code == "rate_limited")
            }
            let client = try RawClient(address)
            try client.upgrade()
            let many = (1...5).map { Request(id: $0, method: "messaging.Echo") }
            client.send(.hello(Hello(version: 1, client: "early", requests: many)))
            #expect(client.readClose().close == 4005)
            let refused = try RawClient(address)
            try refused.upgrade()
            refused.send(.hello(Hello(version: 1, token: "forged", client: "early", requests: Array(many.prefix(1)))))
            #expect(refused.readClose().close == 4002)
        }
    }

    @Test("a message in too many frames ends the session, however small they are")
    func manyFragments() async throws {
        try await with { _, address in
            let client = try RawClient(address)
            try client.upgrade()
            client.send(RawClient.frame(2, [], first: 0))
            for _ in 0..<256 { client.send(RawClient.frame(0, [], first: 0)) }
            #expect(client.readClose().close == 4005)
        }
    }

    @Test("who sends more frames than allowed, of whatever kind, is read more slowly; others are answered meanwhile")
    func floods() async throws {
        try await with({ ($0.limits.framesPerSecond, $0.limits.framesBurst) = (100, 200) }) { _, address in
            let other = try RawClient(address)
            try other.upgrade()
            try other.hello()
            // 5,000 frames each: empty pings, and Parley's own pings in 200 fragments, of which all but one are empty.
            let inParts =
                RawClient.frame(2, [], first: 0) + (0..<198).flatMap { _ in RawClient.frame(0, [], first: 0) }
                + RawClient.frame(0, ClientFrame(frame: .ping(Ping(id: 1))).encode())
            for (name, frames, count) in [
                ("pings", Array(repeating: RawClient.frame(9, []), count: 5000), 900),
                ("fragments", Array(repeating: inParts, count: 25), 4),
            ] {
                let flooder = try RawClient(address, timeout: 1)
                try flooder.upgrade()
                try flooder.hello()
                flooder.send(frames.flatMap(\.self))
                // The flood takes 48 s by its limit. A client that reads gives up after 10 s.
                #expect(try other.call(1, "messaging.Echo", [7]).body == [7])
                // Until nothing comes for a second.
                var pongs = 0
                while (try? flooder.readFrame()) != nil { pongs += 1 }
                #expect((1...count).contains(pongs), "\(pongs) \(name) were answered at once")
            }
        }
    }

    @Test("a tenth of the places is kept for sessions with a token, whoever takes the others")
    func keptPlaces() async throws {
        try await with({ $0.limits.connections = 20 }) { _, address in
            func connect(_ token: String = "") throws -> RawClient {
                let client = try RawClient(address)
                try client.upgrade()
                client.send(.hello(Hello(version: 1, token: token)))
                return client
            }
            var welcomed: [RawClient] = []
            for _ in 0..<18 {
                let client = try connect()
                guard case .welcome = try client.read() else { return #expect(Bool(false), "\(welcomed.count) places") }
                welcomed.append(client)
            }
            #expect(try connect().readClose().close == 1013)
            for account in [7, 8] as [AccountNumber] {
                welcomed.append(try connect(Peers.token(account)))
                guard case .welcome = try welcomed.last?.read() else { return #expect(Bool(false), "\(account)") }
            }
        }
    }

    @Test(
        "an address has so many sessions that are not signed in; those with a token, and after signing in, do not count"
    )
    func anonymousPlaces() async throws {
        try await with({ $0.limits.anonymousPerAddress = 3 }) { _, address in
            func connect(_ token: String = "") throws -> RawClient {
                let client = try RawClient(address)
                try client.upgrade()
                client.send(.hello(Hello(version: 1, token: token)))
                return client
            }
            func isWelcomed(_ client: RawClient) throws -> Bool {
                if case .welcome = try client.read() { true } else { false }
            }
            let clients = try (0..<3).map { _ in try connect() }
            for client in clients { #expect(try isWelcomed(client)) }
            #expect(try connect().readClose() == (1013, 1013))
            let known = try connect(Peers.token(7))
            #expect(try isWelcomed(known))
            // One signs in, one leaves: two places are free.
            clients[0].send(.authenticate(Authenticate(token: Peers.token(8))))
            guard case .authenticated = try clients[0].read() else { return #expect(Bool(false), "not signed in") }
            let second = try connect()
            #expect(try isWelcomed(second))
            #expect(try connect().readClose().close == 1013)
            clients[1].close()
            var isFree = false
            for _ in 0..<500 where !isFree {
                isFree = try isWelcomed(connect())
                if !isFree { try await Task.sleep(for: .milliseconds(10)) }
            }
            #expect(isFree)
            second.close()
        }
    }

    @Test("connections that are not sessions yet are few per address; each that becomes one makes room")
    func newcomers() async throws {
        try await with({ $0.limits.newcomersPerAddress = 2 }) { _, address in
            let silent = try RawClient(address)
            let upgraded = try RawClient(address)
            try upgraded.upgrade()
            let third = try RawClient(address)
            third.send(RawClient.handshake)
            #expect(third.readAll().hasPrefix("HTTP/1.1 503 "))
            try upgraded.hello(Peers.token(7))
            let fourth = try RawClient(address)
            try fourth.upgrade()
            try fourth.hello()
            silent.close()
            fourth.close()
        }
        // A trusted proxy's connections are of many people.
        try await with({
            $0.limits.newcomersPerAddress = 1
            $0.clientAddress = ClientAddress(
                header: "X-Forwarded-For", proxies: [AddressBlock("127.0.0.0/8")].compactMap(\.self))
        }) { _, address in
            let clients = try (0..<3).map { _ in try RawClient(address) }
            for client in clients { try client.upgrade() }
        }
    }

    @Test("an address opens so many connections in a time; more end at once, and what is open goes on")
    func openings() async throws {
        let change: @Sendable (inout GatewayConfiguration) -> Void = {
            ($0.limits.addressConnectionsPerSecond, $0.limits.addressConnectionsBurst) = (1, 3)
        }
        func answers(_ address: String) throws -> [String] {
            let clients = try (0..<10).map { _ in try RawClient(address) }
            for client in clients { client.send("GET /nothing HTTP/1.1\r\nHost: parley\r\nConnection: close\r\n\r\n") }
            return clients.map { $0.readAll() }
        }
        try await with(change) { _, address in
            let open = try RawClient(address)
            try open.upgrade()
            try open.hello(Peers.token(7))
            let answers = try answers(address)
            #expect(answers.contains { $0.hasPrefix("HTTP/1.1 404 ") } && answers.contains(""), "\(answers)")
            #expect(try open.call(1, "messaging.Echo", [1]).body == [1])
        }
        // A trusted proxy's connections are of many people.
        try await with({
            change(&$0)
            $0.clientAddress = ClientAddress(
                header: "X-Forwarded-For", proxies: [AddressBlock("127.0.0.0/8")].compactMap(\.self))
        }) { _, address in
            let answers = try answers(address)
            #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 404 ") }, "\(answers)")
        }
    }

    @Test("a session that does not sign in ends, however much it sends; one that does stays")
    func anonymousTime() async throws {
        try await with({ $0.limits.anonymousTimeout = .milliseconds(400) }) { _, address in
            let known = try RawClient(address)
            try known.upgrade()
            try known.hello(Peers.token(7))
            let stranger = try RawClient(address)
            try stranger.upgrade()
            try stranger.hello()
            #expect(try stranger.call(1, "messaging.Echo", [1]).body == [1])
            #expect(stranger.readClose().close == 1001)
            #expect(try known.call(1, "messaging.Echo", [1]).body == [1])
        }
    }

    @Test(
        "limits by address count a /64 of IPv6 as one, and a mapped address as IPv4",
        arguments: [
            ("192.0.2.7", "192.0.2.7", true), ("::ffff:192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7", "192.0.2.8", false),
            ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true), ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
        ])
    func places(one: String, other: String, isSame: Bool) {
        #expect((ClientAddress.place(of: one) == ClientAddress.place(of: other)) == isSame)
    }

    @Test("who does not read leaves little in the kernel, and nothing once the session is cut")
    func unread() async throws {
        try await with({ $0.limits.closeTimeout = .milliseconds(300) }) { peers, address in
            let client = try RawClient(address, receiveBuffer: 4096)
            try client.upgrade()
            try client.hello(Peers.token(7))
            let body = [UInt8](repeating: 7, count: 100_000)
            for id in 1...40 { client.send(.request(Request(id: UInt64(id), method: "messaging.Echo", body: body))) }
            try await Peers.until { peers.reports.contains { !$0.closed.isEmpty } }
            // Of the four megabytes, what the client's own kernel had taken.
            let rest = client.countRest()
            #expect(rest < 100_000, "\(rest) bytes came after the session was cut")
        }
    }

    @Test("the largest allowed frame passes in both directions")
    func largest() async throws {
        try await with { _, address in
            let client = try RawClient(address)
            try client.upgrade()
            try client.hello()
            let body = (0..<122_880).map { UInt8(truncatingIfNeeded: $0) }
            #expect(try client.call(1, "messaging.Echo", body).body == body)
        }
    }

    @Test("a session without a hello, or silent too long, ends; a client that does not close is cut off")
    func silence() async throws {
        try await with({
            $0.limits.helloTimeout = .milliseconds(100)
            $0.limits.silenceTimeout = .milliseconds(300)
            $0.limits.closeTimeout = .milliseconds(200)
        }) { _, address in
            let mute = try RawClient(address)
            try mute.upgrade()
            #expect(mute.readClose().close == 1001)
            let idle = try RawClient(address)
            try idle.upgrade()
            try idle.hello()
            #expect(idle.readClose() == (1001, 1001))
            #expect(idle.isEnded())
        }
    }

    @Test("a close by the client is answered and ends the connection")
    func clientCloses() async throws {
        try await with { peers, address in
            let client = try RawClient(address)
            try client.upgrade()
            try client.hello(Peers.token(1))
            try await Peers.until { peers.reports.contains { !$0.opened.isEmpty } }
            client.send(RawClient.frame(8, [0x03, 0xE8]))
            #expect(client.readClose() == (nil, 1000))
            #expect(client.isEnded())
            try await Peers.until { peers.reports.contains { !$0.closed.isEmpty } }
            #expect(await peers.reports.flatMap(\.closed).count == 1)
        }
    }
}
