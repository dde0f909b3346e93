import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// A change of one person's own state of a conversation, under way.
///
/// A class, though a value would do: of a value handed on through asynchronous functions Swift 6.3's optimizer made
/// code that writes over memory (seen in release builds only, in `state` and `positions`; not with a class).
final class OwnChange: Sendable {
    let change: Change
    let conversation: Int64
    let id: ConversationID
    let caller: Caller
    /// What of the conversation they may read.
    let window: Window
    let now: Int64

    init(change: Change, conversation: Int64, id: ConversationID, caller: Caller, window: Window, now: Int64) {
        (self.change, self.conversation, self.id) = (change, conversation, id)
        (self.caller, self.window, self.now) = (caller, window, now)
    }

    /// Takes the next positions of the person's stream, and locks it until the end of the transaction.
    /// - Returns: the last of them.
    @ReactorActor
    func positions(_ count: Int) async throws -> Int64 {
        guard let head = try await change.first(OwnStateStore.advance, .int64(caller.account), .int64(Int64(count)))
        else { throw DatabaseError.unexpected("no head") }
        return head
    }

    /// How the conversation now stands for the person.
    @ReactorActor
    func state() async throws -> InboxState {
        guard
            let state = try await change.first(
                OwnStateStore.state, .int64(caller.account), .int64(conversation), .int64(now))
        else { throw DatabaseError.unexpected("no row of the inbox") }
        return state
    }

    /// Tells the person's other sessions how the conversation now stands for them.
    /// - Parameter isInReply: whether their own session knows by the reply; otherwise it is told, too.
    @ReactorActor
    func tellState(isInReply: Bool = true) async throws -> InboxState {
        let state = try await state()
        tell(state, JournalKind.inboxState, at: state.ownPosition, isInReply: isInReply)
        return state
    }

    /// Tells the person's other sessions.
    /// - Parameter other: the conversation it is about, if not this one.
    @ReactorActor
    func tell(
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
    /// Changes something of the caller's own state of a conversation, in one transaction.
    /// - Parameters:
    ///   - isLocked: whether rows of the inbox change: then under the lock of the conversation's head, which is made
    ///     where nobody has written yet, and the caller has a row.
    ///   - body: may be run again.
    /// - Throws: ``Refusal`` `not_member`, with the same steps for what is not there and what is not theirs; what
    ///   `body` throws.
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
            // One that is not there is looked up each time; so is one that is not theirs.
            if known != nil { _ = try await directory.number(of: id) }
            throw refusal
        }
    }

    /// Waits for the head's lock.
    /// - Returns: whether there is one.
    private static func holdsHead(_ conversation: Int64, in change: Change) async throws -> Bool {
        do {
            return try await !change.query(MessagingStore.lockHeads, .int64s([conversation])).isEmpty
        } catch DatabaseError.failed(let state, _, _, _) where state == "55P03" {
            throw Refusal.unavailable("The conversation is held.", retryAfter: .milliseconds(50))
        }
    }
}
