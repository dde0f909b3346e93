import SwiftProtobuf

/// What a client stores, in memory: the reference for a database that does the same.
public struct SyncMemory: Sendable {
    /// The states that Updates with positions bring.
    public private(set) var held = Held()
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
    public mutating func apply(_ change: SyncChange) {
        switch change {
        case .put(let content): held.apply(content)
        case .message(let message, let source): held.apply(message, from: source)
        case .reactions(let reactions): held.apply(reactions)
        case .messageState(let state): held.apply(state)
        case .inboxState(let state): held.inboxStates[state.conversation] = state
        case .receipt(let receipt):
            receipts[receipt.conversation, default: [:]][receipt.user, default: receipt].take(receipt)
        case .readCount(let count): readCounts[count.conversation, default: [:]][count.seq] = count
        case .inboxEntry(let entry): entries[entry.conversation] = entry
        case .blocks(let blocks): held.blocks = Dictionary(blocks.map { ($0.user.id, $0) }) { $1 }
        case .clear(let conversation, let seq): held.clear(conversation, upTo: seq)
        case .dropMessages(let conversation): held.dropMessages(of: conversation)
        case .dropConversation(let id): drop(id)
        case .startOver(let stream): startOver(stream)
        case .stream(let stream):
            streams[stream.name] = stream
            (held.positions[stream.name], held.epochs[stream.name]) = (stream.position, stream.epoch)
        case .forgetStream(let name):
            (streams[name], held.positions[name], held.epochs[name]) = (nil, nil, nil)
        case .record(let record): records[record.id] = record
        }
    }

    private mutating func drop(_ id: String) {
        held.dropMessages(of: id)
        (held.conversations[id], held.inboxStates[id], entries[id]) = (nil, nil, nil)
        (receipts[id], readCounts[id]) = (nil, nil)
    }

    private mutating func startOver(_ stream: String) {
        let stream = StoredStream(stream)
        guard stream.service == "messaging" else { return held.dropStates(of: stream.service) }
        func isOfIt(_ conversation: String) -> Bool { records[conversation]?.isIn(stream.cell) ?? true }
        entries = entries.filter { !isOfIt($0.key) }
        held.forgetOwnStates(of: isOfIt)
    }

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
            let section = held.conversations[id]?.section ?? entries[id]?.section ?? .unspecified
            let state = record.unread.state
            badge.add(
                unread(of: id, at: now), state, section: section, isArchived: record.newest.isArchived(by: state),
                at: now)
        }
        return badge
    }
}

extension Held {
    /// Forgets my states of conversations, my stars and my hidden messages there, which are read again. Hidden messages
    /// stay without content.
    mutating func forgetOwnStates(of isConcerned: (String) -> Bool) {
        inboxStates = inboxStates.filter { !isConcerned($0.key) }
        earlyStates = earlyStates.filter { !isConcerned($0.key) }
        for (conversation, ofOne) in messages where isConcerned(conversation) {
            for (seq, message) in ofOne where message.own.starred {
                messages[conversation]?[seq]?.own.starred = false
                if message.own.reactions.isEmpty { messages[conversation]?[seq]?.clearOwn() }
            }
        }
    }
}

extension Parley_V1_Receipt {
    /// Merges another receipt of the same person: the larger value of each field is valid.
    public mutating func take(_ other: Parley_V1_Receipt) {
        (readSeq, deliveredSeq) = (max(readSeq, other.readSeq), max(deliveredSeq, other.deliveredSeq))
        (readAtUs, deliveredAtUs) = (max(readAtUs, other.readAtUs), max(deliveredAtUs, other.deliveredAtUs))
    }
}
