import Dispatch
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOWebSocket
import Reactor
import Synchronization
import Wire

@testable import GatewayService
@testable import Schema
@testable import ServiceKit

extension FuzzTarget {
    /// A connection to the gateway from its first byte, with HTTP, the handshake, WebSocket frames and sessions. An
    /// input is a sequence of arriving pieces, replies of services and Updates.
    static let socket = FuzzTarget("socket", bytesMax: 8192, seeds: socketSeeds) { input in
        var choices = Choices(input)
        let play = try SocketPlay()
        if choices.byte() & 1 == 0 { try play.arrive(Array(handshake.utf8)) }
        while !choices.isEmpty { try play.step(&choices) }
        try play.end()
    }

    private static let handshake = """
        GET /v1/socket HTTP/1.1\r\nHost: parley\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
        Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
        Sec-WebSocket-Protocol: parley.v1\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n
        """

    private static func socketSeeds() -> [[UInt8]] {
        func frame(_ frame: ClientFrame.Frame) -> [UInt8] { ClientFrame(frame: frame).encode() }
        let hello = frame(.hello(Hello(version: 1)))
        let request = frame(.request(Request(id: 5, method: "messaging.SendMessage", key: "k", body: [1, 2, 3])))
        func masked(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
            [0] + piece([first, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload)
        }
        return [
            [1, 0] + piece(handshake.utf8), [1, 0] + piece("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".utf8) + [5],
            [1, 0] + piece("GET /f/1 HTTP/1.1\r\nHost: a\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\n\r\n".utf8) + [
                5, 1, 5,
            ]
                + [0] + piece("PUT /f/2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n".utf8) + [5, 0, 0]
                + piece("ab".utf8) + [5, 2, 5, 3] + [0] + piece(handshake.utf8),
            [1, 0] + piece(handshake.utf8 + [0x82, 0x82, 0, 0, 0, 0, 1, 2]),
            [0] + masked(0x82, hello) + masked(0x82, request) + [2, 0, 3, 1],
            [0, 1] + piece(hello) + [1] + piece(request) + [1] + piece(request) + [2, 1, 4],
            // A fragmented hello with a ping in between, then a close.
            [0] + masked(0x02, Array(hello.prefix(1))) + masked(0x89, [7]) + masked(0x80, Array(hello.dropFirst()))
                + masked(0x88, [3, 0xE8]),
            [0] + masked(0x82, frame(.hello(Hello(version: 1, token: "a.b.c")))),
            [0, 0] + piece([0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0]), [0, 0] + piece([0xC1, 0x05] + Array("hello".utf8)),
        ]
    }
}

/// One connection to a gateway's edge, without a socket. It also takes the role of the reactor.
private final class SocketPlay {
    private static let pending = Mutex<[Arrival]>([])
    private static let edge: Edge = {
        let address = ClientAddress(header: "X-Forwarded-For", proxies: [AddressBlock("0.0.0.0/0")!])
        var configuration = GatewayConfiguration(instance: "g", services: [], clientAddress: address)
        configuration.limits.requestsInFlight = 4
        configuration.limits.frameBytes = 4096
        let services = ["conversations", "messaging"]
        let edge = Edge(
            configuration, rules: SessionRules(limits: configuration.limits, services: services), keys: KeyRing(),
            inbox: Inbox { arrivals in pending.withLock { $0 += arrivals } },
            metrics: GatewayMetrics(services: services))
        edge.reasonToRefuse = nil
        var paths = HTTPPaths.own
        paths.table.add(
            HttpRoute(path: "/f/", below: true, methods: ["GET", "PUT"], headers: ["range"], bodyBytesMax: 4),
            of: .service(1))
        edge.paths = paths
        return edge
    }()

    private let channel = EmbeddedChannel()
    private let loop: EdgeLoop
    private let connections: Int
    private var output: [UInt8] = []
    private var inFlight: [(session: Session, id: UInt64)] = []
    private var forwarded: [UInt64: Int] = [:]
    private var session: Session?
    private var exchanges: [HTTPExchange] = []
    private weak var handler: HTTPHandler?
    private var pieces: [(exchange: HTTPExchange, request: HttpRequest)] = []

    init() throws {
        Self.pending.withLock { $0 = [] }
        loop = EdgeLoop(eventLoop: channel.eventLoop, metrics: Self.edge.metrics)
        connections = Self.edge.connectionCount
        try Self.edge.serve(channel, on: loop)
        handler = try channel.pipeline.syncOperations.handler(type: HTTPHandler.self)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    func step(_ choices: inout Choices) throws {
        switch choices.byte() % 6 {
        case 0: try arrive(Array(choices.piece()))
        case 1:
            let payload = Array(choices.piece().prefix(4095))
            let count = [UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
            try arrive([0x82, 0x80 | 126] + count + [0, 0, 0, 0] + payload)
        case 2: try answer(Int(choices.byte()))
        case 3:
            try receiveAll()
            let frame = SocketFrame.encode(.update(Update(stream: "messaging/c/x", position: 1)), channel.allocator)
            session?.handler?.update(frame, choices.byte() & 1 == 0 ? .durable : .ephemeral, at: .now)
        case 4: loop.drain()
        default:
            try receiveAll()
            for exchange in exchanges { exchange.handler?.respond(to: exchange, 200, json: "{}") }
            exchanges = []
            if !pieces.isEmpty { answerPiece(choices.byte()) }
        }
        try settle()
    }

    /// Delivers bytes of the client.
    func arrive(_ bytes: [UInt8]) throws {
        // The pipeline has already handled its errors in `errorCaught`.
        _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
        try settle()
    }

    /// Answers a piece of an exchange as a service might.
    private func answerPiece(_ choice: UInt8) {
        let (exchange, request) = pieces.removeFirst()
        var reply = HttpReply()
        switch choice % 4 {
        case 0 where !request.bodyEnds: break
        case 0, 1: reply = HttpReply(status: 200, body: [120, 120])
        case 2:
            let length = HttpHeader(name: "Content-Length", value: "4")
            reply = HttpReply(
                status: 200, headers: [length], body: [120, 120], more: request.replyOffset == 0)
        default:
            exchange.handler?.answered(exchange, .failure(.unavailable("gone")))
            return
        }
        exchange.handler?.answered(exchange, .success(reply.encode()))
    }

    private func answer(_ choice: Int) throws {
        try receiveAll()
        guard !inFlight.isEmpty else { return }
        let (session, id) = inFlight.remove(at: choice % inFlight.count)
        session.handler?.reply(id, choice & 1 == 0 ? .success([1]) : .failure(.internal), at: .now)
    }

    /// Runs the loop's pending work and collects its output.
    private func settle() throws {
        channel.embeddedEventLoop.run()
        session?.handler?.flush()
        while let written = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let bytes) = written { output += Array(bytes.readableBytesView) }
        }
    }

    /// Receives everything the loop has passed to the reactor. Called only when needed, because it switches threads.
    private func receiveAll() throws {
        let done = DispatchSemaphore(value: 0)
        // The reactor keeps the order, so this runs after everything the inbox has posted.
        Task { @ReactorActor in done.signal() }
        done.wait()
        let arrivals = Self.pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        for arrival in arrivals { try receive(arrival) }
    }

    private func receive(_ arrival: Arrival) throws {
        switch arrival {
        case .request(let session, let service, let request, _, let deadline):
            try require(service < 2 && deadline > .zero, "\(request.method) to \(service) within \(deadline)")
            try require(!inFlight.contains { $0.id == request.id }, "request \(request.id) is in flight twice")
            forwarded[request.id, default: 0] += 1
            inFlight.append((session, request.id))
            try require(inFlight.count <= 4, "\(inFlight.count) requests are in flight")
            self.session = session
        case .admit: throw Broken(description: "a token was accepted without a key to verify it")
        case .activity: throw Broken(description: "activity of nobody is reported")
        case .unknownKey(let session, _):
            self.session = session
            session.handler?.close(.tryAgainLater, at: .now)
        case .closed: inFlight = []
        case .lastConnectionClosed: break
        case .health(let exchange): exchanges.append(exchange)
        case .exchange(let exchange, let service, _, _, let head, let body):
            let request = try HttpRequest.decode(head + Array(body.readableBytesView))
            try require(service == 1 && request.path.hasPrefix("/f/"), "\(request.path) was passed to \(service)")
            try require(["GET", "PUT"].contains(request.method), "\(request.method) was passed on")
            try require(request.body.count + Int(request.bodyOffset) <= 4, "a body was passed on beyond the limit")
            try require(request.headers.allSatisfy { $0.name == "range" }, "\(request.headers) were passed on")
            pieces.append((exchange, request))
        }
    }

    func end() throws {
        _ = try? channel.finish(acceptAlreadyClosed: true)
        try settle()
        try receiveAll()
        try require(loop.isEmpty, "a session outlived its connection")
        try require(handler == nil, "a handler outlived its connection")
        try require(Self.edge.connectionCount == connections, "a closed connection is still counted")
        var transcript = Transcript(output)
        try transcript.check(forwarded)
    }
}

/// The output of a gateway on one connection.
private struct Transcript {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Checks for HTTP responses, each as long as it says, and after an upgrade for whole, readable frames with nothing
    /// after the close.
    mutating func check(_ forwarded: [UInt64: Int]) throws {
        while true {
            guard !rest.isEmpty else { return }
            let head = takeHead()
            try require(head.hasPrefix("HTTP/1.1 "), "not an HTTP response: \(head)")
            if head.hasPrefix("HTTP/1.1 101 ") { break }
            if head.hasPrefix("HTTP/1.1 100 ") { continue }
            let length = head.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) }
            try require(length != nil, "no length: \(head)")
            // Without a body: the response to HEAD. A shorter one ended with its connection.
            if !rest.starts(with: "HTTP/1.1 ".utf8) { rest = rest.dropFirst(length ?? 0) }
            try require(!head.contains("Connection: close") || rest.isEmpty, "more after the last response")
        }
        var answers: [UInt64: Int] = [:]
        var isClosed = false
        while !rest.isEmpty {
            let (opcode, payload) = try takeFrame()
            try require(!isClosed, "a frame after the close")
            switch opcode {
            case 0x2:
                guard case .some(let frame) = try ServerFrame.decode(payload).frame else {
                    throw Broken(description: "an empty frame")
                }
                if case .reply(let reply) = frame, reply.error == nil { answers[reply.id, default: 0] += 1 }
            case 0x8: isClosed = true
            case 0xA: try require(payload.count <= 125, "a pong of \(payload.count) bytes")
            default: throw Broken(description: "opcode \(opcode)")
            }
        }
        for (id, count) in answers {
            try require(count <= forwarded[id, default: 0], "request \(id) was answered \(count) times")
        }
    }

    private mutating func takeHead() -> String {
        var head: [UInt8] = []
        while let byte = rest.popFirst() {
            head.append(byte)
            if head.suffix(4) == [13, 10, 13, 10] { break }
        }
        return String(decoding: head, as: UTF8.self)
    }

    private mutating func takeFrame() throws -> (opcode: UInt8, payload: [UInt8]) {
        let head = Array(rest.prefix(10))
        try require(head.count >= 2 && head[0] & 0xF0 == 0x80 && head[1] & 0x80 == 0, "not a whole, unmasked frame")
        var (start, count) = (2, Int(head[1]))
        if count == 126 {
            (start, count) = (4, Int(head[2]) << 8 | Int(head[3]))
        } else if count == 127 {
            (start, count) = (10, head[2..<10].reduce(0) { $0 << 8 | Int($1) })
        }
        try require(rest.count >= start + count, "half a frame")
        defer { rest = rest.dropFirst(start + count) }
        return (head[0] & 0x0F, Array(rest.dropFirst(start).prefix(count)))
    }
}
