import Logging
import Reactor
import Schema

/// The calling end of the request links to one service. It knows the service's replicas, which of them are connected,
/// and the requests each has not answered.
///
/// A request goes to one replica and is never sent twice. If that replica is lost, the caller gets `unavailable` and
/// decides whether to retry, since the request may have taken effect.
@ReactorActor
public final class RequestClient {
    /// How often deadlines are checked. A request may time out this much late.
    static let sweepInterval: Duration = .milliseconds(50)

    /// The service's name, for messages and metrics.
    public let service: String
    /// One per replica, each once.
    public private(set) var endpoints: [String]
    private let instance: String
    private let inFlightMax: Int
    private let security: LinkSecurity
    private let log: Logger

    private var replicas: [Replica] = []
    private var lastID: UInt64 = 0
    private var turn = 0
    private var sweepIsSet = false
    private var renewal: Reactor.Repetition?
    private var oddLine = LogThrottle(every: .seconds(10))
    private var handshakeLine = LogThrottle(every: .seconds(10))
    /// Replicas with something to send at the end of this turn.
    private var waiting: [Replica] = []

    /// Called when a replica is connected (true) and when it is lost (false), before ``onAvailabilityChange``.
    public var onReplicaChange: ((_ endpoint: String, _ isLive: Bool) -> Void)?
    /// Called when the first replica is connected (true) and when the last one is lost (false).
    public var onAvailabilityChange: ((Bool) -> Void)?
    /// Replies ignored so far because no request waited for them. They came too late or were never requested.
    public private(set) var ignored = 0

    /// - Parameters:
    ///   - endpoints: one per replica. They must be the same in every process that calls this service, since keys are
    ///     distributed by them.
    ///   - instance: this process's name, for the log.
    ///   - inFlightMax: how many requests one replica may leave unanswered. Beyond that, callers get `rate_limited`.
    ///   - security: with keys, the replicas must have the first key of the role `service`.
    public init(
        service: String, endpoints: [String], instance: String, inFlightMax: Int = WireLimits.inFlightMax,
        security: LinkSecurity = .plain, log: Logger
    ) {
        self.service = service
        var seen: Set<String> = []
        self.endpoints = endpoints.filter { seen.insert($0).inserted }
        self.instance = instance
        self.inFlightMax = inFlightMax
        self.security = security
        self.log = log
    }

    // Its handlers hold `self` weakly, since it may be released on another thread before this runs.
    isolated deinit { close() }

    /// Whether at least one replica is connected.
    public var isAvailable: Bool { replicas.contains(where: \.isLive) }

    /// The endpoints of the replicas that do not admit this process's key.
    public var refusingEndpoints: [String] { replicas.filter(\.isRefused).map(\.endpoint) }

    /// The endpoints of the replicas that are connected.
    public var liveEndpoints: [String] { replicas.filter(\.isLive).map(\.endpoint) }

    /// Requests sent and not yet answered.
    public var inFlight: Int { replicas.reduce(0) { $0 + $1.inFlight.count } }

    /// Connects to every replica, and retries until it succeeds.
    public func start() throws(ZeroMQError) {
        precondition(replicas.isEmpty, "a request client starts once")
        for endpoint in endpoints { try add(endpoint) }
        renewal = Reactor.shared.every(.seconds(1)) { [weak self] in self?.renewSockets() }
    }

    private func add(_ endpoint: String) throws(ZeroMQError) {
        let replica = try Replica(endpoint: endpoint, of: service, security: security, inFlightMax: inFlightMax)
        replicas.append(replica)
        try connect(replica)
    }

    /// Changes the list of replicas after the start. Connects to new ones. Those no longer listed are removed by the
    /// first call after their loss.
    public func setEndpoints(_ named: [String]) {
        for replica in replicas where !replica.isLive && !named.contains(replica.endpoint) {
            replicas.removeAll { $0 === replica }
            replica.socket.close()
        }
        for endpoint in named where !replicas.contains(where: { $0.endpoint == endpoint }) {
            do {
                try add(endpoint)
            } catch {
                log.error("a link could not be opened", metadata: ["service": "\(service)", "error": "\(error)"])
            }
        }
        endpoints = replicas.map(\.endpoint)
    }

    private func connect(_ replica: Replica) throws(ZeroMQError) {
        try replica.socket.monitor { [weak self, weak replica] event in
            if let replica { self?.connectionChanged(replica, event) }
        }
        replica.socket.onFrame { [weak self, weak replica] frame in
            if let replica { self?.received(frame, from: replica) }
        }
        try replica.socket.connect(replica.endpoint)
    }

    private func renewSockets() {
        for replica in replicas where !replica.isLive && .now - replica.waitingSince >= WireLimits.socketRenewal {
            do {
                try replica.renewSocket()
                try connect(replica)
            } catch {
                log.error("a link could not be opened", metadata: ["service": "\(service)", "error": "\(error)"])
            }
        }
    }

    /// Ends all links. Requests in flight complete with `unavailable`.
    public func close() {
        flush()  // Sends the last requests of this turn.
        let wasAvailable = isAvailable
        let closing = replicas
        let live = liveEndpoints
        renewal?.cancel()
        replicas = []
        for replica in closing {
            replica.isLive = false
            replica.socket.close()
        }
        for endpoint in live { onReplicaChange?(endpoint, false) }
        if wasAvailable { onAvailabilityChange?(false) }
        for replica in closing { abandon(replica) }
    }

    // MARK: Sending requests

    /// Sends one request to the replica that serves `key`. With an empty key, replicas take turns.
    ///
    /// Calls `completion` on the loop exactly once, possibly before it returns, with the reply's body, the service's
    /// refusal or one of its own. `unavailable`: no replica is connected (nothing was sent), or the replica was lost
    /// (the request may have taken effect). `deadline`: no answer in time (the request may have taken effect).
    /// `rate_limited`, `too_large`: nothing was sent.
    /// - Parameter envelope: its id and deadline are filled in here.
    public func send(
        _ envelope: Envelope, key: String, body: [UInt8], deadline: Duration,
        _ completion: @escaping @ReactorActor (Result<[UInt8], Refusal>) -> Void
    ) {
        guard let replica = replica(for: key) else { return completion(.failure(unreachable)) }
        send(envelope, to: replica, body, deadline, completion)
    }

    /// Sends one request whose body continues with `rest`, as ``send(_:key:body:deadline:_:)`` does, and copies `rest`
    /// only once. It goes out at once, in a frame of its own: for bodies that are long.
    public func send(
        _ envelope: Envelope, key: String, body: [UInt8], followedBy rest: some Collection<UInt8>, deadline: Duration,
        _ completion: @escaping @ReactorActor (Result<[UInt8], Refusal>) -> Void
    ) {
        guard let replica = replica(for: key) else { return completion(.failure(unreachable)) }
        guard
            let (id, header) = begin(
                envelope, on: replica, bodyBytes: body.count + rest.count, deadline, completion)
        else { return }
        // What was asked before goes out before.
        if !replica.outgoingIDs.isEmpty { put(take(replica), to: replica) }
        let beginning = RecordFrame.beginning(header: header, body: body, rest: rest.count)
        put([id], to: replica) { (socket) throws(ZeroMQError) in
            let sent = rest.withContiguousStorageIfAvailable { bytes in
                Result { () throws(ZeroMQError) in
                    try socket.send(beginning, followedBy: UnsafeRawBufferPointer(bytes))
                }
            }
            guard let sent else { return try socket.send(beginning + rest) }
            return try sent.get()
        }
    }

    /// Sends one request to the replica at `endpoint`, one of ``endpoints``, and to no other.
    ///
    /// Calls `completion` as ``send(_:key:body:deadline:_:)`` does.
    public func send(
        _ envelope: Envelope, to endpoint: String, body: [UInt8], deadline: Duration,
        _ completion: @escaping @ReactorActor (Result<[UInt8], Refusal>) -> Void
    ) {
        guard let replica = replicas.first(where: { $0.endpoint == endpoint }), replica.isLive else {
            return completion(.failure(unreachable))
        }
        send(envelope, to: replica, body, deadline, completion)
    }

    /// Sends one request in the name of this process to the replica at `endpoint`, one of ``endpoints``.
    public func ask<Request, Reply>(
        _ method: Method<Request, Reply>, _ request: Request, to endpoint: String, deadline: Duration,
        _ completion: @escaping @ReactorActor (Result<Reply, Refusal>) -> Void
    ) {
        send(Envelope(method: method.name), to: endpoint, body: request.encode(), deadline: deadline) { [weak self] in
            switch $0 {
            case .failure(let refusal): completion(.failure(refusal))
            case .success(let body):
                do throws(DecodeFailure) {
                    completion(.success(try Reply.decode(body)))
                } catch {
                    self?.logUnreadable(method.name, error)
                    completion(.failure(.internal))
                }
            }
        }
    }

    private func send(
        _ envelope: Envelope, to replica: Replica, _ body: [UInt8], _ deadline: Duration,
        _ completion: @escaping Replica.Completion
    ) {
        guard let (id, header) = begin(envelope, on: replica, bodyBytes: body.count, deadline, completion) else {
            return
        }
        // A frame that cannot be sent completes its requests, which may release this client. So nothing uses `self`
        // afterwards.
        let isFull = !replica.outgoing.hasRoom(header: header.count, body: body.count)
        let full = isFull ? take(replica) : nil
        replica.outgoing.append(header: header, body: body)
        replica.outgoingIDs.append(id)
        if replica.outgoingIDs.count == 1, !waiting.contains(where: { $0 === replica }) {
            if waiting.isEmpty { Reactor.shared.atEndOfTurn { [weak self] in self?.flush() } }
            waiting.append(replica)
        }
        if let full { put(full, to: replica) }
    }

    /// Counts a request to `replica` as in flight.
    /// - Returns: its id and its encoded envelope; nil if it is refused.
    private func begin(
        _ envelope: Envelope, on replica: Replica, bodyBytes: Int, _ deadline: Duration,
        _ completion: @escaping Replica.Completion
    ) -> (id: UInt64, header: [UInt8])? {
        func refuse(_ refusal: Refusal) -> (UInt64, [UInt8])? {
            completion(.failure(refusal))
            return nil
        }
        guard bodyBytes <= WireLimits.messageBytesMax else { return refuse(.tooLarge) }
        guard !replica.inFlight.isFull else { return refuse(.rateLimited(.milliseconds(500))) }
        lastID += 1
        var envelope = envelope
        envelope.id = lastID
        envelope.deadlineMs = deadline.milliseconds
        let header = envelope.encode()
        guard header.count <= WireLimits.headerBytesMax else { return refuse(.tooLarge) }
        replica.inFlight.begin(lastID, deadline: .now + deadline, completion)
        setSweep()
        return (lastID, header)
    }

    // MARK: Frames

    private typealias FullFrame = (bytes: [UInt8], ids: [UInt64])

    /// Takes out the frame that is ready to be sent.
    private func take(_ replica: Replica) -> FullFrame {
        defer {
            replica.outgoing.clear()
            replica.outgoingIDs.removeAll(keepingCapacity: true)
        }
        return (replica.outgoing.bytes, replica.outgoingIDs)
    }

    private func flush() {
        let replicas = waiting
        waiting = []
        for replica in replicas where !replica.outgoingIDs.isEmpty { put(take(replica), to: replica) }
    }

    private func put(_ frame: FullFrame, to replica: Replica) {
        put(frame.ids, to: replica) { (socket) throws(ZeroMQError) in try socket.send(frame.bytes) }
    }

    /// Sends one frame, or completes its requests with a refusal.
    private func put(_ ids: [UInt64], to replica: Replica, _ send: (Socket) throws(ZeroMQError) -> Bool) {
        var refusal = unreachable
        do {
            // False means that the replica has just gone, and its event is still to come.
            if try send(replica.socket) { return }
        } catch {
            log.error("requests could not be sent", metadata: ["service": "\(service)", "error": "\(error)"])
            refusal = .internal
        }
        let completions = ids.compactMap { replica.inFlight.complete($0) }
        for completion in completions { completion(.failure(refusal)) }
    }

    /// Sends one request in the name of this process and waits for its reply.
    /// - Throws: the service's refusal, or one of this client; see ``send(_:key:body:deadline:_:)``.
    public func call<Request, Reply>(
        _ method: Method<Request, Reply>, _ request: Request, key: String = "", deadline: Duration = .seconds(10)
    ) async throws(Refusal) -> Reply {
        let result: Result<[UInt8], Refusal> = await withCheckedContinuation { continuation in
            send(Envelope(method: method.name), key: key, body: request.encode(), deadline: deadline) { result in
                continuation.resume(returning: result)
            }
        }
        let body = try result.get()
        do {
            return try Reply.decode(body)
        } catch {
            logUnreadable(method.name, error)
            throw .internal
        }
    }

    private func logUnreadable(_ method: String, _ error: DecodeFailure) {
        log.error(
            "a reply cannot be read",
            metadata: ["service": "\(service)", "method": "\(method)", "error": "\(error)"])
    }

    private var unreachable: Refusal {
        .unavailable("The service \"\(service)\" cannot be reached now. Send the request again in a moment.")
    }

    private func replica(for key: String) -> Replica? {
        if replicas.count == 1 { return replicas[0].isLive ? replicas[0] : nil }
        let live = replicas.filter(\.isLive)
        guard !key.isEmpty else {
            turn &+= 1
            return live.isEmpty ? nil : live[turn % live.count]
        }
        return Rendezvous.pick(key, among: live.map(\.seed)).map { live[$0] }
    }

    // MARK: Replies

    private func received(_ frame: IncomingFrame, from replica: Replica) {
        guard frame.isWhole, let records = try? RecordFrame.split(frame.bytes) else {
            return ignore("not a frame of replies", from: replica)
        }
        for record in records { received(record, from: replica) }
    }

    private func received(_ record: RecordFrame.Record, from replica: Replica) {
        guard let header = try? ReplyHeader.decode(record.header) else {
            return ignore("not a reply", from: replica)
        }
        guard let completion = replica.inFlight.complete(header.id) else {
            return ignore("no request waits for it", from: replica)
        }
        if let problem = header.error {
            completion(.failure(Refusal(problem)))
        } else {
            completion(.success([UInt8](record.body)))
        }
    }

    private func ignore(_ why: String, from replica: Replica) {
        ignored += 1
        guard let heldBack = oddLine.pass(at: .now) else { return }
        log.debug(
            "ignored a reply",
            metadata: [
                "service": "\(service)", "replica": "\(replica.endpoint)", "why": "\(why)", "more": "\(heldBack)",
            ])
    }

    private func connectionChanged(_ replica: Replica, _ event: Socket.ConnectionEvent) {
        let wasAvailable = isAvailable
        switch event {
        case .ready:
            guard !replica.isLive else { return }
            replica.isLive = true
            replica.isRefused = false
            log.info("a replica is connected", metadata: ["service": "\(service)", "replica": "\(replica.endpoint)"])
        case .disconnected:
            guard replica.isLive else { return }
            replica.isLive = false
            replica.waitingSince = .now
            log.warning("a replica was lost", metadata: ["service": "\(service)", "replica": "\(replica.endpoint)"])
        case .handshakeFailed:
            return handshakeFailed(
                replica, "a replica does not speak our protocol, or its key is not the one in the peers file")
        case .refused:
            replica.isRefused = true
            return handshakeFailed(
                replica, "a replica does not admit this process's key; check link.key and link.peers")
        }
        onReplicaChange?(replica.endpoint, replica.isLive)
        if isAvailable != wasAvailable { onAvailabilityChange?(!wasAvailable) }
        if !replica.isLive { abandon(replica) }
    }

    /// Logs a failed handshake once in a while, since attempts repeat.
    private func handshakeFailed(_ replica: Replica, _ message: String) {
        guard let heldBack = handshakeLine.pass(at: .now) else { return }
        log.warning(
            "\(message)",
            metadata: [
                "service": "\(service)", "replica": "\(replica.endpoint)", "instance": "\(instance)",
                "more": "\(heldBack)",
            ])
    }

    /// Completes the requests that `replica` will no longer answer.
    private func abandon(_ replica: Replica) {
        replica.outgoing.clear()
        replica.outgoingIDs.removeAll()
        let refusal = Refusal.unavailable(
            "The service \"\(service)\" was lost while it handled this request. The request may have taken effect; "
                + "sending it again with the same id is safe.")
        for completion in replica.inFlight.lost() { completion(.failure(refusal)) }
    }

    // MARK: Deadlines

    private func setSweep() {
        guard !sweepIsSet else { return }
        sweepIsSet = true
        Reactor.shared.after(Self.sweepInterval) { self.sweep() }  // Keeps `self` alive until its requests have ended.
    }

    private func sweep() {
        sweepIsSet = false
        let now = ContinuousClock.now
        for replica in replicas {
            for completion in replica.inFlight.expired(at: now) { completion(.failure(.deadline)) }
        }
        if inFlight > 0 { setSweep() }
    }
}
