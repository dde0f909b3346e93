import ServiceKit
import Wire

/// Actions that are limited per account and time, because they concern many people or are expensive.
enum LimitedAction: String, CaseIterable, Sendable {
    case find
    case report
    /// Sends a message request, a first or a repeated one.
    case request
    /// Invites one person into a group.
    case invite
    case changeGroup
    case changeProfile

    /// The setting that holds the limit, which is per minute unless its name says otherwise.
    var setting: String {
        switch self {
        case .find: "limits.finds-per-minute"
        case .report: "limits.reports-per-minute"
        case .request: "limits.requests-per-minute"
        case .invite: "limits.invitations-per-hour"
        case .changeGroup: "limits.group-changes-per-minute"
        case .changeProfile: "limits.profile-changes-per-minute"
        }
    }

    func limit(_ settings: Settings) -> RateLimit {
        let times = settings.integer(setting)
        return self == .invite ? RateLimit(perHour: times) : RateLimit(perMinute: times)
    }
}

extension ConversationsService {
    /// Counts an action that the caller is about to take.
    /// - Throws: ``Refusal`` `rate_limited` beyond the limit that the action's setting holds.
    func allow(_ action: LimitedAction, by caller: Caller) throws(Refusal) {
        try rateLimiters[action]?.take(caller.account)
    }
}
