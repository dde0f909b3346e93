/// The waits between attempts: exponential with full jitter, so that many clients do not return together.
public struct Backoff: Hashable, Sendable {
    /// The longest wait before the first retry.
    public var first: Duration
    /// The upper limit of all waits.
    public var last: Duration

    /// Creates waits that grow from 100 ms to 30 s by default.
    public init(first: Duration = .milliseconds(100), last: Duration = .seconds(30)) {
        (self.first, self.last) = (first, last)
    }

    /// Returns the longest wait before retry number `attempt` (0, 1, 2 …).
    public func ceiling(attempt: Int) -> Duration {
        min(last, first * (1 << min(max(attempt, 0), 30)))
    }

    /// Returns a random wait, evenly distributed between zero and ``ceiling(attempt:)``.
    public func wait(attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        ceiling(attempt: attempt) * Double.random(in: 0...1, using: &generator)
    }

    /// Returns a random wait, evenly distributed between zero and ``ceiling(attempt:)``.
    public func wait(attempt: Int) -> Duration {
        var generator = SystemRandomNumberGenerator()
        return wait(attempt: attempt, using: &generator)
    }
}
