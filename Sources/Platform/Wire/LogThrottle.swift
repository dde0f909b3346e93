/// Limits the rate of log lines that a peer can provoke, and counts those held back.
public struct LogThrottle: Sendable {
    private let interval: Duration
    private var next: ContinuousClock.Instant?
    private var heldBack = 0

    public init(every interval: Duration) {
        self.interval = interval
    }

    /// - Returns: nil if the line should be held back, otherwise how many were held back since the last.
    public mutating func pass(at now: ContinuousClock.Instant) -> Int? {
        if let next, now < next {
            heldBack += 1
            return nil
        }
        next = now + interval
        defer { heldBack = 0 }
        return heldBack
    }
}
