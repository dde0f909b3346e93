import ArgumentParser
import Command
import Foundation
import NIOCore
import NIOPosix
import ParleyClient

struct AttackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attack",
        abstract: "Attack a cluster of its own, and measure how slow it gets for others.",
        discussion: """
            Starts a cluster in a temporary folder with the default limits, except for creating its people, and attacks \
            it over loopback only. Two friends write to each other meanwhile: alone, during the attack, after it, and during a control in which the \
            attacker uses as much of the CPU without reaching the server. What the attack costs beyond its control is \
            what it takes from the friends.

            The attacks:
            \(AttackKind.allCases.map { "  \(PlainText.padded($0.rawValue, 10))\($0.abstract)" }.joined(separator: "\n"))

            Exit codes: 1 if the friends' p50 is more than twice that of the control (of reminders that fire: and later \
            than 200 ms), if what they do fails more often, \
            if a process ends, if anything of the attacker reaches a friend who blocks them, if somebody's address is \
            told from one that is nobody's, or if heads take more than 100 MiB of the gateway and the kernel together \
            (\(AttackKind.allCases.filter(\.isDecided).map(\.rawValue).joined(separator: ", ")); the others print \
            figures only); 130 interrupted.

            Examples:
              parley-lab attack frames
              parley-lab attack searches --seconds 30 --json
              parley-lab attack uploads --binaries older-build
            """)

    @Argument(
        help: ArgumentHelp(
            "One of: \(AttackKind.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "name"),
        transform: Self.parse(kind:))
    var kind: AttackKind
    @Option(help: "How long to measure each of the four times.") var seconds = 10
    @Option(help: ArgumentHelp("How many messages the attacker can search.", valueName: "messages"))
    var messages = 100_000
    @Option(help: ArgumentHelp("How many uploads begin a second.", valueName: "uploads"))
    var rate = 200
    @OptionGroup var bench: BenchOptions

    static func parse(kind text: String) throws -> AttackKind {
        guard let kind = AttackKind(rawValue: text) else {
            throw ValidationError(
                "there is no attack \"\(text)\". Use one of "
                    + "\(AttackKind.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return kind
    }

    func validate() throws {
        guard (1...600).contains(seconds) else {
            throw ValidationError("--seconds must be 1 to 600, not \(seconds).")
        }
        guard (1_000...10_000_000).contains(messages) else {
            throw ValidationError("--messages must be 1000 to 10000000, not \(messages).")
        }
        guard (1...10_000).contains(rate) else { throw ValidationError("--rate must be 1 to 10000, not \(rate).") }
    }

    /// Memory in MiB: the kernel's for TCP, or the gateway's.
    struct Memory: Encodable, Sendable {
        var before: Double
        var most: Double
        /// When nobody has attacked for as long as each time takes.
        var after: Double
    }

    struct Result: Encodable, Sendable {
        var attack: String
        var seconds: Int
        var alone: [String: ProbeFigures]
        var during: [String: ProbeFigures]
        var after: [String: ProbeFigures]
        var control: [String: ProbeFigures]
        /// The share of a core that the attacker used.
        var attackerCores: Double
        var attackerConnections: Int
        var attackerMbitPerS: Double
        var tcpMib: Memory
        var gatewayMib: Memory
        /// How much more of both was needed at a time.
        var mostMib: Double
        /// The processes that ended.
        var ended: [String]
        /// What the attack itself found, in words.
        var found: [String]
        /// Whether the friends noticed less than the exit code allows.
        var withinBounds: Bool

        /// What the friends noticed beyond the bounds.
        var findings: [String] {
            var findings = ended.map { "\($0) ended" } + found
            if let most = AttackKind(rawValue: attack)?.memoryMax, mostMib > most {
                findings.append("gateway and kernel took \(rounded(mostMib)) MiB more, instead of \(rounded(most))")
            }
            return findings + slowness
        }

        private var slowness: [String] {
            during.keys.sorted().compactMap { name in
                guard let attacked = during[name], let control = control[name] else { return nil }
                if attacked.failed > control.failed {
                    return "\(name) failed \(attacked.failed) times of \(attacked.done + attacked.failed), "
                        + "in the control \(control.failed) (\(attacked.why))"
                }
                let most = max(2 * control.ms.p50, AttackProbe(rawValue: name)?.alwaysAllowed ?? 0)
                guard attacked.ms.p50 > most else { return nil }
                return "\(name) took \(rounded(attacked.ms.p50)) ms, in the control \(rounded(control.ms.p50)) ms"
            }
        }
    }

    func run() async throws {
        raiseDescriptorLimit()
        var settings = ["conversations": ["PARLEY_LIMITS_REGISTRATIONS_PER_MINUTE": "1000"]]
        if kind == .places { settings["gateway"] = ["PARLEY_LIMITS_CONNECTIONS": "2000"] }
        if kind == .proxied {
            settings["gateway"] = [
                "PARLEY_LISTEN_ADDRESS_HEADER": "X-Forwarded-For", "PARLEY_LISTEN_TRUSTED_PROXIES": "127.0.0.1",
            ]
        }
        let mails = kind == .resets ? try MailTaker() : nil
        defer { mails?.remove() }
        var postgres: [String: String] = [:]
        if let mails {
            settings["conversations"]?.merge(mails.settings) { $1 }
            postgres["shared_preload_libraries"] = "pg_stat_statements"
        }
        let result = try await BenchCluster.with(bench, settings: settings, postgres: postgres) {
            try await measure($0, mails)
        }
        if bench.json { Output.json(result) } else { show(result) }
        if kind.isDecided, !result.withinBounds { throw ExitCode(1) }
    }

    /// An attack holds up to 3,000 connections.
    private func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 16_384))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private func measure(_ cluster: BenchCluster, _ mails: MailTaker?) async throws -> Result {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { group.shutdownGracefully { _ in } }
        let url = cluster.endpoints.url
        var people: [BenchPerson] = []
        // As many at a time as one session may register.
        while people.count < AttackFriends.count {
            people += try await BenchPeople.register(min(50, AttackFriends.count - people.count), at: url, on: group)
        }
        var target = try await target(cluster, people[0], url, on: group)
        if let mails {
            bench.progress("comparing what the database does")
            target.guesser = try await AddressGuesser(people[2], cluster, mails: mails.mails, on: group)
        }
        let friends = try await AttackFriends(people, at: url, sharing: target.shared, on: group)
        let (kind, time) = (kind, Duration.seconds(seconds))
        func measure(_ what: String) async throws -> [String: ProbeFigures] {
            bench.progress("the friends \(what)")
            return try await friends.measure(kind.probes, for: time)
        }
        let alone = try await measure("alone")
        let memory = AttackMemory(gateway: await cluster.services()["gateway-1"] ?? 0)
        let processes = await cluster.services()
        let attack = AttackThread { [target] in try kind.make(target) }
        try await target.begin()
        let watch = Task { await memory.watch() }
        let during = try await measure("during the attack: \(kind.abstract)")
        watch.cancel()
        let most = await watch.value
        let work = try await attack.stop()
        let after = try await measure("after the attack")
        let (tcp, gateway) = memory.figures(most)
        attack.close()
        let found = try await target.end()
        let burning = AttackThread { DeadSocket(cores: work.cores) }
        let control = try await measure("during the control")
        _ = try await burning.stop()
        burning.close()
        await friends.close()
        var result = Result(
            attack: kind.rawValue, seconds: seconds, alone: alone, during: during, after: after, control: control,
            attackerCores: work.cores, attackerConnections: work.connections, attackerMbitPerS: work.megabits,
            tcpMib: tcp, gatewayMib: gateway, mostMib: most.together, ended: [], found: found,
            withinBounds: true)
        let left = await cluster.services()
        result.ended = processes.keys.filter { left[$0] != processes[$0] }.sorted()
        result.withinBounds = result.findings.isEmpty
        return result
    }

    /// Makes what the attack needs: an account with many messages, or with a file to upload.
    private func target(
        _ cluster: BenchCluster, _ friend: BenchPerson, _ url: String, on group: any EventLoopGroup
    ) async throws -> AttackTarget {
        let port = UInt16(url.split(separator: ":").last ?? "") ?? 0
        var target = AttackTarget(
            port: port, token: "", conversation: "", lastSeq: 0, upload: "", uploadsPerSecond: rate,
            shared: SharedConnection(to: port))
        if [.agendas, .texts, .numbers, .rules].contains(kind) {
            let client = try await target.takeAccount(at: url, on: group)
            if kind == .agendas { try await target.makeEvents(100, client) }
            await client.close()
            return target
        }
        switch kind {
        case .answers: try await target.makeCrowd(at: url, on: group)
        case .reminders: try await target.makeReminders(4_000 * seconds, cluster, at: url, on: group)
        case .blocks: try await target.makeBlocked(by: friend, at: url, on: group)
        default: break
        }
        guard [.searches, .unread, .uploads, .badges].contains(kind) else { return target }
        let account = try await BenchMessages(kind == .uploads ? 1_000 : messages, cluster, bench, on: group)
        (target.token, target.conversation, target.lastSeq) = (account.token, account.largest, account.lastSeq)
        if kind == .uploads {
            let id = await account.client.newID()
            let request = Parley_V1_CreateAttachmentRequest.with {
                $0.id = Data(id.bytes)
                ($0.conversation, $0.name, $0.mimeType) = (account.largest, "film.mp4", "video/mp4")
                $0.sizeBytes = 1_000_000
            }
            target.upload = try await account.client.call(
                MessagingMethods.createAttachment, key: account.largest, request
            ).uploadPath
        }
        await account.client.close()
        return target
    }

    private func show(_ result: Result) {
        Output.line(Style().bold("\(result.attack), \(result.seconds) s each, p50 / p99 in ms (failed)"))
        printTable(
            kind.probes.flatMap { probe in
                [
                    ("alone", result.alone), ("during the attack", result.during), ("after it", result.after),
                    ("during the control", result.control),
                ].map { name, figures in
                    guard let figure = figures[probe.rawValue] else { return ("\(probe.rawValue), \(name)", "–") }
                    let failed = figure.failed > 0 ? " (\(figure.failed) of \(figure.done + figure.failed))" : ""
                    return (
                        "\(probe.rawValue), \(name)",
                        "\(rounded(figure.ms.p50)) / \(rounded(figure.ms.p99))\(failed)"
                    )
                }
            } + [
                ("connections of the attacker", "\(result.attackerConnections)"),
                ("Mbit/s of the attacker", rounded(result.attackerMbitPerS)),
                ("cores of the attacker", rounded(result.attackerCores)),
                (
                    "MiB of TCP, before, most, after",
                    "\(rounded(result.tcpMib.before)), \(rounded(result.tcpMib.most)), \(rounded(result.tcpMib.after))"
                ),
                (
                    "MiB of the gateway, before, most, after",
                    "\(rounded(result.gatewayMib.before)), \(rounded(result.gatewayMib.most)), "
                        + rounded(result.gatewayMib.after)
                ),
                ("MiB of both, at most more", rounded(result.mostMib)),
            ])
        for finding in result.findings { Output.line("\(kind.isDecided ? "Too much" : "Noticed"): \(finding)") }
    }
}
