import SwiftProtobuf

/// A request that the server answers, with its types.
public struct Method<Request: SwiftProtobuf.Message, Reply: SwiftProtobuf.Message>: Sendable {
    /// "messaging.Send"
    public let name: String

    /// A method this library does not list.
    public init(_ name: String) {
        self.name = name
    }
}

/// Methods of parley-conversations.
public enum ConversationsMethods {
    public static let register = Method<Parley_V1_RegisterRequest, Parley_V1_SignedIn>("conversations.Register")
    public static let signIn = Method<Parley_V1_SignInRequest, Parley_V1_SignedIn>("conversations.SignIn")
    public static let refresh = Method<Parley_V1_RefreshRequest, Parley_V1_SignedIn>("conversations.Refresh")
    public static let signOut = Method<Parley_V1_SignOutRequest, Parley_V1_Done>("conversations.SignOut")
    public static let devices = Method<Parley_V1_DevicesRequest, Parley_V1_DevicesReply>("conversations.Devices")
    public static let revokeDevice = Method<Parley_V1_RevokeDeviceRequest, Parley_V1_Done>("conversations.RevokeDevice")
    public static let erase = Method<Parley_V1_EraseRequest, Parley_V1_Done>("conversations.Erase")
    public static let getProfile = Method<Parley_V1_GetProfileRequest, Parley_V1_Profile>("conversations.GetProfile")
    public static let updateProfile = Method<Parley_V1_UpdateProfileRequest, Parley_V1_Profile>(
        "conversations.UpdateProfile")
    public static let findUser = Method<Parley_V1_FindUserRequest, Parley_V1_FindUserReply>("conversations.FindUser")
    public static let getUsers = Method<Parley_V1_GetUsersRequest, Parley_V1_UsersReply>("conversations.GetUsers")
    public static let findPeople = Method<Parley_V1_FindPeopleRequest, Parley_V1_FindPeopleReply>(
        "conversations.FindPeople")
    public static let block = Method<Parley_V1_BlockRequest, Parley_V1_Done>("conversations.Block")
    public static let unblock = Method<Parley_V1_UnblockRequest, Parley_V1_Done>("conversations.Unblock")
    public static let blocked = Method<Parley_V1_BlockedRequest, Parley_V1_BlockedReply>("conversations.Blocked")
    public static let report = Method<Parley_V1_ReportRequest, Parley_V1_Done>("conversations.Report")
    public static let startDirect = Method<Parley_V1_StartDirectRequest, Parley_V1_ConversationReply>(
        "conversations.StartDirect")
    public static let getConversation = Method<Parley_V1_GetConversationRequest, Parley_V1_ConversationReply>(
        "conversations.GetConversation")
    public static let findConversation = Method<Parley_V1_FindConversationRequest, Parley_V1_FindConversationReply>(
        "conversations.FindConversation")
    public static let sync = Method<Parley_V1_ConversationsSyncRequest, Parley_V1_ConversationsSyncReply>(
        "conversations.Sync")
    public static let requests = Method<Parley_V1_RequestsRequest, Parley_V1_RequestsReply>("conversations.Requests")
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
    public static let members = Method<Parley_V1_MembersRequest, Parley_V1_MembersReply>("conversations.Members")
    public static let addMembers = Method<Parley_V1_AddMembersRequest, Parley_V1_ConversationReply>(
        "conversations.AddMembers")
    public static let removeMember = Method<Parley_V1_RemoveMemberRequest, Parley_V1_Done>("conversations.RemoveMember")
    public static let setRole = Method<Parley_V1_SetRoleRequest, Parley_V1_Done>("conversations.SetRole")
    public static let handOver = Method<Parley_V1_HandOverRequest, Parley_V1_Done>("conversations.HandOver")
    public static let leaveGroup = Method<Parley_V1_LeaveGroupRequest, Parley_V1_Done>("conversations.LeaveGroup")
}

/// Methods of parley-messaging.
public enum MessagingMethods {
    public static let send = Method<Parley_V1_SendRequest, Parley_V1_SendReply>("messaging.Send")
    public static let history = Method<Parley_V1_HistoryRequest, Parley_V1_HistoryReply>("messaging.History")
    public static let changes = Method<Parley_V1_ChangesRequest, Parley_V1_ChangesReply>("messaging.Changes")
    public static let sync = Method<Parley_V1_MessagingSyncRequest, Parley_V1_MessagingSyncReply>("messaging.Sync")
    public static let inbox = Method<Parley_V1_InboxRequest, Parley_V1_InboxReply>("messaging.Inbox")
    public static let badge = Method<Parley_V1_BadgeRequest, Parley_V1_BadgeReply>("messaging.Badge")
    public static let edit = Method<Parley_V1_EditRequest, Parley_V1_MessageReply>("messaging.Edit")
    public static let delete = Method<Parley_V1_DeleteRequest, Parley_V1_MessageReply>("messaging.Delete")
    public static let revisions = Method<Parley_V1_RevisionsRequest, Parley_V1_RevisionsReply>("messaging.Revisions")
    public static let react = Method<Parley_V1_ReactRequest, Parley_V1_ReactReply>("messaging.React")
    public static let reactors = Method<Parley_V1_ReactorsRequest, Parley_V1_ReactorsReply>("messaging.Reactors")
    public static let thread = Method<Parley_V1_ThreadRequest, Parley_V1_HistoryReply>("messaging.Thread")
    public static let mark = Method<Parley_V1_MarkRequest, Parley_V1_MarkReply>("messaging.Mark")
    public static let receipts = Method<Parley_V1_ReceiptsRequest, Parley_V1_ReceiptsReply>("messaging.Receipts")
    public static let readers = Method<Parley_V1_ReadersRequest, Parley_V1_ReadersReply>("messaging.Readers")
    public static let arrange = Method<Parley_V1_ArrangeRequest, Parley_V1_ArrangeReply>("messaging.Arrange")
    public static let clear = Method<Parley_V1_ClearRequest, Parley_V1_ArrangeReply>("messaging.Clear")
    public static let flag = Method<Parley_V1_FlagRequest, Parley_V1_FlagReply>("messaging.Flag")
    public static let flagged = Method<Parley_V1_FlaggedRequest, Parley_V1_FlaggedReply>("messaging.Flagged")
    public static let search = Method<Parley_V1_SearchRequest, Parley_V1_SearchReply>("messaging.Search")
    public static let setRetention = Method<Parley_V1_SetRetentionRequest, Parley_V1_SetRetentionReply>(
        "messaging.SetRetention")
    public static let createAttachment = Method<Parley_V1_CreateAttachmentRequest, Parley_V1_CreateAttachmentReply>(
        "messaging.CreateAttachment")
    public static let getAttachment = Method<Parley_V1_GetAttachmentRequest, Parley_V1_GetAttachmentReply>(
        "messaging.GetAttachment")
}

/// Methods of parley-presence.
public enum PresenceMethods {
    public static let get = Method<Parley_V1_PresenceGetRequest, Parley_V1_PresenceReply>("presence.Get")
    public static let watch = Method<Parley_V1_PresenceWatchRequest, Parley_V1_PresenceReply>("presence.Watch")
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
