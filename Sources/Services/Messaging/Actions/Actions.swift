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
        in conversation: String, on seq: Int64, by caller: Caller,
        preparing prepare: (@ReactorActor (Change, Int64) async throws -> Void)? = nil,
        _ body: @escaping @ReactorActor (Change, ConversationRef, ActionContext) async throws -> T
    ) async throws -> T {
        guard let id = ConversationID(conversation) else { throw Refusal.notMember }
        let known = directory.known(id)
        let number =
            if let known { known } else { try await directory.number(of: id) ?? Self.nowhere }
        let conversation = ConversationRef(id: id, number: number)
        do {
            return try await changeJournal.change { change in
                try await prepare?(change, number)
                try await Self.lock(number, in: change)
                let current = try await change.first(
                    ActionsStore.context, .int64(number), .int64(caller.account), .int64(seq))
                guard var current else { throw Refusal.notMember }
                (current.account, current.user) = (caller.account, caller.user)
                current.message?.conversation = id.rawValue
                return try await body(change, conversation, current)
            }
        } catch let refusal as Refusal where refusal == .notMember {
            // A nonexistent id is looked up each time. Do the same here, so that the caller cannot distinguish the two.
            if known != nil { _ = try await directory.number(of: id) }
            throw refusal
        }
    }

    /// Waits for the lock of a head. In a busy conversation a batch nearly always holds it, but batches skip a head
    /// that another transaction waits for.
    private static func lock(_ conversation: Int64, in change: Change) async throws {
        do {
            _ = try await change.query(MessagingStore.lockHeads, .int64s([conversation]))
        } catch DatabaseError.failed(let state, _, _, _) where state == "55P03" {
            throw Refusal.unavailable("The conversation is busy. Try again shortly.", retryAfter: .milliseconds(50))
        }
    }

    /// Takes the next position of a conversation's stream. The caller has locked the head.
    static func nextPosition(of conversation: Int64, in change: Change) async throws -> Int64 {
        guard let position = try await change.first(ActionsStore.nextPosition, .int64(conversation)) else {
            throw DatabaseError.unexpected("conversation \(conversation) has no head")
        }
        return position
    }

    /// Publishes a changed message to everyone to whom it is shown, except the session that has it in a reply. Members
    /// who joined later only count its position.
    static func publish(
        _ message: Message, of conversation: ConversationRef, _ current: ActionContext, in change: Change,
        session: String
    ) {
        var published = message
        published.own = nil
        change.publish(
            PendingUpdate(
                published, kindNumber: JournalKind.message, subject: conversation.number, object: message.seq,
                stream: MessagingStream.conversation(conversation.id), position: message.position,
                audience: current.readers,
                originSession: session))
        guard !current.others.isEmpty else { return }
        change.publish(
            PendingUpdate(
                superseded: JournalKind.notShown, subject: conversation.number, object: message.seq,
                stream: MessagingStream.conversation(conversation.id), position: message.position,
                audience: current.others))
    }
}

/// The conversation that a change is about.
struct ConversationRef: Sendable {
    var id: ConversationID
    var number: Int64
}
