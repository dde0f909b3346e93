import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

@Suite("M16, R8: the inbox")
struct InboxTests {
    @Test("M16 the inbox lists conversations with the newest first, each with its last message, page by page")
    func pages() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let others = try await cluster.people(5)
        var ids: [String] = []
        for other in others {
            let id = try await alice.client.startDirect(with: other.user).conversation.id
            _ = try await other.client.send("from \(other.username)", to: id)
            ids.append(id)
        }
        _ = try await alice.client.startDirect(with: alice.user)
        let latestFirst = Array(ids.reversed())
        let whole = try await alice.client.inbox()
        #expect(whole.entries.map(\.conversation) == latestFirst, "not the one without messages")
        #expect(!whole.more && whole.cursor.isEmpty)
        #expect(whole.entries.map(\.lastMessage.text) == others.reversed().map { "from \($0.username)" })
        #expect(whole.entries.allSatisfy { $0.section == .inbox && $0.lastSeq == 1 && $0.position == 1 })
        #expect(whole.entries[0].lastMessage.sender == others[4].user)

        var read: [String] = []
        var cursor = ""
        repeat {
            let page = try await alice.client.inbox(.inbox, cursor: cursor, limit: 2)
            #expect(page.entries.count <= 2)
            read += page.entries.map(\.conversation)
            cursor = page.cursor
            #expect(page.more != cursor.isEmpty)
        } while !cursor.isEmpty
        #expect(read == latestFirst)

        _ = try await others[0].client.send("again", to: ids[0])
        let after = try await alice.client.inbox()
        #expect(after.entries.map(\.conversation) == [ids[0]] + latestFirst.dropLast(), "new messages come first")
        #expect(after.entries[0].lastMessage.text == "again" && after.entries[0].lastSeq == 2)
        let synced = try await alice.client.syncMessaging()
        #expect(synced.entries.allSatisfy { $0.section == .inbox } && synced.entries.count == 5)
        #expect(try await others[1].client.inbox().entries.map(\.conversation) == [ids[1]], "each has their own")
    }

    @Test("R8 a group that I left moves from my inbox to the left conversations, with its messages until then")
    func left() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let group = try await alice.client.createGroup(name: "hikers", users: [bob.user]).conversation.id
        _ = try await alice.client.send("before", to: group)
        try await bob.client.leaveGroup(group)
        try await eventually("the system message about bob arrives") {
            try await alice.client.inbox().entries.first?.lastMessage.system.kind == .memberLeft
        }
        _ = try await alice.client.send("after", to: group)
        #expect(try await bob.client.inbox().entries.isEmpty)
        let left = try await bob.client.inbox(.left)
        #expect(left.entries.map(\.conversation) == [group] && left.entries[0].section == .left)
        #expect(left.entries[0].lastMessage.text == "before", "nothing from after")
        #expect(try await alice.client.inbox().entries.map(\.lastMessage.text) == ["after"])
        #expect(try await bob.client.inbox(.requests).entries.isEmpty)
    }

    @Test("an unknown section and a forged cursor are refused")
    func refusals() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        for section in [6, -1, 1_000] {
            let error = await #expect(throws: ParleyError.self) {
                try await alice.client.inbox(.UNRECOGNIZED(section))
            }
            #expect(error?.code == "invalid", "\(section)")
        }
        let error = await #expect(throws: ParleyError.self) { try await alice.client.inbox(cursor: "of another") }
        #expect(error?.code == "invalid")
        let stranger = try await cluster.stranger()
        let refused = await #expect(throws: ParleyError.self) { try await stranger.inbox() }
        #expect(refused?.code == "unauthenticated")
    }
}
