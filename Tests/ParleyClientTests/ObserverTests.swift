import Synchronization
import TestSupport
import Testing

@testable import ParleyClient

/// What observers of a client are told, and in which order.
@Suite("Observers of a client", .timeLimit(.minutes(4)))
struct ObserverTests {
    /// Notes what it is told.
    private final class Notes: SessionObserver {
        let lines = Mutex<[String]>([])

        private func note(_ line: String) { lines.withLock { $0.append(line) } }

        func sessionBegan(_ welcome: Parley_V1_Welcome) { note("session \(welcome.session)") }
        func sessionEnded() { note("ended") }
        func received(_ update: Update) { note("update \(update.position)") }
        func learned(_ message: Parley_V1_Message) {}
        func learned(_ conversation: Parley_V1_Conversation) {}
        func learned(_ state: Parley_V1_InboxState) {}
        func learned(_ state: Parley_V1_MessageState) {}
        func unsure(of conversation: String) {}
        func unsureOfOwnState() {}
        func stopped(_ problem: ParleyError) { note("stopped") }
    }

    @Test("Updates that come with the welcome are told after the beginning of their session, in order")
    func afterWelcome() async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        gateway.state.withLock { state in
            state.afterWelcome = (1...3).map { position in
                .with { ($0.stream, $0.position, $0.kind) = ("conversations/u/me", position, "RequestCount") }
            }
        }
        // The order depends on what reaches the client in one piece.
        for _ in 0..<20 {
            let client = ParleyClient(url: gateway.url, options: .init(deadline: .seconds(2)))
            let notes = Notes()
            await client.add(notes)
            try await client.connect(token: "access-0")
            try await eventually("the Updates come") { notes.lines.withLock { $0.count } == 4 }
            let lines = notes.lines.withLock { $0 }
            #expect(lines.first?.hasPrefix("session") ?? false, "\(lines)")
            #expect(Array(lines.dropFirst()) == ["update 1", "update 2", "update 3"])
            await client.close()
        }
    }

    @Test("what is missing when a session ends is requested in the next one, once")
    func onceInTheNext() async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        gateway.take("0", in: "a")
        let client = ParleyClient(
            url: gateway.url, options: .init(backoff: Backoff(first: .seconds(1)), deadline: .seconds(5)))
        let (feed, notes) = (ConversationFeed(of: client), Notes())
        await client.add(notes)
        try await client.connect(token: "access-0")
        await feed.start()
        await feed.quiet()
        for round in 1...3 {
            gateway.state.withLock { ($0.loss, $0.requested) = (1, []) }
            gateway.take("lost", in: "a")
            gateway.state.withLock { $0.loss = 0 }
            gateway.take("held", in: "a")
            try await eventually("the gap is seen") { await !feed.machine.isQuiet }
            gateway.closeAll(nil)
            try await eventually("the end is told") {
                notes.lines.withLock { $0.filter { $0 == "ended" }.count } == round
            }
            // Without a session nothing is level, and waiting for it waits for the next one.
            #expect(await !feed.machine.isQuiet)
            await feed.quiet()
            #expect(await feed.machine.position(of: "messaging/c/a") == Int64(2 * round + 1))
            #expect(gateway.state.withLock { $0.requested.filter { $0 == "messaging.GetChanges" }.count } == 1)
        }
        await feed.stop()
        await client.close()
    }
}
