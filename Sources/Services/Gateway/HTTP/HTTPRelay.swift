import NIOCore
import NIOHTTP1
import Schema
import Wire

/// One HTTP exchange that a service answers: the connection's side of ``HTTPRelayMachine``.
final class HTTPRelay {
    private let edge: Edge
    private let service: Int
    private let exchange: HTTPExchange
    private let address: String
    private let kind: ExchangeBook.Kind
    /// Whose exchange it is, once the service has said it.
    private var account: Int64?
    private let beganAt = Moment.now
    /// How many bytes of the bodies have come and gone.
    private var moved = 0
    private let key: String
    private let context: ChannelHandlerContext
    private unowned let handler: HTTPHandler
    private var machine: HTTPRelayMachine
    /// Whether the kernel has room for a large body of the request, and of the response.
    private var (hasRoomToRead, hasRoomToSend) = (false, false)
    private var silence: Scheduled<Void>?
    private var slowness: Scheduled<Void>?

    init(
        _ request: HTTPRequestHead, at path: String, route: HttpRoute, edge: Edge, service: Int, exchange: HTTPExchange,
        kind: ExchangeBook.Kind, address: String, handler: HTTPHandler, context: ChannelHandlerContext
    ) {
        (self.edge, self.service, self.exchange) = (edge, service, exchange)
        (self.address, self.handler, self.context, self.kind) = (address, handler, context, kind)
        key = Self.key(of: path, at: route)
        machine = HTTPRelayMachine(
            HttpRequest(
                method: request.method.rawValue, path: path,
                headers: request.headers.map { HttpHeader(name: $0.name.lowercased(), value: $0.value) }),
            route: route,
            expectsContinue: request.version == .http1_1
                && request.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" })
        watchSilence()
        watchSlowness()
    }

    /// Paths with the same first part below their route go to one replica while it is available, others to any.
    static func key(of path: String, at route: HttpRoute) -> String {
        let rest = path.dropFirst(route.path.count).prefix { $0 != "?" }
        return rest.contains("/") ? String(rest.prefix { $0 != "/" }) : ""
    }

    func start() { perform(machine.start()) }

    func received(_ bytes: ByteBuffer) {
        moved += bytes.readableBytes
        perform(machine.received(bytes))
        handler.take(machine.wantsBytes)
    }

    func receivedEnd() { perform(machine.receivedEnd()) }

    func answered(_ result: Result<[UInt8], Refusal>) {
        let reply = result.flatMap { bytes in
            (try? HttpReply.decode(bytes)).map { .success($0) } ?? .failure(Refusal.internal)
        }
        perform(machine.answered(counted(reply)))
        guard machine.wantsBytes else { return }
        if !hasRoomToRead {
            hasRoomToRead = true
            handler.makeRoomToRead(true)
        }
        handler.take(true)
    }

    /// Counts the exchange for its account. Too many of one account are refused.
    private func counted(_ reply: Result<HttpReply, Refusal>) -> Result<HttpReply, Refusal> {
        guard case .success(let first) = reply, account == nil, first.account != 0 else { return reply }
        guard edge.assignExchange(kind, to: first.account, begunAt: beganAt.wall, on: context.channel) else {
            return .failure(
                Refusal(
                    .rateLimited,
                    "Too many transfers of yours are under way, or you were signed out. Wait until one ends.",
                    retryAfter: .seconds(2)))
        }
        account = first.account
        return reply
    }

    /// Whether the service wants the body.
    var isAccepted: Bool { machine.isAccepted }

    /// Ends the exchange. Call it once, when the response is complete or the connection ends.
    func ended() {
        silence?.cancel()
        silence = nil
        slowness?.cancel()
        slowness = nil
        if hasRoomToRead { handler.makeRoomToRead(false) }
        if hasRoomToSend { handler.makeRoomToSend(false) }
        edge.exchangeEnded(kind, from: address, of: account, on: context.channel)
    }

    private func watchSilence() {
        let limit = TimeAmount.nanoseconds(edge.rules.limits.exchangeSilence.microseconds * 1000)
        silence = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { [weak self] in
            guard let self else { return }
            if machine.isSilent() { return Edge.cut(context.channel) }
            watchSilence()
        }
    }

    /// Ends the exchange if it is slow while others need its place.
    private func watchSlowness() {
        let limits = edge.rules.limits
        let grace = TimeAmount.nanoseconds(limits.exchangeGrace.microseconds * 1000)
        slowness = context.eventLoop.assumeIsolated().scheduleTask(in: grace) { [weak self] in
            guard let self else { return }
            let seconds = Double(Moment.now.steady - beganAt.steady) / 1_000_000
            let isSlow = Double(moved) < seconds * Double(limits.exchangeBytesPerSecond)
            if isSlow, !machine.isAwaitingReply, edge.exchangesAreShort(of: kind) { return Edge.cut(context.channel) }
            watchSlowness()
        }
    }

    private func perform(_ actions: [HTTPRelayMachine.Action]) {
        for action in actions {
            switch action {
            case .ask(let piece):
                edge.inbox.put(
                    .exchange(exchange, service: service, key: key, address: address, piece.encode()))
            case .proceed:
                let head = HTTPResponseHead(version: .http1_1, status: .continue)
                context.writeAndFlush(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
            case .begin(let status, let headers):
                handler.begin(
                    status, HTTPHeaders(headers.map { ($0.name, $0.value) } + [("X-Request-Id", exchange.id)]))
            case .write(let body):
                moved += body.count
                if body.count > edge.rules.limits.responseBufferBytes, !hasRoomToSend {
                    hasRoomToSend = true
                    handler.makeRoomToSend(true)
                }
                let promise = context.eventLoop.makePromise(of: Void.self)
                promise.futureResult.assumeIsolated().whenComplete { [weak self] _ in
                    guard let self else { return }
                    perform(machine.wrote())
                }
                let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: body)))
                context.writeAndFlush(NIOAny(part), promise: promise)
            case .end: handler.end()
            case .cut: context.close(promise: nil)
            }
        }
    }
}
