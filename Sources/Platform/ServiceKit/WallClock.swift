import Glibc
import Schema

/// The source of times. Tests pass their own.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Timestamp

    public init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

    public var now: Timestamp { read() }

    public static let system = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}

extension Duration {
    public var milliseconds: Int64 { microseconds / 1000 }
}

/// Times as text for people and programs.
public enum UTC {
    /// RFC 3339: `2026-11-21T10:00:00Z`.
    /// - Parameter seconds: since 1970.
    public static func text(_ seconds: Int64) -> String { toTheSecond(seconds) + "Z" }

    /// RFC 3339 without the time zone.
    static func toTheSecond(_ seconds: Int64) -> String {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        func two(_ number: Int32) -> String { padded(Int(number), 2) }
        return "\(padded(Int(parts.tm_year) + 1900, 4))-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    }

    static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
