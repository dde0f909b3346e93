import Foundation
import ParleyKit

/// A message as it is shown.
public struct Bubble: Identifiable, Hashable, Sendable {
    /// What it answers.
    public struct Quote: Hashable, Sendable {
        public let seq: Int64
        public let author: String
        public let text: String
    }

    /// Its file.
    public struct File: Hashable, Sendable {
        public let name: String
        public let size: String
        public let symbol: String
        /// A small picture; nil: none.
        public let thumbnail: Data?
        /// How much of it is uploaded, from 0 to 1; nil: all, or it is another's.
        public let progress: Double?
    }

    public let id: MessageID
    /// Its number; nil: it is not sent yet.
    public let seq: Int64?
    /// Who wrote it; empty if it is mine.
    public let author: String
    /// Whether to show the author: in groups, above the first of several.
    public let showsAuthor: Bool
    public let text: String
    public let isMine: Bool
    public let isDeleted: Bool
    public let isStarred: Bool
    public let isEdited: Bool
    public let time: String
    /// How far mine has come.
    public let mark: String
    /// Why mine was refused, or what I changed of it; nil: it was not.
    public let refused: String?
    public let quote: Quote?
    public let file: File?
    /// Who wrote it first, if it was forwarded; nil: it was not.
    public let forwarded: String?
    public let reactions: [Message.Reaction]
    /// "2 replies"; nil: there is no thread.
    public let replies: String?
    /// All of it, for VoiceOver.
    public let label: String
}

extension Bubble {
    @MainActor
    init(_ message: Message, in chat: Conversation, of me: UserID?, after earlier: Message?, _ words: Words) {
        (id, seq) = (message.id, message.seq)
        isMine = message.sender == me
        let name = message.sender.flatMap(chat.user)?.displayName ?? "…"
        author = isMine ? "" : name
        showsAuthor = !isMine && chat.kind == .group && earlier?.sender != message.sender
        text = message.isDeleted ? "Deleted" : message.text
        (isDeleted, isStarred) = (message.isDeleted, message.isStarred)
        isEdited = message.editedAt != nil && !message.isDeleted
        time = words.time(message.sentAt)
        mark = isMine ? Self.mark(of: message) : ""
        if case .failed(let refusal) = message.syncStatus { refused = refusal.text } else { refused = nil }
        quote = message.replyTo.map { Self.quote($0, in: chat, me) }
        file = message.attachment.map { File($0, of: message, words) }
        forwarded = message.forwardedFrom.map { chat.user($0)?.displayName ?? "somebody" }
        reactions = message.reactions
        replies = message.threadStart == nil ? message.thread.map { words.count($0.replies, "reply", "replies") } : nil
        let states = [
            isMine ? "You" : name, quote.map { "in answer to \($0.author), \($0.text)" },
            file.map { "file \($0.name)" }, text, time, isEdited ? "edited" : nil, isStarred ? "starred" : nil,
            isMine ? Self.words(of: message) : nil, replies,
            reactions.isEmpty ? nil : reactions.map { "\($0.emoji) \($0.count)" }.joined(separator: ", "),
        ]
        label = states.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    @MainActor
    private static func quote(_ seq: Int64, in chat: Conversation, _ me: UserID?) -> Quote {
        guard let message = chat.message(numbered: seq) else { return Quote(seq: seq, author: "", text: "…") }
        let author = message.sender == me ? "You" : message.sender.flatMap(chat.user)?.displayName ?? "…"
        let text = message.text.isEmpty ? message.attachment?.name ?? "" : message.text
        return Quote(seq: seq, author: author, text: message.isDeleted ? "Deleted" : text)
    }

    private static func mark(of message: Message) -> String {
        if case .failed(let refusal) = message.syncStatus { return "not sent: \(refusal.text)" }
        return switch message.status {
        case .sending: "…"
        case .sent: "✓"
        case .delivered: "✓✓"
        case .read: "read"
        case .failed(let refusal): "not sent: \(refusal.text)"
        }
    }

    private static func words(of message: Message) -> String {
        if case .failed(let refusal) = message.syncStatus { return "not sent, \(refusal.text)" }
        return switch message.status {
        case .sending: "being sent"
        case .sent: "sent"
        case .delivered: "delivered"
        case .read: "read"
        case .failed(let refusal): "not sent, \(refusal.text)"
        }
    }
}

extension Bubble.File {
    init(_ attachment: Attachment, of message: Message, _ words: Words) {
        (name, thumbnail, progress) = (attachment.name, attachment.thumbnail, message.progress)
        size = words.size(attachment.sizeBytes)
        symbol =
            switch message.kind {
            case .image: "photo"
            case .video: "film"
            case .voice: "waveform"
            default: "doc"
            }
    }
}
