import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("E5: how soon decisions are shown")
struct DecisionTimingTests {
    @Test("E5 a shared decision appears in its conversation within half a second")
    func shared() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2) { $0 % 2 }
        let (alice, bob) = (people[0], people[1])
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await alice.client.send("where to?", to: talk)
        var late: [Measured] = []
        for number in 0..<25 {
            let id = await alice.client.newID()
            let appearing = try await measured {
                _ = try await alice.client.createDecision(
                    .with { ($0.id, $0.text, $0.conversation, $0.shared) = (Data(id.bytes), "\(number)", talk, true) })
                try await eventually("it appears") {
                    await bob.updates.messages.last?.system.entity == Data(id.bytes)
                }
            }
            if !appearing.isWithin(.milliseconds(500)) { late.append(appearing) }
        }
        #expect(late.isEmpty)
    }
}
