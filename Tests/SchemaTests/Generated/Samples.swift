// Generated from *.proto (sha256 b2447acba9c9801e47a93629ba5ec14e0a6ffe142dbec1594ea801c888d7c9a0) by proto/generate. Do not edit.

// swift-format-ignore-file

@testable import Schema

let everyMessage: [any Sampled.Type] = [
    Problem.self,
    Done.self,
    RegisterRequest.self,
    GetChallengeRequest.self,
    Challenge.self,
    SignInRequest.self,
    RefreshTokensRequest.self,
    SignedIn.self,
    ListIssuersRequest.self,
    ListIssuersReply.self,
    Issuer.self,
    SignInWithTokenRequest.self,
    SignInWithCodeRequest.self,
    OwnerProof.self,
    ListIdentitiesRequest.self,
    ListIdentitiesReply.self,
    Identity.self,
    LinkIdentityRequest.self,
    UnlinkIdentityRequest.self,
    ChangePasswordRequest.self,
    BeginDeviceLinkRequest.self,
    DeviceLinkBegun.self,
    GetDeviceLinkRequest.self,
    DeviceLink.self,
    ApproveDeviceLinkRequest.self,
    FinishDeviceLinkRequest.self,
    RequestPasswordResetRequest.self,
    ResetPasswordRequest.self,
    RequestEmailCodeRequest.self,
    ConfirmEmailRequest.self,
    SignOutRequest.self,
    ListDevicesRequest.self,
    ListDevicesReply.self,
    Device.self,
    RevokeDeviceRequest.self,
    User.self,
    EraseAccountRequest.self,
    GetProfileRequest.self,
    Profile.self,
    UpdateProfileRequest.self,
    GetUsersRequest.self,
    GetUsersReply.self,
    SearchUsersRequest.self,
    SearchUsersReply.self,
    BlockUserRequest.self,
    BlockUserReply.self,
    UnblockUserRequest.self,
    ListBlockedRequest.self,
    ListBlockedReply.self,
    Block.self,
    CreateReportRequest.self,
    Report.self,
    ListReportsRequest.self,
    ListReportsReply.self,
    ImportedRecord.self,
    ListImportedRequest.self,
    ListImportedReply.self,
    FindUserRequest.self,
    FindUserReply.self,
    Member.self,
    Conversation.self,
    StartDirectRequest.self,
    CreateGroupRequest.self,
    AddMembersRequest.self,
    ListInvitationsRequest.self,
    ListInvitationsReply.self,
    Invitation.self,
    WithdrawInvitationRequest.self,
    RemoveMemberRequest.self,
    LeaveGroupRequest.self,
    UpdateGroupRequest.self,
    ListMembersRequest.self,
    ListMembersReply.self,
    SetMemberRoleRequest.self,
    TransferOwnershipRequest.self,
    FindConversationRequest.self,
    FindConversationReply.self,
    ListRequestsRequest.self,
    ListRequestsReply.self,
    RequestCount.self,
    AcceptRequestRequest.self,
    DeclineRequestRequest.self,
    WithdrawRequestRequest.self,
    MarkRequestsReadRequest.self,
    GetConversationRequest.self,
    GetConversationsRequest.self,
    GetConversationsReply.self,
    ConversationReply.self,
    ConversationsSyncRequest.self,
    ConversationsSyncReply.self,
    Reminder.self,
    CreateReminderRequest.self,
    ReminderReply.self,
    GetReminderRequest.self,
    UpdateReminderRequest.self,
    SnoozeReminderRequest.self,
    DeleteReminderRequest.self,
    CompleteReminderRequest.self,
    ListRemindersRequest.self,
    ListRemindersReply.self,
    Decision.self,
    CreateDecisionRequest.self,
    DecisionReply.self,
    GetDecisionRequest.self,
    DeleteDecisionRequest.self,
    ListDecisionsRequest.self,
    ListDecisionsReply.self,
    Event.self,
    EventCounts.self,
    EventTime.self,
    ChangedDate.self,
    Attendance.self,
    CreateEventRequest.self,
    EventReply.self,
    GetEventRequest.self,
    UpdateEventRequest.self,
    CancelEventRequest.self,
    DeleteEventRequest.self,
    InviteConversationRequest.self,
    UninviteConversationRequest.self,
    SetEventHostRequest.self,
    AnswerEventRequest.self,
    ListAttendeesRequest.self,
    ListAttendeesReply.self,
    ListEventsRequest.self,
    ListEventsReply.self,
    EventDate.self,
    ExportEventRequest.self,
    ExportEventReply.self,
    CreateCalendarLinkRequest.self,
    CreateCalendarLinkReply.self,
    DeleteCalendarLinkRequest.self,
    DeleteCalendarLinkReply.self,
    Suggestion.self,
    ListSuggestionsRequest.self,
    ListSuggestionsReply.self,
    AcceptSuggestionRequest.self,
    AcceptSuggestionReply.self,
    DismissSuggestionRequest.self,
    SuggestionReply.self,
    GetSuggestionSettingsRequest.self,
    SuggestionSettings.self,
    UpdateSuggestionSettingsRequest.self,
    GetModelReadingRequest.self,
    ModelReading.self,
    UpdateModelReadingRequest.self,
    EntitiesSyncRequest.self,
    EntitiesSyncReply.self,
    ClientFrame.self,
    ServerFrame.self,
    Hello.self,
    SetTimeZone.self,
    Activity.self,
    Authenticate.self,
    Request.self,
    Ping.self,
    Welcome.self,
    Limits.self,
    Authenticated.self,
    Reply.self,
    Update.self,
    Pong.self,
    Goodbye.self,
    Envelope.self,
    ReplyHeader.self,
    UpdateHeader.self,
    HeardHeader.self,
    HeardAudience.self,
    HeardMessage.self,
    Control.self,
    Heartbeat.self,
    LaneNumber.self,
    LanesRequest.self,
    LanesReply.self,
    ReplayRequest.self,
    ReplayReply.self,
    ReplayedUpdate.self,
    DeviceRevoked.self,
    HealthRequest.self,
    HealthReply.self,
    Metric.self,
    AuthorityRequest.self,
    AuthorityReply.self,
    PublicKey.self,
    SessionsReport.self,
    SessionOpened.self,
    SessionsReportReply.self,
    ForegroundRequest.self,
    ForegroundReply.self,
    ForegroundChange.self,
    HttpRoutesRequest.self,
    HttpRoutesReply.self,
    HttpRoute.self,
    HttpRequest.self,
    HttpHeader.self,
    HttpReply.self,
    FileExchange.self,
    FileUpload.self,
    FileDownload.self,
    Message.self,
    Thread.self,
    ReactionCount.self,
    OwnMessageState.self,
    Media.self,
    Reactions.self,
    ReactionChange.self,
    Receipt.self,
    ReadCount.self,
    InboxState.self,
    MessageState.self,
    SystemNote.self,
    SendMessageRequest.self,
    Forward.self,
    SendMessageReply.self,
    GetHistoryRequest.self,
    GetHistoryReply.self,
    GetChangesRequest.self,
    GetChangesReply.self,
    MessagingSyncRequest.self,
    HeldPosition.self,
    MessagingSyncReply.self,
    GetInboxRequest.self,
    GetInboxReply.self,
    InboxEntry.self,
    GetBadgeRequest.self,
    GetBadgeReply.self,
    GetUsageRequest.self,
    GetUsageReply.self,
    EditMessageRequest.self,
    DeleteMessageRequest.self,
    MessageReply.self,
    ListRevisionsRequest.self,
    ListRevisionsReply.self,
    Revision.self,
    UpdateReactionRequest.self,
    UpdateReactionReply.self,
    ListReactionsRequest.self,
    ListReactionsReply.self,
    Reaction.self,
    GetThreadRequest.self,
    UpdateMarksRequest.self,
    Watermark.self,
    UpdateMarksReply.self,
    ListReceiptsRequest.self,
    ListReceiptsReply.self,
    ListReadersRequest.self,
    ListReadersReply.self,
    Reader.self,
    UpdateInboxStateRequest.self,
    InboxStateReply.self,
    ClearConversationRequest.self,
    UpdateMessageStateRequest.self,
    UpdateMessageStateReply.self,
    ListMentionsAndStarsRequest.self,
    ListMentionsAndStarsReply.self,
    SearchMessagesRequest.self,
    SearchMessagesReply.self,
    Found.self,
    SetRetentionRequest.self,
    SetRetentionReply.self,
    CreateAttachmentRequest.self,
    CreateAttachmentReply.self,
    GetAttachmentRequest.self,
    GetAttachmentReply.self,
    SentAttachment.self,
    ListAttachmentsRequest.self,
    ListAttachmentsReply.self,
    RegisterPushRequest.self,
    PushDevice.self,
    UnregisterPushRequest.self,
    ListPushDevicesRequest.self,
    ListPushDevicesReply.self,
    TestPushRequest.self,
    GetPushSettingsRequest.self,
    PushSettings.self,
    PushConversation.self,
    QuietTime.self,
    QuietHours.self,
    UpdatePushSettingsRequest.self,
    PresenceState.self,
    GetPresenceRequest.self,
    WatchPresenceRequest.self,
    PresenceReply.self,
    SetTypingRequest.self,
    Typing.self,
    GetOwnPresenceRequest.self,
    SetPresenceRequest.self,
    StatusText.self,
    OwnPresence.self,
]

extension Problem: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.code = sampler.string(maxBytes: 64)
        value.message = sampler.string(maxBytes: 512)
        value.field = sampler.string(maxBytes: 64)
        value.retryAfterMs = sampler.uint32()
        return value
    }
}

extension Done: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension RegisterRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.username = sampler.string(maxBytes: 128)
        value.password = sampler.string(maxBytes: 256)
        value.displayName = sampler.string(maxBytes: 512)
        value.deviceName = sampler.string(maxBytes: 256)
        value.code = sampler.string(maxBytes: 64)
        value.proof = sampler.string(maxBytes: 4096)
        return value
    }
}

extension GetChallengeRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension Challenge: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.kind = ChallengeKind(rawValue: sampler.enumeration())
        value.text = sampler.string(maxBytes: 256)
        value.bits = sampler.uint32()
        value.expiresAtUs = sampler.int64()
        value.page = sampler.string(maxBytes: 1024)
        return value
    }
}

extension SignInRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.username = sampler.string(maxBytes: 128)
        value.password = sampler.string(maxBytes: 256)
        value.deviceName = sampler.string(maxBytes: 256)
        value.knownDevice = sampler.string(maxBytes: 256)
        return value
    }
}

extension RefreshTokensRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.refreshToken = sampler.string(maxBytes: 128)
        return value
    }
}

extension SignedIn: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.user = sampler.optional { User.sample(&$0) }
        value.device = sampler.string(maxBytes: 64)
        value.accessToken = sampler.string(maxBytes: 2048)
        value.accessEndsUs = sampler.int64()
        value.refreshToken = sampler.string(maxBytes: 128)
        value.refreshEndsUs = sampler.int64()
        value.knownDevice = sampler.string(maxBytes: 256)
        value.newAccount = sampler.bool()
        return value
    }
}

extension ListIssuersRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension ListIssuersReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.issuers = sampler.array(maxItems: 32) { Issuer.sample(&$0) }
        value.guests = sampler.bool()
        return value
    }
}

extension Issuer: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.name = sampler.string(maxBytes: 32)
        value.url = sampler.string(maxBytes: 512)
        value.audiences = sampler.array(maxItems: 16) { $0.string(maxBytes: 256) }
        value.makesAccounts = sampler.bool()
        value.nonce = IssuerNonce(rawValue: sampler.enumeration())
        value.pages = sampler.bool()
        return value
    }
}

extension SignInWithTokenRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.token = sampler.string(maxBytes: 16384)
        value.nonce = sampler.string(maxBytes: 256)
        value.deviceName = sampler.string(maxBytes: 256)
        value.displayName = sampler.string(maxBytes: 512)
        value.code = sampler.string(maxBytes: 64)
        value.proof = sampler.string(maxBytes: 4096)
        return value
    }
}

extension SignInWithCodeRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.code = sampler.string(maxBytes: 64)
        value.verifier = sampler.string(maxBytes: 128)
        value.deviceName = sampler.string(maxBytes: 256)
        value.displayName = sampler.string(maxBytes: 512)
        value.registrationCode = sampler.string(maxBytes: 64)
        value.proof = sampler.string(maxBytes: 4096)
        return value
    }
}

extension OwnerProof: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.password = sampler.string(maxBytes: 256)
        value.token = sampler.string(maxBytes: 16384)
        value.nonce = sampler.string(maxBytes: 256)
        value.code = sampler.string(maxBytes: 64)
        value.verifier = sampler.string(maxBytes: 128)
        return value
    }
}

extension ListIdentitiesRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension ListIdentitiesReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.identities = sampler.array(maxItems: 16) { Identity.sample(&$0) }
        value.withPassword = sampler.bool()
        return value
    }
}

extension Identity: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.string(maxBytes: 64)
        value.issuer = sampler.string(maxBytes: 32)
        value.url = sampler.string(maxBytes: 512)
        value.label = sampler.string(maxBytes: 254)
        value.linkedAtUs = sampler.int64()
        value.lastUsedUs = sampler.int64()
        return value
    }
}

extension LinkIdentityRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.token = sampler.string(maxBytes: 16384)
        value.nonce = sampler.string(maxBytes: 256)
        value.owner = sampler.optional { OwnerProof.sample(&$0) }
        value.code = sampler.string(maxBytes: 64)
        value.verifier = sampler.string(maxBytes: 128)
        return value
    }
}

extension UnlinkIdentityRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.identity = sampler.string(maxBytes: 64)
        value.owner = sampler.optional { OwnerProof.sample(&$0) }
        return value
    }
}

extension ChangePasswordRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.newPassword = sampler.string(maxBytes: 256)
        value.owner = sampler.optional { OwnerProof.sample(&$0) }
        value.endOtherDevices = sampler.bool()
        value.username = sampler.string(maxBytes: 128)
        return value
    }
}

extension BeginDeviceLinkRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.deviceName = sampler.string(maxBytes: 256)
        return value
    }
}

extension DeviceLinkBegun: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.code = sampler.string(maxBytes: 64)
        value.secret = sampler.string(maxBytes: 64)
        value.endsAtUs = sampler.int64()
        return value
    }
}

extension GetDeviceLinkRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.code = sampler.string(maxBytes: 64)
        return value
    }
}

extension DeviceLink: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.deviceName = sampler.string(maxBytes: 256)
        value.address = sampler.string(maxBytes: 64)
        value.begunAtUs = sampler.int64()
        return value
    }
}

extension ApproveDeviceLinkRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.code = sampler.string(maxBytes: 64)
        return value
    }
}

extension FinishDeviceLinkRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.code = sampler.string(maxBytes: 64)
        value.secret = sampler.string(maxBytes: 64)
        return value
    }
}

extension RequestPasswordResetRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.email = sampler.string(maxBytes: 254)
        return value
    }
}

extension ResetPasswordRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.email = sampler.string(maxBytes: 254)
        value.code = sampler.string(maxBytes: 64)
        value.newPassword = sampler.string(maxBytes: 256)
        return value
    }
}

extension RequestEmailCodeRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension ConfirmEmailRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.code = sampler.string(maxBytes: 64)
        return value
    }
}

extension SignOutRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.everywhere = sampler.bool()
        return value
    }
}

extension ListDevicesRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension ListDevicesReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.devices = sampler.array(maxItems: 10) { Device.sample(&$0) }
        return value
    }
}

extension Device: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.string(maxBytes: 64)
        value.name = sampler.string(maxBytes: 256)
        value.signedInUs = sampler.int64()
        value.lastUsedUs = sampler.int64()
        value.current = sampler.bool()
        return value
    }
}

extension RevokeDeviceRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.device = sampler.string(maxBytes: 64)
        return value
    }
}

extension User: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.string(maxBytes: 64)
        value.username = sampler.string(maxBytes: 32)
        value.displayName = sampler.string(maxBytes: 512)
        value.photoUrl = sampler.string(maxBytes: 1024)
        value.createdAtUs = sampler.int64()
        value.deleted = sampler.bool()
        return value
    }
}

extension EraseAccountRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.password = sampler.string(maxBytes: 256)
        value.token = sampler.string(maxBytes: 16384)
        value.nonce = sampler.string(maxBytes: 256)
        return value
    }
}

extension GetProfileRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension Profile: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.user = sampler.optional { User.sample(&$0) }
        value.email = sampler.string(maxBytes: 254)
        value.findableByEmail = sampler.bool()
        value.position = sampler.int64()
        value.emailConfirmed = sampler.bool()
        value.guest = sampler.bool()
        return value
    }
}

extension UpdateProfileRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        switch sampler.pick(2) {
        case 0: value.changeUsername = .username(sampler.string(maxBytes: 128))
        default: break
        }
        switch sampler.pick(2) {
        case 0: value.changeDisplayName = .displayName(sampler.string(maxBytes: 512))
        default: break
        }
        switch sampler.pick(2) {
        case 0: value.changePhoto = .photoUrl(sampler.string(maxBytes: 1024))
        default: break
        }
        switch sampler.pick(2) {
        case 0: value.changeEmail = .email(sampler.string(maxBytes: 254))
        default: break
        }
        switch sampler.pick(2) {
        case 0: value.changeFindable = .findableByEmail(sampler.bool())
        default: break
        }
        return value
    }
}

extension GetUsersRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.users = sampler.array(maxItems: 200) { $0.string(maxBytes: 64) }
        return value
    }
}

extension GetUsersReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.users = sampler.array(maxItems: 200) { User.sample(&$0) }
        return value
    }
}

extension SearchUsersRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.query = sampler.string(maxBytes: 512)
        value.cursor = sampler.string(maxBytes: 1024)
        value.limit = sampler.uint32()
        value.toWriteTo = sampler.bool()
        value.leaveOutTalking = sampler.bool()
        return value
    }
}

extension SearchUsersReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.users = sampler.array(maxItems: 200) { User.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 1024)
        value.more = sampler.bool()
        return value
    }
}

extension BlockUserRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.user = sampler.string(maxBytes: 64)
        return value
    }
}

extension BlockUserReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.groups = sampler.array(maxItems: 200) { $0.string(maxBytes: 129) }
        return value
    }
}

extension UnblockUserRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.user = sampler.string(maxBytes: 64)
        return value
    }
}

extension ListBlockedRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        return value
    }
}

extension ListBlockedReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.blocks = sampler.array(maxItems: 200) { Block.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        value.more = sampler.bool()
        return value
    }
}

extension Block: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.user = sampler.optional { User.sample(&$0) }
        value.blocked = sampler.bool()
        value.atUs = sampler.int64()
        value.position = sampler.int64()
        return value
    }
}

extension CreateReportRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.user = sampler.string(maxBytes: 64)
        value.conversation = sampler.string(maxBytes: 129)
        value.seq = sampler.int64()
        value.reason = ReportReason(rawValue: sampler.enumeration())
        value.note = sampler.string(maxBytes: 2048)
        return value
    }
}

extension Report: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.user = sampler.string(maxBytes: 64)
        value.conversation = sampler.string(maxBytes: 129)
        value.seq = sampler.int64()
        value.reason = ReportReason(rawValue: sampler.enumeration())
        value.note = sampler.string(maxBytes: 2048)
        value.reportedAtUs = sampler.int64()
        return value
    }
}

extension ListReportsRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        return value
    }
}

extension ListReportsReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.reports = sampler.array(maxItems: 200) { Report.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        return value
    }
}

extension ImportedRecord: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.path = sampler.string(maxBytes: 2048)
        value.json = sampler.string(maxBytes: 16384)
        return value
    }
}

extension ListImportedRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.cursor = sampler.string(maxBytes: 2048)
        value.limit = sampler.uint32()
        return value
    }
}

extension ListImportedReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.records = sampler.array(maxItems: 20) { ImportedRecord.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 2048)
        return value
    }
}

extension FindUserRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.username = sampler.string(maxBytes: 128)
        return value
    }
}

extension FindUserReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.user = sampler.optional { User.sample(&$0) }
        return value
    }
}

extension Member: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.user = sampler.optional { User.sample(&$0) }
        value.role = MemberRole(rawValue: sampler.enumeration())
        value.joinedAtUs = sampler.int64()
        return value
    }
}

extension Conversation: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.string(maxBytes: 129)
        value.kind = ConversationKind(rawValue: sampler.enumeration())
        value.name = sampler.string(maxBytes: 512)
        value.members = sampler.array(maxItems: 1000) { Member.sample(&$0) }
        value.conversationStatus = ConversationStatus(rawValue: sampler.enumeration())
        value.requesterId = sampler.string(maxBytes: 64)
        value.createdAtUs = sampler.int64()
        value.createdBy = sampler.string(maxBytes: 64)
        value.position = sampler.int64()
        value.leftAtUs = sampler.int64()
        value.photoUrl = sampler.string(maxBytes: 1024)
        value.section = ConversationSection(rawValue: sampler.enumeration())
        value.memberCount = sampler.uint32()
        value.requestReadBy = sampler.array(maxItems: 2) { $0.string(maxBytes: 64) }
        value.requestedAtUs = sampler.int64()
        value.returnedPosition = sampler.int64()
        return value
    }
}

extension StartDirectRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.user = sampler.string(maxBytes: 64)
        return value
    }
}

extension CreateGroupRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.name = sampler.string(maxBytes: 512)
        value.users = sampler.array(maxItems: 999) { $0.string(maxBytes: 64) }
        value.photoUrl = sampler.string(maxBytes: 1024)
        return value
    }
}

extension AddMembersRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.users = sampler.array(maxItems: 999) { $0.string(maxBytes: 64) }
        return value
    }
}

extension ListInvitationsRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        return value
    }
}

extension ListInvitationsReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.invitations = sampler.array(maxItems: 200) { Invitation.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        value.more = sampler.bool()
        return value
    }
}

extension Invitation: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.user = sampler.optional { User.sample(&$0) }
        value.inviter = sampler.string(maxBytes: 64)
        value.invitedAtUs = sampler.int64()
        return value
    }
}

extension WithdrawInvitationRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.user = sampler.string(maxBytes: 64)
        return value
    }
}

extension RemoveMemberRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.user = sampler.string(maxBytes: 64)
        return value
    }
}

extension LeaveGroupRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        return value
    }
}

extension UpdateGroupRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        switch sampler.pick(2) {
        case 0: value.changeName = .name(sampler.string(maxBytes: 512))
        default: break
        }
        switch sampler.pick(2) {
        case 0: value.changePhoto = .photoUrl(sampler.string(maxBytes: 1024))
        default: break
        }
        return value
    }
}

extension ListMembersRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        return value
    }
}

extension ListMembersReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.members = sampler.array(maxItems: 200) { Member.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        value.more = sampler.bool()
        return value
    }
}

extension SetMemberRoleRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.user = sampler.string(maxBytes: 64)
        value.role = MemberRole(rawValue: sampler.enumeration())
        return value
    }
}

extension TransferOwnershipRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.user = sampler.string(maxBytes: 64)
        return value
    }
}

extension FindConversationRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.users = sampler.array(maxItems: 999) { $0.string(maxBytes: 64) }
        return value
    }
}

extension FindConversationReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.optional { Conversation.sample(&$0) }
        return value
    }
}

extension ListRequestsRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        return value
    }
}

extension ListRequestsReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.requests = sampler.array(maxItems: 200) { Conversation.sample(&$0) }
        value.count = sampler.optional { RequestCount.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        value.more = sampler.bool()
        return value
    }
}

extension RequestCount: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.unread = sampler.uint32()
        value.total = sampler.uint32()
        value.position = sampler.int64()
        return value
    }
}

extension AcceptRequestRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        return value
    }
}

extension DeclineRequestRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        return value
    }
}

extension WithdrawRequestRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        return value
    }
}

extension MarkRequestsReadRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversations = sampler.array(maxItems: 200) { $0.string(maxBytes: 129) }
        return value
    }
}

extension GetConversationRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        return value
    }
}

extension GetConversationsRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversations = sampler.array(maxItems: 50) { $0.string(maxBytes: 129) }
        return value
    }
}

extension GetConversationsReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversations = sampler.array(maxItems: 50) { Conversation.sample(&$0) }
        value.more = sampler.bool()
        return value
    }
}

extension ConversationReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.optional { Conversation.sample(&$0) }
        value.created = sampler.bool()
        value.invited = sampler.array(maxItems: 999) { $0.string(maxBytes: 64) }
        return value
    }
}

extension ConversationsSyncRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.epoch = sampler.string(maxBytes: 64)
        value.sincePosition = sampler.int64()
        value.limit = sampler.uint32()
        return value
    }
}

extension ConversationsSyncReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.epoch = sampler.string(maxBytes: 64)
        value.startOver = sampler.bool()
        value.position = sampler.int64()
        value.conversations = sampler.array(maxItems: 200) { Conversation.sample(&$0) }
        value.more = sampler.bool()
        value.requests = sampler.optional { RequestCount.sample(&$0) }
        value.profile = sampler.optional { Profile.sample(&$0) }
        value.blocksChanged = sampler.bool()
        return value
    }
}

extension Reminder: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.title = sampler.string(maxBytes: 512)
        value.dueAtUs = sampler.int64()
        value.timeZone = sampler.string(maxBytes: 64)
        value.conversation = sampler.string(maxBytes: 129)
        value.sourceMessage = sampler.bytes(exactly: 16)
        value.completed = sampler.bool()
        value.createdAtUs = sampler.int64()
        value.notificationId = sampler.string(maxBytes: 128)
        value.position = sampler.int64()
        value.firedAtUs = sampler.int64()
        value.deletedAtUs = sampler.int64()
        value.dueLocal = sampler.string(maxBytes: 19)
        return value
    }
}

extension CreateReminderRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.title = sampler.string(maxBytes: 512)
        value.dueAtUs = sampler.int64()
        value.timeZone = sampler.string(maxBytes: 64)
        value.conversation = sampler.string(maxBytes: 129)
        value.sourceMessage = sampler.bytes(exactly: 16)
        value.notificationId = sampler.string(maxBytes: 128)
        value.dueLocal = sampler.string(maxBytes: 19)
        return value
    }
}

extension ReminderReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.reminder = sampler.optional { Reminder.sample(&$0) }
        value.duplicate = sampler.bool()
        return value
    }
}

extension GetReminderRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        return value
    }
}

extension UpdateReminderRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        switch sampler.pick(2) {
        case 0: value.changeTitle = .title(sampler.string(maxBytes: 512))
        default: break
        }
        switch sampler.pick(3) {
        case 0: value.changeDue = .dueAtUs(sampler.int64())
        case 1: value.changeDue = .dueLocal(sampler.string(maxBytes: 19))
        default: break
        }
        switch sampler.pick(2) {
        case 0: value.changeTimeZone = .timeZone(sampler.string(maxBytes: 64))
        default: break
        }
        switch sampler.pick(2) {
        case 0: value.changeNotificationId = .notificationId(sampler.string(maxBytes: 128))
        default: break
        }
        return value
    }
}

extension SnoozeReminderRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.untilUs = sampler.int64()
        return value
    }
}

extension DeleteReminderRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        return value
    }
}

extension CompleteReminderRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.completed = sampler.bool()
        return value
    }
}

extension ListRemindersRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.completed = CompletedFilter(rawValue: sampler.enumeration())
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        value.conversation = sampler.string(maxBytes: 129)
        return value
    }
}

extension ListRemindersReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.reminders = sampler.array(maxItems: 200) { Reminder.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        return value
    }
}

extension Decision: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.user = sampler.string(maxBytes: 64)
        value.text = sampler.string(maxBytes: 16384)
        value.conversation = sampler.string(maxBytes: 129)
        value.sourceMessage = sampler.bytes(exactly: 16)
        value.createdAtUs = sampler.int64()
        value.shared = sampler.bool()
        value.supersedes = sampler.bytes(exactly: 16)
        value.supersededBy = sampler.bytes(exactly: 16)
        value.deletedAtUs = sampler.int64()
        value.position = sampler.int64()
        return value
    }
}

extension CreateDecisionRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.text = sampler.string(maxBytes: 16384)
        value.conversation = sampler.string(maxBytes: 129)
        value.sourceMessage = sampler.bytes(exactly: 16)
        value.shared = sampler.bool()
        value.supersedes = sampler.bytes(exactly: 16)
        return value
    }
}

extension DecisionReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.decision = sampler.optional { Decision.sample(&$0) }
        value.duplicate = sampler.bool()
        return value
    }
}

extension GetDecisionRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        return value
    }
}

extension DeleteDecisionRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        return value
    }
}

extension ListDecisionsRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.sharedOnly = sampler.bool()
        value.text = sampler.string(maxBytes: 256)
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        return value
    }
}

extension ListDecisionsReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.decisions = sampler.array(maxItems: 100) { Decision.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        return value
    }
}

extension Event: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.creator = sampler.string(maxBytes: 64)
        value.title = sampler.string(maxBytes: 512)
        value.when = sampler.optional { EventTime.sample(&$0) }
        value.location = sampler.string(maxBytes: 512)
        value.link = sampler.string(maxBytes: 2048)
        value.notes = sampler.string(maxBytes: 4096)
        value.recurrence = sampler.string(maxBytes: 256)
        value.changedDates = sampler.array(maxItems: 100) { ChangedDate.sample(&$0) }
        value.startsAtUs = sampler.int64()
        value.version = sampler.int64()
        value.conversation = sampler.string(maxBytes: 129)
        value.sourceMessage = sampler.bytes(exactly: 16)
        value.createdAtUs = sampler.int64()
        value.cancelledAtUs = sampler.int64()
        value.deletedAtUs = sampler.int64()
        value.accepted = sampler.uint32()
        value.tentative = sampler.uint32()
        value.declined = sampler.uint32()
        value.coming = sampler.uint32()
        value.own = sampler.optional { Attendance.sample(&$0) }
        value.remindMinutes = sampler.int32()
        value.remindedAtUs = sampler.int64()
        value.remindedOfUs = sampler.int64()
        value.hosts = sampler.array(maxItems: 20) { $0.string(maxBytes: 64) }
        value.conversations = sampler.array(maxItems: 20) { $0.string(maxBytes: 129) }
        value.position = sampler.int64()
        value.askedHosts = sampler.array(maxItems: 20) { $0.string(maxBytes: 64) }
        return value
    }
}

extension EventCounts: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.position = sampler.int64()
        value.accepted = sampler.uint32()
        value.tentative = sampler.uint32()
        value.declined = sampler.uint32()
        value.coming = sampler.uint32()
        return value
    }
}

extension EventTime: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.date = sampler.string(maxBytes: 10)
        value.time = sampler.string(maxBytes: 5)
        value.timeZone = sampler.string(maxBytes: 64)
        value.durationMinutes = sampler.uint32()
        return value
    }
}

extension ChangedDate: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.date = sampler.string(maxBytes: 10)
        value.cancelled = sampler.bool()
        value.newDate = sampler.string(maxBytes: 10)
        value.newTime = sampler.string(maxBytes: 5)
        return value
    }
}

extension Attendance: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.user = sampler.string(maxBytes: 64)
        value.status = AttendanceStatus(rawValue: sampler.enumeration())
        value.guests = sampler.uint32()
        value.conversation = sampler.string(maxBytes: 129)
        value.answeredAtUs = sampler.int64()
        value.host = sampler.bool()
        value.askedToHost = sampler.bool()
        return value
    }
}

extension CreateEventRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.title = sampler.string(maxBytes: 512)
        value.when = sampler.optional { EventTime.sample(&$0) }
        value.location = sampler.string(maxBytes: 512)
        value.link = sampler.string(maxBytes: 2048)
        value.notes = sampler.string(maxBytes: 4096)
        value.recurrence = sampler.string(maxBytes: 256)
        value.conversations = sampler.array(maxItems: 20) { $0.string(maxBytes: 129) }
        value.conversation = sampler.string(maxBytes: 129)
        value.sourceMessage = sampler.bytes(exactly: 16)
        return value
    }
}

extension EventReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.event = sampler.optional { Event.sample(&$0) }
        value.duplicate = sampler.bool()
        value.position = sampler.int64()
        return value
    }
}

extension GetEventRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        return value
    }
}

extension UpdateEventRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.version = sampler.int64()
        switch sampler.pick(2) {
        case 0: value.changeTitle = .title(sampler.string(maxBytes: 512))
        default: break
        }
        value.when = sampler.optional { EventTime.sample(&$0) }
        switch sampler.pick(2) {
        case 0: value.changeLocation = .location(sampler.string(maxBytes: 512))
        default: break
        }
        switch sampler.pick(2) {
        case 0: value.changeLink = .link(sampler.string(maxBytes: 2048))
        default: break
        }
        switch sampler.pick(2) {
        case 0: value.changeNotes = .notes(sampler.string(maxBytes: 4096))
        default: break
        }
        switch sampler.pick(2) {
        case 0: value.changeRecurrence = .recurrence(sampler.string(maxBytes: 256))
        default: break
        }
        value.changedDates = sampler.array(maxItems: 100) { ChangedDate.sample(&$0) }
        value.restoredDates = sampler.array(maxItems: 100) { $0.string(maxBytes: 10) }
        return value
    }
}

extension CancelEventRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        return value
    }
}

extension DeleteEventRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        return value
    }
}

extension InviteConversationRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.conversation = sampler.string(maxBytes: 129)
        return value
    }
}

extension UninviteConversationRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.conversation = sampler.string(maxBytes: 129)
        return value
    }
}

extension SetEventHostRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.user = sampler.string(maxBytes: 64)
        value.host = sampler.bool()
        return value
    }
}

extension AnswerEventRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.status = AttendanceStatus(rawValue: sampler.enumeration())
        value.guests = sampler.uint32()
        value.conversation = sampler.string(maxBytes: 129)
        switch sampler.pick(2) {
        case 0: value.changeReminder = .remindMinutes(sampler.int32())
        default: break
        }
        switch sampler.pick(2) {
        case 0: value.changeHost = .host(sampler.bool())
        default: break
        }
        return value
    }
}

extension ListAttendeesRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        return value
    }
}

extension ListAttendeesReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.attendees = sampler.array(maxItems: 200) { Attendance.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        return value
    }
}

extension ListEventsRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.fromDate = sampler.string(maxBytes: 10)
        value.toDate = sampler.string(maxBytes: 10)
        value.timeZone = sampler.string(maxBytes: 64)
        value.conversation = sampler.string(maxBytes: 129)
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        return value
    }
}

extension ListEventsReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.dates = sampler.array(maxItems: 1000) { EventDate.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        return value
    }
}

extension EventDate: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.event = sampler.bytes(exactly: 16)
        value.date = sampler.string(maxBytes: 10)
        value.startsAtUs = sampler.int64()
        value.endsAtUs = sampler.int64()
        value.startsLocal = sampler.string(maxBytes: 16)
        value.timeZone = sampler.string(maxBytes: 64)
        value.title = sampler.string(maxBytes: 512)
        value.location = sampler.string(maxBytes: 512)
        value.cancelled = sampler.bool()
        value.own = AttendanceStatus(rawValue: sampler.enumeration())
        return value
    }
}

extension ExportEventRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        return value
    }
}

extension ExportEventReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.calendar = sampler.string(maxBytes: 524288)
        return value
    }
}

extension CreateCalendarLinkRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension CreateCalendarLinkReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.path = sampler.string(maxBytes: 64)
        return value
    }
}

extension DeleteCalendarLinkRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension DeleteCalendarLinkReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.duplicate = sampler.bool()
        return value
    }
}

extension Suggestion: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.kind = SuggestionKind(rawValue: sampler.enumeration())
        value.state = SuggestionState(rawValue: sampler.enumeration())
        value.title = sampler.string(maxBytes: 512)
        value.when = sampler.optional { EventTime.sample(&$0) }
        value.location = sampler.string(maxBytes: 512)
        value.dueAtUs = sampler.int64()
        value.dueLocal = sampler.string(maxBytes: 19)
        value.timeZone = sampler.string(maxBytes: 64)
        value.conversation = sampler.string(maxBytes: 129)
        value.sourceMessage = sampler.bytes(exactly: 16)
        value.sourceSeq = sampler.int64()
        value.entity = sampler.bytes(exactly: 16)
        value.createdAtUs = sampler.int64()
        value.expiresAtUs = sampler.int64()
        value.position = sampler.int64()
        return value
    }
}

extension ListSuggestionsRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        return value
    }
}

extension ListSuggestionsReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.suggestions = sampler.array(maxItems: 200) { Suggestion.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        return value
    }
}

extension AcceptSuggestionRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        switch sampler.pick(2) {
        case 0: value.changeTitle = .title(sampler.string(maxBytes: 512))
        default: break
        }
        value.when = sampler.optional { EventTime.sample(&$0) }
        switch sampler.pick(2) {
        case 0: value.changeLocation = .location(sampler.string(maxBytes: 512))
        default: break
        }
        switch sampler.pick(3) {
        case 0: value.changeDue = .dueAtUs(sampler.int64())
        case 1: value.changeDue = .dueLocal(sampler.string(maxBytes: 19))
        default: break
        }
        switch sampler.pick(2) {
        case 0: value.changeTimeZone = .timeZone(sampler.string(maxBytes: 64))
        default: break
        }
        value.shared = sampler.bool()
        value.answer = AttendanceStatus(rawValue: sampler.enumeration())
        return value
    }
}

extension AcceptSuggestionReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.suggestion = sampler.optional { Suggestion.sample(&$0) }
        value.event = sampler.optional { Event.sample(&$0) }
        value.reminder = sampler.optional { Reminder.sample(&$0) }
        value.decision = sampler.optional { Decision.sample(&$0) }
        value.duplicate = sampler.bool()
        value.position = sampler.int64()
        return value
    }
}

extension DismissSuggestionRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        return value
    }
}

extension SuggestionReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.suggestion = sampler.optional { Suggestion.sample(&$0) }
        value.duplicate = sampler.bool()
        return value
    }
}

extension GetSuggestionSettingsRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension SuggestionSettings: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.off = sampler.bool()
        value.conversations = sampler.array(maxItems: 1000) { $0.string(maxBytes: 129) }
        value.duplicate = sampler.bool()
        return value
    }
}

extension UpdateSuggestionSettingsRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.off = sampler.bool()
        return value
    }
}

extension GetModelReadingRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        return value
    }
}

extension ModelReading: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.available = sampler.bool()
        value.on = sampler.bool()
        value.allowed = sampler.bool()
        value.keptOut = sampler.bool()
        value.keptOutEverywhere = sampler.bool()
        value.duplicate = sampler.bool()
        return value
    }
}

extension UpdateModelReadingRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        switch sampler.pick(2) {
        case 0: value.changeAllowed = .allowed(sampler.bool())
        default: break
        }
        switch sampler.pick(2) {
        case 0: value.changeKeptOut = .keptOut(sampler.bool())
        default: break
        }
        return value
    }
}

extension EntitiesSyncRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.epoch = sampler.string(maxBytes: 64)
        value.sincePosition = sampler.int64()
        value.limit = sampler.uint32()
        return value
    }
}

extension EntitiesSyncReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.epoch = sampler.string(maxBytes: 64)
        value.startOver = sampler.bool()
        value.position = sampler.int64()
        value.reminders = sampler.array(maxItems: 200) { Reminder.sample(&$0) }
        value.more = sampler.bool()
        value.decisions = sampler.array(maxItems: 100) { Decision.sample(&$0) }
        value.events = sampler.array(maxItems: 100) { Event.sample(&$0) }
        value.suggestions = sampler.array(maxItems: 100) { Suggestion.sample(&$0) }
        return value
    }
}

extension ClientFrame: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        switch sampler.pick(7) {
        case 0: value.frame = .hello(Hello.sample(&sampler))
        case 1: value.frame = .authenticate(Authenticate.sample(&sampler))
        case 2: value.frame = .request(Request.sample(&sampler))
        case 3: value.frame = .ping(Ping.sample(&sampler))
        case 4: value.frame = .setTimeZone(SetTimeZone.sample(&sampler))
        case 5: value.frame = .setActivity(Activity.sample(&sampler))
        default: break
        }
        return value
    }
}

extension ServerFrame: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        switch sampler.pick(7) {
        case 0: value.frame = .welcome(Welcome.sample(&sampler))
        case 1: value.frame = .authenticated(Authenticated.sample(&sampler))
        case 2: value.frame = .reply(Reply.sample(&sampler))
        case 3: value.frame = .update(Update.sample(&sampler))
        case 4: value.frame = .pong(Pong.sample(&sampler))
        case 5: value.frame = .goodbye(Goodbye.sample(&sampler))
        default: break
        }
        return value
    }
}

extension Hello: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.version = sampler.uint32()
        value.capabilities = sampler.uint64()
        value.token = sampler.string(maxBytes: 2048)
        value.client = sampler.string(maxBytes: 128)
        value.requests = sampler.array(maxItems: 4) { Request.sample(&$0) }
        value.timeZone = sampler.string(maxBytes: 64)
        value.activity = sampler.optional { Activity.sample(&$0) }
        return value
    }
}

extension SetTimeZone: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.timeZone = sampler.string(maxBytes: 64)
        return value
    }
}

extension Activity: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.background = sampler.bool()
        value.currentConversation = sampler.string(maxBytes: 129)
        return value
    }
}

extension Authenticate: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.token = sampler.string(maxBytes: 2048)
        return value
    }
}

extension Request: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.uint64()
        value.method = sampler.string(maxBytes: 64)
        value.key = sampler.string(maxBytes: 160)
        value.deadlineMs = sampler.uint32()
        value.body = sampler.bytes(maxBytes: 122880)
        return value
    }
}

extension Ping: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.uint64()
        return value
    }
}

extension Welcome: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.version = sampler.uint32()
        value.capabilities = sampler.uint64()
        value.session = sampler.string(maxBytes: 64)
        value.user = sampler.string(maxBytes: 64)
        value.device = sampler.string(maxBytes: 64)
        value.serverTimeUs = sampler.int64()
        value.limits = sampler.optional { Limits.sample(&$0) }
        value.sessionEndsUs = sampler.int64()
        value.cells = sampler.array(maxItems: 32) { $0.string(maxBytes: 16) }
        return value
    }
}

extension Limits: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.frameBytes = sampler.uint32()
        value.textBytes = sampler.uint32()
        value.requestsInFlight = sampler.uint32()
        value.requestsPerSecond = sampler.uint32()
        value.requestsBurst = sampler.uint32()
        value.pageSize = sampler.uint32()
        return value
    }
}

extension Authenticated: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.user = sampler.string(maxBytes: 64)
        value.device = sampler.string(maxBytes: 64)
        value.sessionEndsUs = sampler.int64()
        return value
    }
}

extension Reply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.uint64()
        value.error = sampler.optional { Problem.sample(&$0) }
        value.body = sampler.bytes(maxBytes: 1048576)
        return value
    }
}

extension Update: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.stream = sampler.string(maxBytes: 192)
        value.position = sampler.int64()
        value.kind = sampler.string(maxBytes: 64)
        value.`class` = UpdateClass(rawValue: sampler.enumeration())
        value.body = sampler.bytes(maxBytes: 122880)
        return value
    }
}

extension Pong: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.uint64()
        value.serverTimeUs = sampler.int64()
        return value
    }
}

extension Goodbye: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.error = sampler.optional { Problem.sample(&$0) }
        value.closeCode = CloseCode(rawValue: sampler.enumeration())
        return value
    }
}

extension Envelope: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.uint64()
        value.method = sampler.string(maxBytes: 64)
        value.account = sampler.int64()
        value.user = sampler.string(maxBytes: 64)
        value.device = sampler.string(maxBytes: 64)
        value.session = sampler.string(maxBytes: 64)
        value.address = sampler.string(maxBytes: 64)
        value.deadlineMs = sampler.uint32()
        value.trace = sampler.string(maxBytes: 64)
        value.traceparent = sampler.string(maxBytes: 64)
        value.timeZone = sampler.string(maxBytes: 64)
        return value
    }
}

extension ReplyHeader: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.uint64()
        value.error = sampler.optional { Problem.sample(&$0) }
        return value
    }
}

extension UpdateHeader: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.lane = sampler.uint32()
        value.number = sampler.int64()
        value.stream = sampler.string(maxBytes: 192)
        value.position = sampler.int64()
        value.kind = sampler.string(maxBytes: 64)
        value.`class` = UpdateClass(rawValue: sampler.enumeration())
        value.collapseKey = sampler.string(maxBytes: 160)
        value.audience = sampler.array(maxItems: 1000) { $0.int64() }
        value.originSession = sampler.string(maxBytes: 64)
        value.control = sampler.optional { Control.sample(&$0) }
        value.timeZone = sampler.string(maxBytes: 64)
        return value
    }
}

extension HeardHeader: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.lane = sampler.uint32()
        value.number = sampler.int64()
        value.kind = sampler.string(maxBytes: 64)
        value.control = sampler.optional { Control.sample(&$0) }
        value.timeZone = sampler.string(maxBytes: 64)
        return value
    }
}

extension HeardAudience: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.audience = sampler.array(maxItems: 1000) { $0.int64() }
        return value
    }
}

extension HeardMessage: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.seq = sampler.int64()
        value.sender = sampler.string(maxBytes: 64)
        value.kind = sampler.int32()
        value.text = sampler.string(maxBytes: 16384)
        value.sentAtUs = sampler.int64()
        value.editedAtUs = sampler.int64()
        value.deletedAtUs = sampler.int64()
        value.expiresAtUs = sampler.int64()
        return value
    }
}

extension Control: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        switch sampler.pick(3) {
        case 0: value.control = .deviceRevoked(DeviceRevoked.sample(&sampler))
        case 1: value.control = .heartbeat(Heartbeat.sample(&sampler))
        default: break
        }
        return value
    }
}

extension Heartbeat: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.epoch = sampler.string(maxBytes: 64)
        value.lanes = sampler.array(maxItems: 1023) { LaneNumber.sample(&$0) }
        return value
    }
}

extension LaneNumber: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.lane = sampler.uint32()
        value.number = sampler.int64()
        return value
    }
}

extension LanesRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension LanesReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.heartbeat = sampler.optional { Heartbeat.sample(&$0) }
        return value
    }
}

extension ReplayRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.lane = sampler.uint32()
        value.from = sampler.int64()
        value.to = sampler.int64()
        value.accountsOnly = sampler.bool()
        return value
    }
}

extension ReplayReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.updates = sampler.array(maxItems: 1000) { ReplayedUpdate.sample(&$0) }
        value.through = sampler.int64()
        value.accounts = sampler.array(maxItems: 100000) { $0.int64() }
        value.incomplete = sampler.bool()
        return value
    }
}

extension ReplayedUpdate: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.header = sampler.optional { UpdateHeader.sample(&$0) }
        value.body = sampler.bytes(maxBytes: 122880)
        return value
    }
}

extension DeviceRevoked: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.account = sampler.int64()
        value.device = sampler.string(maxBytes: 64)
        value.atUs = sampler.int64()
        return value
    }
}

extension HealthRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension HealthReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.service = sampler.string(maxBytes: 64)
        value.instance = sampler.string(maxBytes: 64)
        value.version = sampler.string(maxBytes: 64)
        value.ready = sampler.bool()
        value.reasons = sampler.array(maxItems: 16) { $0.string(maxBytes: 256) }
        value.upSinceUs = sampler.int64()
        value.metrics = sampler.array(maxItems: 500) { Metric.sample(&$0) }
        return value
    }
}

extension Metric: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.name = sampler.string(maxBytes: 128)
        value.labels = sampler.string(maxBytes: 256)
        value.value = sampler.double()
        return value
    }
}

extension AuthorityRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension AuthorityReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.keys = sampler.array(maxItems: 16) { PublicKey.sample(&$0) }
        value.revoked = sampler.array(maxItems: 100000) { DeviceRevoked.sample(&$0) }
        return value
    }
}

extension PublicKey: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.string(maxBytes: 64)
        value.ed25519 = sampler.bytes(exactly: 32)
        value.seal = sampler.bytes(exactly: 32)
        return value
    }
}

extension SessionsReport: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.gateway = sampler.string(maxBytes: 64)
        value.full = sampler.bool()
        value.opened = sampler.array(maxItems: 10000) { SessionOpened.sample(&$0) }
        value.closed = sampler.array(maxItems: 10000) { $0.string(maxBytes: 64) }
        return value
    }
}

extension SessionOpened: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.session = sampler.string(maxBytes: 64)
        value.account = sampler.int64()
        value.background = sampler.bool()
        value.currentConversation = sampler.string(maxBytes: 129)
        value.idleMs = sampler.int64()
        return value
    }
}

extension SessionsReportReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.sendFull = sampler.bool()
        return value
    }
}

extension ForegroundRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.after = sampler.int64()
        return value
    }
}

extension ForegroundReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.epoch = sampler.string(maxBytes: 64)
        value.position = sampler.int64()
        value.accounts = sampler.array(maxItems: 100000) { $0.int64() }
        value.more = sampler.bool()
        return value
    }
}

extension ForegroundChange: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.epoch = sampler.string(maxBytes: 64)
        value.came = sampler.array(maxItems: 10000) { $0.int64() }
        value.went = sampler.array(maxItems: 10000) { $0.int64() }
        return value
    }
}

extension HttpRoutesRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension HttpRoutesReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.routes = sampler.array(maxItems: 64) { HttpRoute.sample(&$0) }
        value.textBytes = sampler.uint32()
        return value
    }
}

extension HttpRoute: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.path = sampler.string(maxBytes: 256)
        value.below = sampler.bool()
        value.methods = sampler.array(maxItems: 8) { $0.string(maxBytes: 16) }
        value.headers = sampler.array(maxItems: 32) { $0.string(maxBytes: 64) }
        value.bodyBytesMax = sampler.int64()
        value.cacheControl = sampler.string(maxBytes: 128)
        return value
    }
}

extension HttpRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.method = sampler.string(maxBytes: 16)
        value.path = sampler.string(maxBytes: 8192)
        value.headers = sampler.array(maxItems: 32) { HttpHeader.sample(&$0) }
        value.body = sampler.bytes(maxBytes: 262144)
        value.bodyOffset = sampler.int64()
        value.bodyEnds = sampler.bool()
        value.state = sampler.bytes(maxBytes: 512)
        value.replyOffset = sampler.int64()
        return value
    }
}

extension HttpHeader: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.name = sampler.string(maxBytes: 64)
        value.value = sampler.string(maxBytes: 4096)
        return value
    }
}

extension HttpReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.status = sampler.uint32()
        value.headers = sampler.array(maxItems: 32) { HttpHeader.sample(&$0) }
        value.body = sampler.bytes(maxBytes: 262144)
        value.more = sampler.bool()
        value.state = sampler.bytes(maxBytes: 512)
        value.account = sampler.int64()
        return value
    }
}

extension FileExchange: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        switch sampler.pick(3) {
        case 0: value.exchange = .upload(FileUpload.sample(&sampler))
        case 1: value.exchange = .download(FileDownload.sample(&sampler))
        default: break
        }
        return value
    }
}

extension FileUpload: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.object = sampler.string(maxBytes: 64)
        value.sizeBytes = sampler.int64()
        value.mimeType = sampler.string(maxBytes: 127)
        value.isComplete = sampler.bool()
        value.conversation = sampler.int64()
        value.id = sampler.bytes(maxBytes: 16)
        value.start = sampler.int64()
        value.received = sampler.int64()
        value.beginsAnew = sampler.bool()
        return value
    }
}

extension FileDownload: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.object = sampler.string(maxBytes: 64)
        value.first = sampler.int64()
        value.end = sampler.int64()
        return value
    }
}

extension Message: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.seq = sampler.int64()
        value.id = sampler.bytes(exactly: 16)
        value.sender = sampler.string(maxBytes: 64)
        value.kind = MessageKind(rawValue: sampler.enumeration())
        value.text = sampler.string(maxBytes: 16384)
        value.sentAtUs = sampler.int64()
        value.position = sampler.int64()
        value.system = sampler.optional { SystemNote.sample(&$0) }
        value.editedAtUs = sampler.int64()
        value.deletedAtUs = sampler.int64()
        value.expiresAtUs = sampler.int64()
        value.replyToSeq = sampler.int64()
        value.threadSeq = sampler.int64()
        value.thread = sampler.optional { Thread.sample(&$0) }
        value.mentions = sampler.array(maxItems: 1000) { $0.string(maxBytes: 64) }
        value.media = sampler.optional { Media.sample(&$0) }
        value.forwardedFrom = sampler.string(maxBytes: 64)
        value.reactions = sampler.array(maxItems: 32) { ReactionCount.sample(&$0) }
        value.own = sampler.optional { OwnMessageState.sample(&$0) }
        return value
    }
}

extension Thread: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.replies = sampler.int64()
        value.lastSeq = sampler.int64()
        value.position = sampler.int64()
        return value
    }
}

extension ReactionCount: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.emoji = sampler.string(maxBytes: 64)
        value.count = sampler.int64()
        return value
    }
}

extension OwnMessageState: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.starred = sampler.bool()
        value.hidden = sampler.bool()
        value.reactions = sampler.array(maxItems: 32) { $0.string(maxBytes: 64) }
        return value
    }
}

extension Media: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.attachment = sampler.bytes(exactly: 16)
        value.url = sampler.string(maxBytes: 2048)
        value.name = sampler.string(maxBytes: 255)
        value.mimeType = sampler.string(maxBytes: 127)
        value.sizeBytes = sampler.int64()
        value.width = sampler.uint32()
        value.height = sampler.uint32()
        value.durationMs = sampler.uint32()
        value.thumbnail = sampler.bytes(maxBytes: 4096)
        return value
    }
}

extension Reactions: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.seq = sampler.int64()
        value.position = sampler.int64()
        value.counts = sampler.array(maxItems: 32) { ReactionCount.sample(&$0) }
        value.changes = sampler.array(maxItems: 256) { ReactionChange.sample(&$0) }
        return value
    }
}

extension ReactionChange: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.user = sampler.string(maxBytes: 64)
        value.emoji = sampler.string(maxBytes: 64)
        value.removed = sampler.bool()
        return value
    }
}

extension Receipt: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.user = sampler.string(maxBytes: 64)
        value.readSeq = sampler.int64()
        value.deliveredSeq = sampler.int64()
        value.readAtUs = sampler.int64()
        value.deliveredAtUs = sampler.int64()
        return value
    }
}

extension ReadCount: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.seq = sampler.int64()
        value.read = sampler.int64()
        value.delivered = sampler.int64()
        return value
    }
}

extension InboxState: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.ownPosition = sampler.int64()
        value.readSeq = sampler.int64()
        value.unread = sampler.int64()
        value.mentions = sampler.int64()
        value.countedPosition = sampler.int64()
        value.countedSeq = sampler.int64()
        value.countedAtUs = sampler.int64()
        value.markedUnread = sampler.bool()
        value.pinnedAtUs = sampler.int64()
        value.mutedUntilUs = sampler.int64()
        value.archivedAtUs = sampler.int64()
        value.archivedSeq = sampler.int64()
        value.clearedSeq = sampler.int64()
        value.firstSeq = sampler.int64()
        value.renewedPosition = sampler.int64()
        return value
    }
}

extension MessageState: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.seq = sampler.int64()
        value.ownPosition = sampler.int64()
        value.starred = sampler.bool()
        value.hidden = sampler.bool()
        return value
    }
}

extension SystemNote: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.kind = SystemNoteKind(rawValue: sampler.enumeration())
        value.actor = sampler.string(maxBytes: 64)
        value.users = sampler.array(maxItems: 64) { $0.string(maxBytes: 64) }
        value.name = sampler.string(maxBytes: 512)
        value.seconds = sampler.int64()
        value.entity = sampler.bytes(exactly: 16)
        value.supersedes = sampler.bytes(exactly: 16)
        value.changes = sampler.int64()
        return value
    }
}

extension SendMessageRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.conversation = sampler.string(maxBytes: 129)
        value.kind = MessageKind(rawValue: sampler.enumeration())
        value.text = sampler.string(maxBytes: 16384)
        value.replyToSeq = sampler.int64()
        value.mentions = sampler.array(maxItems: 1000) { $0.string(maxBytes: 64) }
        value.media = sampler.optional { Media.sample(&$0) }
        value.forward = sampler.optional { Forward.sample(&$0) }
        return value
    }
}

extension Forward: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.seq = sampler.int64()
        return value
    }
}

extension SendMessageReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.seq = sampler.int64()
        value.position = sampler.int64()
        value.sentAtUs = sampler.int64()
        value.duplicate = sampler.bool()
        value.message = sampler.optional { Message.sample(&$0) }
        return value
    }
}

extension GetHistoryRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        switch sampler.pick(4) {
        case 0: value.from = .beforeSeq(sampler.int64())
        case 1: value.from = .afterSeq(sampler.int64())
        case 2: value.from = .aroundSeq(sampler.int64())
        default: break
        }
        value.limit = sampler.uint32()
        return value
    }
}

extension GetHistoryReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.messages = sampler.array(maxItems: 200) { Message.sample(&$0) }
        value.moreBefore = sampler.bool()
        value.moreAfter = sampler.bool()
        value.lastSeq = sampler.int64()
        return value
    }
}

extension GetChangesRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.epoch = sampler.string(maxBytes: 64)
        value.sincePosition = sampler.int64()
        value.limit = sampler.uint32()
        return value
    }
}

extension GetChangesReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.epoch = sampler.string(maxBytes: 64)
        value.startOver = sampler.bool()
        value.position = sampler.int64()
        value.messages = sampler.array(maxItems: 200) { Message.sample(&$0) }
        value.more = sampler.bool()
        value.lastSeq = sampler.int64()
        return value
    }
}

extension MessagingSyncRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.epoch = sampler.string(maxBytes: 64)
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        value.ownPosition = sampler.int64()
        value.cell = sampler.string(maxBytes: 16)
        value.held = sampler.array(maxItems: 200) { HeldPosition.sample(&$0) }
        return value
    }
}

extension HeldPosition: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.position = sampler.int64()
        return value
    }
}

extension MessagingSyncReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.epoch = sampler.string(maxBytes: 64)
        value.startOver = sampler.bool()
        value.cursor = sampler.string(maxBytes: 256)
        value.entries = sampler.array(maxItems: 200) { InboxEntry.sample(&$0) }
        value.more = sampler.bool()
        value.ownPosition = sampler.int64()
        value.messageStates = sampler.array(maxItems: 200) { MessageState.sample(&$0) }
        return value
    }
}

extension GetInboxRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.section = ConversationSection(rawValue: sampler.enumeration())
        value.archived = sampler.bool()
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        return value
    }
}

extension GetInboxReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.entries = sampler.array(maxItems: 200) { InboxEntry.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        value.more = sampler.bool()
        return value
    }
}

extension InboxEntry: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.lastSeq = sampler.int64()
        value.position = sampler.int64()
        value.lastMessage = sampler.optional { Message.sample(&$0) }
        value.section = ConversationSection(rawValue: sampler.enumeration())
        value.state = sampler.optional { InboxState.sample(&$0) }
        value.retentionSeconds = sampler.int64()
        value.archived = sampler.bool()
        value.name = sampler.string(maxBytes: 512)
        value.photoUrl = sampler.string(maxBytes: 1024)
        value.missed = sampler.array(maxItems: 50) { Message.sample(&$0) }
        value.caughtUp = sampler.bool()
        return value
    }
}

extension GetBadgeRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension GetBadgeReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.badge = sampler.int64()
        value.conversations = sampler.int64()
        value.mentions = sampler.int64()
        return value
    }
}

extension GetUsageRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension GetUsageReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.fileBytes = sampler.int64()
        value.fileBytesMax = sampler.int64()
        value.messages = sampler.int64()
        value.messagesMax = sampler.int64()
        value.dayEndsUs = sampler.int64()
        return value
    }
}

extension EditMessageRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.seq = sampler.int64()
        value.text = sampler.string(maxBytes: 16384)
        value.mentions = sampler.array(maxItems: 1000) { $0.string(maxBytes: 64) }
        return value
    }
}

extension DeleteMessageRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.seq = sampler.int64()
        return value
    }
}

extension MessageReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.message = sampler.optional { Message.sample(&$0) }
        return value
    }
}

extension ListRevisionsRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.seq = sampler.int64()
        return value
    }
}

extension ListRevisionsReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.revisions = sampler.array(maxItems: 100) { Revision.sample(&$0) }
        return value
    }
}

extension Revision: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.text = sampler.string(maxBytes: 16384)
        value.untilUs = sampler.int64()
        return value
    }
}

extension UpdateReactionRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.seq = sampler.int64()
        value.emoji = sampler.string(maxBytes: 64)
        value.remove = sampler.bool()
        return value
    }
}

extension UpdateReactionReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.position = sampler.int64()
        value.counts = sampler.array(maxItems: 32) { ReactionCount.sample(&$0) }
        return value
    }
}

extension ListReactionsRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.seq = sampler.int64()
        value.emoji = sampler.string(maxBytes: 64)
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        return value
    }
}

extension ListReactionsReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.reactions = sampler.array(maxItems: 200) { Reaction.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        value.more = sampler.bool()
        return value
    }
}

extension Reaction: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.user = sampler.string(maxBytes: 64)
        value.emoji = sampler.string(maxBytes: 64)
        value.atUs = sampler.int64()
        return value
    }
}

extension GetThreadRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.threadSeq = sampler.int64()
        value.afterSeq = sampler.int64()
        value.limit = sampler.uint32()
        return value
    }
}

extension UpdateMarksRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.marks = sampler.array(maxItems: 100) { Watermark.sample(&$0) }
        return value
    }
}

extension Watermark: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.readSeq = sampler.int64()
        value.deliveredSeq = sampler.int64()
        return value
    }
}

extension UpdateMarksReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.states = sampler.array(maxItems: 100) { InboxState.sample(&$0) }
        return value
    }
}

extension ListReceiptsRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        return value
    }
}

extension ListReceiptsReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.receipts = sampler.array(maxItems: 200) { Receipt.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        value.more = sampler.bool()
        return value
    }
}

extension ListReadersRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.seq = sampler.int64()
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        return value
    }
}

extension ListReadersReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.readers = sampler.array(maxItems: 200) { Reader.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        value.more = sampler.bool()
        value.read = sampler.int64()
        value.delivered = sampler.int64()
        return value
    }
}

extension Reader: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.user = sampler.string(maxBytes: 64)
        value.delivered = sampler.bool()
        value.readAtUs = sampler.int64()
        return value
    }
}

extension UpdateInboxStateRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.pinned = Choice(rawValue: sampler.enumeration())
        value.archived = Choice(rawValue: sampler.enumeration())
        value.markedUnread = Choice(rawValue: sampler.enumeration())
        value.muted = Choice(rawValue: sampler.enumeration())
        value.mutedUntilUs = sampler.int64()
        return value
    }
}

extension InboxStateReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.state = sampler.optional { InboxState.sample(&$0) }
        return value
    }
}

extension ClearConversationRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.upToSeq = sampler.int64()
        return value
    }
}

extension UpdateMessageStateRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.seqs = sampler.array(maxItems: 100) { $0.int64() }
        value.starred = Choice(rawValue: sampler.enumeration())
        value.hide = sampler.bool()
        return value
    }
}

extension UpdateMessageStateReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.states = sampler.array(maxItems: 100) { MessageState.sample(&$0) }
        return value
    }
}

extension ListMentionsAndStarsRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.kind = MentionsAndStarsKind(rawValue: sampler.enumeration())
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        return value
    }
}

extension ListMentionsAndStarsReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.messages = sampler.array(maxItems: 200) { Message.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        value.more = sampler.bool()
        return value
    }
}

extension SearchMessagesRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.text = sampler.string(maxBytes: 256)
        value.conversation = sampler.string(maxBytes: 129)
        value.sender = sampler.string(maxBytes: 64)
        value.kind = MessageKind(rawValue: sampler.enumeration())
        value.sentAfterUs = sampler.int64()
        value.sentBeforeUs = sampler.int64()
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        return value
    }
}

extension SearchMessagesReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.found = sampler.array(maxItems: 200) { Found.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        value.more = sampler.bool()
        return value
    }
}

extension Found: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.message = sampler.optional { Message.sample(&$0) }
        value.snippet = sampler.string(maxBytes: 1024)
        value.highlights = sampler.array(maxItems: 64) { $0.uint32() }
        return value
    }
}

extension SetRetentionRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.seconds = sampler.int64()
        value.alsoOld = sampler.bool()
        return value
    }
}

extension SetRetentionReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.seconds = sampler.int64()
        return value
    }
}

extension CreateAttachmentRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.id = sampler.bytes(exactly: 16)
        value.conversation = sampler.string(maxBytes: 129)
        value.name = sampler.string(maxBytes: 255)
        value.mimeType = sampler.string(maxBytes: 127)
        value.sizeBytes = sampler.int64()
        return value
    }
}

extension CreateAttachmentReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.uploadPath = sampler.string(maxBytes: 512)
        value.expiresAtUs = sampler.int64()
        value.receivedBytes = sampler.int64()
        value.complete = sampler.bool()
        return value
    }
}

extension GetAttachmentRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.seq = sampler.int64()
        value.attachment = sampler.bytes(exactly: 16)
        return value
    }
}

extension GetAttachmentReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.downloadPath = sampler.string(maxBytes: 512)
        value.expiresAtUs = sampler.int64()
        value.media = sampler.optional { Media.sample(&$0) }
        return value
    }
}

extension SentAttachment: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.seq = sampler.int64()
        value.media = sampler.optional { Media.sample(&$0) }
        value.createdAtUs = sampler.int64()
        return value
    }
}

extension ListAttachmentsRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.cursor = sampler.string(maxBytes: 256)
        value.limit = sampler.uint32()
        return value
    }
}

extension ListAttachmentsReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.attachments = sampler.array(maxItems: 200) { SentAttachment.sample(&$0) }
        value.cursor = sampler.string(maxBytes: 256)
        return value
    }
}

extension RegisterPushRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.transport = PushTransport(rawValue: sampler.enumeration())
        value.token = sampler.string(maxBytes: 4096)
        value.app = sampler.string(maxBytes: 255)
        value.language = sampler.string(maxBytes: 35)
        value.contentKey = sampler.bytes(maxBytes: 65)
        value.authSecret = sampler.bytes(maxBytes: 16)
        return value
    }
}

extension PushDevice: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.device = sampler.string(maxBytes: 64)
        value.transport = PushTransport(rawValue: sampler.enumeration())
        value.app = sampler.string(maxBytes: 255)
        value.language = sampler.string(maxBytes: 35)
        value.encrypted = sampler.bool()
        value.registeredAtUs = sampler.int64()
        value.tokenEnd = sampler.string(maxBytes: 32)
        value.lastSentUs = sampler.int64()
        value.lastResult = sampler.string(maxBytes: 64)
        return value
    }
}

extension UnregisterPushRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.device = sampler.string(maxBytes: 64)
        return value
    }
}

extension ListPushDevicesRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension ListPushDevicesReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.devices = sampler.array(maxItems: 100) { PushDevice.sample(&$0) }
        value.transports = sampler.array(maxItems: 16) { PushTransport(rawValue: $0.enumeration()) }
        value.webPushKey = sampler.bytes(maxBytes: 65)
        return value
    }
}

extension TestPushRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.device = sampler.string(maxBytes: 64)
        return value
    }
}

extension GetPushSettingsRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension PushSettings: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.level = PushLevel(rawValue: sampler.enumeration())
        value.conversations = sampler.array(maxItems: 500) { PushConversation.sample(&$0) }
        value.content = PushContent(rawValue: sampler.enumeration())
        value.reactions = sampler.bool()
        value.requests = sampler.bool()
        value.reminders = sampler.bool()
        value.events = sampler.bool()
        value.mentionsWhenMuted = sampler.bool()
        value.quiet = sampler.optional { QuietTime.sample(&$0) }
        value.sound = sampler.string(maxBytes: 64)
        value.version = sampler.int64()
        return value
    }
}

extension PushConversation: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.level = PushLevel(rawValue: sampler.enumeration())
        return value
    }
}

extension QuietTime: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.hours = sampler.array(maxItems: 28) { QuietHours.sample(&$0) }
        value.timeZone = sampler.string(maxBytes: 64)
        return value
    }
}

extension QuietHours: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.weekday = sampler.uint32()
        value.fromMinute = sampler.uint32()
        value.untilMinute = sampler.uint32()
        return value
    }
}

extension UpdatePushSettingsRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.level = PushLevel(rawValue: sampler.enumeration())
        value.conversation = sampler.optional { PushConversation.sample(&$0) }
        value.content = PushContent(rawValue: sampler.enumeration())
        value.reactions = Choice(rawValue: sampler.enumeration())
        value.requests = Choice(rawValue: sampler.enumeration())
        value.reminders = Choice(rawValue: sampler.enumeration())
        value.events = Choice(rawValue: sampler.enumeration())
        value.mentionsWhenMuted = Choice(rawValue: sampler.enumeration())
        value.quiet = sampler.optional { QuietTime.sample(&$0) }
        switch sampler.pick(2) {
        case 0: value.changeSound = .sound(sampler.string(maxBytes: 64))
        default: break
        }
        return value
    }
}

extension PresenceState: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.user = sampler.string(maxBytes: 64)
        value.status = PresenceStatus(rawValue: sampler.enumeration())
        value.lastSeenUs = sampler.int64()
        value.statusText = sampler.string(maxBytes: 128)
        value.statusEndsUs = sampler.int64()
        value.currentConversation = sampler.string(maxBytes: 129)
        return value
    }
}

extension GetPresenceRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.users = sampler.array(maxItems: 200) { $0.string(maxBytes: 64) }
        return value
    }
}

extension WatchPresenceRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.users = sampler.array(maxItems: 200) { $0.string(maxBytes: 64) }
        return value
    }
}

extension PresenceReply: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.states = sampler.array(maxItems: 200) { PresenceState.sample(&$0) }
        return value
    }
}

extension SetTypingRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.typing = sampler.bool()
        return value
    }
}

extension Typing: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.conversation = sampler.string(maxBytes: 129)
        value.user = sampler.string(maxBytes: 64)
        value.typing = sampler.bool()
        return value
    }
}

extension GetOwnPresenceRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        let value = Self()
        return value
    }
}

extension SetPresenceRequest: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.availability = Availability(rawValue: sampler.enumeration())
        value.status = sampler.optional { StatusText.sample(&$0) }
        value.hiding = Hiding(rawValue: sampler.enumeration())
        return value
    }
}

extension StatusText: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.text = sampler.string(maxBytes: 128)
        value.endsUs = sampler.int64()
        return value
    }
}

extension OwnPresence: Sampled {
    static func sample(_ sampler: inout Sampler) -> Self {
        var value = Self()
        value.availability = Availability(rawValue: sampler.enumeration())
        value.statusText = sampler.string(maxBytes: 128)
        value.statusEndsUs = sampler.int64()
        value.hiding = Hiding(rawValue: sampler.enumeration())
        value.version = sampler.int64()
        return value
    }
}
