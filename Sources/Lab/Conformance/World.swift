import Foundation
import ParleyClient
import SwiftProtobuf

/// Random numbers that a seed determines (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns true in so many of 100 cases.
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

/// What the services have, as one person's client sees it: a few conversations, the person's own state, and the Updates
/// of each change. A copy of it is a backup.
struct World {
    /// A conversation and its messages.
    struct Talk {
        var conversation: Parley_V1_Conversation
        var messages: [Int64: Parley_V1_Message] = [:]
        /// The position of the last Update of kind `Message`, by seq.
        var published: [Int64: Int64] = [:]
        /// Who reacted, by seq.
        var reactions: [Int64: [String]] = [:]
        /// My states of messages, by seq.
        var own: [Int64: Parley_V1_MessageState] = [:]
        var position: Int64 = 0
        /// Its position when I joined; who holds less starts over.
        var firstPosition: Int64 = 0
        var state = Parley_V1_InboxState()
        /// When something last happened that `Sync` tells, by `World.news`.
        var news = 0

        var lastSeq: Int64 { Int64(messages.count) }
        var firstReadable: Int64 { max(state.firstSeq, state.clearedSeq + 1) }

        /// The messages that I may read, as replies have them, in order of seq.
        var readable: [Parley_V1_Message] {
            messages.keys.sorted().filter { $0 >= firstReadable }.compactMap(message)
        }

        private func message(_ seq: Int64) -> Parley_V1_Message? {
            guard var message = messages[seq] else { return nil }
            let mine = own[seq] ?? Parley_V1_MessageState()
            if mine.hidden {
                (message.text, message.mentions, message.reactions, message.editedAtUs) = ("", [], [], 0)
                message.own.hidden = true
            } else if message.deletedAtUs == 0 {
                if mine.starred { message.own.starred = true }
                if reactions[seq]?.contains(StreamName.me) ?? false { message.own.reactions = [World.emoji] }
            }
            return message
        }

        /// My state of it, counted now.
        func counted(at nowUs: Int64) -> Parley_V1_InboxState {
            var state = state
            let unread = readable.filter {
                $0.seq > state.readSeq && $0.sender != StreamName.me && $0.kind != .system && $0.deletedAtUs == 0
                    && !$0.own.hidden
            }
            (state.unread, state.mentions) = (
                Int64(unread.count), Int64(unread.count { $0.mentions.contains(StreamName.me) })
            )
            (state.countedPosition, state.countedSeq, state.countedAtUs) = (position, lastSeq, nowUs)
            return state
        }
    }

    static let emoji = "👍"
    private static let others = ["b", "c"]

    var epoch = "e1"
    /// The number of what happened; a cursor of messaging's `Sync` is one.
    private(set) var news = 0
    var talks: [String: Talk] = [:]
    /// Of groups that I left, what I may still read.
    var left: [String: Talk] = [:]
    /// Whether a conversation may go. A client that syncs from zero is not told of one that went meanwhile.
    var mayGo = true
    /// Groups that I joined again.
    var rejoined: Set<String> = []
    var profile = Parley_V1_Profile()
    var requests = Parley_V1_RequestCount()
    var blocks: [String: Parley_V1_Block] = [:]
    var reminders: [Data: Parley_V1_Reminder] = [:]
    private(set) var conversationsPosition: Int64 = 0
    private(set) var entitiesPosition: Int64 = 0
    /// Of my own state, by cell.
    private(set) var ownPositions: [String: Int64] = [:]
    /// The cells of messaging: one, or two with groups in the second.
    let cells: [String]
    var nowUs: Int64 = 1_000_000
    /// How far the others have read, by conversation and person.
    var receipts: [String: [String: Parley_V1_Receipt]] = [:]
    /// The conversation that the client was last told to open: of no other it must hold the receipts.
    var opened: String?

    init(cells: Int = 1) {
        self.cells = (0..<cells).map { "\($0)" }
        for (id, kind) in [("a_b", Parley_V1_ConversationKind.direct), ("a_c", .direct), ("g", .group), ("h", .group)] {
            conversationsPosition += 1
            var talk = Talk(
                conversation: .with {
                    ($0.id, $0.kind, $0.section) = (id, kind, .inbox)
                    ($0.conversationStatus, $0.position) = (.accepted, conversationsPosition)
                })
            (talk.state.conversation, talk.state.firstSeq) = (id, 1)
            talks[id] = talk
        }
    }

    /// What I see of a conversation: nil if it is gone.
    func seen(_ id: String) -> Talk? {
        talks[id].flatMap { $0.conversation.section == .gone ? nil : left[id] ?? $0 }
    }

    /// Returns the cell of a conversation.
    func cell(of id: String) -> String { talks[id]?.conversation.kind == .group ? cells[cells.count - 1] : cells[0] }

    private mutating func nextOwnPosition(in cell: String) -> Int64 {
        ownPositions[cell, default: 0] += 1
        return ownPositions[cell, default: 0]
    }

    // MARK: Changes

    /// Makes a random change.
    /// - Returns: the Updates of it, as they are published.
    mutating func act(_ random: inout SeededNumbers) -> [Parley_V1_Update] {
        nowUs += 1000
        news += 1
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<70: return actInTalk(&random)
        case 70..<76: return remind(&random)
        case 76..<82: return changePeople(&random)
        case 82..<90: return changeConversation(&random)
        case 90..<94: return readOn(&random)
        default: return [future(&random)]
        }
    }

    private mutating func actInTalk(_ random: inout SeededNumbers) -> [Parley_V1_Update] {
        guard let id = talks.keys.sorted().randomElement(using: &random), var talk = talks[id],
            talk.conversation.section != .gone
        else { return [] }
        let isMine = left[id] == nil
        talk.news = news
        let seq = Int64.random(in: 1...max(talk.lastSeq, 1), using: &random)
        var updates: [Parley_V1_Update] = []
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: updates = [send(in: &talk, &random)]
        case 40..<60: updates = change(seq, of: &talk, &random)
        case 60..<75: updates = react(to: seq, of: &talk, by: isMine && random.chance(50) ? StreamName.me : "b")
        // Only members change their own state here.
        default: updates = isMine ? changeOwnState(seq, of: &talk, &random) : []
        }
        talks[id] = talk
        // Somebody who left gets none. A change of a message before my window has no content for me.
        guard isMine else { return [] }
        return updates.map { Self.isOf($0, atLeast: talk.state.firstSeq) ? $0 : Self.superseded($0) }
    }

    /// Whether an Update of a message's stream is about a message from a seq on.
    private static func isOf(_ update: Parley_V1_Update, atLeast seq: Int64) -> Bool {
        switch update.kind {
        case "Message": (try? Parley_V1_Message(serializedBytes: update.body))?.seq ?? 0 >= seq
        case "Reactions": (try? Parley_V1_Reactions(serializedBytes: update.body))?.seq ?? 0 >= seq
        default: true
        }
    }

    /// Returns the Update as it is published when a later one has its content.
    static func superseded(_ update: Parley_V1_Update) -> Parley_V1_Update {
        var update = update
        (update.kind, update.body) = ("Superseded", Data())
        return update
    }

    private mutating func send(in talk: inout Talk, _ random: inout SeededNumbers) -> Parley_V1_Update {
        let seq = talk.lastSeq + 1
        var message = Parley_V1_Message.with {
            ($0.conversation, $0.seq, $0.kind) = (talk.conversation.id, seq, .text)
            ($0.sender, $0.text, $0.sentAtUs) = (
                ([StreamName.me] + Self.others).randomElement(using: &random) ?? "", "text \(nowUs)", nowUs
            )
            if random.chance(30) { $0.mentions = [StreamName.me] }
            if random.chance(5) { $0.kind = .UNRECOGNIZED(77) }
        }
        if seq > talk.firstReadable, random.chance(25) {
            let answered = Int64.random(in: talk.firstReadable..<seq, using: &random)
            let first = talk.messages[answered].map { $0.threadSeq == 0 ? answered : $0.threadSeq } ?? answered
            (message.replyToSeq, message.threadSeq) = (answered, first)
        }
        return publish(message, in: &talk, repliesBy: 1)
    }

    /// Somebody else reads on.
    private mutating func readOn(_ random: inout SeededNumbers) -> [Parley_V1_Update] {
        guard let id = talks.keys.sorted().randomElement(using: &random), let talk = seen(id), left[id] == nil,
            let user = Self.others.randomElement(using: &random)
        else { return [] }
        var receipt = receipts[id]?[user] ?? .with { ($0.conversation, $0.user) = (id, user) }
        let read = Int64.random(in: receipt.readSeq...max(receipt.readSeq, talk.lastSeq), using: &random)
        if read > receipt.readSeq { (receipt.readSeq, receipt.readAtUs) = (read, nowUs) }
        let delivered = Int64.random(in: read...max(read, talk.lastSeq), using: &random)
        if delivered > receipt.deliveredSeq { (receipt.deliveredSeq, receipt.deliveredAtUs) = (delivered, nowUs) }
        receipts[id, default: [:]][user] = receipt
        return [update(receipt, "Receipt", StreamName.messages(of: id), 0)]
    }

    /// Tells the members of a group that I joined.
    private func sendJoined(in talk: inout Talk) -> Parley_V1_Update {
        let message = Parley_V1_Message.with {
            ($0.conversation, $0.seq, $0.kind) = (talk.conversation.id, talk.lastSeq + 1, .system)
            $0.sentAtUs = nowUs
        }
        return publish(message, in: &talk)
    }

    /// Publishes a message, and gives all messages of its thread the state of the thread.
    private func publish(
        _ changed: Parley_V1_Message, in talk: inout Talk, repliesBy difference: Int64 = 0
    ) -> Parley_V1_Update {
        var message = changed
        talk.position += 1
        message.position = talk.position
        (talk.messages[message.seq], talk.published[message.seq]) = (message, talk.position)
        if message.threadSeq != 0, difference != 0 {
            let first = message.threadSeq
            var thread = talk.messages[first]?.thread ?? Parley_V1_Thread()
            thread.replies += difference
            (thread.lastSeq, thread.position) = (max(thread.lastSeq, message.seq), talk.position)
            for (seq, other) in talk.messages where seq == first || other.threadSeq == first {
                talk.messages[seq]?.thread = thread
            }
            message.thread = thread
        }
        return update(message, "Message", StreamName.messages(of: message.conversation), talk.position)
    }

    /// Edits or deletes a message.
    private func change(_ seq: Int64, of talk: inout Talk, _ random: inout SeededNumbers) -> [Parley_V1_Update] {
        guard var message = talk.messages[seq], message.deletedAtUs == 0 else { return [] }
        // What I cannot read changes no thread that I see.
        if seq < talk.firstReadable || random.chance(60) {
            (message.text, message.editedAtUs) = ("edited \(nowUs)", nowUs)
            message.mentions = random.chance(50) ? [StreamName.me] : []
            return [publish(message, in: &talk)]
        }
        (message.text, message.mentions, message.reactions) = ("", [], [])
        (message.deletedAtUs, message.editedAtUs) = (nowUs, 0)
        talk.reactions[seq] = nil
        talk.own[seq]?.starred = false
        return [publish(message, in: &talk, repliesBy: message.threadSeq == 0 ? 0 : -1)]
    }

    private func react(to seq: Int64, of talk: inout Talk, by user: String) -> [Parley_V1_Update] {
        guard talk.messages[seq]?.deletedAtUs == 0, !(user == StreamName.me && talk.own[seq]?.hidden ?? false),
            user != StreamName.me || seq >= talk.firstReadable
        else { return [] }
        let had = talk.reactions[seq] ?? []
        let users = had.contains(user) ? had.filter { $0 != user } : had + [user]
        talk.reactions[seq] = users
        talk.position += 1
        let counts =
            users.isEmpty
            ? [] : [Parley_V1_ReactionCount.with { ($0.emoji, $0.count) = (Self.emoji, Int64(users.count)) }]
        talk.messages[seq]?.reactions = counts
        talk.messages[seq]?.position = talk.position
        let id = talk.conversation.id
        let reactions = Parley_V1_Reactions.with {
            ($0.conversation, $0.seq, $0.position, $0.counts) = (id, seq, talk.position, counts)
            $0.changes = [.with { ($0.user, $0.emoji, $0.removed) = (user, Self.emoji, had.contains(user)) }]
        }
        return [update(reactions, "Reactions", StreamName.messages(of: id), talk.position)]
    }

    private mutating func changeOwnState(
        _ seq: Int64, of talk: inout Talk, _ random: inout SeededNumbers
    ) -> [Parley_V1_Update] {
        let isReadable = seq >= talk.firstReadable
        guard let message = talk.messages[seq], isReadable else { return [] }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
            var state = talk.own[seq] ?? .with { ($0.conversation, $0.seq) = (message.conversation, seq) }
            if random.chance(25) {
                (state.hidden, state.starred) = (true, false)
            } else if message.deletedAtUs == 0, !state.hidden {
                state.starred.toggle()
            }
            let cell = cell(of: message.conversation)
            state.ownPosition = nextOwnPosition(in: cell)
            talk.own[seq] = state
            let first = update(state, "MessageState", StreamName.own(in: cell), state.ownPosition)
            return state.hidden ? [first, publishState(of: &talk)] : [first]
        case 4..<8: talk.state.readSeq = max(talk.state.readSeq, seq)
        case 8:
            talk.state.pinnedAtUs = talk.state.pinnedAtUs == 0 ? nowUs : 0
            talk.state.markedUnread = random.chance(50)
        default: if random.chance(40) { talk.state.clearedSeq = seq }
        }
        return [publishState(of: &talk)]
    }

    private mutating func publishState(of talk: inout Talk) -> Parley_V1_Update {
        let cell = cell(of: talk.conversation.id)
        let position = nextOwnPosition(in: cell)
        talk.state.ownPosition = position
        return update(talk.counted(at: nowUs), "InboxState", StreamName.own(in: cell), position)
    }

    private mutating func remind(_ random: inout SeededNumbers) -> [Parley_V1_Update] {
        entitiesPosition += 1
        let known = reminders.values.filter { $0.deletedAtUs == 0 }.map(\.id).sorted { $0.hexDigits < $1.hexDigits }
        let id = known.count > 2 ? known.randomElement(using: &random) : nil
        var reminder =
            id.flatMap { reminders[$0] }
            ?? .with { $0.id = Data((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }) }
        (reminder.title, reminder.dueAtUs, reminder.position) = ("remind \(nowUs)", nowUs + 5_000_000, entitiesPosition)
        if id != nil, random.chance(40) { (reminder.title, reminder.deletedAtUs) = ("", nowUs) }
        reminders[reminder.id] = reminder
        return [update(reminder, "Reminder", StreamName.entities, entitiesPosition)]
    }

    private mutating func changePeople(_ random: inout SeededNumbers) -> [Parley_V1_Update] {
        conversationsPosition += 1
        let position = conversationsPosition
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            profile.user.id = StreamName.me
            (profile.user.displayName, profile.position) = ("name \(nowUs)", position)
            return [update(profile, "Profile", StreamName.conversations, position)]
        case 1:
            (requests.total, requests.unread, requests.position) = (
                UInt32.random(in: 0...9, using: &random), 0, position
            )
            return [update(requests, "RequestCount", StreamName.conversations, position)]
        default:
            let user = ["d", "e", "f"].randomElement(using: &random) ?? ""
            let block = Parley_V1_Block.with {
                ($0.user.id, $0.blocked) = (user, !(blocks[user]?.blocked ?? false))
                ($0.atUs, $0.position) = (nowUs, position)
            }
            blocks[user] = block
            return [update(block, "Block", StreamName.conversations, position)]
        }
    }

    /// A group is renamed, left or joined again; a direct conversation goes, or comes back.
    private mutating func changeConversation(_ random: inout SeededNumbers) -> [Parley_V1_Update] {
        guard let id = ["a_c", "g", "h"].randomElement(using: &random), var talk = talks[id],
            mayGo || talk.conversation.kind == .group
        else { return [] }
        conversationsPosition += 1
        talk.news = news
        talk.conversation.position = conversationsPosition
        var joined: Parley_V1_Update?
        if talk.conversation.kind == .direct {
            talk.conversation.section = talk.conversation.section == .gone ? .inbox : .gone
            if talk.conversation.section == .inbox { talk.conversation.returnedPosition = conversationsPosition }
        } else if left[id] != nil {
            left[id] = nil
            rejoined.insert(id)
            (talk.conversation.section, talk.conversation.leftAtUs) = (.inbox, 0)
            talk.conversation.returnedPosition = conversationsPosition
            (talk.state.firstSeq, talk.firstPosition) = (talk.lastSeq + 1, talk.position)
            joined = sendJoined(in: &talk)
        } else if random.chance(50) {
            talk.conversation.name = "name \(nowUs)"
        } else {
            (talk.conversation.section, talk.conversation.leftAtUs) = (.left, nowUs)
            left[id] = talk
        }
        talks[id] = talk
        let change = update(talk.conversation, "Conversation", StreamName.conversations, conversationsPosition)
        return [change] + (joined.map { [$0] } ?? [])
    }

    /// Something that only a newer version knows.
    private mutating func future(_ random: inout SeededNumbers) -> Parley_V1_Update {
        let content = Parley_V1_Done()
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            conversationsPosition += 1
            return update(content, "Folder", StreamName.conversations, conversationsPosition)
        case 1:
            entitiesPosition += 1
            return update(content, "Ticket", StreamName.entities, entitiesPosition)
        case 2:
            let cell = cells.randomElement(using: &random) ?? ""
            return update(content, "Draft", StreamName.own(in: cell), nextOwnPosition(in: cell))
        default:
            guard var talk = talks["a_b"] else { return .init() }
            talk.position += 1
            talk.news = news
            talks["a_b"] = talk
            return update(content, "Poll", StreamName.messages(of: "a_b"), talk.position)
        }
    }

    private func update(
        _ body: any State, _ kind: String, _ stream: String, _ position: Int64
    ) -> Parley_V1_Update {
        .with {
            ($0.stream, $0.position, $0.kind, $0.class) = (stream, position, kind, .durable)
            $0.body = (try? body.serializedData()) ?? Data()
        }
    }
}
