import Logging
import Reactor
import Schema

/// The sending end of a service's update link. It sends records [UpdateHeader][body] to all subscribers.
///
/// Publishing is best effort. A subscriber notices missed Updates by the lane's numbers and fetches them from the
/// journal.
@ReactorActor
public final class UpdatePublisher {
    private let endpoint: String
    private let security: LinkSecurity
    private let roles: Set<PeerRole>
    private let log: Logger
    private var socket: Socket?
    /// What was published in this turn and is not sent yet.
    private var outgoing = RecordFrame.Builder(bytesUsual: WireLimits.updateFrameBytesUsual)

    /// Whether anybody subscribes.
    public private(set) var hasSubscribers = false

    /// Updates not sent so far because they were too large or ZeroMQ refused them.
    public private(set) var dropped = 0

    /// - Parameters:
    ///   - endpoint: the endpoint to bind, `ipc:///path` or `tcp://host:port`; `*` as port takes a free port.
    ///   - security: with keys, only `roles` may subscribe.
    public init(
        endpoint: String, security: LinkSecurity = .plain, admitting roles: Set<PeerRole> = [.gateway], log: Logger
    ) {
        self.endpoint = endpoint
        self.security = security
        self.roles = roles
        self.log = log
    }

    // Its handlers hold `self` weakly, since it may be released on another thread before this runs.
    isolated deinit { close() }

    /// Listens for subscribers.
    /// - Returns: the endpoint actually bound.
    @discardableResult
    public func start() throws(ZeroMQError) -> String {
        precondition(socket == nil, "a publisher starts once")
        let socket = try Socket.link(.publisher)
        try security.secure(asServer: socket, at: endpoint, log: log) { [roles] in roles.contains($0) }
        socket.onMessage { [weak self] parts in self?.greet(parts) }
        let bound = try socket.bind(endpoint)
        self.socket = socket
        return bound
    }

    /// Sends to all subscribers at the end of the turn, in the order of the calls. Never waits.
    public func publish(_ header: UpdateHeader, _ body: [UInt8]) {
        let bytes = header.encode()
        guard body.count <= WireLimits.messageBytesMax, bytes.count <= WireLimits.headerBytesMax else {
            dropped += 1
            return log.error("an Update is too large to publish", metadata: ["kind": "\(header.kind)"])
        }
        if !outgoing.hasRoom(header: bytes.count, body: body.count) { flush() }
        if outgoing.isEmpty { Reactor.shared.atEndOfTurn { [weak self] in self?.flush() } }
        outgoing.append(header: bytes, body: body)
    }

    /// Stops listening. What was published in this turn still goes out.
    public func close() {
        flush()
        socket?.close()
        socket = nil
    }

    /// Answers the subscription to greetings, which a subscriber makes last. Everything published from here on reaches
    /// it.
    private func greet(_ parts: [[UInt8]]) {
        guard let part = parts.first, parts.count == 1, part.dropFirst() == UpdateFrame.greeting[...] else { return }
        // ZeroMQ reports the end of a subscription when the last subscriber to it is gone.
        hasSubscribers = part[0] == 1
        if hasSubscribers { send(UpdateFrame.greeting, count: 0) }
    }

    private func flush() {
        guard !outgoing.isEmpty else { return }
        send(outgoing.bytes, count: outgoing.count)
        outgoing.clear()
    }

    /// - Parameter count: how many Updates are in the frame.
    private func send(_ frame: [UInt8], count: Int) {
        do {
            if let socket, try socket.send(frame) { return }
            dropped += count
        } catch {
            dropped += count
            log.error("Updates could not be published", metadata: ["error": "\(error)", "count": "\(count)"])
        }
    }
}
