CREATE OR REPLACE FUNCTION conversations.find_account(who text) RETURNS bigint
LANGUAGE sql STABLE
SET search_path = pg_catalog
AS $$
    SELECT a.account
    FROM conversations.accounts AS a
    -- As people type it: "Zoe ".
    WHERE a.username = lower(btrim(normalize(who, NFKC)) COLLATE "C") OR a.user_id = who
    ORDER BY a.user_id = who
    LIMIT 1
$$;
REVOKE ALL ON FUNCTION conversations.find_account(text) FROM PUBLIC;
COMMENT ON FUNCTION conversations.find_account(text) IS
    'Returns the account with this username or, if there is none, with this user id; for the operator.';
