import Schema
import ServiceKit
import Wire

/// Actions that are limited per account and minute, because they concern many people or are expensive.
enum LimitedAction: String, Sendable {
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

/// Counts each account's actions in windows of a minute, which begin with the first action. Each replica counts in
/// memory. With several replicas a person may do a little more; that is cheaper than a statement for each action. Pure.
struct RateLimiter {
    struct Key: Hashable {
        var action: LimitedAction
        var account: Int64
    }

    private static let minute = Duration.seconds(60)
    private static let countersMax = 100_000

    private var counted: [Key: (since: ContinuousClock.Instant, times: Int)] = [:]

    /// - Returns: nil if the action is allowed, otherwise how long to wait.
    mutating func count(_ key: Key, max limit: Int, at now: ContinuousClock.Instant) -> Duration? {
        guard let (since, times) = counted[key], now - since < Self.minute else {
            if counted.count >= Self.countersMax { counted = counted.filter { now - $0.value.since < Self.minute } }
            counted[key] = (now, 1)
            return nil
        }
        guard times < limit else { return Self.minute - (now - since) }
        counted[key] = (since, times + 1)
        return nil
    }
}

extension ConversationsService {
    /// Counts an action that the caller is about to take.
    /// - Throws: ``Refusal`` `rate_limited` beyond the limit per minute that the action's setting holds.
    func allow(_ action: LimitedAction, by caller: Caller) throws(Refusal) {
        let limit = context.settings.integer(action.setting)
        let key = RateLimiter.Key(action: action, account: caller.account)
        guard let wait = rateLimiter.count(key, max: limit, at: .now) else { return }
        throw Refusal(
            .rateLimited, "Too many attempts. Wait \(wait.components.seconds + 1) s, then try again.", retryAfter: wait)
    }
}
