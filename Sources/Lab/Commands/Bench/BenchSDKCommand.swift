import ArgumentParser
import Command
import Foundation
import ParleyClient
import ParleyKit

/// `parley-lab bench sdk`: measures ParleyKit, without a server.
struct BenchSDKCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sdk",
        abstract: "Measure what an app on ParleyKit waits for: messages until they are shown, and the first screen.",
        discussion: """
            It needs no server. Each measurement is repeated, and the best counts, as other programs can only slow it \
            down. The first screen is that of a new process with a file of the given size, and its median counts. With \
            --check it fails when a figure is missing, or lower than half of what was reached, in proportion to \
            appending to a bare dictionary in the same run.
            """)

    @Option(help: "The number of repetitions of each measurement.") var times = 30
    @Option(help: ArgumentHelp("The messages of the file for the first screen.", valueName: "count"))
    var messages = 1_000_000
    @Option(help: ArgumentHelp("The conversations of the file for the first screen.", valueName: "count"))
    var conversations = 10_000
    @Option(help: ArgumentHelp("The folder of the temporary files.", valueName: "folder")) var folder: String?
    @Flag(help: "Fail when a figure is missing or too low.") var check = false
    @Flag(help: "Print one JSON object for each measurement.") var json = false
    @Option(help: ArgumentHelp("Only show the first screen of a folder.", visibility: .hidden)) var firstScreen: String?

    struct Figure: Encodable, Sendable {
        var name: String
        var perS: Double?
        var ms: Double?
        var mib: Double?
        /// Compared with appending to a bare dictionary; of the first screen, with the bare start of a process.
        var ratio: Double?
    }

    /// Half of the ratios that were reached.
    private static let floors: [String: Double] = [
        "store.append": 0.18, "delivery.storeUpdate": 0.25, "delivery.incrementalUpdate": 0.15,
        "pipeline.privateIngest": 0.01, "pipeline.publicIngest": 0.0095, "store.append.persisted": 0.005,
        "outbox.drain": 0.0001,
    ]
    private static let baseline = "baseline.dictionary"
    /// What somebody who opens the app in the morning waits for, in milliseconds.
    private static let catchUpMax = 1000.0
    private static let firstScreenFloor = 0.28

    func validate() throws {
        guard (1...10_000).contains(times) else { throw ValidationError("--times must be 1 to 10000, not \(times).") }
        guard (100...1_000_000).contains(conversations), (conversations...100_000_000).contains(messages) else {
            throw ValidationError("--conversations must be 100 to 1000000, and --messages at least as many.")
        }
    }

    func run() async throws {
        if let firstScreen { return try await Self.showFirstScreen(URL(fileURLWithPath: firstScreen)) }
        let place = URL(fileURLWithPath: folder ?? FileManager.default.temporaryDirectory.path)
            .appendingPathComponent("parley-bench-sdk-\(getpid())")
        defer { try? FileManager.default.removeItem(at: place) }
        var figures = await SDKLoad(times: times).run(in: place.appendingPathComponent("append"))
        Output.note("bench: writing \(messages) messages in \(conversations) conversations …")
        figures += try await firstScreens(place.appendingPathComponent("screen"))
        let bare = figures.first { $0.name == Self.baseline }?.perS ?? 1
        for index in figures.indices where figures[index].perS != nil {
            figures[index].ratio = figures[index].perS.map { $0 / bare }
        }
        for figure in figures { if json { Output.json(figure) } else { show(figure) } }
        if check { try Self.check(figures) }
    }

    private func show(_ figure: Figure) {
        let value =
            figure.perS.map { "\(rounded($0))/s (\(rounded(figure.ratio)) of a bare dictionary)" }
            ?? figure.ms.map { "\(rounded($0)) ms" + (figure.ratio.map { " (\(rounded($0)) of a bare start)" } ?? "") }
            ?? "\(rounded(figure.mib)) MiB"
        printTable([(PlainText.padded(figure.name, 30), value)])
    }

    /// Fails when a figure is missing or too low.
    private static func check(_ figures: [Figure]) throws {
        let known = Dictionary(figures.map { ($0.name, $0) }) { $1 }
        var problems = floors.sorted { $0.key < $1.key }.compactMap { name, floor -> String? in
            guard let ratio = known[name]?.ratio else { return "\(name) was not reported" }
            return ratio < floor ? "\(name) is \(rounded(ratio)) of a bare dictionary; it must be \(floor)" : nil
        }
        if let ratio = known["coldstart.firstScreen"]?.ratio {
            if ratio < firstScreenFloor {
                problems.append(
                    "coldstart.firstScreen is \(rounded(ratio)) of a bare start; it must be \(firstScreenFloor)")
            }
        } else {
            problems.append("coldstart.firstScreen was not reported")
        }
        if let ms = known["sync.catchup"]?.ms {
            if ms > catchUpMax {
                problems.append("sync.catchup took \(rounded(ms)) ms; it must take \(rounded(catchUpMax)) at most")
            }
        } else {
            problems.append("sync.catchup was not reported")
        }
        if known["memory.resident"]?.mib == nil { problems.append("memory.resident was not reported") }
        guard problems.isEmpty else {
            throw Failure(
                "too_slow", problems.joined(separator: "; ") + ".",
                advice: "Run it again when nothing else runs. If it stays so, look at the last changes of ParleyKit.")
        }
    }

    // MARK: The first screen

    private static let me = UserID(rawValue: "me")

    /// Measures from the start of a new process until its first screen is shown.
    private func firstScreens(_ folder: URL) async throws -> [Figure] {
        await SDKLoad(times: times).fill(folder, conversations: conversations, messages: messages)
        var (durations, bare, memory): ([Duration], [Duration], [Double]) = ([], [], [])
        for _ in 0..<max(times, 10) {
            bare.append(try Self.firstOutput(of: ["--version"]).after)
            let (line, after) = try Self.firstOutput(of: ["bench", "sdk", "--first-screen", folder.path])
            durations.append(after)
            let words = line.split { $0 == " " || $0 == "\n" }
            guard words.count == 2, words[0] == "50", let mib = Double(words[1]) else {
                throw Failure("no_screen", "The first screen shows \(words), not 50 conversations.", advice: "")
            }
            memory.append(mib)
        }
        let (screen, start) = (Milliseconds(durations).p50, Milliseconds(bare).p50)
        return [
            Figure(name: "coldstart.firstScreen", ms: screen, ratio: start / screen),
            Figure(name: "memory.resident", mib: memory.sorted()[memory.count / 2]),
        ]
    }

    /// Starts a process of this program.
    /// - Returns: the first text it prints, and how long that took.
    private static func firstOutput(of arguments: [String]) throws -> (text: String, after: Duration) {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        let began = ContinuousClock.now
        try process.run()
        let line = output.fileHandleForReading.availableData
        defer { process.waitUntilExit() }
        return (String(decoding: line, as: UTF8.self), ContinuousClock.now - began)
    }

    /// Shows the first screen, prints how many conversations it has, and ends.
    @MainActor
    private static func showFirstScreen(_ folder: URL) async throws {
        let parley = await Pipeline.firstScreen(of: me, in: folder)
        let shown = parley.inbox.conversations.filter { $0.lastMessage != nil && $0.unread.messages > 0 }
        Output.line("\(shown.count) \(ProcessUsage.rssKiB(of: getpid()) / 1024)")
        _exit(0)
    }
}
