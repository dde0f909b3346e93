import Logging
import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import ServiceKit

/// The followed service, conversations, and the following one, messaging, whose effects are rows of
/// `messaging.effects`.
@ReactorActor
final class FollowScene {
    let source: JournalScene
    let book = KeptLog()
    private(set) var followers: [JournalFollower] = []
    private var databases: [Database] = []

    init(lanes: Int = 1) async throws {
        source = try await JournalScene("conversations", lanes: lanes)
        for sql in [
            """
            CREATE TABLE IF NOT EXISTS messaging.followed (
                source text, lane integer, number bigint, tried_after bigint NOT NULL DEFAULT 0,
                tries smallint NOT NULL DEFAULT 0, follower text NOT NULL DEFAULT '',
                PRIMARY KEY (source, follower, lane))
            """,
            "DELETE FROM messaging.followed",
            """
            CREATE TABLE messaging.effects (
                id bigint GENERATED ALWAYS AS IDENTITY, lane integer, number bigint, audience bigint[])
            """,
            "GRANT ALL ON messaging.followed, messaging.effects TO parley_messaging",
        ] { try await source.execute(sql) }
    }

    isolated deinit {
        Task { @ReactorActor [followers, databases] in
            for follower in followers { await follower.stop() }
            for database in databases { await database.close() }
        }
    }

    private static let effect = Statement(
        """
        INSERT INTO messaging.effects (lane, number, audience)
        VALUES ($1, $2, $3)
        """)

    /// Starts one more replica that follows.
    /// - Parameters:
    ///   - name: its name; empty: the first of its source.
    ///   - names: the followers of the replica; nil: it is the only one.
    ///   - kinds: the kinds it follows; nil for all.
    ///   - hearing: what it hears.
    ///   - also: further work in the transaction, after the effects.
    @discardableResult
    func follow(
        name: String = "",
        in names: FollowerNames? = nil,
        kinds: Set<Int16>? = nil,
        hearing: JournalHearing? = nil,
        _ also: @escaping @ReactorActor ([JournalEntry], Change) async throws -> Void = { _, _ in }
    ) async throws -> JournalFollower {
        var configuration = source.migrated.configuration(of: "messaging", settings: plannerSettings)
        let database = Database(configuration, log: quiet)
        database.start()
        databases.append(database)
        configuration.applicationName = "follower"
        let journal = Journal(
            schema: "messaging", database: configuration, laneCount: 1, publisher: source.publisher, log: quiet)
        let follower = JournalFollower(
            source: "conversations", name: name, names: names ?? FollowerNames(), kinds: kinds,
            interval: .milliseconds(20), waitMax: .milliseconds(200),
            journal: journal, database: database, hearing: hearing, log: book.logger
        ) { entries, change in
            for entry in entries {
                try await change.execute(
                    Self.effect, .int32(Int32(entry.lane)), .int64(entry.number), .numbers(entry.audience))
            }
            try await also(entries, change)
        }
        followers.append(follower)
        try await follower.start()
        return follower
    }

    /// Commits one transaction of the followed service with this many notes.
    func note(_ count: Int = 1, kind: Int16 = 3) async throws {
        try await note(kinds: Array(repeating: kind, count: count))
    }

    func note(kinds: [Int16]) async throws {
        try await source.journal.change { change in
            for (object, kind) in kinds.enumerated() {
                change.publish(
                    PendingUpdate(
                        note: Kind(rawValue: Int32(kind)), subject: 1, object: AccountNumber(Int64(object)),
                        actor: 6))
            }
        }
    }

    func effects() async throws -> [Int64] {
        try await source.superuser.query(
            Statement("SELECT number FROM messaging.effects ORDER BY id") { try $0.int64(0) })
    }

    func isDone(_ count: Int64) async throws -> Bool {
        try await source.number("SELECT COALESCE(sum(number), 0) FROM messaging.followed") >= count
    }

    /// Checks that each entry of each lane took effect once, in the order of its lane.
    func checkOnce() async throws {
        #expect(
            try await source.number(
                """
                SELECT count(*) FROM (
                    SELECT number, row_number() OVER (PARTITION BY lane ORDER BY id) AS nth FROM messaging.effects
                ) AS e WHERE number <> nth
                """) == 0, "once each, in order")
        #expect(
            try await source.number("SELECT count(*) FROM messaging.effects")
                == source.number("SELECT sum(number) FROM conversations.lanes"), "all of them")
    }

    func endConnections(_ name: String = "follower") async throws {
        try await source.execute(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name = '\(name)' AND datname = current_database()
            """)
    }
}
