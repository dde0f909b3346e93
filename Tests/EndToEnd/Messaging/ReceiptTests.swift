import Foundation
import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

@Suite("M5 M6: receipts", .timeLimit(.minutes(10 * patience)))
struct ReceiptTests {
    @Test(
        "M5 M6 others receive live how far a person has read, with the time; their own devices receive the inbox state"
    )
    func publishes() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await TwoDevices(cluster, "bob")
        let carol = try await cluster.person("carol", gateway: 1)
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        let first = try await alice.client.send("one", to: id).seq
        for text in ["two", "three"] { _ = try await alice.client.send(text, to: id) }

        let delivered = try await bob.client.mark([watermark(id, delivered: first + 2)])
        #expect(delivered.map(\.readSeq) == [0] && delivered.map(\.unread) == [3])
        try await receive(alice, "delivered") { $0.user == bob.user && $0.deliveredSeq == first + 2 && $0.readSeq == 0 }
        let state = try #require(try await bob.client.markRead(id, upTo: first + 1))
        #expect(state.readSeq == first + 1 && state.unread == 1)
        try await receive(alice, "read") { $0.readSeq == first + 1 && $0.readAtUs > 0 && $0.conversation == id }
        try await eventually("the other device is notified") { await bob.there.updates.inboxStates.last == state }

        let receipts = try await alice.client.receipts(of: id)
        let known = await alice.updates.receipts.last
        #expect(receipts.receipts == [known] && !receipts.more && receipts.cursor.isEmpty)
        let before = try await alice.client.readers(of: first, in: id)
        #expect(before.readers.map(\.user) == [bob.user] && before.read == 1 && before.delivered == 1)
        #expect(before.readers.first?.readAtUs == known?.readAtUs)
        let unread = try await alice.client.readers(of: first + 2, in: id)
        #expect(unread.readers.map(\.delivered) == [true] && unread.readers.map(\.readAtUs) == [0] && unread.read == 0)

        // The other device marks further, and then an older mark arrives late.
        let further = try #require(try await bob.there.client.markRead(id, upTo: .max))
        #expect(further.readSeq == first + 2 && further.unread == 0 && further.ownPosition == state.ownPosition + 1)
        try await eventually("this device is notified") { await bob.here.updates.inboxStates.last == further }
        try await receive(alice, "all") { $0.readSeq == first + 2 }
        let again = try #require(try await bob.client.markRead(id, upTo: first))
        #expect(again.countedAtUs > further.countedAtUs && again.untimed == further.untimed, "never backwards")
        #expect(try await alice.client.readers(of: first, in: id) == before, "the first time is kept")
        let own = "messaging/u/\(bob.user)/0"
        for device in [bob.here, bob.there] {
            #expect(await device.updates.positions[own] == [state.ownPosition, further.ownPosition])
        }
        #expect(await carol.updates.receipts.isEmpty, "not a member")
        #expect(await carol.updates.inboxStates.isEmpty)
        #expect(await alice.updates.receipts.count == 3)
        for device in [bob.here, bob.there] { #expect(await device.updates.receipts.isEmpty, "none of their own") }
    }

    @Test("M6 one request takes 100 marks and ignores conversations that are not mine; every refusal has its code")
    func refused() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let eve = try await cluster.person("eve")
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        let silent = try await alice.client.createGroup(name: "silent", users: [bob.user]).conversation.id
        let seq = try await alice.client.send("hi", to: id).seq
        let ghost = String(repeating: "0", count: 32)

        let marks = [watermark(ghost, read: 1), watermark(id, read: seq), watermark("no id", read: 1)]
        #expect(try await bob.client.mark(marks).map(\.conversation) == [id])
        #expect(try await eve.client.mark(marks).isEmpty)
        #expect(try await bob.client.mark([]).isEmpty)
        let many = try await bob.client.mark((0..<100).map { watermark($0 % 2 == 0 ? id : ghost, read: Int64($0)) })
        #expect(many.map(\.readSeq) == [seq])
        let tooMany = try await refusal { () async throws(ParleyError) in
            try await bob.client.mark((0..<101).map { watermark(id, read: Int64($0)) })
        }
        #expect(tooMany.code == "invalid")
        _ = try await bob.client.receipts(of: silent)

        let refused: [(String, @Sendable () async throws(ParleyError) -> Void)] = [
            ("not_member", { () async throws(ParleyError) in _ = try await eve.client.receipts(of: id) }),
            ("not_member", { () async throws(ParleyError) in _ = try await eve.client.receipts(of: ghost) }),
            ("not_member", { () async throws(ParleyError) in _ = try await eve.client.readers(of: seq, in: id) }),
            ("not_member", { () async throws(ParleyError) in _ = try await eve.client.readers(of: seq, in: "x") }),
            ("message_not_found", { () async throws(ParleyError) in _ = try await bob.client.readers(of: 99, in: id) }),
            ("message_not_found", { () async throws(ParleyError) in _ = try await bob.client.readers(of: 0, in: id) }),
            ("invalid", { () async throws(ParleyError) in _ = try await bob.client.receipts(of: id, cursor: "x") }),
            (
                "invalid",
                { () async throws(ParleyError) in _ = try await bob.client.readers(of: seq, in: id, cursor: "-1") }
            ),
        ]
        for (code, request) in refused { #expect(try await refusal(request).code == code) }

        try await bob.client.leaveGroup(silent)
        let left = try await refusal { () async throws(ParleyError) in try await bob.client.receipts(of: silent) }
        #expect(left.code == "not_member")
    }

    @Test(
        "M6 a group of 100 gets no receipts; authors receive read counts; ListReaders lists the readers, page by page"
    )
    func largeGroup() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let carol = try await cluster.person("carol")
        let crowd = try await Self.makePeople(97, in: cluster)
        let id = try await alice.client.createGroup(name: "crowd", users: [bob.user, carol.user] + crowd).conversation
            .id
        let seq = try await alice.client.send("who reads this?", to: id).seq

        #expect(try await bob.client.markRead(id, upTo: seq)?.readSeq == seq)
        #expect(try await carol.client.mark([watermark(id, delivered: seq)]).map(\.unread) == [1])
        try await eventually("alice receives the counts") {
            await alice.updates.readCounts.last { $0.seq == seq }.map { $0.read == 1 && $0.delivered == 2 } ?? false
        }
        #expect(try await carol.client.markRead(id, upTo: seq)?.unread == 0)
        try await eventually("alice receives the next counts") {
            await alice.updates.readCounts.last { $0.seq == seq }.map { $0.read == 2 && $0.delivered == 2 } ?? false
        }
        for device in [alice, bob, carol] { #expect(await device.updates.receipts.isEmpty) }
        for device in [bob, carol] { #expect(await device.updates.readCounts.isEmpty, "they wrote nothing") }

        var users: [String] = []
        var read: Set<String> = []
        var cursor = ""
        repeat {
            let page = try await carol.client.readers(of: seq, in: id, cursor: cursor, limit: 40)
            #expect(page.read == 2 && page.delivered == 2, "the totals, on every page")
            users += page.readers.map(\.user)
            read.formUnion(page.readers.filter { $0.readAtUs != 0 }.map(\.user))
            #expect(page.more == !page.cursor.isEmpty)
            cursor = page.cursor
        } while !cursor.isEmpty
        #expect(users.count == 99 && Set(users) == Set(crowd + [bob.user, carol.user]), "each of the others once")
        #expect(read == [bob.user, carol.user])
        let receipts = try await alice.client.receipts(of: id, limit: 1)
        #expect(receipts.receipts.count == 1 && receipts.more)
        let rest = try await alice.client.receipts(of: id, cursor: receipts.cursor, limit: 1)
        #expect(!rest.more && Set((receipts.receipts + rest.receipts).map(\.user)) == read)
    }

    // MARK: Helpers

    private func watermark(_ id: String, read: Int64 = 0, delivered: Int64 = 0) -> Parley_V1_Watermark {
        .with { ($0.conversation, $0.readSeq, $0.deliveredSeq) = (id, read, delivered) }
    }

    private func receive(
        _ device: Device, _ what: String, _ condition: @Sendable (Parley_V1_Receipt) -> Bool
    ) async throws {
        try await eventually("\(device.username) receives: \(what)") {
            await device.updates.receipts.contains(where: condition)
        }
    }

    /// Inserts people who never sign in, since hashing a password for each would take a while.
    @ReactorActor
    private static func makePeople(_ count: Int, in cluster: TestCluster) async throws -> [String] {
        let connection = try await Connection.open(
            DatabaseConfiguration(test: cluster.endpoints.database))
        defer { connection.close() }
        let run = String(UInt64.random(in: 0 ... .max), radix: 36)
        let users = (0..<count).map { "crowd\(run)n\($0)" }
        try await connection.execute(
            Statement(
                "INSERT INTO conversations.accounts (user_id, username, created_at) SELECT u, u, 1 FROM unnest($1::text[]) AS u"
            ), .texts(users))
        return users
    }
}
