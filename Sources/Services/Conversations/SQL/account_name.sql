CREATE OR REPLACE FUNCTION conversations.account_name(of_account bigint) RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog
AS $$
    SELECT coalesce(a.username, a.user_id)
    FROM conversations.accounts AS a
    WHERE a.account = of_account
$$;
REVOKE ALL ON FUNCTION conversations.account_name(bigint) FROM PUBLIC;
COMMENT ON FUNCTION conversations.account_name(bigint) IS
    'Returns the username of an account, of an erased one the user id; for the operator.';
