import Logging
import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Applies a changed retention to older messages, tells former members of what was deleted, and empties disappeared
/// messages (M18). Runs every few seconds in chunks of one transaction each, so another process can continue after a
/// crash and no send waits long.
@ReactorActor
final class RetentionSweep {
    /// The maximum messages per transaction, which takes a few milliseconds.
    static let chunk: Int32 = 300

    let database: Database
    let journal: Journal
    let clock: WallClock
    let worker: Worker
    /// How many former members a transaction tells.
    let peopleAtOnce: Int

    /// - Parameter journal: publishes when clients must start over.
    init(
        database: Database, journal: Journal, clock: WallClock, log: Logger, interval: Duration = .seconds(2),
        peopleAtOnce: Int = 100
    ) {
        self.database = database
        self.peopleAtOnce = peopleAtOnce
        self.journal = journal
        self.clock = clock
        worker = Worker(every: interval, log: log, failed: "retention sweep failed and will be retried")
    }

    func start() {
        worker.start { [weak self] in
            guard let self else { return }
            // A failure of one must not prevent the other.
            do { try await doJobs() } catch { worker.note(error) }
            do { try await doRenewals() } catch { worker.note(error) }
            try await emptyExpired()
        }
    }

    /// Waits for the current sweep and starts no other.
    func stop() async { await worker.stop() }

    // MARK: Older messages

    /// Does each existing job to its end, unless its conversation is locked.
    func doJobs() async throws {
        var last: ConversationNumber = 0
        while !worker.isStopping, let conversation = try await database.first(RetentionStore.nextJob, .number(last)) {
            last = conversation
            while !worker.isStopping {
                do {
                    guard try await doJob(conversation) else { break }
                } catch let error as DatabaseError where error.code == .lockNotAvailable {
                    break
                }
            }
        }
    }

    /// Does a part of one job.
    /// - Returns: whether there is more to do.
    private func doJob(_ conversation: ConversationNumber) async throws -> Bool {
        let now = clock.now
        return try await journal.change { change in
            _ = try await change.query(MessagingStore.lockHeads, .numbers([conversation]))
            let done = try await change.first(
                RetentionStore.doJob, .number(conversation), .int64(Int64(Self.chunk)), .number(now))
            guard let done, done.isLast else { return done != nil }
            try await change.execute(RetentionStore.endJob, .number(conversation))
            if done.changed > 0 { try await Self.startOver(conversation, at: now, in: change) }
            return false
        }
    }

    /// Makes clients read the conversation's messages again; there are too many changes to publish each.
    private static func startOver(_ conversation: ConversationNumber, at now: Timestamp, in change: Change) async throws
    {
        let restart = try await change.first(RetentionStore.startOver, .number(conversation), .number(now))
        guard let restart else { return }
        try await change.execute(RetentionStore.addRenewal, .number(conversation), .number(restart.seq))
        let found = try await change.first(
            MessagingStore.messagesNamed, .numbers([conversation]), .numbers([restart.seq]))
        guard let (_, id, newest) = found, var message = newest else { return }
        message.conversation = id
        message.show(at: now)
        change.publish(
            PendingUpdate(
                message, as: MessagingKind.message, subject: conversation, object: restart.seq,
                owner: id, position: restart.position,
                audience: restart.readers))
        guard !restart.others.isEmpty else { return }
        change.publish(
            PendingUpdate(
                superseded: MessagingKind.notShown, subject: conversation, object: restart.seq,
                stream: Message.stream(of: id), position: restart.position,
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
        while !worker.isStopping {
            let next = try await empty(after: last, at: now)
            guard next.seen > 0 else { break }
            emptied += next.emptied
            // Take them one at a time, so that it holds no other while it waits for one.
            for conversation in next.skipped where !worker.isStopping {
                do {
                    emptied += try await empty(after: last, at: min(now, next.at), of: conversation).emptied
                } catch let error as DatabaseError where error.code == .lockNotAvailable {
                    // Locked for too long: leave it to the next sweep.
                }
            }
            last = next
            guard last.seen == Int(Self.chunk) else { break }
        }
        return emptied
    }

    private func empty(after last: Emptied, at now: Timestamp, of conversation: ConversationNumber? = nil) async throws
        -> Emptied
    {
        try await database.first(
            RetentionStore.emptyExpired, .number(now), .number(last.at), .number(last.conversation), .number(last.seq),
            .int32(Self.chunk), .optional(conversation)) ?? Emptied()
    }
}
