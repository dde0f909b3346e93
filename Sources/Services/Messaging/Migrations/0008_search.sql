-- Search (M15): which words stand in which message. Words are made by the service (SearchRules), not by a text search
-- configuration: for all languages the same, and the same for what is searched for.

CREATE TABLE messaging.search (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    document tsvector NOT NULL,
    PRIMARY KEY (conversation, seq)
);
COMMENT ON TABLE messaging.search IS
    'The words of messages, for finding them; follows the messages within a second, and goes when they do.';
COMMENT ON COLUMN messaging.search.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.search.seq IS 'The message.';
COMMENT ON COLUMN messaging.search.document IS
    'Its words, each behind CONVERSATION.BLOCK. in hexadecimal, where BLOCK is seq >> 12: so a search costs what there is '
    'in the conversations it looks into, however often others say the same.';
-- Every search would read the whole list of what is pending.
CREATE INDEX search_words ON messaging.search USING gin (document) WITH (fastupdate = off);

CREATE TABLE messaging.search_backlog (
    conversation bigint PRIMARY KEY,
    seq bigint NOT NULL
);
COMMENT ON TABLE messaging.search_backlog IS
    'Conversations with messages from before there was search (or that were brought in): their words are still to be '
    'noted, newest first. A row goes when it is done.';
COMMENT ON COLUMN messaging.search_backlog.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.search_backlog.seq IS 'Messages up to here are still to be noted.';

-- In this order: what is sent between the two is noted twice rather than never.
INSERT INTO messaging.followed (source, lane, number)
SELECT 'messaging', l.lane, l.number
FROM messaging.lanes AS l;

INSERT INTO messaging.search_backlog (conversation, seq)
SELECT h.conversation, h.seq
FROM messaging.heads AS h
WHERE h.seq > 0;

CREATE FUNCTION messaging.lock_words(of_conversations bigint[]) RETURNS void
LANGUAGE sql VOLATILE
AS $$
    SELECT count(pg_advisory_xact_lock(7307, l.key))
    FROM (
        SELECT DISTINCT hashint8(c) AS key
        FROM unnest(of_conversations) AS c
        ORDER BY 1
    ) AS l
$$;
REVOKE ALL ON FUNCTION messaging.lock_words(bigint[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.lock_words(bigint[]) IS
    'Whoever writes or deletes rows of search calls it first, in a statement of its own, and reads the messages after it: so '
    'nobody notes the words of a message whose deletion another has dealt with already. Nobody else waits for it.';

CREATE FUNCTION messaging.find_words(
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
    asked tsquery;
BEGIN
    FOR unit IN 1 .. cardinality(conversations) LOOP
        here := conversations[unit];
        low := lows[unit];
        high := highs[unit];
        asked := queries[unit]::tsquery;
        RETURN QUERY
        SELECT here, m.seq, m.sent_at
        FROM (
            -- Only the index of words serves it: its key is not named.
            SELECT s.seq
            FROM messaging.search AS s
            WHERE s.document @@ asked AND s.seq + 0 BETWEEN low AND high
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
                FROM messaging.flags AS f
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
    'Of each stretch of seqs, within one block of a conversation, the newest messages with certain words that somebody may '
    'read, that were not hidden, deleted or gone, and that come before a place in the order of sent_at, conversation, seq. '
    'Whether they may read there, and how far, the caller has looked up. by_sender and of_kind 0: any.';
