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
    let conversation: ConversationNumber
    let id: ConversationID
    let caller: Caller
    /// The window of seqs the caller may read.
    let window: Window
    let now: Timestamp

    init(
        change: Change, conversation: ConversationNumber, id: ConversationID, caller: Caller, window: Window,
        now: Timestamp
    ) {
        (self.change, self.conversation, self.id) = (change, conversation, id)
        (self.caller, self.window, self.now) = (caller, window, now)
    }

    /// Takes the next positions of the person's stream and locks the stream until the transaction ends.
    /// - Returns: the last position taken.
    @ReactorActor
    func positions(_ count: Int) async throws -> Position {
        guard let head = try await change.first(OwnStateStore.advance, .number(caller.account), .int64(Int64(count)))
        else { throw DatabaseError.unexpected("the head of the person's stream is missing") }
        return head
    }

    /// Returns the current inbox state.
    @ReactorActor
    func state() async throws -> InboxState {
        guard
            let state = try await change.first(
                OwnStateStore.state, .number(caller.account), .number(conversation), .number(now))
        else { throw DatabaseError.unexpected("the inbox row is missing") }
        return state
    }

    /// Publishes the current inbox state to the person's sessions.
    @ReactorActor
    func publishState() async throws -> InboxState {
        let state = try await state()
        publish(state, MessagingKind.inboxState, at: Position(state.ownPosition))
        return state
    }

    /// Publishes an Update to the person's sessions.
    /// - Parameter other: the conversation concerned, if not this one.
    @ReactorActor
    func publish(
        _ body: some StreamState, _ kind: MessagingKind, at position: Position, of other: ConversationNumber? = nil
    ) {
        change.publish(
            PendingUpdate(
                body, as: kind, subject: caller.account, object: other ?? conversation,
                owner: caller.user, position: position, audience: [caller.account]))
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
        let now = context.clock.now
        return try await directory.resolve(text) { conversation in
            let (id, number) = (conversation.id, conversation.number)
            return try await changeJournal.change { change in
                let hasHead = isLocked ? try await !change.lockHeads(of: [number]).isEmpty : true
                let window = try await change.first(MessagingStore.window, .number(number), .number(caller.account))
                guard var window else { throw Refusal.notMember }
                window.account = caller.account
                if isLocked {
                    if !hasHead {
                        try await change.execute(OwnStateStore.makeHead, .number(number))
                        try await change.lockHeads(of: [number])
                    }
                    try await change.execute(OwnStateStore.makeRow, .number(caller.account), .number(number))
                }
                return try await body(
                    OwnChange(
                        change: change, conversation: number, id: id, caller: caller, window: window, now: now))
            }
        }
    }
}
