import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("E5: decisions")
struct DecisionTests {
    @Test("E5 E6 a private decision is its author's alone, on all devices, and appears in no conversation")
    func privateOnes() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let tablet = try await cluster.device(of: alice, gateway: 1)
        let bob = try await cluster.person("bob")
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await alice.client.send("where to?", to: talk)
        let made = try await alice.client.createDecision(
            .with { ($0.text, $0.conversation) = ("Going to the Italian restaurant", talk) })
        let (decision, id) = (made.decision, try #require(UUIDv7(bytes: made.decision.id)))
        #expect(!made.duplicate && decision.user == alice.user && decision.position == 1 && !decision.shared)
        let again = try await tablet.client.createDecision(.with { ($0.id, $0.text) = (decision.id, "something else") })
        #expect(again.duplicate && again.decision == decision)
        try await eventually("the tablet gets it") { await tablet.updates.decisions == [decision] }
        #expect(try await tablet.client.syncEntities().decisions == [decision])
        #expect(try await tablet.client.decision(id) == decision)
        #expect(try await alice.client.listDecisions(text: "ITALIÁN").decisions == [decision])
        #expect(try await alice.client.listDecisions(text: "pizza").decisions.isEmpty)
        #expect(try await alice.client.listDecisions(conversation: talk).decisions == [decision])
        #expect(try await bob.client.listDecisions(conversation: talk, shared: true).decisions.isEmpty)
        #expect(try await code { () async throws(ParleyError) in _ = try await bob.client.decision(id) } == "not_found")
        #expect(
            try await code { () async throws(ParleyError) in try await bob.client.deleteDecision(id) } == "not_found")
        let taken = try await code { () async throws(ParleyError) in
            _ = try await bob.client.createDecision(.with { ($0.id, $0.text) = (decision.id, "mine") })
        }
        #expect(taken == "id_in_use")

        let deleted = try await tablet.client.deleteDecision(id).decision
        #expect(
            deleted.deletedAtUs > 0 && deleted.text.isEmpty && deleted.conversation.isEmpty && deleted.position == 2)
        #expect(try await alice.client.deleteDecision(id).duplicate)
        #expect(try await alice.client.syncEntities().decisions.isEmpty)
        #expect(try await alice.client.listDecisions().decisions.isEmpty)
        try await Task.sleep(for: .seconds(1))
        #expect(try await bob.client.history(of: talk).messages.count == 1)
    }

    @Test(
        "E5 E6 a shared decision appears once in its conversation, and members who read the message read the decision")
    func sharedOnes() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(4) { $0 % 2 }
        let (alice, bob, carol, late) = (people[0], people[1], people[2], people[3])
        let group = try await alice.client.createGroup(name: "us", users: [bob.user, carol.user]).conversation.id
        let (id, card) = try await share("We meet at seven", in: group, by: bob)
        try await eventually("carol gets the message") {
            await carol.updates.messages.contains { $0.system.entity == Data(id.bytes) }
        }
        #expect(card.kind == .system && card.system.kind == .decisionShared && card.system.actor == bob.user)
        let mine = try await bob.client.decision(id)
        let theirs = try await carol.client.decision(id)
        #expect(mine.position == 1 && theirs.position == 0 && theirs.text == "We meet at seven" && theirs.shared)
        #expect(try await carol.client.listDecisions(conversation: group, shared: true).decisions == [theirs])
        #expect(
            try await carol.client.listDecisions(conversation: group, shared: true, text: "seven").decisions == [theirs]
        )
        #expect(try await carol.client.listDecisions().decisions.isEmpty, "her own")

        // Not for those who cannot read the message: a stranger, someone who joined later, someone who was removed.
        let stranger = try await cluster.person("stranger")
        try await alice.client.addMembers([late.user], to: group)
        try await alice.client.removeMember(carol.user, from: group)
        for person in [stranger, late, carol] {
            let refused = try await code { () async throws(ParleyError) in _ = try await person.client.decision(id) }
            #expect(refused == "not_found", "\(person.username)")
        }
        #expect(try await late.client.listDecisions(conversation: group, shared: true).decisions.isEmpty)
        for person in [stranger, carol] {
            let refused = try await code { () async throws(ParleyError) in
                _ = try await person.client.listDecisions(conversation: group, shared: true)
            }
            #expect(refused == "not_member")
        }
        // The author keeps it after leaving, and may still delete it.
        try await alice.client.removeMember(bob.user, from: group)
        #expect(try await bob.client.decision(id).text == "We meet at seven")
        #expect(try await alice.client.decision(id) == theirs)
        try await bob.client.deleteDecision(id)
        try await eventually("the message is deleted with it") {
            let message = try await alice.client.history(of: group, limit: 100).messages.first { $0.id == card.id }
            return message?.deletedAtUs ?? 0 > 0 && message?.hasSystem == false
        }
        #expect(
            try await code { () async throws(ParleyError) in _ = try await alice.client.decision(id) } == "not_found")
    }

    @Test("E5 a later decision supersedes an earlier one, and when it is deleted the earlier one holds again")
    func superseding() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(3)
        let (alice, bob) = (people[0], people[1])
        let group = try await alice.client.createGroup(name: "us", users: [bob.user]).conversation.id
        let (first, _) = try await share("at seven", in: group, by: alice)
        let old = Data(first.bytes)
        let plain = try await code { () async throws(ParleyError) in
            _ = try await bob.client.createDecision(
                .with { ($0.text, $0.conversation, $0.shared, $0.supersedes) = ("no", group, true, old) })
        }
        #expect(plain == "forbidden", "a plain member does not undo what the owner decided")
        try await alice.client.setMemberRole(.admin, of: bob.user, in: group)
        let (second, card) = try await share("at eight", in: group, by: bob, supersedes: old)
        #expect(card.system.supersedes == old)
        #expect(try await bob.client.decision(first).supersededBy == Data(second.bytes))
        #expect(try await alice.client.decision(second).supersedes == old)
        try await eventually("its author gets an Update") {
            await alice.updates.decisions.last?.supersededBy == Data(second.bytes)
        }
        func refused(_ person: Device, _ change: @Sendable (inout Parley_V1_CreateDecisionRequest) -> Void) async throws
            -> String
        {
            var request = Parley_V1_CreateDecisionRequest.with {
                ($0.text, $0.conversation, $0.shared, $0.supersedes) = ("at nine", group, true, old)
            }
            change(&request)
            let changed = request
            return try await code { () async throws(ParleyError) in _ = try await person.client.createDecision(changed)
            }
        }
        #expect(try await refused(bob) { _ in } == "already_superseded")
        #expect(try await refused(bob) { $0.shared = false } == "invalid")
        #expect(try await refused(alice) { $0.supersedes = Data(UUIDv7.Generator.one.bytes) } == "decision_not_found")
        #expect(try await refused(people[2]) { ($0.shared, $0.conversation) = (false, "") } == "decision_not_found")
        try await bob.client.deleteDecision(second)
        #expect(try await alice.client.decision(first).supersededBy.isEmpty)
        _ = try await share("at nine", in: group, by: alice, supersedes: old)
        #expect(
            try await alice.client.listDecisions(conversation: group, shared: true).decisions.map(\.text) == [
                "at nine", "at seven",
            ])
    }

    @Test("E5 when the last member leaves, each author still has their own decisions, and nobody has another's")
    func lastMember() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2) { $0 % 2 }
        let (alice, bob) = (people[0], people[1])
        let group = try await alice.client.createGroup(name: "us", users: [bob.user]).conversation.id
        let (hers, _) = try await share("at seven", in: group, by: alice)
        try await alice.client.setMemberRole(.admin, of: bob.user, in: group)
        let (his, _) = try await share("at eight", in: group, by: bob, supersedes: Data(hers.bytes))
        try await alice.client.leaveGroup(group)
        try await bob.client.leaveGroup(group)
        for (person, own, other, text) in [(alice, hers, his, "at seven"), (bob, his, hers, "at eight")] {
            #expect(try await person.client.decision(own).text == text)
            #expect(try await person.client.listDecisions().decisions.map(\.text) == [text])
            let synced = try await person.client.syncEntities().decisions
            #expect(synced.map(\.text) == [text] && synced.map(\.conversation) == [group])
            for refused in [
                try await code { () async throws(ParleyError) in _ = try await person.client.decision(other) },
                try await code { () async throws(ParleyError) in try await person.client.deleteDecision(other) },
            ] { #expect(refused == "not_found") }
            let listed = try await code { () async throws(ParleyError) in
                _ = try await person.client.listDecisions(conversation: group, shared: true)
            }
            #expect(listed == "not_member")
        }
        try await bob.client.deleteDecision(his)
        #expect(try await bob.client.listDecisions().decisions.isEmpty)
        #expect(try await alice.client.decision(hers).supersededBy.isEmpty, "the earlier one holds again")
        try await alice.client.deleteDecision(hers)
        #expect(try await alice.client.listDecisions().decisions.isEmpty)
    }

    @Test("E5 a text that is empty or too long is refused, and a shared decision without a conversation")
    func refuses() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        func refused(_ change: @Sendable (inout Parley_V1_CreateDecisionRequest) -> Void) async throws -> ParleyError {
            var request = Parley_V1_CreateDecisionRequest.with { $0.text = "x" }
            change(&request)
            let changed = request
            return try await refusal { () async throws(ParleyError) in try await alice.client.createDecision(changed) }
        }
        #expect(try await refused { $0.text = " \n" }.field == "text")
        #expect(try await refused { $0.text = String(repeating: "x", count: 16_385) }.code == "invalid")
        #expect(try await refused { $0.shared = true }.field == "shared")
        #expect(try await refused { $0.supersedes = Data(count: 16) }.field == "supersedes")
        _ = try await alice.client.createDecision(.with { $0.text = String(repeating: "x", count: 16_384) })
    }
}

@Suite("E5: decisions and message requests")
struct DecisionStandingTests {
    @Test("E5 who may not write may not share, and a block keeps what was shared before")
    func standing() async throws {
        let cluster = try await TestCluster.asking
        let people = try await cluster.people(2)
        let (alice, bob) = (people[0], people[1])
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await alice.client.send("hello", to: talk)
        func refused(_ person: Device) async throws -> String {
            try await code { () async throws(ParleyError) in
                _ = try await person.client.createDecision(
                    .with { ($0.text, $0.conversation, $0.shared) = ("x", talk, true) })
            }
        }
        try await eventually("bob sees the request") {
            (try? await bob.client.getConversation(talk))?.section == .requests
        }
        #expect(try await refused(alice) == "request_pending")
        #expect(try await refused(bob) == "accept_first")
        #expect(try await refused(try await cluster.person("stranger")) == "not_member")
        try await bob.client.acceptRequest(talk)
        let (id, _) = try await share("at seven", in: talk, by: alice)
        try await bob.client.block(alice.user)
        #expect(try await refused(alice) == "user_blocked")
        #expect(try await bob.client.decision(id).text == "at seven", "as the messages before it")
        let again = try await alice.client.createDecision(
            .with { ($0.id, $0.text, $0.conversation, $0.shared) = (Data(id.bytes), "at seven", talk, true) })
        #expect(again.duplicate && again.decision.text == "at seven", "a repeated request returns the first result")
        // Erased, the private ones go, and what was shared stays, as messages do.
        let secret = await alice.client.newID()
        _ = try await alice.client.createDecision(.with { ($0.id, $0.text) = (Data(secret.bytes), "secret") })
        try await alice.client.erase(password: alice.password)
        #expect(try await bob.client.decision(id).text == "at seven")
    }
}

/// Shares a decision, and waits for the message that shows it.
private func share(
    _ text: String, in conversation: String, by person: Device, supersedes: Data = Data()
) async throws -> (id: UUIDv7, card: Parley_V1_Message) {
    let id = await person.client.newID()
    _ = try await person.client.createDecision(
        .with {
            ($0.id, $0.text, $0.conversation, $0.shared) = (Data(id.bytes), text, conversation, true)
            $0.supersedes = supersedes
        })
    try await eventually("it appears in the conversation") {
        try await card(of: id, in: conversation, for: person) != nil
    }
    return (id, try #require(try await card(of: id, in: conversation, for: person)))
}

private func card(
    of id: UUIDv7, in conversation: String, for person: Device
) async throws -> Parley_V1_Message? {
    try await person.client.history(of: conversation, limit: 100).messages
        .first { $0.system.entity == Data(id.bytes) }
}

private func code(_ call: @Sendable () async throws(ParleyError) -> Void) async throws -> String {
    try await refusal { () async throws(ParleyError) in try await call() }.code
}

extension UUIDv7.Generator {
    /// An id of now.
    fileprivate static var one: UUIDv7 {
        var ids = UUIDv7.Generator()
        return ids.next(at: Int64(Date().timeIntervalSince1970 * 1_000_000))
    }
}

extension OwnClusters {
    @Test("E5 a person has at most so many decisions")
    func decisionsAreLimited() async throws {
        let cluster = try await TestCluster(.init(settings: ["entities": ["PARLEY_LIMITS_DECISIONS": "25"]]))
        let people = try await cluster.people(2) { $0 % 2 }
        let (alice, bob) = (people[0], people[1])
        var ids: [UUIDv7] = []
        for number in 0..<25 {
            ids.append(await alice.client.newID())
            _ = try await alice.client.createDecision(
                .with { [id = ids[number]] in ($0.id, $0.text) = (Data(id.bytes), "\(number)") })
        }
        let tooMany = try await code { () async throws(ParleyError) in
            _ = try await alice.client.createDecision(.with { $0.text = "one more" })
        }
        #expect(tooMany == "too_many_decisions")
        let again = try await alice.client.createDecision(.with { ($0.id, $0.text) = (Data(ids[0].bytes), "0") })
        #expect(again.duplicate, "a repeated request is none more")
        _ = try await bob.client.createDecision(.with { $0.text = "his own" })
        try await alice.client.deleteDecision(ids[0])
        _ = try await alice.client.createDecision(.with { $0.text = "one more" })
        await cluster.end()
    }
}

extension FaultClusters {
    @Test("E5 each shared decision appears once while messaging and entities are killed")
    func killedWhileSharing() async throws {
        let cluster = try await TestCluster(.init(replicas: ["messaging": 2, "entities": 2]))
        let people = try await cluster.people(2) { $0 % 2 }
        let group = try await people[0].client.createGroup(name: "us", users: [people[1].user]).conversation.id
        let count = 60
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                for number in 0..<count {
                    let id = await people[0].client.newID()
                    _ = try await people[0].client.createDecision(
                        .with {
                            ($0.id, $0.text, $0.conversation, $0.shared) = (Data(id.bytes), "\(number)", group, true)
                        })
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            tasks.addTask {
                for round in 0..<8 {
                    let replica = "\(round % 2 == 0 ? "messaging" : "entities")-\(round / 2 % 2 + 1)"
                    try await cluster.cluster.kill(replica)
                    try await Task.sleep(for: .milliseconds(Int64.random(in: 50...300)))
                    try await cluster.cluster.waitUntilReady(replica)
                }
            }
            try await tasks.waitForAll()
        }
        let shared = try await people[1].client.listDecisions(conversation: group, shared: true, limit: 100)
        try await eventually(within: .seconds(20), "all appear") {
            try await people[1].client.history(of: group, limit: 100).messages
                .count(where: { $0.system.kind == .decisionShared }) >= count
        }
        let messages = try await people[1].client.history(of: group, limit: 100).messages
        let cards = messages.filter { $0.system.kind == .decisionShared }.map(\.system.entity)
        #expect(cards.count == count && Set(cards).count == count)
        let all = try await people[0].client.listDecisions(limit: 100).decisions
        #expect(Set(all.map(\.id)) == Set(cards) && shared.decisions.count <= count)
        await cluster.end()
    }
}
