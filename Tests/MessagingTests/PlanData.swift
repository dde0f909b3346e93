/// The rows of an account in 10,000 conversations of 4 members each, a group of 1,000 members that another 1,000 have
/// left, 500 groups of the same two people, 60,000 messages, and reminders and decisions, 10,000 of each for a person,
/// half of the decisions shared.
enum PlanData {
    /// Fills a database with everything, with the reminders and decisions of 100 people.
    static let large =
        common + entities(1_000_000).flatMap { bulk($0.table, $0.insert) } + ["ANALYZE"]

    /// Fills a database whose sessions already have plans, in the order of a real one: the rows, then the statistics,
    /// as autovacuum makes them. Only two people have reminders and decisions.
    static let early = common + entities(20_000).map(\.insert) + ["ANALYZE"]

    private static let common =
        Query.fillingOfEvents + Query.fillingOfSuggestions + Query.fillingOfModelReading + filling

    /// Account 1 is in all conversations. Conversation 1 has 50,000 messages, the others one each.
    private static let filling = [
        // All names at once take a tenth of the time that the trigger takes for one after the other.
        "SET session_replication_role = replica",
        "INSERT INTO conversations.accounts (user_id, username, created_at) SELECT 'u' || g, 'u' || g, 1 FROM generate_series(1, 20000) AS g",
        "INSERT INTO conversations.name_suffixes (part, letters, account, longer_than) "
            + "SELECT e.part, e.letters, a.account, e.longer_than FROM conversations.accounts AS a, "
            + "conversations.name_suffixes(a.display_name, a.username) AS e ORDER BY e.part, e.letters, a.account",
        "RESET session_replication_role",
        "INSERT INTO conversations.conversations (conversation_id, kind, created_by, created_at) "
            + "SELECT lpad(g::text, 32, '0'), 2, 1, 1 FROM generate_series(1, 10000) AS g",
        "INSERT INTO conversations.members (conversation, account, joined_at, position) "
            + "SELECT c, CASE a WHEN 1 THEN 1 ELSE c + a END, 1, c FROM generate_series(1, 10000) AS c, generate_series(1, 4) AS a",
        "INSERT INTO conversations.conversations (conversation_id, kind, created_by, created_at) "
            + "SELECT lpad(g::text, 32, '0'), 2, 1, g FROM generate_series(10001, 10501) AS g",
        "INSERT INTO conversations.members (conversation, account, role, joined_at, joined_version, position) "
            + "SELECT 10001, CASE g WHEN 1 THEN 1 ELSE 16000 + g END, CASE WHEN g < 4 THEN 2 ELSE 1 END, 1, g, 10000 + g "
            + "FROM generate_series(1, 1000) AS g",
        "INSERT INTO conversations.members (conversation, account, joined_at, position, write_refusal, may_read, left_at, "
            + "left_version, section) SELECT 10001, 17000 + g, 1, 1, 3, false, 1, 2, 4 FROM generate_series(1, 1000) AS g",
        "INSERT INTO conversations.members (conversation, account, joined_at, position) "
            + "SELECT c, a, 1, c FROM generate_series(10002, 10501) AS c, generate_series(18001, 18002) AS a",
        "UPDATE conversations.conversations AS c SET member_count = m.count, members_key = m.key FROM ("
            + "SELECT conversation, count(*) AS count, bit_xor(hashint8extended(account, 0)) AS key "
            + "FROM conversations.members WHERE left_at IS NULL GROUP BY conversation) AS m "
            + "WHERE m.conversation = c.conversation",
        "UPDATE conversations.members SET section = 2 WHERE account = 1 AND conversation % 200 = 0",
        "INSERT INTO messaging.heads (conversation, seq, position) SELECT c, CASE c WHEN 1 THEN 50000 ELSE 1 END, "
            + "CASE c WHEN 1 THEN 50100 ELSE 1 END FROM generate_series(1, 10000) AS c",
        "INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position, changed_at) "
            + "SELECT 1, s, lpad(to_hex(s), 32, '0')::uuid, 1, 1, 'hello', s, CASE s % 500 WHEN 0 THEN 50000 + s / 500 ELSE s END, "
            + "CASE s % 500 WHEN 0 THEN s END FROM generate_series(1, 50000) AS s",
        "INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position) "
            + "SELECT c, 1, lpad(to_hex(c), 32, 'f')::uuid, 1, 1, 'hello', c, 1 FROM generate_series(2, 10000) AS c",
        "INSERT INTO messaging.inbox (account, conversation, touched_at, news_at, position) "
            + "SELECT a, c, c, c, c FROM generate_series(1, 10000) AS c, LATERAL (VALUES (1), (c + 2)) AS v (a)",
        "UPDATE messaging.inbox SET pinned_at = conversation WHERE account = 1 AND conversation % 500 = 1",
        "UPDATE messaging.inbox SET archived_at = 1, archived_seq = conversation % 3 WHERE account = 1 AND conversation % 10 = 3",
        "INSERT INTO messaging.person_heads SELECT a, 10000 FROM generate_series(1, 20000) AS a",
        "INSERT INTO messaging.message_states (account, conversation, seq, starred_at, hidden_at, position) "
            + "SELECT a, 1, s, CASE WHEN s % 2 = 0 THEN s END, CASE WHEN s % 100 = 1 THEN s END, s "
            + "FROM generate_series(1, 10000) AS s, unnest(ARRAY[1, 3]) AS a",
        "INSERT INTO messaging.mentions SELECT a, 1, s, s FROM generate_series(1, 10000) AS s, unnest(ARRAY[1, 3]) AS a",
        "INSERT INTO messaging.heads (conversation, seq, position, members_version) VALUES (10001, 1000, 1000, 99999)",
        "INSERT INTO messaging.receipts SELECT 10001, 16000 + a, a, a, a, a FROM generate_series(1, 1000) AS a",
        "INSERT INTO messaging.reads SELECT 10001, 16000 + a, s, s FROM generate_series(1, 1000) AS a, generate_series(1, 20) AS s",
        "INSERT INTO messaging.reactions (conversation, seq, account, emoji, at) "
            + "SELECT 1, 40000, a, '+', a FROM generate_series(1, 10000) AS a",
        "INSERT INTO messaging.revisions SELECT 1, s, r, 'x', 1 FROM generate_series(1, 1000) AS s, generate_series(1, 20) AS r",
        "INSERT INTO messaging.threads SELECT 1, 100, 5000, 50000, 50000",
        "UPDATE messaging.messages SET thread_seq = 100 WHERE conversation = 1 AND seq > 45000",
        "UPDATE messaging.messages SET expires_at = 5 WHERE conversation = 1 AND seq BETWEEN 31001 AND 39000",
        "INSERT INTO messaging.attachments (conversation, id, owner, object, name, mime_type, size_bytes, created_at, "
            + "completed_at, seq, unused_at) SELECT 1, lpad(to_hex(s), 32, '0')::uuid, 1, 'o' || s, 'n', 'text/plain', 1, s, s, "
            + "CASE WHEN s > 5000 THEN s END, CASE WHEN s % 10 = 0 THEN s END FROM generate_series(1, 10000) AS s",
        "INSERT INTO messaging.search SELECT 1, s, array_to_tsvector(ARRAY['1.' || to_hex(s >> 12) || '.w' || s % 100, "
            + "'1.' || to_hex(s >> 12) || '.x' || s]) FROM generate_series(1, 50000) AS s",
        "INSERT INTO messaging.search_backlog SELECT c, 1 FROM generate_series(1, 10000) AS c",
        "INSERT INTO messaging.retention_jobs SELECT c, 1, 1, 50000, 0 FROM generate_series(1, 5000) AS c",
        "INSERT INTO conversations.reports SELECT 1, lpad(to_hex(r), 32, '0')::uuid, 3, 1, r, 1, 'x', r "
            + "FROM generate_series(1, 10000) AS r",
    ]

    /// Inserts `rows` reminders, as many decisions and half as many cards, by table.
    private static func entities(_ rows: Int) -> [(table: String, insert: String)] {
        [
            (
                "reminders",
                "INSERT INTO entities.reminders (account, id, title, due_at, time_zone, conversation, created_at, "
                    + "completed_at, position) SELECT 1 + (r - 1) / 10000, lpad(to_hex(r), 32, '0')::uuid, 'x', r, 'UTC', "
                    + "1 + r % 5000, 1, CASE WHEN r % 2 = 0 THEN 1 END, r FROM generate_series(1, \(rows)) AS r"
            ),
            (
                "cards",
                "INSERT INTO entities.cards (card, kind, entity, conversation, account, message) OVERRIDING SYSTEM VALUE "
                    + "SELECT d, 10, lpad(to_hex(d), 32, '0')::uuid, CASE WHEN d <= 10000 THEN 1 ELSE 1 + d % 10000 END, "
                    + "1 + (d - 1) / 10000, lpad(to_hex(d), 32, 'c')::uuid FROM generate_series(2, \(rows), 2) AS d"
            ),
            (
                "decisions",
                "INSERT INTO entities.decisions (id, account, text, folded, conversation, created_at, card, position) "
                    + "SELECT lpad(to_hex(d), 32, '0')::uuid, 1 + (d - 1) / 10000, 'x', 'x', "
                    + "CASE WHEN d <= 10000 THEN 1 + d % 2 ELSE 1 + d % 10000 END, d, CASE WHEN d % 2 = 0 THEN d END, d "
                    + "FROM generate_series(1, \(rows)) AS d"
            ),
        ]
    }

    /// Fills a table of entities without its indexes, then makes them as they were: each from sorted rows, which takes
    /// a fraction of the time. Since the transaction also empties the table, a server with `wal_level` "minimal" writes
    /// no log of it.
    private static func bulk(_ table: String, _ insert: String) -> [String] {
        [
            "BEGIN",
            "TRUNCATE entities.\(table)",
            """
            CREATE TEMPORARY TABLE indexes_of_\(table) AS
            SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
            FROM pg_index
            WHERE indrelid = 'entities.\(table)'::regclass
                AND NOT indisprimary
            """,
            """
            DO $$ DECLARE made text; BEGIN
                FOR made IN SELECT name FROM indexes_of_\(table) LOOP EXECUTE 'DROP INDEX ' || made; END LOOP;
            END $$
            """,
            insert,
            """
            DO $$ DECLARE made text; BEGIN
                FOR made IN SELECT definition FROM indexes_of_\(table) LOOP EXECUTE made; END LOOP;
            END $$
            """,
            "COMMIT",
        ]
    }
}
