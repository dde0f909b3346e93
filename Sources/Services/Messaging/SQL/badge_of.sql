-- Published to notifications, with the rights of messaging: the one count for an app's icon.
CREATE OR REPLACE FUNCTION messaging.badge_of(of_account bigint, at_us bigint)
RETURNS TABLE (badge bigint, conversations bigint, mentions bigint)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog
AS $$
    SELECT COALESCE(sum(r.unread), 0)::bigint, count(*) FILTER (WHERE r.unread > 0),
        COALESCE(sum(r.mentions), 0)::bigint
    FROM (
        SELECT GREATEST(n.unread, CASE WHEN i.marked_unread THEN 1 ELSE 0 END) AS unread, n.mentions
        FROM (
            SELECT b.*, w.first_seq, w.last_seq
            FROM messaging.inbox AS b
            CROSS JOIN LATERAL messaging.window(of_account, b.conversation) AS w
            WHERE b.account = of_account
                AND (b.muted_until IS NULL OR b.muted_until <= at_us)
                AND w.is_in_inbox
        ) AS i
        LEFT JOIN LATERAL messaging.unread(
            of_account, i.conversation, GREATEST(i.read_seq, i.first_seq - 1), i.last_seq, at_us) AS n
            ON i.read_seq < i.last_seq
        WHERE (i.marked_unread OR i.read_seq < i.last_seq)
            AND NOT (
                i.archived_at IS NOT NULL
                AND (
                    i.last_seq <= i.archived_seq
                    OR COALESCE((
                        SELECT m.sent_at
                        FROM messaging.messages AS m
                        WHERE m.conversation = i.conversation AND m.seq BETWEEN i.last_seq AND i.last_seq
                        ORDER BY m.seq
                        LIMIT 1
                    ) <= i.muted_until, false)
                )
            )
    ) AS r
$$;
REVOKE ALL ON FUNCTION messaging.badge_of(bigint, bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.badge_of(bigint, bigint) IS
    'Counts a person''s unread messages, the conversations that have them, and mentions in the inbox, except archived '
    'and muted conversations (M7). Reads each of the person''s conversations.';
GRANT EXECUTE ON FUNCTION messaging.badge_of(bigint, bigint) TO parley_notifications;
