import Foundation
import Observation
import ParleyKit

/// The screen with all conversations. Whatever it reads from ``Parley`` is observed, so that it keeps none of it.
@MainActor
@Observable
public final class InboxModel: Acting {
    public var problem: Refusal?
    /// The conversation that is on the screen; nil: none.
    public var opened: ConversationID?
    /// The same as a path of views.
    public var path: [ConversationID] {
        get { opened.map { [$0] } ?? [] }
        set { opened = newValue.last }
    }
    public let search: SearchModel
    private let parley: Parley
    private let words: Words
    @ObservationIgnored private var chats: [ConversationID: ChatModel] = [:]

    public init(_ parley: Parley, words: Words = Words()) {
        (self.parley, self.words, search) = (parley, words, SearchModel(parley, words: words))
    }

    // snippet
    public var rows: [Row] { parley.inbox.conversations.map(row) }
    // end

    /// People who ask, and groups that invite me.
    public var requests: [Row] { parley.requests.conversations.map(row) }
    public var archived: [Row] { parley.archived.conversations.map(row) }

    /// The heading of the requests: "2 requests, 1 new".
    public var requestsTitle: String {
        let all = words.count(max(parley.requestCount.total, requests.count), "request", "requests")
        return unseenRequests == 0 ? all : "\(all), \(unseenRequests.formatted(.number.locale(words.locale))) new"
    }

    /// How many requests I have not seen.
    public var unseenRequests: Int { parley.requestCount.unread }
    /// Unread messages in all conversations that are not muted.
    public var badge: Int { parley.badge.messages }
    /// "2 suggestions"; nil: there are none.
    public var suggestions: String? {
        let count = parley.suggestions.count
        return count == 0 ? nil : words.count(count, "suggestion", "suggestions")
    }
    /// Whether to say that there is nothing yet.
    public var isEmpty: Bool { rows.isEmpty && requests.isEmpty && !parley.isFromCache }
    public var hasMore: Bool { parley.inbox.hasMore }

    /// What to say above the list; nil: nothing.
    public var banner: String? {
        if let problem = parley.storageProblem { return problem.text }
        return switch parley.connection {
        case .online, .elsewhere: nil
        case .connecting: parley.isFromCache ? "Connecting …" : nil
        case .offline: "Offline. What you write is sent later."
        }
    }

    /// Call it when the list appears, and when its people change: who is online is then known.
    public func watch() async {
        let people = parley.inbox.conversations.compactMap(\.other?.id).prefix(200)
        await attempt { () async throws(Refusal) in try await self.parley.watchPresence(of: Array(people)) }
    }

    /// Call it when the last row appears.
    public func loadMore() async { await parley.inbox.loadMore() }
    public func loadMoreArchived() async { await parley.archived.loadMore() }

    /// Call it when the requests are on the screen: they are new no longer.
    public func sawRequests() async {
        guard unseenRequests > 0 else { return }
        await attempt { () async throws(Refusal) in
            try await self.parley.markRequestsRead(self.parley.requests.conversations)
        }
    }

    // MARK: What a swipe does

    public func pin(_ row: Row) async {
        await attempt { () async throws(Refusal) in try await self.chat(of: row).pin(!row.isPinned) }
    }

    public func mute(_ row: Row) async {
        await attempt { () async throws(Refusal) in
            if row.isMuted { try await self.chat(of: row).unmute() } else { try await self.chat(of: row).mute() }
        }
    }

    public func archive(_ row: Row) async {
        await attempt { () async throws(Refusal) in try await self.chat(of: row).archive(!row.isArchived) }
    }

    /// Marks it as read, or as unread if it is.
    public func toggleRead(_ row: Row) async {
        await attempt { () async throws(Refusal) in
            let chat = self.chat(of: row)
            if row.isUnread { try await chat.markRead() } else { try await chat.markUnread() }
        }
    }

    public func accept(_ row: Row) async {
        if await attempt({ () async throws(Refusal) in try await self.chat(of: row).accept() }) { opened = row.id }
    }

    public func decline(_ row: Row) async {
        await attempt { () async throws(Refusal) in try await self.chat(of: row).decline() }
    }

    private func chat(of row: Row) -> Conversation { parley.conversation(row.id) }

    // MARK: Other screens

    /// Returns the model of a conversation's screen, always the same one.
    public func chat(_ id: ConversationID) -> ChatModel {
        if let known = chats[id] { return known }
        let model = ChatModel(parley.conversation(id), in: parley, words: words)
        chats[id] = model
        return model
    }

    public func suggested() -> SuggestionsModel { SuggestionsModel(parley, words: words) }

    public func newMessage() -> NewMessageModel {
        NewMessageModel(parley, words: words) { [weak self] in self?.opened = $0.id }
    }

    /// Opens the conversation with a person, which begins with the first message if there is none.
    public func open(_ person: User) async {
        await attempt { () async throws(Refusal) in
            self.opened = try await self.parley.startConversation(with: person).id
        }
    }

    /// Opens a message that was found.
    public func open(_ hit: SearchModel.Hit) async {
        opened = hit.conversation
        await chat(hit.conversation).show(hit.seq)
    }

    /// Starts a conversation with the person who has exactly this username.
    public func startChat(with username: String) async throws(Refusal) -> ChatModel {
        let person = try await parley.findUser(username)
        return chat(try await parley.startConversation(with: person).id)
    }

    private func row(_ chat: Conversation) -> Row { Row(chat, in: parley, words) }
}
