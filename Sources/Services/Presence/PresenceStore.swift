import Postgres
import Schema

/// What another person may see of a person's presence.
struct Seen: Sendable {
    var account: AccountNumber
    var user: String
    /// Whether the other sees any of it (C6): if one of the two blocks the other, only what was before the block.
    var isVisible = true
    var lastSeenAt: Timestamp?
    /// Since when one of the two blocks the other; nil if neither does.
    var blockedAt: Timestamp?

    /// Whether the other sees who is online now.
    var isOpen: Bool { isVisible && blockedAt == nil }
}

/// All SQL of presence.
enum PresenceStore {
    /// The relation of two accounts, `me` and `u`. `b.at` is since when one of them blocks the other, and `d` is the
    /// state of their direct conversation. It is looked up by its id, so the cost does not depend on how many
    /// conversations they have.
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
            SELECT mine.may_read AND theirs.may_read
                    AND NOT mine.is_pending AND NOT theirs.is_pending
                    AND (b.at IS NOT NULL OR mine.may_write AND theirs.may_write) AS is_open,
                mine.is_in_inbox AND mine.is_pending AS is_asking
            FROM conversations.conversation_ids AS c
            CROSS JOIN LATERAL \(oneRow(
                "may_read, may_write, is_pending, is_in_inbox", from: "conversations.access",
                where: "conversation = c.conversation", by: "account", is: "me.account"
            )) AS mine
            CROSS JOIN LATERAL \(oneRow(
                "may_read, may_write, is_pending", from: "conversations.access",
                where: "conversation = c.conversation", by: "account", is: "u.account"
            )) AS theirs
            WHERE c.conversation_id = LEAST(me.user_id, u.user_id) || '_' || GREATEST(me.user_id, u.user_id)
        ) AS d ON true
        """

    /// Whether `me` may see `u` (C6), given the ``relation``. I may see myself, people with whom I have an accepted
    /// direct conversation (also after a block), and members of my groups. I may not see a recipient who has not
    /// accepted my message request, not even in a shared group.
    private static let isVisible =
        """
        (
            u.account = me.account
            OR d.is_asking IS NOT TRUE
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
                            AND c.kind = 2
                    )
                END
        )
        """

    /// What I may see of the given people; of those who do not exist, no row. $1 my account, $2 user ids.
    static let seen = Statement(
        """
        SELECT u.account, u.user_id, \(isVisible), l.at, b.at
        FROM conversations.account_ids AS u
        CROSS JOIN (
            SELECT account, user_id
            FROM conversations.account_ids
            WHERE account = $1
        ) AS me
        \(relation)
        LEFT JOIN presence.last_seen AS l ON l.account = u.account
        WHERE u.user_id = ANY ($2)
        """
    ) { row in try seen(row, at: 0) }

    /// What each watcher may now see of the account watched. $1 watched accounts, $2 the watcher of each.
    static let seenByWatchers = Statement(
        """
        SELECT me.account, u.account, u.user_id, \(isVisible), l.at, b.at
        FROM unnest($1::bigint[], $2::bigint[]) AS pair (watched, watcher)
        JOIN conversations.account_ids AS me ON me.account = pair.watcher
        JOIN conversations.account_ids AS u ON u.account = pair.watched
        \(relation)
        LEFT JOIN presence.last_seen AS l ON l.account = u.account
        """
    ) { row in (watcher: try row.account(0), seen: try seen(row, at: 1)) }

    private static func seen(_ row: borrowing RowReader, at column: Int) throws(DatabaseError) -> Seen {
        Seen(
            account: try row.account(column), user: try row.text(column + 1), isVisible: try row.bool(column + 2),
            lastSeenAt: try row.optionalTime(column + 3), blockedAt: try row.optionalTime(column + 4))
    }

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

    /// Stores last-seen times, except those of erased accounts. $1 accounts, $2 times.
    static let writeLastSeen = Statement(
        """
        INSERT INTO presence.last_seen AS l (account, at)
        SELECT account, at
        FROM unnest($1::bigint[], $2::bigint[]) AS seen (account, at)
        WHERE NOT EXISTS (SELECT FROM conversations.erased AS e WHERE e.account = seen.account)
        ORDER BY account
        ON CONFLICT (account) DO UPDATE
        SET at = GREATEST(l.at, excluded.at)
        """)
}
