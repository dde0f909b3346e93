CREATE OR REPLACE FUNCTION conversations.add_code(
    code text, uses integer, until_us bigint, allows text, who text) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog
AS $$
DECLARE
    now_us CONSTANT bigint := extract(epoch FROM clock_timestamp()) * 1000000;
BEGIN
    INSERT INTO conversations.registration_codes (hash, uses_left, expires_at, created_at)
    VALUES (sha256(convert_to(code, 'UTF8')), uses, until_us, now_us);

    INSERT INTO conversations.audit (at, action, reason, operator)
    VALUES (now_us, {OperatorAction.invite}, allows, who || ' as ' || session_user);
END
$$;
REVOKE ALL ON FUNCTION conversations.add_code(text, integer, bigint, text, text) FROM PUBLIC;
COMMENT ON FUNCTION conversations.add_code(text, integer, bigint, text, text) IS
    'Adds a code for registering, and records in the audit what it allows. The code itself is not stored.';
