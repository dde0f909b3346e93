import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// A reaction on its way into the database.
struct PendingReaction: BatchItem {
    var conversation: Int64
    var conversationID: ConversationID
    var seq: Int64
    var account: Int64
    var user: String
    /// As ``EmojiRules/emoji(_:)`` returns it.
    var emoji: String
    var isRemoval: Bool
    /// The caller's session. It does not get an Update that holds only its own changes, because it has the reply.
    var session: String
    var deadline: ContinuousClock.Instant

    var order: Int64 { conversation }
}

/// Commits batches of reactions and publishes one Update for each message that changed.
@ReactorActor
struct ReactBatch {
    let publisher: UpdatePublisher
    let clock: WallClock
    /// Maximum number of different emoji on a message.
    let emojiMax: Int

    func commit(_ lane: Lane, _ batch: [PendingReaction]) async throws -> [BatchResult<UpdateReactionReply>] {
        let outcomes = try await lane.connection.query(
            ActionsStore.reactBatch, .int32(Int32(lane.number)), .int64(clock.now), .int64s(batch.map(\.conversation)),
            .int64s(batch.map(\.seq)), .int64s(batch.map(\.account)), .texts(batch.map(\.emoji)),
            .bools(batch.map(\.isRemoval)), .int32(Int32(emojiMax)))
        guard outcomes.count == batch.count else { return [] }
        // SQL does not guarantee the order of rows. Updates go out in order of their numbers.
        let inOrder = outcomes.sorted { ($0.number, $0.ordinal) < ($1.number, $1.ordinal) }
        publish(batch, inOrder[...], lane: lane.number)
        var results: [BatchResult<UpdateReactionReply>] = Array(repeating: .notLocked, count: batch.count)
        for outcome in outcomes {
            switch outcome.result {
            case .changed, .same:
                results[outcome.ordinal - 1] = .done(
                    UpdateReactionReply(position: outcome.position, counts: outcome.counts))
            case .notLocked: break
            case .refused(let refusal): results[outcome.ordinal - 1] = .refused(refusal)
            }
        }
        return results
    }

    private func publish(_ batch: [PendingReaction], _ outcomes: ArraySlice<ReactOutcome>, lane: Int) {
        var rest = outcomes.drop { $0.number == 0 }
        while let first = rest.first {
            let same = rest.prefix { $0.number == first.number }
            rest = rest.dropFirst(same.count)
            let changes = same.filter(\.isChange).map { batch[$0.ordinal - 1] }
            guard let reaction = changes.first else { continue }
            let update = Reactions(
                conversation: reaction.conversationID.rawValue, seq: reaction.seq, position: first.position,
                counts: first.counts,
                changes: changes.map { ReactionChange(user: $0.user, emoji: $0.emoji, removed: $0.isRemoval) })
            let session = changes.allSatisfy { $0.session == reaction.session } ? reaction.session : ""
            publisher.publish(
                UpdateHeader(
                    lane: UInt32(lane), number: first.number,
                    stream: MessagingStream.conversation(reaction.conversationID), position: first.position,
                    kind: Reactions.messageName, class: .durable, audience: first.audience, originSession: session),
                update.encode())
            guard !first.others.isEmpty else { continue }
            publisher.publish(
                UpdateHeader(
                    lane: UInt32(lane), number: first.number + 1,
                    stream: MessagingStream.conversation(reaction.conversationID), position: first.position,
                    kind: PendingUpdate.superseded, class: .durable, audience: first.others), [])
        }
    }
}

/// The database's result for one reaction of a batch. From `number` on, the values are those of its message.
struct ReactOutcome: Sendable {
    enum Result: Sendable {
        case changed
        case same
        case notLocked
        case refused(Refusal)
    }

    /// Its ordinal in the batch, from 1.
    var ordinal: Int
    var result: Result
    /// The Update's number in the lane; zero if nothing changed.
    var number: Int64
    var position: Int64
    var counts: [ReactionCount]
    var audience: [Int64]
    /// Members who joined after the message. They only count the position, which goes out under the next number.
    var others: [Int64]

    var isChange: Bool {
        if case .changed = result { true } else { false }
    }
}

extension MessagingService {
    /// Returns the current reactions of the messages that nothing else has changed since. The individual changes are no
    /// longer known, so `changes` is empty.
    func replayReactions(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        let reactions = entries.filter { $0.kind == JournalKind.reactions }
        guard !reactions.isEmpty else { return [] }
        let found = try await context.database.query(
            MessagingStore.messagesNamed, .int64s(reactions.map(\.subject)), .int64s(reactions.map(\.object)))
        return found.map { ordinal, conversation, message in
            let entry = reactions[ordinal - 1]
            let stream = MessagingStream.conversation(named: conversation)
            guard let message, message.position == entry.position else { return entry.superseded(stream: stream) }
            let shown = message.shown(at: context.clock.now)
            return entry.replayed(
                Reactions(
                    conversation: conversation, seq: shown.seq, position: entry.position, counts: shown.reactions),
                stream: stream)
        }
    }
}
