import Foundation
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
    /// By conversation and seq.
    private var messages: [String: [Int64: Parley_V1_Message]] = [:]
    private var newestSeq: [String: Int64] = [:]
    private var inboxStates: [String: Parley_V1_InboxState] = [:]
    private var reminders: [String: Parley_V1_Reminder] = [:]
    private var decisions: [String: Parley_V1_Decision] = [:]
    private var events: [String: Parley_V1_Event] = [:]
    /// What the client was shown of people whom it watches, by user.
    private var shown: [String: String] = [:]
    /// Of whom an Update came since the last watch was requested.
    private var told: Set<String> = []
    private var order = StreamTracker<Entity>()
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
                for await state in states { if case .ready = state { await self?.syncEntities() } }
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
        state.conversations = conversations.filter { $0.value.section != .gone }.mapValues(\.text)
        for (conversation, held) in messages where !held.isEmpty {
            let ordered = held.values.sorted { $0.seq < $1.seq }
            state.messages[conversation] = ordered.map(StoredMessage.init)
            state.add(own: ordered)
        }
        state.inbox = inboxStates.mapValues(ClientState.Inbox.init)
        state.reminders = reminders.mapValues(\.text)
        state.decisions = decisions.filter { $0.value.deletedAtUs == 0 }.mapValues(ClientState.Decision.init)
        state.events = events.filter { $0.value.deletedAtUs == 0 }.mapValues(ClientState.Event.init)
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

    /// The conversations of people who ask to write to this person.
    var requests: [String] { conversations.values.filter { $0.section == .requests }.map(\.id).sorted() }

    /// The seq of the newest message of a conversation that the client holds; 0 if it holds none.
    func newestSeq(of conversation: String) -> Int64 { newestSeq[conversation] ?? 0 }

    /// The newest messages of a conversation that the client holds and that people can act on.
    func messages(of conversation: String) -> [Parley_V1_Message] {
        let newest = newestSeq(of: conversation)
        guard newest > 0, let held = messages[conversation] else { return [] }
        return (max(newest - 40, 1)...newest).compactMap { held[$0] }.filter {
            $0.kind != .system && $0.deletedAtUs == 0
        }
    }

    /// The ids of the decisions or events shared with a conversation whose messages the client holds.
    func shown(_ kind: Parley_V1_SystemNoteKind, in conversation: String) -> [Data] {
        let cards = messages[conversation]?.values.filter { $0.system.kind == kind && $0.deletedAtUs == 0 }
        return (cards ?? []).sorted { $0.seq < $1.seq }.suffix(10).map(\.system.entity)
    }

    /// The ids of the messages with files that the client holds.
    var files: [String] {
        messages.values.flatMap(\.values).filter { $0.hasMedia && $0.deletedAtUs == 0 }.map(\.id.hexDigits)
    }

    // MARK: Presence

    /// Watches people.
    /// - Returns: whether the server did so.
    func watch(_ users: [String]) async -> Bool {
        told = []
        guard let states = try? await client.watchPresence(users) else { return false }
        for state in states where !told.contains(state.user) { shown[state.user] = ValueFact.value(of: state.status) }
        return true
    }

    /// What the client was shown of these people by its watch.
    func presence(of users: [String]) -> [PresenceFact] {
        users.compactMap { other in shown[other].map { fact(of: other, $0, isTold: true) } }
    }

    /// What the server answers now about these people.
    func askPresence(of users: [String]) async -> [PresenceFact] {
        guard let states = try? await client.getPresence(users) else { return [] }
        return states.map { fact(of: $0.user, ValueFact.value(of: $0.status), isTold: false) }
    }

    private func fact(of other: String, _ status: String, isTold: Bool) -> PresenceFact {
        PresenceFact(device: name, reader: user, user: other, relation(to: other), status: status, isTold: isTold)
    }

    private func relation(to other: String) -> PresenceFact.Relation {
        guard other != user else { return .same }
        if let direct = conversations[[user, other].sorted().joined(separator: "_")] {
            if direct.conversationStatus == .accepted { return .accepted }
            let isAsking = direct.conversationStatus == .pending && direct.section == .inbox
            if isAsking, direct.requesterID == user { return .strangers }
        }
        let isFellow = conversations.values.contains { group in
            group.kind == .group && group.leftAtUs == 0 && group.section != .requests
                && group.members.contains { $0.user.id == other }
        }
        return isFellow ? .fellows : .strangers
    }

    // MARK: Receiving

    private func note(_ item: ConversationFeed.Item) {
        switch item {
        case .message(let message):
            if let last = newestSeq[message.conversation], last >= message.seq {
                recorder.trouble(
                    "the feed of \(name) delivered seq \(message.seq) after \(last) in \(message.conversation)")
            }
            newestSeq[message.conversation] = message.seq
            messages[message.conversation, default: [:]][message.seq] = message
            recorder.delivered([message])
        case .changed(let message):
            messages[message.conversation]?[message.seq]?.take(message)
            recorder.delivered([message])
        case .reactions(let reactions): messages[reactions.conversation]?[reactions.seq]?.take(reactions, by: user)
        case .messageState(let state): messages[state.conversation]?[state.seq]?.take(state)
        case .inbox(let entry): hold(entry.state)
        case .inboxState(let state): hold(state)
        case .conversation(let conversation):
            let known = conversations[conversation.id]
            if known.map({ $0.position <= conversation.position }) ?? true {
                conversations[conversation.id] = conversation
            }
        case .receipt, .readCount, .typing: break
        case .startedOver(let conversation):
            recorder.startedOver(conversation, name, of: user)
            (messages[conversation], newestSeq[conversation]) = (nil, nil)
        }
    }

    private func hold(_ state: Parley_V1_InboxState) {
        if let held = inboxStates[state.conversation],
            (held.ownPosition, held.countedPosition) > (state.ownPosition, state.countedPosition)
        {
            return
        }
        inboxStates[state.conversation] = state
    }

    private func note(_ update: Update) {
        switch try? update.content() {
        case .message(let message): recorder.delivered([message])
        case .reminder(let reminder): received(.reminder(reminder), position: update.position)
        case .decision(let decision): received(.decision(decision), position: update.position)
        case .event(let event): received(.event(event), position: update.position)
        case .presenceState(let state):
            shown[state.user] = ValueFact.value(of: state.status)
            told.insert(state.user)
        case .typing(let typing) where typing.typing:
            recorder.note { [user, now = recorder.now] in
                $0.typing.insert(TypingFact(reader: user, user: typing.user, in: typing.conversation, at: now))
            }
        default:
            // Of a superseded Update only the position counts.
            if update.stream.hasPrefix("entities/") { syncEntities() }
        }
    }

    // MARK: Entities

    private enum Entity {
        case reminder(Parley_V1_Reminder)
        case decision(Parley_V1_Decision)
        case event(Parley_V1_Event)
    }

    /// Takes a reminder from a reply, which may come before its Update.
    func received(fromReply reminder: Parley_V1_Reminder) { received(.reminder(reminder), position: reminder.position) }

    private func received(_ entity: Entity, position: Int64) {
        switch order.received(entity, stream: "", position: position, at: .now) {
        case .apply(let ready): for entity in ready { hold(entity) }
        case .held(let until):
            Task { [weak self] in
                try? await Task.sleep(until: until + .milliseconds(1), clock: .continuous)
                await self?.repairEntities()
            }
        case .unknown: syncEntities()
        case .duplicate: break
        }
    }

    private func hold(_ entity: Entity) {
        switch entity {
        case .reminder(let reminder):
            if let held = reminders[reminder.key], held.position > reminder.position { return }
            reminders[reminder.key] = reminder
        case .decision(let decision):
            let key = decision.id.hexDigits
            if let held = decisions[key], held.position > decision.position { return }
            decisions[key] = decision
        case .event(let event):
            let key = event.id.hexDigits
            if let held = events[key], held.position > event.position { return }
            events[key] = event
        }
    }

    private func repairEntities() {
        if order.hasGaps { syncEntities() }
    }

    /// Syncs entities, and retries until that succeeds.
    func syncEntities() {
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
                if order.enter(epoch: page.epoch) || page.startOver { (reminders, decisions, events) = ([:], [:], [:]) }
                if order.position(of: "") == nil || page.startOver { order.start("", at: 0) }
                for reminder in page.reminders { hold(.reminder(reminder)) }
                for decision in page.decisions { hold(.decision(decision)) }
                for event in page.events { hold(.event(event)) }
                for entity in order.repaired("", to: page.position, at: .now) { hold(entity) }
                more = page.more
            } catch {
                return false
            }
        }
        return true
    }
}

extension ClientState {
    /// Adds the person's own state of messages.
    mutating func add(own messages: some Sequence<Parley_V1_Message>) {
        for message in messages where message.deletedAtUs == 0 {
            let state = Own(isStarred: message.own.starred, reactions: Set(message.own.reactions))
            if state != Own() { own["\(message.conversation) seq \(message.seq)"] = state }
        }
    }
}
