import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("R1 to R8: message requests", .timeLimit(.minutes(12)))
struct RequestTests {
    /// Starts a direct conversation with one message, and waits until the other person sees the request.
    private func sendRequest(_ alice: TwoDevices, _ bob: TwoDevices, _ text: String = "hello") async throws -> String {
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await alice.client.send(text, to: id)
        try await bob.receive(id, "a request") { $0.section == .requests }
        return id
    }

    @Test("R1 R2 R8 the recipient sees a request once it has a message, not before, and not in the inbox")
    func shown() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let started = try await alice.client.startDirect(with: bob.user)
        let id = started.conversation.id
        #expect(started.created && started.conversation.conversationStatus == .pending)
        #expect(started.conversation.requesterID == alice.user && started.conversation.section == .inbox)
        #expect(started.conversation.requestedAtUs > 0 && started.conversation.requestReadBy.isEmpty)
        try await alice.receive(id, "her own request") { $0.section == .inbox && $0.conversationStatus == .pending }

        // It does not exist for Bob, neither in lists nor by its id.
        #expect(try await bob.client.syncConversations().conversations.isEmpty)
        #expect(try await bob.client.requests().requests.isEmpty)
        try await expectAbsent(id, for: bob)
        #expect(try await bob.client.markRequestsRead([id]).total == 0)

        _ = try await alice.client.send("hello", to: id)
        try await bob.receive(id, "a request") { $0.section == .requests && $0.conversationStatus == .pending }
        try await bob.receive(unread: 1, total: 1)
        let request = try #require(try await bob.client.requests().requests.first)
        #expect(request.id == id && request.requesterID == alice.user && request.section == .requests)
        let asker = try #require(request.members.first { $0.user.id == alice.user })
        #expect(asker.user.displayName == "alice" && request.requestedAtUs > 0)
        #expect(try await bob.client.history(of: id).messages.map(\.text) == ["hello"])
        #expect(try await bob.client.getConversation(id).section == .requests)
        #expect(try await bob.client.syncConversations().conversations.map(\.section) == [.requests])
        #expect(try await alice.client.syncConversations().conversations.map(\.section) == [.inbox])
        let refused = try await refusal { () async throws(ParleyError) in try await bob.client.send("hi", to: id) }
        #expect(refused.code == "accept_first")
        #expect(await bob.here.updates.messages(of: id).map(\.text) == ["hello"], "the first message is live too")
        try await alice.checkStream()
        try await bob.checkStream()
    }

    private enum Try: CaseIterable {
        case get, accept, decline, withdraw, send

        func run(_ id: String, by client: ParleyClient) async throws(ParleyError) {
            switch self {
            case .get: _ = try await client.getConversation(id)
            case .accept: _ = try await client.acceptRequest(id)
            case .decline: try await client.declineRequest(id)
            case .withdraw: try await client.withdrawRequest(id)
            case .send: _ = try await client.send("x", to: id)
            }
        }
    }

    /// Checks that a conversation looks to a person like one that does not exist.
    private func expectAbsent(_ id: String, for person: TwoDevices, _ tries: [Try] = Try.allCases) async throws {
        let absent = [person.user, "zzzz"].sorted().joined(separator: "_")
        for attempt in tries {
            let real = try await refusal { () async throws(ParleyError) in
                try await attempt.run(id, by: person.client)
            }
            let unknown = try await refusal { () async throws(ParleyError) in
                try await attempt.run(absent, by: person.client)
            }
            #expect(real == unknown && real.code == (attempt == .send ? "not_member" : "not_found"))
        }
    }

    @Test("R3 all devices of the recipient, and nobody else, know whether a request has been read; the count follows")
    func read() async throws {
        let cluster = try await TestCluster.asking
        let bob = try await TwoDevices(cluster, "bob")
        var ids: [String] = []
        var askers: [TwoDevices] = []
        for number in 1...5 {
            askers.append(try await TwoDevices(cluster, "a\(number)"))
            ids.append(try await sendRequest(askers[number - 1], bob))
            try await bob.receive(unread: UInt32(number), total: UInt32(number))
        }
        // Newest first, page by page.
        var (listed, cursor, pages) = ([String](), "", 0)
        while true {
            let page = try await bob.client.requests(cursor: cursor, limit: 2)
            #expect(page.count.total == 5)
            listed += page.requests.map(\.id)
            (cursor, pages) = (page.cursor, pages + 1)
            guard page.more else { break }
        }
        #expect(listed == ids.reversed() && pages == 3)

        let before = try await askers[0].client.syncConversations()
        let count = try await bob.client.markRequestsRead([ids[0], ids[1], ids[0], "nothing", "a_b"])
        #expect(count.unread == 3 && count.total == 5)
        try await bob.receive(unread: 3, total: 5)
        try await bob.receive(ids[0], "seen") { $0.requestReadBy == [bob.user] }
        #expect(try await bob.client.getConversation(ids[2]).requestReadBy.isEmpty)
        // The requester does not learn it and cannot mark the request.
        #expect(try await askers[0].client.syncConversations() == before)
        #expect(try await askers[2].client.markRequestsRead([ids[2]]).total == 0)
        #expect(try await bob.client.requests().count.unread == 3)
        let again = try await bob.client.markRequestsRead([ids[0], ids[1]])
        #expect(again == count, "a repeat changes nothing, not even a position")
        try await bob.checkStream()
    }

    @Test("R4 accepting moves a request to the inbox, notifies both, and lets both write; a repeat changes nothing")
    func accept() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let id = try await sendRequest(alice, bob)
        let own = try await refusal { () async throws(ParleyError) in try await alice.client.acceptRequest(id) }
        #expect(own.code == "forbidden")
        let accepted = try await bob.there.client.acceptRequest(id).conversation
        #expect(accepted.section == .inbox && accepted.conversationStatus == .accepted)
        #expect(accepted.requestReadBy == [bob.user] && accepted.requesterID == alice.user)
        for person in [alice, bob] {
            try await person.receive(id, "accepted") { $0.conversationStatus == .accepted && $0.section == .inbox }
        }
        try await bob.receive(unread: 0, total: 0)
        for number in 1...5 { _ = try await alice.client.send("a\(number)", to: id) }
        #expect(try await bob.client.send("hi", to: id).seq == 7)
        #expect(try await bob.client.acceptRequest(id).conversation == accepted)
        let declined = try await refusal { () async throws(ParleyError) in try await bob.client.declineRequest(id) }
        let back = try await refusal { () async throws(ParleyError) in try await alice.client.withdrawRequest(id) }
        #expect(declined.code == "not_pending" && back.code == "not_pending")
        try await alice.checkStream()
        try await bob.checkStream()
    }

    @Test("R4 starting the conversation from the other side accepts it, even unseen, and in 100 racing pairs")
    func startAccepts() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        let reply = try await bob.client.startDirect(with: alice.user)
        #expect(!reply.created && reply.conversation.id == id && reply.conversation.conversationStatus == .accepted)
        for person in [alice, bob] { try await person.receive(id, "accepted") { $0.conversationStatus == .accepted } }
        #expect(try await bob.client.send("hi", to: id).seq == 1)

        let people = try await cluster.people(15) { $0 % 2 }
        let pairs = (0..<15).flatMap { first in ((first + 1)..<15).map { (people[first], people[$0]) } }.prefix(100)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (one, other) in pairs {
                group.addTask {
                    async let mine = one.client.startDirect(with: other.user)
                    async let theirs = other.client.startDirect(with: one.user)
                    let (left, right) = try await (mine, theirs)
                    #expect(left.conversation.id == right.conversation.id && left.created != right.created)
                    let later = left.created ? right : left
                    #expect(later.conversation.conversationStatus == .accepted)
                }
            }
            try await group.waitForAll()
        }
        for person in people {
            let seen = try await person.client.syncConversations(limit: 200).conversations
            let expected = pairs.count { $0.0.user == person.user || $0.1.user == person.user }
            #expect(seen.count == expected)
            #expect(seen.allSatisfy { $0.conversationStatus == .accepted && $0.section == .inbox })
            try await eventually("all conversations arrive") {
                let received = await person.updates.conversations.filter { $0.conversationStatus == .accepted }
                return Set(received.map(\.id)).count == expected
            }
        }
    }

    /// Returns everything that the requester can learn about the recipient and their conversation, as bytes.
    private func everything(_ alice: Device, _ id: String, of user: String) async throws -> [Data] {
        var sync = try await alice.client.syncConversations(limit: 200)
        sync.conversations.sort { $0.id < $1.id }
        var inbox = try await alice.client.syncMessaging()
        // The cursor is the time by the server's clock.
        inbox.cursor = ""
        for index in inbox.entries.indices { inbox.entries[index].state.countedAtUs = 0 }
        return [
            try await alice.client.getConversation(id).serializedData(), try sync.serializedData(),
            try await alice.client.allMembers(of: id).map { try $0.serializedData() }.reduce(Data(), +),
            try await alice.client.getPresence([user]).map { try $0.serializedData() }.reduce(Data(), +),
            try await alice.client.history(of: id).serializedData(), try inbox.serializedData(),
            try await alice.client.findUser(await username(user, alice, id)).serializedData(),
        ]
    }

    private func username(_ user: String, _ alice: Device, _ id: String) async throws -> String {
        try await alice.client.getConversation(id).members.first { $0.user.id == user }?.user.username ?? ""
    }

    @Test("R5 R6 a declined request looks like silence to the requester, in every byte and for every later attempt")
    func decline() async throws {
        let cluster = try await TestCluster.asking
        let alice = try await TwoDevices(cluster, "alice")
        let (bob, carol) = (try await TwoDevices(cluster, "bob"), try await TwoDevices(cluster, "carol"))
        let (declined, silent) = (try await sendRequest(alice, bob), try await sendRequest(alice, carol))
        let before = try await everything(alice.here, declined, of: bob.user)
        let received = await [alice.here.updates.positions, alice.there.updates.positions]

        let mine = try await refusal { () async throws(ParleyError) in try await alice.client.declineRequest(declined) }
        #expect(mine.code == "forbidden")
        try await bob.client.declineRequest(declined)
        try await bob.client.declineRequest(declined)
        try await bob.receive(declined, "gone") { $0.section == .gone }
        try await bob.receive(unread: 0, total: 0)
        #expect(try await bob.client.syncConversations().conversations.isEmpty)
        try await expectAbsent(declined, for: bob, [.get, .accept, .withdraw, .send])

        #expect(try await everything(alice.here, declined, of: bob.user) == before)
        // Her next attempts have the same results as with Carol, who does not answer.
        for (one, other) in zip(try await tries(alice, declined, bob), try await tries(alice, silent, carol)) {
            #expect(one == other)
        }
        let own = "conversations/u/\(alice.user)"
        let after = await [alice.here.updates.positions, alice.there.updates.positions]
        #expect(after.map { $0[own] } == received.map { $0[own] }, "nothing was published")
        #expect(try await bob.client.requests().count.total == 0, "further messages do not bring it back")
        // Starting it from Bob's side still accepts it.
        #expect(try await bob.client.startDirect(with: alice.user).conversation.conversationStatus == .accepted)
        #expect(try await bob.client.history(of: declined).messages.count == 3)
        try await alice.receive(declined, "accepted") { $0.conversationStatus == .accepted }
        try await alice.checkStream()
        try await bob.checkStream()
    }

    /// Returns the results of everything that the requester may try, without names and times.
    private func tries(_ alice: TwoDevices, _ id: String, _ other: TwoDevices) async throws -> [String] {
        var outcomes: [String] = []
        for text in ["two", "three", "four", "five"] {
            do throws(ParleyError) {
                outcomes.append("seq \(try await alice.client.send(text, to: id).seq)")
            } catch {
                outcomes.append("\(error.code) \(error.message)")
            }
        }
        let started = try await alice.client.startDirect(with: other.user)
        outcomes.append("\(started.created) \(started.conversation.conversationStatus) \(started.conversation.section)")
        outcomes.append("\(started.conversation.requestReadBy) \(started.conversation.memberCount)")
        let accept = try await refusal { () async throws(ParleyError) in try await alice.client.acceptRequest(id) }
        let decline = try await refusal { () async throws(ParleyError) in try await alice.client.declineRequest(id) }
        outcomes += [accept, decline].map { "\($0.code) \($0.message)" }
        let state = try await alice.client.getPresence([other.user])
        outcomes.append("\(state.map(\.status)) \(state.map(\.lastSeenUs))")
        let entry = try await alice.client.syncMessaging().entries.first { $0.conversation == id }
        outcomes.append("\(entry?.lastSeq ?? -1) \(entry?.position ?? 0)")
        return outcomes
    }

    @Test("R6 a request holds three messages, also after it is withdrawn and sent again")
    func limits() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let id = try await sendRequest(alice, bob, "one")
        for text in ["two", "three"] { _ = try await alice.client.send(text, to: id) }
        let full = try await refusal { () async throws(ParleyError) in try await alice.client.send("more", to: id) }
        #expect(full.code == "request_pending")

        let theirs = try await refusal { () async throws(ParleyError) in try await bob.client.withdrawRequest(id) }
        #expect(theirs.code == "forbidden")
        try await alice.client.withdrawRequest(id)
        try await alice.client.withdrawRequest(id)
        for person in [alice, bob] { try await person.receive(id, "gone") { $0.section == .gone } }
        try await bob.receive(unread: 0, total: 0)
        for person in [alice, bob] {
            #expect(try await person.client.syncConversations().conversations.isEmpty)
            let gone = try await refusal { () async throws(ParleyError) in try await person.client.getConversation(id) }
            #expect(gone.code == "not_found")
            let epoch = try await person.client.syncConversations().epoch
            let changes = try await person.client.syncConversations(epoch: epoch, since: 1).conversations
            #expect(changes.map(\.section) == [.gone])
        }
        let unsent = try await refusal { () async throws(ParleyError) in try await alice.client.send("more", to: id) }
        #expect(unsent.code == "not_member")

        let again = try await alice.client.startDirect(with: bob.user)
        #expect(
            !again.created && again.conversation.section == .inbox && again.conversation.conversationStatus == .pending)
        let still = try await refusal { () async throws(ParleyError) in try await alice.client.send("more", to: id) }
        #expect(still.code == "request_pending", "earlier messages still count")
        // The same request is shown again, with all its messages, and counts once.
        try await bob.receive(unread: 1, total: 1)
        #expect(try await bob.client.requests().requests.map(\.id) == [id])
        try await alice.checkStream()
        try await bob.checkStream()
    }

    @Test("R5 a decline stays in effect when the requester withdraws the request and sends it again")
    func declineLasts() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let id = try await sendRequest(alice, bob)
        try await bob.client.declineRequest(id)
        try await alice.client.withdrawRequest(id)
        #expect(try await alice.client.startDirect(with: bob.user).conversation.conversationStatus == .pending)
        _ = try await alice.client.send("and now?", to: id)
        // Once a later request of another person is shown, every earlier message has been processed.
        let carol = try await TwoDevices(cluster, "carol")
        _ = try await sendRequest(carol, bob)
        try await bob.receive(unread: 1, total: 1)
        #expect(try await bob.client.requests().requests.map(\.requesterID) == [carol.user])
    }

    @Test("R1 a common group makes no difference; notes to oneself need no request")
    func others() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let group = try await alice.client.createGroup(name: "both", users: [bob.user]).conversation
        #expect(group.conversationStatus == .accepted)
        _ = try await bob.client.acceptRequest(group.id)
        #expect(try await bob.client.getConversation(group.id).section == .inbox)
        #expect(try await alice.client.startDirect(with: bob.user).conversation.conversationStatus == .pending)
        let refused = [
            try await refusal { () async throws(ParleyError) in try await alice.client.declineRequest(group.id) },
            try await refusal { () async throws(ParleyError) in try await alice.client.withdrawRequest(group.id) },
        ]
        #expect(refused.map(\.code) == ["not_pending", "not_found"], "groups have no requests")
        let notes = try await alice.client.startDirect(with: alice.user).conversation
        #expect(notes.conversationStatus == .accepted && notes.section == .inbox && notes.requesterID.isEmpty)
    }

    @Test("R2 C1 other people's requests, in every field, look like ones that do not exist")
    func othersRequests() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let eve = try await TwoDevices(cluster, "eve")
        let id = try await sendRequest(alice, bob)
        try await expectAbsent(id, for: eve)
        #expect(try await eve.client.markRequestsRead([id]) == .init())
        #expect(try await bob.client.requests().count.unread == 1)
        for cursor in ["x", "1", "-1.2", "1.2.3"] {
            let refused = try await refusal { () async throws(ParleyError) in
                try await eve.client.requests(cursor: cursor)
            }
            #expect(refused.code == "invalid" && refused.field == "cursor")
        }
    }

    @Test("C7 R2 an accepted conversation without messages is in both people's lists")
    func empty() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        #expect(try await alice.client.syncConversations().conversations.map(\.id) == [id])
        #expect(try await alice.client.history(of: id).messages.isEmpty)
        _ = try await bob.client.startDirect(with: alice.user)
        for person in [alice, bob] {
            #expect(try await person.client.syncConversations().conversations.map(\.section) == [.inbox])
            #expect(try await person.client.history(of: id).lastSeq == 0)
        }
    }

    @Test("R4 P5 whoever watches a stranger sees nothing, and sees them online as soon as a request is accepted")
    func acceptedWhileWatching() async throws {
        let cluster = try await TestCluster.asking
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        try await eventually("bob is online to himself") {
            try await bob.client.getPresence([bob.user]).map(\.status) == [.online]
        }
        #expect(try await alice.client.watchPresence([bob.user]).map(\.status) == [.offline])
        let conversation = try await alice.client.call(
            ConversationsMethods.startDirect, .with { $0.user = bob.user }
        ).conversation.id
        _ = try await alice.client.send("may I?", to: conversation)
        #expect(try await alice.client.watchPresence([bob.user]).map(\.lastSeenUs) == [0])
        #expect(await alice.updates.presence.isEmpty)
        _ = try await bob.client.startDirect(with: alice.user)
        try await eventually("alice is shown bob online") {
            await alice.updates.presence.last?.status == .online
        }
    }
}

extension FaultClusters {
    @Test("R2 a request is shown even if conversations is killed around its first message")
    func revealedAfterKills() async throws {
        let cluster = try await TestCluster(.init(settings: ["conversations": ["PARLEY_REQUESTS_REQUIRED": "yes"]]))
        let bob = try await TwoDevices(cluster, "bob")
        var ids: [String] = []
        for round in 1...6 {
            let asker = try await cluster.person("a\(round)")
            let id = try await asker.client.startDirect(with: bob.user).conversation.id
            ids.append(id)
            // Before the message, while it is under way, or right after it.
            if round % 3 == 0 { try await cluster.cluster.kill("conversations-1") }
            async let sent = asker.client.sendReliably("hello", to: id)
            if round % 3 == 1 { try await cluster.cluster.kill("conversations-1") }
            _ = try await sent
            if round % 3 == 2 { try await cluster.cluster.kill("conversations-1") }
            try await cluster.cluster.waitUntilReady("conversations-1", within: .seconds(30))
            try await bob.receive(id, "request \(round)") { $0.section == .requests }
            try await eventually("it is counted") {
                let count = try? await bob.client.requests().count
                return count?.total == UInt32(round)
            }
        }
        #expect(try await bob.client.requests().requests.map(\.id) == ids.reversed())
    }

    @Test("R5 after the configured days a declined request can be sent again and is shown as a new one")
    func asksAgain() async throws {
        let settings = ["PARLEY_REQUESTS_REQUIRED": "yes", "PARLEY_REQUESTS_ASK_AGAIN_DAYS": "0"]
        let cluster = try await TestCluster(.init(gateways: 2, settings: ["conversations": settings]))
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        for text in ["one", "two", "three"] { _ = try await alice.client.send(text, to: id) }
        try await bob.receive(unread: 1, total: 1)
        try await bob.client.markRequestsRead([id])
        try await bob.client.declineRequest(id)
        try await bob.receive(unread: 0, total: 0)
        let again = try await alice.client.startDirect(with: bob.user).conversation
        #expect(again.conversationStatus == .pending && again.section == .inbox)
        #expect(try await bob.client.requests().count.total == 0, "not before it has a message")
        for text in ["four", "five", "six"] { _ = try await alice.client.send(text, to: id) }
        try await bob.receive(id, "a request again") { $0.section == .requests && $0.requestReadBy.isEmpty }
        try await bob.receive(unread: 1, total: 1)
        let full = try await refusal { () async throws(ParleyError) in try await alice.client.send("more", to: id) }
        #expect(full.code == "request_pending")
        #expect(try await bob.client.history(of: id).messages.count == 6)
        try await alice.checkStream()
        try await bob.checkStream()
    }
}
