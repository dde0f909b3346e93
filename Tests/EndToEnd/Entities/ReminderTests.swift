import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("E3: reminders")
struct ReminderTests {
    @Test("E3 reminders are created once, listed by due time, and published to all my devices and nobody else")
    func reminders() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let tablet = try await cluster.device(of: alice, gateway: 1)
        let bob = try await cluster.person("bob")
        let conversation = try await alice.client.startDirect(with: bob.user).conversation.id
        let source = await alice.client.newID()
        _ = try await alice.client.send("send the documents", to: conversation, id: source)

        let now = await alice.client.serverTimeUs
        let dueTimes: [Int64] = [30, 10, 20, 10, 50, 40, 60]
        var made: [Parley_V1_Reminder] = []
        for (number, due) in dueTimes.enumerated() {
            let reply = try await alice.client.createReminder(
                .with {
                    ($0.title, $0.dueAtUs) = ("reminder \(number)", now + due * 60_000_000)
                    guard number == 0 else { return }
                    ($0.timeZone, $0.conversation, $0.notificationID) = ("Europe/Zurich", conversation, "local-1")
                    $0.sourceMessage = Data(source.bytes)
                })
            #expect(!reply.duplicate && reply.reminder.position == Int64(number + 1))
            made.append(reply.reminder)
        }
        #expect(made[0].timeZone == "Europe/Zurich" && made[0].conversation == conversation)
        #expect(made[0].sourceMessage == Data(source.bytes) && made[0].notificationID == "local-1")
        #expect(made[1].timeZone == "UTC" && made[1].conversation.isEmpty && !made[1].completed)

        let again = try await tablet.client.createReminder(
            .with { ($0.id, $0.title, $0.dueAtUs) = (made[2].id, "another title", now) })
        #expect(again.duplicate && again.reminder == made[2])

        var listed: [Parley_V1_Reminder] = []
        var cursor = ""
        repeat {
            let page = try await tablet.client.listReminders(cursor: cursor, limit: 3)
            #expect(page.reminders.count <= 3)
            listed += page.reminders
            cursor = page.cursor
        } while !cursor.isEmpty
        let expected = made.sorted {
            ($0.dueAtUs, $0.id.map(\.self).description) < ($1.dueAtUs, $1.id.map(\.self).description)
        }
        #expect(listed.map(\.dueAtUs) == expected.map(\.dueAtUs))
        #expect(Set(listed.map(\.id)) == Set(made.map(\.id)) && listed.count == made.count)
        #expect(try await alice.client.listReminders(conversation: conversation).reminders == [made[0]])
        #expect(try await alice.client.listReminders(.onlyCompleted).reminders.isEmpty)
        #expect(try await alice.client.listReminders(.onlyOpen).reminders.count == made.count)

        try await eventually("the tablet receives all") { await tablet.updates.reminders.count >= made.count }
        #expect(await tablet.updates.reminders == made)
        let synced = try await tablet.client.syncEntities()
        #expect(synced.reminders == made && synced.position == Int64(made.count) && !synced.more)
        #expect(try await tablet.client.syncEntities(epoch: synced.epoch, since: 5).reminders == Array(made[5...]))
        #expect(await bob.updates.reminders.isEmpty)
        #expect(try await bob.client.listReminders().reminders.isEmpty)
        #expect(try await bob.client.syncEntities().reminders.isEmpty)
    }

    @Test("E3 only I can complete and reopen my reminder, and each change is published once to all my devices")
    func complete() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let tablet = try await cluster.device(of: alice, gateway: 1)
        let bob = try await cluster.person("bob")
        let due = await alice.client.serverTimeUs + 60_000_000
        let made = try await alice.client.createReminder(.with { ($0.title, $0.dueAtUs) = ("tickets", due) }).reminder
        let id = try #require(UUIDv7(bytes: made.id))

        let done = try await tablet.client.completeReminder(id)
        #expect(done.reminder.completed && !done.duplicate && done.reminder.position == made.position + 1)
        let again = try await alice.client.completeReminder(id)
        #expect(again.duplicate && again.reminder == done.reminder)
        #expect(try await alice.client.listReminders(.onlyCompleted).reminders == [done.reminder])
        #expect(try await alice.client.listReminders(.onlyOpen).reminders.isEmpty)

        let opened = try await alice.client.completeReminder(id, completed: false).reminder
        #expect(!opened.completed && opened.position == made.position + 2)
        try await eventually("all devices receive each change once") {
            let (mine, tablets) = (await alice.updates.reminders, await tablet.updates.reminders)
            return mine.count >= 3 && tablets.count >= 3
        }
        #expect(await alice.updates.reminders == [made, done.reminder, opened])
        #expect(await tablet.updates.reminders == [made, done.reminder, opened])

        let others = try await refusal { () async throws(ParleyError) in try await bob.client.completeReminder(id) }
        let nobodys = try await refusal { () async throws(ParleyError) in
            try await bob.client.completeReminder(await bob.client.newID())
        }
        #expect(others.code == "not_found" && others == nobodys)
        #expect(try await alice.client.listReminders().reminders == [opened])
    }

    @Test("E3 an invalid reminder is refused with the name of the field")
    func refuses() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        func field(_ change: (inout Parley_V1_CreateReminderRequest) -> Void) async throws -> String {
            var request = Parley_V1_CreateReminderRequest()
            (request.title, request.dueAtUs) = ("title", 1_800_000_000_000_000)
            change(&request)
            let changed = request
            return try await refusal { () async throws(ParleyError) in try await alice.client.createReminder(changed) }
                .field
        }
        #expect(try await field { $0.title = "  " } == "title")
        #expect(try await field { $0.dueAtUs = 0 } == "due_at_us")
        #expect(try await field { $0.timeZone = "Mars/Olympus" } == "time_zone")
        #expect(try await field { $0.timeZone = "'; DROP TABLE" } == "time_zone")
        #expect(try await field { $0.conversation = "nobody_noone" } == "conversation")
        #expect(try await field { $0.id = Data(count: 16) } == "id")
        let cursor = try await refusal { () async throws(ParleyError) in
            try await alice.client.listReminders(cursor: "x")
        }
        #expect(cursor.field == "cursor")
        #expect(try await alice.client.listReminders().reminders.isEmpty)
    }
}
