import ArgumentParser
import Cluster
import Command
import Foundation
import NIOCore
import NIOPosix
import ParleyClient

struct BenchHopsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hops",
        abstract: "Show the way of one request: which threads wake for it, when, and for how long.",
        discussion: """
            One client asks one thing after another, with a pause in between, so that everything sleeps when a request \
            comes. A library that is loaded into all processes of the cluster, those of PostgreSQL too, notes their \
            system calls; that costs about 0.1 µs a call. The other member of the conversation is connected.

            A wake-up is a wait of at least 5 µs that ended. Threads that take over from each other without a system \
            call of their own, as those of Swift's thread pool do, are not seen.
            """)

    @Option(help: "The number of requests of each kind.") var times = 300
    @Option(help: ArgumentHelp("The pause after each answer.", valueName: "milliseconds")) var pause = 10
    @OptionGroup var bench: BenchOptions

    private static let library = "libparley-hops.so"

    func validate() throws {
        guard (1...100_000).contains(times) else { throw ValidationError("--times must be 1 to 100000, not \(times).") }
        guard (1...10_000).contains(pause) else { throw ValidationError("--pause must be 1 to 10000, not \(pause).") }
    }

    func run() async throws {
        let notes = try prepare()
        defer { try? FileManager.default.removeItem(atPath: notes) }
        let figures = try await BenchCluster.with(bench, connections: 2) { try await measure($0, notes) }
        if bench.json { return Output.json(figures) }
        for each in figures { show(each) }
    }

    /// Has the library loaded into the processes that are started from now on.
    /// - Returns: the folder in which they note what they do.
    private func prepare() throws -> String {
        let programs = try bench.binaries ?? Cluster.binaries(nil)
        let library = URL(filePath: programs).appending(path: Self.library).path
        guard FileManager.default.fileExists(atPath: library) else {
            throw Failure(
                .noLibrary, "There is no \(library). Build it: make lab, or swift build --product parley-hops")
        }
        let folder = URL(filePath: bench.folder ?? NSTemporaryDirectory())
        let notes = folder.appending(path: "parley-hops-\(getpid())").path
        try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
        // PostgreSQL may run with another account.
        guard chmod(notes, 0o1777) == 0 else { throw Failure(.failed, "Cannot change who may write to \(notes).") }
        setenv("HOPS_FOLDER", notes, 1)
        setenv("LD_PRELOAD", library, 1)
        return notes
    }

    private func measure(_ cluster: BenchCluster, _ notes: String) async throws -> [HopFigures] {
        unsetenv("LD_PRELOAD")
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { group.shutdownGracefully { _ in } }
        let (url, people) = (
            cluster.endpoints.url, try await BenchPeople.register(2, at: cluster.endpoints.url, on: group)
        )
        let talk = try await BenchPeople.startDirects(people, at: url, on: group)[0][0]
        let writer = ParleyClient(url: url, group: group)
        _ = try await writer.connect(token: people[0].token)
        for number in 1...60 { _ = try await writer.send("\(number)", to: talk) }
        await writer.close()
        let (client, other) = (HopClient(eventLoop: group.next()), HopClient(eventLoop: group.next()))
        try await client.connect(people[0], to: try LinkAddress(url))
        try await other.connect(people[1], to: try LinkAddress(url))
        var figures: [HopFigures] = []
        for request in HopRequest.allCases {
            bench.progress("\(request.rawValue): \(times) requests, one after the other")
            let pause = max(pause, request.pauseMin)
            var samples: [HopFigures.Sample] = []
            for number in 0..<(times + Self.warmUp) {
                var sample = try await client.ask { try request.frame(id: $0, by: people[0].user, in: talk, number) }
                try await Task.sleep(for: .milliseconds(pause))
                sample.end = sample.answered + UInt64(pause) * 1_000_000
                if number >= Self.warmUp { samples.append(sample) }
            }
            figures.append(HopFigures(request.rawValue, samples, await stretches(of: cluster, notes)))
        }
        try await client.close()
        try await other.close()
        return figures
    }

    /// The first requests of a kind prepare statements and fill caches.
    private static let warmUp = 20

    private func stretches(of cluster: BenchCluster, _ notes: String) async -> [Stretch] {
        var names = await cluster.services().map { (pid: $0.value, name: $0.key) }
        if let postgres = await cluster.postgres() {
            names += ([postgres] + ProcessUsage.children(of: postgres)).map { (pid: $0, name: "postgres") }
        }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: notes)) ?? []
        return names.flatMap { pid, name in
            let role = name == "postgres" ? ProcessUsage.title(of: pid) : nil
            return files.filter { $0.hasPrefix("\(pid).") }.flatMap { file in
                let found = (try? Data(contentsOf: URL(filePath: notes).appending(path: file))) ?? Data()
                return HopNotes.stretches(in: found) { thread in
                    "\(name) \(role ?? ProcessUsage.name(ofThread: thread, of: pid))"
                }
            }
        }.sorted { $0.woke < $1.woke }
    }

    private func show(_ figures: HopFigures) {
        Output.line(
            Style().bold(figures.request) + ": p50 \(rounded(figures.p50Ms)) ms, p99 \(rounded(figures.p99Ms)) ms, "
                + "\(figures.wakeUps) wake-ups until the answer, \(figures.wakeUpsAfter) after it")
        printRow("at µs", "for µs", "disk µs", "reads", "writes", "thread")
        for hop in figures.hops where !hop.isAfterAnswer {
            printRow(
                rounded(hop.wokeAtUs), rounded(hop.workedUs), hop.syncUs > 0 ? rounded(hop.syncUs) : "",
                "\(hop.reads)", "\(hop.writes)", hop.place)
        }
    }

    private func printRow(_ cells: String...) {
        let columns = cells.dropLast().map { String(repeating: " ", count: max(0, 9 - $0.count)) + $0 }
        Output.line(columns.joined() + "   " + (cells.last ?? ""))
    }
}

/// The requests whose way is shown.
private enum HopRequest: String, CaseIterable {
    case ping, read, send, typing

    private static let run = UInt32.random(in: 0..<1 << 28)

    /// The least pause in milliseconds: of typing, a session may tell two beginnings a second.
    var pauseMin: Int { self == .typing ? 260 : 1 }

    func frame(id: UInt64, by user: String, in talk: String, _ number: Int) throws -> ByteBuffer {
        switch self {
        case .ping:
            var frame = Parley_V1_ClientFrame()
            frame.ping = Parley_V1_Ping()
            return ByteBuffer(bytes: try frame.serializedBytes() as [UInt8])
        case .read:
            var request = Parley_V1_GetHistoryRequest()
            request.conversation = talk
            return try OutgoingRequest.frame(id: id, MessagingMethods.getHistory, key: talk, request)
        case .send:
            var request = Parley_V1_SendMessageRequest()
            let message = MessageNumber(sender: 0, run: Self.run, number: UInt32(number))
            request.id = Data(message.bytes(at: UInt64(Times.now() / 1000)))
            (request.conversation, request.kind, request.text) = (talk, .text, "Message \(number)")
            return try OutgoingRequest.frame(id: id, MessagingMethods.sendMessage, key: talk, request)
        case .typing:
            var request = Parley_V1_SetTypingRequest()
            (request.conversation, request.typing) = (talk, number.isMultiple(of: 2))
            return try OutgoingRequest.frame(id: id, PresenceMethods.setTyping, key: user, request)
        }
    }
}
