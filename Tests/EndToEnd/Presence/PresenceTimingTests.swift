import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("P5: how soon presence is shown")
struct PresenceTimingTests {
    @Test("C6 P5 who watches sees a block within 0.3 s as the other going, and its end as their coming back")
    func blockedWhileWatching() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        _ = try await alice.client.startDirect(with: bob.user)
        try await eventually("each is online to the other") {
            let hers = try await alice.client.watchPresence([bob.user])
            let his = try await bob.client.watchPresence([alice.user])
            return (hers + his).allSatisfy { $0.status == .online }
        }
        func last(_ device: Device, _ status: Parley_V1_PresenceStatus) async -> Parley_V1_PresenceState? {
            await device.updates.presence.last.flatMap { $0.status == status ? $0 : nil }
        }
        for _ in 0..<2 {
            _ = try await bob.client.call(ConversationsMethods.blockUser, .with { $0.user = alice.user })
            let shown = try await measured {
                try await eventually("each is shown the other offline") {
                    let both = (await last(alice, .offline), await last(bob, .offline))
                    return both.0 != nil && both.1 != nil
                }
            }
            #expect(shown.isWithin(.milliseconds(300)), "\(shown)")
            #expect(try await alice.client.getPresence([bob.user]).first == last(alice, .offline), "the same bytes")
            _ = try await bob.client.call(ConversationsMethods.unblockUser, .with { $0.user = alice.user })
            try await eventually("each is shown the other online") {
                let both = (await last(alice, .online), await last(bob, .online))
                return both.0 != nil && both.1 != nil
            }
        }
    }
}
