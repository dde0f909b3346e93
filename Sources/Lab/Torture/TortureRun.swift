import Cluster
import Foundation
import Logging
import NIOCore
import NIOPosix
import ParleyClient
import Reactor
import Synchronization

/// A run: starts a cluster of real processes, lets people use it while it injects the seed's faults, waits for recovery
/// and audits everything that was acknowledged and delivered.
public final class TortureRun: Sendable {
    let configuration: TortureConfiguration
    let schedule: FaultSchedule
    let report: @Sendable (String) -> Void
    private let isChatty: Bool
    /// The folder with all files of this run.
    let folder: String
    private let log = Logger(label: "torture") { _ in SwiftLogNoOpLogHandler() }
    let isLoadToEnd = Atomic(false)
    let secondsUsed = Atomic(0)

    /// - Parameter report: called with lines of progress for people.
    public init(
        _ configuration: TortureConfiguration, isChatty: Bool = false, report: @escaping @Sendable (String) -> Void
    ) {
        (self.configuration, self.isChatty, self.report) = (configuration, isChatty, report)
        let shape = FaultSchedule.Shape(
            gateways: configuration.gateways, replicas: configuration.replicasOfServices)
        schedule = FaultSchedule(
            seed: configuration.seed, milliseconds: configuration.seconds * 1000, shape: shape,
            without: configuration.isElsewhere ? Set(FaultKind.allCases) : configuration.without)
        folder = "\(Self.temporary)/\(Leftovers.name(of: getpid()))"
    }

    /// The folder for temporary files, with a path short enough for sockets.
    private static var temporary: String {
        let path = NSTemporaryDirectory()
        let short = path.hasSuffix("/") ? String(path.dropLast()) : path
        return short.utf8.count <= 24 ? short : "/tmp"
    }

    /// The cluster that the run started, with everything that injects faults into it.
    struct OwnCluster: Sendable {
        var cluster: Cluster
        var links: Links
        var disk: SmallDisk?
        var clocks: [String: String]
        var injector: Injector
        var watch: ProcessWatch
        /// Takes the pushes; nil if that is not possible here.
        var sink: PushSink?
        /// Faults that this machine does not support, with the reason.
        var skipped: [String]
    }

    /// Everything that the run uses and must clean up.
    struct Scene: Sendable {
        /// nil for an external cluster.
        var own: OwnCluster?
        var recorder: Recorder
        var group: MultiThreadedEventLoopGroup
        var slowGroup: MultiThreadedEventLoopGroup
        var world = World()
    }

    /// Performs the run. If the task is cancelled, it ends early and cleans up.
    /// - Throws: `CancellationError`; ``ClusterError`` if the cluster cannot be started.
    public func run() async throws -> TortureReport {
        let scene = try await makeScene()
        do {
            let facts = try await live(in: scene)
            let audit = Audit(facts, minimum: minimum(scene, secondsUsed.load(ordering: .relaxed)))
            let figures = await figures(scene, facts, audit)
            return try await finish(scene, TortureReport(findings: audit.findings, figures: figures))
        } catch {
            await cleanUp(scene)
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    /// Ends the load on an external cluster early. The audit still checks everything.
    public func endLoad() {
        guard configuration.isElsewhere else { return }
        isLoadToEnd.store(true, ordering: .relaxed)
    }

    /// Returns the least that the run must have done, without the faults that this machine does not support.
    /// - Parameter seconds: the duration of the load.
    func minimum(_ scene: Scene, _ seconds: Int) -> Audit.Minimum {
        var minimum = configuration.minimum(schedule, seconds: seconds)
        let impossible = schedule.faults.filter { !isPossible($0.kind, scene) }
        minimum.kinds.subtract(impossible.map(\.kind))
        minimum.faults = (schedule.faults.count - impossible.count) * 3 / 4
        // Each person writes to one who is away, at least at the end.
        if scene.own?.sink != nil { minimum.awaitedPushes = configuration.clients }
        return minimum
    }

    private func isPossible(_ kind: FaultKind, _ scene: Scene) -> Bool {
        switch kind {
        case .disk: scene.own?.disk != nil
        case .clock: scene.own?.clocks.isEmpty == false
        default: true
        }
    }

    // MARK: Setting up and cleaning up

    private func makeScene() async throws -> Scene {
        for path in Leftovers.remove(in: Self.temporary) { report("Removed leftovers of a killed run: \(path)") }
        try FileManager.default.createDirectory(
            atPath: "\(folder)/l", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o711])
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let recorder = Recorder(path: "\(folder)/actions.log", mayStartOver: configuration.isElsewhere)
        let own = configuration.isElsewhere ? nil : await makeCluster(group, recorder)
        return Scene(
            own: own, recorder: recorder, group: group, slowGroup: MultiThreadedEventLoopGroup(numberOfThreads: 1))
    }

    private func makeCluster(_ group: MultiThreadedEventLoopGroup, _ recorder: Recorder) async -> OwnCluster {
        var skipped: [String] = []
        var cluster = ClusterConfiguration()
        cluster.folder = "\(folder)/c"
        (cluster.binaries, cluster.gateways, cluster.listen) = (
            configuration.binaries, configuration.gateways, "127.0.0.1:0"
        )
        cluster.startLimit = .seconds(240)
        cluster.replicas = configuration.replicasOfServices
        cluster.settings = Self.settings
        // Keeps the write-ahead log from filling the small disk.
        cluster.postgresSettings = ["max_wal_size": "64MB", "min_wal_size": "32MB", "max_connections": "100"]
        var disk: SmallDisk?
        if !configuration.without.contains(.disk) {
            let mounted = SmallDisk.mount(at: "\(folder)/c/postgres", megabytes: 600)
            disk = mounted.disk
            if mounted.disk == nil { skipped.append("disk: \(mounted.why)") }
        }
        let clocks = makeClocks(&cluster, &skipped)
        let sink = startSink(&cluster, recorder, &skipped)
        let links = Links(folder: "\(folder)/l", group: group)
        cluster.via = { links.via($0, $1, $2, $3) }
        let running = Cluster(cluster, log: log)
        let injector = await Injector(
            cluster: running, links: links, disk: disk, clocks: clocks, recorder: recorder, isChatty: isChatty,
            report: report)
        for line in skipped { report("Skipped: \(line)") }
        return OwnCluster(
            cluster: running, links: links, disk: disk, clocks: clocks, injector: injector,
            watch: ProcessWatch(running), sink: sink, skipped: skipped)
    }

    /// Lifts the rate limits and makes access tokens short-lived.
    private static let settings = ClusterConfiguration.liftedLimits.merging(
        ["conversations": ["PARLEY_TOKENS_ACCESS_SECONDS": "120"]]
    ) { $0.merging($1) { $1 } }

    private func makeClocks(_ cluster: inout ClusterConfiguration, _ skipped: inout [String]) -> [String: String] {
        guard !configuration.without.contains(.clock) else { return [:] }
        guard let library = Machine.libfaketime else {
            skipped.append("clock: libfaketime is not installed (Debian package faketime)")
            return [:]
        }
        var clocks: [String: String] = [:]
        for service in ClusterConfiguration.services {
            for number in 1...configuration.replicas {
                let name = "\(service)-\(number)"
                let path = "\(folder)/l/\(name).clock"
                try? "+0\n".write(toFile: path, atomically: false, encoding: .utf8)
                clocks[name] = path
                cluster.settings[name] = [
                    "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": path, "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                    "FAKETIME_CACHE_DURATION": "1",
                ]
            }
        }
        return clocks
    }

    /// Stops everything. Keeps all files if there are findings, else removes them.
    private func finish(_ scene: Scene, _ report: TortureReport) async throws -> TortureReport {
        scene.recorder.flush()
        await stop(scene)
        guard !report.hasPassed else {
            scene.own?.disk?.unmount()
            try FileManager.default.removeItem(atPath: folder)
            return report
        }
        var report = report
        let text = report.findings.map { "\($0)\n" }.joined()
        try? (configuration.command + "\n\n" + text)
            .write(toFile: "\(folder)/findings.txt", atomically: true, encoding: .utf8)
        let destination = configuration.keep ?? folder + "-failed"
        try? FileManager.default.createDirectory(atPath: destination, withIntermediateDirectories: true)
        // Copied, since the small disk is unmounted.
        let problem = Machine.run("cp", ["-a", "\(folder)/.", destination])
        report.kept = problem == nil ? destination : folder
        if problem == nil {
            scene.own?.disk?.unmount()
            try? FileManager.default.removeItem(atPath: folder)
        }
        return report
    }

    private func stop(_ scene: Scene) async {
        scene.recorder.endLoad()
        await scene.own?.watch.stop()
        await scene.own?.injector.heal()
        await withTaskGroup(of: Void.self) { group in
            for person in scene.world.people { group.addTask { await person.leave() } }
        }
        await scene.own?.injector.closeForwarders()
        await scene.own?.cluster.stop()
        scene.own?.sink?.end()
        scene.own?.links.close()
        try? await scene.group.shutdownGracefully()
        try? await scene.slowGroup.shutdownGracefully()
    }

    private func cleanUp(_ scene: Scene) async {
        await stop(scene)
        scene.own?.disk?.unmount()
    }

    // MARK: The run

    private func live(in scene: Scene) async throws -> Facts {
        let began = ContinuousClock.now
        var sockets = configuration.elsewhere
        if let own = scene.own {
            sockets = try await own.cluster.start().sockets
            try await own.links.check()
            try await startForwarders(own)
            report("The cluster in \(folder) is ready after \(seconds(since: began)) s.")
            await own.watch.start()
        }
        let entrance = Entrance(sockets: sockets, group: scene.group, slowGroup: scene.slowGroup)
        try await gather(scene, entrance)
        report(
            "\(configuration.clients) people have signed in after \(seconds(since: began)) s. "
                + "\(schedule.faults.count) faults follow.")
        try await load(scene)
        try await recover(scene, entrance)
        try await sendFinalMessages(scene)
        try await awaitPushes(scene)
        try await judge(scene, entrance)
        try await showPresence(scene)
        try await spareThoseInFront(scene)
        return await facts(scene)
    }

    /// Puts forwarders on the update links, which drop the Updates that the seed selects.
    private func startForwarders(_ own: OwnCluster) async throws {
        guard !configuration.without.contains(.drop) else { return }
        for name in own.links.names where name.kind == .updates {
            guard let proxy = own.links[name], let endpoint = own.links.endpoint(of: name) else { continue }
            let links = own.links
            let forwarder = try await UpdateForwarder(
                of: endpoint, service: String(name.replica.prefix { $0 != "-" }), for: proxy, seed: configuration.seed,
                name: "\(name)", keys: own.cluster.keys, log: log
            ) { links.socketPath(of: name, $0) }
            try await forwarder.start()
            await own.injector.add(forwarder, on: name)
        }
    }

    /// Registers all people and creates the first conversations.
    private func gather(_ scene: Scene, _ entrance: Entrance) async throws {
        let seed = configuration.seed
        let people = try await withThrowingTaskGroup(of: Person.self) { group in
            var people: [Person] = []
            for number in 0..<configuration.clients {
                if number >= 4, let person = try await group.next() { people.append(person) }
                group.addTask {
                    try await Person.register(
                        number: number, seed: seed, entrance: entrance, world: scene.world, recorder: scene.recorder)
                }
            }
            for try await person in group { people.append(person) }
            return people.sorted { $0.number < $1.number }
        }
        scene.world.people = people
        let users = people.map(\.user)
        for (index, person) in people.enumerated() where index % 4 == 0 {
            let others = Set(users.enumerated().filter { ($0.offset + index) % 3 != 1 }.map(\.element))
            let id = await person.createGroup(of: others.subtracting([person.user]).sorted(), named: "group \(index)")
            guard let id else { continue }
            for other in people where other !== person && others.contains(other.user) {
                await other.accept(invitation: id, by: other.home)
            }
        }
        for (index, person) in people.enumerated() {
            _ = await person.start(with: people[(index + 1) % people.count], by: person.home)
        }
        if scene.own?.sink != nil { try await registerPushes(scene, entrance) }
    }

    /// Waits for the cluster to recover on its own after all faults have ended.
    private func recover(_ scene: Scene, _ entrance: Entrance) async throws {
        let began = ContinuousClock.now
        do {
            try await scene.own?.cluster.waitUntilReady(within: .seconds(60))
        } catch {
            scene.recorder.trouble("the cluster did not recover within 60 s: \(error)")
        }
        for url in entrance.http {
            var problem: String?
            for _ in 0..<60 {
                try Task.checkCancellation()
                problem = await Health.problem(at: url, on: scene.group)
                if problem == nil { break }
                try await Task.sleep(for: .milliseconds(500))
            }
            if let problem { scene.recorder.trouble("\(url)/health is not ready 30 s after the faults: \(problem)") }
        }
        for resident in scene.world.people.flatMap(\.residents) {
            var isReady = false
            for _ in 0..<300 where !isReady {
                try Task.checkCancellation()
                isReady = await resident.isReady
                if await resident.stoppedBy != nil { break }
                if !isReady { try await Task.sleep(for: .milliseconds(100)) }
            }
            if !isReady {
                let why = await resident.stoppedBy.map { " (\($0))" } ?? ""
                scene.recorder.trouble("\(resident.name) is not connected 30 s after the faults\(why)")
            }
        }
        report("The cluster recovered \(seconds(since: began)) s after the last fault.")
    }

    /// Sends the last messages while dropping many of their Updates. No later Update reveals the gap.
    private func sendFinalMessages(_ scene: Scene) async throws {
        let losing = configuration.without.contains(.drop) ? nil : scene.own
        await losing?.injector.dropEverywhere(300)
        await withTaskGroup(of: Void.self) { group in
            for person in scene.world.people {
                group.addTask {
                    await person.sendFinalMessages()
                    await person.writeToAbsent()
                    await person.blockFinally()
                }
            }
            // The reminders of the load are due within 3 s of it, and fire within one more.
            group.addTask { try? await Task.sleep(for: .seconds(5)) }
        }
        try Task.checkCancellation()
        if let losing {
            await losing.injector.dropEverywhere(0)
            if await losing.injector.dropped == 0 { scene.recorder.trouble("no Update was dropped") }
        }
    }

    /// Reads everything with new devices, and waits until the permanent devices hold the same. Nothing prompts them.
    private func judge(_ scene: Scene, _ entrance: Entrance) async throws {
        report("Reading everything with new devices.")
        await withTaskGroup(of: Void.self) { group in
            for (index, person) in scene.world.people.enumerated() {
                if index >= 4 { await group.next() }
                group.addTask {
                    await person.checkSignedOutDevices()
                    await person.readAnew(through: index)
                }
            }
            for absent in scene.world.absent {
                group.addTask {
                    await Newcomer(
                        user: absent.user, username: absent.username, entrance: entrance, recorder: scene.recorder
                    ).read(through: 0)
                }
            }
        }
        let fresh = scene.recorder.facts
        let comparison = StateComparison(fresh)
        for person in scene.world.people {
            for resident in person.residents {
                var state = await resident.state
                for _ in 0..<200 {
                    try Task.checkCancellation()
                    if fresh.fresh[person.user] == nil { break }
                    if comparison.isSame(state, as: person.user) { break }
                    if await resident.stoppedBy != nil { break }
                    // All devices together have 20 s to fetch what they missed.
                    guard ContinuousClock.now < scene.recorder.catchUpDeadline else { break }
                    try await Task.sleep(for: .milliseconds(100))
                    state = await resident.state
                }
                let stoppedBy = await resident.stoppedBy
                let held = state
                scene.recorder.note {
                    $0.kept.append(
                        KeptFact(client: resident.name, user: person.user, state: held, stoppedBy: stoppedBy))
                }
            }
        }
    }

    private func facts(_ scene: Scene) async -> Facts {
        if let own = scene.own {
            let kills = await own.injector.kills
            let databaseMayDie = scene.recorder.facts.faults[.disk] ?? 0 > 0
            let processes = await own.watch.facts(kills: kills, databaseMayDie: databaseMayDie)
            scene.recorder.note { $0.processes = processes }
        }
        return scene.recorder.facts
    }

    func seconds(since began: ContinuousClock.Instant) -> Int {
        Int((ContinuousClock.now - began).components.seconds)
    }
}
