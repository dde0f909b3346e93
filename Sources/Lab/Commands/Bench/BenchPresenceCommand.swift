import ArgumentParser
import Command
import Foundation
import NIOCore
import NIOPosix
import ParleyClient
import Postgres
import Reactor

struct BenchPresenceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presence",
        abstract: "Measure presence and typing, and everyone losing the connection at once.",
        discussion: """
            People in groups connect, and each watches the others of their group. Then some come and go each second; \
            five of each group type; and all drop at once and return at a steady rate. Two more people write to each \
            other, whose sends show what all that costs others. The age of an Update is the time since the change, as \
            the person who made it saw it.
            """)

    @Option(help: "The number of people.") var people = 10_000
    @Option(help: "The number of people whom each watches.") var watched = 50
    @Option(help: "The part of the people who come or go each second, in percent.") var changing = 1.0
    @Option(help: "The number of people who type in each group.") var typers = 5
    @Option(help: "The number of people who return each second after all dropped.") var returning = 1000
    @Option(help: "Seconds of each measurement.") var seconds = 10
    @OptionGroup var bench: BenchOptions

    /// What presence published in a phase, and what it took.
    struct Phase: Encodable, Sendable {
        var updates: Int
        var updatesPerS: Double
        var updatesPerCpuS: Double
        /// The share of a core that parley-presence used.
        var presenceCores: Double
        var gatewayCores: Double
        var ageMs: Milliseconds?
        var sendMs: Milliseconds
    }

    struct Result: Encodable, Sendable {
        var people: Int
        var watched: Int
        var groups: Int
        var bytesPerUnwatchedPerson: Double
        var bytesPerWatchingPerson: Double
        var calmSendMs: Milliseconds
        var changes: Phase
        var typing: Phase
        var storm: Phase
        /// The age of the Updates that arrived in the last two seconds of the storm.
        var lastAgeMs: Milliseconds
        var sendP99Ratio: Double
        /// The most changes that waited for a round of publishing.
        var changesWaitingMax: Double
        var gatewayQueueBytesMax: Double
    }

    func validate() throws {
        guard (2...200).contains(watched) else { throw ValidationError("--watched must be 2 to 200, not \(watched).") }
        guard (watched + 1...20_000).contains(people) else {
            throw ValidationError("--people must be \(watched + 1) to 20000, not \(people).")
        }
        guard (0...20.0).contains(changing) else { throw ValidationError("--changing must be 0 to 20.") }
        guard (1...watched).contains(typers) else { throw ValidationError("--typers must be 1 to \(watched).") }
        guard (1...100_000).contains(returning) else { throw ValidationError("--returning must be 1 to 100000.") }
        guard (3...600).contains(seconds) else { throw ValidationError("--seconds must be 3 to 600.") }
    }

    func run() async throws {
        // The two who write have a thread of their own: otherwise their times show how busy the load's people are.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        defer { group.shutdownGracefully { _ in } }
        let (presence, gateway) = (try await BenchMetrics(on: group), try await BenchMetrics(on: group))
        var settings = BenchCluster.lifted(connections: people)
        settings["presence"] = ["PARLEY_LISTEN_MONITOR": presence.address]
        settings["gateway", default: [:]]["PARLEY_LISTEN_MONITOR"] = gateway.address
        let result = try await BenchCluster.with(bench, settings: settings) { cluster in
            try await Measurement(cluster, self, group: group, presence: presence, gateway: gateway).run()
        }
        if bench.json { Output.json(result) } else { show(result) }
    }

    private func show(_ result: Result) {
        Output.line(
            Style().bold("Presence: \(result.people) people in \(result.groups) groups watch \(result.watched) each"))
        printTable([
            ("bytes of parley-presence per signed-in person", rounded(result.bytesPerUnwatchedPerson)),
            ("  once they watch and are watched", rounded(result.bytesPerWatchingPerson)),
            ("send before, ms", "p50 \(rounded(result.calmSendMs.p50))   p99 \(rounded(result.calmSendMs.p99))"),
        ])
        for (name, phase) in [
            ("people come and go", result.changes), ("typing", result.typing), ("all drop and return", result.storm),
        ] {
            var rows = [
                ("\(name): Updates /s", rounded(phase.updatesPerS)),
                ("  per CPU second of parley-presence", rounded(phase.updatesPerCpuS)),
                ("  cores", "presence \(rounded(phase.presenceCores))   gateway \(rounded(phase.gatewayCores))"),
                ("  send, ms", "p50 \(rounded(phase.sendMs.p50))   p99 \(rounded(phase.sendMs.p99))"),
            ]
            if let age = phase.ageMs {
                rows.append(
                    ("  age, ms", "p50 \(rounded(age.p50))   p99 \(rounded(age.p99))   max \(rounded(age.max))"))
            }
            printTable(rows)
        }
        printTable([
            ("age at the end, ms", "max \(rounded(result.lastAgeMs.max))"),
            ("changes waiting, at most", rounded(result.changesWaitingMax)),
            ("bytes waiting at the gateway, at most", rounded(result.gatewayQueueBytesMax)),
        ])
    }

    /// One run against a cluster.
    private struct Measurement: Sendable {
        let cluster: BenchCluster
        let options: BenchPresenceCommand
        let group: MultiThreadedEventLoopGroup
        let presence: BenchMetrics
        let gateway: BenchMetrics

        init(
            _ cluster: BenchCluster, _ options: BenchPresenceCommand, group: MultiThreadedEventLoopGroup,
            presence: BenchMetrics, gateway: BenchMetrics
        ) {
            (self.cluster, self.options, self.group) = (cluster, options, group)
            (self.presence, self.gateway) = (presence, gateway)
        }

        func run() async throws -> Result {
            let bench = options.bench
            let url = cluster.endpoints.url
            let size = options.watched + 1
            let count = options.people / size * size
            bench.progress("registering \(count + 2) people")
            let everyone = try await BenchPeople.register(count + 2, at: url, on: group)
            let groups = stride(from: 0, to: count, by: size).map { Array(everyone[$0..<$0 + size]) }
            let conversations = try await BenchTalks.makeGroups(of: groups, in: cluster)
            let probe = try await SendProbe(everyone[count], everyone[count + 1], at: url, on: group.next())
            let load = PresenceLoad(groups, at: try LinkAddress(url), on: group.next())
            load.start()
            let pids = await cluster.services()
            guard let presencePID = pids["presence"] ?? pids.first(where: { $0.key.hasPrefix("presence") })?.value
            else { throw Failure(.failed, "parley-presence has stopped.") }
            func bytes() -> Double { ProcessUsage.pssMiB(of: presencePID) * 1_048_576 }

            let empty = bytes()
            bench.progress("connecting \(count) people")
            try await each(0..<count) { try await load.open($0) }
            try await Task.sleep(for: .seconds(2))
            let signedIn = bytes()
            let calm = try await probe.measure(seconds: options.seconds)
            bench.progress("watching")
            try await each(0..<count) { try await load.watch($0) }
            try await Task.sleep(for: .seconds(1))
            let watching = bytes()

            bench.progress("\(options.changing)% of them come or go each second, for \(options.seconds) s")
            let changes = try await phase(load, probe, presencePID, pids["gateway-1"]) { try await change(load, count) }
            bench.progress("\(options.typers) people of each group type for \(options.seconds) s")
            let typing = try await phase(load, probe, presencePID, pids["gateway-1"]) {
                try await type(load, conversations, size)
            }
            bench.progress("all drop, and \(options.returning) return each second")
            async let most = watchQueues(for: Double(count) / Double(options.returning) + 3)
            let storm = try await phase(load, probe, presencePID, pids["gateway-1"]) { try await drop(load, count) }
            let (waiting, queued) = try await most
            load.stop()
            await probe.close()
            let end = storm.arrivals.lastAges.last?.at ?? .now
            return Result(
                people: count, watched: options.watched, groups: groups.count,
                bytesPerUnwatchedPerson: ((signedIn - empty) / Double(count)).rounded(),
                bytesPerWatchingPerson: ((watching - empty) / Double(count)).rounded(),
                calmSendMs: calm, changes: changes.figures, typing: typing.figures, storm: storm.figures,
                lastAgeMs: Milliseconds(
                    storm.arrivals.lastAges.filter { end - $0.at <= .seconds(2) }.map(\.age)),
                sendP99Ratio: storm.figures.sendMs.p99 / max(calm.p99, 0.001), changesWaitingMax: waiting,
                gatewayQueueBytesMax: queued)
        }

        /// Does something for many people, a hundred at a time.
        private func each(_ indices: Range<Int>, _ body: @Sendable @escaping (Int) async throws -> Void) async throws {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for (number, index) in indices.enumerated() {
                    if number >= 100 { try await tasks.next() }
                    tasks.addTask { try await body(index) }
                }
                try await tasks.waitForAll()
            }
        }

        private func phase(
            _ load: PresenceLoad, _ probe: SendProbe, _ presence: pid_t, _ gateway: pid_t?,
            _ body: @Sendable () async throws -> Void
        ) async throws -> (figures: Phase, arrivals: PresenceLoad.Arrivals) {
            func cpu() -> (Double, Double) { (ProcessUsage.cpu(of: presence), gateway.map(ProcessUsage.cpu) ?? 0) }
            _ = try await load.take()
            let (began, before) = (ContinuousClock.now, cpu())
            await probe.begin()
            try await body()
            let sends = try await probe.end()
            let (took, after) = ((ContinuousClock.now - began) / .seconds(1), cpu())
            let arrivals = try await load.take()
            let updates = arrivals.presence + arrivals.typing
            return (
                Phase(
                    updates: updates, updatesPerS: Double(updates) / took,
                    updatesPerCpuS: Double(updates) / max(after.0 - before.0, 0.001),
                    presenceCores: (after.0 - before.0) / took, gatewayCores: (after.1 - before.1) / took,
                    ageMs: arrivals.ages.isEmpty ? nil : Milliseconds(arrivals.ages), sendMs: Milliseconds(sends)),
                arrivals
            )
        }

        /// Half of those who change go; those who went a second ago return.
        private func change(_ load: PresenceLoad, _ count: Int) async throws {
            let each = max(1, Int((Double(count) * options.changing / 200).rounded()))
            var gone: [Int] = []
            for second in 0..<options.seconds {
                let began = ContinuousClock.now
                let going = (0..<each).map { (second * each + $0) * 7 % count }.filter { !gone.contains($0) }
                for index in going { try await load.close(index) }
                for index in gone {
                    try await load.open(index)
                    try await load.watch(index)
                }
                gone = going
                try await Task.sleep(until: began + .seconds(1))
            }
            for index in gone {
                try await load.open(index)
                try await load.watch(index)
            }
            try await Task.sleep(for: .milliseconds(500))
        }

        private func type(_ load: PresenceLoad, _ conversations: [String], _ size: Int) async throws {
            for round in 0..<max(1, options.seconds / 2) {
                let began = ContinuousClock.now
                for (number, id) in conversations.enumerated() {
                    // Others type in every third round.
                    for typer in 0..<options.typers {
                        load.type(number * size + (typer + round / 3 * options.typers) % size, in: id)
                    }
                }
                try await Task.sleep(until: began + .seconds(2))
            }
        }

        private func drop(_ load: PresenceLoad, _ count: Int) async throws {
            for index in 0..<count { try await load.close(index) }
            try await Task.sleep(for: .seconds(1))
            let began = ContinuousClock.now
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for index in 0..<count {
                    try await Task.sleep(until: began + .seconds(1) * (Double(index) / Double(options.returning)))
                    tasks.addTask {
                        try await load.open(index)
                        try await load.watch(index)
                    }
                }
                try await tasks.waitForAll()
            }
            try await Task.sleep(for: .seconds(1))
        }

        private func watchQueues(for seconds: Double) async throws -> (waiting: Double, queued: Double) {
            var most = (waiting: 0.0, queued: 0.0)
            let end = ContinuousClock.now + .seconds(1) * seconds
            while ContinuousClock.now < end {
                most.waiting = max(most.waiting, try await presence.value(of: "parley_presence_changes_waiting") ?? 0)
                most.queued = max(most.queued, try await gateway.value(of: "parley_gateway_queue_bytes") ?? 0)
                try await Task.sleep(for: .milliseconds(100))
            }
            return most
        }
    }

    /// Two people who write to each other, one message after the other.
    private actor SendProbe {
        private let client: ParleyClient
        private let conversation: String
        private var sending: Task<[Duration], any Error>?

        init(_ person: BenchPerson, _ other: BenchPerson, at url: String, on group: any EventLoopGroup) async throws {
            client = ParleyClient(url: url, group: group)
            _ = try await client.connect(token: person.token)
            let conversations = try await BenchPeople.startDirects([person, other], at: url, on: group)
            conversation = conversations.first?.first ?? ""
        }

        func begin() {
            sending = Task { [client, conversation] in
                var durations: [Duration] = []
                while !Task.isCancelled {
                    let began = ContinuousClock.now
                    do { _ = try await client.send("x", to: conversation) } catch {
                        if Task.isCancelled { break }
                        throw error
                    }
                    durations.append(ContinuousClock.now - began)
                    try? await Task.sleep(for: .milliseconds(5))
                }
                return durations
            }
        }

        func end() async throws -> [Duration] {
            sending?.cancel()
            return try await sending?.value ?? []
        }

        func measure(seconds: Int) async throws -> Milliseconds {
            begin()
            try await Task.sleep(for: .seconds(seconds))
            return Milliseconds(try await end())
        }

        func close() async { await client.close() }
    }
}

extension BenchTalks {
    /// Creates a group of each of these lists of people.
    /// - Returns: their ids.
    @ReactorActor
    fileprivate static func makeGroups(of people: [[BenchPerson]], in cluster: BenchCluster) async throws -> [String] {
        let connection = try await Connection.open(
            DatabaseConfiguration(
                url: cluster.endpoints.database, applicationName: "parley-bench", connections: 1,
                statementTimeout: .seconds(300)))
        defer { connection.close() }
        let run = BenchPeople.hex(.random(in: 0 ... .max))
        let ids = people.indices.map { run + BenchPeople.hex(UInt64($0)) }
        var groups: [(id: String, members: [Int64])] = []
        for (id, members) in zip(ids, people) {
            let accounts = try await connection.query(BenchPeople.accountNumbers, .texts(members.map(\.user)))
            groups.append((id, accounts))
        }
        let numbers = try await BenchPeople.importGroups(groups, at: 0, in: connection)
        try await connection.execute(BenchPeople.makeHeads, .int64s(numbers))
        try await connection.execute(BenchPeople.settle)
        return ids
    }
}
