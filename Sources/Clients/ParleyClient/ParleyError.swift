/// Why a request was refused or failed. The code is a stable word; the message is for people.
public struct ParleyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// "not_member", "rate_limited", "unavailable" … `connection_lost`, `revoked`, `cancelled`, `closed`,
    /// `invalid_frame` and `unsupported_url` are made by this library, as are those of TLS: `certificate_untrusted`,
    /// `certificate_wrong_host`, `certificate_expired`, `invalid_authorities`.
    public var code: String
    /// Says why, and what to do.
    public var message: String
    /// The request's field it is about; empty if none.
    public var field: String
    /// Zero: do not wait, or do not retry.
    public var retryAfterMs: UInt32

    /// An error made on this side.
    public init(code: String, message: String, field: String = "", retryAfterMs: UInt32 = 0) {
        (self.code, self.message, self.field, self.retryAfterMs) = (code, message, field, retryAfterMs)
    }

    /// An error told by the server.
    public init(_ problem: Parley_V1_Problem) {
        self.init(
            code: problem.code, message: problem.message, field: problem.field, retryAfterMs: problem.retryAfterMs)
    }

    /// The same request, with the same id, may succeed later.
    public var isRetriable: Bool {
        code == "rate_limited" || isUncertain
    }

    /// The request may have taken effect although no answer came.
    public var isUncertain: Bool {
        ["unavailable", "deadline", "connection_lost"].contains(code)
    }

    public var description: String {
        field.isEmpty ? "\(code): \(message)" : "\(code) (\(field)): \(message)"
    }
}

extension ParleyError {
    static func invalidFrame(_ why: String) -> ParleyError {
        ParleyError(code: "invalid_frame", message: "The server sent a frame that cannot be read: \(why)")
    }

    static func connectionLost(_ why: String) -> ParleyError {
        ParleyError(code: "connection_lost", message: "The connection ended before the answer came: \(why)")
    }

    static func unavailable(_ why: String) -> ParleyError {
        ParleyError(code: "unavailable", message: why)
    }

    static let revoked = ParleyError(code: "revoked", message: "This device was signed out: sign in again")
    static let deadline = ParleyError(code: "deadline", message: "No answer came in time")
    static let cancelled = ParleyError(code: "cancelled", message: "The task was cancelled")
    static let closed = ParleyError(code: "closed", message: "This client was closed")
    static let notConnected = ParleyError(code: "unavailable", message: "Not connected")

    /// Whatever was thrown, as one of ours.
    init(wrapping error: any Error) {
        switch error {
        case let error as ParleyError: self = error
        case is CancellationError: self = .cancelled
        default: self = .unavailable("\(error)")
        }
    }
}
