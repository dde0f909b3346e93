CREATE OR REPLACE FUNCTION messaging.unread(
    of_account bigint, of_conversation bigint, above bigint, up_to bigint, at_us bigint)
RETURNS TABLE (unread bigint, mentions bigint)
LANGUAGE sql STABLE
AS $$
    SELECT count(*), count(*) FILTER (WHERE CASE
            WHEN counted.edited_at IS NULL THEN of_account = ANY (counted.mentions)
            -- Of somebody who left before the edit, the table has the mentions of then.
            ELSE EXISTS (
                SELECT
                FROM messaging.mentions AS n
                WHERE n.account = of_account AND n.conversation = of_conversation
                    AND n.seq BETWEEN counted.seq AND counted.seq
            )
        END AND (counted.sender = ANY (ARRAY(
            SELECT b.blocked
            FROM conversations.blocked AS b
            WHERE b.account = of_account
        ))) IS NOT TRUE)
    FROM (
        SELECT m.seq, m.mentions, m.sender, m.edited_at
        FROM messaging.messages AS m
        WHERE m.conversation = of_conversation
            AND m.seq BETWEEN greatest(above, up_to - 10000) + 1 AND up_to
            AND m.kind <> {MessageKind.system}
            AND m.sender IS DISTINCT FROM of_account
            AND m.deleted_at IS NULL
            AND (m.expires_at IS NULL OR m.expires_at > at_us)
            AND m.seq NOT IN (
                SELECT f.seq
                FROM messaging.message_states AS f
                WHERE f.account = of_account AND f.conversation = of_conversation
                    AND f.seq BETWEEN greatest(above, up_to - 10000) + 1 AND up_to
                    AND f.hidden_at IS NOT NULL
            )
        ORDER BY m.seq
        LIMIT 1000
    ) AS counted
$$;
REVOKE ALL ON FUNCTION messaging.unread(bigint, bigint, bigint, bigint, bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.unread(bigint, bigint, bigint, bigint, bigint) IS
    'Counts the messages above one seq and up to another that a person has not read, and those that mention them '
    '(M7), unless by somebody whom they block. Counts other people''s messages that are not deleted, had not '
    'disappeared at at_us and are not hidden from the person; no system messages. Counts at most 1,000, among the '
    'newest 10,000.';
