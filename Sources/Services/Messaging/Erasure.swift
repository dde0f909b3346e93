import Postgres
import ServiceKit

/// Erasure (A5).
extension MessagingStore {
    /// Deletes the data that messaging stores for one person alone. Their messages stay with the people who received
    /// them. Each statement: $1 account, $2 maximum number of rows.
    static let erasure: [Statement<Void>] = [
        // Skips rows that a batch has locked; a later sweep deletes them. A batch never waits long for this statement,
        // and this statement never waits for a batch.
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
        // Stars, hidden messages, mentions of the person and read positions, a limited number of rows at a time.
        // Reactions and the mentions stored in messages stay, as messages do: they hold an account number that no
        // longer belongs to anyone.
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

    /// $1 account: whether messages may still create rows for it. They may until conversations has removed the account
    /// from every conversation.
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
