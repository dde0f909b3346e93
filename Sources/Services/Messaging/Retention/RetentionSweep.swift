import Logging
import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Applies a changed retention to older messages and empties disappeared ones (M18). Runs every few seconds in chunks
/// of one transaction each, so another process can continue after a crash and no send waits long.
@ReactorActor
final class RetentionSweep {
    /// The maximum messages per transaction, which takes a few milliseconds.
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

    /// - Parameter journal: publishes when clients must start over.
    init(database: Database, journal: Journal, clock: WallClock, log: Logger, interval: Duration = .seconds(2)) {
        self.database = database
        self.journal = journal
        self.clock = clock
        self.log = log
        self.interval = interval
    }

    func start() { tick() }

    /// Waits for the current sweep and starts no other.
    func stop() async {
        isStopping = true
        if let timer { Reactor.shared.cancel(timer) }
        if isWorking { await withCheckedContinuation { onIdle.append($0) } }
    }

    private func tick() {
        guard !isStopping, !isWorking else { return }
        isWorking = true
        Task.immediate { @ReactorActor [self] in
            // A failure of one must not prevent the other.
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

    /// Does each existing job to its end, unless its conversation is locked.
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

    /// Does a part of one job.
    /// - Returns: whether there is more to do.
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

    /// Makes clients read the conversation's messages again; there are too many changes to publish each.
    private static func startOver(_ conversation: Int64, at now: Int64, in change: Change) async throws {
        let restart = try await change.first(RetentionStore.startOver, .int64(conversation), .int64(now))
        guard let restart else { return }
        let found = try await change.first(
            MessagingStore.messagesNamed, .int64s([conversation]), .int64s([restart.seq]))
        guard let (_, id, newest) = found, var message = newest else { return }
        message.conversation = id
        message.show(at: now)
        change.publish(
            PendingUpdate(
                message, kindNumber: JournalKind.message, subject: conversation, object: restart.seq,
                stream: MessagingStream.conversation(named: id), position: restart.position,
                audience: restart.readers))
        guard !restart.others.isEmpty else { return }
        change.publish(
            PendingUpdate(
                superseded: JournalKind.notShown, subject: conversation, object: restart.seq,
                stream: MessagingStream.conversation(named: id), position: restart.position,
                audience: restart.others))
    }

    // MARK: Disappeared messages

    /// Empties all disappeared messages. Waits briefly for locked conversations, then leaves them to the next sweep.
    /// - Returns: the number of messages emptied.
    @discardableResult
    func emptyExpired() async throws -> Int {
        let now = clock.now
        var last = Emptied()
        var emptied = 0
        while !isStopping {
            let next = try await empty(after: last, at: now)
            guard next.seen > 0 else { break }
            emptied += next.emptied
            // Take them one at a time, so that it holds no other while it waits for one.
            for conversation in next.skipped where !isStopping {
                do {
                    emptied += try await empty(after: last, at: min(now, next.at), of: conversation).emptied
                } catch DatabaseError.failed(let state, _, _, _) where state == "55P03" {
                    // Locked for too long: leave it to the next sweep.
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
        log.warning("retention sweep failed and will be retried", metadata: ["error": "\(error)", "more": "\(more)"])
    }
}
