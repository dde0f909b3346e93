import NIOCore

/// Follows my conversations. It delivers the messages of each in order of seq, each once and without gaps, even when
/// Updates are lost. It reads the earlier messages first, then takes the Updates, and requests missing changes. After
/// each reconnection it syncs again.
public actor ConversationFeed {
    /// The earlier messages that a feed delivers.
    public enum Beginning: Hashable, Sendable {
        /// All of them.
        case first
        /// The given number of newest messages of each conversation, at most 200.
        case newest(UInt32)
        /// None.
        case now
    }

    /// An item that the feed delivers.
    public enum Item: Sendable {
        /// The next message of its conversation.
        case message(Parley_V1_Message)
        /// A message delivered earlier has changed; see ``Parley_V1_Message/take(_:)``. May come twice for one change.
        case changed(Parley_V1_Message)
        /// The reactions to a message delivered earlier have changed; see ``Parley_V1_Message/take(_:by:)``.
        case reactions(Parley_V1_Reactions)
        /// A conversation is new or has changed. One that I have left has `leftAtUs`; of one in section `gone`, discard
        /// everything you hold: its messages are delivered again if it comes back.
        case conversation(Parley_V1_Conversation)
        /// An entry of the last sync: a conversation with news or a changed inbox state.
        case inbox(Parley_V1_InboxEntry)
        /// My inbox state of a conversation has changed. May come twice; the one with the larger positions is valid.
        case inboxState(Parley_V1_InboxState)
        /// My message state (starred, hidden) has changed; see ``Parley_V1_Message/take(_:)``.
        case messageState(Parley_V1_MessageState)
        /// How far a member has read. Of two receipts of the same person, the larger value of each field is valid.
        case receipt(Parley_V1_Receipt)
        /// How many members have read a message of mine, in a large group.
        case readCount(Parley_V1_ReadCount)
        /// The server was restored: discard everything you hold for this conversation. It is delivered again.
        case startedOver(conversation: String)
    }

    /// Why the feed stopped without ``stop()``; nil while it runs or after ``stop()``.
    public private(set) var problem: ParleyError?
    /// The items of the feed, for one reader. The stream ends when the feed or the client stops, or when its reader
    /// falls more than 100,000 items behind.
    public nonisolated let items: AsyncStream<Item>

    enum Job: Hashable {
        case conversations
        case inbox
        case changes(String)
        case load(String)
    }

    /// The progress of one conversation.
    struct Following {
        /// The seq to deliver next; nil until the beginning is read.
        var next: Int64?
        /// Messages from `next` on that wait for earlier ones, by seq.
        var waiting: [Int64: Parley_V1_Message] = [:]
        /// The reactions to messages from `next` on, by seq, in order: each has only its own changes.
        var reactions: [Int64: [Parley_V1_Reactions]] = [:]
        /// My last states of messages from `next` on, by seq.
        var messageStates: [Int64: Parley_V1_MessageState] = [:]
    }

    /// A change of a conversation's stream.
    enum Change: Sendable {
        case message(Parley_V1_Message)
        case reactions(Parley_V1_Reactions)

        var conversation: String {
            switch self {
            case .message(let message): message.conversation
            case .reactions(let reactions): reactions.conversation
            }
        }
    }

    /// A change of my own stream "messaging/u/ME".
    enum OwnChange: Sendable {
        case inboxState(Parley_V1_InboxState)
        case messageState(Parley_V1_MessageState)
    }

    let client: ParleyClient
    private let executor: any SerialExecutor
    let beginning: Beginning
    private let syncEvery: Duration?
    private let output: AsyncStream<Item>.Continuation

    // A nil item is a position without content for the feed, such as a superseded change.
    var messages = StreamTracker<Change?>()
    var conversations = StreamTracker<Parley_V1_Conversation?>()
    /// "messaging/u/ME".
    var own = StreamTracker<OwnChange?>()
    var cursor = ""
    var inboxIsKnown = false
    /// Whether the server was restored and all conversations are delivered again from the beginning.
    var isStartingOver = false
    /// The number of restores and restarts. Replies to requests from before the last one are ignored.
    var restores = 0
    var following: [String: Following] = [:]
    /// The conversations that were delivered.
    var known: Set<String> = []
    /// My user id.
    var me = ""
    /// Updates that arrived before the inbox was known.
    var early: [Update] = []

    private var jobs: [Job] = []
    private var running: Set<Job> = []
    var again: Set<Job> = []
    private var idleWorkers: [EventLoopPromise<Void>] = []
    private var quietWaiters: [EventLoopPromise<Void>] = []
    private var delayed = 0
    private var timer: Scheduled<Void>?
    private var task: Task<Void, Never>?
    var isStopped = false

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a feed; call ``start()`` to start it.
    /// - Parameters:
    ///   - beginning: which earlier messages to deliver.
    ///   - syncEvery: the interval of additional syncs when nothing seems to be missing; nil: no additional syncs.
    public init(of client: ParleyClient, from beginning: Beginning = .first, syncEvery: Duration? = nil) {
        self.client = client
        self.executor = client.eventLoop.executor
        self.beginning = beginning
        self.syncEvery = syncEvery
        (items, output) = AsyncStream.makeStream(of: Item.self, bufferingPolicy: .bufferingOldest(100_000))
    }

    /// Starts following, immediately or as soon as the client is connected. A feed cannot be restarted after
    /// ``stop()``.
    public func start() async {
        guard task == nil, !isStopped else { return }
        task = Task { await self.work() }
        await client.add(Observer(self))
        if let syncEvery { tick(syncEvery) }
    }

    /// Stops following and ends ``items``.
    public func stop() {
        guard !isStopped else { return }
        isStopped = true
        task?.cancel()
        timer?.cancel()
        output.finish()
        for promise in idleWorkers + quietWaiters { promise.succeed(()) }
        (idleWorkers, quietWaiters) = ([], [])
    }

    /// Requests everything that changed from the server and waits until it is delivered.
    public func sync() async {
        add(.conversations)
        add(.inbox)
        await quiet()
    }

    /// Waits until no request is under way and no change is known to be missing.
    public func quiet() async {
        guard !isQuiet, !isStopped else { return }
        let promise = client.eventLoop.makePromise(of: Void.self)
        quietWaiters.append(promise)
        try? await promise.futureResult.get()
    }

    private var isQuiet: Bool {
        inboxIsKnown && jobs.isEmpty && running.isEmpty && delayed == 0 && !messages.hasGaps && !own.hasGaps
            && !conversations.hasGaps
    }

    // MARK: From the client, on its loop

    /// Forwards the client's events to the feed; both run on the same event loop.
    private final class Observer: SessionObserver {
        private weak let feed: ConversationFeed?

        init(_ feed: ConversationFeed) { self.feed = feed }

        func sessionBegan(_ welcome: Parley_V1_Welcome) { feed?.assumeIsolated { $0.sessionBegan(welcome) } }
        func received(_ update: Update) { feed?.assumeIsolated { $0.received(update) } }
        func learned(_ message: Parley_V1_Message) { feed?.assumeIsolated { $0.received(message) } }
        func learned(_ state: Parley_V1_InboxState) { feed?.assumeIsolated { $0.learned(state) } }
        func learned(_ state: Parley_V1_MessageState) { feed?.assumeIsolated { $0.learned(state) } }
        func learned(_ conversation: Parley_V1_Conversation) { feed?.assumeIsolated { $0.received(conversation) } }
        func unsure(of conversation: String) { feed?.assumeIsolated { $0.unsure(of: conversation) } }
        func unsureOfOwnState() { feed?.assumeIsolated { $0.addLater(.inbox) } }
        func stopped(_ problem: ParleyError) {
            feed?.assumeIsolated {
                $0.problem = problem
                $0.stop()
            }
        }
    }

    private func sessionBegan(_ welcome: Parley_V1_Welcome) {
        guard !welcome.user.isEmpty || !messages.epoch.isEmpty else { return }
        me = welcome.user
        add(.conversations)
        add(.inbox)
    }

    static func stream(of conversation: String) -> String { "messaging/c/\(conversation)" }
    static func conversation(of stream: String) -> String { String(stream.dropFirst("messaging/c/".count)) }

    func put(_ item: Item) {
        guard case .dropped = output.yield(item) else { return }
        problem = ParleyError(
            code: "too_slow", message: "The reader of this feed fell too far behind. Start a new feed.")
        stop()
    }

    // MARK: Time

    func setTimer() {
        timer?.cancel()
        let due = [messages.nextDue, conversations.nextDue, own.nextDue].compactMap(\.self).min()
        guard let due, !isStopped else { return }
        timer = client.eventLoop.scheduleTask(in: TimeAmount(max(due - .now, .zero))) { [weak self] in
            self?.assumeIsolated { $0.requestMissing() }
        }
    }

    private func requestMissing() {
        for repair in messages.due(at: .now) { add(.changes(Self.conversation(of: repair.stream))) }
        if !conversations.due(at: .now).isEmpty { add(.conversations) }
        if !own.due(at: .now).isEmpty { add(.inbox) }
        setTimer()
    }

    private func tick(_ period: Duration) {
        _ = client.eventLoop.scheduleTask(in: TimeAmount(period)) { [weak self] in
            self?.assumeIsolated { feed in
                guard !feed.isStopped else { return }
                feed.add(.conversations)
                feed.add(.inbox)
                feed.tick(period)
            }
        }
    }

    // MARK: Requesting

    func add(_ job: Job) {
        guard !isStopped else { return }
        guard !running.contains(job) else {
            again.insert(job)
            return
        }
        guard !jobs.contains(job) else { return }
        jobs.append(job)
        idleWorkers.popLast()?.succeed(())
    }

    func addLater(_ job: Job, after wait: Duration = .milliseconds(500)) {
        guard !isStopped else { return }
        delayed += 1
        _ = client.eventLoop.scheduleTask(in: TimeAmount(wait)) { [weak self] in
            self?.assumeIsolated { feed in
                feed.delayed -= 1
                feed.add(job)
                feed.checkQuiet()
            }
        }
    }

    func checkQuiet() {
        guard isQuiet, !quietWaiters.isEmpty else { return }
        for promise in quietWaiters { promise.succeed(()) }
        quietWaiters = []
    }

    /// Runs up to four jobs at a time, never two equal ones.
    private func work() async {
        await withDiscardingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { await ParleyClient.$repeats.withValue(false) { await self.workAlone() } }
            }
        }
    }

    private func workAlone() async {
        while !isStopped {
            guard !jobs.isEmpty else {
                let promise = client.eventLoop.makePromise(of: Void.self)
                idleWorkers.append(promise)
                try? await promise.futureResult.get()
                continue
            }
            let job = jobs.removeFirst()
            running.insert(job)
            do throws(ParleyError) {
                try await perform(job)
            } catch {
                failed(job, error)
            }
            running.remove(job)
            if again.remove(job) != nil { add(job) }
            setTimer()
            checkQuiet()
        }
    }

    private func perform(_ job: Job) async throws(ParleyError) {
        switch job {
        case .conversations: try await syncConversations()
        case .inbox: try await syncInbox()
        case .changes(let conversation): try await readChanges(of: conversation)
        case .load(let conversation): try await load(conversation)
        }
    }

    private func failed(_ job: Job, _ error: ParleyError) {
        guard !isStopped else { return }
        switch job {
        case .changes(let conversation), .load(let conversation):
            if ["not_member", "not_found"].contains(error.code) {
                messages.forget(Self.stream(of: conversation))
                following[conversation] = nil
                return
            }
        case .conversations, .inbox: break
        }
        // After any other error the changes are still missing, so the job runs again.
        let wait: Duration = error.retryAfterMs > 0 ? .milliseconds(error.retryAfterMs) : .milliseconds(500)
        addLater(job, after: wait * Double.random(in: 1...1.5))
    }
}
