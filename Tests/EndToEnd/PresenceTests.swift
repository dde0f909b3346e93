import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("P1, P2: presence")
struct PresenceTests {
    @Test("P1 P2 who connects is online to those who look, and with the last session's clean end offline at once")
    func comesAndGoes() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        _ = try await alice.client.startDirect(with: bob.user)
        let watched = try await alice.client.presenceWatch([bob.user, alice.user])
        #expect(watched.map(\.user) == [bob.user, alice.user])
        try await eventually("both are online") {
            try await alice.client.presenceGet([bob.user, alice.user]).map(\.status) == [.online, .online]
        }
        let tablet = try await cluster.session(of: bob, gateway: 0)
        #expect(tablet.user == bob.user)
        await bob.client.close()
        // A second session is still there.
        #expect(try await alice.client.presenceGet([bob.user]).first?.status == .online)
        let before = await alice.client.serverTimeUs
        await tablet.client.close()
        try await eventually(within: .seconds(2), "alice is told that bob went") {
            await alice.updates.presence.last { $0.user == bob.user }?.status == .offline
        }
        let gone = try #require(try await alice.client.presenceGet([bob.user]).first)
        #expect(gone.status == .offline && gone.lastSeenUs >= before - 2_000_000)
        #expect(gone.lastSeenUs <= (await alice.client.serverTimeUs) + 1_000_000)

        let back = try await cluster.device(of: bob)
        try await eventually(within: .seconds(2), "alice is told that bob is back") {
            await alice.updates.presence.last { $0.user == bob.user }?.status == .online
        }
        #expect(back.user == bob.user)
        #expect(try await alice.client.presenceGet([bob.user]).first?.lastSeenUs == 0)
    }
}
