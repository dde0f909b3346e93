import Reactor
import Schema
import ServiceKit

extension MessagingService {
    /// What an app's icon shows (M7): unread messages of the caller's inbox, without what is archived or muted. Looks
    /// at each of their conversations.
    func getBadge(_ request: GetBadgeRequest, _ call: RequestContext) async throws -> GetBadgeReply {
        try await context.database.first(
            OwnStateStore.badge, .int64(call.caller.account), .int64(context.clock.now)) ?? GetBadgeReply()
    }
}
