import Postgres
import Reactor
import TestSupport
import Testing

@testable import ConversationsService
@testable import EntitiesService
@testable import MessagingService
@testable import PresenceService
@testable import ServiceKit

/// A database with an account of 10,000 conversations, 4 members each, a group of 1,000 that as many left, 500 groups of
/// the same two, 60,000 messages, and 10,000 reminders.
@ReactorActor
private final class LargeAccount {
    static let shared = Task { @ReactorActor in try await LargeAccount() }

    let database: MigratedDatabase
    /// Sessions whose plans were made before there was a row.
    private(set) var early: [String: Connection] = [:]

    private init() async throws {
        database = try await MigratedDatabase()
        for service in MigratedDatabase.services { early[service] = try await connect(service) }
        for query in Query.all { try await prepare(query, on: session(query, afterAnalyze: false)) }
        let superuser = try await Connection.open(database.superuser)
        for sql in Self.filling { try await superuser.execute(Statement(sql)) }
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
        try await session.execute(Statement("EXECUTE \(query.name)\(query.arguments)"))
    }

    /// The plan as it was carried out.
    func plan(of query: Query, afterAnalyze: Bool) async throws -> String {
        let session = try await session(query, afterAnalyze: afterAnalyze)
        if afterAnalyze { try await prepare(query, on: session) }
        let explain = Statement(
            "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) EXECUTE \(query.name)\(query.arguments)"
        ) { try $0.text(0) }
        // A second time: the first reads the catalogue.
        _ = try await session.query(explain)
        return try await session.query(explain).joined(separator: "\n")
    }

    /// Account 1 is in all conversations; conversation 1 has 50,000 messages, the others one each.
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
            + "left_version, place) SELECT 10001, 17000 + g, 1, 1, 3, false, 1, 2, 4 FROM generate_series(1, 1000) AS g",
        "INSERT INTO conversations.members (conversation, account, joined_at, position) "
            + "SELECT c, a, 1, c FROM generate_series(10002, 10501) AS c, generate_series(18001, 18002) AS a",
        "UPDATE conversations.conversations AS c SET member_count = m.count, members_key = m.key FROM ("
            + "SELECT conversation, count(*) AS count, bit_xor(hashint8extended(account, 0)) AS key "
            + "FROM conversations.members WHERE left_at IS NULL GROUP BY conversation) AS m "
            + "WHERE m.conversation = c.conversation",
        "UPDATE conversations.members SET place = 2 WHERE account = 1 AND conversation % 200 = 0",
        "INSERT INTO messaging.heads (conversation, seq, position) SELECT c, CASE c WHEN 1 THEN 50000 ELSE 1 END, "
            + "CASE c WHEN 1 THEN 50100 ELSE 1 END FROM generate_series(1, 10000) AS c",
        "INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position, changed_at) "
            + "SELECT 1, s, lpad(to_hex(s), 32, '0')::uuid, 1, 1, 'hello', s, CASE s % 500 WHEN 0 THEN 50000 + s / 500 ELSE s END, "
            + "CASE s % 500 WHEN 0 THEN s END FROM generate_series(1, 50000) AS s",
        "INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position) "
            + "SELECT c, 1, lpad(to_hex(c), 32, 'f')::uuid, 1, 1, 'hello', c, 1 FROM generate_series(2, 10000) AS c",
        "INSERT INTO messaging.inbox (account, conversation, touched_at) SELECT 1, c, c FROM generate_series(1, 10000) AS c",
        "INSERT INTO messaging.inbox (account, conversation, touched_at) SELECT c + 2, c, c FROM generate_series(1, 10000) AS c",
        "INSERT INTO entities.reminders (account, id, title, due_at, time_zone, conversation, created_at, completed_at, position) "
            + "SELECT 1, lpad(to_hex(r), 32, '0')::uuid, 'x', r, 'UTC', 1 + r % 5000, 1, CASE WHEN r % 2 = 0 THEN 1 END, r "
            + "FROM generate_series(1, 10000) AS r",
        "ANALYZE",
    ]
}

struct Query: Sendable, CustomTestStringConvertible {
    var service: String
    var name: String
    var sql: String
    /// In parentheses, or nothing.
    var arguments: String
    /// How many pages of the database it may touch at most.
    var pages: Int

    var testDescription: String { name }

    private init<Row>(_ service: String, _ name: String, _ statement: Statement<Row>, _ arguments: String, pages: Int) {
        self.service = service
        self.name = name
        self.arguments = arguments
        self.pages = pages
        sql = statement.text.sql
    }

    private static let id = "'00000000-0000-0000-0000-000000000400'"

    /// What must not cost more as an account, a conversation or the whole grows.
    static let all =
        [
            Query("messaging", "place", MessagingStore.place, "(1, 1)", pages: 20),
            Query("messaging", "sent_before", MessagingStore.sentBefore, "(1, \(id), 1)", pages: 8),
            Query("messaging", "newest", MessagingStore.newest, "(1, 1, 50000, 50)", pages: 220),
            Query("messaging", "oldest", MessagingStore.oldest, "(1, 25000, 50000, 50)", pages: 220),
            Query("messaging", "changes", MessagingStore.changes, "(1, 49990, 1, 50000, 49891, 51, 60000)", pages: 500),
            Query("messaging", "sync_first", InboxStore.touched, "(1, 0, 0, 50)", pages: 1200),
            Query("messaging", "sync_later", InboxStore.touched, "(1, 9990, 0, 50)", pages: 300),
            Query("messaging", "inbox_first", InboxStore.inbox, "(1, \(Int64.max), \(Int64.max), 51)", pages: 1200),
            Query("messaging", "inbox_later", InboxStore.inbox, "(1, 5000, 5000, 51)", pages: 1200),
            Query("messaging", "inbox_requests", InboxStore.aside, "(1, \(Int64.max), 0, 51, 2)", pages: 1200),
            Query("messaging", "inbox_left", InboxStore.aside, "(1, \(Int64.max), 0, 51, 4)", pages: 20),
            Query(
                "messaging", "numbers", MessagingStore.conversationNumbers, "('{00000000000000000000000000000077}')",
                pages: 10),
            Query(
                "conversations", "conversation", ViewsStore.conversation,
                "(1, '00000000000000000000000000000077')", pages: 30),
            Query("conversations", "sync", ViewsStore.changedConversations, "(1, 5000, 51, 6000)", pages: 700),
            Query(
                "conversations", "places", ViewsStore.places, "('00000000000000000000000000000077', '{}', true)",
                pages: 40),
            Query("conversations", "sync_night", ViewsStore.changedConversations, "(1, 9990, 51, 10001)", pages: 140),
            Query("conversations", "members", ViewsStore.members, "('{77,78,79}')", pages: 80),
            Query("conversations", "members_large", ViewsStore.members, "('{10001}')", pages: 90),
            Query("conversations", "members_page", GroupsStore.membersBehind, "(10001, 1, 500, 0, 51)", pages: 220),
            Query("conversations", "members_start", GroupsStore.membersBehind, "(10001, 4, 0, 0, 51)", pages: 220),
            Query(
                "conversations", "own_conversation", GroupsStore.ownConversation,
                "(1, '00000000000000000000000000010001')", pages: 20),
            Query("conversations", "people", GroupsStore.people, "(1, '{u77,u78}')", pages: 30),
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
            Query("conversations", "replay_revoked", ReplayStore.revokedOf, "('{1,2}', 1)", pages: 20),
            Query("messaging", "replay", MessagingStore.messagesNamed, "('{1,1,1}', '{400,30000,49000}')", pages: 80),
            Query("entities", "replay", EntitiesStore.remindersAt, "('{1,1,1}', '{77,78,9999}')", pages: 80),
            Query("presence", "visible", PresenceStore.visible, "(1, '{u77,u78}')", pages: 140),
            Query("presence", "may_be_told", PresenceStore.mayBeTold, "('{77,78,77}', '{1,1,79}')", pages: 250),
            Query("entities", "reminder", EntitiesStore.reminder, "(1, \(id))", pages: 16),
            Query(
                "entities", "member", EntitiesStore.memberConversation, "('00000000000000000000000000000077', 1)",
                pages: 20),
            Query("entities", "changed", EntitiesStore.changedReminders, "(1, 5000, 51)", pages: 400),
        ]
        + [(nil, "all"), (false, "open"), (true, "completed")].flatMap { completed, name in
            [
                Query(
                    "entities", "due_" + name,
                    EntitiesStore.remindersByDue(completed: completed, inConversation: false),
                    "(1, 5000, \(id), 51)", pages: 600),
                Query(
                    "entities", "due_here_" + name,
                    EntitiesStore.remindersByDue(completed: completed, inConversation: true),
                    "(1, 0, \(id), 51, 77)", pages: 30),
            ]
        }
}

@Suite("What queries cost in a large account", .timeLimit(.minutes(patience)))
@ReactorActor
struct PlanTests {
    @Test(
        "one index range each, with plans made when the tables were empty and with plans made for what is there",
        arguments: Query.all, [false, true])
    func plans(query: Query, afterAnalyze: Bool) async throws {
        let plan = try await LargeAccount.shared.value.plan(of: query, afterAnalyze: afterAnalyze)
        #expect(!plan.contains("Seq Scan"), "\(plan)")
        // A sort of the page is fine, one of everything is not; what is read and thrown away counts as well.
        for match in plan.matches(of: /(?:actual rows=|Rows Removed by [A-Za-z ]*: )([0-9]+)/) {
            #expect((Int(match.1) ?? .max) <= 102, "\(plan)")
        }
        let buffers = try #require(
            plan.firstMatch(of: /Buffers: shared(?: hit=([0-9]+))?(?: read=([0-9]+))?/), "\(plan)")
        let pages = (buffers.1.flatMap { Int($0) } ?? 0) + (buffers.2.flatMap { Int($0) } ?? 0)
        #expect(pages <= query.pages, "\(plan)")
    }
}
