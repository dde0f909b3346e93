import SwiftProtobuf

/// Groups: their names, photos, roles and members. All functions throw ``ParleyError``; `conversations.proto` lists the
/// refusals of each request.
extension ParleyClient {
    /// Changes the name or photo of a group that I own or administer. Repeating it changes nothing.
    /// - Parameters:
    ///   - name: the new name; nil: unchanged.
    ///   - photoURL: an `https` URL; empty: no photo; nil: unchanged.
    /// - Returns: the group afterwards.
    @discardableResult
    public func updateGroup(
        _ conversation: String, name: String? = nil, photoURL: String? = nil
    ) async throws(ParleyError) -> Parley_V1_ConversationReply {
        var request = Parley_V1_UpdateGroupRequest()
        request.conversation = conversation
        if let name { request.name = name }
        if let photoURL { request.photoURL = photoURL }
        return try await perform(ConversationsMethods.updateGroup, key: conversation, request)
    }

    /// Returns a page of a conversation's members: the owner first, then the admins, then the others in the order in
    /// which they joined.
    /// - Parameters:
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: members per page, at most 200; zero: 50.
    public func members(
        of conversation: String, cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListMembersReply {
        var request = Parley_V1_ListMembersRequest()
        (request.conversation, request.cursor, request.limit) = (conversation, cursor, limit)
        return try await call(ConversationsMethods.listMembers, key: conversation, request)
    }

    /// Returns all members of a conversation, with one request per 200 members.
    public func allMembers(of conversation: String) async throws(ParleyError) -> [Parley_V1_Member] {
        var all: [Parley_V1_Member] = []
        var page = Parley_V1_ListMembersReply()
        repeat {
            page = try await members(of: conversation, cursor: page.cursor, limit: 200)
            all += page.members
        } while page.more
        return all
    }

    /// Makes a member of a group that I own an admin, or an admin a member. Repeating it changes nothing.
    public func setMemberRole(
        _ role: Parley_V1_MemberRole, of user: String, in conversation: String
    ) async throws(ParleyError) {
        var request = Parley_V1_SetMemberRoleRequest()
        (request.conversation, request.user, request.role) = (conversation, user, role)
        _ = try await call(ConversationsMethods.setMemberRole, key: conversation, request)
    }

    /// Makes another member the owner of a group that I own. I become an admin. Repeating it changes nothing.
    public func transferOwnership(_ conversation: String, to user: String) async throws(ParleyError) {
        var request = Parley_V1_TransferOwnershipRequest()
        (request.conversation, request.user) = (conversation, user)
        _ = try await call(ConversationsMethods.transferOwnership, key: conversation, request)
    }

    /// Returns the conversation of exactly these people and me: the direct one, or the group created last; nil: there
    /// is none.
    /// - Parameter users: user ids of the others; empty: my notes to myself.
    public func findConversation(with users: [String]) async throws(ParleyError) -> Parley_V1_Conversation? {
        let reply = try await call(ConversationsMethods.findConversation, key: user, .with { $0.users = users })
        return reply.hasConversation ? reply.conversation : nil
    }
}
