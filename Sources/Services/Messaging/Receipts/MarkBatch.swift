import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// How far somebody has read one conversation, on its way into the database.
struct PendingMark: BatchItem {
    var account: Int64
    var user: String
    var conversation: Int64
    var conversationID: ConversationID
    var read: Int64
    var delivered: Int64
    /// Left out of the Update: it knows by its reply.
    var session: String
    var deadline: ContinuousClock.Instant

    var order: Int64 { account }
}

/// Commits batches of marks, and tells of them: the person of their own state, the others of how far they have read.
@ReactorActor
struct MarkBatch {
    let publisher: UpdatePublisher
    let clock: WallClock
    let readCounts: ReadCounts

    /// Gives the state as it now stands; nil where there is nothing to read.
    func commit(_ lane: Lane, _ batch: [PendingMark]) async throws -> [BatchResult<InboxState?>] {
        let merged = Merged(batch)
        let outcomes = try await lane.connection.query(
            ReceiptsStore.markBatch, ReceiptsStore.parameters(lane: lane.number, now: clock.now, merged.marks))
        guard outcomes.count == merged.marks.count else { return [] }
        var results: [BatchResult<InboxState?>] = Array(repeating: .notLocked, count: merged.marks.count)
        // SQL promises no order of rows; what is told of a lane goes in order of its numbers.
        for outcome in outcomes.sorted(by: { ($0.number ?? 0) < ($1.number ?? 0) }) {
            results[outcome.ordinal - 1] = tell(merged.marks[outcome.ordinal - 1], outcome, lane: lane.number)
        }
        return merged.indexes.map { results[$0] }
    }

    private func tell(_ mark: PendingMark, _ outcome: MarkOutcome, lane: Int) -> BatchResult<InboxState?> {
        guard !outcome.isHeld else { return .notLocked }
        guard var state = outcome.state else { return .done(nil) }
        state.conversation = mark.conversationID.rawValue
        if let number = outcome.number {
            publisher.publish(
                UpdateHeader(
                    lane: UInt32(lane), number: number, stream: MessagingStream.person(mark.user),
                    position: state.ownPosition, kind: InboxState.messageName, class: .durable,
                    audience: [mark.account], originSession: mark.session), state.encode())
        }
        if let told = outcome.told { tell(told, mark, state) }
        return .done(state)
    }

    /// To the others: of a small group all, of a large one only who wrote what was read, and later.
    private func tell(_ told: MarkOutcome.Told, _ mark: PendingMark, _ state: InboxState) {
        guard told.audience.count < MarkOutcome.othersMax else {
            return readCounts.moved(
                mark.conversation, mark.conversationID, above: told.above, upTo: state.deliveredSeq)
        }
        guard !told.audience.isEmpty else { return }
        let receipt = Receipt(
            conversation: mark.conversationID.rawValue, user: mark.user, readSeq: state.readSeq,
            deliveredSeq: state.deliveredSeq, readAtUs: told.readAt, deliveredAtUs: told.deliveredAt)
        publisher.publish(
            UpdateHeader(
                stream: MessagingStream.conversation(mark.conversationID), kind: Receipt.messageName,
                class: .collapsible, collapseKey: "receipt/\(mark.conversation)/\(mark.account)",
                audience: told.audience), receipt.encode())
    }

    /// A batch in which each person marks each conversation once. Pure.
    struct Merged {
        var marks: [PendingMark] = []
        /// Which of `marks` stands for each of the batch.
        var indexes: [Int] = []

        private struct Key: Hashable {
            var account: Int64
            var conversation: Int64
        }

        init(_ batch: [PendingMark]) {
            var known: [Key: Int] = [:]
            for mark in batch {
                let key = Key(account: mark.account, conversation: mark.conversation)
                guard let index = known[key] else {
                    known[key] = marks.count
                    indexes.append(marks.count)
                    marks.append(mark)
                    continue
                }
                indexes.append(index)
                marks[index].read = max(marks[index].read, mark.read)
                marks[index].delivered = max(marks[index].delivered, mark.delivered)
                // Each of several sessions is told what came of the others' marks.
                if marks[index].session != mark.session { marks[index].session = "" }
            }
        }
    }
}

/// What the database said of one mark of a batch.
struct MarkOutcome: Sendable {
    /// So many others in an audience: the group is large, and they are not all of it.
    static let othersMax = 64

    /// What others may know now and did not before.
    struct Told: Sendable {
        /// Up to there they knew before.
        var above: Int64
        var readAt: Int64
        var deliveredAt: Int64
        var audience: [Int64]
    }

    /// Its place in the batch, from 1.
    var ordinal: Int
    /// Another holds what it needs.
    var isHeld: Bool
    /// In the lane's journal; nil: read_seq did not move.
    var number: Int64?
    /// Without the conversation's id; nil: nothing to read there.
    var state: InboxState?
    var told: Told?
}
