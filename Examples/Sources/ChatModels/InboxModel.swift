import Foundation
import Observation
import ParleyKit

/// The screen with all conversations. Whatever it reads from ``Parley`` is observed, so that it has no state of its
/// own.
@MainActor
@Observable
public final class InboxModel {
    /// A line of the list.
    public struct Row: Identifiable, Hashable, Sendable {
        public let id: ConversationID
        public let title: String
        public let preview: String
        public let unread: Int
        public let isPinned: Bool
    }

    private let parley: Parley

    public init(_ parley: Parley) { self.parley = parley }

    // snippet
    public var rows: [Row] { parley.inbox.conversations.map(row) }
    // end

    /// People who ask, and groups that invite me.
    public var requests: [Row] { parley.requests.conversations.map(row) }

    /// What to say above the list; nil: nothing.
    public var banner: String? {
        if let problem = parley.storageProblem { return problem.message }
        return switch parley.connection {
        case .online, .elsewhere: nil
        case .connecting: parley.isFromCache ? "Connecting …" : nil
        case .offline: "Offline. What you write is sent later."
        }
    }

    private func row(_ chat: Conversation) -> Row {
        Row(
            id: chat.id, title: chat.title, preview: chat.draft.isEmpty ? preview(chat) : "Draft: \(chat.draft)",
            unread: chat.unread.messages, isPinned: chat.isPinned)
    }

    private func preview(_ chat: Conversation) -> String {
        guard let message = chat.lastMessage else { return "" }
        if message.isDeleted { return "Deleted" }
        return message.attachment?.name ?? message.text
    }

    /// Call it when the last row appears.
    public func loadMore() async { await parley.inbox.loadMore() }

    public func chat(_ id: ConversationID) -> ChatModel { ChatModel(parley.conversation(id), in: parley) }

    /// Starts a conversation with the person who has exactly this username.
    public func startChat(with username: String) async throws(Refusal) -> ChatModel {
        let person = try await parley.findUser(username)
        return ChatModel(try await parley.startConversation(with: person), in: parley)
    }
}
