import ParleyClient
import TestSupport
import Testing

@Suite("P3: how long typing is shown")
struct TypingTimingTests: HearingTyping {
    @Test("P3 typing ends 3 s after the last signal, and a keep-alive is no news")
    func endsByItself() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob, talk) = try await friends(cluster)
        try await signal(alice, in: talk)
        try await eventually("bob sees alice type") { await heard(bob, alice, talk) == true }
        try await Task.sleep(for: .milliseconds(1_500))
        let ending = try await measured {
            try await signal(alice, in: talk)
            try await eventually("it ends by itself") { await heard(bob, alice, talk) == false }
        }
        #expect(ending.took >= .seconds(3) && ending.isWithin(.milliseconds(3_500)), "\(ending)")
        #expect(await bob.updates.typing.map(\.typing) == [true, false])
    }

    @Test("P3 a stop, a clean disconnect and typing in another conversation end it before its 3 s are over")
    func endsAtOnce() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob, talk) = try await friends(cluster)
        let group = try await alice.client.createGroup(name: "g", users: [bob.user]).conversation.id
        for end in ["stop", "another conversation", "disconnect"] {
            let conversation = end == "disconnect" ? group : talk
            try await signal(alice, in: conversation)
            try await eventually("alice types") { await heard(bob, alice, conversation) == true }
            let ending = try await measured {
                switch end {
                case "stop": try await signal(alice, false, in: talk)
                case "disconnect": await alice.client.close()
                default: try await signal(alice, in: group)
                }
                try await eventually("\(end) ends it") { await heard(bob, alice, conversation) == false }
            }
            #expect(ending.isWithin(.seconds(2)), "\(end): \(ending)")
        }
    }

    @Test("P3 C6 a block ends what they see of each other's typing within 0.3 s")
    func blocked() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob, talk) = try await friends(cluster)
        try await signal(alice, in: talk)
        try await eventually("bob sees alice type") { await heard(bob, alice, talk) == true }
        _ = try await bob.client.call(ConversationsMethods.blockUser, .with { $0.user = alice.user })
        let ending = try await measured {
            try await eventually("bob sees her stop") { await heard(bob, alice, talk) == false }
        }
        #expect(ending.isWithin(.milliseconds(300)), "\(ending)")
    }
}
