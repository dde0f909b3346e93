-- Creating today's partition of the journal moves rows out of the default one. Concurrent writers and readers wait: if
-- they had chosen partitions before the move, a write would fail (23514) and a read would miss the rows.
CREATE OR REPLACE FUNCTION {schema}.keep_journal(now_us bigint) RETURNS integer
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
    IF NOT pg_try_advisory_xact_lock({AdvisoryLock.journal}, hashtext('{schema}')) THEN
        RETURN 0;
    END IF;

    -- Each step waits only briefly for a lock, because others queue behind it. Locked partitions are left to the next
    -- call. Dropping stops all writers for an instant. It comes first: if the default partition were locked already,
    -- the drop and a reader could wait for each other.
    FOR partition IN
        SELECT c.relname
        FROM pg_inherits AS i
        JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE i.inhparent = to_regclass('{schema}.journal')
            AND c.relname ~ '^journal_[0-9]{8}$'
            AND c.relname::text COLLATE "C"
                < 'journal_' || to_char(to_timestamp(over_us / 1000000) AT TIME ZONE 'UTC', 'YYYYMMDD')
        ORDER BY c.relname
    LOOP
        BEGIN
            EXECUTE format('DROP TABLE {schema}.%I', partition);
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
        CONTINUE WHEN to_regclass(format('{schema}.%I', partition)) IS NOT NULL;
        BEGIN
            EXECUTE format('CREATE TABLE {schema}.%I (LIKE {schema}.journal INCLUDING ALL)', partition);
            EXECUTE format('COMMENT ON TABLE {schema}.%I IS %L', partition, 'One day of the journal (UTC).');
            -- Today's rows may be in the default partition. This lock makes writers and readers wait before they choose
            -- a partition, so that none uses a choice made before the rows moved.
            IF starts_at <= database_us THEN
                LOCK TABLE {schema}.journal IN ACCESS EXCLUSIVE MODE;
            END IF;
            LOCK TABLE {schema}.journal_default IN ACCESS EXCLUSIVE MODE;
            EXECUTE format(
                'WITH moved AS (DELETE FROM {schema}.journal_default WHERE at >= %1$s AND at < %2$s RETURNING *) '
                'INSERT INTO {schema}.%3$I SELECT * FROM moved',
                starts_at, starts_at + day_us, partition);
            EXECUTE format(
                'ALTER TABLE {schema}.journal ATTACH PARTITION {schema}.%I FOR VALUES FROM (%s) TO (%s)',
                partition, starts_at, starts_at + day_us);
            changed := changed + 1;
        EXCEPTION WHEN lock_not_available THEN
            is_held := true;
        END;
    END LOOP;

    BEGIN
        DELETE FROM {schema}.journal_default
        WHERE at < over_us;
    EXCEPTION WHEN lock_not_available THEN
        is_held := true;
    END;
    RETURN CASE WHEN is_held THEN -1 ELSE changed END;
END
$$;
REVOKE ALL ON FUNCTION {schema}.keep_journal(bigint) FROM PUBLIC;
COMMENT ON FUNCTION {schema}.keep_journal(bigint) IS
    'Creates the journal''s partitions of today and the next 3 days by the database''s clock. Drops those that are '
    'older than 7 days by both that clock and the caller''s. Call it at start and every hour. Returns how many '
    'partitions it created and dropped; -1: some were locked by others, so call again soon.';
