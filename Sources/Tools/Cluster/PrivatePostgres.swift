import Glibc
import Logging
import Reactor

/// A PostgreSQL server of one's own: its data in a folder, reached by a unix socket only, with a random password.
///
/// It runs as the calling user; root, whom PostgreSQL refuses, gives way to the account `postgres`. It ends with this
/// process, however that ends, and whatever an earlier, killed run left behind is put right by the next start.
@ReactorActor
public final class PrivatePostgres {
    public static let databaseName = "parley"
    public static let superuser = "parley"

    /// The folder as given, absolute. For root it becomes a link when the server's account cannot get there.
    public nonisolated let folder: String
    /// Settings beyond the defaults of ``PrivatePostgres``, such as `["fsync": "off"]` for tests.
    private let settings: [String: String]
    private let logFile: String
    private let log: Logger
    private var process: ManagedProcess?
    private var plan: Plan?
    private var lock: FolderLock?
    private let providedLock: Bool
    private var observers: [(ProcessStatus) -> Void] = []

    /// What a start needs to know, settled once.
    private struct Plan {
        var home: String
        var data: String { home + "/data" }
        var account: UserAccount
        var binaries: PostgresBinaries
        var runtime: RuntimeFolder
        var socketFolder: String
        var password: String
    }

    /// - Parameters:
    ///   - folder: where its files go; made when missing.
    ///   - logFile: where the server's log goes; `FOLDER.log` when not given.
    public nonisolated convenience init(
        folder: String, settings: [String: String] = [:], logFile: String? = nil,
        log: Logger = Logger(label: "parley.cluster")
    ) {
        self.init(folder: folder, settings: settings, logFile: logFile, log: log, isLocked: false)
    }

    nonisolated init(folder: String, settings: [String: String], logFile: String?, log: Logger, isLocked: Bool) {
        self.folder = absolute(folder)
        self.settings = settings
        self.logFile = logFile ?? "\(absolute(folder)).log"
        self.log = log
        providedLock = isLocked
    }

    /// How to reach it as its superuser, once started. Contains the password.
    public var url: String? {
        plan.map {
            "postgresql://\(Self.superuser):\($0.password)@/\(Self.databaseName)?host=\($0.socketFolder)"
        }
    }

    public var status: ProcessStatus { process?.status ?? ProcessStatus(name: "postgres") }

    /// The folder its files really are in, once started.
    var home: String? { plan?.home }

    /// Makes it if it is new, starts it, and returns its URL when it takes connections. The first start takes about
    /// 1.2 s, up to 20 s when the machine is busy; a later one 0.15 s.
    @discardableResult
    public func start(within limit: Duration = .seconds(90)) async throws(ClusterError) -> String {
        let end = ContinuousClock.now + limit
        let plan = try await prepare(within: limit)
        let process = self.process ?? makeProcess(plan)
        self.process = process
        do {
            try process.start()
            try await process.waitUntilReady(within: end - .now)
        } catch {
            await stop()
            throw explain(error, plan)
        }
        return url ?? ""
    }

    /// Stops it in good order (fast shutdown: sessions are ended, the data are flushed).
    public func stop() async {
        await process?.stop(within: .seconds(20))
        plan?.runtime.discard("postgres")
        lock = nil
    }

    /// Sends the postmaster a signal, as a fault; it is started again when it dies of it.
    public func kill(_ signal: Int32 = SIGKILL) {
        process?.send(signal: signal)
    }

    func observe(_ handler: @escaping (ProcessStatus) -> Void) {
        observers.append(handler)
        process?.onStatus(handler)
    }

    /// Waits until it takes connections (again).
    public func waitUntilReady(within limit: Duration = .seconds(60)) async throws(ClusterError) {
        guard let process else { throw ClusterError(.invalid, "PostgreSQL was not started") }
        try await process.waitUntilReady(within: limit)
    }

    func rotateLog() { process?.rotateLog() }

    // MARK: Making it

    private func prepare(within limit: Duration) async throws(ClusterError) -> Plan {
        let home = try claimHome()
        if !providedLock, lock == nil { lock = try FolderLock(folder: home.path) }
        let data = home.path + "/data"
        let version = Files.read(data + "/PG_VERSION").flatMap { Int($0.prefix { $0.isNumber }) }
        let binaries = try PostgresBinaries.choose(forDataOf: version, at: data)
        let runtime = try RuntimeFolder(for: home.path)
        let sockets = try runtime.folder("postgres", owner: home.account)
        var plan = Plan(
            home: home.path, account: home.account, binaries: binaries, runtime: runtime, socketFolder: sockets,
            password: Files.read(home.path + "/password").map { String($0.prefix { $0 != "\n" }) } ?? "")
        if version == nil {
            plan.password = Files.randomSecret()
            try await makeData(plan, within: limit)
        } else if plan.password.isEmpty {
            plan.password = Files.randomSecret()
            try await endOrphan(plan)
            try await runAlone(
                "ALTER ROLE \(Self.superuser) PASSWORD '\(plan.password)';\n", database: "postgres", data: plan.data,
                plan)
            try Files.write(plan.password + "\n", to: plan.home + "/password", mode: 0o600, owner: plan.account)
        }
        try Files.requireSpace(32 << 20, at: plan.home)
        self.plan = plan
        return plan
    }

    /// Makes the folder, or finds it, and settles whose it is.
    private func claimHome() throws(ClusterError) -> (path: String, account: UserAccount) {
        if let parent = Files.parent(of: folder), !Files.exists(parent) { try Files.makeFolder(parent, mode: 0o755) }
        if let home = try? Files.real(folder), let owner = Files.information("\(home)/data")?.st_uid, owner != 0 {
            // Existing data stay with their owner: PostgreSQL runs for nobody else.
            guard let account = UserAccount(uid: owner) else {
                throw ClusterError(
                    .noPermission, "\(home)/data belongs to the unknown user \(owner): chown -R it to a known one.")
            }
            guard owner == geteuid() || geteuid() == 0 else {
                throw ClusterError(
                    .noPermission,
                    "\(home) belongs to \(account.name): run this as \(account.name) or root, or choose another folder."
                )
            }
            return (home, account)
        }
        guard geteuid() == 0 else {
            try Files.makeFolder(folder, mode: 0o700)
            return (try Files.real(folder), .current)
        }
        guard let account = UserAccount(named: "postgres") ?? UserAccount(named: "nobody") else {
            throw ClusterError(
                .postgresMissing, "PostgreSQL does not run as root, and there is no account postgres. Make one.")
        }
        try Files.makeFolder(folder, mode: 0o700, owner: account)
        let real = try Files.real(folder)
        guard let barrier = Self.firstBarrier(on: real, for: account) else { return (real, account) }
        // Such as root's own home. The data then live where the account may go, and a link here says so.
        let elsewhere = "/var/lib/parley/\(Files.digest(real))"
        log.notice("\(barrier) is closed to \(account.name), so the database goes to \(elsewhere)")
        try Files.makeFolder("/var/lib/parley", mode: 0o755)
        try Files.makeFolder(elsewhere, mode: 0o700, owner: account)
        Files.remove(folder)
        guard symlink(elsewhere, folder) == 0 else { throw Files.failure("make the link", folder) }
        return (elsewhere, account)
    }

    /// The first folder above `path` that `account` may not pass through.
    nonisolated static func firstBarrier(on path: String, for account: UserAccount) -> String? {
        var parents: [String] = []
        var at = path
        while let parent = Files.parent(of: at) {
            parents.append(parent)
            at = parent
        }
        return parents.reversed().first { !account.mayPass($0) }
    }

    /// Made aside and moved in place when complete, so that a run killed half-way leaves nothing that looks done.
    private func makeData(_ plan: Plan, within limit: Duration) async throws(ClusterError) {
        try Files.requireSpace(128 << 20, at: plan.home)
        let new = plan.home + "/data.new"
        Files.remove(new)
        Files.remove(plan.data)  // Without PG_VERSION it is no database.
        try Files.write(plan.password + "\n", to: plan.home + "/password", mode: 0o600, owner: plan.account)
        let made = try await Child.run(
            invocation(
                plan.binaries.initdb,
                [
                    "-D", new, "-U", Self.superuser, "-A", "scram-sha-256", "--pwfile", plan.home + "/password",
                    "-E", "UTF8", "--locale=C.UTF-8", "--no-instructions",
                ], plan),
            limit: limit)
        guard made.exit == .code(0) else {
            throw explain(ClusterError(.postgresFailed, "initdb failed: \(made.output)"), plan)
        }
        try await runAlone("CREATE DATABASE \(Self.databaseName);\n", database: "postgres", data: new, plan)
        guard rename(new, plan.data) == 0 else { throw Files.failure("make", plan.data) }
    }

    /// Runs a statement without a server, in PostgreSQL's single-user mode.
    private func runAlone(
        _ statement: String, database: String, data: String, _ plan: Plan
    ) async throws(ClusterError) {
        let run = try await Child.run(
            invocation(plan.binaries.postgres, ["--single", "-D", data, "-c", "exit_on_error=true", database], plan),
            input: statement, limit: .seconds(60))
        guard run.exit == .code(0) else {
            throw explain(ClusterError(.postgresFailed, "PostgreSQL failed: \(run.output)"), plan)
        }
    }

    private func invocation(_ executable: String, _ arguments: [String], _ plan: Plan) -> Invocation {
        var invocation = Invocation(executable: executable, arguments: arguments)
        invocation.environment = Self.environment(plan)
        invocation.account = plan.account
        invocation.signalWhenParentEnds = .kill
        return invocation
    }

    /// Nothing of the caller's, whose PGDATA or LC_ALL might mislead it.
    private nonisolated static func environment(_ plan: Plan) -> [String: String] {
        ["HOME": plan.socketFolder, "PATH": "\(plan.binaries.folder):/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    }

    // MARK: Running it

    private func makeProcess(_ plan: Plan) -> ManagedProcess {
        var values = [
            "listen_addresses": "", "unix_socket_directories": plan.socketFolder, "unix_socket_permissions": "0700",
            "max_connections": "100", "shared_buffers": "64MB", "jit": "off", "timezone": "UTC", "log_timezone": "UTC",
            "log_line_prefix": "%m [%p] ", "logging_collector": "off", "password_encryption": "scram-sha-256",
        ]
        values.merge(settings) { $1 }
        var arguments = ["-D", plan.data]
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { arguments += ["-c", "\(name)=\(value)"] }
        let pidFile = plan.data + "/postmaster.pid"
        var specification = ProcessSpecification(
            name: "postgres", executable: plan.binaries.postgres, arguments: arguments,
            environment: Self.environment(plan), readiness: .condition { Self.isReady($0, pidFile) })
        specification.stopSignal = SIGINT  // "fast"
        specification.signalWhenParentEnds = .interrupt
        specification.account = plan.account
        specification.prepare = { [weak self] in try await self?.endOrphan(plan) }
        specification.replacesEnvironment = true
        let process = ManagedProcess(specification, logFile: logFile, log: log)
        for observer in observers { process.onStatus(observer) }
        return process
    }

    /// The postmaster writes its state into the eighth line of its pid file.
    private nonisolated static func isReady(_ pid: Int32, _ pidFile: String) -> Bool {
        let lines = (Files.read(pidFile) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        return lines.count > 7 && lines[0] == "\(pid)" && lines[7].hasPrefix("ready")
    }

    /// Ends what an earlier, killed server left behind, and waits until the last of its processes has gone: two
    /// servers, or one and a worker of another, must never be at the same data.
    private func endOrphan(_ plan: Plan) async throws(ClusterError) {
        let pidFile = plan.data + "/postmaster.pid"
        let named = Files.read(pidFile)?.split(separator: "\n").first.flatMap { pid_t($0) }
        // Every process of a server works in its data folder; the number alone may be a stranger's by now.
        if let named, Files.linkTarget("/proc/\(named)/cwd") == plan.data {
            log.notice("a PostgreSQL server of an earlier run (process \(named)) still runs and is stopped")
        }
        let pause = Changes()
        for (signal, patience) in [(SIGINT, 10), (SIGQUIT, 5), (SIGKILL, 5)] {
            var left = Self.processes(in: plan.data)
            // A server tells its workers; workers without one end by themselves, unless they hang.
            for pid in left where pid == named || signal != SIGINT { Glibc.kill(pid, signal) }
            let end = ContinuousClock.now + .seconds(patience)
            while !left.isEmpty, ContinuousClock.now < end {
                await pause.wait(until: .now + .milliseconds(20))
                left = Self.processes(in: plan.data)
            }
            guard left.isEmpty else { continue }
            // PostgreSQL clears a dead server's pid file away, but takes a stranger of that number for the server.
            if let named, Child.startTime(of: named) != nil { unlink(pidFile) }
            return
        }
        let left = Self.processes(in: plan.data).map(String.init).joined(separator: " ")
        throw ClusterError(.postgresFailed, "PostgreSQL of an earlier run does not end: kill these processes: \(left)")
    }

    /// The processes whose working folder is `data`, as far as we may know.
    private nonisolated static func processes(in data: String) -> [pid_t] {
        Files.names(in: "/proc").compactMap { pid_t($0) }.filter { Files.linkTarget("/proc/\($0)/cwd") == data }
    }

    private func explain(_ error: ClusterError, _ plan: Plan) -> ClusterError {
        if error.message.contains("No space left on device") {
            return ClusterError(.diskFull, "the disk that holds \(plan.home) is full: free some space and start again.")
        }
        if error.message.contains("Permission denied") {
            return ClusterError(
                .noPermission, "PostgreSQL, run as \(plan.account.name), may not use \(plan.home). \(error.message)")
        }
        return error.code == .processFailed ? ClusterError(.postgresFailed, error.message) : error
    }
}

/// The path seen from `/`, without asking whether it exists.
func absolute(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    if path.hasPrefix("/") { return path }
    guard let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return path == "." ? String(cString: current) : "\(String(cString: current))/\(path)"
}
