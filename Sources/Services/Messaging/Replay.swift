import Postgres
import Schema
import ServiceKit

extension MessagingService {
    /// Messages as they now stand, at the positions at which they were told. Notes are told to nobody.
    public func replay(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        let messages = entries.filter { $0.kind == JournalKind.message || $0.kind == JournalKind.requestMessage }
        guard !messages.isEmpty else { return [] }
        let found = try await context.database.query(
            MessagingStore.messagesNamed, .int64s(messages.map(\.subject)), .int64s(messages.map(\.object)))
        return found.map { ordinal, conversation, message in
            let entry = messages[ordinal - 1]
            let stream = MessagingStream.conversation(named: conversation)
            guard var message else { return entry.superseded(stream: stream) }
            message.conversation = conversation
            return entry.replayed(message, stream: stream)
        }
    }
}

extension MessagingStore {
    /// $1 conversations, $2 seqs: for each pair its place in the lists, the conversation's id, and the message.
    static let messagesNamed = Statement(
        """
        SELECT e.ordinal, c.conversation_id, m.seq IS NOT NULL, \(messageColumns)
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
        LEFT JOIN conversations.account_ids AS u ON u.account = m.sender
        """
    ) { row in
        (
            ordinal: Int(try row.int64(0)), conversation: try row.text(1),
            message: try row.bool(2) ? try message(row, from: 3) : nil
        )
    }
}
