-- Which messages came in before.
CREATE OR REPLACE FUNCTION messaging.import_known(of_conversations bigint[], of_ids uuid[]) RETURNS boolean[]
LANGUAGE sql STABLE
AS $$
    SELECT array_agg(
        EXISTS (
            SELECT
            FROM messaging.messages AS m
            WHERE m.conversation = i.conversation AND m.id = i.id
        )
        ORDER BY i.ordinal)
    FROM unnest(of_conversations, of_ids) WITH ORDINALITY AS i (conversation, id, ordinal)
$$;
REVOKE ALL ON FUNCTION messaging.import_known(bigint[], uuid[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_known(bigint[], uuid[]) IS
    'Returns for each id whether its conversation has a message of it.';
