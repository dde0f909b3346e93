import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// A person's read and delivered marks of one conversation, waiting to be stored.
struct PendingMark: BatchItem {
    var account: AccountNumber
    var user: String
    var conversation: ConversationNumber
    var conversationID: ConversationID
    var read: Seq
    var delivered: Seq
    var deadline: ContinuousClock.Instant

    var order: Int64 { account.rawValue }
}

/// Commits batches of marks. Publishes a person's own state to that person, and receipts to the others.
@ReactorActor
struct MarkBatch {
    let publisher: UpdatePublisher
    let clock: WallClock
    let readCounts: ReadCounts

    /// Returns the current state for each mark, or nil if the person has no messages to read there.
    func commit(_ lane: Lane, _ batch: [PendingMark]) async throws -> [BatchResult<InboxState?>] {
        let merged = Merged(batch)
        let outcomes = try await lane.connection.query(
            ReceiptsStore.markBatch, ReceiptsStore.parameters(lane: lane.number, now: clock.now, merged.marks))
        guard outcomes.count == merged.marks.count else { return [] }
        var results: [BatchResult<InboxState?>] = Array(repeating: .notLocked, count: merged.marks.count)
        // SQL guarantees no row order, but a lane's Updates must be published in the order of their numbers.
        for outcome in outcomes.sorted(by: { ($0.number ?? 0) < ($1.number ?? 0) }) {
            results[outcome.ordinal - 1] = publish(merged.marks[outcome.ordinal - 1], outcome, lane: lane.number)
        }
        return merged.indexes.map { results[$0] }
    }

    private func publish(_ mark: PendingMark, _ outcome: MarkOutcome, lane: Int) -> BatchResult<InboxState?> {
        guard !outcome.isHeld else { return .notLocked }
        guard var state = outcome.state else { return .done(nil) }
        state.conversation = mark.conversationID.rawValue
        if let number = outcome.number {
            publisher.publish(
                UpdateHeader(
                    lane: UInt32(lane), number: number, stream: InboxState.stream(of: mark.user),
                    position: state.ownPosition, kind: InboxState.messageName, class: .durable,
                    audience: [mark.account.rawValue]), state.encode())
        }
        if let change = outcome.receiptChange { publish(change, mark, state) }
        return .done(state)
    }

    /// Publishes a receipt to the other members. In a large group, only the authors of the messages read are notified,
    /// later.
    private func publish(_ change: MarkOutcome.ReceiptChange, _ mark: PendingMark, _ state: InboxState) {
        guard change.audience.count < MarkOutcome.othersMax else {
            return readCounts.moved(
                mark.conversation, mark.conversationID, above: change.above, upTo: change.delivered)
        }
        guard !change.audience.isEmpty else { return }
        let receipt = Receipt(
            conversation: mark.conversationID.rawValue, user: mark.user, readSeq: state.readSeq,
            deliveredSeq: change.delivered.rawValue, readAtUs: change.readAt.rawValue,
            deliveredAtUs: change.deliveredAt.rawValue)
        publisher.publish(
            UpdateHeader(
                stream: Receipt.stream(of: mark.conversationID.rawValue), kind: Receipt.messageName,
                class: .collapsible, collapseKey: "receipt/\(mark.conversation)/\(mark.account)",
                audience: change.audience.rawValues), receipt.encode())
    }

    /// A batch merged so that each person marks each conversation once. Pure.
    struct Merged {
        var marks: [PendingMark] = []
        /// For each item of the batch, its index in `marks`.
        var indexes: [Int] = []

        private struct Key: Hashable {
            var account: AccountNumber
            var conversation: ConversationNumber
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
            }
        }
    }
}

/// The database's result for one mark of a batch.
struct MarkOutcome: Sendable {
    /// An audience of this size means a large group, whose other members are not all listed.
    static let othersMax = 64

    /// A change of what others may know.
    struct ReceiptChange: Sendable {
        /// The seq up to which others already knew.
        var above: Seq
        var readAt: Timestamp
        var delivered: Seq
        var deliveredAt: Timestamp
        var audience: Audience
    }

    /// The mark's index in the batch, from 1.
    var ordinal: Int
    /// Whether another transaction holds a lock that the mark needs.
    var isHeld: Bool
    /// The number in the lane's journal; nil if `read_seq` did not move.
    var number: Int64?
    /// Has no conversation id. nil if there is nothing to read.
    var state: InboxState?
    var receiptChange: ReceiptChange?
}
