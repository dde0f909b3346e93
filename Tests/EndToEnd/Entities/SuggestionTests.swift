import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("E8: suggestions")
struct SuggestionTests {
    /// People whose messages are understood in the time of Zürich. The first knows the others.
    private static func people(_ count: Int, in cluster: TestCluster) async throws -> [Device] {
        let people = try await cluster.people(count) { $0 % 2 }
        for person in people { await person.client.setTimeZone("Europe/Zurich") }
        try await cluster.acquaint(people[0], Array(people.dropFirst()))
        return people
    }

    /// Sends a text and returns its id with its seq.
    private static func send(
        _ text: String, to conversation: String, by person: Device,
        _ more: (inout Parley_V1_SendMessageRequest) -> Void = { _ in }
    ) async throws -> (id: Data, seq: Int64) {
        var request = Parley_V1_SendMessageRequest()
        let id = Data(await person.client.newID().bytes)
        (request.id, request.conversation, request.text) = (id, conversation, text)
        more(&request)
        return (id, try await person.client.send(request).seq)
    }

    /// Waits for the open suggestion of a message that a person gets live.
    private static func suggestion(
        _ kind: Parley_V1_SuggestionKind, of message: Data, to person: Device
    ) async throws -> Parley_V1_Suggestion {
        let find = {
            await person.updates.suggestions.last {
                $0.kind == kind && $0.sourceMessage == message && $0.state == .open
            }
        }
        try await eventually("\(person.username) gets the suggestion") { await find() != nil }
        return try #require(await find())
    }

    private static func open(_ person: Device, _ conversation: String = "") async throws -> [Parley_V1_Suggestion] {
        try await person.client.listSuggestions(conversation: conversation).suggestions
    }

    private static func id(_ suggestion: Parley_V1_Suggestion) throws -> UUIDv7 {
        try #require(UUIDv7(bytes: suggestion.id))
    }

    private static func ended(_ suggestion: Parley_V1_Suggestion, of person: Device) async -> Parley_V1_SuggestionState?
    {
        await person.updates.suggestions.last { $0.id == suggestion.id }?.state
    }

    @Test("E8 an event is suggested to each member; the first to accept makes it, and the others answer that one")
    func events() async throws {
        let cluster = try await TestCluster.shared
        let people = try await Self.people(4, in: cluster)
        let (alice, bob, carol) = (people[0], people[1], people[2])
        let group = try await alice.client.createGroup(name: "us", users: [bob.user, carol.user]).conversation.id
        let message = try await Self.send("Dinner on Friday at 7pm", to: group, by: alice)
        var suggested: [Parley_V1_Suggestion] = []
        for person in [alice, bob, carol] {
            let one = try await Self.suggestion(.event, of: message.id, to: person)
            #expect(one.title == "Dinner" && one.when.time == "19:00" && one.when.timeZone == "Europe/Zurich")
            #expect(one.conversation == group && one.sourceSeq == message.seq && one.entity.isEmpty)
            #expect(try await Self.open(person, group) == [one])
            #expect(try await person.client.syncEntities().suggestions == [one])
            suggested.append(one)
        }
        #expect(try await Self.open(people[3]).isEmpty)

        let id = try Self.id(suggested[1])
        let made = try await bob.client.acceptSuggestion(id) { $0.title = "Supper" }
        #expect(made.event.title == "Supper" && made.event.creator == bob.user && made.event.when == suggested[1].when)
        #expect(made.event.conversations == [group] && made.event.sourceMessage == message.id)
        #expect(made.event.id == suggested[1].id && made.event.own.status == .accepted && !made.duplicate)
        #expect(made.suggestion.state == .accepted && made.suggestion.entity == made.event.id)
        #expect(made.suggestion.title.isEmpty && made.suggestion.conversation.isEmpty)
        let again = try await bob.client.acceptSuggestion(id)
        #expect(again.duplicate && again.event == made.event)
        for (index, person) in [(0, alice), (2, carol)] {
            try await eventually("the suggestion is now an answer") {
                await person.updates.suggestions.last?.entity == made.event.id
            }
            #expect(await Self.ended(suggested[index], of: person) == .open)
        }

        let answered = try await carol.client.acceptSuggestion(try Self.id(suggested[2])) { $0.answer = .tentative }
        #expect(answered.event.id == made.event.id && answered.event.own.status == .tentative)
        #expect(answered.event.accepted == 1 && answered.suggestion.entity == made.event.id)
        let accepted = try await alice.client.acceptSuggestion(try Self.id(suggested[0]))
        #expect(accepted.event.accepted == 2 && accepted.event.tentative == 1 && accepted.event.creator == bob.user)
        for person in [alice, bob, carol] { #expect(try await Self.open(person).isEmpty) }
        try await eventually("the event appears once") {
            try await alice.client.history(of: group, limit: 100).messages.count { $0.system.kind == .eventShared } == 1
        }
    }

    @Test("E8 of two who accept at the same time one makes the event and the other answers it")
    func races() async throws {
        let cluster = try await TestCluster.shared
        let people = try await Self.people(2, in: cluster)
        let talk = try await people[0].client.startDirect(with: people[1].user).conversation.id
        for round in 0..<5 {
            let message = try await Self.send("Lunch tomorrow at \(round + 1)pm", to: talk, by: people[round % 2])
            let first = try Self.id(try await Self.suggestion(.event, of: message.id, to: people[0]))
            let second = try Self.id(try await Self.suggestion(.event, of: message.id, to: people[1]))
            async let one = people[0].client.acceptSuggestion(first)
            async let other = people[1].client.acceptSuggestion(second)
            let events = try await [one.event, other.event]
            #expect(events[0].id == events[1].id && events.contains { $0.accepted == 2 })
        }
    }

    @Test("E8 E2 who declines an event as soon as another member makes it has answered it, and still sees it")
    func declines() async throws {
        let cluster = try await TestCluster.shared
        let people = try await Self.people(2, in: cluster)
        let (alice, bob) = (people[0], people[1])
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        for round in 0..<5 {
            let message = try await Self.send("Lunch tomorrow at \(round + 1)pm", to: talk, by: alice)
            let first = try Self.id(try await Self.suggestion(.event, of: message.id, to: alice))
            let second = try Self.id(try await Self.suggestion(.event, of: message.id, to: bob))
            let made = try await alice.client.acceptSuggestion(first).event
            let declined = try await bob.client.acceptSuggestion(second) { $0.answer = .declined }
            #expect(declined.event.deletedAtUs == 0 && declined.event.own.status == .declined)
            #expect(declined.event.declined == 1 && declined.event.title == made.title && declined.position > 0)
            let id = try #require(UUIDv7(bytes: made.id))
            #expect(try await bob.client.event(id).own.status == .declined)
            try await eventually("the event appears") {
                try await bob.client.history(of: talk, limit: 100).messages.contains { $0.system.entity == made.id }
            }
            let seen = try await bob.client.event(id)
            #expect(seen.own.status == .declined && seen.declined == 1 && seen.deletedAtUs == 0)
            let again = try await bob.client.acceptSuggestion(second) { $0.answer = .declined }
            #expect(again.duplicate && again.event == seen)
        }
    }

    @Test("E8 a reminder is suggested only to who is to do it")
    func reminders() async throws {
        let cluster = try await TestCluster.shared
        let people = try await Self.people(3, in: cluster)
        let (alice, bob, carol) = (people[0], people[1], people[2])
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        let asked = try await Self.send("Can you send the docs by tomorrow?", to: talk, by: alice)
        let wanted = try await Self.suggestion(.reminder, of: asked.id, to: bob)
        #expect(wanted.title == "Send the docs" && wanted.dueLocal.hasSuffix("T09:00:00"))
        let promised = try await Self.send("I'll send the docs by tomorrow", to: talk, by: alice)
        let own = try await Self.suggestion(.reminder, of: promised.id, to: alice)
        #expect(try await Self.open(alice) == [own])
        #expect(try await Self.open(bob) == [wanted])

        let made = try await bob.client.acceptSuggestion(try Self.id(wanted)) {
            ($0.title, $0.dueLocal) = ("Docs for \(alice.username)", "2090-01-02T08:30")
        }
        #expect(made.reminder.title == "Docs for \(alice.username)" && made.reminder.sourceMessage == asked.id)
        #expect(made.reminder.dueLocal == "2090-01-02T08:30:00" && made.reminder.timeZone == "Europe/Zurich")
        #expect(made.reminder.conversation == talk && made.reminder.id == wanted.id)
        #expect(try await bob.client.listReminders().reminders == [made.reminder])
        #expect(try await bob.client.acceptSuggestion(try Self.id(wanted)).reminder == made.reminder)

        // In a group the message says whom it asks.
        let group = try await alice.client.createGroup(name: "us", users: [bob.user, carol.user]).conversation.id
        _ = try await Self.send("Can you book the hall by tomorrow?", to: group, by: alice)
        let named = try await Self.send("Can you print the list by tomorrow?", to: group, by: alice) {
            $0.mentions = [carol.user]
        }
        let all = try await Self.send("everyone please pay your share by tomorrow", to: group, by: alice)
        _ = try await Self.suggestion(.reminder, of: named.id, to: carol)
        for person in [bob, carol] { _ = try await Self.suggestion(.reminder, of: all.id, to: person) }
        #expect(try await Self.open(alice, group).isEmpty)
        #expect(try await Self.open(bob, group).map(\.sourceMessage) == [all.id])
        #expect(try await Self.open(carol, group).map(\.sourceMessage) == [all.id, named.id])
    }

    @Test("E8 a decision is suggested to each member, who keeps or shares it; dismissed, it ends on all devices")
    func decisions() async throws {
        let cluster = try await TestCluster.shared
        let people = try await Self.people(3, in: cluster)
        let (alice, bob, carol) = (people[0], people[1], people[2])
        let tablet = try await cluster.device(of: carol, gateway: 1)
        let group = try await alice.client.createGroup(name: "us", users: [bob.user, carol.user]).conversation.id
        let message = try await Self.send("Going to Italian restaurant", to: group, by: alice)
        let mine = try await Self.suggestion(.decision, of: message.id, to: alice)
        let kept = try await alice.client.acceptSuggestion(try Self.id(mine)).decision
        #expect(kept.text == mine.title && !kept.shared && kept.sourceMessage == message.id)
        let theirs = try await Self.suggestion(.decision, of: message.id, to: bob)
        let shared = try await bob.client.acceptSuggestion(try Self.id(theirs)) { $0.shared = true }.decision
        #expect(shared.shared && shared.conversation == group)

        let other = try await Self.suggestion(.decision, of: message.id, to: carol)
        let dismissed = try await carol.client.dismissSuggestion(try Self.id(other))
        #expect(dismissed.suggestion.state == .dismissed && dismissed.suggestion.title.isEmpty && !dismissed.duplicate)
        try await eventually("the tablet knows") { await Self.ended(other, of: tablet) == .dismissed }
        #expect(try await carol.client.dismissSuggestion(try Self.id(other)).duplicate)
        for (person, id) in [(carol, try Self.id(other)), (alice, await alice.client.newID())] {
            let refused = try await refusal { () async throws(ParleyError) in
                _ = try await person.client.acceptSuggestion(id)
            }
            #expect(refused.code == "not_found")
        }
        // An edit does not bring it back.
        _ = try await alice.client.edit(message.seq, of: group, text: "Going to Greek restaurant")
        let next = try await Self.send("Lunch tomorrow at noon", to: group, by: alice)
        _ = try await Self.suggestion(.event, of: next.id, to: carol)
        #expect(try await Self.open(carol).map(\.sourceMessage) == [next.id])
    }

    @Test("E8 without the sender's zone nothing depends on a time of day; hello names the zone of a session")
    func zones() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob) = (try await cluster.person("alice"), try await cluster.person("bob"))
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await Self.send("Dinner on Friday at 7pm", to: talk, by: alice)
        await alice.client.setTimeZone("Atlantis/Capital")
        _ = try await Self.send("Dinner on Saturday at 7pm", to: talk, by: alice)
        let days = try await Self.send("Lunch tomorrow", to: talk, by: alice)
        let whole = try await Self.suggestion(.event, of: days.id, to: alice)
        #expect(whole.when.time.isEmpty && whole.when.timeZone.isEmpty)
        #expect(try await Self.open(alice) == [whole])

        let client = cluster.newClient(timeZone: "America/New_York")
        try await client.connect(token: await alice.client.credentials?.accessToken)
        let id = await client.newID()
        _ = try await client.send("Dinner on Friday at 7pm", to: talk, id: id)
        let zoned = try await Self.suggestion(.event, of: Data(id.bytes), to: alice)
        #expect(zoned.when.time == "19:00" && zoned.when.timeZone == "America/New_York")
        await client.close()
    }

    @Test("E8 edits and deletions of a message take its open suggestions along")
    func changes() async throws {
        let cluster = try await TestCluster.shared
        let people = try await Self.people(3, in: cluster)
        let (alice, bob, carol) = (people[0], people[1], people[2])
        let group = try await alice.client.createGroup(name: "us", users: [bob.user, carol.user]).conversation.id
        let message = try await Self.send("Dinner on Friday at 7pm", to: group, by: alice)
        let first = try await Self.suggestion(.event, of: message.id, to: bob)
        _ = try await alice.client.edit(message.seq, of: group, text: "Dinner on Friday at 8pm")
        try await eventually("it moves") { await bob.updates.suggestions.last?.when.time == "20:00" }
        let moved = try #require(await bob.updates.suggestions.last)
        #expect(moved.id == first.id && moved.position > first.position)
        _ = try await alice.client.edit(message.seq, of: group, text: "Never mind")
        try await eventually("it is withdrawn") { await Self.ended(first, of: bob) == .withdrawn }
        #expect(try await Self.open(bob).isEmpty)
        let gone = try await refusal { () async throws(ParleyError) in
            _ = try await bob.client.acceptSuggestion(UUIDv7(bytes: first.id)!)
        }
        #expect(gone.code == "not_found")

        let deleted = try await Self.send("Dinner on Friday at 7pm", to: group, by: alice)
        let hidden = try await Self.send("Brunch on Sunday at 11am", to: group, by: alice)
        let (one, other) = (
            try await Self.suggestion(.event, of: deleted.id, to: bob),
            try await Self.suggestion(.event, of: hidden.id, to: bob)
        )
        let carols = try await Self.suggestion(.event, of: hidden.id, to: carol)
        try await alice.client.delete(deleted.seq, of: group)
        _ = try await bob.client.hide([hidden.seq], of: group)
        for suggestion in [one, other] {
            try await eventually("it is withdrawn") { await Self.ended(suggestion, of: bob) == .withdrawn }
        }
        #expect(try await Self.open(carol) == [carols], "only who hid it")
        try await alice.client.removeMember(carol.user, from: group)
        try await eventually("with the membership") { await Self.ended(carols, of: carol) == .withdrawn }
        #expect(try await bob.client.syncEntities().suggestions.isEmpty)
    }

    @Test("E8 suggestions can be turned off for a person and for a conversation of theirs")
    func settings() async throws {
        let cluster = try await TestCluster.shared
        let people = try await Self.people(3, in: cluster)
        let (alice, bob) = (people[0], people[1])
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        let other = try await alice.client.startDirect(with: people[2].user).conversation.id
        let early = try await Self.send("Dinner on Friday at 7pm", to: talk, by: alice)
        let first = try await Self.suggestion(.event, of: early.id, to: alice)
        let set = try await alice.client.setSuggestions(off: true, in: talk)
        #expect(!set.off && set.conversations == [talk] && !set.duplicate)
        #expect(try await alice.client.setSuggestions(off: true, in: talk).duplicate)
        try await eventually("it is withdrawn") { await Self.ended(first, of: alice) == .withdrawn }
        let late = try await Self.send("Dinner on Saturday at 7pm", to: talk, by: bob)
        _ = try await Self.suggestion(.event, of: late.id, to: bob)
        let elsewhere = try await Self.send("Dinner on Sunday at 7pm", to: other, by: alice)
        _ = try await Self.suggestion(.event, of: elsewhere.id, to: alice)
        #expect(try await Self.open(alice).map(\.sourceMessage) == [elsewhere.id])

        try await alice.client.setSuggestions(off: true)
        #expect(try await Self.open(alice).isEmpty)
        let last = try await Self.send("Dinner on Monday at 7pm", to: other, by: alice)
        _ = try await Self.suggestion(.event, of: last.id, to: people[2])
        try await alice.client.setSuggestions(off: false)
        let settings = try await alice.client.setSuggestions(off: false, in: talk)
        #expect(try await alice.client.suggestionSettings().conversations.isEmpty && settings.conversations.isEmpty)
        #expect(try await Self.open(alice).isEmpty, "what was said meanwhile stays unsaid")
        let again = try await Self.send("Dinner on Tuesday at 7pm", to: talk, by: alice)
        _ = try await Self.suggestion(.event, of: again.id, to: alice)
        let refused = try await refusal { () async throws(ParleyError) in
            try await people[2].client.setSuggestions(off: true, in: talk)
        }
        #expect(refused.code == "not_member")
    }

    @Test("E8 a person has at most 200 open suggestions: of their own the oldest give way")
    func limit() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let notes = try await alice.client.startDirect(with: alice.user).conversation.id
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<205 {
                group.addTask { _ = try await alice.client.sendReliably("Lunch tomorrow", to: notes) }
            }
            try await group.waitForAll()
        }
        try await eventually("they are suggested") {
            let all = await alice.updates.suggestions
            return Set(all.map(\.id)).count == 205 && Set(all.filter { $0.state == .withdrawn }.map(\.id)).count == 5
        }
        var cursor = ""
        var found: [Data] = []
        repeat {
            let page = try await alice.client.listSuggestions(cursor: cursor, limit: 90)
            found += page.suggestions.map(\.id)
            cursor = page.cursor
        } while !cursor.isEmpty
        #expect(found.count == 200 && Set(found).count == 200)
        try await alice.client.dismissSuggestion(UUIDv7(bytes: found[0])!)
        let more = try await Self.send("Brunch tomorrow", to: notes, by: alice)
        _ = try await Self.suggestion(.event, of: more.id, to: alice)
        #expect(await alice.updates.suggestions.count { $0.state == .withdrawn } == 5, "there was a place")
    }
}
