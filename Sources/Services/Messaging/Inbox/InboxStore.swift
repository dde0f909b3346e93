import Postgres
import Schema

/// The SQL of a person's inbox: changed conversations and pages.
enum InboxStore {
    /// $1 account, $2 and $3 after (touched_at, conversation), $4 limit, $5 now. Ordered by `touched_at`.
    static let touched = entries(
        """
        SELECT b.*, a.joined_version, a.left_version, a.place AS access_place
        FROM messaging.inbox AS b
        CROSS JOIN LATERAL (
            SELECT may_read, joined_version, left_version, place
            FROM conversations.access
            WHERE conversation = b.conversation
                AND account BETWEEN $1 AND $1
            ORDER BY account
            LIMIT 1
        ) AS a
        WHERE b.account = $1
            AND (b.touched_at, b.conversation) > ($2, $3)
            AND (a.may_read OR a.left_version IS NOT NULL)
        ORDER BY b.touched_at, b.conversation
        LIMIT $4
        """, order: "i.touched_at, i.conversation")

    /// $1 account, $2 and $3 before (news_at, conversation), $4 limit, $5 now, $6 and $7 before (pinned_at,
    /// conversation). Selects unarchived conversations of section INBOX: pinned ones first, last pinned first, then
    /// those with the latest news. Skips other sections and cleared conversations.
    static let inbox = entries(
        """
        SELECT *
        FROM (
            (
                SELECT \(pageColumns)
                FROM messaging.inbox AS b
                \(pageJoins)
                WHERE b.account = $1
                    AND b.pinned_at IS NOT NULL
                    AND (b.pinned_at, b.conversation) < ($6, $7)
                    AND a.place = 1
                    AND h.seq > b.cleared_before
                    AND NOT \(isArchived(row: "b", lastSeq: "h.seq"))
                ORDER BY b.pinned_at DESC, b.conversation DESC
                LIMIT 200
            )
            UNION ALL
            (
                SELECT \(pageColumns)
                FROM messaging.inbox AS b
                \(pageJoins)
                WHERE b.account = $1
                    AND (b.news_at, b.conversation) < ($2, $3)
                    AND b.pinned_at IS NULL
                    AND a.place = 1
                    AND h.seq > b.cleared_before
                    AND NOT \(isArchived(row: "b", lastSeq: "h.seq"))
                ORDER BY b.news_at DESC, b.conversation DESC
                LIMIT $4
            )
        ) AS p
        """, order: pageOrder)

    /// $1 account, $2 and $3 before (news_at, conversation), $4 limit, $5 now. Selects archived conversations of
    /// section INBOX.
    static let archived = entries(
        """
        SELECT \(pageColumns)
        FROM messaging.inbox AS b
        \(pageJoins)
        WHERE b.account = $1
            AND b.archived_at IS NOT NULL
            AND (b.archived_at IS NOT NULL) = true
            AND (b.news_at, b.conversation) < ($2, $3)
            AND a.place = 1
            AND h.seq > b.cleared_before
            AND \(isArchived(row: "b", lastSeq: "h.seq"))
        ORDER BY b.news_at DESC, b.conversation DESC
        LIMIT $4
        """, order: "i.news_at DESC, i.conversation DESC")

    /// $1 account, $2 and $3 before (news_at, conversation), $4 limit, $5 now, $6 section other than INBOX. Selects the
    /// conversations of that section, archived or not. The cost follows their number, which is small in a typical
    /// account.
    static let otherSection = entries(
        """
        SELECT b.*, a.joined_version, a.left_version, a.place AS access_place
        FROM (
            SELECT conversation, joined_version, left_version, place
            FROM conversations.access
            WHERE account = $1
                AND place BETWEEN $6 AND $6
                AND place > 1
            ORDER BY place, conversation
            LIMIT 1000000
        ) AS a
        CROSS JOIN LATERAL (
            SELECT *
            FROM messaging.inbox
            WHERE account = $1
                AND conversation BETWEEN a.conversation AND a.conversation
            ORDER BY conversation
            LIMIT 1
        ) AS b
        LEFT JOIN messaging.heads AS h ON h.conversation = b.conversation
        CROSS JOIN LATERAL (
            SELECT b.visible_to, b.visible_position
        ) AS i
        WHERE (b.news_at, b.conversation) < ($2, $3)
            AND \(MessagingStore.visible.seq) > b.cleared_before
        ORDER BY b.news_at DESC, b.conversation DESC
        LIMIT $4
        """, order: "i.news_at DESC, i.conversation DESC")

    // MARK: Parts

    private static let pageColumns = "b.*, a.joined_version, a.left_version, a.place AS access_place"

    /// Joins the access row and the head. Both exist for every conversation of section INBOX.
    private static let pageJoins = """
        CROSS JOIN LATERAL (
            SELECT joined_version, left_version, place
            FROM conversations.access
            WHERE conversation = b.conversation
                AND account BETWEEN $1 AND $1
            ORDER BY account
            LIMIT 1
        ) AS a
        CROSS JOIN LATERAL (
            SELECT seq
            FROM messaging.heads
            WHERE conversation = b.conversation
            ORDER BY conversation
            LIMIT 1
        ) AS h
        """

    private static let pageOrder = """
        i.pinned_at DESC NULLS LAST, i.news_at DESC, i.conversation DESC
        """

    /// Selects the inbox row of $1 account and $2 conversation for ``stateJoins(account:now:)``. Returns no row if the
    /// account never was a member or has no inbox row.
    static let own = """
        SELECT b.*, a.joined_version, a.left_version, a.place AS access_place
        FROM messaging.inbox AS b
        CROSS JOIN LATERAL (
            SELECT may_read, joined_version, left_version, place
            FROM conversations.access
            WHERE conversation = $2
                AND account BETWEEN $1 AND $1
            ORDER BY account
            LIMIT 1
        ) AS a
        WHERE b.account = $1
            AND b.conversation BETWEEN $2 AND $2
            AND (a.may_read OR a.left_version IS NOT NULL)
        ORDER BY b.conversation
        LIMIT 1
        """

    /// Whether the conversation of row `i`, whose last seq is `w.seq`, is archived now.
    static let isArchived = isArchived(row: "i", lastSeq: "w.seq")

    /// Whether a row is archived. A later message ends this unless it arrived while the conversation was muted.
    private static func isArchived(row: String, lastSeq: String) -> String {
        """
        (
            \(row).archived_at IS NOT NULL
            AND (
                \(lastSeq) <= \(row).archived_seq
                OR COALESCE((
                    SELECT l.sent_at
                    FROM messaging.messages AS l
                    WHERE l.conversation = \(row).conversation
                        AND l.seq BETWEEN \(lastSeq) AND \(lastSeq)
                    ORDER BY l.seq
                    LIMIT 1
                ) <= \(row).muted_until, false)
            )
        )
        """
    }

    /// The columns of a person's inbox state, from the rows `i` (inbox), `w` (window) and `n` (unread counts).
    static let stateColumns = """
        i.position, i.read_seq, i.delivered_seq, n.unread, n.mentions, w.position, w.seq, i.marked_unread, i.pinned_at,
            i.muted_until, i.archived_at, i.archived_seq, i.cleared_before, w.lowest
        """

    /// The number of ``stateColumns``.
    static let stateColumnCount = 14

    /// Joins the window of the owner of row `i` as `w`.
    static let windowJoins = """
        LEFT JOIN messaging.heads AS h ON h.conversation = i.conversation
        CROSS JOIN LATERAL (SELECT i.joined_version, i.left_version) AS a
        CROSS JOIN LATERAL (
            SELECT CASE WHEN i.access_place = 5 THEN 0 ELSE \(MessagingStore.visible.seq) END AS seq,
                CASE WHEN i.access_place = 5 THEN 0 ELSE \(MessagingStore.visible.position) END AS position,
                \(MessagingStore.visible.lowest) AS lowest
        ) AS w
        """

    /// Joins the window of the owner of row `i` and the unread counts.
    /// - Parameters:
    ///   - account: the owner's account, as SQL.
    ///   - now: the time, as SQL.
    static func stateJoins(account: String, now: String) -> String {
        """
        \(windowJoins)
        CROSS JOIN LATERAL messaging.unread(
            \(account), i.conversation, GREATEST(i.read_seq, w.lowest - 1), w.seq, \(now)) AS n
        """
    }

    /// Reads an inbox state from its ``stateColumns``.
    static func state(_ row: borrowing RowReader, of conversation: String, from first: Int) throws -> InboxState {
        InboxState(
            conversation: conversation, ownPosition: try row.int64(first), readSeq: try row.int64(first + 1),
            deliveredSeq: try row.int64(first + 2), unread: try row.int64(first + 3),
            mentions: try row.int64(first + 4),
            countedPosition: try row.int64(first + 5), countedSeq: try row.int64(first + 6),
            markedUnread: try row.bool(first + 7), pinnedAtUs: try row.optionalInt64(first + 8) ?? 0,
            mutedUntilUs: try row.optionalInt64(first + 9) ?? 0, archivedAtUs: try row.optionalInt64(first + 10) ?? 0,
            archivedSeq: try row.optionalInt64(first + 11) ?? 0, clearedSeq: try row.int64(first + 12),
            firstSeq: try row.int64(first + 13))
    }

    /// Returns entries for the inbox rows that `rows` selects, with $1 the account and $5 the time. An entry of section
    /// GONE (5) contains no conversation data. The last message is the newest of the last 20 that is neither hidden,
    /// deleted nor disappeared.
    private static func entries(_ rows: String, order: String) -> Statement<TouchedEntry> {
        Statement(
            """
            SELECT i.touched_at, i.conversation, c.conversation_id, w.seq, w.position, i.access_place,
                COALESCE(h.retention_us, 0), m.seq IS NOT NULL, i.news_at, \(isArchived), \(stateColumns),
                \(MessagingStore.messageColumns(viewer: "$1"))
            FROM (
            \(rows)
            ) AS i
            JOIN conversations.conversation_ids AS c ON c.conversation = i.conversation
            \(stateJoins(account: "$1", now: "$5"))
            LEFT JOIN LATERAL (
                SELECT x.*
                FROM messaging.messages AS x
                WHERE x.conversation = i.conversation
                    AND x.seq BETWEEN GREATEST(w.lowest, w.seq - 19) AND w.seq
                    AND x.deleted_at IS NULL
                    AND (x.expires_at IS NULL OR x.expires_at > $5)
                    AND x.seq NOT IN (
                        SELECT f.seq
                        FROM messaging.flags AS f
                        WHERE f.account = $1
                            AND f.conversation = i.conversation
                            AND f.seq BETWEEN w.seq - 19 AND w.seq
                            AND f.hidden_at IS NOT NULL
                    )
                ORDER BY x.seq DESC
                LIMIT 1
            ) AS m ON true
            \(MessagingStore.messageJoins(viewer: "$1"))
            ORDER BY \(order)
            """
        ) { row in
            let conversation = try row.text(2)
            let state = try state(row, of: conversation, from: 10)
            var last: Message?
            if try row.bool(7) {
                last = try MessagingStore.message(row, from: 10 + stateColumnCount)
                last?.conversation = conversation
            }
            return TouchedEntry(
                touchedAt: try row.int64(0), number: try row.int64(1),
                entry: InboxEntry(
                    conversation: conversation, lastSeq: try row.int64(3), position: try row.int64(4),
                    lastMessage: last, section: ConversationSection(rawValue: Int32(try row.int16(5))), state: state,
                    retentionSeconds: try row.int64(6) / 1_000_000, archived: try row.bool(9)),
                cutAt: try row.int64(8))
        }
    }
}

/// An inbox row with its sort keys.
struct TouchedEntry: Sendable {
    /// The sort key of Sync: when the row was last touched.
    var touchedAt: Int64
    var number: Int64
    var entry: InboxEntry
    /// The sort key of inbox pages: the time of the latest news, at most 10 s out of date.
    var cutAt: Int64 = 0

    /// The time of the latest news, as exactly as known.
    var newsAt: Int64 { max(cutAt, entry.lastMessage?.sentAtUs ?? 0) }

    /// Zero when not pinned.
    var pinnedAt: Int64 { entry.state?.pinnedAtUs ?? 0 }

    /// The approximate size in a reply, in bytes.
    var bytes: Int {
        640 + (entry.lastMessage?.pageBytes ?? 0)
    }
}
