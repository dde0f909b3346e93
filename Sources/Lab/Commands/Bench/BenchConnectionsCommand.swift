import ArgumentParser
import Command
import Foundation
import NIOCore
import NIOPosix
import ParleyClient

struct BenchConnectionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connections",
        abstract: "Measure the cost of idle sessions and idle processes.",
        discussion: """
            Opens signed-in WebSocket sessions through the gateway, without TLS, and compares the gateway's resident \
            memory before and after. Each session needs a file descriptor on both sides. If the system allows fewer, \
            the command opens fewer and reports that.
            """)

    @Option(help: "The number of sessions; at most 25000, since one address has a limited number of ports.")
    var count = 10_000
    @OptionGroup var bench: BenchOptions

    private static let idleSeconds = 10
    private static let accounts = 10

    struct Result: Encodable, Sendable {
        /// The number of opened sessions.
        var count: Int
        var kibPerConnection: Double = 0
        var connectionsPerS: Double = 0
        /// The memory of each process before any session.
        var pssMib: [String: Double] = [:]
        var pssMibTotal: Double = 0
        var postgresPssMib: Double?
        /// The CPU of the five processes together, in percent of one core, before any session and with all of them.
        var idleCpuPercent: Double = 0
        var connectedCpuPercent: Double = 0
    }

    func validate() throws {
        guard (1...25_000).contains(count) else { throw ValidationError("--count must be 1 to 25000, not \(count).") }
    }

    func run() async throws {
        let count = allowedCount()
        let result = try await BenchCluster.with(bench, connections: count) { try await measure($0, count) }
        if bench.json { Output.json(result) } else { show(result) }
    }

    /// Raises this process's limit of open files as far as possible. The gateway inherits the limit.
    /// - Returns: the number of sessions that the limit allows, at most ``count``.
    private func allowedCount() -> Int {
        let spare = 256
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        if limit.rlim_max < rlim_t(count + spare) {
            // Root may raise the hard limit.
            var higher = rlimit(rlim_cur: rlim_t(count + spare), rlim_max: rlim_t(count + spare))
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &higher)
        }
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur < rlim_t(count + spare) else { return count }
        let allowed = max(1, Int(limit.rlim_cur) - spare)
        bench.progress(
            "a process may open only \(limit.rlim_cur) files here (ulimit -Hn), so \(allowed) sessions are opened "
                + "instead of \(count)"
        )
        return allowed
    }

    private func measure(_ cluster: BenchCluster, _ count: Int) async throws -> Result {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { group.shutdownGracefully { _ in } }
        let url = cluster.endpoints.url
        let services = await cluster.services()
        guard let gateway = services["gateway-1"] else { throw Failure(.failed, "The gateway has stopped.") }
        var result = Result(count: count)

        bench.progress("idle for \(Self.idleSeconds) s")
        result.idleCpuPercent = try await cpuPercent(of: services)
        result.pssMib = services.mapValues { Self.tenths(ProcessUsage.pssMiB(of: $0)) }
        result.pssMibTotal = Self.tenths(result.pssMib.values.reduce(0, +))
        if let postgres = await cluster.postgres() {
            let all = [postgres] + ProcessUsage.children(of: postgres)
            result.postgresPssMib = Self.tenths(all.reduce(0) { $0 + ProcessUsage.pssMiB(of: $1) })
        }

        let people = try await BenchPeople.register(Self.accounts, at: url, on: group)
        let before = ProcessUsage.rssKiB(of: gateway)
        let began = ContinuousClock.now
        let sessions = try await open(count, of: people, at: try LinkAddress(url), on: group.next())
        result.connectionsPerS = (Double(count) / ((ContinuousClock.now - began) / .seconds(1))).rounded()
        bench.progress("\(count) sessions idle for \(Self.idleSeconds) s")
        result.connectedCpuPercent = try await cpuPercent(of: services)
        result.kibPerConnection = ((ProcessUsage.rssKiB(of: gateway) - before) / Double(count) * 100).rounded() / 100
        for session in sessions { session.close() }
        return result
    }

    private func open(
        _ count: Int, of people: [BenchPerson], at address: LinkAddress, on eventLoop: any EventLoop
    ) async throws -> [BenchSession] {
        var sessions: [BenchSession] = []
        sessions.reserveCapacity(count)
        var pinged = ContinuousClock.now
        while sessions.count < count {
            sessions += try await withThrowingTaskGroup(of: BenchSession.self) { tasks in
                for number in sessions.count..<min(count, sessions.count + 100) {
                    tasks.addTask {
                        try await BenchSession.open(
                            address, token: people[number % people.count].token, on: eventLoop, onFrame: { _ in },
                            onClose: { _ in })
                    }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            if sessions.count % 1000 == 0 { bench.progress("\(sessions.count) sessions") }
            if ContinuousClock.now - pinged > .seconds(20) {
                pinged = .now
                for session in sessions { try session.ping() }
            }
        }
        return sessions
    }

    private func cpuPercent(of services: [String: pid_t]) async throws -> Double {
        func total() -> Double { services.values.reduce(0) { $0 + ProcessUsage.cpu(of: $1) } }
        try await Task.sleep(for: .seconds(2))
        let (before, began) = (total(), ContinuousClock.now)
        try await Task.sleep(for: .seconds(Self.idleSeconds))
        return ((total() - before) / ((ContinuousClock.now - began) / .seconds(1)) * 10_000).rounded() / 100
    }

    private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

    private func show(_ result: Result) {
        Output.line(Style().bold("Connections: \(result.count) idle signed-in sessions"))
        printTable([
            ("KiB of the gateway per session", rounded(result.kibPerConnection)),
            ("sessions opened /s", rounded(result.connectionsPerS)),
            ("CPU with all sessions, % of a core", rounded(result.connectedCpuPercent)),
            ("CPU without sessions, % of a core", rounded(result.idleCpuPercent)),
            (
                "memory without sessions, PSS MiB",
                "\(rounded(result.pssMibTotal))   PostgreSQL \(rounded(result.postgresPssMib))"
            ),
        ])
        for (name, mib) in result.pssMib.sorted(by: { $0.value > $1.value }) {
            printTable([("  of which \(name)", rounded(mib))])
        }
    }
}
