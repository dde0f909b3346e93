import Glibc
import Logging
import Reactor

/// Keeps a set of processes alive, and stops them stage by stage, the highest first.
@ReactorActor
public final class Supervisor {
    private let logFolder: String
    private let socketFolder: String
    private let recordPath: String?
    private let log: Logger
    private var processes: [ManagedProcess] = []
    private var records: [String: (pid: Int32, startTime: String)] = [:]
    private let watchers = StatusWatchers()
    private var rotation: Reactor.Repetition?

    /// - Parameters:
    ///   - logFolder: the folder for `NAME.log` of each process.
    ///   - socketFolder: the folder for notify sockets; a short path.
    ///   - recordPath: a file that lists the running processes, for ``endOrphans(recordedAt:)``.
    public init(logFolder: String, socketFolder: String, recordPath: String? = nil, log: Logger) {
        self.logFolder = logFolder
        self.socketFolder = socketFolder
        self.recordPath = recordPath
        self.log = log
    }

    /// Adds a process without starting it.
    @discardableResult
    public func add(_ specification: ProcessSpecification) -> ManagedProcess {
        let process = ManagedProcess(
            specification, logFile: "\(logFolder)/\(specification.name).log",
            socketPath: "\(socketFolder)/\(specification.name).notify", log: log)
        process.onStatus { [weak self] status in self?.watchers.notify(of: status) }
        process.onStart = { [weak self, name = specification.name] child in self?.record(child, as: name) }
        processes.append(process)
        if rotation == nil {
            rotation = Reactor.shared.every(.seconds(5)) { [weak self] in
                for process in self?.processes ?? [] { process.rotateLog() }
            }
        }
        return process
    }

    public subscript(name: String) -> ManagedProcess? { processes.first { $0.name == name } }

    var all: [ManagedProcess] { processes }

    /// The statuses of all processes, in the order in which they were added.
    public var statuses: [ProcessStatus] { processes.map(\.status) }

    /// Streams the current status of every process, then every change until ``stop()``.
    public func changes() -> AsyncStream<ProcessStatus> { watchers.changes(after: statuses) }

    /// Starts all processes that do not run, in parallel, and waits until all are ready.
    /// - Parameter limit: how long a start may show nothing new; the whole takes at most ten times as long.
    public func start(within limit: Duration) async throws(ClusterError) {
        let end = ContinuousClock.now + limit * 10
        for process in processes { try process.start() }
        for process in processes { try await process.waitUntilReady(within: limit, atMost: end - .now) }
    }

    public func start(_ name: String) throws(ClusterError) { try known(name).start() }

    public func stop(_ name: String) async throws(ClusterError) { await (try known(name)).stop() }

    /// Sends the signal to the named process. The process is restarted if it dies.
    public func kill(_ name: String, _ signal: Int32 = SIGKILL) throws(ClusterError) {
        try known(name).send(signal: signal)
    }

    /// Stops all processes, the highest stage first. The processes of a stage stop in parallel.
    public func stop() async {
        rotation?.cancel()
        rotation = nil
        for stage in Set(processes.map(\.specification.stage)).sorted(by: >) {
            await withTaskGroup(of: Void.self) { group in
                for process in processes where process.specification.stage == stage {
                    group.addTask { await process.stop() }
                }
            }
        }
        if let recordPath { unlink(recordPath) }
        watchers.finish()
    }

    private func known(_ name: String) throws(ClusterError) -> ManagedProcess {
        guard let process = self[name] else {
            let names = processes.map(\.name).joined(separator: ", ")
            throw ClusterError(.invalid, "There is no process \(name). Use one of \(names).")
        }
        return process
    }

    private func record(_ child: Child, as name: String) {
        guard let recordPath else { return }
        records[name] = (child.pid, child.startTime)
        let text = records.map { "\($0.value.pid) \($0.value.startTime) \($0.key)\n" }.sorted().joined()
        do {
            try Files.write(text, to: recordPath, mode: 0o600, isDurable: false)
        } catch {
            log.warning("\(error)")
        }
    }

    /// Kills the recorded processes of an earlier run that was killed, and returns their number. The pid and the start
    /// time must both match the record. Nothing that was acknowledged is lost.
    public nonisolated static func endOrphans(recordedAt path: String, except spared: Set<String> = []) -> Int {
        var ended = 0
        for line in (Files.read(path) ?? "").split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 3, let pid = Int32(parts[0]), pid > 1, !spared.contains(String(parts[2])),
                Child.startTime(of: pid) == String(parts[1])
            else { continue }
            if Glibc.kill(pid, SIGKILL) == 0 { ended += 1 }
        }
        unlink(path)
        return ended
    }
}
