import Foundation
import ParleyClient
import TestSupport
import Testing

/// Somebody with two devices, on two gateways.
struct TwoDevices: Sendable {
    let here: Device
    let there: Device

    init(_ cluster: TestCluster, _ name: String) async throws {
        here = try await cluster.person(name)
        there = try await cluster.device(of: here, gateway: 1)
    }

    var user: String { here.user }
    var client: ParleyClient { here.client }

    /// Waits until both devices were last told of a conversation as `condition` says.
    func areTold(
        _ conversation: String, _ what: String, _ condition: @Sendable (Parley_V1_Conversation) -> Bool
    ) async throws {
        for device in [here, there] {
            try await eventually("\(device.username) is told: \(what)") {
                await device.updates.newest(of: conversation).map(condition) ?? false
            }
        }
    }

    func areTold(unread: UInt32, total: UInt32) async throws {
        for device in [here, there] {
            try await eventually("\(device.username) is told of \(unread) of \(total) requests") {
                let count = await device.updates.newestRequestCount
                return count?.unread == unread && count?.total == total
            }
        }
        #expect(try await client.syncConversations().requests.total == total)
        #expect(try await client.requests().count.unread == unread)
    }

    /// All that was told in the person's own stream came, on both devices, and the gap rule puts it in order. It may
    /// come twice and out of order (proto/REFERENCE.md): from replicas, and when a gateway fetched what was only late.
    func checkStream() async throws {
        let reached = try await client.syncConversations().position
        let stream = "conversations/u/\(user)"
        for device in [here, there] {
            try await eventually("\(device.username) is told of all \(reached), without a gap") {
                let told = Set(await device.updates.positions[stream, default: []])
                guard let first = told.min(), let last = told.max() else { return reached == 0 }
                return last >= reached && told.count == Int(last - first) + 1
            }
            let told = await device.updates.positions[stream, default: []]
            guard let first = told.min(), let last = told.max() else { continue }
            var tracker = StreamTracker<Int64>()
            tracker.start(stream, at: first - 1)
            var applied: [Int64] = []
            for position in told {
                let verdict = tracker.received(position, stream: stream, position: position, at: .now)
                if case .apply(let ready) = verdict { applied += ready }
            }
            #expect(applied == Array(first...last) && !tracker.hasGaps)
        }
    }
}

@Suite("R1 to R8: message requests", .timeLimit(.minutes(12)))
struct RequestTests {
    /// The direct conversation of two, pending, with one message.
    private func asked(_ alice: TwoDevices, _ bob: TwoDevices, _ text: String = "hello") async throws -> String {
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await alice.client.send(text, to: id)
        try await bob.areTold(id, "a request") { $0.section == .requests }
        return id
    }

    @Test("R1 R2 R8 a request is shown to who is asked once it holds a message, and never before, nor in the inbox")
    func shown() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let started = try await alice.client.startDirect(with: bob.user)
        let id = started.conversation.id
        #expect(started.created && started.conversation.conversationStatus == .pending)
        #expect(started.conversation.requesterID == alice.user && started.conversation.section == .inbox)
        #expect(started.conversation.requestedAtUs > 0 && started.conversation.requestReadBy.isEmpty)
        try await alice.areTold(id, "what was asked") { $0.section == .inbox && $0.conversationStatus == .pending }

        // Nothing of it is there for bob: not in lists, not by its id.
        #expect(try await bob.client.syncConversations().conversations.isEmpty)
        #expect(try await bob.client.requests().requests.isEmpty)
        try await expectNotThere(id, for: bob)
        #expect(try await bob.client.markRequestsRead([id]).total == 0)

        _ = try await alice.client.send("hello", to: id)
        try await bob.areTold(id, "a request") { $0.section == .requests && $0.conversationStatus == .pending }
        try await bob.areTold(unread: 1, total: 1)
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
        #expect(await bob.here.updates.messages(of: id).map(\.text) == ["hello"], "also the first message is told live")
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

    /// A conversation is not there for somebody, as one that does not exist.
    private func expectNotThere(_ id: String, for person: TwoDevices, _ tries: [Try] = Try.allCases) async throws {
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

    @Test("R3 a request has been seen or not, on all devices, and only who is asked knows; the count follows")
    func read() async throws {
        let cluster = try await TestCluster.asking
        let bob = try await TwoDevices(cluster, "bob")
        var ids: [String] = []
        var askers: [TwoDevices] = []
        for number in 1...5 {
            askers.append(try await TwoDevices(cluster, "a\(number)"))
            ids.append(try await asked(askers[number - 1], bob))
            try await bob.areTold(unread: UInt32(number), total: UInt32(number))
        }
        // The latest first, page by page.
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
        try await bob.areTold(unread: 3, total: 5)
        try await bob.areTold(ids[0], "seen") { $0.requestReadBy == [bob.user] }
        #expect(try await bob.client.getConversation(ids[2]).requestReadBy.isEmpty)
        // Who asked does not learn it, nor may they say so.
        #expect(try await askers[0].client.syncConversations() == before)
        #expect(try await askers[2].client.markRequestsRead([ids[2]]).total == 0)
        #expect(try await bob.client.requests().count.unread == 3)
        let again = try await bob.client.markRequestsRead([ids[0], ids[1]])
        #expect(again == count, "again changes nothing, not even a position")
        try await bob.checkStream()
    }

    @Test("R4 accepting moves it to the inbox, both are told at once and write; accepting again changes nothing")
    func accept() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let id = try await asked(alice, bob)
        let own = try await refusal { () async throws(ParleyError) in try await alice.client.acceptRequest(id) }
        #expect(own.code == "forbidden")
        let accepted = try await bob.there.client.acceptRequest(id).conversation
        #expect(accepted.section == .inbox && accepted.conversationStatus == .accepted)
        #expect(accepted.requestReadBy == [bob.user] && accepted.requesterID == alice.user)
        for person in [alice, bob] {
            try await person.areTold(id, "accepted") { $0.conversationStatus == .accepted && $0.section == .inbox }
        }
        try await bob.areTold(unread: 0, total: 0)
        for number in 1...5 { _ = try await alice.client.send("a\(number)", to: id) }
        #expect(try await bob.client.send("hi", to: id).seq == 7)
        #expect(try await bob.client.acceptRequest(id).conversation == accepted)
        let declined = try await refusal { () async throws(ParleyError) in try await bob.client.declineRequest(id) }
        let back = try await refusal { () async throws(ParleyError) in try await alice.client.withdrawRequest(id) }
        #expect(declined.code == "not_pending" && back.code == "not_pending")
        try await alice.checkStream()
        try await bob.checkStream()
    }

    @Test("R4 starting it from the other side accepts, also unseen; and both may start at once: 100 racing pairs")
    func startAccepts() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        let reply = try await bob.client.startDirect(with: alice.user)
        #expect(!reply.created && reply.conversation.id == id && reply.conversation.conversationStatus == .accepted)
        for person in [alice, bob] { try await person.areTold(id, "accepted") { $0.conversationStatus == .accepted } }
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
            try await eventually("told of all") {
                let told = await person.updates.conversations.filter { $0.conversationStatus == .accepted }
                return Set(told.map(\.id)).count == expected
            }
        }
    }

    /// Everything the requester can learn of somebody and of what is between them, as bytes.
    private func everything(_ alice: Device, _ id: String, of user: String) async throws -> [Data] {
        var sync = try await alice.client.syncConversations(limit: 200)
        sync.conversations.sort { $0.id < $1.id }
        var inbox = try await alice.client.syncMessaging()
        // The cursor is the time by the server's clock.
        inbox.cursor = ""
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

    @Test("R5 R6 a declined request looks like silence to the requester, in every byte and to every later try")
    func decline() async throws {
        let cluster = try await TestCluster.asking
        let alice = try await TwoDevices(cluster, "alice")
        let (bob, carol) = (try await TwoDevices(cluster, "bob"), try await TwoDevices(cluster, "carol"))
        let (declined, silent) = (try await asked(alice, bob), try await asked(alice, carol))
        let before = try await everything(alice.here, declined, of: bob.user)
        let told = await [alice.here.updates.positions, alice.there.updates.positions]

        let mine = try await refusal { () async throws(ParleyError) in try await alice.client.declineRequest(declined) }
        #expect(mine.code == "forbidden")
        try await bob.client.declineRequest(declined)
        try await bob.client.declineRequest(declined)
        try await bob.areTold(declined, "gone") { $0.section == .gone }
        try await bob.areTold(unread: 0, total: 0)
        #expect(try await bob.client.syncConversations().conversations.isEmpty)
        try await expectNotThere(declined, for: bob, [.get, .accept, .withdraw, .send])

        #expect(try await everything(alice.here, declined, of: bob.user) == before)
        // What she tries next goes as with carol, who says nothing.
        for (one, other) in zip(try await tries(alice, declined, bob), try await tries(alice, silent, carol)) {
            #expect(one == other)
        }
        let own = "conversations/u/\(alice.user)"
        let after = await [alice.here.updates.positions, alice.there.updates.positions]
        #expect(after.map { $0[own] } == told.map { $0[own] }, "nothing was told")
        #expect(try await bob.client.requests().count.total == 0, "further messages do not bring it back")
        // Starting it from bob's side accepts after all.
        #expect(try await bob.client.startDirect(with: alice.user).conversation.conversationStatus == .accepted)
        #expect(try await bob.client.history(of: declined).messages.count == 3)
        try await alice.areTold(declined, "accepted") { $0.conversationStatus == .accepted }
        try await alice.checkStream()
        try await bob.checkStream()
    }

    /// What comes of everything that the requester may try, without names and times.
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

    @Test("R6 a request holds three messages, and asking again is limited also by taking it back")
    func limits() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let id = try await asked(alice, bob, "one")
        for text in ["two", "three"] { _ = try await alice.client.send(text, to: id) }
        let full = try await refusal { () async throws(ParleyError) in try await alice.client.send("more", to: id) }
        #expect(full.code == "request_pending")

        let theirs = try await refusal { () async throws(ParleyError) in try await bob.client.withdrawRequest(id) }
        #expect(theirs.code == "forbidden")
        try await alice.client.withdrawRequest(id)
        try await alice.client.withdrawRequest(id)
        for person in [alice, bob] { try await person.areTold(id, "gone") { $0.section == .gone } }
        try await bob.areTold(unread: 0, total: 0)
        for person in [alice, bob] {
            #expect(try await person.client.syncConversations().conversations.isEmpty)
            let gone = try await refusal { () async throws(ParleyError) in try await person.client.getConversation(id) }
            #expect(gone.code == "not_found")
            #expect(try await person.client.syncConversations(since: 1).conversations.map(\.section) == [.gone])
        }
        let unsent = try await refusal { () async throws(ParleyError) in try await alice.client.send("more", to: id) }
        #expect(unsent.code == "not_member")

        let again = try await alice.client.startDirect(with: bob.user)
        #expect(
            !again.created && again.conversation.section == .inbox && again.conversation.conversationStatus == .pending)
        let still = try await refusal { () async throws(ParleyError) in try await alice.client.send("more", to: id) }
        #expect(still.code == "request_pending", "what was said is said")
        // The same request is there again, with all that it holds, and no more unread than it was.
        try await bob.areTold(unread: 1, total: 1)
        #expect(try await bob.client.requests().requests.map(\.id) == [id])
        try await alice.checkStream()
        try await bob.checkStream()
    }

    @Test("R5 a decline outlasts taking the request back and asking anew")
    func declineLasts() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let id = try await asked(alice, bob)
        try await bob.client.declineRequest(id)
        try await alice.client.withdrawRequest(id)
        #expect(try await alice.client.startDirect(with: bob.user).conversation.conversationStatus == .pending)
        _ = try await alice.client.send("and now?", to: id)
        // A later request of somebody else is shown, and so every message before it was dealt with.
        let carol = try await TwoDevices(cluster, "carol")
        _ = try await asked(carol, bob)
        try await bob.areTold(unread: 1, total: 1)
        #expect(try await bob.client.requests().requests.map(\.requesterID) == [carol.user])
    }

    @Test("R1 a group in common changes nothing; notes to oneself are no request")
    func others() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let group = try await alice.client.createGroup(name: "both", users: [bob.user]).conversation
        #expect(group.conversationStatus == .accepted)
        #expect(try await bob.client.getConversation(group.id).section == .inbox)
        #expect(try await alice.client.startDirect(with: bob.user).conversation.conversationStatus == .pending)
        let refused = [
            try await refusal { () async throws(ParleyError) in try await alice.client.acceptRequest(group.id) },
            try await refusal { () async throws(ParleyError) in try await alice.client.declineRequest(group.id) },
            try await refusal { () async throws(ParleyError) in try await alice.client.withdrawRequest(group.id) },
        ]
        #expect(refused.allSatisfy { $0.code == "not_found" }, "groups know no requests")
        let notes = try await alice.client.startDirect(with: alice.user).conversation
        #expect(notes.conversationStatus == .accepted && notes.section == .inbox && notes.requesterID.isEmpty)
    }

    @Test("R2 C1 other people's requests, in every field, look like ones that do not exist")
    func othersRequests() async throws {
        let cluster = try await TestCluster.asking
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let eve = try await TwoDevices(cluster, "eve")
        let id = try await asked(alice, bob)
        try await expectNotThere(id, for: eve)
        #expect(try await eve.client.markRequestsRead([id]) == .init())
        #expect(try await bob.client.requests().count.unread == 1)
        for cursor in ["x", "1", "-1.2", "1.2.3"] {
            let refused = try await refusal { () async throws(ParleyError) in
                try await eve.client.requests(cursor: cursor)
            }
            #expect(refused.code == "invalid" && refused.field == "cursor")
        }
    }

    @Test("C7 R2 an accepted conversation without messages is in both lists, as empty")
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
}

extension FaultClusters {
    @Test("R2 conversations killed with -9 around the first message: the request is shown all the same")
    func revealedAfterKills() async throws {
        let cluster = try await TestCluster(.init(settings: ["conversations": ["PARLEY_REQUESTS_REQUIRED": "yes"]]))
        let bob = try await TwoDevices(cluster, "bob")
        var ids: [String] = []
        for round in 1...6 {
            let asker = try await cluster.person("a\(round)")
            let id = try await asker.client.startDirect(with: bob.user).conversation.id
            ids.append(id)
            // Before the message, at once after it, or while it is on its way.
            if round % 3 == 0 { try await cluster.cluster.kill("conversations-1") }
            async let sent = asker.client.sendReliably("hello", to: id)
            if round % 3 == 1 { try await cluster.cluster.kill("conversations-1") }
            _ = try await sent
            if round % 3 == 2 { try await cluster.cluster.kill("conversations-1") }
            try await cluster.cluster.waitUntilReady("conversations-1", within: .seconds(30))
            try await bob.areTold(id, "request \(round)") { $0.section == .requests }
            try await eventually("counted") {
                let count = try? await bob.client.requests().count
                return count?.total == UInt32(round)
            }
        }
        #expect(try await bob.client.requests().requests.map(\.id) == ids.reversed())
    }

    @Test("R5 after its days a declined request can be asked again, and is shown as a new one")
    func asksAgain() async throws {
        let settings = ["PARLEY_REQUESTS_REQUIRED": "yes", "PARLEY_REQUESTS_ASK_AGAIN_DAYS": "0"]
        let cluster = try await TestCluster(.init(gateways: 2, settings: ["conversations": settings]))
        let (alice, bob) = (try await TwoDevices(cluster, "alice"), try await TwoDevices(cluster, "bob"))
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        for text in ["one", "two", "three"] { _ = try await alice.client.send(text, to: id) }
        try await bob.areTold(unread: 1, total: 1)
        try await bob.client.markRequestsRead([id])
        try await bob.client.declineRequest(id)
        try await bob.areTold(unread: 0, total: 0)
        let again = try await alice.client.startDirect(with: bob.user).conversation
        #expect(again.conversationStatus == .pending && again.section == .inbox)
        #expect(try await bob.client.requests().count.total == 0, "not before there is a message")
        for text in ["four", "five", "six"] { _ = try await alice.client.send(text, to: id) }
        try await bob.areTold(id, "a request again") { $0.section == .requests && $0.requestReadBy.isEmpty }
        try await bob.areTold(unread: 1, total: 1)
        let full = try await refusal { () async throws(ParleyError) in try await alice.client.send("more", to: id) }
        #expect(full.code == "request_pending")
        #expect(try await bob.client.history(of: id).messages.count == 6)
        try await alice.checkStream()
        try await bob.checkStream()
    }
}
