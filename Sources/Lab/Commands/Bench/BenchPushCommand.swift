import ArgumentParser
import Command
import Foundation
import NIOCore
import NIOPosix
import ParleyClient
import Postgres
import Reactor
import Torture

struct BenchPushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Measure pushes, from a message to the request on the wire, and what they cost.",
        discussion: """
            People who are away register a device each, as apps do. A server on this machine takes the pushes in place \
            of Google's, over HTTP/2 and TLS (Tests/Push/sink.py; run this in the folder of Parley's sources). First, \
            messages to groups of up to 200 of them make pushes as fast as they go. Then a message goes to one person \
            50 times per second; latency counts from the time of the message, before its commit, until the server has \
            read the request. Last, clients without devices send as in "bench send", in turn with notifications \
            running and stopped.

            Each registration takes some requests: a million devices take half an hour or longer.

            Examples:
              parley-lab bench push --json
              parley-lab bench push --devices 1000000
            """)

    @Option(help: "The number of registered devices.") var devices = 2000
    @Option(help: "The number of pushes of the first measurement.") var pushes = 50_000
    @Option(help: "Seconds of each other measurement.") var seconds = 10
    @Option(help: "How often sends are measured with and without notifications.") var rounds = 2
    @Option(help: "The number of clients that send; must be even.") var clients = 64
    @Option(help: ArgumentHelp("The server that takes the pushes.", valueName: "file"))
    var pushServer = "Tests/Push/sink.py"
    @OptionGroup var bench: BenchOptions

    private static let groupSize = 200
    /// More devices than these are registered, and get no message.
    private static let reachedMax = 10_000
    private static let latencyRate = 50

    struct Sends: Encodable, Sendable {
        var ackedPerS: [Double] = []
        var p50Ms: [Double] = []
        var p99Ms: [Double] = []
    }

    struct Result: Encodable, Sendable {
        var devices: Int
        var registeredPerS = 0.0
        var pushes = 0
        var pushesPerS = 0.0
        /// CPU for a push, by process.
        var cpuMsPerPush: [String: Double] = [:]
        var postgresCpuMsPerPush = 0.0
        var pushServerCpuMsPerPush = 0.0
        /// From the time of a message, before its commit.
        var onWireMs = Milliseconds([])
        /// Resident, before and after all devices were registered.
        var memoryBeforeMib = 0.0
        var memoryAfterMib = 0.0
        var diskBytesPerDevice = 0.0
        var sendsWith = Sends()
        var sendsWithout = Sends()
    }

    func validate() throws {
        guard (1...10_000_000).contains(devices) else {
            throw ValidationError("--devices must be 1 to 10000000, not \(devices).")
        }
        guard (1...10_000_000).contains(pushes) else {
            throw ValidationError("--pushes must be 1 to 10000000, not \(pushes).")
        }
        guard (1...3600).contains(seconds) else {
            throw ValidationError("--seconds must be 1 to 3600, not \(seconds).")
        }
        guard (0...100).contains(rounds) else { throw ValidationError("--rounds must be 0 to 100, not \(rounds).") }
        guard clients >= 2, clients % 2 == 0, clients <= 10_000 else {
            throw ValidationError("--clients must be an even number from 2 to 10000, not \(clients).")
        }
    }

    func run() async throws {
        let folder = NSTemporaryDirectory() + "parley-bench-push-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let arrivals = PushArrivals()
        let sink: PushSink
        do {
            sink = try PushSink(pushServer, folder: folder) { arrivals.take($0) }
        } catch {
            throw Failure(.noFile, "\(error).", advice: "Or give --push-server.", exitCode: .usage)
        }
        defer { sink.end() }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { group.shutdownGracefully { _ in } }
        let metrics = try await BenchMetrics(on: group)
        var settings = BenchCluster.lifted(connections: clients)
        settings["conversations"]?["PARLEY_GUESTS"] = "on"
        settings["notifications"] = try sink.settings.merging([
            "PARLEY_LISTEN_MONITOR": metrics.address, "PARLEY_LIMITS_QUEUED_PUSHES": "10000",
        ]) { $1 }
        let result = try await BenchCluster.with(bench, settings: settings) { cluster in
            try await measure(cluster, metrics, sink, arrivals, group)
        }
        if bench.json { Output.json(result) } else { show(result) }
    }

    private func measure(
        _ cluster: BenchCluster, _ metrics: BenchMetrics, _ sink: PushSink, _ arrivals: PushArrivals,
        _ group: any EventLoopGroup
    ) async throws -> Result {
        let url = cluster.endpoints.url
        let connection = try await Connection.open(
            DatabaseConfiguration(
                url: cluster.endpoints.database, applicationName: "parley-bench", connections: 1,
                statementTimeout: .seconds(300)))
        var result = Result(devices: devices)
        bench.progress("registering \(clients) people")
        let people = try await BenchPeople.register(clients, at: url, on: group)
        let users = try await register(cluster, metrics, connection, group, into: &result)
        bench.progress("making groups")
        let reached = Array(users.prefix(Self.reachedMax))
        let groups = try await AwayPeople.makeGroups(
            of: reached, size: Self.groupSize, sender: people[0], in: connection)
        let talks = try await AwayPeople.makeGroups(
            of: Array(reached.prefix(50)), size: 1, sender: people[0], in: connection)
        let sender = ParleyClient(url: url, group: group)
        _ = try await sender.connect(token: people[0].token)
        try await measureRate(of: sender, to: groups, reached.count, cluster, sink, arrivals, into: &result)
        try await measureLatency(of: sender, to: talks, arrivals, into: &result)
        await sender.close()
        await connection.close()
        if rounds > 0 { try await measureSends(of: people, cluster, metrics, group, into: &result) }
        return result
    }

    private func register(
        _ cluster: BenchCluster, _ metrics: BenchMetrics, _ connection: Connection, _ group: any EventLoopGroup,
        into result: inout Result
    ) async throws -> [String] {
        func memory() async -> Double {
            ProcessUsage.rssKiB(of: await cluster.services()["notifications-1"] ?? 0) / 1024
        }
        let bytes = try await connection.first(AwayPeople.bytesOnDisk) ?? 0
        result.memoryBeforeMib = await memory()
        bench.progress("registering \(devices) devices")
        let began = ContinuousClock.now
        let users = try await AwayPeople.register(devices, at: cluster.endpoints.url, on: group)
        result.registeredPerS = Double(devices) / ((.now - began) / .seconds(1))
        try await wait("notifications to know all devices") {
            try await metrics.value(of: "parley_push_people") == Double(devices)
        }
        result.memoryAfterMib = await memory()
        let after = try await connection.first(AwayPeople.bytesOnDisk) ?? 0
        result.diskBytesPerDevice = Double(after - bytes) / Double(devices)
        return users
    }

    /// Sends messages to groups until they make enough pushes, and waits for these.
    private func measureRate(
        of sender: ParleyClient, to groups: [String], _ reached: Int, _ cluster: BenchCluster, _ sink: PushSink,
        _ arrivals: PushArrivals, into result: inout Result
    ) async throws {
        // The first of each process prepare statements and open connections.
        for warm in [true, false] {
            let rounds = warm ? 1 : max(1, (pushes + reached - 1) / reached)
            result.pushes = rounds * reached
            bench.progress("\(warm ? "warming up with" : "making") \(result.pushes) pushes")
            arrivals.begin()
            let services = await cluster.services()
            let postgres = await cluster.postgres() ?? 0
            func usage() -> (each: [String: Double], postgres: Double, sink: Double) {
                (services.mapValues(ProcessUsage.cpu), ProcessUsage.cpuOfTree(postgres), ProcessUsage.cpu(of: sink.pid))
            }
            let before = usage()
            for round in 0..<rounds {
                for group in groups { _ = try await sender.sendReliably("message \(round)", to: group) }
            }
            try await arrivals.wait(for: result.pushes)
            let (after, count) = (usage(), arrivals.count)
            let each = 1000 / Double(result.pushes)
            result.pushesPerS = Double(count.all) / (Double(max(count.last - count.first, 1)) / 1e6)
            result.cpuMsPerPush = after.each.merging(before.each) { ($0 - $1) * each }
            result.postgresCpuMsPerPush = (after.postgres - before.postgres) * each
            result.pushServerCpuMsPerPush = (after.sink - before.sink) * each
        }
    }

    private func measureLatency(
        of sender: ParleyClient, to talks: [String], _ arrivals: PushArrivals, into result: inout Result
    ) async throws {
        let count = Self.latencyRate * seconds
        bench.progress("measuring latency at \(Self.latencyRate) messages per second for \(seconds) s")
        arrivals.begin(keepsTimes: true)
        var sent: [PushArrivals.Message: Int64] = [:]
        let began = ContinuousClock.now
        for number in 0..<count {
            try await Task.sleep(until: began + .milliseconds(1000 / Self.latencyRate) * number, clock: .continuous)
            let talk = talks[number % talks.count]
            let reply = try await sender.sendReliably("message \(number)", to: talk)
            sent[.init(conversation: talk, seq: reply.seq)] = reply.sentAtUs
        }
        try await arrivals.wait(for: count)
        let times = arrivals.times
        result.onWireMs = Milliseconds(
            sent.compactMap { message, at in times[message].map { .microseconds($0 - at) } })
    }

    /// Measures sends with notifications running and stopped, in turn.
    private func measureSends(
        of people: [BenchPerson], _ cluster: BenchCluster, _ metrics: BenchMetrics, _ group: any EventLoopGroup,
        into result: inout Result
    ) async throws {
        let url = cluster.endpoints.url
        let conversations = try await BenchPeople.startDirects(people, at: url, on: group)
        let load = SendLoad(eventLoop: group.next())
        try await load.connect(people, to: try LinkAddress(url), .init(), conversations, bodyBytes: 100)
        for round in 0..<2 * rounds {
            // One begins with, the next without.
            let isWith = round % 4 == 0 || round % 4 == 3
            if isWith {
                try await cluster.cluster.start("notifications-1")
                try await cluster.cluster.waitUntilReady("notifications-1")
                try await wait("notifications to follow what was sent before") {
                    try await metrics.value(of: #"parley_followed_entries_behind{source="messaging"}"#) == 0
                }
            } else {
                try await cluster.cluster.stop("notifications-1")
            }
            bench.progress("sending \(isWith ? "with" : "without") notifications for \(seconds) s, twice")
            try await measure(load, isWith ? \.sendsWith : \.sendsWithout, into: &result)
        }
        try await load.close()
    }

    private func measure(
        _ load: SendLoad, _ place: WritableKeyPath<Result, Sends>, into result: inout Result
    ) async throws {
        try await load.begin(window: 8)
        try await Task.sleep(for: .seconds(1))
        let first = try await load.progress()
        try await Task.sleep(for: .seconds(seconds))
        let last = try await load.progress()
        try await load.drain()
        result[keyPath: place].ackedPerS.append(
            Double(last.acked - first.acked) / (Double((last.at - first.at).nanoseconds) / 1e9))
        let latencies = Milliseconds(
            try await load.measureLatency(count: 1000 * seconds, perSecond: 1000).map { .nanoseconds($0) })
        result[keyPath: place].p50Ms.append(latencies.p50)
        result[keyPath: place].p99Ms.append(latencies.p99)
    }

    /// Waits until a condition holds, at most two minutes.
    private func wait(_ what: String, _ condition: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while try await !condition() {
            guard .now < end else { throw Failure(.failed, "Waited two minutes for \(what).") }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func show(_ result: Result) {
        func list(_ numbers: [Double]) -> String { numbers.map { rounded($0) }.joined(separator: ", ") }
        Output.line(Style().bold("Pushes: \(devices) registered devices"))
        printTable([
            ("devices registered /s", rounded(result.registeredPerS)),
            ("pushes /s", "\(rounded(result.pushesPerS))   of \(result.pushes)"),
            (
                "from a message to the request on the wire, ms",
                "p50 \(rounded(result.onWireMs.p50))   p99 \(rounded(result.onWireMs.p99))"
            ),
            (
                "CPU per push, ms",
                "notifications \(rounded(result.cpuMsPerPush["notifications-1"]))   PostgreSQL "
                    + "\(rounded(result.postgresCpuMsPerPush))   push server \(rounded(result.pushServerCpuMsPerPush))"
            ),
            (
                "memory of notifications before and after, MiB",
                "\(rounded(result.memoryBeforeMib))   \(rounded(result.memoryAfterMib))"
            ),
            ("bytes on disk per device", rounded(result.diskBytesPerDevice)),
            ("sends /s with notifications", list(result.sendsWith.ackedPerS)),
            ("sends /s without", list(result.sendsWithout.ackedPerS)),
            ("latency of sends with, p99 ms", list(result.sendsWith.p99Ms)),
            ("latency of sends without, p99 ms", list(result.sendsWithout.p99Ms)),
        ])
    }
}
