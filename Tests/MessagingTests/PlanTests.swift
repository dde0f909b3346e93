import Postgres
import Reactor
import TestSupport
import Testing
import Schema

@testable import ConversationsService
@testable import EntitiesService
@testable import MessagingService
@testable import PresenceService
@testable import ServiceKit

/// A database with an account in 10,000 conversations of 4 members each, a group of 1,000 members that another 1,000
/// have left, 500 groups of the same two people, 60,000 messages, and 1,000,000 reminders and as many decisions: 10,000
/// each of 100 people, half of the decisions shared.
@ReactorActor
private final class LargeAccount {
    static let shared = Task { @ReactorActor in try await LargeAccount() }

    let database: MigratedDatabase
    /// Sessions whose plans were made while the tables were empty.
    private(set) var early: [String: Connection] = [:]

    private init() async throws {
        database = try await MigratedDatabase()
        for service in MigratedDatabase.services { early[service] = try await connect(service) }
        let superuser = try await Connection.open(database.superuser)
        try await superuser.execute(Statement("INSERT INTO messaging.lanes VALUES (70, 0)"))
        for query in Query.all { try await prepare(query, on: session(query, afterAnalyze: false)) }
        for sql in Query.fillingOfEvents + Query.fillingOfSuggestions + Query.fillingOfModelReading + Self.filling {
            try await superuser.execute(Statement(sql))
        }
        let began = ContinuousClock.now
        for sql in Self.fillingEntities { try await superuser.execute(Statement(sql)) }
        print("1,000,000 reminders and decisions were filled in \(ContinuousClock.now - began)")
        try await superuser.execute(Statement("ANALYZE"))
        superuser.close()
    }

    private func connect(_ service: String) async throws -> Connection {
        try await Connection.open(database.configuration(of: service, settings: plannerSettings))
    }

    private func session(_ query: Query, afterAnalyze: Bool) async throws -> Connection {
        if !afterAnalyze, let session = early[query.service] { return session }
        return try await connect(query.service)
    }

    private func prepare(_ query: Query, on session: Connection) async throws {
        try await session.execute(Statement("PREPARE \(query.name) AS \(query.sql)"))
        try await session.execute(Statement("BEGIN"))
        try await session.execute(Statement("EXECUTE \(query.name)\(query.arguments)"))
        try await session.execute(Statement("ROLLBACK"))
    }

    /// Returns the plan as executed.
    func plan(of query: Query, afterAnalyze: Bool) async throws -> String {
        let session = try await session(query, afterAnalyze: afterAnalyze)
        if afterAnalyze { try await prepare(query, on: session) }
        let explain = Statement(
            "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) EXECUTE \(query.name)\(query.arguments)"
        ) { try $0.text(0) }
        // Measure the second run: the first one reads the catalogue. Roll back what it writes.
        var plan: [String] = []
        for _ in 1...2 {
            try await session.execute(Statement("BEGIN"))
            plan = try await session.query(explain)
            try await session.execute(Statement("ROLLBACK"))
        }
        return plan.joined(separator: "\n")
    }

    /// Account 1 is in all conversations. Conversation 1 has 50,000 messages, the others one each.
    private static let filling = [
        "INSERT INTO conversations.accounts (user_id, username, created_at) SELECT 'u' || g, 'u' || g, 1 FROM generate_series(1, 20000) AS g",
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

    private static let fillingEntities =
        bulk(
            "reminders",
            "INSERT INTO entities.reminders (account, id, title, due_at, time_zone, conversation, created_at, "
                + "completed_at, position) SELECT 1 + (r - 1) / 10000, lpad(to_hex(r), 32, '0')::uuid, 'x', r, 'UTC', "
                + "1 + r % 5000, 1, CASE WHEN r % 2 = 0 THEN 1 END, r FROM generate_series(1, 1000000) AS r")
        + bulk(
            "cards",
            "INSERT INTO entities.cards (card, kind, entity, conversation, account, message) OVERRIDING SYSTEM VALUE "
                + "SELECT d, 10, lpad(to_hex(d), 32, '0')::uuid, CASE WHEN d <= 10000 THEN 1 ELSE 1 + d % 10000 END, "
                + "1 + (d - 1) / 10000, lpad(to_hex(d), 32, 'c')::uuid FROM generate_series(2, 1000000, 2) AS d")
        + bulk(
            "decisions",
            "INSERT INTO entities.decisions (id, account, text, folded, conversation, created_at, card, position) "
                + "SELECT lpad(to_hex(d), 32, '0')::uuid, 1 + (d - 1) / 10000, 'x', 'x', "
                + "CASE WHEN d <= 10000 THEN 1 + d % 2 ELSE 1 + d % 10000 END, d, CASE WHEN d % 2 = 0 THEN d END, d "
                + "FROM generate_series(1, 1000000) AS d")

    /// Fills a table of entities without its indexes, then makes them as they were: each from sorted rows, which takes
    /// a fraction of the time.
    private static func bulk(_ table: String, _ insert: String) -> [String] {
        [
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
            "SET maintenance_work_mem = '256MB'",
            """
            DO $$ DECLARE made text; BEGIN
                FOR made IN SELECT definition FROM indexes_of_\(table) LOOP EXECUTE made; END LOOP;
            END $$
            """,
        ]
    }
}

struct Query: Sendable, CustomTestStringConvertible {
    var service: String
    var name: String
    var sql: String
    /// The arguments in parentheses; empty if there are none.
    var arguments: String
    /// The maximum number of database pages it may touch.
    var pages: Int
    /// The maximum rows one plan step may read. The default is a page and a few extra rows.
    var rows: Int

    var testDescription: String { name }

    init<Row>(
        _ service: String, _ name: String, _ statement: Statement<Row>, _ arguments: String, pages: Int, rows: Int = 102
    ) {
        self.service = service
        self.name = name
        self.arguments = arguments
        self.pages = pages
        self.rows = rows
        sql = statement.text.sql
    }

    private static func inbox(
        _ newsAt: Timestamp, _ conversation: ConversationNumber, _ pinnedAt: Timestamp, _ pinned: Int64
    ) -> String {
        "(1, \(newsAt), \(conversation), 51, 0, \(pinnedAt), \(pinned))"
    }

    private static let id = "'00000000-0000-0000-0000-000000000400'"

    /// Queries whose cost must not grow with an account, a conversation or the database.
    ///
    /// Here all of the newest messages of conversation 1 belong to a thread. Person 1 has read none of its 50,000
    /// messages, all their own; 10,000 of them are examined for the unread count. A page of readers also examines
    /// former members.
    static let all =
        finding + files + writing + ofEntities + ofEvents + ofSuggestions + ofModelReading + [
            Query("messaging", "history_window", MessagingStore.window, "(1, 1)", pages: 20),
            Query("messaging", "sent_before", MessagingStore.sentBefore, "(1, \(id), 1)", pages: 8),
            Query("messaging", "newest", MessagingStore.newest, "(1, 1, 50000, 50, 1, false)", pages: 260),
            Query("messaging", "oldest", MessagingStore.oldest, "(1, 25000, 50000, 50, 1, false)", pages: 220),
            Query(
                "messaging", "changes", MessagingStore.changes, "(1, 49990, 1, 50000, 49891, 51, 1, false)",
                pages: 500),
            Query("messaging", "is_changed_since", MessagingStore.isChangedSince, "(1, 1, 400)", pages: 220),
            Query("messaging", "sync_first", InboxStore.touched, "(1, 0, 0, 50, 0)", pages: 3600, rows: 1000),
            Query("messaging", "sync_later", InboxStore.touched, "(1, 9990, 0, 50, 0)", pages: 300),
            Query("messaging", "inbox_first", InboxStore.inbox, inbox(.max, .max, .max, .max), pages: 4000, rows: 1000),
            Query("messaging", "inbox_later", InboxStore.inbox, inbox(5000, 5000, 0, 0), pages: 1500),
            Query("messaging", "inbox_archived", InboxStore.archived, "(1, 5000, 5000, 51, 0)", pages: 1800),
            Query("messaging", "settings", OwnStateStore.settings, "(1, 77)", pages: 20),
            Query("messaging", "state", OwnStateStore.state, "(1, 77, 0)", pages: 40),
            Query("messaging", "pinned_count", OwnStateStore.pinnedCount, "(1, 77)", pages: 120),
            Query("messaging", "badge", OwnStateStore.badge, "(79, 0)", pages: 40),
            // It calls a function, whose planning reads a page of each index of conversations.members.
            Query("messaging", "current", ActionsStore.context, "(1, 1, 25000)", pages: 41),
            Query("messaging", "revisions", ActionsStore.revisions, "(1, 500, 100)", pages: 30),
            Query("messaging", "reactions", ActionsStore.reactions, "(1, 40000, 5000, 0, '', 51)", pages: 240),
            Query(
                "messaging", "reactions_with", ActionsStore.reactionsWith, "(1, 40000, 5000, 0, 51, '+')", pages: 240),
            Query("messaging", "replies", ActionsStore.replies, "(1, 100, 46000, 50000, 50, 1)", pages: 360),
            Query("messaging", "original", ActionsStore.original, "(1, 25000, 1)", pages: 20),
            Query("messaging", "receipts", ReceiptsStore.receipts, "(10001, 1, 16500, 51)", pages: 360),
            Query(
                "messaging", "readers", ReceiptsStore.readers, "(10001, 10, 16002, 16500, 51)", pages: 900, rows: 1000),
            Query("messaging", "sender", ReceiptsStore.sender, "(1, 25000)", pages: 8),
            Query(
                "messaging", "states_named", ReceiptsStore.statesNamed, "('{1,1,3}', '{77,78,1}', '{77,1,1}', 0)",
                pages: 120, rows: 1000),
            Query("messaging", "own_now", OwnStateStore.now, "(1)", pages: 10),
            Query("messaging", "message_states", OwnStateStore.messageStates, "(1, 1, '{7,8,9,40000}', 0)", pages: 50),
            Query("messaging", "message_states_since", OwnStateStore.messageStatesSince, "(1, 5000, 51)", pages: 240),
            Query(
                "messaging", "message_states_named", OwnStateStore.currentMessageStates,
                "('{1,1,3}', '{0,0,0}', '{7,9000,9}')",
                pages: 60),
            Query("messaging", "starred", OwnStateStore.starred, "(1, 5000, 1, 5000, 51, 0)", pages: 1700),
            Query("messaging", "mentioning", OwnStateStore.mentioning, "(1, 5000, 1, 5000, 51, 0)", pages: 1700),
            Query(
                "messaging", "mentioning_or_starred", OwnStateStore.mentioningOrStarred, "(1, 5000, 1, 5000, 51, 0)",
                pages: 2200),
            Query(
                "messaging", "inbox_requests", InboxStore.otherSection, "(1, \(Int64.max), 0, 51, 0, 2)", pages: 1600),
            Query("messaging", "inbox_left", InboxStore.otherSection, "(1, \(Int64.max), 0, 51, 0, 4)", pages: 20),
            Query(
                "messaging", "numbers", MessagingStore.conversationNumbers, "('{00000000000000000000000000000077}')",
                pages: 10),
            Query(
                "conversations", "conversation", ViewsStore.conversation,
                "(1, '00000000000000000000000000000077')", pages: 30),
            Query("conversations", "sync", ViewsStore.changedConversations, "(1, 5000, 51, 6000)", pages: 700),
            Query(
                "conversations", "member_views", ViewsStore.memberViews,
                "('00000000000000000000000000000077', '{}', true)", pages: 40),
            Query("conversations", "sync_night", ViewsStore.changedConversations, "(1, 9990, 51, 10001)", pages: 140),
            Query("conversations", "members", ViewsStore.members, "('{77,78,79}')", pages: 80),
            Query("conversations", "members_large", ViewsStore.members, "('{10001}')", pages: 90),
            Query("conversations", "members_page", GroupsStore.membersBehind, "(10001, 1, 500, 0, 51)", pages: 220),
            Query("conversations", "members_start", GroupsStore.membersBehind, "(10001, 4, 0, 0, 51)", pages: 220),
            Query(
                "conversations", "own_conversation", GroupsStore.ownConversation,
                "(1, '00000000000000000000000000010001')", pages: 20),
            Query("conversations", "people", GroupsStore.people, "('{u77,u78}')", pages: 30),
            Query("conversations", "added_people", InvitationsStore.people, "(18001, 10001, '{77,78}')", pages: 300),
            Query("conversations", "invited", InvitationsStore.invited, "(10001, '{u77,u78}')", pages: 30),
            Query(
                "conversations", "invitations_between", InvitationsStore.between, "(18001, 18002)", pages: 10),
            Query(
                "conversations", "group_of_exactly", GroupsStore.groupOfExactly, "(18001, '{18001,18002}')", pages: 50),
            Query(
                "conversations", "group_of_nobody", GroupsStore.groupOfExactly, "(18001, '{18001,18003}')", pages: 10),
            Query("conversations", "by_username", ConversationsStore.accountByUsername, "('u77')", pages: 8),
            Query("conversations", "peers", ConversationsStore.peers, "(1, '{u77}')", pages: 20),
            Query(
                "conversations", "replay", ReplayStore.conversations,
                "('{1,1,1}', '{77,78,79}', '{77,78,79}')",
                pages: 120),
            Query("conversations", "reports", PeopleStore.reports, "(1, \(id), 51)", pages: 360),
            Query("conversations", "replay_revoked", ReplayStore.revokedOf, "('{1,2}', 1)", pages: 20),
            Query("messaging", "replay", MessagingStore.messagesNamed, "('{1,1,1}', '{400,30000,49000}')", pages: 80),
            Query("presence", "seen", PresenceStore.seen, "(1, '{u77,u78}')", pages: 140),
            Query(
                "presence", "seen_by_watchers", PresenceStore.seenByWatchers, "('{77,78,77}', '{1,1,79}')", pages: 250),
            Query("presence", "typing_people", TypingStore.people, "('{u1_u77}')", pages: 40),
            Query(
                "presence", "fellow_members", PresenceStore.fellowMembers, "('{u1_u77,u1_u78}', '{1,1}', '{77,78}')",
                pages: 40),
            Query("presence", "own", PresenceStore.own, "(1)", pages: 4),
        ]
}

@Suite("The cost of queries in a large account", .timeLimit(.minutes(8 * patience)))
@ReactorActor
struct PlanTests {
    @Test(
        "each query reads one index range, with plans made for empty tables and with plans made for the data",
        .serialized, arguments: Query.all, [false, true])
    func plans(query: Query, afterAnalyze: Bool) async throws {
        let plan = try await LargeAccount.shared.value.plan(of: query, afterAnalyze: afterAnalyze)
        #expect(!plan.contains("Seq Scan"), "\(plan)")
        // Sorting a page is fine, sorting everything is not. Rows read and discarded count as well.
        for match in plan.matches(of: /(?:actual rows=|Rows Removed by [A-Za-z ]*: )([0-9]+)/) {
            #expect((Int(match.1) ?? .max) <= query.rows, "\(plan)")
        }
        let buffers = try #require(
            plan.firstMatch(of: /Buffers: shared(?: hit=([0-9]+))?(?: read=([0-9]+))?/), "\(plan)")
        let pages = (buffers.1.flatMap { Int($0) } ?? 0) + (buffers.2.flatMap { Int($0) } ?? 0)
        #expect(pages <= query.pages, "\(plan)")
    }
}
