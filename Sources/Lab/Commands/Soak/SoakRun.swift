import Cluster
import Conformance
import Foundation
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Torture

/// The settings of a soak.
struct SoakConfiguration: Sendable {
    /// Determines all actions and faults.
    var seed: UInt64
    /// How long devices act and faults happen; comparing comes on top.
    var seconds: Int
    var people = 3
    /// The client and its arguments.
    var client: [String]
    /// The folder of the programs.
    var binaries: String?
    /// The folder that keeps everything if something is found; nil: one in the system's temporary folder.
    var keep: String?

    /// The command that repeats the run.
    var command: String {
        "parley-lab soak --seed \(seed) --seconds \(seconds) --people \(people) -- \(client.joined(separator: " "))"
    }
}

/// The result of a soak.
struct SoakReport: Sendable {
    var findings: [String]
    /// The figures, in one line.
    var figures: String
    /// The folder that keeps everything; nil if nothing was found.
    var kept: String?
}

/// Lets devices of several people act on a private cluster while they are killed, cut off and moved to the background,
/// and its processes are killed. At quiet points it compares what they show.
final class SoakRun: Sendable {
    let configuration: SoakConfiguration
    let record: SoakRecord
    let report: @Sendable (String) -> Void
    let folder: String
    let cluster: Cluster
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let watch: ProcessWatch
    /// How often each process of the cluster was killed.
    private let kills = Mutex<[String: Int]>([:])
    private let scene = Mutex(Scene())
    private let lastNumber = Atomic(0)

    private struct Scene {
        var devices: [SoakDevice] = []
        var people: [SoakPerson] = []
        var gateways: [SocketAddress] = []
    }

    init(_ configuration: SoakConfiguration, report: @escaping @Sendable (String) -> Void) throws {
        (self.configuration, self.report) = (configuration, report)
        folder = "\(Self.temporary)/parley-soak-\(getpid())"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o711])
        record = SoakRecord(path: "\(folder)/actions.log")
        var settings = ClusterConfiguration()
        (settings.folder, settings.binaries, settings.listen) = ("\(folder)/c", configuration.binaries, "127.0.0.1:0")
        (settings.gateways, settings.startLimit) = (2, .seconds(240))
        // Tokens end within a run, so that devices refresh them.
        settings.settings = ClusterConfiguration.liftedLimits
        settings.settings["conversations", default: [:]]["PARLEY_TOKENS_ACCESS_SECONDS"] = "120"
        cluster = Cluster(settings, log: Logger(label: "soak") { _ in SwiftLogNoOpLogHandler() })
        watch = ProcessWatch(cluster)
    }

    /// The folder for temporary files, with a path short enough for sockets.
    private static var temporary: String {
        let path = NSTemporaryDirectory()
        let short = path.hasSuffix("/") ? String(path.dropLast()) : path
        return short.utf8.count <= 24 ? short : "/tmp"
    }

    var devices: [SoakDevice] { scene.withLock { $0.devices } }
    /// The people of the whole run, and those who came later.
    var people: [SoakPerson] { scene.withLock { $0.people } }
    /// The people of the whole run.
    var residents: [SoakPerson] { Array(people.prefix(configuration.people)) }
    var gateways: [SocketAddress] { scene.withLock { $0.gateways } }
    /// The device that changes between two people.
    var switcher: Int { 2 * configuration.people }
    /// The device of somebody new again and again.
    var newcomer: Int { 2 * configuration.people + 1 }

    func add(_ person: SoakPerson) { scene.withLock { $0.people.append(person) } }

    // MARK: The run

    /// Performs the run. If the task is cancelled, it ends early and cleans up.
    func run() async throws -> SoakReport {
        do {
            try await live()
        } catch {
            await stop()
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
        await watchProcesses()
        await stop()
        return finish()
    }

    private func live() async throws {
        let endpoints = try await cluster.start()
        await watch.start()
        let addresses = try endpoints.sockets.map { socket in
            let url = URL(string: socket)
            return try SocketAddress(ipAddress: url?.host ?? "127.0.0.1", port: url?.port ?? 0)
        }
        scene.withLock { $0.gateways = addresses }
        report("The cluster in \(folder) is ready after \(record.time) s.")
        try await gather()
        report("\(configuration.people) people with \(devices.count) devices are ready after \(record.time) s.")
        guard try await isQuietPointRight(0) else { return }
        let rounds = max(1, (configuration.seconds + 20) / 45)
        for round in 1...rounds {
            let seconds = configuration.seconds * round / rounds - configuration.seconds * (round - 1) / rounds
            try await act(for: .seconds(seconds))
            guard try await isQuietPointRight(round) else { return }
            let figures = record.figures
            report(
                "\(record.time) s: round \(round) of \(rounds) is right. \(figures.actions) actions, "
                    + "\(figures.kills) kills, \(record.promises.messages) messages")
        }
    }

    /// Makes a device with a folder and a link of its own.
    func makeDevice() async throws -> SoakDevice {
        let number = lastNumber.wrappingAdd(1, ordering: .relaxed).oldValue
        let upstreams = gateways
        let link = LinkProxy(on: group.next(), upstream: upstreams[number % upstreams.count])
        let port = try await link.listenOnLoopback().get()
        return SoakDevice(
            number, folder: "\(folder)/d\(number)", link: link, port: port, client: configuration.client,
            record: record, seed: configuration.seed)
    }

    /// Kills a process of the cluster, which starts it again.
    func kill(_ name: String) async {
        do {
            try await cluster.kill(name)
            kills.withLock { $0[name, default: 0] += 1 }
            record.log("\(name) is killed")
        } catch {
            record.log("\(name) cannot be killed now: \(error)")
        }
    }

    private func watchProcesses() async {
        let known = kills.withLock { $0 }
        for fact in await watch.facts(kills: known, databaseMayDie: false) {
            if fact.restarts > fact.kills {
                record.found("\(fact.name) ended by itself: \(fact.restarts) restarts, \(fact.kills) kills")
            }
            for line in fact.alarms.prefix(5) { record.found("\(fact.name) logged: \(line)") }
        }
    }

    private func stop() async {
        await watch.stop()
        for device in devices {
            await device.end()
            device.link.close()
        }
        await cluster.stop()
        try? await group.shutdownGracefully()
    }

    private func finish() -> SoakReport {
        let (findings, figures) = (record.findings, record.figures)
        let dropped = figures.dropped.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: " ")
        let line =
            "\(devices.count) devices, \(figures.actions) actions, \(figures.refusals) refused at once, "
            + "\(figures.kills) kills, \(figures.gatewayKills) of "
            + "gateways, \(figures.restarts) of services, \(figures.cuts) cuts, \(figures.freezes) freezes, "
            + "\(figures.suspensions) times in the background, \(figures.switches) sign-outs and switches, "
            + "\(record.promises.messages) messages, \(figures.comparisons) comparisons"
            + (dropped.isEmpty ? "" : "; refused later: \(dropped)")
        guard !findings.isEmpty else {
            try? FileManager.default.removeItem(atPath: folder)
            return SoakReport(findings: [], figures: line, kept: nil)
        }
        let text = configuration.command + "\n\n" + findings.joined(separator: "\n\n") + "\n"
        try? text.write(toFile: "\(folder)/findings.txt", atomically: true, encoding: .utf8)
        let kept = configuration.keep ?? folder + "-failed"
        do {
            let parent = URL(fileURLWithPath: kept).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: folder, toPath: kept)
            try FileManager.default.removeItem(atPath: folder)
            return SoakReport(findings: findings, figures: line, kept: kept)
        } catch {
            return SoakReport(findings: findings, figures: line, kept: folder)
        }
    }

    // MARK: The beginning

    /// Registers everybody, lets them get to know each other, and makes the groups.
    private func gather() async throws {
        let run = String(configuration.seed, radix: 36)
        for person in 0..<configuration.people {
            for number in 0..<2 {
                let device = try await newDevice()
                let who = SoakPerson(username: "soak\(person)x\(run)", password: "correct horse \(person)", user: "")
                guard await device.signIn(who, registers: number == 0, attempts: 100) else {
                    throw SoakFailure(
                        "\(device.name) could not sign in: " + (await device.history.joined(separator: "\n")))
                }
                if number == 0, let known = await device.person { add(known) }
            }
        }
        for _ in 0..<2 { _ = try await newDevice() }
        try await introduce()
        let first = devices[0]
        for name in ["Crew", "Change"] {
            var command = DeviceCommand(.group)
            (command.text, command.users) = (name, residents.dropFirst().map(\.user))
            guard let id = await first.tell(command)?.id else { throw SoakFailure("the group \(name) was not made") }
            if name == "Change" { record.note { $0.promises.unstable.insert(id) } }
        }
        let users = residents.map(\.user)
        for device in devices {
            await device.watches(users)
            await device.watchAgain()
        }
        _ = await devices[switcher].signIn(residents[0], attempts: 100)
        try await register(devices[newcomer])
    }

    private func newDevice() async throws -> SoakDevice {
        let device = try await makeDevice()
        scene.withLock { $0.devices.append(device) }
        await device.start()
        return device
    }

    /// Everybody writes to everybody, who accepts.
    private func introduce() async throws {
        for one in 0..<configuration.people {
            for other in (one + 1)..<max(one + 1, configuration.people) {
                let (writer, reader) = (devices[2 * one], devices[2 * other])
                var start = DeviceCommand(.start)
                start.users = [people[other].user]
                var hello = DeviceCommand(.send)
                hello.chat = await writer.tell(start)?.id
                hello.text = "hello\(one).\(other)"
                _ = await writer.tell(hello)
                let late = await waits(for: "\(reader.name) gets the request of \(writer.name)") {
                    await reader.tell(.init(.accept))?.id == nil ? ["no request"] : []
                }
                guard late.isEmpty else { throw SoakFailure("\(reader.name) got no request of \(writer.name)") }
            }
        }
    }

    /// Lets somebody new use a device, who writes to one of the others.
    func register(_ device: SoakDevice) async throws {
        // One whose answer is lost may be taken already.
        let name = "new\(await device.draw { $0.below(1_000_000_000) })x\(String(configuration.seed, radix: 36))"
        let who = SoakPerson(username: name, password: "correct horse new", user: "")
        guard await device.signIn(who, registers: true, attempts: 3), let known = await device.person else { return }
        add(known)
        let others = residents
        var start = DeviceCommand(.start)
        start.users = [await device.draw { $0.pick(others) }.map(\.user) ?? ""]
        var hello = DeviceCommand(.send)
        hello.chat = await device.tell(start)?.id
        hello.text = "hello\(people.count) from \(name)"
        if hello.chat != nil { _ = await device.tell(hello) }
    }

    // MARK: Waiting

    /// Waits until nothing is missing.
    /// - Parameter patience: how long nothing may change.
    /// - Returns: what was missing at last.
    func waits(
        for what: String, patience: Duration = .seconds(45), _ missing: () async -> [String]
    ) async -> [String] {
        var (last, since): ([String], ContinuousClock.Instant) = ([], .now)
        while true {
            let now = await missing()
            if now.isEmpty || Task.isCancelled { return [] }
            if now != last { (last, since) = (now, .now) }
            if .now - since > patience {
                record.log("waited for: \(what)")
                return now
            }
            try? await Task.sleep(for: .milliseconds(200))
        }
    }
}

/// The soak cannot go on.
struct SoakFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
