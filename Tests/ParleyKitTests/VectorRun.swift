import Foundation
import SwiftProtobuf
import Testing

@testable import ParleyClient

/// One vector under way.
struct VectorRun {
    private let id: String
    private let nowUs: Int64
    private var memory: SyncMemory
    private var machine: SyncMachine
    private var open: [SyncQuestion] = []
    private var now = ContinuousClock.now
    private var wakesAt: ContinuousClock.Instant?

    init(_ vector: Vector) throws {
        id = vector.id
        nowUs = vector.number("now_us") ?? 1000
        memory = try SyncMemory(vector.value("stored"))
        machine = memory.machine()
        guard vector.fields["connected"] as? Bool ?? true else { return }
        // Syncs that bring nothing.
        _ = perform(machine.connected(as: "a", cells: ["0"], at: now))
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
            _ = perform(machine.replied(question.number, with: reply, at: now))
            open.removeAll { $0.number == question.number }
        }
    }

    private mutating func perform(_ actions: [SyncAction]) -> [VectorRequest] {
        var asked: [VectorRequest] = []
        for action in actions {
            switch action {
            case .store(let change): memory.apply(change)
            case .ask(let question):
                open.append(question)
                asked.append(VectorRequest(question.request))
            case .tell: break
            case .wake(let time): wakesAt = time
            }
        }
        return asked
    }

    /// Takes a step.
    /// - Returns: what is requested.
    mutating func take(_ step: Vector) throws -> [VectorRequest] {
        let fields = step.fields
        if fields["connect"] != nil {
            let cells = try step.value("connect").fields["cells"] as? [String] ?? ["0"]
            return perform(machine.connected(as: "a", cells: cells, at: now))
        }
        if fields["disconnect"] != nil {
            open = []
            return perform(machine.disconnected(at: now))
        }
        if fields["update"] != nil {
            let update = try step.value("update")
            let position = update.number("position") ?? 0
            return perform(
                machine.received(try update.update(stream: update.text("stream"), position: position), at: now))
        }
        if fields["own"] != nil { return perform(machine.learned(try step.value("own").update().content(), at: now)) }
        if let ids = fields["recount"] as? [String] { return perform(machine.recount(ids, at: now)) }
        if let wait = step.number("wait_ms") { return waited(.milliseconds(wait)) }
        if fields["reply"] != nil { return try answer(step.value("reply")) }
        return try fail(step.value("fail"))
    }

    private mutating func waited(_ time: Duration) -> [VectorRequest] {
        now += time
        guard let due = wakesAt, due <= now else { return [] }
        wakesAt = nil
        return perform(machine.woke(at: now))
    }

    /// Removes and returns the oldest open question with this method.
    private mutating func question(_ method: String) throws -> SyncQuestion {
        let index = open.firstIndex { VectorRequest($0.request).method == method }
        return open.remove(at: try #require(index, "\(id): \(method) was not requested"))
    }

    private mutating func answer(_ answer: Vector) throws -> [VectorRequest] {
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
            }
        return perform(machine.replied(question.number, with: reply, at: now))
    }

    private mutating func fail(_ failure: Vector) throws -> [VectorRequest] {
        let error = ParleyError(
            code: failure.text("code"), message: "", retryAfterMs: UInt32(failure.number("retry_after_ms") ?? 0))
        return perform(machine.failed(try question(failure.text("to")).number, with: error, at: now))
    }

    // MARK: The end

    /// Returns where what is held differs from what the vector says, one line each.
    func problems(_ after: Vector) throws -> [String] {
        var problems: [String] = []
        func compare<T: Equatable>(_ held: T, _ expected: T, _ what: String) {
            if held != expected { problems.append("\(what): \(held), not \(expected)") }
        }
        for (stream, position) in try after.value("positions").fields {
            compare(memory.streams[stream]?.position, (position as? NSNumber)?.int64Value, stream)
        }
        if after.fields["states"] != nil {
            let states = after.list("states")
            let stored = states.filter { $0.text("kind") != "Typing" }
            let typing = try states.filter { $0.text("kind") == "Typing" }.map { state in
                Self.text(try state.message("body") as Parley_V1_Typing)
            }
            let expected = try SyncMemory(Vector(["states": stored.map(\.fields)])).texts + typing
            let held =
                memory.texts
                + machine.typing.flatMap { conversation, users in
                    users.map { user in
                        Self.text(.with { ($0.conversation, $0.user, $0.typing) = (conversation, user, true) })
                    }
                }
            problems += held.filter { !expected.contains($0) }.map { "held: \($0)" }
            problems += expected.filter { !held.contains($0) }.map { "not held: \($0)" }
        }
        for (conversation, count) in try after.value("unread").fields {
            let (expected, held) = (try Vector(count), memory.unread(of: conversation, at: nowUs))
            compare(held.unread, expected.number("unread") ?? 0, "unread of \(conversation)")
            compare(held.mentions, expected.number("mentions") ?? 0, "mentions of \(conversation)")
            let asks = memory.records[conversation]?.unread.mustAsk(at: nowUs)
            compare(asks, expected.fields["ask"] as? Bool, "whether to ask for \(conversation)")
        }
        if let badge = after.number("badge") { compare(memory.badge(at: nowUs).badge, badge, "badge") }
        return problems
    }

    private static func text(_ typing: Parley_V1_Typing) -> String {
        "Typing \(typing.conversation) \(typing.user): \(typing.typing)"
    }
}

extension SyncMemory {
    /// What a vector says is stored.
    fileprivate init(_ stored: Vector) throws {
        self.init(of: "a")
        var records: [String: ConversationRecord] = [:]
        for state in stored.list("states") {
            let content = try state.update().content()
            switch content {
            case .message(let message):
                apply(.message(message, from: .reply))
                records[message.conversation, default: .init(message.conversation)].note(message)
            case .conversation(let conversation):
                apply(.put(content))
                records[conversation.id, default: .init(conversation.id)].note(conversation)
            case .inboxState(let state):
                apply(.inboxState(state))
                records[state.conversation, default: .init(state.conversation)].unread.take(state)
            case .receipt(let receipt): apply(.receipt(receipt))
            case .readCount(let count): apply(.readCount(count))
            default: apply(.put(content))
            }
        }
        for (name, fields) in try stored.value("streams").fields {
            let (fields, name) = (try Vector(fields), name)
            var stream = StoredStream(name)
            stream.position = fields.number("position") ?? 0
            (stream.epoch, stream.cursor) = (fields.text("epoch"), fields.text("cursor"))
            stream.isBehind = fields.fields["behind"] as? Bool ?? false
            stream.kinds = (fields.fields["kinds"] as? [String])?.joined(separator: " ")
            apply(.stream(stream))
        }
        for (conversation, range) in try stored.value("held").fields {
            let range = try Vector(range)
            records[conversation]?.unread.hold(from: range.number("from") ?? 1, to: range.number("to") ?? 0)
        }
        for record in records.values { apply(.record(record)) }
    }

    /// All states, one line each.
    fileprivate var texts: [String] {
        var states = held.states.filter { !$0.value.isEmpty }
        for receipt in receipts.values.flatMap(\.values) {
            states["Receipt \(receipt.conversation) \(receipt.user)"] = receipt
        }
        for count in readCounts.values.flatMap(\.values) {
            states["ReadCount \(count.conversation) \(count.seq)"] = count
        }
        return states.map { key, state in
            "\(key): \(state.textFormatString().split(separator: "\n").joined(separator: " "))"
        }.sorted()
    }
}

extension SwiftProtobuf.Message {
    fileprivate var isEmpty: Bool { (try? serializedData().isEmpty) ?? true }
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
