CREATE OR REPLACE FUNCTION messaging.readers(
    of_conversation bigint, of_seq bigint, OUT readers bigint[], OUT others bigint[])
LANGUAGE sql STABLE
AS $$
    SELECT coalesce(array_agg(m.account) FILTER (WHERE of_seq = 0 OR of_seq >= m.first_seq), '{}'),
        coalesce(array_agg(m.account) FILTER (WHERE of_seq <> 0 AND of_seq < m.first_seq), '{}')
    FROM messaging.members(of_conversation) AS m
$$;
REVOKE ALL ON FUNCTION messaging.readers(bigint, bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.readers(bigint, bigint) IS
    'Returns the members to whom a message is shown, and the others, who joined after it; seq 0: all are readers. '
    'Call it under the lock of the head.';
