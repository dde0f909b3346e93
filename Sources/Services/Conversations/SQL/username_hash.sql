CREATE OR REPLACE FUNCTION conversations.username_hash(username text) RETURNS bytea
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog
AS $$
    SELECT sha256(k.key || sha256(k.key || convert_to(username, 'UTF8')))
    FROM conversations.retiring_key AS k
$$;
REVOKE ALL ON FUNCTION conversations.username_hash(text) FROM PUBLIC;
COMMENT ON FUNCTION conversations.username_hash(text) IS
    'Returns the hash of a username, as conversations.retired_usernames stores it.';
