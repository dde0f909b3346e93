import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Changes something in a conversation under the lock of its head. The same transaction reads the audience.
    /// - Parameters:
    ///   - seq: the message that the change is about; zero if none.
    ///   - prepare: runs before the lock, for example to create the head.
    ///   - body: decides by the state read under the lock. It may run more than once.
    /// - Throws: ``Refusal`` `not_member`, after the same steps for a conversation that does not exist and one that is
    ///   not the caller's; `unavailable` if others keep the conversation locked; what `body` throws.
    func act<T: Sendable>(
        in conversation: String, on seq: Seq, by caller: Caller,
        preparing prepare: (@ReactorActor (Change, ConversationNumber) async throws -> Void)? = nil,
        _ body: @escaping @ReactorActor (Change, ConversationRef, ActionContext) async throws -> T
    ) async throws -> T {
        try await directory.resolve(conversation) { conversation in
            try await changeJournal.change { change in
                try await prepare?(change, conversation.number)
                try await change.lockHeads(of: [conversation.number])
                let current = try await change.first(
                    ActionsStore.context, .number(conversation.number), .number(caller.account), .number(seq))
                guard var current else { throw Refusal.notMember }
                (current.account, current.user) = (caller.account, caller.user)
                current.message?.conversation = conversation.id.rawValue
                return try await body(change, conversation, current)
            }
        }
    }

    /// Takes the next position of a conversation's stream, for a change that goes to the members of `version`. The
    /// caller has locked the head, and read the version together with them.
    static func nextPosition(
        of conversation: ConversationNumber, for version: Int64, in change: Change
    ) async throws -> Position {
        let position = try await change.first(ActionsStore.nextPosition, .number(conversation), .int64(version))
        guard let position else {
            throw DatabaseError.unexpected("conversation \(conversation) has no head")
        }
        return position
    }

    /// Publishes a changed message to everyone to whom it is shown. Members who joined later only count its position.
    static func publish(
        _ message: Message, of conversation: ConversationRef, _ current: ActionContext, in change: Change
    ) {
        var published = message
        published.own = nil
        publish(
            published, of: conversation.number, conversation.id.rawValue, current.readers, current.others, in: change)
    }

    /// Publishes a changed message, without anyone's own state, to `readers`. The others only count its position.
    static func publish(
        _ message: Message, of conversation: ConversationNumber, _ id: String, _ readers: Audience, _ others: Audience,
        in change: Change
    ) {
        change.publish(
            PendingUpdate(
                message, as: MessagingKind.message, subject: conversation, object: Seq(message.seq), owner: id,
                position: Position(message.position), audience: readers))
        guard !others.isEmpty else { return }
        change.publish(
            PendingUpdate(
                superseded: MessagingKind.notShown, subject: conversation, object: Seq(message.seq),
                stream: Message.stream(of: id), position: Position(message.position), audience: others))
    }
}

/// The conversation that a change is about.
struct ConversationRef: Sendable {
    var id: ConversationID
    var number: ConversationNumber
}
