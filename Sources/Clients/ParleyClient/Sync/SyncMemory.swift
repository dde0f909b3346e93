import Foundation
import SwiftProtobuf

/// What a client stores, in memory: the reference for a database that does the same.
public struct SyncMemory: Sendable {
    /// The states that Updates with positions bring.
    public fileprivate(set) var held = Held()
    /// How far others have read, by conversation and user id.
    public private(set) var receipts: [String: [String: Parley_V1_Receipt]] = [:]
    /// How many have read messages of mine, by conversation and seq.
    public private(set) var readCounts: [String: [Int64: Parley_V1_ReadCount]] = [:]
    /// What the inbox last said of each conversation.
    public private(set) var entries: [String: Parley_V1_InboxEntry] = [:]
    public private(set) var streams: [String: StoredStream] = [:]
    public private(set) var records: [String: ConversationRecord] = [:]

    /// Creates a store that is empty.
    public init(of user: String = "") { held.user = user }

    /// Returns a machine that goes on from here, as after a start of the app.
    public func machine(options: SyncMachine.Options = .init()) -> SyncMachine {
        SyncMachine(restoring: streams.values, records.values, options: options)
    }

    /// Makes a change.
    public mutating func apply(_ change: SyncChange) { merge(change) }

    // MARK: Unread

    /// Returns how many messages of a conversation are unread.
    /// - Parameter now: the server's time in microseconds UTC.
    public func unread(of conversation: String, at now: Int64) -> UnreadCount {
        let basis = records[conversation]?.unread ?? UnreadBasis()
        let above = basis.countsAbove
        let messages = (held.messages[conversation] ?? [:]).values.filter { $0.seq > above }
        return basis.count(
            messages.sorted { $0.seq < $1.seq }, for: held.user, blocking: { held.blocks[$0] != nil }, at: now)
    }

    /// Returns the numbers for an app's icon.
    /// - Parameter now: the server's time in microseconds UTC.
    public func badge(at now: Int64) -> Unread.Badge {
        var badge = Unread.Badge()
        for (id, record) in records {
            let state = record.unread.state
            badge.add(
                unread(of: id, at: now), state, section: row(id).section,
                isArchived: record.newest.isArchived(by: state),
                at: now)
        }
        return badge
    }
}

extension SyncMemory: MergedRows {
    package var me: String { held.user }

    package func row(_ conversation: String) -> ConversationRow {
        var row = ConversationRow(conversation)
        (row.conversation, row.inboxState) = (held.conversations[conversation], held.inboxStates[conversation])
        (row.entry, row.record) = (entries[conversation], records[conversation])
        return row
    }

    package mutating func put(_ row: ConversationRow) {
        (held.conversations[row.id], held.inboxStates[row.id]) = (row.conversation, row.inboxState)
        (entries[row.id], records[row.id]) = (row.entry, row.record)
    }

    package func conversations() -> [String] {
        Array(Set(held.conversations.keys).union(held.inboxStates.keys).union(entries.keys).union(records.keys))
    }

    package func receipt(_ conversation: String, of user: String) -> Parley_V1_Receipt? {
        receipts[conversation]?[user]
    }

    package mutating func put(_ receipt: Parley_V1_Receipt) {
        receipts[receipt.conversation, default: [:]][receipt.user] = receipt
    }

    package mutating func put(_ count: Parley_V1_ReadCount) {
        readCounts[count.conversation, default: [:]][count.seq] = count
    }

    package mutating func removeReceipts(_ conversation: String) {
        (receipts[conversation], readCounts[conversation]) = (nil, nil)
    }

    package func message(_ conversation: String, _ seq: Int64) -> Parley_V1_Message? {
        held.messages[conversation]?[seq]
    }

    package func thread(_ conversation: String, _ first: Int64) -> [Parley_V1_Message] {
        (held.threads[conversation]?[first] ?? []).compactMap { message(conversation, $0) }
    }

    package func starred() -> [Parley_V1_Message] {
        held.messages.values.flatMap { $0.values.filter(\.own.starred) }
    }

    package mutating func put(_ message: Parley_V1_Message, isNew: Bool) {
        message.put(in: &held)
        guard message.hasThread || message.threadSeq != 0 else { return }
        let first = message.threadSeq == 0 ? message.seq : message.threadSeq
        held.threads[message.conversation, default: [:]][first, default: [first]].insert(message.seq)
    }

    package mutating func removeMessages(_ conversation: String, upTo seq: Int64) {
        guard seq != .max else { return held.dropMessages(of: conversation) }
        held.messages[conversation] = held.messages[conversation]?.filter { $0.key > seq }
        held.earlyStates[conversation] = held.earlyStates[conversation]?.filter { $0.key > seq }
    }

    package mutating func putEarly(_ state: Parley_V1_MessageState) {
        held.earlyStates[state.conversation, default: [:]][state.seq] = state
    }

    package mutating func takeEarlyState(_ conversation: String, _ seq: Int64) -> Parley_V1_MessageState? {
        held.earlyStates[conversation]?.removeValue(forKey: seq)
    }

    package mutating func removeEarlyStates(exceptOf conversations: Set<String>) {
        held.earlyStates = held.earlyStates.filter { conversations.contains($0.key) }
    }

    package mutating func put(_ state: some KeyedState) { state.put(in: &held) }
    package mutating func remove(_ state: some KeyedState) { state.remove(from: &held) }
    package mutating func removeStates(_ kind: StateKind) { held.remove(kind) }
    package func event(_ id: Data) -> Parley_V1_Event? { held.events[id] }

    package mutating func put(_ stream: StoredStream) {
        streams[stream.name] = stream
        (held.positions[stream.name], held.epochs[stream.name]) = (stream.position, stream.epoch)
    }

    package mutating func forgetStream(_ name: String) {
        (streams[name], held.positions[name], held.epochs[name]) = (nil, nil, nil)
    }
}

extension Held {
    /// Applies the next Update of its stream, apart from its position. Ephemeral states are not held.
    public mutating func apply(_ content: Update.Content) {
        var memory = SyncMemory()
        swap(&memory.held, &self)
        switch content {
        case .message(let message): memory.merge(.message(message, from: .update))
        case .reactions(let reactions): memory.merge(.reactions(reactions))
        case .inboxState(let state): memory.merge(.inboxState(state))
        case .messageState(let state): memory.merge(.messageState(state))
        default: memory.merge(.put(content))
        }
        swap(&memory.held, &self)
    }

    /// Drops what is held of a conversation's messages, which can no longer be read or are read anew.
    public mutating func dropMessages(of conversation: String) {
        (messages[conversation], earlyStates[conversation], threads[conversation]) = (nil, nil, nil)
    }

    /// Returns part of a name in ``states``.
    func heldKey(_ key: some CustomStringConvertible) -> String { "\(key)" }

    func heldKey(_ key: Data) -> String { key.hexDigits }
}

/// A state that ``Held`` has by its key.
public protocol HeldState: SwiftProtobuf.Message {
    /// Puts the state in the place of an earlier one with the same key.
    func put(in held: inout Held)
}

extension Parley_V1_Receipt {
    /// Merges another receipt of the same person: the larger value of each field is valid.
    public mutating func take(_ other: Parley_V1_Receipt) {
        (readSeq, deliveredSeq) = (max(readSeq, other.readSeq), max(deliveredSeq, other.deliveredSeq))
        (readAtUs, deliveredAtUs) = (max(readAtUs, other.readAtUs), max(deliveredAtUs, other.deliveredAtUs))
    }
}
