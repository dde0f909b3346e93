import Foundation
import ParleyClient
import SwiftProtobuf
import TestSupport

/// One request of one person.
struct RandomRequest: Sendable {
    /// The index of the person.
    var actor: Int
    /// The name in frames, such as "messaging.SendMessage".
    var method: String
    /// The fields that it sets, by the names of the contract. Those of a message in a field have its name before
    /// theirs: "forward.seq".
    var fields: Set<String>
    var send: @Sendable (ParleyClient) async throws -> Void

    /// - Parameter send: how to make the request; nil: in one call.
    init<Request, Reply>(
        _ method: Method<Request, Reply>, by actor: Int, key: String,
        sending send: (@Sendable (ParleyClient) async throws -> Void)? = nil, _ fill: (inout Request) -> Void
    ) {
        var filled = Request()
        fill(&filled)
        let request = filled
        (self.actor, self.method) = (actor, method.name)
        fields = request.fieldsSet
        self.send = send ?? { client in _ = try await client.call(method, key: key, request) }
    }
}

/// Makes up requests of every family by a seed, without sending them. Some will be refused, and the others change what
/// people hold.
struct RandomRequests {
    /// The user ids of the people.
    let users: [String]
    var random: SeededNumbers
    private var randomOfEvents: SeededNumbers
    private var randomOfSuggestions: SeededNumbers
    private(set) var erased: Set<Int> = []
    /// The ids of the created groups, each with the indexes of its first members, its creator first.
    private var groups: [(id: String, people: [Int])] = []
    /// The people who started conversations, with those whom they wrote to.
    private var pairs: [Pair] = []
    private typealias Pair = (from: Int, to: Int)
    private var reminders: [(id: UUIDv7, owner: Int)] = []
    /// Each with the conversation that it was shared with; empty: private.
    private var decisions: [(id: UUIDv7, owner: Int, conversation: String)] = []
    /// Each with its changes by hosts so far, if all were accepted.
    var events: [(id: UUIDv7, owner: Int, version: Int64)] = []
    /// The uploaded files that were not sent yet, in order.
    var files: [(id: UUIDv7, owner: Int, conversation: String)] = []

    init(of users: [String], seed: UInt64) {
        (self.users, random) = (users, SeededNumbers(seed: seed))
        randomOfEvents = SeededNumbers(seed: ~seed)
        randomOfSuggestions = SeededNumbers(seed: ~seed &+ 1)
    }

    /// The people, conversations and words that the next request may name.
    struct Draw {
        /// The index of the person who acts.
        var actor: Int
        var me: String
        var other: String
        /// The direct conversation of the two.
        var direct: String
        /// A group, once there is one.
        var group: String
        /// One of these two conversations.
        var anywhere: String
        /// The indexes of its first members, its creator first.
        var people: [Int]
        var word: String
    }

    /// Most of the time the person is one of the group's first members, and the other one in a conversation with them.
    private mutating func draw() -> Draw {
        let anybody = living()
        let group = groups.isEmpty ? nil : groups[random.below(groups.count)]
        let members = group?.people.filter { !erased.contains($0) } ?? []
        let actor = members.isEmpty || random.below(4) == 0 ? anybody : members[random.below(members.count)]
        let known = pairs.filter { $0.from == actor || $0.to == actor }.map { $0.from == actor ? $0.to : $0.from }
        let anyone = random.below(users.count)
        let other = known.isEmpty || random.below(4) == 0 ? anyone : known[random.below(known.count)]
        let direct = direct(actor, other)
        return Draw(
            actor: actor, me: users[actor], other: users[other], direct: direct, group: group?.id ?? direct,
            anywhere: random.below(2) == 0 ? direct : group?.id ?? direct, people: group?.people ?? [actor],
            word: "w\(random.below(1000))")
    }

    private mutating func living() -> Int {
        let living = users.indices.filter { !erased.contains($0) }
        return living[random.below(living.count)]
    }

    // MARK: Requests

    /// Returns the next request, of any family.
    mutating func next() -> RandomRequest {
        // Numbers of their own, so that the other requests of a seed stay the same.
        if randomOfEvents.below(9) == 0 {
            swap(&random, &randomOfEvents)
            defer { swap(&random, &randomOfEvents) }
            return ofEvent(draw())
        }
        if randomOfSuggestions.below(14) == 0 {
            swap(&random, &randomOfSuggestions)
            defer { swap(&random, &randomOfSuggestions) }
            return ofSuggestion(draw())
        }
        let draw = draw()
        switch random.below(120) {
        case ..<5: return text(draw.word, to: draw.anywhere, by: draw.actor)
        case ..<12:
            let (actor, direct) = pending(draw, by: \.from)
            return text(draw.word, to: direct, by: actor)
        case ..<42: return ofMessage(draw)
        case ..<80: return ofPerson(draw)
        default: return ofGroup(draw)
        }
    }

    /// Returns the next request about messages of some conversations.
    mutating func next(in conversations: [String]) -> RandomRequest {
        var draw = draw()
        draw.anywhere = conversations[random.below(conversations.count)]
        draw.group = draw.anywhere
        return ofMessage(draw)
    }

    /// Returns the request that erases one person, who makes no further requests.
    mutating func erasing(password: (Int) -> String) -> RandomRequest {
        let actor = living()
        erased.insert(actor)
        return RandomRequest(ConversationsMethods.eraseAccount, by: actor, key: users[actor]) {
            $0.password = password(actor)
        }
    }

    private mutating func ofPerson(_ draw: Draw) -> RandomRequest {
        let (actor, other) = (draw.actor, draw.other)
        switch random.below(34) {
        case ..<10:
            pairs.append((actor, users.firstIndex(of: other) ?? actor))
            return RandomRequest(ConversationsMethods.startDirect, by: actor, key: other) { $0.user = other }
        case ..<15:
            let (actor, direct) = pending(draw, by: \.to)
            return RandomRequest(ConversationsMethods.acceptRequest, by: actor, key: direct) {
                $0.conversation = direct
            }
        case ..<20:
            let (actor, direct) = pending(draw, by: \.to)
            return RandomRequest(ConversationsMethods.declineRequest, by: actor, key: direct) {
                $0.conversation = direct
            }
        case ..<24:
            let (actor, direct) = pending(draw, by: \.from)
            return RandomRequest(ConversationsMethods.withdrawRequest, by: actor, key: direct) {
                $0.conversation = direct
            }
        case ..<28: return markRequestsRead(draw)
        case ..<30: return RandomRequest(ConversationsMethods.blockUser, by: actor, key: other) { $0.user = other }
        default: return RandomRequest(ConversationsMethods.unblockUser, by: actor, key: other) { $0.user = other }
        }
    }

    /// Returns a conversation that may be a request still, and one of its people. Most of the time it is one of the
    /// last that were started.
    private mutating func pending(_ draw: Draw, by side: (Pair) -> Int) -> (actor: Int, direct: String) {
        let latest = pairs.suffix(8).filter { !erased.contains(side($0)) }
        guard !latest.isEmpty, random.below(4) > 0 else { return (draw.actor, draw.direct) }
        let pair = latest[random.below(latest.count)]
        return (side(pair), direct(pair.from, pair.to))
    }

    /// The id of the direct conversation of two people.
    private func direct(_ one: Int, _ other: Int) -> String {
        [users[one], users[other]].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "_")
    }

    /// Marks up to two requests to the person as read, and a conversation that may be no request.
    private func markRequestsRead(_ draw: Draw) -> RandomRequest {
        let (me, direct) = (draw.me, draw.direct)
        return RandomRequest(
            ConversationsMethods.markRequestsRead, by: draw.actor, key: me,
            sending: { client in
                let ids = try await client.readRequests().0.prefix(2).map(\.id) + [direct]
                _ = try await client.call(
                    ConversationsMethods.markRequestsRead, key: me, .with { $0.conversations = ids })
            }, { $0.conversations = [direct] })
    }

    private mutating func ofGroup(_ draw: Draw) -> RandomRequest {
        let (group, word, isAdmin) = (draw.group, draw.word, random.below(2) == 0)
        // Half of what only the owner may do is done by the first owner, and half of it to a first member.
        let (owner, member) = (draw.people[0], users[draw.people[random.below(draw.people.count)]])
        let boss = random.below(2) == 0 && !erased.contains(owner) ? owner : draw.actor
        let other = random.below(2) == 0 ? member : draw.other
        switch random.below(58) {
        case ..<6:
            let id = random.uuid()
            let others = (0..<3).map { _ in random.below(users.count) }
            groups.append((id.description, [draw.actor] + others))
            return RandomRequest(ConversationsMethods.createGroup, by: draw.actor, key: id.description) {
                ($0.id, $0.name, $0.users) = (Data(id.bytes), word, others.map { users[$0] })
                if isAdmin { $0.photoURL = "https://example.org/\(word).png" }
            }
        case ..<11:
            return RandomRequest(ConversationsMethods.addMembers, by: boss, key: group) {
                ($0.conversation, $0.users) = (group, [other])
            }
        case ..<15:
            return RandomRequest(ConversationsMethods.removeMember, by: boss, key: group) {
                ($0.conversation, $0.user) = (group, other)
            }
        case ..<18:
            return RandomRequest(ConversationsMethods.leaveGroup, by: draw.actor, key: group) {
                $0.conversation = group
            }
        case ..<22:
            return RandomRequest(ConversationsMethods.updateGroup, by: boss, key: group) {
                $0.conversation = group
                if isAdmin { $0.name = word } else { $0.photoURL = "https://example.org/\(word).png" }
            }
        case ..<26:
            return RandomRequest(ConversationsMethods.setMemberRole, by: boss, key: group) {
                ($0.conversation, $0.user, $0.role) = (group, other, isAdmin ? .admin : .member)
            }
        case ..<28:
            return RandomRequest(ConversationsMethods.transferOwnership, by: boss, key: group) {
                ($0.conversation, $0.user) = (group, other)
            }
        case ..<42: return ofInvitation(draw, to: group, by: boss, about: other)
        default: return ofOwn(draw)
        }
    }

    /// Returns a decision about an invitation: most often one of the group's first members accepts.
    private mutating func ofInvitation(
        _ draw: Draw, to group: String, by boss: Int, about other: String
    ) -> RandomRequest {
        let invited = draw.people.filter { !erased.contains($0) }
        let actor = invited.isEmpty ? draw.actor : invited[random.below(invited.count)]
        switch random.below(13) {
        case ..<9:
            return RandomRequest(ConversationsMethods.acceptRequest, by: actor, key: group) { $0.conversation = group }
        case ..<11:
            return RandomRequest(ConversationsMethods.declineRequest, by: actor, key: group) {
                $0.conversation = group
            }
        default:
            return RandomRequest(ConversationsMethods.withdrawInvitation, by: boss, key: group) {
                ($0.conversation, $0.user) = (group, other)
            }
        }
    }

    private mutating func ofOwn(_ draw: Draw) -> RandomRequest {
        let (actor, word, what) = (draw.actor, draw.word, random.below(24))
        switch what {
        case ..<6:
            let name = "u\(random.next())"
            return RandomRequest(ConversationsMethods.updateProfile, by: actor, key: draw.me) {
                switch what {
                case 0: $0.photoURL = "https://example.org/\(word).png"
                case 1: $0.email = "\(word)@example.org"
                case 2: $0.username = name
                case 3: $0.findableByEmail = name.hasSuffix("1")
                default: $0.displayName = word
                }
            }
        case ..<11:
            let (id, isOfMessage) = (random.uuid(), random.below(2) == 0)
            reminders.append((id, actor))
            return RandomRequest(EntitiesMethods.createReminder, by: actor, key: draw.me) {
                ($0.id, $0.title) = (Data(id.bytes), word)
                guard isOfMessage else {
                    $0.dueAtUs = 4_102_444_800_000_000
                    return
                }
                $0.dueLocal = "2090-03-26T02:30"
                ($0.timeZone, $0.notificationID) = ("Europe/Zurich", word)
                ($0.conversation, $0.sourceMessage) = (draw.anywhere, Data(id.bytes))
            }
        case ..<15:
            let open = (id: random.uuid(), owner: actor)
            let reminder = reminders.filter { !erased.contains($0.owner) }.last ?? open
            return of(reminder, word: word)
        case ..<23: return ofDecision(draw)
        default: return text(word, to: draw.group, by: actor)
        }
    }

    private mutating func ofDecision(_ draw: Draw) -> RandomRequest {
        let living = decisions.filter { !erased.contains($0.owner) }
        if random.below(4) == 0, let old = living.last {
            return RandomRequest(EntitiesMethods.deleteDecision, by: old.owner, key: users[old.owner]) {
                $0.id = Data(old.id.bytes)
            }
        }
        let (id, isShared) = (random.uuid(), random.below(3) > 0)
        let earlier = decisions.last { $0.conversation == draw.anywhere }
        decisions.append((id, draw.actor, isShared ? draw.anywhere : ""))
        return RandomRequest(EntitiesMethods.createDecision, by: draw.actor, key: draw.me) {
            ($0.id, $0.text, $0.conversation) = (Data(id.bytes), draw.word, draw.anywhere)
            guard isShared else {
                $0.sourceMessage = Data(id.bytes)
                return
            }
            $0.shared = true
            if let earlier { $0.supersedes = Data(earlier.id.bytes) }
        }
    }

    private mutating func of(_ reminder: (id: UUIDv7, owner: Int), word: String) -> RandomRequest {
        let (id, owner, key, what) = (Data(reminder.id.bytes), reminder.owner, users[reminder.owner], random.below(16))
        // Some have fired since.
        let due = Int64(Date().timeIntervalSince1970 * 1_000_000) + Int64(random.below(3)) * 1_000_000
        switch what {
        case ..<3:
            return RandomRequest(EntitiesMethods.snoozeReminder, by: owner, key: key) {
                ($0.id, $0.untilUs) = (id, due + 1_000_000)
            }
        case ..<9:
            return RandomRequest(EntitiesMethods.updateReminder, by: owner, key: key) {
                $0.id = id
                switch what {
                case 4: $0.title = word
                case 5: $0.dueLocal = "2090-10-29T02:30:00"
                case 6: $0.timeZone = "America/New_York"
                case 7: $0.notificationID = word
                default: $0.dueAtUs = due
                }
            }
        case 9: return RandomRequest(EntitiesMethods.deleteReminder, by: owner, key: key) { $0.id = id }
        default:
            return RandomRequest(EntitiesMethods.completeReminder, by: owner, key: key) {
                ($0.id, $0.completed) = (id, what < 14)
            }
        }
    }
}

/// Numbers that follow from a seed alone (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64
    private var ids = UUIDv7.Generator()

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }

    /// Returns an id of the current time, since ids contain the time of their creation.
    mutating func uuid() -> UUIDv7 { ids.next(at: Int64(Date().timeIntervalSince1970 * 1_000_000)) }
}

extension SwiftProtobuf.Message {
    /// The names of the fields that are set, as in `RandomRequest.fields`.
    fileprivate var fieldsSet: Set<String> {
        var options = JSONEncodingOptions()
        options.preserveProtoFieldNames = true
        let json: Data? = try? jsonUTF8Data(options: options)
        return Self.names(in: json.flatMap { try? JSONSerialization.jsonObject(with: $0) } ?? [:])
    }

    private static func names(in json: Any) -> Set<String> {
        guard let fields = json as? [String: Any] else { return [] }
        return fields.reduce(into: []) { names, field in
            let inner = ((field.value as? [Any]) ?? [field.value]).reduce(into: Set()) {
                $0.formUnion(Self.names(in: $1))
            }
            names.formUnion(inner.isEmpty ? [field.key] : inner.map { "\(field.key).\($0)" })
        }
    }
}
