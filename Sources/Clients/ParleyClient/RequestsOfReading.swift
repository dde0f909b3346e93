import SwiftProtobuf

/// Read marks and receipts. All functions throw ``ParleyError``; `messaging.proto` lists the refusals of each request.
extension ParleyClient {
    /// Marks a conversation as read up to a seq. The mark moves forwards only; repeating it changes nothing.
    /// - Parameter seq: the last message read.
    /// - Returns: the conversation's inbox state afterwards; nil when it is not mine or has no message for me.
    @discardableResult
    public func markRead(
        _ conversation: String, upTo seq: Int64
    ) async throws(ParleyError) -> Parley_V1_InboxState? {
        try await mark([
            .with {
                ($0.conversation, $0.readSeq) = (conversation, seq)
            }
        ]).first
    }

    /// Moves the read and delivered marks of up to 100 conversations. Marks move forwards only; repeating it changes
    /// nothing.
    /// - Returns: the inbox states afterwards. Conversations that are not mine or have no message for me are left out.
    @discardableResult
    public func mark(_ marks: [Parley_V1_Watermark]) async throws(ParleyError) -> [Parley_V1_InboxState] {
        try await perform(MessagingMethods.updateMarks, key: user, .with { $0.marks = marks }).states
    }

    /// Returns the current inbox states of up to 100 conversations of mine. Needed only for those that
    /// ``Unread/doubts(at:)`` returns.
    public func inboxStates(of conversations: [String]) async throws(ParleyError) -> [Parley_V1_InboxState] {
        // Marks of zero move nothing.
        try await mark(conversations.map { conversation in .with { $0.conversation = conversation } })
    }

    /// Returns a page of how far the other members of a conversation have read and received it.
    /// - Parameters:
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: members per page, at most 200; zero: 50.
    public func receipts(
        of conversation: String, cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListReceiptsReply {
        var request = Parley_V1_ListReceiptsRequest()
        (request.conversation, request.cursor, request.limit) = (conversation, cursor, limit)
        return try await call(MessagingMethods.listReceipts, key: conversation, request)
    }

    /// Returns a page of the members who have read one message, and when. In large groups it may be a minute behind.
    /// - Parameters:
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: members per page, at most 200; zero: 50.
    public func readers(
        of seq: Int64, in conversation: String, cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListReadersReply {
        var request = Parley_V1_ListReadersRequest()
        (request.conversation, request.seq) = (conversation, seq)
        (request.cursor, request.limit) = (cursor, limit)
        return try await call(MessagingMethods.listReaders, key: conversation, request)
    }
}
