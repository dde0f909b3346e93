import ServiceKit
import Wire

/// Actions that are limited per account and minute, because they concern many people or are expensive.
enum LimitedAction: String, CaseIterable, Sendable {
    case find
    case report
    /// Sends a message request, a first or a repeated one.
    case request
    case changeGroup
    case changeProfile

    /// The setting that holds the limit per minute.
    var setting: String {
        switch self {
        case .find: "limits.finds-per-minute"
        case .report: "limits.reports-per-minute"
        case .request: "limits.requests-per-minute"
        case .changeGroup: "limits.group-changes-per-minute"
        case .changeProfile: "limits.profile-changes-per-minute"
        }
    }
}

extension ConversationsService {
    /// Counts an action that the caller is about to take.
    /// - Throws: ``Refusal`` `rate_limited` beyond the limit per minute that the action's setting holds.
    func allow(_ action: LimitedAction, by caller: Caller) throws(Refusal) {
        try rateLimiters[action]?.take(caller.account)
    }
}
