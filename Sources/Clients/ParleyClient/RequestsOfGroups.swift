import SwiftProtobuf

/// Groups: their names, photos, roles and members. All throw ``ParleyError``; what each is refused with stands in
/// `conversations.proto`.
extension ParleyClient {
    /// Changes a group that I own or administer. The same again changes nothing.
    /// - Parameters:
    ///   - name: nil: stays.
    ///   - photoURL: an `https` address, or empty: none; nil: stays.
    @discardableResult
    public func updateGroup(
        _ conversation: String, name: String? = nil, photoURL: String? = nil
    ) async throws(ParleyError) -> Parley_V1_ConversationReply {
        var request = Parley_V1_UpdateGroupRequest()
        request.conversation = conversation
        if let name { request.name = name }
        if let photoURL { request.photoURL = photoURL }
        return try await call(
            ConversationsMethods.updateGroup, key: conversation, request, deadline: nil, noticed: learn)
    }

    /// A page of a conversation's members: the owner, admins, then by when they joined.
    public func members(
        of conversation: String, cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListMembersReply {
        var request = Parley_V1_ListMembersRequest()
        (request.conversation, request.cursor, request.limit) = (conversation, cursor, limit)
        return try await call(ConversationsMethods.listMembers, key: conversation, request)
    }

    /// All members of a conversation, read page by page.
    public func allMembers(of conversation: String) async throws(ParleyError) -> [Parley_V1_Member] {
        var all: [Parley_V1_Member] = []
        var page = Parley_V1_ListMembersReply()
        repeat {
            page = try await members(of: conversation, cursor: page.cursor, limit: 200)
            all += page.members
        } while page.more
        return all
    }

    /// Makes a member of my group an admin, or an admin a member. The same again changes nothing.
    public func setMemberRole(
        _ role: Parley_V1_MemberRole, of user: String, in conversation: String
    ) async throws(ParleyError) {
        var request = Parley_V1_SetMemberRoleRequest()
        (request.conversation, request.user, request.role) = (conversation, user, role)
        _ = try await call(ConversationsMethods.setMemberRole, key: conversation, request)
    }

    /// Gives my group to another member; I am an admin from then on. The same again changes nothing.
    public func transferOwnership(_ conversation: String, to user: String) async throws(ParleyError) {
        var request = Parley_V1_TransferOwnershipRequest()
        (request.conversation, request.user) = (conversation, user)
        _ = try await call(ConversationsMethods.transferOwnership, key: conversation, request)
    }

    /// The conversation that has exactly these people and me: a direct one, or the group made last; nil: there is none.
    /// - Parameter users: user ids of the others; none: notes to myself.
    public func findConversation(with users: [String]) async throws(ParleyError) -> Parley_V1_Conversation? {
        let reply = try await call(ConversationsMethods.findConversation, key: user, .with { $0.users = users })
        return reply.hasConversation ? reply.conversation : nil
    }
}
