/// How to reach a database and what a session there may take.
public struct DatabaseConfiguration: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// A connection URL or a key/value string, as libpq reads them. Secret: it may hold a password.
    public var url: String
    /// What the sessions are called in `pg_stat_activity`.
    public var applicationName: String
    /// How many connections the pool holds.
    public var connections: Int
    /// After this a statement is cancelled by the server (SQLSTATE 57014); zero: never.
    public var statementTimeout: Duration
    /// After this waiting for a lock ends (SQLSTATE 55P03); zero: never.
    public var lockTimeout: Duration
    /// After this a transaction in which nothing happens loses its connection; zero: never.
    public var idleInTransactionTimeout: Duration
    /// Further session settings by PostgreSQL's names.
    public var settings: [String: String]

    /// How long one attempt to connect to one address may take.
    public var connectTimeout: Duration = .seconds(5)
    /// A statement's answer may come so long after its time-out; then the server counts as lost.
    public var silenceMargin: Duration = .seconds(1)
    /// At most so many requests wait for a connection of the pool; more get ``DatabaseError/busy``, or
    /// ``DatabaseError/unavailable(_:)`` when there is none.
    public var waitingMax = 1_000
    /// A waiting request gets ``DatabaseError/unavailable(_:)`` when there is no connection for so long.
    public var waitTimeout: Duration = .seconds(2)
    /// At most so many requests are outstanding on one connection of the pool; more wait.
    public var pipelineDepthMax = 256

    public init(
        url: String, applicationName: String, connections: Int = 4, statementTimeout: Duration = .seconds(10),
        lockTimeout: Duration = .seconds(2), idleInTransactionTimeout: Duration = .seconds(10),
        settings: [String: String] = [:]
    ) {
        self.url = url
        self.applicationName = applicationName
        self.connections = connections
        self.statementTimeout = statementTimeout
        self.lockTimeout = lockTimeout
        self.idleInTransactionTimeout = idleInTransactionTimeout
        self.settings = settings
    }

    /// Without the URL, so that it does not land in a log.
    public var description: String { "database of \(applicationName), \(connections) connections" }
    public var debugDescription: String { description }
}

extension Duration {
    var milliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
