import SwiftProtobuf

/// Messages: sending, reading and changing them. All functions throw ``ParleyError``; `messaging.proto` lists the
/// refusals of each request.
extension ParleyClient {
    // MARK: Sending

    /// Sends a text in one attempt, or as ``Options/retriesFor`` says; see ``sendReliably(_:to:id:)``.
    /// - Throws: the refusal, or `unavailable`, `deadline`, `connection_lost`. After these three the message may have
    ///   been sent; it is safe to send it again with the same id.
    public func send(
        _ text: String, to conversation: String, id: UUIDv7? = nil, deadline: Duration? = nil
    ) async throws(ParleyError) -> Parley_V1_SendMessageReply {
        try await send(Self.text(text, to: conversation, id: id ?? newID()), deadline: deadline)
    }

    /// Sends a message of any kind in one attempt: a reply to another message, one with mentions or a file, or a
    /// forward. A request without an id gets a new one; without a kind it is a text.
    /// - Throws: like ``send(_:to:id:deadline:)``.
    public func send(
        _ request: Parley_V1_SendMessageRequest, deadline: Duration? = nil
    ) async throws(ParleyError) -> Parley_V1_SendMessageReply {
        let sent = complete(request)
        return try await perform(MessagingMethods.sendMessage, key: sent.conversation, sent, deadline: deadline)
    }

    private static func text(_ text: String, to conversation: String, id: UUIDv7) -> Parley_V1_SendMessageRequest {
        var request = Parley_V1_SendMessageRequest()
        request.id = .init(id.bytes)
        (request.conversation, request.kind, request.text) = (conversation, .text, text)
        return request
    }

    private func complete(_ request: Parley_V1_SendMessageRequest) -> Parley_V1_SendMessageRequest {
        var request = request
        if request.id.isEmpty { request.id = .init(newID().bytes) }
        if request.kind == .unspecified, !request.hasForward { request.kind = .text }
        return request
    }

    /// Sends a text and repeats it until the server accepts it or refuses it permanently. Each attempt has the same id,
    /// so only one message results. It waits for a connection without limit; cancel the task to give up.
    /// - Throws: the refusal, `cancelled` or `closed`; `unavailable` when the client is neither connected
    ///   nor connecting.
    public func sendReliably(
        _ text: String, to conversation: String, id: UUIDv7? = nil
    ) async throws(ParleyError) -> Parley_V1_SendMessageReply {
        try await sendReliably(Self.text(text, to: conversation, id: id ?? newID()))
    }

    /// Sends a message of any kind until the server accepts it or refuses it permanently; see
    /// ``sendReliably(_:to:id:)``.
    public func sendReliably(_ request: Parley_V1_SendMessageRequest) async throws(ParleyError)
        -> Parley_V1_SendMessageReply
    {
        let request = complete(request)
        return try await repeating(until: nil) { () async throws(ParleyError) in try await send(request) }
    }

    /// Forwards a message that I may read to another conversation, in one attempt. The copy names its original sender.
    /// - Parameters:
    ///   - source: the conversation of the original.
    ///   - conversation: the conversation of the copy.
    /// - Throws: like ``send(_:to:id:deadline:)``.
    public func forward(
        _ seq: Int64, of source: String, to conversation: String, id: UUIDv7? = nil
    ) async throws(ParleyError) -> Parley_V1_SendMessageReply {
        var request = Parley_V1_SendMessageRequest()
        request.id = .init((id ?? newID()).bytes)
        request.conversation = conversation
        (request.forward.conversation, request.forward.seq) = (source, seq)
        return try await send(request)
    }

    // MARK: Reading

    /// The position of a page in the history.
    public enum HistoryPage: Hashable, Sendable {
        /// The newest messages.
        case newest
        /// The newest messages below a seq.
        case before(Int64)
        /// The oldest messages above a seq.
        case after(Int64)
        /// Messages around a seq, half of the page on each side.
        case around(Int64)
    }

    /// Returns a page of the messages that I may read, in ascending order of seq.
    /// - Parameter limit: messages per page, at most 200; zero: 50. A page ends earlier at 96 KiB.
    public func history(
        of conversation: String, _ page: HistoryPage = .newest, limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_GetHistoryReply {
        var request = Parley_V1_GetHistoryRequest()
        (request.conversation, request.limit) = (conversation, limit)
        switch page {
        case .newest: break
        case .before(let seq): request.beforeSeq = seq
        case .after(let seq): request.afterSeq = seq
        case .around(let seq): request.aroundSeq = seq
        }
        return try await call(MessagingMethods.getHistory, key: conversation, request)
    }

    /// Returns a page of the messages that changed since a position of the conversation's stream, in order of position.
    /// - Parameters:
    ///   - epoch: of the reply that gave the position.
    ///   - position: up to which changes are known.
    ///   - limit: messages per page, at most 200; zero: 50.
    public func changes(
        of conversation: String, epoch: String, since position: Int64, limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_GetChangesReply {
        var request = Parley_V1_GetChangesRequest()
        (request.conversation, request.epoch) = (conversation, epoch)
        (request.sincePosition, request.limit) = (position, limit)
        return try await call(MessagingMethods.getChanges, key: conversation, request)
    }

    /// Returns a page of a thread's messages, in ascending order of seq.
    /// - Parameters:
    ///   - thread: the seq of the thread's first message.
    ///   - seq: the page begins after this seq; zero: with the first message of the thread.
    ///   - limit: messages per page, at most 200; zero: 50.
    public func thread(
        _ thread: Int64, of conversation: String, after seq: Int64 = 0, limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_GetHistoryReply {
        var request = Parley_V1_GetThreadRequest()
        (request.conversation, request.threadSeq, request.afterSeq) = (conversation, thread, seq)
        request.limit = limit
        return try await call(MessagingMethods.getThread, key: conversation, request)
    }

    /// Returns a page of the messages that I may read and that contain all the words, best matches first. Without a
    /// conversation it searches all of mine.
    public func search(_ request: Parley_V1_SearchMessagesRequest) async throws(ParleyError)
        -> Parley_V1_SearchMessagesReply
    {
        try await call(
            MessagingMethods.searchMessages, key: request.conversation.isEmpty ? user : request.conversation, request)
    }

    // MARK: Changing

    /// Changes the text of a message of mine within the edit window. Repeating it changes nothing.
    /// - Parameter mentions: user ids of everyone whom the new text mentions.
    /// - Returns: the message afterwards.
    @discardableResult
    public func edit(
        _ seq: Int64, of conversation: String, text: String, mentions: [String] = []
    ) async throws(ParleyError) -> Parley_V1_Message {
        var request = Parley_V1_EditMessageRequest()
        (request.conversation, request.seq) = (conversation, seq)
        (request.text, request.mentions) = (text, mentions)
        return try await perform(MessagingMethods.editMessage, key: conversation, request).message
    }

    /// Deletes a message for everyone: one of mine, or any in a group that I own or administer. Repeating it changes
    /// nothing.
    /// - Returns: the emptied message.
    @discardableResult
    public func delete(_ seq: Int64, of conversation: String) async throws(ParleyError) -> Parley_V1_Message {
        var request = Parley_V1_DeleteMessageRequest()
        (request.conversation, request.seq) = (conversation, seq)
        return try await perform(MessagingMethods.deleteMessage, key: conversation, request).message
    }

    /// Returns the earlier texts of an edited message, oldest first. Of many, only the newest are included: at most 100
    /// and 96 KiB.
    public func revisions(of seq: Int64, in conversation: String) async throws(ParleyError) -> [Parley_V1_Revision] {
        var request = Parley_V1_ListRevisionsRequest()
        (request.conversation, request.seq) = (conversation, seq)
        return try await call(MessagingMethods.listRevisions, key: conversation, request).revisions
    }

    /// Adds or removes a reaction of mine. Repeating it changes nothing.
    /// - Parameter remove: whether to remove the reaction.
    @discardableResult
    public func react(
        _ emoji: String, to seq: Int64, of conversation: String, remove: Bool = false
    ) async throws(ParleyError) -> Parley_V1_UpdateReactionReply {
        var request = Parley_V1_UpdateReactionRequest()
        (request.conversation, request.seq) = (conversation, seq)
        (request.emoji, request.remove) = (emoji, remove)
        return try await call(MessagingMethods.updateReaction, key: conversation, request)
    }

    /// Returns a page of the reactions to a message with the people who added them, oldest first.
    /// - Parameters:
    ///   - emoji: only reactions with this emoji; empty: all.
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: reactions per page, at most 200; zero: 50.
    public func reactions(
        to seq: Int64, in conversation: String, emoji: String = "", cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListReactionsReply {
        var request = Parley_V1_ListReactionsRequest()
        (request.conversation, request.seq, request.emoji) = (conversation, seq, emoji)
        (request.cursor, request.limit) = (cursor, limit)
        return try await call(MessagingMethods.listReactions, key: conversation, request)
    }

    /// Sets how long after sending the messages of a conversation disappear.
    /// - Parameters:
    ///   - seconds: the time after sending; zero: new messages stay.
    ///   - alsoOld: whether this also applies to existing messages.
    public func setRetention(
        of conversation: String, seconds: Int64, alsoOld: Bool = false
    ) async throws(ParleyError) {
        var request = Parley_V1_SetRetentionRequest()
        (request.conversation, request.seconds, request.alsoOld) = (conversation, seconds, alsoOld)
        _ = try await call(MessagingMethods.setRetention, key: conversation, request)
    }
}
