import Postgres

// Erasure (A5). Deletes the data that entities stores about one person. In each statement: $1 account, $2 the most rows
// to delete.
extension RemindersStore {
    static let erase = Statement<Void>(
        """
        DELETE FROM entities.reminders
        WHERE account = $1
            AND id = ANY (ARRAY(
                SELECT id
                FROM entities.reminders
                WHERE account = $1
                ORDER BY id
                LIMIT $2
                FOR UPDATE SKIP LOCKED
            ))
        """)
}

extension DecisionsStore {
    /// Deletes private decisions. Shared ones stay with the people they were shared with, as messages do; the account
    /// number no longer belongs to anyone.
    static let erase = Statement<Void>(
        """
        DELETE FROM entities.decisions
        WHERE id = ANY (ARRAY(
            SELECT id
            FROM entities.decisions
            WHERE account = $1
                AND card IS NULL
            ORDER BY position
            LIMIT $2
            FOR UPDATE SKIP LOCKED
        ))
        """)
}

extension EntitiesStore {
    static let eraseHead = Statement<Void>(
        """
        DELETE FROM entities.heads
        WHERE account = $1
            AND $2::bigint > 0
        """)
}
