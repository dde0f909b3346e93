import ArgumentParser
import Foundation
import NIOCore
import NIOPosix
import ParleyClient

struct BenchGroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "Measures deliveries in one group of which everybody is there.",
        discussion: """
            Some members send, each with a window of messages outstanding; each message must arrive, once, at every other \
            member, all of whom are connected. With the cores that each process took: what is at 1 bounds it.
            """)

    @Option(help: "How many members, all connected.") var members = 100
    @Option(help: "How many of them send.") var senders = 4
    @Option(help: "How many messages each sender has outstanding.") var window = 8
    @Option(help: "How long to measure.") var seconds = 10
    @Option(help: "Bytes of a message's text.") var bodyBytes = 100
    @OptionGroup var bench: BenchOptions

    func validate() throws {
        guard (2...1000).contains(members) else { throw ValidationError("--members: 2 to 1000, not \(members).") }
        guard (1...members).contains(senders) else { throw ValidationError("--senders: 1 to \(members).") }
        guard (1...1000).contains(window) else { throw ValidationError("--window: 1 to 1000, not \(window).") }
        guard (1...3600).contains(seconds) else { throw ValidationError("--seconds: 1 to 3600, not \(seconds).") }
        guard (1...16_384).contains(bodyBytes) else { throw ValidationError("--body-bytes: 1 to 16384.") }
    }

    func run() async throws {
        let figures = try await BenchCluster.with(bench, connections: members) { try await measure($0) }
        if bench.json { return Output.json(figures) }
        Output.line(Style().bold("A group of \(members), all there: \(senders) send, \(window) outstanding each"))
        figures.show(done: "messages /s", told: "deliveries /s")
    }

    private func measure(_ cluster: BenchCluster) async throws -> LoadFigures {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { group.shutdownGracefully { _ in } }
        let url = UpCommand.clientURL(cluster.endpoints.sockets.first ?? "")
        bench.progress("registering \(members) people")
        let people = try await BenchPeople.register(members, at: url, on: group)
        let id = try await makeGroup(people, url, group)
        let text = String(repeating: "x", count: bodyBytes)
        let run = UInt32.random(in: 0..<1 << 28)
        let load = ReadingLoad(eventLoop: group.next()) { client, nth, milliseconds in
            .send(
                .with {
                    let number = MessageNumber(sender: UInt16(client), run: run, number: UInt32(nth))
                    $0.id = Data(number.bytes(at: milliseconds))
                    ($0.conversation, $0.kind, $0.text) = (id, .text, text)
                })
        }
        try await load.connect(people, to: try LinkAddress(url))
        bench.progress("sending for \(seconds) s")
        try await load.begin(askers: senders, window: window)
        let figures = try await LoadFigures.measure(load, seconds: seconds, on: cluster)
        try await load.drain(toldEach: members - 1)
        return figures
    }

    /// Says nothing in it once this returns.
    private func makeGroup(_ people: [BenchPerson], _ url: String, _ group: any EventLoopGroup) async throws -> String {
        let owner = ParleyClient(url: url, group: group)
        _ = try await owner.connect(token: people[0].token)
        let others = people.dropFirst().map(\.user)
        let id = try await owner.createGroup(name: "bench", users: Array(others.prefix(100))).conversation.id
        for start in stride(from: 100, to: others.count, by: 100) {
            try await owner.addMembers(Array(others[start..<min(others.count, start + 100)]), to: id)
        }
        // Who came is said in the group: all of it before anybody counts.
        var last: Int64 = -1
        while case let now = try await owner.history(of: id, limit: 1).lastSeq, now != last {
            last = now
            try await Task.sleep(for: .seconds(1))
        }
        await owner.close()
        return id
    }
}
