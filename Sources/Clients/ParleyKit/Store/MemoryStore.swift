import Foundation
import NIOConcurrencyHelpers
import ParleyClient

/// A store that forgets everything when the process ends: for tests, previews, and devices whose file cannot be used.
final class MemoryStore: Store {
    private let rows = NIOLockedValueBox(MemoryRows())

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Result
    ) async throws -> Result {
        try body(rows.withLockedValue { $0 })
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreWriter) throws -> Result
    ) async throws -> Result {
        try writeNow(body)
    }

    /// Changes rows on this thread. In memory no change fails, so nothing has to be undone.
    func writeNow<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        try rows.withLockedValue { rows in
            let transaction = MemoryTransaction(rows)
            // So that the transaction changes its rows in place.
            rows = MemoryRows()
            defer { rows = transaction.held }
            return try body(transaction)
        }
    }

    func close() async {}
}

/// What a ``MemoryStore`` holds. Copying it is cheap; a copy is of one moment.
struct MemoryRows: Sendable {
    /// The messages of a conversation in ascending order of seq.
    struct Talk: Sendable {
        var messages: [Parley_V1_Message] = []
        /// The seqs of each thread, by that of its first message.
        var threads: [Int64: Set<Int64>] = [:]
        var early: [Int64: Parley_V1_MessageState] = [:]
        var receipts: [String: Parley_V1_Receipt] = [:]
        var readCounts: [Int64: Parley_V1_ReadCount] = [:]
        var spans: [ClosedRange<Int64>] = []
        var draft = ""

        func index(of seq: Int64) -> (at: Int, isHere: Bool) {
            guard let last = messages.last?.seq, seq <= last else { return (messages.count, false) }
            var (low, high) = (0, messages.count)
            while low < high {
                let middle = (low + high) / 2
                if messages[middle].seq < seq { low = middle + 1 } else { high = middle }
            }
            return (low, messages[low].seq == seq)
        }
    }

    var streamsByName: [String: StoredStream] = [:]
    var rowsByID: [String: ConversationRow] = [:]
    var versions: [String: Int64] = [:]
    var version: Int64 = 0
    var talks: [String: Talk] = [:]
    var statesByKind: [StateKind: [String: Data]] = [:]
    var unsentItems: [UnsentItem] = []
    /// The last read comes last.
    var agendas: [StoredAgenda] = []
    var me = ""
}

extension MemoryRows: StoreReader {
    func streams() throws -> [StoredStream] { Array(streamsByName.values) }
    func records() throws -> [ConversationRecord] { rowsByID.values.compactMap(\.record) }
    func row(_ conversation: String) throws -> ConversationRow? { rowsByID[conversation] }

    func message(_ conversation: String, _ seq: Int64) throws -> Parley_V1_Message? {
        guard let talk = talks[conversation] else { return nil }
        let place = talk.index(of: seq)
        return place.isHere ? talk.messages[place.at] : nil
    }

    func messages(
        _ conversation: String, in range: ClosedRange<Int64>, newest: Bool, limit: Int
    ) throws -> [Parley_V1_Message] {
        guard let talk = talks[conversation] else { return [] }
        let first = talk.index(of: range.lowerBound).at
        let end = range.upperBound == .max ? talk.messages.count : talk.index(of: range.upperBound + 1).at
        guard first < end else { return [] }
        let found = talk.messages[first..<end]
        return Array(newest ? found.suffix(limit) : found.prefix(limit))
    }

    func thread(_ conversation: String, _ first: Int64) throws -> [Parley_V1_Message] {
        let seqs = (talks[conversation]?.threads[first] ?? []).union([first])
        return try seqs.sorted().compactMap { try message(conversation, $0) }
    }

    func starred() throws -> [Parley_V1_Message] {
        talks.sorted { $0.key < $1.key }.flatMap { $0.value.messages.filter(\.own.starred) }
    }

    func mentioning(_ me: String) throws -> [Parley_V1_Message] {
        talks.sorted { $0.key < $1.key }.flatMap { $0.value.messages.filter { $0.mentions.contains(me) } }
    }

    func search(
        _ query: SearchQuery, in conversation: String?, before: Int64, limit: Int, at now: Int64
    ) throws -> [Parley_V1_Message] {
        let searched = conversation.map { id in talks[id].map { [$0] } ?? [] } ?? Array(talks.values)
        let found = searched.flatMap { talk in
            talk.messages.filter { $0.sentAtUs < before && !$0.isGone(at: now) && query.matches(in: $0.text) != nil }
        }
        return Array(
            found.sorted { ($0.sentAtUs, $0.conversation, $0.seq) > ($1.sentAtUs, $1.conversation, $1.seq) }
                .prefix(limit))
    }

    func unread(
        _ conversation: String, above seq: Int64, limit: Int64, at now: Int64
    ) throws -> (count: UnreadCount, newest: Int64) {
        var count = UnreadCount()
        guard let talk = talks[conversation] else { return (count, 0) }
        for message in talk.messages[talk.index(of: seq + 1).at...] {
            guard count.unread < limit else { break }
            guard message.sender != me, message.kind != .system, !message.isGone(at: now) else { continue }
            count.unread += 1
            if message.mentions.contains(me) { count.mentions += 1 }
        }
        return (count, talk.messages.last?.seq ?? 0)
    }

    func list(
        _ section: Parley_V1_ConversationSection, isArchived: Bool, after key: ListKey?, limit: Int
    ) throws -> [ConversationRow] {
        let listed = rowsByID.values.filter { row in
            row.section == section && row.isArchived == isArchived && (key.map { $0 < row.key } ?? true)
        }
        return Array(listed.sorted { $0.key < $1.key }.prefix(limit))
    }

    func changed(since version: Int64) throws -> (conversations: [String], version: Int64) {
        (versions.filter { $0.value > version }.keys.sorted(), self.version)
    }

    func place(_ conversation: String, _ seq: Int64, withRow: Bool) throws -> StoredPlace {
        StoredPlace(
            row: withRow ? rowsByID[conversation] : nil, message: try message(conversation, seq),
            early: talks[conversation]?.early[seq])
    }

    func receipts(_ conversation: String) throws -> [Parley_V1_Receipt] {
        (talks[conversation]?.receipts ?? [:]).values.sorted { $0.user < $1.user }
    }

    func receipt(_ conversation: String, of user: String) throws -> Parley_V1_Receipt? {
        talks[conversation]?.receipts[user]
    }

    func readCounts(_ conversation: String) throws -> [Parley_V1_ReadCount] {
        (talks[conversation]?.readCounts ?? [:]).values.sorted { $0.seq < $1.seq }
    }

    func spans(_ conversation: String) throws -> [ClosedRange<Int64>] {
        try otherSpans(conversation).adding(rowsByID[conversation]?.heldSpan)
    }

    func otherSpans(_ conversation: String) throws -> [ClosedRange<Int64>] { talks[conversation]?.spans ?? [] }
    func paged() throws -> [String] { talks.filter { !$0.value.spans.isEmpty }.map(\.key) }
    func state(_ kind: StateKind, _ key: String) throws -> Data? { statesByKind[kind]?[key] }

    func states(_ kind: StateKind) throws -> [Data] {
        (statesByKind[kind] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    }

    func unsent() throws -> [UnsentItem] { unsentItems }
    func unsent(about message: Data) throws -> [UnsentItem] { unsentItems.filter { $0.target == message } }
    func draft(_ conversation: String) throws -> String { talks[conversation]?.draft ?? "" }
    func drafts() throws -> [String: String] { talks.mapValues(\.draft) }
    func agenda(_ days: AgendaDays) throws -> StoredAgenda? { agendas.last { $0.days.cover(days) } }
}

/// The rows of a ``MemoryStore`` while they are changed.
private final class MemoryTransaction: StoreWriter {
    fileprivate(set) var held: MemoryRows
    init(_ held: MemoryRows) { self.held = held }

    func streams() throws -> [StoredStream] { try held.streams() }
    func records() throws -> [ConversationRecord] { try held.records() }
    func row(_ conversation: String) throws -> ConversationRow? { held.rowsByID[conversation] }
    func message(_ conversation: String, _ seq: Int64) throws -> Parley_V1_Message? {
        try held.message(conversation, seq)
    }
    func messages(
        _ conversation: String, in range: ClosedRange<Int64>, newest: Bool, limit: Int
    ) throws -> [Parley_V1_Message] {
        try held.messages(conversation, in: range, newest: newest, limit: limit)
    }
    func thread(_ conversation: String, _ first: Int64) throws -> [Parley_V1_Message] {
        try held.thread(conversation, first)
    }
    func starred() throws -> [Parley_V1_Message] { try held.starred() }
    func mentioning(_ me: String) throws -> [Parley_V1_Message] { try held.mentioning(me) }
    func search(
        _ query: SearchQuery, in conversation: String?, before: Int64, limit: Int, at now: Int64
    ) throws -> [Parley_V1_Message] {
        try held.search(query, in: conversation, before: before, limit: limit, at: now)
    }
    func unread(
        _ conversation: String, above seq: Int64, limit: Int64, at now: Int64
    ) throws -> (count: UnreadCount, newest: Int64) {
        try held.unread(conversation, above: seq, limit: limit, at: now)
    }
    func list(
        _ section: Parley_V1_ConversationSection, isArchived: Bool, after key: ListKey?, limit: Int
    ) throws -> [ConversationRow] {
        try held.list(section, isArchived: isArchived, after: key, limit: limit)
    }
    func changed(since version: Int64) throws -> (conversations: [String], version: Int64) {
        try held.changed(since: version)
    }
    func place(_ conversation: String, _ seq: Int64, withRow: Bool) throws -> StoredPlace {
        try held.place(conversation, seq, withRow: withRow)
    }
    func receipts(_ conversation: String) throws -> [Parley_V1_Receipt] { try held.receipts(conversation) }
    func receipt(_ conversation: String, of user: String) throws -> Parley_V1_Receipt? {
        try held.receipt(conversation, of: user)
    }
    func readCounts(_ conversation: String) throws -> [Parley_V1_ReadCount] { try held.readCounts(conversation) }
    func spans(_ conversation: String) throws -> [ClosedRange<Int64>] { try held.spans(conversation) }
    func otherSpans(_ conversation: String) throws -> [ClosedRange<Int64>] { try held.otherSpans(conversation) }
    func paged() throws -> [String] { try held.paged() }
    func state(_ kind: StateKind, _ key: String) throws -> Data? { try held.state(kind, key) }
    func states(_ kind: StateKind) throws -> [Data] { try held.states(kind) }
    func unsent() throws -> [UnsentItem] { held.unsentItems }
    func unsent(about message: Data) throws -> [UnsentItem] { try held.unsent(about: message) }
    func draft(_ conversation: String) throws -> String { try held.draft(conversation) }
    func drafts() throws -> [String: String] { try held.drafts() }
    func agenda(_ days: AgendaDays) throws -> StoredAgenda? { try held.agenda(days) }

    // MARK: Changing

    func put(_ stream: StoredStream) throws { held.streamsByName[stream.name] = stream }
    func forgetStream(_ name: String) throws { held.streamsByName[name] = nil }

    func put(_ row: ConversationRow) throws {
        held.version += 1
        held.versions[row.id] = held.version
        held.rowsByID[row.id] = row
    }

    func put(_ message: Parley_V1_Message, me: String) throws {
        held.me = me
        let first = message.threadSeq == 0 ? message.seq : message.threadSeq
        func place(_ talk: inout MemoryRows.Talk) {
            let place = talk.index(of: message.seq)
            if place.isHere { talk.messages[place.at] = message } else { talk.messages.insert(message, at: place.at) }
            if message.hasThread || message.threadSeq != 0 { talk.threads[first, default: []].insert(message.seq) }
        }
        place(&held.talks[message.conversation, default: .init()])
    }

    func removeMessages(_ conversation: String, upTo seq: Int64) throws {
        func remove(_ talk: inout MemoryRows.Talk) {
            talk.messages.removeAll { $0.seq <= seq }
            talk.early = talk.early.filter { $0.key > seq }
            if seq == .max { talk.threads = [:] }
        }
        remove(&held.talks[conversation, default: .init()])
    }

    func trim(_ conversation: String, to count: Int, above seq: Int64) throws -> Int64? {
        guard let messages = held.talks[conversation]?.messages, messages.count > count else { return nil }
        let removed = messages.prefix(messages.count - count).prefix { $0.seq <= seq }
        guard let last = removed.last?.seq else { return nil }
        held.talks[conversation]?.messages.removeFirst(removed.count)
        return last + 1
    }

    func removeExpired(at now: Int64) throws {
        for id in held.talks.keys {
            held.talks[id]?.messages.removeAll { $0.expiresAtUs != 0 && $0.expiresAtUs <= now }
        }
    }

    func put(_ state: Parley_V1_MessageState) throws {
        held.talks[state.conversation, default: .init()].early[state.seq] = state
    }

    func removeEarlyState(_ conversation: String, _ seq: Int64) throws { held.talks[conversation]?.early[seq] = nil }

    func removeEarlyStates(exceptOf conversations: Set<String>) throws {
        for id in held.talks.keys where !conversations.contains(id) { held.talks[id]?.early = [:] }
    }

    func put(_ receipt: Parley_V1_Receipt) throws {
        held.talks[receipt.conversation, default: .init()].receipts[receipt.user] = receipt
    }

    func put(_ count: Parley_V1_ReadCount) throws {
        held.talks[count.conversation, default: .init()].readCounts[count.seq] = count
    }

    func removeReceipts(_ conversation: String) throws {
        held.talks[conversation]?.receipts = [:]
        held.talks[conversation]?.readCounts = [:]
    }

    func put(_ spans: [ClosedRange<Int64>], of conversation: String) throws {
        held.talks[conversation, default: .init()].spans = spans
    }

    func put(_ state: Data, _ kind: StateKind, _ key: String) throws {
        held.statesByKind[kind, default: [:]][key] = state
    }
    func removeState(_ kind: StateKind, _ key: String) throws { held.statesByKind[kind]?[key] = nil }
    func removeStates(_ kind: StateKind) throws { held.statesByKind[kind] = nil }
    func rows() throws -> [ConversationRow] { Array(held.rowsByID.values) }

    func put(_ item: UnsentItem) throws {
        if let index = held.unsentItems.firstIndex(where: { $0.id == item.id }) {
            held.unsentItems[index] = item
        } else {
            let place = held.unsentItems.lastIndex { $0.id.lexicographicallyPrecedes(item.id) }
            held.unsentItems.insert(item, at: place.map { $0 + 1 } ?? 0)
        }
    }

    func removeUnsent(_ id: Data) throws { held.unsentItems.removeAll { $0.id == id } }

    /// All are looked at in each search.
    func indexWords(atMost count: Int) throws -> Bool { true }

    func putDraft(_ draft: String, _ conversation: String) throws {
        held.talks[conversation, default: .init()].draft = draft
    }

    func put(_ agenda: StoredAgenda) throws {
        held.agendas.removeAll { $0.days == agenda.days }
        held.agendas.append(agenda)
        held.agendas.removeFirst(max(0, held.agendas.count - AgendaDays.keptMax))
    }
}
