-- Making today's partition of the journal moves rows out of the default one. Who wrote or read at that instant, and had chosen
-- partitions before, failed (23514) or saw neither; now they wait. Everything else is as in 0003.

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
$$;
