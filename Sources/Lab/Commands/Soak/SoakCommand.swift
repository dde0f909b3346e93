import ArgumentParser
import Command
import Conformance
import Foundation

struct SoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Use an app's SDK on many devices while breaking them, then compare what they show.",
        discussion: """
            Starts a cluster with two gateways in a folder of its own, and devices as processes of the client: two of \
            each person, one that changes between two people, and one of somebody new again and again. They write, \
            edit, react, read, change groups, answer requests, while they are killed, cut off, left with dead links, \
            moved to the background and back at once, started offline and with a wrong clock, signed out and in, and \
            while gateways and services are killed. The seed determines actions and faults.

            About every 45 s all is healed, and every device must show what a fresh one shows, down to ticks, \
            receipts, unread counts and the order of the inbox. What a device answered to is there, once and in \
            order; nothing waits to be sent; nothing is left of whoever signed out.

            A device reads one command a line on its standard input, as JSON, and answers each with a line; \
            Sources/Lab/Commands/Soak/SoakProtocol.swift describes them. It gets the server's URL in PARLEY_URL, a \
            folder that outlives a kill in PARLEY_FOLDER, and in PARLEY_CLOCK_SKEW_SECONDS how wrong its clock is.

            Exit codes: 0 no difference, 1 something was found; the output lists it with what was done to the device \
            and the command that repeats the run, 64 wrong usage, 130 interrupted.

            Examples:
              parley-lab soak -- .build/debug/kit-client device
              parley-lab soak --seed 7 --seconds 1800 --keep failed/7 -- .build/debug/kit-client device
            """)

    @Option(help: ArgumentHelp("The seed of actions and faults. Default: a random one.", valueName: "number"))
    var seed: UInt64?
    @Option(
        help: ArgumentHelp(
            "How long devices act and faults happen. Comparing comes on top.", valueName: "seconds"))
    var seconds = 60
    @Option(help: ArgumentHelp("The number of people.", valueName: "count")) var people = 3
    @Option(
        help: ArgumentHelp(
            "Keep logs, the database and the devices' folders here if something is found.", valueName: "folder"))
    var keep: String?
    @Option(
        help: ArgumentHelp(
            "The folder of Parley's programs. Default: that of this program.", valueName: "folder"))
    var binaries: String?
    @Argument(parsing: .postTerminator, help: ArgumentHelp("The client and its arguments.", valueName: "client"))
    var client: [String] = []

    func validate() throws {
        guard (10...86_400).contains(seconds) else {
            throw ValidationError("--seconds must be 10 to 86400, not \(seconds).")
        }
        guard (2...20).contains(people) else { throw ValidationError("--people must be 2 to 20, not \(people).") }
        if let keep, FileManager.default.fileExists(atPath: keep) {
            throw ValidationError("--keep: \(keep) exists. Choose another folder.")
        }
        guard let program = client.first else {
            throw ValidationError("Name the client after two hyphens: parley-lab soak -- CLIENT")
        }
        guard ConformanceCommand.canRun(program) else {
            throw ValidationError("There is no program \(program). Check its path, and that it is executable.")
        }
    }

    func run() async throws {
        var settings = SoakConfiguration(
            seed: seed ?? UInt64.random(in: 1..<1_000_000), seconds: seconds, client: client)
        (settings.people, settings.keep, settings.binaries) = (people, keep, binaries)
        Output.line("Seed \(settings.seed): \(settings.command)")
        let run = try SoakRun(settings) { Output.line($0) }
        let signals = Signals()
        let work = Task { try await run.run() }
        let watch = Task {
            guard await signals.first() else { return }
            Output.note("Interrupted. Nothing is compared.")
            work.cancel()
        }
        let result = await work.result
        watch.cancel()
        if signals.wereReceived { throw ExitCode(130) }
        let report = try result.get()
        show(report, settings)
        if !report.findings.isEmpty { throw ExitCode(1) }
    }

    private func show(_ report: SoakReport, _ settings: SoakConfiguration) {
        let style = Style()
        if report.findings.isEmpty {
            Output.line(style.green("No difference: every device shows what it must, and every promise was kept."))
        } else {
            Output.line(style.red("Findings: \(report.findings.count)"))
            for finding in report.findings.prefix(40) {
                Output.line("  \(PlainText.shown(finding, indent: 2))")
            }
            if report.findings.count > 40 { Output.line("  … and \(report.findings.count - 40) more") }
            Output.line("")
            Output.line("To repeat it: \(settings.command)")
            if let kept = report.kept { Output.line("Evidence: \(kept) (findings.txt, actions.log, c/log, d1 …)") }
        }
        // Last, where `make test` shows it.
        Output.line("\(report.figures). Seed \(settings.seed)")
    }
}
