import Reactor
import Wire

/// How often something may happen: so often on average, and so many times in a burst.
public struct RateLimit: Equatable, Sendable {
    fileprivate let perMicrosecond: Float
    fileprivate let burst: Float

    public init(perSecond: Int, burst: Int) {
        (perMicrosecond, self.burst) = (Float(perSecond) / 1_000_000, Float(burst))
    }

    /// A burst may take a whole hour's share.
    public init(perHour: Int) {
        (perMicrosecond, burst) = (Float(perHour) / 3_600_000_000, Float(perHour))
    }

    /// A burst may take a whole minute's share.
    public init(perMinute: Int) {
        (perMicrosecond, burst) = (Float(perMinute) / 60_000_000, Float(perMinute))
    }
}

/// What is left of a limit. Times are microseconds of any one clock. Pure.
public struct TokenBucket: Equatable, Sendable {
    private var level: Float
    private var filledAt: Int64

    public init(_ limit: RateLimit, at now: Int64) {
        level = limit.burst
        filledAt = now
    }

    /// Takes tokens, all or none.
    /// - Returns: nil if there were enough, otherwise how many microseconds until there are.
    public mutating func take(_ limit: RateLimit, count: Int = 1, at now: Int64) -> Int64? {
        fill(limit, at: now)
        let count = Float(count)
        guard level < count else {
            level -= count
            return nil
        }
        return limit.perMicrosecond > 0 ? Int64((count - level) / limit.perMicrosecond) + 1 : 60_000_000
    }

    /// Takes tokens even if there are too few: what is missing is owed, up to what flows in during `debtMax`.
    /// - Returns: how many microseconds until nothing is owed; zero: nothing is.
    public mutating func spend(_ limit: RateLimit, count: Int = 1, debtMax: Duration, at now: Int64) -> Int64 {
        fill(limit, at: now)
        level = max(level - Float(count), -Float(debtMax.microseconds) * limit.perMicrosecond)
        return level < 0 ? Int64(-level / limit.perMicrosecond) + 1 : 0
    }

    fileprivate mutating func fill(_ limit: RateLimit, at now: Int64) {
        level = min(limit.burst, level + Float(max(0, now - filledAt)) * limit.perMicrosecond)
        filledAt = now
    }

    /// Whether a new bucket would hold no more.
    public func isFull(_ limit: RateLimit, at now: Int64) -> Bool {
        var filled = self
        filled.fill(limit, at: now)
        return filled.level >= limit.burst
    }
}

/// One limit per key, such as an account. Each replica counts in memory: with several, a person may do a little more;
/// that is cheaper than a statement each time. Pure.
public struct RateLimiter<Key: Hashable> {
    private let limit: RateLimit
    private let begin: ContinuousClock.Instant
    private var buckets: [Key: TokenBucket] = [:]
    /// At this size, buckets that are full again are removed.
    private var sizeMax = 10_000

    public init(_ limit: RateLimit, at now: ContinuousClock.Instant = .now) { (self.limit, begin) = (limit, now) }

    /// How many keys are remembered.
    var count: Int { buckets.count }

    /// Counts something that is about to be done, `count` times at once.
    /// - Throws: ``Refusal`` `rate_limited` beyond the limit.
    public mutating func take(_ key: Key, count: Int = 1, at now: ContinuousClock.Instant = .now) throws(Refusal) {
        let time = (now - begin).microseconds
        let limit = limit
        let wait = buckets[key, default: TokenBucket(limit, at: time)].take(limit, count: count, at: time)
        guard let wait else {
            if buckets.count > sizeMax { prune(at: time) }
            return
        }
        throw .tooOften(wait: .microseconds(wait))
    }

    /// Counts something even if it is beyond the limit: what is too much is owed, up to what `debtMax` brings.
    /// - Returns: how long until nothing is owed; nil: nothing is.
    public mutating func spend(
        _ key: Key, count: Int = 1, debtMax: Duration, at now: ContinuousClock.Instant = .now
    ) -> Duration? {
        let time = (now - begin).microseconds
        if buckets.count > sizeMax { prune(at: time) }
        let limit = limit
        let wait = buckets[key, default: TokenBucket(limit, at: time)].spend(
            limit, count: count, debtMax: debtMax, at: time)
        return wait > 0 ? .microseconds(wait) : nil
    }

    /// How long until something may be done; nil: no time. Counts nothing.
    public func wait(of key: Key, at now: ContinuousClock.Instant = .now) -> Duration? {
        guard var bucket = buckets[key] else { return nil }
        return bucket.take(limit, at: (now - begin).microseconds).map { .microseconds($0) }
    }

    /// How long until nothing is owed that ``spend(_:count:debtMax:at:)`` counted; nil: nothing is. Counts nothing.
    public func owed(by key: Key, at now: ContinuousClock.Instant = .now) -> Duration? {
        guard var bucket = buckets[key] else { return nil }
        let wait = bucket.spend(limit, count: 0, debtMax: .seconds(Int64(Int32.max)), at: (now - begin).microseconds)
        return wait > 0 ? .microseconds(wait) : nil
    }

    private mutating func prune(at time: Int64) {
        let limit = limit
        buckets = buckets.filter { !$0.value.isFull(limit, at: time) }
        sizeMax = max(10_000, buckets.count * 2)
    }
}

extension Refusal {
    /// Somebody does something more often than their limit allows.
    public static func tooOften(wait: Duration) -> Refusal {
        let wait = max(wait, .milliseconds(1))
        let seconds = (wait.microseconds + 999_999) / 1_000_000
        return Refusal(.rateLimited, "Too many attempts. Wait \(seconds) s, then try again.", retryAfter: wait)
    }
}
