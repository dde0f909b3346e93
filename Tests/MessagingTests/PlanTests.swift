import Postgres
import Reactor
import Schema
import TestSupport
import Testing

@testable import ConversationsService
@testable import EntitiesService
@testable import MessagingService
@testable import PresenceService
@testable import ServiceKit

/// The databases of ``PlanData``.
@ReactorActor
private final class LargeAccount {
    static let shared = Task { @ReactorActor in try await LargeAccount() }

    private let large: MigratedDatabase
    /// Sessions that had plans while the tables of their database were empty, by service. The statistics of the grown
    /// tables make them plan again.
    private var early: [String: Connection] = [:]

    private init() async throws {
        let sources = try MigratedDatabase.sources + [Self.empty] + PlanData.large
        let server = try await KeptPostgres.start("plan-template", madeFrom: sources) { server in
            let database = try await MigratedDatabase(madeIn: Self.empty, of: server)
            try await Self.execute("INSERT INTO messaging.lanes VALUES (70, 0)", on: database)
            try await server.copyDatabase(Self.empty, as: Self.filled)
            try await Self.execute(PlanData.large, on: MigratedDatabase(in: Self.filled, of: server))
        }
        large = MigratedDatabase(in: Self.filled, of: server)
        let growing = MigratedDatabase(in: Self.empty, of: server)
        for service in MigratedDatabase.services { early[service] = try await connect(service, to: growing) }
        for query in Query.all { try await prepare(query, on: session(query)) }
        try await Self.execute(PlanData.early, on: growing)
    }

    private static let empty = "empty"
    private static let filled = "filled"

    private static func execute(_ statements: String..., on database: MigratedDatabase) async throws {
        try await execute(statements, on: database)
    }

    private static func execute(_ statements: [String], on database: MigratedDatabase) async throws {
        let superuser = try await Connection.open(database.superuser)
        defer { superuser.close() }
        for statement in statements { try await superuser.execute(Statement(statement)) }
    }

    private func connect(_ service: String, to database: MigratedDatabase) async throws -> Connection {
        try await Connection.open(database.configuration(of: service, settings: plannerSettings))
    }

    private func session(_ query: Query) throws -> Connection { try #require(early[query.service]) }

    private func prepare(_ query: Query, on session: Connection) async throws {
        try await session.execute(Statement("PREPARE \(query.name) AS \(query.sql)"))
        try await session.execute(Statement("BEGIN"))
        try await session.execute(Statement("EXECUTE \(query.name)\(query.arguments)"))
        try await session.execute(Statement("ROLLBACK"))
    }

    /// Returns the plan as executed by a new session, in the largest tables.
    func plan(of query: Query) async throws -> String {
        let session = try await connect(query.service, to: large)
        defer { session.close() }
        try await prepare(query, on: session)
        return try await executed(query, on: session)
    }

    /// Returns the plan as executed by a session that was there while the tables were empty.
    func earlyPlan(of query: Query) async throws -> String {
        try await executed(query, on: session(query))
    }

    private func executed(_ query: Query, on session: Connection) async throws -> String {
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
            Query("conversations", "imported", PeopleStore.imported, "(1, 'a', 51)", pages: 20),
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
        "each query reads one index range, in sessions that began while the tables were empty and in new ones",
        .serialized, arguments: Query.all, [false, true])
    func plans(query: Query, isNew: Bool) async throws {
        let account = try await LargeAccount.shared.value
        let plan = try await isNew ? account.plan(of: query) : account.earlyPlan(of: query)
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
