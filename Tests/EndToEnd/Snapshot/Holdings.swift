import Foundation
import ParleyClient
import SwiftProtobuf

/// The state that one person's client holds, with whole messages as the server sent them.
struct Holdings: Sendable {
    /// The person's user id.
    var user = ""
    /// By id, without those in the section `gone`.
    var conversations: [String: Parley_V1_Conversation] = [:]
    var requests = Parley_V1_RequestCount()
    var profile = Parley_V1_Profile()
    /// By user id.
    var blocks: [String: Parley_V1_Block] = [:]
    /// By conversation and seq.
    var messages: [String: [Int64: Parley_V1_Message]] = [:]
    /// My inbox states by conversation id. A missing one has the defaults.
    var states: [String: Parley_V1_InboxState] = [:]
    var reminders: [Data: Parley_V1_Reminder] = [:]
    /// The applied position of each stream. Changes that made no difference may have moved it.
    var positions: [String: Int64] = [:]

    /// Returns the differences from the state that a new client would hold, one line each.
    func differences(from fresh: Holdings) -> [String] {
        var lines = Self.differences("conversation", conversations, fresh.conversations)
        lines += Self.differences("count of requests", ["": requests], ["": fresh.requests])
        lines += Self.differences("profile", ["": profile], ["": fresh.profile])
        lines += Self.differences("block", blocks.mapValues(\.listed), fresh.blocks.mapValues(\.listed))
        for conversation in Set(messages.keys).union(fresh.messages.keys).sorted() {
            lines += Self.differences(
                "message of \(conversation)", messages[conversation] ?? [:], fresh.messages[conversation] ?? [:])
        }
        lines += Self.differences("state of", counted(of: fresh), fresh.countedByServer)
        return lines + Self.differences("reminder", reminders, fresh.reminders)
    }

    /// Returns my inbox states of the conversations of a fresh snapshot, with unread counts of the messages held
    /// (proto/REFERENCE.md, Unread).
    private func counted(of fresh: Holdings) -> [String: Parley_V1_InboxState] {
        Dictionary(
            uniqueKeysWithValues: fresh.states.keys.map { conversation in
                var state = states[conversation] ?? .with { $0.conversation = conversation }
                let unread = (messages[conversation] ?? [:]).values.filter { message in
                    message.seq > state.readSeq && message.seq > state.clearedSeq && message.sender != fresh.user
                        && message.kind != .system && message.deletedAtUs == 0 && !message.own.hidden
                }
                state.unread = Int64(unread.count)
                state.mentions = Int64(unread.count { $0.mentions.contains(fresh.user) })
                return (conversation, state.comparable)
            })
    }

    private var countedByServer: [String: Parley_V1_InboxState] { states.mapValues(\.comparable) }

    /// Whether all streams have reached the positions of `fresh`.
    func isLevel(with fresh: Holdings) -> Bool {
        fresh.positions.allSatisfy { positions[$0.key, default: 0] >= $0.value }
    }

    private static func differences<Key: Hashable, Value: SwiftProtobuf.Message & Equatable>(
        _ what: String, _ mine: [Key: Value], _ fresh: [Key: Value]
    ) -> [String] {
        Set(mine.keys).union(fresh.keys).map { key in
            switch (mine[key], fresh[key]) {
            case (let mine?, let fresh?) where mine == fresh: ""
            case (let mine?, let fresh?): "\(what) \(name(key)): \(difference(mine, fresh))"
            case (let mine?, nil): "\(what) \(name(key)): held, but not in a fresh snapshot: \(line(mine))"
            case (nil, let fresh): "\(what) \(name(key)): not held: \(fresh.map(line) ?? "")"
            }
        }.filter { !$0.isEmpty }.sorted()
    }

    private static func name(_ key: some Hashable) -> String {
        (key as? Data).map { $0.map { String($0, radix: 16) }.joined() } ?? "\(key)"
    }

    private static func line(_ message: some SwiftProtobuf.Message) -> String {
        message.textFormatString().split(separator: "\n").joined(separator: " ")
    }

    /// Returns the lines of their text forms that only one of them has.
    private static func difference(_ mine: some SwiftProtobuf.Message, _ fresh: some SwiftProtobuf.Message) -> String {
        let (held, expected) = (
            mine.textFormatString().split(separator: "\n"), fresh.textFormatString().split(separator: "\n")
        )
        let changes = expected.difference(from: held)
        let (gone, new) = changes.reduce(into: ([String](), [String]())) { lines, change in
            switch change {
            case .remove(_, let line, _): lines.0.append(line.trimmingCharacters(in: .whitespaces))
            case .insert(_, let line, _): lines.1.append(line.trimmingCharacters(in: .whitespaces))
            }
        }
        return "held \(gone), a fresh snapshot has \(new)"
    }
}

extension Parley_V1_Block {
    /// The block as `ListBlocked` returns it, without a position: only changes have one. The person's profile is left
    /// out, since an Update shows it as it was then.
    fileprivate var listed: Parley_V1_Block {
        var block = self
        block.position = 0
        block.user = .with { $0.id = user.id }
        return block
    }
}

extension Parley_V1_InboxState {
    /// The state without fields that no Update has: the counted position, my delivered mark (which my other devices do
    /// not need) and the start of my window of history (which the held messages show).
    fileprivate var comparable: Parley_V1_InboxState {
        var state = self
        (state.countedPosition, state.countedSeq, state.deliveredSeq, state.firstSeq, state.ownPosition) = (
            0, 0, 0, 0, 0
        )
        return state
    }
}

extension Holdings {
    /// Applies a message of an Update, and keeps my own state of it.
    mutating func apply(_ message: Parley_V1_Message) {
        let conversation = message.conversation
        guard message.seq > states[conversation]?.clearedSeq ?? 0 else { return }
        var message = message
        if let before = messages[conversation]?[message.seq], before.hasOwn,
            message.deletedAtUs == 0 || before.own.hidden
        {
            message.own = before.own
        }
        message.hideIfHidden()
        messages[conversation, default: [:]][message.seq] = message
        if message.hasThread {
            apply(message.thread, of: message.threadSeq == 0 ? message.seq : message.threadSeq, conversation)
        }
    }

    /// Puts the newest state of a thread into all its messages.
    private mutating func apply(_ thread: Parley_V1_Thread, of first: Int64, _ conversation: String) {
        let latest =
            (messages[conversation] ?? [:]).values.filter { $0.seq == first || $0.threadSeq == first }
            .filter(\.hasThread).map(\.thread).max { $0.position < $1.position } ?? thread
        for (seq, message) in messages[conversation] ?? [:] where seq == first || message.threadSeq == first {
            messages[conversation]?[seq]?.thread = latest
        }
    }

    mutating func apply(_ reactions: Parley_V1_Reactions) {
        guard var message = messages[reactions.conversation]?[reactions.seq] else { return }
        message.position = reactions.position
        var own = message.own
        for change in reactions.changes where change.user == user {
            own.reactions.removeAll { $0 == change.emoji }
            if !change.removed { own.reactions.append(change.emoji) }
        }
        own.reactions.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        message.reactions = reactions.counts
        message.setOwn(own)
        message.hideIfHidden()
        messages[reactions.conversation]?[reactions.seq] = message
    }

    mutating func apply(_ state: Parley_V1_MessageState) {
        guard var message = messages[state.conversation]?[state.seq] else { return }
        var own = message.own
        (own.starred, own.hidden) = (state.starred && message.deletedAtUs == 0, state.hidden)
        message.setOwn(own)
        message.hideIfHidden()
        messages[state.conversation]?[state.seq] = message
    }

    mutating func apply(_ state: Parley_V1_InboxState) {
        states[state.conversation] = state
        messages[state.conversation] = messages[state.conversation]?.filter { $0.key > state.clearedSeq }
    }
}

extension Parley_V1_Message {
    fileprivate mutating func setOwn(_ own: Parley_V1_OwnMessageState) {
        if own == .init() { clearOwn() } else { self.own = own }
    }

    fileprivate mutating func hideIfHidden() {
        guard own.hidden else { return }
        (text, mentions, reactions, forwardedFrom, editedAtUs) = ("", [], [], "", 0)
        clearMedia()
        own = .with { $0.hidden = true }
    }
}
