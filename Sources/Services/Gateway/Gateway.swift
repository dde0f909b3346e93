import Glibc
import Logging
import NIOCore
import Reactor
import Schema
import ServiceKit
import Wire

/// The process that clients connect to.
///
/// It owns sessions: who is connected, as whom, and what each may ask how often. A request goes to the service that its
/// method's name begins with; an Update to the sessions of the persons in its header. Bodies are not opened, nothing is
/// stored, and no service's new request or Update changes anything here.
///
/// Connections live on event loops (``Edge``, ``SessionHandler``, rules in ``SessionMachine``); routing lives here, on the
/// reactor. Between them go arrays: ``Inbox`` inwards, ``EdgeLoop`` outwards.
@ReactorActor
public final class Gateway: Component {
    /// How long the start waits for the links to other services than conversations, which it does not depend on.
    private static let linksTimeout: Duration = .seconds(5)
    /// Over how long sessions are sent back to sync when Updates were lost.
    private static let resyncSpread: Duration = .seconds(1)
    /// How long an answer under way may take before a revoked session is closed.
    private static let revokedGrace: Duration = .milliseconds(100)

    private let configuration: GatewayConfiguration
    private let log: Logger
    private let metrics: GatewayMetrics
    private let services: [RequestClient]
    private let subscribers: [UpdateSubscriber]
    private let edge: Edge
    private let authority: Authority
    private let health: HealthCheck
    private var reporter: PresenceReporter?
    private var index = SessionIndex()
    private var lanes = LaneWatch()
    /// Update links that were up before.
    private var linksSeen: Set<String> = []
    private var isResyncing = false

    /// - Throws: ``StartRefused`` when the configuration names no conversations service.
    public init(_ configuration: GatewayConfiguration, clock: WallClock = .system, log: Logger) throws {
        self.configuration = configuration
        self.log = log
        let names = configuration.services.map(\.name)
        metrics = GatewayMetrics(services: names)
        services = configuration.services.map { service in
            RequestClient(
                service: service.name, endpoints: service.requests, instance: configuration.instance, log: log)
        }
        subscribers = configuration.services.map { UpdateSubscriber(endpoints: $0.updates, log: log) }
        guard let conversations = services.first(where: { $0.service == "conversations" }) else {
            throw StartRefused("the gateway needs the service conversations", code: 64)
        }
        let keys = KeyRing()
        let receiver = Receiver()
        edge = Edge(
            configuration, rules: SessionRules(limits: configuration.limits, services: names), keys: keys,
            inbox: Inbox { arrivals in receiver.gateway?.receive(arrivals) }, metrics: metrics)
        authority = Authority(
            conversations: conversations, keys: keys, limits: configuration.limits, clock: clock, log: log)
        health = HealthCheck(services: services, deadline: configuration.limits.healthDeadline) {
            receiver.gateway?.reasonsNotReady ?? []
        }
        receiver.gateway = self
        if let presence = services.first(where: { $0.service == "presence" }) {
            reporter = PresenceReporter(
                presence: presence, gateway: configuration.instance, limits: configuration.limits, log: log
            ) { [weak self] in self?.allSessions ?? [] }
        }
    }

    /// What events reach the gateway by, before it exists.
    @ReactorActor
    private final class Receiver {
        weak var gateway: Gateway?
    }

    // MARK: Start and stop

    /// Returns once sessions can begin; `GET /health` is answered before that.
    /// - Returns: the HTTP address bound.
    public func start() async throws -> String? {
        raiseDescriptorLimit()
        authority.onRevoked = { [weak self] revoked in self?.closeSessions(of: revoked) }
        authority.onKnown = { [weak self] in self?.edge.reasonToRefuse = nil }
        edge.reasonToRefuse = "The gateway waits for the service conversations."
        for (number, subscriber) in subscribers.enumerated() {
            subscriber.onConnected = { [weak self] endpoint in self?.linkCameUp(endpoint, of: number) }
            try subscriber.start { [weak self] header, body in self?.receive(header, body, from: number) }
        }
        for service in services {
            switch service.service {
            case "conversations":
                service.onAvailabilityChange = { [weak self] isThere in if isThere { self?.authority.ask() } }
            case "presence":
                service.onAvailabilityChange = { [weak self] isThere in
                    if isThere { self?.reporter?.presenceCameBack() }
                }
            default: break
            }
            try service.start()
        }
        reporter?.start()
        let address: String
        do {
            address = try await edge.listen(on: configuration.listen)
        } catch let error as IOError {
            throw StartRefused("cannot listen on \(configuration.listen): \(error)")
        } catch let error as Edge.BadAddress {
            throw StartRefused("listen.http: \(error)", code: 64)
        }
        log.info("listening", metadata: ["address": "\(address)"])
        let began = ContinuousClock.now
        while !authority.isKnown || (!linksAreUp && .now - began < Self.linksTimeout) {
            try await Reactor.shared.sleep(for: .milliseconds(10))
        }
        return address
    }

    /// Lets requests in flight finish, takes leave of every session, closes.
    public func stop() async {
        await edge.stopListening()
        edge.drain()
        await wait(atMost: configuration.limits.drainTimeout) { self.metrics.sessionCount == 0 }
        edge.closeAll()
        await wait(atMost: .seconds(1)) { self.edge.connectionCount == 0 }
        await edge.shutDown()
        await Task.yield()  // What the last sessions left in the inbox.
        reporter?.stop()
        authority.stop()
        for subscriber in subscribers { subscriber.close() }
        for service in services { service.close() }
    }

    private func wait(atMost limit: Duration, until isDone: () -> Bool) async {
        let began = ContinuousClock.now
        while !isDone(), .now - began < limit { try? await Reactor.shared.sleep(for: .milliseconds(10)) }
    }

    private var linksAreUp: Bool {
        services.allSatisfy(\.isAvailable) && subscribers.allSatisfy(\.isConnected)
    }

    private var reasonsNotReady: [String] {
        let missing = subscribers.flatMap(\.missing).map { "No Updates come from \($0)." }
        return (edge.reasonToRefuse.map { [$0] } ?? []) + missing
    }

    /// A session takes a descriptor; the limit that a process is born with is for small programs.
    private func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max
        else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        if limit.rlim_cur < UInt(configuration.limits.connections) + 128 {
            log.warning("fewer descriptors than connections allowed", metadata: ["descriptors": "\(limit.rlim_cur)"])
        }
    }

    // MARK: From clients

    private func receive(_ arrivals: [Arrival]) {
        for arrival in arrivals {
            switch arrival {
            case .request(let session, let service, let request, let deadline):
                forward(request, of: session, to: service, deadline: deadline)
            case .admit(let session, let token): admit(session, token)
            case .unknownKey(let session, let token):
                authority.ask { isAnswered in
                    session.loop.post(isAnswered ? .recheck(session, token: token) : .close(session, .tryAgainLater))
                }
            case .closed(let session): remove(session)
            case .health(let exchange): health.ask(for: exchange)
            }
        }
    }

    private func forward(_ request: Request, of session: Session, to service: Int, deadline: Duration) {
        guard !session.hasEnded else { return }
        let identity = session.identity
        let envelope = Envelope(
            method: request.method, account: identity?.account ?? 0, user: identity?.user ?? "",
            device: identity?.device ?? "", session: session.id, address: session.address)
        let id = request.id
        let metrics = metrics
        services[service].send(envelope, key: request.key, body: request.body, deadline: deadline) { result in
            switch result {
            case .success(let body):
                metrics.answered(service: service)
                session.loop.post(.reply(session, id: id, .success(body)))
            case .failure(let refusal):
                metrics.refused(service: service, refusal.code.rawValue)
                session.loop.post(.reply(session, id: id, .failure(refusal)))
            }
        }
    }

    // MARK: Sessions

    private func admit(_ session: Session, _ token: AccessToken) {
        guard !session.hasEnded else { return }
        if authority.denyList.denies(account: token.account, device: token.device, issuedAt: token.issuedAt) {
            return end(session, .revoked)
        }
        let isNew = session.identity == nil
        session.identity = token
        session.loop.post(.admitted(session, token))
        guard isNew else { return }
        index.add(session, account: token.account)
        reporter?.opened(SessionOpened(session: session.id, account: token.account, user: token.user))
    }

    private func end(_ session: Session, _ closing: Closing) {
        remove(session)
        session.loop.post(.close(session, closing))
    }

    private func remove(_ session: Session) {
        guard !session.hasEnded else { return }
        session.hasEnded = true
        guard let identity = session.identity else { return }
        index.remove(session, account: identity.account)
        reporter?.closed(session.id)
    }

    private func closeSessions(of revoked: DeviceRevoked) {
        var sessions: [Session] = []
        index.eachSession(of: revoked.account) { session in
            guard let identity = session.identity, identity.issuedAt <= revoked.atUs else { return }
            if revoked.device.isEmpty || identity.device == revoked.device { sessions.append(session) }
        }
        guard !sessions.isEmpty else { return }
        for session in sessions { remove(session) }  // From here on nothing is done for it.
        // Who signed out itself gets its answer first: it travels on another link than this word.
        _ = Reactor.shared.after(Self.revokedGrace) {
            for session in sessions { session.loop.post(.close(session, .revoked)) }
        }
    }

    /// Updates may have been published while a link was down.
    private func linkCameUp(_ endpoint: String, of service: Int) {
        if services[service].service == "conversations" { authority.ask() }
        guard !linksSeen.insert(endpoint).inserted else { return }
        // Presence numbers nothing; clients renew their watches.
        if services[service].service != "presence" { resyncSessions() }
    }

    /// Updates were lost, and whose they were is not known: all come back and sync, spread in time.
    private func resyncSessions() {
        guard !isResyncing else { return }
        isResyncing = true
        Reactor.shared.after(Self.resyncSpread) { [weak self] in self?.isResyncing = false }
        index.eachSession { session in
            Reactor.shared.after(Self.resyncSpread * Double.random(in: 0..<1)) { [weak self] in
                guard let self, !session.hasEnded else { return }
                end(session, .resync)
            }
        }
    }

    private var allSessions: [SessionOpened] {
        var all: [SessionOpened] = []
        all.reserveCapacity(index.count)
        index.eachSession { session in
            guard let identity = session.identity else { return }
            all.append(SessionOpened(session: session.id, account: identity.account, user: identity.user))
        }
        return all
    }

    // MARK: From services

    private func receive(_ header: UpdateHeader, _ body: [UInt8], from service: Int) {
        let missed = lanes.missed(before: header, of: service)
        if missed > 0 {
            metrics.missed(missed)
            resyncSessions()
            // One of them may have been a revocation.
            if services[service].service == "conversations" { authority.ask() }
            log.warning(
                "Updates were missed",
                metadata: ["service": "\(services[service].service)", "lane": "\(header.lane)", "count": "\(missed)"])
        }
        if let control = header.control {
            if case .deviceRevoked(let revoked) = control.control { authority.revoke(revoked) }
            return
        }
        fanOut(header, body)
    }

    /// One encoding for all who get it.
    private func fanOut(_ header: UpdateHeader, _ body: [UInt8]) {
        var frame: ByteBuffer?
        var count = 0
        for account in header.audience {
            index.eachSession(of: account) { session in
                guard header.originSession.isEmpty || session.id != header.originSession else { return }
                let shared =
                    frame
                    ?? SocketFrame.encode(
                        .update(
                            Update(
                                stream: header.stream, position: header.position, kind: header.kind,
                                class: header.class, body: body)),
                        ByteBufferAllocator())
                frame = shared
                count += 1
                session.loop.post(.update(session, shared, header.class))
            }
        }
        metrics.update(to: count)
    }
}
