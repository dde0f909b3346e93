import Wire

/// What a gateway is told at its start.
public struct GatewayConfiguration: Sendable {
    /// A service whose methods clients may call: those that begin with `name` and a dot.
    public struct Service: Sendable {
        public var name: String
        /// ZeroMQ endpoints of its replicas' request links.
        public var requests: [String]
        /// ZeroMQ endpoints of its replicas' update links.
        public var updates: [String]
        /// Its Updates are numbered, and those that are missed are asked from its journal. Presence has none.
        public var journals: Bool
        /// Paths that begin so are its own: HTTP there is passed on to it. Empty: none.
        public var path: String

        public init(name: String, requests: [String], updates: [String], journals: Bool = true, path: String = "") {
            (self.name, self.requests, self.updates) = (name, requests, updates)
            (self.journals, self.path) = (journals, path)
        }
    }

    /// This gateway's name among all: its sessions are reported to presence under it.
    public var instance: String
    /// "127.0.0.1:8080", "[::]:8080"; port 0 takes a free one.
    public var listen: String
    /// With them clients speak TLS; nil: in the clear, as behind a proxy that speaks TLS.
    public var certificate: CertificateFiles?
    public var services: [Service]
    public var limits: GatewayLimits
    /// Where clients connect from, behind proxies too.
    public var clientAddress: ClientAddress
    /// Threads that serve connections.
    public var eventLoops: Int
    /// Of the links to the services.
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

/// Every bound of the gateway, each named here once.
public struct GatewayLimits: Sendable {
    // Connections.
    public var connections = 20_000
    /// From connecting to a complete HTTP request, TLS included.
    public var handshakeTimeout: Duration = .seconds(5)
    public var headerBytes = 16 * 1024
    public var headerFieldBytes = 8 * 1024
    public var headerFields = 64
    /// How long a closing link may take to take leave.
    public var closeTimeout: Duration = .seconds(5)
    /// How long requests in flight may keep a draining gateway.
    public var drainTimeout: Duration = .seconds(2)
    /// How often a loop looks at its sessions for what has run out; timeouts are late by at most this.
    public var tick: Duration = .seconds(1)
    /// How often it is looked at whether the files of the certificate are others.
    public var certificateLook: Duration = .seconds(10)

    // Sessions.
    public var helloTimeout: Duration = .seconds(5)
    /// A link silent for so long is closed; clients ping every 20 s.
    public var silenceTimeout: Duration = .seconds(60)
    public var frameBytes = 128 * 1024
    /// Told to clients; messaging enforces it.
    public var textBytes = 16 * 1024
    /// Told to clients; services enforce it.
    public var pageSize = 200
    public var requestsInFlight = 64
    public var requestsPerSecond = 20
    public var requestsBurst = 60
    public var deadline: Duration = .seconds(10)
    public var deadlineMax: Duration = .seconds(60)
    /// What may wait to be written to one session.
    public var queueBytes = 512 * 1024

    // Files.
    /// HTTP exchanges with services at once; each takes up to two pieces of 256 KiB.
    public var exchanges = 256
    /// An exchange that has not moved for so long is ended.
    public var fileSilence: Duration = .seconds(30)

    // Between processes.
    /// Over how long all sessions are sent back to sync, when what they missed cannot be had.
    public var startOverSpread: Duration = .seconds(10)
    /// The same for some sessions.
    public var resyncSpread: Duration = .seconds(1)
    /// How long an access token can be valid: a revocation older than that needs no remembering.
    public var tokenLifetime: Duration = .seconds(15 * 60)
    public var keyRefresh: Duration = .seconds(60)
    public var reportDelay: Duration = .milliseconds(100)
    public var reportLease: Duration = .seconds(10)
    public var healthDeadline: Duration = .seconds(1)

    public init() {}
}
