import ArgumentParser
import Cluster
import Command
import Foundation
import ParleyClient
import Torture

struct TortureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "torture",
        abstract: "Stress a cluster while breaking it, then check that nothing was lost.",
        discussion: """
            Starts two gateways, replicas of every service and a PostgreSQL in their own folder. Many people register, \
            write, set reminders, come and go, while processes are killed, frozen and restarted, links are cut, \
            delayed and stalled, Updates are dropped, the disk is filled and clocks are moved. The seed determines \
            actions and faults. At the end, all acknowledged results are compared with what is stored and delivered, \
            and with the pushes that a server in place of Google's got.

            With --at, SIGUSR1 ends the load early. Everything is still compared.

            Exit codes: 0 nothing was lost, 1 a check failed; the output lists the findings and the command that \
            repeats the run, 130 interrupted.

            Examples:
              parley-lab torture --seconds 60
              parley-lab torture --seed 7 --seconds 600 --clients 32 --keep failed/7
              parley-lab torture --seconds 60 --without disk,clock
              parley-lab torture --seconds 60 --at ws://10.0.0.1:8080,ws://10.0.0.2:8080
            """)

    @Option(help: ArgumentHelp("The seed of actions and faults. Default: a random one.", valueName: "number"))
    var seed: UInt64?
    @Option(help: ArgumentHelp("How long to run the load and the faults.", valueName: "seconds")) var seconds = 60
    @Option(help: ArgumentHelp("The number of people.", valueName: "count")) var clients = 16
    @Option(help: ArgumentHelp("The number of processes of each service.", valueName: "count")) var replicas = 2
    @Option(
        help: ArgumentHelp(
            "Leave out these faults: \(FaultKind.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "faults"),
        transform: Self.parse(faults:))
    var without: [Set<FaultKind>] = []
    @Option(
        help: ArgumentHelp(
            "Keep logs, the database and all actions here if it fails.", valueName: "folder")) var keep: String?
    @Option(
        help: ArgumentHelp(
            "The folder of Parley's programs. Default: that of this program.", valueName: "folder"))
    var binaries: String?
    @Option(
        help: ArgumentHelp(
            "The server that pushes go to; without this file, pushes are left out.", valueName: "file"))
    var pushServer = "Tests/Push/sink.py"
    @Option(
        help: ArgumentHelp(
            "Test a running cluster at these URLs. Another program injects the faults. Its rate limits must be lifted.",
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
                        "--without: there is no fault \"\(word)\". Use one of "
                            + "\(FaultKind.allCases.map(\.rawValue).joined(separator: ", ")).")
                }
                return kind
            })
    }

    func validate() throws {
        guard (10...86_400).contains(seconds) else {
            throw ValidationError("--seconds must be 10 to 86400, not \(seconds).")
        }
        guard (4...500).contains(clients) else { throw ValidationError("--clients must be 4 to 500, not \(clients).") }
        guard (1...8).contains(replicas) else { throw ValidationError("--replicas must be 1 to 8, not \(replicas).") }
        if let keep, FileManager.default.fileExists(atPath: keep),
            (try? FileManager.default.contentsOfDirectory(atPath: keep))?.isEmpty != true
        {
            throw ValidationError("--keep: \(keep) exists and is not an empty folder. Choose another.")
        }
    }

    private var tortureConfiguration: TortureConfiguration {
        var configuration = TortureConfiguration(seed: seed ?? UInt64.random(in: 1..<1_000_000), seconds: seconds)
        (configuration.clients, configuration.replicas) = (clients, replicas)
        configuration.without = without.reduce(into: []) { $0.formUnion($1) }
        (configuration.keep, configuration.binaries) = (keep, binaries)
        configuration.elsewhere = at ?? []
        configuration.pushServer = pushServer
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
            Output.note("Interrupted. Nothing is checked.")
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
            return Output.line(style.green("Nothing was lost, duplicated, reordered or wrongly accepted."))
        }
        Output.line(style.red("Findings: \(report.findings.count)"))
        for finding in report.findings.prefix(40) { Output.line("  \(finding)") }
        if report.findings.count > 40 { Output.line("  … and \(report.findings.count - 40) more") }
        Output.line("")
        Output.line("To repeat it: \(configuration.command)")
        if let kept = report.kept {
            Output.line("Evidence: \(kept) (findings.txt, actions.log, c/log, c/postgres)")
        }
    }
}
