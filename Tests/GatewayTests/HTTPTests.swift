import Reactor
import Schema
import TestSupport
import Testing

@testable import GatewayService

/// HTTP over real sockets, answered by simulated services.
@Suite(.serialized) struct HTTPTests {
    private static let files = HttpRoute(
        path: "/files/", below: true, methods: ["GET", "HEAD", "PUT"], headers: ["range"], bodyBytesMax: 1000)

    private func with(
        without missing: [String] = [], routes: [String: [HttpRoute]] = ["messaging": [files]],
        _ change: @escaping @Sendable (inout GatewayConfiguration) -> Void = { _ in },
        _ body: (Peers, RawClient) async throws -> Void
    ) async throws {
        let peers = try await Peers.start(without: missing, routes: routes) { change(&$0) }
        do { try await body(peers, RawClient(await peers.address)) } catch {
            await peers.stop()
            throw error
        }
        await peers.stop()
    }

    private func request(_ method: String, _ path: String, _ rest: String = "\r\n") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: parley\r\n\(rest)"
    }

    @Test("one connection carries many requests, and pipelined ones are answered in order")
    func keepAlive() async throws {
        try await with { _, client in
            for number in 1...5 {
                client.send(request("GET", "/files/\(number)"))
                let (head, body) = try client.readResponse()
                #expect(head.hasPrefix("HTTP/1.1 200 ") && head.contains("Connection: keep-alive"), "\(head)")
                #expect(body == "GET /files/\(number)")
            }
            let paths = ["/files/a", "/health", "/nothing", "/files/b", "/files/c"]
            client.send(paths.map { request("GET", $0) }.joined())
            var bodies: [String] = []
            for _ in paths { bodies.append(try client.readResponse().body) }
            #expect(bodies[0] == "GET /files/a" && bodies[1].contains("\"status\"") && bodies[2].contains("not_found"))
            #expect(bodies[3...] == ["GET /files/b", "GET /files/c"])
            client.send(request("PUT", "/files/d", "Content-Length: 3\r\n\r\nabc") + request("HEAD", "/files/e"))
            #expect(try client.readResponse().body == "PUT /files/d")
            #expect(try client.readResponse(ofHead: true).head.hasPrefix("HTTP/1.1 200 "))
            client.send(request("GET", "/files/f", "Connection: close\r\n\r\n"))
            #expect(client.readAll().contains("Connection: close"))
        }
    }

    @Test("a session can begin on a connection that carried requests before")
    func upgradeLater() async throws {
        try await with { _, client in
            client.send(request("GET", "/files/1") + RawClient.handshake)
            _ = try client.readResponse()
            #expect(try client.readHead().hasPrefix("HTTP/1.1 101"))
        }
    }

    @Test("thousands of pipelined requests on a connection that is not read harm nobody, and get their answers")
    func flood() async throws {
        try await with({ $0.limits.requestsPerConnection = 1_000_000 }) { peers, client in
            let each = request("GET", "/nothing")
            let count = 5000
            client.send(String(repeating: each, count: count))  // They fit into the kernel's buffers.
            let other = try RawClient(await peers.address)
            other.send(request("GET", "/files/1"))
            #expect(try other.readResponse().body == "GET /files/1")
            for _ in 1...count { #expect(try client.readResponse().body.contains("not_found")) }
        }
    }

    @Test("an account has so many uploads and so many downloads at a time; the next is refused, others' go on")
    func exchangesOfAccount() async throws {
        try await with({ $0.limits.exchangesPerAccount = 2 }) { peers, client in
            let address = await peers.address
            // The number below /files/ is the account.
            await peers.change {
                $0.answer = { request in
                    let account = Int64(request.path.split(separator: "/").last ?? "") ?? 0
                    guard request.bodyEnds else { return HttpReply(account: account) }
                    return HttpReply(status: 200, body: Array("done".utf8), account: account)
                }
            }
            func upload(_ account: Int) throws -> RawClient {
                let client = try RawClient(address)
                client.send(request("PUT", "/files/\(account)", "Content-Length: 3\r\nExpect: 100-continue\r\n\r\n"))
                return client
            }
            let first = try upload(7)
            let second = try upload(7)
            for client in [first, second] { #expect(try client.readHead().hasPrefix("HTTP/1.1 100 ")) }
            let third = try upload(7).readResponse()
            #expect(third.head.hasPrefix("HTTP/1.1 429 ") && third.head.lowercased().contains("retry-after"))
            #expect(third.body.contains("rate_limited"))
            let other = try upload(8)
            #expect(try other.readHead().hasPrefix("HTTP/1.1 100 "))
            client.send(request("GET", "/files/7"))
            #expect(try client.readResponse().body == "done", "downloads are counted apart")
            first.send("abc")
            #expect(try first.readResponse().body == "done")
            #expect(try upload(7).readHead().hasPrefix("HTTP/1.1 100 "))
            second.close()
            var isFree = false
            for _ in 0..<500 where !isFree {
                isFree = try upload(7).readHead().hasPrefix("HTTP/1.1 100 ")
                if !isFree { try await Task.sleep(for: .milliseconds(10)) }
            }
            #expect(isFree, "an upload that breaks off gives its place back")
        }
    }

    @Test("an address that begins too many exchanges is refused before any service is asked")
    func beginnings() async throws {
        try await with({
            ($0.limits.requestsBurst, $0.limits.accountRequestsBurst) = (3, 5)
            ($0.limits.requestsPerSecond, $0.limits.accountRequestsPerSecond) = (1, 1)
        }) { peers, client in
            client.close()
            let address = await peers.address
            var statuses: [String] = []
            for _ in 1...8 {
                let client = try RawClient(address)
                client.send(request("GET", "/files/1"))
                statuses.append(String(try client.readResponse().head.dropFirst(9).prefix(3)))
            }
            #expect(statuses.prefix(5).allSatisfy { $0 == "200" }, "\(statuses)")
            #expect(statuses.suffix(2) == ["429", "429"], "\(statuses)")
            #expect(await peers.exchanges.count <= 12)
        }
    }

    @Test("who sends more requests than allowed, of whatever kind, is read more slowly; others are answered meanwhile")
    func requestsOfAddress() async throws {
        try await with({
            ($0.limits.accountFramesPerSecond, $0.limits.accountFramesBurst) = (10, 20)
            ($0.limits.framesPerSecond, $0.limits.framesBurst) = (10, 20)
            ($0.limits.requestsPerSecond, $0.limits.requestsBurst) = (10, 20)
        }) { peers, client in
            let began = Moment.now.steady
            client.send(String(repeating: request("GET", "/nothing"), count: 60))
            for _ in 1...20 { #expect(try client.readResponse().body.contains("not_found")) }
            let other = try RawClient(await peers.address, from: 2)
            other.send(String(repeating: request("GET", "/nothing"), count: 10))
            for _ in 1...10 { #expect(try other.readResponse().body.contains("not_found")) }
            for _ in 21...40 { #expect(try client.readResponse().body.contains("not_found")) }
            // Twenty at once, then twenty at ten a second, however busy the machine is.
            #expect(Moment.now.steady - began > 1_500_000)
        }
    }

    @Test("while few places are left, an upload that is too slow ends; while there are enough, it goes on")
    func slowExchanges() async throws {
        for (exchanges, ends) in [(4, true), (64, false)] {
            try await with({
                ($0.limits.exchanges, $0.limits.exchangeGrace) = (exchanges, .milliseconds(300))
                $0.limits.exchangeBytesPerSecond = 100
                $0.clientAddress = ClientAddress(
                    header: "X-Forwarded-For", proxies: [AddressBlock("127.0.0.0/8")].compactMap(\.self))
            }) { peers, client in
                let address = await peers.address
                let slow = try (1...3).map { number in
                    let client = try RawClient(address, timeout: 2)
                    client.send(
                        request(
                            "PUT", "/files/x",
                            "X-Forwarded-For: 192.0.2.\(number)\r\nContent-Length: 500\r\n\r\n" + "some"))
                    return client
                }
                if ends {
                    // Two of one kind are short of places. Once two have ended, there is room for the third.
                    #expect(slow.filter { $0.isEnded() }.count >= 2)
                } else {
                    try await Task.sleep(for: .milliseconds(700))
                    for client in slow {
                        client.send(String(repeating: "x", count: 496))
                        #expect(try client.readResponse().body == "PUT /files/x")
                    }
                }
            }
        }
    }

    @Test("a connection ends after its last request, when it is idle, or when a body was not read")
    func ends() async throws {
        try await with({ limits in
            limits.limits.requestsPerConnection = 3
            limits.limits.keepAliveTimeout = .milliseconds(300)
        }) { peers, client in
            client.send(String(repeating: request("GET", "/files/1"), count: 4))
            let all = client.readAll()
            #expect(all.components(separatedBy: "HTTP/1.1 200").count == 4 && all.contains("Connection: close"))
            let idle = try RawClient(await peers.address)
            idle.send(request("GET", "/files/1"))
            _ = try idle.readResponse()
            #expect(idle.isEnded())
            let large = try RawClient(await peers.address)
            large.send(request("PUT", "/files/1", "Content-Length: 1001\r\n\r\nGET /files/x HTTP/1.1\r\n\r\n"))
            let refused = large.readAll()
            #expect(refused.hasPrefix("HTTP/1.1 413 ") && refused.components(separatedBy: "HTTP/1.1 ").count == 2)
        }
    }

    @Test("requests of one connection are limited, and it continues")
    func rate() async throws {
        try await with({ change in
            change.limits.requestsBurst = 3
            change.limits.requestsPerSecond = 1
        }) { _, client in
            client.send(String(repeating: request("GET", "/files/1"), count: 4))
            let heads = try (1...4).map { _ in try client.readResponse().head }
            #expect(heads[..<3].allSatisfy { $0.hasPrefix("HTTP/1.1 200") } && heads[3].hasPrefix("HTTP/1.1 429"))
            #expect(heads[3].contains("Retry-After: 1"))
        }
    }

    @Test("what a route does not allow is refused by the gateway")
    func refusals() async throws {
        try await with { peers, client in
            for (text, status, word) in [
                (request("DELETE", "/files/1"), 405, "Allow: GET, HEAD, PUT"),
                (request("GET", "/files"), 404, "not_found"),
                (request("GET", "/files/" + String(repeating: "x", count: 6140)), 414, "longer"),
                (request("POST", "/health"), 405, "Allow: GET, HEAD"),
            ] {
                client.send(text)
                let (head, body) = try client.readResponse()
                #expect(head.hasPrefix("HTTP/1.1 \(status) ") && (head + body).contains(word), "\(head)\(body)")
            }
            client.send(request("PUT", "/files/1", "Transfer-Encoding: chunked\r\n\r\n400\r\n"))
            client.send([UInt8](repeating: 65, count: 1024) + Array("\r\n0\r\n\r\n".utf8))
            #expect(client.readAll().hasPrefix("HTTP/1.1 413 "))
            // The service may have heard of the last request, which was refused only when its length was known.
            let begun = await peers.exchanges
            #expect(begun.count <= 1 && begun.allSatisfy { $0.request.body.isEmpty }, "its body reached the service")
        }
    }

    @Test("a path whose service is down gets 503; so does an unknown path while a service has not been reached yet")
    func down() async throws {
        try await with(without: ["entities"]) { peers, client in
            client.send(request("GET", "/files/1"))
            #expect(try client.readResponse().body == "GET /files/1")
            client.send(request("GET", "/later"))
            let before = try client.readResponse().head
            #expect(before.hasPrefix("HTTP/1.1 503 ") && before.contains("Retry-After"))
            await peers.change { $0.routes["entities"] = [HttpRoute(path: "/later", methods: ["GET"])] }
            try await peers.add("entities")
            try await eventually("entities serves") {
                client.send(request("GET", "/later"))
                return try client.readResponse().body == "GET /later"
            }
            client.send(request("GET", "/nothing"))
            #expect(try client.readResponse().head.hasPrefix("HTTP/1.1 404 "))
            await peers.drop("entities")
            try await eventually("its service is down") {
                client.send(request("GET", "/later"))
                return try client.readResponse().head.hasPrefix("HTTP/1.1 503 ")
            }
        }
    }

    @Test("of two services with one path, the first keeps it; the gateway's own paths belong to no service")
    func conflict() async throws {
        let own = HttpRoute(path: "/health", methods: ["GET"])
        try await with(without: ["entities"], routes: ["messaging": [Self.files, own], "entities": [Self.files]]) {
            peers, client in
            try await peers.add("entities")
            try await eventually("every service was reached") {
                client.send(request("GET", "/nothing"))
                return try client.readResponse().head.hasPrefix("HTTP/1.1 404 ")
            }
            client.send(request("GET", "/files/1") + request("GET", "/health"))
            _ = try client.readResponse()
            #expect(try client.readResponse().body.contains("\"status\""))
            #expect(await peers.exchanges.allSatisfy { $0.service == "messaging" && $0.request.path == "/files/1" })
        }
    }

    @Test("the response to HEAD ends with its headers, also when a service names no length")
    func head() async throws {
        try await with { peers, client in
            await peers.change { $0.answer = { _ in HttpReply(status: 404) } }
            client.send(request("HEAD", "/files/1") + request("GET", "/nothing"))
            let first = try client.readResponse(ofHead: true).head
            #expect(first.hasPrefix("HTTP/1.1 404 "))
            #expect(try client.readResponse().body.contains("not_found"), "nothing comes between")
        }
    }

    @Test("a client that ends its side after its requests gets all responses; one that ends it earlier is closed")
    func halfClosed() async throws {
        try await with { peers, client in
            client.send(request("GET", "/files/1") + request("GET", "/health") + request("GET", "/files/2"))
            client.finishSending()
            let all = client.readAll()
            #expect(
                all.contains("GET /files/1") && all.contains("\"status\"") && all.hasSuffix("GET /files/2"), "\(all)")
            let upload = try RawClient(await peers.address)
            upload.send(request("PUT", "/files/1", "Content-Length: 5\r\n\r\nab"))
            upload.finishSending()
            #expect(upload.readAll() == "")
            let session = try RawClient(await peers.address)
            try session.upgrade()
            session.finishSending()
            #expect(session.isEnded())
        }
    }

    @Test("a flood that arrives with the end of a connection takes bounded memory")
    func floodAtEnd() async throws {
        try await with { peers, client in
            await peers.change { $0.answer = { _ in HttpReply(status: 200, body: [1]) } }
            client.send(String(repeating: request("GET", "/files/1"), count: 20_000))
            client.finishSending()
            let answers = client.readAll().components(separatedBy: "HTTP/1.1 ").count - 1
            #expect((1...3000).contains(answers), "\(answers)")
            let other = try RawClient(await peers.address)
            other.send(request("GET", "/nothing"))
            #expect(try other.readResponse().body.contains("not_found"))
        }
    }

    @Test("HTTP at its edges: lengths, hosts, absolute URIs, old versions, broken bodies")
    func edges() async throws {
        try await with { peers, _ in
            func answer(_ text: String) async throws -> String {
                let client = try RawClient(await peers.address)
                client.send(text)
                client.finishSending()
                return client.readAll()
            }
            let huge = try await answer(request("GET", "/health", "Content-Length: 18446744073709551615\r\n\r\n"))
            #expect(huge.hasPrefix("HTTP/1.1 413 ") && huge.contains("Connection: close"))
            #expect(try await answer("GET /health HTTP/1.1\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
            #expect(try await answer(request("GET", "/health", "Host: other\r\n\r\n")).hasPrefix("HTTP/1.1 400 "))
            #expect(try await answer(request("GET", "http://parley:80/files/7?x")).contains("GET /files/7?x"))
            #expect(try await answer(request("GET", "http://parley")).contains("<title>Parley</title>"))
            #expect(try await answer("GET /files/1 HTTP/1.0\r\n\r\n").contains("Connection: close"))
            let old =
                "PUT /files/1 HTTP/1.0\r\nConnection: keep-alive\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na"
            #expect(try await answer(old).hasPrefix("HTTP/1.1 200 "))
            let broken = try await answer(request("PUT", "/files/1", "Transfer-Encoding: chunked\r\n\r\nzz\r\n"))
            #expect(broken.hasPrefix("HTTP/1.1 400 ") && broken.contains("Connection: close"), "\(broken)")
        }
    }

    @Test("a request to /health is answered although its connection was idle until shortly before the limit")
    func slowHealth() async throws {
        try await with({ $0.limits.handshakeTimeout = .milliseconds(500) }) { peers, client in
            await peers.change { $0.holdsHealth = true }
            try await Task.sleep(for: .milliseconds(300))
            client.send(request("GET", "/health"))
            #expect(try client.readResponse().head.hasPrefix("HTTP/1.1 503 "), "after the second of its check")
        }
    }

    @Test("a stopping gateway ends a connection that is idle at once, while a session still waits for a reply")
    func stop() async throws {
        let peers = try await Peers.start(routes: ["messaging": [Self.files]]) {
            $0.limits.drainTimeout = .seconds(600)
        }
        let client = try RawClient(await peers.address)
        client.send(request("GET", "/files/1"))
        _ = try client.readResponse()
        let session = try RawClient(await peers.address)
        try session.upgrade()
        try session.hello(Peers.token(1))
        session.send(.request(Request(id: 1, method: "messaging.Later")))
        try await Peers.until { !peers.unanswered.isEmpty }
        let stopping = Task { await peers.stop() }
        #expect(client.isEnded())
        await peers.answerLate([5])
        guard case .reply(let reply) = try session.read() else { return #expect(Bool(false), "no reply") }
        #expect(reply.body == [5] && session.readClose() == (1001, 1001))
        session.close()
        try await limited("the stop") { await stopping.value }
    }
}
