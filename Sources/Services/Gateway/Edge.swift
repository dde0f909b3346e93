import Glibc
import Logging
import Monitor
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import ServiceKit
import Synchronization
import Wire

/// The side of the gateway that faces clients. It listens, and serves connections on event loops.
final class Edge: Sendable {
    let rules: SessionRules
    let keys: KeyRing
    let inbox: Inbox
    let metrics: GatewayMetrics
    let clientAddress: ClientAddress
    /// Used only to build the response of the handshake.
    let upgrader = NIOWebSocketServerUpgrader(
        shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
        upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })

    /// nil if connections are not encrypted.
    private let certificate: EdgeCertificate?
    private let group: MultiThreadedEventLoopGroup
    let loops: [EdgeLoop]
    private let listener = Mutex<(any Channel)?>(nil)
    private let connections = Atomic<Int>(0)
    /// Connections beyond the limit that are being refused.
    private let turnedAway = Atomic<Int>(0)
    static let turnedAwayMax = 128
    private let outOfDescriptors = Mutex(LogThrottle(every: .seconds(10)))
    private let otherPages = Mutex(LogThrottle(every: .seconds(10)))
    private let log: Logger
    private let exchanges: Mutex<(book: ExchangeBook, accounts: [Int64: [Transfer]])>
    /// How often exchanges may begin, for each ``ClientAddress/place(of:)``.
    private let beginnings: Mutex<RateLimiter<String>>
    /// How often connections may be opened, and HTTP requests of any kind be made, for each
    /// ``ClientAddress/place(of:)``.
    private let openings: Mutex<RateLimiter<String>>
    private let requests: Mutex<RateLimiter<String>>
    /// How many sessions are not signed in, in total and for each ``ClientAddress/place(of:)`` with its share.
    private let anonymous = Mutex<(count: Int, places: [String: (count: Int, share: Share)])>((0, [:]))
    private let newcomers: Mutex<NewcomerBook>
    /// Which web pages may use this gateway.
    let origins: AllowedOrigins
    private let served = Mutex(HTTPPaths.own)
    private let refusal = Mutex<String?>("The gateway is starting.")

    init(
        _ configuration: GatewayConfiguration, rules: SessionRules, keys: KeyRing, inbox: Inbox,
        metrics: GatewayMetrics, certificate: EdgeCertificate? = nil, log: Logger = Logger(label: "parley")
    ) {
        self.log = log
        self.rules = rules
        beginnings = Mutex(RateLimiter(rules.requestsTogether))
        openings = Mutex(RateLimiter(rules.connections))
        requests = Mutex(RateLimiter(rules.framesTogether))
        newcomers = Mutex(NewcomerBook(total: rules.newcomersMax, perPlace: rules.limits.newcomersPerAddress))
        origins = configuration.origins
        exchanges = Mutex(
            (ExchangeBook(total: rules.limits.exchanges, perAccount: rules.limits.exchangesPerAccount), [:]))
        self.keys = keys
        self.inbox = inbox
        self.metrics = metrics
        self.certificate = certificate
        clientAddress = configuration.clientAddress
        group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, configuration.eventLoops))
        loops = group.makeIterator().map { EdgeLoop(eventLoop: $0, metrics: metrics) }
    }

    /// The HTTP paths served now.
    var paths: HTTPPaths {
        get { served.withLock { $0 } }
        set { served.withLock { $0 = newValue } }
    }

    /// Why the gateway accepts no sessions now; nil if it does.
    var reasonToRefuse: String? {
        get { refusal.withLock { $0 } }
        set { refusal.withLock { $0 = newValue } }
    }

    /// - Returns: the bound address.
    func listen(on address: HTTPAddress) async throws -> HTTPAddress {
        HTTPDecoders.complete()
        for loop in loops {
            loop.eventLoop.execute { loop.startSweep(every: self.rules.limits.tick) }
        }
        let limits = rules.limits
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    Self.limitArrivals(channel, to: limits.requestBufferBytes)
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptGuard(spares: 0, admits: { self.admits($0) }) { self.cannotAccept($0) })
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // Who does not read costs little of the kernel's memory, and not for long.
            .childChannelOption(.socketOption(.so_sndbuf), value: .init(limits.responseBufferBytes))
            // Whose requests wait, too. The kernel would otherwise make room for megabytes.
            .childChannelOption(.socketOption(.so_rcvbuf), value: .init(limits.requestBufferBytes))
            .childChannelOption(Self.userTimeout, value: .init(limits.takeTimeout.milliseconds))
            // A client that ends its side after its requests still gets the responses.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // One connection takes a bounded share of each turn of its loop, whatever it sends.
            .childChannelOption(.recvAllocator, value: Self.allocator(upTo: limits.readBytes))
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .writeBufferWaterMark,
                value: .init(
                    low: min(SessionBehind.watermark, limits.queueBytes) / 2,
                    high: min(SessionBehind.watermark, limits.queueBytes))
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.begin(channel) }
            }
            .bind(host: address.host, port: address.port).get()
        listener.withLock { $0 = channel }
        return HTTPAddress(channel.localAddress) ?? address
    }

    /// Makes the kernel keep little of what arrives on connections that are not accepted yet.
    ///
    /// Without the lock (SO_BUF_LOCK, Linux 5.14) windows can still grow later, for bodies. Older kernels would fix
    /// them, and keep what they like instead.
    private static func limitArrivals(_ listener: any Channel, to size: Int) {
        let (lock, options) = (ChannelOptions.socketOption(.init(rawValue: 72)), listener.syncOptions)
        guard (try? options?.setOption(lock, value: 0)) != nil else { return }
        _ = try? options?.setOption(.socketOption(.so_rcvbuf), value: .init(size))
        _ = try? options?.setOption(lock, value: 0)
    }

    /// How long the kernel keeps a connection whose other side acknowledges nothing, or has no room (TCP_USER_TIMEOUT).
    private static let userTimeout = ChannelOptions.tcpOption(.init(rawValue: 18))

    /// An idle connection keeps one buffer of the minimum size.
    static func allocator(upTo size: Int) -> AdaptiveRecvByteBufferAllocator {
        AdaptiveRecvByteBufferAllocator(minimum: min(512, size), initial: min(512, size), maximum: size)
    }

    /// Logs why no connections are accepted for a moment.
    private func cannotAccept(_ error: IOError) {
        guard let more = outOfDescriptors.withLock({ $0.pass(at: .now) }) else { return }
        log.error(
            "connections cannot be accepted; raise the limit of open files if it is reached",
            metadata: ["error": "\(error)", "connections": "\(connectionCount)", "more": "\(more)"])
    }

    /// Counts and logs that a web page may not use this gateway. The path may be a secret, and is in no log.
    func refusedPage(_ headers: HTTPHeaders) {
        metrics.refusedAtEdge(Refusal.Code.originNotAllowed.rawValue)
        guard let more = otherPages.withLock({ $0.pass(at: .now) }) else { return }
        func text(_ name: String) -> String { String(headers[name].joined(separator: " and ").prefix(200)) }
        log.warning(
            "a web page of another origin was refused; if it is yours, list its origin in listen.origins",
            metadata: ["origin": "\(text("origin"))", "host": "\(text("host"))", "more": "\(more)"])
    }

    /// Whether the other end of a new connection may open one more now. If not, it ends before it costs anything, and
    /// leaves nothing in the kernel.
    private func admits(_ channel: any Channel) -> Bool {
        guard let place = clientAddress.place(ofPeer: channel.remoteAddress?.ipAddress ?? "") else { return true }
        let isAdmitted = openings.withLock { (try? $0.take(place)) != nil }
        if !isAdmitted { metrics.refusedConnection() }
        return isAdmitted
    }

    private func begin(_ channel: any Channel) throws {
        guard let loop = loops.first(where: { $0.eventLoop === channel.eventLoop }) else {
            return channel.close(promise: nil)
        }
        try serve(channel, on: loop)
    }

    /// Adds `channel` to the connections of `loop`.
    func serve(_ channel: any Channel, on loop: EdgeLoop) throws {
        var isOverLimit = connections.add(1, ordering: .relaxed).newValue > rules.limits.connections
        let peer = clientAddress.place(ofPeer: channel.remoteAddress?.ipAddress ?? "")
        if !isOverLimit, !newcomers.withLock({ $0.begin(peer) }) { isOverLimit = true }
        if isOverLimit {
            connections.subtract(1, ordering: .relaxed)
            guard turnedAway.add(1, ordering: .relaxed).newValue <= Self.turnedAwayMax else {
                turnedAway.subtract(1, ordering: .relaxed)
                return channel.close(promise: nil)
            }
        }
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = rules.limits.headerFieldBytes
        limits.maxHeaderListSize = rules.limits.headerBytes
        limits.maxHeaderFieldCount = rules.limits.headerFields
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits),
            maximumBufferSize: 2 * rules.limits.headerBytes)
        let (gate, encoder) = (HTTPGate(on: loop), HTTPResponseEncoder())
        let handler = HTTPHandler(
            edge: self, loop: loop, isOverLimit: isOverLimit, peer: peer, gate: gate, decoder: decoder,
            encoder: encoder)
        let pipeline = channel.pipeline.syncOperations
        if let certificate { try pipeline.addHandler(certificate.handler()) }
        try pipeline.addHandler(gate)
        try pipeline.addHandler(encoder)
        try pipeline.addHandler(decoder)
        try pipeline.addHandler(handler)
    }

    /// Closes a connection at once, with everything that the kernel still holds for it.
    static func cut(_ channel: any Channel) {
        _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        channel.close(promise: nil)
    }

    func connectionClosed(wasOverLimit: Bool = false) {
        if wasOverLimit {
            turnedAway.subtract(1, ordering: .relaxed)
        } else if connections.subtract(1, ordering: .relaxed).newValue == 0 {
            inbox.put(.lastConnectionClosed)
        }
    }

    // MARK: Connections that are not sessions yet

    /// Whether so many connections are not sessions that one may not wait for its next request.
    var newcomersAreMany: Bool { newcomers.withLock { $0.isShort } }

    /// Call it once for each connection, when it is a session or has ended.
    /// - Parameter place: of its other end; nil: a trusted proxy.
    func newcomerEnded(_ place: String?) { newcomers.withLock { $0.end(place) } }

    // MARK: Sessions that are not signed in

    /// Counts a session without a token. A tenth of all places is kept for those with one.
    /// - Returns: what those of its address may do together; nil if a limit is reached.
    func anonymousBegins(from address: String, at now: Moment) -> Share? {
        let (limits, place) = (rules.limits, ClientAddress.place(of: address))
        return anonymous.withLock { anonymous in
            let before = anonymous.places[place] ?? (0, Share(rules, at: now.steady))
            guard anonymous.count < limits.connections - limits.connections / 10,
                before.count < limits.anonymousPerAddress
            else { return nil }
            anonymous.count += 1
            anonymous.places[place] = (before.count + 1, before.share)
            return before.share
        }
    }

    func anonymousEnded(from address: String) {
        let place = ClientAddress.place(of: address)
        anonymous.withLock { anonymous in
            anonymous.count -= 1
            guard let before = anonymous.places[place] else { return }
            anonymous.places[place] = before.count > 1 ? (before.count - 1, before.share) : nil
        }
    }

    // MARK: Exchanges with services

    /// Counts an attempt to begin an exchange, so that whoever is refused and tries again costs no service time.
    /// - Throws: ``Refusal`` `rate_limited`.
    func countBeginning(from address: String) throws(Refusal) {
        let place = ClientAddress.place(of: address)
        let refusal = beginnings.withLock { beginnings -> Refusal? in
            do throws(Refusal) {
                try beginnings.take(place)
                return nil
            } catch {
                return error
            }
        }
        if let refusal { throw refusal }
    }

    /// Counts HTTP requests of any kind, or what costs as much.
    /// - Parameter place: see ``ClientAddress/place(of:)``.
    /// - Returns: for how long no more of its connection is to be read.
    func countRequest(from place: String, asMany count: Int) -> Duration? {
        requests.withLock { $0.spend(place, count: count, debtMax: rules.limits.pauseMax) }
    }

    /// Counts a new exchange.
    /// - Returns: false if a limit is reached.
    func exchangeBegins(_ kind: ExchangeBook.Kind, from address: String) -> Bool {
        let place = ClientAddress.place(of: address)
        return exchanges.withLock { $0.book.begin(kind, from: place) }
    }

    /// An exchange whose account is known, by its connection.
    private struct Transfer {
        let channel: any Channel
        let begunAt: Int64
    }

    /// - Parameter begunAt: by the clock of all processes, in microseconds.
    /// - Returns: false if the account has as many exchanges as it may, or all its devices were signed out since.
    func assignExchange(
        _ kind: ExchangeBook.Kind, to account: Int64, begunAt: Int64, on channel: any Channel
    ) -> Bool {
        exchanges.withLock { exchanges in
            guard exchanges.book.assign(kind, to: account, begunAt: begunAt) else { return false }
            exchanges.accounts[account, default: []].append(Transfer(channel: channel, begunAt: begunAt))
            return true
        }
    }

    func exchangeEnded(
        _ kind: ExchangeBook.Kind, from address: String, of account: Int64?, on channel: any Channel
    ) {
        let place = ClientAddress.place(of: address)
        exchanges.withLock { exchanges in
            exchanges.book.end(kind, from: place, of: account)
            guard let account, var left = exchanges.accounts[account] else { return }
            left.removeAll { $0.channel === channel }
            exchanges.accounts[account] = left.isEmpty ? nil : left
        }
    }

    /// Ends the exchanges of an account of which all devices were signed out.
    func endExchanges(of account: Int64, revokedAt: Int64) {
        let ending = exchanges.withLock { exchanges -> [any Channel] in
            let until = exchanges.book.revoked(account, at: revokedAt, now: Moment.now.wall)
            return (exchanges.accounts[account] ?? []).filter { $0.begunAt <= until }.map(\.channel)
        }
        for channel in ending {
            // A proxy's connection may carry somebody else's by then.
            channel.eventLoop.execute { if self.isUnderWay(account, on: channel) { Self.cut(channel) } }
        }
    }

    private func isUnderWay(_ account: Int64, on channel: any Channel) -> Bool {
        exchanges.withLock { $0.accounts[account]?.contains { $0.channel === channel } ?? false }
    }

    func exchangesAreShort(of kind: ExchangeBook.Kind) -> Bool { exchanges.withLock { $0.book.isShort(of: kind) } }

    // MARK: Stopping

    func stopListening() async {
        reasonToRefuse = "The gateway is stopping."
        let channel = listener.withLock { listener in
            defer { listener = nil }
            return listener
        }
        try? await channel?.close().get()
    }

    func drain() {
        for loop in loops { loop.eventLoop.execute { loop.drain() } }
    }

    func closeAll() {
        for loop in loops { loop.eventLoop.execute { loop.closeAll(.goingAway) } }
    }

    var connectionCount: Int { connections.load(ordering: .relaxed) }

    func shutDown() async {
        for loop in loops {
            loop.stopDelivering()
            try? await loop.eventLoop.submit { loop.stopSweep() }.get()
        }
        try? await group.shutdownGracefully()
    }
}
