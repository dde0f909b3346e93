import Schema

/// The settings of a cluster.
public struct ClusterConfiguration: Sendable {
    /// The database that stores the data.
    public enum Database: Sendable, Equatable {
        /// A private PostgreSQL in the cluster's folder.
        case `private`
        /// An existing database, by a URL for a superuser or a role that may create roles and schemas.
        case url(String)
    }

    /// The protection of the links between the processes.
    public enum LinkSecurity: Sendable {
        /// Keys, created in the cluster's folder at its first start.
        case curve
        /// None beyond the permissions of the sockets' folder. For measuring the cost of keys.
        case plain
    }

    /// The folder for the database, logs and secrets; created when missing.
    public var folder = ".parley"
    /// The folder of `parley-gateway` and the other programs; if nil, the folder of the running executable.
    public var binaries: String?
    /// The address of the first gateway. Port 0 chooses a free port and keeps it across restarts of the gateway.
    public var listen = "127.0.0.1:8080"
    /// The number of gateways; all but the first choose free ports on the same host.
    public var gateways = 1
    /// The number of processes by service, such as `["messaging": 2]`; 1 for the others.
    public var replicas: [String: Int] = [:]
    /// Environment variables for a process (`"messaging-2"`), for all processes of a service (`"messaging"`,
    /// `"gateway"`) or for all (`"*"`). The most specific value wins.
    public var settings: [String: [String: String]] = [:]
    public var linkSecurity = LinkSecurity.curve
    public var database = Database.private
    /// Settings of the private PostgreSQL, such as `["log_min_duration_statement": "100"]`.
    public var postgresSettings: [String: String] = [:]
    /// Returns the endpoint that a gateway uses instead of a replica's real `endpoint`. Lets tests put a proxy between.
    public var via: (@Sendable (_ gateway: String, _ replica: String, _ kind: String, _ endpoint: String) -> String)?
    /// How long a start may show nothing new. Each of its steps, PostgreSQL and then the processes, takes at most ten
    /// times as long.
    public var startLimit: Duration = .seconds(120)

    public init() {}

    /// The services, ordered so that migrations need only schemas of earlier ones.
    public static let services = ServiceList.names

    func environment(of process: String, service: String) -> [String: String] {
        [settings["*"], settings[service], settings[process]].compactMap(\.self)
            .reduce(into: [:]) { $0.merge($1) { $1 } }
    }

    /// Checks the settings.
    /// - Throws: ``ClusterError/Code/invalid`` naming the wrong setting.
    func check() throws(ClusterError) {
        guard gateways >= 1, gateways <= 32 else {
            throw ClusterError(.invalid, "gateways must be 1 to 32, not \(gateways).")
        }
        for (service, count) in replicas {
            guard Self.services.contains(service) else {
                throw ClusterError(
                    .invalid,
                    "replicas: there is no service \(service). Use one of \(Self.services.joined(separator: ", ")).")
            }
            guard count >= 1, count <= 32 else {
                throw ClusterError(.invalid, "replicas of \(service) must be 1 to 32, not \(count).")
            }
        }
        _ = try ListenAddress(listen)
    }
}

/// The addresses of a running cluster.
public struct ClusterEndpoints: Sendable, Equatable {
    /// `ws://HOST:PORT/v1/socket` of each gateway.
    public var sockets: [String]
    /// `http://HOST:PORT` of each gateway.
    public var http: [String]
    /// The database URL of the superuser. Contains a password.
    public var database: String

    public init(sockets: [String], http: [String], database: String) {
        (self.sockets, self.http, self.database) = (sockets, http, database)
    }

    /// The URLs for clients, without the standard path: `ws://HOST:PORT` of each gateway.
    public var urls: [String] {
        sockets.map { $0.hasSuffix("/v1/socket") ? String($0.dropLast("/v1/socket".count)) : $0 }
    }

    /// The URL of the first gateway.
    public var url: String { urls.first ?? "" }
}
