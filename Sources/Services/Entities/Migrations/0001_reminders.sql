-- What a conversation means. Times are bigint µs since 1970 (UTC), made by the service.

CREATE TABLE entities.reminders (
    account bigint NOT NULL,
    id uuid NOT NULL,
    title text NOT NULL,
    due_at bigint NOT NULL,
    time_zone text NOT NULL,
    conversation bigint,
    source_message uuid,
    notification_id text NOT NULL DEFAULT '',
    created_at bigint NOT NULL,
    completed_at bigint,
    fired_at bigint,
    deleted_at bigint,
    position bigint NOT NULL,
    PRIMARY KEY (account, id)
);
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
COMMENT ON COLUMN entities.reminders.position IS 'Of its last change, in the stream entities/u of its owner.';
CREATE UNIQUE INDEX reminders_position ON entities.reminders (account, position);
CREATE INDEX reminders_due_at ON entities.reminders (account, due_at, id) WHERE deleted_at IS NULL;
CREATE INDEX reminders_open ON entities.reminders (account, due_at, id)
    WHERE deleted_at IS NULL AND completed_at IS NULL;
CREATE INDEX reminders_conversation ON entities.reminders (account, conversation, due_at, id)
    WHERE deleted_at IS NULL AND conversation IS NOT NULL;

CREATE TABLE entities.heads (
    account bigint PRIMARY KEY,
    position bigint NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE entities.heads IS 'Heads of the streams entities/u/USER. Lock several in order of account.';
COMMENT ON COLUMN entities.heads.account IS 'Whose stream.';
COMMENT ON COLUMN entities.heads.position IS 'Last position used.';

-- ---------------------------------------------------------------------------------------------------------------------
-- Streams: epoch, lanes, journal (DESIGN §3). The same in every schema that publishes Updates.

CREATE TABLE entities.epoch (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    id text NOT NULL
);
COMMENT ON TABLE entities.epoch IS 'One row. Positions of one epoch cannot be compared with those of another.';
COMMENT ON COLUMN entities.epoch.only_row IS 'Always true: there is one row.';
COMMENT ON COLUMN entities.epoch.id IS 'Random; changed by whoever restores a backup.';

INSERT INTO entities.epoch (id)
VALUES (replace(gen_random_uuid()::text, '-', ''));

CREATE FUNCTION entities.epoch() RETURNS text
LANGUAGE sql STABLE
AS $$
    SELECT e.id || '.' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    FROM entities.epoch AS e
$$;
REVOKE ALL ON FUNCTION entities.epoch() FROM PUBLIC;
COMMENT ON FUNCTION entities.epoch() IS
    'The epoch of all positions of this schema: id.TIMELINE. A restore or an asynchronous promotion gives another.';

CREATE TABLE entities.lanes (
    lane integer PRIMARY KEY,
    number bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
COMMENT ON TABLE entities.lanes IS
    'One row per lane, the identity of one writing connection, which holds a session advisory lock on it.';
COMMENT ON COLUMN entities.lanes.lane IS 'Number of the lane, from 1.';
COMMENT ON COLUMN entities.lanes.number IS
    'The last number used in the journal by this lane: dense, in order of commit.';

CREATE TABLE entities.journal (
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
ALTER TABLE entities.journal
    ALTER COLUMN kinds SET STORAGE EXTERNAL,
    ALTER COLUMN subjects SET STORAGE EXTERNAL,
    ALTER COLUMN objects SET STORAGE EXTERNAL,
    ALTER COLUMN positions SET STORAGE EXTERNAL,
    ALTER COLUMN audience_counts SET STORAGE EXTERNAL,
    ALTER COLUMN audience SET STORAGE EXTERNAL;
COMMENT ON TABLE entities.journal IS
    'Names of all published Updates, one row per transaction or batch, written in it; kept 7 days by keep_journal.';
COMMENT ON COLUMN entities.journal.lane IS 'The writing lane.';
COMMENT ON COLUMN entities.journal.number IS
    'Number of the first Update of this row; the row covers number … number + cardinality(positions) - 1.';
COMMENT ON COLUMN entities.journal.at IS 'When, µs since 1970, by the clock of the service.';
COMMENT ON COLUMN entities.journal.kinds IS 'What changed: 1 reminder.';
COMMENT ON COLUMN entities.journal.subjects IS 'Account whose stream entities/u it is.';
COMMENT ON COLUMN entities.journal.objects IS '0; the row is found by subject and position.';
COMMENT ON COLUMN entities.journal.positions IS
    'Position of each Update in the stream of its subject; 0: it takes none.';
COMMENT ON COLUMN entities.journal.audience_counts IS
    'How many accounts of audience belong to each Update; -1: those of the nearest earlier Update of this row with '
    'the same subject.';
COMMENT ON COLUMN entities.journal.audience IS
    'Account numbers who may see the Updates, one Update''s after the other''s.';

CREATE TABLE entities.journal_default PARTITION OF entities.journal DEFAULT;
COMMENT ON TABLE entities.journal_default IS
    'Rows of days without a partition, so that a write never fails; keep_journal moves them.';

CREATE FUNCTION entities.keep_journal(now_us bigint) RETURNS integer
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
$$;
REVOKE ALL ON FUNCTION entities.keep_journal(bigint) FROM PUBLIC;
COMMENT ON FUNCTION entities.keep_journal(bigint) IS
    'Makes the journal''s partitions of today and the next 3 days and drops those older than 7; to be called at '
    'start and every hour. Returns how many it made and dropped.';
