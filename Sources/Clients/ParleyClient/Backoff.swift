/// Waits between attempts: exponential with full jitter, so that many clients do not come back together.
public struct Backoff: Hashable, Sendable {
    /// The longest wait before the first further attempt.
    public var first: Duration
    /// The longest wait of all.
    public var last: Duration

    /// 100 ms to 30 s unless told otherwise.
    public init(first: Duration = .milliseconds(100), last: Duration = .seconds(30)) {
        (self.first, self.last) = (first, last)
    }

    /// The longest wait before attempt number `attempt` (0, 1, 2 …).
    public func ceiling(attempt: Int) -> Duration {
        min(last, first * (1 << min(max(attempt, 0), 30)))
    }

    /// A wait chosen evenly between zero and the ceiling.
    public func wait(attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        ceiling(attempt: attempt) * Double.random(in: 0...1, using: &generator)
    }

    /// A wait chosen evenly between zero and the ceiling.
    public func wait(attempt: Int) -> Duration {
        var generator = SystemRandomNumberGenerator()
        return wait(attempt: attempt, using: &generator)
    }
}
