import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// A reaction on its way into the database.
struct PendingReaction: BatchItem {
    var conversation: ConversationNumber
    var conversationID: ConversationID
    var seq: Seq
    var account: AccountNumber
    var user: String
    /// As ``EmojiRules/emoji(_:)`` returns it.
    var emoji: String
    var isRemoval: Bool
    var deadline: ContinuousClock.Instant

    var order: Int64 { conversation.rawValue }
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
            ActionsStore.reactBatch, .int32(Int32(lane.number)), .number(clock.now),
            .int64s(batch.map(\.conversation.rawValue)), .int64s(batch.map(\.seq.rawValue)),
            .int64s(batch.map(\.account.rawValue)), .texts(batch.map(\.emoji)), .bools(batch.map(\.isRemoval)),
            .int32(Int32(emojiMax)))
        guard outcomes.count == batch.count else { return [] }
        // SQL does not guarantee the order of rows. Updates go out in order of their numbers.
        let inOrder = outcomes.sorted { ($0.number, $0.ordinal) < ($1.number, $1.ordinal) }
        publish(batch, inOrder[...], lane: lane.number)
        var results: [BatchResult<UpdateReactionReply>] = Array(repeating: .notLocked, count: batch.count)
        for outcome in outcomes {
            switch outcome.result {
            case .changed, .same:
                results[outcome.ordinal - 1] = .done(
                    UpdateReactionReply(position: outcome.position.rawValue, counts: outcome.counts))
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
                conversation: reaction.conversationID.rawValue, seq: reaction.seq.rawValue,
                position: first.position.rawValue,
                counts: first.counts,
                changes: changes.map { ReactionChange(user: $0.user, emoji: $0.emoji, removed: $0.isRemoval) })
            publisher.publish(
                UpdateHeader(
                    lane: UInt32(lane), number: first.number,
                    stream: Message.stream(of: reaction.conversationID.rawValue), position: update.position,
                    kind: Reactions.messageName, class: .durable, audience: first.audience.rawValues),
                update.encode())
            guard !first.others.isEmpty else { continue }
            publisher.publish(
                UpdateHeader(
                    lane: UInt32(lane), number: first.number + 1,
                    stream: Message.stream(of: reaction.conversationID.rawValue), position: update.position,
                    kind: PendingUpdate.superseded, class: .durable, audience: first.others.rawValues), [])
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
    var position: Position
    var counts: [ReactionCount]
    var audience: Audience
    /// Members who joined after the message. They only count the position, which goes out under the next number.
    var others: Audience

    var isChange: Bool {
        if case .changed = result { true } else { false }
    }
}

extension MessagingService {
    /// Returns Updates without content, since the individual changes are no longer known: clients then ask for the
    /// message, which includes their own reactions.
    func currentReactions(_ entries: [JournalEntry]) async throws -> [CurrentState<Reactions>] {
        try await currentMessages(entries).map { current in
            let entry = entries[current.ordinal - 1]
            return CurrentState(
                ordinal: current.ordinal, owner: current.owner,
                state: Reactions(
                    conversation: current.owner, seq: entry.object, position: entry.position.rawValue))
        }
    }
}
