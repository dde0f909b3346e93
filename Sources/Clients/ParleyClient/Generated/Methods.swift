// Generated from *.proto (sha256 b2447acba9c9801e47a93629ba5ec14e0a6ffe142dbec1594ea801c888d7c9a0) by proto/generate. Do not edit.

// swift-format-ignore-file

/// The requests of parley-conversations.
public enum ConversationsMethods {
    /// Anyone. Creates an account and signs in its first device. Repeating it with the same id and password signs in
    /// one more device. Without a username and a password it makes a guest, where the operator lets guests in: see
    /// "Guests" in REFERENCE.md. Repeated with the same id within a minute, it signs in the same device of the guest,
    /// as SignInWithToken does. Refusals: username_taken, invalid, rate_limited, registration_closed (no new
    /// accounts), registration_code_refused (this server wants a code, and has no such code, or not any more),
    /// proof_required (this server wants a proof, see GetChallenge; this one is missing, wrong or too old),
    /// account_suspended (after a repeated registration).
    public static let register = Method<Parley_V1_RegisterRequest, Parley_V1_SignedIn>("conversations.Register")
    /// Anyone. Returns what Register takes as `proof` here: nothing, work, or a token from a page. Refusals: none.
    public static let getChallenge = Method<Parley_V1_GetChallengeRequest, Parley_V1_Challenge>("conversations.GetChallenge")
    /// Anyone. Signs in one more device. Repeating it signs in another device. Refusals: wrong_credentials,
    /// account_suspended (by the operator, with the reason), rate_limited (after 5 wrong passwords of a person from
    /// one address in a minute, and when those of an hour from all addresses and the turns of this one are used up,
    /// as the reference says under "Signing in"; neither concerns a device that sends its `known_device`; also after
    /// 20 right ones of a person in a minute).
    public static let signIn = Method<Parley_V1_SignInRequest, Parley_V1_SignedIn>("conversations.SignIn")
    /// Anyone. Exchanges a refresh token for new tokens. May be repeated with the same token for one minute after its
    /// first use, as long as the caller has not used a token that it returned. Later, the old token signs the device
    /// out. Refusals: refresh_refused.
    public static let refreshTokens = Method<Parley_V1_RefreshTokensRequest, Parley_V1_SignedIn>("conversations.RefreshTokens")
    /// Anyone. Lists the issuers whose tokens sign people in here, in the operator's order, and says whether guests
    /// may come. Refusals: none.
    public static let listIssuers = Method<Parley_V1_ListIssuersRequest, Parley_V1_ListIssuersReply>("conversations.ListIssuers")
    /// Anyone. Signs in one more device of the person whom an ID token names. The first token of a person makes their
    /// account, as Register does. Each token signs in one device: see "Signing in with a token" in REFERENCE.md. May
    /// be repeated with the same id and token for one minute: it signs in the same device, whose tokens of either
    /// reply are good until those of one are used. A token that is refused stays unused. Refusals: invalid,
    /// token_malformed, issuer_unknown, token_algorithm_refused, token_signature_wrong, token_not_for_us,
    /// token_expired, token_not_yet_valid, token_nonce_wrong, token_used, account_suspended, rate_limited,
    /// unavailable (the keys of the issuer cannot be read now), registration_closed (for a new account, as all that
    /// follow), registration_code_refused, proof_required.
    public static let signInWithToken = Method<Parley_V1_SignInWithTokenRequest, Parley_V1_SignedIn>("conversations.SignInWithToken")
    /// Anyone. Signs in one more device of the person who signed in on a page of an issuer: see "Signing in on a
    /// page" in REFERENCE.md. The first time it makes their account, as Register does. A code is good for one minute,
    /// once. May be repeated with the same id for one minute, as SignInWithToken may be. A code that is refused for
    /// what a new account takes stays unused. Refusals: invalid, code_refused (wrong, used or too old, or another
    /// device began: begin anew), account_suspended, rate_limited, unavailable, registration_closed (for a new
    /// account, as all that follow), registration_code_refused, proof_required.
    public static let signInWithCode = Method<Parley_V1_SignInWithCodeRequest, Parley_V1_SignedIn>("conversations.SignInWithCode")
    /// Self. Lists the identities that sign the caller in, the oldest first, and whether a password does. Refusals:
    /// none.
    public static let listIdentities = Method<Parley_V1_ListIdentitiesRequest, Parley_V1_ListIdentitiesReply>("conversations.ListIdentities")
    /// Self. Adds an identity, which then signs the caller in. Takes what shows that the owner asks: see OwnerProof;
    /// a guest has nothing to show, and is none any more. Repeating it with another token of the same identity
    /// changes nothing. Refusals: wrong_credentials, owner_unproven, code_refused, rate_limited, identity_in_use (it
    /// signs somebody else in), too_many_identities, unavailable, token_malformed, issuer_unknown,
    /// token_algorithm_refused, token_signature_wrong, token_not_for_us, token_expired, token_not_yet_valid,
    /// token_nonce_wrong, token_used.
    public static let linkIdentity = Method<Parley_V1_LinkIdentityRequest, Parley_V1_ListIdentitiesReply>("conversations.LinkIdentity")
    /// Self. Removes an identity, which then signs nobody in. Devices stay signed in. Takes what shows that the owner
    /// asks. Repeated, it is refused with not_found. Refusals: not_found, last_way_in, wrong_credentials,
    /// owner_unproven, code_refused, rate_limited, unavailable, token_malformed, issuer_unknown,
    /// token_algorithm_refused, token_signature_wrong, token_not_for_us, token_expired, token_not_yet_valid,
    /// token_nonce_wrong, token_used.
    public static let unlinkIdentity = Method<Parley_V1_UnlinkIdentityRequest, Parley_V1_Done>("conversations.UnlinkIdentity")
    /// Self. Changes the caller's password, or gives them their first one. Somebody without a username chooses one
    /// with it: a guest is none any more. Takes what shows that the owner asks; a guest has nothing to show. Other
    /// devices stay signed in unless the caller ends them: then their sessions close with REVOKED. Repeated after a
    /// lost reply, it may be refused with wrong_credentials, owner_unproven or token_used, which mean that it is
    /// done. Refusals: invalid, username_taken, wrong_credentials, owner_unproven, code_refused, rate_limited,
    /// unavailable, token_malformed, issuer_unknown, token_algorithm_refused, token_signature_wrong,
    /// token_not_for_us, token_expired, token_not_yet_valid, token_nonce_wrong, token_used.
    public static let changePassword = Method<Parley_V1_ChangePasswordRequest, Parley_V1_Done>("conversations.ChangePassword")
    /// Anyone. Mails a code to an address that is confirmed in a profile, with which its owner sets a new password.
    /// The answer is the same whether it is somebody's or not. Repeated, it mails another code, after which the one
    /// before is refused. Refusals: invalid, mail_off (this server sends no mail), rate_limited.
    public static let requestPasswordReset = Method<Parley_V1_RequestPasswordResetRequest, Parley_V1_Done>("conversations.RequestPasswordReset")
    /// Anyone. Sets a new password with a mailed code, and signs out all devices of the account. A code is good for
    /// 15 minutes, once, and for 5 tries. Repeated after a lost reply, it may be refused with code_refused, which
    /// means that it is done if the new password signs in. Refusals: invalid, mail_off, rate_limited, code_refused.
    public static let resetPassword = Method<Parley_V1_ResetPasswordRequest, Parley_V1_Done>("conversations.ResetPassword")
    /// Self. Mails a code to the address in the caller's profile, with which they confirm that it is theirs. Nothing
    /// is sent to an address that is confirmed. Repeated, it mails another code, after which the one before is
    /// refused. Refusals: invalid (the profile has no address), guest_may_not, mail_off, rate_limited.
    public static let requestEmailCode = Method<Parley_V1_RequestEmailCodeRequest, Parley_V1_Done>("conversations.RequestEmailCode")
    /// Self. Confirms the address in the caller's profile with a mailed code, as in ResetPassword. Whoever had
    /// confirmed it before has not any more. Repeating it changes nothing. Refusals: code_refused, mail_off,
    /// rate_limited.
    public static let confirmEmail = Method<Parley_V1_ConfirmEmailRequest, Parley_V1_Profile>("conversations.ConfirmEmail")
    /// Anyone. Begins to sign this device in by another one of the same person: show `code` there, as a QR code, and
    /// ask FinishDeviceLink every 2 s. See "Another device" in REFERENCE.md. Repeatable: each begins anew. Refusals:
    /// invalid, rate_limited.
    public static let beginDeviceLink = Method<Parley_V1_BeginDeviceLinkRequest, Parley_V1_DeviceLinkBegun>("conversations.BeginDeviceLink")
    /// Self. Returns what asks to be signed in by this code, for the caller to look at before they approve it.
    /// Refusals: code_refused.
    public static let getDeviceLink = Method<Parley_V1_GetDeviceLinkRequest, Parley_V1_DeviceLink>("conversations.GetDeviceLink")
    /// Self. Lets the device of this code sign in as the caller. Repeating it changes nothing. Refusals: code_refused
    /// (also if somebody else approved it).
    public static let approveDeviceLink = Method<Parley_V1_ApproveDeviceLinkRequest, Parley_V1_Done>("conversations.ApproveDeviceLink")
    /// Anyone. Signs the device in whose link was approved. Repeated within a minute, it signs in the same device, as
    /// SignInWithToken does. Refusals: link_pending (nobody approved it yet: ask again in `retry_after_ms`),
    /// code_refused, account_suspended, rate_limited, unavailable.
    public static let finishDeviceLink = Method<Parley_V1_FinishDeviceLinkRequest, Parley_V1_SignedIn>("conversations.FinishDeviceLink")
    /// Self. Signs out this device, or all of the caller's devices. Their sessions close with REVOKED, this one
    /// possibly before the reply is sent, and after signing out everywhere transfers of the caller's files end. The
    /// secret link of entities.CreateCalendarLink stays: whoever signs out everywhere is asked whether it is to end,
    /// and the client calls entities.DeleteCalendarLink first. Repeated, it is refused with unauthenticated, which
    /// means that it is done. Refusals: none.
    public static let signOut = Method<Parley_V1_SignOutRequest, Parley_V1_Done>("conversations.SignOut")
    /// Self. Lists the caller's devices, most recently used first. Refusals: none.
    public static let listDevices = Method<Parley_V1_ListDevicesRequest, Parley_V1_ListDevicesReply>("conversations.ListDevices")
    /// Self. Signs out one of the caller's devices. Repeated, it is refused with not_found. Refusals: not_found.
    public static let revokeDevice = Method<Parley_V1_RevokeDeviceRequest, Parley_V1_Done>("conversations.RevokeDevice")
    /// Self. Erases the caller's account. Immediately nobody can sign in to it or find it, its profile is gone, and
    /// its sessions close. A moment later it has left all groups, and its messages are from a deleted user. This
    /// cannot be undone. Takes what shows that the owner asks: see OwnerProof. Repeated, it is refused with
    /// unauthenticated, which means that it is done. Changes who sees what. Refusals: wrong_credentials,
    /// owner_unproven, code_refused, rate_limited, unavailable, token_malformed, issuer_unknown,
    /// token_algorithm_refused, token_signature_wrong, token_not_for_us, token_expired, token_not_yet_valid,
    /// token_nonce_wrong, token_used.
    public static let eraseAccount = Method<Parley_V1_EraseAccountRequest, Parley_V1_Done>("conversations.EraseAccount")
    /// Self. Returns the caller's profile, including its private fields. Refusals: none.
    public static let getProfile = Method<Parley_V1_GetProfileRequest, Parley_V1_Profile>("conversations.GetProfile")
    /// Self. Changes the named fields of the caller's profile and no others. Everyone who shares a conversation with
    /// the caller gets an Update. Whoever had a confirmed address and changes it is told so there. Repeatable.
    /// Refusals: username_taken, invalid, guest_may_not (choosing a username).
    public static let updateProfile = Method<Parley_V1_UpdateProfileRequest, Parley_V1_Profile>("conversations.UpdateProfile")
    /// Signed in. Returns the person with exactly this username. Refusals: user_not_found, guest_may_not.
    public static let findUser = Method<Parley_V1_FindUserRequest, Parley_V1_FindUserReply>("conversations.FindUser")
    /// Signed in. Returns people by their ids. Unknown ids are left out; deleted people are marked as such. Refusals:
    /// none.
    public static let getUsers = Method<Parley_V1_GetUsersRequest, Parley_V1_GetUsersReply>("conversations.GetUsers")
    /// Signed in. Finds people whose display name or username contains the text, ignoring case, accents and
    /// apostrophes; hyphens are spaces. An email address finds the person with exactly this address who lets others
    /// find them by it, if the operator allows that: by default nobody, or only whoever confirmed the address. People
    /// with a name that begins with the text come first, then those with a later word that does. Expensive. Paged. A
    /// page may have fewer people than requested, or none, although more follow. Refusals: invalid, rate_limited,
    /// guest_may_not.
    public static let searchUsers = Method<Parley_V1_SearchUsersRequest, Parley_V1_SearchUsersReply>("conversations.SearchUsers")
    /// Signed in. Blocks a person. After the reply neither of the two can write in their direct conversation or start
    /// one, their requests and invitations to each other end, and neither sees the other's events. The blocked person
    /// is not notified. Groups stay as they are, but no mention by the blocked person counts for the caller there,
    /// and no message of theirs suggests anything: the reply names those of the caller that the blocked person owns,
    /// so that a client can offer to leave them. Repeating it changes nothing. Changes who sees what. Refusals:
    /// user_not_found, invalid (myself).
    public static let blockUser = Method<Parley_V1_BlockUserRequest, Parley_V1_BlockUserReply>("conversations.BlockUser")
    /// Self. Ends a block by the caller. Repeating it changes nothing. Changes who sees what. Refusals: none.
    public static let unblockUser = Method<Parley_V1_UnblockUserRequest, Parley_V1_Done>("conversations.UnblockUser")
    /// Self. Lists the people the caller blocked, latest first. Paged. Refusals: none.
    public static let listBlocked = Method<Parley_V1_ListBlockedRequest, Parley_V1_ListBlockedReply>("conversations.ListBlocked")
    /// Signed in. Adds a report of a person, or of a message of theirs that the caller may read or that was deleted
    /// since, to the operator's queue. The same id again is the same report. Refusals: user_not_found, not_found,
    /// message_not_found, invalid, rate_limited.
    public static let createReport = Method<Parley_V1_CreateReportRequest, Parley_V1_Done>("conversations.CreateReport")
    /// Self. Lists the caller's reports in the order of their ids. Paged. Refusals: none.
    public static let listReports = Method<Parley_V1_ListReportsRequest, Parley_V1_ListReportsReply>("conversations.ListReports")
    /// Self. Lists what an import from another system kept of the caller, since Parley has no place for it, by where
    /// it stood there. Paged. Refusals: none.
    public static let listImported = Method<Parley_V1_ListImportedRequest, Parley_V1_ListImportedReply>("conversations.ListImported")
    /// Signed in. Returns the direct conversation of two people, the same one whoever starts it. With someone who has
    /// not accepted the caller it is a message request: pending, and shown to them once it holds a message. If the
    /// recipient of a request starts the conversation, that accepts the request. Repeatable. Changes who sees what.
    /// Refusals: user_not_found, user_blocked, rate_limited (too many requests, or one withdrawn and asked again),
    /// guest_may_not.
    public static let startDirect = Method<Parley_V1_StartDirectRequest, Parley_V1_ConversationReply>("conversations.StartDirect")
    /// Member. Or former member. Returns a conversation; a former member gets it as it was when they left. Refusals:
    /// not_found.
    public static let getConversation = Method<Parley_V1_GetConversationRequest, Parley_V1_ConversationReply>("conversations.GetConversation")
    /// Self. Returns several conversations as GetConversation does, in the order asked for. Leaves out those that are
    /// not the caller's. Refusals: none.
    public static let getConversations = Method<Parley_V1_GetConversationsRequest, Parley_V1_GetConversationsReply>("conversations.GetConversations")
    /// Self. Returns the conversation of exactly these people and the caller: the direct one, or the newest such
    /// group. Refusals: none.
    public static let findConversation = Method<Parley_V1_FindConversationRequest, Parley_V1_FindConversationReply>("conversations.FindConversation")
    /// Self. Returns the changes of stream "conversations/u/ME" after a position: the caller's conversations that
    /// changed, in order of position. Refusals: none.
    public static let sync = Method<Parley_V1_ConversationsSyncRequest, Parley_V1_ConversationsSyncReply>("conversations.Sync")
    /// Self. Lists the requests to the caller and their invitations into groups, latest first, and counts them.
    /// Paged. Refusals: none.
    public static let listRequests = Method<Parley_V1_ListRequestsRequest, Parley_V1_ListRequestsReply>("conversations.ListRequests")
    /// Recipient. Accepts a request, after which both people may write, or an invitation, which makes the caller a
    /// member of the group. Repeating it changes nothing. Changes who sees what. Refusals: not_found, forbidden,
    /// user_blocked.
    public static let acceptRequest = Method<Parley_V1_AcceptRequestRequest, Parley_V1_ConversationReply>("conversations.AcceptRequest")
    /// Recipient. Removes a request or an invitation from the caller's requests. Whoever sent it is not notified.
    /// Repeating it changes nothing. Changes who sees what. Refusals: not_found, forbidden, not_pending.
    public static let declineRequest = Method<Parley_V1_DeclineRequestRequest, Parley_V1_Done>("conversations.DeclineRequest")
    /// Requester. Withdraws a request, which is then gone for both people. Repeating it changes nothing. Changes who
    /// sees what. Refusals: not_found, forbidden, not_pending.
    public static let withdrawRequest = Method<Parley_V1_WithdrawRequestRequest, Parley_V1_Done>("conversations.WithdrawRequest")
    /// Self. Marks these requests and invitations as read. Other conversations are ignored. Repeatable. Refusals:
    /// none.
    public static let markRequestsRead = Method<Parley_V1_MarkRequestsReadRequest, Parley_V1_RequestCount>("conversations.MarkRequestsRead")
    /// Signed in. Creates a group owned by the caller. People who know the caller become members, the others are
    /// invited: see "Invitations" in REFERENCE.md. The same id again returns the first result. Refusals:
    /// user_not_found, user_blocked (by the caller), id_in_use, group_full, invalid, rate_limited, guest_may_not.
    public static let createGroup = Method<Parley_V1_CreateGroupRequest, Parley_V1_ConversationReply>("conversations.CreateGroup")
    /// Owner or admin. Changes the named fields of the group and no others. Repeatable. Refusals: not_found,
    /// forbidden, invalid.
    public static let updateGroup = Method<Parley_V1_UpdateGroupRequest, Parley_V1_ConversationReply>("conversations.UpdateGroup")
    /// Member. Lists all members: the owner first, then admins, then the others by when they joined. Paged. Refusals:
    /// not_found.
    public static let listMembers = Method<Parley_V1_ListMembersRequest, Parley_V1_ListMembersReply>("conversations.ListMembers")
    /// Owner or admin. Adds people who know the caller to the group and invites the others: see "Invitations" in
    /// REFERENCE.md. Members are left as they are, and so are invitations by the caller of the last 30 days; those by
    /// others end. Repeating it changes nothing. Changes who sees what. Refusals: not_found, forbidden,
    /// user_not_found, user_blocked (by the caller), group_full, rate_limited, guest_may_not.
    public static let addMembers = Method<Parley_V1_AddMembersRequest, Parley_V1_ConversationReply>("conversations.AddMembers")
    /// Owner or admin. Lists who is invited and has not joined, by when they were invited. It does not tell who
    /// declined, or blocked whoever invited them. Paged. Refusals: not_found, forbidden.
    public static let listInvitations = Method<Parley_V1_ListInvitationsRequest, Parley_V1_ListInvitationsReply>("conversations.ListInvitations")
    /// Owner or admin. Or the inviter, as a member. Withdraws an invitation. The group is then gone for the invited
    /// person. Repeating it changes nothing. Changes who sees what. Refusals: not_found, forbidden, not_pending,
    /// invalid.
    public static let withdrawInvitation = Method<Parley_V1_WithdrawInvitationRequest, Parley_V1_Done>("conversations.WithdrawInvitation")
    /// Owner or admin. Removes a member; only the owner can remove an admin. Messages that the person sends after the
    /// reply are refused. Repeating it changes nothing. Changes who sees what. Refusals: not_found, forbidden,
    /// invalid.
    public static let removeMember = Method<Parley_V1_RemoveMemberRequest, Parley_V1_Done>("conversations.RemoveMember")
    /// Owner. Makes a member an admin, or an admin a member. Repeating it changes nothing. Refusals: not_found,
    /// forbidden, invalid.
    public static let setMemberRole = Method<Parley_V1_SetMemberRoleRequest, Parley_V1_Done>("conversations.SetMemberRole")
    /// Owner. Makes another member the owner and the caller an admin. Repeating it changes nothing. Refusals:
    /// not_found, forbidden, invalid.
    public static let transferOwnership = Method<Parley_V1_TransferOwnershipRequest, Parley_V1_Done>("conversations.TransferOwnership")
    /// Member. Leaves the group. If the owner leaves, the longest-serving admin becomes the owner; without admins,
    /// the longest-serving member. The caller's invitations into the group end. It is never rate-limited. Repeating
    /// it changes nothing. Changes who sees what. Refusals: not_found, invalid.
    public static let leaveGroup = Method<Parley_V1_LeaveGroupRequest, Parley_V1_Done>("conversations.LeaveGroup")
}

/// The requests of parley-entities.
public enum EntitiesMethods {
    /// Signed in. Creates a reminder that only the caller sees. At its time it fires: `fired_at_us` is set, and every
    /// device of the caller gets the Update within a second. A time in the past fires at once. The same id again
    /// returns the first result. Refusals: not_member (of the conversation it names), invalid, id_too_old,
    /// id_from_future, too_many_reminders (10,000 open ones), rate_limited.
    public static let createReminder = Method<Parley_V1_CreateReminderRequest, Parley_V1_ReminderReply>("entities.CreateReminder")
    /// Creator. Returns a reminder. Refusals: not_found.
    public static let getReminder = Method<Parley_V1_GetReminderRequest, Parley_V1_ReminderReply>("entities.GetReminder")
    /// Creator. Changes a reminder. A reminder with another time fires at that time, even if it has fired before.
    /// Repeating it changes nothing. Refusals: not_found, invalid, rate_limited.
    public static let updateReminder = Method<Parley_V1_UpdateReminderRequest, Parley_V1_ReminderReply>("entities.UpdateReminder")
    /// Creator. Moves an open reminder to a later time, at which it fires, even if it has fired before. Repeating it
    /// changes nothing. Refusals: not_found, reminder_completed, invalid (a time in the past), rate_limited.
    public static let snoozeReminder = Method<Parley_V1_SnoozeReminderRequest, Parley_V1_ReminderReply>("entities.SnoozeReminder")
    /// Creator. Marks a reminder as completed, or as open again. A completed reminder does not fire; open again, it
    /// fires if it had not. Repeating it changes nothing. Refusals: not_found, too_many_reminders, rate_limited.
    public static let completeReminder = Method<Parley_V1_CompleteReminderRequest, Parley_V1_ReminderReply>("entities.CompleteReminder")
    /// Creator. Deletes a reminder. Devices get it with `deleted_at_us` and without its content. Repeating it changes
    /// nothing. Refusals: not_found, rate_limited.
    public static let deleteReminder = Method<Parley_V1_DeleteReminderRequest, Parley_V1_ReminderReply>("entities.DeleteReminder")
    /// Self. Lists the caller's reminders by due time. Paged. Refusals: not_member (of the conversation it names),
    /// invalid.
    public static let listReminders = Method<Parley_V1_ListRemindersRequest, Parley_V1_ListRemindersReply>("entities.ListReminders")
    /// Signed in. Records what was decided: for the caller alone, or shared with the members of a conversation in
    /// which the caller may write. A shared decision appears there as a system message (DECISION_SHARED) half a
    /// second later at most, if its author may still write by then. The same id again returns the first result.
    /// Changes who sees what. Refusals: not_member (of the conversation it names), user_blocked, accept_first,
    /// request_pending, id_in_use, id_too_old, id_from_future, invalid, too_large, decision_not_found (supersedes),
    /// forbidden (to supersede what another member of a group decided, for members who are neither owner nor admin),
    /// already_superseded, too_many_decisions (10,000), rate_limited.
    public static let createDecision = Method<Parley_V1_CreateDecisionRequest, Parley_V1_DecisionReply>("entities.CreateDecision")
    /// Creator. Or a member who may read the system message with it. Returns a decision. Refusals: not_found.
    public static let getDecision = Method<Parley_V1_GetDecisionRequest, Parley_V1_DecisionReply>("entities.GetDecision")
    /// Creator. Deletes a decision, and the system message with it. What it superseded holds again. Repeating it
    /// changes nothing. Changes who sees what. Refusals: not_found, rate_limited.
    public static let deleteDecision = Method<Parley_V1_DeleteDecisionRequest, Parley_V1_DecisionReply>("entities.DeleteDecision")
    /// Self. Lists decisions, newest first: the caller's own, or with `shared_only` those shared with the
    /// conversation that the caller may read. Expensive. Paged. A page may have fewer decisions than requested, or
    /// none, although more follow. Refusals: not_member (of the conversation it names), invalid.
    public static let listDecisions = Method<Parley_V1_ListDecisionsRequest, Parley_V1_ListDecisionsReply>("entities.ListDecisions")
    /// Signed in. Creates an event and invites conversations in which the caller may write. Without any, only the
    /// caller sees it. In each conversation it appears as a system message (EVENT_SHARED) half a second later at
    /// most, if the caller may still write by then. The caller accepts it at once. The same id again returns the
    /// first result. Refusals: not_member (of a conversation it names), user_blocked, accept_first, request_pending,
    /// id_in_use, id_too_old, id_from_future, invalid, too_many_events (10,000), rate_limited.
    public static let createEvent = Method<Parley_V1_CreateEventRequest, Parley_V1_EventReply>("entities.CreateEvent")
    /// Creator. Or a co-host, somebody who accepted or may come, or a member who may read the system message with it.
    /// Returns an event. Refusals: not_found.
    public static let getEvent = Method<Parley_V1_GetEventRequest, Parley_V1_EventReply>("entities.GetEvent")
    /// Creator. Or a co-host. Changes an event, if the caller knows its latest version. Repeating it changes nothing.
    /// Refusals: not_found, not_host, event_changed (the message says what others changed), event_cancelled, invalid,
    /// rate_limited.
    public static let updateEvent = Method<Parley_V1_UpdateEventRequest, Parley_V1_EventReply>("entities.UpdateEvent")
    /// Creator. Or a co-host. Calls an event off. It stays in every list, with `cancelled_at_us`. Repeating it
    /// changes nothing. Refusals: not_found, not_host, rate_limited.
    public static let cancelEvent = Method<Parley_V1_CancelEventRequest, Parley_V1_EventReply>("entities.CancelEvent")
    /// Creator. Deletes an event everywhere, with its system messages. Its devices get it with `deleted_at_us` and
    /// without its content. Repeating it changes nothing. Changes who sees what. Refusals: not_found, not_host,
    /// rate_limited.
    public static let deleteEvent = Method<Parley_V1_DeleteEventRequest, Parley_V1_EventReply>("entities.DeleteEvent")
    /// Creator. Or a co-host. Invites a conversation in which the caller may write, also one from which the event was
    /// withdrawn. Repeating it changes nothing. Changes who sees what. Refusals: not_found, not_host,
    /// event_cancelled, not_member, user_blocked, accept_first, request_pending, too_many_conversations (20),
    /// rate_limited.
    public static let inviteConversation = Method<Parley_V1_InviteConversationRequest, Parley_V1_EventReply>("entities.InviteConversation")
    /// Creator. Or a co-host. Withdraws the invitation of a conversation, and deletes the system message there. Who
    /// neither accepted nor may come no longer sees the event, unless by another conversation. Repeating it changes
    /// nothing. Changes who sees what. Refusals: not_found, not_host, rate_limited.
    public static let uninviteConversation = Method<Parley_V1_UninviteConversationRequest, Parley_V1_EventReply>("entities.UninviteConversation")
    /// Creator. Asks a person who sees the event to host it too: they are a guest like others until they accept
    /// (AnswerEvent). Without `host`, they are no longer asked, and no longer a co-host. Repeating it changes
    /// nothing. Changes who sees what. Refusals: not_found, not_host, user_not_invited, host_declined (they declined
    /// to host, or to come, and have not said since that they come), too_many_hosts (20, with those asked),
    /// too_many_attendees (1,000), rate_limited.
    public static let setEventHost = Method<Parley_V1_SetEventHostRequest, Parley_V1_EventReply>("entities.SetEventHost")
    /// Creator. Or whoever sees the event. Answers an invitation, for all its dates, from any of the invited
    /// conversations, and to whoever asked the caller to host. A later answer replaces it. Who declines no longer
    /// hosts, and gets no more Updates of the event until they answer again. Repeating it changes nothing. Changes
    /// who sees what. Refusals: not_found, not_member (of the invited conversation it names), user_blocked,
    /// accept_first, not_asked (to host), event_cancelled, too_many_attendees (1,000), invalid, rate_limited.
    public static let answerEvent = Method<Parley_V1_AnswerEventRequest, Parley_V1_EventReply>("entities.AnswerEvent")
    /// Creator. Or whoever sees the event. Lists the people who answered, and what they answered. Paged. Refusals:
    /// not_found, invalid.
    public static let listAttendees = Method<Parley_V1_ListAttendeesRequest, Parley_V1_ListAttendeesReply>("entities.ListAttendees")
    /// Self. Lists the dates of events between two days, by time: those of the caller's own events, of those they
    /// answered and of those into which a conversation of theirs is invited. Paged. Refusals: not_member (of the
    /// conversation it names), invalid.
    public static let listEvents = Method<Parley_V1_ListEventsRequest, Parley_V1_ListEventsReply>("entities.ListEvents")
    /// Creator. Or whoever sees the event. Returns an event, with the people who answered, as a file in the format
    /// iCalendar. Expensive. Refusals: not_found.
    public static let exportEvent = Method<Parley_V1_ExportEventRequest, Parley_V1_ExportEventReply>("entities.ExportEvent")
    /// Self. Makes a secret link by which calendars get the caller's events over HTTP, until it is deleted. The
    /// caller's earlier link ends. Repeating it makes another link, and ends the one before. Refusals: rate_limited.
    public static let createCalendarLink = Method<Parley_V1_CreateCalendarLinkRequest, Parley_V1_CreateCalendarLinkReply>("entities.CreateCalendarLink")
    /// Self. Ends the caller's secret link. Repeating it changes nothing. Refusals: rate_limited.
    public static let deleteCalendarLink = Method<Parley_V1_DeleteCalendarLinkRequest, Parley_V1_DeleteCalendarLinkReply>("entities.DeleteCalendarLink")
    /// Self. Lists the caller's open suggestions, newest first. Paged. Refusals: not_member (of the conversation it
    /// names), invalid.
    public static let listSuggestions = Method<Parley_V1_ListSuggestionsRequest, Parley_V1_ListSuggestionsReply>("entities.ListSuggestions")
    /// Creator. Here: the person for whom the suggestion was made. Makes what it says, with the changes that the
    /// request names. A reminder is the caller's own, and so is a decision unless it is to be shared. An event
    /// invites the conversation of the message; if another member made an event of the message before, this answers
    /// it. The entity has the id of the first suggestion that was accepted. Repeating it returns the first result.
    /// Changes who sees what. Refusals: not_found (also one that was dismissed, or whose message is gone), invalid,
    /// rate_limited, not_member (this and those that follow: of what it makes), user_blocked, accept_first,
    /// request_pending, event_cancelled, too_many_attendees (1,000), too_many_events (10,000), too_many_reminders
    /// (10,000), too_many_decisions (10,000).
    public static let acceptSuggestion = Method<Parley_V1_AcceptSuggestionRequest, Parley_V1_AcceptSuggestionReply>("entities.AcceptSuggestion")
    /// Creator. Here: the person for whom the suggestion was made. Dismisses it, on all devices. Repeating it changes
    /// nothing. Refusals: not_found (also one that was accepted, or whose message is gone), rate_limited.
    public static let dismissSuggestion = Method<Parley_V1_DismissSuggestionRequest, Parley_V1_SuggestionReply>("entities.DismissSuggestion")
    /// Self. Returns where the caller has turned suggestions off. Refusals: none.
    public static let getSuggestionSettings = Method<Parley_V1_GetSuggestionSettingsRequest, Parley_V1_SuggestionSettings>("entities.GetSuggestionSettings")
    /// Self. Turns suggestions off or on: all of the caller's, or those of a conversation. Off, open ones are
    /// withdrawn. Repeating it changes nothing. Refusals: not_member (of the conversation it names), invalid (more
    /// than 1,000 conversations), rate_limited.
    public static let updateSuggestionSettings = Method<Parley_V1_UpdateSuggestionSettingsRequest, Parley_V1_SuggestionSettings>("entities.UpdateSuggestionSettings")
    /// Self. Returns whether a language model outside Parley reads the messages of a conversation of the caller, and
    /// what the caller has said about it. Refusals: not_member.
    public static let getModelReading = Method<Parley_V1_GetModelReadingRequest, Parley_V1_ModelReading>("entities.GetModelReading")
    /// Self. Says whether a model may read the messages of a conversation of the caller: of a group its owner, of a
    /// direct conversation both people. Each member can keep their own messages from it, in one conversation or
    /// everywhere. Repeating it changes nothing. Refusals: not_member, forbidden (to allow it in a group of another
    /// owner), invalid (to allow it everywhere; 1,000 conversations), rate_limited.
    public static let updateModelReading = Method<Parley_V1_UpdateModelReadingRequest, Parley_V1_ModelReading>("entities.UpdateModelReading")
    /// Self. Returns the caller's entities that changed after a position of stream "entities/u/ME", in order of
    /// position. Refusals: none.
    public static let sync = Method<Parley_V1_EntitiesSyncRequest, Parley_V1_EntitiesSyncReply>("entities.Sync")
}

/// The requests of parley-messaging.
public enum MessagingMethods {
    /// Member. Sends a message. The reply comes once the message is durable. The same id again returns the first
    /// result with duplicate = true. Changes who sees what. Refusals: not_member, user_blocked, accept_first,
    /// request_pending, id_in_use, id_too_old, id_from_future, invalid, message_not_found (reply_to_seq, forward),
    /// attachment_not_found, quota_reached, rate_limited (too many bytes to too many members).
    public static let sendMessage = Method<Parley_V1_SendMessageRequest, Parley_V1_SendMessageReply>("messaging.SendMessage")
    /// Member. Or former member, each within their window of history. Returns a page of messages in order of seq.
    /// Refusals: not_member.
    public static let getHistory = Method<Parley_V1_GetHistoryRequest, Parley_V1_GetHistoryReply>("messaging.GetHistory")
    /// Member. Or former member. Returns the messages of a conversation that changed after a position of stream
    /// "messaging/c/CONVERSATION". Refusals: not_member.
    public static let getChanges = Method<Parley_V1_GetChangesRequest, Parley_V1_GetChangesReply>("messaging.GetChanges")
    /// Self. Returns the conversations with news for the caller since a cursor, and the changes of the caller's own
    /// state. The cost grows with the number of changes. Refusals: none.
    public static let sync = Method<Parley_V1_MessagingSyncRequest, Parley_V1_MessagingSyncReply>("messaging.Sync")
    /// Self. Returns the caller's conversations in one section: pinned ones first, then those with the latest news.
    /// Conversations without a message are left out: conversations.Sync has them. Paged; the cost grows with the
    /// page. Refusals: invalid.
    public static let getInbox = Method<Parley_V1_GetInboxRequest, Parley_V1_GetInboxReply>("messaging.GetInbox")
    /// Self. Returns the number for the app's icon. The cost grows with the number of the caller's conversations.
    /// Refusals: none.
    public static let getBadge = Method<Parley_V1_GetBadgeRequest, Parley_V1_GetBadgeReply>("messaging.GetBadge")
    /// Self. Returns how much of the server the caller uses, and how much they may use. Refusals: none.
    public static let getUsage = Method<Parley_V1_GetUsageRequest, Parley_V1_GetUsageReply>("messaging.GetUsage")
    /// Member. Changes the text of one of the caller's messages, within the edit window. Repeating it changes
    /// nothing. Changes who sees what. Refusals: not_member, user_blocked, accept_first, message_not_found,
    /// message_deleted, not_author, edit_window_closed, invalid, too_large.
    public static let editMessage = Method<Parley_V1_EditMessageRequest, Parley_V1_MessageReply>("messaging.EditMessage")
    /// Member. Deletes a message for everyone. Its author may do that, and in a group the owner and admins.
    /// Repeatable. Changes who sees what. Refusals: not_member, message_not_found, not_author.
    public static let deleteMessage = Method<Parley_V1_DeleteMessageRequest, Parley_V1_MessageReply>("messaging.DeleteMessage")
    /// Member. Or former member. Returns the earlier texts of an edited message, oldest first. Refusals: not_member,
    /// message_not_found.
    public static let listRevisions = Method<Parley_V1_ListRevisionsRequest, Parley_V1_ListRevisionsReply>("messaging.ListRevisions")
    /// Member. Adds or removes a reaction; each person has at most one of each emoji. Repeatable. Refusals:
    /// not_member, user_blocked, accept_first, message_not_found, message_deleted, too_many_reactions, invalid.
    public static let updateReaction = Method<Parley_V1_UpdateReactionRequest, Parley_V1_UpdateReactionReply>("messaging.UpdateReaction")
    /// Member. Or former member. Lists the reactions to a message, in the order they were added. Paged. Refusals:
    /// not_member, message_not_found, invalid.
    public static let listReactions = Method<Parley_V1_ListReactionsRequest, Parley_V1_ListReactionsReply>("messaging.ListReactions")
    /// Member. Or former member. Returns a thread's messages, including the first one, in order of seq. Refusals:
    /// not_member, message_not_found.
    public static let getThread = Method<Parley_V1_GetThreadRequest, Parley_V1_GetHistoryReply>("messaging.GetThread")
    /// Self. Moves the caller's read and delivered marks in up to 100 conversations, forwards only. Repeatable.
    /// Conversations that are not the caller's, or have no message for the caller, are left out of the reply.
    /// Refusals: none.
    public static let updateMarks = Method<Parley_V1_UpdateMarksRequest, Parley_V1_UpdateMarksReply>("messaging.UpdateMarks")
    /// Member. Lists how far the other members have read. Paged. In groups of more than 64 members there are no live
    /// Updates of this. Refusals: not_member, invalid.
    public static let listReceipts = Method<Parley_V1_ListReceiptsRequest, Parley_V1_ListReceiptsReply>("messaging.ListReceipts")
    /// Member. Lists who has read a message, and when, and to whom it was delivered. Paged. Refusals: not_member,
    /// message_not_found, invalid.
    public static let listReaders = Method<Parley_V1_ListReadersRequest, Parley_V1_ListReadersReply>("messaging.ListReaders")
    /// Member. Or former member. Pins, mutes, archives or marks unread a conversation, for the caller alone.
    /// Repeatable. Refusals: not_member, too_many_pinned, invalid.
    public static let updateInboxState = Method<Parley_V1_UpdateInboxStateRequest, Parley_V1_InboxStateReply>("messaging.UpdateInboxState")
    /// Member. Or former member. Deletes the conversation's messages up to a seq, for the caller alone. The
    /// conversation is hidden until a later message arrives. Repeatable. Changes who sees what. Refusals: not_member.
    public static let clearConversation = Method<Parley_V1_ClearConversationRequest, Parley_V1_InboxStateReply>("messaging.ClearConversation")
    /// Member. Or former member. Stars messages, or hides them, for the caller alone. Repeatable. Changes who sees
    /// what. Refusals: not_member, message_not_found, too_many_starred.
    public static let updateMessageState = Method<Parley_V1_UpdateMessageStateRequest, Parley_V1_UpdateMessageStateReply>("messaging.UpdateMessageState")
    /// Self. Lists the messages that the caller starred or that mention the caller, in all conversations, newest
    /// first. Leaves out mentions by people whom the caller blocks. Paged. Refusals: invalid.
    public static let listMentionsAndStars = Method<Parley_V1_ListMentionsAndStarsRequest, Parley_V1_ListMentionsAndStarsReply>("messaging.ListMentionsAndStars")
    /// Self. Finds messages that the caller may read and that contain all the words, best match first. Expensive.
    /// Paged. Refusals: invalid, not_member.
    public static let searchMessages = Method<Parley_V1_SearchMessagesRequest, Parley_V1_SearchMessagesReply>("messaging.SearchMessages")
    /// Member. In a group, its owner and admins. Sets how long after sending a message disappears. With `also_old`,
    /// this applies to existing messages too: in a group to all, in a direct conversation to the caller's own.
    /// Repeatable. Changes who sees what. Refusals: not_member, forbidden, user_blocked, accept_first, invalid.
    public static let setRetention = Method<Parley_V1_SetRetentionRequest, Parley_V1_SetRetentionReply>("messaging.SetRetention")
    /// Member. Registers a file to be sent to a conversation, and returns an upload URL. The same id again returns a
    /// new URL. Refusals: not_member, user_blocked, accept_first, id_in_use, id_too_old, id_from_future, too_large,
    /// invalid, rate_limited, quota_reached.
    public static let createAttachment = Method<Parley_V1_CreateAttachmentRequest, Parley_V1_CreateAttachmentReply>("messaging.CreateAttachment")
    /// Member. Or former member. Returns a download URL, valid for some minutes, for the file of a message that the
    /// caller may read, or with `attachment` for a file that the caller sent to the conversation, even if they may no
    /// longer read its message. Refusals: not_member, message_not_found, attachment_not_found.
    public static let getAttachment = Method<Parley_V1_GetAttachmentRequest, Parley_V1_GetAttachmentReply>("messaging.GetAttachment")
    /// Self. Lists the files that the caller sent, forwarded ones too, oldest first. Those of deleted messages are
    /// gone. Paged. Refusals: none.
    public static let listAttachments = Method<Parley_V1_ListAttachmentsRequest, Parley_V1_ListAttachmentsReply>("messaging.ListAttachments")
}

/// The requests of parley-notifications.
public enum NotificationsMethods {
    /// Self. Registers the caller's device for pushes, in place of what it registered before. A token belongs to the
    /// device that registered it last. It ends when the device is signed out, and when the push service says that it
    /// is dead. With more devices than allowed (20) the one that registered longest ago is forgotten. Repeating it
    /// changes nothing. Refusals: invalid, rate_limited.
    public static let registerPush = Method<Parley_V1_RegisterPushRequest, Parley_V1_PushDevice>("notifications.RegisterPush")
    /// Self. Ends pushes to one of the caller's devices. Repeating it changes nothing. Refusals: rate_limited.
    public static let unregisterPush = Method<Parley_V1_UnregisterPushRequest, Parley_V1_Done>("notifications.UnregisterPush")
    /// Self. Returns the caller's devices that are registered for pushes, with what became of the last one sent to
    /// each, and over what this server sends. Refusals: none.
    public static let listPushDevices = Method<Parley_V1_ListPushDevicesRequest, Parley_V1_ListPushDevicesReply>("notifications.ListPushDevices")
    /// Self. Sends a push that says so to the caller's own device, whatever the settings are, and also while the app
    /// is open. Repeated, it sends another. Refusals: not_found (the device is not registered for pushes),
    /// rate_limited.
    public static let testPush = Method<Parley_V1_TestPushRequest, Parley_V1_Done>("notifications.TestPush")
    /// Self. Returns of what the caller is told by pushes. Refusals: none.
    public static let getPushSettings = Method<Parley_V1_GetPushSettingsRequest, Parley_V1_PushSettings>("notifications.GetPushSettings")
    /// Self. Changes of what the caller is told by pushes, on all devices. What the request does not have stays as it
    /// is. Repeating it changes nothing. Refusals: not_member (of the conversation it names), invalid (also more than
    /// 500 conversations), rate_limited.
    public static let updatePushSettings = Method<Parley_V1_UpdatePushSettingsRequest, Parley_V1_PushSettings>("notifications.UpdatePushSettings")
}

/// The requests of parley-presence.
public enum PresenceMethods {
    /// Signed in. Returns who is online. People look offline if they share no conversation with the caller, have not
    /// accepted the caller yet, blocked the caller, or hide from the caller, and all do to a caller who hides from
    /// them. Refusals: none.
    public static let getPresence = Method<Parley_V1_GetPresenceRequest, Parley_V1_PresenceReply>("presence.GetPresence")
    /// Signed in. Replies like GetPresence, then sends Updates of kind "PresenceState". Replaces the session's
    /// earlier watch. The watch ends with the session, or 90 s after the last request: renew it every 60 s. Refusals:
    /// none.
    public static let watchPresence = Method<Parley_V1_WatchPresenceRequest, Parley_V1_PresenceReply>("presence.WatchPresence")
    /// Self. Returns what the caller says of themselves on all devices. Refusals: none.
    public static let getOwnPresence = Method<Parley_V1_GetOwnPresenceRequest, Parley_V1_OwnPresence>("presence.GetOwnPresence")
    /// Self. Changes what the caller says of themselves on all devices. What the request does not have stays as it
    /// is. Repeating it changes nothing. What one session does, the frame `set_activity` says. Refusals: invalid,
    /// rate_limited.
    public static let setPresence = Method<Parley_V1_SetPresenceRequest, Parley_V1_OwnPresence>("presence.SetPresence")
    /// Member. Says that the caller is typing in the conversation, or no longer is. Send it when they begin, again
    /// every 2 s while they go on, and when they stop; a refused one need not be repeated. Typing ends 3 s after the
    /// last request by the server's clock, with the session, and when the session types in another conversation. The
    /// other members get Updates of kind "Typing"; nobody does while the conversation is a request, or hears of
    /// somebody whom they block or who blocks them. Who hides from all types unseen and hears of nobody; who hides
    /// from all but accepted people, in groups. Refusals: not_member, rate_limited.
    public static let setTyping = Method<Parley_V1_SetTypingRequest, Parley_V1_Done>("presence.SetTyping")
}
