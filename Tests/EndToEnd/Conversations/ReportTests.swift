import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("C13: reports to the operator")
struct ReportTests {
    @Test("C13 a reported person or message is in the operator's queue once, until the operator closes it")
    func queue() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        let seq = try await bob.client.send("buy now", to: direct).seq
        let id = await alice.client.newID()
        for _ in 0..<3 {
            try await alice.client.report(bob.user, message: (direct, seq), reason: .spam, note: "again", id: id)
        }
        try await alice.client.report(bob.user, reason: .impersonation)
        let parley = try Program()
        defer { parley.remove() }
        let url = ["PARLEY_DATABASE_URL": cluster.endpoints.database]
        let listed = try await parley.run(["reports", "--json", "--limit", "100000"], environment: url)
        #expect(listed.status == 0, "\(listed.errors)")
        let mine = listed.objects.filter { $0["reporter"] == alice.username }
        #expect(mine.count == 2, "\(listed.output)")
        let message = try #require(mine.first { $0["reason"] == "spam" })
        #expect(message["about"] == bob.username && message["text"] == "buy now" && message["note"] == "again")
        #expect(message["conversation"] == direct && message["seq"] == "\(seq)")
        #expect(message["sender"] == bob.username && message["sender_is_reported"] == "1")
        #expect(mine.first { $0["reason"] == "impersonation" }?["sender"] == nil)
        let number = try #require(message["id"])
        #expect(try await parley.run(["reports", "--close", number], environment: url).status == 0)
        #expect(try await parley.run(["reports", "--close", number], environment: url).status == 1)
        let open = try await parley.run(["reports", "--json", "--limit", "100000"], environment: url)
        #expect(!open.output.contains(number))
        let all = try await parley.run(["reports", "--json", "--all", "--limit", "100000"], environment: url)
        #expect(all.output.contains(number))
        #expect(await bob.updates.unreadable == 0)
    }

    @Test("C13 a reported message is shown with its real sender, whoever is reported for it")
    func sender() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2)
        let (alice, bob) = (people[0], people[1])
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        let forged = "see you\nmessage 1 of \(direct), by \(bob.username): a threat"
        let mine = try await alice.client.send(forged, to: direct).seq
        let theirs = try await bob.client.send("a real one", to: direct).seq
        let note = "message 1 of \(direct), by \(bob.username): a threat"
        for seq in [mine, theirs] {
            try await alice.client.report(bob.user, message: (direct, seq), reason: .violence, note: note)
        }
        let parley = try Program()
        defer { parley.remove() }
        let url = ["PARLEY_DATABASE_URL": cluster.endpoints.database]
        let objects = try await parley.run(["reports", "--json", "--limit", "100000"], environment: url).objects
            .filter { $0["reporter"] == alice.username }
        #expect(objects.map { $0["sender"] } == [alice.username, bob.username])
        #expect(objects.map { $0["sender_is_reported"] } == ["0", "1"])
        #expect(objects.map { $0["text"] } == [forged, "a real one"])
        let lines = try await parley.run(["reports", "--limit", "100000"], environment: url).output
            .split(separator: "\n").map(String.init).filter { $0.contains(direct) || $0.contains("a threat") }
        #expect(
            lines.contains(
                "    message \(mine) of \(direct), by \(alice.username), who is not the reported person: see you"))
        #expect(lines.contains("    message \(theirs) of \(direct), by \(bob.username): a real one"))
        // No text of a user can imitate Parley's own lines.
        #expect(lines.filter { $0.hasPrefix("    message ") }.count == 2, "\(lines)")
        #expect(lines.filter { $0.hasPrefix("    \(alice.username) says: ") }.count == 2, "\(lines)")
    }

    @Test("C13 only existing people and visible messages can be reported; a refusal does not reveal what exists")
    func refused() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(3)
        let (alice, bob, carol) = (people[0], people[1], people[2])
        let theirs = try await bob.client.startDirect(with: carol.user).conversation.id
        let group = try await alice.client.createGroup(name: "g", users: [bob.user]).conversation.id
        func code(_ user: String, _ conversation: String?, _ seq: Int64 = 1) async throws -> String {
            try await refusal { () async throws(ParleyError) in
                try await alice.client.report(user, message: conversation.map { ($0, seq) }, reason: .other)
            }.code
        }
        #expect(try await code("nobody", nil) == "user_not_found")
        #expect(try await code(alice.user, nil) == "invalid")
        #expect(try await code(bob.user, group, 0) == "invalid")
        #expect(try await code(bob.user, theirs) == "not_found")
        #expect(try await code(bob.user, String(repeating: "0", count: 32)) == "not_found")
        #expect(try await code(carol.user, group) == "not_found")
        let unsaid = try await refusal { () async throws(ParleyError) in
            try await alice.client.report(bob.user, reason: .unspecified)
        }
        #expect(unsaid.code == "invalid")
        #expect(try await code(bob.user, group, 1_000_000) == "message_not_found")
        // A removed member may still report earlier messages, and those deleted since, but no later ones.
        let seq = try await alice.client.send("something", to: group).seq
        try await alice.client.removeMember(bob.user, from: group)
        _ = try await alice.client.delete(seq, of: group)
        let later = try await alice.client.send("something else", to: group).seq
        try await bob.client.report(alice.user, message: (group, seq), reason: .harassment)
        let unread = try await refusal { () async throws(ParleyError) in
            try await bob.client.report(alice.user, message: (group, later), reason: .harassment)
        }
        #expect(unread.code == "message_not_found")
    }

    @Test("C13 reports are rate limited; repeating the same report is not")
    func limited() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.session(of: try await cluster.person("alice"), once: true)
        let bob = try await cluster.person("bob")
        let first = await alice.client.newID()
        try await alice.client.report(bob.user, reason: .spam, id: first)
        var refused: ParleyError?
        for _ in 0..<12 where refused == nil {
            do { try await alice.client.report(bob.user, reason: .spam) } catch { refused = error }
        }
        #expect(refused?.code == "rate_limited" && refused?.retryAfterMs ?? 0 > 0)
        try await alice.client.report(bob.user, reason: .spam, id: first)
    }
}
