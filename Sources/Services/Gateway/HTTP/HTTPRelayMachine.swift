import NIOCore
import Schema
import ServiceKit
import Wire

/// The rules of one HTTP exchange that a service answers, without the connection. Parts of the request and replies of
/// the service go in; actions come out.
///
/// Memory use is bounded. The client is read only while no whole piece waits, and at most two pieces of the response
/// are being written.
struct HTTPRelayMachine {
    enum Action: Equatable {
        /// Send this piece to the service and call ``answered(_:)``.
        case ask(HttpRequest, body: ByteBuffer)
        /// Tell a client that waits for it to send the body: 100 Continue.
        case proceed
        case begin(status: Int, [HttpHeader])
        /// Write a piece of the response's body and call ``wrote()``.
        case write([UInt8])
        /// The response is complete.
        case end
        /// Cut the connection, since the response cannot be completed.
        case cut
    }

    static let pieceBytes = HttpPiece.bodyBytesMax
    /// How many bytes of a body must arrive for the exchange to count as moving.
    private static let stepBytes = 16 * 1024
    private static let writingMax = 2
    /// Below what a line of the head may have, so that this refusal is the one that is told.
    private static let pathBytesMax = 6144
    /// As the contract of the link says.
    private static let headerBytesMax = 4096
    /// Headers that are between two neighbours. They are the gateway's own.
    private static let hopByHop: Set<String> = [
        "connection", "keep-alive", "transfer-encoding", "upgrade", "trailer", "te", "proxy-connection",
    ]

    private let request: HttpRequest
    private let route: HttpRoute
    private let isHead: Bool
    /// The announced length of the body; nil: it comes in chunks.
    private let length: Int64?
    private var mustProceed: Bool

    private var collected = ByteBuffer()
    private var received: Int64 = 0
    private var passedOn: Int64 = 0
    /// Whether all of the request has arrived.
    private(set) var hasEnded = false
    private var hasSentEnd = false
    private var state: [UInt8] = []
    private(set) var isAwaitingReply = false
    /// Whether the service wants the body.
    private(set) var isAccepted = false

    private var hasBegun = false
    private(set) var isOver = false
    private var hasMore = false
    private var replyOffset: Int64 = 0
    /// How many bytes the response has announced and not yet had; nil if it announced none.
    private var left: Int64?
    private var writing = 0

    private var hasMoved = true
    private var arrived = 0

    /// - Parameters:
    ///   - request: its method, path and headers; those that `route` does not list are left out.
    ///   - length: the announced length of its body; nil: it comes in chunks.
    ///   - expectsContinue: whether the client waits for 100 Continue.
    init(_ request: HttpRequest, route: HttpRoute, length: Int64? = nil, expectsContinue: Bool) {
        (self.route, self.length) = (route, length)
        isHead = request.method == "HEAD"
        mustProceed = expectsContinue
        var request = request
        request.headers = Array(
            request.headers.filter { route.headers.contains($0.name) && $0.value.utf8.count <= Self.headerBytesMax }
                .prefix(32))
        self.request = request
    }

    init(_ demand: HTTPDemand, route: HttpRoute) {
        let headers = demand.head.headers.map { HttpHeader(name: $0.name.lowercased(), value: $0.value) }
        self.init(
            HttpRequest(method: demand.head.method.rawValue, path: demand.target, headers: headers), route: route,
            length: demand.isChunked ? nil : demand.length, expectsContinue: demand.expectsContinue)
    }

    /// Checks a request against its route.
    /// - Parameter length: the declared length of the body; nil if there is none.
    /// - Returns: the refusal; nil if the request may be passed on.
    static func refusal(method: String, path: String, length: Int64?, route: HttpRoute) -> HTTPProblem? {
        if path.utf8.count > pathBytesMax { return HTTPProblem(414, .invalid, "The path is longer than 6,144 bytes.") }
        if !route.methods.contains(method) {
            let allowed = route.methods.joined(separator: ", ")
            return HTTPProblem(
                405, .invalid, "This path does not allow this method. Use one of these: \(allowed).",
                headers: [HttpHeader(name: "Allow", value: allowed)])
        }
        return length ?? 0 > route.bodyBytesMax ? tooLarge(route) : nil
    }

    private static func tooLarge(_ route: HttpRoute) -> HTTPProblem {
        HTTPProblem(
            413, .tooLarge,
            route.bodyBytesMax == 0
                ? "Requests to this path have no body." : "The body has more than \(route.bodyBytesMax) bytes.")
    }

    /// Lets the service check the request before any of its body is read.
    mutating func start() -> [Action] { ask(ByteBuffer()) }

    /// Whether to take more from the client.
    var wantsBytes: Bool { isAccepted && !isOver && !hasEnded && collected.readableBytes < Self.pieceBytes }

    // MARK: From the client

    mutating func received(_ bytes: ByteBuffer) -> [Action] {
        guard !hasEnded else { return [] }
        // A byte now and then does not keep the exchange open.
        arrived += bytes.readableBytes
        if arrived >= Self.stepBytes { (hasMoved, arrived) = (true, 0) }
        guard !hasBegun else { return [] }
        received += Int64(bytes.readableBytes)
        if received > route.bodyBytesMax { return fail(Self.tooLarge(route)) }
        collect(bytes)
        // Whoever sends on although nothing is read has ended their side: the kernel's whole buffer arrives at once.
        if collected.readableBytes > 2 * Self.pieceBytes {
            collected = ByteBuffer()
            isOver = true
            return [.cut]
        }
        return advance()
    }

    /// Gathers a piece. Once it is whole, it is passed on as it is.
    private mutating func collect(_ bytes: ByteBuffer) {
        var bytes = bytes
        if collected.readableBytes == 0 {
            let announced = length.map { max($0 - received, 0) + Int64(bytes.readableBytes) } ?? 0
            // Reads do not end where pieces do.
            collected.reserveCapacity(Int(min(announced, Int64(2 * Self.pieceBytes))))
        }
        collected.writeBuffer(&bytes)
    }

    mutating func receivedEnd() -> [Action] {
        (hasEnded, hasMoved) = (true, true)
        return hasBegun ? [] : advance()
    }

    /// Returns whether nothing has moved since the last call, although it is the client's turn.
    mutating func isSilent() -> Bool {
        defer { hasMoved = false }
        return !hasMoved && !isAwaitingReply
    }

    // MARK: To the service

    private mutating func advance() -> [Action] {
        guard !isAwaitingReply, !isOver else { return [] }
        if hasBegun { return hasMore && writing < Self.writingMax ? ask(ByteBuffer()) : [] }
        guard hasEnded || collected.readableBytes >= Self.pieceBytes else { return [] }
        let piece = collected.readSlice(length: min(collected.readableBytes, Self.pieceBytes)) ?? ByteBuffer()
        // The piece keeps its memory; what came after it moves.
        let rest = collected
        collected = ByteBuffer()
        if rest.readableBytes > 0 { collect(rest) }
        return ask(piece)
    }

    private mutating func ask(_ piece: ByteBuffer) -> [Action] {
        var next = request
        next.bodyOffset = passedOn
        hasSentEnd = hasEnded && collected.readableBytes == 0
        next.bodyEnds = hasSentEnd
        next.state = state
        next.replyOffset = replyOffset
        passedOn += Int64(piece.readableBytes)
        isAwaitingReply = true
        return [.ask(next, body: piece)]
    }

    // MARK: From the service

    mutating func answered(_ result: Result<HttpReply, Refusal>) -> [Action] {
        isAwaitingReply = false
        hasMoved = true
        guard !isOver else { return [] }
        switch result {
        case .failure(let refusal): return fail(HTTPProblem(refusal))
        case .success(let reply):
            state = reply.state
            if hasBegun { return write(reply) }
            guard reply.status == 0 else { return begin(reply) }
            guard !hasSentEnd else { return fail(HTTPProblem(.internal)) }
            isAccepted = true
            defer { mustProceed = false }
            return (mustProceed && !hasEnded ? [.proceed] : []) + advance()
        }
    }

    private mutating func fail(_ problem: HTTPProblem) -> [Action] {
        if hasBegun {
            isOver = true
            return [.cut]
        }
        return begin(problem.reply())
    }

    private mutating func begin(_ reply: HttpReply) -> [Action] {
        hasBegun = true
        collected = ByteBuffer()
        var headers = reply.headers.filter { !Self.hopByHop.contains($0.name.lowercased()) }
        func has(_ name: String) -> Bool { headers.contains { $0.name.lowercased() == name } }
        if !has("cache-control") {
            let isCacheable = (200..<400).contains(reply.status) && !route.cacheControl.isEmpty
            headers.append(HttpHeader(name: "Cache-Control", value: isCacheable ? route.cacheControl : "no-store"))
        }
        if !has("x-content-type-options") {
            headers.append(HttpHeader(name: "X-Content-Type-Options", value: "nosniff"))
        }
        let hasBody = !isHead && reply.status != 204 && reply.status != 304
        // Without a length HEAD would get a body: the end of an empty chunked one.
        if !has("content-length"), hasBody && !reply.more || isHead && reply.status != 204 && reply.status != 304 {
            headers.append(HttpHeader(name: "Content-Length", value: "\(reply.body.count)"))
        }
        left = hasBody ? headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int64($0.value) } : 0
        var reply = reply
        if !hasBody { (reply.body, reply.more) = ([], false) }
        return [.begin(status: Int(reply.status), headers)] + write(reply)
    }

    private mutating func write(_ reply: HttpReply) -> [Action] {
        hasMore = reply.more
        replyOffset += Int64(reply.body.count)
        if let left { self.left = left - Int64(reply.body.count) }
        // What would follow would be taken for the next response.
        if left ?? 0 < 0 || !hasMore && left ?? 0 != 0 {
            isOver = true
            return [.cut]
        }
        var actions: [Action] = []
        if !reply.body.isEmpty {
            writing += 1
            actions.append(.write(reply.body))
        }
        if hasMore { return actions + advance() }
        isOver = true
        return actions + [.end]
    }

    mutating func wrote() -> [Action] {
        writing -= 1
        hasMoved = true
        return advance()
    }
}
