import Cluster
import Foundation
import Reactor

/// Looks at the cluster's processes each second: what they take, and whether they live.
actor ProcessWatch {
    private let cluster: Cluster
    private var residentKiBMax: [String: Int] = [:]
    private var task: Task<Void, Never>?

    init(_ cluster: Cluster) { self.cluster = cluster }

    func start() {
        task = Task { [weak self] in
            while !Task.isCancelled {
                await self?.look()
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    func stop() { task?.cancel() }

    private func look() async {
        for status in await cluster.statuses {
            guard let pid = status.pid, let size = Machine.residentKiB(of: pid) else { continue }
            residentKiBMax[status.name] = max(residentKiBMax[status.name] ?? 0, size)
        }
    }

    /// What is plenty for a service, a gateway, and PostgreSQL's first process, in this size of run.
    private static func allowedKiB(_ name: String) -> Int { (name.hasPrefix("gateway") ? 512 : 384) * 1024 }

    /// - Parameter ownDeaths: a full disk may also end PostgreSQL, which is its right.
    func facts(kills: [String: Int], databaseMayDie: Bool) async -> [ProcessFact] {
        await cluster.statuses.map { status in
            let mayDie = status.name == "postgres" && databaseMayDie
            return ProcessFact(
                name: status.name, kills: mayDie ? Int.max : kills[status.name] ?? 0, restarts: status.restarts,
                residentKiBMax: residentKiBMax[status.name] ?? 0, residentKiBAllowed: Self.allowedKiB(status.name),
                alarms: alarms(of: status.name))
        }
    }

    private static let words = [
        "Fatal error", "SIGSEGV", "Segmentation fault", "Assertion failed", "Precondition failed", "*** Signal",
        "\"critical\"", " critical ", "level=critical", "invalid page", "could not read block",
    ]

    private nonisolated func alarms(of name: String) -> [String] {
        [".log", ".log.1"].flatMap { ending -> [String] in
            guard let data = FileManager.default.contents(atPath: "\(cluster.logFolder)/\(name)\(ending)") else {
                return []
            }
            return String(decoding: data, as: UTF8.self).split(separator: "\n")
                .filter { line in Self.words.contains { line.contains($0) } }.map { String($0.prefix(300)) }
        }
    }
}
