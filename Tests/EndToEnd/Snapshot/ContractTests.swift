import TestSupport
import Testing

extension SnapshotTests {
    /// The requests that change nothing that a client holds, each with the reason.
    private static let unchanging = [
        "conversations.GetChallenge": "reads",
        "conversations.Register": "makes a person, of whom nobody holds anything yet",
        "conversations.SignIn": "concerns a device's session",
        "conversations.RefreshTokens": "concerns a device's session",
        "conversations.SignInWithToken": "concerns a device's session",
        "conversations.SignInWithCode": "concerns a device's session",
        "conversations.ListIssuers": "reads",
        "conversations.ListIdentities": "reads",
        "conversations.LinkIdentity": "changes what signs a person in, which no client holds",
        "conversations.UnlinkIdentity": "changes what signs a person in, which no client holds",
        "conversations.ChangePassword": "changes what signs a person in, which no client holds",
        "conversations.RequestPasswordReset": "mails a code",
        "conversations.ResetPassword": "changes what signs a person in, which no client holds",
        "conversations.RequestEmailCode": "mails a code",
        "conversations.ConfirmEmail": "takes a code that is mailed; PasswordResetTests has its Update",
        "conversations.BeginDeviceLink": "concerns a device's session",
        "conversations.GetDeviceLink": "reads",
        "conversations.ApproveDeviceLink": "concerns a device's session",
        "conversations.FinishDeviceLink": "concerns a device's session",
        "conversations.SignOut": "concerns a device's session",
        "conversations.ListDevices": "reads",
        "conversations.RevokeDevice": "concerns a device's session",
        "conversations.GetProfile": "reads",
        "conversations.FindUser": "reads",
        "conversations.GetUsers": "reads",
        "conversations.SearchUsers": "reads",
        "conversations.ListBlocked": "reads",
        "conversations.ListReports": "reads",
        "conversations.ListImported": "reads",
        "conversations.CreateReport": "adds to the operator's queue, which no client sees",
        "conversations.GetConversation": "reads",
        "conversations.GetConversations": "reads",
        "conversations.FindConversation": "reads",
        "conversations.Sync": "reads",
        "conversations.ListRequests": "reads",
        "conversations.ListMembers": "reads",
        "messaging.GetHistory": "reads",
        "messaging.GetChanges": "reads",
        "messaging.Sync": "reads",
        "messaging.GetInbox": "reads",
        "messaging.GetBadge": "reads",
        "messaging.GetUsage": "reads",
        "messaging.ListRevisions": "reads",
        "conversations.ListInvitations": "reads",
        "messaging.ListReactions": "reads",
        "messaging.GetThread": "reads",
        "messaging.ListReceipts": "reads",
        "messaging.ListReaders": "reads",
        "messaging.ListMentionsAndStars": "reads",
        "messaging.SearchMessages": "reads",
        "messaging.GetAttachment": "reads",
        "messaging.ListAttachments": "reads",
        "presence.GetPresence": "reads",
        "presence.WatchPresence": "lasts as long as the session; presence has no positions",
        "presence.SetTyping": "ends by itself; presence has no positions",
        "presence.GetOwnPresence": "reads",
        "presence.SetPresence": "presence has no positions, and clients hold the latest state only",
        "entities.GetReminder": "reads",
        "entities.ListReminders": "reads",
        "entities.GetDecision": "reads",
        "entities.ListDecisions": "reads",
        "entities.GetEvent": "reads",
        "entities.ListAttendees": "reads",
        "entities.ListEvents": "reads",
        "entities.ExportEvent": "reads",
        "entities.CreateCalendarLink": "changes a link, which no client holds",
        "entities.DeleteCalendarLink": "changes a link, which no client holds",
        "entities.ListSuggestions": "reads",
        "entities.GetSuggestionSettings": "reads",
        "entities.GetModelReading": "reads",
        "entities.UpdateModelReading": "changes what a model reads, which no client holds",
        "entities.Sync": "reads",
        "notifications.RegisterPush": "concerns a device's pushes",
        "notifications.UnregisterPush": "concerns a device's pushes",
        "notifications.ListPushDevices": "reads",
        "notifications.TestPush": "concerns a device's pushes",
        "notifications.GetPushSettings": "reads",
        "notifications.UpdatePushSettings": "has no positions, and clients hold the latest state only",
    ]

    /// Fields that no random request sets, and why.
    private static let unset: [String: Set<String>] = [
        // Instead of the password, of an account that has none.
        "conversations.EraseAccount": ["token", "nonce"]
    ]

    /// The requests that change something a client may hold.
    static let changing = ContractRequest.all.filter { request in
        // The requests of gateways and followers are not for clients.
        !["Gateway", "Follower"].contains(request.access) && unchanging[request.method] == nil
    }

    @Test("every request of the contract that changes something is among the random ones, with each of its fields")
    func complete() {
        var requests = RandomRequests(of: (0..<8).map { "person\($0)" }, seed: 1)
        var sent: [String: Set<String>] = [:]
        // The rarest field is in one of 300.
        for request in (0..<10_000).map({ _ in requests.next() }) + [requests.erasing { _ in "password" }] {
            sent[request.method, default: []].formUnion(request.fields)
        }
        #expect(Self.changing.count > 25)
        for request in Self.changing {
            let fields = sent[request.method] ?? []
            #expect(!fields.isEmpty, "\(request) changes something, but is not among the random requests")
            let missing = Set(request.fields).subtracting(fields).subtracting(Self.unset[request.method] ?? [])
            #expect(fields.isEmpty || missing.isEmpty, "no random \(request) sets \(missing.sorted())")
        }
        let known = Set(ContractRequest.all.map(\.method))
        #expect(Set(sent.keys).subtracting(Self.changing.map(\.method)).isEmpty, "they change nothing")
        #expect(Set(Self.unchanging.keys).subtracting(known).isEmpty, "they are not in the contract")
    }
}
