import Monitor
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Schema
import ServiceKit
import Wire

/// A connection before it becomes a session: what ``ConnectionMachine`` decides is done to the channel here.
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

    /// How much of a body is read at a time, once a service wants it.
    private static let bodyReadBytes = 64 * 1024

    private let edge: Edge
    private let loop: EdgeLoop
    private let isOverLimit: Bool
    /// The place of its other end; nil if that is a trusted proxy, whose connection carries requests of many people.
    private let peer: String?
    private let gate: HTTPGate
    private let decoder: ByteToMessageHandler<HTTPRequestDecoder>
    private let encoder: HTTPResponseEncoder

    private var machine: ConnectionMachine
    private var door: HTTPDoor
    private var context: ChannelHandlerContext?
    private var timeout: Scheduled<Void>?
    private var exchange: HTTPExchange?
    private var relay: HTTPRelay?
    private var needsFlush = false

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
        machine = ConnectionMachine(rules: edge.rules, isOverLimit: isOverLimit, peer: peer)
        door = HTTPDoor(edge: edge, peer: peer)
        gate.handler = self
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.add(self)
        perform(machine.start())
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        machine.removed()
        timeout?.cancel()
        loop.remove(self)
        // The relay holds the context, which holds this handler.
        endExchange()
        self.context = nil
        if machine.isUpgraded { return }
        if !isOverLimit { edge.newcomerEnded(peer) }
        edge.connectionClosed(wasOverLimit: isOverLimit)
    }

    /// Ends the connection once no request is being answered, because the gateway stops.
    func drain() { perform(machine.drain()) }

    // MARK: From the gate

    /// - Returns: how many bytes may wait.
    func arrived(_ bytes: Int) -> Int { machine.arrived(bytes) }

    /// More has arrived than may wait.
    func overflowed() { machine.overflowed() }

    /// Counts what was read. If it was too much, nothing more is read for a while.
    func settle() { perform(machine.settle()) }

    // MARK: From the channel

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head):
            edge.metrics.parsedHead()
            if !machine.isClosing { begin(head, context) }
        case .body(let bytes):
            relay?.count(bytes.readableBytes)
            perform(machine.received(bytes))
        case .end: perform(machine.receivedEnd())
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let address = edge.clientAddress.of(head.headers, peer: context.remoteAddress?.ipAddress ?? "")
        let place = ClientAddress.place(of: address)
        let pause = edge.countRequest(from: place, asMany: 1)
        perform(
            machine.received(
                HTTPDemand(head, address: address), place: place, pause: pause, staysOpen: !edge.newcomersAreMany))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        perform(machine.failed(error as? HTTPParserError))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        if event as? ChannelEvent == .inputClosed { perform(machine.inputClosed()) }
    }

    // MARK: From the reactor

    /// Handles a reply to a piece of `exchange`, if its connection still waits for that.
    func answered(_ exchange: HTTPExchange, _ result: Result<[UInt8], Refusal>) {
        guard exchange === self.exchange, let relay else { return }
        perform(machine.answered(relay.counted(result)))
    }

    /// Answers `exchange` about the gateway's health, if its connection still waits for that.
    func respond(to exchange: HTTPExchange, _ status: Int, json: String) {
        if exchange === self.exchange { perform(machine.answeredHealth(status, json)) }
    }

    // MARK: Exchanges

    var isAwaitingReply: Bool { machine.isAwaitingReply }
    func isSilent() -> Bool { machine.isSilent() }

    private func begin(_ decision: HTTPDecision.Relay) {
        guard let context, let request = machine.demand else { return }
        let exchange = HTTPExchange(loop: loop, handler: self)
        self.exchange = exchange
        relay = HTTPRelay(request, decision, edge: edge, exchange: exchange, handler: self, context: context)
    }

    private func endExchange() {
        relay?.ended()
        exchange?.handler = nil
        (relay, exchange) = (nil, nil)
    }

    // MARK: To the channel

    /// Does one action after the other. What they bring in, such as a written piece or the next request, comes after
    /// all of them.
    private func perform(_ actions: [ConnectionMachine.Action]) {
        for action in actions { perform(action) }
        if needsFlush {
            needsFlush = false
            context?.flush()
        }
        gate.follow(isHeld: machine.isHeld, isDiscarding: machine.isDiscarding)
    }

    private func perform(_ action: ConnectionMachine.Action) {
        switch action {
        case .expectBody(let length): if let length { gate.expectBody(of: length) } else { gate.expectChunks() }
        case .decide(let request): perform(machine.decided(door.decide(request)))
        case .count(let count, let place): if let wait = edge.countRequest(from: place, asMany: count) { pause(wait) }
        case .pause(let wait): pause(wait)
        case .endPause: gate.endPause()
        case .buildUpgrade(let head): buildUpgrade(head)
        case .becomeSession(let headers): becomeSession(headers)
        case .askHealth:
            let exchange = HTTPExchange(loop: loop, handler: self)
            self.exchange = exchange
            edge.inbox.put(.health(exchange))
        case .beginExchange(let decision): begin(decision)
        case .ask(let piece, let body): relay?.ask(piece, body)
        case .endExchange: endExchange()
        case .makeRoomToRead(let isNeeded): makeRoomToRead(isNeeded)
        case .makeRoomToSend(let isNeeded): makeRoomToSend(isNeeded)
        case .proceed: write(HTTPResponseHead(version: .http1_1, status: .continue))
        case .begin(let status, let headers): begin(status, headers)
        case .write(let body): writeBody(body)
        case .end: write(.end(nil)) { $0.written() }
        case .setTimeout(let limit): setTimeout(limit)
        case .stopTimeout: timeout?.cancel()
        case .close: context?.close(promise: nil)
        case .closeOutput: context?.close(mode: .output, promise: nil)
        case .reset: if let context { Edge.cut(context.channel) }
        }
    }

    private func pause(_ wait: Duration) {
        edge.metrics.pausedOne()
        gate.pause(wait)
    }

    private func setTimeout(_ limit: Duration) {
        timeout?.cancel()
        let limit = TimeAmount.nanoseconds(limit.microseconds * 1000)
        timeout = context?.eventLoop.assumeIsolated().scheduleTask(in: limit) { [weak self] in
            guard let self else { return }
            perform(machine.timedOut())
        }
    }

    private func begin(_ status: Int, _ headers: HTTPHeaders) {
        var headers = headers
        if relay != nil, let exchange { headers.add(name: "X-Request-Id", value: exchange.id) }
        write(HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers))
    }

    private func write(_ head: HTTPResponseHead) {
        context?.write(wrapOutboundOut(.head(head)), promise: nil)
        needsFlush = true
    }

    private func writeBody(_ body: ByteBuffer) {
        relay?.count(body.readableBytes)
        write(.body(.byteBuffer(body))) { $0.wrote() }
    }

    /// Writes, and tells the machine once that is done.
    private func write(
        _ part: HTTPServerResponsePart, then next: @escaping (inout ConnectionMachine) -> [ConnectionMachine.Action]
    ) {
        guard let context else { return }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { [weak self] _ in
            guard let self else { return }
            perform(next(&machine))
        }
        context.write(wrapOutboundOut(part), promise: promise)
        needsFlush = true
    }

    /// Makes room in the kernel for what a service sends: a small buffer would slow down whoever is far away.
    private func makeRoomToSend(_ isNeeded: Bool) {
        let buffer = isNeeded ? edge.rules.limits.downloadBufferBytes : edge.rules.limits.responseBufferBytes
        _ = try? context?.channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: .init(buffer))
    }

    /// The same for a body that the service wants.
    private func makeRoomToRead(_ isNeeded: Bool) {
        let (limits, options) = (edge.rules.limits, context?.channel.syncOptions)
        let buffer = isNeeded ? limits.uploadBufferBytes : limits.requestBufferBytes
        _ = try? options?.setOption(.socketOption(.so_rcvbuf), value: .init(buffer))
        let size = isNeeded ? Self.bodyReadBytes : limits.readBytes
        _ = try? options?.setOption(.recvAllocator, value: Edge.allocator(upTo: size))
    }

    // MARK: WebSocket

    private func buildUpgrade(_ head: HTTPRequestHead) {
        guard let context else { return }
        edge.upgrader.buildUpgradeResponse(channel: context.channel, upgradeRequest: head, initialResponseHeaders: [:])
            .assumeIsolated().whenComplete { [weak self] result in
                guard let self else { return }
                var headers = try? result.get()
                headers?.add(name: "Sec-WebSocket-Protocol", value: "parley.v1")
                perform(machine.upgrade(headers))
            }
    }

    private func becomeSession(_ headers: HTTPHeaders) {
        guard let context, let address = machine.demand?.address else { return }
        write(HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers))
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        let pipeline = context.pipeline.syncOperations
        let session = Session(address: address, loop: loop)
        do {
            let buffer = edge.rules.limits.sessionBufferBytes
            try context.channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: .init(buffer))
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
}
