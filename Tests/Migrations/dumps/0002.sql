-- conversations 2, messaging 2, presence 1, entities 2
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

CREATE FUNCTION conversations.add_sealing_key() RETURNS smallint
    LANGUAGE sql
    SET search_path TO 'pg_catalog'
    AS $$
    INSERT INTO conversations.sealing_keys (id, key, created_at)
    SELECT COALESCE(max(id), 0) + 1, sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
        (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
    FROM conversations.sealing_keys
    RETURNING id
$$;

ALTER FUNCTION conversations.add_sealing_key() OWNER TO parley_conversations;

COMMENT ON FUNCTION conversations.add_sealing_key() IS 'Adds a key for sealing. Each replica seals with it from its next start on. What older keys sealed can be opened until their rows are deleted.';

CREATE FUNCTION conversations.epoch() RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT e.id || '.' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    FROM conversations.epoch AS e
$$;

ALTER FUNCTION conversations.epoch() OWNER TO parley_conversations;

COMMENT ON FUNCTION conversations.epoch() IS 'Returns the epoch of all positions of this schema as id.TIMELINE. It changes after a restore or an asynchronous promotion.';

CREATE FUNCTION conversations.folded(value text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
DECLARE
    letters text := conversations.lowered(normalize(value, NFKD));
BEGIN
    -- Remove accents of European scripts and points of Hebrew and Arabic. Marks that denote a separate sound stay.
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

COMMENT ON FUNCTION conversations.folded(value text) IS 'Returns a name without case, accents and needless spaces. Two names that should find each other fold to the same text.';

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

    -- Each step waits only briefly for a lock, because others queue behind it. Locked partitions are left to the next
    -- call. Dropping stops all writers for an instant. It comes first: if the default partition were locked already,
    -- the drop and a reader could wait for each other.
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

    -- ATTACH, unlike CREATE … PARTITION OF, lets writers of the other partitions continue.
    FOR starts_at IN
        SELECT database_us - database_us % day_us + ahead * day_us
        FROM generate_series(0, 3) AS ahead
    LOOP
        partition := 'journal_' || to_char(to_timestamp(starts_at / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('conversations.%I', partition)) IS NOT NULL;
        BEGIN
            EXECUTE format('CREATE TABLE conversations.%I (LIKE conversations.journal INCLUDING ALL)', partition);
            EXECUTE format('COMMENT ON TABLE conversations.%I IS %L', partition, 'One day of the journal (UTC).');
            -- Today's rows may be in the default partition. This lock makes writers and readers wait before they choose
            -- a partition, so that none uses a choice made before the rows moved.
            IF starts_at <= database_us THEN
                LOCK TABLE conversations.journal IN ACCESS EXCLUSIVE MODE;
            END IF;
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

COMMENT ON FUNCTION conversations.keep_journal(now_us bigint) IS 'Creates the journal''s partitions of today and the next 3 days by the database''s clock. Drops those that are older than 7 days by both that clock and the caller''s. Call it at start and every hour. Returns how many partitions it created and dropped; -1: some were locked by others, so call again soon.';

CREATE FUNCTION conversations.keep_names() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
BEGIN
    -- The trigger runs after the row is written. Its snapshot therefore includes an erasure that held the username and
    -- that the unique index waited for.
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
        DELETE FROM conversations.name_suffixes AS n
        USING conversations.name_suffixes(OLD.display_name, OLD.username) AS e
        WHERE n.part = e.part
            AND n.letters = e.letters
            AND n.account = OLD.account;
    END IF;
    IF NEW.erased_at IS NULL THEN
        INSERT INTO conversations.name_suffixes (part, letters, account, longer_than)
        SELECT e.part, e.letters, NEW.account, e.longer_than
        FROM conversations.name_suffixes(NEW.display_name, NEW.username) AS e;
    END IF;
    RETURN NULL;
END
$$;

ALTER FUNCTION conversations.keep_names() OWNER TO parley_conversations;

COMMENT ON FUNCTION conversations.keep_names() IS 'Updates conversations.name_suffixes when an account changes, and refuses retired usernames.';

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

COMMENT ON FUNCTION conversations.letters_shared(one text, other text) IS 'Returns the length of the common beginning of two texts.';

CREATE FUNCTION conversations.lowered(value text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
                SELECT lower(value COLLATE pg_catalog."und-x-icu")
            $$;

ALTER FUNCTION conversations.lowered(value text) OWNER TO parley_conversations;

COMMENT ON FUNCTION conversations.lowered(value text) IS 'Returns the text in lower case, in all scripts, regardless of the database''s locale.';

CREATE FUNCTION conversations.name_suffixes(display_name text, username text) RETURNS TABLE(part smallint, letters text, longer_than smallint)
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
    -- Of all suffixes found earlier, the neighbours in the alphabet share the most letters with a suffix. They are the
    -- one before it among the parts up to its own, and the one after it among the parts before its own.
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

ALTER FUNCTION conversations.name_suffixes(display_name text, username text) OWNER TO parley_conversations;

COMMENT ON FUNCTION conversations.name_suffixes(display_name text, username text) IS 'Returns the suffixes of both names, the display name folded, as conversations.name_suffixes stores them.';

CREATE FUNCTION conversations.username_hash(username text) RETURNS bytea
    LANGUAGE sql STABLE STRICT
    SET search_path TO 'pg_catalog'
    AS $$
    SELECT sha256(k.key || sha256(k.key || convert_to(username, 'UTF8')))
    FROM conversations.retiring_key AS k
$$;

ALTER FUNCTION conversations.username_hash(username text) OWNER TO parley_conversations;

COMMENT ON FUNCTION conversations.username_hash(username text) IS 'Returns the hash of a username, as conversations.retired_usernames stores it.';

CREATE FUNCTION entities.epoch() RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT e.id || '.' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    FROM entities.epoch AS e
$$;

ALTER FUNCTION entities.epoch() OWNER TO parley_entities;

COMMENT ON FUNCTION entities.epoch() IS 'Returns the epoch of all positions of this schema as id.TIMELINE. It changes after a restore or an asynchronous promotion.';

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

    -- Each step waits only briefly for a lock, because others queue behind it. Locked partitions are left to the next
    -- call. Dropping stops all writers for an instant. It comes first: if the default partition were locked already,
    -- the drop and a reader could wait for each other.
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

    -- ATTACH, unlike CREATE … PARTITION OF, lets writers of the other partitions continue.
    FOR starts_at IN
        SELECT database_us - database_us % day_us + ahead * day_us
        FROM generate_series(0, 3) AS ahead
    LOOP
        partition := 'journal_' || to_char(to_timestamp(starts_at / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('entities.%I', partition)) IS NOT NULL;
        BEGIN
            EXECUTE format('CREATE TABLE entities.%I (LIKE entities.journal INCLUDING ALL)', partition);
            EXECUTE format('COMMENT ON TABLE entities.%I IS %L', partition, 'One day of the journal (UTC).');
            -- Today's rows may be in the default partition. This lock makes writers and readers wait before they choose
            -- a partition, so that none uses a choice made before the rows moved.
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

COMMENT ON FUNCTION entities.keep_journal(now_us bigint) IS 'Creates the journal''s partitions of today and the next 3 days by the database''s clock. Drops those that are older than 7 days by both that clock and the caller''s. Call it at start and every hour. Returns how many partitions it created and dropped; -1: some were locked by others, so call again soon.';

CREATE FUNCTION messaging.decide_sends(batch_conversations bigint[], batch_senders bigint[], batch_ids uuid[], batch_kinds smallint[], batch_texts text[], batch_extras bytea[], batch_replies bigint[], batch_mentions text[], batch_forwarded bigint[], batch_attachments uuid[], locked bigint[], seqs bigint[], positions bigint[], versions bigint[], retentions bigint[], absent bigint[]) RETURNS TABLE(ordinal bigint, conversation bigint, sender bigint, id uuid, kind smallint, text text, extra bytea, reply_to bigint, root bigint, mentions text, forwarded bigint, attachment uuid, outcome integer, first_ordinal bigint, first_sender bigint, is_new boolean, nth bigint, head_seq bigint, head_position bigint, behind_version bigint, retention bigint, until_seq bigint, readers bigint[], stored_seq bigint, stored_position bigint, stored_at bigint)
    LANGUAGE sql STABLE
    AS $$
    WITH talk AS MATERIALIZED (
        SELECT l.conversation, l.seq, l.position, l.retention, m.accounts, m.refused, m.refusals, m.until_seq,
            m.readers, m.version, m.version > l.version AS is_behind
        FROM unnest(locked, seqs, positions, versions, retentions)
            AS l (conversation, seq, position, version, retention)
        CROSS JOIN LATERAL (
            SELECT array_agg(a.account) AS accounts,
                array_agg(a.account) FILTER (WHERE NOT a.may_write) AS refused,
                array_agg(a.refusal) FILTER (WHERE NOT a.may_write) AS refusals,
                min(a.write_until_seq) AS until_seq,
                array_agg(a.account) FILTER (WHERE a.may_read) AS readers,
                coalesce(max(greatest(a.joined_version, a.left_version)), 1) AS version
            FROM conversations.access AS a
            WHERE a.conversation = l.conversation
        ) AS m
    ),
    -- A FULL join cannot become a nested loop over both lists. Every row has an item.
    placed AS (
        SELECT i.ordinal, i.conversation, i.sender, i.id, i.kind, i.text, i.extra, i.reply_to, i.mentions, i.forwarded,
            i.attachment, coalesce(NOT t.is_behind, false) AS is_locked,
            CASE WHEN t.is_behind THEN t.version END AS behind_version,
            t.seq AS head_seq, t.position AS head_position, t.retention, t.until_seq, t.readers,
            CASE WHEN i.sender = ANY (t.accounts)
                THEN coalesce(t.refusals[array_position(t.refused, i.sender)], '')
                ELSE 'not_member' END AS refusal
        FROM unnest(batch_conversations, batch_senders, batch_ids, batch_kinds, batch_texts, batch_extras,
            batch_replies, batch_mentions, batch_forwarded, batch_attachments) WITH ORDINALITY
            AS i (conversation, sender, id, kind, text, extra, reply_to, mentions, forwarded, attachment, ordinal)
        FULL JOIN talk AS t ON t.conversation = i.conversation
    ),
    ruled AS (
        SELECT a.*, s.seq AS stored_seq, s.position AS stored_position, s.sent_at AS stored_at, r.root,
            CASE
                WHEN NOT a.is_locked THEN
                    CASE WHEN a.conversation = ANY (locked) THEN 2
                    WHEN a.conversation = ANY (absent) AND a.sender <> 0 THEN coalesce((
                        SELECT CASE x.refusal
                            WHEN '' THEN 2
                            WHEN 'user_blocked' THEN 4
                        END
                        FROM conversations.access AS x
                        WHERE x.conversation = a.conversation AND x.account BETWEEN a.sender AND a.sender
                        ORDER BY x.account
                        LIMIT 1), 3)
                    ELSE 2 END
                WHEN s.sender = a.sender THEN 1
                -- The recipient does not see the request before its first message, and is refused like anyone else.
                WHEN a.refusal = 'accept_first' AND a.head_seq = 0 THEN 3
                WHEN a.refusal = '' THEN
                    CASE WHEN s.seq IS NOT NULL THEN 6
                    WHEN a.reply_to IS NOT NULL AND r.root IS NULL THEN 8
                    WHEN a.attachment IS NOT NULL AND NOT EXISTS (
                        SELECT
                        FROM messaging.attachments AS f
                        WHERE f.conversation = a.conversation AND f.id BETWEEN a.attachment AND a.attachment
                            AND f.owner = a.sender AND f.seq IS NULL AND f.completed_at IS NOT NULL
                            AND f.unused_at IS NULL
                    ) THEN 9
                    -- An earlier message of the sender in this batch has the same attachment. The next batch decides,
                    -- when the outcome of that message is known.
                    WHEN a.attachment IS NOT NULL AND EXISTS (
                        SELECT
                        FROM unnest(batch_conversations, batch_senders, batch_ids, batch_attachments) WITH ORDINALITY
                            AS e (conversation, sender, id, attachment, ordinal)
                        WHERE e.ordinal < a.ordinal AND e.attachment = a.attachment
                            AND e.conversation = a.conversation AND e.sender = a.sender AND e.id <> a.id
                    ) THEN 12
                    ELSE 0 END
                WHEN a.sender = 0 AND a.kind = 6 THEN
                    CASE WHEN s.seq IS NULL THEN 0
                    WHEN s.sender IS NULL THEN 1
                    ELSE 6 END
                ELSE messaging.refused(a.refusal)
            END AS outcome
        FROM placed AS a
        LEFT JOIN LATERAL (
            SELECT m.seq, m.sender, m.position, m.sent_at
            FROM messaging.messages AS m
            WHERE m.conversation = a.conversation AND m.id BETWEEN a.id AND a.id
            ORDER BY m.id
            LIMIT 1
        ) AS s ON a.is_locked
        -- A message that was sent before the sender joined looks as if it did not exist.
        LEFT JOIN LATERAL (
            SELECT coalesce(m.thread_seq, m.seq) AS root
            FROM messaging.members(a.conversation) AS p
            CROSS JOIN LATERAL (
                SELECT x.seq, x.thread_seq
                FROM messaging.messages AS x
                WHERE x.conversation = a.conversation AND x.seq BETWEEN a.reply_to AND a.reply_to
                ORDER BY x.seq
                LIMIT 1
            ) AS m
            WHERE p.account BETWEEN a.sender AND a.sender AND m.seq >= p.first_seq
            ORDER BY p.account
            LIMIT 1
        ) AS r ON a.is_locked AND a.reply_to IS NOT NULL
    ),
    -- Of several items with the same id in this batch the first counts; the others are its duplicates.
    singled AS (
        SELECT r.*,
            first_value(r.ordinal) OVER same_id AS first_ordinal,
            first_value(r.sender) OVER same_id AS first_sender
        FROM ruled AS r
        WINDOW same_id AS (PARTITION BY r.conversation, r.id ORDER BY r.outcome, r.ordinal)
    )
    SELECT s.ordinal, s.conversation, s.sender, s.id, s.kind, s.text, s.extra, s.reply_to, s.root, s.mentions,
        s.forwarded, s.attachment, s.outcome, s.first_ordinal, s.first_sender,
        s.outcome = 0 AND s.first_ordinal = s.ordinal,
        count(*) FILTER (WHERE s.outcome = 0 AND s.first_ordinal = s.ordinal) OVER (
            PARTITION BY s.conversation ORDER BY s.ordinal ROWS UNBOUNDED PRECEDING),
        s.head_seq, s.head_position, s.behind_version, s.retention, s.until_seq, s.readers, s.stored_seq,
        s.stored_position, s.stored_at
    FROM singled AS s
$$;

ALTER FUNCTION messaging.decide_sends(batch_conversations bigint[], batch_senders bigint[], batch_ids uuid[], batch_kinds smallint[], batch_texts text[], batch_extras bytea[], batch_replies bigint[], batch_mentions text[], batch_forwarded bigint[], batch_attachments uuid[], locked bigint[], seqs bigint[], positions bigint[], versions bigint[], retentions bigint[], absent bigint[]) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.decide_sends(batch_conversations bigint[], batch_senders bigint[], batch_ids uuid[], batch_kinds smallint[], batch_texts text[], batch_extras bytea[], batch_replies bigint[], batch_mentions text[], batch_forwarded bigint[], batch_attachments uuid[], locked bigint[], seqs bigint[], positions bigint[], versions bigint[], retentions bigint[], absent bigint[]) IS 'Returns each message of a batch with its outcome. The last six parameters are the result of messaging.lock_heads. first_ordinal: the message with this id that counts. nth: among the new messages of its conversation. behind_version: set if members joined or left since the last message; the outcome is then "locked".';

CREATE FUNCTION messaging.empty_expired(at_us bigint, after_at bigint, after_conversation bigint, after_seq bigint, most integer, of_conversation bigint DEFAULT NULL::bigint) RETURNS TABLE(seen integer, emptied integer, last_at bigint, last_conversation bigint, last_seq bigint, passed_over bigint[])
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    due_times bigint[];
    due_conversations bigint[];
    due_seqs bigint[];
    locked bigint[];
    done integer := 0;
BEGIN
    IF NOT pg_try_advisory_xact_lock(7306, hashtext('messaging')) THEN
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
            edited_at = NULL, deleted_at = s.expires_at
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

ALTER FUNCTION messaging.empty_expired(at_us bigint, after_at bigint, after_conversation bigint, after_seq bigint, most integer, of_conversation bigint) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.empty_expired(at_us bigint, after_at bigint, after_conversation bigint, after_seq bigint, most integer, of_conversation bigint) IS 'Empties messages that have disappeared by at_us, oldest first, after a position in that order. Conversations locked by others are skipped and returned in passed_over; a call for one conversation waits for its lock. Nothing is published: readers already treat these messages as deleted, by the clock. Threads keep counting them. One replica runs at a time; a concurrent call sees no messages.';

CREATE FUNCTION messaging.epoch() RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT e.id || '.' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    FROM messaging.epoch AS e
$$;

ALTER FUNCTION messaging.epoch() OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.epoch() IS 'Returns the epoch of all positions of this schema as id.TIMELINE. It changes after a restore or an asynchronous promotion.';

CREATE FUNCTION messaging.find_words(of_account bigint, at_us bigint, conversations bigint[], lows bigint[], highs bigint[], queries text[], by_sender bigint, of_kind smallint, from_us bigint, before_us bigint, before_conversation bigint, before_seq bigint, most integer) RETURNS TABLE(conversation bigint, seq bigint, sent_at bigint)
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    here bigint;
    low bigint;
    high bigint;
    words tsquery;
BEGIN
    FOR unit IN 1 .. cardinality(conversations) LOOP
        here := conversations[unit];
        low := lows[unit];
        high := highs[unit];
        words := queries[unit]::tsquery;
        RETURN QUERY
        SELECT here, m.seq, m.sent_at
        FROM (
            -- No condition is on a column of the primary key, so that only the index of words is used.
            SELECT s.seq
            FROM messaging.search AS s
            WHERE s.document @@ words AND s.seq + 0 BETWEEN low AND high
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
                FROM messaging.message_states AS f
                WHERE f.account = of_account AND f.conversation = here AND f.seq BETWEEN m.seq AND m.seq
                    AND f.hidden_at IS NOT NULL
            )
        ORDER BY w.seq DESC
        LIMIT most;
    END LOOP;
END
$$;

ALTER FUNCTION messaging.find_words(of_account bigint, at_us bigint, conversations bigint[], lows bigint[], highs bigint[], queries text[], by_sender bigint, of_kind smallint, from_us bigint, before_us bigint, before_conversation bigint, before_seq bigint, most integer) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.find_words(of_account bigint, at_us bigint, conversations bigint[], lows bigint[], highs bigint[], queries text[], by_sender bigint, of_kind smallint, from_us bigint, before_us bigint, before_conversation bigint, before_seq bigint, most integer) IS 'Returns, for each range of seqs within one block of a conversation, the newest messages that match a query and come before a position in the order of sent_at, conversation, seq. Leaves out hidden, deleted and disappeared messages. The caller has checked that the person may read these ranges. by_sender and of_kind 0: any.';

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

    -- Each step waits only briefly for a lock, because others queue behind it. Locked partitions are left to the next
    -- call. Dropping stops all writers for an instant. It comes first: if the default partition were locked already,
    -- the drop and a reader could wait for each other.
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

    -- ATTACH, unlike CREATE … PARTITION OF, lets writers of the other partitions continue.
    FOR starts_at IN
        SELECT database_us - database_us % day_us + ahead * day_us
        FROM generate_series(0, 3) AS ahead
    LOOP
        partition := 'journal_' || to_char(to_timestamp(starts_at / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('messaging.%I', partition)) IS NOT NULL;
        BEGIN
            EXECUTE format('CREATE TABLE messaging.%I (LIKE messaging.journal INCLUDING ALL)', partition);
            EXECUTE format('COMMENT ON TABLE messaging.%I IS %L', partition, 'One day of the journal (UTC).');
            -- Today's rows may be in the default partition. This lock makes writers and readers wait before they choose
            -- a partition, so that none uses a choice made before the rows moved.
            IF starts_at <= database_us THEN
                LOCK TABLE messaging.journal IN ACCESS EXCLUSIVE MODE;
            END IF;
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

COMMENT ON FUNCTION messaging.keep_journal(now_us bigint) IS 'Creates the journal''s partitions of today and the next 3 days by the database''s clock. Drops those that are older than 7 days by both that clock and the caller''s. Call it at start and every hour. Returns how many partitions it created and dropped; -1: some were locked by others, so call again soon.';

CREATE FUNCTION messaging.keep_windows(of_conversations bigint[], since_versions bigint[], now_us bigint) RETURNS bigint[]
    LANGUAGE plpgsql
    AS $$
DECLARE
    behind CONSTANT bigint[] := ARRAY(
        SELECT l.conversation
        FROM unnest(of_conversations, since_versions) AS l (conversation, version)
        JOIN messaging.heads AS h ON h.conversation = l.conversation
        WHERE h.members_version > l.version);
BEGIN
    INSERT INTO messaging.inbox AS i
        (account, conversation, touched_at, news_at, visible_from, visible_to, visible_position)
    SELECT a.account, a.conversation, now_us, now_us,
        CASE WHEN a.joined_version > l.version THEN h.seq + 1 ELSE 1 END,
        CASE WHEN a.left_version <= h.members_version THEN h.seq END,
        CASE WHEN a.left_version <= h.members_version THEN h.position END
    FROM unnest(of_conversations, since_versions) AS l (conversation, version)
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
    RETURN behind;
END
$$;

ALTER FUNCTION messaging.keep_windows(of_conversations bigint[], since_versions bigint[], now_us bigint) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.keep_windows(of_conversations bigint[], since_versions bigint[], now_us bigint) IS 'Keeps the ranges of members who joined or left a conversation since a version of its members. The caller holds the heads, which have taken a new version. Returns the conversations in which someone did.';

CREATE FUNCTION messaging.lock_heads(of_conversations bigint[], by_senders bigint[], OUT locked bigint[], OUT seqs bigint[], OUT positions bigint[], OUT versions bigint[], OUT retentions bigint[], OUT absent bigint[]) RETURNS record
    LANGUAGE plpgsql
    AS $$
BEGIN
    SELECT array_agg(h.conversation), array_agg(h.seq), array_agg(h.position), array_agg(h.members_version),
        array_agg(h.retention_us)
    INTO locked, seqs, positions, versions, retentions
    FROM (
        SELECT x.conversation, x.seq, x.position, x.members_version, x.retention_us
        FROM messaging.heads AS x
        WHERE x.conversation = ANY (of_conversations)
        ORDER BY x.conversation
        FOR UPDATE SKIP LOCKED
    ) AS h;
    IF coalesce(cardinality(locked), 0) = (SELECT count(DISTINCT c) FROM unnest(of_conversations) AS c) THEN
        RETURN;
    END IF;

    -- Some conversations are locked by others or have no head yet. A head is inserted only for a sender who may write.
    -- Inserting it could wait for another transaction that inserts it, so it needs an advisory lock that is only tried.
    SELECT array_agg(DISTINCT i.conversation)
    INTO absent
    FROM unnest(of_conversations) AS i (conversation)
    WHERE NOT EXISTS (SELECT FROM messaging.heads AS h WHERE h.conversation = i.conversation);
    IF absent IS NULL THEN
        RETURN;
    END IF;

    INSERT INTO messaging.heads (conversation)
    SELECT e.conversation
    FROM (
        SELECT DISTINCT i.conversation
        FROM unnest(of_conversations, by_senders) AS i (conversation, sender)
        WHERE i.conversation = ANY (absent)
            AND (
                i.sender = 0
                OR EXISTS (
                    SELECT
                    FROM conversations.access AS a
                    WHERE a.conversation = i.conversation AND a.account BETWEEN i.sender AND i.sender
                        AND a.may_write
                )
            )
        ORDER BY i.conversation
        OFFSET 0
    ) AS e
    WHERE pg_try_advisory_xact_lock(7303, hashint8(e.conversation))
    ON CONFLICT DO NOTHING;

    SELECT array_agg(h.conversation), array_agg(h.seq), array_agg(h.position), array_agg(h.members_version),
        array_agg(h.retention_us)
    INTO locked, seqs, positions, versions, retentions
    FROM (
        SELECT x.conversation, x.seq, x.position, x.members_version, x.retention_us
        FROM messaging.heads AS x
        WHERE x.conversation = ANY (of_conversations)
        ORDER BY x.conversation
        FOR UPDATE SKIP LOCKED
    ) AS h;
END
$$;

ALTER FUNCTION messaging.lock_heads(of_conversations bigint[], by_senders bigint[], OUT locked bigint[], OUT seqs bigint[], OUT positions bigint[], OUT versions bigint[], OUT retentions bigint[], OUT absent bigint[]) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.lock_heads(of_conversations bigint[], by_senders bigint[], OUT locked bigint[], OUT seqs bigint[], OUT positions bigint[], OUT versions bigint[], OUT retentions bigint[], OUT absent bigint[]) IS 'Locks those heads of the conversations that no other transaction holds, and makes missing ones for senders who may write (sender 0: the system). Returns the locked conversations with the columns of their heads, and the conversations that had no head; null if all had one.';

CREATE FUNCTION messaging.lock_words(of_conversations bigint[]) RETURNS void
    LANGUAGE sql
    AS $$
    SELECT count(pg_advisory_xact_lock(7307, l.key))
    FROM (
        SELECT DISTINCT hashint8(c) AS key
        FROM unnest(of_conversations) AS c
        ORDER BY 1
    ) AS l
$$;

ALTER FUNCTION messaging.lock_words(of_conversations bigint[]) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.lock_words(of_conversations bigint[]) IS 'Locks the search index of conversations. Call it in its own statement before writing or deleting rows of search, and read the messages after it. So no one indexes the words of a message whose deletion another has already processed. Nothing else waits for this lock.';

CREATE FUNCTION messaging.mark_batch(batch_lane integer, batch_at bigint, batch_accounts bigint[], batch_conversations bigint[], batch_reads bigint[], batch_delivered bigint[]) RETURNS TABLE(ordinal integer, outcome smallint, number bigint, own_position bigint, read_seq bigint, delivered_seq bigint, unread bigint, mentions bigint, counted_position bigint, counted_seq bigint, marked_unread boolean, pinned_at bigint, muted_until bigint, archived_at bigint, archived_seq bigint, cleared_seq bigint, first_seq bigint, receipt_after bigint, receipt_read_at bigint, receipt_delivered_at bigint, audience bigint[])
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
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
    WHERE pg_try_advisory_xact_lock(7308, hashint8(e.account))
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
            w.last_seq, w.last_position, w.first_seq,
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
            array_agg(3::smallint ORDER BY p.number) AS kinds,
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
            THEN 0 ELSE 1 END)::smallint,
        CASE WHEN p.is_read THEN p.number END,
        p.new_position, p.new_read, p.new_delivered, u.unread, u.mentions, p.last_position, p.last_seq,
        p.marked_unread AND NOT p.is_read, p.pinned_at, p.muted_until, p.archived_at, p.archived_seq,
        p.cleared_before, p.first_seq, least(p.receipt_read, p.receipt_delivered),
        CASE WHEN p.new_read > p.receipt_read THEN p.at ELSE p.receipt_read_at END,
        CASE WHEN p.new_delivered > p.receipt_delivered THEN batch_at ELSE p.receipt_delivered_at END,
        p.audience
    FROM resolved AS p
    CROSS JOIN LATERAL messaging.unread(
        p.account, p.conversation, greatest(p.new_read, p.first_seq - 1), p.last_seq, batch_at) AS u
    UNION ALL
    SELECT i.ordinal, (CASE WHEN i.is_held THEN 3 ELSE 2 END)::smallint,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM item AS i
    WHERE NOT (i.is_there AND i.is_held);
END
$$;

ALTER FUNCTION messaging.mark_batch(batch_lane integer, batch_at bigint, batch_accounts bigint[], batch_conversations bigint[], batch_reads bigint[], batch_delivered bigint[]) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.mark_batch(batch_lane integer, batch_at bigint, batch_accounts bigint[], batch_conversations bigint[], batch_reads bigint[], batch_delivered bigint[]) IS 'Moves read and delivered marks, forwards only. Each pair of account and conversation occurs once in a batch. Outcomes: 0 moved, 1 unchanged, 2 locked by another (next batch), 3 nothing to read there. Rows hold the resulting state. number is that of the journal, if read_seq moved. audience lists the others who may know; null: no news for others, or none may know; 64 of them: too many to notify live. receipt_after is the lower of the marks that the others knew before.';

CREATE FUNCTION messaging.members(of_conversation bigint) RETURNS TABLE(account bigint, first_seq bigint)
    LANGUAGE sql STABLE
    AS $$
    SELECT a.account, CASE WHEN a.joined_version > h.members_version THEN h.seq + 1 ELSE coalesce(i.visible_from, 1) END
    FROM conversations.access AS a
    LEFT JOIN messaging.heads AS h ON h.conversation = a.conversation
    LEFT JOIN LATERAL (
        SELECT x.visible_from
        FROM messaging.inbox AS x
        WHERE x.account = a.account AND x.conversation BETWEEN of_conversation AND of_conversation
        ORDER BY x.conversation
        LIMIT 1
    ) AS i ON true
    WHERE a.conversation = of_conversation AND a.may_read
$$;

ALTER FUNCTION messaging.members(of_conversation bigint) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.members(of_conversation bigint) IS 'Returns the members who read new messages, with the first seq that is shown to each. Call it under the lock of the head if a message depends on it.';

CREATE FUNCTION messaging.react_batch(batch_lane integer, batch_at bigint, batch_conversations bigint[], batch_seqs bigint[], batch_accounts bigint[], batch_emoji text[], batch_removals boolean[], emoji_most integer) RETURNS TABLE(ordinal integer, outcome smallint, number bigint, "position" bigint, emoji text[], counts bigint[], audience bigint[], others bigint[])
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    touch_after_us CONSTANT bigint := 10000000;
    now_us CONSTANT bigint := date_part('epoch', clock_timestamp()) * 1000000;
    first_number bigint;
    last_number bigint;
    locked bigint[];
    target record;
    item record;
    message record;
    member record;
    emoji_index integer;
    done integer;
    result smallint;
    changed boolean;
    new_position bigint;
    outcomes smallint[];
    ordinals integer[];
    readers bigint[];
    journal_kinds smallint[] := '{}';
    journal_subjects bigint[] := '{}';
    journal_objects bigint[] := '{}';
    journal_positions bigint[] := '{}';
    journal_counts smallint[] := '{}';
    journal_audience bigint[] := '{}';
BEGIN
    SELECT l.number
    INTO STRICT last_number
    FROM messaging.lanes AS l
    WHERE l.lane = batch_lane;
    first_number := last_number + 1;

    locked := ARRAY(
        SELECT h.conversation
        FROM messaging.heads AS h
        WHERE h.conversation = ANY (batch_conversations)
        ORDER BY h.conversation
        FOR UPDATE SKIP LOCKED);

    FOR target IN
        SELECT i.conversation, i.seq, array_agg(i.ordinal::integer ORDER BY i.ordinal) AS ordinals
        FROM unnest(batch_conversations, batch_seqs) WITH ORDINALITY AS i (conversation, seq, ordinal)
        GROUP BY i.conversation, i.seq
        ORDER BY i.conversation, i.seq
    LOOP
        IF NOT target.conversation = ANY (locked) THEN
            RETURN QUERY
            SELECT o, (CASE WHEN EXISTS (SELECT FROM messaging.heads AS h WHERE h.conversation = target.conversation)
                THEN 2 ELSE 3 END)::smallint,
            NULL::bigint, NULL::bigint, NULL::text[], NULL::bigint[], NULL::bigint[],
                NULL::bigint[]
            FROM unnest(target.ordinals) AS o;
            CONTINUE;
        END IF;

        SELECT m.ctid AS row_id, m.seq, m.kind, m.deleted_at, m.expires_at, m.position,
            coalesce(m.reactions, '{}') AS reactions, coalesce(m.reaction_counts, '{}') AS counts
        INTO message
        FROM messaging.messages AS m
        WHERE m.conversation = target.conversation AND m.seq BETWEEN target.seq AND target.seq
        ORDER BY m.seq
        LIMIT 1;

        changed := false;
        outcomes := '{}';
        FOR item IN
            SELECT o AS ordinal, batch_accounts[o] AS account, batch_emoji[o] AS emoji, batch_removals[o] AS removal
            FROM unnest(target.ordinals) AS o
        LOOP
            SELECT w.may_act, w.may_write, w.refusal, w.first_seq
            INTO member
            FROM messaging.window(item.account, target.conversation) AS w;

            result := CASE
                WHEN member.may_act IS NOT TRUE THEN 3
                WHEN NOT member.may_write THEN messaging.refused(member.refusal)
                WHEN message.seq IS NULL OR message.seq < member.first_seq OR message.kind = 6
                    THEN 8
                WHEN message.deleted_at IS NOT NULL OR message.expires_at <= batch_at THEN 10
                ELSE 1 END;
            IF result = 1 THEN
                emoji_index := array_position(message.reactions, item.emoji);
                IF item.removal THEN
                    DELETE FROM messaging.reactions AS r
                    WHERE r.ctid = ANY (ARRAY(
                        SELECT x.ctid
                        FROM messaging.reactions AS x
                        WHERE x.conversation = target.conversation AND x.seq = target.seq AND x.account = item.account
                            AND x.emoji BETWEEN item.emoji AND item.emoji
                        ORDER BY x.conversation, x.seq, x.account, x.emoji
                        LIMIT 1));
                    GET DIAGNOSTICS done = ROW_COUNT;
                    IF done > 0 THEN
                        result := 0;
                        message.counts[emoji_index] := message.counts[emoji_index] - 1;
                        IF message.counts[emoji_index] = 0 THEN
                            message.reactions :=
                                message.reactions[:emoji_index - 1] || message.reactions[emoji_index + 1:];
                            message.counts := message.counts[:emoji_index - 1] || message.counts[emoji_index + 1:];
                        END IF;
                    END IF;
                ELSIF emoji_index IS NULL AND cardinality(message.reactions) >= emoji_most THEN
                    result := 11;
                ELSE
                    INSERT INTO messaging.reactions (conversation, seq, account, emoji, at)
                    VALUES (target.conversation, target.seq, item.account, item.emoji, batch_at)
                    ON CONFLICT DO NOTHING;
                    GET DIAGNOSTICS done = ROW_COUNT;
                    IF done > 0 THEN
                        result := 0;
                        IF emoji_index IS NULL THEN
                            message.reactions := message.reactions || item.emoji;
                            message.counts := message.counts || 1::bigint;
                        ELSE
                            message.counts[emoji_index] := message.counts[emoji_index] + 1;
                        END IF;
                    END IF;
                END IF;
            END IF;
            changed := changed OR result = 0;
            outcomes := outcomes || result;
        END LOOP;

        readers := NULL;
        others := NULL;
        new_position := message.position;
        IF changed THEN
            UPDATE messaging.heads AS h
            SET position = h.position + 1
            WHERE h.conversation = target.conversation
            RETURNING h.position INTO new_position;

            UPDATE messaging.messages AS m
            SET position = new_position, changed_at = batch_at, reactions = message.reactions,
                reaction_counts = message.counts
            WHERE m.ctid = message.row_id;

            SELECT w.readers, w.others
            INTO readers, others
            FROM messaging.readers(target.conversation, target.seq) AS w;
            -- As in a send, so that a later Sync finds the conversation.
            INSERT INTO messaging.inbox AS y (account, conversation, touched_at)
            SELECT r.account, target.conversation, now_us
            FROM unnest(readers || others) AS r (account)
            LEFT JOIN LATERAL (
                SELECT x.touched_at
                FROM messaging.inbox AS x
                WHERE x.account = r.account AND x.conversation BETWEEN target.conversation AND target.conversation
                ORDER BY x.conversation
                LIMIT 1
            ) AS b ON true
            WHERE b.touched_at IS NULL OR b.touched_at < now_us - touch_after_us
            ON CONFLICT (account, conversation) DO UPDATE
            SET touched_at = excluded.touched_at;

            last_number := last_number + 1;
            journal_kinds := journal_kinds || 5::smallint;
            journal_subjects := journal_subjects || target.conversation;
            journal_objects := journal_objects || target.seq;
            journal_positions := journal_positions || new_position;
            journal_counts := journal_counts || cardinality(readers)::smallint;
            journal_audience := journal_audience || readers;
            -- Members who joined after the message receive only the position.
            IF cardinality(others) > 0 THEN
                journal_kinds := journal_kinds || 6::smallint;
                journal_subjects := journal_subjects || target.conversation;
                journal_objects := journal_objects || target.seq;
                journal_positions := journal_positions || new_position;
                journal_counts := journal_counts || cardinality(others)::smallint;
                journal_audience := journal_audience || others;
            END IF;
        END IF;

        RETURN QUERY
        SELECT o.ordinal, o.outcome, CASE WHEN changed THEN last_number END, new_position, message.reactions,
            message.counts, readers, others
        FROM unnest(target.ordinals, outcomes) AS o (ordinal, outcome);
        IF changed AND cardinality(others) > 0 THEN
            last_number := last_number + 1;
        END IF;
    END LOOP;

    IF last_number >= first_number THEN
        UPDATE messaging.lanes AS l
        SET number = last_number
        WHERE l.lane = batch_lane;

        INSERT INTO messaging.journal
            (lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
        VALUES (batch_lane, first_number, now_us, journal_kinds,
            journal_subjects, journal_objects, journal_positions, journal_counts, journal_audience);
    END IF;
END
$$;

ALTER FUNCTION messaging.react_batch(batch_lane integer, batch_at bigint, batch_conversations bigint[], batch_seqs bigint[], batch_accounts bigint[], batch_emoji text[], batch_removals boolean[], emoji_most integer) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.react_batch(batch_lane integer, batch_at bigint, batch_conversations bigint[], batch_seqs bigint[], batch_accounts bigint[], batch_emoji text[], batch_removals boolean[], emoji_most integer) IS 'Adds and removes reactions, in the order of the batch. Outcomes: 0 changed, 1 already so, 2 locked by another (next batch), 3 not_member, 4 user_blocked, 5 accept_first, 8 message_not_found, 10 message_deleted, 11 too_many_reactions. Number, position, emoji, counts, audience and others are those of the message, the same in all its rows. Others joined after the message; their Update has the next number and kind 6.';

CREATE FUNCTION messaging.readers(of_conversation bigint, of_seq bigint, OUT readers bigint[], OUT others bigint[]) RETURNS record
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(array_agg(m.account) FILTER (WHERE of_seq = 0 OR of_seq >= m.first_seq), '{}'),
        coalesce(array_agg(m.account) FILTER (WHERE of_seq <> 0 AND of_seq < m.first_seq), '{}')
    FROM messaging.members(of_conversation) AS m
$$;

ALTER FUNCTION messaging.readers(of_conversation bigint, of_seq bigint, OUT readers bigint[], OUT others bigint[]) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.readers(of_conversation bigint, of_seq bigint, OUT readers bigint[], OUT others bigint[]) IS 'Returns the members to whom a message is shown, and the others, who joined after it; seq 0: all are readers. Call it under the lock of the head.';

CREATE FUNCTION messaging.refused(refusal text) RETURNS smallint
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT (CASE refusal
        WHEN 'accept_first' THEN 5
        WHEN 'user_blocked' THEN 4
        ELSE 3
    END)::smallint
$$;

ALTER FUNCTION messaging.refused(refusal text) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.refused(refusal text) IS 'Returns the outcome that a refusal of conversations.access means.';

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
                WHEN c.is_new AND c.head_seq + c.nth > c.until_seq THEN 7
                WHEN c.outcome = 0 AND NOT c.is_new AND c.first_sender <> c.sender THEN 6
                ELSE c.outcome
            END AS outcome,
            CASE
                WHEN c.outcome = 0 AND NOT c.is_new AND c.first_sender = c.sender THEN c.first_ordinal
            END AS same_as,
            CASE WHEN c.outcome = 1 THEN c.stored_seq ELSE c.head_seq + c.nth END AS seq,
            CASE
                WHEN c.outcome = 1 THEN c.stored_position
                ELSE c.head_position + c.nth
            END AS position,
            CASE WHEN c.outcome = 1 THEN c.stored_at ELSE batch_at END AS sent_at,
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
                    WHEN i.until_seq IS NULL THEN 1
                    ELSE 2
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
        (CASE WHEN f.accepted THEN 1
            WHEN f.ordinal IS NOT NULL THEN f.outcome
            WHEN i.outcome = 12 THEN 2
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
        ARRAY(SELECT batch_attachments[o] FROM unnest(again) AS o)) AS s;
END
$$;

ALTER FUNCTION messaging.send_batch(batch_lane integer, batch_at bigint, batch_conversations bigint[], batch_senders bigint[], batch_ids uuid[], batch_kinds smallint[], batch_texts text[], batch_extras bytea[], batch_replies bigint[], batch_mentions text[], batch_forwarded bigint[], batch_attachments uuid[]) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.send_batch(batch_lane integer, batch_at bigint, batch_conversations bigint[], batch_senders bigint[], batch_ids uuid[], batch_kinds smallint[], batch_texts text[], batch_extras bytea[], batch_replies bigint[], batch_mentions text[], batch_forwarded bigint[], batch_attachments uuid[]) IS 'Stores a batch of messages; sender 0: the system. The last five arrays may be empty if no message needs them. Mentions are arrays of accounts, as text. Outcomes: 0 accepted, 1 duplicate, 2 locked by another (next batch), 3 not_member, 4 user_blocked, 5 accept_first, 6 id_in_use, 7 too many for a pending request, 8 the message it replies to does not exist, 9 its attachment does not exist. Numbers are those of the journal; rows are in any order. The first accepted message of each conversation has the audience.';

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
                FROM messaging.message_states AS f
                WHERE f.account = of_account AND f.conversation = of_conversation
                    AND f.seq BETWEEN greatest(above, up_to - 10000) + 1 AND up_to
                    AND f.hidden_at IS NOT NULL
            )
        ORDER BY m.seq
        LIMIT 1000
    ) AS counted
$$;

ALTER FUNCTION messaging.unread(of_account bigint, of_conversation bigint, above bigint, up_to bigint, at_us bigint) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging.unread(of_account bigint, of_conversation bigint, above bigint, up_to bigint, at_us bigint) IS 'Counts the messages above one seq and up to another that a person has not read, and those that mention them (M7). Counts other people''s messages that are not deleted, had not disappeared at at_us and are not hidden from the person; no system messages. Counts at most 1,000, among the newest 10,000.';

CREATE FUNCTION messaging."window"(reader bigint, of_conversation bigint) RETURNS TABLE(conversation bigint, is_shown boolean, may_act boolean, is_former boolean, is_in_inbox boolean, is_gone boolean, may_write boolean, refusal text, is_pending boolean, role smallint, section smallint, first_seq bigint, last_seq bigint, last_position bigint, first_position bigint, retention_us bigint)
    LANGUAGE sql STABLE
    AS $$
    SELECT w.conversation, w.is_shown, w.may_act, w.is_former, w.is_in_inbox, w.is_gone, w.may_write, w.refusal,
        w.is_pending, w.role, w.section, w.first_seq, w.last_seq, w.last_position, w.first_position, w.retention_us
    FROM messaging.windows AS w
    WHERE w.conversation = of_conversation AND w.account BETWEEN reader AND reader
    ORDER BY w.account
    LIMIT 1
$$;

ALTER FUNCTION messaging."window"(reader bigint, of_conversation bigint) OWNER TO parley_messaging;

COMMENT ON FUNCTION messaging."window"(reader bigint, of_conversation bigint) IS 'Returns the row of messaging.windows of a person and a conversation; none for a person who never was a member.';

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
    section smallint DEFAULT 1 NOT NULL,
    request_at bigint,
    request_read_at bigint,
    left_name text,
    left_photo_url text,
    invited_by bigint,
    invited_count integer,
    CONSTRAINT members_check CHECK (((left_at IS NULL) OR ((write_refusal = 3) AND (NOT may_read)))),
    CONSTRAINT members_check1 CHECK (((left_version IS NULL) = (left_at IS NULL))),
    CONSTRAINT members_check2 CHECK ((left_version > joined_version)),
    CONSTRAINT members_check3 CHECK (((invited_by IS NULL) OR (left_at IS NOT NULL))),
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY[1, 2, 3]))),
    CONSTRAINT members_section_check CHECK (((section >= 0) AND (section <= 5))),
    CONSTRAINT members_write_refusal_check CHECK (((write_refusal >= 0) AND (write_refusal <= 3)))
)
WITH (fillfactor='90');

ALTER TABLE conversations.members OWNER TO parley_conversations;

COMMENT ON TABLE conversations.members IS 'One flat row per member, with everything that a send or a read checks. Rewritten when status, a block or a role changes.';

COMMENT ON COLUMN conversations.members.conversation IS 'The conversation.';

COMMENT ON COLUMN conversations.members.account IS 'The member.';

COMMENT ON COLUMN conversations.members.role IS 'As MemberRole: 1 member, 2 admin, 3 owner.';

COMMENT ON COLUMN conversations.members.write_refusal IS 'Why the member may not write: 0 may write, 1 accept_first, 2 user_blocked, 3 not_member (any more).';

COMMENT ON COLUMN conversations.members.write_until_seq IS 'While the request is pending, the last seq that may be written, the same for all members of the conversation; null: no limit.';

COMMENT ON COLUMN conversations.members.may_read IS 'Whether the member reads new messages and receives their Updates. False for former members.';

COMMENT ON COLUMN conversations.members.joined_at IS 'When the member last joined.';

COMMENT ON COLUMN conversations.members.left_at IS 'When the member left or was removed, or was first invited; null: is a member.';

COMMENT ON COLUMN conversations.members."position" IS 'Position, in the stream conversations/u of this account, of the last change of the conversation as this member sees it.';

COMMENT ON COLUMN conversations.members.joined_version IS 'The conversation''s members_version when the member last joined; 1: a member from the beginning; 0: a person who has only ever been invited, of whom no other service knows.';

COMMENT ON COLUMN conversations.members.left_version IS 'The conversation''s members_version when the member left or was removed; 1 for a person who was never a member; null: is a member.';

COMMENT ON COLUMN conversations.members.section IS 'As ConversationSection: 1 inbox, 2 requests, 3 blocked people, 4 left, 5 gone; 0: not shown to the member (yet).';

COMMENT ON COLUMN conversations.members.request_at IS 'In the recipient''s row, when the last request was sent or they were last invited; null: none.';

COMMENT ON COLUMN conversations.members.request_read_at IS 'In the recipient''s row, when they saw the request or invitation; null: not yet.';

COMMENT ON COLUMN conversations.members.left_name IS 'The group''s name when the member left or was last shown an invitation; null: is a member.';

COMMENT ON COLUMN conversations.members.left_photo_url IS 'The group''s photo when the member left or was last shown an invitation; null: is a member.';

COMMENT ON COLUMN conversations.members.invited_by IS 'Account of the member whose invitation into the group is open, as the admins see it: also after it was declined, and if it was never shown. It is shown to the invited person while section is 2. Null: none.';

COMMENT ON COLUMN conversations.members.invited_count IS 'The number of members when the invitation was made, which the invited person sees.';

CREATE VIEW conversations.access AS
 SELECT members.conversation,
    members.account,
    members.role,
    (members.write_refusal = 0) AS may_write,
        CASE members.write_refusal
            WHEN 0 THEN ''::text
            WHEN 1 THEN 'accept_first'::text
            WHEN 2 THEN 'user_blocked'::text
            ELSE 'not_member'::text
        END AS refusal,
    (members.write_until_seq IS NOT NULL) AS is_pending,
    members.write_until_seq,
    members.may_read,
    members.joined_at,
    members.left_at,
    members."position",
    members.joined_version,
    members.left_version,
    members.section,
    (members.section <> ALL (ARRAY[0, 5])) AS is_shown,
    (members.section = 0) AS awaits_message,
    (members.section = 1) AS is_in_inbox,
    (members.section = 5) AS is_gone
   FROM conversations.members
  WHERE (members.joined_version > 0);

ALTER TABLE conversations.access OWNER TO parley_conversations;

COMMENT ON VIEW conversations.access IS 'Each member''s rights, also former members''. People who have only ever been invited into a group have no row. may_write, or refusal: the code with which a send is refused, empty if it is not. is_pending: until the request is accepted, only messages up to write_until_seq may be written. is_shown: the conversation is in a section that the member sees. awaits_message: it will be, with its first message. is_gone: the member sees nothing of it any more. The other columns are those of conversations.members.';

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

COMMENT ON TABLE conversations.accounts IS 'People. A row is never deleted: an erased account keeps its user_id reserved.';

COMMENT ON COLUMN conversations.accounts.account IS 'The account''s number inside Parley. Clients never see it.';

COMMENT ON COLUMN conversations.accounts.user_id IS 'The opaque id that clients see. Permanent and never reused.';

COMMENT ON COLUMN conversations.accounts.username IS 'For signing in and for being found; null: erased or never chosen.';

COMMENT ON COLUMN conversations.accounts.register_id IS 'Id of the request that created the account. A repeated request returns the same account.';

COMMENT ON COLUMN conversations.accounts.password_hash IS 'argon2id in its text form; null: no sign-in by password.';

COMMENT ON COLUMN conversations.accounts.display_name IS 'Shown to everyone who is signed in.';

COMMENT ON COLUMN conversations.accounts.email IS 'The email address. Only its owner sees it.';

COMMENT ON COLUMN conversations.accounts.photo_url IS 'Shown to everyone who is signed in; empty: none.';

COMMENT ON COLUMN conversations.accounts.created_at IS 'When the account was created.';

COMMENT ON COLUMN conversations.accounts.tokens_void_before IS 'Access tokens of any device issued before this time are void (sign-out everywhere).';

COMMENT ON COLUMN conversations.accounts.erased_at IS 'When its owner erased it; null: not erased.';

COMMENT ON COLUMN conversations.accounts.legacy_id IS 'Id in the system it was imported from; null: not imported.';

COMMENT ON COLUMN conversations.accounts.findable_by_email IS 'Whether people who know the whole address can find the owner by it.';

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

COMMENT ON TABLE conversations.blocks IS 'Who blocks whom.';

COMMENT ON COLUMN conversations.blocks.account IS 'The person who blocks.';

COMMENT ON COLUMN conversations.blocks.blocked IS 'Account that is blocked.';

COMMENT ON COLUMN conversations.blocks.at IS 'When the person blocked it.';

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
    requests_sent smallint DEFAULT 0 NOT NULL,
    requested_at bigint,
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

COMMENT ON TABLE conversations.conversations IS 'Conversations. Their members are in conversations.members.';

COMMENT ON COLUMN conversations.conversations.conversation IS 'The conversation''s number inside Parley. Clients never see it.';

COMMENT ON COLUMN conversations.conversations.conversation_id IS 'Direct: both user ids, sorted bytewise, joined by "_". Group: an id without "_".';

COMMENT ON COLUMN conversations.conversations.kind IS 'As ConversationKind: 1 direct, 2 group.';

COMMENT ON COLUMN conversations.conversations.status IS 'As ConversationStatus: 1 pending, 2 accepted. Blocks are stored in conversations.blocks.';

COMMENT ON COLUMN conversations.conversations.requester IS 'Account that sent the message request, also after it is accepted; null: no request was needed.';

COMMENT ON COLUMN conversations.conversations.name IS 'Name of a group; empty for direct conversations.';

COMMENT ON COLUMN conversations.conversations.photo_url IS 'Photo of a group; empty: none.';

COMMENT ON COLUMN conversations.conversations.created_by IS 'Account that created it.';

COMMENT ON COLUMN conversations.conversations.created_at IS 'When it was created.';

COMMENT ON COLUMN conversations.conversations.members_version IS 'Grows with every change of members and names the audience of a large group. Changing members locks this row.';

COMMENT ON COLUMN conversations.conversations.legacy_id IS 'Id in the system it was imported from; null: not imported.';

COMMENT ON COLUMN conversations.conversations.requests_sent IS 'How many message requests were sent. Each allows the same number of further messages.';

COMMENT ON COLUMN conversations.conversations.requested_at IS 'When the last request was sent; null: never.';

COMMENT ON COLUMN conversations.conversations.is_revealed IS 'False while a new request has no message yet. The recipient does not see the request until then.';

COMMENT ON COLUMN conversations.conversations.declined_at IS 'When the recipient declined, or blocked the requester; null: neither.';

COMMENT ON COLUMN conversations.conversations.withdrawn_at IS 'When the requester withdrew the request, or blocked the recipient; null: neither.';

COMMENT ON COLUMN conversations.conversations.member_count IS 'The current number of members.';

COMMENT ON COLUMN conversations.conversations.members_key IS 'Hash of the set of members: the hashes of their numbers (hashint8extended with 0), XORed. Finds the group with exactly these members.';

CREATE VIEW conversations.conversation_ids AS
 SELECT conversations.conversation,
    conversations.conversation_id,
    conversations.kind,
    conversations.name,
    conversations.members_version,
    conversations.photo_url
   FROM conversations.conversations;

ALTER TABLE conversations.conversation_ids OWNER TO parley_conversations;

COMMENT ON VIEW conversations.conversation_ids IS 'Numbers and ids of conversations, names and photos of groups, and the versions of their members.';

ALTER TABLE conversations.conversations ALTER COLUMN conversation ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME conversations.conversations_conversation_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE conversations.declined_invitations (
    account bigint NOT NULL,
    conversation bigint NOT NULL,
    inviter bigint NOT NULL,
    at bigint NOT NULL
);

ALTER TABLE conversations.declined_invitations OWNER TO parley_conversations;

COMMENT ON TABLE conversations.declined_invitations IS 'Who declined whose invitation into which group. Deleted when the person joins the group, and with either of them.';

COMMENT ON COLUMN conversations.declined_invitations.account IS 'The person who declined.';

COMMENT ON COLUMN conversations.declined_invitations.conversation IS 'The group.';

COMMENT ON COLUMN conversations.declined_invitations.inviter IS 'Account of the inviter.';

COMMENT ON COLUMN conversations.declined_invitations.at IS 'When they last did.';

CREATE TABLE conversations.definitions (
    only_row boolean DEFAULT true NOT NULL,
    version integer NOT NULL,
    digest text NOT NULL,
    applied_at timestamp with time zone NOT NULL,
    CONSTRAINT definitions_only_row_check CHECK (only_row)
);

ALTER TABLE conversations.definitions OWNER TO parley_conversations;

COMMENT ON TABLE conversations.definitions IS 'One row: which set of functions and views this schema has.';

COMMENT ON COLUMN conversations.definitions.only_row IS 'Always true: there is one row.';

COMMENT ON COLUMN conversations.definitions.version IS 'Only grows: an older binary leaves a newer set alone.';

COMMENT ON COLUMN conversations.definitions.digest IS 'FNV-1a of their text, hexadecimal.';

COMMENT ON COLUMN conversations.definitions.applied_at IS 'By the clock of the database.';

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

COMMENT ON TABLE conversations.devices IS 'Signed-in devices. Each sign-in is one device.';

COMMENT ON COLUMN conversations.devices.account IS 'The owner.';

COMMENT ON COLUMN conversations.devices.device_id IS 'Generated by the server at sign-in.';

COMMENT ON COLUMN conversations.devices.name IS 'The name the client gave it, such as "Alice''s iPhone".';

COMMENT ON COLUMN conversations.devices.signed_in_at IS 'When it signed in.';

COMMENT ON COLUMN conversations.devices.last_used_at IS 'When it last got a token, roughly.';

COMMENT ON COLUMN conversations.devices.tokens_void_before IS 'Access tokens of this device issued before this time are void.';

COMMENT ON COLUMN conversations.devices.revoked_at IS 'When it was signed out or revoked; null: signed in.';

CREATE TABLE conversations.epoch (
    only_row boolean DEFAULT true NOT NULL,
    id text NOT NULL,
    CONSTRAINT epoch_only_row_check CHECK (only_row)
);

ALTER TABLE conversations.epoch OWNER TO parley_conversations;

COMMENT ON TABLE conversations.epoch IS 'One row. Positions of different epochs cannot be compared.';

COMMENT ON COLUMN conversations.epoch.only_row IS 'Always true, so that there is only one row.';

COMMENT ON COLUMN conversations.epoch.id IS 'Random. The operator changes it after restoring a backup.';

CREATE VIEW conversations.erased AS
 SELECT accounts.account,
    accounts.erased_at
   FROM conversations.accounts
  WHERE (accounts.erased_at IS NOT NULL);

ALTER TABLE conversations.erased OWNER TO parley_conversations;

COMMENT ON VIEW conversations.erased IS 'Erased accounts, of which no data may be kept.';

CREATE TABLE conversations.followed (
    source text NOT NULL COLLATE pg_catalog."C",
    lane integer NOT NULL,
    number bigint NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE conversations.followed OWNER TO parley_conversations;

COMMENT ON TABLE conversations.followed IS 'How far this service has followed the journals of others. Updated in the transaction that applies their entries.';

COMMENT ON COLUMN conversations.followed.source IS 'The service that writes the journal.';

COMMENT ON COLUMN conversations.followed.lane IS 'The lane of that journal.';

COMMENT ON COLUMN conversations.followed.number IS 'The last number processed.';

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

COMMENT ON COLUMN conversations.heads.account IS 'The owner of the stream.';

COMMENT ON COLUMN conversations.heads."position" IS 'The last position used.';

COMMENT ON COLUMN conversations.heads.requests_position IS 'Position at which the count of requests last changed.';

COMMENT ON COLUMN conversations.heads.profile_position IS 'Position at which the person''s profile last changed.';

COMMENT ON COLUMN conversations.heads.blocks_position IS 'Position at which the person last blocked or unblocked someone.';

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

COMMENT ON TABLE conversations.jobs IS 'Jobs done piece by piece by any free replica. Each piece and its progress commit in one transaction.';

COMMENT ON COLUMN conversations.jobs.account IS 'The person the job is about.';

COMMENT ON COLUMN conversations.jobs.kind IS '1 publish the profile to everyone who shares a conversation with the person, 2 remove the erased person from all conversations.';

COMMENT ON COLUMN conversations.jobs.due_at IS 'The earliest time of the next piece, by the database''s clock.';

COMMENT ON COLUMN conversations.jobs.begun_at IS 'When this run was requested or restarted, by the database''s clock.';

COMMENT ON COLUMN conversations.jobs.pass IS '1 the first pass; 2 a second pass, for transactions that were open during the first and did not see the change.';

COMMENT ON COLUMN conversations.jobs.conversations IS 'The conversations of this pass, in the order of work; null: not looked up yet.';

COMMENT ON COLUMN conversations.jobs.done IS 'How many of these conversations are done.';

COMMENT ON COLUMN conversations.jobs.again IS 'Whether the job was requested again meanwhile, so that it runs once more.';

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

COMMENT ON TABLE conversations.journal IS 'Names all published Updates, with one row per transaction or batch, written in it. keep_journal keeps 7 days.';

COMMENT ON COLUMN conversations.journal.lane IS 'The writing lane.';

COMMENT ON COLUMN conversations.journal.number IS 'Number of the first Update in this row. The row covers number … number + cardinality(positions) - 1.';

COMMENT ON COLUMN conversations.journal.at IS 'When the row was written, µs since 1970, by the database''s clock.';

COMMENT ON COLUMN conversations.journal.kinds IS 'The kind of each change. link.proto lists the kinds of each service.';

COMMENT ON COLUMN conversations.journal.subjects IS 'Kinds 1, 2, 6 to 8: account whose stream conversations/u changed. Kinds 3 to 5, 9 to 14: the conversation.';

COMMENT ON COLUMN conversations.journal.objects IS 'Kind 1: the conversation. Kinds 2, 6, 7: 0. Kind 8: the blocked account. Kinds 3 to 5, 11 to 13: the account concerned. Kinds 9, 10, 14: 0.';

COMMENT ON COLUMN conversations.journal.positions IS 'Position of each Update in the stream of its subject; 0: it has no position.';

COMMENT ON COLUMN conversations.journal.audience_counts IS 'How many accounts of audience belong to each Update; -1: the audience of the nearest earlier Update of this row with the same subject.';

COMMENT ON COLUMN conversations.journal.audience IS 'Accounts that may see the Updates, listed Update by Update. Kinds 3 to 5, 9 to 14: the account that made the change.';

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

COMMENT ON TABLE conversations.journal_default IS 'Rows of days without a partition, so that a write never fails. keep_journal moves them to their partition.';

CREATE TABLE conversations.lanes (
    lane integer NOT NULL,
    number bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='10');

ALTER TABLE conversations.lanes OWNER TO parley_conversations;

COMMENT ON TABLE conversations.lanes IS 'One row per lane. A lane is the identity of one writing connection, which holds a session advisory lock on it.';

COMMENT ON COLUMN conversations.lanes.lane IS 'The lane, numbered from 1.';

COMMENT ON COLUMN conversations.lanes.number IS 'The last journal number used by this lane. Numbers are dense and in order of commit.';

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

CREATE TABLE conversations.name_suffixes (
    part smallint NOT NULL,
    letters text NOT NULL COLLATE pg_catalog."C",
    account bigint NOT NULL,
    longer_than smallint NOT NULL
);

ALTER TABLE conversations.name_suffixes OWNER TO parley_conversations;

COMMENT ON TABLE conversations.name_suffixes IS 'Suffixes of the folded names of everyone who can be found, one from each letter on. A trigger on accounts maintains them. Suffixes that would never be a person''s first match are left out.';

COMMENT ON COLUMN conversations.name_suffixes.part IS 'Where in the name the suffix begins: 0 at its beginning, 1 at a later word, 2 within a word.';

COMMENT ON COLUMN conversations.name_suffixes.letters IS 'The suffix, at most 96 characters.';

COMMENT ON COLUMN conversations.name_suffixes.account IS 'The person.';

COMMENT ON COLUMN conversations.name_suffixes.longer_than IS 'How many first letters the suffix shares with one of the same person that is found earlier. Only longer texts find this one.';

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

COMMENT ON TABLE conversations.refresh_tokens IS 'Rotating refresh tokens. Reuse of a used token reveals a theft and revokes the device of its family.';

COMMENT ON COLUMN conversations.refresh_tokens.account IS 'The owner. The token names its user, so that one key finds the row.';

COMMENT ON COLUMN conversations.refresh_tokens.hash IS 'SHA-256 or BLAKE2b-256 of the token. The token itself is not stored.';

COMMENT ON COLUMN conversations.refresh_tokens.device_id IS 'The device it signs in.';

COMMENT ON COLUMN conversations.refresh_tokens.family IS 'All tokens that descend from one sign-in by rotation.';

COMMENT ON COLUMN conversations.refresh_tokens.issued_at IS 'When it was issued.';

COMMENT ON COLUMN conversations.refresh_tokens.expires_at IS 'When it expires.';

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

COMMENT ON TABLE conversations.reports IS 'The operator''s queue of reports, which "parley reports" shows.';

COMMENT ON COLUMN conversations.reports.account IS 'The person who reports.';

COMMENT ON COLUMN conversations.reports.id IS 'Chosen by the client. A repeated id is the same report.';

COMMENT ON COLUMN conversations.reports.about IS 'Account of the reported person.';

COMMENT ON COLUMN conversations.reports.conversation IS 'Conversation of the reported message; null: the report is about the person.';

COMMENT ON COLUMN conversations.reports.seq IS 'The reported message; null: the report is about the person.';

COMMENT ON COLUMN conversations.reports.reason IS 'As ReportReason: 1 spam, 2 harassment, 3 violence, 4 sexual, 5 impersonation, 6 other.';

COMMENT ON COLUMN conversations.reports.note IS 'The reporter''s own words.';

COMMENT ON COLUMN conversations.reports.at IS 'When it was reported.';

COMMENT ON COLUMN conversations.reports.closed_at IS 'When the operator closed it; null: open.';

CREATE TABLE conversations.retired_usernames (
    keyed_hash bytea NOT NULL,
    retired_at bigint NOT NULL
);

ALTER TABLE conversations.retired_usernames OWNER TO parley_conversations;

COMMENT ON TABLE conversations.retired_usernames IS 'Usernames of erased accounts, which are never assigned again.';

COMMENT ON COLUMN conversations.retired_usernames.keyed_hash IS 'Keyed hash of the username. The name itself is not stored.';

COMMENT ON COLUMN conversations.retired_usernames.retired_at IS 'When the account was erased.';

CREATE TABLE conversations.retiring_key (
    only_row boolean DEFAULT true NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT retiring_key_key_check CHECK ((octet_length(key) = 32)),
    CONSTRAINT retiring_key_only_row_check CHECK (only_row)
);

ALTER TABLE conversations.retiring_key OWNER TO parley_conversations;

COMMENT ON TABLE conversations.retiring_key IS 'One row: the key for the hashes in retired_usernames.';

COMMENT ON COLUMN conversations.retiring_key.only_row IS 'Always true, so that there is only one row.';

COMMENT ON COLUMN conversations.retiring_key.key IS 'Random. Without it, a hash does not reveal its name.';

CREATE TABLE conversations.sealing_keys (
    id smallint NOT NULL,
    key bytea NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT sealing_keys_key_check CHECK ((octet_length(key) = 32))
);

ALTER TABLE conversations.sealing_keys OWNER TO parley_conversations;

COMMENT ON TABLE conversations.sealing_keys IS 'Keys that seal what clients carry for the service, such as cursors. No view exposes them to other schemas.';

COMMENT ON COLUMN conversations.sealing_keys.id IS 'Grows with each key. The newest key seals; each opens what it sealed.';

COMMENT ON COLUMN conversations.sealing_keys.key IS 'Secret key, 32 bytes.';

COMMENT ON COLUMN conversations.sealing_keys.created_at IS 'When it was created.';

CREATE TABLE conversations.sign_in_attempts (
    key text NOT NULL COLLATE pg_catalog."C",
    window_started_at bigint NOT NULL,
    attempts integer NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE conversations.sign_in_attempts OWNER TO parley_conversations;

COMMENT ON TABLE conversations.sign_in_attempts IS 'Counts for the sign-in limits, shared by all replicas.';

COMMENT ON COLUMN conversations.sign_in_attempts.key IS 'The limited subject: "person:HASH" of a username, "address:ADDRESS" or "register:ADDRESS".';

COMMENT ON COLUMN conversations.sign_in_attempts.window_started_at IS 'When the current window began.';

COMMENT ON COLUMN conversations.sign_in_attempts.attempts IS 'Attempts in the current window.';

CREATE TABLE conversations.signing_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    public bytea NOT NULL,
    secret bytea NOT NULL,
    created_at bigint NOT NULL,
    retired_at bigint,
    seal bytea NOT NULL,
    CONSTRAINT signing_keys_public_check CHECK ((octet_length(public) = 32)),
    CONSTRAINT signing_keys_seal_check CHECK ((octet_length(seal) = 32))
);

ALTER TABLE conversations.signing_keys OWNER TO parley_conversations;

COMMENT ON TABLE conversations.signing_keys IS 'Ed25519 keys that sign access tokens.';

COMMENT ON COLUMN conversations.signing_keys.id IS 'Key id, as in the token''s header.';

COMMENT ON COLUMN conversations.signing_keys.public IS 'Public key, 32 bytes. Gateways verify tokens with it.';

COMMENT ON COLUMN conversations.signing_keys.secret IS 'Secret key. No view exposes it to other schemas.';

COMMENT ON COLUMN conversations.signing_keys.created_at IS 'When it was created. The newest key that is not retired signs.';

COMMENT ON COLUMN conversations.signing_keys.retired_at IS 'When it stopped signing; null: not retired. Gateways still verify tokens with it.';

COMMENT ON COLUMN conversations.signing_keys.seal IS 'Secret key, 32 bytes. Seals the account number in tokens; gateways open it.';

CREATE VIEW conversations.titles AS
 SELECT m.conversation,
    m.account,
    a.display_name,
    a.photo_url,
    m.left_name,
    m.left_photo_url
   FROM (conversations.members m
     JOIN conversations.accounts a ON ((a.account = m.account)));

ALTER TABLE conversations.titles OWNER TO parley_conversations;

COMMENT ON VIEW conversations.titles IS 'What names a conversation besides its own name: each member''s, and the group''s as a former member last saw it.';

CREATE TABLE entities.attendances (
    account bigint NOT NULL,
    event uuid NOT NULL,
    status smallint NOT NULL,
    guests integer DEFAULT 0 NOT NULL,
    conversation bigint,
    answered_at bigint,
    is_host boolean DEFAULT false NOT NULL,
    is_erased boolean DEFAULT false NOT NULL,
    remind_minutes integer NOT NULL,
    remind_at bigint,
    reminded_at bigint,
    reminded_of bigint,
    ends_at bigint NOT NULL,
    removed_at bigint,
    "position" bigint NOT NULL
);

ALTER TABLE entities.attendances OWNER TO parley_entities;

COMMENT ON TABLE entities.attendances IS 'The people who created, host or answered an event. They get its changes.';

COMMENT ON COLUMN entities.attendances.account IS 'The person.';

COMMENT ON COLUMN entities.attendances.event IS 'The event.';

COMMENT ON COLUMN entities.attendances.status IS 'As AttendanceStatus: 1 pending … 4 tentative.';

COMMENT ON COLUMN entities.attendances.guests IS 'How many come along.';

COMMENT ON COLUMN entities.attendances.conversation IS 'From where they answered; null: from none.';

COMMENT ON COLUMN entities.attendances.answered_at IS 'When they answered last; null: not yet.';

COMMENT ON COLUMN entities.attendances.is_host IS 'The creator or a co-host.';

COMMENT ON COLUMN entities.attendances.is_erased IS 'The person was erased; the scheduler takes them out of the event.';

COMMENT ON COLUMN entities.attendances.remind_minutes IS 'How long before each date they are reminded; negative: not at all.';

COMMENT ON COLUMN entities.attendances.remind_at IS 'When they are reminded next; null: never.';

COMMENT ON COLUMN entities.attendances.reminded_at IS 'When they were last reminded; null: not yet.';

COMMENT ON COLUMN entities.attendances.reminded_of IS 'When the date begins of which they were last reminded.';

COMMENT ON COLUMN entities.attendances.ends_at IS 'As of the event.';

COMMENT ON COLUMN entities.attendances.removed_at IS 'When the event was no longer theirs to see; null: it is. The row stays for devices that were offline.';

COMMENT ON COLUMN entities.attendances."position" IS 'Position of its last change, in the stream entities/u of the person.';

CREATE TABLE entities.calendar_links (
    account bigint NOT NULL,
    secret_hash bytea NOT NULL,
    created_at bigint NOT NULL,
    window_at bigint NOT NULL,
    fetches integer NOT NULL
);

ALTER TABLE entities.calendar_links OWNER TO parley_entities;

COMMENT ON TABLE entities.calendar_links IS 'Secret links by which calendars get a person''s events.';

COMMENT ON COLUMN entities.calendar_links.account IS 'The person.';

COMMENT ON COLUMN entities.calendar_links.secret_hash IS 'BLAKE2b-256 of the 16 random bytes of the link.';

COMMENT ON COLUMN entities.calendar_links.created_at IS 'When it was made.';

COMMENT ON COLUMN entities.calendar_links.window_at IS 'When the hour began in which its fetches are counted.';

COMMENT ON COLUMN entities.calendar_links.fetches IS 'The fetches in that hour.';

CREATE TABLE entities.cards (
    conversation bigint NOT NULL,
    card bigint NOT NULL,
    kind smallint NOT NULL,
    entity uuid NOT NULL,
    account bigint NOT NULL,
    message uuid NOT NULL,
    supersedes uuid,
    withdrawn_at bigint,
    changes bigint DEFAULT 0 NOT NULL
);

ALTER TABLE entities.cards OWNER TO parley_entities;

COMMENT ON TABLE entities.cards IS 'Entities that appear in conversations. Messaging writes a system message for each. Who may read that message may read the entity.';

COMMENT ON COLUMN entities.cards.conversation IS 'Where it appears.';

COMMENT ON COLUMN entities.cards.card IS 'Its number, by which the journal names it.';

COMMENT ON COLUMN entities.cards.kind IS 'The kind of the entity: a number of SystemNoteKind.';

COMMENT ON COLUMN entities.cards.entity IS 'The id of the entity.';

COMMENT ON COLUMN entities.cards.account IS 'The person who shared it.';

COMMENT ON COLUMN entities.cards.message IS 'The id of the message.';

COMMENT ON COLUMN entities.cards.supersedes IS 'The id of the entity that it replaces; null: none.';

COMMENT ON COLUMN entities.cards.withdrawn_at IS 'When the entity was deleted, and its message with it; null: it appears.';

COMMENT ON COLUMN entities.cards.changes IS 'How often the entity has changed.';

ALTER TABLE entities.cards ALTER COLUMN card ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME entities.cards_card_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE entities.decisions (
    account bigint NOT NULL,
    id uuid NOT NULL,
    text text NOT NULL,
    folded text NOT NULL,
    conversation bigint,
    source_message uuid,
    created_at bigint NOT NULL,
    card bigint,
    supersedes uuid,
    superseded_by uuid,
    deleted_at bigint,
    "position" bigint NOT NULL
);

ALTER TABLE entities.decisions OWNER TO parley_entities;

COMMENT ON TABLE entities.decisions IS 'What was decided. One without a card is visible only to its author.';

COMMENT ON COLUMN entities.decisions.account IS 'The author.';

COMMENT ON COLUMN entities.decisions.id IS 'Chosen by the client (UUIDv7).';

COMMENT ON COLUMN entities.decisions.text IS 'What was decided; empty once deleted.';

COMMENT ON COLUMN entities.decisions.folded IS 'The text without capitals and accents, for search.';

COMMENT ON COLUMN entities.decisions.conversation IS 'Where it was decided; null: in no conversation.';

COMMENT ON COLUMN entities.decisions.source_message IS 'Id of the message it was made from; null: none.';

COMMENT ON COLUMN entities.decisions.created_at IS 'When it was created.';

COMMENT ON COLUMN entities.decisions.card IS 'Its card in the conversation; null: private.';

COMMENT ON COLUMN entities.decisions.supersedes IS 'The earlier decision that it replaces; null: none.';

COMMENT ON COLUMN entities.decisions.superseded_by IS 'The later decision that replaces it; null: it holds.';

COMMENT ON COLUMN entities.decisions.deleted_at IS 'When it was deleted; null: not deleted. The row stays for devices that were offline.';

COMMENT ON COLUMN entities.decisions."position" IS 'Position of its last change, in the stream entities/u of its author.';

CREATE TABLE entities.definitions (
    only_row boolean DEFAULT true NOT NULL,
    version integer NOT NULL,
    digest text NOT NULL,
    applied_at timestamp with time zone NOT NULL,
    CONSTRAINT definitions_only_row_check CHECK (only_row)
);

ALTER TABLE entities.definitions OWNER TO parley_entities;

COMMENT ON TABLE entities.definitions IS 'One row: which set of functions and views this schema has.';

COMMENT ON COLUMN entities.definitions.only_row IS 'Always true: there is one row.';

COMMENT ON COLUMN entities.definitions.version IS 'Only grows: an older binary leaves a newer set alone.';

COMMENT ON COLUMN entities.definitions.digest IS 'FNV-1a of their text, hexadecimal.';

COMMENT ON COLUMN entities.definitions.applied_at IS 'By the clock of the database.';

CREATE TABLE entities.epoch (
    only_row boolean DEFAULT true NOT NULL,
    id text NOT NULL,
    CONSTRAINT epoch_only_row_check CHECK (only_row)
);

ALTER TABLE entities.epoch OWNER TO parley_entities;

COMMENT ON TABLE entities.epoch IS 'One row. Positions of different epochs cannot be compared.';

COMMENT ON COLUMN entities.epoch.only_row IS 'Always true, so that there is only one row.';

COMMENT ON COLUMN entities.epoch.id IS 'Random. The operator changes it after restoring a backup.';

CREATE TABLE entities.erased (
    account bigint NOT NULL,
    at bigint NOT NULL
);

ALTER TABLE entities.erased OWNER TO parley_entities;

COMMENT ON TABLE entities.erased IS 'Erased people (conversations.erased) of whom this schema holds no more data.';

COMMENT ON COLUMN entities.erased.account IS 'The erased person.';

COMMENT ON COLUMN entities.erased.at IS 'When the last of their data was deleted, µs since 1970 (UTC).';

CREATE TABLE entities.event_dates (
    account bigint NOT NULL,
    event uuid NOT NULL,
    day integer NOT NULL,
    new_day integer,
    new_second integer
);

ALTER TABLE entities.event_dates OWNER TO parley_entities;

COMMENT ON TABLE entities.event_dates IS 'Dates of recurring events that are called off or moved.';

COMMENT ON COLUMN entities.event_dates.account IS 'The creator of the event.';

COMMENT ON COLUMN entities.event_dates.event IS 'The event.';

COMMENT ON COLUMN entities.event_dates.day IS 'The day by the recurrence, counted from 1970-01-01.';

COMMENT ON COLUMN entities.event_dates.new_day IS 'The day to which it is moved; null: it is called off.';

COMMENT ON COLUMN entities.event_dates.new_second IS 'The time of day to which it is moved; null: whole days.';

CREATE TABLE entities.event_invitations (
    conversation bigint NOT NULL,
    event uuid NOT NULL,
    card bigint NOT NULL,
    ends_at bigint NOT NULL
);

ALTER TABLE entities.event_invitations OWNER TO parley_entities;

COMMENT ON TABLE entities.event_invitations IS 'The conversations invited to events. Who may read the message of the card sees the event.';

COMMENT ON COLUMN entities.event_invitations.conversation IS 'The conversation.';

COMMENT ON COLUMN entities.event_invitations.event IS 'The event.';

COMMENT ON COLUMN entities.event_invitations.card IS 'Its card there.';

COMMENT ON COLUMN entities.event_invitations.ends_at IS 'As of the event.';

CREATE TABLE entities.events (
    account bigint NOT NULL,
    id uuid NOT NULL,
    title text NOT NULL,
    first_day integer NOT NULL,
    at_second integer,
    time_zone text NOT NULL,
    minutes integer NOT NULL,
    location text NOT NULL,
    link text NOT NULL,
    notes text NOT NULL,
    recurrence text NOT NULL,
    starts_at bigint NOT NULL,
    ends_at bigint NOT NULL,
    zone_rules text NOT NULL COLLATE pg_catalog."C",
    conversation bigint,
    source_message uuid,
    created_at bigint NOT NULL,
    changed_at bigint NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    part_versions bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    attendees integer DEFAULT 0 NOT NULL,
    accepted integer DEFAULT 0 NOT NULL,
    tentative integer DEFAULT 0 NOT NULL,
    declined integer DEFAULT 0 NOT NULL,
    coming integer DEFAULT 0 NOT NULL,
    cancelled_at bigint,
    deleted_at bigint
);

ALTER TABLE entities.events OWNER TO parley_entities;

COMMENT ON TABLE entities.events IS 'Events. Who sees one is decided by EventsStore.isVisible.';

COMMENT ON COLUMN entities.events.account IS 'The creator.';

COMMENT ON COLUMN entities.events.id IS 'Chosen by the client (UUIDv7).';

COMMENT ON COLUMN entities.events.title IS 'What takes place; empty once deleted.';

COMMENT ON COLUMN entities.events.first_day IS 'The first day, counted from 1970-01-01.';

COMMENT ON COLUMN entities.events.at_second IS 'The time of day at which it begins, in seconds; null: whole days.';

COMMENT ON COLUMN entities.events.time_zone IS 'IANA name of the zone of that time; empty: whole days.';

COMMENT ON COLUMN entities.events.minutes IS 'How long each date lasts.';

COMMENT ON COLUMN entities.events.location IS 'Where, in free form.';

COMMENT ON COLUMN entities.events.link IS 'An https URL.';

COMMENT ON COLUMN entities.events.notes IS 'What else the hosts say about it.';

COMMENT ON COLUMN entities.events.recurrence IS 'Rule by RFC 5545; empty: it takes place once.';

COMMENT ON COLUMN entities.events.starts_at IS 'When the first date begins; for whole days in UTC.';

COMMENT ON COLUMN entities.events.ends_at IS 'When the last date has ended, or later; the largest bigint: it goes on.';

COMMENT ON COLUMN entities.events.zone_rules IS 'The version of the rules by which these two follow.';

COMMENT ON COLUMN entities.events.conversation IS 'The conversation it was made from; null: none.';

COMMENT ON COLUMN entities.events.source_message IS 'Id of the message it was made from; null: none.';

COMMENT ON COLUMN entities.events.created_at IS 'When it was created.';

COMMENT ON COLUMN entities.events.changed_at IS 'When a host changed it last.';

COMMENT ON COLUMN entities.events.version IS 'Counts the changes by hosts.';

COMMENT ON COLUMN entities.events.part_versions IS 'The version in which each part was last changed, in the order of EventPart.';

COMMENT ON COLUMN entities.events.attendees IS 'The number of people with an attendance that was not removed.';

COMMENT ON COLUMN entities.events.accepted IS 'Of these, those who accepted.';

COMMENT ON COLUMN entities.events.tentative IS 'Of these, those who may come.';

COMMENT ON COLUMN entities.events.declined IS 'Of these, those who declined.';

COMMENT ON COLUMN entities.events.coming IS 'Those who accepted, with those whom they bring.';

COMMENT ON COLUMN entities.events.cancelled_at IS 'When it was called off; null: it takes place.';

COMMENT ON COLUMN entities.events.deleted_at IS 'When it was deleted; null: not deleted. The row stays for devices that were offline.';

CREATE TABLE entities.followed (
    source text NOT NULL COLLATE pg_catalog."C",
    lane integer NOT NULL,
    number bigint NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE entities.followed OWNER TO parley_entities;

COMMENT ON TABLE entities.followed IS 'How far this service has followed the journals of others. Updated in the transaction that applies their entries.';

COMMENT ON COLUMN entities.followed.source IS 'The service that writes the journal.';

COMMENT ON COLUMN entities.followed.lane IS 'The lane of that journal.';

COMMENT ON COLUMN entities.followed.number IS 'The last number processed.';

CREATE TABLE entities.heads (
    account bigint NOT NULL,
    "position" bigint NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE entities.heads OWNER TO parley_entities;

COMMENT ON TABLE entities.heads IS 'Heads of the streams entities/u/USER. Lock several in order of account.';

COMMENT ON COLUMN entities.heads.account IS 'The owner of the stream.';

COMMENT ON COLUMN entities.heads."position" IS 'The last position used.';

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

COMMENT ON TABLE entities.journal IS 'Names all published Updates, with one row per transaction or batch, written in it. keep_journal keeps 7 days.';

COMMENT ON COLUMN entities.journal.lane IS 'The writing lane.';

COMMENT ON COLUMN entities.journal.number IS 'Number of the first Update in this row. The row covers number … number + cardinality(positions) - 1.';

COMMENT ON COLUMN entities.journal.at IS 'When the row was written, µs since 1970, by the database''s clock.';

COMMENT ON COLUMN entities.journal.kinds IS 'The kind of each change. link.proto lists the kinds of each service.';

COMMENT ON COLUMN entities.journal.subjects IS 'Account whose stream entities/u changed.';

COMMENT ON COLUMN entities.journal.objects IS 'Always 0. The reminder is found by subject and position.';

COMMENT ON COLUMN entities.journal.positions IS 'Position of each Update in the stream of its subject; 0: it has no position.';

COMMENT ON COLUMN entities.journal.audience_counts IS 'How many accounts of audience belong to each Update; -1: the audience of the nearest earlier Update of this row with the same subject.';

COMMENT ON COLUMN entities.journal.audience IS 'Accounts that may see the Updates, listed Update by Update.';

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

COMMENT ON TABLE entities.journal_default IS 'Rows of days without a partition, so that a write never fails. keep_journal moves them to their partition.';

CREATE TABLE entities.lanes (
    lane integer NOT NULL,
    number bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='10');

ALTER TABLE entities.lanes OWNER TO parley_entities;

COMMENT ON TABLE entities.lanes IS 'One row per lane. A lane is the identity of one writing connection, which holds a session advisory lock on it.';

COMMENT ON COLUMN entities.lanes.lane IS 'The lane, numbered from 1.';

COMMENT ON COLUMN entities.lanes.number IS 'The last journal number used by this lane. Numbers are dense and in order of commit.';

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
    "position" bigint NOT NULL,
    due_civil bigint,
    utc_offset integer,
    zone_rules text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE entities.reminders OWNER TO parley_entities;

COMMENT ON TABLE entities.reminders IS 'Reminders. Each is visible only to its owner.';

COMMENT ON COLUMN entities.reminders.account IS 'The owner.';

COMMENT ON COLUMN entities.reminders.id IS 'Chosen by the client (UUIDv7).';

COMMENT ON COLUMN entities.reminders.title IS 'What to remember; empty once deleted.';

COMMENT ON COLUMN entities.reminders.due_at IS 'When it is due.';

COMMENT ON COLUMN entities.reminders.time_zone IS 'IANA name of the time zone in which the owner set the time.';

COMMENT ON COLUMN entities.reminders.conversation IS 'The conversation it was made from; null: none.';

COMMENT ON COLUMN entities.reminders.source_message IS 'Id of the message it was made from; null: none.';

COMMENT ON COLUMN entities.reminders.notification_id IS 'The client''s own notification id; empty: none.';

COMMENT ON COLUMN entities.reminders.created_at IS 'When it was created.';

COMMENT ON COLUMN entities.reminders.completed_at IS 'When it was completed; null: open.';

COMMENT ON COLUMN entities.reminders.fired_at IS 'When the owner was reminded; null: not yet.';

COMMENT ON COLUMN entities.reminders.deleted_at IS 'When it was deleted; null: not deleted. The row stays for devices that were offline.';

COMMENT ON COLUMN entities.reminders."position" IS 'Position of its last change, in the stream entities/u of its owner.';

COMMENT ON COLUMN entities.reminders.due_civil IS 'The time on the wall in the zone when it is due, µs since 1970-01-01T00:00:00 there; null: follows from due_at.';

COMMENT ON COLUMN entities.reminders.utc_offset IS 'Seconds from UTC to that time on the wall, which tell apart the two instants of a time that comes twice.';

COMMENT ON COLUMN entities.reminders.zone_rules IS 'The version of the rules by which due_at follows from due_civil.';

CREATE TABLE entities.sealing_keys (
    id smallint NOT NULL,
    key bytea NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT sealing_keys_key_check CHECK ((octet_length(key) = 32))
);

ALTER TABLE entities.sealing_keys OWNER TO parley_entities;

COMMENT ON TABLE entities.sealing_keys IS 'Keys that seal what clients carry for the service, such as cursors. No view exposes them to other schemas.';

COMMENT ON COLUMN entities.sealing_keys.id IS 'Grows with each key. The newest key seals; each opens what it sealed.';

COMMENT ON COLUMN entities.sealing_keys.key IS 'Secret key, 32 bytes.';

COMMENT ON COLUMN entities.sealing_keys.created_at IS 'When it was created.';

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

COMMENT ON TABLE messaging.attachments IS 'Files, each for one message of one conversation. A forwarded file has its own row and the same object.';

COMMENT ON COLUMN messaging.attachments.conversation IS 'The conversation it may be sent to.';

COMMENT ON COLUMN messaging.attachments.id IS 'Chosen by the client (UUIDv7). Of a forwarded file, the id of its message.';

COMMENT ON COLUMN messaging.attachments.owner IS 'Account that uploads and sends it.';

COMMENT ON COLUMN messaging.attachments.object IS 'Key of its bytes in the object storage.';

COMMENT ON COLUMN messaging.attachments.name IS 'File name, without a path.';

COMMENT ON COLUMN messaging.attachments.mime_type IS 'Declared by the client. Determined from the bytes once they are uploaded.';

COMMENT ON COLUMN messaging.attachments.size_bytes IS 'Declared by the client, and enforced.';

COMMENT ON COLUMN messaging.attachments.width IS 'Width of an image in pixels, from its bytes; 0: unknown.';

COMMENT ON COLUMN messaging.attachments.height IS 'Height of an image in pixels, from its bytes; 0: unknown.';

COMMENT ON COLUMN messaging.attachments.created_at IS 'When the row was created.';

COMMENT ON COLUMN messaging.attachments.completed_at IS 'When all its bytes were uploaded and checked; null: not yet.';

COMMENT ON COLUMN messaging.attachments.seq IS 'The message it was sent in; null: not sent.';

COMMENT ON COLUMN messaging.attachments.unused_at IS 'When its message was deleted, or the server stopped waiting for it to be sent; null: in use, or still to be sent.';

CREATE TABLE messaging.definitions (
    only_row boolean DEFAULT true NOT NULL,
    version integer NOT NULL,
    digest text NOT NULL,
    applied_at timestamp with time zone NOT NULL,
    CONSTRAINT definitions_only_row_check CHECK (only_row)
);

ALTER TABLE messaging.definitions OWNER TO parley_messaging;

COMMENT ON TABLE messaging.definitions IS 'One row: which set of functions and views this schema has.';

COMMENT ON COLUMN messaging.definitions.only_row IS 'Always true: there is one row.';

COMMENT ON COLUMN messaging.definitions.version IS 'Only grows: an older binary leaves a newer set alone.';

COMMENT ON COLUMN messaging.definitions.digest IS 'FNV-1a of their text, hexadecimal.';

COMMENT ON COLUMN messaging.definitions.applied_at IS 'By the clock of the database.';

CREATE TABLE messaging.epoch (
    only_row boolean DEFAULT true NOT NULL,
    id text NOT NULL,
    CONSTRAINT epoch_only_row_check CHECK (only_row)
);

ALTER TABLE messaging.epoch OWNER TO parley_messaging;

COMMENT ON TABLE messaging.epoch IS 'One row. Positions of different epochs cannot be compared.';

COMMENT ON COLUMN messaging.epoch.only_row IS 'Always true, so that there is only one row.';

COMMENT ON COLUMN messaging.epoch.id IS 'Random. The operator changes it after restoring a backup.';

CREATE TABLE messaging.erased (
    account bigint NOT NULL,
    at bigint NOT NULL
);

ALTER TABLE messaging.erased OWNER TO parley_messaging;

COMMENT ON TABLE messaging.erased IS 'Erased people (conversations.erased) of whom this schema holds no more data.';

COMMENT ON COLUMN messaging.erased.account IS 'The erased person.';

COMMENT ON COLUMN messaging.erased.at IS 'When the last of their data was deleted, µs since 1970 (UTC).';

CREATE TABLE messaging.followed (
    source text NOT NULL COLLATE pg_catalog."C",
    lane integer NOT NULL,
    number bigint NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE messaging.followed OWNER TO parley_messaging;

COMMENT ON TABLE messaging.followed IS 'How far this service has followed the journals of others. Updated in the transaction that applies their entries.';

COMMENT ON COLUMN messaging.followed.source IS 'The service that writes the journal.';

COMMENT ON COLUMN messaging.followed.lane IS 'The lane of that journal.';

COMMENT ON COLUMN messaging.followed.number IS 'The last number processed.';

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

COMMENT ON TABLE messaging.heads IS 'Heads of the streams messaging/c/CONVERSATION. Never add a second index: it would end HOT updates.';

COMMENT ON COLUMN messaging.heads.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.heads.seq IS 'Seq of the newest message; 0: none yet.';

COMMENT ON COLUMN messaging.heads."position" IS 'The last position used.';

COMMENT ON COLUMN messaging.heads.first_seq IS 'The oldest seq still stored.';

COMMENT ON COLUMN messaging.heads.first_position IS 'Changes since an older position are not available: the client starts over.';

COMMENT ON COLUMN messaging.heads.members_version IS 'Up to this members_version of the conversation, messaging.inbox holds the windows of everyone who joined or left. Those who joined later read from seq + 1; those who left later read up to seq.';

COMMENT ON COLUMN messaging.heads.retention_us IS 'How long after sending new messages disappear; 0: never.';

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

COMMENT ON TABLE messaging.inbox IS 'One person''s inbox state, window and marks of a conversation. The first message creates the row. Without a row, the defaults apply.';

COMMENT ON COLUMN messaging.inbox.account IS 'The person.';

COMMENT ON COLUMN messaging.inbox.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.inbox.touched_at IS 'Last news or change of the person''s own state, up to 10 s out of date. Sync finds the row by it.';

COMMENT ON COLUMN messaging.inbox."position" IS 'Position of the last change of this row, in the stream messaging/u of this account.';

COMMENT ON COLUMN messaging.inbox.visible_from IS 'Oldest seq of the window. Set when someone joins who was not a member from the beginning, and on rejoining.';

COMMENT ON COLUMN messaging.inbox.visible_to IS 'Newest seq of the window; null: no end. Set for former members.';

COMMENT ON COLUMN messaging.inbox.cleared_before IS 'Messages up to and including this seq are deleted for this person.';

COMMENT ON COLUMN messaging.inbox.read_seq IS 'Read up to here; only grows.';

COMMENT ON COLUMN messaging.inbox.read_at IS 'When read_seq last grew.';

COMMENT ON COLUMN messaging.inbox.delivered_seq IS 'Delivered up to here; only grows.';

COMMENT ON COLUMN messaging.inbox.delivered_at IS 'When delivered_seq last grew.';

COMMENT ON COLUMN messaging.inbox.pinned_at IS 'When pinned; null: not pinned.';

COMMENT ON COLUMN messaging.inbox.muted_until IS 'End of the mute, the largest bigint for ever; null: not muted.';

COMMENT ON COLUMN messaging.inbox.archived_at IS 'When archived; null: not archived.';

COMMENT ON COLUMN messaging.inbox.archived_seq IS 'Newest seq when archived. A later message unarchives the conversation unless it is muted.';

COMMENT ON COLUMN messaging.inbox.marked_unread IS 'Whether the person marked it unread.';

COMMENT ON COLUMN messaging.inbox.visible_position IS 'Position of messaging/c when visible_to was set, the last that a former member receives; null with visible_to.';

COMMENT ON COLUMN messaging.inbox.news_at IS 'Time of the last message, up to 10 s out of date. Inbox pages follow this order, and reading does not change it.';

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

COMMENT ON TABLE messaging.journal IS 'Names all published Updates, with one row per transaction or batch, written in it. keep_journal keeps 7 days.';

COMMENT ON COLUMN messaging.journal.lane IS 'The writing lane.';

COMMENT ON COLUMN messaging.journal.number IS 'Number of the first Update in this row. The row covers number … number + cardinality(positions) - 1.';

COMMENT ON COLUMN messaging.journal.at IS 'When the row was written, µs since 1970, by the database''s clock.';

COMMENT ON COLUMN messaging.journal.kinds IS 'The kind of each change. link.proto lists the kinds of each service.';

COMMENT ON COLUMN messaging.journal.subjects IS 'Conversation whose stream messaging/c changed. Kinds 3 and 4: account whose stream messaging/u changed.';

COMMENT ON COLUMN messaging.journal.objects IS 'Seq of the message. Kinds 3 and 4: the conversation.';

COMMENT ON COLUMN messaging.journal.positions IS 'Position of each Update in the stream of its subject; 0: it has no position.';

COMMENT ON COLUMN messaging.journal.audience_counts IS 'How many accounts of audience belong to each Update; -1: the audience of the nearest earlier Update of this row with the same subject.';

COMMENT ON COLUMN messaging.journal.audience IS 'Accounts that may see the Updates, listed Update by Update.';

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

COMMENT ON TABLE messaging.journal_default IS 'Rows of days without a partition, so that a write never fails. keep_journal moves them to their partition.';

CREATE TABLE messaging.lanes (
    lane integer NOT NULL,
    number bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='10');

ALTER TABLE messaging.lanes OWNER TO parley_messaging;

COMMENT ON TABLE messaging.lanes IS 'One row per lane. A lane is the identity of one writing connection, which holds a session advisory lock on it.';

COMMENT ON COLUMN messaging.lanes.lane IS 'The lane, numbered from 1.';

COMMENT ON COLUMN messaging.lanes.number IS 'The last journal number used by this lane. Numbers are dense and in order of commit.';

CREATE TABLE messaging.mentions (
    account bigint NOT NULL,
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    sent_at bigint NOT NULL
);

ALTER TABLE messaging.mentions OWNER TO parley_messaging;

COMMENT ON TABLE messaging.mentions IS 'Mentions of people in messages. Deleted when the message is deleted or an edit removes the mention.';

COMMENT ON COLUMN messaging.mentions.account IS 'The mentioned person.';

COMMENT ON COLUMN messaging.mentions.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.mentions.seq IS 'The message.';

COMMENT ON COLUMN messaging.mentions.sent_at IS 'When the message was sent.';

CREATE TABLE messaging.message_states (
    account bigint NOT NULL,
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    starred_at bigint,
    hidden_at bigint,
    "position" bigint NOT NULL
);

ALTER TABLE messaging.message_states OWNER TO parley_messaging;

COMMENT ON TABLE messaging.message_states IS 'One person''s private state of a message: starred, hidden.';

COMMENT ON COLUMN messaging.message_states.account IS 'The person.';

COMMENT ON COLUMN messaging.message_states.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.message_states.seq IS 'The message.';

COMMENT ON COLUMN messaging.message_states.starred_at IS 'When starred; null: not starred.';

COMMENT ON COLUMN messaging.message_states.hidden_at IS 'When deleted for this person; null: not hidden.';

COMMENT ON COLUMN messaging.message_states."position" IS 'Position of the last change, in the stream messaging/u of this account.';

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

COMMENT ON TABLE messaging.messages IS 'Messages: their current state, not their history. Deletion and retention empty rows and do not remove them.';

COMMENT ON COLUMN messaging.messages.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.messages.seq IS '1, 2, 3 … within the conversation, without gaps.';

COMMENT ON COLUMN messaging.messages.id IS 'Chosen by the client (UUIDv7), for a system message by the service (UUIDv8). The same id is always the same message.';

COMMENT ON COLUMN messaging.messages.sender IS 'Account of the sender; null: a system message.';

COMMENT ON COLUMN messaging.messages.kind IS 'As MessageKind: 1 text … 6 system.';

COMMENT ON COLUMN messaging.messages.text IS 'The text; empty once deleted.';

COMMENT ON COLUMN messaging.messages.sent_at IS 'When the server accepted it.';

COMMENT ON COLUMN messaging.messages."position" IS 'Position of its last change, in the stream messaging/c of the conversation.';

COMMENT ON COLUMN messaging.messages.changed_at IS 'Last change of any kind after it was sent; null: unchanged. Not null puts it into messages_changed.';

COMMENT ON COLUMN messaging.messages.edited_at IS 'Last edit by its sender; null: never edited.';

COMMENT ON COLUMN messaging.messages.deleted_at IS 'When it was deleted for everyone; null: not deleted.';

COMMENT ON COLUMN messaging.messages.expires_at IS 'When it disappears; null: never.';

COMMENT ON COLUMN messaging.messages.reply_to_seq IS 'The message it replies to; null: none.';

COMMENT ON COLUMN messaging.messages.thread_seq IS 'The first message of its thread; null: not in a thread.';

COMMENT ON COLUMN messaging.messages.forwarded_from IS 'Account of the original author of a forwarded message; null: not forwarded.';

COMMENT ON COLUMN messaging.messages.extra IS 'Encoded protobuf that only clients read: SystemNote with kind 6, Media with kinds 2 to 5; null: none.';

COMMENT ON COLUMN messaging.messages.legacy_id IS 'Id in the system it was imported from, from which its id is derived; null: not imported.';

COMMENT ON COLUMN messaging.messages.has_replies IS 'Whether it is, or ever was, the first message of a thread.';

COMMENT ON COLUMN messaging.messages.mentions IS 'Mentioned accounts, as in messaging.mentions; null: none.';

COMMENT ON COLUMN messaging.messages.reactions IS 'Emoji of its reactions, in the order of their first use; null: it never had any.';

COMMENT ON COLUMN messaging.messages.reaction_counts IS 'How many people used each of reactions, at least 1.';

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

COMMENT ON COLUMN messaging.person_heads.account IS 'The owner of the stream.';

COMMENT ON COLUMN messaging.person_heads."position" IS 'The last position used.';

CREATE TABLE messaging.reactions (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    account bigint NOT NULL,
    emoji text NOT NULL COLLATE pg_catalog."C",
    at bigint NOT NULL
);

ALTER TABLE messaging.reactions OWNER TO parley_messaging;

COMMENT ON TABLE messaging.reactions IS 'Reactions to messages.';

COMMENT ON COLUMN messaging.reactions.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.reactions.seq IS 'The message.';

COMMENT ON COLUMN messaging.reactions.account IS 'Who reacted.';

COMMENT ON COLUMN messaging.reactions.emoji IS 'The emoji.';

COMMENT ON COLUMN messaging.reactions.at IS 'When they reacted.';

CREATE VIEW messaging.windows AS
 SELECT a.conversation,
    a.account,
    (a.is_shown OR (a.awaits_message AND (COALESCE(h.seq, (0)::bigint) > 0))) AS is_shown,
    (a.may_read AND (a.is_shown OR (a.awaits_message AND ((COALESCE(h.seq, (0)::bigint) > 0) OR a.may_write)))) AS may_act,
    (a.left_version IS NOT NULL) AS is_former,
    a.is_in_inbox,
    a.is_gone,
    a.may_write,
    a.refusal,
    a.is_pending,
    a.role,
    a.section,
    GREATEST(
        CASE
            WHEN (a.joined_version > h.members_version) THEN (h.seq + 1)
            ELSE i.visible_from
        END, (i.cleared_before + 1), h.first_seq, (1)::bigint) AS first_seq,
        CASE
            WHEN a.is_gone THEN (0)::bigint
            WHEN (a.left_version <= h.members_version) THEN COALESCE(i.visible_to, (0)::bigint)
            ELSE COALESCE(h.seq, (0)::bigint)
        END AS last_seq,
        CASE
            WHEN a.is_gone THEN (0)::bigint
            WHEN (a.left_version <= h.members_version) THEN COALESCE(i.visible_position, (0)::bigint)
            ELSE COALESCE(h."position", (0)::bigint)
        END AS last_position,
    COALESCE(h.first_position, (0)::bigint) AS first_position,
    COALESCE(h.retention_us, (0)::bigint) AS retention_us
   FROM ((conversations.access a
     LEFT JOIN LATERAL ( SELECT x.visible_from,
            x.visible_to,
            x.visible_position,
            x.cleared_before
           FROM messaging.inbox x
          WHERE ((x.account = a.account) AND ((x.conversation >= a.conversation) AND (x.conversation <= a.conversation)))
          ORDER BY x.conversation
         LIMIT 1) i ON (true))
     LEFT JOIN messaging.heads h ON ((h.conversation = a.conversation)))
  WHERE (a.may_read OR (a.left_version IS NOT NULL) OR a.is_gone);

ALTER TABLE messaging.windows OWNER TO parley_messaging;

COMMENT ON VIEW messaging.windows IS 'What each person sees of each conversation of which they are or were a member, or which is gone for them. is_shown: they see it. may_act: a member who sees it or may write its first message. first_seq to last_seq: the messages they may read. last_position: the last change they may know. Both are 0 for a conversation that is gone, and those of the moment of leaving for a former member. The other columns are those of conversations.access and messaging.heads.';

CREATE VIEW messaging.readable AS
 SELECT w.account,
    m.conversation,
    m.seq,
    m.id,
    m.sender,
    m.kind,
    m.text,
    m.sent_at,
    m."position"
   FROM (messaging.windows w
     JOIN messaging.messages m ON ((m.conversation = w.conversation)))
  WHERE (w.is_shown AND ((m.seq >= w.first_seq) AND (m.seq <= w.last_seq)) AND (m.deleted_at IS NULL) AND ((m.expires_at IS NULL) OR ((m.expires_at)::numeric > (EXTRACT(epoch FROM now()) * (1000000)::numeric))) AND (NOT (EXISTS ( SELECT
           FROM messaging.message_states f
          WHERE ((f.account = w.account) AND (f.conversation = m.conversation) AND ((f.seq >= m.seq) AND (f.seq <= m.seq)) AND (f.hidden_at IS NOT NULL))))));

ALTER TABLE messaging.readable OWNER TO parley_messaging;

COMMENT ON VIEW messaging.readable IS 'Messages, with the accounts that may read them. Query with conversation = and with account BETWEEN itself and itself, so that the primary key is used.';

CREATE TABLE messaging.reads (
    conversation bigint NOT NULL,
    account bigint NOT NULL,
    seq bigint NOT NULL,
    at bigint NOT NULL
);

ALTER TABLE messaging.reads OWNER TO parley_messaging;

COMMENT ON TABLE messaging.reads IS 'When members read messages, as others see it. A member read message N at the time of their first row with seq >= N. In large groups one row covers about a minute of reading, so times are up to a minute late.';

COMMENT ON COLUMN messaging.reads.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.reads.account IS 'The member.';

COMMENT ON COLUMN messaging.reads.seq IS 'The read mark at that time.';

COMMENT ON COLUMN messaging.reads.at IS 'When the mark reached it.';

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

COMMENT ON TABLE messaging.receipts IS 'Members'' marks as others see them. They do not move while a request is pending or someone is blocked.';

COMMENT ON COLUMN messaging.receipts.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.receipts.account IS 'The member.';

COMMENT ON COLUMN messaging.receipts.read_seq IS 'Read up to here; only grows.';

COMMENT ON COLUMN messaging.receipts.read_at IS 'When read_seq last grew; 0: never.';

COMMENT ON COLUMN messaging.receipts.delivered_seq IS 'Delivered up to here, at least read_seq; only grows.';

COMMENT ON COLUMN messaging.receipts.delivered_at IS 'When delivered_seq last grew.';

CREATE TABLE messaging.retention_jobs (
    conversation bigint NOT NULL,
    retention_us bigint NOT NULL,
    next_seq bigint NOT NULL,
    up_to_seq bigint NOT NULL,
    changed bigint DEFAULT 0 NOT NULL
);

ALTER TABLE messaging.retention_jobs OWNER TO parley_messaging;

COMMENT ON TABLE messaging.retention_jobs IS 'Conversations with older messages to which a new retention is yet to be applied. Written under the lock of the head.';

COMMENT ON COLUMN messaging.retention_jobs.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.retention_jobs.retention_us IS 'How long after sending a message disappears; 0: never.';

COMMENT ON COLUMN messaging.retention_jobs.next_seq IS 'Messages below this seq are done.';

COMMENT ON COLUMN messaging.retention_jobs.up_to_seq IS 'The last message to process.';

COMMENT ON COLUMN messaging.retention_jobs.changed IS 'How many messages have been given a new expires_at so far.';

CREATE TABLE messaging.revisions (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    revision integer NOT NULL,
    text text NOT NULL,
    until_at bigint NOT NULL,
    mentions bigint[],
    until_position bigint DEFAULT '9223372036854775807'::bigint NOT NULL
);

ALTER TABLE messaging.revisions OWNER TO parley_messaging;

COMMENT ON TABLE messaging.revisions IS 'Earlier texts and mentions of edited messages. Deleted together with the message''s text.';

COMMENT ON COLUMN messaging.revisions.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.revisions.seq IS 'The message.';

COMMENT ON COLUMN messaging.revisions.revision IS '1, 2, 3 … within the message.';

COMMENT ON COLUMN messaging.revisions.text IS 'The text before the edit.';

COMMENT ON COLUMN messaging.revisions.until_at IS 'When the edit replaced it.';

COMMENT ON COLUMN messaging.revisions.mentions IS 'The accounts mentioned before the edit; null: none.';

COMMENT ON COLUMN messaging.revisions.until_position IS 'The position of the edit that replaced it. The largest one for edits by a program that did not store it: whoever has left then reads the oldest text.';

CREATE TABLE messaging.sealing_keys (
    id smallint NOT NULL,
    key bytea NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT sealing_keys_key_check CHECK ((octet_length(key) = 32))
);

ALTER TABLE messaging.sealing_keys OWNER TO parley_messaging;

COMMENT ON TABLE messaging.sealing_keys IS 'Keys that seal what clients carry for the service, such as cursors. No view exposes them to other schemas.';

COMMENT ON COLUMN messaging.sealing_keys.id IS 'Grows with each key. The newest key seals; each opens what it sealed.';

COMMENT ON COLUMN messaging.sealing_keys.key IS 'Secret key, 32 bytes.';

COMMENT ON COLUMN messaging.sealing_keys.created_at IS 'When it was created.';

CREATE TABLE messaging.search (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    document tsvector NOT NULL
);

ALTER TABLE messaging.search OWNER TO parley_messaging;

COMMENT ON TABLE messaging.search IS 'The search index. It follows the messages within a second; a row is deleted with its message.';

COMMENT ON COLUMN messaging.search.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.search.seq IS 'The message.';

COMMENT ON COLUMN messaging.search.document IS 'The message''s words, each prefixed with CONVERSATION.BLOCK. in hexadecimal, where BLOCK is seq >> 12. So the cost of a search depends only on the conversations searched, not on how often others use the same words.';

CREATE TABLE messaging.search_backlog (
    conversation bigint NOT NULL,
    seq bigint NOT NULL
);

ALTER TABLE messaging.search_backlog OWNER TO parley_messaging;

COMMENT ON TABLE messaging.search_backlog IS 'Conversations with messages from before search existed, or with imported ones. Their words are yet to be indexed, newest first. A finished row is deleted.';

COMMENT ON COLUMN messaging.search_backlog.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.search_backlog.seq IS 'Messages up to this seq are yet to be indexed.';

CREATE TABLE messaging.threads (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    replies bigint NOT NULL,
    last_seq bigint NOT NULL,
    "position" bigint NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE messaging.threads OWNER TO parley_messaging;

COMMENT ON TABLE messaging.threads IS 'State of threads. Written under the lock of the conversation''s head.';

COMMENT ON COLUMN messaging.threads.conversation IS 'The conversation.';

COMMENT ON COLUMN messaging.threads.seq IS 'The first message of the thread.';

COMMENT ON COLUMN messaging.threads.replies IS 'Number of messages with this thread_seq that are not deleted.';

COMMENT ON COLUMN messaging.threads.last_seq IS 'The newest message of the thread, even if deleted.';

COMMENT ON COLUMN messaging.threads."position" IS 'Position of the last change of this row, in the stream messaging/c.';

CREATE TABLE presence.definitions (
    only_row boolean DEFAULT true NOT NULL,
    version integer NOT NULL,
    digest text NOT NULL,
    applied_at timestamp with time zone NOT NULL,
    CONSTRAINT definitions_only_row_check CHECK (only_row)
);

ALTER TABLE presence.definitions OWNER TO parley_presence;

COMMENT ON TABLE presence.definitions IS 'One row: which set of functions and views this schema has.';

COMMENT ON COLUMN presence.definitions.only_row IS 'Always true: there is one row.';

COMMENT ON COLUMN presence.definitions.version IS 'Only grows: an older binary leaves a newer set alone.';

COMMENT ON COLUMN presence.definitions.digest IS 'FNV-1a of their text, hexadecimal.';

COMMENT ON COLUMN presence.definitions.applied_at IS 'By the clock of the database.';

CREATE TABLE presence.erased (
    account bigint NOT NULL,
    at bigint NOT NULL
);

ALTER TABLE presence.erased OWNER TO parley_presence;

COMMENT ON TABLE presence.erased IS 'Erased people (conversations.erased) of whom this schema holds no more data.';

COMMENT ON COLUMN presence.erased.account IS 'The erased person.';

COMMENT ON COLUMN presence.erased.at IS 'When the last of their data was deleted, µs since 1970 (UTC).';

CREATE TABLE presence.gateways (
    gateway text NOT NULL COLLATE pg_catalog."C",
    heard_at bigint NOT NULL,
    CONSTRAINT gateways_gateway_check CHECK ((octet_length(gateway) <= 64))
)
WITH (fillfactor='70');

ALTER TABLE presence.gateways OWNER TO parley_presence;

COMMENT ON TABLE presence.gateways IS 'Gateways that report their sessions.';

COMMENT ON COLUMN presence.gateways.gateway IS 'The gateway''s instance name.';

COMMENT ON COLUMN presence.gateways.heard_at IS 'When a replica last received a report from it, µs since 1970 (UTC). A few seconds out of date.';

CREATE TABLE presence.last_seen (
    account bigint NOT NULL,
    at bigint NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE presence.last_seen OWNER TO parley_presence;

COMMENT ON TABLE presence.last_seen IS 'When each person was last online; no row: never online.';

COMMENT ON COLUMN presence.last_seen.account IS 'The person.';

COMMENT ON COLUMN presence.last_seen.at IS 'When they were last online, µs since 1970 (UTC).';

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

ALTER TABLE ONLY conversations.journal ATTACH PARTITION conversations.journal_default DEFAULT;

ALTER TABLE ONLY entities.journal ATTACH PARTITION entities.journal_default DEFAULT;

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

INSERT INTO conversations.declined_invitations VALUES
	(3, 2, 1, 1741003240000000);

INSERT INTO conversations.definitions VALUES
	(true, 7, '3fdd71f6db44f3af', '2025-03-03 11:06:40+00');

INSERT INTO conversations.devices VALUES
	(1, 'AnaPhone1', 'Ana''s phone', 1741003201000000, 1741003202000000, 0, NULL),
	(1, 'AnaOld1', 'Ana''s old phone', 1741003201000000, 1741003202000000, 1741003300000000, 1741003300000000),
	(2, 'BenPhone2', 'Ben''s phone', 1741003201000000, 1741003202000000, 0, NULL);

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

INSERT INTO conversations.journal_default VALUES
	(1, 3, 1741103220000000, '{1,1,1}', '{1,2,3}', '{2,2,2}', '{2,2,1}', '{1,1,1}', '{1,2,3}'),
	(1, 6, 1741104000000000, '{1,4}', '{2,2}', '{2,2}', '{3,0}', '{1,1}', '{2,2}'),
	(1, 8, 1741105000000000, '{1,1,6}', '{3,1,1}', '{3,3,0}', '{2,3,4}', '{1,1,1}', '{3,1,1}');

INSERT INTO conversations.lanes VALUES
	(2, 0),
	(1, 10);

INSERT INTO conversations.members VALUES
	(1, 1, 1, 0, NULL, true, 1741003210000000, NULL, 1, 1, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL),
	(1, 2, 1, 0, NULL, true, 1741003210000000, NULL, 1, 1, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL),
	(2, 1, 1, 0, NULL, true, 1741003220000000, NULL, 2, 1, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL),
	(2, 3, 3, 0, NULL, true, 1741003220000000, NULL, 1, 1, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL),
	(2, 2, 1, 3, NULL, false, 1741003220000000, 1741004000000000, 3, 1, 2, 4, NULL, NULL, 'Harbour', '', NULL, NULL),
	(3, 1, 1, 1, 3, true, 1741005000000000, NULL, 3, 1, NULL, 2, 1741005000000000, NULL, NULL, NULL, NULL, NULL),
	(3, 3, 1, 0, 3, true, 1741005000000000, NULL, 2, 1, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL);

INSERT INTO conversations.migrations VALUES
	(1, '0001_people_and_conversations', '4ebedb08fd0d0450f3ab1b3fccf354aac874dd6cd445a7d9220128eb197bad5b', '2025-03-03 11:06:41+00'),
	(2, '0002_invitations_and_sealing', '2ce49b50103448e5c6537d51219fbf2dc0491a83902ce9a3cd819f853e891f62', '2025-03-03 11:06:42+00');

INSERT INTO conversations.name_suffixes VALUES
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
	(2, 'trom', 3, 0),
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
	(2, 'z', 1, 0);

INSERT INTO conversations.refresh_tokens VALUES
	(1, '\x58e083af152255a9f9e653189400622bf47e27f92f42a0618897029032575cea', 'AnaPhone1', '01955be8-0000-7000-8000-0000000000f1', 1741003201000000, 1743595201000000, 1741003202000000),
	(1, '\xa663f7a778732c5038a05fec6672c83b750c163bf09ff462962974a575c8b851', 'AnaPhone1', '01955be8-0000-7000-8000-0000000000f1', 1741003202000000, 1743595202000000, NULL);

INSERT INTO conversations.reports VALUES
	(1, '01955be8-0000-7000-8000-000000000501', 3, 3, 1, 6, 'Asks for my boat', 1741006000000000, NULL);

INSERT INTO conversations.retired_usernames VALUES
	('\x69db31976ead37b85cc42a49c95fd06eec99cfd9b7ff219a25c0f59cb4049343', 1741003800000000);

INSERT INTO conversations.retiring_key VALUES
	(true, '\xf67336b58ba9ac01536407ddd6d5911ffa23ea7d6bed3ab73666f7dd634c33b9');

INSERT INTO conversations.sealing_keys VALUES
	(1, '\x6f7dde70a39244642a0be6250a91ad7384d1d3fdb5e319a3a437e35e937880b8', 1795601722433284);

INSERT INTO conversations.sign_in_attempts VALUES
	('user:ana', 1741003200000000, 2),
	('address:192.0.2.1', 1741003200000000, 3);

INSERT INTO conversations.signing_keys VALUES
	('keyOfRFC8032', '\xd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', '\x9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 1741003200000000, NULL, '\x226eb3087734c5011b789cf1951c1489f345ce0dfba7befd3d38b3ee06938664');

INSERT INTO entities.attendances VALUES
	(1, '01955be8-0000-7000-8000-000000000501', 2, 0, NULL, 1741003300000000, true, false, 30, 1780385400000000, NULL, NULL, 1781604000000000, NULL, 8),
	(3, '01955be8-0000-7000-8000-000000000501', 4, 0, 2, 1741003310000000, false, false, -1, NULL, NULL, NULL, 1781604000000000, NULL, 1);

INSERT INTO entities.calendar_links VALUES
	(1, '\x58e083af152255a9f9e653189400622bf47e27f92f42a0618897029032575cea', 1741003320000000, 1741003320000000, 1);

INSERT INTO entities.cards OVERRIDING SYSTEM VALUE VALUES
	(2, 1, 10, '01955be8-0000-7000-8000-000000000401', 1, '01955be8-0000-8000-8000-000000000401', NULL, NULL, 0),
	(2, 2, 10, '01955be8-0000-7000-8000-000000000402', 1, '01955be8-0000-8000-8000-000000000402', '01955be8-0000-7000-8000-000000000401', 1741003290000000, 0),
	(2, 3, 11, '01955be8-0000-7000-8000-000000000501', 1, '01955be8-0000-8000-8000-000000000501', NULL, NULL, 0);

INSERT INTO entities.decisions VALUES
	(1, '01955be8-0000-7000-8000-000000000401', 'We paint it red', 'we paint it red', 2, '01955be8-0000-7000-8000-000000000203', 1741003250000000, 1, NULL, NULL, NULL, 5),
	(1, '01955be8-0000-7000-8000-000000000402', '', '', NULL, NULL, 1741003260000000, NULL, NULL, NULL, 1741003290000000, 7),
	(2, '01955be8-0000-7000-8000-000000000403', 'No tar', 'no tar', NULL, NULL, 1741003270000000, NULL, NULL, NULL, NULL, 1);

INSERT INTO entities.definitions VALUES
	(true, 1, '6ce0f5402ea6c27f', '2025-03-03 11:06:40+00');

INSERT INTO entities.epoch VALUES
	(true, '07214c6750d983a32e0a33da225c4efd');

INSERT INTO entities.erased VALUES
	(4, 1741004100000000);

INSERT INTO entities.event_dates VALUES
	(1, '01955be8-0000-7000-8000-000000000501', 20613, NULL, NULL);

INSERT INTO entities.event_invitations VALUES
	(2, '01955be8-0000-7000-8000-000000000501', 3, 1781604000000000);

INSERT INTO entities.events VALUES
	(1, '01955be8-0000-7000-8000-000000000501', 'Sailing', 20606, 36000, 'Europe/Zurich', 120, 'Harbour', '', 'Bring a jacket', 'FREQ=WEEKLY;COUNT=3', 1780387200000000, 1781604000000000, '2025b', 2, '01955be8-0000-7000-8000-000000000203', 1741003300000000, 1741003300000000, 1, '{1,1,1,1,1,1,1,1}', 2, 1, 1, 0, 1, NULL, NULL);

INSERT INTO entities.followed VALUES
	('conversations', 1, 10);

INSERT INTO entities.heads VALUES
	(1, 8),
	(2, 1),
	(3, 1);

INSERT INTO entities.journal_default VALUES
	(1, 2, 1741103240000000, '{1,1,1}', '{1,1,1}', '{0,0,0}', '{2,3,4}', '{1,-1,-1}', '{1}');

INSERT INTO entities.lanes VALUES
	(1, 4);

INSERT INTO entities.migrations VALUES
	(1, '0001_reminders', '0508b7025bca0f60e2263128b51c6b4e8efd084636cd3192395f2d502ec63f64', '2025-03-03 11:06:41+00'),
	(2, '0002_due_times_decisions_events_and_sealing', '9d4a1031bcc2b9f90587cf65085b4c6b0723e30539cc91c1a8a4c628dc171c9f', '2025-03-03 11:06:42+00');

INSERT INTO entities.reminders VALUES
	(1, '01955be8-0000-7000-8000-000000000301', 'Bring the rope', 1741089600000000, 'Europe/Stockholm', 2, '01955be8-0000-7000-8000-000000000203', 'local-1', 1741003230000000, NULL, NULL, NULL, 1, NULL, NULL, ''),
	(1, '01955be8-0000-7000-8000-000000000302', 'Buy tar', 1741089600000000, 'America/New_York', NULL, NULL, '', 1741003231000000, 1741003240000000, NULL, NULL, 3, NULL, NULL, ''),
	(1, '01955be8-0000-7000-8000-000000000303', '', 1741089600000000, 'UTC', NULL, NULL, '', 1741003232000000, NULL, NULL, 1741003241000000, 4, NULL, NULL, '');

INSERT INTO entities.sealing_keys VALUES
	(1, '\x472a4f2dd785c6b205dc3f4b3215e1642cffaaea72b640b3dec5bfc11e335e6c', 1795601722718862);

INSERT INTO messaging.attachments VALUES
	(1, '01955be8-0000-7000-8000-000000000601', 1, '01955be8-0000-7000-8000-000000000601', 'boat.png', 'image/png', 2048, 8, 8, 1741006003500000, 1741006003600000, 7, NULL);

INSERT INTO messaging.definitions VALUES
	(true, 1, '21fd4b66c040b88d', '2025-03-03 11:06:40+00');

INSERT INTO messaging.epoch VALUES
	(true, '6dd5452492381aea23c90f8bd374fc49');

INSERT INTO messaging.erased VALUES
	(4, 1741004100000000);

INSERT INTO messaging.followed VALUES
	('conversations', 2, 0),
	('conversations', 1, 10),
	('messaging', 2, 1),
	('messaging', 1, 14);

INSERT INTO messaging.heads VALUES
	(3, 1, 1, 1, 0, 1, 0),
	(1, 7, 10, 1, 0, 1, 0),
	(2, 4, 4, 1, 0, 2, 3153600000000000);

INSERT INTO messaging.inbox VALUES
	(1, 2, 1741003223000000, 1, 1, NULL, 0, 2, 1741003222500000, 3, 1741003223400000, 1741003224000000, NULL, NULL, NULL, false, NULL, 1741003223000000),
	(3, 2, 1741003223000000, 0, 1, NULL, 0, 1, 1741003221500000, 1, 1741003221400000, NULL, NULL, NULL, NULL, false, NULL, 1741003223000000),
	(2, 2, 1741003223000000, 1, 1, 3, 0, 0, NULL, 0, NULL, NULL, 9223372036854775807, NULL, NULL, false, 3, 1741003223000000),
	(1, 3, 1741005001000000, 0, 1, NULL, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, 1741005001000000),
	(3, 3, 1741005001000000, 0, 1, NULL, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, 1741005001000000),
	(1, 1, 1741006004000000, 0, 1, NULL, 0, 5, 1741003215500000, 5, 1741003215400000, NULL, NULL, NULL, NULL, false, NULL, 1741006004000000),
	(2, 1, 1741006004000000, 0, 1, NULL, 0, 3, 1741003213500000, 3, 1741003213400000, NULL, NULL, NULL, NULL, false, NULL, 1741006004000000);

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

INSERT INTO messaging.message_states VALUES
	(1, 1, 3, 1741006005000000, NULL, 2),
	(1, 1, 2, NULL, 1741006006000000, 3);

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
	(1, '0001_messages', '601e61e3cb6965aa828120eb44bb1a7430ede2b3a108f0ad0ae9bff5337fed0e', '2025-03-03 11:06:41+00'),
	(2, '0002_as_left_and_sealing', '956e822ad8121cda09e181b4870924c7d16feb615122c9b3a13c404da74a7527', '2025-03-03 11:06:42+00');

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

INSERT INTO messaging.retention_jobs VALUES
	(2, 3153600000000000, 1, 4, 0);

INSERT INTO messaging.revisions VALUES
	(1, 3, 1, 'Two lines,
and ''quotes''; $1 \ %', 1741006001000000, NULL, 9223372036854775807);

INSERT INTO messaging.sealing_keys VALUES
	(1, '\x2fe68084ea214f4493d657dcb75d58e52b4f9dbf317777b74b1eaecc7bb9466d', 1795601722546954);

INSERT INTO messaging.search VALUES
	(3, 1, '''ana'' ''boat'' ''borrow''');

INSERT INTO messaging.search_backlog VALUES
	(1, 7),
	(2, 4);

INSERT INTO messaging.threads VALUES
	(1, 3, 1, 6, 8);

INSERT INTO presence.definitions VALUES
	(true, 0, 'cbf29ce484222325', '2025-03-03 11:06:40+00');

INSERT INTO presence.erased VALUES
	(4, 1741004100000000);

INSERT INTO presence.gateways VALUES
	('gateway-1', 1741004000000000);

INSERT INTO presence.last_seen VALUES
	(1, 1741003900000000),
	(2, 1741003901000000);

INSERT INTO presence.migrations VALUES
	(1, '0001_presence', '4dea64151f95b6ee413502890f3ef96f202efa01d045332e7857ecca2334795d', '2025-03-03 11:06:41+00');

SELECT pg_catalog.setval('conversations.accounts_account_seq', 4, true);

SELECT pg_catalog.setval('conversations.conversations_conversation_seq', 3, true);

SELECT pg_catalog.setval('entities.cards_card_seq', 3, true);

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

ALTER TABLE ONLY conversations.declined_invitations
    ADD CONSTRAINT declined_invitations_pkey PRIMARY KEY (account, conversation, inviter);

ALTER TABLE ONLY conversations.definitions
    ADD CONSTRAINT definitions_pkey PRIMARY KEY (only_row);

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

ALTER TABLE ONLY conversations.sealing_keys
    ADD CONSTRAINT sealing_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY conversations.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (key);

ALTER TABLE ONLY conversations.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY entities.attendances
    ADD CONSTRAINT attendances_pkey PRIMARY KEY (account, event);

ALTER TABLE ONLY entities.calendar_links
    ADD CONSTRAINT calendar_links_pkey PRIMARY KEY (account);

ALTER TABLE ONLY entities.cards
    ADD CONSTRAINT cards_pkey PRIMARY KEY (conversation, card);

ALTER TABLE ONLY entities.decisions
    ADD CONSTRAINT decisions_pkey PRIMARY KEY (account, id);

ALTER TABLE ONLY entities.definitions
    ADD CONSTRAINT definitions_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY entities.epoch
    ADD CONSTRAINT epoch_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY entities.erased
    ADD CONSTRAINT erased_pkey PRIMARY KEY (account);

ALTER TABLE ONLY entities.event_dates
    ADD CONSTRAINT event_dates_pkey PRIMARY KEY (account, event, day);

ALTER TABLE ONLY entities.event_invitations
    ADD CONSTRAINT event_invitations_pkey PRIMARY KEY (conversation, event);

ALTER TABLE ONLY entities.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (account, id);

ALTER TABLE ONLY entities.followed
    ADD CONSTRAINT followed_pkey PRIMARY KEY (source, lane);

ALTER TABLE ONLY entities.heads
    ADD CONSTRAINT heads_pkey PRIMARY KEY (account);

ALTER TABLE ONLY entities.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (lane, number, at);

ALTER TABLE ONLY entities.journal_default
    ADD CONSTRAINT journal_default_pkey PRIMARY KEY (lane, number, at);

ALTER TABLE ONLY entities.lanes
    ADD CONSTRAINT lanes_pkey PRIMARY KEY (lane);

ALTER TABLE ONLY entities.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (number);

ALTER TABLE ONLY entities.reminders
    ADD CONSTRAINT reminders_pkey PRIMARY KEY (account, id);

ALTER TABLE ONLY entities.sealing_keys
    ADD CONSTRAINT sealing_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY messaging.attachments
    ADD CONSTRAINT attachments_pkey PRIMARY KEY (conversation, id);

ALTER TABLE ONLY messaging.definitions
    ADD CONSTRAINT definitions_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY messaging.epoch
    ADD CONSTRAINT epoch_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY messaging.erased
    ADD CONSTRAINT erased_pkey PRIMARY KEY (account);

ALTER TABLE ONLY messaging.followed
    ADD CONSTRAINT followed_pkey PRIMARY KEY (source, lane);

ALTER TABLE ONLY messaging.heads
    ADD CONSTRAINT heads_pkey PRIMARY KEY (conversation);

ALTER TABLE ONLY messaging.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (account, conversation);

ALTER TABLE ONLY messaging.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (lane, number, at);

ALTER TABLE ONLY messaging.journal_default
    ADD CONSTRAINT journal_default_pkey PRIMARY KEY (lane, number, at);

ALTER TABLE ONLY messaging.lanes
    ADD CONSTRAINT lanes_pkey PRIMARY KEY (lane);

ALTER TABLE ONLY messaging.mentions
    ADD CONSTRAINT mentions_pkey PRIMARY KEY (account, conversation, seq);

ALTER TABLE ONLY messaging.message_states
    ADD CONSTRAINT message_states_pkey PRIMARY KEY (account, conversation, seq);

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

ALTER TABLE ONLY messaging.retention_jobs
    ADD CONSTRAINT retention_jobs_pkey PRIMARY KEY (conversation);

ALTER TABLE ONLY messaging.revisions
    ADD CONSTRAINT revisions_pkey PRIMARY KEY (conversation, seq, revision);

ALTER TABLE ONLY messaging.sealing_keys
    ADD CONSTRAINT sealing_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY messaging.search_backlog
    ADD CONSTRAINT search_backlog_pkey PRIMARY KEY (conversation);

ALTER TABLE ONLY messaging.search
    ADD CONSTRAINT search_pkey PRIMARY KEY (conversation, seq);

ALTER TABLE ONLY messaging.threads
    ADD CONSTRAINT threads_pkey PRIMARY KEY (conversation, seq);

ALTER TABLE ONLY presence.definitions
    ADD CONSTRAINT definitions_pkey PRIMARY KEY (only_row);

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

CREATE INDEX declined_invitations_inviter ON conversations.declined_invitations USING btree (inviter);

CREATE INDEX devices_revoked_at ON conversations.devices USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);

CREATE INDEX jobs_due_at ON conversations.jobs USING btree (due_at, account, kind);

CREATE INDEX members_account_position ON conversations.members USING btree (account, "position");

CREATE INDEX members_aside ON conversations.members USING btree (account, section, conversation) WHERE (section > 1);

CREATE INDEX members_invited ON conversations.members USING btree (account, conversation) WHERE (invited_by IS NOT NULL);

CREATE INDEX members_order ON conversations.members USING btree (conversation, ((- role)), joined_version, account) WHERE (left_at IS NULL);

CREATE INDEX members_requests ON conversations.members USING btree (account, request_at, conversation) WHERE (section = 2);

CREATE INDEX name_suffixes_letters ON conversations.name_suffixes USING btree (part, letters, account) INCLUDE (longer_than);

CREATE INDEX refresh_tokens_device ON conversations.refresh_tokens USING btree (account, device_id);

CREATE INDEX refresh_tokens_expires_at ON conversations.refresh_tokens USING btree (expires_at);

CREATE INDEX reports_open ON conversations.reports USING btree (at, account, id) WHERE (closed_at IS NULL);

CREATE INDEX attendances_ends_at ON entities.attendances USING btree (account, ends_at, event) WHERE (removed_at IS NULL);

COMMENT ON INDEX entities.attendances_ends_at IS 'A person''s events that are not over.';

CREATE INDEX attendances_erased ON entities.attendances USING btree (account, event) WHERE is_erased;

COMMENT ON INDEX entities.attendances_erased IS 'Erased people who are still in events.';

CREATE INDEX attendances_event ON entities.attendances USING btree (event, answered_at, account) WHERE (removed_at IS NULL);

COMMENT ON INDEX entities.attendances_event IS 'The people of an event, in order of their answers.';

CREATE INDEX attendances_hosts ON entities.attendances USING btree (event, account) WHERE (is_host AND (removed_at IS NULL));

COMMENT ON INDEX entities.attendances_hosts IS 'The hosts of an event.';

CREATE UNIQUE INDEX attendances_position ON entities.attendances USING btree (account, "position");

CREATE INDEX attendances_remind_at ON entities.attendances USING btree (remind_at, account, event) WHERE (remind_at IS NOT NULL);

COMMENT ON INDEX entities.attendances_remind_at IS 'Who is reminded next.';

CREATE UNIQUE INDEX calendar_links_secret_hash ON entities.calendar_links USING btree (secret_hash);

COMMENT ON INDEX entities.calendar_links_secret_hash IS 'Finds the person of a link.';

CREATE UNIQUE INDEX cards_card ON entities.cards USING btree (card);

COMMENT ON INDEX entities.cards_card IS 'The journal names a card by its number alone.';

CREATE UNIQUE INDEX decisions_id ON entities.decisions USING btree (id);

COMMENT ON INDEX entities.decisions_id IS 'Those with whom a decision is shared know its id, not its author.';

CREATE INDEX decisions_own ON entities.decisions USING btree (account, created_at, id) WHERE (deleted_at IS NULL);

CREATE INDEX decisions_own_conversation ON entities.decisions USING btree (account, conversation, created_at, id) WHERE ((deleted_at IS NULL) AND (conversation IS NOT NULL));

CREATE UNIQUE INDEX decisions_position ON entities.decisions USING btree (account, "position");

CREATE INDEX decisions_shared ON entities.decisions USING btree (conversation, created_at, id) WHERE ((deleted_at IS NULL) AND (card IS NOT NULL));

COMMENT ON INDEX entities.decisions_shared IS 'The decisions shared with a conversation, by time.';

CREATE INDEX event_invitations_ends_at ON entities.event_invitations USING btree (conversation, ends_at, event);

COMMENT ON INDEX entities.event_invitations_ends_at IS 'The events of a conversation that are not over.';

CREATE INDEX event_invitations_event ON entities.event_invitations USING btree (event, card);

COMMENT ON INDEX entities.event_invitations_event IS 'The conversations of an event, in the order of their invitations.';

CREATE INDEX events_account ON entities.events USING btree (account) WHERE (deleted_at IS NULL);

COMMENT ON INDEX entities.events_account IS 'How many events a person has.';

CREATE UNIQUE INDEX events_id ON entities.events USING btree (id);

COMMENT ON INDEX entities.events_id IS 'Most people who see an event know its id, not its creator.';

CREATE INDEX events_zone_rules ON entities.events USING btree (zone_rules) WHERE ((deleted_at IS NULL) AND (time_zone <> ''::text));

COMMENT ON INDEX entities.events_zone_rules IS 'Events whose instants follow from earlier rules.';

CREATE INDEX reminders_completed ON entities.reminders USING btree (account, due_at, id) WHERE ((deleted_at IS NULL) AND (completed_at IS NOT NULL));

COMMENT ON INDEX entities.reminders_completed IS 'A person''s completed reminders by due time.';

CREATE INDEX reminders_conversation ON entities.reminders USING btree (account, conversation, due_at, id) WHERE ((deleted_at IS NULL) AND (conversation IS NOT NULL));

CREATE INDEX reminders_due_at ON entities.reminders USING btree (account, due_at, id) WHERE (deleted_at IS NULL);

CREATE INDEX reminders_open ON entities.reminders USING btree (account, due_at, id) WHERE ((deleted_at IS NULL) AND (completed_at IS NULL));

CREATE INDEX reminders_pending ON entities.reminders USING btree (due_at, account, id) WHERE ((fired_at IS NULL) AND (completed_at IS NULL) AND (deleted_at IS NULL));

COMMENT ON INDEX entities.reminders_pending IS 'What fires next.';

CREATE UNIQUE INDEX reminders_position ON entities.reminders USING btree (account, "position");

CREATE INDEX reminders_zone_rules ON entities.reminders USING btree (zone_rules) WHERE ((fired_at IS NULL) AND (completed_at IS NULL) AND (deleted_at IS NULL));

COMMENT ON INDEX entities.reminders_zone_rules IS 'What fires at a time that follows from earlier rules.';

CREATE INDEX attachments_object ON messaging.attachments USING btree (object);

CREATE INDEX attachments_of_messages ON messaging.attachments USING btree (conversation, seq) WHERE (seq IS NOT NULL);

CREATE INDEX attachments_of_owner ON messaging.attachments USING btree (owner, created_at) WHERE (seq IS NULL);

CREATE INDEX attachments_sent ON messaging.attachments USING btree (owner, created_at, conversation, id) WHERE ((seq IS NOT NULL) AND (unused_at IS NULL));

COMMENT ON INDEX messaging.attachments_sent IS 'The files that a person sent, oldest first.';

CREATE INDEX attachments_unsent ON messaging.attachments USING btree (created_at) WHERE (seq IS NULL);

CREATE INDEX attachments_unused ON messaging.attachments USING btree (unused_at) WHERE (unused_at IS NOT NULL);

CREATE INDEX inbox_archived ON messaging.inbox USING btree (account, ((archived_at IS NOT NULL)), news_at, conversation) WHERE (archived_at IS NOT NULL);

CREATE INDEX inbox_news ON messaging.inbox USING btree (account, news_at, conversation);

CREATE INDEX inbox_pinned ON messaging.inbox USING btree (account, pinned_at, conversation) WHERE (pinned_at IS NOT NULL);

CREATE INDEX inbox_touched ON messaging.inbox USING btree (account, touched_at, conversation);

CREATE INDEX mentions_by_time ON messaging.mentions USING btree (account, sent_at, conversation, seq);

CREATE UNIQUE INDEX message_states_changed ON messaging.message_states USING btree (account, "position");

CREATE INDEX message_states_starred ON messaging.message_states USING btree (account, starred_at, conversation, seq) WHERE (starred_at IS NOT NULL);

CREATE INDEX messages_changed ON messaging.messages USING btree (conversation, "position") WHERE (changed_at IS NOT NULL);

CREATE INDEX messages_expiring ON messaging.messages USING btree (expires_at, conversation, seq) WHERE ((expires_at IS NOT NULL) AND (deleted_at IS NULL));

CREATE INDEX messages_of_threads ON messaging.messages USING btree (conversation, thread_seq, seq) WHERE (thread_seq IS NOT NULL);

CREATE INDEX reactions_by_emoji ON messaging.reactions USING btree (conversation, seq, emoji, at, account);

CREATE INDEX reactions_in_order ON messaging.reactions USING btree (conversation, seq, at, account, emoji);

CREATE INDEX search_words ON messaging.search USING gin (document) WITH (fastupdate=off);

ALTER INDEX conversations.journal_pkey ATTACH PARTITION conversations.journal_default_pkey;

ALTER INDEX entities.journal_pkey ATTACH PARTITION entities.journal_default_pkey;

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

GRANT USAGE ON SCHEMA entities TO parley_messaging;

GRANT USAGE ON SCHEMA messaging TO parley_conversations;
GRANT USAGE ON SCHEMA messaging TO parley_entities;

REVOKE ALL ON FUNCTION conversations.add_sealing_key() FROM PUBLIC;

REVOKE ALL ON FUNCTION conversations.epoch() FROM PUBLIC;

REVOKE ALL ON FUNCTION conversations.folded(value text) FROM PUBLIC;

REVOKE ALL ON FUNCTION conversations.keep_journal(now_us bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION conversations.keep_names() FROM PUBLIC;

REVOKE ALL ON FUNCTION conversations.letters_shared(one text, other text) FROM PUBLIC;

REVOKE ALL ON FUNCTION conversations.lowered(value text) FROM PUBLIC;

REVOKE ALL ON FUNCTION conversations.name_suffixes(display_name text, username text) FROM PUBLIC;

REVOKE ALL ON FUNCTION conversations.username_hash(username text) FROM PUBLIC;

REVOKE ALL ON FUNCTION entities.epoch() FROM PUBLIC;

REVOKE ALL ON FUNCTION entities.keep_journal(now_us bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.decide_sends(batch_conversations bigint[], batch_senders bigint[], batch_ids uuid[], batch_kinds smallint[], batch_texts text[], batch_extras bytea[], batch_replies bigint[], batch_mentions text[], batch_forwarded bigint[], batch_attachments uuid[], locked bigint[], seqs bigint[], positions bigint[], versions bigint[], retentions bigint[], absent bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.empty_expired(at_us bigint, after_at bigint, after_conversation bigint, after_seq bigint, most integer, of_conversation bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.epoch() FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.find_words(of_account bigint, at_us bigint, conversations bigint[], lows bigint[], highs bigint[], queries text[], by_sender bigint, of_kind smallint, from_us bigint, before_us bigint, before_conversation bigint, before_seq bigint, most integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.keep_journal(now_us bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.keep_windows(of_conversations bigint[], since_versions bigint[], now_us bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.lock_heads(of_conversations bigint[], by_senders bigint[], OUT locked bigint[], OUT seqs bigint[], OUT positions bigint[], OUT versions bigint[], OUT retentions bigint[], OUT absent bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.lock_words(of_conversations bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.mark_batch(batch_lane integer, batch_at bigint, batch_accounts bigint[], batch_conversations bigint[], batch_reads bigint[], batch_delivered bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.members(of_conversation bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.react_batch(batch_lane integer, batch_at bigint, batch_conversations bigint[], batch_seqs bigint[], batch_accounts bigint[], batch_emoji text[], batch_removals boolean[], emoji_most integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.readers(of_conversation bigint, of_seq bigint, OUT readers bigint[], OUT others bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.refused(refusal text) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.send_batch(batch_lane integer, batch_at bigint, batch_conversations bigint[], batch_senders bigint[], batch_ids uuid[], batch_kinds smallint[], batch_texts text[], batch_extras bytea[], batch_replies bigint[], batch_mentions text[], batch_forwarded bigint[], batch_attachments uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging.unread(of_account bigint, of_conversation bigint, above bigint, up_to bigint, at_us bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION messaging."window"(reader bigint, of_conversation bigint) FROM PUBLIC;

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

GRANT SELECT ON TABLE conversations.titles TO parley_messaging;

GRANT SELECT ON TABLE entities.journal TO parley_messaging;

GRANT SELECT ON TABLE entities.lanes TO parley_messaging;

GRANT SELECT ON TABLE messaging.journal TO parley_conversations;
GRANT SELECT ON TABLE messaging.journal TO parley_entities;

GRANT SELECT ON TABLE messaging.lanes TO parley_conversations;
GRANT SELECT ON TABLE messaging.lanes TO parley_entities;

GRANT SELECT ON TABLE messaging.readable TO parley_entities;
