// Generated from *.proto (sha256 d3169c1068e22ee360060af77e574add7b52b80ebafd790f98755711f2a23f89) by proto/generate. Do not edit.

/** Whether the same request may be sent again after a refusal. */
export type Repetition = "afterWait" | "aFewTimes" | "onceSignedIn" | "uncertain" | "never";

/** The codes of refusals, each with whether the same request may be sent again. Servers may add more. */
export const codes = {
    /** Username and password do not belong together. */
    wrong_credentials: "never",
    /** Somebody else has this username. */
    username_taken: "never",
    /** This server takes no new accounts. */
    registration_closed: "never",
    /** Registering takes a code, and this one is missing or not valid. */
    registration_code_refused: "never",
    /** Registering takes a proof, and this one is missing, wrong or too old. */
    proof_required: "never",
    /** The operator suspended the account. The message has the reason, the wait how long it lasts. */
    account_suspended: "never",
    /** Nobody is signed in, or the token has expired. Repeat once signed in. */
    unauthenticated: "onceSignedIn",
    /** This device was signed out. */
    revoked: "never",
    /** The tokens of this device are too old, or void. Sign in again. */
    refresh_refused: "never",
    /** There is no such person. */
    user_not_found: "never",
    /** One of the two people blocks the other. */
    user_blocked: "never",
    /** The caller is not a member of the conversation. */
    not_member: "never",
    /** It does not exist, or the caller may not see it. */
    not_found: "never",
    /** The caller's role does not allow it. */
    forbidden: "never",
    /** The caller has not accepted the request of the conversation. */
    accept_first: "never",
    /** The other person has not accepted the caller's request. */
    request_pending: "never",
    /** The request has been answered already. */
    not_pending: "never",
    /** The group has as many members as it may have. */
    group_full: "never",
    /** There is no such message, or the caller may not read it. */
    message_not_found: "never",
    /** The message was deleted. */
    message_deleted: "never",
    /** There is no such file, or it has not arrived yet. */
    attachment_not_found: "never",
    /** Somebody else wrote it. */
    not_author: "never",
    /** The message is too old to be edited. */
    edit_window_closed: "never",
    /** The message has as many different reactions as it may have. */
    too_many_reactions: "never",
    /** The caller has pinned as many conversations as they may. */
    too_many_pinned: "never",
    /** The caller has starred as many messages as they may. */
    too_many_starred: "never",
    /** It has more bytes than allowed. */
    too_large: "never",
    /** The caller has sent too many messages today, or has too many bytes of files. */
    quota_reached: "never",
    /** The reminder is completed. Open it again first. */
    reminder_completed: "never",
    /** The caller has as many open reminders as they may. */
    too_many_reminders: "never",
    /** There is no such decision. */
    decision_not_found: "never",
    /** Another decision supersedes it already. */
    already_superseded: "never",
    /** The caller has as many decisions as they may. */
    too_many_decisions: "never",
    /** Only the people who host the event may do this. */
    not_host: "never",
    /** Somebody changed the event since. Read it again. */
    event_changed: "never",
    /** The event was called off. */
    event_cancelled: "never",
    /** The person is in no conversation that is invited. */
    user_not_invited: "never",
    /** Nobody asks the caller to host the event. */
    not_asked: "never",
    /** The person declined to host the event, or to come. */
    host_declined: "never",
    /** The caller has as many events as they may. */
    too_many_events: "never",
    /** The event has as many conversations as it may have. */
    too_many_conversations: "never",
    /** The event has as many co-hosts as it may have. */
    too_many_hosts: "never",
    /** As many people answered the event as may. */
    too_many_attendees: "never",
    /** Something else has this id. */
    id_in_use: "never",
    /** The id's time is too long ago. */
    id_too_old: "never",
    /** The id's time is too far ahead. */
    id_from_future: "never",
    /** The server has another part of the file. Continue after that. */
    conflict: "never",
    /** The URL has expired. Request a new one. */
    link_expired: "never",
    /** The request is not valid; `field` says where. */
    invalid: "never",
    /** This version of the server has no such request. */
    unknown_method: "never",
    /** Too many requests. Repeat after the wait. */
    rate_limited: "afterWait",
    /** The server cannot answer now. It may have taken effect: repeat it. */
    unavailable: "uncertain",
    /** No answer came in time. It may have taken effect: repeat it. */
    deadline: "uncertain",
    /** The server failed. Repeat a few times. */
    internal: "aFewTimes",
    /** The first frame was not hello. */
    hello_expected: "never",
    /** The server does not speak this version. */
    version_unsupported: "never",
    /** A frame could not be read, or was not expected. */
    protocol_error: "never",
    /** Nothing was received for too long. Connect again. */
    silent: "never",
    /** Web pages of this host may not open sessions (setting `listen.origins`). */
    origin_not_allowed: "never",
    /** The session did not sign in in time. Connect again when needed. */
    not_signed_in: "never",
    /** No complete HTTP request arrived in time. Connect again. */
    timeout: "never",
    /** The session fell behind. Connect again and sync. */
    resync: "never",
    /** Newer sessions of the account or device took its place. Connect again after a while. */
    too_many_sessions: "never",
    /** The server stops. Connect again after a random wait. */
    going_away: "never",
    /** The text is no ID token that this server can read. */
    token_malformed: "never",
    /** No token of this issuer signs anybody in here. */
    issuer_unknown: "never",
    /** The token is signed in a way that this server does not accept from its issuer. */
    token_algorithm_refused: "never",
    /** No key of the issuer made the token's signature. */
    token_signature_wrong: "never",
    /** The token is for another app or server. */
    token_not_for_us: "never",
    /** The token is too old. Get a new one from the issuer. */
    token_expired: "never",
    /** The token is not valid yet, or from the future. Check the clocks. */
    token_not_yet_valid: "never",
    /** The nonce of the token is not that of the request. */
    token_nonce_wrong: "never",
    /** The token was used before. Get a new one from the issuer. */
    token_used: "never",
    /** The identity signs somebody else in. */
    identity_in_use: "never",
    /** The account has as many identities as it may have. */
    too_many_identities: "never",
    /** Without it nobody could sign in to the account. */
    last_way_in: "never",
    /** The request takes the password of the account, or a new token of one of its identities. */
    owner_unproven: "never",
} as const;

/** A code of a refusal that this version knows. */
export type RefusalCode = keyof typeof codes;

/** Whether the same request may be sent again after this code. Of one that is not known: never. */
export function repetition(code: string): Repetition {
    const isKnown = Object.prototype.hasOwnProperty.call(codes, code);
    return isKnown ? codes[code as RefusalCode] : "never";
}
