import ParleyClient
import TestSupport
import Testing

@Suite("C17: invitations into groups", .timeLimit(.minutes(12)))
struct InvitationTests {
    /// A group of a stranger, its admin and one message, into which somebody is invited.
    private struct Scene {
        let cluster: TestCluster
        let owner: Device
        let admin: Device
        let member: Device
        let bob: TwoDevices
        let group: String

        init() async throws {
            cluster = try await TestCluster.asking
            (owner, admin) = (try await cluster.person("owner"), try await cluster.person("admin"))
            (member, bob) = (try await cluster.person("member"), try await TwoDevices(cluster, "bob"))
            try await cluster.acquaint(owner, [admin, member])
            group = try await owner.client.createGroup(
                name: "the band", users: [admin.user, member.user], photoURL: "https://example.org/band.png"
            ).conversation.id
            let group = group
            _ = try await owner.client.call(
                ConversationsMethods.setMemberRole, key: group,
                .with { ($0.conversation, $0.user, $0.role) = (group, admin.user, .admin) })
            _ = try await owner.client.send("before", to: group)
        }

        /// Invites bob and waits until both devices show it.
        @discardableResult
        func invite(by inviter: Device? = nil) async throws -> Parley_V1_ConversationReply {
            let reply = try await (inviter ?? owner).client.addMembers([bob.user], to: group)
            #expect(reply.invited == [bob.user] && !reply.conversation.members.contains { $0.user.id == bob.user })
            try await bob.receive(group, "an invitation") { $0.section == .requests }
            return reply
        }

        /// The people who are invited, as an admin sees it.
        func invited() async throws -> [String] {
            try await admin.client.invitations(into: group).invitations.map(\.user.id)
        }
    }

    static func code<T>(_ body: () async throws(ParleyError) -> T) async throws -> String {
        try await refusal(body).code
    }

    @Test("C17 a stranger is invited: name, photo, inviter and number of members are all that they see")
    func shown() async throws {
        let scene = try await Scene()
        let (bob, group) = (scene.bob, scene.group)
        try await scene.invite()
        try await bob.receive(unread: 1, total: 1)
        let seen = try await bob.client.getConversation(group)
        let expected = Parley_V1_Conversation.with {
            ($0.id, $0.kind, $0.name, $0.photoURL) = (group, .group, "the band", "https://example.org/band.png")
            ($0.section, $0.conversationStatus, $0.requesterID) = (.requests, .pending, scene.owner.user)
            ($0.memberCount, $0.position, $0.requestedAtUs) = (3, seen.position, seen.requestedAtUs)
            $0.leftAtUs = seen.requestedAtUs
        }
        #expect(seen == expected && seen.requestedAtUs > 0 && seen.position > 0)
        #expect(try await bob.client.requests().requests == [seen])
        #expect(try await bob.client.syncConversations().conversations == [seen])
        for device in [bob.here, bob.there] { #expect(await device.updates.newest(of: group) == seen) }

        // Nothing else of it exists for them, and they do not exist in it.
        let sent = try await scene.owner.client.send("hello @\(bob.here.username)", to: group)
        let client = bob.client
        #expect(
            try await Self.code { () async throws(ParleyError) in try await client.history(of: group) } == "not_member")
        #expect(
            try await Self.code { () async throws(ParleyError) in try await client.send("x", to: group) }
                == "not_member")
        let members = try await refusal { () async throws(ParleyError) in
            try await client.call(ConversationsMethods.listMembers, key: group, .with { $0.conversation = group })
        }
        #expect(members.code == "not_found")
        #expect(
            try await Self.code { () async throws(ParleyError) in try await client.leaveGroup(group) } == "not_found")
        for section in [Parley_V1_ConversationSection.inbox, .requests, .left, .gone] {
            let inbox = try await client.call(MessagingMethods.getInbox, key: bob.user, .with { $0.section = section })
            #expect(inbox.entries.isEmpty, "\(section)")
        }
        let badge = try await client.call(MessagingMethods.getBadge, key: bob.user, .init())
        #expect(badge == .init())
        #expect(try await client.getPresence([scene.owner.user]).map(\.status) == [.offline])
        #expect(try await scene.owner.client.getPresence([bob.user]).map(\.status) == [.offline])
        let readers = try await scene.owner.client.call(
            MessagingMethods.listReaders, key: group, .with { ($0.conversation, $0.seq) = (group, sent.seq) })
        #expect(!readers.readers.contains { $0.user == bob.user })
        let found = try await client.call(
            MessagingMethods.searchMessages, key: bob.user, .with { $0.text = "before" })
        #expect(found.found.isEmpty)
        for device in [bob.here, bob.there] { #expect(await device.updates.messages.isEmpty) }
        #expect(try await scene.invited() == [bob.user])

        // It stays as it was when it was made.
        _ = try await scene.owner.client.call(
            ConversationsMethods.updateGroup, key: group, .with { ($0.conversation, $0.name) = (group, "other") })
        #expect(try await client.getConversation(group) == seen)
        try await client.markRequestsRead([group])
        try await bob.receive(unread: 0, total: 1)
        try await bob.receive(group, "that it was read") { $0.requestReadBy == [bob.user] }
        #expect(try await client.getConversation(group).name == "the band")
        try await bob.checkStream()
    }

    @Test("C17 accepting makes a member, whose window of history begins then; accepting again changes nothing")
    func accepted() async throws {
        let scene = try await Scene()
        let (bob, group) = (scene.bob, scene.group)
        try await scene.invite()
        _ = try await scene.owner.client.send("while invited", to: group)
        let joined = try await bob.there.client.acceptRequest(group).conversation
        #expect(joined.section == .inbox && joined.memberCount == 4 && joined.requesterID.isEmpty)
        #expect(joined.members.map(\.user.id).last == bob.user)
        try await bob.receive(unread: 0, total: 0)
        let sent = try await scene.owner.client.send("since", to: group)
        try await eventually("bob has the message") {
            await bob.here.updates.messages(of: group).contains { $0.seq == sent.seq }
        }
        let texts = try await bob.client.wholeHistory(of: group).filter { $0.kind == .text }.map(\.text)
        #expect(texts == ["since"])
        let bobs = bob.user
        try await eventually("a system message says that bob joined") {
            let last = try await scene.owner.client.wholeHistory(of: group).last { $0.kind == .system }?.system
            return last?.kind == .membersJoined && last?.users == [bobs] && last?.actor == bobs
        }
        #expect(try await bob.client.acceptRequest(group).conversation.section == .inbox)
        #expect(
            try await Self.code { () async throws(ParleyError) in try await bob.client.declineRequest(group) }
                == "not_pending")
        let late = try await refusal { () async throws(ParleyError) in
            try await scene.owner.client.withdrawInvitation(of: bob.user, into: group)
        }
        #expect(late.code == "not_pending")
        #expect(try await scene.invited().isEmpty)
        #expect(try await scene.owner.client.getPresence([bob.user]).map(\.status) == [.online])
        try await bob.checkStream()
    }

    @Test("C17 declining looks like silence: the invitation stays open, and the same person's next ones are not shown")
    func declined() async throws {
        let scene = try await Scene()
        let (bob, group) = (scene.bob, scene.group)
        try await scene.invite()
        let before = try await scene.admin.client.invitations(into: group)
        try await bob.client.declineRequest(group)
        try await bob.receive(group, "that it is gone") { $0.section == .gone }
        try await bob.receive(unread: 0, total: 0)
        try await bob.client.declineRequest(group)
        #expect(
            try await Self.code { () async throws(ParleyError) in try await bob.client.acceptRequest(group) }
                == "not_found")
        #expect(try await scene.admin.client.invitations(into: group) == before)

        // Asked again, the answer is the same, and nothing is shown.
        let position = try await bob.client.syncConversations().position
        #expect(try await scene.owner.client.addMembers([bob.user], to: group).invited == [bob.user])
        try await scene.owner.client.withdrawInvitation(of: bob.user, into: group)
        #expect(try await scene.invited().isEmpty)
        #expect(try await scene.owner.client.addMembers([bob.user], to: group).invited == [bob.user])
        #expect(try await scene.invited() == [bob.user])
        #expect(try await bob.client.syncConversations().position == position)
        #expect(
            try await Self.code { () async throws(ParleyError) in try await bob.client.acceptRequest(group) }
                == "not_found")

        // Somebody else may invite them, but only invite, even if they know each other.
        try await scene.cluster.acquaint(scene.admin, [bob.here])
        try await scene.admin.client.withdrawInvitation(of: bob.user, into: group)
        try await scene.invite(by: scene.admin)
        #expect(try await bob.client.getConversation(group).requesterID == scene.admin.user)
        _ = try await bob.client.acceptRequest(group)
        try await bob.checkStream()
    }

    @Test("C17 somebody else's invitation takes the place of an open one, whether or not that was declined")
    func replaced() async throws {
        let scene = try await Scene()
        let (bob, group) = (scene.bob, scene.group)
        func inviter() async throws -> [String] {
            try await scene.owner.client.invitations(into: group).invitations.map(\.inviter)
        }
        try await scene.invite()
        for (person, declines) in [(scene.admin, false), (scene.owner, true)] {
            if declines {
                try await bob.client.declineRequest(group)
                try await bob.receive(unread: 0, total: 0)
            }
            // They have declined none by this person.
            try await scene.invite(by: person)
            try await bob.receive(group, "who invites") { $0.requesterID == person.user }
            try await bob.receive(unread: 1, total: 1)
            #expect(try await inviter() == [person.user])
        }
        // They have declined one by the admin: it is not shown, and takes the place of the owner's all the same.
        #expect(try await scene.admin.client.addMembers([bob.user], to: group).invited == [bob.user])
        #expect(try await inviter() == [scene.admin.user])
        try await bob.receive(group, "that it is gone") { $0.section == .gone }
        try await bob.receive(unread: 0, total: 0)
        try await bob.checkStream()
    }

    @Test("C17 somebody invited whom an acquaintance adds becomes a member at once, and has one request less")
    func invitedThenAdded() async throws {
        let scene = try await Scene()
        let (bob, group) = (scene.bob, scene.group)
        try await scene.invite()
        try await bob.receive(unread: 1, total: 1)
        try await scene.cluster.acquaint(scene.admin, [bob.here])
        #expect(try await scene.admin.client.addMembers([bob.user], to: group).invited.isEmpty)
        try await bob.receive(group, "that they are a member") { $0.section == .inbox && $0.leftAtUs == 0 }
        try await bob.receive(unread: 0, total: 0)
        #expect(try await scene.invited().isEmpty)
        try await bob.checkStream()
    }

    @Test("C17 the inviter, admins and the owner withdraw an invitation; it is then gone for the invited person")
    func withdrawn() async throws {
        let scene = try await Scene()
        let (bob, group) = (scene.bob, scene.group)
        try await scene.invite(by: scene.admin)
        let listed = try await scene.owner.client.invitations(into: group).invitations
        #expect(listed.map(\.inviter) == [scene.admin.user] && listed.allSatisfy { $0.invitedAtUs > 0 })
        for outsider in [bob.here, try await scene.cluster.person("eve")] {
            let client = outsider.client
            #expect(
                try await Self.code { () async throws(ParleyError) in try await client.invitations(into: group) }
                    == "not_found")
            let refused = try await refusal { () async throws(ParleyError) in
                try await client.withdrawInvitation(of: bob.user, into: group)
            }
            #expect(refused.code == "not_found")
        }
        let member = scene.member.client
        #expect(
            try await Self.code { () async throws(ParleyError) in try await member.invitations(into: group) }
                == "forbidden")
        let others = try await refusal { () async throws(ParleyError) in
            try await member.withdrawInvitation(of: bob.user, into: group)
        }
        #expect(others.code == "forbidden")
        // The inviter may, also as a plain member.
        _ = try await scene.owner.client.call(
            ConversationsMethods.setMemberRole, key: group,
            .with { ($0.conversation, $0.user, $0.role) = (group, scene.admin.user, .member) })
        try await scene.admin.client.withdrawInvitation(of: bob.user, into: group)
        try await bob.receive(group, "that it is gone") { $0.section == .gone }
        try await bob.receive(unread: 0, total: 0)
        try await scene.owner.client.withdrawInvitation(of: bob.user, into: group)
        let never = try await refusal { () async throws(ParleyError) in
            try await scene.owner.client.withdrawInvitation(of: "ghost", into: group)
        }
        #expect(never.code == "not_found")
        #expect(
            try await Self.code { () async throws(ParleyError) in try await bob.client.acceptRequest(group) }
                == "not_found")
        // It was not declined, so it can come again.
        try await scene.invite()
        try await scene.owner.client.withdrawInvitation(of: bob.user, into: group)
        try await bob.checkStream()
    }

    @Test("C17 whoever left or was removed is invited, whoever adds them, and keeps what they may read meanwhile")
    func left() async throws {
        let scene = try await Scene()
        let (bob, group) = (scene.bob, scene.group)
        try await scene.cluster.acquaint(scene.owner, [bob.here])
        #expect(try await scene.owner.client.addMembers([bob.user], to: group).invited.isEmpty, "who is known joins")
        _ = try await scene.owner.client.send("while a member", to: group)
        try await bob.client.leaveGroup(group)
        let left = try await bob.client.getConversation(group)
        _ = try await scene.owner.client.send("meanwhile", to: group)
        try await scene.invite()
        let invited = try await bob.client.getConversation(group)
        #expect(invited.leftAtUs == left.leftAtUs && invited.memberCount == 3 && invited.members.isEmpty)
        let texts = { try await bob.client.wholeHistory(of: group).filter { $0.kind == .text }.map(\.text) }
        #expect(try await texts() == ["while a member"])
        try await bob.client.declineRequest(group)
        try await bob.receive(group, "that they left") { $0.section == .left }
        #expect(try await texts() == ["while a member"])
        #expect(try await bob.client.getConversation(group).leftAtUs == left.leftAtUs)
        try await scene.owner.client.withdrawInvitation(of: bob.user, into: group)
        try await scene.invite(by: scene.admin)
        _ = try await bob.client.acceptRequest(group)
        _ = try await scene.owner.client.send("since", to: group)
        #expect(try await texts() == ["since"])
        try await scene.owner.client.removeMember(bob.user, from: group)
        try await scene.invite()
        try await bob.checkStream()
    }

    @Test("C17 whoever shares an accepted conversation or a group with the adder joins at once")
    func known() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await cluster.person("alice"), try await cluster.person("bob"))
        let carol = try await cluster.person("carol")
        // A request is no acquaintance, in either direction.
        _ = try await alice.client.startDirect(with: bob.user)
        let first = try await alice.client.createGroup(name: "one", users: [bob.user])
        #expect(first.invited == [bob.user] && first.conversation.memberCount == 1)
        #expect(try await bob.client.createGroup(name: "two", users: [alice.user]).invited == [alice.user])
        let id = await alice.client.newID()
        for _ in 0..<2 {
            let made = try await alice.client.createGroup(name: "again", users: [bob.user], id: id)
            #expect(made.invited == [bob.user], "the same id returns the same result")
        }
        _ = try await bob.client.acceptRequest(first.conversation.id)
        // They share a group now.
        #expect(try await alice.client.createGroup(name: "three", users: [bob.user]).invited.isEmpty)
        try await bob.client.leaveGroup(first.conversation.id)
        // They still share the other.
        let fourth = try await alice.client.createGroup(name: "four", users: [bob.user, carol.user])
        #expect(fourth.invited == [carol.user] && fourth.conversation.memberCount == 2)
        try await cluster.acquaint(alice, [carol])
        let joined = try await alice.client.addMembers([carol.user], to: fourth.conversation.id)
        #expect(joined.invited.isEmpty && joined.conversation.memberCount == 3, "an open invitation becomes membership")
        #expect(try await carol.client.getConversation(fourth.conversation.id).section == .inbox)
        #expect(try await carol.client.requests().count.total == 0)
    }
}
