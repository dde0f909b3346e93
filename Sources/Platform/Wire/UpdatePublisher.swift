import Logging
import Reactor
import Schema

/// The sending end of a service's update link. It sends [bucket][UpdateHeader][body] in one frame to all subscribers.
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

    /// Sends to all subscribers of the stream's bucket, in the order of the calls. Never waits.
    public func publish(_ header: UpdateHeader, _ body: [UInt8]) {
        let bytes = header.encode()
        guard body.count <= WireLimits.messageBytesMax, bytes.count <= WireLimits.headerBytesMax else {
            dropped += 1
            return log.error("an Update is too large to publish", metadata: ["kind": "\(header.kind)"])
        }
        send(UpdateFrame.encode(bucket: Bucket.of(stream: header.stream), header: bytes, body: body))
    }

    /// Stops listening.
    public func close() {
        socket?.close()
        socket = nil
    }

    /// Answers the subscription to greetings, which a subscriber makes last. Everything published from here on reaches
    /// it.
    private func greet(_ parts: [[UInt8]]) {
        let prefix = Bucket.prefix(Bucket.greeting)
        guard let part = parts.first, parts.count == 1, part.dropFirst() == prefix[...] else { return }
        // ZeroMQ reports the end of a subscription when the last subscriber to it is gone.
        hasSubscribers = part[0] == 1
        if hasSubscribers { send(prefix) }
    }

    private func send(_ frame: [UInt8]) {
        do {
            if let socket, try socket.send(frame) { return }
            dropped += 1
        } catch {
            dropped += 1
            log.error("an Update could not be published", metadata: ["error": "\(error)"])
        }
    }
}
