CREATE OR REPLACE FUNCTION conversations.note_operation(what smallint, subject bigint, why text, who text) RETURNS void
LANGUAGE sql
SET search_path = pg_catalog
AS $$
    INSERT INTO conversations.audit (at, action, account, reason, operator)
    VALUES (extract(epoch FROM clock_timestamp()) * 1000000, what, subject, why, who || ' as ' || session_user)
$$;
REVOKE ALL ON FUNCTION conversations.note_operation(smallint, bigint, text, text) FROM PUBLIC;
COMMENT ON FUNCTION conversations.note_operation(smallint, bigint, text, text) IS
    'Records in the audit what an operator did elsewhere, one of OperatorAction, to something of an account.';
