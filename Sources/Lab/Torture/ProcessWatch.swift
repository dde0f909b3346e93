import Cluster
import Foundation
import Reactor

/// Samples the memory of the cluster's processes every second.
package actor ProcessWatch {
    private let cluster: Cluster
    private var residentKiBMax: [String: Int] = [:]
    private var task: Task<Void, Never>?

    package init(_ cluster: Cluster) { self.cluster = cluster }

    package func start() {
        task = Task { [weak self] in
            while !Task.isCancelled {
                await self?.sample()
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    package func stop() { task?.cancel() }

    private func sample() async {
        for status in await cluster.statuses {
            guard let pid = status.pid, let size = Machine.residentKiB(of: pid) else { continue }
            residentKiBMax[status.name] = max(residentKiBMax[status.name] ?? 0, size)
        }
    }

    /// A generous limit for a service, a gateway or PostgreSQL's first process in a run of this size.
    private static func allowedKiB(_ name: String) -> Int { (name.hasPrefix("gateway") ? 512 : 384) * 1024 }

    /// - Parameter databaseMayDie: whether PostgreSQL may also die without a kill, as it may when its disk is full.
    package func facts(kills: [String: Int], databaseMayDie: Bool) async -> [ProcessFact] {
        await cluster.statuses.map { status in
            let mayDie = status.name == "postgres" && databaseMayDie
            return ProcessFact(
                name: status.name, kills: mayDie ? Int.max : kills[status.name] ?? 0, restarts: status.restarts,
                residentKiBMax: residentKiBMax[status.name] ?? 0, residentKiBAllowed: Self.allowedKiB(status.name),
                alarms: alarms(of: status.name))
        }
    }

    private static let alarmMarkers = [
        "Fatal error", "SIGSEGV", "Segmentation fault", "Assertion failed", "Precondition failed", "*** Signal",
        "\"critical\"", " critical ", "level=critical", "invalid page", "could not read block",
    ]

    private nonisolated func alarms(of name: String) -> [String] {
        [".log", ".log.1"].flatMap { ending -> [String] in
            guard let data = FileManager.default.contents(atPath: "\(cluster.logFolder)/\(name)\(ending)") else {
                return []
            }
            return String(decoding: data, as: UTF8.self).split(separator: "\n")
                .filter { line in Self.alarmMarkers.contains { line.contains($0) } }.map { String($0.prefix(300)) }
        }
    }
}
