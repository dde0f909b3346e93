-- What people do with messages: edit, delete, react, reply, mention, star, hide, forward; read them; and arrange their
-- conversations. See M4 to M18, C8 and C11.

-- ---------------------------------------------------------------------------------------------------------------------
-- Messages.

ALTER TABLE messaging.heads
    ADD COLUMN retention_us bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN messaging.heads.retention_us IS 'How long after it is sent a new message disappears; 0: never.';

ALTER TABLE messaging.messages
    ADD COLUMN has_replies boolean NOT NULL DEFAULT false,
    ADD COLUMN mentions bigint[],
    ADD COLUMN reactions text[] COLLATE "C",
    ADD COLUMN reaction_counts bigint[];
COMMENT ON COLUMN messaging.messages.has_replies IS 'It is the first of a thread, or was once.';
COMMENT ON COLUMN messaging.messages.mentions IS 'Accounts it mentions; null: none. The same as its rows of mentions.';
COMMENT ON COLUMN messaging.messages.reactions IS 'Emoji put to it, in the order of their first use; null: none ever.';
COMMENT ON COLUMN messaging.messages.reaction_counts IS 'By how many people, for each of reactions; at least 1.';
COMMENT ON COLUMN messaging.messages.extra IS
    'Encoded protobuf of what only clients read: SystemNote with kind 6, Media with kinds 2 to 5; null: nothing.';
CREATE INDEX messages_expiring ON messaging.messages (expires_at, conversation, seq)
    WHERE expires_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX messages_of_threads ON messaging.messages (conversation, thread_seq, seq) WHERE thread_seq IS NOT NULL;

CREATE TABLE messaging.revisions (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    revision integer NOT NULL,
    text text NOT NULL,
    until_at bigint NOT NULL,
    PRIMARY KEY (conversation, seq, revision)
);
COMMENT ON TABLE messaging.revisions IS 'What messages said before they were edited. Deleted with what the message says.';
COMMENT ON COLUMN messaging.revisions.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.revisions.seq IS 'The message.';
COMMENT ON COLUMN messaging.revisions.revision IS '1, 2, 3 … of the message.';
COMMENT ON COLUMN messaging.revisions.text IS 'What it said.';
COMMENT ON COLUMN messaging.revisions.until_at IS 'When it was edited away.';

CREATE TABLE messaging.threads (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    replies bigint NOT NULL,
    last_seq bigint NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (conversation, seq)
) WITH (fillfactor = 70);
COMMENT ON TABLE messaging.threads IS 'How threads stand. Written under the lock of the conversation''s head.';
COMMENT ON COLUMN messaging.threads.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.threads.seq IS 'The first message of the thread.';
COMMENT ON COLUMN messaging.threads.replies IS 'Messages with this thread_seq that are not deleted.';
COMMENT ON COLUMN messaging.threads.last_seq IS 'The newest of them ever sent.';
COMMENT ON COLUMN messaging.threads.position IS 'Position of the last change of this row, in the stream messaging/c.';

CREATE TABLE messaging.reactions (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    account bigint NOT NULL,
    emoji text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (conversation, seq, account, emoji)
);
COMMENT ON TABLE messaging.reactions IS 'Who put which emoji to which message.';
COMMENT ON COLUMN messaging.reactions.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.reactions.seq IS 'The message.';
COMMENT ON COLUMN messaging.reactions.account IS 'Who.';
COMMENT ON COLUMN messaging.reactions.emoji IS 'What.';
COMMENT ON COLUMN messaging.reactions.at IS 'When.';
CREATE INDEX reactions_in_order ON messaging.reactions (conversation, seq, at, account, emoji);
CREATE INDEX reactions_by_emoji ON messaging.reactions (conversation, seq, emoji, at, account);

CREATE TABLE messaging.mentions (
    account bigint NOT NULL,
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    sent_at bigint NOT NULL,
    PRIMARY KEY (account, conversation, seq)
);
COMMENT ON TABLE messaging.mentions IS 'Who is mentioned where. The rows of a message go when it is deleted or no longer says so.';
COMMENT ON COLUMN messaging.mentions.account IS 'Who is mentioned.';
COMMENT ON COLUMN messaging.mentions.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.mentions.seq IS 'The message.';
COMMENT ON COLUMN messaging.mentions.sent_at IS 'When the message was sent.';
CREATE INDEX mentions_by_time ON messaging.mentions (account, sent_at, conversation, seq);

CREATE TABLE messaging.attachments (
    conversation bigint NOT NULL,
    id uuid NOT NULL,
    owner bigint NOT NULL,
    object text COLLATE "C" NOT NULL,
    name text NOT NULL,
    mime_type text NOT NULL,
    size_bytes bigint NOT NULL,
    width integer NOT NULL DEFAULT 0,
    height integer NOT NULL DEFAULT 0,
    created_at bigint NOT NULL,
    completed_at bigint,
    seq bigint,
    unused_at bigint,
    PRIMARY KEY (conversation, id)
);
COMMENT ON TABLE messaging.attachments IS
    'Files, each for one message of one conversation. A forwarded one has a row of its own and the same object.';
COMMENT ON COLUMN messaging.attachments.conversation IS 'The conversation it may be sent to.';
COMMENT ON COLUMN messaging.attachments.id IS 'Made by the client (UUIDv7), of a forwarded one the id of its message.';
COMMENT ON COLUMN messaging.attachments.owner IS 'Account of who uploads and sends it.';
COMMENT ON COLUMN messaging.attachments.object IS 'Key under which the storage has its bytes.';
COMMENT ON COLUMN messaging.attachments.name IS 'File name, without a path.';
COMMENT ON COLUMN messaging.attachments.mime_type IS 'As declared, and as its bytes say once they are there.';
COMMENT ON COLUMN messaging.attachments.size_bytes IS 'As declared, and held to.';
COMMENT ON COLUMN messaging.attachments.width IS 'Of an image: pixels, as its bytes say; 0: not known.';
COMMENT ON COLUMN messaging.attachments.height IS 'Of an image: pixels, as its bytes say; 0: not known.';
COMMENT ON COLUMN messaging.attachments.created_at IS 'When room was made for it.';
COMMENT ON COLUMN messaging.attachments.completed_at IS 'When all its bytes were there and found right; null: not yet.';
COMMENT ON COLUMN messaging.attachments.seq IS 'The message it was sent in; null: none yet.';
COMMENT ON COLUMN messaging.attachments.unused_at IS
    'When that message was deleted, or it was given up that there would be one; null: it is or may be in use.';
CREATE INDEX attachments_unsent ON messaging.attachments (created_at) WHERE seq IS NULL;
CREATE INDEX attachments_unused ON messaging.attachments (unused_at) WHERE unused_at IS NOT NULL;
CREATE INDEX attachments_of_owner ON messaging.attachments (owner, created_at) WHERE seq IS NULL;
CREATE INDEX attachments_object ON messaging.attachments (object);

-- ---------------------------------------------------------------------------------------------------------------------
-- What is one person's.

CREATE TABLE messaging.flags (
    account bigint NOT NULL,
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    starred_at bigint,
    hidden_at bigint,
    position bigint NOT NULL,
    PRIMARY KEY (account, conversation, seq)
);
COMMENT ON TABLE messaging.flags IS 'What one person did with one message, for themselves alone.';
COMMENT ON COLUMN messaging.flags.account IS 'Who.';
COMMENT ON COLUMN messaging.flags.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.flags.seq IS 'The message.';
COMMENT ON COLUMN messaging.flags.starred_at IS 'When starred; null: not starred.';
COMMENT ON COLUMN messaging.flags.hidden_at IS 'When deleted for this person; null: it was not.';
COMMENT ON COLUMN messaging.flags.position IS 'Of the last change, in the stream messaging/u of this account.';
CREATE UNIQUE INDEX flags_changed ON messaging.flags (account, position);
CREATE INDEX flags_starred ON messaging.flags (account, starred_at, conversation, seq) WHERE starred_at IS NOT NULL;

ALTER TABLE messaging.inbox
    ADD COLUMN news_at bigint NOT NULL DEFAULT 0;
UPDATE messaging.inbox
SET news_at = touched_at;
COMMENT ON COLUMN messaging.inbox.touched_at IS
    'Last news or change of one''s own state, at most 10 s out of date: Sync finds the row by it.';
COMMENT ON COLUMN messaging.inbox.news_at IS
    'Last message that came, at most 10 s out of date: pages of the inbox are in its order. Reading changes it not.';
CREATE INDEX inbox_news ON messaging.inbox (account, news_at, conversation);
CREATE INDEX inbox_pinned ON messaging.inbox (account, pinned_at, conversation) WHERE pinned_at IS NOT NULL;
CREATE INDEX inbox_archived ON messaging.inbox (account, (archived_at IS NOT NULL), news_at, conversation)
    WHERE archived_at IS NOT NULL;

CREATE TABLE messaging.receipts (
    conversation bigint NOT NULL,
    account bigint NOT NULL,
    read_seq bigint NOT NULL,
    read_at bigint NOT NULL,
    delivered_seq bigint NOT NULL,
    delivered_at bigint NOT NULL,
    PRIMARY KEY (conversation, account)
) WITH (fillfactor = 70);
COMMENT ON TABLE messaging.receipts IS
    'How far members have read, as the others may know: stands still while a request is pending or somebody is blocked.';
COMMENT ON COLUMN messaging.receipts.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.receipts.account IS 'Who.';
COMMENT ON COLUMN messaging.receipts.read_seq IS 'Read up to here; grows only.';
COMMENT ON COLUMN messaging.receipts.read_at IS 'When read_seq last grew; 0: never.';
COMMENT ON COLUMN messaging.receipts.delivered_seq IS 'Delivered up to here, at least read_seq; grows only.';
COMMENT ON COLUMN messaging.receipts.delivered_at IS 'When delivered_seq last grew.';

CREATE TABLE messaging.reads (
    conversation bigint NOT NULL,
    account bigint NOT NULL,
    seq bigint NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (conversation, account, seq)
);
COMMENT ON TABLE messaging.reads IS
    'When members read what, as the others may know: who read message N did so at the time of their first row with seq >= N. '
    'In large groups one row stands for what somebody read within about a minute: there times are up to a minute late.';
COMMENT ON COLUMN messaging.reads.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.reads.account IS 'Who.';
COMMENT ON COLUMN messaging.reads.seq IS 'Up to where they then had read.';
COMMENT ON COLUMN messaging.reads.at IS 'When.';

CREATE FUNCTION messaging.unread(of_account bigint, of_conversation bigint, above bigint, up_to bigint, at_us bigint)
RETURNS TABLE (unread bigint, mentions bigint)
LANGUAGE sql STABLE
AS $$
    SELECT count(*), count(*) FILTER (WHERE of_account = ANY (counted.mentions))
    FROM (
        SELECT m.mentions
        FROM messaging.messages AS m
        WHERE m.conversation = of_conversation
            AND m.seq BETWEEN greatest(above, up_to - 10000) + 1 AND up_to
            AND m.kind <> 6
            AND m.sender IS DISTINCT FROM of_account
            AND m.deleted_at IS NULL
            AND (m.expires_at IS NULL OR m.expires_at > at_us)
            AND m.seq NOT IN (
                SELECT f.seq
                FROM messaging.flags AS f
                WHERE f.account = of_account AND f.conversation = of_conversation
                    AND f.seq BETWEEN greatest(above, up_to - 10000) + 1 AND up_to
                    AND f.hidden_at IS NOT NULL
            )
        ORDER BY m.seq
        LIMIT 1000
    ) AS counted
$$;
REVOKE ALL ON FUNCTION messaging.unread(bigint, bigint, bigint, bigint, bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.unread(bigint, bigint, bigint, bigint, bigint) IS
    'How many messages above one seq and up to another somebody has not read, and how many of them mention them (M7): others'' '
    'messages that are neither deleted, nor disappeared at that time, nor hidden from them, nor of the system. At most '
    '1,000, counted among the newest 10,000.';

-- ---------------------------------------------------------------------------------------------------------------------
-- Sending, as in 0004. New: what a message answers, mentions, forwards and brings along, and when it disappears.

DROP FUNCTION messaging.send_batch(integer, bigint, bigint[], bigint[], uuid[], smallint[], text[]);

CREATE FUNCTION messaging.send_batch(
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
    batch_attachments uuid[] DEFAULT '{}'
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
    -- Whoever syncs or follows compares with this clock, whichever replica wrote.
    now_us CONSTANT bigint := date_part('epoch', clock_timestamp()) * 1000000;
    locked bigint[];
    locked_seqs bigint[];
    locked_positions bigint[];
    locked_versions bigint[];
    locked_retentions bigint[];
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

    SELECT array_agg(h.conversation), array_agg(h.seq), array_agg(h.position), array_agg(h.members_version),
        array_agg(h.retention_us)
    INTO locked, locked_seqs, locked_positions, locked_versions, locked_retentions
    FROM (
        SELECT conversation, seq, position, members_version, retention_us
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

            SELECT array_agg(h.conversation), array_agg(h.seq), array_agg(h.position), array_agg(h.members_version),
                array_agg(h.retention_us)
            INTO locked, locked_seqs, locked_positions, locked_versions, locked_retentions
            FROM (
                SELECT conversation, seq, position, members_version, retention_us
                FROM messaging.heads
                WHERE conversation = ANY (batch_conversations)
                ORDER BY conversation
                FOR UPDATE SKIP LOCKED
            ) AS h;
        END IF;
    END IF;

    RETURN QUERY
    WITH talk AS MATERIALIZED (
        SELECT l.conversation, l.seq, l.position, l.retention, m.accounts, m.refusals, m.until_seq, m.readers, m.version,
            m.version > l.version AS is_behind
        FROM unnest(locked, locked_seqs, locked_positions, locked_versions, locked_retentions)
            AS l (conversation, seq, position, version, retention)
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
        SELECT i.ordinal, i.conversation, i.sender, i.id, i.kind, i.text, i.extra, i.reply_to, i.mentions, i.forwarded,
            i.attachment, t.conversation IS NOT NULL AS is_locked,
            t.seq AS head_seq, t.position AS head_position, t.retention, t.until_seq, t.readers,
            t.refusals[array_position(t.accounts, i.sender)] AS refusal
        FROM unnest(batch_conversations, batch_senders, batch_ids, batch_kinds, batch_texts, batch_extras,
            batch_replies, batch_mentions, batch_forwarded, batch_attachments) WITH ORDINALITY
            AS i (conversation, sender, id, kind, text, extra, reply_to, mentions, forwarded, attachment, ordinal)
        FULL JOIN (
            SELECT *
            FROM talk
            WHERE NOT is_behind
        ) AS t ON t.conversation = i.conversation
    ),
    ruled AS (
        SELECT a.*, s.seq AS stored_seq, s.position AS stored_position, s.sent_at AS stored_at, r.root,
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
                WHEN a.refusal = 0 THEN
                    CASE WHEN s.seq IS NOT NULL THEN 6
                    WHEN a.reply_to IS NOT NULL AND r.root IS NULL THEN 8
                    WHEN a.attachment IS NOT NULL AND NOT EXISTS (
                        SELECT
                        FROM messaging.attachments AS f
                        WHERE f.conversation = a.conversation AND f.id BETWEEN a.attachment AND a.attachment
                            AND f.owner = a.sender AND f.seq IS NULL AND f.completed_at IS NOT NULL
                            AND f.unused_at IS NULL
                    ) THEN 9
                    -- Another message of theirs in this batch brings it along: the next batch knows what became of that one.
                    WHEN a.attachment IS NOT NULL AND EXISTS (
                        SELECT
                        FROM unnest(batch_conversations, batch_senders, batch_ids, batch_attachments) WITH ORDINALITY
                            AS e (conversation, sender, id, attachment, ordinal)
                        WHERE e.ordinal < a.ordinal AND e.attachment = a.attachment
                            AND e.conversation = a.conversation AND e.sender = a.sender AND e.id <> a.id
                    ) THEN 10
                    ELSE 0 END
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
        LEFT JOIN LATERAL (
            SELECT coalesce(m.thread_seq, m.seq) AS root
            FROM messaging.messages AS m
            WHERE m.conversation = a.conversation AND m.seq BETWEEN a.reply_to AND a.reply_to
            ORDER BY m.seq
            LIMIT 1
        ) AS r ON a.is_locked AND a.reply_to IS NOT NULL
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
        SELECT c.ordinal, c.conversation, c.sender, c.id, c.kind, c.text, c.extra, c.reply_to, c.root, c.forwarded,
            c.attachment,
            CASE WHEN c.mentions IS NOT NULL THEN ARRAY(
                SELECT DISTINCT m FROM unnest(c.mentions::bigint[]) AS m
                WHERE m = ANY (c.readers) AND m <> c.sender
            ) END AS mentions,
            CASE WHEN c.retention > 0 AND c.kind <> 6 THEN batch_at + c.retention END AS expires_at,
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
        INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position, extra,
            reply_to_seq, thread_seq, forwarded_from, mentions, expires_at)
        SELECT i.conversation, i.seq, i.id, nullif(i.sender, 0), i.kind, i.text, i.sent_at, i.position, i.extra,
            i.reply_to, i.root, i.forwarded, i.mentions, i.expires_at
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
    -- By its place: with `seq BETWEEN` a plan made on an empty table may go through all of the conversation.
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
        (CASE WHEN f.accepted THEN 1 WHEN f.ordinal IS NOT NULL THEN f.outcome WHEN i.outcome = 10 THEN 2
            ELSE i.outcome END)::smallint,
        CASE WHEN i.accepted OR i.outcome = 1 THEN i.seq WHEN f.accepted THEN f.seq END,
        CASE WHEN i.accepted OR i.outcome = 1 THEN i.position WHEN f.accepted THEN f.position END,
        CASE WHEN i.accepted OR i.outcome = 1 THEN i.sent_at WHEN f.accepted THEN f.sent_at END,
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

    INSERT INTO messaging.inbox AS i
        (account, conversation, touched_at, news_at, visible_from, visible_to, visible_position)
    SELECT a.account, a.conversation, now_us, now_us,
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
        news_at = excluded.news_at,
        visible_from = greatest(i.visible_from, excluded.visible_from),
        visible_to = excluded.visible_to,
        visible_position = excluded.visible_position;

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
        ARRAY(SELECT batch_attachments[o] FROM unnest(again) AS o)) AS s;
END
$$;
REVOKE ALL ON FUNCTION messaging.send_batch(integer, bigint, bigint[], bigint[], uuid[], smallint[], text[], bytea[], bigint[],
    text[], bigint[], uuid[])
FROM PUBLIC;
COMMENT ON FUNCTION messaging.send_batch(integer, bigint, bigint[], bigint[], uuid[], smallint[], text[], bytea[], bigint[],
    text[], bigint[], uuid[]) IS
    'Stores a batch of messages; sender 0: the system. The last five arrays may be empty: then no message has any of it. '
    'Mentions are arrays of accounts, as text. Outcomes: 0 accepted, 1 duplicate, 2 locked by another (next '
    'batch), 3 not_member, 4 user_blocked, 5 accept_first, 6 id_in_use, 7 too many for a pending request, 8 what it '
    'answers is not there, 9 its attachment is not there. Numbers are those of the journal, in any order of rows; '
    'audience is given with the first accepted message of each conversation.';
