import Logging
import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Gives older messages the time of disappearing that was set later, and empties what has disappeared (M18): every few
/// seconds, in chunks that are a transaction each, so it goes on where a process died, and no send waits for long.
@ReactorActor
final class RetentionSweep {
    /// Messages a transaction goes through at most: some milliseconds.
    static let chunk: Int32 = 300

    private let database: Database
    private let journal: Journal
    private let clock: WallClock
    private let log: Logger
    private let interval: Duration
    private var timer: Reactor.Timer?
    private var isStopping = false
    private var isWorking = false
    private var onIdle: [CheckedContinuation<Void, Never>] = []
    private var failureLine = LogThrottle(every: .seconds(10))

    /// - Parameter journal: where starting over is told of.
    init(database: Database, journal: Journal, clock: WallClock, log: Logger, interval: Duration = .seconds(2)) {
        self.database = database
        self.journal = journal
        self.clock = clock
        self.log = log
        self.interval = interval
    }

    func start() { tick() }

    /// Ends what is under way and sweeps no more.
    func stop() async {
        isStopping = true
        if let timer { Reactor.shared.cancel(timer) }
        if isWorking { await withCheckedContinuation { onIdle.append($0) } }
    }

    private func tick() {
        guard !isStopping, !isWorking else { return }
        isWorking = true
        Task.immediate { @ReactorActor [self] in
            // One that cannot go on does not keep the other from it.
            do { try await doJobs() } catch { note(error) }
            do { try await emptyExpired() } catch { note(error) }
            isWorking = false
            for waiting in onIdle { waiting.resume() }
            onIdle = []
            guard !isStopping else { return }
            timer = Reactor.shared.after(interval) { [weak self] in self?.tick() }
        }
    }

    // MARK: Older messages

    /// All jobs that there are, each to its end unless others hold its conversation.
    func doJobs() async throws {
        var last: Int64 = 0
        while !isStopping, let conversation = try await database.first(RetentionStore.nextJob, .int64(last)) {
            last = conversation
            while !isStopping {
                do {
                    guard try await doJob(conversation) else { break }
                } catch DatabaseError.failed(let state, _, _, _) where state == "55P03" {
                    break
                }
            }
        }
    }

    /// A stretch of one job. - Returns: whether there is more to do.
    private func doJob(_ conversation: Int64) async throws -> Bool {
        let now = clock.now
        return try await journal.change { change in
            _ = try await change.query(MessagingStore.lockHeads, .int64s([conversation]))
            let done = try await change.first(
                RetentionStore.doJob, .int64(conversation), .int64(Int64(Self.chunk)), .int64(now))
            guard let done, done.isLast else { return done != nil }
            try await change.execute(RetentionStore.endJob, .int64(conversation))
            if done.changed > 0 { try await Self.startOver(conversation, at: now, in: change) }
            return false
        }
    }

    /// Whoever holds the conversation's messages reads them anew: nobody could be told of each.
    private static func startOver(_ conversation: Int64, at now: Int64, in change: Change) async throws {
        let told = try await change.first(RetentionStore.startOver, .int64(conversation), .int64(now))
        guard let told else { return }
        let found = try await change.first(
            MessagingStore.messagesNamed, .int64s([conversation]), .int64s([told.seq]))
        guard let (_, id, newest) = found, var message = newest else { return }
        message.conversation = id
        message.show(at: now)
        change.publish(
            PendingUpdate(
                message, kindNumber: JournalKind.message, subject: conversation, object: told.seq,
                stream: MessagingStream.conversation(named: id), position: told.position, audience: told.readers))
        guard !told.others.isEmpty else { return }
        change.publish(
            PendingUpdate(
                superseded: JournalKind.notShown, subject: conversation, object: told.seq,
                stream: MessagingStream.conversation(named: id), position: told.position, audience: told.others))
    }

    // MARK: What has disappeared

    /// Empties all that has disappeared. What others hold is waited for shortly, then left to the next time.
    /// - Returns: how many messages.
    @discardableResult
    func emptyExpired() async throws -> Int {
        let now = clock.now
        var last = Emptied()
        var emptied = 0
        while !isStopping {
            let next = try await empty(after: last, at: now)
            guard next.seen > 0 else { break }
            emptied += next.emptied
            // One at a time: while it waits for one it holds no other.
            for conversation in next.passedOver where !isStopping {
                do {
                    emptied += try await empty(after: last, at: min(now, next.at), of: conversation).emptied
                } catch DatabaseError.failed(let state, _, _, _) where state == "55P03" {
                    // Held for long: passed by.
                }
            }
            last = next
            guard last.seen == Int(Self.chunk) else { break }
        }
        return emptied
    }

    private func empty(after last: Emptied, at now: Int64, of conversation: Int64? = nil) async throws -> Emptied {
        try await database.first(
            RetentionStore.emptyExpired, .int64(now), .int64(last.at), .int64(last.conversation), .int64(last.seq),
            .int32(Self.chunk), .optional(conversation)) ?? Emptied()
    }

    private func note(_ error: any Error) {
        guard let more = failureLine.pass(at: .now) else { return }
        log.warning("what has disappeared is not swept for now", metadata: ["error": "\(error)", "more": "\(more)"])
    }
}
