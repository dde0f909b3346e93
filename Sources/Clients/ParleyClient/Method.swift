import SwiftProtobuf

/// The name of a request with the types of its request and reply.
public struct Method<Request: SwiftProtobuf.Message, Reply: SwiftProtobuf.Message>: Sendable {
    /// The name in frames, such as "messaging.SendMessage".
    public let name: String

    /// Creates a method that this library does not list.
    public init(_ name: String) {
        self.name = name
    }
}

/// Methods of parley-conversations.
public enum ConversationsMethods {
    public static let register = Method<Parley_V1_RegisterRequest, Parley_V1_SignedIn>("conversations.Register")
    public static let signIn = Method<Parley_V1_SignInRequest, Parley_V1_SignedIn>("conversations.SignIn")
    public static let refreshTokens = Method<Parley_V1_RefreshTokensRequest, Parley_V1_SignedIn>(
        "conversations.RefreshTokens")
    public static let signOut = Method<Parley_V1_SignOutRequest, Parley_V1_Done>("conversations.SignOut")
    public static let listDevices = Method<Parley_V1_ListDevicesRequest, Parley_V1_ListDevicesReply>(
        "conversations.ListDevices")
    public static let revokeDevice = Method<Parley_V1_RevokeDeviceRequest, Parley_V1_Done>("conversations.RevokeDevice")
    public static let eraseAccount = Method<Parley_V1_EraseAccountRequest, Parley_V1_Done>("conversations.EraseAccount")
    public static let getProfile = Method<Parley_V1_GetProfileRequest, Parley_V1_Profile>("conversations.GetProfile")
    public static let updateProfile = Method<Parley_V1_UpdateProfileRequest, Parley_V1_Profile>(
        "conversations.UpdateProfile")
    public static let findUser = Method<Parley_V1_FindUserRequest, Parley_V1_FindUserReply>("conversations.FindUser")
    public static let getUsers = Method<Parley_V1_GetUsersRequest, Parley_V1_GetUsersReply>("conversations.GetUsers")
    public static let searchUsers = Method<Parley_V1_SearchUsersRequest, Parley_V1_SearchUsersReply>(
        "conversations.SearchUsers")
    public static let blockUser = Method<Parley_V1_BlockUserRequest, Parley_V1_Done>("conversations.BlockUser")
    public static let unblockUser = Method<Parley_V1_UnblockUserRequest, Parley_V1_Done>("conversations.UnblockUser")
    public static let listBlocked = Method<Parley_V1_ListBlockedRequest, Parley_V1_ListBlockedReply>(
        "conversations.ListBlocked")
    public static let createReport = Method<Parley_V1_CreateReportRequest, Parley_V1_Done>("conversations.CreateReport")
    public static let startDirect = Method<Parley_V1_StartDirectRequest, Parley_V1_ConversationReply>(
        "conversations.StartDirect")
    public static let getConversation = Method<Parley_V1_GetConversationRequest, Parley_V1_ConversationReply>(
        "conversations.GetConversation")
    public static let findConversation = Method<Parley_V1_FindConversationRequest, Parley_V1_FindConversationReply>(
        "conversations.FindConversation")
    public static let sync = Method<Parley_V1_ConversationsSyncRequest, Parley_V1_ConversationsSyncReply>(
        "conversations.Sync")
    public static let listRequests = Method<Parley_V1_ListRequestsRequest, Parley_V1_ListRequestsReply>(
        "conversations.ListRequests")
    public static let acceptRequest = Method<Parley_V1_AcceptRequestRequest, Parley_V1_ConversationReply>(
        "conversations.AcceptRequest")
    public static let declineRequest = Method<Parley_V1_DeclineRequestRequest, Parley_V1_Done>(
        "conversations.DeclineRequest")
    public static let withdrawRequest = Method<Parley_V1_WithdrawRequestRequest, Parley_V1_Done>(
        "conversations.WithdrawRequest")
    public static let markRequestsRead = Method<Parley_V1_MarkRequestsReadRequest, Parley_V1_RequestCount>(
        "conversations.MarkRequestsRead")
    public static let createGroup = Method<Parley_V1_CreateGroupRequest, Parley_V1_ConversationReply>(
        "conversations.CreateGroup")
    public static let updateGroup = Method<Parley_V1_UpdateGroupRequest, Parley_V1_ConversationReply>(
        "conversations.UpdateGroup")
    public static let listMembers = Method<Parley_V1_ListMembersRequest, Parley_V1_ListMembersReply>(
        "conversations.ListMembers")
    public static let addMembers = Method<Parley_V1_AddMembersRequest, Parley_V1_ConversationReply>(
        "conversations.AddMembers")
    public static let removeMember = Method<Parley_V1_RemoveMemberRequest, Parley_V1_Done>("conversations.RemoveMember")
    public static let setMemberRole = Method<Parley_V1_SetMemberRoleRequest, Parley_V1_Done>(
        "conversations.SetMemberRole")
    public static let transferOwnership = Method<Parley_V1_TransferOwnershipRequest, Parley_V1_Done>(
        "conversations.TransferOwnership")
    public static let leaveGroup = Method<Parley_V1_LeaveGroupRequest, Parley_V1_Done>("conversations.LeaveGroup")
}

/// Methods of parley-messaging.
public enum MessagingMethods {
    public static let sendMessage = Method<Parley_V1_SendMessageRequest, Parley_V1_SendMessageReply>(
        "messaging.SendMessage")
    public static let getHistory = Method<Parley_V1_GetHistoryRequest, Parley_V1_GetHistoryReply>(
        "messaging.GetHistory")
    public static let getChanges = Method<Parley_V1_GetChangesRequest, Parley_V1_GetChangesReply>(
        "messaging.GetChanges")
    public static let sync = Method<Parley_V1_MessagingSyncRequest, Parley_V1_MessagingSyncReply>("messaging.Sync")
    public static let getInbox = Method<Parley_V1_GetInboxRequest, Parley_V1_GetInboxReply>("messaging.GetInbox")
    public static let getBadge = Method<Parley_V1_GetBadgeRequest, Parley_V1_GetBadgeReply>("messaging.GetBadge")
    public static let editMessage = Method<Parley_V1_EditMessageRequest, Parley_V1_MessageReply>(
        "messaging.EditMessage")
    public static let deleteMessage = Method<Parley_V1_DeleteMessageRequest, Parley_V1_MessageReply>(
        "messaging.DeleteMessage")
    public static let listRevisions = Method<Parley_V1_ListRevisionsRequest, Parley_V1_ListRevisionsReply>(
        "messaging.ListRevisions")
    public static let updateReaction = Method<Parley_V1_UpdateReactionRequest, Parley_V1_UpdateReactionReply>(
        "messaging.UpdateReaction")
    public static let listReactions = Method<Parley_V1_ListReactionsRequest, Parley_V1_ListReactionsReply>(
        "messaging.ListReactions")
    public static let getThread = Method<Parley_V1_GetThreadRequest, Parley_V1_GetHistoryReply>("messaging.GetThread")
    public static let updateMarks = Method<Parley_V1_UpdateMarksRequest, Parley_V1_UpdateMarksReply>(
        "messaging.UpdateMarks")
    public static let listReceipts = Method<Parley_V1_ListReceiptsRequest, Parley_V1_ListReceiptsReply>(
        "messaging.ListReceipts")
    public static let listReaders = Method<Parley_V1_ListReadersRequest, Parley_V1_ListReadersReply>(
        "messaging.ListReaders")
    public static let updateInboxState = Method<Parley_V1_UpdateInboxStateRequest, Parley_V1_InboxStateReply>(
        "messaging.UpdateInboxState")
    public static let clearConversation = Method<Parley_V1_ClearConversationRequest, Parley_V1_InboxStateReply>(
        "messaging.ClearConversation")
    public static let updateMessageState = Method<
        Parley_V1_UpdateMessageStateRequest, Parley_V1_UpdateMessageStateReply
    >("messaging.UpdateMessageState")
    public static let listMentionsAndStars = Method<
        Parley_V1_ListMentionsAndStarsRequest, Parley_V1_ListMentionsAndStarsReply
    >("messaging.ListMentionsAndStars")
    public static let searchMessages = Method<Parley_V1_SearchMessagesRequest, Parley_V1_SearchMessagesReply>(
        "messaging.SearchMessages")
    public static let setRetention = Method<Parley_V1_SetRetentionRequest, Parley_V1_SetRetentionReply>(
        "messaging.SetRetention")
    public static let createAttachment = Method<Parley_V1_CreateAttachmentRequest, Parley_V1_CreateAttachmentReply>(
        "messaging.CreateAttachment")
    public static let getAttachment = Method<Parley_V1_GetAttachmentRequest, Parley_V1_GetAttachmentReply>(
        "messaging.GetAttachment")
}

/// Methods of parley-presence.
public enum PresenceMethods {
    public static let getPresence = Method<Parley_V1_GetPresenceRequest, Parley_V1_PresenceReply>(
        "presence.GetPresence")
    public static let watchPresence = Method<Parley_V1_WatchPresenceRequest, Parley_V1_PresenceReply>(
        "presence.WatchPresence")
}

/// Methods of parley-entities.
public enum EntitiesMethods {
    public static let createReminder = Method<Parley_V1_CreateReminderRequest, Parley_V1_ReminderReply>(
        "entities.CreateReminder")
    public static let completeReminder = Method<Parley_V1_CompleteReminderRequest, Parley_V1_ReminderReply>(
        "entities.CompleteReminder")
    public static let listReminders = Method<Parley_V1_ListRemindersRequest, Parley_V1_ListRemindersReply>(
        "entities.ListReminders")
    public static let sync = Method<Parley_V1_EntitiesSyncRequest, Parley_V1_EntitiesSyncReply>("entities.Sync")
}
