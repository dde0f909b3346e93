import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// The content of a message.
struct MessageContent: Sendable {
    /// The parts that not every message has.
    struct More: Sendable {
        var replyTo: Seq?
        /// The people it mentions, as the client sent them.
        var mentions: [(account: AccountNumber, user: String)] = []
        var media: Media?
        /// Its attachment, which is not in any message yet.
        var attachment: [UInt8]?
        /// The original author of a forwarded message.
        var author: (account: AccountNumber, user: String)?
    }

    var kind: MessageKind
    var text: String
    var more: More?
}

/// A message that a request wants to send, checked as far as the request alone allows.
struct MessageDraft: Sendable {
    var conversation: ConversationID
    var sender: AccountNumber
    var senderID: String
    var id: UUIDv7
    var content: MessageContent
    /// The sender's session. It does not get the Update, because it has the reply.
    var session: String
    /// The IANA name of the sender's time zone; empty: not known.
    var timeZone = ""
    var deadline: ContinuousClock.Instant
}

/// A complete message on its way into the database.
struct PendingMessage: BatchItem {
    var draft: MessageDraft
    /// The number of the conversation.
    var conversation: ConversationNumber

    init(_ draft: MessageDraft, to conversation: ConversationNumber) {
        (self.draft, self.conversation) = (draft, conversation)
    }

    var order: Int64 { conversation.rawValue }
    var deadline: ContinuousClock.Instant { draft.deadline }
}

/// Commits batches of messages and publishes them.
@ReactorActor
struct SendBatch {
    let publisher: UpdatePublisher
    let clock: WallClock
    /// Called with each message sent: its sender, and its bytes times its readers.
    var sent: @ReactorActor (AccountNumber, Int) -> Void = { _, _ in }

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
        var audiences: [ConversationNumber: Audience] = [:]
        for outcome in outcomes.isInOrder ? outcomes : outcomes.sorted(by: { $0.number < $1.number }) {
            let message = batch[outcome.ordinal - 1]
            switch outcome.result {
            case .accepted(let number, let audience):
                if let audience { audiences[message.conversation] = audience }
                let readers = audiences[message.conversation] ?? []
                let sent = Self.message(message.draft, outcome, readers: readers)
                let header = UpdateHeader(
                    lane: UInt32(lane), number: number,
                    stream: Message.stream(of: message.draft.conversation.rawValue),
                    position: outcome.position.rawValue, kind: Message.messageName, class: .durable,
                    audience: readers.rawValues,
                    originSession: message.draft.session, timeZone: message.draft.timeZone)
                let body = sent.encode()
                publisher.publish(header, body)
                self.sent(message.draft.sender, body.count * readers.count)
                var reply = outcome.reply(isDuplicate: false)
                if message.draft.content.more != nil || sent.expiresAtUs != 0 { reply.message = sent }
                results[outcome.ordinal - 1] = .done(reply)
            case .duplicate: results[outcome.ordinal - 1] = .done(outcome.reply(isDuplicate: true))
            case .notLocked: break
            case .refused(let refusal): results[outcome.ordinal - 1] = .refused(refusal)
            }
        }
        return results
    }

    private static func message(_ draft: MessageDraft, _ outcome: SendOutcome, readers: Audience) -> Message {
        var sent = Message(
            conversation: draft.conversation.rawValue, seq: outcome.seq.rawValue, id: draft.id.bytes,
            sender: draft.senderID, kind: draft.content.kind, text: draft.content.text,
            sentAtUs: outcome.sentAt.rawValue, position: outcome.position.rawValue)
        sent.expiresAtUs = outcome.expiresAt.rawValue
        guard let more = draft.content.more else { return sent }
        sent.replyToSeq = more.replyTo?.rawValue ?? 0
        sent.threadSeq = outcome.threadSeq.rawValue
        sent.thread = outcome.thread
        if !more.mentions.isEmpty {
            // As `send_batch` does: members other than the sender, each once.
            let may = Set(readers).subtracting([draft.sender])
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
        case accepted(number: Int64, audience: Audience?)
        case duplicate
        case notLocked
        case refused(Refusal)
    }

    /// Its ordinal in the batch, from 1.
    var ordinal: Int
    var result: Result
    var seq: Seq
    var position: Position
    var sentAt: Timestamp
    var expiresAt: Timestamp
    /// The first message of its thread; zero if it is not a reply.
    var threadSeq: Seq
    var thread: Schema.Thread?

    /// Its number in the lane; zero if it was not accepted.
    var number: Int64 {
        if case .accepted(let number, _) = result { number } else { 0 }
    }

    func reply(isDuplicate: Bool) -> SendMessageReply {
        SendMessageReply(
            seq: seq.rawValue, position: position.rawValue, sentAtUs: sentAt.rawValue, duplicate: isDuplicate)
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
