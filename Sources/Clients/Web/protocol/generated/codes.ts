// Generated from *.proto (sha256 b2447acba9c9801e47a93629ba5ec14e0a6ffe142dbec1594ea801c888d7c9a0) by proto/generate. Do not edit.

/** Whether the same request may be sent again after a refusal. */
export type Repetition = "afterWait" | "aFewTimes" | "onceSignedIn" | "uncertain" | "never";

/** A code of a refusal that this version knows. Servers may add more. */
export type RefusalCode =
    /** Username and password do not belong together. */
    | "wrong_credentials"
    /** Somebody else has this username. */
    | "username_taken"
    /** This server takes no new accounts. */
    | "registration_closed"
    /** Registering takes a code, and this one is missing or not valid. */
    | "registration_code_refused"
    /** Registering takes a proof, and this one is missing, wrong or too old. */
    | "proof_required"
    /** The operator suspended the account. The message has the reason, the wait how long it lasts. */
    | "account_suspended"
    /** Nobody is signed in, or the token has expired. Repeat once signed in. */
    | "unauthenticated"
    /** This device was signed out. */
    | "revoked"
    /** The tokens of this device are too old, or void. Sign in again. */
    | "refresh_refused"
    /** There is no such person. */
    | "user_not_found"
    /** One of the two people blocks the other. */
    | "user_blocked"
    /** The caller is not a member of the conversation. */
    | "not_member"
    /** It does not exist, or the caller may not see it. */
    | "not_found"
    /** The caller's role does not allow it. */
    | "forbidden"
    /** The caller has not accepted the request of the conversation. */
    | "accept_first"
    /** The other person has not accepted the caller's request. */
    | "request_pending"
    /** The request has been answered already. */
    | "not_pending"
    /** The group has as many members as it may have. */
    | "group_full"
    /** There is no such message, or the caller may not read it. */
    | "message_not_found"
    /** The message was deleted. */
    | "message_deleted"
    /** There is no such file, or it has not arrived yet. */
    | "attachment_not_found"
    /** Somebody else wrote it. */
    | "not_author"
    /** The message is too old to be edited. */
    | "edit_window_closed"
    /** The message has as many different reactions as it may have. */
    | "too_many_reactions"
    /** The caller has pinned as many conversations as they may. */
    | "too_many_pinned"
    /** The caller has starred as many messages as they may. */
    | "too_many_starred"
    /** It has more bytes than allowed. */
    | "too_large"
    /** The caller has sent too many messages today, or has too many bytes of files. */
    | "quota_reached"
    /** The reminder is completed. Open it again first. */
    | "reminder_completed"
    /** The caller has as many open reminders as they may. */
    | "too_many_reminders"
    /** There is no such decision. */
    | "decision_not_found"
    /** Another decision supersedes it already. */
    | "already_superseded"
    /** The caller has as many decisions as they may. */
    | "too_many_decisions"
    /** Only the people who host the event may do this. */
    | "not_host"
    /** Somebody changed the event since. Read it again. */
    | "event_changed"
    /** The event was called off. */
    | "event_cancelled"
    /** The person is in no conversation that is invited. */
    | "user_not_invited"
    /** Nobody asks the caller to host the event. */
    | "not_asked"
    /** The person declined to host the event, or to come. */
    | "host_declined"
    /** The caller has as many events as they may. */
    | "too_many_events"
    /** The event has as many conversations as it may have. */
    | "too_many_conversations"
    /** The event has as many co-hosts as it may have. */
    | "too_many_hosts"
    /** As many people answered the event as may. */
    | "too_many_attendees"
    /** Something else has this id. */
    | "id_in_use"
    /** The id's time is too long ago. */
    | "id_too_old"
    /** The id's time is too far ahead. */
    | "id_from_future"
    /** The server has another part of the file. Continue after that. */
    | "conflict"
    /** The URL has expired. Request a new one. */
    | "link_expired"
    /** The request is not valid; `field` says where. */
    | "invalid"
    /** This version of the server has no such request. */
    | "unknown_method"
    /** Too many requests. Repeat after the wait. */
    | "rate_limited"
    /** The server cannot answer now. It may have taken effect: repeat it. */
    | "unavailable"
    /** No answer came in time. It may have taken effect: repeat it. */
    | "deadline"
    /** The server failed. Repeat a few times. */
    | "internal"
    /** The first frame was not hello. */
    | "hello_expected"
    /** The server does not speak this version. */
    | "version_unsupported"
    /** A frame could not be read, or was not expected. */
    | "protocol_error"
    /** Nothing was received for too long. Connect again. */
    | "silent"
    /** Web pages of this host may not open sessions (setting `listen.origins`). */
    | "origin_not_allowed"
    /** The session did not sign in in time. Connect again when needed. */
    | "not_signed_in"
    /** No complete HTTP request arrived in time. Repeat after the wait. */
    | "timeout"
    /** The session fell behind. Connect again and sync. */
    | "resync"
    /** Newer sessions of the account or device took its place. Connect again after a while. */
    | "too_many_sessions"
    /** The server stops. Connect again after a random wait. */
    | "going_away"
    /** The text is no ID token that this server can read. */
    | "token_malformed"
    /** No token of this issuer signs anybody in here. */
    | "issuer_unknown"
    /** The token is signed in a way that this server does not accept from its issuer. */
    | "token_algorithm_refused"
    /** No key of the issuer made the token's signature. */
    | "token_signature_wrong"
    /** The token is for another app or server. */
    | "token_not_for_us"
    /** The token is too old. Get a new one from the issuer. */
    | "token_expired"
    /** The token is not valid yet, or from the future. Check the clocks. */
    | "token_not_yet_valid"
    /** The nonce of the token is not that of the request. */
    | "token_nonce_wrong"
    /** The token was used before. Get a new one from the issuer. */
    | "token_used"
    /** The identity signs somebody else in. */
    | "identity_in_use"
    /** The account has as many identities as it may have. */
    | "too_many_identities"
    /** Without it nobody could sign in to the account. */
    | "last_way_in"
    /** The request takes the password of the account, or a new token of one of its identities. */
    | "owner_unproven"
    /** Guests may not do this here. Choose a username and a password, or add an identity. */
    | "guest_may_not"
    /** The mailed code is wrong, was used, or is too old. Ask for another. */
    | "code_refused"
    /** This server sends no mail. */
    | "mail_off"
    /** Nobody approved the device yet. Ask again a little later. */
    | "link_pending"
    /** The issuer's page signed nobody in: the person went back, or it refused. Begin again. */
    | "sign_in_refused";

/** The codes after which the same request may be sent again, and when. */
const repetitions: { readonly [code in RefusalCode]?: Repetition } = {
    unauthenticated: "onceSignedIn",
    rate_limited: "afterWait",
    unavailable: "uncertain",
    deadline: "uncertain",
    internal: "aFewTimes",
    timeout: "afterWait",
};

/** Whether the same request may be sent again after this code. Of one that is not known: never. */
export function repetition(code: string): Repetition {
    const isKnown = Object.prototype.hasOwnProperty.call(repetitions, code);
    return (isKnown && repetitions[code as RefusalCode]) || "never";
}
