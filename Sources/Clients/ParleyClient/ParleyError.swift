import Foundation
import NIOCore
import NIOPosix

/// The refusal or failure of a request. The code is stable and for programs; the message is for people.
public struct ParleyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A code of the server, such as `not_member`, `rate_limited` or `unavailable`, or one of this library:
    /// `connection_lost`, `revoked`, `cancelled`, `closed`, `invalid_frame`, `unsupported_url`, `too_slow`,
    /// `file_failed`, `no_room`, `export_failed`. TLS adds `certificate_untrusted`, `certificate_wrong_host`,
    /// `certificate_expired` and `invalid_authorities`.
    public var code: String
    /// The reason and, where something helps, what to do.
    public var message: String
    /// The field of the request that the error is about; empty if none.
    public var field: String
    /// How long to wait before a retry, in milliseconds; zero: no wait is required, or a retry does not help
    /// (``isRetriable``).
    public var retryAfterMs: UInt32

    /// Creates an error on the client's side.
    public init(code: String, message: String, field: String = "", retryAfterMs: UInt32 = 0) {
        (self.code, self.message, self.field, self.retryAfterMs) = (code, message, field, retryAfterMs)
    }

    /// Creates an error from a reply of the server.
    public init(_ problem: Parley_V1_Problem) {
        self.init(
            code: problem.code, message: problem.message, field: problem.field, retryAfterMs: problem.retryAfterMs)
    }

    /// Whether the same request, with the same id, may succeed later.
    public var isRetriable: Bool {
        code == "rate_limited" || isUncertain
    }

    /// Whether the request may have taken effect although no reply arrived.
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
        ParleyError(code: "connection_lost", message: "The connection ended before the reply arrived: \(why)")
    }

    static func unavailable(_ why: String) -> ParleyError {
        ParleyError(code: "unavailable", message: why)
    }

    /// Of several addresses of a host, the first one's error is told.
    static func cannotConnect(to authority: String, _ error: any Error) -> ParleyError {
        let first = (error as? NIOConnectionError)?.connectionErrors.first?.error ?? error
        let why = (first as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(first)"
        return .unavailable("Cannot connect to \(authority): \(why)")
    }

    static let revoked = ParleyError(code: "revoked", message: "This device was signed out. Sign in again.")
    static let deadline = ParleyError(
        code: "deadline", message: "No reply arrived in time. The request may have taken effect.")
    static let cancelled = ParleyError(code: "cancelled", message: "The task was cancelled.")
    package static let closed = ParleyError(code: "closed", message: "This client was closed.")
    package static let notConnected = ParleyError(
        code: "unavailable", message: "The client is not connected to the server.")

    /// Converts any error to a ``ParleyError``.
    init(wrapping error: any Error) {
        switch error {
        case let error as ParleyError: self = error
        case is CancellationError: self = .cancelled
        default: self = .unavailable("\(error)")
        }
    }
}
