-- With what conversations came in before.
CREATE OR REPLACE FUNCTION messaging.import_standings(
    of_ids text[],
    OUT conversations bigint[],
    OUT messages bigint[],
    OUT message_digests bytea[],
    OUT digests bytea[]
)
LANGUAGE sql STABLE
AS $$
    SELECT array_agg(coalesce(m.conversation, 0) ORDER BY i.ordinal),
        array_agg(coalesce(m.messages, 0) ORDER BY i.ordinal),
        array_agg(coalesce(m.messages_digest, '') ORDER BY i.ordinal),
        array_agg(coalesce(m.digest, '') ORDER BY i.ordinal)
    FROM unnest(of_ids) WITH ORDINALITY AS i (id, ordinal)
    LEFT JOIN conversations.conversation_ids AS c ON c.conversation_id = i.id
    LEFT JOIN messaging.imports AS m ON m.conversation = c.conversation
$$;
REVOKE ALL ON FUNCTION messaging.import_standings(text[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_standings(text[]) IS
    'Returns for each id the number of the conversation, and with what messaging.import_done was called for it last; '
    'zero and empty where it was not.';
