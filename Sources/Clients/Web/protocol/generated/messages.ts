// Generated from *.proto (sha256 b2447acba9c9801e47a93629ba5ec14e0a6ffe142dbec1594ea801c888d7c9a0) by proto/generate. Do not edit.

/** A change to something that is on or off. A value that this version does not know is kept as a number. */
export type Choice =
    /** Leave it as it is. */
    | "CHOICE_UNSPECIFIED"
    | "YES"
    | "NO"
    | number;

/**
 * Why a request was refused or failed. The request did not take effect, unless `code` is "deadline" or "unavailable",
 * in which case it may have. Sending it again with the same id is always safe.
 */
export interface Problem {
    /** max 64 bytes. Stable, snake_case: "not_member", "rate_limited" … (RefusalCode) */
    code: string;
    /** max 512 bytes. For people: what is wrong and what to do. */
    message: string;
    /** max 64 bytes. The field of the request that is at fault, if any. */
    field: string;
    /** Zero: there is no need to wait, or no point in retrying. */
    retry_after_ms: number;
}

/** The reply to requests that return nothing. */
export interface Done {
}

/** A value that this version does not know is kept as a number. */
export type ChallengeKind =
    | "CHALLENGE_KIND_UNSPECIFIED"
    | "NO_CHALLENGE"
    /**
     * The proof is `text`, a colon and a number N in decimal digits, such that the SHA-256 hash of "TEXT:USERNAME:N"
     * begins with `bits` zero bits.
     */
    | "WORK"
    /** The proof is a token that the operator's page gives, such as that of a CAPTCHA. */
    | "TOKEN"
    | number;

/**
 * What `nonce` of an issuer's tokens is, of the nonce that the app chose. A value that this version does not know is
 * kept as a number.
 */
export type IssuerNonce =
    | "ISSUER_NONCE_UNSPECIFIED"
    /** Its tokens have none: send none. */
    | "NO_NONCE"
    /** The nonce. */
    | "PLAIN_NONCE"
    /** The SHA-256 hash of the nonce, as 64 digits of base 16 in lower case. */
    | "SHA256_NONCE"
    | number;

/** A value that this version does not know is kept as a number. */
export type ReportReason =
    | "REPORT_REASON_UNSPECIFIED"
    | "SPAM"
    | "HARASSMENT"
    | "VIOLENCE"
    | "SEXUAL"
    | "IMPERSONATION"
    | "OTHER"
    | number;

/** A value that this version does not know is kept as a number. */
export type ConversationKind =
    | "CONVERSATION_KIND_UNSPECIFIED"
    | "DIRECT"
    | "GROUP"
    | number;

/** A value that this version does not know is kept as a number. */
export type ConversationStatus =
    | "CONVERSATION_STATUS_UNSPECIFIED"
    | "PENDING"
    | "ACCEPTED"
    | "BLOCKED"
    | number;

/** A value that this version does not know is kept as a number. */
export type MemberRole =
    | "MEMBER_ROLE_UNSPECIFIED"
    | "MEMBER"
    | "ADMIN"
    | "OWNER"
    | number;

/** The list in which one person sees a conversation. A value that this version does not know is kept as a number. */
export type ConversationSection =
    | "CONVERSATION_SECTION_UNSPECIFIED"
    | "INBOX"
    /** A message request to this person, or an invitation into a group: they can accept or decline it. */
    | "REQUESTS"
    | "BLOCKED_PEOPLE"
    /** A group that they left or were removed from. They may read it up to that point. */
    | "LEFT"
    /** Declined or withdrawn: drop what you hold of it. */
    | "GONE"
    | number;

export interface RegisterRequest {
    /** exactly 16 bytes. A UUIDv7 made by the client. */
    id: string;
    /**
     * max 128 bytes. [a-z0-9][a-z0-9.-]{1,31}, after what "Names" of proto/REFERENCE.md says. Empty, as the password:
     * a guest.
     */
    username: string;
    /** max 256 bytes. At least 8 characters. By RFC 8265: see "Names" there. */
    password: string;
    /**
     * max 512 bytes. Empty: the username, of a guest "Guest" and a number. A name of 128 letters as in "Names" there.
     */
    display_name: string;
    /** max 256 bytes. A name of 64 letters. "Alice's iPhone" */
    device_name: string;
    /** max 64 bytes. From the operator, where registering takes a code; case does not matter. */
    code: string;
    /**
     * max 4096 bytes. What GetChallenge wants, where registering takes it. In ASCII. Work of a guest is for `id` as
     * 32 digits of base 16 in lower case, in place of a username.
     */
    proof: string;
}

export interface GetChallengeRequest {
}

/** What shows that no program creates accounts by the thousands. */
export interface Challenge {
    kind: ChallengeKind;
    /** max 256 bytes. Of kind WORK. */
    text: string;
    /** Of kind WORK: how many zero bits the hash begins with. */
    bits: number;
    /** Of kind WORK. */
    expires_at_us: number;
    /** max 1024 bytes. Of kind TOKEN: the URL of the page that gives a token. */
    page: string;
}

export interface SignInRequest {
    /** max 128 bytes. As people type it. */
    username: string;
    /** max 256 bytes. */
    password: string;
    /** max 256 bytes. A name of 64 letters. */
    device_name: string;
    /**
     * max 256 bytes. The `known_device` of an earlier sign-in of this person on this device; empty: none. With it,
     * nobody who tries wrong passwords elsewhere keeps this device from signing in.
     */
    known_device: string;
}

export interface RefreshTokensRequest {
    /** max 128 bytes. */
    refresh_token: string;
}

export interface SignedIn {
    user?: User;
    /** max 64 bytes. */
    device: string;
    /** max 2048 bytes. For `hello` and `authenticate`. */
    access_token: string;
    access_ends_us: number;
    /** max 128 bytes. */
    refresh_token: string;
    refresh_ends_us: number;
    /** max 256 bytes. Keep it with the username, also after signing out: see SignInRequest. It gives no access. */
    known_device: string;
    /** From SignInWithToken and SignInWithCode: it made the account. */
    new_account: boolean;
}

export interface ListIssuersRequest {
}

export interface ListIssuersReply {
    /** max 32 items. */
    issuers: Issuer[];
    /** Whether Register lets guests in: see "Guests" in REFERENCE.md. */
    guests: boolean;
}

/** Who says who people are: Apple, Google, a company's own directory … */
export interface Issuer {
    /** max 32 bytes. The operator's word for it, as in Identity: "google". */
    name: string;
    /** max 512 bytes. `iss` of its tokens. */
    url: string;
    /** max 16 items of 256 bytes. `aud` of its tokens: the ids of this server's apps. */
    audiences: string[];
    /** Whether somebody new may come with its tokens. */
    makes_accounts: boolean;
    nonce: IssuerNonce;
    /** Whether it signs people in on pages, at /v1/identity/NAME/start. */
    pages: boolean;
}

export interface SignInWithTokenRequest {
    /** exactly 16 bytes. A UUIDv7 made by the client. */
    id: string;
    /** max 16384 bytes. An ID token of one of the issuers, as it came. */
    token: string;
    /** max 256 bytes. What the app chose; empty where it chose none. */
    nonce: string;
    /** max 256 bytes. A name of 64 letters. */
    device_name: string;
    /**
     * max 512 bytes. For a new account whose token has no name: what an issuer such as Apple gives to the app alone.
     * A name of 128 letters.
     */
    display_name: string;
    /** max 64 bytes. For a new account, as in RegisterRequest. */
    code: string;
    /**
     * max 4096 bytes. For a new account, as in RegisterRequest. Work is for the SHA-256 hash of the token, as 64
     * digits of base 16 in lower case, in place of a username.
     */
    proof: string;
}

export interface SignInWithCodeRequest {
    /** exactly 16 bytes. A UUIDv7 made by the client. */
    id: string;
    /** max 64 bytes. What the return address got. */
    code: string;
    /** max 128 bytes. Its SHA-256 hash was the challenge with which this device began. */
    verifier: string;
    /** max 256 bytes. A name of 64 letters. */
    device_name: string;
    /** max 512 bytes. For a new account of whom the issuer tells no name, as in SignInWithTokenRequest. */
    display_name: string;
    /** max 64 bytes. For a new account, as `code` in RegisterRequest. */
    registration_code: string;
    /** max 4096 bytes. For a new account, as in RegisterRequest. Work is for `code` in place of a username. */
    proof: string;
}

/**
 * What shows that an account's owner asks, and not whoever holds their unlocked device: a password, a token, or a
 * code of a page. Guests have none of them, and send it empty.
 */
export interface OwnerProof {
    /** max 256 bytes. Of an account that has one. */
    password: string;
    /** max 16384 bytes. A new ID token of an identity of the account. */
    token: string;
    /** max 256 bytes. Of the token, as in SignInWithTokenRequest. */
    nonce: string;
    /** max 64 bytes. In place of a token: what the return address of a page got. */
    code: string;
    /** max 128 bytes. Of the code, as in SignInWithCodeRequest. */
    verifier: string;
}

export interface ListIdentitiesRequest {
}

export interface ListIdentitiesReply {
    /** max 16 items. */
    identities: Identity[];
    /** A password does, too. */
    with_password: boolean;
}

/** Somebody as an issuer knows them, which signs a person in here. */
export interface Identity {
    /** max 64 bytes. */
    id: string;
    /** max 32 bytes. The operator's word for the issuer; empty: it signs nobody in any more. */
    issuer: string;
    /** max 512 bytes. Of the issuer. */
    url: string;
    /** max 254 bytes. The address or name that the last token had, by which people know it. */
    label: string;
    linked_at_us: number;
    last_used_us: number;
}

export interface LinkIdentityRequest {
    /** max 16384 bytes. An ID token of the identity. */
    token: string;
    /** max 256 bytes. Of the token. */
    nonce: string;
    /** Of the account as it is. */
    owner?: OwnerProof;
    /** max 64 bytes. In place of a token: what the return address of a page got. */
    code: string;
    /** max 128 bytes. Of the code, as in SignInWithCodeRequest. */
    verifier: string;
}

export interface UnlinkIdentityRequest {
    /** max 64 bytes. */
    identity: string;
    owner?: OwnerProof;
}

export interface ChangePasswordRequest {
    /** max 256 bytes. As in RegisterRequest. */
    new_password: string;
    owner?: OwnerProof;
    /** Signs out all other devices of the caller. */
    end_other_devices: boolean;
    /** max 128 bytes. For somebody who has none, as in RegisterRequest; empty: they have one. */
    username: string;
}

export interface BeginDeviceLinkRequest {
    /** max 256 bytes. A name of 64 letters. */
    device_name: string;
}

export interface DeviceLinkBegun {
    /** max 64 bytes. For the other device. It is of 128 bits. */
    code: string;
    /** max 64 bytes. For this device alone, which finishes with it. */
    secret: string;
    ends_at_us: number;
}

export interface GetDeviceLinkRequest {
    /** max 64 bytes. */
    code: string;
}

/** A device that asks to be signed in. */
export interface DeviceLink {
    /** max 256 bytes. */
    device_name: string;
    /** max 64 bytes. Of the network that it asks from; of IPv6 its /64. */
    address: string;
    begun_at_us: number;
}

export interface ApproveDeviceLinkRequest {
    /** max 64 bytes. */
    code: string;
}

export interface FinishDeviceLinkRequest {
    /** max 64 bytes. */
    code: string;
    /** max 64 bytes. */
    secret: string;
}

export interface RequestPasswordResetRequest {
    /** max 254 bytes. */
    email: string;
}

export interface ResetPasswordRequest {
    /** max 254 bytes. The address to which the code was mailed. */
    email: string;
    /** max 64 bytes. As people type it: case, spaces and hyphens do not matter. */
    code: string;
    /** max 256 bytes. As in RegisterRequest. */
    new_password: string;
}

export interface RequestEmailCodeRequest {
}

export interface ConfirmEmailRequest {
    /** max 64 bytes. As in ResetPasswordRequest. */
    code: string;
}

export interface SignOutRequest {
    everywhere: boolean;
}

export interface ListDevicesRequest {
}

export interface ListDevicesReply {
    /** max 10 items. */
    devices: Device[];
}

export interface Device {
    /** max 64 bytes. */
    id: string;
    /** max 256 bytes. */
    name: string;
    signed_in_us: number;
    last_used_us: number;
    current: boolean;
}

export interface RevokeDeviceRequest {
    /** max 64 bytes. */
    device: string;
}

/** The part of a profile that every signed-in person may see. */
export interface User {
    /** max 64 bytes. Letters and digits only. */
    id: string;
    /** max 32 bytes. Empty: none, as of a guest. */
    username: string;
    /** max 512 bytes. */
    display_name: string;
    /** max 1024 bytes. */
    photo_url: string;
    created_at_us: number;
    /** Erased: only the id is still known. */
    deleted: boolean;
}

/** What shows that the owner asks: see OwnerProof. */
export interface EraseAccountRequest {
    /** max 256 bytes. Of an account that has one. */
    password: string;
    /** max 16384 bytes. A new ID token of an identity of the account. */
    token: string;
    /** max 256 bytes. Of the token. */
    nonce: string;
}

export interface GetProfileRequest {
}

/**
 * The state of the caller's own profile. Update of stream "conversations/u/ME", one, after a gap from
 * conversations.Sync.
 */
export interface Profile {
    user?: User;
    /** max 254 bytes. Nobody else sees it. */
    email: string;
    /** Whether people who know the whole address can find this person by it, if the operator allows that. */
    findable_by_email: boolean;
    /** In stream "conversations/u/ME". */
    position: number;
    /** The person showed that the address is theirs. */
    email_confirmed: boolean;
    /** Has no username, password or identity, and may do less: see "Guests" in REFERENCE.md. */
    guest: boolean;
}

export interface UpdateProfileRequest {
    /** max 128 bytes. */
    username?: string;
    /** max 512 bytes. Not empty. A name of 128 letters. */
    display_name?: string;
    /** max 1024 bytes. An https URL; empty: no photo. */
    photo_url?: string;
    /** max 254 bytes. Empty: no address. */
    email?: string;
    findable_by_email?: boolean;
}

export interface GetUsersRequest {
    /** max 200 items of 64 bytes. User ids. */
    users: string[];
}

export interface GetUsersReply {
    /** max 200 items. */
    users: User[];
}

export interface SearchUsersRequest {
    /** max 512 bytes. Not empty. */
    query: string;
    /** max 1024 bytes. From the last reply; empty at first. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
    /** For a picker: leaves out the caller and the people they blocked. */
    to_write_to: boolean;
    /** Leaves out people who have a direct conversation with the caller. */
    leave_out_talking: boolean;
}

export interface SearchUsersReply {
    /** max 200 items. */
    users: User[];
    /** max 1024 bytes. Opaque. */
    cursor: string;
    more: boolean;
}

export interface BlockUserRequest {
    /** max 64 bytes. */
    user: string;
}

export interface BlockUserReply {
    /**
     * max 200 items of 129 bytes. Groups owned by the blocked person, of which the caller is a member, newest first.
     */
    groups: string[];
}

export interface UnblockUserRequest {
    /** max 64 bytes. */
    user: string;
}

export interface ListBlockedRequest {
    /** max 256 bytes. From the last reply; empty at first. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface ListBlockedReply {
    /** max 200 items. */
    blocks: Block[];
    /** max 256 bytes. Opaque. */
    cursor: string;
    more: boolean;
}

/**
 * Whether the caller blocks another person. Update of stream "conversations/u/ME", key user.id, after a gap from
 * conversations.Sync.
 */
export interface Block {
    /** As they were when this was published or requested. */
    user?: User;
    blocked: boolean;
    at_us: number;
    /** In stream "conversations/u/ME". */
    position: number;
}

export interface CreateReportRequest {
    /** exactly 16 bytes. A UUIDv7. */
    id: string;
    /** max 64 bytes. The person reported, or the message's sender. */
    user: string;
    /** max 129 bytes. With `seq`, the message, which may be deleted; empty: the person. */
    conversation: string;
    seq: number;
    reason: ReportReason;
    /** max 2048 bytes. */
    note: string;
}

/** A report that the caller made. */
export interface Report {
    /** exactly 16 bytes. */
    id: string;
    /** max 64 bytes. The person reported. */
    user: string;
    /** max 129 bytes. With `seq`, the message; empty: the person. */
    conversation: string;
    seq: number;
    reason: ReportReason;
    /** max 2048 bytes. */
    note: string;
    reported_at_us: number;
}

export interface ListReportsRequest {
    /** max 256 bytes. From the last reply; empty at first. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface ListReportsReply {
    /** max 200 items. */
    reports: Report[];
    /** max 256 bytes. Empty: this was the last page. */
    cursor: string;
}

/** Something that an import kept. */
export interface ImportedRecord {
    /** max 2048 bytes. Where it stood in what was imported. */
    path: string;
    /** max 16384 bytes. What stood there. */
    json: string;
}

export interface ListImportedRequest {
    /** max 2048 bytes. From the last reply; empty at first. */
    cursor: string;
    /** Zero: 20; at most 20. */
    limit: number;
}

export interface ListImportedReply {
    /** max 20 items. */
    records: ImportedRecord[];
    /** max 2048 bytes. Empty: this was the last page. */
    cursor: string;
}

export interface FindUserRequest {
    /** max 128 bytes. As people type it. */
    username: string;
}

export interface FindUserReply {
    user?: User;
}

export interface Member {
    user?: User;
    role: MemberRole;
    joined_at_us: number;
}

/**
 * The state of a conversation as one member sees it. Somebody invited sees the group's name, photo and number of
 * members as they were at the invitation, and none of its members. Update of stream "conversations/u/ME", key id,
 * after a gap from conversations.Sync.
 */
export interface Conversation {
    /** max 129 bytes. Direct: both user ids, sorted, joined by "_". Groups: no "_". */
    id: string;
    kind: ConversationKind;
    /** max 512 bytes. Groups only. */
    name: string;
    /** max 1000 items. All up to 64; in larger groups the first 16 of ListMembers. */
    members: Member[];
    /** BLOCKED: this member blocked the other person. */
    conversation_status: ConversationStatus;
    /** max 64 bytes. Who sent the message request or, in REQUESTS, the invitation. */
    requester_id: string;
    created_at_us: number;
    /** max 64 bytes. */
    created_by: string;
    /** In stream "conversations/u/ME". */
    position: number;
    /**
     * When this person left or was removed, or was invited without having been a member; `members` is then empty.
     * Zero: they are a member.
     */
    left_at_us: number;
    /** max 1024 bytes. Groups only. */
    photo_url: string;
    section: ConversationSection;
    /** Zero for a group that this person left, unless they are invited. */
    member_count: number;
    /**
     * The requester sees this only after acceptance. max 2 items of 64 bytes. Who has read the request or invitation.
     */
    request_read_by: string[];
    /** When the request or invitation was last made. Zero: none was needed. */
    requested_at_us: number;
    /**
     * The position at which it last became this person's again, after they left or after GONE. Zero: it was theirs
     * ever since it was first shown.
     */
    returned_position: number;
}

export interface StartDirectRequest {
    /** max 64 bytes. User id of the other person, or the caller's own for notes. */
    user: string;
}

export interface CreateGroupRequest {
    /** exactly 16 bytes. A UUIDv7; as 32 hexadecimal digits it is the conversation's id. */
    id: string;
    /** max 512 bytes. A name of 128 letters. */
    name: string;
    /** max 999 items of 64 bytes. User ids of the others. */
    users: string[];
    /** max 1024 bytes. An https URL; empty: no photo. */
    photo_url: string;
}

export interface AddMembersRequest {
    /** max 129 bytes. */
    conversation: string;
    /** max 999 items of 64 bytes. User ids. */
    users: string[];
}

export interface ListInvitationsRequest {
    /** max 129 bytes. */
    conversation: string;
    /** max 256 bytes. From the last reply; empty at first. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface ListInvitationsReply {
    /** max 200 items. */
    invitations: Invitation[];
    /** max 256 bytes. Opaque. */
    cursor: string;
    more: boolean;
}

/** An open invitation into a group, as its admins see it. */
export interface Invitation {
    /** Who is invited. */
    user?: User;
    /** max 64 bytes. User id of a member. */
    inviter: string;
    invited_at_us: number;
}

export interface WithdrawInvitationRequest {
    /** max 129 bytes. */
    conversation: string;
    /** max 64 bytes. The invited person. */
    user: string;
}

export interface RemoveMemberRequest {
    /** max 129 bytes. */
    conversation: string;
    /** max 64 bytes. Another member. */
    user: string;
}

export interface LeaveGroupRequest {
    /** max 129 bytes. */
    conversation: string;
}

export interface UpdateGroupRequest {
    /** max 129 bytes. */
    conversation: string;
    /** max 512 bytes. Not empty. A name of 128 letters. */
    name?: string;
    /** max 1024 bytes. An https URL; empty: no photo. */
    photo_url?: string;
}

export interface ListMembersRequest {
    /** max 129 bytes. */
    conversation: string;
    /** max 256 bytes. From the last reply; empty at first. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface ListMembersReply {
    /** max 200 items. */
    members: Member[];
    /** max 256 bytes. Opaque. */
    cursor: string;
    more: boolean;
}

export interface SetMemberRoleRequest {
    /** max 129 bytes. */
    conversation: string;
    /** max 64 bytes. Another member. */
    user: string;
    /** MEMBER or ADMIN. */
    role: MemberRole;
}

export interface TransferOwnershipRequest {
    /** max 129 bytes. */
    conversation: string;
    /** max 64 bytes. Another member. */
    user: string;
}

export interface FindConversationRequest {
    /** max 999 items of 64 bytes. User ids of the others; none: the caller's notes. */
    users: string[];
}

export interface FindConversationReply {
    /** Absent: no such conversation exists. */
    conversation?: Conversation;
}

export interface ListRequestsRequest {
    /** max 256 bytes. From the last reply; empty at first. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface ListRequestsReply {
    /** max 200 items. */
    requests: Conversation[];
    count?: RequestCount;
    /** max 256 bytes. Opaque. */
    cursor: string;
    more: boolean;
}

/**
 * How many requests the caller has. Update of stream "conversations/u/ME", one, after a gap from conversations.Sync.
 */
export interface RequestCount {
    unread: number;
    total: number;
    /** In stream "conversations/u/ME". */
    position: number;
}

export interface AcceptRequestRequest {
    /** max 129 bytes. */
    conversation: string;
}

export interface DeclineRequestRequest {
    /** max 129 bytes. */
    conversation: string;
}

export interface WithdrawRequestRequest {
    /** max 129 bytes. */
    conversation: string;
}

export interface MarkRequestsReadRequest {
    /** max 200 items of 129 bytes. */
    conversations: string[];
}

export interface GetConversationRequest {
    /** max 129 bytes. */
    conversation: string;
}

export interface GetConversationsRequest {
    /** max 50 items of 129 bytes. */
    conversations: string[];
}

export interface GetConversationsReply {
    /** max 50 items. */
    conversations: Conversation[];
    /** Whether the reply has no room for more: request those after the last one returned again. */
    more: boolean;
}

export interface ConversationReply {
    conversation?: Conversation;
    /** False: it already existed. */
    created: boolean;
    /**
     * max 999 items of 64 bytes. CreateGroup, AddMembers: those of the named users who are invited instead of
     * members.
     */
    invited: string[];
}

export interface ConversationsSyncRequest {
    /** max 64 bytes. From the last reply; empty at first. */
    epoch: string;
    since_position: number;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface ConversationsSyncReply {
    /** max 64 bytes. */
    epoch: string;
    /** Drop what you hold: it is of another epoch. This page starts at zero. */
    start_over: boolean;
    /** Request the next page from here. */
    position: number;
    /** max 200 items. */
    conversations: Conversation[];
    more: boolean;
    /** The current count. */
    requests?: RequestCount;
    /** Present if it changed after the requested position. */
    profile?: Profile;
    /** The blocks changed: call ListBlocked again. */
    blocks_changed: boolean;
}

/** A value that this version does not know is kept as a number. */
export type CompletedFilter =
    /** Both. */
    | "COMPLETED_FILTER_UNSPECIFIED"
    | "ONLY_OPEN"
    | "ONLY_COMPLETED"
    | number;

/** A value that this version does not know is kept as a number. */
export type AttendanceStatus =
    | "ATTENDANCE_STATUS_UNSPECIFIED"
    /** No answer yet, or taken back. */
    | "ATTENDANCE_STATUS_PENDING"
    | "ATTENDANCE_STATUS_ACCEPTED"
    | "ATTENDANCE_STATUS_DECLINED"
    /** May come. */
    | "ATTENDANCE_STATUS_TENTATIVE"
    | number;

/** A value that this version does not know is kept as a number. */
export type SuggestionKind =
    | "SUGGESTION_KIND_UNSPECIFIED"
    | "SUGGESTION_KIND_EVENT"
    | "SUGGESTION_KIND_REMINDER"
    | "SUGGESTION_KIND_DECISION"
    | number;

/** A value that this version does not know is kept as a number. */
export type SuggestionState =
    | "SUGGESTION_STATE_UNSPECIFIED"
    | "SUGGESTION_STATE_OPEN"
    | "SUGGESTION_STATE_ACCEPTED"
    | "SUGGESTION_STATE_DISMISSED"
    /** The message says it no more, the person may no longer read it or blocks its sender, or others took its place. */
    | "SUGGESTION_STATE_WITHDRAWN"
    | number;

/** The state of a reminder. Update of stream "entities/u/ME", key id, after a gap from entities.Sync. */
export interface Reminder {
    /** exactly 16 bytes. */
    id: string;
    /** max 512 bytes. */
    title: string;
    /** When it fires. Follows the rules of the zone: 10:00 stays 10:00 when they change. */
    due_at_us: number;
    /** max 64 bytes. IANA name of the zone the time was meant in: "Europe/Zurich". */
    time_zone: string;
    /** max 129 bytes. The conversation that it came from, if any. */
    conversation: string;
    /** exactly 16 bytes. The message that it came from, if any. */
    source_message: string;
    completed: boolean;
    created_at_us: number;
    /** max 128 bytes. For the client's own use. */
    notification_id: string;
    /** In stream "entities/u/ME". */
    position: number;
    /** When it fired, by the clock of the database; zero: not yet. */
    fired_at_us: number;
    /** Not zero: deleted. Only `id` and the times remain. */
    deleted_at_us: number;
    /** max 19 bytes. The time on the wall in the zone: "2026-12-01T10:00:00". */
    due_local: string;
}

export interface CreateReminderRequest {
    /** exactly 16 bytes. A UUIDv7 made by the client. */
    id: string;
    /** max 512 bytes. */
    title: string;
    /** Zero: `due_local` has the time. */
    due_at_us: number;
    /** max 64 bytes. Empty: "UTC". */
    time_zone: string;
    /** max 129 bytes. */
    conversation: string;
    /** exactly 16 bytes. */
    source_message: string;
    /** max 128 bytes. */
    notification_id: string;
    /**
     * max 19 bytes. The time on the wall, "2026-12-01T10:00". One that the clocks skip is later by the length of the
     * gap; of one that comes twice, the first counts.
     */
    due_local: string;
}

export interface ReminderReply {
    reminder?: Reminder;
    /** It was so already. */
    duplicate: boolean;
}

export interface GetReminderRequest {
    /** exactly 16 bytes. */
    id: string;
}

export interface UpdateReminderRequest {
    /** exactly 16 bytes. */
    id: string;
    /** max 512 bytes. Not empty. */
    title?: string;
    due_at_us?: number;
    /** max 19 bytes. As in CreateReminderRequest. */
    due_local?: string;
    /** max 64 bytes. Without another time, the time on the wall stays. */
    time_zone?: string;
    /** max 128 bytes. Empty: none. */
    notification_id?: string;
}

export interface SnoozeReminderRequest {
    /** exactly 16 bytes. */
    id: string;
    /** The next time. Later than now. */
    until_us: number;
}

export interface DeleteReminderRequest {
    /** exactly 16 bytes. */
    id: string;
}

export interface CompleteReminderRequest {
    /** exactly 16 bytes. */
    id: string;
    /** False: it is reopened. */
    completed: boolean;
}

export interface ListRemindersRequest {
    completed: CompletedFilter;
    /** max 256 bytes. From the last reply; empty at first. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
    /** max 129 bytes. Empty: all. */
    conversation: string;
}

export interface ListRemindersReply {
    /** max 200 items. */
    reminders: Reminder[];
    /** max 256 bytes. Empty: this was the last page. */
    cursor: string;
}

/**
 * The state of a decision. Only its author gets Updates; the others learn of a shared one, and of its end, from the
 * system message with it. Update of stream "entities/u/ME", key id, after a gap from entities.Sync.
 */
export interface Decision {
    /** exactly 16 bytes. */
    id: string;
    /** max 64 bytes. User id of its author. */
    user: string;
    /** max 16384 bytes. */
    text: string;
    /** max 129 bytes. Where it was decided, if in a conversation. */
    conversation: string;
    /** exactly 16 bytes. The message that it came from, if any. */
    source_message: string;
    created_at_us: number;
    /** Shared with the conversation. */
    shared: boolean;
    /** exactly 16 bytes. The earlier decision that it replaces, if any. */
    supersedes: string;
    /** exactly 16 bytes. The later decision that replaces it; empty: it holds. */
    superseded_by: string;
    /** Not zero: deleted. Only `id`, `user` and the times remain. */
    deleted_at_us: number;
    /** In stream "entities/u/ME" of its author; zero for others. */
    position: number;
}

export interface CreateDecisionRequest {
    /** exactly 16 bytes. A UUIDv7 made by the client. */
    id: string;
    /** max 16384 bytes. */
    text: string;
    /** max 129 bytes. */
    conversation: string;
    /** exactly 16 bytes. */
    source_message: string;
    /** Needs `conversation`. */
    shared: boolean;
    /**
     * exactly 16 bytes. An earlier decision of the caller's own, or one shared with the same conversation. If that is
     * shared, so must be this one.
     */
    supersedes: string;
}

export interface DecisionReply {
    decision?: Decision;
    /** It was so already. */
    duplicate: boolean;
}

export interface GetDecisionRequest {
    /** exactly 16 bytes. */
    id: string;
}

export interface DeleteDecisionRequest {
    /** exactly 16 bytes. */
    id: string;
}

export interface ListDecisionsRequest {
    /** max 129 bytes. Empty: all of the caller's own. */
    conversation: string;
    /** Those shared with `conversation`, by anyone, instead of the caller's own. */
    shared_only: boolean;
    /** max 256 bytes. Only decisions that contain it, ignoring case and accents. */
    text: string;
    /** max 256 bytes. From the last reply; empty at first. */
    cursor: string;
    /** Zero: 50; at most 100. */
    limit: number;
}

export interface ListDecisionsReply {
    /** max 100 items. */
    decisions: Decision[];
    /** max 256 bytes. Empty: this was the last page. */
    cursor: string;
}

/**
 * The state of an event, as the reader sees it: whoever created or hosts it, is asked to, or answered otherwise than
 * by declining. Other members learn of changes by the system message with it. Update of stream "entities/u/ME", key
 * id, after a gap from entities.Sync.
 */
export interface Event {
    /** exactly 16 bytes. */
    id: string;
    /** max 64 bytes. User id. */
    creator: string;
    /** max 512 bytes. */
    title: string;
    /** Its first date. */
    when?: EventTime;
    /** max 512 bytes. In free form. */
    location: string;
    /** max 2048 bytes. An https URL. */
    link: string;
    /** max 4096 bytes. */
    notes: string;
    /** max 256 bytes. As in CreateEventRequest; empty: it takes place once. */
    recurrence: string;
    /** max 100 items. In order of date. */
    changed_dates: ChangedDate[];
    /** When its first date begins; without a time of day, midnight UTC. */
    starts_at_us: number;
    /** Grows with each change by a host, but not with answers. */
    version: number;
    /** max 129 bytes. Where it came from, if the reader created it. */
    conversation: string;
    /** exactly 16 bytes. The message that it came from, if the reader created it. */
    source_message: string;
    created_at_us: number;
    /** Not zero: called off. */
    cancelled_at_us: number;
    /**
     * Not zero: deleted, declined, or no longer theirs to see. Only `id` and times remain. GetEvent and replies still
     * have what was declined.
     */
    deleted_at_us: number;
    /** How many people accepted. */
    accepted: number;
    tentative: number;
    declined: number;
    /** Who accepted, with those whom they bring. */
    coming: number;
    /** The reader's answer. */
    own?: Attendance;
    /** How long before each date the reader is reminded; -1: not at all. */
    remind_minutes: number;
    /** When the reader was last reminded; zero: not yet. */
    reminded_at_us: number;
    /** When the date begins of which the reader was last reminded. */
    reminded_of_us: number;
    /** max 20 items of 64 bytes. User ids of co-hosts. */
    hosts: string[];
    /** max 20 items of 129 bytes. Those invited, if the reader is a host. */
    conversations: string[];
    /** In stream "entities/u/ME"; zero for who has not answered, or declined. */
    position: number;
    /** max 20 items of 64 bytes. Who is asked to host, if the reader is a host. */
    asked_hosts: string[];
}

/**
 * How many people come to an event after answers of others, which change nothing else for the reader: at most about
 * one Update a second, whatever many answer. Update of stream "entities/u/ME", key id of Event, after a gap from
 * entities.Sync.
 */
export interface EventCounts {
    /** exactly 16 bytes. The event's. */
    id: string;
    /** That of the event from now on. */
    position: number;
    /** As in Event, and the next ones. */
    accepted: number;
    tentative: number;
    declined: number;
    coming: number;
}

/** When an event takes place. A date without a time of day is that day wherever the reader is. */
export interface EventTime {
    /** max 10 bytes. "2026-12-01" */
    date: string;
    /** max 5 bytes. "19:30"; empty: whole days. */
    time: string;
    /** max 64 bytes. IANA name; with `time` only, "UTC" if empty. */
    time_zone: string;
    /**
     * At most 527,040 (366 days). With `time`, zero says that it has no end. Without, it is a multiple of 1,440, and
     * zero is one day.
     */
    duration_minutes: number;
}

/** A date of a recurring event that is called off or takes place at another time. */
export interface ChangedDate {
    /** max 10 bytes. The date by the recurrence. */
    date: string;
    cancelled: boolean;
    /** max 10 bytes. Unless it is cancelled. */
    new_date: string;
    /** max 5 bytes. Only for an event with a time of day. */
    new_time: string;
}

export interface Attendance {
    /** max 64 bytes. */
    user: string;
    status: AttendanceStatus;
    /** How many come along. */
    guests: number;
    /** max 129 bytes. From where they answered, for themselves and for hosts. */
    conversation: string;
    /** Zero: not yet. */
    answered_at_us: number;
    /** The creator or a co-host. */
    host: boolean;
    /** Asked to host, and not answered; for themselves and for hosts. */
    asked_to_host: boolean;
}

export interface CreateEventRequest {
    /** exactly 16 bytes. A UUIDv7 made by the client. */
    id: string;
    /** max 512 bytes. */
    title: string;
    when?: EventTime;
    /** max 512 bytes. */
    location: string;
    /** max 2048 bytes. */
    link: string;
    /** max 4096 bytes. */
    notes: string;
    /**
     * max 256 bytes. A rule by RFC 5545, such as "FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20271231". It may have FREQ (DAILY,
     * WEEKLY, MONTHLY, YEARLY), INTERVAL, BYDAY, COUNT (at most 1,000), UNTIL and WKST. The first date is one of its
     * dates. UNTIL is a day or a time in UTC.
     */
    recurrence: string;
    /** max 20 items of 129 bytes. To invite at once. */
    conversations: string[];
    /** max 129 bytes. Where it came from. */
    conversation: string;
    /** exactly 16 bytes. The message that it came from. */
    source_message: string;
}

export interface EventReply {
    event?: Event;
    /** It was so already. */
    duplicate: boolean;
    /** Of the Update that ends the event for who declined, in stream "entities/u/ME"; otherwise zero. */
    position: number;
}

export interface GetEventRequest {
    /** exactly 16 bytes. */
    id: string;
}

export interface UpdateEventRequest {
    /** exactly 16 bytes. */
    id: string;
    /** The version that the caller knows. */
    version: number;
    /** max 512 bytes. Not empty. */
    title?: string;
    /** Dates that the rule no longer has are forgotten, also if they were changed. Absent: it stays. */
    when?: EventTime;
    /** max 512 bytes. */
    location?: string;
    /** max 2048 bytes. */
    link?: string;
    /** max 4096 bytes. */
    notes?: string;
    /** max 256 bytes. Empty: it takes place once. */
    recurrence?: string;
    /** max 100 items. Each replaces what was changed about its date before. */
    changed_dates: ChangedDate[];
    /** max 100 items of 10 bytes. Dates that take place as the rule says. */
    restored_dates: string[];
}

export interface CancelEventRequest {
    /** exactly 16 bytes. */
    id: string;
}

export interface DeleteEventRequest {
    /** exactly 16 bytes. */
    id: string;
}

export interface InviteConversationRequest {
    /** exactly 16 bytes. */
    id: string;
    /** max 129 bytes. */
    conversation: string;
}

export interface UninviteConversationRequest {
    /** exactly 16 bytes. */
    id: string;
    /** max 129 bytes. */
    conversation: string;
}

export interface SetEventHostRequest {
    /** exactly 16 bytes. */
    id: string;
    /** max 64 bytes. */
    user: string;
    host: boolean;
}

export interface AnswerEventRequest {
    /** exactly 16 bytes. */
    id: string;
    /** Unspecified: the answer stays. */
    status: AttendanceStatus;
    /** How many come along, at most 100. Only if they accept or may come. */
    guests: number;
    /** max 129 bytes. From where; empty: from one in which the caller sees it. */
    conversation: string;
    /** At most 40,320 (four weeks) before each date; -1: not at all. Absent: it stays. */
    remind_minutes?: number;
    /** Whether the caller, who was asked to, hosts the event. Absent: it stays. */
    host?: boolean;
}

export interface ListAttendeesRequest {
    /** exactly 16 bytes. */
    id: string;
    /** max 256 bytes. From the last reply; empty at first. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface ListAttendeesReply {
    /** max 200 items. In order of their answers. */
    attendees: Attendance[];
    /** max 256 bytes. Empty: this was the last page. */
    cursor: string;
}

export interface ListEventsRequest {
    /** max 10 bytes. The first day. */
    from_date: string;
    /** max 10 bytes. The last day, at most 366 days in all. */
    to_date: string;
    /** max 64 bytes. In which these days are meant. Empty: "UTC". */
    time_zone: string;
    /** max 129 bytes. Only events into which it is invited. Empty: all. */
    conversation: string;
    /** max 256 bytes. From the last reply; empty at first. */
    cursor: string;
    /** Zero: 200; at most 1,000. */
    limit: number;
}

export interface ListEventsReply {
    /** max 1000 items. */
    dates: EventDate[];
    /** max 256 bytes. Empty: this was the last page. */
    cursor: string;
}

/** One date of an event. Cancelled dates are left out. */
export interface EventDate {
    /** exactly 16 bytes. */
    event: string;
    /** max 10 bytes. The date by the recurrence, also if it was moved. */
    date: string;
    /** Without a time of day, midnight in the zone of the request. */
    starts_at_us: number;
    ends_at_us: number;
    /** max 16 bytes. "2026-12-01T19:30" in the event's zone, or "2026-12-01". */
    starts_local: string;
    /** max 64 bytes. Empty: whole days. */
    time_zone: string;
    /** max 512 bytes. */
    title: string;
    /** max 512 bytes. */
    location: string;
    /** The event was called off. */
    cancelled: boolean;
    /** The caller's answer. */
    own: AttendanceStatus;
}

export interface ExportEventRequest {
    /** exactly 16 bytes. */
    id: string;
}

export interface ExportEventReply {
    /** max 524288 bytes. RFC 5545, with METHOD:CANCEL (RFC 5546) if the event is called off. */
    calendar: string;
}

export interface CreateCalendarLinkRequest {
}

export interface CreateCalendarLinkReply {
    /** max 64 bytes. At every gateway. Returned only here: the server keeps a hash of it. */
    path: string;
}

export interface DeleteCalendarLinkRequest {
}

export interface DeleteCalendarLinkReply {
    /** There was none. */
    duplicate: boolean;
}

/**
 * The state of a suggestion: what a message seems to say, for one person alone until they accept it. Unless it is
 * open, only its id, kind, state, entity and times remain. Update of stream "entities/u/ME", key id, after a gap from
 * entities.Sync.
 */
export interface Suggestion {
    /** exactly 16 bytes. Made by the server. */
    id: string;
    kind: SuggestionKind;
    state: SuggestionState;
    /** max 512 bytes. Of a decision: what was decided. */
    title: string;
    /** Of an event, its only date. */
    when?: EventTime;
    /** max 512 bytes. */
    location: string;
    /** Of a reminder. */
    due_at_us: number;
    /** max 19 bytes. The same on the wall in the zone of the message's sender. */
    due_local: string;
    /** max 64 bytes. IANA name of that zone. */
    time_zone: string;
    /** max 129 bytes. Of the message. */
    conversation: string;
    /** exactly 16 bytes. The message. */
    source_message: string;
    /** Its seq. */
    source_seq: number;
    /**
     * exactly 16 bytes. What accepting it made. Of an open one, the event that another member made of the message:
     * accepting answers it.
     */
    entity: string;
    created_at_us: number;
    /** When it ends: with its date, a decision after a week, each with its message. No Update is sent then: hide it. */
    expires_at_us: number;
    /** In stream "entities/u/ME". */
    position: number;
}

export interface ListSuggestionsRequest {
    /** max 129 bytes. Empty: all. */
    conversation: string;
    /** max 256 bytes. From the last reply; empty at first. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface ListSuggestionsReply {
    /** max 200 items. */
    suggestions: Suggestion[];
    /** max 256 bytes. Empty: this was the last page. */
    cursor: string;
}

export interface AcceptSuggestionRequest {
    /** exactly 16 bytes. */
    id: string;
    /** max 512 bytes. Not empty. */
    title?: string;
    /** Of an event. Absent: it stays. */
    when?: EventTime;
    /** max 512 bytes. */
    location?: string;
    /** Of a reminder. */
    due_at_us?: number;
    /** max 19 bytes. As in CreateReminderRequest. */
    due_local?: string;
    /** max 64 bytes. Of a reminder. Without another time, the time on the wall stays. */
    time_zone?: string;
    /** Of a decision: shared with the conversation. */
    shared: boolean;
    /** To an event that another member made. Unspecified: accepted. */
    answer: AttendanceStatus;
}

export interface AcceptSuggestionReply {
    suggestion?: Suggestion;
    /** What it made or answered: one of the three. */
    event?: Event;
    reminder?: Reminder;
    decision?: Decision;
    /** It was so already. */
    duplicate: boolean;
    /** As in EventReply, for who declined. */
    position: number;
}

export interface DismissSuggestionRequest {
    /** exactly 16 bytes. */
    id: string;
}

export interface SuggestionReply {
    suggestion?: Suggestion;
    /** It was so already. */
    duplicate: boolean;
}

export interface GetSuggestionSettingsRequest {
}

export interface SuggestionSettings {
    /** All suggestions are off. */
    off: boolean;
    /** max 1000 items of 129 bytes. Those whose suggestions are off. */
    conversations: string[];
    /** It was so already. */
    duplicate: boolean;
}

export interface UpdateSuggestionSettingsRequest {
    /** max 129 bytes. Empty: all suggestions. */
    conversation: string;
    off: boolean;
}

export interface GetModelReadingRequest {
    /** max 129 bytes. Empty: what holds everywhere. */
    conversation: string;
}

/**
 * Whether a language model reads the messages of a conversation. It gets messages sent while it is on, each with up
 * to five before it that all who are suggested something may read, without ids and addresses of people.
 */
export interface ModelReading {
    /** The operator has configured a model. */
    available: boolean;
    /** It reads this conversation: available, and allowed by all who must. */
    on: boolean;
    /** The caller allows it. */
    allowed: boolean;
    /** The caller's own messages are kept from it here. */
    kept_out: boolean;
    kept_out_everywhere: boolean;
    /** It was so already. */
    duplicate: boolean;
}

export interface UpdateModelReadingRequest {
    /** max 129 bytes. Empty: everywhere, for `kept_out` only. */
    conversation: string;
    /** Whether the caller allows it. */
    allowed?: boolean;
    /** Whether the caller's own messages are kept from it. */
    kept_out?: boolean;
}

export interface EntitiesSyncRequest {
    /** max 64 bytes. */
    epoch: string;
    since_position: number;
    /** Zero: 50; at most 100. */
    limit: number;
}

export interface EntitiesSyncReply {
    /** max 64 bytes. */
    epoch: string;
    start_over: boolean;
    position: number;
    /** max 200 items. */
    reminders: Reminder[];
    more: boolean;
    /** max 100 items. */
    decisions: Decision[];
    /** max 100 items. */
    events: Event[];
    /** max 100 items. */
    suggestions: Suggestion[];
}

/**
 * How the gateway treats an Update when a session falls behind. A value that this version does not know is kept as a
 * number.
 */
export type UpdateClass =
    | "UPDATE_CLASS_UNSPECIFIED"
    /** Never dropped: the gateway closes the session with RESYNC instead. */
    | "DURABLE"
    /** Only the last Update of each collapse key is kept. */
    | "COLLAPSIBLE"
    /** May be dropped: presence. */
    | "EPHEMERAL"
    | number;

/**
 * WebSocket close codes beyond the standard ones. After 1001 (going away) and 1013 (try again later), reconnect after
 * a random wait. 1000 is the client's own close. A value that this version does not know is kept as a number.
 */
export type CloseCode =
    | "CLOSE_CODE_UNSPECIFIED"
    /** The first frame was not hello. Do not reconnect unchanged. */
    | "HELLO_EXPECTED"
    /** The token is invalid or has expired. Get another one, then reconnect. */
    | "UNAUTHENTICATED"
    /** This device was signed out. Sign in again. */
    | "REVOKED"
    /** The session fell behind. Reconnect immediately and sync. */
    | "RESYNC"
    /** An unreadable frame. Do not reconnect unchanged. */
    | "PROTOCOL_ERROR"
    /** Do not reconnect unchanged. */
    | "FRAME_TOO_LARGE"
    | "VERSION_UNSUPPORTED"
    | number;

/** A frame from a client. The first must be `hello`, within 5 s of connecting. */
export interface ClientFrame {
    hello?: Hello;
    authenticate?: Authenticate;
    request?: Request;
    ping?: Ping;
    set_time_zone?: SetTimeZone;
    set_activity?: Activity;
}

/** A frame to a client. */
export interface ServerFrame {
    welcome?: Welcome;
    authenticated?: Authenticated;
    reply?: Reply;
    update?: Update;
    pong?: Pong;
    goodbye?: Goodbye;
}

export interface Hello {
    /** 1 */
    version: number;
    /** Bits of Capability that the client understands. */
    capabilities: bigint;
    /** max 2048 bytes. An access token; empty: a session that may only register and sign in. */
    token: string;
    /** max 128 bytes. The app's name and version, for logs. */
    client: string;
    /** max 4 items. Answered after welcome, like requests sent then. A refused token ends the session without them. */
    requests: Request[];
    /**
     * max 64 bytes. IANA name of the person's time zone: "Europe/Zurich". What they write is understood in it. Empty:
     * not known; no suggestion then depends on a time of day.
     */
    time_zone: string;
    /** What the person does in this session as it begins; absent: it is in the foreground. */
    activity?: Activity;
}

/**
 * Names the time zone of a running session, as in hello, after the person has travelled. It holds for the requests
 * after it, and has no answer.
 */
export interface SetTimeZone {
    /** max 64 bytes. */
    time_zone: string;
}

/**
 * What the person does in a session. As `set_activity` it has no answer, replaces what was said before, and ends with
 * the session. In the foreground it says that the person uses the device now: send it when something of it changes,
 * and every 5 minutes while they use it.
 */
export interface Activity {
    background: boolean;
    /** max 129 bytes. The conversation on the screen; empty: none. */
    current_conversation: string;
}

/** Signs in a running session, or extends it with a newer token of the same person and device. */
export interface Authenticate {
    /** max 2048 bytes. */
    token: string;
}

export interface Request {
    /** Chosen by the client; unique among its requests under way. */
    id: number;
    /** max 64 bytes. "messaging.SendMessage" */
    method: string;
    /** max 160 bytes. The conversation or user concerned; selects the replica. May be empty. */
    key: string;
    /** Zero: 10,000. At most 60,000. */
    deadline_ms: number;
    /** max 122880 bytes. The method's request message. */
    body: Uint8Array;
}

export interface Ping {
    id: number;
}

export interface Welcome {
    version: number;
    capabilities: bigint;
    /** max 64 bytes. */
    session: string;
    /** max 64 bytes. Empty when not signed in. */
    user: string;
    /** max 64 bytes. */
    device: string;
    /** Make ids and times with this clock. */
    server_time_us: number;
    limits?: Limits;
    /** Authenticate again before this. Zero when not signed in. */
    session_ends_us: number;
    /**
     * max 32 items of 16 bytes. The cells, which are the parts of messaging. Each has a stream "messaging/u/ME/CELL".
     */
    cells: string[];
}

/** The limits of a session at this gateway. */
export interface Limits {
    frame_bytes: number;
    text_bytes: number;
    requests_in_flight: number;
    requests_per_second: number;
    requests_burst: number;
    page_size: number;
}

export interface Authenticated {
    /** max 64 bytes. */
    user: string;
    /** max 64 bytes. */
    device: string;
    session_ends_us: number;
}

export interface Reply {
    id: number;
    /** Present: the request was refused or failed, and `body` is empty. */
    error?: Problem;
    /** max 1048576 bytes. The method's reply message. */
    body: Uint8Array;
}

/** A committed change. Each Update can be applied alone; positions order the changes of one stream. */
export interface Update {
    /** max 192 bytes. "messaging/c/CONVERSATION", "conversations/u/USER" … */
    stream: string;
    /** Dense within the stream; zero for streams without positions. */
    position: number;
    /** max 64 bytes. The message type in `body`: "Message", "Conversation" … */
    kind: string;
    class: UpdateClass;
    /** max 122880 bytes. */
    body: Uint8Array;
}

export interface Pong {
    id: number;
    server_time_us: number;
}

/** The last frame before the gateway closes the connection. `error` gives the reason in words. */
export interface Goodbye {
    error?: Problem;
    close_code: CloseCode;
}

/** A value that this version does not know is kept as a number. */
export type MessageKind =
    | "MESSAGE_KIND_UNSPECIFIED"
    | "TEXT"
    | "IMAGE"
    | "VIDEO"
    | "FILE"
    | "VOICE"
    | "SYSTEM"
    | number;

/** A value that this version does not know is kept as a number. */
export type SystemNoteKind =
    | "SYSTEM_NOTE_KIND_UNSPECIFIED"
    /** `actor` added `users`. */
    | "MEMBERS_JOINED"
    /** `users` left; `actor` is the same. */
    | "MEMBER_LEFT"
    /** `actor` removed `users`. */
    | "MEMBER_REMOVED"
    /** `actor` named the group `name`. */
    | "GROUP_RENAMED"
    | "GROUP_PHOTO_CHANGED"
    /** `actor` made `users` the owner. */
    | "OWNER_CHANGED"
    /** `actor` made `users` admins. */
    | "ADMIN_ADDED"
    /** `actor` made `users` members again. */
    | "ADMIN_REMOVED"
    /** `actor` set messages to disappear after `seconds`; zero: never. */
    | "RETENTION_CHANGED"
    /** `actor` shared the decision `entity`. Deleted together with the decision. */
    | "DECISION_SHARED"
    /** `actor` invited the conversation to the event `entity`. Deleted when that is withdrawn. */
    | "EVENT_SHARED"
    | number;

/** A value that this version does not know is kept as a number. */
export type MentionsAndStarsKind =
    | "MENTIONS_AND_STARS_KIND_UNSPECIFIED"
    | "STARRED"
    | "MENTIONS"
    | "MENTIONS_AND_STARS"
    | number;

/**
 * The state of a message. Update of stream "messaging/c/CONVERSATION", key conversation seq, after a gap from
 * messaging.GetChanges.
 */
export interface Message {
    /** max 129 bytes. */
    conversation: string;
    /** 1, 2, 3 … within the conversation, without gaps. */
    seq: number;
    /** exactly 16 bytes. */
    id: string;
    /** max 64 bytes. User id; empty for system messages. */
    sender: string;
    kind: MessageKind;
    /** max 16384 bytes. */
    text: string;
    /** When the server accepted it. */
    sent_at_us: number;
    /** The position of its last change in stream "messaging/c/CONVERSATION". */
    position: number;
    /** With kind SYSTEM: what happened; `sender` and `text` are empty. */
    system?: SystemNote;
    edited_at_us: number;
    /** Not zero: deleted for everyone, or disappeared. Its content is gone. */
    deleted_at_us: number;
    /** When it disappears; zero: never. No Update is sent at that time. */
    expires_at_us: number;
    /** The message it answers; zero: none. */
    reply_to_seq: number;
    /** The first message of its thread; zero: in no thread, or itself the first. */
    thread_seq: number;
    /** The state of its thread, on every message of the thread. */
    thread?: Thread;
    /** max 1000 items of 64 bytes. User ids. */
    mentions: string[];
    media?: Media;
    /** max 64 bytes. User id of the original author; empty: not forwarded. */
    forwarded_from: string;
    /** max 32 items. In the order in which the emoji were first used. */
    reactions: ReactionCount[];
    /** Private to the caller: in replies, never in Updates. Absent: none. */
    own?: OwnMessageState;
}

/** The state of a thread. Of two states, the one with the larger position is valid. */
export interface Thread {
    /** The number of replies that nobody deleted. Those that disappeared still count. */
    replies: number;
    /** The seq of the newest reply ever sent. */
    last_seq: number;
    /** The position of this state in the conversation's stream. */
    position: number;
}

export interface ReactionCount {
    /** max 64 bytes. */
    emoji: string;
    count: number;
}

/** The caller's own state of a message. */
export interface OwnMessageState {
    starred: boolean;
    /** Deleted for the caller; the message has only its seq and id. */
    hidden: boolean;
    /** max 32 items of 64 bytes. The emoji the caller reacted with. */
    reactions: string[];
}

/** A file in a message. The service determines type and dimensions itself where it can. */
export interface Media {
    /** exactly 16 bytes. The id given to CreateAttachment. Without one, there is a `url`. */
    attachment: string;
    /** max 2048 bytes. An https URL of a file stored elsewhere. */
    url: string;
    /** max 255 bytes. File name, without a path. */
    name: string;
    /** max 127 bytes. */
    mime_type: string;
    size_bytes: number;
    /** Pixels. */
    width: number;
    height: number;
    duration_ms: number;
    /** max 4096 bytes. A small JPEG, PNG or WebP to show while the file loads. */
    thumbnail: Uint8Array;
}

/**
 * The state of a message's reactions, and the changes that led to it. `position` is that of the Update. Update of
 * stream "messaging/c/CONVERSATION", key conversation seq of Message, after a gap from messaging.GetChanges.
 */
export interface Reactions {
    /** max 129 bytes. */
    conversation: string;
    seq: number;
    position: number;
    /** max 32 items. All current reactions. */
    counts: ReactionCount[];
    /** max 256 items. In the order in which they were made. None: no longer known. */
    changes: ReactionChange[];
}

export interface ReactionChange {
    /** max 64 bytes. */
    user: string;
    /** max 64 bytes. */
    emoji: string;
    removed: boolean;
}

/**
 * How far another person has read. Of two for the same user, the larger value of each field is valid. Update of
 * stream "messaging/c/CONVERSATION" without positions, key conversation user, after a gap from
 * messaging.ListReceipts.
 */
export interface Receipt {
    /** max 129 bytes. */
    conversation: string;
    /** max 64 bytes. */
    user: string;
    read_seq: number;
    /** At least read_seq. */
    delivered_seq: number;
    /** When read_seq was reached. */
    read_at_us: number;
    delivered_at_us: number;
}

/**
 * How many members have read a message in a group of more than 64 members. Sent to its author at most once per
 * second. Update of stream "messaging/c/CONVERSATION" without positions, key conversation seq, after a gap from
 * messaging.ListReaders.
 */
export interface ReadCount {
    /** max 129 bytes. */
    conversation: string;
    seq: number;
    read: number;
    delivered: number;
}

/**
 * One person's private state of a conversation. Update of stream "messaging/u/ME/CELL", key conversation, after a gap
 * from messaging.Sync.
 */
export interface InboxState {
    /** max 129 bytes. */
    conversation: string;
    /** The position of its last change in stream "messaging/u/ME/CELL". */
    own_position: number;
    read_seq: number;
    /** See REFERENCE.md, "Unread". 1,000 means 1,000 or more. */
    unread: number;
    /** How many of them mention this person, without those by people they block. */
    mentions: number;
    /** The position of "messaging/c/CONVERSATION" up to which both are counted. */
    counted_position: number;
    /** The newest seq at that position. */
    counted_seq: number;
    /** When both were counted: without the messages that had disappeared by then. */
    counted_at_us: number;
    marked_unread: boolean;
    /** Zero: not pinned. */
    pinned_at_us: number;
    /** Zero: not muted; the largest int64: forever. */
    muted_until_us: bigint;
    /** Zero: not archived. */
    archived_at_us: number;
    /** A message above this seq ends the archiving, unless it was sent while muted. */
    archived_seq: number;
    /** Messages up to this seq are deleted for this person. */
    cleared_seq: number;
    /** The oldest seq that this person may read. */
    first_seq: number;
    /**
     * Of a group that they left: the own_position at which messages that they may read were last deleted, or given
     * other times to disappear. Zero: never since. See REFERENCE.md, [renewed].
     */
    renewed_position: number;
}

/**
 * One person's private state of a message. Update of stream "messaging/u/ME/CELL", key conversation seq of Message,
 * after a gap from messaging.Sync.
 */
export interface MessageState {
    /** max 129 bytes. */
    conversation: string;
    seq: number;
    own_position: number;
    starred: boolean;
    hidden: boolean;
}

/** The event that a system message reports. Clients put it into words. */
export interface SystemNote {
    kind: SystemNoteKind;
    /** max 64 bytes. User id of the person who acted. */
    actor: string;
    /** max 64 items of 64 bytes. User ids of the people concerned. */
    users: string[];
    /** max 512 bytes. */
    name: string;
    seconds: number;
    /** exactly 16 bytes. The id of what `actor` shared. */
    entity: string;
    /** exactly 16 bytes. The id of what it supersedes, if anything. */
    supersedes: string;
    /** How often what `actor` shared has changed. When this grows, get it again. */
    changes: number;
}

export interface SendMessageRequest {
    /** exactly 16 bytes. A UUIDv7 by server time. */
    id: string;
    /** max 129 bytes. */
    conversation: string;
    /** Not SYSTEM. Kinds other than TEXT need `media`; `text` is then its caption. */
    kind: MessageKind;
    /** max 16384 bytes. */
    text: string;
    /** The message it answers. */
    reply_to_seq: number;
    /** max 1000 items of 64 bytes. User ids. Leaves out yours and those of non-members. */
    mentions: string[];
    media?: Media;
    /** Instead of kind, text, mentions and media: copies them from that message. */
    forward?: Forward;
}

/** The message to forward, which the caller may read. */
export interface Forward {
    /** max 129 bytes. */
    conversation: string;
    seq: number;
}

export interface SendMessageReply {
    seq: number;
    /** With `duplicate`, that of the message's last change: it may have been edited or deleted. */
    position: number;
    sent_at_us: number;
    duplicate: boolean;
    /** The stored message, if it has more than the request gave. Absent with `duplicate`. */
    message?: Message;
}

export interface GetHistoryRequest {
    /** max 129 bytes. */
    conversation: string;
    /** The newest messages below this seq. Zero or absent: the newest of all. */
    before_seq?: number;
    /** The oldest messages above this seq. */
    after_seq?: number;
    /** Half the page on each side of this seq. */
    around_seq?: number;
    /** Zero: 50; at most 200. A page ends earlier at 96 KiB. */
    limit: number;
}

export interface GetHistoryReply {
    /** max 200 items. Ascending seq. */
    messages: Message[];
    more_before: boolean;
    more_after: boolean;
    /** The newest seq of the conversation that the caller may see. */
    last_seq: number;
}

export interface GetChangesRequest {
    /** max 129 bytes. */
    conversation: string;
    /** max 64 bytes. From the same reply as the position. */
    epoch: string;
    since_position: number;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface GetChangesReply {
    /** max 64 bytes. */
    epoch: string;
    /**
     * The position is of another epoch or too far back, or the caller left and messages were changed since: drop the
     * messages and call GetHistory.
     */
    start_over: boolean;
    /** Request the next page from here. */
    position: number;
    /** max 200 items. Ascending position. */
    messages: Message[];
    more: boolean;
    /** The newest seq that the caller may read. */
    last_seq: number;
}

export interface MessagingSyncRequest {
    /** max 64 bytes. From the last reply; empty at first. */
    epoch: string;
    /** max 256 bytes. From the last reply; empty at first. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
    /** The position up to which the caller holds "messaging/u/ME/CELL"; zero at first. */
    own_position: number;
    /** max 16 bytes. One of welcome's cells; empty: "0". */
    cell: string;
    /**
     * max 200 items. What the caller holds of conversations, those with the latest news first: the entries of these
     * have `missed`.
     */
    held: HeldPosition[];
}

/** The position up to which a client holds the messages of a conversation, in the epoch of the request. */
export interface HeldPosition {
    /** max 129 bytes. */
    conversation: string;
    position: number;
}

export interface MessagingSyncReply {
    /** max 64 bytes. */
    epoch: string;
    start_over: boolean;
    /** max 256 bytes. Opaque. */
    cursor: string;
    /** max 200 items. */
    entries: InboxEntry[];
    more: boolean;
    /** Request the next page from here. Once `more` is false, the caller holds "messaging/u/ME/CELL" up to here. */
    own_position: number;
    /** max 200 items. Those that changed after the requested `own_position`. */
    message_states: MessageState[];
}

export interface GetInboxRequest {
    /** Unspecified: INBOX, without archived conversations. */
    section: ConversationSection;
    /** Only archived conversations. */
    archived: boolean;
    /** max 256 bytes. From the last reply; empty at first. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface GetInboxReply {
    /** max 200 items. */
    entries: InboxEntry[];
    /** max 256 bytes. Opaque. */
    cursor: string;
    more: boolean;
}

/** A conversation in the caller's inbox. */
export interface InboxEntry {
    /** max 129 bytes. */
    conversation: string;
    last_seq: number;
    /** The newest position of stream "messaging/c/CONVERSATION". */
    position: number;
    /** The newest that the caller may read and has neither hidden nor cleared. Absent: none. */
    last_message?: Message;
    section: ConversationSection;
    state?: InboxState;
    /** How long after sending new messages disappear; zero: never. */
    retention_seconds: number;
    /** Whether it is archived now. */
    archived: boolean;
    /** max 512 bytes. GetInbox: the group's name, or the other person's display name. */
    name: string;
    /** max 1024 bytes. GetInbox: the group's photo, or the other person's. */
    photo_url: string;
    /** max 50 items. Sync: the messages changed after the requested `held` position, in order of position. */
    missed: Message[];
    /** Sync: whether `missed` has all of them, so that the caller holds the conversation up to `position`. */
    caught_up: boolean;
}

export interface GetBadgeRequest {
}

export interface GetBadgeReply {
    /**
     * Unread messages in the inbox, without archived and muted conversations. One that is only marked unread counts
     * 1.
     */
    badge: number;
    /** The number of conversations that these are in. */
    conversations: number;
    mentions: number;
}

export interface GetUsageRequest {
}

export interface GetUsageReply {
    /** Of the files that the caller uploaded; those of deleted messages no longer count. */
    file_bytes: number;
    /** A file that would exceed it is refused with quota_reached. */
    file_bytes_max: number;
    /** Sent today (UTC), up to a few seconds ago. */
    messages: number;
    /** Beyond it, messages are refused with quota_reached until the next day. */
    messages_max: number;
    day_ends_us: number;
}

export interface EditMessageRequest {
    /** max 129 bytes. */
    conversation: string;
    seq: number;
    /** max 16384 bytes. */
    text: string;
    /** max 1000 items of 64 bytes. As in SendMessage. Replaces all earlier ones. */
    mentions: string[];
}

export interface DeleteMessageRequest {
    /** max 129 bytes. */
    conversation: string;
    seq: number;
}

export interface MessageReply {
    /** Its state after the change. */
    message?: Message;
}

export interface ListRevisionsRequest {
    /** max 129 bytes. */
    conversation: string;
    seq: number;
}

export interface ListRevisionsReply {
    /** max 100 items. As many of the newest as fit into 96 KiB. */
    revisions: Revision[];
}

export interface Revision {
    /** max 16384 bytes. That of an edit of the mentions alone repeats. */
    text: string;
    /** When the next text replaced it. */
    until_us: number;
}

export interface UpdateReactionRequest {
    /** max 129 bytes. */
    conversation: string;
    seq: number;
    /** max 64 bytes. One emoji. */
    emoji: string;
    remove: boolean;
}

export interface UpdateReactionReply {
    /** The position of the message's last change. */
    position: number;
    /** max 32 items. */
    counts: ReactionCount[];
}

export interface ListReactionsRequest {
    /** max 129 bytes. */
    conversation: string;
    seq: number;
    /** max 64 bytes. Empty: all. */
    emoji: string;
    /** max 256 bytes. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface ListReactionsReply {
    /** max 200 items. */
    reactions: Reaction[];
    /** max 256 bytes. */
    cursor: string;
    more: boolean;
}

export interface Reaction {
    /** max 64 bytes. */
    user: string;
    /** max 64 bytes. */
    emoji: string;
    at_us: number;
}

export interface GetThreadRequest {
    /** max 129 bytes. */
    conversation: string;
    thread_seq: number;
    /** Only replies above this seq; zero: all, starting with the first message. */
    after_seq: number;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface UpdateMarksRequest {
    /** max 100 items. */
    marks: Watermark[];
}

export interface Watermark {
    /** max 129 bytes. */
    conversation: string;
    /** Zero, or lower than the stored mark: no change. */
    read_seq: number;
    delivered_seq: number;
}

export interface UpdateMarksReply {
    /** max 100 items. The current states, including unchanged ones. */
    states: InboxState[];
}

export interface ListReceiptsRequest {
    /** max 129 bytes. */
    conversation: string;
    /** max 256 bytes. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface ListReceiptsReply {
    /** max 200 items. Of members other than the caller, in no particular order. */
    receipts: Receipt[];
    /** max 256 bytes. */
    cursor: string;
    more: boolean;
}

export interface ListReadersRequest {
    /** max 129 bytes. */
    conversation: string;
    seq: number;
    /** max 256 bytes. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface ListReadersReply {
    /** max 200 items. Members then and now, except the sender. */
    readers: Reader[];
    /** max 256 bytes. */
    cursor: string;
    more: boolean;
    /** How many members have read it, on all pages. */
    read: number;
    /** How many members it was delivered to, on all pages. */
    delivered: number;
}

export interface Reader {
    /** max 64 bytes. */
    user: string;
    delivered: boolean;
    /** Zero: not read. */
    read_at_us: number;
}

export interface UpdateInboxStateRequest {
    /** max 129 bytes. */
    conversation: string;
    /** Unspecified: no change. */
    pinned: Choice;
    archived: Choice;
    marked_unread: Choice;
    muted: Choice;
    /** With muted YES; zero: forever. */
    muted_until_us: bigint;
}

export interface InboxStateReply {
    state?: InboxState;
}

export interface ClearConversationRequest {
    /** max 129 bytes. */
    conversation: string;
    /** Inclusive; zero: all current messages. */
    up_to_seq: number;
}

export interface UpdateMessageStateRequest {
    /** max 129 bytes. */
    conversation: string;
    /** max 100 items. */
    seqs: number[];
    starred: Choice;
    /** Cannot be undone. */
    hide: boolean;
}

export interface UpdateMessageStateReply {
    /** max 100 items. */
    states: MessageState[];
}

export interface ListMentionsAndStarsRequest {
    kind: MentionsAndStarsKind;
    /** max 256 bytes. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface ListMentionsAndStarsReply {
    /** max 200 items. */
    messages: Message[];
    /** max 256 bytes. */
    cursor: string;
    more: boolean;
}

export interface SearchMessagesRequest {
    /** max 256 bytes. */
    text: string;
    /** max 129 bytes. Empty: all of the caller's conversations. */
    conversation: string;
    /** max 64 bytes. User id; empty: anyone. */
    sender: string;
    /** Unspecified: any kind. */
    kind: MessageKind;
    /** Inclusive. Zero: no bound. */
    sent_after_us: number;
    /** Exclusive. Zero: no bound. */
    sent_before_us: number;
    /** max 256 bytes. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface SearchMessagesReply {
    /** max 200 items. */
    found: Found[];
    /** max 256 bytes. */
    cursor: string;
    more: boolean;
}

export interface Found {
    message?: Message;
    /** max 1024 bytes. The part of its text around the match. */
    snippet: string;
    /** max 64 items. Begin and end of each match, as byte offsets in `snippet`. */
    highlights: number[];
}

export interface SetRetentionRequest {
    /** max 129 bytes. */
    conversation: string;
    /** 60 … 31,536,000; zero: messages do not disappear. */
    seconds: number;
    /** Apply it to existing messages that the caller may delete, counted from their sending. */
    also_old: boolean;
}

export interface SetRetentionReply {
    seconds: number;
}

export interface CreateAttachmentRequest {
    /** exactly 16 bytes. A UUIDv7 by server time. */
    id: string;
    /** max 129 bytes. */
    conversation: string;
    /** max 255 bytes. File name, without a path. */
    name: string;
    /** max 127 bytes. */
    mime_type: string;
    size_bytes: number;
}

export interface CreateAttachmentReply {
    /** max 512 bytes. On the gateway's HTTP: see REFERENCE.md, "Files". */
    upload_path: string;
    /** When the path, not the file, expires. */
    expires_at_us: number;
    /** Continue the upload from here. */
    received_bytes: number;
    complete: boolean;
}

export interface GetAttachmentRequest {
    /** max 129 bytes. */
    conversation: string;
    /** The message with the file. */
    seq: number;
    /**
     * exactly 16 bytes. Instead of `seq`: `media.attachment` of a SentAttachment. If it is not the caller's, the
     * refusal is attachment_not_found.
     */
    attachment: string;
}

export interface GetAttachmentReply {
    /** max 512 bytes. */
    download_path: string;
    expires_at_us: number;
    media?: Media;
}

/** A file that the caller sent. */
export interface SentAttachment {
    /** max 129 bytes. */
    conversation: string;
    /** Its message. */
    seq: number;
    media?: Media;
    /** When its upload was requested, or when it was forwarded. */
    created_at_us: number;
}

export interface ListAttachmentsRequest {
    /** max 256 bytes. From the last reply; empty at first. */
    cursor: string;
    /** Zero: 50; at most 200. */
    limit: number;
}

export interface ListAttachmentsReply {
    /** max 200 items. */
    attachments: SentAttachment[];
    /** max 256 bytes. Empty: this was the last page. */
    cursor: string;
}

/** The service that brings pushes to a device. A value that this version does not know is kept as a number. */
export type PushTransport =
    | "PUSH_TRANSPORT_UNSPECIFIED"
    /** Apple's. */
    | "APNS"
    /** Apple's for apps under development. */
    | "APNS_SANDBOX"
    /** Google's, by a registration token. */
    | "FCM"
    /** Google's, by the id of an installation. */
    | "FCM_INSTALLATION"
    /** That of a browser. */
    | "WEB_PUSH"
    | number;

/** Of which messages a person is told. A value that this version does not know is kept as a number. */
export type PushLevel =
    | "PUSH_LEVEL_UNSPECIFIED"
    | "ALL_MESSAGES"
    /** Those that mention them or answer a message of theirs. */
    | "MENTIONS_ONLY"
    | "NO_MESSAGES"
    | number;

/**
 * What a push says of a message. An operator may allow less than a person chooses. A value that this version does not
 * know is kept as a number.
 */
export type PushContent =
    | "PUSH_CONTENT_UNSPECIFIED"
    /** Who wrote, where, and the beginning of the text. */
    | "FULL_TEXT"
    /** Who wrote, and where. */
    | "NAMES_ONLY"
    /** That there is something new. */
    | "NO_CONTENT"
    | number;

export interface RegisterPushRequest {
    transport: PushTransport;
    /** max 4096 bytes. Apple's in hexadecimal, FCM's, or the endpoint of a subscription. */
    token: string;
    /** max 255 bytes. For which app: the bundle id, FCM's project; empty for Web Push. */
    app: string;
    /** max 35 bytes. BCP 47 tag of the language of pushes; empty: English. */
    language: string;
    /**
     * The device's public key, to which pushes are encrypted (RFC 8291): a point of P-256, uncompressed. Web Push
     * needs it. Without it, the push service can read what a push says. max 65 bytes. Exactly 65, or empty.
     */
    content_key: Uint8Array;
    /** max 16 bytes. Beside the key: exactly 16. */
    auth_secret: Uint8Array;
}

/** A device that is registered for pushes. */
export interface PushDevice {
    /** max 64 bytes. As in conversations.ListDevices. */
    device: string;
    transport: PushTransport;
    /** max 255 bytes. */
    app: string;
    /** max 35 bytes. */
    language: string;
    /** It has a key to which pushes are encrypted. */
    encrypted: boolean;
    registered_at_us: number;
    /** max 32 bytes. The last characters of its token, to tell devices apart. */
    token_end: string;
    /** When a push was last sent to it; zero: never. */
    last_sent_us: number;
    /** max 64 bytes. What became of that: "accepted", or a word for the problem. */
    last_result: string;
}

export interface UnregisterPushRequest {
    /** max 64 bytes. Empty: the one that asks. */
    device: string;
}

export interface ListPushDevicesRequest {
}

export interface ListPushDevicesReply {
    /** max 100 items. The last registered first. */
    devices: PushDevice[];
    /** max 16 items. Those over which this server sends, since it has keys. */
    transports: PushTransport[];
    /**
     * max 65 bytes. What a page passes to PushManager.subscribe as applicationServerKey: a point of P-256,
     * uncompressed. Empty: this server sends no pushes to browsers.
     */
    web_push_key: Uint8Array;
}

export interface TestPushRequest {
    /** max 64 bytes. Empty: the one that asks. */
    device: string;
}

export interface GetPushSettingsRequest {
}

/**
 * Of what a person is told by pushes on their devices. Update of stream "notifications/u/ME" without positions, one,
 * after a gap from notifications.GetPushSettings.
 */
export interface PushSettings {
    /** For conversations that are not listed. */
    level: PushLevel;
    /** max 500 items. Those with a level of their own. */
    conversations: PushConversation[];
    content: PushContent;
    /** Tells of reactions to the person's messages. Off at first. */
    reactions: boolean;
    /** Tells of message requests and invitations into groups. */
    requests: boolean;
    /** Tells of reminders that fire. */
    reminders: boolean;
    /** Tells of events that are changed or called off, and reminds of events. */
    events: boolean;
    /** Tells of mentions in muted conversations, too. Off at first. */
    mentions_when_muted: boolean;
    quiet?: QuietTime;
    /** max 64 bytes. Name of a sound that the app has; empty: the device's own. */
    sound: string;
    /** Grows with each change. A state with a lower one than yours is older: ignore it. */
    version: number;
}

export interface PushConversation {
    /** max 129 bytes. */
    conversation: string;
    level: PushLevel;
}

/** When no push shows or sounds. */
export interface QuietTime {
    /** max 28 items. */
    hours: QuietHours[];
    /** max 64 bytes. IANA name: "Europe/Zurich". Empty: UTC. */
    time_zone: string;
}

export interface QuietHours {
    /** On which day it begins: 1 is Monday, 7 Sunday. */
    weekday: number;
    /** Minutes after midnight, at most 1439. */
    from_minute: number;
    /** At most 1440. Not above `from_minute`: on the next day. */
    until_minute: number;
}

export interface UpdatePushSettingsRequest {
    /** Unspecified: stays as it is. */
    level: PushLevel;
    /** The level of one conversation. Unspecified in it: the one of all others again. */
    conversation?: PushConversation;
    /** Unspecified: stays as it is. */
    content: PushContent;
    reactions: Choice;
    requests: Choice;
    reminders: Choice;
    events: Choice;
    mentions_when_muted: Choice;
    /** Replaces all hours. */
    quiet?: QuietTime;
    /** max 64 bytes. */
    sound?: string;
}

/** A value that this version does not know is kept as a number. */
export type PresenceStatus =
    | "PRESENCE_STATUS_UNSPECIFIED"
    | "OFFLINE"
    | "ONLINE"
    /** Connected, but says so, or has used no device for 10 minutes (unless configured otherwise). */
    | "AWAY"
    /** Connected, and says so. */
    | "DO_NOT_DISTURB"
    | number;

/**
 * What a person says of themselves on all devices. It holds while they are connected. A value that this version does
 * not know is kept as a number.
 */
export type Availability =
    | "AVAILABILITY_UNSPECIFIED"
    /** Online or away, as they use their devices. */
    | "AUTOMATIC"
    | "SAYS_AWAY"
    | "SAYS_DO_NOT_DISTURB"
    | number;

/**
 * From whom a person hides: to them the person is offline, and they are to the person. A value that this version does
 * not know is kept as a number.
 */
export type Hiding =
    | "HIDING_UNSPECIFIED"
    | "FROM_NOBODY"
    | "FROM_ALL"
    /** From all without an accepted direct conversation with the person. */
    | "FROM_ALL_BUT_ACCEPTED"
    | number;

/**
 * Whether a person is online. Of somebody offline it has only `last_seen_us`. Update of stream "presence/u/USER"
 * without positions, key user, after a gap from presence.GetPresence.
 */
export interface PresenceState {
    /** max 64 bytes. */
    user: string;
    status: PresenceStatus;
    /** Zero: unknown, or connected now. */
    last_seen_us: number;
    /** max 128 bytes. What they say; empty: nothing. */
    status_text: string;
    /** When `status_text` ends; then no Update comes. Zero: it does not end. */
    status_ends_us: number;
    /** max 129 bytes. The one that they look at, if the reader is a member of it, too. */
    current_conversation: string;
}

export interface GetPresenceRequest {
    /** max 200 items of 64 bytes. */
    users: string[];
}

export interface WatchPresenceRequest {
    /** max 200 items of 64 bytes. */
    users: string[];
}

export interface PresenceReply {
    /** max 200 items. In the order requested. */
    states: PresenceState[];
}

export interface SetTypingRequest {
    /** max 129 bytes. */
    conversation: string;
    typing: boolean;
}

/**
 * Whether another member is typing in a conversation. Update of stream "presence/c/CONVERSATION" without positions,
 * key conversation user, repeated every 5 s.
 */
export interface Typing {
    /** max 129 bytes. */
    conversation: string;
    /** max 64 bytes. */
    user: string;
    typing: boolean;
}

export interface GetOwnPresenceRequest {
}

export interface SetPresenceRequest {
    /** Unspecified: stays as it is. */
    availability: Availability;
    status?: StatusText;
    /** Unspecified: stays as it is. */
    hiding: Hiding;
}

/** A line that others see while the person is connected. */
export interface StatusText {
    /** max 128 bytes. By the rules for names; empty: none. */
    text: string;
    /** In the future; zero: it does not end. */
    ends_us: number;
}

/**
 * What the caller says of themselves on all devices. Update of stream "presence/u/ME" without positions, one, after a
 * gap from presence.GetOwnPresence.
 */
export interface OwnPresence {
    availability: Availability;
    /** max 128 bytes. */
    status_text: string;
    /** Zero: it does not end. */
    status_ends_us: number;
    hiding: Hiding;
    /** Grows with each change. A state with a lower one than yours is older: ignore it. */
    version: number;
}

/** All messages by their names. */
export interface Messages {
    Problem: Problem;
    Done: Done;
    RegisterRequest: RegisterRequest;
    GetChallengeRequest: GetChallengeRequest;
    Challenge: Challenge;
    SignInRequest: SignInRequest;
    RefreshTokensRequest: RefreshTokensRequest;
    SignedIn: SignedIn;
    ListIssuersRequest: ListIssuersRequest;
    ListIssuersReply: ListIssuersReply;
    Issuer: Issuer;
    SignInWithTokenRequest: SignInWithTokenRequest;
    SignInWithCodeRequest: SignInWithCodeRequest;
    OwnerProof: OwnerProof;
    ListIdentitiesRequest: ListIdentitiesRequest;
    ListIdentitiesReply: ListIdentitiesReply;
    Identity: Identity;
    LinkIdentityRequest: LinkIdentityRequest;
    UnlinkIdentityRequest: UnlinkIdentityRequest;
    ChangePasswordRequest: ChangePasswordRequest;
    BeginDeviceLinkRequest: BeginDeviceLinkRequest;
    DeviceLinkBegun: DeviceLinkBegun;
    GetDeviceLinkRequest: GetDeviceLinkRequest;
    DeviceLink: DeviceLink;
    ApproveDeviceLinkRequest: ApproveDeviceLinkRequest;
    FinishDeviceLinkRequest: FinishDeviceLinkRequest;
    RequestPasswordResetRequest: RequestPasswordResetRequest;
    ResetPasswordRequest: ResetPasswordRequest;
    RequestEmailCodeRequest: RequestEmailCodeRequest;
    ConfirmEmailRequest: ConfirmEmailRequest;
    SignOutRequest: SignOutRequest;
    ListDevicesRequest: ListDevicesRequest;
    ListDevicesReply: ListDevicesReply;
    Device: Device;
    RevokeDeviceRequest: RevokeDeviceRequest;
    User: User;
    EraseAccountRequest: EraseAccountRequest;
    GetProfileRequest: GetProfileRequest;
    Profile: Profile;
    UpdateProfileRequest: UpdateProfileRequest;
    GetUsersRequest: GetUsersRequest;
    GetUsersReply: GetUsersReply;
    SearchUsersRequest: SearchUsersRequest;
    SearchUsersReply: SearchUsersReply;
    BlockUserRequest: BlockUserRequest;
    BlockUserReply: BlockUserReply;
    UnblockUserRequest: UnblockUserRequest;
    ListBlockedRequest: ListBlockedRequest;
    ListBlockedReply: ListBlockedReply;
    Block: Block;
    CreateReportRequest: CreateReportRequest;
    Report: Report;
    ListReportsRequest: ListReportsRequest;
    ListReportsReply: ListReportsReply;
    ImportedRecord: ImportedRecord;
    ListImportedRequest: ListImportedRequest;
    ListImportedReply: ListImportedReply;
    FindUserRequest: FindUserRequest;
    FindUserReply: FindUserReply;
    Member: Member;
    Conversation: Conversation;
    StartDirectRequest: StartDirectRequest;
    CreateGroupRequest: CreateGroupRequest;
    AddMembersRequest: AddMembersRequest;
    ListInvitationsRequest: ListInvitationsRequest;
    ListInvitationsReply: ListInvitationsReply;
    Invitation: Invitation;
    WithdrawInvitationRequest: WithdrawInvitationRequest;
    RemoveMemberRequest: RemoveMemberRequest;
    LeaveGroupRequest: LeaveGroupRequest;
    UpdateGroupRequest: UpdateGroupRequest;
    ListMembersRequest: ListMembersRequest;
    ListMembersReply: ListMembersReply;
    SetMemberRoleRequest: SetMemberRoleRequest;
    TransferOwnershipRequest: TransferOwnershipRequest;
    FindConversationRequest: FindConversationRequest;
    FindConversationReply: FindConversationReply;
    ListRequestsRequest: ListRequestsRequest;
    ListRequestsReply: ListRequestsReply;
    RequestCount: RequestCount;
    AcceptRequestRequest: AcceptRequestRequest;
    DeclineRequestRequest: DeclineRequestRequest;
    WithdrawRequestRequest: WithdrawRequestRequest;
    MarkRequestsReadRequest: MarkRequestsReadRequest;
    GetConversationRequest: GetConversationRequest;
    GetConversationsRequest: GetConversationsRequest;
    GetConversationsReply: GetConversationsReply;
    ConversationReply: ConversationReply;
    ConversationsSyncRequest: ConversationsSyncRequest;
    ConversationsSyncReply: ConversationsSyncReply;
    Reminder: Reminder;
    CreateReminderRequest: CreateReminderRequest;
    ReminderReply: ReminderReply;
    GetReminderRequest: GetReminderRequest;
    UpdateReminderRequest: UpdateReminderRequest;
    SnoozeReminderRequest: SnoozeReminderRequest;
    DeleteReminderRequest: DeleteReminderRequest;
    CompleteReminderRequest: CompleteReminderRequest;
    ListRemindersRequest: ListRemindersRequest;
    ListRemindersReply: ListRemindersReply;
    Decision: Decision;
    CreateDecisionRequest: CreateDecisionRequest;
    DecisionReply: DecisionReply;
    GetDecisionRequest: GetDecisionRequest;
    DeleteDecisionRequest: DeleteDecisionRequest;
    ListDecisionsRequest: ListDecisionsRequest;
    ListDecisionsReply: ListDecisionsReply;
    Event: Event;
    EventCounts: EventCounts;
    EventTime: EventTime;
    ChangedDate: ChangedDate;
    Attendance: Attendance;
    CreateEventRequest: CreateEventRequest;
    EventReply: EventReply;
    GetEventRequest: GetEventRequest;
    UpdateEventRequest: UpdateEventRequest;
    CancelEventRequest: CancelEventRequest;
    DeleteEventRequest: DeleteEventRequest;
    InviteConversationRequest: InviteConversationRequest;
    UninviteConversationRequest: UninviteConversationRequest;
    SetEventHostRequest: SetEventHostRequest;
    AnswerEventRequest: AnswerEventRequest;
    ListAttendeesRequest: ListAttendeesRequest;
    ListAttendeesReply: ListAttendeesReply;
    ListEventsRequest: ListEventsRequest;
    ListEventsReply: ListEventsReply;
    EventDate: EventDate;
    ExportEventRequest: ExportEventRequest;
    ExportEventReply: ExportEventReply;
    CreateCalendarLinkRequest: CreateCalendarLinkRequest;
    CreateCalendarLinkReply: CreateCalendarLinkReply;
    DeleteCalendarLinkRequest: DeleteCalendarLinkRequest;
    DeleteCalendarLinkReply: DeleteCalendarLinkReply;
    Suggestion: Suggestion;
    ListSuggestionsRequest: ListSuggestionsRequest;
    ListSuggestionsReply: ListSuggestionsReply;
    AcceptSuggestionRequest: AcceptSuggestionRequest;
    AcceptSuggestionReply: AcceptSuggestionReply;
    DismissSuggestionRequest: DismissSuggestionRequest;
    SuggestionReply: SuggestionReply;
    GetSuggestionSettingsRequest: GetSuggestionSettingsRequest;
    SuggestionSettings: SuggestionSettings;
    UpdateSuggestionSettingsRequest: UpdateSuggestionSettingsRequest;
    GetModelReadingRequest: GetModelReadingRequest;
    ModelReading: ModelReading;
    UpdateModelReadingRequest: UpdateModelReadingRequest;
    EntitiesSyncRequest: EntitiesSyncRequest;
    EntitiesSyncReply: EntitiesSyncReply;
    ClientFrame: ClientFrame;
    ServerFrame: ServerFrame;
    Hello: Hello;
    SetTimeZone: SetTimeZone;
    Activity: Activity;
    Authenticate: Authenticate;
    Request: Request;
    Ping: Ping;
    Welcome: Welcome;
    Limits: Limits;
    Authenticated: Authenticated;
    Reply: Reply;
    Update: Update;
    Pong: Pong;
    Goodbye: Goodbye;
    Message: Message;
    Thread: Thread;
    ReactionCount: ReactionCount;
    OwnMessageState: OwnMessageState;
    Media: Media;
    Reactions: Reactions;
    ReactionChange: ReactionChange;
    Receipt: Receipt;
    ReadCount: ReadCount;
    InboxState: InboxState;
    MessageState: MessageState;
    SystemNote: SystemNote;
    SendMessageRequest: SendMessageRequest;
    Forward: Forward;
    SendMessageReply: SendMessageReply;
    GetHistoryRequest: GetHistoryRequest;
    GetHistoryReply: GetHistoryReply;
    GetChangesRequest: GetChangesRequest;
    GetChangesReply: GetChangesReply;
    MessagingSyncRequest: MessagingSyncRequest;
    HeldPosition: HeldPosition;
    MessagingSyncReply: MessagingSyncReply;
    GetInboxRequest: GetInboxRequest;
    GetInboxReply: GetInboxReply;
    InboxEntry: InboxEntry;
    GetBadgeRequest: GetBadgeRequest;
    GetBadgeReply: GetBadgeReply;
    GetUsageRequest: GetUsageRequest;
    GetUsageReply: GetUsageReply;
    EditMessageRequest: EditMessageRequest;
    DeleteMessageRequest: DeleteMessageRequest;
    MessageReply: MessageReply;
    ListRevisionsRequest: ListRevisionsRequest;
    ListRevisionsReply: ListRevisionsReply;
    Revision: Revision;
    UpdateReactionRequest: UpdateReactionRequest;
    UpdateReactionReply: UpdateReactionReply;
    ListReactionsRequest: ListReactionsRequest;
    ListReactionsReply: ListReactionsReply;
    Reaction: Reaction;
    GetThreadRequest: GetThreadRequest;
    UpdateMarksRequest: UpdateMarksRequest;
    Watermark: Watermark;
    UpdateMarksReply: UpdateMarksReply;
    ListReceiptsRequest: ListReceiptsRequest;
    ListReceiptsReply: ListReceiptsReply;
    ListReadersRequest: ListReadersRequest;
    ListReadersReply: ListReadersReply;
    Reader: Reader;
    UpdateInboxStateRequest: UpdateInboxStateRequest;
    InboxStateReply: InboxStateReply;
    ClearConversationRequest: ClearConversationRequest;
    UpdateMessageStateRequest: UpdateMessageStateRequest;
    UpdateMessageStateReply: UpdateMessageStateReply;
    ListMentionsAndStarsRequest: ListMentionsAndStarsRequest;
    ListMentionsAndStarsReply: ListMentionsAndStarsReply;
    SearchMessagesRequest: SearchMessagesRequest;
    SearchMessagesReply: SearchMessagesReply;
    Found: Found;
    SetRetentionRequest: SetRetentionRequest;
    SetRetentionReply: SetRetentionReply;
    CreateAttachmentRequest: CreateAttachmentRequest;
    CreateAttachmentReply: CreateAttachmentReply;
    GetAttachmentRequest: GetAttachmentRequest;
    GetAttachmentReply: GetAttachmentReply;
    SentAttachment: SentAttachment;
    ListAttachmentsRequest: ListAttachmentsRequest;
    ListAttachmentsReply: ListAttachmentsReply;
    RegisterPushRequest: RegisterPushRequest;
    PushDevice: PushDevice;
    UnregisterPushRequest: UnregisterPushRequest;
    ListPushDevicesRequest: ListPushDevicesRequest;
    ListPushDevicesReply: ListPushDevicesReply;
    TestPushRequest: TestPushRequest;
    GetPushSettingsRequest: GetPushSettingsRequest;
    PushSettings: PushSettings;
    PushConversation: PushConversation;
    QuietTime: QuietTime;
    QuietHours: QuietHours;
    UpdatePushSettingsRequest: UpdatePushSettingsRequest;
    PresenceState: PresenceState;
    GetPresenceRequest: GetPresenceRequest;
    WatchPresenceRequest: WatchPresenceRequest;
    PresenceReply: PresenceReply;
    SetTypingRequest: SetTypingRequest;
    Typing: Typing;
    GetOwnPresenceRequest: GetOwnPresenceRequest;
    SetPresenceRequest: SetPresenceRequest;
    StatusText: StatusText;
    OwnPresence: OwnPresence;
}
