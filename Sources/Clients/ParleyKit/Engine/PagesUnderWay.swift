import ParleyClient

/// The pages of conversations that are being read, beside the machine, which follows what changes. Pure.
///
/// My states of messages, and reactions to them, that arrive meanwhile are newer than the page, and of messages that
/// are not stored yet. What was read of a conversation before the machine follows it may lack changes after which the
/// machine goes on: it is read again. If it was read in an earlier session, it may even be of another epoch: it is
/// dropped.
struct PagesUnderWay: Sendable {
    /// A page that was requested.
    struct Ticket: Sendable {
        fileprivate let page: ParleyClient.HistoryPage
        let conversation: String
        fileprivate let drops: Int
        fileprivate let isEarly: Bool
    }

    /// What becomes of a page.
    enum Outcome: Sendable {
        case stores([CommitItem])
        /// The messages of the conversation were dropped meanwhile.
        case nothing
        case again
    }

    private struct Meanwhile {
        /// What is to be applied after the page, in this order.
        var changes: [SyncChange] = []
        /// The positions of messages that changed, by seq.
        var positions: [Int64: Int64] = [:]

        /// Whether a message has changed since the page was made. An Update does not have what is mine of it, so the
        /// page is to be read again.
        func hasOutrun(_ messages: [Parley_V1_Message]) -> Bool {
            messages.contains { positions[$0.seq] ?? 0 > $0.position }
        }
    }

    private var pages: [String: (count: Int, meanwhile: Meanwhile)] = [:]
    /// How often the messages of a conversation were dropped: a page that was requested before is not stored.
    private var drops: [String: Int] = [:]
    /// Conversations of which pages were read, and which the machine does not follow; whether all in this session.
    private var early: [String: Bool] = [:]

    /// - Parameter early: conversations of which pages are stored, and which the machine does not follow.
    init(_ early: [String] = []) { for id in early { self.early[id] = false } }

    /// Notes that a session begins.
    mutating func sessionBegan() { for id in early.keys { early[id] = false } }

    /// Notes that a page is requested.
    /// - Parameter isFollowed: whether the machine follows the conversation.
    mutating func begin(
        _ page: ParleyClient.HistoryPage, of conversation: String, isFollowed: Bool
    ) -> Ticket {
        pages[conversation, default: (0, .init())].count += 1
        if !isFollowed { early[conversation] = early[conversation] ?? true }
        return Ticket(
            page: page, conversation: conversation, drops: drops[conversation] ?? 0, isEarly: !isFollowed)
    }

    /// Notes what the machine changes.
    /// - Returns: what is to be stored before all that the machine changes together with it.
    mutating func note(_ change: SyncChange) -> CommitItem? {
        switch change {
        case .messageState(let state): pages[state.conversation]?.meanwhile.changes.append(change)
        case .reactions(let reactions): pages[reactions.conversation]?.meanwhile.changes.append(change)
        case .message(let message, from: .update):
            pages[message.conversation]?.meanwhile.positions[message.seq] = message.position
        case .dropMessages(let conversation), .dropConversation(let conversation): drops[conversation, default: 0] += 1
        case .record(let record) where record.isFollowed:
            guard let isOfThisSession = early.removeValue(forKey: record.id) else { break }
            if isOfThisSession { return .forgetSpans(of: record.id) }
            drops[record.id, default: 0] += 1
            return .change(.dropMessages(conversation: record.id))
        default: break
        }
        return nil
    }

    /// Notes that a page will not come.
    mutating func failed(_ ticket: Ticket) { _ = end(ticket.conversation) }

    /// Notes that a page has come.
    /// - Parameter mayRepeat: whether it may be read again.
    mutating func ended(_ ticket: Ticket, with reply: Parley_V1_GetHistoryReply, mayRepeat: Bool) -> Outcome {
        let (id, meanwhile) = (ticket.conversation, end(ticket.conversation))
        guard ticket.drops == drops[id] ?? 0 else { return .nothing }
        let isFollowedNow = ticket.isEarly && early[id] == nil
        if mayRepeat, isFollowedNow || meanwhile.hasOutrun(reply.messages) { return .again }
        var items = reply.messages.map { CommitItem.change(.message($0, from: .reply)) }
        items += meanwhile.changes.map { .change($0) }
        if let range = Self.range(of: reply, ticket.page) { items.append(.span(range, of: id)) }
        return .stores(items)
    }

    private mutating func end(_ conversation: String) -> Meanwhile {
        guard let page = pages[conversation] else { return Meanwhile() }
        pages[conversation] = page.count > 1 ? (page.count - 1, page.meanwhile) : nil
        return page.meanwhile
    }

    /// Returns the range of seqs of which a page has all that I may read.
    private static func range(
        of reply: Parley_V1_GetHistoryReply, _ page: ParleyClient.HistoryPage
    ) -> ClosedRange<Int64>? {
        var (first, last) = (reply.messages.first?.seq, reply.messages.last?.seq)
        if !reply.moreBefore { first = 1 }
        if !reply.moreAfter { last = max(last ?? 0, reply.lastSeq) }
        switch page {
        // A restored server may have fewer messages than were shown.
        case .before(let seq) where seq > 0: last = max(last ?? 0, min(seq - 1, reply.lastSeq))
        case .after(let seq): first = min(first ?? .max, seq + 1)
        default: break
        }
        guard let first, let last, first <= last else { return nil }
        return first...last
    }
}

extension ConversationRecord {
    /// Whether changes of the messages are followed from some message on.
    var isFollowed: Bool { unread.heldFrom != nil }
}

extension SyncMachine {
    /// Whether changes of a conversation's messages are followed from some message on.
    func follows(_ conversation: String) -> Bool { record(of: conversation)?.isFollowed ?? false }
}
