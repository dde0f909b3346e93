import Schema
import ServiceKit
import Wire

/// What one signed-in person may do only so often, since it concerns many others or costs much.
enum LimitedAct: String, Sendable {
    case find
    case report
    /// Asks somebody for the first time.
    case ask
    case changeGroup
    case changeProfile

    /// The setting that says how often a minute.
    var setting: String {
        switch self {
        case .find: "limits.finds-per-minute"
        case .report: "limits.reports-per-minute"
        case .ask: "limits.requests-per-minute"
        case .changeGroup: "limits.group-changes-per-minute"
        case .changeProfile: "limits.profile-changes-per-minute"
        }
    }
}

/// Counts what people do in a minute that begins with the first of it. In memory, each replica its own: that somebody
/// may do a little more with several replicas is worth less than a statement for each. Pure.
struct RateLimiter {
    struct Key: Hashable {
        var act: LimitedAct
        var account: Int64
    }

    private static let minute = Duration.seconds(60)
    private static let most = 100_000

    private var counted: [Key: (since: ContinuousClock.Instant, times: Int)] = [:]

    /// - Returns: nil when it may be done; otherwise how long to wait.
    mutating func count(_ key: Key, most limit: Int, at now: ContinuousClock.Instant) -> Duration? {
        guard let (since, times) = counted[key], now - since < Self.minute else {
            if counted.count >= Self.most { counted = counted.filter { now - $0.value.since < Self.minute } }
            counted[key] = (now, 1)
            return nil
        }
        guard times < limit else { return Self.minute - (now - since) }
        counted[key] = (since, times + 1)
        return nil
    }
}

extension ConversationsService {
    /// Counts something that the caller is about to do.
    /// - Throws: ``Refusal`` `rate_limited` beyond what the act's setting allows in a minute.
    func allow(_ act: LimitedAct, by caller: Caller) throws(Refusal) {
        let limit = context.settings.integer(act.setting)
        guard let wait = acts.count(.init(act: act, account: caller.account), most: limit, at: .now) else { return }
        throw Refusal(
            .rateLimited, "Too many attempts; wait \(wait.components.seconds + 1) s.", retryAfter: wait)
    }
}
