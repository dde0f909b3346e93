import Logging
import Metrics
import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// A message on its way into the database.
struct PendingMessage: Sendable {
    var conversation: Int64
    var conversationID: ConversationID
    var sender: Int64
    var senderID: String
    var id: UUIDv7
    var kind: MessageKind
    var text: String
    /// Left out of the Update: it knows by its reply.
    var session: String
    var deadline: ContinuousClock.Instant
}

/// Commits messages in batches on one lane and tells of them (group commit, DESIGN §4).
///
/// While a batch is in flight the next one collects, so an idle lane commits at once and a busy one commits many at
/// a time. Conversations belong to lanes by hash, so order is kept.
@ReactorActor
final class SendLane {
    /// A class, so that it goes from queue to batch as one pointer.
    private final class Waiting {
        let message: PendingMessage
        let answer: @ReactorActor (Result<SendReply, any Error>) -> Void

        init(_ message: PendingMessage, _ answer: @escaping @ReactorActor (Result<SendReply, any Error>) -> Void) {
            (self.message, self.answer) = (message, answer)
        }
    }

    private let holder: LaneHolder
    private let publisher: UpdatePublisher
    private let clock: WallClock
    private let log: Logger
    private var queue: BatchQueue<Waiting>
    private var isScheduled = false
    private var retry: Reactor.Timer?

    private static let batchSize = Recorder(label: "parley_send_batch_messages")
    private static let commitTime = Metrics.Timer(label: "parley_send_commit_seconds")
    private let depth: Gauge

    init(holder: LaneHolder, index: Int, publisher: UpdatePublisher, clock: WallClock, log: Logger) {
        self.holder = holder
        self.publisher = publisher
        self.clock = clock
        self.log = log
        queue = BatchQueue(batchLimit: 256, limit: 10_000) { $0.message.conversation }
        depth = Gauge(label: "parley_send_queue_messages", dimensions: [("lane", "\(index)")])
    }

    /// How many messages wait or are in flight.
    var count: Int { queue.count }

    /// Calls `answer` once the message is committed, or known from before; with ``Refusal``; or with ``DatabaseError``,
    /// after which the outcome may be unknown: the same id may be sent again.
    func send(_ message: PendingMessage, _ answer: @escaping @ReactorActor (Result<SendReply, any Error>) -> Void) {
        guard queue.add(Waiting(message, answer)) else {
            return answer(.failure(Refusal.rateLimited(.milliseconds(500))))
        }
        schedule()
    }

    /// At the end of the turn, so that all the sends of this turn go together.
    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        Reactor.shared.atEndOfTurn { [unowned self] in
            isScheduled = false
            startBatch()
        }
    }

    private func startBatch() {
        let now = ContinuousClock.now
        for late in queue.remove(where: { $0.message.deadline <= now }) { late.answer(.failure(Refusal.deadline)) }
        guard let batch = queue.next(at: now) else { return scheduleRetry(now) }
        depth.record(queue.count)
        Self.batchSize.record(batch.count)
        Task.immediate { @ReactorActor in
            var notLocked: [Waiting] = []
            await commit(batch, notLocked: &notLocked)
            Self.commitTime.recordNanoseconds((ContinuousClock.now - now).microseconds * 1000)
            queue.finished(batch: batch, notLocked: notLocked, at: .now)
            startBatch()
        }
    }

    private func scheduleRetry(_ now: ContinuousClock.Instant) {
        guard !queue.isInFlight, let at = queue.nextRetry else { return }
        if let retry { Reactor.shared.cancel(retry) }
        retry = Reactor.shared.after(max(at - now, .zero)) { [unowned self] in
            retry = nil
            startBatch()
        }
    }

    /// Commits a batch and answers its messages; those whose head is held elsewhere are put into `notLocked`.
    ///
    /// A batch the database refuses because of a value in it is halved until that message stands alone: it is refused,
    /// the others go through.
    private func commit(_ batch: [Waiting], notLocked: inout [Waiting]) async {
        guard !batch.isEmpty else { return }
        do {
            let lane = try holder.current
            let now = clock.now
            #if SABOTAGE_ACK_EARLY  // Answered before it is on the disk, which the torture must notice.
                try await lane.connection.execute(Statement("SET synchronous_commit = off"))
            #endif
            let outcomes = try await lane.connection.query(
                MessagingStore.sendBatch, MessagingStore.parameters(lane: lane.number, now: now, batch.map(\.message)))
            finish(batch, outcomes, lane: lane.number, notLocked: &notLocked)
        } catch DatabaseError.failed(let state, let reason, _, _) where state.hasPrefix("22") || state.hasPrefix("23") {
            guard batch.count > 1 else {
                log.warning(
                    "the database refused a message", metadata: ["sqlstate": "\(state)", "reason": "\(reason)"])
                batch[0].answer(.failure(Refusal.invalid("text", "cannot be stored")))
                return
            }
            await commit(Array(batch[..<(batch.count / 2)]), notLocked: &notLocked)
            // What has to wait for another session keeps its order: the rest of its conversation waits with it.
            let waiting = Set(notLocked.map(\.message.conversation))
            let rest = batch[(batch.count / 2)...]
            let behind = rest.filter { waiting.contains($0.message.conversation) }
            await commit(rest.filter { !waiting.contains($0.message.conversation) }, notLocked: &notLocked)
            notLocked += behind
        } catch DatabaseError.failed(let state, _, _, _) where state == "40001" || state == "40P01" || state == "55P03"
        {
            notLocked += batch
        } catch {
            for waiting in batch { waiting.answer(.failure(error)) }
        }
    }

    private func finish(_ batch: [Waiting], _ outcomes: [SendOutcome], lane: Int, notLocked: inout [Waiting]) {
        guard outcomes.count == batch.count else {
            log.critical("send_batch answered for \(outcomes.count) of \(batch.count) messages")
            for waiting in batch { waiting.answer(.failure(Refusal.internal)) }
            return
        }
        // The audience comes with the first of each conversation, in order of numbers. SQL promises no order of rows.
        var audiences: [Int64: [Int64]] = [:]
        for outcome in outcomes.isInOrder ? outcomes : outcomes.sorted(by: { $0.number < $1.number }) {
            let waiting = batch[outcome.ordinal - 1]
            switch outcome.result {
            case .accepted(let number, let audience):
                if let audience { audiences[waiting.message.conversation] = audience }
                publish(
                    waiting.message, outcome, lane: lane, number: number,
                    audience: audiences[waiting.message.conversation] ?? [])
                waiting.answer(.success(outcome.reply(isDuplicate: false)))
            case .duplicate:
                waiting.answer(.success(outcome.reply(isDuplicate: true)))
            case .notLocked:
                notLocked.append(waiting)
            case .refused(let refusal):
                waiting.answer(.failure(refusal))
            }
        }
    }

    private func publish(_ message: PendingMessage, _ outcome: SendOutcome, lane: Int, number: Int64, audience: [Int64])
    {
        let body = Message(
            conversation: message.conversationID.rawValue, seq: outcome.seq, id: message.id.bytes,
            sender: message.senderID,
            kind: message.kind, text: message.text, sentAtUs: outcome.sentAt, position: outcome.position)
        let header = UpdateHeader(
            lane: UInt32(lane), number: number, stream: MessagingStream.conversation(message.conversationID),
            position: outcome.position, kind: Message.messageName, class: .durable, audience: audience,
            originSession: message.session)
        publisher.publish(header, body.encode())
    }
}

/// What the database said of one message of a batch.
struct SendOutcome: Sendable {
    enum Result: Sendable {
        case accepted(number: Int64, audience: [Int64]?)
        case duplicate
        case notLocked
        case refused(Refusal)
    }

    /// Its place in the batch, from 1.
    var ordinal: Int
    var result: Result
    var seq: Int64
    var position: Int64
    var sentAt: Int64

    /// In the lane; zero for what was not accepted.
    var number: Int64 {
        if case .accepted(let number, _) = result { number } else { 0 }
    }

    func reply(isDuplicate: Bool) -> SendReply {
        SendReply(seq: seq, position: position, sentAtUs: sentAt, duplicate: isDuplicate)
    }
}

extension [SendOutcome] {
    /// Accepted messages stand in order of their numbers.
    fileprivate var isInOrder: Bool {
        var last: Int64 = 0
        return allSatisfy { outcome in
            guard case .accepted(let number, _) = outcome.result else { return true }
            defer { last = number }
            return number > last
        }
    }
}
