import Command
import Foundation
import NIOCore
import ParleyClient

/// The friend who blocks the attacker, with whom they share a group, a conversation and an event. It notes what of the
/// attacker reaches the friend's device meanwhile.
actor BlockingFriend {
    /// What the attacker knows of the friend.
    struct Common: Sendable {
        var friend = ""
        var direct = ""
        var group = ""
        /// The seq of the friend's message in ``direct``.
        var seq: Int64 = 0
        /// The attacker's event, which the friend accepted before the block.
        var event = Data()
        /// Somebody else, whom the attacker blocks.
        var other = ""
    }

    private static let day = "2090-12-01"

    private let client: ParleyClient
    private let attacker: String
    let common: Common
    private var listening: Task<Void, Never>?
    private var messages = 0
    private var reached: Set<String> = []

    /// Makes what the two share, then blocks.
    init(
        _ friend: BenchPerson, blocking attacker: ParleyClient, _ other: BenchPerson, at url: String,
        on group: any EventLoopGroup
    ) async throws {
        client = ParleyClient(
            url: url, options: .init(timeZone: "Europe/Zurich", retriesFor: .seconds(60)), group: group)
        _ = try await client.connect(token: friend.token)
        self.attacker = await attacker.user
        var common = Common(friend: friend.user, other: other.user)
        _ = try await client.startDirect(with: self.attacker)
        common.direct = try await attacker.startDirect(with: friend.user).conversation.id
        common.seq = try await client.send("Hello!", to: common.direct).seq
        common.group = try await attacker.createGroup(name: "shared", users: [friend.user]).conversation.id
        let id = await attacker.newID()
        _ = try await attacker.createEvent(
            .with {
                ($0.id, $0.title, $0.conversations) = (Data(id.bytes), "event", [common.group])
                $0.when.date = Self.day
            })
        while (try? await client.event(id)) == nil { try await Task.sleep(for: .milliseconds(20)) }
        _ = try await client.answerEvent(id, .accepted)
        _ = try await client.watchPresence([self.attacker])
        common.event = Data(id.bytes)
        self.common = common
        try await client.block(self.attacker)
    }

    /// Notes from now on.
    func listen() async {
        let updates = await client.updates
        listening = Task { [weak self] in
            for await update in updates { await self?.note(update) }
        }
    }

    private func note(_ update: Update) {
        switch try? update.content() {
        case .message(let message) where message.sender == attacker && message.conversation == common.group:
            messages += 1
        case .message(let message) where message.sender == attacker: reached.insert("a message")
        case .reactions(let reactions) where reactions.changes.contains { $0.user == attacker }:
            reached.insert("a reaction")
        case .receipt(let receipt) where receipt.user == attacker: reached.insert("a receipt")
        case .typing(let typing) where typing.user == attacker: reached.insert("typing")
        case .presenceState(let state) where state.user == attacker && state.status != .offline:
            reached.insert("presence")
        case .conversation(let conversation) where ![common.direct, common.group].contains(conversation.id):
            reached.insert("an invitation")
        case .event(let event) where event.deletedAtUs == 0: reached.insert("an event")
        case .eventCounts: reached.insert("an answer to an event")
        case .suggestion(let suggestion) where suggestion.state == .open: reached.insert("a suggestion")
        default: break
        }
    }

    /// Returns what should not have reached the friend, in words.
    func findings() async throws -> [String] {
        listening?.cancel()
        if try await client.badge().mentions > 0 { reached.insert("a mention in the badge") }
        if try await !client.mentionsAndStars(.mentions).messages.isEmpty { reached.insert("a mention in the list") }
        if try await !client.listSuggestions().suggestions.isEmpty { reached.insert("a suggestion in the list") }
        if try await !client.listEvents(from: Self.day, to: Self.day).dates.isEmpty {
            reached.insert("an event in the agenda")
        }
        await client.close()
        // What is written in the group does reach the friend: otherwise nothing was tried.
        guard messages > 0 else { return ["nothing of the attacker was sent at all"] }
        return reached.sorted().map { "\($0) of the blocked attacker reached the friend" }
    }
}

extension RequestsAttack {
    /// All by which somebody reaches another's device, between blocks of somebody else that begin and end.
    static func blocks(_ target: AttackTarget) throws -> RequestsAttack {
        let other = target.common.other
        return try RequestsAttack(
            target, sessions: 12, perSecond: 150,
            (1...3000).map { id in
                switch id % 3 {
                case 0: try reaching(target.common, id: id, turn: id / 3, target)
                case 1: try AttackBytes.request(id, ConversationsMethods.blockUser, .with { $0.user = other })
                default: try AttackBytes.request(id, ConversationsMethods.unblockUser, .with { $0.user = other })
                }
            })
    }

    /// A request of the attacker, of a kind by turns, that tries to reach who blocks them.
    private static func reaching(
        _ common: BlockingFriend.Common, id: Int, turn: Int, _ target: AttackTarget
    ) throws -> [UInt8] {
        switch turn % 9 {
        case 0:
            let message = Parley_V1_SendMessageRequest.with {
                ($0.id, $0.conversation, $0.kind) = (Data(messageID(id)), common.group, .text)
                ($0.text, $0.mentions) = ("Dinner on Friday at 7pm", [common.friend])
            }
            return try AttackBytes.request(id, MessagingMethods.sendMessage, key: common.group, message)
        case 1: return try note("Hello?", id: id, in: common.direct)
        case 2:
            let reaction = Parley_V1_UpdateReactionRequest.with {
                ($0.conversation, $0.seq, $0.emoji, $0.remove) = (common.direct, common.seq, "👍", turn % 2 == 0)
            }
            return try AttackBytes.request(id, MessagingMethods.updateReaction, key: common.direct, reaction)
        case 3:
            let conversation = turn % 2 == 0 ? common.group : common.direct
            return try AttackBytes.request(
                id, PresenceMethods.setTyping, key: target.user,
                .with { ($0.conversation, $0.typing) = (conversation, true) })
        case 4:
            return try AttackBytes.request(
                id, PresenceMethods.setPresence, key: target.user, .with { $0.status.text = "number \(id)" })
        case 5:
            let made = Parley_V1_CreateGroupRequest.with {
                ($0.id, $0.name, $0.users) = (Data(messageID(id)), "join us", [common.friend])
            }
            return try AttackBytes.request(id, ConversationsMethods.createGroup, made)
        case 6:
            let made = Parley_V1_CreateEventRequest.with {
                ($0.id, $0.title, $0.conversations) = (Data(messageID(id)), "event \(id)", [common.group])
                $0.when.date = "2090-12-01"
            }
            return try AttackBytes.request(id, EntitiesMethods.createEvent, made)
        case 7:
            return try AttackBytes.request(
                id, EntitiesMethods.setEventHost,
                .with { ($0.id, $0.user, $0.host) = (common.event, common.friend, true) })
        default:
            let change = Parley_V1_UpdateEventRequest.with {
                ($0.id, $0.version, $0.title) = (common.event, Int64(1 + turn / 9), "event \(id)")
            }
            return try AttackBytes.request(id, EntitiesMethods.updateEvent, change)
        }
    }
}
