import Wire

/// The configuration of a gateway.
public struct GatewayConfiguration: Sendable {
    /// A service that clients may call. Its methods begin with `name` and a dot.
    public struct Service: Sendable {
        public var name: String
        /// ZeroMQ endpoints of its replicas' request links.
        public var requests: [String]
        /// ZeroMQ endpoints of its replicas' update links.
        public var updates: [String]
        /// Whether its Updates are numbered, so that missed ones can be requested from its journal. Presence has none.
        public var journals: Bool
        /// Whether all requests of a person go to one replica, whatever key they name.
        public var isKeyedByCaller: Bool

        public init(
            name: String, requests: [String], updates: [String], journals: Bool = true, isKeyedByCaller: Bool = false
        ) {
            (self.name, self.requests, self.updates) = (name, requests, updates)
            (self.journals, self.isKeyedByCaller) = (journals, isKeyedByCaller)
        }
    }

    /// The unique name of this gateway, under which it reports its sessions to presence.
    public var instance: String
    /// Such as "127.0.0.1:8080" or "[::]:8080"; port 0 selects a free port.
    public var listen: String
    /// The TLS certificate; nil for plain connections, as behind a proxy that terminates TLS.
    public var certificate: CertificateFiles?
    public var services: [Service]
    public var limits: GatewayLimits
    /// How to determine a client's address, also behind proxies.
    public var clientAddress: ClientAddress
    /// Which web pages may open sessions.
    public var origins = AllowedOrigins()
    /// Threads that serve connections.
    public var eventLoops: Int
    /// The security of the links to the services.
    public var security: LinkSecurity

    public init(
        instance: String, listen: String = "127.0.0.1:8080", certificate: CertificateFiles? = nil,
        services: [Service], limits: GatewayLimits = .init(), clientAddress: ClientAddress = ClientAddress(),
        eventLoops: Int = 1, security: LinkSecurity = .plain
    ) {
        self.instance = instance
        self.listen = listen
        self.certificate = certificate
        self.services = services
        self.limits = limits
        self.clientAddress = clientAddress
        self.eventLoops = eventLoops
        self.security = security
    }
}

/// All limits of the gateway.
public struct GatewayLimits: Sendable {
    // Connections.
    public var connections = 20_000
    /// Connections that one address may open, of IPv6 one /64. Trusted proxies may open any number.
    public var addressConnectionsPerSecond = 200
    public var addressConnectionsBurst = 2000
    /// Time from connecting to a complete HTTP request, TLS included.
    public var handshakeTimeout: Duration = .seconds(5)
    public var headerBytes = 16 * 1024
    public var headerFieldBytes = 8 * 1024
    public var headerFields = 64
    /// How long the client may take to answer the closing handshake.
    public var closeTimeout: Duration = .seconds(5)
    /// How long a stopping gateway waits for requests in flight.
    public var drainTimeout: Duration = .seconds(2)
    /// How often a loop checks its sessions for timeouts, which are late by at most this.
    public var tick: Duration = .seconds(1)
    /// How often the gateway checks the certificate files for changes.
    public var certificateCheckInterval: Duration = .seconds(10)

    // Sessions.
    public var helloTimeout: Duration = .seconds(5)
    /// A link that is silent for this long is closed; clients ping every 20 s.
    public var silenceTimeout: Duration = .seconds(60)
    /// Sessions of one address that are not signed in; of IPv6, of one /64. Together they have nine tenths of all
    /// places.
    public var anonymousPerAddress = 64
    /// How long a session may be open without signing in.
    public var anonymousTimeout: Duration = .seconds(60)
    /// Sessions of one account on this gateway, and of one of its devices. Beyond it, the oldest ends.
    public var sessionsPerAccount = 50
    public var sessionsPerDevice = 10
    /// Connections that are not sessions, such as those of downloads. Zero: a twentieth of all places, 256 at least.
    public var newcomers = 0
    /// The same of one address; of IPv6, of one /64. It gets a quarter of the free ones at most.
    public var newcomersPerAddress = 200
    public var frameBytes = 128 * 1024
    /// Sent to clients in the welcome; services enforce it.
    public var pageSize = 200
    public var requestsInFlight = 64
    public var requestsPerSecond = 20
    /// At least as many as may be unanswered: welcome promises them to a session that has just begun.
    public var requestsBurst = 64
    /// WebSocket frames of any kind: requests and their fragments, pings, pongs. At least as many as requests.
    public var framesPerSecond = 200
    public var framesBurst = 1000
    /// The same for all sessions of an account together, and for all of an address that are not signed in. They are at
    /// least those of one session.
    public var accountRequestsPerSecond = 100
    public var accountRequestsBurst = 320
    public var accountFramesPerSecond = 1000
    public var accountFramesBurst = 5000
    /// How many frames a request counts that is refused because there are too many.
    public var framesOfRefused = 10
    /// The longest time for which the connection of a session that sent too many frames is not read.
    public var pauseMax: Duration = .seconds(10)
    /// The most bytes that are read from a connection in one turn of its event loop, except of a body.
    public var readBytes = 4096
    public var deadline: Duration = .seconds(10)
    public var deadlineMax: Duration = .seconds(60)
    /// The most bytes that may wait to be written to one session.
    public var queueBytes = 512 * 1024

    /// The kernel's buffer for what it sends to a session, to another connection, and of a download from a service. The
    /// kernel counts twice as much.
    public var sessionBufferBytes = 64 * 1024
    public var responseBufferBytes = 16 * 1024
    public var downloadBufferBytes = 256 * 1024
    /// The kernel's buffer for what a client sends that has not signed in, and while a service wants the body of its
    /// request. Whoever has signed in has one of ``sessionBufferBytes``.
    public var requestBufferBytes = 16 * 1024
    public var uploadBufferBytes = 256 * 1024
    /// How long a client may take nothing of what is sent to it.
    public var takeTimeout: Duration = .seconds(30)

    // HTTP.
    /// Concurrent HTTP exchanges with services; each takes up to two pieces of 256 KiB.
    public var exchanges = 256
    /// Exchanges of one account: so many with a body, such as uploads, and as many without.
    public var exchangesPerAccount = 16
    /// While places are short, an exchange ends that is slower than this on average, once it is this old.
    public var exchangeBytesPerSecond = 4096
    public var exchangeGrace: Duration = .seconds(10)
    /// An exchange that has not moved for this long is closed.
    public var exchangeSilence: Duration = .seconds(30)
    /// Time from a response to the next complete request of the same connection.
    public var keepAliveTimeout: Duration = .seconds(15)
    /// The most requests that one connection may send.
    public var requestsPerConnection = 1000

    // Between processes.
    /// The period over which all sessions are sent back to sync when missed Updates cannot be fetched.
    public var startOverSpread: Duration = .seconds(10)
    /// The same when only some sessions are affected.
    public var resyncSpread: Duration = .seconds(1)
    /// How long an access token can be valid; older revocations are forgotten.
    public var tokenLifetime: Duration = .seconds(15 * 60)
    public var keyRefresh: Duration = .seconds(60)
    /// The least time between two requests for keys because of tokens whose key is not known.
    public var keyPause: Duration = .seconds(1)
    public var reportDelay: Duration = .milliseconds(100)
    public var reportLease: Duration = .seconds(10)
    public var healthDeadline: Duration = .seconds(1)

    public init() {}

    var anonymousSeconds: Int {
        get { Int(anonymousTimeout.components.seconds) }
        set { anonymousTimeout = .seconds(newValue) }
    }
}
