import Foundation
import ParleyClient
import TestSupport

/// Random requests about messages.
extension RandomRequests {
    private static let file = Array("a small file".utf8)

    mutating func text(_ word: String, to conversation: String, by actor: Int) -> RandomRequest {
        let id = random.uuid()
        return RandomRequest(MessagingMethods.sendMessage, by: actor, key: conversation) {
            ($0.id, $0.conversation, $0.kind) = (Data(id.bytes), conversation, .text)
            $0.text = word
        }
    }

    /// Returns the next request about a message of the conversation `draw.anywhere`.
    mutating func ofMessage(_ draw: Draw) -> RandomRequest {
        let (actor, conversation, word) = (draw.actor, draw.anywhere, draw.word)
        // Most conversations have few messages.
        let seq = Int64(random.below(random.below(2) == 0 ? 2 : 9) + 1)
        let isOn = random.below(3) > 0
        let mentioned = random.below(2) == 0 ? [draw.other] : []
        switch random.below(30) {
        case ..<4:
            let id = random.uuid()
            return RandomRequest(MessagingMethods.sendMessage, by: actor, key: conversation) {
                ($0.id, $0.conversation) = (Data(id.bytes), conversation)
                ($0.kind, $0.text, $0.mentions) = (.text, word, mentioned)
                if isOn { $0.replyToSeq = seq }
            }
        case ..<7:
            return RandomRequest(MessagingMethods.editMessage, by: actor, key: conversation) {
                ($0.conversation, $0.seq) = (conversation, seq)
                ($0.text, $0.mentions) = (word, mentioned)
            }
        case ..<8:
            return RandomRequest(MessagingMethods.deleteMessage, by: actor, key: conversation) {
                ($0.conversation, $0.seq) = (conversation, seq)
            }
        case ..<12:
            let emoji = ["👍", "❤️", "🎉"][random.below(3)]
            return RandomRequest(MessagingMethods.updateReaction, by: actor, key: conversation) {
                ($0.conversation, $0.seq) = (conversation, seq)
                ($0.emoji, $0.remove) = (emoji, !isOn)
            }
        case ..<15:
            let id = random.uuid()
            return RandomRequest(MessagingMethods.sendMessage, by: actor, key: conversation) {
                ($0.id, $0.conversation) = (Data(id.bytes), conversation)
                ($0.forward.conversation, $0.forward.seq) = (draw.group, seq)
            }
        case ..<18: return upload(to: conversation, by: actor)
        case ..<20: return sendFile(draw)
        case ..<22:
            // Longer than any test takes: no Update says that a message has disappeared.
            let seconds: Int64 = [0, 3600, 86_400][random.below(3)]
            return RandomRequest(MessagingMethods.setRetention, by: actor, key: conversation) {
                ($0.conversation, $0.seconds, $0.alsoOld) = (conversation, seconds, isOn)
            }
        default: return ofOwnMessage(draw, seq, isOn)
        }
    }

    /// Creates an attachment and uploads its file.
    private mutating func upload(to conversation: String, by actor: Int) -> RandomRequest {
        let id = random.uuid()
        files.append((id, actor, conversation))
        let (name, type) = ("\(random.below(1000)).txt", "text/plain")
        return RandomRequest(
            MessagingMethods.createAttachment, by: actor, key: conversation,
            sending: { client in
                _ = try await client.upload(Self.file, to: conversation, name: name, mimeType: type, id: id)
            },
            {
                ($0.id, $0.conversation, $0.name) = (Data(id.bytes), conversation, name)
                ($0.mimeType, $0.sizeBytes) = (type, Int64(Self.file.count))
            })
    }

    /// Sends the file that was uploaded first, or one stored elsewhere.
    private mutating func sendFile(_ draw: Draw) -> RandomRequest {
        let (id, word) = (random.uuid(), draw.word)
        files.removeAll { erased.contains($0.owner) }
        let isUploaded = !files.isEmpty && random.below(4) > 0
        let file = isUploaded ? files.removeFirst() : (id: id, owner: draw.actor, conversation: draw.anywhere)
        return RandomRequest(MessagingMethods.sendMessage, by: file.owner, key: file.conversation) {
            ($0.id, $0.conversation) = (Data(id.bytes), file.conversation)
            ($0.kind, $0.text) = (.file, word)
            ($0.media.width, $0.media.height, $0.media.durationMs) = (640, 480, 1500)
            $0.media.thumbnail = Data(Pictures.png(width: 8, height: 8, padding: 0))
            if isUploaded { return $0.media.attachment = Data(file.id.bytes) }
            ($0.media.url, $0.media.name) = ("https://example.org/\(word).txt", "\(word).txt")
            ($0.media.mimeType, $0.media.sizeBytes) = ("text/plain", 12)
        }
    }

    private mutating func ofOwnMessage(_ draw: Draw, _ seq: Int64, _ isOn: Bool) -> RandomRequest {
        let (actor, conversation) = (draw.actor, draw.anywhere)
        let choice: Parley_V1_Choice = isOn ? .yes : .no
        let what = random.below(4)
        switch random.below(10) {
        case ..<4:
            return RandomRequest(MessagingMethods.updateMarks, by: actor, key: draw.me) {
                $0.marks = [.with { ($0.conversation, $0.readSeq, $0.deliveredSeq) = (conversation, seq, seq + 1) }]
            }
        case ..<7:
            return RandomRequest(MessagingMethods.updateInboxState, by: actor, key: conversation) {
                $0.conversation = conversation
                switch what {
                case 0: $0.pinned = choice
                case 1:
                    $0.muted = choice
                    if isOn, seq > 1 { $0.mutedUntilUs = 4_102_444_800_000_000 }
                case 2: $0.archived = choice
                default: $0.markedUnread = choice
                }
            }
        case ..<9:
            return RandomRequest(MessagingMethods.updateMessageState, by: actor, key: conversation) {
                ($0.conversation, $0.seqs) = (conversation, [seq])
                if what == 0 { $0.hide = true } else { $0.starred = choice }
            }
        default:
            return RandomRequest(MessagingMethods.clearConversation, by: actor, key: conversation) {
                ($0.conversation, $0.upToSeq) = (conversation, isOn ? 1 : 2)
            }
        }
    }
}
