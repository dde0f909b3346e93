-- What an import calls before it changes messages that are stored.
CREATE OR REPLACE FUNCTION messaging.lock_imported(of_conversations bigint[], at_us bigint) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM
    FROM messaging.heads AS h
    WHERE h.conversation = ANY (of_conversations)
    ORDER BY h.conversation
    FOR UPDATE;
    PERFORM messaging.note_members(ARRAY(SELECT DISTINCT c FROM unnest(of_conversations) AS c ORDER BY c), at_us);
END
$$;
REVOKE ALL ON FUNCTION messaging.lock_imported(bigint[], bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.lock_imported(bigint[], bigint) IS
    'Locks the heads of conversations in the order that everybody locks them, and keeps the ranges of who left. After '
    'it an import may take positions. A conversation may be named more than once.';
