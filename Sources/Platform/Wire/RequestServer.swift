import Logging
import Reactor
import Schema

/// The serving end of a service's request link: a ROUTER that takes [Envelope][body] from any number of clients.
@ReactorActor
public final class RequestServer {
    private let endpoint: String
    private let limit: Int
    private var log: Logger
    private var socket: Socket?
    private var isAccepting = true
    private var malformedLine = Occasionally(every: .seconds(10))

    /// Requests handed to the handler and not yet answered.
    public private(set) var inFlight = 0
    /// Messages dropped because they were no request of ours, so far.
    public private(set) var malformed = 0
    /// Replies dropped because their peer was gone, so far.
    public private(set) var undeliverable = 0
    /// Requests whose ``Responder`` was released without an answer, so far. Each is a mistake in a handler.
    public private(set) var forgotten = 0

    /// - Parameters:
    ///   - endpoint: where to listen: `ipc:///path`, `tcp://host:port`; `*` as port takes a free one.
    ///   - inFlightMax: beyond so many unanswered requests callers are told `rate_limited`.
    public init(endpoint: String, inFlightMax: Int = WireLimits.inFlightMax, log: Logger) {
        self.endpoint = endpoint
        limit = inFlightMax
        self.log = log
    }

    // Its handlers hold `self` unowned, which costs each message less than weak: close them first.
    isolated deinit { close() }

    /// Listens, and calls `handler` on the loop with each request: its envelope, its body, the way back.
    /// - Returns: the endpoint really bound.
    @discardableResult
    public func start(
        _ handler: @escaping @ReactorActor (Envelope, [UInt8], Responder) -> Void
    ) throws(ZeroMQError) -> String {
        precondition(socket == nil, "a request server starts once")
        let socket = try Socket.link(.router)
        socket.onMessage { [unowned self] parts in received(parts, handler) }
        let bound = try socket.bind(endpoint)
        self.socket = socket
        return bound
    }

    /// From now on new requests are told `unavailable`; those in flight are still answered. For a stop without loss:
    /// this, wait until ``inFlight`` is zero, ``close()``.
    public func stopAccepting() {
        isAccepting = false
    }

    /// Stops listening. What is answered later goes nowhere.
    public func close() {
        isAccepting = false
        socket?.close()
        socket = nil
    }

    private func received(_ parts: [[UInt8]], _ handler: @ReactorActor (Envelope, [UInt8], Responder) -> Void) {
        guard parts.count >= 2 else { return drop("not enough parts") }
        let peer = parts[0]
        let envelope: Envelope
        do {
            envelope = try Envelope.decode(parts[1])
        } catch {
            return refuseMalformed(parts, "\(error)")
        }
        guard envelope.id != 0, parts.count == 3 else {
            return refuseMalformed(parts, envelope.id == 0 ? "no id" : "\(parts.count - 1) parts instead of 2")
        }
        guard isAccepting else {
            return send(
                envelope.id, to: peer, .unavailable("This service is restarting. Send it again in a moment."), [])
        }
        guard inFlight < limit else { return send(envelope.id, to: peer, .rateLimited(.milliseconds(500)), []) }
        inFlight += 1
        handler(envelope, parts[2], Responder(self, peer: peer, id: envelope.id))
    }

    // MARK: Answers

    func answer(_ id: UInt64, to peer: [UInt8], _ refusal: Refusal?, _ body: [UInt8]) {
        inFlight -= 1
        send(id, to: peer, refusal, body)
    }

    func answerForgotten(_ id: UInt64, to peer: [UInt8]) {
        forgotten += 1
        log.error("a request was dropped without an answer; its caller is told \"internal\"")
        answer(id, to: peer, .internal, [])
    }

    func noteSecondAnswer() {
        log.error("a request was answered twice; the second answer is dropped")
    }

    private func send(_ id: UInt64, to peer: [UInt8], _ refusal: Refusal?, _ body: [UInt8]) {
        let header = ReplyHeader(id: id, error: refusal?.problem).encode()
        do {
            if let socket, try socket.send(peer, header, body) { return }
            undeliverable += 1
        } catch {
            undeliverable += 1
            log.error("a reply could not be sent", metadata: ["error": "\(error)"])
        }
    }

    // MARK: What is no request

    private func refuseMalformed(_ parts: [[UInt8]], _ why: String) {
        drop(why)
        guard let id = RequestID.peek(parts[1]) else { return }
        send(id, to: parts[0], .invalid("", "This request cannot be read: \(why)"), [])
    }

    private func drop(_ why: String) {
        malformed += 1
        guard let heldBack = malformedLine.pass(at: .now) else { return }
        log.debug("dropped what is no request", metadata: ["why": "\(why)", "more": "\(heldBack)"])
    }
}
