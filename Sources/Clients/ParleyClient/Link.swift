import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket

/// One WebSocket to a gateway that sends and receives the bytes of frames. A process can hold ten thousand of them.
///
/// Its callbacks run on ``eventLoop``. ``send(_:)-(ByteBuffer)`` may be called from any thread; everything sent within
/// one turn of the loop is flushed together.
public final class Link: Sendable {
    /// Settings of a connection.
    public struct Options: Hashable, Sendable {
        /// The largest frame accepted from the server, in bytes.
        public var frameBytesMax: Int
        /// The time limit of each step of connecting: the TCP connection, the handshakes and the server's Welcome.
        public var connectTimeout: Duration
        /// The link closes when the server stops reading and more than this many bytes wait to be sent.
        public var waitingBytesMax: Int
        /// The authorities that the server's certificate must be signed by, for URLs that begin with `wss://`.
        public var trust: Trust

        /// Creates options. The defaults are frames of 2 MiB, 10 s to connect, 4 MiB waiting and the authorities that
        /// the system trusts.
        public init(
            frameBytesMax: Int = 2 << 20, connectTimeout: Duration = .seconds(10), waitingBytesMax: Int = 4 << 20,
            trust: Trust = .system
        ) {
            (self.frameBytesMax, self.connectTimeout) = (frameBytesMax, connectTimeout)
            (self.waitingBytesMax, self.trust) = (waitingBytesMax, trust)
        }
    }

    /// The WebSocket subprotocol.
    public static let subprotocol = "parley.v1"

    /// The event loop on which the callbacks run.
    public let eventLoop: any EventLoop

    private let handler: NIOLoopBound<LinkHandler>
    /// Frames sent from other threads that the loop has not taken yet.
    private let outbox = NIOLockedValueBox<[ByteBuffer]>([])

    private init(eventLoop: any EventLoop, handler: LinkHandler) {
        self.eventLoop = eventLoop
        self.handler = NIOLoopBound(handler, eventLoop: eventLoop)
    }

    /// Connects, with TLS if the address requires it, and upgrades to a WebSocket.
    /// - Parameters:
    ///   - wanted: the attempt is abandoned when this future fails.
    ///   - onFrame: called with each binary message, an encoded `ServerFrame` (``IncomingFrame``).
    ///   - onClose: called once when an established link ends, and not when connecting fails.
    /// - Returns: a future that fails with ``ParleyError``: `unavailable`; `certificate_untrusted`,
    ///   `certificate_wrong_host` or `certificate_expired` when the certificate does not match the server's address or
    ///   cannot be trusted; `invalid_authorities` when the authorities of ``Options/trust`` cannot be read.
    public static func connect(
        to address: LinkAddress,
        on eventLoop: any EventLoop,
        options: Options = Options(),
        wanted: EventLoopFuture<Link>? = nil,
        onFrame: @escaping @Sendable (ByteBuffer) -> Void,
        onClose: @escaping @Sendable (LinkClosed) -> Void
    ) -> EventLoopFuture<Link> {
        LinkTLS.context(for: address, options.trust, on: eventLoop).flatMap { tls in
            connect(
                to: address, tls, on: eventLoop, options: options, wanted: wanted, onFrame: onFrame, onClose: onClose)
        }
    }

    private static func connect(
        to address: LinkAddress, _ tls: NIOSSLContext?, on eventLoop: any EventLoop, options: Options,
        wanted: EventLoopFuture<Link>?, onFrame: @escaping @Sendable (ByteBuffer) -> Void,
        onClose: @escaping @Sendable (LinkClosed) -> Void
    ) -> EventLoopFuture<Link> {
        let timeout = TimeAmount(options.connectTimeout)
        let result = eventLoop.makePromise(of: Link.self)
        let upgraded = eventLoop.makePromise(of: Link.self)
        ClientBootstrap(group: eventLoop)
            .connectTimeout(timeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 512, maximum: 64 << 10)
            )
            .channelInitializer { channel in
                wanted?.whenFailure { _ in channel.close(promise: nil) }
                return channel.eventLoop.makeCompletedFuture {
                    try LinkTLS.add(tls, to: channel, of: address)
                    try upgrade(channel, to: address, options: options, onFrame: onFrame, onClose: onClose)
                        .cascade(to: upgraded)
                }
            }
            .connect(host: address.host, port: address.port)
            .whenComplete { connected in
                switch connected {
                case .failure(let error):
                    let problem = ParleyError.cannotConnect(to: address.authority, error)
                    upgraded.fail(problem)
                    result.fail(problem)
                case .success(let channel):
                    let late = eventLoop.scheduleTask(in: timeout) {
                        result.fail(
                            ParleyError.unavailable("\(address.authority) did not finish the handshake in time."))
                        channel.close(promise: nil)
                    }
                    upgraded.futureResult.whenComplete { outcome in
                        late.cancel()
                        switch outcome {
                        case .success(let link): result.succeed(link)
                        case .failure(let error):
                            result.fail(problem(error, address))
                            channel.close(promise: nil)
                        }
                    }
                }
            }
        return result.futureResult
    }

    /// The error for a connection that could not be upgraded to a WebSocket.
    private static func problem(_ error: any Error, _ address: LinkAddress) -> ParleyError {
        switch error {
        case let error as ParleyError: error
        case is HTTPParserError where !address.isSecure, is ChannelError where !address.isSecure:
            .unavailable(
                "\(address.authority) did not answer in HTTP (\(error)). If it speaks TLS, use wss:// in the URL.")
        default: .unavailable("Cannot open a WebSocket to \(address.authority): \(error)")
        }
    }

    private static func upgrade(
        _ channel: any Channel, to address: LinkAddress, options: Options,
        onFrame: @escaping @Sendable (ByteBuffer) -> Void, onClose: @escaping @Sendable (LinkClosed) -> Void
    ) throws -> EventLoopFuture<Link> {
        let upgrader = NIOTypedWebSocketClientUpgrader(
            maxFrameSize: options.frameBytesMax, enableAutomaticErrorHandling: false
        ) { channel, response in
            channel.eventLoop.makeCompletedFuture {
                guard response.headers.first(name: "Sec-WebSocket-Protocol") == subprotocol else {
                    throw ParleyError.unavailable("\(address.authority) does not speak \(subprotocol).")
                }
                let handler = LinkHandler(options: options, onFrame: onFrame, onClose: onClose)
                try channel.pipeline.syncOperations.addHandler(handler)
                return Link(eventLoop: channel.eventLoop, handler: handler)
            }
        }
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: address.path,
            headers: ["Host": address.authority, "Sec-WebSocket-Protocol": subprotocol])
        var configuration = NIOUpgradableHTTPClientPipelineConfiguration<Link>(
            upgradeConfiguration: .init(
                upgradeRequestHead: head, upgraders: [upgrader],
                notUpgradingCompletionHandler: { channel in
                    channel.eventLoop.makeFailedFuture(
                        ParleyError.unavailable(
                            "\(address.authority)\(address.path) opens no WebSocket. "
                                + "It may be starting, or the path is wrong."
                        ))
                }))
        // The server's first frame may arrive together with its response to the upgrade.
        configuration.leftOverBytesStrategy = .forwardBytes
        HTTPDecoders.complete()
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: configuration)
    }

    /// Sends one encoded `ClientFrame`. Safe to call from any thread; frames of one thread keep their order. Does
    /// nothing after the link has closed.
    public func send(_ frame: ByteBuffer) {
        if eventLoop.inEventLoop {
            handler.value.send(frame)
            return
        }
        let first = outbox.withLockedValue { frames in
            frames.append(frame)
            return frames.count == 1
        }
        guard first else { return }
        eventLoop.execute { [self] in
            let frames = outbox.withLockedValue { frames in
                defer { frames = [] }
                return frames
            }
            for frame in frames { handler.value.send(frame) }
        }
    }

    /// Encodes and sends one frame; see ``send(_:)-(ByteBuffer)``.
    public func send(_ frame: Parley_V1_ClientFrame) throws {
        send(try frame.frame())
    }

    /// Closes with a WebSocket close frame. `onClose` is called with code 1000.
    public func close() {
        onLoop { $0.close(code: 1000, reason: "closed by the client") }
    }

    /// Drops the connection without a close frame, for a server that went silent or broke the protocol.
    public func abort(code: UInt16 = 1006, reason: String) {
        onLoop { $0.abort(code: code, reason: reason) }
    }

    private func onLoop(_ body: @escaping @Sendable (LinkHandler) -> Void) {
        if eventLoop.inEventLoop {
            body(handler.value)
        } else {
            eventLoop.execute { body(self.handler.value) }
        }
    }
}
