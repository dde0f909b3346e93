import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// A message on its way into the database.
struct PendingMessage: BatchItem {
    /// The parts that not every message has.
    struct More: Sendable {
        var replyTo: Int64?
        /// The people it mentions, as the client sent them.
        var mentions: [(account: Int64, user: String)] = []
        var media: Media?
        /// Its attachment, which is not in any message yet.
        var attachment: [UInt8]?
        /// The original author of a forwarded message.
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
    /// The sender's session. It does not get the Update, because it has the reply.
    var session: String
    var deadline: ContinuousClock.Instant

    var order: Int64 { conversation }
}

/// Commits batches of messages and publishes them.
@ReactorActor
struct SendBatch {
    let publisher: UpdatePublisher
    let clock: WallClock

    func commit(_ lane: Lane, _ batch: [PendingMessage]) async throws -> [BatchResult<SendMessageReply>] {
        let now = clock.now
        #if SABOTAGE_ACK_EARLY  // Replies before the message is on disk, which the torture test must detect.
            try await lane.connection.execute(Statement("SET synchronous_commit = off"))
        #endif
        let outcomes = try await lane.connection.query(
            MessagingStore.sendBatch, MessagingStore.parameters(lane: lane.number, now: now, batch))
        return publish(batch, outcomes, lane: lane.number)
    }

    private func publish(_ batch: [PendingMessage], _ outcomes: [SendOutcome], lane: Int) -> [BatchResult<
        SendMessageReply
    >] {
        guard outcomes.count == batch.count else { return [] }
        var results: [BatchResult<SendMessageReply>] = Array(repeating: .notLocked, count: batch.count)
        // The audience comes with the first message of each conversation in order of numbers. SQL does not guarantee
        // the order of rows.
        var audiences: [Int64: [Int64]] = [:]
        for outcome in outcomes.isInOrder ? outcomes : outcomes.sorted(by: { $0.number < $1.number }) {
            let message = batch[outcome.ordinal - 1]
            switch outcome.result {
            case .accepted(let number, let audience):
                if let audience { audiences[message.conversation] = audience }
                let readers = audiences[message.conversation] ?? []
                let sent = Self.message(message, outcome, readers: readers)
                let header = UpdateHeader(
                    lane: UInt32(lane), number: number, stream: MessagingStream.conversation(message.conversationID),
                    position: outcome.position, kind: Message.messageName, class: .durable, audience: readers,
                    originSession: message.session)
                publisher.publish(header, sent.encode())
                var reply = outcome.reply(isDuplicate: false)
                if message.more != nil || sent.expiresAtUs != 0 { reply.message = sent }
                results[outcome.ordinal - 1] = .done(reply)
            case .duplicate: results[outcome.ordinal - 1] = .done(outcome.reply(isDuplicate: true))
            case .notLocked: break
            case .refused(let refusal): results[outcome.ordinal - 1] = .refused(refusal)
            }
        }
        return results
    }

    private static func message(_ message: PendingMessage, _ outcome: SendOutcome, readers: [Int64]) -> Message {
        var sent = Message(
            conversation: message.conversationID.rawValue, seq: outcome.seq, id: message.id.bytes,
            sender: message.senderID,
            kind: message.kind, text: message.text, sentAtUs: outcome.sentAt, position: outcome.position)
        sent.expiresAtUs = outcome.expiresAt
        guard let more = message.more else { return sent }
        sent.replyToSeq = more.replyTo ?? 0
        sent.threadSeq = outcome.threadSeq
        sent.thread = outcome.thread
        if !more.mentions.isEmpty {
            // As `send_batch` does: members other than the sender, each once.
            let may = Set(readers).subtracting([message.sender])
            sent.mentions = more.mentions.filter { may.contains($0.account) }.map(\.user)
        }
        sent.media = more.media
        sent.forwardedFrom = more.author?.user ?? ""
        return sent
    }
}

/// The database's result for one message of a batch.
struct SendOutcome: Sendable {
    enum Result: Sendable {
        case accepted(number: Int64, audience: [Int64]?)
        case duplicate
        case notLocked
        case refused(Refusal)
    }

    /// Its ordinal in the batch, from 1.
    var ordinal: Int
    var result: Result
    var seq: Int64
    var position: Int64
    var sentAt: Int64
    var expiresAt: Int64
    /// The first message of its thread; zero if it is not a reply.
    var threadSeq: Int64
    var thread: Schema.Thread?

    /// Its number in the lane; zero if it was not accepted.
    var number: Int64 {
        if case .accepted(let number, _) = result { number } else { 0 }
    }

    func reply(isDuplicate: Bool) -> SendMessageReply {
        SendMessageReply(seq: seq, position: position, sentAtUs: sentAt, duplicate: isDuplicate)
    }
}

extension [SendOutcome] {
    /// Whether the accepted messages are in order of their numbers.
    fileprivate var isInOrder: Bool {
        var last: Int64 = 0
        return allSatisfy { outcome in
            guard case .accepted(let number, _) = outcome.result else { return true }
            defer { last = number }
            return number > last
        }
    }
}
