-- Stars, and messages that people deleted for themselves, elsewhere.
CREATE OR REPLACE FUNCTION messaging.import_message_states(
    at_us bigint,
    of_accounts bigint[],
    of_conversations bigint[],
    of_ids uuid[],
    are_starred boolean[]
) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_custom_plan
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    changed bigint;
BEGIN
    WITH item AS MATERIALIZED (
        SELECT s.*, row_number() OVER (PARTITION BY s.account ORDER BY s.conversation, s.seq) AS nth,
            count(*) OVER (PARTITION BY s.account) AS total
        FROM (
            SELECT i.account, i.conversation, m.seq, bool_or(i.is_starred) AS is_starred,
                bool_or(NOT i.is_starred) AS is_hidden
            FROM unnest(of_accounts, of_conversations, of_ids, are_starred)
                AS i (account, conversation, id, is_starred)
            CROSS JOIN LATERAL (
                SELECT x.seq
                FROM messaging.messages AS x
                WHERE x.conversation = i.conversation AND x.id BETWEEN i.id AND i.id
                ORDER BY x.id
                LIMIT 1
            ) AS m
            WHERE NOT EXISTS (
                    SELECT
                    FROM messaging.message_states AS f
                    WHERE f.account = i.account AND f.conversation = i.conversation AND f.seq BETWEEN m.seq AND m.seq
                )
            GROUP BY i.account, i.conversation, m.seq
        ) AS s
    ),
    advanced AS (
        INSERT INTO messaging.person_heads AS h (account, position)
        SELECT DISTINCT i.account, i.total
        FROM item AS i
        ORDER BY i.account
        ON CONFLICT (account) DO UPDATE
        SET position = h.position + excluded.position
        RETURNING account, position
    )
    INSERT INTO messaging.message_states (account, conversation, seq, starred_at, hidden_at, position)
    SELECT i.account, i.conversation, i.seq, CASE WHEN i.is_starred THEN at_us END,
        CASE WHEN i.is_hidden THEN at_us END, h.position - i.total + i.nth
    FROM item AS i
    JOIN advanced AS h ON h.account = i.account;
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END
$$;
REVOKE ALL ON FUNCTION messaging.import_message_states(bigint, bigint[], bigint[], uuid[], boolean[]) FROM PUBLIC;
COMMENT ON FUNCTION messaging.import_message_states(bigint, bigint[], bigint[], uuid[], boolean[]) IS
    'Stars messages for people, or hides them from them, each at the next position of their stream. What somebody '
    'starred or hid, or no longer does, stays as it is, so a call can be repeated. Returns how many are new.';
