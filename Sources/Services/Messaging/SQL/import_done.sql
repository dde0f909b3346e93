-- Notes that conversations came in with all that an export has of them.
CREATE OR REPLACE FUNCTION messaging.import_done(
    of_conversations bigint[], of_messages bigint[], of_message_digests bytea[], of_digests bytea[]
) RETURNS void
LANGUAGE sql VOLATILE
AS $$
    INSERT INTO messaging.imports AS m (conversation, messages, messages_digest, digest)
    SELECT conversation, messages, messages_digest, digest
    FROM unnest(of_conversations, of_messages, of_message_digests, of_digests)
        AS i (conversation, messages, messages_digest, digest)
    ORDER BY conversation
    ON CONFLICT (conversation) DO UPDATE
    SET messages = excluded.messages, messages_digest = excluded.messages_digest, digest = excluded.digest
$$;
REVOKE ALL ON FUNCTION messaging.import_done(bigint[], bigint[], bytea[], bytea[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_done(bigint[], bigint[], bytea[], bytea[]) IS
    'Remembers with what conversations came in as a whole, for messaging.import_standings: how many messages, a digest '
    'of them, and one of all. Each conversation is named once. A call can be repeated.';
