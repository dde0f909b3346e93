CREATE OR REPLACE FUNCTION {schema}.epoch() RETURNS text
LANGUAGE sql STABLE
AS $$
    SELECT e.id || '.' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    FROM {schema}.epoch AS e
$$;
REVOKE ALL ON FUNCTION {schema}.epoch() FROM PUBLIC;
COMMENT ON FUNCTION {schema}.epoch() IS
    'Returns the epoch of all positions of this schema as id.TIMELINE. It changes after a restore or an asynchronous '
    'promotion.';
