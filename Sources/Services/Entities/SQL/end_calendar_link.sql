-- What an operator calls who signs a person out everywhere.
CREATE OR REPLACE FUNCTION entities.end_calendar_link(of_account bigint) RETURNS void
LANGUAGE sql
SET search_path = pg_catalog
AS $$
    INSERT INTO entities.calendar_links AS l (account, secret_hash, created_at, window_at, fetches)
    SELECT of_account, NULL, n.now_us + 5000000, n.now_us, 0
    FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now_us) AS n
    ON CONFLICT (account) DO UPDATE
    SET secret_hash = NULL, created_at = excluded.created_at
$$;
REVOKE ALL ON FUNCTION entities.end_calendar_link(bigint) FROM PUBLIC;
COMMENT ON FUNCTION entities.end_calendar_link(bigint) IS
    'Ends the secret link to a person''s calendar. For 5 s no new one can be made: sessions of the devices that were '
    'signed out end within that time.';
