import Foundation
import Glibc
import ParleyClient
import TestSupport
import Testing

extension ReplicaClusters {
    private static let replicas = ["conversations": 2, "messaging": 3, "presence": 2, "entities": 2]

    @Test("M1 M3 a frozen replica of messaging loses and reorders nothing, the others continue, and clients agree")
    func stoppedReplica() async throws {
        let cluster = try await TestCluster(.init(replicas: ["messaging": 3]))
        let people = try await cluster.people(4) { $0 % 2 }
        let users = people.map(\.user)
        var talks: [String] = []
        // Enough conversations for each replica to serve some.
        for number in 0..<9 {
            talks.append(try await people[0].client.createGroup(name: "talk \(number)", users: users).conversation.id)
        }
        var followers: [Follower] = []
        for person in people { followers.append(await Follower(person.client)) }
        let load = Load()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for (index, talk) in talks.enumerated() {
                tasks.addTask { try await load.write(as: people[index % 4], index, into: talk) }
            }
            tasks.addTask { [talks] in
                defer { load.stop() }
                for replica in ["messaging-1", "messaging-2", "messaging-3"] {
                    try await load.continues("before \(replica) is stopped", by: 200)
                    let pid = try #require(await cluster.pids[replica])
                    kill(pid, SIGSTOP)
                    // Heartbeats end its links after 3 s. Time-outs release its locks in the database.
                    try await load.continues("while \(replica) is stopped", by: 400)
                    try await load.continues("while \(replica) is stopped", in: talks)
                    try await load.continues("after its links ended", by: 400)
                    kill(pid, SIGCONT)
                    try await load.continues("after \(replica) resumes", by: 200)
                }
            }
            try await tasks.waitForAll()
        }
        Figures.say("stopped replica: the longest wait of a send, with all its retries, was \(load.longestWait)")
        try await converges(cluster, talks, people, followers, load)
        await cluster.end()
    }

    @Test("when a replica of any service stops, the others serve its requests")
    func anyReplicaMayDie() async throws {
        let cluster = try await TestCluster(.init(replicas: Self.replicas, repeats: false))
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let conversation = try await alice.client.startDirect(with: bob.user).conversation.id
        for service in Self.replicas.keys.sorted() {
            for number in 1...(Self.replicas[service] ?? 1) {
                let replica = "\(service)-\(number)"
                try await cluster.cluster.stop(replica)
                // Repeated, so that keys of the stopped replica are among them.
                for _ in 0..<12 {
                    _ = try await alice.client.sendReliably("without \(replica)", to: conversation)
                    try await served { () async throws(ParleyError) in _ = try await bob.client.syncConversations() }
                    try await served { () async throws(ParleyError) in
                        _ = try await alice.client.createReminder(.with { ($0.title, $0.dueAtUs) = ("x", 1) })
                    }
                    try await served { () async throws(ParleyError) in
                        _ = try await alice.client.startDirect(with: bob.user)
                    }
                    try await eventually("bob is online without \(replica)") {
                        (try? await alice.client.getPresence([bob.user]))?.first?.status == .online
                    }
                }
                try await health(cluster, service, without: number)
                try await cluster.cluster.start(replica)
                try await cluster.cluster.waitUntilReady(replica)
                try await allReplicasAreBack(cluster)
            }
        }
        let last = try await alice.client.history(of: conversation, limit: 1).lastSeq
        try await eventually("bob received all messages") {
            Set(await bob.updates.messages(of: conversation).map(\.seq)).count == Int(last)
        }
        await cluster.end()
    }

    @Test("P1 P4 both replicas of presence know everyone's status, and a watch outlives the replica that held it")
    func presenceReplicas() async throws {
        let cluster = try await TestCluster(.init(replicas: ["presence": 2], repeats: false))
        let people = try await cluster.people(6) { $0 % 2 }
        let users = people.map(\.user)
        _ = try await people[0].client.createGroup(name: "us", users: users)
        // Each person calls with their own key, so both replicas answer.
        func allAgree(_ what: String, _ expected: [Parley_V1_PresenceStatus]) async throws {
            for person in people where await person.client.isReady {
                try await eventually("\(person.username) sees \(what)") {
                    do throws(ParleyError) {
                        return try await person.client.getPresence(users).map(\.status) == expected
                    } catch {
                        #expect(error.code == "unavailable")
                        return false
                    }
                }
            }
        }
        try await allAgree("all online", users.map { _ in .online })
        for person in people.dropLast() { _ = try await person.client.watchPresence(users) }

        for replica in ["presence-1", "presence-2"] {
            try await cluster.cluster.kill(replica)
            // Nobody who is online is reported offline, not even by a replica that has just started.
            let until = ContinuousClock.now + .seconds(3)
            while ContinuousClock.now < until {
                for person in people {
                    guard let states = try? await person.client.getPresence(users) else { continue }
                    #expect(states.map(\.status) == users.map { _ in .online })
                }
            }
            try await cluster.cluster.waitUntilReady(replica)
            try await allReplicasAreBack(cluster)
        }
        try await allAgree("all online again", users.map { _ in .online })
        let before = await people.asyncMap { await $0.updates.presence.count }
        await people[5].client.close()
        for (person, before) in zip(people, before).dropLast() {
            try await eventually("\(person.username) is notified that the last one left") {
                await person.updates.presence.dropFirst(before).last { $0.user == users[5] }?.status == .offline
            }
        }
        await cluster.end()
    }

    private func served(_ request: () async throws(ParleyError) -> Void) async throws {
        try await eventually("the request is served") {
            do throws(ParleyError) {
                try await request()
                return true
            } catch {
                #expect(["unavailable", "deadline"].contains(error.code), "\(error)")
                return false
            }
        }
    }

    private struct Health: Decodable {
        struct Service: Decodable {
            struct Replica: Decodable { var instance: String, live: Bool, ready: Bool, reasons: [String] }
            var live: Bool, ready: Bool, reasons: [String]
            var replicas: [Replica]?
        }
        var status: String
        var services: [String: Service]
    }

    private func health(_ cluster: TestCluster, gateway: Int = 0) async throws -> (Health, String) {
        let answer = try await onThread {
            let socket = try RawSocket(cluster.url(gateway), upgrades: false)
            socket.send(Array("GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8))
            return try socket.readToEnd()
        }
        let head = try #require(answer.firstRange(of: Array("\r\n\r\n".utf8)))
        let body = answer[head.upperBound...]
        return (try JSONDecoder().decode(Health.self, from: Data(body)), String(decoding: body, as: UTF8.self))
    }

    private func health(_ cluster: TestCluster, _ service: String, without number: Int) async throws {
        let (health, text) = try await health(cluster)
        let state = try #require(health.services[service])
        #expect(health.status == "ready" && state.live && state.ready && state.reasons.isEmpty)
        let away = state.replicas?.filter { !$0.live }
        #expect(away?.count == 1 && away?.first?.reasons.isEmpty == false)
        #expect(away?.first?.instance == "\(number)")
        #expect(!text.contains("/"), "no paths")
    }

    /// Waits until both gateways have found the restarted replica. They look for it at least every 2 s.
    private func allReplicasAreBack(_ cluster: TestCluster) async throws {
        for gateway in 0..<2 {
            try await eventually("gateway \(gateway) reaches every replica") {
                try await health(cluster, gateway: gateway).0.services.values.allSatisfy { service in
                    service.replicas?.allSatisfy(\.ready) ?? true
                }
            }
        }
    }

    func converges(
        _ cluster: TestCluster, _ talks: [String], _ people: [Device], _ followers: [Follower], _ load: Load
    ) async throws {
        let fresh = try await cluster.session(of: people[0], gateway: 1)
        for talk in talks {
            let sent = load.acknowledged.filter { $0.conversation == talk }
            let history = try await fresh.client.wholeHistory(of: talk)
            #expect(history.map(\.seq) == Array(1...Int64(history.count)), "no gaps and no duplicates")
            #expect(history.count == sent.count)
            // The only writer waits for each reply, so messages are in the order of writing.
            #expect(history.map(\.text) == sent.sorted { $0.seq < $1.seq }.map(\.text))
            #expect(sent.map(\.seq) == sent.map(\.seq).sorted())
            for (index, follower) in followers.enumerated() {
                try await eventually(within: .seconds(30), "person \(index) has all messages") {
                    await follower.messages[talk]?.count ?? 0 >= history.count
                }
                #expect(await follower.messages[talk] == history)
                #expect(await follower.problem == nil)
            }
        }
    }
}
