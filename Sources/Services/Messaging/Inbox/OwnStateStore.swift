import Postgres
import Schema
import ServiceKit

/// The SQL of people's own state of conversations and messages.
enum OwnStateStore {
    // MARK: The person's stream

    /// $1 account, $2 increment. Advances the head of the account's stream and returns it, locked until the transaction
    /// ends. An increment of 0 only locks it.
    ///
    /// Mark batches create heads too, but never wait: they skip an account while its advisory lock is held.
    static let advance = Statement(
        """
        INSERT INTO messaging.person_heads AS h (account, position)
        SELECT $1, $2
        FROM (
            SELECT pg_advisory_xact_lock(\(AdvisoryLock.personHead.rawValue), hashint8($1))
            OFFSET 0
        ) AS l
        ON CONFLICT (account) DO UPDATE
        SET position = h.position + $2
        RETURNING position
        """
    ) { row in try row.position(0) }

    /// $1 account. Returns the epoch, the time by the clock that sets `touched_at`, and the head of the person's
    /// stream.
    static let now = Statement(
        """
        SELECT messaging.epoch(), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
            COALESCE((
                SELECT position
                FROM messaging.person_heads
                WHERE account = $1
            ), 0)
        """
    ) { row in (epoch: try row.text(0), now: try row.time(1), head: try row.position(2)) }

    // MARK: Conversations

    /// $1 conversation. Creates its head before its first message. Batches skip the conversation meanwhile.
    static let makeHead = Statement(
        """
        INSERT INTO messaging.heads (conversation)
        SELECT $1
        FROM (
            SELECT pg_advisory_xact_lock(\(AdvisoryLock.head.rawValue), hashint8($1))
            OFFSET 0
        ) AS l
        ON CONFLICT DO NOTHING
        """)

    /// $1 account, $2 conversation. Creates the account's inbox row where it is missing.
    static let makeRow = Statement(
        """
        INSERT INTO messaging.inbox (account, conversation, touched_at, news_at)
        SELECT $1, $2, t.now, t.now
        FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now) AS t
        ON CONFLICT DO NOTHING
        """)

    /// $1 account, $2 conversation with an inbox row. Returns its inbox settings.
    static let settings = Statement(
        """
        SELECT i.pinned_at, i.muted_until, i.archived_at, i.archived_seq, i.marked_unread, i.cleared_before,
            \(InboxStore.isArchived), i.last_seq
        FROM (
            \(InboxStore.own)
        ) AS i
        """
    ) { row in
        InboxSettings(
            pinnedAt: try row.optionalTime(0), mutedUntil: try row.optionalTime(1),
            archivedAt: try row.optionalTime(2), archivedSeq: try row.optionalSeq(3),
            isMarkedUnread: try row.bool(4), clearedSeq: try row.seq(5), isArchived: try row.bool(6),
            lastSeq: try row.seq(7))
    }

    /// $1 account, $2 conversation to leave out. Counts the account's other pinned inbox conversations.
    static let pinnedCount = Statement(
        """
        SELECT count(*)
        FROM messaging.inbox AS b
        CROSS JOIN LATERAL \(oneRow(
            "is_in_inbox", from: "conversations.access", where: "conversation = b.conversation", by: "account", is: "$1"
        )) AS a
        WHERE b.account = $1
            AND b.pinned_at IS NOT NULL
            AND b.conversation <> $2
            AND a.is_in_inbox
        """
    ) { row in try row.int64(0) }

    /// $1 account, $2 conversation, $3 position, $4 pinned at, $5 muted until, $6 archived at, $7 archived seq, $8
    /// marked unread, $9 cleared up to.
    static let setSettings = Statement(
        """
        UPDATE messaging.inbox
        SET position = $3,
            pinned_at = $4,
            muted_until = $5,
            archived_at = $6,
            archived_seq = $7,
            marked_unread = $8,
            cleared_before = $9,
            touched_at = (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
        WHERE account = $1
            AND conversation = $2
        """)

    /// $1 account, $2 conversation, $3 position. Gives the row a new position after its counts changed.
    static let recount = Statement(
        """
        UPDATE messaging.inbox
        SET position = $3,
            touched_at = (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
        WHERE account = $1
            AND conversation = $2
        """)

    /// $1 account, $2 conversation, $3 now.
    static let state = Statement(
        """
        SELECT c.conversation_id, \(InboxStore.stateColumns)
        FROM (
            \(InboxStore.own)
        ) AS i
        JOIN conversations.conversation_ids AS c ON c.conversation = i.conversation
        \(InboxStore.stateJoins(account: "$1", now: "$3"))
        """
    ) { row in try InboxStore.state(row, of: try row.text(0), from: 1) }

    /// $1 account, $2 conversation, $3 last seq. Deletes the states of messages cleared for this person.
    static let dropMessageStates = Statement(
        """
        DELETE FROM messaging.message_states
        WHERE account = $1
            AND conversation = $2
            AND seq <= $3
        """)

    /// $1 account, $2 conversation, $3 last seq.
    static let dropMentions = Statement(
        """
        DELETE FROM messaging.mentions
        WHERE account = $1
            AND conversation = $2
            AND seq <= $3
        """)

    /// $1 account, $2 now. Counts unread messages, the conversations that have them, and mentions in the inbox, except
    /// archived and muted conversations. Reads each of the account's conversations.
    static let badge = Statement(
        """
        SELECT badge, conversations, mentions
        FROM messaging.badge_of($1, $2)
        """
    ) { row in
        GetBadgeReply(badge: try row.int64(0), conversations: try row.int64(1), mentions: try row.int64(2))
    }

    // MARK: Messages

    /// $1 account, $2 conversation, $3 seqs, $4 now. Returns the account's states of the existing messages, and whether
    /// each still has content.
    static let messageStates = Statement(
        """
        SELECT e.seq, f.starred_at, f.hidden_at IS NOT NULL, COALESCE(f.position, 0),
            m.deleted_at IS NULL AND (m.expires_at IS NULL OR m.expires_at > $4)
        FROM unnest($3::bigint[]) AS e (seq)
        CROSS JOIN LATERAL \(oneRow(
            "deleted_at, expires_at", from: "messaging.messages", where: "conversation = $2", by: "seq", is: "e.seq"
        )) AS m
        LEFT JOIN LATERAL \(oneRow(
            "starred_at, hidden_at, position", from: "messaging.message_states",
            where: "account = $1 AND conversation = $2", by: "seq", is: "e.seq"
        )) AS f ON true
        """
    ) { row in
        OwnMessage(
            seq: try row.seq(0), starredAt: try row.optionalTime(1), isHidden: try row.bool(2),
            position: try row.position(3), hasContent: try row.bool(4))
    }

    /// $1 account, $2 max. Counts the account's starred messages, up to the max.
    static let starredCount = Statement(
        """
        SELECT count(*)
        FROM (
            SELECT
            FROM messaging.message_states
            WHERE account = $1
                AND starred_at IS NOT NULL
            ORDER BY starred_at
            LIMIT $2
        ) AS f
        """
    ) { row in try row.int64(0) }

    /// $1 account, $2 now, $3 limit, $4 position. Removes the oldest stars of deleted and disappeared messages under
    /// the positions after $4. Looks at the 1,000 oldest stars.
    static let unstarGone = Statement(
        """
        WITH gone AS MATERIALIZED (
            SELECT f.ctid AS row_id, f.conversation, f.seq,
                $4 + row_number() OVER (ORDER BY f.starred_at, f.conversation, f.seq) AS position
            FROM (
                SELECT ctid, conversation, seq, starred_at
                FROM messaging.message_states
                WHERE account = $1
                    AND starred_at IS NOT NULL
                ORDER BY starred_at, conversation, seq
                LIMIT 1000
            ) AS f
            CROSS JOIN LATERAL \(oneRow(
                "deleted_at, expires_at", from: "messaging.messages",
                where: "conversation = f.conversation", by: "seq", is: "f.seq"
            )) AS m
            WHERE m.deleted_at IS NOT NULL OR m.expires_at <= $2
            ORDER BY f.starred_at, f.conversation, f.seq
            LIMIT $3
        ),
        unstarred AS (
            UPDATE messaging.message_states AS f
            SET starred_at = NULL, position = g.position
            FROM gone AS g
            WHERE f.ctid = g.row_id
        )
        SELECT g.conversation, c.conversation_id, g.seq, g.position
        FROM gone AS g
        JOIN conversations.conversation_ids AS c ON c.conversation = g.conversation
        ORDER BY g.position
        """
    ) { row in
        (
            conversation: try row.conversation(0),
            state: MessageState(
                conversation: try row.text(1), seq: try row.int64(2), ownPosition: try row.int64(3))
        )
    }

    /// $1 account, $2 conversation, $3 seqs, $4 starred at, $5 hidden, $6 positions, $7 now.
    static let setMessageStates = Statement(
        """
        INSERT INTO messaging.message_states AS f (account, conversation, seq, starred_at, hidden_at, position)
        SELECT $1, $2, e.seq, e.starred_at, CASE WHEN e.is_hidden THEN $7::bigint END, e.position
        FROM unnest($3::bigint[], $4::bigint[], $5::boolean[], $6::bigint[]) AS e (seq, starred_at, is_hidden, position)
        ON CONFLICT (account, conversation, seq) DO UPDATE
        SET starred_at = excluded.starred_at,
            hidden_at = COALESCE(f.hidden_at, excluded.hidden_at),
            position = excluded.position
        """)

    private static func mentionsOrStars(_ keys: String) -> Statement<MentionOrStar> {
        Statement(
            """
            SELECT k.at, k.conversation, k.seq, c.conversation_id, m.seq IS NOT NULL,
                \(MessagingStore.messageColumns(viewer: "$1"))
            FROM (
            \(keys)
            ) AS k
            JOIN conversations.conversation_ids AS c ON c.conversation = k.conversation
            LEFT JOIN LATERAL (
                SELECT x.*
                FROM messaging.window($1, k.conversation) AS w
                CROSS JOIN LATERAL \(oneRow(
                    "*", from: "messaging.messages", where: "conversation = k.conversation", by: "seq", is: "k.seq"
                )) AS x
                WHERE w.is_shown
                    AND x.seq BETWEEN w.first_seq AND w.last_seq
                    AND x.deleted_at IS NULL
                    AND (x.expires_at IS NULL OR x.expires_at > $6)
                    AND NOT EXISTS (
                        SELECT
                        FROM messaging.message_states AS f
                        WHERE f.account = $1
                            AND f.conversation = k.conversation
                            AND f.seq BETWEEN k.seq AND k.seq
                            AND f.hidden_at IS NOT NULL
                    )
            ) AS m ON true
            \(MessagingStore.messageJoins(viewer: "$1"))
            ORDER BY k.at DESC, k.conversation DESC, k.seq DESC
            """
        ) { row in
            let conversation = try row.text(3)
            var message: Message?
            if try row.bool(4) {
                message = try MessagingStore.message(row, from: 5)
                message?.conversation = conversation
            }
            return MentionOrStar(
                at: try row.time(0), conversation: try row.conversation(1), seq: try row.seq(2), message: message)
        }
    }

    private static let starredKeys = """
        (
            SELECT starred_at AS at, conversation, seq
            FROM messaging.message_states
            WHERE account = $1
                AND starred_at IS NOT NULL
                AND (starred_at, conversation, seq) < ($2, $3, $4)
            ORDER BY starred_at DESC, conversation DESC, seq DESC
            LIMIT $5
        )
        """

    /// A condition: whether mention n is by somebody whom the account blocks. Messages are read only for who blocks
    /// anybody.
    private static let isByBlocked = """
        (
            EXISTS (
                SELECT
                FROM conversations.blocked
                WHERE account = $1
            )
            AND EXISTS (
                SELECT
                FROM \(oneRow(
                    "sender", from: "messaging.messages", where: "conversation = n.conversation", by: "seq",
                    is: "n.seq"
                )) AS said
                WHERE \(blocks("$1", "said.sender"))
            )
        )
        """

    private static func mentionKeys(_ condition: String) -> String {
        """
        (
            SELECT n.sent_at AS at, n.conversation, n.seq
            FROM messaging.mentions AS n
            WHERE n.account = $1
                AND (n.sent_at, n.conversation, n.seq) < ($2, $3, $4)
                AND NOT \(isByBlocked)
                \(condition)
            ORDER BY n.sent_at DESC, n.conversation DESC, n.seq DESC
            LIMIT $5
        )
        """
    }

    /// $1 account, $2 to $4 before (when, conversation, seq), $5 limit, $6 now. Returns keys of starred messages, last
    /// starred first, each with its message if readable.
    static let starred = mentionsOrStars(starredKeys)
    /// As ``starred``, but for messages that mention the account, last sent first.
    static let mentioning = mentionsOrStars(mentionKeys(""))
    /// As ``starred`` and ``mentioning`` together; a starred mention is listed by the time of its star.
    static let mentioningOrStarred = mentionsOrStars(
        """
        SELECT *
        FROM (
            \(starredKeys)
            UNION ALL
            \(mentionKeys(
                """
                AND NOT EXISTS (
                    SELECT
                    FROM messaging.message_states AS s
                    WHERE s.account = n.account
                        AND s.conversation = n.conversation
                        AND s.seq BETWEEN n.seq AND n.seq
                        AND s.starred_at IS NOT NULL
                )
                """))
        ) AS u
        ORDER BY u.at DESC, u.conversation DESC, u.seq DESC
        LIMIT $5
        """)

    /// $1 account, $2 after position, $3 limit.
    static let messageStatesSince = Statement(
        """
        SELECT c.conversation_id, f.seq, f.position, f.starred_at IS NOT NULL, f.hidden_at IS NOT NULL
        FROM (
            SELECT conversation, seq, position, starred_at, hidden_at
            FROM messaging.message_states
            WHERE account = $1
                AND position > $2
            ORDER BY position
            LIMIT $3
        ) AS f
        JOIN conversations.conversation_ids AS c ON c.conversation = f.conversation
        ORDER BY f.position
        """
    ) { row in
        MessageState(
            conversation: try row.text(0), seq: try row.int64(1), ownPosition: try row.int64(2),
            starred: try row.bool(3), hidden: try row.bool(4))
    }

    /// Returns the message states that still have their positions.
    static let currentMessageStates = Statement(
        """
        SELECT e.ordinal, u.user_id, f.position IS NOT NULL, COALESCE(c.conversation_id, ''), COALESCE(f.seq, 0), e.position,
            f.starred_at IS NOT NULL, f.hidden_at IS NOT NULL
        FROM \(replayedEntries)
        JOIN conversations.account_ids AS u ON u.account = e.subject
        LEFT JOIN LATERAL \(oneRow(
            "conversation, seq, position, starred_at, hidden_at", from: "messaging.message_states",
            where: "account = e.subject", by: "position", is: "e.position"
        )) AS f ON true
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = f.conversation
        """
    ) { row in
        CurrentState(
            ordinal: Int(try row.int64(0)), owner: try row.text(1),
            state: try row.bool(2)
                ? MessageState(
                    conversation: try row.text(3), seq: try row.int64(4), ownPosition: try row.int64(5),
                    starred: try row.bool(6), hidden: try row.bool(7)) : nil)
    }
}

/// An entry in the list of stars and mentions, with its message if readable.
struct MentionOrStar: Sendable {
    var at: Timestamp
    var conversation: ConversationNumber
    var seq: Seq
    var message: Message?
}
