import ServiceKit

/// A limit that operators set: its setting, its place in ``GatewayLimits``, which has the default, and its row in the
/// table of limits.
struct GatewayLimit {
    let setting: Setting
    private let key: String
    private let place: WritableKeyPath<GatewayLimits, Int>

    private init(
        _ name: String, _ place: WritableKeyPath<GatewayLimits, Int>, _ range: ClosedRange<Int>, _ what: String,
        per: String, beyond: Limit.Beyond
    ) {
        (key, self.place) = ("limits.\(name)", place)
        setting = .limit(key, range, Limit(GatewayLimits()[keyPath: place], what, per: per, beyond: beyond))
    }

    /// Returns the limits that the settings say.
    static func limits(_ settings: Settings) -> GatewayLimits {
        var limits = GatewayLimits()
        for row in all { limits[keyPath: row.place] = settings.integer(row.key) }
        return limits
    }

    static var all: [GatewayLimit] {
        [
            GatewayLimit(
                "connections", \.connections, 1...1_000_000, "connections",
                per: "gateway", beyond: .words("503, with Retry-After")),
            GatewayLimit(
                "address-connections-per-second", \.addressConnectionsPerSecond, 1...1_000_000,
                "connections opened in a second, on average",
                per: "address (IPv6: /64) that is no trusted proxy", beyond: .words("the connection ends at once")),
            GatewayLimit(
                "address-connections-burst", \.addressConnectionsBurst, 1...1_000_000, "connections opened in a burst",
                per: "address (IPv6: /64) that is no trusted proxy", beyond: .words("the connection ends at once")),
            GatewayLimit(
                "anonymous-per-address", \.anonymousPerAddress, 1...1_000_000, "sessions that are not signed in",
                per: "address (IPv6: /64)", beyond: .words("the session ends with 1013: rate_limited, with the wait")),
            GatewayLimit(
                "anonymous-seconds", \.anonymousSeconds, 1...86_400, "seconds without signing in",
                per: "session", beyond: .words("the session ends with 1001")),
            GatewayLimit(
                "newcomers", \.newcomers, 0...1_000_000,
                "connections that are not sessions (0: a twentieth of all, 256 at least); of three quarters on, "
                    + "each ends with its response",
                per: "gateway", beyond: .words("503, with Retry-After")),
            GatewayLimit(
                "newcomers-per-address", \.newcomersPerAddress, 1...1_000_000,
                "connections that are not sessions, and a quarter of the free ones at most",
                per: "address (IPv6: /64) that is no trusted proxy", beyond: .words("503, with Retry-After")),
            GatewayLimit(
                "sessions-per-account", \.sessionsPerAccount, 1...1_000_000, "signed-in sessions",
                per: "account",
                beyond: .words("the oldest of the device with the most ends: too_many_sessions, with the wait")),
            GatewayLimit(
                "sessions-per-device", \.sessionsPerDevice, 1...1_000_000, "signed-in sessions",
                per: "device", beyond: .words("the oldest ends: too_many_sessions, with the wait")),
            GatewayLimit(
                "requests-per-second", \.requestsPerSecond, 1...1_000_000, "requests a second, on average",
                per: "session, or HTTP connection", beyond: .wait),
            GatewayLimit(
                "requests-burst", \.requestsBurst, 1...1_000_000, "requests in a burst",
                per: "session, or HTTP connection", beyond: .wait),
            GatewayLimit(
                "requests-in-flight", \.requestsInFlight, 1...10_000, "unanswered requests",
                per: "session", beyond: .wait),
            GatewayLimit(
                "frames-per-second", \.framesPerSecond, 1...1_000_000,
                "WebSocket frames of any kind a second, on average",
                per: "session", beyond: .words("reading pauses, 10 s at most")),
            GatewayLimit(
                "frames-burst", \.framesBurst, 1...1_000_000, "WebSocket frames in a burst",
                per: "session", beyond: .words("reading pauses, 10 s at most")),
            GatewayLimit(
                "account-requests-per-second", \.accountRequestsPerSecond, 1...1_000_000,
                "requests a second of all sessions, or HTTP requests to services, on average",
                per: "account, or address of those not signed in", beyond: .wait),
            GatewayLimit(
                "account-requests-burst", \.accountRequestsBurst, 1...1_000_000,
                "requests of all sessions, or HTTP requests to services, in a burst",
                per: "account, or address of those not signed in", beyond: .wait),
            GatewayLimit(
                "account-frames-per-second", \.accountFramesPerSecond, 1...1_000_000,
                "WebSocket frames a second of all sessions, on average",
                per: "account, or address of those not signed in", beyond: .words("reading pauses, 10 s at most")),
            GatewayLimit(
                "account-frames-burst", \.accountFramesBurst, 1...1_000_000,
                "WebSocket frames of all sessions in a burst",
                per: "account, or address of those not signed in", beyond: .words("reading pauses, 10 s at most")),
            GatewayLimit(
                "queue-bytes", \.queueBytes, 16_384...1_073_741_824, "bytes that wait to be written",
                per: "session", beyond: .words("the session ends with 4004")),
            GatewayLimit(
                "exchanges", \.exchanges, 1...100_000,
                "concurrent HTTP requests to services, of up to 512 KiB of memory each; three quarters may be "
                    + "uploads, as many downloads, and one quarter of one address",
                per: "gateway", beyond: .words("503, with Retry-After")),
            GatewayLimit(
                "exchanges-per-account", \.exchangesPerAccount, 1...100_000,
                "concurrent uploads, and as many downloads",
                per: "account", beyond: .words("429, with Retry-After")),
            GatewayLimit(
                "exchange-bytes-per-second", \.exchangeBytesPerSecond, 0...1_000_000_000,
                "bytes a second at least, on average after 10 s, while few places are left",
                per: "transfer", beyond: .words("a slower one ends")),
        ]
    }
}
