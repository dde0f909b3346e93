import Reactor
import Schema
import Wire

/// Keeps each person to the bytes that go out because of them: the size of what they change, times the people who get
/// it. A service asks before it does something, and counts afterwards, when it knows the people. What is too much is
/// owed, so that one request may exceed the limit and the next ones wait.
///
/// Each replica counts in memory: with several, a person may do a little more; that is cheaper than a statement each
/// time.
@ReactorActor
public final class DeliveryLimit {
    /// The settings of a service that has such a limit.
    /// - Parameter what: for what bytes go out, such as "messages".
    public nonisolated static func settings(for what: String) -> [Setting] {
        [
            .limit(
                "limits.delivered-bytes-per-second", 1...1_000_000_000,
                Limit(
                    2_097_152,
                    "bytes a second that go out for \(what), on average: the size of each times its readers",
                    per: "account", beyond: .wait)),
            .limit(
                "limits.delivered-bytes-burst", 1...1_000_000_000,
                Limit(67_108_864, "bytes that go out for \(what) in a burst", per: "account", beyond: .wait)),
        ]
    }

    /// How far ahead somebody may use up their bytes.
    private static let debtMax = Duration.seconds(60)

    private var limiter: RateLimiter<AccountNumber>

    public init(_ settings: Settings) {
        limiter = RateLimiter(
            RateLimit(
                perSecond: settings.integer("limits.delivered-bytes-per-second"),
                burst: settings.integer("limits.delivered-bytes-burst")))
    }

    /// Why nothing may go out for the person now; nil if it may.
    public func refusal(for account: AccountNumber) -> Refusal? {
        limiter.owed(by: account).map { .tooOften(wait: $0) }
    }

    /// - Throws: ``Refusal`` `rate_limited` while more has gone out for the person than may.
    public func require(for account: AccountNumber) throws(Refusal) {
        if let refusal = refusal(for: account) { throw refusal }
    }

    /// Counts what went out.
    /// - Parameter bytes: the size times the people who get it.
    public func delivered(for account: AccountNumber, bytes: Int) {
        _ = limiter.spend(account, count: bytes, debtMax: Self.debtMax)
    }
}
