import Postgres
import Schema

/// The SQL of disappearing messages.
enum RetentionStore {
    /// $1 conversation, $2 account. Creates the head of a conversation without messages if the account may write there.
    static let makeHead = Statement<Void>(
        """
        INSERT INTO messaging.heads (conversation)
        SELECT e.conversation
        FROM (
            SELECT conversation
            FROM conversations.access
            WHERE conversation = $1
                AND account BETWEEN $2 AND $2
                AND may_write
                AND NOT is_pending
            OFFSET 0
        ) AS e
        CROSS JOIN LATERAL (SELECT pg_advisory_xact_lock(\(AdvisoryLock.head.rawValue), hashint8(e.conversation)) OFFSET 0) AS l
        ON CONFLICT DO NOTHING
        """)

    /// $1 conversation, $2 now. Gives those who left what they may know. The head must be locked.
    static let noteMembers = Statement<Void>("SELECT messaging.note_members(ARRAY[$1::bigint], $2)")

    /// $1 conversation, $2 retention in µs.
    static let set = Statement<Void>(
        """
        UPDATE messaging.heads
        SET retention_us = $2
        WHERE conversation = $1
        """)

    /// $1 conversation, $2 account. Adds a job that applies the head's retention to the existing messages of that
    /// account, or of everybody if it is null. Replaces an earlier job, and does what that would have done.
    static let addJob = Statement<Void>(
        """
        INSERT INTO messaging.retention_jobs AS j (conversation, retention_us, next_seq, up_to_seq, senders)
        SELECT conversation, retention_us, first_seq, seq, CASE WHEN $2::bigint IS NOT NULL THEN ARRAY[$2::bigint] END
        FROM messaging.heads
        WHERE conversation = $1
        ON CONFLICT (conversation) DO UPDATE
        SET retention_us = excluded.retention_us, next_seq = excluded.next_seq, up_to_seq = excluded.up_to_seq,
            senders = j.senders || excluded.senders
        """)

    /// $1 conversation. Returns the next conversation after it that has a job.
    static let nextJob = Statement(
        """
        SELECT conversation
        FROM messaging.retention_jobs
        WHERE conversation > $1
        ORDER BY conversation
        LIMIT 1
        """
    ) { row in try row.conversation(0) }

    /// $1 conversation, $2 number of seqs, $3 now. Does a part of a job. Returns whether it was the last part, and how
    /// many messages the job has changed in total; no row if the job no longer exists. The head must be locked.
    static let doJob = Statement(
        """
        WITH job AS MATERIALIZED (
            SELECT retention_us, next_seq, up_to_seq, senders
            FROM messaging.retention_jobs
            WHERE conversation = $1
        ),
        timed AS (
            UPDATE messaging.messages AS m
            SET expires_at = CASE WHEN j.retention_us > 0 THEN m.sent_at + j.retention_us END
            FROM job AS j
            CROSS JOIN LATERAL (
                SELECT x.ctid AS row_id
                FROM messaging.messages AS x
                WHERE x.conversation = $1
                    AND x.seq BETWEEN j.next_seq AND LEAST(j.next_seq + $2 - 1, j.up_to_seq)
                    AND x.kind <> \(MessageKind.system.rawValue)
                    AND (j.senders IS NULL OR x.sender = ANY (j.senders))
                    AND x.deleted_at IS NULL
                    AND (x.expires_at IS NULL OR x.expires_at > $3)
                    AND x.expires_at IS DISTINCT FROM
                        CASE WHEN j.retention_us > 0 THEN x.sent_at + j.retention_us END
                ORDER BY x.seq
                LIMIT $2
            ) AS t
            WHERE m.ctid = t.row_id
            RETURNING 1
        )
        UPDATE messaging.retention_jobs
        SET next_seq = next_seq + $2, changed = changed + (SELECT count(*) FROM timed)
        WHERE conversation = $1
        RETURNING next_seq > up_to_seq, changed
        """
    ) { row in (isLast: try row.bool(0), changed: try row.int64(1)) }

    /// $1 conversation, $2 the newest seq that its job concerns. The head must be locked.
    static let addRenewal = Statement<Void>("SELECT messaging.add_renewal($1, 1, $2)")

    /// $1 conversation. Deletes its finished job.
    static let endJob = Statement<Void>(
        """
        DELETE FROM messaging.retention_jobs
        WHERE conversation = $1
        """)

    /// $1 conversation, $2 now. Makes clients read the conversation's messages again: changes are available only from
    /// here on, and the newest message gets a position after a gap. Returns its seq, its position and who may read it.
    /// The head must be locked.
    static let startOver = Statement(
        """
        WITH head AS (
            UPDATE messaging.heads
            SET position = position + 2, first_position = position + 1
            WHERE conversation = $1
            RETURNING seq, position
        ),
        republished AS (
            UPDATE messaging.messages AS m
            SET position = h.position, changed_at = $2
            FROM head AS h
            CROSS JOIN LATERAL \(oneRow(
                "ctid AS row_id", from: "messaging.messages", where: "conversation = $1", by: "seq", is: "h.seq"
            )) AS t
            WHERE m.ctid = t.row_id
        ),
        shown AS MATERIALIZED (
            SELECT w.readers, w.others
            FROM head AS h
            CROSS JOIN LATERAL messaging.readers($1, h.seq) AS w
        ),
        reader AS MATERIALIZED (
            SELECT unnest(readers || others) AS account
            FROM shown
        ),
        touched AS (
            INSERT INTO messaging.inbox (account, conversation, touched_at)
            SELECT account, $1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
            FROM reader
            ON CONFLICT (account, conversation) DO UPDATE
            SET touched_at = excluded.touched_at
        )
        SELECT h.seq, h.position, s.readers, s.others
        FROM head AS h
        CROSS JOIN shown AS s
        """
    ) { row in
        (
            seq: try row.seq(0), position: try row.position(1), readers: try row.audience(2),
            others: try row.audience(3)
        )
    }

    /// See the SQL function's comment.
    static let emptyExpired = Statement(
        """
        SELECT seen, emptied, last_at, last_conversation, last_seq, passed_over
        FROM messaging.empty_expired($1, $2, $3, $4, $5, $6)
        """
    ) { row in
        Emptied(
            seen: Int(try row.int32(0)), emptied: Int(try row.int32(1)), at: try row.time(2),
            conversation: try row.conversation(3), seq: try row.seq(4),
            skipped: try row.int64s(5).map { ConversationNumber($0) })
    }
}

/// The progress of emptying messages.
struct Emptied: Sendable {
    var seen = 0
    var emptied = 0
    /// The last message seen, in order of disappearing.
    var at: Timestamp = 0
    var conversation: ConversationNumber = 0
    var seq: Seq = 0
    /// Conversations skipped because another transaction held them.
    var skipped: [ConversationNumber] = []
}
