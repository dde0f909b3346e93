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
    }

    private let me: String
    private var sections: [String: Parley_V1_ConversationSection] = [:]
    private var counts: [String: ConversationUnread] = [:]
    /// Conversations that I have left.
    private var left: Set<String> = []
    /// Conversations that I left or came back to: my window of readable messages changed.
    private var changed: Set<String> = []

    /// Creates a counter that knows no conversation yet.
    /// - Parameter me: my user id.
    public init(me: String) { self.me = me }

    /// Takes an item of the feed.
    public mutating func note(_ item: ConversationFeed.Item) {
        switch item {
        case .message(let message), .changed(let message): note(message)
        case .inboxState(let state): note(state)
        case .messageState(let state): counts[state.conversation]?.note(state)
        case .inbox(let entry): note(entry)
        case .conversation(let conversation): note(conversation)
        case .startedOver(let conversation): forget(conversation)
        case .reactions, .receipt, .readCount: break
        }
    }

    /// Takes an entry of an inbox page or a sync.
    public mutating func note(_ entry: Parley_V1_InboxEntry) {
        if entry.section != .unspecified { sections[entry.conversation] = entry.section }
        guard entry.hasState else { return }
        changed.remove(entry.conversation)
        note(entry.state)
        counts[entry.conversation]?.note(newest: entry.lastSeq, sentAt: entry.lastMessage.sentAtUs)
        if entry.hasLastMessage { counts[entry.conversation]?.note(entry.lastMessage) }
    }

    /// Takes an inbox state from an Update or a reply.
    public mutating func note(_ state: Parley_V1_InboxState) {
        let conversation = state.conversation
        if counts[conversation] == nil { counts[conversation] = ConversationUnread(state, me: me) }
        // A state without a change of my own was requested, and is up to date.
        if state.ownPosition == counts[conversation]?.state.ownPosition { changed.remove(conversation) }
        counts[conversation]?.note(state)
    }

    private mutating func note(_ conversation: Parley_V1_Conversation) {
        sections[conversation.id] = conversation.section
        let hasLeft = conversation.leftAtUs != 0
        guard left.contains(conversation.id) != hasLeft else { return }
        if hasLeft { left.insert(conversation.id) } else { left.remove(conversation.id) }
        if counts[conversation.id] != nil { changed.insert(conversation.id) }
    }

    /// Takes a message that is new, has changed or comes from the history. The more messages are known, the fewer
    /// states have to be requested again.
    public mutating func note(_ message: Parley_V1_Message) {
        let conversation = message.conversation
        if counts[conversation] == nil {
            // The conversation is new: I have read nothing of it, and all its messages arrive as Updates.
            counts[conversation] = ConversationUnread(.with { $0.conversation = conversation }, me: me)
        }
        counts[conversation]?.note(message)
    }

    /// Forgets a conversation that is no longer mine, or that is delivered again after a restore of the server.
    public mutating func forget(_ conversation: String) {
        (counts[conversation], sections[conversation]) = (nil, nil)
        changed.remove(conversation)
    }

    /// Returns the count of a conversation; nil when it is unknown.
    public subscript(conversation: String) -> ConversationUnread? { counts[conversation] }

    /// Returns the numbers for an app's icon.
    /// - Parameter now: the server's time in microseconds UTC.
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

    /// Returns the conversations whose counts may be wrong. Request their states again
    /// (``ParleyClient/inboxStates(of:)``).
    /// - Parameter now: the server's time in microseconds UTC.
    public func doubts(at now: Int64) -> [String] {
        counts.filter { changed.contains($0.key) || $0.value.isInDoubt(at: now) }.keys.sorted()
    }
}

/// Counts my unread messages in one conversation. It makes no requests.
public struct ConversationUnread: Sendable {
    /// The parts of a message that decide whether it counts.
    struct Version: Hashable, Sendable {
        var position: Int64
        /// Deleted for everyone.
        var isDeleted: Bool
        var isEdited: Bool
        var mentionsMe: Bool
        var expiresAt: Int64
    }

    /// The state from the server that counting starts from.
    public private(set) var state: Parley_V1_InboxState
    private let me: String
    /// Unread messages of others by seq, each with its versions in order of position: the last one at or below
    /// `countedPosition` of the state, and the later ones.
    private var versions: [Int64: [Version]] = [:]
    /// Messages that I hid, with the position in my own stream; zero: before everything known.
    private var hidden: [Int64: Int64] = [:]
    /// The newest message that was dropped because too many were kept.
    private var cutSeq: Int64 = 0
    private var lastSeq: Int64
    private var lastSentAt: Int64 = 0

    static let keptMax = 2000
    /// The server counts up to this number.
    static let countedMax: Int64 = 1000

    init(_ state: Parley_V1_InboxState, me: String) {
        (self.state, self.me, lastSeq) = (state, me, state.countedSeq)
    }

    /// Whether new messages are missing from the versions.
    private var isCutShort: Bool { cutSeq > max(floor, state.countedSeq) }

    /// Messages up to this seq do not count.
    private var floor: Int64 { max(state.readSeq, state.firstSeq - 1, state.clearedSeq) }

    // MARK: Taking changes

    mutating func note(_ newer: Parley_V1_InboxState) {
        // Of two states with the same own position, the one counted further is newer.
        guard (newer.ownPosition, newer.countedPosition) >= (state.ownPosition, state.countedPosition) else { return }
        state = newer
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
        // A hidden or disappeared message does not contain its mentions, so the known version stays.
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

    /// Drops the versions that no count depends on any longer.
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

    // MARK: Counts

    /// Returns how many messages are unread; 1,000 means 1,000 or more.
    /// - Parameter now: the server's time in microseconds UTC.
    public func unread(at now: Int64) -> Int64 {
        min(max(state.unread + differences(at: now).unread, 0), Self.countedMax)
    }

    /// Returns how many unread messages mention me; 1,000 means 1,000 or more.
    /// - Parameter now: the server's time in microseconds UTC.
    public func mentions(at now: Int64) -> Int64 {
        min(max(state.mentions + differences(at: now).mentions, 0), Self.countedMax)
    }

    /// Whether the counts may be wrong, so that the state must be requested again.
    /// - Parameter now: the server's time in microseconds UTC.
    public func isInDoubt(at now: Int64) -> Bool {
        let change = differences(at: now)
        return change.isInDoubt || (isCutShort && state.unread + change.unread < Self.countedMax)
            || (state.unread >= Self.countedMax && change.unread < 0)
            || (state.mentions >= Self.countedMax && change.mentions < 0)
    }

    /// Whether the conversation is archived now. A new message brings it back, unless it was sent while the
    /// conversation was muted.
    public var isArchived: Bool {
        guard state.archivedAtUs != 0 else { return false }
        return !(lastSeq > state.archivedSeq && (state.mutedUntilUs == 0 || lastSentAt > state.mutedUntilUs))
    }

    /// Whether the conversation is muted.
    /// - Parameter now: the server's time in microseconds UTC.
    public func isMuted(at now: Int64) -> Bool { state.mutedUntilUs > now }

    private struct Differences {
        var unread: Int64 = 0
        var mentions: Int64 = 0
        var isInDoubt = false
    }

    private func differences(at now: Int64) -> Differences {
        var sum = Differences()
        for (seq, known) in versions where seq > floor { add(seq, known, to: &sum, at: now) }
        // A message hidden since may have counted, but without the message that cannot be known.
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
        if wasShown(seq), self.counts(before, at: state.countedAtUs) {
            (sum.unread, sum.mentions) = (sum.unread - 1, sum.mentions - (before.mentionsMe ? 1 : 0))
        }
    }

    /// Subtracts what a message counted for in the state when only a later version of it is known.
    private func subtractUnknown(_ first: Version, _ seq: Int64, to sum: inout Differences) {
        // A deleted message never changes again, so it was not yet deleted when it was counted.
        var before = first
        before.isDeleted = false
        guard wasShown(seq), counts(before, at: state.countedAtUs) else { return }
        sum.unread -= 1
        // If no counted message mentioned me, neither did this one. Otherwise an edit or deletion may have removed a
        // mention.
        guard state.mentions > 0 else { return }
        if first.isDeleted || first.isEdited { sum.isInDoubt = true }
        sum.mentions -= first.mentionsMe ? 1 : 0
    }

    private func wasShown(_ seq: Int64) -> Bool { hidden[seq].map { $0 > state.ownPosition } ?? true }

    private func counts(_ version: Version, at now: Int64) -> Bool {
        !version.isDeleted && (version.expiresAt == 0 || version.expiresAt > now)
    }
}
