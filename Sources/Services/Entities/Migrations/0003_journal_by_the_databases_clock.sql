-- The journal's partitions follow the database's clock, which also says when rows are written: that of a service may be
-- wrong. A partition is dropped only when both say that it is over.

CREATE OR REPLACE FUNCTION entities.keep_journal(now_us bigint) RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog
SET lock_timeout = '100ms'
AS $$
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
$$;
COMMENT ON FUNCTION entities.keep_journal(bigint) IS
    'Makes the journal''s partitions of today and the next 3 days by the database''s clock, and drops those that are '
    'older than 7 days by that and the caller''s; to be called at start and every hour. Returns how many it made and '
    'dropped; -1: others held on to some of it, so call again soon.';
COMMENT ON COLUMN entities.journal.at IS 'When, µs since 1970, by the clock of the database.';
