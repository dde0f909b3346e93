import ParleyClient

/// Why something did not work: a refusal of the server, or a failure on the way. The code is for programs and stays the
/// same between versions; the message is for people and says what to do.
///
///     do throws(Refusal) {
///         try await parley.signIn(username: username, password: "a guess")
///     } catch {
///         show(error.code == .wrongCredentials ? "That is not the right password." : error.message)
///     }
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of refusal it is. Newer servers may send codes that are not listed here.
    ///
    ///     do throws(Refusal) {
    ///         try await parley.register(username: username, password: password, displayName: "Alice")
    ///     } catch {
    ///         show(error.code == .usernameTaken ? "Somebody else has this name. Choose another one." : error.message)
    ///     }
    public struct Code: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
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
    public var isTemporary: Bool { [.rateLimited, .unavailable, .deadline, .connectionLost, .offline].contains(code) }

    public var description: String { field.map { "\(code) (\($0)): \(message)" } ?? "\(code): \(message)" }
}

extension Refusal.Code {
    // MARK: Signing in

    /// Username and password do not belong together.
    public static let wrongCredentials = Self(rawValue: "wrong_credentials")
    /// Someone else has this username.
    public static let usernameTaken = Self(rawValue: "username_taken")
    /// This server takes no new accounts.
    public static let registrationClosed = Self(rawValue: "registration_closed")
    /// Registering takes a code, and this one is missing or not valid.
    public static let registrationCodeRefused = Self(rawValue: "registration_code_refused")
    /// Registering takes a proof. If it is a token, ``Parley/registrationPage()`` says where people get one.
    public static let proofRequired = Self(rawValue: "proof_required")
    /// The operator suspended the account; the message has the reason, ``Refusal/retryAfter`` how long it lasts.
    public static let accountSuspended = Self(rawValue: "account_suspended")
    /// Nobody is signed in on this device.
    public static let unauthenticated = Self(rawValue: "unauthenticated")
    /// This device was signed out.
    public static let revoked = Self(rawValue: "revoked")
    /// The tokens of this device are too old. Sign in again.
    public static let refreshRefused = Self(rawValue: "refresh_refused")

    // MARK: People and conversations

    public static let userNotFound = Self(rawValue: "user_not_found")
    /// One of the two people blocks the other.
    public static let userBlocked = Self(rawValue: "user_blocked")
    /// I am not a member of the conversation.
    public static let notMember = Self(rawValue: "not_member")
    public static let notFound = Self(rawValue: "not_found")
    /// My role does not allow it.
    public static let forbidden = Self(rawValue: "forbidden")
    /// Accept the request before writing.
    public static let acceptFirst = Self(rawValue: "accept_first")
    /// The other person has not accepted my request yet.
    public static let requestPending = Self(rawValue: "request_pending")
    /// The request has been answered already.
    public static let notPending = Self(rawValue: "not_pending")
    public static let groupFull = Self(rawValue: "group_full")

    // MARK: Messages

    public static let messageNotFound = Self(rawValue: "message_not_found")
    public static let messageDeleted = Self(rawValue: "message_deleted")
    public static let attachmentNotFound = Self(rawValue: "attachment_not_found")
    /// Someone else wrote it.
    public static let notAuthor = Self(rawValue: "not_author")
    /// It is too old to be edited.
    public static let editWindowClosed = Self(rawValue: "edit_window_closed")
    public static let tooManyReactions = Self(rawValue: "too_many_reactions")
    public static let tooManyPinned = Self(rawValue: "too_many_pinned")
    public static let tooManyStarred = Self(rawValue: "too_many_starred")
    public static let tooLarge = Self(rawValue: "too_large")
    /// I have sent too many messages today, or have too many bytes of files.
    public static let quotaReached = Self(rawValue: "quota_reached")

    // MARK: Reminders and decisions

    public static let reminderCompleted = Self(rawValue: "reminder_completed")
    public static let tooManyReminders = Self(rawValue: "too_many_reminders")
    public static let decisionNotFound = Self(rawValue: "decision_not_found")
    public static let alreadySuperseded = Self(rawValue: "already_superseded")
    public static let tooManyDecisions = Self(rawValue: "too_many_decisions")

    // MARK: Events

    /// Only the people who host the event may do this.
    public static let notHost = Self(rawValue: "not_host")
    /// Somebody changed the event since. Read it again.
    public static let eventChanged = Self(rawValue: "event_changed")
    public static let eventCancelled = Self(rawValue: "event_cancelled")
    /// The person is in no conversation that is invited.
    public static let userNotInvited = Self(rawValue: "user_not_invited")
    /// Nobody asks me to host the event.
    public static let notAsked = Self(rawValue: "not_asked")
    /// The person declined to host the event, or to come.
    public static let hostDeclined = Self(rawValue: "host_declined")
    public static let tooManyEvents = Self(rawValue: "too_many_events")
    public static let tooManyConversations = Self(rawValue: "too_many_conversations")
    public static let tooManyHosts = Self(rawValue: "too_many_hosts")
    public static let tooManyAttendees = Self(rawValue: "too_many_attendees")

    // MARK: Ids

    /// The id is used by something else.
    public static let idInUse = Self(rawValue: "id_in_use")
    public static let idTooOld = Self(rawValue: "id_too_old")
    public static let idFromFuture = Self(rawValue: "id_from_future")

    // MARK: Anything

    /// The request is not valid; ``Refusal/field`` says where.
    public static let invalid = Self(rawValue: "invalid")
    /// Too many requests; ``Refusal/retryAfter`` says how long to wait.
    public static let rateLimited = Self(rawValue: "rate_limited")
    /// Too many other sessions of the account or this device were opened; this one comes back after a while.
    public static let tooManySessions = Self(rawValue: "too_many_sessions")
    /// The server cannot answer now.
    public static let unavailable = Self(rawValue: "unavailable")
    /// No answer came in time. It may have worked.
    public static let deadline = Self(rawValue: "deadline")
    /// The connection ended before the answer came. It may have worked.
    public static let connectionLost = Self(rawValue: "connection_lost")
    /// There is no connection, which this takes, or what is stored is not enough.
    public static let offline = Self(rawValue: "offline")
    /// The device has no room, or its storage cannot be written.
    public static let storageFailed = Self(rawValue: "storage_failed")
    /// A file cannot be read.
    public static let fileFailed = Self(rawValue: "file_failed")
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
    static let wasClosed = Refusal(.closed, "Parley was closed. Open it again.")

    static func outboxFull(_ max: Int) -> Refusal {
        Refusal(.outboxFull, "\(max) things that you did are not sent yet. Wait until some are, or drop some.")
    }

    static func file(_ why: String) -> Refusal { Refusal(.fileFailed, "\(why) Choose another file.") }

    static func storage(_ why: String) -> Refusal { Refusal(.storageFailed, why) }
}
