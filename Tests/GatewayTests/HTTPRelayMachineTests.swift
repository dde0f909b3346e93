import NIOCore
import Schema
import ServiceKit
import Testing
import Wire

@testable import GatewayService

@Suite("The rules of an HTTP exchange") struct HTTPRelayMachineTests {
    private static let route = HttpRoute(
        path: "/f/", below: true, methods: ["GET", "PUT"], headers: ["range"], bodyBytesMax: 1_000_000,
        cacheControl: "private")

    private func machine(_ method: String = "PUT", expectsContinue: Bool = false) -> HTTPRelayMachine {
        HTTPRelayMachine(
            HttpRequest(
                method: method, path: "/f/x",
                headers: [HttpHeader(name: "range", value: "bytes=0-"), HttpHeader(name: "cookie", value: "secret")]),
            route: Self.route, expectsContinue: expectsContinue)
    }

    private func bytes(_ count: Int) -> ByteBuffer { ByteBuffer(repeating: 7, count: count) }

    private func piece(_ actions: [HTTPRelayMachine.Action]) throws -> HttpPiece {
        guard case .ask(let request, let body) = try #require(actions.last) else { throw Unexpected(actions: actions) }
        return HttpPiece(request, body: Array(body.readableBytesView)[...])
    }

    private struct Unexpected: Error { var actions: [HTTPRelayMachine.Action] }

    @Test("the service sees the request before its body is read, and only the headers that its route lists")
    func first() throws {
        var machine = machine()
        let first = try piece(machine.start())
        let request = first.request
        #expect(request.headers.map(\.name) == ["range"] && first.body.isEmpty && !request.bodyEnds)
        #expect(machine.received(bytes(10)) == [], "one piece at a time")
    }

    @Test("a body is passed on in pieces, and the client is not read while a whole piece waits")
    func pieces() throws {
        var machine = machine()
        _ = machine.start()
        #expect(!machine.wantsBytes, "the service is asked first")
        #expect(machine.received(bytes(HTTPRelayMachine.pieceBytes + 5)) == [])
        let second = try piece(machine.answered(.success(HttpReply(state: [1]))))
        #expect(
            second.body.count == HTTPRelayMachine.pieceBytes && second.request.bodyOffset == 0
                && second.request.state == [1])
        #expect(machine.receivedEnd() == [])
        let third = try piece(machine.answered(.success(HttpReply(state: [2]))))
        #expect(
            third.body.count == 5 && third.request.bodyOffset == Int64(HTTPRelayMachine.pieceBytes)
                && third.request.bodyEnds)
        let last = machine.answered(.success(HttpReply(status: 204)))
        guard case .begin(204, _) = last.first else { throw Unexpected(actions: last) }
        #expect(last.last == .end && machine.isOver)
    }

    @Test("a response has a length, a cache rule and no header between neighbours; an error is not cached")
    func headers() throws {
        for (reply, expected) in [
            (
                HttpReply(status: 200, headers: [HttpHeader(name: "Connection", value: "upgrade")], body: [1, 2]),
                "private"
            ),
            (HttpReply(status: 404, body: [1, 2]), "no-store"),
            (
                HttpReply(status: 200, headers: [HttpHeader(name: "cache-control", value: "no-cache")], body: [1, 2]),
                "no-cache"
            ),
        ] {
            var machine = machine("GET")
            _ = machine.start()
            _ = machine.receivedEnd()
            _ = machine.answered(.success(HttpReply()))
            let actions = machine.answered(.success(reply))
            guard case .begin(_, let headers) = actions.first else { throw Unexpected(actions: actions) }
            let found = Dictionary(uniqueKeysWithValues: headers.map { ($0.name.lowercased(), $0.value) })
            #expect(found["cache-control"] == expected && found["content-length"] == "2" && found["connection"] == nil)
            #expect(found["x-content-type-options"] == "nosniff")
            #expect(actions.dropFirst() == [.write([1, 2]), .end])
        }
    }

    @Test("at most two pieces of a response are being written")
    func writing() throws {
        var machine = machine("GET")
        _ = machine.start()
        _ = machine.receivedEnd()
        let first = HttpReply(
            status: 200, headers: [HttpHeader(name: "Content-Length", value: "6")], body: [1, 2], more: true)
        #expect(try piece(machine.answered(.success(first))).request.replyOffset == 2)
        #expect(machine.answered(.success(HttpReply(body: [3, 4], more: true))) == [.write([3, 4])])
        #expect(try piece(machine.wrote()).request.replyOffset == 4)
        #expect(machine.answered(.success(HttpReply(body: [5, 6]))) == [.write([5, 6]), .end])
        for _ in 1...2 { #expect(machine.wrote() == []) }
    }

    @Test("a response longer or shorter than it announced is cut, since the rest would pass for the next response")
    func wrongLength() {
        for body in [[UInt8](repeating: 1, count: 3), [1]] {
            var machine = machine("GET")
            _ = machine.start()
            _ = machine.receivedEnd()
            let reply = HttpReply(
                status: 200, headers: [HttpHeader(name: "Content-Length", value: "2")], body: body)
            #expect(machine.answered(.success(reply)).last == .cut)
        }
    }

    @Test("HEAD, 204 and 304 have no body, whatever the service sends")
    func withoutBody() {
        for (method, status) in [("HEAD", 200), ("GET", 204), ("GET", 304)] as [(String, UInt32)] {
            var machine = machine(method)
            _ = machine.start()
            _ = machine.receivedEnd()
            let actions = machine.answered(.success(HttpReply(status: status, body: [1], more: true)))
            #expect(actions.count == 2 && actions.last == .end, "\(actions)")
        }
    }

    @Test("a body beyond the limit is refused while it arrives, and the rest is discarded")
    func tooLong() throws {
        var machine = machine()
        _ = machine.start()
        _ = machine.received(bytes(900_000))
        let actions = machine.received(bytes(200_000))
        guard case .begin(413, _) = actions.first else { throw Unexpected(actions: actions) }
        #expect(machine.isOver && !machine.wantsBytes && !machine.hasEnded)
        #expect(machine.received(bytes(10)) == [] && machine.answered(.success(HttpReply())) == [])
    }

    @Test("a client that waits for 100 Continue gets it once the service wants the body, and never after the end")
    func proceed() {
        var machine = machine(expectsContinue: true)
        _ = machine.start()
        #expect(machine.answered(.success(HttpReply())).first == .proceed)
        #expect(machine.receivedEnd().count == 1)
        var refused = self.machine(expectsContinue: true)
        _ = refused.start()
        #expect(!refused.answered(.success(HttpReply(status: 403))).contains(.proceed))
    }

    @Test("a failing service gives a problem before the response has begun, and cuts it afterwards")
    func failures() throws {
        var machine = machine("GET")
        _ = machine.start()
        _ = machine.receivedEnd()
        var late = machine
        let actions = machine.answered(.failure(.unavailable("gone")))
        guard case .begin(503, let headers) = actions.first else { throw Unexpected(actions: actions) }
        #expect(headers.contains { $0.name == "Retry-After" } && actions.last == .end)
        _ = late.answered(.success(HttpReply(status: 200, body: [1], more: true)))
        #expect(late.answered(.failure(.deadline)) == [.cut])
    }

    @Test("an exchange is silent when only the client could move it and has not")
    func silence() {
        var machine = machine()
        _ = machine.start()
        for _ in 1...2 { check(&machine, isSilent: false) }  // The service has not replied.
        _ = machine.answered(.success(HttpReply()))
        check(&machine, isSilent: false)
        _ = machine.received(bytes(1))
        check(&machine, isSilent: true)  // One byte is not enough.
        _ = machine.received(bytes(16 * 1024))
        check(&machine, isSilent: false)
    }

    private func check(
        _ machine: inout HTTPRelayMachine, isSilent: Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let found = machine.isSilent()
        #expect(found == isSilent, sourceLocation: sourceLocation)
    }

    @Test("methods, path and declared length are checked against the route")
    func checks() {
        func status(_ method: String, _ path: String, _ length: Int64?) -> UInt32? {
            HTTPRelayMachine.refusal(method: method, path: path, length: length, route: Self.route)?.status
        }
        #expect(status("GET", "/f/x", nil) == nil && status("PUT", "/f/x", 1_000_000) == nil)
        #expect(status("DELETE", "/f/x", nil) == 405 && status("PUT", "/f/x", 1_000_001) == 413)
        #expect(status("GET", "/f/" + String(repeating: "x", count: 6142), nil) == 414)
    }
}
