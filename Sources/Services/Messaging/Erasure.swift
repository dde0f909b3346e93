import Postgres
import ServiceKit

/// Erasure (A5).
extension MessagingStore {
    /// What messaging keeps of one person alone. What they said stays with those they said it to.
    /// Each: $1 account, $2 how many rows at most.
    static let erasure: [Statement<Void>] = [
        // Passes by what a batch holds, which comes back to it: a batch never waits long for it, and it never for one.
        Statement(
            """
            DELETE FROM messaging.inbox
            WHERE account = $1
                AND conversation = ANY (ARRAY(
                    SELECT conversation
                    FROM messaging.inbox
                    WHERE account = $1
                    ORDER BY conversation
                    LIMIT $2
                    FOR UPDATE SKIP LOCKED
                ))
            """),
        Statement(
            """
            DELETE FROM messaging.person_heads
            WHERE account = $1
                AND $2::bigint > 0
            """),
    ]

    /// $1 account: whether a message may still make rows of theirs, as it does until conversations has taken them out of
    /// everything.
    static let isReader = Statement(
        """
        SELECT EXISTS (
            SELECT
            FROM conversations.access
            WHERE account = $1
                AND may_read
        )
        """
    ) { row in try row.bool(0) }
}
