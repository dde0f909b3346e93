import Foundation
import ParleyClient
import SwiftProtobuf

@testable import ParleyKit

/// A server of messages and reminders behind a link that loses requests and replies, and delivers requests twice. It
/// refuses what has an exclamation mark.
@MainActor
final class OutboxServer: ActionLink {
    static let conversations = ["a", "b"]

    private(set) var talks: [String: [Parley_V1_Message]] = ["a": [], "b": []]
    private(set) var reminders: [Data: Parley_V1_Reminder] = [:]
    var isReliable = false
    /// Whether replies wait.
    var holdsReplies = false
    /// Told of each change.
    var changed: (@MainActor ([SyncChange]) async -> Void)?
    private var position: Int64 = 0
    private var random: Seeded

    init(_ random: Seeded) { self.random = random }

    /// All that it has, for a device that was not told of each change.
    var everything: [SyncChange] {
        talks.keys.flatMap(changes) + reminders.values.map { .put(.reminder($0)) }
    }

    private func changes(of conversation: String) -> [SyncChange] {
        let talk = talks[conversation] ?? []
        var record = ConversationRecord(conversation)
        (record.position, record.section) = (1, .inbox)
        record.unread.hold(from: 1, to: Int64(talk.count))
        if let last = talk.last { record.newest.note(last.seq, sentAt: last.sentAtUs) }
        return talk.map { .message($0, from: .update) } + [.record(record)]
    }

    nonisolated func perform<Request: SwiftProtobuf.Message, Reply: SwiftProtobuf.Message>(
        _ method: Method<Request, Reply>, key: String, _ request: Request, encoded body: Data
    ) async throws(ParleyError) -> Reply {
        let reply = try await take(method.name, body)
        do {
            return try Reply(serializedBytes: reply)
        } catch {
            throw ParleyError(code: "malformed", message: "\(error)")
        }
    }

    private func take(_ method: String, _ body: Data) async throws(ParleyError) -> Data {
        for _ in 0..<Int.random(in: 0...4, using: &random) { await Task.yield() }
        let fate = isReliable ? 100 : Int.random(in: 0..<100, using: &random)
        if fate < 15 { throw ParleyError(.unavailable, "it was lost") }
        var reply = Data()
        for _ in 0..<(fate < 30 ? 2 : 1) {
            do {
                reply = try answer(method, body)
            } catch let error as ParleyError {
                throw error
            } catch {
                throw ParleyError(code: "malformed", message: "\(error)")
            }
        }
        while holdsReplies { await Task.yield() }
        // Whoever has the reply has the Update, too.
        if !(30..<50).contains(fate) || Bool.random(using: &random) { await changed?(everything) }
        for _ in 0..<Int.random(in: 0...4, using: &random) { await Task.yield() }
        if (30..<50).contains(fate) { throw ParleyError(.timeout, "its reply was lost") }
        return reply
    }

    private func answer(_ method: String, _ body: Data) throws -> Data {
        position += 1
        switch method {
        case MessagingMethods.sendMessage.name:
            return try send(try .init(serializedBytes: body)).serializedData()
        case MessagingMethods.editMessage.name:
            let request = try Parley_V1_EditMessageRequest(serializedBytes: body)
            try refuse(request.text)
            return try change(request.conversation, request.seq) {
                ($0.text, $0.editedAtUs) = (request.text, 1)
            }
        case EntitiesMethods.createReminder.name:
            let request = try Parley_V1_CreateReminderRequest(serializedBytes: body)
            try refuse(request.title)
            return try change(request.id, creating: true) {
                ($0.id, $0.title, $0.dueAtUs) = (request.id, request.title, request.dueAtUs)
            }
        case EntitiesMethods.updateReminder.name:
            let request = try Parley_V1_UpdateReminderRequest(serializedBytes: body)
            try refuse(request.title)
            return try change(request.id) { $0.title = request.title }
        default: throw ParleyError(code: "unknown_method", message: method)
        }
    }

    private func refuse(_ text: String) throws {
        if text.contains("!") { throw ParleyError(.forbidden, "not so loud") }
    }

    private func send(_ request: Parley_V1_SendMessageRequest) throws -> Parley_V1_SendMessageReply {
        try refuse(request.text)
        let talk = talks[request.conversation] ?? []
        let known = talk.first { $0.id == request.id }
        let message =
            known
            ?? .with {
                ($0.conversation, $0.seq, $0.id) = (request.conversation, Int64(talk.count) + 1, request.id)
                ($0.sender, $0.text, $0.kind) = ("me", request.text, .text)
                ($0.sentAtUs, $0.position, $0.replyToSeq) = (Int64(talk.count) + 1, position, request.replyToSeq)
            }
        if known == nil { talks[request.conversation, default: []].append(message) }
        return .with {
            ($0.seq, $0.position, $0.duplicate) = (message.seq, message.position, known != nil)
            $0.sentAtUs = message.sentAtUs
        }
    }

    private func change(
        _ conversation: String, _ seq: Int64, _ body: (inout Parley_V1_Message) -> Void
    ) throws -> Data {
        guard var message = talks[conversation]?.first(where: { $0.seq == seq }) else {
            throw ParleyError(.messageNotFound, "\(conversation) \(seq)")
        }
        body(&message)
        message.position = position
        talks[conversation]?[Int(seq) - 1] = message
        return try Parley_V1_MessageReply.with { $0.message = message }.serializedData()
    }

    private func change(
        _ id: Data, creating: Bool = false, _ body: (inout Parley_V1_Reminder) -> Void
    ) throws -> Data {
        guard creating || reminders[id] != nil else { throw ParleyError(.notFound, id.hexDigits) }
        var reminder = reminders[id] ?? .init()
        if !creating || reminders[id] == nil {
            body(&reminder)
            reminder.position = position
            reminders[id] = reminder
        }
        return try Parley_V1_ReminderReply.with { $0.reminder = reminder }.serializedData()
    }
}
