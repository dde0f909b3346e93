CREATE OR REPLACE FUNCTION conversations.mail_state()
RETURNS TABLE (given_up bigint, late bigint, problem text)
LANGUAGE sql STABLE
SET search_path = pg_catalog
AS $$
    SELECT count(*) FILTER (WHERE m.due_at IS NULL), count(*) FILTER (WHERE m.due_at IS NOT NULL AND m.problem <> ''),
        COALESCE(max(m.problem) FILTER (WHERE m.id = last.id), '')
    FROM conversations.mails AS m
    LEFT JOIN (SELECT max(id) AS id FROM conversations.mails WHERE problem <> '') AS last ON last.id = m.id
$$;
REVOKE ALL ON FUNCTION conversations.mail_state() FROM PUBLIC;
COMMENT ON FUNCTION conversations.mail_state() IS
    'Returns how many mails were given up, how many failed and are tried again, and why the last of either failed; for '
    'the operator.';
