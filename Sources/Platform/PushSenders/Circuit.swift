/// Whether a provider may be asked. After a few failures in a row it is left alone for a while, which doubles from one
/// second to five minutes; then one request tries it. Pure. Times are in microseconds of a clock that never goes back.
struct Circuit {
    /// So many failures in a row open it.
    static let failuresMax = 5
    static let firstPause: Int64 = 1_000_000
    static let pauseMax: Int64 = 300_000_000
    /// A pause that the provider asks for is kept up to this.
    static let retryAfterMax: Int64 = 3_600_000_000

    private var failures = 0
    private var pauses = 0
    private var openUntil: Int64?
    private var isTried = false

    /// Whether somebody waits for it to close.
    var isOpen: Bool { openUntil != nil }

    /// - Returns: nil if a request may be sent, whose end is told by one of the other functions; otherwise after how
    ///   many microseconds to ask again.
    mutating func admit(at now: Int64) -> Int64? {
        guard let openUntil else { return nil }
        guard now >= openUntil else { return openUntil - now }
        guard !isTried else { return Self.firstPause }
        isTried = true
        return nil
    }

    /// The provider has answered.
    mutating func answered() { self = Circuit() }

    /// A request ended without saying anything about the provider.
    mutating func cancelled() { isTried = false }

    /// The provider failed.
    /// - Parameter pause: what it asked for.
    /// - Returns: after how many microseconds to send again.
    mutating func failed(at now: Int64, pause: Int64? = nil) -> Int64 {
        failures += 1
        let wasTried = isTried
        isTried = false
        guard pause != nil || failures >= Self.failuresMax || wasTried else { return Self.firstPause }
        let asked = min(pause ?? 0, Self.retryAfterMax)
        // Requests that were under way when it opened do not double the pause.
        if let openUntil, now < openUntil {
            self.openUntil = max(openUntil, now + asked)
        } else {
            openUntil = now + max(asked, min(Self.firstPause << min(pauses, 20), Self.pauseMax))
            pauses += 1
        }
        return (openUntil ?? now) - now
    }

    /// The provider refuses everything until an operator mends a setting.
    /// - Returns: after how many microseconds to send again.
    mutating func block(at now: Int64, for length: Int64) -> Int64 {
        isTried = false
        openUntil = max(openUntil ?? 0, now + length)
        return length
    }
}
