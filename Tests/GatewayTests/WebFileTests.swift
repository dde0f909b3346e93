import NIOHTTP1
import Testing

@testable import GatewayService

/// The files that the gateway serves to browsers.
@Suite(.serialized) struct WebFileTests {
    private func with(_ body: (RawClient) throws -> Void) async throws {
        let peers = try await Peers.start()
        do { try body(RawClient(await peers.address)) } catch {
            await peers.stop()
            throw error
        }
        await peers.stop()
    }

    private func get(
        _ path: String, _ headers: String = "", method: String = "GET", from client: RawClient
    ) throws -> (head: String, body: String) {
        client.send("\(method) \(path) HTTP/1.1\r\nHost: parley\r\n\(headers)\r\n")
        return try client.readResponse(ofHead: method == "HEAD")
    }

    @Test("the page and everything it names are served, with their types and with rules for the browser")
    func page() async throws {
        try await with { client in
            let (head, page) = try get("/", from: client)
            #expect(head.hasPrefix("HTTP/1.1 200 ") && head.contains("Content-Type: text/html; charset=utf-8"))
            #expect(head.contains("Content-Security-Policy: default-src 'none'; script-src 'self'"))
            #expect(head.contains("X-Content-Type-Options: nosniff") && head.contains("frame-ancestors 'none'"))
            let named = page.matches(of: /(?:src|href)="(\/[^"]+)"/).map { String($0.1) }
            #expect(named.count >= 4)
            for path in Set(named) where path != "/health" {
                let (head, body) = try get(path, from: client)
                #expect(head.hasPrefix("HTTP/1.1 200 ") && !body.isEmpty, "\(path)")
            }
            for path in ["/index.html", "/style.css/", "/../Package.swift", "/%2e%2e/style.css", "//style.css"] {
                #expect(try get(path, from: client).head.hasPrefix("HTTP/1.1 404 "), "\(path)")
            }
            #expect(try get("/style.css?v=2", from: client).head.contains("Content-Type: text/css"))
            #expect(try get("/", method: "POST", from: client).head.hasPrefix("HTTP/1.1 405 "))
        }
    }

    @Test("a browser that has a file gets 304; HEAD has the headers of GET")
    func tags() async throws {
        try await with { client in
            let first = try get("/style.css", from: client).head
            let tag = try #require(first.firstMatch(of: /ETag: ("[^"]+")/)?.1)
            #expect(first.contains("Cache-Control: no-cache") && first.contains("Vary: Accept-Encoding"))
            for known in ["\(tag)", "\"other\", \(tag)", "W/\(tag)", "*"] {
                let again = try get("/style.css", "If-None-Match: \(known)\r\n", from: client)
                #expect(
                    again.head.hasPrefix("HTTP/1.1 304 ") && again.head.contains("ETag: \(tag)") && again.body.isEmpty)
            }
            #expect(try get("/style.css", "If-None-Match: \"other\"\r\n", from: client).head.hasPrefix("HTTP/1.1 200 "))
            let head = try get("/style.css", method: "HEAD", from: client).head
            #expect(head == first)
        }
    }

    @Test("a client that accepts gzip gets the compressed file, which the build made, under a tag of its own")
    func gzip() throws {
        let file = try #require(WebFiles.all.first { $0.path == "/style.css" })
        func response(_ accepted: String?) -> (status: Int, headers: HTTPHeaders, body: [UInt8]) {
            let (status, headers, body) = file.response(to: accepted.map { ["Accept-Encoding": $0] } ?? [:])
            return (status, headers, Array(body.readableBytesView))
        }
        let plain = response(nil)
        let packed = response("br, gzip;q=0.5")
        #expect(packed.headers.first(name: "Content-Encoding") == "gzip" && packed.body.count < plain.body.count / 2)
        #expect(packed.body.prefix(2) == [0x1F, 0x8B])
        #expect(packed.headers.first(name: "ETag") != plain.headers.first(name: "ETag"))
        // RFC 1952: the size of the content ends the file.
        let size = packed.body.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(size == plain.body.count)
        for refused in ["gzip;q=0", "gzip; q=0.000", "br", ""] {
            #expect(response(refused).headers.first(name: "Content-Encoding") == nil, "\(refused)")
        }
    }
}
