-- The other program of an upgrade calls it without a version: then the next change notes who left.
DROP FUNCTION IF EXISTS messaging.next_position(bigint);
CREATE OR REPLACE FUNCTION messaging.next_position(of_conversation bigint, seen_version bigint DEFAULT NULL)
RETURNS SETOF bigint
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
    since_version bigint;
BEGIN
    SELECT h.members_version INTO since_version
    FROM messaging.heads AS h
    WHERE h.conversation = of_conversation;
    IF since_version < seen_version THEN
        UPDATE messaging.heads AS h
        SET members_version = seen_version
        WHERE h.conversation = of_conversation;
        PERFORM messaging.keep_windows(
            ARRAY[of_conversation], ARRAY[since_version],
            (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
    END IF;
    RETURN QUERY
    UPDATE messaging.heads AS h
    SET position = h.position + 1
    WHERE h.conversation = of_conversation
    RETURNING h.position;
END
$$;
REVOKE ALL ON FUNCTION messaging.next_position(bigint, bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.next_position(bigint, bigint) IS
    'Takes the next position of a conversation''s stream for a change that goes to the members of a version. Whoever '
    'left up to that version reads nothing of the change; whoever left since then is one of those it goes to. Read the '
    'version in the same statement as the readers. No row: the conversation has no messages. The caller holds the '
    'head.';
