/// Counts my unread messages in all conversations. It starts from the states that the server gives and keeps the
/// counts up to date with the items of a ``ConversationFeed`` (proto/REFERENCE.md, "Unread"). It makes no requests.
public struct Unread: Sendable {
    /// The numbers for an app's icon.
    public struct Badge: Hashable, Sendable {
        /// Unread messages of the conversations in my inbox that are neither archived nor muted. A conversation that is
        /// only marked unread counts as one.
        public var badge: Int64 = 0
        /// The number of conversations counted.
        public var conversations: Int64 = 0
        /// The unread messages that mention me.
        public var mentions: Int64 = 0

        /// Creates numbers of no conversation.
        public init() {}

        /// Adds a conversation.
        /// - Parameters:
        ///   - state: my state of it.
        ///   - isArchived: whether it is archived now.
        ///   - now: the server's time in microseconds UTC.
        public mutating func add(
            _ count: UnreadCount, _ state: Parley_V1_InboxState, section: Parley_V1_ConversationSection,
            isArchived: Bool, at now: Int64
        ) {
            guard section == .inbox, !isArchived, state.mutedUntilUs <= now else { return }
            let shown = count.unread == 0 && state.markedUnread ? 1 : count.unread
            badge += shown
            mentions += count.mentions
            if shown > 0 { conversations += 1 }
        }
    }

    private let me: String
    private var sections: [String: Parley_V1_ConversationSection] = [:]
    private var counts: [String: ConversationUnread] = [:]
    /// Conversations that I have left.
    private var left: Set<String> = []
    /// The people whom I block.
    private var blocked: Set<String> = []

    /// Creates a counter that knows no conversation yet.
    /// - Parameter me: my user id.
    public init(me: String) { self.me = me }

    /// Takes an item of the feed.
    public mutating func note(_ item: ConversationFeed.Item) {
        switch item {
        case .message(let message): change(message.conversation) { $0.append(message) }
        case .changed(let message): change(message.conversation) { $0.note(message) }
        case .inboxState(let state): note(state)
        case .messageState(let state): counts[state.conversation]?.note(state)
        case .inbox(let entry): note(entry)
        case .conversation(let conversation): note(conversation)
        case .startedOver(let conversation): forget(conversation)
        case .reactions, .receipt, .readCount, .typing: break
        }
    }

    /// Takes whether I block a person, whose mentions do not count.
    public mutating func note(_ block: Parley_V1_Block) {
        if block.blocked { blocked.insert(block.user.id) } else { blocked.remove(block.user.id) }
        for id in Array(counts.keys) { counts[id]?.noteBlocks(blocked) }
    }

    /// Takes an entry of an inbox page or a sync.
    public mutating func note(_ entry: Parley_V1_InboxEntry) {
        if entry.section != .unspecified { sections[entry.conversation] = entry.section }
        if entry.hasState { note(entry.state) }
        change(entry.conversation) { $0.note(entry) }
    }

    /// Takes an inbox state from an Update or a reply.
    public mutating func note(_ state: Parley_V1_InboxState) { change(state.conversation) { $0.note(state) } }

    /// Takes a page of a conversation's history. With the messages down to the first unread one, no state has to be
    /// requested again.
    public mutating func note(_ page: Parley_V1_GetHistoryReply, of conversation: String) {
        change(conversation) { $0.note(page) }
    }

    private mutating func note(_ conversation: Parley_V1_Conversation) {
        sections[conversation.id] = conversation.section
        if conversation.section == .gone { return forget(conversation.id) }
        let hasLeft = conversation.leftAtUs != 0
        guard left.contains(conversation.id) != hasLeft else { return }
        if hasLeft { left.insert(conversation.id) } else { left.remove(conversation.id) }
        counts[conversation.id]?.changeWindow()
    }

    private mutating func change(_ conversation: String, _ body: (inout ConversationUnread) -> Void) {
        body(&counts[conversation, default: ConversationUnread(me: me, blocked: blocked)])
    }

    /// Forgets a conversation that is no longer mine, or that is delivered again after a restore of the server.
    public mutating func forget(_ conversation: String) { (counts[conversation], sections[conversation]) = (nil, nil) }

    /// Returns the count of a conversation; nil when it is unknown.
    public subscript(conversation: String) -> ConversationUnread? { counts[conversation] }

    /// Returns the numbers for an app's icon.
    /// - Parameter now: the server's time in microseconds UTC.
    public func badge(at now: Int64) -> Badge {
        var badge = Badge()
        for (conversation, held) in counts {
            badge.add(
                held.count(at: now), held.state, section: sections[conversation] ?? .unspecified,
                isArchived: held.isArchived, at: now)
        }
        return badge
    }

    /// Returns the conversations whose counts may be wrong. Request their states again
    /// (``ParleyClient/inboxStates(of:)``).
    /// - Parameter now: the server's time in microseconds UTC.
    public func doubts(at now: Int64) -> [String] {
        counts.filter { $0.value.isInDoubt(at: now) }.keys.sorted()
    }
}

/// Counts my unread messages in one conversation. It makes no requests, and keeps at most 2,000 unread messages.
public struct ConversationUnread: Sendable {
    private let me: String
    private var blocked: Set<String>
    private var basis = UnreadBasis()
    /// Messages above ``UnreadBasis/readUpTo``, by seq.
    private var messages: [Int64: Parley_V1_Message] = [:]
    /// Messages that I hid.
    private var hidden: Set<Int64> = []
    private var newest = Newest()

    static let keptMax = 2000

    init(me: String, blocked: Set<String> = []) { (self.me, self.blocked) = (me, blocked) }

    /// The state from the server that counting starts from.
    public var state: Parley_V1_InboxState { basis.state }

    // MARK: What arrives

    mutating func note(_ state: Parley_V1_InboxState) {
        basis.take(state)
        let read = basis.readUpTo
        messages = messages.filter { $0.key > read }
        hidden = hidden.filter { $0 > read }
    }

    mutating func note(_ entry: Parley_V1_InboxEntry) {
        basis.note(retentionSeconds: entry.retentionSeconds)
        newest.note(entry.lastSeq, sentAt: entry.lastMessage.sentAtUs)
        if entry.hasLastMessage { note(entry.lastMessage) }
    }

    /// Takes the next message that I may read.
    mutating func append(_ message: Parley_V1_Message) {
        basis.hold(from: message.seq, to: message.seq)
        note(message)
    }

    mutating func note(_ page: Parley_V1_GetHistoryReply) {
        for message in page.messages { note(message) }
        guard let last = page.messages.last, last.seq + 1 >= basis.heldFrom ?? page.lastSeq else { return }
        basis.hold(from: page.moreBefore ? page.messages[0].seq : 1, to: last.seq)
    }

    mutating func note(_ message: Parley_V1_Message) {
        newest.note(message.seq, sentAt: message.sentAtUs)
        basis.note(message, by: me)
        guard message.seq > basis.readUpTo else { return }
        if message.own.hidden { hidden.insert(message.seq) }
        messages[message.seq, default: message].take(message)
        guard messages.count > Self.keptMax else { return }
        let dropped = messages.keys.sorted().prefix(Self.keptMax / 4)
        for seq in dropped { messages[seq] = nil }
        basis.dropMessages(before: (dropped.last ?? 0) + 1)
    }

    mutating func note(_ state: Parley_V1_MessageState) {
        if state.hidden, state.seq > basis.readUpTo { hidden.insert(state.seq) }
    }

    mutating func changeWindow() { basis.changeWindow() }

    mutating func noteBlocks(_ people: Set<String>) {
        blocked = people
        if newest.seq > basis.readUpTo { basis.changeWindow() }
    }

    // MARK: Counts

    /// Returns how many messages are unread, and how many of them mention me.
    /// - Parameter now: the server's time in microseconds UTC.
    public func count(at now: Int64) -> UnreadCount {
        let above = basis.countsAbove
        let counted = messages.values.filter { $0.seq > above && !hidden.contains($0.seq) }
        return basis.count(
            counted.sorted { $0.seq < $1.seq }, for: me, blocking: { blocked.contains($0) }, at: now)
    }

    /// Whether the counts may be wrong, so that the state must be requested again.
    /// - Parameter now: the server's time in microseconds UTC.
    public func isInDoubt(at now: Int64) -> Bool { basis.mustAsk(at: now) }

    /// Whether the conversation is archived now.
    public var isArchived: Bool { newest.isArchived(by: state) }
}

/// The newest message of a conversation, as far as it decides whether the conversation is archived.
public struct Newest: Sendable, Equatable {
    public private(set) var seq: Int64 = 0
    /// When it was sent, in microseconds UTC.
    public private(set) var sentAtUs: Int64 = 0

    public init(seq: Int64 = 0, sentAtUs: Int64 = 0) { (self.seq, self.sentAtUs) = (seq, sentAtUs) }

    /// Takes a message; sent at zero: not known.
    public mutating func note(_ seq: Int64, sentAt: Int64) {
        self.seq = max(self.seq, seq)
        sentAtUs = max(sentAtUs, sentAt)
    }

    /// Whether a conversation with this state is archived. A new message brings it back, unless it was sent while the
    /// conversation was muted.
    public func isArchived(by state: Parley_V1_InboxState) -> Bool {
        guard state.archivedAtUs != 0 else { return false }
        return seq <= state.archivedSeq || (state.mutedUntilUs != 0 && sentAtUs <= state.mutedUntilUs)
    }
}
