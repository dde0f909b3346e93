-- Files that waited for their messages for too long.
CREATE OR REPLACE FUNCTION messaging.import_given_up(of_conversations bigint[], of_messages uuid[])
RETURNS boolean[]
LANGUAGE sql STABLE
AS $$
    SELECT array_agg(f.id IS NOT NULL ORDER BY n.ordinal)
    FROM unnest(of_conversations, of_messages) WITH ORDINALITY AS n (conversation, message, ordinal)
    LEFT JOIN messaging.attachments AS f ON f.conversation = n.conversation AND f.id = n.message
        AND f.seq IS NULL AND f.unused_at IS NOT NULL
$$;
REVOKE ALL ON FUNCTION messaging.import_given_up(bigint[], uuid[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_given_up(bigint[], uuid[]) IS
    'Returns for which messages messaging.import_files made a file that was not given to them within a day, by '
    'files.unsent-seconds, so that it is about to be removed. Until then they take no other.';
