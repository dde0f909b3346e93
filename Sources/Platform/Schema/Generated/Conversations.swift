// Generated from conversations.proto (sha256 cf4af0738829630f148554650d9e27619b671a91875dd1f1f892a06857afe775) by proto/generate. Do not edit.

// swift-format-ignore-file

import CProtobuf
import CSchema

/// Accounts and devices
public enum ConversationsMethods {
    /// Anyone. Creates an account and signs in its first device. Repeating it with the same id and password signs in
    /// one more device. Without a username and a password it makes a guest, where the operator lets guests in: see
    /// "Guests" in REFERENCE.md. Repeated with the same id within a minute, it signs in the same device of the guest,
    /// as SignInWithToken does. Refusals: username_taken, invalid, rate_limited, registration_closed (no new
    /// accounts), registration_code_refused (this server wants a code, and has no such code, or not any more),
    /// proof_required (this server wants a proof, see GetChallenge; this one is missing, wrong or too old),
    /// account_suspended (after a repeated registration).
    public static let register = Method<RegisterRequest, SignedIn>(name: "conversations.Register", access: .anyone)
    /// Anyone. Returns what Register takes as `proof` here: nothing, work, or a token from a page. Refusals: none.
    public static let getChallenge = Method<GetChallengeRequest, Challenge>(name: "conversations.GetChallenge", access: .anyone)
    /// Anyone. Signs in one more device. Repeating it signs in another device. Refusals: wrong_credentials,
    /// account_suspended (by the operator, with the reason), rate_limited (after 5 wrong passwords of a person from
    /// one address in a minute, and when those of an hour from all addresses and the turns of this one are used up,
    /// as the reference says under "Signing in"; neither concerns a device that sends its `known_device`; also after
    /// 20 right ones of a person in a minute).
    public static let signIn = Method<SignInRequest, SignedIn>(name: "conversations.SignIn", access: .anyone)
    /// Anyone. Exchanges a refresh token for new tokens. May be repeated with the same token for one minute after its
    /// first use, as long as the caller has not used a token that it returned. Later, the old token signs the device
    /// out. Refusals: refresh_refused.
    public static let refreshTokens = Method<RefreshTokensRequest, SignedIn>(name: "conversations.RefreshTokens", access: .anyone)
    /// Anyone. Lists the issuers whose tokens sign people in here, in the operator's order, and says whether guests
    /// may come. Refusals: none.
    public static let listIssuers = Method<ListIssuersRequest, ListIssuersReply>(name: "conversations.ListIssuers", access: .anyone)
    /// Anyone. Signs in one more device of the person whom an ID token names. The first token of a person makes their
    /// account, as Register does. Each token signs in one device: see "Signing in with a token" in REFERENCE.md. May
    /// be repeated with the same id and token for one minute: it signs in the same device, whose tokens of either
    /// reply are good until those of one are used. A token that is refused stays unused. Refusals: invalid,
    /// token_malformed, issuer_unknown, token_algorithm_refused, token_signature_wrong, token_not_for_us,
    /// token_expired, token_not_yet_valid, token_nonce_wrong, token_used, account_suspended, rate_limited,
    /// unavailable (the keys of the issuer cannot be read now), registration_closed (for a new account, as all that
    /// follow), registration_code_refused, proof_required.
    public static let signInWithToken = Method<SignInWithTokenRequest, SignedIn>(name: "conversations.SignInWithToken", access: .anyone)
    /// Anyone. Signs in one more device of the person who signed in on a page of an issuer: see "Signing in on a
    /// page" in REFERENCE.md. The first time it makes their account, as Register does. A code is good for one minute,
    /// once. May be repeated with the same id for one minute, as SignInWithToken may be. A code that is refused for
    /// what a new account takes stays unused. Refusals: invalid, code_refused (wrong, used or too old, or another
    /// device began: begin anew), account_suspended, rate_limited, unavailable, registration_closed (for a new
    /// account, as all that follow), registration_code_refused, proof_required.
    public static let signInWithCode = Method<SignInWithCodeRequest, SignedIn>(name: "conversations.SignInWithCode", access: .anyone)
    /// Self. Lists the identities that sign the caller in, the oldest first, and whether a password does. Refusals:
    /// none.
    public static let listIdentities = Method<ListIdentitiesRequest, ListIdentitiesReply>(name: "conversations.ListIdentities", access: .own)
    /// Self. Adds an identity, which then signs the caller in. Takes what shows that the owner asks: see OwnerProof;
    /// a guest has nothing to show, and is none any more. Repeating it with another token of the same identity
    /// changes nothing. Refusals: wrong_credentials, owner_unproven, code_refused, rate_limited, identity_in_use (it
    /// signs somebody else in), too_many_identities, unavailable, token_malformed, issuer_unknown,
    /// token_algorithm_refused, token_signature_wrong, token_not_for_us, token_expired, token_not_yet_valid,
    /// token_nonce_wrong, token_used.
    public static let linkIdentity = Method<LinkIdentityRequest, ListIdentitiesReply>(name: "conversations.LinkIdentity", access: .own)
    /// Self. Removes an identity, which then signs nobody in. Devices stay signed in. Takes what shows that the owner
    /// asks. Repeated, it is refused with not_found. Refusals: not_found, last_way_in, wrong_credentials,
    /// owner_unproven, code_refused, rate_limited, unavailable, token_malformed, issuer_unknown,
    /// token_algorithm_refused, token_signature_wrong, token_not_for_us, token_expired, token_not_yet_valid,
    /// token_nonce_wrong, token_used.
    public static let unlinkIdentity = Method<UnlinkIdentityRequest, Done>(name: "conversations.UnlinkIdentity", access: .own)
    /// Self. Changes the caller's password, or gives them their first one. Somebody without a username chooses one
    /// with it: a guest is none any more. Takes what shows that the owner asks; a guest has nothing to show. Other
    /// devices stay signed in unless the caller ends them: then their sessions close with REVOKED. Repeated after a
    /// lost reply, it may be refused with wrong_credentials, owner_unproven or token_used, which mean that it is
    /// done. Refusals: invalid, username_taken, wrong_credentials, owner_unproven, code_refused, rate_limited,
    /// unavailable, token_malformed, issuer_unknown, token_algorithm_refused, token_signature_wrong,
    /// token_not_for_us, token_expired, token_not_yet_valid, token_nonce_wrong, token_used.
    public static let changePassword = Method<ChangePasswordRequest, Done>(name: "conversations.ChangePassword", access: .own)
    /// Anyone. Mails a code to an address that is confirmed in a profile, with which its owner sets a new password.
    /// The answer is the same whether it is somebody's or not. Repeated, it mails another code, after which the one
    /// before is refused. Refusals: invalid, mail_off (this server sends no mail), rate_limited.
    public static let requestPasswordReset = Method<RequestPasswordResetRequest, Done>(name: "conversations.RequestPasswordReset", access: .anyone)
    /// Anyone. Sets a new password with a mailed code, and signs out all devices of the account. A code is good for
    /// 15 minutes, once, and for 5 tries. Repeated after a lost reply, it may be refused with code_refused, which
    /// means that it is done if the new password signs in. Refusals: invalid, mail_off, rate_limited, code_refused.
    public static let resetPassword = Method<ResetPasswordRequest, Done>(name: "conversations.ResetPassword", access: .anyone)
    /// Self. Mails a code to the address in the caller's profile, with which they confirm that it is theirs. Nothing
    /// is sent to an address that is confirmed. Repeated, it mails another code, after which the one before is
    /// refused. Refusals: invalid (the profile has no address), guest_may_not, mail_off, rate_limited.
    public static let requestEmailCode = Method<RequestEmailCodeRequest, Done>(name: "conversations.RequestEmailCode", access: .own)
    /// Self. Confirms the address in the caller's profile with a mailed code, as in ResetPassword. Whoever had
    /// confirmed it before has not any more. Repeating it changes nothing. Refusals: code_refused, mail_off,
    /// rate_limited.
    public static let confirmEmail = Method<ConfirmEmailRequest, Profile>(name: "conversations.ConfirmEmail", access: .own)
    /// Anyone. Begins to sign this device in by another one of the same person: show `code` there, as a QR code, and
    /// ask FinishDeviceLink every 2 s. See "Another device" in REFERENCE.md. Repeatable: each begins anew. Refusals:
    /// invalid, rate_limited.
    public static let beginDeviceLink = Method<BeginDeviceLinkRequest, DeviceLinkBegun>(name: "conversations.BeginDeviceLink", access: .anyone)
    /// Self. Returns what asks to be signed in by this code, for the caller to look at before they approve it.
    /// Refusals: code_refused.
    public static let getDeviceLink = Method<GetDeviceLinkRequest, DeviceLink>(name: "conversations.GetDeviceLink", access: .own)
    /// Self. Lets the device of this code sign in as the caller. Repeating it changes nothing. Refusals: code_refused
    /// (also if somebody else approved it).
    public static let approveDeviceLink = Method<ApproveDeviceLinkRequest, Done>(name: "conversations.ApproveDeviceLink", access: .own)
    /// Anyone. Signs the device in whose link was approved. Repeated within a minute, it signs in the same device, as
    /// SignInWithToken does. Refusals: link_pending (nobody approved it yet: ask again in `retry_after_ms`),
    /// code_refused, account_suspended, rate_limited, unavailable.
    public static let finishDeviceLink = Method<FinishDeviceLinkRequest, SignedIn>(name: "conversations.FinishDeviceLink", access: .anyone)
    /// Self. Signs out this device, or all of the caller's devices. Their sessions close with REVOKED, this one
    /// possibly before the reply is sent, and after signing out everywhere transfers of the caller's files end. The
    /// secret link of entities.CreateCalendarLink stays: whoever signs out everywhere is asked whether it is to end,
    /// and the client calls entities.DeleteCalendarLink first. Repeated, it is refused with unauthenticated, which
    /// means that it is done. Refusals: none.
    public static let signOut = Method<SignOutRequest, Done>(name: "conversations.SignOut", access: .own)
    /// Self. Lists the caller's devices, most recently used first. Refusals: none.
    public static let listDevices = Method<ListDevicesRequest, ListDevicesReply>(name: "conversations.ListDevices", access: .own)
    /// Self. Signs out one of the caller's devices. Repeated, it is refused with not_found. Refusals: not_found.
    public static let revokeDevice = Method<RevokeDeviceRequest, Done>(name: "conversations.RevokeDevice", access: .own)
    /// Self. Erases the caller's account. Immediately nobody can sign in to it or find it, its profile is gone, and
    /// its sessions close. A moment later it has left all groups, and its messages are from a deleted user. This
    /// cannot be undone. Takes what shows that the owner asks: see OwnerProof. Repeated, it is refused with
    /// unauthenticated, which means that it is done. Changes who sees what. Refusals: wrong_credentials,
    /// owner_unproven, code_refused, rate_limited, unavailable, token_malformed, issuer_unknown,
    /// token_algorithm_refused, token_signature_wrong, token_not_for_us, token_expired, token_not_yet_valid,
    /// token_nonce_wrong, token_used.
    public static let eraseAccount = Method<EraseAccountRequest, Done>(name: "conversations.EraseAccount", access: .own)
    /// Self. Returns the caller's profile, including its private fields. Refusals: none.
    public static let getProfile = Method<GetProfileRequest, Profile>(name: "conversations.GetProfile", access: .own)
    /// Self. Changes the named fields of the caller's profile and no others. Everyone who shares a conversation with
    /// the caller gets an Update. Whoever had a confirmed address and changes it is told so there. Repeatable.
    /// Refusals: username_taken, invalid, guest_may_not (choosing a username).
    public static let updateProfile = Method<UpdateProfileRequest, Profile>(name: "conversations.UpdateProfile", access: .own)
    /// Signed in. Returns the person with exactly this username. Refusals: user_not_found, guest_may_not.
    public static let findUser = Method<FindUserRequest, FindUserReply>(name: "conversations.FindUser", access: .signedIn)
    /// Signed in. Returns people by their ids. Unknown ids are left out; deleted people are marked as such. Refusals:
    /// none.
    public static let getUsers = Method<GetUsersRequest, GetUsersReply>(name: "conversations.GetUsers", access: .signedIn)
    /// Signed in. Finds people whose display name or username contains the text, ignoring case, accents and
    /// apostrophes; hyphens are spaces. An email address finds the person with exactly this address who lets others
    /// find them by it, if the operator allows that: by default nobody, or only whoever confirmed the address. People
    /// with a name that begins with the text come first, then those with a later word that does. Expensive. Paged. A
    /// page may have fewer people than requested, or none, although more follow. Refusals: invalid, rate_limited,
    /// guest_may_not.
    public static let searchUsers = Method<SearchUsersRequest, SearchUsersReply>(name: "conversations.SearchUsers", access: .signedIn, isExpensive: true)
    /// Signed in. Blocks a person. After the reply neither of the two can write in their direct conversation or start
    /// one, their requests and invitations to each other end, and neither sees the other's events. The blocked person
    /// is not notified. Groups stay as they are, but no mention by the blocked person counts for the caller there,
    /// and no message of theirs suggests anything: the reply names those of the caller that the blocked person owns,
    /// so that a client can offer to leave them. Repeating it changes nothing. Changes who sees what. Refusals:
    /// user_not_found, invalid (myself).
    public static let blockUser = Method<BlockUserRequest, BlockUserReply>(name: "conversations.BlockUser", access: .signedIn)
    /// Self. Ends a block by the caller. Repeating it changes nothing. Changes who sees what. Refusals: none.
    public static let unblockUser = Method<UnblockUserRequest, Done>(name: "conversations.UnblockUser", access: .own)
    /// Self. Lists the people the caller blocked, latest first. Paged. Refusals: none.
    public static let listBlocked = Method<ListBlockedRequest, ListBlockedReply>(name: "conversations.ListBlocked", access: .own)
    /// Signed in. Adds a report of a person, or of a message of theirs that the caller may read or that was deleted
    /// since, to the operator's queue. The same id again is the same report. Refusals: user_not_found, not_found,
    /// message_not_found, invalid, rate_limited.
    public static let createReport = Method<CreateReportRequest, Done>(name: "conversations.CreateReport", access: .signedIn)
    /// Self. Lists the caller's reports in the order of their ids. Paged. Refusals: none.
    public static let listReports = Method<ListReportsRequest, ListReportsReply>(name: "conversations.ListReports", access: .own)
    /// Self. Lists what an import from another system kept of the caller, since Parley has no place for it, by where
    /// it stood there. Paged. Refusals: none.
    public static let listImported = Method<ListImportedRequest, ListImportedReply>(name: "conversations.ListImported", access: .own)
    /// Signed in. Returns the direct conversation of two people, the same one whoever starts it. With someone who has
    /// not accepted the caller it is a message request: pending, and shown to them once it holds a message. If the
    /// recipient of a request starts the conversation, that accepts the request. Repeatable. Changes who sees what.
    /// Refusals: user_not_found, user_blocked, rate_limited (too many requests, or one withdrawn and asked again),
    /// guest_may_not.
    public static let startDirect = Method<StartDirectRequest, ConversationReply>(name: "conversations.StartDirect", access: .signedIn)
    /// Member. Or former member. Returns a conversation; a former member gets it as it was when they left. Refusals:
    /// not_found.
    public static let getConversation = Method<GetConversationRequest, ConversationReply>(name: "conversations.GetConversation", access: .member)
    /// Self. Returns several conversations as GetConversation does, in the order asked for. Leaves out those that are
    /// not the caller's. Refusals: none.
    public static let getConversations = Method<GetConversationsRequest, GetConversationsReply>(name: "conversations.GetConversations", access: .own)
    /// Self. Returns the conversation of exactly these people and the caller: the direct one, or the newest such
    /// group. Refusals: none.
    public static let findConversation = Method<FindConversationRequest, FindConversationReply>(name: "conversations.FindConversation", access: .own)
    /// Self. Returns the changes of stream "conversations/u/ME" after a position: the caller's conversations that
    /// changed, in order of position. Refusals: none.
    public static let sync = Method<ConversationsSyncRequest, ConversationsSyncReply>(name: "conversations.Sync", access: .own)
    /// Self. Lists the requests to the caller and their invitations into groups, latest first, and counts them.
    /// Paged. Refusals: none.
    public static let listRequests = Method<ListRequestsRequest, ListRequestsReply>(name: "conversations.ListRequests", access: .own)
    /// Recipient. Accepts a request, after which both people may write, or an invitation, which makes the caller a
    /// member of the group. Repeating it changes nothing. Changes who sees what. Refusals: not_found, forbidden,
    /// user_blocked.
    public static let acceptRequest = Method<AcceptRequestRequest, ConversationReply>(name: "conversations.AcceptRequest", access: .recipient)
    /// Recipient. Removes a request or an invitation from the caller's requests. Whoever sent it is not notified.
    /// Repeating it changes nothing. Changes who sees what. Refusals: not_found, forbidden, not_pending.
    public static let declineRequest = Method<DeclineRequestRequest, Done>(name: "conversations.DeclineRequest", access: .recipient)
    /// Requester. Withdraws a request, which is then gone for both people. Repeating it changes nothing. Changes who
    /// sees what. Refusals: not_found, forbidden, not_pending.
    public static let withdrawRequest = Method<WithdrawRequestRequest, Done>(name: "conversations.WithdrawRequest", access: .requester)
    /// Self. Marks these requests and invitations as read. Other conversations are ignored. Repeatable. Refusals:
    /// none.
    public static let markRequestsRead = Method<MarkRequestsReadRequest, RequestCount>(name: "conversations.MarkRequestsRead", access: .own)
    /// Signed in. Creates a group owned by the caller. People who know the caller become members, the others are
    /// invited: see "Invitations" in REFERENCE.md. The same id again returns the first result. Refusals:
    /// user_not_found, user_blocked (by the caller), id_in_use, group_full, invalid, rate_limited, guest_may_not.
    public static let createGroup = Method<CreateGroupRequest, ConversationReply>(name: "conversations.CreateGroup", access: .signedIn)
    /// Owner or admin. Changes the named fields of the group and no others. Repeatable. Refusals: not_found,
    /// forbidden, invalid.
    public static let updateGroup = Method<UpdateGroupRequest, ConversationReply>(name: "conversations.UpdateGroup", access: .ownerOrAdmin)
    /// Member. Lists all members: the owner first, then admins, then the others by when they joined. Paged. Refusals:
    /// not_found.
    public static let listMembers = Method<ListMembersRequest, ListMembersReply>(name: "conversations.ListMembers", access: .member)
    /// Owner or admin. Adds people who know the caller to the group and invites the others: see "Invitations" in
    /// REFERENCE.md. Members are left as they are, and so are invitations by the caller of the last 30 days; those by
    /// others end. Repeating it changes nothing. Changes who sees what. Refusals: not_found, forbidden,
    /// user_not_found, user_blocked (by the caller), group_full, rate_limited, guest_may_not.
    public static let addMembers = Method<AddMembersRequest, ConversationReply>(name: "conversations.AddMembers", access: .ownerOrAdmin)
    /// Owner or admin. Lists who is invited and has not joined, by when they were invited. It does not tell who
    /// declined, or blocked whoever invited them. Paged. Refusals: not_found, forbidden.
    public static let listInvitations = Method<ListInvitationsRequest, ListInvitationsReply>(name: "conversations.ListInvitations", access: .ownerOrAdmin)
    /// Owner or admin. Or the inviter, as a member. Withdraws an invitation. The group is then gone for the invited
    /// person. Repeating it changes nothing. Changes who sees what. Refusals: not_found, forbidden, not_pending,
    /// invalid.
    public static let withdrawInvitation = Method<WithdrawInvitationRequest, Done>(name: "conversations.WithdrawInvitation", access: .ownerOrAdmin)
    /// Owner or admin. Removes a member; only the owner can remove an admin. Messages that the person sends after the
    /// reply are refused. Repeating it changes nothing. Changes who sees what. Refusals: not_found, forbidden,
    /// invalid.
    public static let removeMember = Method<RemoveMemberRequest, Done>(name: "conversations.RemoveMember", access: .ownerOrAdmin)
    /// Owner. Makes a member an admin, or an admin a member. Repeating it changes nothing. Refusals: not_found,
    /// forbidden, invalid.
    public static let setMemberRole = Method<SetMemberRoleRequest, Done>(name: "conversations.SetMemberRole", access: .owner)
    /// Owner. Makes another member the owner and the caller an admin. Repeating it changes nothing. Refusals:
    /// not_found, forbidden, invalid.
    public static let transferOwnership = Method<TransferOwnershipRequest, Done>(name: "conversations.TransferOwnership", access: .owner)
    /// Member. Leaves the group. If the owner leaves, the longest-serving admin becomes the owner; without admins,
    /// the longest-serving member. The caller's invitations into the group end. It is never rate-limited. Repeating
    /// it changes nothing. Changes who sees what. Refusals: not_found, invalid.
    public static let leaveGroup = Method<LeaveGroupRequest, Done>(name: "conversations.LeaveGroup", access: .member)

    public static let all: [String] = [
        "conversations.Register",
        "conversations.GetChallenge",
        "conversations.SignIn",
        "conversations.RefreshTokens",
        "conversations.ListIssuers",
        "conversations.SignInWithToken",
        "conversations.SignInWithCode",
        "conversations.ListIdentities",
        "conversations.LinkIdentity",
        "conversations.UnlinkIdentity",
        "conversations.ChangePassword",
        "conversations.RequestPasswordReset",
        "conversations.ResetPassword",
        "conversations.RequestEmailCode",
        "conversations.ConfirmEmail",
        "conversations.BeginDeviceLink",
        "conversations.GetDeviceLink",
        "conversations.ApproveDeviceLink",
        "conversations.FinishDeviceLink",
        "conversations.SignOut",
        "conversations.ListDevices",
        "conversations.RevokeDevice",
        "conversations.EraseAccount",
        "conversations.GetProfile",
        "conversations.UpdateProfile",
        "conversations.FindUser",
        "conversations.GetUsers",
        "conversations.SearchUsers",
        "conversations.BlockUser",
        "conversations.UnblockUser",
        "conversations.ListBlocked",
        "conversations.CreateReport",
        "conversations.ListReports",
        "conversations.ListImported",
        "conversations.StartDirect",
        "conversations.GetConversation",
        "conversations.GetConversations",
        "conversations.FindConversation",
        "conversations.Sync",
        "conversations.ListRequests",
        "conversations.AcceptRequest",
        "conversations.DeclineRequest",
        "conversations.WithdrawRequest",
        "conversations.MarkRequestsRead",
        "conversations.CreateGroup",
        "conversations.UpdateGroup",
        "conversations.ListMembers",
        "conversations.AddMembers",
        "conversations.ListInvitations",
        "conversations.WithdrawInvitation",
        "conversations.RemoveMember",
        "conversations.SetMemberRole",
        "conversations.TransferOwnership",
        "conversations.LeaveGroup",
    ]
}

public enum ChallengeKind: Sendable, Hashable {
    case unspecified
    case noChallenge
    /// The proof is `text`, a colon and a number N in decimal digits, such that the SHA-256 hash of "TEXT:USERNAME:N"
    /// begins with `bits` zero bits.
    case work
    /// The proof is a token that the operator's page gives, such as that of a CAPTCHA.
    case token
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .noChallenge
        case 2: self = .work
        case 3: self = .token
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .noChallenge: 1
        case .work: 2
        case .token: 3
        case .unrecognized(let rawValue): rawValue
        }
    }
}

/// What `nonce` of an issuer's tokens is, of the nonce that the app chose.
public enum IssuerNonce: Sendable, Hashable {
    case unspecified
    /// Its tokens have none: send none.
    case noNonce
    /// The nonce.
    case plainNonce
    /// The SHA-256 hash of the nonce, as 64 digits of base 16 in lower case.
    case sha256Nonce
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .noNonce
        case 2: self = .plainNonce
        case 3: self = .sha256Nonce
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .noNonce: 1
        case .plainNonce: 2
        case .sha256Nonce: 3
        case .unrecognized(let rawValue): rawValue
        }
    }
}

public enum ReportReason: Sendable, Hashable {
    case unspecified
    case spam
    case harassment
    case violence
    case sexual
    case impersonation
    case other
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .spam
        case 2: self = .harassment
        case 3: self = .violence
        case 4: self = .sexual
        case 5: self = .impersonation
        case 6: self = .other
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .spam: 1
        case .harassment: 2
        case .violence: 3
        case .sexual: 4
        case .impersonation: 5
        case .other: 6
        case .unrecognized(let rawValue): rawValue
        }
    }
}

public enum ConversationKind: Sendable, Hashable {
    case unspecified
    case direct
    case group
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .direct
        case 2: self = .group
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .direct: 1
        case .group: 2
        case .unrecognized(let rawValue): rawValue
        }
    }
}

public enum ConversationStatus: Sendable, Hashable {
    case unspecified
    case pending
    case accepted
    case blocked
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .pending
        case 2: self = .accepted
        case 3: self = .blocked
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .pending: 1
        case .accepted: 2
        case .blocked: 3
        case .unrecognized(let rawValue): rawValue
        }
    }
}

public enum MemberRole: Sendable, Hashable {
    case unspecified
    case member
    case admin
    case owner
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .member
        case 2: self = .admin
        case 3: self = .owner
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .member: 1
        case .admin: 2
        case .owner: 3
        case .unrecognized(let rawValue): rawValue
        }
    }
}

/// The list in which one person sees a conversation.
public enum ConversationSection: Sendable, Hashable {
    case unspecified
    case inbox
    /// A message request to this person, or an invitation into a group: they can accept or decline it.
    case requests
    case blockedPeople
    /// A group that they left or were removed from. They may read it up to that point.
    case left
    /// Declined or withdrawn: drop what you hold of it.
    case gone
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .inbox
        case 2: self = .requests
        case 3: self = .blockedPeople
        case 4: self = .left
        case 5: self = .gone
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .inbox: 1
        case .requests: 2
        case .blockedPeople: 3
        case .left: 4
        case .gone: 5
        case .unrecognized(let rawValue): rawValue
        }
    }
}

public struct RegisterRequest: WireMessage {
    /// exactly 16 bytes. A UUIDv7 made by the client.
    public var id: [UInt8] = []
    /// max 128 bytes. [a-z0-9][a-z0-9.-]{1,31}, after what "Names" of proto/REFERENCE.md says. Empty, as the
    /// password: a guest.
    public var username: String = ""
    /// max 256 bytes. At least 8 characters. By RFC 8265: see "Names" there.
    public var password: String = ""
    /// max 512 bytes. Empty: the username, of a guest "Guest" and a number. A name of 128 letters as in "Names"
    /// there.
    public var displayName: String = ""
    /// max 256 bytes. A name of 64 letters. "Alice's iPhone"
    public var deviceName: String = ""
    /// max 64 bytes. From the operator, where registering takes a code; case does not matter.
    public var code: String = ""
    /// max 4096 bytes. What GetChallenge wants, where registering takes it. In ASCII. Work of a guest is for `id` as
    /// 32 digits of base 16 in lower case, in place of a username.
    public var proof: String = ""

    public init() {}

    public init(
        id: [UInt8] = [],
        username: String = "",
        password: String = "",
        displayName: String = "",
        deviceName: String = "",
        code: String = "",
        proof: String = ""
    ) {
        self.id = id
        self.username = username
        self.password = password
        self.displayName = displayName
        self.deviceName = deviceName
        self.code = code
        self.proof = proof
    }

    public static var messageName: String { "RegisterRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension RegisterRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__RegisterRequest>? {
        parley__v1__register_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__RegisterRequest>) { parley__v1__register_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__RegisterRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.username = try readString(c.pointee.username, max: 128, "username")
        self.password = try readString(c.pointee.password, max: 256, "password")
        self.displayName = try readString(c.pointee.display_name, max: 512, "display_name")
        self.deviceName = try readString(c.pointee.device_name, max: 256, "device_name")
        self.code = try readString(c.pointee.code, max: 64, "code")
        self.proof = try readString(c.pointee.proof, max: 4096, "proof")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__RegisterRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.username.isEmpty { c.pointee.username = arena.string(self.username) }
        if !self.password.isEmpty { c.pointee.password = arena.string(self.password) }
        if !self.displayName.isEmpty { c.pointee.display_name = arena.string(self.displayName) }
        if !self.deviceName.isEmpty { c.pointee.device_name = arena.string(self.deviceName) }
        if !self.code.isEmpty { c.pointee.code = arena.string(self.code) }
        if !self.proof.isEmpty { c.pointee.proof = arena.string(self.proof) }
    }
}

public struct GetChallengeRequest: WireMessage {
    public init() {}

    public static var messageName: String { "GetChallengeRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetChallengeRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetChallengeRequest>? {
        parley__v1__get_challenge_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetChallengeRequest>) { parley__v1__get_challenge_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetChallengeRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetChallengeRequest>, _ arena: inout Arena) {
    }
}

/// What shows that no program creates accounts by the thousands.
public struct Challenge: WireMessage {
    public var kind: ChallengeKind = .unspecified
    /// max 256 bytes. Of kind WORK.
    public var text: String = ""
    /// Of kind WORK: how many zero bits the hash begins with.
    public var bits: UInt32 = 0
    /// Of kind WORK.
    public var expiresAtUs: Int64 = 0
    /// max 1024 bytes. Of kind TOKEN: the URL of the page that gives a token.
    public var page: String = ""

    public init() {}

    public init(
        kind: ChallengeKind = .unspecified,
        text: String = "",
        bits: UInt32 = 0,
        expiresAtUs: Int64 = 0,
        page: String = ""
    ) {
        self.kind = kind
        self.text = text
        self.bits = bits
        self.expiresAtUs = expiresAtUs
        self.page = page
    }

    public static var messageName: String { "Challenge" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Challenge: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Challenge>? {
        parley__v1__challenge__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Challenge>) { parley__v1__challenge__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Challenge>) throws(DecodeFailure) {
        self.kind = ChallengeKind(rawValue: Int32(bitPattern: c.pointee.kind.rawValue))
        self.text = try readString(c.pointee.text, max: 256, "text")
        self.bits = c.pointee.bits
        self.expiresAtUs = c.pointee.expires_at_us
        self.page = try readString(c.pointee.page, max: 1024, "page")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Challenge>, _ arena: inout Arena) {
        c.pointee.kind = Parley__V1__ChallengeKind(rawValue: UInt32(bitPattern: self.kind.rawValue))
        if !self.text.isEmpty { c.pointee.text = arena.string(self.text) }
        c.pointee.bits = self.bits
        c.pointee.expires_at_us = self.expiresAtUs
        if !self.page.isEmpty { c.pointee.page = arena.string(self.page) }
    }
}

public struct SignInRequest: WireMessage {
    /// max 128 bytes. As people type it.
    public var username: String = ""
    /// max 256 bytes.
    public var password: String = ""
    /// max 256 bytes. A name of 64 letters.
    public var deviceName: String = ""
    /// max 256 bytes. The `known_device` of an earlier sign-in of this person on this device; empty: none. With it,
    /// nobody who tries wrong passwords elsewhere keeps this device from signing in.
    public var knownDevice: String = ""

    public init() {}

    public init(username: String = "", password: String = "", deviceName: String = "", knownDevice: String = "") {
        self.username = username
        self.password = password
        self.deviceName = deviceName
        self.knownDevice = knownDevice
    }

    public static var messageName: String { "SignInRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SignInRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SignInRequest>? {
        parley__v1__sign_in_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SignInRequest>) { parley__v1__sign_in_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SignInRequest>) throws(DecodeFailure) {
        self.username = try readString(c.pointee.username, max: 128, "username")
        self.password = try readString(c.pointee.password, max: 256, "password")
        self.deviceName = try readString(c.pointee.device_name, max: 256, "device_name")
        self.knownDevice = try readString(c.pointee.known_device, max: 256, "known_device")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SignInRequest>, _ arena: inout Arena) {
        if !self.username.isEmpty { c.pointee.username = arena.string(self.username) }
        if !self.password.isEmpty { c.pointee.password = arena.string(self.password) }
        if !self.deviceName.isEmpty { c.pointee.device_name = arena.string(self.deviceName) }
        if !self.knownDevice.isEmpty { c.pointee.known_device = arena.string(self.knownDevice) }
    }
}

public struct RefreshTokensRequest: WireMessage {
    /// max 128 bytes.
    public var refreshToken: String = ""

    public init() {}

    public init(refreshToken: String = "") {
        self.refreshToken = refreshToken
    }

    public static var messageName: String { "RefreshTokensRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension RefreshTokensRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__RefreshTokensRequest>? {
        parley__v1__refresh_tokens_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__RefreshTokensRequest>) { parley__v1__refresh_tokens_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__RefreshTokensRequest>) throws(DecodeFailure) {
        self.refreshToken = try readString(c.pointee.refresh_token, max: 128, "refresh_token")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__RefreshTokensRequest>, _ arena: inout Arena) {
        if !self.refreshToken.isEmpty { c.pointee.refresh_token = arena.string(self.refreshToken) }
    }
}

public struct SignedIn: WireMessage {
    public var user: User?
    /// max 64 bytes.
    public var device: String = ""
    /// max 2048 bytes. For `hello` and `authenticate`.
    public var accessToken: String = ""
    public var accessEndsUs: Int64 = 0
    /// max 128 bytes.
    public var refreshToken: String = ""
    public var refreshEndsUs: Int64 = 0
    /// max 256 bytes. Keep it with the username, also after signing out: see SignInRequest. It gives no access.
    public var knownDevice: String = ""
    /// From SignInWithToken and SignInWithCode: it made the account.
    public var newAccount: Bool = false

    public init() {}

    public init(
        user: User? = nil,
        device: String = "",
        accessToken: String = "",
        accessEndsUs: Int64 = 0,
        refreshToken: String = "",
        refreshEndsUs: Int64 = 0,
        knownDevice: String = "",
        newAccount: Bool = false
    ) {
        self.user = user
        self.device = device
        self.accessToken = accessToken
        self.accessEndsUs = accessEndsUs
        self.refreshToken = refreshToken
        self.refreshEndsUs = refreshEndsUs
        self.knownDevice = knownDevice
        self.newAccount = newAccount
    }

    public static var messageName: String { "SignedIn" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SignedIn: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SignedIn>? {
        parley__v1__signed_in__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SignedIn>) { parley__v1__signed_in__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SignedIn>) throws(DecodeFailure) {
        self.user = try readMessage(c.pointee.user, "user")
        self.device = try readString(c.pointee.device, max: 64, "device")
        self.accessToken = try readString(c.pointee.access_token, max: 2048, "access_token")
        self.accessEndsUs = c.pointee.access_ends_us
        self.refreshToken = try readString(c.pointee.refresh_token, max: 128, "refresh_token")
        self.refreshEndsUs = c.pointee.refresh_ends_us
        self.knownDevice = try readString(c.pointee.known_device, max: 256, "known_device")
        self.newAccount = c.pointee.new_account != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SignedIn>, _ arena: inout Arena) {
        if let user { c.pointee.user = arena.message(user) }
        if !self.device.isEmpty { c.pointee.device = arena.string(self.device) }
        if !self.accessToken.isEmpty { c.pointee.access_token = arena.string(self.accessToken) }
        c.pointee.access_ends_us = self.accessEndsUs
        if !self.refreshToken.isEmpty { c.pointee.refresh_token = arena.string(self.refreshToken) }
        c.pointee.refresh_ends_us = self.refreshEndsUs
        if !self.knownDevice.isEmpty { c.pointee.known_device = arena.string(self.knownDevice) }
        c.pointee.new_account = self.newAccount ? 1 : 0
    }
}

public struct ListIssuersRequest: WireMessage {
    public init() {}

    public static var messageName: String { "ListIssuersRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListIssuersRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListIssuersRequest>? {
        parley__v1__list_issuers_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListIssuersRequest>) { parley__v1__list_issuers_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListIssuersRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListIssuersRequest>, _ arena: inout Arena) {
    }
}

public struct ListIssuersReply: WireMessage {
    /// max 32 items.
    public var issuers: [Issuer] = []
    /// Whether Register lets guests in: see "Guests" in REFERENCE.md.
    public var guests: Bool = false

    public init() {}

    public init(issuers: [Issuer] = [], guests: Bool = false) {
        self.issuers = issuers
        self.guests = guests
    }

    public static var messageName: String { "ListIssuersReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListIssuersReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListIssuersReply>? {
        parley__v1__list_issuers_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListIssuersReply>) { parley__v1__list_issuers_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListIssuersReply>) throws(DecodeFailure) {
        self.issuers = try readMessages(c.pointee.issuers, c.pointee.n_issuers, maxItems: 32, "issuers")
        self.guests = c.pointee.guests != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListIssuersReply>, _ arena: inout Arena) {
        c.pointee.n_issuers = self.issuers.count
        c.pointee.issuers = arena.messages(self.issuers)
        c.pointee.guests = self.guests ? 1 : 0
    }
}

/// Who says who people are: Apple, Google, a company's own directory …
public struct Issuer: WireMessage {
    /// max 32 bytes. The operator's word for it, as in Identity: "google".
    public var name: String = ""
    /// max 512 bytes. `iss` of its tokens.
    public var url: String = ""
    /// max 16 items of 256 bytes. `aud` of its tokens: the ids of this server's apps.
    public var audiences: [String] = []
    /// Whether somebody new may come with its tokens.
    public var makesAccounts: Bool = false
    public var nonce: IssuerNonce = .unspecified
    /// Whether it signs people in on pages, at /v1/identity/NAME/start.
    public var pages: Bool = false

    public init() {}

    public init(
        name: String = "",
        url: String = "",
        audiences: [String] = [],
        makesAccounts: Bool = false,
        nonce: IssuerNonce = .unspecified,
        pages: Bool = false
    ) {
        self.name = name
        self.url = url
        self.audiences = audiences
        self.makesAccounts = makesAccounts
        self.nonce = nonce
        self.pages = pages
    }

    public static var messageName: String { "Issuer" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Issuer: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Issuer>? {
        parley__v1__issuer__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Issuer>) { parley__v1__issuer__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Issuer>) throws(DecodeFailure) {
        self.name = try readString(c.pointee.name, max: 32, "name")
        self.url = try readString(c.pointee.url, max: 512, "url")
        self.audiences = try readStrings(c.pointee.audiences, c.pointee.n_audiences, maxItems: 16, maxBytes: 256, "audiences")
        self.makesAccounts = c.pointee.makes_accounts != 0
        self.nonce = IssuerNonce(rawValue: Int32(bitPattern: c.pointee.nonce.rawValue))
        self.pages = c.pointee.pages != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Issuer>, _ arena: inout Arena) {
        if !self.name.isEmpty { c.pointee.name = arena.string(self.name) }
        if !self.url.isEmpty { c.pointee.url = arena.string(self.url) }
        c.pointee.n_audiences = self.audiences.count
        c.pointee.audiences = arena.strings(self.audiences)
        c.pointee.makes_accounts = self.makesAccounts ? 1 : 0
        c.pointee.nonce = Parley__V1__IssuerNonce(rawValue: UInt32(bitPattern: self.nonce.rawValue))
        c.pointee.pages = self.pages ? 1 : 0
    }
}

public struct SignInWithTokenRequest: WireMessage {
    /// exactly 16 bytes. A UUIDv7 made by the client.
    public var id: [UInt8] = []
    /// max 16384 bytes. An ID token of one of the issuers, as it came.
    public var token: String = ""
    /// max 256 bytes. What the app chose; empty where it chose none.
    public var nonce: String = ""
    /// max 256 bytes. A name of 64 letters.
    public var deviceName: String = ""
    /// max 512 bytes. For a new account whose token has no name: what an issuer such as Apple gives to the app alone.
    /// A name of 128 letters.
    public var displayName: String = ""
    /// max 64 bytes. For a new account, as in RegisterRequest.
    public var code: String = ""
    /// max 4096 bytes. For a new account, as in RegisterRequest. Work is for the SHA-256 hash of the token, as 64
    /// digits of base 16 in lower case, in place of a username.
    public var proof: String = ""

    public init() {}

    public init(
        id: [UInt8] = [],
        token: String = "",
        nonce: String = "",
        deviceName: String = "",
        displayName: String = "",
        code: String = "",
        proof: String = ""
    ) {
        self.id = id
        self.token = token
        self.nonce = nonce
        self.deviceName = deviceName
        self.displayName = displayName
        self.code = code
        self.proof = proof
    }

    public static var messageName: String { "SignInWithTokenRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SignInWithTokenRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SignInWithTokenRequest>? {
        parley__v1__sign_in_with_token_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SignInWithTokenRequest>) { parley__v1__sign_in_with_token_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SignInWithTokenRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.token = try readString(c.pointee.token, max: 16384, "token")
        self.nonce = try readString(c.pointee.nonce, max: 256, "nonce")
        self.deviceName = try readString(c.pointee.device_name, max: 256, "device_name")
        self.displayName = try readString(c.pointee.display_name, max: 512, "display_name")
        self.code = try readString(c.pointee.code, max: 64, "code")
        self.proof = try readString(c.pointee.proof, max: 4096, "proof")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SignInWithTokenRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.token.isEmpty { c.pointee.token = arena.string(self.token) }
        if !self.nonce.isEmpty { c.pointee.nonce = arena.string(self.nonce) }
        if !self.deviceName.isEmpty { c.pointee.device_name = arena.string(self.deviceName) }
        if !self.displayName.isEmpty { c.pointee.display_name = arena.string(self.displayName) }
        if !self.code.isEmpty { c.pointee.code = arena.string(self.code) }
        if !self.proof.isEmpty { c.pointee.proof = arena.string(self.proof) }
    }
}

public struct SignInWithCodeRequest: WireMessage {
    /// exactly 16 bytes. A UUIDv7 made by the client.
    public var id: [UInt8] = []
    /// max 64 bytes. What the return address got.
    public var code: String = ""
    /// max 128 bytes. Its SHA-256 hash was the challenge with which this device began.
    public var verifier: String = ""
    /// max 256 bytes. A name of 64 letters.
    public var deviceName: String = ""
    /// max 512 bytes. For a new account of whom the issuer tells no name, as in SignInWithTokenRequest.
    public var displayName: String = ""
    /// max 64 bytes. For a new account, as `code` in RegisterRequest.
    public var registrationCode: String = ""
    /// max 4096 bytes. For a new account, as in RegisterRequest. Work is for `code` in place of a username.
    public var proof: String = ""

    public init() {}

    public init(
        id: [UInt8] = [],
        code: String = "",
        verifier: String = "",
        deviceName: String = "",
        displayName: String = "",
        registrationCode: String = "",
        proof: String = ""
    ) {
        self.id = id
        self.code = code
        self.verifier = verifier
        self.deviceName = deviceName
        self.displayName = displayName
        self.registrationCode = registrationCode
        self.proof = proof
    }

    public static var messageName: String { "SignInWithCodeRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SignInWithCodeRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SignInWithCodeRequest>? {
        parley__v1__sign_in_with_code_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SignInWithCodeRequest>) { parley__v1__sign_in_with_code_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SignInWithCodeRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.code = try readString(c.pointee.code, max: 64, "code")
        self.verifier = try readString(c.pointee.verifier, max: 128, "verifier")
        self.deviceName = try readString(c.pointee.device_name, max: 256, "device_name")
        self.displayName = try readString(c.pointee.display_name, max: 512, "display_name")
        self.registrationCode = try readString(c.pointee.registration_code, max: 64, "registration_code")
        self.proof = try readString(c.pointee.proof, max: 4096, "proof")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SignInWithCodeRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.code.isEmpty { c.pointee.code = arena.string(self.code) }
        if !self.verifier.isEmpty { c.pointee.verifier = arena.string(self.verifier) }
        if !self.deviceName.isEmpty { c.pointee.device_name = arena.string(self.deviceName) }
        if !self.displayName.isEmpty { c.pointee.display_name = arena.string(self.displayName) }
        if !self.registrationCode.isEmpty { c.pointee.registration_code = arena.string(self.registrationCode) }
        if !self.proof.isEmpty { c.pointee.proof = arena.string(self.proof) }
    }
}

/// What shows that an account's owner asks, and not whoever holds their unlocked device: a password, a token, or a
/// code of a page. Guests have none of them, and send it empty.
public struct OwnerProof: WireMessage {
    /// max 256 bytes. Of an account that has one.
    public var password: String = ""
    /// max 16384 bytes. A new ID token of an identity of the account.
    public var token: String = ""
    /// max 256 bytes. Of the token, as in SignInWithTokenRequest.
    public var nonce: String = ""
    /// max 64 bytes. In place of a token: what the return address of a page got.
    public var code: String = ""
    /// max 128 bytes. Of the code, as in SignInWithCodeRequest.
    public var verifier: String = ""

    public init() {}

    public init(
        password: String = "",
        token: String = "",
        nonce: String = "",
        code: String = "",
        verifier: String = ""
    ) {
        self.password = password
        self.token = token
        self.nonce = nonce
        self.code = code
        self.verifier = verifier
    }

    public static var messageName: String { "OwnerProof" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension OwnerProof: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__OwnerProof>? {
        parley__v1__owner_proof__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__OwnerProof>) { parley__v1__owner_proof__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__OwnerProof>) throws(DecodeFailure) {
        self.password = try readString(c.pointee.password, max: 256, "password")
        self.token = try readString(c.pointee.token, max: 16384, "token")
        self.nonce = try readString(c.pointee.nonce, max: 256, "nonce")
        self.code = try readString(c.pointee.code, max: 64, "code")
        self.verifier = try readString(c.pointee.verifier, max: 128, "verifier")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__OwnerProof>, _ arena: inout Arena) {
        if !self.password.isEmpty { c.pointee.password = arena.string(self.password) }
        if !self.token.isEmpty { c.pointee.token = arena.string(self.token) }
        if !self.nonce.isEmpty { c.pointee.nonce = arena.string(self.nonce) }
        if !self.code.isEmpty { c.pointee.code = arena.string(self.code) }
        if !self.verifier.isEmpty { c.pointee.verifier = arena.string(self.verifier) }
    }
}

public struct ListIdentitiesRequest: WireMessage {
    public init() {}

    public static var messageName: String { "ListIdentitiesRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListIdentitiesRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListIdentitiesRequest>? {
        parley__v1__list_identities_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListIdentitiesRequest>) { parley__v1__list_identities_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListIdentitiesRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListIdentitiesRequest>, _ arena: inout Arena) {
    }
}

public struct ListIdentitiesReply: WireMessage {
    /// max 16 items.
    public var identities: [Identity] = []
    /// A password does, too.
    public var withPassword: Bool = false

    public init() {}

    public init(identities: [Identity] = [], withPassword: Bool = false) {
        self.identities = identities
        self.withPassword = withPassword
    }

    public static var messageName: String { "ListIdentitiesReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListIdentitiesReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListIdentitiesReply>? {
        parley__v1__list_identities_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListIdentitiesReply>) { parley__v1__list_identities_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListIdentitiesReply>) throws(DecodeFailure) {
        self.identities = try readMessages(c.pointee.identities, c.pointee.n_identities, maxItems: 16, "identities")
        self.withPassword = c.pointee.with_password != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListIdentitiesReply>, _ arena: inout Arena) {
        c.pointee.n_identities = self.identities.count
        c.pointee.identities = arena.messages(self.identities)
        c.pointee.with_password = self.withPassword ? 1 : 0
    }
}

/// Somebody as an issuer knows them, which signs a person in here.
public struct Identity: WireMessage {
    /// max 64 bytes.
    public var id: String = ""
    /// max 32 bytes. The operator's word for the issuer; empty: it signs nobody in any more.
    public var issuer: String = ""
    /// max 512 bytes. Of the issuer.
    public var url: String = ""
    /// max 254 bytes. The address or name that the last token had, by which people know it.
    public var label: String = ""
    public var linkedAtUs: Int64 = 0
    public var lastUsedUs: Int64 = 0

    public init() {}

    public init(
        id: String = "",
        issuer: String = "",
        url: String = "",
        label: String = "",
        linkedAtUs: Int64 = 0,
        lastUsedUs: Int64 = 0
    ) {
        self.id = id
        self.issuer = issuer
        self.url = url
        self.label = label
        self.linkedAtUs = linkedAtUs
        self.lastUsedUs = lastUsedUs
    }

    public static var messageName: String { "Identity" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Identity: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Identity>? {
        parley__v1__identity__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Identity>) { parley__v1__identity__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Identity>) throws(DecodeFailure) {
        self.id = try readString(c.pointee.id, max: 64, "id")
        self.issuer = try readString(c.pointee.issuer, max: 32, "issuer")
        self.url = try readString(c.pointee.url, max: 512, "url")
        self.label = try readString(c.pointee.label, max: 254, "label")
        self.linkedAtUs = c.pointee.linked_at_us
        self.lastUsedUs = c.pointee.last_used_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Identity>, _ arena: inout Arena) {
        if !self.id.isEmpty { c.pointee.id = arena.string(self.id) }
        if !self.issuer.isEmpty { c.pointee.issuer = arena.string(self.issuer) }
        if !self.url.isEmpty { c.pointee.url = arena.string(self.url) }
        if !self.label.isEmpty { c.pointee.label = arena.string(self.label) }
        c.pointee.linked_at_us = self.linkedAtUs
        c.pointee.last_used_us = self.lastUsedUs
    }
}

public struct LinkIdentityRequest: WireMessage {
    /// max 16384 bytes. An ID token of the identity.
    public var token: String = ""
    /// max 256 bytes. Of the token.
    public var nonce: String = ""
    /// Of the account as it is.
    public var owner: OwnerProof?
    /// max 64 bytes. In place of a token: what the return address of a page got.
    public var code: String = ""
    /// max 128 bytes. Of the code, as in SignInWithCodeRequest.
    public var verifier: String = ""

    public init() {}

    public init(
        token: String = "",
        nonce: String = "",
        owner: OwnerProof? = nil,
        code: String = "",
        verifier: String = ""
    ) {
        self.token = token
        self.nonce = nonce
        self.owner = owner
        self.code = code
        self.verifier = verifier
    }

    public static var messageName: String { "LinkIdentityRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension LinkIdentityRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__LinkIdentityRequest>? {
        parley__v1__link_identity_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__LinkIdentityRequest>) { parley__v1__link_identity_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__LinkIdentityRequest>) throws(DecodeFailure) {
        self.token = try readString(c.pointee.token, max: 16384, "token")
        self.nonce = try readString(c.pointee.nonce, max: 256, "nonce")
        self.owner = try readMessage(c.pointee.owner, "owner")
        self.code = try readString(c.pointee.code, max: 64, "code")
        self.verifier = try readString(c.pointee.verifier, max: 128, "verifier")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__LinkIdentityRequest>, _ arena: inout Arena) {
        if !self.token.isEmpty { c.pointee.token = arena.string(self.token) }
        if !self.nonce.isEmpty { c.pointee.nonce = arena.string(self.nonce) }
        if let owner { c.pointee.owner = arena.message(owner) }
        if !self.code.isEmpty { c.pointee.code = arena.string(self.code) }
        if !self.verifier.isEmpty { c.pointee.verifier = arena.string(self.verifier) }
    }
}

public struct UnlinkIdentityRequest: WireMessage {
    /// max 64 bytes.
    public var identity: String = ""
    public var owner: OwnerProof?

    public init() {}

    public init(identity: String = "", owner: OwnerProof? = nil) {
        self.identity = identity
        self.owner = owner
    }

    public static var messageName: String { "UnlinkIdentityRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UnlinkIdentityRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UnlinkIdentityRequest>? {
        parley__v1__unlink_identity_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UnlinkIdentityRequest>) { parley__v1__unlink_identity_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UnlinkIdentityRequest>) throws(DecodeFailure) {
        self.identity = try readString(c.pointee.identity, max: 64, "identity")
        self.owner = try readMessage(c.pointee.owner, "owner")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UnlinkIdentityRequest>, _ arena: inout Arena) {
        if !self.identity.isEmpty { c.pointee.identity = arena.string(self.identity) }
        if let owner { c.pointee.owner = arena.message(owner) }
    }
}

public struct ChangePasswordRequest: WireMessage {
    /// max 256 bytes. As in RegisterRequest.
    public var newPassword: String = ""
    public var owner: OwnerProof?
    /// Signs out all other devices of the caller.
    public var endOtherDevices: Bool = false
    /// max 128 bytes. For somebody who has none, as in RegisterRequest; empty: they have one.
    public var username: String = ""

    public init() {}

    public init(
        newPassword: String = "",
        owner: OwnerProof? = nil,
        endOtherDevices: Bool = false,
        username: String = ""
    ) {
        self.newPassword = newPassword
        self.owner = owner
        self.endOtherDevices = endOtherDevices
        self.username = username
    }

    public static var messageName: String { "ChangePasswordRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ChangePasswordRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ChangePasswordRequest>? {
        parley__v1__change_password_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ChangePasswordRequest>) { parley__v1__change_password_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ChangePasswordRequest>) throws(DecodeFailure) {
        self.newPassword = try readString(c.pointee.new_password, max: 256, "new_password")
        self.owner = try readMessage(c.pointee.owner, "owner")
        self.endOtherDevices = c.pointee.end_other_devices != 0
        self.username = try readString(c.pointee.username, max: 128, "username")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ChangePasswordRequest>, _ arena: inout Arena) {
        if !self.newPassword.isEmpty { c.pointee.new_password = arena.string(self.newPassword) }
        if let owner { c.pointee.owner = arena.message(owner) }
        c.pointee.end_other_devices = self.endOtherDevices ? 1 : 0
        if !self.username.isEmpty { c.pointee.username = arena.string(self.username) }
    }
}

public struct BeginDeviceLinkRequest: WireMessage {
    /// max 256 bytes. A name of 64 letters.
    public var deviceName: String = ""

    public init() {}

    public init(deviceName: String = "") {
        self.deviceName = deviceName
    }

    public static var messageName: String { "BeginDeviceLinkRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension BeginDeviceLinkRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__BeginDeviceLinkRequest>? {
        parley__v1__begin_device_link_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__BeginDeviceLinkRequest>) { parley__v1__begin_device_link_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__BeginDeviceLinkRequest>) throws(DecodeFailure) {
        self.deviceName = try readString(c.pointee.device_name, max: 256, "device_name")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__BeginDeviceLinkRequest>, _ arena: inout Arena) {
        if !self.deviceName.isEmpty { c.pointee.device_name = arena.string(self.deviceName) }
    }
}

public struct DeviceLinkBegun: WireMessage {
    /// max 64 bytes. For the other device. It is of 128 bits.
    public var code: String = ""
    /// max 64 bytes. For this device alone, which finishes with it.
    public var secret: String = ""
    public var endsAtUs: Int64 = 0

    public init() {}

    public init(code: String = "", secret: String = "", endsAtUs: Int64 = 0) {
        self.code = code
        self.secret = secret
        self.endsAtUs = endsAtUs
    }

    public static var messageName: String { "DeviceLinkBegun" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension DeviceLinkBegun: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__DeviceLinkBegun>? {
        parley__v1__device_link_begun__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__DeviceLinkBegun>) { parley__v1__device_link_begun__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__DeviceLinkBegun>) throws(DecodeFailure) {
        self.code = try readString(c.pointee.code, max: 64, "code")
        self.secret = try readString(c.pointee.secret, max: 64, "secret")
        self.endsAtUs = c.pointee.ends_at_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__DeviceLinkBegun>, _ arena: inout Arena) {
        if !self.code.isEmpty { c.pointee.code = arena.string(self.code) }
        if !self.secret.isEmpty { c.pointee.secret = arena.string(self.secret) }
        c.pointee.ends_at_us = self.endsAtUs
    }
}

public struct GetDeviceLinkRequest: WireMessage {
    /// max 64 bytes.
    public var code: String = ""

    public init() {}

    public init(code: String = "") {
        self.code = code
    }

    public static var messageName: String { "GetDeviceLinkRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetDeviceLinkRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetDeviceLinkRequest>? {
        parley__v1__get_device_link_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetDeviceLinkRequest>) { parley__v1__get_device_link_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetDeviceLinkRequest>) throws(DecodeFailure) {
        self.code = try readString(c.pointee.code, max: 64, "code")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetDeviceLinkRequest>, _ arena: inout Arena) {
        if !self.code.isEmpty { c.pointee.code = arena.string(self.code) }
    }
}

/// A device that asks to be signed in.
public struct DeviceLink: WireMessage {
    /// max 256 bytes.
    public var deviceName: String = ""
    /// max 64 bytes. Of the network that it asks from; of IPv6 its /64.
    public var address: String = ""
    public var begunAtUs: Int64 = 0

    public init() {}

    public init(deviceName: String = "", address: String = "", begunAtUs: Int64 = 0) {
        self.deviceName = deviceName
        self.address = address
        self.begunAtUs = begunAtUs
    }

    public static var messageName: String { "DeviceLink" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension DeviceLink: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__DeviceLink>? {
        parley__v1__device_link__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__DeviceLink>) { parley__v1__device_link__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__DeviceLink>) throws(DecodeFailure) {
        self.deviceName = try readString(c.pointee.device_name, max: 256, "device_name")
        self.address = try readString(c.pointee.address, max: 64, "address")
        self.begunAtUs = c.pointee.begun_at_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__DeviceLink>, _ arena: inout Arena) {
        if !self.deviceName.isEmpty { c.pointee.device_name = arena.string(self.deviceName) }
        if !self.address.isEmpty { c.pointee.address = arena.string(self.address) }
        c.pointee.begun_at_us = self.begunAtUs
    }
}

public struct ApproveDeviceLinkRequest: WireMessage {
    /// max 64 bytes.
    public var code: String = ""

    public init() {}

    public init(code: String = "") {
        self.code = code
    }

    public static var messageName: String { "ApproveDeviceLinkRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ApproveDeviceLinkRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ApproveDeviceLinkRequest>? {
        parley__v1__approve_device_link_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ApproveDeviceLinkRequest>) { parley__v1__approve_device_link_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ApproveDeviceLinkRequest>) throws(DecodeFailure) {
        self.code = try readString(c.pointee.code, max: 64, "code")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ApproveDeviceLinkRequest>, _ arena: inout Arena) {
        if !self.code.isEmpty { c.pointee.code = arena.string(self.code) }
    }
}

public struct FinishDeviceLinkRequest: WireMessage {
    /// max 64 bytes.
    public var code: String = ""
    /// max 64 bytes.
    public var secret: String = ""

    public init() {}

    public init(code: String = "", secret: String = "") {
        self.code = code
        self.secret = secret
    }

    public static var messageName: String { "FinishDeviceLinkRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension FinishDeviceLinkRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__FinishDeviceLinkRequest>? {
        parley__v1__finish_device_link_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__FinishDeviceLinkRequest>) { parley__v1__finish_device_link_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__FinishDeviceLinkRequest>) throws(DecodeFailure) {
        self.code = try readString(c.pointee.code, max: 64, "code")
        self.secret = try readString(c.pointee.secret, max: 64, "secret")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__FinishDeviceLinkRequest>, _ arena: inout Arena) {
        if !self.code.isEmpty { c.pointee.code = arena.string(self.code) }
        if !self.secret.isEmpty { c.pointee.secret = arena.string(self.secret) }
    }
}

public struct RequestPasswordResetRequest: WireMessage {
    /// max 254 bytes.
    public var email: String = ""

    public init() {}

    public init(email: String = "") {
        self.email = email
    }

    public static var messageName: String { "RequestPasswordResetRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension RequestPasswordResetRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__RequestPasswordResetRequest>? {
        parley__v1__request_password_reset_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__RequestPasswordResetRequest>) { parley__v1__request_password_reset_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__RequestPasswordResetRequest>) throws(DecodeFailure) {
        self.email = try readString(c.pointee.email, max: 254, "email")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__RequestPasswordResetRequest>, _ arena: inout Arena) {
        if !self.email.isEmpty { c.pointee.email = arena.string(self.email) }
    }
}

public struct ResetPasswordRequest: WireMessage {
    /// max 254 bytes. The address to which the code was mailed.
    public var email: String = ""
    /// max 64 bytes. As people type it: case, spaces and hyphens do not matter.
    public var code: String = ""
    /// max 256 bytes. As in RegisterRequest.
    public var newPassword: String = ""

    public init() {}

    public init(email: String = "", code: String = "", newPassword: String = "") {
        self.email = email
        self.code = code
        self.newPassword = newPassword
    }

    public static var messageName: String { "ResetPasswordRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ResetPasswordRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ResetPasswordRequest>? {
        parley__v1__reset_password_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ResetPasswordRequest>) { parley__v1__reset_password_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ResetPasswordRequest>) throws(DecodeFailure) {
        self.email = try readString(c.pointee.email, max: 254, "email")
        self.code = try readString(c.pointee.code, max: 64, "code")
        self.newPassword = try readString(c.pointee.new_password, max: 256, "new_password")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ResetPasswordRequest>, _ arena: inout Arena) {
        if !self.email.isEmpty { c.pointee.email = arena.string(self.email) }
        if !self.code.isEmpty { c.pointee.code = arena.string(self.code) }
        if !self.newPassword.isEmpty { c.pointee.new_password = arena.string(self.newPassword) }
    }
}

public struct RequestEmailCodeRequest: WireMessage {
    public init() {}

    public static var messageName: String { "RequestEmailCodeRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension RequestEmailCodeRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__RequestEmailCodeRequest>? {
        parley__v1__request_email_code_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__RequestEmailCodeRequest>) { parley__v1__request_email_code_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__RequestEmailCodeRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__RequestEmailCodeRequest>, _ arena: inout Arena) {
    }
}

public struct ConfirmEmailRequest: WireMessage {
    /// max 64 bytes. As in ResetPasswordRequest.
    public var code: String = ""

    public init() {}

    public init(code: String = "") {
        self.code = code
    }

    public static var messageName: String { "ConfirmEmailRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ConfirmEmailRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ConfirmEmailRequest>? {
        parley__v1__confirm_email_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ConfirmEmailRequest>) { parley__v1__confirm_email_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ConfirmEmailRequest>) throws(DecodeFailure) {
        self.code = try readString(c.pointee.code, max: 64, "code")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ConfirmEmailRequest>, _ arena: inout Arena) {
        if !self.code.isEmpty { c.pointee.code = arena.string(self.code) }
    }
}

public struct SignOutRequest: WireMessage {
    public var everywhere: Bool = false

    public init() {}

    public init(everywhere: Bool = false) {
        self.everywhere = everywhere
    }

    public static var messageName: String { "SignOutRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SignOutRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SignOutRequest>? {
        parley__v1__sign_out_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SignOutRequest>) { parley__v1__sign_out_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SignOutRequest>) throws(DecodeFailure) {
        self.everywhere = c.pointee.everywhere != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SignOutRequest>, _ arena: inout Arena) {
        c.pointee.everywhere = self.everywhere ? 1 : 0
    }
}

public struct ListDevicesRequest: WireMessage {
    public init() {}

    public static var messageName: String { "ListDevicesRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListDevicesRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListDevicesRequest>? {
        parley__v1__list_devices_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListDevicesRequest>) { parley__v1__list_devices_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListDevicesRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListDevicesRequest>, _ arena: inout Arena) {
    }
}

public struct ListDevicesReply: WireMessage {
    /// max 10 items.
    public var devices: [Device] = []

    public init() {}

    public init(devices: [Device] = []) {
        self.devices = devices
    }

    public static var messageName: String { "ListDevicesReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListDevicesReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListDevicesReply>? {
        parley__v1__list_devices_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListDevicesReply>) { parley__v1__list_devices_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListDevicesReply>) throws(DecodeFailure) {
        self.devices = try readMessages(c.pointee.devices, c.pointee.n_devices, maxItems: 10, "devices")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListDevicesReply>, _ arena: inout Arena) {
        c.pointee.n_devices = self.devices.count
        c.pointee.devices = arena.messages(self.devices)
    }
}

public struct Device: WireMessage {
    /// max 64 bytes.
    public var id: String = ""
    /// max 256 bytes.
    public var name: String = ""
    public var signedInUs: Int64 = 0
    public var lastUsedUs: Int64 = 0
    public var current: Bool = false

    public init() {}

    public init(
        id: String = "",
        name: String = "",
        signedInUs: Int64 = 0,
        lastUsedUs: Int64 = 0,
        current: Bool = false
    ) {
        self.id = id
        self.name = name
        self.signedInUs = signedInUs
        self.lastUsedUs = lastUsedUs
        self.current = current
    }

    public static var messageName: String { "Device" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Device: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Device>? {
        parley__v1__device__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Device>) { parley__v1__device__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Device>) throws(DecodeFailure) {
        self.id = try readString(c.pointee.id, max: 64, "id")
        self.name = try readString(c.pointee.name, max: 256, "name")
        self.signedInUs = c.pointee.signed_in_us
        self.lastUsedUs = c.pointee.last_used_us
        self.current = c.pointee.current != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Device>, _ arena: inout Arena) {
        if !self.id.isEmpty { c.pointee.id = arena.string(self.id) }
        if !self.name.isEmpty { c.pointee.name = arena.string(self.name) }
        c.pointee.signed_in_us = self.signedInUs
        c.pointee.last_used_us = self.lastUsedUs
        c.pointee.current = self.current ? 1 : 0
    }
}

public struct RevokeDeviceRequest: WireMessage {
    /// max 64 bytes.
    public var device: String = ""

    public init() {}

    public init(device: String = "") {
        self.device = device
    }

    public static var messageName: String { "RevokeDeviceRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension RevokeDeviceRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__RevokeDeviceRequest>? {
        parley__v1__revoke_device_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__RevokeDeviceRequest>) { parley__v1__revoke_device_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__RevokeDeviceRequest>) throws(DecodeFailure) {
        self.device = try readString(c.pointee.device, max: 64, "device")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__RevokeDeviceRequest>, _ arena: inout Arena) {
        if !self.device.isEmpty { c.pointee.device = arena.string(self.device) }
    }
}

/// The part of a profile that every signed-in person may see.
public struct User: WireMessage {
    /// max 64 bytes. Letters and digits only.
    public var id: String = ""
    /// max 32 bytes. Empty: none, as of a guest.
    public var username: String = ""
    /// max 512 bytes.
    public var displayName: String = ""
    /// max 1024 bytes.
    public var photoUrl: String = ""
    public var createdAtUs: Int64 = 0
    /// Erased: only the id is still known.
    public var deleted: Bool = false

    public init() {}

    public init(
        id: String = "",
        username: String = "",
        displayName: String = "",
        photoUrl: String = "",
        createdAtUs: Int64 = 0,
        deleted: Bool = false
    ) {
        self.id = id
        self.username = username
        self.displayName = displayName
        self.photoUrl = photoUrl
        self.createdAtUs = createdAtUs
        self.deleted = deleted
    }

    public static var messageName: String { "User" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension User: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__User>? {
        parley__v1__user__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__User>) { parley__v1__user__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__User>) throws(DecodeFailure) {
        self.id = try readString(c.pointee.id, max: 64, "id")
        self.username = try readString(c.pointee.username, max: 32, "username")
        self.displayName = try readString(c.pointee.display_name, max: 512, "display_name")
        self.photoUrl = try readString(c.pointee.photo_url, max: 1024, "photo_url")
        self.createdAtUs = c.pointee.created_at_us
        self.deleted = c.pointee.deleted != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__User>, _ arena: inout Arena) {
        if !self.id.isEmpty { c.pointee.id = arena.string(self.id) }
        if !self.username.isEmpty { c.pointee.username = arena.string(self.username) }
        if !self.displayName.isEmpty { c.pointee.display_name = arena.string(self.displayName) }
        if !self.photoUrl.isEmpty { c.pointee.photo_url = arena.string(self.photoUrl) }
        c.pointee.created_at_us = self.createdAtUs
        c.pointee.deleted = self.deleted ? 1 : 0
    }
}

/// What shows that the owner asks: see OwnerProof.
public struct EraseAccountRequest: WireMessage {
    /// max 256 bytes. Of an account that has one.
    public var password: String = ""
    /// max 16384 bytes. A new ID token of an identity of the account.
    public var token: String = ""
    /// max 256 bytes. Of the token.
    public var nonce: String = ""

    public init() {}

    public init(password: String = "", token: String = "", nonce: String = "") {
        self.password = password
        self.token = token
        self.nonce = nonce
    }

    public static var messageName: String { "EraseAccountRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension EraseAccountRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__EraseAccountRequest>? {
        parley__v1__erase_account_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__EraseAccountRequest>) { parley__v1__erase_account_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__EraseAccountRequest>) throws(DecodeFailure) {
        self.password = try readString(c.pointee.password, max: 256, "password")
        self.token = try readString(c.pointee.token, max: 16384, "token")
        self.nonce = try readString(c.pointee.nonce, max: 256, "nonce")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__EraseAccountRequest>, _ arena: inout Arena) {
        if !self.password.isEmpty { c.pointee.password = arena.string(self.password) }
        if !self.token.isEmpty { c.pointee.token = arena.string(self.token) }
        if !self.nonce.isEmpty { c.pointee.nonce = arena.string(self.nonce) }
    }
}

public struct GetProfileRequest: WireMessage {
    public init() {}

    public static var messageName: String { "GetProfileRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetProfileRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetProfileRequest>? {
        parley__v1__get_profile_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetProfileRequest>) { parley__v1__get_profile_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetProfileRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetProfileRequest>, _ arena: inout Arena) {
    }
}

/// The state of the caller's own profile. Update of stream "conversations/u/ME", one, after a gap from
/// conversations.Sync.
public struct Profile: StreamState {
    public var user: User?
    /// max 254 bytes. Nobody else sees it.
    public var email: String = ""
    /// Whether people who know the whole address can find this person by it, if the operator allows that.
    public var findableByEmail: Bool = false
    /// In stream "conversations/u/ME".
    public var position: Int64 = 0
    /// The person showed that the address is theirs.
    public var emailConfirmed: Bool = false
    /// Has no username, password or identity, and may do less: see "Guests" in REFERENCE.md.
    public var guest: Bool = false

    public init() {}

    public init(
        user: User? = nil,
        email: String = "",
        findableByEmail: Bool = false,
        position: Int64 = 0,
        emailConfirmed: Bool = false,
        guest: Bool = false
    ) {
        self.user = user
        self.email = email
        self.findableByEmail = findableByEmail
        self.position = position
        self.emailConfirmed = emailConfirmed
        self.guest = guest
    }

    public static var messageName: String { "Profile" }

    public static var streamPrefix: String { "conversations/u/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Profile: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Profile>? {
        parley__v1__profile__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Profile>) { parley__v1__profile__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Profile>) throws(DecodeFailure) {
        self.user = try readMessage(c.pointee.user, "user")
        self.email = try readString(c.pointee.email, max: 254, "email")
        self.findableByEmail = c.pointee.findable_by_email != 0
        self.position = c.pointee.position
        self.emailConfirmed = c.pointee.email_confirmed != 0
        self.guest = c.pointee.guest != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Profile>, _ arena: inout Arena) {
        if let user { c.pointee.user = arena.message(user) }
        if !self.email.isEmpty { c.pointee.email = arena.string(self.email) }
        c.pointee.findable_by_email = self.findableByEmail ? 1 : 0
        c.pointee.position = self.position
        c.pointee.email_confirmed = self.emailConfirmed ? 1 : 0
        c.pointee.guest = self.guest ? 1 : 0
    }
}

public struct UpdateProfileRequest: WireMessage {
    public var changeUsername: ChangeUsername?
    public var changeDisplayName: ChangeDisplayName?
    public var changePhoto: ChangePhoto?
    public var changeEmail: ChangeEmail?
    public var changeFindable: ChangeFindable?

    public enum ChangeUsername: Sendable, Equatable {
        case username(String)
    }

    public enum ChangeDisplayName: Sendable, Equatable {
        case displayName(String)
    }

    public enum ChangePhoto: Sendable, Equatable {
        case photoUrl(String)
    }

    public enum ChangeEmail: Sendable, Equatable {
        case email(String)
    }

    public enum ChangeFindable: Sendable, Equatable {
        case findableByEmail(Bool)
    }

    public init() {}

    public init(
        changeUsername: ChangeUsername? = nil,
        changeDisplayName: ChangeDisplayName? = nil,
        changePhoto: ChangePhoto? = nil,
        changeEmail: ChangeEmail? = nil,
        changeFindable: ChangeFindable? = nil
    ) {
        self.changeUsername = changeUsername
        self.changeDisplayName = changeDisplayName
        self.changePhoto = changePhoto
        self.changeEmail = changeEmail
        self.changeFindable = changeFindable
    }

    public static var messageName: String { "UpdateProfileRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UpdateProfileRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UpdateProfileRequest>? {
        parley__v1__update_profile_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UpdateProfileRequest>) { parley__v1__update_profile_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UpdateProfileRequest>) throws(DecodeFailure) {
        switch c.pointee.change_username_case.rawValue {
        case 1: self.changeUsername = .username(try readString(c.pointee.username, max: 128, "username"))
        default: break
        }
        switch c.pointee.change_display_name_case.rawValue {
        case 2: self.changeDisplayName = .displayName(try readString(c.pointee.display_name, max: 512, "display_name"))
        default: break
        }
        switch c.pointee.change_photo_case.rawValue {
        case 3: self.changePhoto = .photoUrl(try readString(c.pointee.photo_url, max: 1024, "photo_url"))
        default: break
        }
        switch c.pointee.change_email_case.rawValue {
        case 4: self.changeEmail = .email(try readString(c.pointee.email, max: 254, "email"))
        default: break
        }
        switch c.pointee.change_findable_case.rawValue {
        case 5: self.changeFindable = .findableByEmail(c.pointee.findable_by_email != 0)
        default: break
        }
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UpdateProfileRequest>, _ arena: inout Arena) {
        switch self.changeUsername {
        case nil: break
        case .username(let value):
            c.pointee.change_username_case = Parley__V1__UpdateProfileRequest__ChangeUsernameCase(rawValue: 1)
            c.pointee.username = arena.string(value)
        }
        switch self.changeDisplayName {
        case nil: break
        case .displayName(let value):
            c.pointee.change_display_name_case = Parley__V1__UpdateProfileRequest__ChangeDisplayNameCase(rawValue: 2)
            c.pointee.display_name = arena.string(value)
        }
        switch self.changePhoto {
        case nil: break
        case .photoUrl(let value):
            c.pointee.change_photo_case = Parley__V1__UpdateProfileRequest__ChangePhotoCase(rawValue: 3)
            c.pointee.photo_url = arena.string(value)
        }
        switch self.changeEmail {
        case nil: break
        case .email(let value):
            c.pointee.change_email_case = Parley__V1__UpdateProfileRequest__ChangeEmailCase(rawValue: 4)
            c.pointee.email = arena.string(value)
        }
        switch self.changeFindable {
        case nil: break
        case .findableByEmail(let value):
            c.pointee.change_findable_case = Parley__V1__UpdateProfileRequest__ChangeFindableCase(rawValue: 5)
            c.pointee.findable_by_email = value ? 1 : 0
        }
    }
}

public struct GetUsersRequest: WireMessage {
    /// max 200 items of 64 bytes. User ids.
    public var users: [String] = []

    public init() {}

    public init(users: [String] = []) {
        self.users = users
    }

    public static var messageName: String { "GetUsersRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetUsersRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetUsersRequest>? {
        parley__v1__get_users_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetUsersRequest>) { parley__v1__get_users_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetUsersRequest>) throws(DecodeFailure) {
        self.users = try readStrings(c.pointee.users, c.pointee.n_users, maxItems: 200, maxBytes: 64, "users")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetUsersRequest>, _ arena: inout Arena) {
        c.pointee.n_users = self.users.count
        c.pointee.users = arena.strings(self.users)
    }
}

public struct GetUsersReply: WireMessage {
    /// max 200 items.
    public var users: [User] = []

    public init() {}

    public init(users: [User] = []) {
        self.users = users
    }

    public static var messageName: String { "GetUsersReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetUsersReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetUsersReply>? {
        parley__v1__get_users_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetUsersReply>) { parley__v1__get_users_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetUsersReply>) throws(DecodeFailure) {
        self.users = try readMessages(c.pointee.users, c.pointee.n_users, maxItems: 200, "users")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetUsersReply>, _ arena: inout Arena) {
        c.pointee.n_users = self.users.count
        c.pointee.users = arena.messages(self.users)
    }
}

public struct SearchUsersRequest: Paged {
    /// max 512 bytes. Not empty.
    public var query: String = ""
    /// max 1024 bytes. From the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0
    /// For a picker: leaves out the caller and the people they blocked.
    public var toWriteTo: Bool = false
    /// Leaves out people who have a direct conversation with the caller.
    public var leaveOutTalking: Bool = false

    public init() {}

    public init(
        query: String = "",
        cursor: String = "",
        limit: UInt32 = 0,
        toWriteTo: Bool = false,
        leaveOutTalking: Bool = false
    ) {
        self.query = query
        self.cursor = cursor
        self.limit = limit
        self.toWriteTo = toWriteTo
        self.leaveOutTalking = leaveOutTalking
    }

    public static var messageName: String { "SearchUsersRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SearchUsersRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SearchUsersRequest>? {
        parley__v1__search_users_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SearchUsersRequest>) { parley__v1__search_users_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SearchUsersRequest>) throws(DecodeFailure) {
        self.query = try readString(c.pointee.query, max: 512, "query")
        self.cursor = try readString(c.pointee.cursor, max: 1024, "cursor")
        self.limit = c.pointee.limit
        self.toWriteTo = c.pointee.to_write_to != 0
        self.leaveOutTalking = c.pointee.leave_out_talking != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SearchUsersRequest>, _ arena: inout Arena) {
        if !self.query.isEmpty { c.pointee.query = arena.string(self.query) }
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
        c.pointee.to_write_to = self.toWriteTo ? 1 : 0
        c.pointee.leave_out_talking = self.leaveOutTalking ? 1 : 0
    }
}

public struct SearchUsersReply: Paged {
    /// max 200 items.
    public var users: [User] = []
    /// max 1024 bytes. Opaque.
    public var cursor: String = ""
    public var more: Bool = false

    public init() {}

    public init(users: [User] = [], cursor: String = "", more: Bool = false) {
        self.users = users
        self.cursor = cursor
        self.more = more
    }

    public static var messageName: String { "SearchUsersReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SearchUsersReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SearchUsersReply>? {
        parley__v1__search_users_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SearchUsersReply>) { parley__v1__search_users_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SearchUsersReply>) throws(DecodeFailure) {
        self.users = try readMessages(c.pointee.users, c.pointee.n_users, maxItems: 200, "users")
        self.cursor = try readString(c.pointee.cursor, max: 1024, "cursor")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SearchUsersReply>, _ arena: inout Arena) {
        c.pointee.n_users = self.users.count
        c.pointee.users = arena.messages(self.users)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.more = self.more ? 1 : 0
    }
}

public struct BlockUserRequest: WireMessage {
    /// max 64 bytes.
    public var user: String = ""

    public init() {}

    public init(user: String = "") {
        self.user = user
    }

    public static var messageName: String { "BlockUserRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension BlockUserRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__BlockUserRequest>? {
        parley__v1__block_user_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__BlockUserRequest>) { parley__v1__block_user_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__BlockUserRequest>) throws(DecodeFailure) {
        self.user = try readString(c.pointee.user, max: 64, "user")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__BlockUserRequest>, _ arena: inout Arena) {
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
    }
}

public struct BlockUserReply: WireMessage {
    /// max 200 items of 129 bytes. Groups owned by the blocked person, of which the caller is a member, newest first.
    public var groups: [String] = []

    public init() {}

    public init(groups: [String] = []) {
        self.groups = groups
    }

    public static var messageName: String { "BlockUserReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension BlockUserReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__BlockUserReply>? {
        parley__v1__block_user_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__BlockUserReply>) { parley__v1__block_user_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__BlockUserReply>) throws(DecodeFailure) {
        self.groups = try readStrings(c.pointee.groups, c.pointee.n_groups, maxItems: 200, maxBytes: 129, "groups")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__BlockUserReply>, _ arena: inout Arena) {
        c.pointee.n_groups = self.groups.count
        c.pointee.groups = arena.strings(self.groups)
    }
}

public struct UnblockUserRequest: WireMessage {
    /// max 64 bytes.
    public var user: String = ""

    public init() {}

    public init(user: String = "") {
        self.user = user
    }

    public static var messageName: String { "UnblockUserRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UnblockUserRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UnblockUserRequest>? {
        parley__v1__unblock_user_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UnblockUserRequest>) { parley__v1__unblock_user_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UnblockUserRequest>) throws(DecodeFailure) {
        self.user = try readString(c.pointee.user, max: 64, "user")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UnblockUserRequest>, _ arena: inout Arena) {
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
    }
}

public struct ListBlockedRequest: Paged {
    /// max 256 bytes. From the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(cursor: String = "", limit: UInt32 = 0) {
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "ListBlockedRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListBlockedRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListBlockedRequest>? {
        parley__v1__list_blocked_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListBlockedRequest>) { parley__v1__list_blocked_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListBlockedRequest>) throws(DecodeFailure) {
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListBlockedRequest>, _ arena: inout Arena) {
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct ListBlockedReply: Paged {
    /// max 200 items.
    public var blocks: [Block] = []
    /// max 256 bytes. Opaque.
    public var cursor: String = ""
    public var more: Bool = false

    public init() {}

    public init(blocks: [Block] = [], cursor: String = "", more: Bool = false) {
        self.blocks = blocks
        self.cursor = cursor
        self.more = more
    }

    public static var messageName: String { "ListBlockedReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListBlockedReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListBlockedReply>? {
        parley__v1__list_blocked_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListBlockedReply>) { parley__v1__list_blocked_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListBlockedReply>) throws(DecodeFailure) {
        self.blocks = try readMessages(c.pointee.blocks, c.pointee.n_blocks, maxItems: 200, "blocks")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListBlockedReply>, _ arena: inout Arena) {
        c.pointee.n_blocks = self.blocks.count
        c.pointee.blocks = arena.messages(self.blocks)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.more = self.more ? 1 : 0
    }
}

/// Whether the caller blocks another person. Update of stream "conversations/u/ME", key user.id, after a gap from
/// conversations.Sync.
public struct Block: StreamState {
    /// As they were when this was published or requested.
    public var user: User?
    public var blocked: Bool = false
    public var atUs: Int64 = 0
    /// In stream "conversations/u/ME".
    public var position: Int64 = 0

    public init() {}

    public init(user: User? = nil, blocked: Bool = false, atUs: Int64 = 0, position: Int64 = 0) {
        self.user = user
        self.blocked = blocked
        self.atUs = atUs
        self.position = position
    }

    public static var messageName: String { "Block" }

    public static var streamPrefix: String { "conversations/u/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Block: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Block>? {
        parley__v1__block__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Block>) { parley__v1__block__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Block>) throws(DecodeFailure) {
        self.user = try readMessage(c.pointee.user, "user")
        self.blocked = c.pointee.blocked != 0
        self.atUs = c.pointee.at_us
        self.position = c.pointee.position
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Block>, _ arena: inout Arena) {
        if let user { c.pointee.user = arena.message(user) }
        c.pointee.blocked = self.blocked ? 1 : 0
        c.pointee.at_us = self.atUs
        c.pointee.position = self.position
    }
}

public struct CreateReportRequest: WireMessage {
    /// exactly 16 bytes. A UUIDv7.
    public var id: [UInt8] = []
    /// max 64 bytes. The person reported, or the message's sender.
    public var user: String = ""
    /// max 129 bytes. With `seq`, the message, which may be deleted; empty: the person.
    public var conversation: String = ""
    public var seq: Int64 = 0
    public var reason: ReportReason = .unspecified
    /// max 2048 bytes.
    public var note: String = ""

    public init() {}

    public init(
        id: [UInt8] = [],
        user: String = "",
        conversation: String = "",
        seq: Int64 = 0,
        reason: ReportReason = .unspecified,
        note: String = ""
    ) {
        self.id = id
        self.user = user
        self.conversation = conversation
        self.seq = seq
        self.reason = reason
        self.note = note
    }

    public static var messageName: String { "CreateReportRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension CreateReportRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__CreateReportRequest>? {
        parley__v1__create_report_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__CreateReportRequest>) { parley__v1__create_report_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__CreateReportRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.user = try readString(c.pointee.user, max: 64, "user")
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seq = c.pointee.seq
        self.reason = ReportReason(rawValue: Int32(bitPattern: c.pointee.reason.rawValue))
        self.note = try readString(c.pointee.note, max: 2048, "note")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__CreateReportRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seq = self.seq
        c.pointee.reason = Parley__V1__ReportReason(rawValue: UInt32(bitPattern: self.reason.rawValue))
        if !self.note.isEmpty { c.pointee.note = arena.string(self.note) }
    }
}

/// A report that the caller made.
public struct Report: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []
    /// max 64 bytes. The person reported.
    public var user: String = ""
    /// max 129 bytes. With `seq`, the message; empty: the person.
    public var conversation: String = ""
    public var seq: Int64 = 0
    public var reason: ReportReason = .unspecified
    /// max 2048 bytes.
    public var note: String = ""
    public var reportedAtUs: Int64 = 0

    public init() {}

    public init(
        id: [UInt8] = [],
        user: String = "",
        conversation: String = "",
        seq: Int64 = 0,
        reason: ReportReason = .unspecified,
        note: String = "",
        reportedAtUs: Int64 = 0
    ) {
        self.id = id
        self.user = user
        self.conversation = conversation
        self.seq = seq
        self.reason = reason
        self.note = note
        self.reportedAtUs = reportedAtUs
    }

    public static var messageName: String { "Report" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Report: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Report>? {
        parley__v1__report__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Report>) { parley__v1__report__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Report>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.user = try readString(c.pointee.user, max: 64, "user")
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seq = c.pointee.seq
        self.reason = ReportReason(rawValue: Int32(bitPattern: c.pointee.reason.rawValue))
        self.note = try readString(c.pointee.note, max: 2048, "note")
        self.reportedAtUs = c.pointee.reported_at_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Report>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seq = self.seq
        c.pointee.reason = Parley__V1__ReportReason(rawValue: UInt32(bitPattern: self.reason.rawValue))
        if !self.note.isEmpty { c.pointee.note = arena.string(self.note) }
        c.pointee.reported_at_us = self.reportedAtUs
    }
}

public struct ListReportsRequest: Paged {
    /// max 256 bytes. From the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(cursor: String = "", limit: UInt32 = 0) {
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "ListReportsRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListReportsRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListReportsRequest>? {
        parley__v1__list_reports_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListReportsRequest>) { parley__v1__list_reports_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListReportsRequest>) throws(DecodeFailure) {
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListReportsRequest>, _ arena: inout Arena) {
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct ListReportsReply: Paged {
    /// max 200 items.
    public var reports: [Report] = []
    /// max 256 bytes. Empty: this was the last page.
    public var cursor: String = ""

    public init() {}

    public init(reports: [Report] = [], cursor: String = "") {
        self.reports = reports
        self.cursor = cursor
    }

    public static var messageName: String { "ListReportsReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListReportsReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListReportsReply>? {
        parley__v1__list_reports_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListReportsReply>) { parley__v1__list_reports_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListReportsReply>) throws(DecodeFailure) {
        self.reports = try readMessages(c.pointee.reports, c.pointee.n_reports, maxItems: 200, "reports")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListReportsReply>, _ arena: inout Arena) {
        c.pointee.n_reports = self.reports.count
        c.pointee.reports = arena.messages(self.reports)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
    }
}

/// Something that an import kept.
public struct ImportedRecord: WireMessage {
    /// max 2048 bytes. Where it stood in what was imported.
    public var path: String = ""
    /// max 16384 bytes. What stood there.
    public var json: String = ""

    public init() {}

    public init(path: String = "", json: String = "") {
        self.path = path
        self.json = json
    }

    public static var messageName: String { "ImportedRecord" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ImportedRecord: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ImportedRecord>? {
        parley__v1__imported_record__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ImportedRecord>) { parley__v1__imported_record__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ImportedRecord>) throws(DecodeFailure) {
        self.path = try readString(c.pointee.path, max: 2048, "path")
        self.json = try readString(c.pointee.json, max: 16384, "json")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ImportedRecord>, _ arena: inout Arena) {
        if !self.path.isEmpty { c.pointee.path = arena.string(self.path) }
        if !self.json.isEmpty { c.pointee.json = arena.string(self.json) }
    }
}

public struct ListImportedRequest: Paged {
    /// max 2048 bytes. From the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 20; at most 20.
    public var limit: UInt32 = 0

    public init() {}

    public init(cursor: String = "", limit: UInt32 = 0) {
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "ListImportedRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListImportedRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListImportedRequest>? {
        parley__v1__list_imported_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListImportedRequest>) { parley__v1__list_imported_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListImportedRequest>) throws(DecodeFailure) {
        self.cursor = try readString(c.pointee.cursor, max: 2048, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListImportedRequest>, _ arena: inout Arena) {
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct ListImportedReply: Paged {
    /// max 20 items.
    public var records: [ImportedRecord] = []
    /// max 2048 bytes. Empty: this was the last page.
    public var cursor: String = ""

    public init() {}

    public init(records: [ImportedRecord] = [], cursor: String = "") {
        self.records = records
        self.cursor = cursor
    }

    public static var messageName: String { "ListImportedReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListImportedReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListImportedReply>? {
        parley__v1__list_imported_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListImportedReply>) { parley__v1__list_imported_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListImportedReply>) throws(DecodeFailure) {
        self.records = try readMessages(c.pointee.records, c.pointee.n_records, maxItems: 20, "records")
        self.cursor = try readString(c.pointee.cursor, max: 2048, "cursor")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListImportedReply>, _ arena: inout Arena) {
        c.pointee.n_records = self.records.count
        c.pointee.records = arena.messages(self.records)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
    }
}

public struct FindUserRequest: WireMessage {
    /// max 128 bytes. As people type it.
    public var username: String = ""

    public init() {}

    public init(username: String = "") {
        self.username = username
    }

    public static var messageName: String { "FindUserRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension FindUserRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__FindUserRequest>? {
        parley__v1__find_user_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__FindUserRequest>) { parley__v1__find_user_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__FindUserRequest>) throws(DecodeFailure) {
        self.username = try readString(c.pointee.username, max: 128, "username")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__FindUserRequest>, _ arena: inout Arena) {
        if !self.username.isEmpty { c.pointee.username = arena.string(self.username) }
    }
}

public struct FindUserReply: WireMessage {
    public var user: User?

    public init() {}

    public init(user: User? = nil) {
        self.user = user
    }

    public static var messageName: String { "FindUserReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension FindUserReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__FindUserReply>? {
        parley__v1__find_user_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__FindUserReply>) { parley__v1__find_user_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__FindUserReply>) throws(DecodeFailure) {
        self.user = try readMessage(c.pointee.user, "user")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__FindUserReply>, _ arena: inout Arena) {
        if let user { c.pointee.user = arena.message(user) }
    }
}

public struct Member: WireMessage {
    public var user: User?
    public var role: MemberRole = .unspecified
    public var joinedAtUs: Int64 = 0

    public init() {}

    public init(user: User? = nil, role: MemberRole = .unspecified, joinedAtUs: Int64 = 0) {
        self.user = user
        self.role = role
        self.joinedAtUs = joinedAtUs
    }

    public static var messageName: String { "Member" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Member: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Member>? {
        parley__v1__member__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Member>) { parley__v1__member__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Member>) throws(DecodeFailure) {
        self.user = try readMessage(c.pointee.user, "user")
        self.role = MemberRole(rawValue: Int32(bitPattern: c.pointee.role.rawValue))
        self.joinedAtUs = c.pointee.joined_at_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Member>, _ arena: inout Arena) {
        if let user { c.pointee.user = arena.message(user) }
        c.pointee.role = Parley__V1__MemberRole(rawValue: UInt32(bitPattern: self.role.rawValue))
        c.pointee.joined_at_us = self.joinedAtUs
    }
}

/// The state of a conversation as one member sees it. Somebody invited sees the group's name, photo and number of
/// members as they were at the invitation, and none of its members. Update of stream "conversations/u/ME", key id,
/// after a gap from conversations.Sync.
public struct Conversation: StreamState {
    /// max 129 bytes. Direct: both user ids, sorted, joined by "_". Groups: no "_".
    public var id: String = ""
    public var kind: ConversationKind = .unspecified
    /// max 512 bytes. Groups only.
    public var name: String = ""
    /// max 1000 items. All up to 64; in larger groups the first 16 of ListMembers.
    public var members: [Member] = []
    /// BLOCKED: this member blocked the other person.
    public var conversationStatus: ConversationStatus = .unspecified
    /// max 64 bytes. Who sent the message request or, in REQUESTS, the invitation.
    public var requesterId: String = ""
    public var createdAtUs: Int64 = 0
    /// max 64 bytes.
    public var createdBy: String = ""
    /// In stream "conversations/u/ME".
    public var position: Int64 = 0
    /// When this person left or was removed, or was invited without having been a member; `members` is then empty.
    /// Zero: they are a member.
    public var leftAtUs: Int64 = 0
    /// max 1024 bytes. Groups only.
    public var photoUrl: String = ""
    public var section: ConversationSection = .unspecified
    /// Zero for a group that this person left, unless they are invited.
    public var memberCount: UInt32 = 0
    /// The requester sees this only after acceptance. max 2 items of 64 bytes. Who has read the request or
    /// invitation.
    public var requestReadBy: [String] = []
    /// When the request or invitation was last made. Zero: none was needed.
    public var requestedAtUs: Int64 = 0
    /// The position at which it last became this person's again, after they left or after GONE. Zero: it was theirs
    /// ever since it was first shown.
    public var returnedPosition: Int64 = 0

    public init() {}

    public init(
        id: String = "",
        kind: ConversationKind = .unspecified,
        name: String = "",
        members: [Member] = [],
        conversationStatus: ConversationStatus = .unspecified,
        requesterId: String = "",
        createdAtUs: Int64 = 0,
        createdBy: String = "",
        position: Int64 = 0,
        leftAtUs: Int64 = 0,
        photoUrl: String = "",
        section: ConversationSection = .unspecified,
        memberCount: UInt32 = 0,
        requestReadBy: [String] = [],
        requestedAtUs: Int64 = 0,
        returnedPosition: Int64 = 0
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.members = members
        self.conversationStatus = conversationStatus
        self.requesterId = requesterId
        self.createdAtUs = createdAtUs
        self.createdBy = createdBy
        self.position = position
        self.leftAtUs = leftAtUs
        self.photoUrl = photoUrl
        self.section = section
        self.memberCount = memberCount
        self.requestReadBy = requestReadBy
        self.requestedAtUs = requestedAtUs
        self.returnedPosition = returnedPosition
    }

    public static var messageName: String { "Conversation" }

    public static var streamPrefix: String { "conversations/u/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Conversation: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Conversation>? {
        parley__v1__conversation__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Conversation>) { parley__v1__conversation__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Conversation>) throws(DecodeFailure) {
        self.id = try readString(c.pointee.id, max: 129, "id")
        self.kind = ConversationKind(rawValue: Int32(bitPattern: c.pointee.kind.rawValue))
        self.name = try readString(c.pointee.name, max: 512, "name")
        self.members = try readMessages(c.pointee.members, c.pointee.n_members, maxItems: 1000, "members")
        self.conversationStatus = ConversationStatus(rawValue: Int32(bitPattern: c.pointee.conversation_status.rawValue))
        self.requesterId = try readString(c.pointee.requester_id, max: 64, "requester_id")
        self.createdAtUs = c.pointee.created_at_us
        self.createdBy = try readString(c.pointee.created_by, max: 64, "created_by")
        self.position = c.pointee.position
        self.leftAtUs = c.pointee.left_at_us
        self.photoUrl = try readString(c.pointee.photo_url, max: 1024, "photo_url")
        self.section = ConversationSection(rawValue: Int32(bitPattern: c.pointee.section.rawValue))
        self.memberCount = c.pointee.member_count
        self.requestReadBy = try readStrings(c.pointee.request_read_by, c.pointee.n_request_read_by, maxItems: 2, maxBytes: 64, "request_read_by")
        self.requestedAtUs = c.pointee.requested_at_us
        self.returnedPosition = c.pointee.returned_position
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Conversation>, _ arena: inout Arena) {
        if !self.id.isEmpty { c.pointee.id = arena.string(self.id) }
        c.pointee.kind = Parley__V1__ConversationKind(rawValue: UInt32(bitPattern: self.kind.rawValue))
        if !self.name.isEmpty { c.pointee.name = arena.string(self.name) }
        c.pointee.n_members = self.members.count
        c.pointee.members = arena.messages(self.members)
        c.pointee.conversation_status = Parley__V1__ConversationStatus(rawValue: UInt32(bitPattern: self.conversationStatus.rawValue))
        if !self.requesterId.isEmpty { c.pointee.requester_id = arena.string(self.requesterId) }
        c.pointee.created_at_us = self.createdAtUs
        if !self.createdBy.isEmpty { c.pointee.created_by = arena.string(self.createdBy) }
        c.pointee.position = self.position
        c.pointee.left_at_us = self.leftAtUs
        if !self.photoUrl.isEmpty { c.pointee.photo_url = arena.string(self.photoUrl) }
        c.pointee.section = Parley__V1__ConversationSection(rawValue: UInt32(bitPattern: self.section.rawValue))
        c.pointee.member_count = self.memberCount
        c.pointee.n_request_read_by = self.requestReadBy.count
        c.pointee.request_read_by = arena.strings(self.requestReadBy)
        c.pointee.requested_at_us = self.requestedAtUs
        c.pointee.returned_position = self.returnedPosition
    }
}

public struct StartDirectRequest: WireMessage {
    /// max 64 bytes. User id of the other person, or the caller's own for notes.
    public var user: String = ""

    public init() {}

    public init(user: String = "") {
        self.user = user
    }

    public static var messageName: String { "StartDirectRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension StartDirectRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__StartDirectRequest>? {
        parley__v1__start_direct_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__StartDirectRequest>) { parley__v1__start_direct_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__StartDirectRequest>) throws(DecodeFailure) {
        self.user = try readString(c.pointee.user, max: 64, "user")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__StartDirectRequest>, _ arena: inout Arena) {
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
    }
}

public struct CreateGroupRequest: WireMessage {
    /// exactly 16 bytes. A UUIDv7; as 32 hexadecimal digits it is the conversation's id.
    public var id: [UInt8] = []
    /// max 512 bytes. A name of 128 letters.
    public var name: String = ""
    /// max 999 items of 64 bytes. User ids of the others.
    public var users: [String] = []
    /// max 1024 bytes. An https URL; empty: no photo.
    public var photoUrl: String = ""

    public init() {}

    public init(id: [UInt8] = [], name: String = "", users: [String] = [], photoUrl: String = "") {
        self.id = id
        self.name = name
        self.users = users
        self.photoUrl = photoUrl
    }

    public static var messageName: String { "CreateGroupRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension CreateGroupRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__CreateGroupRequest>? {
        parley__v1__create_group_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__CreateGroupRequest>) { parley__v1__create_group_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__CreateGroupRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.name = try readString(c.pointee.name, max: 512, "name")
        self.users = try readStrings(c.pointee.users, c.pointee.n_users, maxItems: 999, maxBytes: 64, "users")
        self.photoUrl = try readString(c.pointee.photo_url, max: 1024, "photo_url")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__CreateGroupRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.name.isEmpty { c.pointee.name = arena.string(self.name) }
        c.pointee.n_users = self.users.count
        c.pointee.users = arena.strings(self.users)
        if !self.photoUrl.isEmpty { c.pointee.photo_url = arena.string(self.photoUrl) }
    }
}

public struct AddMembersRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    /// max 999 items of 64 bytes. User ids.
    public var users: [String] = []

    public init() {}

    public init(conversation: String = "", users: [String] = []) {
        self.conversation = conversation
        self.users = users
    }

    public static var messageName: String { "AddMembersRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension AddMembersRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__AddMembersRequest>? {
        parley__v1__add_members_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__AddMembersRequest>) { parley__v1__add_members_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__AddMembersRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.users = try readStrings(c.pointee.users, c.pointee.n_users, maxItems: 999, maxBytes: 64, "users")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__AddMembersRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.n_users = self.users.count
        c.pointee.users = arena.strings(self.users)
    }
}

public struct ListInvitationsRequest: Paged {
    /// max 129 bytes.
    public var conversation: String = ""
    /// max 256 bytes. From the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(conversation: String = "", cursor: String = "", limit: UInt32 = 0) {
        self.conversation = conversation
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "ListInvitationsRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListInvitationsRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListInvitationsRequest>? {
        parley__v1__list_invitations_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListInvitationsRequest>) { parley__v1__list_invitations_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListInvitationsRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListInvitationsRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct ListInvitationsReply: Paged {
    /// max 200 items.
    public var invitations: [Invitation] = []
    /// max 256 bytes. Opaque.
    public var cursor: String = ""
    public var more: Bool = false

    public init() {}

    public init(invitations: [Invitation] = [], cursor: String = "", more: Bool = false) {
        self.invitations = invitations
        self.cursor = cursor
        self.more = more
    }

    public static var messageName: String { "ListInvitationsReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListInvitationsReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListInvitationsReply>? {
        parley__v1__list_invitations_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListInvitationsReply>) { parley__v1__list_invitations_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListInvitationsReply>) throws(DecodeFailure) {
        self.invitations = try readMessages(c.pointee.invitations, c.pointee.n_invitations, maxItems: 200, "invitations")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListInvitationsReply>, _ arena: inout Arena) {
        c.pointee.n_invitations = self.invitations.count
        c.pointee.invitations = arena.messages(self.invitations)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.more = self.more ? 1 : 0
    }
}

/// An open invitation into a group, as its admins see it.
public struct Invitation: WireMessage {
    /// Who is invited.
    public var user: User?
    /// max 64 bytes. User id of a member.
    public var inviter: String = ""
    public var invitedAtUs: Int64 = 0

    public init() {}

    public init(user: User? = nil, inviter: String = "", invitedAtUs: Int64 = 0) {
        self.user = user
        self.inviter = inviter
        self.invitedAtUs = invitedAtUs
    }

    public static var messageName: String { "Invitation" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Invitation: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Invitation>? {
        parley__v1__invitation__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Invitation>) { parley__v1__invitation__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Invitation>) throws(DecodeFailure) {
        self.user = try readMessage(c.pointee.user, "user")
        self.inviter = try readString(c.pointee.inviter, max: 64, "inviter")
        self.invitedAtUs = c.pointee.invited_at_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Invitation>, _ arena: inout Arena) {
        if let user { c.pointee.user = arena.message(user) }
        if !self.inviter.isEmpty { c.pointee.inviter = arena.string(self.inviter) }
        c.pointee.invited_at_us = self.invitedAtUs
    }
}

public struct WithdrawInvitationRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    /// max 64 bytes. The invited person.
    public var user: String = ""

    public init() {}

    public init(conversation: String = "", user: String = "") {
        self.conversation = conversation
        self.user = user
    }

    public static var messageName: String { "WithdrawInvitationRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension WithdrawInvitationRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__WithdrawInvitationRequest>? {
        parley__v1__withdraw_invitation_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__WithdrawInvitationRequest>) { parley__v1__withdraw_invitation_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__WithdrawInvitationRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.user = try readString(c.pointee.user, max: 64, "user")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__WithdrawInvitationRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
    }
}

public struct RemoveMemberRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    /// max 64 bytes. Another member.
    public var user: String = ""

    public init() {}

    public init(conversation: String = "", user: String = "") {
        self.conversation = conversation
        self.user = user
    }

    public static var messageName: String { "RemoveMemberRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension RemoveMemberRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__RemoveMemberRequest>? {
        parley__v1__remove_member_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__RemoveMemberRequest>) { parley__v1__remove_member_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__RemoveMemberRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.user = try readString(c.pointee.user, max: 64, "user")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__RemoveMemberRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
    }
}

public struct LeaveGroupRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""

    public init() {}

    public init(conversation: String = "") {
        self.conversation = conversation
    }

    public static var messageName: String { "LeaveGroupRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension LeaveGroupRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__LeaveGroupRequest>? {
        parley__v1__leave_group_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__LeaveGroupRequest>) { parley__v1__leave_group_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__LeaveGroupRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__LeaveGroupRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
    }
}

public struct UpdateGroupRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    public var changeName: ChangeName?
    public var changePhoto: ChangePhoto?

    public enum ChangeName: Sendable, Equatable {
        case name(String)
    }

    public enum ChangePhoto: Sendable, Equatable {
        case photoUrl(String)
    }

    public init() {}

    public init(conversation: String = "", changeName: ChangeName? = nil, changePhoto: ChangePhoto? = nil) {
        self.conversation = conversation
        self.changeName = changeName
        self.changePhoto = changePhoto
    }

    public static var messageName: String { "UpdateGroupRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UpdateGroupRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UpdateGroupRequest>? {
        parley__v1__update_group_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UpdateGroupRequest>) { parley__v1__update_group_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UpdateGroupRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        switch c.pointee.change_name_case.rawValue {
        case 2: self.changeName = .name(try readString(c.pointee.name, max: 512, "name"))
        default: break
        }
        switch c.pointee.change_photo_case.rawValue {
        case 3: self.changePhoto = .photoUrl(try readString(c.pointee.photo_url, max: 1024, "photo_url"))
        default: break
        }
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UpdateGroupRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        switch self.changeName {
        case nil: break
        case .name(let value):
            c.pointee.change_name_case = Parley__V1__UpdateGroupRequest__ChangeNameCase(rawValue: 2)
            c.pointee.name = arena.string(value)
        }
        switch self.changePhoto {
        case nil: break
        case .photoUrl(let value):
            c.pointee.change_photo_case = Parley__V1__UpdateGroupRequest__ChangePhotoCase(rawValue: 3)
            c.pointee.photo_url = arena.string(value)
        }
    }
}

public struct ListMembersRequest: Paged {
    /// max 129 bytes.
    public var conversation: String = ""
    /// max 256 bytes. From the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(conversation: String = "", cursor: String = "", limit: UInt32 = 0) {
        self.conversation = conversation
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "ListMembersRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListMembersRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListMembersRequest>? {
        parley__v1__list_members_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListMembersRequest>) { parley__v1__list_members_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListMembersRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListMembersRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct ListMembersReply: Paged {
    /// max 200 items.
    public var members: [Member] = []
    /// max 256 bytes. Opaque.
    public var cursor: String = ""
    public var more: Bool = false

    public init() {}

    public init(members: [Member] = [], cursor: String = "", more: Bool = false) {
        self.members = members
        self.cursor = cursor
        self.more = more
    }

    public static var messageName: String { "ListMembersReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListMembersReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListMembersReply>? {
        parley__v1__list_members_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListMembersReply>) { parley__v1__list_members_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListMembersReply>) throws(DecodeFailure) {
        self.members = try readMessages(c.pointee.members, c.pointee.n_members, maxItems: 200, "members")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListMembersReply>, _ arena: inout Arena) {
        c.pointee.n_members = self.members.count
        c.pointee.members = arena.messages(self.members)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.more = self.more ? 1 : 0
    }
}

public struct SetMemberRoleRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    /// max 64 bytes. Another member.
    public var user: String = ""
    /// MEMBER or ADMIN.
    public var role: MemberRole = .unspecified

    public init() {}

    public init(conversation: String = "", user: String = "", role: MemberRole = .unspecified) {
        self.conversation = conversation
        self.user = user
        self.role = role
    }

    public static var messageName: String { "SetMemberRoleRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SetMemberRoleRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SetMemberRoleRequest>? {
        parley__v1__set_member_role_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SetMemberRoleRequest>) { parley__v1__set_member_role_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SetMemberRoleRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.user = try readString(c.pointee.user, max: 64, "user")
        self.role = MemberRole(rawValue: Int32(bitPattern: c.pointee.role.rawValue))
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SetMemberRoleRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
        c.pointee.role = Parley__V1__MemberRole(rawValue: UInt32(bitPattern: self.role.rawValue))
    }
}

public struct TransferOwnershipRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    /// max 64 bytes. Another member.
    public var user: String = ""

    public init() {}

    public init(conversation: String = "", user: String = "") {
        self.conversation = conversation
        self.user = user
    }

    public static var messageName: String { "TransferOwnershipRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension TransferOwnershipRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__TransferOwnershipRequest>? {
        parley__v1__transfer_ownership_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__TransferOwnershipRequest>) { parley__v1__transfer_ownership_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__TransferOwnershipRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.user = try readString(c.pointee.user, max: 64, "user")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__TransferOwnershipRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
    }
}

public struct FindConversationRequest: WireMessage {
    /// max 999 items of 64 bytes. User ids of the others; none: the caller's notes.
    public var users: [String] = []

    public init() {}

    public init(users: [String] = []) {
        self.users = users
    }

    public static var messageName: String { "FindConversationRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension FindConversationRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__FindConversationRequest>? {
        parley__v1__find_conversation_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__FindConversationRequest>) { parley__v1__find_conversation_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__FindConversationRequest>) throws(DecodeFailure) {
        self.users = try readStrings(c.pointee.users, c.pointee.n_users, maxItems: 999, maxBytes: 64, "users")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__FindConversationRequest>, _ arena: inout Arena) {
        c.pointee.n_users = self.users.count
        c.pointee.users = arena.strings(self.users)
    }
}

public struct FindConversationReply: WireMessage {
    /// Absent: no such conversation exists.
    public var conversation: Conversation?

    public init() {}

    public init(conversation: Conversation? = nil) {
        self.conversation = conversation
    }

    public static var messageName: String { "FindConversationReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension FindConversationReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__FindConversationReply>? {
        parley__v1__find_conversation_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__FindConversationReply>) { parley__v1__find_conversation_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__FindConversationReply>) throws(DecodeFailure) {
        self.conversation = try readMessage(c.pointee.conversation, "conversation")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__FindConversationReply>, _ arena: inout Arena) {
        if let conversation { c.pointee.conversation = arena.message(conversation) }
    }
}

public struct ListRequestsRequest: Paged {
    /// max 256 bytes. From the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(cursor: String = "", limit: UInt32 = 0) {
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "ListRequestsRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListRequestsRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListRequestsRequest>? {
        parley__v1__list_requests_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListRequestsRequest>) { parley__v1__list_requests_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListRequestsRequest>) throws(DecodeFailure) {
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListRequestsRequest>, _ arena: inout Arena) {
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct ListRequestsReply: Paged {
    /// max 200 items.
    public var requests: [Conversation] = []
    public var count: RequestCount?
    /// max 256 bytes. Opaque.
    public var cursor: String = ""
    public var more: Bool = false

    public init() {}

    public init(requests: [Conversation] = [], count: RequestCount? = nil, cursor: String = "", more: Bool = false) {
        self.requests = requests
        self.count = count
        self.cursor = cursor
        self.more = more
    }

    public static var messageName: String { "ListRequestsReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListRequestsReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListRequestsReply>? {
        parley__v1__list_requests_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListRequestsReply>) { parley__v1__list_requests_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListRequestsReply>) throws(DecodeFailure) {
        self.requests = try readMessages(c.pointee.requests, c.pointee.n_requests, maxItems: 200, "requests")
        self.count = try readMessage(c.pointee.count, "count")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListRequestsReply>, _ arena: inout Arena) {
        c.pointee.n_requests = self.requests.count
        c.pointee.requests = arena.messages(self.requests)
        if let count { c.pointee.count = arena.message(count) }
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.more = self.more ? 1 : 0
    }
}

/// How many requests the caller has. Update of stream "conversations/u/ME", one, after a gap from conversations.Sync.
public struct RequestCount: StreamState {
    public var unread: UInt32 = 0
    public var total: UInt32 = 0
    /// In stream "conversations/u/ME".
    public var position: Int64 = 0

    public init() {}

    public init(unread: UInt32 = 0, total: UInt32 = 0, position: Int64 = 0) {
        self.unread = unread
        self.total = total
        self.position = position
    }

    public static var messageName: String { "RequestCount" }

    public static var streamPrefix: String { "conversations/u/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension RequestCount: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__RequestCount>? {
        parley__v1__request_count__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__RequestCount>) { parley__v1__request_count__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__RequestCount>) throws(DecodeFailure) {
        self.unread = c.pointee.unread
        self.total = c.pointee.total
        self.position = c.pointee.position
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__RequestCount>, _ arena: inout Arena) {
        c.pointee.unread = self.unread
        c.pointee.total = self.total
        c.pointee.position = self.position
    }
}

public struct AcceptRequestRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""

    public init() {}

    public init(conversation: String = "") {
        self.conversation = conversation
    }

    public static var messageName: String { "AcceptRequestRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension AcceptRequestRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__AcceptRequestRequest>? {
        parley__v1__accept_request_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__AcceptRequestRequest>) { parley__v1__accept_request_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__AcceptRequestRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__AcceptRequestRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
    }
}

public struct DeclineRequestRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""

    public init() {}

    public init(conversation: String = "") {
        self.conversation = conversation
    }

    public static var messageName: String { "DeclineRequestRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension DeclineRequestRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__DeclineRequestRequest>? {
        parley__v1__decline_request_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__DeclineRequestRequest>) { parley__v1__decline_request_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__DeclineRequestRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__DeclineRequestRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
    }
}

public struct WithdrawRequestRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""

    public init() {}

    public init(conversation: String = "") {
        self.conversation = conversation
    }

    public static var messageName: String { "WithdrawRequestRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension WithdrawRequestRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__WithdrawRequestRequest>? {
        parley__v1__withdraw_request_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__WithdrawRequestRequest>) { parley__v1__withdraw_request_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__WithdrawRequestRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__WithdrawRequestRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
    }
}

public struct MarkRequestsReadRequest: WireMessage {
    /// max 200 items of 129 bytes.
    public var conversations: [String] = []

    public init() {}

    public init(conversations: [String] = []) {
        self.conversations = conversations
    }

    public static var messageName: String { "MarkRequestsReadRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension MarkRequestsReadRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__MarkRequestsReadRequest>? {
        parley__v1__mark_requests_read_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__MarkRequestsReadRequest>) { parley__v1__mark_requests_read_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__MarkRequestsReadRequest>) throws(DecodeFailure) {
        self.conversations = try readStrings(c.pointee.conversations, c.pointee.n_conversations, maxItems: 200, maxBytes: 129, "conversations")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__MarkRequestsReadRequest>, _ arena: inout Arena) {
        c.pointee.n_conversations = self.conversations.count
        c.pointee.conversations = arena.strings(self.conversations)
    }
}

public struct GetConversationRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""

    public init() {}

    public init(conversation: String = "") {
        self.conversation = conversation
    }

    public static var messageName: String { "GetConversationRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetConversationRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetConversationRequest>? {
        parley__v1__get_conversation_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetConversationRequest>) { parley__v1__get_conversation_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetConversationRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetConversationRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
    }
}

public struct GetConversationsRequest: WireMessage {
    /// max 50 items of 129 bytes.
    public var conversations: [String] = []

    public init() {}

    public init(conversations: [String] = []) {
        self.conversations = conversations
    }

    public static var messageName: String { "GetConversationsRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetConversationsRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetConversationsRequest>? {
        parley__v1__get_conversations_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetConversationsRequest>) { parley__v1__get_conversations_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetConversationsRequest>) throws(DecodeFailure) {
        self.conversations = try readStrings(c.pointee.conversations, c.pointee.n_conversations, maxItems: 50, maxBytes: 129, "conversations")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetConversationsRequest>, _ arena: inout Arena) {
        c.pointee.n_conversations = self.conversations.count
        c.pointee.conversations = arena.strings(self.conversations)
    }
}

public struct GetConversationsReply: WireMessage {
    /// max 50 items.
    public var conversations: [Conversation] = []
    /// Whether the reply has no room for more: request those after the last one returned again.
    public var more: Bool = false

    public init() {}

    public init(conversations: [Conversation] = [], more: Bool = false) {
        self.conversations = conversations
        self.more = more
    }

    public static var messageName: String { "GetConversationsReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetConversationsReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetConversationsReply>? {
        parley__v1__get_conversations_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetConversationsReply>) { parley__v1__get_conversations_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetConversationsReply>) throws(DecodeFailure) {
        self.conversations = try readMessages(c.pointee.conversations, c.pointee.n_conversations, maxItems: 50, "conversations")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetConversationsReply>, _ arena: inout Arena) {
        c.pointee.n_conversations = self.conversations.count
        c.pointee.conversations = arena.messages(self.conversations)
        c.pointee.more = self.more ? 1 : 0
    }
}

public struct ConversationReply: WireMessage {
    public var conversation: Conversation?
    /// False: it already existed.
    public var created: Bool = false
    /// max 999 items of 64 bytes. CreateGroup, AddMembers: those of the named users who are invited instead of
    /// members.
    public var invited: [String] = []

    public init() {}

    public init(conversation: Conversation? = nil, created: Bool = false, invited: [String] = []) {
        self.conversation = conversation
        self.created = created
        self.invited = invited
    }

    public static var messageName: String { "ConversationReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ConversationReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ConversationReply>? {
        parley__v1__conversation_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ConversationReply>) { parley__v1__conversation_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ConversationReply>) throws(DecodeFailure) {
        self.conversation = try readMessage(c.pointee.conversation, "conversation")
        self.created = c.pointee.created != 0
        self.invited = try readStrings(c.pointee.invited, c.pointee.n_invited, maxItems: 999, maxBytes: 64, "invited")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ConversationReply>, _ arena: inout Arena) {
        if let conversation { c.pointee.conversation = arena.message(conversation) }
        c.pointee.created = self.created ? 1 : 0
        c.pointee.n_invited = self.invited.count
        c.pointee.invited = arena.strings(self.invited)
    }
}

public struct ConversationsSyncRequest: WireMessage {
    /// max 64 bytes. From the last reply; empty at first.
    public var epoch: String = ""
    public var sincePosition: Int64 = 0
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(epoch: String = "", sincePosition: Int64 = 0, limit: UInt32 = 0) {
        self.epoch = epoch
        self.sincePosition = sincePosition
        self.limit = limit
    }

    public static var messageName: String { "ConversationsSyncRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ConversationsSyncRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ConversationsSyncRequest>? {
        parley__v1__conversations_sync_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ConversationsSyncRequest>) { parley__v1__conversations_sync_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ConversationsSyncRequest>) throws(DecodeFailure) {
        self.epoch = try readString(c.pointee.epoch, max: 64, "epoch")
        self.sincePosition = c.pointee.since_position
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ConversationsSyncRequest>, _ arena: inout Arena) {
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        c.pointee.since_position = self.sincePosition
        c.pointee.limit = self.limit
    }
}

public struct ConversationsSyncReply: WireMessage {
    /// max 64 bytes.
    public var epoch: String = ""
    /// Drop what you hold: it is of another epoch. This page starts at zero.
    public var startOver: Bool = false
    /// Request the next page from here.
    public var position: Int64 = 0
    /// max 200 items.
    public var conversations: [Conversation] = []
    public var more: Bool = false
    /// The current count.
    public var requests: RequestCount?
    /// Present if it changed after the requested position.
    public var profile: Profile?
    /// The blocks changed: call ListBlocked again.
    public var blocksChanged: Bool = false

    public init() {}

    public init(
        epoch: String = "",
        startOver: Bool = false,
        position: Int64 = 0,
        conversations: [Conversation] = [],
        more: Bool = false,
        requests: RequestCount? = nil,
        profile: Profile? = nil,
        blocksChanged: Bool = false
    ) {
        self.epoch = epoch
        self.startOver = startOver
        self.position = position
        self.conversations = conversations
        self.more = more
        self.requests = requests
        self.profile = profile
        self.blocksChanged = blocksChanged
    }

    public static var messageName: String { "ConversationsSyncReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ConversationsSyncReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ConversationsSyncReply>? {
        parley__v1__conversations_sync_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ConversationsSyncReply>) { parley__v1__conversations_sync_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ConversationsSyncReply>) throws(DecodeFailure) {
        self.epoch = try readString(c.pointee.epoch, max: 64, "epoch")
        self.startOver = c.pointee.start_over != 0
        self.position = c.pointee.position
        self.conversations = try readMessages(c.pointee.conversations, c.pointee.n_conversations, maxItems: 200, "conversations")
        self.more = c.pointee.more != 0
        self.requests = try readMessage(c.pointee.requests, "requests")
        self.profile = try readMessage(c.pointee.profile, "profile")
        self.blocksChanged = c.pointee.blocks_changed != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ConversationsSyncReply>, _ arena: inout Arena) {
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        c.pointee.start_over = self.startOver ? 1 : 0
        c.pointee.position = self.position
        c.pointee.n_conversations = self.conversations.count
        c.pointee.conversations = arena.messages(self.conversations)
        c.pointee.more = self.more ? 1 : 0
        if let requests { c.pointee.requests = arena.message(requests) }
        if let profile { c.pointee.profile = arena.message(profile) }
        c.pointee.blocks_changed = self.blocksChanged ? 1 : 0
    }
}
