-- conversations 1, messaging 1, presence 1, entities 1
SET check_function_bodies = false;
SELECT pg_catalog.set_config('search_path', '', false);
CREATE SCHEMA conversations;

ALTER SCHEMA conversations OWNER TO parley_conversations;

COMMENT ON SCHEMA conversations IS 'Who may talk to whom: accounts, devices, conversations, members, blocks.';

CREATE SCHEMA entities;

ALTER SCHEMA entities OWNER TO parley_entities;

COMMENT ON SCHEMA entities IS 'What a conversation means: reminders, later events and decisions.';

CREATE SCHEMA messaging;

ALTER SCHEMA messaging OWNER TO parley_messaging;

COMMENT ON SCHEMA messaging IS 'What was said, and each person''s place in it.';

CREATE SCHEMA presence;

ALTER SCHEMA presence OWNER TO parley_presence;

COMMENT ON SCHEMA presence IS 'Who was there last; the rest of presence is in memory.';

CREATE FUNCTION conversations.epoch() RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT e.id || '.' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    FROM conversations.epoch AS e
$$;

ALTER FUNCTION conversations.epoch() OWNER TO parley_conversations;

COMMENT ON FUNCTION conversations.epoch() IS 'The epoch of all positions of this schema: id.TIMELINE. A restore or an asynchronous promotion gives another.';

CREATE FUNCTION conversations.keep_journal(now_us bigint) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET lock_timeout TO '1s'
    AS $_$
DECLARE
    day_us CONSTANT bigint := 86400000000;
    starts_at bigint;
    partition text;
    changed integer := 0;
BEGIN
    IF NOT pg_try_advisory_xact_lock(7304, hashtext('conversations')) THEN
        RETURN 0;
    END IF;

    -- ATTACH, unlike CREATE … PARTITION OF, lets writers of the other partitions go on.
    FOR starts_at IN
        SELECT now_us - now_us % day_us + ahead * day_us
        FROM generate_series(0, 3) AS ahead
    LOOP
        partition := 'journal_' || to_char(to_timestamp(starts_at / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('conversations.%I', partition)) IS NOT NULL;
        EXECUTE format('CREATE TABLE conversations.%I (LIKE conversations.journal INCLUDING ALL)', partition);
        EXECUTE format('COMMENT ON TABLE conversations.%I IS %L', partition, 'One day of the journal (UTC).');
        LOCK TABLE conversations.journal_default IN ACCESS EXCLUSIVE MODE;
        EXECUTE format(
            'WITH moved AS (DELETE FROM conversations.journal_default WHERE at >= %1$s AND at < %2$s RETURNING *) '
            'INSERT INTO conversations.%3$I SELECT * FROM moved',
            starts_at, starts_at + day_us, partition);
        EXECUTE format(
            'ALTER TABLE conversations.journal ATTACH PARTITION conversations.%I FOR VALUES FROM (%s) TO (%s)',
            partition, starts_at, starts_at + day_us);
        changed := changed + 1;
    END LOOP;

    DELETE FROM conversations.journal_default
    WHERE at < now_us - 7 * day_us;

    -- Dropping stops all writers for an instant; when one does not let go within the lock timeout, the next call drops.
    BEGIN
        FOR partition IN
            SELECT c.relname
            FROM pg_inherits AS i
            JOIN pg_class AS c ON c.oid = i.inhrelid
            WHERE i.inhparent = to_regclass('conversations.journal')
                AND c.relname ~ '^journal_[0-9]{8}$'
                AND c.relname::text COLLATE "C" < 'journal_'
                    || to_char(to_timestamp((now_us - 7 * day_us) / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD')
        LOOP
            EXECUTE format('DROP TABLE conversations.%I', partition);
            changed := changed + 1;
        END LOOP;
    EXCEPTION WHEN lock_not_available THEN
        NULL;
    END;
    RETURN changed;
END
$_$;

ALTER FUNCTION conversations.keep_journal(now_us bigint) OWNER TO parley_conversations;

COMMENT ON FUNCTION conversations.keep_journal(now_us bigint) IS 'Makes the journal''s partitions of today and the next 3 days and drops those older than 7; to be called at start and every hour. Returns how many it made and dropped.';

CREATE FUNCTION entities.epoch() RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT e.id || '.' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    FROM entities.epoch AS e
$$;

ALTER FUNCTION entities.epoch() OWNER TO parley_entities;

COMMENT ON FUNCTION entities.epoch() IS 'The epoch of all positions of this schema: id.TIMELINE. A restore or an asynchronous promotion gives another.';

CREATE FUNCTION entities.keep_journal(now_us bigint) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET lock_timeout TO '1s'
    AS $_$
DECLARE
    day_us CONSTANT bigint := 86400000000;
    starts_at bigint;
    partition text;
    changed integer := 0;
BEGIN
    IF NOT pg_try_advisory_xact_lock(7304, hashtext('entities')) THEN
        RETURN 0;
    END IF;

    -- ATTACH, unlike CREATE … PARTITION OF, lets writers of the other partitions go on.
    FOR starts_at IN
        SELECT now_us - now_us % day_us + ahead * day_us
        FROM generate_series(0, 3) AS ahead
    LOOP
        partition := 'journal_' || to_char(to_timestamp(starts_at / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('entities.%I', partition)) IS NOT NULL;
        EXECUTE format('CREATE TABLE entities.%I (LIKE entities.journal INCLUDING ALL)', partition);
        EXECUTE format('COMMENT ON TABLE entities.%I IS %L', partition, 'One day of the journal (UTC).');
        LOCK TABLE entities.journal_default IN ACCESS EXCLUSIVE MODE;
        EXECUTE format(
            'WITH moved AS (DELETE FROM entities.journal_default WHERE at >= %1$s AND at < %2$s RETURNING *) '
            'INSERT INTO entities.%3$I SELECT * FROM moved',
            starts_at, starts_at + day_us, partition);
        EXECUTE format(
            'ALTER TABLE entities.journal ATTACH PARTITION entities.%I FOR VALUES FROM (%s) TO (%s)',
            partition, starts_at, starts_at + day_us);
        changed := changed + 1;
    END LOOP;

    DELETE FROM entities.journal_default
    WHERE at < now_us - 7 * day_us;

    -- Dropping stops all writers for an instant; when one does not let go within the lock timeout, the next call drops.
    BEGIN
        FOR partition IN
            SELECT c.relname
            FROM pg_inherits AS i
            JOIN pg_class AS c ON c.oid = i.inhrelid
            WHERE i.inhparent = to_regclass('entities.journal')
                AND c.relname ~ '^journal_[0-9]{8}$'
                AND c.relname::text COLLATE "C" < 'journal_'
                    || to_char(to_timestamp((now_us - 7 * day_us) / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD')
        LOOP
            EXECUTE format('DROP TABLE entities.%I', partition);
            changed := changed + 1;
        END LOOP;
    EXCEPTION WHEN lock_not_available THEN
        NULL;
    END;
    RETURN changed;
END
$_$;

ALTER FUNCTION entities.keep_journal(now_us bigint) OWNER TO parley_entities;

COMMENT ON FUNCTION entities.keep_journal(now_us bigint) IS 'Makes the journal''s partitions of today and the next 3 days and drops those older than 7; to be called at start and every hour. Returns how many it made and dropped.';

CREATE FUNCTION messaging.epoch() RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT e.id || '.' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    FROM messaging.epoch AS e
$$;

ALTER FUNCTION messaging.epoch() OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.epoch() IS 'The epoch of all positions of this schema: id.TIMELINE. A restore or an asynchronous promotion gives another.';

CREATE FUNCTION messaging.keep_journal(now_us bigint) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET lock_timeout TO '1s'
    AS $_$
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
$_$;

ALTER FUNCTION messaging.keep_journal(now_us bigint) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.keep_journal(now_us bigint) IS 'Makes the journal''s partitions of today and the next 3 days and drops those older than 7; to be called at start and every hour. Returns how many it made and dropped.';

CREATE FUNCTION messaging.send_batch(batch_lane integer, batch_at bigint, batch_conversations bigint[], batch_senders bigint[], batch_ids uuid[], batch_kinds smallint[], batch_texts text[]) RETURNS TABLE(ordinal integer, outcome smallint, seq bigint, "position" bigint, sent_at bigint, number bigint, audience bigint[])
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_sort TO 'off'
    SET enable_incremental_sort TO 'off'
    SET jit TO 'off'
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

ALTER FUNCTION messaging.send_batch(batch_lane integer, batch_at bigint, batch_conversations bigint[], batch_senders bigint[], batch_ids uuid[], batch_kinds smallint[], batch_texts text[]) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.send_batch(batch_lane integer, batch_at bigint, batch_conversations bigint[], batch_senders bigint[], batch_ids uuid[], batch_kinds smallint[], batch_texts text[]) IS 'Stores a batch of messages. Outcomes: 0 accepted, 1 duplicate, 2 locked by another (next batch), 3 not_member, 4 user_blocked, 5 accept_first, 6 id_in_use, 7 too many for a pending request. Rows come in the order of the journal''s numbers; audience is given with the first accepted message of each conversation.';

CREATE TABLE conversations.members (
    conversation bigint NOT NULL,
    account bigint NOT NULL,
    role smallint DEFAULT 1 NOT NULL,
    write_refusal smallint DEFAULT 0 NOT NULL,
    write_until_seq bigint,
    may_read boolean DEFAULT true NOT NULL,
    joined_at bigint NOT NULL,
    left_at bigint,
    "position" bigint NOT NULL,
    CONSTRAINT members_check CHECK (((left_at IS NULL) OR ((write_refusal = 3) AND (NOT may_read)))),
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY[1, 2, 3]))),
    CONSTRAINT members_write_refusal_check CHECK (((write_refusal >= 0) AND (write_refusal <= 3)))
)
WITH (fillfactor='90');

ALTER TABLE conversations.members OWNER TO parley_conversations;

COMMENT ON TABLE conversations.members IS 'One flat row per member: all that a send or a read has to ask. Rewritten when status, a block or a role changes.';

COMMENT ON COLUMN conversations.members.conversation IS 'The conversation.';

COMMENT ON COLUMN conversations.members.account IS 'The member.';

COMMENT ON COLUMN conversations.members.role IS 'As MemberRole: 1 member, 2 admin, 3 owner.';

COMMENT ON COLUMN conversations.members.write_refusal IS 'Why the member may not write: 0 may write, 1 accept_first, 2 user_blocked, 3 not_member (any more).';

COMMENT ON COLUMN conversations.members.write_until_seq IS 'No message beyond this seq while the request is pending; the same for all members of a conversation; null: no limit.';

COMMENT ON COLUMN conversations.members.may_read IS 'Reads new messages and is told of them; false for former members.';

COMMENT ON COLUMN conversations.members.joined_at IS 'When the member joined, the last time.';

COMMENT ON COLUMN conversations.members.left_at IS 'When the member left or was removed; null: is a member.';

COMMENT ON COLUMN conversations.members."position" IS 'Position, in the stream conversations/u of this account, of the last change of the conversation as this member sees it.';

CREATE VIEW conversations.access AS
 SELECT members.conversation,
    members.account,
    members.role,
    members.write_refusal,
    members.write_until_seq,
    members.may_read,
    members.joined_at,
    members.left_at,
    members."position"
   FROM conversations.members;

ALTER TABLE conversations.access OWNER TO parley_conversations;

COMMENT ON VIEW conversations.access IS 'Who may do what where; the columns are those of conversations.members.';

CREATE TABLE conversations.accounts (
    account bigint NOT NULL,
    user_id text NOT NULL COLLATE pg_catalog."C",
    username text COLLATE pg_catalog."C",
    register_id uuid,
    password_hash text,
    display_name text DEFAULT ''::text NOT NULL,
    email text,
    photo_url text DEFAULT ''::text NOT NULL,
    created_at bigint NOT NULL,
    tokens_void_before bigint DEFAULT 0 NOT NULL,
    erased_at bigint,
    legacy_id text COLLATE pg_catalog."C",
    CONSTRAINT accounts_user_id_check CHECK ((user_id ~ '^[A-Za-z0-9]{1,64}$'::text)),
    CONSTRAINT accounts_username_check CHECK ((username ~ '^[a-z0-9][a-z0-9.-]{1,31}$'::text))
);

ALTER TABLE conversations.accounts OWNER TO parley_conversations;

COMMENT ON TABLE conversations.accounts IS 'People. A row is never deleted: an erased one keeps its user_id reserved.';

COMMENT ON COLUMN conversations.accounts.account IS 'The account''s number inside Parley; clients never see it.';

COMMENT ON COLUMN conversations.accounts.user_id IS 'Opaque, permanent, never reused; the id that clients see.';

COMMENT ON COLUMN conversations.accounts.username IS 'For signing in and finding; null when erased or never chosen.';

COMMENT ON COLUMN conversations.accounts.register_id IS 'Id of the request that made the account: the same again is the same account.';

COMMENT ON COLUMN conversations.accounts.password_hash IS 'argon2id in its text form; null: no sign-in by password.';

COMMENT ON COLUMN conversations.accounts.display_name IS 'Shown to everyone who is signed in.';

COMMENT ON COLUMN conversations.accounts.email IS 'Only its owner sees it.';

COMMENT ON COLUMN conversations.accounts.photo_url IS 'Shown to everyone who is signed in; empty: none.';

COMMENT ON COLUMN conversations.accounts.created_at IS 'When the account was made.';

COMMENT ON COLUMN conversations.accounts.tokens_void_before IS 'Access tokens of any device made before are void (sign out everywhere).';

COMMENT ON COLUMN conversations.accounts.erased_at IS 'When its owner had it erased.';

COMMENT ON COLUMN conversations.accounts.legacy_id IS 'Id in the system it was imported from.';

CREATE VIEW conversations.account_ids AS
 SELECT accounts.account,
    accounts.user_id
   FROM conversations.accounts;

ALTER TABLE conversations.account_ids OWNER TO parley_conversations;

COMMENT ON VIEW conversations.account_ids IS 'Numbers and ids of accounts.';

ALTER TABLE conversations.accounts ALTER COLUMN account ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME conversations.accounts_account_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE conversations.blocks (
    account bigint NOT NULL,
    blocked bigint NOT NULL,
    at bigint NOT NULL
);

ALTER TABLE conversations.blocks OWNER TO parley_conversations;

COMMENT ON TABLE conversations.blocks IS 'Who blocked whom.';

COMMENT ON COLUMN conversations.blocks.account IS 'Who blocked.';

COMMENT ON COLUMN conversations.blocks.blocked IS 'Account that is blocked.';

COMMENT ON COLUMN conversations.blocks.at IS 'When.';

CREATE TABLE conversations.conversations (
    conversation bigint NOT NULL,
    conversation_id text NOT NULL COLLATE pg_catalog."C",
    kind smallint NOT NULL,
    status smallint DEFAULT 2 NOT NULL,
    requester bigint,
    name text DEFAULT ''::text NOT NULL,
    photo_url text DEFAULT ''::text NOT NULL,
    created_by bigint NOT NULL,
    created_at bigint NOT NULL,
    members_version bigint DEFAULT 1 NOT NULL,
    legacy_id text COLLATE pg_catalog."C",
    CONSTRAINT conversations_check CHECK ((conversation_id ~
CASE kind
    WHEN 1 THEN '^[A-Za-z0-9]{1,64}_[A-Za-z0-9]{1,64}$'::text
    ELSE '^[A-Za-z0-9]{1,64}$'::text
END)),
    CONSTRAINT conversations_kind_check CHECK ((kind = ANY (ARRAY[1, 2]))),
    CONSTRAINT conversations_status_check CHECK ((status = ANY (ARRAY[1, 2, 3])))
);

ALTER TABLE conversations.conversations OWNER TO parley_conversations;

COMMENT ON TABLE conversations.conversations IS 'Conversations. Who belongs to them: conversations.members.';

COMMENT ON COLUMN conversations.conversations.conversation IS 'The conversation''s number inside Parley; clients never see it.';

COMMENT ON COLUMN conversations.conversations.conversation_id IS 'Direct: both user ids, sorted bytewise, joined by "_". Groups: no "_".';

COMMENT ON COLUMN conversations.conversations.kind IS 'As ConversationKind: 1 direct, 2 group.';

COMMENT ON COLUMN conversations.conversations.status IS 'As ConversationStatus: 1 pending, 2 accepted, 3 blocked.';

COMMENT ON COLUMN conversations.conversations.requester IS 'Account that asked while pending; null: no request was needed.';

COMMENT ON COLUMN conversations.conversations.name IS 'Of a group; empty for direct ones.';

COMMENT ON COLUMN conversations.conversations.photo_url IS 'Of a group; empty: none.';

COMMENT ON COLUMN conversations.conversations.created_by IS 'Account that made it.';

COMMENT ON COLUMN conversations.conversations.created_at IS 'When it was made.';

COMMENT ON COLUMN conversations.conversations.members_version IS 'Grows with every change of members; names the audience of a large group.';

COMMENT ON COLUMN conversations.conversations.legacy_id IS 'Id in the system it was imported from.';

CREATE VIEW conversations.conversation_ids AS
 SELECT conversations.conversation,
    conversations.conversation_id,
    conversations.kind
   FROM conversations.conversations;

ALTER TABLE conversations.conversation_ids OWNER TO parley_conversations;

COMMENT ON VIEW conversations.conversation_ids IS 'Numbers and ids of conversations.';

ALTER TABLE conversations.conversations ALTER COLUMN conversation ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME conversations.conversations_conversation_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE conversations.devices (
    account bigint NOT NULL,
    device_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    signed_in_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    tokens_void_before bigint DEFAULT 0 NOT NULL,
    revoked_at bigint,
    CONSTRAINT devices_device_id_check CHECK ((device_id ~ '^[A-Za-z0-9]{1,64}$'::text))
);

ALTER TABLE conversations.devices OWNER TO parley_conversations;

COMMENT ON TABLE conversations.devices IS 'Signed-in devices; one sign-in is one device.';

COMMENT ON COLUMN conversations.devices.account IS 'Whose.';

COMMENT ON COLUMN conversations.devices.device_id IS 'Made by the server at sign-in.';

COMMENT ON COLUMN conversations.devices.name IS 'As the client calls it: "Alice''s iPhone".';

COMMENT ON COLUMN conversations.devices.signed_in_at IS 'When it signed in.';

COMMENT ON COLUMN conversations.devices.last_used_at IS 'When it last got a token; coarse.';

COMMENT ON COLUMN conversations.devices.tokens_void_before IS 'Access tokens of this device made before are void.';

COMMENT ON COLUMN conversations.devices.revoked_at IS 'When it was signed out or revoked; null: signed in.';

CREATE TABLE conversations.epoch (
    only_row boolean DEFAULT true NOT NULL,
    id text NOT NULL,
    CONSTRAINT epoch_only_row_check CHECK (only_row)
);

ALTER TABLE conversations.epoch OWNER TO parley_conversations;

COMMENT ON TABLE conversations.epoch IS 'One row. Positions of one epoch cannot be compared with those of another.';

COMMENT ON COLUMN conversations.epoch.only_row IS 'Always true: there is one row.';

COMMENT ON COLUMN conversations.epoch.id IS 'Random; changed by whoever restores a backup.';

CREATE TABLE conversations.heads (
    account bigint NOT NULL,
    "position" bigint NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE conversations.heads OWNER TO parley_conversations;

COMMENT ON TABLE conversations.heads IS 'Heads of the streams conversations/u/USER. Lock several in order of account.';

COMMENT ON COLUMN conversations.heads.account IS 'Whose stream.';

COMMENT ON COLUMN conversations.heads."position" IS 'Last position used.';

CREATE TABLE conversations.journal (
    lane integer NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    kinds smallint[] NOT NULL,
    subjects bigint[] NOT NULL,
    objects bigint[] NOT NULL,
    positions bigint[] NOT NULL,
    audience_counts smallint[] NOT NULL,
    audience bigint[] NOT NULL
)
PARTITION BY RANGE (at);
ALTER TABLE ONLY conversations.journal ALTER COLUMN kinds SET STORAGE EXTERNAL;
ALTER TABLE ONLY conversations.journal ALTER COLUMN subjects SET STORAGE EXTERNAL;
ALTER TABLE ONLY conversations.journal ALTER COLUMN objects SET STORAGE EXTERNAL;
ALTER TABLE ONLY conversations.journal ALTER COLUMN positions SET STORAGE EXTERNAL;
ALTER TABLE ONLY conversations.journal ALTER COLUMN audience_counts SET STORAGE EXTERNAL;
ALTER TABLE ONLY conversations.journal ALTER COLUMN audience SET STORAGE EXTERNAL;

ALTER TABLE conversations.journal OWNER TO parley_conversations;

COMMENT ON TABLE conversations.journal IS 'Names of all published Updates, one row per transaction or batch, written in it; kept 7 days by keep_journal.';

COMMENT ON COLUMN conversations.journal.lane IS 'The writing lane.';

COMMENT ON COLUMN conversations.journal.number IS 'Number of the first Update of this row; the row covers number … number + cardinality(positions) - 1.';

COMMENT ON COLUMN conversations.journal.at IS 'When, µs since 1970, by the clock of the service.';

COMMENT ON COLUMN conversations.journal.kinds IS 'What changed: 1 conversation as its subject sees it, 2 the subject''s device or sign-ins were revoked.';

COMMENT ON COLUMN conversations.journal.subjects IS 'Account whose stream conversations/u it is.';

COMMENT ON COLUMN conversations.journal.objects IS 'Kind 1: number of the conversation. Kind 2: 0.';

COMMENT ON COLUMN conversations.journal.positions IS 'Position of each Update in the stream of its subject; 0: it takes none.';

COMMENT ON COLUMN conversations.journal.audience_counts IS 'How many accounts of audience belong to each Update; -1: those of the nearest earlier Update of this row with the same subject.';

COMMENT ON COLUMN conversations.journal.audience IS 'Account numbers who may see the Updates, one Update''s after the other''s.';

CREATE TABLE conversations.journal_20250303 (
    lane integer NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    kinds smallint[] NOT NULL,
    subjects bigint[] NOT NULL,
    objects bigint[] NOT NULL,
    positions bigint[] NOT NULL,
    audience_counts smallint[] NOT NULL,
    audience bigint[] NOT NULL
);
ALTER TABLE ONLY conversations.journal_20250303 ALTER COLUMN kinds SET STORAGE EXTERNAL;
ALTER TABLE ONLY conversations.journal_20250303 ALTER COLUMN subjects SET STORAGE EXTERNAL;
ALTER TABLE ONLY conversations.journal_20250303 ALTER COLUMN objects SET STORAGE EXTERNAL;
ALTER TABLE ONLY conversations.journal_20250303 ALTER COLUMN positions SET STORAGE EXTERNAL;
ALTER TABLE ONLY conversations.journal_20250303 ALTER COLUMN audience_counts SET STORAGE EXTERNAL;
ALTER TABLE ONLY conversations.journal_20250303 ALTER COLUMN audience SET STORAGE EXTERNAL;

ALTER TABLE conversations.journal_20250303 OWNER TO parley_conversations;

COMMENT ON TABLE conversations.journal_20250303 IS 'One day of the journal (UTC).';

COMMENT ON COLUMN conversations.journal_20250303.lane IS 'The writing lane.';

COMMENT ON COLUMN conversations.journal_20250303.number IS 'Number of the first Update of this row; the row covers number … number + cardinality(positions) - 1.';

COMMENT ON COLUMN conversations.journal_20250303.at IS 'When, µs since 1970, by the clock of the service.';

COMMENT ON COLUMN conversations.journal_20250303.kinds IS 'What changed: 1 conversation as its subject sees it, 2 the subject''s device or sign-ins were revoked.';

COMMENT ON COLUMN conversations.journal_20250303.subjects IS 'Account whose stream conversations/u it is.';

COMMENT ON COLUMN conversations.journal_20250303.objects IS 'Kind 1: number of the conversation. Kind 2: 0.';

COMMENT ON COLUMN conversations.journal_20250303.positions IS 'Position of each Update in the stream of its subject; 0: it takes none.';

COMMENT ON COLUMN conversations.journal_20250303.audience_counts IS 'How many accounts of audience belong to each Update; -1: those of the nearest earlier Update of this row with the same subject.';

COMMENT ON COLUMN conversations.journal_20250303.audience IS 'Account numbers who may see the Updates, one Update''s after the other''s.';

CREATE TABLE conversations.journal_default (
    lane integer NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    kinds smallint[] NOT NULL,
    subjects bigint[] NOT NULL,
    objects bigint[] NOT NULL,
    positions bigint[] NOT NULL,
    audience_counts smallint[] NOT NULL,
    audience bigint[] NOT NULL
);
ALTER TABLE ONLY conversations.journal_default ALTER COLUMN kinds SET STORAGE EXTERNAL;
ALTER TABLE ONLY conversations.journal_default ALTER COLUMN subjects SET STORAGE EXTERNAL;
ALTER TABLE ONLY conversations.journal_default ALTER COLUMN objects SET STORAGE EXTERNAL;
ALTER TABLE ONLY conversations.journal_default ALTER COLUMN positions SET STORAGE EXTERNAL;
ALTER TABLE ONLY conversations.journal_default ALTER COLUMN audience_counts SET STORAGE EXTERNAL;
ALTER TABLE ONLY conversations.journal_default ALTER COLUMN audience SET STORAGE EXTERNAL;

ALTER TABLE conversations.journal_default OWNER TO parley_conversations;

COMMENT ON TABLE conversations.journal_default IS 'Rows of days without a partition, so that a write never fails; keep_journal moves them.';

CREATE TABLE conversations.lanes (
    lane integer NOT NULL,
    number bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='10');

ALTER TABLE conversations.lanes OWNER TO parley_conversations;

COMMENT ON TABLE conversations.lanes IS 'One row per lane, the identity of one writing connection, which holds a session advisory lock on it.';

COMMENT ON COLUMN conversations.lanes.lane IS 'Number of the lane, from 1.';

COMMENT ON COLUMN conversations.lanes.number IS 'The last number used in the journal by this lane: dense, in order of commit.';

CREATE TABLE conversations.migrations (
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone NOT NULL
);

ALTER TABLE conversations.migrations OWNER TO parley_conversations;

COMMENT ON TABLE conversations.migrations IS 'What was done to this schema, one row for each migration.';

COMMENT ON COLUMN conversations.migrations.number IS 'From 1, without gaps.';

COMMENT ON COLUMN conversations.migrations.name IS 'The name of its file, without .sql.';

COMMENT ON COLUMN conversations.migrations.checksum IS 'SHA-256 of its text, hexadecimal: a migration is never edited.';

COMMENT ON COLUMN conversations.migrations.applied_at IS 'By the clock of the database.';

CREATE TABLE conversations.refresh_tokens (
    account bigint NOT NULL,
    hash bytea NOT NULL,
    device_id text NOT NULL COLLATE pg_catalog."C",
    family uuid NOT NULL,
    issued_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    used_at bigint,
    CONSTRAINT refresh_tokens_hash_check CHECK ((octet_length(hash) = 32))
);

ALTER TABLE conversations.refresh_tokens OWNER TO parley_conversations;

COMMENT ON TABLE conversations.refresh_tokens IS 'Rotating refresh tokens. A used one that comes again betrays a thief: its family''s device is revoked.';

COMMENT ON COLUMN conversations.refresh_tokens.account IS 'Whose; the token names its user, so that one key finds it.';

COMMENT ON COLUMN conversations.refresh_tokens.hash IS 'SHA-256 or BLAKE2b-256 of the token; the token itself is not kept.';

COMMENT ON COLUMN conversations.refresh_tokens.device_id IS 'The device it signs in.';

COMMENT ON COLUMN conversations.refresh_tokens.family IS 'All tokens that came from one sign-in by rotation.';

COMMENT ON COLUMN conversations.refresh_tokens.issued_at IS 'When it was made.';

COMMENT ON COLUMN conversations.refresh_tokens.expires_at IS 'When it stops working.';

COMMENT ON COLUMN conversations.refresh_tokens.used_at IS 'When it was exchanged for the next; null: not yet.';

CREATE TABLE conversations.retired_usernames (
    keyed_hash bytea NOT NULL,
    retired_at bigint NOT NULL
);

ALTER TABLE conversations.retired_usernames OWNER TO parley_conversations;

COMMENT ON TABLE conversations.retired_usernames IS 'Usernames of erased accounts, never given out again.';

COMMENT ON COLUMN conversations.retired_usernames.keyed_hash IS 'Keyed hash of the username, so that the name itself is gone.';

COMMENT ON COLUMN conversations.retired_usernames.retired_at IS 'When the account was erased.';

CREATE TABLE conversations.sign_in_attempts (
    key text NOT NULL COLLATE pg_catalog."C",
    window_started_at bigint NOT NULL,
    attempts integer NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE conversations.sign_in_attempts OWNER TO parley_conversations;

COMMENT ON TABLE conversations.sign_in_attempts IS 'Counts for the sign-in limits, shared by all replicas.';

COMMENT ON COLUMN conversations.sign_in_attempts.key IS 'What is limited: "user:NAME", "address:ADDRESS".';

COMMENT ON COLUMN conversations.sign_in_attempts.window_started_at IS 'When the current window began.';

COMMENT ON COLUMN conversations.sign_in_attempts.attempts IS 'Attempts in the current window.';

CREATE TABLE conversations.signing_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    public bytea NOT NULL,
    secret bytea NOT NULL,
    created_at bigint NOT NULL,
    retired_at bigint,
    CONSTRAINT signing_keys_public_check CHECK ((octet_length(public) = 32))
);

ALTER TABLE conversations.signing_keys OWNER TO parley_conversations;

COMMENT ON TABLE conversations.signing_keys IS 'Ed25519 keys that sign access tokens.';

COMMENT ON COLUMN conversations.signing_keys.id IS 'Key id, as in the token''s header.';

COMMENT ON COLUMN conversations.signing_keys.public IS 'Public key, 32 bytes; gateways check with it.';

COMMENT ON COLUMN conversations.signing_keys.secret IS 'Secret key; leaves this schema in no view.';

COMMENT ON COLUMN conversations.signing_keys.created_at IS 'When it was made; the newest not retired signs.';

COMMENT ON COLUMN conversations.signing_keys.retired_at IS 'Since when it signs no more; checked until its last token has run out.';

CREATE TABLE entities.epoch (
    only_row boolean DEFAULT true NOT NULL,
    id text NOT NULL,
    CONSTRAINT epoch_only_row_check CHECK (only_row)
);

ALTER TABLE entities.epoch OWNER TO parley_entities;

COMMENT ON TABLE entities.epoch IS 'One row. Positions of one epoch cannot be compared with those of another.';

COMMENT ON COLUMN entities.epoch.only_row IS 'Always true: there is one row.';

COMMENT ON COLUMN entities.epoch.id IS 'Random; changed by whoever restores a backup.';

CREATE TABLE entities.heads (
    account bigint NOT NULL,
    "position" bigint NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE entities.heads OWNER TO parley_entities;

COMMENT ON TABLE entities.heads IS 'Heads of the streams entities/u/USER. Lock several in order of account.';

COMMENT ON COLUMN entities.heads.account IS 'Whose stream.';

COMMENT ON COLUMN entities.heads."position" IS 'Last position used.';

CREATE TABLE entities.journal (
    lane integer NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    kinds smallint[] NOT NULL,
    subjects bigint[] NOT NULL,
    objects bigint[] NOT NULL,
    positions bigint[] NOT NULL,
    audience_counts smallint[] NOT NULL,
    audience bigint[] NOT NULL
)
PARTITION BY RANGE (at);
ALTER TABLE ONLY entities.journal ALTER COLUMN kinds SET STORAGE EXTERNAL;
ALTER TABLE ONLY entities.journal ALTER COLUMN subjects SET STORAGE EXTERNAL;
ALTER TABLE ONLY entities.journal ALTER COLUMN objects SET STORAGE EXTERNAL;
ALTER TABLE ONLY entities.journal ALTER COLUMN positions SET STORAGE EXTERNAL;
ALTER TABLE ONLY entities.journal ALTER COLUMN audience_counts SET STORAGE EXTERNAL;
ALTER TABLE ONLY entities.journal ALTER COLUMN audience SET STORAGE EXTERNAL;

ALTER TABLE entities.journal OWNER TO parley_entities;

COMMENT ON TABLE entities.journal IS 'Names of all published Updates, one row per transaction or batch, written in it; kept 7 days by keep_journal.';

COMMENT ON COLUMN entities.journal.lane IS 'The writing lane.';

COMMENT ON COLUMN entities.journal.number IS 'Number of the first Update of this row; the row covers number … number + cardinality(positions) - 1.';

COMMENT ON COLUMN entities.journal.at IS 'When, µs since 1970, by the clock of the service.';

COMMENT ON COLUMN entities.journal.kinds IS 'What changed: 1 reminder.';

COMMENT ON COLUMN entities.journal.subjects IS 'Account whose stream entities/u it is.';

COMMENT ON COLUMN entities.journal.objects IS '0; the row is found by subject and position.';

COMMENT ON COLUMN entities.journal.positions IS 'Position of each Update in the stream of its subject; 0: it takes none.';

COMMENT ON COLUMN entities.journal.audience_counts IS 'How many accounts of audience belong to each Update; -1: those of the nearest earlier Update of this row with the same subject.';

COMMENT ON COLUMN entities.journal.audience IS 'Account numbers who may see the Updates, one Update''s after the other''s.';

CREATE TABLE entities.journal_20250303 (
    lane integer NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    kinds smallint[] NOT NULL,
    subjects bigint[] NOT NULL,
    objects bigint[] NOT NULL,
    positions bigint[] NOT NULL,
    audience_counts smallint[] NOT NULL,
    audience bigint[] NOT NULL
);
ALTER TABLE ONLY entities.journal_20250303 ALTER COLUMN kinds SET STORAGE EXTERNAL;
ALTER TABLE ONLY entities.journal_20250303 ALTER COLUMN subjects SET STORAGE EXTERNAL;
ALTER TABLE ONLY entities.journal_20250303 ALTER COLUMN objects SET STORAGE EXTERNAL;
ALTER TABLE ONLY entities.journal_20250303 ALTER COLUMN positions SET STORAGE EXTERNAL;
ALTER TABLE ONLY entities.journal_20250303 ALTER COLUMN audience_counts SET STORAGE EXTERNAL;
ALTER TABLE ONLY entities.journal_20250303 ALTER COLUMN audience SET STORAGE EXTERNAL;

ALTER TABLE entities.journal_20250303 OWNER TO parley_entities;

COMMENT ON TABLE entities.journal_20250303 IS 'One day of the journal (UTC).';

COMMENT ON COLUMN entities.journal_20250303.lane IS 'The writing lane.';

COMMENT ON COLUMN entities.journal_20250303.number IS 'Number of the first Update of this row; the row covers number … number + cardinality(positions) - 1.';

COMMENT ON COLUMN entities.journal_20250303.at IS 'When, µs since 1970, by the clock of the service.';

COMMENT ON COLUMN entities.journal_20250303.kinds IS 'What changed: 1 reminder.';

COMMENT ON COLUMN entities.journal_20250303.subjects IS 'Account whose stream entities/u it is.';

COMMENT ON COLUMN entities.journal_20250303.objects IS '0; the row is found by subject and position.';

COMMENT ON COLUMN entities.journal_20250303.positions IS 'Position of each Update in the stream of its subject; 0: it takes none.';

COMMENT ON COLUMN entities.journal_20250303.audience_counts IS 'How many accounts of audience belong to each Update; -1: those of the nearest earlier Update of this row with the same subject.';

COMMENT ON COLUMN entities.journal_20250303.audience IS 'Account numbers who may see the Updates, one Update''s after the other''s.';

CREATE TABLE entities.journal_default (
    lane integer NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    kinds smallint[] NOT NULL,
    subjects bigint[] NOT NULL,
    objects bigint[] NOT NULL,
    positions bigint[] NOT NULL,
    audience_counts smallint[] NOT NULL,
    audience bigint[] NOT NULL
);
ALTER TABLE ONLY entities.journal_default ALTER COLUMN kinds SET STORAGE EXTERNAL;
ALTER TABLE ONLY entities.journal_default ALTER COLUMN subjects SET STORAGE EXTERNAL;
ALTER TABLE ONLY entities.journal_default ALTER COLUMN objects SET STORAGE EXTERNAL;
ALTER TABLE ONLY entities.journal_default ALTER COLUMN positions SET STORAGE EXTERNAL;
ALTER TABLE ONLY entities.journal_default ALTER COLUMN audience_counts SET STORAGE EXTERNAL;
ALTER TABLE ONLY entities.journal_default ALTER COLUMN audience SET STORAGE EXTERNAL;

ALTER TABLE entities.journal_default OWNER TO parley_entities;

COMMENT ON TABLE entities.journal_default IS 'Rows of days without a partition, so that a write never fails; keep_journal moves them.';

CREATE TABLE entities.lanes (
    lane integer NOT NULL,
    number bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='10');

ALTER TABLE entities.lanes OWNER TO parley_entities;

COMMENT ON TABLE entities.lanes IS 'One row per lane, the identity of one writing connection, which holds a session advisory lock on it.';

COMMENT ON COLUMN entities.lanes.lane IS 'Number of the lane, from 1.';

COMMENT ON COLUMN entities.lanes.number IS 'The last number used in the journal by this lane: dense, in order of commit.';

CREATE TABLE entities.migrations (
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone NOT NULL
);

ALTER TABLE entities.migrations OWNER TO parley_entities;

COMMENT ON TABLE entities.migrations IS 'What was done to this schema, one row for each migration.';

COMMENT ON COLUMN entities.migrations.number IS 'From 1, without gaps.';

COMMENT ON COLUMN entities.migrations.name IS 'The name of its file, without .sql.';

COMMENT ON COLUMN entities.migrations.checksum IS 'SHA-256 of its text, hexadecimal: a migration is never edited.';

COMMENT ON COLUMN entities.migrations.applied_at IS 'By the clock of the database.';

CREATE TABLE entities.reminders (
    account bigint NOT NULL,
    id uuid NOT NULL,
    title text NOT NULL,
    due_at bigint NOT NULL,
    time_zone text NOT NULL,
    conversation bigint,
    source_message uuid,
    notification_id text DEFAULT ''::text NOT NULL,
    created_at bigint NOT NULL,
    completed_at bigint,
    fired_at bigint,
    deleted_at bigint,
    "position" bigint NOT NULL
);

ALTER TABLE entities.reminders OWNER TO parley_entities;

COMMENT ON TABLE entities.reminders IS 'Reminders; each is its owner''s alone.';

COMMENT ON COLUMN entities.reminders.account IS 'Whose.';

COMMENT ON COLUMN entities.reminders.id IS 'Made by the client (UUIDv7).';

COMMENT ON COLUMN entities.reminders.title IS 'What to remember; empty once deleted.';

COMMENT ON COLUMN entities.reminders.due_at IS 'When it is due.';

COMMENT ON COLUMN entities.reminders.time_zone IS 'IANA name of the zone the time was meant in.';

COMMENT ON COLUMN entities.reminders.conversation IS 'Number of the conversation it came from; null: none.';

COMMENT ON COLUMN entities.reminders.source_message IS 'Id of the message it came from; null: none.';

COMMENT ON COLUMN entities.reminders.notification_id IS 'The client''s own; empty: none.';

COMMENT ON COLUMN entities.reminders.created_at IS 'When it was made.';

COMMENT ON COLUMN entities.reminders.completed_at IS 'When it was completed; null: open.';

COMMENT ON COLUMN entities.reminders.fired_at IS 'When its owner was reminded; null: not yet.';

COMMENT ON COLUMN entities.reminders.deleted_at IS 'When it was deleted; the row stays for devices that were away.';

COMMENT ON COLUMN entities.reminders."position" IS 'Of its last change, in the stream entities/u of its owner.';

CREATE TABLE messaging.epoch (
    only_row boolean DEFAULT true NOT NULL,
    id text NOT NULL,
    CONSTRAINT epoch_only_row_check CHECK (only_row)
);

ALTER TABLE messaging.epoch OWNER TO parley_messaging;

COMMENT ON TABLE messaging.epoch IS 'One row. Positions of one epoch cannot be compared with those of another.';

COMMENT ON COLUMN messaging.epoch.only_row IS 'Always true: there is one row.';

COMMENT ON COLUMN messaging.epoch.id IS 'Random; changed by whoever restores a backup.';

CREATE TABLE messaging.heads (
    conversation bigint NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    first_seq bigint DEFAULT 1 NOT NULL,
    first_position bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE messaging.heads OWNER TO parley_messaging;

COMMENT ON TABLE messaging.heads IS 'Heads of the streams messaging/c/CONVERSATION. No second index, ever: it would end HOT updates.';

COMMENT ON COLUMN messaging.heads.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.heads.seq IS 'Seq of the newest message; 0: none yet.';

COMMENT ON COLUMN messaging.heads."position" IS 'Last position used.';

COMMENT ON COLUMN messaging.heads.first_seq IS 'Oldest seq still held.';

COMMENT ON COLUMN messaging.heads.first_position IS 'Changes since an older position cannot be told: start over.';

CREATE TABLE messaging.inbox (
    account bigint NOT NULL,
    conversation bigint NOT NULL,
    touched_at bigint NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    visible_from bigint DEFAULT 1 NOT NULL,
    visible_to bigint,
    cleared_before bigint DEFAULT 0 NOT NULL,
    read_seq bigint DEFAULT 0 NOT NULL,
    read_at bigint,
    delivered_seq bigint DEFAULT 0 NOT NULL,
    delivered_at bigint,
    pinned_at bigint,
    muted_until bigint,
    archived_at bigint,
    archived_seq bigint,
    marked_unread boolean DEFAULT false NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE messaging.inbox OWNER TO parley_messaging;

COMMENT ON TABLE messaging.inbox IS 'One person''s place in one conversation. Made by the first message; who has no row yet has the defaults.';

COMMENT ON COLUMN messaging.inbox.account IS 'Whose.';

COMMENT ON COLUMN messaging.inbox.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.inbox.touched_at IS 'Last news, at most 10 s out of date: Sync finds the row by it.';

COMMENT ON COLUMN messaging.inbox."position" IS 'Of the last change of this row, in the stream messaging/u of this account.';

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

CREATE TABLE messaging.journal (
    lane integer NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    kinds smallint[] NOT NULL,
    subjects bigint[] NOT NULL,
    objects bigint[] NOT NULL,
    positions bigint[] NOT NULL,
    audience_counts smallint[] NOT NULL,
    audience bigint[] NOT NULL
)
PARTITION BY RANGE (at);
ALTER TABLE ONLY messaging.journal ALTER COLUMN kinds SET STORAGE EXTERNAL;
ALTER TABLE ONLY messaging.journal ALTER COLUMN subjects SET STORAGE EXTERNAL;
ALTER TABLE ONLY messaging.journal ALTER COLUMN objects SET STORAGE EXTERNAL;
ALTER TABLE ONLY messaging.journal ALTER COLUMN positions SET STORAGE EXTERNAL;
ALTER TABLE ONLY messaging.journal ALTER COLUMN audience_counts SET STORAGE EXTERNAL;
ALTER TABLE ONLY messaging.journal ALTER COLUMN audience SET STORAGE EXTERNAL;

ALTER TABLE messaging.journal OWNER TO parley_messaging;

COMMENT ON TABLE messaging.journal IS 'Names of all published Updates, one row per transaction or batch, written in it; kept 7 days by keep_journal.';

COMMENT ON COLUMN messaging.journal.lane IS 'The writing lane.';

COMMENT ON COLUMN messaging.journal.number IS 'Number of the first Update of this row; the row covers number … number + cardinality(positions) - 1.';

COMMENT ON COLUMN messaging.journal.at IS 'When, µs since 1970, by the clock of the service.';

COMMENT ON COLUMN messaging.journal.kinds IS 'What changed: 1 message.';

COMMENT ON COLUMN messaging.journal.subjects IS 'Kind 1: conversation whose stream messaging/c it is.';

COMMENT ON COLUMN messaging.journal.objects IS 'Kind 1: seq of the message.';

COMMENT ON COLUMN messaging.journal.positions IS 'Position of each Update in the stream of its subject; 0: it takes none.';

COMMENT ON COLUMN messaging.journal.audience_counts IS 'How many accounts of audience belong to each Update; -1: those of the nearest earlier Update of this row with the same subject.';

COMMENT ON COLUMN messaging.journal.audience IS 'Account numbers who may see the Updates, one Update''s after the other''s.';

CREATE TABLE messaging.journal_20250303 (
    lane integer NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    kinds smallint[] NOT NULL,
    subjects bigint[] NOT NULL,
    objects bigint[] NOT NULL,
    positions bigint[] NOT NULL,
    audience_counts smallint[] NOT NULL,
    audience bigint[] NOT NULL
);
ALTER TABLE ONLY messaging.journal_20250303 ALTER COLUMN kinds SET STORAGE EXTERNAL;
ALTER TABLE ONLY messaging.journal_20250303 ALTER COLUMN subjects SET STORAGE EXTERNAL;
ALTER TABLE ONLY messaging.journal_20250303 ALTER COLUMN objects SET STORAGE EXTERNAL;
ALTER TABLE ONLY messaging.journal_20250303 ALTER COLUMN positions SET STORAGE EXTERNAL;
ALTER TABLE ONLY messaging.journal_20250303 ALTER COLUMN audience_counts SET STORAGE EXTERNAL;
ALTER TABLE ONLY messaging.journal_20250303 ALTER COLUMN audience SET STORAGE EXTERNAL;

ALTER TABLE messaging.journal_20250303 OWNER TO parley_messaging;

COMMENT ON TABLE messaging.journal_20250303 IS 'One day of the journal (UTC).';

COMMENT ON COLUMN messaging.journal_20250303.lane IS 'The writing lane.';

COMMENT ON COLUMN messaging.journal_20250303.number IS 'Number of the first Update of this row; the row covers number … number + cardinality(positions) - 1.';

COMMENT ON COLUMN messaging.journal_20250303.at IS 'When, µs since 1970, by the clock of the service.';

COMMENT ON COLUMN messaging.journal_20250303.kinds IS 'What changed: 1 message.';

COMMENT ON COLUMN messaging.journal_20250303.subjects IS 'Kind 1: conversation whose stream messaging/c it is.';

COMMENT ON COLUMN messaging.journal_20250303.objects IS 'Kind 1: seq of the message.';

COMMENT ON COLUMN messaging.journal_20250303.positions IS 'Position of each Update in the stream of its subject; 0: it takes none.';

COMMENT ON COLUMN messaging.journal_20250303.audience_counts IS 'How many accounts of audience belong to each Update; -1: those of the nearest earlier Update of this row with the same subject.';

COMMENT ON COLUMN messaging.journal_20250303.audience IS 'Account numbers who may see the Updates, one Update''s after the other''s.';

CREATE TABLE messaging.journal_default (
    lane integer NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    kinds smallint[] NOT NULL,
    subjects bigint[] NOT NULL,
    objects bigint[] NOT NULL,
    positions bigint[] NOT NULL,
    audience_counts smallint[] NOT NULL,
    audience bigint[] NOT NULL
);
ALTER TABLE ONLY messaging.journal_default ALTER COLUMN kinds SET STORAGE EXTERNAL;
ALTER TABLE ONLY messaging.journal_default ALTER COLUMN subjects SET STORAGE EXTERNAL;
ALTER TABLE ONLY messaging.journal_default ALTER COLUMN objects SET STORAGE EXTERNAL;
ALTER TABLE ONLY messaging.journal_default ALTER COLUMN positions SET STORAGE EXTERNAL;
ALTER TABLE ONLY messaging.journal_default ALTER COLUMN audience_counts SET STORAGE EXTERNAL;
ALTER TABLE ONLY messaging.journal_default ALTER COLUMN audience SET STORAGE EXTERNAL;

ALTER TABLE messaging.journal_default OWNER TO parley_messaging;

COMMENT ON TABLE messaging.journal_default IS 'Rows of days without a partition, so that a write never fails; keep_journal moves them.';

CREATE TABLE messaging.lanes (
    lane integer NOT NULL,
    number bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='10');

ALTER TABLE messaging.lanes OWNER TO parley_messaging;

COMMENT ON TABLE messaging.lanes IS 'One row per lane, the identity of one writing connection, which holds a session advisory lock on it.';

COMMENT ON COLUMN messaging.lanes.lane IS 'Number of the lane, from 1.';

COMMENT ON COLUMN messaging.lanes.number IS 'The last number used in the journal by this lane: dense, in order of commit.';

CREATE TABLE messaging.messages (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    id uuid NOT NULL,
    sender bigint,
    kind smallint NOT NULL,
    text text NOT NULL,
    sent_at bigint NOT NULL,
    "position" bigint NOT NULL,
    changed_at bigint,
    edited_at bigint,
    deleted_at bigint,
    expires_at bigint,
    reply_to_seq bigint,
    thread_seq bigint,
    forwarded_from bigint,
    extra bytea,
    legacy_id text COLLATE pg_catalog."C"
);

ALTER TABLE messaging.messages OWNER TO parley_messaging;

COMMENT ON TABLE messaging.messages IS 'Messages: state, not history. Rows are emptied by deletion and retention, not removed.';

COMMENT ON COLUMN messaging.messages.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.messages.seq IS '1, 2, 3 … within the conversation, without gaps.';

COMMENT ON COLUMN messaging.messages.id IS 'Made by the client (UUIDv7); the same id is one message for ever.';

COMMENT ON COLUMN messaging.messages.sender IS 'Account of the sender; null: a system message.';

COMMENT ON COLUMN messaging.messages.kind IS 'As MessageKind: 1 text … 6 system.';

COMMENT ON COLUMN messaging.messages.text IS 'Its text; empty once deleted.';

COMMENT ON COLUMN messaging.messages.sent_at IS 'When the server took it.';

COMMENT ON COLUMN messaging.messages."position" IS 'Of its last change, in the stream messaging/c of the conversation.';

COMMENT ON COLUMN messaging.messages.changed_at IS 'Last change of any sort after it was sent; null: as sent. Brings it into messages_changed.';

COMMENT ON COLUMN messaging.messages.edited_at IS 'Last edit by its sender; null: never.';

COMMENT ON COLUMN messaging.messages.deleted_at IS 'When it was deleted for everyone; null: it was not.';

COMMENT ON COLUMN messaging.messages.expires_at IS 'When it disappears; null: never.';

COMMENT ON COLUMN messaging.messages.reply_to_seq IS 'The message it answers; null: none.';

COMMENT ON COLUMN messaging.messages.thread_seq IS 'The first message of its thread; null: in none.';

COMMENT ON COLUMN messaging.messages.forwarded_from IS 'Account of the original author of a forwarded message.';

COMMENT ON COLUMN messaging.messages.extra IS 'Encoded protobuf of what only clients read (media, mentions); null: nothing.';

COMMENT ON COLUMN messaging.messages.legacy_id IS 'Id in the system it was imported from; its id is derived from it.';

CREATE TABLE messaging.migrations (
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone NOT NULL
);

ALTER TABLE messaging.migrations OWNER TO parley_messaging;

COMMENT ON TABLE messaging.migrations IS 'What was done to this schema, one row for each migration.';

COMMENT ON COLUMN messaging.migrations.number IS 'From 1, without gaps.';

COMMENT ON COLUMN messaging.migrations.name IS 'The name of its file, without .sql.';

COMMENT ON COLUMN messaging.migrations.checksum IS 'SHA-256 of its text, hexadecimal: a migration is never edited.';

COMMENT ON COLUMN messaging.migrations.applied_at IS 'By the clock of the database.';

CREATE TABLE messaging.person_heads (
    account bigint NOT NULL,
    "position" bigint NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE messaging.person_heads OWNER TO parley_messaging;

COMMENT ON TABLE messaging.person_heads IS 'Heads of the streams messaging/u/USER. Lock several in order of account.';

COMMENT ON COLUMN messaging.person_heads.account IS 'Whose stream.';

COMMENT ON COLUMN messaging.person_heads."position" IS 'Last position used.';

CREATE VIEW messaging.readable AS
 SELECT a.account,
    m.conversation,
    m.seq,
    m.id,
    m.sender,
    m.kind,
    m.text,
    m.sent_at,
    m."position"
   FROM ((conversations.access a
     JOIN messaging.messages m ON ((m.conversation = a.conversation)))
     LEFT JOIN LATERAL ( SELECT i.visible_from,
            i.visible_to,
            i.cleared_before
           FROM messaging.inbox i
          WHERE ((i.account = a.account) AND ((i.conversation >= a.conversation) AND (i.conversation <= a.conversation)))
          ORDER BY i.conversation
         LIMIT 1) b ON (true))
  WHERE ((a.may_read OR (b.visible_to IS NOT NULL)) AND (m.seq >= COALESCE(b.visible_from, (1)::bigint)) AND (m.seq <= COALESCE(b.visible_to, '9223372036854775807'::bigint)) AND (m.seq > COALESCE(b.cleared_before, (0)::bigint)) AND (m.deleted_at IS NULL));

ALTER TABLE messaging.readable OWNER TO parley_messaging;

COMMENT ON VIEW messaging.readable IS 'Messages by who may read them. Ask with conversation = and account BETWEEN itself and itself, so that the primary key serves.';

CREATE TABLE presence.last_seen (
    account bigint NOT NULL,
    at bigint NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE presence.last_seen OWNER TO parley_presence;

COMMENT ON TABLE presence.last_seen IS 'When each person was last online; no row: never seen.';

COMMENT ON COLUMN presence.last_seen.account IS 'Who.';

COMMENT ON COLUMN presence.last_seen.at IS 'When, µs since 1970 (UTC).';

CREATE TABLE presence.migrations (
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone NOT NULL
);

ALTER TABLE presence.migrations OWNER TO parley_presence;

COMMENT ON TABLE presence.migrations IS 'What was done to this schema, one row for each migration.';

COMMENT ON COLUMN presence.migrations.number IS 'From 1, without gaps.';

COMMENT ON COLUMN presence.migrations.name IS 'The name of its file, without .sql.';

COMMENT ON COLUMN presence.migrations.checksum IS 'SHA-256 of its text, hexadecimal: a migration is never edited.';

COMMENT ON COLUMN presence.migrations.applied_at IS 'By the clock of the database.';

ALTER TABLE ONLY conversations.journal ATTACH PARTITION conversations.journal_20250303 FOR VALUES FROM ('1740960000000000') TO ('1741046400000000');

ALTER TABLE ONLY conversations.journal ATTACH PARTITION conversations.journal_default DEFAULT;

ALTER TABLE ONLY entities.journal ATTACH PARTITION entities.journal_20250303 FOR VALUES FROM ('1740960000000000') TO ('1741046400000000');

ALTER TABLE ONLY entities.journal ATTACH PARTITION entities.journal_default DEFAULT;

ALTER TABLE ONLY messaging.journal ATTACH PARTITION messaging.journal_20250303 FOR VALUES FROM ('1740960000000000') TO ('1741046400000000');

ALTER TABLE ONLY messaging.journal ATTACH PARTITION messaging.journal_default DEFAULT;

INSERT INTO conversations.accounts VALUES
	(1, 'Ana1', 'ana', '01955be8-0000-7000-8000-0000000000a1', '$argon2id$v=19$m=19456,t=2,p=1$3tgtPykauQ5m8dcSXlhZ0A$o2DSGg6I4sMWzxwbZuZLnQd4kDJfuHs73V9tmhSNQIk', 'Ana Vásquez', 'ana@example.org', '', 1741003200000001, 0, NULL, NULL),
	(2, 'Ben2', 'ben', '01955be8-0000-7000-8000-0000000000a2', '$argon2id$v=19$m=19456,t=2,p=1$3tgtPykauQ5m8dcSXlhZ0A$o2DSGg6I4sMWzxwbZuZLnQd4kDJfuHs73V9tmhSNQIk', 'Ben', NULL, '', 1741003200000002, 0, NULL, 'old-2'),
	(3, 'Cleo3', 'cleo', '01955be8-0000-7000-8000-0000000000a3', '$argon2id$v=19$m=19456,t=2,p=1$3tgtPykauQ5m8dcSXlhZ0A$o2DSGg6I4sMWzxwbZuZLnQd4kDJfuHs73V9tmhSNQIk', 'Cleo Ångström', NULL, '', 1741003200000003, 0, NULL, NULL),
	(4, 'Dora4', NULL, NULL, NULL, '', NULL, '', 1741003200000004, 0, 1741003800000000, NULL);

INSERT INTO conversations.blocks VALUES
	(3, 4, 1741003230000000);

INSERT INTO conversations.conversations VALUES
	(1, 'Ana1_Ben2', 1, 2, NULL, '', '', 1, 1741003210000000, 1, 'old-talk'),
	(2, '01955be8000070008000000000000002', 2, 2, NULL, 'Harbour', '', 3, 1741003220000000, 1, NULL);

INSERT INTO conversations.devices VALUES
	(1, 'AnaPhone1', 'Ana''s phone', 1741003201000000, 1741003202000000, 0, NULL),
	(1, 'AnaOld1', 'Ana''s old phone', 1741003201000000, 1741003202000000, 1741003300000000, 1741003300000000),
	(2, 'BenPhone2', 'Ben''s phone', 1741003201000000, 1741003202000000, 0, NULL);

INSERT INTO conversations.epoch VALUES
	(true, '59a2e7f36a7c6da6c6d5bcf42857574e');

INSERT INTO conversations.heads VALUES
	(1, 2),
	(2, 2),
	(3, 1);

INSERT INTO conversations.journal_20250303 VALUES
	(1, 1, 1741003210000000, '{1,1}', '{1,2}', '{1,1}', '{1,1}', '{1,1}', '{1,2}');

INSERT INTO conversations.journal_default VALUES
	(1, 3, 1741103220000000, '{1,1,1}', '{1,2,3}', '{2,2,2}', '{2,2,1}', '{1,1,1}', '{1,2,3}');

INSERT INTO conversations.lanes VALUES
	(1, 5),
	(2, 0);

INSERT INTO conversations.members VALUES
	(1, 1, 1, 0, NULL, true, 1741003210000000, NULL, 1),
	(1, 2, 1, 0, NULL, true, 1741003210000000, NULL, 1),
	(2, 1, 1, 0, NULL, true, 1741003220000000, NULL, 2),
	(2, 2, 1, 0, NULL, true, 1741003220000000, NULL, 2),
	(2, 3, 3, 0, NULL, true, 1741003220000000, NULL, 1);

INSERT INTO conversations.migrations VALUES
	(1, 'accounts_and_conversations', '87e5255df6d738b78551e4e88fab227bb26ede2eb27f4fb03d8c247d1eb98265', '2025-03-03 11:06:41+00');

INSERT INTO conversations.refresh_tokens VALUES
	(1, '\x58e083af152255a9f9e653189400622bf47e27f92f42a0618897029032575cea', 'AnaPhone1', '01955be8-0000-7000-8000-0000000000f1', 1741003201000000, 1743595201000000, 1741003202000000),
	(1, '\xa663f7a778732c5038a05fec6672c83b750c163bf09ff462962974a575c8b851', 'AnaPhone1', '01955be8-0000-7000-8000-0000000000f1', 1741003202000000, 1743595202000000, NULL);

INSERT INTO conversations.retired_usernames VALUES
	('\x69db31976ead37b85cc42a49c95fd06eec99cfd9b7ff219a25c0f59cb4049343', 1741003800000000);

INSERT INTO conversations.sign_in_attempts VALUES
	('user:ana', 1741003200000000, 2),
	('address:192.0.2.1', 1741003200000000, 3);

INSERT INTO conversations.signing_keys VALUES
	('keyOfRFC8032', '\xd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', '\x9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 1741003200000000, NULL);

INSERT INTO entities.epoch VALUES
	(true, '07214c6750d983a32e0a33da225c4efd');

INSERT INTO entities.heads VALUES
	(1, 4);

INSERT INTO entities.journal_20250303 VALUES
	(1, 1, 1741003230000000, '{1}', '{1}', '{0}', '{1}', '{1}', '{1}');

INSERT INTO entities.journal_default VALUES
	(1, 2, 1741103240000000, '{1,1,1}', '{1,1,1}', '{0,0,0}', '{2,3,4}', '{1,-1,-1}', '{1}');

INSERT INTO entities.lanes VALUES
	(1, 4);

INSERT INTO entities.migrations VALUES
	(1, 'reminders', 'd0e027b6c4cd5b56e258ee1a90b85a0226b7bba24e9f2d8dd917d92c55e36828', '2025-03-03 11:06:41+00');

INSERT INTO entities.reminders VALUES
	(1, '01955be8-0000-7000-8000-000000000301', 'Bring the rope', 1741089600000000, 'Europe/Stockholm', 2, '01955be8-0000-7000-8000-000000000203', 'local-1', 1741003230000000, NULL, NULL, NULL, 1),
	(1, '01955be8-0000-7000-8000-000000000302', 'Buy tar', 1741089600000000, 'America/New_York', NULL, NULL, '', 1741003231000000, 1741003240000000, NULL, NULL, 3),
	(1, '01955be8-0000-7000-8000-000000000303', '', 1741089600000000, 'UTC', NULL, NULL, '', 1741003232000000, NULL, NULL, 1741003241000000, 4);

INSERT INTO messaging.epoch VALUES
	(true, '6dd5452492381aea23c90f8bd374fc49');

INSERT INTO messaging.heads VALUES
	(1, 5, 6, 1, 0),
	(2, 3, 3, 1, 0);

INSERT INTO messaging.inbox VALUES
	(1, 1, 1741003215000000, 0, 1, NULL, 0, 5, 1741003215500000, 5, 1741003215400000, NULL, NULL, NULL, NULL, false),
	(2, 1, 1741003215000000, 0, 1, NULL, 0, 3, 1741003213500000, 3, 1741003213400000, NULL, NULL, NULL, NULL, false),
	(1, 2, 1741003223000000, 1, 1, NULL, 0, 2, 1741003222500000, 3, 1741003223400000, 1741003224000000, NULL, NULL, NULL, false),
	(2, 2, 1741003223000000, 1, 1, NULL, 0, 0, NULL, 0, NULL, NULL, 9223372036854775807, NULL, NULL, false),
	(3, 2, 1741003223000000, 0, 1, NULL, 0, 1, 1741003221500000, 1, 1741003221400000, NULL, NULL, NULL, NULL, false);

INSERT INTO messaging.journal_20250303 VALUES
	(1, 1, 1741003211000000, '{1,1,1,1,1}', '{1,1,1,1,1}', '{1,2,3,4,5}', '{1,2,3,4,5}', '{2,-1,-1,-1,-1}', '{1,2}'),
	(1, 6, 1741003221000000, '{1,1,1}', '{2,2,2}', '{1,2,3}', '{1,2,3}', '{3,-1,-1}', '{1,2,3}');

INSERT INTO messaging.journal_default VALUES
	(2, 1, 1741103216000000, '{1}', '{1}', '{4}', '{6}', '{2}', '{1,2}');

INSERT INTO messaging.lanes VALUES
	(1, 8),
	(2, 1);

INSERT INTO messaging.messages VALUES
	(1, 1, '01955be8-0000-7000-8000-000000000101', 1, 1, 'Hello Ben', 1741003211000000, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'old-m1'),
	(1, 2, '01955be8-0000-7000-8000-000000000102', 2, 1, 'Hej Ana 👋🏽', 1741003212000000, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(1, 3, '01955be8-0000-7000-8000-000000000103', 1, 1, 'Two lines,
and ''quotes''; $1 \ %', 1741003213000000, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(1, 4, '01955be8-0000-7000-8000-000000000104', 1, 1, '', 1741003214000000, 6, 1741003216000000, NULL, 1741003216000000, NULL, NULL, NULL, NULL, NULL, NULL),
	(1, 5, '01955be8-0000-7000-8000-000000000105', 2, 1, 'See you at the harbour', 1741003215000000, 5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(2, 1, '01955be8-0000-7000-8000-000000000201', 3, 1, 'Welcome aboard', 1741003221000000, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(2, 2, '01955be8-0000-7000-8000-000000000202', 1, 1, 'Thanks, Cleo', 1741003222000000, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(2, 3, '01955be8-0000-7000-8000-000000000203', 2, 1, 'When do we sail?', 1741003223000000, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

INSERT INTO messaging.migrations VALUES
	(1, 'messages', '3c0b90ce5a942bf90bbce43b52dfb68fbd7590d62b6814f9f6d1527735efd14a', '2025-03-03 11:06:41+00');

INSERT INTO messaging.person_heads VALUES
	(1, 1),
	(2, 1);

INSERT INTO presence.last_seen VALUES
	(1, 1741003900000000),
	(2, 1741003901000000);

INSERT INTO presence.migrations VALUES
	(1, 'last_seen', '7e9364ea3333fd9659c08e6fd48ac2b5a6cfde99c203103f51b2901b06204558', '2025-03-03 11:06:41+00');

SELECT pg_catalog.setval('conversations.accounts_account_seq', 4, true);

SELECT pg_catalog.setval('conversations.conversations_conversation_seq', 2, true);

ALTER TABLE ONLY conversations.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (account);

ALTER TABLE ONLY conversations.accounts
    ADD CONSTRAINT accounts_register_id_key UNIQUE (register_id);

ALTER TABLE ONLY conversations.accounts
    ADD CONSTRAINT accounts_user_id_key UNIQUE (user_id);

ALTER TABLE ONLY conversations.accounts
    ADD CONSTRAINT accounts_username_key UNIQUE (username);

ALTER TABLE ONLY conversations.blocks
    ADD CONSTRAINT blocks_pkey PRIMARY KEY (account, blocked);

ALTER TABLE ONLY conversations.conversations
    ADD CONSTRAINT conversations_conversation_id_key UNIQUE (conversation_id);

ALTER TABLE ONLY conversations.conversations
    ADD CONSTRAINT conversations_pkey PRIMARY KEY (conversation);

ALTER TABLE ONLY conversations.devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (account, device_id);

ALTER TABLE ONLY conversations.epoch
    ADD CONSTRAINT epoch_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY conversations.heads
    ADD CONSTRAINT heads_pkey PRIMARY KEY (account);

ALTER TABLE ONLY conversations.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (lane, number, at);

ALTER TABLE ONLY conversations.journal_20250303
    ADD CONSTRAINT journal_20250303_pkey PRIMARY KEY (lane, number, at);

ALTER TABLE ONLY conversations.journal_default
    ADD CONSTRAINT journal_default_pkey PRIMARY KEY (lane, number, at);

ALTER TABLE ONLY conversations.lanes
    ADD CONSTRAINT lanes_pkey PRIMARY KEY (lane);

ALTER TABLE ONLY conversations.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (conversation, account);

ALTER TABLE ONLY conversations.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (number);

ALTER TABLE ONLY conversations.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (account, hash);

ALTER TABLE ONLY conversations.retired_usernames
    ADD CONSTRAINT retired_usernames_pkey PRIMARY KEY (keyed_hash);

ALTER TABLE ONLY conversations.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (key);

ALTER TABLE ONLY conversations.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY entities.epoch
    ADD CONSTRAINT epoch_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY entities.heads
    ADD CONSTRAINT heads_pkey PRIMARY KEY (account);

ALTER TABLE ONLY entities.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (lane, number, at);

ALTER TABLE ONLY entities.journal_20250303
    ADD CONSTRAINT journal_20250303_pkey PRIMARY KEY (lane, number, at);

ALTER TABLE ONLY entities.journal_default
    ADD CONSTRAINT journal_default_pkey PRIMARY KEY (lane, number, at);

ALTER TABLE ONLY entities.lanes
    ADD CONSTRAINT lanes_pkey PRIMARY KEY (lane);

ALTER TABLE ONLY entities.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (number);

ALTER TABLE ONLY entities.reminders
    ADD CONSTRAINT reminders_pkey PRIMARY KEY (account, id);

ALTER TABLE ONLY messaging.epoch
    ADD CONSTRAINT epoch_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY messaging.heads
    ADD CONSTRAINT heads_pkey PRIMARY KEY (conversation);

ALTER TABLE ONLY messaging.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (account, conversation);

ALTER TABLE ONLY messaging.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (lane, number, at);

ALTER TABLE ONLY messaging.journal_20250303
    ADD CONSTRAINT journal_20250303_pkey PRIMARY KEY (lane, number, at);

ALTER TABLE ONLY messaging.journal_default
    ADD CONSTRAINT journal_default_pkey PRIMARY KEY (lane, number, at);

ALTER TABLE ONLY messaging.lanes
    ADD CONSTRAINT lanes_pkey PRIMARY KEY (lane);

ALTER TABLE ONLY messaging.messages
    ADD CONSTRAINT messages_conversation_id_key UNIQUE (conversation, id);

ALTER TABLE ONLY messaging.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (conversation, seq);

ALTER TABLE ONLY messaging.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (number);

ALTER TABLE ONLY messaging.person_heads
    ADD CONSTRAINT person_heads_pkey PRIMARY KEY (account);

ALTER TABLE ONLY presence.last_seen
    ADD CONSTRAINT last_seen_pkey PRIMARY KEY (account);

ALTER TABLE ONLY presence.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (number);

CREATE UNIQUE INDEX accounts_legacy_id ON conversations.accounts USING btree (legacy_id) WHERE (legacy_id IS NOT NULL);

CREATE INDEX accounts_tokens_void_before ON conversations.accounts USING btree (tokens_void_before) WHERE (tokens_void_before > 0);

CREATE INDEX blocks_blocked ON conversations.blocks USING btree (blocked, account);

CREATE UNIQUE INDEX conversations_legacy_id ON conversations.conversations USING btree (legacy_id) WHERE (legacy_id IS NOT NULL);

CREATE INDEX devices_revoked_at ON conversations.devices USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);

CREATE INDEX members_account_position ON conversations.members USING btree (account, "position");

CREATE INDEX refresh_tokens_device ON conversations.refresh_tokens USING btree (account, device_id);

CREATE INDEX refresh_tokens_expires_at ON conversations.refresh_tokens USING btree (expires_at);

CREATE INDEX reminders_conversation ON entities.reminders USING btree (account, conversation, due_at, id) WHERE ((deleted_at IS NULL) AND (conversation IS NOT NULL));

CREATE INDEX reminders_due_at ON entities.reminders USING btree (account, due_at, id) WHERE (deleted_at IS NULL);

CREATE INDEX reminders_open ON entities.reminders USING btree (account, due_at, id) WHERE ((deleted_at IS NULL) AND (completed_at IS NULL));

CREATE UNIQUE INDEX reminders_position ON entities.reminders USING btree (account, "position");

CREATE INDEX inbox_touched ON messaging.inbox USING btree (account, touched_at, conversation);

CREATE INDEX messages_changed ON messaging.messages USING btree (conversation, "position") WHERE (changed_at IS NOT NULL);

ALTER INDEX conversations.journal_pkey ATTACH PARTITION conversations.journal_20250303_pkey;

ALTER INDEX conversations.journal_pkey ATTACH PARTITION conversations.journal_default_pkey;

ALTER INDEX entities.journal_pkey ATTACH PARTITION entities.journal_20250303_pkey;

ALTER INDEX entities.journal_pkey ATTACH PARTITION entities.journal_default_pkey;

ALTER INDEX messaging.journal_pkey ATTACH PARTITION messaging.journal_20250303_pkey;

ALTER INDEX messaging.journal_pkey ATTACH PARTITION messaging.journal_default_pkey;

ALTER TABLE ONLY conversations.blocks
    ADD CONSTRAINT blocks_account_fkey FOREIGN KEY (account) REFERENCES conversations.accounts(account);

ALTER TABLE ONLY conversations.devices
    ADD CONSTRAINT devices_account_fkey FOREIGN KEY (account) REFERENCES conversations.accounts(account);

ALTER TABLE ONLY conversations.members
    ADD CONSTRAINT members_conversation_fkey FOREIGN KEY (conversation) REFERENCES conversations.conversations(conversation);

ALTER TABLE ONLY conversations.refresh_tokens
    ADD CONSTRAINT refresh_tokens_account_device_id_fkey FOREIGN KEY (account, device_id) REFERENCES conversations.devices(account, device_id);

GRANT USAGE ON SCHEMA conversations TO parley_messaging;
GRANT USAGE ON SCHEMA conversations TO parley_presence;
GRANT USAGE ON SCHEMA conversations TO parley_entities;

GRANT USAGE ON SCHEMA messaging TO parley_conversations;
GRANT USAGE ON SCHEMA messaging TO parley_entities;

REVOKE ALL ON FUNCTION conversations.epoch() FROM PUBLIC;

REVOKE ALL ON FUNCTION conversations.keep_journal(now_us bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION entities.epoch() FROM PUBLIC;

REVOKE ALL ON FUNCTION entities.keep_journal(now_us bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.epoch() FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.keep_journal(now_us bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.send_batch(batch_lane integer, batch_at bigint, batch_conversations bigint[], batch_senders bigint[], batch_ids uuid[], batch_kinds smallint[], batch_texts text[]) FROM PUBLIC;

GRANT SELECT ON TABLE conversations.access TO parley_messaging;
GRANT SELECT ON TABLE conversations.access TO parley_presence;
GRANT SELECT ON TABLE conversations.access TO parley_entities;

GRANT SELECT ON TABLE conversations.account_ids TO parley_messaging;
GRANT SELECT ON TABLE conversations.account_ids TO parley_presence;
GRANT SELECT ON TABLE conversations.account_ids TO parley_entities;

GRANT SELECT ON TABLE conversations.conversation_ids TO parley_messaging;
GRANT SELECT ON TABLE conversations.conversation_ids TO parley_presence;
GRANT SELECT ON TABLE conversations.conversation_ids TO parley_entities;

GRANT SELECT ON TABLE conversations.journal TO parley_messaging;
GRANT SELECT ON TABLE conversations.journal TO parley_presence;
GRANT SELECT ON TABLE conversations.journal TO parley_entities;

GRANT SELECT ON TABLE conversations.lanes TO parley_messaging;
GRANT SELECT ON TABLE conversations.lanes TO parley_presence;
GRANT SELECT ON TABLE conversations.lanes TO parley_entities;

GRANT SELECT ON TABLE messaging.journal TO parley_entities;

GRANT SELECT ON TABLE messaging.lanes TO parley_entities;

GRANT SELECT ON TABLE messaging.readable TO parley_entities;
