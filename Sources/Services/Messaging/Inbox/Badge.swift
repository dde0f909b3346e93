import Reactor
import Schema
import ServiceKit

extension MessagingService {
    /// What an app's icon shows (M7): unread messages of the caller's inbox, without what is archived or muted. Looks
    /// at each of their conversations.
    func badge(_ request: BadgeRequest, _ call: RequestContext) async throws -> BadgeReply {
        try await context.database.first(
            OwnStateStore.badge, .int64(call.caller.account), .int64(context.clock.now)) ?? BadgeReply()
    }
}
