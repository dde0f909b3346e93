import SwiftProtobuf

/// The requests by name. All throw ``ParleyError``; what each is refused with stands in the `.proto` files.
extension ParleyClient {
    // MARK: Accounts and devices

    /// Makes an account, signs this device in and the session with it.
    @discardableResult
    public func register(
        username: String, password: String, displayName: String = "", deviceName: String = "", id: UUIDv7? = nil
    ) async throws(ParleyError) -> Parley_V1_SignedIn {
        var request = Parley_V1_RegisterRequest()
        request.id = .init((id ?? newID()).bytes)
        (request.username, request.password) = (username, password)
        (request.displayName, request.deviceName) = (displayName, deviceName)
        let signedIn = try await call(ConversationsMethods.register, key: username, request)
        try await adopt(signedIn)
        return signedIn
    }

    /// Signs this device in and the session with it.
    @discardableResult
    public func signIn(
        username: String, password: String, deviceName: String = ""
    ) async throws(ParleyError) -> Parley_V1_SignedIn {
        var request = Parley_V1_SignInRequest()
        (request.username, request.password, request.deviceName) = (username, password, deviceName)
        let signedIn = try await call(ConversationsMethods.signIn, key: username, request)
        try await adopt(signedIn)
        return signedIn
    }

    /// Ends this device's sign-in, or all of mine, and forgets the credentials. The server then closes the session.
    public func signOut(everywhere: Bool = false) async throws(ParleyError) {
        do throws(ParleyError) {
            _ = try await call(ConversationsMethods.signOut, key: user, .with { $0.everywhere = everywhere })
        } catch {
            // The session was closed for it before the answer was out: that is an answer too.
            if error.code != "revoked" { throw error }
        }
        try await forgetCredentials()
    }

    /// My devices, most recently used first.
    public func devices() async throws(ParleyError) -> [Parley_V1_Device] {
        try await call(ConversationsMethods.listDevices, key: user, .init()).devices
    }

    /// Signs one of my devices out.
    public func revokeDevice(_ device: String) async throws(ParleyError) {
        _ = try await call(ConversationsMethods.revokeDevice, key: user, .with { $0.device = device })
    }

    /// The person of a username.
    public func findUser(_ username: String) async throws(ParleyError) -> Parley_V1_User {
        try await call(ConversationsMethods.findUser, key: username, .with { $0.username = username }).user
    }

    // MARK: Conversations

    /// The conversation with one person (my own user id: notes). The same whoever starts it.
    public func startDirect(with user: String) async throws(ParleyError) -> Parley_V1_ConversationReply {
        try await call(
            ConversationsMethods.startDirect, key: user, .with { $0.user = user }, deadline: nil, noticed: learn)
    }

    /// Makes a group. The same id again returns the first result; as text it is the conversation's id.
    /// - Parameter photoURL: an `https` address, or empty: none.
    public func createGroup(
        name: String, users: [String], photoURL: String = "", id: UUIDv7? = nil
    ) async throws(ParleyError) -> Parley_V1_ConversationReply {
        var request = Parley_V1_CreateGroupRequest()
        let id = id ?? newID()
        request.id = .init(id.bytes)
        (request.name, request.users, request.photoURL) = (name, users, photoURL)
        return try await call(
            ConversationsMethods.createGroup, key: id.description, request, deadline: nil, noticed: learn)
    }

    /// Adds people to a group that I own or administer. Who is a member already stays one.
    @discardableResult
    public func addMembers(
        _ users: [String], to conversation: String
    ) async throws(ParleyError) -> Parley_V1_ConversationReply {
        var request = Parley_V1_AddMembersRequest()
        (request.conversation, request.users) = (conversation, users)
        return try await call(
            ConversationsMethods.addMembers, key: conversation, request, deadline: nil, noticed: learn)
    }

    /// Removes somebody else from a group. Once this returns, nothing they begin to send is taken.
    public func removeMember(_ user: String, from conversation: String) async throws(ParleyError) {
        var request = Parley_V1_RemoveMemberRequest()
        (request.conversation, request.user) = (conversation, user)
        _ = try await call(ConversationsMethods.removeMember, key: conversation, request)
    }

    /// Leaves a group. What was said until then I may still read.
    public func leaveGroup(_ conversation: String) async throws(ParleyError) {
        _ = try await call(
            ConversationsMethods.leaveGroup, key: conversation, .with { $0.conversation = conversation })
    }

    /// A conversation of mine as I see it, also one that I have left.
    public func getConversation(_ conversation: String) async throws(ParleyError) -> Parley_V1_Conversation {
        try await call(
            ConversationsMethods.getConversation, key: conversation, .with { $0.conversation = conversation }
        ).conversation
    }

    /// My conversations changed since a position.
    public func syncConversations(
        epoch: String = "", since position: Int64 = 0, limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ConversationsSyncReply {
        var request = Parley_V1_ConversationsSyncRequest()
        (request.epoch, request.sincePosition, request.limit) = (epoch, position, limit)
        return try await call(ConversationsMethods.sync, key: user, request)
    }

    func learn(_ outcome: Result<Parley_V1_ConversationReply, ParleyError>) {
        guard case .success(let reply) = outcome else { return }
        notifyObservers { $0.learned(reply.conversation) }
    }

    // MARK: Presence

    /// Who is there now, in the order asked.
    public func getPresence(_ users: [String]) async throws(ParleyError) -> [Parley_V1_PresenceState] {
        try await call(PresenceMethods.getPresence, key: user, .with { $0.users = users }).states
    }

    // MARK: Entities

    /// Makes a reminder of mine. Zero or empty fields mean "none"; without an id it gets one.
    public func createReminder(
        _ reminder: Parley_V1_CreateReminderRequest
    ) async throws(ParleyError) -> Parley_V1_ReminderReply {
        var request = reminder
        if request.id.isEmpty { request.id = .init(newID().bytes) }
        return try await call(EntitiesMethods.createReminder, key: user, request)
    }

    /// Marks a reminder of mine as done, or as open again.
    public func completeReminder(
        _ id: UUIDv7, completed: Bool = true
    ) async throws(ParleyError) -> Parley_V1_ReminderReply {
        try await call(
            EntitiesMethods.completeReminder, key: user,
            .with {
                $0.id = .init(id.bytes)
                $0.completed = completed
            })
    }

    /// A page of my reminders by due time.
    public func listReminders(
        _ completed: Parley_V1_CompletedFilter = .unspecified, conversation: String = "", cursor: String = "",
        limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListRemindersReply {
        var request = Parley_V1_ListRemindersRequest()
        (request.completed, request.conversation) = (completed, conversation)
        (request.cursor, request.limit) = (cursor, limit)
        return try await call(EntitiesMethods.listReminders, key: user, request)
    }

    /// My entities changed since a position.
    public func syncEntities(
        epoch: String = "", since position: Int64 = 0, limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_EntitiesSyncReply {
        var request = Parley_V1_EntitiesSyncRequest()
        (request.epoch, request.sincePosition, request.limit) = (epoch, position, limit)
        return try await call(EntitiesMethods.sync, key: user, request)
    }
}
