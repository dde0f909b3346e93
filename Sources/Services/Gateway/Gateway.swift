import Glibc
import Logging
import Monitor
import NIOCore
import Reactor
import Schema
import ServiceKit
import Wire

/// The process that clients connect to.
///
/// It owns the sessions, with their identities and rate limits. It forwards a request to the service named by the
/// prefix of its method, and delivers an Update to the sessions of the accounts in its header. It looks into no body
/// and stores nothing. A new request or Update of a service needs no change here.
///
/// Connections live on event loops (``Edge``, ``SessionHandler``, rules in ``SessionMachine``); routing lives here, on
/// the reactor. ``Inbox`` and ``EdgeLoop`` pass arrays of events between them, inwards and outwards.
@ReactorActor
public final class Gateway: Component {
    /// How long the start waits for links to services other than conversations. Sessions can begin without them.
    private static let linksTimeout: Duration = .seconds(5)
    /// How long a revoked session stays open so that a reply in flight can reach it.
    private static let revokedGrace: Duration = .milliseconds(100)

    private let configuration: GatewayConfiguration
    private let log: Logger
    /// Called with what the start waits for, in words for the operator.
    var onWaiting: @ReactorActor (String) -> Void = { _ in }
    let metrics: GatewayMetrics
    private let tracer = RequestTracer.current
    private let services: [RequestClient]
    private let subscribers: [UpdateSubscriber]
    private let discovery: ReplicaDiscovery
    private var feeds: [UpdateFeed] = []
    private let edge: Edge
    private let certificate: EdgeCertificate?
    private let authority: Authority
    private let health: HealthCheck
    private let declarations: HTTPDeclarations
    private var reporter: PresenceReporter?
    private var index = SessionIndex()
    private var shares: AccountShares
    private lazy var keysKnown = Condition { [authority] in authority.isKnown }
    private lazy var linksUp = Condition { [unowned self] in linksAreUp }
    private lazy var sessionsClosed = Condition { [metrics] in metrics.sessionCount == 0 }
    private lazy var connectionsClosed = Condition { [edge] in edge.connectionCount == 0 }
    /// Whether clients must be notified, once presence is available again, that their watches are lost.
    private var mustAnnouncePresenceRestart = false

    /// - Throws: ``StartRefused`` if the configuration lacks the conversations service or names a certificate that
    ///   cannot be used.
    public init(_ wanted: GatewayConfiguration, clock: WallClock = .system, log: Logger) throws {
        let configuration = Self.fitted(wanted, log)
        self.configuration = configuration
        self.log = log
        let names = configuration.services.map(\.name)
        metrics = GatewayMetrics(services: names)
        services = configuration.services.map { service in
            RequestClient(
                service: service.name, endpoints: ReplicaDiscovery.known(service.requests),
                instance: configuration.instance, security: configuration.security, log: log)
        }
        subscribers = configuration.services.map {
            UpdateSubscriber(
                endpoints: ReplicaDiscovery.known($0.updates), of: $0.name, security: configuration.security, log: log)
        }
        discovery = ReplicaDiscovery(log: log)
        guard let conversations = services.first(where: { $0.service == "conversations" }) else {
            throw StartRefused("the gateway needs the service conversations: add it to the configuration", code: 64)
        }
        certificate = try configuration.certificate.map {
            try EdgeCertificate($0, every: configuration.limits.certificateCheckInterval, clock: clock, log: log)
        }
        let keys = KeyRing()
        let receiver = Receiver()
        let rules = SessionRules(limits: configuration.limits, services: names)
        shares = AccountShares(rules)
        edge = Edge(
            configuration, rules: rules, keys: keys,
            inbox: Inbox { arrivals in receiver.gateway?.receive(arrivals) }, metrics: metrics,
            certificate: certificate, log: log)
        authority = Authority(
            conversations: conversations, keys: keys, limits: configuration.limits, clock: clock, log: log)
        health = HealthCheck(services: services, deadline: configuration.limits.healthDeadline) {
            receiver.gateway?.reasonsDegraded ?? []
        }
        declarations = HTTPDeclarations(services: services, log: log) { [edge] in
            edge.paths = $0
            if let textBytes = $0.textBytes { rules.textBytes = textBytes }
            receiver.gateway?.linksUp.changed()
        }
        receiver.gateway = self
        feeds = configuration.services.indices.map { number in
            UpdateFeed(
                service: services[number], subscriber: subscribers[number],
                journals: configuration.services[number].journals, metrics: metrics, log: log,
                handlers: handlers(of: number))
        }
        if let presence = services.first(where: { $0.service == "presence" }) {
            reporter = PresenceReporter(
                presence: presence, gateway: configuration.instance, limits: configuration.limits, log: log
            ) { [weak self] in self?.allSessions ?? [] }
        }
    }

    /// Gives the gateway's parts access to it, since they are created first.
    @ReactorActor
    private final class Receiver {
        weak var gateway: Gateway?
    }

    // MARK: Start and stop

    /// Returns once sessions can begin; `GET /health` is answered earlier.
    /// - Returns: the bound HTTP address.
    public func start() async throws -> String? {
        authority.onKnown = { [weak self] in self?.keysKnown.changed() }
        authority.onRevoked = { [weak self] revoked in self?.closeSessions(of: revoked) }
        edge.reasonToRefuse = "The gateway is waiting for the service conversations."
        for (number, service) in services.enumerated() {
            let (feed, subscriber) = (feeds[number], subscribers[number])
            let isConversations = service.service == "conversations"
            // A revocation may have been published while the link was down.
            subscriber.onConnected = { [weak self] _ in
                if isConversations { self?.authority.ask() }
                self?.linksUp.changed()
            }
            try feed.start()
            service.onAvailabilityChange = { [weak self, weak feed] isAvailable in
                guard isAvailable else { return }
                self?.linksUp.changed()
                feed?.askLanes()
                if isConversations { self?.authority.ask() }
            }
            let isPresence = service.service == "presence"
            service.onReplicaChange = { [weak self] endpoint, isLive in
                self?.declarations.changed(endpoint, of: number, isLive: isLive)
                if isPresence { self?.presenceChanged(endpoint, isLive: isLive) }
            }
            try service.start()
            discovery.follow(configuration.services[number].requests) { [weak service] in service?.setEndpoints($0) }
            discovery.follow(configuration.services[number].updates) { [weak subscriber] in subscriber?.setEndpoints($0)
            }
        }
        discovery.start()
        reporter?.start()
        guard let wanted = HTTPAddress(configuration.listen) else {
            throw StartRefused(
                "listen.http: \"\(configuration.listen)\" is not HOST:PORT, such as 127.0.0.1:8080", code: 64)
        }
        let address: HTTPAddress
        do {
            address = try await edge.listen(on: wanted)
        } catch let error as IOError {
            throw StartRefused("cannot listen on \(wanted): \(error)")
        }
        certificate?.start()
        log.info("listening", metadata: ["address": "\(address)", "tls": "\(certificate == nil ? "no" : "yes")"])
        await linksUp.wait(atMost: Self.linksTimeout)
        try Task.checkCancellation()
        onWaiting("waiting for the service conversations")
        while !authority.isKnown {
            await keysKnown.wait(atMost: .seconds(60))
            try Task.checkCancellation()
        }
        edge.reasonToRefuse = nil
        return address.description
    }

    /// Lets requests in flight finish, says goodbye to every session and closes.
    public func stop() async {
        await edge.stopListening()
        edge.drain()
        await sessionsClosed.wait(atMost: configuration.limits.drainTimeout)
        edge.closeAll()
        await connectionsClosed.wait(atMost: .seconds(1))
        await edge.shutDown()
        await Task.yield()  // Processes what the last sessions left in the inbox.
        certificate?.stop()
        reporter?.stop()
        authority.stop()
        discovery.close()
        for feed in feeds { feed.close() }
        for service in services { service.close() }
    }

    private var linksAreUp: Bool {
        declarations.isComplete && services.allSatisfy(\.isAvailable) && subscribers.allSatisfy(\.isConnected)
            && feeds.allSatisfy(\.isKnown)
    }

    /// Why the gateway accepts no sessions. The state of the services does not count, because a probe that fails for
    /// all gateways together helps nobody.
    public var reasonsNotReady: [String] { edge.reasonToRefuse.map { [$0] } ?? [] }

    /// Why clients may not receive everything the gateway promises.
    private var reasonsDegraded: [String] {
        // One connected replica is enough, since its heartbeats reveal missed Updates of the others.
        let missing = configuration.services.indices.filter { number in
            !subscribers[number].hasPublisher
        }.map { "No Updates arrive from the service \(services[$0].service)." }
        let refusing = services.filter { !$0.refusingEndpoints.isEmpty }.map {
            "The service \($0.service) does not accept this gateway's key."
        }
        return reasonsNotReady + missing + refusing
    }

    /// How many descriptors are kept for links, the monitor and connections that are refused.
    private static let ownDescriptors = 256

    /// Raises the soft limit of descriptors to the hard limit, since each connection needs one, and allows no more
    /// connections than there are descriptors for.
    private static func fitted(_ wanted: GatewayConfiguration, _ log: Logger) -> GatewayConfiguration {
        var (limit, fitted) = (rlimit(), wanted)
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
        if limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        let places = max(1, Int(clamping: limit.rlim_cur) - ownDescriptors)
        guard places < wanted.limits.connections else { return wanted }
        fitted.limits.connections = places
        log.warning(
            "fewer connections than limits.connections are allowed; raise the limit of open files",
            metadata: ["descriptors": "\(limit.rlim_cur)", "connections": "\(places)"])
        return fitted
    }

    // MARK: From clients

    private func receive(_ arrivals: [Arrival]) {
        for arrival in arrivals {
            switch arrival {
            case .request(let session, let service, let request, let timeZone, let deadline):
                forward(request, of: session, in: timeZone, to: service, deadline: deadline)
            case .admit(let session, let token, let activity): admit(session, token, activity)
            case .activity(let session, let activity):
                if !session.hasEnded, session.identity != nil, session.doing.set(activity, at: .now) { report(session) }
            case .unknownKey(let session, let token):
                authority.askForKey { isAnswered in
                    session.loop.post(isAnswered ? .recheck(session, token: token) : .close(session, .tryAgainLater))
                }
            case .closed(let session):
                remove(session)
                sessionsClosed.changed()
            case .lastConnectionClosed: connectionsClosed.changed()
            case .health(let exchange): health.check(for: exchange)
            case .exchange(let exchange, let service, let key, let address, let head, let body):
                pass(head, body, of: exchange, key: key, from: address, to: service)
            }
        }
    }

    /// Passes on one piece of an exchange.
    private func pass(
        _ head: [UInt8], _ body: ByteBuffer, of exchange: HTTPExchange, key: String, from address: String,
        to service: Int
    ) {
        let (metrics, log) = (metrics, log)
        var envelope = Envelope(method: HttpMethods.exchange.name, address: address, trace: exchange.id)
        let span = tracer?.begin(envelope.method, id: exchange.id)
        if let span { envelope.traceparent = span.traceparent }
        let began = ContinuousClock.now
        let deadline = configuration.limits.deadlineMax
        let completion: @ReactorActor (Result<[UInt8], Refusal>) -> Void = { result in
            let (code, time) = (Self.code(of: result), ContinuousClock.now - began)
            log.debug("request", metadata: Self.line(exchange.id, HttpMethods.exchange.name, code, time))
            metrics.answered(service: service, code, after: time)
            span?.end(code)
            exchange.loop.post(.piece(exchange, result))
        }
        if body.readableBytes == 0 {
            services[service].send(envelope, key: key, body: head, deadline: deadline, completion)
        } else {
            services[service].send(
                envelope, key: key, body: head, followedBy: body.readableBytesView, deadline: deadline, completion)
        }
    }

    private func forward(
        _ request: Request, of session: Session, in timeZone: String, to service: Int, deadline: Duration
    ) {
        guard !session.hasEnded else { return }
        let identity = session.identity
        var envelope = Envelope(
            method: request.method, account: identity?.account.rawValue ?? 0, user: identity?.user ?? "",
            device: identity?.device ?? "", session: session.id, address: session.address,
            trace: Self.requestID(request.id, of: session), timeZone: timeZone)
        let span = tracer?.begin(envelope.method, id: envelope.trace)
        if let span { envelope.traceparent = span.traceparent }
        let id = request.id
        let (metrics, log) = (metrics, log)
        let began = ContinuousClock.now
        let key = configuration.services[service].isKeyedByCaller ? envelope.user : request.key
        services[service].send(envelope, key: key, body: request.body, deadline: deadline) { result in
            let time = ContinuousClock.now - began
            let code = Self.code(of: result)
            log.debug("request", metadata: Self.line(Self.requestID(id, of: session), request.method, code, time))
            span?.end(code)
            metrics.answered(service: service, code, after: time)
            session.loop.post(.reply(session, id: id, result))
        }
    }

    /// The id of a request in the logs of all processes. Clients know both parts.
    private static func requestID(_ id: UInt64, of session: Session) -> String { "\(session.id).\(id)" }

    private static func code(of result: Result<[UInt8], Refusal>) -> String {
        switch result {
        case .success: "ok"
        case .failure(let refusal): refusal.code.rawValue
        }
    }

    private static func line(
        _ request: String, _ method: String, _ code: String, _ time: Duration
    ) -> Logger.Metadata {
        ["request": "\(request)", "method": "\(method)", "code": "\(code)", "us": "\(time.microseconds)"]
    }

    // MARK: Sessions

    private func admit(_ session: Session, _ token: AccessToken, _ activity: Activity) {
        guard !session.hasEnded else { return }
        if authority.denyList.denies(
            account: token.account.rawValue, device: token.device, issuedAt: token.issuedAt.rawValue)
        {
            return end(session, .revoked)
        }
        let (isNew, account) = (session.identity == nil, token.account.rawValue)
        session.identity = token
        let share = shares.share(of: account, at: Moment.now.steady) { index.count(of: $0) > 0 }
        session.loop.post(.admitted(session, token, share))
        guard isNew else { return }
        index.add(session, account: account)
        makeRoom(account, token.device)
        _ = session.doing.set(activity, at: .now)
        report(session)
    }

    /// Tells presence of a session, and what the person does in it.
    private func report(_ session: Session) {
        if let opened = Self.opened(session, at: .now) { reporter?.opened(opened) }
    }

    private static func opened(_ session: Session, at now: ContinuousClock.Instant) -> SessionOpened? {
        session.identity.map { identity in
            SessionOpened(
                session: session.id, account: identity.account.rawValue,
                background: session.doing.activity.background,
                currentConversation: session.doing.activity.currentConversation, idleMs: session.doing.idleMs(at: now))
        }
    }

    /// Ends one of the sessions of an account if it has too many now: the oldest of the device that just connected if
    /// that has too many, else the oldest of the device that has the most. So a device always gets in, and one with
    /// many sessions takes no place from the others.
    private func makeRoom(_ account: Int64, _ device: String) {
        let limits = configuration.limits
        let count = index.count(of: account)
        guard count > min(limits.sessionsPerDevice, limits.sessionsPerAccount) else { return }
        var counts: [String: Int] = [:]
        index.eachSession(of: account) { counts[$0.identity?.device ?? "", default: 0] += 1 }
        var crowded: Set = [device]
        if counts[device] ?? 0 <= limits.sessionsPerDevice {
            guard count > limits.sessionsPerAccount, let most = counts.values.max() else { return }
            crowded = Set(counts.filter { $0.value == most }.keys)
        }
        var oldest: Session?
        index.eachSession(of: account) { session in
            if oldest == nil, crowded.contains(session.identity?.device ?? "") { oldest = session }
        }
        if let oldest { end(oldest, .tooManySessions) }
    }

    private func end(_ session: Session, _ closing: Closing) {
        remove(session)
        session.loop.post(.close(session, closing))
    }

    private func remove(_ session: Session) {
        guard !session.hasEnded else { return }
        session.hasEnded = true
        guard let identity = session.identity else { return }
        index.remove(session, account: identity.account.rawValue)
        reporter?.closed(session.id)
    }

    private func closeSessions(of revoked: DeviceRevoked) {
        if revoked.device.isEmpty { edge.endExchanges(of: revoked.account, revokedAt: revoked.atUs) }
        var sessions: [Session] = []
        index.eachSession(of: revoked.account) { session in
            guard let identity = session.identity, identity.issuedAt.rawValue <= revoked.atUs else { return }
            if revoked.device.isEmpty || identity.device == revoked.device { sessions.append(session) }
        }
        guard !sessions.isEmpty else { return }
        for session in sessions { remove(session) }  // Their requests are no longer forwarded.
        // A device that signed itself out first receives its reply, which arrives over another link.
        _ = Reactor.shared.after(Self.revokedGrace) {
            for session in sessions { session.loop.post(.close(session, .revoked)) }
        }
    }

    /// Sends sessions back to sync, spread over time. Until then they still receive Updates.
    private func resync(_ reason: ResyncReason, over spread: Duration, _ sessions: [Session]) {
        var count = 0
        for session in sessions where !session.hasEnded && !session.isToResync {
            session.isToResync = true
            count += 1
            Reactor.shared.after(spread * Double.random(in: 0..<1)) { [weak self] in
                guard let self, !session.hasEnded else { return }
                end(session, .resync)
            }
        }
        guard count > 0 else { return }
        metrics.resync(count, reason)
        log.warning("sending sessions back to sync", metadata: ["why": "\(reason.rawValue)", "count": "\(count)"])
    }

    private func resyncAll(_ reason: ResyncReason) {
        resync(reason, over: configuration.limits.startOverSpread, index.sessions)
    }

    private func resync(accounts: [Int64]) {
        resync(.behind, over: configuration.limits.resyncSpread, accounts.flatMap(index.sessions(of:)))
    }

    private var allSessions: [SessionOpened] {
        let now = ContinuousClock.now
        return index.sessions.compactMap { Self.opened($0, at: now) }
    }

    // MARK: From services

    private func handlers(of service: Int) -> UpdateFeed.Handlers {
        let isConversations = services[service].service == "conversations"
        return UpdateFeed.Handlers(
            update: { [weak self] header, body in self?.receive(header, body) },
            // One of them may be a revocation, which must not depend on a replay that may fail.
            known: { [weak self] in self?.linksUp.changed() },
            missed: { [weak self] in if isConversations { self?.authority.ask() } },
            behind: { [weak self] accounts in self?.resync(accounts: accounts) },
            lost: { [weak self] reason in
                if isConversations { self?.authority.ask() }
                self?.resyncAll(reason)
            })
    }

    private func receive(_ header: UpdateHeader, _ body: [UInt8]) {
        if let control = header.control {
            if case .deviceRevoked(let revoked) = control.control { authority.revoke(revoked) }
        } else if !header.kind.isEmpty {
            fanOut(header, body)
        }
    }

    /// Delivers an Update to the sessions of its audience. It is encoded once.
    private func fanOut(_ header: UpdateHeader, _ body: [UInt8]) {
        var frame: ByteBuffer?
        var count = 0
        // Without its own key, an Update replaces earlier ones of its stream.
        let key = header.class == .collapsible && header.collapseKey.isEmpty ? header.stream : header.collapseKey
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
                session.loop.post(.update(session, shared, header.class, collapseKey: key))
            }
        }
        metrics.update(to: count)
    }

    // MARK: Presence

    /// Handles a replica of presence that came or went. Watches live in the memory of one replica and are lost with it.
    private func presenceChanged(_ endpoint: String, isLive: Bool) {
        reporter?.changed(endpoint)
        if !isLive { mustAnnouncePresenceRestart = true }
        guard mustAnnouncePresenceRestart,
            services.contains(where: { $0.service == "presence" && $0.isAvailable })
        else { return }
        mustAnnouncePresenceRestart = false
        announcePresenceRestart()
    }

    private func announcePresenceRestart() {
        let update = Update(stream: "presence", kind: "PresenceRestarted", class: .ephemeral)
        let frame = SocketFrame.encode(.update(update), ByteBufferAllocator())
        index.eachSession { $0.loop.post(.update($0, frame, .ephemeral, collapseKey: "")) }
    }
}
