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
}
