-- Published to entities and notifications. Leaves out messages that were deleted, have disappeared or were hidden.
CREATE OR REPLACE VIEW messaging.readable AS
SELECT w.account, m.conversation, m.seq, m.id, m.sender, m.kind, m.text, m.sent_at, m.position,
    m.time_zone, m.expires_at, m.mentions, m.reply_to_seq, m.edited_at
FROM messaging.windows AS w
JOIN messaging.messages AS m ON m.conversation = w.conversation
WHERE w.is_shown
    AND m.seq BETWEEN w.first_seq AND w.last_seq
    AND m.deleted_at IS NULL
    AND (m.expires_at IS NULL OR m.expires_at > extract(epoch FROM now()) * 1000000)
    AND NOT EXISTS (
        SELECT
        FROM messaging.message_states AS f
        WHERE f.account = w.account AND f.conversation = m.conversation AND f.seq BETWEEN m.seq AND m.seq
            AND f.hidden_at IS NOT NULL
    );
COMMENT ON VIEW messaging.readable IS
    'Messages, with the accounts that may read them. Query with conversation = and with account BETWEEN itself and '
    'itself, so that the primary key is used.';
GRANT SELECT ON messaging.readable TO parley_entities, parley_notifications;
