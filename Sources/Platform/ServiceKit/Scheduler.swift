import Logging
import Postgres
import Reactor
import Schema
import Wire

/// Does what is due, at its time, once.
///
/// The service stores what is due, and when. The scheduler sleeps until the next time, by the clock of the database. A
/// change to something that is due before the end of that sleep wakes the schedulers of all replicas after its commit
/// (``wake(for:in:)``). Of several replicas one works at a time, so that things are done in order; when it dies,
/// another goes on, since the lock ends with its connection. What firing does is committed together with the record of
/// it.
@ReactorActor
public final class Scheduler {
    /// Something that becomes due.
    public struct Task: Sendable {
        /// Returns in how many microseconds the next one is due, by the clock of the database: negative if it is
        /// overdue, null if none is.
        let next: Statement<Int64?>
        /// Does what is due, in order of time, up to a limit, and returns how much that was. It skips rows that others
        /// have locked. It is called again when the transaction fails, so it may only touch the database, through
        /// `change`.
        let fire: @ReactorActor (_ change: Change, _ limit: Int) async throws -> Int

        public init(
            next: Statement<Int64?>, fire: @escaping @ReactorActor (_ change: Change, _ limit: Int) async throws -> Int
        ) {
            (self.next, self.fire) = (next, fire)
        }
    }

    /// The longest sleep. The clock of the database may be set meanwhile, which tells nobody.
    static let sleepMax = Duration.seconds(30)
    /// A change wakes the schedulers if it concerns less than this from now: the longest sleep, and the longest that a
    /// transaction may take to commit after it reads the clock.
    private static let wakeWithin = sleepMax + .seconds(15)
    /// How soon a replica looks again after something that is overdue while another one works.
    private static let lookAgain = Duration.milliseconds(250)
    /// The pause between two full batches.
    private static let pause = Duration.milliseconds(10)
    /// How soon rows that others had locked are tried again.
    private static let tryAgain = Duration.milliseconds(20)

    private let tasks: [Task]
    private let batchMax: Int
    private let journal: Journal
    private let database: Database
    private let clock: WallClock
    private let worker: Worker
    private var listener: Listener?
    private var timer: Reactor.Timer?
    private let lock: Statement<Bool>
    private let notify: Statement<Void>

    /// - Parameter batchMax: the most that each task does in a transaction.
    public init(_ context: ServiceContext, batchMax: Int = 50, _ tasks: [Task]) {
        (self.tasks, self.batchMax) = (tasks, batchMax)
        journal = context.newJournal(1)
        (database, clock) = (context.database, context.clock)
        worker = Worker(every: Self.sleepMax, log: context.log, failed: "what is due cannot be done for now")
        let channel = "\(journal.schema)_due"
        lock = Statement(
            "SELECT pg_try_advisory_xact_lock(\(AdvisoryLock.schedule.rawValue), hashtext('\(journal.schema)'))"
        ) { row in try row.bool(0) }
        notify = Statement<Void>(
            """
            SELECT pg_notify('\(channel)', '')
            WHERE $1 < extract(epoch FROM clock_timestamp()) * 1000000 + \(Self.wakeWithin.microseconds)
            """)
        listener = journal.newListener(to: channel) { [weak self] in self?.worker.wake() }
    }

    /// Starts doing what is due.
    /// - Throws: ``DatabaseError`` when no lane can be claimed.
    public func start() async throws {
        try await journal.start()
        listener?.start()
        worker.start { [weak self] in await self?.round() }
    }

    /// Finishes the work under way.
    public func stop() async {
        listener?.close()
        await worker.stop()
        if let timer { Reactor.shared.cancel(timer) }
        journal.close()
    }

    /// Wakes the schedulers of all replicas after the commit of a change to something that is due at `time`, if they
    /// may sleep longer.
    public func wake(for time: Timestamp, in change: Change) async throws {
        // The clock of the database decides. A day is more than clocks differ.
        guard time < clock.now + .seconds(86_400) else { return }
        try await change.execute(notify, .number(time))
    }

    /// Wakes the schedulers of all replicas after the commit of a change to something that is due at once.
    public func wake(in change: Change) async throws { try await change.execute(notify, .number(Timestamp(0))) }

    /// Wakes this replica's scheduler after something became due sooner otherwise than by a ``Change``. The other
    /// replicas may sleep on.
    public func wake() { worker.wake() }

    private func round() async {
        if let timer { Reactor.shared.cancel(timer) }
        do {
            sleep(for: try await work())
        } catch {
            worker.note(error)
            sleep(for: .milliseconds(500))
        }
    }

    private func sleep(for time: Duration) {
        guard time < Self.sleepMax, !worker.isStopping else { return }
        timer = Reactor.shared.after(time) { [weak self] in self?.worker.wake() }
    }

    /// Does everything that is due.
    /// - Returns: how long to sleep.
    private func work() async throws -> Duration {
        while !worker.isStopping {
            let done = try await fire()
            if let done, done > 0 {
                // Requests get their turn when much is due at once.
                if done >= batchMax { try await Reactor.shared.sleep(for: Self.pause) }
                continue
            }
            var next = Self.sleepMax
            for task in tasks {
                guard let wait = try await database.first(task.next) ?? nil else { continue }
                next = min(next, .microseconds(wait))
            }
            // A millisecond later rather than earlier.
            return max(next + .milliseconds(1), done == nil ? Self.lookAgain : Self.tryAgain)
        }
        return Self.sleepMax
    }

    /// Runs one transaction.
    /// - Returns: how much was done; nil if another replica works.
    private func fire() async throws -> Int? {
        try await journal.change { [self] change in
            guard try await change.first(lock) == true else { return nil }
            var count = 0
            for task in tasks { count += try await task.fire(change, batchMax) }
            return count
        }
    }
}
