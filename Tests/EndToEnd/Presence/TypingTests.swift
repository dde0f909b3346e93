import Foundation
import ParleyClient
import TestSupport
import Testing

/// What tests of typing share.
protocol HearingTyping {}

extension HearingTyping {
    /// Whether the last that a device heard of a person in a conversation is that they are typing; nil: nothing.
    func heard(_ device: Device, _ user: Device, _ conversation: String) async -> Bool? {
        await device.updates.typing.last { $0.user == user.user && $0.conversation == conversation }?.typing
    }

    func signal(_ person: Device, _ isTyping: Bool = true, in conversation: String) async throws {
        try await person.client.setTyping(isTyping, in: conversation)
    }

    /// Signals again and again, as while a test waits: those that come too often are refused.
    func keepSignalling(_ person: Device, in conversation: String) async {
        try? await person.client.setTyping(true, in: conversation)
    }

    func friends(_ cluster: TestCluster) async throws -> (alice: Device, bob: Device, talk: String) {
        let (alice, bob) = (try await cluster.person("alice"), try await cluster.person("bob", gateway: 1))
        try await cluster.acquaint(alice, [bob])
        return (alice, bob, try await alice.client.startDirect(with: bob.user).conversation.id)
    }
}

@Suite("P3: typing")
struct TypingTests: HearingTyping {
    @Test("P3 the other members see that a person types, and that it ends by itself or with a stop")
    func startAndEnd() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob, talk) = try await friends(cluster)
        let phone = try await cluster.device(of: alice)
        try await signal(alice, in: talk)
        try await eventually("bob sees alice type") { await heard(bob, alice, talk) == true }
        try await eventually("it ends by itself") { await heard(bob, alice, talk) == false }
        try await signal(alice, in: talk)
        try await eventually("bob sees alice type again") { await heard(bob, alice, talk) == true }
        try await signal(alice, false, in: talk)
        try await eventually("a stop ends it") { await heard(bob, alice, talk) == false }
        #expect(await phone.updates.typing.isEmpty, "no device of her own hears it")
    }

    @Test("P3 a clean disconnect ends typing, and so does typing in another conversation")
    func ends() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob, talk) = try await friends(cluster)
        let group = try await alice.client.createGroup(name: "g", users: [bob.user]).conversation.id
        try await signal(alice, in: talk)
        try await eventually("alice types to bob") { await heard(bob, alice, talk) == true }
        try await signal(alice, in: group)
        try await eventually("she types in the group instead") {
            let (inTalk, inGroup) = (await heard(bob, alice, talk), await heard(bob, alice, group))
            return inTalk == false && inGroup == true
        }
        await alice.client.close()
        try await eventually("it ends with her session") { await heard(bob, alice, group) == false }
    }

    @Test("P3 C6 nobody hears of somebody whom they block or who blocks them: what they see ends")
    func blocked() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob, talk) = try await friends(cluster)
        let carol = try await cluster.person("carol")
        try await cluster.acquaint(alice, [carol])
        let group = try await alice.client.createGroup(name: "g", users: [bob.user, carol.user]).conversation.id
        try await signal(alice, in: group)
        try await eventually("both see alice type") {
            let both = (await heard(bob, alice, group), await heard(carol, alice, group))
            return both.0 == true && both.1 == true
        }
        _ = try await bob.client.call(ConversationsMethods.blockUser, .with { $0.user = alice.user })
        try await eventually("bob sees her stop") { await heard(bob, alice, group) == false }
        let (bobs, alices) = (await bob.updates.typing.count, await alice.updates.typing.count)
        // Both ways, in the group and between the two; the answers are the usual ones.
        try await signal(alice, in: talk)
        try await signal(bob, in: talk)
        try await signal(alice, false, in: group)
        try await eventually("carol sees her stop") { await heard(carol, alice, group) == false }
        try await signal(alice, in: group)
        try await signal(bob, in: group)
        try await eventually("carol sees both type") {
            let both = (await heard(carol, alice, group), await heard(carol, bob, group))
            return both.0 == true && both.1 == true
        }
        let heardSince = (await bob.updates.typing.count - bobs, await alice.updates.typing.count - alices)
        #expect(heardSince == (0, 0))
        _ = try await bob.client.call(ConversationsMethods.unblockUser, .with { $0.user = alice.user })
        try await signal(bob, in: group)
        try await eventually("after the block she sees him again") { await heard(alice, bob, group) == true }
    }

    @Test("P3 A5 an erased person no longer types")
    func erased() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob, talk) = try await friends(cluster)
        try await signal(alice, in: talk)
        try await eventually("alice types") { await heard(bob, alice, talk) == true }
        _ = try await alice.client.call(
            ConversationsMethods.eraseAccount, key: alice.user, .with { $0.password = alice.password })
        try await eventually("it ends") { await heard(bob, alice, talk) == false }
    }

    @Test("P3 in a group of over 64 members only those hear of it who look at it")
    func largeGroup() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob, talk) = try await friends(cluster)
        let group = try await alice.client.createGroup(name: "g", users: [bob.user]).conversation.id
        let others = try await cluster.people(63)
        try await cluster.acquaint(alice, others)
        _ = try await alice.client.addMembers(others.map(\.user), to: group)
        try await signal(alice, in: group)
        try await signal(alice, in: talk)
        try await eventually("bob sees alice type to him") { await heard(bob, alice, talk) == true }
        #expect(await heard(bob, alice, group) == nil)
        await bob.client.setActivity(isInForeground: true, conversation: group)
        try await eventually("bob sees alice type once he looks at the group") {
            await keepSignalling(alice, in: group)
            return await heard(bob, alice, group) == true
        }
    }

    @Test("P3 P5 whoever hides types unseen, and sees nobody type")
    func hidden() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob, talk) = try await friends(cluster)
        let group = try await alice.client.createGroup(name: "g", users: [bob.user]).conversation.id
        for conversation in [talk, group] {
            try await signal(alice, in: conversation)
            try await eventually("bob sees alice type") { await heard(bob, alice, conversation) == true }
        }
        // She types in the group. To bob, whom she accepted, she types on in their own conversation.
        _ = try await alice.client.setPresence(hiding: .fromAllButAccepted)
        try await eventually("it ends in the group") { await heard(bob, alice, group) == false }
        try await eventually("bob sees alice type to him") {
            await keepSignalling(alice, in: talk)
            return await heard(bob, alice, talk) == true
        }
        _ = try await alice.client.setPresence(hiding: .fromAll)
        try await eventually("it ends there, too") { await heard(bob, alice, talk) == false }
        // Rounds publish in order: once alice's is through again, bob's to her would have been.
        await keepSignalling(bob, in: talk)
        await keepSignalling(alice, in: talk)
        _ = try await alice.client.setPresence(hiding: .fromNobody)
        #expect(await heard(alice, bob, talk) != true)
        try await eventually("afterwards both see it") {
            await keepSignalling(alice, in: talk)
            await keepSignalling(bob, in: talk)
            let both = (await heard(bob, alice, talk), await heard(alice, bob, talk))
            return both == (true, true)
        }
    }

    @Test("P3 a session that signals too often in one conversation is refused, and a stop of what began is not")
    func throttled() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob, talk) = try await friends(cluster)
        let once = try await cluster.session(of: alice, once: true)
        var refused = 0
        for _ in 0..<30 {
            do throws(ParleyError) { try await once.client.setTyping(true, in: talk) } catch {
                #expect(error.code == "rate_limited" && error.retryAfterMs > 0)
                refused += 1
            }
        }
        #expect(refused > 0)
        try await eventually("bob sees alice type") { await heard(bob, alice, talk) == true }
        try await once.client.setTyping(false, in: talk)
        try await eventually("and stop") { await heard(bob, alice, talk) == false }
        #expect(await bob.updates.typing.count == 2)
        try await signal(alice, in: talk)
        try await eventually("her other session types") { await heard(bob, alice, talk) == true }
    }

    @Test("P3 typing in a conversation that is known takes no statement")
    func statements() async throws {
        let cluster = try await TestCluster(
            .init(settings: TestCluster.askingSettings, postgres: StatementCounter.postgresSettings))
        let (alice, bob, talk) = try await friends(cluster)
        _ = try await bob.client.watchPresence([alice.user])
        let counter = try await StatementCounter(cluster)
        let first = try await counter.count(rounds: 1) { try await signal(alice, in: talk) }
        #expect(first.values.reduce(0, +) >= 1, "the room is read")
        for isTyping in [true, false] {
            let later = try await counter.count(rounds: 2) {
                for _ in 0..<2 { try await signal(alice, isTyping, in: talk) }
            }
            #expect(later.isEmpty)
        }
        await counter.close()
    }
}

@Suite("P3: typing where strangers ask first")
struct TypingRequestTests: HearingTyping {
    @Test("P3 R5 in a message request nobody sees the other type, and it looks as ever to the one who wrote")
    func requested() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await cluster.person("alice"), try await cluster.person("bob", gateway: 1))
        let carol = try await cluster.person("carol")
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await bob.client.setTyping(true, in: talk)
            }.code == "not_member", "before the first message there is nothing")
        _ = try await alice.client.send("hello", to: talk)
        try await eventually("bob has the request") {
            (try? await bob.client.setTyping(true, in: talk)) != nil
        }
        try await signal(alice, in: talk)
        // Rounds publish in order: once carol's typing has arrived, alice's would have.
        let other = try await carol.client.startDirect(with: bob.user).conversation.id
        try await cluster.acquaint(bob, [carol])
        try await signal(carol, in: other)
        try await eventually("bob sees carol type") { await heard(bob, carol, other) == true }
        let before = (await heard(bob, alice, talk), await heard(alice, bob, talk))
        #expect(before == (nil, nil))
        _ = try await bob.client.call(ConversationsMethods.acceptRequest, .with { $0.conversation = talk })
        try await eventually("from then on they see each other type") {
            await keepSignalling(alice, in: talk)
            await keepSignalling(bob, in: talk)
            let both = (await heard(bob, alice, talk), await heard(alice, bob, talk))
            return both.0 == true && both.1 == true
        }
    }

    @Test("P3 whoever is invited, left or is a stranger is refused and hears nothing; a new member hears at once")
    func membersOnly() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob, _) = try await friends(cluster)
        let carol = try await cluster.person("carol", gateway: 1)
        let group = try await alice.client.createGroup(name: "g", users: [bob.user, carol.user]).conversation.id
        for stranger in [carol, try await cluster.person("dave")] {
            #expect(
                try await refusal { () async throws(ParleyError) in
                    try await stranger.client.setTyping(true, in: group)
                }.code == "not_member")
        }
        try await signal(alice, in: group)
        try await eventually("bob sees alice type") { await heard(bob, alice, group) == true }
        #expect(await carol.updates.typing.isEmpty, "an invited person")
        _ = try await carol.client.call(ConversationsMethods.acceptRequest, .with { $0.conversation = group })
        try await eventually("carol sees it as a member") {
            await keepSignalling(alice, in: group)
            return await heard(carol, alice, group) == true
        }
        try await signal(bob, in: group)
        try await eventually("carol sees bob type") { await heard(carol, bob, group) == true }
        _ = try await bob.client.call(ConversationsMethods.leaveGroup, .with { $0.conversation = group })
        try await eventually("he stops by leaving, and sees alice stop") {
            let both = (await heard(carol, bob, group), await heard(bob, alice, group))
            return both.0 == false && both.1 == false
        }
        let heardBefore = await bob.updates.typing.count
        try await signal(alice, false, in: group)
        try await eventually("carol sees alice stop") { await heard(carol, alice, group) == false }
        #expect(await bob.updates.typing.count == heardBefore)
    }
}
