import ParleyClient
import TestSupport
import Testing

@Suite("C10: how soon a profile is published")
struct ProfileTimingTests {
    @Test("C10 the last of several changes of a profile is published as soon as the first, but for a second's pause")
    func severalChanges() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob) = (try await cluster.person("alice"), try await cluster.person("bob", gateway: 1))
        _ = try await alice.client.startDirect(with: bob.user)
        for round in 1...3 {
            for number in 1...4 {
                try await alice.client.updateProfile(displayName: "Alice \(round).\(number)")
                // A pause as of somebody who changes their mind: the job of the last change is under way by then.
                try await Task.sleep(for: .milliseconds(100 * number))
            }
            let arriving = try await measured {
                try await eventually("bob is notified") {
                    await bob.updates.conversations.last?.members.contains {
                        $0.user.displayName == "Alice \(round).4"
                    } ?? false
                }
            }
            #expect(arriving.isWithin(.seconds(3)), "\(arriving)")
        }
        let published = await bob.updates.conversations.count
        #expect(published <= 12, "no more often than it changed")
    }
}
