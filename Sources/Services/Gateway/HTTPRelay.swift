import Monitor
import NIOCore
import NIOHTTP1
import Schema
import Wire

/// One HTTP exchange that a service answers. The gateway looks into neither body. It passes the request's body to the
/// service in pieces, and the response's body comes back in pieces.
///
/// Memory use is bounded. The gateway stops reading from the client while one piece waits for its reply and the next is
/// complete. At most two pieces of the response are being written.
final class HTTPRelay {
    static let pieceBytes = 256 * 1024
    private static let headers: Set<String> = [
        "range", "if-range", "if-none-match", "upload-offset", "content-encoding", "content-type", "content-length",
        "origin", "access-control-request-method",
    ]
    /// How long a client that is still sending may take to read the response before the connection is cut.
    private static let lingerTimeout = TimeAmount.seconds(2)

    private let edge: Edge
    private let service: Int
    private let exchange: HTTPExchange
    private let address: String
    private let context: ChannelHandlerContext
    private let head: HttpRequest
    private let isHead: Bool

    private var collected = ByteBuffer()
    private var bodyOffset: Int64 = 0
    private var hasEnded = false
    private var hasSentEnd = false
    private var state: [UInt8] = []
    private var isAwaitingReply = false

    private var isAnswered = false
    private var isOver = false
    private var hasMore = false
    private var replyOffset: Int64 = 0
    private var writing = 0

    private var silence: Scheduled<Void>?
    private var hasMoved = true
    /// Bytes received since the exchange last counted as moving.
    private var arrived = 0
    /// How many bytes of a body must arrive for the exchange to count as moving.
    private static let stepBytes = 16 * 1024

    init(
        _ request: HTTPRequestHead, edge: Edge, service: Int, exchange: HTTPExchange, address: String,
        context: ChannelHandlerContext
    ) {
        (self.edge, self.service, self.exchange) = (edge, service, exchange)
        (self.address, self.context) = (address, context)
        isHead = request.method == .HEAD
        let forwarded = request.headers.lazy
            .map { (name: $0.name.lowercased(), value: $0.value) }
            .filter { Self.headers.contains($0.name) && $0.value.utf8.count <= 1024 }
            .map { HttpHeader(name: $0.name, value: $0.value) }
        head = HttpRequest(
            method: String(request.method.rawValue.prefix(16)), path: request.uri, headers: Array(forwarded.prefix(16)))
        _ = try? context.channel.syncOptions?.setOption(.autoRead, value: false)
        if request.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" }) {
            let go = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(NIOAny(HTTPServerResponsePart.head(go)), promise: nil)
        }
        watchSilence()
    }

    /// Lets the service check the link before the gateway reads any of the body.
    func start() { send([]) }

    // MARK: From the client

    func received(_ part: HTTPServerRequestPart) {
        guard !isAnswered, !hasEnded else { return }
        switch part {
        case .head: break
        case .body(var bytes):
            // A byte now and then does not keep the exchange open.
            arrived += bytes.readableBytes
            if arrived >= Self.stepBytes { (hasMoved, arrived) = (true, 0) }
            collected.writeBuffer(&bytes)
        case .end: (hasEnded, hasMoved) = (true, true)
        }
        advance()
    }

    /// Reads on while the next piece is incomplete. After the end, reads and discards what the client still sends.
    func readIfWanted() {
        if isOver || !hasEnded && collected.readableBytes < Self.pieceBytes { context.read() }
    }

    func ended() {
        silence?.cancel()
        silence = nil
        isOver = true
        edge.exchangeEnded(from: address)
    }

    private func watchSilence() {
        let limit = TimeAmount.nanoseconds(edge.rules.limits.fileSilence.microseconds * 1000)
        silence = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { [weak self] in
            guard let self else { return }
            if !hasMoved, !isAwaitingReply { return context.close(promise: nil) }
            hasMoved = false
            watchSilence()
        }
    }

    // MARK: To the service

    private func advance() {
        guard !isAwaitingReply, !isOver else { return }
        if isAnswered {
            guard hasMore, writing < 2 else { return }
            return send([])
        }
        guard hasEnded || collected.readableBytes >= Self.pieceBytes else { return }
        let piece = collected.readBytes(length: min(collected.readableBytes, Self.pieceBytes)) ?? []
        collected.discardReadBytes()
        send(piece)
    }

    private func send(_ piece: [UInt8]) {
        var request = head
        request.body = piece
        request.bodyOffset = bodyOffset
        hasSentEnd = hasEnded && collected.readableBytes == 0
        request.bodyEnds = hasSentEnd
        request.state = state
        request.replyOffset = replyOffset
        bodyOffset += Int64(piece.count)
        isAwaitingReply = true
        edge.inbox.put(.exchange(exchange, service: service, path: head.path, address: address, request.encode()))
    }

    // MARK: From the service

    func answered(_ result: Result<[UInt8], Refusal>) {
        isAwaitingReply = false
        hasMoved = true
        guard !isOver else { return }
        switch result {
        case .success(let bytes):
            guard let reply = try? HttpReply.decode(bytes) else { return fail(.internal) }
            state = reply.state
            if isAnswered {
                write(reply)
            } else if reply.status == 0, !hasSentEnd {
                advance()
                readIfWanted()
            } else {
                begin(reply)
            }
        case .failure(let refusal): fail(refusal)
        }
    }

    private func fail(_ refusal: Refusal) {
        guard !isAnswered else { return context.close(promise: nil) }
        let status: Int =
            switch refusal.code {
            case .unavailable: 503
            case .deadline: 504
            case .rateLimited: 429
            default: 500
            }
        let json = "{\"code\":\(JSON.quote(refusal.code.rawValue)),\"message\":\(JSON.quote(refusal.message))}"
        begin(
            HttpReply(
                status: UInt32(status),
                headers: [
                    HttpHeader(name: "Content-Type", value: "application/json; charset=utf-8"),
                    HttpHeader(name: "Content-Length", value: "\(json.utf8.count)"),
                    HttpHeader(name: "Retry-After", value: "1"), HttpHeader(name: "Cache-Control", value: "no-store"),
                    HttpHeader(name: "Access-Control-Allow-Origin", value: "*"),
                    HttpHeader(name: "Access-Control-Expose-Headers", value: "X-Request-Id"),
                ], body: Array(json.utf8)))
    }

    private func begin(_ reply: HttpReply) {
        isAnswered = true
        collected = ByteBuffer()
        var headers = HTTPHeaders(reply.headers.map { ($0.name, $0.value) })
        headers.replaceOrAdd(name: "Connection", value: "close")
        headers.replaceOrAdd(name: "X-Request-Id", value: exchange.id)
        let head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: Int(reply.status == 0 ? 500 : reply.status)), headers: headers)
        context.write(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
        write(reply)
    }

    private func write(_ reply: HttpReply) {
        hasMore = reply.more && !isHead
        replyOffset += Int64(reply.body.count)
        if !reply.body.isEmpty, !isHead {
            writing += 1
            let promise = context.eventLoop.makePromise(of: Void.self)
            promise.futureResult.assumeIsolated().whenComplete { [weak self] _ in
                guard let self else { return }
                writing -= 1
                hasMoved = true
                advance()
            }
            let body = ByteBuffer(bytes: reply.body)
            context.writeAndFlush(NIOAny(HTTPServerResponsePart.body(.byteBuffer(body))), promise: promise)
        }
        if hasMore { return advance() }
        end()
    }

    private func end() {
        isOver = true
        let promise = context.eventLoop.makePromise(of: Void.self)
        let context = context
        promise.futureResult.assumeIsolated().whenComplete { _ in
            context.close(mode: .output, promise: nil)
            context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingerTimeout) { context.close(promise: nil) }
        }
        context.writeAndFlush(NIOAny(HTTPServerResponsePart.end(nil)), promise: promise)
        // A client that is still sending would otherwise be cut off before it has read the response.
        context.read()
    }
}
