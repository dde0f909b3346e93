import Postgres
import ServiceKit

// Erasure (A5). Deletes the data that messaging stores for one person alone. Messages stay with the people who received
// them. So do reactions and the mentions stored in messages: they hold an account number that no longer belongs to
// anyone. Each statement: $1 account, $2 maximum number of rows.

extension InboxStore {
    /// Skips rows that a batch has locked; a later sweep deletes them. A batch never waits long for this statement, and
    /// this statement never waits for a batch.
    static let erase = Statement<Void>(
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
        """)
}

extension OwnStateStore {
    /// Deletes stars and hidden messages.
    static let erase = Statement<Void>(
        """
        DELETE FROM messaging.message_states
        WHERE account = $1
            AND (conversation, seq) IN (
                SELECT conversation, seq
                FROM messaging.message_states
                WHERE account = $1
                ORDER BY conversation, seq
                LIMIT $2
            )
        """)
}

extension ReceiptsStore {
    /// Deletes the read positions that others see.
    static let eraseReceipts = Statement<Void>(
        """
        DELETE FROM messaging.receipts
        WHERE account = $1
            AND conversation = ANY (ARRAY(
                SELECT a.conversation
                FROM conversations.access AS a
                CROSS JOIN LATERAL \(oneRow(
                    "account", from: "messaging.receipts",
                    where: "conversation = a.conversation", by: "account", is: "$1"
                )) AS r
                WHERE a.account = $1
                LIMIT $2
            ))
        """)

    /// Deletes the times of reading.
    static let eraseReads = Statement<Void>(
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
        """)
}

extension MessagingStore {
    /// Deletes mentions of the person.
    static let eraseMentions = Statement<Void>(
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
        """)

    /// Deletes the head of the person's stream.
    static let eraseHead = erasing("messaging.person_heads")

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
