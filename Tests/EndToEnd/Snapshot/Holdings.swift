import Foundation
import ParleyClient
import SwiftProtobuf

/// The state that one person's client holds, and what only these tests look at.
struct Holdings: Sendable {
    var held = Held()
    /// The unread messages by conversation id, of a client that counts them itself.
    var counts: [String: UnreadCount] = [:]
    /// How long after sending messages disappear, in seconds, by conversation id. No Update has it: a client knows it
    /// from ``retentionsTold``.
    var retentions: [String: Int64] = [:]
    /// The conversations of which GetChanges said `start_over` again and again, about positions that it had given.
    var endless: Set<String> = []

    /// Returns the differences from the state that a new client would hold, one line each.
    func differences(from fresh: Holdings) -> [String] {
        let mine = held.comparable(with: fresh.held, counts).states
        let expected = fresh.held.comparable().states
        let lines = Set(mine.keys).union(expected.keys).sorted().compactMap { key -> String? in
            switch (mine[key], expected[key]) {
            case (let mine?, let expected?) where mine.isEqualTo(message: expected): nil
            case (let mine?, let expected?): "\(key): \(Self.difference(mine, expected))"
            case (let mine?, nil): "\(key): held, but not in a fresh snapshot: \(Self.line(mine))"
            case (nil, let expected): "\(key): not held: \(expected.map(Self.line) ?? "")"
            }
        }
        return lines + endless.union(fresh.endless).sorted().map { "changes of \($0): start_over has no end" }
    }

    /// The retentions that the newest system message about it says, by conversation id.
    var retentionsTold: [String: Int64] {
        held.messages.compactMapValues { messages in
            messages.values.filter { $0.system.kind == .retentionChanged }.max { $0.seq < $1.seq }?.system.seconds
        }
    }

    /// Whether all streams have reached the positions of `fresh`.
    func isLevel(with fresh: Holdings) -> Bool {
        fresh.held.positions.allSatisfy { held.positions[$0.key, default: 0] >= $0.value }
    }

    private static func line(_ message: any SwiftProtobuf.Message) -> String {
        message.textFormatString().split(separator: "\n").joined(separator: " ")
    }

    /// Returns the lines of their text forms that only one of them has.
    private static func difference(_ mine: any SwiftProtobuf.Message, _ fresh: any SwiftProtobuf.Message) -> String {
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

extension Held {
    /// Returns the states without what Updates and snapshots have differently.
    /// - Parameters:
    ///   - fresh: the snapshot to compare with; nil if this is one.
    ///   - counts: the unread messages that my inbox states of its conversations get.
    fileprivate func comparable(with fresh: Held? = nil, _ counts: [String: UnreadCount] = [:]) -> Held {
        var held = self
        held.blocks = blocks.mapValues(\.listed)
        if let fresh {
            let counted = fresh.inboxStates.keys.map { ($0, countedState(of: $0, counts[$0] ?? UnreadCount())) }
            held.inboxStates = Dictionary(uniqueKeysWithValues: counted)
        }
        held.inboxStates = held.inboxStates.mapValues(\.comparable)
        // A fresh snapshot has messages changed since the person left at the position at which they left.
        for conversation in (fresh ?? self).conversations.values where conversation.leftAtUs != 0 {
            held.messages[conversation.id] = held.messages[conversation.id]?.mapValues { message in
                var message = message
                message.position = 0
                // What changed since is no longer counted.
                if message.hasSystem { message.system.changes = 0 }
                return message
            }
        }
        return held
    }

    private func countedState(of conversation: String, _ count: UnreadCount) -> Parley_V1_InboxState {
        var state = inboxStates[conversation] ?? .with { $0.conversation = conversation }
        (state.unread, state.mentions) = (count.unread, count.mentions)
        return state
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
    /// The state without fields that no Update has: when it was counted, and the start of my window of history (which
    /// the held messages show).
    fileprivate var comparable: Parley_V1_InboxState {
        var state = self
        (state.countedPosition, state.countedSeq, state.countedAtUs, state.firstSeq, state.ownPosition) = (
            0, 0, 0, 0, 0
        )
        return state
    }
}
