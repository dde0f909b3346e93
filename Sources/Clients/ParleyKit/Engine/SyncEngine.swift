import NIOConcurrencyHelpers
import NIOCore
import ParleyClient

/// Keeps a store equal to what the server has: the I/O around a ``SyncMachine``. It runs on the client's event loop.
actor SyncEngine: SyncShell {
    nonisolated let client: ParleyClient
    private let executor: any SerialExecutor
    private let committer: Committer
    private let clock: NIOLockedValueBox<ServerClock>
    var machine: SyncMachine
    var underWay = SyncUnderWay()
    private var recounts: Scheduled<Void>?
    private var doubtful: Set<String> = []
    private(set) var isStopped = false
    private var pages: PagesUnderWay
    /// Who waits until what the server answered is stored.
    private var confirming: [Int: (of: Confirmation, done: CheckedContinuation<Void, Never>)] = [:]
    private var lastConfirming = 0
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - paged: the conversations of which pages are stored.
    ///   - clock: set to the server's time when a session begins.
    init(
        _ client: ParleyClient, _ machine: SyncMachine, paged: [String] = [], committer: Committer,
        clock: NIOLockedValueBox<ServerClock>
    ) {
        (self.client, self.machine, self.committer, self.clock) = (client, machine, committer, clock)
        pages = PagesUnderWay(paged.filter { !machine.follows($0) })
        executor = client.eventLoop.executor
    }

    func start() async { await listen() }

    func stop() {
        isStopped = true
        underWay.cancel()
        recounts?.cancel()
        for waiting in confirming.values { waiting.done.resume() }
        confirming = [:]
    }

    func begins(_ welcome: Parley_V1_Welcome) {
        clock.withLockedValue { $0.set(welcome.serverTimeUs) }
        pages.sessionBegan()
    }

    func clientStopped(_ problem: ParleyError) { stop() }

    // MARK: Actions

    func apply(_ actions: [SyncAction]) {
        var (items, first): ([CommitItem], [CommitItem]) = ([], [])
        for action in actions {
            switch action {
            case .store(let change):
                if let item = pages.note(change) { first.append(item) }
                items.append(.change(change))
            case .tell(.presence(let state)): items.append(.presence(state))
            case .tell(.typing(let conversation, let users)): items.append(.typing(users, in: conversation))
            case .tell(.ownPresence(let state)): items.append(.ownPresence(state))
            case .tell(.pushSettings(let state)): items.append(.pushSettings(state))
            case .tell(.synced): items.append(.confirmed)
            // The store's changes say what follows from these.
            case .tell, .ask, .wake: break
            }
        }
        committer.add(first + items)
        for (number, waiting) in confirming where isConfirmed(waiting.of) {
            confirming[number] = nil
            waiting.done.resume()
        }
    }

    /// A conversation is looked at: what was missed of it is read.
    func look(at conversation: String) async {
        guard !isStopped else { return }
        perform(machine.look(at: conversation, now: .now))
        await confirm(.level(conversation))
        await committer.flush()
    }

    // MARK: Confirming

    /// Returns once what the server answered is on its way into the store, or will not come on its own: after 10 s.
    func confirm(_ confirmation: Confirmation) async {
        if confirmation == .nextSync, !isStopped { perform(machine.resync(at: .now)) }
        guard !isStopped, !isConfirmed(confirmation) else { return }
        lastConfirming += 1
        let number = lastConfirming
        let late = client.eventLoop.scheduleTask(in: .seconds(10)) { [weak self] in
            self?.assumeIsolated { $0.confirming.removeValue(forKey: number)?.done.resume() }
        }
        await withCheckedContinuation { self.confirming[number] = (confirmation, $0) }
        late.cancel()
    }

    private func isConfirmed(_ confirmation: Confirmation) -> Bool {
        switch confirmation {
        case .now: true
        case .at(let stream, let position): machine.position(of: stream).map { $0 >= position } ?? true
        case .own(let conversation, let position):
            machine.ownStream(of: conversation).flatMap { machine.position(of: $0) }.map { $0 >= position } ?? true
        case .nextSync: machine.isQuiet
        case .level(let conversation): machine.isLevel(conversation)
        }
    }

    /// Requests the unread counts of conversations again, after a random wait: all members of a group may have to.
    func recount(_ conversations: [String]) {
        doubtful.formUnion(conversations)
        guard recounts == nil, !isStopped else { return }
        recounts = client.eventLoop.scheduleTask(in: .milliseconds(.random(in: 0..<2000))) { [weak self] in
            self?.assumeIsolated { engine in
                let conversations = engine.doubtful
                (engine.recounts, engine.doubtful) = (nil, [])
                if !engine.isStopped { engine.perform(engine.machine.recount(conversations, at: .now)) }
            }
        }
    }

    // MARK: Pages

    /// Reads a page of a conversation's messages and stores it.
    /// - Returns: the newest seq, if there is no message that I may read; nil: there are some.
    @discardableResult
    func read(
        _ page: ParleyClient.HistoryPage, of conversation: String, limit: Int, attempts: Int = 3
    ) async throws(ParleyError) -> Int64? {
        let ticket = pages.begin(page, of: conversation, isFollowed: machine.follows(conversation))
        let reply: Parley_V1_GetHistoryReply
        do throws(ParleyError) {
            reply = try await client.history(of: conversation, page, limit: UInt32(clamping: min(limit, 200)))
        } catch {
            pages.failed(ticket)
            throw error
        }
        let outcome = pages.ended(ticket, with: reply, mayRepeat: attempts > 1)
        guard !isStopped else { return nil }
        switch outcome {
        case .again: return try await read(page, of: conversation, limit: limit, attempts: attempts - 1)
        case .nothing: return nil
        case .stores(let items): await committer.flush(items)
        }
        return reply.messages.isEmpty && !reply.moreBefore && !reply.moreAfter ? reply.lastSeq : nil
    }
}
