-- What an import calls when it has changed messages that are stored.
CREATE OR REPLACE FUNCTION messaging.touch_readers(of_conversations bigint[], at_us bigint) RETURNS void
LANGUAGE sql VOLATILE
AS $$
    INSERT INTO messaging.inbox AS b (account, conversation, touched_at)
    SELECT a.account, a.conversation, at_us
    FROM conversations.access AS a
    WHERE a.conversation = ANY (of_conversations) AND a.may_read
    ORDER BY a.conversation, a.account
    ON CONFLICT (account, conversation) DO UPDATE
    SET touched_at = greatest(b.touched_at, excluded.touched_at)
$$;
REVOKE ALL ON FUNCTION messaging.touch_readers(bigint[], bigint) FROM PUBLIC;
COMMENT ON FUNCTION messaging.touch_readers(bigint[], bigint) IS
    'Everybody who may read these conversations finds them by the next Sync, as touched at at_us. They do not move in '
    'the inbox. A conversation may be named more than once.';
