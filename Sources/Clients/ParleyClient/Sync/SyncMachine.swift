/// Keeps what a client holds equal to what the server has: the rules of proto/REFERENCE.md ("Updates" to "Unread") as a
/// value. It does no I/O and holds no message: it remembers where each stream stands, takes what arrives, and returns
/// what to store and what to request.
///
///     var machine = SyncMachine(restoring: streams, records)      // as stored by `SyncChange.stream` and `.record`
///     perform(machine.connected(as: welcome.user, cells: welcome.cells, at: .now))
///     perform(machine.received(update, at: .now))                 // each Update
///     perform(machine.replied(question.number, with: reply, at: .now))
///     perform(machine.woke(at: .now))                             // at the time of `SyncAction.wake`
///
/// Time only decides when to request. An Update costs the same however much is held; a page of a reply costs its own
/// length. What is held of a stream's later Updates, and how many requests are under way, is bounded (``Options``).
public struct SyncMachine: Sendable {
    public struct Options: Sendable {
        /// The messages that are read of a conversation of which nothing is held.
        public enum Loading: Sendable, Hashable {
            /// All, from the first one on.
            case all
            /// A number of the newest, at most 200. Zero: none, until ``SyncMachine/readEarlier(of:limit:at:)``.
            case newest(UInt32)
        }

        public var loading = Loading.all
        /// Whether what was missed of a conversation between sessions is only read once somebody looks at it
        /// (``SyncMachine/look(at:now:)``), or something else happens there. `Sync` says how many messages are unread,
        /// and which is the newest.
        public var readsWhenLookedAt = false
        /// The services to follow, by the first part of their streams' names.
        public var services: Set<String> = ["conversations", "entities", "messaging"]
        /// How long a later Update waits for the earlier ones before they are requested.
        public var patience = Duration.milliseconds(250)
        /// The most Updates held for one stream. When one more arrives they are dropped; the request brings them again.
        public var heldMax = 1000
        /// The most conversations of which a `Sync` says what is held, at most 200: those with the latest news. Each is
        /// about 50 bytes of the request.
        public var heldSent = 100
        /// The most requests under way.
        public var askedMax = 4
        /// The wait after the first failure of a request; each further one doubles it, up to ``retryLast``. The waits
        /// are up to half as long again, at random.
        public var retryFirst = Duration.milliseconds(500)
        public var retryLast = Duration.seconds(30)
        /// The kinds of Updates that are known, by how the names of their streams begin; with spaces between them.
        var kinds = Update.kinds
        /// Seeds the random part of waits.
        public var seed: UInt64 = 1

        public init() {}
    }

    /// What a request is about. Only one is under way of each.
    enum Subject: Hashable, Sendable {
        case stream(String)
        case earlier(conversation: String)
        case later(conversation: String)
        case inboxStates
        case blocks
        case receipts(conversation: String)
    }

    public let options: Options
    /// My user id; empty before the first session.
    public private(set) var me = ""
    var streams: [String: SyncStream] = [:]
    var records: [String: ConversationRecord] = [:]
    /// Streams with Updates that wait for earlier ones.
    var gaps: Set<String> = []
    /// When the next missing Updates are requested, or earlier; nil: none are missing.
    var nextDue: ContinuousClock.Instant?
    var asking = SyncAsking()
    /// My streams that the current session has not synced yet.
    var unsynced: Set<String> = []
    /// The cells of messaging. I have a stream in each.
    var cells: [String] = []
    /// Conversations that a `Sync` from the beginning has not returned yet.
    var unseen: Set<String>?
    /// The pages of ListBlocked read so far.
    var blocks: [Parley_V1_Block] = []
    var blocksCursor = ""
    /// Whether the blocks changed, as some page of the current `Sync` said.
    var blocksChanged = false
    /// Conversations of which to request my inbox state.
    var uncounted: Set<String> = []
    /// Numbers of messages to read of conversations before those held.
    var wanted: [String: UInt32] = [:]
    /// The conversations that somebody looked at, the last one last.
    var lookedAt: [String] = []
    /// What the session has read of receipts.
    var receipts = SyncReceipts()
    /// Seqs after which to read the messages of conversations.
    var wantedAfter: [String: Int64] = [:]
    /// Who is typing.
    var typists = SyncTyping()
    private(set) var isConnected = false
    private(set) var hasSynced = false

    // What the current input has changed.
    var actions: [SyncAction] = []
    var changedStreams: Set<String> = []
    var changedRecords: Set<String> = []
    private var wakesAt: ContinuousClock.Instant?

    /// Creates a machine.
    /// - Parameters:
    ///   - streams: those that were stored; none: a new client.
    ///   - records: those that were stored.
    public init(
        restoring streams: some Sequence<StoredStream> = [], _ records: some Sequence<ConversationRecord> = [],
        options: Options = Options()
    ) {
        self.options = options
        asking.random = options.seed
        for stream in streams {
            self.streams[stream.name] = SyncStream(stream)
            if wasReadWhole(stream) { self.streams[stream.name]?.stored.kinds = nil } else { readAnew(stream.name) }
            if stream.service == "conversations", stream.isBehind { blocksChanged = true }
        }
        for record in records { self.records[record.id] = record }
    }

    // MARK: Looking

    /// Whether everything that was missed is stored and nothing is known to be missing. Without a session it is not.
    public var isQuiet: Bool { isConnected && hasSynced && asking.isIdle && gaps.isEmpty }

    /// Whether all changes of a conversation's messages that the machine knows of are stored.
    public func isLevel(_ conversation: String) -> Bool {
        let name = StoredStream.messages(of: conversation)
        return !gaps.contains(name) && !(streams[name]?.stored.isBehind ?? false)
    }

    /// Returns the position up to which a stream is stored; nil when it is not followed.
    public func position(of stream: String) -> Int64? { streams[stream]?.stored.position }

    /// Returns what the machine remembers of a conversation; nil when it knows nothing of it.
    public func record(of conversation: String) -> ConversationRecord? { records[conversation] }

    // MARK: Inputs

    /// A session began, and any earlier one has ended: syncs, and holds the Updates that arrive meanwhile.
    /// - Parameters:
    ///   - user: the user id of welcome; empty: not signed in, so nothing can be followed.
    ///   - cells: the cells of welcome.
    public mutating func connected(
        as user: String, cells: [String], at now: ContinuousClock.Instant
    ) -> [SyncAction] {
        guard !user.isEmpty else { return [] }
        if !me.isEmpty, me != user { startAnew() }
        (me, isConnected) = (user, true)
        endAllTyping()
        asking.forgetAll()
        self.cells = cells
        for name in streams.keys { streams[name]?.endSession() }
        let mine = ["conversations/u/\(me)"] + ownStreams + ["entities/u/\(me)"]
        unsynced = []
        for name in mine where options.services.contains(String(StoredStream(name).service)) {
            if streams[name] == nil { streams[name] = SyncStream(StoredStream(name)) }
            unsynced.insert(name)
            asking.add(.stream(name))
        }
        // What an earlier session held may be of another history of the server.
        for name in gaps {
            streams[name]?.dropHeld()
            if StoredStream(name).conversation != nil { streams[name]?.stored.isBehind = true }
        }
        gaps = []
        // What an earlier session or start still lacked.
        for (name, stream) in streams.sorted(by: { $0.key < $1.key })
        where stream.stored.isBehind && !isDormant(name) {
            asking.add(.stream(name))
        }
        for conversation in wanted.keys.sorted() { asking.add(.earlier(conversation: conversation)) }
        for conversation in wantedAfter.keys.sorted() { asking.add(.later(conversation: conversation)) }
        if !uncounted.isEmpty { asking.add(.inboxStates) }
        if blocksChanged { asking.add(.blocks) }
        receipts = SyncReceipts()
        if let open = lookedAt.last { readReceipts(of: open) }
        return finish(at: now)
    }

    /// The session ended: no request is answered any more.
    public mutating func disconnected(at now: ContinuousClock.Instant) -> [SyncAction] {
        isConnected = false
        endAllTyping()
        asking.forgetAll()
        for name in streams.keys { streams[name]?.endSession() }
        return finish(at: now)
    }

    /// Takes an Update of the current session.
    public mutating func received(_ update: Update, at now: ContinuousClock.Instant) -> [SyncAction] {
        // A body that cannot be read is of a newer server: its position counts.
        let content = (try? update.content()) ?? .other
        if update.position > 0 {
            receive(content, stream: update.stream, at: update.position, now)
        } else {
            apply(unordered: content, now)
        }
        return finish(at: now)
    }

    /// Takes the state in a reply to a request of the app's own, whose Update does not come to this session.
    public mutating func learned(_ content: Update.Content, at now: ContinuousClock.Instant) -> [SyncAction] {
        switch content {
        case .message(let message):
            receive(content, stream: StoredStream.messages(of: message.conversation), at: message.position, now)
        case .inboxState(let state):
            // Of one that was only read, the position is reached already.
            take(state)
            learnedOwn(.other, of: state.conversation, at: state.ownPosition, now)
        case .messageState(let state): learnedOwn(content, of: state.conversation, at: state.ownPosition, now)
        case .conversation(let conversation):
            receive(content, stream: "conversations/u/\(me)", at: conversation.position, now)
        default: break
        }
        return finish(at: now)
    }

    /// Takes a state of my own stream in the cell of a conversation.
    private mutating func learnedOwn(
        _ content: Update.Content, of conversation: String, at position: Int64, _ now: ContinuousClock.Instant
    ) {
        guard let name = ownStream(of: conversation) else {
            for name in ownStreams { asking.add(.stream(name)) }
            return
        }
        receive(content, stream: name, at: position, now)
    }

    /// Notes that a request of the app's own got no reply, or an incomplete one: it may have changed a stream.
    /// - Parameter conversation: the conversation whose messages may have changed; nil: my own state.
    public mutating func unsure(of conversation: String?, at now: ContinuousClock.Instant) -> [SyncAction] {
        let name = conversation.map(StoredStream.messages(of:))
        let names = name.flatMap { streams[$0] == nil ? nil : [$0] } ?? ownStreams
        for name in names { asking.retry(.stream(name), at: now + options.retryFirst) }
        return finish(at: now)
    }

    /// The time of ``SyncAction/wake(at:)`` has come.
    public mutating func woke(at now: ContinuousClock.Instant) -> [SyncAction] {
        if let due = wakesAt, due <= now { wakesAt = nil }
        if let due = nextDue, due <= now {
            for name in gaps.sorted() where streams[name]?.dueAt.map({ $0 <= now }) ?? false {
                streams[name]?.dueAt = nil
                asking.add(.stream(name))
            }
            nextDue = gaps.compactMap { [streams] name in streams[name]?.dueAt }.min()
        }
        return finish(at: now)
    }

    /// Syncs again with every service, although nothing seems to be missing.
    public mutating func resync(at now: ContinuousClock.Instant) -> [SyncAction] {
        guard isConnected else { return [] }
        for name in streams.keys.sorted() where streams[name]?.stored.conversation == nil {
            asking.add(.stream(name))
        }
        return finish(at: now)
    }

    /// Requests the messages before those held of a conversation.
    /// - Parameter limit: how many, at most 200.
    public mutating func readEarlier(
        of conversation: String, limit: UInt32, at now: ContinuousClock.Instant
    ) -> [SyncAction] {
        wanted[conversation] = limit
        asking.add(.earlier(conversation: conversation))
        return finish(at: now)
    }

    /// Requests the messages of a conversation after a seq, one page. Needed only where seqs are missing between
    /// messages although no change is: the person may not read those, or they come later in the stream.
    /// ``SyncNews/read(conversation:through:)`` says how far the page went.
    public mutating func read(
        _ conversation: String, after seq: Int64, at now: ContinuousClock.Instant
    ) -> [SyncAction] {
        guard wantedAfter[conversation] == nil else { return [] }
        wantedAfter[conversation] = seq
        asking.add(.later(conversation: conversation))
        return finish(at: now)
    }

    /// Requests my inbox states of conversations whose counts may be wrong (``UnreadBasis/mustAsk(at:)``). In a large
    /// group call it after a random wait of up to two seconds, since all its members may have to ask at once.
    public mutating func recount(
        _ conversations: some Sequence<String>, at now: ContinuousClock.Instant
    ) -> [SyncAction] {
        uncounted.formUnion(conversations)
        if !uncounted.isEmpty { asking.add(.inboxStates) }
        return finish(at: now)
    }

    // MARK: Cells

    /// My stream in each cell.
    var ownStreams: [String] { cells.map(ownStream(in:)) }

    private func ownStream(in cell: String) -> String { "messaging/u/\(me)/\(cell)" }

    /// Returns my stream in the cell of a conversation; nil when the cell is not known.
    package func ownStream(of conversation: String) -> String? {
        if cells.count == 1 { return ownStream(in: cells[0]) }
        return records[conversation].flatMap { $0.cell.isEmpty ? nil : ownStream(in: $0.cell) }
    }

    // MARK: What an input changed

    /// Another person signed in: nothing of the one before is known.
    private mutating func startAnew() {
        for name in streams.keys.sorted() {
            actions += [.store(.startOver(stream: name)), .store(.forgetStream(name))]
        }
        for id in records.keys.sorted() { actions.append(.store(.dropConversation(id))) }
        (streams, records, gaps, uncounted, wanted, wantedAfter) = ([:], [:], [], [], [:], [:])
        (unseen, blocksChanged, hasSynced, lookedAt, receipts) = (nil, false, false, [], SyncReceipts())
    }

    /// Returns the actions of the current input, and those that follow from it.
    mutating func finish(at now: ContinuousClock.Instant) -> [SyncAction] {
        endTyping(at: now)
        if isConnected, unsynced.isEmpty { hasSynced = true }
        if isQuiet, asking.announces {
            asking.announces = false
            actions.append(.tell(.synced))
        }
        asking.wake(at: now)
        if isConnected { ask() }
        for name in changedStreams.sorted() {
            noteKinds(of: name)
            if let stream = streams[name] { actions.append(.store(.stream(stream.stored))) }
        }
        for id in changedRecords.sorted() {
            if let record = records[id] { actions.append(.store(.record(record))) }
        }
        (changedStreams, changedRecords) = ([], [])
        if let due = [asking.nextRetry, nextDue, typists.nextEnd].compactMap(\.self).min(), due != wakesAt, isConnected
        {
            wakesAt = due
            actions.append(.wake(at: due))
        }
        defer { actions = [] }
        return actions
    }

    private mutating func ask() {
        while asking.underWay.count < options.askedMax, let subject = asking.next() {
            guard let request = request(about: subject) else { continue }
            actions.append(.ask(asking.begin(subject, request)))
        }
    }
}
