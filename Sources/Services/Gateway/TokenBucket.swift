/// A rate limit per second that allows a burst. Times are microseconds of any one clock.
struct TokenBucket: Equatable {
    private var level: Float
    private var filledAt: Int64

    init(full burst: Int, at now: Int64) {
        level = Float(burst)
        filledAt = now
    }

    /// Takes one token.
    /// - Returns: nil if there was one, otherwise how many microseconds until the next.
    mutating func take(perSecond: Int, burst: Int, at now: Int64) -> Int64? {
        let gained = Float(max(0, now - filledAt)) * Float(perSecond) / 1_000_000
        level = min(Float(burst), level + gained)
        filledAt = now
        guard level < 1 else {
            level -= 1
            return nil
        }
        return perSecond > 0 ? Int64((1 - level) * 1_000_000 / Float(perSecond)) + 1 : 60_000_000
    }
}
