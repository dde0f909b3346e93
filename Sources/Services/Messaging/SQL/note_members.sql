-- Anything that takes a position calls this first, so that whoever left before reads nothing of it.
CREATE OR REPLACE FUNCTION messaging.note_members(of_conversations bigint[], now_us bigint) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
    behind bigint[];
    since_versions bigint[];
BEGIN
    SELECT array_agg(h.conversation), array_agg(h.members_version)
    INTO behind, since_versions
    FROM unnest(of_conversations) AS l (conversation)
    JOIN messaging.heads AS h ON h.conversation = l.conversation
    JOIN conversations.conversation_ids AS c ON c.conversation = l.conversation
    WHERE h.members_version < c.members_version;
    IF behind IS NULL THEN
        RETURN;
    END IF;

    UPDATE messaging.heads AS h
    SET members_version = c.members_version
    FROM conversations.conversation_ids AS c
    WHERE h.conversation = ANY (behind) AND c.conversation = h.conversation;
    PERFORM messaging.keep_windows(behind, since_versions, now_us);
END
$$;
REVOKE ALL ON FUNCTION messaging.note_members(bigint[], bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.note_members(bigint[], bigint) IS
    'Keeps the ranges of members who joined or left conversations since the heads took a version of their members. The '
    'caller holds the heads. Costs two look-ups by key for each conversation in which nobody did.';
