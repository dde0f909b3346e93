import ArgumentParser
import Command
import Conformance
import Foundation

struct ConformanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Test a client of your own against a server that misbehaves on purpose.",
        discussion: """
            Starts the client once for each case, and plays the server for it on a port of this machine: it drops, \
            doubles and reorders Updates, refuses requests, starts over, closes sessions, and sends kinds and fields of \
            a newer version. Then it compares what the client requested and holds with the vectors of the contract. \
            The random cases compare it with what the server has.

            The client reads the server's URL and its access token from PARLEY_URL and PARLEY_TOKEN, and answers \
            commands on its standard input with a line of JSON each. proto/CONFORMANCE.md describes them.

            Exit codes: 0 the client passed, 1 it failed a case or could play none, 64 wrong usage, 130 interrupted.

            Examples:
              parley-lab conformance -- node adapter.js
              parley-lab conformance --only gap --only unknown-kind -- ./adapter
              parley-lab conformance --seed 7 --random 100 --jobs 2 -- java -jar adapter.jar
            """)

    @Option(
        help: ArgumentHelp(
            "Play only the case with this id. Give it several times for several cases.", valueName: "id"))
    var only: [String] = []
    @Option(help: ArgumentHelp("The seed of the first random case. Default: a random one.", valueName: "number"))
    var seed: UInt64?
    @Option(help: ArgumentHelp("The number of random cases.", valueName: "count")) var random = 10
    @Option(
        help: ArgumentHelp("The longest wait for anything that the client must do.", valueName: "seconds"))
    var timeout = 10
    @Option(
        help: ArgumentHelp("How many cases to play at once, each with its own process.", valueName: "count"))
    var jobs = 4
    @Flag(help: "List the cases, and play none.") var list = false
    @Flag(help: "Print what was sent and received in each case that failed.") var verbose = false
    @Flag(help: "Print one JSON object per line.") var json = false
    @Argument(parsing: .postTerminator, help: ArgumentHelp("The client and its arguments.", valueName: "client"))
    var client: [String] = []

    func validate() throws {
        guard (1...3600).contains(timeout) else {
            throw ValidationError("--timeout must be 1 to 3600, not \(timeout).")
        }
        guard (1...64).contains(jobs) else { throw ValidationError("--jobs must be 1 to 64, not \(jobs).") }
        guard (0...100_000).contains(random) else {
            throw ValidationError("--random must be 0 to 100000, not \(random).")
        }
        guard !list else { return }
        guard let program = client.first else {
            throw ValidationError("Name the client after two hyphens: parley-lab conformance -- CLIENT")
        }
        guard Self.canRun(program) else {
            throw ValidationError("There is no program \(program). Check its path, and that it is executable.")
        }
    }

    /// Whether there is a program of this name or path.
    static func canRun(_ program: String) -> Bool {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        let paths = program.contains("/") ? [program] : folders.map { "\($0)/\(program)" }
        return paths.contains { FileManager.default.isExecutableFile(atPath: $0) }
    }

    func run() async throws {
        var configuration = ConformanceConfiguration(
            command: client, seed: seed ?? UInt64.random(in: 1..<1_000_000))
        (configuration.only, configuration.randomCases, configuration.jobs) = (only, random, jobs)
        configuration.limit = .seconds(timeout)
        let run = try ConformanceRun(configuration)
        if let id = run.unknownIDs.first {
            throw ValidationError("There is no case \"\(id)\". To list them: parley-lab conformance --list")
        }
        let output = ConformanceOutput(json: json, isChatty: verbose)
        if list { return run.cases.forEach(output.show(listed:)) }
        let signals = Signals()
        let began = ContinuousClock.now
        let work = Task { await run.run { output.show($0) } }
        let watch = Task {
            guard await signals.first() else { return }
            work.cancel()
        }
        let reports = await work.value
        watch.cancel()
        if signals.wereReceived { throw ExitCode(130) }
        let hasPassed = output.show(reports, seed: configuration.seed, duration: ContinuousClock.now - began)
        if !hasPassed { throw ExitCode(1) }
    }
}

/// Prints the results of `parley-lab conformance`.
private struct ConformanceOutput: Sendable {
    private struct Line: Encodable {
        var type = "case"
        var id: String
        var rules: [String]
        var about: String
        var result: String?
        var reason: String?
        var differences: [Difference]?
        var log: [String]?
        var seconds: Double?
    }

    private struct Summary: Encodable {
        var type = "summary"
        var passed: Int
        var failed: Int
        var leftOut: Int
        var seed: UInt64
        var seconds: Double
    }

    let json: Bool
    let isChatty: Bool
    private let style = Style()

    init(json: Bool, isChatty: Bool) { (self.json, self.isChatty) = (json, isChatty) }

    private func name(_ report: CaseReport) -> String {
        PlainText.padded(report.id, 30) + report.rules.map { "[\($0)]" }.joined(separator: " ")
    }

    func show(listed report: CaseReport) {
        guard json else {
            if case .leftOut(let reason) = report.outcome {
                return Output.line("\(name(report))  (only as data: \(reason))")
            }
            return Output.line(name(report))
        }
        Output.json(Line(id: report.id, rules: report.rules, about: report.about))
    }

    func show(_ report: CaseReport) {
        guard !json else { return Output.json(line(report)) }
        switch report.outcome {
        case .passed: Output.line(style.green("ok      ") + name(report))
        case .leftOut(let reason): Output.line("left    \(name(report))  \(reason)")
        case .failed(let differences):
            Output.line(style.red("FAILED  ") + "\(name(report))  \(report.about)")
            for difference in differences.prefix(10) {
                Output.line("          \(difference.place):")
                Output.line("            expected  \(PlainText.shown(difference.expected, indent: 22))")
                Output.line("            seen      \(PlainText.shown(difference.seen, indent: 22))")
            }
            if isChatty { for line in report.log { Output.line("          \(PlainText.shown(line, indent: 12))") } }
            if differences.count > 10 { Output.line("          … and \(differences.count - 10) more") }
        }
    }

    private func line(_ report: CaseReport) -> Line {
        var line = Line(id: report.id, rules: report.rules, about: report.about)
        line.seconds = Self.seconds(report.duration)
        switch report.outcome {
        case .passed: line.result = "passed"
        case .leftOut(let reason): (line.result, line.reason) = ("left_out", reason)
        case .failed(let differences):
            (line.result, line.differences) = ("failed", differences)
            if isChatty { line.log = report.log }
        }
        return line
    }

    /// Prints the sum.
    /// - Returns: whether the client passed.
    func show(_ reports: [CaseReport], seed: UInt64, duration: Duration) -> Bool {
        var summary = Summary(passed: 0, failed: 0, leftOut: 0, seed: seed, seconds: Self.seconds(duration))
        var failed: [String] = []
        for report in reports {
            switch report.outcome {
            case .passed: summary.passed += 1
            case .leftOut: summary.leftOut += 1
            case .failed:
                summary.failed += 1
                failed.append(report.id)
            }
        }
        if json {
            Output.json(summary)
        } else {
            Output.line(
                "\(summary.passed) passed, \(summary.failed) failed, \(summary.leftOut) left out after "
                    + "\(Int(summary.seconds.rounded())) s. Seed \(seed)")
            if !failed.isEmpty { Output.line("To repeat: " + failed.map { "--only \($0)" }.joined(separator: " ")) }
        }
        return summary.failed == 0 && summary.passed > 0
    }

    private static func seconds(_ duration: Duration) -> Double {
        (duration / .milliseconds(1)).rounded() / 1000
    }
}
