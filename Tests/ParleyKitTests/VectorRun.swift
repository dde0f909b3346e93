import Foundation
import SwiftProtobuf
import Testing

@testable import ParleyClient

/// One vector under way.
struct VectorRun {
    private let id: String
    private let nowUs: Int64
    private let store: any VectorStore
    private var machine: SyncMachine
    private var open: [SyncQuestion] = []
    private var now = ContinuousClock.now
    private var wakesAt: ContinuousClock.Instant?

    /// - Parameter store: empty.
    init(_ vector: Vector, over store: any VectorStore) async throws {
        (id, self.store) = (vector.id, store)
        nowUs = vector.number("now_us") ?? 1000
        let stored = try Stored(vector.value("stored"))
        try await store.apply(stored.changes)
        machine = SyncMachine(restoring: stored.streams, stored.records)
        guard vector.fields["connected"] as? Bool ?? true else { return }
        // Syncs that bring nothing.
        _ = try await perform(machine.connected(as: "a", cells: ["0"], at: now))
        for question in open {
            let reply: SyncReply? =
                switch question.request {
                case .conversations(_, let since): .conversations(.with { ($0.epoch, $0.position) = ("e1", since) })
                case .entities(_, let since): .entities(.with { ($0.epoch, $0.position) = ("e1", since) })
                case .inbox(_, _, let cursor, let since, _):
                    .inbox(.with { ($0.epoch, $0.cursor, $0.ownPosition) = ("e1", cursor, since) })
                default: nil
                }
            guard let reply else { continue }
            _ = try await perform(machine.replied(question.number, with: reply, at: now))
            open.removeAll { $0.number == question.number }
        }
    }

    private mutating func perform(_ actions: [SyncAction]) async throws -> [VectorRequest] {
        var asked: [VectorRequest] = []
        var changes: [SyncChange] = []
        for action in actions {
            switch action {
            case .store(let change): changes.append(change)
            case .ask(let question):
                open.append(question)
                asked.append(VectorRequest(question.request))
            case .tell: break
            case .wake(let time): wakesAt = time
            }
        }
        try await store.apply(changes)
        return asked
    }

    /// Takes a step.
    /// - Returns: what is requested.
    mutating func take(_ step: Vector) async throws -> [VectorRequest] {
        let fields = step.fields
        if fields["connect"] != nil {
            let cells = try step.value("connect").fields["cells"] as? [String] ?? ["0"]
            return try await perform(machine.connected(as: "a", cells: cells, at: now))
        }
        if fields["disconnect"] != nil {
            open = []
            return try await perform(machine.disconnected(at: now))
        }
        if fields["update"] != nil {
            let update = try step.value("update")
            let position = update.number("position") ?? 0
            return try await perform(
                machine.received(try update.update(stream: update.text("stream"), position: position), at: now))
        }
        if fields["own"] != nil {
            return try await perform(machine.learned(try step.value("own").update().content(), at: now))
        }
        if let id = fields["open"] as? String { return try await perform(machine.look(at: id, now: now)) }
        if let ids = fields["recount"] as? [String] { return try await perform(machine.recount(ids, at: now)) }
        if let wait = step.number("wait_ms") { return try await waited(.milliseconds(wait)) }
        if fields["reply"] != nil { return try await answer(step.value("reply")) }
        return try await fail(step.value("fail"))
    }

    private mutating func waited(_ time: Duration) async throws -> [VectorRequest] {
        now += time
        guard let due = wakesAt, due <= now else { return [] }
        wakesAt = nil
        return try await perform(machine.woke(at: now))
    }

    /// Removes and returns the oldest open question with this method.
    private mutating func question(_ method: String) throws -> SyncQuestion {
        let index = open.firstIndex { VectorRequest($0.request).method == method }
        return open.remove(at: try #require(index, "\(id): \(method) was not requested"))
    }

    private mutating func answer(_ answer: Vector) async throws -> [VectorRequest] {
        let question = try question(answer.text("to"))
        let reply: SyncReply =
            switch question.request {
            case .conversations: .conversations(try answer.message("body"))
            case .entities: .entities(try answer.message("body"))
            case .inbox: .inbox(try answer.message("body"))
            case .changes: .changes(try answer.message("body"))
            case .history, .earlier: .history(try answer.message("body"))
            case .inboxStates: .inboxStates(try answer.message("body"))
            case .blocks: .blocks(try answer.message("body"))
            case .receipts: .receipts(try answer.message("body"))
            }
        return try await perform(machine.replied(question.number, with: reply, at: now))
    }

    private mutating func fail(_ failure: Vector) async throws -> [VectorRequest] {
        let error = ParleyError(
            code: failure.text("code"), message: "", retryAfterMs: UInt32(failure.number("retry_after_ms") ?? 0))
        return try await perform(machine.failed(try question(failure.text("to")).number, with: error, at: now))
    }

    // MARK: The end

    /// Returns where what is held differs from what the vector says, one line each.
    func problems(_ after: Vector) async throws -> [String] {
        let held = try await store.holdings(at: nowUs)
        var problems: [String] = []
        func compare<T: Equatable>(_ held: T, _ expected: T, _ what: String) {
            if held != expected { problems.append("\(what): \(held), not \(expected)") }
        }
        for (stream, position) in try after.value("positions").fields {
            compare(held.positions[stream], (position as? NSNumber)?.int64Value, stream)
        }
        if after.fields["states"] != nil {
            let states = after.list("states")
            let stored = states.filter { $0.text("kind") != "Typing" }
            let typing = try states.filter { $0.text("kind") == "Typing" }.map { state in
                VectorHoldings.text(try state.message("body") as Parley_V1_Typing)
            }
            let expected = try await Self.texts(Vector(["states": stored.map(\.fields)])) + typing
            let texts =
                held.states
                + machine.typing.flatMap { conversation, users in
                    users.map { user in
                        VectorHoldings.text(
                            Parley_V1_Typing.with {
                                ($0.conversation, $0.user, $0.typing) = (conversation, user, true)
                            })
                    }
                }
            problems += texts.filter { !expected.contains($0) }.map { "held: \($0)" }
            problems += expected.filter { !texts.contains($0) }.map { "not held: \($0)" }
        }
        for (conversation, count) in try after.value("unread").fields {
            let (expected, held) = (try Vector(count), (held.counts[conversation], held.records[conversation]))
            compare(held.0?.unread ?? 0, expected.number("unread") ?? 0, "unread of \(conversation)")
            compare(held.0?.mentions ?? 0, expected.number("mentions") ?? 0, "mentions of \(conversation)")
            let asks = held.1?.unread.mustAsk(at: nowUs)
            compare(asks, expected.fields["ask"] as? Bool, "whether to ask for \(conversation)")
        }
        if let badge = after.number("badge") { compare(held.badge.badge, badge, "badge") }
        return problems
    }

    private static func texts(_ states: Vector) async throws -> [String] {
        let memory = VectorMemory()
        await memory.apply(try Stored(states).changes)
        return try await memory.holdings(at: 0).states
    }
}

/// What a vector says is stored.
private struct Stored {
    var changes: [SyncChange] = []
    var streams: [StoredStream] = []
    private var recordsByID: [String: ConversationRecord] = [:]
    var records: [ConversationRecord] { Array(recordsByID.values) }

    init(_ stored: Vector) throws {
        for state in stored.list("states") { try add(state.update().content()) }
        for (name, fields) in try stored.value("streams").fields {
            let (fields, name) = (try Vector(fields), name)
            var stream = StoredStream(name)
            stream.position = fields.number("position") ?? 0
            (stream.epoch, stream.cursor) = (fields.text("epoch"), fields.text("cursor"))
            stream.isBehind = fields.fields["behind"] as? Bool ?? false
            stream.kinds = (fields.fields["kinds"] as? [String])?.joined(separator: " ")
            streams.append(stream)
        }
        for (conversation, range) in try stored.value("held").fields {
            let range = try Vector(range)
            recordsByID[conversation]?.unread.hold(from: range.number("from") ?? 1, to: range.number("to") ?? 0)
        }
        changes += streams.map(SyncChange.stream) + records.map(SyncChange.record)
    }

    private mutating func add(_ content: Update.Content) {
        switch content {
        case .message(let message):
            changes.append(.message(message, from: .reply))
            recordsByID[message.conversation, default: .init(message.conversation)].note(message)
        case .conversation(let conversation):
            changes.append(.put(content))
            recordsByID[conversation.id, default: .init(conversation.id)].note(conversation)
        case .inboxState(let state):
            changes.append(.inboxState(state))
            recordsByID[state.conversation, default: .init(state.conversation)].unread.take(state)
        case .messageState(let state): changes.append(.messageState(state))
        case .receipt(let receipt): changes.append(.receipt(receipt))
        case .readCount(let count): changes.append(.readCount(count))
        default: changes.append(.put(content))
        }
    }
}

extension ConversationRecord {
    fileprivate mutating func note(_ message: Parley_V1_Message) {
        unread.hold(from: 1, to: message.seq)
        newest.note(message.seq, sentAt: message.sentAtUs)
    }

    fileprivate mutating func note(_ conversation: Parley_V1_Conversation) {
        (position, section) = (conversation.position, conversation.section)
        hasLeft = conversation.leftAtUs != 0
    }
}
