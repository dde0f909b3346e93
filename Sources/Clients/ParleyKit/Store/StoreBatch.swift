import Foundation
import ParleyClient
import SwiftProtobuf

/// What a batch of changes makes different for an app, in order.
enum StoreEffect: Sendable {
    case message(Message)
    case receipt(Receipt, of: UserID, in: ConversationID)
    case readCount(Parley_V1_ReadCount)
    /// How far others have read a conversation is not known any longer.
    case droppedReceipts(ConversationID)
    case cleared(ConversationID, upTo: Int64)
    case droppedMessages(ConversationID)
    case dropped(ConversationID)
    case summary(ConversationSummary)
    /// Messages before those that come from now on are not stored.
    case gap(ConversationID)
    /// The server has what I did.
    case sent(SentItem)
    /// States of a kind that has no order.
    case states(StateKind)
    /// My state of a message that is not stored.
    case earlyState
}

/// What lists and headers show of a conversation.
struct ConversationSummary: Sendable, Equatable {
    var id: ConversationID
    /// Nil: they have not changed.
    var facts: Conversation.Facts?
    var own: Conversation.OwnState
    var last: Message?
    /// Nil: it has not changed.
    var draft: String?
    /// Its place in a list, and which, together with whether it is archived; nil: in none.
    var section: Conversation.Section?
    var key: ListKey
    /// Whether it was read as a whole.
    var isWhole = false
    /// Whether the server has what I did with it.
    var syncStatus = SyncStatus.synced
}

/// Applies the changes of a ``SyncMachine`` to a store, in one transaction, and says what they make different for an
/// app. How they are merged is the same for every store (`MergedRows` of ParleyClient); these are the rows.
struct StoreBatch: MergedRows {
    let store: any StoreWriter
    let me: String
    /// Rows that this batch has read, and changes at its end.
    private var rows: [String: ConversationRow] = [:]
    private var changedRows: Set<String> = []
    private var changedFacts: Set<String> = []
    /// The conversations with new messages, and how many.
    private(set) var stored: [String: Int] = [:]
    /// What was found of the message that was asked for last.
    private var early: (conversation: String, seq: Int64, state: Parley_V1_MessageState?)?
    /// The newest message of each conversation among those that were put.
    private var newest: [String: Parley_V1_Message] = [:]
    private var streams: [String: StoredStream?] = [:]
    private(set) var effects: [StoreEffect] = []

    init(_ store: any StoreWriter, me: String) { (self.store, self.me) = (store, me) }

    // MARK: Applying

    mutating func apply(_ item: CommitItem) throws {
        switch item {
        case .change(let change): try apply(change)
        case .span(let range, let conversation): try store.addSpan(range, of: conversation)
        case .forgetSpans(let conversation): try store.put([], of: conversation)
        case .sent(let item): try sent(item)
        case .confirmed, .presence, .ownPresence, .pushSettings, .typing, .done: break
        }
    }

    mutating func apply(_ change: SyncChange) throws {
        try merge(change)
        switch change {
        case .clear(let conversation, let seq):
            effects.append(.cleared(ConversationID(rawValue: conversation), upTo: seq))
        case .dropMessages(let conversation):
            effects.append(.droppedMessages(ConversationID(rawValue: conversation)))
        case .dropConversation(let id):
            let id = ConversationID(rawValue: id)
            effects += [.droppedMessages(id), .dropped(id)]
        default: break
        }
    }

    /// Removes what the server has. What waits behind it learns what that made.
    mutating func sent(_ sent: SentItem) throws {
        try store.removeUnsent(sent.id)
        if let message = sent.message, let seq = sent.seq {
            // It may have been stored before this start, and is shown as unsent since then.
            if let stored = try store.message(sent.lane, seq), stored.id == message {
                effects.append(.message(Message(stored)))
            }
            for var item in try store.unsent(about: message) {
                item.resolve(to: seq)
                try store.put(item)
            }
        }
        if let step = sent.version {
            for var item in try store.unsent() where item.lane == sent.lane && item.move(by: step) {
                try store.put(item)
            }
        }
        effects.append(.sent(sent))
    }

    // MARK: Rows, as merging sees them

    /// Returns a row, which changes at the end of the batch.
    mutating func row(_ conversation: String) throws -> ConversationRow {
        if let known = rows[conversation] { return known }
        let row = try store.row(conversation) ?? ConversationRow(conversation)
        rows[conversation] = row
        return row
    }

    mutating func put(_ row: ConversationRow) throws {
        let before = try self.row(row.id)
        var row = row
        if row.keptFrom == .max, row.record != before.record { row.keptFrom = 0 }
        // What was held until now stays stored.
        if let span = before.heldSpan, !(row.heldSpan?.contains(span.lowerBound) ?? false) {
            try store.addSpan(span, of: row.id)
        }
        rows[row.id] = row
        changedRows.insert(row.id)
        if row.conversation != before.conversation { changedFacts.insert(row.id) }
        let (first, last) = (row.record?.unread.heldFrom, before.record?.unread.heldTo ?? 0)
        // What came meanwhile is read when somebody looks at it.
        if let first, first != before.record?.unread.heldFrom, first > last + 1 {
            effects.append(.gap(ConversationID(rawValue: row.id)))
        }
    }

    mutating func conversations() throws -> [String] {
        for row in try store.rows() where rows[row.id] == nil { rows[row.id] = row }
        return rows.keys.sorted()
    }

    private mutating func touch(_ id: String) throws {
        _ = try row(id)
        changedRows.insert(id)
    }

    mutating func message(_ conversation: String, _ seq: Int64) throws -> Parley_V1_Message? {
        let mustRead = rows[conversation] == nil
        let place = try store.place(conversation, seq, withRow: mustRead)
        if mustRead { rows[conversation] = place.row ?? ConversationRow(conversation) }
        early = (conversation, seq, place.early)
        return place.message
    }

    func thread(_ conversation: String, _ first: Int64) throws -> [Parley_V1_Message] {
        try store.thread(conversation, first)
    }

    func starred() throws -> [Parley_V1_Message] { try store.starred() }

    mutating func put(_ message: Parley_V1_Message, isNew: Bool) throws {
        try store.put(message, me: me)
        if isNew { stored[message.conversation, default: 0] += 1 }
        if message.seq >= newest[message.conversation]?.seq ?? 0 { newest[message.conversation] = message }
        try touch(message.conversation)
        effects.append(.message(Message(message)))
    }

    mutating func removeMessages(_ conversation: String, upTo seq: Int64) throws {
        try store.removeMessages(conversation, upTo: seq)
        if newest[conversation]?.seq ?? .max <= seq { newest[conversation] = nil }
        early = nil
        try touch(conversation)
        guard seq == .max else { return }
        try store.put([], of: conversation)
        // What the record says is held is gone, until the next one.
        rows[conversation]?.keptFrom = .max
    }

    mutating func putEarly(_ state: Parley_V1_MessageState) throws {
        early = nil
        try store.put(state)
        effects.append(.earlyState)
    }

    mutating func takeEarlyState(_ conversation: String, _ seq: Int64) throws -> Parley_V1_MessageState? {
        if early.map({ ($0.conversation, $0.seq) != (conversation, seq) }) ?? true {
            _ = try message(conversation, seq)
        }
        guard let state = early?.state else { return nil }
        early?.state = nil
        try store.removeEarlyState(conversation, seq)
        return state
    }

    mutating func removeEarlyStates(exceptOf conversations: Set<String>) throws {
        try store.removeEarlyStates(exceptOf: conversations)
    }

    func receipt(_ conversation: String, of user: String) throws -> Parley_V1_Receipt? {
        try store.receipt(conversation, of: user)
    }

    mutating func put(_ receipt: Parley_V1_Receipt) throws {
        try store.put(receipt)
        effects.append(
            .receipt(
                Receipt(receipt), of: UserID(rawValue: receipt.user),
                in: ConversationID(rawValue: receipt.conversation)))
    }

    mutating func put(_ count: Parley_V1_ReadCount) throws {
        try store.put(count)
        effects.append(.readCount(count))
    }

    mutating func removeReceipts(_ conversation: String) throws {
        try store.removeReceipts(conversation)
        effects.append(.droppedReceipts(ConversationID(rawValue: conversation)))
    }

    mutating func put<State: KeyedState>(_ state: State) throws {
        try store.put(try state.serializedData(), State.stateKind, state.stateKey)
        effects.append(.states(State.stateKind))
    }

    mutating func remove<State: KeyedState>(_ state: State) throws {
        try store.removeState(State.stateKind, state.stateKey)
        effects.append(.states(State.stateKind))
    }

    mutating func removeStates(_ kind: StateKind) throws {
        try store.removeStates(kind)
        effects.append(.states(kind))
    }

    func event(_ id: Data) throws -> Parley_V1_Event? {
        try store.state(.event, id.hexDigits).map { try Parley_V1_Event(serializedBytes: $0) }
    }

    mutating func put(_ stream: StoredStream) throws { streams[stream.name] = .some(stream) }
    mutating func forgetStream(_ name: String) throws { streams[name] = .some(nil) }

    // MARK: The end

    /// Writes what was changed, trims, and returns what is different for an app.
    /// - Parameters:
    ///   - now: the server's time in microseconds UTC.
    ///   - trims: which conversations to shorten, to how many messages.
    mutating func finish(at now: Int64, trims: [String: Int] = [:]) throws -> [StoreEffect] {
        for (name, stream) in streams {
            if let stream { try store.put(stream) } else { try store.forgetStream(name) }
        }
        for id in changedRows.sorted() {
            guard var row = rows[id] else { continue }
            if let count = trims[id] { try trim(&row, to: count) }
            try store.put(row)
            var summary = try store.summary(of: row, put: newest[id], me: me, at: now)
            if !changedFacts.contains(id) { summary.facts = nil }
            effects.append(.summary(summary))
        }
        return effects
    }

    private func trim(_ row: inout ConversationRow, to count: Int) throws {
        let read = row.record?.unread.readUpTo ?? 0
        guard let first = try store.trim(row.id, to: count, above: read) else { return }
        row.keptFrom = max(row.keptFrom, first)
        let spans = try store.otherSpans(row.id).compactMap { span in
            span.upperBound < first ? nil : max(span.lowerBound, first)...span.upperBound
        }
        try store.put(spans, of: row.id)
    }
}

extension StoreWriter {
    /// Notes that everything in a range of seqs is stored that I may read.
    func addSpan(_ span: ClosedRange<Int64>, of conversation: String) throws {
        try put(try otherSpans(conversation).adding(span), of: conversation)
    }
}

extension StoreReader {
    /// Returns what lists and headers show of a conversation, apart from its draft.
    /// - Parameter put: the newest message that was just put, which need not be read.
    func summary(
        of row: ConversationRow, put: Parley_V1_Message? = nil, me: String, at now: Int64
    ) throws -> ConversationSummary {
        let basis = row.record?.unread ?? UnreadBasis()
        let state = row.inboxState ?? Parley_V1_InboxState()
        var own = Conversation.OwnState()
        own.pinnedAt = Date(set: state.pinnedAtUs)
        own.mutedUntil =
            state.mutedUntilUs > now
            ? (state.mutedUntilUs == .max ? .distantFuture : Date(set: state.mutedUntilUs)) : nil
        own.isArchived = row.isArchived
        own.readUpTo = state.readSeq
        own.firstSeq = max(1, state.firstSeq, state.clearedSeq + 1)
        own.retention = row.entry.flatMap { $0.retentionSeconds == 0 ? nil : .seconds($0.retentionSeconds) }
        let (count, newest) = try unread(row.id, basis, for: me, at: now)
        own.unread = .init(
            messages: Int(count.unread), mentions: Int(count.mentions), isMarked: state.markedUnread)
        let id = ConversationID(rawValue: row.id)
        return ConversationSummary(
            id: id, facts: row.conversation.map { .init($0, me: UserID(rawValue: me)) }, own: own,
            last: try last(of: row, newest: newest, put, clearedSeq: state.clearedSeq), draft: nil,
            section: Conversation.Section(row.section), key: row.key)
    }

    /// Counts unread messages. Mentions by people whom I block do not count: the messages are read only if there are
    /// mentions, and I block anybody.
    private func unread(
        _ id: String, _ basis: UnreadBasis, for me: String, at now: Int64
    ) throws -> (UnreadCount, newest: Int64) {
        var count = basis.count([], for: me, blocking: { _ in false }, at: now)
        let (seq, left) = (basis.countsAbove, UnreadCount.countedMax - count.unread)
        let (above, newest) = try unread(id, above: seq, limit: max(0, left), at: now)
        count = UnreadCount(unread: count.unread + above.unread, mentions: count.mentions + above.mentions)
        guard above.mentions > 0 else { return (count, newest) }
        let blocked = Set(try states(.block).map { try Parley_V1_Block(serializedBytes: $0).user.id })
        guard !blocked.isEmpty else { return (count, newest) }
        let held = try messages(id, in: (seq + 1) ... .max, newest: true, limit: Self.mentionsReadMax)
        return (basis.count(held, for: me, blocking: blocked.contains, at: now), newest)
    }

    /// As many of the newest messages as the server looks at.
    private static var mentionsReadMax: Int { 10_000 }

    /// Returns the newest message, of those stored and what the inbox says.
    private func last(
        of row: ConversationRow, newest: Int64, _ put: Parley_V1_Message?, clearedSeq: Int64
    ) throws -> Message? {
        let stored = put?.seq == newest ? put : newest == 0 ? nil : try message(row.id, newest)
        let said = row.entry.flatMap { $0.hasLastMessage && $0.lastMessage.seq > clearedSeq ? $0.lastMessage : nil }
        guard let stored else { return said.map(Message.init) }
        return Message(said?.seq ?? 0 > stored.seq ? said ?? stored : stored)
    }

    /// Returns the summary of a conversation as a whole; nil when nothing is stored of it.
    func summary(of id: String, me: String, at now: Int64) throws -> ConversationSummary? {
        guard let row = try row(id) else { return nil }
        var summary = try summary(of: row, me: me, at: now)
        (summary.draft, summary.isWhole) = (try draft(id), true)
        return summary
    }
}
