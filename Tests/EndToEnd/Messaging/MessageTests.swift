import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("M1 to M3, M14: messages")
struct MessageTests {
    @Test("M3 each of three devices of two people receives each message once, also the sender's other device")
    func delivers() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let tablet = try await cluster.device(of: alice, gateway: 1)
        let bob = try await cluster.person("bob", gateway: 1)
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        for number in 1...10 {
            let sender = number.isMultiple(of: 2) ? alice : bob
            let reply = try await sender.client.send("text \(number)", to: id)
            #expect(reply.seq == Int64(number) && !reply.duplicate && reply.position > 0 && reply.sentAtUs > 0)
        }
        // The sending device knows its messages by the replies.
        let expected: [(Device, [Int])] = [
            (tablet, Array(1...10)), (alice, [1, 3, 5, 7, 9]), (bob, [2, 4, 6, 8, 10]),
        ]
        for (device, numbers) in expected {
            try await eventually("all messages arrive") { await device.updates.messages(of: id).count >= numbers.count }
            let messages = await device.updates.messages(of: id)
            #expect(messages.map(\.seq) == numbers.map(Int64.init))
            #expect(messages.map(\.text) == numbers.map { "text \($0)" })
            #expect(messages.allSatisfy { $0.sender == ($0.seq.isMultiple(of: 2) ? alice.user : bob.user) })
            #expect(
                messages == (try await device.client.history(of: id).messages.filter { numbers.contains(Int($0.seq)) }))
            #expect(await device.updates.unreadable == 0)
        }
    }

    @Test("M3 P1 members on two gateways exchange messages and see each other online")
    func twoGateways() async throws {
        let cluster = try await TestCluster.shared
        #expect(cluster.url(0) != cluster.url(1))
        let people = try await cluster.people(4) { $0 % 2 }
        let group = try await people[0].client.createGroup(name: "both", users: people.map(\.user)).conversation.id
        for person in people { _ = try await person.client.send("from \(person.user)", to: group) }
        for person in people {
            try await eventually("all messages arrive") { await person.updates.messages(of: group).count == 3 }
            // Gateways report a session a moment after it began.
            try await eventually("everyone is seen online") {
                try await person.client.getPresence(people.map(\.user)).allSatisfy { $0.status == .online }
            }
        }
    }

    @Test("M2 a repeated send is a duplicate with the first result, also from another device and gateway")
    func duplicates() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let elsewhere = try await cluster.device(of: alice, gateway: 1)
        let bob = try await cluster.person("bob")
        let conversation = try await alice.client.startDirect(with: bob.user).conversation.id
        let id = await alice.client.newID()
        let first = try await alice.client.send("once", to: conversation, id: id)
        for client in [alice.client, elsewhere.client] {
            let again = try await client.send("once", to: conversation, id: id)
            #expect(again.duplicate && again.seq == first.seq && again.position == first.position)
            #expect(again.sentAtUs == first.sentAtUs)
        }
        // The first text is kept.
        #expect(try await alice.client.send("changed", to: conversation, id: id).duplicate)
        #expect(try await bob.client.wholeHistory(of: conversation).map(\.text) == ["once"])
    }

    @Test("M2 a message sent through two gateways together is stored once, and both get the same result, 100 times")
    func racingDuplicates() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let elsewhere = try await cluster.device(of: alice, gateway: 1)
        let bob = try await cluster.person("bob", gateway: 1)
        let conversation = try await alice.client.startDirect(with: bob.user).conversation.id
        for number in 1...100 {
            let id = await alice.client.newID()
            async let here = alice.client.send("race \(number)", to: conversation, id: id)
            async let there = elsewhere.client.send("race \(number)", to: conversation, id: id)
            let (left, right) = try await (here, there)
            #expect(left.seq == Int64(number) && right.seq == Int64(number))
            #expect(left.position == right.position && left.sentAtUs == right.sentAtUs)
            #expect(left.duplicate != right.duplicate)
        }
        #expect(try await bob.client.wholeHistory(of: conversation).map(\.text) == (1...100).map { "race \($0)" })
        try await eventually("bob receives them") { await bob.updates.messages(of: conversation).count >= 100 }
        #expect(await bob.updates.messages(of: conversation).map(\.seq) == Array(1...100))
    }

    @Test(
        "M1 M3 10,000 messages of 20 writers in 5 conversations reach every member once, in seq order, without gaps")
    func manyWriters() async throws {
        let cluster = try await TestCluster.shared
        let writers = try await cluster.people(20) { $0 % 2 }
        // Each writes in two groups; each group has eight of them.
        func members(_ group: Int) -> [Device] {
            writers.indices.filter { $0 % 5 == group || ($0 + 1) % 5 == group }.map { writers[$0] }
        }
        var groups: [String] = []
        for group in 0..<5 {
            let people = members(group)
            let made = try await people[0].client.createGroup(name: "group \(group)", users: people.map(\.user))
            groups.append(made.conversation.id)
        }
        let conversations = groups
        let sent = try await Self.sendAll(writers, conversations)
        for group in 0..<5 {
            let conversation = conversations[group]
            let all = sent.filter { $0.conversation == conversation }
            #expect(Set(all.map(\.seq)) == Set(1...Int64(all.count)), "numbered without a gap, each once")
            for member in members(group) {
                let own = Set(all.filter { $0.user == member.user }.map(\.seq))
                let theirs = all.map(\.seq).filter { !own.contains($0) }.sorted()
                try await eventually(within: .seconds(60), "all messages arrive") {
                    await member.updates.messages(of: conversation).count >= theirs.count
                }
                let got = await member.updates.messages(of: conversation)
                #expect(got.map(\.seq) == theirs, "in order, each once")
                #expect(await member.updates.unreadable == 0)
            }
            let reader = members(group)[0]
            let history = try await reader.client.wholeHistory(of: conversation)
            #expect(history.map(\.seq) == Array(1...Int64(all.count)))
            let texts = Dictionary(uniqueKeysWithValues: all.map { ($0.seq, $0.text) })
            #expect(history.allSatisfy { texts[$0.seq] == $0.text })
        }
        #expect(sent.count == 10_000)
    }

    struct Sent: Sendable {
        var conversation: String
        var user: String
        var seq: Int64
        var text: String
    }

    /// Sends 500 messages of each writer, ten under way at a time, alternately into their two groups.
    private static func sendAll(_ writers: [Device], _ groups: [String]) async throws -> [Sent] {
        try await withThrowingTaskGroup(of: [Sent].self) { tasks in
            for (index, writer) in writers.enumerated() {
                for lane in 0..<10 {
                    tasks.addTask {
                        var sent: [Sent] = []
                        for number in 0..<50 {
                            let group = groups[(index + number % 2) % 5]
                            let text = "\(index).\(lane).\(number)"
                            let reply = try await writer.client.send(text, to: group)
                            sent.append(Sent(conversation: group, user: writer.user, seq: reply.seq, text: text))
                        }
                        return sent
                    }
                }
            }
            return try await tasks.reduce(into: []) { $0 += $1 }
        }
    }

    @Test("M14 history pages both ways and around a message")
    func pages() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        for number in 1...260 { _ = try await alice.client.send("\(number)", to: id) }
        func page(_ page: ParleyClient.HistoryPage, _ limit: UInt32 = 0) async throws -> ([Int64], Bool, Bool) {
            let reply = try await bob.client.history(of: id, page, limit: limit)
            #expect(reply.lastSeq == 260)
            #expect(reply.messages.allSatisfy { $0.text == "\($0.seq)" && $0.conversation == id })
            return (reply.messages.map(\.seq), reply.moreBefore, reply.moreAfter)
        }
        let table: [(ParleyClient.HistoryPage, UInt32, ClosedRange<Int64>, Bool, Bool)] = [
            (.newest, 0, 211...260, true, false), (.before(0), 10, 251...260, true, false),
            (.before(211), 0, 161...210, true, true), (.before(3), 10, 1...2, false, true),
            (.after(0), 0, 1...50, false, true), (.after(255), 50, 256...260, true, false),
            (.around(100), 10, 96...105, true, true), (.around(1), 10, 1...6, false, true),
            (.around(260), 10, 256...260, true, false), (.newest, 500, 61...260, true, false),
            (.after(0), 1, 1...1, false, true), (.before(10_000), 2, 259...260, true, false),
        ]
        for (from, limit, expected, before, after) in table {
            let (seqs, moreBefore, moreAfter) = try await page(from, limit)
            #expect(seqs == Array(expected), "\(from) \(limit)")
            #expect(moreBefore == before && moreAfter == after, "\(from) \(limit)")
        }
        // Beyond either end.
        let beyond: [(ParleyClient.HistoryPage, count: Int, before: Bool, after: Bool)] = [
            (.after(260), 0, true, false), (.after(.max), 0, true, false), (.around(.max), 5, true, false),
            (.before(1), 0, false, true), (.before(.min), 10, true, false), (.after(.min), 10, false, true),
            (.around(.min), 5, false, true),
        ]
        for (from, count, before, after) in beyond {
            let reply = try await bob.client.history(of: id, from, limit: 10)
            #expect(reply.lastSeq == 260 && reply.messages.count == count, "\(from)")
            #expect(reply.moreBefore == before && reply.moreAfter == after, "\(from)")
        }
        // Large messages make a page shorter.
        let large = String(repeating: "ä", count: 8192)
        for _ in 0..<10 { _ = try await alice.client.send(large, to: id) }
        let short = try await bob.client.history(of: id, .after(260))
        #expect(short.messages.count == 5 && short.moreAfter)
        #expect(try await bob.client.wholeHistory(of: id).map(\.seq) == Array(1...270))
    }

    @Test("M3 GetChanges and Sync return the same as the Updates")
    func changesAgree() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        for number in 1...120 { _ = try await alice.client.send("\(number)", to: id) }
        try await eventually("bob receives them") { await bob.updates.messages(of: id).count >= 120 }
        let updates = await bob.updates.messages(of: id)
        var changed: [Parley_V1_Message] = []
        var (epoch, position, more) = ("", Int64(0), true)
        while more {
            let page = try await bob.client.changes(of: id, epoch: epoch, since: position, limit: 50)
            #expect(!page.startOver)
            (epoch, position, more) = (page.epoch, page.position, page.more)
            changed += page.messages
        }
        #expect(changed == updates)
        #expect(changed == (try await bob.client.wholeHistory(of: id)))
        #expect(await bob.updates.positions["messaging/c/\(id)"] == changed.map(\.position))
        #expect(position == changed.last?.position)
        let nothing = try await bob.client.changes(of: id, epoch: epoch, since: position)
        #expect(nothing.messages.isEmpty && nothing.position == position && !nothing.more)
        let other = try await bob.client.changes(of: id, epoch: "of-a-restored-server", since: position)
        #expect(other.startOver && other.epoch == epoch)
        for (epoch, since) in [(epoch, position + 1), (epoch, -1), ("", position)] {
            #expect(
                try await bob.client.changes(of: id, epoch: epoch, since: since).startOver, "\(since) of “\(epoch)”")
        }

        for person in [alice, bob] {
            let inbox = try await person.client.syncMessaging()
            let entry = try #require(inbox.entries.first)
            #expect(inbox.entries.count == 1 && entry.conversation == id && !inbox.more)
            let head = try await person.client.changes(of: id, epoch: epoch, since: position)
            #expect(entry.position == head.position && entry.lastMessage == head.messages.last ?? changed.last)
            // A later Sync returns what changed since.
            let sent = try await alice.client.send("more", to: id)
            let later = try await person.client.syncMessaging(epoch: inbox.epoch, cursor: inbox.cursor)
            #expect(later.entries.map(\.lastSeq) == [sent.seq] && !later.startOver)
        }
        let wrong = try await refusal { () async throws(ParleyError) in
            try await bob.client.syncMessaging(epoch: epoch, cursor: "not a cursor")
        }
        #expect(wrong.code == "invalid" && wrong.field == "cursor")
    }

    @Test("M1 M2 an invalid message is refused with the reason and uses no seq")
    func refuses() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        let conversation = try await alice.client.startDirect(with: bob.user).conversation.id
        let texts: [(String, String)] = [
            ("", "invalid"), (" \n\t ", "invalid"), ("a\u{0}b", "invalid"), ("a\u{1b}[2Jb", "invalid"),
            ("\u{7f}", "invalid"),
            (String(repeating: "x", count: 16385), "too_large"),
        ]
        for (text, code) in texts {
            let refused = try await refusal { () async throws(ParleyError) in
                try await alice.client.send(text, to: conversation)
            }
            #expect(["invalid", code].contains(refused.code), "\(text.prefix(10)): \(refused)")
            #expect(!refused.message.isEmpty)
        }
        func send(_ change: @Sendable (inout Parley_V1_SendMessageRequest) -> Void) async throws -> ParleyError {
            var request = Parley_V1_SendMessageRequest()
            request.id = Data(await alice.client.newID().bytes)
            (request.conversation, request.kind, request.text) = (conversation, .text, "hello")
            change(&request)
            let changed = request
            return try await refusal { () async throws(ParleyError) in
                try await alice.client.call(MessagingMethods.sendMessage, key: conversation, changed)
            }
        }
        #expect(try await send { $0.id = Data(count: 16) }.field == "id")
        #expect(try await send { $0.id = Data($0.id.prefix(15)) }.code == "invalid")
        #expect(try await send { $0.id = Data($0.id + [1]) }.code == "invalid")
        #expect(try await send { $0.id = Data() }.code == "invalid")
        #expect(try await send { $0.id[6] = 0x40 | ($0.id[6] & 0x0f) }.field == "id", "version 4")
        #expect(try await send { $0.id[8] = 0x0f }.field == "id", "variant")
        #expect(try await send { $0.id.replaceSubrange(0..<6, with: [0, 0, 0, 0, 0, 1]) }.code == "id_too_old")
        #expect(
            try await send { $0.id.replaceSubrange(0..<6, with: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]) }.code
                == "id_from_future")
        #expect(try await send { $0.kind = .image }.field == "media")
        #expect(try await send { $0.kind = .system }.field == "kind")
        #expect(try await send { $0.kind = .unspecified }.field == "kind")
        #expect(try await send { $0.kind = .UNRECOGNIZED(99) }.field == "kind")
        #expect(try await send { $0.conversation = String(repeating: "a", count: 130) }.code == "invalid")
        #expect(try await send { $0.conversation = "a\u{0}b" }.code == "invalid")
        #expect(try await send { $0.conversation = "" }.code == "not_member")

        // Invalid UTF-8, which no library would write, in field 4 (text) of SendMessageRequest.
        let token = try #require(await alice.client.credentials?.accessToken)
        let id = await alice.client.newID().bytes
        let codes = try await onThread { () -> [String] in
            let socket = try RawSocket(cluster.url())
            try socket.hello(token)
            let good: [UInt8] =
                [0x0a, 16] + id + [0x12, UInt8(conversation.utf8.count)] + Array(conversation.utf8) + [0x18, 1]
            let bodies: [[UInt8]] = [
                good + [0x22, 2, 0xc3, 0x28], good + [0x22, 3, 0xed, 0xa0, 0x80], good + [0x22, 9, 0x41],
            ]
            return try bodies.enumerated().map {
                try socket.call(UInt64($0.offset + 1), "messaging.SendMessage", $0.element).error.code
            }
        }
        #expect(codes == ["invalid", "invalid", "invalid"])

        #expect(try await alice.client.send(String(repeating: "x", count: 16384), to: conversation).seq == 1)
        #expect(try await alice.client.send("tab\tline\nemoji 👩‍👩‍👧 \u{200f}", to: conversation).seq == 2)
        #expect(try await bob.client.wholeHistory(of: conversation).map(\.seq) == [1, 2])
    }
}
