import Foundation
import ParleyClient

/// What I did and the server does not have yet: on the screen, in the store, and on its way. It is stored before a
/// call returns; then it is sent in order, one thing after another in each lane.
@MainActor
final class Outbox {
    struct Entry {
        enum State {
            /// It is not in the store yet.
            case writing
            case waiting
            case underWay
            case failed
        }

        var item: UnsentItem
        var state: State
        /// Whether the server has its file.
        var isUploaded: Bool
        /// How many bytes of its file were uploaded.
        var uploaded: Int64 = 0
        /// How often the server had lost its file.
        var losses = 0

        init(_ item: UnsentItem, _ state: State) {
            // What was tried was uploaded before.
            (self.item, self.state, isUploaded) = (item, state, item.file == nil || item.wasTried)
        }
    }

    /// Both stay until ``Parley/close()``: what is done before is still stored.
    /// Owns this. What runs on its own holds it, too.
    unowned let parley: Parley
    /// In the order in which they were done.
    var entries: [Entry] = []
    private var ids = UUIDv7.Generator()
    /// How many entries each lane has.
    private var lanes: [String: Int] = [:]
    /// How many entries there are about a message, apart from sending it.
    var targets: [MessageID: Int] = [:]
    /// What the server has said of messages and conversations that there are entries about.
    private var messages: [MessageID: Message] = [:]
    private var summaries: [ConversationID: ConversationSummary] = [:]
    /// What is not being stored yet. What waits for the store only has no item.
    private var unwritten: [(item: UnsentItem?, done: CheckedContinuation<StoreProblem?, Never>)] = []
    private var isWriting = false
    var tasks: [Data: Task<Void, Never>] = [:]
    var uploads: [Data: Task<Void, Never>] = [:]
    /// Moves the copies of files that were sent to those that were downloaded; nil: none was sent.
    var keeping: Task<Void, Never>?
    /// When a lane is tried again, and how often it failed in a row.
    var pauses: [String: (until: ContinuousClock.Instant, count: Int)] = [:]
    var alarm: Task<Void, Never>?
    /// The versions that my changes of a lane were made to, and which they made, since the start.
    var versions: [String: [Int64: Int64]] = [:]
    /// Grows with each change of the entries.
    var changes = 0
    /// Takes the place of the server, for measuring and for doubles.
    var transport: (@MainActor (UnsentItem) async throws(ParleyError) -> ActionAnswer)?
    /// Takes the place of the client.
    var link: (any ActionLink)?
    var uploader: (@MainActor (UnsentItem, URL, Progress) async throws(ParleyError) -> Void)?

    init(_ parley: Parley) { self.parley = parley }

    /// Whether there are entries that change what is shown of messages.
    var changesMessages: Bool { !targets.isEmpty }

    // MARK: Entries

    /// Returns a new id, which is above all others here.
    func nextID() -> UUIDv7 {
        // Another process made it, perhaps while the clock was ahead.
        if let last = entries.last.flatMap({ UUIDv7(bytes: $0.item.id) }) { ids.noteUsed(last) }
        return ids.next(at: parley.account?.now ?? ServerClock().now())
    }

    /// Shows what I do at once, and returns once it is stored.
    /// - Parameter original: the file that it sends, which is copied before.
    /// - Throws: `outbox_full`, `storage_failed`; then it is not shown any more.
    func add(_ item: UnsentItem, copying original: URL? = nil) async throws(Refusal) {
        // The app may let go of it meanwhile.
        let parley = parley
        defer { withExtendedLifetime(parley) {} }
        guard let account = parley.account else { throw parley.isClosed ? .wasClosed : .signedOut }
        var item = item
        item.wasTried = isSending && item.file == nil
        if let index = index(of: item.id) {
            entries[index] = Entry(item, .writing)
        } else {
            guard entries.count < parley.options.unsentMax else { throw .outboxFull(parley.options.unsentMax) }
            insert(Entry(item, .writing))
        }
        show(item)
        parley.noteUnsent()
        if let original, let file = item.file {
            do throws(Refusal) {
                try await account.unsentFiles.keep(original, as: file)
            } catch {
                if account === parley.account { forget([item.id]) }
                throw error
            }
        }
        let problem = await withCheckedContinuation { done in
            unwritten.append((item, done))
            writeAll(account)
        }
        guard account === parley.account else { return }
        parley.note(problem?.refusal, of: .writing)
        if let problem {
            forget([item.id])
            if let file = item.file { account.unsentFiles.remove(file) }
            throw problem.refusal
        }
        if let index = index(of: item.id), entries[index].state == .writing { entries[index].state = .waiting }
        drain()
    }

    /// Waits until nothing is being stored as it was before. What is done now is stored later, as it is by then.
    func written() async {
        guard isWriting, let account = parley.account else { return }
        _ = await withCheckedContinuation { done in
            unwritten.append((nil, done))
            writeAll(account)
        }
    }

    /// Stores everything that gathered meanwhile, together and in order.
    private func writeAll(_ account: Account) {
        guard !isWriting else { return }
        isWriting = true
        Task {
            while !unwritten.isEmpty {
                let batch = unwritten
                unwritten = []
                // As they are by now: a message that they are about may have been sent since.
                let items = batch.compactMap { entry in
                    entry.item.map { item in index(of: item.id).map { entries[$0].item } ?? item }
                }
                var problem: StoreProblem?
                do {
                    if !items.isEmpty {
                        try await account.store.write { store in for item in items { try store.put(item) } }
                    }
                } catch {
                    problem = StoreProblem(error)
                }
                for entry in batch { entry.done.resume(returning: problem) }
            }
            isWriting = false
        }
    }

    func index(of id: Data) -> Int? { entries.lastIndex { $0.item.id == id } }

    private func insert(_ entry: Entry) {
        changes += 1
        let item = entry.item
        let place = entries.lastIndex { $0.item.id.lexicographicallyPrecedes(item.id) }
        entries.insert(entry, at: place.map { $0 + 1 } ?? 0)
        lanes[item.lane, default: 0] += 1
        if let target = item.changedMessage { targets[target, default: 0] += 1 }
    }

    /// Takes entries out and shows what is true without them.
    func forget(_ gone: some Sequence<Data>) {
        changes += 1
        let items = gone.compactMap { id -> UnsentItem? in
            guard let index = index(of: id) else { return nil }
            let item = entries.remove(at: index).item
            uploads.removeValue(forKey: id)?.cancel()
            lanes[item.lane, default: 1] -= 1
            if lanes[item.lane] == 0 { (lanes[item.lane], pauses[item.lane]) = (nil, nil) }
            if let target = item.changedMessage {
                targets[target, default: 1] -= 1
                if targets[target] == 0 { targets[target] = nil }
            }
            return item
        }
        for item in items { show(item) }
        parley.noteUnsent()
    }

    /// Shows what is stored, at the start, and what another process stored or sent.
    func reload() async {
        let resting = Set(entries.filter { $0.state == .waiting || $0.state == .failed }.map(\.item.id))
        let before = changes
        guard let stored = await parley.read({ try $0.unsent() }), before == changes else { return }
        let known = Dictionary(entries.map { ($0.item.id, $0) }) { $1 }
        let ids = Set(stored.map(\.id))
        if stored.isEmpty, resting.isEmpty { return }
        forget(resting.filter { !ids.contains($0) })
        for item in stored {
            if let entry = known[item.id] {
                guard entry.item != item, entry.state == .waiting || entry.state == .failed,
                    let index = index(of: item.id)
                else { continue }
                entries[index] = Entry(item, item.failure == nil ? .waiting : .failed)
            } else {
                insert(Entry(item, item.failure == nil ? .waiting : .failed))
            }
            show(item)
        }
        parley.noteUnsent()
        drain()
    }

    /// Forgets everything on this object; it stays in the store.
    func close() {
        for task in tasks.values { task.cancel() }
        pauseUploads()
        alarm?.cancel()
        (entries, lanes, targets, messages, summaries) = ([], [:], [:], [:], [:])
        (tasks, uploads, pauses, alarm, versions) = ([:], [:], [:], nil, [:])
        parley.noteUnsent()
    }

    // MARK: Showing

    /// Shows what an entry changes, or what is true without it.
    func show(_ item: UnsentItem) {
        let conversation = ConversationID(rawValue: item.lane)
        if let me = parley.user, let id = item.sends {
            let uploaded = index(of: item.id).map { entries[$0].uploaded } ?? 0
            show(id, item.message(from: me, uploaded: uploaded), in: conversation)
        } else if let target = item.changedMessage {
            let shown = parley.conversations.conversations[conversation]
            // One that was dropped, or cleared, does not come back.
            if let known = messages[target] ?? shown?.message(target),
                known.seq.map({ $0 >= shown?.own.firstSeq ?? 0 }) ?? (unsent(target) != nil)
            {
                parley.conversations.upsert(known)
            }
            if targets[target] == nil { messages[target] = nil }
        }
        if item.changesSummary { showSummary(of: conversation) }
        if let kind = item.changedStates { parley.show(kind) }
    }

    /// Shows a message that the server does not have, or no longer does so.
    private func show(_ id: MessageID, _ message: Message?, in conversation: ConversationID) {
        guard let message else { return }
        let shown = parley.conversations.conversations[conversation]?.message(id)
        let isHere = entries.contains { $0.item.sends == id }
        if isHere, shown == nil {
            parley.conversations.append(overlaid(message))
        } else if isHere, shown?.seq == nil {
            parley.conversations.upsert(message)
        } else if !isHere, let shown, shown.seq == nil, shown.status != .sent {
            parley.conversations.remove(id, in: conversation)
        }
    }

    private func showSummary(of id: ConversationID) {
        guard id.rawValue != Self.ownLane else { return }
        let known = summaries[id] ?? parley.summary(of: id)
        if lanes[id.rawValue] == nil {
            summaries[id] = nil
            // It was never created.
            if known.facts == nil { parley.conversations.forgetFacts(of: id) }
        }
        parley.show(known)
    }

    /// Returns what to show of a message, and remembers it as what the server has.
    func overlaid(_ message: Message) -> Message {
        if targets[message.id] != nil { messages[message.id] = message }
        return shown(message)
    }

    /// Returns what to show of a message that was read by itself, and may be older than what is known of it.
    func shown(_ message: Message) -> Message {
        guard targets[message.id] != nil else { return message }
        var shown = message
        var status = SyncStatus.synced
        for entry in entries where entry.item.changedMessage == message.id {
            entry.item.apply(to: &shown)
            if case .failed = status { continue }
            status = entry.item.status
        }
        shown.setChange(status)
        return shown
    }

    /// Notes that the server no longer has a conversation: what I did with it does not bring it back.
    func noteDropped(_ id: ConversationID) {
        guard var known = summaries[id] else { return }
        known.section = nil
        known.facts?.section = nil
        summaries[id] = known
    }

    /// Returns what to show of the conversations with which I did something that the store does not have yet.
    var overlaid: [ConversationSummary] { summaries.values.map(overlaid) }

    /// Returns what to show of a conversation.
    func overlaid(_ summary: ConversationSummary) -> ConversationSummary {
        let id = summary.id
        guard let me = parley.user, lanes[id.rawValue] != nil else { return summary }
        var shown = summary
        if shown.facts == nil {
            // What is shown may be guessed.
            shown.facts = if let known = summaries[id] { known.facts } else { parley.conversations.facts(of: id) }
        }
        summaries[id] = shown
        var hasMarks = false
        var status = SyncStatus.synced
        for entry in entries where entry.item.lane == id.rawValue {
            entry.item.apply(to: &shown, me: me)
            switch entry.item.optimisticState {
            case .marks: hasMarks = true
            case .conversation, .block:
                if case .failed = status { continue }
                status = entry.item.status
            case .sends, .message, .profile, .list, .unknown: break
            }
        }
        if hasMarks {
            shown.own.unread = parley.conversations.unread(
                of: id, above: shown.own.readUpTo, atMost: shown.own.unread)
        }
        shown.syncStatus = status
        return shown
    }

    /// Whether what an entry changes is shown only once it is read from the store.
    func isShownLater(_ id: Data) -> Bool {
        index(of: id).map { entries[$0].item.changedStates != nil } ?? false
    }

    /// The lane of what is about me alone.
    nonisolated static let ownLane = "me"
}
