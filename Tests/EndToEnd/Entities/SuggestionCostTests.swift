import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

extension OwnClusters {
    @Test("E8 X5 a message that says nothing costs entities no statement; its cursor is written by time")
    func costOfReading() async throws {
        let cluster = try await TestCluster(
            .init(gateways: 1, postgres: StatementCounter.postgresSettings, repeats: false))
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        // Everything is heard from here on.
        _ = try await alice.client.send("Lunch tomorrow", to: talk)
        try await eventually("the first message is read") { await alice.updates.suggestions.count == 1 }
        try await cluster.waitUntilRead()

        // On a slow machine each round takes longer than the pauses of what runs by itself.
        let counter = try await StatementCounter(cluster, of: "entities", watching: .seconds(12))
        let count = 60
        let executed = try await counter.count {
            for number in 0..<count {
                let text = number % 3 == 0 ? "how are you?" : "blue and green"
                _ = try await (number % 2 == 0 ? alice : bob).client.send(text, to: talk)
            }
            try await cluster.waitUntilRead()
        }
        await counter.close()
        let cursors = executed.filter { $0.key.contains("entities.followed AS f") }
        #expect(executed.count == cursors.count && cursors.values.reduce(0, +) < count / 4, "\(executed)")
        await cluster.end()
    }
}

extension TestCluster {
    /// Waits until entities has read all messages.
    fileprivate func waitUntilRead() async throws {
        try await eventually("all messages are read") {
            try await self.number(
                """
                SELECT count(*)
                FROM messaging.lanes AS l
                LEFT JOIN entities.followed AS f ON f.source = 'messaging' AND f.lane = l.lane
                WHERE l.number > COALESCE(f.number, 0)
                """) == 0
        }
    }
}
