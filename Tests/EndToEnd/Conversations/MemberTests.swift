import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

@Suite("C9 M14: members of groups come and go", .timeLimit(.minutes(10)))
struct MemberTests {
    @Test("C9 members can be added, be removed and leave; every refusal has its code, and repeating changes nothing")
    func rules() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let carol = try await cluster.person("carol", gateway: 1)
        let eve = try await cluster.person("eve")
        let group = try await alice.client.createGroup(name: "trip", users: [bob.user]).conversation.id
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id

        let added = try await alice.client.addMembers([carol.user, bob.user], to: group)
        #expect(!added.created && Set(added.conversation.members.map(\.user.id)) == [alice.user, bob.user, carol.user])
        #expect(try await alice.client.addMembers([carol.user], to: group).conversation == added.conversation)
        try await eventually("carol is notified") { await carol.updates.conversations.contains { $0.id == group } }

        let refused: [(String, @Sendable () async throws(ParleyError) -> Void)] = [
            ("forbidden", { () async throws(ParleyError) in try await bob.client.addMembers([eve.user], to: group) }),
            (
                "forbidden",
                { () async throws(ParleyError) in try await bob.client.removeMember(carol.user, from: group) }
            ),
            (
                "forbidden",
                { () async throws(ParleyError) in try await bob.client.removeMember(alice.user, from: group) }
            ),
            ("not_found", { () async throws(ParleyError) in try await eve.client.addMembers([eve.user], to: group) }),
            ("not_found", { () async throws(ParleyError) in try await eve.client.removeMember(bob.user, from: group) }),
            ("not_found", { () async throws(ParleyError) in try await eve.client.leaveGroup(group) }),
            ("not_found", { () async throws(ParleyError) in try await alice.client.leaveGroup("nothing") }),
            ("not_found", { () async throws(ParleyError) in try await eve.client.leaveGroup(direct) }),
            (
                "not_found",
                { () async throws(ParleyError) in try await alice.client.removeMember(eve.user, from: group) }
            ),
            (
                "invalid",
                { () async throws(ParleyError) in try await alice.client.removeMember(alice.user, from: group) }
            ),
            ("invalid", { () async throws(ParleyError) in try await alice.client.addMembers([], to: group) }),
            ("invalid", { () async throws(ParleyError) in try await alice.client.addMembers([eve.user], to: direct) }),
            ("invalid", { () async throws(ParleyError) in try await bob.client.leaveGroup(direct) }),
            (
                "user_not_found",
                { () async throws(ParleyError) in try await alice.client.addMembers([eve.user, "ghost"], to: group) }
            ),
        ]
        for (index, (code, request)) in refused.enumerated() {
            #expect(try await refusal(request).code == code, "request \(index)")
        }

        for _ in 0..<2 { try await alice.client.removeMember(carol.user, from: group) }
        let left = try await carol.client.getConversation(group)
        #expect(left.leftAtUs > 0 && left.members.isEmpty && left.name == "trip" && left.id == group)
        #expect(try await carol.client.syncConversations().conversations == [left], "Sync returns it too")
        try await eventually("carol is notified") { await carol.updates.conversations.last?.leftAtUs == left.leftAtUs }
        for _ in 0..<2 { try await alice.client.leaveGroup(group) }
        let bobs = try await bob.client.getConversation(group)
        #expect(bobs.members.map(\.user.id) == [bob.user] && bobs.members.map(\.role) == [.owner], "bob owns it now")
        try await bob.client.leaveGroup(group)
        #expect(try await bob.client.getConversation(group).leftAtUs > 0)
        try await noGaps(of: [alice, bob, carol])
    }

    @Test("C9 people added together have one system message; a group of up to 64 lists all its members")
    func addedTogether() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(66) { $0 % 2 }
        let users = people.map(\.user)
        let group = try await people[0].client.createGroup(name: "all", users: Array(users[1..<60])).conversation.id
        #expect(
            try await people[0].client.addMembers(Array(users[60..<64]), to: group).conversation.members.count == 64)
        #expect(try await people[0].client.addMembers([users[63]], to: group).conversation.members.count == 64)
        try await eventually("one system message for the four") {
            let notes = try await people[63].client.wholeHistory(of: group).filter(\.hasSystem)
            return notes.map { $0.system.users } == [Array(users[60..<64])]
        }
        let larger = try await people[0].client.addMembers(Array(users[64...]), to: group).conversation
        #expect(larger.memberCount == 66 && larger.members.map(\.user.id) == Array(users[..<16]), "the first 16")
        #expect(try await people[65].client.allMembers(of: group).map(\.user.id) == users)
    }

    @Test(
        "C9 M14 a new member reads the next message, and a removed one can neither send nor read, in 200 rounds")
    func rounds() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let dana = try await cluster.person("dana", gateway: 1)
        let group = try await alice.client.createGroup(name: "rounds", users: [bob.user]).conversation.id
        var last = try await bob.client.send("before", to: group).seq
        for round in 0..<200 {
            try await alice.client.addMembers([dana.user], to: group)
            // Who was removed is only invited.
            if round > 0 { try await dana.client.acceptRequest(group) }
            let first = try await bob.client.send("first \(round)", to: group)
            let seen = try await dana.client.history(of: group, limit: 200).messages
            #expect(seen.contains { $0.seq == first.seq && $0.text == "first \(round)" }, "round \(round)")
            #expect((seen.first?.seq ?? 0) > last, "round \(round): nothing from before the join")
            #expect(try await dana.client.send("mine", to: group).seq > first.seq)

            try await alice.client.removeMember(dana.user, from: group)
            let unsent = try await refusal { () async throws(ParleyError) in
                try await dana.client.send("too late", to: group)
            }
            #expect(unsent.code == "not_member", "round \(round)")
            last = try await bob.client.send("after \(round)", to: group).seq
            let window = try await dana.client.history(of: group, limit: 200)
            #expect(window.lastSeq < last && window.messages.contains { $0.seq == first.seq }, "round \(round)")
            #expect(window.messages.map(\.seq) == Array((window.messages.first?.seq ?? 0)...window.lastSeq))
            let changes = try await dana.client.changes(of: group, epoch: "", since: 0, limit: 200)
            #expect(changes.messages.map(\.seq) == window.messages.map(\.seq) && changes.position < last)
        }
        #expect(await dana.updates.messages(of: group).allSatisfy { !$0.text.hasPrefix("after") }, "no Update")
        try await eventually("every change has its system message") {
            let notes = try await alice.client.wholeHistory(of: group).filter(\.hasSystem)
            return notes.count == 400
        }
        let notes = try await alice.client.wholeHistory(of: group).filter(\.hasSystem)
        for (index, note) in notes.enumerated() {
            #expect(note.kind == .system && note.sender.isEmpty && note.text.isEmpty)
            let actor = index > 0 && index % 2 == 0 ? dana : alice
            #expect(note.system.actor == actor.user && note.system.users == [dana.user])
            #expect(note.system.kind == (index % 2 == 0 ? .membersJoined : .memberRemoved), "system message \(index)")
        }
        let entry = try await dana.client.syncMessaging().entries.first { $0.conversation == group }
        #expect((entry?.lastSeq ?? 0) < last && (entry?.position ?? 0) < last)
        try await noGaps(of: [alice, bob, dana])
    }

    @Test("C9 M14 while people write, join and leave, every device ends with exactly what its person may read")
    func converges() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(6) { $0 % 2 }
        let users = people.map(\.user)
        let (owner, writer) = (people[0].client, people[1].client)
        var followers: [[Follower]] = []
        var others: [Device] = []
        for (index, person) in people.enumerated() {
            let other = try await cluster.device(of: person, gateway: (index + 1) % 2)
            others.append(other)
            followers.append([await Follower(person.client), await Follower(other.client)])
        }
        let group = try await owner.createGroup(name: "busy", users: [users[1], users[5]]).conversation.id
        let load = Load()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for index in 0..<2 { tasks.addTask { try await load.write(as: people[index], index, into: group) } }
            tasks.addTask {
                defer { load.stop() }
                try await load.continues("before the first", by: 50)
                try await owner.addMembers([users[2], users[3]], to: group)
                try await load.continues("after two were added", by: 50)
                try await owner.removeMember(users[3], from: group)
                try await load.continues("after one was removed", by: 50)
                try await owner.addMembers([users[4]], to: group)
                try await load.continues("after another was added", by: 50)
                try await people[5].client.leaveGroup(group)
                try await load.continues("after the last", by: 50)
            }
            try await tasks.waitForAll()
        }
        _ = try await writer.send("the last", to: group)
        try await eventually("every change has its system message") {
            try await owner.wholeHistory(of: group).filter(\.hasSystem).count == 4
        }
        let all = try await owner.wholeHistory(of: group)
        #expect(all.map(\.seq) == Array(1...Int64(all.count)))
        for (index, person) in people.enumerated() {
            let mine = try await person.client.wholeHistory(of: group)
            let expected = all.filter { (mine.first?.seq ?? 1)...(mine.last?.seq ?? 0) ~= $0.seq }
            #expect(mine == expected && !mine.isEmpty, "person \(index) reads one contiguous range")
            let (isFounder, isMember) = ([0, 1, 5].contains(index), [0, 1, 2, 4].contains(index))
            #expect((mine.first?.seq == 1) == isFounder && (mine.last?.seq == all.last?.seq) == isMember)
            for follower in followers[index] {
                try await eventually("person \(index) receives everything live") {
                    await follower.messages[group]?.count ?? 0 >= mine.count
                }
                #expect(await follower.messages[group] == mine, "person \(index)")
                #expect(await follower.problem == nil)
            }
        }
        try await noGaps(of: people + others)
    }

    @Test("C9 simultaneous changes of the same members take effect one after another, each with a system message")
    func together() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let others = try await cluster.people(3)
        let group = try await alice.client.createGroup(name: "two hands", users: [bob.user]).conversation.id
        try await makeAdmin(bob.user, of: group, on: cluster.endpoints.database)
        for round in 0..<30 {
            async let first: Void = change(others[round % 3], of: group, adding: round % 2 == 0, as: alice.client)
            async let second: Void = change(others[(round + 1) % 3], of: group, adding: true, as: bob.client)
            async let third: Void = change(others[round % 3], of: group, adding: round % 2 == 1, as: bob.client)
            _ = try await (first, second, third)
        }
        let members = Set(try await alice.client.getConversation(group).members.map(\.user.id))
        #expect(try await Set(bob.client.getConversation(group).members.map(\.user.id)) == members)
        let counts = try await changeCount(of: group, on: cluster.endpoints.database)
        try await eventually("every change has its system message") {
            try await alice.client.wholeHistory(of: group).filter(\.hasSystem).count == counts
        }
        // In the order of the changes, added people were not members before, and removed people were.
        var present: Set<String> = [alice.user, bob.user]
        for note in try await alice.client.wholeHistory(of: group).map(\.system) {
            for user in note.users {
                #expect(present.contains(user) == (note.kind == .memberRemoved))
                if note.kind == .membersJoined { present.insert(user) } else { present.remove(user) }
            }
        }
        #expect(present == members)
        for person in others {
            let isMember = members.contains(person.user)
            let seen = try await person.client.syncConversations().conversations
            #expect(seen.allSatisfy { ($0.leftAtUs == 0) == isMember })
        }
        try await noGaps(of: [alice, bob] + others)
    }

    private func change(_ person: Device, of group: String, adding: Bool, as client: ParleyClient) async throws {
        do throws(ParleyError) {
            if adding {
                try await client.addMembers([person.user], to: group)
                try await person.client.acceptRequest(group)
            } else {
                try await client.removeMember(person.user, from: group)
            }
        } catch {
            // Someone who never was a member cannot be removed, nor accept once somebody else removed them.
            if error.code != "not_found" { throw error }
        }
    }

    @ReactorActor
    private func makeAdmin(_ user: String, of group: String, on database: String) async throws {
        let connection = try await Connection.open(DatabaseConfiguration(test: database))
        defer { connection.close() }
        try await connection.execute(
            Statement(
                """
                UPDATE conversations.members AS m SET role = 2
                FROM conversations.accounts AS a, conversations.conversations AS c
                WHERE a.account = m.account AND c.conversation = m.conversation
                    AND a.user_id = $1 AND c.conversation_id = $2
                """), .text(user), .text(group))
    }

    /// Returns the number of member changes. Each has one system message, since no two people are added together.
    @ReactorActor
    private func changeCount(of group: String, on database: String) async throws -> Int {
        let connection = try await Connection.open(DatabaseConfiguration(test: database))
        defer { connection.close() }
        let version = try await connection.first(
            Statement("SELECT members_version FROM conversations.conversations WHERE conversation_id = $1") {
                try $0.int64(0)
            }, .text(group))
        return Int(version ?? 0) - 1
    }
}

extension FaultClusters {
    @Test("C9 M14 kill -9 of messaging ten times while people join: each has one system message and an exact window")
    func membersWhileKilled() async throws {
        let cluster = try await TestCluster()
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let joiners = try await cluster.people(40) { $0 % 2 }
        let group = try await alice.client.createGroup(name: "growing", users: [bob.user]).conversation.id
        let load = Load()
        let joined = Joined()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await load.write(as: bob, 0, into: group) }
            tasks.addTask {
                for person in joiners {
                    let before = load.acknowledged.map(\.seq).max() ?? 0
                    try await alice.client.addMembersReliably([person.user], to: group)
                    let first = try await alice.client.sendReliably("welcome \(person.user)", to: group).seq
                    await joined.note(person.user, before: before, first: first)
                    try await Task.sleep(for: .milliseconds(100))
                }
                await joined.finish()
            }
            tasks.addTask {
                defer { load.stop() }
                for _ in 0..<10 {
                    let before = try #require(await cluster.pids["messaging-1"])
                    try await cluster.cluster.kill("messaging-1")
                    try await eventually(within: .seconds(30), "messaging has restarted") {
                        let now = await cluster.pids["messaging-1"]
                        return now != nil && now != before
                    }
                    try await cluster.cluster.waitUntilReady("messaging-1", within: .seconds(30))
                    try await load.continues("after a kill", by: 20)
                }
                try await eventually(within: .seconds(60), "all have joined") { await joined.isFinished }
            }
            try await tasks.waitForAll()
        }
        try await eventually(within: .seconds(30), "each join has a system message") {
            try await alice.client.wholeHistory(of: group).filter(\.hasSystem).count >= joiners.count
        }
        let all = try await alice.client.wholeHistory(of: group)
        #expect(all.map(\.seq) == Array(1...Int64(all.count)), "no gaps and no duplicates")
        let lines = all.filter(\.hasSystem)
        #expect(lines.map(\.system.users) == joiners.map { [$0.user] }, "one each, in their order")
        #expect(lines.allSatisfy { $0.system.actor == alice.user && $0.system.kind == .membersJoined })
        #expect(try await bob.client.wholeHistory(of: group) == all)
        for person in joiners {
            let mine = try await person.client.wholeHistory(of: group)
            let begins = try #require(mine.first?.seq)
            #expect(mine == all.filter { $0.seq >= begins }, "all messages since the join")
            let (before, first) = try #require(await joined.rounds[person.user])
            #expect(before < begins && begins <= first, "the window starts at the join")
            #expect(mine.count { $0.system.users == [person.user] } == 1, "their own system message, once")
        }
        await cluster.end()
    }
}

private actor Joined {
    /// By person: the last seq acknowledged before their join began, and the first sent after its reply.
    private(set) var rounds: [String: (before: Int64, first: Int64)] = [:]
    private(set) var isFinished = false

    func note(_ user: String, before: Int64, first: Int64) { rounds[user] = (before, first) }
    func finish() { isFinished = true }
}

extension ParleyClient {
    /// Adds members and retries until the server accepts or finally refuses. Repeating changes nothing.
    fileprivate func addMembersReliably(_ users: [String], to conversation: String) async throws {
        while true {
            do throws(ParleyError) {
                try await addMembers(users, to: conversation)
                return
            } catch {
                guard error.isRetriable else { throw error }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
