-- Until a message had its sender's time zone there were twelve parameters. The other program of an upgrade calls this
-- one without the last.
DROP FUNCTION IF EXISTS messaging.send_batch(
    integer, bigint, bigint[], bigint[], uuid[], smallint[], text[], bytea[], bigint[], text[], bigint[], uuid[]);
CREATE OR REPLACE FUNCTION messaging.send_batch(
    batch_lane integer,
    batch_at bigint,
    batch_conversations bigint[],
    batch_senders bigint[],
    batch_ids uuid[],
    batch_kinds smallint[],
    batch_texts text[],
    batch_extras bytea[] DEFAULT '{}',
    batch_replies bigint[] DEFAULT '{}',
    batch_mentions text[] DEFAULT '{}',
    batch_forwarded bigint[] DEFAULT '{}',
    batch_attachments uuid[] DEFAULT '{}',
    batch_zones text[] DEFAULT '{}'
) RETURNS TABLE (
    ordinal integer,
    outcome smallint,
    seq bigint,
    "position" bigint,
    sent_at bigint,
    number bigint,
    audience bigint[],
    expires_at bigint,
    thread_seq bigint,
    thread_replies bigint,
    thread_last_seq bigint,
    thread_position bigint
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
    -- Sync and followers compare with the database's clock, whichever replica wrote.
    now_us CONSTANT bigint := date_part('epoch', clock_timestamp()) * 1000000;
    locked bigint[];
    locked_seqs bigint[];
    locked_versions bigint[];
    locked_retentions bigint[];
    absent bigint[];
    last_number bigint;
    decided bigint;
    behind bigint[];
    again integer[];
BEGIN
    SELECT l.number
    INTO STRICT last_number
    FROM messaging.lanes AS l
    WHERE l.lane = batch_lane;

    SELECT h.locked, h.seqs, h.versions, h.retentions, h.absent
    INTO locked, locked_seqs, locked_versions, locked_retentions, absent
    FROM messaging.lock_heads(batch_conversations, batch_senders) AS h;

    RETURN QUERY
    WITH item AS MATERIALIZED (
        SELECT c.ordinal::integer AS ordinal, c.conversation, c.root,
            CASE WHEN batch_mentions[c.ordinal] IS NOT NULL THEN ARRAY(
                SELECT DISTINCT m FROM unnest(batch_mentions[c.ordinal]::bigint[]) AS m
                WHERE m = ANY (c.readers) AND m <> c.sender
            )::text END AS mentions,
            CASE WHEN c.retention > 0 AND c.kind <> {MessageKind.system} THEN batch_at + c.retention END AS expires_at,
            c.is_new AND (c.until_seq IS NULL OR c.head_seq + c.nth <= c.until_seq) AS accepted,
            CASE
                WHEN c.is_new AND c.head_seq + c.nth > c.until_seq THEN {Outcome.requestPending}
                WHEN c.outcome = {Outcome.done} AND NOT c.is_new AND c.first_sender <> c.sender THEN {Outcome.idInUse}
                ELSE c.outcome
            END AS outcome,
            CASE
                WHEN c.outcome = {Outcome.done} AND NOT c.is_new AND c.first_sender = c.sender THEN c.first_ordinal
            END AS same_as,
            c.stored_seq, c.stored_position, c.stored_at, c.nth,
            last_number
                + count(*) FILTER (WHERE c.is_new AND (c.until_seq IS NULL OR c.head_seq + c.nth <= c.until_seq))
                    OVER (ORDER BY c.conversation, c.ordinal ROWS UNBOUNDED PRECEDING) AS number,
            c.readers, c.until_seq, c.behind_version
        FROM messaging.decide_sends(
            batch_conversations, batch_senders, batch_ids, batch_kinds, batch_replies, batch_attachments, locked,
            locked_seqs, locked_versions, locked_retentions, absent) AS c
    ),
    -- A head that is behind advances to the version seen here, and no further.
    stored AS MATERIALIZED (
        SELECT s.seqs, s.positions, s.thread_replies, s.thread_last_seqs, s.thread_positions
        FROM (
            SELECT array_agg(i.accepted) AS accepted, array_agg(i.root) AS roots, array_agg(i.mentions) AS mentions,
                array_agg(i.expires_at) AS expiries, array_agg(i.behind_version) AS versions
            FROM (
                SELECT o.accepted, o.root, o.mentions, o.expires_at, o.behind_version
                FROM item AS o
                ORDER BY o.ordinal
            ) AS i
            HAVING bool_or(i.accepted OR i.behind_version IS NOT NULL)
        ) AS d
        CROSS JOIN LATERAL messaging.store_messages(
            batch_conversations, batch_ids, batch_senders, batch_kinds, batch_texts,
            array_fill(batch_at, ARRAY[cardinality(batch_conversations)]), batch_extras, batch_replies, d.roots,
            batch_forwarded, d.mentions, batch_attachments, d.expiries, batch_zones, d.accepted, d.versions) AS s
    ),
    touched AS (
        INSERT INTO messaging.inbox (account, conversation, touched_at, news_at)
        SELECT r.account, r.conversation, now_us, now_us
        FROM (
            SELECT i.conversation, unnest(i.readers) AS account
            FROM item AS i
            WHERE i.accepted AND i.nth = 1
        ) AS r
        LEFT JOIN LATERAL (
            SELECT b.news_at
            FROM messaging.inbox AS b
            WHERE b.account = r.account AND b.conversation BETWEEN r.conversation AND r.conversation
            ORDER BY b.conversation
            LIMIT 1
        ) AS b ON true
        WHERE b.news_at IS NULL OR b.news_at < now_us - touch_after_us
        ON CONFLICT (account, conversation) DO UPDATE
        SET touched_at = excluded.touched_at, news_at = excluded.news_at
    ),
    published AS (
        SELECT min(j.number) AS first_number, max(j.number) AS last_used,
            array_agg(j.kind) AS kinds,
            array_agg(j.conversation) AS subjects,
            array_agg(j.seq) AS objects,
            array_agg(j.position) AS positions,
            array_agg(j.audience_count) AS audience_counts
        FROM (
            SELECT i.number, i.conversation, s.seqs[i.ordinal] AS seq, s.positions[i.ordinal] AS position,
                (CASE
                    WHEN i.until_seq IS NULL THEN {MessagingKind.message}
                    ELSE {MessagingKind.requestMessage}
                END)::smallint AS kind,
                (CASE WHEN i.nth = 1 THEN coalesce(cardinality(i.readers), 0) ELSE -1 END)::smallint AS audience_count
            FROM item AS i
            CROSS JOIN stored AS s
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
    SELECT i.ordinal,
        -- The message that a repeated one is the same as is new: it was accepted, or is too many for the request.
        (CASE WHEN i.same_as IS NOT NULL AND s.seqs[i.same_as] IS NOT NULL THEN {Outcome.unchanged}
            WHEN i.same_as IS NOT NULL THEN {Outcome.requestPending}
            WHEN i.outcome = {Outcome.attachmentTaken} THEN {Outcome.locked}
            ELSE i.outcome END)::smallint,
        CASE WHEN i.outcome = {Outcome.unchanged} THEN i.stored_seq ELSE s.seqs[coalesce(i.same_as, i.ordinal)] END,
        CASE
            WHEN i.outcome = {Outcome.unchanged} THEN i.stored_position
            ELSE s.positions[coalesce(i.same_as, i.ordinal)]
        END,
        CASE
            WHEN i.outcome = {Outcome.unchanged} THEN i.stored_at
            WHEN s.seqs[coalesce(i.same_as, i.ordinal)] IS NOT NULL THEN batch_at
        END,
        CASE WHEN i.accepted THEN i.number END,
        CASE WHEN i.accepted AND i.nth = 1 THEN i.readers END,
        i.expires_at, i.root, s.thread_replies[i.ordinal], s.thread_last_seqs[i.ordinal], s.thread_positions[i.ordinal]
    FROM item AS i
    LEFT JOIN stored AS s ON true
    WHERE i.outcome <> {Outcome.locked} OR (i.conversation = ANY (locked)) IS NOT TRUE;

    GET DIAGNOSTICS decided = ROW_COUNT;
    IF decided = cardinality(batch_conversations) THEN
        RETURN;
    END IF;

    -- Someone joined or left (rare). Their ranges are kept, then the messages that were left out are sent.
    behind := messaging.keep_windows(locked, locked_versions, now_us);

    again := ARRAY(
        SELECT o FROM generate_subscripts(batch_conversations, 1) AS o WHERE batch_conversations[o] = ANY (behind));
    RETURN QUERY
    SELECT again[s.ordinal], s.outcome, s.seq, s.position, s.sent_at, s.number, s.audience, s.expires_at, s.thread_seq,
        s.thread_replies, s.thread_last_seq, s.thread_position
    FROM messaging.send_batch(
        batch_lane, batch_at,
        ARRAY(SELECT batch_conversations[o] FROM unnest(again) AS o),
        ARRAY(SELECT batch_senders[o] FROM unnest(again) AS o),
        ARRAY(SELECT batch_ids[o] FROM unnest(again) AS o),
        ARRAY(SELECT batch_kinds[o] FROM unnest(again) AS o),
        ARRAY(SELECT batch_texts[o] FROM unnest(again) AS o),
        ARRAY(SELECT batch_extras[o] FROM unnest(again) AS o),
        ARRAY(SELECT batch_replies[o] FROM unnest(again) AS o),
        ARRAY(SELECT batch_mentions[o] FROM unnest(again) AS o),
        ARRAY(SELECT batch_forwarded[o] FROM unnest(again) AS o),
        ARRAY(SELECT batch_attachments[o] FROM unnest(again) AS o),
        ARRAY(SELECT batch_zones[o] FROM unnest(again) AS o)) AS s;
END
$$;
REVOKE ALL ON FUNCTION messaging.send_batch(
    integer, bigint, bigint[], bigint[], uuid[], smallint[], text[], bytea[], bigint[], text[], bigint[], uuid[],
    text[])
FROM PUBLIC;
COMMENT ON FUNCTION messaging.send_batch(
    integer, bigint, bigint[], bigint[], uuid[], smallint[], text[], bytea[], bigint[], text[], bigint[], uuid[],
    text[]) IS
    'Stores a batch of messages; sender 0: the system. The last six arrays may be empty if no message needs them. '
    'Mentions are arrays of accounts, as text; zones are names of time zones. Outcomes: 0 accepted, 1 duplicate, 2 '
    'locked by another (next batch), 3 not_member, 4 user_blocked, 5 accept_first, 6 id_in_use, 7 too many for a '
    'pending request, 8 the message it replies to does not exist, 9 its attachment does not exist. Numbers are those '
    'of the journal; rows are in any order. The first accepted message of each conversation has the audience.';
