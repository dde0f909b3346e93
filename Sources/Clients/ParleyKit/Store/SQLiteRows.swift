import Foundation
import GRDB
import ParleyClient
import SwiftProtobuf

/// The rows of an ``SQLiteStore`` within one transaction.
final class SQLiteRows: StoreWriter {
    let db: Database
    private var numbers: [String: Int64] = [:]
    /// Up to which seq the messages of each conversation are in the index of words, as far as that was read.
    var indexed: [Int64: Int64] = [:]
    /// The number of the last change in the file, once it is known.
    private var lastVersion: Int64?
    private var version: Int64?
    /// Whether something changed that is of no conversation.
    private var changesOthers = false

    init(_ db: Database) { self.db = db }

    // MARK: Statements

    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    private func one(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
        try Row.fetchOne(try db.cachedStatement(sql: sql), arguments: arguments)
    }

    /// Decodes the first row in place, without copying it.
    func first<Value>(
        _ sql: String, _ arguments: StatementArguments = [], _ decode: (Row) throws -> Value
    ) throws -> Value? {
        let rows = try Row.fetchCursor(try db.cachedStatement(sql: sql), arguments: arguments)
        // A row lasts as long as its cursor.
        return try withExtendedLifetime(rows) { try rows.next().map(decode) }
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
    func number(_ conversation: String) throws -> Int64? {
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

    /// The number of the last change: of a conversation, or of anything else.
    private static let versionColumn =
        "max((SELECT version FROM store), (SELECT coalesce(max(version), 0) FROM conversation))"

    /// Returns the version of this transaction, which is the next one of the store.
    private func nextVersion() throws -> Int64 {
        if let version { return version }
        let last: Int64 = try lastVersion ?? one("SELECT \(Self.versionColumn)")?[0] ?? 0
        version = last + 1
        return last + 1
    }

    /// Notes that something changed that is of no conversation.
    func noteChange() throws {
        _ = try nextVersion()
        changesOthers = true
    }

    /// Notes the version of the transaction where no conversation has it.
    func finish() throws {
        if changesOthers, let version { try run("UPDATE store SET version = ?", [version]) }
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
        unread_state, held_from, held_to, changed_seq, changed_position, disappears, has_new_window, number, cell, \
        kept_from, indexed_to
        """
    private static let columnsCount = 21

    private func decode(_ row: Row) throws -> ConversationRow {
        var found = ConversationRow(row[0])
        numbers[found.id] = row[17]
        found.keptFrom = row[19]
        indexed[row[17]] = row[20]
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
        try first("SELECT \(Self.columns) FROM conversation WHERE id = ?", [conversation], decode)
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
              changed_position, disappears, has_new_window, cell, kept_from)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET version = excluded.version, section = excluded.section,
              is_archived = excluded.is_archived, pinned_at = excluded.pinned_at, active_at = excluded.active_at,
              conversation = excluded.conversation, inbox_state = excluded.inbox_state, entry = excluded.entry,
              position = excluded.position, machine_section = excluded.machine_section,
              has_left = excluded.has_left, was_lost = excluded.was_lost, newest_seq = excluded.newest_seq,
              newest_at = excluded.newest_at, unread_state = excluded.unread_state, held_from = excluded.held_from,
              held_to = excluded.held_to, changed_seq = excluded.changed_seq,
              changed_position = excluded.changed_position, disappears = excluded.disappears,
              has_new_window = excluded.has_new_window, cell = excluded.cell, kept_from = excluded.kept_from
            """,
            [
                row.id, try nextVersion(), row.section.rawValue, row.isArchived, key.pinnedAt, key.activeAt,
                try row.conversation?.serializedData(), try row.inboxState?.serializedData(),
                try row.entry?.serializedData(), record?.position, record?.section.rawValue ?? 0,
                record?.hasLeft ?? false, record?.wasLost ?? false, record?.newest.seq ?? 0,
                record?.newest.sentAtUs ?? 0, state, unread.heldFrom, unread.heldTo, unread.changedSeq,
                unread.changedPosition, unread.disappears, unread.hasNewWindow, record?.cell ?? "", row.keptFrom,
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
        let now: Int64 = try one("SELECT \(Self.versionColumn)")?[0] ?? 0
        guard now != version else { return ([], now) }
        let ids = try all("SELECT id FROM conversation WHERE version > ? ORDER BY id", [version]) { $0[0] as String }
        return (ids, now)
    }

    // MARK: Messages

    func decode(_ body: Data, _ conversation: String) throws -> Parley_V1_Message {
        var message = try Parley_V1_Message(serializedBytes: body)
        message.conversation = conversation
        return message
    }

    func message(_ conversation: String, _ seq: Int64) throws -> Parley_V1_Message? {
        guard let number = try number(conversation) else { return nil }
        return try first("SELECT body FROM message WHERE conversation = ? AND seq = ?", [number, seq]) {
            try decode($0[0], conversation)
        }
    }

    func place(_ conversation: String, _ seq: Int64, withRow: Bool) throws -> StoredPlace {
        let found = """
            (SELECT body FROM message WHERE conversation = number AND seq = ?),
            (SELECT body FROM early_state WHERE conversation = id AND seq = ?)
            """
        let columns = withRow ? "\(Self.columns), \(found), \(Self.versionColumn)" : found
        let place = try first(
            "SELECT \(columns) FROM conversation WHERE id = ?", [seq, seq, conversation]
        ) { row -> StoredPlace in
            var place = StoredPlace()
            let next = withRow ? Self.columnsCount : 0
            place.message = try (row[next] as Data?).map { try decode($0, conversation) }
            place.early = try (row[next + 1] as Data?).map { try .init(serializedBytes: $0) }
            guard withRow else { return place }
            place.row = try decode(row)
            if lastVersion == nil { lastVersion = row[next + 2] }
            return place
        }
        return try place ?? StoredPlace(early: earlyState(conversation, seq))
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

    func starred() throws -> [Parley_V1_Message] { try messages(where: "is_starred = 1") }

    func mentioning(_ me: String) throws -> [Parley_V1_Message] { try messages(where: "mentions_me = 1") }

    private func messages(where condition: String) throws -> [Parley_V1_Message] {
        try all(
            """
            SELECT message.body, conversation.id FROM message JOIN conversation ON conversation.number = message.conversation
            WHERE \(condition) ORDER BY conversation.id, message.seq
            """
        ) { try decode($0[0], $0[1]) }
    }

    func unread(
        _ conversation: String, above seq: Int64, limit: Int64, at now: Int64
    ) throws -> (count: UnreadCount, newest: Int64) {
        guard let number = try number(conversation) else { return (UnreadCount(), 0) }
        let found = try first(
            """
            SELECT count(*), coalesce(sum(mentions_me), 0),
              (SELECT coalesce(max(seq), 0) FROM message WHERE conversation = ?)
            FROM (
              SELECT mentions_me FROM message
              WHERE conversation = ? AND seq > ? AND is_counted = 1 AND (expires_at = 0 OR expires_at > ?)
              ORDER BY seq LIMIT ?)
            """, [number, number, seq, now, limit]
        ) { (count: UnreadCount(unread: $0[0], mentions: $0[1]), newest: $0[2] as Int64) }
        return found ?? (UnreadCount(), 0)
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

    private func earlyState(_ conversation: String, _ seq: Int64) throws -> Parley_V1_MessageState? {
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
        let held = try first(
            "SELECT held_from, held_to, kept_from FROM conversation WHERE id = ?", [conversation]
        ) { ConversationRow.heldSpan($0[0], $0[1], $0[2]) }
        return try otherSpans(conversation).adding(held ?? nil)
    }

    func otherSpans(_ conversation: String) throws -> [ClosedRange<Int64>] {
        guard let number = try number(conversation) else { return [] }
        return try all("SELECT first, last FROM span WHERE conversation = ? ORDER BY first", [number]) {
            ($0[0] as Int64)...($0[1] as Int64)
        }
    }

    func paged() throws -> [String] {
        try all("SELECT DISTINCT id FROM span JOIN conversation ON number = span.conversation") { $0[0] }
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
        try noteChange()
        try run("INSERT OR REPLACE INTO state (kind, key, body) VALUES (?, ?, ?)", [kind.number, key, state])
    }

    func removeState(_ kind: StateKind, _ key: String) throws {
        try noteChange()
        try run("DELETE FROM state WHERE kind = ? AND key = ?", [kind.number, key])
    }

    func removeStates(_ kind: StateKind) throws {
        try noteChange()
        try run("DELETE FROM state WHERE kind = ?", [kind.number])
    }

    // MARK: Drafts

    func draft(_ conversation: String) throws -> String {
        try first("SELECT text FROM draft WHERE conversation = ?", [conversation]) { $0[0] } ?? ""
    }

    func drafts() throws -> [String: String] {
        let found = try all("SELECT conversation, text FROM draft") { ($0[0] as String, $0[1] as String) }
        return Dictionary(found) { $1 }
    }

    func putDraft(_ draft: String, _ conversation: String) throws {
        try putVersion(of: conversation)
        if draft.isEmpty { return try run("DELETE FROM draft WHERE conversation = ?", [conversation]) }
        try run("INSERT OR REPLACE INTO draft (conversation, text) VALUES (?, ?)", [conversation, draft])
    }

    /// Notes that a conversation changed, for another process with the same file.
    private func putVersion(of conversation: String) throws {
        try noteChange()
        try run("UPDATE conversation SET version = ? WHERE id = ?", [try nextVersion(), conversation])
    }
}
