import SwiftProtobuf

/// Messages: sent, read, and all that people do with one. All throw ``ParleyError``; what each is refused with stands
/// in `messaging.proto`.
extension ParleyClient {
    // MARK: Sending

    /// Sends a text once; see ``sendReliably(_:to:id:)``.
    /// - Throws: besides refusals `unavailable`, `deadline`, `connection_lost`: the message may have been taken then;
    ///   sending it again with the same id is right.
    public func send(
        _ text: String, to conversation: String, id: UUIDv7? = nil, deadline: Duration? = nil
    ) async throws(ParleyError) -> Parley_V1_SendMessageReply {
        try await send(Self.text(text, to: conversation, id: id ?? newID()), deadline: deadline)
    }

    /// Sends whatever a request says, once: an answer to another message, with mentions, a file, or a forward. Without
    /// an id it gets one, without a kind it is a text.
    /// - Throws: as ``send(_:to:id:deadline:)``.
    public func send(
        _ request: Parley_V1_SendMessageRequest, deadline: Duration? = nil
    ) async throws(ParleyError) -> Parley_V1_SendMessageReply {
        let sent = complete(request)
        return try await call(MessagingMethods.sendMessage, key: sent.conversation, sent, deadline: deadline) {
            outcome in
            switch outcome {
            case .success(let reply): self.learn(sent, reply)
            case .failure(let problem) where problem.isUncertain:
                self.notifyObservers { $0.unsure(of: sent.conversation) }
            case .failure: break
            }
        }
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

    /// The server leaves out the Update for the session that sent: its reply says the same.
    private func learn(_ request: Parley_V1_SendMessageRequest, _ reply: Parley_V1_SendMessageReply) {
        // What it has become since it was taken the first time the reply does not say.
        guard !reply.duplicate else { return notifyObservers { $0.unsure(of: request.conversation) } }
        var message = reply.message
        if !reply.hasMessage {
            (message.conversation, message.id, message.sender) = (request.conversation, request.id, user)
            (message.kind, message.text) = (request.kind, request.text)
            (message.seq, message.position, message.sentAtUs) = (reply.seq, reply.position, reply.sentAtUs)
        }
        let taken = message
        notifyObservers { $0.learned(taken) }
    }

    /// Sends a text until the server took it or refused it for good, with the same id each time: it becomes one
    /// message. Waits for a connection as long as it takes; cancel the task to give up.
    /// - Throws: the refusal, `cancelled` or `closed`; `unavailable` when nobody has asked this client to connect.
    public func sendReliably(
        _ text: String, to conversation: String, id: UUIDv7? = nil
    ) async throws(ParleyError) -> Parley_V1_SendMessageReply {
        try await sendReliably(Self.text(text, to: conversation, id: id ?? newID()))
    }

    /// Sends whatever a request says until the server took it or refused it for good; see ``sendReliably(_:to:id:)``.
    public func sendReliably(_ request: Parley_V1_SendMessageRequest) async throws(ParleyError)
        -> Parley_V1_SendMessageReply
    {
        let request = complete(request)
        return try await repeating(until: nil) { () async throws(ParleyError) in try await send(request) }
    }

    /// Says in a conversation again what a message that I may read says; who wrote it first is named.
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

    /// Where a page of history lies.
    public enum HistoryPage: Hashable, Sendable {
        /// The newest of all.
        case newest
        /// The newest of those below a seq.
        case before(Int64)
        /// The oldest of those above a seq.
        case after(Int64)
        /// Half on each side of a seq.
        case around(Int64)
    }

    /// A page of messages, ascending by seq.
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

    /// Messages of a conversation changed since a position.
    public func changes(
        of conversation: String, epoch: String, since position: Int64, limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_GetChangesReply {
        var request = Parley_V1_GetChangesRequest()
        (request.conversation, request.epoch) = (conversation, epoch)
        (request.sincePosition, request.limit) = (position, limit)
        return try await call(MessagingMethods.getChanges, key: conversation, request)
    }

    /// A page of a thread, ascending by seq; from its beginning with the message that it begins with.
    /// - Parameter seq: after which seq; zero: from the beginning.
    public func thread(
        _ thread: Int64, of conversation: String, after seq: Int64 = 0, limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_GetHistoryReply {
        var request = Parley_V1_GetThreadRequest()
        (request.conversation, request.threadSeq, request.afterSeq) = (conversation, thread, seq)
        request.limit = limit
        return try await call(MessagingMethods.getThread, key: conversation, request)
    }

    /// A page of messages that I may read and that hold all the words, the best first. Without a conversation: of all
    /// mine.
    public func search(_ request: Parley_V1_SearchMessagesRequest) async throws(ParleyError)
        -> Parley_V1_SearchMessagesReply
    {
        try await call(
            MessagingMethods.searchMessages, key: request.conversation.isEmpty ? user : request.conversation, request)
    }

    // MARK: Changing

    /// Changes the text of a message of mine, within the edit window. The same again changes nothing.
    /// - Parameter mentions: user ids of all whom it mentions from now on.
    /// - Returns: the message as it now stands.
    @discardableResult
    public func edit(
        _ seq: Int64, of conversation: String, text: String, mentions: [String] = []
    ) async throws(ParleyError) -> Parley_V1_Message {
        var request = Parley_V1_EditMessageRequest()
        (request.conversation, request.seq) = (conversation, seq)
        (request.text, request.mentions) = (text, mentions)
        return try await call(
            MessagingMethods.editMessage, key: conversation, request, deadline: nil,
            noticed: noticedMessage(of: conversation)
        ).message
    }

    /// Empties a message for everyone: one of mine, or any of a group that I own or administer. Again changes nothing.
    /// - Returns: what is left of it.
    @discardableResult
    public func delete(_ seq: Int64, of conversation: String) async throws(ParleyError) -> Parley_V1_Message {
        var request = Parley_V1_DeleteMessageRequest()
        (request.conversation, request.seq) = (conversation, seq)
        return try await call(
            MessagingMethods.deleteMessage, key: conversation, request, deadline: nil,
            noticed: noticedMessage(of: conversation)
        ).message
    }

    private func noticedMessage(of conversation: String) -> (Result<Parley_V1_MessageReply, ParleyError>) -> Void {
        { outcome in
            switch outcome {
            case .success(let reply): self.notifyObservers { $0.learned(reply.message) }
            case .failure(let problem) where problem.isUncertain: self.notifyObservers { $0.unsure(of: conversation) }
            case .failure: break
            }
        }
    }

    /// What a message said before it was edited, oldest first.
    public func revisions(of seq: Int64, in conversation: String) async throws(ParleyError) -> [Parley_V1_Revision] {
        var request = Parley_V1_ListRevisionsRequest()
        (request.conversation, request.seq) = (conversation, seq)
        return try await call(MessagingMethods.listRevisions, key: conversation, request).revisions
    }

    /// Puts an emoji to a message, or takes it back. The same again changes nothing.
    @discardableResult
    public func react(
        _ emoji: String, to seq: Int64, of conversation: String, remove: Bool = false
    ) async throws(ParleyError) -> Parley_V1_UpdateReactionReply {
        var request = Parley_V1_UpdateReactionRequest()
        (request.conversation, request.seq) = (conversation, seq)
        (request.emoji, request.remove) = (emoji, remove)
        return try await call(MessagingMethods.updateReaction, key: conversation, request)
    }

    /// A page of who reacted to a message, in the order of their reacting.
    /// - Parameter emoji: with which; empty: with any.
    public func reactions(
        to seq: Int64, in conversation: String, emoji: String = "", cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListReactionsReply {
        var request = Parley_V1_ListReactionsRequest()
        (request.conversation, request.seq, request.emoji) = (conversation, seq, emoji)
        (request.cursor, request.limit) = (cursor, limit)
        return try await call(MessagingMethods.listReactions, key: conversation, request)
    }

    /// Sets after how long new messages of a conversation disappear.
    /// - Parameters:
    ///   - seconds: zero: they stay.
    ///   - alsoOld: messages that are there already, too, counted from their sending.
    public func setRetention(
        of conversation: String, seconds: Int64, alsoOld: Bool = false
    ) async throws(ParleyError) {
        var request = Parley_V1_SetRetentionRequest()
        (request.conversation, request.seconds, request.alsoOld) = (conversation, seconds, alsoOld)
        _ = try await call(MessagingMethods.setRetention, key: conversation, request)
    }
}
