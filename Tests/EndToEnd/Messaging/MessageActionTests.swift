import Foundation
import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

@Suite("M8 M9 M12 M13 M18: message actions", .timeLimit(.minutes(10 * patience)))
struct MessageActionTests {
    private struct People {
        let cluster: TestCluster
        let alice: Device
        let bob: Device
        let carol: Device
        let eve: Device
        /// The group of Alice, its owner, Bob and Carol.
        let group: String

        init() async throws {
            cluster = try await TestCluster.shared
            alice = try await cluster.person("alice")
            bob = try await cluster.person("bob", gateway: 1)
            carol = try await cluster.person("carol")
            eve = try await cluster.person("eve")
            group = try await alice.client.createGroup(name: "actions", users: [bob.user, carol.user]).conversation.id
        }
    }

    /// Returns the newest Update of a message that a device received.
    private func latest(_ device: Device, _ seq: Int64, _ conversation: String) async -> Parley_V1_Message? {
        await device.updates.messages(of: conversation).last { $0.seq == seq }
    }

    private func stored(_ seq: Int64, _ conversation: String, for device: Device) async throws -> Parley_V1_Message? {
        try await device.client.history(of: conversation, .around(seq), limit: 2).messages.first { $0.seq == seq }
    }

    @Test("M8 an edit reaches every device with its time and revisions; a repeated edit changes nothing")
    func edits() async throws {
        let people = try await People()
        let (alice, bob, group) = (people.alice, people.bob, people.group)
        let elsewhere = try await people.cluster.device(of: alice, gateway: 1)
        let seq = try await alice.client.send("helo", to: group).seq
        let edited = try await alice.client.edit(seq, of: group, text: "hello", mentions: [bob.user, people.eve.user])
        #expect(edited.text == "hello" && edited.editedAtUs > edited.sentAtUs)
        #expect(edited.mentions == [bob.user], "Eve is not a member")
        let again = try await alice.client.edit(seq, of: group, text: "hello", mentions: [bob.user])
        #expect(again.position == edited.position && again.editedAtUs == edited.editedAtUs)
        for device in [bob, people.carol, elsewhere] {
            try await eventually("it arrives") { await latest(device, seq, group)?.position == edited.position }
            #expect(await latest(device, seq, group) == edited)
            #expect(try await stored(seq, group, for: device) == edited)
        }
        #expect(try await bob.client.revisions(of: seq, in: group).map(\.text) == ["helo"])
        let epoch = try await bob.client.syncMessaging().epoch
        let since = try await bob.client.changes(of: group, epoch: epoch, since: edited.position - 1)
        #expect(since.messages == [edited], "GetChanges returns it too")

        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        let gone = try await alice.client.send("gone", to: group).seq
        try await alice.client.delete(gone, of: group)
        let refused: [(String, Device, Int64, String)] = [
            ("not_author", bob, seq, "mine"), ("not_member", people.eve, seq, "mine"),
            ("message_not_found", alice, 99, "what"), ("message_not_found", alice, 0, "what"),
            ("message_not_found", alice, -1, "what"), ("message_deleted", alice, gone, "back"),
            ("invalid", alice, seq, ""), ("invalid", alice, seq, " \n"), ("invalid", alice, seq, "a\u{1}"),
            ("invalid", alice, seq, String(repeating: "x", count: 16385)),
        ]
        for (code, device, seq, text) in refused {
            let problem = try await refusal { () async throws(ParleyError) in
                try await device.client.edit(seq, of: group, text: text)
            }
            #expect(problem.code == code, "\(code)")
        }
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await alice.client.edit(1, of: direct, text: "no message")
            }.code == "message_not_found")
        #expect(try await stored(seq, group, for: alice) == edited, "nothing changed")
    }

    @Test("M8 a deleted message keeps no text, mentions, reactions or revisions; only its author and admins delete it")
    func deletions() async throws {
        let people = try await People()
        let (alice, bob, carol, group) = (people.alice, people.bob, people.carol, people.group)
        let root = try await alice.client.send("root", to: group).seq
        var reply = Parley_V1_SendMessageRequest()
        (reply.id, reply.conversation, reply.kind) = (Data(await bob.client.newID().bytes), group, .text)
        let word = "secret\(UInt64.random(in: 0...(.max)))"
        (reply.text, reply.replyToSeq, reply.mentions) = (word, root, [alice.user])
        let seq = try await bob.client.send(reply).seq
        try await bob.client.edit(seq, of: group, text: word + " two", mentions: [alice.user])
        try await carol.client.react("👍", to: seq, of: group)
        #expect(try await stored(root, group, for: carol)?.thread.replies == 1)
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await carol.client.delete(seq, of: group)
            }.code == "not_author")

        let deleted = try await alice.client.delete(seq, of: group)
        #expect(deleted.deletedAtUs > 0 && deleted.text.isEmpty && deleted.mentions.isEmpty)
        #expect(deleted.reactions.isEmpty && deleted.editedAtUs == 0 && deleted.sender == bob.user)
        #expect(deleted.thread.replies == 0 && deleted.thread.position == deleted.position)
        for device in [bob, carol] {
            try await eventually("it arrives") { await latest(device, seq, group)?.position == deleted.position }
            #expect(try await stored(seq, group, for: device) == deleted)
            #expect(try await device.client.revisions(of: seq, in: group).isEmpty)
            #expect(try await device.client.reactions(to: seq, in: group).reactions.isEmpty)
        }
        #expect(try await bob.client.delete(seq, of: group) == deleted, "a repeat changes nothing")
        let late = try await refusal { () async throws(ParleyError) in
            try await carol.client.react("👍", to: seq, of: group)
        }
        #expect(late.code == "message_deleted")
        let words = try await Self.count(
            "SELECT count(*) FROM messaging.messages WHERE text LIKE '\(word)%'", in: people.cluster)
        #expect(words == 0)
    }

    @Test("R2 the session that causes a change gets its Update like any other session, except for a message it sent")
    func ownUpdates() async throws {
        let people = try await People()
        let (bob, group) = (people.bob, people.group)
        _ = try await people.alice.client.send("hi", to: group)
        let seq = try await bob.client.send("mine", to: group).seq
        let edited = try await bob.client.edit(seq, of: group, text: "mine!")
        let liked = try await bob.client.react("👍", to: seq, of: group)
        let starred = try await bob.client.star([seq], of: group)
        let pinned = try await bob.client.updateInboxState(group, pinned: true)
        let read = try await bob.client.markRead(group, upTo: seq)
        let cleared = try await bob.client.clear(group, upTo: seq - 1)
        let deleted = try await bob.client.delete(seq, of: group)
        let updates = bob.updates
        try await eventually("all Updates arrive") { await updates.messages(of: group).last?.deletedAtUs != 0 }
        let messages = await updates.messages(of: group).filter { $0.seq == seq }
        #expect(messages.map(\.position) == [edited.position, deleted.position])
        #expect(await updates.reactions.map(\.position) == [liked.position])
        #expect(await updates.messageStates == starred)
        try await eventually("the inbox states arrive") {
            await updates.inboxStates.filter { $0.conversation == group } == [pinned, read, cleared]
        }
    }

    @Test("M12 each person has at most one of each reaction; Updates have counts and changes; reactions can be removed")
    func reactions() async throws {
        let people = try await People()
        let (alice, bob, carol, group) = (people.alice, people.bob, people.carol, people.group)
        let elsewhere = try await people.cluster.device(of: bob)
        let seq = try await alice.client.send("hi", to: group).seq
        #expect(try await bob.client.react("❤", to: seq, of: group).counts.map(\.count) == [1])
        let first = try await bob.client.react("❤️", to: seq, of: group)
        #expect(first.counts.map(\.emoji) == ["❤️"] && first.counts.map(\.count) == [1], "the same emoji")
        try await carol.client.react("❤️", to: seq, of: group)
        let last = try await carol.client.react("👍", to: seq, of: group)
        #expect(last.counts.map(\.count) == [2, 1] && last.counts.map(\.emoji) == ["❤️", "👍"])
        for device in [alice, elsewhere] {
            try await eventually("it arrives") { await device.updates.reactions.count == 3 }
            let received = await device.updates.reactions
            #expect(received.flatMap(\.changes).map(\.user) == [bob.user, carol.user, carol.user])
            #expect(received.last?.counts == last.counts && received.last?.position == last.position)
        }
        let message = try await stored(seq, group, for: bob)
        #expect(message?.reactions == last.counts && message?.own.reactions == ["❤️"])
        #expect(try await stored(seq, group, for: alice)?.hasOwn == false)
        var page = try await alice.client.reactions(to: seq, in: group, limit: 2)
        #expect(page.reactions.map(\.user) == [bob.user, carol.user] && page.more)
        page = try await alice.client.reactions(to: seq, in: group, cursor: page.cursor, limit: 2)
        #expect(page.reactions.map(\.emoji) == ["👍"] && !page.more && page.cursor.isEmpty)

        let removed = try await bob.client.react("❤️", to: seq, of: group, remove: true)
        #expect(try await bob.client.react("❤️", to: seq, of: group, remove: true) == removed)
        #expect(removed.counts.map(\.count) == [1, 1])
        try await eventually("it arrives") { await alice.updates.reactions.last?.changes.first?.removed == true }
        let refused: [(String, Device, Int64, String)] = [
            ("invalid", bob, seq, "ok"), ("invalid", bob, seq, "👍👍"), ("invalid", bob, seq, ""),
            ("message_not_found", bob, 99, "👍"), ("not_member", people.eve, seq, "👍"),
        ]
        for (code, device, seq, emoji) in refused {
            let problem = try await refusal { () async throws(ParleyError) in
                try await device.client.react(emoji, to: seq, of: group)
            }
            #expect(problem.code == code)
        }
    }

    @Test(
        "M9 replies form a thread with its own count and pages; later members read only replies since they joined"
    )
    func threads() async throws {
        let people = try await People()
        let (alice, bob, group) = (people.alice, people.bob, people.group)
        func reply(_ text: String, to seq: Int64, from device: Device) async throws -> Parley_V1_SendMessageReply {
            var request = Parley_V1_SendMessageRequest()
            (request.id, request.conversation, request.kind) = (Data(await device.client.newID().bytes), group, .text)
            (request.text, request.replyToSeq) = (text, seq)
            return try await device.client.send(request)
        }
        let root = try await alice.client.send("root", to: group).seq
        let first = try await reply("one", to: root, from: bob)
        _ = try await alice.client.send("aside", to: group)
        let second = try await reply("two", to: first.seq, from: alice)
        #expect(second.message.threadSeq == root && second.message.replyToSeq == first.seq)
        #expect(second.message.thread.replies == 2 && second.message.thread.lastSeq == second.seq)
        try await eventually("it arrives") { await latest(bob, second.seq, group)?.thread.replies == 2 }
        let thread = try await bob.client.thread(root, of: group)
        #expect(thread.messages.map(\.text) == ["root", "one", "two"] && !thread.moreAfter)
        #expect(thread.messages.allSatisfy { $0.thread == second.message.thread })
        let page = try await bob.client.thread(root, of: group, limit: 2)
        #expect(page.messages.map(\.text) == ["root", "one"] && page.moreAfter)

        try await alice.client.addMembers([people.eve.user], to: group)
        let third = try await reply("three", to: root, from: bob)
        #expect(try await people.eve.client.thread(root, of: group).messages.map(\.seq) == [third.seq])
        let refused: [(String, Int64)] = [
            ("message_not_found", 99), ("message_not_found", 0), ("message_not_found", -1),
        ]
        for (code, seq) in refused {
            #expect(
                try await refusal { () async throws(ParleyError) in
                    try await bob.client.thread(seq, of: group)
                }.code == code)
        }
        let missing = try await refusal { () async throws(ParleyError) in
            var request = Parley_V1_SendMessageRequest()
            (request.id, request.conversation, request.kind) = (Data(await bob.client.newID().bytes), group, .text)
            (request.text, request.replyToSeq) = ("to nothing", 99)
            _ = try await bob.client.send(request)
        }
        #expect(missing.code == "message_not_found")
    }

    @Test(
        "M13 a forward names the original author; only readable messages can be forwarded; a repeat changes nothing")
    func forwards() async throws {
        let people = try await People()
        let (alice, bob, carol, group) = (people.alice, people.bob, people.carol, people.group)
        let seq = try await alice.client.send("wise words", to: group).seq
        let direct = try await bob.client.startDirect(with: people.eve.user).conversation.id
        let id = await bob.client.newID()
        let sent = try await bob.client.forward(seq, of: group, to: direct, id: id)
        #expect(sent.message.text == "wise words" && sent.message.forwardedFrom == alice.user)
        try await eventually("it arrives") { await latest(people.eve, sent.seq, direct)?.text == "wise words" }
        let onwards = try await people.eve.client.startDirect(with: carol.user).conversation.id
        let further = try await people.eve.client.forward(sent.seq, of: direct, to: onwards)
        #expect(further.message.forwardedFrom == alice.user && further.message.sender == people.eve.user)
        try await alice.client.delete(seq, of: group)
        let again = try await bob.client.forward(seq, of: group, to: direct, id: id)
        #expect(again.duplicate && again.seq == sent.seq, "although the original is deleted")
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await bob.client.edit(sent.seq, of: direct, text: "other words")
            }.code == "not_author")
        let refused: [(String, Device, Int64, String, String)] = [
            ("message_not_found", bob, seq, group, direct), ("message_not_found", bob, 99, group, direct),
            ("message_not_found", people.eve, 1, group, direct),
            ("message_not_found", bob, 1, "00000000000000000000000000000000", direct),
            ("not_member", carol, further.seq, onwards, direct),
        ]
        for (code, device, seq, source, target) in refused {
            let problem = try await refusal { () async throws(ParleyError) in
                _ = try await device.client.forward(seq, of: source, to: target)
            }
            #expect(problem.code == code)
        }
    }

    @Test("M18 messages, on request also old ones, disappear on time and are emptied; a system message says so")
    func retention() async throws {
        let people = try await People()
        let (alice, bob, group) = (people.alice, people.bob, people.group)
        let follower = await Follower(bob.client)
        let old = try await alice.client.send("old", to: group)
        try await bob.client.react("👍", to: old.seq, of: group)
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await bob.client.setRetention(of: group, seconds: 60)
            }.code == "forbidden")
        for seconds: Int64 in [-1, 1, 59, 31_536_001] {
            #expect(
                try await refusal { () async throws(ParleyError) in
                    try await alice.client.setRetention(of: group, seconds: seconds)
                }.code == "invalid")
        }
        try await alice.client.setRetention(of: group, seconds: 3600)
        try await alice.client.setRetention(of: group, seconds: 3600)
        let new = try await alice.client.send("new", to: group)
        #expect(new.message.expiresAtUs == new.sentAtUs + 3_600_000_000)
        let history = try await bob.client.history(of: group).messages
        #expect(history.filter { $0.system.kind == .retentionChanged }.map(\.system.seconds) == [3600], "only one")
        #expect(try await stored(old.seq, group, for: bob)?.expiresAtUs == 0)

        try await alice.client.setRetention(of: group, seconds: 60, alsoOld: true)
        try await eventually("old messages expire too") {
            try await stored(old.seq, group, for: bob)?.expiresAtUs == old.sentAtUs + 60_000_000
        }
        try await eventually("the feed reads them again") {
            await follower.messages[group]?.first { $0.seq == new.seq }?.expiresAtUs == new.sentAtUs + 60_000_000
        }
        // A minute later.
        try await people.cluster.execute(
            """
            UPDATE messaging.messages SET expires_at = expires_at - 120000000
            WHERE expires_at IS NOT NULL AND conversation = (
                SELECT conversation FROM conversations.conversations WHERE conversation_id = '\(group)')
            """)
        for seq in [old.seq, new.seq] {
            let gone = try await stored(seq, group, for: bob)
            #expect(gone?.text == "" && gone?.deletedAtUs == gone?.expiresAtUs)
        }
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await alice.client.edit(new.seq, of: group, text: "back")
            }.code == "message_deleted")
        try await eventually("expired messages are emptied") {
            try await Self.count(
                "SELECT count(*) FROM messaging.messages WHERE expires_at IS NOT NULL AND deleted_at IS NULL "
                    + "AND expires_at < extract(epoch FROM now()) * 1000000", in: people.cluster) == 0
        }
        let left = try await Self.count(
            "SELECT count(*) FROM messaging.reactions AS r JOIN conversations.conversations AS c USING (conversation) "
                + "WHERE c.conversation_id = '\(group)'", in: people.cluster)
        #expect(left == 0)
        try await alice.client.setRetention(of: group, seconds: 0)
        #expect(try await !alice.client.send("stays", to: group).hasMessage)

        // In a direct conversation nobody makes disappear what the other wrote.
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        let mine = try await alice.client.send("mine", to: direct)
        let theirs = try await bob.client.send("theirs", to: direct)
        try await alice.client.setRetention(of: direct, seconds: 3600, alsoOld: true)
        try await eventually("the own message expires") {
            try await stored(mine.seq, direct, for: bob)?.expiresAtUs == mine.sentAtUs + 3_600_000_000
        }
        #expect(try await stored(theirs.seq, direct, for: alice)?.expiresAtUs == 0)
        try await bob.client.setRetention(of: direct, seconds: 3600, alsoOld: true)
        try await eventually("its author lets it expire") {
            try await stored(theirs.seq, direct, for: alice)?.expiresAtUs == theirs.sentAtUs + 3_600_000_000
        }
    }

    @ReactorActor
    private static func count(_ sql: String, in cluster: TestCluster) async throws -> Int64 {
        let connection = try await Connection.open(
            DatabaseConfiguration(test: cluster.endpoints.database))
        defer { connection.close() }
        return try await connection.first(Statement(sql) { try $0.int64(0) }) ?? -1
    }
}

/// Checks that windows of history also apply to actions on messages.
@Suite("Message actions for later and former members", .timeLimit(.minutes(10)))
struct MessageActionWindowTests {
    @Test(
        "M14 later members learn nothing of actions on earlier messages; former members read messages as they were"
    )
    func windows() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(3) { $0 % 2 }
        let (alice, bob, eve) = (people[0], people[1], people[2])
        let group = try await alice.client.createGroup(name: "g", users: [bob.user]).conversation.id
        let seq = try await alice.client.send("before eve", to: group).seq
        _ = try await alice.client.addMembers([eve.user], to: group)
        try await eventually("the system message arrives") {
            try await alice.client.history(of: group).messages.contains { $0.system.kind == .membersJoined }
        }
        let watcher = try await Mirror(cluster.session(of: eve))
        try await alice.client.edit(seq, of: group, text: "edited secretly")
        try await bob.client.react("👍", to: seq, of: group)
        let last = try await alice.client.send("hello eve", to: group)
        try await eventually("eve has received everything") {
            await watcher.holdings.held.positions["messaging/c/\(group)"] ?? 0 >= last.position
        }
        let held = await watcher.holdings.held.messages[group] ?? [:]
        #expect(held[seq] == nil && held[last.seq]?.text == "hello eve")
        let received = eve.updates
        #expect(await !received.messages.contains { $0.text.contains("secretly") })
        #expect(await received.reactions.isEmpty)

        try await alice.client.removeMember(bob.user, from: group)
        try await eventually("the system message arrives") {
            try await alice.client.history(of: group).messages.contains { $0.system.kind == .memberRemoved }
        }
        try await alice.client.edit(seq, of: group, text: "edited once more")
        try await alice.client.react("🎉", to: seq, of: group)
        let left = try await bob.client.history(of: group).messages.first { $0.seq == seq }
        #expect(left?.text == "edited secretly" && left?.reactions.contains { $0.emoji == "🎉" } == false)
        #expect(try await bob.client.reactions(to: seq, in: group).reactions.isEmpty)
        #expect(try await bob.client.revisions(of: seq, in: group).isEmpty)
    }

    @Test("M14 former members find, list and forward messages as they were when they left, by every request")
    func asLeft() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2)
        let (alice, bob) = (people[0], people[1])
        let group = try await alice.client.createGroup(name: "g", users: [bob.user]).conversation.id
        let word = "heron\(UInt64.random(in: 0...(.max)))"
        var first = Parley_V1_SendMessageRequest()
        (first.conversation, first.text) = (group, "\(word) at first")
        let seq = try await alice.client.send(first).seq
        let then = try await alice.client.edit(seq, of: group, text: "\(word) then", mentions: [bob.user])
        try await bob.client.star([seq], of: group)
        try await alice.client.removeMember(bob.user, from: group)
        try await eventually("the system message arrives") {
            try await alice.client.history(of: group).messages.contains { $0.system.kind == .memberRemoved }
        }
        try await alice.client.edit(seq, of: group, text: "\(word) then", mentions: [])
        try await alice.client.edit(seq, of: group, text: "\(word) secretly")
        try await alice.client.react("🎉", to: seq, of: group)
        var answer = Parley_V1_SendMessageRequest()
        (answer.conversation, answer.text, answer.replyToSeq) = (group, "an answer", seq)
        _ = try await alice.client.send(answer)

        let left = try await bob.client.changes(of: group, epoch: "", since: 0)
        #expect(left.startOver && left.position >= then.position)
        func isAsLeft(_ message: Parley_V1_Message?) -> Bool {
            guard let message else { return false }
            return message.text == then.text && message.mentions == then.mentions
                && message.editedAtUs == then.editedAtUs && message.position == left.position
                && message.reactions.isEmpty && !message.hasThread
        }
        for (text, finds) in [(word, true), ("\(word) secretly", false)] {
            var request = Parley_V1_SearchMessagesRequest()
            request.text = text
            let query = request
            try await eventually("alice finds \(text)") {
                try await alice.client.search(query).found.map(\.message.text) == ["\(word) secretly"]
            }
            let found = try await bob.client.search(query).found
            #expect(found.count == (finds ? 1 : 0), "\(text)")
            #expect(!finds || isAsLeft(found.first?.message) && !found[0].snippet.contains("secretly"))
        }
        // Matches that he may not see do not show in `more` or the cursor either.
        _ = try await bob.client.send(
            "\(word) se", to: try await bob.client.createGroup(name: "own", users: []).conversation.id)
        var guess = Parley_V1_SearchMessagesRequest()
        (guess.text, guess.limit) = ("\(word) se", 1)
        let guessed = guess
        try await eventually("bob finds his own") { try await bob.client.search(guessed).found.count == 1 }
        let page = try await bob.client.search(guessed)
        #expect(!page.more && page.cursor.isEmpty)
        #expect(isAsLeft(try await bob.client.history(of: group).messages.first { $0.seq == seq }))
        let later = try await bob.client.changes(of: group, epoch: left.epoch, since: left.position)
        #expect(!later.startOver && later.messages.isEmpty && later.position == left.position)
        for kind in [Parley_V1_MentionsAndStarsKind.starred, .mentionsAndStars] {
            #expect(
                isAsLeft(try await bob.client.mentionsAndStars(kind).messages.first { $0.conversation == group }),
                "\(kind)")
        }
        let entries = try await bob.client.inbox(.left).entries
        #expect(isAsLeft(entries.first { $0.conversation == group }?.lastMessage))
        let synced = try await bob.client.call(MessagingMethods.sync, key: bob.user, .init()).entries
        #expect(isAsLeft(synced.first { $0.conversation == group }?.lastMessage))
        let notes = try await bob.client.createGroup(name: "notes", users: []).conversation.id
        _ = try await bob.client.forward(seq, of: group, to: notes)
        #expect(try await bob.client.history(of: notes).messages.last?.text == "\(word) then")
    }
}
