import Glibc

/// Where times come from: microseconds since 1970, UTC. Tests pass their own.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Int64

    public init(_ read: @escaping @Sendable () -> Int64) { self.read = read }

    public var now: Int64 { read() }

    public static let system = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

extension Duration {
    /// Whole microseconds, for arithmetic with stored times.
    public var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }

    public var milliseconds: Int64 { microseconds / 1000 }
}
