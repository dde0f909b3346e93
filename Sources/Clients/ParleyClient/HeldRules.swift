import Foundation
import SwiftProtobuf

/// A state that ``Held`` has by its key.
public protocol HeldState: SwiftProtobuf.Message {
    /// Puts the state in the place of an earlier one with the same key.
    func put(in held: inout Held)
}

/// Something that no Update brings. The client requests it and applies the reply.
public enum HeldRequest: Sendable, Equatable {
    /// The messages of this conversation that changed after its stream's position, by messaging.GetChanges.
    case messages(of: String)
    /// The person's inbox state of this conversation, which they left and came back to. UpdateMarks with marks of zero
    /// returns it.
    case inboxState(of: String)
}

/// The rules of applying (proto/REFERENCE.md). A state without a rule of its own takes the place of the earlier one.
extension Held {
    mutating func apply(_ state: some HeldState) -> [HeldRequest] {
        state.put(in: &self)
        return []
    }

    // MARK: Conversations

    mutating func apply(_ block: Parley_V1_Block) -> [HeldRequest] {
        blocks[block.user.id] = block.blocked ? block : nil
        return []
    }

    mutating func apply(_ conversation: Parley_V1_Conversation) -> [HeldRequest] {
        let (id, before) = (conversation.id, conversations[conversation.id])
        if let before, before.position >= conversation.position { return [] }
        if conversation.section == .gone {
            if before != nil { lostConversations.insert(id) }
            conversations[id] = nil
            dropMessages(of: id)
            return []
        }
        conversations[id] = conversation
        let (wasMine, isMine) = (before.map { $0.leftAtUs == 0 } ?? false, conversation.leftAtUs == 0)
        if isMine, !wasMine {
            // New, or mine again: the readable messages start anew. No Update brings back a dropped inbox state.
            dropMessages(of: id)
            return [.messages(of: id)] + (lostConversations.contains(id) ? [.inboxState(of: id)] : [])
        }
        guard wasMine, !isMine else { return [] }
        // No more of its Updates arrive, but earlier messages may still be missing.
        lostConversations.insert(id)
        return [.messages(of: id)]
    }

    /// Drops what is held of a conversation's messages, which can no longer be read or are read anew.
    public mutating func dropMessages(of conversation: String) {
        messages[conversation] = nil
        inboxStates[conversation] = nil
        positions["messaging/c/\(conversation)"] = nil
    }

    // MARK: Messages

    /// Applies a message of an Update, and keeps my own state of it.
    mutating func apply(_ message: Parley_V1_Message) -> [HeldRequest] {
        let conversation = message.conversation
        guard message.seq > inboxStates[conversation]?.clearedSeq ?? 0 else { return [] }
        var message = message
        if let before = messages[conversation]?[message.seq], before.hasOwn,
            message.deletedAtUs == 0 || before.own.hidden
        {
            message.own = before.own
        }
        message.hideIfHidden()
        message.put(in: &self)
        if message.hasThread { apply(message.thread, of: message) }
        return []
    }

    /// Puts the newest state of a thread into all its messages.
    private mutating func apply(_ thread: Parley_V1_Thread, of message: Parley_V1_Message) {
        let first = message.threadSeq == 0 ? message.seq : message.threadSeq
        let conversation = message.conversation
        let ofThread = (messages[conversation] ?? [:]).filter { $0.key == first || $0.value.threadSeq == first }
        let latest = ofThread.values.filter(\.hasThread).map(\.thread).max { $0.position < $1.position } ?? thread
        for seq in ofThread.keys { messages[conversation]?[seq]?.thread = latest }
    }

    mutating func apply(_ reactions: Parley_V1_Reactions) -> [HeldRequest] {
        guard !reactions.changes.isEmpty else {
            // Published again: only a reply has my own reactions. Its position is not reached until then.
            positions["messaging/c/\(reactions.conversation)"] = reactions.position - 1
            return [.messages(of: reactions.conversation)]
        }
        guard var message = messages[reactions.conversation]?[reactions.seq] else { return [] }
        if reactions.position > message.position {
            (message.position, message.reactions) = (reactions.position, reactions.counts)
        }
        var own = message.own
        for change in reactions.changes where change.user == user {
            own.reactions.removeAll { $0 == change.emoji }
            if !change.removed { own.reactions.append(change.emoji) }
        }
        own.reactions.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        message.setOwn(own)
        message.hideIfHidden()
        message.put(in: &self)
        return []
    }

    /// Applies the messages in a reply to messaging.GetChanges. They have my own state, unlike those of Updates.
    public mutating func apply(_ reply: Parley_V1_GetChangesReply) {
        for message in reply.messages {
            message.put(in: &self)
            if message.hasThread { apply(message.thread, of: message) }
        }
    }

    // MARK: Own state

    mutating func apply(_ state: Parley_V1_MessageState) -> [HeldRequest] {
        guard var message = messages[state.conversation]?[state.seq] else { return [] }
        var own = message.own
        (own.starred, own.hidden) = (state.starred && message.deletedAtUs == 0, state.hidden)
        message.setOwn(own)
        message.hideIfHidden()
        message.put(in: &self)
        return []
    }

    /// Applies my state of a conversation, and drops the messages that I cleared.
    public mutating func apply(_ state: Parley_V1_InboxState) -> [HeldRequest] {
        state.put(in: &self)
        messages[state.conversation] = messages[state.conversation]?.filter { $0.key > state.clearedSeq }
        return []
    }

    /// Returns part of a name in ``states``.
    func heldKey(_ key: some CustomStringConvertible) -> String { "\(key)" }

    func heldKey(_ key: Data) -> String { key.hexDigits }
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
