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
            down. The first screen is that of a new process with a file of the given size, and its median counts.

            With --check it counts instead of measuring: statements of SQLite, bytes written and allocations of each \
            operation. They are the same on every machine. It fails when one is above its bound.

            Examples:
              parley-lab bench sdk --json
              parley-lab bench sdk --check
            """)

    @Option(help: "The number of repetitions of each measurement.") var times = 30
    @Option(help: ArgumentHelp("The messages of the file for the first screen.", valueName: "count"))
    var messages = 1_000_000
    @Option(help: ArgumentHelp("The conversations of the file for the first screen.", valueName: "count"))
    var conversations = 10_000
    @Option(help: ArgumentHelp("The folder of the temporary files.", valueName: "folder")) var folder: String?
    @Flag(help: "Count what each operation does, and fail when it is more than its bound.") var check = false
    @Flag(help: "Print one JSON object for each measurement.") var json = false
    @Option(help: ArgumentHelp("Only show the first screen of a folder.", visibility: .hidden)) var firstScreen: String?

    struct Figure: Encodable, Sendable {
        var name: String
        var perS: Double?
        var ms: Double?
        var mib: Double?
        /// Compared with appending to a bare dictionary; of the first screen, with the bare start of a process.
        var ratio: Double?
        /// Of one operation.
        var statements: Double?
        var bytes: Double?
        var allocations: Double?

        init(name: String, perS: Double? = nil, ms: Double? = nil, mib: Double? = nil, ratio: Double? = nil) {
            (self.name, self.perS, self.ms, self.mib, self.ratio) = (name, perS, ms, mib, ratio)
        }

        init(name: String, counts: Counts?) {
            self.name = name
            (statements, bytes, allocations) = (counts?.statements, counts?.bytes, counts?.allocations)
        }
    }

    /// The most that an operation may do: a tenth above what it does in a debug build (a release allocates less), and
    /// more where waiting tasks differ from run to run. Lower a bound with every saving.
    static let bounds: [(name: String, most: Counts)] = [
        ("store.append", Counts(statements: 0, bytes: 0, allocations: 2.4)),
        ("delivery.storeUpdate", Counts(statements: 0, bytes: 0, allocations: 2.5)),
        ("delivery.incrementalUpdate", Counts(statements: 0, bytes: 0, allocations: 3.4)),
        ("pipeline.privateIngest", Counts(statements: 0, bytes: 0, allocations: 135)),
        ("pipeline.publicIngest", Counts(statements: 0, bytes: 0, allocations: 135)),
        ("store.append.persisted", Counts(statements: 2.3, bytes: 220, allocations: 235)),
        ("outbox.drain", Counts(statements: 22, bytes: 43_000, allocations: 6_300)),
        ("sync.catchup", Counts(statements: 15_300, bytes: 2_130_000, allocations: 1_980_000)),
        ("coldstart.firstScreen", Counts(statements: 180, bytes: 8_300, allocations: 24_000)),
    ]
    private static let baseline = "baseline.dictionary"

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
        if check { return try await check(in: place) }
        var figures = await SDKLoad(.times(times)).run(in: place.appendingPathComponent("append"))
        Output.note("bench: writing \(messages) messages in \(conversations) conversations …")
        figures += try await firstScreens(place.appendingPathComponent("screen"))
        let bare = figures.first { $0.name == Self.baseline }?.perS ?? 1
        for index in figures.indices where figures[index].perS != nil {
            figures[index].ratio = figures[index].perS.map { $0 / bare }
        }
        for figure in figures { if json { Output.json(figure) } else { show(figure) } }
    }

    private func show(_ figure: Figure) {
        let value =
            figure.perS.map { "\(rounded($0))/s (\(rounded(figure.ratio)) of a bare dictionary)" }
            ?? figure.ms.map { "\(rounded($0)) ms" + (figure.ratio.map { " (\(rounded($0)) of a bare start)" } ?? "") }
            ?? figure.mib.map { "\(rounded($0)) MiB" }
            ?? "\(rounded(figure.statements)) statements, \(rounded(figure.bytes)) bytes, "
            + "\(rounded(figure.allocations)) allocations"
        printTable([(PlainText.padded(figure.name, 30), value)])
    }

    /// Counts, and fails when a count is missing or above its bound.
    private func check(in place: URL) async throws {
        Counts.prepare()
        let load = SDKLoad(.counts)
        var figures = await load.run(in: place.appendingPathComponent("append"))
        figures.append(await load.firstScreen(in: place.appendingPathComponent("screen")))
        for figure in figures {
            if json { Output.json(figure) } else { show(figure) }
        }
        let problems = Self.problems(figures)
        guard problems.isEmpty else {
            throw Failure(
                .tooDear, problems.joined(separator: "; ") + ".",
                advice: "Look at the last changes of ParleyKit. A bound is raised only with a reason.")
        }
    }

    static func problems(_ figures: [Figure]) -> [String] {
        bounds.flatMap { name, most -> [String] in
            guard let figure = figures.first(where: { $0.name == name }), let statements = figure.statements,
                let bytes = figure.bytes, let allocations = figure.allocations
            else { return ["\(name) was not counted"] }
            let all = [
                ("statements", statements, most.statements), ("bytes written", bytes, most.bytes),
                ("allocations", allocations, most.allocations),
            ]
            return all.filter { $0.1 > $0.2 }.map { what, count, bound in
                "\(name): \(rounded(count)) \(what) an operation; the bound is \(rounded(bound))"
            }
        }
    }

    // MARK: The first screen

    private static let me = UserID(rawValue: "me")

    /// Measures from the start of a new process until its first screen is shown.
    private func firstScreens(_ folder: URL) async throws -> [Figure] {
        await SDKLoad(.times(times)).filled(folder, conversations: conversations, messages: messages).close()
        var (durations, bare, memory): ([Duration], [Duration], [Double]) = ([], [], [])
        for _ in 0..<max(times, 10) {
            bare.append(try Self.firstOutput(of: ["--version"]).after)
            let (line, after) = try Self.firstOutput(of: ["bench", "sdk", "--first-screen", folder.path])
            durations.append(after)
            let words = line.split { $0 == " " || $0 == "\n" }
            guard words.count == 2, words[0] == "50", let mib = Double(words[1]) else {
                throw Failure(.noScreen, "The first screen shows \(words), not 50 conversations.", advice: "")
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
