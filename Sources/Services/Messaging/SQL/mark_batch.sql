-- Marks. Group commit as in sending: one call is one transaction and waits for no lock. It locks inbox rows without
-- the head's lock, so it may delay a send for as long as its commit takes. A row locked by another returns outcome 2.
-- Until former members learned of deletions it returned one column less.
DROP FUNCTION IF EXISTS messaging.mark_batch(integer, bigint, bigint[], bigint[], bigint[], bigint[]);
CREATE OR REPLACE FUNCTION messaging.mark_batch(
    batch_lane integer,
    batch_at bigint,
    batch_accounts bigint[],
    batch_conversations bigint[],
    batch_reads bigint[],
    batch_delivered bigint[]
) RETURNS TABLE (
    ordinal integer,
    outcome smallint,
    number bigint,
    own_position bigint,
    read_seq bigint,
    delivered_seq bigint,
    unread bigint,
    mentions bigint,
    counted_position bigint,
    counted_seq bigint,
    marked_unread boolean,
    pinned_at bigint,
    muted_until bigint,
    archived_at bigint,
    archived_seq bigint,
    cleared_seq bigint,
    first_seq bigint,
    receipt_after bigint,
    receipt_read_at bigint,
    receipt_delivered_at bigint,
    audience bigint[],
    renewed_position bigint
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
    touch_after_us CONSTANT bigint := 10000000;
    -- With this many others the group is large, and no one is notified live.
    others_most CONSTANT integer := 64;
    -- In a large group, one row of reads covers this much time.
    one_read_us CONSTANT bigint := 60000000;
    now_us CONSTANT bigint := date_part('epoch', clock_timestamp()) * 1000000;
    last_number bigint;
    held integer[];
    heads_held bigint[];
BEGIN
    SELECT l.number
    INTO STRICT last_number
    FROM messaging.lanes AS l
    WHERE l.lane = batch_lane;

    -- A person who reads for the first time has no head yet. Inserting it could wait for another transaction that
    -- inserts it, so it needs an advisory lock that is only tried.
    INSERT INTO messaging.person_heads (account, position)
    SELECT e.account, 0
    FROM (
        SELECT DISTINCT a AS account
        FROM unnest(batch_accounts) AS a
        WHERE NOT EXISTS (SELECT FROM messaging.person_heads AS h WHERE h.account = a)
        ORDER BY a
        OFFSET 0
    ) AS e
    WHERE pg_try_advisory_xact_lock({AdvisoryLock.personHead}, hashint8(e.account))
    ON CONFLICT DO NOTHING;

    heads_held := ARRAY(
        SELECT h.account
        FROM messaging.person_heads AS h
        WHERE h.account = ANY (batch_accounts)
        ORDER BY h.account
        FOR UPDATE SKIP LOCKED);

    held := ARRAY(
        SELECT i.ordinal::integer
        FROM unnest(batch_accounts, batch_conversations) WITH ORDINALITY AS i (account, conversation, ordinal)
        CROSS JOIN LATERAL (
            SELECT
            FROM messaging.inbox AS b
            WHERE b.account = i.account AND b.conversation BETWEEN i.conversation AND i.conversation
            ORDER BY b.conversation
            LIMIT 1
            FOR UPDATE SKIP LOCKED
        ) AS b
        WHERE i.account = ANY (heads_held));

    RETURN QUERY
    WITH item AS MATERIALIZED (
        SELECT i.ordinal::integer AS ordinal, i.account, i.conversation,
            coalesce(b.account IS NOT NULL AND w.is_shown, false) AS is_there,
            i.account = ANY (heads_held) AND (b.account IS NULL OR i.ordinal = ANY (held)) AS is_held,
            w.may_act AND w.may_write AND NOT w.is_pending AS may_send_receipt,
            b.read_seq, b.delivered_seq, b.marked_unread, b.pinned_at, b.muted_until, b.archived_at, b.archived_seq,
            b.cleared_before, b.position AS own_position, b.row_id,
            -- Replicas' clocks differ, but a person's times must not go backwards.
            greatest(batch_at, b.read_at) AS at,
            coalesce(r.read_seq, 0) AS receipt_read, coalesce(r.read_at, 0) AS receipt_read_at,
            coalesce(r.delivered_seq, 0) AS receipt_delivered, coalesce(r.delivered_at, 0) AS receipt_delivered_at,
            w.last_seq, w.last_position, w.first_seq, CASE WHEN w.is_former THEN b.renewed_position END AS renewed,
            i.read AS requested_read, i.delivered AS requested_delivered
        FROM unnest(batch_accounts, batch_conversations, batch_reads, batch_delivered) WITH ORDINALITY
            AS i (account, conversation, read, delivered, ordinal)
        LEFT JOIN LATERAL messaging.window(i.account, i.conversation) AS w ON true
        LEFT JOIN LATERAL (
            SELECT x.*, x.ctid AS row_id
            FROM messaging.inbox AS x
            WHERE x.account = i.account AND x.conversation BETWEEN i.conversation AND i.conversation
            ORDER BY x.conversation
            LIMIT 1
        ) AS b ON true
        LEFT JOIN messaging.receipts AS r ON r.conversation = b.conversation AND r.account = b.account
    ),
    moved AS MATERIALIZED (
        SELECT i.*,
            greatest(i.read_seq, least(i.requested_read, i.last_seq)) AS new_read,
            greatest(i.delivered_seq, i.read_seq, least(greatest(i.requested_delivered, i.requested_read), i.last_seq))
                AS new_delivered
        FROM item AS i
        WHERE i.is_there AND i.is_held
    ),
    -- Only read marks are part of the person's stream; delivered marks concern only the others. The others are notified
    -- of everything new to them, including marks that moved while they were not allowed to know.
    numbered AS MATERIALIZED (
        SELECT m.*,
            m.new_read > m.read_seq AS is_read,
            m.may_send_receipt AND (m.new_read > m.receipt_read OR m.new_delivered > m.receipt_delivered)
                AS has_receipt,
            count(*) FILTER (WHERE m.new_read > m.read_seq)
                OVER (PARTITION BY m.account ORDER BY m.ordinal ROWS UNBOUNDED PRECEDING) AS nth,
            last_number + count(*) FILTER (WHERE m.new_read > m.read_seq)
                OVER (ORDER BY m.ordinal ROWS UNBOUNDED PRECEDING) AS number
        FROM moved AS m
    ),
    resolved AS MATERIALIZED (
        SELECT n.*, CASE WHEN n.is_read THEN p.position + n.nth ELSE n.own_position END AS new_position,
            CASE WHEN n.has_receipt THEN ARRAY(
                SELECT x.account
                FROM conversations.access AS x
                WHERE x.conversation = n.conversation AND x.may_read AND x.account <> n.account
                LIMIT others_most
            ) END AS audience
        FROM numbered AS n
        JOIN messaging.person_heads AS p ON p.account = n.account
    ),
    headed AS (
        UPDATE messaging.person_heads AS p
        SET position = l.position
        FROM (
            SELECT account, max(new_position) AS position
            FROM resolved
            WHERE is_read
            GROUP BY account
        ) AS l
        WHERE p.account = l.account
    ),
    -- Touched as in a send: Sync finds a recently touched row anyway.
    kept AS (
        UPDATE messaging.inbox AS b
        SET read_seq = p.new_read,
            read_at = CASE WHEN p.is_read THEN p.at ELSE b.read_at END,
            delivered_seq = p.new_delivered,
            delivered_at = CASE WHEN p.new_delivered > b.delivered_seq THEN batch_at ELSE b.delivered_at END,
            marked_unread = b.marked_unread AND NOT p.is_read,
            touched_at = CASE WHEN p.is_read AND b.touched_at < now_us - touch_after_us THEN now_us
                ELSE b.touched_at END,
            position = p.new_position
        FROM resolved AS p
        WHERE (p.is_read OR p.new_delivered > p.delivered_seq)
            AND b.ctid = p.row_id
    ),
    receipts AS (
        INSERT INTO messaging.receipts AS r (conversation, account, read_seq, read_at, delivered_seq, delivered_at)
        SELECT p.conversation, p.account, p.new_read,
            CASE WHEN p.new_read > p.receipt_read THEN p.at ELSE p.receipt_read_at END,
            p.new_delivered,
            CASE WHEN p.new_delivered > p.receipt_delivered THEN batch_at ELSE p.receipt_delivered_at END
        FROM resolved AS p
        WHERE p.has_receipt
        ON CONFLICT (conversation, account) DO UPDATE
        SET read_at = CASE WHEN excluded.read_seq > r.read_seq THEN excluded.read_at ELSE r.read_at END,
            read_seq = greatest(r.read_seq, excluded.read_seq),
            delivered_at = CASE WHEN excluded.delivered_seq > r.delivered_seq THEN excluded.delivered_at
                ELSE r.delivered_at END,
            delivered_seq = greatest(r.delivered_seq, excluded.delivered_seq)
    ),
    -- The last row moves forward while the one before it is younger than one_read_us. So no time is late by more.
    continued AS (
        UPDATE messaging.reads AS t
        SET seq = p.new_read, at = p.at
        FROM resolved AS p
        CROSS JOIN LATERAL (
            SELECT x.ctid AS row_id
            FROM messaging.reads AS x
            WHERE x.conversation = p.conversation AND x.account = p.account
            ORDER BY x.seq DESC
            LIMIT 1
        ) AS last
        CROSS JOIN LATERAL (
            SELECT x.at
            FROM messaging.reads AS x
            WHERE x.conversation = p.conversation AND x.account = p.account
            ORDER BY x.seq DESC
            OFFSET 1
            LIMIT 1
        ) AS before
        WHERE p.has_receipt AND p.new_read > p.receipt_read AND cardinality(p.audience) >= others_most
            AND before.at > p.at - one_read_us
            AND t.ctid = last.row_id
        RETURNING p.ordinal
    ),
    timed AS (
        INSERT INTO messaging.reads (conversation, account, seq, at)
        SELECT p.conversation, p.account, p.new_read, p.at
        FROM resolved AS p
        WHERE p.has_receipt AND p.new_read > p.receipt_read AND p.ordinal NOT IN (SELECT c.ordinal FROM continued AS c)
        ON CONFLICT DO NOTHING
    ),
    published AS (
        SELECT min(p.number) AS first_number, max(p.number) AS last_used,
            array_agg({MessagingKind.inboxState}::smallint ORDER BY p.number) AS kinds,
            array_agg(p.account ORDER BY p.number) AS subjects,
            array_agg(p.conversation ORDER BY p.number) AS objects,
            array_agg(p.new_position ORDER BY p.number) AS positions,
            array_agg(1::smallint ORDER BY p.number) AS audience_counts
        FROM resolved AS p
        WHERE p.is_read
    ),
    counted AS (
        UPDATE messaging.lanes AS l
        SET number = p.last_used
        FROM published AS p
        WHERE l.lane = batch_lane AND p.last_used IS NOT NULL
    ),
    journaled AS (
        INSERT INTO messaging.journal
            (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
        SELECT batch_lane, p.first_number, now_us, p.kinds, p.subjects, p.objects, p.positions, p.audience_counts,
            p.subjects
        FROM published AS p
        WHERE p.last_used IS NOT NULL
    )
    SELECT p.ordinal,
        (CASE WHEN p.is_read OR p.has_receipt OR p.new_delivered > p.delivered_seq
            THEN {Outcome.done} ELSE {Outcome.unchanged} END)::smallint,
        CASE WHEN p.is_read THEN p.number END,
        p.new_position, p.new_read, p.new_delivered, u.unread, u.mentions, p.last_position, p.last_seq,
        p.marked_unread AND NOT p.is_read, p.pinned_at, p.muted_until, p.archived_at, p.archived_seq,
        p.cleared_before, p.first_seq, least(p.receipt_read, p.receipt_delivered),
        CASE WHEN p.new_read > p.receipt_read THEN p.at ELSE p.receipt_read_at END,
        CASE WHEN p.new_delivered > p.receipt_delivered THEN batch_at ELSE p.receipt_delivered_at END,
        p.audience, p.renewed
    FROM resolved AS p
    CROSS JOIN LATERAL messaging.unread(
        p.account, p.conversation, greatest(p.new_read, p.first_seq - 1), p.last_seq, batch_at) AS u
    UNION ALL
    SELECT i.ordinal, (CASE WHEN i.is_held THEN {Outcome.notMember} ELSE {Outcome.locked} END)::smallint,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM item AS i
    WHERE NOT (i.is_there AND i.is_held);
END
$$;
REVOKE ALL ON FUNCTION messaging.mark_batch(integer, bigint, bigint[], bigint[], bigint[], bigint[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.mark_batch(integer, bigint, bigint[], bigint[], bigint[], bigint[]) IS
    'Moves read and delivered marks, forwards only. Each pair of account and conversation occurs once in a batch. '
    'Outcomes: 0 moved, 1 unchanged, 2 locked by another (next batch), 3 nothing to read there. Rows hold the '
    'resulting state. number is that of the journal, if read_seq moved. audience lists the others who may know; null: '
    'no news for others, or none may know; 64 of them: too many to notify live. receipt_after is the lower of the '
    'marks that the others knew before.';
