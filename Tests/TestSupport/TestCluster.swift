import Cluster
import Foundation
import Glibc
import Logging
import Reactor

/// A whole Parley for tests: the five real programs of this build and a PostgreSQL, in a folder of its own.
/// It ends with the test process, however that ends.
@ReactorActor
public final class TestCluster {
    /// What a cluster for tests may differ in.
    public struct Options: Sendable {
        public var gateways = 2
        /// As ``ClusterConfiguration/replicas``: `["messaging": 2]`.
        public var replicas: [String: Int] = [:]
        /// As ``ClusterConfiguration/settings``, over the high limits of tests.
        public var settings: [String: [String: String]] = [:]
        public var postgres: [String: String] = [:]
        /// Whether its clients repeat what may be repeated, as apps do; not where a test is about what they are told.
        public var repeats = true
        /// As ``ClusterConfiguration/Database/url(_:)``; a private one when not given.
        public var database: String?
        /// Called with the cluster's folder before there is anything in it.
        public var prepare: (@Sendable (String) throws -> Void)?

        public init(
            gateways: Int = 2, replicas: [String: Int] = [:], settings: [String: [String: String]] = [:],
            postgres: [String: String] = [:], repeats: Bool = true
        ) {
            (self.gateways, self.replicas) = (gateways, replicas)
            (self.settings, self.postgres, self.repeats) = (settings, postgres, repeats)
        }
    }

    /// The one that the tests of this process share, with two gateways: don't disturb it. Started with the first use.
    public static var shared: TestCluster {
        get async throws { try await first.value }
    }

    private nonisolated static let first = Task {
        if let elsewhere { return await TestCluster(at: elsewhere) }
        return try await TestCluster()
    }

    /// Whether tests use a cluster that others started, with replicas of each service.
    public nonisolated static var isElsewhere: Bool { elsewhere != nil }

    /// The cluster that runs somewhere already and that tests are to use (`Tests/Cluster/run`): `PARLEY_TEST_GATEWAYS`
    /// are its gateways' sockets, with commas, `PARLEY_TEST_DATABASE` is its database's URL as superuser;
    /// `PARLEY_TEST_ASKING` says that people have to ask there.
    nonisolated static var elsewhere: ClusterEndpoints? {
        let environment = ProcessInfo.processInfo.environment
        guard let gateways = environment["PARLEY_TEST_GATEWAYS"], let database = environment["PARLEY_TEST_DATABASE"]
        else { return nil }
        let sockets = gateways.split(separator: ",").map(String.init)
        return ClusterEndpoints(
            sockets: sockets, http: sockets.map { "http://\($0.dropFirst(5).prefix { $0 != "/" })" }, database: database
        )
    }

    /// For faults. Only of a cluster that was started here.
    public nonisolated var cluster: Cluster {
        guard let own else { fatalError("this test starts and ends processes: it needs a cluster that tests started") }
        return own
    }

    public nonisolated let endpoints: ClusterEndpoints
    nonisolated let repeats: Bool
    private nonisolated let own: Cluster?
    private nonisolated let folder: TestFolder?

    /// Starts a cluster.
    public init(_ options: Options = Options()) async throws {
        let folder = try TestFolder()
        var configuration = ClusterConfiguration()
        configuration.folder = "\(folder.path)/c"
        try options.prepare?(configuration.folder)
        configuration.binaries = try Self.binaries()
        configuration.listen = "127.0.0.1:0"
        configuration.gateways = options.gateways
        configuration.replicas = options.replicas
        configuration.postgresSettings = options.postgres
        if let database = options.database { configuration.database = .url(database) }
        configuration.settings = Self.highLimits
        for (process, settings) in options.settings {
            configuration.settings[process, default: [:]].merge(settings) { $1 }
        }
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let cluster = Cluster(configuration, log: quiet)
        AtExit.add {
            await cluster.stop()
            folder.remove()
        }
        endpoints = try await cluster.start()
        (own, self.folder, repeats) = (cluster, folder, options.repeats)
        if options.database == nil { try RuntimeFolders.note(of: endpoints.database, in: folder) }
    }

    /// Uses a cluster that runs already.
    init(at endpoints: ClusterEndpoints) {
        (self.endpoints, own, folder, repeats) = (endpoints, nil, nil, true)
    }

    /// Stops everything and removes the folder; done by itself when the test process ends.
    public func end() async {
        await own?.stop()
        folder?.remove()
    }

    /// `ws://…` of a gateway, counted from 0.
    public nonisolated func url(_ gateway: Int = 0) -> String { endpoints.sockets[gateway] }

    /// Process ids by name, of all that run.
    public var pids: [String: Int32] {
        Dictionary(
            uniqueKeysWithValues: (own?.statuses ?? []).compactMap { status in status.pid.map { (status.name, $0) } })
    }

    /// The last lines of a process's log, for the message of a failed test.
    public nonisolated func log(of process: String) -> String {
        log(of: process, last: 20).joined(separator: "\n")
    }

    public nonisolated func log(of process: String, last count: Int) -> [String] {
        let text = (try? String(contentsOfFile: "\(own?.logFolder ?? "")/\(process).log", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(count).map(String.init)
    }

    private static let highLimits: [String: [String: String]] = [
        "gateway": [
            "PARLEY_LIMITS_REQUESTS_PER_SECOND": "1000000", "PARLEY_LIMITS_REQUESTS_BURST": "1000000",
            "PARLEY_LIMITS_REQUESTS_IN_FLIGHT": "10000",
        ],
        "messaging": ["PARLEY_LIMITS_ATTACHMENTS_PER_MINUTE": "1000000", "PARLEY_FILES_FREE_BYTES": "0"],
        "conversations": [
            "PARLEY_LIMITS_REQUESTS_PER_MINUTE": "1000000",
            "PARLEY_LIMITS_GROUP_CHANGES_PER_MINUTE": "1000000",
            "PARLEY_LIMITS_PROFILE_CHANGES_PER_MINUTE": "1000000",
            "PARLEY_LIMITS_SIGN_INS_PER_MINUTE": "1000000", "PARLEY_LIMITS_REGISTRATIONS_PER_MINUTE": "1000000",
            // Tests of other things talk at once; those of requests ask for "yes".
            "PARLEY_REQUESTS_REQUIRED": "no",
        ],
    ]

    /// The folder of the programs: where this test's own was built, or what `PARLEY_BINARIES` names.
    public nonisolated static func binaries() throws -> String {
        if let named = ProcessInfo.processInfo.environment["PARLEY_BINARIES"] { return named }
        let started = [Bundle.main.executablePath ?? "", CommandLine.arguments[0], Bundle.main.bundlePath]
        for path in started where path.hasPrefix("/") {
            var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            while folder.path != "/" {
                if access("\(folder.path)/parley-gateway", X_OK) == 0 { return folder.path }
                folder.deleteLastPathComponent()
            }
        }
        throw NeverHappened(description: "parley-gateway was not built beside the tests: swift build --build-tests")
    }
}

/// Where a cluster or server keeps its sockets, which is not in its folder.
enum RuntimeFolders {
    static func note(of database: String, in folder: TestFolder) throws {
        guard
            let host = database.split(separator: "?").last?.split(separator: "&").first(where: { $0.hasPrefix("host=") }
            )
        else { return }
        try folder.takesAlong(URL(fileURLWithPath: String(host.dropFirst(5))).deletingLastPathComponent().path)
    }
}
