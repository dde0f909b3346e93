/// The address of a database, with the settings and limits of its sessions.
public struct DatabaseConfiguration: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// A libpq connection URL or key/value string. It is secret, because it may contain a password.
    public var url: String
    /// The name of the sessions in `pg_stat_activity`.
    public var applicationName: String
    /// Number of connections in the pool.
    public var connections: Int
    /// Time after which the server cancels a statement (SQLSTATE 57014); zero for no limit.
    public var statementTimeout: Duration
    /// Time after which a wait for a lock fails (SQLSTATE 55P03); zero for no limit.
    public var lockTimeout: Duration
    /// Time after which an idle transaction loses its connection; zero for no limit.
    public var idleInTransactionTimeout: Duration
    /// Further session settings by PostgreSQL's names.
    public var settings: [String: String]

    /// Time limit for one attempt to connect to one address.
    public var connectTimeout: Duration = .seconds(5)
    /// Extra time for the server to answer after the statement timeout, before it counts as lost.
    public var silenceMargin: Duration = .seconds(1)
    /// Maximum number of requests that wait for a connection of the pool. Further ones fail with
    /// ``DatabaseError/busy``, or with ``DatabaseError/unavailable(_:)`` when there is no connection.
    public var waitingMax = 1_000
    /// Time after which a waiting request fails with ``DatabaseError/unavailable(_:)`` if there is no connection.
    public var waitTimeout: Duration = .seconds(2)
    /// Maximum number of outstanding requests on one connection of the pool; further ones wait.
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

    /// Omits the URL, so that it does not end up in a log.
    public var description: String { "database of \(applicationName), \(connections) connections" }
    public var debugDescription: String { description }
}

extension Duration {
    var milliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
