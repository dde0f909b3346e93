import Postgres

/// A person whose presence the caller may see.
struct Seen: Sendable {
    var account: Int64
    var user: String
    var lastSeenAt: Int64?
    /// Since when one of the two blocks the other; nil: neither does.
    var blockedAt: Int64?
}

/// All SQL of presence.
enum PresenceStore {
    /// Of `me` and `u`, two accounts: `b.at`, since when one of them blocks the other, and `d`, what their direct
    /// conversation is to me. Looked up by its id, so that it costs the same however many they have.
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
                    AND mine.write_until_seq IS NULL AND theirs.write_until_seq IS NULL
                    AND (b.at IS NOT NULL OR mine.write_refusal = 0 AND theirs.write_refusal = 0) AS is_open,
                mine.place = 1 AND mine.write_until_seq IS NOT NULL AS is_asking
            FROM conversations.conversation_ids AS c
            CROSS JOIN LATERAL (
                SELECT may_read, write_refusal, write_until_seq, place
                FROM conversations.access
                WHERE conversation = c.conversation
                    AND account BETWEEN me.account AND me.account
                ORDER BY account
                LIMIT 1
            ) AS mine
            CROSS JOIN LATERAL (
                SELECT may_read, write_refusal, write_until_seq
                FROM conversations.access
                WHERE conversation = c.conversation
                    AND account BETWEEN u.account AND u.account
                ORDER BY account
                LIMIT 1
            ) AS theirs
            WHERE c.conversation_id = LEAST(me.user_id, u.user_id) || '_' || GREATEST(me.user_id, u.user_id)
        ) AS d ON true
        """

    /// Whether I may see them (C6), with the ``relation``: myself; who talks to me, or did until one of us blocked the
    /// other; and whom I share a group with. Never whom I have asked and who has not accepted me.
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
                        CROSS JOIN LATERAL (
                            SELECT conversation, may_read
                            FROM conversations.access
                            WHERE conversation = theirs.conversation
                                AND account BETWEEN me.account AND me.account
                            ORDER BY account
                            LIMIT 1
                        ) AS mine
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

    /// $1 my account, $2 user ids: those whom I may see. Whoever blocks me or whom I block, I see as they were then.
    static let visible = Statement(
        """
        SELECT u.account, u.user_id, l.at, b.at
        FROM conversations.account_ids AS u
        CROSS JOIN (
            SELECT account, user_id
            FROM conversations.account_ids
            WHERE account = $1
        ) AS me
        \(relation)
        LEFT JOIN presence.last_seen AS l ON l.account = u.account
        WHERE u.user_id = ANY ($2)
            AND \(isVisible)
        """
    ) { row in
        Seen(
            account: try row.int64(0), user: try row.text(1), lastSeenAt: try row.optionalInt64(2),
            blockedAt: try row.optionalInt64(3))
    }

    /// $1 accounts, $2 for each of them one who watches it: those pairs in which the second may be told of the first
    /// now.
    static let mayBeTold = Statement(
        """
        SELECT u.account, me.account
        FROM unnest($1::bigint[], $2::bigint[]) AS pair (watched, watcher)
        JOIN conversations.account_ids AS me ON me.account = pair.watcher
        JOIN conversations.account_ids AS u ON u.account = pair.watched
        \(relation)
        WHERE b.at IS NULL
            AND \(isVisible)
        """
    ) { row in (watched: try row.int64(0), watcher: try row.int64(1)) }

    /// $1 since when: those heard of.
    static let gateways = Statement(
        """
        SELECT gateway
        FROM presence.gateways
        WHERE heard_at >= $1
        ORDER BY gateway
        LIMIT 1000
        """
    ) { row in try row.text(0) }

    /// $1 gateways, $2 times.
    static let writeGateways = Statement(
        """
        INSERT INTO presence.gateways AS g (gateway, heard_at)
        SELECT gateway, heard_at
        FROM unnest($1::text[], $2::bigint[]) AS heard (gateway, heard_at)
        ORDER BY gateway
        ON CONFLICT (gateway) DO UPDATE
        SET heard_at = GREATEST(g.heard_at, excluded.heard_at)
        """)

    /// $1 until when: those not heard of since.
    static let forgetGateways = Statement(
        """
        DELETE FROM presence.gateways
        WHERE heard_at < $1
        """)

    /// $1 accounts, $2 times. Of who was erased nothing is kept any more.
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
