CREATE OR REPLACE FUNCTION messaging.reported_message(of_conversation bigint, of_seq bigint)
RETURNS TABLE (sender bigint, text text, is_deleted boolean)
LANGUAGE sql STABLE
AS $$
    SELECT m.sender, m.text, m.deleted_at IS NOT NULL
    FROM messaging.messages AS m
    WHERE m.conversation = of_conversation AND m.seq = of_seq
$$;
REVOKE ALL ON FUNCTION messaging.reported_message(bigint, bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.reported_message(bigint, bigint) IS
    'Returns what the operator sees of a message that somebody reported; no row if there is no such message.';
