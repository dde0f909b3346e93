import Foundation
import Observation
import ParleyKit

/// The screen of a thread: a message and what answers it.
@MainActor
@Observable
public final class ThreadModel: Acting, Identifiable {
    public nonisolated let id: MessageID
    public var problem: Refusal?
    public var text = ""
    private let thread: MessageThread
    private let root: Message
    private let chat: Conversation
    private let parley: Parley
    private let words: Words

    public init(of root: Message, in chat: Conversation, _ parley: Parley, words: Words = Words()) {
        (id, self.root, self.chat, self.parley, self.words) = (root.id, root, chat, parley, words)
        thread = chat.thread(from: root)
    }

    public var title: String {
        let replies = max(thread.messages.count - 1, 0)
        return replies == 0 ? "Thread" : words.count(replies, "reply", "replies")
    }

    public var bubbles: [Bubble] {
        thread.messages.map { Bubble($0, in: chat, of: parley.user, after: nil, words) }
    }

    /// Why there may be more than what is shown; nil: there is not.
    public var notice: String? { thread.problem?.text }
    public var canSend: Bool { !text.trimmed.isEmpty }

    public func load() async { await thread.load() }

    public func send() async {
        let written = text.trimmed
        guard !written.isEmpty else { return }
        text = ""
        let isTaken = await attempt { () async throws(Refusal) in
            try await self.chat.send(written, replyingTo: self.thread.messages.first ?? self.root)
        }
        if !isTaken { text = written }
    }
}
