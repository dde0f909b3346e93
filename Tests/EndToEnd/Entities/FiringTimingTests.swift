import ParleyClient
import TestSupport
import Testing

@Suite("E4: how soon reminders fire")
struct FiringTimingTests {
    @Test("E4 a reminder fires within a second of its time, and reaches its owner's device")
    func fires() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        for number in 1...3 {
            var (due, made) = (Int64(0), Parley_V1_Reminder())
            let firing = try await measured {
                due = await alice.client.serverTimeUs + 1_200_000
                made = try await alice.client.createReminder(.with { ($0.title, $0.dueAtUs) = ("\(number)", due) })
                    .reminder
                try await eventually("it fires") { [id = made.id] in
                    await alice.updates.reminders.contains { $0.id == id && $0.firedAtUs > 0 }
                }
            }
            #expect(firing.isWithin(.milliseconds(2_200)), "\(firing)")
            let reminders = await alice.updates.reminders
            let fired = try #require(reminders.last { $0.id == made.id })
            var stored = firing
            stored.took = .microseconds(fired.firedAtUs - due)
            #expect(stored.took >= .zero && stored.isWithin(.seconds(1)), "\(stored)")
        }
    }

    @Test("A5 E4 a person is erased while their reminders fire: nothing of them remains, and the others' fire in time")
    func erasedWhileFiring() async throws {
        let cluster = try await TestCluster(.init(replicas: ["entities": 2]))
        let people = try await cluster.people(2) { $0 % 2 }
        let (alice, bob) = (people[0], people[1])
        let watcher = try await Watcher(cluster.endpoints.database)
        let hers = "SELECT account FROM conversations.accounts WHERE user_id = '\(alice.user)'"
        var firing = try await measured {
            let first = await alice.client.serverTimeUs + 4_000_000
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for (person, count) in [(alice, 300), (bob, 100)] {
                    tasks.addTask {
                        for number in 0..<count {
                            let due = first + Int64(number) * 3_000_000 / Int64(count)
                            _ = try await person.client.createReminder(
                                .with { ($0.title, $0.dueAtUs) = ("\(number)", due) })
                        }
                    }
                }
                try await tasks.waitForAll()
            }
            try await eventually("some of hers have fired") {
                await alice.updates.reminders.count(where: { $0.firedAtUs > 0 }) >= 20
            }
            try await alice.client.erase(password: alice.password)
            try await eventually(within: .seconds(60), "nothing of her remains") {
                try await watcher.number("SELECT count(*) FROM entities.reminders WHERE account = (\(hers))") == 0
            }
            try await eventually("all of his have fired") {
                await bob.updates.reminders.count(where: { $0.firedAtUs > 0 }) == 100
            }
        }
        let fired = await bob.updates.reminders.filter { $0.firedAtUs > 0 }
        let late = fired.map { $0.firedAtUs - $0.dueAtUs }
        firing.took = .microseconds(late.max() ?? 0)
        #expect(late.allSatisfy { $0 >= 0 } && firing.isWithin(.seconds(1)), "\(firing)")
        #expect(Set(fired.map(\.id)).count == 100)
        #expect(try await watcher.number("SELECT count(*) FROM entities.reminders WHERE account = (\(hers))") == 0)
        await cluster.end()
    }
}
