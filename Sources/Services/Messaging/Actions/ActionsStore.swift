import Postgres
import Schema
import ServiceKit

/// The SQL of actions on one message: editing, deleting, reacting, reading its thread, forwarding.
enum ActionsStore {
    /// $1 conversation, $2 account, $3 seq (zero: no message). No row if the account is not a member. Read it under the
    /// lock of the head.
    static let context = Statement(
        """
        SELECT c.kind = \(ConversationKind.group.rawValue), w.role, w.refusal, w.is_pending,
            w.retention_us, r.readers, r.others, c.members_version,
            $3::bigint BETWEEN w.first_seq AND w.last_seq, m.seq IS NOT NULL,
            \(MessagingStore.messageColumns(viewer: "$2"))
        FROM messaging.window($2, $1) AS w
        JOIN conversations.conversation_ids AS c ON c.conversation = w.conversation
        CROSS JOIN LATERAL messaging.readers($1, $3) AS r
        LEFT JOIN LATERAL \(oneRow(
            "*", from: "messaging.messages", where: "conversation = $1", by: "seq", is: "$3"
        )) AS m ON true
        \(MessagingStore.messageJoins(viewer: "$2"))
        WHERE w.may_act
        """
    ) { row in
        ActionContext(
            account: 0, user: "", isGroup: try row.bool(0), role: MemberRole(rawValue: Int32(try row.int16(1))),
            refusal: .write(try row.text(2)), isPending: try row.bool(3), retention: try row.int64(4),
            readers: try row.audience(5), others: try row.audience(6), membersVersion: try row.int64(7),
            isReadable: try row.bool(8), message: try row.bool(9) ? try MessagingStore.message(row, from: 10) : nil)
    }

    /// $1 conversation, $2 the version of the members whom the change goes to: takes the next position of its stream.
    static let nextPosition = Statement(
        "SELECT position FROM messaging.next_position($1, $2) AS p (position)"
    ) { row in try row.position(0) }

    /// Marks the conversation as changed for members who sync later. $1 conversation, $2 readers.
    static let touched = """
        touched AS (
            INSERT INTO messaging.inbox (account, conversation, touched_at)
            SELECT r.account, $1, t.now
            FROM unnest($2::bigint[]) AS r (account)
            CROSS JOIN (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now) AS t
            LEFT JOIN LATERAL \(oneRow(
                "touched_at", from: "messaging.inbox", where: "account = r.account", by: "conversation", is: "$1"
            )) AS b ON true
            WHERE b.touched_at IS NULL OR b.touched_at < t.now - 10000000
            ON CONFLICT (account, conversation) DO UPDATE
            SET touched_at = excluded.touched_at
        )
        """

    /// The maximum number of earlier texts kept for a message.
    static let revisionsMax = 100

    /// $1 conversation, $2 readers, $3 seq, $4 text, $5 mentioned accounts (null: none), $6 now, $7 position. Whoever
    /// left before keeps the mentions of then.
    static let edit = Statement<Void>(
        """
        WITH said AS MATERIALIZED \(oneRow(
            "text, mentions", from: "messaging.messages", where: "conversation = $1", by: "seq", is: "$3"
        )),
        changed AS (
            UPDATE messaging.messages
            SET text = $4, mentions = $5, edited_at = $6, changed_at = $6, position = $7
            WHERE ctid = ANY (ARRAY\(oneRow(
                "ctid", from: "messaging.messages", where: "conversation = $1", by: "seq", is: "$3"
            )))
        ),
        number AS MATERIALIZED (
            SELECT COALESCE((
                SELECT revision
                FROM messaging.revisions
                WHERE conversation = $1
                    AND seq BETWEEN $3 AND $3
                ORDER BY seq DESC, revision DESC
                LIMIT 1
            ), 0) + 1 AS next
        ),
        kept AS (
            INSERT INTO messaging.revisions (conversation, seq, revision, text, mentions, until_at, until_position)
            SELECT $1, $3, number.next, said.text, said.mentions, $6, $7
            FROM number
            CROSS JOIN said
        ),
        dropped AS (
            DELETE FROM messaging.revisions
            WHERE conversation = $1
                AND seq = $3
                AND revision <= (SELECT next FROM number) - \(revisionsMax)
        ),
        frozen AS MATERIALIZED (
            SELECT a.account
            FROM said
            CROSS JOIN LATERAL unnest(said.mentions) AS m (account)
            CROSS JOIN LATERAL \(oneRow(
                "account, left_version", from: "conversations.access", where: "conversation = $1", by: "account",
                is: "m.account"
            )) AS a
            WHERE a.left_version IS NOT NULL
                AND a.account <> ALL ($2::bigint[])
        ),
        unmentioned AS (
            DELETE FROM messaging.mentions
            WHERE account = ANY (ARRAY(SELECT unnest(mentions) FROM said))
                AND conversation = $1
                AND seq BETWEEN $3 AND $3
                AND account <> ALL (COALESCE($5::bigint[], '{}'))
                AND account <> ALL (ARRAY(SELECT account FROM frozen))
        ),
        mentioned AS (
            INSERT INTO messaging.mentions (account, conversation, seq, sent_at)
            SELECT a, $1, $3, m.sent_at
            FROM unnest($5::bigint[]) AS a
            CROSS JOIN \(oneRow(
                "sent_at", from: "messaging.messages", where: "conversation = $1", by: "seq", is: "$3"
            )) AS m
            ON CONFLICT DO NOTHING
        ),
        \(touched)
        SELECT
        """)

    /// $1 conversation, $2 readers, $3 seq, $4 now, $5 position, $6 its attachment (null: none): empties a message. If
    /// it is a reply, returns its thread after the change.
    static let delete = Statement(
        """
        WITH said AS MATERIALIZED \(oneRow(
            "mentions, thread_seq", from: "messaging.messages", where: "conversation = $1", by: "seq", is: "$3"
        )),
        emptied AS (
            UPDATE messaging.messages
            SET text = '', extra = NULL, mentions = NULL, reactions = NULL, reaction_counts = NULL,
                forwarded_from = NULL, time_zone = NULL, edited_at = NULL, deleted_at = $4, changed_at = $4,
                position = $5
            WHERE ctid = ANY (ARRAY\(oneRow(
                "ctid", from: "messaging.messages", where: "conversation = $1", by: "seq", is: "$3"
            )))
        ),
        unrevised AS (
            DELETE FROM messaging.revisions
            WHERE conversation = $1
                AND seq BETWEEN $3 AND $3
        ),
        unmentioned AS (
            DELETE FROM messaging.mentions
            WHERE account = ANY (ARRAY(SELECT unnest(mentions) FROM said))
                AND conversation = $1
                AND seq BETWEEN $3 AND $3
        ),
        unreacted AS (
            DELETE FROM messaging.reactions
            WHERE conversation = $1
                AND seq BETWEEN $3 AND $3
        ),
        unused AS (
            UPDATE messaging.attachments
            SET unused_at = $4
            WHERE conversation = $1
                AND id BETWEEN $6::uuid AND $6
                AND seq = $3
        ),
        \(touched),
        renewed AS (
            SELECT messaging.add_renewal($1, $3, $3)
        ),
        counted AS (
            UPDATE messaging.threads
            SET replies = replies - 1, position = $5
            WHERE conversation = $1
                AND seq = (SELECT thread_seq FROM said)
            RETURNING replies, last_seq, position
        )
        SELECT c.replies, c.last_seq, c.position
        FROM renewed
        LEFT JOIN counted AS c ON true
        """
    ) { row in
        try row.optionalInt64(0).map { replies in
            Schema.Thread(replies: replies, lastSeq: try row.int64(1), position: try row.int64(2))
        }
    }

    /// $1 conversation, $2 seq, $3 limit: the earlier texts of the message, newest first.
    static let revisions = Statement(
        """
        SELECT text, until_at
        FROM messaging.revisions
        WHERE conversation = $1
            AND seq BETWEEN $2 AND $2
        ORDER BY seq DESC, revision DESC
        LIMIT $3
        """
    ) { row in Revision(text: try row.text(0), untilUs: try row.int64(1)) }

    /// The function's comment in the schema states its guarantees.
    static let reactBatch = Statement(
        """
        SELECT ordinal, outcome, number, position, emoji, counts, audience, others
        FROM messaging.react_batch($1, $2, $3, $4, $5, $6, $7, $8)
        """
    ) { row in
        ReactOutcome(
            ordinal: Int(try row.int32(0)), result: try reactResult(row), number: try row.optionalInt64(2) ?? 0,
            position: try row.optionalPosition(3) ?? 0,
            counts: row.isNull(4)
                ? []
                : zip(try row.texts(4), try row.int64s(5)).map { ReactionCount(emoji: $0, count: $1) },
            audience: row.isNull(6) ? [] : try row.audience(6), others: row.isNull(7) ? [] : try row.audience(7))
    }

    private static func reactResult(_ row: borrowing RowReader) throws -> ReactOutcome.Result {
        switch Outcome(rawValue: try row.int16(1)) {
        case .done: .changed
        case .unchanged: .same
        case .locked: .notLocked
        case .notMember: .refused(.notMember)
        case .userBlocked: .refused(.userBlocked)
        case .acceptFirst: .refused(.acceptFirst)
        case .messageNotFound: .refused(.messageNotFound())
        case .messageDeleted: .refused(.messageDeleted)
        case .tooManyReactions: .refused(.tooManyReactions)
        default: throw DatabaseError.unexpected("react_batch outcome \(try row.int16(1))")
        }
    }

    /// $1 conversation, $2 seq, $3 to $5 after (at, account, emoji), $6 limit: the reactions, oldest first.
    static let reactions = Statement(
        """
        SELECT r.at, r.account, u.user_id, r.emoji
        FROM (
            SELECT at, account, emoji
            FROM messaging.reactions
            WHERE conversation = $1
                AND seq BETWEEN $2 AND $2
                AND (at, account, emoji) > ($3, $4, $5)
            ORDER BY seq, at, account, emoji
            LIMIT $6
        ) AS r
        JOIN conversations.account_ids AS u ON u.account = r.account
        ORDER BY r.at, r.account, r.emoji
        """
    ) { row in try reaction(row) }

    /// $1 conversation, $2 seq, $3 and $4 after (at, account), $5 limit, $6 emoji: the reactions with it, oldest first.
    static let reactionsWith = Statement(
        """
        SELECT r.at, r.account, u.user_id, r.emoji
        FROM (
            SELECT at, account, emoji
            FROM messaging.reactions
            WHERE conversation = $1
                AND seq = $2
                AND emoji = $6
                AND (at, account) > ($3, $4)
            ORDER BY at, account
            LIMIT $5
        ) AS r
        JOIN conversations.account_ids AS u ON u.account = r.account
        ORDER BY r.at, r.account
        """
    ) { row in try reaction(row) }

    private static func reaction(_ row: borrowing RowReader) throws -> ReactionRow {
        ReactionRow(
            account: try row.account(1),
            reaction: Reaction(user: try row.text(2), emoji: try row.text(3), atUs: try row.int64(0)))
    }

    /// $1 conversation, $2 first message of the thread, $3 lowest seq, $4 highest seq, $5 limit, $6 the reader: the
    /// oldest replies first.
    static let replies = Statement(
        """
        SELECT \(MessagingStore.messageColumns(viewer: "$6"))
        FROM (
            SELECT *
            FROM messaging.messages
            WHERE conversation = $1
                AND thread_seq BETWEEN $2 AND $2
                AND seq BETWEEN $3 AND $4
                AND thread_seq IS NOT NULL
            ORDER BY thread_seq, seq
            LIMIT $5
        ) AS m
        \(MessagingStore.messageJoins(viewer: "$6"))
        ORDER BY m.seq
        """
    ) { row in try MessagingStore.message(row) }

    // MARK: Forwarding

    /// $1 conversation, $2 seq, $3 the reader: a message and the account of its original author.
    static let original = Statement(
        """
        SELECT COALESCE(m.forwarded_from, m.sender), \(MessagingStore.messageColumns(viewer: "$3"))
        FROM \(oneRow("*", from: "messaging.messages", where: "conversation = $1", by: "seq", is: "$2")) AS m
        \(MessagingStore.messageJoins(viewer: "$3"))
        """
    ) { row in (author: try row.optionalAccount(0), message: try MessagingStore.message(row, from: 1)) }

    /// $1 source conversation, $2 id there, $3 seq of its message, $4 target conversation, $5 new id, $6 new owner, $7
    /// now: copies an attachment's row, so that both rows share one stored file. No row if the source does not exist,
    /// the owner may not write in the target, or the new id is taken. The source row stays locked until then, so its
    /// file is not removed meanwhile.
    static let copyAttachment = Statement(
        """
        INSERT INTO messaging.attachments AS f (conversation, id, owner, object, name, mime_type, size_bytes, width,
            height, created_at, completed_at)
        SELECT $4, $5, $6, s.object, s.name, s.mime_type, s.size_bytes, s.width, s.height, $7, $7
        FROM (
            SELECT object, name, mime_type, size_bytes, width, height
            FROM messaging.attachments
            WHERE conversation = $1
                AND id BETWEEN $2 AND $2
                AND seq = $3
                AND completed_at IS NOT NULL
                AND unused_at IS NULL
            FOR SHARE
        ) AS s
        WHERE EXISTS (
            SELECT
            FROM conversations.access
            WHERE conversation = $4
                AND account BETWEEN $6 AND $6
                AND may_write
        )
        ON CONFLICT (conversation, id) DO UPDATE
        SET owner = excluded.owner
        WHERE f.owner = excluded.owner
            AND f.object = excluded.object
        RETURNING true
        """
    ) { row in try row.bool(0) }
}

/// A reaction, with the account that reacted.
struct ReactionRow: Sendable {
    var account: AccountNumber
    var reaction: Reaction
}
