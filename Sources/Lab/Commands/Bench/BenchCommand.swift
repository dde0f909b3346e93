import ArgumentParser
import Command

/// `parley-lab bench`: measures the speed of Parley on this machine, compared with its database alone.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract:
            "Measure sends, connections, syncs, reading, presence, pushes, signing in, reconnecting, imports, the SDK.",
        discussion: """
            Each measurement starts a cluster in a temporary folder, with the request limits lifted, and removes it \
            afterwards. Everything shares this machine, including the load generator. Run it when nothing else runs.
            """,
        subcommands: [
            BenchSendCommand.self, BenchConnectionsCommand.self, BenchSyncCommand.self, BenchStormCommand.self,
            BenchGroupCommand.self, BenchReceiptsCommand.self, BenchRemindersCommand.self, BenchEventsCommand.self,
            BenchHistoryCommand.self, BenchInboxCommand.self, BenchSearchCommand.self, BenchSDKCommand.self,
            BenchPresenceCommand.self, BenchSignInCommand.self, BenchPushCommand.self, BenchImportCommand.self,
            BenchHopsCommand.self,
        ])
}

/// The options that all benches share.
struct BenchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The folder of the temporary cluster. Commits wait for its disk.", valueName: "folder"))
    var folder: String?
    @Option(
        help: ArgumentHelp(
            "The folder of Parley's programs. Default: that of this program.", valueName: "folder"))
    var binaries: String?
    @Flag(help: "Print one JSON object.") var json = false

    /// Prints progress, apart from the result.
    func progress(_ text: String) { Output.note("bench: \(text)") }
}

/// Formats a number for people, with all whole digits and about three significant ones.
func rounded(_ value: Double?) -> String {
    guard let value else { return "–" }
    let digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 4
    return value.formatted(.number.precision(.fractionLength(0...digits)).locale(.init(identifier: "en_GB")))
}

/// Prints rows of a name and a value in columns.
func printTable(_ rows: [(String, String)]) {
    let width = rows.map(\.0.count).max() ?? 0
    for (name, value) in rows { Output.line("  " + PlainText.padded(name, width + 2) + value) }
}

/// Percentiles of measured durations, in milliseconds.
struct Milliseconds: Encodable, Sendable {
    var p50: Double
    var p99: Double
    var max: Double

    init(_ durations: [Duration]) {
        let sorted = durations.sorted()
        func at(_ part: Double) -> Double {
            guard !sorted.isEmpty else { return 0 }
            let duration = sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
            return (duration / .microseconds(1)).rounded() / 1000
        }
        (p50, p99, max) = (at(0.5), at(0.99), at(1))
    }
}
