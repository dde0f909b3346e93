import Foundation
import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

/// An event of one person, which others see, and its row.
private struct CountedEvent: Sendable {
    let id: UUIDv7
    let cluster: TestCluster

    init(_ title: String = "Party", by creator: Device, for guests: [Device], in cluster: TestCluster) async throws {
        (id, self.cluster) = (await creator.client.newID(), cluster)
        let id = id
        let group = try await creator.client.createGroup(name: "us", users: guests.map(\.user)).conversation.id
        _ = try await creator.client.createEvent(
            .with {
                ($0.id, $0.title, $0.conversations, $0.when.date) = (Data(id.bytes), title, [group], "2090-12-01")
            })
        for guest in guests {
            try await eventually("it is seen") { (try? await guest.client.event(id)) != nil }
        }
    }

    /// Whether others are still to be told its counts.
    func areCountsDue() async throws -> Bool {
        try await Self.asks(
            "SELECT counts_due_at IS NOT NULL FROM entities.events WHERE id = '\(id)'::uuid", in: cluster)
    }

    /// Waits until everybody was told its counts so long ago that the next answer is told at once.
    func isQuiet() async throws {
        try await eventually("everybody was told a while ago") {
            try await Self.asks(
                """
                SELECT counts_due_at IS NULL AND counted_at < extract(epoch FROM now()) * 1000000 - 1100000
                FROM entities.events
                WHERE id = '\(id)'::uuid
                """, in: cluster)
        }
    }

    @ReactorActor
    static func asks(_ sql: String, in cluster: TestCluster) async throws -> Bool {
        let connection = try await Connection.open(DatabaseConfiguration(test: cluster.endpoints.database))
        defer { connection.close() }
        return try await connection.first(Statement(sql) { row in try row.bool(0) }) ?? false
    }

    @ReactorActor
    static func change(_ statements: [String], in cluster: TestCluster) async throws {
        let connection = try await Connection.open(DatabaseConfiguration(test: cluster.endpoints.database))
        defer { connection.close() }
        for sql in statements { try await connection.execute(Statement<Void>(sql)) }
    }
}

extension FaultClusters {
    @Test("E2 counts that cannot be told keep those of other events waiting for no longer than one try")
    func countsThatFail() async throws {
        let cluster = try await TestCluster(.init(gateways: 1))
        let people = try await cluster.people(2)
        for _ in 0..<20 { _ = try await CountedEvent("broken", by: people[0], for: [people[1]], in: cluster) }
        let fine = try await CountedEvent("fine", by: people[0], for: [people[1]], in: cluster)
        // They wait longest, and each transaction that tells them fails.
        try await CountedEvent.change(
            [
                """
                CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    RAISE EXCEPTION 'broken';
                END
                $$
                """,
                """
                CREATE TRIGGER refuse BEFORE UPDATE ON entities.events FOR EACH ROW
                WHEN (OLD.title = 'broken' AND OLD.counts_due_at IS NOT NULL AND NEW.counts_due_at IS NULL)
                EXECUTE FUNCTION public.refuse()
                """,
                """
                UPDATE entities.events AS e
                SET counts_due_at = CASE e.title WHEN 'broken' THEN 1 ELSE 2 END, counts_by = a.account
                FROM conversations.account_ids AS a
                WHERE a.user_id = '\(people[0].user)'
                """,
            ], in: cluster)
        try await eventually("those of the other event are told") { try await !fine.areCountsDue() }
        let stillDue = "SELECT count(*) = 20 FROM entities.events WHERE title = 'broken' AND counts_due_at IS NOT NULL"
        #expect(try await CountedEvent.asks(stillDue, in: cluster))
        try await CountedEvent.change(["DROP TRIGGER refuse ON entities.events"], in: cluster)
        let noneDue = "SELECT count(*) = 0 FROM entities.events WHERE counts_due_at IS NOT NULL"
        try await eventually("they are told once they can be") { try await CountedEvent.asks(noneDue, in: cluster) }
        await cluster.end()
    }

    @Test("E2 counts that entities had not told when it was killed are told once it is back")
    func countsAfterKill() async throws {
        let cluster = try await TestCluster(.init(gateways: 1))
        let people = try await cluster.people(2)
        let (alice, bob) = (people[0], people[1])
        let event = try await CountedEvent(by: alice, for: [bob], in: cluster)
        var guests: UInt32 = 0
        // Until it dies between an answer and the telling of it, a second at most after the one before.
        for _ in 0..<10 {
            guests += 1
            _ = try await bob.client.answerEvent(event.id, .accepted, guests: 0)
            _ = try await bob.client.answerEvent(event.id, .accepted, guests: guests)
            try await cluster.cluster.kill("entities-1")
            if try await event.areCountsDue() { break }
            try await cluster.cluster.waitUntilReady("entities-1")
        }
        let coming = guests + 2
        try await eventually("the creator learns of the last answer") {
            await alice.updates.events.last?.coming == coming
        }
        #expect(try await !event.areCountsDue())
        #expect(await alice.updates.events.last == (try await alice.client.event(event.id)))
        await cluster.end()
    }

    @Test("E2 an answer takes as many statements for twelve people as for three, and ten quick ones less than ten")
    func statementsOfAnswers() async throws {
        let cluster = try await TestCluster(.init(gateways: 1, postgres: StatementCounter.postgresSettings))
        let people = try await cluster.people(12)
        let small = try await CountedEvent(by: people[0], for: Array(people[1..<3]), in: cluster)
        let large = try await CountedEvent(by: people[0], for: Array(people[1...]), in: cluster)
        for person in people[1...] { _ = try await person.client.answerEvent(large.id, .tentative) }
        for person in people[1..<3] { _ = try await person.client.answerEvent(small.id, .tentative) }
        // What tells of these answers would count among what runs without requests.
        for event in [small, large] { try await event.isQuiet() }
        let counter = try await StatementCounter(cluster)
        let few = try await Self.statements(of: 1, to: small, people, counter)
        let many = try await Self.statements(of: 1, to: large, people, counter)
        let differing = Set(few.keys).symmetricDifference(many.keys) + few.keys.filter { few[$0] != many[$0] }
        #expect(few == many, "\(differing)")
        let quick = try await Self.statements(of: 10, to: large, people, counter)
        #expect(Self.total(quick) < 10 * Self.total(many), "\(Self.total(quick)), and \(Self.total(many)) for one")
        #expect(Self.total(many) == 8, "\(many)")
        await counter.close()
        await cluster.end()
    }

    /// Counts the statements of answers by one person, with those by which the others learn of them, and their devices.
    private static func statements(
        of answers: UInt32, to event: CountedEvent, _ people: [Device], _ counter: StatementCounter
    ) async throws -> [String: Int] {
        let counted = try await counter.count {
            try await event.isQuiet()
            let last = try #require(await people[0].updates.events.last { $0.id == Data(event.id.bytes) })
            let guests = last.coming % 20
            let noted = await people[0].updates.messages.count
            for answer in 1...answers {
                _ = try await people[1].client.answerEvent(event.id, .accepted, guests: guests + answer)
            }
            try await eventually("all are told") { try await !event.areCountsDue() }
            try await eventually("the message of its card has changed") {
                await people[0].updates.messages.count > noted
            }
        }
        // Of entities alone, without what follows journals, which does so in batches.
        let following = ["published_cards", "journal", "followed", "suggestions"].map { "entities.\($0)" }
        return counted.filter { statement in
            statement.key.contains("entities.") && !following.contains { statement.key.contains($0) }
        }
    }

    private static func total(_ statements: [String: Int]) -> Int { statements.values.reduce(0, +) }
}
