import Foundation
import ParleyClient

/// Where a client keeps what it knows between starts: in memory (``MemoryStore``) or in a file (``SQLiteStore``). The
/// rules of merging are in `MergedRows` of ParleyClient; a store has only rows.
protocol Store: Sendable {
    /// Reads, off the main actor. What is read is of one moment.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Result
    ) async throws -> Result
    /// Changes rows, off the main actor: all of it, or nothing when the body throws.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreWriter) throws -> Result
    ) async throws -> Result
    /// Releases the file.
    func close() async
}

/// What is stored of a message, before it changes.
struct StoredPlace {
    var row: ConversationRow?
    var message: Parley_V1_Message?
    /// My state of the message, which came before it.
    var early: Parley_V1_MessageState?
}

/// The rows of a ``Store``.
protocol StoreReader {
    func streams() throws -> [StoredStream]
    func records() throws -> [ConversationRecord]
    func row(_ conversation: String) throws -> ConversationRow?
    func message(_ conversation: String, _ seq: Int64) throws -> Parley_V1_Message?
    /// Returns a message, and my state of it if that came before it.
    /// - Parameter withRow: whether to return the conversation's row, too.
    func place(_ conversation: String, _ seq: Int64, withRow: Bool) throws -> StoredPlace
    /// Returns messages in ascending order: the newest in the range, or the oldest.
    func messages(
        _ conversation: String, in range: ClosedRange<Int64>, newest: Bool, limit: Int
    ) throws -> [Parley_V1_Message]
    /// Returns the messages of a thread, with the first one.
    func thread(_ conversation: String, _ first: Int64) throws -> [Parley_V1_Message]
    func starred() throws -> [Parley_V1_Message]
    /// Returns the messages that mention me, as they were stored for me.
    func mentioning(_ me: String) throws -> [Parley_V1_Message]
    /// Returns messages with all the words that an app may show, the newest first.
    /// - Parameters:
    ///   - conversation: nil: all.
    ///   - before: those sent before this time in microseconds UTC.
    func search(
        _ query: SearchQuery, in conversation: String?, before: Int64, limit: Int, at now: Int64
    ) throws -> [Parley_V1_Message]
    /// Counts the messages above a seq that are unread, the oldest first.
    /// - Parameters:
    ///   - limit: no more are counted.
    ///   - now: the server's time in microseconds UTC.
    /// - Returns: also the newest seq that is stored; 0: none.
    func unread(
        _ conversation: String, above seq: Int64, limit: Int64, at now: Int64
    ) throws -> (count: UnreadCount, newest: Int64)
    /// Returns the conversations of a list in order, after one of them.
    func list(
        _ section: Parley_V1_ConversationSection, isArchived: Bool, after key: ListKey?, limit: Int
    ) throws -> [ConversationRow]
    /// Returns the conversations that changed after a version of the store, and its version.
    func changed(since version: Int64) throws -> (conversations: [String], version: Int64)
    func receipts(_ conversation: String) throws -> [Parley_V1_Receipt]
    func receipt(_ conversation: String, of user: String) throws -> Parley_V1_Receipt?
    func readCounts(_ conversation: String) throws -> [Parley_V1_ReadCount]
    /// Returns the ranges of seqs of which everything that I may read is stored, in ascending order. The newest one is
    /// that of the sync machine (``ConversationRow/heldSpan``), which no row repeats.
    func spans(_ conversation: String) throws -> [ClosedRange<Int64>]
    /// Returns those that have rows. A change of spans begins with these: the conversation's own row may be about to
    /// change.
    func otherSpans(_ conversation: String) throws -> [ClosedRange<Int64>]
    /// Returns the conversations of which there are such rows.
    func paged() throws -> [String]
    /// Returns a state of a kind that is only put and removed.
    func state(_ kind: StateKind, _ key: String) throws -> Data?
    func states(_ kind: StateKind) throws -> [Data]
    /// Returns what I did and the server does not have, in the order in which it was done.
    func unsent() throws -> [UnsentItem]
    /// Returns what is about a message, in the order in which it was done.
    func unsent(about message: Data) throws -> [UnsentItem]
    func draft(_ conversation: String) throws -> String
    /// Returns what I have begun to write, by conversation.
    func drafts() throws -> [String: String]
    /// Returns what was read last for the days of an agenda, or for more days.
    func agenda(_ days: AgendaDays) throws -> StoredAgenda?
}

/// What the server answered for an agenda.
struct StoredAgenda: Equatable, Sendable {
    var days: AgendaDays
    var dates: Parley_V1_ListEventsReply
}

/// What an agenda is asked for.
struct AgendaDays: Hashable, Sendable {
    /// At most so many answers are kept.
    static let keptMax = 20

    /// "2026-12-01".
    var first: String
    var last: String
    var zone: String
    /// Empty: the events of all conversations.
    var conversation: String

    /// Whether the dates of other days are among those of these.
    func cover(_ other: AgendaDays) -> Bool {
        (zone, conversation) == (other.zone, other.conversation) && first <= other.first && other.last <= last
    }
}

/// The rows of a ``Store``, while they are changed.
protocol StoreWriter: StoreReader {
    func put(_ stream: StoredStream) throws
    func forgetStream(_ name: String) throws
    func put(_ row: ConversationRow) throws
    /// - Parameter me: my user id; others' messages count as unread.
    func put(_ message: Parley_V1_Message, me: String) throws
    /// Removes the messages of a conversation up to a seq.
    func removeMessages(_ conversation: String, upTo seq: Int64) throws
    /// Removes the oldest messages, so that a number of them stay. Those above a seq stay, too.
    /// - Returns: the first seq that stayed; nil: nothing was removed.
    func trim(_ conversation: String, to count: Int, above seq: Int64) throws -> Int64?
    /// Removes messages that have disappeared by now, all conversations'.
    func removeExpired(at now: Int64) throws
    func put(_ state: Parley_V1_MessageState) throws
    func removeEarlyState(_ conversation: String, _ seq: Int64) throws
    func removeEarlyStates(exceptOf conversations: Set<String>) throws
    func put(_ receipt: Parley_V1_Receipt) throws
    func put(_ count: Parley_V1_ReadCount) throws
    func removeReceipts(_ conversation: String) throws
    func put(_ spans: [ClosedRange<Int64>], of conversation: String) throws
    func put(_ state: Data, _ kind: StateKind, _ key: String) throws
    func removeState(_ kind: StateKind, _ key: String) throws
    func removeStates(_ kind: StateKind) throws
    /// Returns all conversations' rows.
    func rows() throws -> [ConversationRow]
    func put(_ item: UnsentItem) throws
    func removeUnsent(_ id: Data) throws
    /// Makes messages findable that arrived since the last search, the conversations with the latest news first.
    /// - Returns: whether all are now.
    func indexWords(atMost count: Int) throws -> Bool
    func putDraft(_ draft: String, _ conversation: String) throws
    /// Keeps an answer for an agenda, in the place of the oldest.
    func put(_ agenda: StoredAgenda) throws
}

extension [ClosedRange<Int64>] {
    /// Returns these ranges, which ascend and do not touch, with another one.
    func adding(_ span: ClosedRange<Int64>?) -> Self {
        guard let span else { return self }
        var merged: Self = []
        for next in (self + [span]).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, next.lowerBound <= last.upperBound || next.lowerBound == last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...Swift.max(last.upperBound, next.upperBound)
            } else {
                merged.append(next)
            }
        }
        return merged
    }
}

extension ConversationRow {
    /// The seqs of the newest messages that are stored without a gap.
    var heldSpan: ClosedRange<Int64>? {
        record.flatMap { Self.heldSpan($0.unread.heldFrom, $0.unread.heldTo, keptFrom) }
    }

    static func heldSpan(_ first: Int64?, _ last: Int64, _ keptFrom: Int64) -> ClosedRange<Int64>? {
        guard let first, max(first, keptFrom) <= last else { return nil }
        return max(first, keptFrom)...last
    }

    var isArchived: Bool { record?.newest.isArchived(by: inboxState ?? .init()) ?? false }

    /// Its place in a list.
    var key: ListKey {
        let made = max(conversation?.requestedAtUs ?? 0, conversation?.createdAtUs ?? 0)
        return ListKey(
            pinnedAt: inboxState?.pinnedAtUs ?? 0, activeAt: record.map { max($0.newest.sentAtUs, made) } ?? made,
            id: id)
    }
}

/// The place of a conversation in a list: those pinned last come first, then those with the latest news.
struct ListKey: Sendable, Hashable, Comparable {
    var pinnedAt: Int64
    var activeAt: Int64
    var id: String

    static func < (one: ListKey, other: ListKey) -> Bool {
        (one.pinnedAt, one.activeAt, other.id) > (other.pinnedAt, other.activeAt, one.id)
    }
}
