import Foundation
import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

extension FaultClusters {
    /// A follower of a journal, and an entry of which its process dies.
    fileprivate struct Follower: Sendable {
        var name: String
        /// The process that follows.
        var process: String
        /// The table in which the effect of an entry is stored, in a row of the entry's conversation.
        var effect: String
        /// Which rows are the effect, as SQL; {n} is the conversation.
        var condition = "effect.conversation = {n}"
        /// When a statement is about to store it, as SQL; nil: such a row is new or changed.
        var trigger: String?
        /// Makes the entry in the conversation.
        var act: @Sendable (_ people: [Device], _ conversation: String) async throws -> Void
    }

    private static let followers = [
        Follower(name: "notes of changed groups", process: "messaging-1", effect: "messaging.messages") {
            try await $0[0].client.updateGroup($1, name: "renamed")
        },
        Follower(name: "cards of decisions", process: "messaging-1", effect: "messaging.messages") { people, group in
            _ = try await people[0].client.createDecision(
                .with { ($0.text, $0.conversation, $0.shared) = ("We go", group, true) })
        },
        Follower(name: "words to search", process: "messaging-1", effect: "messaging.search") {
            _ = try await $0[0].client.send("marmalade", to: $1)
        },
        Follower(name: "suggestions", process: "entities-1", effect: "entities.suggestions") {
            _ = try await $0[0].client.send("Lunch tomorrow at 1pm", to: $1)
        },
        Follower(
            name: "who leaves", process: "entities-1", effect: "entities.attendances",
            condition: """
                effect.removed_at > 0
                AND event IN (SELECT event FROM entities.event_invitations WHERE conversation = {n})
                """,
            trigger: "UPDATE ON entities.attendances FOR EACH ROW WHEN (OLD.conversation = {n} AND NEW.removed_at > 0)"
        ) { people, group in
            let event = try await people[0].client.createEvent(
                .with { ($0.title, $0.when.date, $0.conversations) = ("Dinner", "2090-12-01", [group]) }
            ).event
            let id = try #require(UUIDv7(bytes: Array(event.id)))
            try await eventually("bob is invited") {
                do { _ = try await people[1].client.answerEvent(id, .declined, from: group) } catch { return false }
                return true
            }
            try await people[1].client.leaveGroup(group)
        },
        Follower(
            name: "messages of requests", process: "conversations-1", effect: "conversations.conversations",
            condition: "effect.conversation = {n} AND effect.is_revealed"
        ) { people, request in _ = try await people[2].client.send("hello", to: request) },
    ]

    @Test("X2 an entry of a journal of which the process dies is left out after three tries; later ones take effect")
    @ReactorActor
    func deadlyEntries() async throws {
        let cluster = try await TestCluster(.init(settings: TestCluster.askingSettings))
        let connection = try await Connection.open(DatabaseConfiguration(test: cluster.endpoints.database))
        defer { connection.close() }
        // The effect of a deadly entry waits for a lock, so that the process can be killed in the middle of it.
        try await connection.execute(Statement<Void>("SELECT pg_advisory_lock(7)"))
        for follower in Self.followers {
            let people = try await cluster.people(3)
            for person in people { await person.client.setTimeZone("Europe/Zurich") }
            try await cluster.acquaint(people[0], [people[1]])
            var conversations: [String] = []
            for _ in 0..<2 {
                if follower.process.hasPrefix("conversations") {
                    let recipient = try await cluster.person("recipient")
                    conversations.append(try await people[2].client.startDirect(with: recipient.user).conversation.id)
                } else {
                    conversations.append(
                        try await people[0].client.createGroup(name: "us", users: [people[1].user]).conversation.id)
                }
            }
            try await cluster.quiet()
            let (deadly, harmless) = (conversations[0], conversations[1])
            try await connection.makeDeadly(follower, in: deadly)
            let before = try await connection.effects(of: follower, in: [deadly, harmless])
            try await follower.act(people, deadly)
            for death in 1...4 {
                try await eventually("\(follower.name): try \(death)") { try await connection.isWaiting }
                try cluster.cluster.kill(follower.process)
                try await connection.endWaiting()
                try await cluster.cluster.waitUntilReady(follower.process)
            }
            try await eventually("\(follower.name): it is left out") {
                cluster.log(of: follower.process, last: 500).contains { $0.contains("a journal entry is left out") }
            }
            #expect(try await connection.waiting == [], "\(follower.name)")
            #expect(try await connection.effects(of: follower, in: [deadly]) == [before[0]], "\(follower.name)")
            try await follower.act(people, harmless)
            try await eventually("\(follower.name): a later entry takes effect") {
                try await connection.effects(of: follower, in: [harmless]) != [before[1]]
            }
            try await connection.execute(Statement<Void>("DROP TRIGGER deadly ON \(follower.effect)"))
        }
        await cluster.end()
    }
}

extension Connection {
    private func number(of conversation: String) async throws -> String {
        let sql = "SELECT conversation FROM conversations.conversation_ids WHERE conversation_id = '\(conversation)'"
        return "\(try await first(Statement(sql) { try $0.int64(0) }) ?? 0)"
    }

    /// Makes each statement wait that stores an effect in a conversation.
    fileprivate func makeDeadly(_ follower: FaultClusters.Follower, in conversation: String) async throws {
        let condition = follower.condition.replacingOccurrences(of: "effect.", with: "NEW.")
        let trigger = follower.trigger ?? "INSERT OR UPDATE ON \(follower.effect) FOR EACH ROW WHEN (\(condition))"
        for sql in [
            """
            CREATE OR REPLACE FUNCTION public.wait_for_death() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                PERFORM pg_advisory_xact_lock(7);
                RETURN NEW;
            END $$
            """,
            "GRANT EXECUTE ON FUNCTION public.wait_for_death() TO PUBLIC",
            "CREATE TRIGGER deadly BEFORE \(trigger) EXECUTE FUNCTION public.wait_for_death()",
        ] {
            try await execute(
                Statement<Void>(sql.replacingOccurrences(of: "{n}", with: try await number(of: conversation))))
        }
    }

    /// The statements by which deadly effects are under way.
    fileprivate var waiting: [String] {
        get async throws {
            let sql = """
                SELECT a.application_name || ': ' || a.query
                FROM pg_locks AS l
                JOIN pg_stat_activity AS a ON a.pid = l.pid
                WHERE l.locktype = 'advisory' AND l.classid = 0 AND l.objid = 7 AND NOT l.granted
                """
            return try await query(Statement(sql) { try $0.text(0) })
        }
    }

    fileprivate var isWaiting: Bool {
        get async throws { try await !waiting.isEmpty }
    }

    /// Ends what a dead process left waiting, as the server does itself once it notices.
    fileprivate func endWaiting() async throws {
        try await execute(
            Statement<Void>(
                """
                SELECT pg_terminate_backend(pid) FROM pg_locks
                WHERE locktype = 'advisory' AND classid = 0 AND objid = 7 AND NOT granted
                """))
        try await eventually("nothing waits") { try await !isWaiting }
    }

    /// How many effects conversations have.
    fileprivate func effects(
        of follower: FaultClusters.Follower, in conversations: [String]
    ) async throws -> [Int64] {
        var counts: [Int64] = []
        for conversation in conversations {
            let sql = "SELECT count(*) FROM \(follower.effect) AS effect WHERE \(follower.condition)"
                .replacingOccurrences(of: "{n}", with: try await number(of: conversation))
            counts.append(try await first(Statement(sql) { try $0.int64(0) }) ?? 0)
        }
        return counts
    }
}
