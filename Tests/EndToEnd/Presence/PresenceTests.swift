import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("P1, P2: presence")
struct PresenceTests {
    @Test("P1 P2 a connected person is online to watchers, and offline immediately when their last session is closed")
    func comesAndGoes() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        _ = try await alice.client.startDirect(with: bob.user)
        let watched = try await alice.client.watchPresence([bob.user, alice.user])
        #expect(watched.map(\.user) == [bob.user, alice.user])
        try await eventually("both are online") {
            try await alice.client.getPresence([bob.user, alice.user]).map(\.status) == [.online, .online]
        }
        let tablet = try await cluster.session(of: bob, gateway: 0)
        #expect(tablet.user == bob.user)
        // Each gateway reports its own sessions, in order. Once presence knows a later session, it knows the tablet.
        let carol = try await cluster.person("carol", gateway: 0)
        _ = try await alice.client.startDirect(with: carol.user)
        try await eventually("carol is online") {
            try await alice.client.getPresence([carol.user]).first?.status == .online
        }
        await bob.client.close()
        // A second session is still open.
        #expect(try await alice.client.getPresence([bob.user]).first?.status == .online)
        let before = await alice.client.serverTimeUs
        await tablet.client.close()
        try await eventually("alice is notified that bob left") {
            await alice.updates.presence.last { $0.user == bob.user }?.status == .offline
        }
        let gone = try #require(try await alice.client.getPresence([bob.user]).first)
        #expect(gone.status == .offline && gone.lastSeenUs >= before - 2_000_000)
        #expect(gone.lastSeenUs <= (await alice.client.serverTimeUs) + 1_000_000)

        let back = try await cluster.device(of: bob)
        try await eventually("alice is notified that bob is back") {
            await alice.updates.presence.last { $0.user == bob.user }?.status == .online
        }
        #expect(back.user == bob.user)
        #expect(try await alice.client.getPresence([bob.user]).first?.lastSeenUs == 0)
    }

    @Test("P1 people see themselves online, even before they have any conversation")
    func oneself() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        try await eventually("alice is online to herself") {
            try await alice.client.getPresence([alice.user]).map(\.status) == [.online]
        }
        let phone = try await cluster.device(of: alice, gateway: 1)
        #expect(try await phone.client.watchPresence([alice.user]).map(\.status) == [.online])
        let bob = try await cluster.person("bob")
        #expect(try await bob.client.getPresence([alice.user]).map(\.status) == [.offline], "but not to a stranger")
        #expect(try await bob.client.getPresence([alice.user]).map(\.lastSeenUs) == [0])
    }

    @Test("P2 a person who may no longer see another receives no further presence of them")
    func permittedOnly() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let carol = try await cluster.person("carol", gateway: 1)
        let group = try await alice.client.createGroup(name: "g", users: [bob.user, carol.user]).conversation.id
        try await eventually("bob is online to both") {
            let states = try await [alice, carol].asyncMap { try await $0.client.watchPresence([bob.user]) }
            return states.joined().allSatisfy { $0.status == .online }
        }
        try await alice.client.removeMember(carol.user, from: group)
        try await eventually("carol is shown bob as she would see a stranger") {
            await carol.updates.presence.last.map { $0.user == bob.user && $0.status == .offline } ?? false
        }
        await bob.client.close()
        try await eventually("alice is notified that bob left") {
            await alice.updates.presence.last { $0.user == bob.user }?.status == .offline
        }
        let marker = try await carol.client.startDirect(with: carol.user).conversation.id
        _ = try await carol.client.send("marker", to: marker)
        let shown = await carol.updates.presence.filter { $0.user == bob.user && $0.status == .offline }
        #expect(shown.map(\.lastSeenUs) == [0], "at her removal, and nothing when he left")
        #expect(try await carol.client.getPresence([bob.user]).map(\.lastSeenUs) == [0], "as a stranger")
    }

    @Test("C6 a blocked person sees the blocker offline since the block, whatever they do, until unblocked")
    func blocked() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let carol = try await cluster.person("carol")
        for friend in [bob, carol] { _ = try await alice.client.startDirect(with: friend.user) }
        try await eventually("bob and carol are online to alice") {
            try await alice.client.watchPresence([bob.user, carol.user]).map(\.status) == [.online, .online]
        }
        let before = await alice.client.serverTimeUs
        _ = try await bob.client.call(ConversationsMethods.blockUser, .with { $0.user = alice.user })
        let after = await alice.client.serverTimeUs
        let frozen = try await alice.client.getPresence([bob.user])
        #expect(frozen.map(\.status) == [.offline])
        #expect(frozen.allSatisfy { (before - 2_000_000...after + 2_000_000).contains($0.lastSeenUs) })
        #expect(try await bob.client.getPresence([alice.user]).map(\.status) == [.offline], "both ways")
        // Changes are published in order. When alice has carol's, she has all that was published before.
        await carol.client.close()
        try await eventually("alice is notified that carol left") {
            await alice.updates.presence.last { $0.user == carol.user }?.status == .offline
        }
        let received = await alice.updates.presence.filter { $0.user == bob.user }
        await bob.client.close()
        let back = try await cluster.device(of: bob)
        try await eventually("bob is online to himself") {
            try await back.client.getPresence([bob.user]).map(\.status) == [.online]
        }
        #expect(try await alice.client.getPresence([bob.user]) == frozen)
        let carolsBack = try await cluster.device(of: carol)
        try await eventually("alice is notified that carol is back") {
            await alice.updates.presence.last { $0.user == carolsBack.user }?.status == .online
        }
        let receivedSince = await alice.updates.presence.filter { $0.user == bob.user }.dropFirst(received.count)
        #expect(receivedSince.isEmpty, "nothing was published meanwhile")
        _ = try await back.client.call(ConversationsMethods.unblockUser, .with { $0.user = alice.user })
        // Whenever he is online to himself, he is to her. (On a busy machine a gateway may fail to report for a
        // lease. Its sessions are offline for that long.)
        try await eventually("bob is online to himself again") {
            guard try await back.client.getPresence([bob.user]).map(\.status) == [.online] else { return false }
            let seen = try await alice.client.getPresence([bob.user]).map(\.status)
            guard try await back.client.getPresence([bob.user]).map(\.status) == [.online] else { return false }
            #expect(seen == [.online])
            return true
        }
    }
}

extension ReplicaClusters {
    @Test("P2 P4 all requests of a person reach one replica of presence, whatever key they name")
    func oneReplicaAPerson() async throws {
        let cluster = try await TestCluster(.init(replicas: ["presence": 2]))
        let people = try await cluster.people(3)
        let (alice, bob, carol) = (people[0], people[1], people[2])
        for pair in [(alice, bob), (alice, carol), (bob, carol)] { try await cluster.acquaint(pair.0, [pair.1]) }
        func watch(_ user: Device, by watcher: Device, key: String) async throws {
            _ = try await watcher.client.call(
                PresenceMethods.watchPresence, key: key, .with { $0.users = [user.user] })
        }
        // Her last watch replaces the others, which a replica that never heard of it would still serve.
        for key in 0..<8 { try await watch(bob, by: alice, key: "key \(key)") }
        try await watch(carol, by: alice, key: "last")
        try await watch(bob, by: carol, key: carol.user)
        let before = await alice.updates.presence.count
        for (availability, status) in [
            (Parley_V1_Availability.saysAway, Parley_V1_PresenceStatus.away), (.automatic, .online),
            (.saysDoNotDisturb, .doNotDisturb),
        ] {
            _ = try await bob.client.setPresence(availability)
            try await eventually("carol is shown bob") { await carol.updates.presence.last?.status == status }
            _ = try await carol.client.setPresence(availability)
            try await eventually("alice is shown carol") {
                await alice.updates.presence.last { $0.user == carol.user }?.status == status
            }
        }
        #expect(await alice.updates.presence.dropFirst(before).allSatisfy { $0.user == carol.user })
        await cluster.end()
    }
}
