import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("The state of clients: snapshot + Updates = fresh snapshot", .timeLimit(.minutes(30)))
struct SnapshotTests {
    @Test("R1 R2 R3 R4 clients agree after a request is started, shown with its first message, read and accepted")
    func accepted() async throws {
        let cluster = try await TestCluster.asking
        let people = try await cluster.people(3) { $0 % 2 }
        let (alice, bob, carol) = (people[0], people[1], people[2])
        let mirrors = try await Mirrors(of: people, on: cluster)
        let id = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await alice.client.send("hello", to: id)
        let other = try await carol.client.startDirect(with: bob.user).conversation.id
        _ = try await carol.client.send("hello, too", to: other)
        try await waitForRequest(bob, id)
        try await waitForRequest(bob, other)
        try await mirrors.check("both requests are shown")
        _ = try await bob.client.call(
            ConversationsMethods.markRequestsRead, key: bob.user, .with { $0.conversations = [id] })
        try await mirrors.check("one is read")
        _ = try await bob.client.call(ConversationsMethods.acceptRequest, key: id, .with { $0.conversation = id })
        _ = try await bob.client.send("hello yourself", to: id)
        try await mirrors.check("one is accepted")
        // Starting it from the other side accepts it.
        _ = try await bob.client.startDirect(with: carol.user)
        _ = try await alice.client.startDirect(with: alice.user)
        try await mirrors.check("both are accepted")
    }

    @Test("R2 a request without a message changes nothing for its recipient")
    func hidden() async throws {
        let cluster = try await TestCluster.asking
        let people = try await cluster.people(2) { $0 % 2 }
        try await withMirrors(of: people, on: cluster) {
            let id = try await people[0].client.startDirect(with: people[1].user).conversation.id
            _ = try await people[0].client.call(
                ConversationsMethods.withdrawRequest, key: id, .with { $0.conversation = id })
            _ = try await people[0].client.startDirect(with: people[1].user)
        }
        #expect(try await people[1].client.syncConversations().position == 0, "not even a position")
    }

    @Test("R5 clients agree after a request is declined, or withdrawn and sent again")
    func declined() async throws {
        let cluster = try await TestCluster.asking
        let people = try await cluster.people(4) { $0 % 2 }
        let bob = people[0]
        try await withMirrors(of: people, on: cluster) {
            for (index, person) in people.dropFirst().enumerated() {
                let id = try await person.client.startDirect(with: bob.user).conversation.id
                _ = try await person.client.send("hello", to: id)
                try await waitForRequest(bob, id)
                if index == 0 {
                    _ = try await person.client.call(
                        ConversationsMethods.withdrawRequest, key: id, .with { $0.conversation = id })
                    _ = try await person.client.startDirect(with: bob.user)
                    _ = try await person.client.send("hello again", to: id)
                    try await waitForRequest(bob, id)
                } else {
                    _ = try await bob.client.call(
                        ConversationsMethods.declineRequest, key: id, .with { $0.conversation = id })
                    _ = try await person.client.send("anybody there?", to: id)
                }
                // The recipient may still start the declined conversation.
                if index == 2 { _ = try await bob.client.startDirect(with: person.user) }
            }
        }
    }

    @Test("R2 R5 a request that is withdrawn at once leaves nothing with its recipient")
    func withdrawnAtOnce() async throws {
        let cluster = try await TestCluster.asking
        let people = try await cluster.people(2) { $0 % 2 }
        let mirrors = try await Mirrors(of: people, on: cluster)
        let id = try await people[0].client.startDirect(with: people[1].user).conversation.id
        _ = try await people[0].client.send("never mind", to: id)
        try await people[0].client.withdrawRequest(id)
        // If the request was shown in between, it is gone again.
        try await mirrors.check("it is withdrawn")
    }

    @Test("C6 C12 R7 clients agree after people block and unblock others in conversations, in requests and in neither")
    func blocks() async throws {
        let cluster = try await TestCluster.asking
        let people = try await cluster.people(4) { $0 % 2 }
        let bob = people[0]
        try await withMirrors(of: people, on: cluster) {
            let incoming = try await people[1].client.startDirect(with: bob.user).conversation.id
            _ = try await people[1].client.send("hello", to: incoming)
            try await waitForRequest(bob, incoming)
            let talk = try await people[2].client.startDirect(with: bob.user).conversation.id
            _ = try await bob.client.startDirect(with: people[2].user)
            _ = try await people[2].client.send("hello", to: talk)
            for person in people.dropFirst() {
                _ = try await bob.client.call(
                    ConversationsMethods.blockUser, key: person.user, .with { $0.user = person.user })
            }
            for person in [people[1], people[2]] {
                _ = try await bob.client.call(
                    ConversationsMethods.unblockUser, key: person.user, .with { $0.user = person.user })
            }
            _ = try await people[2].client.call(
                ConversationsMethods.blockUser, key: bob.user, .with { $0.user = bob.user })
        }
    }

    @Test("C9 clients agree after groups are made, renamed, joined, handed over, left and joined again")
    func groups() async throws {
        let cluster = try await TestCluster.asking
        let people = try await cluster.people(4) { $0 % 2 }
        let (owner, bob, carol, dana) = (people[0], people[1], people[2], people[3])
        try await withMirrors(of: people, on: cluster) {
            let id = try await owner.client.createGroup(name: "trip", users: [bob.user, carol.user]).conversation.id
            for person in [bob, carol] { try await person.client.acceptRequest(id) }
            _ = try await bob.client.send("who comes?", to: id)
            _ = try await owner.client.call(
                ConversationsMethods.updateGroup, key: id,
                .with { ($0.conversation, $0.name, $0.photoURL) = (id, "journey", "https://example.org/a.png") })
            _ = try await owner.client.call(
                ConversationsMethods.setMemberRole, key: id,
                .with { ($0.conversation, $0.user, $0.role) = (id, bob.user, .admin) })
            _ = try await bob.client.addMembers([dana.user], to: id)
            try await dana.client.acceptRequest(id)
            _ = try await dana.client.send("me", to: id)
            try await owner.client.removeMember(carol.user, from: id)
            _ = try await owner.client.send("who is left?", to: id)
            _ = try await owner.client.call(
                ConversationsMethods.transferOwnership, key: id, .with { ($0.conversation, $0.user) = (id, dana.user) })
            _ = try await bob.client.addMembers([carol.user], to: id)
            try await carol.client.acceptRequest(id)
            _ = try await carol.client.send("back", to: id)
            try await dana.client.leaveGroup(id)
            _ = try await bob.client.send("bye", to: id)
            try await carol.client.leaveGroup(id)
        }
    }

    @Test("A3 C10 a changed profile reaches everyone who sees it")
    func profiles() async throws {
        let cluster = try await TestCluster.asking
        let people = try await cluster.people(4) { $0 % 2 }
        let me = people[0]
        try await withMirrors(of: people, on: cluster) {
            let group = try await me.client.createGroup(name: "all", users: people.map(\.user)).conversation.id
            for person in people.dropFirst() { try await person.client.acceptRequest(group) }
            _ = try await me.client.startDirect(with: people[1].user)
            _ = try await people[1].client.startDirect(with: me.user)
            _ = try await me.client.call(ConversationsMethods.blockUser, key: "", .with { $0.user = people[3].user })
            for number in 0..<3 {
                _ = try await me.client.call(
                    ConversationsMethods.updateProfile, key: me.user,
                    .with {
                        $0.displayName = "me \(number)"
                        $0.email = "me\(number)@example.org"
                        $0.photoURL = "https://example.org/\(number).png"
                        $0.findableByEmail = number % 2 == 0
                    })
                _ = try await people[3].client.call(
                    ConversationsMethods.updateProfile, key: people[3].user,
                    .with { $0.displayName = "other \(number)" })
            }
        }
    }

    @Test("A5 an erased person is a deleted user to all others")
    func erased() async throws {
        let cluster = try await TestCluster.asking
        let people = try await cluster.people(5) { $0 % 2 }
        let me = people[0]
        try await withMirrors(of: people, on: cluster) {
            let group = try await me.client.createGroup(name: "all", users: people.map(\.user)).conversation.id
            for person in people.dropFirst() { try await person.client.acceptRequest(group) }
            _ = try await me.client.send("hello all", to: group)
            let talk = try await me.client.startDirect(with: people[1].user).conversation.id
            _ = try await people[1].client.startDirect(with: me.user)
            _ = try await me.client.send("hello", to: talk)
            // I send a request to one person and get one from another. A third one blocks me.
            let outgoing = try await me.client.startDirect(with: people[2].user).conversation.id
            _ = try await me.client.send("hello", to: outgoing)
            let incoming = try await people[3].client.startDirect(with: me.user).conversation.id
            _ = try await people[3].client.send("hello", to: incoming)
            try await waitForRequest(me, incoming)
            try await waitForRequest(people[2], outgoing)
            _ = try await people[4].client.call(ConversationsMethods.blockUser, key: "", .with { $0.user = me.user })
            var crowd = RandomPeople([me], seed: 1)
            try await crowd.eraseOne()
            try await eventually("the erased person is out of the group") {
                try await people[1].client.getConversation(group).memberCount == 4
            }
        }
    }

    @Test("M1 M14 clients agree after messages and system messages")
    func messages() async throws {
        let cluster = try await TestCluster.asking
        let people = try await cluster.people(3) { $0 % 2 }
        try await withMirrors(of: people, on: cluster) {
            let id = try await people[0].client.createGroup(name: "all", users: people.map(\.user)).conversation.id
            for person in people.dropFirst() { try await person.client.acceptRequest(id) }
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for person in people {
                    tasks.addTask { for number in 0..<20 { _ = try await person.client.send("\(number)", to: id) } }
                }
                try await tasks.waitForAll()
            }
        }
    }

    @Test("E3 clients agree after reminders are created, completed and reopened")
    func reminders() async throws {
        let cluster = try await TestCluster.asking
        let me = try await cluster.person("me")
        try await withMirrors(of: [me], on: cluster) {
            for number in 0..<10 {
                let id = await me.client.newID()
                _ = try await me.client.createReminder(
                    .with { ($0.id, $0.title, $0.dueAtUs) = (Data(id.bytes), "\(number)", 4_102_444_800_000_000) })
                if number % 2 == 0 { _ = try await me.client.completeReminder(id) }
                if number % 4 == 0 { _ = try await me.client.completeReminder(id, completed: false) }
            }
        }
    }

    @Test("R1 C6 C9 C10 A5 clients agree after hundreds of seeded requests of eight people")
    func random() async throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["PARLEY_SNAPSHOT_SEED"].flatMap(UInt64.init) ?? 20_261_121
        let count = environment["PARLEY_SNAPSHOT_ACTIONS"].flatMap(Int.init) ?? 500
        print("snapshots: PARLEY_SNAPSHOT_SEED=\(seed) PARLEY_SNAPSHOT_ACTIONS=\(count)")
        let cluster = try await TestCluster.asking
        let people = try await cluster.people(8) { $0 % 2 }
        let mirrors = try await Mirrors(of: people, on: cluster)
        var crowd = RandomPeople(people, seed: seed)
        for part in 1...4 {
            try await crowd.act(count / 4)
            if part == 3 { try await crowd.eraseOne() }
            try await mirrors.check("seed \(seed), after \(part * count / 4) requests")
        }
        // A seed that brings only refusals would check nothing.
        #expect(crowd.done.count >= 20, "\(crowd.summary)")
    }

    @Test("R1 C6 M10 every count equals its list after each of many requests, on open, restarted and new devices")
    func eachRequest() async throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["PARLEY_SNAPSHOT_SEED"].flatMap(UInt64.init) ?? .random(in: 1...1_000_000)
        let count = environment["PARLEY_SNAPSHOT_STEPS"].flatMap(Int.init) ?? 30
        print("counts: PARLEY_SNAPSHOT_SEED=\(seed) PARLEY_SNAPSHOT_STEPS=\(count)")
        let cluster = try await TestCluster.asking
        let people = try await cluster.people(4) { $0 % 2 }
        var mirrors = try await Mirrors(of: people, on: cluster)
        var crowd = RandomPeople(people, seed: seed)
        var step = 0
        // Some seeds bring many refusals first.
        while step < count || (crowd.done.count < 5 && step < 10 * count) {
            step += 1
            try await mirrors.restart(step) { try await crowd.act(1) }
            try await mirrors.check("seed \(seed), after \(step) requests")
        }
        #expect(crowd.done.count >= 5, "\(crowd.summary)")
    }

    private func waitForRequest(_ person: Device, _ conversation: String) async throws {
        try await eventually("the request is shown") {
            (try? await person.client.getConversation(conversation))?.section == .requests
        }
    }
}
