import ParleyClient

/// Why something did not work: a refusal of the server, or a failure on the way. The code is for programs and stays the
/// same between versions; the message is for people and says what to do.
///
///     do throws(Refusal) {
///         try await parley.signIn(username: username, password: "a guess")
///     } catch {
///         show(error.code == .wrongCredentials ? "That is not the right password." : error.message)
///     }
public struct Refusal: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// What kind of refusal it is. Newer servers may send codes that are not listed here.
    ///
    ///     do throws(Refusal) {
    ///         try await parley.register(username: username, password: password, displayName: "Alice")
    ///     } catch {
    ///         show(error.code == .usernameTaken ? "Somebody else has this name. Choose another one." : error.message)
    ///     }
    public struct Code: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        /// Whether the same may be tried again.
        ///
        ///     if refusal.code.repetition == .never { show(refusal.message) }
        public enum Repetition: Sendable {
            /// It would be refused again.
            case never
            /// After ``Refusal/retryAfter``.
            case afterWait
            case aFewTimes
            case onceSignedIn
            /// It may have worked, and is safe to repeat.
            case uncertain
        }

        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }

    public let code: Code
    /// What is wrong and, where something helps, what to do. In English.
    public let message: String
    /// The part of the request that is at fault; nil if it is not one part.
    public let field: String?
    /// How long to wait before trying again; nil: no wait is needed, or trying again does not help.
    public let retryAfter: Duration?

    /// Creates a refusal, for tests of an app.
    public init(_ code: Code, _ message: String, field: String? = nil, retryAfter: Duration? = nil) {
        (self.code, self.message, self.field, self.retryAfter) = (code, message, field, retryAfter)
    }

    package init(_ error: ParleyError) {
        guard error != .notConnected else {
            self = .offline
            return
        }
        self.init(
            Code(rawValue: error.code), error.message, field: error.field.isEmpty ? nil : error.field,
            retryAfter: error.retryAfterMs == 0 ? nil : .milliseconds(error.retryAfterMs))
    }

    /// Whether the same may succeed later.
    public var isTemporary: Bool {
        code.repetition == .afterWait || code.repetition == .uncertain || code == .connectionLost || code == .offline
    }

    public var description: String { field.map { "\(code) (\($0)): \(message)" } ?? "\(code): \(message)" }
}

extension Refusal.Code {
    // Those of the server are in Generated/Codes.swift.

    /// The connection ended before the answer came. It may have worked.
    public static let connectionLost = Self(rawValue: "connection_lost")
    /// There is no connection, which this takes, or what is stored is not enough.
    public static let offline = Self(rawValue: "offline")
    /// The device has no room, or its storage cannot be written.
    public static let storageFailed = Self(rawValue: "storage_failed")
    /// A file cannot be read.
    public static let fileFailed = Self(rawValue: "file_failed")
    /// The sign-in that is kept belongs to another server than the one to connect to.
    public static let otherServer = Self(rawValue: "other_server")
    /// Somebody is signed in, or is about to be.
    public static let alreadySignedIn = Self(rawValue: "already_signed_in")
    /// Something that I did is not sent yet.
    public static let unsentWork = Self(rawValue: "unsent_work")
    /// As much as ``Parley/Options/unsentMax`` or ``Parley/Options/unsentFileBytesMax`` is not sent yet.
    public static let outboxFull = Self(rawValue: "outbox_full")
    /// ``Parley/close()`` was called.
    public static let closed = Self(rawValue: "closed")
    public static let cancelled = Self(rawValue: "cancelled")
}

extension Refusal {
    static let signedOut = Refusal(.unauthenticated, "Nobody is signed in on this device. Sign in first.")
    static let offline = Refusal(.offline, "There is no connection. Try again when the device is online.")
    static let notStored = Refusal(
        .offline, "There is no connection, and this is not stored on the device. Try again when it is online.")
    static let notSearched = Refusal(
        .offline, "There is no connection, so only the device was searched. Search again when it is online.")
    static func otherServer(_ owner: String) -> Refusal {
        Refusal(
            .otherServer,
            "The sign-in on this device belongs to \(owner). Open Parley with that URL or with a folder of its own; if "
                + "that server has moved here, name its URL in Options.formerServers.")
    }

    static let alreadySignedIn = Refusal(
        .alreadySignedIn, "Somebody is signed in here. Sign out first, or open Parley with another folder beside.")
    static let wasClosed = Refusal(.closed, "Parley was closed. Open it again.")

    static func outboxFull(_ max: Int) -> Refusal {
        Refusal(.outboxFull, "\(max) things that you did are not sent yet. Wait until some are, or drop some.")
    }

    static func file(_ why: String) -> Refusal { Refusal(.fileFailed, "\(why) Choose another file.") }

    static func storage(_ why: String) -> Refusal { Refusal(.storageFailed, why) }
}
