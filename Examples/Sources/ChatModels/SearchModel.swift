import Foundation
import Observation
import ParleyKit

/// The search field over the inbox: people by name, and messages.
@MainActor
@Observable
public final class SearchModel: Acting {
    /// A message that was found.
    public struct Hit: Identifiable, Hashable, Sendable {
        public let id: MessageID
        public let conversation: ConversationID
        public let seq: Int64
        /// Of the conversation.
        public let title: String
        public let text: String
        public let time: String
    }

    public var problem: Refusal?
    public var text = ""
    public private(set) var people: [User] = []
    private var messages: MessageSearch?
    private let parley: Parley
    private let words: Words

    public init(_ parley: Parley, words: Words = Words()) { (self.parley, self.words) = (parley, words) }

    public var isActive: Bool { !text.trimmed.isEmpty }
    public var isSearching: Bool { isActive && messages?.isSearching ?? false }
    public var hasMore: Bool { messages?.hasMore ?? false }

    /// What was found, or why nothing was; nil: it speaks for itself.
    public var notice: String? {
        guard isActive, let messages, !messages.isSearching else { return nil }
        if messages.problem?.code == .offline { return "Offline: only this device was searched." }
        return hits.isEmpty && people.isEmpty ? "Nothing was found." : nil
    }

    public var hits: [Hit] {
        guard isActive, let messages else { return [] }
        return messages.found.map { found in
            let message = found.message
            return Hit(
                id: message.id, conversation: message.conversation, seq: message.seq ?? 0,
                title: parley.conversation(message.conversation).title, text: message.text,
                time: words.short(message.sentAt))
        }
    }

    /// Call it when the text has changed, in a task that the next change cancels.
    /// - Parameter pause: how long to wait for the next letter.
    public func search(after pause: Duration = .milliseconds(250)) async {
        let wanted = text.trimmed
        guard !wanted.isEmpty else {
            (people, messages) = ([], nil)
            return
        }
        do { try await Task.sleep(for: pause) } catch { return }
        guard !Task.isCancelled, wanted == text.trimmed else { return }
        messages = parley.search(wanted)
        await attempt { () async throws(Refusal) in
            let found = try await self.parley.searchUsers(wanted, isPicker: true, limit: 10)
            if wanted == self.text.trimmed { self.people = found }
        }
        // The notice says that only the device was searched.
        if problem?.code == .offline { (problem, people) = (nil, []) }
        await messages?.finish()
    }

    public func loadMore() async { await messages?.loadMore() }
}
