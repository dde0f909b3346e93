import Foundation
import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

/// Lists that other people fill: each of them takes a place, and nobody takes all.
@Suite("X3: what one person causes for another")
struct CrowdingTests {
    /// Three people with a group, in which the second has invited to an event.
    private static func scene(
        _ cluster: TestCluster
    ) async throws -> (alice: Device, bob: Device, carol: Device, group: String, event: UUIDv7) {
        let people = try await cluster.people(3) { $0 % 2 }
        let (alice, bob, carol) = (people[0], people[1], people[2])
        for person in people { await person.client.setTimeZone("Europe/Zurich") }
        try await cluster.acquaint(alice, [bob, carol])
        let group = try await alice.client.createGroup(name: "us", users: [bob.user, carol.user]).conversation.id
        return (alice, bob, carol, group, try await makeEvent("junk", by: bob, in: [group], seenBy: alice))
    }

    private static func makeEvent(
        _ title: String, by person: Device, in conversations: [String], seenBy other: Device
    ) async throws -> UUIDv7 {
        let id = await person.client.newID()
        _ = try await person.client.createEvent(
            .with {
                ($0.id, $0.title, $0.conversations) = (Data(id.bytes), title, conversations)
                $0.when.date = String(Date(timeIntervalSinceNow: 90 * 86_400).ISO8601Format().prefix(10))
            })
        try await eventually("it is seen") { (try? await other.client.event(id)) != nil }
        return id
    }

    @Test("E8 X3 when a person has 200 suggestions, the oldest of whoever made most gives way, and their own last")
    func suggestions() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob, carol, group, _) = try await Self.scene(cluster)
        // As many as one member can cause, of a message that nobody reads again.
        try await cluster.execute(
            """
            INSERT INTO entities.suggestions (account, id, kind, state, conversation, seq, source_message, sender, ordinal,
                title, location, time_zone, created_at, expires_at, position)
            SELECT a.account, gen_random_uuid(), 3, 1, c.conversation, 1000000, gen_random_uuid(), b.account, n, 'junk',
                '', 'UTC', n, 9000000000000000, -n
            FROM conversations.account_ids AS a
            JOIN conversations.account_ids AS b ON b.user_id = '\(bob.user)'
            JOIN conversations.conversation_ids AS c ON c.conversation_id = '\(group)'
            CROSS JOIN generate_series(1, 200) AS n
            WHERE a.user_id = '\(alice.user)'
            """)
        for (person, text) in [(carol, "Dinner on Friday at 7pm"), (alice, "Lunch on Friday at noon")] {
            let id = Data(await person.client.newID().bytes)
            _ = try await person.client.send(.with { ($0.id, $0.conversation, $0.text) = (id, group, text) })
            try await eventually("\(text) is suggested") {
                await alice.updates.suggestions.contains { $0.sourceMessage == id && $0.state == .open }
            }
        }
        let withdrawn = await alice.updates.suggestions.filter { $0.state == .withdrawn }
        #expect(withdrawn.map(\.createdAtUs) == [1, 2], "the oldest of the one who made most")
        let id = Data(await bob.client.newID().bytes)
        _ = try await bob.client.send(.with { ($0.id, $0.conversation, $0.text) = (id, group, "Tea on Friday at 4pm") })
        try await eventually("one more of his takes the place of his own") {
            await alice.updates.suggestions.last { $0.state == .withdrawn }?.createdAtUs == 3
        }
        var (open, cursor) = ([Parley_V1_Suggestion](), "")
        repeat {
            let page = try await alice.client.listSuggestions(cursor: cursor, limit: 200)
            open += page.suggestions
            cursor = page.cursor
        } while !cursor.isEmpty
        #expect(open.prefix(3).map(\.title).allSatisfy { $0 != "junk" }, "those of all three are there")
    }

    @Test("E9 X3 the calendar has a person's own events, and those of each creator, beside 2,000 by one of them")
    func calendar() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob, carol, group, junk) = try await Self.scene(cluster)
        _ = try await Self.makeEvent("own", by: alice, in: [], seenBy: alice)
        let answered = try await Self.makeEvent("answered", by: bob, in: [group], seenBy: alice)
        try await alice.client.answerEvent(answered, .tentative)
        _ = try await Self.makeEvent("carol's", by: carol, in: [group], seenBy: alice)
        // Sooner than all others, and invited by the same message.
        try await cluster.execute(
            """
            WITH made AS (
                INSERT INTO entities.events (account, id, title, first_day, time_zone, minutes, location, link, notes,
                    recurrence, starts_at, ends_at, zone_rules, created_at, changed_at)
                SELECT account, gen_random_uuid(), 'junk', first_day - 30, '', minutes, '', '', '', '',
                    starts_at - 30 * 86400000000, ends_at - 30 * 86400000000, zone_rules, created_at + n, changed_at
                FROM entities.events, generate_series(1, 2000) AS n
                WHERE id = '\(junk)'::uuid
                RETURNING id, ends_at
            )
            INSERT INTO entities.event_invitations (conversation, event, card, ends_at)
            SELECT i.conversation, made.id, i.card, made.ends_at
            FROM entities.event_invitations AS i, made
            WHERE i.event = '\(junk)'::uuid
            """)
        let path = try await alice.client.createCalendarLink()
        let text = String(decoding: try await alice.client.calendar(at: path), as: UTF8.self)
        for title in ["own", "answered", "carol's"] { #expect(text.contains("SUMMARY:\(title)\r\n"), "\(title)") }
        #expect(text.components(separatedBy: "BEGIN:VEVENT").count == 2001)
    }
}
