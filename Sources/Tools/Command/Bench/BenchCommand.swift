import ArgumentParser

/// `parley bench`: how fast this machine is with Parley on it, held against what its database alone can do.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures sends, connections, syncs, reading and searching, and everybody coming back at once.",
        discussion: """
            Each starts a cluster of its own in a temporary folder, with the limits on requests lifted, and removes it \
            afterwards. Everything shares this machine, the load generator included: run it when nothing else runs.
            """,
        subcommands: [
            BenchSendCommand.self, BenchConnectionsCommand.self, BenchSyncCommand.self, BenchStormCommand.self,
            BenchGroupCommand.self, BenchReceiptsCommand.self,
            BenchHistoryCommand.self, BenchInboxCommand.self, BenchSearchCommand.self,
        ])
}

/// Where a bench runs: the same for each.
struct BenchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Where the temporary cluster goes; its disk is what commits wait for.", valueName: "folder"))
    var folder: String?
    @Option(
        help: ArgumentHelp(
            "The folder of parley-gateway and the others; otherwise beside this program.", valueName: "folder"))
    var binaries: String?
    @Flag(help: "Print one JSON object, for programs.") var json = false

    /// Tells how it goes on, beside the result.
    func progress(_ text: String) { Output.note("bench: \(text)") }
}

/// A number as a person reads it: three significant digits, at least the whole ones.
func rounded(_ value: Double?) -> String {
    guard let value else { return "–" }
    let digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 4
    return value.formatted(.number.precision(.fractionLength(0...digits)).locale(.init(identifier: "en_GB")))
}

/// Rows of a name and a value, in columns.
func printTable(_ rows: [(String, String)]) {
    let width = rows.map(\.0.count).max() ?? 0
    for (name, value) in rows { Output.line("  " + PlainText.padded(name, width + 2) + value) }
}

/// Percentiles of what was measured, in milliseconds.
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
