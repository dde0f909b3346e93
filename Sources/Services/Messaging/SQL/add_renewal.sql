-- Deletion and disappearing reach former members too, of whom no Update of the conversation's stream tells.
CREATE OR REPLACE FUNCTION messaging.add_renewal(of_conversation bigint, from_seq bigint, to_seq bigint) RETURNS void
LANGUAGE sql VOLATILE
AS $$
    INSERT INTO messaging.renewal_jobs AS j (conversation, first_seq, last_seq)
    SELECT of_conversation, from_seq, to_seq
    WHERE EXISTS (
        SELECT
        FROM conversations.access AS a
        WHERE a.conversation = of_conversation AND a.left_version IS NOT NULL
    )
    ON CONFLICT (conversation) DO UPDATE
    SET first_seq = least(j.first_seq, excluded.first_seq),
        last_seq = greatest(j.last_seq, excluded.last_seq),
        next_account = 0
$$;
REVOKE ALL ON FUNCTION messaging.add_renewal(bigint, bigint, bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.add_renewal(bigint, bigint, bigint) IS
    'Notes that messages were deleted, or disappear at other times, for the devices of former members who may read '
    'one of them. Writes nothing if nobody has left. The caller holds the head.';
