/// A request that a ``SyncMachine`` wants made. The shell answers with ``SyncMachine/replied(_:with:at:)`` or
/// ``SyncMachine/failed(_:with:at:)``, once, whatever else happens meanwhile.
public struct SyncQuestion: Sendable, Hashable {
    /// Identifies the question in the answer.
    public let number: Int
    public let request: SyncRequest
}

/// What a ``SyncMachine`` requests. Pages may be of any size.
public enum SyncRequest: Sendable, Hashable {
    /// conversations.Sync.
    case conversations(epoch: String, since: Int64)
    /// entities.Sync.
    case entities(epoch: String, since: Int64)
    /// messaging.Sync of one of my streams there.
    case inbox(stream: String, epoch: String, cursor: String, since: Int64, held: [HeldPosition])
    /// messaging.GetChanges.
    case changes(conversation: String, epoch: String, since: Int64)
    /// messaging.GetHistory: the messages after a seq.
    case history(conversation: String, after: Int64)
    /// messaging.GetHistory: the messages before a seq; zero: the newest.
    case earlier(conversation: String, before: Int64, limit: UInt32)
    /// messaging.UpdateMarks with marks of zero, for at most 100 conversations.
    case inboxStates(of: [String])
    /// conversations.ListBlocked.
    case blocks(cursor: String)
    /// messaging.ListReceipts.
    case receipts(conversation: String, cursor: String)
}

/// The position up to which the messages of a conversation are held.
public struct HeldPosition: Sendable, Hashable {
    public var conversation: String
    public var position: Int64

    public init(_ conversation: String, at position: Int64) {
        (self.conversation, self.position) = (conversation, position)
    }
}

/// The reply to a ``SyncRequest``.
public enum SyncReply: Sendable {
    case conversations(Parley_V1_ConversationsSyncReply)
    case entities(Parley_V1_EntitiesSyncReply)
    case inbox(Parley_V1_MessagingSyncReply)
    case changes(Parley_V1_GetChangesReply)
    case history(Parley_V1_GetHistoryReply)
    case inboxStates(Parley_V1_UpdateMarksReply)
    case blocks(Parley_V1_ListBlockedReply)
    case receipts(Parley_V1_ListReceiptsReply)
}

extension ParleyClient {
    /// Makes a request of a ``SyncMachine``, once: the machine repeats it.
    /// - Parameter limit: entries per page, at most 200, where the request does not say.
    public func answer(_ request: SyncRequest, limit: UInt32 = 200) async throws(ParleyError) -> SyncReply {
        let result = await Self.$repeats.withValue(false) { () async -> Result<SyncReply, ParleyError> in
            do throws(ParleyError) {
                return .success(try await answerOnce(request, limit: limit))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func answerOnce(_ request: SyncRequest, limit: UInt32) async throws(ParleyError) -> SyncReply {
        switch request {
        case .conversations(let epoch, let since):
            return .conversations(try await syncConversations(epoch: epoch, since: since, limit: limit))
        case .entities(let epoch, let since):
            return .entities(try await syncEntities(epoch: epoch, since: since, limit: limit))
        case .inbox(let stream, let epoch, let cursor, let since, let held):
            return .inbox(
                try await syncMessaging(
                    cell: String(StoredStream(stream).cell), epoch: epoch, cursor: cursor, ownPosition: since,
                    held: held, limit: limit))
        case .changes(let conversation, let epoch, let since):
            return .changes(try await changes(of: conversation, epoch: epoch, since: since, limit: limit))
        case .history(let conversation, let seq):
            return .history(try await history(of: conversation, .after(seq), limit: limit))
        case .earlier(let conversation, let seq, let count):
            let page: HistoryPage = seq == 0 ? .newest : .before(seq)
            return .history(try await history(of: conversation, page, limit: min(count, 200)))
        case .inboxStates(let conversations):
            let request = Parley_V1_UpdateMarksRequest.with {
                $0.marks = conversations.map { id in .with { $0.conversation = id } }
            }
            return .inboxStates(try await call(MessagingMethods.updateMarks, key: user, request))
        case .blocks(let cursor):
            let request = Parley_V1_ListBlockedRequest.with { ($0.cursor, $0.limit) = (cursor, limit) }
            return .blocks(try await call(ConversationsMethods.listBlocked, key: user, request))
        case .receipts(let conversation, let cursor):
            return .receipts(try await receipts(of: conversation, cursor: cursor, limit: limit))
        }
    }
}
