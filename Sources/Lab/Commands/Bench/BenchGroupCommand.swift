import ArgumentParser
import Command
import Foundation
import NIOCore
import NIOPosix
import ParleyClient

struct BenchGroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "Measure deliveries in one group whose members are all connected.",
        discussion: """
            Some members send, each with a window of outstanding messages. Each message must arrive exactly once at \
            every other member. The result includes the cores that each process used: a process at 1 is the bottleneck.
            """)

    @Option(help: "The number of members, all connected.") var members = 100
    @Option(help: "The number of members who send.") var senders = 4
    @Option(help: "The number of outstanding messages of each sender.") var window = 8
    @Option(help: "Seconds to measure.") var seconds = 10
    @Option(help: "The size of a message's text in bytes.") var bodyBytes = 100
    @OptionGroup var bench: BenchOptions

    func validate() throws {
        guard (2...1000).contains(members) else {
            throw ValidationError("--members must be 2 to 1000, not \(members).")
        }
        guard (1...members).contains(senders) else { throw ValidationError("--senders must be 1 to \(members).") }
        guard (1...1000).contains(window) else { throw ValidationError("--window must be 1 to 1000, not \(window).") }
        guard (1...3600).contains(seconds) else {
            throw ValidationError("--seconds must be 1 to 3600, not \(seconds).")
        }
        guard (1...16_384).contains(bodyBytes) else { throw ValidationError("--body-bytes must be 1 to 16384.") }
    }

    func run() async throws {
        let figures = try await BenchCluster.with(bench, connections: members) { try await measure($0) }
        if bench.json { return Output.json(figures) }
        Output.line(Style().bold("Group: \(members) connected members, \(senders) send, \(window) outstanding each"))
        figures.show(done: "messages /s", delivered: "deliveries /s")
    }

    private func measure(_ cluster: BenchCluster) async throws -> LoadFigures {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { group.shutdownGracefully { _ in } }
        let url = cluster.endpoints.url
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
        try await load.begin(requesters: senders, window: window)
        let figures = try await LoadFigures.measure(load, seconds: seconds, on: cluster)
        try await load.drain(deliveriesEach: members - 1)
        return figures
    }

    /// Creates the group of all people. Once this returns, its system messages are all stored.
    private func makeGroup(_ people: [BenchPerson], _ url: String, _ group: any EventLoopGroup) async throws -> String {
        let owner = ParleyClient(url: url, group: group)
        _ = try await owner.connect(token: people[0].token)
        let others = people.dropFirst().map(\.user)
        // Who does not know the owner would only be invited.
        for person in people.dropFirst() {
            let other = ParleyClient(url: url, group: group)
            _ = try await other.connect(token: person.token)
            _ = try await other.startDirect(with: people[0].user)
            _ = try await owner.startDirect(with: person.user)
            await other.close()
        }
        let id = try await owner.createGroup(name: "bench", users: Array(others.prefix(100))).conversation.id
        for start in stride(from: 100, to: others.count, by: 100) {
            try await owner.addMembers(Array(others[start..<min(others.count, start + 100)]), to: id)
        }
        // Wait until the system messages about joins are stored, before anyone counts.
        var last: Int64 = -1
        while case let now = try await owner.history(of: id, limit: 1).lastSeq, now != last {
            last = now
            try await Task.sleep(for: .seconds(1))
        }
        await owner.close()
        return id
    }
}
