import Logging
import Reactor
import Schema

/// The receiving end of update links. It receives all Updates of several publishers.
///
/// Updates of one publisher arrive in order. Those missed while a link is down, or while this process is too slow, are
/// not sent again here; the lanes' numbers show the gap.
@ReactorActor
public final class UpdateSubscriber {
    private var endpoints: [String]
    private let service: String
    private let security: LinkSecurity
    private let log: Logger
    private var sockets: [String: Socket] = [:]
    /// The endpoints without a connection, and since when.
    private var waitingSince: [String: ContinuousClock.Instant] = [:]
    private var renewal: Reactor.Repetition?
    private var handler: Handler?
    /// The endpoints with a connection. One becomes `connected` once its publisher has sent the greeting.
    private var linked: Set<String> = []
    private var connected: Set<String> = []
    private var oddLine = LogThrottle(every: .seconds(10))
    private var handshakeLine = LogThrottle(every: .seconds(10))

    /// Called with the bytes of each Update's header and body, which are valid during the call. Throwing means that it
    /// is not an Update.
    public typealias Handler = @ReactorActor (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void

    /// Called with an endpoint when its publisher's Updates arrive, from then on without a gap. Called again after each
    /// loss.
    public var onConnected: ((_ endpoint: String) -> Void)?
    /// Called with an endpoint when its publisher is lost.
    public var onDisconnected: ((_ endpoint: String) -> Void)?
    /// Messages dropped so far because they were not Updates.
    public private(set) var malformed = 0

    /// - Parameters:
    ///   - endpoints: one per publisher.
    ///   - service: the service of the publishers.
    ///   - security: with keys, the publishers must have the first key of the role `service`.
    public init(endpoints: [String], of service: String = "", security: LinkSecurity = .plain, log: Logger) {
        self.service = service
        self.security = security
        var seen: Set<String> = []
        self.endpoints = endpoints.filter { seen.insert($0).inserted }
        self.log = log
    }

    // Its handlers hold `self` weakly, since it may be released on another thread before this runs.
    isolated deinit { close() }

    /// Whether the Updates of every publisher arrive.
    public var isConnected: Bool { connected.count == endpoints.count }

    /// The endpoints whose publishers are not connected.
    public var missing: [String] { endpoints.filter { !connected.contains($0) } }

    /// Whether the Updates of at least one publisher arrive.
    public var hasPublisher: Bool { !connected.isEmpty }

    /// Connects to every publisher, retries until it succeeds, and calls `handler` on the loop with each Update.
    public func start(_ handler: @escaping @ReactorActor (UpdateHeader, [UInt8]) -> Void) throws(ZeroMQError) {
        try startUndecoded({ headerBytes, body in
            let header = try UpdateHeader.decode(headerBytes)
            guard !header.stream.isEmpty else { throw NoStream() }
            handler(header, [UInt8](body))
        })
    }

    private struct NoStream: Error, CustomStringConvertible {
        let description = "no stream"
    }

    /// The same, with Updates as they came.
    public func startUndecoded(_ handler: @escaping Handler) throws(ZeroMQError) {
        precondition(sockets.isEmpty, "a subscriber starts once")
        self.handler = handler
        for endpoint in endpoints { try connect(endpoint) }
        renewal = Reactor.shared.every(.seconds(1)) { [weak self] in self?.renewSockets() }
    }

    /// Changes the list of publishers after the start. Connects to new ones. Those no longer listed are removed by the
    /// first call after their loss.
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
            log.error("a link could not be opened", metadata: ["publisher": "\(endpoint)", "error": "\(error)"])
        }
    }

    private func connect(_ endpoint: String) throws(ZeroMQError) {
        waitingSince[endpoint] = .now
        // One socket per endpoint, so that its connection events belong to this endpoint, whatever name ZeroMQ gives
        // it.
        let socket = try Socket.link(.subscriber)
        try security.secure(asClient: socket, of: service)
        try socket.monitor { [weak self] event in self?.connectionChanged(endpoint, event) }
        socket.onFrame { [weak self, weak socket] frame in
            if let socket { self?.received(frame, from: endpoint, socket) }
        }
        // Greetings last. A publisher handles subscriptions in order, so its greeting confirms all of them.
        try socket.subscribe()
        try socket.subscribe(UpdateFrame.greeting)
        try socket.connect(endpoint)
        sockets[endpoint] = socket
    }

    /// Replaces sockets without a connection. ZeroMQ gives up a connection for good when its peer refused our key or
    /// broke the protocol, although the peer may have been replaced or know us the next time.
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
                // The events of a loss and of the new connection may both still be unread.
                socket.deliverConnectionEvents()
                greeted(by: endpoint)
            case .updates(let records):
                for record in records { received(record, from: endpoint) }
            }
        } catch {
            drop("\(error)", from: endpoint)
        }
    }

    private func received(_ record: RecordFrame.Record, from endpoint: String) {
        do {
            try handler?(record.header, record.body)
        } catch {
            drop("\(error)", from: endpoint)
        }
    }

    private func greeted(by endpoint: String) {
        guard linked.contains(endpoint), connected.insert(endpoint).inserted else { return }
        log.info("a publisher is connected", metadata: ["publisher": "\(endpoint)"])
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
                endpoint, "a publisher does not speak our protocol, or its key is not the one in the peers file")
        case .refused:
            handshakeFailed(
                endpoint, "a publisher does not admit this process's key; check link.key and link.peers")
        }
    }

    /// Logs a failed handshake once in a while, since attempts repeat.
    private func handshakeFailed(_ endpoint: String, _ message: String) {
        guard let heldBack = handshakeLine.pass(at: .now) else { return }
        log.warning("\(message)", metadata: ["publisher": "\(endpoint)", "more": "\(heldBack)"])
    }

    private func drop(_ why: String, from endpoint: String) {
        malformed += 1
        guard let heldBack = oddLine.pass(at: .now) else { return }
        log.debug(
            "dropped a message that is not an Update",
            metadata: ["publisher": "\(endpoint)", "why": "\(why)", "more": "\(heldBack)"])
    }
}
