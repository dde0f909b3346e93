import Monitor
import NIOCore
import NIOHTTP1
import NIOWebSocket
import ServiceKit
import Wire

/// One HTTP request answered through the reactor.
final class HTTPExchange: @unchecked Sendable {
    // Sendable: only the event loop touches `handler`.
    let loop: EdgeLoop
    /// Its id in all logs.
    let id = "http." + Sodium.randomText(12)
    var handler: HTTPHandler?

    init(loop: EdgeLoop, handler: HTTPHandler) {
        self.loop = loop
        self.handler = handler
    }
}

/// A connection before it becomes a session. It carries one HTTP request, answered with the upgrade or with a response
/// that ends the connection.
final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case waiting
        case reading(HTTPRequestHead)
        case relaying(HTTPRelay)
        case answering, upgraded
    }

    private let edge: Edge
    private let loop: EdgeLoop
    private let isOverLimit: Bool
    private let decoder: ByteToMessageHandler<HTTPRequestDecoder>
    private let encoder: HTTPResponseEncoder
    private var state = State.waiting
    private var hasAnswered = false
    private var timeout: Scheduled<Void>?
    private var exchange: HTTPExchange?
    private var context: ChannelHandlerContext?

    init(
        edge: Edge, loop: EdgeLoop, isOverLimit: Bool, decoder: ByteToMessageHandler<HTTPRequestDecoder>,
        encoder: HTTPResponseEncoder
    ) {
        self.edge = edge
        self.loop = loop
        self.isOverLimit = isOverLimit
        self.decoder = decoder
        self.encoder = encoder
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let limit = TimeAmount.nanoseconds(edge.rules.limits.handshakeTimeout.microseconds * 1000)
        timeout = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { [weak self] in self?.timedOut() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timeout?.cancel()
        exchange?.handler = nil
        self.context = nil
        if case .relaying(let relay) = state { relay.ended() }
        if case .upgraded = state { return }
        edge.connectionClosed(wasOverLimit: isOverLimit)
    }

    private func timedOut() {
        switch state {
        case .waiting, .reading:
            respond(408, problem: "timeout", "No complete request arrived in time.")
            // A client that sends no complete request may not read the response either.
            let limit = TimeAmount.seconds(1)
            timeout = context?.eventLoop.assumeIsolated().scheduleTask(in: limit) { [weak self] in self?.cut() }
        case .relaying: break
        case .answering, .upgraded: cut()
        }
    }

    private func cut() { context?.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case .relaying = state { return context.close(promise: nil) }
        guard error is HTTPParserError else { return context.close(promise: nil) }
        if case HTTPParserError.headerOverflow = error {
            respond(431, problem: "too_large", "The headers are larger than allowed.")
        } else {
            respond(400, problem: "invalid", "This is not HTTP/1.1.")
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (Self.unwrapInboundIn(data), state) {
        case (let part, .relaying(let relay)): relay.received(part)
        case (.head(let head), .waiting):
            state = .reading(head)
            if let service = edge.service(at: head.uri) { relay(head, to: service, context) }
        case (.end, .reading(let head)): route(head, context)
        default: break  // Bodies and further requests are ignored.
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .relaying(let relay) = state { relay.readIfWanted() }
        context.fireChannelReadComplete()
    }

    // MARK: Paths of services

    private func relay(_ head: HTTPRequestHead, to service: Int, _ context: ChannelHandlerContext) {
        if isOverLimit || edge.reasonToRefuse != nil {
            return respond(
                503, problem: "unavailable", "This gateway accepts no requests now. Try again later.", retryAfter: 5)
        }
        guard head.uri.utf8.count <= 1024 else { return respond(414, problem: "invalid", "The path is too long.") }
        let address = address(head, context)
        guard edge.exchangeBegins(from: address) else {
            return respond(
                503, problem: "unavailable", "Too many files are being transferred. Try again later.", retryAfter: 2)
        }
        timeout?.cancel()
        let exchange = HTTPExchange(loop: loop, handler: self)
        self.exchange = exchange
        let relay = HTTPRelay(
            head, edge: edge, service: service, exchange: exchange, address: address, context: context)
        state = .relaying(relay)
        relay.start()
    }

    func answered(_ result: Result<[UInt8], Refusal>) {
        if case .relaying(let relay) = state { relay.answered(result) }
    }

    /// The gateway's own paths.
    private func route(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        if isOverLimit {
            return respond(
                503, problem: "unavailable", "This gateway has reached its connection limit. Try again later.",
                retryAfter: 5)
        }
        let path = head.uri.prefix { $0 != "?" }
        switch (head.method, path) {
        case (.GET, "/v1/socket"): upgrade(head, context)
        case (.GET, "/health"):
            state = .answering
            let exchange = HTTPExchange(loop: loop, handler: self)
            self.exchange = exchange
            edge.inbox.put(.health(exchange))
        default: respond(404, problem: "not_found", "There is nothing at this path.")
        }
    }

    // MARK: WebSocket

    private func upgrade(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        func lists(_ name: String, _ word: String) -> Bool {
            head.headers[canonicalForm: name].contains { $0.lowercased() == word }
        }
        guard lists("upgrade", "websocket"), lists("connection", "upgrade") else {
            return respond(426, problem: "invalid", "This path is for WebSocket connections.")
        }
        guard head.headers[canonicalForm: "sec-websocket-protocol"].contains("parley.v1") else {
            return respond(
                400, problem: "invalid", "The WebSocket subprotocol must be \"parley.v1\" (Sec-WebSocket-Protocol).")
        }
        if let reason = edge.reasonToRefuse {
            return respond(503, problem: "unavailable", reason, retryAfter: 1)
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
                    self.respond(
                        400, problem: "invalid", "The WebSocket handshake is not valid. Use version 13 and one key.")
                }
            }
    }

    private func become(_ headers: HTTPHeaders, address: String, _ context: ChannelHandlerContext) {
        let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        state = .upgraded
        hasAnswered = true
        let pipeline = context.pipeline.syncOperations
        let session = Session(address: address, loop: loop)
        do {
            try pipeline.addHandler(
                ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: edge.rules.limits.frameBytes)))
            try pipeline.addHandler(SessionHandler(edge: edge, session: session))
        } catch {
            return context.close(promise: nil)
        }
        // The HTTP decoder goes last, because it then passes bytes after the request on to the WebSocket decoder.
        pipeline.removeHandler(self, promise: nil)
        pipeline.removeHandler(encoder, promise: nil)
        pipeline.removeHandler(decoder, promise: nil)
    }

    private func address(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> String {
        edge.clientAddress.of(head.headers, peer: context.remoteAddress?.ipAddress ?? "")
    }

    // MARK: Responses

    private func respond(_ status: Int, problem code: String, _ message: String, retryAfter seconds: Int? = nil) {
        let json = "{\"code\":\(JSON.quote(code)),\"message\":\(JSON.quote(message))}"
        respond(status, json: json, headers: seconds.map { [("Retry-After", "\($0)")] } ?? [])
    }

    /// Sends a response and ends the connection.
    func respond(_ status: Int, json: String, headers extra: [(String, String)] = []) {
        exchange?.handler = nil
        exchange = nil
        guard let context, !hasAnswered else { return }
        hasAnswered = true
        state = .answering
        var headers: HTTPHeaders = [
            "Content-Type": "application/json; charset=utf-8", "Content-Length": "\(json.utf8.count)",
            "Connection": "close", "Cache-Control": "no-store",
        ]
        headers.add(contentsOf: extra)
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: json)))), promise: nil)
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { _ in context.close(mode: .output, promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
    }
}
