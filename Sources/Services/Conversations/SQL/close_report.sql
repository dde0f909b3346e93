CREATE OR REPLACE FUNCTION conversations.close_report(report uuid, at_us bigint) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog
AS $$
BEGIN
    UPDATE conversations.reports AS r
    SET closed_at = at_us
    WHERE r.id = report AND r.closed_at IS NULL;
    RETURN FOUND;
END
$$;
REVOKE ALL ON FUNCTION conversations.close_report(uuid, bigint) FROM PUBLIC;
COMMENT ON FUNCTION conversations.close_report(uuid, bigint) IS
    'Closes a report. Returns false if no open report has this id.';
