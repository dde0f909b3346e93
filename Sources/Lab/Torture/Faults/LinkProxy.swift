import NIOCore
import NIOPosix

/// Forwards the bytes of a link between a gateway and a replica. It can delay, stall or cut the link.
///
/// It does not interpret the bytes. All of it runs on one event loop.
final class LinkProxy: @unchecked Sendable {
    // Sendable because all state is used on `loop` only.

    private final class Pair {
        let front: any Channel
        var back: (any Channel)?
        /// The delayed bytes in order, by direction.
        var waiting: [Bool: [(due: NIODeadline, bytes: ByteBuffer)]] = [:]
        var isClosed = false

        init(front: any Channel) { self.front = front }

        func close() {
            guard !isClosed else { return }
            isClosed = true
            front.close(promise: nil)
            back?.close(promise: nil)
        }
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

        func channelInactive(context: ChannelHandlerContext) { proxy.closed(pair) }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { pair.close() }
    }

    private let loop: any EventLoop
    private var upstream: String?
    private var listener: (any Channel)?
    private var pairs: [ObjectIdentifier: Pair] = [:]
    private var isCut = false
    private var isStalled = false
    private var delay = TimeAmount.zero

    /// - Parameter upstream: the real socket; if nil, connections are closed until ``setUpstream(_:)`` names one.
    init(on loop: any EventLoop, upstream: String?) {
        (self.loop, self.upstream) = (loop, upstream)
    }

    /// Listens at a path.
    func listen(at path: String) -> EventLoopFuture<Void> {
        ServerBootstrap(group: loop)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture { try accept(channel) }
            }
            .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true)
            .map { [self] in listener = $0 }
    }

    func close() {
        loop.execute { [self] in
            listener?.close(promise: nil)
            for pair in pairs.values { pair.close() }
        }
    }

    // MARK: Faults. Each takes effect before the returned future completes.

    /// Changes the real socket. If it differs, closes all connections.
    @discardableResult
    func setUpstream(_ path: String?) -> EventLoopFuture<Void> {
        loop.submit { [self] in
            guard upstream != path else { return }
            upstream = path
            for pair in pairs.values { pair.close() }
        }
    }

    /// Closes all connections, and refuses new ones until the cut ends.
    @discardableResult
    func cut(_ isCut: Bool) -> EventLoopFuture<Void> {
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
        let unchecked = NIOLoopBound(pair, eventLoop: loop)
        ClientBootstrap(group: loop)
            .channelOption(.autoRead, value: false)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(self, unchecked.value, isFront: false))
                }
            }
            .connect(unixDomainSocketPath: upstream)
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

    private func closed(_ pair: Pair) {
        // Delayed bytes are lost with the connection, as when a cable is pulled.
        pair.close()
        pairs[ObjectIdentifier(pair)] = nil
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
        (toBack ? pair.back : pair.front)?.writeAndFlush(bytes, promise: nil)
    }
}
