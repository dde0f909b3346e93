import Glibc
import Logging
import Reactor

/// A complete Parley on one machine: a private PostgreSQL (unless the configuration names another one), the services
/// and the gateways. It restarts processes that die and stops all of them together. They end if this process is killed.
@ReactorActor
public final class Cluster {
    public nonisolated let configuration: ClusterConfiguration
    /// The cluster's folder, absolute.
    public nonisolated let folder: String
    /// The folder for each process's output, `NAME.log`.
    public nonisolated var logFolder: String { "\(folder)/log" }

    private let log: Logger
    private var lock: FolderLock?
    private var postgres: PrivatePostgres?
    private var supervisor: Supervisor?
    private var runtime: RuntimeFolder?
    private var isStopping = false
    private let watchers = StatusWatchers()

    public nonisolated init(_ configuration: ClusterConfiguration, log: Logger = Logger(label: "parley.cluster")) {
        self.configuration = configuration
        self.log = log
        folder = absolute(configuration.folder)
    }

    // MARK: State

    /// The state of every process, PostgreSQL first.
    public var statuses: [ProcessStatus] {
        (postgres.map { [$0.status] } ?? []) + (supervisor?.statuses ?? [])
    }

    /// Streams the state of every process, then every change until ``stop()``. May be called before ``start()``.
    public func changes() -> AsyncStream<ProcessStatus> { watchers.changes(after: statuses) }

    // MARK: Start and stop

    /// Starts everything and returns when all of it is ready. Later starts take about a second.
    /// - Throws: ``ClusterError``; processes that were already started are stopped again.
    @discardableResult
    public func start() async throws(ClusterError) -> ClusterEndpoints {
        guard supervisor == nil else { throw ClusterError(.alreadyRunning, "This cluster is already running.") }
        isStopping = false
        do throws(ClusterError) {
            try configuration.check()
            try prepareFolder()
            let binaries = try Self.binaries(configuration.binaries)
            let runFolder = try makeRunFolder()
            try ListenAddress(configuration.listen).requireFree()
            let database = try await startDatabase(within: configuration.startLimit)
            try await bootstrapUnlessDone(database, binaries: binaries)
            guard !isStopping else { throw ClusterError(.processFailed, "The cluster was stopped during its start.") }
            let supervisor = try makeSupervisor(database: database, binaries: binaries, runFolder: runFolder)
            self.supervisor = supervisor
            try await supervisor.start(within: configuration.startLimit)
            return endpoints(database: database)
        } catch {
            await stop()
            throw error
        }
    }

    /// Stops the gateways, then the services, then PostgreSQL. Gateways and services that do not end within 8 s are
    /// killed, PostgreSQL after 20 s. If ``start()`` is still running, it throws.
    public func stop() async {
        isStopping = true
        await supervisor?.stop()
        supervisor = nil
        await postgres?.stop()
        if let status = postgres?.status { watchers.notify(of: status) }
        postgres = nil
        runtime?.discard(runName)
        runtime = nil
        watchers.finish()
        lock = nil
    }

    // MARK: Faults, for tests

    /// Sends a signal to `postgres`, `gateway-1`, `messaging-1` …. The process is restarted if it dies.
    public func kill(_ name: String, _ signal: Int32 = SIGKILL) throws(ClusterError) {
        if name == "postgres", let postgres { return postgres.kill(signal) }
        try running().kill(name, signal)
    }

    /// Stops one process gracefully. It stays stopped until ``start(_:)``.
    public func stop(_ name: String) async throws(ClusterError) {
        if name == "postgres", let postgres { return await postgres.stop() }
        try await running().stop(name)
    }

    public func start(_ name: String) async throws(ClusterError) {
        if name == "postgres", let postgres {
            try await postgres.start()
        } else {
            try running().start(name)
        }
    }

    /// Waits until the named process is ready (again), or all processes if `name` is nil.
    /// - Parameter limit: how long a start may show nothing new; the whole takes at most ten times as long.
    public func waitUntilReady(_ name: String? = nil, within limit: Duration = .seconds(60)) async throws(ClusterError)
    {
        let end = ContinuousClock.now + limit * 10
        for process in try running().all where name == nil || name == process.name {
            try await process.waitUntilReady(within: limit, atMost: end - .now)
        }
        if name == nil || name == "postgres" { try await postgres?.waitUntilReady(within: limit, atMost: end - .now) }
    }

    private func running() throws(ClusterError) -> Supervisor {
        guard let supervisor else { throw ClusterError(.invalid, "The cluster is not running. Start it first.") }
        return supervisor
    }

    // MARK: Starting

    /// What a folder of Parley has from its first start on, or is given before.
    private static let ownNames: Set = ["lock", "keys", "secrets", "postgres", "database-url", "lost+found"]

    private func prepareFolder() throws(ClusterError) {
        let names = Files.names(in: folder)
        guard names.isEmpty || !Self.ownNames.isDisjoint(with: names) else {
            throw ClusterError(
                .invalid, "\(folder) already has other files. Choose an empty folder, or one that does not exist yet.")
        }
        // When root runs the cluster, PostgreSQL runs under another account, which must be able to enter the folder.
        try Files.makeFolder(folder, mode: geteuid() == 0 ? 0o711 : 0o700)
        lock = try FolderLock(folder: folder)
        try keys.complete()
        try Files.makeFolder(logFolder, mode: 0o700)
        let orphans = Supervisor.endOrphans(recordedAt: recordPath)
        if orphans > 0 { log.notice("Ended \(orphans) processes of an earlier run that was killed.") }
    }

    private nonisolated var recordPath: String { "\(folder)/processes" }
    private nonisolated var runName: String { "run-\(getpid())" }
    private nonisolated var secretsPath: String { "\(folder)/secrets" }
    /// The keys of the links between the processes.
    public nonisolated var keys: KeyFolder { KeyFolder("\(folder)/keys") }

    /// Creates a folder for the sockets of this run, so that a dying process of an earlier run cannot remove ours.
    private func makeRunFolder() throws(ClusterError) -> String {
        let runtime = try RuntimeFolder(for: try Files.real(folder))
        self.runtime = runtime
        for name in Files.names(in: runtime.path) where name.hasPrefix("run-") {
            Files.remove("\(runtime.path)/\(name)")
        }
        return try runtime.folder(runName)
    }

    /// Returns the folder of the programs.
    /// - Parameters:
    ///   - chosen: the folder to check; if nil, the folder of the running executable.
    ///   - processes: the processes whose programs are required.
    /// - Throws: ``ClusterError/Code/binaryMissing`` naming every missing program.
    public nonisolated static func binaries(
        _ chosen: String?, for processes: [String] = ["gateway"] + ClusterConfiguration.services
    ) throws(ClusterError) -> String {
        var folder = chosen.map(absolute)
        if folder == nil { folder = Files.linkTarget("/proc/self/exe").flatMap(Files.parent) }
        guard let folder else {
            throw ClusterError(.binaryMissing, "Cannot find the folder of the programs. Name it with --binaries.")
        }
        let names = processes.map { "parley-\($0)" }
        let missing = names.filter { !Files.isExecutable("\(folder)/\($0)") }
        guard missing.isEmpty else {
            throw ClusterError(
                .binaryMissing,
                "\(folder) lacks \(missing.joined(separator: ", ")). Build them (make build), or name their folder.")
        }
        return folder
    }

    private func startDatabase(within limit: Duration) async throws(ClusterError) -> String {
        switch configuration.database {
        case .url(let url): return url
        case .private:
            let postgres = PrivatePostgres(
                folder: "\(folder)/postgres", settings: configuration.postgresSettings,
                logFile: "\(logFolder)/postgres.log",
                log: log, isLocked: true)
            postgres.observe { [weak self] in self?.watchers.notify(of: $0) }
            self.postgres = postgres
            let url = try await postgres.start(within: limit)
            // The operator's commands read this file.
            try Files.write(url + "\n", to: "\(folder)/database-url", mode: 0o600)
            return url
        }
    }

    /// Prepares the database, unless a stamp beside the data shows that the same programs have already done so.
    private func bootstrapUnlessDone(_ database: String, binaries: String) async throws(ClusterError) {
        let stampPath = postgres?.home.map { "\($0)/prepared" }
        let stamp = try stamp(binaries: binaries)
        if let stampPath, Files.read(stampPath) == stamp, Files.exists(secretsPath) { return }
        try await Bootstrap.run(
            database: database, secrets: secretsPath, binaries: binaries,
            environment: configuration.settings["*"] ?? [:], log: log)
        if let stampPath { try Files.write(stamp, to: stampPath, mode: 0o600) }
    }

    private func stamp(binaries: String) throws(ClusterError) -> String {
        var lines = [Files.digest(Bootstrap.script(try Secrets(at: secretsPath)))]
        for service in ClusterConfiguration.services {
            if let found = Files.information("\(binaries)/parley-\(service)") {
                lines.append(
                    "\(service) \(found.st_ino) \(found.st_size) \(found.st_mtim.tv_sec).\(found.st_mtim.tv_nsec)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Processes

    private func replicas(of service: String) -> [String] {
        (1...(configuration.replicas[service] ?? 1)).map { "\(service)-\($0)" }
    }

    /// The settings that name the link keys of a role.
    private func linkEnvironment(of role: String) -> [String: String] {
        switch configuration.linkSecurity {
        case .plain: ["PARLEY_LINK_SECURITY": "plain"]
        case .curve: ["PARLEY_LINK_KEY_FILE": keys.keyPath(of: role), "PARLEY_LINK_PEERS": keys.peersPath]
        }
    }

    /// The settings for stored files and the key that signs links to them. Files leave less room than on a server,
    /// unless the environment says how much: the disk of a laptop is often nearly full.
    private var filesEnvironment: [String: String] {
        var own = ["PARLEY_FILES_FOLDER": "\(folder)/files", "PARLEY_FILES_LINK_KEY_FILE": keys.filesPath]
        if getenv("PARLEY_FILES_FREE_BYTES") == nil { own["PARLEY_FILES_FREE_BYTES"] = "1000000000" }
        return own
    }

    /// What only this service has to know.
    private func environment(of service: String, _ name: String, in runFolder: String) -> [String: String] {
        func reached(_ service: String, _ kind: String) -> String {
            endpoints(of: service, kind, for: name, in: runFolder)
        }
        switch service {
        case "messaging": return filesEnvironment
        case "presence": return ["PARLEY_LISTEN_FOLLOWERS": "ipc://\(runFolder)/\(name).followers"]
        case "entities": return ["PARLEY_MESSAGING_UPDATES": reached("messaging", "updates")]
        case "notifications":
            return [
                "PARLEY_MESSAGING_UPDATES": reached("messaging", "updates"),
                "PARLEY_PRESENCE_REQUESTS": reached("presence", "requests"),
                "PARLEY_PRESENCE_FOLLOWERS": reached("presence", "followers"),
            ].merging(
                configuration.linkSecurity == .curve
                    ? ["PARLEY_FOLLOWER_KEY_FILE": keys.keyPath(of: "follower")] : [:]
            ) { $1 }
        default: return [:]
        }
    }

    /// The endpoints of a service's replicas, as one process reaches them.
    private func endpoints(of service: String, _ kind: String, for process: String, in runFolder: String) -> String {
        replicas(of: service).map { replica in
            let endpoint = "ipc://\(runFolder)/\(replica).\(kind)"
            return configuration.via?(process, replica, kind, endpoint) ?? endpoint
        }.joined(separator: ",")
    }

    private func makeSupervisor(
        database: String, binaries: String, runFolder: String
    ) throws(ClusterError) -> Supervisor {
        let supervisor = Supervisor(logFolder: logFolder, socketFolder: runFolder, recordPath: recordPath, log: log)
        let secrets = try Secrets(at: secretsPath)
        for service in ClusterConfiguration.services {
            for name in replicas(of: service) {
                let own = linkEnvironment(of: service).merging([
                    "PARLEY_DATABASE_URL": secrets.url(of: service, database: database), "PARLEY_INSTANCE": name,
                    "PARLEY_LISTEN_REQUESTS": "ipc://\(runFolder)/\(name).requests",
                    "PARLEY_LISTEN_UPDATES": "ipc://\(runFolder)/\(name).updates",
                ]) { $1 }.merging(environment(of: service, name, in: runFolder)) { $1 }
                supervisor.add(
                    ProcessSpecification(
                        name: name, executable: "\(binaries)/parley-\(service)",
                        environment: own.merging(configuration.environment(of: name, service: service)) { $1 }, stage: 1
                    ))
            }
        }
        let first = try ListenAddress(configuration.listen)
        for number in 1...configuration.gateways {
            let name = "gateway-\(number)"
            var own = linkEnvironment(of: "gateway")
            own["PARLEY_INSTANCE"] = name
            own["PARLEY_LISTEN_HTTP"] = number == 1 ? first.text : ListenAddress(host: first.host, port: 0).text
            for service in ClusterConfiguration.services {
                for kind in ["requests", "updates"] {
                    own["PARLEY_\(service.uppercased())_\(kind.uppercased())"] =
                        endpoints(of: service, kind, for: name, in: runFolder)
                }
            }
            supervisor.add(
                ProcessSpecification(
                    name: name, executable: "\(binaries)/parley-gateway",
                    environment: own.merging(configuration.environment(of: name, service: "gateway")) { $1 }, stage: 2))
        }
        for process in supervisor.all {
            process.onStatus { [weak self, weak process] status in
                // A gateway that chose a free port must use the same one after a restart.
                if let listen = status.listen { process?.specification.environment["PARLEY_LISTEN_HTTP"] = listen }
                self?.watchers.notify(of: status)
            }
        }
        return supervisor
    }

    private func endpoints(database: String) -> ClusterEndpoints {
        let addresses = (1...configuration.gateways).compactMap { number -> ListenAddress? in
            let name = "gateway-\(number)"
            let text = supervisor?[name]?.status.listen ?? (number == 1 ? configuration.listen : nil)
            return text.flatMap { try? ListenAddress($0) }?.reachable
        }
        return ClusterEndpoints(
            sockets: addresses.map { "ws://\($0.text)/v1/socket" }, http: addresses.map { "http://\($0.text)" },
            database: database)
    }
}
