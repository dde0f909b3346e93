import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// A message on its way into the database.
struct PendingMessage: BatchItem {
    /// What not every message has.
    struct More: Sendable {
        var replyTo: Int64?
        /// Those it mentions, as the client says.
        var mentions: [(account: Int64, user: String)] = []
        var media: Media?
        /// Its attachment, not yet of any message.
        var attachment: [UInt8]?
        /// Who wrote it first.
        var author: (account: Int64, user: String)?
    }

    var conversation: Int64
    var conversationID: ConversationID
    var sender: Int64
    var senderID: String
    var id: UUIDv7
    var kind: MessageKind
    var text: String
    var more: More?
    /// Left out of the Update: it knows by its reply.
    var session: String
    var deadline: ContinuousClock.Instant

    var order: Int64 { conversation }
}

/// Commits batches of messages and tells of them.
@ReactorActor
struct SendBatch {
    let publisher: UpdatePublisher
    let clock: WallClock

    func commit(_ lane: Lane, _ batch: [PendingMessage]) async throws -> [BatchResult<SendMessageReply>] {
        let now = clock.now
        #if SABOTAGE_ACK_EARLY  // Answered before it is on the disk, which the torture must notice.
            try await lane.connection.execute(Statement("SET synchronous_commit = off"))
        #endif
        let outcomes = try await lane.connection.query(
            MessagingStore.sendBatch, MessagingStore.parameters(lane: lane.number, now: now, batch))
        return tell(batch, outcomes, lane: lane.number)
    }

    private func tell(_ batch: [PendingMessage], _ outcomes: [SendOutcome], lane: Int) -> [BatchResult<
        SendMessageReply
    >] {
        guard outcomes.count == batch.count else { return [] }
        var results: [BatchResult<SendMessageReply>] = Array(repeating: .notLocked, count: batch.count)
        // The audience comes with the first of each conversation, in order of numbers. SQL promises no order of rows.
        var audiences: [Int64: [Int64]] = [:]
        for outcome in outcomes.isInOrder ? outcomes : outcomes.sorted(by: { $0.number < $1.number }) {
            let message = batch[outcome.ordinal - 1]
            switch outcome.result {
            case .accepted(let number, let audience):
                if let audience { audiences[message.conversation] = audience }
                let readers = audiences[message.conversation] ?? []
                let told = Self.message(message, outcome, readers: readers)
                let header = UpdateHeader(
                    lane: UInt32(lane), number: number, stream: MessagingStream.conversation(message.conversationID),
                    position: outcome.position, kind: Message.messageName, class: .durable, audience: readers,
                    originSession: message.session)
                publisher.publish(header, told.encode())
                var reply = outcome.reply(isDuplicate: false)
                if message.more != nil || told.expiresAtUs != 0 { reply.message = told }
                results[outcome.ordinal - 1] = .done(reply)
            case .duplicate: results[outcome.ordinal - 1] = .done(outcome.reply(isDuplicate: true))
            case .notLocked: break
            case .refused(let refusal): results[outcome.ordinal - 1] = .refused(refusal)
            }
        }
        return results
    }

    private static func message(_ message: PendingMessage, _ outcome: SendOutcome, readers: [Int64]) -> Message {
        var told = Message(
            conversation: message.conversationID.rawValue, seq: outcome.seq, id: message.id.bytes,
            sender: message.senderID,
            kind: message.kind, text: message.text, sentAtUs: outcome.sentAt, position: outcome.position)
        told.expiresAtUs = outcome.expiresAt
        guard let more = message.more else { return told }
        told.replyToSeq = more.replyTo ?? 0
        told.threadSeq = outcome.threadSeq
        told.thread = outcome.thread
        if !more.mentions.isEmpty {
            // As the statement does: members, others than the sender, each once.
            let may = Set(readers).subtracting([message.sender])
            told.mentions = more.mentions.filter { may.contains($0.account) }.map(\.user)
        }
        told.media = more.media
        told.forwardedFrom = more.author?.user ?? ""
        return told
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
    var expiresAt: Int64
    /// The first message of its thread; zero: none.
    var threadSeq: Int64
    var thread: Schema.Thread?

    /// In the lane; zero for what was not accepted.
    var number: Int64 {
        if case .accepted(let number, _) = result { number } else { 0 }
    }

    func reply(isDuplicate: Bool) -> SendMessageReply {
        SendMessageReply(seq: seq, position: position, sentAtUs: sentAt, duplicate: isDuplicate)
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
