-- From which message on people may read conversations that came in from elsewhere.
CREATE OR REPLACE FUNCTION messaging.import_windows(
    at_us bigint,
    of_accounts bigint[],
    of_conversations bigint[],
    first_ids uuid[]
) RETURNS bigint
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
    changed bigint;
BEGIN
    PERFORM messaging.lock_imported(of_conversations, at_us);
    UPDATE messaging.inbox AS b
    SET visible_from = n.first_seq, touched_at = greatest(b.touched_at, at_us)
    FROM (
        SELECT i.account, i.conversation, CASE WHEN i.first IS NULL THEN h.seq + 1 ELSE m.seq END AS first_seq
        FROM unnest(of_accounts, of_conversations, first_ids) AS i (account, conversation, first)
        JOIN messaging.heads AS h ON h.conversation = i.conversation
        LEFT JOIN messaging.messages AS m ON m.conversation = i.conversation AND m.id = i.first
    ) AS n
    WHERE b.account = n.account AND b.conversation = n.conversation AND coalesce(b.position, 0) = 0
        AND b.visible_from < n.first_seq;
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END
$$;
REVOKE ALL ON FUNCTION messaging.import_windows(bigint, bigint[], bigint[], uuid[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_windows(bigint, bigint[], bigint[], uuid[]) IS
    'Lets people read conversations only from a message on; null: only what is sent from now on. It counts until '
    'something of their inbox of that conversation came in or they changed it, and it never lets them read more, so a '
    'call can be repeated. Returns for how many it changed.';
