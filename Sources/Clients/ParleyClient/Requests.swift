import SwiftProtobuf

/// Requests about accounts, devices and conversations. All functions throw ``ParleyError``; the
/// `.proto` files list the refusals of each request.
extension ParleyClient {
    // MARK: Accounts and devices

    /// Creates an account, signs this device in and stores its credentials. Repeating it with the same id and password
    /// signs in.
    /// - Parameters:
    ///   - displayName: empty: the username.
    ///   - code: a code of the operator, where registering takes one.
    ///   - proof: a token of the page that ``challenge()`` names, where registering takes one. Where it takes work,
    ///     this function does the work, which can take some seconds.
    ///   - id: the id of the request; nil: a new one.
    @discardableResult
    public func register(
        username: String, password: String, displayName: String = "", deviceName: String = "", code: String = "",
        proof: String = "", id: UUIDv7? = nil
    ) async throws(ParleyError) -> Parley_V1_SignedIn {
        var request = Parley_V1_RegisterRequest()
        request.id = .init((id ?? newID()).bytes)
        (request.username, request.password) = (username, password)
        (request.displayName, request.deviceName, request.code) = (displayName, deviceName, code)
        request.proof = proof
        let signedIn = try await registered(request)
        try await adopt(signedIn)
        return signedIn
    }

    /// Creates a guest, who needs neither username nor password, signs this device in and stores its credentials.
    /// Nothing but this device signs the guest in, until they get a username and a password, or an identity.
    /// - Parameters:
    ///   - displayName: empty: "Guest" and a number.
    ///   - code: as for ``register(username:password:displayName:deviceName:code:proof:id:)``.
    ///   - proof: as there.
    ///   - id: the id of the request; nil: a new one. With the same one it may be repeated for a minute.
    @discardableResult
    public func registerGuest(
        displayName: String = "", deviceName: String = "", code: String = "", proof: String = "", id: UUIDv7? = nil
    ) async throws(ParleyError) -> Parley_V1_SignedIn {
        try await register(
            username: "", password: "", displayName: displayName, deviceName: deviceName, code: code, proof: proof,
            id: id)
    }

    private func registered(_ first: Parley_V1_RegisterRequest) async throws(ParleyError) -> Parley_V1_SignedIn {
        var request = first
        let name = first.username.isEmpty ? Array(first.id).hexDigits : first.username
        // Work that is done too late is done once more.
        for _ in 1...2 {
            do throws(ParleyError) {
                return try await call(ConversationsMethods.register, key: name, request)
            } catch {
                guard error.hasCode(.proofRequired), first.proof.isEmpty else { throw error }
                let challenge = try await challenge()
                guard challenge.kind == .work else { throw error }
                request.proof = try await work(challenge, for: name)
            }
        }
        return try await call(ConversationsMethods.register, key: name, request)
    }

    func work(
        _ challenge: Parley_V1_Challenge, for username: String
    ) async throws(ParleyError) -> String {
        guard challenge.bits <= ProofOfWork.bitsMax else {
            throw ParleyError(.invalidFrame, "The server wants more work than this library does.")
        }
        do {
            return try await ProofOfWork.find(challenge.text, bits: Int(challenge.bits), for: username)
        } catch {
            throw .cancelled
        }
    }

    /// Returns what registering takes here: nothing, work, or a token from a page.
    public func challenge() async throws(ParleyError) -> Parley_V1_Challenge {
        try await call(ConversationsMethods.getChallenge, .init())
    }

    /// Signs this device in and stores its credentials.
    /// - Parameter knownDevice: ``Credentials/knownDevice`` of an earlier sign-in of this person on this device.
    @discardableResult
    public func signIn(
        username: String, password: String, deviceName: String = "", knownDevice: String = ""
    ) async throws(ParleyError) -> Parley_V1_SignedIn {
        var request = Parley_V1_SignInRequest()
        (request.username, request.password, request.deviceName) = (username, password, deviceName)
        request.knownDevice = knownDevice
        let signedIn = try await call(ConversationsMethods.signIn, key: username, request)
        try await adopt(signedIn)
        return signedIn
    }

    /// Signs this device out, or all my devices, and removes the credentials. The server then closes the session.
    /// - Parameter endingCalendarLink: ends the secret link to my calendar first, which otherwise stays.
    public func signOut(everywhere: Bool = false, endingCalendarLink: Bool = false) async throws(ParleyError) {
        if endingCalendarLink { try await deleteCalendarLink() }
        do throws(ParleyError) {
            _ = try await call(ConversationsMethods.signOut, key: user, .with { $0.everywhere = everywhere })
        } catch {
            // The server may close the session before it sends the reply: the sign-out succeeded.
            if !error.hasCode(.revoked) { throw error }
        }
        try await forgetCredentials()
    }

    /// Returns my devices, most recently used first.
    public func devices() async throws(ParleyError) -> [Parley_V1_Device] {
        try await call(ConversationsMethods.listDevices, key: user, .init()).devices
    }

    /// Signs one of my devices out.
    /// - Parameter device: the device id.
    public func revokeDevice(_ device: String) async throws(ParleyError) {
        _ = try await call(ConversationsMethods.revokeDevice, key: user, .with { $0.device = device })
    }

    /// Returns the person with exactly this username.
    public func findUser(_ username: String) async throws(ParleyError) -> Parley_V1_User {
        try await call(ConversationsMethods.findUser, key: username, .with { $0.username = username }).user
    }

    // MARK: Conversations

    /// Returns the direct conversation with a person, and creates it first if necessary. It is the same, no matter
    /// which of the two starts it. With someone who has not accepted me, it is a message request that they see once it
    /// holds a message. Starting a conversation that the other person requested accepts it.
    /// - Parameter user: the other's user id; my own: my notes to myself.
    public func startDirect(with user: String) async throws(ParleyError) -> Parley_V1_ConversationReply {
        try await perform(ConversationsMethods.startDirect, key: user, .with { $0.user = user })
    }

    /// Creates a group. Whoever does not know me is invited; `invited` of the reply names them. Repeating it with the
    /// same id returns the first result.
    /// - Parameters:
    ///   - users: user ids of the others.
    ///   - photoURL: an `https` URL; empty: no photo.
    ///   - id: its text form becomes the id of the conversation; nil: a new one.
    public func createGroup(
        name: String, users: [String], photoURL: String = "", id: UUIDv7? = nil
    ) async throws(ParleyError) -> Parley_V1_ConversationReply {
        var request = Parley_V1_CreateGroupRequest()
        let id = id ?? newID()
        request.id = .init(id.bytes)
        (request.name, request.users, request.photoURL) = (name, users, photoURL)
        return try await perform(ConversationsMethods.createGroup, key: id.description, request)
    }

    /// Adds people to a group that I own or administer. Whoever does not know me, and whoever left, is invited. Members
    /// stay. Repeating it changes nothing.
    /// - Returns: the group afterwards, and which of the users are invited.
    @discardableResult
    public func addMembers(
        _ users: [String], to conversation: String
    ) async throws(ParleyError) -> Parley_V1_ConversationReply {
        var request = Parley_V1_AddMembersRequest()
        (request.conversation, request.users) = (conversation, users)
        return try await perform(ConversationsMethods.addMembers, key: conversation, request)
    }

    /// Removes another person from a group that I own or administer. Once this returns, the server accepts no further
    /// messages from them. Repeating it changes nothing.
    public func removeMember(_ user: String, from conversation: String) async throws(ParleyError) {
        var request = Parley_V1_RemoveMemberRequest()
        (request.conversation, request.user) = (conversation, user)
        _ = try await call(ConversationsMethods.removeMember, key: conversation, request)
    }

    /// Leaves a group. I can still read the messages up to then. Repeating it changes nothing.
    public func leaveGroup(_ conversation: String) async throws(ParleyError) {
        _ = try await call(
            ConversationsMethods.leaveGroup, key: conversation, .with { $0.conversation = conversation })
    }

    /// Returns a conversation of mine. A conversation that I have left is returned as it was when I left.
    public func getConversation(_ conversation: String) async throws(ParleyError) -> Parley_V1_Conversation {
        try await call(
            ConversationsMethods.getConversation, key: conversation, .with { $0.conversation = conversation }
        ).conversation
    }

    /// Returns conversations of mine in the order asked for, without those that are not.
    /// - Parameter conversations: as many as you like; 50 are requested at a time.
    public func getConversations(_ conversations: [String]) async throws(ParleyError) -> [Parley_V1_Conversation] {
        var found: [Parley_V1_Conversation] = []
        var left = conversations[...]
        while !left.isEmpty {
            let asked = left.prefix(50)
            let reply = try await call(
                ConversationsMethods.getConversations, key: user, .with { $0.conversations = Array(asked) })
            found += reply.conversations
            let last = reply.more ? reply.conversations.last.flatMap { last in asked.firstIndex(of: last.id) } : nil
            left = left[((last ?? asked.endIndex - 1) + 1)...]
        }
        return found
    }

    /// Returns a page of my conversations that changed since a position of stream "conversations/u/ME".
    /// - Parameters:
    ///   - epoch: of the reply that gave the position; empty at first.
    ///   - position: up to which changes are known; zero at first.
    ///   - limit: conversations per page, at most 200; zero: 50.
    public func syncConversations(
        epoch: String = "", since position: Int64 = 0, limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ConversationsSyncReply {
        var request = Parley_V1_ConversationsSyncRequest()
        (request.epoch, request.sincePosition, request.limit) = (epoch, position, limit)
        return try await call(ConversationsMethods.sync, key: user, request)
    }
}
