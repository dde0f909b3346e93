-- What one person sees of one conversation. PostgreSQL puts the query in the place of the call, so it costs three
-- look-ups by key.
CREATE OR REPLACE FUNCTION messaging.window(reader bigint, of_conversation bigint)
RETURNS TABLE (
    conversation bigint,
    is_shown boolean,
    may_act boolean,
    is_former boolean,
    is_in_inbox boolean,
    is_gone boolean,
    may_write boolean,
    refusal text,
    is_pending boolean,
    role smallint,
    section smallint,
    first_seq bigint,
    last_seq bigint,
    last_position bigint,
    first_position bigint,
    retention_us bigint
)
LANGUAGE sql STABLE
AS $$
    SELECT w.conversation, w.is_shown, w.may_act, w.is_former, w.is_in_inbox, w.is_gone, w.may_write, w.refusal,
        w.is_pending, w.role, w.section, w.first_seq, w.last_seq, w.last_position, w.first_position, w.retention_us
    FROM messaging.windows AS w
    WHERE w.conversation = of_conversation AND w.account BETWEEN reader AND reader
    ORDER BY w.account
    LIMIT 1
$$;
REVOKE ALL ON FUNCTION messaging.window(bigint, bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.window(bigint, bigint) IS
    'Returns the row of messaging.windows of a person and a conversation; none for a person who never was a member.';
