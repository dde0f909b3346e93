import Foundation
import ParleyClient
import TestSupport

/// People who make random requests of every family, chosen by a seed. Some requests are refused, and the others change
/// what people hold.
struct RandomRequests {
    let people: [Device]
    var random: SeededNumbers
    /// The ids of the created groups.
    private var groups: [String] = []
    private(set) var erased: Set<Int> = []
    /// The numbers of replies, by request and outcome.
    private(set) var outcomes: [String: Int] = [:]

    init(_ people: [Device], seed: UInt64) {
        (self.people, random) = (people, SeededNumbers(seed: seed))
    }

    /// One request of one person. The seed decides which one, and its parameters.
    typealias Step = @Sendable () async throws -> Void

    /// Makes `count` requests, a few at a time.
    mutating func act(_ count: Int) async throws { try await act(count) { $0.step() } }

    /// Makes `count` of the requests that `step` returns.
    mutating func act(_ count: Int, _ step: (inout RandomRequests) -> (String, Step)) async throws {
        var left = count
        while left > 0 {
            let burst = (0..<min(left, random.below(4) + 1)).map { _ in step(&self) }
            left -= burst.count
            let answers = try await withThrowingTaskGroup(of: String.self) { tasks in
                for (name, step) in burst { tasks.addTask { try await Self.run(name, step) } }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            for answer in answers { outcomes[answer, default: 0] += 1 }
        }
    }

    private static func run(_ name: String, _ step: Step) async throws -> String {
        do {
            try await step()
            return "\(name): done"
        } catch let refused as ParleyError {
            // A refusal is fine. An unknown request or a failure is not.
            guard !["internal", "unknown_method", "deadline"].contains(refused.code) else { throw refused }
            return "\(name): \(refused.code)"
        }
    }

    // MARK: Requests

    private mutating func step() -> (String, Step) {
        let actor = living()
        let me = people[actor]
        let other = people[random.below(people.count)]
        let (client, user) = (me.client, other.user)
        let direct = [me.user, user].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "_")
        let group = groups.isEmpty ? direct : groups[random.below(groups.count)]
        let anywhere = random.below(2) == 0 ? direct : group
        let word = "w\(random.below(1000))"
        switch random.below(100) {
        case ..<10: return ("SendMessage", { _ = try await client.send(word, to: anywhere) })
        case ..<16: return messageStep(me, other, anywhere, word)
        case ..<28: return ("StartDirect", { _ = try await client.startDirect(with: user) })
        case ..<33:
            return (
                "AcceptRequest",
                {
                    _ = try await client.call(
                        ConversationsMethods.acceptRequest, key: direct, .with { $0.conversation = direct })
                }
            )
        case ..<38:
            return (
                "DeclineRequest",
                {
                    _ = try await client.call(
                        ConversationsMethods.declineRequest, key: direct, .with { $0.conversation = direct })
                }
            )
        case ..<42:
            return (
                "WithdrawRequest",
                {
                    _ = try await client.call(
                        ConversationsMethods.withdrawRequest, key: direct, .with { $0.conversation = direct })
                }
            )
        case ..<46:
            return (
                "MarkRequestsRead",
                {
                    let (requests, _) = try await client.readRequests()
                    let ids = requests.prefix(2).map(\.id) + [direct]
                    _ = try await client.call(
                        ConversationsMethods.markRequestsRead, key: me.user, .with { $0.conversations = ids })
                }
            )
        case ..<50:
            return (
                "BlockUser",
                { _ = try await client.call(ConversationsMethods.blockUser, key: user, .with { $0.user = user }) }
            )
        case ..<56:
            return (
                "UnblockUser",
                { _ = try await client.call(ConversationsMethods.unblockUser, key: user, .with { $0.user = user }) }
            )
        default: return groupStep(me, other, group, word)
        }
    }

    private mutating func groupStep(_ me: Device, _ other: Device, _ group: String, _ word: String) -> (String, Step) {
        let (client, user) = (me.client, other.user)
        let isAdmin = random.below(2) == 0
        switch random.below(44) {
        case ..<6:
            let id = random.uuid()
            let users = (0..<3).map { _ in people[random.below(people.count)].user }
            groups.append(id.description)
            return ("CreateGroup", { _ = try await client.createGroup(name: word, users: users, id: id) })
        case ..<11: return ("AddMembers", { _ = try await client.addMembers([user], to: group) })
        case ..<15: return ("RemoveMember", { try await client.removeMember(user, from: group) })
        case ..<18: return ("LeaveGroup", { try await client.leaveGroup(group) })
        case ..<22:
            return (
                "UpdateGroup",
                {
                    _ = try await client.call(
                        ConversationsMethods.updateGroup, key: group,
                        .with {
                            $0.conversation = group
                            if isAdmin { $0.name = word } else { $0.photoURL = "https://example.org/\(word).png" }
                        })
                }
            )
        case ..<26:
            return (
                "SetMemberRole",
                {
                    _ = try await client.call(
                        ConversationsMethods.setMemberRole, key: group,
                        .with { ($0.conversation, $0.user, $0.role) = (group, user, isAdmin ? .admin : .member) })
                }
            )
        case ..<28:
            return (
                "TransferOwnership",
                {
                    _ = try await client.call(
                        ConversationsMethods.transferOwnership, key: group,
                        .with { ($0.conversation, $0.user) = (group, user) })
                }
            )
        default: return ownStep(me, group, word)
        }
    }

    private mutating func ownStep(_ me: Device, _ group: String, _ word: String) -> (String, Step) {
        let (client, user) = (me.client, me.user)
        let what = random.below(16)
        switch what {
        case ..<6:
            return (
                "UpdateProfile",
                {
                    _ = try await client.call(
                        ConversationsMethods.updateProfile, key: user,
                        .with {
                            switch what {
                            case 0: $0.photoURL = "https://example.org/\(word).png"
                            case 1: $0.email = "\(word)@example.org"
                            default: $0.displayName = word
                            }
                        })
                }
            )
        case ..<11:
            return (
                "CreateReminder",
                {
                    _ = try await client.createReminder(
                        .with { ($0.title, $0.dueAtUs) = (word, 4_102_444_800_000_000) })
                }
            )
        case ..<15:
            return (
                "CompleteReminder",
                {
                    guard let first = try await client.listReminders(limit: 1).reminders.first,
                        let id = UUIDv7(bytes: Array(first.id))
                    else { return }
                    _ = try await client.completeReminder(id, completed: !first.completed)
                }
            )
        default: return ("SendMessage", { _ = try await client.send(word, to: group) })
        }
    }

    /// Erases one person, who makes no further requests.
    mutating func eraseOne() async throws {
        let person = living()
        erased.insert(person)
        let me = people[person]
        do throws(ParleyError) {
            _ = try await me.client.call(
                ConversationsMethods.eraseAccount, key: me.user, .with { $0.password = me.password })
        } catch {
            // The session may end before the reply is sent.
            guard ["revoked", "connection_lost"].contains(error.code) else { throw error }
        }
    }

    private mutating func living() -> Int {
        let living = people.indices.filter { !erased.contains($0) }
        return living[random.below(living.count)]
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
