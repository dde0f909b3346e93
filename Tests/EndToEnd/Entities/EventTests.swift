import Foundation
import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

@Suite("E1 E2: events")
struct EventTests {
    @Test("E1 E2 E6 an event invited into two conversations appears in each, and is answered from either, live for all")
    func invited() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(4) { $0 % 2 }
        let (alice, bob, carol, stranger) = (people[0], people[1], people[2], people[3])
        let tablet = try await cluster.device(of: alice, gateway: 1)
        let group = try await alice.client.createGroup(name: "us", users: [bob.user, carol.user]).conversation.id
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        let id = await alice.client.newID()
        let request = Parley_V1_CreateEventRequest.with {
            ($0.id, $0.title, $0.location) = (Data(id.bytes), "Dinner", "Trattoria, first floor")
            ($0.when.date, $0.when.time, $0.when.timeZone) = ("2090-12-01", "19:30", "Europe/Zurich")
            ($0.when.durationMinutes, $0.link) = (120, "https://example.org/menu")
            ($0.conversations, $0.conversation) = ([group, direct, group], group)
        }
        let made = try await alice.client.createEvent(request)
        let event = made.event
        #expect(!made.duplicate && event.creator == alice.user && event.version == 1 && event.position == 1)
        #expect(event.own.status == .accepted && event.own.host && event.accepted == 1 && event.coming == 1)
        #expect(event.conversations == [group, direct] && event.conversation == group)
        #expect(event.startsAtUs == 3_815_836_200_000_000 && event.remindMinutes == 30)
        let again = try await tablet.client.createEvent(request)
        #expect(again.duplicate && again.event == event)
        let card = try await appearance(of: id, in: group, for: carol)
        #expect(card.system.kind == .eventShared && card.system.actor == alice.user)
        _ = try await appearance(of: id, in: direct, for: bob)
        #expect(
            try await code { () async throws(ParleyError) in _ = try await stranger.client.event(id) } == "not_found")

        // Who has not answered sees it without a position, and no conversations.
        let seen = try await carol.client.event(id)
        #expect(seen.position == 0 && seen.own.status == .pending && seen.conversations.isEmpty)
        #expect(seen.conversation.isEmpty && seen.title == "Dinner" && seen.when == request.when)
        let tentative = try await carol.client.answerEvent(id, .tentative, guests: 2, from: group)
        #expect(tentative.event.own.guests == 2 && tentative.event.own.conversation == group)
        let accepted = try await bob.client.answerEvent(id, .accepted, guests: 1, from: direct).event
        #expect(accepted.accepted == 2 && accepted.tentative == 1 && accepted.coming == 3 && accepted.position == 1)
        let repeated = try await bob.client.answerEvent(id, .accepted, guests: 1, from: direct)
        #expect(repeated.duplicate && repeated.event == accepted)
        for device in [alice, tablet] {
            try await eventually("its creator learns of the answers") { await device.updates.events.last?.coming == 3 }
        }
        try await eventually("who answered earlier does too") { await carol.updates.events.last?.coming == 3 }
        let answered = try await carol.client.attendees(of: id).attendees
        #expect(answered.map(\.user) == [alice.user, carol.user, bob.user])
        #expect(answered.map(\.conversation) == ["", group, ""], "only one's own, unless one is a host")
        #expect(try await alice.client.attendees(of: id).attendees.map(\.conversation) == ["", group, direct])
        #expect(answered.allSatisfy { $0.answeredAtUs > 0 } && answered[1].status == .tentative)
        let page = try await alice.client.attendees(of: id, limit: 2)
        let rest = try await alice.client.attendees(of: id, cursor: page.cursor, limit: 2)
        #expect(page.attendees.count == 2 && rest.attendees.map(\.user) == [bob.user] && rest.cursor.isEmpty)

        // A change reaches its people by their streams, and all members by the message.
        let changes = try await appearance(of: id, in: group, for: carol).system.changes
        let changed = try await alice.client.updateEvent(id, version: 1) {
            $0.when.date = "2090-12-02"; $0.when.time = "20:00"
        }
        #expect(changed.event.version == 2 && changed.event.when.timeZone == "UTC")
        try await eventually("the others get it") {
            let (bobs, carols) = (await bob.updates.events.last, await carol.updates.events.last)
            return bobs?.version == 2 && carols?.when.time == "20:00"
        }
        try await eventually("the message tells of it") {
            await bob.updates.messages.contains {
                $0.conversation == group && $0.system.entity == Data(id.bytes) && $0.system.changes > changes
            }
        }
        try await alice.client.cancelEvent(id)
        try await eventually("it is called off for all") {
            let (bobs, carols) = (await bob.updates.events.last, await carol.updates.events.last)
            return bobs?.cancelledAtUs ?? 0 > 0 && carols?.cancelledAtUs ?? 0 > 0
        }
        #expect(try await alice.client.cancelEvent(id).duplicate)
        let tooLate = try await code { () async throws(ParleyError) in
            _ = try await carol.client.answerEvent(id, .accepted)
        }
        #expect(tooLate == "event_cancelled")
        // An offline device gets what it missed.
        let late = try await cluster.device(of: bob)
        let synced = try await late.client.syncEntities(since: 0)
        #expect(synced.events == [try await bob.client.event(id)] && synced.position > 1)

        try await alice.client.deleteEvent(id)
        #expect(try await tablet.client.deleteEvent(id).duplicate)
        try await eventually("it is gone for all, with the messages") {
            let message = try await bob.client.history(of: group, limit: 100).messages.first { $0.id == card.id }
            let last = await bob.updates.events.last
            return message?.deletedAtUs ?? 0 > 0 && last?.deletedAtUs ?? 0 > 0 && last?.title.isEmpty == true
        }
        #expect(try await code { () async throws(ParleyError) in _ = try await bob.client.event(id) } == "not_found")
        #expect(try await alice.client.syncEntities().events.isEmpty)
    }

    @Test("E1 of two editors the later one is refused and told what others changed; co-hosts edit, others do not")
    func editors() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(4)
        let (alice, bob, carol) = (people[0], people[1], people[2])
        let group = try await alice.client.createGroup(name: "us", users: [bob.user, carol.user]).conversation.id
        let id = try await makeEvent(by: alice, in: [group])
        #expect(
            try await code { () async throws(ParleyError) in
                try await alice.client.setEventHost(people[3].user, of: id)
            } == "user_not_invited")
        #expect(
            try await code { () async throws(ParleyError) in
                _ = try await bob.client.updateEvent(id, version: 1) { $0.title = "Bob's" }
            } == "not_host")
        let asked = try await alice.client.setEventHost(bob.user, of: id).event
        #expect(asked.hosts.isEmpty && asked.askedHosts == [bob.user])
        #expect(try await alice.client.setEventHost(bob.user, of: id).duplicate)
        try await eventually("he learns of it") { await bob.updates.events.last?.own.askedToHost == true }
        #expect(try await bob.client.answerEvent(id, .unspecified, hosts: true).event.hosts == [bob.user])
        _ = try await bob.client.updateEvent(id, version: 1) { ($0.title, $0.notes) = ("Supper", "Bring wine") }
        let refused = try await refusal { () async throws(ParleyError) in
            try await alice.client.updateEvent(id, version: 1) { $0.location = "At Bob's" }
        }
        #expect(refused.code == "event_changed" && refused.message.contains("the title, the notes"))
        #expect(refused.message.contains("version 2"))
        // What is so already needs no version.
        #expect(try await alice.client.updateEvent(id, version: 1) { $0.title = "Supper" }.duplicate)
        let changed = try await alice.client.updateEvent(id, version: 2) { $0.location = "At Bob's" }.event
        #expect(changed.version == 3 && changed.notes == "Bring wine" && changed.location == "At Bob's")
        for refused in [
            try await code { () async throws(ParleyError) in try await bob.client.deleteEvent(id) },
            try await code { () async throws(ParleyError) in try await bob.client.setEventHost(carol.user, of: id) },
            try await code { () async throws(ParleyError) in try await carol.client.cancelEvent(id) },
        ] { #expect(refused == "not_host") }
        try await alice.client.setEventHost(bob.user, of: id, host: false)
        #expect(
            try await code { () async throws(ParleyError) in
                try await bob.client.cancelEvent(id)
            } == "not_host")

        // Of many that change the same version at once, one wins.
        try await host(id, of: alice, by: bob)
        let outcomes = try await withThrowingTaskGroup(of: String.self) { tasks in
            for number in 0..<8 {
                tasks.addTask {
                    do throws(ParleyError) {
                        _ = try await [alice, bob][number % 2].client.updateEvent(id, version: 3) {
                            $0.title = "\(number)"
                        }
                        return ""
                    } catch { return error.code }
                }
            }
            return try await tasks.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(outcomes.sorted() == [""] + [String](repeating: "event_changed", count: 7))
    }

    @Test("E2 leaving a conversation, or withdrawing its invitation, takes the event from all but those who are coming")
    func leaving() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(6) { $0 % 2 }
        let (alice, bob, carol, dora, late) = (people[0], people[1], people[2], people[3], people[4])
        let group = try await alice.client.createGroup(
            name: "us", users: [bob.user, carol.user, dora.user, people[5].user]
        ).conversation.id
        let id = try await makeEvent(by: alice, in: [group])
        try await bob.client.answerEvent(id, .accepted)
        try await carol.client.answerEvent(id, .declined)
        try await alice.client.addMembers([late.user], to: group)
        #expect(
            try await code { () async throws(ParleyError) in _ = try await late.client.event(id) } == "not_found",
            "who joins later cannot read the message")
        try await bob.client.leaveGroup(group)
        try await alice.client.removeMember(carol.user, from: group)
        try await dora.client.leaveGroup(group)
        try await eventually("who declined gets its end") {
            await carol.updates.events.last?.deletedAtUs ?? 0 > 0
        }
        for person in [carol, dora] {
            #expect(
                try await code { () async throws(ParleyError) in _ = try await person.client.event(id) } == "not_found")
        }
        #expect(try await carol.client.syncEntities().events.isEmpty)
        #expect(try await bob.client.event(id).own.status == .accepted)
        try await eventually("the answer of who left does not count") { await alice.updates.events.last?.declined == 0 }
        _ = try await alice.client.updateEvent(id, version: 1) { $0.title = "Later" }
        try await eventually("who is coming still gets changes") { await bob.updates.events.last?.title == "Later" }
        #expect(await carol.updates.events.last?.title.isEmpty == true)

        // Withdrawn, and invited again by another message.
        let five = people[5]
        try await five.client.answerEvent(id, .declined)
        try await alice.client.uninviteConversation(group, from: id)
        #expect(try await alice.client.uninviteConversation(group, from: id).duplicate)
        #expect(try await code { () async throws(ParleyError) in _ = try await five.client.event(id) } == "not_found")
        try await eventually("it is gone for who declined") { await five.updates.events.last?.deletedAtUs ?? 0 > 0 }
        try await alice.client.inviteConversation(group, to: id)
        #expect(try await alice.client.inviteConversation(group, to: id).duplicate)
        try await eventually("it is there again") { (try? await five.client.event(id))?.own.status == .pending }
        try await eventually("also for who joined") { (try? await late.client.event(id)) != nil }
        try await five.client.answerEvent(id, .accepted)

        // The last members leave. The event is its creator's and of those who come.
        for person in [late, five, alice] { try await person.client.leaveGroup(group) }
        for person in [alice, bob, five] { #expect(try await person.client.event(id).title == "Later") }
        try await alice.client.cancelEvent(id)
        try await eventually("those who come learn of it") { await five.updates.events.last?.cancelledAtUs ?? 0 > 0 }
    }

    @Test("A5 E2 when its creator is erased a co-host takes over or the event is called off; erased guests are gone")
    func erased() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(4) { $0 % 2 }
        let (alice, bob, carol, dora) = (people[0], people[1], people[2], people[3])
        let group = try await alice.client.createGroup(
            name: "us", users: [bob.user, carol.user, dora.user]
        ).conversation.id
        let hosted = try await makeEvent(by: alice, in: [group])
        let alone = try await makeEvent(by: alice, in: [group])
        for id in [hosted, alone] {
            try await carol.client.answerEvent(id, .accepted)
            try await dora.client.answerEvent(id, .accepted, guests: 3)
        }
        try await host(hosted, of: alice, by: bob)
        try await dora.client.erase(password: dora.password)
        for id in [hosted, alone] {
            try await eventually("her answer is gone, and the others learn of it") {
                await carol.updates.events.last { $0.id == Data(id.bytes) }?.coming == 2
            }
        }
        #expect(try await carol.client.attendees(of: hosted).attendees.map(\.user) == [alice.user, carol.user])
        try await alice.client.erase(password: alice.password)
        try await eventually("a co-host takes over") { await bob.updates.events.last?.creator == bob.user }
        try await eventually("the other one is called off") {
            try await carol.client.event(alone).cancelledAtUs > 0
        }
        let taken = try await carol.client.event(hosted)
        #expect(taken.cancelledAtUs == 0 && taken.creator == bob.user && taken.accepted == 1)
        try await bob.client.deleteEvent(hosted)
        try await eventually("its end arrives") { await carol.updates.events.last?.deletedAtUs ?? 0 > 0 }
    }

    @Test("E1 texts, times, rules and answers that are not valid are refused, and so is what exceeds a limit")
    func refuses() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2)
        let (alice, bob) = (people[0], people[1])
        func refused(_ change: @Sendable (inout Parley_V1_CreateEventRequest) -> Void) async throws -> ParleyError {
            var request = Parley_V1_CreateEventRequest.with {
                ($0.title, $0.when.date, $0.when.time) = ("x", "2090-12-01", "10:00")
            }
            change(&request)
            let changed = request
            return try await refusal { () async throws(ParleyError) in try await alice.client.createEvent(changed) }
        }
        #expect(try await refused { $0.title = " " }.field == "title")
        #expect(try await refused { $0.clearWhen() }.field == "when")
        #expect(try await refused { $0.when.date = "2090-02-30" }.field == "when.date")
        #expect(try await refused { $0.when.time = "24:00" }.field == "when.time")
        #expect(try await refused { $0.when.timeZone = "Mars/Olympus" }.field == "time_zone")
        #expect(try await refused { $0.when.durationMinutes = 527_041 }.field == "when.duration_minutes")
        #expect(
            try await refused { ($0.when.time, $0.when.durationMinutes) = ("", 90) }.field == "when.duration_minutes")
        #expect(try await refused { ($0.when.time, $0.when.timeZone) = ("", "UTC") }.field == "when.time_zone")
        #expect(try await refused { $0.link = "http://example.org" }.field == "link")
        #expect(try await refused { $0.recurrence = "FREQ=HOURLY" }.field == "recurrence")
        #expect(try await refused { $0.recurrence = "FREQ=WEEKLY;BYDAY=MO" }.field == "recurrence", "it is a Friday")
        #expect(try await refused { $0.conversations = ["nowhere"] }.code == "not_member")
        #expect(try await refused { $0.conversation = "nowhere" }.code == "not_member")
        let id = try await makeEvent(by: alice, in: [])
        let bobs = try await makeEvent(by: bob, in: [])
        #expect(try await refused { $0.id = Data(bobs.bytes) }.code == "id_in_use")
        for (answer, field) in [
            (Parley_V1_AttendanceStatus.declined, "guests"), (.UNRECOGNIZED(9), "status"),
        ] {
            let refused = try await refusal { () async throws(ParleyError) in
                try await alice.client.answerEvent(id, answer, guests: 1)
            }
            #expect(refused.field == field)
        }
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await alice.client.answerEvent(id, .accepted, guests: 101)
            }.field == "guests")
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await alice.client.answerEvent(id, .accepted, remindMinutes: 40_321)
            }.field == "remind_minutes")
        #expect(
            try await code { () async throws(ParleyError) in
                try await alice.client.answerEvent(id, .accepted, from: "elsewhere")
            } == "not_member")
        for (first, last) in [("2026-12-01", "2027-12-02"), ("2026-12-02", "2026-12-01"), ("x", "2026-12-01")] {
            let refused = try await code { () async throws(ParleyError) in
                _ = try await alice.client.listEvents(from: first, to: last)
            }
            #expect(refused == "invalid")
        }
        // The 21st conversation.
        for number in 0..<20 {
            let group = try await alice.client.createGroup(name: "\(number)", users: [bob.user]).conversation.id
            try await alice.client.inviteConversation(group, to: id)
        }
        let more = try await alice.client.createGroup(name: "more", users: [bob.user]).conversation.id
        #expect(
            try await code { () async throws(ParleyError) in
                try await alice.client.inviteConversation(more, to: id)
            } == "too_many_conversations")
    }

    @Test("E1 dates between two days: recurring, moved, whole days, of one conversation, right where clocks change")
    func lists() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2) { $0 % 2 }
        let (alice, bob) = (people[0], people[1])
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        let weekly = await alice.client.newID()
        _ = try await alice.client.createEvent(
            .with {
                ($0.id, $0.title, $0.conversations) = (Data(weekly.bytes), "Choir", [direct])
                ($0.when.date, $0.when.time, $0.when.timeZone) = ("2027-10-20", "19:00", "Europe/Zurich")
                ($0.when.durationMinutes, $0.recurrence) = (60, "FREQ=WEEKLY")
            })
        _ = try await alice.client.updateEvent(weekly, version: 1) {
            $0.changedDates = [
                .with { ($0.date, $0.cancelled) = ("2027-11-10", true) },
                .with { ($0.date, $0.newDate, $0.newTime) = ("2027-11-17", "2027-11-18", "20:15") },
            ]
        }
        let trip = try await alice.client.createEvent(
            .with {
                ($0.title, $0.when.date, $0.when.durationMinutes) = ("Trip", "2027-10-30", 3 * 1440)
            }
        ).event
        let dates = try await alice.client.listEvents(from: "2027-10-27", to: "2027-11-30", timeZone: "Europe/Zurich")
            .dates
        #expect(
            dates.map(\.startsLocal) == [
                "2027-10-27T19:00", "2027-10-30", "2027-11-03T19:00", "2027-11-18T20:15", "2027-11-24T19:00",
            ])
        // 19:00 is 17:00 UTC before the clocks change, and 18:00 after.
        #expect(dates[2].startsAtUs - dates[0].startsAtUs == (7 * 24 + 1) * 3_600_000_000)
        #expect(dates[3].date == "2027-11-17" && dates[1].event == trip.id && dates[1].timeZone.isEmpty)
        #expect(dates[1].endsAtUs - dates[1].startsAtUs == 73 * 3_600_000_000)
        #expect(dates.allSatisfy { $0.own == .accepted })
        let inTokyo = try await alice.client.listEvents(from: "2027-11-01", to: "2027-11-01", timeZone: "Asia/Tokyo")
            .dates
        #expect(inTokyo.map(\.startsLocal) == ["2027-10-30"], "a day is a day")
        try await eventually("who is invited lists it too") {
            try await bob.client.listEvents(from: "2027-10-27", to: "2027-11-30").dates.map(\.own).count == 4
        }
        let bobs = try await bob.client.listEvents(from: "2027-10-27", to: "2027-11-30", conversation: direct)
        #expect(bobs.dates.map(\.date) == ["2027-10-27", "2027-11-03", "2027-11-17", "2027-11-24"])
        #expect(bobs.dates.allSatisfy { $0.own == .pending } && bobs.cursor.isEmpty)
        // Page by page, a year of daily dates.
        _ = try await bob.client.createEvent(
            .with { ($0.title, $0.when.date, $0.recurrence) = ("Walk", "2026-12-01", "FREQ=DAILY") })
        var (cursor, count) = ("", 0)
        repeat {
            let page = try await bob.client.listEvents(from: "2028-01-01", to: "2028-12-31", cursor: cursor, limit: 100)
            (cursor, count) = (page.cursor, count + page.dates.count)
        } while !cursor.isEmpty
        #expect(count == 366 + 52, "a leap year with as many Wednesdays")
    }
}

@Suite("E2: events and message requests")
struct EventStandingTests {
    @Test("C17 E2 nobody is invited who has not accepted the conversation; after a block nobody sees the other's")
    func standing() async throws {
        let cluster = try await TestCluster.asking
        let people = try await cluster.people(3)
        let (alice, bob, carol) = (people[0], people[1], people[2])
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await alice.client.send("hello", to: talk)
        try await eventually("bob sees the request") {
            (try? await bob.client.getConversation(talk))?.section == .requests
        }
        let id = try await makeEvent(by: alice, in: [])
        func invite(_ conversation: String, to id: UUIDv7, by person: Device) async throws -> String {
            try await code { () async throws(ParleyError) in
                try await person.client.inviteConversation(conversation, to: id)
            }
        }
        #expect(try await invite(talk, to: id, by: alice) == "request_pending")
        let bobs = try await makeEvent(by: bob, in: [])
        #expect(try await invite(talk, to: bobs, by: bob) == "accept_first")
        #expect(try await invite(talk, to: try await makeEvent(by: carol, in: []), by: carol) == "not_member")
        try await bob.client.acceptRequest(talk)
        try await alice.client.inviteConversation(talk, to: id)
        try await eventually("he sees it") { (try? await bob.client.event(id)) != nil }

        // A group of a stranger: nothing of it is shown before it is accepted.
        let group = try await alice.client.createGroup(name: "us", users: [bob.user, carol.user]).conversation.id
        try await alice.client.inviteConversation(group, to: id)
        try await eventually("a member sees it there") {
            try await bob.client.history(of: group, limit: 100).messages.contains { $0.system.kind == .eventShared }
        }
        #expect(try await code { () async throws(ParleyError) in _ = try await carol.client.event(id) } == "not_found")
        let hers = try await carol.client.listEvents(from: "2090-01-01", to: "2090-12-31").dates
        #expect(!hers.contains { $0.event == Data(id.bytes) } && hers.count == 1, "her own")
        try await alice.client.uninviteConversation(group, from: id)

        try await alice.client.block(bob.user)
        #expect(try await code { () async throws(ParleyError) in _ = try await bob.client.event(id) } == "not_found")
        let refused = try await code { () async throws(ParleyError) in try await bob.client.answerEvent(id, .accepted) }
        #expect(refused == "not_found", "as if there were none")
        #expect(try await alice.client.event(id).accepted == 1)
    }
}

extension EventTests {
    @Test(
        "E2 an attendee is reminded of each date as they wish, on all devices, and again of the next one",
        .timeLimit(.minutes(4)))
    func reminds() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2) { $0 % 2 }
        let (alice, bob) = (people[0], people[1])
        let tablet = try await cluster.device(of: bob, gateway: 1)
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        // The next minute but one, of which a minute before is soon.
        let minute = (await alice.client.serverTimeUs / 60_000_000 + 2) * 60
        let start = Date(timeIntervalSince1970: TimeInterval(minute)).formatted(.iso8601)
        let id = await alice.client.newID()
        _ = try await alice.client.createEvent(
            .with {
                ($0.id, $0.title, $0.conversations) = (Data(id.bytes), "Call", [direct])
                ($0.when.date, $0.when.time) = (String(start.prefix(10)), String(start.dropFirst(11).prefix(5)))
                $0.recurrence = "FREQ=DAILY"
            })
        try await eventually("it is shown") { (try? await bob.client.event(id)) != nil }
        try await bob.client.answerEvent(id, .accepted, remindMinutes: 1)
        for device in [bob, tablet] {
            try await eventually(within: .seconds(90), "he is reminded") {
                await device.updates.events.last?.remindedAtUs ?? 0 > 0
            }
        }
        let reminded = try #require(await bob.updates.events.last)
        #expect(reminded.remindedOfUs == minute * 1_000_000 && reminded.remindMinutes == 1)
        #expect(reminded.remindedAtUs >= (minute - 60) * 1_000_000)
        #expect(reminded.remindedAtUs < minute * 1_000_000, "before the date")
        #expect(await bob.updates.events.count { $0.remindedAtUs > 0 } == 1, "once")
        let alices = try await alice.client.event(id)
        #expect(alices.remindedAtUs == 0, "her half an hour was over when she made it")
    }
}

extension OwnClusters {
    @Test("E1 E2 a person has at most so many events; an event has at most 20 co-hosts and 1,000 people who answered")
    func eventsAreLimited() async throws {
        let cluster = try await TestCluster(.init(settings: ["entities": ["PARLEY_LIMITS_EVENTS": "3"]]))
        let people = try await cluster.people(24) { $0 % 2 }
        let (alice, late) = (people[0], people[23])
        let group = try await alice.client.createGroup(
            name: "us", users: people.dropFirst().map(\.user)
        ).conversation.id
        let (hosted, full, deleted) = (
            try await makeEvent(by: alice, in: [group]), try await makeEvent(by: alice, in: [group]),
            try await makeEvent(by: alice, in: [group])
        )
        let another = Parley_V1_CreateEventRequest.with {
            ($0.title, $0.when.date) = ("one more", "2090-12-01")
        }
        let tooMany = try await code { () async throws(ParleyError) in _ = try await alice.client.createEvent(another) }
        #expect(tooMany == "too_many_events")
        _ = try await late.client.createEvent(another)
        try await alice.client.deleteEvent(deleted)
        _ = try await alice.client.createEvent(another)

        for host in people[1...20] { try await alice.client.setEventHost(host.user, of: hosted) }
        let repeated = try await alice.client.setEventHost(people[20].user, of: hosted)
        #expect(repeated.duplicate && repeated.event.askedHosts.count == 20 && repeated.event.hosts.isEmpty)
        try await people[2].client.answerEvent(hosted, .unspecified, hosts: true)
        let tooManyHosts = try await code { () async throws(ParleyError) in
            try await alice.client.setEventHost(people[21].user, of: hosted)
        }
        #expect(tooManyHosts == "too_many_hosts")
        try await alice.client.setEventHost(people[1].user, of: hosted, host: false)
        try await alice.client.setEventHost(people[21].user, of: hosted)

        // Others who answered long ago. With alice, and with one more, they are all there may be.
        try await Self.answerForOthers(998, to: full, in: cluster)
        try await people[1].client.answerEvent(full, .accepted)
        let refused = try await code { () async throws(ParleyError) in
            try await late.client.answerEvent(full, .tentative)
        }
        #expect(refused == "too_many_attendees")
        let unhosted = try await code { () async throws(ParleyError) in
            try await alice.client.setEventHost(late.user, of: full)
        }
        #expect(unhosted == "too_many_attendees")
        let changed = try await people[1].client.answerEvent(full, .declined)
        #expect(changed.event.declined == 1 && changed.event.tentative == 998, "who answered may change their mind")
        await cluster.end()
    }

    /// Stores that people who have no devices may come.
    @ReactorActor
    private static func answerForOthers(_ count: Int, to event: UUIDv7, in cluster: TestCluster) async throws {
        let connection = try await Connection.open(DatabaseConfiguration(test: cluster.endpoints.database))
        defer { connection.close() }
        try await connection.execute(
            Statement<Void>(
                """
                INSERT INTO entities.attendances (account, event, status, remind_minutes, ends_at, answered_at, position)
                SELECT 1000000 + n, '\(event)'::uuid, 4, 30, ends_at, n, 1
                FROM entities.events, generate_series(1, \(count)) AS n
                WHERE id = '\(event)'::uuid
                """))
    }
}

extension FaultClusters {
    @Test("E2 E6 answers are counted once, and everybody learns of them, while messaging and entities are killed")
    func killedWhileAnswering() async throws {
        let cluster = try await TestCluster(.init(replicas: ["messaging": 2, "entities": 2]))
        let people = try await cluster.people(5) { $0 % 2 }
        let group = try await people[0].client.createGroup(
            name: "us", users: people.dropFirst().map(\.user)
        ).conversation.id
        var made: [UUIDv7] = []
        for _ in 0..<6 { made.append(try await makeEvent(by: people[0], in: [group])) }
        let events = made
        let answers: [Parley_V1_AttendanceStatus] = [.accepted, .declined, .tentative, .pending]
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for (number, person) in people.enumerated() {
                tasks.addTask {
                    for round in 0..<40 {
                        let status = answers[(round + number) % 4]
                        try await person.client.answerEvent(
                            events[round % 6], status, guests: status == .accepted ? UInt32(number) : 0)
                    }
                }
            }
            tasks.addTask {
                for version in 1...30 {
                    let id = events[version % 6]
                    let known = try await people[0].client.event(id).version
                    _ = try await people[0].client.updateEvent(id, version: known) { $0.title = "\(version)" }
                }
            }
            tasks.addTask {
                for round in 0..<8 {
                    let replica = "\(round % 2 == 0 ? "messaging" : "entities")-\(round / 2 % 2 + 1)"
                    try await cluster.cluster.kill(replica)
                    try await Task.sleep(for: .milliseconds(Int64.random(in: 50...300)))
                    try await cluster.cluster.waitUntilReady(replica)
                }
            }
            try await tasks.waitForAll()
        }
        for (index, id) in events.enumerated() {
            let expected = people.indices.map { number in
                answers[((index < 4 ? 36 : 30) + index + number) % 4]
            }
            let found = try await people[0].client.attendees(of: id).attendees
            for (number, person) in people.enumerated() {
                #expect(found.first { $0.user == person.user }?.status == expected[number], "\(index) \(number)")
            }
            let event = try await people[0].client.event(id)
            #expect(event.accepted == expected.count { $0 == .accepted })
            #expect(event.declined == expected.count { $0 == .declined })
            #expect(event.version == 6)
            let coming = zip(expected, 0...).reduce(0) { $0 + ($1.0 == .accepted ? 1 + $1.1 : 0) }
            #expect(Int(event.coming) == coming)
            for (number, person) in people.enumerated() {
                try await eventually(within: .seconds(20), "everybody has the last state") {
                    let held = await person.updates.events.filter { $0.id == Data(id.bytes) }
                    let newest = held.max { $0.position < $1.position }
                    // It has ended for guests who declined; its creator hosts it whatever they answer.
                    if number > 0, expected[number] == .declined { return newest?.deletedAtUs ?? 0 > 0 }
                    return newest?.coming == event.coming && newest?.title == event.title
                        && newest?.declined == event.declined
                }
            }
            let cards = try await people[1].client.history(of: group, limit: 100).messages
                .filter { $0.system.entity == Data(id.bytes) }
            #expect(cards.count == 1)
        }
        await cluster.end()
    }
}

/// Creates an event in 2090, and waits until it appears.
private func makeEvent(by person: Device, in conversations: [String]) async throws -> UUIDv7 {
    let id = await person.client.newID()
    _ = try await person.client.createEvent(
        .with {
            ($0.id, $0.title, $0.conversations) = (Data(id.bytes), "Dinner", conversations)
            ($0.when.date, $0.when.time, $0.when.timeZone) = ("2090-12-01", "19:30", "Europe/Zurich")
        })
    for conversation in conversations { _ = try await appearance(of: id, in: conversation, for: person) }
    return id
}

/// Makes a person who sees an event its co-host.
private func host(_ id: UUIDv7, of creator: Device, by person: Device) async throws {
    try await creator.client.setEventHost(person.user, of: id)
    try await person.client.answerEvent(id, .unspecified, hosts: true)
}

/// Waits for the message that shows an event.
private func appearance(of id: UUIDv7, in conversation: String, for person: Device) async throws -> Parley_V1_Message {
    func find() async throws -> Parley_V1_Message? {
        try await person.client.history(of: conversation, limit: 100).messages.last {
            $0.system.entity == Data(id.bytes)
        }
    }
    try await eventually("it appears in the conversation") { try await find() != nil }
    return try #require(try await find())
}

private func code(_ call: @Sendable () async throws(ParleyError) -> Void) async throws -> String {
    try await refusal { () async throws(ParleyError) in try await call() }.code
}
