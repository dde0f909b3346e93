-- What was said, and each person's place in it. Times are bigint µs since 1970 (UTC), made by the service.
-- The row of messaging.heads is the conversation's mutex: whoever writes its messages or inbox rows locks it first.

CREATE TABLE messaging.heads (
    conversation bigint PRIMARY KEY,
    seq bigint NOT NULL DEFAULT 0,
    position bigint NOT NULL DEFAULT 0,
    first_seq bigint NOT NULL DEFAULT 1,
    first_position bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
COMMENT ON TABLE messaging.heads IS
    'Heads of the streams messaging/c/CONVERSATION. No second index, ever: it would end HOT updates.';
COMMENT ON COLUMN messaging.heads.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.heads.seq IS 'Seq of the newest message; 0: none yet.';
COMMENT ON COLUMN messaging.heads.position IS 'Last position used.';
COMMENT ON COLUMN messaging.heads.first_seq IS 'Oldest seq still held.';
COMMENT ON COLUMN messaging.heads.first_position IS 'Changes since an older position cannot be told: start over.';

CREATE TABLE messaging.messages (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    id uuid NOT NULL,
    sender bigint,
    kind smallint NOT NULL,
    text text NOT NULL,
    sent_at bigint NOT NULL,
    position bigint NOT NULL,
    changed_at bigint,
    edited_at bigint,
    deleted_at bigint,
    expires_at bigint,
    reply_to_seq bigint,
    thread_seq bigint,
    forwarded_from bigint,
    extra bytea,
    legacy_id text COLLATE "C",
    PRIMARY KEY (conversation, seq),
    UNIQUE (conversation, id)
);
COMMENT ON TABLE messaging.messages IS
    'Messages: state, not history. Rows are emptied by deletion and retention, not removed.';
COMMENT ON COLUMN messaging.messages.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.messages.seq IS '1, 2, 3 … within the conversation, without gaps.';
COMMENT ON COLUMN messaging.messages.id IS 'Made by the client (UUIDv7); the same id is one message for ever.';
COMMENT ON COLUMN messaging.messages.sender IS 'Account of the sender; null: a system message.';
COMMENT ON COLUMN messaging.messages.kind IS 'As MessageKind: 1 text … 6 system.';
COMMENT ON COLUMN messaging.messages.text IS 'Its text; empty once deleted.';
COMMENT ON COLUMN messaging.messages.sent_at IS 'When the server took it.';
COMMENT ON COLUMN messaging.messages.position IS 'Of its last change, in the stream messaging/c of the conversation.';
COMMENT ON COLUMN messaging.messages.changed_at IS
    'Last change of any sort after it was sent; null: as sent. Brings it into messages_changed.';
COMMENT ON COLUMN messaging.messages.edited_at IS 'Last edit by its sender; null: never.';
COMMENT ON COLUMN messaging.messages.deleted_at IS 'When it was deleted for everyone; null: it was not.';
COMMENT ON COLUMN messaging.messages.expires_at IS 'When it disappears; null: never.';
COMMENT ON COLUMN messaging.messages.reply_to_seq IS 'The message it answers; null: none.';
COMMENT ON COLUMN messaging.messages.thread_seq IS 'The first message of its thread; null: in none.';
COMMENT ON COLUMN messaging.messages.forwarded_from IS 'Account of the original author of a forwarded message.';
COMMENT ON COLUMN messaging.messages.extra IS
    'Encoded protobuf of what only clients read (media, mentions); null: nothing.';
COMMENT ON COLUMN messaging.messages.legacy_id IS 'Id in the system it was imported from; its id is derived from it.';
CREATE INDEX messages_changed ON messaging.messages (conversation, position) WHERE changed_at IS NOT NULL;

CREATE TABLE messaging.inbox (
    account bigint NOT NULL,
    conversation bigint NOT NULL,
    touched_at bigint NOT NULL,
    position bigint NOT NULL DEFAULT 0,
    visible_from bigint NOT NULL DEFAULT 1,
    visible_to bigint,
    cleared_before bigint NOT NULL DEFAULT 0,
    read_seq bigint NOT NULL DEFAULT 0,
    read_at bigint,
    delivered_seq bigint NOT NULL DEFAULT 0,
    delivered_at bigint,
    pinned_at bigint,
    muted_until bigint,
    archived_at bigint,
    archived_seq bigint,
    marked_unread boolean NOT NULL DEFAULT false,
    PRIMARY KEY (account, conversation)
) WITH (fillfactor = 80);
COMMENT ON TABLE messaging.inbox IS
    'One person''s place in one conversation. Made by the first message; who has no row yet has the defaults.';
COMMENT ON COLUMN messaging.inbox.account IS 'Whose.';
COMMENT ON COLUMN messaging.inbox.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.inbox.touched_at IS 'Last news, at most 10 s out of date: Sync finds the row by it.';
COMMENT ON COLUMN messaging.inbox.position IS
    'Of the last change of this row, in the stream messaging/u of this account.';
COMMENT ON COLUMN messaging.inbox.visible_from IS 'Oldest seq the person may read.';
COMMENT ON COLUMN messaging.inbox.visible_to IS 'Newest seq the person may read; null: no end. Set for former members.';
COMMENT ON COLUMN messaging.inbox.cleared_before IS 'Messages up to this seq are deleted for this person.';
COMMENT ON COLUMN messaging.inbox.read_seq IS 'Read up to here; grows only.';
COMMENT ON COLUMN messaging.inbox.read_at IS 'When read_seq last grew.';
COMMENT ON COLUMN messaging.inbox.delivered_seq IS 'Delivered up to here; grows only.';
COMMENT ON COLUMN messaging.inbox.delivered_at IS 'When delivered_seq last grew.';
COMMENT ON COLUMN messaging.inbox.pinned_at IS 'When pinned; null: not pinned.';
COMMENT ON COLUMN messaging.inbox.muted_until IS 'Muted until then, the largest bigint for ever; null: not muted.';
COMMENT ON COLUMN messaging.inbox.archived_at IS 'When archived; null: not archived.';
COMMENT ON COLUMN messaging.inbox.archived_seq IS 'Newest seq when archived: a later one brings it back unless muted.';
COMMENT ON COLUMN messaging.inbox.marked_unread IS 'Marked unread by hand.';
CREATE INDEX inbox_touched ON messaging.inbox (account, touched_at, conversation);

CREATE TABLE messaging.person_heads (
    account bigint PRIMARY KEY,
    position bigint NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE messaging.person_heads IS 'Heads of the streams messaging/u/USER. Lock several in order of account.';
COMMENT ON COLUMN messaging.person_heads.account IS 'Whose stream.';
COMMENT ON COLUMN messaging.person_heads.position IS 'Last position used.';

-- ---------------------------------------------------------------------------------------------------------------------
-- Streams: epoch, lanes, journal (DESIGN §3). The same in every schema that publishes Updates.

CREATE TABLE messaging.epoch (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    id text NOT NULL
);
COMMENT ON TABLE messaging.epoch IS 'One row. Positions of one epoch cannot be compared with those of another.';
COMMENT ON COLUMN messaging.epoch.only_row IS 'Always true: there is one row.';
COMMENT ON COLUMN messaging.epoch.id IS 'Random; changed by whoever restores a backup.';

INSERT INTO messaging.epoch (id)
VALUES (replace(gen_random_uuid()::text, '-', ''));

CREATE FUNCTION messaging.epoch() RETURNS text
LANGUAGE sql STABLE
AS $$
    SELECT e.id || '.' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    FROM messaging.epoch AS e
$$;
REVOKE ALL ON FUNCTION messaging.epoch() FROM PUBLIC;
COMMENT ON FUNCTION messaging.epoch() IS
    'The epoch of all positions of this schema: id.TIMELINE. A restore or an asynchronous promotion gives another.';

CREATE TABLE messaging.lanes (
    lane integer PRIMARY KEY,
    number bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
COMMENT ON TABLE messaging.lanes IS
    'One row per lane, the identity of one writing connection, which holds a session advisory lock on it.';
COMMENT ON COLUMN messaging.lanes.lane IS 'Number of the lane, from 1.';
COMMENT ON COLUMN messaging.lanes.number IS
    'The last number used in the journal by this lane: dense, in order of commit.';

CREATE TABLE messaging.journal (
    lane integer NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    kinds smallint[] NOT NULL,
    subjects bigint[] NOT NULL,
    objects bigint[] NOT NULL,
    positions bigint[] NOT NULL,
    audience_counts smallint[] NOT NULL,
    audience bigint[] NOT NULL,
    PRIMARY KEY (lane, number, at)
) PARTITION BY RANGE (at);
-- Compressing them costs more time than their bytes.
ALTER TABLE messaging.journal
    ALTER COLUMN kinds SET STORAGE EXTERNAL,
    ALTER COLUMN subjects SET STORAGE EXTERNAL,
    ALTER COLUMN objects SET STORAGE EXTERNAL,
    ALTER COLUMN positions SET STORAGE EXTERNAL,
    ALTER COLUMN audience_counts SET STORAGE EXTERNAL,
    ALTER COLUMN audience SET STORAGE EXTERNAL;
COMMENT ON TABLE messaging.journal IS
    'Names of all published Updates, one row per transaction or batch, written in it; kept 7 days by keep_journal.';
COMMENT ON COLUMN messaging.journal.lane IS 'The writing lane.';
COMMENT ON COLUMN messaging.journal.number IS
    'Number of the first Update of this row; the row covers number … number + cardinality(positions) - 1.';
COMMENT ON COLUMN messaging.journal.at IS 'When, µs since 1970, by the clock of the service.';
COMMENT ON COLUMN messaging.journal.kinds IS 'What changed: 1 message.';
COMMENT ON COLUMN messaging.journal.subjects IS 'Kind 1: conversation whose stream messaging/c it is.';
COMMENT ON COLUMN messaging.journal.objects IS 'Kind 1: seq of the message.';
COMMENT ON COLUMN messaging.journal.positions IS
    'Position of each Update in the stream of its subject; 0: it takes none.';
COMMENT ON COLUMN messaging.journal.audience_counts IS
    'How many accounts of audience belong to each Update; -1: those of the nearest earlier Update of this row with '
    'the same subject.';
COMMENT ON COLUMN messaging.journal.audience IS
    'Account numbers who may see the Updates, one Update''s after the other''s.';

CREATE TABLE messaging.journal_default PARTITION OF messaging.journal DEFAULT;
COMMENT ON TABLE messaging.journal_default IS
    'Rows of days without a partition, so that a write never fails; keep_journal moves them.';

CREATE FUNCTION messaging.keep_journal(now_us bigint) RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog
SET lock_timeout = '1s'
AS $$
DECLARE
    day_us CONSTANT bigint := 86400000000;
    starts_at bigint;
    partition text;
    changed integer := 0;
BEGIN
    IF NOT pg_try_advisory_xact_lock(7304, hashtext('messaging')) THEN
        RETURN 0;
    END IF;

    -- ATTACH, unlike CREATE … PARTITION OF, lets writers of the other partitions go on.
    FOR starts_at IN
        SELECT now_us - now_us % day_us + ahead * day_us
        FROM generate_series(0, 3) AS ahead
    LOOP
        partition := 'journal_' || to_char(to_timestamp(starts_at / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('messaging.%I', partition)) IS NOT NULL;
        EXECUTE format('CREATE TABLE messaging.%I (LIKE messaging.journal INCLUDING ALL)', partition);
        EXECUTE format('COMMENT ON TABLE messaging.%I IS %L', partition, 'One day of the journal (UTC).');
        LOCK TABLE messaging.journal_default IN ACCESS EXCLUSIVE MODE;
        EXECUTE format(
            'WITH moved AS (DELETE FROM messaging.journal_default WHERE at >= %1$s AND at < %2$s RETURNING *) '
            'INSERT INTO messaging.%3$I SELECT * FROM moved',
            starts_at, starts_at + day_us, partition);
        EXECUTE format(
            'ALTER TABLE messaging.journal ATTACH PARTITION messaging.%I FOR VALUES FROM (%s) TO (%s)',
            partition, starts_at, starts_at + day_us);
        changed := changed + 1;
    END LOOP;

    DELETE FROM messaging.journal_default
    WHERE at < now_us - 7 * day_us;

    -- Dropping stops all writers for an instant; when one does not let go within the lock timeout, the next call drops.
    BEGIN
        FOR partition IN
            SELECT c.relname
            FROM pg_inherits AS i
            JOIN pg_class AS c ON c.oid = i.inhrelid
            WHERE i.inhparent = to_regclass('messaging.journal')
                AND c.relname ~ '^journal_[0-9]{8}$'
                AND c.relname::text COLLATE "C" < 'journal_'
                    || to_char(to_timestamp((now_us - 7 * day_us) / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD')
        LOOP
            EXECUTE format('DROP TABLE messaging.%I', partition);
            changed := changed + 1;
        END LOOP;
    EXCEPTION WHEN lock_not_available THEN
        NULL;
    END;
    RETURN changed;
END
$$;
REVOKE ALL ON FUNCTION messaging.keep_journal(bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.keep_journal(bigint) IS
    'Makes the journal''s partitions of today and the next 3 days and drops those older than 7; to be called at '
    'start and every hour. Returns how many it made and dropped.';

-- ---------------------------------------------------------------------------------------------------------------------
-- Sending (DESIGN §4, group commit). One call is one transaction; the calls of a lane are serial, lanes run at once.
-- It must be VOLATILE: each statement needs its own snapshot. The first locks, the second sees what the locks protect
-- (a racing duplicate, a block acknowledged before). It waits for no other transaction: what is locked comes back as
-- outcome 2. Plans are made once per connection, perhaps when the tables are empty, so the settings leave the planner
-- only plans that stay right when they have grown. For the same reason a row is looked up by BETWEEN and in the
-- order of the index that is meant: with `=`, a planner that knows of one message a conversation takes any index.

CREATE FUNCTION messaging.send_batch(
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
    locked bigint[];
    locked_seqs bigint[];
    locked_positions bigint[];
    absent bigint[];
    last_number bigint;
BEGIN
    SELECT l.number
    INTO STRICT last_number
    FROM messaging.lanes AS l
    WHERE l.lane = batch_lane;

    SELECT array_agg(h.conversation), array_agg(h.seq), array_agg(h.position)
    INTO locked, locked_seqs, locked_positions
    FROM (
        SELECT conversation, seq, position
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
                        SELECT max(a.write_refusal) FILTER (WHERE a.account = i.sender)
                        FROM conversations.access AS a
                        WHERE a.conversation = i.conversation
                    ) = 0
                ORDER BY i.conversation
                OFFSET 0
            ) AS e
            WHERE pg_try_advisory_xact_lock(7303, hashint8(e.conversation))
            ON CONFLICT DO NOTHING;

            SELECT array_agg(h.conversation), array_agg(h.seq), array_agg(h.position)
            INTO locked, locked_seqs, locked_positions
            FROM (
                SELECT conversation, seq, position
                FROM messaging.heads
                WHERE conversation = ANY (batch_conversations)
                ORDER BY conversation
                FOR UPDATE SKIP LOCKED
            ) AS h;
        END IF;
    END IF;

    RETURN QUERY
    WITH talk AS MATERIALIZED (
        SELECT l.conversation, l.seq, l.position, m.accounts, m.refusals, m.until_seq, m.readers
        FROM unnest(locked, locked_seqs, locked_positions) AS l (conversation, seq, position)
        CROSS JOIN LATERAL (
            SELECT array_agg(a.account) AS accounts,
                array_agg(a.write_refusal) AS refusals,
                min(a.write_until_seq) AS until_seq,
                array_agg(a.account) FILTER (WHERE a.may_read) AS readers
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
        FULL JOIN talk AS t ON t.conversation = i.conversation
    ),
    ruled AS (
        SELECT a.*, s.seq AS stored_seq, s.position AS stored_position, s.sent_at AS stored_at,
            CASE
                WHEN NOT a.is_locked THEN
                    CASE WHEN a.conversation = ANY (absent) THEN coalesce((
                        SELECT (ARRAY[2, 5, 4, 3])[max(x.write_refusal) FILTER (WHERE x.account = a.sender) + 1]
                        FROM conversations.access AS x
                        WHERE x.conversation = a.conversation), 3)
                    ELSE 2 END
                WHEN s.sender = a.sender THEN 1
                WHEN a.refusal = 0 THEN CASE WHEN s.seq IS NULL THEN 0 ELSE 6 END
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
            c.readers
        FROM counted AS c
    ),
    stored AS (
        INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position)
        SELECT i.conversation, i.seq, i.id, i.sender, i.kind, i.text, i.sent_at, i.position
        FROM item AS i
        WHERE i.accepted
    ),
    latest AS MATERIALIZED (
        SELECT i.conversation, max(i.seq) AS seq, max(i.position) AS position
        FROM item AS i
        WHERE i.accepted
        GROUP BY i.conversation
    ),
    advanced AS (
        UPDATE messaging.heads AS h
        SET seq = t.seq, position = t.position
        FROM latest AS t
        WHERE h.conversation = t.conversation
    ),
    touched AS (
        INSERT INTO messaging.inbox (account, conversation, touched_at)
        SELECT r.account, r.conversation, batch_at
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
        WHERE b.touched_at IS NULL OR b.touched_at < batch_at - touch_after_us
        ON CONFLICT (account, conversation) DO UPDATE
        SET touched_at = excluded.touched_at
    ),
    published AS (
        SELECT min(j.number) AS first_number, max(j.number) AS last_used,
            array_agg(1::smallint) AS kinds,
            array_agg(j.conversation) AS subjects,
            array_agg(j.seq) AS objects,
            array_agg(j.position) AS positions,
            array_agg(j.audience_count) AS audience_counts
        FROM (
            SELECT i.number, i.conversation, i.seq, i.position,
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
        SELECT batch_lane, p.first_number, batch_at, p.kinds, p.subjects, p.objects, p.positions, p.audience_counts,
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
    ) AS f ON true;
END
$$;
REVOKE ALL ON FUNCTION messaging.send_batch(integer, bigint, bigint[], bigint[], uuid[], smallint[], text[])
FROM PUBLIC;
COMMENT ON FUNCTION messaging.send_batch(integer, bigint, bigint[], bigint[], uuid[], smallint[], text[]) IS
    'Stores a batch of messages. Outcomes: 0 accepted, 1 duplicate, 2 locked by another (next batch), 3 not_member, '
    '4 user_blocked, 5 accept_first, 6 id_in_use, 7 too many for a pending request. Rows come in the order of the '
    'journal''s numbers; audience is given with the first accepted message of each conversation.';

-- ---------------------------------------------------------------------------------------------------------------------
-- What is published to entities.

CREATE VIEW messaging.readable AS
SELECT a.account, m.conversation, m.seq, m.id, m.sender, m.kind, m.text, m.sent_at, m.position
FROM conversations.access AS a
JOIN messaging.messages AS m ON m.conversation = a.conversation
LEFT JOIN LATERAL (
    SELECT i.visible_from, i.visible_to, i.cleared_before
    FROM messaging.inbox AS i
    WHERE i.account = a.account AND i.conversation BETWEEN a.conversation AND a.conversation
    ORDER BY i.conversation
    LIMIT 1
) AS b ON true
WHERE (a.may_read OR b.visible_to IS NOT NULL)
    AND m.seq >= coalesce(b.visible_from, 1)
    AND m.seq <= coalesce(b.visible_to, 9223372036854775807)
    AND m.seq > coalesce(b.cleared_before, 0)
    AND m.deleted_at IS NULL;
COMMENT ON VIEW messaging.readable IS
    'Messages by who may read them. Ask with conversation = and account BETWEEN itself and itself, so that the '
    'primary key serves.';

GRANT SELECT ON messaging.readable, messaging.journal, messaging.lanes TO parley_entities;
