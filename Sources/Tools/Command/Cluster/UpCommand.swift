import ArgumentParser
import Cluster
import Foundation
import Logging
import ParleyClient

struct UpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Run all of Parley on this machine.",
        discussion: """
            Starts a private PostgreSQL and Parley's processes, restarts processes that end, and stops all of them on \
            Ctrl-C. The data stays in the folder. --demo adds three sample people who talk to each other and to you.

            Examples:
              parley up --demo
              parley up --listen 127.0.0.1:9000 --replicas messaging=2
            """)

    @Option(help: ArgumentHelp("The folder of the data, logs and secrets.", valueName: "folder")) var folder = ".parley"
    @Option(help: ArgumentHelp("The address for clients; port 0 chooses a free one.", valueName: "host:port"))
    var listen = "127.0.0.1:8080"
    @Flag(help: "Add three sample people who talk.") var demo = false
    @Option(help: ArgumentHelp("Use this PostgreSQL, as a superuser, instead of a private one.", valueName: "url"))
    var databaseURL: String?
    @Option(
        help: ArgumentHelp("The number of processes of a service. May be repeated.", valueName: "service=count"),
        transform: Self.parse(replicas:))
    var replicas: [Replicas] = []
    @Option(help: ArgumentHelp("The number of gateways.", valueName: "count")) var gateways = 1
    @Option(
        help: ArgumentHelp(
            "The folder of Parley's programs. Default: that of this program.", valueName: "folder"))
    var binaries: String?
    @Flag(help: "Print one JSON object per line.") var json = false

    struct Replicas: Sendable, Equatable {
        var service: String
        var count: Int
    }

    struct ReadyJSON: Encodable {
        var type = "ready"
        var url: String
        var urls: [String]
        var seconds: Double
    }

    static func parse(replicas text: String) throws -> Replicas {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[1]), count > 0 else {
            throw ValidationError("--replicas must look like messaging=2, not \(text).")
        }
        return Replicas(service: String(parts[0]), count: count)
    }

    func validate() throws {
        guard !folder.isEmpty else { throw ValidationError("--folder must not be empty.") }
        for replica in replicas where !ClusterConfiguration.services.contains(replica.service) {
            throw ValidationError(
                "--replicas: there is no service \(replica.service). Use one of "
                    + "\(ClusterConfiguration.services.joined(separator: ", "))."
            )
        }
    }

    private var clusterConfiguration: ClusterConfiguration {
        var configuration = ClusterConfiguration()
        (configuration.folder, configuration.listen, configuration.gateways) = (folder, listen, gateways)
        configuration.binaries = binaries
        configuration.replicas = Dictionary(replicas.map { ($0.service, $0.count) }) { $1 }
        if let databaseURL { configuration.database = .url(databaseURL) }
        return configuration
    }

    func run() async throws {
        Output.endsWithItsReader.store(false, ordering: .relaxed)
        signal(SIGPIPE, SIG_IGN)
        let board = StatusBoard(isJSON: json)
        LoggingSystem.bootstrap { _ in BoardLog(board: board) }
        let cluster = Cluster(clusterConfiguration)
        let signals = Signals()
        let changes = await cluster.changes()
        let watching = Task { for await status in changes { board.show(status) } }
        board.print("Starting Parley in \(cluster.folder)")
        let began = ContinuousClock.now
        let stopEarly = Task {
            if await signals.first() { await cluster.stop() }
        }
        let endpoints: ClusterEndpoints
        do {
            endpoints = try await cluster.start()
        } catch {
            stopEarly.cancel()
            await watching.value
            guard !signals.wereReceived else { return board.print("Stopped.") }
            throw error
        }
        stopEarly.cancel()
        // The stream of changes may lag behind the start.
        for status in await cluster.statuses { board.show(status) }
        board.settle()
        printReady(endpoints, board, after: ContinuousClock.now - began)
        let talk = Task { if demo { await runDemo(endpoints, cluster.folder, board) } }
        _ = await signals.first()
        board.print("\nStopping …")
        talk.cancel()
        await talk.value
        await cluster.stop()
        await watching.value
        board.print("Stopped. The data is in \(cluster.folder).")
    }

    private func printReady(_ endpoints: ClusterEndpoints, _ board: StatusBoard, after time: Duration) {
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        let urls = endpoints.urls
        if json {
            return Output.json(ReadyJSON(url: urls.first ?? "", urls: urls, seconds: (seconds * 100).rounded() / 100))
        }
        let style = board.style
        let parley = ParleyCommand.invocation
        var text =
            "\n\(style.bold("Ready")) after \(String(format: "%.1f", seconds)) s "
            + "at \(style.bold(urls.joined(separator: "  ")))\n"
        text += "\nNext, in another terminal:\n"
        if urls.first != ServerOptions.defaultURL {
            text += style.cyan("  export PARLEY_URL=\(urls.first ?? "")\n")
        }
        let steps =
            demo
            ? ["register dana", "send alice \"Hello Alice!\"", "tail"]
            : ["register dana", "register erin --profile erin", "send erin \"Hello!\"", "tail --profile erin"]
        for step in steps { text += style.cyan("  \(parley) \(step)\n") }
        if !demo { text += "With sample people who talk: \(style.cyan("\(parley) up --demo"))\n" }
        if let page = endpoints.http.first {
            let (chat, state) = (style.cyan("\(page)/"), style.cyan("\(page)/status"))
            text += "A chat, in a browser: \(chat); the cluster's state: \(state)\n"
        }
        let option = folder == ".parley" ? "" : " --folder \(folder)"
        text += "If something is wrong: \(style.cyan("\(parley) doctor\(option)")). Ctrl-C stops everything.\n"
        board.print(text)
    }

    private func runDemo(_ endpoints: ClusterEndpoints, _ folder: String, _ board: StatusBoard) async {
        let url = endpoints.url
        do {
            let people = try await SamplePeople(url: url, folder: folder).signIn { board.print($0) }
            try await SampleData.write(by: people)
            if let password = try? SamplePeople.password(in: folder) {
                board.print(
                    "Alice, Bob and Charlie are talking. To sign in as one of them: "
                        + board.style.cyan("\(ParleyCommand.invocation) login alice --profile alice")
                        + ", password \(board.style.bold(password))\n")
            }
            await SampleTalk(people: people, board: board, isJSON: json).run()
            for person in people { await person.client.close() }
        } catch {
            guard !Task.isCancelled, let failure = Failure(explaining: error) else { return }
            board.print(board.style.red("The sample people cannot start: \(failure.message) (\(failure.code))"))
        }
    }
}

/// Prints the cluster's log messages on the board.
private struct BoardLog: LogHandler {
    let board: StatusBoard
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.notice

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        // The process's state already shows that it ended.
        guard !"\(event.message)".contains(" is restarted in ") else { return }
        board.print(board.style.dim("\(Times.short(Times.now())) \(event.message)"))
    }
}
