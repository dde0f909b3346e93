import ArgumentParser
import Cluster

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check everything that Parley needs and report what is broken.",
        discussion: """
            Exits with 1 if something is broken.

            Example:
              parley doctor --folder .parley --url ws://127.0.0.1:8080
            """)

    @Option(help: ArgumentHelp("The folder of \"parley up\".", valueName: "folder")) var folder = ".parley"
    @OptionGroup var server: ServerOptions
    @Option(
        help: ArgumentHelp(
            "The folder of Parley's programs. Default: that of this program.", valueName: "folder"))
    var binaries: String?
    @Flag(help: "Print one JSON object per line.") var json = false

    func run() async throws {
        var findings = MachineCheck(folder: folder, binaries: binaries).findings()
        findings += await ServerCheck(url: server.resolvedURL, link: server.trust.link, folder: folder).findings()
        findings += await MailCheck(folder: folder).findings()
        let style = Style()
        for finding in findings {
            if json {
                Output.json(finding)
            } else {
                Output.line(finding.text(style))
            }
        }
        let broken = findings.filter { $0.verdict == .broken }
        if broken.isEmpty {
            if !json { Output.line("\nNothing is broken.") }
            return
        }
        if !json { Output.line("\nBroken: \(broken.map(\.subject).joined(separator: ", ")).") }
        throw ExitCode(1)
    }
}

/// The result of a check.
struct Finding: Encodable, Equatable, Sendable {
    enum Verdict: String, Encodable, Sendable {
        case good, doubtful, broken
    }

    var type = "check"
    var subject: String
    var verdict: Verdict
    var detail: String
    /// How to fix it.
    var fix: String?

    static func good(_ subject: String, _ detail: String) -> Finding {
        Finding(subject: subject, verdict: .good, detail: detail)
    }

    static func doubtful(_ subject: String, _ detail: String, fix: String) -> Finding {
        Finding(subject: subject, verdict: .doubtful, detail: detail, fix: fix)
    }

    static func broken(_ subject: String, _ detail: String, fix: String) -> Finding {
        Finding(subject: subject, verdict: .broken, detail: detail, fix: fix)
    }

    func text(_ style: Style) -> String {
        let mark =
            switch verdict {
            case .good: style.green("ok    ")
            case .doubtful: style.yellow("warn  ")
            case .broken: style.red("BROKEN")
            }
        let line = "\(mark)  \(PlainText.padded(subject, 16))  \(detail)"
        return fix.map { line + "\n" + String(repeating: " ", count: 26) + "→ \($0)" } ?? line
    }
}
