import Foundation
import ParleyClient
import TestSupport

/// Random requests about messages.
extension RandomRequests {
    /// Makes `count` requests about messages of some conversations, a few at a time.
    mutating func actOnMessages(_ count: Int, in conversations: [String]) async throws {
        try await act(count) { crowd in
            let me = crowd.people[crowd.random.below(crowd.people.count)]
            let other = crowd.people[crowd.random.below(crowd.people.count)]
            let conversation = conversations[crowd.random.below(conversations.count)]
            return crowd.messageStep(me, other, conversation, "w\(crowd.random.below(1000))")
        }
    }

    mutating func messageStep(
        _ me: Device, _ other: Device, _ conversation: String, _ word: String
    ) -> (String, Step) {
        let (client, seq) = (me.client, Int64(random.below(12) + 1))
        let (isOn, emoji) = (random.below(3) > 0, ["👍", "❤️", "🎉"][random.below(3)])
        let mentioned = random.below(2) == 0 ? [other.user] : []
        switch random.below(20) {
        case ..<4:
            let id = random.uuid()
            return (
                "Send with more",
                {
                    _ = try await client.call(
                        MessagingMethods.sendMessage, key: conversation,
                        .with {
                            ($0.id, $0.conversation) = (Data(id.bytes), conversation)
                            ($0.kind, $0.text, $0.mentions) = (.text, word, mentioned)
                            if isOn { $0.replyToSeq = seq }
                        })
                }
            )
        case ..<7:
            return (
                "EditMessage",
                {
                    _ = try await client.call(
                        MessagingMethods.editMessage, key: conversation,
                        .with {
                            ($0.conversation, $0.seq) = (conversation, seq)
                            ($0.text, $0.mentions) = (word, mentioned)
                        })
                }
            )
        case ..<8:
            return (
                "DeleteMessage",
                {
                    _ = try await client.call(
                        MessagingMethods.deleteMessage, key: conversation,
                        .with { ($0.conversation, $0.seq) = (conversation, seq) })
                }
            )
        case ..<12:
            return (
                "UpdateReaction",
                {
                    _ = try await client.call(
                        MessagingMethods.updateReaction, key: conversation,
                        .with {
                            ($0.conversation, $0.seq) = (conversation, seq)
                            ($0.emoji, $0.remove) = (emoji, !isOn)
                        })
                }
            )
        default: return ownMessageStep(me, conversation, seq, isOn)
        }
    }

    private mutating func ownMessageStep(
        _ me: Device, _ conversation: String, _ seq: Int64, _ isOn: Bool
    ) -> (String, Step) {
        let client = me.client
        let choice: Parley_V1_Choice = isOn ? .yes : .no
        let what = random.below(4)
        switch random.below(10) {
        case ..<4:
            return (
                "UpdateMarks",
                {
                    _ = try await client.call(
                        MessagingMethods.updateMarks, key: me.user,
                        .with {
                            $0.marks = [
                                .with { ($0.conversation, $0.readSeq, $0.deliveredSeq) = (conversation, seq, seq + 1) }
                            ]
                        })
                }
            )
        case ..<7:
            return (
                "UpdateInboxState",
                {
                    _ = try await client.call(
                        MessagingMethods.updateInboxState, key: conversation,
                        .with {
                            $0.conversation = conversation
                            switch what {
                            case 0: $0.pinned = choice
                            case 1: $0.muted = choice
                            case 2: $0.archived = choice
                            default: $0.markedUnread = choice
                            }
                        })
                }
            )
        case ..<9:
            return (
                "UpdateMessageState",
                {
                    _ = try await client.call(
                        MessagingMethods.updateMessageState, key: conversation,
                        .with {
                            ($0.conversation, $0.seqs, $0.starred) = (conversation, [seq], choice)
                            $0.hide = what == 0
                        })
                }
            )
        default:
            return (
                "ClearConversation",
                {
                    _ = try await client.call(
                        MessagingMethods.clearConversation, key: conversation,
                        .with { ($0.conversation, $0.upToSeq) = (conversation, isOn ? 1 : 2) })
                }
            )
        }
    }
}
