import Foundation
import NIOCore
import NIOPosix

/// The refusal or failure of a request. The code is stable and for programs; the message is for people.
public struct ParleyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why a request was refused or failed, as a stable word. Those that servers send are generated from the contract,
    /// those of this library stand in `ErrorCodes.swift`. Newer servers may send others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// Whether the same request, with the same id, may be sent again.
        public enum Repetition: Sendable {
            /// It would be refused again.
            case never
            /// After ``ParleyError/retryAfterMs``.
            case afterWait
            case aFewTimes
            case onceSignedIn
            /// It may have taken effect, and is safe to repeat.
            case uncertain
        }

        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }

    /// A ``Code``.
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

    /// Creates an error on the client's side.
    public init(_ code: Code, _ message: String) { self.init(code: code.rawValue, message: message) }

    /// Creates an error from a reply of the server.
    public init(_ problem: Parley_V1_Problem) {
        self.init(
            code: problem.code, message: problem.message, field: problem.field, retryAfterMs: problem.retryAfterMs)
    }

    /// Whether the same request, with the same id, may succeed later.
    public var isRetriable: Bool {
        Code(rawValue: code).repetition == .afterWait || isUncertain
    }

    /// Whether the request may have taken effect although no reply arrived.
    public var isUncertain: Bool {
        Code(rawValue: code).repetition == .uncertain || hasCode(.connectionLost)
    }

    /// Whether its code is one of these.
    public func hasCode(_ codes: Code...) -> Bool { codes.contains { $0.rawValue == code } }

    public var description: String {
        field.isEmpty ? "\(code): \(message)" : "\(code) (\(field)): \(message)"
    }
}

extension ParleyError {
    static func invalidFrame(_ why: String) -> ParleyError {
        ParleyError(.invalidFrame, "The server sent a frame that cannot be read: \(why)")
    }

    static func connectionLost(_ why: String) -> ParleyError {
        ParleyError(.connectionLost, "The connection ended before the reply arrived: \(why)")
    }

    static func unavailable(_ why: String) -> ParleyError {
        ParleyError(.unavailable, why)
    }

    /// Of several addresses of a host, the first one's error is told.
    static func cannotConnect(to authority: String, _ error: any Error) -> ParleyError {
        let first = (error as? NIOConnectionError)?.connectionErrors.first?.error ?? error
        let why = (first as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(first)"
        return .unavailable("Cannot connect to \(authority): \(why)")
    }

    static let revoked = ParleyError(.revoked, "This device was signed out. Sign in again.")
    static let deadline = ParleyError(.deadline, "No reply arrived in time. The request may have taken effect.")
    package static let cancelled = ParleyError(.cancelled, "The task was cancelled.")
    package static let closed = ParleyError(.closed, "This client was closed.")
    package static let notConnected = ParleyError(.unavailable, "The client is not connected to the server.")

    /// Converts any error to a ``ParleyError``.
    init(wrapping error: any Error) {
        switch error {
        case let error as ParleyError: self = error
        case is CancellationError: self = .cancelled
        default: self = .unavailable("\(error)")
        }
    }
}
