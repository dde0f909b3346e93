-- Message requests, the inbox by places, and people who had themselves erased.

-- ---------------------------------------------------------------------------------------------------------------------
-- Sending, as in 0002. New: what is said while somebody is asked whether they will talk is journaled as kind 2, so that
-- conversations, which shows them the request at its first message, reads no others; who is asked is refused like a
-- stranger until then; and of who was erased no window is kept.

CREATE OR REPLACE FUNCTION messaging.send_batch(
    batch_lane integer,
    batch_at bigint,
    batch_conversations bigint[],
    batch_senders bigint[],
    batch_ids uuid[],
    batch_kinds smallint[],
    batch_texts text[]
) RETURNS TABLE (
    ordinal integer,
    outcome smallint,
    seq bigint,
    "position" bigint,
    sent_at bigint,
    number bigint,
    audience bigint[]
)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_sort = off
SET enable_incremental_sort = off
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    touch_after_us CONSTANT bigint := 10000000;
    -- Whoever syncs or follows compares with this clock, whichever replica wrote.
    now_us CONSTANT bigint := date_part('epoch', clock_timestamp()) * 1000000;
    locked bigint[];
    locked_seqs bigint[];
    locked_positions bigint[];
    locked_versions bigint[];
    absent bigint[];
    last_number bigint;
    told bigint;
    behind bigint[];
    again integer[];
BEGIN
    SELECT l.number
    INTO STRICT last_number
    FROM messaging.lanes AS l
    WHERE l.lane = batch_lane;

    SELECT array_agg(h.conversation), array_agg(h.seq), array_agg(h.position), array_agg(h.members_version)
    INTO locked, locked_seqs, locked_positions, locked_versions
    FROM (
        SELECT conversation, seq, position, members_version
        FROM messaging.heads
        WHERE conversation = ANY (batch_conversations)
        ORDER BY conversation
        FOR UPDATE SKIP LOCKED
    ) AS h;

    -- Some are locked by others, or have no head yet. A head is made only for who may write, and never by waiting for
    -- another who makes it: an insert waits, so it goes under an advisory lock that is tried.
    IF coalesce(cardinality(locked), 0) < (SELECT count(DISTINCT c) FROM unnest(batch_conversations) AS c) THEN
        SELECT array_agg(DISTINCT i.conversation)
        INTO absent
        FROM unnest(batch_conversations) AS i (conversation)
        WHERE NOT EXISTS (SELECT FROM messaging.heads AS h WHERE h.conversation = i.conversation);

        IF absent IS NOT NULL THEN
            INSERT INTO messaging.heads (conversation)
            SELECT e.conversation
            FROM (
                SELECT DISTINCT i.conversation
                FROM unnest(batch_conversations, batch_senders) AS i (conversation, sender)
                WHERE i.conversation = ANY (absent)
                    AND (
                        i.sender = 0
                        OR (
                            SELECT max(a.write_refusal) FILTER (WHERE a.account = i.sender)
                            FROM conversations.access AS a
                            WHERE a.conversation = i.conversation
                        ) = 0
                    )
                ORDER BY i.conversation
                OFFSET 0
            ) AS e
            WHERE pg_try_advisory_xact_lock(7303, hashint8(e.conversation))
            ON CONFLICT DO NOTHING;

            SELECT array_agg(h.conversation), array_agg(h.seq), array_agg(h.position), array_agg(h.members_version)
            INTO locked, locked_seqs, locked_positions, locked_versions
            FROM (
                SELECT conversation, seq, position, members_version
                FROM messaging.heads
                WHERE conversation = ANY (batch_conversations)
                ORDER BY conversation
                FOR UPDATE SKIP LOCKED
            ) AS h;
        END IF;
    END IF;

    RETURN QUERY
    WITH talk AS MATERIALIZED (
        SELECT l.conversation, l.seq, l.position, m.accounts, m.refusals, m.until_seq, m.readers, m.version,
            m.version > l.version AS is_behind
        FROM unnest(locked, locked_seqs, locked_positions, locked_versions) AS l (conversation, seq, position, version)
        CROSS JOIN LATERAL (
            SELECT array_agg(a.account) AS accounts,
                array_agg(a.write_refusal) AS refusals,
                min(a.write_until_seq) AS until_seq,
                array_agg(a.account) FILTER (WHERE a.may_read) AS readers,
                coalesce(max(greatest(a.joined_version, a.left_version)), 1) AS version
            FROM conversations.access AS a
            WHERE a.conversation = l.conversation
        ) AS m
    ),
    -- FULL, because it cannot become a nested loop over both lists; no row is without an item.
    asked AS (
        SELECT i.ordinal, i.conversation, i.sender, i.id, i.kind, i.text,
            t.conversation IS NOT NULL AS is_locked,
            t.seq AS head_seq, t.position AS head_position, t.until_seq, t.readers,
            t.refusals[array_position(t.accounts, i.sender)] AS refusal
        FROM unnest(batch_conversations, batch_senders, batch_ids, batch_kinds, batch_texts)
            WITH ORDINALITY AS i (conversation, sender, id, kind, text, ordinal)
        FULL JOIN (
            SELECT *
            FROM talk
            WHERE NOT is_behind
        ) AS t ON t.conversation = i.conversation
    ),
    ruled AS (
        SELECT a.*, s.seq AS stored_seq, s.position AS stored_position, s.sent_at AS stored_at,
            CASE
                WHEN NOT a.is_locked THEN
                    CASE WHEN a.conversation = ANY (locked) THEN 2
                    WHEN a.conversation = ANY (absent) AND a.sender <> 0 THEN coalesce((
                        SELECT (ARRAY[2, 3, 4, 3])[max(x.write_refusal) FILTER (WHERE x.account = a.sender) + 1]
                        FROM conversations.access AS x
                        WHERE x.conversation = a.conversation), 3)
                    ELSE 2 END
                WHEN s.sender = a.sender THEN 1
                -- Who is asked is shown nothing before the first message: they are refused like anybody else.
                WHEN a.refusal = 1 AND a.head_seq = 0 THEN 3
                WHEN a.refusal = 0 THEN CASE WHEN s.seq IS NULL THEN 0 ELSE 6 END
                WHEN a.sender = 0 AND a.kind = 6 THEN
                    CASE WHEN s.seq IS NULL THEN 0 WHEN s.sender IS NULL THEN 1 ELSE 6 END
                ELSE coalesce((ARRAY[0, 5, 4, 3])[a.refusal + 1], 3)
            END AS outcome
        FROM asked AS a
        LEFT JOIN LATERAL (
            SELECT m.seq, m.sender, m.position, m.sent_at
            FROM messaging.messages AS m
            WHERE m.conversation = a.conversation AND m.id BETWEEN a.id AND a.id
            ORDER BY m.id
            LIMIT 1
        ) AS s ON a.is_locked
    ),
    -- The first of the same id in this batch stands; the others are its duplicates.
    singled AS (
        SELECT r.*,
            first_value(r.ordinal) OVER same_id AS first_ordinal,
            first_value(r.sender) OVER same_id AS first_sender
        FROM ruled AS r
        WINDOW same_id AS (PARTITION BY r.conversation, r.id ORDER BY r.outcome, r.ordinal)
    ),
    counted AS (
        SELECT s.*,
            s.outcome = 0 AND s.first_ordinal = s.ordinal AS is_new,
            count(*) FILTER (WHERE s.outcome = 0 AND s.first_ordinal = s.ordinal) OVER (
                PARTITION BY s.conversation ORDER BY s.ordinal ROWS UNBOUNDED PRECEDING) AS nth
        FROM singled AS s
    ),
    item AS MATERIALIZED (
        SELECT c.ordinal, c.conversation, c.sender, c.id, c.kind, c.text,
            c.is_new AND (c.until_seq IS NULL OR c.head_seq + c.nth <= c.until_seq) AS accepted,
            CASE
                WHEN c.is_new AND c.head_seq + c.nth > c.until_seq THEN 7
                WHEN c.outcome = 0 AND NOT c.is_new AND c.first_sender <> c.sender THEN 6
                ELSE c.outcome
            END AS outcome,
            CASE WHEN c.outcome = 0 AND NOT c.is_new AND c.first_sender = c.sender THEN c.first_ordinal END AS same_as,
            CASE WHEN c.outcome = 1 THEN c.stored_seq ELSE c.head_seq + c.nth END AS seq,
            CASE WHEN c.outcome = 1 THEN c.stored_position ELSE c.head_position + c.nth END AS position,
            CASE WHEN c.outcome = 1 THEN c.stored_at ELSE batch_at END AS sent_at,
            c.nth,
            last_number
                + count(*) FILTER (WHERE c.is_new AND (c.until_seq IS NULL OR c.head_seq + c.nth <= c.until_seq))
                    OVER (ORDER BY c.conversation, c.ordinal ROWS UNBOUNDED PRECEDING) AS number,
            c.readers, c.until_seq
        FROM counted AS c
    ),
    stored AS (
        INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position)
        SELECT i.conversation, i.seq, i.id, nullif(i.sender, 0), i.kind, i.text, i.sent_at, i.position
        FROM item AS i
        WHERE i.accepted
    ),
    -- A head that is behind moves to the version seen here, and no further.
    latest AS MATERIALIZED (
        SELECT i.conversation, max(i.seq) AS seq, max(i.position) AS position, NULL::bigint AS version
        FROM item AS i
        WHERE i.accepted
        GROUP BY i.conversation
        UNION ALL
        SELECT t.conversation, t.seq, t.position, t.version
        FROM talk AS t
        WHERE t.is_behind
    ),
    advanced AS (
        UPDATE messaging.heads AS h
        SET seq = t.seq, position = t.position, members_version = coalesce(t.version, h.members_version)
        FROM latest AS t
        WHERE h.conversation = t.conversation
    ),
    touched AS (
        INSERT INTO messaging.inbox (account, conversation, touched_at)
        SELECT r.account, r.conversation, now_us
        FROM (
            SELECT i.conversation, unnest(i.readers) AS account
            FROM item AS i
            WHERE i.accepted AND i.nth = 1
        ) AS r
        LEFT JOIN LATERAL (
            SELECT b.touched_at
            FROM messaging.inbox AS b
            WHERE b.account = r.account AND b.conversation BETWEEN r.conversation AND r.conversation
            ORDER BY b.conversation
            LIMIT 1
        ) AS b ON true
        WHERE b.touched_at IS NULL OR b.touched_at < now_us - touch_after_us
        ON CONFLICT (account, conversation) DO UPDATE
        SET touched_at = excluded.touched_at
    ),
    published AS (
        SELECT min(j.number) AS first_number, max(j.number) AS last_used,
            array_agg(j.kind) AS kinds,
            array_agg(j.conversation) AS subjects,
            array_agg(j.seq) AS objects,
            array_agg(j.position) AS positions,
            array_agg(j.audience_count) AS audience_counts
        FROM (
            SELECT i.number, i.conversation, i.seq, i.position,
                (CASE WHEN i.until_seq IS NULL THEN 1 ELSE 2 END)::smallint AS kind,
                (CASE WHEN i.nth = 1 THEN coalesce(cardinality(i.readers), 0) ELSE -1 END)::smallint AS audience_count
            FROM item AS i
            WHERE i.accepted
            ORDER BY i.number
        ) AS j
    ),
    numbered AS (
        UPDATE messaging.lanes AS l
        SET number = p.last_used
        FROM published AS p
        WHERE l.lane = batch_lane AND p.last_used IS NOT NULL
    ),
    journaled AS (
        INSERT INTO messaging.journal
            (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
        SELECT batch_lane, p.first_number, now_us, p.kinds, p.subjects, p.objects, p.positions, p.audience_counts,
            ARRAY(SELECT unnest(i.readers) FROM item AS i WHERE i.accepted AND i.nth = 1)
        FROM published AS p
        WHERE p.last_used IS NOT NULL
    )
    SELECT i.ordinal::integer,
        (CASE WHEN f.accepted THEN 1 WHEN f.ordinal IS NOT NULL THEN f.outcome ELSE i.outcome END)::smallint,
        CASE WHEN i.accepted OR i.outcome = 1 THEN i.seq WHEN f.accepted THEN f.seq END,
        CASE WHEN i.accepted OR i.outcome = 1 THEN i.position WHEN f.accepted THEN f.position END,
        CASE WHEN i.accepted OR i.outcome = 1 THEN i.sent_at WHEN f.accepted THEN f.sent_at END,
        CASE WHEN i.accepted THEN i.number END,
        CASE WHEN i.accepted AND i.nth = 1 THEN i.readers END
    FROM item AS i
    LEFT JOIN LATERAL (
        SELECT o.*
        FROM item AS o
        WHERE i.same_as IS NOT NULL AND o.ordinal = i.same_as
        LIMIT 1
    ) AS f ON true
    WHERE i.outcome <> 2 OR (i.conversation = ANY (locked)) IS NOT TRUE;

    GET DIAGNOSTICS told = ROW_COUNT;
    IF told = cardinality(batch_conversations) THEN
        RETURN;
    END IF;

    -- Somebody came or went (rare). Who joined up to the version that the head has just taken reads from its next seq,
    -- who left up to it reads no further than its seq; those who came or went even later are for the next time. Then
    -- what was left out is sent.
    behind := ARRAY(
        SELECT l.conversation
        FROM unnest(locked, locked_versions) AS l (conversation, version)
        JOIN messaging.heads AS h ON h.conversation = l.conversation
        WHERE h.members_version > l.version);

    INSERT INTO messaging.inbox AS i (account, conversation, touched_at, visible_from, visible_to, visible_position)
    SELECT a.account, a.conversation, now_us,
        CASE WHEN a.joined_version > l.version THEN h.seq + 1 ELSE 1 END,
        CASE WHEN a.left_version <= h.members_version THEN h.seq END,
        CASE WHEN a.left_version <= h.members_version THEN h.position END
    FROM unnest(locked, locked_versions) AS l (conversation, version)
    JOIN messaging.heads AS h ON h.conversation = l.conversation
    JOIN conversations.access AS a ON a.conversation = l.conversation
    WHERE l.conversation = ANY (behind)
        AND a.joined_version <= h.members_version
        AND (
            a.joined_version > l.version
            OR a.left_version > l.version AND a.left_version <= h.members_version
        )
        AND NOT EXISTS (SELECT FROM conversations.erased AS e WHERE e.account = a.account)
    ORDER BY a.conversation, a.account
    ON CONFLICT (account, conversation) DO UPDATE
    SET touched_at = excluded.touched_at,
        visible_from = greatest(i.visible_from, excluded.visible_from),
        visible_to = excluded.visible_to,
        visible_position = excluded.visible_position;

    again := ARRAY(
        SELECT o FROM generate_subscripts(batch_conversations, 1) AS o WHERE batch_conversations[o] = ANY (behind));
    RETURN QUERY
    SELECT again[s.ordinal], s.outcome, s.seq, s.position, s.sent_at, s.number, s.audience
    FROM messaging.send_batch(
        batch_lane, batch_at,
        ARRAY(SELECT batch_conversations[o] FROM unnest(again) AS o),
        ARRAY(SELECT batch_senders[o] FROM unnest(again) AS o),
        ARRAY(SELECT batch_ids[o] FROM unnest(again) AS o),
        ARRAY(SELECT batch_kinds[o] FROM unnest(again) AS o),
        ARRAY(SELECT batch_texts[o] FROM unnest(again) AS o)) AS s;
END
$$;
REVOKE ALL ON FUNCTION messaging.send_batch(integer, bigint, bigint[], bigint[], uuid[], smallint[], text[])
FROM PUBLIC;
COMMENT ON FUNCTION messaging.send_batch(integer, bigint, bigint[], bigint[], uuid[], smallint[], text[]) IS
    'Stores a batch of messages; sender 0: the system. Outcomes: 0 accepted, 1 duplicate, 2 locked by another (next '
    'batch), 3 not_member, 4 user_blocked, 5 accept_first, 6 id_in_use, 7 too many for a pending request. Numbers are '
    'those of the journal, in any order of rows; audience is given with the first accepted message of each '
    'conversation.';

COMMENT ON COLUMN messaging.journal.kinds IS 'What changed: 1 message, 2 message of a pending request.';
COMMENT ON COLUMN messaging.journal.subjects IS 'Conversation whose stream messaging/c it is.';
COMMENT ON COLUMN messaging.journal.objects IS 'Seq of the message.';

GRANT SELECT ON messaging.journal, messaging.lanes TO parley_conversations;

-- ---------------------------------------------------------------------------------------------------------------------
-- Who was erased keeps nothing here but what they said to others. See ErasureSweep.

CREATE TABLE messaging.erased (
    account bigint PRIMARY KEY,
    at bigint NOT NULL
);
COMMENT ON TABLE messaging.erased IS
    'People who were erased (conversations.erased) and of whom nothing is left here that is theirs alone.';
COMMENT ON COLUMN messaging.erased.account IS 'Who.';
COMMENT ON COLUMN messaging.erased.at IS 'When the last of it was deleted, µs since 1970 (UTC).';
