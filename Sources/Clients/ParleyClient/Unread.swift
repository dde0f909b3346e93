/// What is unread for me, everywhere: begins with the states that the server gives and counts on from the messages and
/// changes of a ``ConversationFeed`` (proto/REFERENCE.md, "Unread"). Pure.
public struct Unread: Sendable {
    /// What an app's icon shows.
    public struct Badge: Hashable, Sendable {
        /// Unread messages of what is in my inbox, not archived and not muted; marked unread counts one.
        public var badge: Int64 = 0
        /// In how many conversations.
        public var conversations: Int64 = 0
        /// How many of them mention me.
        public var mentions: Int64 = 0
    }

    private let me: String
    private var sections: [String: Parley_V1_ConversationSection] = [:]
    private var counts: [String: ConversationUnread] = [:]
    /// Conversations that I have left.
    private var left: Set<String> = []
    /// Conversations that I came back to or left: what I may read of them is another part.
    private var changed: Set<String> = []

    /// Nothing is known yet.
    /// - Parameter me: my user id.
    public init(me: String) { self.me = me }

    /// Takes an item of the feed.
    /// - Parameter now: microseconds by the server's clock.
    public mutating func note(_ item: ConversationFeed.Item, at now: Int64) {
        switch item {
        case .message(let message), .changed(let message): note(message)
        case .inboxState(let state): note(state, at: now)
        case .messageState(let state): counts[state.conversation]?.note(state)
        case .inbox(let entry): note(entry, at: now)
        case .conversation(let conversation): note(conversation)
        case .startedOver(let conversation): forget(conversation)
        case .reactions, .receipt, .readCount: break
        }
    }

    /// A conversation as a page of the inbox or a sync told it.
    public mutating func note(_ entry: Parley_V1_InboxEntry, at now: Int64) {
        if entry.section != .unspecified { sections[entry.conversation] = entry.section }
        guard entry.hasState else { return }
        changed.remove(entry.conversation)
        note(entry.state, at: now)
        counts[entry.conversation]?.note(newest: entry.lastSeq, sentAt: entry.lastMessage.sentAtUs)
        if entry.hasLastMessage { counts[entry.conversation]?.note(entry.lastMessage) }
    }

    /// A state of a conversation, of an Update or a reply.
    public mutating func note(_ state: Parley_V1_InboxState, at now: Int64) {
        let conversation = state.conversation
        if counts[conversation] == nil { counts[conversation] = ConversationUnread(state, me: me, at: now) }
        // Told without a change of my own it was asked for.
        if state.ownPosition == counts[conversation]?.state.ownPosition { changed.remove(conversation) }
        counts[conversation]?.note(state, at: now)
    }

    private mutating func note(_ conversation: Parley_V1_Conversation) {
        sections[conversation.id] = conversation.section
        let hasLeft = conversation.leftAtUs != 0
        guard left.contains(conversation.id) != hasLeft else { return }
        if hasLeft { left.insert(conversation.id) } else { left.remove(conversation.id) }
        if counts[conversation.id] != nil { changed.insert(conversation.id) }
    }

    /// A message, new or changed, or read from the history: the more are known, the less has to be asked again.
    public mutating func note(_ message: Parley_V1_Message) {
        let conversation = message.conversation
        if counts[conversation] == nil {
            // It begins now: I have read nothing of it, and all of it is told.
            counts[conversation] = ConversationUnread(.with { $0.conversation = conversation }, me: me, at: 0)
        }
        counts[conversation]?.note(message)
    }

    /// A conversation is not mine any more, or the server was restored.
    public mutating func forget(_ conversation: String) {
        (counts[conversation], sections[conversation]) = (nil, nil)
        changed.remove(conversation)
    }

    /// How a conversation stands; nil: nothing is known of it.
    public subscript(conversation: String) -> ConversationUnread? { counts[conversation] }

    /// What an app's icon shows.
    public func badge(at now: Int64) -> Badge {
        var badge = Badge()
        for (conversation, count) in counts where sections[conversation] == .inbox {
            guard !count.isArchived, !count.isMuted(at: now) else { continue }
            let (unread, mentions) = (count.unread(at: now), count.mentions(at: now))
            let shown = max(unread, count.state.markedUnread ? 1 : 0)
            badge.badge += shown
            badge.mentions += mentions
            if shown > 0 { badge.conversations += 1 }
        }
        return badge
    }

    /// Conversations whose numbers cannot be known from what was told: ask for their states again
    /// (``ParleyClient/inboxStates(of:)``).
    public func doubts(at now: Int64) -> [String] {
        counts.filter { changed.contains($0.key) || $0.value.isInDoubt(at: now) }.keys.sorted()
    }
}

/// What is unread of one conversation. Pure.
public struct ConversationUnread: Sendable {
    /// What of a message decides whether it counts.
    struct Version: Hashable, Sendable {
        var position: Int64
        /// Deleted for everyone.
        var isDeleted: Bool
        var isEdited: Bool
        var mentionsMe: Bool
        var expiresAt: Int64
    }

    /// The state that is counted on from.
    public private(set) var state: Parley_V1_InboxState
    private let me: String
    /// When the state came.
    private var stateAt: Int64
    /// Others' messages above what I have read, each with its states in order of position: one at or below what the
    /// state was counted up to, and those after it.
    private var versions: [Int64: [Version]] = [:]
    /// Messages that I hid, and at which position of my own stream; zero: before anything that is known.
    private var hidden: [Int64: Int64] = [:]
    /// The newest message that is kept no more, of too many.
    private var cutSeq: Int64 = 0
    private var lastSeq: Int64
    private var lastSentAt: Int64 = 0

    static let keptMax = 2000
    /// The server counts no further.
    static let countedMax: Int64 = 1000

    init(_ state: Parley_V1_InboxState, me: String, at now: Int64) {
        (self.state, self.me, stateAt, lastSeq) = (state, me, now, state.countedSeq)
    }

    /// Some that are new are not among the versions.
    private var isCutShort: Bool { cutSeq > max(floor, state.countedSeq) }

    /// Up to here nothing counts.
    private var floor: Int64 { max(state.readSeq, state.firstSeq - 1, state.clearedSeq) }

    // MARK: What is told

    mutating func note(_ newer: Parley_V1_InboxState, at now: Int64) {
        // Of the same own state that counted further is newer.
        guard (newer.ownPosition, newer.countedPosition) >= (state.ownPosition, state.countedPosition) else { return }
        (state, stateAt) = (newer, now)
        lastSeq = max(lastSeq, newer.countedSeq)
        for seq in versions.keys where seq <= floor { versions[seq] = nil }
        for seq in hidden.keys where seq <= floor { hidden[seq] = nil }
        for (seq, known) in versions { versions[seq] = pruned(known) }
    }

    mutating func note(newest seq: Int64, sentAt: Int64) {
        lastSeq = max(lastSeq, seq)
        lastSentAt = max(lastSentAt, sentAt)
    }

    mutating func note(_ message: Parley_V1_Message) {
        note(newest: message.seq, sentAt: message.sentAtUs)
        guard message.kind != .system, message.sender != me, message.seq > floor else { return }
        if message.own.hidden, hidden[message.seq] == nil { hidden[message.seq] = 0 }
        let version = Version(
            position: message.position,
            isDeleted: message.deletedAtUs != 0 && message.deletedAtUs != message.expiresAtUs,
            isEdited: message.editedAtUs != 0, mentionsMe: message.mentions.contains(me),
            expiresAt: message.expiresAtUs)
        var known = versions[message.seq] ?? []
        guard !known.contains(where: { $0.position == version.position }) else { return }
        // What is hidden or gone does not say whom it mentions: what is known of it stays.
        if message.own.hidden, !version.isDeleted, !known.isEmpty { return }
        known.append(version)
        known.sort { $0.position < $1.position }
        versions[message.seq] = pruned(known)
        forgetMax()
    }

    mutating func note(_ state: Parley_V1_MessageState) {
        guard state.hidden, state.seq > floor else { return }
        if hidden[state.seq] ?? 0 == 0 { hidden[state.seq] = state.ownPosition }
    }

    /// Without what no question can be about any more.
    private func pruned(_ known: [Version]) -> [Version] {
        guard let base = known.lastIndex(where: { $0.position <= state.countedPosition }) else { return known }
        return Array(known[base...])
    }

    private mutating func forgetMax() {
        guard versions.count > Self.keptMax else { return }
        let oldest = versions.keys.sorted().prefix(Self.keptMax / 4)
        for seq in oldest { versions[seq] = nil }
        cutSeq = max(cutSeq, oldest.last ?? 0)
    }

    // MARK: What follows from it

    /// How many messages are unread; 1,000: as many or more.
    public func unread(at now: Int64) -> Int64 {
        min(max(state.unread + differences(at: now).unread, 0), Self.countedMax)
    }

    /// How many of them mention me.
    public func mentions(at now: Int64) -> Int64 {
        min(max(state.mentions + differences(at: now).mentions, 0), Self.countedMax)
    }

    /// The numbers may be wrong, and only the server can tell.
    public func isInDoubt(at now: Int64) -> Bool {
        let change = differences(at: now)
        return change.isInDoubt || (isCutShort && state.unread + change.unread < Self.countedMax)
            || (state.unread >= Self.countedMax && change.unread < 0)
            || (state.mentions >= Self.countedMax && change.mentions < 0)
    }

    /// Whether it is archived as things stand: a message brings it back, unless it was sent while it was muted.
    public var isArchived: Bool {
        guard state.archivedAtUs != 0 else { return false }
        return !(lastSeq > state.archivedSeq && (state.mutedUntilUs == 0 || lastSentAt > state.mutedUntilUs))
    }

    /// Whether it is muted at a time.
    public func isMuted(at now: Int64) -> Bool { state.mutedUntilUs > now }

    private struct Differences {
        var unread: Int64 = 0
        var mentions: Int64 = 0
        var isInDoubt = false
    }

    private func differences(at now: Int64) -> Differences {
        var sum = Differences()
        for (seq, known) in versions where seq > floor { add(seq, known, to: &sum, at: now) }
        // What was hidden since counted, if it did; of a message that is not known nobody can say.
        for (seq, position) in hidden where seq > floor && seq <= state.countedSeq && versions[seq] == nil {
            if position > state.ownPosition, state.unread > 0 { sum.isInDoubt = true }
        }
        return sum
    }

    private func add(_ seq: Int64, _ known: [Version], to sum: inout Differences, at now: Int64) {
        guard let last = known.last else { return }
        let isHidden = hidden[seq] != nil
        let counts = !isHidden && self.counts(last, at: now)
        if counts { (sum.unread, sum.mentions) = (sum.unread + 1, sum.mentions + (last.mentionsMe ? 1 : 0)) }
        guard seq <= state.countedSeq else { return }
        guard let before = known.first, before.position <= state.countedPosition else {
            return subtractUnknown(known[0], seq, to: &sum)
        }
        if wasShown(seq), self.counts(before, at: stateAt) {
            (sum.unread, sum.mentions) = (sum.unread - 1, sum.mentions - (before.mentionsMe ? 1 : 0))
        }
    }

    /// What a message counted for in the state, when only a later version of it is known.
    private func subtractUnknown(_ first: Version, _ seq: Int64, to sum: inout Differences) {
        // What is deleted was not when it was counted: it never changes again.
        var before = first
        before.isDeleted = false
        guard wasShown(seq), counts(before, at: stateAt) else { return }
        sum.unread -= 1
        // Of those that counted none mentioned me; or else an edit or a deletion may have taken it away.
        guard state.mentions > 0 else { return }
        if first.isDeleted || first.isEdited { sum.isInDoubt = true }
        sum.mentions -= first.mentionsMe ? 1 : 0
    }

    private func wasShown(_ seq: Int64) -> Bool { hidden[seq].map { $0 > state.ownPosition } ?? true }

    private func counts(_ version: Version, at now: Int64) -> Bool {
        !version.isDeleted && (version.expiresAt == 0 || version.expiresAt > now)
    }
}
