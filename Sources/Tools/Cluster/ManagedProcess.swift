import Glibc
import Logging
import Reactor

/// The status of a process.
public struct ProcessStatus: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        case starting
        /// It runs and reports what it waits for.
        case waiting(String)
        case ready
        /// It died and is restarted shortly.
        case restarting(String)
        case stopping
        case stopped
        /// It is not restarted, for the reason in the text.
        case failed(String)
    }

    public let name: String
    public var state: State = .stopped
    /// How often it died and was restarted.
    public var restarts = 0
    public var pid: Int32?
    /// The address at which it listens, if it has reported one.
    public var listen: String?
}

/// The settings of a supervised process.
public struct ProcessSpecification: Sendable {
    public enum Readiness: Sendable {
        /// Ready when it says so by the systemd notify protocol.
        case notify
        /// Ready as soon as it runs.
        case immediate
        /// Ready when the condition, checked every 20 ms with the pid, is true.
        case condition(@Sendable @ReactorActor (Int32) -> Bool)
    }

    public var name: String
    public var executable: String
    public var arguments: [String]
    /// Added to the environment of this process, or replaces it if `replacesEnvironment`.
    public var environment: [String: String]
    public var readiness: Readiness
    /// The supervisor stops processes stage by stage, from high to low.
    public var stage: Int
    public var stopSignal: Int32 = SIGTERM
    var signalWhenParentEnds = Invocation.LastSignal.terminate
    var account: UserAccount?
    /// Whether `environment` replaces the environment of this process.
    var replacesEnvironment = false
    /// Called before each start.
    var prepare: (@Sendable @ReactorActor () async throws -> Void)?

    public init(
        name: String, executable: String, arguments: [String] = [], environment: [String: String] = [:],
        readiness: Readiness = .notify, stage: Int = 0
    ) {
        self.name = name
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.readiness = readiness
        self.stage = stage
    }
}

/// Keeps a process alive: starts it, watches it and restarts it when it dies (after 200 ms, doubling to 5 s).
@ReactorActor
public final class ManagedProcess {
    public nonisolated let name: String
    public private(set) var status: ProcessStatus {
        didSet {
            guard status != oldValue else { return }
            progressAt = .now
            changes.fire()
            for observer in observers { observer(status) }
        }
    }

    var specification: ProcessSpecification
    private var observers: [(ProcessStatus) -> Void] = []
    /// Called with each new child process.
    var onStart: ((Child) -> Void)?

    private let logFile: LogFile
    private let log: Logger
    private let socketPath: String?
    private var notifySocket: NotifySocket?
    private var child: Child?
    private var mayRun = false
    private var isLaunching = false
    private var hasBeenReady = false
    private var deathsSinceReady = 0
    /// Consecutive deaths within 10 s of the start. The delay before the next start grows with them.
    private var earlyDeaths = 0
    private var startedAt = ContinuousClock.now
    /// When it last showed that its start goes on: its status changed, or it wrote to its log.
    private(set) var progressAt = ContinuousClock.now
    private var logPosition = 0
    private var logSize = 0
    private var retry: Reactor.Timer?
    private var readinessCheck: Reactor.Repetition?
    private let changes = Changes()

    /// - Parameters:
    ///   - logFile: the path for its output.
    ///   - socketPath: the path for its notify socket; required for ``ProcessSpecification/Readiness/notify``.
    public init(_ specification: ProcessSpecification, logFile: String, socketPath: String? = nil, log: Logger) {
        name = specification.name
        self.specification = specification
        self.logFile = LogFile(path: logFile)
        self.socketPath = socketPath
        self.log = log
        status = ProcessStatus(name: specification.name)
    }

    /// Calls `observer` after every change of ``status``.
    func onStatus(_ observer: @escaping (ProcessStatus) -> Void) {
        observers.append(observer)
    }

    /// Starts the process unless it runs. Wait for it with ``waitUntilReady(within:)``.
    public func start() throws(ClusterError) {
        guard !mayRun else { return }
        if case .notify = specification.readiness, notifySocket == nil {
            guard let socketPath else { throw ClusterError(.invalid, "\(name) needs a path for its notify socket.") }
            notifySocket = try NotifySocket(path: socketPath) { [weak self] in self?.received($0) }
        }
        mayRun = true
        deathsSinceReady = 0
        earlyDeaths = 0
        status.state = .starting
        launch()
    }

    /// Sends the stop signal, and after `limit` SIGKILL to the process and its group. Returns when it has ended.
    public func stop(within limit: Duration = .seconds(8)) async {
        mayRun = false
        if let retry { Reactor.shared.cancel(retry) }
        while isLaunching { await changes.wait(until: .now + .seconds(1)) }
        if let child {
            status.state = .stopping
            child.send(signal: specification.stopSignal)
            if await child.wait(for: limit) == nil {
                log.warning("\(name) did not stop within \(limit) and is killed.")
                child.destroy()
                _ = await child.wait()
            }
            // The watcher task clears `child`. Waiting for it keeps a restart from coming in between.
            while self.child === child { await changes.wait(until: .now + .milliseconds(50)) }
        }
        notifySocket?.end()
        notifySocket = nil
        if case .failed = status.state { return }
        status.state = .stopped
    }

    /// Sends a signal to the running process.
    public func send(signal: Int32) {
        child?.send(signal: signal)
    }

    public func rotateLog() { logFile.rotate() }

    /// Waits until the process is ready, as long as its start goes on: it is started, reports something new or writes
    /// to its log. A busy machine thus gets the time it needs.
    /// - Parameters:
    ///   - limit: how long it may show nothing new.
    ///   - longest: the limit of the whole wait; ten times `limit` if nil.
    /// - Throws: ``ClusterError`` with the end of its log if it refuses its configuration, dies three times without
    ///   becoming ready, or reaches a limit.
    public func waitUntilReady(within limit: Duration, atMost longest: Duration? = nil) async throws(ClusterError) {
        let longest = longest ?? limit * 10
        var patience = Patience(limit, atMost: longest, from: .now)
        while status.state != .ready {
            if case .failed(let why) = status.state { throw ClusterError(.processFailed, why) }
            guard mayRun else { throw ClusterError(.processFailed, "\(name) was stopped.") }
            guard deathsSinceReady < 3 else {
                throw ClusterError(.processFailed, "\(name) ended three times while starting. \(hint)")
            }
            readLogSize()
            patience.progressed(at: progressAt)
            guard ContinuousClock.now < patience.end else {
                let reason = if case .waiting(let reason) = status.state { ": \(reason)" } else { "" }
                let after = patience.isAtLongest ? "after \(longest)" : "and showed nothing new for \(limit)"
                throw ClusterError(.timeout, "\(name) is not ready \(after)\(reason). \(hint)")
            }
            // Nothing tells when the log grows.
            await changes.wait(until: min(patience.end, .now + .seconds(1)))
        }
    }

    private func readLogSize() {
        let size = logFile.size
        if size != logSize { progressAt = .now }
        logSize = size
    }

    private var hint: String {
        let lines = logFile.lastLines(since: logPosition)
        return lines.isEmpty ? "Its log is \(logFile.path)." : "The end of its log \(logFile.path):\n\(lines)"
    }

    private func launch() {
        isLaunching = true
        Task.immediate { @ReactorActor in
            do {
                try await specification.prepare?()
                if mayRun { try begin() }
            } catch let error as ClusterError {
                status.state = .failed(error.message)
                mayRun = false
            } catch {
                status.state = .failed("\(name): \(error)")
                mayRun = false
            }
            isLaunching = false
            changes.fire()
        }
    }

    private func begin() throws(ClusterError) {
        logFile.rotate()
        logPosition = logFile.size
        let output = try logFile.open()
        defer { close(output) }
        notifySocket?.drain()
        var invocation = Invocation(executable: specification.executable, arguments: specification.arguments)
        if specification.replacesEnvironment { invocation.environment = [:] }
        invocation.environment.merge(specification.environment) { $1 }
        invocation.environment["NOTIFY_SOCKET"] = notifySocket?.path
        invocation.account = specification.account
        invocation.signalWhenParentEnds = specification.signalWhenParentEnds
        let child = try Child.start(invocation, output: output)
        self.child = child
        startedAt = .now
        logSize = logPosition
        status.pid = child.pid
        status.state = .starting
        onStart?(child)
        switch specification.readiness {
        case .notify: break
        case .immediate: becameReady()
        case .condition(let isReady):
            readinessCheck = Reactor.shared.every(.milliseconds(20)) { [weak self] in
                guard let self, self.child === child, isReady(child.pid) else { return }
                readinessCheck?.cancel()
                becameReady()
            }
        }
        Task.immediate { @ReactorActor in
            if let exit = await child.wait() { ended(child, exit) }
        }
    }

    private func received(_ message: [String: String]) {
        guard child != nil, mayRun else { return }
        if let listen = message["X_PARLEY_LISTEN"] { status.listen = listen }
        if message["STOPPING"] == "1" {
            status.state = .stopping
        } else if message["READY"] == "1" {
            becameReady()
        } else if let reason = message["STATUS"] {
            status.state = .waiting(reason)
        }
    }

    private func becameReady() {
        hasBeenReady = true
        deathsSinceReady = 0
        status.state = .ready
    }

    private func ended(_ child: Child, _ exit: Exit) {
        readinessCheck?.cancel()
        self.child = nil
        status.pid = nil
        defer { changes.fire() }
        guard mayRun else { return }
        if exit == .code(64) {  // EX_USAGE: a restart would end the same way.
            mayRun = false
            status.state = .failed("\(name) refused its configuration. \(hint)")
            return
        }
        if exit == .code(75), !hasBeenReady, logFile.lastLines(since: logPosition).contains("in use") {
            mayRun = false
            status.state = .failed("\(name) cannot listen. \(hint)")
            return
        }
        if ContinuousClock.now - startedAt > .seconds(10) { earlyDeaths = 0 }
        let delay = Self.delay(afterDeaths: earlyDeaths)
        earlyDeaths += 1
        deathsSinceReady += 1
        status.restarts += 1
        // Whoever ends again and again says why.
        let said = deathsSinceReady > 1 ? logFile.lastLines(1, since: logPosition) : ""
        status.state = .restarting("ended with \(exit)\(said.isEmpty ? "" : " (\(said))")")
        log.warning("\(name) ended with \(exit) and is restarted in \(delay).")
        retry = Reactor.shared.after(delay) { [weak self] in
            if let self, mayRun { launch() }
        }
    }

    nonisolated static func delay(afterDeaths deaths: Int) -> Duration {
        min(.milliseconds(200 << min(deaths, 5)), .seconds(5))
    }
}
