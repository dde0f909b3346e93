/// Lets something through once in a while, and tells how many it held back: for log lines a peer can provoke.
public struct LogThrottle: Sendable {
    private let interval: Duration
    private var next: ContinuousClock.Instant?
    private var heldBack = 0

    public init(every interval: Duration) {
        self.interval = interval
    }

    /// - Returns: nil when it should be held back, else how many were since the last.
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
