import NIOCore
import NIOPosix

/// Forwards the bytes of a link: between a gateway and a replica, or between a device and a gateway. It can delay,
/// stall or cut the link, or let its bytes vanish.
///
/// It does not interpret the bytes. All of it runs on one event loop.
package final class LinkProxy: @unchecked Sendable {
    // Sendable because all state is used on `loop` only.

    private final class Pair {
        let front: any Channel
        var back: (any Channel)?
        /// The delayed bytes in order, by direction.
        var waiting: [Bool: [(due: NIODeadline, bytes: ByteBuffer)]] = [:]
        var isClosed = false
        /// Whether it lost bytes: no more of them pass, and neither end hears of the other's close.
        var isDead = false

        init(front: any Channel) { self.front = front }

        func close() {
            guard !isClosed else { return }
            isClosed = true
            front.close(promise: nil)
            back?.close(promise: nil)
        }

        /// One end closed.
        func closed(isFront: Bool) {
            guard isDead else { return close() }
            (isFront ? front : back)?.close(promise: nil)
        }

        var isOpen: Bool { front.isActive || back?.isActive ?? false }
    }

    /// Handles one end of a pair.
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let proxy: LinkProxy
        private let pair: Pair
        private let isFront: Bool

        init(_ proxy: LinkProxy, _ pair: Pair, isFront: Bool) {
            (self.proxy, self.pair, self.isFront) = (proxy, pair, isFront)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            proxy.pass(Self.unwrapInboundIn(data), of: pair, toBack: isFront)
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            proxy.setReading(pair, front: !isFront, context.channel.isWritable)
            context.fireChannelWritabilityChanged()
        }

        func channelInactive(context: ChannelHandlerContext) { proxy.closed(pair, isFront: isFront) }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { pair.closed(isFront: isFront) }
    }

    private let loop: any EventLoop
    private var upstream: SocketAddress?
    private var listener: (any Channel)?
    private var pairs: [ObjectIdentifier: Pair] = [:]
    private var isCut = false
    private var isStalled = false
    private var isVanishing = false
    private var delay = TimeAmount.zero

    /// - Parameter upstream: the real socket; if nil, connections are closed until ``setUpstream(_:)`` names one.
    package init(on loop: any EventLoop, upstream: SocketAddress?) {
        (self.loop, self.upstream) = (loop, upstream)
    }

    private var bootstrap: ServerBootstrap {
        ServerBootstrap(group: loop)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture { try accept(channel) }
            }
    }

    /// Listens at a path.
    func listen(at path: String) -> EventLoopFuture<Void> {
        bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).map { [self] in listener = $0 }
    }

    /// Listens on this machine alone, and returns the port.
    package func listenOnLoopback() -> EventLoopFuture<Int> {
        bootstrap.bind(host: "127.0.0.1", port: 0).map { [self] channel in
            listener = channel
            return channel.localAddress?.port ?? 0
        }
    }

    package func close() {
        loop.execute { [self] in
            listener?.close(promise: nil)
            for pair in pairs.values { pair.close() }
        }
    }

    // MARK: Faults. Each takes effect before the returned future completes.

    /// Changes the real socket. If it differs, closes all connections.
    @discardableResult
    package func setUpstream(_ address: SocketAddress?) -> EventLoopFuture<Void> {
        loop.submit { [self] in
            guard upstream != address else { return }
            upstream = address
            for pair in pairs.values { pair.close() }
        }
    }

    /// Closes all connections, and refuses new ones until the cut ends.
    @discardableResult
    package func cut(_ isCut: Bool) -> EventLoopFuture<Void> {
        loop.submit { [self] in
            self.isCut = isCut
            if isCut { for pair in pairs.values { pair.close() } }
        }
    }

    /// Stops or resumes reading from both sides, without closing connections.
    @discardableResult
    func stall(_ isStalled: Bool) -> EventLoopFuture<Void> {
        loop.submit { [self] in
            self.isStalled = isStalled
            for pair in pairs.values where pair.back != nil {
                setReading(pair, front: true, !isStalled)
                setReading(pair, front: false, !isStalled)
            }
        }
    }

    /// Lets all bytes vanish while connections stay, as where nobody tells of a network that is gone. Connections that
    /// were open meanwhile stay dead afterwards.
    @discardableResult
    package func vanish(_ isVanishing: Bool) -> EventLoopFuture<Void> {
        loop.submit { [self] in
            self.isVanishing = isVanishing
            if isVanishing { for pair in pairs.values { pair.isDead = true } }
        }
    }

    /// Delays bytes that arrive from now on.
    @discardableResult
    func delay(_ milliseconds: Int) -> EventLoopFuture<Void> {
        loop.submit { [self] in delay = .milliseconds(Int64(milliseconds)) }
    }

    // MARK: Forwarding

    private func accept(_ front: any Channel) throws {
        let pair = Pair(front: front)
        guard !isCut, let upstream else {
            front.close(promise: nil)
            return
        }
        pairs[ObjectIdentifier(pair)] = pair
        try front.pipeline.syncOperations.addHandler(Handler(self, pair, isFront: true))
        if isVanishing {
            pair.isDead = true
            setReading(pair, front: true, true)
            return
        }
        let unchecked = NIOLoopBound(pair, eventLoop: loop)
        ClientBootstrap(group: loop)
            .channelOption(.autoRead, value: false)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(self, unchecked.value, isFront: false))
                }
            }
            .connect(to: upstream)
            .whenComplete { [self] result in
                let pair = unchecked.value
                switch result {
                case .failure: pair.close()
                case .success(let back):
                    pair.back = back
                    guard !pair.isClosed else { return back.close(promise: nil) }
                    guard !isStalled else { return }
                    setReading(pair, front: true, true)
                    setReading(pair, front: false, true)
                }
            }
    }

    private func setReading(_ pair: Pair, front: Bool, _ isReading: Bool) {
        let channel = front ? pair.front : pair.back
        channel?.setOption(.autoRead, value: isReading && !isStalled).whenFailure { _ in }
    }

    private func closed(_ pair: Pair, isFront: Bool) {
        // Delayed bytes are lost with the connection, as when a cable is pulled.
        pair.closed(isFront: isFront)
        if !pair.isOpen { pairs[ObjectIdentifier(pair)] = nil }
    }

    private func pass(_ bytes: ByteBuffer, of pair: Pair, toBack: Bool) {
        if delay == .zero, pair.waiting[toBack, default: []].isEmpty { return write(bytes, of: pair, toBack: toBack) }
        // Keeps the order: bytes never overtake delayed ones.
        let last = pair.waiting[toBack]?.last?.due ?? .now()
        let due = max(last, .now() + delay)
        pair.waiting[toBack, default: []].append((due, bytes))
        let unchecked = NIOLoopBound(pair, eventLoop: loop)
        loop.scheduleTask(deadline: due) { [self] in release(unchecked.value, toBack: toBack) }
    }

    private func release(_ pair: Pair, toBack: Bool) {
        guard var waiting = pair.waiting[toBack] else { return }
        let now = NIODeadline.now()
        while let first = waiting.first, first.due <= now {
            write(first.bytes, of: pair, toBack: toBack)
            waiting.removeFirst()
        }
        pair.waiting[toBack] = waiting
    }

    private func write(_ bytes: ByteBuffer, of pair: Pair, toBack: Bool) {
        guard !pair.isDead else { return }
        (toBack ? pair.back : pair.front)?.writeAndFlush(bytes, promise: nil)
    }
}
