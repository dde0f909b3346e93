import Cluster
import Command
import Foundation
import Logging

/// A temporary cluster for a bench, in its own folder.
struct BenchCluster: Sendable {
    let cluster: Cluster
    let folder: String
    let endpoints: ClusterEndpoints

    /// Starts a cluster, calls `body` with it, then stops and removes it, even if `body` throws or Ctrl-C is pressed.
    static func with<Result: Sendable>(
        _ options: BenchOptions, connections: Int = 0, _ body: @Sendable @escaping (BenchCluster) async throws -> Result
    ) async throws -> Result {
        try await with(options, settings: lifted(connections: connections), body)
    }

    /// Starts a cluster with these settings, which are environment variables by process, and those of PostgreSQL.
    static func with<Result: Sendable>(
        _ options: BenchOptions, settings: [String: [String: String]], postgres: [String: String] = [:],
        _ body: @Sendable @escaping (BenchCluster) async throws -> Result
    ) async throws -> Result {
        let folder = URL(filePath: options.folder ?? NSTemporaryDirectory()).appending(path: "parley-bench-\(getpid())")
            .path
        var configuration = ClusterConfiguration()
        (configuration.folder, configuration.listen, configuration.binaries) = (folder, "127.0.0.1:0", options.binaries)
        (configuration.settings, configuration.postgresSettings) = (settings, postgres)
        let cluster = Cluster(configuration, log: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        options.progress("starting a cluster in \(folder)")
        let signals = Signals()
        let work = Task {
            try await body(BenchCluster(cluster: cluster, folder: folder, endpoints: try await cluster.start()))
        }
        let watch = Task {
            guard await signals.first() else { return }
            await cluster.stop()
            work.cancel()
        }
        let result = await work.result
        watch.cancel()
        options.progress("stopping the cluster")
        await cluster.stop()
        try? FileManager.default.removeItem(atPath: folder)
        if signals.wereReceived { throw CancellationError() }
        return try result.get()
    }

    /// Settings without limits of requests.
    static func lifted(connections: Int) -> [String: [String: String]] {
        [
            "gateway": [
                "PARLEY_LIMITS_REQUESTS_PER_SECOND": "1000000", "PARLEY_LIMITS_REQUESTS_BURST": "1000000",
                "PARLEY_LIMITS_REQUESTS_IN_FLIGHT": "10000", "PARLEY_LIMITS_CONNECTIONS": "\(connections + 1000)",
                "PARLEY_LIMITS_ANONYMOUS_PER_ADDRESS": "1000000", "PARLEY_LIMITS_ANONYMOUS_SECONDS": "86400",
                "PARLEY_LIMITS_ADDRESS_CONNECTIONS_BURST": "1000000",
                "PARLEY_LIMITS_NEWCOMERS": "1000000", "PARLEY_LIMITS_NEWCOMERS_PER_ADDRESS": "1000000",
                "PARLEY_LIMITS_EXCHANGES_PER_ACCOUNT": "1000",
                "PARLEY_LIMITS_SESSIONS_PER_ACCOUNT": "1000000", "PARLEY_LIMITS_SESSIONS_PER_DEVICE": "1000000",
            ],
            "conversations": [
                "PARLEY_LIMITS_REQUESTS_PER_MINUTE": "1000000",
                "PARLEY_LIMITS_GROUP_CHANGES_PER_MINUTE": "1000000",
                "PARLEY_LIMITS_PROFILE_CHANGES_PER_MINUTE": "1000000",
                "PARLEY_LIMITS_REGISTRATIONS_PER_MINUTE": "1000000", "PARLEY_LIMITS_SIGN_INS_PER_MINUTE": "1000000",
            ],
            "messaging": [
                "PARLEY_LIMITS_MESSAGES_PER_DAY": "1000000000",
                "PARLEY_LIMITS_DELIVERED_BYTES_PER_SECOND": "1000000000",
            ],
            "entities": [
                "PARLEY_LIMITS_ENTITY_CHANGES_PER_MINUTE": "1000000", "PARLEY_LIMITS_OPEN_REMINDERS": "1000000",
                "PARLEY_LIMITS_DECISIONS": "1000000",
            ],
        ]
    }

    /// Parley's own processes, by name.
    func services() async -> [String: pid_t] {
        Dictionary(
            await cluster.statuses.filter { $0.name != "postgres" }.compactMap { status in
                status.pid.map { (status.name, $0) }
            }
        ) { $1 }
    }

    func postgres() async -> pid_t? { await cluster.statuses.first { $0.name == "postgres" }?.pid }
}
