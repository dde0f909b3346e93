import Logging
import Metrics
import Postgres
import Reactor
import ServiceKit
import Wire

enum BatchLaneLimits {
    /// How many items may wait for a batch of their lane.
    static let waitingMax = 10_000
}

/// An item that is committed in batches.
protocol BatchItem: Sendable {
    /// A conversation's or an account's number. Items with the same number are committed in the order in which they
    /// arrive.
    var order: Int64 { get }
    var deadline: ContinuousClock.Instant { get }
}

/// The result of one item of a batch.
enum BatchResult<Reply: Sendable>: Sendable {
    case done(Reply)
    case refused(Refusal)
    /// Another transaction has locked a row it needs, or another item of the batch uses its file. It goes with the next
    /// batch.
    case notLocked
}

/// Commits items in batches on one lane (group commit).
///
/// Items that arrive while a batch is in flight form the next batch. An idle lane therefore commits immediately, and a
/// busy one commits many items at a time. Items of one order go to one lane, so their order is kept.
@ReactorActor
final class BatchLane<Item: BatchItem, Reply: Sendable> {
    typealias Answer = @ReactorActor (Result<Reply, any Error>) -> Void
    /// Commits a batch with one statement and publishes its Updates before it returns, because the Updates of a lane
    /// must go out in the order of its commits. Returns a result for each item, in order.
    typealias Commit = @ReactorActor (_ lane: Lane, _ batch: [Item]) async throws -> [BatchResult<Reply>]

    /// A class, so that it moves from queue to batch as one pointer.
    private final class Waiting {
        let item: Item
        let answer: Answer

        init(_ item: Item, _ answer: @escaping Answer) { (self.item, self.answer) = (item, answer) }
    }

    private let holder: LaneHolder
    private let log: Logger
    private let commit: Commit
    private let unfit: Refusal
    private var queue: BatchQueue<Waiting>
    private lazy var idle = Condition { [unowned self] in queue.count == 0 }
    private var isScheduled = false
    private var retry: Reactor.Timer?

    private let batchSize: Recorder
    private let commitTime: Metrics.Timer
    private let depth: Gauge

    /// - Parameters:
    ///   - name: the name in metrics, such as "send".
    ///   - index: the index of the lane in metrics.
    ///   - unfit: the refusal for an item with a value that the database rejects.
    init(
        _ name: String, holder: LaneHolder, index: Int, log: Logger, unfit: Refusal, commit: @escaping Commit
    ) {
        self.holder = holder
        self.log = log
        self.unfit = unfit
        self.commit = commit
        queue = BatchQueue(batchLimit: 256, limit: BatchLaneLimits.waitingMax) { $0.item.order }
        batchSize = Recorder(label: "parley_batch_items", dimensions: [("batch", name)])
        commitTime = Metrics.Timer(label: "parley_batch_commit_seconds", dimensions: [("batch", name)])
        depth = Gauge(label: "parley_batch_queue_items", dimensions: [("batch", name), ("lane", "\(index)")])
    }

    /// The number of items waiting or in flight.
    var count: Int { queue.count }

    /// Returns once ``count`` is zero, or at `deadline`.
    func finish(by deadline: ContinuousClock.Instant) async { await idle.wait(atMost: deadline - .now) }

    /// Calls `answer` once the item is committed, or with a ``Refusal`` or ``DatabaseError``. After a ``DatabaseError``
    /// the outcome may be unknown, and the same request may be repeated.
    func add(_ item: Item, _ answer: @escaping Answer) {
        guard queue.add(Waiting(item, answer)) else {
            return answer(.failure(Refusal.rateLimited(.milliseconds(500))))
        }
        depth.record(queue.count)
        schedule()
    }

    /// Starts a batch at the end of the turn, so that all items of this turn go together.
    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        Reactor.shared.atEndOfTurn { [weak self] in
            self?.isScheduled = false
            self?.startBatch()
        }
    }

    private func startBatch() {
        let now = ContinuousClock.now
        for late in queue.remove(where: { $0.item.deadline <= now }) { late.answer(.failure(Refusal.deadline)) }
        depth.record(queue.count)
        idle.changed()
        guard let batch = queue.next(at: now) else { return scheduleRetry(now) }
        batchSize.record(batch.count)
        Task.onLoop {
            var notLocked: [Waiting] = []
            await self.commit(batch, notLocked: &notLocked)
            self.commitTime.recordNanoseconds((ContinuousClock.now - now).microseconds * 1000)
            self.queue.finished(batch: batch, notLocked: notLocked, at: .now)
            self.startBatch()
        }
    }

    private func scheduleRetry(_ now: ContinuousClock.Instant) {
        guard !queue.isInFlight, let at = queue.nextRetry else { return }
        if let retry { Reactor.shared.cancel(retry) }
        retry = Reactor.shared.after(max(at - now, .zero)) { [weak self] in
            self?.retry = nil
            self?.startBatch()
        }
    }

    /// Commits a batch and answers its items. Items that must wait for a lock are added to `notLocked`.
    ///
    /// If the database rejects a value, the batch is halved until the item with that value is alone. That item is
    /// refused, and the others are committed.
    private func commit(_ batch: [Waiting], notLocked: inout [Waiting]) async {
        guard !batch.isEmpty else { return }
        do {
            let results = try await commit(try holder.current, batch.map(\.item))
            guard results.count == batch.count else {
                throw DatabaseError.unexpected("\(results.count) results for a batch of \(batch.count)")
            }
            for (waiting, result) in zip(batch, results) {
                switch result {
                case .done(let reply): waiting.answer(.success(reply))
                case .refused(let refusal): waiting.answer(.failure(refusal))
                case .notLocked: notLocked.append(waiting)
                }
            }
        } catch let error as DatabaseError where error.isAboutValues {
            guard batch.count > 1 else {
                log.warning(
                    "the database rejected a value",
                    metadata: ["sqlstate": "\(error.code)", "reason": "\(error.message)"])
                batch[0].answer(.failure(unfit))
                return
            }
            await commit(Array(batch[..<(batch.count / 2)]), notLocked: &notLocked)
            // Items behind one that waits for a lock wait with it, so that their order is kept.
            let waiting = Set(notLocked.map(\.item.order))
            let rest = batch[(batch.count / 2)...]
            let behind = rest.filter { waiting.contains($0.item.order) }
            await commit(rest.filter { !waiting.contains($0.item.order) }, notLocked: &notLocked)
            notLocked += behind
        } catch let error as DatabaseError where error.isTransient || error.code == .lockNotAvailable {
            notLocked += batch
        } catch {
            for waiting in batch { waiting.answer(.failure(error)) }
        }
    }
}

/// The batch lanes of one kind, one on each lane of the journal. Distributes items over them by `order`.
@ReactorActor
struct BatchLanes<Item: BatchItem, Reply: Sendable> {
    private let lanes: [BatchLane<Item, Reply>]

    init(_ name: String, _ context: ServiceContext, unfit: Refusal, commit: @escaping BatchLane<Item, Reply>.Commit) {
        lanes = context.journal.lanes.enumerated().map { index, holder in
            BatchLane(name, holder: holder, index: index, log: context.log, unfit: unfit, commit: commit)
        }
    }

    var count: Int { lanes.reduce(0) { $0 + $1.count } }

    /// Returns once ``count`` is zero, or at `deadline`.
    func finish(by deadline: ContinuousClock.Instant) async {
        for lane in lanes { await lane.finish(by: deadline) }
    }

    func add(_ item: Item, _ answer: @escaping BatchLane<Item, Reply>.Answer) {
        lane(for: item.order).add(item, answer)
    }

    /// Adds an item and waits until it is committed.
    func add(_ item: Item) async throws -> Reply {
        try await withCheckedThrowingContinuation { continuation in
            add(item) { continuation.resume(with: $0) }
        }
    }

    private func lane(for order: Int64) -> BatchLane<Item, Reply> {
        // Fibonacci hashing spreads consecutive numbers evenly.
        let mixed = UInt64(bitPattern: order) &* 0x9E37_79B9_7F4A_7C15
        return lanes[Int((mixed >> 32) % UInt64(lanes.count))]
    }
}
