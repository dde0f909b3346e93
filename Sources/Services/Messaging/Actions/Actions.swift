import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Changes something of a conversation under the lock of its head, in one transaction with who is told.
    /// - Parameters:
    ///   - seq: the message it is about; zero: none.
    ///   - prepare: what goes before the lock, such as making the head.
    ///   - body: decides by what stands there then. It may be run again.
    /// - Throws: ``Refusal`` `not_member`, with the same steps for what is not there and what is not the caller's;
    ///   `unavailable` when others hold the conversation; what `body` throws.
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
            // One that is not there is looked up each time; so is one that is not theirs.
            if known != nil { _ = try await directory.number(of: id) }
            throw refusal
        }
    }

    /// Waits for a head: in a busy conversation a batch holds it nearly always, and passes by what waits.
    private static func lock(_ conversation: Int64, in change: Change) async throws {
        do {
            _ = try await change.query(MessagingStore.lockHeads, .int64s([conversation]))
        } catch DatabaseError.failed(let state, _, _, _) where state == "55P03" {
            throw Refusal.unavailable("The conversation is held.", retryAfter: .milliseconds(50))
        }
    }

    /// The next position of a conversation's stream. Its head is locked.
    static func nextPosition(of conversation: Int64, in change: Change) async throws -> Int64 {
        guard let position = try await change.first(ActionsStore.nextPosition, .int64(conversation)) else {
            throw DatabaseError.unexpected("conversation \(conversation) has no head")
        }
        return position
    }

    /// The caller's message in a reply to them, and told to all who may read it.
    static func tell(
        _ message: Message, of conversation: ConversationRef, _ current: ActionContext, in change: Change,
        session: String
    ) {
        var told = message
        told.own = nil
        change.publish(
            PendingUpdate(
                told, kindNumber: JournalKind.message, subject: conversation.number, object: message.seq,
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

/// The conversation something is changed in.
struct ConversationRef: Sendable {
    var id: ConversationID
    var number: Int64
}
