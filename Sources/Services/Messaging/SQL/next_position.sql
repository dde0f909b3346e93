CREATE OR REPLACE FUNCTION messaging.next_position(of_conversation bigint) RETURNS SETOF bigint
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM messaging.note_members(
        ARRAY[of_conversation], (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
    RETURN QUERY
    UPDATE messaging.heads AS h
    SET position = h.position + 1
    WHERE h.conversation = of_conversation
    RETURNING h.position;
END
$$;
REVOKE ALL ON FUNCTION messaging.next_position(bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.next_position(bigint) IS
    'Takes the next position of a conversation''s stream, for a change that whoever left before must not see. No row: '
    'the conversation has no messages. The caller holds the head.';
