import Postgres
import Schema

/// The SQL of a person's inbox: changed conversations and pages.
enum InboxStore {
    /// $1 account, $2 and $3 after (touched_at, conversation), $4 limit, $5 now. Ordered by `touched_at`.
    static let touched = entries(
        """
        SELECT \(rowColumns)
        FROM messaging.inbox AS b
        \(window)
        WHERE b.account = $1
            AND (b.touched_at, b.conversation) > ($2, $3)
            AND (w.is_former OR NOT w.is_gone)
        ORDER BY b.touched_at, b.conversation
        LIMIT $4
        """, order: "i.touched_at, i.conversation")

    /// $1 account, $2 and $3 before (touched_at, conversation), $4 limit, $5 now, $6 after touched_at. The last touched
    /// first.
    static let lastTouched = entries(
        """
        SELECT \(rowColumns)
        FROM messaging.inbox AS b
        \(window)
        WHERE b.account = $1
            AND (b.touched_at, b.conversation) < ($2, $3)
            AND b.touched_at > $6
            AND (w.is_former OR NOT w.is_gone)
        ORDER BY b.touched_at DESC, b.conversation DESC
        LIMIT $4
        """, order: "i.touched_at DESC, i.conversation DESC")

    /// $1 account, $2 and $3 before (news_at, conversation), $4 limit, $5 now, $6 and $7 before (pinned_at,
    /// conversation). Selects unarchived conversations of section INBOX: pinned ones first, last pinned first, then
    /// those with the latest news. Skips other sections and cleared conversations.
    static let inbox = entries(
        """
        SELECT *
        FROM (
            (
                SELECT \(rowColumns)
                FROM messaging.inbox AS b
                \(window)
                WHERE b.account = $1
                    AND b.pinned_at IS NOT NULL
                    AND (b.pinned_at, b.conversation) < ($6, $7)
                    AND w.is_in_inbox
                    AND w.last_seq > b.cleared_before
                    AND NOT \(isArchived(row: "b", lastSeq: "w.last_seq"))
                ORDER BY b.pinned_at DESC, b.conversation DESC
                LIMIT 200
            )
            UNION ALL
            (
                SELECT \(rowColumns)
                FROM messaging.inbox AS b
                \(window)
                WHERE b.account = $1
                    AND (b.news_at, b.conversation) < ($2, $3)
                    AND b.pinned_at IS NULL
                    AND w.is_in_inbox
                    AND w.last_seq > b.cleared_before
                    AND NOT \(isArchived(row: "b", lastSeq: "w.last_seq"))
                ORDER BY b.news_at DESC, b.conversation DESC
                LIMIT $4
            )
        ) AS p
        """, order: pageOrder, titled: true)

    /// $1 account, $2 and $3 before (news_at, conversation), $4 limit, $5 now. Selects archived conversations of
    /// section INBOX.
    static let archived = entries(
        """
        SELECT \(rowColumns)
        FROM messaging.inbox AS b
        \(window)
        WHERE b.account = $1
            AND b.archived_at IS NOT NULL
            AND (b.archived_at IS NOT NULL) = true
            AND (b.news_at, b.conversation) < ($2, $3)
            AND w.is_in_inbox
            AND w.last_seq > b.cleared_before
            AND \(isArchived(row: "b", lastSeq: "w.last_seq"))
        ORDER BY b.news_at DESC, b.conversation DESC
        LIMIT $4
        """, order: "i.news_at DESC, i.conversation DESC", titled: true)

    /// $1 account, $2 and $3 before (news_at, conversation), $4 limit, $5 now, $6 section other than INBOX. Selects the
    /// conversations of that section, archived or not. The cost follows their number, which is small in a typical
    /// account.
    static let otherSection = entries(
        """
        SELECT \(rowColumns)
        FROM (
            SELECT conversation
            FROM conversations.access
            WHERE account = $1
                AND section BETWEEN $6 AND $6
                AND section > \(ConversationSection.inbox.rawValue)
            ORDER BY section, conversation
            LIMIT 1000000
        ) AS a
        CROSS JOIN LATERAL \(oneRow(
            "*", from: "messaging.inbox", where: "account = $1", by: "conversation", is: "a.conversation"
        )) AS b
        \(window)
        WHERE (b.news_at, b.conversation) < ($2, $3)
            AND (w.is_gone OR w.last_seq > b.cleared_before)
        ORDER BY b.news_at DESC, b.conversation DESC
        LIMIT $4
        """, order: "i.news_at DESC, i.conversation DESC", titled: true)

    /// $1 conversations, $2 their since positions, $3 lowest seqs, $4 highest seqs, $5 first seqs that can be new since
    /// then, $6 the reader, $7 the most of one conversation. As ``MessagingStore/changes`` of each.
    static let missed = Statement(
        """
        SELECT k.ordinal, \(MessagingStore.messageColumns(viewer: "$6"))
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) WITH ORDINALITY
            AS k (conversation, since, lowest, highest, first_new, ordinal)
        CROSS JOIN LATERAL (
            (
                SELECT *
                FROM messaging.messages
                WHERE conversation = k.conversation
                    AND seq BETWEEN GREATEST(k.lowest, k.first_new) AND k.highest
                    AND position > k.since
                    AND changed_at IS NULL
                ORDER BY seq
                LIMIT $7
            )
            UNION ALL
            (
                SELECT *
                FROM messaging.messages
                WHERE conversation = k.conversation
                    AND position > k.since
                    AND changed_at IS NOT NULL
                    AND seq BETWEEN k.lowest AND k.highest
                ORDER BY position
                LIMIT $7
            )
        ) AS m
        \(MessagingStore.messageJoins(viewer: "$6"))
        ORDER BY k.ordinal, m.position
        """
    ) { row in (ordinal: Int(try row.int64(0)), message: try MessagingStore.message(row, from: 1)) }

    // MARK: Parts

    /// The columns that ``entries(_:order:)`` and ``stateJoins(account:now:)`` need of an inbox row `b` and its owner's
    /// window `w`.
    static let rowColumns = """
        b.*, w.section, w.first_seq, w.last_seq, w.last_position, w.first_position, w.is_former, w.retention_us
        """

    /// Joins the window `w` of account $1 in the conversation of inbox row `b`.
    private static let window = "CROSS JOIN LATERAL messaging.window($1, b.conversation) AS w"

    private static let pageOrder = """
        i.pinned_at DESC NULLS LAST, i.news_at DESC, i.conversation DESC
        """

    /// Selects the inbox row of $1 account and $2 conversation for ``stateJoins(account:now:)``. Returns no row if the
    /// account never was a member or has no inbox row.
    static let own = """
        SELECT \(rowColumns)
        FROM messaging.inbox AS b
        \(window)
        WHERE b.account = $1
            AND b.conversation BETWEEN $2 AND $2
        ORDER BY b.conversation
        LIMIT 1
        """

    /// Whether the conversation of row `i` is archived now.
    static let isArchived = isArchived(row: "i", lastSeq: "i.last_seq")

    /// Whether a row is archived. A later message ends this unless it arrived while the conversation was muted.
    private static func isArchived(row: String, lastSeq: String) -> String {
        """
        (
            \(row).archived_at IS NOT NULL
            AND (
                \(lastSeq) <= \(row).archived_seq
                OR COALESCE(\(oneRow(
                    "sent_at", from: "messaging.messages",
                    where: "conversation = \(row).conversation", by: "seq", is: lastSeq
                )) <= \(row).muted_until, false)
            )
        )
        """
    }

    /// The columns of a person's inbox state, from the rows `i` (``rowColumns``) and `n` (unread counts).
    static let stateColumns = """
        i.position, i.read_seq, n.unread, n.mentions, i.last_position, i.last_seq, n.counted_at, i.marked_unread,
            i.pinned_at, i.muted_until, i.archived_at, i.archived_seq, i.cleared_before, i.first_seq,
            CASE WHEN i.is_former THEN i.renewed_position END
        """

    /// The number of ``stateColumns``.
    static let stateColumnCount = 15

    /// Joins the unread counts `n` of the owner of row `i`.
    /// - Parameters:
    ///   - account: the owner's account, as SQL.
    ///   - now: the time, as SQL.
    static func stateJoins(account: String, now: String) -> String {
        """
        CROSS JOIN LATERAL (
            SELECT unread, mentions, \(now)::bigint AS counted_at
            FROM messaging.unread(
                \(account), i.conversation, GREATEST(i.read_seq, i.first_seq - 1), i.last_seq, \(now))
        ) AS n
        """
    }

    /// Reads an inbox state from its ``stateColumns``.
    static func state(_ row: borrowing RowReader, of conversation: String, from first: Int) throws -> InboxState {
        InboxState(
            conversation: conversation, ownPosition: try row.int64(first), readSeq: try row.int64(first + 1),
            unread: try row.int64(first + 2), mentions: try row.int64(first + 3),
            countedPosition: try row.int64(first + 4), countedSeq: try row.int64(first + 5),
            countedAtUs: try row.int64(first + 6),
            markedUnread: try row.bool(first + 7), pinnedAtUs: try row.optionalInt64(first + 8) ?? 0,
            mutedUntilUs: try row.optionalInt64(first + 9) ?? 0, archivedAtUs: try row.optionalInt64(first + 10) ?? 0,
            archivedSeq: try row.optionalInt64(first + 11) ?? 0, clearedSeq: try row.int64(first + 12),
            firstSeq: try row.int64(first + 13), renewedPosition: try row.optionalInt64(first + 14) ?? 0)
    }

    /// Returns entries for the inbox rows that `rows` selects, with $1 the account and $5 the time. An entry of section
    /// GONE (5) contains no conversation data. The last message is the newest of the last 20 that is neither hidden,
    /// deleted nor disappeared.
    /// - Parameter titled: whether the entries have names and photos.
    private static func entries(_ rows: String, order: String, titled: Bool = false) -> Statement<TouchedEntry> {
        // A group has its own name, which a former member sees as it was. A direct conversation has the other person's.
        let left = oneRow(
            "left_name, left_photo_url", from: "conversations.titles",
            where: "i.is_former AND conversation = i.conversation", by: "account", is: "$1")
        let other = """
            (
                SELECT display_name, photo_url
                FROM conversations.titles
                WHERE c.kind = \(ConversationKind.direct.rawValue) AND conversation = i.conversation
                ORDER BY account = $1, account
                LIMIT 1
            )
            """
        let title = """
            coalesce(other.display_name, was.left_name, c.name),
                coalesce(other.photo_url, was.left_photo_url, c.photo_url)
            """
        return Statement(
            """
            SELECT i.touched_at, i.conversation, c.conversation_id, i.last_seq, i.last_position, i.section,
                i.retention_us, m.seq IS NOT NULL, i.news_at, \(isArchived), i.first_position, i.is_former,
                \(titled ? title : "'', ''"), \(stateColumns),
                \(MessagingStore.messageColumns(viewer: "$1"))
            FROM (
            \(rows)
            ) AS i
            JOIN conversations.conversation_ids AS c ON c.conversation = i.conversation
            \(titled ? "LEFT JOIN LATERAL \(other) AS other ON true LEFT JOIN LATERAL \(left) AS was ON true" : "")
            \(stateJoins(account: "$1", now: "$5"))
            LEFT JOIN LATERAL (
                SELECT x.*
                FROM messaging.messages AS x
                WHERE x.conversation = i.conversation
                    AND x.seq BETWEEN GREATEST(i.first_seq, i.last_seq - 19) AND i.last_seq
                    AND x.deleted_at IS NULL
                    AND (x.expires_at IS NULL OR x.expires_at > $5)
                    AND x.seq NOT IN (
                        SELECT f.seq
                        FROM messaging.message_states AS f
                        WHERE f.account = $1
                            AND f.conversation = i.conversation
                            AND f.seq BETWEEN i.last_seq - 19 AND i.last_seq
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
            let state = try state(row, of: conversation, from: 14)
            var last: Message?
            if try row.bool(7) {
                last = try MessagingStore.message(row, from: 14 + stateColumnCount)
                last?.conversation = conversation
            }
            return TouchedEntry(
                touchedAt: try row.time(0), number: try row.conversation(1),
                entry: InboxEntry(
                    conversation: conversation, lastSeq: try row.int64(3), position: try row.int64(4),
                    lastMessage: last, section: ConversationSection(rawValue: Int32(try row.int16(5))), state: state,
                    retentionSeconds: try row.int64(6) / 1_000_000, archived: try row.bool(9),
                    name: try row.optionalText(12) ?? "", photoUrl: try row.optionalText(13) ?? ""),
                cutAt: try row.time(8), firstPosition: try row.position(10), isFormer: try row.bool(11))
        }
    }
}

/// An inbox row with its sort keys.
struct TouchedEntry: Sendable {
    /// The sort key of Sync: when the row was last touched.
    var touchedAt: Timestamp
    var number: ConversationNumber
    var entry: InboxEntry
    /// The sort key of inbox pages: the time of the latest news, at most 10 s out of date.
    var cutAt: Timestamp = 0
    /// The position before which changes are no longer known.
    var firstPosition: Position = 0
    /// Whether the person has left the conversation.
    var isFormer = false

    /// The time of the latest news, as exactly as known.
    var newsAt: Timestamp { max(cutAt, Timestamp(entry.lastMessage?.sentAtUs ?? 0)) }

    /// Zero when not pinned.
    var pinnedAt: Timestamp { Timestamp(entry.state?.pinnedAtUs ?? 0) }

    /// The approximate size in a reply, in bytes.
    var bytes: Int {
        640 + entry.name.utf8.count + entry.photoUrl.utf8.count + (entry.lastMessage?.pageBytes ?? 0)
    }
}
