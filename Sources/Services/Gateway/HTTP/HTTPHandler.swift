import Monitor
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Schema
import ServiceKit
import Wire

/// A connection before it becomes a session. It answers one request after the other until it is upgraded or closed.
///
/// Requests that a client sends before it has its responses wait here: the connection reads nothing more until they are
/// answered. When the client ends its side, though, the kernel's whole buffer arrives at once, so they are bounded.
final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long a client that is still sending may take to read the last response before the connection is cut.
    private static let lingerTimeout: Duration = .seconds(2)

    /// The most parts of requests that wait, and bytes of their bodies.
    private static let queueMax = 4096
    private static let queueBytesMax = 128 * 1024

    private enum State {
        case waiting
        /// The rest of a request to a path of the gateway's own is still to come.
        case reading(HTTPRequestHead, HTTPPaths.Owner)
        case relaying(HTTPRelay)
        case answering, closing, upgraded
    }

    private let edge: Edge
    private let loop: EdgeLoop
    private let isOverLimit: Bool
    /// Where it counts among the connections that are not sessions yet.
    private let newcomer: String?
    private let decoder: ByteToMessageHandler<HTTPRequestDecoder>
    private let encoder: HTTPResponseEncoder
    private var state = State.waiting
    private var timeout: Scheduled<Void>?
    private var exchange: HTTPExchange?
    private var context: ChannelHandlerContext?
    private var bucket: TokenBucket

    // The request being answered.
    private var requestHasEnded = true
    private var responseHasBegun = false
    private var responseHasEnded = true
    private var keepsOpen = true
    private var isHead = false

    private var requests = 0
    /// How long nothing more is read after the response, because the address sent too many requests.
    private var pause: Duration?
    private var isResting = false
    private var queue = CircularBuffer<HTTPServerRequestPart>(initialCapacity: 0)
    private var queueBytes = 0
    private var isTakingFromQueue = false
    /// Whether the client has ended its side. It may still read responses.
    private var inputIsClosed = false
    private var isReading = true

    init(
        edge: Edge, loop: EdgeLoop, isOverLimit: Bool, newcomer: String?,
        decoder: ByteToMessageHandler<HTTPRequestDecoder>, encoder: HTTPResponseEncoder
    ) {
        self.edge = edge
        self.loop = loop
        self.isOverLimit = isOverLimit
        self.newcomer = newcomer
        self.decoder = decoder
        self.encoder = encoder
        bucket = TokenBucket(edge.rules.requests, at: Moment.now.steady)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.add(self)
        setTimeout(edge.rules.limits.handshakeTimeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timeout?.cancel()
        loop.remove(self)
        endExchange()
        self.context = nil
        if case .upgraded = state { return }
        // The relay holds the context, which holds this handler.
        state = .closing
        queue = CircularBuffer(initialCapacity: 0)
        if let newcomer { edge.newcomerEnded(newcomer) }
        edge.connectionClosed(wasOverLimit: isOverLimit)
    }

    /// Ends the connection once no request is being answered, because the gateway stops.
    func drain() {
        keepsOpen = false
        if case .waiting = state { cut() }
    }

    // MARK: Time

    private func setTimeout(_ limit: Duration) {
        timeout?.cancel()
        let limit = TimeAmount.nanoseconds(limit.microseconds * 1000)
        timeout = context?.eventLoop.assumeIsolated().scheduleTask(in: limit) { [weak self] in self?.timedOut() }
    }

    private func timedOut() {
        switch state {
        // Between two requests a client may be silent, and then needs no response.
        case .waiting where requests > 0: cut()
        case .waiting, .reading:
            keepsOpen = false
            refuse(HTTPProblem(408, "timeout", "No complete request arrived in time."))
            // A client that sends no complete request may not read the response either.
            setTimeout(Self.lingerTimeout)
        case .relaying, .upgraded: break
        case .answering, .closing: if let context { Edge.cut(context.channel) }
        }
    }

    private func cut() { context?.close(promise: nil) }

    // MARK: Requests

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        keepsOpen = false
        switch state {
        case .closing, .answering: return
        // What is wrong came after this request.
        case .relaying where requestHasEnded: return
        case .relaying where responseHasBegun: return context.close(promise: nil)
        case .waiting: isHead = false
        case .relaying, .reading, .upgraded: break
        }
        guard let error = error as? HTTPParserError, error != .invalidEOFState else {
            return context.close(promise: nil)
        }
        if error == .headerOverflow {
            refuse(HTTPProblem(431, "too_large", "The headers are larger than allowed."))
        } else {
            refuse(HTTPProblem(400, "invalid", "This is not HTTP/1.1."))
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = Self.unwrapInboundIn(data)
        if case .closing = state { return }
        guard requestHasEnded, isResting || !responseHasEnded || !queue.isEmpty else { return received(part, context) }
        if case .body(let bytes) = part { queueBytes += bytes.readableBytes }
        guard queue.count < Self.queueMax, queueBytes <= Self.queueBytesMax else {
            keepsOpen = false
            return
        }
        queue.append(part)
        read(false)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        guard event as? ChannelEvent == .inputClosed else { return }
        inputIsClosed = true
        switch state {
        case .waiting, .reading, .closing: context.close(promise: nil)
        case .relaying where !requestHasEnded: context.close(promise: nil)
        // It gets the responses to what it has sent.
        case .relaying, .answering, .upgraded: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .relaying(let relay) = state { relay.readIfWanted() }
        context.fireChannelReadComplete()
    }

    private func read(_ isOn: Bool) {
        guard isOn != isReading else { return }
        isReading = isOn
        _ = try? context?.channel.syncOptions?.setOption(.autoRead, value: isOn)
    }

    private func received(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head):
            begin(head, context)
        case .body(let bytes):
            if case .relaying(let relay) = state { relay.received(bytes) }
        case .end:
            requestHasEnded = true
            switch state {
            case .relaying(let relay): relay.receivedEnd()
            case .reading(let head, let owner): answer(head, owner, context)
            default: if responseHasEnded { rest() }
            }
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        requests += 1
        (requestHasEnded, responseHasEnded, isHead) = (false, false, head.method == .HEAD)
        let limits = edge.rules.limits
        let length = head.headers[canonicalForm: "content-length"].first.map { Int64($0) ?? .max }
        let isChunked = head.headers.contains(name: "transfer-encoding")
        let hosts = head.headers["host"].count
        // The decoder passes on nothing after a request for an upgrade.
        keepsOpen =
            keepsOpen && head.isKeepAlive && !isOverLimit && !head.headers.contains(name: "upgrade")
            && head.method != .CONNECT && requests < limits.requestsPerConnection
            && !(isChunked && head.version != .http1_1)
        let address = address(head, context)
        pause = edge.countRequest(from: address, asMany: 1)
        if isOverLimit {
            return refuse(
                HTTPProblem(
                    .unavailable(
                        "This gateway has reached its connection limit. Try again later.", retryAfter: .seconds(5))))
        }
        guard hosts == 1 || hosts == 0 && head.version != .http1_1 else {
            keepsOpen = false
            return refuse(HTTPProblem(400, "invalid", "The request must have one Host header."))
        }
        let (paths, target) = (edge.paths, HTTPPaths.target(of: head))
        let problem: HTTPProblem?
        let entry = paths.table.entry(at: target)
        if let entry {
            problem = HTTPRelayMachine.refusal(
                method: head.method.rawValue, path: target, length: isChunked ? nil : length, route: entry.route)
        } else if paths.isComplete {
            problem = .noPath
        } else {
            problem = HTTPProblem(
                .unavailable("A service cannot be reached now, and this path may be its own. Try again in a moment."))
        }
        // What follows the response cannot be told from a body that was not read.
        func refuseWithoutBody(_ problem: HTTPProblem) {
            keepsOpen = keepsOpen && !isChunked && length ?? 0 == 0
            refuse(problem)
        }
        guard problem == nil, let entry else { return refuseWithoutBody(problem ?? .noPath) }
        guard case .service(let service) = entry.owner else {
            if isChunked {
                return refuseWithoutBody(HTTPProblem(413, "too_large", "Requests to this path have no body."))
            }
            state = .reading(head, entry.owner)
            return
        }
        if let reason = edge.reasonToRefuse {
            return refuseWithoutBody(HTTPProblem(.unavailable(reason, retryAfter: .seconds(1))))
        }
        // What is refused because there is too much of it costs the gateway more than it costs the client.
        func refuseAndCount(_ problem: HTTPProblem) {
            pause = edge.countRequest(from: address, asMany: limits.framesOfRefused - 1) ?? pause
            refuseWithoutBody(problem)
        }
        if let wait = bucket.take(edge.rules.requests, at: Moment.now.steady) {
            return refuseAndCount(HTTPProblem(.rateLimited(.microseconds(wait))))
        }
        do throws(Refusal) {
            try edge.countBeginning(from: address)
        } catch {
            return refuseAndCount(HTTPProblem(error))
        }
        let kind = isChunked || length ?? 0 > 0 ? ExchangeBook.Kind.upload : .download
        guard edge.exchangeBegins(kind, from: address) else {
            return refuseAndCount(
                HTTPProblem(
                    .unavailable("Too many requests are being answered. Try again later.", retryAfter: .seconds(2))))
        }
        timeout?.cancel()
        read(false)
        let exchange = HTTPExchange(loop: loop, handler: self)
        self.exchange = exchange
        let relay = HTTPRelay(
            head, at: target, route: entry.route, edge: edge, service: service, exchange: exchange, kind: kind,
            address: address, handler: self, context: context)
        state = .relaying(relay)
        relay.start()
    }

    /// Handles a reply to a piece of `exchange`.
    func answered(_ exchange: HTTPExchange, _ result: Result<[UInt8], Refusal>) {
        if case .relaying(let relay) = state, exchange === self.exchange { relay.answered(result) }
    }

    /// Answers a request to one of the gateway's own paths.
    private func answer(_ head: HTTPRequestHead, _ owner: HTTPPaths.Owner, _ context: ChannelHandlerContext) {
        switch owner {
        case .socket: upgrade(head, context)
        case .health:
            state = .answering
            read(false)
            setTimeout(edge.rules.limits.exchangeSilence)
            let exchange = HTTPExchange(loop: loop, handler: self)
            self.exchange = exchange
            edge.inbox.put(.health(exchange))
        case .file(let number):
            let (status, headers, body) = WebFiles.all[number].response(to: head.headers)
            respond(status, headers, body)
        case .service: break  // ``begin`` relays them.
        }
    }

    private func address(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> String {
        edge.clientAddress.of(head.headers, peer: context.remoteAddress?.ipAddress ?? "")
    }

    // MARK: WebSocket

    private func upgrade(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        func lists(_ name: String, _ word: String) -> Bool {
            head.headers[canonicalForm: name].contains { $0.lowercased() == word }
        }
        guard lists("upgrade", "websocket"), lists("connection", "upgrade") else {
            return refuse(HTTPProblem(426, "invalid", "This path is for WebSocket connections."))
        }
        guard head.headers[canonicalForm: "sec-websocket-protocol"].contains("parley.v1") else {
            return refuse(
                HTTPProblem(
                    400, "invalid", "The WebSocket subprotocol must be \"parley.v1\" (Sec-WebSocket-Protocol)."))
        }
        if let reason = edge.reasonToRefuse {
            return refuse(HTTPProblem(.unavailable(reason, retryAfter: .seconds(1))))
        }
        state = .answering
        let extra: HTTPHeaders = ["Sec-WebSocket-Protocol": "parley.v1"]
        edge.upgrader.buildUpgradeResponse(channel: context.channel, upgradeRequest: head, initialResponseHeaders: [:])
            .assumeIsolated().whenComplete { result in
                switch result {
                case .success(var headers):
                    headers.add(contentsOf: extra)
                    self.become(headers, address: self.address(head, context), context)
                case .failure:
                    self.refuse(
                        HTTPProblem(
                            400, "invalid", "The WebSocket handshake is not valid. Use version 13 and one key."))
                }
            }
    }

    private func become(_ headers: HTTPHeaders, address: String, _ context: ChannelHandlerContext) {
        let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        read(true)
        state = .upgraded
        let pipeline = context.pipeline.syncOperations
        let session = Session(address: address, loop: loop)
        do {
            // One session takes a bounded share of each turn of its loop, whatever it sends.
            let options = context.channel.syncOptions
            let (size, buffer) = (edge.rules.limits.readBytes, edge.rules.limits.sessionBufferBytes)
            try options?.setOption(.socketOption(.so_sndbuf), value: .init(buffer))
            try options?.setOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 512, maximum: size))
            try options?.setOption(.maxMessagesPerRead, value: 1)
            try pipeline.addHandler(
                ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: edge.rules.limits.frameBytes)))
            try pipeline.addHandler(SessionHandler(edge: edge, session: session, newcomer: newcomer))
        } catch {
            return context.close(promise: nil)
        }
        // The HTTP decoder goes last, because it then passes bytes after the request on to the WebSocket decoder.
        pipeline.removeHandler(self, promise: nil)
        pipeline.removeHandler(encoder, promise: nil)
        pipeline.removeHandler(decoder, promise: nil)
    }

    // MARK: Responses

    private func refuse(_ problem: HTTPProblem) {
        endExchange()
        respond(Int(problem.status), json: problem.body, headers: problem.headers.map { ($0.name, $0.value) })
    }

    /// Answers `exchange`, if its connection still waits for that.
    func respond(to exchange: HTTPExchange, _ status: Int, json: String) {
        if exchange === self.exchange { respond(status, json: json) }
    }

    private func respond(_ status: Int, json: String, headers extra: [(String, String)] = []) {
        respond(
            status,
            HTTPHeaders(
                [
                    ("Content-Type", "application/json; charset=utf-8"), ("Content-Length", "\(json.utf8.count)"),
                    ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
                ] + extra), ByteBuffer(string: json))
    }

    private func respond(_ status: Int, _ headers: HTTPHeaders, _ body: ByteBuffer) {
        guard let context else { return }
        state = .answering
        begin(status, headers)
        if !isHead, body.readableBytes > 0 {
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        end()
    }

    /// Begins the response. It ends the connection if that cannot be used for another request.
    func begin(_ status: Int, _ headers: HTTPHeaders) {
        (responseHasBegun, responseHasEnded) = (true, false)
        var headers = headers
        // A body that was not read to its end would be taken for the next request.
        if case .relaying = state, !requestHasEnded { keepsOpen = false }
        headers.replaceOrAdd(name: "Connection", value: keepsOpen ? "keep-alive" : "close")
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
        context?.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    /// Ends the response, and goes on with the next request once it is written.
    func end() {
        guard let context else { return }
        endExchange()
        state = .answering
        setTimeout(edge.rules.limits.exchangeSilence)
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.written() }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
    }

    private func endExchange() {
        if case .relaying(let relay) = state { relay.ended() }
        exchange?.handler = nil
        exchange = nil
    }

    private func written() {
        (responseHasBegun, responseHasEnded) = (false, true)
        guard !keepsOpen else {
            if requestHasEnded { rest() }
            return
        }
        state = .closing
        queue = CircularBuffer(initialCapacity: 0)
        context?.close(mode: .output, promise: nil)
        setTimeout(Self.lingerTimeout)
        // A client that is still sending would otherwise be cut off before it has read the response.
        read(true)
    }

    /// Goes on with the next request, after a pause if the address has sent too many.
    private func rest() {
        guard let wait = pause, let context else { return next() }
        pause = nil
        isResting = true
        edge.metrics.paused()
        read(false)
        timeout?.cancel()
        timeout = context.eventLoop.assumeIsolated().scheduleTask(in: .microseconds(wait.microseconds)) { [weak self] in
            guard let self else { return }
            isResting = false
            // The gateway may have begun to stop.
            if keepsOpen { next() } else { cut() }
        }
    }

    /// Waits for the next request, or takes it from the queue.
    private func next() {
        state = .waiting
        setTimeout(edge.rules.limits.keepAliveTimeout)
        guard !isTakingFromQueue, let context else { return }
        isTakingFromQueue = true
        defer { isTakingFromQueue = false }
        while !isResting, responseHasEnded || !requestHasEnded, let part = queue.popFirst() { received(part, context) }
        guard queue.isEmpty, !isResting else { return }
        queueBytes = 0
        if inputIsClosed, responseHasEnded || !requestHasEnded { return cut() }
        if case .relaying(let relay) = state { return relay.readIfWanted() }
        if responseHasEnded || !requestHasEnded { read(true) }
    }
}
