-- How far conversations came in from elsewhere.
CREATE OR REPLACE FUNCTION messaging.import_newest(of_conversations bigint[]) RETURNS bigint[]
LANGUAGE sql STABLE
AS $$
    SELECT array_agg(coalesce(m.sent_at, 0) ORDER BY i.ordinal)
    FROM unnest(of_conversations) WITH ORDINALITY AS i (conversation, ordinal)
    LEFT JOIN LATERAL (
        SELECT x.sent_at
        FROM messaging.messages AS x
        WHERE x.conversation = i.conversation AND x.legacy_id IS NOT NULL
        ORDER BY x.seq DESC
        LIMIT 1
    ) AS m ON true
$$;
REVOKE ALL ON FUNCTION messaging.import_newest(bigint[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_newest(bigint[]) IS
    'Returns when the last message of each conversation was sent that came in from elsewhere, zero where none did.';
