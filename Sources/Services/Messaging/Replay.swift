import Postgres
import Schema
import ServiceKit

extension MessagingService {
    /// Returns the Updates of these entries with the current state, at their original positions. Notes are never
    /// published.
    public func replay(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        try await replayMessages(entries) + replayStates(entries) + replayMessageStates(entries)
            + replayReactions(entries) + replayNotShown(entries)
    }

    private func replayNotShown(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        let unseen = entries.filter { $0.kind == JournalKind.notShown }
        guard !unseen.isEmpty else { return [] }
        let ids = Dictionary(
            uniqueKeysWithValues: try await context.database.query(
                MessagingStore.conversationIDs, .int64s(Set(unseen.map(\.subject)).sorted())))
        return unseen.compactMap { entry in
            ids[entry.subject].map { entry.superseded(stream: MessagingStream.conversation(named: $0.id)) }
        }
    }

    private func replayMessages(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        let messages = entries.filter { $0.kind == JournalKind.message || $0.kind == JournalKind.requestMessage }
        guard !messages.isEmpty else { return [] }
        let found = try await context.database.query(
            MessagingStore.messagesNamed, .int64s(messages.map(\.subject)), .int64s(messages.map(\.object)))
        return found.map { ordinal, conversation, message in
            let entry = messages[ordinal - 1]
            let stream = MessagingStream.conversation(named: conversation)
            guard var message else { return entry.superseded(stream: stream) }
            message.conversation = conversation
            message.show(at: context.clock.now)
            return entry.replayed(message, stream: stream)
        }
    }

    private func replayStates(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        let states = entries.filter { $0.kind == JournalKind.inboxState }
        guard !states.isEmpty else { return [] }
        let found = try await context.database.query(
            ReceiptsStore.statesNamed, .int64s(states.map(\.subject)), .int64s(states.map(\.object)),
            .int64s(states.map(\.position)), .int64(context.clock.now))
        return found.map { ordinal, user, state in
            let entry = states[ordinal - 1]
            let stream = MessagingStream.person(user)
            return state.map { entry.replayed($0, stream: stream) } ?? entry.superseded(stream: stream)
        }
    }

    private func replayMessageStates(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        let states = entries.filter { $0.kind == JournalKind.messageState }
        guard !states.isEmpty else { return [] }
        let found = try await context.database.query(
            OwnStateStore.messageStatesNamed, .int64s(states.map(\.subject)), .int64s(states.map(\.position)))
        return found.map { ordinal, user, message in
            let entry = states[ordinal - 1]
            let stream = MessagingStream.person(user)
            return message.map { entry.replayed($0, stream: stream) } ?? entry.superseded(stream: stream)
        }
    }
}

extension MessagingStore {
    /// $1 conversations, $2 seqs: for each pair its ordinal in the lists, the conversation's id and the message.
    static let messagesNamed = Statement(
        """
        SELECT e.ordinal, c.conversation_id, m.seq IS NOT NULL, \(messageColumns(viewer: nil))
        FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS e (conversation, seq, ordinal)
        JOIN conversations.conversation_ids AS c ON c.conversation = e.conversation
        LEFT JOIN LATERAL (
            SELECT *
            FROM messaging.messages
            WHERE conversation = e.conversation
                AND seq BETWEEN e.seq AND e.seq
            ORDER BY seq
            LIMIT 1
        ) AS m ON true
        \(messageJoins(viewer: nil))
        """
    ) { row in
        (
            ordinal: Int(try row.int64(0)), conversation: try row.text(1),
            message: try row.bool(2) ? try message(row, from: 3) : nil
        )
    }
}
