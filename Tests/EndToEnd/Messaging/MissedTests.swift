import ParleyClient
import TestSupport
import Testing

@Suite("What a Sync brings")
struct MissedTests {
    private struct Cast {
        let alice, bob: Device
        let id: String

        /// Makes two people and their conversation, in which bob has sent `count` messages.
        init(messages count: Int) async throws {
            let cluster = try await TestCluster.shared
            alice = try await cluster.person("alice")
            bob = try await cluster.person("bob", gateway: 1)
            id = try await alice.client.startDirect(with: bob.user).conversation.id
            for number in 1...count { _ = try await bob.client.send("hello \(number)", to: id) }
        }
    }

    @Test("M3 M16 an entry brings the messages changed since the position held, and only then is it caught up")
    func missed() async throws {
        let cast = try await Cast(messages: 3)
        let (alice, id) = (cast.alice.client, cast.id)
        let first = try await alice.syncMessaging()
        let entry = try #require(first.entry(of: id))
        #expect(entry.missed.isEmpty && !entry.caughtUp, "nothing was said to be held")

        func sync(
            _ held: [HeldPosition], epoch: String? = nil
        ) async throws -> Parley_V1_InboxEntry {
            let page = try await alice.syncMessaging(
                epoch: epoch ?? first.epoch, cursor: first.cursor, ownPosition: first.ownPosition, held: held)
            return try #require(page.entry(of: id))
        }
        let held = HeldPosition(id, at: entry.position)
        let same = try await sync([held])
        #expect(same.caughtUp && same.missed.isEmpty && same.position == entry.position)

        _ = try await cast.bob.client.edit(1, of: id, text: "edited")
        _ = try await cast.bob.client.send("four", to: id)
        try await alice.star([2], of: id)
        let later = try await sync([HeldPosition("none_such", at: 4), held])
        #expect(later.caughtUp && later.position == entry.position + 2)
        let changes = try await alice.changes(of: id, epoch: first.epoch, since: entry.position)
        #expect(later.missed == changes.messages && changes.messages.map(\.seq) == [1, 4])
        #expect(later.missed.map(\.text) == ["edited", "four"])

        for other in [HeldPosition(id, at: later.position + 1), HeldPosition(id, at: 0), HeldPosition(id, at: -1)] {
            let entry = try await sync([other])
            #expect(!entry.caughtUp && entry.missed.isEmpty, "\(other)")
        }
        let over = try await sync([held], epoch: "another")
        #expect(!over.caughtUp && over.missed.isEmpty, "the positions are of another epoch")
    }

    @Test("M3 who missed more than 50 changes, or has left, is not caught up")
    func tooMuch() async throws {
        let cast = try await Cast(messages: 1)
        let (alice, id) = (cast.alice.client, cast.id)
        let first = try await alice.syncMessaging()
        for number in 1...51 { _ = try await cast.bob.client.send("\(number)", to: id) }
        func sync(from position: Int64) async throws -> Parley_V1_InboxEntry {
            let page = try await alice.syncMessaging(
                epoch: first.epoch, cursor: first.cursor, ownPosition: first.ownPosition,
                held: [HeldPosition(id, at: position)])
            return try #require(page.entry(of: id))
        }
        let before = try #require(first.entry(of: id)).position
        #expect(try await !sync(from: before).caughtUp)
        let enough = try await sync(from: before + 1)
        #expect(enough.caughtUp && enough.missed.count == 50 && enough.missed.last?.text == "51")

        let group = try await cast.bob.client.createGroup(name: "hikers", users: [cast.alice.user]).conversation.id
        _ = try await cast.bob.client.send("hello", to: group)
        let position = try #require(try await alice.syncMessaging().entry(of: group)).position
        try await alice.leaveGroup(group)
        let left = try await alice.syncMessaging(
            epoch: first.epoch, cursor: first.cursor, held: [HeldPosition(group, at: position)])
        #expect(left.entry(of: group)?.caughtUp == false)
    }

    @Test("M16 a sync of several pages has the latest conversations first, and misses nothing that moves meanwhile")
    func latestFirst() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        var ids: [String] = []
        for other in try await cluster.people(5) {
            ids.append(try await alice.client.startDirect(with: other.user).conversation.id)
            _ = try await alice.client.send("hello", to: ids[ids.count - 1])
        }
        let first = try await alice.client.syncMessaging(limit: 2)
        #expect(first.entries.map(\.conversation) == [ids[4], ids[3]] && first.more)
        // The oldest one moves to the top while the pages are read, and so do its position and its state.
        let state = try await alice.client.updateInboxState(ids[0], pinned: true)
        var (page, entries) = (first, first.entries)
        while page.more {
            page = try await alice.client.syncMessaging(
                epoch: page.epoch, cursor: page.cursor, ownPosition: page.ownPosition, limit: 2)
            entries += page.entries
            try #require(entries.count < 100)
        }
        #expect(Set(entries.map(\.conversation)) == Set(ids))
        #expect(entries.last { $0.conversation == ids[0] }?.state.pinnedAtUs == state.pinnedAtUs)
        let later = try await alice.client.syncMessaging(
            epoch: page.epoch, cursor: page.cursor, ownPosition: page.ownPosition, limit: 200)
        #expect(!later.more)
    }

    @Test("a cell that does not exist is refused, and welcome lists those that do")
    func cells() async throws {
        let alice = try await TestCluster.shared.person("alice")
        #expect(await alice.client.welcome.cells == ["0"])
        #expect(try await alice.client.syncMessaging(cell: "0").epoch == alice.client.syncMessaging().epoch)
        for cell in ["1", "00", " ", "x"] {
            let error = await #expect(throws: ParleyError.self) { try await alice.client.syncMessaging(cell: cell) }
            #expect(error?.code == "invalid" && error?.field == "cell", "“\(cell)”")
        }
    }
}

extension Parley_V1_MessagingSyncReply {
    fileprivate func entry(of conversation: String) -> Parley_V1_InboxEntry? {
        entries.first { $0.conversation == conversation }
    }
}
