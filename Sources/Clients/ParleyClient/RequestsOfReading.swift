import SwiftProtobuf

/// Who has read what. All throw ``ParleyError``; what each is refused with stands in `messaging.proto`.
extension ParleyClient {
    /// Says up to where I have read a conversation. Forwards only; the same again changes nothing.
    /// - Returns: how it then stands for me; nil: it is not mine, or has nothing for me.
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

    /// Says up to where I have read conversations, and what has reached this device, of up to 100 at once.
    /// - Returns: how those of them that are mine then stand for me.
    @discardableResult
    public func mark(_ marks: [Parley_V1_Watermark]) async throws(ParleyError) -> [Parley_V1_InboxState] {
        try await call(MessagingMethods.updateMarks, key: user, .with { $0.marks = marks }, deadline: nil) { outcome in
            self.learn(outcome.map(\.states))
        }.states
    }

    /// How conversations of mine stand for me now: asked for when counting on from what was told is not enough.
    public func inboxStates(of conversations: [String]) async throws(ParleyError) -> [Parley_V1_InboxState] {
        // Marking nothing moves nothing.
        try await mark(conversations.map { conversation in .with { $0.conversation = conversation } })
    }

    /// The server leaves out the Update for the session that marked: its reply says the same.
    func learn(_ outcome: Result<[Parley_V1_InboxState], ParleyError>) {
        switch outcome {
        case .success(let states): for state in states { notifyObservers { $0.learned(state) } }
        case .failure(let problem) where problem.isUncertain: notifyObservers { $0.unsureOfOwn() }
        case .failure: break
        }
    }

    /// A page of how far the other members of a conversation have read.
    public func receipts(
        of conversation: String, cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListReceiptsReply {
        var request = Parley_V1_ListReceiptsRequest()
        (request.conversation, request.cursor, request.limit) = (conversation, cursor, limit)
        return try await call(MessagingMethods.listReceipts, key: conversation, request)
    }

    /// A page of who has read one message, and when.
    public func readers(
        of seq: Int64, in conversation: String, cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListReadersReply {
        var request = Parley_V1_ListReadersRequest()
        (request.conversation, request.seq) = (conversation, seq)
        (request.cursor, request.limit) = (cursor, limit)
        return try await call(MessagingMethods.listReaders, key: conversation, request)
    }
}
