// Generated from *.proto (sha256 b2447acba9c9801e47a93629ba5ec14e0a6ffe142dbec1594ea801c888d7c9a0) by proto/generate. Do not edit.

// swift-format-ignore-file

extension Parley_V1_RegisterRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(username, max: 128, "username")
        try within(password, max: 256, "password")
        try within(displayName, max: 512, "display_name")
        try within(deviceName, max: 256, "device_name")
        try within(code, max: 64, "code")
        try within(proof, max: 4096, "proof")
    }
}

extension Parley_V1_GetChallengeRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {}
}

extension Parley_V1_SignInRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(username, max: 128, "username")
        try within(password, max: 256, "password")
        try within(deviceName, max: 256, "device_name")
        try within(knownDevice, max: 256, "known_device")
    }
}

extension Parley_V1_RefreshTokensRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(refreshToken, max: 128, "refresh_token")
    }
}

extension Parley_V1_ListIssuersRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {}
}

extension Parley_V1_SignInWithTokenRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(token, max: 16384, "token")
        try within(nonce, max: 256, "nonce")
        try within(deviceName, max: 256, "device_name")
        try within(displayName, max: 512, "display_name")
        try within(code, max: 64, "code")
        try within(proof, max: 4096, "proof")
    }
}

extension Parley_V1_SignInWithCodeRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(code, max: 64, "code")
        try within(verifier, max: 128, "verifier")
        try within(deviceName, max: 256, "device_name")
        try within(displayName, max: 512, "display_name")
        try within(registrationCode, max: 64, "registration_code")
        try within(proof, max: 4096, "proof")
    }
}

extension Parley_V1_ListIdentitiesRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {}
}

extension Parley_V1_LinkIdentityRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(token, max: 16384, "token")
        try within(nonce, max: 256, "nonce")
        try within(owner, "owner")
        try within(code, max: 64, "code")
        try within(verifier, max: 128, "verifier")
    }
}

extension Parley_V1_UnlinkIdentityRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(identity, max: 64, "identity")
        try within(owner, "owner")
    }
}

extension Parley_V1_ChangePasswordRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(newPassword, max: 256, "new_password")
        try within(owner, "owner")
        try within(username, max: 128, "username")
    }
}

extension Parley_V1_RequestPasswordResetRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(email, max: 254, "email")
    }
}

extension Parley_V1_ResetPasswordRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(email, max: 254, "email")
        try within(code, max: 64, "code")
        try within(newPassword, max: 256, "new_password")
    }
}

extension Parley_V1_RequestEmailCodeRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {}
}

extension Parley_V1_ConfirmEmailRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(code, max: 64, "code")
    }
}

extension Parley_V1_BeginDeviceLinkRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(deviceName, max: 256, "device_name")
    }
}

extension Parley_V1_GetDeviceLinkRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(code, max: 64, "code")
    }
}

extension Parley_V1_ApproveDeviceLinkRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(code, max: 64, "code")
    }
}

extension Parley_V1_FinishDeviceLinkRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(code, max: 64, "code")
        try within(secret, max: 64, "secret")
    }
}

extension Parley_V1_SignOutRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {}
}

extension Parley_V1_ListDevicesRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {}
}

extension Parley_V1_RevokeDeviceRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(device, max: 64, "device")
    }
}

extension Parley_V1_EraseAccountRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(password, max: 256, "password")
        try within(token, max: 16384, "token")
        try within(nonce, max: 256, "nonce")
    }
}

extension Parley_V1_GetProfileRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {}
}

extension Parley_V1_UpdateProfileRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(username, max: 128, "username")
        try within(displayName, max: 512, "display_name")
        try within(photoURL, max: 1024, "photo_url")
        try within(email, max: 254, "email")
    }
}

extension Parley_V1_FindUserRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(username, max: 128, "username")
    }
}

extension Parley_V1_GetUsersRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(users, items: 200, bytes: 64, "users")
    }
}

extension Parley_V1_SearchUsersRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(query, max: 512, "query")
        try within(cursor, max: 1024, "cursor")
    }
}

extension Parley_V1_BlockUserRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(user, max: 64, "user")
    }
}

extension Parley_V1_UnblockUserRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(user, max: 64, "user")
    }
}

extension Parley_V1_ListBlockedRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(cursor, max: 256, "cursor")
    }
}

extension Parley_V1_CreateReportRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(user, max: 64, "user")
        try within(conversation, max: 129, "conversation")
        try within(note, max: 2048, "note")
    }
}

extension Parley_V1_ListReportsRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(cursor, max: 256, "cursor")
    }
}

extension Parley_V1_ListImportedRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(cursor, max: 2048, "cursor")
    }
}

extension Parley_V1_StartDirectRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(user, max: 64, "user")
    }
}

extension Parley_V1_GetConversationRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_GetConversationsRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversations, items: 50, bytes: 129, "conversations")
    }
}

extension Parley_V1_FindConversationRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(users, items: 999, bytes: 64, "users")
    }
}

extension Parley_V1_ConversationsSyncRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(epoch, max: 64, "epoch")
    }
}

extension Parley_V1_ListRequestsRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(cursor, max: 256, "cursor")
    }
}

extension Parley_V1_AcceptRequestRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_DeclineRequestRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_WithdrawRequestRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_MarkRequestsReadRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversations, items: 200, bytes: 129, "conversations")
    }
}

extension Parley_V1_CreateGroupRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(name, max: 512, "name")
        try within(users, items: 999, bytes: 64, "users")
        try within(photoURL, max: 1024, "photo_url")
    }
}

extension Parley_V1_UpdateGroupRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(name, max: 512, "name")
        try within(photoURL, max: 1024, "photo_url")
    }
}

extension Parley_V1_ListMembersRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(cursor, max: 256, "cursor")
    }
}

extension Parley_V1_AddMembersRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(users, items: 999, bytes: 64, "users")
    }
}

extension Parley_V1_ListInvitationsRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(cursor, max: 256, "cursor")
    }
}

extension Parley_V1_WithdrawInvitationRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(user, max: 64, "user")
    }
}

extension Parley_V1_RemoveMemberRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(user, max: 64, "user")
    }
}

extension Parley_V1_SetMemberRoleRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(user, max: 64, "user")
    }
}

extension Parley_V1_TransferOwnershipRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(user, max: 64, "user")
    }
}

extension Parley_V1_LeaveGroupRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_CreateReminderRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(title, max: 512, "title")
        try within(timeZone, max: 64, "time_zone")
        try within(conversation, max: 129, "conversation")
        try within(sourceMessage, exactly: 16, "source_message")
        try within(notificationID, max: 128, "notification_id")
        try within(dueLocal, max: 19, "due_local")
    }
}

extension Parley_V1_GetReminderRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
    }
}

extension Parley_V1_UpdateReminderRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(title, max: 512, "title")
        try within(dueLocal, max: 19, "due_local")
        try within(timeZone, max: 64, "time_zone")
        try within(notificationID, max: 128, "notification_id")
    }
}

extension Parley_V1_SnoozeReminderRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
    }
}

extension Parley_V1_CompleteReminderRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
    }
}

extension Parley_V1_DeleteReminderRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
    }
}

extension Parley_V1_ListRemindersRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(cursor, max: 256, "cursor")
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_CreateDecisionRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(text, max: 16384, "text")
        try within(conversation, max: 129, "conversation")
        try within(sourceMessage, exactly: 16, "source_message")
        try within(supersedes, exactly: 16, "supersedes")
    }
}

extension Parley_V1_GetDecisionRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
    }
}

extension Parley_V1_DeleteDecisionRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
    }
}

extension Parley_V1_ListDecisionsRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(text, max: 256, "text")
        try within(cursor, max: 256, "cursor")
    }
}

extension Parley_V1_CreateEventRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(title, max: 512, "title")
        try within(when, "when")
        try within(location, max: 512, "location")
        try within(link, max: 2048, "link")
        try within(notes, max: 4096, "notes")
        try within(recurrence, max: 256, "recurrence")
        try within(conversations, items: 20, bytes: 129, "conversations")
        try within(conversation, max: 129, "conversation")
        try within(sourceMessage, exactly: 16, "source_message")
    }
}

extension Parley_V1_GetEventRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
    }
}

extension Parley_V1_UpdateEventRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(title, max: 512, "title")
        try within(when, "when")
        try within(location, max: 512, "location")
        try within(link, max: 2048, "link")
        try within(notes, max: 4096, "notes")
        try within(recurrence, max: 256, "recurrence")
        try within(changedDates, items: 100, "changed_dates")
        try within(restoredDates, items: 100, bytes: 10, "restored_dates")
    }
}

extension Parley_V1_CancelEventRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
    }
}

extension Parley_V1_DeleteEventRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
    }
}

extension Parley_V1_InviteConversationRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_UninviteConversationRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_SetEventHostRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(user, max: 64, "user")
    }
}

extension Parley_V1_AnswerEventRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_ListAttendeesRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(cursor, max: 256, "cursor")
    }
}

extension Parley_V1_ListEventsRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(fromDate, max: 10, "from_date")
        try within(toDate, max: 10, "to_date")
        try within(timeZone, max: 64, "time_zone")
        try within(conversation, max: 129, "conversation")
        try within(cursor, max: 256, "cursor")
    }
}

extension Parley_V1_ExportEventRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
    }
}

extension Parley_V1_CreateCalendarLinkRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {}
}

extension Parley_V1_DeleteCalendarLinkRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {}
}

extension Parley_V1_ListSuggestionsRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(cursor, max: 256, "cursor")
    }
}

extension Parley_V1_AcceptSuggestionRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(title, max: 512, "title")
        try within(when, "when")
        try within(location, max: 512, "location")
        try within(dueLocal, max: 19, "due_local")
        try within(timeZone, max: 64, "time_zone")
    }
}

extension Parley_V1_DismissSuggestionRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
    }
}

extension Parley_V1_GetSuggestionSettingsRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {}
}

extension Parley_V1_UpdateSuggestionSettingsRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_GetModelReadingRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_UpdateModelReadingRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_EntitiesSyncRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(epoch, max: 64, "epoch")
    }
}

extension Parley_V1_SendMessageRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(conversation, max: 129, "conversation")
        try within(text, max: 16384, "text")
        try within(mentions, items: 1000, bytes: 64, "mentions")
        try within(media, "media")
        try within(forward, "forward")
    }
}

extension Parley_V1_GetHistoryRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_GetChangesRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(epoch, max: 64, "epoch")
    }
}

extension Parley_V1_MessagingSyncRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(epoch, max: 64, "epoch")
        try within(cursor, max: 256, "cursor")
        try within(cell, max: 16, "cell")
        try within(held, items: 200, "held")
    }
}

extension Parley_V1_GetInboxRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(cursor, max: 256, "cursor")
    }
}

extension Parley_V1_GetBadgeRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {}
}

extension Parley_V1_GetUsageRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {}
}

extension Parley_V1_EditMessageRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(text, max: 16384, "text")
        try within(mentions, items: 1000, bytes: 64, "mentions")
    }
}

extension Parley_V1_DeleteMessageRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_ListRevisionsRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_UpdateReactionRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(emoji, max: 64, "emoji")
    }
}

extension Parley_V1_ListReactionsRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(emoji, max: 64, "emoji")
        try within(cursor, max: 256, "cursor")
    }
}

extension Parley_V1_GetThreadRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_UpdateMarksRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(marks, items: 100, "marks")
    }
}

extension Parley_V1_ListReceiptsRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(cursor, max: 256, "cursor")
    }
}

extension Parley_V1_ListReadersRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(cursor, max: 256, "cursor")
    }
}

extension Parley_V1_UpdateInboxStateRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_ClearConversationRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_UpdateMessageStateRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(seqs, items: 100, "seqs")
    }
}

extension Parley_V1_ListMentionsAndStarsRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(cursor, max: 256, "cursor")
    }
}

extension Parley_V1_SearchMessagesRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(text, max: 256, "text")
        try within(conversation, max: 129, "conversation")
        try within(sender, max: 64, "sender")
        try within(cursor, max: 256, "cursor")
    }
}

extension Parley_V1_SetRetentionRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_CreateAttachmentRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(id, exactly: 16, "id")
        try within(conversation, max: 129, "conversation")
        try within(name, max: 255, "name")
        try within(mimeType, max: 127, "mime_type")
    }
}

extension Parley_V1_GetAttachmentRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
        try within(attachment, exactly: 16, "attachment")
    }
}

extension Parley_V1_ListAttachmentsRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(cursor, max: 256, "cursor")
    }
}

extension Parley_V1_RegisterPushRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(token, max: 4096, "token")
        try within(app, max: 255, "app")
        try within(language, max: 35, "language")
        try within(contentKey, max: 65, "content_key")
        try within(authSecret, max: 16, "auth_secret")
    }
}

extension Parley_V1_UnregisterPushRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(device, max: 64, "device")
    }
}

extension Parley_V1_ListPushDevicesRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {}
}

extension Parley_V1_TestPushRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(device, max: 64, "device")
    }
}

extension Parley_V1_GetPushSettingsRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {}
}

extension Parley_V1_UpdatePushSettingsRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, "conversation")
        try within(quiet, "quiet")
        try within(sound, max: 64, "sound")
    }
}

extension Parley_V1_GetPresenceRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(users, items: 200, bytes: 64, "users")
    }
}

extension Parley_V1_WatchPresenceRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(users, items: 200, bytes: 64, "users")
    }
}

extension Parley_V1_GetOwnPresenceRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {}
}

extension Parley_V1_SetPresenceRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(status, "status")
    }
}

extension Parley_V1_SetTypingRequest: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_OwnerProof: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(password, max: 256, "password")
        try within(token, max: 16384, "token")
        try within(nonce, max: 256, "nonce")
        try within(code, max: 64, "code")
        try within(verifier, max: 128, "verifier")
    }
}

extension Parley_V1_EventTime: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(date, max: 10, "date")
        try within(time, max: 5, "time")
        try within(timeZone, max: 64, "time_zone")
    }
}

extension Parley_V1_ChangedDate: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(date, max: 10, "date")
        try within(newDate, max: 10, "new_date")
        try within(newTime, max: 5, "new_time")
    }
}

extension Parley_V1_Media: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(attachment, exactly: 16, "attachment")
        try within(url, max: 2048, "url")
        try within(name, max: 255, "name")
        try within(mimeType, max: 127, "mime_type")
        try within(thumbnail, max: 4096, "thumbnail")
    }
}

extension Parley_V1_Forward: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_HeldPosition: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_Watermark: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_PushConversation: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(conversation, max: 129, "conversation")
    }
}

extension Parley_V1_QuietTime: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(hours, items: 28, "hours")
        try within(timeZone, max: 64, "time_zone")
    }
}

extension Parley_V1_StatusText: Limited {
    package func checkLimits() throws(BeyondLimit) {
        try within(text, max: 128, "text")
    }
}

extension Parley_V1_QuietHours: Limited {
    package func checkLimits() throws(BeyondLimit) {}
}
