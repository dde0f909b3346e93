import ParleyClient
import SwiftProtobuf

/// The services as one person's client sees them, as a value: two conversations, the person's own state, and the
/// Updates of each change.
public struct SyncServer: Sendable {
    public static let me = "me"
    public static let conversations = ["a", "b"]

    public struct Talk: Sendable {
        public var messages: [Int64: Parley_V1_Message] = [:]
        /// By seq, my own state and the position at which it changed.
        public var own: [Int64: Parley_V1_MessageState] = [:]
        public var reactions: [Int64: [String]] = [:]
        public var position: Int64 = 0
        public var state = Parley_V1_InboxState()
    }

    public var epoch = "e1"
    public var nowUs: Int64 = 1_000_000
    public var talks: [String: Talk] = [:]
    public var ownPosition: Int64 = 0
    public var conversationPosition: Int64 = 0
    /// Makes small pages of random sizes.
    public var pageMax = 3
    /// The most messages that an entry brings.
    public var missedMax = 4

    public init() {
        for id in Self.conversations {
            conversationPosition += 1
            talks[id] = Talk()
            talks[id]?.state.conversation = id
        }
    }

    // MARK: Changes

    /// Makes a random change.
    /// - Returns: its Updates.
    public mutating func act(_ random: inout some RandomNumberGenerator) -> [Update] {
        guard let id = Self.conversations.randomElement(using: &random), var talk = talks.removeValue(forKey: id) else {
            return []
        }
        defer { talks[id] = talk }
        nowUs += 1000
        let seq = Int64.random(in: 0...max(Int64(talk.messages.count), 1), using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<5: return [send(in: id, &talk, &random)]
        case 5:
            guard var message = talk.messages[seq], message.deletedAtUs == 0 else { return [] }
            (message.text, message.editedAtUs) = ("edited \(nowUs)", nowUs)
            message.mentions = Bool.random(using: &random) ? [Self.me] : []
            return [change(message, &talk)]
        case 6:
            guard var message = talk.messages[seq], message.deletedAtUs == 0 else { return [] }
            (message.text, message.mentions, message.reactions) = ("", [], [])
            (message.deletedAtUs, message.editedAtUs) = (nowUs, 0)
            talk.reactions[seq] = nil
            if talk.own[seq]?.starred ?? false { talk.own[seq]?.starred = false }
            return [change(message, &talk)]
        case 7, 8: return react(to: seq, id, &talk, byMe: Bool.random(using: &random))
        case 9:
            guard let message = talk.messages[seq] else { return [] }
            var state = talk.own[seq] ?? .with { ($0.conversation, $0.seq) = (id, seq) }
            if message.deletedAtUs == 0, !state.hidden { state.starred.toggle() }
            if Int.random(in: 0..<3, using: &random) == 0 { (state.hidden, state.starred) = (true, false) }
            ownPosition += 1
            state.ownPosition = ownPosition
            talk.own[seq] = state
            let first = update(state, "MessageState", "messaging/u/me/0", ownPosition)
            return state.hidden ? [first, publish(&talk)] : [first]
        default:
            guard seq > talk.state.readSeq else { return [] }
            talk.state.readSeq = seq
            return [publish(&talk)]
        }
    }

    private mutating func send(
        in id: String, _ talk: inout Talk, _ random: inout some RandomNumberGenerator
    ) -> Update {
        let message = Parley_V1_Message.with {
            ($0.conversation, $0.seq, $0.kind) = (id, Int64(talk.messages.count) + 1, .text)
            ($0.sender, $0.text, $0.sentAtUs) = (
                ["me", "b", "c"].randomElement(using: &random) ?? "", "\(nowUs)", nowUs
            )
            if Bool.random(using: &random) { $0.mentions = [Self.me] }
        }
        return change(message, &talk)
    }

    private func change(_ changed: Parley_V1_Message, _ talk: inout Talk) -> Update {
        var message = changed
        talk.position += 1
        message.position = talk.position
        talk.messages[message.seq] = message
        return update(message, "Message", "messaging/c/\(message.conversation)", message.position)
    }

    private func react(to seq: Int64, _ id: String, _ talk: inout Talk, byMe: Bool) -> [Update] {
        guard talk.messages[seq]?.deletedAtUs == 0 else { return [] }
        let (user, had) = (byMe ? Self.me : "b", talk.reactions[seq] ?? [])
        let users = had.contains(user) ? had.filter { $0 != user } : had + [user]
        talk.reactions[seq] = users
        talk.position += 1
        let counts =
            users.isEmpty ? [] : [Parley_V1_ReactionCount.with { ($0.emoji, $0.count) = ("👍", Int64(users.count)) }]
        talk.messages[seq]?.reactions = counts
        talk.messages[seq]?.position = talk.position
        let reactions = Parley_V1_Reactions.with {
            ($0.conversation, $0.seq, $0.position, $0.counts) = (id, seq, talk.position, counts)
            $0.changes = [.with { ($0.user, $0.emoji, $0.removed) = (user, "👍", had.contains(user)) }]
        }
        return [update(reactions, "Reactions", "messaging/c/\(id)", talk.position)]
    }

    private mutating func publish(_ talk: inout Talk) -> Update {
        ownPosition += 1
        talk.state.ownPosition = ownPosition
        let state = counted(talk)
        return update(state, "InboxState", "messaging/u/me/0", ownPosition)
    }

    private func update(_ body: some SwiftProtobuf.Message, _ kind: String, _ stream: String, _ position: Int64)
        -> Update
    {
        Update(
            stream: stream, position: position, kind: kind,
            body: .init(bytes: (try? body.serializedBytes()) ?? [UInt8]()))
    }

    // MARK: States

    /// My state of a conversation, counted now.
    public func counted(_ talk: Talk) -> Parley_V1_InboxState {
        var state = talk.state
        let unread = talk.messages.values.filter { message in
            message.seq > state.readSeq && message.sender != Self.me && message.deletedAtUs == 0
                && !(talk.own[message.seq]?.hidden ?? false)
        }
        (state.unread, state.mentions) = (Int64(unread.count), Int64(unread.count { $0.mentions.contains(Self.me) }))
        (state.countedPosition, state.countedSeq, state.firstSeq) = (talk.position, Int64(talk.messages.count), 1)
        state.countedAtUs = nowUs
        return state
    }

    /// A message as replies have it.
    public func message(_ seq: Int64, of talk: Talk) -> Parley_V1_Message? {
        guard var message = talk.messages[seq] else { return nil }
        let own = talk.own[seq]
        if own?.hidden ?? false {
            (message.text, message.mentions, message.reactions, message.editedAtUs) = ("", [], [], 0)
            message.own.hidden = true
        } else if message.deletedAtUs == 0 {
            if own?.starred ?? false { message.own.starred = true }
            if talk.reactions[seq]?.contains(Self.me) ?? false { message.own.reactions = ["👍"] }
        }
        return message
    }

    // MARK: Requests

    /// Answers a request as of now.
    public func answer(_ request: SyncRequest, _ random: inout some RandomNumberGenerator) -> SyncReply {
        let limit = Int.random(in: 1...pageMax, using: &random)
        switch request {
        case .conversations(let epoch, let since):
            let isOver = !epoch.isEmpty && epoch != self.epoch
            var reply = Parley_V1_ConversationsSyncReply()
            (reply.epoch, reply.startOver, reply.position) = (self.epoch, isOver, conversationPosition)
            for (index, id) in Self.conversations.enumerated() where isOver || Int64(index) >= since {
                reply.conversations.append(
                    .with { ($0.id, $0.position, $0.section) = (id, Int64(index) + 1, .inbox) })
            }
            return .conversations(reply)
        case .entities: return .entities(.with { $0.epoch = epoch })
        case .inbox(_, let epoch, let cursor, let since, let held):
            return .inbox(inbox(epoch, cursor, since, held))
        case .changes(let id, let epoch, let since): return .changes(changes(of: id, epoch, since, limit))
        case .history(let id, let after):
            return .history(page(id, isAfter: true) { $0.filter { $0 > after }.prefix(limit).map(\.self) })
        case .earlier(let id, let before, let count):
            return .history(
                page(id, isAfter: false) { $0.filter { before == 0 || $0 < before }.suffix(Int(count)).map(\.self) })
        case .inboxStates(let ids): return .inboxStates(.with { $0.states = ids.compactMap { talks[$0] }.map(counted) })
        case .blocks: return .blocks(.init())
        case .receipts: return .receipts(.init())
        }
    }

    /// Sometimes in pages with a conversation each. As what is in one of them may change before the last, a second pass
    /// returns both again.
    private func inbox(
        _ epoch: String, _ cursor: String, _ since: Int64, _ held: [HeldPosition]
    ) -> Parley_V1_MessagingSyncReply {
        let isOver = !epoch.isEmpty && epoch != self.epoch
        var reply = Parley_V1_MessagingSyncReply()
        (reply.epoch, reply.startOver, reply.ownPosition) = (self.epoch, isOver, ownPosition)
        var listed = Self.conversations
        switch isOver ? "" : cursor {
        case "second": (listed, reply.cursor, reply.more) = ([Self.conversations[1]], "again", true)
        case "" where nowUs / 1000 % 3 == 0, "c" where nowUs / 1000 % 3 == 0:
            (listed, reply.cursor, reply.more) = ([Self.conversations[0]], "second", true)
        default: reply.cursor = "c"
        }
        for (id, talk) in talks.sorted(by: { $0.key < $1.key }) where !talk.messages.isEmpty {
            let states = talk.own.values.filter { isOver || $0.ownPosition > since }
            reply.messageStates += states.sorted { $0.seq < $1.seq }
            guard listed.contains(id) else { continue }
            reply.entries.append(
                .with {
                    ($0.conversation, $0.section, $0.state) = (id, .inbox, counted(talk))
                    ($0.lastSeq, $0.position) = (Int64(talk.messages.count), talk.position)
                    guard !isOver, let since = held.first(where: { $0.conversation == id })?.position else { return }
                    let changed = talk.messages.values.filter { $0.position > since }
                        .sorted { $0.position < $1.position }
                    guard since <= talk.position, changed.count <= missedMax else { return }
                    $0.caughtUp = true
                    $0.missed = changed.compactMap { message($0.seq, of: talk) }
                })
        }
        return reply
    }

    private func changes(
        of id: String, _ epoch: String, _ since: Int64, _ limit: Int
    ) -> Parley_V1_GetChangesReply {
        let talk = talks[id] ?? Talk()
        guard (epoch == self.epoch && since <= talk.position) || since == 0 else {
            return .with {
                ($0.epoch, $0.startOver, $0.position) = (self.epoch, true, talk.position)
                $0.lastSeq = talk.messages.keys.max() ?? 0
            }
        }
        let changed = talk.messages.values.filter { $0.position > since }.sorted { $0.position < $1.position }
        let page = changed.prefix(limit)
        return .with {
            $0.epoch = self.epoch
            $0.messages = page.compactMap { message($0.seq, of: talk) }
            $0.more = changed.count > page.count
            $0.position = $0.more ? page.last?.position ?? since : talk.position
        }
    }

    private func page(
        _ id: String, isAfter: Bool, _ pick: ([Int64]) -> [Int64]
    ) -> Parley_V1_GetHistoryReply {
        let talk = talks[id] ?? Talk()
        let seqs = talk.messages.keys.sorted()
        let picked = pick(seqs)
        return .with {
            $0.messages = picked.compactMap { message($0, of: talk) }
            $0.lastSeq = seqs.last ?? 0
            $0.moreBefore = picked.isEmpty ? isAfter && !seqs.isEmpty : picked.first != seqs.first
            $0.moreAfter = picked.isEmpty ? !isAfter && !seqs.isEmpty : picked.last != seqs.last
        }
    }
}
