/// How long to wait before the next attempt: 50 ms, doubling up to 1 s, less a random part so that many processes do
/// not come back in step.
struct Backoff {
    private static let first = Duration.milliseconds(50)
    private static let last = Duration.seconds(1)

    private var delay = Self.first

    /// - Parameter random: from 0 to 1; up to half of the delay is left out by it.
    mutating func next(random: Double) -> Duration {
        defer { delay = min(delay * 2, Self.last) }
        return delay * (1 - random / 2)
    }

    mutating func reset() { delay = Self.first }
}
