import Glibc
import Reactor
import Synchronization
import TestSupport
import Testing

@testable import HTTPClient

@Suite("HTTP client", .timeLimit(.minutes(1)))
@ReactorActor
struct HTTPClientTests {
    private func client(_ change: (inout HTTPClient.Options) -> Void = { _ in }) -> HTTPClient {
        var options = HTTPClient.Options(connectTimeout: .seconds(2), silence: .seconds(2), mayReachInside: true)
        change(&options)
        return HTTPClient(options)
    }

    private func failure(_ client: HTTPClient, _ request: HTTPRequest) async -> HTTPFailure? {
        do { _ = try await client.send(request) } catch { return error as? HTTPFailure }
        return nil
    }

    @Test("a reply has its status, headers and body; the request has its own headers and nothing surprising")
    func plain() async throws {
        let head = Mutex("")
        let server = RawServer { connection in
            while let request = connection.request() {
                head.withLock { $0 = request.head }
                connection.write("HTTP/1.1 418 Teapot\r\nContent-Length: 3\r\nX-Name:  a value \r\n\r\nabc")
            }
        }
        let client = client()
        let reply = try await client.send(
            HTTPRequest("GET", server.url + "/a?b=c", headers: [("x-mine", "1"), ("x-empty", "")]))
        #expect(reply.status == 418 && reply.body == Array("abc".utf8) && reply.headers["x-name"] == "a value ")
        let lines = head.withLock { $0 }.split(separator: "\r\n").map(String.init)
        #expect(lines.first == "GET /a?b=c HTTP/1.1" && lines.contains("x-mine: 1") && lines.contains("x-empty:"))
        #expect(!lines.contains { $0.lowercased().hasPrefix("expect") || $0.lowercased().hasPrefix("user-agent") })
        for method in ["HEAD", "DELETE"] {
            _ = try await client.send(HTTPRequest(method, server.url))
            #expect(head.withLock { $0 }.hasPrefix("\(method) / HTTP/1.1"))
        }
        #expect(server.connections == 1, "the connection is kept")
    }

    @Test("HEAD has the length and no body")
    func head() async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 12345\r\n\r\n")
        let reply = try await client().send(HTTPRequest("HEAD", server.url))
        #expect(reply.status == 200 && reply.contentLength == 12345 && reply.body.isEmpty)
    }

    @Test("bodies of bytes and streams arrive whole, also when the source is slow or gives little at a time")
    func bodies() async throws {
        let received = Mutex<[UInt8]>([])
        let server = RawServer { connection in
            while let request = connection.request() {
                received.withLock { $0 = request.body }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let client = client()
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        _ = try await client.send(HTTPRequest("PUT", server.url, body: .bytes(bytes)))
        #expect(received.withLock { $0 } == bytes)
        for (pieces, wait) in [(1 << 20, 0), (100_000, 5)] {
            let body = HTTPRequest.Body.stream(size: Int64(bytes.count)) { offset, count in
                try await Reactor.shared.sleep(for: .milliseconds(wait))
                return Array(bytes[Int(offset)...].prefix(min(count, pieces)))
            }
            #expect(try await client.send(HTTPRequest("POST", server.url, body: body)).status == 200)
            #expect(received.withLock { $0 } == bytes)
        }
        #expect(server.connections == 1)
    }

    @Test("a source that fails or ends early ends the request, and the next request works")
    func failingSource() async throws {
        struct Broken: Error {}
        let server = RawServer { connection in
            while connection.request() != nil { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
        }
        let client = client()
        let broken = HTTPRequest("PUT", server.url, body: .stream(size: 10) { _, _ in throw Broken() })
        #expect(await failure(client, broken) == .source("Broken()"))
        let short = HTTPRequest("PUT", server.url, body: .stream(size: 10) { _, _ in [] })
        #expect(await failure(client, short) == .source("it ended 10 bytes early"))
        #expect(try await client.send(HTTPRequest("PUT", server.url, body: .bytes([1]))).status == 200)
    }

    @Test("redirects are not followed")
    func redirects() async throws {
        let server = RawServer.answering("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
        let reply = try await client().send(HTTPRequest("GET", server.url))
        #expect(reply.status == 302 && reply.headers["location"] == "/elsewhere" && server.connections == 1)
    }

    @Test("a reply longer than allowed is refused, with and without a declared length")
    func tooLarge() async throws {
        for head in ["Content-Length: 70000\r\n", "Connection: close\r\n"] {
            let server = RawServer { connection in
                guard connection.request() != nil else { return }
                connection.write("HTTP/1.1 200 OK\r\n\(head)\r\n" + String(repeating: "x", count: 70_000))
            }
            #expect(await failure(client(), HTTPRequest("GET", server.url, replyBytesMax: 69_999)) == .tooLarge)
            #expect(try await client().send(HTTPRequest("GET", server.url, replyBytesMax: 70_000)).body.count == 70_000)
        }
    }

    @Test("headers without an end, or interim replies, are refused")
    func endlessHead() async throws {
        for line in ["X-Name: \(String(repeating: "x", count: 1000))\r\n", "HTTP/1.1 102 Processing\r\n\r\n"] {
            let server = RawServer { connection in
                guard connection.request() != nil else { return }
                if line.hasPrefix("X") { connection.write("HTTP/1.1 200 OK\r\n") }
                for _ in 0..<5000 { connection.write(line) }
            }
            #expect(await failure(client(), HTTPRequest("GET", server.url)) == .tooLarge)
        }
    }

    @Test("a host that refuses, answers nonsense, breaks off or stays silent fails in time")
    func unreachable() async throws {
        let nobody = {
            let server = RawServer.answering("")
            return server.port
        }()
        for text in ["nonsense\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"] {
            let server = RawServer { connection in
                if connection.request() != nil { connection.write(text) }
            }
            let problem = await failure(client(), HTTPRequest("GET", server.url))
            guard case .unreachable = problem else {
                Issue.record("“\(text)”: \(String(describing: problem))")
                continue
            }
            #expect(server.connections == 1)
        }
        guard case .unreachable = await failure(client(), HTTPRequest("GET", "http://127.0.0.1:\(nobody)")) else {
            Issue.record("a closed port answered")
            return
        }
        let silent = RawServer { connection in
            _ = connection.request()
            sleep(5)
        }
        let impatient = client { $0.timeout = .milliseconds(200) }
        guard case .timedOut = await failure(impatient, HTTPRequest("GET", silent.url)) else {
            Issue.record("a silent server was waited for")
            return
        }
    }

    @Test("other protocols, bad URLs and line breaks in headers are refused")
    func invalid() async {
        for url in ["file:///etc/passwd", "ftp://127.0.0.1/", "http://", "http://a b/", "not a url", "gopher://x"] {
            switch await failure(client(), HTTPRequest("GET", url)) {
            case .invalid, .unreachable: break
            case let other: Issue.record("\(url): \(String(describing: other))")
            }
        }
        for headers in [[("a", "b\r\nc: d")], [("a\n", "b")], [("a", "b\0")]] {
            guard case .invalid = await failure(client(), HTTPRequest("GET", "http://127.0.0.1", headers: headers))
            else {
                Issue.record("\(headers) was accepted")
                continue
            }
        }
    }

    @Test("without permission nothing inside is reached, by address or by name")
    func inside() async {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let careful = client { $0.mayReachInside = false }
        for host in ["127.0.0.1", "localhost", "0.0.0.0", "2130706433", "127.1"] {
            #expect(await failure(careful, HTTPRequest("GET", "http://\(host):\(server.port)")) == .inside, "\(host)")
        }
        #expect(server.connections == 0)
    }

    @Test("a cancelled request ends at once, and its connection is not used again")
    func cancelled() async throws {
        let server = RawServer { connection in
            while let request = connection.request() {
                if request.head.contains("/slow") { sleep(2) }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let client = client()
        let task = Task { @ReactorActor in try await client.send(HTTPRequest("GET", server.url + "/slow")) }
        while server.connections == 0 { try await Reactor.shared.sleep(for: .milliseconds(5)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await client.send(HTTPRequest("GET", server.url)).body == Array("ok".utf8))
        #expect(server.connections == 2)
    }

    @Test("more requests than allowed are refused; the others wait for a connection")
    func many() async throws {
        let server = RawServer { connection in
            while connection.request() != nil { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
        }
        // A slow machine must not lose a connection: another one would take its place.
        let client = client {
            ($0.requestsMax, $0.connectionsMax) = (50, 3)
            ($0.connectTimeout, $0.silence) = (.seconds(50), .seconds(50))
        }
        let tasks = (0..<60).map { _ in
            Task.immediate { @ReactorActor in await self.failure(client, HTTPRequest("GET", server.url)) }
        }
        var failures: [HTTPFailure?] = []
        for task in tasks { failures.append(await task.value) }
        #expect(failures.prefix(50).allSatisfy { $0 == nil } && failures.suffix(10).allSatisfy { $0 == .overloaded })
        #expect(server.connections <= 3)
    }
}

@Suite("Addresses of the public Internet")
struct NetworkAddressTests {
    private func address(_ text: String) -> NetworkAddress? {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &four) == 1 {
            return NetworkAddress(bytes: withUnsafeBytes(of: four) { Array($0) })
        }
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        return NetworkAddress(bytes: withUnsafeBytes(of: six) { Array($0) })
    }

    @Test(
        "private, local, multicast and reserved addresses are inside",
        arguments: [
            "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254", "169.254.169.254",
            "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.19.255.255",
            "198.51.100.1", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1",
            "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "2002:7f00:1::", "fc00::1", "fd12::1", "fe80::1", "fec0::1",
            "ff02::1",
            "100::1", "2001::1", "2001:db8::1", "::127.0.0.1",
        ])
    func inside(_ text: String) throws { #expect(try #require(address(text)).isInside) }

    @Test(
        "other addresses are not",
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "128.0.0.1", "169.253.1.1",
            "172.15.255.255", "172.32.0.1", "192.0.1.1", "192.167.1.1", "198.17.1.1", "198.20.0.1", "223.255.255.254",
            "2606:4700::1111", "2a00::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
            "2001:4860:4860::8888",
        ])
    func outside(_ text: String) throws { #expect(try #require(address(text)).isInside == false) }
}
