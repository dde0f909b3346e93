import Foundation
import Glibc
import ParleyClient
import TestSupport
import Testing

extension FaultClusters {
    @Test("M1 M2 M3 kill -9 of each process and PostgreSQL under load: no message is lost or doubled, clients agree")
    func killed() async throws {
        let cluster = try await TestCluster(.init(repeats: false))
        let people = try await cluster.people(4) { $0 % 2 }
        let users = people.map(\.user)
        let group = try await people[0].client.createGroup(name: "under fire", users: users).conversation.id
        let direct = try await people[0].client.startDirect(with: users[1]).conversation.id
        var followers: [Follower] = []
        for person in people { followers.append(await Follower(person.client)) }

        let load = Load()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for (index, person) in people.enumerated() {
                tasks.addTask { try await load.write(as: person, index, into: group) }
                if index < 2 { tasks.addTask { try await load.write(as: person, index + 10, into: direct) } }
            }
            tasks.addTask {
                defer { load.stop() }
                for process in [
                    "messaging-1", "gateway-1", "conversations-1", "presence-1", "entities-1", "gateway-2", "postgres",
                    "messaging-1",
                ] {
                    try await load.continues("before \(process) is killed", by: 100)
                    let before = try #require(await cluster.pids[process])
                    try await cluster.cluster.kill(process)
                    try await eventually(within: .seconds(30), "\(process) has restarted") {
                        let now = await cluster.pids[process]
                        return now != nil && now != before
                    }
                    try await cluster.cluster.waitUntilReady(process, within: .seconds(30))
                    try await load.continues("after \(process) was killed", by: 50)
                }
            }
            try await tasks.waitForAll()
        }

        let acknowledged = load.acknowledged
        for (conversation, members) in [(group, 0..<4), (direct, 0..<2)] {
            let sent = acknowledged.filter { $0.conversation == conversation }
            let fresh = try await cluster.session(of: people[0], gateway: 1)
            let history = try await fresh.client.wholeHistory(of: conversation)
            #expect(history.map(\.seq) == Array(1...Int64(history.count)), "no gaps and no duplicates")
            // Every send was acknowledged in the end, so there are no other messages.
            #expect(history.count == sent.count)
            let bySeq = Dictionary(uniqueKeysWithValues: history.map { ($0.seq, $0) })
            #expect(sent.allSatisfy { bySeq[$0.seq]?.text == $0.text && bySeq[$0.seq]?.sender == $0.user })
            #expect(Set(sent.map(\.seq)).count == sent.count)
            for member in members {
                try await eventually(within: .seconds(30), "person \(member) has all messages") {
                    await followers[member].messages[conversation]?.count ?? 0 >= history.count
                }
                let seen = await followers[member].messages[conversation]
                #expect(seen == history, "live delivery and repair give what a fresh client reads")
                #expect(await followers[member].problem == nil)
            }
        }
        try await remembersDuplicates(cluster, people[0], people[1], direct, acknowledged)
        await cluster.end()
    }

    /// Checks (M2) that sending an id again, after restarts and through another gateway, returns the first message.
    private func remembersDuplicates(
        _ cluster: TestCluster, _ alice: Device, _ bob: Device, _ conversation: String, _ sent: [Load.Sent]
    ) async throws {
        let elsewhere = try await cluster.session(of: alice, gateway: 1)
        let last = try await alice.client.history(of: conversation, limit: 1).lastSeq
        for message in sent.filter({ $0.conversation == conversation && $0.user == alice.user }).suffix(20) {
            for client in [alice.client, elsewhere.client] {
                let again = try await client.sendReliably(message.text, to: conversation, id: message.id)
                #expect(again.duplicate && again.seq == message.seq)
            }
        }
        #expect(try await bob.client.history(of: conversation, limit: 1).lastSeq == last)
    }

    @Test("while PostgreSQL is down, requests get unavailable with a retry time; then service resumes automatically")
    func databaseDown() async throws {
        let cluster = try await TestCluster(.init(repeats: false))
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let conversation = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await alice.client.send("before", to: conversation)
        let pids = await cluster.pids.filter { $0.key != "postgres" }
        try await cluster.cluster.stop("postgres")

        let stranger = try await cluster.stranger()
        let requests: [(String, @Sendable () async throws(ParleyError) -> Void)] = [
            (
                "send",
                { () async throws(ParleyError) in
                    _ = try await alice.client.send("x", to: conversation, deadline: .seconds(5))
                }
            ),
            ("history", { () async throws(ParleyError) in _ = try await alice.client.history(of: conversation) }),
            ("sync", { () async throws(ParleyError) in _ = try await alice.client.syncMessaging() }),
            ("conversations", { () async throws(ParleyError) in _ = try await alice.client.syncConversations() }),
            ("start", { () async throws(ParleyError) in _ = try await alice.client.startDirect(with: alice.user) }),
            ("presence", { () async throws(ParleyError) in _ = try await alice.client.getPresence([bob.user]) }),
            (
                "reminder",
                { () async throws(ParleyError) in
                    _ = try await alice.client.createReminder(.with { ($0.title, $0.dueAtUs) = ("x", 1) })
                }
            ),
            ("reminders", { () async throws(ParleyError) in _ = try await alice.client.listReminders() }),
            (
                "sign in",
                { () async throws(ParleyError) in
                    _ = try await stranger.signIn(username: alice.username, password: alice.password)
                }
            ),
        ]
        await withTaskGroup(of: Void.self) { group in
            for (what, request) in requests {
                group.addTask {
                    do {
                        // By the server. When the client's own time is over, it says "deadline".
                        let refused = try await refusal(request)
                        #expect(refused.code == "unavailable", "\(what): \(refused)")
                        #expect(refused.retryAfterMs > 0, "\(what)")
                    } catch {
                        Issue.record("\(what): \(error)")
                    }
                }
            }
        }
        // Sessions stay open, and a waiting message is stored once PostgreSQL is back.
        async let waiting = alice.client.sendReliably("during", to: conversation)
        try await cluster.cluster.start("postgres")
        let sent = try await waiting
        try await eventually("bob receives it") {
            await bob.updates.messages(of: conversation).map(\.text).contains("during")
        }
        #expect(try await bob.client.wholeHistory(of: conversation).last?.seq == sent.seq)
        for (what, request) in requests {
            try await eventually("\(what) is served again") {
                do throws(ParleyError) {
                    try await request()
                    return true
                } catch {
                    #expect(error.code == "unavailable", "\(what)")
                    return false
                }
            }
        }
        #expect(await cluster.pids.filter { $0.key != "postgres" } == pids, "no process was restarted")
        await stranger.close()
        await cluster.end()
    }

    @Test("P2 a dead gateway's sessions go offline: immediately when it restarts, otherwise within the lease")
    func gatewayDies() async throws {
        let lease = 12  // Longer than the 10 s between a gateway's reports.
        let cluster = try await TestCluster(
            .init(settings: ["presence": ["PARLEY_LIMITS_LEASE_SECONDS": "\(lease)"]], repeats: false))
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let carol = try await cluster.person("carol")
        _ = try await alice.client.createGroup(name: "us", users: [bob.user, carol.user])
        func status(_ people: Device...) async throws -> [Parley_V1_PresenceStatus] {
            try await alice.client.getPresence(people.map(\.user)).map(\.status)
        }
        _ = try await alice.client.watchPresence([bob.user, carol.user])
        try await eventually("all are online") { try await status(bob, carol) == [.online, .online] }

        // Frozen: it neither reports nor ends.
        let pid = try #require(await cluster.pids["gateway-2"])
        kill(pid, SIGSTOP)
        try await eventually(within: .seconds(60), "the lease of bob's gateway has expired") {
            try await status(bob) == [.offline]
        }
        #expect(try await status(carol) == [.online])
        try await eventually("alice is notified") {
            await alice.updates.presence.last { $0.user == bob.user }?.status == .offline
        }
        #expect(try await alice.client.getPresence([bob.user]).first?.lastSeenUs ?? 0 > 0)
        kill(pid, SIGCONT)
        try await eventually("the gateway is back with its sessions") {
            try await status(bob) == [.online]
        }

        // Killed, and started again without its sessions.
        await bob.client.close()
        let dave = try await cluster.person("dave", gateway: 1)
        _ = try await alice.client.startDirect(with: dave.user)
        let raw = try await onThread { [token = await dave.client.credentials?.accessToken ?? ""] in
            let socket = try RawSocket(cluster.url(1))
            try socket.hello(token)
            return socket
        }
        await dave.client.close()
        try await eventually("dave is online") { try await status(dave) == [.online] }
        try await cluster.cluster.kill("gateway-2")
        try await eventually(within: .seconds(60), "dave is offline") { try await status(dave) == [.offline] }
        raw.close()
        await cluster.end()
    }
}

/// Writers that send until they are stopped, and their acknowledged messages.
final class Load: @unchecked Sendable {
    // Sendable: `lock` protects all state.

    struct Sent: Sendable {
        var conversation: String
        var user: String
        var id: UUIDv7
        var seq: Int64
        var text: String
    }

    private let lock = NSLock()
    private var sent: [Sent] = []
    private var isStopped = false
    private var longest = Duration.zero

    /// The longest time that one send took, with all its retries.
    var longestWait: Duration { lock.withLock { longest } }
    var acknowledged: [Sent] { lock.withLock { sent } }
    var isStopping: Bool { lock.withLock { isStopped } }
    func stop() { lock.withLock { isStopped = true } }

    /// - Parameter padding: the number of characters added to each message.
    func write(as person: Device, _ index: Int, into conversation: String, padding: Int = 0) async throws {
        let padding = padding > 0 ? " " + String(repeating: "x", count: padding) : ""
        var number = 0
        while !isStopping {
            number += 1
            let id = await person.client.newID()
            let text = "\(index).\(number)\(padding)"
            let began = ContinuousClock.now
            let reply = try await person.client.sendReliably(text, to: conversation, id: id)
            lock.withLock {
                longest = max(longest, .now - began)
                sent.append(Sent(conversation: conversation, user: person.user, id: id, seq: reply.seq, text: text))
            }
            // Limits the pace: the test is about faults, not about the machine's speed.
            try await Task.sleep(for: .milliseconds(4))
        }
    }

    /// Waits until `count` more messages are acknowledged.
    func continues(_ what: String, by count: Int) async throws {
        let goal = lock.withLock { sent.count } + count
        try await eventually(within: .seconds(40), "messages are accepted \(what)") {
            self.lock.withLock { self.sent.count } >= goal
        }
    }

    /// Waits until each of these conversations has a message that was sent and acknowledged since now.
    func continues(_ what: String, in conversations: [String]) async throws {
        func counts() -> [String: Int] { Dictionary(grouping: acknowledged, by: \.conversation).mapValues(\.count) }
        let before = counts()
        // The first one since may have been on its way.
        try await eventually(within: .seconds(40), "messages are accepted in every conversation \(what)") {
            let now = counts()
            return conversations.allSatisfy { now[$0, default: 0] >= before[$0, default: 0] + 2 }
        }
    }
}
