import Cluster
import Foundation
import Glibc
import Logging
import Reactor

/// A whole Parley for tests: the five real programs of this build and a PostgreSQL server, in its own folder.
/// It ends with the test process, however that ends.
@ReactorActor
public final class TestCluster {
    /// Settings of a cluster for tests.
    public struct Options: Sendable {
        public var gateways = 2
        /// Like ``ClusterConfiguration/replicas``: `["messaging": 2]`.
        public var replicas: [String: Int] = [:]
        /// Like ``ClusterConfiguration/settings``. They override the high limits of tests.
        public var settings: [String: [String: String]] = [:]
        public var postgres: [String: String] = [:]
        /// Whether its clients repeat requests, as apps do. Tests of errors turn it off.
        public var repeats = true
        /// Like ``ClusterConfiguration/Database/url(_:)``; nil: a private database.
        public var database: String?
        /// The folder of the programs; nil: those of this build.
        public var binaries: String?
        /// Called with the path of the cluster's folder before anything is in it.
        public var prepare: (@Sendable (String) throws -> Void)?
        fileprivate var mayStartFromTemplate = true

        public init(
            gateways: Int = 2, replicas: [String: Int] = [:], settings: [String: [String: String]] = [:],
            postgres: [String: String] = [:], repeats: Bool = true
        ) {
            (self.gateways, self.replicas) = (gateways, replicas)
            (self.settings, self.postgres, self.repeats) = (settings, postgres, repeats)
        }
    }

    /// The cluster that the tests of this process share, with two gateways; do not disturb it. It starts with the first
    /// use.
    public static var shared: TestCluster {
        get async throws { try await first.value }
    }

    private nonisolated static let first = Task {
        if let elsewhere { return await TestCluster(at: elsewhere) }
        return try await TestCluster(Options().withoutTemplate)
    }

    /// Whether tests use a cluster that was started elsewhere, with replicas of each service.
    public nonisolated static var isElsewhere: Bool { elsewhere != nil }

    /// A running cluster that tests use (`Tests/Cluster/run`). `PARLEY_TEST_GATEWAYS` lists the URLs of its gateways'
    /// sockets, separated by commas. `PARLEY_TEST_DATABASE` is the URL of its database for a superuser.
    /// `PARLEY_TEST_ASKING` is set when it requires message requests.
    nonisolated static var elsewhere: ClusterEndpoints? {
        let environment = ProcessInfo.processInfo.environment
        guard let gateways = environment["PARLEY_TEST_GATEWAYS"], let database = environment["PARLEY_TEST_DATABASE"]
        else { return nil }
        let sockets = gateways.split(separator: ",").map(String.init)
        return ClusterEndpoints(
            sockets: sockets, http: sockets.map { "http://\($0.dropFirst(5).prefix { $0 != "/" })" }, database: database
        )
    }

    /// The processes, for tests with faults. Only a cluster that was started here has them.
    public nonisolated var cluster: Cluster {
        guard let own else { fatalError("This test starts and ends processes. Let the tests start the cluster.") }
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
        if options.startsFromTemplate { try await Self.copyTemplate(to: configuration.folder) }
        try options.prepare?(configuration.folder)
        configuration.binaries = try options.binaries ?? Self.binaries()
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
            Self.printCrashes(cluster)
            folder.remove()
        }
        endpoints = try await Self.start(cluster)
        (own, self.folder, repeats) = (cluster, folder, options.repeats)
        if options.database == nil { try RuntimeFolders.note(of: endpoints.database, in: folder) }
    }

    // MARK: The template

    /// A cluster that was started and stopped. A copy of its database starts in a third of the processor time of a new
    /// one.
    private nonisolated static let template = Task { @ReactorActor in
        let folder = try TestFolder()
        AtExit.add { folder.remove() }
        var configuration = ClusterConfiguration()
        configuration.folder = "\(folder.path)/c"
        configuration.binaries = try binaries()
        configuration.listen = "127.0.0.1:0"
        let cluster = Cluster(configuration, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let endpoints = try await start(cluster)
        try RuntimeFolders.note(of: endpoints.database, in: folder)
        try await limited(within: .seconds(120), "the end of the template") { await cluster.stop() }
        return folder
    }

    /// Starts a cluster. A start that goes on may take long, but not as long as its tier of tests.
    private static func start(_ cluster: Cluster) async throws -> ClusterEndpoints {
        do {
            return try await limited(within: .seconds(300), "the start of a cluster") { try await cluster.start() }
        } catch let error as NeverHappened {
            let statuses = try await limited("the statuses of a cluster") { await cluster.statuses }
            throw NeverHappened(description: "\(error): \(statuses)")
        }
    }

    private static func copyTemplate(to folder: String) async throws {
        let template = try await template.value.path + "/c"
        guard mkdir(folder, 0o711) == 0 else { throw CocoaError(.fileWriteUnknown) }
        for name in ["postgres", "secrets"] { try await copyFolder("\(template)/\(name)", to: "\(folder)/\(name)") }
    }

    /// Uses a running cluster.
    init(at endpoints: ClusterEndpoints) {
        (self.endpoints, own, folder, repeats) = (endpoints, nil, nil, true)
    }

    /// Stops everything and removes the folder. This happens automatically when the test process ends.
    public func end() async {
        await own?.stop()
        if let own { Self.printCrashes(own) }
        folder?.remove()
    }

    /// Prints the traces of processes that crashed, before they are removed with the folder. The cluster starts such a
    /// process again, so a failed test shows only that its clients lost their connections.
    private nonisolated static func printCrashes(_ cluster: Cluster) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: cluster.logFolder)) ?? [] {
            let log = (try? String(contentsOfFile: "\(cluster.logFolder)/\(name)", encoding: .utf8)) ?? ""
            guard let crash = log.range(of: "Program crashed") else { continue }
            let trace = log[crash.lowerBound...].prefix(100_000)
            FileHandle.standardError.write(Data("\(name): \(trace)\n".utf8))
        }
    }

    /// Returns the `ws://…` URL of a gateway, counted from 0.
    public nonisolated func url(_ gateway: Int = 0) -> String { endpoints.sockets[gateway] }

    /// The process ids of all running processes by name.
    public var pids: [String: Int32] {
        Dictionary(
            uniqueKeysWithValues: (own?.statuses ?? []).compactMap { status in status.pid.map { (status.name, $0) } })
    }

    /// Returns the last 20 lines of a process's log, for the message of a failed test.
    public nonisolated func log(of process: String) -> String {
        log(of: process, last: 20).joined(separator: "\n")
    }

    public nonisolated func log(of process: String, last count: Int) -> [String] {
        let text = (try? String(contentsOfFile: "\(own?.logFolder ?? "")/\(process).log", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(count).map(String.init)
    }

    private static let highLimits = ClusterConfiguration.liftedLimits.merging([
        "entities": ["PARLEY_LIMITS_READING_MS_PER_MINUTE": "60000"],
        "messaging": ["PARLEY_LIMITS_ATTACHMENTS_PER_MINUTE": "1000000"],
        "conversations": [
            "PARLEY_LIMITS_SIGN_INS_PER_PERSON": "1000000", "PARLEY_LIMITS_SIGN_INS_PER_ADDRESS": "1000000",
            "PARLEY_PEOPLE_FIND_BY_EMAIL": "yes",
            // Most tests write to people without a request; tests of message requests set "yes".
            "PARLEY_REQUESTS_REQUIRED": "no",
        ],
    ]) { $0.merging($1) { $1 } }

    /// Returns the folder of the programs: the one where these tests were built, or `PARLEY_BINARIES`.
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
        throw NeverHappened(description: "parley-gateway was not built beside the tests: run swift build --build-tests")
    }
}

extension TestCluster.Options {
    /// Whether the cluster begins with the database of another that the same programs prepared, with its keys and
    /// epochs.
    fileprivate var startsFromTemplate: Bool {
        mayStartFromTemplate && database == nil && binaries == nil && prepare == nil
    }

    /// For a cluster that is to have its own keys, so that tokens of others are invalid, or that is the only one.
    var withoutTemplate: Self {
        var options = self
        options.mayStartFromTemplate = false
        return options
    }
}

/// The folders where clusters and servers keep their sockets, outside their own folder.
enum RuntimeFolders {
    /// Notes the socket folder of a database for removal together with `folder`.
    static func note(of database: String, in folder: TestFolder) throws {
        guard
            let host = database.split(separator: "?").last?.split(separator: "&").first(where: { $0.hasPrefix("host=") }
            )
        else { return }
        try folder.alsoRemove(URL(fileURLWithPath: String(host.dropFirst(5))).deletingLastPathComponent().path)
    }
}
