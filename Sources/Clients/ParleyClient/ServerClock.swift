#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The server's time, taken from the last Welcome or Pong and kept up to date with this machine's monotonic clock.
public struct ServerClock: Sendable {
    private var reference: (microseconds: Int64, at: ContinuousClock.Instant)
    /// By how many microseconds this machine's time was later than the server's when the server first told it;
    /// negative: earlier. Nil: it has not told it.
    public private(set) var wasAhead: Int64?

    /// Creates a clock that starts from this machine's time.
    public init() { self.init(skew: .zero) }

    /// - Parameter skew: how far this machine's time is taken to be wrong, in a test.
    package init(skew: Duration) {
        reference = (Self.machineMicroseconds() + Int64(skew / .microseconds(1)), .now)
    }

    /// Returns the server's time in microseconds UTC.
    public func now(at instant: ContinuousClock.Instant = .now) -> Int64 {
        let (seconds, attoseconds) = (instant - reference.at).components
        return reference.microseconds + seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    /// Sets the server's time. Zero and negative values are ignored.
    /// - Parameter microseconds: microseconds UTC.
    public mutating func set(_ microseconds: Int64, at instant: ContinuousClock.Instant = .now) {
        guard microseconds > 0 else { return }
        if wasAhead == nil { wasAhead = now(at: instant) - microseconds }
        reference = (microseconds, instant)
    }

    private static func machineMicroseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
