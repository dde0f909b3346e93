import Reactor
import Schema
import TestSupport
import Testing

@testable import GatewayService

/// What HTTP costs the gateway when somebody sends as much as they can, without signing in. Over real sockets, counted.
@Suite(.serialized) struct HTTPFloodTests {
    private static let head = "GET /health HTTP/1.1\r\nHost: parley\r\n\r\n"
    private static let uploads = HttpRoute(path: "/files/", below: true, methods: ["PUT"], bodyBytesMax: 10_000_000)
    private static let proxies = ClientAddress(
        header: "X-Forwarded-For", proxies: [AddressBlock("127.0.0.0/8")].compactMap(\.self))

    private func with(
        _ change: @escaping @Sendable (inout GatewayConfiguration) -> Void = { _ in },
        _ body: (Peers, String) async throws -> Void
    ) async throws {
        let peers = try await Peers.start(routes: ["messaging": [Self.uploads]]) { change(&$0) }
        do { try await body(peers, await peers.address) } catch {
            await peers.stop()
            throw error
        }
        await peers.stop()
    }

    private func heads(_ peers: Peers) async -> Int { await peers.gateway?.metrics.headCount ?? 0 }
    private func pauses(_ peers: Peers) async -> Int { await peers.gateway?.metrics.pauseCount ?? 0 }

    // MARK: Memory

    @Test("while a request is unanswered, no other head is parsed, and the kernel takes little, also after an upload")
    func unanswered() async throws {
        try await with({ $0.limits.healthDeadline = .seconds(30) }) { peers, address in
            await peers.change { $0.holdsHealth = true }
            let client = try RawClient(address, sendBuffer: 32_768)
            client.send("PUT /files/1 HTTP/1.1\r\nHost: parley\r\nContent-Length: 1000000\r\n\r\n")
            client.send([UInt8](repeating: 10, count: 1_000_000))
            #expect(try client.readResponse().body == "PUT /files/1")
            let taken = client.sendUntilFull(Array(String(repeating: Self.head, count: 500).utf8), atMost: 10_000_000)
            #expect(await heads(peers) == 2)
            #expect(taken < 200_000, "\(taken) bytes were taken")
            client.close()
            await peers.answerLate([])
        }
    }

    @Test("a flood that arrives with the end of a connection is parsed one request at a time, and gets its answers")
    func end() async throws {
        try await with { peers, address in
            let client = try RawClient(address)
            let count = 500
            client.send(String(repeating: "GET /nothing HTTP/1.1\r\nHost: parley\r\n\r\n", count: count))
            client.finishSending()
            #expect(client.readAll().components(separatedBy: "HTTP/1.1 404").count - 1 == count)
            #expect(await heads(peers) == count)
        }
    }

    @Test("an address has 200 connections that are no session; others beside it get in")
    func newcomersOfAddress() async throws {
        try await with({
            ($0.limits.newcomers, $0.limits.newcomersPerAddress) = (1000, GatewayLimits().newcomersPerAddress)
        }) { _, address in
            let hostile = try (0..<260).map { _ in try RawClient(address, from: 2) }
            let friend = try RawClient(address, from: 3)
            try friend.upgrade()
            #expect(try admitted(hostile) == 200)
        }
    }

    @Test("whoever opens connections from many addresses leaves room for one more address")
    func newcomersOfMany() async throws {
        try await with({ ($0.limits.newcomers, $0.limits.newcomersPerAddress) = (200, 100) }) { _, address in
            let hostile = try (0..<400).map { try RawClient(address, from: 2 + UInt8($0 % 20)) }
            let friend = try RawClient(address, from: 100)
            try friend.upgrade()
            try friend.hello()
            let count = try admitted(hostile)
            #expect((150..<200).contains(count), "\(count)")
        }
    }

    /// How many of these connections are served. The others get 503, or end.
    private func admitted(_ clients: [RawClient]) throws -> Int {
        for client in clients { client.send("GET /nothing HTTP/1.1\r\nHost: parley\r\nConnection: close\r\n\r\n") }
        return clients.count { $0.readAll().hasPrefix("HTTP/1.1 404 ") }
    }

    // MARK: Time

    @Test("after the last response of a connection, nothing more is parsed")
    func afterLast() async throws {
        try await with({ $0.limits.requestsPerConnection = 1 }) { peers, address in
            let client = try RawClient(address)
            client.send("GET /nothing HTTP/1.1\r\nHost: parley\r\n\r\n")
            #expect(try client.readResponse().head.contains("Connection: close"))
            client.send(String(repeating: Self.head, count: 3000))
            client.finishSending()
            #expect(client.readAll() == "")
            #expect(await heads(peers) == 1)
        }
    }

    /// Limits what an address may send.
    private static func limit(_ configuration: inout GatewayConfiguration, perSecond: Int, burst: Int) {
        (configuration.limits.accountFramesPerSecond, configuration.limits.accountFramesBurst) = (perSecond, burst)
        (configuration.limits.framesPerSecond, configuration.limits.framesBurst) = (1, 1)
        (configuration.limits.requestsPerSecond, configuration.limits.requestsBurst) = (1, 1)
    }

    @Test("a body in chunks of one byte counts as frames do, and is read more slowly; it is complete all the same")
    func smallChunks() async throws {
        try await with({ Self.limit(&$0, perSecond: 1000, burst: 100) }) { peers, address in
            let client = try RawClient(address)
            client.send("PUT /files/1 HTTP/1.1\r\nHost: parley\r\nTransfer-Encoding: chunked\r\n\r\n")
            client.send(String(repeating: "1\r\na\r\n", count: 2000) + "0\r\n\r\n")
            #expect(try client.readResponse().body == "PUT /files/1")
            #expect(await pauses(peers) > 0)
            #expect(await peers.exchanges.reduce(0) { $0 + $1.request.body.count } == 2000)
        }
    }

    @Test("a body that comes as networks carry it never waits")
    func largeBody() async throws {
        try await with({ Self.limit(&$0, perSecond: 1000, burst: 100) }) { peers, address in
            let client = try RawClient(address)
            client.send("PUT /files/1 HTTP/1.1\r\nHost: parley\r\nContent-Length: 8000000\r\n\r\n")
            client.send([UInt8](repeating: 10, count: 8_000_000))
            #expect(try client.readResponse().body == "PUT /files/1")
            #expect(await pauses(peers) == 0)
            #expect(await peers.exchanges.reduce(0) { $0 + $1.request.body.count } == 8_000_000)
        }
    }

    @Test("who sends a head byte by byte, or a body after its refusal, counts too")
    func reads() async throws {
        let last = "GET /nothing HTTP/1.1\r\nHost: parley\r\nConnection: close\r\n\r\n"
        for (first, isAnswered) in [("GET /", false), (last, true)] {
            try await with({ Self.limit(&$0, perSecond: 1, burst: 30) }) { peers, address in
                func begin() throws -> RawClient {
                    let client = try RawClient(address)
                    client.send(first)
                    if isAnswered { _ = try client.readResponse() }
                    return client
                }
                var (client, sent) = (try begin(), 0)
                try await eventually("the connection is paused") {
                    sent += 1
                    // A slow machine may take so long that the connection has ended meanwhile.
                    if sent % 10 == 0 { client = try begin() }
                    client.send("x")
                    return await pauses(peers) > 0
                }
                #expect(sent > 10, "\(sent)")
            }
        }
    }

    @Test("/health is limited as other requests to services are")
    func health() async throws {
        try await with({
            ($0.limits.requestsPerSecond, $0.limits.requestsBurst) = (1, 3)
            ($0.limits.accountRequestsPerSecond, $0.limits.accountRequestsBurst) = (1, 5)
        }) { peers, address in
            let client = try RawClient(address)
            client.send(String(repeating: Self.head, count: 4))
            let statuses = try (1...4).map { _ in try client.readResponse().head.dropFirst(9).prefix(3) }
            #expect(statuses == ["200", "200", "200", "429"])
        }
    }

    // MARK: Proxies

    @Test("on a connection that a proxy shares, each client has its own limit of requests to services")
    func limitsOfClients() async throws {
        try await with({
            Self.limit(&$0, perSecond: 1000, burst: 1000)
            ($0.limits.accountRequestsPerSecond, $0.limits.accountRequestsBurst) = (1, 2)
            $0.clientAddress = Self.proxies
        }) { peers, address in
            let proxy = try RawClient(address)
            for _ in 1...3 {
                for host in 1...5 {
                    proxy.send(
                        "PUT /files/1 HTTP/1.1\r\nHost: parley\r\nX-Forwarded-For: 192.0.2.\(host)\r\n"
                            + "Content-Length: 0\r\n\r\n")
                }
            }
            let statuses = try (1...15).map { _ in String(try proxy.readResponse().head.dropFirst(9).prefix(3)) }
            #expect(statuses == Array(repeating: "200", count: 10) + Array(repeating: "429", count: 5))
        }
    }

    @Test("on a connection that a proxy shares, one client's excess is refused with 429, and the next does not wait")
    func sharedConnection() async throws {
        try await with({
            Self.limit(&$0, perSecond: 1, burst: 20)
            $0.clientAddress = Self.proxies
        }) { peers, address in
            let proxy = try RawClient(address)
            func answer(to host: Int) throws -> (head: String, body: String) {
                proxy.send("GET /nothing HTTP/1.1\r\nHost: parley\r\nX-Forwarded-For: 192.0.2.\(host)\r\n\r\n")
                return try proxy.readResponse()
            }
            var statuses: [String] = []
            for _ in 1...40 { statuses.append(String(try answer(to: 1).head.dropFirst(9).prefix(3))) }
            #expect(statuses.prefix(20).allSatisfy { $0 == "404" } && statuses.suffix(10).allSatisfy { $0 == "429" })
            let refused = try answer(to: 1)
            #expect(refused.head.contains("Retry-After: ") && refused.head.contains("Connection: keep-alive"))
            #expect(refused.body.contains("rate_limited"))
            #expect(try answer(to: 2).head.hasPrefix("HTTP/1.1 404 "))
            #expect(await pauses(peers) == 0)
        }
    }
}
