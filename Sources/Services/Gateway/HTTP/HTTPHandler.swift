import Monitor
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Schema
import ServiceKit
import Wire

/// A connection before it becomes a session. It answers one request after the other until it is upgraded or closed.
///
/// Requests that a client sends before it has its responses wait in ``HTTPGate``, where they are not parsed: the
/// connection reads nothing more until they are answered.
///
/// Whatever costs the gateway something counts for the client's address: a request, a read that brings none, and each
/// small part of a body. Who sends too much is not read for a while.
final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long a client that is still sending may take to read the last response before the connection is cut.
    private static let lingerTimeout: Duration = .seconds(2)

    /// A read or part of a body with fewer bytes counts.
    private static let smallBytes = 1024
    /// How much of a body is read at a time, once a service wants it.
    private static let bodyReadBytes = 64 * 1024

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
    /// The place of its other end; nil if that is a trusted proxy, whose connection carries requests of many people.
    private let peer: String?
    private let gate: HTTPGate
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

    /// The place of the client whose request is being answered.
    private var requester: String?

    private var requests = 0
    /// What was read and is not counted yet.
    private var uncounted = 0
    /// How long nothing more is read after the response, because the address sent too many requests.
    private var pause: Duration?

    init(
        edge: Edge, loop: EdgeLoop, isOverLimit: Bool, peer: String?, gate: HTTPGate,
        decoder: ByteToMessageHandler<HTTPRequestDecoder>, encoder: HTTPResponseEncoder
    ) {
        self.edge = edge
        self.loop = loop
        self.isOverLimit = isOverLimit
        self.peer = peer
        self.gate = gate
        self.decoder = decoder
        self.encoder = encoder
        bucket = TokenBucket(edge.rules.requests, at: Moment.now.steady)
        gate.handler = self
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
        if !isOverLimit { edge.newcomerEnded(peer) }
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
            refuse(HTTPProblem(408, .timeout, "No complete request arrived in time."))
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
            refuse(HTTPProblem(431, .tooLarge, "The headers are larger than allowed."))
        } else {
            refuse(HTTPProblem(400, .invalid, "This is not HTTP/1.1."))
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        guard event as? ChannelEvent == .inputClosed else { return }
        switch state {
        case .waiting, .reading, .closing: context.close(promise: nil)
        case .relaying where !requestHasEnded: context.close(promise: nil)
        // It gets the responses to what it has sent.
        case .relaying, .answering, .upgraded: break
        }
    }

    // MARK: From the gate

    /// - Returns: how many bytes may wait.
    func arrived(_ bytes: Int) -> Int {
        guard case .relaying(let relay) = state, relay.isAccepted else {
            uncounted += 1
            return HTTPIntake.bytesMax
        }
        if bytes < Self.smallBytes { uncounted += 1 }
        return 2 * HTTPRelayMachine.pieceBytes
    }

    /// More has arrived than may wait.
    func overflowed() { keepsOpen = false }

    /// Counts what was read. If it was too much, nothing more is read for a while.
    func settle() {
        guard uncounted > 0, let place = peer ?? requester else { return uncounted = 0 }
        defer { uncounted = 0 }
        guard let wait = edge.countRequest(from: place, asMany: uncounted) else { return }
        edge.metrics.pausedOne()
        gate.pause(wait)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = Self.unwrapInboundIn(data)
        if case .head = part { edge.metrics.parsedHead() }
        if case .closing = state { return }
        received(part, context)
    }

    private func received(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head):
            // The gate passes on one head at a time.
            guard requestHasEnded, responseHasEnded else { return keepsOpen = false }
            gate.hold(true)
            begin(head, context)
        case .body(let bytes):
            if bytes.readableBytes < Self.smallBytes { uncounted += 1 }
            if case .relaying(let relay) = state { relay.received(bytes) }
        case .end:
            guard !requestHasEnded else { return }
            requestHasEnded = true
            gate.hold(true)
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
        let request = HTTPDemand(head, address: edge.clientAddress.of(head.headers, peer: Self.peer(of: context)))
        request.isChunked ? gate.expectChunks() : gate.expectBody(of: Int(clamping: request.length))
        // The decoder passes on nothing after a request for an upgrade.
        keepsOpen =
            keepsOpen && head.isKeepAlive && !isOverLimit && !head.headers.contains(name: "upgrade")
            && head.method != .CONNECT && requests < edge.rules.limits.requestsPerConnection && !request.isChunked
            && !edge.newcomersAreMany
        // It counts for the read that brought it.
        (uncounted, requester) = (0, ClientAddress.place(of: request.address))
        pause = edge.countRequest(from: requester ?? "", asMany: 1)
        if let wait = pause, peer == nil {
            // The connection is also others': its proxy would send their requests on it.
            pause = nil
            return refuse(HTTPProblem(.rateLimited(wait)), to: request)
        }
        if isOverLimit {
            return refuse(
                HTTPProblem(
                    .unavailable(
                        "This gateway has reached its connection limit. Try again later.", retryAfter: .seconds(5))),
                to: request)
        }
        guard request.namesHost else {
            keepsOpen = false
            return refuse(HTTPProblem(400, .invalid, "The request must have one Host header."))
        }
        let entry = edge.paths.table.entry(at: request.target)
        if let problem = request.problem(at: entry?.route, pathsAreKnown: edge.paths.isComplete) {
            return refuse(problem, to: request)
        }
        switch entry?.owner {
        case .service(let service): if let route = entry?.route { relay(request, at: route, to: service, context) }
        case .health:
            if let problem = spend(on: request) { return refuseMany(problem, to: request) }
            state = .reading(head, .health)
        case .some(let owner): state = .reading(head, owner)
        case nil: break
        }
    }

    private func relay(
        _ request: HTTPDemand, at route: HttpRoute, to service: Int, _ context: ChannelHandlerContext
    ) {
        if let reason = edge.reasonToRefuse {
            return refuse(HTTPProblem(.unavailable(reason, retryAfter: .seconds(1))), to: request)
        }
        if let problem = spend(on: request) { return refuseMany(problem, to: request) }
        let kind = request.hasBody ? ExchangeBook.Kind.upload : .download
        guard edge.exchangeBegins(kind, from: request.address) else {
            return refuseMany(
                HTTPProblem(
                    .unavailable("Too many requests are being answered. Try again later.", retryAfter: .seconds(2))),
                to: request)
        }
        timeout?.cancel()
        let exchange = HTTPExchange(loop: loop, handler: self)
        self.exchange = exchange
        let relay = HTTPRelay(
            request.head, at: request.target, route: route, edge: edge, service: service, exchange: exchange,
            kind: kind, address: request.address, handler: self, context: context)
        state = .relaying(relay)
        relay.start()
    }

    /// Counts a request that services answer, for its connection and its address.
    /// - Returns: the refusal of one too many.
    private func spend(on request: HTTPDemand) -> HTTPProblem? {
        // A proxy's connection is of many people, whose addresses count.
        if peer != nil, let wait = bucket.take(edge.rules.requests, at: Moment.now.steady) {
            return HTTPProblem(.rateLimited(.microseconds(wait)))
        }
        do throws(Refusal) {
            try edge.countBeginning(from: request.address)
            return nil
        } catch {
            return HTTPProblem(error)
        }
    }

    /// Refuses one request too many, which costs the gateway more than it costs the client.
    private func refuseMany(_ problem: HTTPProblem, to request: HTTPDemand) {
        let count = edge.rules.limits.framesOfRefused - 1
        if let wait = edge.countRequest(from: requester ?? "", asMany: count), peer != nil { pause = wait }
        refuse(problem, to: request)
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

    private static func peer(of context: ChannelHandlerContext) -> String { context.remoteAddress?.ipAddress ?? "" }

    // MARK: WebSocket

    private func upgrade(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        if let problem = HTTPDemand.problem(withHandshake: head, edge.origins) { return refuse(problem) }
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
                    let address = self.edge.clientAddress.of(head.headers, peer: Self.peer(of: context))
                    self.become(headers, address: address, context)
                case .failure:
                    self.refuse(
                        HTTPProblem(
                            400, .invalid, "The WebSocket handshake is not valid. Use version 13 and one key."))
                }
            }
    }

    private func become(_ headers: HTTPHeaders, address: String, _ context: ChannelHandlerContext) {
        let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        state = .upgraded
        let pipeline = context.pipeline.syncOperations
        let session = Session(address: address, loop: loop)
        do {
            let options = context.channel.syncOptions
            let buffer = edge.rules.limits.sessionBufferBytes
            try options?.setOption(.socketOption(.so_sndbuf), value: .init(buffer))
            try pipeline.addHandler(
                ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: edge.rules.limits.frameBytes)))
            try pipeline.addHandler(SessionHandler(edge: edge, session: session, newcomer: .init(place: peer)))
        } catch {
            return context.close(promise: nil)
        }
        pipeline.removeHandler(self, promise: nil)
        pipeline.removeHandler(encoder, promise: nil)
        // The gate goes last, because it then passes bytes after the request on to the WebSocket decoder.
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { [gate] _ in
            pipeline.removeHandler(gate, promise: nil)
        }
        pipeline.removeHandler(decoder, promise: promise)
    }

    // MARK: Responses

    private func refuse(_ problem: HTTPProblem) {
        endExchange()
        respond(Int(problem.status), json: problem.body, headers: problem.headers.map { ($0.name, $0.value) })
    }

    /// What follows the response cannot be told from a body that was not read.
    private func refuse(_ problem: HTTPProblem, to request: HTTPDemand) {
        keepsOpen = keepsOpen && !request.hasBody
        refuse(problem)
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
        if case .relaying = state, !requestHasEnded {
            keepsOpen = false
            gate.discard()
        }
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
        context?.close(mode: .output, promise: nil)
        setTimeout(Self.lingerTimeout)
        // A client that is still sending would otherwise be cut off before it has read the response.
        gate.discard()
    }

    /// Goes on with the next request, after a pause if the address has sent too many.
    private func rest() {
        state = .waiting
        requester = nil
        let wait = pause ?? .zero
        pause = nil
        setTimeout(edge.rules.limits.keepAliveTimeout + wait)
        if wait > .zero {
            edge.metrics.pausedOne()
            gate.pause(wait)
        } else if peer == nil {
            // What one client has sent too much of is not what the next one waits for.
            gate.endPause()
        }
        gate.hold(false)
    }

    // MARK: Bodies

    /// Lets the service have more of the body, or makes the client wait.
    func take(_ wantsBytes: Bool) { gate.hold(!wantsBytes) }

    /// Makes room in the kernel for what a service sends: a small buffer would slow down whoever is far away.
    func makeRoomToSend(_ isNeeded: Bool) {
        let buffer = isNeeded ? edge.rules.limits.downloadBufferBytes : edge.rules.limits.responseBufferBytes
        _ = try? context?.channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: .init(buffer))
    }

    /// The same for a body that the service wants.
    func makeRoomToRead(_ isNeeded: Bool) {
        let (limits, options) = (edge.rules.limits, context?.channel.syncOptions)
        let buffer = isNeeded ? limits.uploadBufferBytes : limits.requestBufferBytes
        _ = try? options?.setOption(.socketOption(.so_rcvbuf), value: .init(buffer))
        let size = isNeeded ? Self.bodyReadBytes : limits.readBytes
        _ = try? options?.setOption(.recvAllocator, value: Edge.allocator(upTo: size))
    }
}
