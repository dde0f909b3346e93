import Cluster
import Foundation
import Logging
import NIOCore
import NIOPosix
import ParleyClient
import Reactor
import Synchronization

/// One run: a cluster of real processes, people who use it, faults that follow from the seed, then quiet, and the audit
/// of all that was told and promised.
public final class TortureRun: Sendable {
    private let configuration: TortureConfiguration
    private let schedule: FaultSchedule
    private let tell: @Sendable (String) -> Void
    private let isChatty: Bool
    /// Everything of this run.
    private let folder: String
    private let log = Logger(label: "torture") { _ in SwiftLogNoOpLogHandler() }
    private let isLoadToEnd = Atomic(false)
    private let secondsUsed = Atomic(0)

    /// - Parameter tell: gets lines for people about how it goes.
    public init(
        _ configuration: TortureConfiguration, isChatty: Bool = false, tell: @escaping @Sendable (String) -> Void
    ) {
        (self.configuration, self.isChatty, self.tell) = (configuration, isChatty, tell)
        let shape = FaultSchedule.Shape(
            gateways: configuration.gateways, replicas: configuration.replicasOfServices)
        schedule = FaultSchedule(
            seed: configuration.seed, milliseconds: configuration.seconds * 1000, shape: shape,
            without: configuration.isElsewhere ? Set(FaultKind.allCases) : configuration.without)
        folder = "\(Self.temporary)/\(Leftovers.name(of: getpid()))"
    }

    /// Sockets need short paths.
    private static var temporary: String {
        let path = NSTemporaryDirectory()
        let short = path.hasSuffix("/") ? String(path.dropLast()) : path
        return short.utf8.count <= 24 ? short : "/tmp"
    }

    /// A cluster that was made for the run, with what breaks it.
    private struct OwnCluster: Sendable {
        var cluster: Cluster
        var links: Links
        var disk: SmallDisk?
        var clocks: [String: String]
        var injector: Injector
        var watch: ProcessWatch
        var leftOut: [String]
    }

    /// What is there while it runs, and must be cleared away.
    private struct Scene: Sendable {
        /// nil when the cluster is somebody else's, who breaks it as they like.
        var own: OwnCluster?
        var recorder: Recorder
        var group: MultiThreadedEventLoopGroup
        var slowGroup: MultiThreadedEventLoopGroup
        var world = World()
    }

    /// Runs it all. When the task is cancelled it ends early, and clears up.
    /// - Throws: `CancellationError`; ``ClusterError`` when the cluster cannot even be started.
    public func run() async throws -> TortureReport {
        let scene = try await makeScene()
        do {
            let facts = try await live(in: scene)
            let audit = Audit(facts, minimum: minimum(scene))
            let figures = await figures(scene, facts, audit)
            return try await finish(scene, TortureReport(findings: audit.findings, figures: figures))
        } catch {
            await clear(scene)
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    /// Ends the use of somebody else's cluster before its time; all is checked.
    public func endLoad() {
        guard configuration.isElsewhere else { return }
        isLoadToEnd.store(true, ordering: .relaxed)
    }

    /// What was left out here cannot have taken place.
    private func minimum(_ scene: Scene) -> Audit.Minimum {
        var minimum = configuration.minimum(schedule, seconds: secondsUsed.load(ordering: .relaxed))
        let impossible = schedule.faults.filter { !isPossible($0.kind, scene) }
        minimum.kinds.subtract(impossible.map(\.kind))
        minimum.faults = (schedule.faults.count - impossible.count) * 3 / 4
        return minimum
    }

    private func isPossible(_ kind: FaultKind, _ scene: Scene) -> Bool {
        switch kind {
        case .disk: scene.own?.disk != nil
        case .clock: scene.own?.clocks.isEmpty == false
        default: true
        }
    }

    // MARK: Before and after

    private func makeScene() async throws -> Scene {
        for leftover in Leftovers.remove(in: Self.temporary) { tell("Removed what a killed run left: \(leftover)") }
        try FileManager.default.createDirectory(
            atPath: "\(folder)/l", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o711])
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let recorder = Recorder(path: "\(folder)/actions.log", mayStartOver: configuration.isElsewhere)
        let own = configuration.isElsewhere ? nil : await makeCluster(group, recorder)
        return Scene(
            own: own, recorder: recorder, group: group, slowGroup: MultiThreadedEventLoopGroup(numberOfThreads: 1))
    }

    private func makeCluster(_ group: MultiThreadedEventLoopGroup, _ recorder: Recorder) async -> OwnCluster {
        var leftOut: [String] = []
        var cluster = ClusterConfiguration()
        cluster.folder = "\(folder)/c"
        (cluster.binaries, cluster.gateways, cluster.listen) = (
            configuration.binaries, configuration.gateways, "127.0.0.1:0"
        )
        cluster.startLimit = .seconds(240)
        cluster.replicas = configuration.replicasOfServices
        cluster.settings = Self.settings
        // So that the database does not fill its small disk by itself.
        cluster.postgresSettings = ["max_wal_size": "64MB", "min_wal_size": "32MB", "max_connections": "100"]
        var disk: SmallDisk?
        if !configuration.without.contains(.disk) {
            let mounted = SmallDisk.mount(at: "\(folder)/c/postgres", megabytes: 600)
            disk = mounted.disk
            if mounted.disk == nil { leftOut.append("disk: \(mounted.why)") }
        }
        let clocks = makeClocks(&cluster, &leftOut)
        let links = Links(folder: "\(folder)/l", group: group)
        cluster.via = { links.via($0, $1, $2, $3) }
        let running = Cluster(cluster, log: log)
        let injector = await Injector(
            cluster: running, links: links, disk: disk, clocks: clocks, recorder: recorder, isChatty: isChatty,
            tell: tell)
        for line in leftOut { tell("Left out: \(line)") }
        return OwnCluster(
            cluster: running, links: links, disk: disk, clocks: clocks, injector: injector,
            watch: ProcessWatch(running), leftOut: leftOut)
    }

    /// People may do as much as they can; tokens are renewed often.
    private static let settings: [String: [String: String]] = [
        "gateway": [
            "PARLEY_LIMITS_REQUESTS_PER_SECOND": "1000000", "PARLEY_LIMITS_REQUESTS_BURST": "1000000",
            "PARLEY_LIMITS_REQUESTS_IN_FLIGHT": "10000",
        ],
        "conversations": [
            "PARLEY_LIMITS_REQUESTS_PER_MINUTE": "1000000",
            "PARLEY_LIMITS_GROUP_CHANGES_PER_MINUTE": "1000000",
            "PARLEY_LIMITS_PROFILE_CHANGES_PER_MINUTE": "1000000",
            "PARLEY_LIMITS_REGISTRATIONS_PER_MINUTE": "1000000", "PARLEY_LIMITS_SIGN_INS_PER_MINUTE": "1000000",
            "PARLEY_TOKENS_ACCESS_SECONDS": "120",
        ],
    ]

    private func makeClocks(_ cluster: inout ClusterConfiguration, _ leftOut: inout [String]) -> [String: String] {
        guard !configuration.without.contains(.clock) else { return [:] }
        guard let library = Machine.libfaketime else {
            leftOut.append("clock: libfaketime is not installed (Debian package faketime)")
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

    /// Stops everything and keeps what was found, or removes it all.
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
        let place = configuration.keep ?? folder + "-failed"
        try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        // The small disk goes; what is on it stays.
        let problem = Machine.run("cp", ["-a", "\(folder)/.", place])
        report.kept = problem == nil ? place : folder
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
        scene.own?.links.close()
        try? await scene.group.shutdownGracefully()
        try? await scene.slowGroup.shutdownGracefully()
    }

    private func clear(_ scene: Scene) async {
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
            tell("The cluster stands after \(seconds(since: began)) s, in \(folder).")
            await own.watch.start()
        }
        let entrance = Entrance(sockets: sockets, group: scene.group, slowGroup: scene.slowGroup)
        try await gather(scene, entrance)
        tell(
            "\(configuration.clients) people are there after \(seconds(since: began)) s; \(schedule.faults.count) faults follow."
        )
        try await load(scene)
        try await recover(scene, entrance)
        try await sayLastWords(scene)
        try await judge(scene, entrance)
        return await facts(scene)
    }

    /// Forwarders stand on the update links, to lose what the seed says.
    private func startForwarders(_ own: OwnCluster) async throws {
        guard !configuration.without.contains(.drop) else { return }
        for name in own.links.names where name.kind == .updates {
            guard let proxy = own.links[name], let endpoint = own.links.endpoint(of: name) else { continue }
            let links = own.links
            let forwarder = try await UpdateForwarder(
                of: endpoint, service: String(name.replica.prefix { $0 != "-" }), for: proxy, seed: configuration.seed,
                name: "\(name)", keys: own.cluster.keys, log: log
            ) { links.place(of: name, $0) }
            try await forwarder.start()
            await own.injector.add(forwarder, on: name)
        }
    }

    /// Registers everybody, and makes the first groups.
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
            await person.createGroup(of: others.subtracting([person.user]).sorted(), named: "group \(index)")
        }
        for (index, person) in people.enumerated() {
            _ = await person.start(with: people[(index + 1) % people.count], by: person.home)
        }
    }

    private func load(_ scene: Scene) async throws {
        let faults = Task { await scene.own?.injector.run(schedule) }
        let people = Task {
            await withTaskGroup(of: Void.self) { group in
                for person in scene.world.people { group.addTask { await person.live() } }
                for person in scene.world.people where person.number % 2 == 1 {
                    group.addTask { await person.keepWriting() }
                }
            }
        }
        defer {
            faults.cancel()
            people.cancel()
        }
        let began = ContinuousClock.now
        // A slow machine takes up to twice the time until enough was done to be judged.
        let enough = 2 * configuration.minimum(schedule, seconds: configuration.seconds).notes
        for second in 1...2 * configuration.seconds where !isLoadToEnd.load(ordering: .relaxed) {
            if second > configuration.seconds, scene.recorder.certainMemberships >= enough { break }
            try await Task.sleep(until: began + .seconds(second), clock: .continuous)
            guard second % 10 == 0 || second == configuration.seconds else { continue }
            tell("  \(scene.recorder.actions) actions, \(scene.recorder.acknowledged) messages acknowledged")
        }
        secondsUsed.store(min(seconds(since: began), configuration.seconds), ordering: .relaxed)
        scene.recorder.endLoad()
        await faults.value
        await scene.own?.injector.heal()
        let ended = await within(.seconds(60)) { await people.value }
        if !ended { scene.recorder.trouble("people were still waiting for answers 60 s after the load") }
    }

    /// Everything is healed: the cluster has to find back by itself.
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
        tell("All is there again \(seconds(since: began)) s after the last fault.")
    }

    /// The last messages, of which many Updates are lost and nothing follows that would show it.
    private func sayLastWords(_ scene: Scene) async throws {
        let losing = configuration.without.contains(.drop) ? nil : scene.own
        await losing?.injector.dropEverywhere(300)
        await withTaskGroup(of: Void.self) { group in
            for person in scene.world.people { group.addTask { await person.sayLastWords() } }
        }
        try Task.checkCancellation()
        if let losing {
            await losing.injector.dropEverywhere(0)
            if await losing.injector.dropped == 0 { scene.recorder.trouble("not one Update was lost on purpose") }
        }
    }

    /// Reads everything anew, and waits for those who stayed to hold the same: nobody asks on their behalf.
    private func judge(_ scene: Scene, _ entrance: Entrance) async throws {
        tell("Reading everything anew.")
        await withTaskGroup(of: Void.self) { group in
            for (index, person) in scene.world.people.enumerated() {
                if index >= 4 { await group.next() }
                group.addTask {
                    await person.judgeEndedDevices()
                    await person.readAnew(through: index)
                }
            }
        }
        let fresh = scene.recorder.facts
        for person in scene.world.people {
            for resident in person.residents {
                var state = await resident.state
                for _ in 0..<200 {
                    try Task.checkCancellation()
                    if fresh.fresh[person.user] == nil { break }
                    if fresh.isSame(state, as: person.user) { break }
                    if await resident.stoppedBy != nil { break }
                    // 20 s in all for everybody: what was missed must have come by then.
                    guard ContinuousClock.now < scene.recorder.patienceEnds else { break }
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

    // MARK: Figures

    private func figures(_ scene: Scene, _ facts: Facts, _ audit: Audit) async -> [(name: String, value: String)] {
        let checked = audit.checked
        let reliably = scene.recorder.reliablySent
        var figures: [(name: String, value: String)] = [
            ("seed", "\(configuration.seed)"),
            ("people, devices that stay", "\(configuration.clients), \(2 * configuration.clients)"),
            ("actions", "\(scene.recorder.actions)"),
            (
                "messages acknowledged, refused, unknown",
                "\(checked.acknowledged), \(checked.refused), \(checked.unknown)"
            ),
            ("messages compared, once for each member", "\(checked.messagesOfReaders)"),
            ("histories read, conversations made", "\(checked.histories), \(facts.conversations.count)"),
            ("messages seen on the way and found again", "\(checked.announced)"),
            ("positions compared", "\(checked.readings)"),
            ("reminders, devices signed out", "\(checked.reminders), \(checked.devices)"),
            ("members added, removed, left; notes of it", "\(facts.memberships.count); \(checked.notes)"),
            (
                "refusals",
                scene.recorder.refusals.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(
                    separator: ", ")
            ),
            (
                "messages sent until they were taken; longest time for one",
                "\(reliably.count); \(seconds(reliably.longest))"
            ),
            ("longest time a person was without service", seconds(scene.recorder.longestOutage)),
            ("recoveries of a person", "\(scene.recorder.recoveries)"),
        ]
        if configuration.isElsewhere {
            figures.append(("conversations read anew by a device", "\(scene.recorder.startsOver)"))
        }
        if let own = scene.own {
            let kinds = facts.faults.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            figures.append(("faults", "\(checked.faults): \(kinds)"))
            figures.append(
                (
                    "Updates passed on, lost on purpose",
                    "\(await own.injector.forwarded), \(await own.injector.dropped)"
                ))
        }
        for process in facts.processes where process.residentKiBMax > 0 {
            let ended = process.kills == .max ? "" : ", ended \(process.kills) times"
            figures.append((process.name, "at most \(process.residentKiBMax / 1024) MiB\(ended)"))
        }
        for line in scene.own?.leftOut ?? [] { figures.append(("left out", line)) }
        return figures
    }

    private func seconds(_ microseconds: Int64) -> String { "\(Double(microseconds / 10_000) / 100) s" }

    private func seconds(since began: ContinuousClock.Instant) -> Int {
        Int((ContinuousClock.now - began).components.seconds)
    }

    /// - Returns: false when it took longer; it then goes on by itself.
    private func within(_ limit: Duration, _ body: @escaping @Sendable () async -> Void) async -> Bool {
        await withCheckedContinuation { continuation in
            let first = First()
            Task {
                await body()
                if await first.isFirst() { continuation.resume(returning: true) }
            }
            Task {
                try? await Task.sleep(for: limit)
                if await first.isFirst() { continuation.resume(returning: false) }
            }
        }
    }

    private actor First {
        private var isTaken = false
        func isFirst() -> Bool {
            defer { isTaken = true }
            return !isTaken
        }
    }
}
