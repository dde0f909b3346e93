import Foundation
import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

@Suite("C9 C10 C14: groups, their names, photos and roles", .timeLimit(.minutes(10 * patience)))
struct GroupTests {
    @Test("C14 finding exactly these people returns the direct conversation, else the newest group, as members change")
    func find() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let carol = try await cluster.person("carol")
        let eve = try await cluster.person("eve")
        func found(_ person: Device, _ others: [Device]) async throws -> String? {
            try await person.client.findConversation(with: others.map(\.user))?.id
        }
        #expect(try await found(alice, []) == nil)
        #expect(try await found(alice, [bob]) == nil)
        let notes = try await alice.client.startDirect(with: alice.user).conversation
        #expect(try await alice.client.findConversation(with: []) == notes)
        #expect(try await found(alice, [alice]) == notes.id)

        let two = try await alice.client.createGroup(name: "two", users: [bob.user]).conversation.id
        #expect(try await found(alice, [bob]) == two)
        let direct = try await bob.client.startDirect(with: alice.user).conversation.id
        #expect(try await found(alice, [bob]) == direct)
        #expect(try await found(bob, [alice, bob, alice]) == direct)

        let first = try await alice.client.createGroup(name: "one", users: [bob.user, carol.user]).conversation.id
        let last = try await bob.client.createGroup(name: "other", users: [alice.user, carol.user]).conversation
        for (person, others) in [(alice, [bob, carol]), (bob, [carol, alice]), (carol, [alice, bob])] {
            let mine = try #require(try await person.client.findConversation(with: others.map(\.user)))
            #expect(mine.id == last.id && mine.memberCount == 3 && mine.name == "other")
        }
        #expect(try await found(eve, [alice, bob, carol]) == nil, "not hers")
        #expect(try await alice.client.findConversation(with: [bob.user, "ghost"]) == nil)
        #expect(try await alice.client.findConversation(with: [bob.user, "not an id"]) == nil)

        try await bob.client.addMembers([eve.user], to: last.id)
        #expect(try await found(alice, [carol, bob]) == first, "the other group has one more member")
        #expect(try await found(eve, [carol, bob, alice]) == last.id)
        try await carol.client.leaveGroup(first)
        #expect(try await found(alice, [carol, bob]) == nil)
        #expect(try await found(carol, [alice, bob]) == nil)
        try await bob.client.removeMember(eve.user, from: last.id)
        #expect(try await found(carol, [alice, bob]) == last.id)
        #expect(try await found(eve, [alice, bob, carol]) == nil)
    }

    @Test("C9 paging through members shows everyone who stays exactly once, in order, while others come and go")
    func pages() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let crowd = try await cluster.crowd(260)
        let group = try await alice.client.createGroup(name: "all", users: Array(crowd[..<200])).conversation.id
        var seen: [Parley_V1_Member] = []
        var page = Parley_V1_ListMembersReply()
        var turn = 0
        repeat {
            page = try await alice.client.members(of: group, cursor: page.cursor, limit: 25)
            seen += page.members
            // One member on a page and one not yet on a page leave, and two people join.
            try await alice.client.removeMember(crowd[turn], from: group)
            try await alice.client.removeMember(crowd[199 - turn], from: group)
            try await alice.client.addMembers([crowd[200 + 2 * turn], crowd[201 + 2 * turn]], to: group)
            turn += 1
        } while page.more
        #expect(seen.map(\.user.id).count == Set(seen.map(\.user.id)).count, "no duplicates")
        #expect(Set(seen.map(\.user.id)).isSuperset(of: [alice.user] + crowd[turn..<(200 - turn)]))
        #expect(seen.first?.user.id == alice.user && seen.map(\.joinedAtUs) == seen.map(\.joinedAtUs).sorted())
        let all = try await alice.client.allMembers(of: group)
        #expect(all.count == 201 && Set(all.map(\.user.id)).count == 201)
        let conversation = try await alice.client.getConversation(group)
        #expect(conversation.memberCount == 201 && conversation.members == Array(all.prefix(16)))
    }

    @Test(
        "C9 M14 a group of 1,000 can be made, joined, written in, renamed and left; its members get every Update")
    func thousand() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let dana = try await cluster.person("dana", gateway: 1)
        let eve = try await cluster.person("eve")
        let other = try await cluster.device(of: alice, gateway: 1)
        let crowd = try await cluster.crowd(997)
        let control = try await aTenth(alice.client, bob.client, crowd: crowd.prefix(97) + [bob.user], dana.user)
        var times: [String: Duration] = [:]
        @discardableResult
        func timed<T>(_ what: String, _ body: () async throws -> T) async throws -> T {
            let began = ContinuousClock.now
            defer { times[what] = ContinuousClock.now - began }
            return try await body()
        }
        let made = try await timed("create") {
            try await alice.client.createGroup(name: "all", users: crowd + [bob.user])
        }
        let group = made.conversation.id
        #expect(made.conversation.memberCount == 999 && made.conversation.members.count == 16)
        #expect(made.conversation.members.first?.user.id == alice.user)
        let before = try await bob.client.send("before dana", to: group).seq
        try await timed("join") { try await alice.client.addMembers([dana.user], to: group) }
        let full = try await refusal { () async throws(ParleyError) in
            try await alice.client.addMembers([eve.user], to: group)
        }
        #expect(full.code == "group_full")
        let tooMany = try await refusal { () async throws(ParleyError) in
            try await alice.client.createGroup(name: "more", users: crowd + [bob.user, dana.user, eve.user])
        }
        #expect(["group_full", "invalid"].contains(tooMany.code))

        let first = try await bob.client.send("hello, all", to: group).seq
        for device in [alice, other, dana] {
            try await eventually("the message arrives") {
                await device.updates.messages(of: group).contains { $0.seq == first }
            }
        }
        let window = try await dana.client.wholeHistory(of: group)
        #expect(window.contains { $0.seq == first } && window.allSatisfy { $0.seq > before }, "since the join")
        try await timed("rename") { try await alice.client.updateGroup(group, name: "everyone") }
        try await timed("role") { try await alice.client.setMemberRole(.admin, of: crowd[500], in: group) }
        #expect(try await bob.client.getConversation(group).members[1].user.id == crowd[500])
        try await timed("remove") { try await alice.client.removeMember(dana.user, from: group) }
        let unsent = try await refusal { () async throws(ParleyError) in
            try await dana.client.send("too late", to: group)
        }
        #expect(unsent.code == "not_member")
        let last = try await alice.client.send("without dana", to: group).seq
        #expect(try await dana.client.wholeHistory(of: group).allSatisfy { $0.seq < last })
        #expect(try await bob.client.allMembers(of: group).count == 999)
        try await timed("leave") { try await bob.client.leaveGroup(group) }
        try await noGaps(of: [alice, other, bob, dana], late: true)

        let second = try await alice.client.createGroup(name: "again", users: []).conversation.id
        try await timed("999 join") { try await alice.client.addMembers(crowd + [bob.user, dana.user], to: second) }
        try await eventually("everyone has a system message") {
            let lines = try await bob.client.wholeHistory(of: second).filter(\.hasSystem)
            return Set(lines.flatMap(\.system.users)) == Set(crowd + [bob.user, dana.user])
        }
        // Ten times as many members make ten times the work. A hundred times would be quadratic.
        let whole = times.values.reduce(Duration.zero, +)
        #expect(whole < control * 40, "\(times), a tenth \(control)")
        figures(times)
    }

    /// Returns how long the same requests take in a group of a hundred.
    private func aTenth(
        _ alice: ParleyClient, _ bob: ParleyClient, crowd: [String], _ dana: String
    ) async throws -> Duration {
        let began = ContinuousClock.now
        let group = try await alice.createGroup(name: "a tenth", users: crowd).conversation.id
        try await alice.addMembers([dana], to: group)
        try await alice.updateGroup(group, name: "everyone")
        try await alice.setMemberRole(.admin, of: crowd[50], in: group)
        try await alice.removeMember(dana, from: group)
        try await bob.leaveGroup(group)
        let second = try await alice.createGroup(name: "again", users: []).conversation.id
        try await alice.addMembers(crowd + [dana], to: second)
        return ContinuousClock.now - began
    }

    /// Prints the times if `PARLEY_TEST_FIGURES` is set.
    private func figures(_ times: [String: Duration]) {
        guard ProcessInfo.processInfo.environment["PARLEY_TEST_FIGURES"] != nil else { return }
        for (what, time) in times.sorted(by: { $0.value < $1.value }) { print("1,000 members: \(what) \(time)") }
    }

    @Test("C9 M14 in ten groups, 800 joins include the next message and 800 removals exclude it")
    func manyRounds() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let dana = try await cluster.person("dana", gateway: 1)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 0..<10 {
                tasks.addTask {
                    let group = try await alice.client.createGroup(name: "\(number)", users: [bob.user]).conversation.id
                    for round in 0..<80 {
                        try await alice.client.addMembers([dana.user], to: group)
                        if round > 0 { try await dana.client.acceptRequest(group) }
                        let first = try await bob.client.send("first", to: group).seq
                        let seen = try await dana.client.history(of: group, limit: 10).messages
                        #expect(seen.contains { $0.seq == first }, "round \(round) of \(number)")
                        try await alice.client.removeMember(dana.user, from: group)
                        async let after = bob.client.send("after", to: group).seq
                        let unsent = try await refusal { () async throws(ParleyError) in
                            try await dana.client.send("too late", to: group)
                        }
                        #expect(unsent.code == "not_member", "round \(round) of \(number)")
                        let last = try await after
                        #expect(try await dana.client.history(of: group, limit: 5).lastSeq < last)
                    }
                }
            }
            try await tasks.waitForAll()
        }
        #expect(await dana.updates.messages.allSatisfy { $0.text != "after" }, "no unreadable Updates")
        try await noGaps(of: [alice, bob, dana])
    }
}

extension TestCluster {
    /// Inserts accounts of people who never sign in, since registering them would take long.
    /// - Returns: their user ids.
    @ReactorActor
    fileprivate func crowd(_ count: Int) async throws -> [String] {
        let connection = try await Connection.open(
            DatabaseConfiguration(test: endpoints.database))
        defer { connection.close() }
        let name = "c" + String(UInt64.random(in: .min ... .max), radix: 36)
        let ids = (0..<count).map { "\(name)x\($0)" }
        try await connection.execute(
            Statement(
                """
                INSERT INTO conversations.accounts (user_id, username, display_name, created_at)
                SELECT id, id, 'One of the crowd', 1
                FROM unnest($1::text[]) AS id
                """), .texts(ids))
        return ids
    }
}
