import Foundation
import GRDB
import ParleyClient
import SwiftProtobuf

/// A store in an SQLite file.
///
/// The file is in WAL mode with `synchronous=NORMAL`. A killed process loses nothing that was committed; a machine that
/// loses power may lose the last moment, which the server sends again. What is unsent of that moment is lost.
final class SQLiteStore: Store {
    private let pool: DatabasePool
    let path: String

    /// Opens a file, or creates it, and brings it to this version.
    /// - Parameter traced: called with each statement that is carried out.
    /// - Throws: ``StoreProblem`` when it cannot be used.
    init(path: String, traced: (@Sendable (String) -> Void)? = nil) throws(StoreProblem) {
        self.path = path
        var configuration = Configuration()
        configuration.label = "Parley"
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4000")
            if let traced { db.trace { traced("\($0)") } }
        }
        do {
            try Self.restrict(path)
            pool = try DatabasePool(path: path, configuration: configuration)
            let isNewer = try pool.read { try SQLiteSchema.migrator.hasBeenSuperseded($0) }
            guard !isNewer else { throw StoreProblem.newerVersion }
            try SQLiteSchema.migrator.migrate(pool)
            // A file that cannot be written is found now, not by the first message.
            try pool.write { try $0.execute(sql: "UPDATE store SET opened = opened + 1") }
        } catch {
            throw StoreProblem(error)
        }
    }

    /// Lets nobody else read the file. SQLite gives its log the same mode.
    private static func restrict(_ path: String) throws(StoreProblem) {
        do {
            try OwnFiles.makeFile(path)
            for log in ["-wal", "-shm"] { try OwnFiles.restrict(path + log) }
        } catch {
            throw .readOnly
        }
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Result
    ) async throws -> Result {
        try await translated { try await self.pool.read { try body(SQLiteRows($0)) } }
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreWriter) throws -> Result
    ) async throws -> Result {
        try await translated {
            try await self.pool.write { db in
                let rows = SQLiteRows(db)
                let result = try body(rows)
                try rows.finish()
                return result
            }
        }
    }

    private func translated<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch  where error is DatabaseError || error is BinaryDecodingError {
            let problem = StoreProblem(error)
            // The next start saves what is unsent and begins a new file.
            if problem == .damaged {
                _ = FileManager.default.createFile(atPath: path + Self.damagedMark, contents: nil)
            }
            throw problem
        }
    }

    func close() async {
        // The last connection to close may be one that only reads. What cannot be moved stays in the file's log, where
        // the next start finds it.
        _ = try? await pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try? pool.close()
    }

    /// Bounds the file, in pages of 4 KiB. A write that needs more fails as on a full disk.
    func setPagesMax(_ count: Int) async throws {
        try await pool.write { try $0.execute(sql: "PRAGMA max_page_count = \(count)") }
    }

    // MARK: Damaged files

    private static let damagedMark = "-damaged"

    /// Opens a file. A damaged one is put aside, and a new one begins with what was unsent in it.
    /// - Returns: the store, where the damaged file is now, and whether all that was unsent could be read.
    static func open(_ path: String) throws(StoreProblem) -> (store: SQLiteStore, damaged: String?, isWhole: Bool) {
        let files = FileManager.default
        if !files.fileExists(atPath: path + damagedMark) {
            do throws(StoreProblem) {
                return (try SQLiteStore(path: path), nil, true)
            } catch {
                guard error == .damaged else { throw error }
            }
        }
        let (unsent, isWhole) = salvage(path)
        let aside = "\(path).damaged-\(Int(Date().timeIntervalSince1970))"
        do {
            try files.moveItem(atPath: path, toPath: aside)
            for rest in ["-wal", "-shm", damagedMark].map({ path + $0 }) where files.fileExists(atPath: rest) {
                try files.removeItem(atPath: rest)
            }
        } catch {
            throw .readOnly
        }
        let store = try SQLiteStore(path: path)
        do {
            try store.pool.write { db in
                let rows = SQLiteRows(db)
                try rows.putUnsent(unsent)
                try rows.finish()
            }
        } catch {
            throw StoreProblem(error)
        }
        return (store, aside, isWhole)
    }

    /// Reads what is unsent in a damaged file, as far as it can be read.
    /// - Returns: also whether that is all.
    private static func salvage(_ path: String) -> (rows: [Row], isWhole: Bool) {
        var rows: [Row] = []
        do {
            let queue = try DatabaseQueue(path: path)
            try queue.read { db in
                let found = try Row.fetchCursor(db, sql: "SELECT * FROM unsent ORDER BY id")
                while let row = try found.next() { rows.append(row.copy()) }
            }
            return (rows, true)
        } catch {
            return (rows, false)
        }
    }
}

/// Why a file cannot be used.
enum StoreProblem: Error, Hashable, Sendable {
    /// A newer version of the app wrote it.
    case newerVersion
    /// An older version of the app wrote it, and this process only reads.
    case olderVersion
    case damaged
    /// It was damaged. A new one has begun, without some of what was unsent; the damaged one is at the path.
    case lostUnsent(String)
    case readOnly
    case full
    case other(String)

    init(_ error: any Error) {
        if let problem = error as? StoreProblem {
            self = problem
            return
        }
        if error is BinaryDecodingError {
            self = .damaged
            return
        }
        guard let error = error as? DatabaseError else {
            self = .other("\(error)")
            return
        }
        self =
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: .readOnly
            case .SQLITE_FULL: .full
            default: .other(error.message ?? "SQLite error \(error.resultCode.rawValue)")
            }
    }

    var refusal: Refusal {
        switch self {
        case .newerVersion:
            .storage("A newer version of the app has written this device's storage. Update the app to use it.")
        case .olderVersion:
            .storage("The app has been updated since it was opened last. Open it once.")
        case .damaged:
            .storage("This device's storage is damaged. The next start of the app reads everything from the server.")
        case .lostUnsent(let path):
            .storage(
                """
                This device's storage was damaged, and some of what you did and was not sent yet may be lost. The \
                damaged file is kept: \(path)
                """)
        case .readOnly: .storage("This device's storage cannot be written. Check its permissions.")
        case .full: .storage("This device has no room. Free some; then the app goes on.")
        case .other(let why): .storage("This device's storage cannot be used: \(why)")
        }
    }
}

/// The tables. A later version adds a migration; what is registered here never changes once it is released.
enum SQLiteSchema {
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: first) }
        migrator.registerMigration("2") { try $0.execute(sql: outbox) }
        // The name of the copy of the file that is to be sent.
        migrator.registerMigration("3") { try $0.execute(sql: "ALTER TABLE unsent ADD COLUMN file TEXT") }
        migrator.registerMigration("4") { try $0.execute(sql: words) }
        migrator.registerMigration("5") { try $0.execute(sql: foldedAgain) }
        // The number of the message that something is about, which a version that does not know it cannot put in.
        migrator.registerMigration("6") {
            try $0.execute(sql: "ALTER TABLE unsent ADD COLUMN target_seq INTEGER NOT NULL DEFAULT 0")
        }
        migrator.registerMigration("7") { try $0.execute(sql: kinds) }
        migrator.registerMigration("8") { try $0.execute(sql: keptFrom) }
        migrator.registerMigration("9") { try $0.execute(sql: mentions) }
        migrator.registerMigration("10") { try $0.execute(sql: agenda) }
        return migrator
    }()

    private static let first = """
        -- One row: a number that grows with each change.
        CREATE TABLE store (
          version INTEGER NOT NULL,
          opened INTEGER NOT NULL
        );
        INSERT INTO store (version, opened) VALUES (0, 0);

        -- Where each stream of the server stands.
        CREATE TABLE stream (
          name TEXT PRIMARY KEY,
          position INTEGER NOT NULL,
          epoch TEXT NOT NULL,
          cursor TEXT NOT NULL,
          is_behind INTEGER NOT NULL
        ) WITHOUT ROWID;

        -- A conversation: as the server sent it, its place in the lists, and what the sync machine must remember.
        CREATE TABLE conversation (
          number INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE,
          version INTEGER NOT NULL,
          section INTEGER NOT NULL,
          is_archived INTEGER NOT NULL,
          pinned_at INTEGER NOT NULL,
          active_at INTEGER NOT NULL,
          conversation BLOB,
          inbox_state BLOB,
          entry BLOB,
          -- Null: the sync machine remembers nothing.
          position INTEGER,
          machine_section INTEGER NOT NULL DEFAULT 0,
          has_left INTEGER NOT NULL DEFAULT 0,
          was_lost INTEGER NOT NULL DEFAULT 0,
          cell TEXT NOT NULL DEFAULT '',
          newest_seq INTEGER NOT NULL DEFAULT 0,
          newest_at INTEGER NOT NULL DEFAULT 0,
          unread_state BLOB,
          held_from INTEGER,
          held_to INTEGER NOT NULL DEFAULT 0,
          changed_seq INTEGER NOT NULL DEFAULT 0,
          changed_position INTEGER NOT NULL DEFAULT 0,
          disappears INTEGER NOT NULL DEFAULT 0,
          has_new_window INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX conversation_list ON conversation (section, is_archived, pinned_at DESC, active_at DESC, id);
        CREATE INDEX conversation_version ON conversation (version);

        -- A message as the server sent it, without the name of its conversation.
        CREATE TABLE message (
          conversation INTEGER NOT NULL,
          seq INTEGER NOT NULL,
          is_counted INTEGER NOT NULL,
          mentions_me INTEGER NOT NULL,
          expires_at INTEGER NOT NULL,
          thread INTEGER NOT NULL,
          is_starred INTEGER NOT NULL,
          body BLOB NOT NULL,
          PRIMARY KEY (conversation, seq)
        ) WITHOUT ROWID;
        CREATE INDEX message_thread ON message (conversation, thread) WHERE thread > 0;
        CREATE INDEX message_starred ON message (conversation, seq) WHERE is_starred = 1;
        CREATE INDEX message_expiring ON message (expires_at) WHERE expires_at > 0;

        -- The ranges of numbers of which everything that I may read is stored.
        CREATE TABLE span (
          conversation INTEGER NOT NULL,
          first INTEGER NOT NULL,
          last INTEGER NOT NULL,
          PRIMARY KEY (conversation, first)
        ) WITHOUT ROWID;

        -- My states of messages that are not stored yet.
        CREATE TABLE early_state (
          conversation TEXT NOT NULL,
          seq INTEGER NOT NULL,
          body BLOB NOT NULL,
          PRIMARY KEY (conversation, seq)
        ) WITHOUT ROWID;

        CREATE TABLE receipt (
          conversation TEXT NOT NULL,
          user TEXT NOT NULL,
          body BLOB NOT NULL,
          PRIMARY KEY (conversation, user)
        ) WITHOUT ROWID;

        CREATE TABLE read_count (
          conversation TEXT NOT NULL,
          seq INTEGER NOT NULL,
          body BLOB NOT NULL,
          PRIMARY KEY (conversation, seq)
        ) WITHOUT ROWID;

        -- States that take the place of the earlier one: my profile, blocks, reminders, decisions.
        CREATE TABLE state (
          kind INTEGER NOT NULL,
          key TEXT NOT NULL,
          body BLOB NOT NULL,
          PRIMARY KEY (kind, key)
        ) WITHOUT ROWID;

        -- What I did and the server does not have, in the order in which it was done.
        CREATE TABLE unsent (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          id BLOB NOT NULL UNIQUE,
          conversation TEXT NOT NULL,
          body BLOB NOT NULL,
          done_at INTEGER NOT NULL
        );

        CREATE TABLE draft (
          conversation TEXT PRIMARY KEY,
          text TEXT NOT NULL
        ) WITHOUT ROWID;
        """

    private static let outbox = """
        -- The first version never wrote it.
        DROP TABLE unsent;

        -- What I did and the server does not have. Ids ascend in the order in which it was done.
        CREATE TABLE unsent (
          id BLOB PRIMARY KEY,
          lane TEXT NOT NULL,
          -- The request, as the contract names and encodes it.
          method TEXT NOT NULL,
          body BLOB NOT NULL,
          -- The id of the message that it is about; empty: none.
          target BLOB NOT NULL,
          -- The conversation that it creates.
          guess BLOB,
          done_at INTEGER NOT NULL,
          -- Whether it may have been sent already.
          was_tried INTEGER NOT NULL,
          -- Null: the server has not refused it.
          failure_code TEXT,
          failure_message TEXT,
          failure_field TEXT
        ) WITHOUT ROWID;
        CREATE INDEX unsent_target ON unsent (target) WHERE target <> x'';
        """

    private static let words = """
        -- The words of the messages that are shown, folded. The row of one is conversation * 2^32 + seq.
        CREATE VIRTUAL TABLE message_words USING fts5 (
          words,
          sent_at UNINDEXED,
          columnsize = 0,
          tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* S* Co'"
        );
        -- The messages up to this seq are in it.
        ALTER TABLE conversation ADD COLUMN indexed_to INTEGER NOT NULL DEFAULT 0;
        """

    private static let keptFrom = """
        -- The newest messages that are stored without a gap are those from here, or from held_from, to held_to. Spans are
        -- of others.
        ALTER TABLE conversation ADD COLUMN kept_from INTEGER NOT NULL DEFAULT 0;
        UPDATE conversation SET kept_from = coalesce((
          SELECT max(first) FROM span WHERE conversation = number AND last >= held_to), 0);
        """

    private static let mentions = """
        CREATE INDEX message_mentions ON message (conversation, seq) WHERE mentions_me = 1;
        """

    private static let kinds = """
        -- The kinds of the stream's Updates that were known when it was read. Earlier versions came to know events and
        -- suggestions without reading those that were there.
        ALTER TABLE stream ADD COLUMN kinds TEXT;
        UPDATE stream SET kinds = CASE
          WHEN name LIKE 'conversations/u/%' THEN 'Block Conversation Profile RequestCount'
          WHEN name LIKE 'messaging/c/%' THEN 'Message Reactions'
          WHEN name LIKE 'messaging/u/%' THEN 'InboxState MessageState'
          ELSE '' END;
        """

    private static let agenda = """
        -- What the server answered for the days of an agenda.
        CREATE TABLE agenda (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          zone TEXT NOT NULL,
          conversation TEXT NOT NULL,
          first TEXT NOT NULL,
          last TEXT NOT NULL,
          body BLOB NOT NULL
        );
        """

    private static let foldedAgain = """
        -- Words are folded by new rules: the next search fills the index again.
        DELETE FROM message_words;
        UPDATE conversation SET indexed_to = 0;
        """
}
