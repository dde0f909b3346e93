import Foundation
import Observation
import ParleyClient

/// A search for messages: those on the device at once, then those that the server finds, in one list. It is of one
/// moment; what arrives later is not added.
///
///     let search = parley.search("pizza")
///     for found in search.found { show(found.message.text) }
@MainActor
@Observable
public final class MessageSearch {
    /// A message that has all the words.
    ///
    ///     let words = found.matches.map { String(found.message.text[$0]) }
    public struct Found: Identifiable, Hashable, Sendable {
        public let message: Message
        /// Where the words are in the message's text.
        public let matches: [Range<String.Index>]

        public var id: MessageID { message.id }
    }

    /// What is searched for.
    public let text: String
    /// Where; nil: everywhere.
    public let conversation: ConversationID?
    /// What was found so far, the newest first.
    public private(set) var found: [Found] = []
    /// Whether more may come by itself.
    public private(set) var isSearching = true
    /// Whether ``loadMore()`` may find older messages.
    public private(set) var hasMore = false
    /// Why the server was not asked, or did not answer: what is found is what the device has. Nil: it answered.
    public private(set) var problem: Refusal?

    @ObservationIgnored private weak var parley: Parley?
    @ObservationIgnored private let account: Account?
    @ObservationIgnored private let query: SearchQuery?
    @ObservationIgnored private var running: Task<Void, Never>?
    @ObservationIgnored private var known: Set<MessageID> = []
    /// Before this time, in microseconds UTC, the device is searched next; nil: it has no more.
    @ObservationIgnored private var localBefore: Int64? = .max
    /// Where the server goes on; nil: it has no more.
    @ObservationIgnored private var cursor: String? = ""

    private static let pageSize = 50
    /// A batch of messages that takes about a tenth of a second.
    nonisolated private static let indexedAtOnce = 5000

    init(_ text: String, in conversation: ConversationID?, _ parley: Parley) {
        (self.text, self.conversation, self.parley, account) = (text, conversation, parley, parley.account)
        query = SearchQuery(text)
        run()
    }

    /// Waits until the device and the server have answered.
    public func finish() async { await running?.value }

    /// Looks for older messages, if there are any.
    public func loadMore() async {
        await finish()
        guard hasMore else { return }
        run()
        await finish()
    }

    private func run() {
        isSearching = true
        running = Task {
            await readDevice()
            await askServer()
            hasMore = query != nil && (localBefore != nil || (cursor != nil && problem == nil))
            isSearching = false
        }
    }

    private func readDevice() async {
        guard let query, let account, let before = localBefore else { return }
        let (id, limit, now) = (conversation?.rawValue, Self.pageSize, account.now)
        var isIndexed = false
        while !isIndexed, let parley, account === parley.account {
            // Where nothing can be written, what was indexed before is found.
            isIndexed = await parley.write { try $0.indexWords(atMost: Self.indexedAtOnce) } ?? true
            let page = await parley.read { store in
                try store.search(query, in: id, before: before, limit: limit, at: now)
            }
            guard let page else { return localBefore = nil }
            localBefore = page.count < limit ? nil : page.last?.sentAtUs
            take(page)
        }
    }

    private func askServer() async {
        guard query != nil else {
            problem = Refusal(.invalid, "Search for letters, digits or emoji.", field: "text")
            return
        }
        guard let cursor else { return }
        guard let parley, account === parley.account, parley.connection == .online, let client = parley.client else {
            problem = .notSearched
            return
        }
        do {
            let reply = try await client.search(
                .with {
                    ($0.text, $0.conversation, $0.cursor) = (text, conversation?.rawValue ?? "", cursor)
                    $0.limit = UInt32(Self.pageSize)
                })
            (problem, self.cursor) = (nil, reply.more ? reply.cursor : nil)
            take(reply.found.map(\.message))
        } catch {
            problem = Refusal(error)
        }
    }

    /// Adds what is not there yet.
    private func take(_ messages: [Parley_V1_Message]) {
        guard let query else { return }
        let new = messages.map(Message.init).filter { !$0.isDeleted && !$0.isHidden && known.insert($0.id).inserted }
        guard !new.isEmpty else { return }
        let added = new.map { Found(message: $0, matches: query.matches(in: $0.text) ?? []) }
        found = (found + added).sorted { one, other in
            (one.message.sentAt, one.message.conversation.rawValue, one.message.seq ?? 0)
                > (other.message.sentAt, other.message.conversation.rawValue, other.message.seq ?? 0)
        }
    }
}

extension Parley {
    /// Searches for messages that contain all the words, without case and accents; the last word may be unfinished.
    /// Without a connection it finds those that are on the device.
    /// - Parameter conversation: where to search; nil: everywhere.
    public func search(_ text: String, in conversation: ConversationID? = nil) -> MessageSearch {
        MessageSearch(text, in: conversation, self)
    }
}
