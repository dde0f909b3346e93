import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Deletes a conversation's messages up to a seq for the caller alone (C11). An empty conversation is not shown
    /// until a later message arrives. Repeatable.
    func clearConversation(_ request: ClearConversationRequest, _ call: RequestContext) async throws -> InboxStateReply
    {
        guard request.upToSeq >= 0 else { throw Refusal.invalid("up_to_seq", "must be a seq or zero") }
        return try await changeOwn(of: request.conversation, by: call.caller, isLocked: true) { own in
            _ = try await own.positions(0)
            let key: [Parameter] = [.number(call.caller.account), .number(own.conversation)]
            guard let before = try await own.change.first(OwnStateStore.settings, key) else {
                throw DatabaseError.unexpected("the inbox row is missing")
            }
            let after = before.cleared(upTo: Seq(request.upToSeq))
            guard after != before else { return InboxStateReply(state: try await own.state()) }
            try await own.change.execute(OwnStateStore.dropMessageStates, key + [.number(after.clearedSeq)])
            try await own.change.execute(OwnStateStore.dropMentions, key + [.number(after.clearedSeq)])
            try await own.store(after)
            return InboxStateReply(state: try await own.publishState())
        }
    }
}
