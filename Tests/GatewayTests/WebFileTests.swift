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

    /// Returns the paths that a page names.
    private func named(by page: String) -> Set<String> {
        Set(page.matches(of: /(?:src|href)="(\/[^"]*)"/).map { String($0.1) })
    }

    @Test("T5 each page and everything it names are served, with their types and with rules for the browser")
    func pages() async throws {
        try await with { client in
            for path in ["/", "/status"] {
                let (head, page) = try get(path, from: client)
                #expect(head.hasPrefix("HTTP/1.1 200 ") && head.contains("Content-Type: text/html; charset=utf-8"))
                #expect(head.contains("X-Content-Type-Options: nosniff"))
                #expect(head.contains("Referrer-Policy: no-referrer"))
                let names = named(by: page).subtracting(["/health"])
                #expect(names.count >= 4, "\(path)")
                for name in names {
                    let (head, body) = try get(name, from: client)
                    #expect(head.hasPrefix("HTTP/1.1 200 ") && !body.isEmpty, "\(name)")
                }
                // Nothing inline, of which the rules allow nothing.
                #expect(!page.contains("<style") && !page.contains(" style="))
                #expect(page.firstMatch(of: /\son[a-z]+=/) == nil)
                #expect(page.matches(of: /<script/).count == page.matches(of: /<script src="/).count)
            }
            for path in [
                "/index.html", "/status.html", "/style.css/", "/../Package.swift", "/%2e%2e/style.css", "//style.css",
                "/app", "/app/", "/app/chat.js", "/app/../status",
            ] {
                #expect(try get(path, from: client).head.hasPrefix("HTTP/1.1 404 "), "\(path)")
            }
            #expect(try get("/style.css?v=2", from: client).head.contains("Content-Type: text/css"))
            #expect(try get("/", method: "POST", from: client).head.hasPrefix("HTTP/1.1 405 "))
        }
    }

    @Test("a page may use what comes from its gateway, and what it made itself, and no other page may embed it")
    func security() async throws {
        try await with { client in
            let policy = """
                default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
                connect-src 'self'; worker-src 'self'; manifest-src 'self'; media-src 'self' blob:; base-uri 'none'; \
                form-action 'none'; frame-ancestors 'none'
                """
            for path in ["/", "/status", "/icon.svg"] {
                let (head, _) = try get(path, from: client)
                #expect(head.contains("Content-Security-Policy: \(policy)\r\n"), "\(path)")
            }
        }
    }

    @Test("what has its content in its name stays for ever, everything else is asked for again")
    func caching() async throws {
        let chat = WebFile.all.filter { $0.path.hasPrefix("/app/") }
        // A build without esbuild has a page that says so in place of the chat.
        let isBuilt = !chat.isEmpty
        try await with { client in
            for file in WebFile.all {
                let head = try get(file.path, from: client).head
                let isNamed = file.path.wholeMatch(of: /\/app\/[A-Za-z]+-[A-Z0-9]{8}\.(?:js|css)/) != nil
                #expect(
                    head.contains(
                        isNamed
                            ? "Cache-Control: public, max-age=31536000, immutable\r\n" : "Cache-Control: no-cache\r\n"),
                    "\(file.path)")
                #expect(head.contains("ETag: \"") && head.contains("Vary: Accept-Encoding"))
            }
            let page = try get("/", from: client).body
            let names = named(by: page)
            let (first, later) = (
                chat.filter { $0.path.hasPrefix("/app/chat-") }, chat.filter { !$0.path.hasPrefix("/app/chat-") }
            )
            #expect(first.allSatisfy { names.contains($0.path) })
            guard isBuilt else { return #expect(page.contains("deploy/install-packages")) }
            // What loads on use is named by a script alone.
            #expect(first.count == 2 && !later.isEmpty && !later.contains { names.contains($0.path) })
            for path in ["/worker.js", "/chat.webmanifest"] {
                #expect(try get(path, from: client).head.hasPrefix("HTTP/1.1 200 "))
            }
            #expect(try get("/chat.webmanifest", from: client).head.contains("application/manifest+json"))
            let worker = try get("/worker.js", from: client).body
            #expect(chat.allSatisfy { worker.contains("\"\($0.path)\"") } && worker.contains("\"/\""))
        }
    }

    @Test("T5 a first visit takes at most 120,000 bytes: the page and what it loads without being asked")
    func firstVisit() throws {
        let files = Dictionary(uniqueKeysWithValues: WebFile.all.map { ($0.path, $0) })
        func body(of path: String, _ coding: String) throws -> [UInt8] {
            let (_, headers, body) = try #require(files[path], "\(path)").response(to: ["Accept-Encoding": coding])
            return headers.first(name: "Content-Encoding") == coding ? Array(body.readableBytesView) : []
        }
        func text(of path: String) throws -> String {
            let (_, _, body) = try #require(files[path], "\(path)").response(to: [:])
            return String(buffer: body)
        }
        var wanted = Array(try named(by: text(of: "/")).filter { $0 != "/status" })
        var loaded: [String: Int] = [:]
        while let path = wanted.popLast() {
            guard loaded[path] == nil else { continue }
            loaded[path] = try body(of: path, "br").count
            guard path.hasSuffix(".js") else { continue }
            // A script names what it loads at once behind `from` or a bare `import`; what it loads on use, in brackets.
            wanted += try text(of: path).matches(of: /(?:from|import)"\.\/([^"]+)"/).map { "/app/\($0.1)" }
        }
        let bytes = try loaded.values.reduce(body(of: "/", "br").count, +)
        #expect(bytes <= 120_000, "\(loaded)")
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
            // A tag is of one coding.
            let packed = try get("/style.css", "Accept-Encoding: gzip\r\nIf-None-Match: \(tag)\r\n", from: client).head
            #expect(packed.hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test("each coding that a client accepts is what the build made, under a tag of its own")
    func variants() throws {
        let file = try #require(WebFile.all.first { $0.path == "/style.css" })
        func response(_ accepted: String?) -> (status: Int, headers: HTTPHeaders, body: [UInt8]) {
            let (status, headers, body) = file.response(to: accepted.map { ["Accept-Encoding": $0] } ?? [:])
            return (status, headers, Array(body.readableBytesView))
        }
        let plain = response(nil)
        let packed = response("gzip;q=0.5")
        #expect(packed.headers.first(name: "Content-Encoding") == "gzip" && packed.body.count < plain.body.count / 2)
        #expect(packed.body.prefix(2) == [0x1F, 0x8B])
        #expect(packed.headers.first(name: "ETag") != plain.headers.first(name: "ETag"))
        // RFC 1952: the size of the content ends the file.
        let size = packed.body.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(size == plain.body.count)
        let brotli = response("br")
        // Without the program, the build made none.
        if let coding = brotli.headers.first(name: "Content-Encoding") {
            #expect(coding == "br" && brotli.body.count < packed.body.count)
            #expect(Set([plain, packed, brotli].map { $0.headers.first(name: "ETag") }).count == 3)
            #expect(response("gzip, deflate, br").body == brotli.body, "the smallest")
        } else {
            #expect(brotli.body == plain.body)
        }
        let none = response("identity;q=0")
        #expect(none.status == 406 && none.headers.first(name: "ETag") == nil)
        #expect(none.headers.first(name: "Content-Length") == "\(none.body.count)")
    }

    @Test("Accept-Encoding is read as RFC 9110 says, whatever it has")
    func codings() {
        let long = String(repeating: "gzip;q=0.1,", count: 700)
        for (header, br, gzip, identity) in [
            ("", 0, 0, 1), ("gzip", 0, 1000, 1), ("gzip, deflate, br", 1000, 1000, 1), ("GZIP , Br", 1000, 1000, 1),
            ("br;q=0.5, gzip;q=0.50, identity;q=1", 500, 500, 1000), ("x-gzip", 0, 1000, 1),
            ("gzip;q=0", 0, 0, 1), ("gzip; q=0.000", 0, 0, 1), ("gzip;q=0.001", 0, 1, 1), ("gzip;q=1.000", 0, 1000, 1),
            ("*", 1000, 1000, 1), ("*;q=0", 0, 0, 0), ("*;q=0, gzip", 0, 1000, 0), ("*;q=0.3, br;q=0", 0, 300, 1),
            ("identity;q=0", 0, 0, 0), ("identity;q=0, *", 1000, 1000, 0), ("identity, *;q=0", 0, 0, 1000),
            // What is no weight says nothing about its coding.
            ("gzip;q=2", 0, 0, 1), ("gzip;q=-1", 0, 0, 1), ("gzip;q=0.0001", 0, 0, 1), ("gzip;q=", 0, 0, 1),
            ("gzip;q=abc", 0, 0, 1), ("gzip;level=9", 0, 0, 1), ("gzip;q=1;q=0", 0, 0, 1), ("gzip;", 0, 0, 1),
            ("gzip q=1", 0, 0, 1), (",,;;,=;q,", 0, 0, 1), ("gzip;q=٣", 0, 0, 1), ("gzipped, brotli", 0, 0, 1),
            ("gzip;q=0, gzip;q=1", 0, 0, 1), (long, 0, 100, 1),
        ] {
            let weights = ContentCoding.weights(of: [header])
            #expect(weights == [.br: br, .gzip: gzip, .identity: identity], "\(header.prefix(40))")
        }
        #expect(ContentCoding.weights(of: []) == [.br: 0, .gzip: 0, .identity: 1])
        #expect(ContentCoding.weights(of: ["br;q=0.2", "gzip"]) == [.br: 200, .gzip: 1000, .identity: 1])
    }
}
