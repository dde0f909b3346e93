-- conversations 5, messaging 5, presence 3, entities 5
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

CREATE FUNCTION conversations.ends_of_names(display_name text, username text) RETURNS TABLE(part smallint, letters text, longer_than smallint)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
    WITH ends AS (
        SELECT min(
                CASE
                    WHEN start = 1 THEN 0
                    WHEN substr(name, start - 1, 1) IN (' ', '.', '-', '_') THEN 1
                    ELSE 2
                END)::smallint AS part, left(substr(name, start), 96) COLLATE "C" AS letters
        FROM unnest(ARRAY[conversations.folded(display_name), username]) AS name
        CROSS JOIN LATERAL generate_series(1, length(name)) AS start
        WHERE substr(name, start, 1) <> ' '
        GROUP BY 2
    ),
    -- Of all that come first, those that share the most with an end are its neighbours in the alphabet: of the parts up
    -- to its own the one before, of the parts before its own the one after.
    neighbours AS (
        SELECT e.part, e.letters,
            CASE e.part
                WHEN 0 THEN max(e.letters) FILTER (WHERE e.part = 0) OVER up
                WHEN 1 THEN max(e.letters) FILTER (WHERE e.part <= 1) OVER up
                ELSE max(e.letters) OVER up
            END AS before,
            CASE e.part
                WHEN 1 THEN min(e.letters) FILTER (WHERE e.part = 0) OVER down
                WHEN 2 THEN min(e.letters) FILTER (WHERE e.part <= 1) OVER down
            END AS after
        FROM ends AS e
        WINDOW up AS (ORDER BY e.letters ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
            down AS (ORDER BY e.letters DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )
    SELECT n.part, n.letters, shared.most::smallint
    FROM neighbours AS n
    CROSS JOIN LATERAL (
        SELECT greatest(
                0, conversations.letters_shared(n.letters, n.before), conversations.letters_shared(n.letters, n.after)
            ) AS most
        OFFSET 0
    ) AS shared
    WHERE shared.most < length(n.letters)
$$;

ALTER FUNCTION conversations.ends_of_names(display_name text, username text) OWNER TO parley_conversations;

COMMENT ON FUNCTION conversations.ends_of_names(display_name text, username text) IS 'Both names folded, from each of their letters on; as in conversations.ends_of_names.';

CREATE FUNCTION conversations.epoch() RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT e.id || '.' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    FROM conversations.epoch AS e
$$;

ALTER FUNCTION conversations.epoch() OWNER TO parley_conversations;

COMMENT ON FUNCTION conversations.epoch() IS 'The epoch of all positions of this schema: id.TIMELINE. A restore or an asynchronous promotion gives another.';

CREATE FUNCTION conversations.folded(value text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
DECLARE
    letters text := conversations.lowered(normalize(value, NFKD));
BEGIN
    -- Accents of European scripts, points of Hebrew and Arabic. What stands for a sound of its own stays.
    letters := regexp_replace(
        letters,
        '[\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u064B-\u065F\u0670\u1AB0-\u1AFF'
            '\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F\u200B-\u200D\u2060\uFE00-\uFE0F]',
        '', 'g');
    letters := translate(letters, 'ıøłđðħŧς', 'iolddhtσ');
    letters := replace(replace(replace(replace(letters, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    RETURN left(btrim(regexp_replace(letters, '\s+', ' ', 'g')), 128);
END
$$;

ALTER FUNCTION conversations.folded(value text) OWNER TO parley_conversations;

COMMENT ON FUNCTION conversations.folded(value text) IS 'A name without case, accents and needless spaces: texts that are to be found by each other are the same.';

CREATE FUNCTION conversations.keep_journal(now_us bigint) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET lock_timeout TO '100ms'
    AS $_$
DECLARE
    day_us CONSTANT bigint := 86400000000;
    database_us CONSTANT bigint := extract(epoch FROM clock_timestamp()) * 1000000;
    over_us CONSTANT bigint := least(now_us, database_us) - 7 * day_us;
    starts_at bigint;
    partition text;
    changed integer := 0;
    is_held boolean := false;
BEGIN
    IF NOT pg_try_advisory_xact_lock(7304, hashtext('conversations')) THEN
        RETURN 0;
    END IF;

    -- Each step waits only shortly for a lock, since others wait behind it meanwhile; what is held is left to the next
    -- call. Dropping stops all writers for an instant. It comes first: with the default partition locked already, it
    -- and a reader could wait for each other.
    FOR partition IN
        SELECT c.relname
        FROM pg_inherits AS i
        JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE i.inhparent = to_regclass('conversations.journal')
            AND c.relname ~ '^journal_[0-9]{8}$'
            AND c.relname::text COLLATE "C"
                < 'journal_' || to_char(to_timestamp(over_us / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD')
        ORDER BY c.relname
    LOOP
        BEGIN
            EXECUTE format('DROP TABLE conversations.%I', partition);
            changed := changed + 1;
        EXCEPTION WHEN lock_not_available THEN
            is_held := true;
        END;
        EXIT WHEN is_held;
    END LOOP;

    -- ATTACH, unlike CREATE … PARTITION OF, lets writers of the other partitions go on.
    FOR starts_at IN
        SELECT database_us - database_us % day_us + ahead * day_us
        FROM generate_series(0, 3) AS ahead
    LOOP
        partition := 'journal_' || to_char(to_timestamp(starts_at / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('conversations.%I', partition)) IS NOT NULL;
        BEGIN
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
        EXCEPTION WHEN lock_not_available THEN
            is_held := true;
        END;
    END LOOP;

    BEGIN
        DELETE FROM conversations.journal_default
        WHERE at < over_us;
    EXCEPTION WHEN lock_not_available THEN
        is_held := true;
    END;
    RETURN CASE WHEN is_held THEN -1 ELSE changed END;
END
$_$;

ALTER FUNCTION conversations.keep_journal(now_us bigint) OWNER TO parley_conversations;

COMMENT ON FUNCTION conversations.keep_journal(now_us bigint) IS 'Makes the journal''s partitions of today and the next 3 days by the database''s clock, and drops those that are older than 7 days by that and the caller''s; to be called at start and every hour. Returns how many it made and dropped; -1: others held on to some of it, so call again soon.';

CREATE FUNCTION conversations.keep_names() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
BEGIN
    -- After the row, so in a snapshot that also sees the erasing that the unique username had to wait for.
    IF NEW.username IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.username IS DISTINCT FROM OLD.username) THEN
        PERFORM
        FROM conversations.retired_usernames AS r
        WHERE r.keyed_hash = conversations.username_hash(NEW.username);
        IF FOUND THEN
            RAISE unique_violation USING MESSAGE = 'the username is retired', CONSTRAINT = 'retired_usernames';
        END IF;
    END IF;
    IF TG_OP = 'UPDATE' THEN
        IF (NEW.display_name, NEW.username, NEW.erased_at)
            IS NOT DISTINCT FROM (OLD.display_name, OLD.username, OLD.erased_at)
        THEN
            RETURN NULL;
        END IF;
        DELETE FROM conversations.ends_of_names AS n
        USING conversations.ends_of_names(OLD.display_name, OLD.username) AS e
        WHERE n.part = e.part
            AND n.letters = e.letters
            AND n.account = OLD.account;
    END IF;
    IF NEW.erased_at IS NULL THEN
        INSERT INTO conversations.ends_of_names (part, letters, account, longer_than)
        SELECT e.part, e.letters, NEW.account, e.longer_than
        FROM conversations.ends_of_names(NEW.display_name, NEW.username) AS e;
    END IF;
    RETURN NULL;
END
$$;

ALTER FUNCTION conversations.keep_names() OWNER TO parley_conversations;

COMMENT ON FUNCTION conversations.keep_names() IS 'Keeps conversations.ends_of_names with the accounts, and gives no retired username out again.';

CREATE FUNCTION conversations.letters_shared(one text, other text) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
DECLARE
    low integer := 0;
    high integer := least(length(one), length(other));
    middle integer;
BEGIN
    IF left(one, 1) <> left(other, 1) THEN
        RETURN 0;
    END IF;
    WHILE low < high LOOP
        middle := (low + high + 1) / 2;
        IF left(one, middle) = left(other, middle) THEN
            low := middle;
        ELSE
            high := middle - 1;
        END IF;
    END LOOP;
    RETURN low;
END
$$;

ALTER FUNCTION conversations.letters_shared(one text, other text) OWNER TO parley_conversations;

COMMENT ON FUNCTION conversations.letters_shared(one text, other text) IS 'With how many letters both begin.';

CREATE FUNCTION conversations.lowered(value text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
                SELECT lower(value COLLATE pg_catalog."und-x-icu")
            $$;

ALTER FUNCTION conversations.lowered(value text) OWNER TO parley_conversations;

COMMENT ON FUNCTION conversations.lowered(value text) IS 'In small letters, of all scripts, whatever the database''s locale.';

CREATE FUNCTION conversations.username_hash(username text) RETURNS bytea
    LANGUAGE sql STABLE STRICT
    SET search_path TO 'pg_catalog'
    AS $$
    SELECT sha256(k.key || sha256(k.key || convert_to(username, 'UTF8')))
    FROM conversations.retiring_key AS k
$$;

ALTER FUNCTION conversations.username_hash(username text) OWNER TO parley_conversations;

COMMENT ON FUNCTION conversations.username_hash(username text) IS 'As retired_usernames hold it.';

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
    SET lock_timeout TO '100ms'
    AS $_$
DECLARE
    day_us CONSTANT bigint := 86400000000;
    database_us CONSTANT bigint := extract(epoch FROM clock_timestamp()) * 1000000;
    over_us CONSTANT bigint := least(now_us, database_us) - 7 * day_us;
    starts_at bigint;
    partition text;
    changed integer := 0;
    is_held boolean := false;
BEGIN
    IF NOT pg_try_advisory_xact_lock(7304, hashtext('entities')) THEN
        RETURN 0;
    END IF;

    -- Each step waits only shortly for a lock, since others wait behind it meanwhile; what is held is left to the next
    -- call. Dropping stops all writers for an instant. It comes first: with the default partition locked already, it
    -- and a reader could wait for each other.
    FOR partition IN
        SELECT c.relname
        FROM pg_inherits AS i
        JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE i.inhparent = to_regclass('entities.journal')
            AND c.relname ~ '^journal_[0-9]{8}$'
            AND c.relname::text COLLATE "C"
                < 'journal_' || to_char(to_timestamp(over_us / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD')
        ORDER BY c.relname
    LOOP
        BEGIN
            EXECUTE format('DROP TABLE entities.%I', partition);
            changed := changed + 1;
        EXCEPTION WHEN lock_not_available THEN
            is_held := true;
        END;
        EXIT WHEN is_held;
    END LOOP;

    -- ATTACH, unlike CREATE … PARTITION OF, lets writers of the other partitions go on.
    FOR starts_at IN
        SELECT database_us - database_us % day_us + ahead * day_us
        FROM generate_series(0, 3) AS ahead
    LOOP
        partition := 'journal_' || to_char(to_timestamp(starts_at / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('entities.%I', partition)) IS NOT NULL;
        BEGIN
            EXECUTE format('CREATE TABLE entities.%I (LIKE entities.journal INCLUDING ALL)', partition);
            EXECUTE format('COMMENT ON TABLE entities.%I IS %L', partition, 'One day of the journal (UTC).');
            -- Today's rows may be in the default partition, and who is about to write or read them has already looked for
            -- the partition they are in: they wait for it before they look.
            IF starts_at <= database_us THEN
                LOCK TABLE entities.journal IN ACCESS EXCLUSIVE MODE;
            END IF;
            LOCK TABLE entities.journal_default IN ACCESS EXCLUSIVE MODE;
            EXECUTE format(
                'WITH moved AS (DELETE FROM entities.journal_default WHERE at >= %1$s AND at < %2$s RETURNING *) '
                'INSERT INTO entities.%3$I SELECT * FROM moved',
                starts_at, starts_at + day_us, partition);
            EXECUTE format(
                'ALTER TABLE entities.journal ATTACH PARTITION entities.%I FOR VALUES FROM (%s) TO (%s)',
                partition, starts_at, starts_at + day_us);
            changed := changed + 1;
        EXCEPTION WHEN lock_not_available THEN
            is_held := true;
        END;
    END LOOP;

    BEGIN
        DELETE FROM entities.journal_default
        WHERE at < over_us;
    EXCEPTION WHEN lock_not_available THEN
        is_held := true;
    END;
    RETURN CASE WHEN is_held THEN -1 ELSE changed END;
END
$_$;

ALTER FUNCTION entities.keep_journal(now_us bigint) OWNER TO parley_entities;

COMMENT ON FUNCTION entities.keep_journal(now_us bigint) IS 'Makes the journal''s partitions of today and the next 3 days by the database''s clock, and drops those that are older than 7 days by that and the caller''s; to be called at start and every hour. Returns how many it made and dropped; -1: others held on to some of it, so call again soon.';

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
    SET lock_timeout TO '100ms'
    AS $_$
DECLARE
    day_us CONSTANT bigint := 86400000000;
    database_us CONSTANT bigint := extract(epoch FROM clock_timestamp()) * 1000000;
    over_us CONSTANT bigint := least(now_us, database_us) - 7 * day_us;
    starts_at bigint;
    partition text;
    changed integer := 0;
    is_held boolean := false;
BEGIN
    IF NOT pg_try_advisory_xact_lock(7304, hashtext('messaging')) THEN
        RETURN 0;
    END IF;

    -- Each step waits only shortly for a lock, since others wait behind it meanwhile; what is held is left to the next
    -- call. Dropping stops all writers for an instant. It comes first: with the default partition locked already, it
    -- and a reader could wait for each other.
    FOR partition IN
        SELECT c.relname
        FROM pg_inherits AS i
        JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE i.inhparent = to_regclass('messaging.journal')
            AND c.relname ~ '^journal_[0-9]{8}$'
            AND c.relname::text COLLATE "C"
                < 'journal_' || to_char(to_timestamp(over_us / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD')
        ORDER BY c.relname
    LOOP
        BEGIN
            EXECUTE format('DROP TABLE messaging.%I', partition);
            changed := changed + 1;
        EXCEPTION WHEN lock_not_available THEN
            is_held := true;
        END;
        EXIT WHEN is_held;
    END LOOP;

    -- ATTACH, unlike CREATE … PARTITION OF, lets writers of the other partitions go on.
    FOR starts_at IN
        SELECT database_us - database_us % day_us + ahead * day_us
        FROM generate_series(0, 3) AS ahead
    LOOP
        partition := 'journal_' || to_char(to_timestamp(starts_at / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('messaging.%I', partition)) IS NOT NULL;
        BEGIN
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
        EXCEPTION WHEN lock_not_available THEN
            is_held := true;
        END;
    END LOOP;

    BEGIN
        DELETE FROM messaging.journal_default
        WHERE at < over_us;
    EXCEPTION WHEN lock_not_available THEN
        is_held := true;
    END;
    RETURN CASE WHEN is_held THEN -1 ELSE changed END;
END
$_$;

ALTER FUNCTION messaging.keep_journal(now_us bigint) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.keep_journal(now_us bigint) IS 'Makes the journal''s partitions of today and the next 3 days by the database''s clock, and drops those that are older than 7 days by that and the caller''s; to be called at start and every hour. Returns how many it made and dropped; -1: others held on to some of it, so call again soon.';

CREATE FUNCTION messaging.send_batch(batch_lane integer, batch_at bigint, batch_conversations bigint[], batch_senders bigint[], batch_ids uuid[], batch_kinds smallint[], batch_texts text[], batch_extras bytea[] DEFAULT '{}'::bytea[], batch_replies bigint[] DEFAULT '{}'::bigint[], batch_mentions text[] DEFAULT '{}'::text[], batch_forwarded bigint[] DEFAULT '{}'::bigint[], batch_attachments uuid[] DEFAULT '{}'::uuid[]) RETURNS TABLE(ordinal integer, outcome smallint, seq bigint, "position" bigint, sent_at bigint, number bigint, audience bigint[], expires_at bigint, thread_seq bigint, thread_replies bigint, thread_last_seq bigint, thread_position bigint)
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

ALTER FUNCTION messaging.send_batch(batch_lane integer, batch_at bigint, batch_conversations bigint[], batch_senders bigint[], batch_ids uuid[], batch_kinds smallint[], batch_texts text[], batch_extras bytea[], batch_replies bigint[], batch_mentions text[], batch_forwarded bigint[], batch_attachments uuid[]) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.send_batch(batch_lane integer, batch_at bigint, batch_conversations bigint[], batch_senders bigint[], batch_ids uuid[], batch_kinds smallint[], batch_texts text[], batch_extras bytea[], batch_replies bigint[], batch_mentions text[], batch_forwarded bigint[], batch_attachments uuid[]) IS 'Stores a batch of messages; sender 0: the system. The last five arrays may be empty: then no message has any of it. Mentions are arrays of accounts, as text. Outcomes: 0 accepted, 1 duplicate, 2 locked by another (next batch), 3 not_member, 4 user_blocked, 5 accept_first, 6 id_in_use, 7 too many for a pending request, 8 what it answers is not there, 9 its attachment is not there. Numbers are those of the journal, in any order of rows; audience is given with the first accepted message of each conversation.';

CREATE FUNCTION messaging.unread(of_account bigint, of_conversation bigint, above bigint, up_to bigint, at_us bigint) RETURNS TABLE(unread bigint, mentions bigint)
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

ALTER FUNCTION messaging.unread(of_account bigint, of_conversation bigint, above bigint, up_to bigint, at_us bigint) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.unread(of_account bigint, of_conversation bigint, above bigint, up_to bigint, at_us bigint) IS 'How many messages above one seq and up to another somebody has not read, and how many of them mention them (M7): others'' messages that are neither deleted, nor disappeared at that time, nor hidden from them, nor of the system. At most 1,000, counted among the newest 10,000.';

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
    joined_version bigint DEFAULT 1 NOT NULL,
    left_version bigint,
    place smallint DEFAULT 1 NOT NULL,
    request_at bigint,
    request_read_at bigint,
    left_name text,
    left_photo_url text,
    CONSTRAINT members_check CHECK (((left_at IS NULL) OR ((write_refusal = 3) AND (NOT may_read)))),
    CONSTRAINT members_check1 CHECK (((left_version IS NULL) = (left_at IS NULL))),
    CONSTRAINT members_check2 CHECK ((left_version > joined_version)),
    CONSTRAINT members_place_check CHECK (((place >= 0) AND (place <= 5))),
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

COMMENT ON COLUMN conversations.members.joined_version IS 'The conversation''s members_version with which the member joined, the last time; 1: was there from the beginning.';

COMMENT ON COLUMN conversations.members.left_version IS 'The conversation''s members_version with which the member left or was removed; null: is a member.';

COMMENT ON COLUMN conversations.members.place IS 'As ConversationPlace: 1 inbox, 2 requests, 3 blocked people, 4 left, 5 gone; 0: not shown to the member (yet).';

COMMENT ON COLUMN conversations.members.request_at IS 'Of who is asked: when was last asked; null: was not.';

COMMENT ON COLUMN conversations.members.request_read_at IS 'Of who is asked: when they saw the request; null: not yet.';

COMMENT ON COLUMN conversations.members.left_name IS 'The group''s name when the member left; null: is a member.';

COMMENT ON COLUMN conversations.members.left_photo_url IS 'The group''s photo when the member left; null: is a member.';

CREATE VIEW conversations.access AS
 SELECT members.conversation,
    members.account,
    members.role,
    members.write_refusal,
    members.write_until_seq,
    members.may_read,
    members.joined_at,
    members.left_at,
    members."position",
    members.joined_version,
    members.left_version,
    members.place
   FROM conversations.members;

ALTER TABLE conversations.access OWNER TO parley_conversations;

COMMENT ON VIEW conversations.access IS 'Who may do what where, former members too; the columns are those of conversations.members.';

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
    findable_by_email boolean DEFAULT false NOT NULL,
    CONSTRAINT accounts_user_id_check CHECK ((user_id ~ '^[A-Za-z0-9]{1,64}$'::text)),
    CONSTRAINT accounts_username_check CHECK ((username ~ '^[a-z0-9][a-z0-9.-]{1,31}$'::text)),
    CONSTRAINT display_name_is_short CHECK ((octet_length(display_name) <= 128)),
    CONSTRAINT email_is_short CHECK ((octet_length(email) <= 254))
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

COMMENT ON COLUMN conversations.accounts.findable_by_email IS 'Whoever knows the whole address may find the owner by it.';

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

CREATE VIEW conversations.blocked AS
 SELECT blocks.account,
    blocks.blocked,
    blocks.at
   FROM conversations.blocks;

ALTER TABLE conversations.blocked OWNER TO parley_conversations;

COMMENT ON VIEW conversations.blocked IS 'Who blocks whom, since when.';

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
    asks smallint DEFAULT 0 NOT NULL,
    asked_at bigint,
    is_revealed boolean DEFAULT true NOT NULL,
    declined_at bigint,
    withdrawn_at bigint,
    member_count integer DEFAULT 0 NOT NULL,
    members_key bigint DEFAULT 0 NOT NULL,
    CONSTRAINT conversations_check CHECK ((conversation_id ~
CASE kind
    WHEN 1 THEN '^[A-Za-z0-9]{1,64}_[A-Za-z0-9]{1,64}$'::text
    ELSE '^[A-Za-z0-9]{1,64}$'::text
END)),
    CONSTRAINT conversations_kind_check CHECK ((kind = ANY (ARRAY[1, 2]))),
    CONSTRAINT conversations_status_check CHECK ((status = ANY (ARRAY[1, 2, 3]))),
    CONSTRAINT name_is_short CHECK ((octet_length(name) <= 128))
);

ALTER TABLE conversations.conversations OWNER TO parley_conversations;

COMMENT ON TABLE conversations.conversations IS 'Conversations. Who belongs to them: conversations.members.';

COMMENT ON COLUMN conversations.conversations.conversation IS 'The conversation''s number inside Parley; clients never see it.';

COMMENT ON COLUMN conversations.conversations.conversation_id IS 'Direct: both user ids, sorted bytewise, joined by "_". Groups: no "_".';

COMMENT ON COLUMN conversations.conversations.kind IS 'As ConversationKind: 1 direct, 2 group.';

COMMENT ON COLUMN conversations.conversations.status IS 'As ConversationStatus: 1 pending, 2 accepted. That somebody blocked the other stands in conversations.blocks.';

COMMENT ON COLUMN conversations.conversations.requester IS 'Account that asked, also once it is accepted; null: no request was needed.';

COMMENT ON COLUMN conversations.conversations.name IS 'Of a group; empty for direct ones.';

COMMENT ON COLUMN conversations.conversations.photo_url IS 'Of a group; empty: none.';

COMMENT ON COLUMN conversations.conversations.created_by IS 'Account that made it.';

COMMENT ON COLUMN conversations.conversations.created_at IS 'When it was made.';

COMMENT ON COLUMN conversations.conversations.members_version IS 'Grows with every change of members; names the audience of a large group. Who changes members locks this row.';

COMMENT ON COLUMN conversations.conversations.legacy_id IS 'Id in the system it was imported from.';

COMMENT ON COLUMN conversations.conversations.asks IS 'How often was asked; each allows so many messages more.';

COMMENT ON COLUMN conversations.conversations.asked_at IS 'When was last asked; null: never.';

COMMENT ON COLUMN conversations.conversations.is_revealed IS 'False while a request holds no message since it was asked: who is asked sees nothing of it.';

COMMENT ON COLUMN conversations.conversations.declined_at IS 'When who is asked declined, or blocked who asked; null: did not.';

COMMENT ON COLUMN conversations.conversations.withdrawn_at IS 'When who asked took it back; null: did not.';

COMMENT ON COLUMN conversations.conversations.member_count IS 'How many members there are now.';

COMMENT ON COLUMN conversations.conversations.members_key IS 'Of the set of members: the hashes of their numbers (hashint8extended with 0), XORed. Finds the group of just these.';

CREATE VIEW conversations.conversation_ids AS
 SELECT conversations.conversation,
    conversations.conversation_id,
    conversations.kind,
    conversations.name
   FROM conversations.conversations;

ALTER TABLE conversations.conversation_ids OWNER TO parley_conversations;

COMMENT ON VIEW conversations.conversation_ids IS 'Numbers and ids of conversations, and groups'' names.';

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

CREATE TABLE conversations.ends_of_names (
    part smallint NOT NULL,
    letters text NOT NULL COLLATE pg_catalog."C",
    account bigint NOT NULL,
    longer_than smallint NOT NULL
);

ALTER TABLE conversations.ends_of_names OWNER TO parley_conversations;

COMMENT ON TABLE conversations.ends_of_names IS 'Names of all who can be found, folded, from each of their letters on; kept by a trigger on accounts. Ends at which nobody is found first are left out.';

COMMENT ON COLUMN conversations.ends_of_names.part IS 'Where in the name: 0 its beginning, 1 the beginning of a later word, 2 within a word.';

COMMENT ON COLUMN conversations.ends_of_names.letters IS 'What stands there and after it; at most 96 characters.';

COMMENT ON COLUMN conversations.ends_of_names.account IS 'Whose name it is.';

COMMENT ON COLUMN conversations.ends_of_names.longer_than IS 'So many of its first letters an end that comes before it has, too: here longer texts are found first.';

CREATE TABLE conversations.epoch (
    only_row boolean DEFAULT true NOT NULL,
    id text NOT NULL,
    CONSTRAINT epoch_only_row_check CHECK (only_row)
);

ALTER TABLE conversations.epoch OWNER TO parley_conversations;

COMMENT ON TABLE conversations.epoch IS 'One row. Positions of one epoch cannot be compared with those of another.';

COMMENT ON COLUMN conversations.epoch.only_row IS 'Always true: there is one row.';

COMMENT ON COLUMN conversations.epoch.id IS 'Random; changed by whoever restores a backup.';

CREATE VIEW conversations.erased AS
 SELECT accounts.account,
    accounts.erased_at
   FROM conversations.accounts
  WHERE (accounts.erased_at IS NOT NULL);

ALTER TABLE conversations.erased OWNER TO parley_conversations;

COMMENT ON VIEW conversations.erased IS 'Accounts whose owners had them erased: nothing of theirs may be kept.';

CREATE TABLE conversations.followed (
    source text NOT NULL COLLATE pg_catalog."C",
    lane integer NOT NULL,
    number bigint NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE conversations.followed OWNER TO parley_conversations;

COMMENT ON TABLE conversations.followed IS 'How far the journals of other services are followed. Moves in the transaction of what follows from them.';

COMMENT ON COLUMN conversations.followed.source IS 'The service whose journal it is.';

COMMENT ON COLUMN conversations.followed.lane IS 'Its lane.';

COMMENT ON COLUMN conversations.followed.number IS 'The last number that was dealt with.';

CREATE TABLE conversations.heads (
    account bigint NOT NULL,
    "position" bigint NOT NULL,
    requests_position bigint DEFAULT 0 NOT NULL,
    profile_position bigint DEFAULT 0 NOT NULL,
    blocks_position bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE conversations.heads OWNER TO parley_conversations;

COMMENT ON TABLE conversations.heads IS 'Heads of the streams conversations/u/USER. Lock several in order of account.';

COMMENT ON COLUMN conversations.heads.account IS 'Whose stream.';

COMMENT ON COLUMN conversations.heads."position" IS 'Last position used.';

COMMENT ON COLUMN conversations.heads.requests_position IS 'Position with which the count of requests last changed.';

COMMENT ON COLUMN conversations.heads.profile_position IS 'Position with which the person''s profile last changed.';

COMMENT ON COLUMN conversations.heads.blocks_position IS 'Position with which the person last blocked or unblocked.';

CREATE TABLE conversations.jobs (
    account bigint NOT NULL,
    kind smallint NOT NULL,
    due_at bigint NOT NULL,
    begun_at bigint NOT NULL,
    pass smallint DEFAULT 1 NOT NULL,
    conversations bigint[],
    done integer DEFAULT 0 NOT NULL,
    again boolean DEFAULT false NOT NULL,
    CONSTRAINT jobs_kind_check CHECK ((kind = ANY (ARRAY[1, 2]))),
    CONSTRAINT jobs_pass_check CHECK ((pass = ANY (ARRAY[1, 2])))
)
WITH (fillfactor='50');

ALTER TABLE conversations.jobs OWNER TO parley_conversations;

COMMENT ON TABLE conversations.jobs IS 'What is to be done piece by piece, each piece with its place in one transaction, by whichever replica is free.';

COMMENT ON COLUMN conversations.jobs.account IS 'Whom it is about.';

COMMENT ON COLUMN conversations.jobs.kind IS '1 tell all who see the person in a conversation of the profile, 2 take the erased person out of everything.';

COMMENT ON COLUMN conversations.jobs.due_at IS 'Not before; by the clock of the database.';

COMMENT ON COLUMN conversations.jobs.begun_at IS 'When it was asked for, the last time; by the clock of the database.';

COMMENT ON COLUMN conversations.jobs.pass IS '2: once more, for what was under way during the first and had not seen what it is about.';

COMMENT ON COLUMN conversations.jobs.conversations IS 'Of this pass, in the order of work; null: not looked up yet.';

COMMENT ON COLUMN conversations.jobs.done IS 'How many of them are done.';

COMMENT ON COLUMN conversations.jobs.again IS 'It was asked for again meanwhile.';

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

COMMENT ON COLUMN conversations.journal.at IS 'When, µs since 1970, by the clock of the database.';

COMMENT ON COLUMN conversations.journal.kinds IS 'What changed: 1 conversation as its subject sees it, 2 the subject''s device or sign-ins were revoked, 6 how many requests the subject has, 7 the subject''s profile, 8 whether the subject blocks the object; and for services that follow: 3 joined, 4 left, 5 was removed, 9 group renamed, 10 its photo changed, 11 handed over, 12 made an admin, 13 made a member again.';

COMMENT ON COLUMN conversations.journal.subjects IS 'Kinds 1, 2, 6 to 8: account whose stream conversations/u it is. Kinds 3 to 5, 9 to 13: number of the conversation.';

COMMENT ON COLUMN conversations.journal.objects IS 'Kind 1: number of the conversation. Kinds 2, 6, 7: 0. Kind 8: account. Kinds 3 to 5, 11 to 13: account that it happened to. Kinds 9, 10: 0.';

COMMENT ON COLUMN conversations.journal.positions IS 'Position of each Update in the stream of its subject; 0: it takes none.';

COMMENT ON COLUMN conversations.journal.audience_counts IS 'How many accounts of audience belong to each Update; -1: those of the nearest earlier Update of this row with the same subject.';

COMMENT ON COLUMN conversations.journal.audience IS 'Account numbers who may see the Updates, one Update''s after the other''s. Kinds 3 to 5, 9 to 13: who did it.';

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

CREATE TABLE conversations.reports (
    account bigint NOT NULL,
    id uuid NOT NULL,
    about bigint NOT NULL,
    conversation bigint,
    seq bigint,
    reason smallint NOT NULL,
    note text DEFAULT ''::text NOT NULL,
    at bigint NOT NULL,
    closed_at bigint,
    CONSTRAINT reports_check CHECK (((conversation IS NULL) = (seq IS NULL))),
    CONSTRAINT reports_reason_check CHECK (((reason >= 1) AND (reason <= 6)))
);

ALTER TABLE conversations.reports OWNER TO parley_conversations;

COMMENT ON TABLE conversations.reports IS 'The operator''s queue: "parley reports" shows it.';

COMMENT ON COLUMN conversations.reports.account IS 'Who reports.';

COMMENT ON COLUMN conversations.reports.id IS 'Made by the client: the same again is the same report.';

COMMENT ON COLUMN conversations.reports.about IS 'Account of whom it is about.';

COMMENT ON COLUMN conversations.reports.conversation IS 'Where the message stands that it is about; null: the person.';

COMMENT ON COLUMN conversations.reports.seq IS 'Which message there.';

COMMENT ON COLUMN conversations.reports.reason IS 'As ReportReason: 1 spam, 2 harassment, 3 violence, 4 sexual, 5 impersonation, 6 other.';

COMMENT ON COLUMN conversations.reports.note IS 'In the words of who reports.';

COMMENT ON COLUMN conversations.reports.at IS 'When.';

COMMENT ON COLUMN conversations.reports.closed_at IS 'When the operator was done with it; null: is open.';

CREATE TABLE conversations.retired_usernames (
    keyed_hash bytea NOT NULL,
    retired_at bigint NOT NULL
);

ALTER TABLE conversations.retired_usernames OWNER TO parley_conversations;

COMMENT ON TABLE conversations.retired_usernames IS 'Usernames of erased accounts, never given out again.';

COMMENT ON COLUMN conversations.retired_usernames.keyed_hash IS 'Keyed hash of the username, so that the name itself is gone.';

COMMENT ON COLUMN conversations.retired_usernames.retired_at IS 'When the account was erased.';

CREATE TABLE conversations.retiring_key (
    only_row boolean DEFAULT true NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT retiring_key_key_check CHECK ((octet_length(key) = 32)),
    CONSTRAINT retiring_key_only_row_check CHECK (only_row)
);

ALTER TABLE conversations.retiring_key OWNER TO parley_conversations;

COMMENT ON TABLE conversations.retiring_key IS 'One row: with what retired_usernames are hashed.';

COMMENT ON COLUMN conversations.retiring_key.only_row IS 'Always true: there is one row.';

COMMENT ON COLUMN conversations.retiring_key.key IS 'Random; without it a hash does not betray its name.';

CREATE TABLE conversations.sign_in_attempts (
    key text NOT NULL COLLATE pg_catalog."C",
    window_started_at bigint NOT NULL,
    attempts integer NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE conversations.sign_in_attempts OWNER TO parley_conversations;

COMMENT ON TABLE conversations.sign_in_attempts IS 'Counts for the sign-in limits, shared by all replicas.';

COMMENT ON COLUMN conversations.sign_in_attempts.key IS 'What is limited: "person:HASH" of a username, "address:ADDRESS", "register:ADDRESS".';

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

CREATE TABLE entities.erased (
    account bigint NOT NULL,
    at bigint NOT NULL
);

ALTER TABLE entities.erased OWNER TO parley_entities;

COMMENT ON TABLE entities.erased IS 'People who were erased (conversations.erased) and of whom nothing is left here.';

COMMENT ON COLUMN entities.erased.account IS 'Who.';

COMMENT ON COLUMN entities.erased.at IS 'When the last of it was deleted, µs since 1970 (UTC).';

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

COMMENT ON COLUMN entities.journal.at IS 'When, µs since 1970, by the clock of the database.';

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

CREATE TABLE messaging.attachments (
    conversation bigint NOT NULL,
    id uuid NOT NULL,
    owner bigint NOT NULL,
    object text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    mime_type text NOT NULL,
    size_bytes bigint NOT NULL,
    width integer DEFAULT 0 NOT NULL,
    height integer DEFAULT 0 NOT NULL,
    created_at bigint NOT NULL,
    completed_at bigint,
    seq bigint,
    unused_at bigint
);

ALTER TABLE messaging.attachments OWNER TO parley_messaging;

COMMENT ON TABLE messaging.attachments IS 'Files, each for one message of one conversation. A forwarded one has a row of its own and the same object.';

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

COMMENT ON COLUMN messaging.attachments.unused_at IS 'When that message was deleted, or it was given up that there would be one; null: it is or may be in use.';

CREATE TABLE messaging.epoch (
    only_row boolean DEFAULT true NOT NULL,
    id text NOT NULL,
    CONSTRAINT epoch_only_row_check CHECK (only_row)
);

ALTER TABLE messaging.epoch OWNER TO parley_messaging;

COMMENT ON TABLE messaging.epoch IS 'One row. Positions of one epoch cannot be compared with those of another.';

COMMENT ON COLUMN messaging.epoch.only_row IS 'Always true: there is one row.';

COMMENT ON COLUMN messaging.epoch.id IS 'Random; changed by whoever restores a backup.';

CREATE TABLE messaging.erased (
    account bigint NOT NULL,
    at bigint NOT NULL
);

ALTER TABLE messaging.erased OWNER TO parley_messaging;

COMMENT ON TABLE messaging.erased IS 'People who were erased (conversations.erased) and of whom nothing is left here that is theirs alone.';

COMMENT ON COLUMN messaging.erased.account IS 'Who.';

COMMENT ON COLUMN messaging.erased.at IS 'When the last of it was deleted, µs since 1970 (UTC).';

CREATE TABLE messaging.flags (
    account bigint NOT NULL,
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    starred_at bigint,
    hidden_at bigint,
    "position" bigint NOT NULL
);

ALTER TABLE messaging.flags OWNER TO parley_messaging;

COMMENT ON TABLE messaging.flags IS 'What one person did with one message, for themselves alone.';

COMMENT ON COLUMN messaging.flags.account IS 'Who.';

COMMENT ON COLUMN messaging.flags.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.flags.seq IS 'The message.';

COMMENT ON COLUMN messaging.flags.starred_at IS 'When starred; null: not starred.';

COMMENT ON COLUMN messaging.flags.hidden_at IS 'When deleted for this person; null: it was not.';

COMMENT ON COLUMN messaging.flags."position" IS 'Of the last change, in the stream messaging/u of this account.';

CREATE TABLE messaging.followed (
    source text NOT NULL COLLATE pg_catalog."C",
    lane integer NOT NULL,
    number bigint NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE messaging.followed OWNER TO parley_messaging;

COMMENT ON TABLE messaging.followed IS 'How far the journals of other services are followed. Moves in the transaction of what follows from them.';

COMMENT ON COLUMN messaging.followed.source IS 'The service whose journal it is.';

COMMENT ON COLUMN messaging.followed.lane IS 'Its lane.';

COMMENT ON COLUMN messaging.followed.number IS 'The last number that was dealt with.';

CREATE TABLE messaging.heads (
    conversation bigint NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    first_seq bigint DEFAULT 1 NOT NULL,
    first_position bigint DEFAULT 0 NOT NULL,
    members_version bigint DEFAULT 1 NOT NULL,
    retention_us bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE messaging.heads OWNER TO parley_messaging;

COMMENT ON TABLE messaging.heads IS 'Heads of the streams messaging/c/CONVERSATION. No second index, ever: it would end HOT updates.';

COMMENT ON COLUMN messaging.heads.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.heads.seq IS 'Seq of the newest message; 0: none yet.';

COMMENT ON COLUMN messaging.heads."position" IS 'Last position used.';

COMMENT ON COLUMN messaging.heads.first_seq IS 'Oldest seq still held.';

COMMENT ON COLUMN messaging.heads.first_position IS 'Changes since an older position cannot be told: start over.';

COMMENT ON COLUMN messaging.heads.members_version IS 'The windows of all who came or went up to this members_version of the conversation are kept in messaging.inbox; who came later reads from seq + 1, who left later up to seq.';

COMMENT ON COLUMN messaging.heads.retention_us IS 'How long after it is sent a new message disappears; 0: never.';

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
    marked_unread boolean DEFAULT false NOT NULL,
    visible_position bigint,
    news_at bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE messaging.inbox OWNER TO parley_messaging;

COMMENT ON TABLE messaging.inbox IS 'One person''s place in one conversation. Made by the first message; who has no row yet has the defaults.';

COMMENT ON COLUMN messaging.inbox.account IS 'Whose.';

COMMENT ON COLUMN messaging.inbox.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.inbox.touched_at IS 'Last news or change of one''s own state, at most 10 s out of date: Sync finds the row by it.';

COMMENT ON COLUMN messaging.inbox."position" IS 'Of the last change of this row, in the stream messaging/u of this account.';

COMMENT ON COLUMN messaging.inbox.visible_from IS 'Oldest seq the person may read. Set when somebody joins who was not there from the beginning, also again.';

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

COMMENT ON COLUMN messaging.inbox.visible_position IS 'Position of messaging/c when visible_to was set: the last that a former member is told; null with visible_to.';

COMMENT ON COLUMN messaging.inbox.news_at IS 'Last message that came, at most 10 s out of date: pages of the inbox are in its order. Reading changes it not.';

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

COMMENT ON COLUMN messaging.journal.at IS 'When, µs since 1970, by the clock of the database.';

COMMENT ON COLUMN messaging.journal.kinds IS 'What changed: 1 message, 2 message of a pending request.';

COMMENT ON COLUMN messaging.journal.subjects IS 'Conversation whose stream messaging/c it is.';

COMMENT ON COLUMN messaging.journal.objects IS 'Seq of the message.';

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

CREATE TABLE messaging.mentions (
    account bigint NOT NULL,
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    sent_at bigint NOT NULL
);

ALTER TABLE messaging.mentions OWNER TO parley_messaging;

COMMENT ON TABLE messaging.mentions IS 'Who is mentioned where. The rows of a message go when it is deleted or no longer says so.';

COMMENT ON COLUMN messaging.mentions.account IS 'Who is mentioned.';

COMMENT ON COLUMN messaging.mentions.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.mentions.seq IS 'The message.';

COMMENT ON COLUMN messaging.mentions.sent_at IS 'When the message was sent.';

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
    legacy_id text COLLATE pg_catalog."C",
    has_replies boolean DEFAULT false NOT NULL,
    mentions bigint[],
    reactions text[] COLLATE pg_catalog."C",
    reaction_counts bigint[]
);

ALTER TABLE messaging.messages OWNER TO parley_messaging;

COMMENT ON TABLE messaging.messages IS 'Messages: state, not history. Rows are emptied by deletion and retention, not removed.';

COMMENT ON COLUMN messaging.messages.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.messages.seq IS '1, 2, 3 … within the conversation, without gaps.';

COMMENT ON COLUMN messaging.messages.id IS 'Made by the client (UUIDv7), of a system message by the service (UUIDv8); the same id is one message for ever.';

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

COMMENT ON COLUMN messaging.messages.extra IS 'Encoded protobuf of what only clients read: SystemNote with kind 6, Media with kinds 2 to 5; null: nothing.';

COMMENT ON COLUMN messaging.messages.legacy_id IS 'Id in the system it was imported from; its id is derived from it.';

COMMENT ON COLUMN messaging.messages.has_replies IS 'It is the first of a thread, or was once.';

COMMENT ON COLUMN messaging.messages.mentions IS 'Accounts it mentions; null: none. The same as its rows of mentions.';

COMMENT ON COLUMN messaging.messages.reactions IS 'Emoji put to it, in the order of their first use; null: none ever.';

COMMENT ON COLUMN messaging.messages.reaction_counts IS 'By how many people, for each of reactions; at least 1.';

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

CREATE TABLE messaging.reactions (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    account bigint NOT NULL,
    emoji text NOT NULL COLLATE pg_catalog."C",
    at bigint NOT NULL
);

ALTER TABLE messaging.reactions OWNER TO parley_messaging;

COMMENT ON TABLE messaging.reactions IS 'Who put which emoji to which message.';

COMMENT ON COLUMN messaging.reactions.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.reactions.seq IS 'The message.';

COMMENT ON COLUMN messaging.reactions.account IS 'Who.';

COMMENT ON COLUMN messaging.reactions.emoji IS 'What.';

COMMENT ON COLUMN messaging.reactions.at IS 'When.';

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
   FROM (((conversations.access a
     JOIN messaging.heads h ON ((h.conversation = a.conversation)))
     JOIN messaging.messages m ON ((m.conversation = a.conversation)))
     LEFT JOIN LATERAL ( SELECT i.visible_from,
            i.visible_to,
            i.cleared_before
           FROM messaging.inbox i
          WHERE ((i.account = a.account) AND ((i.conversation >= a.conversation) AND (i.conversation <= a.conversation)))
          ORDER BY i.conversation
         LIMIT 1) b ON (true))
  WHERE ((a.may_read OR (a.left_version IS NOT NULL)) AND (m.seq >=
        CASE
            WHEN (a.joined_version > h.members_version) THEN (h.seq + 1)
            ELSE COALESCE(b.visible_from, (1)::bigint)
        END) AND (m.seq <=
        CASE
            WHEN (a.left_version <= h.members_version) THEN b.visible_to
            ELSE h.seq
        END) AND (m.seq > COALESCE(b.cleared_before, (0)::bigint)) AND (m.deleted_at IS NULL));

ALTER TABLE messaging.readable OWNER TO parley_messaging;

COMMENT ON VIEW messaging.readable IS 'Messages by who may read them. Ask with conversation = and account BETWEEN itself and itself, so that the primary key serves.';

CREATE TABLE messaging.reads (
    conversation bigint NOT NULL,
    account bigint NOT NULL,
    seq bigint NOT NULL,
    at bigint NOT NULL
);

ALTER TABLE messaging.reads OWNER TO parley_messaging;

COMMENT ON TABLE messaging.reads IS 'When members read what, as the others may know: who read message N did so at the time of their first row with seq >= N. In large groups one row stands for what somebody read within about a minute: there times are up to a minute late.';

COMMENT ON COLUMN messaging.reads.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.reads.account IS 'Who.';

COMMENT ON COLUMN messaging.reads.seq IS 'Up to where they then had read.';

COMMENT ON COLUMN messaging.reads.at IS 'When.';

CREATE TABLE messaging.receipts (
    conversation bigint NOT NULL,
    account bigint NOT NULL,
    read_seq bigint NOT NULL,
    read_at bigint NOT NULL,
    delivered_seq bigint NOT NULL,
    delivered_at bigint NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE messaging.receipts OWNER TO parley_messaging;

COMMENT ON TABLE messaging.receipts IS 'How far members have read, as the others may know: stands still while a request is pending or somebody is blocked.';

COMMENT ON COLUMN messaging.receipts.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.receipts.account IS 'Who.';

COMMENT ON COLUMN messaging.receipts.read_seq IS 'Read up to here; grows only.';

COMMENT ON COLUMN messaging.receipts.read_at IS 'When read_seq last grew; 0: never.';

COMMENT ON COLUMN messaging.receipts.delivered_seq IS 'Delivered up to here, at least read_seq; grows only.';

COMMENT ON COLUMN messaging.receipts.delivered_at IS 'When delivered_seq last grew.';

CREATE TABLE messaging.revisions (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    revision integer NOT NULL,
    text text NOT NULL,
    until_at bigint NOT NULL
);

ALTER TABLE messaging.revisions OWNER TO parley_messaging;

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
    "position" bigint NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE messaging.threads OWNER TO parley_messaging;

COMMENT ON TABLE messaging.threads IS 'How threads stand. Written under the lock of the conversation''s head.';

COMMENT ON COLUMN messaging.threads.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.threads.seq IS 'The first message of the thread.';

COMMENT ON COLUMN messaging.threads.replies IS 'Messages with this thread_seq that are not deleted.';

COMMENT ON COLUMN messaging.threads.last_seq IS 'The newest of them ever sent.';

COMMENT ON COLUMN messaging.threads."position" IS 'Position of the last change of this row, in the stream messaging/c.';

CREATE TABLE presence.erased (
    account bigint NOT NULL,
    at bigint NOT NULL
);

ALTER TABLE presence.erased OWNER TO parley_presence;

COMMENT ON TABLE presence.erased IS 'People who were erased (conversations.erased) and of whom nothing is left here.';

COMMENT ON COLUMN presence.erased.account IS 'Who.';

COMMENT ON COLUMN presence.erased.at IS 'When the last of it was deleted, µs since 1970 (UTC).';

CREATE TABLE presence.gateways (
    gateway text NOT NULL COLLATE pg_catalog."C",
    heard_at bigint NOT NULL,
    CONSTRAINT gateways_gateway_check CHECK ((octet_length(gateway) <= 64))
)
WITH (fillfactor='70');

ALTER TABLE presence.gateways OWNER TO parley_presence;

COMMENT ON TABLE presence.gateways IS 'Gateways that report their sessions.';

COMMENT ON COLUMN presence.gateways.gateway IS 'Its instance name.';

COMMENT ON COLUMN presence.gateways.heard_at IS 'When one of our replicas last heard of it, µs since 1970 (UTC); a few seconds late.';

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
	(2, 'Ben2', 'ben', '01955be8-0000-7000-8000-0000000000a2', '$argon2id$v=19$m=19456,t=2,p=1$3tgtPykauQ5m8dcSXlhZ0A$o2DSGg6I4sMWzxwbZuZLnQd4kDJfuHs73V9tmhSNQIk', 'Ben', NULL, '', 1741003200000002, 0, NULL, 'old-2', false),
	(3, 'Cleo3', 'cleo', '01955be8-0000-7000-8000-0000000000a3', '$argon2id$v=19$m=19456,t=2,p=1$3tgtPykauQ5m8dcSXlhZ0A$o2DSGg6I4sMWzxwbZuZLnQd4kDJfuHs73V9tmhSNQIk', 'Cleo Ångström', NULL, '', 1741003200000003, 0, NULL, NULL, false),
	(4, 'Dora4', NULL, NULL, NULL, '', NULL, '', 1741003200000004, 0, 1741003800000000, NULL, false),
	(1, 'Ana1', 'ana', '01955be8-0000-7000-8000-0000000000a1', '$argon2id$v=19$m=19456,t=2,p=1$3tgtPykauQ5m8dcSXlhZ0A$o2DSGg6I4sMWzxwbZuZLnQd4kDJfuHs73V9tmhSNQIk', 'Ana Vásquez', 'ana@example.org', '', 1741003200000001, 0, NULL, NULL, true);

INSERT INTO conversations.blocks VALUES
	(3, 4, 1741003230000000);

INSERT INTO conversations.conversations VALUES
	(1, 'Ana1_Ben2', 1, 2, NULL, '', '', 1, 1741003210000000, 1, 'old-talk', 0, NULL, true, NULL, NULL, 2, -31449830145537104),
	(2, '01955be8000070008000000000000002', 2, 2, NULL, 'Harbour', '', 3, 1741003220000000, 2, NULL, 0, NULL, true, NULL, NULL, 2, 7625182976675961041),
	(3, 'Ana1_Cleo3', 1, 1, 3, '', '', 3, 1741005000000000, 1, NULL, 1, 1741005000000000, true, NULL, NULL, 2, 7625182976675961041);

INSERT INTO conversations.devices VALUES
	(1, 'AnaPhone1', 'Ana''s phone', 1741003201000000, 1741003202000000, 0, NULL),
	(1, 'AnaOld1', 'Ana''s old phone', 1741003201000000, 1741003202000000, 1741003300000000, 1741003300000000),
	(2, 'BenPhone2', 'Ben''s phone', 1741003201000000, 1741003202000000, 0, NULL);

INSERT INTO conversations.ends_of_names VALUES
	(2, 'a vasquez', 1, 1),
	(0, 'ana', 1, 0),
	(0, 'ana vasquez', 1, 3),
	(2, 'asquez', 1, 1),
	(2, 'ez', 1, 0),
	(2, 'na', 1, 0),
	(2, 'na vasquez', 1, 2),
	(2, 'quez', 1, 0),
	(2, 'squez', 1, 0),
	(2, 'uez', 1, 0),
	(1, 'vasquez', 1, 0),
	(2, 'z', 1, 0),
	(0, 'ben', 2, 0),
	(2, 'en', 2, 0),
	(2, 'n', 2, 0),
	(1, 'angstrom', 3, 0),
	(0, 'cleo', 3, 0),
	(0, 'cleo angstrom', 3, 4),
	(2, 'eo', 3, 0),
	(2, 'eo angstrom', 3, 2),
	(2, 'gstrom', 3, 0),
	(2, 'leo', 3, 0),
	(2, 'leo angstrom', 3, 3),
	(2, 'm', 3, 0),
	(2, 'ngstrom', 3, 0),
	(2, 'o', 3, 0),
	(2, 'o angstrom', 3, 1),
	(2, 'om', 3, 1),
	(2, 'rom', 3, 0),
	(2, 'strom', 3, 0),
	(2, 'trom', 3, 0);

INSERT INTO conversations.epoch VALUES
	(true, '59a2e7f36a7c6da6c6d5bcf42857574e');

INSERT INTO conversations.followed VALUES
	('messaging', 2, 1),
	('messaging', 1, 14);

INSERT INTO conversations.heads VALUES
	(2, 3, 0, 0, 0),
	(1, 4, 4, 0, 0),
	(3, 2, 0, 0, 0);

INSERT INTO conversations.jobs VALUES
	(1, 1, 1741006000000000, 1741006000000000, 1, NULL, 0, false);

INSERT INTO conversations.journal_20250303 VALUES
	(1, 1, 1741003210000000, '{1,1}', '{1,2}', '{1,1}', '{1,1}', '{1,1}', '{1,2}');

INSERT INTO conversations.journal_default VALUES
	(1, 3, 1741103220000000, '{1,1,1}', '{1,2,3}', '{2,2,2}', '{2,2,1}', '{1,1,1}', '{1,2,3}'),
	(1, 6, 1741104000000000, '{1,4}', '{2,2}', '{2,2}', '{3,0}', '{1,1}', '{2,2}'),
	(1, 8, 1741105000000000, '{1,1,6}', '{3,1,1}', '{3,3,0}', '{2,3,4}', '{1,1,1}', '{3,1,1}');

INSERT INTO conversations.lanes VALUES
	(2, 0),
	(1, 10);

INSERT INTO conversations.members VALUES
	(1, 1, 1, 0, NULL, true, 1741003210000000, NULL, 1, 1, NULL, 1, NULL, NULL, NULL, NULL),
	(1, 2, 1, 0, NULL, true, 1741003210000000, NULL, 1, 1, NULL, 1, NULL, NULL, NULL, NULL),
	(2, 1, 1, 0, NULL, true, 1741003220000000, NULL, 2, 1, NULL, 1, NULL, NULL, NULL, NULL),
	(2, 3, 3, 0, NULL, true, 1741003220000000, NULL, 1, 1, NULL, 1, NULL, NULL, NULL, NULL),
	(2, 2, 1, 3, NULL, false, 1741003220000000, 1741004000000000, 3, 1, 2, 4, NULL, NULL, 'Harbour', ''),
	(3, 1, 1, 1, 3, true, 1741005000000000, NULL, 3, 1, NULL, 2, 1741005000000000, NULL, NULL, NULL),
	(3, 3, 1, 0, 3, true, 1741005000000000, NULL, 2, 1, NULL, 1, NULL, NULL, NULL, NULL);

INSERT INTO conversations.migrations VALUES
	(1, 'accounts_and_conversations', '87e5255df6d738b78551e4e88fab227bb26ede2eb27f4fb03d8c247d1eb98265', '2025-03-03 11:06:41+00'),
	(2, 'members_come_and_go', 'e26eff7839b86344c896542ef35d507e96d39325e5233e6bc5ecaf31e68d7149', '2025-03-03 11:06:42+00'),
	(3, 'journal_by_the_databases_clock', '3f58ffd9e745b25ffee7c0cf32da05bda21210d36c1f410a0fdfd3738ee81a79', '2025-03-03 11:06:43+00'),
	(4, 'requests_groups_people', '6262e87fd41877a4d6538baa16b937e2c210123eb29e020258c2e84e8e4e19bd', '2025-03-03 11:06:44+00'),
	(5, 'people', '22cf62767a6e6d5b9ec51170072c2809e375c7620d84485cdcffd748b0287cce', '2025-03-03 11:06:45+00');

INSERT INTO conversations.refresh_tokens VALUES
	(1, '\x58e083af152255a9f9e653189400622bf47e27f92f42a0618897029032575cea', 'AnaPhone1', '01955be8-0000-7000-8000-0000000000f1', 1741003201000000, 1743595201000000, 1741003202000000),
	(1, '\xa663f7a778732c5038a05fec6672c83b750c163bf09ff462962974a575c8b851', 'AnaPhone1', '01955be8-0000-7000-8000-0000000000f1', 1741003202000000, 1743595202000000, NULL);

INSERT INTO conversations.reports VALUES
	(1, '01955be8-0000-7000-8000-000000000501', 3, 3, 1, 6, 'Asks for my boat', 1741006000000000, NULL);

INSERT INTO conversations.retired_usernames VALUES
	('\x69db31976ead37b85cc42a49c95fd06eec99cfd9b7ff219a25c0f59cb4049343', 1741003800000000);

INSERT INTO conversations.retiring_key VALUES
	(true, '\xf67336b58ba9ac01536407ddd6d5911ffa23ea7d6bed3ab73666f7dd634c33b9');

INSERT INTO conversations.sign_in_attempts VALUES
	('user:ana', 1741003200000000, 2),
	('address:192.0.2.1', 1741003200000000, 3);

INSERT INTO conversations.signing_keys VALUES
	('keyOfRFC8032', '\xd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', '\x9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 1741003200000000, NULL);

INSERT INTO entities.epoch VALUES
	(true, '07214c6750d983a32e0a33da225c4efd');

INSERT INTO entities.erased VALUES
	(4, 1741004100000000);

INSERT INTO entities.heads VALUES
	(1, 4);

INSERT INTO entities.journal_20250303 VALUES
	(1, 1, 1741003230000000, '{1}', '{1}', '{0}', '{1}', '{1}', '{1}');

INSERT INTO entities.journal_default VALUES
	(1, 2, 1741103240000000, '{1,1,1}', '{1,1,1}', '{0,0,0}', '{2,3,4}', '{1,-1,-1}', '{1}');

INSERT INTO entities.lanes VALUES
	(1, 4);

INSERT INTO entities.migrations VALUES
	(1, 'reminders', 'd0e027b6c4cd5b56e258ee1a90b85a0226b7bba24e9f2d8dd917d92c55e36828', '2025-03-03 11:06:41+00'),
	(2, 'completed_reminders', '702bcb9f498a25aa524067127aa5586799c59608ee44c6ee429662cf9698a775', '2025-03-03 11:06:42+00'),
	(3, 'journal_by_the_databases_clock', '7f66f11dbbb23e5a529e428317a6a9c2bf72151f96d78df9c9486a05bf9ee673', '2025-03-03 11:06:43+00'),
	(4, 'erasure', '730498dbcf0720524472c337b1d3a3e6f8a0582b6e10be094fba8cf30e61dedc', '2025-03-03 11:06:44+00'),
	(5, 'todays_partition', '883b2b896bc5cc5d3cf696f8914d0bae961d1fb81b0b92bddd9ff0ecda3654d2', '2025-03-03 11:06:45+00');

INSERT INTO entities.reminders VALUES
	(1, '01955be8-0000-7000-8000-000000000301', 'Bring the rope', 1741089600000000, 'Europe/Stockholm', 2, '01955be8-0000-7000-8000-000000000203', 'local-1', 1741003230000000, NULL, NULL, NULL, 1),
	(1, '01955be8-0000-7000-8000-000000000302', 'Buy tar', 1741089600000000, 'America/New_York', NULL, NULL, '', 1741003231000000, 1741003240000000, NULL, NULL, 3),
	(1, '01955be8-0000-7000-8000-000000000303', '', 1741089600000000, 'UTC', NULL, NULL, '', 1741003232000000, NULL, NULL, 1741003241000000, 4);

INSERT INTO messaging.attachments VALUES
	(1, '01955be8-0000-7000-8000-000000000601', 1, '01955be8-0000-7000-8000-000000000601', 'boat.png', 'image/png', 2048, 8, 8, 1741006003500000, 1741006003600000, 7, NULL);

INSERT INTO messaging.epoch VALUES
	(true, '6dd5452492381aea23c90f8bd374fc49');

INSERT INTO messaging.erased VALUES
	(4, 1741004100000000);

INSERT INTO messaging.flags VALUES
	(1, 1, 3, 1741006005000000, NULL, 2),
	(1, 1, 2, NULL, 1741006006000000, 3);

INSERT INTO messaging.followed VALUES
	('conversations', 2, 0),
	('conversations', 1, 10);

INSERT INTO messaging.heads VALUES
	(2, 4, 4, 1, 0, 2, 0),
	(3, 1, 1, 1, 0, 1, 0),
	(1, 7, 10, 1, 0, 1, 0);

INSERT INTO messaging.inbox VALUES
	(1, 2, 1741003223000000, 1, 1, NULL, 0, 2, 1741003222500000, 3, 1741003223400000, 1741003224000000, NULL, NULL, NULL, false, NULL, 1741003223000000),
	(3, 2, 1741003223000000, 0, 1, NULL, 0, 1, 1741003221500000, 1, 1741003221400000, NULL, NULL, NULL, NULL, false, NULL, 1741003223000000),
	(2, 2, 1741003223000000, 1, 1, 3, 0, 0, NULL, 0, NULL, NULL, 9223372036854775807, NULL, NULL, false, 3, 1741003223000000),
	(1, 3, 1741005001000000, 0, 1, NULL, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, 1741005001000000),
	(3, 3, 1741005001000000, 0, 1, NULL, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, 1741005001000000),
	(1, 1, 1741006004000000, 0, 1, NULL, 0, 5, 1741003215500000, 5, 1741003215400000, NULL, NULL, NULL, NULL, false, NULL, 1741006004000000),
	(2, 1, 1741006004000000, 0, 1, NULL, 0, 3, 1741003213500000, 3, 1741003213400000, NULL, NULL, NULL, NULL, false, NULL, 1741006004000000);

INSERT INTO messaging.journal_20250303 VALUES
	(1, 1, 1741003211000000, '{1,1,1,1,1}', '{1,1,1,1,1}', '{1,2,3,4,5}', '{1,2,3,4,5}', '{2,-1,-1,-1,-1}', '{1,2}'),
	(1, 6, 1741003221000000, '{1,1,1}', '{2,2,2}', '{1,2,3}', '{1,2,3}', '{3,-1,-1}', '{1,2,3}');

INSERT INTO messaging.journal_default VALUES
	(2, 1, 1741103216000000, '{1}', '{1}', '{4}', '{6}', '{2}', '{1,2}'),
	(1, 9, 1741104000100000, '{1}', '{2}', '{4}', '{4}', '{2}', '{1,3}'),
	(1, 10, 1741105001000000, '{2}', '{3}', '{1}', '{1}', '{2}', '{1,3}'),
	(1, 11, 1741106004000000, '{1,1,1,1}', '{1,1,1,1}', '{6,3,3,7}', '{7,8,9,10}', '{2,-1,-1,-1}', '{1,2}');

INSERT INTO messaging.lanes VALUES
	(2, 1),
	(1, 14);

INSERT INTO messaging.mentions VALUES
	(2, 1, 3, 1741003213000000);

INSERT INTO messaging.messages VALUES
	(1, 1, '01955be8-0000-7000-8000-000000000101', 1, 1, 'Hello Ben', 1741003211000000, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'old-m1', false, NULL, NULL, NULL),
	(1, 2, '01955be8-0000-7000-8000-000000000102', 2, 1, 'Hej Ana 👋🏽', 1741003212000000, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL),
	(1, 4, '01955be8-0000-7000-8000-000000000104', 1, 1, '', 1741003214000000, 6, 1741003216000000, NULL, 1741003216000000, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL),
	(1, 5, '01955be8-0000-7000-8000-000000000105', 2, 1, 'See you at the harbour', 1741003215000000, 5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL),
	(2, 1, '01955be8-0000-7000-8000-000000000201', 3, 1, 'Welcome aboard', 1741003221000000, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL),
	(2, 2, '01955be8-0000-7000-8000-000000000202', 1, 1, 'Thanks, Cleo', 1741003222000000, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL),
	(2, 3, '01955be8-0000-7000-8000-000000000203', 2, 1, 'When do we sail?', 1741003223000000, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL),
	(2, 4, '01955be8-0000-8000-8000-000000000204', NULL, 6, '', 1741004000100000, 4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x0802120442656e321a0442656e32', NULL, false, NULL, NULL, NULL),
	(3, 1, '01955be8-0000-7000-8000-000000000401', 3, 1, 'Ana, may I borrow your boat?', 1741005001000000, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL),
	(1, 3, '01955be8-0000-7000-8000-000000000103', 1, 1, 'Two lines, and @ben', 1741003213000000, 9, 1741006003000000, 1741006001000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, '{2}', '{👍}', '{1}'),
	(1, 6, '01955be8-0000-7000-8000-000000000106', 2, 1, 'An answer', 1741006002000000, 7, NULL, NULL, NULL, NULL, 3, 3, NULL, NULL, NULL, false, NULL, NULL, NULL),
	(1, 7, '01955be8-0000-7000-8000-000000000107', 1, 2, 'The boat', 1741006004000000, 10, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x0a1001955be80000700080000000000006011a08626f61742e706e672209696d6167652f706e6728801030083808', NULL, false, NULL, NULL, NULL);

INSERT INTO messaging.migrations VALUES
	(1, 'messages', '3c0b90ce5a942bf90bbce43b52dfb68fbd7590d62b6814f9f6d1527735efd14a', '2025-03-03 11:06:41+00'),
	(2, 'windows_and_notes', '0ef98b68702c551b552ad083483f2a71e23e8154c835abc632caf5a6dca7d727', '2025-03-03 11:06:42+00'),
	(3, 'journal_by_the_databases_clock', 'a03482b69e02f19d7d17bb3b215fd03f7e49f879c10ed30ddf378b9d778171ef', '2025-03-03 11:06:43+00'),
	(4, 'requests_and_erasure', 'cc8931610c76e8ec733f7d98de4783df954a8138a373364c2bc5794b7a7ea4df', '2025-03-03 11:06:44+00'),
	(5, 'what_people_do_with_messages', '0bc988d6ce583b21840382e26dc09fa27ebe3e2de227897edce5ab08a47a986c', '2025-03-03 11:06:45+00');

INSERT INTO messaging.person_heads VALUES
	(2, 1),
	(1, 3);

INSERT INTO messaging.reactions VALUES
	(1, 3, 2, '👍', 1741006003000000);

INSERT INTO messaging.reads VALUES
	(1, 1, 5, 1741003215500000),
	(1, 2, 3, 1741003213500000);

INSERT INTO messaging.receipts VALUES
	(1, 1, 5, 1741003215500000, 5, 1741003215400000),
	(1, 2, 3, 1741003213500000, 3, 1741003213400000);

INSERT INTO messaging.revisions VALUES
	(1, 3, 1, 'Two lines,
and ''quotes''; $1 \ %', 1741006001000000);

INSERT INTO messaging.threads VALUES
	(1, 3, 1, 6, 8);

INSERT INTO presence.erased VALUES
	(4, 1741004100000000);

INSERT INTO presence.gateways VALUES
	('gateway-1', 1741004000000000);

INSERT INTO presence.last_seen VALUES
	(1, 1741003900000000),
	(2, 1741003901000000);

INSERT INTO presence.migrations VALUES
	(1, 'last_seen', '7e9364ea3333fd9659c08e6fd48ac2b5a6cfde99c203103f51b2901b06204558', '2025-03-03 11:06:41+00'),
	(2, 'gateways', '063cd188aa68d2a6574d31d0902fa44309b4a8c49e9c2f5ccf3317d5204cf3c7', '2025-03-03 11:06:42+00'),
	(3, 'erasure', '014601d5063bf46d2cd8414ac623307d87e99a974192cc200bd28b033ac22ea1', '2025-03-03 11:06:43+00');

SELECT pg_catalog.setval('conversations.accounts_account_seq', 4, true);

SELECT pg_catalog.setval('conversations.conversations_conversation_seq', 3, true);

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

ALTER TABLE ONLY conversations.followed
    ADD CONSTRAINT followed_pkey PRIMARY KEY (source, lane);

ALTER TABLE ONLY conversations.heads
    ADD CONSTRAINT heads_pkey PRIMARY KEY (account);

ALTER TABLE ONLY conversations.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (account, kind);

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

ALTER TABLE ONLY conversations.reports
    ADD CONSTRAINT reports_pkey PRIMARY KEY (account, id);

ALTER TABLE ONLY conversations.retired_usernames
    ADD CONSTRAINT retired_usernames_pkey PRIMARY KEY (keyed_hash);

ALTER TABLE ONLY conversations.retiring_key
    ADD CONSTRAINT retiring_key_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY conversations.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (key);

ALTER TABLE ONLY conversations.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY entities.epoch
    ADD CONSTRAINT epoch_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY entities.erased
    ADD CONSTRAINT erased_pkey PRIMARY KEY (account);

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

ALTER TABLE ONLY messaging.attachments
    ADD CONSTRAINT attachments_pkey PRIMARY KEY (conversation, id);

ALTER TABLE ONLY messaging.epoch
    ADD CONSTRAINT epoch_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY messaging.erased
    ADD CONSTRAINT erased_pkey PRIMARY KEY (account);

ALTER TABLE ONLY messaging.flags
    ADD CONSTRAINT flags_pkey PRIMARY KEY (account, conversation, seq);

ALTER TABLE ONLY messaging.followed
    ADD CONSTRAINT followed_pkey PRIMARY KEY (source, lane);

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

ALTER TABLE ONLY messaging.mentions
    ADD CONSTRAINT mentions_pkey PRIMARY KEY (account, conversation, seq);

ALTER TABLE ONLY messaging.messages
    ADD CONSTRAINT messages_conversation_id_key UNIQUE (conversation, id);

ALTER TABLE ONLY messaging.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (conversation, seq);

ALTER TABLE ONLY messaging.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (number);

ALTER TABLE ONLY messaging.person_heads
    ADD CONSTRAINT person_heads_pkey PRIMARY KEY (account);

ALTER TABLE ONLY messaging.reactions
    ADD CONSTRAINT reactions_pkey PRIMARY KEY (conversation, seq, account, emoji);

ALTER TABLE ONLY messaging.reads
    ADD CONSTRAINT reads_pkey PRIMARY KEY (conversation, account, seq);

ALTER TABLE ONLY messaging.receipts
    ADD CONSTRAINT receipts_pkey PRIMARY KEY (conversation, account);

ALTER TABLE ONLY messaging.revisions
    ADD CONSTRAINT revisions_pkey PRIMARY KEY (conversation, seq, revision);

ALTER TABLE ONLY messaging.threads
    ADD CONSTRAINT threads_pkey PRIMARY KEY (conversation, seq);

ALTER TABLE ONLY presence.erased
    ADD CONSTRAINT erased_pkey PRIMARY KEY (account);

ALTER TABLE ONLY presence.gateways
    ADD CONSTRAINT gateways_pkey PRIMARY KEY (gateway);

ALTER TABLE ONLY presence.last_seen
    ADD CONSTRAINT last_seen_pkey PRIMARY KEY (account);

ALTER TABLE ONLY presence.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (number);

CREATE INDEX accounts_email ON conversations.accounts USING btree (conversations.lowered(email) COLLATE "C", account) WHERE findable_by_email;

CREATE INDEX accounts_erased_at ON conversations.accounts USING btree (erased_at) WHERE (erased_at IS NOT NULL);

CREATE UNIQUE INDEX accounts_legacy_id ON conversations.accounts USING btree (legacy_id) WHERE (legacy_id IS NOT NULL);

CREATE INDEX accounts_tokens_void_before ON conversations.accounts USING btree (tokens_void_before) WHERE (tokens_void_before > 0);

CREATE INDEX blocks_blocked ON conversations.blocks USING btree (blocked, account);

CREATE UNIQUE INDEX conversations_legacy_id ON conversations.conversations USING btree (legacy_id) WHERE (legacy_id IS NOT NULL);

CREATE INDEX conversations_members_key ON conversations.conversations USING btree (members_key, created_at, conversation) WHERE (kind = 2);

CREATE INDEX devices_revoked_at ON conversations.devices USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);

CREATE INDEX ends_of_names_letters ON conversations.ends_of_names USING btree (part, letters, account) INCLUDE (longer_than);

CREATE INDEX jobs_due_at ON conversations.jobs USING btree (due_at, account, kind);

CREATE INDEX members_account_position ON conversations.members USING btree (account, "position");

CREATE INDEX members_aside ON conversations.members USING btree (account, place, conversation) WHERE (place > 1);

CREATE INDEX members_order ON conversations.members USING btree (conversation, ((- role)), joined_version, account) WHERE (left_at IS NULL);

CREATE INDEX members_requests ON conversations.members USING btree (account, request_at, conversation) WHERE (place = 2);

CREATE INDEX refresh_tokens_device ON conversations.refresh_tokens USING btree (account, device_id);

CREATE INDEX refresh_tokens_expires_at ON conversations.refresh_tokens USING btree (expires_at);

CREATE INDEX reports_open ON conversations.reports USING btree (at, account, id) WHERE (closed_at IS NULL);

CREATE INDEX reminders_completed ON entities.reminders USING btree (account, due_at, id) WHERE ((deleted_at IS NULL) AND (completed_at IS NOT NULL));

COMMENT ON INDEX entities.reminders_completed IS 'A person''s completed reminders by due time.';

CREATE INDEX reminders_conversation ON entities.reminders USING btree (account, conversation, due_at, id) WHERE ((deleted_at IS NULL) AND (conversation IS NOT NULL));

CREATE INDEX reminders_due_at ON entities.reminders USING btree (account, due_at, id) WHERE (deleted_at IS NULL);

CREATE INDEX reminders_open ON entities.reminders USING btree (account, due_at, id) WHERE ((deleted_at IS NULL) AND (completed_at IS NULL));

CREATE UNIQUE INDEX reminders_position ON entities.reminders USING btree (account, "position");

CREATE INDEX attachments_object ON messaging.attachments USING btree (object);

CREATE INDEX attachments_of_owner ON messaging.attachments USING btree (owner, created_at) WHERE (seq IS NULL);

CREATE INDEX attachments_unsent ON messaging.attachments USING btree (created_at) WHERE (seq IS NULL);

CREATE INDEX attachments_unused ON messaging.attachments USING btree (unused_at) WHERE (unused_at IS NOT NULL);

CREATE UNIQUE INDEX flags_changed ON messaging.flags USING btree (account, "position");

CREATE INDEX flags_starred ON messaging.flags USING btree (account, starred_at, conversation, seq) WHERE (starred_at IS NOT NULL);

CREATE INDEX inbox_archived ON messaging.inbox USING btree (account, ((archived_at IS NOT NULL)), news_at, conversation) WHERE (archived_at IS NOT NULL);

CREATE INDEX inbox_news ON messaging.inbox USING btree (account, news_at, conversation);

CREATE INDEX inbox_pinned ON messaging.inbox USING btree (account, pinned_at, conversation) WHERE (pinned_at IS NOT NULL);

CREATE INDEX inbox_touched ON messaging.inbox USING btree (account, touched_at, conversation);

CREATE INDEX mentions_by_time ON messaging.mentions USING btree (account, sent_at, conversation, seq);

CREATE INDEX messages_changed ON messaging.messages USING btree (conversation, "position") WHERE (changed_at IS NOT NULL);

CREATE INDEX messages_expiring ON messaging.messages USING btree (expires_at, conversation, seq) WHERE ((expires_at IS NOT NULL) AND (deleted_at IS NULL));

CREATE INDEX messages_of_threads ON messaging.messages USING btree (conversation, thread_seq, seq) WHERE (thread_seq IS NOT NULL);

CREATE INDEX reactions_by_emoji ON messaging.reactions USING btree (conversation, seq, emoji, at, account);

CREATE INDEX reactions_in_order ON messaging.reactions USING btree (conversation, seq, at, account, emoji);

ALTER INDEX conversations.journal_pkey ATTACH PARTITION conversations.journal_20250303_pkey;

ALTER INDEX conversations.journal_pkey ATTACH PARTITION conversations.journal_default_pkey;

ALTER INDEX entities.journal_pkey ATTACH PARTITION entities.journal_20250303_pkey;

ALTER INDEX entities.journal_pkey ATTACH PARTITION entities.journal_default_pkey;

ALTER INDEX messaging.journal_pkey ATTACH PARTITION messaging.journal_20250303_pkey;

ALTER INDEX messaging.journal_pkey ATTACH PARTITION messaging.journal_default_pkey;

CREATE TRIGGER keep_names AFTER INSERT OR UPDATE OF display_name, username, erased_at ON conversations.accounts FOR EACH ROW EXECUTE FUNCTION conversations.keep_names();

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

REVOKE ALL ON FUNCTION conversations.ends_of_names(display_name text, username text) FROM PUBLIC;

REVOKE ALL ON FUNCTION conversations.epoch() FROM PUBLIC;

REVOKE ALL ON FUNCTION conversations.folded(value text) FROM PUBLIC;

REVOKE ALL ON FUNCTION conversations.keep_journal(now_us bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION conversations.keep_names() FROM PUBLIC;

REVOKE ALL ON FUNCTION conversations.letters_shared(one text, other text) FROM PUBLIC;

REVOKE ALL ON FUNCTION conversations.lowered(value text) FROM PUBLIC;

REVOKE ALL ON FUNCTION conversations.username_hash(username text) FROM PUBLIC;

REVOKE ALL ON FUNCTION entities.epoch() FROM PUBLIC;

REVOKE ALL ON FUNCTION entities.keep_journal(now_us bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.epoch() FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.keep_journal(now_us bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.send_batch(batch_lane integer, batch_at bigint, batch_conversations bigint[], batch_senders bigint[], batch_ids uuid[], batch_kinds smallint[], batch_texts text[], batch_extras bytea[], batch_replies bigint[], batch_mentions text[], batch_forwarded bigint[], batch_attachments uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.unread(of_account bigint, of_conversation bigint, above bigint, up_to bigint, at_us bigint) FROM PUBLIC;

GRANT SELECT ON TABLE conversations.access TO parley_messaging;
GRANT SELECT ON TABLE conversations.access TO parley_presence;
GRANT SELECT ON TABLE conversations.access TO parley_entities;

GRANT SELECT ON TABLE conversations.account_ids TO parley_messaging;
GRANT SELECT ON TABLE conversations.account_ids TO parley_presence;
GRANT SELECT ON TABLE conversations.account_ids TO parley_entities;

GRANT SELECT ON TABLE conversations.blocked TO parley_presence;

GRANT SELECT ON TABLE conversations.conversation_ids TO parley_messaging;
GRANT SELECT ON TABLE conversations.conversation_ids TO parley_presence;
GRANT SELECT ON TABLE conversations.conversation_ids TO parley_entities;

GRANT SELECT ON TABLE conversations.erased TO parley_messaging;
GRANT SELECT ON TABLE conversations.erased TO parley_presence;
GRANT SELECT ON TABLE conversations.erased TO parley_entities;

GRANT SELECT ON TABLE conversations.journal TO parley_messaging;
GRANT SELECT ON TABLE conversations.journal TO parley_presence;
GRANT SELECT ON TABLE conversations.journal TO parley_entities;

GRANT SELECT ON TABLE conversations.lanes TO parley_messaging;
GRANT SELECT ON TABLE conversations.lanes TO parley_presence;
GRANT SELECT ON TABLE conversations.lanes TO parley_entities;

GRANT SELECT ON TABLE messaging.journal TO parley_entities;
GRANT SELECT ON TABLE messaging.journal TO parley_conversations;

GRANT SELECT ON TABLE messaging.lanes TO parley_entities;
GRANT SELECT ON TABLE messaging.lanes TO parley_conversations;

GRANT SELECT ON TABLE messaging.readable TO parley_entities;
