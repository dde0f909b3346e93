/// How long to wait for something that makes progress: until there has been none for a while, or the longest time is
/// over. Pure.
struct Patience {
    private let limit: Duration
    private let last: ContinuousClock.Instant
    private var progressAt: ContinuousClock.Instant

    /// - Parameters:
    ///   - limit: how long there may be no progress.
    ///   - longest: the limit of the whole wait.
    init(_ limit: Duration, atMost longest: Duration, from now: ContinuousClock.Instant) {
        (self.limit, last, progressAt) = (limit, now + longest, now)
    }

    /// Notes that there was progress. What was before the wait, or is known, changes nothing.
    mutating func progressed(at time: ContinuousClock.Instant) { progressAt = max(progressAt, time) }

    /// When the wait ends without further progress.
    var end: ContinuousClock.Instant { min(progressAt + limit, last) }

    /// Whether the wait ends at its longest time rather than for lack of progress.
    var isAtLongest: Bool { last <= progressAt + limit }
}
