CREATE OR REPLACE FUNCTION messaging.empty_expired(
    at_us bigint,
    after_at bigint,
    after_conversation bigint,
    after_seq bigint,
    most integer,
    of_conversation bigint DEFAULT NULL
) RETURNS TABLE (
    seen integer,
    emptied integer,
    last_at bigint,
    last_conversation bigint,
    last_seq bigint,
    passed_over bigint[]
)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    due_times bigint[];
    due_conversations bigint[];
    due_seqs bigint[];
    locked bigint[];
    done integer := 0;
BEGIN
    IF NOT pg_try_advisory_xact_lock({AdvisoryLock.retention}, hashtext('messaging')) THEN
        RETURN QUERY SELECT 0, 0, after_at, after_conversation, after_seq, '{}'::bigint[];
        RETURN;
    END IF;

    SELECT array_agg(d.expires_at), array_agg(d.conversation), array_agg(d.seq)
    INTO due_times, due_conversations, due_seqs
    FROM (
        SELECT m.expires_at, m.conversation, m.seq
        FROM messaging.messages AS m
        WHERE m.expires_at IS NOT NULL AND m.deleted_at IS NULL
            AND m.expires_at <= at_us
            AND (m.expires_at, m.conversation, m.seq) > (after_at, after_conversation, after_seq)
            AND (of_conversation IS NULL OR m.conversation = of_conversation)
        ORDER BY m.expires_at, m.conversation, m.seq
        LIMIT most
    ) AS d;
    IF due_seqs IS NULL THEN
        RETURN QUERY SELECT 0, 0, after_at, after_conversation, after_seq, '{}'::bigint[];
        RETURN;
    END IF;

    IF of_conversation IS NOT NULL THEN
        locked := ARRAY(
            SELECT h.conversation
            FROM messaging.heads AS h
            WHERE h.conversation = of_conversation
            FOR UPDATE);
    ELSE
        locked := ARRAY(
            SELECT h.conversation
            FROM messaging.heads AS h
            WHERE h.conversation = ANY (due_conversations)
            ORDER BY h.conversation
            FOR UPDATE SKIP LOCKED);
    END IF;

    PERFORM messaging.lock_words(locked);

    -- In a new snapshot, so that messages deleted or given another expires_at meanwhile are left alone.
    WITH said AS MATERIALIZED (
        SELECT m.conversation, m.seq, m.mentions, m.expires_at, m.row_id
        FROM unnest(due_conversations, due_seqs) AS d (conversation, seq)
        CROSS JOIN LATERAL (
            SELECT x.conversation, x.seq, x.mentions, x.expires_at, x.deleted_at, x.ctid AS row_id
            FROM messaging.messages AS x
            WHERE x.conversation = d.conversation AND x.seq BETWEEN d.seq AND d.seq
            ORDER BY x.seq
            LIMIT 1
        ) AS m
        WHERE d.conversation = ANY (locked) AND m.deleted_at IS NULL AND m.expires_at <= at_us
    ),
    cleared AS (
        UPDATE messaging.messages AS m
        SET text = '', extra = NULL, mentions = NULL, reactions = NULL, reaction_counts = NULL, forwarded_from = NULL,
            time_zone = NULL, edited_at = NULL, deleted_at = s.expires_at
        FROM said AS s
        WHERE m.ctid = s.row_id
        RETURNING 1
    ),
    unrevised AS (
        DELETE FROM messaging.revisions AS r
        USING said AS s
        WHERE r.conversation = s.conversation AND r.seq BETWEEN s.seq AND s.seq
    ),
    unmentioned AS (
        DELETE FROM messaging.mentions AS n
        USING (SELECT unnest(mentions) AS account, conversation, seq FROM said) AS s
        WHERE n.account = s.account AND n.conversation = s.conversation AND n.seq BETWEEN s.seq AND s.seq
    ),
    unreacted AS (
        DELETE FROM messaging.reactions AS r
        USING said AS s
        WHERE r.conversation = s.conversation AND r.seq BETWEEN s.seq AND s.seq
    ),
    unsearched AS (
        DELETE FROM messaging.search AS w
        USING said AS s
        WHERE w.conversation = s.conversation AND w.seq BETWEEN s.seq AND s.seq
    ),
    unused AS (
        UPDATE messaging.attachments AS f
        SET unused_at = at_us
        FROM said AS s
        WHERE f.conversation = s.conversation AND f.seq BETWEEN s.seq AND s.seq
    )
    SELECT count(*)
    INTO done
    FROM cleared;

    RETURN QUERY
    SELECT cardinality(due_seqs), done, due_times[cardinality(due_seqs)], due_conversations[cardinality(due_seqs)],
        due_seqs[cardinality(due_seqs)],
        ARRAY(SELECT DISTINCT c FROM unnest(due_conversations) AS c WHERE c <> ALL (locked) ORDER BY c);
END
$$;
REVOKE ALL ON FUNCTION messaging.empty_expired(bigint, bigint, bigint, bigint, integer, bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.empty_expired(bigint, bigint, bigint, bigint, integer, bigint) IS
    'Empties messages that have disappeared by at_us, oldest first, after a position in that order. Conversations '
    'locked by others are skipped and returned in passed_over; a call for one conversation waits for its lock. '
    'Nothing is published: readers already treat these messages as deleted, by the clock. Threads keep counting them. '
    'One replica runs at a time; a concurrent call sees no messages.';
