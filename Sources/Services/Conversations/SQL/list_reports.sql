CREATE OR REPLACE FUNCTION conversations.list_reports(with_closed boolean, most bigint)
RETURNS TABLE (
    id uuid,
    at bigint,
    reason smallint,
    reporter text,
    about text,
    about_account bigint,
    note text,
    conversation bigint,
    conversation_id text,
    seq bigint,
    closed_at bigint
)
LANGUAGE sql STABLE
SET search_path = pg_catalog
AS $$
    SELECT r.id, r.at, r.reason, conversations.account_name(r.account), conversations.account_name(r.about), r.about,
        r.note, r.conversation, c.conversation_id, r.seq, r.closed_at
    FROM conversations.reports AS r
    LEFT JOIN conversations.conversations AS c ON c.conversation = r.conversation
    WHERE with_closed OR r.closed_at IS NULL
    ORDER BY r.at, r.id
    LIMIT most
$$;
REVOKE ALL ON FUNCTION conversations.list_reports(boolean, bigint) FROM PUBLIC;
COMMENT ON FUNCTION conversations.list_reports(boolean, bigint) IS
    'Returns people''s reports, oldest first: the open ones, or all. messaging.reported_message has the text of a '
    'message.';
