import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("P1, P5: what people say of themselves, and hiding", .timeLimit(.minutes(4)))
struct OwnPresenceTests {
    /// Two people who see each other online, on two gateways.
    private func friends() async throws -> (alice: Device, bob: Device) {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        _ = try await alice.client.startDirect(with: bob.user)
        try await eventually("each is online to the other") {
            let hers = try await alice.client.watchPresence([bob.user])
            let his = try await bob.client.watchPresence([alice.user])
            return (hers + his).allSatisfy { $0.status == .online }
        }
        return (alice, bob)
    }

    private func seen(_ person: Device, by other: Device) async throws -> Parley_V1_PresenceState {
        try #require(try await other.client.getPresence([person.user]).first)
    }

    @Test("P1 away, do not disturb and a status text reach watchers and own devices, and hold on all devices")
    func says() async throws {
        let (alice, bob) = try await friends()
        let cluster = try await TestCluster.shared
        let tablet = try await cluster.session(of: bob, gateway: 0)
        #expect(
            try await tablet.client.getOwnPresence()
                == .with { ($0.availability, $0.hiding) = (.automatic, .fromNobody) })
        let ends = await bob.client.serverTimeUs + 3_600_000_000
        let said = try await bob.client.setPresence(
            .saysDoNotDisturb, status: .with { ($0.text, $0.endsUs) = ("in a meeting", ends) })
        #expect(said.version == 1 && said.statusText == "in a meeting" && said.statusEndsUs == ends)
        let shown = Parley_V1_PresenceState.with {
            ($0.user, $0.status) = (bob.user, .doNotDisturb)
            ($0.statusText, $0.statusEndsUs) = ("in a meeting", ends)
        }
        try await eventually("alice is shown it") { await alice.updates.presence.last == shown }
        #expect(try await seen(bob, by: alice) == shown)
        try await eventually("his other device hears it") { await tablet.updates.ownPresence.last == said }
        #expect(try await tablet.client.getOwnPresence() == said)

        #expect(try await tablet.client.setPresence(.saysDoNotDisturb) == said, "nothing new")
        #expect(try await tablet.client.setPresence(.saysAway).statusText == "in a meeting")
        try await eventually("alice is shown him away") { await alice.updates.presence.last?.status == .away }
        _ = try await bob.client.setPresence(.automatic, status: .init())
        try await eventually("alice is shown him online without a text") {
            await alice.updates.presence.last == .with { ($0.user, $0.status) = (bob.user, .online) }
        }
        _ = try await bob.client.setPresence(.saysAway, status: .with { $0.text = "gone" })
        for device in [bob, tablet] { await device.client.close() }
        try await eventually("nothing of it is left once he is offline") {
            guard let last = await alice.updates.presence.last, last.status == .offline else { return false }
            return last == .with { ($0.user, $0.status, $0.lastSeenUs) = (bob.user, .offline, last.lastSeenUs) }
        }
    }

    @Test("P1 wrong texts and ends are refused, and too many changes")
    func refused() async throws {
        let (_, bob) = try await friends()
        for (text, ends, field) in [
            (String(repeating: "x", count: 129), 0, "status.text"), ("a\u{202E}b", 0, "status.text"),
            ("two\nlines", 0, "status.text"), ("over", 1, "status.ends_us"),
        ] as [(String, Int64, String)] {
            let refusal = await #expect(throws: ParleyError.self) {
                try await bob.client.setPresence(status: .with { ($0.text, $0.endsUs) = (text, ends) })
            }
            #expect(refusal?.code == "invalid" && refusal?.field == field, "\(text)")
        }
        #expect(try await bob.client.getOwnPresence().version == 0)
    }

    @Test("P1 a session that began in the background leaves a person away until one is used")
    func background() async throws {
        let (alice, bob) = try await friends()
        let cluster = try await TestCluster.shared
        let username = try #require(try await alice.client.users([bob.user]).first?.username)
        let phone = try await cluster.stranger()
        await bob.client.close()
        try await eventually("bob is gone") { await alice.updates.presence.last?.status == .offline }
        await phone.setActivity(isInForeground: false)
        try await phone.signIn(username: username, password: Device.password)
        try await eventually("he is away") { await alice.updates.presence.last?.status == .away }
        await phone.setActivity(isInForeground: true)
        try await eventually("he is online") { await alice.updates.presence.last?.status == .online }
        await phone.close()
    }

    @Test("P1 the current conversation is shown to its members alone, until the person looks elsewhere")
    func conversation() async throws {
        let (alice, bob) = try await friends()
        let cluster = try await TestCluster.shared
        let carol = try await cluster.person("carol")
        let group = try await alice.client.createGroup(name: "g", users: [bob.user]).conversation.id
        _ = try await carol.client.startDirect(with: bob.user)
        try await eventually("carol sees bob") {
            try await carol.client.watchPresence([bob.user]).map(\.status) == [.online]
        }
        await bob.client.setActivity(isInForeground: true, conversation: group)
        try await eventually("alice is shown it") {
            await alice.updates.presence.last?.currentConversation == group
        }
        #expect(try await seen(bob, by: alice).currentConversation == group)
        #expect(try await seen(bob, by: bob).currentConversation == group)
        #expect(try await seen(bob, by: carol).currentConversation.isEmpty, "she is no member")
        try await alice.client.removeMember(bob.user, from: group)
        try await eventually("he is no member any more") {
            await alice.updates.presence.last?.currentConversation == ""
        }
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        await bob.client.setActivity(isInForeground: true, conversation: direct)
        try await eventually("alice is shown their conversation") {
            await alice.updates.presence.last?.currentConversation == direct
        }
        await bob.client.setActivity(isInForeground: false, conversation: direct)
        try await eventually("he looks elsewhere") { await alice.updates.presence.last?.currentConversation == "" }
        #expect(await carol.updates.presence.allSatisfy(\.currentConversation.isEmpty))
        #expect(try await seen(bob, by: alice).status == .online)
    }

    @Test("P5 who hides from all goes offline to those who watch, sees nobody, and looks offline since then")
    func hidesFromAll() async throws {
        let (alice, bob) = try await friends()
        let before = await bob.client.serverTimeUs
        let own = try await bob.client.setPresence(.saysAway, status: .with { $0.text = "secret" }, hiding: .fromAll)
        #expect(own.hiding == .fromAll)
        // No request after the reply sees him.
        let frozen = try await seen(bob, by: alice)
        #expect(frozen == .with { ($0.user, $0.status, $0.lastSeenUs) = (bob.user, .offline, frozen.lastSeenUs) })
        #expect((before - 2_000_000...before + 30_000_000).contains(frozen.lastSeenUs))
        try await eventually("she is shown him offline, with the same bytes") {
            await alice.updates.presence.last == frozen
        }
        let hers = Parley_V1_PresenceState.with { ($0.user, $0.status) = (alice.user, .offline) }
        try await eventually("he is shown her offline") { await bob.updates.presence.last == hers }
        #expect(try await seen(alice, by: bob) == hers)
        #expect(try await seen(bob, by: bob).status == .away, "not from himself")

        // Whatever he does, nothing of it arrives.
        let count = await alice.updates.presence.count
        let cluster = try await TestCluster.shared
        await bob.client.setActivity(isInForeground: true, conversation: "x")
        await bob.client.close()
        let back = try await cluster.device(of: bob, gateway: 0)
        try await eventually("bob is back") { try await seen(bob, by: back).status == .away }
        #expect(try await seen(bob, by: alice) == frozen)
        _ = try await back.client.setPresence(.automatic, hiding: .fromNobody)
        try await eventually("she is shown him again") { await alice.updates.presence.last?.status == .online }
        #expect(await alice.updates.presence.count == count + 1)
        #expect(try await seen(bob, by: alice).statusText == "secret")
        #expect(try await seen(alice, by: back).status == .online)
    }

    @Test("P5 who hides from all but accepted people is offline to fellow members, and online to those they accepted")
    func hidesFromOthers() async throws {
        let (alice, bob) = try await friends()
        let cluster = try await TestCluster.shared
        let carol = try await cluster.person("carol")
        _ = try await alice.client.createGroup(name: "g", users: [bob.user, carol.user])
        try await eventually("carol sees bob") {
            try await carol.client.watchPresence([bob.user]).map(\.status) == [.online]
        }
        _ = try await bob.client.setPresence(hiding: .fromAllButAccepted)
        #expect(try await seen(bob, by: carol).status == .offline)
        #expect(try await seen(carol, by: bob) == .with { ($0.user, $0.status) = (carol.user, .offline) })
        #expect(try await seen(bob, by: alice).status == .online)
        #expect(try await seen(alice, by: bob).status == .online)
        try await eventually("carol is shown him offline") { await carol.updates.presence.last?.status == .offline }
        _ = try await carol.client.startDirect(with: bob.user)
        try await eventually("once they have a conversation, she sees him") {
            await carol.updates.presence.last?.status == .online
        }
        #expect(await alice.updates.presence.filter { $0.user == bob.user && $0.status == .offline }.isEmpty)
    }

    @Test("C6 P5 who was offline at the block looks offline since before it, also after they come back")
    func blockedWhileAway() async throws {
        let (alice, bob) = try await friends()
        let cluster = try await TestCluster.shared
        await bob.client.close()
        try await eventually("bob is gone") { await alice.updates.presence.last?.status == .offline }
        let gone = try await seen(bob, by: alice)
        #expect(gone.lastSeenUs > 0)
        _ = try await alice.client.call(ConversationsMethods.blockUser, .with { $0.user = bob.user })
        #expect(try await seen(bob, by: alice) == gone)
        let back = try await cluster.device(of: bob)
        try await eventually("bob is back") { try await seen(bob, by: back).status == .online }
        #expect(try await seen(bob, by: alice) == gone, "the same bytes")
        await back.client.close()
        let again = try await cluster.device(of: bob, gateway: 0)
        try await eventually("bob is back again") { try await seen(bob, by: again).status == .online }
        #expect(try await seen(bob, by: alice) == gone)
    }
}
