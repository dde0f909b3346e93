/// The delay before the next attempt. It begins at 50 ms and doubles up to 1 s, less a random part, so that many
/// processes do not reconnect in step.
struct Backoff {
    private static let first = Duration.milliseconds(50)
    private static let last = Duration.seconds(1)

    private var delay = Self.first

    /// - Parameter random: from 0 to 1; shortens the delay by up to half.
    mutating func next(random: Double) -> Duration {
        defer { delay = min(delay * 2, Self.last) }
        return delay * (1 - random / 2)
    }

    mutating func reset() { delay = Self.first }
}
