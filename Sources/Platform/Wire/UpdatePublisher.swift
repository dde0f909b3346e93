import Logging
import Reactor
import Schema

/// The sending end of a service's update link: [bucket][UpdateHeader][body] in one frame to everyone who has
/// subscribed.
///
/// Publishing is best effort: what a subscriber misses it notices by the lane's number and fetches from the journal.
@ReactorActor
public final class UpdatePublisher {
    private let endpoint: String
    private let security: LinkSecurity
    private let log: Logger
    private var socket: Socket?

    /// Updates not sent because they were too large or ZeroMQ refused, so far.
    public private(set) var dropped = 0

    /// - Parameters:
    ///   - endpoint: where to listen: `ipc:///path`, `tcp://host:port`; `*` as port takes a free one.
    ///   - security: with keys, only gateways may listen.
    public init(endpoint: String, security: LinkSecurity = .plain, log: Logger) {
        self.endpoint = endpoint
        self.security = security
        self.log = log
    }

    // Its handlers hold `self` weakly: it may have been released elsewhere, and this is still to come.
    isolated deinit { close() }

    /// Listens for subscribers.
    /// - Returns: the endpoint really bound.
    @discardableResult
    public func start() throws(ZeroMQError) -> String {
        precondition(socket == nil, "a publisher starts once")
        let socket = try Socket.link(.publisher)
        try security.secure(asServer: socket) { $0 == .gateway }
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

    /// Answers the subscription to greetings, which a subscriber makes last: what is published from here on reaches it.
    private func greet(_ parts: [[UInt8]]) {
        let prefix = Bucket.prefix(Bucket.greeting)
        guard parts == [[1] + prefix] else { return }
        send(prefix)
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
