import Glibc
import Logging
import Reactor

/// A private PostgreSQL server with its data in a folder. Only a unix socket and a random password give access to it.
///
/// It runs as the calling user, or as the account `postgres` for root, since PostgreSQL refuses root. It ends with this
/// process, in whatever way that ends. The next start cleans up after a run that was killed.
@ReactorActor
public final class PrivatePostgres {
    public static let databaseName = "parley"
    public static let superuser = "parley"

    /// The given folder as an absolute path. For root it becomes a link if the server's account cannot enter it.
    public nonisolated let folder: String
    /// PostgreSQL settings that override the defaults, such as `["fsync": "off"]` for tests.
    private let settings: [String: String]
    private let logFile: String
    private let log: Logger
    private var process: ManagedProcess?
    private var plan: Plan?
    private var lock: FolderLock?
    private let providedLock: Bool
    private var observers: [(ProcessStatus) -> Void] = []

    /// The results of preparing a start.
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
    ///   - folder: the folder for its files; created when missing.
    ///   - logFile: the path of the server's log; `FOLDER.log` if nil.
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

    /// The URL for its superuser, once started. Contains the password.
    public var url: String? {
        plan.map {
            "postgresql://\(Self.superuser):\($0.password)@/\(Self.databaseName)?host=\($0.socketFolder)"
        }
    }

    public var status: ProcessStatus { process?.status ?? ProcessStatus(name: "postgres") }

    /// The real folder of its files, once started.
    var home: String? { plan?.home }

    /// Creates the database if it is new, starts the server, and returns its URL when it accepts connections. The first
    /// start takes about 1.2 s, or up to 20 s on a busy machine; later ones take 0.15 s.
    /// - Parameter limit: the limit for creating the data, and then for how long the server may show nothing new.
    @discardableResult
    public func start(within limit: Duration = .seconds(90)) async throws(ClusterError) -> String {
        let plan = try await prepare(within: limit)
        let process = self.process ?? makeProcess(plan)
        self.process = process
        do {
            try process.start()
            try await process.waitUntilReady(within: limit)
        } catch {
            await stop()
            throw explain(error, plan)
        }
        return url ?? ""
    }

    /// Stops the server with a fast shutdown, which ends sessions and flushes the data.
    public func stop() async {
        await process?.stop(within: .seconds(20))
        plan?.runtime.discard("postgres")
        lock = nil
    }

    /// Sends a signal to the postmaster. The server is restarted if it dies.
    public func kill(_ signal: Int32 = SIGKILL) {
        process?.send(signal: signal)
    }

    func observe(_ handler: @escaping (ProcessStatus) -> Void) {
        observers.append(handler)
        process?.onStatus(handler)
    }

    /// Waits until the server accepts connections (again).
    /// - Parameters:
    ///   - limit: how long it may show nothing new.
    ///   - longest: the limit of the whole wait; ten times `limit` if nil.
    public func waitUntilReady(
        within limit: Duration = .seconds(60), atMost longest: Duration? = nil
    ) async throws(ClusterError) {
        guard let process else { throw ClusterError(.invalid, "PostgreSQL was not started. Start it first.") }
        try await process.waitUntilReady(within: limit, atMost: longest)
    }

    func rotateLog() { process?.rotateLog() }

    // MARK: Creating

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

    /// Finds or creates the folder, and determines the account that the server runs as.
    private func claimHome() throws(ClusterError) -> (path: String, account: UserAccount) {
        if let parent = Files.parent(of: folder), !Files.exists(parent) { try Files.makeFolder(parent, mode: 0o755) }
        if let home = try? Files.real(folder), let owner = Files.information("\(home)/data")?.st_uid, owner != 0 {
            // The owner of existing data must run the server, since PostgreSQL refuses other accounts.
            guard let account = UserAccount(uid: owner) else {
                throw ClusterError(
                    .noPermission,
                    "\(home)/data belongs to the unknown user \(owner). Give it to a known user with chown -R.")
            }
            guard owner == geteuid() || geteuid() == 0 else {
                throw ClusterError(
                    .noPermission,
                    "\(home) belongs to \(account.name). Run as \(account.name) or root, or choose another folder.")
            }
            return (home, account)
        }
        guard geteuid() == 0 else {
            try Files.makeFolder(folder, mode: 0o700)
            return (try Files.real(folder), .current)
        }
        guard let account = UserAccount(named: "postgres") ?? UserAccount(named: "nobody") else {
            throw ClusterError(
                .postgresMissing, "PostgreSQL does not run as root, and there is no account postgres. Create it.")
        }
        try Files.makeFolder(folder, mode: 0o700, owner: account)
        let real = try Files.real(folder)
        guard let barrier = Self.firstBarrier(on: real, for: account) else { return (real, account) }
        // For example root's home folder. The data then go to a folder that the account can enter, with a link here.
        let elsewhere = "/var/lib/parley/\(Files.digest(real))"
        log.notice("\(account.name) cannot enter \(barrier), so the database goes to \(elsewhere).")
        try Files.makeFolder("/var/lib/parley", mode: 0o755)
        try Files.makeFolder(elsewhere, mode: 0o700, owner: account)
        Files.remove(folder)
        guard symlink(elsewhere, folder) == 0 else { throw Files.failure("create the link", folder) }
        return (elsewhere, account)
    }

    /// Returns the first folder above `path` that `account` cannot enter.
    nonisolated static func firstBarrier(on path: String, for account: UserAccount) -> String? {
        var parents: [String] = []
        var at = path
        while let parent = Files.parent(of: at) {
            parents.append(parent)
            at = parent
        }
        return parents.reversed().first { !account.mayPass($0) }
    }

    /// Creates the data in a temporary folder and renames that when complete. A killed run thus leaves no partial data.
    private func makeData(_ plan: Plan, within limit: Duration) async throws(ClusterError) {
        try Files.requireSpace(128 << 20, at: plan.home)
        let new = plan.home + "/data.new"
        Files.remove(new)
        Files.remove(plan.data)  // Not a database, since it has no PG_VERSION.
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
        guard rename(new, plan.data) == 0 else { throw Files.failure("create", plan.data) }
    }

    /// Runs a statement in PostgreSQL's single-user mode, without a server.
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

    /// Returns an environment without the caller's variables, since PGDATA or LC_ALL could mislead the server. Only
    /// what measures every program that is started is passed on.
    private nonisolated static func environment(_ plan: Plan) -> [String: String] {
        ["HOME": plan.socketFolder, "PATH": "\(plan.binaries.folder):/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
            .merging(Environment.current.filter { ["LD_PRELOAD", "HOPS_FOLDER"].contains($0.key) }) { $1 }
    }

    // MARK: Running

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

    /// Whether the server is ready. The postmaster writes its state into the eighth line of its pid file.
    private nonisolated static func isReady(_ pid: Int32, _ pidFile: String) -> Bool {
        let lines = (Files.read(pidFile) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        return lines.count > 7 && lines[0] == "\(pid)" && lines[7].hasPrefix("ready")
    }

    /// Ends the processes of an earlier server that was killed, and waits until all are gone. Two servers, or a server
    /// and a worker of another one, must never use the same data.
    private func endOrphan(_ plan: Plan) async throws(ClusterError) {
        let pidFile = plan.data + "/postmaster.pid"
        let named = Files.read(pidFile)?.split(separator: "\n").first.flatMap { pid_t($0) }
        // The working folder identifies a server's processes. The pid alone may belong to another program by now.
        if let named, Files.linkTarget("/proc/\(named)/cwd") == plan.data {
            log.notice("Stopping a PostgreSQL server of an earlier run (process \(named)).")
        }
        let pause = Changes()
        for (signal, patience) in [(SIGINT, 10), (SIGQUIT, 5), (SIGKILL, 5)] {
            var left = Self.processes(in: plan.data)
            // A server stops its workers. Workers without a server end on their own, unless they hang.
            for pid in left where pid == named || signal != SIGINT { Glibc.kill(pid, signal) }
            let end = ContinuousClock.now + .seconds(patience)
            while !left.isEmpty, ContinuousClock.now < end {
                await pause.wait(until: .now + .milliseconds(20))
                left = Self.processes(in: plan.data)
            }
            guard left.isEmpty else { continue }
            // PostgreSQL removes the pid file of a dead server, but not if another process has that pid by now.
            if let named, Child.startTime(of: named) != nil { unlink(pidFile) }
            return
        }
        let left = Self.processes(in: plan.data).map(String.init).joined(separator: " ")
        throw ClusterError(.postgresFailed, "PostgreSQL of an earlier run does not end. Kill these processes: \(left)")
    }

    /// Returns the processes whose working folder is `data`, as far as this account can see them.
    private nonisolated static func processes(in data: String) -> [pid_t] {
        Files.names(in: "/proc").compactMap { pid_t($0) }.filter { Files.linkTarget("/proc/\($0)/cwd") == data }
    }

    private func explain(_ error: ClusterError, _ plan: Plan) -> ClusterError {
        if error.message.contains("No space left on device") {
            return ClusterError(.diskFull, "The disk of \(plan.home) is full. Free some space and start again.")
        }
        if error.message.contains("Permission denied") {
            return ClusterError(
                .noPermission, "PostgreSQL, run as \(plan.account.name), cannot use \(plan.home). \(error.message)")
        }
        return error.code == .processFailed ? ClusterError(.postgresFailed, error.message) : error
    }
}

/// Returns the absolute path. The path need not exist.
func absolute(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    if path.hasPrefix("/") { return path }
    guard let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return path == "." ? String(cString: current) : "\(String(cString: current))/\(path)"
}
