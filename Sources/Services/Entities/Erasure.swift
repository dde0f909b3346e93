import Postgres
import ServiceKit

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

extension EventsStore {
    /// Marks a person's events, out of which the scheduler takes them, since others must learn of it.
    static let erase = Statement<Void>(
        """
        WITH marked AS (
            UPDATE entities.attendances
            SET is_erased = true
            WHERE account = $1
                AND event = ANY (ARRAY(
                    SELECT event
                    FROM entities.attendances
                    WHERE account = $1
                        AND NOT is_erased
                        AND removed_at IS NULL
                    ORDER BY event
                    LIMIT $2
                    FOR UPDATE SKIP LOCKED
                ))
            RETURNING event
        )
        SELECT pg_notify('entities_due', '')
        FROM marked
        """)

    static let eraseRemoved = Statement<Void>(
        """
        DELETE FROM entities.attendances
        WHERE account = $1
            AND event = ANY (ARRAY(
                SELECT event
                FROM entities.attendances
                WHERE account = $1
                    AND removed_at IS NOT NULL
                ORDER BY event
                LIMIT $2
                FOR UPDATE SKIP LOCKED
            ))
        """)
}

extension SuggestionsStore {
    static let erase = Statement<Void>(
        """
        DELETE FROM entities.suggestions
        WHERE account = $1
            AND id = ANY (ARRAY(
                SELECT id
                FROM entities.suggestions
                WHERE account = $1
                ORDER BY id
                LIMIT $2
                FOR UPDATE SKIP LOCKED
            ))
        """)

    static let eraseOff = erasing("entities.suggestions_off")
}

extension ModelStore {
    static let eraseConsents = erasing("entities.model_consents")

    static let eraseKeptOut = erasing("entities.model_kept_out")
}

extension CalendarStore {
    static let erase = erasing("entities.calendar_links")
}

extension EntitiesStore {
    static let eraseHead = erasing("entities.heads")
}
