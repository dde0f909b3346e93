import Foundation
import SwiftProtobuf

/// A state that ``Held`` has by its key.
public protocol HeldState: SwiftProtobuf.Message {
    /// Puts the state in the place of an earlier one with the same key.
    func put(in held: inout Held)
}

/// The rules of applying (proto/REFERENCE.md). A state without a rule of its own takes the place of the earlier one.
extension Held {
    mutating func apply(_ state: some HeldState) { state.put(in: &self) }

    // MARK: Entities

    mutating func apply(_ reminder: Parley_V1_Reminder) {
        reminders[reminder.id] = reminder.deletedAtUs == 0 ? reminder : nil
    }

    mutating func apply(_ decision: Parley_V1_Decision) {
        decisions[decision.id] = decision.deletedAtUs == 0 ? decision : nil
    }

    mutating func apply(_ event: Parley_V1_Event) { events[event.id] = event.deletedAtUs == 0 ? event : nil }

    mutating func apply(_ counts: Parley_V1_EventCounts) { events[counts.id]?.take(counts) }

    mutating func apply(_ suggestion: Parley_V1_Suggestion) {
        suggestions[suggestion.id] = suggestion.state == .open ? suggestion : nil
    }

    // MARK: Conversations

    mutating func apply(_ block: Parley_V1_Block) { blocks[block.user.id] = block.blocked ? block : nil }

    /// Drops what is held of a conversation's messages, which can no longer be read or are read anew.
    public mutating func dropMessages(of conversation: String) {
        (messages[conversation], earlyStates[conversation], threads[conversation]) = (nil, nil, nil)
    }

    // MARK: Messages

    mutating func apply(_ message: Parley_V1_Message) { apply(message, from: .update) }

    /// Applies a message. It costs the same however many are held, apart from those of its thread.
    mutating func apply(_ message: Parley_V1_Message, from source: SyncSource) {
        let (conversation, seq) = (message.conversation, message.seq)
        var merged = message
        if source == .reply, !message.hasOwn { merged.own = Parley_V1_OwnMessageState() }
        let early = earlyStates[conversation]?.removeValue(forKey: seq)
        if var before = messages[conversation]?[seq] {
            before.take(merged)
            merged = before
        } else if source == .update, let early {
            merged.take(early)
        }
        put(merged)
        let first = message.threadSeq == 0 ? seq : message.threadSeq
        guard message.hasThread || message.threadSeq != 0 else { return }
        threads[conversation, default: [:]][first, default: [first]].insert(seq)
        apply(threadOf: conversation, first)
    }

    /// Puts the newest state of a thread into all its messages.
    private mutating func apply(threadOf conversation: String, _ first: Int64) {
        let seqs = threads[conversation]?[first] ?? []
        let states = seqs.compactMap { messages[conversation]?[$0] }.filter(\.hasThread).map(\.thread)
        guard let latest = states.max(by: { $0.position < $1.position }) else { return }
        for seq in seqs { messages[conversation]?[seq]?.take(latest) }
    }

    mutating func apply(_ reactions: Parley_V1_Reactions) {
        guard var message = messages[reactions.conversation]?[reactions.seq] else { return }
        message.take(reactions, by: user)
        put(message)
    }

    // MARK: Own state

    mutating func apply(_ state: Parley_V1_MessageState) {
        guard var message = messages[state.conversation]?[state.seq] else {
            earlyStates[state.conversation, default: [:]][state.seq] = state
            return
        }
        message.take(state)
        put(message)
    }

    /// Drops the messages that I cleared.
    mutating func clear(_ conversation: String, upTo seq: Int64) {
        messages[conversation] = messages[conversation]?.filter { $0.key > seq }
        earlyStates[conversation] = earlyStates[conversation]?.filter { $0.key > seq }
    }

    /// Puts a message whose empty own state is the same as none.
    private mutating func put(_ message: Parley_V1_Message) {
        var message = message
        if message.own == Parley_V1_OwnMessageState() { message.clearOwn() }
        message.put(in: &self)
    }

    /// Returns part of a name in ``states``.
    func heldKey(_ key: some CustomStringConvertible) -> String { "\(key)" }

    func heldKey(_ key: Data) -> String { key.hexDigits }
}
