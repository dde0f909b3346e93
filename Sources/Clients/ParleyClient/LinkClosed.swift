/// How a connection ended.
public struct LinkClosed: Hashable, Sendable {
    /// The WebSocket close code: the server's, or 1006 when the connection ended without one, 1002 and 1009 when the
    /// server broke the protocol.
    public var code: UInt16
    /// In words.
    public var reason: String
    /// Connecting again may work (after what ``reaction`` says).
    public var comeBack: Bool { reaction != .never && reaction != .signInAgain }

    /// A connection's end.
    public init(code: UInt16, reason: String) {
        (self.code, self.reason) = (code, reason)
    }

    /// What to do after a connection ended.
    public enum Reaction: Hashable, Sendable {
        /// Come back after a random wait.
        case wait
        /// Come back now, and sync.
        case atOnce
        /// Get another access token, then come back.
        case refresh
        /// This device was signed out: ask the person to sign in.
        case signInAgain
        /// Coming back unchanged would fail the same way.
        case never
    }

    /// What to do, by close code.
    public var reaction: Reaction {
        switch code {
        case 1000, 4001, 4005, 4006, 4007: .never
        case 4002: .refresh
        case 4003: .signInAgain
        case 4004: .atOnce
        default: .wait
        }
    }
}
