import Logging
import Reactor
import Schema
import Synchronization
import Testing

@testable import GatewayService

/// What web pages of other origins get, over real sockets.
@Suite(.serialized) struct OriginTests {
    private static let files = HttpRoute(
        path: "/files/", below: true, methods: ["GET", "HEAD", "PUT", "OPTIONS"], headers: ["range"], bodyBytesMax: 1000
    )

    private func with(origins: [String] = [], _ body: (Peers, RawClient) async throws -> Void) async throws {
        let peers = try await Peers.start(routes: ["messaging": [Self.files]]) {
            if let allowed = AllowedOrigins.list(origins).allowed { $0.origins = allowed }
        }
        do { try await body(peers, RawClient(await peers.address)) } catch {
            await peers.stop()
            throw error
        }
        await peers.stop()
    }

    private func send(
        _ method: String, _ path: String, _ origin: String?, _ rest: String = "\r\n", to client: RawClient
    ) throws -> (head: String, body: String) {
        let line = origin.map { "Origin: \($0)\r\n" } ?? ""
        client.send("\(method) \(path) HTTP/1.1\r\nHost: parley:8080\r\n\(line)\(rest)")
        return try client.readResponse(ofHead: method == "HEAD")
    }

    /// Every kind of path: pages, their files, health, services', and none.
    private static let paths = ["/", "/style.css", "/health", "/files/1", "/nothing"]

    @Test("pages of other origins get 403 with a code at every path, and no service hears of them", arguments: paths)
    func others(path: String) async throws {
        try await with { peers, client in
            for origin in [
                "https://evil.example", "null", "http://parley", "https://parley:8443", "http://parley:8080.",
                "http://parley.:8080", "http://evil.example/http://parley:8080", "http://parley:8080@evil.example", "",
                "http://parley:8080, http://parley:8080", "http://[::1]:8080", String(repeating: "x", count: 4000),
            ] {
                for method in ["GET", "HEAD", "OPTIONS", "PUT"] {
                    let rest = method == "PUT" ? "Content-Length: 0\r\n\r\n" : "\r\n"
                    let (head, body) = try send(method, path, origin, rest, to: client)
                    #expect(head.hasPrefix("HTTP/1.1 403 "), "\(method) \(origin.prefix(60)): \(head)")
                    #expect(method == "HEAD" || body.contains("\"code\":\"origin_not_allowed\""))
                    #expect(!head.contains("Access-Control-"), "not even that it was refused")
                }
            }
            let twice = "http://parley:8080\r\nOrigin: http://parley:8080"
            #expect(try send("GET", path, twice, to: client).head.hasPrefix("HTTP/1.1 403 "))
            #expect(await peers.exchanges.isEmpty)
        }
    }

    @Test("its own pages, apps, and pages of listed origins get what they ask for")
    func allowed() async throws {
        try await with(origins: ["https://chat.example.com"]) { _, client in
            for origin in [
                nil, "http://parley:8080", "HTTP://PARLEY:8080", "https://parley:8080", "https://chat.example.com",
                "https://chat.example.com:443",
            ] {
                for path in Self.paths where path != "/nothing" {
                    let (head, body) = try send("GET", path, origin, to: client)
                    #expect(head.hasPrefix("HTTP/1.1 200 ") && !body.isEmpty, "\(origin ?? "none") \(path): \(head)")
                }
                #expect(try send("OPTIONS", "/files/1", origin, to: client).head.hasPrefix("HTTP/1.1 200 "))
            }
            // A page may read why it was refused, and when to come again.
            let refused = try send("GET", "/nothing", "https://chat.example.com", to: client)
            #expect(refused.head.hasPrefix("HTTP/1.1 404 ") && refused.head.contains("Access-Control-Allow-Origin: *"))
            #expect(refused.head.contains("Access-Control-Expose-Headers: Retry-After, X-Request-Id"))
            let health = try send("GET", "/health", "https://chat.example.com", to: client)
            #expect(health.head.contains("Access-Control-Allow-Origin: *"))
        }
    }

    @Test("with a * all pages get what they ask for, but no request with two origins")
    func any() async throws {
        try await with(origins: ["*"]) { _, client in
            for origin in ["https://evil.example", "null"] {
                let (head, _) = try send("GET", "/files/1", origin, to: client)
                #expect(head.hasPrefix("HTTP/1.1 200 "), "\(origin)")
            }
            let twice = "https://a.example\r\nOrigin: https://b.example"
            let (head, _) = try send("GET", "/files/1", twice, to: client)
            #expect(head.hasPrefix("HTTP/1.1 403 "))
        }
    }

    @Test("a session begins for pages of its own host and listed ones, and for no other")
    func sessions() async throws {
        try await with(origins: ["https://chat.example.com"]) { peers, _ in
            for (origin, isAllowed) in [
                ("https://parley", true), ("https://chat.example.com", true), ("https://evil.example", false),
                ("null", false), ("https://parley:8443", false),
            ] {
                let client = try RawClient(await peers.address)
                client.send(RawClient.handshake.replacing("Upgrade: w", with: "Origin: \(origin)\r\nUpgrade: w"))
                let head = try client.readHead()
                #expect(head.hasPrefix(isAllowed ? "HTTP/1.1 101 " : "HTTP/1.1 403 "), "\(origin): \(head)")
            }
        }
    }

    @Test("a refused page is a line in the log with its origin, and no secret of a path; a flood is one line")
    func log() async throws {
        let lines = LogLines()
        let peers = try await Peers.start(log: lines.logger)
        let client = try RawClient(await peers.address)
        for _ in 1...50 {
            let (head, _) = try send("GET", "/v1/calendar/secret", "https://evil.example", to: client)
            #expect(head.hasPrefix("HTTP/1.1 403 "))
        }
        let long = String(repeating: "y", count: 4000)
        #expect(try send("GET", "/", long, to: client).head.hasPrefix("HTTP/1.1 403 "))
        await peers.stop()
        let found = lines.all.filter { $0.contains("another origin was refused") }
        #expect(found.count == 1)
        #expect(found.allSatisfy { $0.contains("https://evil.example") && $0.contains("parley:8080") })
        #expect(lines.all.allSatisfy { !$0.contains("secret") && $0.utf8.count < 1000 })
    }
}

/// Keeps what is logged.
private final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.lines.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
        }
    }
}
