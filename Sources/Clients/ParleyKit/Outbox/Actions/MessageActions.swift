import Foundation
import ParleyClient

// Sending messages, and changing those that were sent.

/// An action in the conversation that its request names.
protocol ActionInConversation: Action {
    var conversation: String { get }
}

extension ActionInConversation {
    func lane(as me: UserID) -> String { conversation }
    func key(as me: UserID) -> String { conversation }

    /// The answer is at a position of the stream of the conversation's messages.
    func answer(at position: Int64, seq: Int64? = nil) -> ActionAnswer {
        ActionAnswer(confirmation: .at(StoredStream.messages(of: conversation), position), seq: seq)
    }
}

extension Parley_V1_SendMessageRequest: NumberedAction, ActionInConversation {
    static let registration = ActionRegistration(MessagingMethods.sendMessage)

    var texts: [ActionText] { hasForward ? [] : [.init(text, .message, "text", mayBeEmpty: kind != .text)] }

    var optimisticState: OptimisticState { .sends(self) }
    var unsentKind: Unsent.Kind { hasMedia ? .file(media.name) : .message(text) }

    mutating func resolve(to seq: Int64) { replyToSeq = seq }

    func answer(_ reply: Parley_V1_SendMessageReply, as me: UserID) -> ActionAnswer {
        answer(at: reply.position, seq: reply.seq)
    }
}

extension Parley_V1_EditMessageRequest: MessageAction, ActionInConversation {
    static let registration = ActionRegistration(MessagingMethods.editMessage)

    var texts: [ActionText] { [.init(text, .message, "text", mayBeEmpty: true)] }

    var unsentKind: Unsent.Kind { .edit(text) }

    mutating func resolve(to seq: Int64) { self.seq = seq }

    func change(_ message: inout Message, at time: Date) {
        guard !message.isDeleted else { return }
        (message.text, message.editedAt) = (text, time)
        message.mentions = mentions.map(UserID.init(rawValue:))
    }

    func answer(_ reply: Parley_V1_MessageReply, as me: UserID) -> ActionAnswer {
        answer(at: reply.message.position)
    }
}

extension Parley_V1_DeleteMessageRequest: MessageAction, ActionInConversation {
    static let registration = ActionRegistration(MessagingMethods.deleteMessage)

    var unsentKind: Unsent.Kind { .deletion }

    mutating func resolve(to seq: Int64) { self.seq = seq }

    func change(_ message: inout Message, at time: Date) {
        (message.isDeleted, message.text, message.editedAt) = (true, "", nil)
        (message.mentions, message.reactions) = ([], [])
        message.dropContent()
    }

    func answer(_ reply: Parley_V1_MessageReply, as me: UserID) -> ActionAnswer {
        answer(at: reply.message.position)
    }
}

extension Parley_V1_UpdateReactionRequest: MessageAction, ActionInConversation {
    static let registration = ActionRegistration(MessagingMethods.updateReaction)

    var texts: [ActionText] { [.init(emoji, .emoji, "emoji")] }

    var unsentKind: Unsent.Kind { .reaction(emoji) }

    mutating func resolve(to seq: Int64) { self.seq = seq }

    func change(_ message: inout Message, at time: Date) {
        guard !message.isDeleted else { return }
        guard let index = message.reactions.firstIndex(where: { $0.emoji == emoji }) else {
            if !remove { message.reactions.append(Message.Reaction(emoji: emoji, count: 1, isMine: true)) }
            return
        }
        guard message.reactions[index].isMine == remove else { return }
        message.reactions[index].isMine = !remove
        message.reactions[index].count += remove ? -1 : 1
        if message.reactions[index].count == 0 { message.reactions.remove(at: index) }
    }

    func answer(_ reply: Parley_V1_UpdateReactionReply, as me: UserID) -> ActionAnswer { answer(at: reply.position) }
}

extension Parley_V1_UpdateMessageStateRequest: MessageAction, ActionInConversation {
    static let registration = ActionRegistration(MessagingMethods.updateMessageState)

    var unsentKind: Unsent.Kind { .messageState }

    mutating func resolve(to seq: Int64) { seqs = [seq] }

    func change(_ message: inout Message, at time: Date) {
        if let isStarred = starred.flag { message.isStarred = isStarred }
        if hide { message.isHidden = true }
    }

    func answer(_ reply: Parley_V1_UpdateMessageStateReply, as me: UserID) -> ActionAnswer {
        ActionAnswer(confirmation: .own(of: conversation, reply.states.map(\.ownPosition).max() ?? 0))
    }
}
