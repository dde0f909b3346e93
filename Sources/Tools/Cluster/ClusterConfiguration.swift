/// What a cluster is made of.
public struct ClusterConfiguration: Sendable {
    /// Where the data are.
    public enum Database: Sendable, Equatable {
        /// A private PostgreSQL in the cluster's folder.
        case `private`
        /// An existing one, reached as a superuser (or a role that may create roles and schemas) by this URL.
        case url(String)
    }

    /// How the links between the processes are secured.
    public enum LinkSecurity: Sendable {
        /// By keys, which are made in the cluster's folder at its first start.
        case curve
        /// Not at all, beyond the sockets' folder: to measure what keys cost.
        case plain
    }

    /// Holds the database, logs and secrets; made when missing.
    public var folder = ".parley"
    /// The folder of `parley-gateway` and the others; beside the running executable when not given.
    public var binaries: String?
    /// Where the first gateway listens. Port 0 takes a free one and keeps it across restarts of the gateway.
    public var listen = "127.0.0.1:8080"
    /// How many gateways; the second and later take free ports on the same host.
    public var gateways = 1
    /// How many processes of each service, 1 unless named: `["messaging": 2]`.
    public var replicas: [String: Int] = [:]
    /// More environment for a process (`"messaging-2"`), all of a service (`"messaging"`, `"gateway"`) or all (`"*"`);
    /// the nearer one wins.
    public var settings: [String: [String: String]] = [:]
    public var linkSecurity = LinkSecurity.curve
    public var database = Database.private
    /// Settings of the private PostgreSQL, such as `["log_min_duration_statement": "100"]`.
    public var postgresSettings: [String: String] = [:]
    /// Where a gateway is told that a link of a replica is, given where it really is; for faults on the way.
    public var via: (@Sendable (_ gateway: String, _ replica: String, _ kind: String, _ endpoint: String) -> String)?
    /// How long a start may take in all.
    public var startLimit: Duration = .seconds(120)

    public init() {}

    /// The services, in the order in which their schemas build on one another.
    public static let services = ["conversations", "messaging", "presence", "entities"]

    func environment(of process: String, service: String) -> [String: String] {
        [settings["*"], settings[service], settings[process]].compactMap(\.self)
            .reduce(into: [:]) { $0.merge($1) { $1 } }
    }

    /// - Throws: ``ClusterError/Code/invalid`` naming what is wrong.
    func check() throws(ClusterError) {
        guard gateways >= 1, gateways <= 32 else { throw ClusterError(.invalid, "gateways: 1 to 32, not \(gateways)") }
        for (service, count) in replicas {
            guard Self.services.contains(service) else {
                throw ClusterError(
                    .invalid,
                    "replicas: no service is called \(service); there are \(Self.services.joined(separator: ", "))")
            }
            guard count >= 1, count <= 32 else {
                throw ClusterError(.invalid, "replicas of \(service): 1 to 32, not \(count)")
            }
        }
        _ = try ListenAddress(listen)
    }
}

/// Where a running cluster is reached.
public struct ClusterEndpoints: Sendable, Equatable {
    /// `ws://HOST:PORT/v1/socket` of each gateway.
    public var sockets: [String]
    /// `http://HOST:PORT` of each gateway.
    public var http: [String]
    /// The database as its superuser. Contains a password.
    public var database: String

    public init(sockets: [String], http: [String], database: String) {
        (self.sockets, self.http, self.database) = (sockets, http, database)
    }
}
