import SwiftProtobuf

/// My inbox (pinned, muted, archived conversations) and my message states (starred, hidden). All functions throw
/// ``ParleyError``; `messaging.proto` lists the refusals of each request.
extension ParleyClient {
    /// Returns a page of the conversations with news since a cursor, and of the changes in my own state since a
    /// position.
    /// - Parameters:
    ///   - cell: one of welcome's cells; empty: "0".
    ///   - epoch: of the last reply; empty at first.
    ///   - cursor: of the last reply; empty at first.
    ///   - ownPosition: the position up to which stream "messaging/u/ME/CELL" is known; zero at first.
    ///   - held: what is held of conversations, at most 200. Their entries bring up to 50 messages that changed since.
    ///   - limit: conversations per page, at most 200; zero: 50.
    public func syncMessaging(
        cell: String = "", epoch: String = "", cursor: String = "", ownPosition: Int64 = 0, held: [HeldPosition] = [],
        limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_MessagingSyncReply {
        var request = Parley_V1_MessagingSyncRequest()
        (request.cell, request.epoch, request.cursor, request.limit) = (cell, epoch, cursor, limit)
        request.ownPosition = ownPosition
        request.held = held.map { held in
            .with { ($0.conversation, $0.position) = (held.conversation, held.position) }
        }
        return try await call(MessagingMethods.sync, key: user, request)
    }

    /// Returns a page of my conversations of one section: the pinned ones first, then those with the latest news.
    /// Conversations without messages are left out. The cost depends on the page size only.
    /// - Parameters:
    ///   - section: unspecified: the inbox without archived conversations.
    ///   - archived: whether to return only archived conversations.
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: conversations per page, at most 200; zero: 50.
    public func inbox(
        _ section: Parley_V1_ConversationSection = .unspecified, archived: Bool = false, cursor: String = "",
        limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_GetInboxReply {
        var request = Parley_V1_GetInboxRequest()
        (request.section, request.archived) = (section, archived)
        (request.cursor, request.limit) = (cursor, limit)
        return try await call(MessagingMethods.getInbox, key: user, request)
    }

    /// Returns the numbers for an app's icon. The cost grows with the number of my conversations.
    public func badge() async throws(ParleyError) -> Parley_V1_GetBadgeReply {
        try await call(MessagingMethods.getBadge, key: user, .init())
    }

    /// Returns how much of the server I use, and how much I may use.
    public func usage() async throws(ParleyError) -> Parley_V1_GetUsageReply {
        try await call(MessagingMethods.getUsage, key: user, .init())
    }

    /// Pins or archives a conversation, or marks it as unread, or the reverse, for me alone. nil leaves a setting
    /// unchanged. Repeating it changes nothing.
    /// - Returns: the inbox state afterwards.
    @discardableResult
    public func updateInboxState(
        _ conversation: String, pinned: Bool? = nil, archived: Bool? = nil, markedUnread: Bool? = nil
    ) async throws(ParleyError) -> Parley_V1_InboxState {
        let choice = { (wanted: Bool?) -> Parley_V1_Choice in wanted.map { $0 ? .yes : .no } ?? .unspecified }
        var request = Parley_V1_UpdateInboxStateRequest()
        request.conversation = conversation
        (request.pinned, request.archived) = (choice(pinned), choice(archived))
        request.markedUnread = choice(markedUnread)
        return try await updateInboxState(request)
    }

    /// Mutes a conversation, for me alone. Repeating it changes nothing.
    /// - Parameter until: microseconds UTC; nil: without end.
    /// - Returns: the inbox state afterwards.
    @discardableResult
    public func mute(
        _ conversation: String, until: Int64? = nil
    ) async throws(ParleyError) -> Parley_V1_InboxState {
        try await updateInboxState(
            .with {
                ($0.conversation, $0.muted, $0.mutedUntilUs) = (conversation, .yes, until ?? 0)
            })
    }

    /// Unmutes a conversation. Repeating it changes nothing.
    /// - Returns: the inbox state afterwards.
    @discardableResult
    public func unmute(_ conversation: String) async throws(ParleyError) -> Parley_V1_InboxState {
        try await updateInboxState(
            .with {
                ($0.conversation, $0.muted) = (conversation, .no)
            })
    }

    private func updateInboxState(
        _ request: Parley_V1_UpdateInboxStateRequest
    ) async throws(ParleyError) -> Parley_V1_InboxState {
        try await perform(MessagingMethods.updateInboxState, key: request.conversation, request).state
    }

    /// Deletes the messages of a conversation for me alone. The conversation is hidden until a later message arrives.
    /// Repeating it with the same `seq` changes nothing.
    /// - Parameter seq: the last message to delete; nil: all existing messages.
    /// - Returns: the inbox state afterwards.
    @discardableResult
    public func clear(
        _ conversation: String, upTo seq: Int64? = nil
    ) async throws(ParleyError) -> Parley_V1_InboxState {
        var request = Parley_V1_ClearConversationRequest()
        (request.conversation, request.upToSeq) = (conversation, seq ?? 0)
        return try await perform(MessagingMethods.clearConversation, key: conversation, request).state
    }

    /// Stars or unstars up to 100 messages of a conversation. Repeating it changes nothing.
    /// - Returns: the message states afterwards.
    @discardableResult
    public func star(
        _ seqs: [Int64], of conversation: String, starred: Bool = true
    ) async throws(ParleyError) -> [Parley_V1_MessageState] {
        try await updateMessageState(
            .with {
                ($0.conversation, $0.seqs, $0.starred) = (conversation, seqs, starred ? .yes : .no)
            })
    }

    /// Deletes up to 100 messages of a conversation for me alone. It cannot be undone; repeating it changes nothing.
    /// - Returns: the message states afterwards.
    @discardableResult
    public func hide(
        _ seqs: [Int64], of conversation: String
    ) async throws(ParleyError) -> [Parley_V1_MessageState] {
        try await updateMessageState(
            .with {
                ($0.conversation, $0.seqs, $0.hide) = (conversation, seqs, true)
            })
    }

    private func updateMessageState(_ request: Parley_V1_UpdateMessageStateRequest) async throws(ParleyError)
        -> [Parley_V1_MessageState]
    {
        try await perform(MessagingMethods.updateMessageState, key: request.conversation, request).states
    }

    /// Returns a page of the messages in all conversations that I starred, or that mention me, newest first.
    /// - Parameters:
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: messages per page, at most 200; zero: 50.
    public func mentionsAndStars(
        _ kind: Parley_V1_MentionsAndStarsKind, cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListMentionsAndStarsReply {
        var request = Parley_V1_ListMentionsAndStarsRequest()
        (request.kind, request.cursor, request.limit) = (kind, cursor, limit)
        return try await call(MessagingMethods.listMentionsAndStars, key: user, request)
    }
}
