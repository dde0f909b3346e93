import Logging
import Metrics
import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Indexes the words of messages. It follows messaging's own journal, so sends do not wait for it. It indexes older
/// messages gradually.
///
/// While other work waits to commit, it takes small steps and rests four times as long as each took. On a busy database
/// it uses at most a fifth of one connection.
@ReactorActor
final class SearchIndex {
    /// The maximum messages per transaction. A send may have to wait for one transaction.
    private static let chunk = 50

    private let context: ServiceContext
    private let isBusy: @ReactorActor () -> Bool
    private var follower: JournalFollower?
    private var worked: Duration = .zero
    private let backlog: Worker
    private let indexedCount = Counter(label: "parley_search_messages_noted_total")

    /// - Parameter isBusy: whether any work waits for this process to commit.
    init(_ context: ServiceContext, isBusy: @escaping @ReactorActor () -> Bool) {
        self.context = context
        self.isBusy = isBusy
        backlog = Worker(
            every: .seconds(15), log: context.log, failed: "indexing old messages failed and will be retried")
        follower = JournalFollower(
            context, follows: MessagingService.name,
            kinds: Set([MessagingKind.message, .requestMessage].map(\.number)), batchMax: Self.chunk
        ) { [unowned self] entries, change in
            try await index(entries, in: change)
        }
    }

    func start() async throws {
        try await follower?.start()
        backlog.start { [weak self] in
            guard let self else { return }
            while !backlog.isStopping, try await indexBacklog() { try await rest() }
        }
    }

    func stop() async {
        await follower?.stop()
        await backlog.stop()
    }

    // MARK: New messages

    private func index(_ entries: [JournalEntry], in change: Change) async throws {
        try await rest()
        let began = ContinuousClock.now
        defer { worked = .now - began }
        var named: Set<SearchedMessage> = []
        for entry in entries {
            named.insert(SearchedMessage(conversation: ConversationNumber(entry.subject), seq: Seq(entry.object)))
        }
        let messages = named.sorted()
        try await lock(messages.map(\.conversation), in: change)
        let texts = try await change.query(
            SearchStore.texts, .numbers(messages.map(\.conversation)), .numbers(messages.map(\.seq)))
        try await write(texts, in: change)
    }

    private func rest() async throws {
        if isBusy(), worked > .zero { try await Reactor.shared.sleep(for: min(worked * 4, .milliseconds(500))) }
    }

    private func lock(_ conversations: [ConversationNumber], in database: any Queryable) async throws {
        _ = try await database.run(SearchStore.commitAsynchronously.text, [])
        _ = try await database.run(SearchStore.lock.text, [.numbers(conversations)])
    }

    /// Writes the words of messages. Splitting many long texts takes a while, so it runs on the work pool.
    private func write(_ texts: [SearchedText], in database: any Queryable) async throws {
        let words: [String]
        do {
            words = try await context.pool.run { texts.map(\.words) }
        } catch is WorkPool.Overloaded {
            throw Refusal.unavailable("The server is busy. Try again shortly.", retryAfter: .milliseconds(200))
        }
        let all = zip(texts, words)
        let found = all.filter { !$1.isEmpty }
        let empty = all.filter { $1.isEmpty }.map(\.0)
        if !found.isEmpty {
            try await database.execute(
                SearchStore.index, .numbers(found.map(\.0.conversation)), .numbers(found.map(\.0.seq)),
                .texts(found.map(\.1)))
            indexedCount.increment(by: found.count)
        }
        if !empty.isEmpty {
            try await database.execute(
                SearchStore.remove, .numbers(empty.map(\.conversation)), .numbers(empty.map(\.seq)))
        }
    }

    // MARK: Backlog

    /// Indexes a part of the backlog in one transaction.
    /// - Returns: whether there was any.
    private func indexBacklog() async throws -> Bool {
        try await context.database.transaction { [self] transaction in
            guard let next = try await transaction.first(SearchStore.backlog) else { return false }
            try await lock([next.conversation], in: transaction)
            let texts = try await transaction.query(
                SearchStore.oldTexts, .number(next.conversation), .number(next.seq), .int64(Int64(Self.chunk)))
            try await write(texts, in: transaction)
            if let last = texts.last, last.seq > 1 {
                try await transaction.execute(
                    SearchStore.shortenBacklog, .number(next.conversation), .number(last.seq - 1))
            } else {
                try await transaction.execute(SearchStore.endBacklog, .number(next.conversation))
            }
            return true
        }
    }
}

/// The key of a message to index.
private struct SearchedMessage: Hashable, Comparable {
    var conversation: ConversationNumber
    var seq: Seq

    static func < (one: SearchedMessage, other: SearchedMessage) -> Bool {
        (one.conversation, one.seq) < (other.conversation, other.seq)
    }
}
