// Generated from *.proto (sha256 b2447acba9c9801e47a93629ba5ec14e0a6ffe142dbec1594ea801c888d7c9a0) by proto/generate. Do not edit.

// swift-format-ignore-file

extension RefusalCode {
    /// Username and password do not belong together.
    public static let wrongCredentials = Self(rawValue: "wrong_credentials")
    /// Somebody else has this username.
    public static let usernameTaken = Self(rawValue: "username_taken")
    /// This server takes no new accounts.
    public static let registrationClosed = Self(rawValue: "registration_closed")
    /// Registering takes a code, and this one is missing or not valid.
    public static let registrationCodeRefused = Self(rawValue: "registration_code_refused")
    /// Registering takes a proof, and this one is missing, wrong or too old.
    public static let proofRequired = Self(rawValue: "proof_required")
    /// The operator suspended the account. The message has the reason, the wait how long it lasts.
    public static let accountSuspended = Self(rawValue: "account_suspended")
    /// Nobody is signed in, or the token has expired. Repeat once signed in.
    public static let unauthenticated = Self(rawValue: "unauthenticated")
    /// This device was signed out.
    public static let revoked = Self(rawValue: "revoked")
    /// The tokens of this device are too old, or void. Sign in again.
    public static let refreshRefused = Self(rawValue: "refresh_refused")
    /// There is no such person.
    public static let userNotFound = Self(rawValue: "user_not_found")
    /// One of the two people blocks the other.
    public static let userBlocked = Self(rawValue: "user_blocked")
    /// The caller is not a member of the conversation.
    public static let notMember = Self(rawValue: "not_member")
    /// It does not exist, or the caller may not see it.
    public static let notFound = Self(rawValue: "not_found")
    /// The caller's role does not allow it.
    public static let forbidden = Self(rawValue: "forbidden")
    /// The caller has not accepted the request of the conversation.
    public static let acceptFirst = Self(rawValue: "accept_first")
    /// The other person has not accepted the caller's request.
    public static let requestPending = Self(rawValue: "request_pending")
    /// The request has been answered already.
    public static let notPending = Self(rawValue: "not_pending")
    /// The group has as many members as it may have.
    public static let groupFull = Self(rawValue: "group_full")
    /// There is no such message, or the caller may not read it.
    public static let messageNotFound = Self(rawValue: "message_not_found")
    /// The message was deleted.
    public static let messageDeleted = Self(rawValue: "message_deleted")
    /// There is no such file, or it has not arrived yet.
    public static let attachmentNotFound = Self(rawValue: "attachment_not_found")
    /// Somebody else wrote it.
    public static let notAuthor = Self(rawValue: "not_author")
    /// The message is too old to be edited.
    public static let editWindowClosed = Self(rawValue: "edit_window_closed")
    /// The message has as many different reactions as it may have.
    public static let tooManyReactions = Self(rawValue: "too_many_reactions")
    /// The caller has pinned as many conversations as they may.
    public static let tooManyPinned = Self(rawValue: "too_many_pinned")
    /// The caller has starred as many messages as they may.
    public static let tooManyStarred = Self(rawValue: "too_many_starred")
    /// It has more bytes than allowed.
    public static let tooLarge = Self(rawValue: "too_large")
    /// The caller has sent too many messages today, or has too many bytes of files.
    public static let quotaReached = Self(rawValue: "quota_reached")
    /// The reminder is completed. Open it again first.
    public static let reminderCompleted = Self(rawValue: "reminder_completed")
    /// The caller has as many open reminders as they may.
    public static let tooManyReminders = Self(rawValue: "too_many_reminders")
    /// There is no such decision.
    public static let decisionNotFound = Self(rawValue: "decision_not_found")
    /// Another decision supersedes it already.
    public static let alreadySuperseded = Self(rawValue: "already_superseded")
    /// The caller has as many decisions as they may.
    public static let tooManyDecisions = Self(rawValue: "too_many_decisions")
    /// Only the people who host the event may do this.
    public static let notHost = Self(rawValue: "not_host")
    /// Somebody changed the event since. Read it again.
    public static let eventChanged = Self(rawValue: "event_changed")
    /// The event was called off.
    public static let eventCancelled = Self(rawValue: "event_cancelled")
    /// The person is in no conversation that is invited.
    public static let userNotInvited = Self(rawValue: "user_not_invited")
    /// Nobody asks the caller to host the event.
    public static let notAsked = Self(rawValue: "not_asked")
    /// The person declined to host the event, or to come.
    public static let hostDeclined = Self(rawValue: "host_declined")
    /// The caller has as many events as they may.
    public static let tooManyEvents = Self(rawValue: "too_many_events")
    /// The event has as many conversations as it may have.
    public static let tooManyConversations = Self(rawValue: "too_many_conversations")
    /// The event has as many co-hosts as it may have.
    public static let tooManyHosts = Self(rawValue: "too_many_hosts")
    /// As many people answered the event as may.
    public static let tooManyAttendees = Self(rawValue: "too_many_attendees")
    /// Something else has this id.
    public static let idInUse = Self(rawValue: "id_in_use")
    /// The id's time is too long ago.
    public static let idTooOld = Self(rawValue: "id_too_old")
    /// The id's time is too far ahead.
    public static let idFromFuture = Self(rawValue: "id_from_future")
    /// The server has another part of the file. Continue after that.
    public static let conflict = Self(rawValue: "conflict")
    /// The URL has expired. Request a new one.
    public static let linkExpired = Self(rawValue: "link_expired")
    /// The request is not valid; `field` says where.
    public static let invalid = Self(rawValue: "invalid")
    /// This version of the server has no such request.
    public static let unknownMethod = Self(rawValue: "unknown_method")
    /// Too many requests. Repeat after the wait.
    public static let rateLimited = Self(rawValue: "rate_limited")
    /// The server cannot answer now. It may have taken effect: repeat it.
    public static let unavailable = Self(rawValue: "unavailable")
    /// No answer came in time. It may have taken effect: repeat it.
    public static let deadline = Self(rawValue: "deadline")
    /// The server failed. Repeat a few times.
    public static let `internal` = Self(rawValue: "internal")
    /// The first frame was not hello.
    public static let helloExpected = Self(rawValue: "hello_expected")
    /// The server does not speak this version.
    public static let versionUnsupported = Self(rawValue: "version_unsupported")
    /// A frame could not be read, or was not expected.
    public static let protocolError = Self(rawValue: "protocol_error")
    /// Nothing was received for too long. Connect again.
    public static let silent = Self(rawValue: "silent")
    /// Web pages of this host may not open sessions (setting `listen.origins`).
    public static let originNotAllowed = Self(rawValue: "origin_not_allowed")
    /// The session did not sign in in time. Connect again when needed.
    public static let notSignedIn = Self(rawValue: "not_signed_in")
    /// No complete HTTP request arrived in time. Repeat after the wait.
    public static let timeout = Self(rawValue: "timeout")
    /// The session fell behind. Connect again and sync.
    public static let resync = Self(rawValue: "resync")
    /// Newer sessions of the account or device took its place. Connect again after a while.
    public static let tooManySessions = Self(rawValue: "too_many_sessions")
    /// The server stops. Connect again after a random wait.
    public static let goingAway = Self(rawValue: "going_away")
    /// The text is no ID token that this server can read.
    public static let tokenMalformed = Self(rawValue: "token_malformed")
    /// No token of this issuer signs anybody in here.
    public static let issuerUnknown = Self(rawValue: "issuer_unknown")
    /// The token is signed in a way that this server does not accept from its issuer.
    public static let tokenAlgorithmRefused = Self(rawValue: "token_algorithm_refused")
    /// No key of the issuer made the token's signature.
    public static let tokenSignatureWrong = Self(rawValue: "token_signature_wrong")
    /// The token is for another app or server.
    public static let tokenNotForUs = Self(rawValue: "token_not_for_us")
    /// The token is too old. Get a new one from the issuer.
    public static let tokenExpired = Self(rawValue: "token_expired")
    /// The token is not valid yet, or from the future. Check the clocks.
    public static let tokenNotYetValid = Self(rawValue: "token_not_yet_valid")
    /// The nonce of the token is not that of the request.
    public static let tokenNonceWrong = Self(rawValue: "token_nonce_wrong")
    /// The token was used before. Get a new one from the issuer.
    public static let tokenUsed = Self(rawValue: "token_used")
    /// The identity signs somebody else in.
    public static let identityInUse = Self(rawValue: "identity_in_use")
    /// The account has as many identities as it may have.
    public static let tooManyIdentities = Self(rawValue: "too_many_identities")
    /// Without it nobody could sign in to the account.
    public static let lastWayIn = Self(rawValue: "last_way_in")
    /// The request takes the password of the account, or a new token of one of its identities.
    public static let ownerUnproven = Self(rawValue: "owner_unproven")
    /// Guests may not do this here. Choose a username and a password, or add an identity.
    public static let guestMayNot = Self(rawValue: "guest_may_not")
    /// The mailed code is wrong, was used, or is too old. Ask for another.
    public static let codeRefused = Self(rawValue: "code_refused")
    /// This server sends no mail.
    public static let mailOff = Self(rawValue: "mail_off")
    /// Nobody approved the device yet. Ask again a little later.
    public static let linkPending = Self(rawValue: "link_pending")
    /// The issuer's page signed nobody in: the person went back, or it refused. Begin again.
    public static let signInRefused = Self(rawValue: "sign_in_refused")

    /// Whether the same request may be sent again after a refusal with this code. Of a code that this version does not
    /// know: never.
    public var repetition: Repetition {
        switch rawValue {
        case "rate_limited", "timeout": .afterWait
        case "internal": .aFewTimes
        case "unauthenticated": .onceSignedIn
        case "unavailable", "deadline": .uncertain
        default: .never
        }
    }
}
