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
        // Their stars and what they hid, who mentions them, and how far they read: rows of conversations, some at a
        // time. Reactions and mentions within messages stay as messages do: they name an account number, which is
        // nobody's any more.
        Statement(
            """
            DELETE FROM messaging.flags
            WHERE account = $1
                AND (conversation, seq) IN (
                    SELECT conversation, seq
                    FROM messaging.flags
                    WHERE account = $1
                    ORDER BY conversation, seq
                    LIMIT $2
                )
            """),
        Statement(
            """
            DELETE FROM messaging.mentions
            WHERE account = $1
                AND (conversation, seq) IN (
                    SELECT conversation, seq
                    FROM messaging.mentions
                    WHERE account = $1
                    ORDER BY conversation, seq
                    LIMIT $2
                )
            """),
        Statement(
            """
            DELETE FROM messaging.receipts
            WHERE account = $1
                AND conversation = ANY (ARRAY(
                    SELECT a.conversation
                    FROM conversations.access AS a
                    CROSS JOIN LATERAL (
                        SELECT
                        FROM messaging.receipts
                        WHERE conversation = a.conversation
                            AND account BETWEEN $1 AND $1
                        LIMIT 1
                    ) AS r
                    WHERE a.account = $1
                    LIMIT $2
                ))
            """),
        Statement(
            """
            DELETE FROM messaging.reads AS d
            USING (
                SELECT r.conversation, r.seq
                FROM conversations.access AS a
                CROSS JOIN LATERAL (
                    SELECT conversation, seq
                    FROM messaging.reads
                    WHERE conversation = a.conversation
                        AND account = $1
                    ORDER BY seq
                    LIMIT $2
                ) AS r
                WHERE a.account = $1
                LIMIT $2
            ) AS r
            WHERE d.conversation = r.conversation
                AND d.account = $1
                AND d.seq = r.seq
            """),
        Statement(
            """
            DELETE FROM messaging.person_heads
            WHERE account = $1
                AND $2::bigint > 0
            """),
    ]

    /// $1 account: whether a message may still make rows of theirs, as it does until conversations has taken them out
    /// of everything.
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
