import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Sets how long after sending a conversation's messages disappear (M18). Repeatable; a change is announced in the
    /// conversation.
    /// - Throws: ``Refusal`` `not_member`, `forbidden`, `user_blocked`, `accept_first`, `invalid`.
    func setRetention(_ request: SetRetentionRequest, _ call: RequestContext) async throws -> SetRetentionReply {
        guard request.seconds == 0 || 60...31_536_000 ~= request.seconds else {
            throw Refusal.invalid("seconds", "must be 0, or between 60 and 31536000")
        }
        let (publisher, now, account) = (context.publisher, context.clock.now, call.caller.account)
        let note = RetentionNote(seconds: request.seconds, actor: call.caller.user)
        try await act(
            in: request.conversation, on: 0, by: call.caller,
            preparing: { change, number in
                try await change.execute(RetentionStore.makeHead, .number(number), .number(account))
            }
        ) { change, conversation, current in
            try ActionRules.maySetRetention(current)
            let isOther = current.retention != note.retention
            if isOther {
                // Whoever left before does not learn of it.
                try await change.execute(RetentionStore.noteMembers, .number(conversation.number), .number(now))
                try await change.execute(RetentionStore.set, .number(conversation.number), .int64(note.retention))
            }
            if request.alsoOld {
                // In a direct conversation, nobody deletes what the other wrote.
                let sender = current.isGroup ? Parameter.null : .number(account)
                try await change.execute(RetentionStore.addJob, .number(conversation.number), sender)
            }
            if isOther { try await note.post(in: conversation, at: now, change, publisher) }
        }
        return SetRetentionReply(seconds: request.seconds)
    }
}

/// The system message that announces a new retention.
struct RetentionNote {
    let id: [UInt8]
    let seconds: Int64
    let note: SystemNote

    /// - Parameter actor: the id of the user who set it.
    init(seconds: Int64, actor: String) {
        self.seconds = seconds
        // A UUIDv8 (RFC 9562) differs from every client's id, and from those made from the journal of conversations.
        let messaging: UInt8 = 2
        var id = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        id[6] = 0x80 | messaging
        id[8] = 0x80 | id[8] & 0x3F
        self.id = id
        note = SystemNote(kind: .retentionChanged, actor: actor, seconds: seconds)
    }

    var retention: Int64 { seconds * 1_000_000 }

    /// Stores the message within the change and publishes it after the commit. The head must be locked.
    @ReactorActor
    func post(
        in conversation: ConversationRef, at now: Timestamp, _ change: Change, _ publisher: UpdatePublisher
    ) async throws {
        let outcome = try await change.first(
            MessagingStore.sendBatch,
            [
                .int32(Int32(change.lane)), .number(now), .numbers([conversation.number]), .int64s([0]), .uuids([id]),
                .int16s([Int16(MessageKind.system.rawValue)]), .texts([""]), .optionalBytesArray([note.encode()]),
            ] + MessagingStore.more([]).dropFirst())
        guard let outcome, case .accepted(let number, let audience) = outcome.result else {
            throw DatabaseError.unexpected("a system message was not accepted")
        }
        let message = Message(
            conversation: conversation.id.rawValue, seq: outcome.seq.rawValue, id: id, kind: .system,
            sentAtUs: outcome.sentAt.rawValue, position: outcome.position.rawValue, system: note)
        let header = UpdateHeader(
            lane: UInt32(change.lane), number: number, stream: Message.stream(of: conversation.id.rawValue),
            position: message.position, kind: Message.messageName, class: .durable, audience: audience?.rawValues ?? [])
        change.afterCommit { publisher.publish(header, message.encode()) }
    }
}
