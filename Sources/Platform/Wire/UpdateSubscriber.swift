import Logging
import Reactor
import Schema

/// The receiving end of update links: all Updates of a number of publishers.
///
/// The order of one publisher is kept. What is missed while a link is down, or while this process is too slow, is not
/// sent again here: the lanes' numbers show the gap.
@ReactorActor
public final class UpdateSubscriber {
    private let endpoints: [String]
    private let log: Logger
    private var sockets: [Socket] = []
    /// Where there is a connection; it counts once its publisher has greeted.
    private var linked: Set<String> = []
    private var connected: Set<String> = []
    private var oddLine = Occasionally(every: .seconds(10))

    /// Called with an endpoint when what its publisher publishes reaches us, from then on without a gap. Again after
    /// each loss.
    public var onConnected: ((_ endpoint: String) -> Void)?
    /// Called with an endpoint when its publisher was lost.
    public var onDisconnected: ((_ endpoint: String) -> Void)?
    /// Messages dropped because they were no Update, so far.
    public private(set) var malformed = 0

    /// - Parameter endpoints: one a publisher.
    public init(endpoints: [String], log: Logger) {
        var seen: Set<String> = []
        self.endpoints = endpoints.filter { seen.insert($0).inserted }
        self.log = log
    }

    // Its handlers hold `self` unowned, which costs each message less than weak: close them first.
    isolated deinit { close() }

    /// True while every publisher's Updates reach us.
    public var isConnected: Bool { connected.count == endpoints.count }

    /// The endpoints whose publishers are not there.
    public var missing: [String] { endpoints.filter { !connected.contains($0) } }

    /// Begins to connect to every publisher, goes on trying, and calls `handler` on the loop with each Update.
    public func start(_ handler: @escaping @ReactorActor (UpdateHeader, [UInt8]) -> Void) throws(ZeroMQError) {
        precondition(sockets.isEmpty, "a subscriber starts once")
        for endpoint in endpoints {
            // A socket each, so that its connection's events are this endpoint's, whatever name ZeroMQ gives them.
            let socket = try Socket.link(.subscriber)
            try socket.monitor { [unowned self] event in connectionChanged(endpoint, event) }
            socket.onMessage { [unowned self, unowned socket] parts in
                received(parts, from: endpoint, socket, handler)
            }
            // Greetings last: a publisher looks at subscriptions in order, so its greeting says that all count.
            try socket.subscribe()
            try socket.subscribe(Bucket.prefix(Bucket.greeting))
            try socket.connect(endpoint)
            sockets.append(socket)
        }
    }

    /// Ends all links.
    public func close() {
        for socket in sockets { socket.close() }
        sockets = []
        linked = []
        connected = []
    }

    private func received(
        _ parts: [[UInt8]], from endpoint: String, _ socket: Socket,
        _ handler: @ReactorActor (UpdateHeader, [UInt8]) -> Void
    ) {
        guard parts.count == 3, parts[0].count == 2 else { return drop("not three parts", from: endpoint) }
        if parts[0] == Bucket.prefix(Bucket.greeting) {
            // A loss and the new connection may both be news that we have not read yet.
            socket.deliverConnectionEvents()
            return greeted(by: endpoint)
        }
        let header: UpdateHeader
        do {
            header = try UpdateHeader.decode(parts[1])
        } catch {
            return drop("\(error)", from: endpoint)
        }
        guard !header.stream.isEmpty else { return drop("no stream", from: endpoint) }
        handler(header, parts[2])
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
        case .disconnected:
            linked.remove(endpoint)
            guard connected.remove(endpoint) != nil else { return }
            log.warning("a publisher was lost", metadata: ["publisher": "\(endpoint)"])
            onDisconnected?(endpoint)
        case .handshakeFailed:
            log.warning("a publisher does not speak our protocol", metadata: ["publisher": "\(endpoint)"])
        }
    }

    private func drop(_ why: String, from endpoint: String) {
        malformed += 1
        guard let heldBack = oddLine.pass(at: .now) else { return }
        log.debug(
            "dropped what is no Update",
            metadata: ["publisher": "\(endpoint)", "why": "\(why)", "more": "\(heldBack)"])
    }
}
