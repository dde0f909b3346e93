import Foundation
import Observation
import ParleyKit

/// The screen with messages of all conversations that mention me or that I starred.
@MainActor
@Observable
public final class OverviewModel: Acting {
    /// A message as it is listed.
    public struct Row: Identifiable, Hashable, Sendable {
        public let id: MessageID
        public let conversation: ConversationID
        public let seq: Int64
        /// Of the conversation.
        public let title: String
        public let author: String
        public let text: String
        public let time: String
        public let isStarred: Bool
        /// All of it, for VoiceOver.
        public let label: String
    }

    public var problem: Refusal?
    public var kind: MentionsAndStars { didSet { list = parley.list(of: kind) } }
    private var list: MentionsAndStarsList
    private let parley: Parley
    private let words: Words

    public init(_ parley: Parley, _ kind: MentionsAndStars = .mentions, words: Words = Words()) {
        (self.parley, self.words, self.kind, list) = (parley, words, kind, parley.list(of: kind))
    }

    public var rows: [Row] { list.messages.map(row) }
    public var hasMore: Bool { list.hasMore }

    /// What to say below the list; nil: nothing.
    public var notice: String? {
        if let problem = list.problem { return problem.text }
        guard list.messages.isEmpty, !list.hasMore else { return nil }
        return kind == .starred ? "You have not starred any message." : "Nobody has mentioned you."
    }

    /// Call it when the list appears or is another one.
    public func load() async { await list.load() }
    /// Call it when the last row appears.
    public func loadMore() async { await list.loadMore() }

    /// Stars a message, or the reverse.
    public func toggleStar(_ id: MessageID) async {
        guard let message = list.messages.first(where: { $0.id == id }) else { return }
        await attempt { () async throws(Refusal) in
            try await self.parley.conversation(message.conversation).star(message, !message.isStarred)
        }
    }

    private func row(_ message: Message) -> Row {
        let chat = parley.conversation(message.conversation)
        let author = message.sender == parley.user ? "You" : message.sender.flatMap(chat.user)?.displayName ?? "…"
        let text = InboxModel.Row.text(of: message, in: chat, parley)
        let time = words.short(message.sentAt)
        let states = [author, text, chat.title, time, message.isStarred ? "starred" : ""]
        return Row(
            id: message.id, conversation: chat.id, seq: message.seq ?? 0, title: chat.title, author: author, text: text,
            time: time, isStarred: message.isStarred, label: states.filter { !$0.isEmpty }.joined(separator: ", "))
    }
}

extension MentionsAndStars {
    public static let shown: [Self] = [.mentions, .starred]

    public var title: String {
        switch self {
        case .mentions: "Mentions"
        case .starred: "Starred"
        case .mentionsAndStars: "All"
        }
    }
}
