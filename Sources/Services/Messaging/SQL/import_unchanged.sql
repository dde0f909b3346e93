-- Which conversations came in before as an export has them now.
CREATE OR REPLACE FUNCTION messaging.import_unchanged(of_ids text[], of_digests bytea[]) RETURNS bigint[]
LANGUAGE sql STABLE
AS $$
    SELECT array_agg(coalesce(m.conversation, 0) ORDER BY i.ordinal)
    FROM unnest(of_ids, of_digests) WITH ORDINALITY AS i (id, digest, ordinal)
    LEFT JOIN conversations.conversation_ids AS c ON c.conversation_id = i.id
    LEFT JOIN messaging.imports AS m ON m.conversation = c.conversation AND m.digest = i.digest
$$;
REVOKE ALL ON FUNCTION messaging.import_unchanged(text[], bytea[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_unchanged(text[], bytea[]) IS
    'Returns for each id the number of the conversation if messaging.import_done was called with this digest of it '
    'last, else zero.';
