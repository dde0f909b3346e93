CREATE OR REPLACE FUNCTION conversations.list_audit(of_account bigint, most bigint)
RETURNS TABLE (id bigint, at bigint, action smallint, name text, reason text, operator text)
LANGUAGE sql STABLE
SET search_path = pg_catalog
AS $$
    SELECT e.id, e.at, e.action, conversations.account_name(e.account), e.reason, e.operator
    FROM conversations.audit AS e
    WHERE of_account IS NULL OR e.account = of_account
    ORDER BY e.id DESC
    LIMIT most
$$;
REVOKE ALL ON FUNCTION conversations.list_audit(bigint, bigint) FROM PUBLIC;
COMMENT ON FUNCTION conversations.list_audit(bigint, bigint) IS
    'Returns what operators did, latest first: all of it, or what concerned one account.';
