import Observation

/// A list of my conversations, in the order in which an app shows them: those pinned last come first, then those with
/// the latest news. It changes when a conversation comes, goes or moves. What a conversation contains is observed on
/// the conversation.
///
///     for chat in parley.inbox.conversations {
///         show("\(chat.title): \(chat.lastMessage?.text ?? "")")
///     }
@MainActor
@Observable
public final class ConversationList {
    /// The conversations that are loaded; see ``hasMore``.
    public private(set) var conversations: [Conversation] = []
    /// Whether there are more than those that are loaded.
    public private(set) var hasMore = true
    /// Whether what it shows has not been confirmed by the server since the app started.
    public private(set) var isFromCache = true

    let section: Conversation.Section
    let isArchived: Bool
    @ObservationIgnored private var keys: [ListKey] = []
    @ObservationIgnored private var places: [ConversationID: ListKey] = [:]
    /// Up to where all is loaded.
    @ObservationIgnored private var end: ListKey?
    @ObservationIgnored var loadPage: (@MainActor (ListKey?) async -> Void)?

    init(_ section: Conversation.Section, isArchived: Bool = false) {
        (self.section, self.isArchived) = (section, isArchived)
    }

    /// Loads the next conversations, if there are more.
    public func loadMore() async {
        if hasMore { await loadPage?(end) }
    }

    // MARK: Changing

    /// Shows the next conversations.
    /// - Parameter end: up to where they are all that the store has; nil: as far as the last one.
    func show(_ page: [(Conversation, ListKey)], upTo end: ListKey? = nil, hasMore: Bool) {
        self.hasMore = hasMore
        self.end = end ?? page.last?.1 ?? self.end
        for (conversation, key) in page { place(conversation, at: key) }
    }

    /// Whether a conversation belongs here.
    func has(_ summary: ConversationSummary) -> Bool {
        summary.section == section && summary.own.isArchived == isArchived
    }

    /// Takes what changed about a conversation: it may come, go or move.
    func take(_ summary: ConversationSummary, _ conversation: Conversation) {
        // What comes after the last one that is loaded is loaded with its page.
        let isLoaded = !hasMore || end.map { summary.key < $0 } ?? false
        if has(summary), isLoaded { place(conversation, at: summary.key) } else { remove(summary.id) }
    }

    func confirm() { isFromCache = false }

    func empty() {
        (conversations, keys, places, hasMore, isFromCache, end) = ([], [], [:], true, true, nil)
    }

    /// Returns the place of a conversation; nil if it is not here.
    func key(of id: ConversationID) -> ListKey? { places[id] }

    private func place(_ conversation: Conversation, at key: ListKey) {
        if places[conversation.id] == key { return }
        remove(conversation.id)
        let index = index(of: key)
        keys.insert(key, at: index)
        places[conversation.id] = key
        conversations.insert(conversation, at: index)
    }

    func remove(_ id: ConversationID) {
        guard let key = places.removeValue(forKey: id) else { return }
        let index = index(of: key)
        keys.remove(at: index)
        conversations.remove(at: index)
    }

    /// Returns where a key is, or belongs.
    private func index(of key: ListKey) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
