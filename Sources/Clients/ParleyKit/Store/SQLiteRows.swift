import Foundation
import GRDB
import ParleyClient
import SwiftProtobuf

/// The rows of an ``SQLiteStore`` within one transaction.
final class SQLiteRows: StoreWriter {
    let db: Database
    private var numbers: [String: Int64] = [:]
    private var indexed: [Int64: Int64] = [:]
    private var version: Int64?

    init(_ db: Database) { self.db = db }

    // MARK: Statements

    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    private func one(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
        try Row.fetchOne(try db.cachedStatement(sql: sql), arguments: arguments)
    }

    func all<Value>(
        _ sql: String, _ arguments: StatementArguments = [], _ decode: (Row) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        let rows = try Row.fetchCursor(try db.cachedStatement(sql: sql), arguments: arguments)
        while let row = try rows.next() { values.append(try decode(row)) }
        return values
    }

    /// Returns the number of a conversation; nil when nothing is stored of it.
    private func number(_ conversation: String) throws -> Int64? {
        if let known = numbers[conversation] { return known }
        let row = try one("SELECT number FROM conversation WHERE id = ?", [conversation])
        guard let number: Int64 = row?[0] else { return nil }
        numbers[conversation] = number
        return number
    }

    /// Returns the number of a conversation, which gets a row if it has none.
    private func numberOfNew(_ conversation: String) throws -> Int64 {
        if let known = try number(conversation) { return known }
        try put(ConversationRow(conversation))
        return try number(conversation) ?? 0
    }

    /// Returns the version of this transaction, which is the next one of the store.
    func nextVersion() throws -> Int64 {
        if let version { return version }
        let next: Int64 = (try one("SELECT version FROM store")?[0] ?? 0) + 1
        version = next
        return next
    }

    /// Notes the version of the transaction if it changed something.
    func finish() throws {
        if let version { try run("UPDATE store SET version = ?", [version]) }
    }

    // MARK: Streams and conversations

    func streams() throws -> [StoredStream] {
        try all("SELECT name, position, epoch, cursor, is_behind, kinds FROM stream") { row in
            var stream = StoredStream(row[0])
            (stream.position, stream.epoch, stream.cursor, stream.isBehind) = (row[1], row[2], row[3], row[4])
            stream.kinds = row[5]
            return stream
        }
    }

    func put(_ stream: StoredStream) throws {
        try run(
            """
            INSERT INTO stream (name, position, epoch, cursor, is_behind, kinds) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET position = excluded.position, epoch = excluded.epoch,
              cursor = excluded.cursor, is_behind = excluded.is_behind, kinds = excluded.kinds
            """, [stream.name, stream.position, stream.epoch, stream.cursor, stream.isBehind, stream.kinds])
    }

    func forgetStream(_ name: String) throws { try run("DELETE FROM stream WHERE name = ?", [name]) }

    private static let columns = """
        id, conversation, inbox_state, entry, position, machine_section, has_left, was_lost, newest_seq, newest_at, \
        unread_state, held_from, held_to, changed_seq, changed_position, disappears, has_new_window, number, cell
        """

    private func decode(_ row: Row) throws -> ConversationRow {
        var found = ConversationRow(row[0])
        numbers[found.id] = row[17]
        found.conversation = try (row[1] as Data?).map { try .init(serializedBytes: $0) }
        found.inboxState = try (row[2] as Data?).map { try .init(serializedBytes: $0) }
        found.entry = try (row[3] as Data?).map { try .init(serializedBytes: $0) }
        found.record = try record(row)
        return found
    }

    private func record(_ row: Row) throws -> ConversationRecord? {
        guard let position: Int64 = row[4] else { return nil }
        var record = ConversationRecord(row[0])
        record.position = position
        record.section = .init(rawValue: row[5]) ?? .unspecified
        (record.hasLeft, record.wasLost, record.cell) = (row[6], row[7], row[18])
        record.newest = Newest(seq: row[8], sentAtUs: row[9])
        record.unread = UnreadBasis(
            state: try (row[10] as Data?).map { try .init(serializedBytes: $0) } ?? .init(), heldFrom: row[11],
            heldTo: row[12], changedSeq: row[13], changedPosition: row[14], disappears: row[15],
            hasNewWindow: row[16])
        return record
    }

    func records() throws -> [ConversationRecord] {
        try all("SELECT \(Self.columns) FROM conversation WHERE position IS NOT NULL", [], record).compactMap(\.self)
    }

    func row(_ conversation: String) throws -> ConversationRow? {
        try one("SELECT \(Self.columns) FROM conversation WHERE id = ?", [conversation]).map(decode)
    }

    func rows() throws -> [ConversationRow] { try all("SELECT \(Self.columns) FROM conversation", [], decode) }

    func put(_ row: ConversationRow) throws {
        let (key, record, unread) = (row.key, row.record, row.record?.unread ?? UnreadBasis())
        let state = unread.state == Parley_V1_InboxState() ? nil : try unread.state.serializedData()
        try run(
            """
            INSERT INTO conversation (
              id, version, section, is_archived, pinned_at, active_at, conversation, inbox_state, entry, position,
              machine_section, has_left, was_lost, newest_seq, newest_at, unread_state, held_from, held_to, changed_seq,
              changed_position, disappears, has_new_window, cell)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET version = excluded.version, section = excluded.section,
              is_archived = excluded.is_archived, pinned_at = excluded.pinned_at, active_at = excluded.active_at,
              conversation = excluded.conversation, inbox_state = excluded.inbox_state, entry = excluded.entry,
              position = excluded.position, machine_section = excluded.machine_section,
              has_left = excluded.has_left, was_lost = excluded.was_lost, newest_seq = excluded.newest_seq,
              newest_at = excluded.newest_at, unread_state = excluded.unread_state, held_from = excluded.held_from,
              held_to = excluded.held_to, changed_seq = excluded.changed_seq,
              changed_position = excluded.changed_position, disappears = excluded.disappears,
              has_new_window = excluded.has_new_window, cell = excluded.cell
            """,
            [
                row.id, try nextVersion(), row.section.rawValue, row.isArchived, key.pinnedAt, key.activeAt,
                try row.conversation?.serializedData(), try row.inboxState?.serializedData(),
                try row.entry?.serializedData(), record?.position, record?.section.rawValue ?? 0,
                record?.hasLeft ?? false, record?.wasLost ?? false, record?.newest.seq ?? 0,
                record?.newest.sentAtUs ?? 0, state, unread.heldFrom, unread.heldTo, unread.changedSeq,
                unread.changedPosition, unread.disappears, unread.hasNewWindow, record?.cell ?? "",
            ])
    }

    func list(
        _ section: Parley_V1_ConversationSection, isArchived: Bool, after key: ListKey?, limit: Int
    ) throws -> [ConversationRow] {
        let listed = "SELECT \(Self.columns) FROM conversation WHERE section = ? AND is_archived = ?"
        let order = "ORDER BY pinned_at DESC, active_at DESC, id LIMIT ?"
        guard let key else { return try all("\(listed) \(order)", [section.rawValue, isArchived, limit], decode) }
        return try all(
            """
            \(listed) AND (pinned_at < ? OR (pinned_at = ? AND (active_at < ? OR (active_at = ? AND id > ?)))) \(order)
            """,
            [
                section.rawValue, isArchived, key.pinnedAt, key.pinnedAt, key.activeAt, key.activeAt, key.id, limit,
            ], decode)
    }

    func changed(since version: Int64) throws -> (conversations: [String], version: Int64) {
        let now: Int64 = try one("SELECT version FROM store")?[0] ?? 0
        guard now != version else { return ([], now) }
        let ids = try all("SELECT id FROM conversation WHERE version > ? ORDER BY id", [version]) { $0[0] as String }
        return (ids, now)
    }

    // MARK: Messages

    private func decode(_ body: Data, _ conversation: String) throws -> Parley_V1_Message {
        var message = try Parley_V1_Message(serializedBytes: body)
        message.conversation = conversation
        return message
    }

    func message(_ conversation: String, _ seq: Int64) throws -> Parley_V1_Message? {
        guard let number = try number(conversation) else { return nil }
        return try one("SELECT body FROM message WHERE conversation = ? AND seq = ?", [number, seq]).map {
            try decode($0[0], conversation)
        }
    }

    func messages(
        _ conversation: String, in range: ClosedRange<Int64>, newest: Bool, limit: Int
    ) throws -> [Parley_V1_Message] {
        guard let number = try number(conversation) else { return [] }
        let found = try all(
            """
            SELECT body FROM message WHERE conversation = ? AND seq BETWEEN ? AND ? ORDER BY seq \(newest ? "DESC" : "ASC")
            LIMIT ?
            """, [number, range.lowerBound, range.upperBound, limit]
        ) { try decode($0[0], conversation) }
        return newest ? found.reversed() : found
    }

    func thread(_ conversation: String, _ first: Int64) throws -> [Parley_V1_Message] {
        guard let number = try number(conversation) else { return [] }
        let replies = try all(
            "SELECT body FROM message WHERE conversation = ? AND thread = ? AND seq <> ? ORDER BY seq",
            [number, first, first]
        ) { try decode($0[0], conversation) }
        return (try message(conversation, first).map { [$0] } ?? []) + replies
    }

    func starred() throws -> [Parley_V1_Message] {
        try all(
            """
            SELECT message.body, conversation.id FROM message JOIN conversation ON conversation.number = message.conversation
            WHERE is_starred = 1 ORDER BY conversation.id, message.seq
            """
        ) { try decode($0[0], $0[1]) }
    }

    func unread(_ conversation: String, above seq: Int64, limit: Int64, at now: Int64) throws -> UnreadCount {
        guard let number = try number(conversation) else { return UnreadCount() }
        let row = try one(
            """
            SELECT count(*), coalesce(sum(mentions_me), 0) FROM (
              SELECT mentions_me FROM message
              WHERE conversation = ? AND seq > ? AND is_counted = 1 AND (expires_at = 0 OR expires_at > ?)
              ORDER BY seq LIMIT ?)
            """, [number, seq, now, limit])
        return UnreadCount(unread: row?[0] ?? 0, mentions: row?[1] ?? 0)
    }

    func put(_ message: Parley_V1_Message, me: String) throws {
        var body = message
        body.conversation = ""
        let isCounted =
            message.sender != me && message.kind != .system && message.deletedAtUs == 0 && !message.own.hidden
        let thread = message.threadSeq == 0 && message.hasThread ? message.seq : message.threadSeq
        let number = try numberOfNew(message.conversation)
        try run(
            """
            INSERT INTO message (
              conversation, seq, is_counted, mentions_me, expires_at, thread, is_starred, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (conversation, seq) DO UPDATE SET is_counted = excluded.is_counted,
              mentions_me = excluded.mentions_me, expires_at = excluded.expires_at, thread = excluded.thread,
              is_starred = excluded.is_starred, body = excluded.body
            """,
            [
                number, message.seq, isCounted, message.mentions.contains(me), message.expiresAtUs, thread,
                message.own.starred, try body.serializedData(),
            ])
        if message.seq <= (try indexedTo(number)) { try putWords(of: message, number) }
    }

    // MARK: Searching

    /// The place of a message in the index of words: its conversation, then its seq.
    private static func place(_ number: Int64, _ seq: Int64) -> Int64 { number << 32 | min(seq, 0xffff_ffff) }

    private func putWords(of message: Parley_V1_Message, _ number: Int64) throws {
        let place = Self.place(number, message.seq)
        let words = message.isGone(at: 0) ? "" : SearchWord.line(of: message.text)
        guard !words.isEmpty else { return try run("DELETE FROM message_words WHERE rowid = ?", [place]) }
        try run(
            "INSERT OR REPLACE INTO message_words (rowid, words, sent_at) VALUES (?, ?, ?)",
            [place, words, message.sentAtUs])
    }

    /// Messages up to this seq are in the index. Those above are added by the next search: they cost nothing when they
    /// arrive.
    private func indexedTo(_ number: Int64) throws -> Int64 {
        if let known = indexed[number] { return known }
        let seq: Int64 = try one("SELECT indexed_to FROM conversation WHERE number = ?", [number])?[0] ?? 0
        indexed[number] = seq
        return seq
    }

    func indexWords(atMost count: Int) throws -> Bool {
        var left = count
        let behind = try all(
            """
            SELECT number, indexed_to FROM conversation AS c
            WHERE EXISTS (SELECT 1 FROM message WHERE conversation = c.number AND seq > c.indexed_to)
            ORDER BY active_at DESC
            """
        ) { ($0[0] as Int64, $0[1] as Int64) }
        for (number, seq) in behind {
            guard left > 0 else { return false }
            let messages = try all(
                "SELECT body FROM message WHERE conversation = ? AND seq > ? ORDER BY seq LIMIT ?", [number, seq, left]
            ) { try Parley_V1_Message(serializedBytes: $0[0] as Data) }
            for message in messages { try putWords(of: message, number) }
            let last = messages.last?.seq ?? seq
            try run("UPDATE conversation SET indexed_to = ? WHERE number = ?", [last, number])
            indexed[number] = last
            left -= messages.count
        }
        return left > 0
    }

    func search(
        _ query: SearchQuery, in conversation: String?, before: Int64, limit: Int, at now: Int64
    ) throws -> [Parley_V1_Message] {
        // Words have letters, digits and emoji only.
        let words = query.terms.map { "\"\($0.word)\"" + ($0.isBeginning ? "*" : "") }.joined(separator: " AND ")
        var (first, last) = (Int64(0), Int64.max)
        if let conversation {
            guard let number = try number(conversation) else { return [] }
            (first, last) = (Self.place(number, 0), Self.place(number, .max))
        }
        return try all(
            """
            SELECT message.body, conversation.id FROM message_words
            CROSS JOIN message ON message.conversation = message_words.rowid >> 32
              AND message.seq = message_words.rowid & 4294967295
            JOIN conversation ON conversation.number = message.conversation
            WHERE message_words MATCH ? AND message_words.rowid BETWEEN ? AND ? AND sent_at < ?
              AND (message.expires_at = 0 OR message.expires_at > ?)
            ORDER BY sent_at DESC, conversation.id DESC, message.seq DESC LIMIT ?
            """, [words, first, last, before, now, limit]
        ) { try decode($0[0], $0[1]) }.filter { query.matches(in: $0.text) != nil }
    }

    func removeMessages(_ conversation: String, upTo seq: Int64) throws {
        try run("DELETE FROM early_state WHERE conversation = ? AND seq <= ?", [conversation, seq])
        guard let number = try number(conversation) else { return }
        try remove(number, upTo: seq)
    }

    private func remove(_ number: Int64, upTo seq: Int64) throws {
        try run(
            "DELETE FROM message_words WHERE rowid BETWEEN ? AND ?",
            [Self.place(number, 0), Self.place(number, seq)])
        try run("DELETE FROM message WHERE conversation = ? AND seq <= ?", [number, seq])
    }

    func trim(_ conversation: String, to count: Int, above seq: Int64) throws -> Int64? {
        guard let number = try number(conversation),
            let row = try one(
                "SELECT seq FROM message WHERE conversation = ? ORDER BY seq DESC LIMIT 1 OFFSET ?", [number, count])
        else { return nil }
        let last = min(row[0] as Int64, seq)
        try remove(number, upTo: last)
        return db.changesCount == 0 ? nil : last + 1
    }

    func removeExpired(at now: Int64) throws {
        try run(
            """
            DELETE FROM message_words WHERE rowid IN (
              SELECT conversation << 32 | seq FROM message WHERE expires_at > 0 AND expires_at <= ?)
            """, [now])
        try run("DELETE FROM message WHERE expires_at > 0 AND expires_at <= ?", [now])
    }

    // MARK: Early states, receipts, spans

    func earlyState(_ conversation: String, _ seq: Int64) throws -> Parley_V1_MessageState? {
        try one("SELECT body FROM early_state WHERE conversation = ? AND seq = ?", [conversation, seq]).map {
            try .init(serializedBytes: $0[0] as Data)
        }
    }

    func put(_ state: Parley_V1_MessageState) throws {
        try run(
            "INSERT OR REPLACE INTO early_state (conversation, seq, body) VALUES (?, ?, ?)",
            [state.conversation, state.seq, try state.serializedData()])
    }

    func removeEarlyState(_ conversation: String, _ seq: Int64) throws {
        try run("DELETE FROM early_state WHERE conversation = ? AND seq = ?", [conversation, seq])
    }

    func removeEarlyStates(exceptOf conversations: Set<String>) throws {
        for id in try all("SELECT DISTINCT conversation FROM early_state", [], { $0[0] as String })
        where !conversations.contains(id) {
            try run("DELETE FROM early_state WHERE conversation = ?", [id])
        }
    }

    func receipts(_ conversation: String) throws -> [Parley_V1_Receipt] {
        try all("SELECT body FROM receipt WHERE conversation = ? ORDER BY user", [conversation]) {
            try .init(serializedBytes: $0[0] as Data)
        }
    }

    func receipt(_ conversation: String, of user: String) throws -> Parley_V1_Receipt? {
        try one("SELECT body FROM receipt WHERE conversation = ? AND user = ?", [conversation, user]).map {
            try .init(serializedBytes: $0[0] as Data)
        }
    }

    func put(_ receipt: Parley_V1_Receipt) throws {
        try run(
            "INSERT OR REPLACE INTO receipt (conversation, user, body) VALUES (?, ?, ?)",
            [receipt.conversation, receipt.user, try receipt.serializedData()])
    }

    func readCounts(_ conversation: String) throws -> [Parley_V1_ReadCount] {
        try all("SELECT body FROM read_count WHERE conversation = ? ORDER BY seq", [conversation]) {
            try .init(serializedBytes: $0[0] as Data)
        }
    }

    func put(_ count: Parley_V1_ReadCount) throws {
        try run(
            "INSERT OR REPLACE INTO read_count (conversation, seq, body) VALUES (?, ?, ?)",
            [count.conversation, count.seq, try count.serializedData()])
    }

    func removeReceipts(_ conversation: String) throws {
        try run("DELETE FROM receipt WHERE conversation = ?", [conversation])
        try run("DELETE FROM read_count WHERE conversation = ?", [conversation])
    }

    func spans(_ conversation: String) throws -> [ClosedRange<Int64>] {
        guard let number = try number(conversation) else { return [] }
        return try all("SELECT first, last FROM span WHERE conversation = ? ORDER BY first", [number]) {
            ($0[0] as Int64)...($0[1] as Int64)
        }
    }

    func put(_ spans: [ClosedRange<Int64>], of conversation: String) throws {
        let number = try numberOfNew(conversation)
        try run("DELETE FROM span WHERE conversation = ?", [number])
        for span in spans {
            try run(
                "INSERT INTO span (conversation, first, last) VALUES (?, ?, ?)",
                [number, span.lowerBound, span.upperBound])
        }
    }

    // MARK: Other states

    func state(_ kind: StateKind, _ key: String) throws -> Data? {
        try one("SELECT body FROM state WHERE kind = ? AND key = ?", [kind.number, key])?[0]
    }

    func states(_ kind: StateKind) throws -> [Data] {
        try all("SELECT body FROM state WHERE kind = ? ORDER BY key", [kind.number]) { $0[0] }
    }

    func put(_ state: Data, _ kind: StateKind, _ key: String) throws {
        _ = try nextVersion()
        try run("INSERT OR REPLACE INTO state (kind, key, body) VALUES (?, ?, ?)", [kind.number, key, state])
    }

    func removeState(_ kind: StateKind, _ key: String) throws {
        _ = try nextVersion()
        try run("DELETE FROM state WHERE kind = ? AND key = ?", [kind.number, key])
    }

    func removeStates(_ kind: StateKind) throws {
        _ = try nextVersion()
        try run("DELETE FROM state WHERE kind = ?", [kind.number])
    }

    // MARK: Drafts

    func draft(_ conversation: String) throws -> String {
        try one("SELECT text FROM draft WHERE conversation = ?", [conversation])?[0] ?? ""
    }

    func putDraft(_ draft: String, _ conversation: String) throws {
        try putVersion(of: conversation)
        if draft.isEmpty { return try run("DELETE FROM draft WHERE conversation = ?", [conversation]) }
        try run("INSERT OR REPLACE INTO draft (conversation, text) VALUES (?, ?)", [conversation, draft])
    }

    /// Notes that a conversation changed, for another process with the same file.
    private func putVersion(of conversation: String) throws {
        try run("UPDATE conversation SET version = ? WHERE id = ?", [try nextVersion(), conversation])
    }
}
