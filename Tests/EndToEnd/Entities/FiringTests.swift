import Foundation
import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

@Suite("E4: reminders fire")
struct FiringTests {
    @Test("E4 a due reminder fires once, not before its time, on every device, also one that was offline")
    func fires() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let tablet = try await cluster.device(of: alice, gateway: 1)
        let due = await alice.client.serverTimeUs + 1_500_000
        let made = try await alice.client.createReminder(.with { ($0.title, $0.dueAtUs) = ("tickets", due) }).reminder
        #expect(made.firedAtUs == 0)
        for device in [alice, tablet] {
            try await eventually("it fires") { await device.updates.reminders.contains { $0.firedAtUs > 0 } }
        }
        let fired = try #require(await tablet.updates.reminders.last)
        #expect(fired.firedAtUs >= due)
        #expect(fired.position == made.position + 1 && fired.dueAtUs == due && fired.title == "tickets")
        let late = try await cluster.device(of: alice, gateway: 0)
        let synced = try await late.client.syncEntities(since: 0)
        #expect(synced.reminders == [fired] && synced.position == 2)
        try await Task.sleep(for: .seconds(2))
        #expect(await tablet.updates.reminders == [made, fired], "it fires once")
    }

    @Test(
        "E4 one whose time has passed fires at once; a completed or deleted one does not fire; a snoozed one fires again"
    )
    func states() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let now = await alice.client.serverTimeUs
        func make(_ title: String, in seconds: Double) async throws -> UUIDv7 {
            let id = await alice.client.newID()
            _ = try await alice.client.createReminder(
                .with {
                    ($0.id, $0.title, $0.dueAtUs) = (Data(id.bytes), title, now + Int64(seconds * 1_000_000))
                })
            return id
        }
        func fired(_ id: UUIDv7) async throws -> Bool { try await alice.client.reminder(id).firedAtUs > 0 }
        let past = try await make("past", in: -3600)
        let (completed, deleted) = (try await make("completed", in: 2), try await make("deleted", in: 2))
        let (moved, snoozed) = (try await make("moved", in: 2), try await make("snoozed", in: 2))
        _ = try await alice.client.completeReminder(completed)
        try await alice.client.deleteReminder(deleted)
        _ = try await alice.client.updateReminder(moved) { $0.dueAtUs = now + 3_600_000_000 }
        try await eventually("the past one fires") { try await fired(past) }
        try await eventually("the next one fires") { try await fired(snoozed) }

        let until = await alice.client.serverTimeUs + 5_000_000
        let changed = try await alice.client.snoozeReminder(snoozed, untilUs: until).reminder
        #expect(changed.firedAtUs == 0 && changed.dueAtUs == until)
        let again = try await alice.client.snoozeReminder(snoozed, untilUs: until)
        #expect(again.duplicate && again.reminder == changed)
        try await eventually("it fires again") { try await fired(snoozed) }
        #expect(try await alice.client.snoozeReminder(snoozed, untilUs: until).duplicate)
        #expect(try await !fired(completed))
        #expect(try await !fired(moved))
        // Open again, its time has passed.
        _ = try await alice.client.completeReminder(completed, completed: false)
        try await eventually("it fires once it is open") { try await fired(completed) }

        _ = try await alice.client.completeReminder(moved)
        for (id, time, code) in [
            (moved, until + 60_000_000, "reminder_completed"), (past, until, "invalid"), (deleted, until, "not_found"),
        ] {
            let refused = try await refusal { () async throws(ParleyError) in
                try await alice.client.snoozeReminder(id, untilUs: time)
            }
            #expect(refused.code == code)
        }
    }

    @Test("E3 a changed reminder keeps what the change does not name, and a deleted one leaves nothing but its times")
    func changes() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let tablet = try await cluster.device(of: alice, gateway: 1)
        let id = await alice.client.newID()
        let made = try await alice.client.createReminder(
            .with {
                ($0.id, $0.title, $0.dueLocal, $0.timeZone) = (
                    Data(id.bytes), "call", "2090-06-01T10:00", "Europe/Zurich"
                )
                $0.notificationID = "n"
            }
        ).reminder
        #expect(made.dueLocal == "2090-06-01T10:00:00" && made.dueAtUs == 3_799_987_200_000_000)
        #expect(try await tablet.client.reminder(id) == made)
        var expected = made
        func change(_ change: @Sendable (inout Parley_V1_UpdateReminderRequest) -> Void) async throws
            -> Parley_V1_Reminder
        {
            let reply = try await alice.client.updateReminder(id, change)
            #expect(!reply.duplicate)
            let again = try await tablet.client.updateReminder(id, change)
            #expect(again.duplicate && again.reminder == reply.reminder)
            return reply.reminder
        }
        (expected.title, expected.position) = ("call Bob", 2)
        #expect(try await change { $0.title = "call Bob" } == expected)
        // The time on the wall stays, six hours later.
        (expected.timeZone, expected.dueAtUs, expected.position) = (
            "America/New_York", made.dueAtUs + 6 * 3_600_000_000, 3
        )
        #expect(try await change { $0.timeZone = "America/New_York" } == expected)
        (expected.dueLocal, expected.dueAtUs, expected.position) = ("2090-06-01T04:00:00", made.dueAtUs, 4)
        #expect(try await change { $0.dueAtUs = made.dueAtUs } == expected)
        (expected.notificationID, expected.position) = ("", 5)
        #expect(try await change { $0.notificationID = "" } == expected)

        let deleted = try await alice.client.deleteReminder(id)
        #expect(deleted.reminder.deletedAtUs > 0 && deleted.reminder.title.isEmpty && deleted.reminder.position == 6)
        let again = try await tablet.client.deleteReminder(id)
        #expect(again.duplicate && again.reminder == deleted.reminder)
        try await eventually("the tablet gets it") { await tablet.updates.reminders.last == deleted.reminder }
        #expect(try await tablet.client.syncEntities().reminders.isEmpty)
        #expect(try await alice.client.listReminders().reminders.isEmpty)
        let gone = try await refusal { () async throws(ParleyError) in try await alice.client.reminder(id) }
        #expect(gone.code == "not_found")
    }

    @Test(
        "E4 the time on the wall decides over daylight saving",
        arguments: [
            ("2027-03-28T02:30", "Europe/Zurich", 1_806_197_400), ("2027-10-31T02:30", "Europe/Zurich", 1_824_942_600),
            ("2090-07-01T12:00", "Europe/Zurich", 3_802_586_400),
            ("2027-03-14T02:30:30", "America/New_York", 1_805_009_430),
        ])
    func daylightSaving(local: String, zone: String, seconds: Int64) async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let made = try await alice.client.createReminder(
            .with { ($0.title, $0.dueLocal, $0.timeZone) = ("x", local, zone) })
        #expect(made.reminder.dueAtUs == seconds * 1_000_000)
        let read = try await alice.client.createReminder(
            .with { ($0.title, $0.dueAtUs, $0.timeZone) = ("x", made.reminder.dueAtUs, zone) })
        #expect(read.reminder.dueLocal == made.reminder.dueLocal)
    }

    @Test("E3 E4 what is no time, zone or change is refused with the name of the field")
    func refuses() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let id = await alice.client.newID()
        _ = try await alice.client.createReminder(
            .with { ($0.id, $0.title, $0.dueAtUs) = (Data(id.bytes), "x", 4_102_444_800_000_000) })
        func field(_ change: @Sendable (inout Parley_V1_UpdateReminderRequest) -> Void) async throws -> String {
            try await refusal { () async throws(ParleyError) in try await alice.client.updateReminder(id, change) }
                .field
        }
        #expect(try await field { $0.title = " " } == "title")
        #expect(try await field { $0.title = String(repeating: "x", count: 513) } == "title")
        #expect(try await field { $0.dueAtUs = -1 } == "due_at_us")
        #expect(try await field { $0.dueAtUs = .max } == "due_at_us")
        #expect(try await field { $0.dueLocal = "2027-02-29T10:00" } == "due_local")
        #expect(try await field { $0.dueLocal = "tomorrow" } == "due_local")
        #expect(try await field { $0.timeZone = "" } == "time_zone")
        #expect(try await field { $0.timeZone = "../../etc/passwd" } == "time_zone")
        let both = try await refusal { () async throws(ParleyError) in
            try await alice.client.createReminder(
                .with { ($0.title, $0.dueAtUs, $0.dueLocal) = ("x", 1, "2027-02-28T10:00") })
        }
        #expect(both.field == "due_local")
    }

    @Test("E3 E4 clients agree while reminders fire, are snoozed, completed and deleted at the same moment")
    func races() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let tablet = try await cluster.device(of: alice, gateway: 1)
        let due = await alice.client.serverTimeUs + 2_000_000
        var ids: [UUIDv7] = []
        for number in 0..<60 {
            let id = await alice.client.newID()
            _ = try await alice.client.createReminder(
                .with { ($0.id, $0.title, $0.dueAtUs) = (Data(id.bytes), "\(number)", due + Int64(number) * 10_000) })
            ids.append(id)
        }
        let wait = due + 100_000 - (await alice.client.serverTimeUs)
        try await Task.sleep(for: .microseconds(max(0, wait)))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for (number, id) in ids.enumerated() {
                tasks.addTask {
                    switch number % 3 {
                    case 0: try await alice.client.deleteReminder(id)
                    case 1:
                        // On a busy machine it may be later than planned.
                        let soonest = await tablet.client.serverTimeUs + 4_000_000
                        _ = try await tablet.client.snoozeReminder(id, untilUs: max(due + 8_000_000, soonest))
                    default: _ = try await tablet.client.completeReminder(id)
                    }
                }
            }
            try await tasks.waitForAll()
        }
        try await eventually("the snoozed ones fire") {
            let open = try await alice.client.listReminders(.onlyOpen, limit: 200).reminders
            return open.count == 20 && open.allSatisfy { $0.firedAtUs >= due + 8_000_000 }
        }
        let fresh = try await alice.client.syncEntities(limit: 200)
        #expect(fresh.reminders.count == 40)
        // No position is missing, and none comes twice.
        let received = await tablet.updates.reminders
        #expect(received.allSatisfy { $0.deletedAtUs == 0 || $0.title.isEmpty })
        #expect(Set(received.map(\.position)).count == received.count)
    }
}

extension OwnClusters {
    @Test("X2 E4 three thousand reminders of one person that are due at once do not hold up another's")
    @ReactorActor
    func manyAtOnce() async throws {
        let cluster = try await TestCluster()
        let (alice, bob) = (try await cluster.person("alice"), try await cluster.person("bob"))
        let due = await alice.client.serverTimeUs + 6_000_000
        _ = try await alice.client.createReminder(.with { ($0.title, $0.dueAtUs) = ("one of many", due) })
        let connection = try await Connection.open(DatabaseConfiguration(test: cluster.endpoints.database))
        defer { connection.close() }
        for sql in [
            """
            INSERT INTO entities.reminders
                (account, id, title, due_at, time_zone, notification_id, created_at, position)
            SELECT account, gen_random_uuid(), title, due_at, time_zone, notification_id, created_at, position + n
            FROM entities.reminders, generate_series(1, 3000) AS n
            """,
            "UPDATE entities.heads SET position = position + 3000",
        ] { try await connection.execute(Statement<Void>(sql)) }
        // A little later, so that in order of time all of hers come first.
        _ = try await bob.client.createReminder(.with { ($0.title, $0.dueAtUs) = ("his", due + 1000) })
        try await eventually(within: .seconds(60), "his has fired") {
            await bob.updates.reminders.contains { $0.firedAtUs > 0 }
        }
        let before = try await connection.first(
            Statement(
                """
                SELECT count(*)
                FROM entities.reminders AS hers
                JOIN entities.reminders AS his ON his.title = 'his'
                WHERE hers.title <> 'his' AND hers.fired_at < his.fired_at
                """
            ) { try $0.int64(0) })
        // Those of 200 ms, after which people have turns.
        #expect((before ?? .max) < 1500)
        try await eventually(within: .seconds(60), "all of hers have fired") {
            try await connection.first(
                Statement("SELECT count(*) FROM entities.reminders WHERE fired_at IS NULL") { try $0.int64(0) }) == 0
        }
        await cluster.end()
    }

    @Test("E3 there are at most so many open reminders of a person, and changes in a minute")
    func remindersAreLimited() async throws {
        let cluster = try await TestCluster(
            .init(
                settings: [
                    "entities": [
                        "PARLEY_LIMITS_OPEN_REMINDERS": "3", "PARLEY_LIMITS_ENTITY_CHANGES_PER_MINUTE": "10",
                    ]
                ], repeats: false))
        let alice = try await cluster.person("alice")
        var ids: [UUIDv7] = []
        func make() async throws(ParleyError) -> UUIDv7 {
            let id = await alice.client.newID()
            _ = try await alice.client.createReminder(
                .with { ($0.id, $0.title, $0.dueAtUs) = (Data(id.bytes), "x", 4_102_444_800_000_000) })
            return id
        }
        for _ in 0..<3 { ids.append(try await make()) }
        #expect(try await refusal { () async throws(ParleyError) in try await make() }.code == "too_many_reminders")
        let again = try await alice.client.createReminder(
            .with { ($0.id, $0.title, $0.dueAtUs) = (Data(ids[0].bytes), "x", 4_102_444_800_000_000) })
        #expect(again.duplicate, "a repeated request is none more")
        _ = try await alice.client.completeReminder(ids[0])
        _ = try await make()
        let reopened = try await refusal { () async throws(ParleyError) in
            try await alice.client.completeReminder(ids[0], completed: false)
        }
        #expect(reopened.code == "too_many_reminders")
        for _ in 0..<2 { _ = try await alice.client.updateReminder(ids[1]) { $0.title = "y" } }
        let limited = try await refusal { () async throws(ParleyError) in
            try await alice.client.deleteReminder(ids[1])
        }
        #expect(limited.code == "rate_limited")
        await cluster.end()
    }

    @Test("E2 E4 a reminder and an event follow the rules of their zones when they change after they were made")
    func rulesChange() async throws {
        let folder = try TestFolder()
        func install(_ version: String, _ zones: [String: String]) throws {
            for (name, rules) in zones {
                try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(rules)"))
                    .write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
            }
            try Data("# version \(version)\n".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/tzdata.zi"))
        }
        try install("2026a", ["UTC": "UTC", "Earlier": "Etc/GMT-1", "Later": "Etc/GMT-1", "Same": "Etc/GMT-1"])
        let cluster = try await TestCluster(
            .init(settings: ["entities": ["PARLEY_TIME_ZONES_FOLDER": folder.path]]))
        let alice = try await cluster.person("alice")
        let (now, hour) = (await alice.client.serverTimeUs, Int64(3_600_000_000))
        func make(_ zone: String, at due: Int64) async throws -> Parley_V1_Reminder {
            try await alice.client.createReminder(
                .with { ($0.title, $0.dueAtUs, $0.timeZone) = (zone, due, zone) }
            ).reminder
        }
        let later = try await make("Later", at: now + 4_000_000)
        let earlier = try await make("Earlier", at: now + hour + 8_000_000)
        let same = try await make("Same", at: now + 8_000_000)
        var events: [Parley_V1_Event] = []
        for zone in ["Earlier", "Same"] {
            events.append(
                try await alice.client.createEvent(
                    .with {
                        ($0.title, $0.when.date, $0.when.time) = (zone, "2090-12-01", "19:30")
                        ($0.when.timeZone, $0.recurrence) = (zone, "FREQ=WEEKLY;COUNT=3")
                    }
                ).event)
        }
        try await cluster.cluster.stop("entities-1")
        try install("2026b", ["Earlier": "Etc/GMT-2", "Later": "Etc/GMT"])
        try await cluster.cluster.start("entities-1")
        try await cluster.cluster.waitUntilReady("entities-1")
        try await eventually("all three are as the rules say") {
            let all = try await alice.client.listReminders().reminders
            return all.count(where: { $0.firedAtUs > 0 }) == 2
        }
        let all = try await alice.client.listReminders().reminders
        #expect(all.map(\.title) == ["Earlier", "Same", "Later"])
        #expect(all.map(\.dueLocal) == [earlier, same, later].map(\.dueLocal))
        #expect(all.map(\.dueAtUs) == [now + 8_000_000, now + 8_000_000, now + hour + 4_000_000])
        #expect(all[2].firedAtUs == 0 && all[0].firedAtUs >= now + 8_000_000)
        try await eventually("its device learns of the event that moved") {
            await alice.updates.events.last?.startsAtUs == events[0].startsAtUs - hour
        }
        let unmoved = try #require(UUIDv7(bytes: events[1].id))
        #expect(try await alice.client.event(unmoved) == events[1])
        let dates = try await alice.client.listEvents(from: "2090-12-01", to: "2090-12-31", timeZone: "UTC").dates
        #expect(dates.map(\.title) == ["Earlier", "Same", "Earlier", "Same", "Earlier", "Same"])
        #expect(dates.map(\.startsLocal).allSatisfy { $0.hasSuffix("T19:30") })
        let (earliest, week) = (events[0].startsAtUs - hour, 7 * 24 * hour)
        let expected: [Int64] = (0..<3).flatMap { (number: Int64) -> [Int64] in
            [earliest + number * week, events[1].startsAtUs + number * week]
        }
        #expect(dates.map(\.startsAtUs) == expected)
        await cluster.end()
        folder.remove()
    }
}

extension ReplicaClusters {
    @Test(
        "E4 an earlier reminder wakes all replicas, and the clock of the database decides when those of replicas differ"
    )
    func clocks() async throws {
        let cluster = try await TestCluster(
            .init(
                replicas: ["entities": 2],
                settings: [
                    "entities-1": try WrongClock.settings("+7m"), "entities-2": try WrongClock.settings("-7m"),
                ]))
        // Keys of several people, so that both replicas make some.
        let people = try await cluster.people(6) { $0 % 2 }
        // Replicas that nothing wakes would sleep until then.
        let far = await people[0].client.serverTimeUs + 600_000_000
        for person in people {
            _ = try await person.client.createReminder(.with { ($0.title, $0.dueAtUs) = ("later", far) })
        }
        for round in 0..<3 {
            for person in people {
                let due = await person.client.serverTimeUs + 700_000
                let made = try await person.client.createReminder(
                    .with { ($0.title, $0.dueAtUs) = ("round \(round)", due) }
                ).reminder
                try await eventually("it fires") {
                    await person.updates.reminders.contains { $0.id == made.id && $0.firedAtUs > 0 }
                }
                let fired = try #require(await person.updates.reminders.last { $0.id == made.id })
                #expect(fired.firedAtUs >= due)
            }
        }
        await cluster.end()
    }

    @Test("E4 after a downtime all reminders fire, in order of their times")
    func downtime() async throws {
        let cluster = try await TestCluster(.init(replicas: ["entities": 2]))
        let alice = try await cluster.person("alice")
        let now = await alice.client.serverTimeUs
        let due = now + 20_000_000
        let numbers = (0..<250).shuffled()
        for first in stride(from: 0, to: 250, by: 25) {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for number in numbers[first..<first + 25] {
                    tasks.addTask {
                        _ = try await alice.client.createReminder(
                            .with { ($0.title, $0.dueAtUs) = ("\(number)", due + Int64(number)) })
                    }
                }
                try await tasks.waitForAll()
            }
        }
        for replica in ["entities-1", "entities-2"] { try await cluster.cluster.stop(replica) }
        try #require(await alice.client.serverTimeUs < due, "the machine is too slow for this test")
        let wait = due + 1_000_000 - (await alice.client.serverTimeUs)
        try await Task.sleep(for: .microseconds(max(0, wait)))
        for replica in ["entities-1", "entities-2"] {
            try await cluster.cluster.start(replica)
            try await cluster.cluster.waitUntilReady(replica)
        }
        try await eventually("all fire") {
            await alice.updates.reminders.count(where: { $0.firedAtUs > 0 }) == 250
        }
        let fired = await alice.updates.reminders.filter { $0.firedAtUs > 0 }.sorted { $0.position < $1.position }
        #expect(fired.map(\.title) == (0..<250).map { "\($0)" })
        let epoch = try await alice.client.syncEntities(limit: 1).epoch
        #expect(try await alice.client.syncEntities(epoch: epoch, since: 499).position == 500)
        await cluster.end()
    }
}
