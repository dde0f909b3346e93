import ServiceKit
import Synchronization

/// What all sessions of one account, or those of one address that are not signed in, may do together on this gateway.
final class Share: Sendable {
    private struct Buckets {
        var requests: TokenBucket
        var frames: TokenBucket
    }

    private let rules: SessionRules
    private let buckets: Mutex<Buckets>

    init(_ rules: SessionRules, at now: Int64) {
        self.rules = rules
        buckets = Mutex(
            Buckets(
                requests: TokenBucket(rules.requestsTogether, at: now),
                frames: TokenBucket(rules.framesTogether, at: now)))
    }

    /// Counts a request.
    /// - Returns: nil if it may be made, otherwise how many microseconds until it may.
    func takeRequest(at now: Int64) -> Int64? {
        buckets.withLock { $0.requests.take(rules.requestsTogether, at: now) }
    }

    /// Counts frames that have arrived.
    /// - Returns: for how many microseconds no more are to be read; zero: go on.
    func spend(frames count: Int, at now: Int64) -> Int64 {
        buckets.withLock {
            $0.frames.spend(rules.framesTogether, count: count, debtMax: rules.limits.pauseMax, at: now)
        }
    }

    /// Whether a new share would allow no more.
    func isUnused(at now: Int64) -> Bool {
        buckets.withLock {
            $0.requests.isFull(rules.requestsTogether, at: now) && $0.frames.isFull(rules.framesTogether, at: now)
        }
    }
}

/// The shares of accounts. One stays until it is full again, so that nobody gets another by connecting again.
struct AccountShares {
    private let rules: SessionRules
    private var shares: [Int64: Share] = [:]
    /// At this size, shares that are unused are removed.
    private var sizeMax = 10_000

    init(_ rules: SessionRules) { self.rules = rules }

    /// - Parameter hasSessions: whether an account has sessions, which use its share.
    mutating func share(of account: Int64, at now: Int64, hasSessions: (Int64) -> Bool) -> Share {
        if let share = shares[account] { return share }
        if shares.count >= sizeMax {
            shares = shares.filter { hasSessions($0.key) || !$0.value.isUnused(at: now) }
            sizeMax = max(10_000, shares.count * 2)
        }
        let share = Share(rules, at: now)
        shares[account] = share
        return share
    }
}
