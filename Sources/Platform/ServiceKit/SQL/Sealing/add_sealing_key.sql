CREATE OR REPLACE FUNCTION {schema}.add_sealing_key() RETURNS smallint
LANGUAGE sql
SET search_path = pg_catalog
AS $$
    INSERT INTO {schema}.sealing_keys (id, key, created_at)
    SELECT COALESCE(max(id), 0) + 1, sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
        (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
    FROM {schema}.sealing_keys
    RETURNING id
$$;
REVOKE ALL ON FUNCTION {schema}.add_sealing_key() FROM PUBLIC;
COMMENT ON FUNCTION {schema}.add_sealing_key() IS
    'Adds a key for sealing. Each replica seals with it from its next start on. What older keys sealed can be opened '
    'until their rows are deleted.';
