import Logging
import Reactor
import Schema

/// The asking end of the request links to one service: knows its replicas, which of them are there, and what each was
/// asked.
///
/// A request goes to one replica and is never sent twice: when that replica is lost, the caller is told `unavailable`
/// and decides, since the request may have taken effect.
@ReactorActor
public final class RequestClient {
    /// Deadlines are looked at this often: a request may run out so much late.
    static let sweepInterval: Duration = .milliseconds(50)

    /// The service's name, for messages and metrics.
    public let service: String
    private let endpoints: [String]
    private let instance: String
    private let inFlightMax: Int
    private let log: Logger

    private var replicas: [Replica] = []
    private var lastID: UInt64 = 0
    private var turn = 0
    private var sweepIsSet = false
    private var oddLine = Occasionally(every: .seconds(10))

    /// Called when the first replica is there (true) and when the last one is lost (false).
    public var onAvailabilityChange: ((Bool) -> Void)?
    /// Replies nobody waited for: too late, or never asked for, so far.
    public private(set) var ignored = 0

    /// - Parameters:
    ///   - endpoints: one a replica, the same in every process that asks this service: keys are dealt out by them.
    ///   - instance: this process's name.
    ///   - inFlightMax: beyond so many unanswered requests at one replica, callers are told `rate_limited`.
    public init(
        service: String, endpoints: [String], instance: String, inFlightMax: Int = WireLimits.inFlightMax, log: Logger
    ) {
        self.service = service
        var seen: Set<String> = []
        self.endpoints = endpoints.filter { seen.insert($0).inserted }
        self.instance = instance
        self.inFlightMax = inFlightMax
        self.log = log
    }

    // Its handlers hold `self` unowned, which costs each message less than weak: close them first.
    isolated deinit { close() }

    /// True while at least one replica is there.
    public var isAvailable: Bool { replicas.contains(where: \.isLive) }

    /// The endpoints of the replicas that are there.
    public var liveEndpoints: [String] { replicas.filter(\.isLive).map(\.endpoint) }

    /// Requests sent and not yet answered.
    public var inFlight: Int { replicas.reduce(0) { $0 + $1.inFlight.count } }

    /// Begins to connect to every replica, and goes on trying.
    public func start() throws(ZeroMQError) {
        precondition(replicas.isEmpty, "a request client starts once")
        for endpoint in endpoints {
            let replica = try Replica(
                endpoint: endpoint, routingID: Replica.routingID(instance: instance), inFlightMax: inFlightMax)
            try replica.socket.monitor { [unowned self, unowned replica] event in
                connectionChanged(replica, event)
            }
            replica.socket.onMessage { [unowned self, unowned replica] parts in
                received(parts, from: replica)
            }
            try replica.socket.connect(endpoint)
            replicas.append(replica)
        }
    }

    /// Ends all links. What is in flight completes with `unavailable`.
    public func close() {
        let wasAvailable = isAvailable
        let closing = replicas
        replicas = []
        for replica in closing {
            replica.isLive = false
            replica.socket.close()
        }
        if wasAvailable { onAvailabilityChange?(false) }
        for replica in closing { abandon(replica) }
    }

    // MARK: Asking

    /// Sends one request to the replica that serves `key`; with an empty key, to each in turn.
    ///
    /// `completion` is called on the loop exactly once, possibly before this returns: with the reply's body, with the
    /// service's refusal, or with one of ours. `unavailable`: no replica is there (nothing was sent), or the one asked
    /// was lost (it may have taken effect). `deadline`: no answer in time (it may have taken effect). `rate_limited`,
    /// `too_large`: nothing was sent.
    /// - Parameter envelope: its id and deadline are filled in here.
    public func send(
        _ envelope: Envelope, key: String, body: [UInt8], deadline: Duration,
        _ completion: @escaping @ReactorActor (Result<[UInt8], Refusal>) -> Void
    ) {
        guard body.count <= WireLimits.messageBytesMax else { return completion(.failure(.tooLarge)) }
        guard let replica = replica(for: key) else { return completion(.failure(notThere)) }
        guard !replica.inFlight.isFull else { return completion(.failure(.rateLimited(.milliseconds(500)))) }
        lastID += 1
        var envelope = envelope
        envelope.id = lastID
        envelope.deadlineMs = deadline.milliseconds
        do {
            // False: the replica has just gone, its event is still to come.
            guard try replica.socket.send(envelope.encode(), body) else { return completion(.failure(notThere)) }
        } catch {
            log.error("a request could not be sent", metadata: ["service": "\(service)", "error": "\(error)"])
            return completion(.failure(.internal))
        }
        replica.inFlight.begin(lastID, deadline: .now + deadline, completion)
        setSweep()
    }

    /// Sends one request in the name of this process and waits for its reply.
    /// - Throws: the service's refusal, or one of ours; see ``send(_:key:body:deadline:_:)``.
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
            log.error(
                "a reply cannot be read",
                metadata: ["service": "\(service)", "method": "\(method.name)", "error": "\(error)"])
            throw .internal
        }
    }

    private var notThere: Refusal {
        .unavailable("The service \"\(service)\" cannot be reached now. Send it again in a moment.")
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

    // MARK: What comes back

    private func received(_ parts: [[UInt8]], from replica: Replica) {
        guard parts.count == 2, let header = try? ReplyHeader.decode(parts[0]) else {
            return ignore("not a reply", from: replica)
        }
        guard let completion = replica.inFlight.complete(header.id) else {
            return ignore("nobody waits for it", from: replica)
        }
        if let problem = header.error {
            completion(.failure(Refusal(problem)))
        } else {
            completion(.success(parts[1]))
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
            log.info("a replica is there", metadata: ["service": "\(service)", "replica": "\(replica.endpoint)"])
        case .disconnected:
            guard replica.isLive else { return }
            replica.isLive = false
            log.warning("a replica was lost", metadata: ["service": "\(service)", "replica": "\(replica.endpoint)"])
        case .handshakeFailed:
            log.warning(
                "a replica does not speak our protocol",
                metadata: ["service": "\(service)", "replica": "\(replica.endpoint)"])
        }
        if isAvailable != wasAvailable { onAvailabilityChange?(!wasAvailable) }
        if !replica.isLive { abandon(replica) }
    }

    /// Completes what `replica` will not answer any more.
    private func abandon(_ replica: Replica) {
        let refusal = Refusal.unavailable(
            "The service \"\(service)\" was lost while it worked on this. It may have taken effect; sending it again "
                + "with the same id is safe.")
        for completion in replica.inFlight.lost() { completion(.failure(refusal)) }
    }

    // MARK: Deadlines

    private func setSweep() {
        guard !sweepIsSet else { return }
        sweepIsSet = true
        Reactor.shared.after(Self.sweepInterval) { self.sweep() }  // Lives until its requests have ended.
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
