import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("C1 to C7: conversations")
struct ConversationTests {
    @Test("C1 C2 two people have one direct conversation, whoever starts it, and starting it again creates nothing")
    func startsDirect() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let first = try await alice.client.startDirect(with: bob.user)
        #expect(first.created)
        let inOrder = [alice.user, bob.user].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(first.conversation.id == inOrder.joined(separator: "_"))
        #expect(first.conversation.kind == .direct)
        #expect(Set(first.conversation.members.map(\.user.id)) == [alice.user, bob.user])
        #expect(Set(first.conversation.members.map(\.user.username)) == [alice.username, bob.username])
        let second = try await bob.client.startDirect(with: alice.user)
        #expect(!second.created && second.conversation.id == first.conversation.id)
        let third = try await alice.client.startDirect(with: bob.user)
        #expect(!third.created && third.conversation == first.conversation)
        for person in [alice, bob] {
            #expect(try await person.client.syncConversations().conversations.map(\.id) == [first.conversation.id])
        }
    }

    @Test("C3 100 pairs whose people start together from two gateways have exactly 100 conversations")
    func races() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(15)
        var sessions: [(here: Device, there: Device)] = []
        for person in people { sessions.append((person, try await cluster.session(of: person, gateway: 1))) }
        let pairs = (0..<15).flatMap { first in ((first + 1)..<15).map { (first, $0) } }.prefix(100)
        #expect(pairs.count == 100)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (first, second) in pairs {
                let (one, other) = (sessions[first].here, sessions[second].there)
                group.addTask {
                    async let mine = one.client.startDirect(with: other.user)
                    async let theirs = other.client.startDirect(with: one.user)
                    let (left, right) = try await (mine, theirs)
                    #expect(left.conversation.id == right.conversation.id)
                    #expect(left.created != right.created, "exactly one of them created it")
                }
            }
            try await group.waitForAll()
        }
        var all: [String: Int] = [:]
        for (index, person) in people.enumerated() {
            let reply = try await person.client.syncConversations(limit: 200)
            let expected = pairs.count { $0.0 == index || $0.1 == index }
            #expect(reply.conversations.count == expected)
            #expect(Set(reply.conversations.map(\.id)).count == expected)
            #expect(Set(reply.conversations.map(\.position)) == Set(1...Int64(expected)), "positions without a gap")
            for conversation in reply.conversations { all[conversation.id, default: 0] += 1 }
            // Both receive the Updates live, on every session.
            for device in [sessions[index].here, sessions[index].there] {
                try await eventually("person \(index) receives all of them") {
                    Set(await device.updates.conversations.map(\.id)).count == expected
                }
            }
        }
        #expect(all.count == 100)
        #expect(all.values.allSatisfy { $0 == 2 }, "both see each")
    }

    @Test("C4 a conversation with myself holds my notes")
    func notes() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let notes = try await alice.client.startDirect(with: alice.user)
        #expect(notes.created && notes.conversation.id == "\(alice.user)_\(alice.user)")
        #expect(notes.conversation.members.map(\.user.id) == [alice.user])
        #expect(try await alice.client.send("milk", to: notes.conversation.id).seq == 1)
        #expect(try await alice.client.startDirect(with: alice.user).created == false)
        #expect(try await alice.client.history(of: notes.conversation.id).messages.map(\.text) == ["milk"])
    }

    @Test("C4 no choice of names makes a pair look like a group, a group like a pair, or two pairs share an id")
    func cannotBeForged() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        let carol = try await cluster.person("carol")
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        for user in [direct, "_\(bob.user)", "\(bob.user)_", "a_b", "", " ", "é", bob.username] {
            let refused = try await refusal { () async throws(ParleyError) in
                try await carol.client.startDirect(with: user)
            }
            #expect(refused.code == "user_not_found", "\(user)")
        }
        let backwards = direct.split(separator: "_").reversed().joined(separator: "_")
        for id in [backwards, direct.replacingOccurrences(of: "_", with: "__"), direct + "_", "_" + direct] {
            let refused = try await refusal { () async throws(ParleyError) in
                try await alice.client.getConversation(id)
            }
            #expect(refused.code == "not_found", "\(id)")
            let unsent = try await refusal { () async throws(ParleyError) in try await alice.client.send("x", to: id) }
            #expect(unsent.code == "not_member", "\(id)")
        }
        // A group's id is 32 digits and never has a "_".
        let id = await alice.client.newID()
        let group = try await alice.client.createGroup(name: direct, users: [carol.user], id: id)
        #expect(group.created && group.conversation.id == id.description && group.conversation.kind == .group)
        #expect(!group.conversation.id.contains("_"))
        #expect(Set(group.conversation.members.map(\.user.id)) == [alice.user, carol.user])
        let again = try await alice.client.createGroup(name: "other name", users: [bob.user], id: id)
        #expect(!again.created && again.conversation.name == direct)
        let theirs = try await refusal { () async throws(ParleyError) in
            try await bob.client.createGroup(name: "mine now", users: [], id: id)
        }
        #expect(theirs.code == "id_in_use")
        let unknown = try await refusal { () async throws(ParleyError) in
            try await alice.client.createGroup(name: "with a ghost", users: [bob.user, "ghost"])
        }
        #expect(unknown.code == "user_not_found")
    }

    @Test("C5 the other person must exist")
    func mustExist() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let refused = try await refusal { () async throws(ParleyError) in
            try await alice.client.startDirect(with: "nobody")
        }
        #expect(refused.code == "user_not_found")
        #expect(refused.message == "User not found. Please check the username and try again.")
        let notFound = try await refusal { () async throws(ParleyError) in
            try await alice.client.findUser("nobody-here")
        }
        #expect(notFound == refused)
    }

    @Test("C7 an empty conversation is in both people's lists")
    func empty() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        for person in [alice, bob] {
            #expect(try await person.client.syncConversations().conversations.map(\.id) == [id])
            let history = try await person.client.history(of: id)
            #expect(history.messages.isEmpty && history.lastSeq == 0 && !history.moreBefore && !history.moreAfter)
            let inbox = try await person.client.syncMessaging()
            #expect(inbox.entries.allSatisfy { $0.lastSeq == 0 && !$0.hasLastMessage })
            let changes = try await person.client.changes(of: id, epoch: "", since: 0)
            #expect(changes.messages.isEmpty && !changes.startOver && changes.position == 0)
        }
    }

    @Test("A1 C1 M1 other people's ids give no access in any field and look like ids that do not exist")
    func othersIDs() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        let eve = try await cluster.person("eve", gateway: 1)
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        let group = try await alice.client.createGroup(name: "ours", users: [bob.user]).conversation.id
        let messageID = await alice.client.newID()
        _ = try await alice.client.send("secret", to: direct, id: messageID)
        let absent = await eve.client.newID().description
        let absentDirect = [alice.user, "zzzz"].sorted().joined(separator: "_")
        for (theirs, missing) in [(group, absent), (direct, absentDirect)] {
            let checks: [(String, @Sendable (String) async throws(ParleyError) -> Void)] = [
                ("not_found", { (id) async throws(ParleyError) in _ = try await eve.client.getConversation(id) }),
                ("not_member", { (id) async throws(ParleyError) in _ = try await eve.client.send("hi", to: id) }),
                (
                    "not_member",
                    { (id) async throws(ParleyError) in _ = try await eve.client.send("hi", to: id, id: messageID) }
                ),
                ("not_member", { (id) async throws(ParleyError) in _ = try await eve.client.history(of: id) }),
                (
                    "not_member",
                    { (id) async throws(ParleyError) in _ = try await eve.client.changes(of: id, epoch: "", since: 0) }
                ),
                (
                    "not_member",
                    { (id) async throws(ParleyError) in _ = try await eve.client.listReminders(conversation: id) }
                ),
                (
                    "not_member",
                    { (id) async throws(ParleyError) in
                        _ = try await eve.client.createReminder(
                            .with { ($0.title, $0.dueAtUs, $0.conversation) = ("x", 1, id) })
                    }
                ),
            ]
            for (code, check) in checks {
                let refused = try await refusal { () async throws(ParleyError) in try await check(theirs) }
                let unknown = try await refusal { () async throws(ParleyError) in try await check(missing) }
                #expect(refused.code == code)
                #expect(refused == unknown, "the refusal does not reveal whether it exists")
            }
        }
        // A message's id belongs to its sender.
        let taken = try await refusal { () async throws(ParleyError) in
            try await bob.client.send("mine", to: direct, id: messageID)
        }
        #expect(taken.code == "id_in_use")
        // A person without a shared conversation looks offline and never seen, like one who does not exist.
        let seen = try await eve.client.getPresence([alice.user, "ghost"])
        #expect(seen.map(\.status) == [.offline, .offline] && seen.map(\.lastSeenUs) == [0, 0])
        #expect(await eve.updates.messages.isEmpty)
        #expect(await eve.updates.conversations.isEmpty)
        #expect(try await alice.client.history(of: direct).messages.map(\.text) == ["secret"])
    }
}
