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
    locked_positions bigint[];
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

    SELECT h.locked, h.seqs, h.positions, h.versions, h.retentions, h.absent
    INTO locked, locked_seqs, locked_positions, locked_versions, locked_retentions, absent
    FROM messaging.lock_heads(batch_conversations, batch_senders) AS h;

    RETURN QUERY
    WITH item AS MATERIALIZED (
        SELECT c.ordinal, c.conversation, c.sender, c.id, c.kind, c.text, c.extra, c.reply_to, c.root, c.forwarded,
            c.attachment,
            CASE WHEN c.mentions IS NOT NULL THEN ARRAY(
                SELECT DISTINCT m FROM unnest(c.mentions::bigint[]) AS m
                WHERE m = ANY (c.readers) AND m <> c.sender
            ) END AS mentions,
            CASE WHEN c.retention > 0 AND c.kind <> 6 THEN batch_at + c.retention END AS expires_at,
            c.is_new AND (c.until_seq IS NULL OR c.head_seq + c.nth <= c.until_seq) AS accepted,
            CASE
                WHEN c.is_new AND c.head_seq + c.nth > c.until_seq THEN {Outcome.requestPending}
                WHEN c.outcome = {Outcome.done} AND NOT c.is_new AND c.first_sender <> c.sender THEN {Outcome.idInUse}
                ELSE c.outcome
            END AS outcome,
            CASE
                WHEN c.outcome = {Outcome.done} AND NOT c.is_new AND c.first_sender = c.sender THEN c.first_ordinal
            END AS same_as,
            CASE WHEN c.outcome = {Outcome.unchanged} THEN c.stored_seq ELSE c.head_seq + c.nth END AS seq,
            CASE
                WHEN c.outcome = {Outcome.unchanged} THEN c.stored_position
                ELSE c.head_position + c.nth
            END AS position,
            CASE WHEN c.outcome = {Outcome.unchanged} THEN c.stored_at ELSE batch_at END AS sent_at,
            c.nth,
            last_number
                + count(*) FILTER (WHERE c.is_new AND (c.until_seq IS NULL OR c.head_seq + c.nth <= c.until_seq))
                    OVER (ORDER BY c.conversation, c.ordinal ROWS UNBOUNDED PRECEDING) AS number,
            c.readers, c.until_seq, c.head_seq, c.head_position, c.behind_version
        FROM messaging.decide_sends(
            batch_conversations, batch_senders, batch_ids, batch_kinds, batch_texts, batch_extras, batch_replies,
            batch_mentions, batch_forwarded, batch_attachments, locked, locked_seqs, locked_positions, locked_versions,
            locked_retentions, absent) AS c
    ),
    stored AS (
        INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position, extra,
            reply_to_seq, thread_seq, forwarded_from, mentions, expires_at, time_zone)
        SELECT i.conversation, i.seq, i.id, nullif(i.sender, 0), i.kind, i.text, i.sent_at, i.position, i.extra,
            i.reply_to, i.root, i.forwarded, i.mentions, i.expires_at, nullif(batch_zones[i.ordinal::integer], '')
        FROM item AS i
        WHERE i.accepted
    ),
    mentioned AS (
        INSERT INTO messaging.mentions (account, conversation, seq, sent_at)
        SELECT unnest(i.mentions), i.conversation, i.seq, i.sent_at
        FROM item AS i
        WHERE i.accepted AND i.mentions IS NOT NULL
    ),
    attached AS (
        UPDATE messaging.attachments AS f
        SET seq = i.seq, unused_at = NULL
        FROM item AS i
        WHERE i.accepted AND i.attachment IS NOT NULL
            AND f.conversation = i.conversation AND f.id BETWEEN i.attachment AND i.attachment
    ),
    -- By ctid, because with `seq BETWEEN` a plan made on an empty table may read the whole conversation.
    rooted AS (
        UPDATE messaging.messages AS m
        SET has_replies = true
        WHERE m.ctid = ANY (ARRAY(
            SELECT f.ctid
            FROM item AS i
            CROSS JOIN LATERAL (
                SELECT x.ctid, x.has_replies
                FROM messaging.messages AS x
                WHERE x.conversation = i.conversation AND x.seq BETWEEN i.root AND i.root
                ORDER BY x.seq
                LIMIT 1
            ) AS f
            WHERE i.accepted AND i.root IS NOT NULL AND NOT f.has_replies))
    ),
    threaded AS (
        INSERT INTO messaging.threads AS h (conversation, seq, replies, last_seq, position)
        SELECT i.conversation, i.root, count(*), max(i.seq), max(i.position)
        FROM item AS i
        WHERE i.accepted AND i.root IS NOT NULL
        GROUP BY i.conversation, i.root
        ON CONFLICT (conversation, seq) DO UPDATE
        SET replies = h.replies + excluded.replies, last_seq = excluded.last_seq, position = excluded.position
        RETURNING h.conversation, h.seq, h.replies, h.last_seq, h.position
    ),
    -- A head that is behind advances to the version seen here, and no further.
    latest AS MATERIALIZED (
        SELECT i.conversation, max(i.seq) AS seq, max(i.position) AS position, NULL::bigint AS version
        FROM item AS i
        WHERE i.accepted
        GROUP BY i.conversation
        UNION ALL
        SELECT i.conversation, max(i.head_seq), max(i.head_position), max(i.behind_version)
        FROM item AS i
        WHERE i.behind_version IS NOT NULL
        GROUP BY i.conversation
    ),
    advanced AS (
        UPDATE messaging.heads AS h
        SET seq = t.seq, position = t.position, members_version = coalesce(t.version, h.members_version)
        FROM latest AS t
        WHERE h.conversation = t.conversation
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
            SELECT i.number, i.conversation, i.seq, i.position,
                (CASE
                    WHEN i.until_seq IS NULL THEN {MessagingKind.message}
                    ELSE {MessagingKind.requestMessage}
                END)::smallint AS kind,
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
        (CASE WHEN f.accepted THEN {Outcome.unchanged}
            WHEN f.ordinal IS NOT NULL THEN f.outcome
            WHEN i.outcome = {Outcome.attachmentTaken} THEN {Outcome.locked}
            ELSE i.outcome END)::smallint,
        CASE WHEN i.accepted OR i.outcome = {Outcome.unchanged} THEN i.seq WHEN f.accepted THEN f.seq END,
        CASE WHEN i.accepted OR i.outcome = {Outcome.unchanged} THEN i.position WHEN f.accepted THEN f.position END,
        CASE WHEN i.accepted OR i.outcome = {Outcome.unchanged} THEN i.sent_at WHEN f.accepted THEN f.sent_at END,
        CASE WHEN i.accepted THEN i.number END,
        CASE WHEN i.accepted AND i.nth = 1 THEN i.readers END,
        i.expires_at, i.root, h.replies, h.last_seq, h.position
    FROM item AS i
    LEFT JOIN threaded AS h ON i.accepted AND h.conversation = i.conversation AND h.seq = i.root
    LEFT JOIN LATERAL (
        SELECT o.*
        FROM item AS o
        WHERE i.same_as IS NOT NULL AND o.ordinal = i.same_as
        LIMIT 1
    ) AS f ON true
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
