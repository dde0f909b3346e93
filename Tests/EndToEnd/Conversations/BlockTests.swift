import Foundation
import ParleyClient
import Synchronization
import TestSupport
import Testing

@Suite("C6 C12 R7: blocks", .timeLimit(.minutes(12)))
struct BlockTests {
    /// Returns two people who may write to each other, and their conversation.
    private func talking(
        _ cluster: TestCluster
    ) async throws -> (alice: TwoDevices, bob: TwoDevices, id: String) {
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await bob.client.startDirect(with: alice.user)
        for person in [alice, bob] { try await person.receive(id, "accepted") { $0.conversationStatus == .accepted } }
        return (alice, bob, id)
    }

    @Test(
        "C6 C12 R7 a block stops writing both ways until it is lifted; only the blocker sees it, on all their devices")
    func blocks() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob, id) = try await talking(cluster)
        let group = try await alice.client.createGroup(name: "both", users: [bob.user]).conversation.id
        _ = try await alice.client.send("hi", to: id)
        let seen = try await seenBy(bob.here, id)
        let received = await bob.here.updates.positions["conversations/u/\(bob.user)"]
        let position = try await alice.client.syncConversations().position

        try await alice.client.block(bob.user)
        try await alice.client.block(bob.user)
        for (person, other) in [(alice, bob), (bob, alice)] {
            let send = try await refusal { () async throws(ParleyError) in try await person.client.send("x", to: id) }
            let start = try await refusal { () async throws(ParleyError) in
                try await person.client.startDirect(with: other.user)
            }
            for refused in [send, start] {
                #expect(refused.code == "user_blocked" && refused.message == "You cannot message this user.")
            }
        }
        try await alice.receive(id, "blocked") { $0.section == .blockedPeople && $0.conversationStatus == .blocked }
        for device in [alice.here, alice.there] {
            try await eventually("the block is delivered") {
                let block = await device.updates.blocks.last
                return block?.user.id == bob.user && block?.blocked == true
            }
        }
        let epoch = try await alice.client.syncConversations().epoch
        let sync = try await alice.client.syncConversations(epoch: epoch, since: position)
        #expect(sync.blocksChanged && sync.conversations.map(\.section) == [.blockedPeople])
        #expect(try await !alice.client.syncConversations(epoch: epoch, since: sync.position).blocksChanged)
        #expect(try await alice.client.blocked().blocks.map(\.user.id) == [bob.user])
        // Bob sees no other difference.
        #expect(try await seenBy(bob.here, id) == seen)
        #expect(await bob.here.updates.positions["conversations/u/\(bob.user)"] == received)
        #expect(try await bob.client.blocked().blocks.isEmpty)
        #expect(try await bob.client.send("in the group", to: group).seq > 0, "a block does not affect groups")

        try await alice.client.unblock(bob.user)
        try await alice.client.unblock(bob.user)
        try await alice.receive(id, "in the inbox") { $0.section == .inbox && $0.conversationStatus == .accepted }
        try await eventually("the unblocking is delivered") { await alice.there.updates.blocks.last?.blocked == false }
        #expect(try await alice.client.blocked().blocks.isEmpty)
        #expect(try await bob.client.send("still here", to: id).seq == 2)
        try await alice.checkStream()
        try await bob.checkStream()
    }

    /// Returns everything that a person can see of a conversation, as bytes.
    private func seenBy(_ device: Device, _ id: String) async throws -> [Data] {
        [
            try await device.client.getConversation(id).serializedData(),
            try await device.client.syncConversations(limit: 200).serializedData(),
            try await device.client.allMembers(of: id).map { try $0.serializedData() }.reduce(Data(), +),
            try await device.client.history(of: id).serializedData(),
        ]
    }

    @Test("C6 once a block is acknowledged, no send that starts later is accepted, in 200 rounds with racing sends")
    func racing() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob, id) = try await talking(cluster)
        let late = Mutex(0)
        for _ in 0..<200 {
            // Sends under way may succeed or fail.
            async let racers: Void = withTaskGroup(of: Void.self) { group in
                for sender in [alice, bob, bob] {
                    group.addTask { _ = try? await sender.there.client.send("r", to: id) }
                }
            }
            try await alice.client.block(bob.user)
            for sender in [alice, bob] {
                do throws(ParleyError) {
                    _ = try await sender.there.client.send("late", to: id)
                    late.withLock { $0 += 1 }
                } catch {
                    #expect(error.code == "user_blocked")
                }
            }
            await racers
            try await alice.client.unblock(bob.user)
        }
        #expect(late.withLock { $0 } == 0)
        #expect(try await alice.client.wholeHistory(of: id).allSatisfy { $0.text != "late" })
        #expect(try await bob.client.send("after all", to: id).seq > 0)
    }

    @Test("R7 a block by the recipient ends the request; a block by the requester looks like a withdrawal")
    func fromRequest() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await alice.client.send("hello", to: id)
        try await bob.receive(unread: 1, total: 1)
        let seen = try await seenBy(alice.here, id)
        try await bob.client.block(alice.user)
        try await bob.receive(id, "blocked") { $0.section == .blockedPeople && $0.conversationStatus == .blocked }
        try await bob.receive(unread: 0, total: 0)
        #expect(try await seenBy(alice.here, id) == seen)
        let accept = try await refusal { () async throws(ParleyError) in try await bob.client.acceptRequest(id) }
        #expect(accept.code == "user_blocked")
        try await bob.client.unblock(alice.user)
        try await bob.receive(id, "gone") { $0.section == .gone }
        #expect(try await bob.client.requests().count.total == 0)

        let carol = try await TwoDevices(cluster, "carol")
        let other = try await carol.client.startDirect(with: bob.user).conversation.id
        _ = try await carol.client.send("hello", to: other)
        try await bob.receive(unread: 1, total: 1)
        try await carol.client.block(bob.user)
        try await bob.receive(other, "gone") { $0.section == .gone }
        try await bob.receive(unread: 0, total: 0)
        let gone = try await refusal { () async throws(ParleyError) in try await bob.client.acceptRequest(other) }
        #expect(gone.code == "not_found")
        for person in [alice, bob, carol] { try await person.checkStream() }
    }

    @Test("C12 I can block someone with whom I have no conversation; the list is paged, newest first")
    func strangers() async throws {
        let cluster = try await TestCluster.asking
        let alice = try await TwoDevices(cluster, "alice")
        let others = try await cluster.people(5)
        for other in others { try await alice.client.block(other.user) }
        for (one, another) in [(alice.here, others[0]), (others[0], alice.here)] {
            let refused = try await refusal { () async throws(ParleyError) in
                try await one.client.startDirect(with: another.user)
            }
            #expect(refused.code == "user_blocked")
        }
        var (listed, cursor, pages) = ([String](), "", 0)
        while true {
            let page = try await alice.client.blocked(cursor: cursor, limit: 2)
            listed += page.blocks.map(\.user.id)
            #expect(page.blocks.allSatisfy { $0.blocked && $0.atUs > 0 && !$0.user.username.isEmpty })
            (cursor, pages) = (page.cursor, pages + 1)
            guard page.more else { break }
        }
        #expect(listed == others.map(\.user).reversed() && pages == 3)
        for (user, code) in [("ghost", "user_not_found"), ("a_b", "user_not_found"), (alice.user, "invalid")] {
            let refused = try await refusal { () async throws(ParleyError) in try await alice.client.block(user) }
            #expect(refused.code == code)
        }
        for user in ["ghost", "a_b", alice.user] { try await alice.client.unblock(user) }
        let grouped = try await refusal { () async throws(ParleyError) in
            try await alice.client.createGroup(name: "x", users: [others[1].user])
        }
        #expect(grouped.code == "user_blocked")
        let blocked = try await others[1].client.createGroup(name: "x", users: [alice.user])
        #expect(blocked.invited == [alice.user] && blocked.conversation.memberCount == 1, "as if nobody blocked them")
        #expect(try await alice.client.requests().count.total == 0)
        try await alice.checkStream()
    }

    @Test("C6 R4 when a block races with a start, 100 times, the blocked person can never write")
    func startsRaceBlocks() async throws {
        let cluster = try await TestCluster.asking
        let (alice, others) = (try await cluster.person("alice"), try await cluster.people(10))
        for round in 0..<100 {
            let other = others[round % 10]
            let client = round % 2 == 0 ? other.client : alice.client
            let target = round % 2 == 0 ? alice.user : other.user
            async let started = try? client.startDirect(with: target)
            try await alice.client.block(other.user)
            _ = await started
            let id = [alice.user, other.user].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(
                separator: "_")
            let refused = try await refusal { () async throws(ParleyError) in try await other.client.send("x", to: id) }
            #expect(["user_blocked", "not_member"].contains(refused.code))
            try await alice.client.unblock(other.user)
        }
    }

    @Test("M6 R5 C6 no receipts are published while a request is pending or a block exists; afterwards they are")
    func silence() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        let first = try await alice.client.send("hello", to: id).seq
        try await bob.receive(id, "a request") { $0.section == .requests }

        let read = try #require(try await bob.client.markRead(id, upTo: first))
        #expect(read.readSeq == first && read.unread == 0)
        try await eventually("his other device knows") { await bob.there.updates.inboxStates.last == read }
        #expect(try await alice.client.receipts(of: id).receipts.isEmpty)
        let pending = try await alice.client.readers(of: first, in: id)
        #expect(pending.readers.allSatisfy { !$0.delivered && $0.readAtUs == 0 } && pending.delivered == 0)

        _ = try await bob.client.acceptRequest(id)
        let again = try await bob.client.markRead(id, upTo: first)
        #expect(again?.untimed == read.untimed, "his own state does not change")
        try await eventually("the receipt") { await alice.here.updates.receipts.last?.readSeq == first }
        #expect(await alice.here.updates.receipts.map(\.user) == [bob.user], "and none before")

        let second = try await alice.client.send("still there?", to: id).seq
        try await bob.client.block(alice.user)
        #expect(try await bob.client.markRead(id, upTo: second)?.readSeq == second)
        #expect(try await alice.client.markRead(id, upTo: second)?.readSeq == second)
        #expect(try await alice.client.receipts(of: id).receipts.map(\.readSeq) == [first], "unchanged")
        #expect(try await bob.client.receipts(of: id).receipts.isEmpty)
        try await bob.client.unblock(alice.user)
        _ = try await bob.client.markRead(id, upTo: second)
        try await eventually("after the block") { await alice.here.updates.receipts.last?.readSeq == second }
        #expect(await alice.here.updates.receipts.count == 2)
        for device in [bob.here, bob.there] { #expect(await device.updates.receipts.isEmpty) }
    }
}
