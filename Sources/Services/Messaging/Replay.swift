import Postgres
import Schema
import ServiceKit

extension MessagingService {
    /// Returns the messages as they are now.
    func currentMessages(_ entries: [JournalEntry]) async throws -> [CurrentState<Message>] {
        let found = try await context.database.query(
            MessagingStore.messagesNamed, .int64s(entries.map(\.subject)), .int64s(entries.map(\.object)))
        return found.map { ordinal, conversation, message in
            var message = message
            message?.conversation = conversation
            message?.show(at: context.clock.now)
            return CurrentState(ordinal: ordinal, owner: conversation, state: message)
        }
    }

    func currentInboxStates(_ entries: [JournalEntry]) async throws -> [CurrentState<InboxState>] {
        try await context.database.query(
            ReceiptsStore.statesNamed, .int64s(entries.map(\.subject)), .int64s(entries.map(\.object)),
            .numbers(entries.map(\.position)), .number(context.clock.now))
    }

    /// Returns Updates that only fill the positions of changes outside the window of these people.
    func replayNotShown(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        let ids = Dictionary(
            uniqueKeysWithValues: try await context.database.query(
                MessagingStore.conversationIDs, .int64s(Set(entries.map(\.subject)).sorted())))
        return entries.compactMap { entry in
            ids[ConversationNumber(entry.subject)].map { entry.superseded(stream: Message.stream(of: $0.id)) }
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
        LEFT JOIN LATERAL \(oneRow(
            "*", from: "messaging.messages", where: "conversation = e.conversation", by: "seq", is: "e.seq"
        )) AS m ON true
        \(messageJoins(viewer: nil))
        """
    ) { row in
        (
            ordinal: Int(try row.int64(0)), conversation: try row.text(1),
            message: try row.bool(2) ? try message(row, from: 3) : nil
        )
    }
}
