-- Whether searches find all that came in from elsewhere.
CREATE OR REPLACE FUNCTION messaging.import_unindexed() RETURNS bigint
LANGUAGE sql STABLE
AS $$
    SELECT count(*)
    FROM messaging.search_backlog
$$;
REVOKE ALL ON FUNCTION messaging.import_unindexed() FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_unindexed() IS
    'Returns in how many conversations messages that came in from elsewhere wait for the index of words.';
