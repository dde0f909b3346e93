import Logging
import Reactor
import Schema

/// The serving end of a service's request link: a ROUTER that receives records [Envelope][body] from any number of
/// clients.
///
/// Replies are addressed by the connection's name, which the ROUTER made itself. A peer that sets its own name is not
/// served. So no peer can take the name of another and get its replies.
@ReactorActor
public final class RequestServer {
    private let endpoint: String
    private let limit: Int
    private let security: LinkSecurity
    private var log: Logger
    private var socket: Socket?
    private var isAccepting = true
    private var malformedLine = LogThrottle(every: .seconds(10))
    private var forbiddenLine = LogThrottle(every: .seconds(10))

    private var open = OpenRequests<Origin>()
    private lazy var idle = Condition { [unowned self] in open.count == 0 }
    private var deadlines: AnswerInTime<Ticket>?
    /// The connections with open requests, by peer.
    private var connections: [[UInt8]: Connection] = [:]
    /// The connections with replies to send at the end of this turn.
    private var waiting: [Connection] = []

    /// Messages dropped so far because they were not requests.
    public private(set) var malformed = 0
    /// Replies dropped so far because their peer was gone.
    public private(set) var undeliverable = 0
    /// Requests so far whose ``Responder`` was released without an answer. Each is a bug in a handler.
    public private(set) var forgotten = 0
    /// Requests so far that their sender's key does not allow.
    public private(set) var forbidden = 0
    /// Answers dropped so far because the server had already answered `unavailable`.
    public private(set) var late = 0

    /// Where a request came from and its answer goes.
    struct Origin {
        var connection: Connection
        var id: UInt64
    }

    typealias Ticket = OpenRequests<Origin>.Ticket

    /// One peer's connection, as long as it has open requests.
    @ReactorActor
    final class Connection {
        let peer: [UInt8]
        let role: PeerRole
        fileprivate var open = 0
        fileprivate var outgoing = RecordFrame.Builder()
        fileprivate var isWaiting = false

        fileprivate init(peer: [UInt8], role: PeerRole) {
            self.peer = peer
            self.role = role
        }
    }

    /// - Parameters:
    ///   - endpoint: the endpoint to bind, `ipc:///path` or `tcp://host:port`; `*` as port takes a free port.
    ///   - inFlightMax: how many requests may be unanswered. Beyond that, callers get `rate_limited`.
    public init(
        endpoint: String, inFlightMax: Int = WireLimits.inFlightMax, security: LinkSecurity = .plain, log: Logger
    ) {
        self.endpoint = endpoint
        limit = inFlightMax
        self.security = security
        self.log = log
    }

    // Its handlers hold `self` weakly, since it may be released on another thread before this runs.
    isolated deinit { close() }

    /// Requests passed to the handler that it has not ended yet.
    public var inFlight: Int { open.count }

    /// Listens, and calls `handler` on the loop with each request: its envelope, its body and a responder.
    ///
    /// If the handler has not answered shortly before a request's deadline, the server answers `unavailable` and drops
    /// the handler's later answer. The request counts as in flight until then.
    /// - Returns: the endpoint actually bound.
    @discardableResult
    public func start(
        _ handler: @escaping @ReactorActor (Envelope, [UInt8], Responder) -> Void
    ) throws(ZeroMQError) -> String {
        precondition(socket == nil, "a request server starts once")
        let socket = try Socket.link(.router)
        try security.secure(asServer: socket, at: endpoint, log: log) { $0.maySendRequests }
        socket.onFrame { [weak self] frame in self?.received(frame, handler) }
        let bound = try socket.bind(endpoint)
        deadlines = AnswerInTime { [weak self] tickets in for ticket in tickets { self?.answerInTime(ticket) } }
        self.socket = socket
        return bound
    }

    /// From now on answers new requests with `unavailable`. Returns once those in flight are answered, or after
    /// `limit`. To stop without loss, call this before ``close()``.
    public func finish(atMost limit: Duration) async {
        isAccepting = false
        await idle.wait(atMost: limit)
    }

    /// Stops listening. Answers of this turn still go out; later ones are dropped.
    public func close() {
        isAccepting = false
        flush()
        deadlines?.cancel()
        socket?.close()
        socket = nil
    }

    // MARK: Requests

    private func received(
        _ frame: IncomingFrame, _ handler: @ReactorActor (Envelope, [UInt8], Responder) -> Void
    ) {
        guard frame.isWhole else { return drop("more than one part") }
        guard frame.chosenRoutingID == nil else { return drop("the peer set its own routing id") }
        guard let role = security.role(of: frame) else { return drop("the peer is not known") }
        let records: [RecordFrame.Record]
        do {
            records = try RecordFrame.split(frame.bytes)
        } catch {
            return drop("\(error)")
        }
        let connection = connection(of: frame.peer, role)
        for record in records { received(record, from: connection, handler) }
        letGo(of: connection)
    }

    private func received(
        _ record: RecordFrame.Record, from connection: Connection,
        _ handler: @ReactorActor (Envelope, [UInt8], Responder) -> Void
    ) {
        let envelope: Envelope
        do {
            envelope = try Envelope.decode(record.header)
        } catch {
            drop("\(error)")
            guard let id = RequestID.peek(record.header) else { return }
            return send(id, to: connection, .invalid("", "This request cannot be read: \(error)"), [])
        }
        let id = envelope.id
        guard id != 0 else { return drop("no id") }
        guard connection.role.mayCall(envelope.method) else { return refuse(envelope, from: connection) }
        guard isAccepting else {
            let refusal = Refusal.unavailable("This service is restarting. Send the request again in a moment.")
            return send(id, to: connection, refusal, [])
        }
        guard open.count < limit else { return send(id, to: connection, .rateLimited(.milliseconds(500)), []) }
        let ticket = open.open(Origin(connection: connection, id: id))
        connection.open += 1
        deadlines?.add(ticket, deadline: .milliseconds(Int64(envelope.deadlineMs)))
        handler(envelope, [UInt8](record.body), Responder(self, ticket))
    }

    private func refuse(_ envelope: Envelope, from connection: Connection) {
        forbidden += 1
        send(envelope.id, to: connection, .forbidden("A process with this role may not call this method."), [])
        guard let heldBack = forbiddenLine.pass(at: .now) else { return }
        log.warning(
            "refused a request that its sender's key does not allow",
            metadata: ["role": "\(connection.role)", "method": "\(envelope.method)", "more": "\(heldBack)"])
    }

    private func connection(of peer: [UInt8], _ role: PeerRole) -> Connection {
        if let known = connections[peer], known.role == role { return known }
        let connection = Connection(peer: peer, role: role)
        connections[peer] = connection
        return connection
    }

    private func letGo(of connection: Connection) {
        guard connection.open == 0, connections[connection.peer] === connection else { return }
        connections[connection.peer] = nil
    }

    // MARK: Answers

    func answer(_ ticket: Ticket, _ refusal: Refusal?, _ body: [UInt8]) {
        guard let (origin, isAnswered) = open.close(ticket) else { return }
        origin.connection.open -= 1
        letGo(of: origin.connection)
        if isAnswered {
            late += 1
        } else {
            send(origin.id, to: origin.connection, refusal, body)
        }
        idle.changed()
    }

    func answerForgotten(_ ticket: Ticket) {
        forgotten += 1
        log.error("a handler released a request without an answer; its caller gets \"internal\"")
        answer(ticket, .internal, [])
    }

    func noteSecondAnswer() {
        log.error("a request was answered twice; the second answer is dropped")
    }

    private func answerInTime(_ ticket: Ticket) {
        guard let origin = open.markAnswered(ticket) else { return }
        let refusal = Refusal.unavailable(
            "This service is overloaded. The request may have taken effect; sending it again with the same id is safe.",
            retryAfter: .seconds(1))
        send(origin.id, to: origin.connection, refusal, [])
    }

    private func send(_ id: UInt64, to connection: Connection, _ refusal: Refusal?, _ body: [UInt8]) {
        guard socket != nil else {
            undeliverable += 1
            return
        }
        let header = ReplyHeader(id: id, error: refusal?.problem).encode()
        if !connection.outgoing.hasRoom(header: header.count, body: body.count) { flush(connection) }
        connection.outgoing.append(header: header, body: body)
        guard !connection.isWaiting else { return }
        connection.isWaiting = true
        if waiting.isEmpty { Reactor.shared.atEndOfTurn { [weak self] in self?.flush() } }
        waiting.append(connection)
    }

    private func flush() {
        let connections = waiting
        waiting.removeAll(keepingCapacity: true)
        for connection in connections {
            connection.isWaiting = false
            flush(connection)
        }
    }

    private func flush(_ connection: Connection) {
        let count = connection.outgoing.count
        defer { connection.outgoing.clear() }
        do {
            if let socket, try socket.send(connection.peer, connection.outgoing.bytes) { return }
            undeliverable += count
        } catch {
            undeliverable += count
            log.error("replies could not be sent", metadata: ["error": "\(error)", "count": "\(count)"])
        }
    }

    // MARK: Malformed messages

    private func drop(_ why: String) {
        malformed += 1
        guard let heldBack = malformedLine.pass(at: .now) else { return }
        log.debug("dropped a message that is not a request", metadata: ["why": "\(why)", "more": "\(heldBack)"])
    }
}
