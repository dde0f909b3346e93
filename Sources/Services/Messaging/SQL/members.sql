-- The members to whom the messages of a conversation are shown, with the first seq shown to each. What a member cleared
-- counts as shown, because others must not learn of it.
CREATE OR REPLACE FUNCTION messaging.members(of_conversation bigint)
RETURNS TABLE (account bigint, first_seq bigint)
LANGUAGE sql STABLE
AS $$
    SELECT a.account, CASE WHEN a.joined_version > h.members_version THEN h.seq + 1 ELSE coalesce(i.visible_from, 1) END
    FROM conversations.access AS a
    LEFT JOIN messaging.heads AS h ON h.conversation = a.conversation
    LEFT JOIN LATERAL (
        SELECT x.visible_from
        FROM messaging.inbox AS x
        WHERE x.account = a.account AND x.conversation BETWEEN of_conversation AND of_conversation
        ORDER BY x.conversation
        LIMIT 1
    ) AS i ON true
    WHERE a.conversation = of_conversation AND a.may_read
$$;
REVOKE ALL ON FUNCTION messaging.members(bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.members(bigint) IS
    'Returns the members who read new messages, with the first seq that is shown to each. Call it under the lock of '
    'the head if a message depends on it.';
