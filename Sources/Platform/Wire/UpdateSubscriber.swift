import Logging
import Reactor
import Schema

/// The receiving end of update links: all Updates of a number of publishers.
///
/// The order of one publisher is kept. What is missed while a link is down, or while this process is too slow, is not
/// sent again here: the lanes' numbers show the gap.
@ReactorActor
public final class UpdateSubscriber {
    private var endpoints: [String]
    private let service: String
    private let security: LinkSecurity
    private let log: Logger
    private var sockets: [String: Socket] = [:]
    /// Since when there has been no connection, where there is none.
    private var waitingSince: [String: ContinuousClock.Instant] = [:]
    private var renewal: Reactor.Repetition?
    private var handler: (@ReactorActor (UpdateHeader, [UInt8]) -> Void)?
    /// Where there is a connection; it counts once its publisher has greeted.
    private var linked: Set<String> = []
    private var connected: Set<String> = []
    private var oddLine = LogThrottle(every: .seconds(10))
    private var handshakeLine = LogThrottle(every: .seconds(10))

    /// Called with an endpoint when what its publisher publishes reaches us, from then on without a gap. Again after
    /// each loss.
    public var onConnected: ((_ endpoint: String) -> Void)?
    /// Called with an endpoint when its publisher was lost.
    public var onDisconnected: ((_ endpoint: String) -> Void)?
    /// Messages dropped because they were no Update, so far.
    public private(set) var malformed = 0

    /// - Parameters:
    ///   - endpoints: one a publisher.
    ///   - service: whose publishers they are.
    ///   - security: with keys, the publishers must have the first key of the role `service`.
    public init(endpoints: [String], of service: String = "", security: LinkSecurity = .plain, log: Logger) {
        self.service = service
        self.security = security
        var seen: Set<String> = []
        self.endpoints = endpoints.filter { seen.insert($0).inserted }
        self.log = log
    }

    // Its handlers hold `self` weakly: it may have been released elsewhere, and this is still to come.
    isolated deinit { close() }

    /// True while every publisher's Updates reach us.
    public var isConnected: Bool { connected.count == endpoints.count }

    /// The endpoints whose publishers are not there.
    public var missing: [String] { endpoints.filter { !connected.contains($0) } }

    /// False while there is none whose Updates reach us.
    public var hasPublisher: Bool { !connected.isEmpty }

    /// Begins to connect to every publisher, goes on trying, and calls `handler` on the loop with each Update.
    public func start(_ handler: @escaping @ReactorActor (UpdateHeader, [UInt8]) -> Void) throws(ZeroMQError) {
        precondition(sockets.isEmpty, "a subscriber starts once")
        self.handler = handler
        for endpoint in endpoints { try connect(endpoint) }
        renewal = Reactor.shared.every(.seconds(1)) { [weak self] in self?.renewSockets() }
    }

    /// Says again which publishers there are, after the start. New ones are connected to; those that are not named any
    /// more are given up once they are lost, which the next time it is said shows.
    public func setEndpoints(_ named: [String]) {
        for endpoint in endpoints where !linked.contains(endpoint) && !named.contains(endpoint) {
            sockets.removeValue(forKey: endpoint)?.close()
            waitingSince[endpoint] = nil
            endpoints.removeAll { $0 == endpoint }
        }
        for endpoint in named where !endpoints.contains(endpoint) {
            endpoints.append(endpoint)
            tryToConnect(endpoint)
        }
    }

    private func tryToConnect(_ endpoint: String) {
        do {
            try connect(endpoint)
        } catch {
            log.error("a link could not be made", metadata: ["publisher": "\(endpoint)", "error": "\(error)"])
        }
    }

    private func connect(_ endpoint: String) throws(ZeroMQError) {
        waitingSince[endpoint] = .now
        // A socket each, so that its connection's events are this endpoint's, whatever name ZeroMQ gives them.
        let socket = try Socket.link(.subscriber)
        try security.secure(asClient: socket, of: service)
        try socket.monitor { [weak self] event in self?.connectionChanged(endpoint, event) }
        socket.onFrame { [weak self, weak socket] frame in
            if let socket { self?.received(frame, from: endpoint, socket) }
        }
        // Greetings last: a publisher looks at subscriptions in order, so its greeting says that all count.
        try socket.subscribe()
        try socket.subscribe(Bucket.prefix(Bucket.greeting))
        try socket.connect(endpoint)
        sockets[endpoint] = socket
    }

    /// ZeroMQ gives up a connection for good when its peer refused our key or broke the protocol, though the peer may
    /// be another, or know us, the next time.
    private func renewSockets() {
        for (endpoint, since) in waitingSince where .now - since >= WireLimits.socketRenewal {
            sockets.removeValue(forKey: endpoint)?.close()
            tryToConnect(endpoint)
        }
    }

    /// Ends all links.
    public func close() {
        renewal?.cancel()
        for socket in sockets.values { socket.close() }
        sockets = [:]
        waitingSince = [:]
        linked = []
        connected = []
        handler = nil
    }

    private func received(_ frame: IncomingFrame, from endpoint: String, _ socket: Socket) {
        guard frame.isWhole else { return drop("more than one part", from: endpoint) }
        do {
            switch try UpdateFrame.split(frame.bytes) {
            case .greeting:
                // A loss and the new connection may both be news that we have not read yet.
                socket.deliverConnectionEvents()
                greeted(by: endpoint)
            case .update(let headerBytes, let body):
                let header = try UpdateHeader.decode(headerBytes)
                guard !header.stream.isEmpty else { return drop("no stream", from: endpoint) }
                handler?(header, [UInt8](body))
            }
        } catch {
            drop("\(error)", from: endpoint)
        }
    }

    private func greeted(by endpoint: String) {
        guard linked.contains(endpoint), connected.insert(endpoint).inserted else { return }
        log.info("a publisher is there", metadata: ["publisher": "\(endpoint)"])
        onConnected?(endpoint)
    }

    private func connectionChanged(_ endpoint: String, _ event: Socket.ConnectionEvent) {
        switch event {
        case .ready:
            linked.insert(endpoint)
            waitingSince[endpoint] = nil
        case .disconnected:
            linked.remove(endpoint)
            if waitingSince[endpoint] == nil { waitingSince[endpoint] = .now }
            guard connected.remove(endpoint) != nil else { return }
            log.warning("a publisher was lost", metadata: ["publisher": "\(endpoint)"])
            onDisconnected?(endpoint)
        case .handshakeFailed:
            handshakeFailed(
                endpoint, "a publisher does not speak our protocol, or has another key than the peers' file says")
        case .refused:
            handshakeFailed(
                endpoint, "a publisher does not admit this process's key: see link.key and link.peers")
        }
    }

    /// It is tried again and again; the log hears of it once in a while.
    private func handshakeFailed(_ endpoint: String, _ what: String) {
        guard let heldBack = handshakeLine.pass(at: .now) else { return }
        log.warning("\(what)", metadata: ["publisher": "\(endpoint)", "more": "\(heldBack)"])
    }

    private func drop(_ why: String, from endpoint: String) {
        malformed += 1
        guard let heldBack = oddLine.pass(at: .now) else { return }
        log.debug(
            "dropped what is no Update",
            metadata: ["publisher": "\(endpoint)", "why": "\(why)", "more": "\(heldBack)"])
    }
}
