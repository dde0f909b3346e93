import ParleyClient
import TestSupport
import Testing

/// Checks that a client learns everything of a conversation that comes back to its person.
@Suite("Conversations that come back", .timeLimit(.minutes(5)))
struct ReturnTests {
    @Test("R5 R6 after a declined request comes back, a feed has the messages written meanwhile")
    func declined() async throws {
        let (people, follower, id) = try await request()
        let (alice, bob) = (people[0].client, people[1].client)
        try await bob.declineRequest(id)
        try await expectNothing(of: id, follower, "declined")
        _ = try await alice.send("meanwhile", to: id)
        _ = try await bob.startDirect(with: alice.user)
        try await expectAll(of: id, for: bob, follower, "declined, then accepted")
        _ = try await alice.send("later", to: id)
        try await expectAll(of: id, for: bob, follower, "a later message")
    }

    @Test("R7 after a withdrawn request is made anew, a feed has what the recipient may read")
    func withdrawn() async throws {
        let (people, follower, id) = try await request()
        let (alice, bob) = (people[0].client, people[1].client)
        try await alice.withdrawRequest(id)
        try await expectNothing(of: id, follower, "withdrawn")
        _ = try await alice.startDirect(with: bob.user)
        _ = try await alice.send("once more", to: id)
        try await expectAll(of: id, for: bob, follower, "made anew")
        #expect(await follower.messages[id]?.last?.text == "once more")
    }

    /// Returns two people, a feed of the second one's, and the request of the first that it has.
    private func request() async throws -> ([Device], Follower, String) {
        let cluster = try await TestCluster.asking
        let people = try await cluster.people(2) { $0 % 2 }
        let (alice, bob) = (people[0].client, people[1].client)
        let follower = await Follower(bob)
        let id = try await alice.startDirect(with: bob.user).conversation.id
        _ = try await alice.send("hello", to: id)
        try await eventually("the request is shown") { try await bob.requests().requests.count == 1 }
        try await expectAll(of: id, for: bob, follower, "the request")
        return (people, follower, id)
    }

    @Test("M14 after somebody returns to a group, a feed has the messages since then, and follows the next ones")
    func members() async throws {
        let cluster = try await TestCluster.asking
        let people = try await cluster.people(2) { $0 % 2 }
        let (owner, bob) = (people[0].client, people[1].client)
        let follower = await Follower(bob)
        try await cluster.acquaint(people[0], [people[1]])
        let group = try await owner.createGroup(name: "all", users: [bob.user]).conversation.id
        _ = try await owner.send("before", to: group)
        try await expectAll(of: group, for: bob, follower, "a member")
        try await owner.removeMember(bob.user, from: group)
        _ = try await owner.send("meanwhile", to: group)
        #expect(try await owner.addMembers([bob.user], to: group).invited == [bob.user])
        _ = try await bob.acceptRequest(group)
        _ = try await owner.send("later", to: group)
        try await eventually("returned") {
            let history = try await bob.wholeHistory(of: group)
            let held = await follower.messages[group] ?? []
            return !history.isEmpty && held.suffix(history.count) == history[...]
        }
        #expect(await follower.messages[group]?.contains { $0.text == "meanwhile" } == false)
    }

    private func expectAll(
        of id: String, for client: ParleyClient, _ follower: Follower, _ state: String
    ) async throws {
        try await eventually("\(state): the feed has the whole history") {
            let history = try await client.wholeHistory(of: id)
            let held = await follower.messages[id]
            return !history.isEmpty && held == history
        }
    }

    private func expectNothing(of id: String, _ follower: Follower, _ state: String) async throws {
        try await eventually("\(state): the feed has dropped the messages") { await follower.messages[id] == nil }
    }
}
