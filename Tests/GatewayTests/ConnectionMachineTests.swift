import NIOCore
import NIOHTTP1
import Schema
import ServiceKit
import Testing
import Wire

@testable import GatewayService

/// Each test is a table of what comes to a connection, and what it does then. No socket is needed.
@Suite("The rules of a connection before it is a session") struct ConnectionMachineTests {
    // MARK: Requests

    @Test("pipelined requests are answered one after the other; nothing is parsed in between")
    func pipelining() {
        var play = Play()
        play(.start, ["within handshake"])
        play(.head(), ["body 0", "decide /f/1"])
        #expect(play.machine.isHeld)
        play(.refuse(.noPath), ["404 keep-alive", "problem", "within silence", "end"])
        play(.written, [])
        #expect(play.machine.isHeld, "the request has not ended")
        play(.end, ["within idle"])
        #expect(!play.machine.isHeld)
        play(.head(), ["body 0", "decide /f/1"])
        play(.own(.health), [])
        play(.end, ["within silence", "health"])
        play(.health("{}"), ["end exchange", "200 keep-alive", "write 2", "within silence", "end"])
        #expect(play.machine.isHeld)
        play(.written, ["within idle"])
        play(.health("{}"), [])
    }

    @Test("a body goes to the service in pieces, and is read only while it wants more")
    func upload() {
        var play = Play()
        play(.head("PUT", length: 5), ["body 5", "decide /f/1"])
        play(.relay, ["no timeout", "exchange", "ask 0+0"])
        #expect(play.machine.isHeld)
        play(.reply(HttpReply()), ["room to read"])
        #expect(!play.machine.isHeld)
        play(.body(5), [])
        play(.end, ["ask 0+5 and end"])
        #expect(play.machine.isHeld)
        play(
            .reply(HttpReply(status: 204)),
            ["204 keep-alive", "no room to read", "end exchange", "within silence", "end"])
        play(.written, ["within idle"])
    }

    @Test("a client that waits for 100 Continue gets it before its body is read")
    func expects() {
        var play = Play()
        play(.head("PUT", length: 5, ["expect": "100-continue"]), ["body 5", "decide /f/1"])
        play(.relay, ["no timeout", "exchange", "ask 0+0"])
        play(.reply(HttpReply()), ["continue", "room to read"])
    }

    @Test("the answer to HEAD has no body, of the gateway as of a service")
    func head() {
        var play = Play()
        play(.head("HEAD"), ["body 0", "decide /f/1"])
        play(.refuse(.noPath), ["404 keep-alive", "within silence", "end"])
        play(.end, [])
        play(.written, ["within idle"])
        play(.head("HEAD"), ["body 0", "decide /f/1"])
        play(.relay, ["no timeout", "exchange", "ask 0+0"])
        play(.end, [])
        play(.reply(HttpReply()), ["ask 0+0 and end"])
        play(
            .reply(HttpReply(status: 200, body: [1, 2])),
            ["200 keep-alive", "end exchange", "within silence", "end"])
    }

    @Test("after a request for an upgrade, in chunks, or with a body that is refused, the connection ends")
    func last() {
        for (method, headers, length) in [
            ("GET", ["upgrade": "h2c"], 0), ("PUT", ["transfer-encoding": "chunked"], 0), ("PUT", [:], 7),
            ("GET", ["connection": "close"], 0), ("CONNECT", [:], 0),
        ] {
            var play = Play()
            let isChunked = headers["transfer-encoding"] != nil
            play(.head(method, length: length, headers), [isChunked ? "chunks" : "body \(length)", "decide /f/1"])
            play(.refuse(.noPath), ["404 close", "problem", "within silence", "end"])
            play(.written, ["close output", "within linger"])
            #expect(play.machine.isDiscarding)
            play(.body(3), [])
            play(.end, [])
            play(.head(), [])
            play(.timeout, ["reset"])
        }
    }

    @Test("a connection has so many requests; none beyond the limit of connections, or while newcomers are many")
    func limits() {
        var play = Play { $0.requestsPerConnection = 2 }
        for connection in ["keep-alive", "close"] {
            play(.head(), ["body 0", "decide /f/1"])
            play(.refuse(.noPath), ["404 \(connection)", "problem", "within silence", "end"])
            play(.end, [])
            play(.written, connection == "close" ? ["close output", "within linger"] : ["within idle"])
        }
        play = Play(isOverLimit: true)
        play(.head(), ["body 0", "503 close", "problem", "within silence", "end"])
        play = Play()
        play(.head(staysOpen: false), ["body 0", "decide /f/1"])
        play(.refuse(.noPath), ["404 close", "problem", "within silence", "end"])
    }

    @Test("a request without a host is refused, and ends the connection")
    func host() {
        var play = Play()
        play(.head("GET", ["host": nil]), ["body 0", "400 close", "problem", "within silence", "end"])
    }

    // MARK: Bodies and responses that go wrong

    @Test("a response that comes while the body still arrives is the last, and the rest is dropped")
    func early() {
        var play = Play()
        play(.head("PUT", length: 500), ["body 500", "decide /f/1"])
        play(.relay, ["no timeout", "exchange", "ask 0+0"])
        play(.reply(HttpReply()), ["room to read"])
        play(.body(100), [])
        play(
            .reply(HttpReply(status: 403, body: [1])),
            ["403 close", "write 1", "no room to read", "end exchange", "within silence", "end"])
        #expect(play.machine.isDiscarding)
        play(.written, ["close output", "within linger"])
        play(.body(100), [])
    }

    @Test("a body that grows beyond its route's limit is refused while it arrives")
    func tooLarge() {
        var play = Play()
        play(.head("PUT", ["transfer-encoding": "chunked"]), ["chunks", "decide /f/1"])
        play(.relay, ["no timeout", "exchange", "ask 0+0"])
        play(.reply(HttpReply()), ["room to read"])
        play(
            .body(1_000_001),
            ["413 close", "problem", "no room to read", "end exchange", "within silence", "end"])
        #expect(play.machine.isHeld && play.machine.isDiscarding)
        play(.reply(HttpReply()), [])
    }

    @Test("a service that fails is a problem before the response has begun, and cuts it afterwards")
    func failing() {
        let length = HttpHeader(name: "Content-Length", value: "4")
        for hasBegun in [false, true] {
            var play = Play()
            play(.head(), ["body 0", "decide /f/1"])
            play(.relay, ["no timeout", "exchange", "ask 0+0"])
            play(.end, [])
            play(.reply(HttpReply()), ["ask 0+0 and end"])
            if hasBegun {
                let first = HttpReply(status: 200, headers: [length], body: [1, 2], more: true)
                play(.reply(first), ["200 keep-alive", "write 2", "ask 0+0 and end, from 2"])
            }
            play(
                .failure(.unavailable("gone")),
                hasBegun
                    ? ["cut"] : ["503 keep-alive", "problem", "end exchange", "within silence", "end"])
        }
    }

    @Test("of a long response, two pieces are being written at most")
    func pieces() {
        var play = Play()
        let size = GatewayLimits().responseBufferBytes + 1
        let length = HttpHeader(name: "Content-Length", value: "\(3 * size)")
        let body = [UInt8](repeating: 7, count: size)
        play(.head(), ["body 0", "decide /f/1"])
        play(.relay, ["no timeout", "exchange", "ask 0+0"])
        play(.end, [])
        play(.reply(HttpReply()), ["ask 0+0 and end"])
        play(
            .reply(HttpReply(status: 200, headers: [length], body: body, more: true)),
            ["200 keep-alive", "room to send", "write \(size)", "ask 0+0 and end, from \(size)"])
        play(.reply(HttpReply(body: body, more: true)), ["write \(size)"])
        play(.wrote, ["ask 0+0 and end, from \(2 * size)"])
        play(
            .reply(HttpReply(body: body)),
            ["write \(size)", "end exchange", "within silence", "end"])
        // Not before: what is written reaches the kernel after all of these.
        play(.written, ["no room to send", "within idle"])
    }

    @Test("what is no HTTP is refused, unless it follows a request that is being answered")
    func broken() {
        var play = Play()
        play(.broken(.invalidMethod), ["400 close", "problem", "within silence", "end"])
        play = Play()
        play(.broken(.headerOverflow), ["431 close", "problem", "within silence", "end"])
        play = Play()
        play(.broken(nil), ["cut"])
        play = Play()
        play(.head(), ["body 0", "decide /f/1"])
        play(.relay, ["no timeout", "exchange", "ask 0+0"])
        play(.end, [])
        play(.broken(.invalidMethod), [])
        play(.reply(HttpReply()), ["ask 0+0 and end"])
        play(
            .reply(HttpReply(status: 200, body: [1])),
            ["200 close", "write 1", "end exchange", "within silence", "end"]
        )
    }

    // MARK: Time, halves and the end

    /// What leads from a new connection to each of its states.
    private static let states: [(name: String, way: [Input])] = [
        ("waiting", []), ("reading", [.head(), .own(.health)]), ("relaying", [.head("PUT", length: 5), .relay]),
        ("relaying, after the request", [.head(), .relay, .end]), ("answering", [.head(), .own(.health), .end]),
        ("waiting again", [.head(), .refuse(.noPath), .end, .written]),
        ("answered", [.head(), .refuse(.noPath), .written]),
        ("closing", [.head("GET", ["connection": "close"]), .refuse(.noPath), .end, .written]),
        ("upgraded", [.head(), .own(.socket), .end, .handshake(isValid: true)]),
    ]

    private func expect(_ input: Input, _ expected: [String: [String]], else otherwise: [String]) {
        for (name, way) in Self.states {
            var play = Play()
            for step in way { _ = play.machine.take(step) }
            play(input, expected[name] ?? otherwise, "\(name)")
        }
    }

    @Test("time: a client that sends no request gets 408, an idle one nothing; who does not read is cut")
    func time() {
        let refused = ["408 close", "problem", "within linger", "end"]
        expect(
            .timeout,
            [
                "waiting": refused, "reading": refused, "waiting again": ["cut"], "relaying": [],
                "relaying, after the request": [], "upgraded": [],
            ], else: ["reset"])
    }

    @Test("a client that ends its side gets the responses to what it has sent in whole")
    func halves() {
        expect(
            .inputClosed, ["relaying, after the request": [], "answering": [], "upgraded": []], else: ["cut"])
    }

    @Test("a stopping gateway ends idle connections at once, and the others after their response")
    func drain() {
        expect(.drain, ["waiting": ["cut"], "waiting again": ["cut"]], else: [])
        for way: [Input] in [[.head(), .own(.health)], [.head(), .own(.health), .end]] {
            var play = Play()
            for step in way { _ = play.machine.take(step) }
            play(.drain, [])
            if way.count == 2 { play(.end, ["within silence", "health"]) }
            play(.health("{}"), ["end exchange", "200 close", "write 2", "within silence", "end"])
            play(.written, ["close output", "within linger"])
        }
    }

    @Test("a handshake makes a session, after which nothing is answered; one that is not valid is refused")
    func handshake() {
        for isValid in [true, false] {
            var play = Play()
            play(.head("GET", ["upgrade": "websocket"]), ["body 0", "decide /f/1"])
            play(.own(.socket), [])
            play(.end, ["upgrade"])
            play(
                .handshake(isValid: isValid),
                isValid ? ["session"] : ["400 close", "problem", "within silence", "end"])
            #expect(play.machine.isUpgraded == isValid)
        }
    }

    // MARK: What counts

    @Test("an address that sends too many requests is answered, and then not read for a while; a proxy's gets 429")
    func pauses() {
        var play = Play()
        play(.head(pause: .seconds(3)), ["body 0", "decide /f/1"])
        play(.refuse(.noPath), ["404 keep-alive", "problem", "within silence", "end"])
        play(.end, [])
        play(.written, ["within idle + 3.0 seconds", "pause 3.0 seconds"])
        play = Play()
        play(.head(pause: .seconds(3)), ["body 0", "decide /f/1"])
        play(
            .decide(HTTPDecision(outcome: .refuse(.noPath), pause: .seconds(9))),
            ["404 keep-alive", "problem", "within silence", "end"])
        play(.end, [])
        play(.written, ["within idle + 9.0 seconds", "pause 9.0 seconds"])
        play = Play(peer: nil)
        play(.head(pause: .seconds(3)), ["body 0", "429 keep-alive", "problem", "within silence", "end"])
        play(.end, [])
        play(.written, ["within idle", "go on"])
    }

    @Test("reads that bring no request count, and small ones of a body; large ones do not")
    func counts() {
        var play = Play()
        play(.arrived(10), [])
        play(.settle, ["count 1 of 192.0.2.1"])
        play(.settle, [])
        play(.arrived(10), [])
        play(.head("PUT", length: 9_000), ["body 9000", "decide /f/1"])
        play(.settle, [])
        play(.relay, ["no timeout", "exchange", "ask 0+0"])
        play(.reply(HttpReply()), ["room to read"])
        play(.arrived(8_000), [])
        play(.body(8_000), [])
        play(.settle, [])
        play(.arrived(2), [])
        play(.body(1), [])
        play(.body(1), [])
        play(.settle, ["count 3 of 192.0.2.1"])
        play = Play(peer: nil)
        play(.arrived(10), [])
        play(.settle, [])
    }

    @Test("whoever sends more than may wait gets the response that is due, and no other")
    func overflow() {
        var play = Play()
        play(.head(), ["body 0", "decide /f/1"])
        play(.own(.health), [])
        play(.end, ["within silence", "health"])
        play(.overflow, [])
        #expect(play.machine.isDiscarding)
        play(.health("{}"), ["end exchange", "200 close", "write 2", "within silence", "end"])
        play(.written, ["close output", "within linger"])
    }
}

/// What comes to a connection.
private enum Input {
    case start, end, timeout, inputClosed, drain, wrote, written, settle, overflow
    case head(
        _ method: String = "GET", length: Int = 0, _ headers: [String: String?] = [:], pause: Duration? = nil,
        staysOpen: Bool = true)
    case decide(HTTPDecision)
    case body(Int)
    case arrived(Int)
    case broken(HTTPParserError?)
    case reply(HttpReply)
    case failure(Refusal)
    case health(String)
    case handshake(isValid: Bool)

    static func refuse(_ problem: HTTPProblem) -> Input { .decide(HTTPDecision(outcome: .refuse(problem))) }
    static func own(_ own: HTTPDecision.Own) -> Input { .decide(HTTPDecision(outcome: .answer(own))) }

    static let relay = Input.decide(
        HTTPDecision(
            outcome: .relay(
                HTTPDecision.Relay(
                    route: HttpRoute(path: "/f/", below: true, methods: ["PUT"], bodyBytesMax: 1_000_000), service: 1,
                    kind: .upload))))
}

extension ConnectionMachine {
    fileprivate mutating func take(_ input: Input) -> [Action] {
        switch input {
        case .start: return start()
        case .end: return receivedEnd()
        case .timeout: return timedOut()
        case .inputClosed: return inputClosed()
        case .drain: return drain()
        case .wrote: return wrote()
        case .written: return written()
        case .settle: return settle()
        case .overflow:
            overflowed()
            return []
        case .head(let method, let length, let changes, let pause, let staysOpen):
            var headers = ["host": "parley", "content-length": length > 0 ? "\(length)" : nil]
            headers.merge(changes) { $1 }
            let head = HTTPRequestHead(
                version: .http1_1, method: HTTPMethod(rawValue: method), uri: "/f/1",
                headers: HTTPHeaders(headers.compactMap { name, value in value.map { (name, $0) } }))
            let demand = HTTPDemand(head, address: "192.0.2.1")
            return received(demand, place: "192.0.2.1", pause: pause, staysOpen: staysOpen)
        case .decide(let decision): return decided(decision)
        case .body(let count): return received(ByteBuffer(repeating: 7, count: count))
        case .arrived(let count):
            _ = arrived(count)
            return []
        case .broken(let error): return failed(error)
        case .reply(let reply): return answered(.success(reply))
        case .failure(let refusal): return answered(.failure(refusal))
        case .health(let json): return answeredHealth(200, json)
        case .handshake(let isValid): return upgrade(isValid ? HTTPHeaders() : nil)
        }
    }
}

/// A connection, and what it does told in words.
private struct Play {
    var machine: ConnectionMachine
    private let limits: GatewayLimits

    init(isOverLimit: Bool = false, peer: String? = "192.0.2.1", _ change: (inout GatewayLimits) -> Void = { _ in }) {
        var limits = GatewayLimits()
        change(&limits)
        self.limits = limits
        machine = ConnectionMachine(
            rules: SessionRules(limits: limits, services: []), isOverLimit: isOverLimit, peer: peer)
    }

    mutating func callAsFunction(
        _ input: Input, _ expected: [String], _ comment: Comment = "", sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(machine.take(input).map(words) == expected, comment, sourceLocation: sourceLocation)
    }

    private func words(_ action: ConnectionMachine.Action) -> String {
        switch action {
        case .expectBody(let length): length.map { "body \($0)" } ?? "chunks"
        case .decide(let request): "decide \(request.target)"
        case .count(let count, let place): "count \(count) of \(place)"
        case .pause(let wait): "pause \(wait)"
        case .endPause: "go on"
        case .buildUpgrade: "upgrade"
        case .becomeSession: "session"
        case .askHealth: "health"
        case .beginExchange: "exchange"
        case .ask(let piece, let body):
            "ask \(piece.bodyOffset)+\(body.readableBytes)" + (piece.bodyEnds ? " and end" : "")
                + (piece.replyOffset > 0 ? ", from \(piece.replyOffset)" : "")
        case .endExchange: "end exchange"
        case .makeRoomToRead(let isNeeded): isNeeded ? "room to read" : "no room to read"
        case .makeRoomToSend(let isNeeded): isNeeded ? "room to send" : "no room to send"
        case .proceed: "continue"
        case .begin(let status, let headers): "\(status) \(headers["connection"].joined())"
        case .write(let body):
            String(buffer: body).hasPrefix("{\"code\"") ? "problem" : "write \(body.readableBytes)"
        case .end: "end"
        case .setTimeout(let limit): "within \(name(of: limit))"
        case .stopTimeout: "no timeout"
        case .close: "cut"
        case .closeOutput: "close output"
        case .reset: "reset"
        }
    }

    private func name(of limit: Duration) -> String {
        switch limit {
        case limits.handshakeTimeout: "handshake"
        case limits.exchangeSilence: "silence"
        case ConnectionMachine.lingerTimeout: "linger"
        case limits.keepAliveTimeout: "idle"
        default: "idle + \(limit - limits.keepAliveTimeout)"
        }
    }
}
