#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The server's time: as Welcome and Pong told it, carried on by this machine's steady clock.
public struct ServerClock: Sendable {
    private var told: (microseconds: Int64, at: ContinuousClock.Instant)

    /// A clock that knows this machine's time only.
    public init() {
        told = (Self.machineMicroseconds(), .now)
    }

    /// Microseconds UTC.
    public func now(at instant: ContinuousClock.Instant = .now) -> Int64 {
        let (seconds, attoseconds) = (instant - told.at).components
        return told.microseconds + seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    /// Takes over the server's time.
    public mutating func set(_ microseconds: Int64, at instant: ContinuousClock.Instant = .now) {
        guard microseconds > 0 else { return }
        told = (microseconds, instant)
    }

    private static func machineMicroseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
