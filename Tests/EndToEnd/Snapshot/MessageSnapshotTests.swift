import ParleyClient
import TestSupport
import Testing

/// Those of ``SnapshotTests`` that are about messages. Their people write to each other without requests.
@Suite("The state of clients: snapshot + Updates = fresh snapshot, of messages", .timeLimit(.minutes(30)))
struct MessageSnapshotTests {
    @Test("M7 M8 M9 M10 M11 M12 M13 M17 M18 C8 C11 clients agree after seeded actions on messages and own state")
    func messageActions() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(4) { $0 % 2 }
        let group = try await people[0].client.createGroup(name: "all", users: people.map(\.user)).conversation.id
        let direct = try await people[0].client.startDirect(with: people[1].user).conversation.id
        for number in 1...6 {
            for id in [group, direct] { _ = try await people[number % 2].client.send("\(number)", to: id) }
        }
        let mirrors = try await Mirrors(of: people, on: cluster)
        var crowd = RandomPeople(people, seed: 5)
        for part in 1...4 {
            try await crowd.act(100, in: [group, direct])
            try await mirrors.check("after \(part * 100) requests")
        }
        for request in SnapshotTests.changing where request.method.hasPrefix("messaging.") {
            let missing = Set(request.fields).subtracting(crowd.done[request.method] ?? [])
            #expect(missing.isEmpty, "\(request) was never done with \(missing.sorted()):\n\(crowd.summary)")
        }
    }

    @Test("M13 M17 M18 clients agree after files are sent and forwarded, and messages are set to disappear")
    func filesAndRetention() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(3) { $0 % 2 }
        let (owner, bob) = (people[0].client, people[1].client)
        let mirrors = try await Mirrors(of: people, on: cluster)
        let group = try await owner.createGroup(name: "all", users: people.map(\.user)).conversation.id
        let direct = try await bob.startDirect(with: people[2].user).conversation.id
        let picture = Pictures.png(width: 6, height: 4, padding: 100)
        let media = try await owner.upload(picture, to: group, name: "a.png")
        let seq = try await owner.send(media, as: .image, text: "look", to: group).seq
        let copy = try await bob.forward(seq, of: group, to: direct).seq
        _ = try await bob.forward(copy, of: direct, to: group)
        try await owner.delete(seq, of: group)
        try await mirrors.check("a file is forwarded, and its original is deleted")
        for (seconds, alsoOld) in [(3600, false), (86_400, true), (0, true)] as [(Int64, Bool)] {
            try await owner.setRetention(of: group, seconds: seconds, alsoOld: alsoOld)
            try await bob.setRetention(of: direct, seconds: seconds, alsoOld: alsoOld)
            for id in [group, direct] { _ = try await bob.send("after \(seconds)", to: id) }
            _ = try await bob.forward(copy, of: direct, to: group)
            try await mirrors.check("retention is \(seconds), of old ones too: \(alsoOld)")
        }
    }

    /// A change to messages that a former member may read.
    enum Change: String, CaseIterable, Sendable {
        case answer, retention, edit, mention, reaction, deletion, retentionOfOldOnes
    }

    @Test(
        "M14 clients of former members agree after messages that they may read are changed", arguments: Change.allCases)
    func former(change: Change) async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2) { $0 % 2 }
        let owner = people[0].client
        let mirrors = try await Mirrors(of: people, on: cluster)
        let group = try await owner.createGroup(name: "all", users: people.map(\.user)).conversation.id
        let seq = try await owner.send("a text", to: group).seq
        let other = try await owner.send(
            .with { ($0.conversation, $0.text, $0.mentions) = (group, "another", [people[1].user]) }
        ).seq
        try await owner.removeMember(people[1].user, from: group)
        try await mirrors.check("someone has left")
        switch change {
        case .answer:
            _ = try await owner.send(
                .with { ($0.conversation, $0.text, $0.replyToSeq) = (group, "an answer", seq) })
        case .retention: try await owner.setRetention(of: group, seconds: 3600)
        case .edit: _ = try await owner.edit(seq, of: group, text: "other words")
        case .mention:
            _ = try await owner.edit(seq, of: group, text: "you", mentions: [people[1].user])
            _ = try await owner.edit(other, of: group, text: "nobody")
        case .reaction: _ = try await owner.react("👍", to: seq, of: group)
        case .deletion: _ = try await owner.delete(seq, of: group)
        case .retentionOfOldOnes: try await owner.setRetention(of: group, seconds: 3600, alsoOld: true)
        }
        try await mirrors.check("then: \(change)")
    }

    @Test("M10 M14 a former member's mentions are those of then, in the list and in the counts")
    func mentionsOfFormer() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2) { $0 % 2 }
        let (owner, left) = (people[0].client, people[1].client)
        let group = try await owner.createGroup(name: "all", users: [people[1].user]).conversation.id
        let plain = try await owner.send("a text", to: group).seq
        let mention = try await owner.send(
            .with { ($0.conversation, $0.text, $0.mentions) = (group, "you", [people[1].user]) }
        ).seq
        try await owner.removeMember(people[1].user, from: group)
        _ = try? await owner.edit(plain, of: group, text: "you, too", mentions: [people[1].user])
        _ = try await owner.edit(mention, of: group, text: "nobody")
        let listed = try await left.call(
            MessagingMethods.listMentionsAndStars, key: left.user, .with { $0.kind = .mentions })
        #expect(listed.messages.map(\.seq) == [mention])
        #expect(listed.messages.map(\.text) == ["you"])
        let entry = try #require(
            try await left.call(MessagingMethods.sync, key: left.user, .init()).entries.first {
                $0.conversation == group
            })
        #expect(entry.state.unread == 2 && entry.state.mentions == 1)
    }

    @Test("M14 M18 a former member does not learn how retention changes after they left")
    func retentionOfFormer() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2) { $0 % 2 }
        let (owner, left) = (people[0].client, people[1].client)
        let group = try await owner.createGroup(name: "all", users: [people[1].user]).conversation.id
        try await owner.setRetention(of: group, seconds: 3600)
        try await owner.removeMember(people[1].user, from: group)
        try await owner.setRetention(of: group, seconds: 86_400)
        let entries =
            try await left.inbox(.left).entries + left.call(MessagingMethods.sync, key: left.user, .init()).entries
        #expect(entries.map(\.conversation) == [group, group])
        #expect(entries.map(\.retentionSeconds) == [3600, 3600])
    }
}
