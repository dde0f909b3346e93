import NIOCore

/// Follows my conversations. It delivers the messages of each in order of seq, each once and without gaps, even when
/// Updates are lost. A ``SyncMachine`` decides what to request; the feed puts the messages in order and makes the
/// requests.
public actor ConversationFeed: SyncShell {
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
        /// Who is typing in a conversation now: everyone's user id.
        case typing(conversation: String, users: [String])
        /// The server was restored: discard everything you hold for this conversation. It is delivered again.
        case startedOver(conversation: String)
    }

    /// Why the feed stopped without ``stop()``; nil while it runs or after ``stop()``.
    public private(set) var problem: ParleyError?
    /// The items of the feed, for one reader. The stream ends when the feed or the client stops, or when its reader
    /// falls more than 100,000 items behind.
    public nonisolated let items: AsyncStream<Item>

    package nonisolated let client: ParleyClient
    private let executor: any SerialExecutor
    private let syncEvery: Duration?
    private let output: AsyncStream<Item>.Continuation
    package var machine: SyncMachine
    package var underWay = SyncUnderWay()
    /// The order of delivery, by conversation.
    private var orders: [String: FeedOrder] = [:]
    /// Conversations whose order the current input changed.
    private var touched: Set<String> = []
    private var quietWaiters: [EventLoopPromise<Void>] = []
    private var hasStarted = false
    package private(set) var isStopped = false

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a feed; call ``start()`` to start it.
    /// - Parameters:
    ///   - beginning: which earlier messages to deliver.
    ///   - syncEvery: the interval of additional syncs when nothing seems to be missing; nil: no additional syncs.
    public init(of client: ParleyClient, from beginning: Beginning = .first, syncEvery: Duration? = nil) {
        self.client = client
        self.executor = client.eventLoop.executor
        self.syncEvery = syncEvery
        var options = SyncMachine.Options()
        options.services = ["conversations", "messaging"]
        options.seed = UInt64.random(in: 0 ... .max)
        switch beginning {
        case .first: options.loading = .all
        case .newest(let count): options.loading = .newest(count)
        case .now: options.loading = .newest(0)
        }
        machine = SyncMachine(options: options)
        (items, output) = AsyncStream.makeStream(of: Item.self, bufferingPolicy: .bufferingOldest(100_000))
    }

    /// Starts following, immediately or as soon as the client is connected. A feed cannot be restarted after
    /// ``stop()``.
    public func start() async {
        guard !hasStarted, !isStopped else { return }
        hasStarted = true
        await listen()
        if let syncEvery { tick(syncEvery) }
    }

    /// Stops following and ends ``items``.
    public func stop() {
        guard !isStopped else { return }
        isStopped = true
        underWay.cancel()
        output.finish()
        for promise in quietWaiters { promise.succeed(()) }
        quietWaiters = []
    }

    /// Requests everything that changed from the server and waits until it is delivered.
    public func sync() async {
        perform(machine.resync(at: .now))
        await quiet()
    }

    /// Waits until no request is under way and no change is known to be missing.
    public func quiet() async {
        guard !machine.isQuiet, !isStopped else { return }
        let promise = client.eventLoop.makePromise(of: Void.self)
        quietWaiters.append(promise)
        try? await promise.futureResult.get()
    }

    package func clientStopped(_ problem: ParleyError) {
        self.problem = problem
        stop()
    }

    // MARK: Actions

    package func apply(_ actions: [SyncAction]) {
        for action in actions {
            switch action {
            case .store(let change): deliver(change)
            case .tell(let news): deliver(news)
            case .ask, .wake: break
            }
        }
        let conversations = touched
        touched = []
        for id in conversations { goOn(id) }
        guard machine.isQuiet, !quietWaiters.isEmpty else { return }
        for promise in quietWaiters { promise.succeed(()) }
        quietWaiters = []
    }

    private func tick(_ period: Duration) {
        _ = client.eventLoop.scheduleTask(in: TimeAmount(period)) { [weak self] in
            self?.assumeIsolated { feed in
                guard !feed.isStopped else { return }
                feed.take { $0.resync(at: .now) }
                feed.tick(period)
            }
        }
    }

    // MARK: Delivering

    private func put(_ items: [Item]) {
        for item in items {
            guard case .dropped = output.yield(item) else { continue }
            problem = ParleyError(.tooSlow, "The reader of this feed fell too far behind. Start a new feed.")
            return stop()
        }
    }

    private func deliver(_ change: SyncChange) {
        switch change {
        case .message(let message, let source):
            put(order(message.conversation) { [me = machine.me] in $0.take(message, from: source, me: me) })
        case .reactions(let reactions): put(order(reactions.conversation) { $0.take(reactions) })
        case .messageState(let state):
            guard orders[state.conversation] != nil else { return put([.messageState(state)]) }
            put(order(state.conversation) { $0.take(state) })
        case .inboxState(let state): put([.inboxState(state)])
        case .inboxEntry(let entry): put([.inbox(entry)])
        case .put(.conversation(let conversation)): put([.conversation(conversation)])
        case .receipt(let receipt): put([.receipt(receipt)])
        case .readCount(let count): put([.readCount(count)])
        case .record(let record): touched.insert(record.id)
        case .stream(let stream): if let conversation = stream.conversation { touched.insert(conversation) }
        case .put, .blocks, .clear, .dropMessages, .dropConversation, .startOver, .forgetStream: break
        }
    }

    private func deliver(_ news: SyncNews) {
        switch news {
        case .gone(let conversation):
            orders[conversation.id] = nil
            put([.conversation(conversation)])
        case .startedOver(let conversation), .lost(let conversation):
            orders[conversation] = nil
            put([.startedOver(conversation: conversation)])
        case .read(let conversation, let seq):
            let (first, me) = (machine.record(of: conversation)?.unread.heldFrom ?? 1, machine.me)
            put(order(conversation) { $0.begin(at: first, me: me) + $0.skip(through: seq, me: me) })
        case .typing(let conversation, let users): put([.typing(conversation: conversation, users: users)])
        case .presence, .ownPresence, .pushSettings, .synced: break
        }
    }

    private func order(_ conversation: String, _ body: (inout FeedOrder) -> [Item]) -> [Item] {
        touched.insert(conversation)
        return body(&orders[conversation, default: FeedOrder()])
    }

    /// Begins the order of a conversation once it is known where, and requests by seq what its changes did not bring.
    private func goOn(_ conversation: String) {
        guard let first = machine.record(of: conversation)?.unread.heldFrom else { return }
        let me = machine.me
        put(orders[conversation, default: FeedOrder()].begin(at: first, me: me))
        // After joining again I may not read the messages sent meanwhile. The seqs skip them, but the positions have no
        // gap.
        guard let order = orders[conversation], order.isWaiting, machine.isLevel(conversation), let next = order.next
        else { return }
        perform(machine.read(conversation, after: next - 1, at: .now))
    }
}
