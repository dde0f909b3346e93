import Foundation
import ParleyClient
import TestSupport
import Testing

/// Everything by which one person reaches a device of another, without a block and with one, in both directions.
@Suite("X3: what a block keeps from a device", .timeLimit(.minutes(12)))
struct BlockMatrixTests {
    /// How whoever hears is related to whoever acts.
    enum Relation { case none, hearerBlocks, actorBlocks }

    /// One person acts, and another may hear of it.
    struct Pair: Sendable {
        let actor: Device
        let hearer: Device
        let relation: Relation
        let direct: String
        let group: String
        /// An event of the actor that the hearer accepted before the block, and the other way round.
        let actorsEvent: UUIDv7
        let hearersEvent: UUIDv7
        /// The hearer's calendar.
        let calendar: String
        let cluster: TestCluster
    }

    /// A way to reach a device. `act` returns whether the hearer has heard of it.
    struct Row: Sendable {
        var name: String
        var heardIfHearerBlocks = false
        var heardIfActorBlocks = false
        var act: @Sendable (Pair) async throws -> @Sendable () async throws -> Bool

        func isHeard(_ relation: Relation) -> Bool {
            switch relation {
            case .none: true
            case .hearerBlocks: heardIfHearerBlocks
            case .actorBlocks: heardIfActorBlocks
            }
        }
    }

    @Test("X3 C6 a block keeps messages, events, presence and all else of each person from the other's devices")
    func matrix() async throws {
        // Without a block all is heard: otherwise a row would prove nothing.
        for blocker in [nil, 0, 1] { try await Self.tryAll(blocker) }
    }

    /// Tries all rows between two people, in both directions.
    /// - Parameter blocker: the one of them who blocks the other; nil: nobody does.
    private static func tryAll(_ blocker: Int?) async throws {
        let scene = try await Scene(try await TestCluster.asking)
        if let blocker { try await scene.people[blocker].client.block(scene.people[1 - blocker].user) }
        for row in rows {
            for (actor, hearer) in [(1, 0), (0, 1)] {
                let relation: Relation =
                    blocker == nil ? .none : blocker == hearer ? .hearerBlocks : .actorBlocks
                let pair = scene.pair(actor, hearer, relation)
                let heard = try await Self.act(row, pair)
                if row.isHeard(pair.relation) {
                    try await eventually("\(row.name) is heard (\(pair.relation))") { try await heard() }
                    continue
                }
                // A third person does the same. What is heard of them would have been heard before.
                let witness = try await row.act(scene.pair(2, hearer, .none))
                try await eventually("\(row.name) of the witness is heard") { try await witness() }
                #expect(try await !heard(), "\(row.name) (\(pair.relation))")
            }
        }
    }

    /// Does it. Only what is not heard may be refused.
    private static func act(_ row: Row, _ pair: Pair) async throws -> @Sendable () async throws -> Bool {
        do {
            return try await row.act(pair)
        } catch let error as ParleyError where !row.isHeard(pair.relation) {
            #expect(["user_blocked", "not_found", "user_not_invited"].contains(error.code), "\(row.name): \(error)")
            return { false }
        }
    }

    @Test("X3 E2 a block takes each out of the other's events and suggestions at once; its end lets them answer again")
    func takenOut() async throws {
        let scene = try await Scene(try await TestCluster.asking)
        let (alice, bob, carol) = (scene.people[0], scene.people[1], scene.people[2])
        let id = scene.events[0]
        try await alice.client.setEventHost(bob.user, of: id)
        try await bob.client.answerEvent(id, .accepted, guests: 3, hosts: true)
        let message = Data(await alice.client.newID().bytes)
        _ = try await alice.client.send(
            .with { ($0.id, $0.conversation, $0.text) = (message, scene.group, "Dinner on Friday at 7pm") })
        try await eventually("he has a suggestion of hers") {
            await bob.updates.suggestions.contains { $0.sourceMessage == message }
        }
        try await bob.client.block(alice.user)
        // At once for every request, and by an Update a moment later.
        for code in [
            try await refusal { () async throws(ParleyError) in _ = try await bob.client.event(id) }.code,
            try await refusal { () async throws(ParleyError) in
                _ = try await bob.client.updateEvent(id, version: 1) { $0.title = "Bob's" }
            }.code,
            try await refusal { () async throws(ParleyError) in try await bob.client.answerEvent(id, .declined) }.code,
        ] { #expect(code == "not_found") }
        let fresh = try await scene.cluster.device(of: bob)
        #expect(try await !fresh.client.syncEntities(since: 0).events.contains { $0.id == Data(id.bytes) })
        try await eventually("it ends on his devices") {
            await bob.updates.events.last { $0.id == Data(id.bytes) }?.deletedAtUs ?? 0 > 0
        }
        try await eventually("his answer no longer counts, and he is no host") {
            let seen = try await carol.client.event(id)
            return seen.coming == 2 && seen.hosts.isEmpty
        }
        try await eventually("what her message suggested is withdrawn") {
            await bob.updates.suggestions.last?.state == .withdrawn
        }
        #expect(try await bob.client.listSuggestions().suggestions.isEmpty)
        try await bob.client.unblock(alice.user)
        #expect(try await bob.client.event(id).own.status == .pending, "he is invited by the conversation as before")
        #expect(try await bob.client.answerEvent(id, .accepted).event.coming == 3)
    }

    // MARK: Rows

    private static let rows: [Row] = ofConversations + ofGroups + ofPresence + ofEvents

    private static let ofConversations = [
        Row(name: "a message") { pair in
            let text = await unique(pair)
            _ = try await pair.actor.client.send(text, to: pair.direct)
            return { await pair.hearer.updates.messages.contains { $0.text == text } }
        },
        Row(name: "a reaction") { pair in
            let seq = try await firstSeq(by: pair.hearer, in: pair.direct)
            try await pair.actor.client.react("👍", to: seq, of: pair.direct)
            return {
                await pair.hearer.updates.reactions.contains {
                    $0.conversation == pair.direct && $0.changes.contains { $0.user == pair.actor.user }
                }
            }
        },
        Row(name: "a receipt") { pair in
            let seq = try await firstSeq(by: pair.hearer, in: pair.direct)
            _ = try await pair.actor.client.markRead(pair.direct, upTo: seq)
            return { await pair.hearer.updates.receipts.contains { $0.user == pair.actor.user && $0.readSeq >= seq } }
        },
        Row(name: "an invitation into a group") { pair in
            let made = try await pair.actor.client.createGroup(name: "new", users: [pair.hearer.user]).conversation.id
            return { await pair.hearer.updates.newest(of: made) != nil }
        },
        Row(name: "a message request") { pair in
            // Two who do not know each other.
            let (actor, hearer) = (try await pair.cluster.person("asks"), try await pair.cluster.person("asked"))
            switch pair.relation {
            case .none: break
            case .hearerBlocks: try await hearer.client.block(actor.user)
            case .actorBlocks: try await actor.client.block(hearer.user)
            }
            let id = try await actor.client.startDirect(with: hearer.user).conversation.id
            _ = try await actor.client.send("hello", to: id)
            return { await hearer.updates.newest(of: id) != nil }
        },
    ]

    /// Groups stay as they are. The blocked person must not be able to tell the block from silence, so that what the
    /// blocker does there still counts for them.
    private static let ofGroups = [
        Row(name: "a message in a group", heardIfHearerBlocks: true, heardIfActorBlocks: true) { pair in
            let text = await unique(pair)
            _ = try await pair.actor.client.send(text, to: pair.group)
            return { await pair.hearer.updates.messages.contains { $0.text == text } }
        },
        Row(name: "a mention in a group", heardIfActorBlocks: true) { pair in
            let text = await unique(pair)
            _ = try await pair.actor.client.send(
                .with { ($0.conversation, $0.text, $0.mentions) = (pair.group, text, [pair.hearer.user]) })
            return {
                // Nobody has read any, so that the list and both numbers have the same.
                let counted = try await mentions(of: pair.hearer, in: pair.group)
                let listed = try await pair.hearer.client.mentionsAndStars(.mentions).messages
                let isListed = listed.contains { $0.text == text }
                return pair.relation == .hearerBlocks
                    ? isListed || counted.contains { $0 > listed.count }
                    : isListed && counted.allSatisfy { $0 >= listed.count }
            }
        },
        Row(name: "a suggestion of what is said in a group", heardIfActorBlocks: true) { pair in
            let id = Data(await pair.actor.client.newID().bytes)
            _ = try await pair.actor.client.send(
                .with { ($0.id, $0.conversation, $0.text) = (id, pair.group, "Dinner on Friday at 7pm") })
            return { await pair.hearer.updates.suggestions.contains { $0.sourceMessage == id && $0.state == .open } }
        },
    ]

    private static let ofPresence = [
        Row(name: "presence") { pair in
            {
                let state = try await pair.hearer.client.getPresence([pair.actor.user]).first
                return state?.status != .offline && state != nil
            }
        },
        Row(name: "typing") { pair in try await typing(pair, in: pair.direct) },
        Row(name: "typing in a group") { pair in try await typing(pair, in: pair.group) },
    ]

    private static let ofEvents = [
        Row(name: "an invitation to an event") { pair in
            let id = try await Scene.makeEvent(by: pair.actor, in: pair.group)
            return { (try? await pair.hearer.client.event(id)) != nil }
        },
        Row(name: "a change of an event, with notes") { pair in
            let notes = await unique(pair)
            let version = try await pair.actor.client.event(pair.actorsEvent).version
            _ = try await pair.actor.client.updateEvent(pair.actorsEvent, version: version) { $0.notes = notes }
            return { await pair.hearer.updates.events.contains { $0.notes == notes } }
        },
        Row(name: "an answer to an event") { pair in
            try await pair.actor.client.answerEvent(pair.hearersEvent, .accepted, guests: 7)
            return {
                let attendees = try await pair.hearer.client.attendees(of: pair.hearersEvent).attendees
                return attendees.contains { $0.user == pair.actor.user && $0.guests == 7 }
            }
        },
        Row(name: "being asked to host an event") { pair in
            try await pair.actor.client.setEventHost(pair.hearer.user, of: pair.actorsEvent)
            return {
                await pair.hearer.updates.events.contains {
                    $0.id == Data(pair.actorsEvent.bytes) && $0.own.askedToHost
                }
            }
        },
        Row(name: "an event in the calendar") { pair in
            {
                let text = try await pair.hearer.client.calendar(at: pair.calendar)
                return String(decoding: text, as: UTF8.self).contains("of \(pair.actor.username)")
            }
        },
        Row(name: "an event in the agenda") { pair in
            {
                let dates = try await pair.hearer.client.listEvents(from: Scene.day, to: Scene.day).dates
                return dates.contains { $0.event == Data(pair.actorsEvent.bytes) }
            }
        },
    ]

    // MARK: Steps

    private static func unique(_ pair: Pair) async -> String { "text \(await pair.actor.client.newID())" }

    private static func firstSeq(by person: Device, in conversation: String) async throws -> Int64 {
        let messages = try await person.client.history(of: conversation, limit: 100).messages
        return try #require(messages.first { $0.sender == person.user }).seq
    }

    /// The mentions in a group and in the badge.
    private static func mentions(of person: Device, in group: String) async throws -> [Int64] {
        let state = try await person.client.inboxStates(of: [group]).first
        return [state?.mentions ?? 0, try await person.client.badge().mentions]
    }

    private static func typing(_ pair: Pair, in conversation: String) async throws -> @Sendable () async throws -> Bool
    {
        try await pair.actor.client.setTyping(true, in: conversation)
        return {
            await pair.hearer.updates.typing.contains {
                $0.user == pair.actor.user && $0.conversation == conversation && $0.typing
            }
        }
    }
}

extension BlockMatrixTests {
    /// Three people who know each other, with a group, and an event of each that the others accepted.
    struct Scene {
        /// 30 days from now.
        static let day = String(Date(timeIntervalSinceNow: 30 * 86_400).ISO8601Format().prefix(10))

        let cluster: TestCluster
        let people: [Device]
        private(set) var directs: [Set<Int>: String] = [:]
        private(set) var events: [UUIDv7] = []
        private(set) var calendars: [String] = []
        let group: String

        init(_ cluster: TestCluster) async throws {
            self.cluster = cluster
            people = try await cluster.people(3) { $0 % 2 }
            for (one, other) in [(0, 1), (0, 2), (1, 2)] {
                try await cluster.acquaint(people[one], [people[other]])
                let direct = try await people[one].client.startDirect(with: people[other].user).conversation.id
                directs[[one, other]] = direct
                for person in [one, other] { _ = try await people[person].client.send("first", to: direct) }
            }
            group = try await people[2].client.createGroup(
                name: "all", users: people[..<2].map(\.user)
            ).conversation.id
            for person in people {
                await person.client.setTimeZone("Europe/Zurich")
                events.append(try await Self.makeEvent(by: person, in: group))
                calendars.append(try await person.client.createCalendarLink())
            }
            for person in people {
                for event in events {
                    try await eventually("the event is seen") { (try? await person.client.event(event)) != nil }
                    try await person.client.answerEvent(event, .accepted)
                }
            }
        }

        static func makeEvent(by person: Device, in group: String) async throws -> UUIDv7 {
            let id = await person.client.newID()
            _ = try await person.client.createEvent(
                .with {
                    ($0.id, $0.title, $0.conversations) = (Data(id.bytes), "of \(person.username)", [group])
                    $0.when.date = day
                })
            return id
        }

        func pair(_ actor: Int, _ hearer: Int, _ relation: Relation) -> Pair {
            Pair(
                actor: people[actor], hearer: people[hearer], relation: relation,
                direct: directs[[actor, hearer]] ?? "",
                group: group, actorsEvent: events[actor], hearersEvent: events[hearer], calendar: calendars[hearer],
                cluster: cluster)
        }
    }
}
