import Foundation
import ParleyClient
import TestSupport
import Testing

extension FaultClusters {
    @Test("E4 each reminder fires once while replicas are killed before and after they commit")
    func killedWhileFiring() async throws {
        let cluster = try await TestCluster(.init(replicas: ["entities": 2]))
        let people = try await cluster.people(4) { $0 % 2 }
        let now = await people[0].client.serverTimeUs
        let count = 90
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for person in people {
                tasks.addTask {
                    for number in 0..<count {
                        let due = now + 4_000_000 + Int64(number) * 50_000
                        _ = try await person.client.createReminder(
                            .with { ($0.title, $0.dueAtUs) = ("\(number)", due) })
                    }
                }
            }
            try await tasks.waitForAll()
        }
        let wait = now + 4_000_000 - (await people[0].client.serverTimeUs)
        try await Task.sleep(for: .microseconds(max(0, wait)))
        for round in 0..<12 {
            let replica = "entities-\(round % 2 + 1)"
            try await cluster.cluster.kill(replica)
            try await Task.sleep(for: .milliseconds(Int64.random(in: 100...500)))
            try await cluster.cluster.waitUntilReady(replica)
        }
        for person in people {
            try await eventually(within: .seconds(30), "all have fired") {
                try await person.client.listReminders(limit: 200).reminders.allSatisfy { $0.firedAtUs > 0 }
            }
            // One position for each creation and one for each time that one fired.
            let synced = try await person.client.syncEntities(limit: 200)
            #expect(synced.position == Int64(2 * count) && synced.reminders.count == count)
            try await eventually("all Updates arrive") {
                await Set(person.updates.reminders.filter { $0.firedAtUs > 0 }.map(\.id)).count == count
            }
        }
        await cluster.end()
    }
}
