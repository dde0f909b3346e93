import Foundation
import SwiftProtobuf

/// What a client stores, as rows that merging reads and changes: in memory (``SyncMemory``), or in a database
/// (`StoreBatch` of ParleyKit). Rows have no rules: ``merge(_:)`` has them all, those of proto/REFERENCE.md.
package protocol MergedRows {
    associatedtype Failure: Error
    /// My user id.
    var me: String { get }

    // Conversations
    /// Returns what is stored of a conversation apart from its messages, which may be nothing.
    mutating func row(_ conversation: String) throws(Failure) -> ConversationRow
    mutating func put(_ row: ConversationRow) throws(Failure)
    /// Returns the ids of all conversations that have a row.
    mutating func conversations() throws(Failure) -> [String]
    func receipt(_ conversation: String, of user: String) throws(Failure) -> Parley_V1_Receipt?
    mutating func put(_ receipt: Parley_V1_Receipt) throws(Failure)
    mutating func put(_ count: Parley_V1_ReadCount) throws(Failure)
    /// Removes the receipts and the read counts of a conversation.
    mutating func removeReceipts(_ conversation: String) throws(Failure)

    // Messages
    /// Returns a message. It is asked for before my state of it that came early.
    mutating func message(_ conversation: String, _ seq: Int64) throws(Failure) -> Parley_V1_Message?
    /// Returns the messages of a thread, with the first one.
    func thread(_ conversation: String, _ first: Int64) throws(Failure) -> [Parley_V1_Message]
    func starred() throws(Failure) -> [Parley_V1_Message]
    /// - Parameter isNew: whether none is stored with this seq.
    mutating func put(_ message: Parley_V1_Message, isNew: Bool) throws(Failure)
    /// Removes the messages of a conversation up to a seq, and the early states.
    mutating func removeMessages(_ conversation: String, upTo seq: Int64) throws(Failure)
    /// Stores my state of a message that is not stored yet.
    mutating func putEarly(_ state: Parley_V1_MessageState) throws(Failure)
    /// Removes and returns my state of a message that was not stored.
    mutating func takeEarlyState(_ conversation: String, _ seq: Int64) throws(Failure) -> Parley_V1_MessageState?
    mutating func removeEarlyStates(exceptOf conversations: Set<String>) throws(Failure)

    // Other states
    mutating func put(_ state: some KeyedState) throws(Failure)
    mutating func remove(_ state: some KeyedState) throws(Failure)
    mutating func removeStates(_ kind: StateKind) throws(Failure)
    func event(_ id: Data) throws(Failure) -> Parley_V1_Event?

    // Streams
    mutating func put(_ stream: StoredStream) throws(Failure)
    mutating func forgetStream(_ name: String) throws(Failure)
}

/// What is stored of a conversation, apart from its messages.
package struct ConversationRow: Sendable, Equatable {
    package let id: String
    package var conversation: Parley_V1_Conversation?
    package var inboxState: Parley_V1_InboxState?
    /// What the inbox last said of it.
    package var entry: Parley_V1_InboxEntry?
    /// What the sync machine must remember.
    package var record: ConversationRecord?
    /// Of the newest messages that are held without a gap, those before this seq were removed to save room.
    package var keptFrom: Int64 = 0

    package init(_ id: String) { self.id = id }

    package var section: Parley_V1_ConversationSection {
        conversation?.section ?? entry?.section ?? .unspecified
    }
}

/// A state of a kind of which a client holds one for each key.
package protocol KeyedState: HeldState {
    static var stateKind: StateKind { get }
    /// Empty: there is one at most.
    var stateKey: String { get }
    /// Whether nothing is held of it any longer.
    var hasEnded: Bool { get }
    func remove(from held: inout Held)
}

extension KeyedState {
    package var hasEnded: Bool { false }
}

extension Parley_V1_Block {
    package var hasEnded: Bool { !blocked }
}

extension Parley_V1_Reminder {
    package var hasEnded: Bool { deletedAtUs != 0 }
}

extension Parley_V1_Decision {
    package var hasEnded: Bool { deletedAtUs != 0 }
}

extension Parley_V1_Event {
    package var hasEnded: Bool { deletedAtUs != 0 }
}

extension Parley_V1_Suggestion {
    package var hasEnded: Bool { state != .open }
}

/// The rules of merging. A kind without a rule of its own takes the place of the earlier state with the same key.
extension MergedRows {
    /// Makes a change. It costs the same however much is stored, apart from the messages of a thread and from changes
    /// that drop many.
    package mutating func merge(_ change: SyncChange) throws(Failure) {
        switch change {
        case .put(let content): try merge(content)
        case .message(let message, let source): try merge(message, from: source)
        case .reactions(let reactions):
            guard var message = try message(reactions.conversation, reactions.seq) else { return }
            message.take(reactions, by: me)
            try keep(message)
        case .messageState(let state):
            guard var message = try message(state.conversation, state.seq) else { return try putEarly(state) }
            message.take(state)
            try keep(message)
        case .inboxState(let state): try alter(state.conversation) { $0.inboxState = state }
        case .receipt(let receipt):
            var merged = try self.receipt(receipt.conversation, of: receipt.user) ?? receipt
            merged.take(receipt)
            try put(merged)
        case .readCount(let count): try put(count)
        case .inboxEntry(let entry): try alter(entry.conversation) { $0.entry = entry }
        case .blocks(let blocks):
            try removeStates(.block)
            for block in blocks { try put(block) }
        case .clear(let conversation, let seq): try removeMessages(conversation, upTo: seq)
        case .dropMessages(let conversation): try removeMessages(conversation, upTo: .max)
        case .dropConversation(let id): try drop(id)
        case .startOver(let stream): try startOver(StoredStream(stream))
        case .stream(let stream): try put(stream)
        case .forgetStream(let name): try forgetStream(name)
        case .record(let record): try alter(record.id) { $0.record = record }
        }
    }

    private mutating func alter(_ conversation: String, _ body: (inout ConversationRow) -> Void) throws(Failure) {
        var row = try row(conversation)
        body(&row)
        try put(row)
    }

    private mutating func merge(_ content: Update.Content) throws(Failure) {
        switch content {
        case .conversation(let conversation): try alter(conversation.id) { $0.conversation = conversation }
        case .eventCounts(let counts):
            // An event that has ended here has none.
            guard var event = try event(counts.id) else { return }
            event.take(counts)
            try put(event)
        default:
            // The other kinds have changes of their own, or are not stored.
            guard let state = content.keyed else { return }
            try merge(state)
        }
    }

    private mutating func merge(_ state: some KeyedState) throws(Failure) {
        if state.hasEnded { try remove(state) } else { try put(state) }
    }

    // MARK: Messages

    private mutating func merge(_ message: Parley_V1_Message, from source: SyncSource) throws(Failure) {
        let (conversation, seq) = (message.conversation, message.seq)
        var merged = message
        if source == .reply, !message.hasOwn { merged.own = Parley_V1_OwnMessageState() }
        let before = try self.message(conversation, seq)
        let early = try takeEarlyState(conversation, seq)
        if var before {
            before.take(merged)
            merged = before
        } else if source == .update, let early {
            merged.take(early)
        }
        try keep(merged, isNew: before == nil)
        if message.system.kind == .retentionChanged { try noteRetention(message) }
        let first = message.threadSeq == 0 ? seq : message.threadSeq
        guard message.hasThread || message.threadSeq != 0 else { return }
        try mergeThread(conversation, first)
    }

    /// Puts a message whose empty own state is the same as none.
    private mutating func keep(_ message: Parley_V1_Message, isNew: Bool = false) throws(Failure) {
        var message = message
        if message.hasOwn, message.own == Parley_V1_OwnMessageState() { message.clearOwn() }
        try put(message, isNew: isNew)
    }

    /// Takes how long messages stay from a system message that is newer than the inbox entry.
    private mutating func noteRetention(_ message: Parley_V1_Message) throws(Failure) {
        try alter(message.conversation) { row in
            var entry = row.entry ?? .with { $0.conversation = message.conversation }
            guard message.seq > entry.lastSeq else { return }
            (entry.lastSeq, entry.retentionSeconds) = (message.seq, message.system.seconds)
            row.entry = entry
        }
    }

    /// Puts the newest state of a thread into all its messages.
    private mutating func mergeThread(_ conversation: String, _ first: Int64) throws(Failure) {
        let messages = try thread(conversation, first)
        let states = messages.filter(\.hasThread).map(\.thread)
        guard let latest = states.max(by: { $0.position < $1.position }) else { return }
        for var message in messages where message.thread.position < latest.position {
            message.take(latest)
            try keep(message)
        }
    }

    // MARK: Dropping

    private mutating func drop(_ id: String) throws(Failure) {
        try removeMessages(id, upTo: .max)
        try alter(id) { ($0.conversation, $0.inboxState, $0.entry) = (nil, nil, nil) }
        try removeReceipts(id)
    }

    private mutating func startOver(_ stream: StoredStream) throws(Failure) {
        let kinds = Update.kinds[stream.prefix, default: ""].split(separator: " ")
        for kind in StateKind.allCases where kinds.contains(Substring(kind.rawValue)) { try removeStates(kind) }
        switch stream.service {
        case "conversations":
            for id in try conversations() where try row(id).conversation != nil {
                try alter(id) { $0.conversation = nil }
            }
        case "messaging": try forgetOwnStates(in: stream.cell)
        default: break
        }
    }

    /// Forgets my states of a cell's conversations, how far others have read them, and my stars there, which are read
    /// again. Hidden messages stay without content.
    private mutating func forgetOwnStates(in cell: Substring) throws(Failure) {
        var others: Set<String> = []
        for id in try conversations() {
            let row = try row(id)
            if let record = row.record, !record.isIn(cell) {
                others.insert(id)
                continue
            }
            try removeReceipts(id)
            if row.inboxState != nil || row.entry != nil {
                try alter(id) { ($0.inboxState, $0.entry) = (nil, nil) }
            }
        }
        try removeEarlyStates(exceptOf: others)
        for var message in try starred() where !others.contains(message.conversation) {
            message.own.starred = false
            try keep(message)
        }
    }
}
