import Foundation
import NIOCore
import ParleyClient
import SwiftProtobuf

/// Plays the SDK for `parley-lab conformance`, which proto/CONFORMANCE.md describes: a ``SyncMachine`` over a session
/// of ``ParleyClient``, with what it stores in memory.
@main
enum ConformanceClient {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        let client = ParleyClient(url: environment["PARLEY_URL"] ?? "")
        let copy = Copy(of: client)
        await copy.start()
        // The first attempt is the app's to repeat.
        while (try? await client.connect(token: environment["PARLEY_TOKEN"])) == nil {
            try await Task.sleep(for: .milliseconds(50))
        }
        while let line = readLine() {
            FileHandle.standardOutput.write(Data((try await copy.perform(line) + "\n").utf8))
        }
    }
}

/// What the client under test holds, on its event loop.
actor Copy {
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

    /// Performs a command of `parley-lab conformance`, and returns the answer.
    func perform(_ line: String) throws -> String {
        let command = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        switch command["do"] as? String {
        case "state": return try state(at: (command["now_us"] as? NSNumber)?.int64Value ?? 0)
        case "own":
            let body = try JSONSerialization.data(withJSONObject: command["body"] ?? [:])
            guard let content = try Self.content(command["kind"] as? String ?? "", body) else { break }
            perform(machine.learned(content, at: .now))
            return #"{"done":true}"#
        case "recount":
            perform(machine.recount(command["conversations"] as? [String] ?? [], at: .now))
            return #"{"done":true}"#
        default: break
        }
        return #"{"unsupported":true}"#
    }

    private static func content(_ kind: String, _ body: Data) throws -> Update.Content? {
        switch kind {
        case "Message": .message(try .init(jsonUTF8Data: body))
        case "Conversation": .conversation(try .init(jsonUTF8Data: body))
        case "InboxState": .inboxState(try .init(jsonUTF8Data: body))
        case "MessageState": .messageState(try .init(jsonUTF8Data: body))
        default: nil
        }
    }

    private func state(at now: Int64) throws -> String {
        var states: [any SwiftProtobuf.Message] = Array(memory.held.states.values)
        for (conversation, users) in machine.typing {
            states += users.map { user in
                Parley_V1_Typing.with { ($0.conversation, $0.user, $0.typing) = (conversation, user, true) }
            }
        }
        for receipts in memory.receipts.values { states += Array(receipts.values) }
        for counts in memory.readCounts.values { states += Array(counts.values) }
        let unread = memory.records.mapValues { record in
            let count = memory.unread(of: record.id, at: now)
            return ["unread": count.unread, "mentions": count.mentions, "ask": record.unread.mustAsk(at: now)]
                as [String: Any]
        }
        let answer: [String: Any] = [
            "positions": memory.streams.mapValues(\.position),
            "states": try states.map { state in
                let body = try JSONSerialization.jsonObject(with: try state.jsonUTF8Data())
                return ["kind": type(of: state).protoMessageName.split(separator: ".").last ?? "", "body": body]
            },
            "unread": unread,
            "badge": memory.badge(at: now).badge,
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: answer), as: UTF8.self)
    }
}
