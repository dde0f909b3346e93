import ArgumentParser
import Cluster
import Foundation
import ParleyClient
import Torture

struct TortureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "torture",
        abstract: "Uses a cluster of its own while breaking it, then checks that nothing was lost.",
        discussion: """
            Starts two gateways, replicas of every service and a PostgreSQL in a folder of their own; many people \
            register, write, remind themselves and come and go, while processes are killed, frozen and restarted, links \
            cut, delayed and stalled, Updates lost, the disk filled and clocks moved. Actions and faults follow from the \
            seed. In the end every promise is compared with what is there.

            With --at, SIGUSR1 ends the use early, and everything is compared all the same.

            Exit codes: 0 nothing was lost, 1 something is wrong (it says what, and how to repeat it), 130 interrupted.

            Examples:
              parley torture --seconds 60
              parley torture --seed 7 --seconds 600 --clients 32 --keep failed/7
              parley torture --seconds 60 --without disk,clock
              parley torture --seconds 60 --at ws://10.0.0.1:8080,ws://10.0.0.2:8080
            """)

    @Option(help: ArgumentHelp("Actions and faults follow from it; a random one when not given.", valueName: "number"))
    var seed: UInt64?
    @Option(help: ArgumentHelp("How long it is used and broken.", valueName: "seconds")) var seconds = 60
    @Option(help: ArgumentHelp("How many people.", valueName: "count")) var clients = 16
    @Option(help: ArgumentHelp("Processes of each service.", valueName: "count")) var replicas = 2
    @Option(
        help: ArgumentHelp(
            "Leave these out: \(FaultKind.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "faults"),
        transform: Self.parse(faults:))
    var without: [Set<FaultKind>] = []
    @Option(
        help: ArgumentHelp(
            "Where logs, the database and all actions are kept when it fails.", valueName: "folder")) var keep: String?
    @Option(
        help: ArgumentHelp(
            "The folder of parley-gateway and the others; otherwise beside this program.", valueName: "folder"))
    var binaries: String?
    @Option(
        help: ArgumentHelp(
            "Use this cluster, which somebody else breaks meanwhile; its limits must be high.",
            valueName: "ws://…,ws://…"),
        transform: Self.parse(sockets:))
    var at: [String]?
    @Flag(help: "Print every fault.") var verbose = false

    static func parse(sockets text: String) throws -> [String] {
        let sockets = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        for socket in sockets {
            do {
                _ = try LinkAddress(socket)
            } catch {
                throw ValidationError("--at: \(error.message)")
            }
        }
        return sockets
    }

    static func parse(faults text: String) throws -> Set<FaultKind> {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return Set(
            try words.map { word in
                guard let kind = FaultKind(rawValue: word) else {
                    throw ValidationError(
                        "--without: there is no fault called “\(word)”; there are "
                            + "\(FaultKind.allCases.map(\.rawValue).joined(separator: ", ")).")
                }
                return kind
            })
    }

    func validate() throws {
        guard (10...86_400).contains(seconds) else {
            throw ValidationError("--seconds: 10 to 86400, not \(seconds).")
        }
        guard (4...500).contains(clients) else { throw ValidationError("--clients: 4 to 500, not \(clients).") }
        guard (1...8).contains(replicas) else { throw ValidationError("--replicas: 1 to 8, not \(replicas).") }
        if let keep, FileManager.default.fileExists(atPath: keep),
            (try? FileManager.default.contentsOfDirectory(atPath: keep))?.isEmpty != true
        {
            throw ValidationError("--keep: \(keep) is there already and not an empty folder.")
        }
    }

    private var tortureConfiguration: TortureConfiguration {
        var configuration = TortureConfiguration(seed: seed ?? UInt64.random(in: 1..<1_000_000), seconds: seconds)
        (configuration.clients, configuration.replicas) = (clients, replicas)
        configuration.without = without.reduce(into: []) { $0.formUnion($1) }
        (configuration.keep, configuration.binaries) = (keep, binaries)
        configuration.elsewhere = at ?? []
        return configuration
    }

    func run() async throws {
        let configuration = tortureConfiguration
        Output.line("Seed \(configuration.seed): \(configuration.command)")
        let run = TortureRun(configuration, isChatty: verbose) { Output.line($0) }
        let signals = Signals()
        let early = Signals.handling(SIGUSR1) { run.endLoad() }
        defer { early.cancel() }
        let work = Task { try await run.run() }
        let watch = Task {
            guard await signals.first() else { return }
            Output.note("Ending early; nothing is checked.")
            work.cancel()
        }
        let result = await work.result
        watch.cancel()
        if signals.wereReceived { throw ExitCode(130) }
        let report = try result.get()
        show(report, configuration)
        if !report.hasPassed { throw ExitCode(1) }
    }

    private func show(_ report: TortureReport, _ configuration: TortureConfiguration) {
        let width = report.figures.map(\.name.count).max() ?? 0
        Output.line("")
        for figure in report.figures { Output.line("  \(PlainText.padded(figure.name, width))  \(figure.value)") }
        Output.line("")
        let style = Style()
        guard !report.hasPassed else {
            return Output.line(style.green("Nothing was lost, doubled, reordered or taken wrongly."))
        }
        Output.line(style.red("\(report.findings.count) things are wrong:"))
        for finding in report.findings.prefix(40) { Output.line("  \(finding)") }
        if report.findings.count > 40 { Output.line("  … and \(report.findings.count - 40) more") }
        Output.line("")
        Output.line("Again: \(configuration.command)")
        if let kept = report.kept {
            Output.line("Kept: \(kept) (findings.txt, actions.log, c/log, c/postgres)")
        }
    }
}
