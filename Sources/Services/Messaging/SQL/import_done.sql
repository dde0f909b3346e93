-- Notes that conversations came in with all that an export has of them.
CREATE OR REPLACE FUNCTION messaging.import_done(of_conversations bigint[], of_digests bytea[]) RETURNS void
LANGUAGE sql VOLATILE
AS $$
    INSERT INTO messaging.imports AS m (conversation, digest)
    SELECT conversation, digest
    FROM unnest(of_conversations, of_digests) AS i (conversation, digest)
    ORDER BY conversation
    ON CONFLICT (conversation) DO UPDATE
    SET digest = excluded.digest
$$;
REVOKE ALL ON FUNCTION messaging.import_done(bigint[], bytea[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_done(bigint[], bytea[]) IS
    'Remembers by digests of their content that conversations came in as a whole, for messaging.import_unchanged. Each '
    'conversation is named once. A call can be repeated.';
