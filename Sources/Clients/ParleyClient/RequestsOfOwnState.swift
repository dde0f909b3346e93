import SwiftProtobuf

/// My inbox (pinned, muted, archived conversations) and my message states (starred, hidden). All throw ``ParleyError``;
/// `messaging.proto` lists each request's refusals.
extension ParleyClient {
    /// The conversations with news since a cursor, and what of my own changed since a position.
    /// - Parameter ownPosition: up to where "messaging/u/ME" is held.
    public func syncMessaging(
        epoch: String = "", cursor: String = "", ownPosition: Int64 = 0, limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_MessagingSyncReply {
        var request = Parley_V1_MessagingSyncRequest()
        (request.epoch, request.cursor, request.limit) = (epoch, cursor, limit)
        request.ownPosition = ownPosition
        return try await call(MessagingMethods.sync, key: user, request)
    }

    /// My conversations of one section: those pinned first, then those with the latest news; `cursor` of the last reply
    /// gives the next page. Conversations in which nobody has written yet are not in it.
    /// - Parameters:
    ///   - section: unspecified: the inbox.
    ///   - archived: those that are archived, and no others.
    public func inbox(
        _ section: Parley_V1_ConversationSection = .unspecified, archived: Bool = false, cursor: String = "",
        limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_GetInboxReply {
        var request = Parley_V1_GetInboxRequest()
        (request.section, request.archived) = (section, archived)
        (request.cursor, request.limit) = (cursor, limit)
        return try await call(MessagingMethods.getInbox, key: user, request)
    }

    /// What an app's icon shows.
    public func badge() async throws(ParleyError) -> Parley_V1_GetBadgeReply {
        try await call(MessagingMethods.getBadge, key: user, .init())
    }

    /// Pins, archives or marks unread, for me alone; nil: stays. The same again changes nothing.
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

    /// Mutes a conversation, for me alone.
    /// - Parameter until: microseconds UTC; nil: for ever.
    @discardableResult
    public func mute(
        _ conversation: String, until: Int64? = nil
    ) async throws(ParleyError) -> Parley_V1_InboxState {
        try await updateInboxState(
            .with {
                ($0.conversation, $0.muted, $0.mutedUntilUs) = (conversation, .yes, until ?? 0)
            })
    }

    /// Mutes a conversation no more.
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
        try await call(MessagingMethods.updateInboxState, key: request.conversation, request, deadline: nil) {
            outcome in
            self.learn(outcome.map { [$0.state] })
        }.state
    }

    /// Deletes a conversation's messages for me alone; it is hidden until a later one comes.
    /// - Parameter seq: up to which, with it; nil: all there are now.
    @discardableResult
    public func clear(
        _ conversation: String, upTo seq: Int64? = nil
    ) async throws(ParleyError) -> Parley_V1_InboxState {
        var request = Parley_V1_ClearConversationRequest()
        (request.conversation, request.upToSeq) = (conversation, seq ?? 0)
        return try await call(MessagingMethods.clearConversation, key: conversation, request, deadline: nil) {
            outcome in
            self.learn(outcome.map { [$0.state] })
        }.state
    }

    /// Stars messages of a conversation or takes the stars back, up to 100 at once.
    @discardableResult
    public func star(
        _ seqs: [Int64], of conversation: String, starred: Bool = true
    ) async throws(ParleyError) -> [Parley_V1_MessageState] {
        try await updateMessageState(
            .with {
                ($0.conversation, $0.seqs, $0.starred) = (conversation, seqs, starred ? .yes : .no)
            })
    }

    /// Deletes messages of a conversation for me alone, for ever, up to 100 at once.
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
        try await call(MessagingMethods.updateMessageState, key: request.conversation, request, deadline: nil) {
            outcome in
            switch outcome {
            case .success(let reply): for state in reply.states { self.notifyObservers { $0.learned(state) } }
            case .failure(let problem) where problem.isUncertain: self.notifyObservers { $0.unsureOfOwn() }
            case .failure: break
            }
        }.states
    }

    /// A page of the messages I starred, or those that mention me, over all conversations, newest first.
    public func mentionsAndStars(
        _ kind: Parley_V1_MentionsAndStarsKind, cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListMentionsAndStarsReply {
        var request = Parley_V1_ListMentionsAndStarsRequest()
        (request.kind, request.cursor, request.limit) = (kind, cursor, limit)
        return try await call(MessagingMethods.listMentionsAndStars, key: user, request)
    }
}
