import Foundation
import ParleyClient
import TestSupport
import Testing

/// A small model of unread counts and inbox states, by the rules of M7 and C8.
private struct Model {
    struct Message {
        /// nil for a system message.
        var sender: Int?
        var mentions: Set<Int> = []
        var isDeleted = false
    }

    /// One person's state of a conversation.
    struct Standing {
        var from: Int64 = 1
        /// The last readable seq of someone who has left.
        var to: Int64?
        var read: Int64 = 0
        var cleared: Int64 = 0
        var hidden: Set<Int64> = []
        var isMarkedUnread = false
        var isMuted = false
        var archivedSeq: Int64?

        var lowest: Int64 { max(from, cleared + 1) }
    }

    struct Conversation {
        var id: String
        var messages: [Int64: Message] = [:]
        var last: Int64 = 0
        var standings: [Int: Standing]

        var members: Set<Int> { Set(standings.filter { $0.value.to == nil }.keys) }

        func end(_ person: Int) -> Int64 { standings[person].map { $0.to ?? last } ?? 0 }

        /// Returns the messages that are unread for a person.
        func unread(_ person: Int) -> [Message] {
            guard let own = standings[person] else { return [] }
            let first = max(own.read + 1, own.lowest)
            return messages.filter { seq, message in
                first <= seq && seq <= end(person) && message.sender != nil && message.sender != person
                    && !message.isDeleted && !own.hidden.contains(seq)
            }.map(\.value)
        }

        func mentions(_ person: Int) -> Int { unread(person).filter { $0.mentions.contains(person) }.count }

        func isArchived(_ person: Int) -> Bool {
            guard let own = standings[person], let seq = own.archivedSeq else { return false }
            return end(person) <= seq || own.isMuted
        }

        /// Returns what it adds to a person's badge; nil when it is left out.
        func badge(_ person: Int) -> Int? {
            guard let own = standings[person], own.to == nil, !own.isMuted, !isArchived(person) else { return nil }
            return max(unread(person).count, own.isMarkedUnread ? 1 : 0)
        }

        mutating func mark(_ person: Int, _ seq: Int64) {
            let moved = max(standings[person]!.read, min(seq, end(person)))
            if moved > standings[person]!.read { standings[person]!.isMarkedUnread = false }
            standings[person]!.read = moved
        }

        mutating func mute(_ person: Int, _ isMuted: Bool) {
            guard standings[person]!.isMuted != isMuted else { return }
            if standings[person]!.archivedSeq != nil {
                standings[person]!.archivedSeq = isArchived(person) ? end(person) : nil
            }
            standings[person]!.isMuted = isMuted
        }

        mutating func archive(_ person: Int, _ archives: Bool) {
            if archives, !isArchived(person) { standings[person]!.archivedSeq = end(person) }
            if !archives { standings[person]!.archivedSeq = nil }
        }

        mutating func clear(_ person: Int, _ seq: Int64) {
            let cleared = max(standings[person]!.cleared, seq == 0 ? end(person) : min(seq, end(person)))
            if cleared > standings[person]!.cleared, cleared == end(person) {
                standings[person]!.isMarkedUnread = false
            }
            standings[person]!.cleared = cleared
        }
    }

    var conversations: [Conversation]

    /// Returns the numbers of unread messages, of their conversations, and of mentions.
    func badge(_ person: Int) -> [Int] {
        let counted = conversations.filter { ($0.badge(person) ?? 0) > 0 }
        return [
            counted.reduce(0) { $0 + ($1.badge(person) ?? 0) }, counted.count,
            counted.reduce(0) { $0 + $1.mentions(person) },
        ]
    }
}

/// Counts as an app does: the items of a feed, and the states of conversations in doubt.
private actor Counter {
    private let device: Device
    private let feed: ConversationFeed
    private var unread: Unread
    private(set) var asked = 0

    init(_ device: Device, from beginning: ConversationFeed.Beginning) async {
        self.device = device
        feed = ConversationFeed(of: device.client, from: beginning)
        unread = Unread(me: device.user)
        let items = feed.items
        Task { [weak self] in for await item in items { await self?.note(item) } }
        await feed.start()
    }

    deinit {
        Task { [feed] in await feed.stop() }
    }

    private func note(_ item: ConversationFeed.Item) { unread.note(item) }

    /// Returns the counts of conversations as unread and mentions, then the badge, after requesting those in doubt.
    func counts(of conversations: [String]) async throws -> [[Int64]] {
        let client = device.client
        let doubts = await unread.doubts(at: client.serverTimeUs)
        if !doubts.isEmpty {
            asked += 1
            for state in try await client.inboxStates(of: doubts) { unread.note(state) }
        }
        let now = await client.serverTimeUs
        let badge = unread.badge(at: now)
        return conversations.map { conversation in
            let count = unread[conversation]?.count(at: now) ?? UnreadCount()
            return [count.unread, count.mentions]
        } + [[badge.badge, badge.conversations, badge.mentions]]
    }
}

/// Three people with two devices each, who act at random in a group and a direct conversation.
private struct Play {
    let devices: [[Device]]
    /// One for each person, who holds all messages, the newest few, or those since the beginning.
    let counters: [Counter]
    var model: Model
    var random: Seeded
    var steps = 0

    init(_ cluster: TestCluster, seed: UInt64) async throws {
        random = Seeded(state: seed)
        var devices: [[Device]] = []
        for (index, name) in ["alice", "bob", "carol"].enumerated() {
            let phone = try await cluster.person(name, gateway: index % 2)
            devices.append([phone, try await cluster.device(of: phone, gateway: 1 - index % 2)])
        }
        let users = devices.map { $0[0].user }
        let group = try await devices[0][0].client.createGroup(name: "all", users: Array(users.dropFirst()))
        let direct = try await devices[0][0].client.startDirect(with: users[1])
        self.devices = devices
        var counters: [Counter] = []
        for (device, beginning) in zip(devices, [.first, .newest(3), .now] as [ConversationFeed.Beginning]) {
            counters.append(await Counter(try await cluster.session(of: device[0]), from: beginning))
        }
        self.counters = counters
        model = Model(conversations: [
            .init(id: group.conversation.id, standings: [0: .init(), 1: .init(), 2: .init()]),
            .init(id: direct.conversation.id, standings: [0: .init(), 1: .init()]),
        ])
        // Before the first message, a person who has read nothing has no row to compare.
        for index in model.conversations.indices { try await send(index, by: 0) }
    }

    private func client(_ person: Int) -> ParleyClient { devices[person][steps % 2].client }

    private mutating func send(_ index: Int, by person: Int) async throws {
        steps += 1
        let mentioned = someOf(model.conversations[index].standings.keys.sorted())
        let reply = try await client(person).send(
            .with {
                ($0.conversation, $0.kind, $0.text) = (model.conversations[index].id, .text, "message \(steps)")
                $0.mentions = mentioned.map { devices[$0][0].user }
            })
        let members = model.conversations[index].members
        model.conversations[index].messages[reply.seq] = .init(
            sender: person, mentions: mentioned.intersection(members).subtracting([person]))
        model.conversations[index].last = reply.seq
    }

    private mutating func someOf(_ people: [Int]) -> Set<Int> {
        var some: Set<Int> = []
        for person in people where Int.random(in: 0..<3, using: &random) == 0 { some.insert(person) }
        return some
    }

    /// Performs a random action on the server and in the model.
    mutating func act() async throws {
        let index = Int.random(in: 0..<model.conversations.count, using: &random)
        let conversation = model.conversations[index]
        let person = conversation.standings.keys.sorted().randomElement(using: &random)!
        let isMember = conversation.members.contains(person)
        let seq = Int64.random(in: 0...(conversation.last + 3), using: &random)
        let id = conversation.id
        steps += 1
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6 where isMember: try await send(index, by: person)
        case 6: try await edit(index, by: person)
        case 7: try await delete(index, by: person)
        case 8, 9, 10:
            // Both devices together, one with an older mark.
            let other = Int64.random(in: 0...(conversation.last + 3), using: &random)
            let clients = devices[person].map(\.client)
            async let first = clients[0].markRead(id, upTo: seq)
            async let second = clients[1].markRead(id, upTo: other)
            _ = try await (first, second)
            model.conversations[index].mark(person, max(seq, other))
        case 11, 12:
            let isMuted = Bool.random(using: &random)
            _ = try await isMuted ? client(person).mute(id) : client(person).unmute(id)
            model.conversations[index].mute(person, isMuted)
        case 13:
            let isMarked = Bool.random(using: &random)
            try await client(person).updateInboxState(id, markedUnread: isMarked)
            model.conversations[index].standings[person]!.isMarkedUnread = isMarked
        case 14, 15:
            let archives = Bool.random(using: &random)
            try await client(person).updateInboxState(id, archived: archives)
            model.conversations[index].archive(person, archives)
        case 16:
            guard conversation.standings[person]!.lowest <= seq, seq <= conversation.end(person) else { return }
            try await client(person).hide([seq], of: id)
            model.conversations[index].standings[person]!.hidden.insert(seq)
        case 17:
            let upTo = Int.random(in: 0..<4, using: &random) == 0 ? 0 : min(seq, 5)
            try await client(person).clear(id, upTo: upTo == 0 ? nil : upTo)
            model.conversations[index].clear(person, upTo)
        case 18, 19: if index == 0, person != 0 { try await leaveOrJoin(person) }
        default: break
        }
    }

    private mutating func edit(_ index: Int, by person: Int) async throws {
        guard let (seq, _) = own(index, person) else { return }
        let conversation = model.conversations[index]
        let mentioned = someOf(conversation.standings.keys.sorted())
        _ = try await client(person).edit(
            seq, of: conversation.id, text: "edited \(steps)", mentions: mentioned.map { devices[$0][0].user })
        model.conversations[index].messages[seq]!.mentions =
            mentioned.intersection(conversation.members).subtracting([person])
    }

    private mutating func delete(_ index: Int, by person: Int) async throws {
        guard let (seq, _) = own(index, person) else { return }
        _ = try await client(person).delete(seq, of: model.conversations[index].id)
        model.conversations[index].messages[seq]!.isDeleted = true
        model.conversations[index].messages[seq]!.mentions = []
    }

    /// Returns a random message that a person sent and may still change.
    private mutating func own(_ index: Int, _ person: Int) -> (Int64, Model.Message)? {
        let conversation = model.conversations[index]
        guard let standing = conversation.standings[person], standing.to == nil else { return nil }
        let own = conversation.messages.filter { seq, message in
            message.sender == person && !message.isDeleted && seq >= standing.lowest && !standing.hidden.contains(seq)
        }
        return own.sorted { $0.key < $1.key }.randomElement(using: &random).map { ($0.key, $0.value) }
    }

    /// Lets a person leave the group or adds them again, and waits for the system message.
    private mutating func leaveOrJoin(_ person: Int) async throws {
        let group = model.conversations[0]
        let leaves = group.members.contains(person)
        if leaves {
            try await client(person).leaveGroup(group.id)
        } else {
            try await devices[0][0].client.addMembers([devices[person][0].user], to: group.id)
            try await client(person).acceptRequest(group.id)
        }
        let alice = devices[0][0].client
        try await eventually("the system message arrives") {
            try await alice.inboxStates(of: [group.id])[0].countedSeq == group.last + 1
        }
        model.conversations[0].last += 1
        model.conversations[0].messages[group.last + 1] = .init(sender: nil)
        if leaves {
            model.conversations[0].standings[person]!.to = group.last
        } else {
            model.conversations[0].standings[person]!.to = nil
            model.conversations[0].standings[person]!.from = group.last + 1
        }
    }

    /// Checks that the server agrees with the model for every person.
    func check(_ what: String) async throws {
        for person in devices.indices {
            let client = devices[person][steps % 2].client
            let mine = model.conversations.filter { $0.standings[person] != nil }
            let states = try await client.inboxStates(of: mine.map(\.id))
            #expect(states.count == mine.count, "\(what)")
            for (conversation, state) in zip(mine, states) {
                let own = conversation.standings[person]!
                let actual = [
                    Int(state.unread), Int(state.mentions), Int(state.readSeq), Int(state.clearedSeq),
                    Int(state.countedSeq), Int(state.firstSeq), state.markedUnread ? 1 : 0,
                    state.mutedUntilUs == 0 ? 0 : 1,
                ]
                let expected = [
                    conversation.unread(person).count, conversation.mentions(person), Int(own.read), Int(own.cleared),
                    Int(conversation.end(person)), Int(own.lowest), own.isMarkedUnread ? 1 : 0, own.isMuted ? 1 : 0,
                ]
                #expect(
                    actual == expected,
                    "\(what): person \(person): \(conversation)"
                )
            }
            let badge = try await client.badge()
            #expect(
                [badge.badge, badge.conversations, badge.mentions].map(Int.init) == model.badge(person),
                "\(what): person \(person)")
            try await checkPages(of: person, states, what)
            try await checkCounter(of: person, what)
        }
    }

    /// Checks that what a client counts itself becomes what the model says.
    private func checkCounter(of person: Int, _ what: String) async throws {
        // No Update reports deletions in a conversation that the person left.
        let mine = model.conversations.filter { $0.members.contains(person) }
        let expected =
            mine.map { [Int64($0.unread(person).count), Int64($0.mentions(person))] }
            + [model.badge(person).map(Int64.init)]
        var counted: [[Int64]] = []
        do {
            try await eventually("it counts as the model") {
                counted = try await counters[person].counts(of: mine.map(\.id))
                return counted == expected
            }
        } catch {
            Issue.record("\(what): person \(person) counts \(counted), not \(expected)")
            throw error
        }
    }

    private func checkPages(of person: Int, _ states: [Parley_V1_InboxState], _ what: String) async throws {
        let client = devices[person][0].client
        for isArchived in [false, true] {
            let entries = try await client.inbox(archived: isArchived).entries
            let expected = model.conversations.filter { conversation in
                guard let own = conversation.standings[person], own.to == nil else { return false }
                return conversation.last > own.cleared && conversation.isArchived(person) == isArchived
            }
            #expect(Set(entries.map(\.conversation)) == Set(expected.map(\.id)), "\(what): archived: \(isArchived)")
            #expect(entries.allSatisfy { states.map(\.untimed).contains($0.state.untimed) }, "\(what)")
        }
    }
}

@Suite("M7: unread counts", .timeLimit(.minutes(15 * patience)))
struct UnreadModelTests {
    /// `PARLEY_UNREAD_SEED` replaces them.
    private static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["PARLEY_UNREAD_SEED"].flatMap(UInt64.init).map { [$0] } ?? [1, 2, 3, 4]

    @Test(
        "M7 whatever people do on any device, counts, badge and pages agree with a model",
        arguments: seeds)
    func counts(seed: UInt64) async throws {
        var play = try await Play(try await TestCluster.shared, seed: seed)
        try await play.check("seed \(seed), at first")
        for burst in 1...40 {
            for _ in 1...8 { try await play.act() }
            try await play.check("seed \(seed), burst \(burst)")
        }
    }
}
