CREATE OR REPLACE FUNCTION messaging.find_words(
    of_account bigint,
    at_us bigint,
    conversations bigint[],
    lows bigint[],
    highs bigint[],
    queries text[],
    by_sender bigint,
    of_kind smallint,
    from_us bigint,
    before_us bigint,
    before_conversation bigint,
    before_seq bigint,
    most integer
) RETURNS TABLE (conversation bigint, seq bigint, sent_at bigint)
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = on
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    here bigint;
    low bigint;
    high bigint;
    words tsquery;
BEGIN
    FOR unit IN 1 .. cardinality(conversations) LOOP
        here := conversations[unit];
        low := lows[unit];
        high := highs[unit];
        words := queries[unit]::tsquery;
        RETURN QUERY
        SELECT here, m.seq, m.sent_at
        FROM (
            -- No condition is on a column of the primary key, so that only the index of words is used.
            SELECT s.seq
            FROM messaging.search AS s
            WHERE s.document @@ words AND s.seq + 0 BETWEEN low AND high
            ORDER BY s.seq DESC
            OFFSET 0
        ) AS w
        CROSS JOIN LATERAL (
            SELECT x.*
            FROM messaging.messages AS x
            WHERE x.conversation = here AND x.seq BETWEEN w.seq AND w.seq
            ORDER BY x.seq
            LIMIT 1
        ) AS m
        WHERE m.deleted_at IS NULL
            AND m.sent_at BETWEEN from_us AND before_us
            AND (m.sent_at, here, m.seq) < (before_us, before_conversation, before_seq)
            AND (m.expires_at IS NULL OR m.expires_at > at_us)
            AND (by_sender = 0 OR m.sender = by_sender)
            AND (of_kind = 0 OR m.kind = of_kind)
            AND NOT EXISTS (
                SELECT
                FROM messaging.message_states AS f
                WHERE f.account = of_account AND f.conversation = here AND f.seq BETWEEN m.seq AND m.seq
                    AND f.hidden_at IS NOT NULL
            )
        ORDER BY w.seq DESC
        LIMIT most;
    END LOOP;
END
$$;
REVOKE ALL ON FUNCTION messaging.find_words(
    bigint, bigint, bigint[], bigint[], bigint[], text[], bigint, smallint, bigint, bigint, bigint, bigint, integer)
FROM PUBLIC;
COMMENT ON FUNCTION messaging.find_words(
    bigint, bigint, bigint[], bigint[], bigint[], text[], bigint, smallint, bigint, bigint, bigint, bigint, integer) IS
    'Returns, for each range of seqs within one block of a conversation, the newest messages that match a query and '
    'come before a position in the order of sent_at, conversation, seq. Leaves out hidden, deleted and disappeared '
    'messages. The caller has checked that the person may read these ranges. by_sender and of_kind 0: any.';
