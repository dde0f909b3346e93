import Postgres
import Schema
import ServiceKit

extension EntitiesService {
    /// Returns the reminders whose last change is still the one in the journal, in their current state. The other
    /// entries are superseded.
    public func replay(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        let changes = entries.filter { $0.kind == JournalKind.reminderChanged }
        guard !changes.isEmpty else { return [] }
        let found = try await context.database.query(
            EntitiesStore.remindersAt, .int64s(changes.map(\.subject)), .int64s(changes.map(\.position)))
        return found.map { ordinal, user, reminder in
            let entry = changes[ordinal - 1]
            let stream = "entities/u/" + user
            return reminder.map { entry.replayed($0, stream: stream) } ?? entry.superseded(stream: stream)
        }
    }
}

extension EntitiesStore {
    /// For each pair of account and position: its ordinal in the lists, the user's id, and the reminder that still has
    /// this position in the account's stream, if any. $1 accounts, $2 positions.
    static let remindersAt = Statement(
        """
        SELECT e.ordinal, u.user_id, r.id IS NOT NULL, \(reminderColumns)
        FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS e (account, position, ordinal)
        JOIN conversations.account_ids AS u ON u.account = e.account
        LEFT JOIN LATERAL (
            SELECT *
            FROM entities.reminders
            WHERE account = e.account
                AND position BETWEEN e.position AND e.position
            ORDER BY position
            LIMIT 1
        ) AS r ON true
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = r.conversation
        """
    ) { row in
        (
            ordinal: Int(try row.int64(0)), user: try row.text(1),
            reminder: try row.bool(2) ? try reminder(row, from: 3) : nil
        )
    }
}
