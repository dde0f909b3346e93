import NIOConcurrencyHelpers
import NIOCore
import ParleyClient

/// Keeps a store equal to what the server has: the I/O around a ``SyncMachine``. It runs on the client's event loop.
actor SyncEngine {
    private let client: ParleyClient
    private let executor: any SerialExecutor
    private let committer: Committer
    private let clock: NIOLockedValueBox<ServerClock>
    private(set) var machine: SyncMachine
    private var questions: [Int: Task<Void, Never>] = [:]
    private var timer: Scheduled<Void>?
    private var recounts: Scheduled<Void>?
    private var doubtful: Set<String> = []
    private var isStopped = false
    private var pages = PagesUnderWay()
    /// Who waits until what the server answered is stored.
    private var confirming: [Int: (of: Confirmation, done: CheckedContinuation<Void, Never>)] = [:]
    private var lastConfirming = 0
    /// How often the messages of a conversation were dropped: a page that was requested before is not stored.
    private var drops: [String: Int] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter clock: set to the server's time when a session begins.
    init(
        _ client: ParleyClient, _ machine: SyncMachine, committer: Committer, clock: NIOLockedValueBox<ServerClock>
    ) {
        (self.client, self.machine, self.committer, self.clock) = (client, machine, committer, clock)
        executor = client.eventLoop.executor
    }

    func start() async { await client.add(Observer(self)) }

    func stop() {
        isStopped = true
        for task in questions.values { task.cancel() }
        questions = [:]
        timer?.cancel()
        recounts?.cancel()
        for waiting in confirming.values { waiting.done.resume() }
        confirming = [:]
    }

    /// Forwards the client's events; both run on the same event loop.
    private final class Observer: SessionObserver {
        private weak let engine: SyncEngine?

        init(_ engine: SyncEngine) { self.engine = engine }

        private func take(_ input: @Sendable (inout SyncMachine) -> [SyncAction]) {
            engine?.assumeIsolated { $0.take(input) }
        }

        func sessionBegan(_ welcome: Parley_V1_Welcome) {
            engine?.clock.withLockedValue { $0.set(welcome.serverTimeUs) }
            take { $0.connected(as: welcome.user, cells: welcome.cells, at: .now) }
        }
        func received(_ update: Update) { take { $0.received(update, at: .now) } }
        func learned(_ message: Parley_V1_Message) { take { $0.learned(.message(message), at: .now) } }
        func learned(_ state: Parley_V1_InboxState) { take { $0.learned(.inboxState(state), at: .now) } }
        func learned(_ state: Parley_V1_MessageState) { take { $0.learned(.messageState(state), at: .now) } }
        func learned(_ conversation: Parley_V1_Conversation) {
            take { $0.learned(.conversation(conversation), at: .now) }
        }
        func unsure(of conversation: String) { take { $0.unsure(of: conversation, at: .now) } }
        func unsureOfOwnState() { take { $0.unsure(of: nil, at: .now) } }
        func stopped(_ problem: ParleyError) { engine?.assumeIsolated { $0.stop() } }
    }

    // MARK: Actions

    /// Gives the machine an input, and does what it says.
    func take(_ input: @Sendable (inout SyncMachine) -> [SyncAction]) {
        if !isStopped { perform(input(&machine)) }
    }

    private func perform(_ actions: [SyncAction]) {
        var items: [CommitItem] = []
        for action in actions {
            switch action {
            case .store(let change):
                note(change)
                items.append(.change(change))
            case .tell(.presence(let state)): items.append(.presence(state))
            case .tell(.typing(let conversation, let users)): items.append(.typing(users, in: conversation))
            case .tell(.ownPresence(let state)): items.append(.ownPresence(state))
            case .tell(.synced): items.append(.confirmed)
            // The store's changes say what follows from these.
            case .tell: break
            case .ask(let question): ask(question)
            case .wake(let time): setTimer(time)
            }
        }
        committer.add(items)
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

    private func note(_ change: SyncChange) {
        pages.note(change)
        switch change {
        case .dropMessages(let conversation), .dropConversation(let conversation): drops[conversation, default: 0] += 1
        default: break
        }
    }

    private func ask(_ question: SyncQuestion) {
        questions[question.number] = Task { [weak self, client] in
            do throws(ParleyError) {
                let reply = try await client.answer(question.request)
                await self?.answered(question, .success(reply))
            } catch {
                await self?.answered(question, .failure(error))
            }
        }
    }

    private func answered(_ question: SyncQuestion, _ outcome: Result<SyncReply, ParleyError>) {
        questions[question.number] = nil
        guard !isStopped else { return }
        switch outcome {
        case .success(let reply): perform(machine.replied(question.number, with: reply, at: .now))
        case .failure(let error): perform(machine.failed(question.number, with: error, at: .now))
        }
    }

    private func setTimer(_ time: ContinuousClock.Instant) {
        timer?.cancel()
        timer = client.eventLoop.scheduleTask(in: TimeAmount(max(time - .now, .zero))) { [weak self] in
            self?.assumeIsolated { engine in
                if !engine.isStopped { engine.perform(engine.machine.woke(at: .now)) }
            }
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
        pages.begin(conversation)
        let before = drops[conversation]
        let outcome: Result<Parley_V1_GetHistoryReply, ParleyError>
        do throws(ParleyError) {
            outcome = .success(
                try await client.history(of: conversation, page, limit: UInt32(clamping: min(limit, 200))))
        } catch {
            outcome = .failure(error)
        }
        let meanwhile = pages.end(conversation)
        let reply = try outcome.get()
        guard before == drops[conversation], !isStopped else { return nil }
        if attempts > 1, meanwhile.hasOutrun(reply.messages) {
            return try await read(page, of: conversation, limit: limit, attempts: attempts - 1)
        }
        var items = reply.messages.map { CommitItem.change(.message($0, from: .reply)) }
        items += meanwhile.changes.map { .change($0) }
        if let range = Self.range(of: reply, page) { items.append(.span(range, of: conversation)) }
        await committer.flush(items)
        return reply.messages.isEmpty && !reply.moreBefore && !reply.moreAfter ? reply.lastSeq : nil
    }

    /// Returns the range of seqs of which a page has all that I may read.
    static func range(
        of reply: Parley_V1_GetHistoryReply, _ page: ParleyClient.HistoryPage
    ) -> ClosedRange<Int64>? {
        var (first, last) = (reply.messages.first?.seq, reply.messages.last?.seq)
        if !reply.moreBefore { first = 1 }
        if !reply.moreAfter { last = max(last ?? 0, reply.lastSeq) }
        switch page {
        case .before(let seq) where seq > 0: last = max(last ?? 0, seq - 1)
        case .after(let seq): first = min(first ?? .max, seq + 1)
        default: break
        }
        guard let first, let last, first <= last else { return nil }
        return first...last
    }
}
