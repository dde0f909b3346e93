import SwiftProtobuf

/// Message requests and blocks. All throw ``ParleyError``; what each is refused with stands in `conversations.proto`.
extension ParleyClient {
    // MARK: Requests

    /// The requests to me, the latest first, with how many there are.
    /// - Parameter cursor: of the page before; empty: the first page.
    public func requests(
        cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListRequestsReply {
        var request = Parley_V1_ListRequestsRequest()
        (request.cursor, request.limit) = (cursor, limit)
        return try await call(ConversationsMethods.listRequests, key: user, request)
    }

    /// Accepts a request to me: both may write from then on.
    @discardableResult
    public func acceptRequest(_ conversation: String) async throws(ParleyError) -> Parley_V1_ConversationReply {
        try await call(
            ConversationsMethods.acceptRequest, key: conversation, .with { $0.conversation = conversation },
            deadline: nil
        ) { outcome in
            guard case .success(let reply) = outcome else { return }
            self.notifyObservers { $0.learned(reply.conversation) }
        }
    }

    /// Declines a request to me. Who asked is told nothing.
    public func declineRequest(_ conversation: String) async throws(ParleyError) {
        _ = try await call(
            ConversationsMethods.declineRequest, key: conversation, .with { $0.conversation = conversation })
    }

    /// Takes a request of mine back: it is gone for both.
    public func withdrawRequest(_ conversation: String) async throws(ParleyError) {
        _ = try await call(
            ConversationsMethods.withdrawRequest, key: conversation, .with { $0.conversation = conversation })
    }

    /// I have seen these requests; at most 200. What is no request to me is passed over.
    /// - Returns: how many there are now.
    @discardableResult
    public func markRequestsRead(
        _ conversations: [String]
    ) async throws(ParleyError) -> Parley_V1_RequestCount {
        try await call(
            ConversationsMethods.markRequestsRead, key: user, .with { $0.conversations = conversations })
    }

    // MARK: Blocks

    /// Blocks somebody. Once this returns, neither of us can write to the other alone, nor start to.
    public func block(_ user: String) async throws(ParleyError) {
        _ = try await call(ConversationsMethods.blockUser, key: user, .with { $0.user = user })
    }

    /// Ends a block of mine.
    public func unblock(_ user: String) async throws(ParleyError) {
        _ = try await call(ConversationsMethods.unblockUser, key: user, .with { $0.user = user })
    }

    /// Whom I blocked, the latest first.
    /// - Parameter cursor: of the page before; empty: the first page.
    public func blocked(
        cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListBlockedReply {
        var request = Parley_V1_ListBlockedRequest()
        (request.cursor, request.limit) = (cursor, limit)
        return try await call(ConversationsMethods.listBlocked, key: user, request)
    }
}
