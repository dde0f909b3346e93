import Foundation
import Glibc
import ParleyClient
import TestSupport
import Testing

@Suite("A3: profiles")
struct ProfileTests {
    @Test("A3 an update changes only the given fields and reaches the owner's devices; only the owner sees the email")
    func changes() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let phone = try await cluster.device(of: alice, gateway: 1)
        let bob = try await cluster.person("bob", gateway: 1)
        let before = try await alice.client.profile()
        #expect(before.user.username == alice.username && before.email.isEmpty && !before.findableByEmail)
        let after = try await alice.client.updateProfile(
            displayName: "Alice Adams", photoURL: "https://example.org/alice.jpg", email: "alice@example.org")
        #expect(after.user.displayName == "Alice Adams" && after.email == "alice@example.org")
        #expect(after.user.username == alice.username && after.user.createdAtUs == before.user.createdAtUs)
        #expect(after.position > before.position)
        #expect(try await alice.client.profile() == after)
        try await eventually("the other device is notified") { await phone.updates.profiles.last == after }
        // Repeating it changes nothing.
        #expect(try await alice.client.updateProfile(displayName: "Alice Adams").position == after.position)
        let seen = try await bob.client.users([alice.user, "nobody", alice.user, bob.user])
        #expect(seen.map(\.id) == [alice.user, bob.user] && seen[0] == after.user)
        let synced = try await alice.client.syncConversations(since: 0)
        #expect(synced.profile == after)
    }

    @Test("A3 a username can change to a free one, which then finds its owner; other names are refused")
    func usernames() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        let taken = try await refusal { () async throws(ParleyError) in
            try await alice.client.updateProfile(username: bob.username)
        }
        #expect(taken.code == "username_taken")
        for wrong in ["", "A", "Al ice", "-x", "a_b", String(repeating: "a", count: 33)] {
            #expect(
                try await refusal { () async throws(ParleyError) in
                    try await alice.client.updateProfile(username: wrong)
                }.code == "invalid")
        }
        let new = alice.username + "-2"
        #expect(try await alice.client.updateProfile(username: new).user.username == new)
        #expect(try await bob.client.findUser(new).id == alice.user)
        #expect(
            try await refusal { () async throws(ParleyError) in try await bob.client.findUser(alice.username) }.code
                == "user_not_found")
        let again = try await cluster.stranger()
        try await again.signIn(username: new, password: alice.password)
        #expect(await again.user == alice.user)
        // Two people request the same name together. One gets it.
        let wanted = "w" + new
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for person in [alice, bob] {
                group.addTask { (try? await person.client.updateProfile(username: wanted)) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(outcomes == 1)
    }

    @Test("C10 a changed profile is published to everyone who sees the person in a conversation, and to nobody else")
    func publishes() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let people = try await cluster.people(4) { $0 % 2 }
        let stranger = try await cluster.person("stranger")
        let direct = try await alice.client.startDirect(with: people[0].user).conversation.id
        let group = try await people[1].client.createGroup(
            name: "Group", users: [alice.user] + people[2...].map(\.user)
        ).conversation.id
        let other = try await people[0].client.startDirect(with: people[1].user).conversation
        try await alice.client.updateProfile(displayName: "Alice the Second")
        for (person, conversation) in [(people[0], direct), (people[1], group), (people[2], group), (alice, group)] {
            try await eventually("\(person.username) is notified") {
                await person.updates.conversations.contains {
                    $0.id == conversation && $0.members.contains { $0.user.displayName == "Alice the Second" }
                }
            }
            let now = try await person.client.getConversation(conversation)
            #expect(now.members.contains { $0.user.displayName == "Alice the Second" })
        }
        #expect(try await people[0].client.getConversation(other.id).position == other.position)
        #expect(await stranger.updates.conversations.isEmpty)
    }
}

extension FaultClusters {
    @Suite("C10: publishing a profile while conversations dies")
    struct ProfileJobTests {
        @Test("C10 a changed profile is published in all conversations although conversations is killed repeatedly")
        func killed() async throws {
            let cluster = try await TestCluster(.init(gateways: 1))
            let alice = try await cluster.person("alice")
            let others = try await cluster.people(6)
            var groups: [String] = []
            for number in 0..<120 {
                let group = try await alice.client.createGroup(name: "\(number)", users: others.map(\.user))
                groups.append(group.conversation.id)
            }
            try await alice.client.updateProfile(displayName: "first")
            // A newer change starts the job again.
            try await alice.client.updateProfile(displayName: "last")
            for _ in 0..<3 {
                if let pid = await cluster.pids["conversations-1"] { kill(pid, SIGKILL) }
                try await eventually("conversations is back") { (try? await alice.client.profile()) != nil }
            }
            let expected = Set(groups)
            for person in others {
                try await eventually(within: .seconds(30), "\(person.username) sees it everywhere") {
                    var seen: Set<String> = []
                    var page = Parley_V1_ConversationsSyncReply()
                    repeat {
                        page = try await person.client.syncConversations(
                            epoch: page.epoch, since: page.position, limit: 200)
                        for conversation in page.conversations
                        where conversation.members.contains(where: { $0.user.displayName == "last" }) {
                            seen.insert(conversation.id)
                        }
                    } while page.more
                    return seen == expected
                }
                // It is published as a change, not only returned by reads.
                let head = try await person.client.syncConversations().position
                #expect(head > 0)
            }
            let database = try await Watcher(cluster.endpoints.database)
            try await eventually("the job has ended") {
                try await database.number("SELECT count(*) FROM conversations.jobs") == 0
            }
            // Each conversation of each person has a newer position, so that a later Sync returns it.
            let unmoved = try await database.number(
                """
                SELECT count(*) FROM conversations.members AS m
                JOIN conversations.accounts AS a ON a.account = m.account
                WHERE a.display_name LIKE 'p%x' AND m.position <= 120
                """)
            #expect(unmoved == 0)
            await cluster.end()
        }
    }
}
