import Logging
import Metrics
import Postgres
import Reactor
import ServiceKit
import Wire

/// What is committed in batches.
protocol BatchItem: Sendable {
    /// Items of the same are committed in the order in which they came: a conversation's or an account's number.
    var order: Int64 { get }
    var deadline: ContinuousClock.Instant { get }
}

/// What became of one item of a batch.
enum BatchResult<Reply: Sendable>: Sendable {
    case done(Reply)
    case refused(Refusal)
    /// Others hold a row it needs, or another of the batch has the file it brings along: it goes with the next batch.
    case notLocked
}

/// Commits items in batches on one lane (group commit).
///
/// While a batch is in flight the next one collects, so an idle lane commits at once and a busy one commits many at
/// a time. Items of one order belong to one lane, so their order is kept.
@ReactorActor
final class BatchLane<Item: BatchItem, Reply: Sendable> {
    typealias Answer = @ReactorActor (Result<Reply, any Error>) -> Void
    /// Commits a batch with one statement, and tells of it before it returns: what is told of a lane must come in the
    /// order of its commits. Gives a result for each item, in their order.
    typealias Commit = @ReactorActor (_ lane: Lane, _ batch: [Item]) async throws -> [BatchResult<Reply>]

    /// A class, so that it goes from queue to batch as one pointer.
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
    private var isScheduled = false
    private var retry: Reactor.Timer?

    private let batchSize: Recorder
    private let commitTime: Metrics.Timer
    private let depth: Gauge

    /// - Parameters:
    ///   - name: for metrics: "send".
    ///   - index: of the lane, for metrics.
    ///   - unfit: what an item is told that the database cannot take because of a value in it.
    init(
        _ name: String, holder: LaneHolder, index: Int, log: Logger, unfit: Refusal, commit: @escaping Commit
    ) {
        self.holder = holder
        self.log = log
        self.unfit = unfit
        self.commit = commit
        queue = BatchQueue(batchLimit: 256, limit: 10_000) { $0.item.order }
        batchSize = Recorder(label: "parley_batch_items", dimensions: [("batch", name)])
        commitTime = Metrics.Timer(label: "parley_batch_commit_seconds", dimensions: [("batch", name)])
        depth = Gauge(label: "parley_batch_queue_items", dimensions: [("batch", name), ("lane", "\(index)")])
    }

    /// How many items wait or are in flight.
    var count: Int { queue.count }

    /// Calls `answer` once the item is committed; with ``Refusal``; or with ``DatabaseError``, after which the outcome
    /// may be unknown: the same may be asked again.
    func add(_ item: Item, _ answer: @escaping Answer) {
        guard queue.add(Waiting(item, answer)) else {
            return answer(.failure(Refusal.rateLimited(.milliseconds(500))))
        }
        depth.record(queue.count)
        schedule()
    }

    /// At the end of the turn, so that all that came in this turn goes together.
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
        guard let batch = queue.next(at: now) else { return scheduleRetry(now) }
        batchSize.record(batch.count)
        Task.immediate { @ReactorActor in
            var notLocked: [Waiting] = []
            await commit(batch, notLocked: &notLocked)
            commitTime.recordNanoseconds((ContinuousClock.now - now).microseconds * 1000)
            queue.finished(batch: batch, notLocked: notLocked, at: .now)
            startBatch()
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

    /// Commits a batch and answers its items; those that others hold back are put into `notLocked`.
    ///
    /// A batch the database refuses because of a value in it is halved until that item stands alone: it is refused, the
    /// others go through.
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
        } catch DatabaseError.failed(let state, let reason, _, _) where state.hasPrefix("22") || state.hasPrefix("23") {
            guard batch.count > 1 else {
                log.warning("the database refused a value", metadata: ["sqlstate": "\(state)", "reason": "\(reason)"])
                batch[0].answer(.failure(unfit))
                return
            }
            await commit(Array(batch[..<(batch.count / 2)]), notLocked: &notLocked)
            // What has to wait for another session keeps its order: the rest of its kind waits with it.
            let waiting = Set(notLocked.map(\.item.order))
            let rest = batch[(batch.count / 2)...]
            let behind = rest.filter { waiting.contains($0.item.order) }
            await commit(rest.filter { !waiting.contains($0.item.order) }, notLocked: &notLocked)
            notLocked += behind
        } catch DatabaseError.failed(let state, _, _, _) where state == "40001" || state == "40P01" || state == "55P03"
        {
            notLocked += batch
        } catch {
            for waiting in batch { waiting.answer(.failure(error)) }
        }
    }
}

/// Lanes of one kind, one on each of the journal's, and which of them takes what.
@ReactorActor
struct BatchLanes<Item: BatchItem, Reply: Sendable> {
    private let lanes: [BatchLane<Item, Reply>]

    init(_ name: String, _ context: ServiceContext, unfit: Refusal, commit: @escaping BatchLane<Item, Reply>.Commit) {
        lanes = context.journal.lanes.enumerated().map { index, holder in
            BatchLane(name, holder: holder, index: index, log: context.log, unfit: unfit, commit: commit)
        }
    }

    var count: Int { lanes.reduce(0) { $0 + $1.count } }

    func add(_ item: Item, _ answer: @escaping BatchLane<Item, Reply>.Answer) {
        lane(for: item.order).add(item, answer)
    }

    /// Waits until the item is committed.
    func add(_ item: Item) async throws -> Reply {
        try await withCheckedThrowingContinuation { continuation in
            add(item) { continuation.resume(with: $0) }
        }
    }

    private func lane(for order: Int64) -> BatchLane<Item, Reply> {
        // Fibonacci hashing: numbers given out one after the other spread evenly.
        let mixed = UInt64(bitPattern: order) &* 0x9E37_79B9_7F4A_7C15
        return lanes[Int((mixed >> 32) % UInt64(lanes.count))]
    }
}
