import NIOCore
import NIOHTTP1
import Schema
import Wire

/// What the edge keeps of one HTTP exchange that a service answers: its place, its account, and how fast it is.
final class HTTPRelay {
    private let edge: Edge
    private let decision: HTTPDecision.Relay
    private let exchange: HTTPExchange
    private let address: String
    /// Whose exchange it is, once the service has said it.
    private var account: Int64?
    private let beganAt = Moment.now
    /// How many bytes of the bodies have come and gone.
    private var moved = 0
    private let key: String
    private let context: ChannelHandlerContext
    private unowned let handler: HTTPHandler
    private var silence: Scheduled<Void>?
    private var slowness: Scheduled<Void>?

    init(
        _ request: HTTPDemand, _ decision: HTTPDecision.Relay, edge: Edge, exchange: HTTPExchange,
        handler: HTTPHandler, context: ChannelHandlerContext
    ) {
        (self.edge, self.decision, self.exchange) = (edge, decision, exchange)
        (address, self.handler, self.context) = (request.address, handler, context)
        key = Self.key(of: request.target, at: decision.route)
        watchSilence()
        watchSlowness()
    }

    /// Paths with the same first part below their route go to one replica while it is available, others to any.
    static func key(of path: String, at route: HttpRoute) -> String {
        let rest = path.dropFirst(route.path.count).prefix { $0 != "?" }
        return rest.contains("/") ? String(rest.prefix { $0 != "/" }) : ""
    }

    func ask(_ piece: HttpRequest, _ body: ByteBuffer) {
        let head = HttpPiece.head(of: piece, bodyBytes: body.readableBytes)
        edge.inbox.put(
            .exchange(exchange, service: decision.service, key: key, address: address, head, body: body))
    }

    /// Counts what has come and gone.
    func count(_ bytes: Int) { moved += bytes }

    /// Reads a reply, and counts the exchange for its account. Too many of one account are refused.
    func counted(_ result: Result<[UInt8], Refusal>) -> Result<HttpReply, Refusal> {
        counted(
            result.flatMap { bytes in
                (try? HttpReply.decode(bytes)).map { .success($0) } ?? .failure(Refusal.internal)
            })
    }

    private func counted(_ reply: Result<HttpReply, Refusal>) -> Result<HttpReply, Refusal> {
        guard case .success(let first) = reply, account == nil, first.account != 0 else { return reply }
        guard edge.assignExchange(decision.kind, to: first.account, begunAt: beganAt.wall, on: context.channel) else {
            return .failure(
                Refusal(
                    .rateLimited,
                    "Too many transfers of yours are under way, or you were signed out. Wait until one ends.",
                    retryAfter: .seconds(2)))
        }
        account = first.account
        return reply
    }

    /// Ends the exchange. Call it once, when the response is complete or the connection ends.
    func ended() {
        silence?.cancel()
        silence = nil
        slowness?.cancel()
        slowness = nil
        edge.exchangeEnded(decision.kind, from: address, of: account, on: context.channel)
    }

    private func watchSilence() {
        let limit = TimeAmount.nanoseconds(edge.rules.limits.exchangeSilence.microseconds * 1000)
        silence = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { [weak self] in
            guard let self else { return }
            if handler.isSilent() { return Edge.cut(context.channel) }
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
            if isSlow, !handler.isAwaitingReply, edge.exchangesAreShort(of: decision.kind) {
                return Edge.cut(context.channel)
            }
            watchSlowness()
        }
    }
}
