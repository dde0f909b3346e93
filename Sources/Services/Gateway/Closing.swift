import Schema

/// Why the gateway ends a session, with the WebSocket close code and the problem in the Goodbye before it.
struct Closing: Equatable, Sendable {
    var code: UInt16
    var problem: Problem

    private init(_ code: UInt16, _ word: RefusalCode, _ message: String, after wait: Duration = .zero) {
        self.code = code
        problem = Problem(code: word.rawValue, message: message, retryAfterMs: UInt32(wait.milliseconds))
    }

    private init(_ code: CloseCode, _ word: RefusalCode, _ message: String) {
        self.init(UInt16(code.rawValue), word, message)
    }

    var goodbye: Goodbye { Goodbye(error: problem, closeCode: CloseCode(rawValue: Int32(code))) }

    /// Not ``helloFirst``: a slow network or machine sends hello late, and the next attempt may succeed.
    static let helloMissing = Closing(
        1001, .silent, "No hello arrived in time. Connect again after a random wait.")
    static let helloFirst = Closing(.helloExpected, .helloExpected, "The first frame must be hello.")
    static func version(_ requested: UInt32) -> Closing {
        Closing(.versionUnsupported, .versionUnsupported, "This gateway supports version 1, not \(requested).")
    }
    static func token(_ why: String) -> Closing { Closing(.unauthenticated, .unauthenticated, why) }
    static let tokenExpired = token("The access token has expired. Get another, then connect again.")
    static let otherPerson = token(
        "The new access token belongs to another person or device. Connect again to use it.")
    static let revoked = Closing(.revoked, .revoked, "This device was signed out. Sign in again.")
    static let resync = Closing(.resync, .resync, "This session fell behind. Connect again and sync.")
    static func malformed(_ why: String) -> Closing { Closing(.protocolError, .protocolError, why) }
    static func tooLarge(_ limit: Int) -> Closing {
        Closing(.frameTooLarge, .tooLarge, "A frame may have at most \(limit) bytes.")
    }
    static let silent = Closing(1001, .silent, "Nothing was received from this client for too long. Connect again.")
    static let notSignedIn = Closing(
        1001, .notSignedIn, "A session that does not sign in ends after a while. Connect again when you need to.")
    static let tooManyAnonymous = Closing(
        1013, .rateLimited,
        "Too many sessions of your address are not signed in. Connect with a token, or after a random wait.",
        after: .seconds(10))
    /// A device that connects gets in, so that sessions which hang lock nobody out.
    static let tooManySessions = Closing(
        1013, .tooManySessions,
        "Too many other sessions of your account or this device were opened. Close some, or connect again later.",
        after: .seconds(30))
    static let goingAway = Closing(1001, .goingAway, "The gateway is stopping. Connect again after a random wait.")
    static let tryAgainLater = Closing(
        1013, .unavailable, "The access token cannot be checked right now. Connect again after a random wait.")
    static let tooMuch = Closing(
        1013, .rateLimited, "Too many sign-ins on one link. Connect again after a random wait.", after: .seconds(5))
}
