import Postgres
import Schema

/// What another person may see of a person's presence.
struct Seen: Sendable {
    var account: AccountNumber
    var user: String
    /// Whether the other sees any of it (C6): once the person is closed to them, only what was before.
    var isVisible = true
    var lastSeenAt: Timestamp?
    /// Whether the person had come then, rather than gone.
    var isPresent = false
    /// Since when one of the two blocks the other, or the person hides from them; nil: neither.
    var closedAt: Timestamp?
    /// When the person was last seen before that, if it fell into an absence that is over.
    var frozenAt: Timestamp?
    var words = Words()

    /// Whether the other sees who is online now.
    var isOpen: Bool { isVisible && closedAt == nil }
}

/// All SQL of presence.
enum PresenceStore {
    /// The relation of two accounts, `me` and `u`. `b.at` is since when one of them blocks the other, and `d` is the
    /// state of their direct conversation. It is looked up by its id, so the cost does not depend on how many
    /// conversations they have. `h` is since when each hides from the other, and `p` what `u` says of themselves.
    private static let relation =
        """
        CROSS JOIN LATERAL (
            SELECT min(either.at) AS at
            FROM (
                SELECT at
                FROM conversations.blocked
                WHERE account = me.account
                    AND blocked BETWEEN u.account AND u.account
                UNION ALL
                SELECT at
                FROM conversations.blocked
                WHERE account = u.account
                    AND blocked BETWEEN me.account AND me.account
            ) AS either
        ) AS b
        LEFT JOIN LATERAL (
            SELECT mine.takes_part AND theirs.takes_part
                    AND (b.at IS NOT NULL OR mine.may_write AND theirs.may_write) AS is_open,
                mine.is_in_inbox AND mine.is_pending AS is_asking
            FROM conversations.conversation_ids AS c
            CROSS JOIN LATERAL \(oneRow(
                "takes_part, may_write, is_pending, is_in_inbox", from: "conversations.access",
                where: "conversation = c.conversation", by: "account", is: "me.account"
            )) AS mine
            CROSS JOIN LATERAL \(oneRow(
                "takes_part, may_write", from: "conversations.access",
                where: "conversation = c.conversation", by: "account", is: "u.account"
            )) AS theirs
            WHERE c.conversation_id = LEAST(me.user_id, u.user_id) || '_' || GREATEST(me.user_id, u.user_id)
        ) AS d ON true
        LEFT JOIN presence.people AS p ON p.account = u.account
        LEFT JOIN presence.people AS mine ON mine.account = me.account
        CROSS JOIN LATERAL (
            SELECT
                CASE
                    WHEN u.account = me.account THEN NULL
                    WHEN d.is_open THEN mine.hidden_from_accepted_at
                    ELSE mine.hidden_at
                END AS mine,
                CASE
                    WHEN u.account = me.account THEN NULL
                    WHEN d.is_open THEN p.hidden_from_accepted_at
                    ELSE p.hidden_at
                END AS theirs
        ) AS h
        LEFT JOIN presence.last_seen AS l ON l.account = u.account
        LEFT JOIN presence.frozen AS f ON f.account = u.account AND f.at = LEAST(b.at, h.theirs)
        """

    /// Whether `me` may see `u` (C6), given the ``relation``. I may see myself, people with whom I have an accepted
    /// direct conversation (also after a block), and members of my groups. I may not see a recipient who has not
    /// accepted my message request, not even in a shared group, and nobody from whom I hide.
    private static let isVisible =
        """
        (
            u.account = me.account
            OR d.is_asking IS NOT TRUE
                AND h.mine IS NULL
                AND CASE
                    WHEN d.is_open THEN true
                    ELSE EXISTS (
                        SELECT
                        FROM conversations.access AS theirs
                        CROSS JOIN LATERAL \(oneRow(
                            "conversation, may_read", from: "conversations.access",
                            where: "conversation = theirs.conversation", by: "account", is: "me.account"
                        )) AS mine
                        CROSS JOIN LATERAL (
                            SELECT kind
                            FROM conversations.conversation_ids
                            WHERE conversation = mine.conversation
                            OFFSET 0
                        ) AS c
                        WHERE theirs.account = u.account
                            AND theirs.may_read
                            AND mine.may_read
                            AND c.kind = \(ConversationKind.group.rawValue)
                    )
                END
        )
        """

    private static let columns =
        """
        u.account, u.user_id, \(isVisible), l.at, COALESCE(l.is_present, false), LEAST(b.at, h.theirs), f.seen_at,
        p.availability::integer, p.status_text, p.status_ends_at
        """

    /// What I may see of the given people; of those who do not exist, no row. $1 my account, $2 user ids.
    static let seen = Statement(
        """
        SELECT \(columns)
        FROM conversations.account_ids AS u
        CROSS JOIN (
            SELECT account, user_id
            FROM conversations.account_ids
            WHERE account = $1
        ) AS me
        \(relation)
        WHERE u.user_id = ANY ($2)
        """
    ) { row in try seen(row, at: 0) }

    /// What each watcher may now see of the account watched. $1 watched accounts, $2 the watcher of each.
    static let seenByWatchers = Statement(
        """
        SELECT me.account, \(columns)
        FROM unnest($1::bigint[], $2::bigint[]) AS pair (watched, watcher)
        JOIN conversations.account_ids AS me ON me.account = pair.watcher
        JOIN conversations.account_ids AS u ON u.account = pair.watched
        \(relation)
        """
    ) { row in (watcher: try row.account(0), seen: try seen(row, at: 1)) }

    private static func seen(_ row: borrowing RowReader, at column: Int) throws(DatabaseError) -> Seen {
        Seen(
            account: try row.account(column), user: try row.text(column + 1), isVisible: try row.bool(column + 2),
            lastSeenAt: try row.optionalTime(column + 3), isPresent: try row.bool(column + 4),
            closedAt: try row.optionalTime(column + 5), frozenAt: try row.optionalTime(column + 6),
            words: Words(
                availability: Availability(rawValue: try row.optionalInt32(column + 7) ?? 1),
                text: try row.optionalText(column + 8) ?? "", endsAt: try row.optionalTime(column + 9) ?? 0))
    }

    /// The pairs of two people who both may read a conversation that the first looks at. $1 ids of conversations, $2
    /// the person who looks at each, $3 the watcher of each.
    static let fellowMembers = Statement(
        """
        SELECT pair.watched, pair.watcher
        FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS pair (conversation_id, watched, watcher)
        JOIN conversations.conversation_ids AS c ON c.conversation_id = pair.conversation_id
        CROSS JOIN LATERAL \(oneRow(
            "takes_part", from: "conversations.access",
            where: "conversation = c.conversation", by: "account", is: "pair.watched"
        )) AS theirs
        CROSS JOIN LATERAL \(oneRow(
            "takes_part", from: "conversations.access",
            where: "conversation = c.conversation", by: "account", is: "pair.watcher"
        )) AS mine
        WHERE theirs.takes_part
            AND mine.takes_part
        """
    ) { row in Watches.Pair(watched: try row.account(0), watcher: try row.account(1)) }

    // MARK: What people say of themselves

    private static func own(_ row: borrowing RowReader) throws(DatabaseError) -> Own {
        Own(
            words: Words(
                availability: Availability(rawValue: try row.int32(0)), text: try row.text(1), endsAt: try row.time(2)),
            hidesFromOthers: try row.optionalTime(3) != nil, hidesFromAccepted: try row.optionalTime(4) != nil,
            version: try row.int64(5))
    }

    /// What $1 account says.
    static let own = Statement(
        """
        SELECT availability::integer, status_text, status_ends_at, hidden_at, hidden_from_accepted_at, version
        FROM presence.people
        WHERE account = $1
        """
    ) { row in try own(row) }

    /// Changes what a person says, unless they are erased. $1 account, $2 availability, $3 text, $4 its end, $5 whether
    /// they hide from those without an accepted conversation, $6 from the others too, $7 now. Null: stays as it is.
    static let setOwn = Statement(
        """
        WITH next AS (
            UPDATE presence.last_change
            SET number = number + 1
            RETURNING number
        )
        INSERT INTO presence.people AS p (
            account, availability, status_text, status_ends_at, hidden_at, hidden_from_accepted_at, version, change)
        SELECT $1, COALESCE($2::smallint, 1), COALESCE($3::text, ''), COALESCE($4::bigint, 0),
            CASE WHEN $5::boolean THEN $7::bigint END, CASE WHEN $6::boolean THEN $7 END, 1, number
        FROM next
        WHERE NOT EXISTS (SELECT FROM conversations.erased AS e WHERE e.account = $1)
        ON CONFLICT (account) DO UPDATE
        SET availability = COALESCE($2, p.availability),
            status_text = COALESCE($3, p.status_text),
            status_ends_at = COALESCE($4, p.status_ends_at),
            hidden_at = CASE
                WHEN $5 IS NULL THEN p.hidden_at
                WHEN $5 THEN COALESCE(p.hidden_at, $7)
            END,
            hidden_from_accepted_at = CASE
                WHEN $6 IS NULL THEN p.hidden_from_accepted_at
                WHEN $6 THEN COALESCE(p.hidden_from_accepted_at, $7)
            END,
            version = p.version + 1,
            change = excluded.change
        RETURNING availability::integer, status_text, status_ends_at, hidden_at, hidden_from_accepted_at, version
        """
    ) { row in try own(row) }

    /// The number of the last change of what people say, with an account that changed since number $1; null: none did.
    static let changed = Statement(
        """
        SELECT last.number, p.account
        FROM presence.last_change AS last
        LEFT JOIN presence.people AS p ON p.change > $1
        """
    ) { row in (number: try row.int64(0), account: try row.optionalAccount(1)) }

    /// The gateways that have reported since $1.
    static let gateways = Statement(
        """
        SELECT gateway
        FROM presence.gateways
        WHERE heard_at >= $1
        ORDER BY gateway
        LIMIT 1000
        """
    ) { row in try row.text(0) }

    /// Stores when gateways last reported. $1 gateways, $2 times.
    static let writeGateways = Statement(
        """
        INSERT INTO presence.gateways AS g (gateway, heard_at)
        SELECT gateway, heard_at
        FROM unnest($1::text[], $2::bigint[]) AS heard (gateway, heard_at)
        ORDER BY gateway
        ON CONFLICT (gateway) DO UPDATE
        SET heard_at = GREATEST(g.heard_at, excluded.heard_at)
        """)

    /// Deletes gateways that have not reported since $1.
    static let forgetGateways = Statement(
        """
        DELETE FROM presence.gateways
        WHERE heard_at < $1
        """)

    /// Stores last-seen times, except those of erased accounts, and what was seen before blocks and hidings that fell
    /// into absences. $1 accounts, $2 times, $3 whether they came then; of each absence $4 account, $5 when it began,
    /// null: at the stored time, $6 when it ended.
    static let writeLastSeen = Statement(
        """
        WITH absences AS (
            SELECT absence.account, COALESCE(began, CASE WHEN NOT l.is_present THEN l.at END) AS began, ended
            FROM unnest($4::bigint[], $5::bigint[], $6::bigint[]) AS absence (account, began, ended)
            LEFT JOIN presence.last_seen AS l ON l.account = absence.account
            WHERE NOT EXISTS (SELECT FROM conversations.erased AS e WHERE e.account = absence.account)
        ), frozen AS (
            INSERT INTO presence.frozen (account, at, seen_at)
            SELECT absence.account, closed.at, min(absence.began)
            FROM absences AS absence
            CROSS JOIN LATERAL (
                SELECT at
                FROM conversations.blocked
                WHERE account = absence.account
                UNION ALL
                SELECT at
                FROM conversations.blocked
                WHERE blocked = absence.account
                UNION ALL
                SELECT unnest(ARRAY[hidden_at, hidden_from_accepted_at])
                FROM presence.people
                WHERE account = absence.account
            ) AS closed (at)
            WHERE closed.at > absence.began
                AND closed.at < absence.ended
            GROUP BY absence.account, closed.at
            ON CONFLICT (account, at) DO NOTHING
        )
        INSERT INTO presence.last_seen AS l (account, at, is_present)
        SELECT account, at, is_present
        FROM unnest($1::bigint[], $2::bigint[], $3::boolean[]) AS seen (account, at, is_present)
        WHERE NOT EXISTS (SELECT FROM conversations.erased AS e WHERE e.account = seen.account)
        ORDER BY account
        ON CONFLICT (account) DO UPDATE
        SET at = GREATEST(l.at, excluded.at),
            is_present = CASE WHEN excluded.at >= l.at THEN excluded.is_present ELSE l.is_present END
        """)
}
