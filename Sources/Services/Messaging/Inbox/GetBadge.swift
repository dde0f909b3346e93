import Reactor
import Schema
import ServiceKit

extension MessagingService {
    /// Returns the counts for an app icon (M7): unread messages in the caller's inbox, except archived and muted
    /// conversations. Reads each of the caller's conversations.
    func getBadge(_ request: GetBadgeRequest, _ call: RequestContext) async throws -> GetBadgeReply {
        try await context.database.first(
            OwnStateStore.badge, .number(call.caller.account), .number(context.clock.now)) ?? GetBadgeReply()
    }
}
