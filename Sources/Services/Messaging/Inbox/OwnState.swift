import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// A transaction that changes one person's own state of a conversation.
///
/// This is a class because Swift 6.3's optimizer miscompiles the same code with a struct passed through async
/// functions: release builds overwrote memory in `state` and `positions`.
final class OwnChange: Sendable {
    let change: Change
    let conversation: Int64
    let id: ConversationID
    let caller: Caller
    /// The window of seqs the caller may read.
    let window: Window
    let now: Int64

    init(change: Change, conversation: Int64, id: ConversationID, caller: Caller, window: Window, now: Int64) {
        (self.change, self.conversation, self.id) = (change, conversation, id)
        (self.caller, self.window, self.now) = (caller, window, now)
    }

    /// Takes the next positions of the person's stream and locks the stream until the transaction ends.
    /// - Returns: the last position taken.
    @ReactorActor
    func positions(_ count: Int) async throws -> Int64 {
        guard let head = try await change.first(OwnStateStore.advance, .int64(caller.account), .int64(Int64(count)))
        else { throw DatabaseError.unexpected("the head of the person's stream is missing") }
        return head
    }

    /// Returns the current inbox state.
    @ReactorActor
    func state() async throws -> InboxState {
        guard
            let state = try await change.first(
                OwnStateStore.state, .int64(caller.account), .int64(conversation), .int64(now))
        else { throw DatabaseError.unexpected("the inbox row is missing") }
        return state
    }

    /// Publishes the current inbox state to the person's other sessions.
    /// - Parameter isInReply: whether the reply informs the calling session; if not, the Update goes there too.
    @ReactorActor
    func publishState(isInReply: Bool = true) async throws -> InboxState {
        let state = try await state()
        publish(state, JournalKind.inboxState, at: state.ownPosition, isInReply: isInReply)
        return state
    }

    /// Publishes an Update to the person's other sessions.
    /// - Parameter other: the conversation concerned, if not this one.
    @ReactorActor
    func publish(
        _ body: some WireMessage, _ kind: Int16, at position: Int64, of other: Int64? = nil, isInReply: Bool = true
    ) {
        change.publish(
            PendingUpdate(
                body, kindNumber: kind, subject: caller.account, object: other ?? conversation,
                stream: MessagingStream.person(caller.user), position: position, audience: [caller.account],
                originSession: isInReply ? caller.session : ""))
    }
}

extension MessagingService {
    /// Changes the caller's own state of a conversation in one transaction.
    /// - Parameters:
    ///   - isLocked: whether inbox rows change. If so, locks the conversation's head and creates the head and the
    ///     caller's row where they are missing.
    ///   - body: may run more than once.
    /// - Throws: ``Refusal`` `not_member`, with the same steps whether the conversation is unknown or not the caller's;
    ///   errors of `body`.
    func changeOwn<T: Sendable>(
        of text: String, by caller: Caller, isLocked: Bool,
        _ body: @escaping @ReactorActor (OwnChange) async throws -> T
    ) async throws -> T {
        guard let id = ConversationID(text) else { throw Refusal.notMember }
        let known = directory.known(id)
        let number =
            if let known { known } else { try await directory.number(of: id) ?? Self.nowhere }
        let now = context.clock.now
        do {
            return try await changeJournal.change { change in
                let hasHead = isLocked ? try await Self.holdsHead(number, in: change) : true
                let window = try await change.first(MessagingStore.window, .int64(number), .int64(caller.account))
                guard var window else { throw Refusal.notMember }
                window.account = caller.account
                if isLocked {
                    if !hasHead {
                        try await change.execute(OwnStateStore.makeHead, .int64(number))
                        _ = try await Self.holdsHead(number, in: change)
                    }
                    try await change.execute(OwnStateStore.makeRow, .int64(caller.account), .int64(number))
                }
                return try await body(
                    OwnChange(
                        change: change, conversation: number, id: id, caller: caller, window: window, now: now))
            }
        } catch let refusal as Refusal where refusal == .notMember {
            // An unknown conversation is looked up each time, so look this one up as well.
            if known != nil { _ = try await directory.number(of: id) }
            throw refusal
        }
    }

    /// Waits for the head's lock.
    /// - Returns: whether the head exists.
    private static func holdsHead(_ conversation: Int64, in change: Change) async throws -> Bool {
        do {
            return try await !change.query(MessagingStore.lockHeads, .int64s([conversation])).isEmpty
        } catch DatabaseError.failed(let state, _, _, _) where state == "55P03" {
            throw Refusal.unavailable("The conversation is busy. Try again shortly.", retryAfter: .milliseconds(50))
        }
    }
}
