/// The end of a connection.
public struct LinkClosed: Hashable, Sendable {
    /// The WebSocket close code. It is the server's, or 1000 when the client closed, 1006 when the connection ended
    /// without a close frame, or 1002, 1003, 1007 or 1009 when the server broke the protocol.
    public var code: UInt16
    /// The reason in words.
    public var reason: String
    /// Whether the client should reconnect after it has carried out ``reaction``.
    public var comeBack: Bool { reaction != .never && reaction != .signInAgain }

    /// Creates the end of a connection.
    public init(code: UInt16, reason: String) {
        (self.code, self.reason) = (code, reason)
    }

    /// The client's reaction to the end of a connection.
    public enum Reaction: Hashable, Sendable {
        /// Reconnect after a random wait.
        case wait
        /// Reconnect immediately, then sync.
        case atOnce
        /// Reconnect with a new access token.
        case refresh
        /// This device was signed out: ask the person to sign in.
        case signInAgain
        /// Do not reconnect: an unchanged attempt would fail the same way.
        case never
    }

    /// The reaction to this close code.
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
