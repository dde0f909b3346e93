import NIOCore
import ParleyClient

/// A permanent client. It builds its state from Updates and syncs, and in the end must hold what a new client reads.
actor Resident {
    nonisolated let client: ParleyClient
    nonisolated let name: String
    nonisolated let user: String
    private let recorder: Recorder
    private let feed: ConversationFeed

    private var conversations: [String: Parley_V1_Conversation] = [:]
    private var messages: [String: [StoredMessage]] = [:]
    private var reminders: [String: Parley_V1_Reminder] = [:]
    private var order = StreamTracker<Parley_V1_Reminder>()
    private var tasks: [Task<Void, Never>] = []
    private var isSyncing = false
    private var mustSync = false

    /// - Parameter client: a client that has signed in.
    init(_ client: ParleyClient, name: String, user: String, recorder: Recorder) {
        (self.client, self.name, self.user, self.recorder) = (client, name, user, recorder)
        feed = ConversationFeed(of: client)
    }

    func start() async {
        let updates = await client.updates
        let states = await client.states
        let items = feed.items
        tasks = [
            Task { [weak self] in for await item in items { await self?.note(item) } },
            Task { [weak self] in for await update in updates { await self?.note(update) } },
            Task { [weak self] in
                for await state in states { if case .ready = state { await self?.syncReminders() } }
            },
        ]
        await feed.start()
    }

    func stop() async {
        for task in tasks { task.cancel() }
        await feed.stop()
        await client.close()
    }

    /// The state built from Updates and syncs.
    var state: ClientState {
        var state = ClientState()
        state.conversations = conversations.mapValues(\.text)
        state.messages = messages.filter { !$0.value.isEmpty }
        state.reminders = reminders.mapValues(\.text)
        return state
    }

    /// The reason why the client stopped; nil if it did not.
    var stoppedBy: String? {
        get async {
            if case .stopped(let problem) = await client.state { return "\(problem)" }
            return await feed.problem.map { "\($0)" }
        }
    }

    var isReady: Bool {
        get async { if case .ready = await client.state { true } else { false } }
    }

    /// The conversations in which the person may write, as far as the client knows.
    var writable: [String] {
        conversations.values.filter { $0.section == .inbox && $0.conversationStatus == .accepted }.map(\.id).sorted()
    }

    /// The newest message of a conversation that the client holds.
    func newest(of conversation: String) -> StoredMessage? { messages[conversation]?.last }

    // MARK: Receiving

    private func note(_ item: ConversationFeed.Item) {
        switch item {
        case .message(let message):
            let stored = StoredMessage(message)
            if let last = messages[message.conversation]?.last, last.seq >= message.seq {
                recorder.trouble("the feed of \(name) delivered seq \(message.seq) after \(last.seq): \(stored)")
            }
            messages[message.conversation, default: []].append(stored)
            recorder.delivered([message])
        case .changed(let message): recorder.delivered([message])
        case .conversation(let conversation):
            let known = conversations[conversation.id]
            if known.map({ $0.position <= conversation.position }) ?? true {
                conversations[conversation.id] = conversation
            }
        case .reactions, .inbox, .inboxState, .messageState, .receipt, .readCount: break
        case .startedOver(let conversation):
            recorder.startedOver(conversation, name)
            messages[conversation] = nil
        }
    }

    private func note(_ update: Update) {
        switch try? update.content() {
        case .message(let message): recorder.delivered([message])
        case .reminder(let reminder): received(reminder, position: update.position)
        default:
            // Of other entities, as of a superseded Update, only the position counts.
            if update.stream.hasPrefix("entities/") { syncReminders() }
        }
    }

    // MARK: Reminders

    /// Takes a reminder from a reply, since the session that made the request gets no Update.
    func received(fromReply reminder: Parley_V1_Reminder) { received(reminder, position: reminder.position) }

    private func received(_ reminder: Parley_V1_Reminder, position: Int64) {
        switch order.received(reminder, stream: "", position: position, at: .now) {
        case .apply(let ready): for reminder in ready { hold(reminder) }
        case .held(let until):
            Task { [weak self] in
                try? await Task.sleep(until: until + .milliseconds(1), clock: .continuous)
                await self?.repairReminders()
            }
        case .unknown: syncReminders()
        case .duplicate: break
        }
    }

    private func hold(_ reminder: Parley_V1_Reminder) {
        if let held = reminders[reminder.key], held.position > reminder.position { return }
        reminders[reminder.key] = reminder
    }

    private func repairReminders() {
        if order.hasGaps { syncReminders() }
    }

    /// Syncs reminders, and retries until that succeeds.
    func syncReminders() {
        mustSync = true
        guard !isSyncing else { return }
        isSyncing = true
        Task {
            while mustSync, !Task.isCancelled {
                mustSync = false
                if await !syncOnce() {
                    if case .stopped = await client.state { break }
                    mustSync = true
                    try? await Task.sleep(for: .milliseconds(300))
                }
            }
            isSyncing = false
        }
    }

    private func syncOnce() async -> Bool {
        var more = true
        while more {
            do throws(ParleyError) {
                let page = try await client.syncEntities(
                    epoch: order.epoch, since: order.position(of: "") ?? 0, limit: 200)
                if order.enter(epoch: page.epoch) || page.startOver { reminders = [:] }
                if order.position(of: "") == nil || page.startOver { order.start("", at: 0) }
                for reminder in page.reminders { hold(reminder) }
                for reminder in order.repaired("", to: page.position, at: .now) { hold(reminder) }
                more = page.more
            } catch {
                return false
            }
        }
        return true
    }
}
