import ParleyClient
import Postgres
import TestSupport
import Testing

@Suite("M3: how soon lost Updates are fetched")
struct RepairTimingTests {
    @Test("M3 a message committed in a lane without an owner reaches every session within a second; sessions continue")
    func orphanedLane() async throws {
        let cluster = try await TestCluster()
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let conversation = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await alice.client.send("published", to: conversation)
        try await eventually("bob has the first message") { await !bob.updates.messages.isEmpty }
        let sessions = await [alice.client.welcome.session, bob.client.welcome.session]

        for number in 1...3 {
            let id = await alice.client.newID().bytes
            try await SideDoor.commit(
                in: cluster.endpoints.database, lane: 60, conversation, of: alice.user, id: id, text: "late \(number)"
            )
            let arriving = try await measured {
                for device in [alice, bob] {
                    try await eventually("\(device.username) has the unpublished message") {
                        await device.updates.messages.last?.text == "late \(number)"
                    }
                }
            }
            // 500 ms between heartbeats, 300 ms for Updates under way, and the request.
            #expect(arriving.isWithin(.seconds(1.1)), "\(arriving)")
        }
        #expect(
            await [alice.client.welcome.session, bob.client.welcome.session] == sessions, "no session started over")
        await cluster.end()
    }

    @Test("M3 when the only replica of messaging dies, what it did not publish comes within a second after its return")
    func onlyReplicaIsKilled() async throws {
        let cluster = try await TestCluster()
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let conversation = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await alice.client.send("published", to: conversation)
        try await eventually("bob has the first message") { await !bob.updates.messages.isEmpty }
        let session = await bob.client.welcome.session
        for number in 1...5 {
            let id = await alice.client.newID().bytes
            try await cluster.cluster.kill("messaging-1")
            try await SideDoor.commit(
                in: cluster.endpoints.database, lane: 60, conversation, of: alice.user, id: id, text: "late \(number)")
            try await cluster.cluster.waitUntilReady("messaging-1")
            let arriving = try await measured {
                try await eventually("bob has the unpublished message") {
                    await bob.updates.messages.last?.text == "late \(number)"
                }
            }
            #expect(arriving.isWithin(.seconds(1)), "\(arriving)")
        }
        #expect(await bob.client.welcome.session == session, "no session started over")
        await cluster.end()
    }
}
