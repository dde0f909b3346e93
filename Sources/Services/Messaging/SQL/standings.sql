-- Published to notifications.
CREATE OR REPLACE VIEW messaging.standings AS
SELECT w.account, w.conversation, w.is_shown, w.is_pending, w.section, w.retention_us,
    coalesce(i.read_seq, 0) AS read_seq, coalesce(i.muted_until, 0) AS muted_until,
    i.archived_at IS NOT NULL AS is_archived, coalesce(i.archived_seq, 0) AS archived_seq
FROM messaging.windows AS w
LEFT JOIN LATERAL (
    SELECT x.read_seq, x.muted_until, x.archived_at, x.archived_seq
    FROM messaging.inbox AS x
    WHERE x.account = w.account AND x.conversation BETWEEN w.conversation AND w.conversation
    ORDER BY x.conversation
    LIMIT 1
) AS i ON true;
COMMENT ON VIEW messaging.standings IS
    'What decides whether a person is told of messages of a conversation: how far they read it, and whether it is '
    'muted or archived. Query with conversation = and with account BETWEEN itself and itself, so that the primary key '
    'is used.';
GRANT SELECT ON messaging.standings TO parley_notifications;
