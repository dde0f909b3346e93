import ParleyClient
import TestSupport
import Testing

extension InvitationTests {
    @Test("C17 C6 a block ends invitations, names the blocked person's groups, and nobody puts the blocker back")
    func blocks() async throws {
        let cluster = try await TestCluster.asking
        let (alice, eve) = (try await TwoDevices(cluster, "alice"), try await cluster.person("eve"))
        let friend = try await cluster.person("friend")
        try await cluster.acquaint(eve, [alice.here, friend])
        try await cluster.acquaint(friend, [alice.here])
        let owned = try await eve.client.createGroup(name: "eve's", users: [alice.user, friend.user]).conversation.id
        _ = try await eve.client.call(
            ConversationsMethods.setMemberRole, key: owned,
            .with { ($0.conversation, $0.user, $0.role) = (owned, friend.user, .admin) })
        let others = try await friend.client.createGroup(name: "friend's", users: [alice.user, eve.user])
        try await alice.client.leaveGroup(others.conversation.id)
        // Two invitations: by eve to alice, and by alice to eve.
        let mine = try await alice.client.createGroup(name: "alice's", users: []).conversation.id
        try await alice.client.addMembers([eve.user], to: mine)
        try await eve.client.leaveGroup(mine)
        #expect(try await alice.client.addMembers([eve.user], to: mine).invited == [eve.user])
        let second = try await eve.client.createGroup(name: "second", users: [alice.user]).conversation.id
        try await alice.client.leaveGroup(second)
        #expect(try await eve.client.addMembers([alice.user], to: second).invited == [alice.user])
        try await alice.receive(unread: 1, total: 1)

        #expect(try await alice.client.block(eve.user) == [owned])
        #expect(try await alice.client.block(eve.user) == [owned], "again")
        try await alice.receive(unread: 0, total: 0)
        try await alice.receive(second, "that they left") { $0.section == .left }
        #expect(try await eve.client.getConversation(mine).section == .left)
        #expect(try await alice.client.invitations(into: mine).invitations.isEmpty)
        #expect(try await eve.client.invitations(into: second).invitations.map(\.user.id) == [alice.user], "as before")
        // Once alice left, nobody puts her back.
        try await alice.client.leaveGroup(owned)
        #expect(try await eve.client.addMembers([alice.user], to: owned).invited == [alice.user])
        #expect(try await alice.client.requests().count.total == 0)
        try await eve.client.withdrawInvitation(of: alice.user, into: owned)
        #expect(try await friend.client.addMembers([alice.user], to: owned).invited == [alice.user])
        try await alice.receive(unread: 1, total: 1)
        #expect(try await alice.client.getConversation(owned).section == .requests)
        #expect(try await alice.client.block(eve.user).isEmpty)
        try await alice.checkStream()
    }

    @Test("C17 A5 invitations end when the inviter leaves or is erased, and when the invited person is erased")
    func endings() async throws {
        let cluster = try await TestCluster.asking
        let (owner, admin) = (try await cluster.person("owner"), try await cluster.person("admin"))
        let (bob, carol) = (try await cluster.person("bob"), try await cluster.person("carol"))
        try await cluster.acquaint(owner, [admin])
        let group = try await owner.client.createGroup(name: "g", users: [admin.user, carol.user]).conversation.id
        _ = try await owner.client.call(
            ConversationsMethods.setMemberRole, key: group,
            .with { ($0.conversation, $0.user, $0.role) = (group, admin.user, .admin) })
        try await admin.client.addMembers([bob.user], to: group)
        try await admin.client.leaveGroup(group)
        try await eventually("bob's invitation is gone") { await bob.updates.newest(of: group)?.section == .gone }
        #expect(try await owner.client.invitations(into: group).invitations.map(\.user.id) == [carol.user])
        try await carol.client.erase(password: carol.password)
        try await eventually(within: .seconds(60), "carol's invitation is gone") {
            try await owner.client.invitations(into: group).invitations.isEmpty
        }
        try await owner.client.addMembers([bob.user], to: group)
        #expect(try await bob.client.requests().count.total == 1)
        try await owner.client.erase(password: owner.password)
        try await eventually(within: .seconds(60), "bob's invitation is gone") {
            try await bob.client.requests().count.total == 0
        }
        let late = try await Self.code { () async throws(ParleyError) in try await bob.client.acceptRequest(group) }
        #expect(late == "not_found", "the last member left")
    }

    @Test("C17 A5 an export lists the invitation, without the group's members and messages")
    func export() async throws {
        let cluster = try await TestCluster.asking
        let (owner, bob) = (try await cluster.person("owner"), try await cluster.person("bob"))
        let group = try await owner.client.createGroup(name: "exported band", users: [bob.user]).conversation.id
        _ = try await owner.client.send("secret plans", to: group)
        let folder = try TestFolder()
        defer { folder.remove() }
        try await bob.client.export(to: "\(folder.path)/bob.json")
        let text = try String(contentsOfFile: "\(folder.path)/bob.json", encoding: .utf8)
        #expect(text.contains("exported band") && text.contains(group))
        #expect(!text.contains("secret plans") && !text.contains(owner.username))
    }

    @Test("C17 whatever six people do with invitations on two devices each, every device ends with the stored state")
    func races() async throws {
        let cluster = try await TestCluster.asking
        var people: [TwoDevices] = []
        for number in 0..<6 { people.append(try await TwoDevices(cluster, "p\(number)")) }
        let all = people
        var groups: [String] = []
        for owner in all[..<3] {
            groups.append(try await owner.client.createGroup(name: "g", users: []).conversation.id)
        }
        let made = groups
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for (index, person) in all.enumerated() {
                for device in [person.here, person.there] {
                    tasks.addTask {
                        for _ in 0..<60 {
                            let other = all[(index + Int.random(in: 1..<6)) % 6].user
                            try await Self.act(device.client, made[Int.random(in: 0..<3)], other)
                        }
                    }
                }
            }
            try await tasks.waitForAll()
        }
        for person in all {
            try await person.settle()
            let listed = try await person.client.requests(limit: 200)
            let synced = try await person.client.syncConversations(limit: 200)
            let pending = synced.conversations.filter { $0.section == .requests }
            #expect(Set(listed.requests.map(\.id)) == Set(pending.map(\.id)))
            #expect(listed.count.total == synced.requests.total && pending.count == Int(listed.count.total))
            #expect(pending.count(where: \.requestReadBy.isEmpty) == Int(listed.count.unread))
            try await person.checkStream()
        }
        let watcher = try await Watcher(cluster.endpoints.database)
        // Every inviter is a member, and what is shown is open.
        let wrong = try await watcher.number(
            """
            SELECT count(*) FROM conversations.members AS m JOIN conversations.conversations AS c USING (conversation)
            WHERE c.kind = 2 AND (
                m.invited_by IS NOT NULL AND NOT EXISTS (
                    SELECT FROM conversations.members AS i
                    WHERE i.conversation = m.conversation AND i.account = m.invited_by AND i.left_at IS NULL)
                OR m.section = 2 AND m.invited_by IS NULL
                OR m.section = 1 AND m.left_at IS NOT NULL)
            """)
        #expect(wrong == 0)
    }

    /// Makes a random request about one of the groups.
    private static func act(_ client: ParleyClient, _ group: String, _ other: String) async throws {
        do throws(ParleyError) {
            switch Int.random(in: 0..<20) {
            case 0..<6: try await client.addMembers([other], to: group)
            case 6..<10: try await client.acceptRequest(group)
            case 10: try await client.declineRequest(group)
            case 11, 12: try await client.withdrawInvitation(of: other, into: group)
            case 13: try await client.leaveGroup(group)
            case 14: try await client.removeMember(other, from: group)
            case 15, 16: try await client.markRequestsRead([group])
            case 17: try await client.block(other)
            case 18: try await client.unblock(other)
            default:
                _ = try await client.call(
                    ConversationsMethods.setMemberRole, key: group,
                    .with { ($0.conversation, $0.user, $0.role) = (group, other, .admin) })
            }
        } catch {
            #expect(["not_found", "forbidden", "not_pending", "user_blocked"].contains(error.code), "\(error)")
        }
    }
}
