import Foundation
import ParleyClient
import SwiftProtobuf

/// What a batch of changes makes different for an app, in order.
enum StoreEffect: Sendable {
    case message(Message)
    case receipt(Receipt, of: UserID, in: ConversationID)
    case readCount(Parley_V1_ReadCount)
    case cleared(ConversationID, upTo: Int64)
    case droppedMessages(ConversationID)
    case dropped(ConversationID)
    case summary(ConversationSummary)
    /// Messages before those that come from now on are not stored.
    case gap(ConversationID)
    /// The server has what I did; if that was sending a message, under this number.
    case sent(Data, message: Data?, seq: Int64?)
    case profile
    case requestCount
    case blocks
    case reminders
    case decisions
    case events
    case suggestions
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

/// Applies the changes of a ``SyncMachine`` to a store, in one transaction: the rules of proto/REFERENCE.md for rows,
/// as ``SyncMemory`` has them for values.
struct StoreBatch {
    let store: any StoreWriter
    let me: String
    /// Rows that this batch has read, and changes at its end.
    private var rows: [String: ConversationRow] = [:]
    private var changedRows: Set<String> = []
    private var changedFacts: Set<String> = []
    /// The conversations with new messages, and how many.
    private(set) var stored: [String: Int] = [:]
    private var streams: [String: StoredStream?] = [:]
    private(set) var effects: [StoreEffect] = []

    init(_ store: any StoreWriter, me: String) { (self.store, self.me) = (store, me) }

    // MARK: Applying

    mutating func apply(_ change: SyncChange) throws {
        switch change {
        case .put(let content): try put(content)
        case .message(let message, let source): try apply(message, from: source)
        case .reactions(let reactions):
            guard var message = try store.message(reactions.conversation, reactions.seq) else { return }
            message.take(reactions, by: me)
            try put(message)
        case .messageState(let state):
            guard var message = try store.message(state.conversation, state.seq) else { return try store.put(state) }
            message.take(state)
            try put(message)
        case .inboxState(let state): try alter(state.conversation) { $0.inboxState = state }
        case .receipt(let receipt): try apply(receipt)
        case .readCount(let count):
            try store.put(count)
            effects.append(.readCount(count))
        case .inboxEntry(let entry): try alter(entry.conversation) { $0.entry = entry }
        case .blocks(let blocks):
            try store.removeStates(.block)
            for block in blocks { try store.put(try block.serializedData(), .block, block.user.id) }
            effects.append(.blocks)
        case .clear(let conversation, let seq):
            try store.removeMessages(conversation, upTo: seq)
            try touch(conversation)
            effects.append(.cleared(ConversationID(rawValue: conversation), upTo: seq))
        case .dropMessages(let conversation): try dropMessages(conversation)
        case .dropConversation(let id): try drop(id)
        case .startOver(let stream): try startOver(stream)
        case .stream(let stream): streams[stream.name] = .some(stream)
        case .forgetStream(let name): streams[name] = .some(nil)
        case .record(let record):
            var before: Int64 = 0
            try alter(record.id) { row in
                before = row.record?.unread.heldTo ?? 0
                row.record = record
            }
            // What came meanwhile is read when somebody looks at it.
            if record.unread.heldFrom ?? 0 > before + 1 { effects.append(.gap(ConversationID(rawValue: record.id))) }
        }
    }

    /// Removes what the server has. What is about the message that it was learns its number.
    mutating func sent(_ id: Data, in lane: String, _ message: Data?, _ seq: Int64?) throws {
        try store.removeUnsent(id)
        if let message, let seq {
            // It may have been stored before this start, and is shown as unsent since then.
            if let stored = try store.message(lane, seq), stored.id == message {
                effects.append(.message(Message(stored)))
            }
            for var item in try store.unsent(about: message) {
                item.resolve(to: seq)
                try store.put(item)
            }
        }
        effects.append(.sent(id, message: message, seq: seq))
    }

    /// Reads a row, to be changed at the end of the batch.
    private mutating func alter(_ id: String, _ body: (inout ConversationRow) -> Void) throws {
        if rows[id] == nil { rows[id] = try store.row(id) ?? ConversationRow(id) }
        body(&rows[id, default: ConversationRow(id)])
        changedRows.insert(id)
    }

    private mutating func touch(_ id: String) throws { try alter(id) { _ in } }

    private mutating func put(_ content: Update.Content) throws {
        switch content {
        case .conversation(let conversation):
            try alter(conversation.id) { $0.conversation = conversation }
            changedFacts.insert(conversation.id)
        case .profile(let profile):
            try store.put(try profile.serializedData(), .profile, "")
            effects.append(.profile)
        case .requestCount(let count):
            try store.put(try count.serializedData(), .requestCount, "")
            effects.append(.requestCount)
        case .block(let block):
            if block.blocked {
                try store.put(try block.serializedData(), .block, block.user.id)
            } else {
                try store.removeState(.block, block.user.id)
            }
            effects.append(.blocks)
        case .reminder(let reminder):
            try put(reminder, .reminder, reminder.id.hexDigits, isGone: reminder.deletedAtUs != 0)
            effects.append(.reminders)
        case .decision(let decision):
            try put(decision, .decision, decision.id.hexDigits, isGone: decision.deletedAtUs != 0)
            effects.append(.decisions)
        case .event(let event):
            try put(event, .event, event.id.hexDigits, isGone: event.deletedAtUs != 0)
            effects.append(.events)
        case .eventCounts(let counts):
            // An event that has ended here has none.
            guard let stored = try store.state(.event, counts.id.hexDigits) else { break }
            var event = try Parley_V1_Event(serializedBytes: stored)
            event.take(counts)
            try put(event, .event, event.id.hexDigits, isGone: false)
            effects.append(.events)
        case .suggestion(let suggestion):
            try put(suggestion, .suggestion, suggestion.id.hexDigits, isGone: suggestion.state != .open)
            effects.append(.suggestions)
        // These have changes of their own, and presence and typing are not stored.
        case .message, .reactions, .receipt, .readCount, .inboxState, .messageState, .presenceState, .ownPresence,
            .typing, .other:
            break
        }
    }

    private func put(
        _ state: some SwiftProtobuf.Message, _ kind: StateKind, _ key: String, isGone: Bool
    ) throws {
        if isGone { try store.removeState(kind, key) } else { try store.put(try state.serializedData(), kind, key) }
    }

    // MARK: Messages

    private mutating func apply(_ message: Parley_V1_Message, from source: SyncSource) throws {
        let (conversation, seq) = (message.conversation, message.seq)
        var merged = message
        if source == .reply, !message.hasOwn { merged.own = Parley_V1_OwnMessageState() }
        let early = try store.earlyState(conversation, seq)
        if early != nil { try store.removeEarlyState(conversation, seq) }
        if var before = try store.message(conversation, seq) {
            before.take(merged)
            merged = before
        } else {
            if source == .update, let early { merged.take(early) }
            stored[conversation, default: 0] += 1
        }
        try put(merged)
        if message.system.kind == .retentionChanged { try noteRetention(message) }
        let first = message.threadSeq == 0 ? seq : message.threadSeq
        guard message.hasThread || message.threadSeq != 0 else { return }
        try apply(threadOf: conversation, first)
    }

    /// Takes how long messages stay from a system message that is newer than the inbox entry.
    private mutating func noteRetention(_ message: Parley_V1_Message) throws {
        try alter(message.conversation) { row in
            var entry = row.entry ?? .with { $0.conversation = message.conversation }
            guard message.seq > entry.lastSeq else { return }
            (entry.lastSeq, entry.retentionSeconds) = (message.seq, message.system.seconds)
            row.entry = entry
        }
    }

    /// Puts the newest state of a thread into all its messages.
    private mutating func apply(threadOf conversation: String, _ first: Int64) throws {
        let messages = try store.thread(conversation, first)
        let states = messages.filter(\.hasThread).map(\.thread)
        guard let latest = states.max(by: { $0.position < $1.position }) else { return }
        for var message in messages where message.thread.position < latest.position {
            message.take(latest)
            try put(message)
        }
    }

    /// Puts a message whose empty own state is the same as none.
    private mutating func put(_ message: Parley_V1_Message) throws {
        var message = message
        if message.hasOwn, message.own == Parley_V1_OwnMessageState() { message.clearOwn() }
        try store.put(message, me: me)
        try touch(message.conversation)
        effects.append(.message(Message(message)))
    }

    private mutating func apply(_ receipt: Parley_V1_Receipt) throws {
        var merged = try store.receipt(receipt.conversation, of: receipt.user) ?? receipt
        merged.take(receipt)
        try store.put(merged)
        effects.append(
            .receipt(
                Receipt(merged), of: UserID(rawValue: merged.user),
                in: ConversationID(rawValue: merged.conversation)))
    }

    // MARK: Dropping

    private mutating func dropMessages(_ conversation: String) throws {
        try store.removeMessages(conversation, upTo: .max)
        try store.put([], of: conversation)
        try touch(conversation)
        effects.append(.droppedMessages(ConversationID(rawValue: conversation)))
    }

    private mutating func drop(_ id: String) throws {
        try dropMessages(id)
        try alter(id) { ($0.conversation, $0.inboxState, $0.entry) = (nil, nil, nil) }
        changedFacts.insert(id)
        try store.removeReceipts(id)
        effects.append(.dropped(ConversationID(rawValue: id)))
    }

    private mutating func startOver(_ stream: String) throws {
        let service = StoredStream(stream).service
        switch service {
        case "conversations":
            for kind in [StateKind.profile, .block, .requestCount] { try store.removeStates(kind) }
            for row in try store.rows() { try alter(row.id) { $0.conversation = nil } }
            for id in Array(rows.keys) { try alter(id) { $0.conversation = nil } }
        case "entities":
            try store.removeStates(.reminder)
            try store.removeStates(.decision)
            try store.removeStates(.event)
            try store.removeStates(.suggestion)
            effects += [.reminders, .decisions, .events, .suggestions]
        case "messaging":
            for row in try store.rows() { try alter(row.id) { ($0.inboxState, $0.entry) = (nil, nil) } }
            for id in Array(rows.keys) { try alter(id) { ($0.inboxState, $0.entry) = (nil, nil) } }
            try store.removeEarlyStates()
            for var message in try store.starred() {
                message.own.starred = false
                try put(message)
            }
        default: break
        }
    }

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
            guard let row = rows[id] else { continue }
            try store.put(row)
            try extendSpans(of: row)
            if let count = trims[id] { try trim(row, to: count) }
            var summary = try store.summary(of: row, me: me, at: now)
            if !changedFacts.contains(id) { summary.facts = nil }
            summary.draft = nil
            effects.append(.summary(summary))
        }
        return effects
    }

    /// The newest messages that are held without a gap are a span.
    private func extendSpans(of row: ConversationRow) throws {
        guard let unread = row.record?.unread, let first = unread.heldFrom, unread.heldTo >= first else { return }
        try store.addSpan(first...unread.heldTo, of: row.id)
    }

    private func trim(_ row: ConversationRow, to count: Int) throws {
        let read = row.record?.unread.readUpTo ?? 0
        guard let first = try store.trim(row.id, to: count, above: read) else { return }
        let spans = try store.spans(row.id).compactMap { span in
            span.upperBound < first ? nil : max(span.lowerBound, first)...span.upperBound
        }
        try store.put(spans, of: row.id)
    }
}

extension StoreWriter {
    /// Notes that everything in a range of seqs is stored that I may read.
    func addSpan(_ span: ClosedRange<Int64>, of conversation: String) throws {
        let known = try spans(conversation)
        // Most spans grow at their end.
        if let last = known.last, last.lowerBound <= span.lowerBound, last.upperBound >= span.upperBound { return }
        var merged: [ClosedRange<Int64>] = []
        for next in (known + [span]).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, next.lowerBound <= last.upperBound || next.lowerBound == last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, next.upperBound)
            } else {
                merged.append(next)
            }
        }
        try put(merged, of: conversation)
    }
}

extension StoreReader {
    /// Returns what lists and headers show of a conversation.
    func summary(of row: ConversationRow, me: String, at now: Int64) throws -> ConversationSummary {
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
        let counted = basis.count([], for: me, blocking: { _ in false }, at: now)
        let above = try unread(row.id, above: basis.countsAbove, for: me, at: now)
        own.unread = .init(
            messages: Int(min(counted.unread + above.unread, UnreadCount.countedMax)),
            mentions: Int(counted.mentions + above.mentions), isMarked: state.markedUnread)
        let id = ConversationID(rawValue: row.id)
        return ConversationSummary(
            id: id, facts: row.conversation.map { .init($0, me: UserID(rawValue: me)) }, own: own,
            last: try last(of: row, clearedSeq: state.clearedSeq, at: now), draft: try draft(row.id),
            section: Conversation.Section(row.section), key: row.key)
    }

    /// Counts unread messages above a seq. Mentions by people whom I block do not count: the messages are read only if
    /// there are mentions, and I block anybody.
    private func unread(_ id: String, above seq: Int64, for me: String, at now: Int64) throws -> UnreadCount {
        var count = try unread(id, above: seq, at: now)
        guard count.mentions > 0 else { return count }
        let blocked = Set(try states(.block).map { try Parley_V1_Block(serializedBytes: $0).user.id })
        guard !blocked.isEmpty else { return count }
        let held = try messages(id, in: (seq + 1) ... .max, newest: true, limit: Self.mentionsReadMax)
        let ignored = held.count { message in
            blocked.contains(message.sender) && message.mentions.contains(me) && !message.isGone(at: now)
        }
        count.mentions = max(0, count.mentions - Int64(ignored))
        return count
    }

    /// As many of the newest messages as the server looks at.
    private static var mentionsReadMax: Int { 10_000 }

    /// Returns the newest message, of those stored and what the inbox says.
    private func last(of row: ConversationRow, clearedSeq: Int64, at now: Int64) throws -> Message? {
        let stored = try messages(row.id, in: 1 ... .max, newest: true, limit: 1).last
        let said = row.entry.flatMap { $0.hasLastMessage && $0.lastMessage.seq > clearedSeq ? $0.lastMessage : nil }
        guard let stored else { return said.map(Message.init) }
        return Message(said?.seq ?? 0 > stored.seq ? said ?? stored : stored)
    }

    /// Returns the summary of a conversation as a whole; nil when nothing is stored of it.
    func summary(of id: String, me: String, at now: Int64) throws -> ConversationSummary? {
        guard let row = try row(id) else { return nil }
        var summary = try summary(of: row, me: me, at: now)
        summary.isWhole = true
        return summary
    }
}
