CREATE OR REPLACE FUNCTION messaging.lock_words(of_conversations bigint[]) RETURNS void
LANGUAGE sql VOLATILE
AS $$
    SELECT count(pg_advisory_xact_lock({AdvisoryLock.words}, l.key))
    FROM (
        SELECT DISTINCT hashint8(c) AS key
        FROM unnest(of_conversations) AS c
        ORDER BY 1
    ) AS l
$$;
REVOKE ALL ON FUNCTION messaging.lock_words(bigint[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.lock_words(bigint[]) IS
    'Locks the search index of conversations. Call it in its own statement before writing or deleting rows of search, '
    'and read the messages after it. So no one indexes the words of a message whose deletion another has already '
    'processed. Nothing else waits for this lock.';
