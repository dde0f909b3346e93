import Foundation
import Observation
import ParleyKit

/// The screen of one conversation.
@MainActor
@Observable
public final class ChatModel {
    /// A message as it is shown.
    public struct Bubble: Identifiable, Hashable, Sendable {
        public let id: MessageID
        /// Who wrote it; empty if it is mine.
        public let author: String
        public let text: String
        public let isMine: Bool
        /// How far mine has come.
        public let mark: String
        public let reactions: String
    }

    public let chat: Conversation
    private let parley: Parley
    /// Why the last action did not work.
    public private(set) var problem: Refusal?

    public init(_ chat: Conversation, in parley: Parley) { (self.chat, self.parley) = (chat, parley) }

    public var title: String { chat.title }
    public var bubbles: [Bubble] { chat.messages.filter { !$0.isHidden }.map(bubble) }
    public var hasOlder: Bool { chat.hasOlder }

    /// The other person asks; answer with ``accept()`` or ``decline()``.
    public var isRequest: Bool { if case .received = chat.request { true } else { false } }

    /// What is in the text field. It survives a restart.
    public var draft: String {
        get { chat.draft }
        set { chat.setDraft(newValue) }
    }

    /// Call it when the screen appears, and when a new message does.
    public func appear() async {
        await chat.load()
        if !isRequest { await attempt { () throws(Refusal) in try await self.chat.markRead() } }
    }

    public func send() async {
        let text = draft.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { return }
        draft = ""
        await attempt { () throws(Refusal) in try await self.chat.send(text) }
        if problem != nil { draft = text }
    }

    public func loadOlder() async {
        await attempt { () throws(Refusal) in try await self.chat.loadOlder() }
    }

    /// Adds my reaction, or removes it.
    public func toggle(_ emoji: String, on id: MessageID) async {
        guard let message = chat.message(id) else { return }
        let isMine = message.reactions.contains { $0.emoji == emoji && $0.isMine }
        await attempt { () throws(Refusal) in
            if isMine {
                try await self.chat.removeReaction(emoji, from: message)
            } else {
                try await self.chat.react(emoji, to: message)
            }
        }
    }

    public func delete(_ id: MessageID) async {
        guard let message = chat.message(id) else { return }
        await attempt { () throws(Refusal) in try await self.chat.delete(message) }
    }

    /// Sends what the server refused again.
    public func retry(_ id: MessageID) async {
        guard let unsent = parley.unsent.first(where: { $0.message == id }) else { return }
        await attempt { () throws(Refusal) in try await self.parley.retry(unsent.id) }
    }

    public func accept() async {
        await attempt { () throws(Refusal) in try await self.chat.accept() }
    }

    public func decline() async {
        await attempt { () throws(Refusal) in try await self.chat.decline() }
    }

    private func attempt(_ body: () async throws(Refusal) -> Void) async {
        do {
            try await body()
            problem = nil
        } catch {
            problem = error
        }
    }

    private func bubble(_ message: Message) -> Bubble {
        let isMine = message.sender == parley.user
        let author = message.sender.flatMap(chat.user)?.displayName ?? ""
        return Bubble(
            id: message.id, author: isMine ? "" : author, text: message.isDeleted ? "Deleted" : message.text,
            isMine: isMine, mark: isMine ? Self.mark(of: message) : "",
            reactions: message.reactions.map { "\($0.emoji)\($0.count)" }.joined(separator: " "))
    }

    private static func mark(of message: Message) -> String {
        if case .failed(let refusal) = message.syncStatus { return "not sent: \(refusal.message)" }
        return switch message.status {
        case .sending: "…"
        case .sent: "✓"
        case .delivered: "✓✓"
        case .read: "read"
        case .failed(let refusal): "not sent: \(refusal.message)"
        }
    }
}
