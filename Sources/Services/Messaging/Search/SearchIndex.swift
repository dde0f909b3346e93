import Logging
import Metrics
import Postgres
import Reactor
import ServiceKit
import Wire

/// Notes which words stand in which message, behind the messages: it follows messaging's own journal, so sending does
/// not wait for it, and what was there before it works off by and by.
///
/// While others wait to commit it works in small steps and rests four times as long as each took, so that of a busy
/// database a fifth of one connection goes to it at most.
@ReactorActor
final class SearchIndex {
    /// Messages a transaction: what a send may have to wait for.
    private static let chunk = 50

    private let context: ServiceContext
    private let isBusy: @ReactorActor () -> Bool
    private var follower: JournalFollower?
    private var worked: Duration = .zero
    private var timer: Reactor.Timer?
    private var isStopping = false
    private var isWorking = false
    private var onIdle: [CheckedContinuation<Void, Never>] = []
    private var failureLine = LogThrottle(every: .seconds(10))
    private let noted = Counter(label: "parley_search_messages_noted_total")

    /// - Parameter isBusy: whether somebody waits for this process to commit.
    init(_ context: ServiceContext, isBusy: @escaping @ReactorActor () -> Bool) {
        self.context = context
        self.isBusy = isBusy
        follower = JournalFollower(
            context, follows: MessagingService.name, kinds: [JournalKind.message, JournalKind.requestMessage],
            most: Self.chunk
        ) { [unowned self] entries, change in
            try await note(entries, in: change)
        }
    }

    func start() async throws {
        try await follower?.start()
        tick()
    }

    func stop() async {
        isStopping = true
        if let timer { Reactor.shared.cancel(timer) }
        await follower?.stop()
        if isWorking { await withCheckedContinuation { onIdle.append($0) } }
    }

    // MARK: What is new

    private func note(_ entries: [JournalEntry], in change: Change) async throws {
        try await rest()
        let began = ContinuousClock.now
        defer { worked = .now - began }
        var named: Set<SearchedMessage> = []
        for entry in entries { named.insert(SearchedMessage(conversation: entry.subject, seq: entry.object)) }
        let messages = named.sorted()
        try await lock(messages.map(\.conversation), in: change)
        let texts = try await change.query(
            SearchStore.texts, .int64s(messages.map(\.conversation)), .int64s(messages.map(\.seq)))
        try await write(texts, in: change)
    }

    private func rest() async throws {
        if isBusy(), worked > .zero { try await Reactor.shared.sleep(for: min(worked * 4, .milliseconds(500))) }
    }

    private func lock(_ conversations: [Int64], in database: any Queryable) async throws {
        _ = try await database.run(SearchStore.needNotLast.text, [])
        _ = try await database.run(SearchStore.lock.text, [.int64s(conversations)])
    }

    /// Finding the words of many long texts takes a while: not on the loop.
    private func write(_ texts: [SearchedText], in database: any Queryable) async throws {
        let words: [String]
        do {
            words = try await context.pool.run { texts.map(\.words) }
        } catch is WorkPool.Overloaded {
            throw Refusal.unavailable("The work pool is full.", retryAfter: .milliseconds(200))
        }
        let all = zip(texts, words)
        let found = all.filter { !$1.isEmpty }
        let empty = all.filter { $1.isEmpty }.map(\.0)
        if !found.isEmpty {
            try await database.execute(
                SearchStore.note, .int64s(found.map(\.0.conversation)), .int64s(found.map(\.0.seq)),
                .texts(found.map(\.1)))
            noted.increment(by: found.count)
        }
        if !empty.isEmpty {
            try await database.execute(
                SearchStore.forget, .int64s(empty.map(\.conversation)), .int64s(empty.map(\.seq)))
        }
    }

    // MARK: What was there before

    private func tick() {
        guard !isStopping, !isWorking else { return }
        isWorking = true
        Task.immediate { @ReactorActor [self] in
            do {
                while !isStopping, try await workOff() { try await rest() }
            } catch {
                note(error)
            }
            isWorking = false
            for waiting in onIdle { waiting.resume() }
            onIdle = []
            guard !isStopping else { return }
            timer = Reactor.shared.after(.seconds(15)) { [weak self] in self?.tick() }
        }
    }

    /// A part of the backlog, in a transaction.
    /// - Returns: whether there was any.
    private func workOff() async throws -> Bool {
        try await context.database.transaction { [self] transaction in
            guard let next = try await transaction.first(SearchStore.backlog) else { return false }
            try await lock([next.conversation], in: transaction)
            let texts = try await transaction.query(
                SearchStore.oldTexts, .int64(next.conversation), .int64(next.seq), .int64(Int64(Self.chunk)))
            try await write(texts, in: transaction)
            if let last = texts.last, last.seq > 1 {
                try await transaction.execute(
                    SearchStore.shortenBacklog, .int64(next.conversation), .int64(last.seq - 1))
            } else {
                try await transaction.execute(SearchStore.endBacklog, .int64(next.conversation))
            }
            return true
        }
    }

    private func note(_ error: any Error) {
        guard let more = failureLine.pass(at: .now) else { return }
        context.log.warning(
            "old messages are not made searchable for now", metadata: ["error": "\(error)", "more": "\(more)"])
    }
}

/// Where a message stands.
private struct SearchedMessage: Hashable, Comparable {
    var conversation: Int64
    var seq: Int64

    static func < (one: SearchedMessage, other: SearchedMessage) -> Bool {
        (one.conversation, one.seq) < (other.conversation, other.seq)
    }
}
