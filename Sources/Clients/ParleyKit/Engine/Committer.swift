import Foundation
import NIOConcurrencyHelpers
import ParleyClient

/// What goes into the store and then to the app, in order.
enum CommitItem: Sendable {
    case change(SyncChange)
    /// Everything that I may read in a range of a conversation's seqs is stored.
    case span(ClosedRange<Int64>, of: String)
    /// What is stored of a conversation is to be read again.
    case forgetSpans(of: String)
    /// All Updates missed before are stored.
    case confirmed
    case presence(Parley_V1_PresenceState)
    case ownPresence(Parley_V1_OwnPresence)
    case pushSettings(Parley_V1_PushSettings)
    /// These people are typing in a conversation.
    case typing([String], in: String)
    /// The server has something that I did.
    case sent(SentItem)
    /// Called when everything queued before it is stored and shown; with the error if storing failed.
    case done(@Sendable (StoreProblem?) -> Void)
}

/// What a commit makes different for an app.
struct Committed: Sendable {
    var effects: [StoreEffect] = []
    var presence: [Parley_V1_PresenceState] = []
    /// Who is typing, by conversation.
    var typing: [String: [String]] = [:]
    var ownPresence: [Parley_V1_OwnPresence] = []
    var pushSettings: [Parley_V1_PushSettings] = []
    var isConfirmed = false
    /// Conversations whose unread counts may be wrong.
    var doubtful: [String] = []
}

/// Brings changes into a store, then to the app, in order and together with all that gathered meanwhile. The changes of
/// one input stay in one transaction.
final class Committer: Sendable {
    private struct State {
        var waiting: [[CommitItem]] = []
        var isCommitting = false
        var isClosed = false
        /// How many messages each conversation got since it was last shortened.
        var stored: [String: Int] = [:]
    }

    private let store: any Store
    private let me: String
    private let messagesMax: Int
    private let now: @Sendable () -> Int64
    private let shown: @MainActor @Sendable (Committed) -> Void
    private let failed: @MainActor @Sendable (StoreProblem?) -> Void
    private let state = NIOLockedValueBox(State())

    /// The most changes of one transaction, apart from those of one input.
    private static let changesMax = 1000
    private static let retryEvery = Duration.seconds(1)

    /// - Parameters:
    ///   - messagesMax: the messages kept of each conversation.
    ///   - now: the server's time in microseconds UTC.
    ///   - shown: called with each commit.
    ///   - failed: called when the store cannot be written, and with nil when it can again.
    init(
        _ store: any Store, me: String, messagesMax: Int, now: @escaping @Sendable () -> Int64,
        shown: @escaping @MainActor @Sendable (Committed) -> Void,
        failed: @escaping @MainActor @Sendable (StoreProblem?) -> Void
    ) {
        (self.store, self.me, self.messagesMax) = (store, me, messagesMax)
        (self.now, self.shown, self.failed) = (now, shown, failed)
    }

    /// Adds the changes of one input. After ``close()`` they are ignored.
    func add(_ items: [CommitItem]) {
        guard !items.isEmpty else { return }
        let (isAdded, mustStart) = state.withLockedValue { state in
            guard !state.isClosed else { return (false, false) }
            state.waiting.append(items)
            defer { state.isCommitting = true }
            return (true, !state.isCommitting)
        }
        if !isAdded { for case .done(let body) in items { body(.other("it was closed")) } }
        if mustStart { Task { await run() } }
    }

    /// Adds changes, and waits until they and all that was added before are stored and shown. They are added before the
    /// caller's actor does anything else: what it adds next is later.
    @discardableResult
    nonisolated(nonsending) func flush(_ items: [CommitItem] = []) async -> StoreProblem? {
        await withCheckedContinuation { continuation in
            add(items + [.done { continuation.resume(returning: $0) }])
        }
    }

    /// Waits until all that was added is stored and shown, then takes nothing more.
    func close() async {
        await flush()
        state.withLockedValue { $0.isClosed = true }
    }

    private func next() -> [CommitItem] {
        state.withLockedValue { state in
            var items: [CommitItem] = []
            var count = 0
            while count < state.waiting.count, items.isEmpty || items.count < Self.changesMax {
                items += state.waiting[count]
                count += 1
            }
            state.waiting.removeFirst(count)
            if items.isEmpty { state.isCommitting = false }
            return items
        }
    }

    private func takeWaiting() -> [CommitItem] {
        state.withLockedValue { state in
            defer { state.waiting = [] }
            return state.waiting.flatMap { $0 }
        }
    }

    private func run() async {
        var wasFailing = false
        while true {
            var items = next()
            guard !items.isEmpty else { return }
            var isStored = false
            while !isStored {
                do {
                    await shown(try await commit(items))
                    isStored = true
                    if wasFailing { await failed(nil) }
                    wasFailing = false
                    for case .done(let body) in items { body(nil) }
                } catch {
                    let problem = StoreProblem(error)
                    wasFailing = true
                    await failed(problem)
                    // What came meanwhile waits for the same.
                    items += takeWaiting()
                    for case .done(let body) in items { body(problem) }
                    // Each is told once, and waits no more.
                    items.removeAll { if case .done = $0 { true } else { false } }
                    isStored = items.isEmpty
                    if state.withLockedValue({ $0.isClosed }) { return }
                    try? await Task.sleep(for: Self.retryEvery)
                }
            }
        }
    }

    /// Stores changes in one transaction.
    private func commit(_ items: [CommitItem]) async throws -> Committed {
        var committed = Committed()
        for item in items {
            switch item {
            case .confirmed: committed.isConfirmed = true
            case .presence(let state): committed.presence.append(state)
            case .typing(let people, let conversation): committed.typing[conversation] = people
            case .ownPresence(let state): committed.ownPresence.append(state)
            case .pushSettings(let state): committed.pushSettings.append(state)
            case .change, .span, .forgetSpans, .sent, .done: break
            }
        }
        let (me, now) = (me, now())
        let trims = trims()
        let (effects, stored, doubtful) = try await store.write {
            [items] store -> ([StoreEffect], [String: Int], [String]) in
            var batch = StoreBatch(store, me: me)
            var doubtful: [String] = []
            for item in items {
                try batch.apply(item)
                if case .change(.record(let record)) = item, record.unread.mustAsk(at: now) {
                    doubtful.append(record.id)
                }
            }
            let effects = try batch.finish(at: now, trims: trims)
            return (effects, batch.stored, doubtful)
        }
        note(stored, trimmed: trims)
        (committed.effects, committed.doubtful) = (effects, doubtful)
        return committed
    }

    /// Returns the conversations that got a tenth of what is kept since they were last shortened.
    private func trims() -> [String: Int] {
        state.withLockedValue { [messagesMax] state in
            state.stored.filter { $0.value > messagesMax / 10 }.mapValues { _ in messagesMax }
        }
    }

    private func note(_ stored: [String: Int], trimmed: [String: Int]) {
        state.withLockedValue { state in
            for id in trimmed.keys { state.stored[id] = nil }
            for (id, count) in stored { state.stored[id, default: 0] += count }
        }
    }
}
