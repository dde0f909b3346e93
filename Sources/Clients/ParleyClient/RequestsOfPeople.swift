import SwiftProtobuf

/// Message requests, invitations into groups, and blocks. All functions throw ``ParleyError``; `conversations.proto`
/// lists the refusals of each request.
extension ParleyClient {
    // MARK: Requests

    /// Returns a page of the message requests to me and my invitations into groups, the latest first, with the number
    /// of all.
    /// - Parameters:
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: requests per page, at most 200; zero: 50.
    public func requests(
        cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListRequestsReply {
        var request = Parley_V1_ListRequestsRequest()
        (request.cursor, request.limit) = (cursor, limit)
        return try await call(ConversationsMethods.listRequests, key: user, request)
    }

    /// Accepts a message request to me, after which both can write, or an invitation, which makes me a member of the
    /// group. Repeating it changes nothing.
    @discardableResult
    public func acceptRequest(_ conversation: String) async throws(ParleyError) -> Parley_V1_ConversationReply {
        try await perform(
            ConversationsMethods.acceptRequest, key: conversation, .with { $0.conversation = conversation })
    }

    /// Declines a message request to me or an invitation. Nobody is notified. Repeating it changes nothing.
    public func declineRequest(_ conversation: String) async throws(ParleyError) {
        _ = try await call(
            ConversationsMethods.declineRequest, key: conversation, .with { $0.conversation = conversation })
    }

    /// Withdraws a message request of mine. It disappears for both. Repeating it changes nothing.
    public func withdrawRequest(_ conversation: String) async throws(ParleyError) {
        _ = try await call(
            ConversationsMethods.withdrawRequest, key: conversation, .with { $0.conversation = conversation })
    }

    /// Marks message requests and invitations as seen, at most 200 in a call. Other conversations are ignored.
    /// - Returns: the number of requests afterwards.
    @discardableResult
    public func markRequestsRead(
        _ conversations: [String]
    ) async throws(ParleyError) -> Parley_V1_RequestCount {
        try await call(
            ConversationsMethods.markRequestsRead, key: user, .with { $0.conversations = conversations })
    }

    // MARK: Invitations

    /// Returns a page of the open invitations into a group that I own or administer, the earliest first.
    /// - Parameters:
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: invitations per page, at most 200; zero: 50.
    public func invitations(
        into conversation: String, cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListInvitationsReply {
        var request = Parley_V1_ListInvitationsRequest()
        (request.conversation, request.cursor, request.limit) = (conversation, cursor, limit)
        return try await call(ConversationsMethods.listInvitations, key: conversation, request)
    }

    /// Withdraws a person's invitation into a group: mine, or anybody's if I own or administer the group. Repeating it
    /// changes nothing.
    public func withdrawInvitation(of user: String, into conversation: String) async throws(ParleyError) {
        _ = try await call(
            ConversationsMethods.withdrawInvitation, key: conversation,
            .with { ($0.conversation, $0.user) = (conversation, user) })
    }

    // MARK: Blocks

    /// Blocks a person. Once this returns, neither of us can write to the other in a direct conversation or start one.
    /// The other is not notified. Repeating it changes nothing.
    /// - Returns: the groups that the person owns and of which I am a member, which I may want to leave.
    @discardableResult
    public func block(_ user: String) async throws(ParleyError) -> [String] {
        try await call(ConversationsMethods.blockUser, key: user, .with { $0.user = user }).groups
    }

    /// Unblocks a person. Does nothing if the person is not blocked.
    public func unblock(_ user: String) async throws(ParleyError) {
        _ = try await call(ConversationsMethods.unblockUser, key: user, .with { $0.user = user })
    }

    /// Returns a page of the people I blocked, the latest first.
    /// - Parameters:
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: people per page, at most 200; zero: 50.
    public func blocked(
        cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListBlockedReply {
        var request = Parley_V1_ListBlockedRequest()
        (request.cursor, request.limit) = (cursor, limit)
        return try await call(ConversationsMethods.listBlocked, key: user, request)
    }
}
