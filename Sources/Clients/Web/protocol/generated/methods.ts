// Generated from *.proto (sha256 b2447acba9c9801e47a93629ba5ec14e0a6ffe142dbec1594ea801c888d7c9a0) by proto/generate. Do not edit.

import type {
    AcceptRequestRequest,
    AcceptSuggestionReply,
    AcceptSuggestionRequest,
    AddMembersRequest,
    AnswerEventRequest,
    ApproveDeviceLinkRequest,
    BeginDeviceLinkRequest,
    BlockUserReply,
    BlockUserRequest,
    CancelEventRequest,
    Challenge,
    ChangePasswordRequest,
    ClearConversationRequest,
    CompleteReminderRequest,
    ConfirmEmailRequest,
    ConversationReply,
    ConversationsSyncReply,
    ConversationsSyncRequest,
    CreateAttachmentReply,
    CreateAttachmentRequest,
    CreateCalendarLinkReply,
    CreateCalendarLinkRequest,
    CreateDecisionRequest,
    CreateEventRequest,
    CreateGroupRequest,
    CreateReminderRequest,
    CreateReportRequest,
    DecisionReply,
    DeclineRequestRequest,
    DeleteCalendarLinkReply,
    DeleteCalendarLinkRequest,
    DeleteDecisionRequest,
    DeleteEventRequest,
    DeleteMessageRequest,
    DeleteReminderRequest,
    DeviceLink,
    DeviceLinkBegun,
    DismissSuggestionRequest,
    Done,
    EditMessageRequest,
    EntitiesSyncReply,
    EntitiesSyncRequest,
    EraseAccountRequest,
    EventReply,
    ExportEventReply,
    ExportEventRequest,
    FindConversationReply,
    FindConversationRequest,
    FindUserReply,
    FindUserRequest,
    FinishDeviceLinkRequest,
    GetAttachmentReply,
    GetAttachmentRequest,
    GetBadgeReply,
    GetBadgeRequest,
    GetChallengeRequest,
    GetChangesReply,
    GetChangesRequest,
    GetConversationRequest,
    GetConversationsReply,
    GetConversationsRequest,
    GetDecisionRequest,
    GetDeviceLinkRequest,
    GetEventRequest,
    GetHistoryReply,
    GetHistoryRequest,
    GetInboxReply,
    GetInboxRequest,
    GetModelReadingRequest,
    GetOwnPresenceRequest,
    GetPresenceRequest,
    GetProfileRequest,
    GetPushSettingsRequest,
    GetReminderRequest,
    GetSuggestionSettingsRequest,
    GetThreadRequest,
    GetUsageReply,
    GetUsageRequest,
    GetUsersReply,
    GetUsersRequest,
    InboxStateReply,
    InviteConversationRequest,
    LeaveGroupRequest,
    LinkIdentityRequest,
    ListAttachmentsReply,
    ListAttachmentsRequest,
    ListAttendeesReply,
    ListAttendeesRequest,
    ListBlockedReply,
    ListBlockedRequest,
    ListDecisionsReply,
    ListDecisionsRequest,
    ListDevicesReply,
    ListDevicesRequest,
    ListEventsReply,
    ListEventsRequest,
    ListIdentitiesReply,
    ListIdentitiesRequest,
    ListImportedReply,
    ListImportedRequest,
    ListInvitationsReply,
    ListInvitationsRequest,
    ListIssuersReply,
    ListIssuersRequest,
    ListMembersReply,
    ListMembersRequest,
    ListMentionsAndStarsReply,
    ListMentionsAndStarsRequest,
    ListPushDevicesReply,
    ListPushDevicesRequest,
    ListReactionsReply,
    ListReactionsRequest,
    ListReadersReply,
    ListReadersRequest,
    ListReceiptsReply,
    ListReceiptsRequest,
    ListRemindersReply,
    ListRemindersRequest,
    ListReportsReply,
    ListReportsRequest,
    ListRequestsReply,
    ListRequestsRequest,
    ListRevisionsReply,
    ListRevisionsRequest,
    ListSuggestionsReply,
    ListSuggestionsRequest,
    MarkRequestsReadRequest,
    MessageReply,
    MessagingSyncReply,
    MessagingSyncRequest,
    ModelReading,
    OwnPresence,
    PresenceReply,
    Profile,
    PushDevice,
    PushSettings,
    RefreshTokensRequest,
    RegisterPushRequest,
    RegisterRequest,
    ReminderReply,
    RemoveMemberRequest,
    RequestCount,
    RequestEmailCodeRequest,
    RequestPasswordResetRequest,
    ResetPasswordRequest,
    RevokeDeviceRequest,
    SearchMessagesReply,
    SearchMessagesRequest,
    SearchUsersReply,
    SearchUsersRequest,
    SendMessageReply,
    SendMessageRequest,
    SetEventHostRequest,
    SetMemberRoleRequest,
    SetPresenceRequest,
    SetRetentionReply,
    SetRetentionRequest,
    SetTypingRequest,
    SignInRequest,
    SignInWithCodeRequest,
    SignInWithTokenRequest,
    SignOutRequest,
    SignedIn,
    SnoozeReminderRequest,
    StartDirectRequest,
    SuggestionReply,
    SuggestionSettings,
    TestPushRequest,
    TransferOwnershipRequest,
    UnblockUserRequest,
    UninviteConversationRequest,
    UnlinkIdentityRequest,
    UnregisterPushRequest,
    UpdateEventRequest,
    UpdateGroupRequest,
    UpdateInboxStateRequest,
    UpdateMarksReply,
    UpdateMarksRequest,
    UpdateMessageStateReply,
    UpdateMessageStateRequest,
    UpdateModelReadingRequest,
    UpdateProfileRequest,
    UpdatePushSettingsRequest,
    UpdateReactionReply,
    UpdateReactionRequest,
    UpdateReminderRequest,
    UpdateSuggestionSettingsRequest,
    WatchPresenceRequest,
    WithdrawInvitationRequest,
    WithdrawRequestRequest,
} from "./messages";

/** Each request by its method, with the types of its request and reply. */
export interface Methods {
    /**
     * Anyone. Creates an account and signs in its first device. Repeating it with the same id and password signs in
     * one more device. Without a username and a password it makes a guest, where the operator lets guests in: see
     * "Guests" in REFERENCE.md. Repeated with the same id within a minute, it signs in the same device of the guest,
     * as SignInWithToken does. Refusals: username_taken, invalid, rate_limited, registration_closed (no new
     * accounts), registration_code_refused (this server wants a code, and has no such code, or not any more),
     * proof_required (this server wants a proof, see GetChallenge; this one is missing, wrong or too old),
     * account_suspended (after a repeated registration).
     */
    "conversations.Register": { request: RegisterRequest; reply: SignedIn };
    /** Anyone. Returns what Register takes as `proof` here: nothing, work, or a token from a page. Refusals: none. */
    "conversations.GetChallenge": { request: GetChallengeRequest; reply: Challenge };
    /**
     * Anyone. Signs in one more device. Repeating it signs in another device. Refusals: wrong_credentials,
     * account_suspended (by the operator, with the reason), rate_limited (after 5 wrong passwords of a person from
     * one address in a minute, and when those of an hour from all addresses and the turns of this one are used up, as
     * the reference says under "Signing in"; neither concerns a device that sends its `known_device`; also after 20
     * right ones of a person in a minute).
     */
    "conversations.SignIn": { request: SignInRequest; reply: SignedIn };
    /**
     * Anyone. Exchanges a refresh token for new tokens. May be repeated with the same token for one minute after its
     * first use, as long as the caller has not used a token that it returned. Later, the old token signs the device
     * out. Refusals: refresh_refused.
     */
    "conversations.RefreshTokens": { request: RefreshTokensRequest; reply: SignedIn };
    /**
     * Anyone. Lists the issuers whose tokens sign people in here, in the operator's order, and says whether guests
     * may come. Refusals: none.
     */
    "conversations.ListIssuers": { request: ListIssuersRequest; reply: ListIssuersReply };
    /**
     * Anyone. Signs in one more device of the person whom an ID token names. The first token of a person makes their
     * account, as Register does. Each token signs in one device: see "Signing in with a token" in REFERENCE.md. May
     * be repeated with the same id and token for one minute: it signs in the same device, whose tokens of either
     * reply are good until those of one are used. A token that is refused stays unused. Refusals: invalid,
     * token_malformed, issuer_unknown, token_algorithm_refused, token_signature_wrong, token_not_for_us,
     * token_expired, token_not_yet_valid, token_nonce_wrong, token_used, account_suspended, rate_limited, unavailable
     * (the keys of the issuer cannot be read now), registration_closed (for a new account, as all that follow),
     * registration_code_refused, proof_required.
     */
    "conversations.SignInWithToken": { request: SignInWithTokenRequest; reply: SignedIn };
    /**
     * Anyone. Signs in one more device of the person who signed in on a page of an issuer: see "Signing in on a page"
     * in REFERENCE.md. The first time it makes their account, as Register does. A code is good for one minute, once.
     * May be repeated with the same id for one minute, as SignInWithToken may be. A code that is refused for what a
     * new account takes stays unused. Refusals: invalid, code_refused (wrong, used or too old, or another device
     * began: begin anew), account_suspended, rate_limited, unavailable, registration_closed (for a new account, as
     * all that follow), registration_code_refused, proof_required.
     */
    "conversations.SignInWithCode": { request: SignInWithCodeRequest; reply: SignedIn };
    /**
     * Self. Lists the identities that sign the caller in, the oldest first, and whether a password does. Refusals:
     * none.
     */
    "conversations.ListIdentities": { request: ListIdentitiesRequest; reply: ListIdentitiesReply };
    /**
     * Self. Adds an identity, which then signs the caller in. Takes what shows that the owner asks: see OwnerProof; a
     * guest has nothing to show, and is none any more. Repeating it with another token of the same identity changes
     * nothing. Refusals: wrong_credentials, owner_unproven, code_refused, rate_limited, identity_in_use (it signs
     * somebody else in), too_many_identities, unavailable, token_malformed, issuer_unknown, token_algorithm_refused,
     * token_signature_wrong, token_not_for_us, token_expired, token_not_yet_valid, token_nonce_wrong, token_used.
     */
    "conversations.LinkIdentity": { request: LinkIdentityRequest; reply: ListIdentitiesReply };
    /**
     * Self. Removes an identity, which then signs nobody in. Devices stay signed in. Takes what shows that the owner
     * asks. Repeated, it is refused with not_found. Refusals: not_found, last_way_in, wrong_credentials,
     * owner_unproven, code_refused, rate_limited, unavailable, token_malformed, issuer_unknown,
     * token_algorithm_refused, token_signature_wrong, token_not_for_us, token_expired, token_not_yet_valid,
     * token_nonce_wrong, token_used.
     */
    "conversations.UnlinkIdentity": { request: UnlinkIdentityRequest; reply: Done };
    /**
     * Self. Changes the caller's password, or gives them their first one. Somebody without a username chooses one
     * with it: a guest is none any more. Takes what shows that the owner asks; a guest has nothing to show. Other
     * devices stay signed in unless the caller ends them: then their sessions close with REVOKED. Repeated after a
     * lost reply, it may be refused with wrong_credentials, owner_unproven or token_used, which mean that it is done.
     * Refusals: invalid, username_taken, wrong_credentials, owner_unproven, code_refused, rate_limited, unavailable,
     * token_malformed, issuer_unknown, token_algorithm_refused, token_signature_wrong, token_not_for_us,
     * token_expired, token_not_yet_valid, token_nonce_wrong, token_used.
     */
    "conversations.ChangePassword": { request: ChangePasswordRequest; reply: Done };
    /**
     * Anyone. Mails a code to an address that is confirmed in a profile, with which its owner sets a new password.
     * The answer is the same whether it is somebody's or not. Repeated, it mails another code, after which the one
     * before is refused. Refusals: invalid, mail_off (this server sends no mail), rate_limited.
     */
    "conversations.RequestPasswordReset": { request: RequestPasswordResetRequest; reply: Done };
    /**
     * Anyone. Sets a new password with a mailed code, and signs out all devices of the account. A code is good for 15
     * minutes, once, and for 5 tries. Repeated after a lost reply, it may be refused with code_refused, which means
     * that it is done if the new password signs in. Refusals: invalid, mail_off, rate_limited, code_refused.
     */
    "conversations.ResetPassword": { request: ResetPasswordRequest; reply: Done };
    /**
     * Self. Mails a code to the address in the caller's profile, with which they confirm that it is theirs. Nothing
     * is sent to an address that is confirmed. Repeated, it mails another code, after which the one before is
     * refused. Refusals: invalid (the profile has no address), guest_may_not, mail_off, rate_limited.
     */
    "conversations.RequestEmailCode": { request: RequestEmailCodeRequest; reply: Done };
    /**
     * Self. Confirms the address in the caller's profile with a mailed code, as in ResetPassword. Whoever had
     * confirmed it before has not any more. Repeating it changes nothing. Refusals: code_refused, mail_off,
     * rate_limited.
     */
    "conversations.ConfirmEmail": { request: ConfirmEmailRequest; reply: Profile };
    /**
     * Anyone. Begins to sign this device in by another one of the same person: show `code` there, as a QR code, and
     * ask FinishDeviceLink every 2 s. See "Another device" in REFERENCE.md. Repeatable: each begins anew. Refusals:
     * invalid, rate_limited.
     */
    "conversations.BeginDeviceLink": { request: BeginDeviceLinkRequest; reply: DeviceLinkBegun };
    /**
     * Self. Returns what asks to be signed in by this code, for the caller to look at before they approve it.
     * Refusals: code_refused.
     */
    "conversations.GetDeviceLink": { request: GetDeviceLinkRequest; reply: DeviceLink };
    /**
     * Self. Lets the device of this code sign in as the caller. Repeating it changes nothing. Refusals: code_refused
     * (also if somebody else approved it).
     */
    "conversations.ApproveDeviceLink": { request: ApproveDeviceLinkRequest; reply: Done };
    /**
     * Anyone. Signs the device in whose link was approved. Repeated within a minute, it signs in the same device, as
     * SignInWithToken does. Refusals: link_pending (nobody approved it yet: ask again in `retry_after_ms`),
     * code_refused, account_suspended, rate_limited, unavailable.
     */
    "conversations.FinishDeviceLink": { request: FinishDeviceLinkRequest; reply: SignedIn };
    /**
     * Self. Signs out this device, or all of the caller's devices. Their sessions close with REVOKED, this one
     * possibly before the reply is sent, and after signing out everywhere transfers of the caller's files end. The
     * secret link of entities.CreateCalendarLink stays: whoever signs out everywhere is asked whether it is to end,
     * and the client calls entities.DeleteCalendarLink first. Repeated, it is refused with unauthenticated, which
     * means that it is done. Refusals: none.
     */
    "conversations.SignOut": { request: SignOutRequest; reply: Done };
    /** Self. Lists the caller's devices, most recently used first. Refusals: none. */
    "conversations.ListDevices": { request: ListDevicesRequest; reply: ListDevicesReply };
    /** Self. Signs out one of the caller's devices. Repeated, it is refused with not_found. Refusals: not_found. */
    "conversations.RevokeDevice": { request: RevokeDeviceRequest; reply: Done };
    /**
     * Self. Erases the caller's account. Immediately nobody can sign in to it or find it, its profile is gone, and
     * its sessions close. A moment later it has left all groups, and its messages are from a deleted user. This
     * cannot be undone. Takes what shows that the owner asks: see OwnerProof. Repeated, it is refused with
     * unauthenticated, which means that it is done. Changes who sees what. Refusals: wrong_credentials,
     * owner_unproven, code_refused, rate_limited, unavailable, token_malformed, issuer_unknown,
     * token_algorithm_refused, token_signature_wrong, token_not_for_us, token_expired, token_not_yet_valid,
     * token_nonce_wrong, token_used.
     */
    "conversations.EraseAccount": { request: EraseAccountRequest; reply: Done };
    /** Self. Returns the caller's profile, including its private fields. Refusals: none. */
    "conversations.GetProfile": { request: GetProfileRequest; reply: Profile };
    /**
     * Self. Changes the named fields of the caller's profile and no others. Everyone who shares a conversation with
     * the caller gets an Update. Whoever had a confirmed address and changes it is told so there. Repeatable.
     * Refusals: username_taken, invalid, guest_may_not (choosing a username).
     */
    "conversations.UpdateProfile": { request: UpdateProfileRequest; reply: Profile };
    /** Signed in. Returns the person with exactly this username. Refusals: user_not_found, guest_may_not. */
    "conversations.FindUser": { request: FindUserRequest; reply: FindUserReply };
    /**
     * Signed in. Returns people by their ids. Unknown ids are left out; deleted people are marked as such. Refusals:
     * none.
     */
    "conversations.GetUsers": { request: GetUsersRequest; reply: GetUsersReply };
    /**
     * Signed in. Finds people whose display name or username contains the text, ignoring case, accents and
     * apostrophes; hyphens are spaces. An email address finds the person with exactly this address who lets others
     * find them by it, if the operator allows that: by default nobody, or only whoever confirmed the address. People
     * with a name that begins with the text come first, then those with a later word that does. Expensive. Paged. A
     * page may have fewer people than requested, or none, although more follow. Refusals: invalid, rate_limited,
     * guest_may_not.
     */
    "conversations.SearchUsers": { request: SearchUsersRequest; reply: SearchUsersReply };
    /**
     * Signed in. Blocks a person. After the reply neither of the two can write in their direct conversation or start
     * one, their requests and invitations to each other end, and neither sees the other's events. The blocked person
     * is not notified. Groups stay as they are, but no mention by the blocked person counts for the caller there, and
     * no message of theirs suggests anything: the reply names those of the caller that the blocked person owns, so
     * that a client can offer to leave them. Repeating it changes nothing. Changes who sees what. Refusals:
     * user_not_found, invalid (myself).
     */
    "conversations.BlockUser": { request: BlockUserRequest; reply: BlockUserReply };
    /** Self. Ends a block by the caller. Repeating it changes nothing. Changes who sees what. Refusals: none. */
    "conversations.UnblockUser": { request: UnblockUserRequest; reply: Done };
    /** Self. Lists the people the caller blocked, latest first. Paged. Refusals: none. */
    "conversations.ListBlocked": { request: ListBlockedRequest; reply: ListBlockedReply };
    /**
     * Signed in. Adds a report of a person, or of a message of theirs that the caller may read or that was deleted
     * since, to the operator's queue. The same id again is the same report. Refusals: user_not_found, not_found,
     * message_not_found, invalid, rate_limited.
     */
    "conversations.CreateReport": { request: CreateReportRequest; reply: Done };
    /** Self. Lists the caller's reports in the order of their ids. Paged. Refusals: none. */
    "conversations.ListReports": { request: ListReportsRequest; reply: ListReportsReply };
    /**
     * Self. Lists what an import from another system kept of the caller, since Parley has no place for it, by where
     * it stood there. Paged. Refusals: none.
     */
    "conversations.ListImported": { request: ListImportedRequest; reply: ListImportedReply };
    /**
     * Signed in. Returns the direct conversation of two people, the same one whoever starts it. With someone who has
     * not accepted the caller it is a message request: pending, and shown to them once it holds a message. If the
     * recipient of a request starts the conversation, that accepts the request. Repeatable. Changes who sees what.
     * Refusals: user_not_found, user_blocked, rate_limited (too many requests, or one withdrawn and asked again),
     * guest_may_not.
     */
    "conversations.StartDirect": { request: StartDirectRequest; reply: ConversationReply };
    /**
     * Member. Or former member. Returns a conversation; a former member gets it as it was when they left. Refusals:
     * not_found.
     */
    "conversations.GetConversation": { request: GetConversationRequest; reply: ConversationReply };
    /**
     * Self. Returns several conversations as GetConversation does, in the order asked for. Leaves out those that are
     * not the caller's. Refusals: none.
     */
    "conversations.GetConversations": { request: GetConversationsRequest; reply: GetConversationsReply };
    /**
     * Self. Returns the conversation of exactly these people and the caller: the direct one, or the newest such
     * group. Refusals: none.
     */
    "conversations.FindConversation": { request: FindConversationRequest; reply: FindConversationReply };
    /**
     * Self. Returns the changes of stream "conversations/u/ME" after a position: the caller's conversations that
     * changed, in order of position. Refusals: none.
     */
    "conversations.Sync": { request: ConversationsSyncRequest; reply: ConversationsSyncReply };
    /**
     * Self. Lists the requests to the caller and their invitations into groups, latest first, and counts them. Paged.
     * Refusals: none.
     */
    "conversations.ListRequests": { request: ListRequestsRequest; reply: ListRequestsReply };
    /**
     * Recipient. Accepts a request, after which both people may write, or an invitation, which makes the caller a
     * member of the group. Repeating it changes nothing. Changes who sees what. Refusals: not_found, forbidden,
     * user_blocked.
     */
    "conversations.AcceptRequest": { request: AcceptRequestRequest; reply: ConversationReply };
    /**
     * Recipient. Removes a request or an invitation from the caller's requests. Whoever sent it is not notified.
     * Repeating it changes nothing. Changes who sees what. Refusals: not_found, forbidden, not_pending.
     */
    "conversations.DeclineRequest": { request: DeclineRequestRequest; reply: Done };
    /**
     * Requester. Withdraws a request, which is then gone for both people. Repeating it changes nothing. Changes who
     * sees what. Refusals: not_found, forbidden, not_pending.
     */
    "conversations.WithdrawRequest": { request: WithdrawRequestRequest; reply: Done };
    /**
     * Self. Marks these requests and invitations as read. Other conversations are ignored. Repeatable. Refusals:
     * none.
     */
    "conversations.MarkRequestsRead": { request: MarkRequestsReadRequest; reply: RequestCount };
    /**
     * Signed in. Creates a group owned by the caller. People who know the caller become members, the others are
     * invited: see "Invitations" in REFERENCE.md. The same id again returns the first result. Refusals:
     * user_not_found, user_blocked (by the caller), id_in_use, group_full, invalid, rate_limited, guest_may_not.
     */
    "conversations.CreateGroup": { request: CreateGroupRequest; reply: ConversationReply };
    /**
     * Owner or admin. Changes the named fields of the group and no others. Repeatable. Refusals: not_found,
     * forbidden, invalid.
     */
    "conversations.UpdateGroup": { request: UpdateGroupRequest; reply: ConversationReply };
    /**
     * Member. Lists all members: the owner first, then admins, then the others by when they joined. Paged. Refusals:
     * not_found.
     */
    "conversations.ListMembers": { request: ListMembersRequest; reply: ListMembersReply };
    /**
     * Owner or admin. Adds people who know the caller to the group and invites the others: see "Invitations" in
     * REFERENCE.md. Members are left as they are, and so are invitations by the caller of the last 30 days; those by
     * others end. Repeating it changes nothing. Changes who sees what. Refusals: not_found, forbidden,
     * user_not_found, user_blocked (by the caller), group_full, rate_limited, guest_may_not.
     */
    "conversations.AddMembers": { request: AddMembersRequest; reply: ConversationReply };
    /**
     * Owner or admin. Lists who is invited and has not joined, by when they were invited. It does not tell who
     * declined, or blocked whoever invited them. Paged. Refusals: not_found, forbidden.
     */
    "conversations.ListInvitations": { request: ListInvitationsRequest; reply: ListInvitationsReply };
    /**
     * Owner or admin. Or the inviter, as a member. Withdraws an invitation. The group is then gone for the invited
     * person. Repeating it changes nothing. Changes who sees what. Refusals: not_found, forbidden, not_pending,
     * invalid.
     */
    "conversations.WithdrawInvitation": { request: WithdrawInvitationRequest; reply: Done };
    /**
     * Owner or admin. Removes a member; only the owner can remove an admin. Messages that the person sends after the
     * reply are refused. Repeating it changes nothing. Changes who sees what. Refusals: not_found, forbidden,
     * invalid.
     */
    "conversations.RemoveMember": { request: RemoveMemberRequest; reply: Done };
    /**
     * Owner. Makes a member an admin, or an admin a member. Repeating it changes nothing. Refusals: not_found,
     * forbidden, invalid.
     */
    "conversations.SetMemberRole": { request: SetMemberRoleRequest; reply: Done };
    /**
     * Owner. Makes another member the owner and the caller an admin. Repeating it changes nothing. Refusals:
     * not_found, forbidden, invalid.
     */
    "conversations.TransferOwnership": { request: TransferOwnershipRequest; reply: Done };
    /**
     * Member. Leaves the group. If the owner leaves, the longest-serving admin becomes the owner; without admins, the
     * longest-serving member. The caller's invitations into the group end. It is never rate-limited. Repeating it
     * changes nothing. Changes who sees what. Refusals: not_found, invalid.
     */
    "conversations.LeaveGroup": { request: LeaveGroupRequest; reply: Done };
    /**
     * Signed in. Creates a reminder that only the caller sees. At its time it fires: `fired_at_us` is set, and every
     * device of the caller gets the Update within a second. A time in the past fires at once. The same id again
     * returns the first result. Refusals: not_member (of the conversation it names), invalid, id_too_old,
     * id_from_future, too_many_reminders (10,000 open ones), rate_limited.
     */
    "entities.CreateReminder": { request: CreateReminderRequest; reply: ReminderReply };
    /** Creator. Returns a reminder. Refusals: not_found. */
    "entities.GetReminder": { request: GetReminderRequest; reply: ReminderReply };
    /**
     * Creator. Changes a reminder. A reminder with another time fires at that time, even if it has fired before.
     * Repeating it changes nothing. Refusals: not_found, invalid, rate_limited.
     */
    "entities.UpdateReminder": { request: UpdateReminderRequest; reply: ReminderReply };
    /**
     * Creator. Moves an open reminder to a later time, at which it fires, even if it has fired before. Repeating it
     * changes nothing. Refusals: not_found, reminder_completed, invalid (a time in the past), rate_limited.
     */
    "entities.SnoozeReminder": { request: SnoozeReminderRequest; reply: ReminderReply };
    /**
     * Creator. Marks a reminder as completed, or as open again. A completed reminder does not fire; open again, it
     * fires if it had not. Repeating it changes nothing. Refusals: not_found, too_many_reminders, rate_limited.
     */
    "entities.CompleteReminder": { request: CompleteReminderRequest; reply: ReminderReply };
    /**
     * Creator. Deletes a reminder. Devices get it with `deleted_at_us` and without its content. Repeating it changes
     * nothing. Refusals: not_found, rate_limited.
     */
    "entities.DeleteReminder": { request: DeleteReminderRequest; reply: ReminderReply };
    /**
     * Self. Lists the caller's reminders by due time. Paged. Refusals: not_member (of the conversation it names),
     * invalid.
     */
    "entities.ListReminders": { request: ListRemindersRequest; reply: ListRemindersReply };
    /**
     * Signed in. Records what was decided: for the caller alone, or shared with the members of a conversation in
     * which the caller may write. A shared decision appears there as a system message (DECISION_SHARED) half a second
     * later at most, if its author may still write by then. The same id again returns the first result. Changes who
     * sees what. Refusals: not_member (of the conversation it names), user_blocked, accept_first, request_pending,
     * id_in_use, id_too_old, id_from_future, invalid, too_large, decision_not_found (supersedes), forbidden (to
     * supersede what another member of a group decided, for members who are neither owner nor admin),
     * already_superseded, too_many_decisions (10,000), rate_limited.
     */
    "entities.CreateDecision": { request: CreateDecisionRequest; reply: DecisionReply };
    /** Creator. Or a member who may read the system message with it. Returns a decision. Refusals: not_found. */
    "entities.GetDecision": { request: GetDecisionRequest; reply: DecisionReply };
    /**
     * Creator. Deletes a decision, and the system message with it. What it superseded holds again. Repeating it
     * changes nothing. Changes who sees what. Refusals: not_found, rate_limited.
     */
    "entities.DeleteDecision": { request: DeleteDecisionRequest; reply: DecisionReply };
    /**
     * Self. Lists decisions, newest first: the caller's own, or with `shared_only` those shared with the conversation
     * that the caller may read. Expensive. Paged. A page may have fewer decisions than requested, or none, although
     * more follow. Refusals: not_member (of the conversation it names), invalid.
     */
    "entities.ListDecisions": { request: ListDecisionsRequest; reply: ListDecisionsReply };
    /**
     * Signed in. Creates an event and invites conversations in which the caller may write. Without any, only the
     * caller sees it. In each conversation it appears as a system message (EVENT_SHARED) half a second later at most,
     * if the caller may still write by then. The caller accepts it at once. The same id again returns the first
     * result. Refusals: not_member (of a conversation it names), user_blocked, accept_first, request_pending,
     * id_in_use, id_too_old, id_from_future, invalid, too_many_events (10,000), rate_limited.
     */
    "entities.CreateEvent": { request: CreateEventRequest; reply: EventReply };
    /**
     * Creator. Or a co-host, somebody who accepted or may come, or a member who may read the system message with it.
     * Returns an event. Refusals: not_found.
     */
    "entities.GetEvent": { request: GetEventRequest; reply: EventReply };
    /**
     * Creator. Or a co-host. Changes an event, if the caller knows its latest version. Repeating it changes nothing.
     * Refusals: not_found, not_host, event_changed (the message says what others changed), event_cancelled, invalid,
     * rate_limited.
     */
    "entities.UpdateEvent": { request: UpdateEventRequest; reply: EventReply };
    /**
     * Creator. Or a co-host. Calls an event off. It stays in every list, with `cancelled_at_us`. Repeating it changes
     * nothing. Refusals: not_found, not_host, rate_limited.
     */
    "entities.CancelEvent": { request: CancelEventRequest; reply: EventReply };
    /**
     * Creator. Deletes an event everywhere, with its system messages. Its devices get it with `deleted_at_us` and
     * without its content. Repeating it changes nothing. Changes who sees what. Refusals: not_found, not_host,
     * rate_limited.
     */
    "entities.DeleteEvent": { request: DeleteEventRequest; reply: EventReply };
    /**
     * Creator. Or a co-host. Invites a conversation in which the caller may write, also one from which the event was
     * withdrawn. Repeating it changes nothing. Changes who sees what. Refusals: not_found, not_host, event_cancelled,
     * not_member, user_blocked, accept_first, request_pending, too_many_conversations (20), rate_limited.
     */
    "entities.InviteConversation": { request: InviteConversationRequest; reply: EventReply };
    /**
     * Creator. Or a co-host. Withdraws the invitation of a conversation, and deletes the system message there. Who
     * neither accepted nor may come no longer sees the event, unless by another conversation. Repeating it changes
     * nothing. Changes who sees what. Refusals: not_found, not_host, rate_limited.
     */
    "entities.UninviteConversation": { request: UninviteConversationRequest; reply: EventReply };
    /**
     * Creator. Asks a person who sees the event to host it too: they are a guest like others until they accept
     * (AnswerEvent). Without `host`, they are no longer asked, and no longer a co-host. Repeating it changes nothing.
     * Changes who sees what. Refusals: not_found, not_host, user_not_invited, host_declined (they declined to host,
     * or to come, and have not said since that they come), too_many_hosts (20, with those asked), too_many_attendees
     * (1,000), rate_limited.
     */
    "entities.SetEventHost": { request: SetEventHostRequest; reply: EventReply };
    /**
     * Creator. Or whoever sees the event. Answers an invitation, for all its dates, from any of the invited
     * conversations, and to whoever asked the caller to host. A later answer replaces it. Who declines no longer
     * hosts, and gets no more Updates of the event until they answer again. Repeating it changes nothing. Changes who
     * sees what. Refusals: not_found, not_member (of the invited conversation it names), user_blocked, accept_first,
     * not_asked (to host), event_cancelled, too_many_attendees (1,000), invalid, rate_limited.
     */
    "entities.AnswerEvent": { request: AnswerEventRequest; reply: EventReply };
    /**
     * Creator. Or whoever sees the event. Lists the people who answered, and what they answered. Paged. Refusals:
     * not_found, invalid.
     */
    "entities.ListAttendees": { request: ListAttendeesRequest; reply: ListAttendeesReply };
    /**
     * Self. Lists the dates of events between two days, by time: those of the caller's own events, of those they
     * answered and of those into which a conversation of theirs is invited. Paged. Refusals: not_member (of the
     * conversation it names), invalid.
     */
    "entities.ListEvents": { request: ListEventsRequest; reply: ListEventsReply };
    /**
     * Creator. Or whoever sees the event. Returns an event, with the people who answered, as a file in the format
     * iCalendar. Expensive. Refusals: not_found.
     */
    "entities.ExportEvent": { request: ExportEventRequest; reply: ExportEventReply };
    /**
     * Self. Makes a secret link by which calendars get the caller's events over HTTP, until it is deleted. The
     * caller's earlier link ends. Repeating it makes another link, and ends the one before. Refusals: rate_limited.
     */
    "entities.CreateCalendarLink": { request: CreateCalendarLinkRequest; reply: CreateCalendarLinkReply };
    /** Self. Ends the caller's secret link. Repeating it changes nothing. Refusals: rate_limited. */
    "entities.DeleteCalendarLink": { request: DeleteCalendarLinkRequest; reply: DeleteCalendarLinkReply };
    /**
     * Self. Lists the caller's open suggestions, newest first. Paged. Refusals: not_member (of the conversation it
     * names), invalid.
     */
    "entities.ListSuggestions": { request: ListSuggestionsRequest; reply: ListSuggestionsReply };
    /**
     * Creator. Here: the person for whom the suggestion was made. Makes what it says, with the changes that the
     * request names. A reminder is the caller's own, and so is a decision unless it is to be shared. An event invites
     * the conversation of the message; if another member made an event of the message before, this answers it. The
     * entity has the id of the first suggestion that was accepted. Repeating it returns the first result. Changes who
     * sees what. Refusals: not_found (also one that was dismissed, or whose message is gone), invalid, rate_limited,
     * not_member (this and those that follow: of what it makes), user_blocked, accept_first, request_pending,
     * event_cancelled, too_many_attendees (1,000), too_many_events (10,000), too_many_reminders (10,000),
     * too_many_decisions (10,000).
     */
    "entities.AcceptSuggestion": { request: AcceptSuggestionRequest; reply: AcceptSuggestionReply };
    /**
     * Creator. Here: the person for whom the suggestion was made. Dismisses it, on all devices. Repeating it changes
     * nothing. Refusals: not_found (also one that was accepted, or whose message is gone), rate_limited.
     */
    "entities.DismissSuggestion": { request: DismissSuggestionRequest; reply: SuggestionReply };
    /** Self. Returns where the caller has turned suggestions off. Refusals: none. */
    "entities.GetSuggestionSettings": { request: GetSuggestionSettingsRequest; reply: SuggestionSettings };
    /**
     * Self. Turns suggestions off or on: all of the caller's, or those of a conversation. Off, open ones are
     * withdrawn. Repeating it changes nothing. Refusals: not_member (of the conversation it names), invalid (more
     * than 1,000 conversations), rate_limited.
     */
    "entities.UpdateSuggestionSettings": { request: UpdateSuggestionSettingsRequest; reply: SuggestionSettings };
    /**
     * Self. Returns whether a language model outside Parley reads the messages of a conversation of the caller, and
     * what the caller has said about it. Refusals: not_member.
     */
    "entities.GetModelReading": { request: GetModelReadingRequest; reply: ModelReading };
    /**
     * Self. Says whether a model may read the messages of a conversation of the caller: of a group its owner, of a
     * direct conversation both people. Each member can keep their own messages from it, in one conversation or
     * everywhere. Repeating it changes nothing. Refusals: not_member, forbidden (to allow it in a group of another
     * owner), invalid (to allow it everywhere; 1,000 conversations), rate_limited.
     */
    "entities.UpdateModelReading": { request: UpdateModelReadingRequest; reply: ModelReading };
    /**
     * Self. Returns the caller's entities that changed after a position of stream "entities/u/ME", in order of
     * position. Refusals: none.
     */
    "entities.Sync": { request: EntitiesSyncRequest; reply: EntitiesSyncReply };
    /**
     * Member. Sends a message. The reply comes once the message is durable. The same id again returns the first
     * result with duplicate = true. Changes who sees what. Refusals: not_member, user_blocked, accept_first,
     * request_pending, id_in_use, id_too_old, id_from_future, invalid, message_not_found (reply_to_seq, forward),
     * attachment_not_found, quota_reached, rate_limited (too many bytes to too many members).
     */
    "messaging.SendMessage": { request: SendMessageRequest; reply: SendMessageReply };
    /**
     * Member. Or former member, each within their window of history. Returns a page of messages in order of seq.
     * Refusals: not_member.
     */
    "messaging.GetHistory": { request: GetHistoryRequest; reply: GetHistoryReply };
    /**
     * Member. Or former member. Returns the messages of a conversation that changed after a position of stream
     * "messaging/c/CONVERSATION". Refusals: not_member.
     */
    "messaging.GetChanges": { request: GetChangesRequest; reply: GetChangesReply };
    /**
     * Self. Returns the conversations with news for the caller since a cursor, and the changes of the caller's own
     * state. The cost grows with the number of changes. Refusals: none.
     */
    "messaging.Sync": { request: MessagingSyncRequest; reply: MessagingSyncReply };
    /**
     * Self. Returns the caller's conversations in one section: pinned ones first, then those with the latest news.
     * Conversations without a message are left out: conversations.Sync has them. Paged; the cost grows with the page.
     * Refusals: invalid.
     */
    "messaging.GetInbox": { request: GetInboxRequest; reply: GetInboxReply };
    /**
     * Self. Returns the number for the app's icon. The cost grows with the number of the caller's conversations.
     * Refusals: none.
     */
    "messaging.GetBadge": { request: GetBadgeRequest; reply: GetBadgeReply };
    /** Self. Returns how much of the server the caller uses, and how much they may use. Refusals: none. */
    "messaging.GetUsage": { request: GetUsageRequest; reply: GetUsageReply };
    /**
     * Member. Changes the text of one of the caller's messages, within the edit window. Repeating it changes nothing.
     * Changes who sees what. Refusals: not_member, user_blocked, accept_first, message_not_found, message_deleted,
     * not_author, edit_window_closed, invalid, too_large.
     */
    "messaging.EditMessage": { request: EditMessageRequest; reply: MessageReply };
    /**
     * Member. Deletes a message for everyone. Its author may do that, and in a group the owner and admins.
     * Repeatable. Changes who sees what. Refusals: not_member, message_not_found, not_author.
     */
    "messaging.DeleteMessage": { request: DeleteMessageRequest; reply: MessageReply };
    /**
     * Member. Or former member. Returns the earlier texts of an edited message, oldest first. Refusals: not_member,
     * message_not_found.
     */
    "messaging.ListRevisions": { request: ListRevisionsRequest; reply: ListRevisionsReply };
    /**
     * Member. Adds or removes a reaction; each person has at most one of each emoji. Repeatable. Refusals:
     * not_member, user_blocked, accept_first, message_not_found, message_deleted, too_many_reactions, invalid.
     */
    "messaging.UpdateReaction": { request: UpdateReactionRequest; reply: UpdateReactionReply };
    /**
     * Member. Or former member. Lists the reactions to a message, in the order they were added. Paged. Refusals:
     * not_member, message_not_found, invalid.
     */
    "messaging.ListReactions": { request: ListReactionsRequest; reply: ListReactionsReply };
    /**
     * Member. Or former member. Returns a thread's messages, including the first one, in order of seq. Refusals:
     * not_member, message_not_found.
     */
    "messaging.GetThread": { request: GetThreadRequest; reply: GetHistoryReply };
    /**
     * Self. Moves the caller's read and delivered marks in up to 100 conversations, forwards only. Repeatable.
     * Conversations that are not the caller's, or have no message for the caller, are left out of the reply.
     * Refusals: none.
     */
    "messaging.UpdateMarks": { request: UpdateMarksRequest; reply: UpdateMarksReply };
    /**
     * Member. Lists how far the other members have read. Paged. In groups of more than 64 members there are no live
     * Updates of this. Refusals: not_member, invalid.
     */
    "messaging.ListReceipts": { request: ListReceiptsRequest; reply: ListReceiptsReply };
    /**
     * Member. Lists who has read a message, and when, and to whom it was delivered. Paged. Refusals: not_member,
     * message_not_found, invalid.
     */
    "messaging.ListReaders": { request: ListReadersRequest; reply: ListReadersReply };
    /**
     * Member. Or former member. Pins, mutes, archives or marks unread a conversation, for the caller alone.
     * Repeatable. Refusals: not_member, too_many_pinned, invalid.
     */
    "messaging.UpdateInboxState": { request: UpdateInboxStateRequest; reply: InboxStateReply };
    /**
     * Member. Or former member. Deletes the conversation's messages up to a seq, for the caller alone. The
     * conversation is hidden until a later message arrives. Repeatable. Changes who sees what. Refusals: not_member.
     */
    "messaging.ClearConversation": { request: ClearConversationRequest; reply: InboxStateReply };
    /**
     * Member. Or former member. Stars messages, or hides them, for the caller alone. Repeatable. Changes who sees
     * what. Refusals: not_member, message_not_found, too_many_starred.
     */
    "messaging.UpdateMessageState": { request: UpdateMessageStateRequest; reply: UpdateMessageStateReply };
    /**
     * Self. Lists the messages that the caller starred or that mention the caller, in all conversations, newest
     * first. Leaves out mentions by people whom the caller blocks. Paged. Refusals: invalid.
     */
    "messaging.ListMentionsAndStars": { request: ListMentionsAndStarsRequest; reply: ListMentionsAndStarsReply };
    /**
     * Self. Finds messages that the caller may read and that contain all the words, best match first. Expensive.
     * Paged. Refusals: invalid, not_member.
     */
    "messaging.SearchMessages": { request: SearchMessagesRequest; reply: SearchMessagesReply };
    /**
     * Member. In a group, its owner and admins. Sets how long after sending a message disappears. With `also_old`,
     * this applies to existing messages too: in a group to all, in a direct conversation to the caller's own.
     * Repeatable. Changes who sees what. Refusals: not_member, forbidden, user_blocked, accept_first, invalid.
     */
    "messaging.SetRetention": { request: SetRetentionRequest; reply: SetRetentionReply };
    /**
     * Member. Registers a file to be sent to a conversation, and returns an upload URL. The same id again returns a
     * new URL. Refusals: not_member, user_blocked, accept_first, id_in_use, id_too_old, id_from_future, too_large,
     * invalid, rate_limited, quota_reached.
     */
    "messaging.CreateAttachment": { request: CreateAttachmentRequest; reply: CreateAttachmentReply };
    /**
     * Member. Or former member. Returns a download URL, valid for some minutes, for the file of a message that the
     * caller may read, or with `attachment` for a file that the caller sent to the conversation, even if they may no
     * longer read its message. Refusals: not_member, message_not_found, attachment_not_found.
     */
    "messaging.GetAttachment": { request: GetAttachmentRequest; reply: GetAttachmentReply };
    /**
     * Self. Lists the files that the caller sent, forwarded ones too, oldest first. Those of deleted messages are
     * gone. Paged. Refusals: none.
     */
    "messaging.ListAttachments": { request: ListAttachmentsRequest; reply: ListAttachmentsReply };
    /**
     * Self. Registers the caller's device for pushes, in place of what it registered before. A token belongs to the
     * device that registered it last. It ends when the device is signed out, and when the push service says that it
     * is dead. With more devices than allowed (20) the one that registered longest ago is forgotten. Repeating it
     * changes nothing. Refusals: invalid, rate_limited.
     */
    "notifications.RegisterPush": { request: RegisterPushRequest; reply: PushDevice };
    /** Self. Ends pushes to one of the caller's devices. Repeating it changes nothing. Refusals: rate_limited. */
    "notifications.UnregisterPush": { request: UnregisterPushRequest; reply: Done };
    /**
     * Self. Returns the caller's devices that are registered for pushes, with what became of the last one sent to
     * each, and over what this server sends. Refusals: none.
     */
    "notifications.ListPushDevices": { request: ListPushDevicesRequest; reply: ListPushDevicesReply };
    /**
     * Self. Sends a push that says so to the caller's own device, whatever the settings are, and also while the app
     * is open. Repeated, it sends another. Refusals: not_found (the device is not registered for pushes),
     * rate_limited.
     */
    "notifications.TestPush": { request: TestPushRequest; reply: Done };
    /** Self. Returns of what the caller is told by pushes. Refusals: none. */
    "notifications.GetPushSettings": { request: GetPushSettingsRequest; reply: PushSettings };
    /**
     * Self. Changes of what the caller is told by pushes, on all devices. What the request does not have stays as it
     * is. Repeating it changes nothing. Refusals: not_member (of the conversation it names), invalid (also more than
     * 500 conversations), rate_limited.
     */
    "notifications.UpdatePushSettings": { request: UpdatePushSettingsRequest; reply: PushSettings };
    /**
     * Signed in. Returns who is online. People look offline if they share no conversation with the caller, have not
     * accepted the caller yet, blocked the caller, or hide from the caller, and all do to a caller who hides from
     * them. Refusals: none.
     */
    "presence.GetPresence": { request: GetPresenceRequest; reply: PresenceReply };
    /**
     * Signed in. Replies like GetPresence, then sends Updates of kind "PresenceState". Replaces the session's earlier
     * watch. The watch ends with the session, or 90 s after the last request: renew it every 60 s. Refusals: none.
     */
    "presence.WatchPresence": { request: WatchPresenceRequest; reply: PresenceReply };
    /** Self. Returns what the caller says of themselves on all devices. Refusals: none. */
    "presence.GetOwnPresence": { request: GetOwnPresenceRequest; reply: OwnPresence };
    /**
     * Self. Changes what the caller says of themselves on all devices. What the request does not have stays as it is.
     * Repeating it changes nothing. What one session does, the frame `set_activity` says. Refusals: invalid,
     * rate_limited.
     */
    "presence.SetPresence": { request: SetPresenceRequest; reply: OwnPresence };
    /**
     * Member. Says that the caller is typing in the conversation, or no longer is. Send it when they begin, again
     * every 2 s while they go on, and when they stop; a refused one need not be repeated. Typing ends 3 s after the
     * last request by the server's clock, with the session, and when the session types in another conversation. The
     * other members get Updates of kind "Typing"; nobody does while the conversation is a request, or hears of
     * somebody whom they block or who blocks them. Who hides from all types unseen and hears of nobody; who hides
     * from all but accepted people, in groups. Refusals: not_member, rate_limited.
     */
    "presence.SetTyping": { request: SetTypingRequest; reply: Done };
}

/** The name of a request: its service, a dot, the request. */
export type Method = keyof Methods;
