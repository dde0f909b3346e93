import Foundation
import NIOCore
import ParleyClient

/// Plays the SDK for `parley-lab conformance`, which proto/CONFORMANCE.md describes: a ``SyncMachine`` over a session
/// of ``ParleyClient``, with what it stores in memory.
@main
enum ConformanceClient {
    static func main() async throws {
        let client = ParleyClient(url: ProcessInfo.processInfo.environment["PARLEY_URL"] ?? "")
        let copy = Copy(of: client)
        await copy.start()
        try await Adapter.connect(client)
        try await Adapter.answer(for: copy)
    }
}

/// What the client under test holds, on its event loop.
actor Copy: Adapted {
    private let client: ParleyClient
    private let executor: any SerialExecutor
    private var machine: SyncMachine
    private var memory = SyncMemory()
    private var timer: Scheduled<Void>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(of client: ParleyClient) {
        self.client = client
        executor = client.eventLoop.executor
        machine = SyncMachine()
    }

    func start() async { await client.add(Observer(self)) }

    // MARK: From the client

    private final class Observer: SessionObserver {
        private let copy: Copy

        init(_ copy: Copy) { self.copy = copy }

        private func take(_ input: @Sendable (inout SyncMachine) -> [SyncAction]) {
            copy.assumeIsolated { $0.perform(input(&$0.machine)) }
        }

        func sessionBegan(_ welcome: Parley_V1_Welcome) {
            copy.assumeIsolated { copy in
                if copy.memory.held.user.isEmpty { copy.memory = SyncMemory(of: welcome.user) }
            }
            take { $0.connected(as: welcome.user, cells: welcome.cells, at: .now) }
        }
        func sessionEnded() { take { $0.disconnected(at: .now) } }
        func received(_ update: Update) { take { $0.received(update, at: .now) } }
        func learned(_ message: Parley_V1_Message) { take { $0.learned(.message(message), at: .now) } }
        func learned(_ conversation: Parley_V1_Conversation) {
            take { $0.learned(.conversation(conversation), at: .now) }
        }
        func learned(_ state: Parley_V1_InboxState) { take { $0.learned(.inboxState(state), at: .now) } }
        func learned(_ state: Parley_V1_MessageState) { take { $0.learned(.messageState(state), at: .now) } }
        func unsure(of conversation: String) { take { $0.unsure(of: conversation, at: .now) } }
        func unsureOfOwnState() { take { $0.unsure(of: nil, at: .now) } }
        func stopped(_ problem: ParleyError) {
            FileHandle.standardError.write(Data("\(problem)\n".utf8))
            exit(1)
        }
    }

    private func perform(_ actions: [SyncAction]) {
        for action in actions {
            switch action {
            case .store(let change): memory.apply(change)
            case .tell: break
            case .ask(let question):
                Task {
                    do throws(ParleyError) {
                        let reply = try await client.answer(question.request)
                        perform(machine.replied(question.number, with: reply, at: .now))
                    } catch {
                        perform(machine.failed(question.number, with: error, at: .now))
                    }
                }
            case .wake(let time):
                timer?.cancel()
                timer = client.eventLoop.scheduleTask(in: TimeAmount(max(time - .now, .zero))) { [self] in
                    assumeIsolated { $0.perform($0.machine.woke(at: .now)) }
                }
            }
        }
    }

    // MARK: Commands

    func learned(_ content: Update.Content) { perform(machine.learned(content, at: .now)) }

    func opened(_ conversation: String) { perform(machine.look(at: conversation, now: .now)) }

    func recount(_ conversations: [String]) { perform(machine.recount(conversations, at: .now)) }

    func contents(at now: Int64) -> AdaptedContents {
        var contents = AdaptedContents(
            positions: memory.streams.mapValues(\.position), states: Array(memory.held.states.values),
            unread: memory.records.mapValues { record in
                (memory.unread(of: record.id, at: now), record.unread.mustAsk(at: now))
            }, badge: memory.badge(at: now).badge)
        for receipts in memory.receipts.values { contents.states += Array(receipts.values) }
        for counts in memory.readCounts.values { contents.states += Array(counts.values) }
        contents.add(typing: machine.typing)
        return contents
    }
}
