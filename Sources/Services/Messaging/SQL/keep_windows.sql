-- Gives the inbox rows of members who joined or left the range of messages that they may read. Members who joined up to
-- the version that the head has just taken read from its next seq, and those who left up to it read up to its seq.
-- Members who joined or left even later are handled next time.
CREATE OR REPLACE FUNCTION messaging.keep_windows(
    of_conversations bigint[], since_versions bigint[], now_us bigint) RETURNS bigint[]
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
    behind CONSTANT bigint[] := ARRAY(
        SELECT l.conversation
        FROM unnest(of_conversations, since_versions) AS l (conversation, version)
        JOIN messaging.heads AS h ON h.conversation = l.conversation
        WHERE h.members_version > l.version);
BEGIN
    INSERT INTO messaging.inbox AS i
        (account, conversation, touched_at, news_at, visible_from, visible_to, visible_position, visible_retention_us)
    SELECT a.account, a.conversation, now_us, now_us,
        CASE WHEN a.joined_version > l.version THEN h.seq + 1 ELSE 1 END,
        CASE WHEN a.left_version <= h.members_version THEN h.seq END,
        CASE WHEN a.left_version <= h.members_version THEN h.position END,
        CASE WHEN a.left_version <= h.members_version THEN h.retention_us END
    FROM unnest(of_conversations, since_versions) AS l (conversation, version)
    JOIN messaging.heads AS h ON h.conversation = l.conversation
    JOIN conversations.access AS a ON a.conversation = l.conversation
    WHERE l.conversation = ANY (behind)
        AND a.joined_version <= h.members_version
        AND (
            a.joined_version > l.version
            OR a.left_version > l.version AND a.left_version <= h.members_version
        )
        AND NOT EXISTS (SELECT FROM conversations.erased AS e WHERE e.account = a.account)
    ORDER BY a.conversation, a.account
    ON CONFLICT (account, conversation) DO UPDATE
    SET touched_at = excluded.touched_at,
        news_at = excluded.news_at,
        visible_from = greatest(i.visible_from, excluded.visible_from),
        visible_to = excluded.visible_to,
        visible_position = excluded.visible_position,
        visible_retention_us = excluded.visible_retention_us,
        renewed_position = NULL;
    RETURN behind;
END
$$;
REVOKE ALL ON FUNCTION messaging.keep_windows(bigint[], bigint[], bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.keep_windows(bigint[], bigint[], bigint) IS
    'Keeps the ranges of members who joined or left a conversation since a version of its members. The caller holds '
    'the heads, which have taken a new version. Returns the conversations in which someone did.';
